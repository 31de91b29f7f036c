//! Many queries over one tree.

use std::cell::RefCell;

use super::error::SelectorError;
use super::evaluate::Evaluator;
use super::query::{Match, Query};
use crate::tree::Tree;

/// Evaluates queries over one tree: what they have in common is computed once.
pub struct Evaluation<'t> {
    tree: &'t Tree,
    evaluator: RefCell<Evaluator<'t>>,
}

impl<'t> Evaluation<'t> {
    /// An evaluation over a tree.
    pub fn new(tree: &'t Tree) -> Evaluation<'t> {
        Evaluation { tree, evaluator: RefCell::new(Evaluator::new(tree)) }
    }

    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The matches of a query, in document order. Each query has a budget of its own.
    ///
    /// # Errors
    /// If it takes too long.
    pub fn select(&self, query: &Query) -> Result<Vec<Match>, SelectorError> {
        let mut evaluator = self.evaluator.borrow_mut();
        evaluator.refill();
        let found = query.select_with(&evaluator);
        if found.is_err() {
            *evaluator = Evaluator::new(self.tree);
        }
        found
    }
}
