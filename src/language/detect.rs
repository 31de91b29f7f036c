//! Which language a file is in: by its name, its extension, its first line, or an editor's modeline.

use super::Language;

/// What a file shows of its language.
#[derive(Debug, Clone, Copy, Default)]
pub struct Detection<'a> {
    /// The file's name, with or without its folders.
    pub path: &'a str,
    /// The file's first bytes, for `#!` lines and modelines; may be empty.
    pub head: &'a str,
}

/// The language of a file, or `None` when nothing tells it.
pub fn detect(file: Detection<'_>) -> Option<&'static Language> {
    let name = file.path.rsplit(['/', '\\']).next().unwrap_or(file.path);
    let languages = Language::all();
    let by_name = |language: &&&Language| language.data().file_names.iter().any(|known| known == name);
    if let Some(language) = languages.iter().find(by_name) {
        return Some(language);
    }
    if let Some((_, extension)) = name.rsplit_once('.') {
        let extension = extension.to_ascii_lowercase();
        let by_extension = |language: &&&Language| language.data().extensions.contains(&extension);
        if let Some(language) = languages.iter().find(by_extension) {
            return Some(language);
        }
    }
    by_first_line(file.head, &languages).or_else(|| by_modeline(file.head))
}

/// The language whose interpreter a `#!` line names: the last part of its path, or the word after `env`.
fn by_first_line(head: &str, languages: &[&'static Language]) -> Option<&'static Language> {
    let line = head.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let program = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    languages.iter().find(|language| language.data().shebangs.iter().any(|known| known == program)).copied()
}

/// The language named by Vim's `vim: ft=` or Emacs's `-*- mode: … -*-` in the first lines.
fn by_modeline(head: &str) -> Option<&'static Language> {
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
        Language::named(&name).ok()
    })
}
