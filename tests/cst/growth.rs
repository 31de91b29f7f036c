//! The cost of a selector grows as its input does, in steps that are counted, not in time; where it grows faster, each
//! step is charged to the budget.

use cst::interrupt;
use cst::language::Language;
use cst::selector::{Definitions, Query, Selector};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

/// Files of any size, by their shape.
struct Shape {
    name: &'static str,
    language: &'static str,
    /// The parts of the smallest file.
    parts: usize,
    make: fn(usize) -> String,
}

const SHAPES: &[Shape] = &[
    Shape { name: "siblings", language: "python", parts: 150, make: |parts| "f(a, 1)\n".repeat(parts) },
    Shape { name: "parentheses", language: "python", parts: 300, make: |parts| nest(parts, "(", "x", ")") },
    Shape { name: "calls", language: "python", parts: 200, make: |parts| nest(parts, "f(", "x", ")") },
    Shape { name: "operators", language: "python", parts: 300, make: |parts| format!("a{}\n", "+a".repeat(parts)) },
    Shape { name: "arguments", language: "python", parts: 400, make: |parts| format!("f({})\n", "a, ".repeat(parts)) },
    Shape { name: "decorated", language: "python", parts: 120, make: |parts| "@d\ndef f(): pass\n".repeat(parts) },
    Shape {
        name: "decorators",
        language: "python",
        parts: 300,
        make: |parts| format!("{}def f(): pass\n", "@d\n".repeat(parts)),
    },
    Shape { name: "comments", language: "python", parts: 600, make: |parts| "# c\n".repeat(parts) },
    Shape { name: "attributes", language: "rust", parts: 200, make: |parts| "#[a]\n".repeat(parts) + "fn f() {}\n" },
    Shape {
        name: "functions",
        language: "javascript",
        parts: 250,
        make: |parts| nest(parts, "function f(){", "", "}"),
    },
    Shape {
        name: "arrows",
        language: "javascript",
        parts: 250,
        make: |parts| nest(parts, "const f = () => {", "", "}"),
    },
    Shape { name: "objects", language: "javascript", parts: 250, make: |parts| nest(parts, "x = {a:", "1", "}") },
    Shape { name: "chain", language: "javascript", parts: 150, make: |parts| format!("a{};\n", ".b()".repeat(parts)) },
    Shape {
        name: "exports",
        language: "typescript",
        parts: 80,
        make: |parts| "export const a = () => 1;\n".repeat(parts),
    },
];

fn nest(levels: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}\n", open.repeat(levels), close.repeat(levels))
}

/// Selectors that are linear in every shape.
const LINEAR: &[&str] = &[
    "*[count(*) > 3]",
    "*[count(>> *) > 3]",
    "*[count(+ *) > 0]",
    "*[count(~ *) > 3]",
    "*[count(preceding-sibling::*) > 3]",
    "*[count(self::*) > 0]",
    "*[count(< *) > 3]",
    "*[count(<< *) > 3]",
    "*[count(*:first) > 0]",
    "*[count(~ *:first) > 0]",
    "*[count(+ *:last) > 0]",
    "*[children = count(> *:nth(2))]",
    "*:nth-child(2n of :has(*))",
    "*:nth-last-child(2n+1 of *)",
    "*:nth-last-child(1 of :nth-child(1 of *))",
    "*:nth-of-type(2n)",
    "*:nth-last-of-type(2)",
    "*:only-child",
    "*:only-of-type",
    "*:has(*)",
    "*:has(> * + * ~ *)",
    "*:has(*:first > *:last)",
    "*:has(~ *:nth(5) *:nth(-2))",
    "*:has-own(> *)",
    "*:not(:has(* *)):is(* > *, * ~ *)",
    "* + * ~ * > *:nth(3)",
    "*@x + *",
    "*@x ~ *",
    "*@x > *@y",
    "*@x *",
    "*@x < *",
    "*@x << *",
    "*:has(+ *@x)",
    "*:has(~ *@x)",
    "*:has(preceding-sibling::*@x)",
    "*:has(> *@x)",
    "*:has(*@x)",
    "*:has(*:first@x)",
    "*:precedes(*@x)",
    "*:follows(*@x)",
    "*:in(*@x)",
    "*:in-own(*@x)",
    "*[type=$f] + *[type=$f]",
    "*:like(\"$X\")",
    "*:like(\"$X + $X\")",
    "*:like(\"f($$$A, $X, $$$B)\")",
    "*[name=a]",
    "*[qualname=a]",
    "*[decorators=a]",
    "*[modifiers=a]",
    "*[visibility=public]",
    "*[doc=a]",
    "*[index > 3]",
    "*[depth > 3]",
    "*[bases=a], *[returns=a], *[params > 3], *[args > 3], *[callee=a]",
    "*:docstring, *:empty, *:leaf, *:error, *:missing, *:in(*), *:in-own(*)",
    "definition, function, method, class, call",
];

/// Selectors that grow faster in some shape.
const CHARGED: &[&str] = &[
    "*[count(* *) > 3]",
    "*[count(> * > *) > 3]",
    "*[count(~ * > *) > 3]",
    "*[count(~ * ~ *) > 3]",
    "*[count(<< * << *) > 3]",
    "*[count(> *) > 3]",
    "*:has(<< *@x)",
    "*:has(<< *:nth(5))",
    "* << *:nth(3)",
    "*@x << *:nth(3)",
    "*[text=$f] *[text=$f]",
    "*[text=$f] ~ *[text=$f]",
    "*[type=$f] *[type=$f]",
    "*:has(*[text=$f] *[text=$f])",
    "*[text=$f]:not(:has(*[text=$f]))",
    "*@a ~ *@b ~ *@c",
    "*:like(\"$X\"):has(:like(\"f($X)\"))",
    "*[text*=a]",
];

/// A tree with everything that is computed once for each tree.
fn tree(shape: &Shape, times: usize) -> Tree {
    let language = Language::named(shape.language).unwrap();
    let tree = Tree::parse(Text::new(&(shape.make)(shape.parts * times)), language, &ParseLimits::default()).unwrap();
    tree.attachments();
    tree
}

/// What a selector costs in a tree.
struct Cost {
    steps: u64,
    charged: u64,
    nodes: u64,
}

fn cost(tree: &Tree, selector: &str) -> Cost {
    let selector = Selector::parse(selector).unwrap();
    // A word that a language lacks is an empty step there.
    let (query, _) = Query::new_for_mixed(&selector, tree.language(), &Definitions::default()).unwrap();
    let begin = interrupt::counted_steps();
    let charged = query.cost(tree);
    Cost { steps: interrupt::counted_steps() - begin, charged, nodes: tree.table().len() as u64 }
}

#[test]
fn costs_are_linear_in_nodes() {
    let mut cases = 0;
    for shape in SHAPES {
        let trees = [1, 2, 4].map(|times| tree(shape, times));
        for selector in LINEAR {
            let [one, two, four] = [0, 1, 2].map(|place| cost(&trees[place], selector).steps);
            assert!(one > 0 && two < 3 * one && four < 3 * two, "{}: {selector}: {one}, {two}, {four}", shape.name);
            cases += 1;
        }
    }
    assert!(cases > 700, "{cases}");
}

/// What a budget is compared with must be the work.
#[test]
fn work_is_charged() {
    let mut cases = 0;
    for shape in SHAPES {
        let tree = tree(shape, 1);
        for selector in LINEAR.iter().chain(CHARGED) {
            let found = cost(&tree, selector);
            assert!(
                found.steps <= 40 * found.charged + 100 * found.nodes,
                "{}: {selector}: {} steps, {} charged, {} nodes",
                shape.name,
                found.steps,
                found.charged,
                found.nodes
            );
            cases += 1;
        }
    }
    assert!(cases > 900, "{cases}");
}

#[test]
fn costs_are_linear_in_the_parts_of_a_selector() {
    let source = "class A:\n    def f(self):\n        return g(1, h(2))\n".repeat(20);
    let tree = Tree::parse(Text::new(&source), Language::named("python").unwrap(), &ParseLimits::default()).unwrap();
    let mut cases = 0;
    for part in
        ["* ", "* > ", "call, ", "*:not(call) ", "*:has(> call) ", "*:nth-child(1 of call) ", "*[count(call) > 9], "]
    {
        let of = |count: usize| cost(&tree, &format!("{}*", part.repeat(count))).steps;
        let [one, two, four] = [100, 200, 400].map(of);
        assert!(two < 3 * one && four < 3 * two, "{part}: {one}, {two}, {four}");
        cases += 1;
    }
    for open in ["*:has(", "*:has(* ", "*:not(", "*:is(call, ", "*:in(", "*[count(* ", "*:nth-child(1 of "] {
        let close = if open.starts_with("*[") { ") > 0]" } else { ")" };
        let of = |levels: usize| cost(&tree, &format!("{}*{}", open.repeat(levels), close.repeat(levels))).steps;
        let [one, two, four] = [15, 30, 60].map(of);
        assert!(two < 3 * one && four < 3 * two, "{open}: {one}, {two}, {four}");
        cases += 1;
    }
    for binding in ["*@x ", "*[type=$f] "] {
        let of = |count: usize| cost(&tree, &format!("{}*", binding.repeat(count))).steps;
        let [one, two, four] = [2, 4, 8].map(of);
        assert!(two < 3 * one && four < 3 * two, "{binding}: {one}, {two}, {four}");
        cases += 1;
    }
    assert_eq!(cases, 16);
}
