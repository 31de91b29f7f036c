//! Looks for what rules find, file by file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::findings::{FindingRows, Judged};
use super::lines::ChangedLines;
use super::ready::ReadyRules;
use crate::language::Language;
use crate::project::{Prefilter, Sink};
use crate::reader::document::limits;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::scan_settings::ScanSettings;
use crate::request::error::EngineError;
use crate::request::{FindingRow, RuleProblem, ScanDetail, ScanRequest, UnusedIgnore};
use crate::rule::{Evaluation, Ignores};

/// Looks at one file after another.
pub(super) struct Scanner<'a> {
    pub request: &'a ScanRequest,
    pub rules: &'a ReadyRules<'a>,
    pub settings: &'a ScanSettings,
    pub lines: Option<ChangedLines>,
}

/// The findings in a file.
#[derive(Default)]
pub(super) struct FileFindings {
    pub rows: Vec<FindingRow>,
    pub problems: Vec<RuleProblem>,
    pub unused_ignores: Vec<UnusedIgnore>,
    /// How many fixes were not tried, since others were in the same file.
    pub unshown_fixes: usize,
    /// How long rules took, by their numbers, if asked for.
    pub times: Vec<(usize, Duration)>,
}

impl FileVisitor for Scanner<'_> {
    type Found = FileFindings;

    fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        // A comment that silences nothing may be in any file.
        if self.request.shows(ScanDetail::UnusedIgnores) {
            return None;
        }
        let rules = self.rules.by_language.get(language.name())?;
        let prefilter = rules.prefilter.clone()?;
        // A fix is tried on the whole file.
        let has_fix = || rules.rules.iter().any(|ready| ready.plan.rule().has_fix());
        if self.request.shows(ScanDetail::Fixes) && has_fix() {
            return Some(Arc::new(prefilter.of_whole_files()));
        }
        Some(prefilter)
    }

    fn wants(&self, language: &'static Language) -> bool {
        self.rules.by_language.get(language.name()).is_none_or(|rules| !rules.rules.is_empty())
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileFindings>) -> Result<(), EngineError> {
        let mut found = FileFindings::default();
        let path = seen.path.as_deref();
        let parse = limits(&self.request.reading);
        for document in seen.documents() {
            let tree = &document.tree;
            let text = tree.text().as_str();
            let on = Evaluation::new(tree);
            let ignores = Ignores::of(tree);
            let rows = FindingRows::new(tree, seen.path.clone());
            for (ready, severity) in self.rules.looking_at(tree.language(), path, self.settings) {
                let active = &self.rules.active[ready.number];
                if text.is_some_and(|text| !ready.prefilter.may_match(text.as_bytes())) {
                    continue;
                }
                let begun = self.request.shows(ScanDetail::Stats).then(Instant::now);
                let matches = match ready.plan.find(&on) {
                    Ok(matches) => matches,
                    Err(error) => {
                        let mut error = EngineError::from(error);
                        error.details.path = seen.path.clone();
                        found.problems.push(RuleProblem { rule: active.name.clone(), error });
                        continue;
                    }
                };
                for one in &matches {
                    let ignore = ignores.silencing(&active.name, tree, one.node);
                    let (first, last) = (tree.start(one.node).line, tree.end(one.node).line);
                    if self.lines.as_ref().is_some_and(|lines| !lines.touch(path, first, last)) {
                        continue;
                    }
                    let fix = if self.request.shows(ScanDetail::Fixes) { rows.fix(ready, one, &parse) } else { None };
                    found.rows.push(rows.row(active, ready, Judged { found: one, severity, ignore, fix }));
                }
                if let Some(begun) = begun {
                    found.times.push((ready.number, begun.elapsed()));
                }
            }
            found.unshown_fixes += rows.unshown_fixes();
            if self.request.shows(ScanDetail::UnusedIgnores) {
                found.unused_ignores.extend(ignores.unused().map(|ignore| UnusedIgnore {
                    path: seen.path.clone().unwrap_or_else(|| "-".to_owned()),
                    line: tree.start(ignore.comment).line,
                    col: tree.start(ignore.comment).col(),
                    rules: ignore.rules.clone(),
                }));
            }
        }
        found.rows.sort_by(|one, other| {
            (one.start_byte, one.end_byte, &one.rule).cmp(&(other.start_byte, other.end_byte, &other.rule))
        });
        let weight = found.rows.iter().map(|row| 512 + row.message.len() + row.source_line.len()).sum::<usize>();
        send(found, weight);
        Ok(())
    }
}
