//! Files mapped into memory, for as long as anything refers to their bytes.
//!
//! Mapping is sound as long as nobody shortens or rewrites the file. The store never does: a pack is only ever added to, by
//! one process, behind what others have mapped, and a catalogue is replaced by renaming. Removing a file leaves its
//! mapping as it is. A foreign program that shortens files of the cache folder would end this one by a signal, not
//! by a wrong answer.
#![allow(unsafe_code)]

use std::any::Any;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

/// A file's bytes. Cheap to clone; the mapping goes with the last clone, and with the last owner that was taken.
#[derive(Debug, Clone)]
pub(super) struct Mapped {
    mapping: Option<Arc<Mmap>>,
}

impl Mapped {
    /// Maps a file.
    pub fn new(path: &Path) -> io::Result<Mapped> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Mapped { mapping: None });
        }
        // As said above: nobody changes the bytes that are mapped.
        let mapping = unsafe { Mmap::map(&file) }?;
        Ok(Mapped { mapping: Some(Arc::new(mapping)) })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.mapping.as_deref().map_or(&[], |mapping| mapping)
    }

    /// A part of the bytes for who keeps the owner as long as it refers to them: a tree's table and text do, and lend them no longer
    /// than they are borrowed themselves. `None` where there are fewer.
    pub fn lasting(&self, range: Range<usize>) -> Option<(&'static [u8], Arc<dyn Any + Send + Sync>)> {
        let mapping = self.mapping.as_ref()?;
        let bytes: *const [u8] = mapping.get(range)?;
        // The pages stay where they are until the last owner is gone.
        Some((unsafe { &*bytes }, mapping.clone()))
    }

    /// Lets go of the memory that looking at the bytes has taken; whoever looks again gets them from the system's own.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(mapping) = &self.mapping {
            // The mapping is read-only and of a file, so that its pages come back as they were.
            let _ = unsafe { mapping.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }
}
