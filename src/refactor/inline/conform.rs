//! Whether a value has by itself the type that its declaration writes, so that it means the same at another place.

use crate::flow::{Flow, Refusal};
use crate::tree::Node;

impl Flow<'_> {
    /// Refuses a value whose type comes from a declaration.
    pub(crate) fn check_conforms(&self, written: Option<Node>, value: Node, what: &str) -> Result<(), Refusal> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        if rules.code.result_type.is_empty() {
            return Ok(());
        }
        let refuse = |why: String| Err(Refusal::unsafe_at(tree.span(value).start(), why));
        let Some(written) = written else { return Ok(()) };
        let text = tree.node_text(written).trim_start_matches(':').trim().to_owned();
        if tree.language().spec().symbols.type_words.inferred.contains(&text) {
            return Ok(());
        }
        let is_in = |list: &[String], text: &str| list.iter().any(|known| known == text);
        let is_function = self.is(value, &rules.functions)
            || tree.language().spec().symbols.members.lambdas.contains(table.type_id(value))
            || self.is(value, &rules.not_expressions);
        let shown = self.shown_alone(value).map(|shown| shown.text);
        let fits = match &shown {
            Some(shown) if *shown == text => true,
            Some(shown) => {
                rules.code.has_subtypes
                    && !is_in(&rules.converted_types, &text)
                    && !is_in(&rules.converted_types, shown)
            }
            None if rules.code.has_subtypes => !is_function && !is_in(&rules.converted_types, &text),
            None => is_in(&rules.exact_types, &text) && self.is_exact(value),
        };
        match fits {
            true => Ok(()),
            false => {
                refuse(format!("{what} has the type `{text}` by its declaration, and may have another one at its use"))
            }
        }
    }

    /// Whether only one type fits a value: it is what a call returns, or a part of something.
    fn is_exact(&self, value: Node) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let is_read = tree.callee(value).is_some() || self.is(value, &self.rules.states);
        let nodes = table.range(value.index(), table.subtree_end(value));
        let mut callees = nodes.filter_map(|node| tree.callee(node));
        let is_inferred = |callee: Node| {
            let text = tree.node_text(callee);
            let last = text.rsplit(['.', ':']).next().unwrap_or_default();
            self.rules.inferred_calls.iter().any(|known| known == last)
        };
        is_read && !callees.any(is_inferred)
    }
}
