//! Requests on a tree that the caller holds, as a value: parse, find, edit, rewrite. Nothing is read from the disk but a file
//! that is named and the configuration, and nothing is written.

use std::path::Path;

use crate::edit::{self, Allow, Outcome, Rewritten, Site, Template};
use crate::engine::change::rewrite::{rewrite_error, untemplated};
use crate::engine::core::Engine;
use crate::reader::document::{Document, Origin, decode_error, label, limits, parse_error};
use crate::reader::reference::selector_of;
use crate::reader::target::Source;
use crate::request::error::EngineError;
use crate::request::requests::{FindRequest, ModifyRequest, Reading, RewriteRequest, TextTarget};
use crate::selector::{Match, Query, Selector};
use crate::text::Text;
use crate::tree::{Captured, ParseLimits, Tree};
use crate::tree_query::{PatternCapture, TreeSitterQuery};

impl Engine {
    /// The tree of a text.
    ///
    /// # Errors
    /// If its language is not known, or it is too large, too deep or takes too long.
    pub fn parse_text(&self, text: TextTarget) -> Result<Tree, EngineError> {
        self.begin();
        Ok(self.document_of(Source::Text(text), &Reading::default())?.tree)
    }

    /// The tree of the bytes of a file, in the encoding that they declare, unless `reading` names one. The path, or else the text,
    /// decides the language, unless `reading` names it.
    ///
    /// # Errors
    /// As [`Engine::parse_text`], and if the bytes are not text.
    pub fn parse_bytes(&self, bytes: Vec<u8>, path: Option<&str>, reading: &Reading) -> Result<Tree, EngineError> {
        self.begin();
        let name = path.unwrap_or_default();
        let language = self.language_of(name, &bytes, reading.language.as_deref(), "the text")?;
        let text = match label(name, Some(language), &bytes, reading) {
            Some(label) => Text::decode(&bytes, Some(label)),
            None => Text::decode_declared(bytes),
        };
        let text = text.map_err(|error| decode_error(&error, path.unwrap_or("the text")))?;
        let tree = Tree::parse(text, language, &limits(reading)).map_err(|error| parse_error(&error, path))?;
        Ok(match path {
            Some(path) => tree.with_path(path),
            None => tree,
        })
    }

    /// The tree of a file.
    ///
    /// # Errors
    /// As [`Engine::parse_text`], and if the file cannot be read, or is not text.
    pub fn parse_file(&self, path: &Path, reading: &Reading) -> Result<Tree, EngineError> {
        self.begin();
        let source = self.source_at(path)?;
        Ok(self.document_of(source, reading)?.tree)
    }

    /// What a request finds in a tree. Its targets and its limit are ignored. What a query of tree-sitter captures is a match each.
    ///
    /// # Errors
    /// If the selector is wrong.
    pub fn find_in(&self, tree: &Tree, request: &FindRequest) -> Result<Vec<Match>, EngineError> {
        if let (Some(query), None, None) = (&request.query, &request.selector, &request.pattern) {
            return self.interruptible(|| captures_in(tree, query));
        }
        let selector = selector_of(request.selector.as_deref(), request.pattern.as_deref())?;
        self.interruptible(|| Ok(self.query(tree, &selector, &request.define)?.select(tree)?))
    }

    /// Applies the operations of a request to a tree. Its target is ignored. Nothing is written.
    ///
    /// # Errors
    /// If an operation cannot be done, or a gate refuses the result.
    pub fn modify_tree(&self, tree: &Tree, request: &ModifyRequest) -> Result<Outcome, EngineError> {
        let begun = self.begin();
        let name = tree.path().map(str::to_owned);
        let document = Document { tree: tree.clone(), origin: Origin::Text { name, hash: String::new() } };
        let applied = begun.interruptible(|| begun.apply_batch(&document, request));
        applied.map(|applied| applied.outcome).map_err(EngineError::not_applied)
    }

    /// Replaces what a request finds in a tree by its template, once. Its targets are ignored. Nothing is written.
    ///
    /// # Errors
    /// If the selector or the template is wrong, or a gate refuses the result.
    pub fn rewrite_tree(&self, tree: &Tree, request: &RewriteRequest) -> Result<Rewritten, EngineError> {
        let selector = selector_of(request.selector.as_deref(), request.pattern.as_deref())?;
        let template = Template::parse(&request.template).map_err(|error| untemplated(&error))?;
        self.interruptible(|| {
            let query = self.query(tree, &selector, &request.define)?;
            let template = template.for_query(&query);
            let site = |found: Match| Site { node: found.node, captures: found.captures };
            let sites: Vec<Site> = query.select(tree)?.into_iter().map(site).collect();
            let allow = Allow::from(&*request.allow);
            let rewritten = edit::rewrite(tree, &sites, &template, allow, &limits(&request.reading));
            rewritten.map_err(|error| rewrite_error(&error, tree, &sites))
        })
    }

    fn query(&self, tree: &Tree, selector: &Selector, define: &[String]) -> Result<Query, EngineError> {
        self.begin();
        let names = self.names(define)?;
        Ok(Query::new(selector, tree.language(), &names.of(tree.language())?)?)
    }
}

fn captures_in(tree: &Tree, query: &str) -> Result<Vec<Match>, EngineError> {
    let query = TreeSitterQuery::new(query, tree.language())?;
    let found = query.find(tree, &ParseLimits::default())?;
    let one = |capture: PatternCapture| {
        let name = query.capture_name(capture.name).to_owned();
        Match { node: capture.node, captures: vec![(name, Captured::Node(capture.node))] }
    };
    let mut all: Vec<Match> = found.into_iter().flat_map(|one| one.captures).map(one).collect();
    all.sort_by_key(|found| found.node);
    Ok(all)
}
