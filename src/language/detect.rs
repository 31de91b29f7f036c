//! Which language a file is in: by its name, its extension, its first line, or an editor's modeline.

use std::sync::OnceLock;

use regex::bytes::Regex;
use rustc_hash::FxHashMap;

use super::error::LanguageError;
use super::languages::Languages;
use super::resolved::Language;
use super::row::Row;

/// How much of a file is looked at for `#!` lines and modelines.
pub const HEAD: usize = 4096;

/// What a file shows of its language.
#[derive(Debug, Clone, Copy, Default)]
pub struct Detection<'a> {
    /// The file's name, with or without its folders.
    pub path: &'a str,
    /// The file's text, or its first part, for `#!` lines, modelines and what tells languages of one extension apart; may be
    /// empty.
    pub head: &'a str,
}

/// The language of a file, or `None` when nothing tells it.
///
/// # Errors
/// When the file is in a language whose data is wrong.
pub fn detect(file: Detection<'_>) -> Result<Option<&'static Language>, LanguageError> {
    Detector::default().detect(file.path, file.head.as_bytes())
}

/// What a file's name alone says of its language.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Told {
    /// It is in this one.
    Certain(&'static Language),
    /// It is in this one, unless its text shows that it is in another of its extension.
    Likely(&'static Language),
    /// Nothing; its first lines may tell.
    Nothing,
}

/// Tells files' languages, many of them: the names and extensions of all languages, looked up once.
pub struct Detector {
    languages: Languages,
    file_names: FxHashMap<&'static str, &'static Row>,
    extensions: FxHashMap<&'static str, &'static Row>,
    /// Extension to the languages that claim files of it, by a regex.
    claims: FxHashMap<&'static str, Vec<Claim>>,
}

struct Claim {
    row: &'static Row,
    regex: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Claim {
    /// Whether a line of the text begins with what the regex finds.
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
            head.extensions.iter().for_each(|name| _ = extensions.entry(name.as_str()).or_insert(row));
            for (extension, regex) in &head.claims {
                claims.entry(extension).or_default().push(Claim { row, regex, compiled: OnceLock::new() });
            }
        }
        Detector { languages: languages.clone(), file_names, extensions, claims }
    }

    /// What a file's name alone says.
    ///
    /// # Errors
    /// When the file is in a language whose data is wrong.
    pub fn told(&self, path: &str) -> Result<Told, LanguageError> {
        Ok(match self.by_name(path) {
            None => Told::Nothing,
            Some((row, [])) => Told::Certain(row.language()?),
            Some((row, _)) => Told::Likely(row.language()?),
        })
    }

    /// The language of a file by its name and its text, or by the text's first part where the name is enough.
    ///
    /// # Errors
    /// When the file is in a language whose data is wrong.
    pub fn detect(&self, path: &str, text: &[u8]) -> Result<Option<&'static Language>, LanguageError> {
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

    /// The language of a name, and who else claims files of its extension.
    fn by_name(&self, path: &str) -> Option<(&'static Row, &[Claim])> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if let Some(row) = self.file_names.get(name) {
            return Some((row, &[]));
        }
        let (_, extension) = name.rsplit_once('.')?;
        let lower = extension.to_ascii_lowercase();
        let claims = self.claims.get(lower.as_str()).map_or(&[][..], Vec::as_slice);
        // An extension as it is written comes before one in other case: `.C` and `.c`, `.R` and `.r`.
        let row = self.extensions.get(extension).or_else(|| self.extensions.get(lower.as_str()));
        let row = row.copied().or_else(|| claims.first().map(|claim| claim.row))?;
        Some((row, claims))
    }
}

/// The language whose interpreter a `#!` line names: the last part of its path, or the word after `env`.
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
