//! Any code pattern and any template over a small file: they are refused, or the result is code as sound as before.

use arbitrary::{Arbitrary, Result, Unstructured};
use cst::selector::Selector;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

const SOURCES: [(&str, &str); 5] = [
    ("python", "import os\nx = f(a, *b, c=1)\nif not x: return_(a, b)\nfor i in a, b:\n    print(i, f\"{x!r} \", end=\"  \")\n    y = lambda: x ** -y\n"),
    ("javascript", "const g = () => f({ a: 1 }, `x ${y}`);\nif (a && b || c) { run(function () {}, b ?? c); }\nexport default class A { get x() { return this.#y; } }\n"),
    ("rust", "fn f(x: u32) -> u64 { let y = u64::from(x).pow(2); if y < 4 { return -y; } match x { 1 => y, _ => { y } } }\n"),
    ("go", "package a\n\nfunc f(x int) (y int, err error) {\n\tif y := -x; y > 1 {\n\t\treturn y, nil\n\t}\n\tgo func() { <-c }()\n\treturn T{a: 1}.b, err\n}\n"),
    ("ruby", "def f(a, b: 1)\n  puts \"x #{a}\", b unless a\n  a.each { |i| y <<~E }\n    t\n  E\nend\n"),
];

/// A file, what to look for, and what to put there.
#[derive(Debug)]
pub struct Input {
    source: u8,
    own: Option<String>,
    pattern: String,
    /// Whether the pattern is a selector instead.
    is_selector: bool,
    template: String,
}

impl<'a> Arbitrary<'a> for Input {
    fn arbitrary(data: &mut Unstructured<'a>) -> Result<Input> {
        let (source, own, pattern, is_selector, template) = data.arbitrary()?;
        Ok(Input { source, own, pattern, is_selector, template })
    }

    fn arbitrary_take_rest(data: Unstructured<'a>) -> Result<Input> {
        let (source, own, pattern, is_selector, template) = Arbitrary::arbitrary_take_rest(data)?;
        Ok(Input { source, own, pattern, is_selector, template })
    }
}

/// Rewrites a file.
pub fn check(input: Input) {
    let (language, source) = SOURCES[usize::from(input.source) % SOURCES.len()];
    let source = input.own.as_deref().unwrap_or(source);
    let Ok(tree) = cst::parse(source, language) else { return };
    let selector = match input.is_selector {
        true => input.pattern,
        false => format!(":like(\"{}\")", input.pattern.replace('\\', "\\\\").replace('"', "\\\"")),
    };
    if Selector::parse(&selector).is_err() {
        return;
    }
    let rewritten = match cst::rewrite(&tree, &selector, &input.template) {
        Ok(rewritten) => rewritten,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let text = rewritten.outcome.tree.text().to_string();
    assert_eq!(tree.text().apply(&rewritten.outcome.edits).to_string(), text);
    let fresh = Tree::parse(Text::new(&text), tree.language(), &ParseLimits::default()).expect("it was parsed once");
    assert_eq!(fresh.table().shape(), rewritten.outcome.tree.table().shape(), "an incremental parse differs from a fresh one");
    if tree.is_sound() {
        assert!(fresh.is_sound(), "a syntax error passed the gate: {text:?}");
    }
}
