//! Matches as text: a line each, and their code below where it is wanted.

use std::io;

use crate::engine::NodeRow;
use crate::text::Text;

use super::printer::{Format, KIND, MATCH, NAME, NUMBER, Printer, QUIET};

/// How much of a match's code is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excerpt {
    /// Nothing.
    None,
    /// Its first line.
    FirstLine,
    /// All of it.
    Whole,
}

/// How matches are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatchStyle {
    /// How much code.
    pub(super) excerpt: Excerpt,
    /// Whether each is handed on at once.
    pub(super) at_once: bool,
}

impl MatchStyle {
    /// Prints a match.
    pub(super) fn print(self, row: &NodeRow, printer: &mut Printer) -> io::Result<()> {
        if printer.format() == Format::JsonLines {
            printer.json(row)?;
        } else {
            printer.line(heading(row, printer))?;
            code(row, self.excerpt, printer)?;
        }
        if self.at_once { printer.flush() } else { Ok(()) }
    }
}

/// `path:line:col: kind  qualname  node_id`, with `-` where there is nothing to say.
pub(super) fn heading(row: &NodeRow, printer: &Printer) -> String {
    let path = row.path.as_deref().unwrap_or("-");
    let path = if row.path.is_some() { printer.link(path) } else { path.to_owned() };
    let line = printer.paint(NUMBER, row.start_line);
    let column = printer.paint(NUMBER, row.start_col);
    format!("{path}:{line}:{column}: {}", identity(row, printer))
}

/// `kind  qualname  node_id`, and the anchor where there is one.
pub(super) fn identity(row: &NodeRow, printer: &Printer) -> String {
    let kind = printer.paint(KIND, &row.kind);
    let name = row.qualname.as_deref().or(row.name.as_deref()).map_or("-".to_owned(), on_one_line);
    let mut identity = format!("{kind}  {}", printer.paint(NAME, printer.source(&name)));
    for part in row.node_id.iter().chain(&row.anchor) {
        identity.push_str("  ");
        identity.push_str(&printer.paint(QUIET, part));
    }
    identity
}

/// The code of a row, with line numbers.
pub(super) fn code(row: &NodeRow, excerpt: Excerpt, printer: &mut Printer) -> io::Result<()> {
    let Some(code) = &row.code else { return Ok(()) };
    let text = Text::new(code);
    let shown = match excerpt {
        Excerpt::None => return Ok(()),
        Excerpt::FirstLine => 1,
        Excerpt::Whole => text.line_count(),
    };
    let width = (row.start_line + shown - 1).to_string().len().max(4);
    for number in 1..=shown {
        let gutter = printer.paint(QUIET, format!("{:>width$}", row.start_line + number - 1));
        // A node starts somewhere in its first line; what stands before it isn't shown.
        let column = row.start_col.saturating_sub(1);
        let starts_line = row.indent.chars().count() == column;
        let indent = match number {
            1 if starts_line => row.indent.clone(),
            1 => " ".repeat(column),
            _ => String::new(),
        };
        let line = printer.source(&text.slice(text.line_span(number)));
        let line = if excerpt == Excerpt::FirstLine { printer.paint(MATCH, line) } else { line };
        printer.line(format!("{gutter}  {indent}{line}"))?;
    }
    Ok(())
}

/// A name that the source breaks over several lines.
fn on_one_line(name: &str) -> String {
    if name.contains(char::is_whitespace) { name.split_whitespace().collect() } else { name.to_owned() }
}
