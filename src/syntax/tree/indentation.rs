//! The ends of nodes that end by indentation.
//!
//! A scanner that reads indentation ends such a node only at the next token. So the node includes the line ends before
//! it, and comments that a person would take as the next definition's. This module removes both from the node. The
//! comments are at the end of the node, so they move up without changing their index in the table: the nodes around
//! them just end earlier.

use super::{Node, Table};
use crate::language::Language;
use crate::text::{Span, Text};

/// The table, with each node that ends by indentation cut at its real end.
pub(super) fn cut_at_indentation(table: Table, language: &Language, text: &Text) -> Table {
    if language.spec().ends_by_indentation.is_empty() {
        return table;
    }
    let count = table.len();
    let mut settling = Settling {
        ends: (0..count).map(|index| table.span(Node::at(index)).end()).collect(),
        subtree_ends: (0..count).map(|index| table.subtree_end(Node::at(index))).collect(),
        parents: (0..count).map(|index| table.parent(Node::at(index))).collect(),
        table: &table,
        language,
        text,
    };
    // Nodes are settled after the nodes inside them.
    for node in table.nodes().skip(1).rev() {
        settling.cut_at_indentation(node);
    }
    let Settling { ends, subtree_ends, parents, .. } = settling;
    table.with_ends(&ends, &subtree_ends, &parents)
}

struct Settling<'a> {
    table: &'a Table,
    language: &'a Language,
    text: &'a Text,
    ends: Vec<usize>,
    subtree_ends: Vec<usize>,
    parents: Vec<Option<Node>>,
}

impl Settling<'_> {
    fn cut_at_indentation(&mut self, node: Node) {
        if self.table.subtree_end(node) == node.index() + 1 {
            return;
        }
        let is_told = self.language.role(self.table.type_id(node)).ends_by_indentation;
        let children = self.children(node);
        // Comments that a child released come after it. They move further up from a node if they are indented less than
        // its content.
        let given = children.iter().rev().take_while(|&&child| self.table.parent(child) != Some(node)).count();
        let kept = if is_told {
            self.kept(&children)
        } else if given > 0 {
            children.len() - given
        } else {
            let last = children.last().copied();
            // If a child was cut that ended the node, the node ends there, too.
            if let Some(last) = last.filter(|&last| self.table.span(last).end() == self.ends[node.index()]) {
                self.ends[node.index()] = self.ends[last.index()];
            }
            return;
        };
        if let (Some(first), Some(parent)) = (children.get(kept), self.parents[node.index()]) {
            self.subtree_ends[node.index()] = first.index();
            self.ends[node.index()] = self.table.span(*first).start();
            children[kept..].iter().for_each(|comment| self.parents[comment.index()] = Some(parent));
        }
        let start = self.table.span(node).start();
        let own = self.text.slice(Span::new(start, self.ends[node.index()].max(start)));
        let inside = kept.checked_sub(1).map_or(start, |last| self.ends[children[last].index()]);
        self.ends[node.index()] = (start + own.trim_end().len()).max(inside);
    }

    /// How many children really belong to a node that ends by indentation.
    fn kept(&self, children: &[Node]) -> usize {
        let mut rows = children.iter().filter(|&&child| self.table.is_named(child));
        let Some(indent) = rows.find_map(|&child| self.indentation(child)) else { return children.len() };
        let is_comment = |child: Node| self.language.role(self.table.type_id(child)).comment;
        let code = children.iter().rposition(|&child| !is_comment(child)).map_or(0, |last| last + 1);
        let is_foreign = |&child: &Node| self.indentation(child).is_some_and(|column| column < indent);
        let foreign = children[code..].iter().position(is_foreign).filter(|_| code > 0);
        foreign.map_or(children.len(), |place| code + place)
    }

    /// The column of a node, if it is the first on its line.
    fn indentation(&self, node: Node) -> Option<usize> {
        let start = self.table.span(node).start();
        let line = self.text.line_around(start);
        let before = self.text.slice(Span::new(line.start(), start));
        before.chars().all(char::is_whitespace).then(|| before.chars().count())
    }

    /// The current children.
    fn children(&self, node: Node) -> Vec<Node> {
        let end = self.subtree_ends[node.index()];
        let mut children = Vec::new();
        let mut place = node.index() + 1;
        while place < end {
            children.push(Node::at(place));
            place = self.subtree_ends[place];
        }
        children
    }
}
