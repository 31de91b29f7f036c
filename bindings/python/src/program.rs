//! The program `cst`, run in this process.

use std::ffi::{OsString, c_void};
use std::io::Write;
use std::path::PathBuf;

use pyo3::prelude::*;

unsafe extern "C" {
    fn mi_malloc(size: usize) -> *mut c_void;
    fn mi_calloc(count: usize, size: usize) -> *mut c_void;
    fn mi_realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    fn mi_free(pointer: *mut c_void);
    fn ts_set_allocator(
        malloc: Option<unsafe extern "C" fn(usize) -> *mut c_void>,
        calloc: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
        realloc: Option<unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>,
        free: Option<unsafe extern "C" fn(*mut c_void)>,
    );
}

/// Parses with the allocator that the Rust code has: that of the C library makes it a seventh slower. In a library it must
/// not replace `malloc` itself, since the interpreter uses that.
pub fn use_allocator() {
    // SAFETY: nothing was parsed yet, so nothing is freed by another allocator than the one it is from.
    unsafe { ts_set_allocator(Some(mi_malloc), Some(mi_calloc), Some(mi_realloc), Some(mi_free)) }
}

/// Runs a command line, the name of the program first, and returns the exit status. `program` is what others start to get
/// here.
#[pyfunction]
pub fn run_program(py: Python<'_>, words: Vec<OsString>, program: Option<PathBuf>) -> u8 {
    py.detach(|| {
        let status = cst::cli::run_words(words, program);
        // What cannot be written any more was reported by the command.
        _ = std::io::stdout().flush();
        status
    })
}
