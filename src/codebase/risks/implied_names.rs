//! Places where a variable gives its name to a member of the object that is made there: `new { size }`.

use crate::modules::FileId;
use crate::symbols::Resolver;
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether a name is that of a variable, and of a member that has its name without saying so.
    pub fn names_member_too(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let is_in = |parent: Node| view.rules.members.named_by_values.contains(table.type_id(parent));
        let mark = view.rules.loose.value_mark.as_str();
        let is_mark = |beside: Option<Node>| beside.is_some_and(|beside| *view.tree.node_text(beside) == *mark);
        table.parent(name).is_some_and(is_in)
            && !is_mark(table.previous_sibling(name))
            && !is_mark(table.next_sibling(name))
    }

    /// Whether a name is that of a variable, and of a part of a value that has its name without saying so: `(size, count)`.
    pub fn names_part_too(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let parent = table.parent(name);
        parent.is_some_and(|parent| {
            table.fits_any(parent, &view.rules.members.parts_named_by_values)
                && view.tree.named_children(parent).nth(1).is_none()
        })
    }

    /// Whether a name is that of a member of an object.
    pub fn is_after_object(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| view.scopes.fits(name, &view.scopes.rules.attributes).is_some())
    }
}
