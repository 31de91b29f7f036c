//! The numbers of a tree, each computed when it is first asked for.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::counts::{Counts, function_of};
use super::lines::Lines;
use super::measure::Measure;
use super::variables::Variables;
use crate::tree::{Node, Tree};

/// The cost of finding what a name is bound to, in visits of nodes.
const NAME: usize = 16;

/// The numbers of a tree's functions and lines.
#[derive(Debug)]
pub struct Measures<'t> {
    tree: &'t Tree,
    counts: OnceCell<Counts>,
    lines: OnceCell<Lines>,
    variables: OnceCell<Variables>,
}

impl<'t> Measures<'t> {
    /// The numbers of a tree; nothing is computed yet.
    pub fn new(tree: &'t Tree) -> Measures<'t> {
        Measures { tree, counts: OnceCell::new(), lines: OnceCell::new(), variables: OnceCell::new() }
    }

    /// The functions of the tree in order, lambdas left out: each as the definition to which it is bound, if there is one.
    pub fn functions(&self) -> Vec<Node> {
        let (table, metrics) = (self.tree.table(), &self.tree.language().spec().metrics);
        let is_function = |node: &Node| metrics.functions.contains(table.type_id(*node));
        let holders = &self.tree.language().spec().holders;
        let mut bound = FxHashSet::default();
        let mut found = Vec::new();
        if !metrics.is_known() {
            return found;
        }
        for node in table.nodes() {
            let holds = holders.of(table.type_id(node)).is_some();
            if let Some(value) =
                Some(node).filter(|_| holds).and_then(|node| self.tree.bound_value(node)).filter(is_function)
            {
                bound.insert(value);
                found.push(node);
            } else if is_function(&node) && !bound.contains(&node) {
                found.push(node);
            }
        }
        found
    }

    /// Whether a node is a function with numbers, or one is bound to it.
    pub fn has(&self, node: Node) -> bool {
        function_of(self.tree, node).is_some()
    }

    /// How many visits of nodes it takes to compute a number that is not known yet.
    pub fn cost(&self, measure: Measure) -> usize {
        let nodes = self.tree.table().len();
        let is_known = match measure {
            Measure::Comments | Measure::CodeLines => self.lines.get().is_some(),
            Measure::Locals => self.variables.get().is_some(),
            _ => self.counts.get().is_some(),
        };
        match measure {
            _ if is_known => 0,
            Measure::Comments | Measure::CodeLines => nodes + self.tree.text().len(),
            Measure::Locals => nodes * NAME,
            _ => nodes,
        }
    }

    /// A number of a node; `None` if it is no function, unless lines are counted.
    pub fn of(&self, node: Node, measure: Measure) -> Option<usize> {
        let (tree, numbers) = (self.tree, || self.counts.get_or_init(|| Counts::new(self.tree)).of(self.tree, node));
        let lines = || self.lines.get_or_init(|| Lines::new(tree));
        let (first, last) = tree.lines(node);
        match measure {
            Measure::Comments => Some(lines().comments(first, last)),
            Measure::CodeLines => Some(lines().code(first, last)),
            Measure::Locals => {
                let function = function_of(tree, node).filter(|_| measure.is_known(tree.language()))?;
                Some(self.variables.get_or_init(|| Variables::new(tree)).of(function))
            }
            Measure::Complexity => numbers().map(|numbers| numbers.complexity),
            Measure::Cognitive => numbers().map(|numbers| numbers.cognitive),
            Measure::Nesting => numbers().map(|numbers| numbers.nesting),
            Measure::Statements => numbers().map(|numbers| numbers.statements),
            Measure::Returns => numbers().map(|numbers| numbers.returns),
            Measure::Branches => numbers().map(|numbers| numbers.branches),
        }
    }
}
