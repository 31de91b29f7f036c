//! A selector resolved for a language, and its matches in a tree.

use super::bind::Binder;
use super::definitions::{Definitions, UsedDefinition};
use super::error::{ErrorCode, SelectorError};
use super::evaluate::Evaluator;
use super::ir::{List, Step, Test};
use super::project::{ProjectQuestions, ProjectView};
use super::resolve::Resolver;
use super::shared::SharedParts;
use super::slot::Slot;
use super::vocabulary;
use super::written::Selector;
use crate::language::Language;
use crate::text::Span;
use crate::tree::{Captured, Node, NodeSet, Tree};

/// A selector resolved for a language.
#[derive(Debug)]
pub struct Query {
    pub(super) language: &'static Language,
    source: String,
    pub(super) list: List,
    slots: Vec<Slot>,
    used: Vec<UsedDefinition>,
}

/// A node that a query found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The node.
    pub node: Node,
    /// The captures, in the order in which the selector names them.
    pub captures: Vec<(String, Captured)>,
}

impl Query {
    /// Looks up every word of a selector.
    ///
    /// # Errors
    /// At the first word that the language does not know.
    pub fn new(
        selector: &Selector,
        language: &'static Language,
        definitions: &Definitions,
    ) -> Result<Query, SelectorError> {
        Query::new_sharing(selector, language, definitions, None)
    }

    /// The same, with parts that other selectors have, too.
    ///
    /// # Errors
    /// As [`Query::new`].
    pub fn new_sharing(
        selector: &Selector,
        language: &'static Language,
        definitions: &Definitions,
        shared: Option<&SharedParts>,
    ) -> Result<Query, SelectorError> {
        let mut resolver = Resolver::new(language, vocabulary::of(language)?, definitions).share(shared);
        let list = resolver.selector(&selector.list, &selector.source)?;
        let (slots, used) = (resolver.slots, resolver.used);
        Ok(Query { language, source: selector.source.clone(), list, slots, used })
    }

    /// Looks up every word of a selector for one of several languages. A step with an unknown word matches nothing in
    /// this language. The unknown words are returned with the query, so that the caller can refuse a word that no
    /// language knows.
    ///
    /// # Errors
    /// If the selector is invalid in every language.
    pub fn new_for_mixed(
        selector: &Selector,
        language: &'static Language,
        definitions: &Definitions,
    ) -> Result<(Query, Vec<SelectorError>), SelectorError> {
        Query::new_for_mixed_sharing(selector, language, definitions, None)
    }

    /// The same, with parts that other selectors have, too.
    ///
    /// # Errors
    /// As [`Query::new_for_mixed`].
    pub fn new_for_mixed_sharing(
        selector: &Selector,
        language: &'static Language,
        definitions: &Definitions,
        shared: Option<&SharedParts>,
    ) -> Result<(Query, Vec<SelectorError>), SelectorError> {
        let resolver = Resolver::new(language, vocabulary::of(language)?, definitions).share(shared);
        let mut resolver = resolver.tolerate_unknown();
        let list = resolver.selector(&selector.list, &selector.source)?;
        let (slots, used) = (std::mem::take(&mut resolver.slots), std::mem::take(&mut resolver.used));
        Ok((Query { language, source: selector.source.clone(), list, slots, used }, resolver.unknown_words()))
    }

    /// Whether the matches are determined by code patterns without the terminator of their statement: `throw $X`
    /// without its `;`.
    pub fn omits_terminator(&self) -> bool {
        let of_step = |step: &Step| step.tests.iter().any(Test::omits_terminator);
        self.list.chains.iter().all(|chain| chain.steps.last().is_some_and(of_step))
    }

    /// Its code patterns, as they are written.
    pub fn pattern_sources(&self) -> Vec<String> {
        let mut patterns = Vec::new();
        self.list.each_pattern(&mut |pattern| patterns.push(pattern.source.clone()));
        patterns
    }

    /// The matches in a tree, in document order, with their captures.
    ///
    /// # Errors
    /// If binding the variables takes too long.
    pub fn select(&self, tree: &Tree) -> Result<Vec<Match>, SelectorError> {
        self.select_with(&Evaluator::new(tree))
    }

    /// The same for a file of a project.
    ///
    /// # Errors
    /// As [`Query::select`].
    pub fn select_in(&self, tree: &Tree, project: Option<&dyn ProjectView>) -> Result<Vec<Match>, SelectorError> {
        self.select_with(&Evaluator::new(tree).in_project(project))
    }

    /// What it asks a project.
    pub fn project_questions(&self) -> ProjectQuestions {
        let mut asked = ProjectQuestions::default();
        self.list.ask_project(&mut asked, &mut rustc_hash::FxHashSet::default());
        asked
    }

    /// The same, with the caches of an evaluator that other queries over the same tree share.
    pub(super) fn select_with(&self, evaluator: &Evaluator<'_>) -> Result<Vec<Match>, SelectorError> {
        let binder = Binder::new(evaluator, &self.slots);
        let mut found = NodeSet::empty(evaluator.tree().table().len());
        let mut captures = rustc_hash::FxHashMap::default();
        for chain in &self.list.chains {
            if !chain.steps.iter().any(Step::binds) {
                found.union_with(&evaluator.list_of(chain));
                continue;
            }
            let sets = evaluator.chain(chain);
            for node in sets.iter().last().into_iter().flat_map(NodeSet::iter) {
                if found.contains(node) {
                    continue;
                }
                if let Some(nodes) = binder.bind(chain, node).map_err(|_| self.over_budget())? {
                    found.insert(node);
                    captures.insert(node, nodes);
                }
            }
        }
        if evaluator.needs_project.get() {
            return Err(self.without_project());
        }
        if evaluator.space.is_over.get() {
            return Err(self.over_budget());
        }
        let named = |nodes: Vec<Option<Captured>>| {
            let slots = self.slots.iter().zip(nodes);
            slots.filter_map(|(slot, node)| Some((slot.name.clone(), node?))).collect()
        };
        let matches =
            found.iter().map(|node| Match { node, captures: captures.remove(&node).map(named).unwrap_or_default() });
        Ok(matches.collect())
    }

    /// What [`Query::select`] charges to its budgets in a tree: visits of nodes, and nodes tried for captures and
    /// variables. For tests: what is charged must grow as the work does.
    pub fn cost(&self, tree: &Tree) -> u64 {
        let evaluator = Evaluator::new(tree);
        let _ = self.select_with(&evaluator);
        evaluator.charged()
    }

    /// The matching nodes in a tree.
    ///
    /// # Errors
    /// As [`Query::select`].
    pub fn nodes(&self, tree: &Tree) -> Result<NodeSet, SelectorError> {
        if self.list.binds() {
            let mut found = NodeSet::empty(tree.table().len());
            self.select(tree)?.iter().for_each(|found_one| found.insert(found_one.node));
            return Ok(found);
        }
        let evaluator = Evaluator::new(tree);
        let found = NodeSet::clone(&evaluator.list(&self.list));
        match evaluator.needs_project.get() {
            true => Err(self.without_project()),
            false if evaluator.space.is_over.get() => Err(self.over_budget()),
            false => Ok(found),
        }
    }

    /// The named selectors from files that it uses, in no particular order.
    pub fn used_definitions(&self) -> &[UsedDefinition] {
        &self.used
    }

    /// The names of its captures, each once.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().filter(|slot| slot.is_capture).map(|slot| slot.name.as_str())
    }

    fn without_project(&self) -> SelectorError {
        SelectorError {
            code: ErrorCode::NeedsProject,
            message: "the selector asks about a whole project, and no project is known here".to_owned(),
            span: Span::new(0, self.source.len()),
            hint: Some("`find` and `rewrite` over a folder know the project: name the folder".to_owned()),
            selector: self.source.clone(),
        }
    }

    fn over_budget(&self) -> SelectorError {
        SelectorError {
            code: ErrorCode::Budget,
            message: "matching the selector takes too long in this file".to_owned(),
            span: Span::new(0, self.source.len()),
            hint: Some(if self.slots.is_empty() {
                "use fewer steps, and narrower ones: a kind or a name instead of `*`".to_owned()
            } else {
                "narrow the nodes that variables, `$NAME` and `$$$NAME` may match: a kind, a name, a parent".to_owned()
            }),
            selector: self.source.clone(),
        }
    }
}

impl Definitions {
    /// Looks up every word of every definition.
    ///
    /// # Errors
    /// At a word that the language does not know, or a definition that refers to itself.
    pub fn check(&self, language: &'static Language) -> Result<(), SelectorError> {
        let vocabulary = vocabulary::of(language)?;
        self.names().try_for_each(|name| {
            let name = format!(":{name}");
            Resolver::new(language, vocabulary, self).source(&name).map(|_| ())
        })
    }
}
