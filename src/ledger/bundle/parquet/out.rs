//! Writing a table: rows are collected in builders and written a row group at a time.

use std::io;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::schema::written;
use crate::ledger::bundle::columns::{File, Kind};
use crate::ledger::bundle::table_out::Hashing;
use crate::ledger::bundle::values::Value;

/// Rows that are handed to the encoder together.
const BATCH_ROWS: usize = 8_192;
/// Rows that can be read, and skipped, as one.
const GROUP_ROWS: usize = 131_072;

/// A table being written.
pub(in crate::ledger::bundle) struct ParquetOut {
    kept: Vec<bool>,
    schema: SchemaRef,
    columns: Vec<Builder>,
    rows: usize,
    writer: ArrowWriter<Hashing>,
}

impl ParquetOut {
    pub(in crate::ledger::bundle) fn create(
        file: File,
        public: bool,
        inner: Hashing,
    ) -> io::Result<Self> {
        let schema = Arc::new(written(file, public));
        let writer = ArrowWriter::try_new(inner, Arc::clone(&schema), Some(properties(file)))?;
        let columns = file.columns().iter();
        Ok(Self {
            kept: columns.map(|column| !(public && column.hidden)).collect(),
            schema,
            columns: file
                .columns_of(public)
                .map(|it| Builder::of(it.kind))
                .collect(),
            rows: 0,
            writer,
        })
    }

    pub(in crate::ledger::bundle) fn put(&mut self, values: &[Value<'_>]) -> io::Result<()> {
        let kept = values.iter().zip(&self.kept).filter(|(_, kept)| **kept);
        for ((value, _), builder) in kept.zip(&mut self.columns) {
            builder.put(value)?;
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS {
            self.pass_on()?;
        }
        Ok(())
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.rows = 0;
        let arrays = self.columns.iter_mut().map(Builder::finish).collect();
        let batch =
            RecordBatch::try_new(Arc::clone(&self.schema), arrays).map_err(io::Error::other)?;
        Ok(self.writer.write(&batch)?)
    }

    pub(in crate::ledger::bundle) fn finish(mut self) -> io::Result<Hashing> {
        if self.rows > 0 {
            self.pass_on()?;
        }
        Ok(self.writer.into_inner()?)
    }
}

/// Numbers that rise by little are stored as differences; random bytes neither in a dictionary
/// nor compressed, which would only take time.
fn properties(file: File) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP_ROWS));
    for column in file.columns() {
        let path = ColumnPath::from(column.name);
        properties = match column.kind {
            Kind::Whole | Kind::Instant => properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Kind::Bytes(_) => properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_compression(path, Compression::UNCOMPRESSED),
            Kind::Amount => properties.set_column_dictionary_enabled(path, false),
            Kind::Text | Kind::Truth => properties,
        };
    }
    properties.build()
}

enum Builder {
    Whole(Int64Builder),
    Instant(TimestampMicrosecondBuilder),
    Text(StringBuilder),
    Bytes(FixedSizeBinaryBuilder),
    Truth(BooleanBuilder),
}

impl Builder {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Whole | Kind::Amount => Self::Whole(Int64Builder::with_capacity(BATCH_ROWS)),
            Kind::Instant => Self::Instant(
                TimestampMicrosecondBuilder::with_capacity(BATCH_ROWS).with_timezone("UTC"),
            ),
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Bytes(length) => Self::Bytes(FixedSizeBinaryBuilder::new(i32::from(length))),
            Kind::Truth => Self::Truth(BooleanBuilder::with_capacity(BATCH_ROWS)),
        }
    }

    fn put(&mut self, value: &Value<'_>) -> io::Result<()> {
        match (self, value) {
            (Self::Whole(out), Value::Whole(number)) => out.append_option(*number),
            (Self::Whole(out), Value::Amount(amount)) => {
                out.append_option(amount.map(|amount| amount.minor()));
            }
            (Self::Instant(out), Value::Instant(instant)) => {
                out.append_option(instant.map(|instant| instant.get()));
            }
            (Self::Text(out), Value::Text(text)) => out.append_option(*text),
            (Self::Text(out), Value::Rungs(steps)) => {
                out.append_value(serde_json::to_string(steps.rungs()).unwrap_or_default());
            }
            (Self::Bytes(out), Value::Request(id)) => {
                out.append_value(id.bytes()).map_err(io::Error::other)?;
            }
            (Self::Bytes(out), Value::Bytes(Some(bytes))) => {
                out.append_value(bytes).map_err(io::Error::other)?;
            }
            (Self::Bytes(out), Value::Bytes(None)) => out.append_null(),
            (Self::Truth(out), Value::Truth(truth)) => out.append_value(*truth),
            // The lists of columns and of values do not agree.
            _ => return Err(io::Error::other("a value of another kind than its column")),
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Whole(out) => Arc::new(out.finish()),
            Self::Instant(out) => Arc::new(out.finish()),
            Self::Text(out) => Arc::new(out.finish()),
            Self::Bytes(out) => Arc::new(out.finish()),
            Self::Truth(out) => Arc::new(out.finish()),
        }
    }
}
