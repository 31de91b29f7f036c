//! A small tree of the statements around a node, to try edits on.
//!
//! Some operations depend on what the language accepts: whether a parameter may lose its default, whether a word is a
//! name. They try it on the top-level statement with its neighbours instead of the whole file. Such an excerpt is used
//! only if it parses to exactly the nodes that the whole file has there.

use super::{Node, ParseLimits, Tree};
use crate::text::{Span, Text};

/// A part of a tree, or the whole tree, to try edits on.
#[derive(Debug)]
pub struct Excerpt {
    /// The tree of the part.
    pub tree: Tree,
    /// The first node of the whole tree that is in the part; the root for the whole tree.
    first: Node,
    /// The start of the part in the whole text.
    start: usize,
}

impl Excerpt {
    /// The smallest part around the bytes of a node.
    pub fn around(tree: &Tree, node: Node, limits: &ParseLimits) -> Excerpt {
        Excerpt::part(tree, node, limits).unwrap_or_else(|| Excerpt { tree: tree.clone(), first: Node::ROOT, start: 0 })
    }

    /// A node of the whole tree, in the part.
    pub fn node(&self, node: Node) -> Node {
        if self.first == Node::ROOT { node } else { Node::at(node.index() - self.first.index() + 1) }
    }

    /// Bytes of the whole text, in the part; `None` if they are not in it.
    pub fn span(&self, span: Span) -> Option<Span> {
        let start = span.start().checked_sub(self.start)?;
        let end = start + span.len();
        (end <= self.tree.text().len()).then(|| Span::new(start, end))
    }

    fn part(tree: &Tree, node: Node, limits: &ParseLimits) -> Option<Excerpt> {
        let table = tree.table();
        let is_top = |node: &Node| table.parent(*node) == Some(Node::ROOT);
        let item = std::iter::once(node).chain(table.ancestors(node)).find(is_top)?;
        let is_named = |node: &Node| table.is_named(*node) && !tree.is_comment(*node);
        let before =
            std::iter::successors(table.previous_sibling(item), |&one| table.previous_sibling(one)).find(is_named);
        let after = std::iter::successors(table.next_sibling(item), |&one| table.next_sibling(one)).find(is_named);
        let first = before.unwrap_or(item);
        let last = after.unwrap_or(item);
        let next = table.next_sibling(last);
        let start = tree.text().line_around(table.span(first).start()).start();
        let end = next.map_or(tree.text().len(), |next| table.span(next).start());
        // In a file of few statements a part saves nothing.
        if end <= start || 2 * (end - start) > tree.text().len() {
            return None;
        }
        let text = Text::new(&tree.text().slice(Span::new(start, end)));
        let part = Tree::parse(text, tree.language(), limits).ok()?;
        let count = next.map_or(table.len(), Node::index) - first.index();
        if part.table().len() != count + 1 {
            return None;
        }
        let own = part.table();
        let is_same = |index: usize| {
            let (old, new) = (Node::at(first.index() + index), Node::at(index + 1));
            let span = table.span(old);
            let parent = table.parent(old).map(|parent| parent.index().saturating_sub(first.index()));
            let own_parent = own.parent(new).map(|parent| parent.index().saturating_sub(1));
            table.type_id(old) == own.type_id(new)
                && table.field(old) == own.field(new)
                && span.start().checked_sub(start) == Some(own.span(new).start())
                && span.len() == own.span(new).len()
                && (parent == own_parent || is_top(&old) && own.parent(new) == Some(Node::ROOT))
                && table.has_error(old) == own.has_error(new)
        };
        (0..count).all(is_same).then_some(Excerpt { tree: part, first, start })
    }
}
