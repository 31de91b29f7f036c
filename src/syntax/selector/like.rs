//! Code patterns outside queries: as selectors, and why they cannot be read.

use super::pattern::Pattern;
use crate::language::Language;

/// Why each reading of a code pattern fails in a language; empty if one of them makes sense.
pub fn failed_readings(code: &str, language: &'static Language) -> Vec<String> {
    Pattern::new(code, language, None).err().map_or_else(Vec::new, |unread| unread.readings)
}

/// A code pattern as a selector: `:like("…")`.
pub fn like(pattern: &str) -> String {
    format!(":like({})", quote(pattern))
}

/// A string literal of the selector language.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
