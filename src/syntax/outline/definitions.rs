//! The definitions of a tree, as the rows of its language list them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::OutlineError;
use super::rows::Rows;
use super::signature::row_signature;
use crate::language::{Language, taxonomy};
use crate::selector::Kinds;
use crate::tree::{Node, NodeId, Tree};

/// Options for outlines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Only definitions of these kinds, or of kinds below them. If empty, those that a language lists by default.
    /// Definitions that it lists on request only, such as fields, must be requested by kind.
    pub kinds: Vec<String>,
    /// The maximum number of levels; 1 is the top level alone.
    pub depth: Option<usize>,
    /// Whether to include the first line of each definition's documentation.
    pub docs: bool,
}

impl Options {
    /// Checks that all kinds are known.
    ///
    /// # Errors
    /// At the first unknown kind.
    pub fn check(&self) -> Result<(), OutlineError> {
        match self.kinds.iter().find(|word| !taxonomy().contains(word)) {
            Some(word) => Err(OutlineError::UnknownKind { word: word.clone(), nearest: nearest_kind(word) }),
            None => Ok(()),
        }
    }
}

/// A definition in an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The node.
    pub node: Node,
    /// Its id.
    pub id: NodeId,
    /// Its name; if one statement binds several, all of them joined by `, `.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its qualified name.
    pub qualname: String,
    /// Everything up to its body, on one line.
    pub signature: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// How many classes and functions enclose it.
    pub depth: usize,
    /// The first line of its documentation, if requested.
    pub doc: Option<String>,
    /// The line of its name.
    pub name_line: usize,
}

/// The definitions of a tree in document order.
///
/// # Errors
/// If a kind in `options` is unknown, or the language's own data is invalid.
pub fn outline(tree: &Tree, options: &Options) -> Result<Vec<Definition>, OutlineError> {
    options.check()?;
    let rows = Rows::of(tree.language())?;
    let kinds = Kinds::new(tree);
    let shown_decorators = rows.decorators(tree)?;
    let mut listed = FxHashSet::default();
    let mut definitions = Vec::new();
    let mut depths = Depths::default();
    for row in rows.iter() {
        for found in kinds.select(&row.query)? {
            let node = found.node;
            let Some(name) = tree.name(node) else { continue };
            // An earlier row has already decided about it, possibly to leave it out.
            if !listed.insert(tree.name_node(node).unwrap_or(node)) {
                continue;
            }
            let kind = row.kind.unwrap_or_else(|| kinds.kind(node));
            let depth = depths.of(tree, node);
            let wanted = match options.kinds.as_slice() {
                [] => !row.on_request,
                words => words.iter().any(|word| taxonomy().is_a(kind, word)),
            };
            if !wanted {
                continue;
            }
            let (start_line, end_line) = lines(tree, node);
            definitions.push(Definition {
                node,
                id: tree.id(node),
                kind,
                qualname: tree.qualify(node, name.clone()),
                name,
                signature: row_signature(tree, node, row, rows, &shown_decorators),
                start_line,
                end_line,
                depth,
                doc: tree.doc(node).filter(|_| options.docs).and_then(|doc| first_line(&doc)),
                name_line: tree.text().line_at(tree.span(tree.name_node(node).unwrap_or(node)).start()),
            });
        }
    }
    definitions.sort_by_key(|definition| definition.node);
    add_levels(tree, &mut definitions);
    definitions.retain(|definition| options.depth.is_none_or(|levels| definition.depth < levels));
    Ok(definitions)
}

/// The definitions of a file with those of the code in other languages inside of it, in order. These are below the definition around
/// them, and left out where that is more than `depth` levels.
pub fn merge(host: Vec<Definition>, inside: Vec<Definition>, depth: Option<usize>) -> Vec<Definition> {
    if inside.is_empty() {
        return host;
    }
    let level = |definition: &Definition| {
        let is_around =
            |outer: &&Definition| outer.start_line <= definition.start_line && definition.end_line <= outer.end_line;
        host.iter().filter(is_around).map(|outer| outer.depth + 1).max().unwrap_or(0)
    };
    let lowered = |definition: Definition| Definition { depth: definition.depth + level(&definition), ..definition };
    let inside: Vec<Definition> = inside.into_iter().map(lowered).collect();
    let mut all = host;
    all.extend(inside);
    all.retain(|definition| depth.is_none_or(|levels| definition.depth < levels));
    all.sort_by_key(|definition| (definition.start_line, definition.depth));
    all
}

/// Checks a language's `outline.toml`.
///
/// # Errors
/// If it is malformed, or contains an unknown word.
pub fn check(language: &'static Language) -> Result<(), OutlineError> {
    Rows::of(language).map(|_| ())
}

/// Increases the depth of definitions inside a value that names its content, if the definition of that value is listed.
fn add_levels(tree: &Tree, definitions: &mut [Definition]) {
    // Values are in the order of the definitions, which is document order: each is inside or after the one before.
    let mut open: Vec<Node> = Vec::new();
    for definition in definitions {
        while open.last().is_some_and(|&value| !tree.table().is_within(definition.node, value)) {
            open.pop();
        }
        definition.depth += open.len();
        open.extend(tree.named_value(definition.node));
    }
}

/// The number of scopes around nodes; each node on the way is visited once.
#[derive(Default)]
struct Depths {
    known: FxHashMap<Node, usize>,
}

impl Depths {
    fn of(&mut self, tree: &Tree, node: Node) -> usize {
        let mut path = Vec::new();
        let mut current = node;
        let mut depth = loop {
            if let Some(&known) = self.known.get(&current) {
                break known;
            }
            let Some(parent) = tree.table().parent(current) else { break 0 };
            path.push(current);
            current = parent;
        };
        for &below in path.iter().rev() {
            let parent = tree.table().parent(below).unwrap_or(Node::ROOT);
            depth += usize::from(tree.is_scope(parent));
            self.known.insert(below, depth);
        }
        depth
    }
}

/// The first and last line of a node, from 1.
fn lines(tree: &Tree, node: Node) -> (usize, usize) {
    let span = tree.span(node);
    let last = if span.is_empty() { span.start() } else { span.end() - 1 };
    (tree.text().line_at(span.start()), tree.text().line_at(last))
}

fn first_line(doc: &str) -> Option<String> {
    doc.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

fn nearest_kind(word: &str) -> Option<&'static str> {
    let names = taxonomy().kinds().iter().map(|kind| kind.name.as_str());
    let likely = names.filter(|name| strsim::jaro(name, word) > 0.7);
    likely.max_by(|a, b| strsim::jaro(a, word).total_cmp(&strsim::jaro(b, word)))
}
