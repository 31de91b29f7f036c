//! How the parameters of a function and the arguments of its calls change together.

use crate::edit::TextChange;
use crate::scopes::Scopes;
use crate::symbols::{Argument, CallSite, Parameter, Parameters};
use crate::text::{Span, Text};
use crate::transfer::changes::{with_comma, with_commas};
use crate::tree::{Node, ParseLimits, Tree};

/// A change of the parameters of a function. Places are among its parameters without the object of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureChange {
    /// A new parameter.
    Add {
        /// Its text: `timeout: float = 30`.
        parameter: String,
        /// Its name.
        name: String,
        /// Its place.
        at: usize,
        /// What calls pass; `None` if they pass nothing.
        value: Option<String>,
    },
    /// A parameter that is gone.
    Remove {
        /// Its name.
        name: String,
        /// Its place.
        at: usize,
    },
    /// Another order of the first parameters: the old place of each.
    Reorder(Vec<usize>),
    /// A parameter that calls shall name.
    NameOnly {
        /// Its name.
        name: String,
        /// Its place.
        at: usize,
        /// The sign before parameters of that kind: `*`.
        sign: String,
    },
}

/// Changes of a list.
#[derive(Debug, Clone, Default)]
pub struct ListChanges {
    /// The new texts.
    pub changes: Vec<TextChange>,
    /// Elements that are in the places of others now.
    pub moved: Vec<MovedElement>,
    /// Values that are not computed any more.
    pub dropped: Vec<Node>,
    /// Values of which some are computed in another order, in the old one.
    pub reordered: Vec<Node>,
}

/// Code of a list that is in the place of other code now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedElement {
    /// Its old span.
    pub from: Span,
    /// The old span of the code that it replaces.
    pub place: Span,
    /// Where it begins in the new text of that place.
    pub offset: usize,
}

impl From<Vec<TextChange>> for ListChanges {
    fn from(changes: Vec<TextChange>) -> ListChanges {
        ListChanges { changes, ..ListChanges::default() }
    }
}

/// The change of the parameters of one function; an error says what is not known.
///
/// # Errors
/// With the reason why it cannot be changed.
pub fn change_parameters(
    tree: &Tree,
    parameters: &Parameters,
    change: &SignatureChange,
) -> Result<ListChanges, &'static str> {
    let own: Vec<&Parameter> = parameters.all.iter().filter(|parameter| !parameter.is_receiver).collect();
    let receivers = parameters.all.len() - own.len();
    Ok(match change {
        SignatureChange::Add { parameter, name, at, value } => {
            let declared = declared_parameter(tree, parameters.list, parameter, name, value.is_some())?;
            vec![insert_parameter(tree, parameters, receivers + at, declared.as_deref().unwrap_or(parameter))].into()
        }
        SignatureChange::Remove { at, .. } => {
            let gone = own[*at];
            let mut nodes = vec![gone.among.unwrap_or(gone.node)];
            nodes.extend(&gone.beside);
            let is_last = |one: &&Parameter| one.node == gone.node || one.is_separator;
            nodes.extend(idle_slash(parameters, gone.node));
            let named: Vec<&Parameter> = parameters.all.iter().skip_while(|one| !one.is_separator).collect();
            if let Some(separator) = named.first()
                && named.len() == 2
                && named.iter().all(is_last)
            {
                nodes.push(separator.node);
            }
            nodes.sort_unstable();
            let change = |span| TextChange { span, text: String::new(), extent: tree.span(parameters.list) };
            let changes = with_commas(tree, &nodes).into_iter().map(change).collect();
            ListChanges { changes, dropped: gone.default.into_iter().collect(), ..ListChanges::default() }
        }
        SignatureChange::Reorder(order) => {
            let moves = |&(new, &old): &(usize, &usize)| new != old;
            let is_within = |(new, &old): (usize, &usize)| own[new].node == own[old].node;
            let done =
                if order.iter().enumerate().filter(moves).all(is_within) || own.iter().all(|one| one.among.is_none()) {
                    let spans: Vec<Span> = own.iter().map(|one| whole_span(tree, one)).collect();
                    permute(tree, parameters.list, &spans, order)
                } else {
                    permute_shared(tree, parameters.list, &own, order)
                };
            let reordered = own.iter().filter_map(|parameter| parameter.default).collect();
            ListChanges { reordered, ..done }
        }
        SignatureChange::NameOnly { at, sign, .. } => name_only_parameter(tree, parameters, &own, *at, sign),
    })
}

/// Puts a parameter behind the sign before those that calls have to name.
fn name_only_parameter(tree: &Tree, parameters: &Parameters, own: &[&Parameter], at: usize, sign: &str) -> ListChanges {
    let extent = tree.span(parameters.list);
    let moving = own[at];
    let ends_places = own.iter().position(|one| one.is_rest);
    // `*` or `*rest`; `**rest` takes what has a name.
    let is_border = |text: &str| text.strip_prefix(sign).is_some_and(|rest| !rest.starts_with(sign));
    let border = ends_places.filter(|&border| is_border(&tree.node_text(own[border].node)));
    let places = ends_places.unwrap_or(own.len());
    let text = tree.node_text(moving.node);
    let slash = idle_slash(parameters, moving.node);
    if border.is_none()
        && at + 1 == places
        && slash.is_none()
        && parameters.slash.is_none_or(|slash| slash < moving.node)
    {
        let span = Span::at(tree.span(moving.node).start());
        return vec![TextChange { span, text: format!("{sign}, "), extent }].into();
    }
    if let (None, 1, Some(slash)) = (border, places, slash) {
        let swap = |node: Node, text: &str| TextChange { span: tree.span(node), text: text.to_owned(), extent };
        let moved = MovedElement { from: tree.span(moving.node), place: tree.span(slash), offset: 0 };
        let changes = vec![swap(moving.node, sign), swap(slash, &text)];
        return ListChanges { changes, moved: vec![moved], ..ListChanges::default() };
    }
    let mut gone = vec![moving.node];
    gone.extend(slash);
    gone.sort_unstable();
    let mut changes: Vec<TextChange> =
        with_commas(tree, &gone).into_iter().map(|span| TextChange { span, text: String::new(), extent }).collect();
    let (after, new, offset) = match border {
        Some(border) => (own[border].node, format!(", {text}"), 2),
        None => {
            let last = own[places - 1].node.max(parameters.slash.unwrap_or(own[places - 1].node));
            (last, format!(", {sign}, {text}"), 4 + sign.len())
        }
    };
    let place = Span::at(tree.span(after).end());
    changes.push(TextChange { span: place, text: new, extent });
    let reordered = own.iter().skip(at).filter_map(|parameter| parameter.default).collect();
    let moved = vec![MovedElement { from: tree.span(moving.node), place, offset }];
    ListChanges { changes, moved, reordered, ..ListChanges::default() }
}

/// The end of parameters that no argument can name, if a parameter is the only one before it.
fn idle_slash(parameters: &Parameters, gone: Node) -> Option<Node> {
    let slash = parameters.slash?;
    let before = parameters.all.iter().map(|parameter| parameter.node).filter(|&node| node < slash);
    before.eq([gone]).then_some(slash)
}

/// Where the default value of a parameter begins in its text: at the `=` of `on: () => void = stop`.
pub(crate) fn default_at(parameter: &str) -> Option<usize> {
    let bytes = parameter.as_bytes();
    let is_part = |at: usize| bytes.get(at + 1) == Some(&b'>');
    (0..bytes.len()).find(|&at| bytes[at] == b'=' && !is_part(at))
}

/// The name of a new parameter at a place among the others, as the language reads it there.
pub(super) fn name_of_new(tree: &Tree, parameters: &Parameters, at: usize, text: &str) -> Option<String> {
    let change = insert_parameter(tree, parameters, at, text);
    let mut source = tree.text().to_string();
    source.replace_range(change.span.start()..change.span.end(), &change.text);
    let with_it = Tree::parse(Text::new(&source), tree.language(), &ParseLimits::default()).ok()?;
    let scopes = Scopes::with_members(&with_it);
    let span = Span::new(change.span.start(), change.span.start() + change.text.len());
    let is_bound = |&node: &Node| span.contains(with_it.span(node)) && scopes.binds(node);
    with_it.table().nodes().find(is_bound).map(|name| with_it.node_text(name).into_owned())
}

/// How a parameter with a default value is written in a list that cannot have the value; `None` if it can.
fn declared_parameter(
    tree: &Tree,
    list: Node,
    parameter: &str,
    name: &str,
    is_passed: bool,
) -> Result<Option<String>, &'static str> {
    let rules = &tree.language().spec().flow.optional_parameters;
    let form = tree.table().parent(list).and_then(|function| rules.of(tree.table().type_id(function)));
    let (Some(form), Some(at)) = (form, default_at(parameter)) else { return Ok(None) };
    let head = parameter[..at].trim();
    if is_passed {
        return Ok(Some(head.to_owned()));
    }
    match head[name.len()..].trim_start().strip_prefix(':') {
        Some(written) => Ok(Some(form.replace("$name", name).replace("$type", written.trim()))),
        None => Err("it has no body, so the parameter needs a type in place of its default value"),
    }
}

/// A new parameter, at a place among the others.
fn insert_parameter(tree: &Tree, parameters: &Parameters, at: usize, text: &str) -> TextChange {
    let (all, list) = (&parameters.all, parameters.list);
    let extent = tree.span(list);
    // Between two names of one declaration, the first ones get its type.
    if let (Some(before), Some(after)) = (at.checked_sub(1).and_then(|at| all.get(at)), all.get(at))
        && let (true, Some(name)) = (before.node == after.node, before.among)
    {
        let rest = rest_of(tree, before);
        return TextChange {
            span: Span::at(tree.span(name).end()),
            text: format!("{}, {text}", tree.text().slice(rest)),
            extent,
        };
    }
    let declaration = |one: &Parameter| if one.beside.is_empty() { tree.span(one.node) } else { whole_span(tree, one) };
    let mut spans: Vec<Span> = all.iter().map(declaration).collect();
    let next = all.get(at).map(declaration);
    spans.extend(parameters.slash.map(|slash| tree.span(slash)));
    spans.sort_unstable_by_key(|span| span.start());
    spans.dedup();
    let at = next.and_then(|next| spans.iter().position(|&span| span == next)).unwrap_or(spans.len());
    let none = tree.named_children(list).find(|&node| !tree.is_comment(node)).filter(|_| spans.is_empty());
    match none {
        Some(none) => TextChange { span: tree.span(none), text: text.to_owned(), extent },
        None => insert(tree, list, &spans, at, text),
    }
}

/// The code of a parameter, or its name in a declaration of several.
fn whole_span(tree: &Tree, parameter: &Parameter) -> Span {
    let own = tree.span(parameter.among.unwrap_or(parameter.node));
    let beside = parameter.beside.iter().map(|&node| tree.span(node));
    beside.fold(own, |whole, part| Span::new(whole.start().min(part.start()), whole.end().max(part.end())))
}

/// The type that follows the names of a declaration of several.
fn rest_of(tree: &Tree, parameter: &Parameter) -> Span {
    let table = tree.table();
    let field = parameter.among.map(|name| table.field(name));
    let last = table.children(parameter.node).filter(|&name| Some(table.field(name)) == field).last();
    let end = tree.span(parameter.node).end();
    Span::new(last.map_or(end, |last| tree.span(last).end()), end)
}

/// Puts parameters in another order of which some share a declaration; these get one each.
fn permute_shared(tree: &Tree, list: Node, own: &[&Parameter], order: &[usize]) -> ListChanges {
    let mut done = ListChanges::default();
    let extent = tree.span(list);
    let whole = |one: &Parameter| match one.among {
        Some(name) => format!("{}{}", tree.node_text(name), tree.text().slice(rest_of(tree, one))),
        None => tree.node_text(one.node).into_owned(),
    };
    let span = |one: &Parameter| tree.span(one.among.unwrap_or(one.node));
    for (new, place) in own.iter().enumerate() {
        let old = order.get(new).copied().unwrap_or(new);
        if old == new && place.among.is_none() {
            continue;
        }
        done.changes.push(TextChange { span: span(place), text: whole(own[old]), extent });
        done.moved.push(MovedElement { from: span(own[old]), place: span(place), offset: 0 });
        if own[old].among.is_some() {
            let offset = span(own[old]).len();
            done.moved.push(MovedElement { from: rest_of(tree, own[old]), place: span(place), offset });
        }
        let is_last = own.get(new + 1).is_none_or(|next| next.node != place.node);
        if place.among.is_some() && is_last {
            done.changes.push(TextChange { span: rest_of(tree, place), text: String::new(), extent });
        }
    }
    done
}

/// The change of the arguments of one call; an error says what is not known.
///
/// # Errors
/// With the reason why it cannot be changed.
pub fn change_arguments(
    tree: &Tree,
    call: &CallSite,
    passes_object: bool,
    change: &SignatureChange,
) -> Result<ListChanges, &'static str> {
    let all: Vec<Span> = call.arguments.iter().map(|argument| tree.span(argument.node)).collect();
    let skipped = usize::from(passes_object);
    if call.is_special {
        return Err("it gets its arguments in a special form");
    }
    if call.arguments.iter().any(|argument| argument.is_spread) {
        return Err("the call may pass any argument");
    }
    let positional =
        call.arguments.iter().take_while(|argument| argument.keyword.is_none()).count().saturating_sub(skipped);
    let named = |name: &str| call.arguments.iter().find(|argument| argument.keyword.as_deref() == Some(name));
    Ok(match change {
        SignatureChange::Add { name, at, value, .. } => {
            if named(name).is_some() {
                return Err("the call passes an argument of this name already");
            }
            match value {
                // After the other arguments it may be left out.
                None if positional > *at => {
                    return Err("the call passes an argument by place that would be another one");
                }
                None => ListChanges::default(),
                Some(value) if positional >= *at => vec![insert(tree, call.list, &all, skipped + at, value)].into(),
                Some(value) => match call.arguments.iter().find_map(|argument| sign_of_name(tree, argument)) {
                    Some(sign) => {
                        vec![insert(tree, call.list, &all, all.len(), &format!("{name}{sign}{value}"))].into()
                    }
                    None => return Err("the call leaves out arguments before it"),
                },
            }
        }
        SignatureChange::Remove { name, at } => {
            let gone = named(name).or_else(|| call.arguments.get(skipped + at).filter(|_| positional > *at));
            match gone {
                Some(argument) => ListChanges {
                    changes: vec![remove(tree, call.list, argument.node)],
                    dropped: vec![argument.value],
                    ..ListChanges::default()
                },
                None => ListChanges::default(),
            }
        }
        SignatureChange::Reorder(order) => {
            let mut used: Vec<usize> = order.iter().copied().filter(|&old| old < positional).collect();
            let is_same_order = used.is_sorted();
            used.sort_unstable();
            let given: Vec<usize> = order.iter().take(used.len()).copied().collect();
            let fits = given.iter().all(|&old| old < positional);
            if is_same_order && fits {
                return Ok(ListChanges::default());
            }
            if !fits {
                return Err("the call leaves out arguments that come first then");
            }
            let values = call.arguments.iter().skip(skipped).map(|argument| argument.value);
            let first = given.iter().enumerate().take_while(|(new, old)| new == *old).count();
            let last = given.iter().enumerate().rev().find(|(new, old)| new != *old).map_or(0, |(new, _)| new);
            let reordered = values.take(last + 1).skip(first).collect();
            let done = permute(tree, call.list, &all[skipped..skipped + used.len()], &given);
            ListChanges { reordered, ..done }
        }
        SignatureChange::NameOnly { name, at, .. } => {
            if *at >= positional {
                return Ok(ListChanges::default());
            }
            let argument = call.arguments[skipped + at].node;
            let last = call.arguments[skipped + positional - 1].node;
            let extent = tree.span(call.list);
            if argument == last {
                let span = Span::at(tree.span(argument).start());
                return Ok(vec![TextChange { span, text: format!("{name}="), extent }].into());
            }
            let place = Span::at(tree.span(last).end());
            let moved = TextChange { span: place, text: format!(", {name}={}", tree.node_text(argument)), extent };
            let values = call.arguments.iter().take(skipped + positional).skip(skipped + at);
            ListChanges {
                changes: vec![remove(tree, call.list, argument), moved],
                moved: vec![MovedElement { from: tree.span(argument), place, offset: name.len() + 3 }],
                reordered: values.map(|argument| argument.value).collect(),
                ..ListChanges::default()
            }
        }
    })
}

/// The text between the name of an argument and its value, if it has a name: `=`, `: `.
fn sign_of_name(tree: &Tree, argument: &Argument) -> Option<String> {
    let name = argument.keyword.as_ref()?;
    let start = tree.span(argument.node).start() + name.len();
    let sign = tree.text().slice(Span::new(start, tree.span(argument.value).start().max(start))).into_owned();
    (!sign.trim().is_empty()).then_some(sign)
}

/// A new element of a list, at a place among its elements.
fn insert(tree: &Tree, list: Node, all: &[Span], at: usize, text: &str) -> TextChange {
    let extent = tree.span(list);
    // What is between two elements.
    let separator = match all {
        [first, second, ..] => {
            let between = Span::new(first.end(), second.start());
            Some(tree.text().slice(between).into_owned())
                .filter(|between| between.trim() == "," && between.contains(','))
        }
        _ => None,
    };
    let separator = separator.unwrap_or_else(|| ", ".to_owned());
    match (all.get(at), all.last()) {
        (Some(&next), _) => TextChange { span: Span::at(next.start()), text: format!("{text}{separator}"), extent },
        (None, Some(&last)) => TextChange { span: Span::at(last.end()), text: format!("{separator}{text}"), extent },
        (None, None) => TextChange { span: Span::at(extent.start() + 1), text: text.to_owned(), extent },
    }
}

fn remove(tree: &Tree, list: Node, element: Node) -> TextChange {
    TextChange { span: with_comma(tree, element), text: String::new(), extent: tree.span(list) }
}

/// Puts elements in another order; what is between them stays.
fn permute(tree: &Tree, list: Node, elements: &[Span], order: &[usize]) -> ListChanges {
    let mut done = ListChanges::default();
    for (new, &old) in order.iter().enumerate().filter(|(new, old)| new != *old) {
        let (from, place) = (elements[old], elements[new]);
        let text = tree.text().slice(from).into_owned();
        done.changes.push(TextChange { span: place, text, extent: tree.span(list) });
        done.moved.push(MovedElement { from, place, offset: 0 });
    }
    done
}
