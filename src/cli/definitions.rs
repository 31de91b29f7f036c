//! How the definitions of files are printed.

use std::io;

use clap::ValueEnum;

use super::printer::{Format, NUMBER, Printer, QUIET};
use crate::outline::ID_COLUMN;
use crate::request::{DefinitionRow, OutlinedFile};

/// How an outline is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    /// Indented text
    #[default]
    Text,
    /// The source lines with the names
    Cline,
}

/// How the outlines of files are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutlineStyle {
    pub style: Style,
    pub ids: bool,
}

impl OutlineStyle {
    /// Prints a file's outline.
    pub(super) fn print(self, file: &OutlinedFile, is_first: bool, printer: &mut Printer) -> io::Result<()> {
        if printer.format() == Format::JsonLines {
            return printer.json(file);
        }
        if !is_first && self.style == Style::Cline {
            printer.line("")?;
        }
        print(file, self.ids, printer)
    }
}

/// Prints a file's outline: the text of the engine, or its rows in colour.
pub(super) fn print(file: &OutlinedFile, ids: bool, printer: &mut Printer) -> io::Result<()> {
    if let Some(text) = &file.text {
        return printer.text(text);
    }
    let path = file.path.as_deref().map_or("-".to_owned(), |path| printer.link(path));
    let shown = format!("{path}  {}", file.about());
    printer.line(shown)?;
    for row in &file.definitions {
        let line = definition(row, ids, printer);
        printer.line(line)?;
        if let Some(doc) = &row.doc {
            let line = format!("{:>8}  {}  {}", "", "  ".repeat(row.depth), printer.source(doc));
            printer.line(line)?;
        }
    }
    Ok(())
}

/// A definition's line: its line numbers, its signature, and its id at the end.
fn definition(row: &DefinitionRow, ids: bool, printer: &Printer) -> String {
    let numbers = format!("{:>8}", format!("{}-{}", row.start_line, row.end_line));
    let signature = format!("{}{}", "  ".repeat(row.depth), row.signature);
    let gap = ID_COLUMN.saturating_sub(numbers.chars().count() + 2 + signature.chars().count()).max(3);
    let shown = format!("{}  {}", printer.paint(NUMBER, numbers), printer.source(&signature));
    if ids { format!("{shown}{:gap$}{}", "", printer.paint(QUIET, &row.node_id)) } else { shown }
}
