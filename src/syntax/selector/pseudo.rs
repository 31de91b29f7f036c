//! The pseudo-classes: one row each.

use std::sync::Arc;

use super::axis::Positional;
use super::ir::{Like, List, NthTest, Test};
use super::project::Relation;

/// The argument of a pseudo-class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgKind {
    Nothing,
    /// A number, which may be negative.
    Index,
    /// `an+b`, with `of S` if that is allowed.
    Nth {
        of: bool,
    },
    /// `line` or `line:col`.
    Place,
    /// `a-b`, or one line.
    Lines,
    Selector,
    /// Code with holes, in quotes.
    Code,
    /// The name of a symbol, in quotes if it is more than words and points.
    Symbol,
    /// A selector that may begin with a combinator.
    Relative {
        own: bool,
    },
}

/// A parsed argument.
pub(super) enum PseudoArg {
    Nothing,
    Index(i64),
    Nth { a: i64, b: i64, of: Option<Arc<List>> },
    Place { line: usize, column: Option<usize>, smallest: bool },
    Lines { first: usize, last: usize },
    List(Arc<List>),
    Like(Arc<Like>),
    Symbol(String),
}

/// A pseudo-class: its name, its argument, and its test.
pub(super) struct PseudoClass {
    pub name: &'static str,
    pub shape: ArgKind,
    make: fn(PseudoArg) -> Option<Test>,
}

impl PseudoClass {
    /// The test for a parsed argument.
    pub fn test(&self, given: PseudoArg) -> Test {
        (self.make)(given).expect("the resolver gives an argument of the row's shape")
    }

    /// How it is written, for messages: `:nth(2)`.
    pub fn usage(&self) -> String {
        let argument = match self.shape {
            ArgKind::Nothing => "",
            ArgKind::Index => "(2)",
            ArgKind::Nth { of: true } => "(2n+1 of selector)",
            ArgKind::Nth { of: false } => "(2n+1)",
            ArgKind::Place => "(12:4)",
            ArgKind::Lines => "(10-20)",
            ArgKind::Selector => "(selector)",
            ArgKind::Code => "(\"code\")",
            ArgKind::Symbol => "(Server.handle)",
            ArgKind::Relative { .. } => "(> selector)",
        };
        format!(":{}{argument}", self.name)
    }
}

const fn row(name: &'static str, shape: ArgKind, make: fn(PseudoArg) -> Option<Test>) -> PseudoClass {
    PseudoClass { name, shape, make }
}

const fn plain(name: &'static str, make: fn(PseudoArg) -> Option<Test>) -> PseudoClass {
    row(name, ArgKind::Nothing, make)
}

fn list(given: PseudoArg, make: fn(Arc<List>) -> Test) -> Option<Test> {
    if let PseudoArg::List(list) = given { Some(make(list)) } else { None }
}

fn relation(given: PseudoArg, make: fn(String) -> Relation) -> Option<Test> {
    if let PseudoArg::Symbol(symbol) = given { Some(Test::Project(make(symbol))) } else { None }
}

fn place(given: PseudoArg, from_end: bool, of_type: bool) -> Option<Test> {
    if let PseudoArg::Nth { a, b, of } = given {
        Some(Test::Nth(NthTest { a, b, from_end, of_type, of }))
    } else {
        None
    }
}

fn first(from_end: bool, of_type: bool) -> Option<Test> {
    place(PseudoArg::Nth { a: 0, b: 1, of: None }, from_end, of_type)
}

const NTH: ArgKind = ArgKind::Nth { of: false };
const NTH_OF: ArgKind = ArgKind::Nth { of: true };

/// All pseudo-classes.
pub(super) const PSEUDO_CLASSES: &[PseudoClass] = &[
    plain("first", |_| Some(Test::Positional(Positional::First))),
    plain("last", |_| Some(Test::Positional(Positional::Last))),
    row("nth", ArgKind::Index, |given| {
        if let PseudoArg::Index(place) = given { Some(Test::Positional(Positional::Nth(place))) } else { None }
    }),
    plain("first-child", |_| first(false, false)),
    plain("last-child", |_| first(true, false)),
    plain("only-child", |_| Some(Test::OnlyChild)),
    row("nth-child", NTH_OF, |given| place(given, false, false)),
    row("nth-last-child", NTH_OF, |given| place(given, true, false)),
    plain("first-of-type", |_| first(false, true)),
    plain("last-of-type", |_| first(true, true)),
    row("nth-of-type", NTH, |given| place(given, false, true)),
    row("nth-last-of-type", NTH, |given| place(given, true, true)),
    plain("root", |_| Some(Test::Root)),
    plain("empty", |_| Some(Test::Empty)),
    plain("leaf", |_| Some(Test::Leaf)),
    row("is", ArgKind::Selector, |given| list(given, Test::Is)),
    row("where", ArgKind::Selector, |given| list(given, Test::Is)),
    row("not", ArgKind::Selector, |given| list(given, Test::Not)),
    row("has", ArgKind::Relative { own: false }, |given| list(given, |list| Test::Has { list })),
    row("has-own", ArgKind::Relative { own: true }, |given| list(given, |list| Test::Has { list })),
    row("in", ArgKind::Selector, |given| list(given, Test::In)),
    row("in-own", ArgKind::Selector, |given| list(given, Test::InOwn)),
    row("precedes", ArgKind::Selector, |given| list(given, Test::Precedes)),
    row("follows", ArgKind::Selector, |given| list(given, Test::Follows)),
    row("at", ArgKind::Place, |given| match given {
        PseudoArg::Place { line, column, smallest } => Some(Test::At { line, column, smallest }),
        _ => None,
    }),
    row("lines", ArgKind::Lines, |given| match given {
        PseudoArg::Lines { first, last } => Some(Test::Lines { first, last }),
        _ => None,
    }),
    row("like", ArgKind::Code, |given| if let PseudoArg::Like(like) = given { Some(Test::Like(like)) } else { None }),
    row("to", ArgKind::Symbol, |given| relation(given, Relation::To)),
    row("refers-to", ArgKind::Symbol, |given| relation(given, Relation::RefersTo)),
    row("extends", ArgKind::Symbol, |given| relation(given, Relation::Extends)),
    plain("unused", |_| Some(Test::Project(Relation::Unused))),
    plain("overrides", |_| Some(Test::Project(Relation::Overrides))),
    plain("error", |_| Some(Test::Error)),
    plain("missing", |_| Some(Test::Missing)),
    plain("docstring", |_| Some(Test::Docstring)),
];

/// The pseudo-class of that name.
pub(super) fn find(name: &str) -> Option<&'static PseudoClass> {
    PSEUDO_CLASSES.iter().find(|class| class.name == name)
}
