//! Names that code makes, as far as the text of a file tells, which costs less than its tree.

use memchr::memmem;

use super::text_words::is_letter;

/// Whether a text accesses members, by one of these calls, by a name that is not a whole string there: `getattr(o, name)`.
pub fn accesses_by_name(text: &[u8], calls: &[String]) -> bool {
    calls.iter().any(|call| {
        let word = call.rsplit(['.', ':']).next().unwrap_or(call).as_bytes();
        memmem::find_iter(text, word).any(|at| {
            let before = at.checked_sub(1).and_then(|before| text.get(before));
            let after = &text[at + word.len()..];
            !before.is_some_and(is_letter) && !after.first().is_some_and(is_letter) && {
                let arguments = arguments_of(after);
                // The receiver is before the dot, or the first argument.
                let place = usize::from(before != Some(&b'.') && arguments.len() > 1);
                arguments.get(place).is_some_and(|name| !is_whole_string(name))
            }
        })
    })
}

/// Whether a text has a part of a name between a quote and a placeholder or another quote.
pub fn may_make_name(text: &[u8], name: &[u8]) -> bool {
    /// How much of a name is looked for.
    const LEAST: usize = 2;
    if name.len() <= LEAST {
        return true;
    }
    let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\'' | b'`'));
    let is_end = |byte: Option<&u8>| is_quote(byte) || matches!(byte, Some(b'{' | b'$' | b'%' | b'#'));
    let starts = memmem::find_iter(text, &name[..LEAST]).any(|at| {
        let same = text[at..].iter().zip(name).take_while(|(one, two)| one == two).count();
        at > 0 && is_quote(text.get(at - 1)) && same < name.len() && is_end(text.get(at + same))
    });
    if may_add_sign(text, name) {
        return true;
    }
    let is_start = |byte: Option<&u8>| is_quote(byte) || matches!(byte, Some(b'}' | b's' | b'd' | b'r'));
    starts
        || memmem::find_iter(text, &name[name.len() - LEAST..]).any(|at| {
            let end = at + LEAST;
            let same = text[..end].iter().rev().zip(name.iter().rev()).take_while(|(one, two)| one == two).count();
            is_quote(text.get(end)) && same < name.len() && end > same && is_start(text.get(end - same - 1))
        })
}

/// Whether a text may put the signs before other names that are before this one: `"_" + name`.
pub fn may_add_sign(text: &[u8], name: &[u8]) -> bool {
    let count = |text: &[u8]| text.iter().take_while(|&&byte| byte == b'_').count();
    let signs = count(name);
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let is_sign = |at: usize| {
        let same = count(&text[at..]);
        let after = text.get(at + same);
        let is_end = after.is_some_and(|byte| is_quote(byte) || matches!(byte, b'{' | b'$' | b'%' | b'#'));
        at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(is_quote) && same <= signs && is_end
    };
    signs > 0 && memchr::memchr_iter(b'_', text).any(is_sign)
}

/// The arguments of a call, from what is after its name; without parentheses, they end with the line.
fn arguments_of(after: &[u8]) -> Vec<&[u8]> {
    /// The longest list of arguments that is read, in bytes.
    const REACH: usize = 2000;
    let text = &after[..after.len().min(REACH)];
    let text = text.trim_ascii_start();
    let (text, has_parentheses) = match text.strip_prefix(b"(") {
        Some(inside) => (inside, true),
        None => (text, false),
    };
    let (mut arguments, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b'\n' if !has_parentheses => break,
            b',' if depth == 0 => {
                arguments.push(&text[start..at]);
                start = at + 1;
            }
            quote @ (b'"' | b'\'' | b'`') => at = end_of_string(text, at, quote),
            _ => {}
        }
        at += 1;
    }
    let last = &text[start..at.min(text.len())];
    if !last.trim_ascii().is_empty() {
        arguments.push(last);
    }
    arguments
}

/// The end of a string that begins at a place; the place itself if it does not end in its line.
fn end_of_string(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    start
}

/// Whether an argument is one string without code in it, or a symbol: `"run"`, `:run`.
fn is_whole_string(argument: &[u8]) -> bool {
    let text = argument.trim_ascii();
    if let Some(word) = text.strip_prefix(b":") {
        return word.iter().all(|byte| is_letter(byte) || matches!(byte, b'?' | b'!' | b'='));
    }
    let text = text.strip_prefix(b"r").or(text.strip_prefix(b"u")).unwrap_or(text);
    let Some(&quote @ (b'"' | b'\'')) = text.first() else { return false };
    let inside = &text[1..text.len().max(2) - 1];
    text.len() > 1
        && text.ends_with(&[quote])
        && inside.iter().all(|byte| is_letter(byte) || matches!(byte, b'.' | b'-' | b' '))
}
