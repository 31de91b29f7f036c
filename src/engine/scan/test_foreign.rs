//! The tests of a project of ast-grep: code in which a rule finds nothing, code in which it finds something, and where.

use std::path::Path;

use super::loaded::LoadedRules;
use super::read_rules::foreign_error;
use crate::engine::change::script::wrong;
use crate::engine::core::Begun;
use crate::reader::names::Names;
use crate::request::error::EngineError;
use crate::request::requests::TestRequest;
use crate::request::responses::{TestResponse, TestRow, TestStatus};
use crate::rule::ast_grep::{
    AstGrepTest, SnapshotPlaces, is_ast_grep_test, read_ast_grep_project, read_ast_grep_snapshot, read_ast_grep_tests,
};
use crate::rule::{Evaluation, Ignores, RulePlan};
use crate::text::Text;
use crate::tree::{ParseLimits, Tree};

/// A test, and where it is from.
struct Place<'a> {
    /// Its file as results show it.
    path: &'a str,
    test: &'a AstGrepTest,
    /// The places of its snapshot, by code.
    snapshot: SnapshotPlaces,
}

impl Begun<'_> {
    /// Runs the tests of a project.
    ///
    /// # Errors
    /// If its configuration cannot be read.
    pub(in crate::engine) fn test_foreign(
        &self,
        project: &Path,
        names: &Names,
        request: &TestRequest,
        response: &mut TestResponse,
    ) -> Result<(), EngineError> {
        let shown = self.shown(project);
        let read = read_ast_grep_project(&self.read_text(project)?).map_err(|error| foreign_error(&error, &shown))?;
        let mut loaded = LoadedRules::default();
        self.load_foreign_project(project, &mut loaded)?;
        for problem in &loaded.problems {
            response.failed += 1;
            response.tests.push(TestRow {
                script: problem.rule.clone(),
                test: "the rule".to_owned(),
                line: problem.error.details.line.unwrap_or(1),
                problems: vec![problem.error.message.clone()],
                status: TestStatus::Failed,
                ..TestRow::default()
            });
        }
        let folder = project.parent().unwrap_or(project);
        for (tests, snapshots) in &read.tests {
            let tests = folder.join(tests);
            for path in self.yaml_in(&tests)? {
                let source = self.read_text(&path)?;
                if !is_ast_grep_test(&source) {
                    continue;
                }
                let shown = self.shown(&path);
                let all = read_ast_grep_tests(&source).map_err(|error| foreign_error(&error, &shown))?;
                for test in &all {
                    let snapshot = tests.join(snapshots).join(format!("{}-snapshot.yml", test.id));
                    let place = Place { path: &shown, test, snapshot: self.foreign_snapshot(&snapshot)? };
                    self.test_foreign_rule(&place, &loaded, names, request, response)?;
                }
            }
        }
        Ok(())
    }

    fn foreign_snapshot(&self, path: &Path) -> Result<SnapshotPlaces, EngineError> {
        if self.files().facts(path).is_err() {
            return Ok(Vec::new());
        }
        let source = self.read_text(path)?;
        read_ast_grep_snapshot(&source).map_err(|error| foreign_error(&error, &self.shown(path)))
    }

    fn test_foreign_rule(
        &self,
        place: &Place<'_>,
        loaded: &LoadedRules,
        names: &Names,
        request: &TestRequest,
        response: &mut TestResponse,
    ) -> Result<(), EngineError> {
        let Place { path, test, .. } = place;
        let is_wanted = |word: &String| test.id.contains(word) || path.contains(word);
        if !request.filter.is_empty() && !request.filter.iter().any(is_wanted) {
            return Ok(());
        }
        let mut add = |name: String, problems: Vec<String>| {
            match problems.is_empty() {
                true => response.passed += 1,
                false => response.failed += 1,
            }
            let status = if problems.is_empty() { TestStatus::Passed } else { TestStatus::Failed };
            let (script, line) = ((*path).to_owned(), test.place.line);
            response.tests.push(TestRow { script, test: name, line, problems, status, ..TestRow::default() });
        };
        let all = loaded.files.iter().flat_map(|file| file.rules.iter().map(move |rule| (file, rule)));
        let Some((file, rule)) = all.into_iter().find(|(_, rule)| rule.id == test.id) else {
            add(test.id.clone(), vec![format!("no rule is called `{}`", test.id)]);
            return Ok(());
        };
        let Some(&language) = rule.languages.first() else { return Ok(()) };
        let plan = match rule.plan(language, &names.of(language)?) {
            Ok(Some(plan)) => plan,
            Ok(None) => return Ok(()),
            Err(error) => {
                add(test.id.clone(), vec![wrong(&error, &file.source, &file.path).message]);
                return Ok(());
            }
        };
        for (number, code) in test.valid.iter().enumerate() {
            self.check_cancelled()?;
            let name = format!("{} valid {}", test.id, number + 1);
            add(
                name,
                match places(&plan, code) {
                    Ok(found) if found.is_empty() => Vec::new(),
                    Ok(found) => vec![format!("something is found at {}", shown_places(&found))],
                    Err(problem) => vec![problem],
                },
            );
        }
        for (number, code) in test.invalid.iter().enumerate() {
            self.check_cancelled()?;
            let name = format!("{} invalid {}", test.id, number + 1);
            let kept = place.snapshot.iter().find(|(known, _)| known == code).map(|(_, places)| places);
            add(
                name,
                match (places(&plan, code), kept) {
                    (Err(problem), _) => vec![problem],
                    (Ok(found), _) if found.is_empty() => vec!["nothing is found".to_owned()],
                    (Ok(found), Some(kept)) if kept.first().is_some_and(|kept| found.first() != Some(kept)) => {
                        vec![format!(
                            "the first finding is at {}, the snapshot has {}",
                            shown_places(&found[..1]),
                            shown_places(kept)
                        )]
                    }
                    (Ok(_), _) => Vec::new(),
                },
            );
        }
        Ok(())
    }
}

/// The first and last byte of each finding.
fn places(plan: &RulePlan<'_>, code: &str) -> Result<Vec<(usize, usize)>, String> {
    let tree = Tree::parse(Text::new(code), plan.language().for_ast_grep(), &ParseLimits::default())
        .map_err(|error| error.to_string())?;
    let ignores = Ignores::of(&tree);
    let found = plan.find(&Evaluation::new(&tree)).map_err(|error| error.message)?;
    let open = found.iter().filter(|found| ignores.silencing(&plan.rule().id, &tree, found.node).is_none());
    let span = |found: &crate::selector::Match| {
        let span = tree.span(found.node);
        (span.start(), span.end())
    };
    Ok(open.map(span).collect())
}

fn shown_places(places: &[(usize, usize)]) -> String {
    places.iter().map(|(start, end)| format!("{start}-{end}")).collect::<Vec<_>>().join(", ")
}
