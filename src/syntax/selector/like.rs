//! A code pattern as a selector.

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
