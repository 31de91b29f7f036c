//! The calls of a function that is put in their place.

use crate::edit::needs_parentheses;
use crate::flow::{Flow, Refusal, Region};
use crate::refactor::put::{Put, check_string, region_of};
use crate::selector::Kinds;
use crate::text::Span;
use crate::tree::Node;

/// A function that can be put in place of its calls.
struct Inlined {
    node: Node,
    /// The names of the parameters in order, the object of a method first.
    parameters: Vec<Node>,
    /// Whether the first one is the object of a method.
    has_own: bool,
    is_async: bool,
    body: Body,
    /// Names that only the function knows.
    locals: Vec<Node>,
}

enum Body {
    /// It only returns this.
    Value(Node),
    /// Statements, and what the last one returns if it does.
    Statements { region: Region, result: Option<Node>, never_ends: bool },
}

/// A call of it.
struct Call {
    node: Node,
    /// The call, or what waits for it.
    target: Node,
    /// The brackets of the arguments.
    brackets: Option<(Node, Node)>,
    arguments: Vec<(Node, Node)>,
}

/// The definition that goes, and what is put in place of each call.
///
/// # Errors
/// If the program would not do the same.
pub(crate) fn calls(flow: &Flow<'_>, function: Node, uses: &[Node]) -> Result<(Node, Vec<Put>), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let inlined = read(flow, function)?;
    let mut puts = Vec::new();
    for &node in uses {
        if table.is_within(node, function) {
            return Err(Refusal::unsafe_at(tree.span(node).start(), "it calls itself"));
        }
        let call = call(flow, &inlined, node)?;
        puts.push(put(flow, &inlined, &call)?);
    }
    if puts.len() > 1
        && let Some(&local) = inlined.locals.first()
    {
        let why = "it has variables of its own, and is called more than once";
        return Err(Refusal::unsafe_at(tree.span(local).start(), why));
    }
    let unit = flow.statement(function).unwrap_or(function);
    let own = tree.outermost_wrapper(function);
    let definition = if tree.span(unit).contains(tree.span(own)) { own } else { unit };
    Ok((definition, puts))
}

/// Reads a function.
fn read(flow: &Flow<'_>, node: Node) -> Result<Inlined, Refusal> {
    let (tree, table, rules) = (flow.tree, flow.tree.table(), flow.rules);
    let spec = tree.language().spec();
    let refuse = |at: Node, why: &str| Err(Refusal::unsafe_at(tree.span(at).start(), why));
    let kinds = Kinds::new(tree);
    if kinds.is(node, "constructor") {
        return refuse(node, "a constructor is called by other names");
    }
    let mut is_static = table.children(node).any(|child| flow.scopes.rules.static_marks.contains(table.type_id(child)))
        || tree.modifiers(node).iter().any(|word| rules.static_words.iter().any(|known| *known == **word));
    for decorator in tree.decorators(node) {
        let word = tree.decorator_word(decorator);
        let is_static_word = flow.scopes.rules.static_decorators.iter().any(|known| *known == *word);
        is_static |= is_static_word;
        if !is_static_word && !spec.symbols.decorators.class_methods.iter().any(|known| *known == *word) {
            return refuse(decorator, "the decorator may change what a call does");
        }
    }
    let Some(body) = tree.body(node) else { return refuse(node, "it has no body") };
    let documentation = tree.docstring(node).and_then(|string| flow.statement(string));
    let inner = |body: Node| {
        let mut units = tree.named_children(body).filter(|&child| !tree.is_comment(child));
        units.next().filter(|&only| {
            units.next().is_none() && flow.holds_statements(only) && table.type_id(only) != table.type_id(body)
        })
    };
    let body = inner(body).unwrap_or(body);
    let children = table.children(body).filter(|&child| table.is_named(child) && Some(child) != documentation);
    let units: Vec<Node> = children.filter(|&child| !tree.is_comment(child)).collect();
    let (Some(&first), Some(&last)) = (units.first(), units.last()) else { return refuse(node, "its body is empty") };
    let whole = region_of(flow, first, last);
    for inner in flow.nodes(whole) {
        let text = tree.node_text(inner);
        if rules.own.contains(table.type_id(inner))
            || flow.scopes.is_identifier(inner) && rules.frame_words.iter().any(|word| *word == *text)
        {
            return refuse(inner, "this depends on the enclosing function");
        }
        let classified = flow.scopes.classify(inner).map(|(does, _)| does);
        if matches!(classified, Some(crate::scopes::Use::Global | crate::scopes::Use::Outer)) {
            return refuse(inner, "the declaration applies to the whole function");
        }
        if flow.is(inner, &rules.yields) && !flow.is_in_nested(inner, whole) {
            return refuse(inner, "it is a generator");
        }
    }
    let mut parameters = Vec::new();
    let receivers = rules.receivers.of(table.type_id(node)).into_iter().flatten();
    parameters.extend(receivers.flat_map(|path| tree.reached(node, path)));
    let lists = spec.params.of(table.type_id(node)).map(|count| &count.at).into_iter().flatten();
    for list in lists.flat_map(|path| tree.reached(node, path)) {
        let each: Vec<Node> =
            if flow.scopes.is_identifier(list) { vec![list] } else { tree.named_children(list).collect() };
        for parameter in each.into_iter().filter(|&parameter| !tree.is_comment(parameter)) {
            let nodes = || table.range(parameter.index(), table.subtree_end(parameter));
            if let Some(spread) = nodes().find(|&inner| flow.is(inner, &flow.scopes.rules.spreads)) {
                return refuse(spread, "it takes any number of arguments");
            }
            let mut names = nodes().filter(|&inner| flow.scopes.is_identifier(inner) && flow.scopes.binds(inner));
            match (names.next(), names.next()) {
                (Some(name), None) => parameters.push(name),
                (None, _) => {}
                (Some(name), Some(other)) if !rules.receivers.is_empty() => {
                    parameters.extend([name, other]);
                    parameters.extend(names);
                }
                _ => return refuse(parameter, "a parameter is taken apart"),
            }
        }
    }
    let is_method = kinds.is(node, "method");
    let has_own = is_method && !is_static && rules.code.own.is_empty() && !parameters.is_empty();
    if !rules.code.result_type.is_empty() {
        check_parts(flow, whole, &parameters)?;
    }
    let returns: Vec<Node> =
        flow.nodes(whole).filter(|&inner| flow.is(inner, &rules.returns) && !flow.is_in_nested(inner, whole)).collect();
    let lists_of_values = &spec.symbols.several_values.lists;
    let value = |unit: Node| {
        let value = tree.named_children(unit).next()?;
        if !lists_of_values.contains(table.type_id(value)) {
            return Some(value);
        }
        let mut values = tree.named_children(value);
        values.next().filter(|_| values.next().is_none())
    };
    let is_value = |unit: Node| {
        rules.values_end && flow.written_result(node).is_some() && !tree.node_text(unit).trim_end().ends_with(';')
    };
    if rules.values_end && is_value(last) && (units.len() > 1 || !returns.is_empty()) {
        return refuse(last, "it has several statements, or returns before its end");
    }
    let body = match (&units[..], value(last)) {
        ([only], _) if is_value(*only) => {
            flow.check_conforms(flow.written_result(node), *only, "the result")?;
            Body::Value(*only)
        }
        ([only], Some(value)) if flow.is(*only, &rules.returns) && !rules.values_end => {
            flow.check_conforms(flow.written_result(node), value, "the result")?;
            flow.check_open(flow.written_result(node), value)?;
            Body::Value(value)
        }
        (_, result) => {
            let is_last = returns == [last];
            let result = result.filter(|_| is_last);
            let never_ends = flow.never_ends(last);
            if !is_last && !returns.is_empty() && !never_ends {
                return refuse(returns[0], "only some paths through it return");
            }
            // Comments before the first statement belong to it.
            let before = table.children(body).take_while(|&child| child < first);
            let outside = table.children(node).take_while(|&child| child < body);
            let head = outside.clone().filter(|&child| !tree.is_comment(child)).last();
            let outside = outside.filter(|&child| head.is_some_and(|head| child > head));
            let is_own = |child: &Node| tree.is_comment(*child) && documentation.is_none_or(|string| *child > string);
            let opening = outside.chain(before).find(is_own);
            let opening = opening.unwrap_or(first);
            Body::Statements { region: Region { first: opening, ..region_of(flow, opening, last) }, result, never_ends }
        }
    };
    let is_async = !rules.code.asynchronous.is_empty()
        && tree.modifiers(node).iter().any(|word| *word == rules.code.asynchronous.trim_end());
    let variables = flow.variables(flow.nodes(whole));
    let locals = variables.into_iter().filter(|variable| {
        table.is_within(variable.symbol.scope, node) && !variable.uses.iter().any(|one| parameters.contains(&one.node))
    });
    let locals = locals.filter_map(|variable| variable.uses.iter().find(|one| one.binds).map(|one| one.node)).collect();
    Ok(Inlined { node, parameters, has_own, is_async, body, locals })
}

/// Refuses a body that changes a part of a parameter, which may be a copy.
fn check_parts(flow: &Flow<'_>, whole: Region, parameters: &[Node]) -> Result<(), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let is_target = |node: Node| {
        flow.fits(node, &flow.rules.writes)
            || table.parent(node).is_some_and(|list| flow.fits(list, &flow.rules.writes))
    };
    for node in flow.nodes(whole).filter(|&node| flow.is(node, &flow.rules.states) && is_target(node)) {
        let first = table.range(node.index(), table.subtree_end(node)).find(|&leaf| flow.scopes.is_identifier(leaf));
        let names = |parameter: &&Node| first.is_some_and(|first| tree.node_text(first) == tree.node_text(**parameter));
        if parameters.iter().any(|parameter| names(&parameter)) {
            return Err(Refusal::unsafe_at(tree.span(node).start(), "it changes a part of its parameter"));
        }
    }
    Ok(())
}

/// Reads a call, with its arguments in the order of the parameters.
fn call(flow: &Flow<'_>, inlined: &Inlined, used: Node) -> Result<Call, Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let spec = tree.language().spec();
    let refuse = |at: Node, why: &str| Err(Refusal::unsafe_at(tree.span(at).start(), why));
    let callee =
        flow.path(used).take(2).find(|&at| table.parent(at).is_some_and(|parent| tree.callee(parent) == Some(at)));
    let Some(callee) = callee else { return refuse(used, "it is used here without being called") };
    let Some(node) = table.parent(callee) else { return refuse(used, "it is used here without being called") };
    let object = tree.callee_text(node).filter(|text| callee == used && **text != *tree.node_text(used));
    let own = &flow.rules.code.own;
    if object.is_some_and(|text| text.split('.').next() != Some(own.as_str()) || text.matches('.').count() != 1) {
        return refuse(node, "its receiver is not that of the enclosing function");
    }
    let mut arguments = Vec::new();
    let mut parameters = inlined.parameters.as_slice();
    if callee == used && inlined.has_own {
        return refuse(used, "the method is called without a receiver");
    }
    if callee != used {
        let Some(object) = tree.named_children(callee).next() else { return refuse(used, "its receiver is unknown") };
        let is_self = flow.scopes.rules.self_types.contains(table.type_id(object));
        if let (true, Some((&own, rest))) = (inlined.has_own, parameters.split_first()) {
            arguments.push((own, object));
            parameters = rest;
        }
        if !is_self && !flow.scopes.is_identifier(object) {
            return refuse(object, "its receiver is an expression");
        }
        if !inlined.has_own && !is_self && !flow.rules.code.own.is_empty() {
            return refuse(object, "its receiver is not that of the enclosing function");
        }
    }
    let lists = spec.args.of(table.type_id(node)).map(|count| &count.at).into_iter().flatten();
    let lists: Vec<Node> = lists.flat_map(|path| tree.reached(node, path)).collect();
    let mut brackets = None;
    let mut given = 0;
    for &list in &lists {
        let single = spec.args.of(table.type_id(node)).is_some_and(|count| count.single.contains(table.type_id(list)));
        if single {
            return refuse(list, "it gets an argument in a special form");
        }
        let ends = (table.children(list).next(), table.children(list).last());
        brackets = match ends {
            (Some(first), Some(last)) if first != last => Some((first, last)),
            _ => None,
        };
        for argument in tree.named_children(list).filter(|&argument| !tree.is_comment(argument)) {
            if flow.is(argument, &flow.scopes.rules.spreads) {
                return refuse(argument, "it gets any number of arguments");
            }
            let named = tree
                .named_children(argument)
                .next()
                .filter(|&name| flow.scopes.fits(name, &flow.scopes.rules.arguments).is_some());
            match named {
                Some(name) => {
                    let text = tree.node_text(name);
                    let parameter = parameters.iter().find(|&&parameter| tree.node_text(parameter) == text);
                    let (Some(&parameter), Some(value)) = (parameter, tree.named_children(argument).nth(1)) else {
                        return refuse(argument, "no parameter has this name");
                    };
                    arguments.push((parameter, value));
                }
                None => {
                    let Some(&parameter) = parameters.get(given) else {
                        return refuse(argument, "it has no such parameter");
                    };
                    arguments.push((parameter, argument));
                    given += 1;
                }
            }
        }
    }
    if let Some(&missing) =
        inlined.parameters.iter().find(|&&parameter| !arguments.iter().any(|(known, _)| *known == parameter))
    {
        let why = format!("the call leaves `{}` to its default value", tree.node_text(missing));
        return Err(Refusal::unsafe_at(tree.span(node).start(), why));
    }
    for &(parameter, argument) in &arguments {
        let written = table.parent(parameter).and_then(|parent| flow.written_type(parent));
        let is_own = flow.rules.receivers.of(table.type_id(inlined.node)).is_some() && inlined.has_own;
        if !(is_own && inlined.parameters.first() == Some(&parameter)) {
            flow.check_conforms(written, argument, &format!("`{}`", tree.node_text(parameter)))?;
        }
    }
    if let Some(&(_, argument)) =
        arguments.iter().find(|&&(parameter, argument)| may_be_default(flow, parameter, argument))
    {
        return refuse(argument, "it may be no value, and the function takes the default then");
    }
    let target = if inlined.is_async {
        let waits = table.parent(node).filter(|&parent| table.fits_any(parent, &flow.rules.awaits));
        let Some(waits) = waits else { return refuse(node, "the call is not awaited") };
        waits
    } else {
        node
    };
    Ok(Call { node, target, brackets, arguments })
}

/// Whether a parameter with a default may get that although there is an argument: `undefined`.
fn may_be_default(flow: &Flow<'_>, parameter: Node, argument: Node) -> bool {
    let (tree, table) = (flow.tree, flow.tree.table());
    let words = &flow.rules.default_words;
    let has_default = || {
        let holder = table.parent(parameter).filter(|&holder| !tree.language().role(table.type_id(holder)).list);
        holder.is_some_and(|holder| tree.node_text(holder).contains('='))
    };
    let is_value = || {
        let traits = flow.traits(argument);
        flow.is(argument, &flow.rules.makes)
            || traits.is_literal && !words.iter().any(|word| *word == *tree.node_text(argument))
    };
    !words.is_empty() && has_default() && !is_value()
}

/// What is put in place of a call.
fn put(flow: &Flow<'_>, inlined: &Inlined, call: &Call) -> Result<Put, Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let start = tree.span(call.node).start();
    match &inlined.body {
        Body::Value(value) => {
            if flow.fits(call.target, &flow.rules.call_places) && tree.callee(*value).is_none() {
                return Err(Refusal::unsafe_at(
                    start,
                    "the call is a statement, and the value in its place would be none",
                ));
            }
            flow.check_wider(*value, call.target, true)?;
            flow.check_callee(*value, call.target)?;
            let filling = Filling::new(flow, inlined, call, *value, &[])?;
            let region = Region { first: *value, last: *value, span: tree.span(*value), is_expression: true };
            let (code, leaves) = filling.fill(region);
            let broken = tree.language().spec().indentation_is_syntax
                && crate::refactor::extract::function::is_broken(flow, *value);
            let code = if broken { tree.language().spec().parens.replace("$0", &code) } else { code };
            check_string(flow, call.target, &code)?;
            Ok(Put { target: call.target, code, leaves, within: 1, whole: Some(*value) })
        }
        Body::Statements { region, result, never_ends } => {
            let refuse = |why: &str| Err(Refusal::unsafe_at(start, why.to_owned()));
            let Some(statement) = flow.statement(call.target) else { return refuse("the call is not in a statement") };
            let is_class = flow.scopes.rules.unseen.contains(table.type_id(flow.scopes.around(statement)));
            if is_class && !inlined.locals.is_empty() {
                return refuse("its variables would be members of the class");
            }
            let holder = table.parent(call.target);
            let only =
                |node: Node| tree.named_children(node).filter(|&child| !tree.is_comment(child)).eq([call.target]);
            if flow.is(statement, &flow.rules.returns) && holder == Some(statement) && only(statement) {
                if !never_ends {
                    return refuse("the function does not return on all paths, and the call is returned");
                }
                let filling = Filling::new(flow, inlined, call, inlined.node, &[])?;
                let (code, leaves) = filling.fill(*region);
                return Ok(Put { target: statement, code, leaves, within: 0, whole: None });
            }
            let is_plain = flow.is(statement, &flow.rules.plain) && holder == Some(statement);
            if is_plain {
                if result.is_some() || *never_ends {
                    return refuse("the function returns a value that the call does not use");
                }
                let filling = Filling::new(flow, inlined, call, inlined.node, &[])?;
                let (code, leaves) = filling.fill(*region);
                return Ok(Put { target: statement, code, leaves, within: 0, whole: None });
            }
            let Some(result) = result else {
                return refuse("the function has several statements, and the call is a part of one");
            };
            let Some(targets) = targets(flow, statement, call.target) else {
                return refuse("the function has several statements, and the call is a part of one");
            };
            let returned = flow.leaves(table.range(result.index(), table.subtree_end(*result)));
            let returned: Vec<Node> = returned.into_iter().filter(|&leaf| flow.scopes.is_identifier(leaf)).collect();
            let same = returned.len() == targets.len()
                && returned.iter().zip(&targets).all(|(&one, &other)| tree.node_text(one) == tree.node_text(other));
            let is_names =
                tree.node_text(*result).chars().all(|letter| letter.is_alphanumeric() || "_$, {}()\n".contains(letter));
            if !same || !is_names {
                return refuse("the results and the variables that the call is assigned to have different names");
            }
            let last = region.last;
            let rest = std::iter::successors(table.previous_sibling(last), |&unit| table.previous_sibling(unit));
            let end = rest.into_iter().find(|&unit| table.is_named(unit));
            let Some(end) = end.filter(|&end| end >= region.first) else {
                return refuse("the function has no other statements");
            };
            let kept = region_of(flow, region.first, end);
            let filling = Filling::new(flow, inlined, call, inlined.node, &targets)?;
            let (code, leaves) = filling.fill(kept);
            Ok(Put { target: statement, code, leaves, within: 0, whole: None })
        }
    }
}

/// The names that a statement gives the value of a call.
fn targets(flow: &Flow<'_>, statement: Node, call: Node) -> Option<Vec<Node>> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let names = |node: Node| -> Vec<Node> {
        let leaves = flow.leaves(table.range(node.index(), table.subtree_end(node)));
        leaves.into_iter().filter(|&leaf| flow.scopes.is_identifier(leaf)).collect()
    };
    let nodes = || table.range(statement.index(), call.index());
    for holder in nodes() {
        if let Some(rule) = flow.rules.declares.of(table.type_id(holder))
            && tree.reached(holder, &rule.value) == [call]
            && let [target] = tree.reached(holder, &rule.name)[..]
        {
            return Some(names(target));
        }
    }
    // An assignment: the place before the call, in the node around both.
    let parent = table.parent(call)?;
    let target = tree.named_children(parent).next().filter(|&target| target != call)?;
    let is_target = flow.fits(target, &flow.rules.writes) && tree.named_children(parent).count() == 2;
    let mut around = flow.path(parent).skip(1).take_while(|&at| at != statement);
    (is_target && around.all(|at| tree.named_children(at).count() == 1)).then(|| names(target))
}

/// The names of a body that are replaced, each by leaves of the call.
struct Filling<'f, 't> {
    flow: &'f Flow<'t>,
    replaced: Vec<(Node, Vec<Node>, String)>,
}

impl<'f, 't> Filling<'f, 't> {
    fn new(
        flow: &'f Flow<'t>,
        inlined: &Inlined,
        call: &Call,
        value: Node,
        targets: &[Node],
    ) -> Result<Filling<'f, 't>, Refusal> {
        let (tree, table) = (flow.tree, flow.tree.table());
        let is_value = value != inlined.node;
        let mut replaced = Vec::new();
        let body = flow.variables(table.range(inlined.node.index(), table.subtree_end(inlined.node)));
        let target_named = |name: &str| targets.iter().copied().find(|&target| *tree.node_text(target) == *name);
        let mut busy = 0;
        for (parameter, argument) in &call.arguments {
            let variable = body.iter().find(|variable| variable.uses.iter().any(|one| one.node == *parameter));
            let Some(variable) = variable else { continue };
            let name = variable.name.as_str();
            let at = tree.span(*argument).start();
            let writes = variable.uses.iter().find(|one| one.writes && one.node != *parameter);
            let text = tree.node_text(*argument).into_owned();
            let is_name = flow.scopes.is_identifier(*argument);
            let is_own = flow.scopes.rules.self_types.contains(table.type_id(*argument));
            let uses: Vec<Node> =
                variable.uses.iter().filter(|one| one.node != *parameter).map(|one| one.node).collect();
            if writes.is_some() && !(is_name && text == name && target_named(name).is_some()) {
                // The variable of the caller may be read later.
                let is_read_later = !is_name || text != name || is_read_after(flow, *argument, call.node);
                if is_read_later {
                    return Err(Refusal::unsafe_at(at, format!("the function changes its parameter `{name}`")));
                }
            }
            let traits = flow.traits(*argument);
            check_later(flow, inlined.node, call, *argument, &uses)?;
            let is_simple = is_name || is_own || traits.is_literal && traits.makes.is_none();
            if !is_simple {
                busy += 1;
                let is_used_once = uses.len() == 1 && is_value;
                let is_quiet = traits.effect.is_none() && traits.state.is_none() && traits.makes.is_none();
                if !is_used_once || busy > 1 && !is_quiet {
                    let why = format!("the argument `{text}` would be evaluated more or less often, or later");
                    return Err(Refusal::unsafe_at(at, why));
                }
                if !is_quiet {
                    flow.check_once(uses[0], value)?;
                    flow.check_first(traits, uses[0], value)?;
                    flow.check_names(*argument, uses[0], value)?;
                }
            }
            // What the argument means has to be the same among the names of the function.
            let names = table
                .range(argument.index(), table.subtree_end(*argument))
                .filter(|&node| flow.scopes.is_identifier(node));
            for inner in names {
                let word = tree.node_text(inner);
                let clash = inlined
                    .locals
                    .iter()
                    .find(|&&local| tree.node_text(local) == word && target_named(&word).is_none());
                if let Some(&clash) = clash {
                    return Err(Refusal::unsafe_at(
                        tree.span(clash).start(),
                        format!("`{word}` is a variable of the function, and of its caller"),
                    ));
                }
            }
            let leaves = flow.leaves(table.range(argument.index(), table.subtree_end(*argument)));
            for one in uses {
                let (mut leaves, mut code) = (leaves.clone(), text.clone());
                if needs_parentheses(tree, *argument, one) {
                    let Some((open, close)) = call.brackets else {
                        let why = format!("the argument `{text}` needs parentheses in the function");
                        return Err(Refusal::unsafe_at(at, why));
                    };
                    leaves.insert(0, open);
                    leaves.push(close);
                    code = format!("({code})");
                }
                if code != name && flow.scopes.shorthand(one).is_some_and(|template| template.contains(':')) {
                    return Err(Refusal::unsafe_at(
                        tree.span(one).start(),
                        format!("`{name}` is the name of a key, too"),
                    ));
                }
                replaced.push((one, leaves, code));
            }
        }
        let caller = flow.function_of(call.node);
        for &local in &inlined.locals {
            let word = tree.node_text(local);
            if let Some(target) = target_named(&word) {
                let variable = body.iter().find(|variable| variable.uses.iter().any(|one| one.node == local));
                let is_top = variable.is_some_and(|variable| variable.symbol.scope == inlined.node);
                let is_declared_here = flow.scopes.binds(target);
                if !is_declared_here && is_top && !flow.rules.code.redeclare.eq(&flow.rules.code.assign) {
                    return Err(Refusal::unsafe_at(
                        tree.span(local).start(),
                        format!("`{word}` is declared here and by the caller"),
                    ));
                }
                for one in variable.iter().flat_map(|variable| &variable.uses).filter(|_| is_top) {
                    replaced.push((one.node, vec![target], word.clone().into_owned()));
                }
                continue;
            }
            let names = flow.scopes.names(&word);
            let is_clash = names.found.iter().any(|found| {
                !table.is_within(found.name, inlined.node)
                    && (flow.function_of(found.name) == caller
                        || table.is_within(found.name, caller)
                        || caller == Node::ROOT)
            });
            if is_clash && !is_value {
                return Err(Refusal::unsafe_at(
                    tree.span(local).start(),
                    format!("`{word}` is a variable of the function, and a name where it is called"),
                ));
            }
        }
        replaced.sort_by_key(|(node, ..)| *node);
        replaced.dedup_by_key(|(node, ..)| *node);
        Ok(Filling { flow, replaced })
    }

    /// The code of a region with the replaced names, and its leaves.
    fn fill(&self, region: Region) -> (String, Vec<Node>) {
        let (flow, tree) = (self.flow, self.flow.tree);
        let mut code = String::new();
        let text = tree.text();
        let base = if region.is_expression {
            String::new()
        } else {
            crate::refactor::extract::function::base_of(flow, region)
        };
        let strings = crate::refactor::extract::function::string_lines(flow, region);
        let first = text.line_at(region.span.start());
        let mut at = region.span.start();
        for (number, line) in text.slice(region.span).split_inclusive('\n').enumerate() {
            let end = at + line.len();
            let is_fixed = number == 0
                || region.is_expression
                || strings.iter().any(|(start, end)| *start < first + number && first + number <= *end);
            let cut = if is_fixed {
                0
            } else if line.starts_with(&base) {
                base.len()
            } else {
                line.len() - line.trim_start().len()
            };
            let mut from = at + cut.min(line.len());
            if line.trim().is_empty() && !is_fixed {
                code.push_str(line.trim_start_matches([' ', '\t']));
                at = end;
                continue;
            }
            let here = self.replaced.iter().filter(|(node, ..)| {
                let span = tree.span(*node);
                span.start() >= at && span.start() < end && span.end() <= end
            });
            for (node, _, new) in here {
                let span = tree.span(*node);
                code.push_str(&text.slice(Span::new(from, span.start().max(from))));
                code.push_str(new);
                from = span.end();
            }
            code.push_str(&text.slice(Span::new(from, end)));
            at = end;
        }
        let mut leaves = Vec::new();
        for leaf in flow.leaves(flow.nodes(region)) {
            match self.replaced.iter().find(|(node, ..)| *node == leaf) {
                Some((_, others, _)) => leaves.extend(others),
                None => leaves.push(leaf),
            }
        }
        (code, leaves)
    }
}

/// Refuses an argument that means something else, or may have another value, where the function uses its parameter.
fn check_later(flow: &Flow<'_>, function: Node, call: &Call, argument: Node, uses: &[Node]) -> Result<(), Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let at = tree.span(argument).start();
    let around = |used: Node| flow.path(used).skip(1).take_while(|&at| at != function);
    let has_own_word = flow.own_word(argument).is_some();
    let owns = |at: Node| flow.scopes.rules.self_scopes.contains(table.type_id(at));
    if let Some(&used) = uses.iter().find(|&&used| has_own_word && around(used).any(owns)) {
        let why = format!("`{}` would mean that of another function here", tree.node_text(argument));
        return Err(Refusal::unsafe_at(tree.span(used).start(), why));
    }
    let is_later = |&&used: &&Node| around(used).any(|at| flow.is(at, &flow.rules.functions));
    let caller = flow.function_of(call.node);
    for variable in flow.variables(table.range(argument.index(), table.subtree_end(argument))) {
        let name = &variable.name;
        let writes = || variable.uses.iter().filter(|one| one.writes);
        if writes().count() > 1 && uses.iter().any(|used| is_later(&used)) {
            let why = format!("`{name}` may have another value when the function inside reads it");
            return Err(Refusal::unsafe_at(at, why));
        }
        let is_shared = writes().any(|one| one.function != caller && !table.is_within(call.node, one.function));
        if let Some(effect) = uses.iter().filter(|_| is_shared).find_map(|&used| effect_before(flow, function, used)) {
            let why = format!("this is evaluated before the function reads `{name}`, and may change it");
            return Err(Refusal::unsafe_at(tree.span(effect).start(), why));
        }
    }
    Ok(())
}

/// Something that a function may change before it comes to a place.
fn effect_before(flow: &Flow<'_>, function: Node, place: Node) -> Option<Node> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let loops = flow.loops(place, function);
    let mut nodes = table.range(function.index(), table.subtree_end(function));
    nodes.find(|&node| {
        let is_before = tree.span(node).end() <= tree.span(place).start();
        let is_again = || loops.iter().any(|&around| table.is_within(node, around));
        flow.is(node, &flow.rules.effects) && flow.function_of(node) == function && (is_before || is_again())
    })
}

/// Whether the variable at a place is read after a call.
fn is_read_after(flow: &Flow<'_>, name: Node, call: Node) -> bool {
    let table = flow.tree.table();
    let function = flow.function_of(call);
    let loops = flow.loops(call, function);
    let variables = flow.variables(std::iter::once(name));
    variables.iter().flat_map(|variable| &variable.uses).any(|one| {
        one.reads
            && !table.is_within(one.node, call)
            && (one.span.start() > flow.tree.span(call).start()
                || one.function != function
                || loops.iter().any(|&around| table.is_within(one.node, around)))
    })
}
