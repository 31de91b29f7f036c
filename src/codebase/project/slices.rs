//! Splits a file at its top-level statements, and classes at their members, by its bytes alone.
//!
//! The lexer uses the language's data under `slices`: comments, quotes, brackets, words that continue the previous
//! statement. The slices join to the whole text. If quotes or brackets do not close, there are none.

use memchr::memchr2;

use super::items::Slice;
use crate::language::Slices;
use crate::text::Span;

/// Splits a text at its top-level statements, and classes at their members; `None` if their places cannot be determined.
pub(super) fn slices(text: &[u8], rule: &Slices) -> Option<Vec<Slice>> {
    let mut lexer = Lexer::new(text, rule);
    let mut slices = Vec::new();
    let mut statement = Statement::at(0);
    // Whether the last statement is a decorator, so that the next line belongs to it.
    let mut attached = true;
    let mut at = 0;
    while at < text.len() {
        if let Some(line) = lexer.statement_at(at) {
            if !lexer.goes_on(line) {
                if !attached {
                    slices.push(statement.ends(at));
                    statement = Statement::at(at);
                }
                attached = lexer.attaches(line);
                statement.members = lexer.contains_members(line).then(Members::default);
            }
        } else if let Some(members) = &mut statement.members
            && let Some((indent, line)) = lexer.inner_statement_at(at)
            && !members.takes(at, indent, line, &lexer)
        {
            statement.members = None;
        }
        at = lexer.line_end(at)?;
    }
    slices.push(statement.ends(text.len()));
    Some(slices)
}

/// A top-level statement that is being read.
struct Statement<'a> {
    start: usize,
    /// Its members, if they can be searched alone.
    members: Option<Members<'a>>,
}

impl<'a> Statement<'a> {
    fn at(start: usize) -> Statement<'a> {
        Statement { start, members: None }
    }

    /// The slice that ends where the next statement begins. The last member is its tail: the class ends with it.
    fn ends(&mut self, end: usize) -> Slice {
        let starts = self.members.take().map(|members| members.starts).unwrap_or_default();
        let [first, .., last] = starts[..] else { return Slice::Items(Span::new(self.start, end)) };
        let members = starts.windows(2).map(|pair| Slice::Items(Span::new(pair[0], pair[1]))).collect();
        Slice::Container { head: Span::new(self.start, first), members, tail: Span::new(last, end) }
    }
}

/// The members of a class that is being read.
#[derive(Default)]
struct Members<'a> {
    indent: Option<&'a [u8]>,
    /// Where those begin that are no documentation.
    starts: Vec<usize>,
    /// Whether the last one is a decorator.
    attached: bool,
}

impl<'a> Members<'a> {
    /// Takes a line below the class; whether it is indented as one of a member.
    fn takes(&mut self, at: usize, indent: &'a [u8], line: &[u8], lexer: &Lexer) -> bool {
        let is_first = self.indent.is_none();
        let own = *self.indent.get_or_insert(indent);
        if indent != own {
            return indent.starts_with(own);
        }
        if lexer.goes_on(line) {
            return true;
        }
        // The documentation belongs to the class.
        let begins = !(self.attached || is_first && lexer.is_string(line));
        if begins {
            self.starts.push(at);
        }
        self.attached = lexer.attaches(line);
        true
    }
}

fn begins_with_word(line: &[u8], word: &str) -> bool {
    let after = line.strip_prefix(word.as_bytes()).map(|rest| rest.first());
    after.is_some_and(|next| next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && byte.is_ascii()))
}

/// What a byte may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Nothing,
    Open,
    Close,
    Quote,
    Comment,
    Escape,
    End,
}

pub(super) struct Lexer<'a> {
    text: &'a [u8],
    rule: &'a Slices,
    classes: [Class; 256],
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8], rule: &'a Slices) -> Lexer<'a> {
        let mut classes = [Class::Nothing; 256];
        let mut mark = |word: &str, class: Class| {
            if let Some(&byte) = word.as_bytes().first() {
                classes[usize::from(byte)] = class;
            }
        };
        mark(&rule.comment, Class::Comment);
        rule.long_quotes.iter().chain(&rule.quotes).for_each(|quote| mark(quote, Class::Quote));
        for pair in &rule.brackets {
            let (open, close) = pair.split_at(pair.len() / 2);
            mark(open, Class::Open);
            mark(close, Class::Close);
        }
        mark("\\", Class::Escape);
        mark("\n", Class::End);
        mark("\r", Class::End);
        Lexer { text, rule, classes }
    }

    /// The text from the line at `at`, if a statement begins in its first column.
    fn statement_at(&self, at: usize) -> Option<&'a [u8]> {
        let line = &self.text[at..];
        let first = *line.first()?;
        let is_blank = matches!(first, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        let is_comment = line.starts_with(self.rule.comment.as_bytes());
        (!is_blank && !is_comment && self.classes[usize::from(first)] != Class::Escape).then_some(line)
    }

    /// Whether a line continues the statement before it.
    fn goes_on(&self, line: &[u8]) -> bool {
        self.rule.continues.iter().any(|word| begins_with_word(line, word))
    }

    /// Whether a line belongs to the next statement.
    fn attaches(&self, line: &[u8]) -> bool {
        self.rule.attaches.iter().any(|sign| line.starts_with(sign.as_bytes()))
    }

    fn contains_members(&self, line: &[u8]) -> bool {
        self.rule.containers.iter().any(|word| begins_with_word(line, word))
    }

    /// Whether a line begins with a string, which may have a prefix of letters.
    fn is_string(&self, line: &[u8]) -> bool {
        let letters = line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        self.rule.quotes.iter().any(|quote| line[letters..].starts_with(quote.as_bytes()))
    }

    /// The indentation of the line at `at`, and the rest of the text, if a statement begins in a later column.
    fn inner_statement_at(&self, at: usize) -> Option<(&'a [u8], &'a [u8])> {
        let line = &self.text[at..];
        let (indent, rest) = line.split_at(line.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?);
        let first = rest[0];
        let is_empty = matches!(first, b'\n' | b'\r') || rest.starts_with(self.rule.comment.as_bytes());
        (!is_empty).then_some((indent, rest))
    }

    /// The start of the line after the logical line that begins at `at`, across brackets, long strings and joined
    /// lines.
    fn line_end(&mut self, mut at: usize) -> Option<usize> {
        let mut depth = 0usize;
        loop {
            let skip = self.text[at..].iter().position(|&byte| self.classes[usize::from(byte)] != Class::Nothing);
            let Some(skip) = skip else {
                return (depth == 0).then_some(self.text.len());
            };
            at += skip;
            match self.classes[usize::from(self.text[at])] {
                Class::Nothing => unreachable!("only other classes are looked for"),
                Class::Open => depth += 1,
                Class::Close => depth = depth.checked_sub(1)?,
                Class::Comment => {
                    at += memchr2(b'\n', b'\r', &self.text[at..]).unwrap_or(self.text.len() - at);
                    continue;
                }
                Class::Quote => {
                    at = self.string_end(at)?;
                    continue;
                }
                // It also escapes the next character, or a line ending of two characters.
                Class::Escape => at += if self.text[at..].starts_with(b"\\\r\n") { 2 } else { 1 },
                Class::End if depth == 0 => return Some(at + 1),
                Class::End => {}
            }
            at += 1;
            if at > self.text.len() {
                return None;
            }
        }
    }

    /// The end of the string that begins at `at`.
    pub(super) fn string_end(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let long = self.rule.long_quotes.iter().find(|quote| rest.starts_with(quote.as_bytes()));
        let quote = long.or_else(|| self.rule.quotes.iter().find(|quote| rest.starts_with(quote.as_bytes())))?;
        let first = *quote.as_bytes().first()?;
        let start = at + quote.len();
        let mut place = start;
        loop {
            let found = memchr::memchr3(first, b'\\', b'\n', self.text.get(place..)?)?;
            place += found;
            match self.text[place] {
                b'\\' => place += if self.text[place..].starts_with(b"\\\r\n") { 3 } else { 2 },
                b'\n' if long.is_none() => return None,
                byte if byte == first && self.text[place..].starts_with(quote.as_bytes()) => break,
                _ => place += 1,
            }
        }
        let inner = &self.text[start..place];
        // A lone CR ends a line, too.
        let is_broken = long.is_none() && has_lone_return(inner);
        let is_cut = self.is_interpolated(at) && !closes_its_code(inner, first);
        (!is_broken && !is_cut).then_some(place + quote.len())
    }

    /// Whether the prefix of a string allows code in it.
    fn is_interpolated(&self, quote: usize) -> bool {
        let letters = self.text[..quote].iter().rev().take(2).take_while(|byte| byte.is_ascii_alphabetic());
        letters.into_iter().any(|letter| self.rule.interpolated.as_bytes().contains(letter))
    }
}

fn has_lone_return(bytes: &[u8]) -> bool {
    let is_alone = |at: usize| bytes.get(at + 1) != Some(&b'\n') && (at == 0 || bytes[at - 1] != b'\\');
    memchr::memchr_iter(b'\r', bytes).any(is_alone)
}

/// Whether the code in a string ends before its quote, so that the quote is the string's own and not that of a string
/// in the code. If unsure, false.
fn closes_its_code(inner: &[u8], quote: u8) -> bool {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(found) = inner.get(at..).and_then(|rest| rest.iter().position(|byte| b"{}'\"".contains(byte))) {
        at += found;
        let byte = inner[at];
        let doubled = depth == 0 && inner.get(at + 1) == Some(&byte);
        match byte {
            b'{' | b'}' if doubled => at += 1,
            b'{' => depth += 1,
            b'}' if depth == 0 => return false,
            b'}' => depth -= 1,
            // Only a string with other quotes ends before the outer one does.
            other if depth > 0 && other != quote => match memchr::memchr(other, &inner[at + 1..]) {
                Some(length) => at += length + 1,
                None => return false,
            },
            _ if depth > 0 => return false,
            _ => {}
        }
        at += 1;
    }
    depth == 0
}
