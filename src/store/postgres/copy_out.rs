//! Reading many rows by COPY, in its binary form; see `copy_in` for the form.

use std::ops::Range;

use futures_util::{Stream, StreamExt as _};

use crate::store::error::{StoreError, StoreErrorKind};

/// Bytes before the first row: signature, flags, and the length of the extension that follows.
const HEADER_BYTES: usize = 19;

/// A COPY's rows, one by one; the first column of each is the auction's id.
pub(super) struct CopyOut<S> {
    stream: S,
    buffer: Vec<u8>,
    /// Where the first byte not yet passed is.
    next: usize,
    /// Where the fields of the current row are.
    row: Range<usize>,
    /// The current row's auction; none after the last row.
    auction_id: Option<i64>,
}

impl<S, B> CopyOut<S>
where
    S: Stream<Item = Result<B, sqlx::Error>> + Unpin,
    B: AsRef<[u8]>,
{
    /// At the first row.
    pub(super) async fn open(stream: S) -> Result<Self, StoreError> {
        let mut rows = Self {
            stream,
            buffer: Vec::new(),
            next: HEADER_BYTES,
            row: 0..0,
            auction_id: None,
        };
        while rows.buffer.len() < HEADER_BYTES {
            rows.receive().await?;
        }
        rows.advance().await?;
        Ok(rows)
    }

    pub(super) fn auction_id(&self) -> Option<i64> {
        self.auction_id
    }

    /// There is a current row and it belongs to this auction.
    pub(super) fn is_at(&self, auction_id: i64) -> bool {
        self.auction_id == Some(auction_id)
    }

    /// Reads the current row; its fields' kinds are those of the COPY.
    pub(super) fn decode<T>(
        &self,
        decode: fn(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, StoreError> {
        decode(&mut self.fields()).ok_or_else(malformed)
    }

    /// On to the next row.
    pub(super) async fn advance(&mut self) -> Result<(), StoreError> {
        loop {
            let mut rest = Fields {
                rest: self.buffer.get(self.next..).unwrap_or_default(),
            };
            let available = rest.rest.len();
            let count = rest.number::<2>().map(i16::from_be_bytes);
            if count.is_some_and(|count| count < 0) {
                self.auction_id = None;
                return Ok(());
            }
            let first = self.next + available - rest.rest.len();
            if count.is_some_and(|count| (0..count).all(|_| rest.field().is_some())) {
                self.next += available - rest.rest.len();
                self.row = first..self.next;
                self.auction_id = Some(self.fields().int8().ok_or_else(malformed)?);
                return Ok(());
            }
            self.receive().await?;
        }
    }

    /// The current row's fields, undecoded.
    pub(super) fn raw(&self) -> &[u8] {
        self.buffer.get(self.row.clone()).unwrap_or_default()
    }

    fn fields(&self) -> Fields<'_> {
        Fields::of(self.raw())
    }

    async fn receive(&mut self) -> Result<(), StoreError> {
        let chunk = self.stream.next().await.ok_or_else(malformed)??;
        // The server sends whole rows as a rule, so nothing is left to be moved.
        if self.next == self.buffer.len() {
            self.buffer.clear();
            self.next = 0;
        }
        self.buffer.extend_from_slice(chunk.as_ref());
        Ok(())
    }
}

fn malformed() -> StoreError {
    let message = "the server's COPY is not understood";
    StoreError::new(StoreErrorKind::Failed, message)
}

/// The fields of a row, in order. `None`: the bytes are not what the caller asked for.
pub(super) struct Fields<'b> {
    rest: &'b [u8],
}

impl<'b> Fields<'b> {
    pub(super) fn of(row: &'b [u8]) -> Self {
        Self { rest: row }
    }

    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// The next field's bytes; `Some(None)` is null.
    fn field(&mut self) -> Option<Option<&'b [u8]>> {
        let length = i32::from_be_bytes(self.number::<4>()?);
        match usize::try_from(length) {
            Ok(length) => self.take(length).map(Some),
            Err(_) => Some(None),
        }
    }

    pub(super) fn bytes_or_null(&mut self) -> Option<Option<&'b [u8]>> {
        self.field()
    }

    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        self.field()?
    }

    pub(super) fn int8_or_null(&mut self) -> Option<Option<i64>> {
        match self.field()? {
            None => Some(None),
            Some(bytes) => Some(Some(i64::from_be_bytes(bytes.try_into().ok()?))),
        }
    }

    pub(super) fn int8(&mut self) -> Option<i64> {
        self.int8_or_null()?
    }

    pub(super) fn int4(&mut self) -> Option<i32> {
        Some(i32::from_be_bytes(self.field()??.try_into().ok()?))
    }

    pub(super) fn int2(&mut self) -> Option<i16> {
        Some(i16::from_be_bytes(self.field()??.try_into().ok()?))
    }

    pub(super) fn boolean(&mut self) -> Option<bool> {
        Some(self.field()?? == [1])
    }

    pub(super) fn uuid(&mut self) -> Option<uuid::Uuid> {
        uuid::Uuid::from_slice(self.field()??).ok()
    }

    pub(super) fn text_or_null(&mut self) -> Option<Option<&'b str>> {
        match self.field()? {
            None => Some(None),
            Some(bytes) => Some(Some(std::str::from_utf8(bytes).ok()?)),
        }
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        self.text_or_null()?
    }
}
