//! The native part of the Python package `cst_engine`: trees, nodes, searches, requests, and the program.
//!
//! A node is a tree and an index; nothing is copied until an attribute is read. Work that may take long runs without
//! Python's lock. What has no need of speed is written in Python, in `python/cst_engine/`.

mod errors;
mod matches;
mod node;
mod program;
mod running;
mod search;
mod tree;

use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The native part of `cst_engine`.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    program::use_allocator();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<node::Node>()?;
    module.add_class::<node::Children>()?;
    module.add_class::<matches::Match>()?;
    module.add_class::<matches::Matches>()?;
    module.add_class::<matches::MatchIterator>()?;
    module.add_class::<matches::Capture>()?;
    module.add_class::<search::Hit>()?;
    module.add_class::<search::Hits>()?;
    module.add_class::<running::Engine>()?;
    module.add_function(wrap_pyfunction!(tree::parse, module)?)?;
    module.add_function(wrap_pyfunction!(tree::parse_file, module)?)?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    Ok(())
}
