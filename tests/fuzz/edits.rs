//! Any batch of operations on a small file: it is refused, or what comes out keeps the laws of edits.
//!
//! The fuzzer calls this with what it makes up, the test suite with the corpus that the fuzzer left behind.

use std::collections::HashSet;

use arbitrary::{Arbitrary, Result, Unstructured};
use cst::edit::{self, Allow, Extent, Op, Position, References};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

const SOURCES: [&str; 6] = [
    "import os\n\n\nclass A(B):\n    \"\"\"Doc.\"\"\"\n\n    x = 1\n\n    @dec(1)\n    # note\n    def get(self, a=(2), *b):\n        if a: return f(1, 2)\n        elif b:\n            return '''x\n  y'''\n        else: pass\n\n\ndef free(): return (f)(g(x), (1,))\n",
    "f(g(h()), ((a)));x = (y); y\r\nif a:\r\n\tb()\r\n\tc() # why\r\nfor i in (j): k\r\n",
    "try:\n  a()\nexcept E as e:\n  # only\n  b()\nfinally:\n  pass\nwith a as b, c: d = [1, 2,\n   3]\n@x\n@y\nasync def z(): await q",
    "",
    "def broken(:\n    x = 1\n\nclass Fine:\n    a = 1\n    b = 2\n",
    "from a import (b, c as d)\nx: int = 1\rdel x, y\rlambda: 0\n",
];

#[derive(Debug)]
enum Wanted {
    Replace(u8, String, Option<bool>),
    ReplaceRange(u8, u8, String),
    Insert(u8, u8, String, Option<bool>),
    Delete(u8, Option<bool>),
    Move(u8, u8, u8),
    Wrap(u8, String),
    Unwrap(u8),
    Rename(u8, String, bool),
    Sub(u8, String, String, bool),
    EnsureImport(String),
}

impl<'a> Arbitrary<'a> for Wanted {
    fn arbitrary(data: &mut Unstructured<'a>) -> Result<Wanted> {
        // As the derive of the crate would have it; written here, since that one has all derives of the project compiled anew.
        Ok(match (u64::from(u32::arbitrary(data)?) * 10) >> 32 {
            0 => Wanted::Replace(data.arbitrary()?, data.arbitrary()?, data.arbitrary()?),
            1 => Wanted::ReplaceRange(data.arbitrary()?, data.arbitrary()?, data.arbitrary()?),
            2 => Wanted::Insert(data.arbitrary()?, data.arbitrary()?, data.arbitrary()?, data.arbitrary()?),
            3 => Wanted::Delete(data.arbitrary()?, data.arbitrary()?),
            4 => Wanted::Move(data.arbitrary()?, data.arbitrary()?, data.arbitrary()?),
            5 => Wanted::Wrap(data.arbitrary()?, data.arbitrary()?),
            6 => Wanted::Unwrap(data.arbitrary()?),
            7 => Wanted::Rename(data.arbitrary()?, data.arbitrary()?, data.arbitrary()?),
            8 => Wanted::Sub(data.arbitrary()?, data.arbitrary()?, data.arbitrary()?, data.arbitrary()?),
            _ => Wanted::EnsureImport(data.arbitrary()?),
        })
    }
}

/// A file and what is to be done to it.
#[derive(Debug)]
pub struct Input {
    source: u8,
    own: Option<String>,
    operations: Vec<Wanted>,
    allow_syntax: bool,
    allow_structure: bool,
}

impl<'a> Arbitrary<'a> for Input {
    fn arbitrary(data: &mut Unstructured<'a>) -> Result<Input> {
        let (source, own, operations, allow_syntax, allow_structure) = data.arbitrary()?;
        Ok(Input { source, own, operations, allow_syntax, allow_structure })
    }

    fn arbitrary_take_rest(data: Unstructured<'a>) -> Result<Input> {
        let (source, own, operations, allow_syntax, allow_structure) = Arbitrary::arbitrary_take_rest(data)?;
        Ok(Input { source, own, operations, allow_syntax, allow_structure })
    }
}

fn operation(tree: &Tree, wanted: Wanted) -> Op {
    let nodes: Vec<Node> = tree.table().nodes().collect();
    let node = |place: u8| nodes[usize::from(place) % nodes.len()];
    let position =
        |place: u8| [Position::Before, Position::After, Position::First, Position::Last][usize::from(place) % 4];
    let extent = |full: Option<bool>| full.map(|full| if full { Extent::Full } else { Extent::Node });
    match wanted {
        Wanted::Replace(target, code, full) => Op::Replace { target: node(target), code, extent: extent(full) },
        Wanted::ReplaceRange(from, to, code) => Op::ReplaceRange { from: node(from), to: node(to), code, extent: None },
        Wanted::Insert(target, place, code, full) => {
            Op::Insert { target: node(target), position: position(place), code, extent: extent(full) }
        }
        Wanted::Delete(target, full) => Op::Delete { target: node(target), extent: extent(full) },
        Wanted::Move(target, place, to) => {
            Op::Move { target: node(target), position: position(place), to: node(to), extent: None }
        }
        Wanted::Wrap(target, code) => Op::Wrap { target: node(target), code: format!("{code}$0"), extent: None },
        Wanted::Unwrap(target) => Op::Unwrap { target: node(target) },
        Wanted::Rename(target, to, references) => {
            Op::Rename { target: node(target), to, references: references.then_some(References::File) }
        }
        Wanted::Sub(target, find, replace, regex) => Op::Sub { target: node(target), find, replace, regex },
        Wanted::EnsureImport(code) => Op::EnsureImport { code },
    }
}

/// Plans and applies a batch.
pub fn check(input: Input) {
    let python = Language::named("python").expect("python is built in");
    let limits = ParseLimits::default();
    let source = input.own.as_deref().unwrap_or(SOURCES[usize::from(input.source) % SOURCES.len()]);
    let Ok(tree) = Tree::parse(Text::new(source), python, &limits) else { return };
    let operations: Vec<Op> = input.operations.into_iter().take(4).map(|wanted| operation(&tree, wanted)).collect();
    let allow = Allow { syntax: input.allow_syntax, structure: input.allow_structure, quotes: false };
    let outcome = match edit::apply(&tree, &operations, allow, &limits) {
        Ok(outcome) => outcome,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let text = outcome.tree.text().to_string();
    assert_eq!(tree.text().apply(&outcome.edits).to_string(), text);
    assert_eq!(outcome.tree.text().apply(&outcome.edits.inverse(tree.text())).to_string(), source);
    if !input.allow_syntax && tree.is_sound() {
        assert!(outcome.tree.is_sound(), "a syntax error passed the gate");
    }
    let fresh = Tree::parse(Text::new(&text), python, &limits).expect("what was parsed once is parsed again");
    assert_eq!(fresh.table().shape(), outcome.tree.table().shape(), "an incremental parse differs from a fresh one");
    let mut seen = HashSet::new();
    for node in outcome.tree.table().nodes() {
        let id = outcome.tree.id(node);
        assert!(seen.insert(id), "{id} names two nodes");
        if let (Some(old), false) = (tree.node(id), outcome.edits.is_empty()) {
            assert_eq!(outcome.node_map.image(old), Some(node), "{id} names another node");
        }
    }
}
