//! Conditions on nodes, with their words looked up in a language.

use regex::Regex;

use super::model::{Direction, Range};
use super::pattern::Pattern;
use crate::language::{FieldId, TypeId, TypeSet};

/// A condition on a node.
#[derive(Debug)]
pub(super) enum Condition {
    Pattern(Pattern),
    Kind(TypeId),
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
    Relation(Related),
}

/// A condition on another node.
#[derive(Debug)]
pub(super) struct Related {
    pub direction: Direction,
    pub rule: Box<Condition>,
    pub stop: StopAt,
    pub field: Option<FieldId>,
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
    /// The rules that have names, with their constraints.
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
}
