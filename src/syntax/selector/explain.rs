//! Explains a selector: how it was read, what each step left, what nearly matched.

use super::attribute::{ATTRIBUTES, Attribute};
use super::axis::Axis;
use super::definitions::Definitions;
use super::evaluate::Evaluator;
use super::ir::{Chain, Comparison, Step, Subject, Test};
use super::pseudo::PSEUDO_CLASSES;
use super::query::Query;
use crate::language::{Language, TypeId, taxonomy};
use crate::tree::{Node, Tree};

/// A step, and how many nodes were left after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepCount {
    /// The step as written, with its combinator in words.
    pub step: String,
    /// How many nodes were left.
    pub nodes: usize,
}

/// A node that fails only one test.
#[derive(Debug, Clone, PartialEq)]
pub struct NearMiss {
    /// The node.
    pub node: Node,
    /// The index of the branch of the selector.
    pub branch: usize,
    /// The index of the step in the branch.
    pub place: usize,
    /// The step with the test.
    pub step: String,
    /// The value that the test wants: `get`.
    pub wanted: String,
    /// The value that the node has: `fetch_get`.
    pub found: String,
    /// How similar the two are, from 0 to 1; more if one contains the other.
    pub likeness: f64,
}

/// How similar two values are, from 0 to 1; more if `found` contains the wanted one.
fn likeness(found: &str, wanted: &str) -> f64 {
    strsim::jaro_winkler(found, wanted) + f64::from(u8::from(found.contains(wanted)))
}

impl Query {
    /// How the selector was read, one line per branch.
    pub fn read_as(&self) -> String {
        let branch = |chain: &Chain| {
            let steps = chain.steps.iter().enumerate().map(|(place, step)| in_words(step, place));
            steps.collect::<Vec<_>>().join(", ")
        };
        let lines = self.list.chains.iter().map(branch).chain(self.patterns());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The readings of the code patterns, and their contexts.
    fn patterns(&self) -> impl Iterator<Item = String> {
        let mut found = Vec::new();
        self.list.each_pattern(&mut |pattern| {
            let as_what = |(context, root): (&str, Option<TypeId>)| {
                let what = root.map_or("any node", |root| self.language.type_name(root));
                format!("{context}: `{what}`")
            };
            let readings: Vec<String> = pattern.read_as().map(as_what).collect();
            found.push(format!("code `{}` read as {}", pattern.source, readings.join(", or as ")));
        });
        found.into_iter()
    }

    /// How many nodes are left after each step of each branch. Variables are ignored.
    pub fn survivors(&self, tree: &Tree) -> Vec<Vec<StepCount>> {
        let evaluator = Evaluator::new(tree);
        let count = |chain: &Chain| {
            let mut counts = Vec::with_capacity(chain.steps.len());
            evaluator.each_step(chain, |place, set| {
                counts.push(StepCount { step: in_words(&chain.steps[place], place), nodes: set.len() });
                true
            });
            counts
        };
        self.list.chains.iter().map(count).collect()
    }

    /// For branches without matches, the nodes that fail only one comparison, the most similar first.
    pub fn near_misses(&self, tree: &Tree, most: usize) -> Vec<NearMiss> {
        let evaluator = Evaluator::new(tree);
        let mut misses = Vec::new();
        for (branch, chain) in self.list.chains.iter().enumerate() {
            let (mut contexts, mut empty) = (None, None);
            evaluator.each_step(chain, |place, set| {
                if set.is_empty() {
                    empty = Some(place);
                } else {
                    contexts = Some(set.clone());
                }
                empty.is_none()
            });
            let Some(place) = empty else { continue };
            let step = &chain.steps[place];
            for failing in 0..step.tests.len() {
                let Some((attribute, wanted)) = compared(&step.tests[failing]) else { continue };
                for node in evaluator.step_without(step, failing, contexts.as_ref()).iter() {
                    let found = evaluator.value(node, attribute).into_texts().join(", ");
                    if !found.is_empty() {
                        let likeness = likeness(&found, &wanted);
                        misses.push(NearMiss {
                            node,
                            branch,
                            place,
                            step: step.text.clone(),
                            wanted: wanted.clone(),
                            found,
                            likeness,
                        });
                    }
                }
            }
        }
        misses.sort_by(|first, second| second.likeness.total_cmp(&first.likeness));
        misses.truncate(most);
        misses
    }
}

/// The attribute of a test, and the value that it wants.
fn compared(test: &Test) -> Option<(Attribute, String)> {
    let Test::Attribute(test) = test else { return None };
    let Subject::Attribute(attribute) = test.subject else { return None };
    let wanted = match &test.comparison {
        Comparison::Text { text, .. } => text.clone(),
        Comparison::Regex { regex, .. } => regex.as_str().to_owned(),
        Comparison::Number { number, .. } => number.to_string(),
        _ => return None,
    };
    (test.fields.is_empty() && test.head.is_none()).then_some((attribute, wanted))
}

/// A step with its axis in words: ``child `function[name^="get"]` ``.
fn in_words(step: &Step, place: usize) -> String {
    let axis_step = match step.axis_step.axis {
        Axis::Descendant | Axis::Child if place == 0 => return format!("`{}`", step.text),
        Axis::Itself => "itself",
        Axis::Descendant => "descendant",
        Axis::Child => "child",
        Axis::RawChild => "raw child",
        Axis::Next => "next sibling",
        Axis::Later => "later sibling",
        Axis::Earlier => "earlier sibling",
        Axis::Parent => "parent",
        Axis::Ancestor => "ancestor",
    };
    format!("{axis_step} `{}`", step.text)
}

/// The words that a selector may use, by category: `kinds`, `types`, `compatibility`, `attributes`, `pseudo-classes`,
/// `named`, `fields`.
pub fn words(language: &'static Language) -> Vec<(&'static str, Vec<String>)> {
    let sorted = |words: &mut dyn Iterator<Item = String>| {
        let mut words: Vec<String> = words.collect();
        words.sort();
        words
    };
    let named = Definitions::of(language).into_iter().flat_map(Definitions::names).map(|name| format!(":{name}"));
    vec![
        ("kinds", taxonomy().kinds().iter().map(|kind| kind.name.clone()).collect()),
        ("types", sorted(&mut language.named_type_names().map(str::to_owned))),
        ("compatibility", sorted(&mut language.spec().compatibility.keys().cloned())),
        ("attributes", ATTRIBUTES.iter().map(|(name, _)| (*name).to_owned()).collect()),
        ("pseudo-classes", PSEUDO_CLASSES.iter().map(super::pseudo::PseudoClass::usage).collect()),
        ("named", sorted(&mut named.into_iter())),
        ("fields", sorted(&mut language.all_field_names().map(str::to_owned))),
    ]
}
