//! A second opinion about a rename: what a language server would change, compared with the plan.
//!
//! The server decides nothing alone. Its edits must contain all certain references; otherwise it does not know the project,
//! or the plan is wrong. What it adds counts as uncertain references, unless the plan already has them as such
//! already: then both agree. What is written is the plan's text, and the server's has to be the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::limits;
use crate::modules::FileId;
use crate::reader::configuration::ServerCommand;
use crate::reader::language_server::{LanguageServer, ServerEdit, ServerError, ServerRange};
use crate::refactor::{Renaming, new_names};
use crate::request::error::{EngineError, ErrorCode, PlaceRow, cancelled};
use crate::symbols::Site;
use crate::text::{Span, Text};
use crate::workspace::files::Workspace;

/// The first pause before the server is asked again; each is twice as long as the one before.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How many places an error lists.
const SHOWN: usize = 100;

/// What the server is asked.
pub(crate) struct Question<'a> {
    /// The symbol, and those that have to have its name.
    pub family: &'a [Site],
    pub old: &'a str,
    pub new: &'a str,
    /// The places that certainly refer to it.
    pub certain: &'a BTreeMap<FileId, Vec<Span>>,
    /// The places that may.
    pub doubtful: &'a [(FileId, Span)],
}

/// A place that has the old name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub file: FileId,
    pub start: usize,
}

/// What the server answers.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Opinion {
    /// The command of the server.
    pub server: String,
    /// Where it changes the old name, and what it writes there.
    names: BTreeMap<Spot, String>,
    /// Where it writes something else, or where no file of the project is.
    others: Vec<PlaceRow>,
    /// Where it sees a reference that has the old name.
    references: BTreeSet<Spot>,
    /// How many references it sees outside of the project.
    pub outside: usize,
    /// Why it did not rename, in its words.
    refusal: Option<String>,
}

impl Opinion {
    /// How many places the server renames.
    pub(crate) fn places(&self) -> usize {
        self.names.len()
    }

    /// Whether the server renames a place.
    pub(crate) fn renames(&self, file: FileId, start: usize) -> bool {
        self.names.contains_key(&Spot { file, start })
    }

    /// The places that the plan does not have at all, and why they matter.
    pub(crate) fn unknown(&self, question: &Question<'_>) -> Vec<(Spot, &'static str)> {
        let known = question.spots();
        let renamed = self.names.keys().map(|&spot| (spot, "only the language server renames it"));
        let seen = self.references.iter().filter(|spot| !self.names.contains_key(spot));
        let seen = seen.map(|&spot| (spot, "only the language server has it as a reference"));
        renamed.chain(seen).filter(|(spot, _)| !known.contains(spot)).collect()
    }

    fn lacking(&self, question: &Question<'_>) -> Vec<Spot> {
        question.certain_spots().filter(|spot| !self.names.contains_key(spot)).collect()
    }
}

impl Question<'_> {
    fn certain_spots(&self) -> impl Iterator<Item = Spot> {
        self.certain.iter().flat_map(|(&file, spans)| spans.iter().map(move |span| Spot { file, start: span.start() }))
    }

    fn spots(&self) -> BTreeSet<Spot> {
        let doubtful = self.doubtful.iter().map(|(file, span)| Spot { file: *file, start: span.start() });
        self.certain_spots().chain(doubtful).collect()
    }

    /// The files that it is about: first those with the definitions.
    fn files(&self) -> Vec<FileId> {
        let mut files = Vec::new();
        let defining = self.family.iter().map(|site| site.file);
        let doubtful = self.doubtful.iter().map(|(file, _)| *file);
        for file in defining.chain(self.certain.keys().copied()).chain(doubtful) {
            if !files.contains(&file) && files.len() < limits::SERVER_FILES {
                files.push(file);
            }
        }
        files
    }
}

/// A question that is being asked.
struct Asking<'a> {
    workspace: &'a Workspace<'a>,
    question: &'a Question<'a>,
    texts: FxHashMap<FileId, Option<Text>>,
}

impl Workspace<'_> {
    /// Asks the language server that the user has configured.
    ///
    /// # Errors
    /// If it gives no answer, or one without all certain places.
    pub(crate) fn second_opinion(&self, question: &Question<'_>) -> Result<Opinion, EngineError> {
        let language = self.project.file(question.family[0].file).language;
        let command = self.engine.server_of(language)?;
        let asked = Asking { workspace: self, question, texts: FxHashMap::default() }.settled_opinion(&command);
        let opinion = asked.map_err(|error| match error {
            ServerError::Cancelled => cancelled(),
            error => {
                let message = format!("the language server `{}` {error}", command.line);
                let hint = format!(
                    "correct `[servers.{}]` in your own `config.toml`, or rename without a second opinion",
                    language.name()
                );
                EngineError::new(ErrorCode::ServerFailed, message).hint(hint)
            }
        })?;
        let lacking = opinion.lacking(question);
        if lacking.is_empty() && opinion.others.is_empty() {
            return Ok(opinion);
        }
        let row = |spot: Spot, why: &str| self.place_row(spot.file, spot.start, why.to_owned());
        let mut places: Vec<PlaceRow> =
            lacking.iter().map(|&spot| row(spot, "certain, but the language server does not rename it")).collect();
        places.extend(opinion.others.iter().cloned());
        places.extend(opinion.unknown(question).into_iter().map(|(spot, why)| row(spot, why)));
        let all = question.certain_spots().count();
        let what = match (lacking.len(), &opinion.refusal) {
            (0, _) => format!("writes something else than the new name at {}", count(opinion.others.len(), "place")),
            (_, Some(why)) if opinion.names.is_empty() => format!("does not rename it: {why}"),
            _ if opinion.names.is_empty() => "renames nothing".to_owned(),
            (number, _) => format!("does not rename {number} of {}", count(all, "certain reference")),
        };
        Err(self.disagreement(question.old, &opinion.server, &what, places))
    }

    /// Refuses texts of the server that are not what the plan writes.
    ///
    /// # Errors
    /// With the places.
    pub(crate) fn check_texts(
        &self,
        opinion: &Opinion,
        places: &BTreeMap<FileId, Vec<Span>>,
        renaming: Renaming<'_>,
    ) -> Result<(), EngineError> {
        let mut different = Vec::new();
        for (&file, spans) in places {
            let names = self.resolve(|resolver| {
                let loaded = resolver.loaded_names(file, renaming.keeps_exports);
                resolver.tree(file).map(|tree| new_names(tree, spans, Renaming { loaded: &loaded, ..renaming }))
            });
            for (span, name) in names.unwrap_or_default().texts {
                let written = opinion.names.get(&Spot { file, start: span.start() });
                if let Some(written) = written.filter(|&written| *written != name) {
                    let why = format!("the language server writes `{written}`, not `{name}`");
                    different.push(self.place_row(file, span.start(), why));
                }
            }
        }
        if different.is_empty() {
            return Ok(());
        }
        let what = format!("writes something else at {}", count(different.len(), "place"));
        Err(self.disagreement(renaming.old, &opinion.server, &what, different))
    }

    fn disagreement(&self, old: &str, server: &str, what: &str, mut places: Vec<PlaceRow>) -> EngineError {
        let mut message = format!("cannot rename `{old}`: the language server `{server}` {what}");
        if let Some(PlaceRow { path, line, col, why, .. }) = places.first() {
            message.push_str(&format!(", e.g. {path}:{line}:{col}: {why}"));
        }
        if places.len() > SHOWN {
            message.push_str(&format!(" ({} more than the {SHOWN} listed)", places.len() - SHOWN));
            places.truncate(SHOWN);
        }
        let hint = "check these places: the server may not know all files of the project, or the plan may be wrong";
        let mut error = EngineError::new(ErrorCode::Disagreement, message).hint(hint);
        error.details.places = places;
        error
    }
}

impl Asking<'_> {
    /// Asks until the answer does not change any more, and the server has nothing left to do.
    fn settled_opinion(mut self, command: &ServerCommand) -> Result<Opinion, ServerError> {
        let workspace = self.workspace;
        let host = &workspace.engine.host;
        let is_cancelled = || host.observer.is_cancelled();
        let mut server = LanguageServer::start(&*host.programs, command, workspace.root(), &is_cancelled)?;
        for file in self.question.files() {
            let language = workspace.project.file(file).language.server_name();
            if let Some(text) = self.text(file) {
                server.open(workspace.path(file), language, &text)?;
            }
        }
        let patience = limits::SERVER_PATIENCE.min(command.time / 4);
        let (mut pause, mut changed) = (PAUSE, Instant::now());
        let mut last: Option<Opinion> = None;
        loop {
            let opinion = Opinion { server: command.line.clone(), ..self.ask(&mut server)? };
            let is_settled = last.as_ref() == Some(&opinion) && !server.is_busy();
            if !is_settled {
                changed = Instant::now();
            } else if opinion.lacking(self.question).is_empty() || changed.elapsed() >= patience {
                server.finish();
                return Ok(opinion);
            }
            last = Some(opinion);
            server.listen(pause)?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Asks once: about each symbol that the answers so far do not rename.
    fn ask(&mut self, server: &mut LanguageServer<'_>) -> Result<Opinion, ServerError> {
        let mut opinion = Opinion::default();
        for &site in self.question.family {
            let workspace = self.workspace;
            let start = workspace.resolve(|resolver| Some(resolver.tree(site.file)?.span(site.name).start()));
            let (Some(start), Some(text)) = (start, self.text(site.file)) else { continue };
            if opinion.renames(site.file, start) {
                continue;
            }
            let place = (workspace.path(site.file), &text, start);
            match server.rename(place, self.question.new)? {
                Ok(edits) => {
                    for edit in edits {
                        self.add_edit(&mut opinion, server, edit)?;
                    }
                }
                Err(why) => opinion.refusal = Some(why),
            }
            for range in server.references(place)?.unwrap_or_default() {
                let Some((file, span)) = self.find(server, &range)? else {
                    opinion.outside += 1;
                    continue;
                };
                let is_name = self.text(file).is_some_and(|text| text.slice(span) == self.question.old);
                if is_name {
                    opinion.references.insert(Spot { file, start: span.start() });
                }
            }
        }
        opinion.others.sort_by(|one, other| (&one.path, one.line, one.col).cmp(&(&other.path, other.line, other.col)));
        opinion.others.dedup();
        Ok(opinion)
    }

    fn add_edit(
        &mut self,
        opinion: &mut Opinion,
        server: &LanguageServer<'_>,
        edit: ServerEdit,
    ) -> Result<(), ServerError> {
        let Some((file, span)) = self.find(server, &edit.range)? else {
            let (line, col) = edit.range.shown_start();
            let path = self.workspace.engine.shown(&edit.range.path);
            let why = "the language server edits what is not a file of the project".to_owned();
            opinion.others.push(PlaceRow { path, line, col, why, text: String::new() });
            return Ok(());
        };
        let text = self.text(file).unwrap_or_else(|| Text::new(""));
        let renamed = renamed_name(&text, span, &edit.text, self.question.old);
        let spot = renamed.as_ref().map(|(start, _)| Spot { file, start: *start });
        match (renamed, spot) {
            (Some((_, name)), Some(spot)) if opinion.names.get(&spot).is_none_or(|known| *known == name) => {
                opinion.names.insert(spot, name);
            }
            _ => {
                let written: String = edit.text.chars().take(60).collect();
                let why = format!("the language server writes `{written}`, which is not a renaming");
                opinion.others.push(self.workspace.place_row(file, span.start(), why));
            }
        }
        Ok(())
    }

    /// The file and the span of a place; `None` if it is in no file of the project.
    fn find(
        &mut self,
        server: &LanguageServer<'_>,
        range: &ServerRange,
    ) -> Result<Option<(FileId, Span)>, ServerError> {
        let Some(file) = self.file_at(&range.path) else { return Ok(None) };
        let Some(text) = self.text(file) else { return Ok(None) };
        match server.span_in(range, &text) {
            Some(span) => Ok(Some((file, span))),
            None => {
                let (line, col) = range.shown_start();
                let path = self.workspace.shown(file);
                Err(ServerError::Invalid(format!("there is no place {path}:{line}:{col}")))
            }
        }
    }

    fn file_at(&self, path: &Path) -> Option<FileId> {
        self.workspace.file_of(path).or_else(|| {
            let files = self.workspace.engine.files();
            let (path, root) = (files.resolve(path).ok()?, files.resolve(self.workspace.root()).ok()?);
            self.workspace.file_of(&self.workspace.root().join(path.strip_prefix(root).ok()?))
        })
    }

    fn text(&mut self, file: FileId) -> Option<Text> {
        let workspace = self.workspace;
        let load = || workspace.resolve(|resolver| resolver.tree(file).map(|tree| tree.text().clone()));
        self.texts.entry(file).or_insert_with(load).clone()
    }
}

/// Where an edit changes a name, and what it makes of it. Some servers replace more than the name, or only what differs.
pub fn renamed_name(text: &Text, span: Span, new: &str, old: &str) -> Option<(usize, String)> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    let line = Span::new(text.line_around(span.start()).start(), text.line_around(span.end()).end());
    let (before, after) =
        (text.slice(Span::new(line.start(), span.start())), text.slice(Span::new(span.end(), line.end())));
    let head: usize = before.chars().rev().take_while(|&character| is_part(character)).map(char::len_utf8).sum();
    let tail: usize = after.chars().take_while(|&character| is_part(character)).map(char::len_utf8).sum();
    let whole = Span::new(span.start() - head, span.end() + tail);
    let was = text.slice(whole);
    let is = format!("{}{new}{}", &before[before.len() - head..], &after[..tail]);
    let common = |one: &mut dyn Iterator<Item = (u8, u8)>| one.take_while(|(was, is)| was == is).count();
    let same_head = common(&mut was.bytes().zip(is.bytes()));
    let same_tail = common(&mut was.bytes().rev().zip(is.bytes().rev()));
    let mut names = was.match_indices(old).filter_map(|(at, _)| {
        let rest = was.len() - at - old.len();
        let is_whole = !was[..at].ends_with(is_part) && !was[at + old.len()..].starts_with(is_part);
        let is_all = is_whole && at <= same_head && rest <= same_tail;
        let name = is_all.then(|| is.get(at..is.len().checked_sub(rest)?))??;
        Some((whole.start() + at, name.to_owned()))
    });
    names.next()
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
