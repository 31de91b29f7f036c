//! Answers about symbols, as a model reads them.

use super::text::Page;
use crate::engine::*;

impl Page {
    /// References: by file, each with its line.
    pub(super) fn references(&mut self, found: &RefsResponse) {
        let counts = &found.counts;
        let names: Vec<&str> = found.symbols.iter().map(|symbol| symbol.qualname.as_str()).collect();
        self.line(&format!(
            "{}: {} certain, {} candidates, {} not determined; {} occurrences of the name mean something else",
            names.join(", "),
            counts.certain,
            counts.candidate,
            counts.undetermined,
            counts.elsewhere
        ));
        let mut path = "";
        for row in &found.references {
            if row.path != path {
                path = &row.path;
                self.line(path);
            }
            let mut line = format!("  {}:{} {}", row.line, row.col, row.role);
            if row.confidence != Confidence::Certain {
                line.push_str(&format!(" ({})", row.confidence));
            }
            if row.is_override {
                line.push_str(" of an override");
            }
            if !row.within.is_empty() {
                line.push_str(&format!(" in {}", row.within));
            }
            self.line(&format!("{line}: {}", row.text));
        }
        self.trouble(&[], &found.skipped);
        if found.truncated || self.is_full {
            self.close("… more references: narrow with role, certain, path or glob, or raise limit");
        }
    }

    /// A call hierarchy: indented by distance.
    pub(super) fn calls(&mut self, found: &CallsResponse) {
        let mut waiting = vec![(&found.root, 0)];
        while let Some((node, depth)) = waiting.pop() {
            let lines: Vec<String> = node.lines.iter().map(usize::to_string).collect();
            let at = if lines.is_empty() { String::new() } else { format!(" calls in line {}", lines.join(", ")) };
            let again = if node.is_cycle { " (again)" } else { "" };
            self.line(&format!("{}{}{at}{again}", "  ".repeat(depth), row(&node.symbol)));
            waiting.extend(node.calls.iter().rev().map(|next| (next, depth + 1)));
        }
        if found.candidates + found.undetermined > 0 {
            self.line(&format!(
                "besides {} candidate calls (unknown object before the name) and {} not determined",
                found.candidates, found.undetermined
            ));
        }
        self.trouble(&[], &found.skipped);
        if self.is_full {
            self.close("… more calls: lower depth, or narrow with path or glob");
        }
    }

    /// Classes above and below.
    pub(super) fn hierarchy(&mut self, found: &HierarchyResponse) {
        for class in &found.above {
            self.line(&format!("above: {}", row(&class.symbol)));
        }
        self.line(&row(&found.symbol));
        for class in &found.below {
            self.line(&format!("{}{} extends {}", "  ".repeat(class.depth), row(&class.symbol), class.via));
        }
        if found.has_external_bases {
            self.line("some bases are outside the project or not known");
        }
        self.trouble(&[], &found.skipped);
        if self.is_full {
            self.close("… more classes: narrow with path or glob");
        }
    }

    /// Definitions by name.
    pub(super) fn symbols(&mut self, found: &SymbolsResponse) {
        for symbol in &found.symbols {
            self.line(&row(symbol));
        }
        if found.symbols.is_empty() {
            self.line("no definition with a name like this");
        }
        self.trouble(&[], &found.skipped);
        if found.total > found.symbols.len() || self.is_full {
            self.close(&format!("… {} definitions in all: narrow the name, or raise limit", found.total));
        }
    }
}

/// `path:line kind QUALNAME`
fn row(symbol: &SymbolRow) -> String {
    format!("{}:{} {} {}", symbol.path, symbol.line, symbol.kind, symbol.qualname)
}
