//! Trees: a revision of a file's text with its syntax.
//!
//! A [`Tree`] is a value: text, parse, and a flat [`Table`] of its nodes in document order. A [`Node`] is an index into
//! that table and is valid only in that revision. A [`NodeId`] names a node in all revisions and never names another.
//! An edit makes the next revision ([`Tree::edit`]) and says what became of every node ([`NodeMap`]).
//!
//! This module knows nothing about selectors, files and sessions.

mod attachments;
mod captured;
mod comment_runs;
mod errors;
mod excerpt;
mod facts;
mod guard;
mod ids;
mod indentation;
mod limits;
mod line_ends;
mod masked;
mod names;
mod node;
mod node_map;
mod own_parse;
mod parse;
mod part;
mod paths;
mod patterns;
mod rescue;
mod revision;
mod run_documentation;
mod same_length;
mod set;
mod statements;
mod table;
mod token_arguments;
mod trailing_comments;
mod unread;

pub use attachments::Attachments;
pub use captured::Captured;
pub use errors::{SyntaxError, SyntaxErrorKind};
pub use excerpt::Excerpt;
pub use ids::{IdRuns, NodeId};
pub use limits::{ParseError, ParseLimits};
pub(crate) use names::NamedNodes;
pub use node::Node;
pub use node_map::{Claim, EditIntent, Moved, NodeMap, Violation};
pub(crate) use own_parse::OwnParse;
pub use parse::Parsed;
#[doc(hidden)]
pub use parse::parsed_bytes;
pub use part::Part;
pub use revision::Edited;
pub use run_documentation::run_documentation_in;
pub use set::NodeSet;
pub use table::{Children, Column, Columns, Owner, Table};

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::language::{ERROR_TYPE, FieldId, Language, TypeSet};
use crate::text::{Position, Span, Text};
use ids::Ids;
use parse::{Fresh, too_slow};

/// One revision of a file: its text, its syntax, and the ids of its nodes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Tree {
    language: &'static Language,
    text: Text,
    table: Arc<Table>,
    parsed: Option<Parsed>,
    /// The parts of the text that were read as something else because the grammar takes them for errors.
    unread: Arc<[Span]>,
    ids: Ids,
    attachments: Arc<OnceLock<Attachments>>,
    names: Arc<OnceLock<NamedNodes>>,
    path: Option<Arc<str>>,
    /// Whether lists of tokens are read as lists of expressions.
    reads_arguments: bool,
    /// The part of the text that it is the tree of.
    part: Option<Arc<Part>>,
}

/// The table of a parse, with the ends of nodes corrected.
fn table_of(fresh: &Fresh, language: &Language, text: &Text, limits: &ParseLimits) -> Result<Table, ParseError> {
    let table = Table::new(fresh.parsed.tree(), text.len(), fresh.deadline).ok_or_else(|| too_slow(limits))?;
    let table = table.with_runs(&fresh.runs);
    let table = indentation::cut_at_indentation(line_ends::cut_at_line_ends(table, text), language, text);
    Ok(trailing_comments::release_comments(table, language, text))
}

/// Parts of a text to parse alone.
#[derive(Debug)]
pub struct Pieces<'a> {
    /// The parts that are joined, in order.
    pub spans: &'a [Span],
    /// The items in them, in order.
    pub items: &'a [Span],
    /// The types of the nodes that may go on from one part to another.
    pub around: &'a TypeSet,
    /// The types of the bodies in which a syntax error may be, if their function lies in one item.
    pub bodies: &'a TypeSet,
    /// The types of these functions.
    pub functions: &'a TypeSet,
}

impl Pieces<'_> {
    /// Whether all errors are in the body of a function that lies in one item and in no error.
    fn contain_errors(&self, table: &Table) -> bool {
        let is_error = |node: Node| table.is_missing(node) || table.type_id(node) == ERROR_TYPE;
        let function_of = |node: Node| {
            let mut body = node;
            let mut function = None;
            for outer in table.ancestors(node) {
                if self.bodies.contains(table.type_id(body)) && self.functions.contains(table.type_id(outer)) {
                    function = Some(outer);
                } else if table.type_id(outer) == ERROR_TYPE {
                    function = None;
                }
                body = outer;
            }
            function
        };
        let is_contained = |node: Node| {
            function_of(node).is_some_and(|function| {
                let span = table.span(function);
                let after = self.items.partition_point(|item| item.start() <= span.start());
                after.checked_sub(1).is_some_and(|place| span.end() <= self.items[place].end())
            })
        };
        table.nodes().filter(|&node| is_error(node)).all(is_contained)
    }
}

impl Tree {
    /// Parses a text. Syntax errors are not an error: see [`Tree::errors`].
    ///
    /// # Errors
    /// If the text is too large, too deep for the grammar's scanner, or takes longer than `limits` allow.
    pub fn parse(text: Text, language: &'static Language, limits: &ParseLimits) -> Result<Tree, ParseError> {
        let fresh = parse::parse(&text, language, None, limits)?;
        let table = Arc::new(table_of(&fresh, language, &text, limits)?);
        let parsed = fresh.parsed;
        let ids = Ids::fresh(table.len());
        Ok(Tree {
            language,
            text,
            table,
            unread: parsed.unread(),
            parsed: Some(parsed),
            ids,
            attachments: Arc::default(),
            names: Arc::default(),
            path: None,
            reads_arguments: false,
            part: None,
        })
    }

    /// Parses only some pieces of a text, joined. The nodes have their places in the whole text. `None` if there is a
    /// syntax error outside the bodies where one may be, or a piece is inside a node of a type that is not in
    /// `pieces.around`: then only a parse of the whole text can tell what it means. The tree can be queried but not
    /// edited, and its ids are not those of the whole file.
    ///
    /// # Errors
    /// As [`Tree::parse`], also for the size of the whole text.
    pub fn parse_pieces(
        text: Text,
        language: &'static Language,
        pieces: &Pieces<'_>,
        limits: &ParseLimits,
    ) -> Result<Option<Tree>, ParseError> {
        parse::check(&text, language, limits)?;
        let source: String = pieces.spans.iter().map(|&piece| text.slice(piece)).collect();
        let source = Text::new(&source);
        let fresh = parse::parse(&source, language, None, limits)?;
        let has_errors = fresh.parsed.tree().root_node().has_error();
        // The parser recovers by what is around an error, so a piece alone does not show how.
        if has_errors && pieces.bodies.is_empty() {
            return Ok(None);
        }
        let table = table_of(&fresh, language, &source, limits)?;
        if Some(table.type_id(Node::ROOT)) != language.root_type() {
            return Ok(None);
        }
        let mut join = 0;
        for pair in pieces.spans.windows(2) {
            join += pair[0].len();
            if pair[0].end() < pair[1].start() && !table.all_around(join, pieces.around) {
                return Ok(None);
            }
        }
        let table = table.relocate_pieces(pieces.spans, Span::new(0, text.len()));
        if has_errors && !pieces.contain_errors(&table) {
            return Ok(None);
        }
        Ok(Some(Tree::from_table(text, language, table)))
    }

    /// A tree from a stored text and table. Editing it parses the whole text.
    pub fn from_table(text: Text, language: &'static Language, table: Table) -> Tree {
        let ids = Ids::fresh(table.len());
        let table = Arc::new(table);
        Tree {
            language,
            text,
            table,
            parsed: None,
            unread: Arc::default(),
            ids,
            attachments: Arc::default(),
            names: Arc::default(),
            path: None,
            reads_arguments: false,
            part: None,
        }
    }

    /// The language of the text.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The same tree, with the path of its file, which selectors can test.
    #[must_use]
    pub fn with_path(mut self, path: &str) -> Tree {
        self.path = Some(path.into());
        self
    }

    /// The path of its file, if it has one.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The text of this revision.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The flat table of its nodes.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The attachments that differ from the grammar's own tree: decorators to their definitions.
    pub fn attachments(&self) -> &Attachments {
        self.attachments.get_or_init(|| Attachments::new(&self.table, self.language))
    }

    /// The root.
    pub fn root(&self) -> Node {
        Node::ROOT
    }

    /// The text of a node.
    pub fn node_text(&self, node: Node) -> Cow<'_, str> {
        self.text.slice(self.table.span(node))
    }

    /// The bytes of a node.
    pub fn span(&self, node: Node) -> Span {
        self.table.span(node)
    }

    /// Where a node begins.
    pub fn start(&self, node: Node) -> Position {
        self.text.position(self.span(node).start())
    }

    /// Where a node ends: the place after its last character.
    pub fn end(&self, node: Node) -> Position {
        self.text.position(self.span(node).end())
    }

    /// The first and the last line of a node. A trailing line ending does not count as a line.
    pub fn lines(&self, node: Node) -> (usize, usize) {
        let span = self.span(node);
        let first = self.text.line_at(span.start());
        let last = self.text.line_at(span.end());
        let ends_a_line = last > first && self.text.line_span(last).start() == span.end();
        (first, if ends_a_line { last - 1 } else { last })
    }

    /// The name of a node's type: `function_definition`.
    pub fn type_name(&self, node: Node) -> &'static str {
        self.language.type_name(self.table.type_id(node))
    }

    /// The name of the field of a node in its parent; empty if there is none.
    pub fn field_name(&self, node: Node) -> &'static str {
        self.language.field_name(self.table.field(node))
    }

    /// The first child of `node` in `field`.
    pub fn child_in_field(&self, node: Node, field: FieldId) -> Option<Node> {
        self.table.children(node).find(|&child| self.table.field(child) == field && !self.is_comment(child))
    }

    /// The first child of `node` in the field with that name.
    pub fn child_by_field(&self, node: Node, field: &str) -> Option<Node> {
        self.child_in_field(node, self.language.field_id(field)?)
    }

    /// Whether a node is a comment.
    pub fn is_comment(&self, node: Node) -> bool {
        self.language.role(self.table.type_id(node)).comment
    }

    /// The named children except comments.
    pub fn named_children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.table.children(node).filter(|&child| self.table.is_named(child) && !self.is_comment(child))
    }

    /// The node inside a wrapper: the target of the data's path, or the only named child. `None` for a node that is not
    /// a wrapper or contains several nodes.
    pub fn inner(&self, wrapper: Node) -> Option<Node> {
        let type_id = self.table.type_id(wrapper);
        if !self.language.role(type_id).wrapper {
            return None;
        }
        if self.language.spec().held.of(type_id).is_some() {
            // Looked up once: a wrapper may have any number of other children.
            return self.attachments().held(wrapper);
        }
        let mut children = self.named_children(wrapper);
        let only = children.next()?;
        children.next().is_none().then_some(only)
    }

    /// The outermost wrapper that contains the node and no other node of the same rank; the node itself if there is
    /// none.
    pub fn outermost_wrapper(&self, node: Node) -> Node {
        self.attachments().units(self)[node.index()]
    }

    /// The id of a node.
    pub fn id(&self, node: Node) -> NodeId {
        self.ids.id(node)
    }

    /// The node with an id in this revision.
    pub fn node(&self, id: NodeId) -> Option<Node> {
        self.ids.node(id)
    }

    /// Whether the tree ever assigned the id; the node may be gone.
    pub fn was_issued(&self, id: NodeId) -> bool {
        self.ids.was_issued(id)
    }

    /// The ids of all nodes in document order, packed, and the next free one.
    pub fn id_runs(&self) -> IdRuns {
        self.ids.runs()
    }

    /// The same tree with stored ids. Works only if they were made for the same table: see [`Table::shape`].
    #[must_use]
    pub fn with_ids(mut self, runs: &IdRuns) -> Option<Tree> {
        self.ids = Ids::from_runs(runs, self.table.len())?;
        Some(self)
    }

    /// The same tree with ids as if it had just been loaded: ids of an earlier revision mean other nodes in it.
    #[must_use]
    pub fn renumber(mut self) -> Tree {
        self.ids = Ids::fresh(self.table.len());
        self
    }

    /// The same tree without the parse, in a sixth of the memory. Editing it parses the whole text.
    #[must_use]
    pub fn without_parse(mut self) -> Tree {
        self.parsed = None;
        self
    }

    /// The memory of table, text and ids in bytes, without the parse.
    pub fn memory(&self) -> usize {
        self.table.memory() + self.text.len() + self.ids.memory()
    }
}
