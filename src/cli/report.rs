//! Output that commands share: counts, skipped files, files in unrecognised languages.

use std::io;

use crate::project::path_in_line;
use crate::request::{EngineError, ErrorCode, NamedSelector, ProjectReport, Skipped};

use super::failure::in_command_words;
use super::printer::{ERROR, PATH, Printer};

/// How many files are named before the rest is only counted.
const NAMED: usize = 5;

/// How many files with syntax errors have a line each.
const WITH_ERRORS: usize = 3;

/// A count with its noun.
pub(super) fn plural(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "match") => format!("{count} matches"),
        (_, "class") => format!("{count} classes"),
        _ => format!("{count} {noun}s"),
    }
}

/// Whether a file could not be read or searched: the exit status is 2 then, even if the rest was done.
pub(super) fn has_failed(files: &[Skipped]) -> bool {
    files.iter().any(|file| !file.by_rule)
}

/// What an answer about a project rests on, where that is not the files of a repository: a folder that may be a part of something larger,
/// unsaved trees, files that were left out.
pub(super) fn print_project(
    project: &ProjectReport,
    unsaved: usize,
    skipped: &[Skipped],
    printer: &mut Printer,
) -> io::Result<()> {
    if let Some(notice) = project.notice() {
        printer.note(notice)?;
    }
    print_read(unsaved, skipped, printer)
}

/// What was read otherwise than its files are: unsaved trees, and files that were left out.
pub(super) fn print_read(unsaved: usize, skipped: &[Skipped], printer: &mut Printer) -> io::Result<()> {
    if unsaved > 0 {
        let (trees, files) = if unsaved == 1 { ("tree", "its file") } else { ("trees", "their files") };
        printer.note(format!("{unsaved} unsaved {trees} read in place of {files} (--saved reads the files)"))?;
    }
    print_skipped(skipped, printer)
}

/// Lists skipped files on standard error: each failure with its reason, files in unrecognised languages together.
pub(super) fn print_skipped(files: &[Skipped], printer: &mut Printer) -> io::Result<()> {
    let is_unrecognised = |file: &&Skipped| file.error.code == ErrorCode::UnsupportedLanguage;
    let is_no_text = |file: &&Skipped| file.error.code == ErrorCode::UnsupportedEncoding && file.by_rule;
    for file in files.iter().filter(|file| !is_unrecognised(file) && !is_no_text(file)) {
        let path = printer.paint_error(PATH, &file.path);
        let EngineError { message, details, .. } = &file.error;
        let hint = details.hint.as_ref().map(|hint| format!("; {}", in_command_words(hint))).unwrap_or_default();
        let why = format!("{}{hint}", message.replace('\n', "\n  "));
        if file.by_rule {
            printer.note(format!("{path}: skipped: {why}"))?;
        } else {
            let label = printer.paint_error(ERROR, "error");
            printer.problem(format!("{label}: {path}: {why}"))?;
        }
    }
    let paths = |is_such: &dyn Fn(&&Skipped) -> bool| -> Vec<&str> {
        files.iter().filter(is_such).map(|file| file.path.as_str()).collect()
    };
    let (unrecognised, no_text) = (paths(&is_unrecognised), paths(&is_no_text));
    if !unrecognised.is_empty() {
        printer.note(format!(
            "skipped {}: {}",
            in_unrecognised_language(unrecognised.len()),
            first_of(&unrecognised)
        ))?;
    }
    if no_text.is_empty() {
        return Ok(());
    }
    let count = plural(no_text.len(), "file");
    printer.note(format!("skipped {count}, binary or in an unknown encoding: {}", first_of(&no_text)))
}

/// Warns of files with syntax errors: a line each, or if there are many, one line with their number; `--verbose` lists all.
pub(super) fn print_with_errors(files: &[String], printer: &mut Printer) -> io::Result<()> {
    let label = printer.paint_error(ERROR, "warning");
    if files.len() > WITH_ERRORS && !printer.is_verbose() {
        let paths: Vec<&str> = files.iter().map(String::as_str).collect();
        return printer.note(format!(
            "{label}: {} with syntax errors; matches near them may be missing: {} (-v lists them)",
            plural(files.len(), "file"),
            first_of(&paths)
        ));
    }
    files.iter().try_for_each(|path| {
        let path = printer.paint_error(PATH, path);
        printer.note(format!("{label}: {path}: syntax errors; matches near them may be missing"))
    })
}

/// The first paths, and how many more there are.
fn first_of(paths: &[&str]) -> String {
    let named: Vec<_> = paths.iter().take(NAMED).map(|path| path_in_line(path)).collect();
    let named = named.join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// `3 files in an unrecognised language`
pub(super) fn in_unrecognised_language(count: usize) -> String {
    format!("{} in an unrecognised language", plural(count, "file"))
}

/// Says what an answer about files did not look at: files that were skipped, that have syntax errors, that are in no known language.
pub(super) fn print_left_out(
    skipped: &[Skipped],
    with_errors: &[String],
    unknown_language: usize,
    printer: &mut Printer,
) -> io::Result<()> {
    print_skipped(skipped, printer)?;
    print_with_errors(with_errors, printer)?;
    match unknown_language {
        0 => Ok(()),
        unknown => printer.note(in_unrecognised_language(unknown)),
    }
}

/// Lists the project's named selectors that a request used, since the user may not know them.
pub(super) fn named_selectors(selectors: &[NamedSelector], printer: &mut Printer) -> io::Result<()> {
    for used in selectors {
        let path = printer.paint_error(PATH, &used.path);
        printer.note(format!("{path} defines {}", used.definition))?;
    }
    Ok(())
}
