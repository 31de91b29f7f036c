//! The next revision: new text, new parse, and the ids that nodes keep.

use std::sync::Arc;

use super::ids::Ids;
use super::node_map::{EditIntent, NodeMap};
use super::{ParseError, ParseLimits, Parsed, Table, Tree, parse, statements, table_of};
use crate::text::{EditSet, Text};

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
        if let Some(part) = &self.part {
            let (part, table) = self.edited_part(part, &text, edits, limits)?;
            let mut edited = self.next(text, table, None, edits, intent);
            edited.tree.part = Some(Arc::new(part));
            return Ok(edited);
        }
        parse::check(&text, self.language, limits)?;
        if !self.reads_arguments
            && let Some(table) = statements::reparse(self, &text, edits, limits)?
        {
            // What tree-sitter knows is kept for a later parse of the whole, as long as the edits to report are few.
            const FEW: usize = 16;
            let parsed = self.parsed.as_ref().filter(|_| edits.len() <= FEW);
            let parsed = parsed.map(|parsed| parsed.edited(&self.text, edits));
            return Ok(self.next(text, table, parsed, edits, intent));
        }
        // In broken text, error recovery of an incremental parse depends on the old parse; from scratch it depends on
        // the text alone. After many edits, or edits close to each other, there is little to reuse, and an incremental
        // parse costs more than a new one.
        const MANY: usize = 2_000;
        const BYTES_PER_EDIT: usize = 2_000;
        let is_sparse = edits.len() < MANY && (edits.len() == 1 || edits.len() * BYTES_PER_EDIT < text.len());
        let parsed = self.parsed.as_ref().filter(|_| self.is_sound() && is_sparse);
        let edited = parsed.map(|parsed| parsed.edited(&self.text, edits));
        let mut fresh = parse::parse(&text, self.language, edited.as_ref(), limits)?;
        if edited.is_some() && fresh.parsed.tree().root_node().has_error() {
            fresh = parse::parse(&text, self.language, None, limits)?;
        }
        let table = table_of(&fresh, self.language, &text, limits)?;
        Ok(self.next(text, table, Some(fresh.parsed), edits, intent))
    }

    fn next(&self, text: Text, table: Table, parsed: Option<Parsed>, edits: &EditSet, intent: &EditIntent) -> Edited {
        let mut tree = Tree {
            language: self.language,
            text,
            ids: Ids::fresh(table.len()),
            table: Arc::new(table),
            unread: parsed.as_ref().map(Parsed::unread).unwrap_or_default(),
            parsed,
            attachments: Arc::default(),
            names: Arc::default(),
            path: self.path.clone(),
            reads_arguments: false,
            part: None,
        };
        if self.reads_arguments {
            tree = tree.with_token_arguments();
        }
        let node_map = NodeMap::new(self, &tree.table, edits, intent);
        tree.ids = self.ids.carried(node_map.preimages());
        Edited { tree, node_map }
    }

    /// The same tree, which assigns no id below `next` from now on.
    #[must_use]
    pub fn reserve_ids_below(mut self, next: u32) -> Tree {
        self.ids.skip_to(next);
        self
    }
}
