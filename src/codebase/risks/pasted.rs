//! Names that a preprocessor puts together: `op_##name`.

use crate::text::Span;

/// A name that a macro puts together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastedName {
    /// Where the parts meet.
    pub span: Span,
    /// How it begins, and how it ends; nothing where the macro gets that part.
    pub head: String,
    /// Its end.
    pub tail: String,
}

impl PastedName {
    /// The text that has to be put in for a name, if it can be that one: the parts that the macro gets.
    pub fn rest_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name.strip_prefix(self.head.as_str())?.strip_suffix(self.tail.as_str())?;
        (!rest.is_empty()).then_some(rest)
    }
}

/// The names that macros of a text put together with a sign.
pub fn pasted_names(text: &str, sign: &str) -> Vec<PastedName> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    for (at, _) in text.match_indices(sign) {
        let line = logical_line(text, at);
        let Some(parameters) = parameters_of(line) else { continue };
        let before = text[..at].trim_end_matches([' ', '\t', '\\', '\n', '\r']);
        let after = text[at + sign.len()..].trim_start_matches([' ', '\t', '\\', '\n', '\r']);
        let head = &before[before.trim_end_matches(is_part).len()..];
        let tail = &after[..after.len() - after.trim_start_matches(is_part).len()];
        let fixed = |part: &str| {
            let is_given = part.is_empty() || part == "__VA_ARGS__" || parameters.contains(&part);
            if is_given { String::new() } else { part.to_owned() }
        };
        let (head, tail) = (fixed(head), fixed(tail));
        found.push(PastedName { span: Span::new(at, at + sign.len()), head, tail });
    }
    found
}

/// The text of the line around an offset, up to it, with the lines before that go on in it.
fn logical_line(text: &str, at: usize) -> &str {
    let mut start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    while start > 0 && text[..start - 1].trim_end_matches('\r').ends_with('\\') {
        start = text[..start - 1].rfind('\n').map_or(0, |end| end + 1);
    }
    &text[start..at]
}

/// The parameters of the macro that a line defines.
fn parameters_of(line: &str) -> Option<Vec<&str>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let (_, rest) = rest.split_once('(')?;
    let (list, _) = rest.split_once(')')?;
    Some(list.split(',').map(|part| part.trim().trim_end_matches('.')).collect())
}
