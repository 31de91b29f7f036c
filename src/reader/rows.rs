//! How a node is shown in results.

use crate::outline::{self, Options, OutlineError};
use crate::request::error::{Candidate, EngineError, ErrorCode};
use crate::request::hint::DATA_HINT;
use crate::request::node_row::{CaptureRow, NodeRow};
use crate::request::responses::{DefinitionRow, MadeNode};
use crate::selector::{Kinds, Match};
use crate::text::{Span, cut};
use crate::tree::{Captured, Node, Tree};

/// What the kind of a node is called that is of no kind.
const NO_KIND: &str = "node";
/// How many characters of a line are shown.
const SHOWN_LINE: usize = 2000;
/// How many characters of a capture are shown.
const SHOWN_CAPTURE: usize = 400;

/// What rows are to say beside the place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shown {
    /// Node ids.
    pub ids: bool,
    /// The code.
    pub code: bool,
    /// The lines on which nodes start.
    pub source_lines: bool,
    /// Anchors.
    pub anchors: bool,
}

/// Makes rows of one tree's nodes.
pub(crate) struct Rows<'a> {
    tree: &'a Tree,
    kinds: Kinds<'a>,
    path: Option<String>,
    shown: Shown,
}

impl<'a> Rows<'a> {
    /// Rows of a tree whose file is shown as `path`.
    pub fn new(tree: &'a Tree, path: Option<String>, shown: Shown) -> Rows<'a> {
        Rows { tree, kinds: Kinds::new(tree), path, shown }
    }

    /// The kinds of the tree's nodes.
    pub fn kinds(&self) -> &Kinds<'a> {
        &self.kinds
    }

    /// A match as a row.
    pub fn of_match(&self, found: &Match) -> NodeRow {
        let mut row = self.of(found.node);
        let capture = |captured: Captured| CaptureRow {
            node_id: captured.node().and_then(|node| self.id(node)),
            node_ids: self.ids(captured),
            text: cut(&captured.text(self.tree), SHOWN_CAPTURE).0,
        };
        row.captures = found.captures.iter().map(|(name, captured)| (name.clone(), capture(*captured))).collect();
        row
    }

    /// A node as a row.
    pub fn of(&self, node: Node) -> NodeRow {
        let tree = self.tree;
        let span = tree.span(node);
        let (start, end) = (tree.text().position(span.start()), tree.text().position(span.end()));
        let name = tree.name(node);
        let mut row = NodeRow {
            node_id: self.id(node),
            path: self.path.clone(),
            type_name: tree.type_name(node).to_owned(),
            kind: self.kinds.kind(node).to_owned(),
            qualname: name.clone().map(|name| tree.qualify(node, name)),
            name,
            start_line: start.line,
            start_col: start.col(),
            end_line: end.line,
            end_col: end.col(),
            start_byte: span.start(),
            end_byte: span.end(),
            ..NodeRow::default()
        };
        if self.shown.anchors {
            row.anchor = Some(anchor(tree, &self.kinds, node));
        }
        if self.shown.source_lines {
            row.source_line = Some(source_line(tree, node));
        }
        if self.shown.code {
            row.code = Some(cut_lines(&tree.node_text(node)));
            row.indent = indent_of(tree, node);
        }
        row
    }

    fn id(&self, node: Node) -> Option<String> {
        self.shown.ids.then(|| self.tree.id(node).to_string())
    }

    /// The ids of siblings, where ids are shown.
    fn ids(&self, captured: Captured) -> Vec<String> {
        match captured {
            Captured::Siblings { .. } => {
                captured.nodes(self.tree).into_iter().filter_map(|node| self.id(node)).collect()
            }
            Captured::Node(_) | Captured::Nothing => Vec::new(),
        }
    }
}

/// The white space that begins the line on which a node starts.
pub(crate) fn indent_of(tree: &Tree, node: Node) -> String {
    let line = tree.text().slice(tree.text().line_around(tree.span(node).start())).into_owned();
    let line = line.trim_start_matches('\x0c');
    line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned()
}

/// The line on which a node starts; of an overlong one `…` and what follows from the node on, cut.
fn source_line(tree: &Tree, node: Node) -> String {
    let (text, start) = (tree.text(), tree.span(node).start());
    let line = text.line_span(text.line_at(start));
    if line.len() <= SHOWN_LINE {
        return text.slice(line).trim_end_matches(['\n', '\r']).to_owned();
    }
    let rest = text.slice(Span::new(start, line.end()));
    format!("…{}", cut(rest.trim_end_matches(['\n', '\r']), SHOWN_CAPTURE).0)
}

/// The text with each overlong line cut: a search that finds many nodes on one line must not repeat it for each.
pub(crate) fn cut_lines(text: &str) -> String {
    if text.split('\n').all(|line| line.len() <= SHOWN_LINE) {
        return text.to_owned();
    }
    text.split('\n').map(|line| cut(line, SHOWN_LINE).0).collect::<Vec<_>>().join("\n")
}

/// A node's anchor: kind, qualname, type and place.
pub(crate) fn anchor(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> String {
    let span = tree.span(node);
    let (start, end) = (tree.text().position(span.start()), tree.text().position(span.end()));
    let qualname = tree.qualname(node).unwrap_or_default();
    format!("{}:{qualname}:{}:{start}-{end}", kinds.kind(node), tree.type_name(node))
}

/// Nodes as candidates of an error.
pub(crate) fn candidates(tree: &Tree, nodes: &[Node]) -> Vec<Candidate> {
    let kinds = Kinds::new(tree);
    let candidate = |&node: &Node| Candidate {
        node_id: tree.id(node).to_string(),
        qualname: tree.qualname(node).or_else(|| tree.scope_qualname(node)),
        kind: kinds.kind(node).to_owned(),
        line: tree.text().line_at(tree.span(node).start()),
    };
    nodes.iter().map(candidate).collect()
}

/// A node that an operation made.
pub(crate) fn made_node(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> MadeNode {
    let span = tree.span(node);
    // A wrapper that is of no kind of its own is what it holds: the definition under decorators, the assignment in a statement.
    let node = std::iter::successors(Some(node), |&node| tree.inner(node).filter(|_| kinds.kind(node) == NO_KIND));
    let node = node.last().expect("the node itself comes first");
    MadeNode {
        node_id: tree.id(node).to_string(),
        kind: kinds.kind(node).to_owned(),
        qualname: tree.qualname(node),
        start_line: tree.text().line_at(span.start()),
        end_line: tree.text().line_at(span.end()),
    }
}

/// The definitions of a tree as rows.
pub(crate) fn definitions(tree: &Tree, options: &Options) -> Result<Vec<DefinitionRow>, EngineError> {
    Ok(definition_rows(&listed(tree, options)?))
}

/// The definitions of a tree.
pub(crate) fn listed(tree: &Tree, options: &Options) -> Result<Vec<outline::Definition>, EngineError> {
    outline::outline(tree, options).map_err(outline_error)
}

/// Why definitions can't be listed, as the engine's error.
pub(crate) fn outline_error(error: OutlineError) -> EngineError {
    let refused = EngineError::new(ErrorCode::from(&error), error.to_string());
    match error {
        OutlineError::Selector(error) => EngineError::from(error),
        OutlineError::UnknownKind { nearest: Some(kind), .. } => refused.hint(format!("did you mean `{kind}`?")),
        OutlineError::UnknownKind { nearest: None, .. } => refused,
        OutlineError::Data { .. } => refused.hint(DATA_HINT),
    }
}

/// Definitions as rows.
pub(crate) fn definition_rows(definitions: &[outline::Definition]) -> Vec<DefinitionRow> {
    let row = |definition: &outline::Definition| DefinitionRow {
        node_id: definition.id.to_string(),
        name: definition.name.clone(),
        kind: definition.kind.to_owned(),
        qualname: definition.qualname.clone(),
        signature: definition.signature.clone(),
        start_line: definition.start_line,
        end_line: definition.end_line,
        depth: definition.depth,
        doc: definition.doc.clone(),
    };
    definitions.iter().map(row).collect()
}
