//! How large a text is: in tokens, or in bytes.
//!
//! Tokens are those of `cl100k_base`. A text is cut into words by a regular expression, and each word into tokens; both take linear
//! time whatever the text is. Counted once for a whole file, the words tell how large any part of it is, but for a token or
//! two at its ends: a [`Measure`] tells that without another look, and counts anew where those matter.

use std::cell::Cell;

#[cfg(feature = "tokens")]
use bpe_openai::{Tokenizer, cl100k_base};

use crate::text::Span;

/// What the size of a chunk is counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "engine", derive(schemars::JsonSchema), schemars(rename = "ChunkCount"))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Count {
    /// Tokens of `cl100k_base`.
    #[cfg(feature = "tokens")]
    #[default]
    Tokens,
    /// Thirds of bytes, rounded up.
    #[cfg_attr(not(feature = "tokens"), default)]
    Bytes,
}

/// A word of more bytes is looked at token by token.
#[cfg(feature = "tokens")]
const LONG_WORD: usize = 64;

/// How many bytes count as a token.
const BYTES: usize = 3;

impl Count {
    /// How large a text is.
    pub fn of(self, text: &str) -> usize {
        match self {
            #[cfg(feature = "tokens")]
            Count::Tokens => tokenizer().count(text),
            Count::Bytes => text.len().div_ceil(BYTES),
        }
    }
}

#[cfg(feature = "tokens")]
fn tokenizer() -> &'static Tokenizer {
    cl100k_base()
}

/// Where the words of a text begin, and the tokens of long ones, each with how many tokens are before it; the last is the text's end.
#[cfg(feature = "tokens")]
fn words_with_tokens(source: &str) -> Vec<(u32, u32)> {
    let small = |number: usize| u32::try_from(number).expect("a text is shorter than 4 GiB");
    let mut words = Vec::with_capacity(source.len() / 4);
    let (mut at, mut tokens) = (0, 0);
    for word in tokenizer().split(source) {
        words.push((small(at), small(tokens)));
        if word.len() <= LONG_WORD {
            at += word.len();
            tokens += tokenizer().bpe.count(word.as_bytes());
            continue;
        }
        for token in tokenizer().bpe.encode_via_backtracking(word.as_bytes()) {
            if source.is_char_boundary(at) {
                words.push((small(at), small(tokens)));
            }
            at += tokenizer().bpe.token_len(token);
            tokens += 1;
        }
    }
    words.push((small(at), small(tokens)));
    words
}

/// How large the parts of one text are.
pub(super) struct Measure<'a> {
    source: &'a str,
    count: Count,
    /// Where words begin, and the tokens of long ones, and how many tokens stand before; both end with the text.
    #[cfg_attr(not(feature = "tokens"), expect(dead_code, reason = "bytes need no words"))]
    words: Vec<(u32, u32)>,
    /// What was counted last: whole nodes that hold nothing but each other are asked for one by one.
    last: Cell<(usize, usize, usize)>,
}

/// How far a part's size may be from what the whole tells of it.
const UNSURE: usize = 8;

impl<'a> Measure<'a> {
    /// Counts the whole text.
    pub fn new(source: &'a str, count: Count) -> Measure<'a> {
        let words = match count {
            #[cfg(feature = "tokens")]
            Count::Tokens => words_with_tokens(source),
            Count::Bytes => Vec::new(),
        };
        Measure { source, count, words, last: Cell::new((0, 0, 0)) }
    }

    /// The text.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// About how much stands before a place; what a word that goes over it has there is a share of its tokens.
    pub fn before(&self, at: usize) -> usize {
        match self.count {
            Count::Bytes => at.div_ceil(BYTES),
            #[cfg(feature = "tokens")]
            Count::Tokens => {
                let next = self.words.partition_point(|&(start, _)| (start as usize) <= at);
                let Some(&(start, tokens)) = next.checked_sub(1).and_then(|word| self.words.get(word)) else {
                    return 0;
                };
                let Some(&(end, after)) = self.words.get(next) else { return tokens as usize };
                let (length, inside) = ((end - start) as usize, at - start as usize);
                tokens as usize + (inside * (after - tokens) as usize).div_ceil(length)
            }
        }
    }

    /// About how large a part is.
    pub fn about(&self, span: Span) -> usize {
        self.before(span.end()).saturating_sub(self.before(span.start()))
    }

    /// How large a part is by itself.
    pub fn exact(&self, span: Span) -> usize {
        let (start, end, size) = self.last.get();
        if (start, end) == (span.start(), span.end()) {
            return size;
        }
        let size = self.count.of(&self.source[span.start()..span.end()]);
        self.last.set((span.start(), span.end(), size));
        size
    }

    /// Whether a part is no larger than `room`. It is counted only where what the whole tells of it leaves a doubt.
    pub fn fits(&self, span: Span, room: usize) -> bool {
        let about = self.about(span);
        if about + UNSURE <= room {
            return true;
        }
        about <= room + UNSURE && self.exact(span) <= room
    }

    /// Whether a word begins at a place, or a token of a long one.
    pub fn begins_word(&self, at: usize) -> bool {
        match self.count {
            Count::Bytes => at <= self.source.len(),
            #[cfg(feature = "tokens")]
            Count::Tokens => self.words.binary_search_by_key(&at, |&(start, _)| start as usize).is_ok(),
        }
    }
}
