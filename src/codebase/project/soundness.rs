//! Signs of a syntax error in the bytes of a text.
//!
//! Next to an error, the parser may misread sound statements up to the end of the file: a class as a call. So the
//! statements of a file with an error can only be understood in the whole file. Only a parse can prove that there is no
//! error. This module looks for the errors that typing, deleting and merging leave: brackets that do not match, a block
//! without an opener or without lines, a dedent to no level, operands without an operator between them, an operator or
//! keyword without an operand. It may report an error where there is none; then the file is parsed whole, as it is with
//! one.

use super::slices::Lexer;
use crate::language::{Language, Lines, Slices};

/// A token in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// A name, a number, or a word that is a value.
    Operand,
    String,
    /// A word that is not a keyword and may be followed by an operand.
    Soft,
    Keyword(Roles),
    Open(u8),
    Close,
    Sign(u8),
}

/// What a word is in a language, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Roles(u8);

impl Roles {
    const KEYWORD: Roles = Roles(1);
    const HEADER: Roles = Roles(2);
    const VALUE: Roles = Roles(4);
    const END: Roles = Roles(8);
    const BARE: Roles = Roles(16);
    const STATEMENT: Roles = Roles(32);
    const SOFT: Roles = Roles(64);

    fn has(self, role: Roles) -> bool {
        self.0 & role.0 != 0
    }
}

/// The words that a language has a role for. Each word of a text is looked up, and most have none.
struct Words<'a> {
    /// By bucket.
    known: Vec<(u8, &'a [u8], Roles)>,
    /// Where the words of a bucket begin.
    starts: [u16; 257],
}

impl<'a> Words<'a> {
    fn new(rule: &'a Lines, keywords: &'a [String]) -> Words<'a> {
        let lists: [(&'a [String], Roles); 7] = [
            (keywords, Roles::KEYWORD),
            (&rule.headers, Roles::HEADER),
            (&rule.values, Roles::VALUE),
            (&rule.ends, Roles::END),
            (&rule.bare, Roles::BARE),
            (&rule.statements, Roles::STATEMENT),
            (&rule.soft, Roles::SOFT),
        ];
        let words = lists.iter().flat_map(|(words, role)| words.iter().map(|word| (word.as_bytes(), *role)));
        let mut known: Vec<(u8, &[u8], Roles)> = words.map(|(word, role)| (bucket(word), word, role)).collect();
        known.sort_unstable_by_key(|(bucket, word, _)| (*bucket, *word));
        known.dedup_by(|next, kept| {
            let is_same = next.1 == kept.1;
            kept.2.0 |= if is_same { next.2.0 } else { 0 };
            is_same
        });
        let mut starts = [0; 257];
        for (bucket, ..) in &known {
            starts[usize::from(*bucket) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Words { known, starts }
    }

    fn roles(&self, word: &[u8]) -> Roles {
        let bucket = usize::from(bucket(word));
        let (start, end) = (usize::from(self.starts[bucket]), usize::from(self.starts[bucket + 1]));
        let found = self.known[start..end].iter().find(|(_, known, _)| *known == word);
        found.map_or(Roles::default(), |(.., roles)| *roles)
    }
}

/// Spreads words over 256 buckets, so that most words share theirs with no known one.
fn bucket(word: &[u8]) -> u8 {
    let byte = |at: usize| word.get(at).copied().unwrap_or(0);
    let length = word.len() as u8;
    byte(0).wrapping_mul(31)
        ^ byte(1).wrapping_mul(7)
        ^ byte(word.len().wrapping_sub(1)).wrapping_mul(13)
        ^ length.wrapping_mul(59)
}

/// Whether no line of a text shows a syntax error.
pub(super) fn looks_sound(text: &[u8], rule: &Slices, language: &Language) -> bool {
    Reader::new(text, rule, language).reads_all().is_some()
}

struct Reader<'a> {
    text: &'a [u8],
    lexer: Lexer<'a>,
    lines: &'a Lines,
    comment: u8,
    quotes: [bool; 256],
    words: Words<'a>,
    /// The open brackets.
    open: Vec<u8>,
    /// The columns of the enclosing blocks.
    columns: Vec<usize>,
    /// Whether the previous line opened a block.
    opens_block: bool,
    /// Whether the last token is a `.` after another one, as in `...`.
    ends_with_dots: bool,
    line: Line<'a>,
}

/// The current logical line.
#[derive(Default)]
struct Line<'a> {
    /// Its first token, with what it is if that is a word.
    first: Option<Roles>,
    /// The word that has to come, given its first one.
    pair: Option<&'a [u8]>,
    last: Option<Token>,
    /// Whether it has a `:` outside brackets.
    has_colon: bool,
    /// Whether it has a keyword that a `:` may follow: `lambda`.
    has_bare: bool,
    is_begun: bool,
}

/// The bytes that words consist of.
const WORD_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = byte >= 128 || (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    bytes
};

fn is_word_byte(byte: u8) -> bool {
    WORD_BYTES[usize::from(byte)]
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8], rule: &'a Slices, language: &'a Language) -> Reader<'a> {
        let mut quotes = [false; 256];
        let first_bytes = rule.quotes.iter().filter_map(|quote| quote.as_bytes().first());
        first_bytes.for_each(|byte| quotes[usize::from(*byte)] = true);
        Reader {
            text,
            lexer: Lexer::new(text, rule),
            lines: &rule.lines,
            comment: rule.comment.as_bytes().first().copied().unwrap_or(b'#'),
            quotes,
            words: Words::new(&rule.lines, &language.spec().keywords),
            open: Vec::new(),
            columns: vec![0],
            opens_block: false,
            ends_with_dots: false,
            line: Line::default(),
        }
    }

    /// Reads to the end; `None` at the first sign of an error.
    fn reads_all(&mut self) -> Option<()> {
        let mut at = if self.text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut column = 0;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b' ' | b'\t' | b'\x0c' => {
                    column += if byte == b'\t' { 8 } else { usize::from(byte == b' ') };
                    at += 1;
                }
                b'\n' | b'\r' => {
                    self.ends_line()?;
                    column = 0;
                    at += 1;
                }
                b'\\' => {
                    let rest = &self.text[at + 1..];
                    at += if rest.starts_with(b"\r\n") {
                        3
                    } else if rest.starts_with(b"\n") || rest.starts_with(b"\r") {
                        2
                    } else {
                        return None;
                    };
                }
                _ if byte == self.comment => {
                    let rest = &self.text[at..];
                    at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                _ => {
                    self.begins_line(column)?;
                    at = self.token(at)?;
                }
            }
        }
        self.ends_line()?;
        (self.open.is_empty() && !self.opens_block).then_some(())
    }

    /// A line's first token, at a column.
    fn begins_line(&mut self, column: usize) -> Option<()> {
        if self.line.is_begun || !self.open.is_empty() {
            return Some(());
        }
        self.line.is_begun = true;
        let current = *self.columns.last()?;
        if (column > current) != self.opens_block {
            return None;
        }
        if column > current {
            self.columns.push(column);
        }
        while self.columns.last().is_some_and(|&outer| outer > column) {
            self.columns.pop();
        }
        self.opens_block = false;
        (self.columns.last() == Some(&column)).then_some(())
    }

    fn ends_line(&mut self) -> Option<()> {
        if !self.line.is_begun || !self.open.is_empty() {
            return Some(());
        }
        let line = std::mem::take(&mut self.line);
        let is_complete = match line.last? {
            Token::Keyword(roles) => roles.has(Roles::END),
            Token::Sign(b'.') => self.ends_with_dots,
            Token::Sign(sign) => matches!(sign, b':' | b',' | b';' | b'*'),
            _ => true,
        };
        let first = line.first.unwrap_or_default();
        let (is_header, is_soft) = (first.has(Roles::HEADER), first.has(Roles::SOFT));
        self.opens_block = line.last == Some(Token::Sign(b':'));
        let fits = match self.opens_block {
            true => is_header,
            false => !is_header || is_soft || line.has_colon,
        };
        (is_complete && fits && line.pair.is_none()).then_some(())
    }

    /// Reads the token at an offset; returns the offset after it.
    fn token(&mut self, at: usize) -> Option<usize> {
        let byte = self.text[at];
        if self.quotes[usize::from(byte)] {
            self.comes(Token::String)?;
            self.line.first.get_or_insert_default();
            return self.lexer.string_end(at);
        }
        if is_word_byte(byte) {
            let length = self.text[at..].iter().position(|&byte| !is_word_byte(byte)).unwrap_or(self.text.len() - at);
            let (word, mut end) = (&self.text[at..at + length], at + length);
            if byte.is_ascii_digit() && self.text.get(end) == Some(&b'.') {
                let rest = &self.text[end + 1..];
                end += 1 + rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len());
            }
            let is_prefix = length <= 2 && self.text.get(end).is_some_and(|next| self.quotes[usize::from(*next)]);
            if is_prefix {
                self.comes(Token::String)?;
                self.line.first.get_or_insert_default();
                return self.lexer.string_end(end);
            }
            let roles = self.words.roles(word);
            // Most words have no role, and are not the first of their line.
            if roles == Roles::default() && self.line.first.is_some() && self.line.pair.is_none() {
                let last = self.line.last.replace(Token::Operand);
                self.ends_with_dots = false;
                let follows = !matches!(last, Some(Token::Operand | Token::String | Token::Close));
                return follows.then_some(end);
            }
            let token = match roles {
                _ if roles.has(Roles::VALUE) => Token::Operand,
                _ if roles.has(Roles::KEYWORD) => Token::Keyword(roles),
                _ if roles.has(Roles::SOFT) => Token::Soft,
                _ => Token::Operand,
            };
            if self.line.pair.is_some_and(|pair| pair == word) {
                self.line.pair = None;
            }
            if self.line.first.is_none() {
                self.line.first = Some(roles);
                let pair = self.lines.pairs.iter().find(|(first, _)| first.as_bytes() == word);
                self.line.pair = pair.map(|(_, other)| other.as_bytes());
            }
            self.line.has_bare |= roles.has(Roles::BARE);
            self.comes(token)?;
            return Some(end);
        }
        match byte {
            b'(' | b'[' | b'{' => {
                self.comes(Token::Open(byte))?;
                self.open.push(byte);
            }
            b')' | b']' | b'}' => {
                let opened = self.open.pop()?;
                (matches!((opened, byte), (b'(', b')') | (b'[', b']') | (b'{', b'}'))).then_some(())?;
                self.comes(Token::Close)?;
            }
            // Comparisons and `:=` are single tokens, not a `:`.
            b'!' | b'=' | b':' if self.text.get(at + 1) == Some(&b'=') => {
                self.comes(Token::Sign(b'!'))?;
                self.line.first.get_or_insert_default();
                return Some(at + 2);
            }
            b'=' | b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'~' | b'<' | b'>' | b'.' | b','
            | b':' | b';' => self.comes(Token::Sign(byte))?,
            _ => return None,
        }
        self.line.first.get_or_insert_default();
        Some(at + 1)
    }

    /// A token comes after the last one of the line.
    #[inline]
    fn comes(&mut self, token: Token) -> Option<()> {
        let last = self.line.last.replace(token);
        let was_dots = self.ends_with_dots;
        let is_within = self.open.last().copied();
        self.ends_with_dots = token == Token::Sign(b'.') && last == Some(token);
        if token == Token::Sign(b':') && !self.may_have_colon(is_within) {
            return None;
        }
        if token == Token::Sign(b':') && is_within.is_none() {
            self.line.has_colon = true;
        }
        // A header goes on to its `:`.
        let first = self.line.first.unwrap_or_default();
        let is_header = first.has(Roles::HEADER) && first.has(Roles::KEYWORD);
        if token == Token::Sign(b';') && is_header && !self.line.has_colon {
            return None;
        }
        let Some(last) = last else {
            return (!matches!(
                token,
                Token::Close | Token::Sign(b':' | b',' | b';' | b'=' | b'/' | b'%' | b'&' | b'|')
            ))
            .then_some(());
        };
        let is_wrong = match (last, token) {
            // Strings side by side are one.
            (Token::String, Token::String) => false,
            (
                Token::Operand | Token::String | Token::Close,
                Token::Operand | Token::String | Token::Soft | Token::Open(b'{'),
            ) => true,
            (Token::Operand | Token::String | Token::Close, Token::Keyword(roles)) => roles.has(Roles::STATEMENT),
            (Token::Keyword(roles), Token::Close | Token::Sign(b',' | b';' | b'=')) => !roles.has(Roles::END),
            (Token::Keyword(roles), Token::Sign(b':')) => !roles.has(Roles::END) && !roles.has(Roles::BARE),
            (Token::Sign(b'=' | b'+' | b'-' | b'%' | b'|' | b'&' | b'<' | b'>'), Token::Close) => true,
            (Token::Sign(b'=' | b'+' | b'-' | b'%' | b'|' | b'&' | b'<' | b'>'), Token::Sign(b',' | b';')) => true,
            // `first, = pair` unpacks a tuple of one.
            (Token::Sign(b','), Token::Sign(b'=')) => is_within.is_some(),
            (Token::Sign(b','), Token::Sign(b',' | b';')) => true,
            (Token::Open(_), Token::Sign(b',' | b';' | b'=')) => true,
            (_, Token::Sign(b';')) => is_within.is_some(),
            (Token::Sign(b'.'), Token::Sign(b':')) => !was_dots,
            (Token::Sign(b',' | b'+' | b'%' | b'|' | b'&' | b'<' | b'>'), Token::Sign(b':')) => {
                is_within != Some(b'[') || last != Token::Sign(b',')
            }
            (Token::Open(open), Token::Sign(b':')) => open != b'[',
            (Token::Sign(b':'), Token::Sign(b':' | b',')) => is_within != Some(b'['),
            (Token::Sign(b'='), Token::Sign(b'=')) => true,
            (Token::Sign(b'.'), Token::Open(_) | Token::String) => !was_dots,
            (Token::Sign(b'.'), Token::Sign(sign)) => sign != b'.' && !was_dots,
            _ => false,
        };
        (!is_wrong).then_some(())
    }

    /// Whether a `:` may be in the bracket around it: in round ones only those of parameters, which a definition has.
    fn may_have_colon(&self, bracket: Option<u8>) -> bool {
        let first = self.line.first.unwrap_or_default();
        let is_header = first.has(Roles::HEADER);
        match bracket {
            Some(b'(') => is_header || self.line.has_bare,
            Some(_) => true,
            None => is_header || self.line.has_bare || !first.has(Roles::KEYWORD),
        }
    }
}
