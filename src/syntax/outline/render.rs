//! Renders an outline.

use std::fmt::Write;

use super::definitions::Definition;
use crate::tree::Tree;

/// The deepest level that is indented more than the one around it. Without this limit, the outline of n nested
/// definitions would take n² space.
const DEEPEST_INDENT: usize = 64;

/// The column of ids; further right after a long signature.
pub const ID_COLUMN: usize = 53;

/// A file's outline as indented text: a header with language, lines and syntax errors, and one line per definition.
/// `ids` adds the node ids.
pub fn text(path: &str, tree: &Tree, definitions: &[Definition], ids: bool) -> String {
    let places: Vec<String> = tree.errors().iter().map(|error| error.position.to_string()).collect();
    text_below(
        &format!("{path}  {}", about(tree.language().name(), tree.text().line_count(), &places)),
        definitions,
        ids,
    )
}

/// The same, below another first line.
pub fn text_below(first: &str, definitions: &[Definition], ids: bool) -> String {
    let mut output = format!("{first}\n");
    for definition in definitions {
        let lines = format!("{}-{}", definition.start_line, definition.end_line);
        let indent = "  ".repeat(definition.depth.min(DEEPEST_INDENT));
        let mut line = format!("{lines:>8}  {indent}{}", definition.signature);
        if ids {
            let width = line.chars().count();
            let padding = ID_COLUMN.saturating_sub(width).max(3);
            let _ = write!(line, "{:padding$}{}", "", definition.id);
        }
        output.push_str(&line);
        output.push('\n');
        if let Some(doc) = &definition.doc {
            let _ = writeln!(output, "{:>8}  {indent}  {doc}", "");
        }
    }
    output
}

/// What an outline says about a file beside its path: `(kotlin, 80 lines, 2 syntax errors: 7:3, 19:1)`.
pub fn about(language: &str, lines: usize, errors: &[String]) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut about = format!("({language}, {lines} line{}", plural(lines));
    if !errors.is_empty() {
        let _ = write!(about, ", {} syntax error{}: {}", errors.len(), plural(errors.len()), errors.join(", "));
    }
    about + ")"
}

/// A file's outline as the source lines that contain the names of its definitions, each once, with `|----` for omitted
/// lines.
pub fn cline(path: &str, tree: &Tree, definitions: &[Definition]) -> String {
    if definitions.is_empty() {
        return format!("{path}\n(no definitions)\n");
    }
    let mut lines: Vec<usize> = definitions.iter().map(|definition| definition.name_line).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut output = format!("{path}\n");
    let mut previous = 0;
    for line in lines {
        if previous == 0 || line != previous + 1 {
            output.push_str("|----\n");
        }
        let _ = writeln!(output, "│{}", tree.text().slice(tree.text().line_span(line)));
        previous = line;
    }
    output + "|----\n"
}
