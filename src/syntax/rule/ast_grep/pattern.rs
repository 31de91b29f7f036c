//! Patterns: code with metavariables, parsed in the rule's language.

use super::error::AstGrepError;
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

/// The text of a pattern in which metavariables are words that the grammar reads as one node.
struct Spelled {
    text: String,
    words: Vec<(String, MetaVar)>,
}

impl Pattern {
    /// The pattern in a language.
    ///
    /// # Errors
    /// If it is more than one node, has nothing, or its selector finds nothing in it.
    pub fn new(written: &PatternText, language: &'static Language) -> Result<Pattern, AstGrepError> {
        let wrong = |message: String| AstGrepError::new(message, written.code.place);
        let spelled = spell(&written.code.value, language);
        let parse = |text: &str| {
            Tree::parse(Text::new(text), language, &ParseLimits::default()).map_err(|error| wrong(error.to_string()))
        };
        let mut tree = parse(&spelled.text)?;
        let mut first = 0;
        // In some languages code begins after a sign: what comes before it is text.
        if let Some(head) = head_of(language).filter(|_| is_text(&tree)) {
            tree = parse(&format!("{head}{}", spelled.text))?;
            first = head.trim_end().len();
        }
        let table = tree.table();
        let (node, root_type) = match &written.selector {
            Some(selector) => {
                let Some(kind) = language.type_id(&selector.value) else {
                    let message = format!("{} has no kind `{}`", language.name(), selector.value);
                    return Err(AstGrepError::new(message, selector.place));
                };
                let found = table.nodes().find(|&node| table.type_id(node) == kind);
                let Some(found) = found else {
                    let message = format!("no `{}` is in the context", selector.value);
                    return Err(AstGrepError::new(message, selector.place));
                };
                (found, Some(kind))
            }
            None => {
                if table.children(tree.root()).next().is_none() {
                    return Err(wrong("the pattern is empty".to_owned()));
                }
                let mut node = tree.root();
                if first > 0 {
                    let code: Vec<Node> =
                        table.children(node).filter(|&child| tree.span(child).start() >= first).collect();
                    match code[..] {
                        [only] => node = only,
                        _ => {
                            let error = wrong("the pattern is more than one node".to_owned());
                            return Err(error.hint("give `context` and `selector`"));
                        }
                    }
                } else if !is_single(&tree, node) {
                    let error = wrong("the pattern is more than one node".to_owned());
                    return Err(error.hint("give `context` and `selector`"));
                }
                while is_single(&tree, node)
                    && let Some(child) = table.children(node).next()
                {
                    node = child;
                }
                (node, None)
            }
        };
        Ok(Pattern { root: convert(&tree, node, &spelled.words), root_type, strictness: written.strictness })
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
}

/// Whether a node has one child, or another that is missing or blank.
fn is_single(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    let mut children = table.children(node);
    match (children.next(), children.next(), children.next()) {
        (Some(_), None, _) => true,
        (Some(_), Some(second), None) => {
            table.is_missing(second) || (!table.is_named(second) && tree.node_text(second).trim().is_empty())
        }
        _ => false,
    }
}

fn convert(tree: &Tree, node: Node, words: &[(String, MetaVar)]) -> PatternNode {
    let table = tree.table();
    let text = tree.node_text(node);
    if let Some((_, var)) = words.iter().find(|(word, _)| *word == text) {
        return PatternNode::Var(var.clone());
    }
    let kind = if table.is_error(node) { Kind::Any } else { Kind::Of(table.type_id(node)) };
    let children: Vec<Node> = table.children(node).collect();
    if children.is_empty() {
        return PatternNode::Leaf { text: text.into_owned(), is_named: table.is_named(node), kind };
    }
    let children = children.into_iter().filter(|&child| !table.is_missing(child));
    PatternNode::Inner { kind, children: children.map(|child| convert(tree, child, words)).collect() }
}

/// The code before a snippet that makes it code of the language: `<?php `.
fn head_of(language: &Language) -> Option<&str> {
    let around = &language.spec().pattern_contexts.first()?.around;
    around.strip_suffix("$0").filter(|head| !head.trim().is_empty() && !head.contains('\n'))
}

/// Whether a tree is nothing but one node of text.
fn is_text(tree: &Tree) -> bool {
    let table = tree.table();
    let mut children = table.children(tree.root());
    let only = children.next().filter(|_| children.next().is_none());
    only.is_some_and(|only| {
        table.children(only).next().is_none() && tree.node_text(only).contains(['(', '$', ' ', ';'])
    })
}

/// The sign in place of `$` in a language: a letter with which a name of capitals is one node.
fn mark_of(language: &'static Language) -> Option<char> {
    const MARKS: [char; 2] = ['$', 'µ'];
    let head = head_of(language).unwrap_or_default();
    let is_name = |mark: char| {
        let word = format!("{mark}A");
        let Ok(tree) = Tree::parse(Text::new(&format!("{head}{word}")), language, &ParseLimits::default()) else {
            return false;
        };
        let table = tree.table();
        let is_leaf = |node: Node| table.is_named(node) && table.children(node).next().is_none();
        let is_whole = |node: Node| !table.is_error(node) && tree.node_text(node) == word.as_str();
        let errors = tree.errors();
        let is_sound = errors.iter().all(|error| error.span.is_empty());
        is_sound && table.nodes().any(|node| is_leaf(node) && is_whole(node))
    };
    MARKS.into_iter().find(|&mark| is_name(mark))
}

/// Puts words of the language in place of metavariables.
fn spell(source: &str, language: &'static Language) -> Spelled {
    let mut spelled = Spelled { text: String::with_capacity(source.len()), words: Vec::new() };
    if !source.contains('$') {
        spelled.text.push_str(source);
        return spelled;
    }
    let mark = mark_of(language);
    let spelling = language.spec().metavariable.first().map_or("cst{}", String::as_str);
    let mut rest = source;
    while let Some(at) = rest.find('$') {
        spelled.text.push_str(&rest[..at]);
        rest = &rest[at..];
        let dollars = rest.len() - rest.trim_start_matches('$').len();
        let Some((var, length)) = meta_var(&rest[dollars..], dollars) else {
            spelled.text.push_str(&rest[..dollars]);
            rest = &rest[dollars..];
            continue;
        };
        let name = &rest[dollars..dollars + length];
        let word = match mark {
            Some(mark) => mark.to_string().repeat(dollars) + name,
            None => spelling.replace("{}", &(70_000 + spelled.words.len()).to_string()),
        };
        let known = spelled.words.iter().find(|(_, known)| *known == var).map(|(word, _)| word.clone());
        let word = match (mark, known) {
            (None, Some(known)) => known,
            _ => word,
        };
        spelled.text.push_str(&word);
        if !spelled.words.iter().any(|(known, _)| *known == word) {
            spelled.words.push((word, var));
        }
        rest = &rest[dollars + length..];
    }
    spelled.text.push_str(rest);
    spelled
}

/// The metavariable that a word after some `$` is, with the word's length.
pub(super) fn meta_var(rest: &str, dollars: usize) -> Option<(MetaVar, usize)> {
    let length = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
    let word = &rest[..length];
    let is_valid = word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit());
    let begins = word.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '_');
    let name = || (!word.is_empty() && !word.starts_with('_')).then(|| word.to_owned());
    let var = match dollars {
        1 | 2 if is_valid && begins => MetaVar::One { name: name(), is_named: dollars == 1 },
        3 if is_valid && (begins || word.is_empty()) => MetaVar::Many { name: name() },
        _ => return None,
    };
    Some((var, length))
}
