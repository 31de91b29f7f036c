//! Borders: places where a text may be cut, and their costs.

/// A place where a text may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Border {
    /// The first byte after it.
    pub at: usize,
    /// The cost of a cut there.
    pub cost: usize,
    /// How many of the nodes taken apart surround it.
    pub level: usize,
}

/// The cost of a border between two lines with a blank line between them.
pub(super) const PARAGRAPH: usize = 0;
/// Between two lines.
pub(super) const LINE: usize = 10;
/// Inside a line.
pub(super) const WORD: usize = 100;
/// Between a signature and its body.
pub(super) const SIGNATURE_END: usize = 40;
/// Between a signature and the documentation below it, or a comment and its node.
pub(super) const DOCUMENTATION: usize = 150;
/// Between a decorator and its definition.
pub(super) const DECORATION: usize = 200;
/// Inside a signature.
pub(super) const SIGNATURE: usize = 100;
/// After a label, such as `public:`.
pub(super) const LABEL: usize = 60;
/// For each level that the border is deeper than others, up to `LEVELS`.
pub(super) const LEVEL: usize = 3;
/// The deepest level that counts.
pub(super) const LEVELS: usize = 20;
