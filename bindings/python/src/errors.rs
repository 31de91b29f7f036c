//! Errors of the engine as exceptions of Python.

use cst::engine::{EngineError, ErrorCode};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The exception for an error of the engine; its class depends on the code.
pub fn raise(error: &EngineError) -> PyErr {
    let json = serde_json::to_string(error).unwrap_or_default();
    Python::attach(|py| {
        let made = py.import("cst_engine._errors").and_then(|module| module.call_method1("from_json", (json,)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// An error of a request that is not valid.
pub fn bad(message: impl Into<String>) -> PyErr {
    raise(&EngineError::new(ErrorCode::BadRequest, message))
}

/// The error of pickling something that belongs to a tree.
pub fn cannot_pickle(what: &str, instead: &str) -> PyErr {
    PyTypeError::new_err(format!("a {what} cannot be pickled, since it is a part of a parsed tree; {instead}"))
}
