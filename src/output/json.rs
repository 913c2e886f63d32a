//! JSON: one object a line, so that a list streams and every line stands alone.

use std::io::{self, Write};

use serde::Serialize;

/// Writes one object.
pub(crate) fn write(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(record).map_err(io::Error::other)?;
    writeln!(out, "{text}")
}
