//! A variable or a function into its uses.

use crate::edit::{self, Allow, Extent, Op, Outcome};
use crate::flow::{Flow, Refusal};
use crate::gates::Followed;
use crate::modules::FileId;
use crate::refactor::extract::function::{Extracted, is_broken};
use crate::refactor::inline::function::calls;
use crate::refactor::moved;
use crate::refactor::put::{Put, check_string};
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Tree};

/// Puts the value of a variable, or the body of a function, in place of each use in its file, and deletes the definition.
///
/// # Errors
/// If the program would not do the same, or that cannot be seen.
pub fn inline(
    tree: &Tree,
    file: FileId,
    name: Node,
    uses: &[Span],
    limits: &ParseLimits,
) -> Result<Extracted, Refusal> {
    let flow = Flow::new(tree);
    let start = tree.span(name).start();
    if !flow.rules.is_known() {
        return Err(Refusal::request(start, format!("this refactor is not supported in {}", tree.language().name())));
    }
    if uses.is_empty() {
        let error = Refusal::request(start, format!("nothing uses `{}`", tree.node_text(name)));
        return Err(error.hint("delete it"));
    }
    if let Some(error) = tree.errors().first() {
        return Err(Refusal::request(error.span.start(), "the file has a syntax error"));
    }
    let nodes: Vec<Node> = uses.iter().map(|&span| tree.table().smallest_around(span)).collect();
    let parent = tree.table().parent(name).unwrap_or(Node::ROOT);
    let (definition, puts) = if flow.is(parent, &flow.rules.functions) && tree.name_node(parent) == Some(name) {
        calls(&flow, parent, &nodes)?
    } else {
        variable(&flow, name, &nodes)?
    };
    put(&flow, file, (name, definition), puts, limits)
}

/// The uses of a variable, each with its value.
fn variable(flow: &Flow<'_>, name: Node, uses: &[Node]) -> Result<(Node, Vec<Put>), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let at = tree.span(name).start();
    let text = tree.node_text(name).into_owned();
    let wrong = |why: &str| Err(Refusal::unsafe_at(at, why.to_owned()));
    let declares = table.ancestors(name).find_map(|holder| {
        let rule = flow.rules.declares.of(table.type_id(holder))?;
        (tree.reached(holder, &rule.name) == [name]).then(|| tree.reached(holder, &rule.value))
    });
    let Some(value) = declares.as_deref().and_then(|values| values.first()).copied() else {
        return wrong("it is not defined by an assignment of its own");
    };
    let Some(unit) = flow.statement(name) else { return wrong("it is not defined by a statement") };
    let is_own = flow.path(name).take_while(|&node| node != unit).all(|node| !flow.is(node, &flow.rules.functions));
    let holder = table.ancestors(name).find(|&at| flow.rules.declares.of(table.type_id(at)).is_some());
    let bound = table
        .range(unit.index(), table.subtree_end(unit))
        .filter(|&node| flow.scopes.is_identifier(node) && flow.writes(node) && !table.is_within(node, value));
    let is_plain = tree.inner(unit).is_none_or(|inner| table.is_within(name, inner))
        && (holder == Some(unit) || tree.named_children(unit).filter(|&child| !tree.is_comment(child)).count() <= 1)
        && bound.count() <= 1;
    if !is_own || !is_plain {
        return wrong("the statement does more than to define it");
    }
    let variables = flow.variables(std::iter::once(name));
    let Some(own) = variables.first() else { return wrong("it is not a variable") };
    if let Some(other) = own.uses.iter().find(|one| one.writes && one.node != name) {
        return Err(Refusal::unsafe_at(other.span.start(), format!("`{text}` is reassigned")));
    }
    if flow.scopes.rules.unseen.contains(table.type_id(own.symbol.scope)) {
        return wrong("it is a member of a class");
    }
    for &node in uses {
        if !own.uses.iter().any(|one| one.node == node) {
            return Err(Refusal::unsafe_at(tree.span(node).start(), format!("this refers to `{text}` in another way")));
        }
        flow.check_own(value, node)?;
        flow.check_callee(value, node)?;
        flow.check_number(value, node)?;
        if !flow.written_before(node, own.symbol.scope, 0, &[name], false) {
            return Err(Refusal::unsafe_at(tree.span(node).start(), format!("`{text}` may have no value here")));
        }
    }
    if let Some(missing) = own.uses.iter().find(|one| one.reads && !uses.contains(&one.node)) {
        return Err(Refusal::unsafe_at(missing.span.start(), format!("this may not be `{text}`")));
    }
    check_moves(flow, (unit, value), uses)?;
    check_reads(flow, unit, value, uses)?;
    check_owner(flow, unit, value, uses)?;
    check_copy(flow, name, value)?;
    let mut holders = table.ancestors(name).take_while(|&at| at != unit).chain([unit]);
    let written = holders.find_map(|at| flow.written_type(at)).filter(|&written| !table.is_within(name, written));
    flow.check_conforms(written, value, &format!("`{text}`"))?;
    flow.check_open(written, value)?;
    let constant = flow.rules.code.declare.split(' ').next();
    let is_constant = tree.node_text(unit).split_whitespace().take(2).any(|word| Some(word) == constant);
    for &used in uses {
        flow.check_wider(value, used, written.is_some() || !is_constant)?;
        flow.check_chosen(written, value, used)?;
    }
    let is_number = tree.node_text(value).starts_with(|first: char| first.is_ascii_digit());
    if !flow.rules.copied_types.is_empty() && is_number && written.is_none() && uses.len() > 1 {
        return wrong("the type of the number comes from its uses, and each would decide alone");
    }
    if let Some(called) = uses.iter().copied().find(|&used| !flow.rules.copied_types.is_empty() && borrows(flow, used))
    {
        return Err(Refusal::unsafe_at(
            tree.span(called).start(),
            "this borrows the variable for longer than the statement",
        ));
    }
    let code = tree.node_text(value).trim_end().to_owned();
    let broken = tree.language().spec().indentation_is_syntax && is_broken(flow, value);
    let code = if broken { tree.language().spec().parens.replace("$0", &code) } else { code };
    let leaves = flow.leaves(table.range(value.index(), table.subtree_end(value)));
    let mut puts = Vec::new();
    for &target in uses {
        check_string(flow, target, &code)?;
        let pair = flow.scopes.shorthand(target).filter(|template| template.contains(':'));
        let is_pair = pair.is_some();
        let code = pair.map_or(code.clone(), |template| template.replace("$old", &text).replace("$new", &code));
        let within = if is_pair { 3 } else { 1 };
        puts.push(Put { target, code, leaves: leaves.clone(), within, whole: Some(value).filter(|_| !is_pair) });
    }
    Ok((unit, puts))
}

/// Whether the result of what uses a variable may borrow from it.
fn borrows(flow: &Flow<'_>, used: Node) -> bool {
    let (tree, table) = (flow.tree, flow.tree.table());
    let Some(parent) = table.parent(used) else { return false };
    let name = tree.named_children(parent).nth(1).filter(|&name| name != used).map(|name| tree.node_text(name));
    let is_lent = name.is_some_and(|name| flow.rules.lending_methods.iter().any(|known| *known == *name));
    let is_statement = |at: &Node| flow.rules.declares.of(table.type_id(*at)).is_some();
    let is_reference = flow.is(parent, &flow.rules.borrowed_values) && tree.named_children(parent).last() == Some(used);
    (is_lent || is_reference) && table.ancestors(parent).take(4).any(|at| is_statement(&at))
}

/// Refuses a value that may be another one where it is used.
fn check_moves(flow: &Flow<'_>, (unit, value): (Node, Node), uses: &[Node]) -> Result<(), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let traits = flow.traits(value);
    let variables = flow.variables(table.range(value.index(), table.subtree_end(value)));
    let function = flow.function_of(unit);
    let loops = flow.loops(unit, function);
    let is_later = |one: &crate::flow::VariableUse| {
        one.writes
            && !table.is_within(one.node, value)
            && (one.span.start() > tree.span(unit).start()
                || one.function != function && !table.is_within(unit, one.function)
                || loops.iter().any(|&around| table.is_within(one.node, around)))
    };
    let later: Vec<Node> =
        variables.iter().flat_map(|variable| &variable.uses).filter(|one| is_later(one)).map(|one| one.node).collect();
    let is_stable = traits.effect.is_none() && traits.state.is_none() && traits.makes.is_none() && later.is_empty();
    if is_stable {
        return Ok(());
    }
    let [only] = uses else {
        let what = traits.effect.or(traits.state).or(traits.makes).or(later.first().copied()).unwrap_or(value);
        let why = "the value may differ each time it is evaluated, and it is used more than once";
        return Err(Refusal::unsafe_at(tree.span(what).start(), why));
    };
    let is_shared = variables
        .iter()
        .flat_map(|variable| &variable.uses)
        .any(|one| later.contains(&one.node) && one.function != function && !table.is_within(unit, one.function));
    let statement = flow.statement(*only).unwrap_or(*only);
    let mut between = std::iter::successors(table.next_sibling(unit), |&next| table.next_sibling(next))
        .take_while(|&next| next < statement && !table.is_within(statement, next));
    if table.parent(statement) != table.parent(unit) {
        return Err(Refusal::unsafe_at(
            tree.span(*only).start(),
            "it is used in another block, where the value may differ",
        ));
    }
    if let Some(changes) = between
        .find(|&next| table.is_named(next) && !tree.is_comment(next) && !flow.keeps(next, traits, &later, is_shared))
    {
        return Err(Refusal::unsafe_at(tree.span(changes).start(), "this may change the value, or depend on it"));
    }
    flow.check_once(*only, statement)?;
    if let Some(&write) = later
        .iter()
        .find(|&&write| table.is_within(write, statement) && write < *only && !is_target(flow, write, statement))
    {
        return Err(Refusal::unsafe_at(tree.span(write).start(), "this changes the value"));
    }
    flow.check_first(traits, *only, statement)?;
    flow.check_names(value, *only, statement)
}

/// Refuses a variable that changes in the place of one that a function inside may read.
fn check_reads(flow: &Flow<'_>, unit: Node, value: Node, uses: &[Node]) -> Result<(), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let function = flow.function_of(unit);
    let is_inside = |&used: &Node| flow.function_of(used) != function;
    let Some(used) = uses.iter().copied().filter(|_| flow.rules.captures_fixed).find(is_inside) else { return Ok(()) };
    let variables = flow.variables(table.range(value.index(), table.subtree_end(value)));
    let is_local = |scope: Node| flow.function_of_scope(scope) == function && function != Node::ROOT;
    let changing = variables
        .iter()
        .find(|one| is_local(one.symbol.scope) && one.uses.iter().filter(|place| place.writes).count() > 1);
    let Some(changing) = changing else { return Ok(()) };
    let why = format!("a function inside may not read `{}`, which gets several values", changing.name);
    Err(Refusal::unsafe_at(tree.span(used).start(), why))
}

/// Refuses a value that would end at another time, or reads what was given away or borrowed by then.
fn check_owner(flow: &Flow<'_>, unit: Node, value: Node, uses: &[Node]) -> Result<(), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    if flow.ends_with_effect(value) {
        return Err(Refusal::unsafe_at(
            tree.span(value).start(),
            "the value would end at another time, which does something",
        ));
    }
    let Some(&last) = uses.iter().max() else { return Ok(()) };
    let statement = flow.statement(last).unwrap_or(last);
    let between = std::iter::successors(table.next_sibling(unit), |&next| table.next_sibling(next));
    for code in between.take_while(|&next| next <= statement) {
        if let Some(taken) = flow.taking_of(value, code) {
            let why = format!("this takes `{}`, which the value reads", tree.node_text(taken));
            return Err(Refusal::unsafe_at(tree.span(taken).start(), why));
        }
    }
    let is_made = flow.has_owners() && tree.callee(value).is_some();
    let is_receiver = |&&used: &&Node| {
        let member = table.parent(used).filter(|&parent| flow.is(parent, &flow.rules.states));
        let is_called = member.and_then(|member| table.parent(member)).is_some_and(|call| tree.callee(call).is_some());
        is_called && flow.statement(used).is_some_and(|at| flow.rules.declares.of(table.type_id(at)).is_some())
    };
    match uses.iter().filter(|_| is_made).find(is_receiver) {
        Some(&used) => Err(Refusal::unsafe_at(
            tree.span(used).start(),
            "the result may borrow from the value, which would end here",
        )),
        None => Ok(()),
    }
}

/// Refuses a changeable copy of a value: what would change in its place is the original.
fn check_copy(flow: &Flow<'_>, name: Node, value: Node) -> Result<(), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let marks = &flow.rules.mutable_marks;
    let parent = table.parent(name).unwrap_or(Node::ROOT);
    let is_changeable = table.children(parent).any(|child| flow.is(child, marks));
    let is_place = flow.scopes.is_identifier(value) || flow.is(value, &flow.rules.states);
    if !is_changeable || !is_place {
        return Ok(());
    }
    let text = tree.node_text(name);
    let why = format!("`{text}` is a copy that may change, and the value in its place would change instead");
    Err(Refusal::unsafe_at(tree.span(name).start(), why))
}

/// Whether a place gets its value after the rest of the statement was evaluated.
fn is_target(flow: &Flow<'_>, node: Node, statement: Node) -> bool {
    flow.path(node).take_while(|&at| at != statement).any(|at| flow.fits(at, &flow.rules.not_values))
}

/// Whether a sign at an end of new code would be one with the sign beside its place: `5-x` with `-a` for `x`.
fn joins_signs(tree: &Tree, put: &Put) -> bool {
    const SIGNS: &str = "+-*/%&|<>=!^~?.:";
    let span = tree.span(put.target);
    let beside = |at: usize| tree.text().slice(Span::new(at, (at + 1).min(tree.text().len()))).into_owned();
    let before = span.start().checked_sub(1).map(beside).unwrap_or_default();
    let after = beside(span.end());
    let is_sign = |text: &str| !text.is_empty() && SIGNS.contains(text);
    let (first, last) = (put.code.chars().next(), put.code.chars().last());
    let begins = first.is_some_and(|first| SIGNS.contains(first) && is_sign(&before));
    begins || last.is_some_and(|last| SIGNS.contains(last) && is_sign(&after))
}

/// Makes the edits, with parentheses where the code would be read as something else.
fn put(
    flow: &Flow<'_>,
    file: FileId,
    (name, definition): (Node, Node),
    puts: Vec<Put>,
    limits: &ParseLimits,
) -> Result<Extracted, Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let start = tree.span(name).start();
    let is_grouped = |put: &Put| {
        let ends_early = put.whole.is_some_and(|whole| flow.may_end_early(whole)) && flow.goes_on(put.target);
        put.whole.is_some() && (ends_early || joins_signs(tree, put))
    };
    let mut grouped: Vec<bool> = puts.iter().map(is_grouped).collect();
    let parens = &tree.language().spec().parens;
    let mut done: Option<Outcome> = None;
    for _ in 0..2 {
        let written = puts.iter().zip(&grouped).map(|(put, &grouped)| {
            let code = if grouped { parens.replace("$0", &put.code) } else { put.code.clone() };
            Op::Replace { target: put.target, code, extent: None }
        });
        let mut ops: Vec<Op> = written.collect();
        ops.push(Op::Delete { target: definition, extent: Some(Extent::Node) });
        let tried = edit::apply(tree, &ops, Allow::default(), limits);
        let is_last = grouped.iter().any(|&grouped| grouped);
        let outcome = match tried {
            Ok(outcome) => outcome,
            Err(error) if is_last || parens.is_empty() => return Err(error.into()),
            Err(_) => {
                grouped = puts.iter().map(|put| put.whole.is_some()).collect();
                continue;
            }
        };
        let is_whole = |at: usize| {
            let Some(whole) = puts[at].whole else { return true };
            let made = &outcome.operations[at].nodes;
            let type_id = table.type_id(whole);
            made.len() == 1 && (grouped[at] || outcome.tree.table().type_id(made[0]) == type_id)
        };
        let split: Vec<usize> = (0..puts.len()).filter(|&at| !is_whole(at)).collect();
        if split.is_empty() {
            done = Some(outcome);
            break;
        }
        split.into_iter().for_each(|at| grouped[at] = true);
    }
    let lost = || Refusal::unsafe_at(start, "the code would change its meaning in place of a use");
    let outcome = done.ok_or_else(lost)?;
    let new = &outcome.tree;
    let after = Flow::new(new);
    let mut followed = Followed { members: moved::members(flow, file), ..Followed::default() };
    let gone = |node: Node| {
        let leaves = flow.leaves(table.range(node.index(), table.subtree_end(node)));
        leaves.into_iter().map(|leaf| (file, tree.span(leaf).start()))
    };
    followed.gone.extend(gone(definition));
    for (put, made) in puts.iter().zip(&outcome.operations) {
        followed.gone.extend(gone(put.target));
        let leaves = after
            .leaves(made.nodes.iter().flat_map(|&node| new.table().range(node.index(), new.table().subtree_end(node))));
        let at = moved::repeated_at((tree, &put.leaves), (new, &leaves), put.within + 1).ok_or_else(lost)?;
        followed.pair(file, (tree, &put.leaves), (new, &leaves[at..at + put.leaves.len()]));
    }
    let mut notes = Vec::new();
    if flow.path(name).any(|at| flow.fits(at, &flow.scopes.rules.exports)) {
        let text = tree.node_text(name);
        notes.push(format!("`{text}` is exported; code outside of the project that uses it is not changed"));
    }
    Ok(Extracted { outcome, followed, notes, from: definition, class: None, places: puts.len() })
}
