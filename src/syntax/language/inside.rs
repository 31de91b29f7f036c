//! The languages of code inside of a text in another one.

use super::injections::Injection;
use super::languages::Languages;
use super::resolved::Language;

impl Injection {
    /// The language of code that says this name of it; `None` if it is in none that is known.
    pub fn language_of(&self, said: Option<&str>, languages: &Languages) -> Option<&'static Language> {
        let name = said.map_or_else(|| self.language.clone(), str::to_ascii_lowercase);
        let name = self.names.get(&name).unwrap_or(&name);
        let is_known = !name.is_empty() && (self.only.is_empty() || self.only.contains(name));
        if is_known { languages.in_code(name) } else { None }
    }

    /// The languages of such code in a text, by what is in front of it: all that there are, or more.
    pub fn languages_in(&self, text: &str, languages: &Languages) -> Vec<&'static Language> {
        let mut found: Vec<&'static Language> = Vec::new();
        // Most files have no such code, and words are looked for much faster than most regexes.
        if !self.seen.may_match_outside_groups(text) {
            return found;
        }
        if self.language.is_empty() && self.seen.get().captures_len() == 1 {
            let is_there = self.seen.get().is_match(text);
            return self.only.iter().filter(|_| is_there).filter_map(|name| languages.in_code(name)).collect();
        }
        for captures in self.seen.get().captures_iter(text) {
            let said = captures.iter().skip(1).flatten().next().map(|name| name.as_str());
            if let Some(language) = self.language_of(said, languages)
                && !found.iter().any(|known| known.name() == language.name())
            {
                found.push(language);
            }
        }
        found
    }
}

impl Language {
    /// Whether files in this language may have code in another one.
    pub fn may_hold(&self, language: &str) -> bool {
        let rules = &self.spec.injections;
        rules.iter().any(|rule| rule.only.is_empty() || rule.only.iter().any(|name| name == language))
    }
}
