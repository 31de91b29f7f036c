//! Whole words in a text, in code and strings alike.

use memchr::memmem;

/// The offsets after the places at which a text has a word, and no longer one. The letter of an escape, as in `"\nword"`, belongs
/// to no word.
pub fn ends_of_word<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let is_whole = move |&at: &usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        let is_escape = at > 1 && text[at - 2] == b'\\';
        (is_escape || !before.is_some_and(is_letter)) && !text.get(at + word.len()).is_some_and(is_letter)
    };
    memmem::find_iter(text, word).filter(is_whole).map(move |at| at + word.len())
}

/// Whether a text has a word.
pub fn has_word(text: &[u8], word: &[u8]) -> bool {
    ends_of_word(text, word).next().is_some()
}

/// The parts of a word before and after a name.
pub type WordParts = (String, String);

/// The parts before and after a name in the longer words of a text: `visit_` and nothing of `visit_Add`.
pub fn words_around(text: &[u8], name: &[u8]) -> Vec<WordParts> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text, name) {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let start = before.iter().rposition(|byte| !is_letter(byte)).map_or(0, |end| end + 1);
        let end = after.iter().position(|byte| !is_letter(byte)).unwrap_or(after.len());
        if start < at || end > 0 {
            let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            found.push((part(&before[start..]), part(&after[..end])));
        }
    }
    found
}

/// Whether a text has a part of a word where one begins or ends; the empty part is everywhere.
pub fn has_end(text: &[u8], part: &str) -> bool {
    let mut found = memmem::find_iter(text, part.as_bytes());
    part.is_empty()
        || found.any(|at| {
            let is_part = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(is_letter);
            !is_part(at.checked_sub(1)) || !is_part(Some(at + part.len()))
        })
}

/// Whether a byte is one of words: those of other alphabets are all letters.
pub fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}
