//! Texts that are too long to be shown whole.

/// The text with `…` for what is past `limit` characters, and whether there was more.
pub fn cut(text: &str, limit: usize) -> (String, bool) {
    match text.char_indices().nth(limit) {
        Some((end, _)) => (format!("{}…", &text[..end]), true),
        None => (text.to_owned(), false),
    }
}
