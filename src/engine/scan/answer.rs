//! `scan`: what rules find in trees, files and folders.

use std::time::Duration;

use super::baseline::Baseline;
use super::fixer::{FileFixes, Fixer};
use super::ready::ReadyRules;
use super::scanner::{FileFindings, Scanner};
use crate::engine::change::changes::{Changes, WriteOptions};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::language::Language;
use crate::reader::scan_settings::ScanSettings;
use crate::reader::searched::Searched;
use crate::reader::versions::ProjectVersions;
use crate::request::error::EngineError;
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::{OnError, Reading};
use crate::request::{BaselineUse, FixKind, RuleProblem, RuleRow, ScanDetail, ScanRequest, ScanResponse};

impl Method for ScanRequest {
    const NAME: &'static str = "scan";
    const READS: bool = false;
    type Result = ScanResponse;

    /// Runs rules. A rule that cannot be run is a problem in the answer, and the others are run.
    ///
    /// # Errors
    /// When a target, a file of rules, the configuration or the baseline is missing or wrong, or there are no rules.
    fn run(&self, engine: &Begun<'_>) -> Result<ScanResponse, EngineError> {
        let Some(kind) = self.fix.filter(|_| !self.list) else { return engine.scan(self) };
        if self.write {
            engine.writer().recover()?;
        }
        let (changes, problems) = engine.apply_fixes(self, kind)?;
        // What is left is found in what was written.
        let mut response = engine.scan(self)?;
        response.changes = Some(changes);
        for problem in problems {
            if !response.problems.contains(&problem) {
                response.problems.push(problem);
            }
        }
        Ok(response)
    }

    fn name_skips(answer: &mut ScanResponse) -> &mut [Skipped] {
        &mut answer.files.skipped
    }
}

impl Begun<'_> {
    fn scan(&self, request: &ScanRequest) -> Result<ScanResponse, EngineError> {
        let settings = self.scan_settings(request.config.as_deref())?;
        let loaded = self.load_rules(request, &settings.packs, &settings.rules)?;
        let names = self.names(&[])?;
        let mut response = ScanResponse { fail_on: settings.fail_on, ..ScanResponse::default() };
        if request.list {
            let languages = self.languages_known().all();
            let rules = self.ready(&loaded, &settings, &request.only, &languages, &names)?;
            response.rules = rows(&rules, &[], &[]);
            response.problems.extend(loaded.problems.iter().cloned().chain(rules.problems));
            return Ok(response);
        }
        let mut report = FilesReport::default();
        let mut searched = self.resolve_targets(&request.targets, &request.reading, &mut report)?;
        loaded.apply_languages(&mut searched);
        let languages = self.languages_of(&searched, &request.reading);
        let rules = self.ready(&loaded, &settings, &request.only, &languages, &names)?;
        response.problems.extend(loaded.problems.iter().cloned().chain(rules.problems.iter().cloned()));
        let lines = match (&request.changed_since, request.reading.staged) {
            (Some(revision), _) => Some(self.changed_lines_since(revision, true)?),
            (None, true) => Some(self.changed_lines_since("HEAD", false)?),
            (None, false) => None,
        };
        let scanner = Scanner { request, rules: &rules, settings: &settings, lines };
        let mut times = vec![Duration::ZERO; rules.active.len()];
        let mut unshown_fixes = 0;
        let take = |found: FileFindings, report: &mut FilesReport| {
            report.matched += usize::from(!found.rows.is_empty());
            response.findings.extend(found.rows);
            unshown_fixes += found.unshown_fixes;
            response.unused_ignores.extend(found.unused_ignores);
            for (number, time) in found.times {
                times[number] += time;
            }
            for problem in found.problems {
                // Each file in which a rule could not be run is named.
                let is_same = |known: &RuleProblem| {
                    known.rule == problem.rule && known.error.details.path == problem.error.details.path
                };
                if !response.problems.iter().any(is_same) {
                    response.problems.push(problem);
                }
            }
            Ok(true)
        };
        self.visit(&searched, &request.reading, &scanner, &mut report, take)?;
        self.check_cancelled()?;
        if unshown_fixes > 0 {
            let why = "each fix is tried on its whole file, and some files have very many";
            response.notes.push(format!("no fix is shown for {}: {why}", findings(unshown_fixes)));
        }
        response.suppressed = response.findings.iter().filter(|finding| finding.suppressed).count();
        if let Some(path) = &request.baseline {
            self.use_baseline(path, request.baseline_use.unwrap_or(BaselineUse::Read), &mut response)?;
        }
        for finding in response.findings.iter().filter(|finding| finding.counts()) {
            response.counts.add(finding.severity);
        }
        let counted: Vec<&str> = response.findings.iter().map(|finding| finding.rule.as_str()).collect();
        response.rules = rows(&rules, &counted, if request.shows(ScanDetail::Stats) { &times } else { &[] });
        response.files = report;
        Ok(response)
    }

    /// The languages of the files of a search, and of the code in them.
    fn languages_of(&self, searched: &Searched, reading: &Reading) -> Vec<&'static Language> {
        let mut languages = self.languages_in_play(searched, reading);
        for hidden in self.hidden_languages(searched, reading) {
            if !languages.contains(&hidden) {
                languages.push(hidden);
            }
        }
        languages
    }

    fn use_baseline(&self, path: &str, how: BaselineUse, response: &mut ScanResponse) -> Result<(), EngineError> {
        if how == BaselineUse::Write {
            let baseline = Baseline::of(&response.findings);
            self.write_baseline(path, &baseline)?;
            response.notes.push(format!("`{path}` has {} now", findings(baseline.len())));
            baseline.mark(&mut response.findings);
        } else {
            let baseline = self.read_baseline(path)?;
            let left = baseline.mark(&mut response.findings);
            let gone = baseline.len() - left.len();
            match how {
                BaselineUse::Prune if gone > 0 => {
                    self.write_baseline(path, &left)?;
                    response.notes.push(format!("{} taken out of `{path}`", findings(gone)));
                }
                _ if gone > 0 => {
                    let notes = format!("`{path}` has {} that are no longer found", findings(gone));
                    response.notes.push(notes);
                }
                _ => {}
            }
        }
        response.known = response.findings.iter().filter(|finding| finding.known).count();
        Ok(())
    }

    /// Applies fixes: as diffs, unless the request says to write.
    fn apply_fixes(
        &self,
        request: &ScanRequest,
        kind: FixKind,
    ) -> Result<(crate::request::ChangesResponse, Vec<crate::request::RuleProblem>), EngineError> {
        let settings: ScanSettings = self.scan_settings(request.config.as_deref())?;
        let loaded = self.load_rules(request, &settings.packs, &settings.rules)?;
        let names = self.names(&[])?;
        let mut report = FilesReport::default();
        let mut searched = self.resolve_targets(&request.targets, &request.reading, &mut report)?;
        loaded.apply_languages(&mut searched);
        let languages = self.languages_of(&searched, &request.reading);
        let rules = self.ready(&loaded, &settings, &request.only, &languages, &names)?;
        let write_options = WriteOptions {
            request: "scan",
            write: request.write,
            dry_run: !request.write,
            unchecked: false,
            on_error: OnError::Skip,
            expect_count: None,
        };
        let versions = ProjectVersions::default();
        let fixer = Fixer { engine: self, request, rules: &rules, settings: &settings, kind, write_options, versions };
        let mut changes = Changes::default();
        let mut problems = Vec::new();
        let take = |found: FileFixes, report: &mut FilesReport| {
            problems.extend(found.problems);
            report.matched += usize::from(changes.add(self, found.change));
            Ok(true)
        };
        self.visit(&searched, &request.reading, &fixer, &mut report, take)?;
        self.check_cancelled()?;
        Ok((changes.verify_and_finish(self, write_options, report, request.verify.as_deref())?, problems))
    }
}

fn findings(count: usize) -> String {
    if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") }
}

/// The rules that were run, as rows.
fn rows(rules: &ReadyRules<'_>, found: &[&str], times: &[Duration]) -> Vec<RuleRow> {
    let mut counts = std::collections::HashMap::new();
    for rule in found {
        *counts.entry(*rule).or_insert(0) += 1;
    }
    let rows = rules.active.iter().enumerate().map(|(number, active)| {
        let rule = active.rule;
        RuleRow {
            rule: active.name.clone(),
            severity: active.severity,
            message: rule.message.clone(),
            note: rule.note.clone(),
            url: rule.url.clone(),
            languages: rule.languages.iter().map(|language| language.name().to_owned()).collect(),
            path: active.file.path.clone(),
            line: rule.line(&active.file.source),
            fix: rule.has_fix().then_some(if rule.is_safe { FixKind::Safe } else { FixKind::All }),
            findings: counts.get(active.name.as_str()).copied().unwrap_or_default(),
            seconds: times.get(number).map(Duration::as_secs_f64),
        }
    });
    rows.collect()
}
