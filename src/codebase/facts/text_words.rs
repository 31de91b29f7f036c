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

/// Whether a byte is one of words: those of other alphabets are all letters.
pub fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}
