//! `find`: nodes by a selector or a code pattern, in trees, files, folders and texts.

use rustc_hash::FxHashMap;

use super::names::Names;
use super::reference::{ambiguous, no_match, selector_of};
use super::rows::{Rows, Shown};
use super::{Engine, EngineError, ErrorCode, FilesReport, FindRequest, FindResponse, NodeRow, Revision};
use crate::language::Language;
use crate::selector::{Query, Selector};

/// Queries of one selector, one for each language met.
pub(super) struct Queries<'a> {
    selector: &'a Selector,
    names: &'a Names,
    by_language: FxHashMap<&'static str, Query>,
}

impl<'a> Queries<'a> {
    /// None yet.
    pub fn new(selector: &'a Selector, names: &'a Names) -> Queries<'a> {
        Queries { selector, names, by_language: FxHashMap::default() }
    }

    /// The selector, resolved for a language.
    pub fn of(&mut self, language: &'static Language) -> Result<&Query, EngineError> {
        use std::collections::hash_map::Entry;
        match self.by_language.entry(language.name()) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Query::new(self.selector, language, &self.names.of(language)?)?)),
        }
    }
}

/// What has been found so far.
struct Findings {
    skip: usize,
    limit: usize,
    matches: Vec<NodeRow>,
    total: usize,
    streamed: usize,
}

impl Engine {
    /// Finds nodes. No match is an answer, no error, unless one is required.
    ///
    /// # Errors
    /// When the selector or a target is wrong; with `require_one` when there isn't exactly one match.
    pub fn find(&self, request: &FindRequest) -> Result<FindResponse, EngineError> {
        let selector = selector_of(request.selector.as_deref(), request.pattern.as_deref())?;
        let names = self.names(&request.define)?;
        let mut queries = Queries::new(&selector, &names);
        let mut report = FilesReport::default();
        let searched = self.searched(&request.targets, &request.reading, &mut report)?;
        let single = searched.single;
        // A wrong selector is an error even where no file is searched.
        if !single {
            check_everywhere(&mut queries, &request.reading)?;
        }
        let mut findings = Findings {
            skip: request.cursor.as_deref().map_or(Ok(0), read_cursor)?,
            limit: request.limit.unwrap_or(usize::MAX),
            matches: Vec::new(),
            total: 0,
            streamed: 0,
        };
        let (mut tree_id, mut revision) = (None, None);
        self.each_document(searched, &request.reading, &mut report, |document, walked, report| {
            let tree = &document.tree;
            let query = queries.of(tree.language())?;
            let found = query.select(tree)?;
            if single {
                tree_id = document.tree_id();
                revision = Some(document.revision());
                if request.require_one && found.len() != 1 {
                    return Err(match found.len() {
                        0 => no_match(tree, query, &selector),
                        _ => ambiguous(tree, &selector, &found),
                    });
                }
            }
            if found.is_empty() {
                return Ok(true);
            }
            report.matched += 1;
            let shown = Shown { ids: !walked || request.ids, code: request.code, anchors: request.anchors };
            let rows = Rows::new(tree, self.shown_path(&document), shown);
            for found in &found {
                if findings.is_listed() {
                    let row = rows.of_match(found);
                    if self.surroundings.observer.found(&row) {
                        findings.streamed += 1;
                    } else {
                        findings.matches.push(row);
                    }
                }
                findings.total += 1;
            }
            Ok(true)
        })?;
        if request.require_one && !single {
            require_one(&selector, &findings)?;
        }
        Ok(findings.response(tree_id, revision, report))
    }
}

impl Findings {
    /// Whether the next match is among those asked for.
    fn is_listed(&self) -> bool {
        self.total >= self.skip && self.total - self.skip < self.limit
    }

    fn response(self, tree_id: Option<String>, revision: Option<Revision>, files: FilesReport) -> FindResponse {
        let seen = self.skip.min(self.total) + self.matches.len() + self.streamed;
        let truncated = seen < self.total;
        FindResponse {
            tree_id,
            revision,
            matches: self.matches,
            total: self.total,
            truncated,
            cursor: truncated.then(|| seen.to_string()),
            files,
        }
    }
}

/// Where an earlier answer left off.
fn read_cursor(cursor: &str) -> Result<usize, EngineError> {
    let bad = |_| EngineError::new(ErrorCode::BadRequest, format!("`{cursor}` is no cursor of an earlier answer"));
    cursor.parse().map_err(bad)
}

/// A selector with a word that no language in play knows is wrong, whatever the folders hold.
fn check_everywhere(queries: &mut Queries<'_>, reading: &super::Reading) -> Result<(), EngineError> {
    if let Some(name) = &reading.language {
        let language = Language::named(name).map_err(|error| super::document::unknown_language(&error))?;
        return queries.of(language).map(|_| ());
    }
    let mut first = None;
    for language in Language::all() {
        match queries.of(language) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), Err)
}

fn require_one(selector: &Selector, findings: &Findings) -> Result<(), EngineError> {
    let source = selector.source();
    match findings.total {
        1 => Ok(()),
        0 => Err(EngineError::new(ErrorCode::NoMatch, format!("`{source}` matches nothing"))
            .hint("`explain` shows what each step found")),
        total => {
            let places: Vec<String> = findings
                .matches
                .iter()
                .take(5)
                .map(|row| format!("{}:{}", row.path.as_deref().unwrap_or("-"), row.start_line))
                .collect();
            Err(EngineError::new(ErrorCode::Ambiguous, format!("`{source}` matches {total} nodes"))
                .hint(format!("at {}; narrow the selector", places.join(", "))))
        }
    }
}
