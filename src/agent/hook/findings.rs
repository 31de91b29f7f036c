//! Findings of the project's rules that an edit caused, if the project's configuration asks for them: those of severity `error` on
//! lines that it changed, without those that were there before.

use std::collections::HashMap;
use std::path::PathBuf;

use super::workspace::Workspace;
use crate::engine::{Engine, Host};
use crate::request::requests::{PathTarget, Target, TextTarget};
use crate::request::{FindingRow, ScanRequest, Severity};
use crate::text::{Text, changed_lines, difference};

/// A file that an edit changed.
pub(super) struct Edited {
    /// Its path.
    pub path: PathBuf,
    /// The path as the agent reads it.
    pub shown: String,
    /// The text before; `None` if there was no such file.
    pub before: Option<String>,
    /// The text now.
    pub after: String,
}

/// The findings that edits caused; none if the project's configuration does not ask for them, or there are no rules.
pub(super) fn find_new(edited: &[Edited], workspace: &Workspace) -> Vec<FindingRow> {
    if edited.is_empty() {
        return Vec::new();
    }
    let engine = Engine::new(Host::at(&workspace.root));
    if !engine.scan_settings(None).is_ok_and(|settings| settings.after_edits) {
        return Vec::new();
    }
    let targets = edited.iter().map(|file| Target::Path(PathTarget { path: file.path.clone() }));
    let mut found = errors(&engine, targets.collect());
    let lines: HashMap<&str, Vec<(usize, usize)>> =
        edited.iter().map(|file| (file.shown.as_str(), file.changed_lines())).collect();
    found.retain(|row| {
        let lines = row.path.as_deref().and_then(|path| lines.get(path));
        lines.is_some_and(|lines| lines.iter().any(|(from, to)| *from <= row.end_line && row.start_line <= *to))
    });
    if found.is_empty() {
        return found;
    }
    // What was found before, wherever it was.
    let text = |file: &Edited| {
        let text = file.before.clone()?;
        Some(Target::Text(TextTarget { text, name: Some(file.shown.clone()), language: None }))
    };
    let mut known: HashMap<(Option<String>, String, String), usize> = HashMap::new();
    let before: Vec<Target> = edited.iter().filter_map(text).collect();
    if !before.is_empty() {
        for row in errors(&engine, before) {
            *known.entry((row.path, row.rule, row.fingerprint)).or_default() += 1;
        }
    }
    found.retain(|row| {
        let left = known.get_mut(&(row.path.clone(), row.rule.clone(), row.fingerprint.clone()));
        let is_known = left.as_ref().is_some_and(|left| **left > 0);
        if let Some(left) = left {
            *left = left.saturating_sub(1);
        }
        !is_known
    });
    found
}

/// The findings in some files or texts that are errors.
fn errors(engine: &Engine, targets: Vec<Target>) -> Vec<FindingRow> {
    let request = ScanRequest { targets, ..ScanRequest::default() };
    let found = engine.ask(&request).map(|answer| answer.findings).unwrap_or_default();
    found.into_iter().filter(|row| row.severity == Severity::Error && row.counts()).collect()
}

impl Edited {
    /// The lines that were changed, as first and last.
    fn changed_lines(&self) -> Vec<(usize, usize)> {
        let after = Text::new(&self.after);
        match &self.before {
            None => vec![(1, after.line_count())],
            Some(before) => changed_lines(&after, &difference(&Text::new(before), &after)),
        }
    }
}
