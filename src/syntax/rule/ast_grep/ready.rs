//! A rule of ast-grep, ready for its language.

use rustc_hash::FxHashMap;

use super::bindings::Env;
use super::compile::compile;
use super::condition::{Called, Compiled, Condition};
use super::error::AstGrepError;
use super::evaluate::Evaluator;
use super::model::{Config, Placed};
use super::pattern::Pattern;
use super::reading::read_as_ast_grep;
use super::texts::{Ruled, Texts, replaced_span};
use crate::language::{Language, TypeSet};
use crate::limits;
use crate::selector::{Condition as TextCondition, Match};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{EditIntent, Node, ParseLimits, Tree};

/// A rule that is ready for its language.
#[derive(Debug)]
pub struct ReadyAstGrep<'r> {
    config: &'r Config,
    compiled: Compiled,
    /// The language as ast-grep reads it.
    language: &'static Language,
}

/// The rule took too long in a tree, or went too deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl<'r> ReadyAstGrep<'r> {
    /// Makes a rule ready.
    ///
    /// # Errors
    /// At a kind or field that the language does not have, a pattern that cannot be read, a rule that nothing is called.
    pub fn new(config: &'r Config, language: &'static Language) -> Result<ReadyAstGrep<'r>, AstGrepError> {
        let language = language.for_ast_grep();
        Ok(ReadyAstGrep { config, compiled: compile(config, language)?, language })
    }

    /// Whether it finds the same nodes in a file as in each of its parts alone; `around` are the types of the nodes around parts.
    pub fn is_local(&self, around: &TypeSet) -> bool {
        self.compiled.is_local(around)
    }

    /// The matches in a tree, in document order; none in one of another grammar.
    ///
    /// # Errors
    /// If it takes too long.
    pub fn find(&self, tree: &Tree) -> Result<Vec<Match>, TooLong> {
        if tree.language().grammar() != self.language.grammar() {
            return Ok(Vec::new());
        }
        let evaluator = Evaluator::new(tree, &self.compiled);
        let found = evaluator.all();
        if evaluator.is_over() {
            return Err(TooLong);
        }
        Ok(found.into_iter().map(|(node, env)| Match { node, captures: env.captures() }).collect())
    }

    fn ruled(&self) -> Ruled<'_> {
        Ruled { config: self.config, compiled: &self.compiled }
    }

    /// A message about a match.
    pub fn message(&self, message: &str, tree: &Tree, found: &Match) -> String {
        let env = Env::of_captures(tree, &found.captures);
        Texts::new(tree, &env, self.ruled()).fill(message, found.node)
    }

    /// The labels of a match: nodes, and what is said of them.
    pub fn labels(&self, tree: &Tree, found: &Match) -> Vec<(Node, Option<String>)> {
        let env = Env::of_captures(tree, &found.captures);
        let texts = Texts::new(tree, &env, self.ruled());
        let label = |(name, message): &(Placed<String>, Option<String>)| {
            let message = message.as_ref().map(|message| texts.fill(message, found.node));
            env.nodes(&name.value).first().map(|node| (*node, message))
        };
        self.config.labels.iter().filter_map(label).collect()
    }

    /// The tree with the fix applied to matches; of those that overlap, the first. `None` if the result has a syntax error that
    /// the tree does not have, or cannot be parsed.
    pub fn mend(&self, tree: &Tree, found: &[Match], limits: &ParseLimits) -> Option<(Tree, usize)> {
        let mut edits: Vec<TextEdit> = Vec::new();
        let mut end = 0;
        let read = read_as_ast_grep(tree, limits);
        for found in found {
            let Some((span, text)) = self.edit(read.as_ref().unwrap_or(tree), found) else { continue };
            if !edits.is_empty() && span.start() < end {
                continue;
            }
            end = span.end();
            if *tree.text().slice(span) != *text {
                edits.push(TextEdit::new(span, text));
            }
        }
        let count = edits.len();
        let edits = EditSet::new(edits).ok()?;
        if edits.is_empty() {
            return Some((tree.clone(), 0));
        }
        let edited = tree.edit(&edits, &EditIntent::default(), limits).ok()?;
        (edited.tree.errors().len() <= tree.errors().len()).then_some((edited.tree, count))
    }

    /// The part of the text that the fix replaces, and the new text.
    fn edit(&self, tree: &Tree, found: &Match) -> Option<(Span, String)> {
        let fix = self.config.fix.as_ref()?;
        let env = Env::of_captures(tree, &found.captures);
        let text = Texts::new(tree, &env, self.ruled()).fill(&fix.template.value, found.node);
        Some((replaced_span(tree, found.node, &env, &self.compiled), text))
    }

    /// The condition on a text for the rule to match anything.
    pub fn necessary(&self) -> TextCondition {
        self.necessary_of(&self.compiled.rule, 0, &mut FxHashMap::default())
    }

    /// That of a condition; `known` are those of named rules, each looked at once.
    fn necessary_of(
        &self,
        condition: &Condition,
        depth: usize,
        known: &mut FxHashMap<usize, TextCondition>,
    ) -> TextCondition {
        const DEEPEST: usize = 32;
        if depth > DEEPEST {
            return TextCondition::Anything;
        }
        let mut of = |condition: &Condition| self.necessary_of(condition, depth + 1, known);
        match condition {
            Condition::Pattern(pattern) => necessary_of_pattern(pattern),
            Condition::All(all) => TextCondition::all(all.iter().map(of)),
            Condition::Any(any) => TextCondition::any(any.iter().map(of)),
            Condition::Named(number) | Condition::Call(Called { number, .. }) => {
                if let Some(known) = known.get(number) {
                    return known.clone();
                }
                let Some(named) = self.compiled.named.get(*number) else { return TextCondition::Anything };
                // A rule may name itself for another node.
                known.insert(*number, TextCondition::Anything);
                let necessary = self.necessary_of(&named.rule, depth + 1, known);
                // A condition may be left out, and rules that name others twice have twice their texts.
                let is_long = necessary.parts() > limits::CONDITION_TEXTS;
                let necessary = if is_long { TextCondition::Anything } else { necessary };
                known.insert(*number, necessary.clone());
                necessary
            }
            Condition::Relation(related) => of(&related.rule),
            Condition::Regex(regex) => literal_of(regex.as_str()),
            _ => TextCondition::Anything,
        }
    }
}

/// The words of a pattern that a match contains.
fn necessary_of_pattern(pattern: &Pattern) -> TextCondition {
    /// The shortest text worth searching for.
    const SHORTEST: usize = 3;
    let texts = pattern.texts();
    let words = texts.into_iter().filter(|text| text.len() >= SHORTEST && !text.contains(['\n', '\r']));
    TextCondition::all(words.map(|word| TextCondition::Literal(word.to_owned())))
}

/// A regex that is only text, between `^` and `$` or not.
fn literal_of(regex: &str) -> TextCondition {
    const SHORTEST: usize = 3;
    let inner = regex.strip_prefix('^').unwrap_or(regex);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    let is_text = inner.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match is_text && inner.len() >= SHORTEST {
        true => TextCondition::Literal(inner.to_owned()),
        false => TextCondition::Anything,
    }
}
