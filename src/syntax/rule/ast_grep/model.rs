//! A rule of ast-grep as it is read: words that are looked up when the rule is made ready for its language.

use super::error::Place;

/// A value with its place in the YAML.
#[derive(Debug, Clone)]
pub struct Placed<T> {
    pub value: T,
    pub place: Place,
}

/// A rule object: all of it must hold for a node.
#[derive(Debug, Clone)]
pub struct RuleObject {
    /// In the order in which they are tried: those about the node itself, then combinations, then relations.
    pub parts: Vec<Part>,
}

/// A condition.
#[derive(Debug, Clone)]
pub enum Part {
    Pattern(PatternText),
    Kind(Placed<String>),
    Regex(Placed<String>),
    NthChild(NthChild),
    Range(Range),
    All(Vec<RuleObject>),
    Any(Vec<RuleObject>),
    Not(Box<RuleObject>),
    Matches(Placed<String>),
    Relation(Relation),
}

/// A pattern as it is written.
#[derive(Debug, Clone)]
pub struct PatternText {
    pub code: Placed<String>,
    /// The kind of the node in the code that is meant.
    pub selector: Option<Placed<String>>,
    pub strictness: Strictness,
}

/// How much of a pattern must be in the code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Every node.
    Cst,
    /// Every node of the pattern; signs that only the code has are passed over.
    #[default]
    Smart,
    /// Named nodes.
    Ast,
    /// Named nodes that are no comments.
    Relaxed,
    /// The same, whatever their text.
    Signature,
    /// The text of the leaves, whatever their kinds.
    Template,
}

/// A position among siblings, `an+b` from 1.
#[derive(Debug, Clone)]
pub struct NthChild {
    pub step: i64,
    pub offset: i64,
    pub of: Option<Box<RuleObject>>,
    pub from_end: bool,
}

/// A part of the text, with lines and columns from 0.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub start: (usize, usize),
    pub end: (usize, usize),
}

/// Where another node is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Inside,
    Has,
    Precedes,
    Follows,
}

/// A condition on another node.
#[derive(Debug, Clone)]
pub struct Relation {
    pub direction: Direction,
    pub rule: Box<RuleObject>,
    pub stop: Stop,
    pub field: Option<Placed<String>>,
}

/// How far a relation looks.
#[derive(Debug, Clone)]
pub enum Stop {
    /// At the next node.
    Neighbor,
    /// At the end.
    End,
    /// At a node for which this holds; it is looked at, too.
    Rule(Box<RuleObject>),
}

/// A rule with what belongs to it.
#[derive(Debug, Clone)]
pub struct Config {
    pub rule: RuleObject,
    pub constraints: Vec<(String, RuleObject)>,
    pub utils: Vec<(String, RuleObject)>,
    pub transform: Vec<(String, Transform)>,
    pub rewriters: Vec<(String, Config)>,
    pub fix: Option<Fix>,
    pub labels: Vec<(String, Option<String>)>,
    /// Rules of the project that `matches` may name, too.
    pub globals: std::sync::Arc<Vec<(String, Config)>>,
}

/// A text that is made of a capture.
#[derive(Debug, Clone)]
pub struct Transform {
    /// The capture, without `$`.
    pub source: String,
    pub kind: TransformKind,
}

/// How it is made.
#[derive(Debug, Clone)]
pub enum TransformKind {
    Substring { start: Option<i64>, end: Option<i64> },
    Replace { regex: String, by: String },
    Convert { case: String, separators: Option<Vec<String>> },
    Rewrite { rewriters: Vec<String>, join: Option<String> },
}

/// The replacement of a match.
#[derive(Debug, Clone)]
pub struct Fix {
    pub template: String,
    /// Nodes before and after the match that are replaced with it.
    pub expand_start: Option<Expansion>,
    pub expand_end: Option<Expansion>,
}

/// How far a replaced part goes beyond the match.
#[derive(Debug, Clone)]
pub struct Expansion {
    pub rule: RuleObject,
    pub stop: Stop,
}
