//! The external check: a program that the user configured, or trusts the project to name, reads the text before and after an
//! edit, and what it newly complains of refuses the edit. A preview runs nothing.
//!
//! Its lines are compared without their numbers, since an edit moves what is below it. A program that said by its exit
//! status that something was wrong and doesn't any more is content, whatever it prints; excerpts of the code that it
//! complains of are no complaints.

use crate::limits;
use std::io;
use std::sync::OnceLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use crate::engine::core::Begun;
use crate::reader::configuration::{Check, CheckCommand};
use crate::reader::document::Document;
use crate::reader::programs::{CommandOutput, ProgramCall};
use crate::request::error::{EngineError, ErrorCode, cancelled};
use crate::text::Text;

/// How many complaints are shown from the start and from the end.
const SHOWN_FIRST: usize = 2;
const SHOWN_LAST: usize = 3;

impl Begun<'_> {
    /// Refuses a text of which the configured program complains more than of the old one. Only for an edit that is written or
    /// staged: a preview runs nothing. What it returns is worth knowing: a check that wasn't run.
    pub(crate) fn check_externally(&self, document: &Document, new: &Text) -> Result<Option<String>, EngineError> {
        let Check { command, note } = self.check_of(document.tree.language())?;
        let Some(command) = command else { return Ok(note) };
        let old = self.encode(document, document.tree.text())?;
        let (mut before, is_kept) = match self.checks.kept_answer(&command, &old) {
            Some(before) => (before, true),
            None => (self.run_check_command(&command, &old)?, false),
        };
        let after = self.run_check_command(&command, &self.encode(document, new)?)?;
        let complain = |before: &CommandOutput| match (after.status, before.status) {
            (Some(0), status) if status != Some(0) => Vec::new(),
            _ => new_complaints(before, &after),
        };
        let mut fresh = complain(&before);
        // The program may have been configured anew since it looked at the old text.
        if is_kept && !fresh.is_empty() {
            before = self.run_check_command(&command, &old)?;
            fresh = complain(&before);
        }
        if fresh.is_empty() {
            return Ok(note);
        }
        let message = format!("`{}` newly says: {}", command.line, excerpt(&fresh).join("\n"));
        let hint = "{syntax} applies it anyway";
        let mut error = EngineError::new(ErrorCode::WouldBreakSyntax, message).hint(hint);
        error.details.path = self.shown_path(document);
        Err(error)
    }

    fn run_check_command(&self, command: &CheckCommand, bytes: &[u8]) -> Result<CommandOutput, EngineError> {
        self.check_cancelled()?;
        let is_cancelled = || self.host.observer.is_cancelled();
        let call = ProgramCall::new(&command.words, &command.folder, limits::CHECK_TIME).with_input(bytes);
        let call = call.with_most_output(limits::CHECK_OUTPUT).cancelled_by(&is_cancelled);
        let problem = match self.host.programs.run(&call) {
            Ok(said) if said.status.is_some() => {
                self.checks.keep_answer(command, bytes, &said);
                return Ok(said);
            }
            Ok(_) => "was ended by a signal".to_owned(),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => format!("cannot be run: there is no program `{}`", command.words[0]),
                io::ErrorKind::TimedOut => format!("took longer than {} seconds", limits::CHECK_TIME.as_secs()),
                io::ErrorKind::FileTooLarge => format!("says more than {} MiB", limits::CHECK_OUTPUT >> 20),
                io::ErrorKind::Interrupted => return Err(cancelled()),
                _ => format!("cannot be run: {error}"),
            },
        };
        let CheckCommand { line, path, at, .. } = command;
        let message = format!("the check `{line}` {problem}; it is configured in line {at} of `{path}`");
        let mut error = EngineError::bad_request(message).path(path);
        error.details.line = Some(*at);
        Err(error.hint("correct the configuration of the check"))
    }
}

/// The first and last complaints: a linter's first lines say most, of a traceback the last ones do.
fn excerpt(complaints: &[String]) -> Vec<String> {
    if complaints.len() <= SHOWN_FIRST + SHOWN_LAST {
        return complaints.to_vec();
    }
    let (first, rest) = complaints.split_at(SHOWN_FIRST);
    let (left_out, last) = rest.split_at(rest.len() - SHOWN_LAST);
    let gap = format!("… {} more …", left_out.len());
    first.iter().cloned().chain([gap]).chain(last.iter().cloned()).collect()
}

/// The lines that are said more often of the new text than of the old one.
fn new_complaints(before: &CommandOutput, after: &CommandOutput) -> Vec<String> {
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    for line in String::from_utf8_lossy(&before.output).lines().filter_map(complaint) {
        *known.entry(line).or_default() += 1;
    }
    let after = String::from_utf8_lossy(&after.output).into_owned();
    let is_new = |line: &&str| {
        let Some(complaint) = complaint(line) else { return false };
        match known.get_mut(&complaint) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        }
    };
    after.lines().filter(is_new).map(|line| line.trim().to_owned()).collect()
}

/// A line without its numbers, and the plural that goes with a number. `None` where it says nothing, or only quotes the code:
/// `3 | import os`, `  |   ^^`.
fn complaint(line: &str) -> Option<String> {
    static PATTERNS: OnceLock<[Regex; 3]> = OnceLock::new();
    let [quoted, counted, number] = PATTERNS.get_or_init(|| {
        let pattern = |pattern: &str| Regex::new(pattern).expect("the pattern is well formed");
        [pattern(r"^\s*(?:\d+\s*)?\|"), pattern(r"(?-u:\b\d+ ([A-Za-z]+?)s\b)"), pattern(r"(?-u:\b\d+\b)")]
    });
    if quoted.is_match(line) {
        return None;
    }
    let singular = counted.replace_all(line.trim(), "# $1");
    let bare = number.replace_all(&singular, "#").into_owned();
    let says = bare.chars().any(char::is_alphanumeric);
    says.then_some(bare)
}
