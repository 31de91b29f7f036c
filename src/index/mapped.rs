//! Files mapped into memory for as long as the program runs.
//!
//! Mapping is sound as long as nobody shortens or rewrites the file. The store never does: a pack is only ever added to, by
//! one process, behind what others have mapped, and a catalogue is replaced by renaming. Removing a file leaves its
//! mapping as it is. A foreign program that shortens files of the cache folder would end this one by a signal, not
//! by a wrong answer.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file's bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mapped {
    mapping: Option<&'static Mmap>,
}

impl Mapped {
    /// Maps a file. The mapping is never undone.
    pub fn new(path: &Path) -> io::Result<Mapped> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Mapped { mapping: None });
        }
        // As said above: nobody changes the bytes that are mapped.
        let mapping = unsafe { Mmap::map(&file) }?;
        Ok(Mapped { mapping: Some(Box::leak(Box::new(mapping))) })
    }

    /// The bytes.
    pub fn bytes(self) -> &'static [u8] {
        self.mapping.map_or(&[], |mapping| mapping)
    }

    /// Lets go of the memory that looking at the bytes has taken; whoever looks again gets them from the system's own.
    pub fn release(self) {
        #[cfg(unix)]
        if let Some(mapping) = self.mapping {
            // The mapping is read-only and of a file, so that its pages come back as they were.
            let _ = unsafe { mapping.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }
}
