//! Parts that several selectors have in common.

use std::cell::RefCell;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::ir::List;

/// Parts of selectors of one language with the same definitions. Equal ones get equal ids, so that an evaluation of several queries
/// computes each once in a tree.
#[derive(Debug, Default)]
pub struct SharedParts {
    /// The ids of a list and of its chains, by what it says.
    ids: RefCell<FxHashMap<String, Vec<usize>>>,
}

impl SharedParts {
    /// A list, with the ids of one that was seen before and says the same.
    pub(super) fn with_common_ids(&self, mut list: List) -> List {
        // What captures bind is part of one match of one query.
        if list.binds() || list.has_variables() {
            return list;
        }
        let mut ids = self.ids.borrow_mut();
        let own = || std::iter::once(list.id).chain(list.chains.iter().map(|chain| chain.id)).collect();
        let common = ids.entry(said(&list)).or_insert_with(own);
        list.id = common[0];
        for (chain, &id) in list.chains.iter_mut().zip(&common[1..]) {
            chain.id = id;
        }
        list
    }

    /// How many different parts were seen.
    pub fn len(&self) -> usize {
        self.ids.borrow().len()
    }

    /// Whether none was seen.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The content of a list: the steps of its chains as they are written, and how they are related.
fn said(list: &List) -> String {
    let mut said = String::new();
    for chain in &list.chains {
        for step in &chain.steps {
            let _ = write!(said, "{:?}{}\u{1}", step.axis_step, step.text);
        }
        said.push('\u{2}');
    }
    said
}
