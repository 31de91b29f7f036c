//! A place that may refer to a symbol.

use crate::modules::FileId;
use crate::request::error::PlaceRow;
use crate::text::Span;

/// A place that may refer to the symbol.
pub(crate) struct Doubt {
    pub file: FileId,
    pub span: Span,
    pub row: PlaceRow,
    /// Whether it can be left without a decision, because it changes nothing that a program does.
    pub is_remark: bool,
}
