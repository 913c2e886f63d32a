//! Lists: printed as they come, or held back until what they tell has been kept.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};
use std::marker::PhantomData;

use super::record::TableRow;
use super::table::Pages;
use super::ui::{Format, OutputError, Settings, Ui};
use super::{csv, json};

/// Records of one kind, printed as they come.
pub(crate) struct Listing<R> {
    pages: Pages,
    rows: u64,
    kind: PhantomData<R>,
}

impl<R: TableRow> Listing<R> {
    /// Begins a list.
    pub(crate) fn begin(ui: &mut Ui) -> Result<Self, OutputError> {
        let (out, settings) = ui.results();
        Ok(Self::begin_on(out, settings)?)
    }

    /// Adds a record.
    pub(crate) fn push(&mut self, ui: &mut Ui, row: &R) -> Result<(), OutputError> {
        let (out, settings) = ui.results();
        Ok(self.push_on(out, settings, row)?)
    }

    /// Ends the list; returns the number of records.
    pub(crate) fn finish(self, ui: &mut Ui) -> Result<u64, OutputError> {
        let (out, settings) = ui.results();
        Ok(self.finish_on(out, settings)?)
    }

    fn begin_on(out: &mut dyn Write, settings: Settings) -> io::Result<Self> {
        if settings.format == Format::Csv {
            csv::write_header::<R>(out)?;
        }
        Ok(Self {
            pages: Pages::default(),
            rows: 0,
            kind: PhantomData,
        })
    }

    fn push_on(&mut self, out: &mut dyn Write, settings: Settings, row: &R) -> io::Result<()> {
        self.rows += 1;
        match settings.format {
            Format::Table => self.pages.push(out, row, settings.width),
            Format::Json => json::write(out, row),
            Format::Csv => csv::write(out, row, settings.csv_safe),
        }
    }

    fn finish_on(mut self, out: &mut dyn Write, settings: Settings) -> io::Result<u64> {
        self.pages.flush(out, R::COLUMNS, settings.width)?;
        out.flush()?;
        Ok(self.rows)
    }
}

/// A list that waits in a temporary file: what it tells is true only when it is kept.
pub(crate) struct HeldListing<R> {
    listing: Listing<R>,
    settings: Settings,
    file: BufWriter<File>,
}

impl<R: TableRow> HeldListing<R> {
    /// Begins a list.
    pub(crate) fn begin(ui: &mut Ui) -> Result<Self, OutputError> {
        let (_, settings) = ui.results();
        let mut file = BufWriter::new(tempfile::tempfile()?);
        Ok(Self {
            listing: Listing::begin_on(&mut file, settings)?,
            settings,
            file,
        })
    }

    /// Adds a record.
    pub(crate) fn push(&mut self, row: &R) -> Result<(), OutputError> {
        Ok(self.listing.push_on(&mut self.file, self.settings, row)?)
    }

    /// Prints all of it.
    pub(crate) fn release(mut self, ui: &mut Ui) -> Result<(), OutputError> {
        self.listing.finish_on(&mut self.file, self.settings)?;
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        let (out, _) = ui.results();
        io::copy(&mut file, out)?;
        Ok(out.flush()?)
    }
}
