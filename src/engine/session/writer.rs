//! Who writes files: all those of a transaction, or none.

use std::ops::Deref;

use crate::reader::core::Reader;

/// Writes files in transactions, and settles transactions that were cut short.
pub(crate) struct Writer<'a>(&'a Reader);

impl<'a> Writer<'a> {
    /// A writer where a reader reads.
    pub(crate) fn new(reader: &'a Reader) -> Writer<'a> {
        Writer(reader)
    }
}

impl Deref for Writer<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        self.0
    }
}
