//! References: the words that name a node in a request, and the nodes they name.
//!
//! A word is a node id (`n31`, `n31@3fa9c1d2`, `n17.body`), an anchor (`method:Server.handle:function_definition:20:4-31:19`)
//! or else a selector. An id or an anchor that doesn't fit is an error; nothing is ever guessed.

use crate::reader::core::Reader;
use crate::reader::document::{Document, Origin};
use crate::reader::names::Names;
use crate::reader::rows::candidates;
use crate::request::error::Candidate;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::hint::{DATA_HINT, Hint};
use crate::selector::{Kinds, Match, Query, Selector, SelectorError, like, meant};
use crate::text::{Position, Span};
use crate::tree::{Node, NodeId, Tree};

/// How many candidates an error lists.
const CANDIDATES: usize = 5;

/// A word that names a node, read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// A node id.
    Id {
        /// The id.
        id: NodeId,
        /// The content hash it is good for.
        hash: Option<String>,
        /// The fields to go through.
        fields: Vec<String>,
    },
    /// A node as it once stood somewhere.
    Anchor(Anchor),
    /// What matches a selector.
    Selector(String),
}

/// A node as it once stood somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// Its kind.
    pub kind: String,
    /// Its qualified name; empty if it has none.
    pub qualname: String,
    /// The name of its type.
    pub type_name: String,
    /// Where it began.
    pub start: Position,
    /// Where it ended.
    pub end: Position,
}

/// Which of a selector's matches are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The only one.
    Only,
    /// Every one.
    All,
    /// The one with that number, from 0.
    Index(usize),
}

impl Reference {
    /// Reads a word.
    pub fn read(word: &str) -> Reference {
        if let Some(reference) = read_id(word) {
            return reference;
        }
        match read_anchor(word) {
            Some(anchor) => Reference::Anchor(anchor),
            None => Reference::Selector(word.to_owned()),
        }
    }
}

/// `n31`, `n31@3fa9c1d2`, `n17.body.name`.
fn read_id(word: &str) -> Option<Reference> {
    let mut parts = word.split('.');
    let first = parts.next()?;
    let (id, hash) = match first.split_once('@') {
        Some((id, hash)) if hash.len() >= 4 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            (id, Some(hash.to_ascii_lowercase()))
        }
        Some(_) => return None,
        None => (first, None),
    };
    let id = NodeId::parse(id)?;
    let fields: Vec<String> = parts.map(str::to_owned).collect();
    let is_field =
        |field: &String| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    fields.iter().all(is_field).then_some(Reference::Id { id, hash, fields })
}

/// `kind:qualname:type:line:column-line:column`; read from the end, since a qualname may hold colons.
fn read_anchor(word: &str) -> Option<Anchor> {
    let (rest, end_column) = word.rsplit_once(':')?;
    let (rest, middle) = rest.rsplit_once(':')?;
    let (start_column, end_line) = middle.split_once('-')?;
    let (rest, start_line) = rest.rsplit_once(':')?;
    let (rest, type_name) = rest.rsplit_once(':')?;
    let (kind, qualname) = rest.split_once(':')?;
    let position = |line: &str, column: &str| Position::counted(line.parse().ok()?, column.parse().ok()?);
    Some(Anchor {
        kind: kind.to_owned(),
        qualname: qualname.to_owned(),
        type_name: type_name.to_owned(),
        start: position(start_line, start_column)?,
        end: position(end_line, end_column)?,
    })
}

impl From<SelectorError> for EngineError {
    fn from(error: SelectorError) -> EngineError {
        let code = ErrorCode::from(error.code);
        let meant = meant(&error);
        let mut engine_error = EngineError::new(code, error.message);
        if error.code == crate::selector::ErrorCode::LanguageData {
            let end = |hint: &String| if hint.ends_with('?') { " " } else { "; " };
            let hint = error.hint.map(|hint| format!("{hint}{}", end(&hint))).unwrap_or_default();
            return engine_error.hint(hint + DATA_HINT);
        }
        engine_error.details.hint = meant.map(Hint::from);
        engine_error.details.span = Some(error.span);
        engine_error.details.selector = Some(error.selector);
        engine_error
    }
}

/// The selector of a request that gives a selector or a pattern.
pub(crate) fn selector_of(selector: Option<&str>, pattern: Option<&str>) -> Result<Selector, EngineError> {
    match (selector, pattern) {
        (Some(selector), None) => Ok(Selector::parse(selector)?),
        (None, Some(pattern)) => Ok(Selector::parse(&like(pattern))?),
        (Some(_), Some(_)) => Err(EngineError::bad_request("`selector` and `pattern` exclude each other")),
        (None, None) => Err(EngineError::bad_request("neither `selector` nor `pattern` is given")),
    }
}

impl Reader {
    /// The nodes that a word names, with captures where it is a selector.
    pub(crate) fn named_nodes(
        &self,
        document: &Document,
        word: &str,
        choice: Choice,
        names: &Names,
    ) -> Result<Vec<Match>, EngineError> {
        let one = |node| Ok(vec![Match { node, captures: Vec::new() }]);
        match Reference::read(word) {
            Reference::Id { id, hash, fields } => {
                if let Some(hash) = hash.filter(|hash| !document.is_of(hash)) {
                    return Err(self.stale_file(document, id, &hash));
                }
                let node = self.node_with(document, id)?;
                one(through_fields(&document.tree, node, id, &fields)?)
            }
            Reference::Anchor(anchor) => one(resolve_anchor(&document.tree, &anchor, word)?),
            Reference::Selector(selector) => {
                let selector = Selector::parse(&selector)?;
                let language = document.tree.language();
                let query = Query::new(&selector, language, &names.of(language)?)?;
                names.note_use(&query);
                let matches = query.select(&document.tree)?;
                choose_match(&document.tree, &query, &selector, matches, choice)
            }
        }
    }

    /// The same in a document and the code in other languages in it, with the number of the one of them that has the nodes.
    ///
    /// # Errors
    /// As of one document; if the word means nodes in several of them.
    pub(crate) fn named_inside(
        &self,
        documents: &[Document],
        word: &str,
        choice: Choice,
        names: &Names,
    ) -> Result<(usize, Vec<Match>), EngineError> {
        let own = |number: usize| Ok((number, self.named_nodes(&documents[number], word, choice, names)?));
        let selector = match Reference::read(word) {
            _ if documents.len() == 1 => return own(0),
            Reference::Id { id, .. } => {
                return own(documents.iter().position(|document| document.tree.node(id).is_some()).unwrap_or(0));
            }
            Reference::Anchor(_) => {
                let found = (0..documents.len()).map(own).find(Result::is_ok);
                return found.unwrap_or_else(|| own(0));
            }
            Reference::Selector(selector) => Selector::parse(&selector)?,
        };
        let mut found: Vec<(usize, Vec<Match>)> = Vec::new();
        // Of several errors the one that came furthest says most.
        let mut furthest = (0, 0);
        for (number, document) in documents.iter().enumerate() {
            let language = document.tree.language();
            let query = match Query::new(&selector, language, &names.of(language)?) {
                Ok(query) => query,
                Err(error) => {
                    furthest = if error.span.start() > furthest.0 { (error.span.start(), number) } else { furthest };
                    continue;
                }
            };
            furthest = if furthest.0 < usize::MAX { (usize::MAX, number) } else { furthest };
            let matches = query.select(&document.tree)?;
            if !matches.is_empty() {
                found.push((number, matches));
            }
        }
        match found.as_slice() {
            [] => own(furthest.1),
            [(number, _)] => own(*number),
            several => {
                let count = several.iter().map(|(_, matches)| matches.len()).sum();
                let some =
                    several.iter().flat_map(|(number, matches)| candidates_of(&documents[*number].tree, matches));
                let error = ambiguous(&selector, count, some.collect());
                Err(error.hint("they are in several languages; name one by its id, or narrow the selector"))
            }
        }
    }

    fn stale_file(&self, document: &Document, id: NodeId, hash: &str) -> EngineError {
        let message = format!("`{id}@{hash}` refers to an earlier version of the file");
        let error = EngineError::new(ErrorCode::StaleFile, message)
            .hint("the file changed since; find the node again, or hold the tree with {load}");
        match self.shown_path(document) {
            Some(path) => error.path(path),
            None => error,
        }
    }

    /// The node with an id; an error that says what became of it otherwise.
    fn node_with(&self, document: &Document, id: NodeId) -> Result<Node, EngineError> {
        let tree = &document.tree;
        if let Some(node) = tree.node(id) {
            return Ok(node);
        }
        let mut error = match &document.origin {
            Origin::Held(row) if id.number() < row.next_id => self.stale_node(document, row, id)?,
            _ => EngineError::new(ErrorCode::UnknownNode, format!("no node `{id}`"))
                .hint(format!("ids go up to `n{}`; find the node, or show the tree", tree.id_runs().next.max(1) - 1)),
        };
        error.details.path = self.shown_path(document);
        Err(error)
    }
}

/// The node that a chain of fields leads to.
fn through_fields(tree: &Tree, node: Node, id: NodeId, fields: &[String]) -> Result<Node, EngineError> {
    let mut node = node;
    let mut shown = id.to_string();
    for field in fields {
        let Some(child) = tree.child_by_field(node, field) else {
            let type_name = tree.type_name(node);
            let known: Vec<&str> = tree.language().node_types().fields_of(type_name).collect();
            let error = if known.contains(&field.as_str()) {
                EngineError::new(ErrorCode::NoMatch, format!("`{shown}` has no `{field}`"))
            } else {
                EngineError::new(ErrorCode::UnknownField, format!("a `{type_name}` has no field `{field}`"))
            };
            let hint = match known.as_slice() {
                [] => "it has no fields".to_owned(),
                known => format!("its fields: `{}`", known.join("`, `")),
            };
            return Err(error.hint(hint));
        };
        node = child;
        shown = format!("{shown}.{field}");
    }
    Ok(node)
}

/// The node that an anchor means: the one at its place, else the only one of its type and qualname.
fn resolve_anchor(tree: &Tree, anchor: &Anchor, word: &str) -> Result<Node, EngineError> {
    let kinds = Kinds::new(tree);
    let type_id = tree.language().type_id(&anchor.type_name);
    let fits = |node: Node| {
        Some(tree.table().type_id(node)) == type_id
            && kinds.kind(node) == anchor.kind
            && tree.qualname(node).unwrap_or_default() == anchor.qualname
    };
    let nodes: Vec<Node> = tree.table().nodes().filter(|&node| fits(node)).collect();
    let place = |node: Node| {
        let span = tree.span(node);
        (tree.text().position(span.start()), tree.text().position(span.end()))
    };
    if let Some(&node) = nodes.iter().find(|&&node| place(node) == (anchor.start, anchor.end)) {
        return Ok(node);
    }
    match nodes.as_slice() {
        [] => Err(EngineError::new(ErrorCode::NoMatch, format!("nothing is what `{word}` was"))
            .hint("the code changed; find the node again")),
        // Without a qualname there is nothing to know it by again.
        [node] if !anchor.qualname.is_empty() => Ok(*node),
        several => {
            let message = format!("`{word}` is not where it was, and {} nodes could be it", several.len());
            let mut error = EngineError::new(ErrorCode::Ambiguous, message).hint("find the node again");
            error.details.candidates = candidates(tree, &several[..several.len().min(CANDIDATES)]);
            Err(error)
        }
    }
}

/// The matches that are meant.
fn choose_match(
    tree: &Tree,
    query: &Query,
    selector: &Selector,
    mut matches: Vec<Match>,
    choice: Choice,
) -> Result<Vec<Match>, EngineError> {
    if matches.is_empty() {
        return Err(no_match(tree, query, selector));
    }
    match choice {
        Choice::All => Ok(matches),
        Choice::Only if matches.len() == 1 => Ok(matches),
        Choice::Only => Err(ambiguous(selector, matches.len(), candidates_of(tree, &matches))),
        Choice::Index(index) if index < matches.len() => Ok(vec![matches.swap_remove(index)]),
        Choice::Index(index) => {
            let count = matches.len();
            let message = format!("`{}` matches {count} nodes; there is no number {index}", selector.source());
            Err(EngineError::new(ErrorCode::NoMatch, message).hint("numbers count from 0"))
        }
    }
}

/// A selector that matches nothing, with the step at which nothing was left.
pub(crate) fn no_match(tree: &Tree, query: &Query, selector: &Selector) -> EngineError {
    let error = EngineError::new(ErrorCode::NoMatch, format!("`{}` matches nothing", selector.source()));
    let hint = survivors_hint(tree, query).unwrap_or_else(|| "{explain} shows what each step found".into());
    // What is looked for may be there for a person, and a part of the error for the parser.
    match tree.errors().first() {
        Some(first) => {
            let place = format!("the file has a syntax error at {}, which may hide it; ", first.position);
            error.hint(Hint::from(place).and(hint))
        }
        None => error.hint(hint),
    }
}

/// How many nodes were left at the last step that had some, and what came nearest.
fn survivors_hint(tree: &Tree, query: &Query) -> Option<Hint> {
    if let Some(miss) = query.near_misses(tree, 1).into_iter().next() {
        let line = tree.text().line_at(tree.span(miss.node).start());
        let (found, step, wanted) = (miss.found, miss.step.trim(), miss.wanted);
        return Some(format!("nearest is in line {line}: `{found}` where {step} wants `{wanted}`").into());
    }
    let branches = query.survivors(tree);
    let branch = branches.into_iter().max_by_key(|steps| steps.iter().filter(|step| step.nodes > 0).count())?;
    let lost = branch.iter().position(|step| step.nodes == 0)?;
    let before = lost.checked_sub(1).map(|last| format!("{} {}, but ", branch[last].nodes, branch[last].step));
    let lost = format!("{}0 {}; ", before.unwrap_or_default(), branch[lost].step);
    Some(Hint::from(lost).and("{explain} shows more"))
}

/// A selector that should match one node and matches `count`, of which some are candidates.
pub(crate) fn ambiguous(selector: &Selector, count: usize, mut some: Vec<Candidate>) -> EngineError {
    let message = format!("`{}` matches {count} nodes", selector.source());
    let mut error =
        EngineError::new(ErrorCode::Ambiguous, message).hint("name one by its id, narrow the selector, or say {all}");
    some.truncate(CANDIDATES);
    error.details.candidates = some;
    error
}

/// The first matches in a tree, as an error lists them.
pub(crate) fn candidates_of(tree: &Tree, matches: &[Match]) -> Vec<Candidate> {
    let nodes: Vec<Node> = matches.iter().take(CANDIDATES).map(|found| found.node).collect();
    candidates(tree, &nodes)
}

/// The bytes of a line, or the empty span at a place, named as `12` or `12:5`.
pub(crate) fn place_named(tree: &Tree, word: &str) -> Result<(Span, bool), EngineError> {
    let bad = || EngineError::bad_request(format!("`{word}` is not a position")).hint("write `12` or `12:5`");
    let (line, column) = match word.split_once(':') {
        Some((line, column)) => (line, Some(column.parse::<usize>().map_err(|_| bad())?)),
        None => (word, None),
    };
    let line: usize = line.parse().map_err(|_| bad())?;
    let text = tree.text();
    let last = text.line_count().max(1);
    if line == 0 || line > last {
        let message = format!("there is no line {line}");
        return Err(EngineError::new(ErrorCode::NoMatch, message).hint(format!("lines go from 1 to {last}")));
    }
    match column {
        Some(column) => {
            let place = Position::counted(line, column).ok_or_else(|| bad().hint("columns count from 1"))?;
            let offset = text.offset(place).unwrap_or(text.len());
            Ok((Span::at(offset), true))
        }
        None => {
            let span = text.line_span(line);
            let code = text.slice(span);
            let indent = code.len() - code.trim_start().len();
            Ok((Span::at(span.start() + indent), !code.trim().is_empty()))
        }
    }
}
