//! Refusals as a model reads them: the code, what is wrong, which nodes may have been meant, and the call to make next.

use std::fmt::Write;

use super::arguments::Arguments;
use super::refusal::Refusal;
use super::revisions::{Mark, Revisions};
use super::terms::name;
use super::text::{NAME, count, shorten};
use super::tools::Tool;
use crate::engine::Engine;
use crate::request::{EngineError, ErrorCode};

/// How much of an error's message is shown, which may quote what was asked.
const MESSAGE: usize = 1200;

/// What the engine did not do, and the next call to make.
pub(super) fn failure(
    error: &EngineError,
    arguments: &Arguments,
    (tool, engine): (&Tool, &Engine),
    revisions: &mut Revisions,
) -> Refusal {
    let details = &error.details;
    let mark = match details.candidates.is_empty() || arguments.is_about_tree(engine) {
        true => Mark::default(),
        false => revisions.now(details.path.as_deref(), engine),
    };
    let mut text = format!("{}: {}", error.code.as_str(), shorten(&error.message, MESSAGE));
    let line = details.line.map(|line| format!(":{line}")).unwrap_or_default();
    if let Some(path) = &details.path {
        let _ = write!(text, "\nat {path}{line}");
    } else if !line.is_empty() {
        let _ = write!(text, "\nat line {}", &line[1..]);
    }
    if let Some(operation) = details.operation {
        let _ = write!(text, "\noperation {operation}");
    }
    for candidate in &details.candidates {
        let name = shorten(candidate.qualname.as_deref().unwrap_or("-"), NAME);
        let id = mark.on(&candidate.node_id);
        let _ = write!(text, "\n  {id}  {}  {name}  line {}", candidate.kind, candidate.line);
    }
    for place in &details.places {
        let line = shorten(&place.text, NAME);
        let _ = write!(text, "\n  {}:{}:{}  {}: {line}", place.path, place.line, place.col, place.why);
    }
    if let Some(merge) = &details.merge {
        let _ = write!(text, "\nmerging leaves {}", count(merge.conflicts, "conflict"));
    }
    let hint = details.hint.as_ref().filter(|_| error.code != ErrorCode::Ambiguous);
    if let Some(hint) = hint.and_then(|hint| hint.worded(name)) {
        let _ = write!(text, "\nhint: {hint}");
    }
    Refusal::with(text, next(error.code, tool.name))
}

/// The call that helps.
fn next(code: ErrorCode, tool: &str) -> &'static str {
    match code {
        ErrorCode::SelectorSyntax
        | ErrorCode::UnknownType
        | ErrorCode::UnknownAttribute
        | ErrorCode::UnknownField
        | ErrorCode::UnknownPseudo
        | ErrorCode::BadPattern
        | ErrorCode::BadRegex => "explain with a selector such as `*` and the path lists the words there are",
        ErrorCode::NoMatch => "explain with the selector and path shows which step finds nothing",
        ErrorCode::Ambiguous if tool == "edit" => {
            "name one of these by its node id, narrow the selector, or say match_index (from 0) or all: true in the operation"
        }
        ErrorCode::Ambiguous => "name one of these by its node id, or narrow the selector",
        ErrorCode::StaleNode | ErrorCode::StaleFile | ErrorCode::UnknownNode => "find the node again",
        ErrorCode::UnknownTree => "session with action list shows the loaded trees",
        ErrorCode::Conflict => "edit twice, or replace what holds both",
        ErrorCode::WouldBreakSyntax | ErrorCode::WouldRestructure => {
            "nothing was written; correct the code, or see it first with dry_run: true"
        }
        ErrorCode::Undetermined => "read these places, then include those that are meant",
        ErrorCode::WouldRebind => "choose another name, or change these places first",
        ErrorCode::ExpectCount if tool == "rewrite" => "find with the same selector lists the matches",
        ErrorCode::ExpectCount => "see the edit first with dry_run: true",
        ErrorCode::FileChanged => "session save with merge: true, or load the file again",
        ErrorCode::NotFound => "outline of the folder lists its files",
        ErrorCode::UnsupportedLanguage => "say which by language, if it is one that is known",
        ErrorCode::TooDeep | ErrorCode::TooLarge | ErrorCode::UnsupportedEncoding | ErrorCode::ReadOnly => {
            "leave this file to other tools"
        }
        ErrorCode::Budget => "ask for less at once: a narrower path or selector",
        ErrorCode::OutsideRoot => "stay inside of the root; the user may start the server with another",
        ErrorCode::EndpointFailed => "search with mode lexical needs no endpoint",
        ErrorCode::ServerFailed | ErrorCode::Disagreement => "refactor without a second opinion",
        ErrorCode::VerifyFailed => "read these lines; include the places that they name, or change them first",
        ErrorCode::Cancelled => "ask again",
        ErrorCode::BadRequest => "correct the arguments",
        ErrorCode::Internal => "ask in another way; this is an internal error (a bug in cst)",
    }
}
