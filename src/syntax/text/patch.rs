//! Edits, packed: what is kept of a new text until it is written.

use super::EditSet;

/// The edits of one text in a few bytes each. They are applied to the bytes of a file in UTF-8.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// For each edit its start, the number of bytes that it removes, and the number that it adds.
    edits: Vec<[u32; 3]>,
    /// What they add.
    added: String,
    /// The size of the new bytes.
    length: usize,
}

impl Patch {
    /// Packs the edits of a text of `length` bytes; `None` if an offset takes more than 32 bits.
    pub fn new(edits: &EditSet, length: usize) -> Option<Patch> {
        let mut patch = Patch { edits: Vec::with_capacity(edits.len()), added: String::new(), length };
        let small = |number: usize| u32::try_from(number).ok();
        for edit in edits.iter() {
            let sizes = [small(edit.span.start())?, small(edit.span.len())?, small(edit.text.len())?];
            patch.edits.push(sizes);
            patch.added.push_str(&edit.text);
            patch.length = (patch.length + edit.text.len()).checked_sub(edit.span.len())?;
        }
        patch.added.shrink_to_fit();
        Some(patch)
    }

    /// The new bytes; `None` if the old ones are too short.
    pub fn apply(&self, old: &[u8]) -> Option<Vec<u8>> {
        let mut new = Vec::with_capacity(self.length);
        let (mut at, mut added) = (0, self.added.as_bytes());
        for &[start, removed, length] in &self.edits {
            let (text, rest) = added.split_at_checked(length as usize)?;
            new.extend_from_slice(old.get(at..start as usize)?);
            new.extend_from_slice(text);
            (at, added) = (start as usize + removed as usize, rest);
        }
        new.extend_from_slice(old.get(at..)?);
        Some(new)
    }

    /// The memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        self.edits.len() * size_of::<[u32; 3]>() + self.added.len()
    }
}
