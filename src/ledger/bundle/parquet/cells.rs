//! Typed access to the cells of a batch of rows.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array as _, ArrayRef, BinaryViewArray, BooleanArray, FixedSizeBinaryArray, Int64Array,
    StringViewArray, TimestampMicrosecondArray,
};
use arrow_schema::DataType;

use crate::store::Damage;

/// A column of a batch.
#[derive(Debug)]
pub(super) enum Cells {
    Whole(Int64Array),
    Instant(TimestampMicrosecondArray),
    Text(StringViewArray),
    Fixed(FixedSizeBinaryArray),
    Bytes(BinaryViewArray),
    Truth(BooleanArray),
    /// A public folder's hidden column.
    Hidden,
}

impl Cells {
    /// The array's type is one of those that the schema lets through.
    pub(super) fn of(array: &ArrayRef) -> Self {
        match array.data_type() {
            DataType::Int64 => Self::Whole(array.as_primitive::<Int64Type>().clone()),
            DataType::Timestamp(..) => {
                Self::Instant(array.as_primitive::<TimestampMicrosecondType>().clone())
            }
            DataType::Utf8View => Self::Text(array.as_string_view().clone()),
            DataType::FixedSizeBinary(_) => Self::Fixed(array.as_fixed_size_binary().clone()),
            DataType::BinaryView => Self::Bytes(array.as_binary_view().clone()),
            DataType::Boolean => Self::Truth(array.as_boolean().clone()),
            _ => Self::Hidden,
        }
    }

    #[inline]
    fn whole(&self, row: usize) -> Option<i64> {
        match self {
            Self::Whole(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Instant(array) => array.is_valid(row).then(|| array.value(row)),
            _ => None,
        }
    }

    #[inline]
    fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Text(array) => array.is_valid(row).then(|| array.value(row)),
            _ => None,
        }
    }

    #[inline]
    fn bytes(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Fixed(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Bytes(array) => array.is_valid(row).then(|| array.value(row)),
            _ => None,
        }
    }

    #[inline]
    fn truth(&self, row: usize) -> Option<bool> {
        match self {
            Self::Truth(array) => array.is_valid(row).then(|| array.value(row)),
            _ => None,
        }
    }
}

/// Rows that were read together, their columns in the file's order.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) columns: Vec<Cells>,
    pub(super) rows: usize,
}

impl Batch {
    /// A row's cells from the first column on.
    pub(super) fn row(&self, row: usize) -> Row<'_> {
        Row {
            columns: self.columns.iter(),
            row,
        }
    }

    /// A number of a row.
    pub(super) fn whole(&self, column: usize, row: usize) -> Option<i64> {
        self.columns.get(column)?.whole(row)
    }
}

/// The cells of one row, taken in order; outside of the batch there are none.
pub(super) struct Row<'b> {
    columns: std::slice::Iter<'b, Cells>,
    row: usize,
}

impl<'b> Row<'b> {
    pub(super) fn skip(&mut self) {
        self.columns.next();
    }

    #[inline]
    pub(super) fn whole(&mut self) -> Option<i64> {
        self.columns.next()?.whole(self.row)
    }

    #[inline]
    pub(super) fn text(&mut self) -> Option<&'b str> {
        self.columns.next()?.text(self.row)
    }

    #[inline]
    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        self.columns.next()?.bytes(self.row)
    }

    #[inline]
    pub(super) fn truth(&mut self) -> Option<bool> {
        self.columns.next()?.truth(self.row)
    }
}

/// A cell that must not be empty.
pub(super) fn need<T>(
    cell: Option<T>,
    auction_id: i64,
    seq: Option<i64>,
    column: &'static str,
) -> Result<T, Damage> {
    cell.ok_or_else(|| Damage {
        auction_id,
        seq,
        column,
        found: "nothing".to_owned(),
    })
}
