//! `symbols`: definitions by name.

use rustc_hash::FxHashSet;

use crate::facts::DefinitionFacts;
use crate::modules::FileId;
use crate::outline;
use crate::reader::core::Reader;
use crate::reader::rows::outline_error;
use crate::request::error::EngineError;
use crate::request::symbol_messages::*;
use crate::workspace::files::Workspace;
use crate::workspace::known_facts::ProjectFacts;

/// Lists definitions by name: exact names first, then names that begin so, then those that contain it, then similar
/// ones.
///
/// # Errors
/// If a kind is unknown.
pub(crate) fn symbols(request: &SymbolsRequest, reader: &Reader) -> Result<SymbolsResponse, EngineError> {
    let options = outline::Options { kinds: request.kinds.clone(), ..outline::Options::default() };
    options.check().map_err(outline_error)?;
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let query = request.query.as_deref().unwrap_or_default();
    let mut found = request.rank_definitions(&workspace, &options, query, query)?;
    if found.is_empty() && !query.is_empty() {
        // Other spellings: each file may have one.
        found = request.rank_definitions(&workspace, &options, query, "")?;
    }
    found.sort_by(|one, other| {
        let key = |ranked: &Ranked| (ranked.rank, ranked.row.qualname.len());
        key(one).cmp(&key(other)).then_with(|| place(&one.row).cmp(&place(&other.row)))
    });
    let total = found.len();
    found.truncate(request.limit.unwrap_or(usize::MAX));
    let symbols = found.into_iter().map(|ranked| ranked.row).collect();
    let (project, unsaved) = (workspace.report(), workspace.unsaved.len());
    Ok(SymbolsResponse { symbols, total, project, unsaved, skipped: workspace.take_skipped() })
}

/// A definition, and how well its name fits: 0 is best.
struct Ranked {
    rank: u8,
    row: SymbolRow,
}

fn place(row: &SymbolRow) -> (&str, usize, usize) {
    (&row.path, row.line, row.col)
}

impl SymbolsRequest {
    /// The definitions whose names fit, in the files that contain a word.
    fn rank_definitions(
        &self,
        workspace: &Workspace<'_>,
        options: &outline::Options,
        query: &str,
        word: &str,
    ) -> Result<Vec<Ranked>, EngineError> {
        let last = query.rsplit(['.', ':']).next().unwrap_or(query);
        let chosen = workspace.chosen(None)?;
        let is_chosen = |file: &FileId| chosen.as_ref().is_none_or(|chosen| chosen.contains(file));
        let known = workspace.facts.as_ref().filter(|_| self.kinds.is_empty());
        let (mut found, unknown) = match known.and_then(|facts| Some((facts, known_definitions(facts, query, last)?))) {
            Some((facts, known)) => {
                let known = known.into_iter().filter(|(file, _)| is_chosen(file));
                let ranked = known.filter_map(|(file, definition)| {
                    let rank = rank(&definition.name, &definition.qualname(), query, last)?;
                    let (line, col) = (definition.place.0 as usize, definition.place.1 as usize);
                    let (qualname, path) = (definition.qualname(), workspace.shown(file));
                    Some(Ranked { rank, row: SymbolRow { qualname, kind: definition.kind, path, line, col } })
                });
                (ranked.collect(), Some(facts.unknown().filter(is_chosen).collect::<FxHashSet<FileId>>()))
            }
            None => (Vec::new(), chosen.clone()),
        };
        let word = if word.is_empty() { "" } else { last };
        let mut read = workspace.look(word, unknown.as_ref(), |resolver, file| {
            workspace.note_errors(resolver, file);
            let Some(tree) = resolver.tree(file) else { return Vec::new() };
            let Ok(definitions) = outline::outline(tree, options) else { return Vec::new() };
            let ranked = definitions.into_iter().filter_map(|definition| {
                let rank = rank(&definition.name, &definition.qualname, query, last)?;
                let start = tree.start(tree.name_node(definition.node).unwrap_or(definition.node));
                let (path, kind) = (workspace.shown(file), definition.kind.to_owned());
                let row = SymbolRow { qualname: definition.qualname, kind, path, line: start.line, col: start.col() };
                Some(Ranked { rank, row })
            });
            ranked.collect()
        })?;
        found.append(&mut read);
        Ok(found)
    }
}

/// The definitions that may fit, as far as the database knows; `None` if it is damaged.
fn known_definitions(facts: &ProjectFacts, query: &str, last: &str) -> Option<Vec<(FileId, DefinitionFacts)>> {
    match query == last {
        true => facts.named(|name| rank(name, name, query, last).is_some()),
        false => facts.named(|name| name.ends_with(last)),
    }
}

/// How well a name fits: the same, the end of its qualified name, its start, a part, the starts of its words.
fn rank(name: &str, qualname: &str, query: &str, last: &str) -> Option<u8> {
    if query.is_empty() || name == query {
        return Some(0);
    }
    if query != last {
        let fits = qualname == query || qualname.strip_suffix(query).is_some_and(|head| head.ends_with('.'));
        return fits.then_some(0);
    }
    if name.starts_with(query) {
        return Some(1);
    }
    if name.contains(query) {
        return Some(2);
    }
    let (lower, wanted) = (name.to_lowercase(), query.to_lowercase());
    if lower.contains(&wanted) {
        return Some(3);
    }
    has_humps(name, query).then_some(4).or_else(|| (strsim::jaro(&lower, &wanted) > 0.9).then_some(5))
}

/// Whether a query is made of the starts of a name's words, in order: `gOO4` and `goo4` fit `getObjectOr404`.
fn has_humps(name: &str, query: &str) -> bool {
    let mut letters = query.chars().filter(|letter| *letter != '_').peekable();
    let mut previous = '_';
    let mut in_word = false;
    for letter in name.chars() {
        let begins = previous == '_'
            || letter.is_uppercase() && !previous.is_uppercase()
            || letter.is_numeric() && !previous.is_numeric();
        previous = letter;
        let Some(wanted) = letters.peek() else { break };
        let same = wanted.to_lowercase().eq(letter.to_lowercase());
        if same && (begins || in_word) {
            letters.next();
            in_word = true;
        } else {
            in_word = false;
        }
    }
    letters.peek().is_none()
}
