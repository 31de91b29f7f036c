//! Types that the code around an expression narrows or widens, in a language that infers the types of variables: TypeScript.

use super::analysis::{Flow, Region};
use super::refusal::Refusal;
use crate::tree::Node;

impl Flow<'_> {
    /// Whether variables need no type where they are declared, and conditions narrow the one that they have.
    pub(crate) fn infers_types(&self) -> bool {
        self.rules.code.result_type.is_empty() && !self.rules.code.typed.is_empty()
    }

    /// Refuses a condition that narrows the type of something which is used after it, if it would not do so from another place. A variable
    /// that holds the condition narrows variables that get one value (`is_kept`); a function narrows nothing.
    pub(crate) fn check_narrows(&self, node: Node, is_kept: bool) -> Result<(), Refusal> {
        let (tree, table) = (self.tree, self.tree.table());
        if !self.infers_types() || !self.is_tested(node) {
            return Ok(());
        }
        let function = self.function_of(node);
        let refuse = |at: Node| {
            let why = format!("the condition may narrow the type of `{}` here", tree.node_text(at));
            Err(Refusal::unsafe_at(tree.span(at).start(), why))
        };
        let variables = self.variables(table.range(node.index(), table.subtree_end(node)));
        for variable in &variables {
            let is_fixed = variable.uses.iter().filter(|one| one.writes).count() <= 1;
            let own = variable.uses.iter().find(|one| table.is_within(one.node, node));
            let is_later = |one: &&super::analysis::VariableUse| {
                one.reads && one.node > node && !table.is_within(one.node, node) && table.is_within(one.node, function)
            };
            let (Some(own), Some(_)) = (own, variable.uses.iter().find(is_later)) else { continue };
            if is_kept && is_fixed || self.is_called(own.node) || self.has_plain_type(variable) {
                continue;
            }
            return refuse(own.node);
        }
        let parts = table.range(node.index(), table.subtree_end(node));
        for part in parts.filter(|&part| self.is(part, &self.rules.states) && !self.is_called(part)) {
            let text = tree.node_text(part);
            let mut later = table.range(table.subtree_end(node), table.subtree_end(function));
            if later.any(|other| table.type_id(other) == table.type_id(part) && *tree.node_text(other) == *text) {
                return refuse(part);
            }
        }
        Ok(())
    }

    /// Whether a node is what is called.
    fn is_called(&self, node: Node) -> bool {
        self.tree.table().parent(node).is_some_and(|parent| self.tree.callee(parent) == Some(node))
    }

    /// Whether a variable is declared with a type that no condition narrows: `number`.
    fn has_plain_type(&self, variable: &super::Variable) -> bool {
        let shown = self.variable_type(variable);
        shown.is_some_and(|shown| self.rules.literal_types.values().any(|known| *known == shown.text))
    }

    /// Whether the value of a node decides what is evaluated next: it is a condition, or a part of one.
    fn is_tested(&self, node: Node) -> bool {
        let (tree, table, decided) = (self.tree, self.tree.table(), &self.rules.decided);
        let mut at = node;
        while let Some(parent) = table.parent(at) {
            let id = table.type_id(parent);
            if let Some(choice) = decided.branches.of(id).or_else(|| decided.choices.of(id)) {
                return choice.condition.as_ref().is_some_and(|path| tree.reached(parent, path) == [at]);
            }
            let mut signs = table.children(parent).filter(|&child| !table.is_named(child));
            let is_chain = signs.clone().any(|sign| self.is(sign, &decided.and) || self.is(sign, &decided.or));
            if is_chain && tree.named_children(parent).next() == Some(at) {
                return true;
            }
            let goes_on = is_chain || self.is(parent, &decided.groups) || signs.any(|sign| self.is(sign, &decided.not));
            if !goes_on {
                return false;
            }
            at = parent;
        }
        false
    }

    /// Refuses statements that narrow the type of something for those after them: `if (typeof x !== "string") throw …`.
    pub(crate) fn check_narrows_after(&self, region: Region) -> Result<(), Refusal> {
        let (tree, table) = (self.tree, self.tree.table());
        if !self.infers_types() || region.is_expression {
            return Ok(());
        }
        for node in self.nodes(region) {
            let Some(choice) = self.rules.decided.branches.of(table.type_id(node)) else { continue };
            let leaves = |path| tree.reached(node, path).into_iter().any(|part| self.never_ends(part));
            let is_guard = leaves(&choice.then) || choice.otherwise.as_ref().is_some_and(leaves);
            let condition = choice.condition.as_ref().and_then(|path| tree.reached(node, path).first().copied());
            let Some(condition) = condition.filter(|_| is_guard && !self.is_in_nested(node, region)) else { continue };
            for variable in self.variables(table.range(condition.index(), table.subtree_end(condition))) {
                let later = variable.uses.iter().find(|one| one.reads && one.span.start() >= region.span.end());
                if let Some(later) = later.filter(|_| !self.has_plain_type(&variable)) {
                    let why = format!("the type of `{}` is narrowed for this in the range", variable.name);
                    return Err(Refusal::unsafe_at(later.span.start(), why));
                }
            }
        }
        Ok(())
    }

    /// Refuses a value that shows more of its type than the variable or the function in place of which it is put, where that makes a
    /// difference: a text that is compared with another one, an index, an object that has to fit a type.
    pub(crate) fn check_wider(&self, value: Node, place: Node, is_wider: bool) -> Result<(), Refusal> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        if !self.infers_types() {
            return Ok(());
        }
        let is_group = |node: &Node| self.is(*node, &rules.decided.groups);
        let inner = std::iter::successors(Some(value), |&group| {
            self.is(group, &rules.decided.groups).then(|| tree.named_children(group).next()).flatten()
        });
        let value = inner.last().unwrap_or(value);
        let outer = table.ancestors(place).take_while(is_group).last().unwrap_or(place);
        let Some(parent) = table.parent(outer) else { return Ok(()) };
        let refuse = |why: &str| Err(Refusal::unsafe_at(tree.span(place).start(), why.to_owned()));
        if is_wider && self.traits(value).is_literal {
            let mut signs = table.children(parent).filter(|&child| !table.is_named(child));
            let compares =
                signs.any(|sign| self.is(sign, &rules.decided.equal) || self.is(sign, &rules.decided.unequal));
            let is_index = self.is(parent, &rules.states) && tree.named_children(parent).nth(1) == Some(outer);
            let is_switched = !self.is(parent, &rules.loops)
                && rules.breaks.values().any(|targets| targets.contains(table.type_id(parent)));
            if compares || is_index || is_switched {
                return refuse("the literal has a narrower type than the variable, which is not allowed here");
            }
        }
        if self.is(value, &rules.checked_literals) {
            let is_declared = rules.written_types.of(table.type_id(parent)).is_some();
            let is_free = is_declared && self.written_type(parent).is_none()
                || self.is(parent, &rules.states)
                || self.is(parent, &self.scopes.rules.spreads)
                || self.is(parent, &rules.plain);
            if !is_free {
                return refuse("the type that is demanded here may lack something that the object has");
            }
        }
        Ok(())
    }
}
