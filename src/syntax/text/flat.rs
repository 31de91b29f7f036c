//! A text in one piece: how every file is stored until it is edited.

use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The distance in bytes between two places for which the number of preceding characters is stored.
const BLOCK: usize = 4096;

/// A text in one piece. The line starts are computed on first use.
#[derive(Debug)]
pub(super) struct Flat {
    text: Cow<'static, str>,
    lines: OnceLock<Vec<u32>>,
    /// The number of characters before each block; `None` if the text is ASCII.
    characters: OnceLock<Option<Vec<u32>>>,
    /// The owner of a borrowed text.
    _owner: Option<Arc<dyn Any + Send + Sync>>,
}

impl Flat {
    pub fn new(text: Cow<'static, str>) -> Flat {
        Flat { text, lines: OnceLock::new(), characters: OnceLock::new(), _owner: None }
    }

    /// The same for a text that lives as long as `owner`.
    pub fn kept_by(self, owner: Arc<dyn Any + Send + Sync>) -> Flat {
        Flat { _owner: Some(owner), ..self }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offsets of the line starts; the first is 0.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let mut lines = vec![0];
            for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
                if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                    lines.push(u32::try_from(at + 1).expect("a text is shorter than 4 GiB"));
                }
            }
            lines
        })
    }

    /// The number of lines, including an empty one after the last line ending.
    pub fn line_count(&self) -> usize {
        self.lines().len()
    }

    /// The line, from 0, of the byte at `offset`.
    pub fn byte_to_line(&self, offset: usize) -> usize {
        self.lines().partition_point(|&start| start as usize <= offset) - 1
    }

    /// The start of a line (from 0); for the line after the last, the end of the text.
    pub fn line_to_byte(&self, line: usize) -> usize {
        self.lines().get(line).map_or(self.text.len(), |&start| start as usize)
    }

    fn characters(&self) -> Option<&[u32]> {
        let count = || {
            if self.text.is_ascii() {
                return None;
            }
            let mut total = 0;
            let count = |block: &[u8]| {
                let before = total;
                total += characters_in(block);
                u32::try_from(before).expect("a text is shorter than 4 GiB")
            };
            Some(self.text.as_bytes().chunks(BLOCK).map(count).collect())
        };
        self.characters.get_or_init(count).as_deref()
    }

    /// The number of characters before the byte at `offset`.
    pub fn byte_to_char(&self, offset: usize) -> usize {
        let Some(blocks) = self.characters() else { return offset };
        let block = (offset / BLOCK).min(blocks.len() - 1);
        blocks[block] as usize + characters_in(&self.text.as_bytes()[block * BLOCK..offset])
    }

    /// The number of characters between two offsets. In a short part they are counted, so most texts need not be read whole
    /// for it.
    pub fn characters_between(&self, start: usize, end: usize) -> usize {
        if end - start <= BLOCK {
            return characters_in(&self.text.as_bytes()[start..end]);
        }
        self.byte_to_char(end) - self.byte_to_char(start)
    }

    /// The start of the character with this many characters before it.
    pub fn char_to_byte(&self, character: usize) -> usize {
        let Some(blocks) = self.characters() else { return character.min(self.text.len()) };
        let block = blocks.partition_point(|&before| before as usize <= character) - 1;
        let mut left = character - blocks[block] as usize;
        let bytes = self.text.as_bytes();
        for (at, byte) in bytes.iter().enumerate().skip(block * BLOCK) {
            if is_first(*byte) {
                if left == 0 {
                    return at;
                }
                left -= 1;
            }
        }
        bytes.len()
    }
}

/// Whether a byte begins a character.
fn is_first(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// How many characters begin in a slice.
fn characters_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| is_first(byte)).count()
}
