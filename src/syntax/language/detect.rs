//! Detects the language of a file: by its name, its extension, its first line, or an editor's modeline.

use std::sync::OnceLock;

use regex::bytes::Regex;
use rustc_hash::FxHashMap;

use super::error::LanguageError;
use super::languages::Languages;
use super::resolved::Language;
use super::row::Row;

/// How much of a file is read for `#!` lines and modelines.
pub const HEAD: usize = 4096;

/// What is known of a file for detection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Detection<'a> {
    /// The file name, with or without folders.
    pub path: &'a str,
    /// The text of the file, or its first part, for `#!` lines, modelines and claims; may be empty.
    pub head: &'a str,
}

/// The language of a file; `None` if it is unknown.
///
/// # Errors
/// If the data of the file's language is invalid.
pub fn detect(file: Detection<'_>) -> Result<Option<&'static Language>, LanguageError> {
    Detector::default().detect(file.path, file.head.as_bytes())
}

/// The language of a file according to its name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ByName {
    /// The file is in this language.
    Certain(&'static Language),
    /// The file is in this language, unless its text shows another one with the same extension.
    Ambiguous(&'static Language),
    /// Unknown; its first lines may decide.
    Unknown,
}

/// Detects the languages of many files. The names and extensions of all languages are looked up once.
pub struct Detector {
    languages: Languages,
    file_names: FxHashMap<&'static str, &'static Row>,
    extensions: FxHashMap<&'static str, &'static Row>,
    /// For each extension, the languages that claim files with it, by a regex.
    claims: FxHashMap<&'static str, Vec<Claim>>,
    /// Files that a project reads in another language.
    own: Vec<NamedFiles>,
}

/// Files that are read in a language that their names do not show.
#[derive(Debug, Clone)]
pub struct NamedFiles {
    /// The end of their names, or a whole name.
    name: FileName,
    language: &'static Language,
}

#[derive(Debug, Clone)]
enum FileName {
    End(String),
    Whole(String),
}

impl NamedFiles {
    /// The files that a glob means: `*.ext`, or a name; `None` for other globs.
    pub fn of_glob(glob: &str, language: &'static Language) -> Option<NamedFiles> {
        let glob = glob.trim_start_matches("./").trim_start_matches("**/");
        let is_plain = |text: &str| !text.is_empty() && !text.contains(['*', '?', '[', ']', '{', '}', '!', '/', '\\']);
        let name = match glob.strip_prefix('*') {
            Some(end) if is_plain(end) => FileName::End(end.to_owned()),
            None if is_plain(glob) => FileName::Whole(glob.to_owned()),
            _ => return None,
        };
        Some(NamedFiles { name, language })
    }

    fn have(&self, name: &str) -> bool {
        match &self.name {
            FileName::End(end) => name.ends_with(end),
            FileName::Whole(whole) => name == whole,
        }
    }
}

struct Claim {
    row: &'static Row,
    regex: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Claim {
    /// Whether the regex matches at the start of a line of the text.
    fn holds(&self, text: &[u8]) -> bool {
        let compiled = self.compiled.get_or_init(|| Regex::new(&format!("(?m)^(?:{})", self.regex)).ok());
        compiled.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

impl Default for Detector {
    fn default() -> Detector {
        Detector::new(Languages::built_in())
    }
}

impl Detector {
    /// Looks up by what the languages recognise their files.
    pub fn new(languages: &Languages) -> Detector {
        let (mut file_names, mut extensions) = (FxHashMap::default(), FxHashMap::default());
        let mut claims: FxHashMap<&'static str, Vec<Claim>> = FxHashMap::default();
        for row in languages.rows() {
            let Some(head) = row.head() else { continue };
            head.file_names.iter().for_each(|name| _ = file_names.entry(name.as_str()).or_insert(row));
            let names = head.extensions.iter().chain(head.stored.keys());
            names.for_each(|name| _ = extensions.entry(name.as_str()).or_insert(row));
            for (extension, regex) in &head.claims {
                claims.entry(extension).or_default().push(Claim { row, regex, compiled: OnceLock::new() });
            }
        }
        Detector { languages: languages.clone(), file_names, extensions, claims, own: Vec::new() }
    }

    /// The same with files that a project reads in another language; of several that fit, the last.
    pub fn with_own(self, own: Vec<NamedFiles>) -> Detector {
        Detector { own, ..self }
    }

    /// The language of a file that is one of the project's own.
    pub fn own_language(&self, path: &str) -> Option<&'static Language> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        self.own.iter().rev().find(|own| own.have(name)).map(|own| own.language)
    }

    /// The language according to the name alone.
    ///
    /// # Errors
    /// If the data of the file's language is invalid.
    pub fn detect_by_name(&self, path: &str) -> Result<ByName, LanguageError> {
        if let Some(language) = self.own_language(path) {
            return Ok(ByName::Certain(language));
        }
        Ok(match self.by_name(path) {
            None => ByName::Unknown,
            Some((row, [])) => ByName::Certain(row.language()?),
            Some((row, _)) => ByName::Ambiguous(row.language()?),
        })
    }

    /// The language of a file by its name and its text; the first part of the text is enough if the name decides.
    ///
    /// # Errors
    /// If the data of the file's language is invalid.
    pub fn detect(&self, path: &str, text: &[u8]) -> Result<Option<&'static Language>, LanguageError> {
        if let Some(language) = self.own_language(path) {
            return Ok(Some(language));
        }
        let row = match self.by_name(path) {
            Some((row, claims)) => {
                let claiming = claims.iter().find(|claim| !text.is_empty() && claim.holds(text));
                Some(claiming.map_or(row, |claim| claim.row))
            }
            None => {
                let head = String::from_utf8_lossy(&text[..text.len().min(HEAD)]);
                by_first_line(&head, &self.languages).or_else(|| by_modeline(&head, &self.languages))
            }
        };
        row.map(Row::language).transpose()
    }

    /// The language for a name, and the languages that claim files with its extension.
    fn by_name(&self, path: &str) -> Option<(&'static Row, &[Claim])> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if let Some(row) = self.file_names.get(name) {
            return Some((row, &[]));
        }
        let (_, extension) = name.rsplit_once('.')?;
        let lower = extension.to_ascii_lowercase();
        let claims = self.claims.get(lower.as_str()).map_or(&[][..], Vec::as_slice);
        // An extension in the same case takes precedence: `.C` and `.c`, `.R` and `.r`.
        let row = self.extensions.get(extension).or_else(|| self.extensions.get(lower.as_str()));
        let row = row.copied().or_else(|| claims.first().map(|claim| claim.row))?;
        Some((row, claims))
    }
}

/// The language of the interpreter in a `#!` line: the last part of its path, or the word after `env`.
fn by_first_line(head: &str, languages: &Languages) -> Option<&'static Row> {
    let line = head.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let program = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    let names_it =
        |row: &&'static Row| row.head().is_some_and(|head| head.shebangs.iter().any(|known| known == program));
    languages.rows().find(names_it)
}

/// The language named by Vim's `vim: ft=` or Emacs's `-*- mode: … -*-` in the first lines.
fn by_modeline(head: &str, languages: &Languages) -> Option<&'static Row> {
    head.lines().take(5).find_map(|line| {
        let vim = ["filetype=", "ft=", "syntax="];
        let word = if line.contains("vim:") || line.contains("vi:") {
            vim.iter().find_map(|key| line.split_once(key)).map(|(_, after)| after)?
        } else {
            let (_, inner) = line.split_once("-*-")?;
            let (inner, _) = inner.split_once("-*-")?;
            inner.split_once("mode:").map_or(inner, |(_, after)| after)
        };
        let is_word = |character: &char| character.is_ascii_alphanumeric() || "+#_-".contains(*character);
        let name: String = word.trim_start().chars().take_while(is_word).collect();
        languages.find(&name.to_ascii_lowercase())
    })
}
