//! Matches: nodes with what the selector captures. They are made one by one, as Python asks for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cst::tree::Captured;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple};

use crate::errors::cannot_pickle;
use crate::node::{Node, shortened};
use crate::search::Hit;
use crate::tree::Tree;

type Found = Arc<Vec<cst::Match>>;

/// A node that a selector found, and its captures.
#[pyclass(frozen, module = "cst_engine")]
pub struct Match {
    tree: Tree,
    found: Found,
    index: usize,
}

impl Match {
    fn own(&self) -> &cst::Match {
        &self.found[self.index]
    }

    fn capture(&self, captured: Captured) -> Capture {
        Capture { tree: self.tree.clone(), captured }
    }
}

#[pymethods]
impl Match {
    /// The node.
    #[getter]
    fn node(&self) -> Node {
        Node { tree: self.tree.clone(), node: self.own().node }
    }

    /// What the selector captures, by name: `@c` as `c`, `$X` of a pattern as `X`.
    #[getter]
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let captures = PyDict::new(py);
        for (name, captured) in &self.own().captures {
            captures.set_item(name, self.capture(*captured))?;
        }
        Ok(captures)
    }

    /// The match without its tree: plain data, which can be pickled.
    fn detach(&self) -> Hit {
        Hit::of(&self.tree, self.own())
    }

    fn __getitem__(&self, name: &str) -> PyResult<Capture> {
        let known = self.own().captures.iter().find(|(known, _)| known == name);
        let missing = || {
            let names: Vec<&str> = self.own().captures.iter().map(|(name, _)| name.as_str()).collect();
            PyKeyError::new_err(format!("no capture `{name}`; there are: {}", names.join(", ")))
        };
        known.map(|(_, captured)| self.capture(*captured)).ok_or_else(missing)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.own().captures.iter().any(|(known, _)| known == name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Match>() else { return false };
        let other = other.get();
        Arc::ptr_eq(&self.tree.data, &other.tree.data) && self.own() == other.own()
    }

    fn __hash__(&self) -> u64 {
        self.own().node.index() as u64
    }

    fn __repr__(&self) -> String {
        let captures: Vec<String> = self.own().captures.iter().map(|(name, _)| format!(" {name}")).collect();
        let captures = if captures.is_empty() { String::new() } else { format!(", captures{}", captures.join(",")) };
        format!("<Match {}{captures}>", self.node().shown())
    }

    fn __reduce__(&self) -> PyResult<Py<PyTuple>> {
        Err(cannot_pickle("Match", "pickle `match.detach()`, which has the same facts without the tree"))
    }
}

/// What is captured: a node, several siblings with what is between them, or nothing.
#[pyclass(frozen, module = "cst_engine")]
pub struct Capture {
    tree: Tree,
    captured: Captured,
}

#[pymethods]
impl Capture {
    /// The text; empty if nothing was captured.
    #[getter]
    fn text(&self) -> String {
        self.captured.text(self.tree.tree())
    }

    /// The node, if it is a single one.
    #[getter]
    fn node(&self) -> Option<Node> {
        Some(Node { tree: self.tree.clone(), node: self.captured.node()? })
    }

    /// The named nodes in order.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        let nodes = self.captured.nodes(self.tree.tree()).into_iter();
        nodes.map(|node| Node { tree: self.tree.clone(), node }).collect()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Capture `{}`>", shortened(&self.text()))
    }

    fn __reduce__(&self) -> PyResult<Py<PyTuple>> {
        Err(cannot_pickle("Capture", "pickle its text"))
    }
}

/// The matches of a selector in a tree, in the order of the text.
#[pyclass(frozen, sequence, module = "cst_engine")]
pub struct Matches {
    pub tree: Tree,
    pub found: Found,
}

impl Matches {
    pub fn at(&self, index: usize) -> Match {
        Match { tree: self.tree.clone(), found: self.found.clone(), index }
    }
}

#[pymethods]
impl Matches {
    fn __len__(&self) -> usize {
        self.found.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(self.found.len() as isize)?;
            let places = (0..indices.slicelength).map(|step| indices.start + step as isize * indices.step);
            let matches: Vec<Match> = places.map(|place| self.at(place as usize)).collect();
            return Ok(PyList::new(py, matches)?.into_any());
        }
        let index: isize = index.extract()?;
        let length = self.found.len() as isize;
        let index = if index < 0 { index + length } else { index };
        if index < 0 || index >= length {
            return Err(PyIndexError::new_err(format!("there are {length} matches")));
        }
        Ok(Bound::new(py, self.at(index as usize))?.into_any())
    }

    fn __iter__(&self) -> MatchIterator {
        MatchIterator { tree: self.tree.clone(), found: self.found.clone(), next: AtomicUsize::new(0) }
    }

    /// The nodes alone.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        self.found.iter().map(|found| Node { tree: self.tree.clone(), node: found.node }).collect()
    }

    fn __repr__(&self) -> String {
        match self.found.len() {
            1 => "<Matches: 1 match>".to_owned(),
            count => format!("<Matches: {count} matches>"),
        }
    }

    /// A table for notebooks.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("cst_engine._html")?.call_method1("of_matches", (slf,))?.unbind())
    }

    fn __reduce__(&self) -> PyResult<Py<PyTuple>> {
        Err(cannot_pickle("Matches", "pickle `[match.detach() for match in matches]`"))
    }
}

/// Matches one after the other.
#[pyclass(frozen, module = "cst_engine._native")]
pub struct MatchIterator {
    tree: Tree,
    found: Found,
    next: AtomicUsize,
}

#[pymethods]
impl MatchIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Option<Match> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.found.len()).then(|| Match { tree: self.tree.clone(), found: self.found.clone(), index })
    }

    fn __length_hint__(&self) -> usize {
        self.found.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
