//! Reading many rows by COPY, in its binary form; see `copy_in` for the form.

use futures_util::{Stream, StreamExt as _};

use crate::store::error::{StoreError, StoreErrorKind};

/// Bytes before the first row: signature, flags, and the length of the extension that follows.
const HEADER_BYTES: usize = 19;

/// A COPY's rows, one by one.
pub(super) struct CopyOut<S> {
    stream: S,
    buffer: Vec<u8>,
    start: usize,
    header_read: bool,
}

impl<S, B> CopyOut<S>
where
    S: Stream<Item = Result<B, sqlx::Error>> + Unpin,
    B: AsRef<[u8]>,
{
    pub(super) fn new(stream: S) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
            start: 0,
            header_read: false,
        }
    }

    /// Decodes the next row; none after the last.
    pub(super) async fn next<T>(
        &mut self,
        decode: fn(&mut Fields<'_>) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        loop {
            if let Some(found) = self.parse(decode)? {
                return Ok(found);
            }
            let Some(chunk) = self.stream.next().await else {
                return Err(malformed());
            };
            if self.start == self.buffer.len() {
                self.buffer.clear();
                self.start = 0;
            }
            self.buffer.extend_from_slice(chunk?.as_ref());
        }
    }

    /// `None`: more bytes are needed. `Some(None)`: that was the last row.
    fn parse<T>(
        &mut self,
        decode: fn(&mut Fields<'_>) -> Option<T>,
    ) -> Result<Option<Option<T>>, StoreError> {
        let mut fields = Fields {
            rest: self.buffer.get(self.start..).unwrap_or_default(),
        };
        if !self.header_read {
            if fields.take(HEADER_BYTES).is_none() {
                return Ok(None);
            }
            self.start += HEADER_BYTES;
            self.header_read = true;
        }
        let row = fields.rest;
        let Some(count) = fields.number::<2>().map(i16::from_be_bytes) else {
            return Ok(None);
        };
        if count < 0 {
            return Ok(Some(None));
        }
        let mut whole = Fields { rest: fields.rest };
        for _ in 0..count {
            if whole.field().is_none() {
                return Ok(None);
            }
        }
        self.start += row.len() - whole.rest.len();
        decode(&mut fields)
            .map(|value| Some(Some(value)))
            .ok_or_else(malformed)
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
