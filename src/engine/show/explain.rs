//! `explain`: how a selector was read, how many nodes survived each step, and what nearly matched.

use std::sync::Arc;

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::language::{Language, Languages};
use crate::project::Sink;
use crate::reader::document::Document;
use crate::reader::names::Names;
use crate::reader::queries::Queries;
use crate::reader::reference::selector_of;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::searched::Searched;
use crate::request::entries::Entries;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::FilesReport;
use crate::request::requests::{ExplainRequest, Reading};
use crate::request::responses::{ExplainResponse, LanguageDefinition, StepRow};
use crate::selector::{Definitions, NearMiss, Query, StepCount, failed_readings, words};

/// How many near misses are listed.
const NEAR: usize = 5;
/// Words of this many or more are too many to list.
const MANY_WORDS: usize = 400;

impl Method for ExplainRequest {
    const NAME: &'static str = "explain";
    const READS: bool = true;
    type Result = ExplainResponse;

    /// Explains a selector, with numbers where there is something to search.
    ///
    /// # Errors
    /// When the selector or the target is wrong.
    fn run(&self, engine: &Begun<'_>) -> Result<ExplainResponse, EngineError> {
        engine.explain_impl(self).map_err(|error| with_readings(error, self, engine.languages_known()))
    }
}

impl Begun<'_> {
    fn explain_impl(&self, request: &ExplainRequest) -> Result<ExplainResponse, EngineError> {
        let selector = selector_of(request.selector.as_deref(), request.pattern.as_deref())?;
        let names = self.names(&request.define)?;
        let mut response = ExplainResponse {
            read_as: String::new(),
            steps: Vec::new(),
            named: Vec::new(),
            near: Vec::new(),
            words: Entries::default(),
            selectors: Vec::new(),
            with_errors: Vec::new(),
            skipped: Vec::new(),
            unknown_language: 0,
        };
        let Some(target) = &request.target else {
            let queries = Queries::new(self.languages_known(), &selector, &names);
            let (language, query) = first_language(&queries, request.reading.language.as_deref())?;
            response.read_as = query.read_as();
            response.steps = steps_alone(&query);
            response.named = named_in(selector.source(), language, &names)?;
            response.words = words_of(language);
            response.selectors = names.used();
            return Ok(response);
        };
        let mut report = FilesReport::default();
        let searched = self.resolve_targets(std::slice::from_ref(target), &request.reading, &mut report)?;
        let queries = if searched.single { Queries::new } else { Queries::mixed };
        let queries = queries(self.languages_known(), &selector, &names);
        let explainer = Explainer { queries: &queries };
        if !searched.single {
            let met = self.languages_in_play(&searched, &request.reading);
            explainer.queries.check(&met, || self.hidden_languages(&searched, &request.reading))?;
        }
        let (mut language, mut near, mut reached) = (None, Vec::new(), Vec::new());
        self.visit(&searched, &request.reading, &explainer, &mut report, |explained, _| {
            if language.is_none() {
                language = Some(explained.language);
                response.read_as = explained.query.read_as();
            }
            note_reached(&mut reached, &explained.reached);
            near.extend(explained.near);
            near = furthest(std::mem::take(&mut near), &reached);
            near.truncate(NEAR);
            add_survivors(&mut response, explained.steps);
            Ok(true)
        })?;
        response.near = near.into_iter().map(|miss| miss.words).collect();
        let language = match language {
            Some(language) => language,
            None => {
                let (language, query) = first_language(explainer.queries, request.reading.language.as_deref())?;
                response.read_as = query.read_as();
                language
            }
        };
        response.named = named_in(selector.source(), language, &names)?;
        response.words = words_of(language);
        response.selectors = names.used();
        let FilesReport { with_errors, skipped, unknown_language, .. } = report;
        Ok(ExplainResponse { with_errors, skipped, unknown_language, ..response })
    }
}

impl Begun<'_> {
    /// What an answer without matches says besides: that a pattern is not code, and what comes nearest. Of many files nothing, since they
    /// would be searched once more.
    pub(crate) fn near(
        &self,
        queries: &Queries<'_>,
        met: &[&'static Language],
        searched: &Searched,
        reading: &Reading,
        files: usize,
    ) -> Result<Vec<String>, EngineError> {
        const LISTED: usize = 3;
        const FILES: usize = 100;
        let holes = queries.foreign_holes();
        if files > FILES {
            return Ok(holes.into_iter().collect());
        }
        let misses = self.near_misses(queries, searched, reading)?;
        Ok(holes.into_iter().chain(queries.unread_pattern(met)).chain(misses).take(LISTED).collect())
    }

    /// What comes nearest to a selector that finds nothing, the most alike first: what is hardly like it is left out, and so
    /// are the files behind the first few hundred.
    fn near_misses(
        &self,
        queries: &Queries<'_>,
        searched: &Searched,
        reading: &Reading,
    ) -> Result<Vec<String>, EngineError> {
        const FILES: usize = 300;
        const ALIKE: f64 = 0.8;
        let (mut near, mut reached, mut files) = (Vec::new(), Vec::new(), 0);
        self.visit(searched, reading, &Explainer { queries }, &mut FilesReport::default(), |explained, _| {
            note_reached(&mut reached, &explained.reached);
            near.extend(explained.near);
            files += 1;
            Ok(files < FILES)
        })?;
        let mut near = furthest(near, &reached);
        near.sort_by(|first, second| second.likeness.total_cmp(&first.likeness));
        // In one file whatever comes nearest helps; of many files there is always something.
        if files > 1 || near.first().is_some_and(|best| best.likeness >= ALIKE) {
            near.retain(|miss| miss.likeness >= ALIKE);
        }
        Ok(near.into_iter().map(|miss| miss.words).take(NEAR).collect())
    }
}

/// Notes how far each branch of a selector came, over all files.
fn note_reached(all: &mut Vec<usize>, reached: &[usize]) {
    all.resize(all.len().max(reached.len()), 0);
    all.iter_mut().zip(reached).for_each(|(most, &reached)| *most = reached.max(*most));
}

/// Only the misses at the step up to which a branch came in any file: where `class#A > method#b` has its class in one file, a class `A2`
/// in another isn't what is missing.
fn furthest(mut near: Vec<Miss>, reached: &[usize]) -> Vec<Miss> {
    near.retain(|miss| reached.get(miss.branch).is_none_or(|&most| miss.place >= most));
    near
}

/// Explains a selector by one file.
struct Explainer<'a> {
    queries: &'a Queries<'a>,
}

/// What a file's nodes did.
struct Explained {
    language: &'static Language,
    query: Arc<Query>,
    steps: Vec<StepRow>,
    near: Vec<Miss>,
    /// For each branch, how many steps in a row left some node.
    reached: Vec<usize>,
}

/// A node that nearly matched, in words.
struct Miss {
    branch: usize,
    /// The place of the step that it fails.
    place: usize,
    /// How alike it is to what was wanted.
    likeness: f64,
    words: String,
}

impl FileVisitor for Explainer<'_> {
    type Found = Explained;

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, Explained>) -> Result<(), EngineError> {
        seen.documents().try_for_each(|document| self.explain(document, seen.path.as_deref(), send))
    }
}

impl Explainer<'_> {
    fn explain(&self, document: &Document, path: Option<&str>, send: Sink<'_, Explained>) -> Result<(), EngineError> {
        let tree = &document.tree;
        let query = self.queries.of(tree.language())?;
        let branches = query.survivors(tree);
        let reached = |counts: &Vec<StepCount>| counts.iter().take_while(|count| count.nodes > 0).count();
        let reached = branches.iter().map(reached).collect();
        let counts = branches.into_iter().flatten();
        let steps = counts.map(|count| StepRow { step: count.step, nodes: Some(count.nodes) }).collect();
        let path = path.unwrap_or("-");
        let in_words = |miss: NearMiss| {
            let line = tree.text().line_at(tree.span(miss.node).start());
            let NearMiss { found, step, wanted, likeness, branch, place, .. } = miss;
            let words = format!("{path}:{line}: `{found}` where {} wants `{wanted}`", step.trim());
            Miss { branch, place, likeness, words }
        };
        let near = query.near_misses(tree, NEAR).into_iter().map(in_words).collect();
        send(Explained { language: tree.language(), query, steps, near, reached }, 0);
        Ok(())
    }
}

/// Adds what a file's nodes did at each step.
fn add_survivors(response: &mut ExplainResponse, steps: Vec<StepRow>) {
    for (place, count) in steps.into_iter().enumerate() {
        match response.steps.get_mut(place) {
            Some(row) => row.nodes = Some(row.nodes.unwrap_or(0) + count.nodes.unwrap_or(0)),
            None => response.steps.push(count),
        }
    }
}

/// The first language that knows every word of the selector.
fn first_language(queries: &Queries<'_>, named: Option<&str>) -> Result<(&'static Language, Arc<Query>), EngineError> {
    let languages = match named {
        Some(name) => vec![
            queries
                .languages()
                .named(name)
                .map_err(|error| crate::reader::languages::unknown_language(&error, queries.languages()))?,
        ],
        None => queries.languages().all(),
    };
    let mut first = None;
    for language in languages {
        match queries.of(language) {
            Ok(query) => return Ok((language, query)),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| EngineError::new(ErrorCode::UnsupportedLanguage, "no language is built in")))
}

/// Of a pattern that is not code in the language named, all readings: other requests give the likeliest alone.
fn with_readings(mut error: EngineError, request: &ExplainRequest, languages: &Languages) -> EngineError {
    let language = request.reading.language.as_deref().and_then(|name| languages.named(name).ok());
    if error.code == ErrorCode::BadPattern
        && let (Some(pattern), Some(language)) = (&request.pattern, language)
    {
        let first = error.message.lines().next().unwrap_or_default().to_owned();
        let readings = failed_readings(pattern, language).join("\n").replace('\n', "\n  ");
        error.message = format!("{first}\n  {readings}");
    }
    error
}

/// The definitions of the named selectors that a selector uses, in one language.
fn named_in(
    selector: &str,
    language: &'static Language,
    names: &Names,
) -> Result<Vec<LanguageDefinition>, EngineError> {
    let own = names.of(language)?;
    let lines = own.lines_of(Definitions::of(language)?, selector);
    let named = |definition: &str| LanguageDefinition {
        language: language.name().to_owned(),
        definition: definition.to_owned(),
    };
    Ok(lines.into_iter().map(named).collect())
}

/// The steps of a selector that has nothing to search.
fn steps_alone(query: &Query) -> Vec<StepRow> {
    query.read_as().split([',', '\n']).map(|step| StepRow { step: step.trim().to_owned(), nodes: None }).collect()
}

/// The words that a selector may use.
fn words_of(language: &'static Language) -> Entries<Vec<String>> {
    let listed = words(language).into_iter().filter(|(_, words)| words.len() < MANY_WORDS);
    listed.map(|(purpose, words)| (purpose.to_owned(), words)).collect()
}
