//! Batches: operations as they came in JSON, made operations on nodes.

use serde_json::Value;

use super::core::Engine;
use super::document::Document;
use super::error::{EngineError, ErrorCode};
use super::names::Names;
use super::operation::{Extent, Operation, Position, References};
use super::reference::{Choice, Reference};
use super::request::ModifyRequest;
use super::response::NamedSelector;
use super::rows::candidates;
use crate::edit::{self, Imported, Op, TemplateError};
use crate::selector::Match;
use crate::text::Span;
use crate::tree::Node;

/// A batch whose targets are nodes.
pub(super) struct Batch {
    /// What is applied: one for each node that an operation's target stands for.
    pub ops: Vec<Op>,
    /// For each of these the operation it is of.
    pub origins: Vec<usize>,
    /// The operations' names.
    pub names: Vec<String>,
    /// The operations' targets, as given.
    pub targets: Vec<Option<String>>,
    /// The project's named selectors that the targets used.
    pub selectors: Vec<NamedSelector>,
    /// Where the targets stand, in order, and whose they are.
    places: Vec<(Span, usize)>,
}

impl Batch {
    /// The operation that an old place falls to: the one whose target holds it, or stands before it.
    pub fn operation_at(&self, span: Span) -> usize {
        let after = self.places.partition_point(|(place, _)| place.start() <= span.start());
        self.places.get(after.saturating_sub(1)).map_or(0, |&(_, operation)| operation)
    }
}

/// Reads the operations of a request and looks their targets up.
pub(super) fn batch(engine: &Engine, document: &Document, request: &ModifyRequest) -> Result<Batch, EngineError> {
    if request.operations.is_empty() {
        return Err(EngineError::new(ErrorCode::BadRequest, "there are no operations"));
    }
    let lookup = Lookup { engine, document, names: engine.names(&request.define)?, all: request.all };
    let mut batch = Batch {
        ops: Vec::new(),
        origins: Vec::new(),
        names: Vec::new(),
        targets: Vec::new(),
        selectors: Vec::new(),
        places: Vec::new(),
    };
    for (number, value) in request.operations.iter().enumerate() {
        let added = read(value).and_then(|operation| {
            batch.names.push(operation.name().to_owned());
            batch.targets.push(operation.target().map(str::to_owned));
            lookup.ops(operation)
        });
        for (place, op) in added.map_err(|error| error.operation(number))? {
            batch.places.extend(place.map(|node| (document.tree.span(node), number)));
            batch.ops.push(op);
            batch.origins.push(number);
        }
    }
    batch.selectors = lookup.names.used();
    batch.places.sort_by_key(|(span, _)| (span.start(), std::cmp::Reverse(span.end())));
    Ok(batch)
}

/// Reads an operation; what is wrong with it is said in words.
fn read(value: &Value) -> Result<Operation, EngineError> {
    const OPERATIONS: [&str; 10] =
        ["replace", "replace_range", "insert", "delete", "move", "wrap", "unwrap", "rename", "sub", "ensure_import"];
    let bad = |message: String| EngineError::new(ErrorCode::BadRequest, message);
    let Some(object) = value.as_object() else { return Err(bad("an operation is an object with `op`".to_owned())) };
    let Some(name) = object.get("op").and_then(Value::as_str) else {
        return Err(bad("the operation has no `op`".to_owned()).hint(format!("one of `{}`", OPERATIONS.join("`, `"))));
    };
    if !OPERATIONS.contains(&name) {
        let nearest = OPERATIONS
            .iter()
            .max_by(|first, second| strsim::jaro_winkler(first, name).total_cmp(&strsim::jaro_winkler(second, name)));
        let hint = match nearest.filter(|nearest| strsim::jaro_winkler(nearest, name) > 0.8) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("one of `{}`", OPERATIONS.join("`, `")),
        };
        return Err(bad(format!("unknown operation `{name}`")).hint(hint));
    }
    serde_json::from_value(value.clone()).map_err(|error| bad(format!("`{name}`: {error}")))
}

/// What targets are looked up in.
struct Lookup<'a> {
    engine: &'a Engine,
    document: &'a Document,
    names: Names,
    all: bool,
}

/// An operation on a node, and the node.
type Placed = (Option<Node>, Op);

impl Lookup<'_> {
    fn matches(&self, word: &str, all: bool, index: Option<usize>) -> Result<Vec<Match>, EngineError> {
        let choice = match index {
            Some(index) => Choice::Index(index),
            None if all || self.all => Choice::All,
            None => Choice::Only,
        };
        self.engine.named_nodes(self.document, word, choice, &self.names)
    }

    fn one(&self, word: &str) -> Result<Node, EngineError> {
        let found = self.engine.named_nodes(self.document, word, Choice::Only, &self.names)?;
        Ok(found[0].node)
    }

    /// One operation for each node that the target stands for.
    fn each(
        &self,
        target: &str,
        all: bool,
        index: Option<usize>,
        op: impl Fn(Node) -> Op,
    ) -> Result<Vec<Placed>, EngineError> {
        let found = self.matches(target, all, index)?.into_iter();
        Ok(found.map(|found| (Some(found.node), op(found.node))).collect())
    }

    /// The same with code that may use what the target captures. In code that is put around a node `$0` is its place.
    fn filled(
        &self,
        target: &str,
        (all, index): (bool, Option<usize>),
        (code, around): (&str, bool),
        op: impl Fn(Node, String) -> Op,
    ) -> Result<Vec<Placed>, EngineError> {
        let tree = &self.document.tree;
        let is_template = matches!(Reference::read(target), Reference::Selector(_));
        let placed = |found: Match| {
            let code = if is_template {
                let whole = (!around).then_some(found.node);
                edit::fill(code, tree, &found.captures, whole).map_err(|error| unfilled(&error, &found))?
            } else {
                code.to_owned()
            };
            Ok((Some(found.node), op(found.node, code)))
        };
        self.matches(target, all, index)?.into_iter().map(placed).collect()
    }

    /// Of an import of several names that a selector found by one of them, that one: `import#os` in `import os, sys`.
    fn only_named(&self, word: &str, (found, op): Placed) -> Result<Placed, EngineError> {
        let tree = &self.document.tree;
        let name = match Reference::read(word) {
            Reference::Selector(selector) => name_asked_for(&selector).map(str::to_owned),
            _ => None,
        };
        let (Some(node), Some(name), Op::Delete { extent, .. }) = (found, name, &op) else { return Ok((found, op)) };
        match edit::imported(tree, node, &name) {
            Imported::Whole => Ok((found, op)),
            Imported::Element(target) => Ok((Some(target), Op::Delete { target, extent: *extent })),
            Imported::Unclear => {
                let message = format!("`{word}` imports more than `{name}`");
                let mut error = EngineError::new(ErrorCode::Ambiguous, message)
                    .hint("name the whole import by its id, or the imported name in it");
                error.details.candidates = candidates(tree, &[node]);
                Err(error)
            }
        }
    }

    fn ops(&self, operation: Operation) -> Result<Vec<Placed>, EngineError> {
        match operation {
            Operation::Replace { target, code, code_lines, extent, all, match_index } => {
                let (code, extent) = (code_of(code, code_lines)?, extent_of(extent));
                let op = |target, code| Op::Replace { target, code, extent };
                self.filled(&target, (all, match_index), (&code, false), op)
            }
            Operation::ReplaceRange { from, to, code, code_lines, extent } => {
                let (from, to, code) = (self.one(&from)?, self.one(&to)?, code_of(code, code_lines)?);
                Ok(vec![(Some(from), Op::ReplaceRange { from, to, code, extent: extent_of(extent) })])
            }
            Operation::Insert { target, position, code, code_lines, all, match_index, extent } => {
                let (code, position, extent) = (code_of(code, code_lines)?, position_of(position), extent_of(extent));
                let op = |target, code| Op::Insert { target, position, code, extent };
                self.filled(&target, (all, match_index), (&code, false), op)
            }
            Operation::Delete { target, extent, all, match_index } => {
                let extent = extent_of(extent);
                let placed = self.each(&target, all, match_index, |target| Op::Delete { target, extent })?;
                placed.into_iter().map(|placed| self.only_named(&target, placed)).collect()
            }
            Operation::Move { target, position, to, match_index, extent } => {
                let (to, position, extent) = (self.one(&to)?, position_of(position), extent_of(extent));
                self.each(&target, false, match_index, |target| Op::Move { target, position, to, extent })
            }
            Operation::Wrap { target, code, code_lines, extent, all, match_index } => {
                let (code, extent) = (code_of(code, code_lines)?, extent_of(extent));
                let op = |target, code| Op::Wrap { target, code, extent };
                self.filled(&target, (all, match_index), (&code, true), op)
            }
            Operation::Unwrap { target, all, match_index } => {
                self.each(&target, all, match_index, |target| Op::Unwrap { target })
            }
            Operation::Rename { target, to, references, all, match_index } => {
                let references = references == Some(References::File);
                let op = |target, to| Op::Rename { target, to, references };
                self.filled(&target, (all, match_index), (&to, false), op)
            }
            Operation::Sub { target, find, replace, regex, all, match_index } => {
                let op = |target| Op::Sub { target, find: find.clone(), replace: replace.clone(), regex };
                self.each(&target, all, match_index, op)
            }
            Operation::EnsureImport { code, code_lines } => {
                Ok(vec![(None, Op::EnsureImport { code: code_of(code, code_lines)? })])
            }
        }
    }
}

/// The name that the last step of a selector asks for: `os` of `import#os`.
fn name_asked_for(selector: &str) -> Option<&str> {
    let (_, name) = selector.trim_end().rsplit_once('#')?;
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.' | '/' | '-');
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// Why a template can't be filled, as the engine's error.
fn unfilled(error: &TemplateError, found: &Match) -> EngineError {
    let hint = match error {
        TemplateError::UnknownCapture { .. } => {
            let names: Vec<String> = found.captures.iter().map(|(name, _)| format!("`{name}`")).collect();
            format!("write `@name` behind a step of the target; known: {}", names.join(", "))
        }
        TemplateError::UnknownFilter { .. } => format!("one of `{}`", edit::FILTERS.join("`, `")),
        TemplateError::BadRegex { .. } => "`s/re/to/` takes a regular expression".to_owned(),
    };
    EngineError::new(ErrorCode::from(error), error.to_string()).hint(hint)
}

/// The code, given as a string or as lines.
fn code_of(code: Option<String>, lines: Option<Vec<String>>) -> Result<String, EngineError> {
    let bad = |message: &str| Err(EngineError::new(ErrorCode::BadRequest, message));
    match (code, lines) {
        (Some(code), None) => Ok(code),
        (None, Some(lines)) => Ok(lines.join("\n")),
        (Some(_), Some(_)) => bad("`code` and `code_lines` exclude each other"),
        (None, None) => bad("`code` is missing"),
    }
}

fn position_of(position: Position) -> edit::Position {
    match position {
        Position::Before => edit::Position::Before,
        Position::After => edit::Position::After,
        Position::First => edit::Position::First,
        Position::Last => edit::Position::Last,
    }
}

fn extent_of(extent: Option<Extent>) -> Option<edit::Extent> {
    extent.map(|extent| match extent {
        Extent::Node => edit::Extent::Node,
        Extent::Full => edit::Extent::Full,
    })
}
