//! Adds a table to a TOML config, or removes it.

use serde_json::{Map, Value};

use super::{After, Unreadable, overlaid};
use crate::language::Language;
use crate::text::{EditSet, Span, Text, TextEdit};
use crate::tree::{Node, ParseLimits, Tree};

/// A TOML config as written.
struct Source {
    tree: Tree,
    value: Value,
}

/// A key with its value.
#[derive(Debug, Clone)]
struct Pair {
    node: Node,
    value: Node,
    /// The full path of its keys.
    path: Vec<String>,
    /// The inline table around it.
    inline: Option<Node>,
}

impl Source {
    fn read(text: &str) -> Result<Source, Unreadable> {
        let table: toml::Table = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            let what = error.message().lines().next().unwrap_or_default().to_lowercase();
            Unreadable::at(&Text::new(text), place, what)
        })?;
        let value = serde_json::to_value(table).map_err(|error| Unreadable::plain(error.to_string()))?;
        let language = Language::named("toml").map_err(|error| Unreadable::plain(error.to_string()))?;
        let tree = Tree::parse(Text::new(text), language, &ParseLimits::default());
        let tree = tree.map_err(|error| Unreadable::plain(error.to_string()))?;
        match tree.errors().first() {
            Some(error) => Err(Unreadable::at(tree.text(), error.span.start(), "it is not TOML")),
            None => Ok(Source { tree, value }),
        }
    }

    fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.value, |value, key| value.get(key))
    }

    /// The tables with a header, and their paths.
    fn tables(&self) -> Vec<(Node, Vec<String>)> {
        let is_table = |node: &Node| ["table", "table_array_element"].contains(&self.tree.type_name(*node));
        let header = |node: Node| self.tree.named_children(node).next().map_or(Vec::new(), |key| self.keys(key));
        self.tree.named_children(self.tree.root()).filter(is_table).map(|node| (node, header(node))).collect()
    }

    /// All pairs, including those of inline tables.
    fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let mut holders: Vec<(Node, Vec<String>, Option<Node>)> = vec![(self.tree.root(), Vec::new(), None)];
        holders.extend(self.tables().into_iter().map(|(node, path)| (node, path, None)));
        while let Some((holder, path, inline)) = holders.pop() {
            for node in self.tree.named_children(holder).filter(|&node| self.tree.type_name(node) == "pair") {
                let mut parts = self.tree.named_children(node).filter(|&part| !self.tree.is_comment(part));
                let (Some(key), Some(value)) = (parts.next(), parts.next()) else { continue };
                let path: Vec<String> = path.iter().cloned().chain(self.keys(key)).collect();
                if self.tree.type_name(value) == "inline_table" {
                    holders.push((value, path.clone(), Some(value)));
                }
                pairs.push(Pair { node, value, path, inline });
            }
        }
        pairs
    }

    /// The parts of a dotted key.
    fn keys(&self, key: Node) -> Vec<String> {
        let text = self.tree.node_text(key);
        match self.tree.type_name(key) {
            "dotted_key" => self.tree.named_children(key).flat_map(|part| self.keys(part)).collect(),
            "quoted_key" => {
                let read: Option<toml::Table> = toml::from_str(&format!("{text} = 0")).ok();
                read.and_then(|table| table.keys().next().cloned()).into_iter().collect()
            }
            _ => vec![text.into_owned()],
        }
    }
}

/// The value at a path, if there is one.
///
/// # Errors
/// If the text is not TOML, or a value on the path is not a table.
pub(in crate::agent::install) fn toml_value(text: &str, path: &[&str]) -> Result<Option<Value>, Unreadable> {
    let source = Source::read(text)?;
    for length in 1..path.len() {
        if source.at(&path[..length]).is_some_and(|value| !value.is_object()) {
            return Err(Unreadable::plain(format!("`{}` is not a table", path[..length].join("."))));
        }
    }
    Ok(source.at(path).cloned())
}

/// The text with a table at a path; an existing table keeps its other keys.
///
/// # Errors
/// As [`toml_value`].
pub(in crate::agent::install) fn put_table(
    text: Option<&str>,
    path: &[&str],
    table: &Value,
) -> Result<String, Unreadable> {
    let Some(text) = text else { return Ok(format!("{}\n", block(path, table, "\n"))) };
    let source = Source::read(text)?;
    let mut expected = source.value.clone();
    let old = source.at(path).cloned();
    grow(&mut expected, path, old.as_ref().map_or_else(|| table.clone(), |old| overlaid(old, table)));
    let edits = match old {
        Some(old) => changes(&source, path, &old, table),
        None => vec![addition(&source, text, path, table)],
    };
    check_value(text, edits, &expected)
}

/// The text without the table at a path.
///
/// # Errors
/// As [`toml_value`].
pub(in crate::agent::install) fn take_table(text: &str, path: &[&str]) -> Result<After, Unreadable> {
    let source = Source::read(text)?;
    if source.at(path).is_none() {
        return Ok(After::Text(text.to_owned()));
    }
    let mut spans: Vec<Span> = Vec::new();
    for (node, header) in source.tables() {
        if begins(&header, path) {
            spans.push(lines_of(&source, text, node));
        }
    }
    for pair in source.pairs().into_iter().filter(|pair| begins(&pair.path, path)) {
        let span =
            pair.inline.map_or_else(|| line_of(&source, text, pair.node), |table| part(&source, pair.node, table));
        if !spans.iter().any(|outer| outer.contains(span)) {
            spans.push(span);
        }
    }
    let mut expected = source.value.clone();
    shrink(&mut expected, path, &source, &spans);
    // An empty line at the start means that the file existed before.
    let only = spans.iter().any(|span| span.start() == 0 && text[span.end()..].trim().is_empty());
    let only = only && text.starts_with(|c: char| !c.is_whitespace());
    if only && spans.len() == 1 {
        return Ok(After::Gone);
    }
    check_value(text, spans.into_iter().map(|span| TextEdit::new(span, "")).collect(), &expected).map(After::Text)
}

/// The edit that adds a missing table: to the inline table of its parent, or at the end.
fn addition(source: &Source, text: &str, path: &[&str], table: &Value) -> TextEdit {
    let (key, above) = path.split_last().map_or(("", &path[..0]), |(key, above)| (*key, above));
    let is_parent = |pair: &Pair| pair.path == above && source.tree.type_name(pair.value) == "inline_table";
    if let Some(parent) = source.pairs().into_iter().find(is_parent) {
        let entry = format!("{} = {}", bare(key), inline(table));
        let last = source.tree.named_children(parent.value).filter(|&child| !source.tree.is_comment(child)).last();
        return match last {
            Some(last) => TextEdit::new(Span::at(source.tree.span(last).end()), format!(", {entry}")),
            None => TextEdit::new(Span::at(source.tree.span(parent.value).start() + 1), format!(" {entry} ")),
        };
    }
    let newline = source.tree.text().newline();
    let block = block(path, table, newline);
    let code = if text.is_empty() || text.ends_with('\n') {
        format!("{newline}{block}{newline}")
    } else {
        format!("{newline}{newline}{block}")
    };
    TextEdit::new(Span::at(text.len()), code)
}

/// The edits that give an existing table the wanted values.
fn changes(source: &Source, path: &[&str], old: &Value, table: &Value) -> Vec<TextEdit> {
    let pairs = source.pairs();
    if let Some(whole) = pairs.iter().find(|pair| pair.path == path) {
        return vec![TextEdit::new(source.tree.span(whole.value), inline(&overlaid(old, table)))];
    }
    let header = source.tables().into_iter().find(|(_, header)| header == path);
    let header = header.and_then(|(node, _)| source.tree.named_children(node).next());
    let mut edits = Vec::new();
    for (key, wanted) in table.as_object().into_iter().flatten().filter(|(key, value)| old.get(key) != Some(value)) {
        let is_it = |pair: &&Pair| {
            pair.path.len() == path.len() + 1 && begins(&pair.path, path) && pair.path.last() == Some(key)
        };
        if let Some(pair) = pairs.iter().find(is_it) {
            edits.push(TextEdit::new(source.tree.span(pair.value), inline(wanted)));
        } else if let Some(header) = header {
            let end = source.tree.text().line_around(source.tree.span(header).start()).end();
            let line = format!("{}{} = {}", source.tree.text().newline(), bare(key), inline(wanted));
            edits.push(TextEdit::new(Span::at(end), line));
        }
    }
    edits
}

/// The lines of a table, with the empty line that was added before it.
fn lines_of(source: &Source, text: &str, table: Node) -> Span {
    let newline = source.tree.text().newline();
    let last = source.tree.named_children(table).filter(|&child| !source.tree.is_comment(child)).last();
    let last = source.tree.span(last.unwrap_or(table));
    let end = source.tree.text().line_around(last.end().saturating_sub(1)).end();
    let closed = text[end..].starts_with(newline);
    let end = if closed { end + newline.len() } else { end };
    let mut start = source.tree.span(table).start();
    let before = &text[..start];
    if before == newline || before.ends_with(&newline.repeat(2)) {
        start -= newline.len();
    }
    if !closed && text[..start].ends_with(newline) {
        start -= newline.len();
    }
    Span::new(start, end)
}

/// The line of a pair.
fn line_of(source: &Source, text: &str, pair: Node) -> Span {
    let newline = source.tree.text().newline();
    let span = source.tree.span(pair);
    let start = source.tree.text().line_around(span.start()).start();
    let end = source.tree.text().line_around(span.end().saturating_sub(1)).end();
    let end = if text[end..].starts_with(newline) { end + newline.len() } else { end };
    Span::new(start, end)
}

/// A pair of an inline table, with the comma next to it.
fn part(source: &Source, pair: Node, table: Node) -> Span {
    let siblings: Vec<Node> = source.tree.named_children(table).collect();
    let span = source.tree.span(pair);
    let index = siblings.iter().position(|&sibling| sibling == pair).unwrap_or(0);
    if let Some(before) = index.checked_sub(1).map(|before| source.tree.span(siblings[before])) {
        return Span::new(before.end(), span.end());
    }
    if let Some(next) = siblings.get(index + 1).map(|&next| source.tree.span(next)) {
        return Span::new(span.start(), next.start());
    }
    let whole = source.tree.span(table);
    let byte = |at: usize| source.tree.text().byte(at);
    let padded =
        span.start() == whole.start() + 2 && byte(span.start() - 1) == Some(b' ') && byte(span.end()) == Some(b' ');
    if padded { Span::new(span.start() - 1, span.end() + 1) } else { span }
}

/// A table under its header.
fn block(path: &[&str], table: &Value, newline: &str) -> String {
    let header: Vec<String> = path.iter().map(|key| bare(key)).collect();
    let mut lines = vec![format!("[{}]", header.join("."))];
    let members = table.as_object().into_iter().flatten();
    lines.extend(members.map(|(key, value)| format!("{} = {}", bare(key), inline(value))));
    lines.join(newline)
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{} = {}", bare(key), inline(value))).collect();
            if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
        }
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(inline).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::String(text) => quote(text),
        plain => plain.to_string(),
    }
}

/// A key, quoted if necessary.
fn bare(key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if plain { key.to_owned() } else { quote(key) }
}

/// A string; JSON's escapes are valid in TOML.
fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

fn begins(path: &[String], with: &[&str]) -> bool {
    path.len() >= with.len() && path.iter().zip(with).all(|(key, wanted)| key == wanted)
}

fn grow(value: &mut Value, path: &[&str], new: Value) {
    let Some((key, rest)) = path.split_first() else {
        *value = new;
        return;
    };
    if let Value::Object(members) = value {
        grow(members.entry(*key).or_insert_with(|| Value::Object(Map::new())), rest, new);
    }
}

/// Removes a table from a value, and parent tables that existed only because of it: no remaining line names them.
fn shrink(value: &mut Value, path: &[&str], source: &Source, gone: &[Span]) {
    // The node of a table extends to the next header, further than the removed lines.
    let is_gone = |start: usize| gone.iter().any(|gone| (gone.start()..gone.end()).contains(&start));
    let stays = |node: Node| !is_gone(source.tree.span(node).start());
    for length in (1..=path.len()).rev() {
        let (holder, key) = (&path[..length - 1], path[length - 1]);
        let named = length < path.len()
            && (source.tables().iter().any(|(node, header)| begins(header, &path[..length]) && stays(*node))
                || source.pairs().iter().any(|pair| begins(&pair.path, &path[..length]) && stays(pair.node)));
        if named {
            return;
        }
        let holder = holder.iter().try_fold(&mut *value, |value, key| value.get_mut(key));
        if let Some(Value::Object(members)) = holder {
            members.shift_remove(key);
        }
    }
}

/// The text after edits, if it parses as expected.
fn check_value(text: &str, edits: Vec<TextEdit>, expected: &Value) -> Result<String, Unreadable> {
    let edits = EditSet::new(edits).map_err(|error| Unreadable::plain(error.to_string()))?;
    let new = Text::new(text).apply(&edits).to_string();
    match Source::read(&new) {
        Ok(source) if source.value == *expected => Ok(new),
        _ => Err(Unreadable::plain("it can't be edited without changing something else")),
    }
}
