//! Batches: the operations of a request, made operations on nodes.

use crate::edit::{self, Imported, Op, OperationKind, TemplateError};
use crate::engine::core::Engine;
use crate::reader::document::Document;
use crate::reader::names::Names;
use crate::reader::reference::{Choice, Reference};
use crate::reader::rows::candidates;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::operation::Operation;
use crate::request::requests::ModifyRequest;
use crate::request::responses::NamedSelector;
use crate::selector::Match;
use crate::text::Span;
use crate::tree::Node;

/// A batch whose targets are nodes.
pub(crate) struct Batch {
    /// What is applied: one for each node that an operation's target means.
    pub ops: Vec<Op>,
    /// For each of these the operation it is of.
    pub origins: Vec<usize>,
    /// Which operations they are.
    pub kinds: Vec<OperationKind>,
    /// The operations' targets, as given.
    pub targets: Vec<Option<String>>,
    /// The project's named selectors that the targets used.
    pub selectors: Vec<NamedSelector>,
    /// The number of the document that the nodes are of: of the file, or of code in another language in it.
    pub document: usize,
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

/// Looks up the targets of a request's operations in a document and the code in other languages in it.
///
/// # Errors
/// If a target means nothing, or the operations are on code in several languages.
pub(crate) fn batch(engine: &Engine, documents: &[Document], request: &ModifyRequest) -> Result<Batch, EngineError> {
    if request.operations.is_empty() {
        return Err(EngineError::bad_request("there are no operations"));
    }
    let names = engine.names(&request.define)?;
    let number = document_meant(engine, documents, request, &names)?;
    let document = &documents[number];
    let lookup = Lookup { engine, document, names, all: request.all };
    let mut batch = Batch {
        ops: Vec::new(),
        origins: Vec::new(),
        kinds: Vec::new(),
        targets: Vec::new(),
        selectors: Vec::new(),
        document: number,
        places: Vec::new(),
    };
    for (number, operation) in request.operations.iter().enumerate() {
        batch.kinds.push(operation.edit.kind());
        batch.targets.push(operation.target().map(str::to_owned));
        let added = lookup.ops(operation);
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

/// The number of the document that all targets of a request are in.
fn document_meant(
    engine: &Engine,
    documents: &[Document],
    request: &ModifyRequest,
    names: &Names,
) -> Result<usize, EngineError> {
    let mut meant = None;
    for (number, operation) in request.operations.iter().enumerate().filter(|_| documents.len() > 1) {
        let all = Choice::All;
        for word in operation.edit.targets() {
            let found = engine.named_inside(documents, word, all, names).map_err(|error| error.operation(number))?.0;
            if meant.is_some_and(|known| known != found) {
                let message = "the operations are on code in several languages of the file";
                let error = EngineError::bad_request(message).hint("make them one after the other");
                return Err(error.operation(number));
            }
            meant = Some(found);
        }
    }
    Ok(meant.unwrap_or(0))
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
    /// Of an import of several names that a selector found by one of them, that one: `import#os` in `import os, sys`.
    fn only_named(&self, word: &str, (found, op): Placed) -> Result<Placed, EngineError> {
        let tree = &self.document.tree;
        let name = match Reference::read(word) {
            Reference::Selector(selector) => name_asked_for(&selector).map(str::to_owned),
            _ => None,
        };
        let (Some(node), Some(name), Op::Delete { extent, .. }) = (found, name, &op) else { return Ok((found, op)) };
        match edit::imported_names(tree, node, &name) {
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

    /// One operation for each node that the target means. Code may use what a selector captures.
    fn ops(&self, operation: &Operation) -> Result<Vec<Placed>, EngineError> {
        let Operation { edit, all, match_index } = operation;
        let targets = edit.targets();
        let Some((&first, others)) = targets.split_first() else {
            let nowhere = |_, _: &String| Ok::<_, EngineError>(Node::ROOT);
            return Ok(vec![(None, edit.try_map(nowhere, |code| Ok(code.clone()))?)]);
        };
        let is_range = edit.kind() == OperationKind::ReplaceRange;
        let choice = match match_index {
            _ if is_range => Choice::Only,
            Some(index) => Choice::Index(*index),
            None if *all || self.all => Choice::All,
            None => Choice::Only,
        };
        let found = self.engine.named_nodes(self.document, first, choice, &self.names)?;
        let other = match others.first() {
            Some(word) => Some(self.engine.named_nodes(self.document, word, Choice::Only, &self.names)?[0].node),
            None => None,
        };
        let is_template = !is_range && matches!(Reference::read(first), Reference::Selector(_));
        // In code that is put around a node, `$0` is its place.
        let is_around = edit.kind() == OperationKind::Wrap;
        let placed = |found: Match| {
            let node = |place, _: &String| Ok::<_, EngineError>(other.filter(|_| place > 0).unwrap_or(found.node));
            let fill = |code: &String| {
                if !is_template {
                    return Ok(code.clone());
                }
                let whole = (!is_around).then_some(found.node);
                edit::fill(code, &self.document.tree, &found.captures, whole)
                    .map_err(|error| template_error(&error, &found))
            };
            self.only_named(first, (Some(found.node), edit.try_map(node, fill)?))
        };
        found.into_iter().map(placed).collect()
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
fn template_error(error: &TemplateError, found: &Match) -> EngineError {
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
