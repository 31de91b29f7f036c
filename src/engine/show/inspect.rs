//! What a front end with a page needs beside the requests: the files of a folder, a file's text with its highlighting, and the
//! node at a place with selectors that find it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::core::Engine;
use crate::language::{ByName, taxonomy};
use crate::reader::rows::cut;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::FilesReport;
use crate::request::requests::{Reading, Target};
use crate::selector::{Kinds, attributes, propose};
use crate::text::{Position, Span, Text};
use crate::tree::{Node, SyntaxError, Tree};

/// How many children of a node are listed.
const CHILDREN: usize = 300;
/// How many characters of a node's text are shown.
const SHOWN: usize = 80;
/// How many syntax errors of a file are shown.
const ERRORS: usize = 200;
/// How many characters of an attribute's value are shown.
const VALUE: usize = 200;

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ListedFile {
    /// Its path, relative to the working directory.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its language, as its name shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// A file's text, with what it takes to show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownFile {
    /// Its path.
    pub path: String,
    /// Its language.
    pub language: String,
    /// Its text, without a byte order mark.
    pub text: String,
    /// The highlighted spans in order, three numbers each: how many UTF-16 units after the end of the one before it begins, how many
    /// it has, and its class as an index of [`CLASSES`].
    pub spans: Vec<u32>,
    /// The names of the classes.
    pub classes: &'static [&'static str],
    /// Where its syntax errors are, the first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ShownError>,
}

/// A syntax error of a file that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownError {
    /// First line, from 1.
    pub start_line: usize,
    /// First column, from 1.
    pub start_col: usize,
    /// Last line, from 1.
    pub end_line: usize,
    /// The column after the last character, from 1.
    pub end_col: usize,
    /// In words: ``missing `:` ``.
    pub what: String,
}

/// A place in a file, or one of its nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub col: usize,
    /// The node, by its place in document order; it goes before line and column.
    pub node: Option<usize>,
}

/// A node with what is around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Inspected {
    /// The node.
    pub node: usize,
    /// The nodes around it, outermost first, then itself, and its children. Each with its level.
    pub nodes: Vec<InspectedNode>,
    /// Its kinds, the general ones too.
    pub kinds: Vec<&'static str>,
    /// Its attributes.
    pub attributes: Vec<(&'static str, Vec<String>)>,
    /// Selectors that find it, those with the most matches in the file first.
    pub proposals: Vec<ProposedSelector>,
}

/// A node of the tree around a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct InspectedNode {
    /// Its place in document order.
    pub node: usize,
    /// How deep it is below the first node listed.
    pub level: usize,
    /// Its type in the grammar.
    #[serde(rename = "type")]
    pub type_name: &'static str,
    /// Its most specific kind.
    pub kind: &'static str,
    /// Its field in its parent; empty if none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub field: &'static str,
    /// The start of its text.
    pub text: String,
    /// First line, from 1.
    pub start_line: usize,
    /// First column, from 1.
    pub start_col: usize,
    /// Last line, from 1.
    pub end_line: usize,
    /// The column after the last character, from 1.
    pub end_col: usize,
}

/// A selector that was run on the file and finds the node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProposedSelector {
    /// The selector.
    pub selector: String,
    /// How many nodes of the file it finds.
    pub matches: usize,
}

/// The classes of highlighted code.
pub const CLASSES: &[&str] = &["comment", "string", "number", "keyword", "function", "type", "call", "attribute"];

/// An index of [`CLASSES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Comment,
    Text,
    Number,
    Keyword,
    Function,
    Type,
    Call,
    Decorator,
}

impl Engine {
    /// The files of the working directory, without those that `.gitignore` excludes; sorted by path.
    ///
    /// # Errors
    /// When the folder can't be walked.
    pub fn list_files(&self) -> Result<Vec<ListedFile>, EngineError> {
        let engine = self.begin();
        let folder = engine.host.working_directory.clone();
        let files = engine.walk_folder(&folder, &Reading::default(), &[], &mut FilesReport::default())?;
        let detector = engine.detector();
        let listed = |path: &std::path::PathBuf| {
            let language = match detector.detect_by_name(&engine.detected_as(path)) {
                Ok(ByName::Certain(language) | ByName::Ambiguous(language)) => Some(language.name().to_owned()),
                _ => None,
            };
            let bytes = engine.files().facts(path).map_or(0, |facts| facts.bytes);
            ListedFile { path: engine.shown(path), bytes, language }
        };
        let mut files: Vec<ListedFile> = files.iter().map(listed).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// A file's text with its highlighting. In an unrecognised language it is plain.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn show_file(&self, path: &str) -> Result<ShownFile, EngineError> {
        let engine = self.begin();
        let shown = |language: &str, text: &Text, spans| ShownFile {
            path: path.to_owned(),
            language: language.to_owned(),
            text: text.slice(text.span()).into_owned(),
            spans,
            classes: CLASSES,
            errors: Vec::new(),
        };
        match engine.document(&Target::path(path), &Reading::default()) {
            Ok(document) => {
                let tree = &document.tree;
                let file = shown(tree.language().name(), tree.text(), highlighted(tree));
                Ok(ShownFile { errors: shown_errors(tree), ..file })
            }
            Err(error) if error.code == ErrorCode::UnsupportedLanguage => {
                let path = engine.absolute(Path::new(path));
                let bytes = engine.read_bytes(&path, &Reading::default())?;
                Ok(shown("", &engine.plain_file(&path, bytes, &Reading::default())?, Vec::new()))
            }
            Err(error) => Err(error),
        }
    }

    /// The smallest node at a place, what is around it, and selectors that find it.
    ///
    /// # Errors
    /// When the file can't be read, or has no such place.
    pub fn inspect(&self, place: &Place) -> Result<Inspected, EngineError> {
        let engine = self.begin();
        engine.interruptible(|| {
            let document = engine.document(&Target::path(&place.path), &Reading::default())?;
            let tree = &document.tree;
            let node = node_at(tree, place).ok_or_else(|| {
                let message = format!("`{}` has no such place", place.path);
                EngineError::bad_request(message)
            })?;
            let kinds = Kinds::new(tree);
            let cut_values = |(name, values): (&'static str, Vec<String>)| {
                (name, values.iter().map(|value| cut(value, VALUE).0).collect())
            };
            let proposals = propose(tree, &kinds, node).into_iter();
            Ok(Inspected {
                node: node.index(),
                nodes: listed_around(tree, &kinds, node),
                kinds: kinds.all(node),
                attributes: attributes(&kinds, node).into_iter().map(cut_values).collect(),
                proposals: proposals
                    .map(|one| ProposedSelector { selector: one.selector, matches: one.matches })
                    .collect(),
            })
        })
    }
}

/// The first syntax errors of a tree.
fn shown_errors(tree: &Tree) -> Vec<ShownError> {
    let shown = |error: SyntaxError| {
        let end = tree.text().position(error.span.end());
        ShownError {
            start_line: error.position.line,
            start_col: error.position.col(),
            end_line: end.line,
            end_col: end.col(),
            what: error.what,
        }
    };
    tree.errors().into_iter().take(ERRORS).map(shown).collect()
}

/// The node of a number, or the smallest named one at line and column.
fn node_at(tree: &Tree, place: &Place) -> Option<Node> {
    let table = tree.table();
    if let Some(number) = place.node {
        return table.range(number, number + 1).next().filter(|node| node.index() < table.len());
    }
    let position = Position::counted(place.line, place.col)?;
    let offset = tree.text().offset(position)?;
    let end = (offset + 1).min(tree.text().len());
    let (before, next) = (table.smallest_around(Span::at(offset)), table.smallest_around(Span::new(offset, end)));
    // The node that begins here, or the word that ends here, rather than a sign or what is around both.
    let named =
        [next, before].into_iter().filter(|&node| table.is_named(node)).min_by_key(|&node| tree.span(node).len());
    named.or_else(|| table.ancestors(next).find(|&around| table.is_named(around)))
}

/// The nodes around a node, the node, its siblings and its children, with their levels.
fn listed_around(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> Vec<InspectedNode> {
    let table = tree.table();
    let mut around: Vec<Node> = table.ancestors(node).collect();
    around.reverse();
    let row = |node: Node, level: usize| {
        let (start, end) = (tree.start(node), tree.end(node));
        InspectedNode {
            node: node.index(),
            level,
            type_name: tree.type_name(node),
            kind: kinds.kind(node),
            field: tree.field_name(node),
            text: cut(tree.node_text(node).lines().next().unwrap_or_default(), SHOWN).0,
            start_line: start.line,
            start_col: start.col(),
            end_line: end.line,
            end_col: end.col(),
        }
    };
    let level = around.len();
    let mut rows: Vec<InspectedNode> = around.iter().enumerate().map(|(level, &node)| row(node, level)).collect();
    let siblings: Vec<Node> = match table.parent(node) {
        Some(parent) => tree.named_children(parent).collect(),
        None => vec![node],
    };
    // Of very many siblings, those near the node.
    let at = siblings.iter().position(|&sibling| sibling == node).unwrap_or(0);
    let near = at.saturating_sub(CHILDREN / 2);
    let mut is_listed = false;
    for sibling in siblings.into_iter().skip(near).take(CHILDREN) {
        rows.push(row(sibling, level));
        if sibling == node {
            is_listed = true;
            rows.extend(tree.named_children(node).take(CHILDREN).map(|child| row(child, level + 1)));
        }
    }
    if !is_listed {
        rows.push(row(node, level));
    }
    rows
}

/// The highlighted spans of a text, as [`ShownFile::spans`] has them.
fn highlighted(tree: &Tree) -> Vec<u32> {
    let table = tree.table();
    let kinds = Kinds::new(tree);
    let mut classes: Vec<Option<Class>> = vec![None; table.len()];
    let known = |kind: &str| taxonomy().kinds().iter().any(|known| known.name == kind);
    let has = |node, kind: &str| known(kind) && kinds.is(node, kind);
    for node in table.nodes().filter(|&node| table.is_named(node)) {
        let index = node.index();
        if tree.is_comment(node) {
            classes[index] = Some(Class::Comment);
        } else if has(node, "string") {
            classes[index] = Some(Class::Text);
        } else if has(node, "number") {
            classes[index] = Some(Class::Number);
        } else if has(node, "type") && table.descendants(node).next().is_none() {
            classes[index].get_or_insert(Class::Type);
        }
        let of_name = if has(node, "class") {
            Class::Type
        } else if has(node, "function") {
            Class::Function
        } else if has(node, "call") {
            Class::Call
        } else if has(node, "decorator") {
            Class::Decorator
        } else {
            continue;
        };
        if let Some(name) = tree.name_node(node) {
            classes[name.index()] = Some(of_name);
        }
    }
    let mut spans: Vec<(usize, usize, Class)> = Vec::new();
    let mut end = 0;
    for node in table.nodes() {
        let span = tree.span(node);
        if span.start() < end || span.is_empty() {
            continue;
        }
        let is_word = || {
            let text = tree.node_text(node);
            !table.is_named(node) && text.chars().all(|char| char.is_alphabetic() || char == '_')
        };
        let class = match classes[node.index()] {
            Some(class) => class,
            None if table.descendants(node).next().is_none() && is_word() => Class::Keyword,
            None => continue,
        };
        spans.push((span.start(), span.end(), class));
        end = span.end();
    }
    in_utf16(tree.text(), &spans)
}

/// Spans in bytes as differences in UTF-16 units.
fn in_utf16(text: &Text, spans: &[(usize, usize, Class)]) -> Vec<u32> {
    let source = text.slice(text.span());
    let units = |start: usize, end: usize| {
        let count: usize = source[start..end].chars().map(char::len_utf16).sum();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let mut numbers = Vec::with_capacity(spans.len() * 3);
    let mut last = 0;
    for &(start, end, class) in spans {
        numbers.extend([units(last, start), units(start, end), class as u32]);
        last = end;
    }
    numbers
}
