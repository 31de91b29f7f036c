//! Values that are moved, borrowed, or end at a certain place, in languages in which each value has one owner.

use super::analysis::{Flow, Region, Variable};
use crate::tree::Node;

impl Flow<'_> {
    /// Whether each value has one owner.
    pub(crate) fn has_owners(&self) -> bool {
        !self.rules.borrow_sign.is_empty()
    }

    /// A variable that one expression takes, or borrows to change it, and that the other one uses, too.
    pub(crate) fn taken_by_one(&self, one: Node, other: Node) -> Option<String> {
        if !self.has_owners() {
            return None;
        }
        let takes = |node: Node, other: Node| {
            let used = self.variables_in(other);
            self.taken_in(node, node).into_iter().find(|taken| used.iter().any(|one| one.symbol.is(taken.symbol)))
        };
        let found = takes(one, other).or_else(|| takes(other, one))?;
        Some(found.name)
    }

    /// The place where code takes, or borrows to change it, a variable that a value reads.
    pub(crate) fn taking_of(&self, value: Node, code: Node) -> Option<Node> {
        if !self.has_owners() {
            return None;
        }
        let read = self.variables_in(value);
        let table = self.tree.table();
        let taken =
            self.taken_in(code, Node::ROOT).into_iter().filter(|one| read.iter().any(|own| own.symbol.is(one.symbol)));
        let mut places = taken.flat_map(|one| one.uses).map(|one| one.node);
        places.find(|&node| table.is_within(node, code) && self.is_taken(node, Node::ROOT))
    }

    /// Whether a word of a type says that what is borrowed may change.
    pub(crate) fn is_change_word(&self, word: &str) -> bool {
        word.trim_start_matches(self.rules.borrow_sign.as_str()) == self.rules.change_word
    }

    fn variables_in(&self, node: Node) -> Vec<Variable> {
        let table = self.tree.table();
        self.variables(table.range(node.index(), table.subtree_end(node)))
    }

    /// The variables of which some code takes the value, which is not copied.
    fn taken_in(&self, code: Node, whole: Node) -> Vec<Variable> {
        let table = self.tree.table();
        let is_copied = |variable: &Variable| {
            self.variable_type(variable).is_some_and(|shown| {
                self.rules.copied_types.contains(&shown.text)
                    || shown.text.starts_with(&self.rules.borrow_sign)
                        && !shown.text.split_whitespace().any(|word| self.is_change_word(word))
            })
        };
        let mut found = self.variables_in(code);
        found.retain(|variable| {
            let mut uses = variable.uses.iter().filter(|one| table.is_within(one.node, code));
            uses.any(|one| self.is_taken(one.node, whole)) && !is_copied(variable)
        });
        found
    }

    /// Whether a name is an argument or a value of its own, or is borrowed to be changed.
    fn is_taken(&self, node: Node, whole: Node) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let Some(parent) = table.parent(node) else { return false };
        let is_lent = self.is(parent, &self.rules.borrowed_values)
            && table.children(parent).any(|child| self.is(child, &self.rules.mutable_marks));
        let is_argument = tree.language().role(table.type_id(parent)).list;
        let is_value = self
            .rules
            .declares
            .of(table.type_id(parent))
            .is_some_and(|rule| tree.reached(parent, &rule.value) == [node]);
        node == whole || is_lent || is_argument || is_value
    }

    /// Whether the end of a value does something: a guard, or a type for whose end the file has code.
    pub(crate) fn ends_with_effect(&self, value: Node) -> bool {
        if !self.has_owners() {
            return false;
        }
        let (tree, table) = (self.tree, self.tree.table());
        let nodes = || table.range(value.index(), table.subtree_end(value));
        let is_guard = |call: Node| {
            let text = tree.callee_text(call);
            let name = text.as_deref().and_then(|text| text.rsplit(['.', ':']).next());
            name.is_some_and(|name| self.rules.guard_calls.iter().any(|known| known == name))
        };
        let source = tree.text();
        let has_end = |name: Node| {
            let wanted = format!("{} for {}", self.rules.ending_trait, tree.node_text(name));
            !self.rules.ending_trait.is_empty()
                && source.to_string().match_indices(&wanted).any(|(at, _)| {
                    let next = source.to_string()[at + wanted.len()..].chars().next();
                    next.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
                })
        };
        nodes().any(is_guard) || nodes().filter(|&node| self.scopes.is_identifier(node)).any(has_end)
    }

    /// A value that the region makes for as long as its function runs, and that would end with the region.
    pub(crate) fn lasting_guard(&self, region: Region) -> Option<Node> {
        if !self.has_owners() || region.is_expression {
            return None;
        }
        let tree = self.tree;
        let declared = self.nodes(region).filter_map(|node| {
            let rule = self.rules.declares.of(tree.table().type_id(node))?;
            Some((tree.reached(node, &rule.name).first().copied()?, tree.reached(node, &rule.value).first().copied()?))
        });
        let mut declared = declared.filter(|(name, _)| self.scopes.is_identifier(*name));
        let kept = declared.find(|&(name, value)| {
            let text = tree.node_text(name);
            self.ends_with_effect(value)
                || text.len() > 1 && text.starts_with('_') && self.first_effect(value).is_some()
        });
        kept.map(|(name, _)| name)
    }
}
