//! One walk over the table of a tree, which counts for all functions that are open at a node.

use rustc_hash::FxHashMap;

use super::numbers::Numbers;
use crate::language::{Metrics, TypeId};
use crate::tree::{Node, Table, Tree};

/// How many of the functions around a call are compared with its name.
const CALLERS: usize = 4;

/// The numbers of all functions of a tree.
#[derive(Debug)]
pub struct Counts {
    by_function: FxHashMap<Node, Numbers>,
}

impl Counts {
    /// Counts for all functions of a tree; for none in a language without `[metrics]`.
    pub fn new(tree: &Tree) -> Counts {
        let mut walk = Walk::new(tree);
        if walk.metrics.is_known() {
            let table = tree.table();
            table.nodes().for_each(|node| walk.visit(node));
            walk.close(table.len());
        }
        Counts { by_function: walk.by_function }
    }

    /// The numbers of a function: of the one bound to a definition, if that is asked for.
    pub fn of(&self, tree: &Tree, node: Node) -> Option<Numbers> {
        function_of(tree, node).and_then(|function| self.by_function.get(&function)).copied()
    }
}

/// The function that a node is, or that is bound to it.
pub(super) fn function_of(tree: &Tree, node: Node) -> Option<Node> {
    let is_function = |node: &Node| tree.language().spec().metrics.is_function(tree.table().type_id(*node));
    Some(node).filter(is_function).or_else(|| tree.bound_value(node).filter(is_function))
}

/// The strings that are documentation, in order.
pub(super) fn docstrings(tree: &Tree) -> Vec<Node> {
    if tree.language().spec().docs.statement.is_none() {
        return Vec::new();
    }
    let table = tree.table();
    let may_have = |&node: &Node| node == Node::ROOT || tree.language().role(table.type_id(node)).scope;
    let mut strings: Vec<Node> = table.nodes().filter(may_have).filter_map(|node| tree.docstring(node)).collect();
    strings.sort_unstable();
    strings
}

/// A function whose nodes are being visited.
struct Open {
    node: Node,
    end: usize,
    name: Option<String>,
    calls_itself: bool,
    /// How deep it is for the function around.
    depth: usize,
    /// How many nodes add more to the cognitive complexity, the deeper they are.
    structures: usize,
    numbers: Numbers,
}

/// A node that is deeper than the function around.
struct Level {
    node: Node,
    end: usize,
    /// By how much what is in it adds to the cognitive complexity.
    cognitive: usize,
    /// How deep control structures are nested.
    nesting: usize,
}

/// An expression of boolean operators, and the last of them.
struct Logic {
    end: usize,
    last: Option<Operator>,
}

/// A boolean operator: its type, and its text where that is asked for.
#[derive(PartialEq, Eq)]
struct Operator {
    type_id: TypeId,
    word: Option<String>,
}

struct Walk<'t> {
    tree: &'t Tree,
    table: &'t Table,
    metrics: &'t Metrics,
    docstrings: Vec<Node>,
    functions: Vec<Open>,
    levels: Vec<Level>,
    logic: Vec<Logic>,
    by_function: FxHashMap<Node, Numbers>,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree) -> Walk<'t> {
        Walk {
            tree,
            table: tree.table(),
            metrics: &tree.language().spec().metrics,
            docstrings: docstrings(tree),
            functions: Vec::new(),
            levels: Vec::new(),
            logic: Vec::new(),
            by_function: FxHashMap::default(),
        }
    }

    /// Closes what ends before an index.
    fn close(&mut self, index: usize) {
        while self.logic.last().is_some_and(|logic| logic.end <= index) {
            self.logic.pop();
        }
        while self.levels.last().is_some_and(|level| level.end <= index) {
            self.levels.pop();
        }
        while let Some(closed) = self.functions.pop_if(|function| function.end <= index) {
            self.close_function(closed);
        }
    }

    fn close_function(&mut self, closed: Open) {
        let Open { node, calls_itself, depth, structures, mut numbers, .. } = closed;
        let is_lambda = self.metrics.lambdas.contains(self.table.type_id(node));
        if let Some(around) = self.functions.last_mut() {
            around.numbers.statements += numbers.statements - Numbers::EMPTY.statements;
            if is_lambda {
                around.numbers.complexity += numbers.complexity - Numbers::EMPTY.complexity;
            }
            if !self.metrics.cognitive_apart {
                around.numbers.cognitive += numbers.cognitive + structures * depth;
                around.structures += structures;
            }
        }
        numbers.cognitive += usize::from(calls_itself);
        self.by_function.insert(node, numbers);
    }

    fn visit(&mut self, node: Node) {
        self.close(node.index());
        let (table, metrics) = (self.table, self.metrics);
        self.leave_level(node);
        let id = table.type_id(node);
        if metrics.counts_recursion && !self.functions.is_empty() {
            self.count_call(node);
        }
        if !metrics.statement_places.is_empty() {
            self.count_place(node, id);
        }
        if !metrics.counted.contains(id) {
            return;
        }
        if metrics.is_function(id) {
            self.open_function(node);
            return;
        }
        if self.functions.is_empty() {
            return;
        }
        self.count_operator(node);
        self.count(node);
    }

    /// Makes a condition as deep as its structure.
    fn leave_level(&mut self, node: Node) {
        let Some(level) = self.levels.last() else { return };
        let is_condition = self.table.parent(node) == Some(level.node)
            && self.table.is_named(node)
            && self.table.place_of(node, &self.metrics.conditions).is_some();
        if is_condition {
            let cognitive = level.cognitive.saturating_sub(1);
            let nesting = level.nesting;
            self.levels.push(Level { node, end: self.table.subtree_end(node), cognitive, nesting });
        }
    }

    fn open_function(&mut self, node: Node) {
        let depth = self.levels.last().map_or(0, |level| level.cognitive);
        let is_decorator = self.functions.last().is_some_and(|around| self.is_decorator(around.node));
        let depth = if is_decorator { depth } else { depth + 1 };
        let end = self.table.subtree_end(node);
        let name = if self.metrics.counts_recursion { self.tree.name(node) } else { None };
        let numbers = Numbers::EMPTY;
        self.functions.push(Open { node, end, name, calls_itself: false, depth, structures: 0, numbers });
        self.levels.push(Level { node, end, cognitive: 0, nesting: 0 });
    }

    /// Whether a function has another one and its return in it, and nothing else.
    fn is_decorator(&self, node: Node) -> bool {
        let table = self.table;
        if !self.metrics.looks_through_decorators {
            return false;
        }
        let mut statements = self.tree.body(node).into_iter().flat_map(|body| self.tree.named_children(body));
        let inner = statements.next().map(|first| table.type_id(self.tree.inner(first).unwrap_or(first)));
        let last = statements.next();
        statements.next().is_none()
            && inner.is_some_and(|id| self.metrics.functions.contains(id))
            && last.is_some_and(|last| table.fits_any(last, &self.metrics.returns))
    }

    /// Marks the functions that a call calls by their own name.
    fn count_call(&mut self, node: Node) {
        if self.tree.language().spec().callees.of(self.table.type_id(node)).is_none() {
            return;
        }
        let Some(callee) = self.tree.callee_text(node) else { return };
        for function in self.functions.iter_mut().rev().take(CALLERS) {
            function.calls_itself |= function.name.as_deref() == Some(&callee);
        }
    }

    fn count_operator(&mut self, node: Node) {
        if self.is_logical(node) && !self.is_in_logic(node) {
            self.logic.push(Logic { end: self.table.subtree_end(node), last: None });
        }
        let Some(operator) = self.table.parent(node).and_then(|parent| self.operator(parent, node)) else { return };
        let operator = Some(operator);
        let is_new = self.logic.last().is_none_or(|logic| logic.last != operator);
        if let Some(logic) = self.logic.last_mut() {
            logic.last = operator;
        }
        if let Some(function) = self.functions.last_mut() {
            function.numbers.complexity += 1;
            function.numbers.cognitive += usize::from(is_new);
        }
    }

    /// The boolean operator that a child of an expression is.
    fn operator(&self, expression: Node, child: Node) -> Option<Operator> {
        let (table, metrics) = (self.table, self.metrics);
        let type_id = table.type_id(child);
        metrics.logical.of(table.type_id(expression)).filter(|operators| operators.contains(type_id))?;
        let word = (!metrics.logical_words.is_empty()).then(|| self.tree.node_text(child).into_owned());
        let is_it = word.as_ref().is_none_or(|word| metrics.logical_words.contains(word));
        is_it.then_some(Operator { type_id, word })
    }

    /// Whether an expression has a boolean operator.
    fn is_logical(&self, node: Node) -> bool {
        self.metrics.logical.of(self.table.type_id(node)).is_some()
            && self.table.children(node).any(|child| self.operator(node, child).is_some())
    }

    /// Whether an expression is an operand of another one, parentheses left out.
    fn is_in_logic(&self, node: Node) -> bool {
        let is_group = |outer: &Node| self.metrics.groups.contains(self.table.type_id(*outer));
        self.table.ancestors(node).find(|outer| !is_group(outer)).is_some_and(|outer| self.is_logical(outer))
    }

    /// Counts a node that is a statement because of its place.
    fn count_place(&mut self, node: Node, id: TypeId) {
        let (table, metrics) = (self.table, self.metrics);
        let is_statement = table.is_named(node)
            && !metrics.not_statements.contains(id)
            && table.place_of(node, &metrics.statement_places).is_some()
            && !self.tree.is_comment(node);
        if let Some(function) = self.functions.last_mut().filter(|_| is_statement) {
            function.numbers.statements += 1;
        }
    }

    fn count(&mut self, node: Node) {
        let (table, metrics) = (self.table, self.metrics);
        let level = self.levels.last();
        let (depth, nesting) = level.map_or((0, 0), |level| (level.cognitive, level.nesting));
        let fits = |patterns| table.fits_any(node, patterns);
        let is_statement = fits(&metrics.statements) && !self.is_documentation(node);
        let is_structure = fits(&metrics.structures);
        let is_chained = is_structure && fits(&metrics.chained);
        let is_deeper = (is_structure && !is_chained) || fits(&metrics.choices);
        let nests = (is_structure && !is_chained) || fits(&metrics.blocks);
        let Some(function) = self.functions.last_mut() else { return };
        let numbers = &mut function.numbers;
        numbers.complexity += usize::from(fits(&metrics.decisions));
        numbers.branches += usize::from(fits(&metrics.branches)) + usize::from(fits(&metrics.otherwise));
        numbers.returns += usize::from(fits(&metrics.returns));
        numbers.statements += usize::from(is_statement) * if fits(&metrics.twice) { 2 } else { 1 };
        numbers.cognitive += usize::from(fits(&metrics.flat));
        if is_deeper {
            numbers.cognitive += 1 + depth;
            function.structures += 1;
        }
        let nesting = nesting + usize::from(nests);
        numbers.nesting = numbers.nesting.max(nesting);
        if is_deeper || nests {
            let cognitive = depth + usize::from(is_deeper);
            self.levels.push(Level { node, end: table.subtree_end(node), cognitive, nesting });
        } else if is_chained {
            self.levels.push(Level { node, end: table.subtree_end(node), cognitive: depth, nesting });
        }
    }

    /// Whether a statement is the documentation of what it is in.
    fn is_documentation(&self, statement: Node) -> bool {
        let range = statement.index()..self.table.subtree_end(statement);
        let first = self.docstrings.partition_point(|string| string.index() < range.start);
        Some(self.table.type_id(statement)) == self.tree.language().spec().docs.statement
            && self.docstrings.get(first).is_some_and(|string| string.index() < range.end)
    }
}
