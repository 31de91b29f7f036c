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

    /// Refuses the value of a variable whose declaration says more of its type than the value: a literal object, or one of several types.
    pub(crate) fn check_open(&self, written: Option<Node>, value: Node) -> Result<(), Refusal> {
        let (tree, code) = (self.tree, &self.rules.code);
        let Some(written) = written.filter(|_| code.result_type.is_empty() && !code.typed.is_empty()) else {
            return Ok(());
        };
        let text = tree.node_text(written).trim_start_matches(':').trim().to_owned();
        // A type parameter of the function, which each call decides.
        let names = self.variables(tree.table().range(written.index(), tree.table().subtree_end(written)));
        let is_decided_by_call = names
            .iter()
            .any(|name| name.symbol.scope != Node::ROOT && self.is(name.symbol.scope, &self.rules.functions));
        if !self.is(value, &self.rules.makes) && !text.contains('|') && text != code.any_type && !is_decided_by_call {
            return Ok(());
        }
        let why = format!("it has the type `{text}` by its declaration, and may have another one at its use");
        Err(Refusal::unsafe_at(tree.span(value).start(), why))
    }

    /// Refuses a value of another type than its variable as an argument, where calls choose a function by that.
    pub(crate) fn check_chosen(&self, written: Option<Node>, value: Node, place: Node) -> Result<(), Refusal> {
        let (tree, table) = (self.tree, self.tree.table());
        let spec = tree.language().spec();
        let (true, Some(written)) = (spec.symbols.overloads.by_arguments, written) else { return Ok(()) };
        let list = self.path(place).skip(1).find(|&at| !self.is(at, &self.rules.decided.groups));
        let call = list.and_then(|list| Some((list, table.parent(list)?)));
        let is_argument = call.is_some_and(|(list, call)| {
            let lists = spec.args.of(table.type_id(call)).map(|count| &count.at).into_iter().flatten();
            lists.flat_map(|path| tree.reached(call, path)).any(|found| found == list)
        });
        let text = tree.node_text(written).trim().to_owned();
        let is_inferred = spec.symbols.type_words.inferred.contains(&text);
        let other = self.shown_alone(value).filter(|shown| is_argument && !is_inferred && shown.text != text);
        match other {
            Some(shown) => {
                let why = format!("the call may choose another function for `{}` than for `{text}`", shown.text);
                Err(Refusal::unsafe_at(tree.span(place).start(), why))
            }
            None => Ok(()),
        }
    }

    /// Refuses a number that would have the type of the other operand of an operator: Go's `x / 2.0`, where `x` is 3.
    pub(crate) fn check_number(&self, value: Node, place: Node) -> Result<(), Refusal> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        let nodes = |node: Node| table.range(node.index(), table.subtree_end(node));
        if rules.untyped.is_empty() || !self.traits(value).is_literal {
            return Ok(());
        }
        let types = |node: Node| nodes(node).filter_map(|node| rules.literal_types.of(table.type_id(node)));
        let Some(own) = types(value).next() else { return Ok(()) };
        let is_untyped = |variable: &crate::flow::Variable| {
            let mut binders = variable.uses.iter().filter(|one| one.binds).map(|one| one.node);
            binders.any(|binder| table.parent(binder).is_some_and(|holder| self.is(holder, &rules.untyped)))
        };
        for around in self.path(place).take_while(|&at| !self.is_statement(at)) {
            let Some(parent) = table.parent(around) else { break };
            let mut signs = table.children(parent).filter(|&child| !table.is_named(child));
            if !signs.any(|sign| self.is(sign, &rules.arithmetic)) {
                continue;
            }
            let others = tree.named_children(parent).filter(|&operand| operand != around);
            for other in others {
                if types(other).any(|found| found != own) || self.variables(nodes(other)).iter().any(is_untyped) {
                    let why = "the number would have the type of the other operand";
                    return Err(Refusal::unsafe_at(tree.span(place).start(), why));
                }
            }
        }
        Ok(())
    }

    /// Whether a node is among the statements of a block.
    fn is_statement(&self, node: Node) -> bool {
        self.tree.table().parent(node).is_none_or(|parent| self.holds_statements(parent))
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
