//! Whether an expression may be evaluated before its statement, or where it is used, with the same result.

use super::{Flow, Refusal, VariableUse};
use crate::tree::Node;

/// What the value of an expression depends on, and what evaluating it does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traits {
    /// It may change something.
    pub(crate) effect: Option<Node>,
    /// It reads what something else may change: an attribute, an element.
    pub(crate) state: Option<Node>,
    /// It makes a new object.
    pub(crate) makes: Option<Node>,
    /// It is only a literal.
    pub(crate) is_literal: bool,
}

impl Flow<'_> {
    /// What an expression depends on and does.
    pub(crate) fn traits(&self, node: Node) -> Traits {
        let table = self.tree.table();
        let nodes = || table.range(node.index(), table.subtree_end(node));
        let makes = nodes().find(|&inner| self.is(inner, &self.rules.makes));
        let (effect, state) = (self.first_effect(node), self.first_of(node, &self.rules.states));
        let has_names = nodes().any(|inner| self.scopes.is_identifier(inner));
        Traits { effect, state, makes, is_literal: !has_names && effect.is_none() && state.is_none() }
    }

    /// Refuses an expression that its statement may evaluate not at all, several times, or later.
    pub(crate) fn check_once(&self, node: Node, statement: Node) -> Result<(), Refusal> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        let refuse = |why: &str| Err(Refusal::unsafe_at(tree.span(node).start(), why));
        let mut scope = self.scopes.around(node);
        while scope != statement && table.is_within(scope, statement) {
            if self.is(scope, &rules.functions) {
                return refuse("the expression is evaluated in a function inside of the statement");
            }
            if self.is(scope, &self.scopes.rules.expressions) && self.is(scope, &rules.makes) {
                return refuse("the expression is evaluated once for each element");
            }
            scope = self.scopes.around(scope);
        }
        for at in self.path(node).take_while(|&at| at != statement) {
            if self.fits(at, &rules.repeated) {
                return refuse("the expression is evaluated again on each turn of the loop");
            }
            if self.fits(at, &rules.maybe) || self.is(at, &rules.handlers) {
                return refuse("the expression may not be evaluated when the statement is");
            }
            if self.is(at, &rules.functions) && at != node {
                return refuse("the expression is evaluated in a function inside of the statement");
            }
            let Some(parent) = table.parent(at) else { break };
            if let Some(&always) = rules.chains.of(table.type_id(parent))
                && tree.named_children(parent).skip(always).any(|operand| operand == at)
            {
                return refuse("the expression may not be evaluated when the statement is");
            }
            // `a?.b(c)`: what follows is evaluated only if there is an object.
            let is_first = table.children(parent).next() == Some(at);
            let spine = std::iter::successors((!is_first).then_some(parent), |&head| table.children(head).next());
            if !rules.optional.is_empty()
                && spine.into_iter().any(|head| table.children(head).any(|child| self.is(child, &rules.optional)))
            {
                return refuse("the expression may not be evaluated when the statement is");
            }
        }
        Ok(())
    }

    /// Refuses an expression if something that a statement evaluates before `node` prevents that it is evaluated first.
    pub(crate) fn check_first(&self, traits: Traits, node: Node, statement: Node) -> Result<(), Refusal> {
        let (tree, table) = (self.tree, self.tree.table());
        if traits.is_literal {
            return Ok(());
        }
        let mut at = statement.index();
        while at < node.index() {
            let Some(before) = table.range(at, at + 1).next() else { break };
            if table.is_within(node, before) {
                at += 1;
                continue;
            }
            if self.is(before, &self.rules.functions) {
                at = table.subtree_end(before);
                continue;
            }
            let line = tree.text().line_at(tree.span(before).start());
            if self.is(before, &self.rules.effects) {
                let text: String = tree.node_text(before).lines().next().unwrap_or_default().chars().take(40).collect();
                let why = format!("`{text}` in line {line} is evaluated before it, and may change something");
                return Err(Refusal::unsafe_at(tree.span(before).start(), why));
            }
            let mut around = self.path(before).take_while(|&at| at != statement);
            let is_target =
                around.any(|at| self.fits(at, &self.rules.not_values) && !self.fits(at, &self.rules.updates));
            let is_callee = table.parent(before).is_some_and(|parent| tree.callee(parent) == Some(before));
            if traits.effect.is_some() && self.is(before, &self.rules.states) && !is_target && !is_callee {
                let why = format!("`{}` is read before it, and it may change that", tree.node_text(before));
                return Err(Refusal::unsafe_at(tree.span(before).start(), why));
            }
            at += 1;
        }
        Ok(())
    }

    /// Refuses a value for the place of `node` if the statement reads a name before it that evaluating the value may change, or gives a name
    /// of the value its value.
    pub(crate) fn check_names(&self, value: Node, node: Node, statement: Node) -> Result<(), Refusal> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        let own = || table.range(value.index(), table.subtree_end(value));
        let parts = self.variables(own());
        // A declaration of several variables: the one of the value comes later.
        let is_declared_before = |name: Node| {
            let part = self.path(name).find(|&at| table.parent(at) == Some(statement));
            part.is_some_and(|part| part != name && !table.is_within(node, part))
        };
        let bound = parts.iter().flat_map(|part| &part.uses).find(|one| {
            one.binds && one.node < node && table.is_within(one.node, statement) && is_declared_before(one.node)
        });
        if let Some(bound) = bound.filter(|one| self.function_of(one.node) == self.function_of(node)) {
            let why = format!("`{}` gets its value in the same statement", tree.node_text(bound.node));
            return Err(Refusal::unsafe_at(bound.span.start(), why));
        }
        let assigns = |one: &VariableUse| one.writes && table.is_within(one.node, value);
        if self.first_effect(value).is_none() && !parts.iter().flat_map(|part| &part.uses).any(assigns) {
            return Ok(());
        }
        let caller = self.function_of(node);
        let is_target = |at: Node| {
            !self.fits(at, &rules.updates) && (self.fits(at, &rules.not_values) || self.fits(at, &rules.writes))
        };
        let is_last = rules.values_first && self.path(node).take_while(|&at| at != statement).any(is_target);
        let is_other = |at: Node| !table.is_within(at, node) && !table.is_within(node, at);
        let after = table.range(table.subtree_end(node), table.subtree_end(statement));
        if let Some(effect) = after.filter(|_| is_last).find(|&at| is_other(at) && self.is(at, &rules.effects)) {
            let why = "this is evaluated before it, and may change something";
            return Err(Refusal::unsafe_at(tree.span(effect).start(), why));
        }
        let end = if is_last { table.subtree_end(statement) } else { node.index() };
        let mut at = statement.index();
        while at < end {
            let Some(before) = table.range(at, at + 1).next() else { break };
            if before == node || self.is(before, &rules.functions) {
                at = table.subtree_end(before);
                continue;
            }
            at += 1;
            let is_read = self.scopes.is_identifier(before)
                && !self.path(before).take_while(|&at| at != statement).any(is_target);
            if !is_read {
                continue;
            }
            let Some(variable) = self.variables(std::iter::once(before)).into_iter().next() else { continue };
            let changes = |one: &VariableUse| {
                let by_call = one.function != caller && one.function != Node::ROOT;
                one.writes && (by_call && !table.is_within(node, one.function) || assigns(one))
            };
            let is_in_value = || variable.uses.iter().any(|one| table.is_within(one.node, value));
            if variable.uses.iter().any(changes) || !self.has_owners() && self.reads_content(before) && is_in_value() {
                let why = format!("`{}` is read before it, and it may change that", variable.name);
                return Err(Refusal::unsafe_at(tree.span(before).start(), why));
            }
        }
        Ok(())
    }

    /// Refuses the beginning of a chain that may end early: `a?.b` of `a?.b.c`.
    pub(crate) fn check_chain(&self, node: Node) -> Result<(), Refusal> {
        if self.may_end_early(node) && self.goes_on(node) {
            return Err(Refusal::unsafe_at(
                self.tree.span(node).start(),
                "what follows it is evaluated only if it has a value",
            ));
        }
        Ok(())
    }

    /// Whether an expression is a chain that ends early if there is no object: `a?.b`.
    pub(crate) fn may_end_early(&self, node: Node) -> bool {
        let table = self.tree.table();
        let mut spine = std::iter::successors(Some(node), |&head| {
            table
                .children(head)
                .next()
                .filter(|_| self.is(head, &self.rules.states) || self.tree.callee(head).is_some())
        });
        !self.rules.optional.is_empty()
            && spine.any(|head| table.children(head).any(|child| self.is(child, &self.rules.optional)))
    }

    /// Whether an expression is the object of a member, an element or a call.
    pub(crate) fn goes_on(&self, node: Node) -> bool {
        let table = self.tree.table();
        table.parent(node).is_some_and(|parent| {
            let is_access = self.is(parent, &self.rules.states) || self.tree.callee(parent).is_some();
            is_access && table.children(parent).next() == Some(node)
        })
    }

    /// Whether a place reads what is in an object, and does not only pass the object on.
    fn reads_content(&self, name: Node) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let Some(parent) = table.parent(name) else { return false };
        let is_sum = table
            .children(parent)
            .any(|sign| !table.is_named(sign) && matches!(&*tree.node_text(sign), "+" | "-" | "*" | "/"));
        let is_spread = self.is(parent, &self.scopes.rules.spreads);
        let is_passed = tree.language().role(table.type_id(parent)).list || tree.callee(parent).is_some();
        is_spread || !is_sum && !is_passed && !self.is(parent, &self.rules.states)
    }

    /// Whether a statement leaves alone what an expression depends on, and the other way round. With `is_shared`, what it calls may
    /// change what the expression reads.
    pub(crate) fn keeps(&self, statement: Node, traits: Traits, writes: &[Node], is_shared: bool) -> bool {
        let table = self.tree.table();
        if writes.iter().any(|&write| table.is_within(write, statement)) {
            return false;
        }
        let effect = self.first_effect(statement).is_some();
        let mut nodes = table.range(statement.index(), table.subtree_end(statement));
        if is_shared && (effect || nodes.any(|node| self.fits(node, &self.rules.entered))) {
            return false;
        }
        let states = || {
            let nodes = table.range(statement.index(), table.subtree_end(statement));
            nodes.filter(|&node| self.is(node, &self.rules.states))
        };
        if traits.effect.is_some() {
            return !effect && states().next().is_none();
        }
        // An attribute or an element that gets a value.
        let is_target = |node: Node| {
            self.path(node).take_while(|&at| at != statement).any(|at| self.fits(at, &self.rules.not_values))
        };
        traits.state.is_none() && traits.makes.is_none() || !effect && !states().any(is_target)
    }

    /// A word for the object or the arguments of the function around it, in an expression: `this`, `arguments`, `new.target`.
    pub(crate) fn own_word(&self, expression: Node) -> Option<Node> {
        let (tree, table) = (self.tree, self.tree.table());
        let is_word = |&node: &Node| {
            self.scopes.rules.self_types.contains(table.type_id(node))
                || self.is(node, &self.rules.own)
                || self.scopes.is_identifier(node)
                    && self.rules.argument_words.iter().any(|word| *word == *tree.node_text(node))
        };
        table.range(expression.index(), table.subtree_end(expression)).find(is_word)
    }

    /// The function around a node that has an object and arguments of its own.
    pub(crate) fn own_function(&self, node: Node) -> Option<Node> {
        let (table, rules) = (self.tree.table(), self.scopes.rules);
        // Without functions that have one, it is the object of the class around.
        let scopes = if rules.self_scopes.is_empty() { &rules.members } else { &rules.self_scopes };
        table.ancestors(node).find(|&around| scopes.contains(table.type_id(around)))
    }

    /// Refuses a place where a member is called that was called without its object: `o.f` for the `f` of `f()`.
    pub(crate) fn check_callee(&self, value: Node, place: Node) -> Result<(), Refusal> {
        let is_called = self.tree.table().parent(place).is_some_and(|parent| self.tree.callee(parent) == Some(place));
        if self.rules.calls_bind && is_called && self.is(value, &self.rules.states) {
            let why = "the call would give the function an object, which it has not here";
            return Err(Refusal::unsafe_at(self.tree.span(place).start(), why));
        }
        Ok(())
    }

    /// Refuses a place for an expression with a word that means something else there.
    pub(crate) fn check_own(&self, expression: Node, place: Node) -> Result<(), Refusal> {
        match self.own_word(expression) {
            Some(word) if self.own_function(word) != self.own_function(place) => {
                let why = format!("`{}` would mean that of another function here", self.tree.node_text(word));
                Err(Refusal::unsafe_at(self.tree.span(place).start(), why))
            }
            _ => Ok(()),
        }
    }
}
