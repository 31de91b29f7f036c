//! Trees: parsed, searched, edited.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use cst::engine::{FindRequest, Gate, ModifyRequest, Operation, Reading, RewriteRequest, Target, TextTarget};
use cst::selector::Kinds;
use cst::text::unified;
use cst::{NodeId, Text};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::errors::{bad, cannot_pickle, raise, raise_in_arguments};
use crate::matches::{Match, Matches};
use crate::node::{Node, shortened};
use crate::running::shared;

/// A tree, and what was found out about it.
pub struct TreeData {
    pub tree: cst::Tree,
    /// The kind of each node, from when one was first asked for: an index into `KindTable::names`.
    kinds: OnceLock<KindTable>,
    /// The text before the edit that made this tree.
    before: Option<Text>,
    /// How many places that edit changed.
    changes: usize,
}

#[derive(Default)]
struct KindTable {
    names: Vec<&'static str>,
    of_nodes: Vec<u8>,
}

impl TreeData {
    fn new(tree: cst::Tree) -> TreeData {
        // The parser's own tree is by far the largest part, and an edit parses the statements that it changes.
        TreeData { tree, kinds: OnceLock::new(), before: None, changes: 0 }
    }

    /// The most specific kind of a node. All are computed at once, since few programs ask for one alone.
    pub fn kind(&self, node: cst::Node) -> &'static str {
        let table = self.kinds.get_or_init(|| {
            let kinds = Kinds::new(&self.tree);
            let mut table = KindTable::default();
            for node in self.tree.table().nodes() {
                let name = kinds.kind(node);
                let known = table.names.iter().position(|known| std::ptr::eq(*known, name) || *known == name);
                let place = known.unwrap_or_else(|| {
                    table.names.push(name);
                    table.names.len() - 1
                });
                table.of_nodes.push(u8::try_from(place).unwrap_or(u8::MAX));
            }
            table
        });
        table
            .of_nodes
            .get(node.index())
            .and_then(|place| table.names.get(usize::from(*place)))
            .copied()
            .unwrap_or("node")
    }
}

/// A parsed text. It never changes: `edit` and `rewrite` return a new tree.
#[pyclass(frozen, module = "cst_engine", weakref)]
#[derive(Clone)]
pub struct Tree {
    pub data: Arc<TreeData>,
}

impl Tree {
    fn of(tree: cst::Tree) -> Tree {
        Tree { data: Arc::new(TreeData::new(tree)) }
    }

    fn edited(&self, tree: cst::Tree, changes: usize) -> Tree {
        let before = Some(self.data.tree.text().clone());
        Tree { data: Arc::new(TreeData { before, changes, ..TreeData::new(tree) }) }
    }

    pub fn tree(&self) -> &cst::Tree {
        &self.data.tree
    }
}

/// Parses a text: a str, or the bytes of a file, which are decoded as they say.
#[pyfunction]
#[pyo3(signature = (source, language=None, *, path=None, encoding=None))]
pub fn parse(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    language: Option<&str>,
    path: Option<PathBuf>,
    encoding: Option<String>,
) -> PyResult<Tree> {
    let path = path.map(|path| path.to_string_lossy().into_owned());
    if language.is_none() && path.is_none() {
        return Err(bad("give the language of the text, or a path that says it"));
    }
    let engine = shared()?;
    let parsed = if let Ok(text) = source.cast::<PyString>() {
        if encoding.is_some() {
            return Err(PyTypeError::new_err("a str is decoded already: encoding is for bytes"));
        }
        let mut target = TextTarget::default();
        target.text = text.to_cow()?.into_owned();
        target.name = path;
        target.language = language.map(str::to_owned);
        py.detach(|| engine.parse_text(target))
    } else if let Ok(bytes) = source.cast::<PyBytes>() {
        let bytes = bytes.as_bytes().to_vec();
        let mut reading = Reading::default();
        reading.language = language.map(str::to_owned);
        reading.encoding = encoding;
        py.detach(|| engine.parse_bytes(bytes, path.as_deref(), &reading))
    } else {
        return Err(PyTypeError::new_err("source must be str or bytes"));
    };
    parsed.map(Tree::of).map_err(|error| raise_in_arguments(&error))
}

/// Parses a file. Its name or its text decides the language.
#[pyfunction]
#[pyo3(signature = (path, language=None, *, encoding=None))]
pub fn parse_file(py: Python<'_>, path: PathBuf, language: Option<String>, encoding: Option<String>) -> PyResult<Tree> {
    // What Python programs expect for a file that cannot be read.
    let read = std::fs::metadata(&path).and_then(|facts| match facts.is_dir() {
        true => std::fs::read(&path).map(drop),
        false => Ok(()),
    });
    if let Err(error) = read {
        return Err(missing(py, &error, &path));
    }
    let engine = shared()?;
    let mut reading = Reading::default();
    reading.language = language;
    reading.encoding = encoding;
    py.detach(|| engine.parse_file(&path, &reading)).map(Tree::of).map_err(|error| raise_in_arguments(&error))
}

/// An OSError with the number and the file.
fn missing(py: Python<'_>, error: &std::io::Error, path: &std::path::Path) -> PyErr {
    let name = path.to_string_lossy().into_owned();
    let Some(number) = error.raw_os_error() else { return PyErr::from(std::io::Error::from(error.kind())) };
    let reason = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
    match reason {
        Ok(reason) => PyErr::new::<pyo3::exceptions::PyOSError, _>((number, reason.unbind(), name)),
        Err(error) => error,
    }
}

/// The request of a selector or a pattern.
pub fn find_request(selector: Option<String>, pattern: Option<String>, define: Vec<String>) -> FindRequest {
    let mut request = FindRequest::default();
    request.selector = selector;
    request.pattern = pattern;
    request.define = define;
    request
}

/// The gates of names.
fn gates(allow: Vec<String>) -> PyResult<Vec<Gate>> {
    let gate = |name: &String| {
        Gate::named(name).ok_or_else(|| bad(format!("unknown gate `{name}`; there are `syntax` and `structure`")))
    };
    allow.iter().map(gate).collect()
}

impl Tree {
    pub fn select(
        &self,
        py: Python<'_>,
        selector: Option<String>,
        pattern: Option<String>,
        define: Vec<String>,
        within: Option<cst::Node>,
    ) -> PyResult<Matches> {
        let request = find_request(selector, pattern, define);
        let engine = shared()?;
        let found = py.detach(|| {
            let tree = self.tree();
            let mut found = engine.find_in(tree, &request)?;
            if let Some(within) = within {
                found.retain(|found| tree.table().is_within(found.node, within));
            }
            Ok(found)
        });
        Ok(Matches { tree: self.clone(), found: Arc::new(found.map_err(|error| raise(&error))?) })
    }
}

#[pymethods]
impl Tree {
    /// The text.
    #[getter]
    fn text(&self) -> String {
        self.tree().text().to_string()
    }

    /// The text in its encoding: the bytes of a file.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.tree().text().encode().map_err(|error| bad(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The name of the encoding: `utf-8`.
    #[getter]
    fn encoding(&self) -> String {
        self.tree().text().encoding().name()
    }

    /// The name of the language.
    #[getter]
    fn language(&self) -> &'static str {
        self.tree().language().name()
    }

    /// The path of the file, if it is one.
    #[getter]
    fn path(&self) -> Option<&str> {
        self.tree().path().filter(|path| !path.is_empty())
    }

    /// The node of the whole text.
    #[getter]
    fn root(&self) -> Node {
        Node { tree: self.clone(), node: self.tree().root() }
    }

    /// The syntax errors, as (line, column, message).
    #[getter]
    fn errors(&self) -> Vec<(usize, usize, String)> {
        let errors = self.tree().errors().into_iter();
        errors.map(|error| (error.position.line, error.position.col(), error.what)).collect()
    }

    /// How many places the edit changed that made this tree; 0 for one that was parsed.
    #[getter]
    fn changes(&self) -> usize {
        self.data.changes
    }

    /// The nodes that a selector, or a code pattern, finds, in the order of the text.
    #[pyo3(signature = (selector=None, *, pattern=None, define=Vec::new()))]
    fn find(
        &self,
        py: Python<'_>,
        selector: Option<String>,
        pattern: Option<String>,
        define: Vec<String>,
    ) -> PyResult<Matches> {
        self.select(py, selector, pattern, define, None)
    }

    /// The first match, or None.
    #[pyo3(signature = (selector=None, *, pattern=None, define=Vec::new()))]
    fn first(
        &self,
        py: Python<'_>,
        selector: Option<String>,
        pattern: Option<String>,
        define: Vec<String>,
    ) -> PyResult<Option<Match>> {
        let matches = self.select(py, selector, pattern, define, None)?;
        Ok(if matches.found.is_empty() { None } else { Some(matches.at(0)) })
    }

    /// The node with an id, such as `n31`; None if the tree has none.
    fn node(&self, id: &str) -> Option<Node> {
        let node = self.tree().node(NodeId::parse(id)?)?;
        Some(Node { tree: self.clone(), node })
    }

    /// The innermost named node at a line, from 1, and a column, in characters from 1.
    #[pyo3(signature = (line, column=1))]
    fn at(&self, line: usize, column: usize) -> PyResult<Node> {
        let tree = self.tree();
        let position = cst::text::Position::counted(line, column);
        let offset = position.and_then(|position| tree.text().offset(position));
        let offset =
            offset.ok_or_else(|| PyValueError::new_err(format!("the text has no line {line}, column {column}")))?;
        let mut node = tree.table().smallest_around(cst::Span::at(offset));
        while !tree.table().is_named(node)
            && let Some(parent) = tree.table().parent(node)
        {
            node = parent;
        }
        Ok(Node { tree: self.clone(), node })
    }

    /// A new tree with operations applied: all of them or, with an error, none.
    #[pyo3(signature = (operations, *, define=Vec::new(), allow=Vec::new()))]
    fn edit(
        slf: &Bound<'_, Self>,
        operations: &Bound<'_, PyAny>,
        define: Vec<String>,
        allow: Vec<String>,
    ) -> PyResult<Tree> {
        let py = slf.py();
        let module = py.import("cst_engine._operations")?;
        let json: String = module.call_method1("encode", (operations, slf))?.extract()?;
        let operations: Vec<Operation> = match serde_json::from_str::<Vec<serde_json::Value>>(&json) {
            Ok(values) => values
                .iter()
                .map(|value| Operation::read(value).map_err(|error| raise(&error)))
                .collect::<PyResult<_>>()?,
            Err(error) => return Err(bad(error.to_string())),
        };
        let own = slf.get();
        let mut request = ModifyRequest::new(Target::text("", ""), operations);
        request.define = define;
        request.allow = gates(allow)?;
        let engine = shared()?;
        let outcome = py.detach(|| engine.modify_tree(own.tree(), &request)).map_err(|error| raise(&error))?;
        let changes = outcome.edits.len();
        Ok(own.edited(outcome.tree, changes))
    }

    /// A new tree in which every match is replaced by a template.
    #[pyo3(signature = (selector=None, template=None, *, pattern=None, define=Vec::new(), allow=Vec::new()))]
    fn rewrite(
        &self,
        py: Python<'_>,
        selector: Option<String>,
        template: Option<String>,
        pattern: Option<String>,
        define: Vec<String>,
        allow: Vec<String>,
    ) -> PyResult<Tree> {
        let mut request = RewriteRequest::default();
        request.selector = selector;
        request.pattern = pattern;
        request.template = template.ok_or_else(|| PyTypeError::new_err("template is missing"))?;
        request.define = define;
        request.allow = gates(allow)?;
        let engine = shared()?;
        let done = py.detach(|| engine.rewrite_tree(self.tree(), &request)).map_err(|error| raise(&error))?;
        Ok(self.edited(done.outcome.tree, done.changed))
    }

    /// The unified diff from another tree to this one; by default from the tree that was edited. Empty if they are equal.
    #[pyo3(signature = (old=None, *, path=None))]
    fn diff(&self, py: Python<'_>, old: Option<&Bound<'_, Tree>>, path: Option<PathBuf>) -> String {
        let path = path.map(|path| path.to_string_lossy().into_owned());
        let path = path.as_deref().or(self.path()).unwrap_or("text");
        let new = self.tree().text();
        let old = match old {
            Some(old) => old.get().tree().text(),
            None => self.data.before.as_ref().unwrap_or(new),
        };
        py.detach(|| unified(path, old, new))
    }

    /// The number of nodes.
    fn __len__(&self) -> usize {
        self.tree().table().len()
    }

    /// A tree is never empty.
    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let path = self.path().map(|path| format!(" {path}")).unwrap_or_default();
        let (lines, nodes) = (self.tree().text().line_count(), self.tree().table().len());
        let errors = match self.tree().errors().len() {
            0 => String::new(),
            1 => ", 1 syntax error".to_owned(),
            errors => format!(", {errors} syntax errors"),
        };
        format!("<Tree {}{}: {lines} lines, {nodes} nodes{errors}>", self.language(), shortened(&path))
    }

    fn __reduce__(&self) -> PyResult<Py<PyTuple>> {
        Err(cannot_pickle("Tree", "pickle `tree.bytes` with `tree.language` and parse it again"))
    }

    fn __copy__(&self) -> Tree {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Tree {
        self.clone()
    }
}
