//! Methods of a class with their state, in a class of their own.

use crate::edit::{Op, Position, TextChange, attached_comments};
use crate::language::Language;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A method that goes to the new class.
#[derive(Debug, Clone)]
pub struct PartMethod {
    /// Its definition.
    pub definition: Node,
    /// Its name.
    pub name: String,
    /// What its object is called: `self`.
    pub object: String,
    /// What it passes on to the method of the new class: `a, *b, c=c`.
    pub arguments: String,
    /// The name of it, and those of its parameters.
    pub names: Vec<Node>,
}

/// The state that goes to the new class.
#[derive(Debug, Clone)]
pub struct PartState {
    /// The statements that make it, one after the other in the text.
    pub statements: Vec<Node>,
    /// What the object is called there, and what binds it.
    pub object: (String, Node),
    /// The variables that the statements use: how each is declared as a parameter, its name, and what binds it.
    pub parameters: Vec<(String, String, Node)>,
    /// The statement before which the new object is made, if no statement goes.
    pub before: Option<Node>,
}

/// A class that is split.
#[derive(Debug)]
pub struct ClassPart<'a> {
    /// Its definition.
    pub definition: Node,
    /// The name of the new class.
    pub name: &'a str,
    /// The variable of the old class that has an object of the new one.
    pub holder: &'a str,
    /// The methods, in the order of the text.
    pub methods: Vec<PartMethod>,
    /// The state.
    pub state: PartState,
}

/// The new class, and what is left of the old one.
#[derive(Debug, Default)]
pub struct SplitClass {
    /// Changes of the old class.
    pub changes: Vec<TextChange>,
    /// The insertion of the new class.
    pub op: Option<Op>,
    /// Its text.
    pub code: String,
    /// Code of the old class, and where each is in that text.
    pub moved: Vec<(Span, usize)>,
    /// Names that are in both classes, by their places in the old text; where each is in the new class.
    pub copied: Vec<(usize, usize)>,
}

/// Whether classes of a language are split.
pub fn splits_classes(language: &Language) -> bool {
    let code = &language.spec().flow.code;
    !code.base.is_empty() && !code.constructor.is_empty() && !code.hold.is_empty()
}

/// The new class, and the changes of the old one.
pub fn split_class(tree: &Tree, part: &ClassPart<'_>) -> SplitClass {
    let code = &tree.language().spec().flow.code;
    let text = tree.text();
    let newline = text.newline();
    let mut done = SplitClass::default();
    let indent_of = |node: Node| {
        let start = tree.span(node).start();
        text.slice(Span::new(text.line_around(start).start(), start)).into_owned()
    };
    let member_indent = part.methods.first().map(|method| indent_of(method.definition)).unwrap_or_default();
    let head = code.base.replace("$name", part.name).replace("$inherits", "");
    let mut class = head.split("$body").next().unwrap_or_default().replace('\n', newline);
    if let Some(&first) = part.state.statements.first() {
        let indent = indent_of(first);
        let (before, after) = code.constructor.split_once("$parameters").unwrap_or((&code.constructor, ""));
        class.push_str(&member_indent);
        class.push_str(before);
        done.copied.push((tree.span(part.state.object.1).start(), class.len()));
        class.push_str(&part.state.object.0);
        for (declared, _, binder) in &part.state.parameters {
            class.push_str(", ");
            done.copied.push((tree.span(*binder).start(), class.len()));
            class.push_str(declared);
        }
        class.push_str(&after.split("$body").next().unwrap_or_default().replace('\n', newline));
        for &statement in &part.state.statements {
            let span = with_comments(tree, statement);
            class.push_str(&indent);
            done.moved.push((span, class.len()));
            class.push_str(&text.slice(span));
            class.push_str(newline);
        }
        class.push_str(newline);
    }
    for (number, method) in part.methods.iter().enumerate() {
        if number > 0 {
            class.push_str(newline);
        }
        let span = tree.span(method.definition);
        let body = tree.body(method.definition).unwrap_or(method.definition);
        let head = text.slice(Span::new(span.start(), tree.span(body).start()));
        let head_end = span.start() + head.trim_end().len();
        let rest = Span::new(head_end, span.end());
        class.push_str(&member_indent);
        let at = class.len();
        class.push_str(&text.slice(span));
        class.push_str(newline);
        done.moved.push((rest, at + (head_end - span.start())));
        for &name in &method.names {
            let start = tree.span(name).start();
            done.copied.push((start, at + (start - span.start())));
        }
        let call = code
            .own_call
            .replace("$self", &method.object)
            .replace("$name", &format!("{}.{}", part.holder, method.name))
            .replace("$arguments", &method.arguments);
        let is_asynchronous = !code.asynchronous.is_empty() && head.starts_with(code.asynchronous.trim_end());
        let call = if is_asynchronous { code.awaited.replace("$call", &call) } else { call };
        let forward = code.result.replace("$value", &call);
        let indent = body_indent(tree, body, &member_indent);
        done.changes.push(TextChange { span: rest, text: format!("{newline}{indent}{forward}"), extent: span });
    }
    let passed: Vec<&str> = part.state.parameters.iter().map(|(_, name, _)| name.as_str()).collect();
    let hold = code
        .hold
        .replace("$self", &part.state.object.0)
        .replace("$holder", part.holder)
        .replace("$name", part.name)
        .replace("$arguments", &passed.join(", "));
    match (part.state.statements.split_first(), part.state.before) {
        (Some((&first, others)), _) => {
            done.changes.push(TextChange { span: with_comments(tree, first), text: hold, extent: tree.span(first) });
            for &other in others {
                let span = whole_lines(tree, other);
                done.changes.push(TextChange { span, text: String::new(), extent: tree.span(other) });
            }
        }
        (None, Some(next)) => {
            let span = Span::at(tree.span(next).start());
            let text = format!("{hold}{newline}{}", indent_of(next));
            let extent = tree.table().parent(next).unwrap_or(next);
            done.changes.push(TextChange { span, text, extent: tree.span(extent) });
        }
        (None, None) => {}
    }
    done.code = class;
    let table = tree.table();
    let target =
        std::iter::once(part.definition).chain(table.ancestors(part.definition)).take_while(|&node| node != Node::ROOT);
    let target = target.last().unwrap_or(part.definition);
    done.op = Some(Op::Insert { target, position: Position::Before, code: done.code.clone(), extent: None });
    done
}

/// The blanks before the first statement of a body, or those that it would have.
fn body_indent(tree: &Tree, body: Node, outer: &str) -> String {
    let text = tree.text();
    let start = tree.span(body).start();
    let before = text.slice(Span::new(text.line_around(start).start(), start)).into_owned();
    if before.trim().is_empty() && before.len() > outer.len() { before } else { format!("{outer}{outer}") }
}

/// A statement with the comments directly above it.
fn with_comments(tree: &Tree, node: Node) -> Span {
    let first = attached_comments(tree, node).first().copied().unwrap_or(node);
    Span::new(tree.span(first).start(), tree.span(node).end())
}

/// A statement with its comments, and the end of the line before it, if its lines have nothing else.
fn whole_lines(tree: &Tree, node: Node) -> Span {
    let text = tree.text();
    let span = with_comments(tree, node);
    let (first, last) = (text.line_around(span.start()), text.line_around(span.end()));
    let is_alone = text.slice(Span::new(first.start(), span.start())).trim().is_empty()
        && text.slice(Span::new(span.end(), last.end())).trim().is_empty();
    match first.start().checked_sub(1) {
        Some(before) if is_alone => Span::new(text.line_around(before).end(), last.end()),
        _ => span,
    }
}

/// Whether a statement that sets a member does nothing else, and reads nothing that may change.
pub fn only_sets(tree: &Tree, statement: Node, member: Node) -> bool {
    let table = tree.table();
    let rules = &tree.language().spec().flow;
    let set = table.parent(member);
    !table.descendants(statement).any(|node| {
        let type_id = table.type_id(node);
        rules.effects.contains(type_id) || rules.states.contains(type_id) && Some(node) != set
    })
}
