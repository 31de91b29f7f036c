//! Answers about symbols, as a model reads them.

use super::text::Page;
use crate::engine::*;

impl Page {
    /// What of a project was read otherwise than its files are: unsaved trees, and files that were left out.
    fn read_besides(&mut self, project: &ProjectReport, unsaved: usize, skipped: &[Skipped]) {
        if let Some(notice) = project.notice() {
            self.line(&notice);
        }
        if unsaved > 0 {
            self.line(&format!("{unsaved} unsaved trees of the session were read in place of their files"));
        }
        self.trouble(&[], skipped);
    }

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
            if let Some(doubt) = &row.doubt {
                line.push_str(&format!(" ({doubt})"));
            }
            self.line(&format!("{line}: {}", row.text));
        }
        for note in &found.notes {
            self.line(&format!("note: {note}"));
        }
        self.read_besides(&found.project, found.unsaved, &found.skipped);
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
                "besides {} candidate calls (unknown receiver) and {} not determined",
                found.candidates, found.undetermined
            ));
        }
        self.read_besides(&found.project, found.unsaved, &found.skipped);
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
        self.read_besides(&found.project, found.unsaved, &found.skipped);
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
        self.read_besides(&found.project, found.unsaved, &found.skipped);
        if found.total > found.symbols.len() || self.is_full {
            self.close(&format!("… {} definitions in all: narrow the name, or raise limit", found.total));
        }
    }

    /// Definitions by words.
    pub(super) fn search_results(&mut self, found: &SearchResponse) {
        for result in &found.results {
            let symbol = &result.symbol;
            let is_nested = result.signature.is_empty() || symbol.qualname.contains('.');
            let scope = if is_nested { format!("{} ", symbol.qualname) } else { String::new() };
            self.line(&format!("{}:{} {} {scope}{}", symbol.path, symbol.line, symbol.kind, result.signature));
            for line in &result.lines {
                self.line(&format!("  {}: {}", line.line, line.text));
            }
        }
        if found.results.is_empty() {
            self.line("no definition has these words");
        }
        self.read_besides(&found.project, found.unsaved, &found.skipped);
        if let Some(note) = &found.note {
            self.line(note);
        }
        if found.without_vectors > 0 {
            self.line(&format!("{} files without vectors were searched by words alone", found.without_vectors));
        }
        if found.truncated || self.is_full {
            self.close("… there are more: raise limit, or add words");
        }
    }

    /// The skeleton of a project.
    pub(super) fn map(&mut self, found: &MapResponse) {
        for file in &found.files {
            self.line(&file.path);
            file.definitions.iter().for_each(|definition| _ = self.line(&definition.to_string()));
        }
        self.read_besides(&found.project, found.unsaved, &found.skipped);
        self.close(&format!(
            "{} of {} definitions: raise tokens, or name a path or focus",
            found.listed, found.definitions
        ));
    }

    /// Definitions without references.
    pub(super) fn unused(&mut self, found: &UnusedResponse) {
        let counts: Vec<String> = found.kept.iter().map(|kept| format!("{} {}", kept.count, kept.why)).collect();
        self.line(&format!(
            "{} certainly unused, {} candidates (their name occurs in a string, or where its meaning is not known); left out: {}",
            found.certain,
            found.candidates,
            if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
        ));
        for unused in &found.unused {
            let candidate = if unused.confidence == Confidence::Certain { "" } else { " (candidate)" };
            self.line(&format!("{}{candidate}", row(&unused.symbol)));
        }
        for language in &found.not_followed {
            self.line(&format!(
                "not followed across files, so not listed: {} files in {}",
                language.count, language.why
            ));
        }
        self.read_besides(&found.project, found.unsaved, &found.skipped);
        if found.truncated || self.is_full {
            self.close("… more definitions: narrow with path or certain, or raise limit");
        }
    }

    /// What a change affects.
    pub(super) fn impact(&mut self, found: &ImpactResponse) {
        for changed in &found.changed {
            let places = match changed.candidates {
                0 => String::new(),
                count => format!("; {count} more places may refer to it"),
            };
            self.line(&format!("{}: {}{places}", changed.change, row(&changed.symbol)));
        }
        if found.changed.is_empty() {
            self.line("no definition has changed");
        }
        for affected in &found.affected {
            let lines: Vec<String> = affected.lines.iter().map(usize::to_string).collect();
            let indent = "  ".repeat(affected.depth);
            self.line(&format!("{indent}{} uses {} in line {}", row(&affected.symbol), affected.via, lines.join(", ")));
        }
        self.read_besides(&found.project, found.unsaved, &found.skipped);
        if found.total > found.affected.len() || found.truncated || self.is_full {
            self.close(&format!("… {} affected in all: lower depth, or raise limit", found.total));
        }
    }
}

/// `path:line kind QUALNAME`
fn row(symbol: &SymbolRow) -> String {
    format!("{}:{} {} {}", symbol.path, symbol.line, symbol.kind, symbol.qualname)
}
