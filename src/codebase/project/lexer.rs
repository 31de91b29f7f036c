//! Reads code by its bytes, as far as it takes to find brackets: past comments, strings, characters and regexes.
//!
//! What these look like is data of the language (`[items]`). Where the bytes do not decide, for example whether a `/`
//! divides or begins a regex with a bracket in it, the answer is `None`: unsure.

use memchr::{memchr, memchr2, memchr3, memmem};

use crate::language::{Items, StringForm};

/// What a byte may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Open,
    Close,
    Quote,
    Comment,
    /// A `/` or `<` that may begin a regex or markup.
    Operator,
    LineEnd,
    /// What the language does not use.
    Unused,
    /// The sign of annotations that make a block unsure.
    Annotation,
}

/// The bytes of a text, with what its language's comments, strings and brackets look like.
pub(super) struct Lexer<'a> {
    pub text: &'a [u8],
    pub rule: &'a Items,
    classes: [Class; 256],
}

/// A preprocessor's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive {
    If,
    Else,
    End,
    Other,
}

/// What a tag of markup does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Opens,
    Closes,
    Empty,
}

/// Whether a byte belongs to words.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The bracket that closes one.
pub(super) fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8], rule: &'a Items) -> Lexer<'a> {
        let mut classes = [Class::Plain; 256];
        let mut mark = |byte: Option<&u8>, class: Class| {
            if let Some(&byte) = byte {
                classes[usize::from(byte)] = class;
            }
        };
        rule.unused.as_bytes().iter().for_each(|byte| mark(Some(byte), Class::Unused));
        mark(rule.annotations.as_bytes().first(), Class::Annotation);
        if rule.regexes {
            mark(Some(&b'/'), Class::Operator);
        }
        if rule.markup || rule.type_parameters {
            mark(Some(&b'<'), Class::Operator);
        }
        rule.line_comments.iter().for_each(|sign| mark(sign.as_bytes().first(), Class::Comment));
        rule.block_comments.iter().for_each(|pair| mark(pair[0].as_bytes().first(), Class::Comment));
        rule.strings.iter().for_each(|string| mark(string.quote.as_bytes().first(), Class::Quote));
        b"([{".iter().for_each(|byte| mark(Some(byte), Class::Open));
        b")]}".iter().for_each(|byte| mark(Some(byte), Class::Close));
        if !rule.directives.is_empty() {
            mark(Some(&b'\n'), Class::LineEnd);
        }
        Lexer { text, rule, classes }
    }

    fn rest(&self, at: usize) -> &'a [u8] {
        self.text.get(at..).unwrap_or_default()
    }

    /// The offset after the bracket that closes the one at `at`.
    pub fn after_bracket(&self, at: usize) -> Option<usize> {
        let mut open = vec![closing(self.text[at])];
        // For each open `#if`, how many brackets were open.
        let mut levels: Vec<usize> = Vec::new();
        let mut at = at + 1;
        loop {
            at += self.rest(at).iter().position(|&byte| self.classes[usize::from(byte)] != Class::Plain)?;
            let byte = self.text[at];
            match self.classes[usize::from(byte)] {
                Class::Open => {
                    open.push(closing(byte));
                    at += 1;
                }
                Class::Close => {
                    (open.pop()? == byte).then_some(())?;
                    at += 1;
                    if open.is_empty() {
                        return levels.is_empty().then_some(at);
                    }
                }
                Class::LineEnd => {
                    at += 1;
                    let Some((directive, start)) = self.directive(at) else { continue };
                    match directive {
                        Directive::If => levels.push(open.len()),
                        Directive::Else => (levels.last() == Some(&open.len())).then_some(())?,
                        Directive::End => (levels.pop() == Some(open.len())).then_some(())?,
                        Directive::Other => {}
                    }
                    at = self.directive_end(start)?.saturating_sub(1);
                }
                Class::Annotation if open.last() == Some(&b'}') && self.is_annotation_call(at) => return None,
                _ => at = self.past(at)?,
            }
        }
    }

    /// Whether an annotation with arguments begins at `at`. A label is right after a word: `return@label`.
    fn is_annotation_call(&self, at: usize) -> bool {
        let rest = self.rest(at + 1);
        let is_name = |byte: &u8| is_word_byte(*byte) || matches!(byte, b'.' | b':');
        let length = rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        !is_word_byte(self.text[at - 1]) && rest.get(length) == Some(&b'(')
    }

    /// The offset after the comment, string or operator at `at`; one byte further if there is none.
    pub fn past(&self, at: usize) -> Option<usize> {
        match self.classes[usize::from(self.text[at])] {
            Class::Comment | Class::Operator => match self.comment_end(at)? {
                end if end > at => Some(end),
                _ => self.operator_end(at),
            },
            Class::Quote => self.string_end(at),
            Class::Unused => None,
            _ => Some(at + 1),
        }
    }

    /// Whether a string may begin at `at`.
    pub fn is_quote(&self, at: usize) -> bool {
        self.classes[usize::from(self.text[at])] == Class::Quote
    }

    /// The offset after the comment at `at`; `at` itself if there is none.
    pub fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let starts = |sign: &String| rest.starts_with(sign.as_bytes());
        let is_exempt = || self.rule.no_comments.iter().any(starts);
        if let Some(pair) = self.rule.block_comments.iter().find(|pair| starts(&pair[0])) {
            return self.block_comment_end(at, pair[0].as_bytes(), pair[1].as_bytes());
        }
        if self.rule.line_comments.iter().any(starts) && !is_exempt() {
            // A backslash continues the comment of a language with a preprocessor.
            let mut end = at;
            loop {
                end += memchr2(b'\n', b'\r', self.rest(end)).unwrap_or(self.text.len() - end);
                let goes_on = !self.rule.directives.is_empty() && self.text[..end].ends_with(b"\\");
                if !goes_on || end >= self.text.len() {
                    return Some(end);
                }
                end += 1;
            }
        }
        Some(at)
    }

    fn block_comment_end(&self, at: usize, open: &[u8], close: &[u8]) -> Option<usize> {
        let mut place = at + open.len();
        if !self.rule.nested_comments {
            return memmem::find(self.rest(place), close).map(|found| place + found + close.len());
        }
        let mut depth = 1;
        while depth > 0 {
            place += memchr2(open[0], close[0], self.rest(place))?;
            let rest = self.rest(place);
            if rest.starts_with(close) {
                depth -= 1;
                place += close.len();
            } else if rest.starts_with(open) {
                depth += 1;
                place += open.len();
            } else {
                place += 1;
            }
        }
        Some(place)
    }

    /// The offset after the operator or regex at `at`.
    fn operator_end(&self, at: usize) -> Option<usize> {
        if self.classes[usize::from(self.text[at])] != Class::Operator {
            return Some(at + 1);
        }
        if self.text[at] == b'<' && self.rule.type_parameters {
            return (!self.begins_line_after_operand(at)).then_some(at + 1);
        }
        let follows = self.follows_operand(at);
        if self.text[at] == b'<' {
            let next = self.text.get(at + 1).copied().unwrap_or(b' ');
            let is_tag = next.is_ascii_alphabetic() || next == b'>';
            return match follows {
                _ if !is_tag => Some(at + 1),
                Some(true) => Some(at + 1),
                Some(false) => self.markup_end(at),
                None => None,
            };
        }
        match follows {
            Some(true) => Some(at + 1),
            Some(false) => self.regex_end(at),
            // Either way the bytes that matter are the same.
            None => match self.regex_end(at) {
                Some(end) => {
                    let inner = &self.text[at + 1..end - 1];
                    inner.iter().all(|&byte| self.classes[usize::from(byte)] == Class::Plain).then_some(end)
                }
                None => Some(at + 1),
            },
        }
    }

    /// The offset after the element of markup that begins at `at`. Its text may have quotes, its code is in brackets.
    fn markup_end(&self, mut at: usize) -> Option<usize> {
        let mut depth = 0usize;
        loop {
            let (end, change) = self.tag_end(at)?;
            match change {
                Tag::Opens => depth += 1,
                Tag::Closes => depth = depth.checked_sub(1)?,
                Tag::Empty => {}
            }
            at = end;
            if depth == 0 {
                return Some(at);
            }
            loop {
                at += self.rest(at).iter().position(|byte| b"<{}>".contains(byte))?;
                match self.text[at] {
                    b'{' => at = self.after_bracket(at)?,
                    b'<' => break,
                    _ => return None,
                }
            }
        }
    }

    /// The offset after the tag at `at`, and what it does. `None` for type parameters: `<T, U>`, `<T extends U>`.
    fn tag_end(&self, at: usize) -> Option<(usize, Tag)> {
        let closes = self.text.get(at + 1) == Some(&b'/');
        let mut at = at + 1 + usize::from(closes);
        loop {
            let byte = *self.text.get(at)?;
            match byte {
                b'>' if closes => return Some((at + 1, Tag::Closes)),
                b'>' => return Some((at + 1, Tag::Opens)),
                b'/' if self.text.get(at + 1) == Some(&b'>') => return Some((at + 2, Tag::Empty)),
                b'{' => at = self.after_bracket(at)?,
                b'"' | b'\'' => at += memchr(byte, self.rest(at + 1))? + 2,
                b'-' | b':' | b'.' | b'=' | b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                _ if is_word_byte(byte) => {
                    let rest = self.rest(at);
                    let length = rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len());
                    (!self.rule.bounds.iter().any(|bound| bound.as_bytes() == &rest[..length])).then_some(())?;
                    at += length;
                }
                _ => return None,
            }
        }
    }

    /// Whether an operand ends on a line before the one that begins at `at`.
    fn begins_line_after_operand(&self, at: usize) -> bool {
        let before = self.text[..at].trim_ascii_end();
        let is_line = memchr(b'\n', &self.text[before.len()..at]).is_some();
        is_line && before.last().is_some_and(|&last| is_word_byte(last) || b">)]}\"'`/".contains(&last))
    }

    /// Whether an operand ends before `at`, so that an operator follows; `None` if unsure.
    fn follows_operand(&self, at: usize) -> Option<bool> {
        let before = self.text[..at].trim_ascii_end();
        let last = *before.last()?;
        if before.ends_with(b"*/") {
            return None;
        }
        match last {
            // A closing bracket may end a condition or a block, or an operand.
            b')' | b'}' => None,
            b']' | b'"' | b'\'' | b'`' => Some(true),
            b'+' | b'-' if before.len() > 1 && before[before.len() - 2] == last => None,
            _ if is_word_byte(last) => {
                let start = before.iter().rposition(|&byte| !is_word_byte(byte)).map_or(0, |place| place + 1);
                let word = &before[start..];
                let is_member = start > 0 && before[start - 1] == b'.';
                Some(is_member || !self.rule.operators.iter().any(|known| known.as_bytes() == word))
            }
            _ => Some(false),
        }
    }

    /// The offset after the regex at `at` and its flags.
    fn regex_end(&self, at: usize) -> Option<usize> {
        let mut place = at + 1;
        let mut in_class = false;
        loop {
            match *self.text.get(place)? {
                b'\n' | b'\r' => return None,
                b'\\' => place += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return Some(place + 1),
                _ => {}
            }
            place += 1;
        }
    }

    /// The offset after the string or character at `at`, or after its quote if it begins none.
    fn string_end(&self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let found = self.rule.strings.iter().find(|string| {
            rest.starts_with(string.quote.as_bytes())
                && (string.with.is_empty() || self.prefix(at, string).contains(&string.with.as_bytes()[0]))
        });
        let Some(string) = found else { return Some(at + 1) };
        let start = at + string.quote.len();
        if string.character {
            return self.character_end(at, string);
        }
        if string.hashes {
            let hashes = self.text[..at].iter().rev().take_while(|&&byte| byte == b'#').count();
            let close = [string.quote.as_bytes(), &vec![b'#'; hashes][..]].concat();
            return memmem::find(self.rest(start), &close).map(|found| start + found + close.len());
        }
        if string.delimiter {
            let length = memchr(b'(', self.rest(start)).filter(|&length| length <= 16)?;
            let close = [b")", &self.text[start..start + length], string.quote.as_bytes()].concat();
            return memmem::find(self.rest(start), &close).map(|found| start + found + close.len());
        }
        self.plain_string_end(at, start, string)
    }

    /// The bytes before a quote that belong to its string.
    fn prefix(&self, at: usize, string: &StringForm) -> &'a [u8] {
        let allowed = string.prefix.as_bytes();
        let length = self.text[..at].iter().rev().take_while(|byte| allowed.contains(byte)).count();
        let start = at - length;
        // A prefix is a word of its own.
        let is_part =
            start > 0 && is_word_byte(self.text[start - 1]) && is_word_byte(*self.text.get(start).unwrap_or(&b' '));
        if is_part { &[] } else { &self.text[start..at] }
    }

    fn plain_string_end(&self, at: usize, start: usize, string: &StringForm) -> Option<usize> {
        let quote = string.quote.as_bytes();
        let code = string.code.as_bytes();
        let has_code = !code.is_empty()
            && (string.code_with.is_empty() || self.prefix(at, string).contains(&string.code_with.as_bytes()[0]));
        let mut place = start;
        loop {
            let rest = self.rest(place);
            place += if has_code {
                rest.iter().position(|&byte| byte == quote[0] || byte == b'\\' || byte == b'\n' || byte == code[0])?
            } else {
                memchr3(quote[0], b'\\', b'\n', rest)?
            };
            let rest = self.rest(place);
            if has_code && rest.starts_with(code) {
                let bracket = place + code.len() - 1;
                // A doubled bracket is a literal one.
                if code.len() == 1 && self.text.get(bracket + 1) == Some(&code[0]) {
                    place += 2;
                    continue;
                }
                let open = if is_bracket(self.text[bracket]) { bracket } else { place };
                place = self.after_bracket(open)?;
                continue;
            }
            match rest[0] {
                b'\\' if string.escapes => place += 2,
                b'\n' if !string.lines => return None,
                byte if byte == quote[0] && rest.starts_with(quote) => {
                    if string.doubled && rest[quote.len()..].starts_with(quote) {
                        place += 2 * quote.len();
                        continue;
                    }
                    // More quotes than three belong to the content.
                    let more =
                        rest[quote.len()..].iter().take_while(|&&byte| byte == quote[0] && quote.len() > 1).count();
                    return Some(place + quote.len() + more);
                }
                _ => place += 1,
            }
        }
    }

    /// The offset after a character, or after a quote that begins none: of a lifetime, or between digits. `None` if
    /// there is no such thing in the language.
    fn character_end(&self, at: usize, string: &StringForm) -> Option<usize> {
        let rest = self.rest(at + 1);
        let length = match rest.first() {
            Some(b'\\') => memchr(b'\'', rest.get(2..).unwrap_or_default()).map(|found| found + 2),
            Some(&byte) => {
                let width = match byte {
                    0xf0.. => 4,
                    0xe0.. => 3,
                    0xc0.. => 2,
                    _ => 1,
                };
                (rest.get(width) == Some(&b'\'')).then_some(width)
            }
            None => None,
        };
        match length {
            Some(length) => Some(at + 1 + length + 1),
            None if string.labels => rest.first().is_some_and(|&byte| is_word_byte(byte)).then_some(at + 1),
            None if string.separates => {
                let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
                (is_digit(rest.first()) && is_digit(self.text[..at].last())).then_some(at + 1)
            }
            None => None,
        }
    }

    /// The preprocessor's line that begins on the line at `at`, and the offset of its sign.
    pub fn directive(&self, at: usize) -> Option<(Directive, usize)> {
        let sign = self.rule.directives.first()?.as_bytes();
        let start = at + self.rest(at).iter().position(|&byte| byte != b' ' && byte != b'\t')?;
        let rest = self.rest(start).strip_prefix(sign)?.trim_ascii_start();
        let word = &rest[..rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len())];
        let is_in = |words: &[String]| words.iter().any(|known| known.as_bytes() == word);
        let conditionals = &self.rule.conditionals;
        let directive = if is_in(&conditionals.begin) {
            Directive::If
        } else if is_in(&conditionals.next) {
            Directive::Else
        } else if is_in(&conditionals.end) {
            Directive::End
        } else if is_in(&self.rule.directives[1..]) {
            Directive::Other
        } else {
            return None;
        };
        Some((directive, start))
    }

    /// The offset after the line of a directive: the next line, past continued lines and comments that begin in it.
    pub fn directive_end(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            let Some(found) = memchr3(b'\n', b'\\', b'/', self.rest(at)) else { return Some(self.text.len()) };
            at += found;
            match self.text[at] {
                b'\n' => return Some(at + 1),
                b'\\' if self.rest(at).starts_with(b"\\\r\n") => at += 3,
                b'\\' => at += 2,
                _ => match self.comment_end(at)? {
                    end if end > at => at = end,
                    _ => at += 1,
                },
            }
        }
    }
}

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b'{')
}
