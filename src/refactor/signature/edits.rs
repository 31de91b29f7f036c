//! How the parameters of a function and the arguments of its calls change together.

use crate::edit::TextChange;
use crate::refactor::move_file::relocation::with_comma;
use crate::symbols::{CallSite, Parameters};
use crate::text::Span;
use crate::tree::{Node, Tree};

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
}

/// Changes of a list.
#[derive(Debug, Clone, Default)]
pub struct ListChanges {
    /// The new texts.
    pub changes: Vec<TextChange>,
    /// Elements that are in the places of others now: their old spans, and those of the places.
    pub moved: Vec<(Span, Span)>,
}

impl From<Vec<TextChange>> for ListChanges {
    fn from(changes: Vec<TextChange>) -> ListChanges {
        ListChanges { changes, moved: Vec::new() }
    }
}

/// The change of the parameters of one function.
pub fn change_parameters(tree: &Tree, parameters: &Parameters, change: &SignatureChange) -> ListChanges {
    let own: Vec<Node> =
        parameters.all.iter().filter(|parameter| !parameter.is_receiver).map(|parameter| parameter.node).collect();
    let receivers = parameters.all.len() - own.len();
    let all: Vec<Node> = parameters.all.iter().map(|parameter| parameter.node).collect();
    match change {
        SignatureChange::Add { parameter, at, .. } => {
            vec![insert(tree, parameters.list, &all, receivers + at, parameter)].into()
        }
        SignatureChange::Remove { at, .. } => vec![remove(tree, parameters.list, own[*at])].into(),
        SignatureChange::Reorder(order) => permute(tree, parameters.list, &own, order),
    }
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
    let all: Vec<Node> = call.arguments.iter().map(|argument| argument.node).collect();
    let skipped = usize::from(passes_object);
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
                Some(value) if call.arguments.iter().any(|argument| argument.keyword.is_some()) => {
                    vec![insert(tree, call.list, &all, all.len(), &format!("{name}={value}"))].into()
                }
                Some(_) => return Err("the call leaves out arguments before it"),
            }
        }
        SignatureChange::Remove { name, at } => {
            let gone = named(name).or_else(|| call.arguments.get(skipped + at).filter(|_| positional > *at));
            match gone {
                Some(argument) if !argument.is_plain => return Err("the argument does something when it is computed"),
                Some(argument) => vec![remove(tree, call.list, argument.node)].into(),
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
            if call.arguments.iter().skip(skipped).filter(|argument| !argument.is_plain).count() > 1 {
                return Err("the arguments would be computed in another order");
            }
            permute(tree, call.list, &all[skipped..skipped + used.len()], &given)
        }
    })
}

/// A new element of a list, at a place among its elements.
fn insert(tree: &Tree, list: Node, all: &[Node], at: usize, text: &str) -> TextChange {
    let extent = tree.span(list);
    // What is between two elements.
    let separator = match all {
        [first, second, ..] => {
            let between = Span::new(tree.span(*first).end(), tree.span(*second).start());
            Some(tree.text().slice(between).into_owned())
                .filter(|between| between.trim() == "," && between.contains(','))
        }
        _ => None,
    };
    let separator = separator.unwrap_or_else(|| ", ".to_owned());
    match (all.get(at), all.last()) {
        (Some(&next), _) => {
            TextChange { span: Span::at(tree.span(next).start()), text: format!("{text}{separator}"), extent }
        }
        (None, Some(&last)) => {
            TextChange { span: Span::at(tree.span(last).end()), text: format!("{separator}{text}"), extent }
        }
        (None, None) => TextChange { span: Span::at(extent.start() + 1), text: text.to_owned(), extent },
    }
}

fn remove(tree: &Tree, list: Node, element: Node) -> TextChange {
    TextChange { span: with_comma(tree, element), text: String::new(), extent: tree.span(list) }
}

/// Puts elements in another order; what is between them stays.
fn permute(tree: &Tree, list: Node, elements: &[Node], order: &[usize]) -> ListChanges {
    let mut done = ListChanges::default();
    for (new, &old) in order.iter().enumerate().filter(|(new, old)| new != *old) {
        let (from, place) = (tree.span(elements[old]), tree.span(elements[new]));
        let text = tree.node_text(elements[old]).into_owned();
        done.changes.push(TextChange { span: place, text, extent: tree.span(list) });
        done.moved.push((from, place));
    }
    done
}
