//! Words: those of a text, and the parts of an identifier.

/// The maximal runs of letters, digits and underscores of a text.
///
/// ```
/// use cst::facts::words;
/// assert_eq!(words("a_b.c('d-1')").collect::<Vec<_>>(), ["a_b", "c", "d", "1"]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty())
}

/// Appends a word to a text as it is searched for: its parts in lower case, then the whole without underscores if it has
/// several parts, each followed by a space.
///
/// ```
/// let mut text = String::new();
/// cst::facts::add_parts("parseHTTPResponse2", &mut text);
/// assert_eq!(text, "parse http response 2 parsehttpresponse2 ");
/// ```
pub fn add_parts(word: &str, text: &mut String) {
    let start = text.len();
    if split(word, text) > 1 {
        let whole: String = text[start..].chars().filter(|&letter| letter != ' ').collect();
        text.push_str(&whole);
        text.push(' ');
    }
}

/// Appends the parts of a word in lower case, each followed by a space; how many there are.
pub(super) fn split(word: &str, text: &mut String) -> usize {
    let start = text.len();
    let mut parts = 0;
    // What the letter before was: nothing, lower case, upper case, a digit.
    let mut before = Letter::None;
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let is = Letter::of(letter);
        if is == Letter::None {
            before = is;
            continue;
        }
        let next = letters.peek().map_or(Letter::None, |&next| Letter::of(next));
        let begins = match (before, is) {
            (Letter::None, _) => true,
            (Letter::Upper, Letter::Upper) => next == Letter::Lower,
            (Letter::Upper, Letter::Lower) => false,
            _ => before != is,
        };
        if begins {
            if text.len() > start {
                text.push(' ');
            }
            parts += 1;
        }
        match letter.is_ascii() {
            true => text.push(letter.to_ascii_lowercase()),
            false => text.extend(letter.to_lowercase()),
        }
        before = is;
    }
    if parts > 0 {
        text.push(' ');
    }
    parts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Letter {
    None,
    Lower,
    Upper,
    Digit,
}

impl Letter {
    fn of(letter: char) -> Letter {
        match letter {
            'a'..='z' => Letter::Lower,
            'A'..='Z' => Letter::Upper,
            '0'..='9' => Letter::Digit,
            _ if letter.is_ascii() => Letter::None,
            _ if letter.is_numeric() => Letter::Digit,
            _ if letter.is_uppercase() => Letter::Upper,
            _ if letter.is_alphabetic() => Letter::Lower,
            _ => Letter::None,
        }
    }
}
