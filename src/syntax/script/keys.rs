//! The keys of a TOML table, checked to be known and of the right type, with their places.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Problem, ScriptError};
use super::placed::Placed;
use crate::text::Span;

/// A table that has only known keys.
pub(crate) struct Keys<'a> {
    table: &'a DeTable<'a>,
    /// The script, to find the text between quotes.
    source: &'a str,
    /// The place of the table.
    pub(crate) span: Span,
    /// The step of the table, from 1.
    pub(crate) step: Option<usize>,
}

type Read<T> = Result<T, ScriptError>;

/// The table that a text in TOML is.
///
/// # Errors
/// If it is not TOML.
pub(crate) fn parse_table(source: &str) -> Read<Spanned<DeTable<'_>>> {
    DeTable::parse(source).map_err(|error| {
        let range = error.span().unwrap_or(0..0);
        let message = error.message().trim_end_matches('.').to_owned();
        ScriptError::new(Problem::Toml { message }, Span::new(range.start, range.end), None)
    })
}

impl<'a> Keys<'a> {
    pub(crate) fn new(
        table: &'a DeTable<'a>,
        (source, span): (&'a str, Span),
        step: Option<usize>,
        known: &[&'static str],
    ) -> Read<Keys<'a>> {
        for (key, _) in table {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let problem = Problem::UnknownKey { key: name.to_owned(), known: known.to_vec() };
                return Err(ScriptError::new(problem, span_of(key), step));
            }
        }
        Ok(Keys { table, source, span, step })
    }

    /// An error about the whole table.
    pub(crate) fn error(&self, problem: Problem) -> ScriptError {
        ScriptError::new(problem, self.span, self.step)
    }

    /// An error at a place in the table.
    pub(crate) fn error_at(&self, span: Span, problem: Problem) -> ScriptError {
        ScriptError::new(problem, span, self.step)
    }

    /// The script.
    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    /// Refuses keys that other tables of its kind may have, but not this one.
    pub(crate) fn only(&self, known: &[&'static str]) -> Read<()> {
        Keys::new(self.table, (self.source, self.span), self.step, known).map(|_| ())
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The place of a key's value; that of the table if there is none.
    pub(crate) fn place(&self, key: &str) -> Span {
        self.value(key).map_or(self.span, span_of)
    }

    fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    fn kind(&self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &'static str) -> ScriptError {
        self.error_at(span_of(value), Problem::Kind { key: key.to_owned(), wanted })
    }

    /// A string.
    pub(crate) fn text(&self, key: &str) -> Read<Option<Placed<String>>> {
        let Some(value) = self.value(key) else { return Ok(None) };
        self.string(key, value, "a string").map(Some)
    }

    fn string(&self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &'static str) -> Read<Placed<String>> {
        let DeValue::String(text) = value.get_ref() else { return Err(self.kind(key, value, wanted)) };
        Ok(Placed { value: text.to_string(), span: between_quotes(self.source, span_of(value)) })
    }

    /// A required string.
    pub(crate) fn needed(&self, key: &'static str, example: &'static str) -> Read<Placed<String>> {
        self.text(key)?.ok_or_else(|| self.error(Problem::Missing { key, example }))
    }

    /// One of some values, by its name.
    pub(crate) fn word<T: Copy>(
        &self,
        key: &'static str,
        values: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Read<Option<T>> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        if let Some(value) = values.iter().copied().find(|&value| name(value) == word.value) {
            return Ok(Some(value));
        }
        let known = values.iter().map(|&value| name(value)).collect();
        Err(self.error_at(word.span, Problem::UnknownWord { what: key, word: word.value, known }))
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, key: &str) -> Read<Option<bool>> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(Some(*flag)),
            _ => Err(self.kind(key, value, "`true` or `false`")),
        }
    }

    /// A number from 0.
    pub(crate) fn number(&self, key: &str) -> Read<Option<usize>> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = match value.get_ref() {
            DeValue::Integer(number) => usize::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        number.map(Some).ok_or_else(|| self.kind(key, value, "a number from 0"))
    }

    /// A list of strings; a string alone is a list of one.
    pub(crate) fn texts(&self, key: &str) -> Read<Option<Vec<Placed<String>>>> {
        const WANTED: &str = "a list of strings";
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Array(list) => {
                list.iter().map(|value| self.string(key, value, WANTED)).collect::<Read<_>>().map(Some)
            }
            _ => self.string(key, value, WANTED).map(|text| Some(vec![text])),
        }
    }

    /// A table of plain values.
    pub(crate) fn values(&self, key: &str) -> Read<Option<Placed<serde_json::Map<String, serde_json::Value>>>> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match plain(value.get_ref()) {
            Some(serde_json::Value::Object(found)) => Ok(Some(Placed { value: found, span: span_of(value) })),
            _ => Err(self.kind(key, value, "a table of strings, numbers, flags and lists of them")),
        }
    }

    /// The entries of a table of strings, in order.
    pub(crate) fn entries(&self, key: &str) -> Read<Vec<(Placed<String>, Placed<String>)>> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.kind(key, value, "a table of names and selectors"));
        };
        let mut entries = Vec::with_capacity(table.len());
        for (name, value) in table {
            let text = self.string(name.get_ref(), value, "a selector, as a string")?;
            entries.push((Placed { value: name.get_ref().to_string(), span: span_of(name) }, text));
        }
        entries.sort_by_key(|(name, _)| name.span.start());
        Ok(entries)
    }

    /// A list of tables, such as `[[step]]`, each with its place.
    pub(crate) fn tables(&self, key: &str, wanted: &'static str) -> Read<Vec<(&'a DeTable<'a>, Span)>> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let DeValue::Array(list) = value.get_ref() else { return Err(self.kind(key, value, wanted)) };
        let table = |value: &'a Spanned<DeValue<'a>>| match value.get_ref() {
            DeValue::Table(table) => Ok((table, span_of(value))),
            _ => Err(self.kind(key, value, wanted)),
        };
        list.iter().map(table).collect()
    }
}

/// A value as JSON; `None` if it has a part that is none, such as a date.
fn plain(value: &DeValue<'_>) -> Option<serde_json::Value> {
    Some(match value {
        DeValue::String(text) => text.to_string().into(),
        DeValue::Boolean(flag) => (*flag).into(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok()?.into(),
        DeValue::Array(list) => list.iter().map(|value| plain(value.get_ref())).collect::<Option<Vec<_>>>()?.into(),
        DeValue::Table(table) => {
            let entry = |(name, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
                let name: &std::borrow::Cow<'_, str> = name.get_ref();
                Some((name.to_string(), plain(value.get_ref())?))
            };
            serde_json::Value::Object(table.iter().map(entry).collect::<Option<_>>()?)
        }
        DeValue::Float(_) | DeValue::Datetime(_) => return None,
    })
}

fn span_of<T>(spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end)
}

/// The text between the quotes of a string, without a line end right after three quotes.
fn between_quotes(source: &str, span: Span) -> Span {
    let written = source.get(span.start()..span.end()).unwrap_or_default();
    let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| written.starts_with(quote)).unwrap_or_default();
    let inner = &written[quote.len()..];
    let line_end =
        ["\r\n", "\n"].into_iter().find(|end| quote.len() == 3 && inner.starts_with(end)).unwrap_or_default();
    let start = span.start() + quote.len() + line_end.len();
    Span::new(start, span.end().saturating_sub(quote.len()).max(start))
}
