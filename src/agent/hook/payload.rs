//! The JSON that an agent writes to standard input. It is read leniently, since the agent cannot be asked again.

use crate::limits;
use std::borrow::Cow;

use serde_json::Value;

/// The object in the bytes. Accepts a byte order mark, raw control characters in strings and unpaired surrogates.
/// `None` if it is not an object.
pub fn read(bytes: &[u8]) -> Option<Value> {
    if bytes.len() > limits::HOOK_EVENT_BYTES {
        return None;
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    let value: Value = serde_json::from_str(text).or_else(|_| serde_json::from_str(&sanitize(text))).ok()?;
    value.is_object().then_some(value)
}

/// The first of some fields with a text that is not empty.
pub(super) fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().filter_map(|name| value[name].as_str()).find(|text| !text.is_empty())
}

/// An object, which may be written as a text that contains one.
pub(super) fn unquoted(value: &Value) -> Cow<'_, Value> {
    let written = value.as_str().map(str::trim_start).filter(|text| text.starts_with(['{', '[']));
    match written.and_then(|text| serde_json::from_str(text).ok()) {
        Some(inner) => Cow::Owned(inner),
        None => Cow::Borrowed(value),
    }
}

/// Whether the result of a tool reports a failure, in one of the usual ways. If there are several results, all must.
pub(super) fn tells_failure(result: &Value) -> bool {
    match &*unquoted(result) {
        Value::Array(results) => !results.is_empty() && results.iter().all(tells_failure),
        Value::Object(fields) => {
            let is = |name: &str, wanted: bool| fields.get(name).and_then(Value::as_bool) == Some(wanted);
            let is_error = match fields.get("error") {
                None | Some(Value::Null | Value::Bool(false)) => false,
                Some(Value::String(message)) => !message.is_empty(),
                Some(_) => true,
            };
            is_error || is("success", false) || is("isError", true) || is("is_error", true)
        }
        _ => false,
    }
}

/// JSON with what some programs write into its strings put right.
fn sanitize(text: &str) -> String {
    let mut output = String::with_capacity(text.len() + 64);
    let mut in_string = false;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let mut taken = character.len_utf8();
        match character {
            '"' => {
                in_string = !in_string;
                output.push('"');
            }
            '\\' if in_string => {
                let (written, length) = escape(rest);
                output.push_str(&written);
                taken = length;
            }
            '\0'..='\u{1f}' if in_string => output.push_str(&format!("\\u{:04x}", u32::from(character))),
            '\n' | '\r' | '\t' => output.push(character),
            // Control characters between values mean nothing.
            '\0'..='\u{1f}' | '\u{7f}' | '\u{feff}' if !in_string => {}
            _ => output.push(character),
        }
        rest = &rest[taken..];
    }
    output
}

/// The corrected escape at the start of a text, and the number of bytes that it took.
fn escape(text: &str) -> (Cow<'_, str>, usize) {
    const LENGTH: usize = 6;
    let unit = |at: usize| {
        let digits = text.get(at..at + LENGTH)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    match (unit(0), unit(LENGTH)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (Cow::Borrowed(&text[..2 * LENGTH]), 2 * LENGTH),
        (Some(0xd800..=0xdfff), _) => (Cow::Borrowed("\\ufffd"), LENGTH),
        (Some(_), _) => (Cow::Borrowed(&text[..LENGTH]), LENGTH),
        (None, _) => match text[1..].chars().next() {
            Some(known) if "\"\\/bfnrt".contains(known) => (Cow::Borrowed(&text[..2]), 2),
            // A backslash before an invalid escape is a plain backslash.
            _ => (Cow::Borrowed("\\\\"), 1),
        },
    }
}

/// The text of the first of some fields that has one.
pub(super) fn owned(payload: &Value, names: &[&str]) -> Option<String> {
    text(payload, names).map(str::to_owned)
}
