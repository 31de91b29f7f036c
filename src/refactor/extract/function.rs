//! A function from some statements, or from an expression.

use crate::edit::{self, Allow, Op, Outcome, Position};
use crate::flow::{Flow, Refusal, Region, Variable, VariableUse};
use crate::gates::Followed;
use crate::modules::FileId;
use crate::refactor::extract::extraction::{Extraction, Home, Method, Signature};
use crate::refactor::extract::strict::check_strict_types;
use crate::refactor::moved;
use crate::selector::Kinds;
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Tree};

/// How far into a new body the moved code may begin: a bracket, `return`, a parenthesis.
const BODY_HEAD: usize = 3;

/// What an extraction makes of a file.
#[derive(Debug)]
pub struct Extracted {
    /// The new tree, and the edits.
    pub outcome: Outcome,
    /// Where the names are that were moved.
    pub followed: Followed,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// A node of the code from which it was taken.
    pub from: Node,
    /// The class that gets a member.
    pub class: Option<Node>,
    /// How many expressions or groups of statements were replaced.
    pub places: usize,
}

/// Makes a function of the statements or the expression in a range.
///
/// # Errors
/// If the program would not do the same, or that cannot be seen.
pub fn extract_function(
    tree: &Tree,
    file: FileId,
    range: Span,
    name: &str,
    limits: &ParseLimits,
) -> Result<Extracted, Refusal> {
    let flow = Flow::new(tree);
    check_request(&flow, range, name, limits)?;
    let region = flow.region(range, false)?;
    let function = flow.function_of(region.first);
    if region.is_expression {
        flow.check_chain(region.first)?;
    }
    check_statements(&flow, region)?;
    let home = home(&flow, region)?;
    let mut notes = Vec::new();
    let signature = signature(&flow, region, function, &home)?;
    check_types(&flow, region, function, &signature)?;
    let extraction = Extraction { flow: &flow, region, home: &home, signature: &signature, name };
    let header = extraction.parameters(&mut notes)?;
    let (outcome, call_at, new_at) = extraction.apply(&header, limits)?;
    let followed = extraction.follow(file, &outcome, call_at, new_at)?;
    let class = home.method.as_ref().map(|method| method.class);
    let from = home.outermost.unwrap_or(region.first);
    Ok(Extracted { outcome, followed, notes, from, class, places: 1 })
}

/// Refuses what cannot be done in a file at all.
pub(crate) fn check_request(flow: &Flow<'_>, range: Span, name: &str, limits: &ParseLimits) -> Result<(), Refusal> {
    let tree = flow.tree;
    if !flow.rules.is_known() {
        let why = format!("this refactor is not supported in {}", tree.language().name());
        return Err(Refusal::request(range.start(), why));
    }
    let sample = tree.table().nodes().find(|&node| flow.scopes.is_identifier(node));
    if sample.is_some_and(|sample| !edit::may_be_named(tree, sample, name, limits)) {
        return Err(Refusal::request(range.start(), format!("`{name}` is not a valid name")));
    }
    let inner = tree.table().smallest_around(range);
    let shows = flow.path(inner).any(|at| tree.table().fits_any(at, &flow.rules.shows_code));
    if shows {
        return Err(Refusal::unsafe_at(
            range.start(),
            "the string shows the code of the expression, which would be another one",
        ));
    }
    let broken = tree.errors().into_iter().find(|error| error.span.overlaps(range));
    match broken {
        Some(error) => Err(Refusal::request(error.span.start(), "the code has a syntax error")),
        None => Ok(()),
    }
}

/// Refuses statements that mean something only in their function.
fn check_statements(flow: &Flow<'_>, region: Region) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let start = |node: Node| tree.span(node).start();
    if flow.scopes.rules.unseen.contains(table.type_id(flow.scopes.around(region.first))) {
        return Err(Refusal::unsafe_at(region.span.start(), "the code is a part of a class, whose names are members"));
    }
    let function = flow.function_of(region.first);
    if tree.language().spec().symbols.hidden_uses.class_code.contains(table.type_id(function)) {
        return Err(Refusal::unsafe_at(
            region.span.start(),
            "the code is a block of a class, which no other code calls",
        ));
    }
    for node in flow.nodes(region) {
        let text = || tree.node_text(node);
        let refuse = |why: String| Err(Refusal::unsafe_at(start(node), why));
        let id = table.type_id(node);
        if rules.own.contains(id) {
            return refuse(format!("`{}` has a meaning only in its function", text()));
        }
        if flow.scopes.is_identifier(node) && rules.frame_words.iter().any(|word| *word == *text()) {
            return refuse(format!("`{}` depends on the enclosing function", text()));
        }
        let classified = flow.scopes.classify(node).map(|(does, _)| does);
        if matches!(classified, Some(crate::scopes::Use::Global | crate::scopes::Use::Outer)) {
            return refuse("the declaration applies to the whole function".to_owned());
        }
        if flow.is_in_nested(node, region) {
            continue;
        }
        if rules.yields.contains(id) {
            return refuse("a generator yields here".to_owned());
        }
        if let Some(targets) = rules.breaks.of(id) {
            let mut around = flow.path(node).take_while(|&at| region.span.contains(tree.span(at)));
            let label = tree.named_children(node).next();
            // What is in the `else` of a loop leaves the loop around it.
            let is_its = |at: Node| {
                targets.contains(table.type_id(at)) && tree.body(at).is_none_or(|body| table.is_within(node, body))
            };
            if label.is_some() || !around.any(is_its) {
                return refuse(format!("`{}` leaves the range", text().trim_end_matches(';')));
            }
        }
    }
    let returns = flow.nodes(region).find(|&node| flow.is(node, &rules.returns) && !flow.is_in_nested(node, region));
    if let Some(returned) = returns
        && !flow.never_ends(region.last)
    {
        let error = Refusal::unsafe_at(start(returned), "only some paths through the range return");
        return Err(error.hint("extend the range to the end of the function, or leave the `return` out"));
    }
    Ok(())
}

/// Refuses code whose types come from the code around it, in a language with type annotations.
fn check_types(flow: &Flow<'_>, region: Region, function: Node, signature: &Signature) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    if rules.code.typed.is_empty() {
        return Ok(());
    }
    if !rules.code.result_type.is_empty() {
        return check_strict_types(flow, region, function, signature);
    }
    if region.is_expression && flow.is(region.first, &rules.makes) {
        return Err(Refusal::unsafe_at(region.span.start(), "its type comes from the place where it is"));
    }
    if region.is_expression {
        flow.check_narrows(region.first, false)?;
    }
    flow.check_narrows_after(region)?;
    if Kinds::new(tree).is(function, "constructor") {
        let is_own = |node: Node| {
            let object = tree.named_children(node).next();
            object.is_some_and(|object| flow.scopes.rules.self_types.contains(table.type_id(object)))
        };
        let gives = |node: &Node| flow.is(*node, &rules.states) && flow.fits(*node, &rules.writes) && is_own(*node);
        if let Some(given) = flow.nodes(region).find(gives) {
            let why = "only a constructor may give a member its first value";
            return Err(Refusal::unsafe_at(tree.span(given).start(), why));
        }
    }
    let is_declared = flow.is(function, &rules.hoisted) || tree.name_node(function).is_some();
    // What only throws would have no type that fits.
    let returns = flow.nodes(region).any(|node| flow.is(node, &rules.returns) && !flow.is_in_nested(node, region));
    if signature.returns && (!returns || tree.return_type(function).is_some() || !is_declared) {
        return Err(Refusal::unsafe_at(
            region.span.start(),
            "the type of what it returns comes from the function around it",
        ));
    }
    for variable in flow.variables(flow.nodes(region)) {
        let is_written = variable.uses.iter().filter(|one| one.writes).count() > 1;
        let is_free =
            !signature.parameters.iter().any(|one| one.symbol.is(variable.symbol) && one.name == variable.name);
        let is_outside = !table.is_within(variable.symbol.scope, function) || function == Node::ROOT;
        let read = variable
            .uses
            .iter()
            .find(|one| one.reads && one.span.start() < region.span.start() && table.is_within(one.node, function));
        if let Some(read) = read.filter(|_| is_written && is_free && is_outside) {
            let why =
                format!("the type of `{}` may be narrowed here, and would not be in another function", variable.name);
            return Err(Refusal::unsafe_at(read.span.start(), why));
        }
    }
    Ok(())
}

/// Where the new function goes, and whether it is a method.
fn home(flow: &Flow<'_>, region: Region) -> Result<Home, Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let kinds = Kinds::new(tree);
    let names = flow.scopes.rules;
    let is_class = |node: Node| kinds.is(node, "class");
    let outermost = table.ancestors(region.first).filter(|&at| flow.is(at, &rules.functions) || is_class(at)).last();
    let method = table.ancestors(region.first).find(|&at| kinds.is(at, "method") || kinds.is(at, "constructor"));
    let method = method.and_then(|node| Some((node, table.ancestors(node).find(|&at| is_class(at))?)));
    let is_private = |node: Node| {
        let text = tree.node_text(node);
        flow.scopes.is_identifier(node)
            && (names.is_class_private(&text) || names.lexical.contains(table.type_id(node)))
    };
    let super_calls = &tree.language().spec().symbols.object_words.base_calls;
    let is_super =
        |node: Node| flow.scopes.is_identifier(node) && super_calls.iter().any(|word| *word == *tree.node_text(node));
    let needs = flow.nodes(region).find(|&node| is_private(node) || is_super(node));
    let own = match method {
        None => None,
        Some((node, class)) => own_of(flow, region, node, class)?,
    };
    let stray = flow.nodes(region).find(|&node| {
        let is_self = names.self_types.contains(table.type_id(node)) && !rules.has_functions_in_classes;
        is_self
            && !own_scope(flow, node).is_some_and(|scope| {
                region.span.contains(tree.span(scope)) || own.as_ref().is_some_and(|own| own.node == scope)
            })
    });
    if let Some(stray) = stray {
        let why = format!("`{}` is the object of a function that is not a method", tree.node_text(stray));
        return Err(Refusal::unsafe_at(tree.span(stray).start(), why));
    }
    if let (Some(needs), None) = (needs, &own) {
        let why = format!(
            "`{}` means something only in the class, and the range does not use the object",
            tree.node_text(needs)
        );
        return Err(Refusal::unsafe_at(tree.span(needs).start(), why));
    }
    if flow.rules.has_functions_in_classes && own.is_none() {
        return Err(Refusal::unsafe_at(region.span.start(), "the code is not in a method"));
    }
    Ok(Home { outermost, method: own })
}

/// The nearest node around `this` that has an object of its own.
fn own_scope(flow: &Flow<'_>, node: Node) -> Option<Node> {
    flow.tree.table().ancestors(node).find(|&at| flow.is(at, &flow.scopes.rules.self_scopes))
}

/// The method, if the code uses its object.
fn own_of(flow: &Flow<'_>, region: Region, node: Node, class: Node) -> Result<Option<Method>, Refusal> {
    let (tree, table, names) = (flow.tree, flow.tree.table(), flow.scopes.rules);
    let spec = tree.language().spec();
    if flow.rules.code.own.is_empty() {
        let first = tree.table().nodes().skip(node.index()).take_while(|&at| table.is_within(at, node)).find(|&at| {
            flow.scopes.is_identifier(at) && flow.scopes.fits(at, &names.parameters).is_some()
                || flow.scopes.is_identifier(at)
                    && flow.scopes.found(at).is_some_and(|found| found.does.is_binding() && found.inner == node)
        });
        let Some(first) = first else { return Ok(None) };
        let own = tree.node_text(first).into_owned();
        let words: Vec<String> =
            tree.decorators(node).into_iter().map(|decorator| tree.decorator_word(decorator).into_owned()).collect();
        let is_in = |list: &[String]| words.iter().any(|word| list.contains(word));
        let name = tree.name(node).unwrap_or_default();
        if is_in(&names.static_decorators) || flow.rules.class_functions.contains(&name) {
            return Ok(None);
        }
        let variable = flow
            .variables(flow.nodes(region))
            .into_iter()
            .find(|variable| variable.name == own && variable.symbol.scope == node);
        let Some(variable) = variable else { return Ok(None) };
        if let Some(write) = variable.uses.iter().find(|one| one.writes && one.node != first) {
            let why = format!("`{own}` is reassigned");
            return Err(Refusal::unsafe_at(write.span.start(), why));
        }
        let is_class_method = is_in(&spec.symbols.decorators.class_methods);
        let decorator = tree.decorators(node).into_iter().find(|&decorator| {
            spec.symbols.decorators.class_methods.iter().any(|word| *word == *tree.decorator_word(decorator))
        });
        let decorator =
            decorator.filter(|_| is_class_method).map(|decorator| tree.node_text(decorator).trim_end().to_owned());
        return Ok(Some(Method { node, class, own: Some(own), is_static: false, decorator }));
    }
    let uses = flow.rules.has_functions_in_classes
        || flow
            .nodes(region)
            .any(|at| names.self_types.contains(table.type_id(at)) && own_scope(flow, at) == Some(node));
    let is_static = table.children(node).any(|child| names.static_marks.contains(table.type_id(child)))
        || tree.modifiers(node).iter().any(|word| flow.rules.static_words.iter().any(|known| *known == **word));
    Ok(uses.then_some(Method { node, class, own: None, is_static, decorator: None }))
}

/// The parameters and the results of the new function.
fn signature(flow: &Flow<'_>, region: Region, function: Node, home: &Home) -> Result<Signature, Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let inside = |one: &VariableUse| region.span.contains(one.span);
    let never_ends = !region.is_expression && flow.never_ends(region.last);
    let has_returns = flow.nodes(region).any(|node| flow.is(node, &rules.returns) && !flow.is_in_nested(node, region));
    let mut signature = Signature {
        parameters: Vec::new(),
        results: Vec::new(),
        returns: never_ends || has_returns,
        is_async: flow
            .nodes(region)
            .any(|node| table.fits_any(node, &rules.awaits) && !flow.is_in_nested(node, region)),
    };
    let top = home.method.as_ref().map_or(Node::ROOT, |method| method.node);
    for variable in flow.variables(flow.nodes(region)) {
        let scope = variable.symbol.scope;
        let is_in_region = scope != Node::ROOT && region.span.contains(tree.span(scope));
        let is_module = function == Node::ROOT && scope == Node::ROOT;
        if is_in_region
            || !is_module && variable.uses.iter().all(inside) && !is_carried(flow, region, function, &variable)
        {
            continue;
        }
        let name = variable.name.as_str();
        let refuse = |at: &VariableUse, why: String| Err(Refusal::unsafe_at(at.span.start(), why));
        let inner: Vec<VariableUse> = variable.uses.iter().copied().filter(inside).collect();
        let written = inner.iter().find(|one| one.writes);
        let is_outside = if home.method.is_some() { !table.is_within(scope, top) } else { scope == Node::ROOT };
        if is_outside && !is_module {
            match inner.iter().find(|one| one.binds) {
                Some(write) if flow.function_of_scope(scope) != write.function => {
                    return refuse(write, format!("`{name}` is a variable outside of the function"));
                }
                _ => continue,
            }
        }
        if is_module && written.is_none() {
            continue;
        }
        if home.method.as_ref().is_some_and(|method| method.own.as_deref() == Some(name) && scope == method.node) {
            continue;
        }
        if let Some(one) = inner.iter().find(|one| flow.is(one.node, &rules.type_names)) {
            return refuse(one, format!("the type `{name}` is known only around the range"));
        }
        let owner = flow.function_of_scope(scope);
        let writer = variable.uses.iter().find(|one| one.writes && one.function != owner);
        if let Some(write) = writer {
            return refuse(write, format!("a function inside changes `{name}`"));
        }
        let loops = flow.loops(region.first, function);
        let is_repeated = |one: &VariableUse| loops.iter().any(|&around| table.is_within(one.node, around));
        let is_after = |one: &VariableUse| one.span.start() >= region.span.end();
        // What a function sees that is made in the range.
        let captured = inner.iter().find(|one| one.function != function && flow.is_in_nested(one.node, region));
        if let Some(captured) = captured {
            let later =
                variable.uses.iter().find(|one| one.writes && !inside(one) && (is_after(one) || is_repeated(one)));
            if let Some(later) = later {
                let line = tree.text().line_at(captured.span.start());
                return refuse(later, format!("a function in line {line} would not see this value of `{name}`"));
            }
        }
        if let Some(write) = written {
            let seen = variable
                .uses
                .iter()
                .filter(|one| !inside(one) && one.function != owner && !table.is_within(region.first, one.function));
            let is_made_later = |one: &&VariableUse| {
                let made = one.function;
                is_after(one)
                    && tree.span(made).start() >= region.span.end()
                    && !is_repeated(one)
                    && !flow.is(made, &rules.hoisted)
            };
            if let Some(seen) = seen.clone().find(|one| !is_made_later(one)) {
                return refuse(seen, format!("another function sees `{name}`, which the range changes"));
            }
            if owner != function {
                return refuse(write, format!("`{name}` is a variable of an enclosing function"));
            }
        }
        add(flow, (region, function), variable, is_module, &loops, &mut signature)?;
    }
    Ok(signature)
}

/// Whether a variable of the range has its value from the turn of a loop before.
fn is_carried(flow: &Flow<'_>, region: Region, function: Node, variable: &Variable) -> bool {
    if flow.loops(region.first, function).is_empty() {
        return false;
    }
    let writes: Vec<Node> = variable.uses.iter().filter(|one| one.writes).map(|one| one.node).collect();
    !writes.is_empty() && variable.uses.iter().any(|one| one.reads && is_exposed(flow, region, one.node, &writes))
}

/// Whether a place in the range may get a value from before it.
fn is_exposed(flow: &Flow<'_>, region: Region, node: Node, writes: &[Node]) -> bool {
    let Some(holder) = flow.tree.table().parent(region.first) else { return true };
    !flow.written_before(node, holder, region.span.start(), writes, true)
}

/// Adds a variable of the function to the parameters and the results.
fn add(
    flow: &Flow<'_>,
    (region, function): (Region, Node),
    variable: Variable,
    is_module: bool,
    loops: &[Node],
    signature: &mut Signature,
) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let (name, scope) = (variable.name.clone(), variable.symbol.scope);
    let inside = |one: &VariableUse| region.span.contains(one.span);
    let is_repeated = |one: &VariableUse| loops.iter().any(|&around| table.is_within(one.node, around));
    let nodes = |wanted: &dyn Fn(&VariableUse) -> bool| -> Vec<Node> {
        variable.uses.iter().filter(|one| wanted(one)).map(|one| one.node).collect()
    };
    let writes_inside = nodes(&|one| one.writes && inside(one));
    let writes_outside = nodes(&|one| one.writes && !inside(one));
    let is_bindable = |node: Node| {
        tree.span(node).start() < region.span.start() || loops.iter().any(|&around| table.is_within(node, around))
    };
    // A hoisted function, or a variable of an expression around, has its value already.
    let is_definition = |node: Node| {
        table.parent(node).is_some_and(|parent| {
            flow.is(parent, &rules.hoisted)
                || flow.is(parent, &rules.functions) && table.is_within(region.first, parent)
        })
    };
    let is_expression_scope = flow.is(scope, &flow.scopes.rules.expressions)
        && !flow.holds_statements(scope)
        && (flow.is(scope, &rules.makes) || flow.is(scope, &rules.functions));
    let may_be_bound =
        is_expression_scope || writes_outside.iter().any(|&node| is_bindable(node) || is_definition(node));
    let is_bound = || {
        is_expression_scope
            || writes_outside.iter().any(|&node| is_definition(node))
            || flow.written_before(region.first, scope, 0, &writes_outside, true)
    };
    let exposed: Vec<Node> = nodes(&|one| one.reads && !one.writes | one.reads && inside(one))
        .into_iter()
        .filter(|&node| region.is_expression || is_exposed(flow, region, node, &writes_inside))
        .collect();
    let mut is_parameter = !exposed.is_empty() && may_be_bound;
    if region.is_expression && !writes_inside.is_empty() {
        return Err(Refusal::unsafe_at(
            tree.span(writes_inside[0]).start(),
            format!("the expression assigns `{name}`"),
        ));
    }
    // A loop around the range, by whose next turn the range itself may read what it wrote.
    let carries = |&around: &Node| {
        let is_of_a_turn = table.is_within(scope, around) && scope != around;
        !is_of_a_turn && (scope == around || !flow.written_before(region.first, around, 0, &writes_outside, false))
    };
    let goes_around = loops.iter().any(carries);
    let is_live = |one: &&VariableUse| {
        if !one.reads {
            return false;
        }
        if inside(one) {
            return goes_around && exposed.contains(&one.node);
        }
        let is_after = one.span.start() >= region.span.end();
        if !is_after && !is_repeated(one) {
            return false;
        }
        if !is_repeated(one) && flow.are_exclusive(region.first, one.node) {
            return false;
        }
        let (top, from) = match (is_repeated(one), is_after) {
            (false, _) | (true, true) => (scope, region.span.end()),
            (true, false) => {
                (loops.iter().copied().find(|&around| table.is_within(one.node, around)).unwrap_or(scope), 0)
            }
        };
        !flow.written_before(one.node, top, from, &writes_outside, false)
    };
    let live = variable.uses.iter().find(is_live);
    let written = flow.written_result(function).filter(|_| function != Node::ROOT);
    let is_named_result =
        written.is_some_and(|list| variable.uses.iter().any(|one| one.binds && table.is_within(one.node, list)));
    let is_result = !writes_inside.is_empty() && (live.is_some() || is_module || is_named_result);
    if is_result {
        let at = Refusal::unsafe_at;
        let first = writes_inside[0];
        if is_module && let Some(&definition) = writes_inside.iter().find(|&&node| !is_plain_write(flow, node)) {
            return Err(at(tree.span(definition).start(), format!("`{name}` is defined here for the whole module")));
        }
        let hoisted = writes_inside.iter().find(|&&node| is_definition(node));
        if let Some(&hoisted) = hoisted {
            return Err(at(
                tree.span(hoisted).start(),
                format!("`{name}` is a function that is used outside of the range"),
            ));
        }
        if signature.returns && !region.is_expression {
            return Err(at(tree.span(first).start(), format!("`{name}` is used after the range, which returns")));
        }
        check_caught(flow, region, function, (&variable, may_be_bound), &writes_inside)?;
        let mut units = std::iter::successors(Some(region.first), |&unit| table.next_sibling(unit))
            .take_while(|&unit| unit <= region.last);
        if !units.clone().any(|unit| flow.surely_writes(unit, &writes_inside, false)) {
            let is_sure = units.any(|unit| flow.surely_writes(unit, &writes_inside, true));
            if may_be_bound {
                is_parameter = true;
            } else if !is_sure {
                return Err(at(
                    tree.span(first).start(),
                    format!("`{name}` may have no value at the end of the range"),
                ));
            }
        }
    }
    // What is declared outside and written in the range has to be known there.
    let is_declared = variable.uses.iter().any(|one| one.binds && inside(one));
    is_parameter |= !is_declared && !writes_inside.is_empty();
    let unbound = variable.uses.iter().find(|one| one.unbinds && inside(one));
    if let Some(unbound) = unbound.filter(|_| is_result || is_parameter) {
        let why = format!("`{name}` is used elsewhere and has no value after this");
        return Err(Refusal::unsafe_at(unbound.span.start(), why));
    }
    if is_parameter && !is_bound() {
        // Where the first statement reads it anyway, it fails as before.
        let reads_first = exposed.iter().any(|&node| {
            let unit = if region.is_expression {
                region.first
            } else {
                flow.path(node).find(|&at| table.parent(at) == table.parent(region.first)).unwrap_or(node)
            };
            let is_first = unit == region.first || tree.is_comment(region.first);
            let mut around = flow.path(node).take_while(|&at| at != unit);
            is_first
                && around.all(|at| !flow.fits(at, &rules.maybe) && !flow.is(at, &rules.functions))
                && !flow.is(unit, &rules.functions)
        });
        if !reads_first {
            let at = exposed.first().or(writes_inside.first()).copied().unwrap_or(region.first);
            return Err(Refusal::unsafe_at(
                tree.span(at).start(),
                format!("`{name}` may have no value before the range"),
            ));
        }
    }
    match (is_parameter, is_result) {
        (true, true) => {
            signature.parameters.push(Variable {
                name: variable.name.clone(),
                symbol: variable.symbol,
                uses: variable.uses.clone(),
            });
            signature.results.push(variable);
        }
        (true, false) => signature.parameters.push(variable),
        (false, true) => signature.results.push(variable),
        (false, false) => {}
    }
    Ok(())
}

/// Whether a name gets a value, and is not that of a function, a class or an import.
fn is_plain_write(flow: &Flow<'_>, node: Node) -> bool {
    let is_import = flow.scopes.found(node).is_some_and(|found| found.is_import());
    let parent = flow.tree.table().parent(node);
    let is_definition =
        parent.is_some_and(|parent| flow.tree.is_scope(parent) && flow.tree.name_node(parent) == Some(node));
    !is_import && !is_definition
}

/// Refuses a result that code sees if an exception leaves the range in the middle.
fn check_caught(
    flow: &Flow<'_>,
    region: Region,
    function: Node,
    (variable, may_be_bound): (&Variable, bool),
    writes: &[Node],
) -> Result<(), Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let last = writes.iter().all(|&write| table.is_within(write, region.last));
    let is_simple =
        !table.range(region.last.index(), table.subtree_end(region.last)).any(|node| flow.holds_statements(node));
    if last && is_simple {
        return Ok(());
    }
    let bodies = flow.path(region.first).take_while(|&at| at != function);
    let mut bodies =
        bodies.filter(|&at| flow.fits(at, &rules.guarded) || may_be_bound && flow.fits(at, &rules.entered));
    let seen = bodies.find_map(|body| {
        let is_seen =
            |one: &&VariableUse| one.reads && !table.is_within(one.node, body) && one.span.start() > region.span.end();
        variable.uses.iter().find(is_seen)
    });
    match seen {
        Some(seen) => {
            let why =
                format!("`{}` is used here, perhaps after an exception in the middle of the range", variable.name);
            Err(Refusal::unsafe_at(tree.span(seen.node).start(), why))
        }
        None => Ok(()),
    }
}

impl Extraction<'_, '_> {
    /// The list of parameters as it is written.
    fn parameters(&self, notes: &mut Vec<String>) -> Result<String, Refusal> {
        let code = self.code();
        let own = self.home.method.as_ref().and_then(|method| method.own.clone());
        let own = match own {
            Some(own) => Some(own),
            None => self.own_parameter()?,
        };
        let mut written: Vec<String> = own.into_iter().collect();
        let mut unknown = Vec::new();
        for variable in &self.signature.parameters {
            if code.typed.is_empty() {
                written.push(variable.name.clone());
                continue;
            }
            if !code.result_type.is_empty() {
                written.push(self.strict_parameter(variable)?);
                continue;
            }
            let known = self.type_of(variable)?;
            if known.is_none() {
                unknown.push(format!("`{}`", variable.name));
            }
            let known = known.unwrap_or_else(|| code.any_type.clone());
            written.push(code.typed.replace("$name", &variable.name).replace("$type", &known));
        }
        let untyped = || {
            let functions = self.flow.nodes(self.region).filter(|&node| self.flow.is(node, &self.flow.rules.functions));
            functions.into_iter().find(|&node| self.flow.tree.params(node).is_some_and(|count| count > 0))
        };
        if let (false, Some(inner)) = (unknown.is_empty(), untyped()) {
            let why = format!(
                "{} has no type annotation, and the parameters of this function depend on it",
                unknown.join(", ")
            );
            return Err(Refusal::unsafe_at(self.flow.tree.span(inner).start(), why));
        }
        if !unknown.is_empty() {
            notes.push(format!(
                "{} has no type annotation, so the parameter is `{}`",
                unknown.join(", "),
                code.any_type
            ));
        }
        Ok(written.join(", "))
    }

    /// The type of a variable, if it is written or that of a literal.
    fn type_of(&self, variable: &Variable) -> Result<Option<String>, Refusal> {
        let (flow, rules, tree) = (self.flow, self.flow.rules, self.flow.tree);
        let table = tree.table();
        let mut binders = variable.uses.iter().filter(|one| one.binds);
        let (Some(binder), None) = (binders.next(), binders.next()) else { return Ok(None) };
        let Some(parent) = table.parent(binder.node) else { return Ok(None) };
        let id = table.type_id(parent);
        let written = rules
            .written_types
            .of(id)
            .and_then(|paths| paths.iter().find_map(|path| tree.reached(parent, path).first().copied()));
        let Some(written) = written else {
            let value = tree.bound_value(parent).or_else(|| {
                let declares = rules.declares.of(table.type_id(table.parent(parent)?))?;
                tree.reached(table.parent(parent)?, &declares.value).first().copied()
            });
            let value = value.filter(|&value| table.parent(value) == Some(parent));
            return Ok(value.and_then(|value| rules.literal_types.of(table.type_id(value)).cloned()));
        };
        let text = tree.node_text(written);
        let text = text.trim_start_matches(':').trim();
        // A type that is known only around the range.
        for node in
            table.range(written.index(), table.subtree_end(written)).filter(|&node| flow.scopes.is_identifier(node))
        {
            let names = flow.scopes.names_like(node);
            let symbol = names.at(node).and_then(|found| names.resolve(&flow.scopes, found));
            let top = self.home.method.as_ref().map(|method| method.node);
            let is_local = symbol.is_some_and(|symbol| match top {
                Some(top) => table.is_within(symbol.scope, top),
                None => symbol.scope != Node::ROOT && !table.is_within(symbol.scope, written),
            });
            if is_local {
                let why = format!(
                    "the type `{}` of `{}` is known only around the range",
                    tree.node_text(node),
                    variable.name
                );
                return Err(Refusal::unsafe_at(tree.span(node).start(), why));
            }
        }
        let text = match rules.optional_types.of(id) {
            Some(optional) => optional.replace("$type", text),
            None => text.to_owned(),
        };
        let is_narrowed = rules.narrowed_marks.iter().any(|mark| text.contains(mark.as_str()));
        let read = variable.uses.iter().find(|one| one.reads && one.span.start() < self.region.span.start());
        if let Some(read) = read.filter(|_| is_narrowed) {
            let why =
                format!("the type of `{}` may be narrowed here, and would not be in another function", variable.name);
            return Err(Refusal::unsafe_at(read.span.start(), why));
        }
        Ok(Some(text))
    }

    /// The code of the range, at the left margin and one step in.
    fn body(&self, step: &str) -> String {
        let (tree, region) = (self.flow.tree, self.region);
        let moved = indented(self.flow, region, step);
        if region.is_expression {
            let value = moved.trim_start();
            let is_broken = tree.language().spec().indentation_is_syntax && is_broken(self.flow, region.first);
            let value = if is_broken { format!("({value})") } else { value.to_owned() };
            return format!("{step}{}", self.result(&value, true));
        }
        match self.names(&self.signature.results) {
            None => moved,
            Some(names) => format!("{moved}\n{step}{}", self.result(&names, true)),
        }
    }

    /// Some variables, as they are returned and taken.
    fn names(&self, variables: &[Variable]) -> Option<String> {
        match variables {
            [] => None,
            [only] => Some(only.name.clone()),
            several => {
                let names: Vec<&str> = several.iter().map(|variable| variable.name.as_str()).collect();
                Some(self.code().several.replace("$names", &names.join(", ")))
            }
        }
    }

    /// The code of the call.
    fn call(&self) -> Result<String, Refusal> {
        let (code, signature) = (self.code(), self.signature);
        let arguments: Vec<String> = signature.parameters.iter().map(|variable| self.argument(variable)).collect();
        let arguments = arguments.join(", ");
        let call = match &self.home.method {
            None => code.call.clone(),
            Some(method) => code.own_call.replace("$self", method.own.as_deref().unwrap_or_default()),
        };
        let call = call.replace("$name", self.name).replace("$arguments", &arguments);
        let call = if signature.is_async { code.awaited.replace("$call", &call) } else { call };
        if self.region.is_expression {
            return Ok(call);
        }
        if signature.returns {
            return Ok(self.result(&call, self.is_last()));
        }
        let Some(names) = self.names(&signature.results) else { return Ok(code.statement.replace("$value", &call)) };
        let inside = |one: &&VariableUse| one.binds && self.region.span.contains(one.span);
        let is_rebound = |variable: &&Variable| variable.uses.iter().any(|one| inside(&one));
        let is_first = |variable: &&Variable| {
            let first = variable.uses.iter().filter(|one| one.binds).min_by_key(|one| one.span.start());
            first.is_some_and(|first| inside(&first))
        };
        let again = self.flow.rules.binds_again;
        let mut declared = signature
            .results
            .iter()
            .filter(if again { &is_first } else { &is_rebound as &dyn Fn(&&Variable) -> bool })
            .count();
        if again && declared > 0 && signature.results.iter().all(|variable| is_rebound(&variable)) {
            declared = signature.results.len();
        }
        let is_rewritten =
            |variable: &Variable| variable.uses.iter().any(|one| one.writes && !self.region.span.contains(one.span));
        let template = if declared == signature.results.len() {
            let again = signature.results.iter().any(|variable| is_rewritten(variable) || self.is_mutable(variable));
            if again { &code.redeclare } else { &code.declare }
        } else if declared == 0 {
            if signature.results.len() > 1 { &code.assign_several } else { &code.assign }
        } else {
            let why = "some results are declared in the range, and others before it";
            return Err(Refusal::unsafe_at(self.region.span.start(), why));
        };
        let template = match signature.results.first().filter(|_| template.contains("$type")) {
            Some(variable) => template.replace("$type", &self.strict_type(variable)?),
            None => template.clone(),
        };
        Ok(template.replace("$name", &names).replace("$value", &call))
    }

    /// Makes the edits; with the numbers of the operations that wrote the call and the function.
    fn apply(&self, header: &str, limits: &ParseLimits) -> Result<(Outcome, usize, usize), Refusal> {
        let (tree, code, region) = (self.flow.tree, self.code(), self.region);
        let step = edit::indent_step(tree, Some(region.first));
        let template = match &self.home.method {
            None => &code.function,
            Some(method) if method.is_static => &code.static_method,
            Some(_) => &code.method,
        };
        let asynchronous = if self.signature.is_async { code.asynchronous.as_str() } else { "" };
        let function = template.replace("$async ", asynchronous).replace("$name", self.name);
        let function = function.replace("$result", &self.result_type()?).replace("$raises", &self.raises());
        let function = function.replace("$parameters", header).replace("$body", &self.body(&step));
        let decorator = self.home.method.as_ref().and_then(|method| method.decorator.clone());
        let function = decorator.map_or(function.clone(), |decorator| format!("{decorator}\n{function}"));
        let call = self.call()?;
        let (target, position) = self.place();
        let is_within = |node: Node| region.first <= node && node <= region.last;
        if is_within(target) {
            let blank = "\n".repeat(tree.language().spec().blank_lines.top + 1);
            let both = format!("{function}{blank}{call}");
            let op = Op::ReplaceRange { from: region.first, to: region.last, code: both, extent: None };
            let outcome = edit::apply(tree, &[op], Allow::default(), limits)?;
            return Ok((outcome, 0, 0));
        }
        let replace = if region.first == region.last {
            Op::Replace { target: region.first, code: call, extent: None }
        } else {
            Op::ReplaceRange { from: region.first, to: region.last, code: call, extent: None }
        };
        let insert = Op::Insert { target, position, code: function, extent: None };
        let outcome = edit::apply(tree, &[replace, insert], Allow::default(), limits)?;
        Ok((outcome, 0, 1))
    }

    /// Next to which node the new function goes.
    fn place(&self) -> (Node, Position) {
        let (flow, tree, table) = (self.flow, self.flow.tree, self.flow.tree.table());
        if let Some(method) = &self.home.method {
            return (method.node, Position::After);
        }
        let Some(outermost) = self.home.outermost else {
            let unit = flow.path(self.region.first).find(|&at| table.parent(at) == Some(Node::ROOT));
            return (unit.unwrap_or(self.region.first), Position::Before);
        };
        let unit = flow.statement(outermost).unwrap_or(outermost);
        let is_hoisted = !flow.rules.hoisted.is_empty();
        // A class, a decorator or the statement around may call it at once.
        let is_plain = tree.outermost_wrapper(outermost) == unit
            && flow.is(outermost, &flow.rules.functions)
            && tree.decorators(outermost).is_empty();
        let position = if is_hoisted || is_plain { Position::After } else { Position::Before };
        (unit, position)
    }

    /// Follows the names of the range to the new function.
    fn follow(&self, file: FileId, outcome: &Outcome, call_at: usize, new_at: usize) -> Result<Followed, Refusal> {
        let (flow, region) = (self.flow, self.region);
        let (old, new) = (flow.tree, &outcome.tree);
        let start = region.span.start();
        let lost = || Refusal::unsafe_at(start, "the code would change its meaning in a function");
        let after = Flow::new(new);
        let table = new.table();
        let made = &outcome.operations[new_at].nodes;
        let is_new =
            |&node: &Node| after.is(node, &after.rules.functions) && new.name(node).as_deref() == Some(self.name);
        let subtrees = || made.iter().flat_map(|&node| table.range(node.index(), table.subtree_end(node)));
        let function = subtrees().find(is_new).ok_or_else(lost)?;
        let body = new.body(function).ok_or_else(lost)?;
        let old_leaves = flow.leaves(flow.nodes(region));
        // Comments before the first statement may be outside of the body.
        let opens = table.children(function).filter(|&child| child < body && !new.is_comment(child)).last();
        let opens = opens.map_or(body.index(), |opens| table.subtree_end(opens));
        let body_leaves = after.leaves(table.range(opens, table.subtree_end(function)));
        let at = moved::repeated_at((old, &old_leaves), (new, &body_leaves), BODY_HEAD).ok_or_else(lost)?;
        let copies = &body_leaves[at..at + old_leaves.len()];
        let mut followed = Followed { members: moved::members(flow, file), ..Followed::default() };
        followed.pair(file, (old, &old_leaves), (new, copies));
        let header = after.leaves(table.range(function.index(), body.index()));
        let called: Vec<Node> = outcome.operations[call_at]
            .nodes
            .iter()
            .copied()
            .filter(|&node| !table.is_within(function, node))
            .collect();
        let call = after.leaves(called.iter().flat_map(|&node| table.range(node.index(), table.subtree_end(node))));
        let named = |leaves: &[Node], name: &str| {
            leaves.iter().copied().find(|&leaf| after.scopes.is_identifier(leaf) && *new.node_text(leaf) == *name)
        };
        let offset = |node: Node| (file, new.span(node).start());
        let own = self.home.method.as_ref().and_then(|method| Some((method.node, method.own.clone()?)));
        for variable in flow.variables(flow.nodes(region)) {
            let is_own =
                own.as_ref().is_some_and(|(method, own)| variable.symbol.scope == *method && variable.name == *own);
            let is_in =
                |list: &[Variable]| list.iter().any(|one| one.name == variable.name && one.symbol.is(variable.symbol));
            let is_parameter = is_own || is_in(&self.signature.parameters);
            let written = variable.uses.iter().filter(|one| one.binds && region.span.contains(one.span));
            let mut written: Vec<usize> = written.map(|one| one.span.start()).collect();
            written.sort_unstable();
            let is_local = !written.is_empty();
            let inner = if is_parameter {
                Some(offset(named(&header, &variable.name).ok_or_else(lost)?))
            } else if is_local {
                followed.copies.get(&(file, written[0])).and_then(|copies| copies.first().copied())
            } else {
                None
            };
            if let Some(inner) = inner {
                let moved = variable.uses.iter().filter(|one| region.span.contains(one.span));
                followed.meant.extend(moved.map(|one| ((file, one.span.start()), inner)));
            }
            let result = if is_in(&self.signature.results) { named(&call, &variable.name) } else { None };
            let next = variable.uses.iter().filter(|one| one.binds && !region.span.contains(one.span));
            let next = next.map(|one| one.span.start()).min();
            for binder in variable.uses.iter().filter(|one| one.binds) {
                let key = (file, binder.span.start());
                if let Some(inner) = inner {
                    followed.inside.insert(key, inner);
                }
                if !region.span.contains(binder.span) {
                    continue;
                }
                match (result, next) {
                    (Some(result), _) => _ = followed.outside.insert(key, offset(result)),
                    (None, Some(next)) => {
                        let mut moved = crate::gates::Moved::new(false);
                        moved.add(file, &outcome.edits, self.name);
                        followed.outside.insert(key, (file, moved.now(file, next)));
                    }
                    (None, None) => {}
                }
            }
        }
        if self.home.method.is_none() {
            let called = named(&call, self.name).ok_or_else(lost)?;
            let defined = named(&header, self.name).ok_or_else(lost)?;
            check_name(&after, called, defined, start, self.name)?;
        }
        Ok(followed)
    }
}

/// Refuses a new name that means another definition at a place.
pub(crate) fn check_name(flow: &Flow<'_>, used: Node, defined: Node, start: usize, name: &str) -> Result<(), Refusal> {
    let names = flow.scopes.names_like(used);
    let symbol = |node: Node| names.at(node).and_then(|found| names.resolve(&flow.scopes, found));
    let is_same = matches!((symbol(used), symbol(defined)), (Some(one), Some(other)) if one.is(other));
    let is_only = flow.scopes.only_binder(defined).is_some();
    if is_same && is_only { Ok(()) } else { Err(Refusal::rebinds(start, format!("`{name}` is already a name here"))) }
}

/// Whether an expression goes on in another line outside of its own brackets.
pub(crate) fn is_broken(flow: &Flow<'_>, node: Node) -> bool {
    let (tree, table) = (flow.tree, flow.tree.table());
    let (mut depth, mut end) = (0_i32, tree.span(node).start());
    for leaf in flow.leaves(table.range(node.index(), table.subtree_end(node))) {
        let span = tree.span(leaf);
        if depth == 0 && span.start() > end && tree.text().slice(Span::new(end, span.start())).contains('\n') {
            return true;
        }
        end = end.max(span.end());
        match &*tree.node_text(leaf) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The lines of the strings in a region that are over several lines: the first and the last of each.
pub(crate) fn string_lines(flow: &Flow<'_>, region: Region) -> Vec<(usize, usize)> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let text = tree.text();
    let is_string = |node: Node| tree.language().role(table.type_id(node)).string;
    let strings = flow.nodes(region).filter(|&node| is_string(node));
    let lines = strings.map(|node| (text.line_at(tree.span(node).start()), text.line_at(tree.span(node).end())));
    lines.filter(|(first, last)| first < last).collect()
}

/// The indentation of a region's first line.
pub(crate) fn base_of(flow: &Flow<'_>, region: Region) -> String {
    let text = flow.tree.text();
    let line = text.slice(text.line_around(region.span.start()));
    line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned()
}

/// The code of a region with another indentation; lines in strings stay as they are.
fn indented(flow: &Flow<'_>, region: Region, step: &str) -> String {
    let text = flow.tree.text();
    let (strings, base) = (string_lines(flow, region), base_of(flow, region));
    let first = text.line_at(region.span.start());
    let mut code = String::new();
    for (number, line) in text.slice(region.span).split_inclusive('\n').enumerate() {
        let is_fixed = strings.iter().any(|(start, end)| *start < first + number && first + number <= *end);
        if is_fixed || line.trim().is_empty() {
            code.push_str(line);
            continue;
        }
        code.push_str(step);
        code.push_str(if number == 0 { line } else { line.strip_prefix(&*base).unwrap_or_else(|| line.trim_start()) });
    }
    code
}
