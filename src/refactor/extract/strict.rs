//! The types of a new function in languages that demand them.

use crate::flow::{Flow, Refusal, Region, Results, Shown, Variable, VariableUse};
use crate::refactor::extract::extraction::{Extraction, Signature};
use crate::tree::Node;

/// The form of an argument, so that the variable can still be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passing {
    Value,
    Shared,
    Changeable,
}

/// Refuses code whose results have no types of their own.
pub(super) fn check_strict_types(
    flow: &Flow<'_>,
    region: Region,
    function: Node,
    signature: &Signature,
) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let refuse = |at: usize, why: &str| Err(Refusal::unsafe_at(at, why));
    let start = region.span.start();
    if region.is_expression && flow.is(region.first, &rules.makes) && flow.shown_type(region.first).is_none() {
        return refuse(start, "its type comes from the place where it is");
    }
    if let Some(written) = flow.nodes(region).find(|&node| gives_first_value(flow, node)) {
        let why = "only a constructor or an initializer may give this field its value";
        return refuse(tree.span(written).start(), why);
    }
    if signature.results.len() > 1 && rules.code.several_types.is_empty() {
        let names: Vec<String> = signature.results.iter().map(|one| format!("`{}`", one.name)).collect();
        let why = format!("{} are used after the range, and a function has one result", names.join(" and "));
        return Err(Refusal::unsafe_at(start, why).hint("extract less, so that one of them is left"));
    }
    if signature.returns {
        let returns = |node: Node| flow.is(node, &rules.returns) && !flow.is_in_nested(node, region);
        let Some(returned) = flow.nodes(region).find(|&node| returns(node)) else {
            return refuse(start, "the range never ends, and only the function around it says what it returns");
        };
        let at = tree.span(returned).start();
        match flow.results(function) {
            Results::None => return refuse(at, "it returns without a value, and the code after the range would run"),
            Results::Several(types) => {
                let bare = |node: Node| returns(node) && tree.named_children(node).next().is_none();
                if flow.nodes(region).any(bare) || types.is_empty() {
                    return refuse(at, "it returns the named results of the function around it");
                }
            }
            Results::One(_) => {}
        }
    }
    check_owners(flow, region, function)?;
    if !rules.values_end || region.is_expression {
        return Ok(());
    }
    // The last expression of a block is its value.
    let holder = table.parent(region.last).unwrap_or(Node::ROOT);
    let is_last = tree.named_children(holder).filter(|&child| !tree.is_comment(child)).last() == Some(region.last);
    let text = tree.node_text(region.last);
    let is_loop = table.range(region.last.index(), region.last.index() + 2).any(|node| flow.is(node, &rules.loops));
    let is_value = is_last && !text.trim_end().ends_with(';') && !is_loop;
    let is_empty = tree.body(function) == Some(holder) && flow.written_result(function).is_none();
    if is_value && !is_empty {
        let error = Refusal::unsafe_at(tree.span(region.last).start(), "the last expression is the value of its block");
        return Err(error.hint("leave it out, or extract it alone"));
    }
    Ok(())
}

/// Refuses code whose values would end earlier, or that only its block or its function allows.
fn check_owners(flow: &Flow<'_>, region: Region, function: Node) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    if let Some(guard) = flow.lasting_guard(region) {
        let why = format!("`{}` would end with the new function", tree.node_text(guard));
        return Err(Refusal::unsafe_at(tree.span(guard).start(), why));
    }
    let around = || flow.path(region.first).take_while(|&at| at != function);
    let special = around().find(|&at| flow.is(at, &rules.special_blocks));
    let body = tree.body(function);
    let mut head = table.children(function).take_while(|&child| Some(child) != body);
    let has_word = !rules.special_words.is_empty()
        && head.any(|child| {
            let text = tree.node_text(child);
            text.split_whitespace().any(|word| rules.special_words.iter().any(|known| known == word))
        });
    if let Some(special) = special.or(has_word.then_some(function)) {
        let why = "only this allows the code, and the new function would be outside of it";
        return Err(Refusal::unsafe_at(tree.span(special).start(), why));
    }
    Ok(())
}

/// Whether a node writes a field that gets a value only once.
fn gives_first_value(flow: &Flow<'_>, node: Node) -> bool {
    let (tree, table, words) = (flow.tree, flow.tree.table(), &flow.rules.once_words);
    if words.is_empty() || !flow.fits(node, &flow.rules.writes) {
        return false;
    }
    let leaves = flow.leaves(table.range(node.index(), table.subtree_end(node)));
    let Some(name) = leaves.into_iter().rfind(|&leaf| flow.scopes.is_identifier(leaf)) else { return false };
    let text = tree.node_text(name);
    let is_field = |other: Node| {
        let mut around = table.ancestors(other);
        let scope = flow.scopes.around(other);
        flow.scopes.rules.members.contains(table.type_id(scope))
            && around.any(|at| tree.modifiers(at).iter().any(|word| words.iter().any(|known| *known == **word)))
    };
    let names = table.nodes().filter(|&other| flow.scopes.is_identifier(other) && *tree.node_text(other) == *text);
    names.filter(|&other| flow.scopes.binds(other)).any(is_field)
}

impl Extraction<'_, '_> {
    /// Whether the range ends its function.
    pub(super) fn is_last(&self) -> bool {
        let (tree, table) = (self.flow.tree, self.flow.tree.table());
        let function = self.flow.function_of(self.region.first);
        let holder = table.parent(self.region.last);
        let is_end = |holder: Node| tree.named_children(holder).last() == Some(self.region.last);
        holder.is_some() && tree.body(function) == holder && holder.is_some_and(is_end)
    }

    /// The statement that returns a value.
    pub(super) fn result(&self, value: &str, is_last: bool) -> String {
        let code = self.code();
        let form = if is_last && !code.last.is_empty() { &code.last } else { &code.result };
        form.replace("$value", value)
    }

    /// The object of the method as it is written in the list of parameters.
    pub(super) fn own_parameter(&self) -> Result<Option<String>, Refusal> {
        let (flow, tree, table) = (self.flow, self.flow.tree, self.flow.tree.table());
        let Some(method) = self.home.method.as_ref().filter(|_| !flow.rules.own_parameters.is_empty()) else {
            return Ok(None);
        };
        let refuse = |at: Node, why: &str| Err(Refusal::unsafe_at(tree.span(at).start(), why));
        let bases = &tree.language().spec().symbols.members.attached_bases;
        let trait_of = bases.of(table.type_id(method.class));
        if let Some(base) = trait_of.into_iter().flatten().flat_map(|path| tree.reached(method.class, path)).next() {
            return refuse(base, "the implementation of a trait takes no other methods, and the range uses the object");
        }
        let body = tree.body(method.node).map_or(table.subtree_end(method.node), Node::index);
        let mut head = table.range(method.node.index(), body);
        let Some(own) = head.find(|&node| flow.is(node, &flow.rules.own_parameters)) else { return Ok(None) };
        let text = tree.node_text(own).into_owned();
        if !self.is_borrowed(&text) {
            return refuse(own, "the method takes its object by value");
        }
        if let Some(borrowed) = self.borrowed_own(&text, method.node) {
            return refuse(borrowed, "this may borrow from the object, which the new method would borrow as a whole");
        }
        Ok(Some(text))
    }

    /// The place that may borrow from the object of a method while the range changes it: the head of a loop around, or a variable from before.
    fn borrowed_own(&self, own: &str, method: Node) -> Option<Node> {
        let (flow, tree, table, region) = (self.flow, self.flow.tree, self.flow.tree.table(), self.region);
        if flow.rules.mutable_marks.is_empty() || !own.split_whitespace().any(|word| flow.is_change_word(word)) {
            return None;
        }
        let is_own = |node: Node| flow.scopes.rules.self_types.contains(table.type_id(node));
        let has_own = |node: Node| table.range(node.index(), table.subtree_end(node)).any(is_own);
        let mut inner = region.first;
        for at in table.ancestors(region.first).take_while(|&at| at != method) {
            if !flow.holds_statements(at) {
                let mut head = tree.named_children(at).filter(|&child| child != inner && !flow.holds_statements(child));
                let part = head.find(|&part| has_own(part) && tree.span(part).start() < region.span.start());
                if part.is_some() {
                    return part;
                }
            }
            inner = at;
        }
        let variables = flow.variables(table.range(method.index(), table.subtree_end(method)));
        variables.iter().find_map(|variable| {
            let binder = variable.uses.iter().find(|one| one.binds && one.span.end() <= region.span.start())?;
            let is_used = variable.uses.iter().any(|one| !one.binds && one.span.start() >= region.span.start());
            let statement = flow.statement(binder.node).filter(|_| is_used)?;
            let is_copied = flow
                .variable_type(variable)
                .is_some_and(|shown| self.is_copied(&shown.text) && !self.is_borrowed(&shown.text));
            let is_declared_by = statement != inner && has_own(statement) && !table.is_within(region.first, statement);
            (is_declared_by && !is_copied).then_some(binder.node)
        })
    }

    /// The type of a variable.
    ///
    /// # Errors
    /// If it is not shown, or known only around the range.
    pub(super) fn strict_type(&self, variable: &Variable) -> Result<String, Refusal> {
        let start = variable.uses.iter().find(|one| self.region.span.contains(one.span));
        let start = start.map_or(self.region.span.start(), |one| one.span.start());
        let Some(shown) = self.flow.variable_type(variable) else {
            let why = format!("the type of `{}` is not written where it is declared", variable.name);
            return Err(Refusal::unsafe_at(start, why).hint("write its type there"));
        };
        self.check_known(&shown, &variable.name, start)?;
        if self.flow.rules.uncopied_types.contains(&shown.text) {
            let why = format!("`{}` is a `{}`, which must not be copied", variable.name, shown.text);
            return Err(Refusal::unsafe_at(start, why).hint("pass a pointer to it"));
        }
        Ok(shown.text)
    }

    /// Refuses a type that is known only around the range.
    fn check_known(&self, shown: &Shown, name: &str, start: usize) -> Result<(), Refusal> {
        let (flow, tree, table) = (self.flow, self.flow.tree, self.flow.tree.table());
        let Some(node) = shown.node else { return Ok(()) };
        let top = self.home.method.as_ref().map_or(self.home.outermost, |method| Some(method.node));
        for variable in flow.variables(table.range(node.index(), table.subtree_end(node))) {
            let is_local = top.is_some_and(|top| table.is_within(variable.symbol.scope, top));
            if is_local {
                let why = format!("the type `{}` of `{name}` is known only around the range", tree.node_text(node));
                return Err(Refusal::unsafe_at(start, why));
            }
        }
        Ok(())
    }

    /// A parameter with its type.
    pub(super) fn strict_parameter(&self, variable: &Variable) -> Result<String, Refusal> {
        let (code, text) = (self.code(), self.strict_type(variable)?);
        let text = match self.passing(variable)? {
            Passing::Value => text,
            Passing::Shared => code.lent.replace("$value", &text),
            Passing::Changeable => code.lent_to_change.replace("$value", &text),
        };
        let is_written = variable.uses.iter().any(|one| one.writes && self.region.span.contains(one.span));
        let again = is_written
            || self.is_mutable(variable) && self.passing(variable)? == Passing::Value && !self.is_copied(&text);
        let form = if again && !code.typed_again.is_empty() { &code.typed_again } else { &code.typed };
        Ok(form.replace("$name", &variable.name).replace("$type", &text))
    }

    /// A variable as the call passes it.
    pub(super) fn argument(&self, variable: &Variable) -> String {
        match self.passing(variable) {
            Ok(Passing::Shared) => self.code().lent.replace("$value", &variable.name),
            Ok(Passing::Changeable) => self.code().lent_to_change.replace("$value", &variable.name),
            _ => variable.name.clone(),
        }
    }

    /// Whether values of a type are copied where others are moved.
    fn is_copied(&self, text: &str) -> bool {
        let copied = &self.flow.rules.copied_types;
        copied.is_empty() || copied.iter().any(|known| known == text) || self.is_borrowed(text)
    }

    /// Whether a type, or the object of a method, is borrowed.
    fn is_borrowed(&self, text: &str) -> bool {
        let sign = &self.flow.rules.borrow_sign;
        !sign.is_empty() && text.starts_with(sign.as_str())
    }

    /// Whether the declaration of a variable says that it may change.
    pub(super) fn is_mutable(&self, variable: &Variable) -> bool {
        let (table, marks) = (self.flow.tree.table(), &self.flow.rules.mutable_marks);
        let binder = variable.uses.iter().find(|one| one.binds);
        let parent = binder.and_then(|binder| table.parent(binder.node));
        parent.is_some_and(|parent| table.children(parent).any(|child| self.flow.is(child, marks)))
    }

    /// How a variable is passed.
    fn passing(&self, variable: &Variable) -> Result<Passing, Refusal> {
        let (flow, tree, table, region) = (self.flow, self.flow.tree, self.flow.tree.table(), self.region);
        if flow.rules.copied_types.is_empty() {
            return Ok(Passing::Value);
        }
        let text = self.strict_type(variable)?;
        if self.is_copied(&text) {
            return Ok(Passing::Value);
        }
        let inside = |one: &VariableUse| region.span.contains(one.span);
        let loops = flow.loops(region.first, flow.function_of(region.first));
        let declared = variable.uses.iter().find(|one| one.binds).map(|one| one.node);
        let is_repeated = loops.iter().any(|&around| declared.is_none_or(|node| !table.is_within(node, around)));
        let is_used_after = variable.uses.iter().any(|one| !inside(one) && one.span.start() > region.span.start());
        if !is_used_after && !is_repeated {
            return Ok(Passing::Value);
        }
        let refuse = |at: Node, why: &str| {
            let why = format!("`{}` {why}", variable.name);
            Err(Refusal::unsafe_at(tree.span(at).start(), why).hint("extract the code that borrows it, or pass a copy"))
        };
        if let Some(written) = variable.uses.iter().find(|one| one.writes && inside(one)) {
            return refuse(written.node, "gets another value here, and its old one would be moved");
        }
        for one in variable.uses.iter().filter(|one| inside(one)) {
            let parent = table.parent(one.node).unwrap_or(Node::ROOT);
            let is_first = tree.named_children(parent).next() == Some(one.node);
            let is_place = flow.is(parent, &flow.rules.states) && is_first;
            if !is_place {
                return refuse(one.node, "is used after the range, and this may take its value");
            }
        }
        Ok(if self.is_mutable(variable) { Passing::Changeable } else { Passing::Shared })
    }

    /// The part of the new function's head about its result.
    pub(super) fn result_type(&self) -> Result<String, Refusal> {
        let (flow, code, region) = (self.flow, self.code(), self.region);
        if code.result_type.is_empty() {
            return Ok(String::new());
        }
        let of = |text: &str| code.result_type.replace("$type", text);
        let start = region.span.start();
        let types: Vec<String> = if region.is_expression {
            let Some(shown) = flow.shown_type(region.first) else {
                let error = Refusal::unsafe_at(start, "the type of the expression is not known");
                return Err(error.hint("give the expression a variable with a type, and extract its statement"));
            };
            self.check_known(&shown, flow.tree.node_text(region.first).as_ref(), start)?;
            vec![shown.text]
        } else if self.signature.returns {
            let function = flow.function_of(region.first);
            let Some(written) = flow.written_result(function) else {
                return Err(Refusal::unsafe_at(start, "the function around it does not write what it returns"));
            };
            let text = match flow.results(function) {
                Results::Several(types) => {
                    let types: Vec<String> = types.iter().map(|&node| flow.tree.node_text(node).into_owned()).collect();
                    code.several_types.replace("$types", &types.join(", "))
                }
                _ => flow.tree.node_text(written).into_owned(),
            };
            self.check_known(&Shown { text: text.clone(), node: Some(written) }, &text, start)?;
            vec![text]
        } else {
            let results = self.signature.results.iter();
            results.map(|variable| self.strict_type(variable)).collect::<Result<_, _>>()?
        };
        let (sign, lasting) = (flow.rules.borrow_sign.as_str(), flow.rules.lasting_borrow.as_str());
        let borrows = |text: &str| !sign.is_empty() && text.replace(lasting, "").contains(sign);
        if types.iter().any(|text| borrows(text)) {
            return Err(Refusal::unsafe_at(
                start,
                "the result borrows from something, which the new function would have to say",
            ));
        }
        Ok(match &types[..] {
            [] if code.no_result.is_empty() => String::new(),
            [] => of(&code.no_result),
            [only] => of(only),
            several => of(&code.several_types.replace("$types", &several.join(", "))),
        })
    }

    /// The part of the new function's head about what it may throw.
    pub(super) fn raises(&self) -> String {
        let (flow, tree, table) = (self.flow, self.flow.tree, self.flow.tree.table());
        let mut types: Vec<String> = Vec::new();
        let mut add = |holder: Node| {
            let paths = flow.rules.raises.of(table.type_id(holder)).into_iter().flatten();
            for node in paths.flat_map(|path| tree.reached(holder, path)) {
                types.extend(tree.named_children(node).map(|one| tree.node_text(one).into_owned()));
            }
        };
        for at in flow.path(self.region.first).skip(1) {
            if flow.fits(at, &flow.rules.guarded) {
                let clauses = table.parent(at).into_iter().flat_map(|parent| table.children(parent));
                clauses.filter(|&clause| flow.is(clause, &flow.rules.handlers)).for_each(&mut add);
            }
            if flow.is(at, &flow.rules.functions) {
                add(at);
                break;
            }
        }
        let mut known = Vec::new();
        types.retain(|one| {
            let is_new = !known.contains(one);
            known.push(one.clone());
            is_new
        });
        if types.is_empty() { String::new() } else { self.code().raises.replace("$types", &types.join(", ")) }
    }
}
