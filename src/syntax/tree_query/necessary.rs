//! The condition on the bytes of a file for a query of tree-sitter to match.
//!
//! tree-sitter keeps the predicates of a compiled query to itself, so they are read from its text.

use tree_sitter::CaptureQuantifier;

use crate::selector::Condition;

/// A predicate on the text of captures.
struct Predicate {
    /// `eq?`.
    operator: String,
    arguments: Vec<Argument>,
}

enum Argument {
    /// The name of a capture.
    Capture(String),
    Text(String),
}

/// The condition on a text for one of the patterns of a query to match in it.
pub(super) fn necessary(source: &str, query: &tree_sitter::Query) -> Condition {
    let of_pattern = |pattern: usize| {
        let range = query.start_byte_for_pattern(pattern)..query.end_byte_for_pattern(pattern);
        let written = source.get(range).unwrap_or_default();
        // The predicates of a pattern look at captures that a match may lack; such a one holds without them.
        let is_there = |name: &str| {
            let at = query.capture_index_for_name(name);
            let quantifier = at.and_then(|at| query.capture_quantifiers(pattern).get(at as usize));
            matches!(quantifier, Some(CaptureQuantifier::One | CaptureQuantifier::OneOrMore))
        };
        Condition::all(predicates(written).iter().map(|predicate| predicate.necessary(is_there)))
    };
    Condition::any((0..query.pattern_count()).map(of_pattern))
}

impl Predicate {
    fn necessary(&self, is_there: impl Fn(&str) -> bool) -> Condition {
        let [Argument::Capture(capture), texts @ ..] = self.arguments.as_slice() else { return Condition::Anything };
        if !is_there(capture) {
            return Condition::Anything;
        }
        let of_text = |text: &Argument, read: fn(&str) -> Condition| match text {
            Argument::Text(text) => read(text),
            Argument::Capture(_) => Condition::Anything,
        };
        match (self.operator.as_str(), texts) {
            ("eq?" | "any-eq?", [text]) => of_text(text, Condition::literal),
            ("match?" | "any-match?", [text]) => of_text(text, Condition::of_regex),
            ("any-of?", [_, ..]) => Condition::any(texts.iter().map(|text| of_text(text, Condition::literal))),
            _ => Condition::Anything,
        }
    }
}

/// The predicates in the text of a valid pattern.
fn predicates(written: &str) -> Vec<Predicate> {
    let mut found = Vec::new();
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            ';' => rest = after_line(rest),
            '"' => rest = text(rest).1,
            '(' => {
                let inner = trim(rest);
                if let Some(inner) = inner.strip_prefix('#') {
                    let (predicate, after) = predicate(inner);
                    found.push(predicate);
                    rest = after;
                }
            }
            _ => {}
        }
    }
    found
}

/// A predicate behind its `#`, and what follows it.
fn predicate(written: &str) -> (Predicate, &str) {
    let (operator, mut rest) = word(written);
    let mut arguments = Vec::new();
    loop {
        rest = trim(rest);
        let Some(first) = rest.chars().next() else { break };
        match first {
            ')' => {
                rest = &rest[1..];
                break;
            }
            '"' => {
                let (read, after) = text(&rest[1..]);
                arguments.push(Argument::Text(read));
                rest = after;
            }
            '@' => {
                let (name, after) = word(&rest[1..]);
                arguments.push(Argument::Capture(name.to_owned()));
                rest = after;
            }
            _ => {
                let (name, after) = word(rest);
                arguments.push(Argument::Text(name.to_owned()));
                // A sign that begins no word.
                rest = if name.is_empty() { &rest[first.len_utf8()..] } else { after };
            }
        }
    }
    (Predicate { operator: operator.to_owned(), arguments }, rest)
}

/// The word at the beginning of a text, and what follows it.
fn word(written: &str) -> (&str, &str) {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '[' | ']' | '"' | ';' | '@');
    written.split_at(written.find(ends).unwrap_or(written.len()))
}

/// The text of a string behind its first quote, and what follows the string.
fn text(written: &str) -> (String, &str) {
    let mut read = String::new();
    let mut letters = written.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (read, &written[at + 1..]),
            '\\' => match letters.next() {
                Some((_, 'n')) => read.push('\n'),
                Some((_, 'r')) => read.push('\r'),
                Some((_, 't')) => read.push('\t'),
                Some((_, '0')) => read.push('\0'),
                Some((_, other)) => read.push(other),
                None => {}
            },
            other => read.push(other),
        }
    }
    (read, "")
}

/// A text without the white space and comments at its beginning.
fn trim(written: &str) -> &str {
    let trimmed = written.trim_start();
    trimmed.strip_prefix(';').map_or(trimmed, |comment| trim(after_line(comment)))
}

fn after_line(written: &str) -> &str {
    written.split_once('\n').map_or("", |(_, after)| after)
}
