//! Matches as text: one line each, and their code below if requested.

use std::io;
use std::path::PathBuf;

use serde_json::json;

use crate::project::unquoted;
use crate::request::NodeRow;
use crate::text::Text;

use super::printer::{Format, KIND, MATCH, NAME, Printer, QUIET};

/// How much of a match's code is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excerpt {
    /// Nothing.
    None,
    /// The source line on which it starts.
    FirstLine,
    /// The source line alone, after the place.
    Vimgrep,
    /// All of it.
    Whole,
}

/// How matches are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatchStyle {
    /// How much code.
    pub(super) excerpt: Excerpt,
    /// Whether output is flushed after each match.
    pub(super) at_once: bool,
}

impl MatchStyle {
    /// Prints a match.
    pub(super) fn print(self, row: &NodeRow, printer: &mut Printer) -> io::Result<()> {
        if printer.format() == Format::JsonLines {
            printer.json(row)?;
        } else if self.excerpt == Excerpt::Vimgrep {
            let line = printer.source(row.source_line.as_deref().unwrap_or_default());
            printer.line(format!("{}:{line}", place(row, printer)))?;
        } else {
            printer.line(heading(row, self.excerpt == Excerpt::None, printer))?;
            match self.excerpt {
                Excerpt::FirstLine => source_line(row, printer)?,
                _ => code(row, self.excerpt, printer)?,
            }
        }
        if self.at_once { printer.flush() } else { Ok(()) }
    }
}

/// `path:line:col`
fn place(row: &NodeRow, printer: &Printer) -> String {
    printer.place(row.path.as_deref().unwrap_or("-"), row.start_line, row.start_col)
}

/// `path:line:col: kind  qualname  node_id`. A node without a name shows the start of its code if `with_code` is set
/// and the row has it, else `-`.
pub(super) fn heading(row: &NodeRow, with_code: bool, printer: &Printer) -> String {
    format!("{}: {}", place(row, printer), identity(row, with_code, printer))
}

/// `kind  qualname  node_id`, and the anchor if there is one.
fn identity(row: &NodeRow, with_code: bool, printer: &Printer) -> String {
    // If a node has no kind, its type says more.
    let kind = if row.kind == "node" { &row.type_name } else { &row.kind };
    let kind = printer.paint(KIND, kind);
    let start = || row.source_line.as_deref().filter(|_| with_code).map(|line| start_of_code(row, line));
    let name = row.qualname.as_deref().or(row.name.as_deref()).map(on_one_line);
    let name = name.or_else(start).unwrap_or_else(|| "-".to_owned());
    let mut identity = format!("{kind}  {}", printer.paint(NAME, printer.source(&name)));
    let capture = row.capture.as_ref().map(|name| format!("@{name}"));
    for part in capture.iter().chain(&row.node_id).chain(&row.anchor) {
        identity.push_str("  ");
        identity.push_str(&printer.paint(QUIET, part));
    }
    identity
}

/// The start of a node's code on its source line, cut.
fn start_of_code(row: &NodeRow, line: &str) -> String {
    const SHOWN: usize = 60;
    let code = match line.strip_prefix('…') {
        Some(rest) => rest,
        None => {
            let start = line.char_indices().nth(row.start_col.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
            let end = line.char_indices().nth(row.end_col.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
            let end = if row.start_line == row.end_line { end.max(start) } else { line.len() };
            &line[start..end]
        }
    };
    let is_cut = row.start_line != row.end_line || code.chars().count() > SHOWN;
    let shown: String = code.chars().take(SHOWN).collect();
    match shown.trim() {
        "" => "-".to_owned(),
        shown if is_cut => format!("{shown}…"),
        shown => shown.to_owned(),
    }
}

/// The source line on which a node starts, with its number and the node's part of it in colour.
fn source_line(row: &NodeRow, printer: &mut Printer) -> io::Result<()> {
    let Some(line) = row.source_line.as_deref() else { return Ok(()) };
    let at = |col: usize| line.char_indices().nth(col.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let (start, end) = match line.strip_prefix('…') {
        Some(_) => ('…'.len_utf8(), line.len()),
        None if row.start_line == row.end_line => (at(row.start_col), at(row.end_col).max(at(row.start_col))),
        None => (at(row.start_col), line.len()),
    };
    let [before, found, after] = [&line[..start], &line[start..end], &line[end..]].map(|part| printer.source(part));
    let gutter = printer.paint(QUIET, format!("{:>4}", row.start_line));
    let found = printer.paint(MATCH, found);
    printer.line(format!("{gutter}  {before}{found}{after}"))
}

/// The code of a row, with line numbers.
pub(super) fn code(row: &NodeRow, excerpt: Excerpt, printer: &mut Printer) -> io::Result<()> {
    let Some(code) = &row.code else { return Ok(()) };
    let text = Text::new(code);
    let shown = match excerpt {
        Excerpt::Whole => text.line_count(),
        _ => return Ok(()),
    };
    let width = (row.start_line + shown - 1).to_string().len().max(4);
    for number in 1..=shown {
        let gutter = printer.paint(QUIET, format!("{:>width$}", row.start_line + number - 1));
        // A node may start in the middle of its first line; what comes before it is not shown.
        let column = row.start_col.saturating_sub(1);
        let starts_line = row.indent.chars().count() == column;
        let indent = match number {
            1 if starts_line => row.indent.clone(),
            1 => " ".repeat(column),
            _ => String::new(),
        };
        let line = printer.source(&text.slice(text.line_span(number)));
        printer.line(format!("{gutter}  {indent}{line}"))?;
    }
    Ok(())
}

/// A name that the source breaks over several lines.
fn on_one_line(name: &str) -> String {
    if name.contains(char::is_whitespace) {
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        name.to_owned()
    }
}

/// Prints the path of a file with matches.
pub(super) fn print_path(path: &str, null: bool, printer: &mut Printer) -> io::Result<()> {
    match (printer.format(), null) {
        (Format::JsonLines, _) => printer.json(&json!({"path": path})),
        // Whoever reads names that end with NUL takes them as they are.
        (_, true) => {
            let raw = unquoted(path).unwrap_or_else(|| PathBuf::from(path));
            printer.bytes(raw.as_os_str().as_encoded_bytes())?;
            printer.text("\0")
        }
        _ => {
            let link = printer.link(path);
            printer.line(link)
        }
    }
}
