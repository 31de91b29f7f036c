//! The size of a text in tokens or bytes.
//!
//! Tokens are those of `cl100k_base`. A regular expression splits a text into words, and each word is split into
//! tokens. Both take linear time for every text. The words of a whole file are counted once. Then the size of any part
//! is known, except for a token or two at its ends: [`Measure`] estimates from the words, and counts exactly only where
//! this matters.

use std::cell::Cell;

#[cfg(feature = "tokens")]
use bpe_openai::{Tokenizer, cl100k_base};

use crate::text::Span;

/// The unit of a chunk's size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChunkCount"))]
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

/// Words with more bytes are counted token by token.
#[cfg(feature = "tokens")]
const LONG_WORD: usize = 64;

/// How many bytes count as a token.
const BYTES: usize = 3;

impl Count {
    /// The size of a text.
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

/// The starts of the words of a text, and of the tokens of long words, each with the number of tokens before it. The
/// last entry is the end of the text.
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

/// The sizes of the parts of one text.
pub(super) struct Measure<'a> {
    source: &'a str,
    count: Count,
    /// The starts of words, and of the tokens of long words, each with the number of tokens before it. Both end with
    /// the text.
    #[cfg_attr(not(feature = "tokens"), expect(dead_code, reason = "bytes need no words"))]
    words: Vec<(u32, u32)>,
    /// The last result: nested nodes with the same span ask for the same part one after the other.
    last: Cell<(usize, usize, usize)>,
}

/// The largest difference between the estimated and the real size of a part.
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

    /// The estimated size of the text before a place. A word that extends over it counts in proportion.
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

    /// The estimated size of a part.
    pub fn about(&self, span: Span) -> usize {
        self.before(span.end()).saturating_sub(self.before(span.start()))
    }

    /// The exact size of a part.
    pub fn exact(&self, span: Span) -> usize {
        let (start, end, size) = self.last.get();
        if (start, end) == (span.start(), span.end()) {
            return size;
        }
        let size = self.count.of(&self.source[span.start()..span.end()]);
        self.last.set((span.start(), span.end(), size));
        size
    }

    /// Whether a part is at most `room`. It is counted only if the estimate leaves doubt.
    pub fn fits(&self, span: Span, room: usize) -> bool {
        let about = self.about(span);
        if about + UNSURE <= room {
            return true;
        }
        about <= room + UNSURE && self.exact(span) <= room
    }

    /// Whether a word, or a token of a long word, begins at a place.
    pub fn begins_word(&self, at: usize) -> bool {
        match self.count {
            Count::Bytes => at <= self.source.len(),
            #[cfg(feature = "tokens")]
            Count::Tokens => self.words.binary_search_by_key(&at, |&(start, _)| start as usize).is_ok(),
        }
    }
}
