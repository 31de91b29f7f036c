//! Rules whose nodes a query of tree-sitter finds.

use crate::language::Language;
use crate::selector::{Condition, Match, SelectorError};
use crate::tree::{Captured, ParseLimits, Tree};
use crate::tree_query::{PatternMatch, TreeSitterQuery};

/// A query that is ready for trees of a language.
#[derive(Debug)]
pub(super) struct ReadyTreeSitter {
    query: TreeSitterQuery,
}

impl ReadyTreeSitter {
    /// Compiles a query.
    pub fn new(query: &str, language: &'static Language) -> Result<ReadyTreeSitter, SelectorError> {
        Ok(ReadyTreeSitter { query: TreeSitterQuery::new(query, language)? })
    }

    /// Its captures, as templates name them, without values.
    pub fn names(&self) -> Vec<(String, Captured)> {
        self.query.captures().map(|name| (template_name(name), Captured::Nothing)).collect()
    }

    /// The condition on a text for it to find something.
    pub fn necessary(&self) -> Condition {
        self.query.necessary()
    }

    /// Its findings: of each match the node that its captures lie in, or begin with. Captures whose name begins with `_` are for
    /// predicates alone.
    pub fn find(&self, tree: &Tree) -> Result<Vec<Match>, SelectorError> {
        let found = self.query.find(tree, &ParseLimits::default())?;
        let mut found: Vec<Match> = found.iter().filter_map(|one| self.found(tree, one)).collect();
        found.sort_by_key(|one| one.node);
        found.dedup_by_key(|one| one.node);
        Ok(found)
    }

    fn found(&self, tree: &Tree, one: &PatternMatch) -> Option<Match> {
        let is_shown = |name: usize| !self.query.capture_name(name).starts_with('_');
        let shown = one.captures.iter().filter(|capture| is_shown(capture.name));
        // The first in document order is the outermost of those that begin with it.
        let node = shown.chain(&one.captures).next()?.node;
        let mut captures: Vec<(String, Captured)> = Vec::new();
        for capture in &one.captures {
            let name = template_name(self.query.capture_name(capture.name));
            match captures.iter_mut().find(|(known, _)| *known == name) {
                // A repeated capture is the code from its first node to its last one.
                Some((_, value)) => {
                    let first = value.first().unwrap_or(capture.node);
                    let are_siblings = tree.table().parent(first) == tree.table().parent(capture.node);
                    if are_siblings {
                        *value = Captured::between(first, capture.node);
                    }
                }
                None => captures.push((name, Captured::Node(capture.node))),
            }
        }
        Some(Match { node, captures })
    }
}

/// The name of a capture in templates: `@definition.function` is `$DEFINITION_FUNCTION`.
fn template_name(capture: &str) -> String {
    capture.to_uppercase().replace(|letter: char| !letter.is_alphanumeric() && letter != '_', "_")
}
