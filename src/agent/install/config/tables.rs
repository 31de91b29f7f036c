//! Adds a table to a TOML config, or removes it.

use serde::Serialize;
use serde_json::{Map, Value};
use toml_edit::{Document, InlineTable, Item, Key, Table};

use super::{After, Unreadable, overlaid};
use crate::text::{EditSet, Span, Text, TextEdit};

/// A TOML config as written.
struct Source {
    text: Text,
    value: Value,
    /// The tables with a header, in document order.
    headers: Vec<Header>,
    /// All pairs, including those of inline tables, in document order.
    pairs: Vec<Pair>,
}

/// The header of a table.
struct Header {
    span: Span,
    path: Vec<String>,
}

/// A key with its value.
struct Pair {
    /// From the last part of the key to the end of the value.
    span: Span,
    value: Span,
    /// The full path of its keys.
    path: Vec<String>,
    /// The inline table around it.
    inline: Option<Span>,
    is_inline_table: bool,
}

fn span(range: Option<std::ops::Range<usize>>) -> Span {
    range.map_or_else(|| Span::at(0), |range| Span::new(range.start, range.end))
}

impl Source {
    fn read(text: &str) -> Result<Source, Unreadable> {
        let table: toml::Table = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            let what = error.message().lines().next().unwrap_or_default().to_lowercase();
            Unreadable::at(&Text::new(text), place, what)
        })?;
        let value = serde_json::to_value(table).map_err(|error| Unreadable::plain(error.to_string()))?;
        let document = Document::parse(text).map_err(|error| Unreadable::plain(error.message()))?;
        let mut source = Source { text: Text::new(text), value, headers: Vec::new(), pairs: Vec::new() };
        source.add_table(document.as_table(), &[]);
        source.headers.sort_by_key(|header| header.span.start());
        source.pairs.sort_by_key(|pair| pair.span.start());
        Ok(source)
    }

    fn add_table(&mut self, table: &Table, path: &[String]) {
        if !path.is_empty() && !table.is_dotted() && !table.is_implicit() {
            self.headers.push(Header { span: span(table.span()), path: path.to_vec() });
        }
        for (key, item) in table.iter().filter_map(|(key, _)| table.get_key_value(key)) {
            self.add_item(key, item, path, None);
        }
    }

    fn add_inline(&mut self, table: &InlineTable, path: &[String], around: Span) {
        for (key, item) in table.iter().filter_map(|(key, _)| table.get_key_value(key)) {
            self.add_item(key, item, path, Some(around));
        }
    }

    fn add_item(&mut self, key: &Key, item: &Item, path: &[String], inline: Option<Span>) {
        let path = [path, &[key.get().to_owned()]].concat();
        match item {
            Item::Table(table) => self.add_table(table, &path),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|table| self.add_table(table, &path)),
            // The keys before the last one of a dotted key.
            Item::Value(toml_edit::Value::InlineTable(table)) if table.is_dotted() => {
                self.add_inline(table, &path, inline.unwrap_or_else(|| Span::at(0)));
            }
            Item::Value(written) => {
                let value = span(written.span());
                let whole = Span::new(span(key.span()).start(), value.end());
                let table = written.as_inline_table();
                if let Some(table) = table {
                    self.add_inline(table, &path, value);
                }
                self.pairs.push(Pair { span: whole, value, path, inline, is_inline_table: table.is_some() });
            }
            Item::None => {}
        }
    }

    fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.value, |value, key| value.get(key))
    }

    /// The pairs of an inline table.
    fn inside(&self, table: Span) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(move |pair| pair.inline == Some(table))
    }

    /// The lines of a span, with the end of the last.
    fn lines(&self, span: Span, text: &str) -> Span {
        let newline = self.text.newline();
        let start = self.text.line_around(span.start()).start();
        let end = self.text.line_around(span.end().saturating_sub(1)).end();
        Span::new(start, if text[end..].starts_with(newline) { end + newline.len() } else { end })
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
    let headers = source.headers.iter().filter(|header| begins(&header.path, path));
    let mut spans: Vec<Span> = headers.map(|header| lines_of(&source, text, header)).collect();
    for pair in source.pairs.iter().filter(|pair| begins(&pair.path, path)) {
        let span = pair.inline.map_or_else(|| source.lines(pair.span, text), |table| part(&source, text, pair, table));
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
    if let Some(parent) = source.pairs.iter().find(|pair| pair.path == above && pair.is_inline_table) {
        let entry = format!("{} = {}", Key::new(key).display_repr(), inline(table));
        return match source.inside(parent.value).map(|pair| pair.span.end()).max() {
            Some(end) => TextEdit::new(Span::at(end), format!(", {entry}")),
            None => TextEdit::new(Span::at(parent.value.start() + 1), format!(" {entry} ")),
        };
    }
    let newline = source.text.newline();
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
    if let Some(whole) = source.pairs.iter().find(|pair| pair.path == path) {
        return vec![TextEdit::new(whole.value, inline(&overlaid(old, table)))];
    }
    let header = source.headers.iter().find(|header| header.path == path);
    let mut edits = Vec::new();
    for (key, wanted) in table.as_object().into_iter().flatten().filter(|(key, value)| old.get(key) != Some(value)) {
        let is_it = |pair: &&Pair| {
            pair.path.len() == path.len() + 1 && begins(&pair.path, path) && pair.path.last() == Some(key)
        };
        if let Some(pair) = source.pairs.iter().find(is_it) {
            edits.push(TextEdit::new(pair.value, inline(wanted)));
        } else if let Some(header) = header {
            let end = source.text.line_around(header.span.start()).end();
            let line = format!("{}{} = {}", source.text.newline(), Key::new(key).display_repr(), inline(wanted));
            edits.push(TextEdit::new(Span::at(end), line));
        }
    }
    edits
}

/// The lines of a table, with the empty line that was added before it.
fn lines_of(source: &Source, text: &str, header: &Header) -> Span {
    let newline = source.text.newline();
    let start = header.span.start();
    let next = source.headers.iter().map(|header| header.span.start()).find(|&next| next > start);
    let inside = |pair: &&Pair| pair.span.start() > start && next.is_none_or(|next| pair.span.start() < next);
    let end = source.pairs.iter().filter(inside).map(|pair| pair.span.end()).fold(header.span.end(), usize::max);
    let end = source.lines(Span::new(start, end), text).end();
    let closed = text[..end].ends_with(newline);
    let mut start = start;
    let before = &text[..start];
    if before == newline || before.ends_with(&newline.repeat(2)) {
        start -= newline.len();
    }
    if !closed && text[..start].ends_with(newline) {
        start -= newline.len();
    }
    Span::new(start, end)
}

/// A pair of an inline table, with the comma next to it.
fn part(source: &Source, text: &str, pair: &Pair, table: Span) -> Span {
    let siblings: Vec<Span> = source.inside(table).map(|pair| pair.span).collect();
    let index = siblings.iter().position(|&sibling| sibling == pair.span).unwrap_or(0);
    if let Some(before) = index.checked_sub(1).map(|before| siblings[before]) {
        return Span::new(before.end(), pair.span.end());
    }
    if let Some(next) = siblings.get(index + 1) {
        return Span::new(pair.span.start(), next.start());
    }
    let blank = |at: usize| text.as_bytes().get(at) == Some(&b' ');
    let (start, end) = (pair.span.start(), pair.span.end());
    let is_padded = start == table.start() + 2 && blank(start - 1) && blank(end);
    if is_padded { Span::new(start - 1, end + 1) } else { pair.span }
}

/// A table under its header.
fn block(path: &[&str], table: &Value, newline: &str) -> String {
    let header: Vec<String> = path.iter().map(|key| Key::new(*key).display_repr().into_owned()).collect();
    let mut lines = vec![format!("[{}]", header.join("."))];
    let members = table.as_object().into_iter().flatten();
    lines.extend(members.map(|(key, value)| format!("{} = {}", Key::new(key).display_repr(), inline(value))));
    lines.join(newline)
}

/// A value on one line.
fn inline(value: &Value) -> String {
    let written = value.serialize(toml_edit::ser::ValueSerializer::new());
    written.map_or_else(|_| value.to_string(), |written| written.to_string())
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
    let stays = |span: Span| !gone.iter().any(|gone| (gone.start()..gone.end()).contains(&span.start()));
    for length in (1..=path.len()).rev() {
        let (holder, key) = (&path[..length - 1], path[length - 1]);
        let named = length < path.len()
            && (source.headers.iter().any(|header| begins(&header.path, &path[..length]) && stays(header.span))
                || source.pairs.iter().any(|pair| begins(&pair.path, &path[..length]) && stays(pair.span)));
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
        _ => Err(Unreadable::plain("it cannot be edited without changing something else")),
    }
}
