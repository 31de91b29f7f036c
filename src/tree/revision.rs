//! The next revision: new text, new parse, and the ids carried over.

use std::sync::Arc;

use super::carry::{Carry, Intent};
use super::{ParseError, ParseLimits, Tree, parse, table_of};
use crate::text::EditSet;

/// A revision made from another, with what became of the old one's nodes.
#[derive(Debug)]
pub struct Edited {
    /// The new revision.
    pub tree: Tree,
    /// Old nodes to new ones.
    pub carry: Carry,
}

impl Tree {
    /// The next revision. Nodes that the edits left alone keep their ids; what `intent` says was replaced keeps the ids
    /// it claims; all others get new ones.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn edit(&self, edits: &EditSet, intent: &Intent, limits: &ParseLimits) -> Result<Edited, ParseError> {
        let text = self.text.apply(edits);
        // In a broken text the parser's recovery depends on the way it came; from scratch it depends on the text alone.
        // Where much changes there is little to keep, and to tell the old parse of each edit costs more than a new one.
        const MANY: usize = 2_000;
        let parsed = self.parsed.as_ref().filter(|_| self.is_sound() && edits.len() < MANY);
        let edited = parsed.map(|parsed| parsed.edited(&self.text, edits));
        let mut fresh = parse::parse(&text, self.language, edited.as_ref(), limits)?;
        if edited.is_some() && fresh.parsed.tree().root_node().has_error() {
            fresh = parse::parse(&text, self.language, None, limits)?;
        }
        let table = Arc::new(table_of(&fresh, self.language, &text, limits)?);
        let parsed = fresh.parsed;
        let carry = Carry::new(self, &table, edits, intent);
        let ids = self.ids.carried(carry.preimages());
        let path = self.path.clone();
        let tree =
            Tree { language: self.language, text, table, parsed: Some(parsed), ids, logical: Arc::default(), path };
        Ok(Edited { tree, carry })
    }

    /// The same tree, in which no id below `next` is given any more.
    #[must_use]
    pub fn skipping_ids_to(mut self, next: u32) -> Tree {
        self.ids.skip_to(next);
        self
    }
}
