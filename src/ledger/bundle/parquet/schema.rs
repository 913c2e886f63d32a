//! The types of the columns, written and read.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, TimeUnit};

use crate::ledger::bundle::columns::{Column, File, Kind};

/// What is written.
pub(super) fn written(file: File, public: bool) -> Schema {
    let field = |column: &Column| Field::new(column.name, data_type(column.kind), column.optional);
    Schema::new(file.columns_of(public).map(field).collect::<Vec<_>>())
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Whole | Kind::Amount => DataType::Int64,
        Kind::Instant => DataType::Timestamp(TimeUnit::Microsecond, Some(Arc::from("UTC"))),
        Kind::Text => DataType::Utf8,
        Kind::Bytes(length) => DataType::FixedSizeBinary(i32::from(length)),
        Kind::Truth => DataType::Boolean,
    }
}

/// How a column of a file is read, given its type there; none if it cannot be this column. Texts
/// and bytes of any length are read as views, which copies none of them.
pub(super) fn read_as(kind: Kind, stored: &DataType) -> Option<DataType> {
    let view = match (kind, stored) {
        (Kind::Whole | Kind::Amount, DataType::Int64)
        | (Kind::Truth, DataType::Boolean)
        | (Kind::Instant, DataType::Timestamp(TimeUnit::Microsecond, _)) => stored.clone(),
        (Kind::Text, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
            DataType::Utf8View
        }
        (Kind::Bytes(length), DataType::FixedSizeBinary(stored_length))
            if *stored_length == i32::from(length) =>
        {
            stored.clone()
        }
        (Kind::Bytes(_), DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => {
            DataType::BinaryView
        }
        _ => return None,
    };
    Some(view)
}
