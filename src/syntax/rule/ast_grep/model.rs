//! A rule of ast-grep as it is read: words that are looked up when the rule is made ready for its language.

use regex::Regex;

use super::case::{Case, Separators};
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
    /// A utility with arguments.
    Call(Call),
    Relation(Relation),
}

/// A utility, with a rule for each of its parameters.
#[derive(Debug, Clone)]
pub struct Call {
    pub name: Placed<String>,
    pub arguments: Vec<(Placed<String>, RuleObject)>,
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

/// A part of the text.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub start: Corner,
    pub end: Corner,
}

/// Where a part of the text begins or ends, from 0. Without a column, anywhere in the line.
#[derive(Debug, Clone, Copy)]
pub struct Corner {
    pub line: usize,
    pub column: Option<usize>,
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

/// A glob of files, in which `*` does not end at a `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileGlob {
    /// The glob.
    pub glob: String,
    /// Whether upper and lower case are the same for it.
    pub ignores_case: bool,
}

/// A rule with what belongs to it.
#[derive(Debug, Clone)]
pub struct Config {
    pub rule: RuleObject,
    /// The place of the rule object.
    pub place: Place,
    pub constraints: Vec<(Placed<String>, RuleObject)>,
    pub utils: Vec<(Placed<String>, RuleObject)>,
    pub transform: Vec<(Placed<String>, Transform)>,
    pub rewriters: Vec<(String, Config)>,
    pub fix: Option<Fix>,
    /// The files that it looks at; all if `None`.
    pub files: Option<Vec<FileGlob>>,
    /// The files that it leaves out.
    pub ignores: Vec<FileGlob>,
    pub labels: Vec<(Placed<String>, Option<String>)>,
    /// The names of the rules that a utility is called with.
    pub parameters: Vec<String>,
    /// Rules of the project that `matches` may name, too.
    pub globals: std::sync::Arc<Vec<(String, Config)>>,
}

/// A text that is made of a capture.
#[derive(Debug, Clone)]
pub struct Transform {
    /// The name of the capture.
    pub source: Placed<String>,
    /// Whether it is a capture of several nodes: `$$$A`.
    pub is_of_many: bool,
    pub kind: TransformKind,
}

/// How it is made.
#[derive(Debug, Clone)]
pub enum TransformKind {
    Substring { start: Option<i64>, end: Option<i64> },
    Replace { regex: Regex, by: String },
    Convert { case: Case, separators: Separators },
    Rewrite { rewriters: Vec<String>, join: Option<String> },
}

/// The replacement of a match.
#[derive(Debug, Clone)]
pub struct Fix {
    pub template: Placed<String>,
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
