//! Signs in the bytes of an item that the grammar does not understand all of it: a macro's call without a `;`, a type
//! among arguments, half a statement in an `#if`.
//!
//! The parser may misread what comes after an error. So an item with a sign is parsed together with those that may
//! match; if there is an error that does not stay in its item, the whole file is parsed. An item with a sign but
//! without an error costs the time to parse it. An item with an error but without a sign is a risk: in the real C code
//! that the rules were made with, 22 of 1,332 had none, and most errors change nothing outside their item.

use memchr::memmem;

use super::lexer::{Directive, Lexer, is_word_byte};
use crate::language::ItemSuspects;
use crate::text::Span;

const BUCKETS: usize = 256;

/// What the bytes of an item show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    Nothing,
    /// It may have an error.
    Error,
    /// A conditional divides a statement, which changes how the rest of the file is read.
    Divided,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A name, or a macro.
    Plain,
    Keyword,
    /// A statement follows its brackets: `if`.
    Control,
    /// An expression follows: `return`.
    Leading,
    /// A statement follows: `else`.
    Opening,
    /// A whole type: `int`.
    Type,
    /// It may follow the parameters of a function: `const`.
    Trailing,
    /// It introduces a block of values: `enum`.
    Listing,
    /// It introduces a block of items: `struct`.
    Container,
    /// A macro that the parser does not see: `__init`.
    Skipped,
    /// Always a sign.
    Odd,
}

/// The last token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    Word(Word),
    Number,
    String,
    Open,
    /// A closing round bracket, with what was before its opening one.
    Round(Before),
    Square,
    Block(Inside),
    Sign(u8),
}

/// What is before a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Plain,
    /// The same, with one word in the bracket.
    Single,
    Keyword,
    Control,
    Operand,
    Other,
}

/// What is in a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Items or members; also if no bracket is open.
    Items,
    Body,
    /// Values, with commas between them.
    Values,
    Round,
    Square,
}

/// An open bracket.
#[derive(Debug, Clone, Copy)]
struct Open {
    inside: Inside,
    before: Before,
    /// Whether it is in a body.
    in_body: bool,
    /// Whether it has arguments, not parameters.
    is_call: bool,
    /// The statement around it.
    outer: Statement,
}

/// The statement or head so far.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)]
struct Statement {
    /// Names in a row.
    names: usize,
    /// Whether operands are expected, so that no two names are in a row.
    in_expression: bool,
    has_round: bool,
    has_container: bool,
    has_listing: bool,
    has_keyword: bool,
    assigns: bool,
    /// Whether a type is an argument, which only a name alone may be.
    has_type_argument: bool,
    /// Whether it has a type, or two words.
    is_typed: bool,
    /// Whether the last word that is not a name is a whole type.
    after_type: bool,
    /// Whether it begins with a call.
    is_call: bool,
}

/// The words of a language, by their first byte and their length.
pub(super) struct Words<'a> {
    buckets: Vec<Vec<(&'a [u8], Word)>>,
}

impl<'a> Words<'a> {
    pub(super) fn new(rule: &'a ItemSuspects, keywords: &'a [String]) -> Words<'a> {
        let mut buckets: Vec<Vec<(&[u8], Word)>> = vec![Vec::new(); BUCKETS];
        // The first that fits counts.
        let lists = [
            (&rule.words[..], Word::Odd),
            (&rule.control, Word::Control),
            (&rule.skipped, Word::Skipped),
            (&rule.leading, Word::Leading),
            (&rule.opening, Word::Opening),
            (&rule.listings, Word::Listing),
            (&rule.containers, Word::Container),
            (&rule.types, Word::Type),
            (&rule.trailing, Word::Trailing),
            (keywords, Word::Keyword),
        ];
        for (words, kind) in lists {
            for word in words.iter().map(String::as_bytes).filter(|word| !word.is_empty()) {
                buckets[bucket(word)].push((word, kind));
            }
        }
        Words { buckets }
    }

    fn kind(&self, word: &[u8]) -> Word {
        let found = self.buckets[bucket(word)].iter().find(|(known, _)| *known == word);
        found.map_or(Word::Plain, |(_, kind)| *kind)
    }
}

/// Where a word is kept.
fn bucket(word: &[u8]) -> usize {
    (usize::from(word[0]) + word.len() * 37) % BUCKETS
}

/// The signs in some parts of a text, read as if nothing were between them: an item, or the head and the end of a
/// container.
pub(super) fn signs(lexer: &Lexer, rule: &ItemSuspects, words: &Words, parts: &[Span]) -> Signs {
    let mut reader = Reader {
        lexer,
        rule,
        words,
        text: &[],
        open: Vec::new(),
        last: Last::Start,
        statement: Statement::default(),
        after_directive: false,
        is_divided: false,
    };
    match reader.reads(parts) {
        Some(()) => Signs::Nothing,
        None if reader.is_divided => Signs::Divided,
        None => Signs::Error,
    }
}

struct Reader<'a, 'b> {
    lexer: &'b Lexer<'a>,
    rule: &'b ItemSuspects,
    words: &'b Words<'b>,
    /// Up to the end of the current part.
    text: &'a [u8],
    open: Vec<Open>,
    last: Last,
    statement: Statement,
    after_directive: bool,
    is_divided: bool,
}

impl Reader<'_, '_> {
    /// `None` at the first sign, here as in all that it calls.
    fn reads(&mut self, parts: &[Span]) -> Option<()> {
        for part in parts {
            self.text = &self.lexer.text[..part.end()];
            self.reads_part(part.start())?;
        }
        let is_complete = match self.last {
            Last::Start | Last::Block(_) => true,
            Last::Sign(sign) => matches!(sign, b';' | b':' | b'}'),
            _ => false,
        };
        (self.open.is_empty() && is_complete).then_some(())
    }

    fn reads_part(&mut self, mut at: usize) -> Option<()> {
        let mut is_fresh = at == 0 || matches!(self.text[at - 1], b'\n' | b'\r');
        while let Some(&byte) = self.text.get(at) {
            if byte == b'\n' {
                is_fresh = true;
                at += 1;
                continue;
            }
            if matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c') {
                at += 1;
                continue;
            }
            if is_fresh && let Some((directive, sign)) = self.lexer.directive(at) {
                self.directive(directive)?;
                at = self.lexer.directive_end(sign)?;
                let line = &self.text[sign..at.min(self.text.len())];
                (!is_odd_line(line, directive)).then_some(())?;
                self.after_directive = true;
                continue;
            }
            let after = self.lexer.comment_end(at)?;
            if after > at {
                at = after;
                continue;
            }
            is_fresh = false;
            at = self.token(at)?;
            self.after_directive = false;
        }
        Some(())
    }

    fn inside(&self) -> Inside {
        self.open.last().map_or(Inside::Items, |open| open.inside)
    }

    fn in_body(&self) -> bool {
        self.open.last().is_some_and(|open| open.in_body)
    }

    /// A directive is between statements.
    fn directive(&mut self, directive: Directive) -> Option<()> {
        let is_between = match self.last {
            Last::Start | Last::Open => true,
            Last::Block(inside) => matches!(inside, Inside::Body | Inside::Items),
            // A label belongs to the statement after it.
            Last::Sign(sign) => sign == b';' || sign == b':' && self.inside() == Inside::Items,
            _ => false,
        };
        self.is_divided =
            self.last == Last::Word(Word::Opening) || directive != Directive::Other && self.inside() == Inside::Round;
        let may_be_here = matches!(self.inside(), Inside::Items | Inside::Body)
            || directive == Directive::Other && self.open.is_empty();
        (is_between && may_be_here).then_some(())
    }

    /// Reads the token at an offset; returns the offset after it.
    fn token(&mut self, at: usize) -> Option<usize> {
        let byte = self.text[at];
        if self.lexer.is_quote(at) {
            let end = self.lexer.past(at)?;
            self.operand(Last::String)?;
            return Some(end);
        }
        if byte.is_ascii_digit() {
            self.operand(Last::Number)?;
            return Some(self.number_end(at));
        }
        if is_word_byte(byte) {
            let rest = &self.text[at..];
            let length = rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len());
            let end = at + length;
            // `L"text"`
            if length <= 3 && end < self.text.len() && self.lexer.is_quote(end) {
                return Some(end);
            }
            let kind = self.words.kind(&rest[..length]);
            if kind == Word::Skipped {
                return self.skipped_end(end);
            }
            self.word(kind)?;
            return Some(end);
        }
        match byte {
            b'{' => self.block()?,
            b'(' | b'[' => self.bracket(byte, at)?,
            b')' | b']' | b'}' => self.closes(byte)?,
            _ => self.sign(byte, at)?,
        }
        Some(at + 1)
    }

    /// The offset after a number: `1.5e-3`, `1'000`.
    fn number_end(&self, mut at: usize) -> usize {
        while let Some(&byte) = self.text.get(at) {
            let is_exponent = matches!(byte, b'+' | b'-') && matches!(self.text[at - 1], b'e' | b'E' | b'p' | b'P');
            let separates = byte == b'\'' && self.text.get(at + 1).is_some_and(|&byte| is_word_byte(byte));
            if !(is_word_byte(byte) || byte == b'.' || is_exponent || separates) {
                break;
            }
            at += 1;
        }
        at
    }

    /// The offset after the arguments of a macro that ends at `end` and is not read.
    fn skipped_end(&self, end: usize) -> Option<usize> {
        let open = end + self.text[end..].iter().take_while(|&&byte| byte == b' ').count();
        let has_arguments = matches!(self.last, Last::Round(_) | Last::Word(_)) && self.text.get(open) == Some(&b'(');
        if has_arguments { self.lexer.after_bracket(open) } else { Some(end) }
    }

    /// Begins a statement, where one may begin.
    fn begins(&mut self) {
        let is_list = matches!(self.inside(), Inside::Body | Inside::Items);
        let may_begin = match self.last {
            Last::Start => true,
            Last::Block(inside) => inside != Inside::Values,
            Last::Open => is_list,
            Last::Round(before) => before == Before::Control,
            Last::Word(word) => word == Word::Opening,
            Last::Sign(sign) => matches!(sign, b';' | b':'),
            _ => false,
        };
        if is_list && may_begin {
            self.statement = Statement::default();
        }
    }

    /// A number or a string.
    fn operand(&mut self, token: Last) -> Option<()> {
        self.begins();
        let is_wrong = match self.last {
            Last::String => token != Last::String,
            Last::Number | Last::Square => true,
            // `f(NAME "text")`
            Last::Word(Word::Plain) => token != Last::String || self.inside() != Inside::Round,
            Last::Word(word) => matches!(word, Word::Odd | Word::Type),
            Last::Round(before) => !matches!(before, Before::Control | Before::Other),
            Last::Block(inside) => inside == Inside::Values,
            _ => false,
        };
        self.last = token;
        self.statement.names = 0;
        (!is_wrong).then_some(())
    }

    fn word(&mut self, word: Word) -> Option<()> {
        self.begins();
        if word == Word::Opening && self.after_directive {
            self.is_divided = true;
            return None;
        }
        let in_body = self.in_body();
        let may_follow = match self.last {
            Last::String | Last::Number => false,
            Last::Square => word == Word::Trailing,
            Last::Round(Before::Plain | Before::Single | Before::Operand) => word == Word::Trailing && !in_body,
            Last::Round(Before::Keyword) => word != Word::Plain || !in_body,
            Last::Block(inside) => inside != Inside::Values || word != Word::Plain,
            // `STATIC int`
            Last::Word(Word::Plain) => !matches!(word, Word::Type | Word::Listing | Word::Container),
            Last::Word(before) => before != Word::Odd,
            _ => true,
        };
        (may_follow && word != Word::Odd).then_some(())?;
        let is_type = matches!(word, Word::Type | Word::Listing | Word::Container);
        let is_argument = is_type && self.may_be_argument();
        // `int` alone may be an argument, `struct s` not.
        let is_wrong = self.statement.has_type_argument || is_argument && word != Word::Type;
        let statement = &mut self.statement;
        statement.has_type_argument |= is_argument;
        if word == Word::Plain {
            statement.names += 1;
            statement.is_typed |= statement.names > 1;
        } else {
            statement.is_typed |= is_type;
            statement.has_keyword |= word == Word::Keyword;
            statement.in_expression |= word == Word::Leading;
            statement.has_container |= word == Word::Container;
            statement.has_listing |= word == Word::Listing;
            if !matches!(word, Word::Keyword | Word::Trailing) || statement.in_expression {
                statement.names = 0;
            }
        }
        let most = if statement.in_expression || statement.after_type { 1 } else { 2 };
        let is_run = statement.names > most;
        statement.after_type = word == Word::Type || statement.after_type && word == Word::Plain;
        self.last = Last::Word(word);
        (!is_wrong && !is_run).then_some(())
    }

    /// Whether a word here begins an argument or a value.
    fn may_be_argument(&self) -> bool {
        let is_first = matches!(self.last, Last::Open | Last::Sign(b','));
        is_first
            && self.open.last().is_some_and(|open| match open.inside {
                Inside::Round => open.is_call && (open.in_body || !self.rule.constructors),
                Inside::Values => open.in_body,
                _ => false,
            })
    }

    fn before(&self) -> Before {
        match self.last {
            Last::Word(Word::Plain) => Before::Plain,
            Last::Word(Word::Control) => Before::Control,
            Last::Word(Word::Leading | Word::Opening) => Before::Other,
            Last::Word(_) => Before::Keyword,
            Last::Round(_) | Last::Square => Before::Operand,
            _ => Before::Other,
        }
    }

    /// Whether the bracket at an offset has one word in it.
    fn has_one_word(&self, at: usize) -> bool {
        let inner = &self.text[at + 1..];
        let length = inner.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(0);
        length > 0 && inner.get(length) == Some(&b')')
    }

    /// A round or square bracket opens.
    fn bracket(&mut self, byte: u8, at: usize) -> Option<()> {
        self.begins();
        let (in_body, inside, statement) = (self.in_body(), self.inside(), self.statement);
        let may_follow = match self.last {
            Last::String | Last::Number => false,
            Last::Block(Inside::Values) => byte != b'(',
            _ => true,
        };
        let is_name = byte == b'(' && self.before() == Before::Plain && statement.names == 1 && !statement.is_typed;
        let has_one_word = is_name && self.has_one_word(at);
        // `NAME(…)` where an item or a member begins.
        let is_bare = is_name && inside == Inside::Items && !statement.has_round;
        // `static NAME(a, b)`: a type is missing.
        let is_macro = is_name
            && !has_one_word
            && matches!(inside, Inside::Items | Inside::Body)
            && statement.has_keyword
            && !statement.in_expression;
        // `DECLARE(a, b);` among members
        let is_member = is_bare && !has_one_word && !self.rule.constructors && !self.open.is_empty();
        let before = match self.before() {
            Before::Plain if self.has_one_word(at) => Before::Single,
            before => before,
        };
        let mut outer = statement;
        outer.names = 0;
        outer.is_call |= is_bare;
        outer.has_round |= byte == b'(';
        outer.is_typed |= byte == b'[';
        self.open.push(Open {
            inside: if byte == b'(' { Inside::Round } else { Inside::Square },
            before,
            in_body,
            is_call: is_bare || in_body && before == Before::Plain,
            outer,
        });
        // In a body, what is in brackets may be parameters only after an operand: `(*f)(int a)`.
        let in_expression = byte == b'[' || in_body && !matches!(before, Before::Control | Before::Operand);
        self.statement = Statement { in_expression, ..Statement::default() };
        self.last = Last::Open;
        (may_follow && !is_macro && !is_member).then_some(())
    }

    /// A curly bracket opens.
    fn block(&mut self) -> Option<()> {
        self.begins();
        let (around, in_body, statement) = (self.inside(), self.in_body(), self.statement);
        let inside = match around {
            Inside::Values => Inside::Values,
            Inside::Round | Inside::Square => match self.last {
                Last::Open if around == Inside::Round => Inside::Body,
                Last::Round(before) if before != Before::Other => Inside::Body,
                _ => Inside::Values,
            },
            _ if self.last == Last::Sign(b'=') || statement.assigns => Inside::Values,
            _ if statement.has_listing && !statement.has_round => Inside::Values,
            _ if statement.has_container && !statement.has_round => Inside::Items,
            Inside::Items => Inside::Body,
            Inside::Body => match self.last {
                Last::Word(Word::Keyword) if statement.in_expression => Inside::Values,
                Last::Word(Word::Plain) if self.rule.values_after_words => Inside::Values,
                Last::Round(Before::Other) => Inside::Values,
                Last::Sign(sign) if !matches!(sign, b';' | b':') => Inside::Values,
                _ => Inside::Body,
            },
        };
        let may_follow = match self.last {
            Last::Round(Before::Plain) => !in_body,
            Last::Round(Before::Operand) => !in_body || inside != Inside::Body || self.rule.lambdas,
            Last::Word(Word::Plain) => match inside {
                Inside::Values => self.rule.values_after_words || statement.has_listing,
                inside => inside == Inside::Items,
            },
            Last::String | Last::Number => statement.has_container,
            Last::Square => self.rule.lambdas,
            _ => true,
        };
        // `NAME(…) {`
        let is_bare = around == Inside::Items && statement.is_call && !self.rule.constructors;
        self.open.push(Open {
            inside,
            before: self.before(),
            in_body: in_body || inside == Inside::Body,
            is_call: false,
            outer: statement,
        });
        self.statement = Statement { in_expression: inside == Inside::Values, ..Statement::default() };
        self.last = Last::Open;
        (may_follow && !is_bare).then_some(())
    }

    /// A bracket closes.
    fn closes(&mut self, byte: u8) -> Option<()> {
        let open = self.open.pop()?;
        let expected = match open.inside {
            Inside::Round => b')',
            Inside::Square => b']',
            _ => b'}',
        };
        let may_end = match (open.inside, self.last) {
            (Inside::Round | Inside::Square, Last::Sign(sign)) => {
                self.may_close(sign) || sign == b';' && open.before == Before::Control
            }
            (Inside::Values, Last::Sign(sign)) => sign == b',',
            (Inside::Body | Inside::Items, last) => {
                matches!(last, Last::Open | Last::Block(_) | Last::Sign(b';'))
            }
            _ => true,
        };
        self.statement = open.outer;
        self.last = match open.inside {
            Inside::Round => Last::Round(open.before),
            Inside::Square => Last::Square,
            inside => {
                self.statement.names = 0;
                // `} name;`
                let is_type = inside == Inside::Items || inside == Inside::Values && open.outer.has_listing;
                if is_type {
                    self.statement = Statement { is_typed: true, ..Statement::default() };
                }
                if is_type { Last::Sign(b'}') } else { Last::Block(inside) }
            }
        };
        (may_end && byte == expected).then_some(())
    }

    /// Whether a bracket may close after a sign.
    fn may_close(&self, sign: u8) -> bool {
        self.rule.closing.as_bytes().contains(&sign)
    }

    fn sign(&mut self, byte: u8, at: usize) -> Option<()> {
        self.begins();
        let next = self.text.get(at + 1).copied().unwrap_or(b' ');
        let previous = at.checked_sub(1).map_or(b' ', |before| self.text[before]);
        let is_doubled = previous == byte;
        let inside = self.inside();
        let is_wrong = match byte {
            b';' => match inside {
                Inside::Round => self.open.last().is_none_or(|open| open.before != Before::Control),
                Inside::Square | Inside::Values => true,
                _ => {
                    matches!(self.last, Last::Sign(sign) if !matches!(sign, b';' | b':' | b'}') && !self.may_close(sign))
                }
            },
            b',' => match self.last {
                Last::Open => true,
                Last::Sign(sign) => !self.may_close(sign),
                _ => false,
            },
            b'=' => self.last == Last::Open && !self.rule.lambdas,
            b'/' | b'%' | b'|' | b'^' | b'?' | b'<' | b'>' => self.last == Last::Open,
            // `case 1 ... 2`
            b'.' => is_doubled && matches!(inside, Inside::Body | Inside::Items),
            _ => false,
        };
        let is_wrong = is_wrong || byte != b',' && self.statement.has_type_argument;
        let in_body = self.in_body();
        let statement = &mut self.statement;
        match byte {
            b';' => *statement = Statement::default(),
            b',' => {
                statement.names = 0;
                statement.after_type = false;
                statement.has_type_argument = false;
            }
            // `a::b` is one name.
            b':' if next == b':' || is_doubled => statement.names = statement.names.saturating_sub(1),
            b'*' | b'&' => {
                statement.is_typed |= statement.names > 0;
                statement.names = statement.names.saturating_sub(1).min(1);
            }
            b'=' => {
                let is_comparison = next == b'=' || matches!(previous, b'=' | b'!' | b'<' | b'>');
                statement.assigns |= !is_comparison && matches!(inside, Inside::Items | Inside::Body);
                statement.in_expression = true;
                statement.names = 0;
            }
            b':' => statement.names = 0,
            _ => {
                statement.names = 0;
                statement.in_expression |= in_body && !matches!(byte, b'<' | b'>' | b'~');
            }
        }
        self.last = match byte {
            // The bases of a class.
            b':' if statement.has_container && !statement.has_round => Last::Sign(b','),
            // `++`, `--`, `...` may end an operand.
            b'+' | b'-' | b'.' if is_doubled => Last::Sign(b'*'),
            _ => Last::Sign(byte),
        };
        (!is_wrong).then_some(())
    }
}

/// Whether a directive's line shows an error.
fn is_odd_line(line: &[u8], directive: Directive) -> bool {
    if directive != Directive::Other {
        // `#if F(A, >= 1)`
        let is_bare = |found: usize| {
            let after = line[found + 1..].trim_ascii_start();
            after.first().is_some_and(|byte| b"<>=".contains(byte))
        };
        return memchr::memchr2_iter(b'(', b',', line).any(is_bare);
    }
    // A comment in a definition that goes on.
    let goes_on = |found: usize| {
        let rest = &line[found..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        rest[..end].trim_ascii_end().ends_with(b"\\")
    };
    // `#define F(args...)`
    let has_name = |found: usize| found > 0 && is_word_byte(line[found - 1]);
    memmem::find_iter(line, b"*/").any(goes_on) || memmem::find_iter(line, b"...").any(has_name)
}
