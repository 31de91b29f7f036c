//! Answers: the same rows as those of the program.

use cst::inspect::ShownError;
use cst::outline;
use cst::selector::{Kinds, Match};
use cst::text::cut;
use cst::tree::{Node, Tree};
use serde::Serialize;

use crate::problem::Problem;

/// How many characters of a line, and of a capture, are shown.
const SHOWN: usize = 400;

/// The open text, with what it takes to show it.
#[derive(Serialize)]
pub struct Shown {
    pub language: &'static str,
    pub spans: Vec<u32>,
    pub classes: &'static [&'static str],
    pub errors: Vec<ShownError>,
}

/// A match.
#[derive(Serialize)]
pub struct Row {
    #[serde(rename = "type")]
    type_name: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    qualname: Option<String>,
    start_line: usize,
    start_col: usize,
    end_line: usize,
    end_col: usize,
    start_byte: usize,
    end_byte: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    captures: Vec<Capture>,
    source_line: String,
}

#[derive(Serialize)]
pub struct Capture {
    name: String,
    text: String,
}

impl Row {
    pub fn of_match(tree: &Tree, kinds: &Kinds<'_>, found: &Match) -> Row {
        let captures = found.captures.iter();
        let captures =
            captures.map(|(name, captured)| Capture { name: name.clone(), text: cut(&captured.text(tree), SHOWN).0 });
        Row { captures: captures.collect(), ..Row::of(tree, kinds, found.node) }
    }

    /// Where it begins and ends.
    pub fn bytes(&self) -> (usize, usize) {
        (self.start_byte, self.end_byte)
    }

    fn of(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> Row {
        let (span, start, end) = (tree.span(node), tree.start(node), tree.end(node));
        let name = tree.name(node);
        Row {
            type_name: tree.type_name(node),
            kind: kinds.kind(node),
            qualname: name.clone().map(|name| tree.qualify(node, name)),
            name,
            start_line: start.line,
            start_col: start.col(),
            end_line: end.line,
            end_col: end.col(),
            start_byte: span.start(),
            end_byte: span.end(),
            captures: Vec::new(),
            source_line: line_of(tree, start.line),
        }
    }
}

/// A line, from 1, without its end.
fn line_of(tree: &Tree, line: usize) -> String {
    cut(tree.text().slice(tree.text().line_span(line)).trim_end_matches(['\n', '\r']), SHOWN).0
}

#[derive(Serialize)]
pub struct Found {
    pub matches: Vec<Row>,
    /// How the selector was read, and how many nodes each of its steps left.
    pub read_as: String,
    pub steps: Vec<Step>,
    /// What nearly matched, if nothing did.
    pub near: Vec<String>,
}

#[derive(Serialize)]
pub struct Step {
    pub step: String,
    pub nodes: usize,
}

#[derive(Serialize)]
pub struct Rewritten {
    pub matches: usize,
    pub applied: usize,
    pub text: String,
    pub diff: String,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct Scanned {
    pub findings: Vec<Finding>,
    /// The rules that cannot be used.
    pub problems: Vec<Problem>,
    /// The text after all fixes, and the difference; empty if there is none.
    pub fixed: String,
    pub diff: String,
    /// How many findings were mended.
    pub applied: usize,
}

#[derive(Serialize)]
pub struct Finding {
    pub rule: String,
    pub severity: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether a comment silences it.
    pub ignored: bool,
    /// What its fix would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(flatten)]
    pub row: Row,
}

#[derive(Serialize)]
pub struct Definition {
    name: String,
    kind: &'static str,
    qualname: String,
    signature: String,
    start_line: usize,
    end_line: usize,
    depth: usize,
}

impl From<outline::Definition> for Definition {
    fn from(definition: outline::Definition) -> Definition {
        let outline::Definition { name, kind, qualname, signature, start_line, end_line, depth, .. } = definition;
        Definition { name, kind, qualname, signature, start_line, end_line, depth }
    }
}
