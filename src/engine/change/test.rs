//! `test`: the tests of refactor scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::change::script::{ReadScript, plans};
use crate::engine::change::snapshots::KeptSnapshot;
use crate::engine::core::{Begun, Engine};
use crate::engine::method::Method;
use crate::engine::scan::read_rules::is_foreign_project;
use crate::language::Language;
use crate::project::{Files, Kind, Memory, Walk, path_text};
use crate::reader::host::Host;
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::requests::{AcceptedTest, RunRequest, ScriptSource, TestRequest};
use crate::request::responses::{TestResponse, TestRow, TestStatus};
use crate::script::{Cause, Complaint, Count, Expected, Plan, Ran, RunError, Snapshot, Test, Verdict};
use crate::text::Text;
use crate::tree::{ParseLimits, Tree};

/// Where snapshots are, seen from the working directory.
const SNAPSHOTS: &str = "snapshots/scripts";
/// Where scripts are looked for: a folder, and which of its files.
const USUAL: [(&str, &str); 3] = [("refactors", "*.toml"), ("examples/refactors", "/*.toml"), (".cst/rules", "*.toml")];

impl Method for TestRequest {
    const NAME: &'static str = "test";
    const READS: bool = false;
    type Result = TestResponse;

    /// Runs the tests of scripts.
    ///
    /// # Errors
    /// When a script can't be read or is wrong; no test is run then.
    fn run(&self, engine: &Begun<'_>) -> Result<TestResponse, EngineError> {
        let mut response = TestResponse::default();
        let names = engine.names(&[])?;
        let (mut scripts, mut rules) = (Vec::new(), Vec::new());
        let projects = engine.foreign_projects(&self.scripts);
        for path in engine.scripts(&self.scripts)? {
            match engine.rules_in(&path)? {
                Some(file) => rules.push(file),
                None => scripts.push(engine.script(&ScriptSource::Path(path_text(&path)))?),
            }
        }
        let mut planned = Vec::with_capacity(scripts.len());
        for script in &scripts {
            let mut languages: Vec<&'static Language> = script.script.languages.clone();
            for test in &script.script.tests {
                if !languages.contains(&test.language) {
                    languages.push(test.language);
                }
            }
            planned.push((script, plans(script, &languages, &names)?));
        }
        for (script, plans) in &planned {
            engine.test_script(script, plans, self, &mut response)?;
        }
        for file in &rules {
            engine.test_rules(file, &names, self, &mut response)?;
        }
        for project in &projects {
            engine.test_foreign(project, &names, self, &mut response)?;
        }
        Ok(response)
    }
}

impl Begun<'_> {
    fn test_script(
        &self,
        read: &ReadScript,
        plans: &[Plan<'_>],
        request: &TestRequest,
        response: &mut TestResponse,
    ) -> Result<(), EngineError> {
        let script = &read.script;
        let is_wanted = |test: &&Test| {
            let named =
                |word: &String| test.name.contains(word) || read.path.contains(word) || script.name.contains(word);
            request.filter.is_empty() || request.filter.iter().any(named)
        };
        let wanted: Vec<&Test> = script.tests.iter().filter(is_wanted).collect();
        let mut matched = vec![false; script.steps.len()];
        let mut is_known = wanted.len() == script.tests.len();
        for test in &wanted {
            self.check_cancelled()?;
            let Some(plan) = plans.iter().find(|plan| plan.language() == test.language) else { continue };
            let (row, verdict) = self.test_one(read, plan, test, request)?;
            for (matched, count) in matched.iter_mut().zip(&verdict.steps) {
                *matched |= count.matches > 0;
            }
            // What a run that broke off would have matched isn't known.
            is_known &= verdict.got.is_some();
            if row.problems.is_empty() {
                response.passed += 1;
            } else {
                response.failed += 1;
            }
            response.tests.push(row);
        }
        if script.tests.is_empty() && request.filter.is_empty() {
            response.warnings.push(format!("`{}` has no tests", read.path));
        } else if is_known {
            let idle = script.steps.iter().enumerate().filter(|(at, _)| !matched[*at]);
            response.warnings.extend(idle.map(|(at, step)| {
                let line = step.line(&read.source);
                format!("step {} in line {line} of `{}` matches in none of the tests", at + 1, read.path)
            }));
        }
        Ok(())
    }

    fn test_one(
        &self,
        read: &ReadScript,
        plan: &Plan<'_>,
        test: &Test,
        request: &TestRequest,
    ) -> Result<(TestRow, Verdict), EngineError> {
        let kept = if test.after.is_some() || test.unchanged { None } else { Some(self.kept(read, test)?) };
        let expected = match (&test.after, &kept) {
            (Some(after), _) => Expected::Text(after),
            (None, Some(KeptSnapshot { text: Some(text), .. })) => Expected::Snapshot(text),
            (None, _) => Expected::Nothing,
        };
        let parse = ParseLimits::default();
        let mut verdict = match read.script.steps.iter().any(|step| step.refactor().is_some()) {
            true => test.verdict_by(plan, expected, &parse, &|tree| run_alone(read, test, tree, &parse)),
            false => test.verdict(plan, expected, &parse),
        };
        let mut row = TestRow {
            script: read.path.clone(),
            test: test.name.clone(),
            line: test.line(&read.source),
            snapshot: kept.as_ref().map(|kept| self.shown(&kept.path)),
            ..TestRow::default()
        };
        if let (Some(kept), Some(got)) = (&kept, &verdict.got) {
            let is_open =
                |complaint: &Complaint| matches!(complaint, Complaint::New { .. } | Complaint::Differs { .. });
            row.pending = verdict.complaints.iter().any(is_open);
            let accepted = AcceptedTest { script: read.path.clone(), test: test.name.clone() };
            // What is wrong besides isn't what should be kept.
            let only_open = verdict.complaints.iter().all(is_open);
            if row.pending && only_open && (request.update || request.accept.contains(&accepted)) {
                let snapshot = Snapshot { source: read.path.clone(), expression: test.name.clone(), text: got.clone() };
                self.keep(&kept.path, &snapshot)?;
                verdict.complaints.clear();
                (row.pending, row.updated) = (false, true);
            }
        }
        row.problems = verdict.complaints.iter().map(ToString::to_string).collect();
        row.diff = verdict.complaints.iter().find_map(Complaint::diff).map(str::to_owned);
        row.status = if row.problems.is_empty() { TestStatus::Passed } else { TestStatus::Failed };
        Ok((row, verdict))
    }

    /// The projects of ast-grep among what is asked for; that of the working directory if nothing is.
    fn foreign_projects(&self, asked: &[PathBuf]) -> Vec<PathBuf> {
        if asked.is_empty() {
            return self.foreign_project(&self.host.working_directory).into_iter().collect();
        }
        let project = |path: &PathBuf| {
            let path = self.absolute(path);
            if is_foreign_project(&path) { Some(path) } else { self.foreign_project(&path) }
        };
        asked.iter().filter_map(project).collect()
    }

    /// The files of the scripts asked for.
    fn scripts(&self, asked: &[PathBuf]) -> Result<Vec<PathBuf>, EngineError> {
        let mut paths: Vec<PathBuf> = Vec::new();
        if asked.is_empty() {
            for (folder, glob) in USUAL {
                let folder = self.absolute(Path::new(folder));
                if self.files().facts(&folder).is_ok_and(|facts| facts.kind == Kind::Folder) {
                    paths.extend(self.scripts_in(&folder, glob)?);
                }
            }
        }
        for path in asked {
            match self.source_at(path)? {
                Source::Folder(folder) => paths.extend(self.scripts_in(&folder, "*.toml")?),
                _ if is_foreign_project(path) => {}
                _ => paths.push(self.absolute(path)),
            }
        }
        Ok(paths)
    }

    fn scripts_in(&self, folder: &Path, glob: &str) -> Result<Vec<PathBuf>, EngineError> {
        let walk = Walk { globs: vec![glob.to_owned()], ..Walk::default() };
        Ok(self.files().list(folder, &walk).map_err(|error| self.unreadable(folder, &error))?.files)
    }

    /// The snapshot of a test.
    fn kept(&self, read: &ReadScript, test: &Test) -> Result<KeptSnapshot, EngineError> {
        let folder = Path::new(SNAPSHOTS).join(Snapshot::file_name(&read.script.name));
        self.kept_snapshot(self.absolute(&folder.join(format!("{}.snap", Snapshot::file_name(&test.name)))))
    }
}

/// Runs a script with refactors on a project of one file.
fn run_alone(read: &ReadScript, test: &Test, tree: &Tree, limits: &ParseLimits) -> Result<Ran, RunError> {
    const FOLDER: &str = "/project";
    let ending = test.language.extensions().first().map_or("txt", String::as_str);
    let name = test.path.clone().unwrap_or_else(|| format!("code.{ending}"));
    let path = format!("{FOLDER}/{}", name.trim_start_matches('/'));
    let memory = Arc::new(Memory::default());
    memory.write(&path, tree.text().to_string());
    let engine = Engine::new(Host { files: memory.clone(), ..Host::at(FOLDER) });
    let source = ScriptSource::Text { text: read.source.clone() };
    let request = RunRequest { write: true, ..RunRequest::new(source, Vec::new()) };
    let steps = read.script.steps.len();
    let fault = |message: String| RunError { step: 1, line: None, cause: Box::new(Cause::Refactor(message)) };
    let done = match engine.ask(&request) {
        Ok(done) => done,
        // What it renames or moves is gone after the first run.
        Err(error) if error.code == ErrorCode::NoMatch => {
            return Ok(Ran { tree: tree.clone(), steps: vec![Count::default(); steps], notes: Vec::new() });
        }
        Err(error) => return Err(fault(error.message)),
    };
    let bytes = memory.read(path.as_ref(), u64::MAX).map_err(|_| fault(format!("`{name}` is not there any more")))?;
    let text = Text::new(&String::from_utf8_lossy(&bytes));
    let tree = Tree::parse(text, test.language, limits).map_err(|error| fault(error.to_string()))?;
    let count = Count { matches: done.matches, applied: done.applied };
    Ok(Ran { tree, steps: vec![count; steps], notes: done.notes.clone() })
}
