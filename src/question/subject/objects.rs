//! Where the objects with a member go, as it was found out.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::symbols::Site;
use crate::text::Span;
use crate::tree::Node;

/// Where the objects with a member go.
#[derive(Debug, Default)]
pub(super) struct Escape {
    /// Whether they go nowhere else.
    pub(super) is_closed: bool,
    /// The expressions that may be one of them.
    pub(super) held: FxHashSet<(FileId, Node)>,
    /// The names that may be the member of one of them.
    pub(super) members: FxHashSet<(FileId, Node)>,
    /// The members of types without a name that the objects are declared with.
    pub(super) typed: Vec<Site>,
    /// Where the names of their members are shown as text.
    pub(super) shown: Vec<(FileId, Span)>,
    /// Where members of them are accessed by computed names.
    pub(super) computed: Vec<(FileId, Span)>,
    /// Where functions that are not known get them.
    pub(super) given: Vec<(FileId, Span)>,
}

impl Escape {
    /// Whether a name cannot be the member of one of the objects.
    pub(super) fn excludes(&self, file: FileId, name: Node) -> bool {
        self.is_closed && !self.members.contains(&(file, name))
    }
}
