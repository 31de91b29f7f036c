//! Strings in calls that are names as they are, or tell a part of one.

use crate::facts::words;
use crate::symbols::{Resolver, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether the first or the second argument of a call is a string as it is; with `by_parts`, also if it is put together of parts that
    /// tell how a name begins or ends.
    pub(super) fn has_plain_name(&self, view: &View<'_>, call: Node, by_parts: bool) -> bool {
        /// The arguments that may be a name: the second one, after the object.
        const NAMES: usize = 2;
        let (tree, table) = (view.tree, view.tree.table());
        let callee = self.called(view, call);
        let list = tree.named_children(call).find(|&child| Some(child) != callee);
        let mut arguments = list.into_iter().flat_map(|list| tree.named_children(list)).take(NAMES);
        let is_string = |node: Node| tree.language().role(table.type_id(node)).string;
        let tells = |node: Node| {
            let is_telling = |word: &str| word.len() > 2 && (word.starts_with('_') || word.ends_with('_'));
            is_string(node) && words(&without_formats(&tree.node_text(node))).any(is_telling)
        };
        let has_code = |node: Node| table.descendants(node).any(|part| tree.named_children(part).next().is_some());
        arguments.any(|argument| {
            let mut inside = table.range(argument.index(), table.subtree_end(argument));
            is_string(argument) && !has_code(argument) || by_parts && inside.any(tells)
        })
    }
}

/// The text of a string with spaces for what is put in by `%`, so that the words before and after it are the ends of a name.
pub(super) fn without_formats(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        plain.push(if letter == '%' { ' ' } else { letter });
        if letter == '%' && letters.next_if(|letter| "sdri".contains(*letter)).is_some() {
            plain.push(' ');
        }
    }
    plain
}
