//! Where rules come from: the project's folder, files and folders that are named, shipped packs, a selector in the request.

use std::path::{Path, PathBuf};

use super::loaded::{LoadedRules, RuleFile};
use super::packs::{self, PACKS};
use crate::engine::change::script::wrong;
use crate::engine::core::Begun;
use crate::limits;
use crate::project::{Kind, Walk, WalkError};
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::{RuleProblem, ScanRequest};
use crate::rule::ast_grep::{AstGrepError, AstGrepProject, is_ast_grep, read_ast_grep, read_ast_grep_project};
use crate::rule::{Rule, read_rules};
use crate::selector::nearest;

/// Where a project has its rules, seen from its folder `.cst`.
const FOLDER: &str = "rules";
/// The configuration of a project of ast-grep.
const FOREIGN_PROJECT: [&str; 2] = ["sgconfig.yml", "sgconfig.yaml"];
/// The name of the rule that a request's own selector is.
const OWN: &str = "select";

/// Whether a file is YAML by its name.
pub(in crate::engine) fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

pub(in crate::engine) fn is_foreign_project(path: &Path) -> bool {
    path.file_name().is_some_and(|name| FOREIGN_PROJECT.iter().any(|known| name == *known))
}

/// An error in YAML, as the engine's.
pub(in crate::engine) fn foreign_error(error: &AstGrepError, path: &str) -> EngineError {
    let line = error.place.line;
    let mut refused = EngineError::bad_request(format!("{} in line {line} of `{path}`", error.message)).path(path);
    refused.details.line = Some(line);
    refused.details.hint = error.hint.clone().map(Into::into);
    refused
}

/// The problem of a folder that is named, and has no rules.
fn no_rules(folder: String) -> RuleProblem {
    let error = EngineError::new(ErrorCode::NotFound, format!("`{folder}` has no rules")).path(&folder);
    RuleProblem { rule: folder, error: error.hint("rules are in files `*.toml`, `*.yml` and `*.yaml`") }
}

/// The pack that a file's rules belong to: the file, if it has several; otherwise the folder that it lies in.
pub(crate) fn pack_of(path: &Path, source: &str) -> String {
    let folder = path.parent().and_then(Path::file_name);
    let name = match source.matches("[[rule]]").count() {
        1 => folder.or(path.file_stem()),
        _ => path.file_stem(),
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

impl Begun<'_> {
    /// The rules of a request: `packs` and `paths` are those that the configuration adds.
    ///
    /// # Errors
    /// If a named file, folder or pack is missing, or if there are no rules at all.
    pub(super) fn load_rules(
        &self,
        request: &ScanRequest,
        packs: &[String],
        paths: &[PathBuf],
    ) -> Result<LoadedRules, EngineError> {
        let mut loaded = LoadedRules::default();
        if let Some(selector) = &request.selector {
            let message = request.message.as_deref().unwrap_or("matches");
            let text = |text: &str| serde_json::Value::from(text).to_string();
            let source =
                format!("[[rule]]\nid = \"{OWN}\"\nmessage = {}\nselect = {}\n", text(message), text(selector));
            let read =
                read_rules(&source, self.languages_known()).map_err(|error| wrong(&error, &source, "selector"))?;
            if let Some(error) = read.errors.first() {
                return Err(wrong(error, &source, "selector"));
            }
            let (path, pack) = ("selector".to_owned(), String::new());
            loaded.files.push(RuleFile { path, pack, source, rules: read.rules, project: None });
            return Ok(loaded);
        }
        if let Some(folder) = self.project_folder().map(|folder| folder.join(FOLDER))
            && self.files().facts(&folder).is_ok_and(|facts| facts.kind == Kind::Folder)
        {
            self.load_folder(&folder, &mut loaded)?;
        }
        let here = &self.host.working_directory;
        if request.rules.is_empty()
            && let Some(project) = self.foreign_project(here)
        {
            self.load_foreign_project(&project, &mut loaded)?;
        }
        for path in request.rules.iter().map(PathBuf::from).chain(paths.iter().cloned()) {
            match self.source_at(&path)? {
                Source::Folder(folder) => match self.foreign_project(&folder) {
                    Some(project) => self.load_foreign_project(&project, &mut loaded)?,
                    None => {
                        if !self.load_folder(&folder, &mut loaded)? {
                            loaded.problems.push(no_rules(self.shown(&folder)));
                        }
                    }
                },
                Source::File(file) if is_foreign_project(&file) => self.load_foreign_project(&file, &mut loaded)?,
                Source::File(file) => {
                    self.load_file(&file, None, &mut loaded)?;
                }
                _ => {
                    return Err(EngineError::bad_request(format!(
                        "`{}` is not a file or folder of rules",
                        path.display()
                    )));
                }
            }
        }
        // Who names a rule of a shipped pack need not name the pack, too.
        let of_rules = request.only.iter().filter_map(|rule| rule.split_once('/')).map(|(pack, _)| pack.to_owned());
        let of_rules: Vec<String> = of_rules.filter(|pack| packs::named(pack).is_some()).collect();
        for name in request.packs.iter().chain(packs).chain(&of_rules) {
            if loaded.files.iter().any(|file| file.pack == *name && file.path.starts_with("pack ")) {
                continue;
            }
            let Some(pack) = packs::named(name) else {
                let known = PACKS.iter().map(|pack| pack.name);
                let listed =
                    || format!("there are {}", PACKS.iter().map(|pack| pack.name).collect::<Vec<_>>().join(", "));
                let hint = nearest(name, "", known).unwrap_or_else(listed);
                return Err(EngineError::new(ErrorCode::NotFound, format!("no pack is called `{name}`")).hint(hint));
            };
            let path = format!("pack {}", pack.name);
            self.add(pack.source.to_owned(), path, pack.name.to_owned(), &mut loaded);
        }
        if loaded.files.is_empty() && loaded.problems.is_empty() {
            let error = EngineError::new(ErrorCode::NotFound, "there are no rules");
            return Err(error.hint("put them into `.cst/rules/`, name their file, or a pack such as `quality`"));
        }
        loaded.refuse_same_names();
        Ok(loaded)
    }

    /// The rules in a folder, if it has a file of rules. A file of several rules is a pack of its own; so is a folder in it.
    fn load_folder(&self, folder: &Path, loaded: &mut LoadedRules) -> Result<bool, EngineError> {
        let walk = Walk { globs: ["*.toml", "*.yml", "*.yaml"].map(str::to_owned).to_vec(), ..Walk::default() };
        let listing = self.files().list(folder, &walk).map_err(|error| self.unreadable(folder, &error))?;
        let mut has_rules = !listing.unlisted.is_empty();
        for WalkError { path, why } in listing.unlisted {
            let shown = self.shown(&path);
            let error = EngineError::new(ErrorCode::NotFound, format!("`{shown}` cannot be read: {why}"));
            loaded.problems.push(RuleProblem { rule: shown.clone(), error: error.path(shown) });
        }
        let mut paths = listing.files;
        paths.sort();
        for path in paths {
            let below = path.strip_prefix(folder).ok().and_then(Path::parent).and_then(|parent| parent.iter().next());
            let pack = below.or(folder.file_name()).map(|name| name.to_string_lossy().into_owned());
            let is_below = below.is_some();
            has_rules |= self.load_file(&path, pack.map(|pack| (pack, is_below)), loaded)?;
        }
        Ok(has_rules)
    }

    /// The rules of a file, if it is one of rules. `folder` is the pack that a folder makes of it, and whether it is one in any
    /// case.
    fn load_file(
        &self,
        path: &Path,
        folder: Option<(String, bool)>,
        loaded: &mut LoadedRules,
    ) -> Result<bool, EngineError> {
        let shown = self.shown(path);
        // It may be named twice, or lie in a folder that is.
        if loaded.files.iter().any(|file| file.path == shown) {
            return Ok(true);
        }
        let bytes = match self.files().read(path, limits::SCRIPT_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                let error = self.unreadable(path, &error);
                loaded.problems.push(RuleProblem { rule: shown, error });
                return Ok(true);
            }
        };
        let Ok(source) = String::from_utf8(bytes) else {
            let error = EngineError::new(ErrorCode::UnsupportedEncoding, "rules are written in UTF-8").path(&shown);
            loaded.problems.push(RuleProblem { rule: shown, error });
            return Ok(true);
        };
        let source = source.strip_prefix('\u{feff}').unwrap_or(&source).replace("\r\n", "\n");
        if is_yaml(path) {
            // A folder may hold other YAML: tests, settings.
            let has_rules = is_ast_grep(&source) || folder.is_none();
            if has_rules {
                self.add_foreign(source, shown, loaded);
            }
            return Ok(has_rules);
        }
        let pack = match folder {
            Some((pack, true)) => pack,
            Some((pack, false)) if source.matches("[[rule]]").count() == 1 => pack,
            _ => pack_of(path, &source),
        };
        self.add(source, shown, pack, loaded);
        Ok(true)
    }

    /// The configuration of ast-grep in a folder.
    pub(in crate::engine) fn foreign_project(&self, folder: &Path) -> Option<PathBuf> {
        let mut paths = FOREIGN_PROJECT.iter().map(|name| folder.join(name));
        paths.find(|path| self.files().facts(path).is_ok_and(|facts| facts.kind == Kind::File))
    }

    /// The rules of a project of ast-grep.
    pub(in crate::engine) fn load_foreign_project(
        &self,
        path: &Path,
        loaded: &mut LoadedRules,
    ) -> Result<(), EngineError> {
        let shown = self.shown(path);
        let project = self.load_foreign_utilities(path, loaded)?;
        self.add_languages(&project, &shown, loaded);
        let folder = path.parent().unwrap_or(path);
        loaded.project = Some(self.host.working_directory.join(folder));
        for name in &project.rules {
            let rules = folder.join(name);
            if self.files().facts(&rules).is_err() {
                let error = EngineError::new(
                    ErrorCode::NotFound,
                    format!("`{shown}` names a folder `{name}` that is not there"),
                );
                return Err(error.path(&shown));
            }
            self.load_folder(&rules, loaded)?;
        }
        loaded.project = None;
        Ok(())
    }

    /// The rules of a project of ast-grep that others may name.
    pub(super) fn load_foreign_utilities(
        &self,
        path: &Path,
        loaded: &mut LoadedRules,
    ) -> Result<AstGrepProject, EngineError> {
        let source = self.read_text(path)?;
        let project = read_ast_grep_project(&source).map_err(|error| foreign_error(&error, &self.shown(path)))?;
        let folder = path.parent().unwrap_or(path);
        for name in &project.utilities {
            let utilities = folder.join(name);
            if self.files().facts(&utilities).is_err() {
                continue;
            }
            for file in self.yaml_in(&utilities)? {
                let source = self.read_text(&file)?;
                if let Err(error) = loaded.utilities.add(&source, self.languages_known()) {
                    let shown = self.shown(&file);
                    let error = foreign_error(&error, &shown);
                    loaded.problems.push(RuleProblem { rule: shown, error });
                }
            }
        }
        Ok(project)
    }

    /// The files of a folder that are YAML.
    pub(in crate::engine) fn yaml_in(&self, folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
        let walk = Walk { globs: ["*.yml", "*.yaml"].map(str::to_owned).to_vec(), ..Walk::default() };
        let mut paths = self.files().list(folder, &walk).map_err(|error| self.unreadable(folder, &error))?.files;
        paths.sort();
        Ok(paths)
    }

    /// The text of a file of rules or tests.
    pub(in crate::engine) fn read_text(&self, path: &Path) -> Result<String, EngineError> {
        let bytes = self.files().read(path, limits::SCRIPT_BYTES).map_err(|error| self.unreadable(path, &error))?;
        let source = String::from_utf8(bytes).map_err(|_| {
            EngineError::new(ErrorCode::UnsupportedEncoding, "rules are written in UTF-8").path(self.shown(path))
        })?;
        Ok(source.strip_prefix('\u{feff}').unwrap_or(&source).replace("\r\n", "\n"))
    }

    fn add_foreign(&self, source: String, path: String, loaded: &mut LoadedRules) {
        match read_ast_grep(&source, self.languages_known(), &loaded.utilities) {
            Ok(read) => {
                for error in &read.errors {
                    loaded.problems.push(RuleProblem { rule: path.clone(), error: foreign_error(error, &path) });
                }
                let rules = read.rules.into_iter().map(|rule| Rule::of_ast_grep(rule, &source)).collect();
                // Their names stand alone, as in ast-grep.
                let project = loaded.project.clone();
                loaded.files.push(RuleFile { path, pack: String::new(), source, rules, project });
            }
            Err(error) => {
                let error = foreign_error(&error, &path);
                loaded.problems.push(RuleProblem { rule: path, error });
            }
        }
    }

    fn add(&self, source: String, path: String, pack: String, loaded: &mut LoadedRules) {
        match read_rules(&source, self.languages_known()) {
            Ok(read) => {
                for error in &read.errors {
                    loaded.problems.push(RuleProblem { rule: path.clone(), error: wrong(error, &source, &path) });
                }
                loaded.files.push(RuleFile { path, pack, source, rules: read.rules, project: None });
            }
            Err(error) => {
                let error = wrong(&error, &source, &path);
                loaded.problems.push(RuleProblem { rule: path, error });
            }
        }
    }
}
