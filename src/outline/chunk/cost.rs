//! A border, a place where a text may be cut, and what it costs to cut there.

/// A place where a text may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Border {
    /// The first byte behind it.
    pub at: usize,
    /// How bad it is to cut there.
    pub cost: usize,
    /// How many of the nodes taken apart are around it.
    pub level: usize,
}

/// What a border costs between two lines with a blank one between them.
pub(super) const PARAGRAPH: usize = 0;
/// Between two lines.
pub(super) const LINE: usize = 10;
/// Inside of a line.
pub(super) const WORD: usize = 100;
/// Between a signature and what is in its body.
pub(super) const SIGNATURE_END: usize = 40;
/// Between a signature and the documentation below it, or a comment and what it is about.
pub(super) const DOCUMENTATION: usize = 150;
/// Between a decorator and its definition.
pub(super) const DECORATION: usize = 200;
/// Inside of a signature.
pub(super) const SIGNATURE: usize = 100;
/// After a label, such as `public:`.
pub(super) const LABEL: usize = 60;
/// For each level that the border lies deeper than others, up to so many.
pub(super) const LEVEL: usize = 3;
/// The deepest level that counts.
pub(super) const LEVELS: usize = 20;
