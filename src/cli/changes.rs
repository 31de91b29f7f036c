//! How changes of many files are printed: the diffs, or the written files, and what was skipped.

use std::io;

use crate::request::{ChangedFile, ChangesResponse, Revision};

use super::exit::Exit;
use super::printer::{Format, NUMBER, PATH, Printer, QUIET};
use super::report::{in_unrecognised_language, named_selectors, plural, print_skipped, print_with_errors};

/// Prints what a request changed, or would change. With `check`, the exit status is that of a check: success if nothing
/// would change.
pub(super) fn print(changes: &ChangesResponse, check: bool, printer: &mut Printer) -> io::Result<Exit> {
    // Notes are for the user, even if standard output goes to a pipe.
    changes.notes.iter().try_for_each(|note| printer.note(note))?;
    match printer.format() {
        Format::Json => printer.answer(changes)?,
        Format::JsonLines => {
            changes.files.iter().try_for_each(|file| printer.json(file))?;
            print_with_errors(&changes.with_errors, printer)?;
        }
        Format::Text => in_text(changes, printer)?,
    }
    let changed = changes.files.iter().any(ChangedFile::is_changed);
    Ok(Exit::when(changed != check).unless_failed(&changes.skipped))
}

fn in_text(changes: &ChangesResponse, printer: &mut Printer) -> io::Result<()> {
    for file in changes.files.iter().filter(|file| file.is_changed()) {
        match &file.diff {
            Some(diff) => printer.diff(diff)?,
            None => {
                let row = status_line(file, printer);
                printer.line(row)?;
            }
        }
    }
    for file in &changes.files {
        let path = printer.paint_error(PATH, &file.path);
        for note in &file.notes {
            printer.note(format!("{path}: {note}"))?;
        }
        if let Some(error) = &file.error {
            let line = error.details.line.map(|line| format!(":{line}")).unwrap_or_default();
            let message = error.message.replace('\n', "\n  ");
            printer.note(format!("{path}{line}: left out: {}: {message}", error.code.as_str()))?;
        }
    }
    print_skipped(&changes.skipped, printer)?;
    named_selectors(&changes.selectors, printer)?;
    print_with_errors(&changes.with_errors, printer)?;
    let summary = printer.paint_error(QUIET, summary(changes));
    printer.note(summary)?;
    if let Some(verified) = &changes.verified {
        printer.note(verified.sentence())?;
    }
    changes.near.iter().try_for_each(|near| printer.note(format!("near: {near}")))
}

/// `path  3 changed  12-14, 20-20`
fn status_line(file: &ChangedFile, printer: &Printer) -> String {
    const SHOWN: usize = 5;
    let path = printer.link(&file.path);
    let path = match &file.moved_from {
        Some(before) => format!("{before} -> {path}"),
        None => path,
    };
    if file.is_deleted {
        return format!("{path}  deleted");
    }
    if file.is_created {
        return format!("{path}  new");
    }
    if file.moved_from.is_some() && file.changed_ranges.is_empty() {
        return format!("{path}  moved");
    }
    let lines = file.changed_ranges.iter().take(SHOWN);
    let lines: Vec<String> = lines.map(|range| format!("{}-{}", range.start_line, range.end_line)).collect();
    let more = if file.changed_ranges.len() > SHOWN { ", …" } else { "" };
    format!("{path}  {} changed  {}{more}", file.applied, printer.paint(NUMBER, lines.join(", ")))
}

/// The number of matches and of changes, and what was done.
fn summary(changes: &ChangesResponse) -> String {
    let searched = plural(changes.searched, "file");
    let left_out = changes.files.iter().filter(|file| file.error.is_some()).count();
    let left_out = if left_out == 0 { String::new() } else { format!("; {} left out", plural(left_out, "file")) };
    let left_out = match changes.unknown_language {
        0 => left_out,
        unknown => format!("; {}{left_out}", in_unrecognised_language(unknown)),
    };
    if changes.matches == 0 {
        return format!("nothing found in {searched}{left_out}");
    }
    let changed: Vec<&ChangedFile> = changes.files.iter().filter(|file| file.is_changed()).collect();
    let found = plural(changes.matches, "match");
    if changed.is_empty() {
        return format!("{found} in {searched}, nothing changes{left_out}");
    }
    let trees: Vec<&str> = changed.iter().filter_map(|file| file.tree_id.as_deref()).collect();
    let is_staged = changed.iter().any(|file| matches!(file.revision, Some(Revision::Number(_))));
    let state = match &changes.transaction {
        Some(transaction) => format!("written; undo with: cst undo --transaction {transaction}"),
        None if is_staged => format!("staged; write the file with: cst save {}", trees.join(" ")),
        None => "preview only; add --write to apply".to_owned(),
    };
    let same = match changes.matches.saturating_sub(changes.applied) {
        0 => String::new(),
        same => format!(" ({same} left as they are)"),
    };
    format!("{found}, {} changed{same} in {} of {searched}{left_out}; {state}", changes.applied, changed.len())
}
