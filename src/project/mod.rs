//! The files of a project: the way to them, the walk through their folders, and work on many of them at once.
//!
//! [`Files`] is the only way to the disk. [`Walk`] says which files of a folder are meant, as ripgrep finds them. [`scan()`] does
//! one job a file on several threads and hands on what the jobs give, in order and within bounds of memory.
//!
//! [`Prefilter`] tells by a file's bytes whether a query may find anything in it, and in which of its statements.
//!
//! This module knows nothing of requests.

mod files;
mod prefilter;
mod scan;
mod slices;
mod soundness;

pub use files::{
    Confined, Disk, Exposure, Facts, Files, Kind, Listing, Lock, Memory, MemoryLimit, OutsideRoot, Prepare, Stamp,
    Unlisted, Walk, path_text, place_beside, unquoted,
};
pub use prefilter::Prefilter;
pub use scan::{Flight, Outlet, Scan, scan};
