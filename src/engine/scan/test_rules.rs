//! The tests of rules, run as those of scripts are.

use std::path::{Path, PathBuf};

use super::loaded::RuleFile;
use super::read_rules::pack_of;
use crate::engine::change::script::wrong;
use crate::engine::core::Begun;
use crate::limits;
use crate::reader::names::Names;
use crate::request::error::EngineError;
use crate::request::requests::{AcceptedTest, TestRequest};
use crate::request::responses::{TestResponse, TestRow, TestStatus};
use crate::rule::{Rule, RuleComplaint, RuleTest, read_rules};
use crate::script::Snapshot;
use crate::tree::ParseLimits;

/// Where snapshots of rules are, seen from the working directory.
const SNAPSHOTS: &str = "snapshots/rules";

/// A test, and where it is from.
struct Place<'a> {
    file: &'a RuleFile,
    rule: &'a Rule,
    test: &'a RuleTest,
}

impl Begun<'_> {
    /// The rules of a file, if it has some.
    ///
    /// # Errors
    /// If it cannot be read, or a rule in it is wrong.
    pub(in crate::engine) fn rules_in(&self, path: &Path) -> Result<Option<RuleFile>, EngineError> {
        let bytes = self.files().read(path, limits::SCRIPT_BYTES).map_err(|error| self.unreadable(path, &error))?;
        let Ok(source) = String::from_utf8(bytes) else { return Ok(None) };
        let source = source.strip_prefix('\u{feff}').unwrap_or(&source).replace("\r\n", "\n");
        if !source.lines().any(|line| line.trim_start().starts_with("[[rule]]")) {
            return Ok(None);
        }
        let shown = self.shown(path);
        let read = read_rules(&source, self.languages_known()).map_err(|error| wrong(&error, &source, &shown))?;
        if let Some(error) = read.errors.first() {
            return Err(wrong(error, &source, &shown));
        }
        Ok(Some(RuleFile { pack: pack_of(path, &source), path: shown, source, rules: read.rules, project: None }))
    }

    /// Runs the tests of the rules in a file.
    ///
    /// # Errors
    /// If a rule is wrong in one of its languages, or a snapshot cannot be read or written.
    pub(in crate::engine) fn test_rules(
        &self,
        file: &RuleFile,
        names: &Names,
        request: &TestRequest,
        response: &mut TestResponse,
    ) -> Result<(), EngineError> {
        for rule in &file.rules {
            let name = file.name_of(rule);
            for language in &rule.languages {
                rule.plan(language, &names.of(language)?).map_err(|error| wrong(&error, &file.source, &file.path))?;
            }
            if rule.tests.is_empty() && request.filter.is_empty() {
                response.warnings.push(format!("the rule `{name}` has no tests"));
                response.untested += 1;
            }
            for test in &rule.tests {
                self.check_cancelled()?;
                let is_wanted =
                    |word: &String| name.contains(word) || test.name.contains(word) || file.path.contains(word);
                if !request.filter.is_empty() && !request.filter.iter().any(is_wanted) {
                    continue;
                }
                let row = self.test_rule(&Place { file, rule, test }, names, request)?;
                if row.problems.is_empty() {
                    response.passed += 1;
                } else {
                    response.failed += 1;
                }
                response.tests.push(row);
            }
        }
        Ok(())
    }

    fn test_rule(&self, place: &Place<'_>, names: &Names, request: &TestRequest) -> Result<TestRow, EngineError> {
        let Place { file, rule, test } = place;
        let name = format!("{} {}", rule.id, test.name);
        let mut row = TestRow {
            script: file.path.clone(),
            test: name.clone(),
            line: test.line(&file.source),
            ..TestRow::default()
        };
        let plan = rule.plan(test.language, &names.of(test.language)?);
        let plan = match plan.map_err(|error| wrong(&error, &file.source, &file.path))? {
            Some(plan) => plan,
            None => {
                row.problems = vec![format!("the rule has no words of {}", test.language.name())];
                row.status = TestStatus::Failed;
                return Ok(row);
            }
        };
        let kept = match test.finds {
            Some(_) => None,
            None => Some(self.kept_snapshot(self.snapshot_of(place))?),
        };
        let text = kept.as_ref().and_then(|kept| kept.text.as_deref());
        let mut verdict = test.verdict(&plan, text, &ParseLimits::default());
        if let (Some(kept), Some(got)) = (&kept, &verdict.got) {
            row.snapshot = Some(self.shown(&kept.path));
            let is_open = |complaint: &RuleComplaint| {
                matches!(complaint, RuleComplaint::New { .. } | RuleComplaint::Snapshot { .. })
            };
            row.pending = verdict.complaints.iter().any(is_open);
            let accepted = AcceptedTest { script: file.path.clone(), test: name.clone() };
            let only_open = verdict.complaints.iter().all(is_open);
            if row.pending && only_open && (request.update || request.accept.contains(&accepted)) {
                let snapshot = Snapshot { source: file.path.clone(), expression: name, text: got.clone() };
                self.keep(&kept.path, &snapshot)?;
                verdict.complaints.clear();
                (row.pending, row.updated) = (false, true);
            }
        }
        row.problems = verdict.complaints.iter().map(ToString::to_string).collect();
        row.diff = verdict.complaints.iter().find_map(RuleComplaint::diff).map(str::to_owned);
        row.status = if row.problems.is_empty() { TestStatus::Passed } else { TestStatus::Failed };
        Ok(row)
    }

    fn snapshot_of(&self, place: &Place<'_>) -> PathBuf {
        let pack = Snapshot::file_name(&place.file.pack);
        let name = Snapshot::file_name(&format!("{}-{}", place.rule.id, place.test.name));
        self.absolute(&Path::new(SNAPSHOTS).join(pack).join(format!("{name}.snap")))
    }
}
