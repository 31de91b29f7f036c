//! What a person types to search: words, phrases, exclusions, beginnings and filters. Nothing in it is an error of the
//! index's own language.

use crate::facts::{add_parts, words};

/// Words that say too little to be looked for beside others.
const COMMON: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has", "have", "how", "i",
    "if", "in", "into", "is", "it", "its", "not", "of", "on", "or", "that", "the", "their", "them", "then", "this",
    "to", "was", "we", "what", "when", "where", "which", "who", "why", "will", "with", "you",
];

/// A query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Words of which at least one must occur, in lower case.
    pub words: Vec<String>,
    /// Beginnings of words, of the same standing.
    pub prefixes: Vec<String>,
    /// Phrases that must all occur: words in a row.
    pub phrases: Vec<Vec<String>>,
    /// Phrases that must not occur.
    pub without: Vec<Vec<String>>,
    /// Kinds of definitions, of which one must fit: `kind:class`.
    pub kinds: Vec<String>,
    /// Languages, of which one must fit: `lang:go`.
    pub languages: Vec<String>,
    /// Globs, of which one must fit the path: `path:src/**`.
    pub paths: Vec<String>,
    /// What the qualified name must have a part of: `in:Server`.
    pub within: Vec<String>,
    /// What was typed, without exclusions and filters.
    pub plain: String,
}

/// Why a text is not a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryError {
    /// It has no word to look for.
    NoWord,
    /// A filter has no value.
    NoValue(String),
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// If it has no word to look for, or a filter without a value.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        let mut query = Query::default();
        let mut common = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (negated, body) = match rest.strip_prefix('-') {
                Some(body) if !body.starts_with(char::is_whitespace) && !body.is_empty() => (true, body),
                _ => (false, rest),
            };
            if let Some(quoted) = body.strip_prefix('"') {
                let (phrase, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                let parts = parts(phrase, false);
                if !negated {
                    query.add_plain(phrase);
                }
                let phrases = if negated { &mut query.without } else { &mut query.phrases };
                phrases.extend((!parts.is_empty()).then_some(parts));
                rest = after.trim_start();
                continue;
            }
            let end = body.find(char::is_whitespace).unwrap_or(body.len());
            let (word, after) = body.split_at(end);
            rest = after.trim_start();
            if !negated && query.filter(word)? {
                continue;
            }
            if !negated {
                query.add_plain(word.strip_suffix('*').unwrap_or(word));
            }
            if negated {
                let parts = parts(word, false);
                query.without.extend((!parts.is_empty()).then_some(parts));
            } else if let Some(beginning) = word.strip_suffix('*') {
                let mut parts = parts(beginning, false);
                query.prefixes.extend(parts.pop());
                query.words.append(&mut parts);
            } else if COMMON.contains(&word.to_lowercase().trim_matches(|letter: char| !letter.is_alphanumeric())) {
                common.append(&mut parts(word, true));
            } else {
                query.words.append(&mut parts(word, true));
            }
        }
        if query.words.is_empty() && query.prefixes.is_empty() && query.phrases.is_empty() {
            query.words = common;
        }
        let mut seen = rustc_hash::FxHashSet::default();
        query.words.retain(|word| seen.insert(word.clone()));
        if query.words.is_empty() && query.prefixes.is_empty() && query.phrases.is_empty() {
            return Err(QueryError::NoWord);
        }
        Ok(query)
    }

    /// Whether it chooses no definitions but by their texts.
    pub fn is_without_filters(&self) -> bool {
        self.kinds.is_empty() && self.languages.is_empty() && self.paths.is_empty() && self.within.is_empty()
    }

    fn add_plain(&mut self, text: &str) {
        if !self.plain.is_empty() {
            self.plain.push(' ');
        }
        self.plain.push_str(text);
    }

    /// Whether a word is a filter, which is added then.
    fn filter(&mut self, word: &str) -> Result<bool, QueryError> {
        let Some((key, value)) = word.split_once(':') else { return Ok(false) };
        let values = match key {
            "kind" => &mut self.kinds,
            "lang" => &mut self.languages,
            "path" => &mut self.paths,
            "in" => &mut self.within,
            _ => return Ok(false),
        };
        if value.is_empty() {
            return Err(QueryError::NoValue(key.to_owned()));
        }
        values.push(value.to_owned());
        Ok(true)
    }

    /// All words that are looked for, for marking them: those of phrases and beginnings, too.
    pub fn sought(&self) -> impl Iterator<Item = &str> {
        let phrases = self.phrases.iter().flatten();
        self.words.iter().chain(&self.prefixes).chain(phrases).map(String::as_str)
    }

    /// What must occur, in the index's own language; `None` if nothing must.
    pub(super) fn required(&self) -> Option<String> {
        (!self.phrases.is_empty()).then(|| quoted(&self.phrases).join(" AND "))
    }

    /// What must not occur, likewise.
    pub(super) fn excluded(&self) -> Option<String> {
        (!self.without.is_empty()).then(|| quoted(&self.without).join(" OR "))
    }

    /// The query in the index's own language.
    #[doc(hidden)]
    pub fn expression(&self) -> String {
        let phrases = quoted(&self.phrases);
        let mut any: Vec<String> = self.words.iter().map(|word| format!("\"{word}\"")).collect();
        any.extend(self.prefixes.iter().map(|word| format!("\"{word}\"*")));
        let mut expression = match (phrases.as_slice(), any.is_empty()) {
            ([], _) => any.join(" OR "),
            (phrases, true) => phrases.join(" AND "),
            // The words are not required then, and count.
            ([first, ..], false) => {
                any.push(first.clone());
                format!("{} AND ({})", phrases.join(" AND "), any.join(" OR "))
            }
        };
        if !self.without.is_empty() {
            expression = format!("({expression}) NOT ({})", quoted(&self.without).join(" OR "));
        }
        expression
    }
}

/// Phrases in the index's own language.
fn quoted(phrases: &[Vec<String>]) -> Vec<String> {
    phrases.iter().map(|words| format!("\"{}\"", words.join(" "))).collect()
}

/// The words of a text as the index has them; with wholes, also each word of several parts as one.
fn parts(text: &str, wholes: bool) -> Vec<String> {
    let mut found = Vec::new();
    for word in words(text) {
        let mut split = String::new();
        add_parts(word, &mut split);
        let mut parts: Vec<String> = split.split_whitespace().map(str::to_owned).collect();
        if parts.len() > 1 && !wholes {
            parts.pop();
        }
        found.append(&mut parts);
    }
    found
}
