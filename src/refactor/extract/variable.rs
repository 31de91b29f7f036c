//! A variable from an expression.

use crate::edit::{self, Allow, Op, Position};
use crate::flow::{Flow, Refusal};
use crate::gates::Followed;
use crate::modules::FileId;
use crate::refactor::extract::function::{Extracted, check_name, check_request, is_broken};
use crate::refactor::moved;
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Tree};

/// How far into a new statement the expression may begin: `const name = (`.
const HEAD: usize = 4;

/// Makes a variable of the expression in a range, and of all that are equal if `all`.
///
/// # Errors
/// If the program would not do the same, or that cannot be seen.
pub fn extract_variable(
    tree: &Tree,
    file: FileId,
    range: Span,
    (name, all): (&str, bool),
    limits: &ParseLimits,
) -> Result<Extracted, Refusal> {
    let flow = Flow::new(tree);
    let table = tree.table();
    check_request(&flow, range, name, limits)?;
    let region = flow.region(range, true)?;
    let (node, start) = (region.first, region.span.start());
    let statement = flow.statement(node).ok_or_else(|| Refusal::request(start, "there is no statement around it"))?;
    check_place(&flow, node, statement)?;
    flow.check_once(node, statement)?;
    let traits = flow.traits(node);
    flow.check_first(traits, node, statement)?;
    flow.check_names(node, node, statement)?;
    flow.check_chain(node)?;
    flow.check_narrows(node, true)?;
    if flow.ends_with_effect(node) {
        return Err(Refusal::unsafe_at(start, "the value would end at another time, which does something"));
    }
    let mut notes = Vec::new();
    let mut uses = vec![node];
    if all {
        uses.extend(equal(&flow, node, statement, &mut notes)?);
    }
    let code = &flow.rules.code;
    let text = tree.text().slice(region.span).into_owned();
    let is_broken = tree.language().spec().indentation_is_syntax && is_broken(&flow, node);
    let value = if is_broken { tree.language().spec().parens.replace("$0", &text) } else { text };
    let is_constant = traits.is_literal && traits.makes.is_none() && !code.constant.is_empty();
    let form = if is_constant { &code.constant } else { &code.declare };
    let shown = if code.result_type.is_empty() { None } else { flow.shown_type(node) };
    let shown = shown.map_or_else(|| code.inferred.clone(), |shown| shown.text);
    let written = form.replace("$type", &shown).replace("$name", name).replace("$value", &value);
    let mut ops: Vec<Op> =
        uses.iter().map(|&target| Op::Replace { target, code: name.to_owned(), extent: None }).collect();
    ops.push(Op::Insert { target: statement, position: Position::Before, code: written, extent: None });
    let outcome = edit::apply(tree, &ops, Allow::default(), limits)?;
    let new = &outcome.tree;
    let after = Flow::new(new);
    let lost = || Refusal::unsafe_at(start, "the code would change its meaning in a statement of its own");
    let leaves_of = |nodes: &[Node]| {
        let table = new.table();
        after.leaves(nodes.iter().flat_map(|&node| table.range(node.index(), table.subtree_end(node))))
    };
    let declared = leaves_of(&outcome.operations[uses.len()].nodes);
    let old = flow.leaves(flow.nodes(region));
    let at = moved::repeated_at((tree, &old), (new, &declared), HEAD).filter(|&at| at > 0).ok_or_else(lost)?;
    let mut followed = Followed { members: moved::members(&flow, file), ..Followed::default() };
    followed.pair(file, (tree, &old), (new, &declared[at..at + old.len()]));
    for &other in &uses[1..] {
        let leaves = flow.leaves(table.range(other.index(), table.subtree_end(other)));
        followed.gone.extend(leaves.iter().map(|&leaf| (file, tree.span(leaf).start())));
    }
    let is_it = |leaf: &Node| *new.node_text(*leaf) == *name && after.scopes.is_identifier(*leaf);
    let defined = declared[..at].iter().copied().find(is_it).ok_or_else(lost)?;
    for made in &outcome.operations[..uses.len()] {
        let used = leaves_of(&made.nodes).into_iter().find(is_it).ok_or_else(lost)?;
        check_name(&after, used, defined, start, name)?;
    }
    Ok(Extracted { outcome, followed, notes, from: statement, class: None, places: uses.len() })
}

/// Refuses expressions that have no place for a statement before them, or no value.
fn check_place(flow: &Flow<'_>, node: Node, statement: Node) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let at = tree.span(node).start();
    if flow.scopes.is_identifier(node) {
        return Err(Refusal::request(at, "the expression is already a name"));
    }
    let Some(parent) = table.parent(node) else { return Err(Refusal::request(at, "it is the whole file")) };
    if flow.is(parent, &rules.plain) {
        return Err(Refusal::request(at, "the expression is a whole statement, whose value is not used"));
    }
    let scope = flow.scopes.around(statement);
    let id = table.type_id(scope);
    if flow.scopes.rules.unseen.contains(id)
        || table.parent(statement) == Some(scope) && flow.scopes.rules.members.contains(id)
    {
        return Err(Refusal::unsafe_at(at, "a variable of a class is a member"));
    }
    let single = tree
        .language()
        .spec()
        .args
        .of(table.type_id(parent))
        .is_some_and(|count| count.single.contains(table.type_id(node)));
    if single {
        return Err(Refusal::request(at, "the expression has the brackets of the call"));
    }
    if flow.is(node, &rules.functions) && !flow.is(node, &rules.makes) {
        return Err(Refusal::request(at, "it is a definition"));
    }
    if !rules.code.result_type.is_empty() {
        return check_value(flow, node, statement);
    }
    if !rules.code.typed.is_empty() && flow.is(node, &rules.makes) {
        return Err(Refusal::unsafe_at(at, "its type comes from the place where it is"));
    }
    if flow.infers_types() && tree.callee(node).is_some() && flow.written_type(parent).is_some() {
        return Err(Refusal::unsafe_at(at, "what it returns may have its type from the place where it is"));
    }
    let nodes = || table.range(node.index(), table.subtree_end(node));
    let binds = nodes()
        .find(|&inner| flow.scopes.is_identifier(inner) && !flow.is_in_scope_of(inner, node) && flow.writes(inner));
    if let Some(binds) = binds {
        let why = format!("the expression assigns `{}`", tree.node_text(binds));
        return Err(Refusal::unsafe_at(tree.span(binds).start(), why));
    }
    if let Some(yielded) = nodes().find(|&inner| flow.is(inner, &rules.yields)) {
        return Err(Refusal::unsafe_at(tree.span(yielded).start(), "a generator yields here"));
    }
    Ok(())
}

/// Refuses an expression that has no type or no value of its own.
fn check_value(flow: &Flow<'_>, node: Node, statement: Node) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let refuse = |why: &str| Err(Refusal::unsafe_at(tree.span(node).start(), why));
    let shown = flow.shown_type(node);
    let spec = tree.language().spec();
    let is_lambda = spec.symbols.members.lambdas.contains(table.type_id(node));
    let text = tree.node_text(node);
    let is_generic = spec.symbols.type_words.inferred_marks.iter().any(|mark| text.contains(mark.as_str()));
    if shown.is_none() && (is_lambda || is_generic || flow.is(node, &rules.functions) && !rules.copied_types.is_empty())
    {
        return refuse("its type comes from the place where it is");
    }
    if let Some(own) =
        table.range(statement.index(), node.index()).find(|&at| flow.is(at, &rules.own) && table.is_within(node, at))
    {
        return Err(Refusal::unsafe_at(tree.span(own).start(), "no statement can be before this"));
    }
    // A call that gives several values.
    let lists = &spec.symbols.several_values.lists;
    let parent = table.parent(node).unwrap_or(Node::ROOT);
    if !lists.is_empty() && rules.binds_again {
        let holder = table.parent(parent).unwrap_or(Node::ROOT);
        let is_alone = tree.named_children(parent).count() == 1;
        let counts =
            tree.named_children(holder).filter(|&child| lists.contains(table.type_id(child)) && child != parent);
        let takes = counts.map(|list| tree.named_children(list).count()).max().unwrap_or(1);
        let is_list = lists.contains(table.type_id(parent)) && is_alone;
        let names = tree.named_children(holder).filter(|&name| flow.scopes.binds(name)).count();
        let gives = matches!(flow.results_of_call(node), Some(crate::flow::Results::Several(_)));
        let returns = flow.is(holder, &rules.returns)
            && matches!(flow.results(flow.function_of(node)), crate::flow::Results::Several(_));
        if gives || is_list && (takes > 1 || names > 1 || returns) {
            return refuse("the expression gives several values");
        }
    }
    if rules.copied_types.is_empty() {
        return Ok(());
    }
    let is_copied = shown.is_some_and(|shown| rules.copied_types.contains(&shown.text));
    if flow.is(node, &rules.states) && !is_copied {
        let error = Refusal::unsafe_at(tree.span(node).start(), "a variable may move this value out of its place");
        return Err(error.hint("extract the code that borrows it"));
    }
    for call in table.range(node.index(), table.subtree_end(node)).filter(|&call| tree.callee(call).is_some()) {
        let Some(access) = tree.named_children(call).next() else { continue };
        let (Some(object), Some(name)) = (tree.named_children(access).next(), tree.named_children(access).nth(1))
        else {
            continue;
        };
        let lends = rules.lending_methods.iter().any(|known| *known == *tree.node_text(name));
        if lends && (tree.callee(object).is_some() || flow.is(object, &rules.effects)) {
            return Err(Refusal::unsafe_at(
                tree.span(object).start(),
                "the variable would borrow from a value that ends with its statement",
            ));
        }
    }
    Ok(())
}

impl Flow<'_> {
    /// Whether a name gets a value at a place.
    pub(crate) fn writes(&self, node: Node) -> bool {
        self.scopes.binds(node)
            || self.scopes.reaches(node, &self.rules.writes).is_some()
            || self.scopes.reaches(node, &self.rules.updates).is_some()
    }

    /// Whether a name is a variable of a scope inside of a node.
    pub(crate) fn is_in_scope_of(&self, name: Node, node: Node) -> bool {
        let names = self.scopes.names_like(name);
        let symbol = names.at(name).and_then(|found| names.resolve(&self.scopes, found));
        symbol.is_some_and(|symbol| symbol.scope != Node::ROOT && self.tree.table().is_within(symbol.scope, node))
    }

    /// Whether two nodes are the same code, with the same variables.
    pub(crate) fn is_equal(&self, one: Node, other: Node) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let leaves = |node: Node| self.leaves(table.range(node.index(), table.subtree_end(node)));
        let (ones, others) = (leaves(one), leaves(other));
        let symbol = |node: Node| {
            let names = self.scopes.names_like(node);
            names.at(node).and_then(|found| names.resolve(&self.scopes, found))
        };
        table.type_id(one) == table.type_id(other)
            && ones.len() == others.len()
            && ones.iter().zip(&others).all(|(&one, &other)| {
                tree.node_text(one) == tree.node_text(other)
                    && (!self.scopes.is_identifier(one)
                        || match (symbol(one), symbol(other)) {
                            (Some(one), Some(other)) => one.is(other),
                            (one, other) => one.is_none() && other.is_none(),
                        })
            })
    }
}

/// The expressions after one that are equal and have the same value.
fn equal(flow: &Flow<'_>, node: Node, statement: Node, notes: &mut Vec<String>) -> Result<Vec<Node>, Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let traits = flow.traits(node);
    if let Some(each) = traits.effect.or(traits.makes) {
        let error = Refusal::unsafe_at(
            tree.span(each).start(),
            "the expression is evaluated each time, and its value may differ",
        );
        return Err(error.hint("extract only this one"));
    }
    let variables = flow.variables(table.range(node.index(), table.subtree_end(node)));
    let writes: Vec<Node> =
        variables.iter().flat_map(|variable| &variable.uses).filter(|one| one.writes).map(|one| one.node).collect();
    let function = flow.function_of(node);
    let is_elsewhere =
        |one: &crate::flow::VariableUse| one.writes && one.function != function && !table.is_within(node, one.function);
    let is_shared = variables.iter().flat_map(|variable| &variable.uses).any(is_elsewhere);
    let (mut found, mut left, mut is_changed) = (Vec::new(), 0, false);
    for unit in std::iter::successors(Some(statement), |&unit| table.next_sibling(unit)) {
        is_changed |= !flow.keeps(unit, traits, &writes, is_shared);
        let mut at = unit.index();
        while at < table.subtree_end(unit) {
            let Some(other) = table.range(at, at + 1).next() else { break };
            at += 1;
            if other == node || table.is_within(other, node) || !flow.is_equal(node, other) {
                continue;
            }
            at = table.subtree_end(other);
            let is_value =
                !flow.path(other).take_while(|&at| at != unit).any(|at| flow.fits(at, &flow.rules.not_values));
            if is_changed || flow.function_of(other) != function || !is_value {
                left += 1;
            } else {
                found.push(other);
            }
        }
    }
    match left {
        0 => {}
        1 => notes.push("left 1 equal expression whose value may differ".to_owned()),
        count => notes.push(format!("left {count} equal expressions whose values may differ")),
    }
    Ok(found)
}
