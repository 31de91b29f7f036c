//! What commands say alike: counts, files that were left out, files in unrecognised languages.

use std::io;

use crate::engine::{ErrorCode, Skipped};

use super::failure::in_command_words;
use super::printer::{ERROR, PATH, Printer};

/// How many files are named before the rest is counted.
const NAMED: usize = 5;

/// A count with its noun.
pub(super) fn plural(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "match") => format!("{count} matches"),
        _ => format!("{count} {noun}s"),
    }
}

/// Whether a file could not be read or searched: the exit status is 2 then, even if the rest was done.
pub(super) fn has_failed(files: &[Skipped]) -> bool {
    files.iter().any(|file| !file.by_rule)
}

/// Names the files that were left out, on standard error: each failure with its reason, files in unrecognised languages together.
pub(super) fn skipped(files: &[Skipped], printer: &mut Printer) -> io::Result<()> {
    let is_unrecognised = |file: &&Skipped| file.code == ErrorCode::UnsupportedLanguage;
    for file in files.iter().filter(|file| !is_unrecognised(file)) {
        let path = printer.paint_error(PATH, &file.path);
        let why = file.why.split_once(": ").map_or(file.why.as_str(), |(_, why)| why);
        let hint = file.hint.as_ref().map(|hint| format!("; {}", in_command_words(hint))).unwrap_or_default();
        let why = format!("{}{hint}", why.replace('\n', "\n  "));
        if file.by_rule {
            printer.note(format!("{path}: skipped: {why}"))?;
        } else {
            let label = printer.paint_error(ERROR, "error");
            printer.problem(format!("{label}: {path}: {why}"))?;
        }
    }
    let unrecognised: Vec<&str> = files.iter().filter(is_unrecognised).map(|file| file.path.as_str()).collect();
    if unrecognised.is_empty() {
        return Ok(());
    }
    let more = match unrecognised.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = unrecognised[..unrecognised.len().min(NAMED)].join(", ");
    printer.note(format!("skipped {}: {named}{more}", in_unrecognised_language(unrecognised.len())))
}

/// `3 files in an unrecognised language`
pub(super) fn in_unrecognised_language(count: usize) -> String {
    format!("{} in an unrecognised language", plural(count, "file"))
}
