//! `find`: nodes by a selector or a code pattern, in trees, files, folders and texts.

use std::sync::Arc;

use super::wanted::{FoundIn, FoundNode, Wanted};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::language::Language;
use crate::project::{Prefilter, Sink};
use crate::reader::document::limits;
use crate::reader::reference::selector_of;
use crate::reader::rows::{Rows, Shown};
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::tree_queries::TreeQueries;
use crate::request::cursor::{Cursor, Next, PageRun};
use crate::request::error::{EngineError, ErrorCode};
use crate::request::node_row::NodeRow;
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::FindRequest;
use crate::request::responses::{FindResponse, Revision};

/// How many matches are handed on at once.
const BATCH: usize = 256;

/// Finds the nodes of one file.
struct Finder<'a> {
    request: &'a FindRequest,
    wanted: Wanted<'a>,
    single: bool,
    /// How many matches may have to be listed.
    most: usize,
    /// The item whose first matches an earlier answer listed, and its cursor.
    resumed: Option<(usize, Cursor)>,
}

/// Matches of a file, all or some of them.
struct FileMatches {
    rows: Vec<NodeRow>,
    /// How many the file has, with the first of them.
    count: usize,
    /// What a cursor needs, with the first of them.
    run: Option<Run>,
    /// Whether it changed since an earlier answer listed its first matches, with the first of them.
    relisted: Option<String>,
    /// Which document it is, where the search is about that one or who asks wants to know.
    about: Option<(Option<String>, Revision)>,
    path: Option<String>,
}

/// The matches of a file that may be listed.
struct Run {
    item: usize,
    /// The index of the first.
    index: usize,
    revision: String,
}

/// What has been found so far.
struct Findings {
    limit: usize,
    matches: Vec<NodeRow>,
    total: usize,
    /// Place of the next row among all matches.
    place: usize,
    streamed: usize,
    runs: Vec<PageRun>,
    relisted: Option<String>,
}

impl Method for FindRequest {
    const NAME: &'static str = "find";
    const READS: bool = true;
    type Result = FindResponse;

    /// Finds nodes. No match is an answer, no error, unless one is required.
    ///
    /// # Errors
    /// When the selector or a target is wrong; with `require_one` when there isn't exactly one match.
    fn run(&self, engine: &Begun<'_>) -> Result<FindResponse, EngineError> {
        let selector = match &self.query {
            None => Some(selector_of(self.selector.as_deref(), self.pattern.as_deref())?),
            Some(_) if self.selector.is_none() && self.pattern.is_none() => None,
            Some(_) => return Err(EngineError::bad_request("`query` excludes `selector` and `pattern`")),
        };
        let names = engine.names(&self.define)?;
        let mut report = FilesReport::default();
        // A search that stops early says how many files are left, and a cursor needs an order.
        let grows = self.reading.unordered && self.limit.is_none_or(|limit| limit == 0) && self.cursor.is_none();
        let mut searched = match grows {
            true => engine.resolve_growing(&self.targets, &self.reading, &mut report)?,
            false => engine.resolve_targets(&self.targets, &self.reading, &mut report)?,
        };
        let resumed = match &self.cursor {
            Some(_) if self.require_one => {
                return Err(EngineError::bad_request("a cursor continues a list, so no match can be the only one"));
            }
            Some(cursor) => {
                let cursor: Cursor = cursor.parse()?;
                searched.start_at(&cursor)?.map(|item| (item, cursor))
            }
            None => None,
        };
        let mut findings = Findings {
            limit: self.limit.unwrap_or(usize::MAX),
            matches: Vec::new(),
            total: 0,
            place: 0,
            streamed: 0,
            runs: Vec::new(),
            relisted: None,
        };
        let is_strict = engine.is_in_one_language(&searched, &self.reading);
        let wanted = match &selector {
            Some(selector) => Wanted::selector(engine, self, selector, &names, is_strict),
            None => {
                let query = self.query.as_deref().unwrap_or_default();
                Wanted::Captures(TreeQueries::new(engine.languages_known(), query, is_strict))
            }
        };
        let most = findings.limit;
        let finder = Finder { request: self, wanted, single: searched.single, most, resumed };
        // A wrong selector is an error even where no file is searched.
        let mut met = Vec::new();
        if !is_strict && !searched.is_growing() {
            met = engine.languages_in_play(&searched, &self.reading);
            finder.wanted.check(&met, || engine.hidden_languages(&searched, &self.reading))?;
        }
        let (mut tree_id, mut revision) = (None, None);
        // With one document all is known at once, and of matches that must be one all are counted.
        let stops = !searched.single && !self.require_one && findings.limit > 0;
        let take = |found: FileMatches, report: &mut FilesReport| {
            if let Some(about) = found.about {
                if let (Some(path), Revision::Hash(hash)) = (found.path, &about.1) {
                    report.revisions.insert(path, hash.clone());
                }
                if searched.single {
                    (tree_id, revision) = (about.0, Some(about.1));
                }
            }
            if let Some(Run { item, index, revision }) = found.run
                && !found.rows.is_empty()
            {
                let (before, total) = (findings.listed(), index + found.count);
                findings.runs.push(PageRun { before, place: searched.place_of(item), index, total, revision });
            }
            findings.relisted = found.relisted.or(findings.relisted.take());
            if found.count > 0 {
                report.matched += 1;
                findings.place = findings.total;
                findings.total += found.count;
            }
            for row in found.rows {
                if findings.is_listed() {
                    if engine.host.observer.found(&row) {
                        findings.streamed += 1;
                    } else {
                        findings.matches.push(row);
                    }
                }
                findings.place += 1;
            }
            Ok(!(stops && findings.is_full()))
        };
        report.unsearched = engine.visit(&searched, &self.reading, &finder, &mut report, take)?;
        if searched.is_growing() {
            engine.settle(&mut searched, &mut report)?;
            met = engine.languages_in_play(&searched, &self.reading);
        }
        if self.require_one && !searched.single {
            require_one(finder.wanted.shown(), &findings)?;
        }
        let near = match &finder.wanted {
            Wanted::Selector { queries, .. } if findings.total == 0 && findings.limit > 0 && self.cursor.is_none() => {
                engine.near(queries, &met, &searched, &self.reading, report.searched)?
            }
            _ => Vec::new(),
        };
        let mut response = findings.response(tree_id, revision, report);
        response.near = near;
        response.unsaved = finder.wanted.unsaved();
        response.selectors = names.used();
        // In no order there is no place to go on from.
        if self.reading.unordered {
            response.cursor = None;
            response.runs.clear();
        }
        Ok(response)
    }

    fn name_skips(answer: &mut FindResponse) -> &mut [Skipped] {
        &mut answer.files.skipped
    }
}

impl FileVisitor for Finder<'_> {
    type Found = FileMatches;

    fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        let prefilter = if self.request.no_prefilter { None } else { self.wanted.prefilter(language) };
        // Ids are those of the whole file.
        prefilter.map(|prefilter| if self.request.ids { Arc::new(prefilter.of_whole_files()) } else { prefilter })
    }

    fn is_right_in(&self, met: &[&'static Language]) -> bool {
        self.wanted.is_right_in(met)
    }

    fn check(&self, met: &[&'static Language], others: &dyn Fn() -> Vec<&'static Language>) -> Result<(), EngineError> {
        self.wanted.check(met, others)
    }

    fn numbers_nodes(&self) -> bool {
        self.request.ids
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileMatches>) -> Result<(), EngineError> {
        let parse = limits(&self.request.reading);
        let searched = seen.documents().map(|document| self.wanted.find_in(document, seen, &parse));
        let searched = searched.collect::<Result<Vec<FoundIn<'_>>, EngineError>>()?;
        let count: usize = searched.iter().map(|one| one.nodes.len()).sum();
        let Some(FoundIn { document, .. }) = searched.iter().find(|one| !one.nodes.is_empty()).or(searched.first())
        else {
            return Ok(());
        };
        if self.single && self.request.require_one && count != 1 {
            return Err(self.wanted.not_one(&searched)?);
        }
        let request = self.request;
        let is_wanted = self.single || (request.revisions && count > 0);
        let mut about = is_wanted.then(|| (document.tree_id(), document.revision()));
        let mut path = seen.path.clone().filter(|_| request.revisions);
        let revision = || match document.revision() {
            Revision::Hash(hash) => hash,
            Revision::Number(number) => format!("r{number}"),
        };
        let (mut skip, mut relisted) = (0, None);
        if let Some((item, Cursor { next: Next::Match { index, revision: known }, .. })) = &self.resumed
            && *item == seen.item
            && count > 0
        {
            match revision() == *known {
                true => skip = *index,
                false => relisted = Some(seen.path.clone().unwrap_or_else(|| "-".to_owned())),
            }
        }
        let shown = Shown {
            ids: !seen.walked || request.ids,
            code: request.code,
            source_lines: request.source_lines,
            anchors: request.anchors,
        };
        let rows_of = searched.iter().map(|one| Rows::new(&one.document.tree, seen.path.clone(), shown));
        let rows_of: Vec<Rows<'_>> = rows_of.collect();
        let all = searched.iter().zip(&rows_of);
        let mut all: Vec<(&Rows<'_>, &FoundNode, usize)> = all
            .flat_map(|(one, rows)| {
                let start = |node: &FoundNode| one.document.tree.span(node.found.node).start();
                one.nodes.iter().map(move |node| (rows, node, start(node)))
            })
            .collect();
        if searched.len() > 1 {
            all.sort_by_key(|&(.., start)| start);
        }
        let rest = &all[skip.min(all.len())..];
        let listed = &rest[..rest.len().min(self.most)];
        if listed.is_empty() {
            if about.is_some() || !rest.is_empty() {
                send(FileMatches { rows: Vec::new(), count: rest.len(), run: None, relisted, about, path }, 0);
            }
            return Ok(());
        }
        let mut count = rest.len();
        let mut run = request.limit.map(|_| Run { item: seen.item, index: skip, revision: revision() });
        for batch in listed.chunks(BATCH) {
            let rows: Vec<NodeRow> = batch.iter().map(|(rows, node, _)| row_of(rows, node)).collect();
            let weight = rows.iter().map(weight).sum();
            let part = FileMatches {
                rows,
                count: std::mem::take(&mut count),
                run: run.take(),
                relisted: relisted.take(),
                about: about.take(),
                path: path.take(),
            };
            if !send(part, weight) {
                break;
            }
        }
        Ok(())
    }
}

fn row_of(rows: &Rows<'_>, node: &FoundNode) -> NodeRow {
    NodeRow { capture: node.capture.clone(), ..rows.of_match(&node.found) }
}

/// About how many bytes a row takes.
fn weight(row: &NodeRow) -> usize {
    const CAPTURE: usize = 1000;
    let texts = [&row.path, &row.name, &row.qualname, &row.code, &row.source_line, &row.anchor];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    size_of::<NodeRow>() + texts + row.captures.len() * CAPTURE
}

impl Findings {
    /// Whether the next match is among those asked for.
    fn is_listed(&self) -> bool {
        self.place < self.limit
    }

    /// How many matches are listed.
    fn listed(&self) -> usize {
        self.matches.len() + self.streamed
    }

    /// Whether as many are listed as were asked for.
    fn is_full(&self) -> bool {
        self.listed() >= self.limit
    }

    fn response(self, tree_id: Option<String>, revision: Option<Revision>, files: FilesReport) -> FindResponse {
        let listed = self.listed();
        let truncated = listed < self.total || files.unsearched > 0;
        let cursor = self.runs.last().filter(|_| truncated).map(|run| run.cursor_after(listed).to_string());
        FindResponse {
            tree_id,
            revision,
            matches: self.matches,
            total: self.total,
            truncated,
            cursor,
            relisted: self.relisted,
            files,
            near: Vec::new(),
            unsaved: 0,
            selectors: Vec::new(),
            runs: self.runs,
        }
    }
}

fn require_one(source: &str, findings: &Findings) -> Result<(), EngineError> {
    match findings.total {
        1 => Ok(()),
        0 => Err(EngineError::new(ErrorCode::NoMatch, format!("`{source}` matches nothing"))
            .hint("{explain} shows what each step found")),
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
