//! Looks for what rules find, file by file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::findings::{FindingRows, Judged};
use super::lines::ChangedLines;
use super::ready::{ReadyRule, ReadyRules};
use crate::language::Language;
use crate::project::{Prefilter, Sink};
use crate::reader::document::limits;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::scan_settings::ScanSettings;
use crate::request::error::EngineError;
use crate::request::{FindingRow, RuleProblem, ScanDetail, ScanRequest, Severity, UnusedIgnore};
use crate::rule::ast_grep::read_as_ast_grep;
use crate::rule::{Evaluation, Ignores};
use crate::tree::Tree;

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
        let host = seen.document.tree.language();
        for document in seen.documents() {
            let tree = &document.tree;
            let is_foreign = |rule: &LookingRule<'_>| rule.ready.plan.rule().is_foreign();
            let looks_inside = tree.part().is_none() || host.spec().ast_grep.looks_inside;
            let text = tree.text().as_str();
            let may_find = |rule: &LookingRule<'_>| {
                text.is_none_or(|text| rule.ready.prefilter.may_match(text.as_bytes()))
                    && (looks_inside || !is_foreign(rule))
            };
            let looking = self.rules.looking_at(tree.language(), path, self.settings);
            let looking = looking.map(|(ready, severity)| LookingRule { ready, severity }).filter(may_find);
            let (foreign, own): (Vec<LookingRule<'_>>, Vec<LookingRule<'_>>) = looking.partition(is_foreign);
            // Rules of ast-grep look at the tree that it would see.
            let read = if foreign.is_empty() { None } else { read_as_ast_grep(tree, &parse) };
            let Some(read) = read else {
                let unused = self.look_at(tree, own.into_iter().chain(foreign), seen, &mut found);
                found.unused_ignores.extend(unused);
                continue;
            };
            let unused = self.look_at(&read, foreign.into_iter(), seen, &mut found);
            let mut own = self.look_at(tree, own.into_iter(), seen, &mut found);
            own.retain(|ignore| unused.iter().any(|other| (other.line, other.col) == (ignore.line, ignore.col)));
            found.unused_ignores.extend(own);
        }
        found.rows.sort_by(|one, other| {
            (one.start_byte, one.end_byte, &one.rule).cmp(&(other.start_byte, other.end_byte, &other.rule))
        });
        let weight = found.rows.iter().map(|row| 512 + row.message.len() + row.source_line.len()).sum::<usize>();
        send(found, weight);
        Ok(())
    }
}

/// A rule that looks at a file, and how bad its findings are there.
struct LookingRule<'r> {
    ready: &'r ReadyRule<'r>,
    severity: Severity,
}

impl Scanner<'_> {
    /// Adds the findings of some rules in a tree. Returns the comments that silence none of them, if asked for.
    fn look_at<'r>(
        &self,
        tree: &Tree,
        rules: impl Iterator<Item = LookingRule<'r>>,
        seen: &ParsedFile<'_>,
        found: &mut FileFindings,
    ) -> Vec<UnusedIgnore> {
        let on = Evaluation::new(tree);
        let ignores = Ignores::of(tree);
        let rows = FindingRows::new(tree, seen.path.clone());
        let (path, parse) = (seen.path.as_deref(), limits(&self.request.reading));
        for LookingRule { ready, severity } in rules {
            let active = &self.rules.active[ready.number];
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
        if !self.request.shows(ScanDetail::UnusedIgnores) {
            return Vec::new();
        }
        let unused = ignores.unused().map(|ignore| UnusedIgnore {
            path: seen.path.clone().unwrap_or_else(|| "-".to_owned()),
            line: tree.start(ignore.comment).line,
            col: tree.start(ignore.comment).col(),
            rules: ignore.rules.clone(),
        });
        unused.collect()
    }
}
