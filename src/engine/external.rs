//! The external check: a program that the user configured reads the text before and after an edit, and what it newly
//! complains of refuses the edit.
//!
//! Its lines are compared without their numbers, since an edit moves what stands below it. A program that said by its exit
//! status that something was wrong and doesn't any more is content, whatever it prints; excerpts of the code that it
//! complains of are no complaints.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::configuration::CheckCommand;
use super::document::Document;
use super::programs::Said;
use super::{Engine, EngineError, ErrorCode};
use crate::text::Text;

/// How long a program may take for one text.
const DEADLINE: Duration = Duration::from_secs(10);

/// The complaints shown.
const SHOWN: usize = 5;

impl Engine {
    /// Refuses a text of which the configured program complains more than of the old one.
    pub(super) fn check_externally(&self, document: &Document, new: &Text) -> Result<(), EngineError> {
        let Some(command) = self.check_command(document.tree.language())? else { return Ok(()) };
        let before = self.said(&command, &self.encoded(document, document.tree.text())?)?;
        let after = self.said(&command, &self.encoded(document, new)?)?;
        let is_content = |said: &Said| said.status == Some(0);
        if is_content(&after) && !is_content(&before) {
            return Ok(());
        }
        let fresh = new_complaints(&before, &after);
        if fresh.is_empty() {
            return Ok(());
        }
        let more = fresh.len().saturating_sub(SHOWN);
        let mut message = format!("`{}` newly says: {}", command.line, fresh[..fresh.len() - more].join("\n"));
        if more > 0 {
            message.push_str(&format!("\nand {more} more"));
        }
        let hint = "correct the code; the check is configured in the project";
        let mut error = EngineError::new(ErrorCode::WouldBreakSyntax, message).hint(hint);
        error.details.path = self.shown_path(document);
        Err(error)
    }

    fn said(&self, command: &CheckCommand, bytes: &[u8]) -> Result<Said, EngineError> {
        self.check_cancelled()?;
        let said = self.surroundings.programs.run(&command.words, &command.folder, bytes, DEADLINE);
        let problem = match said {
            Ok(said) if said.status.is_some() => return Ok(said),
            Ok(_) => "was ended by a signal".to_owned(),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => format!("can't be run: there is no program `{}`", command.words[0]),
                io::ErrorKind::TimedOut => format!("took longer than {} seconds", DEADLINE.as_secs()),
                _ => format!("can't be run: {error}"),
            },
        };
        let CheckCommand { line, path, at, .. } = command;
        let message = format!("the check `{line}` {problem}; it is configured in line {at} of `{path}`");
        let mut error = EngineError::new(ErrorCode::BadRequest, message).path(path);
        error.details.line = Some(*at);
        Err(error.hint("correct the configuration of the check"))
    }
}

/// The lines that are said more often of the new text than of the old one.
fn new_complaints(before: &Said, after: &Said) -> Vec<String> {
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
