//! Texts with metavariables: messages and fixes, and the texts that transformations make.

use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToSnakeCase};
use regex::Regex;

use super::bindings::Env;
use super::condition::Compiled;
use super::evaluate::Evaluator;
use super::model::{Config, Transform, TransformKind};
use super::pattern::{MetaVar, meta_var};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The texts that metavariables of a match stand for.
pub(super) struct Texts<'a> {
    pub tree: &'a Tree,
    pub env: &'a Env,
    /// The texts that transformations make, by name.
    pub made: Vec<(String, String)>,
}

impl<'a> Texts<'a> {
    /// The texts of a match of a rule.
    pub fn new(tree: &'a Tree, env: &'a Env, config: &Config, compiled: &Compiled) -> Texts<'a> {
        let mut texts = Texts { tree, env, made: Vec::new() };
        for (name, transform) in &config.transform {
            let text = texts.transformed(transform, config, compiled).unwrap_or_default();
            texts.made.push((name.clone(), text));
        }
        texts
    }

    /// The text of a name: a single node, siblings, or what a transformation makes.
    fn of(&self, name: &str) -> Option<String> {
        let made = self.made.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
        made.or_else(|| Some(self.tree.text().slice(self.span_of(name)?).into_owned()))
    }

    /// The bytes of the nodes that a name is bound to.
    fn span_of(&self, name: &str) -> Option<Span> {
        let nodes = self.env.nodes(name);
        let (first, last) = (nodes.first()?, nodes.last()?);
        Some(Span::new(self.tree.span(*first).start(), self.tree.span(*last).end()))
    }

    /// A template with its metavariables replaced. Lines of what is put in are indented as the line of the template is.
    pub fn fill(&self, template: &str) -> String {
        let mut filled = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let dollars = rest.len() - rest.trim_start_matches('$').len();
            match meta_var(&rest[dollars..], dollars) {
                Some((MetaVar::One { name: Some(name), .. } | MetaVar::Many { name: Some(name) }, length)) => {
                    let indent = indentation(&filled);
                    filled.push_str(&self.indented(&name, indent));
                    rest = &rest[dollars + length..];
                }
                _ => {
                    filled.push_str(&rest[..dollars]);
                    rest = &rest[dollars..];
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    fn indented(&self, name: &str, indent: usize) -> String {
        let is_made = self.made.iter().any(|(known, _)| known == name);
        let text = self.of(name).unwrap_or_default();
        let from = match self.span_of(name).filter(|_| !is_made) {
            Some(span) => {
                let line = self.tree.text().line_around(span.start());
                let before = self.tree.text().slice(Span::new(line.start(), span.start()));
                indentation(&before)
            }
            None => 0,
        };
        reindent(&text, from, indent)
    }

    fn transformed(&self, transform: &Transform, config: &Config, compiled: &Compiled) -> Option<String> {
        if let TransformKind::Rewrite { rewriters, join } = &transform.kind {
            return self.rewritten(&transform.source, rewriters, join.as_deref(), config, compiled);
        }
        let text = self.of(&transform.source)?;
        Some(match &transform.kind {
            TransformKind::Substring { start, end } => {
                let letters: Vec<char> = text.chars().collect();
                let length = i64::try_from(letters.len()).ok()?;
                let place = |given: &Option<i64>, usual: i64| {
                    let given = given.unwrap_or(usual);
                    usize::try_from(if given < 0 { (length + given).max(0) } else { given.min(length) })
                        .unwrap_or_default()
                };
                let (start, end) = (place(start, 0), place(end, length));
                letters.get(start..end).map(|part| part.iter().collect()).unwrap_or_default()
            }
            TransformKind::Replace { regex, by } => match Regex::new(regex) {
                Ok(regex) => regex.replace_all(&text, by.as_str()).into_owned(),
                Err(_) => text,
            },
            TransformKind::Convert { case, separators } => convert(&text, case, separators.as_deref()),
            TransformKind::Rewrite { .. } => text,
        })
    }

    /// The text of a capture in which rewriters were applied: in each node from the outside, the first that holds.
    fn rewritten(
        &self,
        source: &str,
        rewriters: &[String],
        join: Option<&str>,
        config: &Config,
        compiled: &Compiled,
    ) -> Option<String> {
        let whole = self.span_of(source)?;
        let rules: Vec<(&Config, &Compiled)> = rewriters
            .iter()
            .filter_map(|name| {
                let written = config.rewriters.iter().find(|(known, _)| known == name)?;
                let ready = compiled.rewriters.iter().find(|(known, _)| known == name)?;
                Some((&written.1, &ready.1))
            })
            .collect();
        let mut edits: Vec<(Span, String)> = Vec::new();
        for node in self.env.nodes(source) {
            self.rewrite_node(node, &rules, &mut edits);
        }
        let mut text = String::new();
        let mut at = whole.start();
        let mut is_first = true;
        for (span, new) in edits {
            if span.start() < at {
                continue;
            }
            match join {
                Some(join) if !is_first => text.push_str(join),
                Some(_) => {}
                None => text.push_str(&self.tree.text().slice(Span::new(at, span.start()))),
            }
            text.push_str(&new);
            at = span.end();
            is_first = false;
        }
        if join.is_none() {
            text.push_str(&self.tree.text().slice(Span::new(at, whole.end())));
        }
        Some(text)
    }

    fn rewrite_node(&self, node: Node, rules: &[(&Config, &Compiled)], edits: &mut Vec<(Span, String)>) {
        let table = self.tree.table();
        let mut at = node.index();
        let end = table.subtree_end(node);
        while at < end {
            let inner = Node::at(at);
            let mut is_rewritten = false;
            for (config, compiled) in rules {
                let mut env = self.env.clone();
                let evaluator = Evaluator::new(self.tree, compiled);
                if !evaluator.holds_at(inner, &mut env) {
                    continue;
                }
                let texts = Texts::new(self.tree, &env, config, compiled);
                if let Some(fix) = &config.fix {
                    edits.push((self.tree.span(inner), texts.fill(&fix.template)));
                    is_rewritten = true;
                }
                break;
            }
            at = if is_rewritten { table.subtree_end(inner) } else { at + 1 };
        }
    }
}

/// How many spaces the last line of a text begins with, if it has nothing else before.
pub(super) fn indentation(before: &str) -> usize {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.len() - line.trim_start_matches(' ').len()
}

/// A text whose lines after the first are indented by `to` instead of `from` spaces.
pub(super) fn reindent(text: &str, from: usize, to: usize) -> String {
    let mut lines = text.split('\n');
    let mut done = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        done.push('\n');
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let rest = &line[spaces.min(from)..];
        if !rest.is_empty() {
            done.push_str(&" ".repeat(to));
        }
        done.push_str(rest);
    }
    done
}

/// A name in another case.
fn convert(text: &str, case: &str, separators: Option<&[String]>) -> String {
    let words = match separators {
        None => text.to_owned(),
        Some(separators) => split_words(text, separators).join(" "),
    };
    match case {
        "lowerCase" => text.to_lowercase(),
        "upperCase" => text.to_uppercase(),
        "capitalize" => {
            let mut letters = text.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
        "camelCase" => words.to_lower_camel_case(),
        "snakeCase" => words.to_snake_case(),
        "kebabCase" => words.to_kebab_case(),
        "pascalCase" => words.to_pascal_case(),
        _ => text.to_owned(),
    }
}

/// The words of a name, split only at some separators.
fn split_words(text: &str, separators: &[String]) -> Vec<String> {
    let has = |name: &str| separators.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_separator = |letter: char| match letter {
        '-' => has("dash"),
        '.' => has("dot"),
        '/' => has("slash"),
        ' ' => has("space"),
        '_' => has("underscore"),
        _ => false,
    };
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut was_lower = false;
    for letter in text.chars() {
        if is_separator(letter) {
            words.push(std::mem::take(&mut word));
        } else {
            if has("caseChange") && letter.is_uppercase() && was_lower {
                words.push(std::mem::take(&mut word));
            }
            word.push(letter);
        }
        was_lower = letter.is_lowercase();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}
