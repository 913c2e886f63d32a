//! CSV: a header, then one row a record. Absent values are empty.

use std::io::{self, Write};

use super::record::Record;

/// Writes the header.
pub(crate) fn write_header<R: Record>(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", R::FIELDS.join(","))
}

/// Writes one record.
pub(crate) fn write(out: &mut dyn Write, record: &impl Record) -> io::Result<()> {
    let mut writer = ::csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    writer.serialize(record).map_err(io::Error::other)?;
    let row = writer.into_inner().map_err(|error| error.into_error())?;
    out.write_all(&row)
}
