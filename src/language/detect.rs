//! Which language a file is in: by its name, its extension, its first line, or an editor's modeline.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;

use super::registry::{self, Row};
use super::{Language, LanguageError};

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
    let row = by_name(file.path, file.head).or_else(|| by_first_line(file.head)).or_else(|| by_modeline(file.head));
    row.map(Row::language).transpose()
}

fn by_name(path: &str, text: &str) -> Option<&'static Row> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let by_name = |row: &&'static Row| row.head().is_some_and(|head| head.file_names.iter().any(|known| known == name));
    if let Some(row) = registry::rows().find(by_name) {
        return Some(row);
    }
    let (_, extension) = name.rsplit_once('.')?;
    let lower = extension.to_ascii_lowercase();
    let has = |row: &&'static Row, wanted: &str| {
        row.head().is_some_and(|head| head.extensions.iter().any(|known| known == wanted))
    };
    let claimed = |row: &&'static Row| {
        let regex = row.head().and_then(|head| head.claims.get(&lower));
        regex.is_some_and(|regex| has_line(text, regex))
    };
    let claiming = if text.is_empty() { None } else { registry::rows().find(claimed) };
    // An extension as it is written comes before one in other case: `.C` and `.c`, `.R` and `.r`.
    claiming
        .or_else(|| registry::rows().find(|row| has(row, extension)))
        .or_else(|| registry::rows().find(|row| has(row, &lower)))
}

/// Whether a line of a text begins with what the regex finds.
fn has_line(text: &str, regex: &str) -> bool {
    static KNOWN: LazyLock<Mutex<HashMap<String, Option<Regex>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let compiled = known.entry(regex.to_owned()).or_insert_with(|| Regex::new(&format!("(?m)^(?:{regex})")).ok());
    let compiled = compiled.clone();
    drop(known);
    compiled.is_some_and(|regex| regex.is_match(text))
}

/// The language whose interpreter a `#!` line names: the last part of its path, or the word after `env`.
fn by_first_line(head: &str) -> Option<&'static Row> {
    let line = head.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let program = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    let names_it =
        |row: &&'static Row| row.head().is_some_and(|head| head.shebangs.iter().any(|known| known == program));
    registry::rows().find(names_it)
}

/// The language named by Vim's `vim: ft=` or Emacs's `-*- mode: … -*-` in the first lines.
fn by_modeline(head: &str) -> Option<&'static Row> {
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
        registry::find(&name.to_ascii_lowercase())
    })
}
