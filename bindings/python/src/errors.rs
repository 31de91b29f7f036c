//! Errors of the engine as exceptions of Python.

use cst::engine::{EngineError, ErrorCode, TERMS, Term};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The exception for an error of the engine; its class depends on the code. A hint has the names of requests.
pub fn raise(error: &EngineError) -> PyErr {
    raise_json(serde_json::to_string(error).unwrap_or_default())
}

/// The same, with the names that the functions of the module have for what a hint names.
pub fn raise_in_arguments(error: &EngineError) -> PyErr {
    let in_requests = |term| TERMS.iter().find(|(_, known, _)| *known == term).map(|(_, _, name)| *name);
    let name = |term| match term {
        Term::Encoding => Some("`encoding`"),
        Term::Language => Some("`language`"),
        Term::MaxSize => Some("`max_size`"),
        term => in_requests(term),
    };
    let mut json = serde_json::to_value(error).unwrap_or_default();
    if let Some(hint) = error.details.hint.as_ref().and_then(|hint| hint.worded(name)) {
        json["hint"] = hint.into();
    }
    raise_json(json.to_string())
}

fn raise_json(json: String) -> PyErr {
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
