//! Nodes: a tree and an index. Attributes are computed when they are read.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cst::engine::{EngineError, ErrorCode};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::errors::{cannot_pickle, raise};
use crate::matches::Matches;
use crate::tree::Tree;

/// The longest text that a `repr` shows.
const SHOWN: usize = 60;

/// A node of a tree.
#[pyclass(frozen, module = "cst_engine")]
#[derive(Clone)]
pub struct Node {
    pub tree: Tree,
    pub node: cst::Node,
}

/// A `Position` of Python: a line from 1, and a column in characters from 1.
pub fn position<'py>(py: Python<'py>, line: usize, column: usize) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class =
        CLASS.get_or_try_init(py, || PyResult::Ok(py.import("cst_engine._position")?.getattr("Position")?.unbind()))?;
    class.bind(py).call1((line, column))
}

/// A text on one line, cut where it is long.
pub fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(SHOWN).collect();
    if cut.len() < text.trim_end().len() { format!("{cut}…") } else { cut }
}

impl Node {
    fn with(&self, node: cst::Node) -> Node {
        Node { tree: self.tree.clone(), node }
    }

    fn own(&self) -> &cst::Tree {
        self.tree.tree()
    }

    fn is_same(&self, other: &Node) -> bool {
        Arc::ptr_eq(&self.tree.data, &other.tree.data) && self.node == other.node
    }

    pub fn shown(&self) -> String {
        let name = self.qualname().or_else(|| self.name());
        let name = name.map_or_else(|| format!("`{}`", shortened(&self.text())), |name| format!("{name:?}"));
        let (start, end) = (self.own().start(self.node), self.own().end(self.node));
        format!("{} {name} {start}-{end}", self.kind())
    }
}

#[pymethods]
impl Node {
    /// The tree that it belongs to.
    #[getter]
    fn tree(&self) -> Tree {
        self.tree.clone()
    }

    /// The id: `n31`. A node that an edit leaves alone keeps it in the new tree.
    #[getter]
    fn id(&self) -> String {
        self.own().id(self.node).to_string()
    }

    /// The most specific kind, the same in all languages: `method`; `node` if it has none.
    #[getter]
    fn kind(&self) -> &'static str {
        self.tree.data.kind(self.node)
    }

    /// The type in the grammar: `function_definition`.
    #[getter]
    fn r#type(&self) -> &'static str {
        self.own().type_name(self.node)
    }

    /// The field of the parent that it is in: `body`; None if it is in none.
    #[getter]
    fn field(&self) -> Option<&'static str> {
        Some(self.own().field_name(self.node)).filter(|name| !name.is_empty())
    }

    /// The name of a definition, or of what is imported, called and so on.
    #[getter]
    fn name(&self) -> Option<String> {
        self.own().name(self.node)
    }

    /// The name with those of the enclosing definitions: `Shop.open`.
    #[getter]
    fn qualname(&self) -> Option<String> {
        self.own().qualname(self.node)
    }

    /// The documentation of a definition, without quotes and comment signs.
    #[getter]
    fn doc(&self) -> Option<String> {
        self.own().doc(self.node)
    }

    /// The text.
    #[getter]
    fn text(&self) -> std::borrow::Cow<'_, str> {
        self.own().node_text(self.node)
    }

    /// Where it starts: line from 1, column in characters from 1.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let start = self.own().start(self.node);
        position(py, start.line, start.col())
    }

    /// Where it ends: the place after its last character.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let end = self.own().end(self.node);
        position(py, end.line, end.col())
    }

    /// The offset of its first byte in the text in UTF-8.
    #[getter]
    fn start_byte(&self) -> usize {
        self.own().span(self.node).start()
    }

    /// The offset after its last byte.
    #[getter]
    fn end_byte(&self) -> usize {
        self.own().span(self.node).end()
    }

    /// Whether it is a node of the language, and not a sign such as `(`.
    #[getter]
    fn is_named(&self) -> bool {
        self.own().table().is_named(self.node)
    }

    /// Whether it is, or contains, a syntax error.
    #[getter]
    fn has_error(&self) -> bool {
        self.own().table().has_error(self.node)
    }

    /// The node around it; None for the root.
    #[getter]
    fn parent(&self) -> Option<Node> {
        self.own().table().parent(self.node).map(|node| self.with(node))
    }

    /// The nodes around it, innermost first.
    #[getter]
    fn ancestors(&self) -> Vec<Node> {
        self.own().table().ancestors(self.node).map(|node| self.with(node)).collect()
    }

    /// The named nodes directly in it.
    #[getter]
    fn children(&self) -> Vec<Node> {
        self.own().named_children(self.node).map(|node| self.with(node)).collect()
    }

    /// All nodes directly in it, signs among them.
    #[getter]
    fn all_children(&self) -> Vec<Node> {
        self.own().table().children(self.node).map(|node| self.with(node)).collect()
    }

    /// All nodes in it and below, in the order of the text, itself first.
    fn walk(&self) -> Children {
        let index = self.node.index();
        let end = self.own().table().subtree_end(self.node);
        Children { tree: self.tree.clone(), next: std::sync::Mutex::new(index), end }
    }

    /// The child in a field: `body`, `parameters`; None if there is none.
    fn child(&self, field: &str) -> Option<Node> {
        self.own().child_by_field(self.node, field).map(|node| self.with(node))
    }

    /// The nodes that a selector, or a code pattern, finds among this node and those below.
    #[pyo3(signature = (selector=None, *, pattern=None, define=Vec::new()))]
    fn find(
        &self,
        py: Python<'_>,
        selector: Option<String>,
        pattern: Option<String>,
        define: Vec<String>,
    ) -> PyResult<Matches> {
        self.tree.select(py, selector, pattern, define, Some(self.node))
    }

    /// The id for an operation on a tree, which must be the node's own, or have the node from before an edit.
    fn _reference(&self, tree: &Bound<'_, Tree>) -> PyResult<String> {
        let other = tree.get();
        if Arc::ptr_eq(&other.data, &self.tree.data) {
            return Ok(self.id());
        }
        let message = format!("the {} belongs to another tree", self.shown());
        let error = EngineError::new(ErrorCode::StaleNode, message);
        Err(raise(&error.hint("look it up in the new one: `tree.node(node.id)`")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| self.is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        (Arc::as_ptr(&self.tree.data).addr(), self.node.index()).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> std::borrow::Cow<'_, str> {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Node {}>", self.shown())
    }

    fn __reduce__(&self) -> PyResult<Py<PyTuple>> {
        Err(cannot_pickle("Node", "pickle what you need of it, or `match.detach()`"))
    }
}

/// Nodes one after the other, in the order of the text.
#[pyclass(frozen, module = "cst_engine._native", name = "NodeIterator")]
pub struct Children {
    tree: Tree,
    next: std::sync::Mutex<usize>,
    end: usize,
}

#[pymethods]
impl Children {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Option<Node> {
        let mut next = self.next.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let node = self.tree.tree().table().range(*next, self.end).next()?;
        *next += 1;
        Some(Node { tree: self.tree.clone(), node })
    }
}
