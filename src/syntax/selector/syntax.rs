//! A selector as written: words and their places, before any lookup.

use crate::text::Span;

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
}

/// Branches between commas.
#[derive(Debug, Clone)]
pub(super) struct List {
    pub branches: Vec<Branch>,
}

impl List {
    /// The selector that consists of one type word.
    pub fn of_word(word: &Word) -> List {
        let test = Some(TypeTest::Word(word.clone()));
        let combinator = Combinator::Descendant;
        let step = Step { combinator, axis: None, test, role: None, parts: Vec::new(), span: word.span };
        List { branches: vec![Branch { lead: None, steps: vec![step] }] }
    }
}

/// Steps between combinators.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    /// The combinator before the first step, as in `:has(> return)`.
    pub lead: Option<(Combinator, Span)>,
    pub steps: Vec<Step>,
}

/// How a step relates to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    RawChild,
    Next,
    Later,
    Parent,
    Ancestor,
}

/// Conditions for a node, and the combinator before it.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub combinator: Combinator,
    pub axis: Option<Word>,
    pub test: Option<TypeTest>,
    pub role: Option<Word>,
    pub parts: Vec<Part>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum TypeTest {
    Any,
    Token(Word),
    Word(Word),
}

#[derive(Debug, Clone)]
pub(super) enum Part {
    Attribute(Attribute),
    Pseudo(Pseudo),
    Capture(Word),
}

#[derive(Debug, Clone)]
pub(super) struct Attribute {
    pub left: Operand,
    pub test: Option<(Operator, Value)>,
    pub ignore_case: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Operand {
    Path {
        /// The capture at which the path starts; otherwise the node itself.
        variable: Option<Word>,
        words: Vec<Word>,
    },
    Count(List),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Prefix,
    Suffix,
    Contains,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// Whether it compares by order.
    pub fn is_ordered(self) -> bool {
        matches!(self, Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual)
    }
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(Word),
    Regex { source: Word, flags: Word },
    Number(f64, Word),
    Variable(Word),
    Count(List),
}

#[derive(Debug, Clone)]
pub(super) struct Pseudo {
    pub name: Word,
    pub argument: Option<Argument>,
    /// The place of the argument, or of the name if there is none.
    pub argument_span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum Argument {
    /// `an+b`, with `a` 0 for a plain number.
    Nth {
        a: i64,
        b: i64,
        of: Option<List>,
        word: Word,
    },
    Place {
        line: usize,
        column: usize,
    },
    Lines {
        first: usize,
        last: usize,
    },
    /// Text in quotes; the span includes the quotes.
    Text(Word),
    List(List),
}
