//! Splits a file at its statements, and at those of classes, in a language whose blocks end with a word: Ruby.
//!
//! The bytes are read token by token. Brackets, and words such as `def` and `do` with their `end`, are kept on a stack;
//! an `end` that begins a line must be in the column of what it closes. If a bracket, a string or a block does not
//! close, or an `end` is elsewhere, the file is unsure. Statements end at a line end; two of them may be one slice.

use memchr::memmem;

use super::items::Slice;
use crate::language::Blocks;
use crate::text::Span;

/// How deep strings and the code in them may be nested.
const DEEPEST: usize = 50;

/// The slices of a text, which join to the whole of it; `None` if unsure.
pub(super) fn blocks(text: &[u8], rule: &Blocks) -> Option<Vec<Slice>> {
    let mut reader = Reader {
        text,
        rule,
        at: 0,
        last: Last::Start,
        open: Vec::new(),
        containers: vec![Container { head: None, slices: Vec::new(), start: 0, depth: 0 }],
        item: Item::default(),
        line: Line { start: 0, indent: 0, is_fresh: true },
        heredocs: Vec::new(),
    };
    reader.read()?;
    reader.end_item(text.len());
    let top = reader.containers.pop()?;
    let mut slices = top.slices;
    if top.start < text.len() {
        slices.push(Slice::Items(Span::new(top.start, text.len())));
    }
    (reader.containers.is_empty() && reader.open.is_empty()).then_some(slices)
}

/// The last token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The start of a line or statement.
    Start,
    Operand,
    /// A name, which an argument may follow.
    Name,
    /// A sign or word after which an operand comes.
    Operator,
    /// The `.` of a call.
    Dot,
}

/// An open bracket or block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Bracket(u8),
    Block { line: usize, line_indent: usize, place: usize, is_container: bool },
}

/// The current line.
#[derive(Debug, Clone, Copy)]
struct Line {
    start: usize,
    indent: usize,
    /// Whether it has had no token.
    is_fresh: bool,
}

/// The current statement of the innermost container.
#[derive(Debug, Default)]
struct Item {
    is_begun: bool,
    /// Its head and members, if it is a container that has been closed.
    inside: Option<(Span, Vec<Slice>)>,
    /// Whether the current line begins a `while`, whose `do` opens nothing.
    in_loop: bool,
}

/// A class whose members are being read, or the file.
struct Container {
    /// Where its first line begins and ends; none for the file.
    head: Option<(usize, usize)>,
    slices: Vec<Slice>,
    /// The start of the current slice.
    start: usize,
    /// How many brackets and blocks are open in its body.
    depth: usize,
}

struct Reader<'a> {
    text: &'a [u8],
    rule: &'a Blocks,
    at: usize,
    last: Last,
    open: Vec<Open>,
    containers: Vec<Container>,
    item: Item,
    line: Line,
    /// The ends of the heredocs that begin after this line.
    heredocs: Vec<&'a [u8]>,
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn contains(words: &[String], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}

impl<'a> Reader<'a> {
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(b'\n')
    }

    fn word_at(&self, at: usize) -> &'a [u8] {
        let rest = self.text.get(at..).unwrap_or_default();
        &rest[..rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len())]
    }

    /// Whether the current token is outside the brackets and blocks of the innermost container.
    fn is_outside(&self) -> bool {
        self.containers.last().is_some_and(|container| container.depth == self.open.len())
    }

    /// Ends the current statement, if one has begun; `end` is a line's start.
    fn end_item(&mut self, end: usize) {
        let item = std::mem::take(&mut self.item);
        let Some(container) = self.containers.last_mut().filter(|_| item.is_begun) else { return };
        container.slices.push(match item.inside {
            Some((head, members)) => {
                let from = members.last().map_or(head.end(), |last| last.span().end());
                Slice::Container { head, members, tail: Span::new(from, end) }
            }
            None => Slice::Items(Span::new(container.start, end)),
        });
        container.start = end;
    }

    fn read(&mut self) -> Option<()> {
        while let Some(&byte) = self.text.get(self.at) {
            if self.line.is_fresh && self.at == self.line.start {
                // The ends of long comments and of the code are in the first column.
                let rest = &self.text[self.at..];
                if rest.starts_with(self.rule.stop.as_bytes()) {
                    return None;
                }
                if rest.starts_with(self.rule.long_comment[0].as_bytes()) {
                    let close = ["\n", &self.rule.long_comment[1]].concat();
                    self.at += memmem::find(rest, close.as_bytes())? + 1;
                    self.at += memchr::memchr(b'\n', &self.text[self.at..])? + 1;
                    self.line = Line { start: self.at, indent: 0, is_fresh: true };
                    continue;
                }
            }
            match byte {
                b'\n' => self.end_line()?,
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\\' if matches!(self.byte(self.at + 1), b'\n' | b'\r') => {
                    self.last = Last::Operator;
                    self.at += 1;
                }
                _ if self.rule.comment.as_bytes().contains(&byte) => {
                    let rest = &self.text[self.at..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                _ => {
                    self.begin_token();
                    self.token()?;
                }
            }
        }
        self.heredocs.is_empty().then_some(())
    }

    /// Reads a line end and the heredocs after it.
    fn end_line(&mut self) -> Option<()> {
        self.at += 1;
        for close in std::mem::take(&mut self.heredocs) {
            loop {
                let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
                let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
                self.at += length;
                if rest[..length].trim_ascii() == close {
                    break;
                }
            }
        }
        let goes_on = self.last == Last::Operator || self.last == Last::Dot;
        self.item.in_loop &= goes_on;
        if !goes_on && self.last != Last::Start && self.is_outside() {
            let next = self.next_token();
            let continues =
                matches!(self.byte(next), b'.' | b'&' | b'|') || contains(&self.rule.middles, self.word_at(next));
            let at = self.at;
            let begins_members = self.containers.last_mut().is_some_and(|container| match &mut container.head {
                Some((_, end)) if *end == 0 => {
                    *end = at;
                    container.start = at;
                    true
                }
                _ => false,
            });
            if begins_members {
                self.item = Item::default();
            } else if !continues {
                self.end_item(at);
            }
        }
        if !goes_on {
            self.last = Last::Start;
        }
        self.line = Line { start: self.at, indent: 0, is_fresh: true };
        Some(())
    }

    /// The offset of the next token, past blanks and comments on lines of their own.
    fn next_token(&self) -> usize {
        let mut at = self.at;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            at += rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
            if !self.text.get(at).is_some_and(|byte| self.rule.comment.as_bytes().contains(byte)) {
                return at;
            }
            let rest = &self.text[at..];
            at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
    }

    fn begin_token(&mut self) {
        if self.line.is_fresh {
            self.line.is_fresh = false;
            self.line.indent = self.at - self.line.start;
        }
    }

    fn push_block(&mut self, at: usize, is_container: bool) {
        let (line, line_indent) = (self.line.start, self.line.indent);
        self.open.push(Open::Block { line, line_indent, place: at - line, is_container });
        if is_container {
            let start = self.containers.last().map_or(0, |container| container.start);
            let depth = self.open.len();
            self.containers.push(Container { head: Some((start, 0)), slices: Vec::new(), start: 0, depth });
            self.item = Item { is_begun: true, ..Item::default() };
        }
        self.last = Last::Operator;
    }

    /// Closes a block at the word `end` at an offset.
    fn close_block(&mut self, at: usize) -> Option<()> {
        let Some(Open::Block { line, line_indent, place, is_container }) = self.open.last().copied() else {
            return None;
        };
        let own = at - self.line.start;
        let begins_line = own == self.line.indent;
        (line == self.line.start || begins_line && (own == line_indent || own == place)).then_some(())?;
        if is_container {
            let is_plain = self.containers.last()?.head?.1 == 0;
            let from = self.line.start;
            if !is_plain {
                self.end_item(from);
            }
            let container = self.containers.pop()?;
            let (start, end) = container.head?;
            let inside = (!is_plain).then(|| (Span::new(start, end), container.slices));
            self.item = Item { is_begun: true, inside, in_loop: false };
        }
        self.open.pop();
        self.last = Last::Operand;
        Some(())
    }

    fn token(&mut self) -> Option<()> {
        let at = self.at;
        let byte = self.text[at];
        let is_start = self.last == Last::Start;
        let spaced = at > 0 && self.text[at - 1].is_ascii_whitespace();
        let next = self.byte(at + 1);
        // What may only begin an operand here.
        let wants = match self.last {
            Last::Start | Last::Operator => true,
            Last::Name => spaced && !next.is_ascii_whitespace() && next != b'=',
            Last::Operand | Last::Dot => false,
        };
        let word = self.word_at(at);
        if !word.is_empty() {
            return self.word(word, is_start);
        }
        self.item.is_begun = true;
        match byte {
            b'"' | b'\'' | b'`' => {
                if self.last == Last::Dot {
                    return None;
                }
                self.at = self.string_end(at + 1, byte, byte, byte != b'\'', 0)?;
                // The key of a hash.
                if self.byte(self.at) == b':' && self.byte(self.at + 1) != b':' {
                    self.at += 1;
                    self.last = Last::Operator;
                } else {
                    self.last = Last::Operand;
                }
            }
            b'@' | b'$' => {
                let length = self.text[at..].iter().take_while(|&&byte| byte == b'@' || byte == b'$').count();
                let name = self.word_at(at + length);
                self.at = at + length + name.len().max(usize::from(byte == b'$'));
                self.last = Last::Operand;
            }
            b':' if next == b'"' || next == b'\'' => {
                self.at = self.string_end(at + 2, next, next, next == b'"', 0)?;
                self.last = Last::Operand;
            }
            b':' if next == b':' => {
                self.at = at + 2;
                self.last = Last::Dot;
            }
            b':' if is_word_byte(next) || next == b'@' || next == b'$' => {
                let start = at + 1 + self.text[at + 1..].iter().take_while(|byte| b"@$".contains(byte)).count();
                let end = start + self.word_at(start).len();
                let suffix = matches!(self.byte(end), b'?' | b'!' | b'=') && !b"=~>".contains(&self.byte(end + 1));
                self.at = end + usize::from(suffix);
                self.last = Last::Operand;
            }
            b':' if wants && b"+-*/%<>=!~^&|[".contains(&next) => {
                let length = self.text[at + 1..].iter().take_while(|byte| b"+-*/%<>=!~^&|[]@".contains(byte)).count();
                self.at = at + 1 + length;
                self.last = Last::Operand;
            }
            b'(' | b'[' | b'{' => {
                self.open.push(Open::Bracket(closing(byte)));
                self.at += 1;
                self.last = Last::Operator;
            }
            b')' | b']' | b'}' => {
                (self.open.pop()? == Open::Bracket(byte)).then_some(())?;
                self.at += 1;
                self.last = Last::Operand;
            }
            b'/' if wants => {
                let end = self.string_end(at + 1, b'/', b'/', true, 0)?;
                // After a name it may also divide.
                (self.last != Last::Name || !self.text[at..end].contains(&b'\n')).then_some(())?;
                self.at = end + self.word_at(end).len();
                self.last = Last::Operand;
            }
            b'%' if wants => {
                let letter = usize::from(next.is_ascii_alphabetic());
                let open = self.byte(at + 1 + letter);
                (open.is_ascii_punctuation() && open != b'=').then_some(())?;
                let has_code = !matches!(next, b'w' | b'i' | b'q' | b's');
                self.at = self.string_end(at + 2 + letter, open, closing(open), has_code, 0)?;
                self.at += self.word_at(self.at).len();
                self.last = Last::Operand;
            }
            b'?' if wants && !next.is_ascii_whitespace() => {
                (next != b'\\' && !is_word_byte(self.byte(at + 2))).then_some(())?;
                self.at = at + 2;
                self.last = Last::Operand;
            }
            b'<' if next == b'<' && wants && self.begins_heredoc(at) => {
                let dash = usize::from(matches!(self.byte(at + 2), b'~' | b'-'));
                let quote = self.byte(at + 2 + dash);
                let quoted = usize::from(matches!(quote, b'"' | b'\'' | b'`'));
                let start = at + 2 + dash + quoted;
                let close = self.word_at(start);
                let end = start + close.len();
                (quoted == 0 || self.byte(end) == quote).then_some(())?;
                self.heredocs.push(close);
                self.at = end + quoted;
                self.last = Last::Operand;
            }
            b';' => {
                self.at += 1;
                self.last = Last::Start;
                self.item.in_loop = false;
            }
            b'.' if next == b'.' => {
                self.at += 2;
                self.last = Last::Operator;
            }
            b'.' => {
                self.at += 1;
                self.last = Last::Dot;
            }
            b'&' if next == b'.' => {
                self.at += 2;
                self.last = Last::Dot;
            }
            b'\\' | 0..=8 => return None,
            _ => {
                // The name of an operator.
                (self.last != Last::Dot).then_some(())?;
                self.at += 1;
                self.last = Last::Operator;
            }
        }
        Some(())
    }

    fn begins_heredoc(&self, at: usize) -> bool {
        let dash = usize::from(matches!(self.byte(at + 2), b'~' | b'-'));
        let first = self.byte(at + 2 + dash);
        matches!(first, b'"' | b'\'' | b'`') || first.is_ascii_uppercase() || first == b'_' && dash == 1
    }

    fn word(&mut self, word: &'a [u8], is_start: bool) -> Option<()> {
        let at = self.at;
        let end = at + word.len();
        let next = self.byte(end);
        let has_suffix = matches!(next, b'?' | b'!') && self.byte(end + 1) != b'=';
        let is_key = (next == b':' || has_suffix && self.byte(end + 1) == b':')
            && self.byte(end + 1 + usize::from(has_suffix)) != b':'
            && self.last != Last::Dot;
        let was_outside = self.is_outside();
        let after_dot = self.last == Last::Dot;
        let after_operand = matches!(self.last, Last::Operand | Last::Name);
        self.at = end + usize::from(has_suffix);
        if is_key {
            self.item.is_begun = true;
            // A `:` after an operand may also belong to a `?`.
            self.last = Last::Operator;
            self.at += 1;
            return Some(());
        }
        if after_dot || has_suffix || word[0].is_ascii_digit() {
            self.item.is_begun = true;
            self.last = if word[0].is_ascii_digit() { Last::Operand } else { Last::Name };
            return Some(());
        }
        if word == self.rule.close.as_bytes() {
            return self.close_block(at);
        }
        if contains(&self.rule.containers, word) && is_start && was_outside {
            self.push_block(at, true);
            return Some(());
        }
        self.item.is_begun = true;
        if word == self.rule.define.as_bytes() {
            return self.definition(at);
        }
        let is_loop = contains(&self.rule.loops, word);
        if contains(&self.rule.conditions, word) {
            if !after_operand {
                self.push_block(at, false);
                self.item.in_loop |= is_loop;
            }
        } else if contains(&self.rule.openers, word) {
            if word == self.rule.loop_word.as_bytes() && self.item.in_loop {
                self.item.in_loop = false;
            } else {
                self.push_block(at, false);
                self.item.in_loop |= is_loop;
            }
        } else if contains(&self.rule.leaves, word) {
            // A condition after it belongs to it.
            self.last = Last::Name;
            return Some(());
        } else if !contains(&self.rule.operators, word) && !contains(&self.rule.middles, word) {
            self.last = Last::Name;
            return Some(());
        }
        let starts_statement = contains(&self.rule.middles, word) || contains(&self.rule.openers, word);
        self.last = if starts_statement { Last::Start } else { Last::Operator };
        Some(())
    }

    /// Reads the name after a `def`, which may be any word or sign.
    fn definition(&mut self, at: usize) -> Option<()> {
        let mut end = self.at;
        while matches!(self.byte(end), b' ' | b'\t') {
            end += 1;
        }
        loop {
            let word = self.word_at(end);
            end += word.len();
            if word.is_empty() || self.byte(end) != b'.' {
                break;
            }
            end += 1;
        }
        let is_name = is_word_byte(self.byte(end.saturating_sub(1)));
        if is_name {
            let sign = self.byte(end);
            let is_setter = sign == b'=' && matches!(self.byte(end + 1), b'(' | b' ') && self.byte(end + 1) != b'=';
            end += usize::from(matches!(sign, b'?' | b'!') || is_setter);
        } else {
            end += self.text[end..].iter().take_while(|byte| b"+-*/%<>=!~^&|[]@`".contains(byte)).count();
        }
        self.at = end;
        // Without an `end`: `def a = 1`, `def a() = 1`.
        let mut after = end;
        if self.byte(after) == b'(' {
            let mut depth = 0;
            loop {
                match *self.text.get(after)? {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    b'"' | b'\'' => {
                        after = self.string_end(after + 1, self.byte(after), self.byte(after), true, 0)? - 1
                    }
                    _ => {}
                }
                after += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        while matches!(self.byte(after), b' ' | b'\t') {
            after += 1;
        }
        if self.byte(after) == b'=' {
            self.last = Last::Operand;
        } else {
            self.push_block(at, false);
            self.last = Last::Operand;
        }
        Some(())
    }

    /// The offset after a string whose content begins at `at`.
    fn string_end(&self, at: usize, open: u8, close: u8, has_code: bool, nested: usize) -> Option<usize> {
        (nested < DEEPEST).then_some(())?;
        let (mut depth, mut place) = (1, at);
        loop {
            let byte = *self.text.get(place)?;
            place += 1;
            match byte {
                b'\\' => place += 1,
                b'#' if has_code && self.byte(place) == b'{' => place = self.code_end(place + 1, nested)?,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(place);
                    }
                }
                _ if byte == open => depth += 1,
                _ => {}
            }
        }
    }

    /// The offset after the `}` of code in a string.
    fn code_end(&self, at: usize, nested: usize) -> Option<usize> {
        let (mut depth, mut place) = (1, at);
        loop {
            let byte = *self.text.get(place)?;
            place += 1;
            match byte {
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(place);
                    }
                }
                b'"' | b'\'' | b'`' => place = self.string_end(place, byte, byte, byte != b'\'', nested + 1)?,
                // A comment, a regex or a character may hide a bracket.
                b'?' if b"{}\"'".contains(&self.byte(place)) => return None,
                b'/' | b'%' if b"{}\"'[(".contains(&self.byte(place)) => return None,
                b'\n' | b'#' => return None,
                _ => {}
            }
        }
    }
}
