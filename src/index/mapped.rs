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

/// Maps a file. The mapping is never undone.
pub(super) fn map(path: &Path) -> io::Result<&'static [u8]> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(&[]);
    }
    // As said above: nobody changes the bytes that are mapped.
    let mapping = unsafe { Mmap::map(&file) }?;
    let mapping: &'static Mmap = Box::leak(Box::new(mapping));
    Ok(mapping)
}
