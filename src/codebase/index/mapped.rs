//! Files mapped into memory, as long as anything refers to their bytes.
//!
//! Mapping is sound as long as nobody shortens or rewrites the file. The store never does. A pack only grows: one
//! process appends to it, behind what others have mapped. A catalogue is replaced by renaming. Removing a file leaves
//! its mapping intact. A foreign program that shortens files of the cache folder would end this process by a signal,
//! not by a wrong answer. The same holds for the weights of an embedding model, which their user keeps in a folder.
#![allow(unsafe_code)]

use std::any::Any;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

/// The bytes of a file. Cheap to clone. The file is unmapped with the last clone and the last owner.
#[derive(Debug, Clone)]
pub struct Mapped {
    mapping: Option<Arc<Mmap>>,
}

impl Mapped {
    /// Maps a file.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn new(path: &Path) -> io::Result<Mapped> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Mapped { mapping: None });
        }
        // See above: nobody changes mapped bytes.
        let mapping = unsafe { Mmap::map(&file) }?;
        Ok(Mapped { mapping: Some(Arc::new(mapping)) })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.mapping.as_deref().map_or(&[], |mapping| mapping)
    }

    /// A part of the bytes, with an owner that the caller must keep as long as it uses them. A tree's table and text do
    /// that, and never lend the bytes for longer. `None` if there are fewer bytes.
    pub fn shared_bytes(&self, range: Range<usize>) -> Option<(&'static [u8], Arc<dyn Any + Send + Sync>)> {
        let mapping = self.mapping.as_ref()?;
        let bytes: *const [u8] = mapping.get(range)?;
        // The pages stay mapped until the last owner is dropped.
        Some((unsafe { &*bytes }, mapping.clone()))
    }

    /// Releases the memory that reading the bytes has taken. Later reads get them from the system's page cache.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(mapping) = &self.mapping {
            // The mapping is read-only and backed by a file, so its pages come back unchanged.
            let _ = unsafe { mapping.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }
}
