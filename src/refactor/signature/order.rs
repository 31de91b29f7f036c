//! Whether arguments may be left out, or computed in another order.

use crate::flow::Flow;
use crate::modules::FileId;
use crate::refactor::{ListChanges, SignatureChange};
use crate::symbols::{Parameters, Resolver};
use crate::tree::{Node, Tree};

/// A difference that may follow from a change of arguments or parameters whose values do more than to give a value.
pub(super) fn doubt(
    resolver: &Resolver<'_>,
    tree: &Tree,
    file: FileId,
    changed: &ListChanges,
    what: &str,
) -> Option<String> {
    let acts = |value: &Node| !resolver.is_quiet(file, *value);
    if changed.dropped.iter().any(acts) {
        return Some(format!("the {what} does something when it is computed, or may fail"));
    }
    let flow = Flow::new(tree);
    let pairs = changed.reordered.iter().enumerate();
    let mut pairs = pairs.flat_map(|(at, &one)| changed.reordered[at + 1..].iter().map(move |&other| (one, other)));
    if let Some(taken) = pairs.find_map(|(one, other)| flow.taken_by_one(one, other)) {
        return Some(format!("the {what}s use `{taken}`, and one of them takes it"));
    }
    let acting: Vec<Node> = changed.reordered.iter().copied().filter(acts).collect();
    let others = || changed.reordered.iter().copied().filter(|value| !acting.contains(value));
    let is_changed = match acting[..] {
        [] => false,
        [only] => others().any(|value| !is_settled(&flow, resolver, file, value, only)),
        _ => true,
    };
    is_changed.then(|| format!("the {what}s would be computed in another order"))
}

/// Why values must not be dropped that are all that reads a local variable, in a language in which that is an error.
pub(super) fn unread_without(tree: &Tree, dropped: &[Node]) -> Option<String> {
    let flow = Flow::new(tree);
    if !flow.rules.unread_fails || dropped.is_empty() {
        return None;
    }
    let table = flow.tree.table();
    let nodes = dropped.iter().flat_map(|&value| table.range(value.index(), table.subtree_end(value)));
    let is_gone = |node: Node| dropped.iter().any(|&value| table.is_within(node, value));
    let variables = flow.variables(nodes);
    let unread = variables.into_iter().find(|variable| {
        let function = flow.function_of_scope(variable.symbol.scope);
        let is_parameter = |node: Node| tree.body(function).is_none_or(|body| node < body);
        let mut uses = variable.uses.iter();
        function != Node::ROOT
            && uses.all(|one| if one.binds { !is_parameter(one.node) } else { !one.reads || is_gone(one.node) })
    });
    unread.map(|variable| format!("nothing would read the variable `{}` then, which is an error", variable.name))
}

/// Whether an expression has the same value before and after another one that may change something.
fn is_settled(flow: &Flow<'_>, resolver: &Resolver<'_>, file: FileId, value: Node, acting: Node) -> bool {
    let table = flow.tree.table();
    let nodes = || table.range(value.index(), table.subtree_end(value));
    let is_name = |&node: &Node| flow.scopes.is_identifier(node);
    if flow.rules.functions.is_empty() {
        return !nodes().any(|node| is_name(&node));
    }
    let attributes = &flow.scopes.rules.attributes;
    let is_member = |&node: &Node| is_name(&node) && flow.fits(node, attributes);
    let is_fixed = |node: Node| resolver.is_fixed(file, node);
    let changes = |node: Node| match nodes().find(|&inner| table.parent(inner) == Some(node) && is_member(&inner)) {
        Some(member) => !is_fixed(member),
        None => !table.children(node).any(|sign| flow.is(sign, &flow.rules.addresses)),
    };
    if nodes().any(|node| flow.is(node, &flow.rules.states) && changes(node) || is_member(&node) && !is_fixed(node)) {
        return false;
    }
    flow.variables(nodes()).iter().all(|variable| {
        let own = flow.function_of_scope(variable.symbol.scope);
        let writes = variable.uses.iter().filter(|one| one.writes);
        let is_once = writes.clone().count() < 2;
        !writes.clone().any(|one| table.is_within(one.node, acting))
            && (is_once || own != Node::ROOT && writes.clone().all(|one| one.function == own))
    })
}

/// Whether the default value of a parameter reads another parameter.
pub(super) fn reads_others(tree: &Tree, changed: &ListChanges, names: &[String]) -> bool {
    let flow = Flow::new(tree);
    let mut variables = changed.reordered.iter().flat_map(|&value| {
        let nodes = tree.table().range(value.index(), tree.table().subtree_end(value));
        // What a function inside reads is read later.
        let later = |&node: &Node| {
            flow.path(node).take_while(|&at| at != value).chain([value]).any(|at| flow.is(at, &flow.rules.functions))
        };
        nodes.filter(|node| flow.scopes.is_identifier(*node) && !later(node)).collect::<Vec<Node>>()
    });
    variables.any(|node| names.iter().any(|name| *name == *tree.node_text(node)))
}

/// The effect of the end of a value that calls pass no more.
pub(super) fn end_of_removed(tree: &Tree, parameters: &Parameters, change: &SignatureChange) -> Option<String> {
    let SignatureChange::Remove { at, name } = change else { return None };
    let flow = Flow::new(tree);
    let silent = &flow.rules.silent_ends;
    let parameter = parameters.all.iter().filter(|parameter| !parameter.is_receiver).nth(*at)?;
    let written = flow.written_type(parameter.node).filter(|_| !silent.is_empty())?;
    let text = tree.node_text(written);
    let text = text.trim_start_matches(':').trim();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = text.split(|letter| !is_part(letter)).filter(|word| !word.is_empty());
    let is_silent = |word: &str| {
        [silent, &flow.rules.copied_types].iter().any(|known| known.iter().any(|known| known == word))
            || word.starts_with(|first: char| first.is_ascii_digit())
    };
    let is_borrowed = !flow.rules.borrow_sign.is_empty() && text.starts_with(&flow.rules.borrow_sign);
    (!is_borrowed && !words.all(is_silent)).then(|| format!("the value of `{name}` would end at another time"))
}

/// Why a function cannot get a parameter: it has a statement that allows only plain names there, `"use strict"`.
pub(super) fn plain_alone(tree: &Tree, function: Option<Node>, change: &SignatureChange) -> Option<String> {
    let SignatureChange::Add { parameter, name, .. } = change else { return None };
    let spec = tree.language().spec();
    let words = &spec.symbols.references.as_ref().unwrap_or(&spec.references).strict_words;
    let body = tree.body(function?).filter(|_| parameter.trim() != name)?;
    let first = tree.named_children(body).next()?;
    let text = tree.node_text(first);
    let word = words.iter().find(|word| text.trim_matches(['"', '\'', ';']) == word.as_str())?;
    Some(format!("a function that begins with `{word}` can only have plain parameters"))
}
