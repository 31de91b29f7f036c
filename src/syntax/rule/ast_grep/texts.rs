//! The texts that are made of a match: messages and fixes, and what transformations and rewriters make.

use super::bindings::Env;
use super::condition::{Compiled, Condition, StopAt};
use super::evaluate::Evaluator;
use super::indent::{REACH, indentation, reindent};
use super::model::{Config, Transform, TransformKind};
use super::template::{Piece, pieces};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A rule as it is written, and ready for the language.
#[derive(Clone, Copy)]
pub(super) struct Ruled<'a> {
    pub config: &'a Config,
    pub compiled: &'a Compiled,
}

/// The texts of the metavariables of a match.
pub(super) struct Texts<'a> {
    tree: &'a Tree,
    env: &'a Env,
    /// The texts that transformations make, by name.
    made: Vec<(String, String)>,
}

/// The rewriters of a rule, and what the rule itself has bound: a rewriter begins with that, also one that another one uses.
#[derive(Clone, Copy)]
struct Rewriting<'a> {
    rule: Ruled<'a>,
    enclosing: &'a Env,
    depth: usize,
}

/// How deep rewriters use each other.
const DEEPEST: usize = 64;

impl<'a> Texts<'a> {
    /// The texts of a match of a rule.
    pub fn new(tree: &'a Tree, env: &'a Env, rule: Ruled<'_>) -> Texts<'a> {
        Texts::made_by(tree, env, rule.config, Rewriting { rule, enclosing: env, depth: 0 })
    }

    fn made_by(tree: &'a Tree, env: &'a Env, config: &Config, rewriting: Rewriting<'_>) -> Texts<'a> {
        let mut texts = Texts { tree, env, made: Vec::new() };
        for (name, transform) in &config.transform {
            let text = texts.transform(transform, rewriting).unwrap_or_default();
            let first = if transform.is_of_many {
                env.many(&transform.source.value).first().copied()
            } else {
                env.one(&transform.source.value)
            };
            let text = match first {
                Some(node) => reindent(&text, texts.indentation_at(node), 0),
                None => text,
            };
            texts.made.push((name.value.clone(), text));
        }
        texts
    }

    /// How far the line is indented in which a node begins.
    fn indentation_at(&self, node: Node) -> usize {
        let (text, start) = (self.tree.text(), self.tree.span(node).start());
        let line = text.line_around(start).start();
        match start - line + usize::from(line > 0) > REACH {
            true => 0,
            false => indentation(&text.slice(Span::new(line, start))),
        }
    }

    fn made(&self, name: &str) -> Option<&str> {
        self.made.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// The bytes from the first of some nodes to the last.
    fn span_of(&self, nodes: &[Node]) -> Option<Span> {
        let (first, last) = (nodes.first()?, nodes.last()?);
        Some(Span::new(self.tree.span(*first).start(), self.tree.span(*last).end()))
    }

    /// The template with its metavariables replaced, in place of a node: its lines are indented as the node's line is.
    pub fn fill(&self, template: &str, node: Node) -> String {
        let mut filled = String::with_capacity(template.len());
        for piece in pieces(template) {
            let (nodes, at) = match piece {
                Piece::Text(text) => {
                    filled.push_str(text);
                    continue;
                }
                Piece::One { name, at } => {
                    if let Some(text) = self.made(name) {
                        filled.push_str(&reindent(text, 0, indentation(&template[..at])));
                        continue;
                    }
                    (self.env.one(name).into_iter().collect(), at)
                }
                Piece::Many { name, at } => (self.env.many(name).to_vec(), at),
            };
            if let (Some(span), Some(&first)) = (self.span_of(&nodes), nodes.first()) {
                let text = self.tree.text().slice(span);
                filled.push_str(&reindent(&text, self.indentation_at(first), indentation(&template[..at])));
            }
        }
        match filled.contains('\n') {
            true => reindent(&filled, 0, self.indentation_at(node)),
            false => filled,
        }
    }

    /// The text of the capture of a transformation.
    fn source(&self, transform: &Transform) -> Option<String> {
        let name = &transform.source.value;
        let span = match transform.is_of_many {
            true => self.span_of(self.env.many(name)),
            false => self.env.one(name).map(|node| self.tree.span(node)),
        };
        match span {
            Some(span) => Some(self.tree.text().slice(span).into_owned()),
            None if transform.is_of_many => None,
            None => self.made(name).map(str::to_owned),
        }
    }

    fn transform(&self, transform: &Transform, rewriting: Rewriting<'_>) -> Option<String> {
        Some(match &transform.kind {
            TransformKind::Substring { start, end } => {
                let letters: Vec<char> = self.source(transform)?.chars().collect();
                let length = i64::try_from(letters.len()).ok()?;
                let place = |given: Option<i64>, usual: i64| {
                    let given = given.unwrap_or(usual);
                    usize::try_from(if given < 0 { (length + given).max(0) } else { given.min(length) })
                        .unwrap_or_default()
                };
                let (start, end) = (place(*start, 0), place(*end, length));
                letters.get(start..end).map(|part| part.iter().collect()).unwrap_or_default()
            }
            TransformKind::Replace { regex, by } => {
                regex.replace_all(&self.source(transform)?, by.as_str()).into_owned()
            }
            TransformKind::Convert { case, separators } => case.convert(&self.source(transform)?, separators),
            TransformKind::Rewrite { rewriters, join } => {
                self.rewrite(transform, rewriters, join.as_deref(), rewriting)?
            }
        })
    }

    /// The text of a capture in which rewriters were applied: in each node from the outside, the first that holds.
    fn rewrite(
        &self,
        transform: &Transform,
        names: &[String],
        join: Option<&str>,
        rewriting: Rewriting<'_>,
    ) -> Option<String> {
        let nodes = match transform.is_of_many {
            true => self.env.many(&transform.source.value).to_vec(),
            false => self.env.one(&transform.source.value).into_iter().collect(),
        };
        let whole = self.span_of(&nodes)?;
        if rewriting.depth >= DEEPEST {
            return None;
        }
        let Ruled { config, compiled } = rewriting.rule;
        let all = || config.rewriters.iter().zip(&compiled.rewriters);
        let named = |name: &String| all().find(|((known, _), _)| known == name);
        let rules = names.iter().filter_map(named).map(|((_, config), (_, compiled))| Ruled { config, compiled });
        let rules: Vec<Ruled<'_>> = rules.collect();
        let mut edits: Vec<(Span, String)> = Vec::new();
        for node in nodes {
            self.rewrite_node(node, &rules, rewriting, &mut edits);
        }
        let slice = |start: usize, end: usize| self.tree.text().slice(Span::new(start, end.max(start)));
        let mut text = String::new();
        let mut at = None;
        for (span, new) in edits {
            let start = at.unwrap_or(whole.start());
            if span.start() < start {
                continue;
            }
            match join {
                Some(join) if at.is_some() => text.push_str(join),
                Some(_) => {}
                None => text.push_str(&slice(start, span.start())),
            }
            text.push_str(&new);
            at = Some(span.end());
        }
        if join.is_none() {
            text.push_str(&slice(at.unwrap_or(whole.start()), whole.end()));
        }
        Some(text)
    }

    fn rewrite_node(&self, node: Node, rules: &[Ruled<'_>], rewriting: Rewriting<'_>, edits: &mut Vec<(Span, String)>) {
        let table = self.tree.table();
        let mut at = node.index();
        let end = table.subtree_end(node);
        while at < end {
            let inner = Node::at(at);
            at += 1;
            for rule in rules {
                let mut env = rewriting.enclosing.clone();
                if !Evaluator::new(self.tree, rule.compiled).holds_at(inner, &mut env) {
                    continue;
                }
                let Some(fix) = &rule.config.fix else { break };
                let deeper = Rewriting { depth: rewriting.depth + 1, ..rewriting };
                let texts = Texts::made_by(self.tree, &env, rule.config, deeper);
                let span = replaced_span(self.tree, inner, &env, rule.compiled);
                edits.push((span, texts.fill(&fix.template.value, inner)));
                // What is in it is replaced with it.
                at = at.max(table.subtree_end(inner));
                break;
            }
        }
    }
}

/// The part that the fix of a rule replaces: the node of a match, and what `expandStart` and `expandEnd` add.
pub(super) fn replaced_span(tree: &Tree, node: Node, env: &Env, compiled: &Compiled) -> Span {
    let (table, span) = (tree.table(), tree.span(node));
    let evaluator = Evaluator::new(tree, compiled);
    let before = std::iter::successors(table.previous_sibling(node), |&one| table.previous_sibling(one));
    let after = std::iter::successors(table.next_sibling(node), |&one| table.next_sibling(one));
    let start = compiled.expand_start.as_ref().and_then(|expansion| reach(&evaluator, expansion, before, env));
    let end = compiled.expand_end.as_ref().and_then(|expansion| reach(&evaluator, expansion, after, env));
    let start = start.map_or(span.start(), |node| tree.span(node).start());
    Span::new(start, end.map_or(span.end(), |node| tree.span(node).end()))
}

/// The first of some nodes that an expansion means.
fn reach<'a>(
    evaluator: &Evaluator<'a>,
    expansion: &'a (Condition, StopAt),
    nodes: impl Iterator<Item = Node>,
    env: &Env,
) -> Option<Node> {
    let (rule, stop) = expansion;
    for node in nodes {
        if evaluator.holds(rule, node, &mut env.clone()) {
            return Some(node);
        }
        let is_last = match stop {
            StopAt::Neighbor => true,
            StopAt::End => false,
            StopAt::Rule(stop) => evaluator.holds_alone(stop, node),
        };
        if is_last {
            break;
        }
    }
    None
}
