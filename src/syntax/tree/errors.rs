//! Syntax errors: the ERROR and MISSING nodes of a tree, and errors that no node shows.

use super::{Node, Tree};
use crate::naming::named_enum;
use crate::text::{Position, Span};

named_enum! {
    /// The kind of a syntax error.
    pub enum SyntaxErrorKind {
        /// Text that does not belong there.
        Error = "error",
        /// Something that should be there and is not.
        Missing = "missing",
    }
}

/// A syntax error of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The ERROR or MISSING node. If no node shows the error, the smallest node that the parser marks.
    pub node: Node,
    /// The problem.
    pub kind: SyntaxErrorKind,
    /// The message: ``unexpected `return (1` ``, ``missing `:` ``.
    pub what: String,
    /// The bytes.
    pub span: Span,
    /// Where it starts.
    pub position: Position,
    /// The qualified name of the enclosing definition; empty at top level.
    pub within: String,
}

impl Tree {
    /// Whether the tree has no syntax error.
    pub fn is_sound(&self) -> bool {
        !self.table().has_error(Node::ROOT)
    }

    /// The syntax errors in document order. An ERROR inside another is not listed.
    pub fn errors(&self) -> Vec<SyntaxError> {
        if self.is_sound() {
            return Vec::new();
        }
        let table = self.table();
        let mut errors = Vec::new();
        let mut place = 0;
        while place < table.len() {
            let node = Node::at(place);
            if table.is_error(node) || table.is_missing(node) {
                errors.push(self.error_at(node));
                place = table.subtree_end(node);
            } else {
                place = if table.has_error(node) { place + 1 } else { table.subtree_end(node) };
            }
        }
        if errors.is_empty() {
            let mut node = Node::ROOT;
            while let Some(child) = table.children(node).find(|&child| table.has_error(child)) {
                node = child;
            }
            errors.push(self.error_at(node));
        }
        errors
    }

    /// The error of a node, with its message.
    pub fn error_at(&self, node: Node) -> SyntaxError {
        const SHOWN: usize = 20;
        let table = self.table();
        let span = table.span(node);
        let (kind, what) = if table.is_missing(node) {
            (SyntaxErrorKind::Missing, format!("missing `{}`", self.type_name(node)))
        } else {
            let text = self.node_text(node);
            let text = text.split(['\n', '\r']).next().unwrap_or("");
            let shown: String = text.chars().take(SHOWN).collect();
            let what =
                if shown.is_empty() { "unexpected end of line".to_owned() } else { format!("unexpected `{shown}`") };
            (SyntaxErrorKind::Error, what)
        };
        let position = self.text().position(span.start());
        let within = self.scope_qualname(node).unwrap_or_default();
        SyntaxError { node, kind, what, span, position, within }
    }
}
