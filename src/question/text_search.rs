//! `search`: definitions ranked by the words in them, and by their meaning if there are vectors.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::database::{Content, Hit, Query, QueryError};
use crate::facts::{DefinitionFacts, add_parts, words};
use crate::language::{Language, taxonomy};
use crate::modules::FileId;
use crate::project::PathFilter;
use crate::question::nearest::{Meaning, Nearest};
use crate::reader::core::Reader;
use crate::reader::languages::unknown_language;
use crate::request::error::EngineError;
use crate::request::search_messages::{ScoreParts, SearchLine, SearchMode, SearchRequest, SearchResponse, SearchRow};
use crate::request::symbol_messages::SymbolRow;
use crate::workspace::files::Workspace;
use crate::workspace::known_facts::ProjectFacts;

/// How many results there are if nothing else is asked for.
const RESULTS: usize = 10;
/// How many documents are read from the database at first.
const READ: usize = 200;
/// The longest line shown, in characters.
const LINE: usize = 160;
/// How many lines are shown besides the first one.
const LINES: usize = 2;
/// What words of the query in the path add to a score, as a part of the best score, if all of them are in it.
const IN_PATH: f64 = 0.08;
/// What words of a name that are in the query add, if all of them are.
const IN_NAME: f64 = 0.25;
/// How much a score counts in tests, unless tests are looked for.
const IN_TESTS: f64 = 0.75;
/// How much the score of other things counts beside that of a function.
const OTHER_KINDS: [(&str, f64); 3] = [("class", 0.85), ("variable", 0.7), ("file", 0.6)];

/// What is added to a place in an order before it counts as one part of this number: the smaller, the more the first places count.
const FUSED: f64 = 60.0;
/// How much the closeness of a test counts, unless tests are looked for.
const MEANING_IN_TESTS: f64 = 0.9;

/// Lists definitions by the words in them, the best first.
///
/// # Errors
/// If the query has no word, or names an unknown kind, or a glob is invalid.
pub(crate) fn search(request: &SearchRequest, reader: &Reader) -> Result<SearchResponse, EngineError> {
    let query = Query::parse(&request.query).map_err(query_error)?;
    if let Some(kind) = query.kinds.iter().find(|kind| !taxonomy().contains(kind)) {
        let error = EngineError::bad_request(format!("unknown kind `{kind}`"));
        return Err(error.hint("kinds are words like `function`, `class`, `method`"));
    }
    let paths = (!query.paths.is_empty()).then(|| PathFilter::new(&query.paths)).transpose();
    let paths = paths.map_err(|error| EngineError::bad_request(error.to_string()))?;
    let languages = query.languages.iter().map(|name| reader.languages_known().named(name));
    let languages = languages.collect::<Result<Vec<_>, _>>();
    let languages = languages.map_err(|error| unknown_language(&error, reader.languages_known()))?;
    let workspace = reader.workspace_with(&request.targets, &request.reading, true)?;
    let chosen = Chosen { languages, paths, files: workspace.chosen(None)? };
    let meaning = match request.mode {
        Some(SearchMode::Lexical) => Ok(None),
        _ => workspace.meaning(&query.plain),
    };
    let (meaning, note) = match (request.mode, meaning) {
        (Some(SearchMode::Semantic), Ok(None)) => {
            let error = EngineError::bad_request("there are no vectors to search by meaning");
            return Err(error.hint("make them with an embedding model: {embed}; words need none"));
        }
        (Some(SearchMode::Semantic), Err(error)) => return Err(error),
        (_, Ok(meaning)) => (meaning, None),
        // Words need no model.
        (_, Err(error)) => (None, Some(format!("searched by words alone: {}", error.message))),
    };
    let mut answer = workspace
        .ask_facts(|workspace, parts| request.ranked(workspace, (parts, meaning.as_ref()), &query, &chosen))?;
    answer.note = note;
    Ok(answer)
}

impl SearchRequest {
    /// The results; `None` if a database is damaged.
    fn ranked(
        &self,
        workspace: &Workspace<'_>,
        (parts, meaning): (&[&ProjectFacts], Option<&Meaning>),
        query: &Query,
        chosen: &Chosen,
    ) -> Result<Option<SearchResponse>, EngineError> {
        let limit = self.limit.unwrap_or(RESULTS);
        let mut search = Search { workspace, query, chosen, found: Vec::new() };
        let mut is_more = false;
        if self.mode != Some(SearchMode::Semantic) {
            for facts in parts {
                let Some(more) = search.collect(facts, limit) else { return Ok(None) };
                is_more |= more;
            }
        }
        let best = search.found.iter().map(|found| found.hit.score).fold(0.0, f64::max);
        let sought: FxHashSet<String> = query.sought().map(stem).collect();
        let mut found = search.found;
        for found in &mut found {
            let definition = found.definitions.get(found.hit.document);
            let kind = definition.map_or("file", |definition| &definition.kind);
            let name = definition.map_or("", |definition| &definition.name);
            let is_of = |(other, _): &&(&str, f64)| kind == *other || taxonomy().is_a(kind, other);
            let factor = OTHER_KINDS.iter().find(is_of).map_or(1.0, |(_, factor)| *factor);
            let path = &workspace.project.file(found.file).path;
            let factor = if is_test(&sought, path) { factor * IN_TESTS } else { factor };
            let bonus = IN_PATH * in_path(&sought, path) + IN_NAME * in_name(&sought, name);
            found.score = found.hit.score * factor + best * bonus;
        }
        sort(&mut found);
        let mut without_vectors = 0;
        if let Some(meaning) = meaning {
            let mut near = Search { workspace, query, chosen, found: Vec::new() };
            for facts in parts {
                let Some(nearest) = meaning.nearest(facts, query) else { return Ok(None) };
                without_vectors += nearest.missing;
                let Some(more) = near.collect_nearest(facts, &nearest, limit) else { return Ok(None) };
                is_more |= more;
            }
            near.order_nearest(&sought);
            found = match self.mode {
                Some(SearchMode::Semantic) => near.found,
                _ => fuse(found, near.found),
            };
        }
        is_more |= found.len() > limit;
        found.truncate(limit);
        let results = found.into_iter().map(|found| {
            let explained = match self.explain {
                // A document that only its meaning found has no score by words.
                true => Some(found.facts.database().parts(query, found.hit).unwrap_or_default()),
                false => None,
            };
            let parts = explained.map(|parts| ScoreParts {
                name: parts.name,
                scope: parts.scope,
                signature: parts.signature,
                documentation: parts.documentation,
                body: parts.body,
                lexical_rank: found.ranks.lexical,
                semantic_rank: found.ranks.semantic,
                similarity: found.ranks.similarity,
                order: if found.ranks.semantic.is_some() { 0.0 } else { found.score - found.hit.score },
            });
            row(workspace, found, &sought, parts)
        });
        let results = results.collect();
        Ok(Some(SearchResponse {
            results,
            truncated: is_more,
            project: workspace.report(),
            unsaved: workspace.unsaved.len(),
            without_vectors,
            note: None,
            skipped: workspace.take_skipped(),
        }))
    }
}

/// Which definitions are wanted, as far as the query says so.
struct Chosen {
    languages: Vec<&'static Language>,
    paths: Option<PathFilter>,
    /// The files that the request's targets and options choose.
    files: Option<FxHashSet<FileId>>,
}

fn query_error(error: QueryError) -> EngineError {
    match error {
        QueryError::NoWord => EngineError::bad_request("the query has no word to search for")
            .hint("name some words; `symbols` lists definitions by name and kind"),
        QueryError::NoValue(key) => EngineError::bad_request(format!("`{key}:` has no value"))
            .hint("write the value after the colon: `kind:class`, `lang:go`, `path:src/**`, `in:Server`"),
    }
}

struct Search<'a> {
    workspace: &'a Workspace<'a>,
    query: &'a Query,
    chosen: &'a Chosen,
    found: Vec<RankedDocument<'a>>,
}

/// A document that fits, in one of the files that have it.
struct RankedDocument<'a> {
    facts: &'a ProjectFacts,
    hit: Hit,
    score: f64,
    ranks: Ranks,
    file: FileId,
    /// All definitions of the file; the document's is one of them, or it is the rest of the file.
    definitions: Rc<Vec<DefinitionFacts>>,
}

/// The places of a document in both orders.
#[derive(Debug, Clone, Copy, Default)]
struct Ranks {
    lexical: Option<usize>,
    semantic: Option<usize>,
    similarity: Option<f64>,
}

/// The best first.
fn sort(found: &mut [RankedDocument<'_>]) {
    found.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| (one.file, one.hit.document).cmp(&(other.file, other.hit.document)))
    });
}

/// One order of two: reciprocal ranks add up.
fn fuse<'a>(lexical: Vec<RankedDocument<'a>>, semantic: Vec<RankedDocument<'a>>) -> Vec<RankedDocument<'a>> {
    let mut places: FxHashMap<(FileId, usize), usize> = FxHashMap::default();
    let mut fused = lexical;
    for (number, found) in fused.iter_mut().enumerate() {
        found.ranks.lexical = Some(number + 1);
        places.insert((found.file, found.hit.document), number);
    }
    for found in semantic {
        match places.get(&(found.file, found.hit.document)) {
            Some(&place) => {
                let ranks = &mut fused[place].ranks;
                *ranks = Ranks { lexical: ranks.lexical, ..found.ranks };
            }
            None => fused.push(found),
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "places in a list")]
    let part = |rank: Option<usize>| rank.map_or(0.0, |rank| 1.0 / (FUSED + rank as f64));
    for found in &mut fused {
        found.score = part(found.ranks.lexical) + part(found.ranks.semantic);
    }
    sort(&mut fused);
    fused
}

impl<'a> Search<'a> {
    /// Orders the closest documents; those of tests count less, unless tests are looked for.
    fn order_nearest(&mut self, sought: &FxHashSet<String>) {
        for found in &mut self.found {
            if is_test(sought, &self.workspace.project.file(found.file).path) {
                found.score *= MEANING_IN_TESTS;
            }
        }
        sort(&mut self.found);
        for (number, found) in self.found.iter_mut().enumerate() {
            found.ranks.semantic = Some(number + 1);
        }
    }

    /// Adds the closest documents of a database; whether there are more. `None` if it is damaged.
    fn collect_nearest(&mut self, facts: &'a ProjectFacts, nearest: &Nearest, limit: usize) -> Option<bool> {
        let most = READ.max(limit.saturating_mul(4));
        let mut known = FxHashMap::default();
        let mut count = 0;
        for near in &nearest.documents {
            for &file in facts.files(near.content) {
                let definitions = definitions(facts, near.content, &mut known)?;
                if self.fits(file, definitions.get(near.document)) {
                    if count == most {
                        return Some(true);
                    }
                    count += 1;
                    let similarity = f64::from(near.similarity);
                    let hit = Hit { content: near.content, document: near.document, score: 0.0 };
                    let ranks = Ranks { similarity: Some(similarity), ..Ranks::default() };
                    self.found.push(RankedDocument { facts, hit, score: similarity, ranks, file, definitions });
                }
            }
        }
        Some(false)
    }

    /// Adds the best documents of a database; whether there may be more. `None` if it is damaged.
    fn collect(&mut self, facts: &'a ProjectFacts, limit: usize) -> Option<bool> {
        let mut most = READ.max(limit.saturating_mul(4));
        loop {
            let hits = facts.database().search(self.query, most).ok()?;
            let is_all = hits.len() < most;
            let mut found = Vec::new();
            let mut known = FxHashMap::default();
            for hit in hits {
                for &file in facts.files(hit.content) {
                    let definitions = definitions(facts, hit.content, &mut known)?;
                    if self.fits(file, definitions.get(hit.document)) {
                        found.push(RankedDocument {
                            facts,
                            hit,
                            score: hit.score,
                            ranks: Ranks::default(),
                            file,
                            definitions,
                        });
                    }
                }
            }
            // Words in paths may change the order a little.
            if is_all || found.len() >= limit.saturating_mul(2) {
                self.found.append(&mut found);
                return Some(!is_all);
            }
            most = most.saturating_mul(8);
        }
    }

    /// Whether a document passes the filters.
    fn fits(&self, file: FileId, definition: Option<&DefinitionFacts>) -> bool {
        let query = self.query;
        let kind = definition.map_or("module", |definition| definition.kind.as_str());
        let about = self.workspace.project.file(file);
        (query.kinds.is_empty() || query.kinds.iter().any(|wanted| taxonomy().is_a(kind, wanted)))
            && (self.chosen.languages.is_empty()
                || self.chosen.languages.iter().any(|wanted| wanted.name() == about.language.name()))
            && self.chosen.files.as_ref().is_none_or(|files| files.contains(&file))
            && self.chosen.paths.as_ref().is_none_or(|paths| paths.fits(&about.path))
            && (query.within.is_empty()
                || definition.is_some_and(|definition| {
                    let mut parts = definition.scope.split(['.', ':', '#', '/']);
                    parts.any(|part| query.within.iter().any(|wanted| wanted == part))
                }))
    }
}

/// The definitions of a content, which are read once; `None` if the database is damaged.
fn definitions(
    facts: &ProjectFacts,
    content: Content,
    known: &mut FxHashMap<Content, Rc<Vec<DefinitionFacts>>>,
) -> Option<Rc<Vec<DefinitionFacts>>> {
    match known.entry(content) {
        Entry::Occupied(known) => Some(Rc::clone(known.get())),
        Entry::Vacant(place) => {
            let definitions = facts.database().definitions(content).ok()?;
            Some(Rc::clone(place.insert(Rc::new(definitions))))
        }
    }
}

/// Whether a path is one of tests, and tests are not looked for.
fn is_test(sought: &FxHashSet<String>, path: &str) -> bool {
    let mut text = String::new();
    words(path).for_each(|word| add_parts(word, &mut text));
    let is_test = |word: &str| matches!(word, "test" | "tests" | "testing" | "spec");
    text.split_whitespace().any(is_test) && !sought.iter().any(|word| is_test(word))
}

/// How many of the words that are looked for are in a path, as a part of them.
fn in_path(sought: &FxHashSet<String>, path: &str) -> f64 {
    let mut text = String::new();
    words(path).for_each(|word| add_parts(word, &mut text));
    let parts: FxHashSet<String> = text.split_whitespace().map(stem).collect();
    share(sought.iter().filter(|word| parts.contains(*word)).count(), sought.len())
}

/// How many words of a name are looked for, as a part of them. One may be the beginning of the other: `auth`, `authority`.
fn in_name(sought: &FxHashSet<String>, name: &str) -> f64 {
    let mut text = String::new();
    words(name).for_each(|word| add_parts(word, &mut text));
    let parts: FxHashSet<String> = text.split_whitespace().map(stem).collect();
    let begins = |one: &str, other: &str| other.len() >= 3 && one.len() >= 4 && one.starts_with(other);
    let fits =
        |part: &&String| sought.contains(*part) || sought.iter().any(|word| begins(word, part) || begins(part, word));
    share(parts.iter().filter(fits).count(), parts.len())
}

fn share(count: usize, all: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "numbers of words")]
    let (count, all) = (count as f64, all.max(1) as f64);
    count / all
}

/// A word without its ending, so that `handles` and `handling` fit `handle`. Only for marking; the index has its own rule.
fn stem(word: &str) -> String {
    let mut stem = word;
    for ending in ["ings", "ing", "ions", "ion", "ers", "er", "ed", "es", "s", "e"] {
        if let Some(rest) = stem.strip_suffix(ending).filter(|rest| rest.len() >= 3) {
            stem = rest;
            break;
        }
    }
    stem.to_owned()
}

/// A result as it is shown.
fn row(
    workspace: &Workspace<'_>,
    found: RankedDocument<'_>,
    sought: &FxHashSet<String>,
    parts: Option<ScoreParts>,
) -> SearchRow {
    let definition = found.definitions.get(found.hit.document);
    let bytes = workspace.bytes(found.file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let range = match definition {
        Some(definition) => definition.lines,
        None => (1, u32::MAX),
    };
    // Lines of definitions inside it belong to these.
    let is_inner = |line: u32| {
        found.definitions.iter().enumerate().any(|(number, other)| {
            number != found.hit.document
                && other.lines.0 <= line
                && line <= other.lines.1
                && other.lines != range
                && range.0 <= other.lines.0
                && other.lines.1 <= range.1
        })
    };
    let place = definition.map_or((1, 1), |definition| definition.place);
    let mut lines: Vec<(usize, SearchLine)> = Vec::new();
    let numbered = (1u32..).zip(text.lines()).skip(range.0.saturating_sub(1) as usize);
    for (number, line) in numbered.take_while(|&(number, _)| number <= range.1) {
        if definition.is_some() && number == place.0 {
            continue;
        }
        let (marks, fit) = marks(line, sought);
        if fit > 0 && !is_inner(number) {
            lines.push((fit, SearchLine { line: number as usize, text: cut(line), marks }));
        }
    }
    lines.sort_by_key(|(fit, line)| (std::cmp::Reverse(*fit), line.line));
    lines.truncate(LINES);
    lines.sort_by_key(|(_, line)| line.line);
    let lines: Vec<SearchLine> = lines.into_iter().map(|(_, line)| line).collect();
    let file = &workspace.project.file(found.file).path;
    let symbol = SymbolRow {
        qualname: definition
            .map_or_else(|| file.rsplit('/').next().unwrap_or(file).to_owned(), DefinitionFacts::qualname),
        kind: definition.map_or("file", |definition| &definition.kind).to_owned(),
        path: workspace.shown(found.file),
        line: match definition {
            Some(_) => place.0 as usize,
            None => lines.first().map_or(1, |line| line.line),
        },
        col: place.1 as usize,
    };
    let signature = definition.map(|definition| definition.signature.clone()).unwrap_or_default();
    SearchRow { symbol, signature, score: found.score, lines, parts }
}

/// Where the words that are looked for are in a line, as columns from 1, and how many different ones there are.
fn marks(line: &str, sought: &FxHashSet<String>) -> (Vec<(usize, usize)>, usize) {
    let (mut marks, mut different) = (Vec::new(), FxHashSet::default());
    let shown = line.trim_start();
    let mut col = 1;
    let mut rest = shown;
    while let Some(start) = rest.find(|letter: char| letter.is_alphanumeric() || letter == '_') {
        let word = &rest[start..];
        let end = word.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(word.len());
        col += rest[..start].chars().count();
        let length = word[..end].chars().count();
        let mut parts = String::new();
        add_parts(&word[..end], &mut parts);
        let fits: Vec<String> = parts.split_whitespace().map(stem).filter(|part| sought.contains(part)).collect();
        if !fits.is_empty() {
            if col + length <= LINE {
                marks.push((col, col + length));
            }
            different.extend(fits);
        }
        col += length;
        rest = &word[end..];
    }
    (marks, different.len())
}

fn cut(line: &str) -> String {
    line.trim().chars().take(LINE).collect()
}
