//! The next revision: new text, new parse, and the ids that nodes keep.

use std::sync::Arc;

use super::node_map::{EditIntent, NodeMap};
use super::{ParseError, ParseLimits, Tree, parse, table_of};
use crate::text::EditSet;

/// A new revision, and what became of the nodes of the old one.
#[derive(Debug)]
pub struct Edited {
    /// The new revision.
    pub tree: Tree,
    /// The mapping between old and new nodes.
    pub node_map: NodeMap,
}

impl Tree {
    /// Makes the next revision. Nodes that the edits left alone keep their ids, and so do claims of `intent`. All
    /// others get new ids.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn edit(&self, edits: &EditSet, intent: &EditIntent, limits: &ParseLimits) -> Result<Edited, ParseError> {
        let text = self.text.apply(edits);
        // In broken text, error recovery of an incremental parse depends on the old parse; from scratch it depends on
        // the text alone. After many edits there is little to reuse, and reporting each edit to the old parse costs
        // more than a new one.
        const MANY: usize = 2_000;
        let parsed = self.parsed.as_ref().filter(|_| self.is_sound() && edits.len() < MANY);
        let edited = parsed.map(|parsed| parsed.edited(&self.text, edits));
        let mut fresh = parse::parse(&text, self.language, edited.as_ref(), limits)?;
        if edited.is_some() && fresh.parsed.tree().root_node().has_error() {
            fresh = parse::parse(&text, self.language, None, limits)?;
        }
        let table = Arc::new(table_of(&fresh, self.language, &text, limits)?);
        let parsed = fresh.parsed;
        let node_map = NodeMap::new(self, &table, edits, intent);
        let ids = self.ids.carried(node_map.preimages());
        let path = self.path.clone();
        let tree =
            Tree { language: self.language, text, table, parsed: Some(parsed), ids, attachments: Arc::default(), path };
        Ok(Edited { tree, node_map })
    }

    /// The same tree, which assigns no id below `next` from now on.
    #[must_use]
    pub fn reserve_ids_below(mut self, next: u32) -> Tree {
        self.ids.skip_to(next);
        self
    }
}
