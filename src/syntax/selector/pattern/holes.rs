//! The holes of a pattern's text: `$NAME`, `$_`, `$$$NAME`, `$$$`.

use super::error::{PatternError, shown};
use crate::text::Span;

/// The text of a pattern, split at its holes.
#[derive(Debug)]
pub(in crate::selector) struct Pieces {
    /// The text, trimmed and without the indentation that all lines share.
    pub source: String,
    pub holes: Vec<Metavar>,
}

/// A hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::selector) struct Metavar {
    /// Its bytes in the source.
    pub span: Span,
    /// `None` for `$_` and `$$$`.
    pub name: Option<String>,
    /// Whether it matches any number of siblings.
    pub many: bool,
}

impl Pieces {
    /// Finds the holes.
    pub fn read(source: &str) -> Result<Pieces, PatternError> {
        let span = trim(source);
        let line = source[..span.start()].rfind('\n').map_or(0, |end| end + 1);
        let source = dedented(&source[span.start()..span.end()], &source[line..span.start()]);
        if source.is_empty() {
            return Err(PatternError { message: "the pattern is empty".to_owned(), hint: None, readings: Vec::new() });
        }
        let mut holes = Vec::new();
        let mut at = 0;
        while let Some(found) = source[at..].find('$') {
            at += found;
            let dollars = source[at..].len() - source[at..].trim_start_matches('$').len();
            match hole(&source, at, dollars) {
                Some(hole) => {
                    at = hole.span.end();
                    holes.push(hole);
                }
                None => at += dollars,
            }
        }
        Ok(Pieces { source, holes })
    }

    /// The names, each once, in order.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.holes.iter().filter_map(|hole| hole.name.as_ref()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Bytes of the source in the text that was read as `given`: before it was trimmed, and its lines dedented.
    pub fn as_given(&self, given: &str, span: Span) -> Span {
        let mut places = Vec::with_capacity(2);
        let mut own = self.source.char_indices().peekable();
        let first = trim(given).start();
        for (at, letter) in given[first..].char_indices() {
            let Some(&(place, other)) = own.peek() else { break };
            if [span.start(), span.end()].get(places.len()) == Some(&place) && letter == other {
                places.push(first + at);
            }
            if letter == other {
                own.next();
            }
        }
        let start = places.first().copied().unwrap_or(first);
        Span::new(start, places.get(1).copied().unwrap_or_else(|| trim(given).end()).max(start))
    }

    /// Whether each name occurs in only one hole.
    pub fn is_linear(&self) -> bool {
        self.names().len() == self.holes.iter().filter(|hole| hole.name.is_some()).count()
    }

    /// The same without a trailing `;`.
    pub fn without_end(&self) -> Option<Pieces> {
        let source = self.source.strip_suffix(';')?.trim_end().to_owned();
        (!source.is_empty()).then(|| Pieces { source, holes: self.holes.clone() })
    }

    /// A hint for a pattern that cannot be read: a `$` may have been meant as a hole.
    pub fn mistake(&self) -> Option<String> {
        let is_hole = |at: usize| self.holes.iter().any(|hole| hole.span.start() <= at && at < hole.span.end());
        let at = self.source.match_indices('$').map(|(at, _)| at).find(|&at| !is_hole(at));
        let Some(at) = at else { return self.foreign_hole() };
        let word: String = self.source[at..].chars().skip(1).take_while(|letter| letter.is_alphanumeric()).collect();
        let place = shown(&self.source, at);
        Some(match word.is_empty() {
            true => format!("a hole is written `$NAME`, `$_`, `$$$NAME` or `$$$`{place}"),
            false => format!("a hole's name is in capitals: `${}`{place}", word.to_uppercase()),
        })
    }
}

impl Pieces {
    /// How a hole of another tool is written here: `...` of semgrep, `:[x]` of comby.
    fn foreign_hole(&self) -> Option<String> {
        if let Some(at) = self.source.find("...") {
            return Some(format!("any number of nodes are `$$$`, not `...`{}", shown(&self.source, at)));
        }
        let at = self.source.find(":[")?;
        let name: String = self.source[at + 2..].chars().take_while(char::is_ascii_alphanumeric).collect();
        let closes = self.source[at + 2 + name.len()..].starts_with(']');
        (closes && !name.is_empty()).then(|| {
            format!("a hole is written `${}`, not `:[{name}]`{}", name.to_uppercase(), shown(&self.source, at))
        })
    }
}

/// The hole that begins with these `$`, if there is one.
fn hole(source: &str, at: usize, dollars: usize) -> Option<Metavar> {
    let many = match dollars {
        1 => false,
        3 => true,
        _ => return None,
    };
    let rest = &source[at + dollars..];
    let length = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
    let word = &rest[..length];
    let is_name = word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let is_nameless = if many { word.is_empty() || word == "_" } else { word == "_" };
    (is_name || is_nameless).then(|| Metavar {
        span: Span::new(at, at + dollars + length),
        name: is_name.then(|| word.to_owned()),
        many,
    })
}

/// Text with its lines dedented by the indentation of its first line.
fn dedented(source: &str, base: &str) -> String {
    let mut lines = source.split('\n');
    let first = lines.next().unwrap_or("").to_owned();
    let is_in = |line: &str| line.trim().is_empty() || line.starts_with(base);
    if base.is_empty() || !lines.clone().all(is_in) {
        return source.to_owned();
    }
    lines.fold(first, |text, line| text + "\n" + line.strip_prefix(base).unwrap_or(""))
}

/// The names of the holes in a pattern, in any language.
pub(in crate::selector) fn names(source: &str) -> Vec<String> {
    Pieces::read(source).map(|pieces| pieces.names()).unwrap_or_default()
}

/// The bytes of a text without blank lines and whitespace at both ends.
fn trim(source: &str) -> Span {
    let start = source.len() - source.trim_start().len();
    Span::new(start, source.trim_end().len().max(start))
}
