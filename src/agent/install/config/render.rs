//! Formats a value in the style of its file.

use serde_json::Value;

/// The style of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// One level of indentation.
    pub unit: String,
    /// The line ending.
    pub newline: &'static str,
    /// Whether there is no space after `:` and `,`.
    pub compact: bool,
}

impl Style {
    /// The text between a key and its value.
    pub fn colon(&self) -> &'static str {
        if self.compact { ":" } else { ": " }
    }

    /// The text between two elements on a line.
    pub fn comma(&self) -> &'static str {
        if self.compact { "," } else { ", " }
    }

    /// A key with its value.
    pub fn member(&self, key: &str, value: &str) -> String {
        format!("{}{}{value}", Value::from(key), self.colon())
    }

    /// A value on one line.
    pub fn inline(&self, value: &Value) -> String {
        match value {
            Value::Object(members) => {
                let members: Vec<String> =
                    members.iter().map(|(key, value)| self.member(key, &self.inline(value))).collect();
                format!("{{{}}}", members.join(self.comma()))
            }
            Value::Array(elements) => {
                let elements: Vec<String> = elements.iter().map(|element| self.inline(element)).collect();
                format!("[{}]", elements.join(self.comma()))
            }
            plain => plain.to_string(),
        }
    }

    /// A value with one member per line, for a line with that indentation. Lists of plain values stay on one line.
    pub fn lines(&self, value: &Value, indentation: &str) -> String {
        let inner = format!("{indentation}{}", self.unit);
        let (open, close, elements): (_, _, Vec<String>) = match value {
            Value::Object(members) if !members.is_empty() => {
                let member = |(key, value): (&String, &Value)| self.member(key, &self.lines(value, &inner));
                ("{", "}", members.iter().map(member).collect())
            }
            Value::Array(elements) if elements.iter().any(|element| element.is_object() || element.is_array()) => {
                ("[", "]", elements.iter().map(|element| self.lines(element, &inner)).collect())
            }
            plain => return self.inline(plain),
        };
        let between = format!(",{}{inner}", self.newline);
        let (start, end) = (format!("{}{inner}", self.newline), format!("{}{indentation}", self.newline));
        format!("{open}{start}{}{end}{close}", elements.join(&between))
    }
}
