//! Patterns: code with metavariables, parsed in the rule's language.

use super::error::AstGrepError;
use super::kind_names::find_kind;
use super::model::{PatternText, Strictness};
use crate::language::{Language, TypeId};
use crate::text::Text;
use crate::tree::{Node, ParseLimits, Tree};

/// A pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    pub root: PatternNode,
    /// The kind that a match must have, if the pattern names one.
    pub root_type: Option<TypeId>,
    pub strictness: Strictness,
}

/// A node of a pattern.
#[derive(Debug)]
pub(super) enum PatternNode {
    Var(MetaVar),
    /// A node without children.
    Leaf {
        text: String,
        is_named: bool,
        kind: Kind,
    },
    Inner {
        kind: Kind,
        children: Vec<PatternNode>,
    },
}

/// The kind of a pattern's node. What could not be parsed has any kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Any,
    Of(TypeId),
}

impl Kind {
    pub fn holds(self, kind: TypeId) -> bool {
        match self {
            Kind::Any => true,
            Kind::Of(own) => own == kind,
        }
    }
}

/// A metavariable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MetaVar {
    /// `$A`, or `$$A` for unnamed nodes, too.
    One { name: Option<String>, is_named: bool },
    /// `$$$A`
    Many { name: Option<String> },
}

/// The text of a pattern as the grammar reads it.
struct Spelled {
    text: String,
    spelling: Spelling,
}

/// How metavariables are written in it.
enum Spelling {
    /// With another sign in place of `$`.
    Sign(char),
    /// As words of the language.
    Words(Vec<(String, MetaVar)>),
}

impl Spelling {
    /// The metavariable that the text of a node is.
    fn meta_var(&self, text: &str) -> Option<MetaVar> {
        match self {
            Spelling::Sign(sign) => meta_var_of(text, *sign),
            Spelling::Words(words) => words.iter().find(|(word, _)| word == text).map(|(_, var)| var.clone()),
        }
    }
}

impl Pattern {
    /// The pattern in a language.
    ///
    /// # Errors
    /// If it is more than one node, has nothing, or its selector finds nothing in it.
    pub fn new(written: &PatternText, language: &'static Language) -> Result<Pattern, AstGrepError> {
        let wrong = |message: String| AstGrepError::new(message, written.code.place);
        let code = &written.code.value;
        let spelled = spell(code, language);
        let tree = Tree::parse(Text::new(&spelled.text), language, &ParseLimits::default())
            .map_err(|error| wrong(error.to_string()))?;
        let table = tree.table();
        let (node, root_type) = match &written.selector {
            Some(selector) => {
                let kind = find_kind(selector, language)?;
                let found = table.nodes().find(|&node| kind.contains(table.type_id(node)));
                let Some(found) = found else {
                    let message = format!("no `{}` is in the context", selector.value);
                    return Err(AstGrepError::new(message, selector.place));
                };
                (found, Some(table.type_id(found)))
            }
            None => {
                let code: Vec<Node> = table.children(tree.root()).collect();
                if code.is_empty() {
                    return Err(wrong("the pattern is empty".to_owned()));
                }
                // A line end after the pattern is no other node.
                let code = match &code[..] {
                    [only, end] if !table.is_named(*end) && tree.node_text(*end).trim().is_empty() => vec![*only],
                    _ => code,
                };
                let mut node = only_of(&tree, &code).ok_or_else(|| {
                    wrong("the pattern is more than one node".to_owned()).hint("give `context` and `selector`")
                })?;
                while let Some(child) = only_of(&tree, &table.children(node).collect::<Vec<_>>()) {
                    node = child;
                }
                (node, None)
            }
        };
        let root = convert(&tree, node, &spelled.spelling);
        if matches!(root, PatternNode::Var(MetaVar::Many { .. })) {
            let error = wrong("the pattern is nothing but nodes of any number".to_owned());
            return Err(error.hint("`$A` is one node; `$$$A` needs code around it"));
        }
        Ok(Pattern { root, root_type, strictness: written.strictness })
    }

    /// The texts of its leaves, which a match must contain.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        if matches!(self.strictness, Strictness::Signature) {
            return texts;
        }
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            match node {
                PatternNode::Leaf { text, is_named: true, .. } => texts.push(text.as_str()),
                PatternNode::Inner { children, .. } => open.extend(children),
                _ => {}
            }
        }
        texts
    }

    /// The names of its metavariables.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            match node {
                PatternNode::Var(MetaVar::One { name: Some(name), .. } | MetaVar::Many { name: Some(name) }) => {
                    names.push(name.as_str());
                }
                PatternNode::Inner { children, .. } => open.extend(children),
                _ => {}
            }
        }
        names
    }
}

/// The node of some that counts: the only one, or the first if the second is missing or has no name.
fn only_of(tree: &Tree, nodes: &[Node]) -> Option<Node> {
    match *nodes {
        [only] => Some(only),
        [first, second] if tree.table().is_missing(second) || tree.type_name(second).is_empty() => Some(first),
        _ => None,
    }
}

fn convert(tree: &Tree, node: Node, spelling: &Spelling) -> PatternNode {
    let table = tree.table();
    let text = tree.node_text(node);
    if let Some(var) = spelling.meta_var(&text) {
        return PatternNode::Var(var);
    }
    let kind = if table.is_error(node) { Kind::Any } else { Kind::Of(table.type_id(node)) };
    let children: Vec<Node> = table.children(node).collect();
    if children.is_empty() {
        return PatternNode::Leaf { text: text.into_owned(), is_named: table.is_named(node), kind };
    }
    let children = children.into_iter().filter(|&child| !table.is_missing(child));
    PatternNode::Inner { kind, children: children.map(|child| convert(tree, child, spelling)).collect() }
}

/// Puts another sign, or words of the language, in place of metavariables.
fn spell(source: &str, language: &'static Language) -> Spelled {
    let mut signs = language.spec().ast_grep.sign.chars();
    match signs.next() {
        Some(sign) => Spelled { text: with_sign(source, sign), spelling: Spelling::Sign(sign) },
        None => spell_with_words(source, language),
    }
}

/// A text in which the `$` of what may be a metavariable are another sign.
fn with_sign(source: &str, sign: char) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let dollars = rest.len() - rest.trim_start_matches('$').len();
        rest = &rest[dollars..];
        let is_var = dollars == 3 || rest.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '_');
        text.extend(std::iter::repeat_n(if is_var { sign } else { '$' }, dollars));
    }
    text.push_str(rest);
    text
}

/// The metavariable that a text is, with a sign in place of `$`.
pub(super) fn meta_var_of(text: &str, sign: char) -> Option<MetaVar> {
    let one = text.strip_prefix(sign)?;
    let two = one.strip_prefix(sign);
    let three = two.and_then(|rest| rest.strip_prefix(sign));
    let name = |rest: &str| {
        let is_name = |letter: char| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit();
        let is_valid = rest.chars().all(is_name) && !rest.starts_with(|letter: char| letter.is_ascii_digit());
        (is_valid && !rest.is_empty()).then(|| (!rest.starts_with('_')).then(|| rest.to_owned()))
    };
    match (three, two) {
        (Some(""), _) => Some(MetaVar::Many { name: None }),
        (Some(rest), _) => name(rest).map(|name| MetaVar::Many { name }),
        (None, Some(rest)) => name(rest).map(|name| MetaVar::One { name, is_named: false }),
        (None, None) => name(one).map(|name| MetaVar::One { name, is_named: true }),
    }
}

/// Puts words of the language in place of metavariables.
fn spell_with_words(source: &str, language: &'static Language) -> Spelled {
    let (mut text, mut words) = (String::with_capacity(source.len()), Vec::<(String, MetaVar)>::new());
    let spelling = language.spec().metavariable.first().map_or("cst{}", String::as_str);
    let mut rest = source;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let dollars = rest.len() - rest.trim_start_matches('$').len();
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = rest[dollars..].find(|letter| !is_name(letter)).map_or(rest.len(), |length| dollars + length);
        match meta_var_of(&rest[..length], '$') {
            Some(var) => {
                let known = words.iter().find(|(_, known)| *known == var).map(|(word, _)| word.clone());
                let word = known.unwrap_or_else(|| {
                    let word = spelling.replace("{}", &(70_000 + words.len()).to_string());
                    words.push((word.clone(), var));
                    word
                });
                text.push_str(&word);
            }
            None => text.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    text.push_str(rest);
    Spelled { text, spelling: Spelling::Words(words) }
}
