//! Rules that are ready for the languages of a scan.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::loaded::{LoadedRules, RuleFile};
use crate::engine::change::script::wrong;
use crate::engine::core::Begun;
use crate::language::{Language, TypeSet};
use crate::project::{Globs, Prefilter};
use crate::reader::names::Names;
use crate::reader::scan_settings::ScanSettings;
use crate::request::error::EngineError;
use crate::request::{RuleProblem, Severity};
use crate::rule::ast_grep::FileGlob;
use crate::rule::{Ignores, Rule, RulePlan};
use crate::script::ScriptError;
use crate::selector::{Condition, SharedParts};

/// A rule that is run.
pub(super) struct ActiveRule<'r> {
    /// Its name, with its pack.
    pub name: String,
    pub rule: &'r Rule,
    pub file: &'r RuleFile,
    /// How bad its findings are where no folder says otherwise.
    pub severity: Severity,
    files: Option<Globs>,
    ignore: Option<Globs>,
    /// The folder in which its globs are written, if it is not the working directory: that, and the folder.
    project: Option<Project<'r>>,
}

/// The folder of a project, and the working directory.
#[derive(Clone, Copy)]
struct Project<'r> {
    folder: &'r Path,
    here: &'r Path,
}

impl<'r> ActiveRule<'r> {
    fn new(file: &'r RuleFile, rule: &'r Rule, settings: &ScanSettings, here: &'r Path) -> ActiveRule<'r> {
        let name = file.name_of(rule);
        let severity = settings.severity_of(&name, None).unwrap_or(rule.severity);
        if let Some((files, ignore)) = rule.foreign_globs() {
            let set =
                |globs: &[FileGlob]| Globs::crossing(globs.iter().map(|glob| (glob.glob.as_str(), glob.ignores_case)));
            let project = file.project.as_deref().map(|folder| Project { folder, here });
            let (files, ignore) = (files.map(set), (!ignore.is_empty()).then(|| set(ignore)));
            return ActiveRule { severity, files, ignore, name, rule, file, project };
        }
        let globs = |globs: &[String]| {
            let written: Vec<String> = globs.iter().flat_map(|glob| spellings(glob)).collect();
            (!globs.is_empty()).then(|| Globs::new(written.iter().map(String::as_str)))
        };
        let (files, ignore) = (globs(&rule.files), globs(&rule.ignore));
        ActiveRule { severity, files, ignore, name, rule, file, project: None }
    }

    /// Whether it looks at a file.
    pub fn looks_at(&self, path: Option<&str>) -> bool {
        let Some(path) = path.filter(|_| self.files.is_some() || self.ignore.is_some()) else { return true };
        let absolute = self.project.map(|project| project.here.join(path));
        let inner =
            self.project.zip(absolute.as_deref()).and_then(|(project, path)| path.strip_prefix(project.folder).ok());
        let path = inner.and_then(Path::to_str).unwrap_or(path);
        self.files.as_ref().is_none_or(|files| files.matches(path))
            && !self.ignore.as_ref().is_some_and(|ignore| ignore.matches(path))
    }
}

/// A glob, and the same below any folder if it does not begin at the top.
pub(super) fn spellings(glob: &str) -> [String; 2] {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    [glob.to_owned(), format!("**/{glob}")]
}

/// The rules of one language.
pub(super) struct LanguageRules<'r> {
    pub rules: Vec<ReadyRule<'r>>,
    /// The condition that any of them may find something.
    pub prefilter: Option<Arc<Prefilter>>,
}

/// A rule that is ready for a language.
pub(super) struct ReadyRule<'r> {
    /// Its number among the active ones.
    pub number: usize,
    pub plan: RulePlan<'r>,
    /// The condition that it finds something.
    pub prefilter: Prefilter,
}

/// The rules of a scan.
pub(super) struct ReadyRules<'r> {
    pub active: Vec<ActiveRule<'r>>,
    pub by_language: HashMap<&'static str, LanguageRules<'r>>,
    pub problems: Vec<RuleProblem>,
}

impl<'r> ReadyRules<'r> {
    /// The rules that look at a file in a language, each with how bad its findings are there.
    pub fn looking_at<'a>(
        &'a self,
        language: &Language,
        path: Option<&'a str>,
        settings: &'a ScanSettings,
    ) -> impl Iterator<Item = (&'a ReadyRule<'r>, Severity)> {
        let rules = self.by_language.get(language.name()).into_iter().flat_map(|rules| &rules.rules);
        rules.filter_map(move |ready| {
            let active = &self.active[ready.number];
            if !active.looks_at(path) {
                return None;
            }
            let severity = settings.severity_of(&active.name, path).unwrap_or(active.severity);
            (severity != Severity::Off).then_some((ready, severity))
        })
    }
}

impl Begun<'_> {
    /// Makes rules ready for some languages. `only` are names of rules, with `*` for any letters.
    ///
    /// # Errors
    /// If `only` names no rule.
    pub(super) fn ready<'r>(
        &'r self,
        loaded: &'r LoadedRules,
        settings: &ScanSettings,
        only: &[String],
        languages: &[&'static Language],
        names: &Names,
    ) -> Result<ReadyRules<'r>, EngineError> {
        let all = loaded.files.iter().flat_map(|file| file.rules.iter().map(move |rule| (file, rule)));
        let here = &self.host.working_directory;
        let active: Vec<ActiveRule<'r>> = all.map(|(file, rule)| ActiveRule::new(file, rule, settings, here)).collect();
        for wanted in only {
            if !active.iter().any(|rule| is_named(&rule.name, wanted)) && loaded.problems.is_empty() {
                let known = active.iter().map(|rule| rule.name.as_str());
                let hint = crate::selector::nearest(wanted, "", known);
                let error = EngineError::bad_request(format!("no rule is called `{wanted}`"));
                return Err(hint.map_or(error.clone(), |hint| error.hint(hint)));
            }
        }
        let is_wanted = |rule: &ActiveRule<'_>| {
            let is_on = rule.severity != Severity::Off || settings.may_switch_on(&rule.name);
            match only.is_empty() {
                true => is_on,
                // Who names a rule wants it.
                false => only.iter().any(|wanted| is_named(&rule.name, wanted)),
            }
        };
        let mut active: Vec<ActiveRule<'r>> = active.into_iter().filter(is_wanted).collect();
        for rule in active.iter_mut().filter(|rule| !only.is_empty() && rule.severity == Severity::Off) {
            rule.severity = Severity::Warning;
        }
        let mut ready = ReadyRules { active, by_language: HashMap::new(), problems: Vec::new() };
        let mut is_planned = vec![false; ready.active.len()];
        for &language in languages {
            let own = names.of(language)?;
            let (shared, mut rules) = (SharedParts::default(), Vec::new());
            for (number, active) in ready.active.iter().enumerate() {
                match active.rule.plan_sharing(language, &own, &shared) {
                    Ok(Some(plan)) => {
                        is_planned[number] = true;
                        plan.queries().for_each(|query| names.note_use(query));
                        let prefilter = Prefilter::of_condition(&plan.necessary());
                        rules.push(ReadyRule { number, plan, prefilter });
                    }
                    Ok(None) => {}
                    Err(error) => {
                        is_planned[number] = true;
                        add_problem(&mut ready.problems, active, &error);
                    }
                }
            }
            let condition = Condition::any(rules.iter().map(|ready| ready.plan.necessary()));
            let is_local = |around: &TypeSet| rules.iter().all(|ready: &ReadyRule<'_>| ready.plan.is_local(around));
            // A comment that silences findings may be anywhere.
            let prefilter = Prefilter::of_parts(&condition, language, &is_local).whole_with(&Ignores::WORDS);
            let prefilter = (!prefilter.is_idle()).then(|| Arc::new(prefilter));
            ready.by_language.insert(language.name(), LanguageRules { rules, prefilter });
        }
        for (active, is_planned) in ready.active.iter().zip(&is_planned) {
            if !is_planned && let Some(error) = self.unknown_word(active.rule, languages, names)? {
                add_problem(&mut ready.problems, active, &error);
            }
        }
        Ok(ready)
    }

    /// The first word of a rule's selectors that no language knows.
    fn unknown_word(
        &self,
        rule: &Rule,
        met: &[&'static Language],
        names: &Names,
    ) -> Result<Option<ScriptError>, EngineError> {
        let languages = if rule.languages.is_empty() { self.languages_known().all() } else { rule.languages.clone() };
        let mut lacking = None;
        for language in met.iter().copied().chain(languages) {
            let lacks = match rule.lacking(language, &names.of(language)?) {
                Ok(lacks) => lacks,
                Err(error) => return Ok(Some(error)),
            };
            if lacks.is_empty() && (rule.languages.is_empty() || rule.languages.contains(&language)) {
                return Ok(None);
            }
            // A language that the rule is not for lacks nothing.
            lacking = lacking.or(lacks.into_iter().next());
        }
        Ok(lacking)
    }
}

fn add_problem(problems: &mut Vec<RuleProblem>, active: &ActiveRule<'_>, error: &ScriptError) {
    let error = wrong(error, &active.file.source, &active.file.path);
    if !problems.iter().any(|known| known.rule == active.name) {
        problems.push(RuleProblem { rule: active.name.clone(), error });
    }
}

/// Whether a rule is meant by a name: with its pack or without, with `*` for any letters.
pub(super) fn is_named(rule: &str, wanted: &str) -> bool {
    let own = rule.rsplit('/').next().unwrap_or(rule);
    match wanted.contains('*') {
        true => Globs::new([wanted]).matches(rule),
        false => rule == wanted || own == wanted,
    }
}
