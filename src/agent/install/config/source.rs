//! A JSON config as written: its values, and their nodes.
//!
//! Agents' configs are JSON, and many of their parsers allow comments and trailing commas. These are replaced by blanks
//! of the same length before parsing, so that every node has its place in the real text, which is the one that is
//! edited.

use serde_json::Value;

use super::{Key, Unreadable};
use crate::language::Language;
use crate::text::{Span, Text};
use crate::tree::{Node, ParseLimits, Tree};

/// A parsed config.
#[derive(Debug)]
pub(super) struct Source {
    text: String,
    tree: Tree,
    value: Option<Value>,
    comments: Vec<Span>,
    trailing_commas: Vec<usize>,
}

/// An element of an object or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element {
    /// The whole element: in an object, the key with its value.
    pub node: Node,
    /// The value.
    pub value: Node,
}

impl Source {
    /// Reads a text.
    ///
    /// # Errors
    /// At the first place where it is not JSON, apart from comments and trailing commas.
    pub fn read(text: &str) -> Result<Source, Unreadable> {
        let blanked = Blanked::of(text);
        let value = match blanked.text.trim_ascii() {
            "" => None,
            _ => Some(serde_json::from_str(&blanked.text).map_err(|error| Unreadable::of_json(text, &error))?),
        };
        let language = Language::named("json").map_err(|error| Unreadable::plain(error.to_string()))?;
        let tree = Tree::parse(Text::new(&blanked.text), language, &ParseLimits::default());
        let tree = tree.map_err(|error| Unreadable::plain(error.to_string()))?;
        if let Some(error) = tree.errors().first().filter(|_| value.is_some()) {
            return Err(Unreadable::at(tree.text(), error.span.start(), "it is not JSON"));
        }
        let (comments, trailing_commas) = (blanked.comments, blanked.trailing_commas);
        Ok(Source { text: text.to_owned(), tree, value, comments, trailing_commas })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parsed value; `None` if there is no value at all.
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// The comments, in order.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The node of the whole value.
    pub fn root(&self) -> Option<Node> {
        self.tree.named_children(self.tree.root()).next()
    }

    /// The bytes of a node.
    pub fn span(&self, node: Node) -> Span {
        self.tree.span(node)
    }

    /// The text of a node, with its comments.
    pub fn text_of(&self, node: Node) -> &str {
        let span = self.span(node);
        &self.text[span.start()..span.end()]
    }

    /// Whether a node is an object or, with `array`, an array.
    pub fn is_container(&self, node: Node, array: bool) -> bool {
        self.tree.type_name(node) == if array { "array" } else { "object" }
    }

    /// The kind of value of a node, for messages.
    pub fn kind(&self, node: Node) -> &'static str {
        match self.tree.type_name(node) {
            "object" => "an object",
            "array" => "an array",
            "string" => "a string",
            "number" => "a number",
            _ => "a word",
        }
    }

    /// The elements of an object or array, in order.
    pub fn elements(&self, container: Node) -> Vec<Element> {
        let value = |node: Node| self.tree.child_by_field(node, "value").unwrap_or(node);
        self.tree.named_children(container).map(|node| Element { node, value: value(node) }).collect()
    }

    /// The key of an element of an object.
    pub fn key(&self, element: Element) -> Option<String> {
        let key = self.tree.child_by_field(element.node, "key")?;
        serde_json::from_str(self.text_of(key)).ok()
    }

    /// The element of a container under a key.
    ///
    /// # Errors
    /// If the key occurs twice: parsers do not agree on which one counts.
    pub fn child(&self, container: Node, key: &Key) -> Result<Option<Element>, Unreadable> {
        let elements = self.elements(container);
        let name = match key {
            Key::Index(index) => return Ok(elements.get(*index).copied()),
            Key::Name(name) => name,
        };
        let mut found = elements.into_iter().filter(|&element| self.key(element).as_ref() == Some(name));
        let (first, second) = (found.next(), found.next());
        match second {
            Some(second) => Err(self.at(second.node, format!("the key `{name}` occurs twice"))),
            None => Ok(first),
        }
    }

    /// The comma after an element, also a trailing one.
    pub fn comma_after(&self, element: Element) -> Option<Span> {
        let table = self.tree.table();
        let next = table.next_sibling(element.node).filter(|&next| self.tree.type_name(next) == ",");
        let end = self.span(element.node).end();
        let limit = table.next_sibling(element.node).map_or(self.text.len(), |next| self.span(next).start());
        let trailing = || self.trailing_commas.iter().find(|&&comma| end <= comma && comma < limit);
        next.map(|next| self.span(next)).or_else(|| trailing().map(|&comma| Span::new(comma, comma + 1)))
    }

    /// The end of the last comment between two offsets.
    pub fn comment_between(&self, start: usize, end: usize) -> Option<usize> {
        let within = |comment: &&Span| start <= comment.start() && comment.end() <= end;
        self.comments.iter().rfind(within).map(|comment| comment.end())
    }

    /// An error at a node.
    pub fn at(&self, node: Node, what: impl Into<String>) -> Unreadable {
        Unreadable::at(self.tree.text(), self.span(node).start(), what)
    }
}

/// A text in which everything but plain JSON is blanked.
struct Blanked {
    text: String,
    comments: Vec<Span>,
    trailing_commas: Vec<usize>,
}

impl Blanked {
    fn of(text: &str) -> Blanked {
        let mut bytes = text.as_bytes().to_vec();
        let (mut comments, mut trailing_commas) = (Vec::new(), Vec::new());
        // The last comma, as long as only blanks and comments follow; and whether there is a value before it.
        let (mut comma, mut ends_value) = (None, false);
        let mut at = 0;
        while at < bytes.len() {
            let rest = &text.as_bytes()[at..];
            let length = match rest {
                [b'/', b'/', ..] => rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len()),
                [b'/', b'*', ..] => memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4),
                _ => 0,
            };
            if length > 0 {
                comments.push(Span::new(at, at + length));
                blank(&mut bytes[at..at + length]);
                at += length;
                continue;
            }
            match rest[0] {
                b'"' => {
                    at += string_length(rest);
                    (comma, ends_value) = (None, true);
                    continue;
                }
                b',' => (comma, ends_value) = (ends_value.then_some(at), false),
                b'}' | b']' => {
                    if let Some(comma) = comma {
                        trailing_commas.push(comma);
                        bytes[comma] = b' ';
                    }
                    (comma, ends_value) = (None, true);
                }
                byte if byte.is_ascii_whitespace() => {}
                byte => (comma, ends_value) = (None, !matches!(byte, b'{' | b'[' | b':')),
            }
            at += 1;
        }
        let text = String::from_utf8(bytes).expect("whole comments and commas became blanks");
        Blanked { text, comments, trailing_commas }
    }
}

/// Replaces all bytes except line ends by blanks, so that line numbers stay the same.
fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

/// The length of the string at the start of a text; an unclosed one extends to the end.
fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}
