//! `explain`: how a selector was read, how many nodes survived each step, and what nearly matched.

use serde_json::{Map, Value};

use super::document::Document;
use super::find::Queries;
use super::reference::selector_of;
use super::{Engine, EngineError, ErrorCode, ExplainRequest, ExplainResponse, FilesReport, StepRow};
use crate::language::Language;
use crate::selector::{NearMiss, Query, words};

/// How many near misses are listed.
const NEAR: usize = 5;
/// Words of this many or more are too many to list.
const MANY_WORDS: usize = 400;

impl Engine {
    /// Explains a selector, with numbers where there is something to search.
    ///
    /// # Errors
    /// When the selector or the target is wrong.
    pub fn explain(&self, request: &ExplainRequest) -> Result<ExplainResponse, EngineError> {
        let selector = selector_of(request.selector.as_deref(), request.pattern.as_deref())?;
        let names = self.names(&request.define)?;
        let mut queries = Queries::new(&selector, &names);
        let mut response =
            ExplainResponse { read_as: String::new(), steps: Vec::new(), near: Vec::new(), words: Map::new() };
        let Some(target) = &request.target else {
            let (language, query) = first_language(&mut queries, request.reading.language.as_deref())?;
            response.read_as = query.read_as();
            response.steps = steps_alone(query);
            response.words = words_of(language);
            return Ok(response);
        };
        let mut report = FilesReport::default();
        let searched = self.searched(std::slice::from_ref(target), &request.reading, &mut report)?;
        let mut language = None;
        self.each_document(searched, &request.reading, &mut report, |document, _, _| {
            let query = queries.of(document.tree.language())?;
            if language.is_none() {
                language = Some(document.tree.language());
                response.read_as = query.read_as();
            }
            self.add_survivors(&mut response, query, &document);
            Ok(true)
        })?;
        let language = match language {
            Some(language) => language,
            None => {
                let (language, query) = first_language(&mut queries, request.reading.language.as_deref())?;
                response.read_as = query.read_as();
                language
            }
        };
        response.words = words_of(language);
        Ok(response)
    }

    /// Adds what a tree's nodes did at each step, and the near misses as long as nothing matches.
    fn add_survivors(&self, response: &mut ExplainResponse, query: &Query, document: &Document) {
        let tree = &document.tree;
        let counts = query.survivors(tree).into_iter().flatten();
        for (place, count) in counts.enumerate() {
            match response.steps.get_mut(place) {
                Some(row) => row.nodes = Some(row.nodes.unwrap_or(0) + count.nodes),
                None => response.steps.push(StepRow { step: count.step, nodes: Some(count.nodes) }),
            }
        }
        let room = NEAR - response.near.len().min(NEAR);
        if room == 0 {
            return;
        }
        let path = self.shown_path(document).unwrap_or_else(|| "-".to_owned());
        let in_words = |miss: NearMiss| {
            let line = tree.text().line_at(tree.span(miss.node).start());
            let NearMiss { found, step, wanted, node } = miss;
            format!("{path}:{line} {}: `{found}` where {} wants `{wanted}`", tree.id(node), step.trim())
        };
        response.near.extend(query.near_misses(tree, room).into_iter().map(in_words));
    }
}

/// The first language that knows every word of the selector.
fn first_language<'a>(
    queries: &'a mut Queries<'_>,
    named: Option<&str>,
) -> Result<(&'static Language, &'a Query), EngineError> {
    let languages = match named {
        Some(name) => vec![Language::named(name).map_err(|error| super::document::unknown_language(&error))?],
        None => Language::all(),
    };
    let mut first = None;
    let mut fitting = None;
    for language in languages {
        match queries.of(language) {
            Ok(_) => {
                fitting = Some(language);
                break;
            }
            Err(error) => first = first.or(Some(error)),
        }
    }
    match fitting {
        Some(language) => Ok((language, queries.of(language)?)),
        None => {
            Err(first.unwrap_or_else(|| EngineError::new(ErrorCode::UnsupportedLanguage, "no language is built in")))
        }
    }
}

/// The steps of a selector that has nothing to search.
fn steps_alone(query: &Query) -> Vec<StepRow> {
    query.read_as().split([',', '\n']).map(|step| StepRow { step: step.trim().to_owned(), nodes: None }).collect()
}

/// The words that a selector may use.
fn words_of(language: &'static Language) -> Map<String, Value> {
    let listed = words(language).into_iter().filter(|(_, words)| words.len() < MANY_WORDS);
    listed.map(|(purpose, words)| (purpose.to_owned(), Value::from(words))).collect()
}
