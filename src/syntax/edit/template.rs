//! Templates: code with placeholders for the captures of a selector or pattern.
//!
//! `$NAME` and `$$$NAME` are replaced by the text of a capture, `$0` by that of the whole node, and `${NAME|snake}` by
//! the text after filters, applied from left to right. In the replacement of `s/re/to/`, `$1` is a group of the regex
//! and `$NAME` a capture. A `$` before anything else is code, as in languages whose variables begin with it.

use heck::{ToKebabCase, ToLowerCamelCase, ToSnakeCase, ToUpperCamelCase};
use regex::{Captures, Regex};

use super::filling::{Filling, Placed};
use super::lines;
use super::rewrite::Shapes;
use super::structure;
use crate::selector::Query;
use crate::text::Span;
use crate::tree::{Captured, Tree};

/// An error in a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A placeholder without a capture.
    #[error("the target captures no `{name}`")]
    UnknownCapture {
        /// The name.
        name: String,
        /// The names of the captures.
        known: Vec<String>,
    },
    /// An unknown filter.
    #[error("unknown filter `{filter}`")]
    UnknownFilter {
        /// The filter, as written.
        filter: String,
    },
    /// A filter `s/re/to/` with an invalid regex.
    #[error("{message}")]
    BadRegex {
        /// The message of the regex parser.
        message: String,
    },
}

/// All filters, for suggestions.
pub const FILTERS: [&str; 9] = ["snake", "camel", "pascal", "upper", "lower", "kebab", "trim", "unquote", "s/re/to/"];

/// A parsed template.
#[derive(Debug, Clone)]
pub struct Template {
    pub(super) parts: Vec<Part>,
    keeps_end: bool,
    /// The code patterns of the matches.
    patterns: Vec<String>,
    /// Its shapes in the languages where it was used.
    pub(super) shapes: Shapes,
}

/// A part of a template.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// Code.
    Code(String),
    /// A placeholder.
    Placeholder(Placeholder),
}

/// A placeholder.
#[derive(Debug, Clone)]
pub(super) struct Placeholder {
    /// The name of the capture; `0` is the whole node.
    pub(super) name: String,
    /// The placeholder as written. It is kept as code if there is no such capture and it may be code.
    pub(super) text: String,
    pub(super) filters: Vec<Filter>,
    /// Whether it cannot be code.
    must: bool,
}

/// A filter that converts a text.
#[derive(Debug, Clone)]
pub(super) enum Filter {
    Snake,
    Camel,
    Pascal,
    Upper,
    Lower,
    Kebab,
    Trim,
    Unquote,
    Substitute { find: Regex, to: String },
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// At an unknown filter.
    pub fn parse(source: &str) -> Result<Template, TemplateError> {
        let mut parts = Vec::new();
        let mut code = String::new();
        let mut rest = source;
        while let Some(at) = rest.find('$') {
            code.push_str(&rest[..at]);
            rest = &rest[at..];
            match place(rest)? {
                Some((place, length)) => {
                    if !code.is_empty() {
                        parts.push(Part::Code(std::mem::take(&mut code)));
                    }
                    parts.push(Part::Placeholder(place));
                    rest = &rest[length..];
                }
                None => {
                    code.push('$');
                    rest = &rest[1..];
                }
            }
        }
        code.push_str(rest);
        if !code.is_empty() {
            parts.push(Part::Code(code));
        }
        Ok(Template { parts, keeps_end: false, patterns: Vec::new(), shapes: Shapes::default() })
    }

    /// Its code between the placeholders.
    pub(super) fn code(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Code(code) => Some(code.as_str()),
            Part::Placeholder(_) => None,
        })
    }

    /// The same with other code between the placeholders.
    pub(super) fn with_code(&self, change: impl Fn(&str) -> String) -> Template {
        let parts = self.parts.iter().map(|part| match part {
            Part::Code(code) => Part::Code(change(code)),
            placeholder @ Part::Placeholder(_) => placeholder.clone(),
        });
        Template {
            parts: parts.collect(),
            keeps_end: self.keeps_end,
            patterns: self.patterns.clone(),
            shapes: Shapes::default(),
        }
    }

    /// The same for the matches of a query. What its code patterns share with the template stays as a match has it: its
    /// strings, and the terminator of its statement if the pattern does not include one.
    #[must_use]
    pub fn for_query(mut self, query: &Query) -> Template {
        self.keeps_end = query.omits_terminator();
        self.patterns = query.pattern_sources();
        self
    }

    /// Its text, as written.
    pub(super) fn source(&self) -> String {
        let texts = self.parts.iter().map(|part| match part {
            Part::Code(code) => code.as_str(),
            Part::Placeholder(place) => place.text.as_str(),
        });
        texts.collect()
    }

    /// Where its placeholders are in its text.
    pub(super) fn holes(&self) -> Vec<Span> {
        let mut holes = Vec::new();
        let mut at = 0;
        for part in &self.parts {
            let length = match part {
                Part::Code(code) => code.len(),
                Part::Placeholder(place) => place.text.len(),
            };
            if let Part::Placeholder(_) = part {
                holes.push(Span::new(at, at + length));
            }
            at += length;
        }
        holes
    }

    /// The code patterns of the matches.
    pub(super) fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether the terminator of a match's statement stays; not if the template has one.
    pub(super) fn omits_terminator(&self) -> bool {
        let ends = |part: &Part| matches!(part, Part::Code(code) if code.trim_end().ends_with([';', '}']));
        self.keeps_end && !self.parts.last().is_some_and(ends)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Code(code) if code.trim().is_empty()))
    }

    /// The names of the captures in its placeholders, each once; `0` is the whole node.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for place in self.places() {
            if !names.contains(&place.name.as_str()) {
                names.push(&place.name);
            }
        }
        names
    }

    pub(super) fn places(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| if let Part::Placeholder(place) = part { Some(place) } else { None })
    }

    /// Fills the template with the captures of a match; `whole` is the value of `$0`, which is kept as it is without
    /// one.
    ///
    /// # Errors
    /// At a placeholder with filters, if there is no such capture.
    pub fn fill(
        &self,
        tree: &Tree,
        captures: &[(String, Captured)],
        whole: Option<crate::tree::Node>,
    ) -> Result<String, TemplateError> {
        Ok(self.fill_parts(tree, captures, whole)?.parenthesized(tree))
    }

    /// The same for a sentence: nothing is put in parentheses, as it may be where the template is code.
    ///
    /// # Errors
    /// At a placeholder with filters, if there is no such capture.
    pub fn fill_sentence(
        &self,
        tree: &Tree,
        captures: &[(String, Captured)],
        whole: Option<crate::tree::Node>,
    ) -> Result<String, TemplateError> {
        Ok(self.fill_parts(tree, captures, whole)?.text)
    }

    fn fill_parts(
        &self,
        tree: &Tree,
        captures: &[(String, Captured)],
        whole: Option<crate::tree::Node>,
    ) -> Result<Filling, TemplateError> {
        let mut parts: Vec<(String, Captured)> = captures.to_vec();
        parts.extend(whole.map(|node| ("0".to_owned(), Captured::Node(node))));
        let texts = |name: &str| parts.iter().find(|part| part.0 == name).map(|part| text_of(tree, part.1));
        let captured = |name: &str| parts.iter().find(|part| part.0 == name).map(|part| part.1);
        let mut filled = String::new();
        let mut placed: Vec<Placed> = Vec::new();
        let mut drops_separator = false;
        for part in &self.parts {
            match part {
                Part::Code(code) => {
                    let separator = code.trim_start().strip_prefix(',').filter(|_| drops_separator);
                    filled.push_str(separator.map_or(code.as_str(), str::trim_start));
                    drops_separator = false;
                }
                Part::Placeholder(place) => match texts(&place.name) {
                    Some(_) if captured(&place.name) == Some(Captured::Nothing) && place.filters.is_empty() => {
                        // An empty capture is removed with its separator.
                        match filled.trim_end().strip_suffix(',').map(str::len) {
                            Some(length) => filled.truncate(length),
                            None => drops_separator = filled.trim_end().ends_with(['(', '[', '{']),
                        }
                    }
                    Some(text) => {
                        let text = place.filter(text, &texts);
                        let text = indent(&text, &filled);
                        let node = captured(&place.name).and_then(Captured::node).filter(|_| place.filters.is_empty());
                        let span = Span::new(filled.len(), filled.len() + text.len());
                        placed.extend(node.map(|node| Placed { span, node }));
                        filled.push_str(&text);
                    }
                    None if place.must => return Err(unknown(&place.name, captures)),
                    None => filled.push_str(&place.text),
                },
            }
        }
        Ok(Filling { text: filled, captures: placed })
    }

    /// Checks that every placeholder has a capture.
    ///
    /// # Errors
    /// At the first one that has none and cannot be code.
    pub fn check(&self, captures: &[(String, Captured)]) -> Result<(), TemplateError> {
        self.check_names(captures.iter().map(|(name, _)| name.as_str()))
    }

    /// Checks that every placeholder is the name of a capture, before anything is found.
    ///
    /// # Errors
    /// At the first one that is none and cannot be code.
    pub fn check_names<'n>(&self, captured: impl Iterator<Item = &'n str>) -> Result<(), TemplateError> {
        let captured: Vec<&str> = captured.collect();
        let is_meta = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase()) && is_capital(name);
        let lacking = |place: &&Placeholder| {
            let known = place.name == "0" || captured.contains(&place.name.as_str());
            !known && (place.must || is_meta(&place.name))
        };
        let unknown = |place: &Placeholder| TemplateError::UnknownCapture {
            name: place.name.clone(),
            known: captured.iter().map(|&name| name.to_owned()).collect(),
        };
        self.places().find(lacking).map_or(Ok(()), |place| Err(unknown(place)))
    }
}

/// Whether a name is in capitals, like those of patterns.
fn is_capital(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn unknown(name: &str, captures: &[(String, Captured)]) -> TemplateError {
    TemplateError::UnknownCapture {
        name: name.to_owned(),
        known: captures.iter().map(|(name, _)| name.clone()).collect(),
    }
}

impl Placeholder {
    /// The filtered text of a capture. `texts` returns the texts of other captures.
    pub(super) fn filter(&self, text: String, texts: &dyn Fn(&str) -> Option<String>) -> String {
        self.filters.iter().fold(text, |text, filter| filter.apply(&text, texts))
    }
}

/// Fills a template with the captures of a match; `whole` is the value of `$0`, which is kept as it is without one.
///
/// # Errors
/// At a placeholder with filters, if there is no such capture or filter.
pub fn fill(
    template: &str,
    tree: &Tree,
    captures: &[(String, Captured)],
    whole: Option<crate::tree::Node>,
) -> Result<String, TemplateError> {
    Template::parse(template)?.fill(tree, captures, whole)
}

/// The placeholder at the start of a text, with its length. A `$` that begins none is code.
fn place(text: &str) -> Result<Option<(Placeholder, usize)>, TemplateError> {
    let word =
        |text: &str| text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(text.len());
    if let Some(inner) = text.strip_prefix("${") {
        let length = word(inner);
        let (name, after) = inner.split_at(length);
        let Some(end) = closing(after).filter(|_| !name.is_empty()) else { return Ok(None) };
        let written = text[..2 + length + end + 1].to_owned();
        let total = written.len();
        let place = |filters, must| Placeholder { name: name.to_owned(), text: written, filters, must };
        return match after[..end].strip_prefix('|') {
            Some(filters) => {
                let filters = split(filters).into_iter().map(Filter::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Some((place(filters, true), total)))
            }
            None if end == 0 => Ok(Some((place(Vec::new(), false), total))),
            None => Ok(None),
        };
    }
    let dollars = if text.starts_with("$$$") { 3 } else { 1 };
    let length = word(&text[dollars..]);
    if length == 0 {
        return Ok(None);
    }
    let total = dollars + length;
    let (name, written) = (text[dollars..total].to_owned(), text[..total].to_owned());
    Ok(Some((Placeholder { name, text: written, filters: Vec::new(), must: dollars == 3 }, total)))
}

/// The place of the closing bracket for the one at the start of a text; `\` escapes the next character.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' => return None,
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The text of a capture with its lines dedented like its first line.
pub(super) fn text_of(tree: &Tree, captured: Captured) -> String {
    let text = tree.text();
    let Some(span) = captured.span(tree) else { return String::new() };
    let base = lines::indentation(text, span.start());
    let free = structure::free_lines(tree, span);
    let mut kept = String::new();
    let mut end = span.start();
    for start in free {
        let there = lines::indentation(text, start);
        kept.push_str(&text.slice(Span::new(end, start)));
        end = start + if there.starts_with(&base) { base.len() } else { 0 };
    }
    kept.push_str(&text.slice(Span::new(end, span.end().max(end))));
    kept
}

/// A text with its further lines indented like the line on which it is placed. A text with a string that may extend
/// over lines is unchanged, since whitespace in the string is significant.
fn indent(text: &str, before: &str) -> String {
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    let indentation = &line[..line.len() - line.trim_start_matches(lines::is_blank).len()];
    if indentation.is_empty() || text.contains("\"\"\"") || text.contains("'''") || text.contains('`') {
        return text.to_owned();
    }
    text.replace('\n', &format!("\n{indentation}"))
}

/// Splits filters at `|`, but not inside `s/…/…/`.
fn split(filters: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = filters;
    while !rest.is_empty() {
        let slashes = rest.match_indices('/').filter(|(at, _)| !rest[..*at].ends_with('\\'));
        let own = slashes.map(|(at, _)| at).nth(2).filter(|_| rest.trim_start().starts_with("s/")).unwrap_or(0);
        let end = rest[own..].find('|').map_or(rest.len(), |at| own + at);
        found.push(rest[..end].trim());
        rest = rest.get(end + 1..).unwrap_or("");
    }
    found
}

impl Filter {
    /// Parses a filter.
    fn read(filter: &str) -> Result<Filter, TemplateError> {
        let unknown = || TemplateError::UnknownFilter { filter: filter.to_owned() };
        Ok(match filter {
            "snake" => Filter::Snake,
            "kebab" => Filter::Kebab,
            "pascal" => Filter::Pascal,
            "camel" => Filter::Camel,
            "upper" => Filter::Upper,
            "lower" => Filter::Lower,
            "trim" => Filter::Trim,
            "unquote" => Filter::Unquote,
            _ => {
                let inner = filter.strip_prefix("s/").and_then(|rest| rest.strip_suffix('/')).ok_or_else(unknown)?;
                let at = inner.match_indices('/').map(|(at, _)| at).find(|&at| !inner[..at].ends_with('\\'));
                let (find, to) = at.map(|at| (&inner[..at], &inner[at + 1..])).ok_or_else(unknown)?;
                let find = Regex::new(&find.replace("\\/", "/"))
                    .map_err(|error| TemplateError::BadRegex { message: error.to_string() })?;
                Filter::Substitute { find, to: to.replace("\\/", "/") }
            }
        })
    }

    fn apply(&self, text: &str, texts: &dyn Fn(&str) -> Option<String>) -> String {
        match self {
            Filter::Snake => text.to_snake_case(),
            Filter::Kebab => text.to_kebab_case(),
            Filter::Pascal => text.to_upper_camel_case(),
            Filter::Camel => text.to_lower_camel_case(),
            Filter::Upper => text.to_uppercase(),
            Filter::Lower => text.to_lowercase(),
            Filter::Trim => text.trim().to_owned(),
            Filter::Unquote => unquoted(text).to_owned(),
            Filter::Substitute { find, to } => {
                find.replace_all(text, |groups: &Captures<'_>| substitute(to, groups, texts)).into_owned()
            }
        }
    }
}

/// The replacement of a substitution: `$1`, `${1}` and `$name` are groups, and `$NAME` is a capture unless a group has
/// that name.
fn substitute(to: &str, groups: &Captures<'_>, texts: &dyn Fn(&str) -> Option<String>) -> String {
    let mut put = String::new();
    let mut rest = to;
    while let Some(at) = rest.find('$') {
        put.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            put.push('$');
            rest = after;
            continue;
        }
        let braced = rest.starts_with('{');
        let inner = if braced { &rest[1..] } else { rest };
        let length = match inner.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(inner.len()) {
            0 => inner.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(inner.len()),
            digits => digits,
        };
        let (name, after) = inner.split_at(length);
        let after = if braced { after.strip_prefix('}') } else { Some(after) };
        let group = || name.parse().map_or_else(|_| groups.name(name), |number| groups.get(number));
        let found = group().map(|found| found.as_str().to_owned()).or_else(|| texts(name));
        match after.filter(|_| length > 0) {
            Some(after) if found.is_some() || name.starts_with(|first: char| first.is_ascii_digit()) => {
                put.push_str(&found.unwrap_or_default());
                rest = after;
            }
            _ => put.push('$'),
        }
    }
    put.push_str(rest);
    put
}

/// A string literal without its prefix and quotes.
fn unquoted(text: &str) -> &str {
    let bare = text.trim().trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    ["\"\"\"", "'''", "\"", "'", "`"]
        .iter()
        .find_map(|quote| bare.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(text)
}
