//! Templates: code with places for what a selector captured.
//!
//! `$NAME` and `$$$NAME` stand for a capture's text and `$0` for the whole node, `${NAME|snake}` for the text changed by
//! filters, from left to right. A `$` before anything else is code, as in the languages that write variables so.

use regex::{Captures, Regex};
use std::sync::LazyLock;

use super::layout;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A place with filters for a capture that there isn't.
    #[error("the target captures no `{name}`")]
    UnknownCapture {
        /// The name.
        name: String,
    },
    /// A filter that there isn't.
    #[error("unknown filter `{filter}`")]
    UnknownFilter {
        /// The filter, as written.
        filter: String,
    },
    /// A filter `s/re/to/` whose expression is wrong.
    #[error("{message}")]
    BadRegex {
        /// What the expression's parser said.
        message: String,
    },
}

/// All filters, for those who took another word.
pub const FILTERS: [&str; 9] = ["snake", "camel", "pascal", "upper", "lower", "kebab", "trim", "unquote", "s/re/to/"];

/// Text of a place that came from a capture.
type Part<'a> = (&'a str, Node);

static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\$\{(?P<filtered>\w+)\|(?P<filters>[^{}\n]*)\}|\$\{(?P<braced>\w+)\}|(?:\$\$)?\$(?P<plain>\w+)")
        .expect("the expression is right")
});

/// Fills a template from the captures of a match; `whole` is what `$0` stands for, which stays as it is without one.
///
/// # Errors
/// At a place with filters, when there is no such capture or filter.
pub fn fill(
    template: &str,
    tree: &Tree,
    captures: &[(String, Node)],
    whole: Option<Node>,
) -> Result<String, TemplateError> {
    let whole = whole.map(|node| ("0", node));
    let parts: Vec<Part<'_>> = captures.iter().map(|(name, node)| (name.as_str(), *node)).chain(whole).collect();
    let mut filled = String::with_capacity(template.len());
    let mut end = 0;
    for place in PLACE.captures_iter(template) {
        let at = place.get(0).expect("group 0 is the whole match");
        filled.push_str(&template[end..at.start()]);
        end = at.end();
        match put(&place, tree, &parts)? {
            Some(text) => filled.push_str(&indented(&text, &filled)),
            None => filled.push_str(at.as_str()),
        }
    }
    filled.push_str(&template[end..]);
    Ok(filled)
}

/// What goes in a place; `None` when it is only code.
fn put(place: &Captures<'_>, tree: &Tree, parts: &[Part<'_>]) -> Result<Option<String>, TemplateError> {
    let found = |name: &str| parts.iter().find(|part| part.0 == name).map(|part| text_of(tree, part.1));
    let Some(filters) = place.name("filters") else {
        let name = place.name("braced").or_else(|| place.name("plain"));
        return Ok(name.and_then(|name| found(name.as_str())));
    };
    let name = &place["filtered"];
    let text = found(name).ok_or_else(|| TemplateError::UnknownCapture { name: name.to_owned() })?;
    split(filters.as_str()).into_iter().try_fold(text, |text, filter| filtered(&text, filter)).map(Some)
}

/// A node's text with its lines as far out as its first.
fn text_of(tree: &Tree, node: Node) -> String {
    let (text, span) = (tree.text(), tree.span(node));
    let base = layout::indentation(text, span.start());
    let free = layout::free_lines(tree, span);
    let mut kept = String::new();
    let mut end = span.start();
    for start in free {
        let there = layout::indentation(text, start);
        kept.push_str(&text.slice(Span::new(end, start)));
        end = start + if there.starts_with(&base) { base.len() } else { 0 };
    }
    kept.push_str(&text.slice(Span::new(end, span.end().max(end))));
    kept
}

/// Text whose further lines stand as far in as the line that it comes to. Text with a string that may go over lines stays as it is:
/// white space in there has a meaning.
fn indented(text: &str, before: &str) -> String {
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    let indentation = &line[..line.len() - line.trim_start_matches(layout::is_blank).len()];
    if indentation.is_empty() || text.contains("\"\"\"") || text.contains("'''") || text.contains('`') {
        return text.to_owned();
    }
    text.replace('\n', &format!("\n{indentation}"))
}

/// Filters, separated by `|`; one within `s/…/…/` separates nothing.
fn split(filters: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = filters;
    while !rest.is_empty() {
        let slashes = rest.match_indices('/').filter(|(at, _)| !rest[..*at].ends_with('\\'));
        let own = slashes.map(|(at, _)| at).nth(2).filter(|_| rest.trim_start().starts_with("s/")).unwrap_or(0);
        let end = rest[own..].find('|').map_or(rest.len(), |at| own + at);
        found.push(rest[..end].trim());
        rest = rest.get(end + 1..).unwrap_or("");
    }
    found
}

fn filtered(text: &str, filter: &str) -> Result<String, TemplateError> {
    let unknown = || TemplateError::UnknownFilter { filter: filter.to_owned() };
    Ok(match filter {
        "snake" => words(text).join("_"),
        "kebab" => words(text).join("-"),
        "pascal" => words(text).iter().map(|word| capital(word)).collect(),
        "camel" => {
            let words = words(text);
            words.iter().enumerate().map(|(nth, word)| if nth == 0 { word.clone() } else { capital(word) }).collect()
        }
        "upper" => text.to_uppercase(),
        "lower" => text.to_lowercase(),
        "trim" => text.trim().to_owned(),
        "unquote" => unquoted(text).to_owned(),
        _ => {
            let inner = filter.strip_prefix("s/").and_then(|rest| rest.strip_suffix('/')).ok_or_else(unknown)?;
            let at = inner.match_indices('/').map(|(at, _)| at).find(|&at| !inner[..at].ends_with('\\'));
            let (find, to) = at.map(|at| (&inner[..at], &inner[at + 1..])).ok_or_else(unknown)?;
            let regex = Regex::new(&find.replace("\\/", "/"))
                .map_err(|error| TemplateError::BadRegex { message: error.to_string() })?;
            regex.replace_all(text, to.replace("\\/", "/")).into_owned()
        }
    })
}

/// The words of a name, in small letters: `HTTPServer_name` has `http`, `server`, `name`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (at, &letter) in letters.iter().enumerate() {
        let previous = at.checked_sub(1).map(|before| letters[before]);
        let is_next_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let follows_small = previous.is_some_and(|previous| previous.is_lowercase() || previous.is_numeric());
        let ends_capitals = previous.is_some_and(char::is_uppercase) && is_next_small;
        if !letter.is_alphanumeric() || (letter.is_uppercase() && (follows_small || ends_capitals)) {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().expect("there is one from the start").extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A string literal without its prefix and quotes.
fn unquoted(text: &str) -> &str {
    let bare = text.trim().trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    ["\"\"\"", "'''", "\"", "'", "`"]
        .iter()
        .find_map(|quote| bare.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(text)
}
