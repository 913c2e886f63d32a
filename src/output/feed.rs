//! Records that are told as they happen: each is on its way at once.

use std::io::{self, Write};
use std::marker::PhantomData;

use super::record::{Record, Tone};
use super::ui::{Format, OutputError, Settings, Ui, style};
use super::{csv, json};

/// Records of one kind. A closed pipe is told, because a feed would go on for hours.
pub(crate) struct Feed<R> {
    headed: bool,
    kind: PhantomData<R>,
}

impl<R: Record> Feed<R> {
    /// Nothing told yet.
    pub(crate) fn new() -> Self {
        Self {
            headed: false,
            kind: PhantomData,
        }
    }

    /// Tells a record; for people as this line.
    pub(crate) fn push(
        &mut self,
        ui: &mut Ui,
        record: &R,
        told: &(Tone, String),
    ) -> Result<(), OutputError> {
        let (out, settings) = ui.results();
        Ok(self.push_on(out, settings, record, told)?)
    }

    fn push_on(
        &mut self,
        out: &mut dyn Write,
        settings: Settings,
        record: &R,
        (tone, text): &(Tone, String),
    ) -> io::Result<()> {
        match settings.format {
            Format::Table => {
                let style = style(*tone);
                writeln!(out, "{style}{text}{style:#}")?;
            }
            Format::Json => json::write(out, record)?,
            Format::Csv => {
                if !self.headed {
                    csv::write_header::<R>(out)?;
                }
                csv::write(out, record, settings.csv_safe)?;
            }
        }
        self.headed = true;
        out.flush()
    }
}
