//! Comments that a grammar puts at the end of an item, and that are about the next one.
//!
//! A grammar may end an item, such as a pair of YAML or a `when` of Ruby, only at the next token, so that comments before the next item
//! are the last nodes of this one. This module moves them up behind it. They keep their index in the table: the nodes around them just
//! end earlier.

use super::{Node, Table};
use crate::language::Language;
use crate::text::{Span, Text};

/// The table, with the comments behind each item that its language's data names.
pub(super) fn release_comments(table: Table, language: &Language, text: &Text) -> Table {
    if language.spec().ends_before_comments.is_empty() {
        return table;
    }
    let mut releasing = Releasing { table, language, text };
    // What an item inside another one has released is at the end of the outer one then.
    for index in (1..releasing.table.len()).rev() {
        let node = Node::at(index);
        if language.role(releasing.table.type_id(node)).ends_before_comments
            && let Some(first) = releasing.first_released(node)
        {
            releasing.table.end_before(node, Node::at(first), releasing.end_before(first));
        }
    }
    releasing.table
}

struct Releasing<'a> {
    table: Table,
    language: &'a Language,
    text: &'a Text,
}

/// A comment at the end of an item.
struct Trailing {
    index: usize,
    line: usize,
    last_line: usize,
    column: usize,
}

impl Releasing<'_> {
    /// The index of the first of the comments at the end of an item that do not belong to it.
    fn first_released(&self, item: Node) -> Option<usize> {
        let own = self.indentation(self.table.span(item).start());
        let comments = self.trailing(item);
        // Those that are indented more than the item belong to its content.
        let from = comments.iter().position(|comment| comment.column <= own)?;
        let first = self.first_apart(item, own, &comments[from..])?;
        // A node around comments alone keeps them.
        (Some(Node::at(first - 1)) != self.table.parent(Node::at(first))).then_some(first)
    }

    /// Of comments that are indented no more than the item at whose end they are, the first that is not about its content.
    fn first_apart(&self, item: Node, own: usize, comments: &[Trailing]) -> Option<usize> {
        let first = comments.first()?.index;
        if !self.has_content_at(item, own, first) {
            return Some(first);
        }
        // The content is where the item begins, and so are comments about either: those directly below it belong to it, unless the
        // next item comes directly below them.
        let mut above = self.text.line_at(self.end_before(first));
        for comment in comments {
            if comment.line > above + 1 {
                return Some(comment.index);
            }
            above = comment.last_line;
        }
        self.has_code_below(above).then_some(first)
    }

    /// The comments at the end of an item, each on lines of its own below the code before it.
    fn trailing(&self, item: Node) -> Vec<Trailing> {
        let mut found = Vec::new();
        for index in (item.index() + 1..self.table.subtree_end(item)).rev() {
            let node = Node::at(index);
            let span = self.table.span(node);
            let is_comment = self.language.role(self.table.type_id(node)).comment && self.is_leaf(node);
            let Some(column) = self.column_if_first(span.start()).filter(|_| is_comment) else { break };
            let line = self.text.line_at(span.start());
            let last_line = self.text.line_at(span.start() + self.text.slice(span).trim_end().len());
            found.push(Trailing { index, line, last_line, column });
        }
        found.reverse();
        found
    }

    fn is_leaf(&self, node: Node) -> bool {
        self.table.subtree_end(node) == node.index() + 1
    }

    /// Whether something in an item begins a line below its first one, at its column or before.
    fn has_content_at(&self, item: Node, column: usize, end: usize) -> bool {
        let first_line = self.text.line_at(self.table.span(item).start());
        let begins_line = |node: Node| {
            let start = self.table.span(node).start();
            self.text.line_at(start) > first_line && self.column_if_first(start).is_some_and(|found| found <= column)
        };
        (item.index() + 1..end).map(Node::at).any(|node| self.is_leaf(node) && begins_line(node))
    }

    /// Where the code before a node ends.
    fn end_before(&self, index: usize) -> usize {
        let leaf = Node::at(index - 1);
        // A node may go on behind its last token: a text of several lines in YAML.
        let is_over = |&node: &Node| self.table.subtree_end(node) == index;
        let last = self.table.ancestors(leaf).take_while(is_over).last().unwrap_or(leaf);
        let span = self.table.span(last);
        if self.text.slice(span).trim().is_empty() {
            let before = self.text.slice(Span::new(0, span.start()));
            return before.trim_end().len();
        }
        span.end()
    }

    /// Whether the line below one has something.
    fn has_code_below(&self, line: usize) -> bool {
        line < self.text.line_count() && !self.text.slice(self.text.line_span(line + 1)).trim().is_empty()
    }

    /// The column of an item that only signs are before, as in `- a: 1`; of another one that of its line.
    fn indentation(&self, at: usize) -> usize {
        let before = self.text.slice(Span::new(self.text.line_around(at).start(), at));
        match before.contains(char::is_alphanumeric) {
            true => before.chars().take_while(|letter| letter.is_whitespace()).count(),
            false => before.chars().count(),
        }
    }

    fn column_if_first(&self, at: usize) -> Option<usize> {
        let before = self.text.slice(Span::new(self.text.line_around(at).start(), at));
        before.trim().is_empty().then(|| before.chars().count())
    }
}
