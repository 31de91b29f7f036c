//! The report to the model: the errors of an edit, its changes, and what to do, in at most 600 characters.

use crate::agent::journal::Changed;
use crate::request::{FindingRow, SyntaxErrorRow};

/// The maximum length, in characters.
const MOST: usize = 600;
/// The longest path or name that is shown in full.
const LONGEST: usize = 80;

/// A file that an edit broke.
#[derive(Debug, Clone)]
pub(super) struct Broken {
    /// Its path.
    pub path: String,
    /// The new errors.
    pub errors: Vec<SyntaxErrorRow>,
    /// The changed definitions.
    pub changed: Vec<Changed>,
}

/// The report about the files that an edit broke.
pub(super) fn text(broken: &[Broken]) -> String {
    let count: usize = broken.iter().map(|file| file.errors.len()).sum();
    let errors = match count {
        1 => "a syntax error that was".to_owned(),
        _ => format!("{count} syntax errors that were"),
    };
    let paths: Vec<String> = broken.iter().map(|file| short(&file.path)).collect();
    let files = match paths.as_slice() {
        [path] => path.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, .., last] if paths.len() == 3 => format!("{first}, {} and {last}", paths[1]),
        _ => format!("{} and {} other files", paths[0], paths.len() - 1),
    };
    let head = format!("cst: this edit left {files} with {errors} not there before.");
    // Paths that a shell would interpret are not suggested as arguments.
    let is_word = |sign: char| sign.is_alphanumeric() || "/._-+@,=".contains(sign);
    let is_plain = |file: &&Broken| {
        short(&file.path) == file.path && file.path.chars().all(is_word) && !file.path.starts_with(['-', '='])
    };
    let checked: Vec<&str> = broken.iter().take(3).filter(is_plain).map(|file| file.path.as_str()).collect();
    let tail = match checked.as_slice() {
        [] => "Fix it before going on.".to_owned(),
        paths => format!("Fix it before going on, or run: cst check {}", paths.join(" ")),
    };
    let mut room = MOST.saturating_sub(length(&head) + length(&tail) + 2);
    let lines = error_lines(broken, &mut room);
    let changed = changed_line(broken, room);
    let parts = std::iter::once(head).chain(lines).chain(changed).chain([tail]);
    parts.collect::<Vec<_>>().join("\n")
}

/// The report about findings that an edit caused.
pub(super) fn findings(found: &[FindingRow]) -> String {
    let head = match found.len() {
        1 => "cst: this edit caused a finding of this project's rules that is an error.".to_owned(),
        count => format!("cst: this edit caused {count} findings of this project's rules that are errors."),
    };
    let tail = "Fix it before going on, or say why it is right in a comment: cst-ignore: RULE -- REASON";
    let row = |row: &FindingRow| {
        let path = short(row.path.as_deref().unwrap_or("-"));
        format!("  {path}:{}:{}: {} [{}]", row.start_line, row.start_col, short(&row.message), short(&row.rule))
    };
    let mut left = MOST.saturating_sub(length(&head) + length(tail) + 2);
    let lines = fitting(&found.iter().map(row).collect::<Vec<String>>(), &mut left);
    std::iter::once(head).chain(lines).chain([tail.to_owned()]).collect::<Vec<_>>().join("\n")
}

/// One line per error, as far as they fit; the rest is counted.
fn error_lines(broken: &[Broken], room: &mut usize) -> Vec<String> {
    let all: Vec<String> =
        broken.iter().flat_map(|file| file.errors.iter().map(|error| line(&file.path, error))).collect();
    fitting(&all, room)
}

/// The lines that fit; the rest is counted.
fn fitting(all: &[String], room: &mut usize) -> Vec<String> {
    // The space for that count and a few names of definitions.
    const KEPT: usize = 60;
    let mut lines = Vec::new();
    for (index, line) in all.iter().enumerate() {
        let needed = length(line) + 1;
        let is_last = index + 1 == all.len();
        if needed + if is_last { 0 } else { KEPT } > *room {
            let more = format!("  and {} more", all.len() - index);
            *room = room.saturating_sub(length(&more) + 1);
            lines.push(more);
            break;
        }
        *room -= needed;
        lines.push(line.clone());
    }
    lines
}

/// `  a.py:2:5: unexpected `return (1` in f`
fn line(path: &str, error: &SyntaxErrorRow) -> String {
    let mut line = format!("  {}:{}:{}: {}", short(path), error.line, error.col, clean(&error.what));
    if !error.within.is_empty() {
        line.push_str(&format!(" in {}", short(&error.within)));
    }
    line
}

/// `Changed: ~f +g`, as far as it fits.
fn changed_line(broken: &[Broken], room: usize) -> Option<String> {
    const KEPT: usize = 12;
    let mut line = "Changed:".to_owned();
    let mut left = broken.iter().map(|file| file.changed.len()).sum::<usize>();
    for changed in broken.iter().flat_map(|file| &file.changed) {
        let name = format!(" {}{}", changed.change.sign(), short(&changed.qualname));
        if length(&line) + length(&name) + KEPT >= room {
            line.push_str(&format!(" and {left} more"));
            break;
        }
        line.push_str(&name);
        left -= 1;
    }
    (line.contains(['+', '-', '~', '>']) && length(&line) < room).then_some(line)
}

/// A path or a name, shortened to its end.
fn short(name: &str) -> String {
    let name = clean(name);
    let length = name.chars().count();
    if length <= LONGEST {
        return name;
    }
    let end: String = name.chars().skip(length - LONGEST + 1).collect();
    format!("…{end}")
}

/// A text without invisible characters.
fn clean(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

fn length(text: &str) -> usize {
    text.chars().count()
}
