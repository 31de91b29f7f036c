//! Adds a value to a JSON config, or removes it.

use serde_json::{Map, Value};

use super::source::{Element, Source};
use super::{After, Key, Style, Unreadable};
use crate::text::{EditSet, Span, Text, TextEdit};
use crate::tree::Node;

/// A value to add, and its place.
#[derive(Debug, Clone, Copy)]
pub(in crate::agent::install) struct Addition<'a> {
    /// The object or array to which it is added; missing parts are created.
    pub path: &'a [Key],
    /// Its key; `None` in an array.
    pub key: Option<&'a str>,
    /// The value.
    pub value: &'a Value,
    /// Whether it goes before all others instead of after them.
    pub first: bool,
}

/// A step on the path to a value.
#[derive(Debug, Clone)]
struct Step {
    container: Node,
    element: Element,
    key: Key,
}

/// The value at a path, if there is one.
///
/// # Errors
/// If the text is not JSON, or a value on the path has the wrong type.
pub(in crate::agent::install) fn value_at(text: &str, path: &[Key]) -> Result<Option<Value>, Unreadable> {
    let source = Source::read(text)?;
    let trail = follow(&source, path)?;
    Ok((trail.len() == path.len()).then(|| source.value().and_then(|value| within(value, path)).cloned()).flatten())
}

/// The elements of the arrays in an object at a path, with their keys; other values are skipped.
///
/// # Errors
/// As [`value_at`].
pub(in crate::agent::install) fn elements_under(
    text: &str,
    path: &[Key],
) -> Result<Vec<(String, Vec<Value>)>, Unreadable> {
    let source = Source::read(text)?;
    let trail = follow(&source, path)?;
    let holder = if path.is_empty() { source.root() } else { trail.last().map(|step| step.element.value) };
    let Some(holder) = holder.filter(|_| trail.len() == path.len()) else { return Ok(Vec::new()) };
    must_be(&source, holder, false, path.last())?;
    for element in source.elements(holder) {
        if let Some(key) = source.key(element) {
            source.child(holder, &Key::Name(key))?;
        }
    }
    let held = source.value().and_then(|value| within(value, path)).and_then(Value::as_object);
    let lists = held.into_iter().flatten().filter_map(|(key, value)| Some((key.clone(), value.as_array()?.clone())));
    Ok(lists.collect())
}

/// The text with a value added; without a text, that of a new file.
///
/// # Errors
/// As [`value_at`].
pub(in crate::agent::install) fn put(text: Option<&str>, addition: Addition<'_>) -> Result<String, Unreadable> {
    let Some(text) = text else {
        let style = Style { unit: "  ".to_owned(), newline: "\n", compact: false };
        return Ok(format!("{}\n", style.lines(&add_to(None, addition), "")));
    };
    let source = Source::read(text)?;
    let expected = add_to(source.value().cloned(), addition);
    let Some(root) = source.root() else {
        if !source.comments().is_empty() {
            return Err(Unreadable::plain("it contains only comments"));
        }
        let style = style(&source, None);
        let Value::Object(members) = &expected else { return Err(Unreadable::plain("it needs an object")) };
        let members: Vec<String> = members.iter().map(|(key, value)| style.member(key, &style.inline(value))).collect();
        return check_value(format!("{text}{{  {}  }}", members.join(", ")), &expected);
    };
    let trail = follow(&source, addition.path)?;
    let holder = trail.last().map_or(root, |step| step.element.value);
    let style = style(&source, Some(root));
    let missing = &addition.path[trail.len()..];
    let edits = match missing.split_first() {
        None => {
            must_be(&source, holder, addition.key.is_none(), addition.path.last())?;
            insert(&source, holder, addition.key, addition.value, addition.first, &style)
        }
        Some((Key::Name(key), rest)) => {
            must_be(&source, holder, false, trail.last().map(|step| &step.key))?;
            let value = add_to(None, Addition { path: rest, ..addition });
            insert(&source, holder, Some(key), &value, addition.first, &style)
        }
        Some((Key::Index(_), _)) => return Err(Unreadable::plain("there is no such element")),
    };
    check_value(apply_edits(text, edits)?, &expected)
}

/// The text with another value at a path.
///
/// # Errors
/// As [`value_at`].
pub(in crate::agent::install) fn replace(text: &str, path: &[Key], value: &Value) -> Result<String, Unreadable> {
    let source = Source::read(text)?;
    let trail = follow(&source, path)?;
    let Some(step) = trail.last().filter(|_| trail.len() == path.len()) else {
        return Err(Unreadable::plain("there is no such value"));
    };
    let style = style(&source, source.root());
    let span = source.span(step.element.value);
    let new = if source.text_of(step.element.value).contains(['\n', '\r']) {
        style.lines(value, indentation(text, source.span(step.element.node).start()))
    } else {
        style.inline(value)
    };
    let mut expected = source.value().cloned().unwrap_or(Value::Null);
    if let Some(place) = within_mut(&mut expected, path) {
        *place = value.clone();
    }
    check_value(apply_edits(text, vec![TextEdit::new(span, new)])?, &expected)
}

/// The text without the value at a path, and without containers that were created for it and are empty now.
///
/// # Errors
/// As [`value_at`].
pub(in crate::agent::install) fn take(text: &str, path: &[Key]) -> Result<After, Unreadable> {
    let source = Source::read(text)?;
    let mut trail = follow(&source, path)?;
    if trail.len() != path.len() {
        return Ok(After::Text(text.to_owned()));
    }
    while let Some(step) = trail.last() {
        let padding = padding(&source, step);
        let is_root = trail.len() == 1;
        let whole = source.span(step.container);
        if is_root && padding == Some(2) {
            return Ok(After::Text(format!("{}{}", &text[..whole.start()], &text[whole.end()..])));
        }
        let element = source.span(step.element.node);
        let is_outside = |comment: &Span| !element.contains(*comment);
        let commented = source.comments().iter().any(|comment| whole.contains(*comment) && is_outside(comment));
        let alone = source.elements(step.container).len() == 1;
        if !alone || commented || padding == Some(1) {
            break;
        }
        if is_root {
            let rest = [&text[..whole.start()], &text[whole.end()..]];
            if rest.iter().all(|rest| rest.trim().is_empty()) {
                return Ok(After::Gone);
            }
            break;
        }
        trail.pop();
    }
    let Some(step) = trail.last() else { return Ok(After::Text(text.to_owned())) };
    let mut expected = source.value().cloned().unwrap_or(Value::Null);
    shrink(&mut expected, &path[..trail.len()]);
    check_value(apply_edits(text, cut(&source, step))?, &expected).map(After::Text)
}

/// The steps of a path, as far as they exist.
fn follow(source: &Source, path: &[Key]) -> Result<Vec<Step>, Unreadable> {
    let mut trail: Vec<Step> = Vec::new();
    let Some(root) = source.root() else { return Ok(trail) };
    for key in path {
        let container = trail.last().map_or(root, |step| step.element.value);
        must_be(source, container, matches!(key, Key::Index(_)), trail.last().map(|step| &step.key))?;
        let Some(element) = source.child(container, key)? else { break };
        trail.push(Step { container, element, key: key.clone() });
    }
    Ok(trail)
}

fn must_be(source: &Source, node: Node, array: bool, key: Option<&Key>) -> Result<(), Unreadable> {
    if source.is_container(node, array) {
        return Ok(());
    }
    let what = match key {
        Some(Key::Name(name)) => format!("`{name}`"),
        Some(Key::Index(_)) => "the element".to_owned(),
        None => "the file".to_owned(),
    };
    let wanted = if array { "an array" } else { "an object" };
    Err(source.at(node, format!("{what} is {} where {wanted} belongs", source.kind(node))))
}

/// The edits that add a value to an object or array.
fn insert(
    source: &Source,
    container: Node,
    key: Option<&str>,
    value: &Value,
    first: bool,
    style: &Style,
) -> Vec<TextEdit> {
    let text = source.text();
    let entry = |value: String| key.map_or(value.clone(), |key| style.member(key, &value));
    let inline = || entry(style.inline(value));
    let elements = source.elements(container);
    let open = source.span(container).start() + 1;
    let (Some(&head), Some(&last)) = (elements.first(), elements.last()) else {
        return vec![TextEdit::new(Span::at(open), format!(" {} ", inline()))];
    };
    let beside = source.span(if first { head.node } else { last.node });
    let lines = starts_its_line(text, beside.start());
    let indentation = indentation(text, beside.start());
    let own_line = || format!("{}{indentation}{}", style.newline, entry(style.lines(value, indentation)));
    if first {
        let entry = if lines { own_line() } else { inline() };
        let lead = if lines { "" } else { &text[open..beside.start()] };
        let lead = if lead.trim().is_empty() { lead } else { "" };
        return vec![TextEdit::new(Span::at(open), format!("{lead}{entry},"))];
    }
    let comma = source.comma_after(last);
    let end = comma.map_or(beside.end(), Span::end);
    let mut edits = Vec::new();
    if lines {
        let end = past_comments(source, end);
        if comma.is_none() {
            edits.push(TextEdit::new(Span::at(beside.end()), ","));
        }
        let closing = if comma.is_some() { "," } else { "" };
        edits.push(TextEdit::new(Span::at(end), format!("{}{closing}", own_line())));
    } else if comma.is_some() {
        edits.push(TextEdit::new(Span::at(end), format!("{}{},", &style.comma()[1..], inline())));
    } else {
        edits.push(TextEdit::new(Span::at(end), format!("{}{}", style.comma(), inline())));
    }
    edits
}

/// The edits that remove an element from its object or array.
fn cut(source: &Source, step: &Step) -> Vec<TextEdit> {
    let gone = |start: usize, end: usize| TextEdit::new(Span::new(start, end), "");
    let elements = source.elements(step.container);
    let index = elements.iter().position(|&element| element == step.element).unwrap_or(0);
    let span = source.span(step.element.node);
    let before = index.checked_sub(1).and_then(|before| source.comma_after(elements[before]));
    let after = source.comma_after(step.element);
    if padding(source, step) == Some(1) {
        return vec![gone(span.start() - 1, span.end() + 1)];
    }
    if let (0, Some(after), Some(next)) = (index, after, elements.get(1).map(|next| source.span(next.node))) {
        // On one line, the next element takes its place.
        let between = &source.text()[after.end()..next.start()];
        if between.chars().all(|c| c == ' ') && source.comment_between(span.end(), after.start()).is_none() {
            return vec![gone(span.start(), next.start())];
        }
    }
    let limit = before.map_or(source.span(step.container).start() + 1, Span::end);
    let start = source.comment_between(limit, span.start()).unwrap_or(limit);
    match (before, after) {
        (_, Some(after)) if source.comment_between(span.end(), after.start()).is_none() => {
            vec![gone(start, after.end())]
        }
        (_, Some(after)) => vec![gone(start, span.end()), gone(after.start(), after.end())],
        (Some(before), None) => vec![gone(before.start(), before.end()), gone(start, span.end())],
        (None, None) => vec![gone(start, span.end())],
    }
}

/// The number of blanks on each side of the only element of a container, if there is nothing else.
fn padding(source: &Source, step: &Step) -> Option<usize> {
    if source.elements(step.container).len() != 1 {
        return None;
    }
    let (whole, element) = (source.span(step.container), source.span(step.element.node));
    let before = &source.text()[whole.start() + 1..element.start()];
    let after = &source.text()[element.end()..whole.end() - 1];
    match before {
        "  " if after == "  " => Some(2),
        " " if after.starts_with(' ') => Some(1),
        _ => None,
    }
}

/// The end of the comments that follow on the same line.
fn past_comments(source: &Source, start: usize) -> usize {
    let blank = |c: char| matches!(c, ' ' | '\t');
    let on_the_line = |end: usize, comment: &Span| source.text()[end..comment.start()].chars().all(blank);
    let following = source.comments().iter().filter(|comment| comment.start() >= start);
    following.fold(start, |end, comment| if on_the_line(end, comment) { comment.end() } else { end })
}

fn style(source: &Source, root: Option<Node>) -> Style {
    let text = source.text();
    let head = root.and_then(|root| source.elements(root).first().copied());
    let unit = head.map(|head| source.span(head.node).start()).filter(|&start| starts_its_line(text, start));
    let unit = unit.map(|start| indentation(text, start)).filter(|unit| !unit.is_empty()).unwrap_or("  ");
    let compact = head.is_some_and(|head| {
        let between = source.text_of(head.node).len() - source.text_of(head.value).len();
        head.node != head.value && source.text_of(head.node)[..between].ends_with(':')
    });
    Style { unit: unit.to_owned(), newline: Text::new(text).newline(), compact }
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

fn starts_its_line(text: &str, offset: usize) -> bool {
    let start = line_start(text, offset);
    start > 0 && text[start..offset].trim().is_empty()
}

/// The indentation of the line of an offset.
fn indentation(text: &str, offset: usize) -> &str {
    let line = &text[line_start(text, offset)..offset];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn apply_edits(text: &str, edits: Vec<TextEdit>) -> Result<String, Unreadable> {
    let edits = EditSet::new(edits).map_err(|error| Unreadable::plain(error.to_string()))?;
    Ok(Text::new(text).apply(&edits).to_string())
}

/// A new text, if it parses as expected.
fn check_value(text: String, expected: &Value) -> Result<String, Unreadable> {
    match Source::read(&text) {
        Ok(source) if source.value() == Some(expected) => Ok(text),
        _ => Err(Unreadable::plain("it cannot be edited without changing something else")),
    }
}

/// A value with an addition at a path.
fn add_to(value: Option<Value>, addition: Addition<'_>) -> Value {
    let Some((key, rest)) = addition.path.split_first() else {
        return match addition.key {
            Some(key) => {
                let mut members = value.and_then(|value| value.as_object().cloned()).unwrap_or_default();
                members.insert(key.to_owned(), addition.value.clone());
                Value::Object(members)
            }
            None => {
                let mut elements = value.and_then(|value| value.as_array().cloned()).unwrap_or_default();
                elements.push(addition.value.clone());
                Value::Array(elements)
            }
        };
    };
    let inner = Addition { path: rest, ..addition };
    match (key, value) {
        (Key::Name(name), value) => {
            let mut members = value.and_then(|value| value.as_object().cloned()).unwrap_or_else(Map::new);
            let old = members.get(name).cloned();
            members.insert(name.clone(), add_to(old, inner));
            Value::Object(members)
        }
        (Key::Index(_), value) => value.unwrap_or(Value::Null),
    }
}

/// Removes the value at a path.
fn shrink(value: &mut Value, path: &[Key]) {
    let Some((last, holder)) = path.split_last() else { return };
    match (within_mut(value, holder), last) {
        (Some(Value::Object(members)), Key::Name(name)) => {
            members.shift_remove(name);
        }
        (Some(Value::Array(elements)), Key::Index(index)) if *index < elements.len() => {
            elements.remove(*index);
        }
        _ => {}
    }
}

fn within<'a>(value: &'a Value, path: &[Key]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| match key {
        Key::Name(name) => value.get(name),
        Key::Index(index) => value.get(index),
    })
}

fn within_mut<'a>(value: &'a mut Value, path: &[Key]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, key| match key {
        Key::Name(name) => value.get_mut(name),
        Key::Index(index) => value.get_mut(index),
    })
}
