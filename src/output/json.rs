//! JSON: one object a line, so that a list streams and every line stands alone.

use std::io::{self, Write};

use super::record::Record;

/// Writes one record.
pub(crate) fn write(out: &mut dyn Write, record: &impl Record) -> io::Result<()> {
    let text = serde_json::to_string(record).map_err(io::Error::other)?;
    writeln!(out, "{text}")
}
