//! The files of a project: access to them, the walk through their folders, and parallel work on many of them.
//!
//! [`Files`] is the only access to the disk. [`Walk`] says which files of a folder to list, as ripgrep finds them.
//! [`scan()`] runs one job per file on several threads and passes on their results, in order and within memory limits.
//!
//! [`Prefilter`] decides from the bytes of a file whether a query may match in it, and in which of its statements.
//!
//! This module knows nothing about requests.

mod blocks;
mod files;
mod globs;
mod items;
mod lexer;
mod prefilter;
mod scan;
mod slices;
mod soundness;
mod suspects;

#[doc(hidden)]
pub use files::resident_memory;
pub use files::{
    Confined, Disk, Exposure, Files, IsStopped, Kind, Listing, Lock, Memory, MemoryLimit, Metadata, OnWalked,
    OutsideRoot, PathFilter, Prepare, Scratch, Stamp, Walk, WalkError, has_unread_input, path_in_line, path_text,
    remove_scratch_copies, sibling_temp_path, unquoted,
};
pub use globs::Globs;
pub use prefilter::Prefilter;
pub use scan::{Announce, Flight, Scan, Sink, count_of_threads, scan, scan_fed};
