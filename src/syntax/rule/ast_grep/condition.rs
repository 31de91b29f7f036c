//! Conditions on nodes, with their words looked up in a language.

use regex::Regex;

use super::model::{Direction, Range};
use super::pattern::Pattern;
use crate::language::{FieldId, TypeSet};

/// A condition on a node.
#[derive(Debug)]
pub(super) enum Condition {
    Pattern(Pattern),
    Kind(TypeSet),
    Regex(Regex),
    NthChild {
        step: i64,
        offset: i64,
        of: Option<Box<Condition>>,
        from_end: bool,
    },
    Range(Range),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// A rule with a name, by its number.
    Named(usize),
    /// A rule with a name and parameters.
    Call(Called),
    /// A parameter of the rule with parameters that is evaluated.
    Parameter(String),
    Relation(Related),
}

/// A rule with parameters, and what they are.
#[derive(Debug)]
pub(super) struct Called {
    /// The number of the rule.
    pub number: usize,
    pub arguments: Vec<(String, Condition)>,
    /// The metavariables of the arguments, which the caller gets.
    pub names: Vec<String>,
}

/// A condition on another node.
#[derive(Debug)]
pub(super) struct Related {
    pub direction: Direction,
    pub rule: Box<Condition>,
    pub stop: StopAt,
    pub field: Option<FieldId>,
    /// The types of the nodes for which `rule` may hold; any if `None`.
    pub types: Option<TypeSet>,
}

/// How far a relation looks.
#[derive(Debug)]
pub(super) enum StopAt {
    Neighbor,
    End,
    Rule(Box<Condition>),
}

/// A rule in a language.
#[derive(Debug)]
pub(super) struct Compiled {
    pub rule: Condition,
    pub constraints: Vec<(String, Condition)>,
    /// The rules that have names.
    pub named: Vec<NamedRule>,
    /// The types that a match may have; any if `None`.
    pub types: Option<TypeSet>,
    pub rewriters: Vec<(String, Compiled)>,
    pub expand_start: Option<(Condition, StopAt)>,
    pub expand_end: Option<(Condition, StopAt)>,
}

/// A rule that `matches` names.
#[derive(Debug)]
pub(super) struct NamedRule {
    pub rule: Condition,
    pub constraints: Vec<(String, Condition)>,
    /// Whether it is a rule of the project: its metavariables are its own.
    pub is_global: bool,
    /// Whether it is a utility of the rule itself.
    pub is_own: bool,
}
