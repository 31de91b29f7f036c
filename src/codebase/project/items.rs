//! Splits a file at its top-level items, and at the members of classes, by its bytes alone.
//!
//! An item ends after a `;`, after a block, or where a line begins with a word that only begins items. It always ends
//! at the end of a line; comments on that line belong to it, those above the next item to the next. If it is not clear
//! whether an item ends, it goes on. So a slice holds one item or more, never a part of one, unless the text has
//! constructs that the language's data does not describe. For that case, whoever parses slices checks where they were
//! joined.

use tracing::debug;

use super::lexer::{Directive, Lexer, is_word_byte};
use crate::language::Items;
use crate::text::Span;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slice {
    /// Whole items.
    Items(Span),
    /// A part without which its neighbours mean something else: `#else`, `<?php`.
    Fixed(Span),
    /// A class, a namespace or an `#if`: the part up to its members, the members, and the rest.
    Container { head: Span, members: Vec<Slice>, tail: Span },
}

impl Slice {
    /// All its bytes.
    pub(super) fn span(&self) -> Span {
        match self {
            Slice::Items(span) | Slice::Fixed(span) => *span,
            Slice::Container { head, tail, .. } => head.join(*tail),
        }
    }
}

/// The slices of a text, which join to the whole of it; `None` if unsure.
pub(super) fn items(text: &[u8], rule: &Items) -> Option<Vec<Slice>> {
    let start = &text[..text.len().min(START)];
    let is_dialect = |mark: &String| memchr::memmem::find(start, mark.as_bytes()).is_some();
    (!rule.dialects.iter().any(is_dialect)).then_some(())?;
    let mut splitter = Splitter { lexer: Lexer::new(text, rule), text, rule, depth: 0, at: 0 };
    let mut start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut slices = Vec::new();
    if !rule.prologue.is_empty() {
        text[start..].starts_with(rule.prologue.as_bytes()).then_some(())?;
        let leaves = memchr::memmem::find(text, rule.epilogue.as_bytes());
        (rule.epilogue.is_empty() || leaves.is_none()).then_some(())?;
        start += rule.prologue.len();
        slices.push(Slice::Fixed(Span::new(0, start)));
    } else if text[start..].starts_with(b"#!") && !text[start..].starts_with(b"#![") {
        start += memchr::memchr(b'\n', &text[start..])? + 1;
        slices.push(Slice::Fixed(Span::new(0, start)));
    } else if start > 0 {
        slices.push(Slice::Fixed(Span::new(0, start)));
    }
    let Some((rest, end)) = splitter.members(start, None) else {
        debug!(
            line = text[..splitter.at].iter().filter(|&&byte| byte == b'\n').count() + 1,
            "unsure where an item ends"
        );
        return None;
    };
    slices.extend(rest);
    if end.start < text.len() {
        slices.push(Slice::Items(Span::new(end.start, text.len())));
    }
    (end.stop == Stop::Text).then_some(slices)
}

/// Where the mark of a dialect is looked for.
const START: usize = 1024;

/// How deep containers may be nested.
const DEEPEST: usize = 50;

struct Splitter<'a> {
    lexer: Lexer<'a>,
    text: &'a [u8],
    rule: &'a Items,
    depth: usize,
    /// Where it is, for the report of where it was unsure.
    at: usize,
}

/// What ends the members of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The end of the text.
    Text,
    /// A closing bracket.
    Bracket,
    /// `#else` or `#elif`.
    Else,
    /// `#endif`.
    EndIf,
}

/// The end of members.
struct End {
    stop: Stop,
    /// The start of what belongs to no member: the comments before the end.
    start: usize,
    /// The offset of the bracket or directive.
    at: usize,
}

/// The last token of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Word(usize, usize),
    /// A string, a closing bracket, a number.
    Operand,
    /// A block in curly brackets.
    Block,
    Sign(u8),
}

/// The item that is being read.
struct Item {
    start: usize,
    last: Last,
    /// Whether the last bracket was a round one.
    after_round: bool,
    /// Whether it has round brackets outside others.
    has_round: bool,
    /// Its first word that is not a modifier, or a word of a container.
    core: Option<(usize, usize)>,
    /// Whether it has a `=`.
    assigns: bool,
    /// Whether it has a word that makes a `;` necessary.
    needs_end: bool,
    /// Whether it is one word so far, and the word is a label: `public`.
    is_label: bool,
    /// Its head and members, if it is a container.
    inside: Option<(Span, Vec<Slice>)>,
    /// Whether its last lines may be annotations of what comes next.
    is_annotated: bool,
    /// The first line end after the last token.
    line_end: Option<usize>,
}

impl Item {
    fn new(start: usize) -> Item {
        Item {
            start,
            last: Last::Nothing,
            after_round: false,
            has_round: false,
            core: None,
            assigns: false,
            needs_end: false,
            is_label: false,
            inside: None,
            is_annotated: false,
            line_end: None,
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c')
}

fn contains(words: &[String], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

impl<'a> Splitter<'a> {
    fn word(&self, span: (usize, usize)) -> &'a [u8] {
        &self.text[span.0..span.1]
    }

    /// The bytes of a line before `at`, if they are blank.
    fn column(&self, at: usize) -> Option<usize> {
        let line = memchr::memrchr2(b'\n', b'\r', &self.text[..at]).map_or(0, |end| end + 1);
        let line = if line == 0 && self.text.starts_with(b"\xef\xbb\xbf") { 3.min(at) } else { line };
        self.text[line..at].iter().all(|&byte| is_blank(byte)).then_some(at - line)
    }

    /// The offset after a directive and the blank lines below it, which some grammars take for the end of its line.
    fn after_directive(&self, sign: usize) -> Option<usize> {
        let end = self.lexer.directive_end(sign)?;
        let is_filled = |&byte: &u8| !is_blank(byte) && byte != b'\n';
        let filled = self.text[end..].iter().position(is_filled).map_or(self.text.len(), |found| end + found);
        Some(memchr::memrchr(b'\n', &self.text[end..filled]).map_or(end, |found| end + found + 1))
    }

    /// The slices from `at` up to a closing bracket, a directive that ends a part, or the end of the text.
    fn members(&mut self, at: usize, closes: Option<u8>) -> Option<(Vec<Slice>, End)> {
        self.depth += 1;
        (self.depth <= DEEPEST).then_some(())?;
        let found = self.read_members(at, closes);
        self.depth -= 1;
        found
    }

    fn read_members(&mut self, from: usize, closes: Option<u8>) -> Option<(Vec<Slice>, End)> {
        let mut slices = Vec::new();
        let mut item = Item::new(from);
        let mut column = None;
        let mut at = from;
        // Whether a line has just begun.
        let mut is_fresh = from == 0 || matches!(self.text[from - 1], b'\n' | b'\r' | 0xbf);
        loop {
            self.at = at;
            let Some(&byte) = self.text.get(at) else {
                let start = if item.last == Last::Nothing { item.start } else { self.push(&mut slices, item, at) };
                return Some((slices, End { stop: Stop::Text, start, at }));
            };
            if byte == b'\n' {
                item.line_end.get_or_insert(at + 1);
                is_fresh = true;
                at += 1;
                continue;
            }
            if is_blank(byte) {
                at += 1;
                continue;
            }
            if is_fresh && let Some((directive, sign)) = self.lexer.directive(at) {
                let end = self.after_directive(sign)?;
                let is_pending = item.last != Last::Nothing && !self.is_complete(&item);
                if directive == Directive::Other && is_pending {
                    item.line_end = None;
                    at = end;
                    continue;
                }
                // A macro's call may end without a `;`.
                let is_call = item.last == Last::Operand && item.after_round && item.line_end.is_some();
                if is_pending && (!is_call || self.rule.newlines) {
                    (directive == Directive::If).then_some(())?;
                    at = self.after_conditional(end)?;
                    item.line_end = None;
                    is_fresh = true;
                    continue;
                }
                if item.last != Last::Nothing {
                    item = Item::new(self.push_complete(&mut slices, item));
                }
                match directive {
                    Directive::Other => {
                        slices.push(Slice::Items(Span::new(item.start, end)));
                        item = Item::new(end);
                        at = end;
                    }
                    Directive::If => {
                        let (slice, end) = self.conditional(item.start, end)?;
                        slices.push(slice);
                        item = Item::new(end);
                        at = end;
                    }
                    Directive::Else | Directive::End => {
                        let stop = if directive == Directive::Else { Stop::Else } else { Stop::EndIf };
                        return Some((slices, End { stop, start: item.start, at: sign }));
                    }
                }
                is_fresh = true;
                continue;
            }
            let after = self.lexer.comment_end(at)?;
            if after > at {
                if item.line_end.is_none()
                    && let Some(end) = memchr::memchr(b'\n', &self.text[at..after])
                {
                    item.line_end = Some(at + end + 1);
                }
                is_fresh = is_fresh || memchr::memchr(b'\n', &self.text[at..after]).is_some();
                at = after;
                continue;
            }
            // A token.
            if Some(byte) == closes {
                if item.last != Last::Nothing && item.line_end.is_some() {
                    item = Item::new(self.push_complete(&mut slices, item));
                } else if item.last == Last::Block && item.inside.is_some() && !item.needs_end {
                    // `}}`
                    item = Item::new(self.push(&mut slices, item, at));
                }
                return Some((slices, End { stop: Stop::Bracket, start: item.start, at }));
            }
            let own_column = if is_fresh { self.column(at) } else { None };
            if item.last == Last::Nothing && column.is_none() {
                column = own_column;
            }
            if is_fresh && item.last != Last::Nothing && self.ends_before(&item, at, own_column, column) {
                item = Item::new(self.push_complete(&mut slices, item));
            } else if is_fresh {
                // Whether a grammar takes an annotation for a part of what is before it differs; after a class without
                // members, it may depend on the whole file.
                let is_sign = self.rule.signs.as_bytes().contains(&byte);
                let core = item.core.map(|core| self.word(core));
                let is_class = core.is_some_and(|core| contains(&self.rule.containers, core));
                let is_ambiguous =
                    self.rule.annotations.as_bytes().contains(&byte) && item.assigns && self.ends_operand(&item);
                (!(is_sign && (is_class && item.inside.is_none() || is_ambiguous))).then_some(())?;
                item.is_annotated = is_sign && item.last != Last::Nothing;
            }
            item.line_end = None;
            is_fresh = false;
            at = self.token(&mut item, at)?;
        }
    }

    /// Adds an item that ends with the text, or at `end`; returns the start of the next.
    fn push(&self, slices: &mut Vec<Slice>, item: Item, end: usize) -> usize {
        let span = Span::new(item.start, end);
        slices.push(match item.inside {
            Some((head, members)) => {
                let from = members.last().map_or(head.end(), |last| last.span().end());
                Slice::Container { head, members, tail: Span::new(from, end) }
            }
            None => Slice::Items(span),
        });
        end
    }

    /// Adds an item that ends with the line of its last token; returns the start of the next.
    fn push_complete(&self, slices: &mut Vec<Slice>, item: Item) -> usize {
        let end = item.line_end.expect("an item ends at a line end");
        self.push(slices, item, end)
    }

    /// Whether an item is complete whatever follows on other lines.
    fn is_complete(&self, item: &Item) -> bool {
        item.line_end.is_some()
            && match item.last {
                Last::Sign(byte) => byte == b';' || byte == b':' && item.is_label,
                Last::Block => !item.assigns && !item.needs_end,
                Last::Word(..) | Last::Operand => self.rule.newlines && item.core.is_some() && self.ends_operand(item),
                Last::Nothing => false,
            }
    }

    /// Whether the last token may end an operand.
    fn ends_operand(&self, item: &Item) -> bool {
        match item.last {
            Last::Word(start, end) => !contains(&self.rule.operators, self.word((start, end))),
            Last::Operand | Last::Block => true,
            _ => false,
        }
    }

    /// Whether an item ends before the token at `at`, the first of its line.
    fn ends_before(&self, item: &Item, at: usize, own: Option<usize>, column: Option<usize>) -> bool {
        let word = self.word_after_modifiers(at);
        if item.last == Last::Sign(b';') || item.last == Last::Sign(b':') && item.is_label {
            return self.text[at] != b'{' && !contains(&self.rule.continues, word);
        }
        if own.is_none() || own != column {
            return false;
        }
        let continues = contains(&self.rule.continues, word);
        let word = self.word_at(at);
        let begins_item =
            !word.is_empty() && !word[0].is_ascii_digit() || self.rule.signs.as_bytes().contains(&self.text[at]);
        if !begins_item || continues || self.lexer.is_quote(at) {
            return false;
        }
        let is_start = contains(&self.rule.starters, word) && !item.is_annotated;
        match item.last {
            Last::Block if !item.assigns && !item.needs_end => true,
            Last::Block | Last::Word(..) | Last::Operand => {
                is_start && item.core.is_some() && !item.needs_end && self.ends_operand(item)
            }
            _ => false,
        }
    }

    fn word_at(&self, at: usize) -> &'a [u8] {
        let rest = &self.text[at..];
        &rest[..rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len())]
    }

    /// Whether a word makes the file unsure, alone or after the last one.
    fn is_unsure(&self, item: &Item, word: &[u8]) -> bool {
        self.rule.unsure.iter().any(|known| match known.split_once(' ') {
            Some((before, known)) => {
                let is_after = |start, end| self.word((start, end)) == before.as_bytes();
                known.as_bytes() == word && matches!(item.last, Last::Word(start, end) if is_after(start, end))
            }
            None => known.as_bytes() == word,
        })
    }

    /// The first word that is not a modifier, of those that begin at an offset: `set` of `private set`.
    fn word_after_modifiers(&self, mut at: usize) -> &'a [u8] {
        loop {
            let word = self.word_at(at);
            let after = at + word.len();
            let blank = self.text[after..].iter().take_while(|&&byte| byte == b' ').count();
            let next = self.word_at(after + blank);
            if word.is_empty() || next.is_empty() || !contains(&self.rule.modifiers, word) {
                return word;
            }
            at = after + blank;
        }
    }

    /// Reads the token at an offset; returns the offset after it.
    fn token(&mut self, item: &mut Item, at: usize) -> Option<usize> {
        let byte = self.text[at];
        let is_sign = self.rule.signs.as_bytes().contains(&byte);
        if self.rule.only_starters && item.last == Last::Nothing && !is_word_byte(byte) && !is_sign {
            return None;
        }
        if self.lexer.is_quote(at) {
            item.last = Last::Operand;
            return self.lexer.past(at);
        }
        let word = self.word_at(at);
        if !word.is_empty() {
            let span = (at, at + word.len());
            (!self.is_unsure(item, word)).then_some(())?;
            // `@A`, `@a.B`, `@get:A`
            let is_annotation = at > 0 && matches!(self.text[at - 1], b'@' | b'.' | b':');
            let is_container = contains(&self.rule.containers, word);
            // `pulic class`: a misspelt modifier.
            let is_misplaced = is_container
                && !self.rule.any_core
                && matches!(item.last, Last::Word(..))
                && item.core.is_some_and(|core| !contains(&self.rule.starters, self.word(core)));
            (!is_misplaced).then_some(())?;
            let may_be_core = !is_annotation && !contains(&self.rule.modifiers, word);
            let is_later_core = self.rule.any_core && is_container && item.inside.is_none();
            if item.core.is_none() && may_be_core || is_later_core {
                let is_known = is_container || contains(&self.rule.starters, word);
                (is_known || !self.rule.only_starters).then_some(())?;
                item.core = Some(span);
            }
            item.is_label = item.last == Last::Nothing && contains(&self.rule.labels, word);
            item.needs_end |= contains(&self.rule.unended, word) && item.inside.is_none();
            item.last = Last::Word(span.0, span.1);
            if contains(&self.rule.generics_after, word) {
                return Some(self.after_generics(span.1).unwrap_or(span.1));
            }
            return Some(span.1);
        }
        match byte {
            b'{' => self.block(item, at),
            b'(' | b'[' => {
                let end = self.lexer.after_bracket(at)?;
                item.after_round = byte == b'(';
                item.has_round |= byte == b'(';
                item.last = Last::Operand;
                Some(end)
            }
            b')' | b']' | b'}' => None,
            b'=' if matches!(item.last, Last::Word(start, end) if contains(&self.rule.operator_names, self.word((start, end)))) =>
            {
                item.last = Last::Sign(byte);
                Some(at + 1)
            }
            b'=' => {
                let previous = at.checked_sub(1).map_or(b' ', |before| self.text[before]);
                let next = self.text.get(at + 1).copied().unwrap_or(b' ');
                let is_other = matches!(previous, b'=' | b'!' | b'<' | b'>') || matches!(next, b'=' | b'>' | b'~');
                item.assigns |= !is_other;
                item.last = Last::Sign(byte);
                Some(at + 1)
            }
            _ => {
                let next = |bytes: &String| self.text.get(at + 1).is_some_and(|next| bytes.as_bytes().contains(next));
                let wanted = self.rule.followed_by.iter().find(|(sign, _)| sign.as_bytes() == [byte]);
                wanted.is_none_or(|(_, bytes)| next(bytes)).then_some(())?;
                let end = self.lexer.past(at)?;
                // A regex is an operand.
                item.last = if end > at + 1 { Last::Operand } else { Last::Sign(byte) };
                Some(end)
            }
        }
    }

    /// Reads a block, or the members of a container; returns the offset after its bracket.
    fn block(&mut self, item: &mut Item, at: usize) -> Option<usize> {
        let is_call = item.has_round;
        let is_container = item.inside.is_none()
            && !item.assigns
            && !(self.rule.bodies_after_round && is_call)
            && item.core.is_some_and(|core| contains(&self.rule.containers, self.word(core)));
        // What ends with its block needs no end.
        if self.rule.bodies_after_round && is_call {
            item.needs_end = false;
        }
        item.last = Last::Block;
        if !is_container {
            return self.lexer.after_bracket(at);
        }
        let (members, end) = self.members(at + 1, Some(b'}'))?;
        (end.stop == Stop::Bracket).then_some(())?;
        item.inside = Some((Span::new(item.start, at + 1), members));
        if let Some((head, members)) = &mut item.inside {
            // Without a line end after the bracket, what follows it belongs to the head.
            let from = members.first().map_or(end.start, |first| first.span().start());
            *head = Span::new(head.start(), from);
        }
        Some(end.at + 1)
    }

    /// The offset after the angle brackets that follow a word.
    fn after_generics(&self, at: usize) -> Option<usize> {
        let mut at = at + self.text[at..].iter().position(|&byte| !is_blank(byte) && byte != b'\n')?;
        (self.text[at] == b'<').then_some(())?;
        let mut depth = 0usize;
        loop {
            let byte = *self.text.get(at)?;
            let is_arrow = byte == b'>' && self.text[at - 1] == b'-';
            match byte {
                b'<' => depth += 1,
                b'>' if !is_arrow => depth -= 1,
                b'(' | b'[' | b'{' => {
                    at = self.lexer.after_bracket(at)?;
                    continue;
                }
                b')' | b']' | b'}' | b';' | b'#' => return None,
                _ => {
                    at = self.lexer.past(at)?;
                    continue;
                }
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }

    /// The offset after the `#endif` of an `#if` in the middle of an item; `at` is the offset after its line.
    fn after_conditional(&self, mut at: usize) -> Option<usize> {
        let mut depth = 1;
        let mut is_fresh = true;
        loop {
            let byte = *self.text.get(at)?;
            if is_fresh && let Some((directive, sign)) = self.lexer.directive(at) {
                at = self.lexer.directive_end(sign)?;
                match directive {
                    Directive::If => depth += 1,
                    Directive::End => depth -= 1,
                    Directive::Else | Directive::Other => {}
                }
                if depth == 0 {
                    return Some(at);
                }
                continue;
            }
            is_fresh = byte == b'\n' || is_fresh && is_blank(byte);
            at = match byte {
                b'(' | b'[' | b'{' => self.lexer.after_bracket(at)?,
                b')' | b']' | b'}' => return None,
                _ => self.lexer.past(at)?,
            };
        }
    }

    /// Reads an `#if` up to its `#endif`; `at` is the offset after its line. Returns the offset after it.
    fn conditional(&mut self, start: usize, at: usize) -> Option<(Slice, usize)> {
        let head = Span::new(start, at);
        let mut members = Vec::new();
        let mut from = at;
        loop {
            let (found, end) = self.members(from, None)?;
            members.extend(found);
            let after = self.after_directive(end.at)?;
            match end.stop {
                Stop::Else => {
                    members.push(Slice::Fixed(Span::new(end.start, after)));
                    from = after;
                }
                Stop::EndIf => {
                    return Some((Slice::Container { head, members, tail: Span::new(end.start, after) }, after));
                }
                Stop::Text | Stop::Bracket => return None,
            }
        }
    }
}
