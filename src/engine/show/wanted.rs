//! The search of `find`: for a selector, or for the captures of a query of tree-sitter.

use std::borrow::Cow;
use std::sync::Arc;

use crate::engine::core::Begun;
use crate::language::Language;
use crate::project::Prefilter;
use crate::question::project_answers::ProjectScope;
use crate::reader::document::Document;
use crate::reader::names::Names;
use crate::reader::queries::Queries;
use crate::reader::reference::{ambiguous, candidates_of, no_match};
use crate::reader::scan::ParsedFile;
use crate::reader::tree_queries::TreeQueries;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::requests::FindRequest;
use crate::selector::{Match, Selector};
use crate::tree::ParseLimits;

/// The search of `find`.
pub(super) enum Wanted<'a> {
    /// For the matches of a selector.
    Selector { selector: &'a Selector, queries: Queries<'a>, project: ProjectScope<'a> },
    /// For the captures of a query of tree-sitter.
    Captures(TreeQueries<'a>),
}

/// The nodes that are found in a document.
pub(super) struct FoundIn<'d> {
    /// The document: the unsaved one where the question is about the project.
    pub document: Cow<'d, Document>,
    /// In document order.
    pub nodes: Vec<FoundNode>,
}

/// A node that is found.
pub(super) struct FoundNode {
    /// The node and what is captured with it.
    pub found: Match,
    /// The name by which a query captures it.
    pub capture: Option<String>,
}

impl<'a> Wanted<'a> {
    /// The selector of a request, for one language if `strict`.
    pub fn selector(
        engine: &'a Begun<'_>,
        request: &'a FindRequest,
        selector: &'a Selector,
        names: &'a Names,
        strict: bool,
    ) -> Wanted<'a> {
        let queries = if strict { Queries::new } else { Queries::mixed };
        let queries = queries(engine.languages_known(), selector, names);
        Wanted::Selector { selector, queries, project: ProjectScope::new(engine, &request.targets, &request.reading) }
    }

    /// The condition on a text in a language for it to be there.
    pub fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        match self {
            Wanted::Selector { queries, project, .. } => {
                let looks_elsewhere = || project.is_asked(queries, &[language]) && project.unsaved() > 0;
                if looks_elsewhere() { None } else { queries.prefilter(language) }
            }
            Wanted::Captures(queries) => queries.prefilter(language),
        }
    }

    /// Whether no further language can make it an error.
    pub fn is_right_in(&self, met: &[&'static Language]) -> bool {
        match self {
            Wanted::Selector { queries, project, .. } => queries.are_known(met) && !project.is_asked(queries, met),
            Wanted::Captures(queries) => queries.is_known(met),
        }
    }

    /// Whether each word is known to a language in play.
    ///
    /// # Errors
    /// At the first that is not.
    pub fn check(
        &self,
        met: &[&'static Language],
        others: impl FnOnce() -> Vec<&'static Language>,
    ) -> Result<(), EngineError> {
        match self {
            Wanted::Selector { queries, project, .. } => {
                queries.check(met, others)?;
                project.prepare(queries, met)
            }
            Wanted::Captures(queries) => queries.check(met, others),
        }
    }

    /// Searches a document of a file.
    ///
    /// # Errors
    /// If that takes too long, or is wrong in the document's language.
    pub fn find_in<'d>(
        &self,
        document: &'d Document,
        seen: &ParsedFile<'_>,
        parse: &ParseLimits,
    ) -> Result<FoundIn<'d>, EngineError> {
        let language = document.tree.language();
        match self {
            Wanted::Selector { queries, project, .. } => {
                let query = queries.of(language)?;
                let is_host = document.tree.part().is_none();
                let path = seen.path.as_deref();
                let unsaved = if is_host { project.in_place_of(&query, document, path)? } else { None };
                let document = unsaved.map_or(Cow::Borrowed(document), Cow::Owned);
                let found = project.select(&query, &document, path)?;
                let nodes = found.into_iter().map(|found| FoundNode { found, capture: None }).collect();
                Ok(FoundIn { document, nodes })
            }
            Wanted::Captures(queries) => {
                let Some(query) = queries.of(language)? else {
                    return Ok(FoundIn { document: Cow::Borrowed(document), nodes: Vec::new() });
                };
                let found = query.find(&document.tree, parse)?;
                let captures = found.into_iter().flat_map(|one| one.captures);
                let node = |node, name| FoundNode {
                    found: Match { node, captures: Vec::new() },
                    capture: Some(query.capture_name(name).to_owned()),
                };
                let mut nodes: Vec<FoundNode> = captures.map(|capture| node(capture.node, capture.name)).collect();
                nodes.sort_by_key(|one| one.found.node);
                Ok(FoundIn { document: Cow::Borrowed(document), nodes })
            }
        }
    }

    /// The error if there is not exactly one node in a file.
    ///
    /// # Errors
    /// If the selector is wrong in the language of the file.
    pub fn not_one(&self, searched: &[FoundIn<'_>]) -> Result<EngineError, EngineError> {
        let count: usize = searched.iter().map(|one| one.nodes.len()).sum();
        Ok(match (self, searched) {
            (Wanted::Selector { selector, queries, .. }, [first, ..]) if count == 0 => {
                no_match(&first.document.tree, &*queries.of(first.document.tree.language())?, selector)
            }
            (Wanted::Selector { selector, .. }, _) => {
                let several = searched.iter().flat_map(|one| {
                    let found: Vec<Match> = one.nodes.iter().map(|node| node.found.clone()).collect();
                    candidates_of(&one.document.tree, &found)
                });
                ambiguous(selector, count, several.collect()).hint("name one by its id, or narrow the selector")
            }
            (Wanted::Captures(_), _) => {
                let code = if count == 0 { ErrorCode::NoMatch } else { ErrorCode::Ambiguous };
                EngineError::new(code, format!("the query captures {count} nodes, not one"))
            }
        })
    }

    /// How many unsaved trees were asked about in place of files.
    pub fn unsaved(&self) -> usize {
        match self {
            Wanted::Selector { project, .. } => project.unsaved(),
            Wanted::Captures(_) => 0,
        }
    }

    /// How messages name it.
    pub fn shown(&self) -> &str {
        match self {
            Wanted::Selector { selector, .. } => selector.source(),
            Wanted::Captures(queries) => queries.source().trim(),
        }
    }
}
