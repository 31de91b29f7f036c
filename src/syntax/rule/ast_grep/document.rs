//! The documents of a file: rules with what is said about them, utilities, tests.

use std::sync::Arc;

use super::error::{AstGrepError, Place};
use super::fields::{text, texts};
use super::model::Config;
use super::read::{Globals, config};
use super::yaml::{self, Value, Yaml};
use crate::language::{Language, Languages};
use crate::rule::Severity;

/// A rule of ast-grep as its file has it.
#[derive(Debug)]
pub struct AstGrepRule {
    /// Its name.
    pub id: String,
    /// Its language.
    pub language: &'static Language,
    /// How bad a finding is.
    pub severity: Severity,
    /// The sentence about a finding.
    pub message: String,
    /// More about it.
    pub note: Option<String>,
    /// Where more is written.
    pub url: Option<String>,
    /// The line at which it begins.
    pub line: usize,
    pub(in crate::rule) config: Config,
}

/// The rules of a file, and the errors in others.
#[derive(Debug, Default)]
pub struct AstGrepFile {
    /// Those that can be read.
    pub rules: Vec<AstGrepRule>,
    /// The errors in the others.
    pub errors: Vec<AstGrepError>,
}

/// Rules that those of a project may name.
#[derive(Debug, Clone, Default)]
pub struct AstGrepUtilities(Vec<(String, &'static Language, Config)>);

impl AstGrepUtilities {
    /// Adds those of a file.
    ///
    /// # Errors
    /// If it is not YAML, or one of them is wrong.
    pub fn add(&mut self, source: &str, known: &Languages) -> Result<(), AstGrepError> {
        for document in yaml::read(source)? {
            if matches!(document.value, Value::Null) {
                continue;
            }
            let id = require(&document, "id")?;
            let language = language_of(&document, known)?;
            self.0.push((id, language, config(&document, &Globals::default())?));
        }
        Ok(())
    }

    /// Those of a language.
    fn of(&self, language: &'static Language) -> Globals {
        let own = self.0.iter().filter(|(_, known, _)| *known == language);
        Arc::new(own.map(|(name, _, config)| (name.clone(), config.clone())).collect())
    }
}

/// Whether a text looks like rules of ast-grep: a document with `language` and `rule`.
pub fn is_ast_grep(source: &str) -> bool {
    has_keys(source, &["rule", "language"])
}

/// Whether a document of a text has all of some keys. One that is no YAML counts if it has lines that begin with them.
fn has_keys(source: &str, keys: &[&str]) -> bool {
    if keys.iter().any(|key| !source.contains(key)) {
        return false;
    }
    let has_line =
        |key: &&str| source.lines().any(|line| line.strip_prefix(*key).is_some_and(|rest| rest.starts_with(':')));
    match yaml::read(source) {
        Ok(documents) => documents.iter().any(|document| keys.iter().all(|key| document.get(key).is_some())),
        Err(_) => keys.iter().all(has_line),
    }
}

/// Reads the rules of a file; one that is wrong does not keep the others from being read.
///
/// # Errors
/// If it is not YAML.
pub fn read_ast_grep(
    source: &str,
    known: &Languages,
    utilities: &AstGrepUtilities,
) -> Result<AstGrepFile, AstGrepError> {
    let mut file = AstGrepFile::default();
    for document in yaml::read(source)? {
        if matches!(document.value, Value::Null) {
            continue;
        }
        match read_rule(&document, known, utilities) {
            Ok(rule) => file.rules.push(rule),
            Err(error) => file.errors.push(error),
        }
    }
    Ok(file)
}

fn read_rule(node: &Yaml, known: &Languages, utilities: &AstGrepUtilities) -> Result<AstGrepRule, AstGrepError> {
    let id = require(node, "id")?;
    let language = language_of(node, known)?;
    let severity = match node.get("severity") {
        None => Severity::Hint,
        Some(word) => {
            let written = text(word, "`severity`")?.value;
            Severity::named(&written.to_lowercase()).ok_or_else(|| {
                let error = AstGrepError::new(format!("unknown severity `{written}`"), word.place);
                error.hint("one of `error`, `warning`, `info`, `hint`, `off`")
            })?
        }
    };
    let optional = |key: &str| node.get(key).and_then(|node| node.text());
    let message = optional("message").filter(|message| !message.trim().is_empty()).unwrap_or_else(|| id.clone());
    Ok(AstGrepRule {
        severity,
        message,
        note: optional("note"),
        url: optional("url"),
        line: node.place.line,
        config: config(node, &utilities.of(language))?,
        id,
        language,
    })
}

fn require(node: &Yaml, key: &str) -> Result<String, AstGrepError> {
    match node.get(key) {
        Some(value) => Ok(text(value, key)?.value),
        None => Err(AstGrepError::new(format!("`{key}` is missing"), node.place)),
    }
}

fn language_of(node: &Yaml, known: &Languages) -> Result<&'static Language, AstGrepError> {
    let name = require(node, "language")?;
    known.named(&name.to_lowercase()).map_err(|error| {
        let place = node.get("language").map_or(node.place, |node| node.place);
        AstGrepError::new(error.to_string(), place)
    })
}

/// A test of ast-grep: code in which its rule finds nothing, and code in which it finds something.
#[derive(Debug, Clone, Default)]
pub struct AstGrepTest {
    /// The rule.
    pub id: String,
    /// Code without findings.
    pub valid: Vec<String>,
    /// Code with findings.
    pub invalid: Vec<String>,
    /// The place in its file.
    pub place: Place,
}

/// Whether a text looks like tests of ast-grep.
pub fn is_ast_grep_test(source: &str) -> bool {
    !is_ast_grep(source) && (has_keys(source, &["id", "valid"]) || has_keys(source, &["id", "invalid"]))
}

/// Reads the tests of a file.
///
/// # Errors
/// If it is not YAML, or has no tests.
pub fn read_ast_grep_tests(source: &str) -> Result<Vec<AstGrepTest>, AstGrepError> {
    let documents = yaml::read(source)?;
    let test = |node: &std::rc::Rc<Yaml>| {
        let codes = |key: &str| node.get(key).map(|node| texts(node, key)).transpose().map(Option::unwrap_or_default);
        Ok(AstGrepTest {
            id: require(node, "id")?,
            valid: codes("valid")?,
            invalid: codes("invalid")?,
            place: node.place,
        })
    };
    documents.iter().filter(|node| !matches!(node.value, Value::Null)).map(test).collect()
}

/// The primary places of a snapshot, by code: first byte, and the byte after the last.
pub type SnapshotPlaces = Vec<(String, Vec<(usize, usize)>)>;

/// The primary places of a snapshot of ast-grep.
///
/// # Errors
/// If it is not YAML.
pub fn read_ast_grep_snapshot(source: &str) -> Result<SnapshotPlaces, AstGrepError> {
    let mut snapshots = Vec::new();
    for document in yaml::read(source)? {
        let Some(table) = document.get("snapshots") else { continue };
        let Value::Table(entries) = &table.value else { continue };
        for entry in entries {
            let Some(labels) = entry.value.get("labels") else { continue };
            let Value::List(labels) = &labels.value else { continue };
            let number = |label: &Yaml, key: &str| match label.get(key).map(|node| &node.value) {
                Some(Value::Number(number)) => usize::try_from(*number).ok(),
                _ => None,
            };
            let is_primary =
                |label: &Yaml| label.get("style").and_then(|style| style.text()).as_deref() == Some("primary");
            let places = labels.iter().filter(|label| is_primary(label));
            let places = places.filter_map(|label| Some((number(label, "start")?, number(label, "end")?)));
            snapshots.push((entry.key.clone(), places.collect()));
        }
    }
    Ok(snapshots)
}

/// The settings of a project of ast-grep.
#[derive(Debug, Clone, Default)]
pub struct AstGrepProject {
    /// Folders of rules.
    pub rules: Vec<String>,
    /// Folders of rules that others name.
    pub utilities: Vec<String>,
    /// Folders of tests, each with that of its snapshots.
    pub tests: Vec<(String, String)>,
    /// Files that are read in a language that their names do not show.
    pub globs: Vec<LanguageGlob>,
    /// Languages that are in libraries of their own, each with the line at which it is named.
    pub own_languages: Vec<(String, usize)>,
}

/// Files of a language.
#[derive(Debug, Clone)]
pub struct LanguageGlob {
    /// The language.
    pub language: String,
    /// The files.
    pub glob: String,
    /// The line of the configuration.
    pub line: usize,
}

/// Reads `sgconfig.yml`.
///
/// # Errors
/// If it is not YAML, or has no folder of rules.
pub fn read_ast_grep_project(source: &str) -> Result<AstGrepProject, AstGrepError> {
    let documents = yaml::read(source)?;
    let Some(node) = documents.iter().find(|node| matches!(node.value, Value::Table(_))) else {
        return Err(AstGrepError::new("the configuration is empty".to_owned(), Place { line: 1, column: 1 }));
    };
    let folders = |key: &str| node.get(key).map(|node| texts(node, key)).transpose().map(Option::unwrap_or_default);
    let mut tests = Vec::new();
    if let Some(configs) = node.get("testConfigs")
        && let Value::List(configs) = &configs.value
    {
        for config in configs {
            let folder = require(config, "testDir")?;
            let snapshots = config.get("snapshotDir").and_then(|node| node.text());
            tests.push((folder, snapshots.unwrap_or_else(|| "__snapshots__".to_owned())));
        }
    }
    let table = |key: &str| match node.get(key).map(|node| &node.value) {
        Some(Value::Table(entries)) => entries.as_slice(),
        _ => &[],
    };
    let mut globs = Vec::new();
    for entry in table("languageGlobs") {
        let glob = |glob| LanguageGlob { language: entry.key.clone(), glob, line: entry.place.line };
        globs.extend(texts(&entry.value, "`languageGlobs`")?.into_iter().map(glob));
    }
    let own_languages = table("customLanguages").iter().map(|entry| (entry.key.clone(), entry.place.line)).collect();
    Ok(AstGrepProject { globs, own_languages, rules: folders("ruleDirs")?, utilities: folders("utilDirs")?, tests })
}
