//! Where code goes and how it is indented: tabs, labels, sections, one-line bodies, comments that go along.

use cst::edit::{Allow, EditError, Op, Position, apply};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

fn tree(language: &str, source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named(language).unwrap(), &ParseLimits::default()).unwrap()
}

/// The first named node of a type whose text starts so.
fn node(tree: &Tree, words: &str) -> Node {
    let (type_name, text) = words.split_once(' ').unwrap_or((words, ""));
    let fits = |&node: &Node| {
        tree.type_name(node) == type_name && tree.table().is_named(node) && tree.node_text(node).starts_with(text)
    };
    tree.table().nodes().find(fits).unwrap_or_else(|| panic!("no `{words}` in\n{}", tree.text()))
}

/// `before TARGET => CODE`, `move_after TARGET => OTHER`, …
fn op(tree: &Tree, words: &str) -> Op {
    let (verb, rest) = words.split_once(' ').unwrap();
    let (target, code) = rest.split_once(" => ").unwrap_or((rest, ""));
    let target = node(tree, target);
    let position = match verb.trim_start_matches("move_") {
        "before" => Position::Before,
        "after" => Position::After,
        "first" => Position::First,
        _ => Position::Last,
    };
    match verb {
        "before" | "after" | "first" | "last" => Op::Insert { target, position, code: code.to_owned(), extent: None },
        "replace" => Op::Replace { target, code: code.to_owned(), extent: None },
        "delete" => Op::Delete { target, extent: None },
        "unwrap" => Op::Unwrap { target },
        _ => Op::Move { target, position, to: node(tree, code), extent: None },
    }
}

fn run(language: &str, source: &str, words: &[&str]) -> Result<String, EditError> {
    let tree = tree(language, source);
    let ops: Vec<Op> = words.iter().map(|words| op(&tree, words)).collect();
    apply(&tree, &ops, Allow::default(), &ParseLimits::default()).map(|outcome| outcome.tree.text().to_string())
}

#[track_caller]
fn check(language: &str, source: &str, words: &[&str], expected: &str) {
    match run(language, source, words) {
        Ok(found) => assert_eq!(found, expected, "{language}: {words:?} on\n{source}"),
        Err(error) => panic!("{language}: {words:?} on\n{source}\n{error}"),
    }
}

/// Code indented by four spaces gets the indentation of the file on all its levels, even if it is not code on its own.
#[test]
fn clauses_and_labels_in_the_files_indentation() {
    let python = "def f(a):\n\ttry:\n\t\tif a:\n\t\t\tb()\n\t\telse:\n\t\t\tc()\n\texcept A:\n\t\td()\n\tmatch a:\n\t\tcase 1:\n\t\t\te()\n";
    let deep = |head: &str| format!("{head}\n    x()\n    if x:\n        y()");
    let cases: &[(&str, &str, &str)] = &[
        ("replace else_clause", "else:", "\t\telse:\n\t\t\tx()\n\t\t\tif x:\n\t\t\t\ty()\n"),
        ("before else_clause", "elif d:", "\t\telif d:\n\t\t\tx()\n\t\t\tif x:\n\t\t\t\ty()\n\t\telse:\n"),
        ("replace except_clause", "except B:", "\texcept B:\n\t\tx()\n\t\tif x:\n\t\t\ty()\n"),
        ("after except_clause", "finally:", "\tfinally:\n\t\tx()\n\t\tif x:\n\t\t\ty()\n"),
        ("after case_clause", "case 2:", "\t\tcase 2:\n\t\t\tx()\n\t\t\tif x:\n\t\t\t\ty()\n"),
        ("replace case_clause", "case 2:", "\t\tcase 2:\n\t\t\tx()\n\t\t\tif x:\n\t\t\t\ty()\n"),
    ];
    for (target, head, expected) in cases {
        let found = run("python", python, &[&format!("{target} => {}", deep(head))]).unwrap();
        assert!(found.contains(expected), "{target}: {found}");
        // And in two spaces.
        let found = run("python", &python.replace('\t', "  "), &[&format!("{target} => {}", deep(head))]).unwrap();
        assert!(found.contains(&expected.replace('\t', "  ")), "{target}: {found}");
    }
    check(
        "go",
        "package a\n\nfunc f(a int) {\n\tswitch a {\n\tcase 1:\n\t\tc()\n\t}\n}\n",
        &["after expression_case => case 2:\n        a()\n        if b {\n            d()\n        }"
            .replace("=> case", "=>     case")
            .as_str()],
        "package a\n\nfunc f(a int) {\n\tswitch a {\n\tcase 1:\n\t\tc()\n\tcase 2:\n\t\ta()\n\t\tif b {\n\t\t\td()\n\t\t}\n\t}\n}\n",
    );
    check(
        "c",
        "int f(int a) {\n\ta();\nout:\n\treturn 1;\n}\n",
        &["replace labeled_statement => err:\n    return 2;"],
        "int f(int a) {\n\ta();\nerr:\n\treturn 2;\n}\n",
    );
    let labelled = "package a\n\nfunc f(a int) {\nL:\n\tfor {\n\t\tbreak L\n\t}\n}\n";
    check("go", labelled, &["first function_declaration => x := 1"], &labelled.replace("L:\n", "\tx := 1\nL:\n"));
    check("go", labelled, &["last function_declaration => x()"], &labelled.replace("\t}\n}", "\t}\n\tx()\n}"));
    check("go", labelled, &["after labeled_statement => x()"], &labelled.replace("\t}\n}", "\t}\n\tx()\n}"));
}

/// What begins on its header's line is taken apart only where code comes onto that line.
#[test]
fn headers_on_one_line_stay() {
    let cpp = "namespace a { namespace b { namespace c {\n\nint x();\n\n}  // c\n\nint f() { return 1; }\n\nint g() { return 2; }\n\n}}\n";
    check(
        "cpp",
        cpp,
        &["after function_definition int f => int h() { return 3; }"],
        &cpp.replace("int g()", "int h() { return 3; }\n\nint g()"),
    );
    check(
        "cpp",
        cpp,
        &["replace function_definition int f => int h() { return 3; }"],
        &cpp.replace("int f() { return 1; }", "int h() { return 3; }"),
    );
    check(
        "cpp",
        cpp,
        &["move_after function_definition int f => function_definition int g"],
        "namespace a { namespace b { namespace c {\n\nint x();\n\n}  // c\n\nint g() { return 2; }\n\nint f() { return 1; }\n\n}}\n",
    );
    check("cpp", cpp, &["delete function_definition int f"], &cpp.replace("int f() { return 1; }\n\n", ""));
    let js = "if (a) { if (b) {\n  f();\n}\n  g();\n}\n";
    check("javascript", js, &["after expression_statement g => h();"], &js.replace("  g();\n", "  g();\n  h();\n"));
    check("javascript", js, &["replace expression_statement g => h();"], &js.replace("g();", "h();"));
    check("javascript", "if (a) { f(); }\n", &["after expression_statement => g();"], "if (a) {\n  f();\n  g();\n}\n");
    check(
        "python",
        "if a: f(); g()\n",
        &["after expression_statement g => if b:\n    h()"],
        "if a:\n    f(); g()\n    if b:\n        h()\n",
    );
}

/// Below `private`, methods may be indented more.
#[test]
fn sections_of_a_class_keep_their_depth() {
    let source = "class A\n  def a\n    1\n  end\n\n  private\n\n    def b\n      2\n    end\n\n    def c\n      3\n    end\nend\n";
    let new = "def d\n  4\nend";
    let deep = "    def d\n      4\n    end\n";
    check(
        "ruby",
        source,
        &[&format!("after method def b => {new}")],
        &source.replace("    def c", &format!("{deep}\n    def c")),
    );
    check(
        "ruby",
        source,
        &[&format!("before method def b => {new}")],
        &source.replace("    def b", &format!("{deep}\n    def b")),
    );
    check(
        "ruby",
        source,
        &[&format!("last class => {new}")],
        &source.replace("    end\nend\n", &format!("    end\n\n{deep}end\n")),
    );
    check(
        "ruby",
        source,
        &[&format!("after method def a => {new}")],
        &source.replace("  private", "  def d\n    4\n  end\n\n  private"),
    );
    check(
        "ruby",
        source,
        &["move_after method def a => method def b"],
        "class A\n  private\n\n    def b\n      2\n    end\n\n    def a\n      1\n    end\n\n    def c\n      3\n    end\nend\n",
    );
}

#[test]
fn unwrap_of_one_line_bodies() {
    check(
        "python",
        "def f(x):\n    if x: a; b\n    return 1\n",
        &["unwrap if_statement"],
        "def f(x):\n    a; b\n    return 1\n",
    );
    check("python", "def f(x):\n    if x: a; b\n", &["unwrap if_statement"], "def f(x):\n    a; b\n");
    check(
        "python",
        "def f(x):\n    while x: a; b; c  # d\n    e\n",
        &["unwrap while_statement"],
        "def f(x):\n    a; b; c  # d\n    e\n",
    );
    check(
        "javascript",
        "function f() {\n  if (x) { a(); b(); }\n  c();\n}\n",
        &["unwrap if_statement"],
        "function f() {\n  a(); b();\n  c();\n}\n",
    );
}

/// The comment behind an element, and the documentation above it, move along.
#[test]
fn elements_move_with_their_comments() {
    let source = "f(\n    a,  # note a\n    b,  # note b\n    c,\n)\n";
    check(
        "python",
        source,
        &["move_before identifier b => identifier a"],
        "f(\n    b,  # note b\n    a,  # note a\n    c,\n)\n",
    );
    check(
        "python",
        source,
        &["move_after identifier a => identifier c"],
        "f(\n    b,  # note b\n    c,\n    a,  # note a\n)\n",
    );
    let open = "f(\n    a,  # note a\n    b  # note b\n)\n";
    check("python", open, &["move_after identifier a => identifier b"], "f(\n    b,  # note b\n    a  # note a\n)\n");
    check("python", open, &["move_before identifier b => identifier a"], "f(\n    b,  # note b\n    a  # note a\n)\n");
    check(
        "rust",
        "enum A {\n    /// One.\n    #[x]\n    B, // b\n    /// Two.\n    C, // c\n}\n",
        &["move_after enum_variant B => enum_variant C"],
        "enum A {\n    /// Two.\n    C, // c\n    /// One.\n    #[x]\n    B, // b\n}\n",
    );
    check(
        "javascript",
        "const o = {\n  a: 1, // one\n  b: 2, // two\n};\n",
        &["move_before pair b => pair a"],
        "const o = {\n  b: 2, // two\n  a: 1, // one\n};\n",
    );
    check(
        "go",
        "package a\n\nvar x = []int{\n\t1, // one\n\t2, // two\n}\n",
        &["move_after literal_element 1 => literal_element 2"],
        "package a\n\nvar x = []int{\n\t2, // two\n\t1, // one\n}\n",
    );
    check("python", "x = (a, b)\n", &["move_before identifier b => identifier a"], "x = (b, a)\n");
    check("python", "x = (a,)\ny = (b, c)\n", &["move_after identifier b => identifier c"], "x = (a,)\ny = (c, b)\n");
    // If no comment can follow, a note says so.
    let tree = tree("python", "f(\n    a,  # note a\n    b,\n)\ng(c)\n");
    let ops = [op(&tree, "move_after identifier a => identifier c")];
    let outcome = apply(&tree, &ops, Allow::default(), &ParseLimits::default()).unwrap();
    assert_eq!(outcome.tree.text().to_string(), "f(\n    b,\n)\ng(c, a)\n");
    assert_eq!(outcome.operations[0].notes, ["dropped the comment after the element"]);
}

/// `module > *` finds an `export` and its declaration: the same operation at both is one.
#[test]
fn a_wrapper_and_what_it_holds_are_one_place() {
    let cases: &[(&str, &str, &str, &str, &str, &str)] = &[
        (
            "javascript",
            "export const a = 1;\n",
            "export_statement",
            "lexical_declaration",
            "f();",
            "f();\nexport const a = 1;\n",
        ),
        (
            "python",
            "@d\ndef f():\n    pass\n",
            "decorated_definition",
            "function_definition",
            "x = 1",
            "x = 1\n\n\n@d\ndef f():\n    pass\n",
        ),
    ];
    for (language, source, outer, inner, code, expected) in cases {
        let both = [format!("before {outer} => {code}"), format!("before {inner} => {code}")];
        check(language, source, &[&both[0], &both[1]], expected);
        check(language, source, &[&both[1], &both[0]], expected);
        check(language, source, &[&format!("delete {outer}"), &format!("delete {inner}")], "");
        // The same target twice is meant twice.
        let twice = run(language, source, &[&both[0], &both[0]]).unwrap();
        assert_eq!(twice.matches(code).count(), 2, "{twice}");
        // Other code at the inner node is another operation.
        let other = run(language, source, &[&both[0], &format!("before {inner} => g()")]).unwrap();
        assert!(other.contains(code) && other.contains("g()"), "{other}");
    }
}

/// Comments alone go first in a file above all but the lines that must be first.
#[test]
fn a_notice_goes_to_the_top() {
    let cases: &[(&str, &str, &str, &str)] = &[
        (
            "python",
            "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n",
            "# Copyright me.",
            "# Copyright me.\n\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n",
        ),
        (
            "python",
            "#!/usr/bin/env python\n# coding: utf-8\nimport os\n",
            "# Copyright me.\n# All rights.",
            "#!/usr/bin/env python\n# coding: utf-8\n# Copyright me.\n# All rights.\n\nimport os\n",
        ),
        (
            "python",
            "# about f\ndef f():\n    pass\n",
            "# Copyright me.",
            "# Copyright me.\n\n\n# about f\ndef f():\n    pass\n",
        ),
        ("javascript", "\"use client\";\nf();\n", "// Copyright me.", "// Copyright me.\n\n\"use client\";\nf();\n"),
        (
            "rust",
            "//! About.\n#![no_std]\nfn main() {}\n",
            "// Copyright me.",
            "// Copyright me.\n\n//! About.\n#![no_std]\nfn main() {}\n",
        ),
        ("php", "<?php\nnamespace A;\n", "// Copyright me.", "<?php\n// Copyright me.\n\nnamespace A;\n"),
        (
            "go",
            "// Package a does it.\npackage a\n",
            "// Copyright me.",
            "// Copyright me.\n\n// Package a does it.\npackage a\n",
        ),
        (
            "c",
            "#ifndef A_H\n#define A_H\n#endif\n",
            "/* Copyright me. */",
            "/* Copyright me. */\n\n#ifndef A_H\n#define A_H\n#endif\n",
        ),
        ("bash", "#!/bin/sh\nset -e\n", "# Copyright me.", "#!/bin/sh\n# Copyright me.\n\nset -e\n"),
    ];
    for (language, source, code, expected) in cases {
        let tree = tree(language, source);
        let op = Op::Insert { target: Node::ROOT, position: Position::First, code: (*code).to_owned(), extent: None };
        let outcome = apply(&tree, &[op], Allow::default(), &ParseLimits::default());
        let found = outcome.unwrap_or_else(|error| panic!("{language}: {error}")).tree.text().to_string();
        assert_eq!(found, *expected, "{language}");
    }
}

/// Comments end before `\r\n`, in the tree and in edits.
#[test]
fn comments_in_files_with_two_byte_line_ends() {
    let comments: &[(&str, &str, &str)] = &[
        ("python", "x = 1  # note\ny = 2\n", "# note"),
        ("go", "package a\n\nvar x = 1 // note\nvar y = 2\n", "// note"),
        ("rust", "const X: u8 = 1; // note\nconst Y: u8 = 2;\n", "// note"),
        ("java", "class A {\n    int x; // note\n    int y;\n}\n", "// note"),
        ("c", "int x; // note\nint y;\n", "// note"),
        ("cpp", "int x; // note\nint y;\n", "// note"),
        ("csharp", "class A {\n    int x; // note\n    int y;\n}\n", "// note"),
        ("kotlin", "val x = 1 // note\nval y = 2\n", "// note"),
        ("swift", "let x = 1 // note\nlet y = 2\n", "// note"),
        ("scala", "val x = 1 // note\nval y = 2\n", "// note"),
        ("ruby", "x = 1 # note\ny = 2\n", "# note"),
        ("javascript", "x = 1; // note\ny = 2;\n", "// note"),
        ("typescript", "x = 1; // note\ny = 2;\n", "// note"),
        ("php", "<?php\n$x = 1; // note\n$y = 2;\n", "// note"),
        ("bash", "x=1 # note\ny=2\n", "# note"),
        ("lua", "x = 1 -- note\ny = 2\n", "-- note"),
    ];
    for (language, source, comment) in comments {
        let source = source.replace('\n', "\r\n");
        let tree = tree(language, &source);
        let found = tree.table().nodes().find(|&node| tree.is_comment(node)).unwrap();
        assert_eq!(tree.node_text(found), *comment, "{language}");
        let op = Op::Delete { target: found, extent: None };
        let outcome = apply(&tree, &[op], Allow::default(), &ParseLimits::default()).unwrap();
        let (_, rest) = source.split_once(comment).unwrap();
        let head = source.split_once(comment).unwrap().0.trim_end();
        assert_eq!(outcome.tree.text().to_string(), format!("{head}{rest}"), "{language}");
    }
    check(
        "python",
        "def f():\r\n    pass  # note\r\n\r\n\r\nx = 1\r\n",
        &["replace function_definition => def g():\n    pass"],
        "def g():\r\n    pass\r\n\r\n\r\nx = 1\r\n",
    );
    check("ruby", "if x\r\n  a # note\r\n  b\r\nend\r\n", &["unwrap if"], "a # note\r\nb\r\n");
}

/// The law: a file with `\r\n` has the nodes of the same file with `\n`, with the same text but for the line ends.
#[test]
fn samples_have_the_same_nodes_with_two_byte_line_ends() {
    let (mut languages, mut nodes) = (0, 0);
    let mut wrong = Vec::new();
    for language in Language::all() {
        let extension = &language.extensions()[0];
        let path = format!("{}/selectors/{}/sample.{extension}", env!("CARGO_MANIFEST_DIR"), language.name());
        let source = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let (one, two) = (tree(language.name(), &source), tree(language.name(), &source.replace('\n', "\r\n")));
        languages += 1;
        let words = |tree: &Tree| {
            // White space alone is a node of its own in JSX and in heredocs with one of the two line ends only.
            let text =
                |node: Node| (tree.type_name(node), tree.node_text(node).replace("\r\n", "\n").trim().to_owned());
            tree.table().nodes().map(text).filter(|(_, text)| !text.is_empty()).collect::<Vec<_>>()
        };
        let (one, two) = (words(&one), words(&two));
        nodes += one.len();
        if one.len() != two.len() {
            wrong.push(format!("{}: {} nodes, {} with CRLF", language.name(), one.len(), two.len()));
        }
        let differs = one.iter().zip(&two).filter(|(one, two)| one != two).take(3);
        wrong.extend(differs.map(|(one, two)| format!("{}: {one:?}\n    {two:?}", language.name())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(languages >= 30 && nodes > 20_000, "{languages} languages, {nodes} nodes");
}

/// Words that are kinds in some languages and types in others find the types in languages without the kind.
#[test]
fn kinds_that_a_language_lacks_are_its_types() {
    use cst::selector::{Definitions, Query, Selector};
    let count = |language: &str, source: &str, selector: &str| {
        let tree = tree(language, source);
        let selector = Selector::parse(selector).unwrap();
        let query = Query::new(&selector, tree.language(), &Definitions::default()).unwrap();
        query.select(&tree).unwrap().len()
    };
    assert_eq!(count("json", "{\"a\": {\"b\": 1}}\n", "object"), 2);
    assert_eq!(count("javascript", "const a = {b: {}};\n", "object"), 2);
    assert_eq!(count("typescript", "const a = {b: {}};\n", "object"), 2);
    assert_eq!(count("kotlin", "object A\n", "object"), 1);
}

/// If the first unit of a block follows a marker, as in YAML's `- key: value`, it stays there: an insertion before it
/// takes its place after the marker, and other lines begin in its column.
#[test]
fn units_behind_a_marker() {
    let run = "steps:\n    - run: |\n          a\n          b\n    - x: 1\n";
    let wide = "- one\n-   uses: x\n    name: y\n- - deep: 1\n";
    let nested = "-   a:\n      b: 1\n    c: 2\n";
    let haskell = "main = do x <- getLine\n          print x\n";
    let cases: &[(&str, &str, &str, &str)] = &[
        (
            "yaml",
            run,
            "replace block_mapping_pair run => runs: |\n          a\n          b",
            &run.replace("run:", "runs:"),
        ),
        (
            "yaml",
            run,
            "replace block_mapping_pair x => y:\n  - 2\nz: 3",
            &run.replace("x: 1", "y:\n          - 2\n      z: 3"),
        ),
        ("yaml", run, "before block_mapping_pair run => name: n", &run.replace("run: |", "name: n\n      run: |")),
        (
            "yaml",
            run,
            "after block_mapping_pair run => name: n",
            &run.replace("          b\n", "          b\n      name: n\n"),
        ),
        ("yaml", wide, "before block_mapping_pair uses => id: 5", &wide.replace("uses: x", "id: 5\n    uses: x")),
        ("yaml", wide, "after block_mapping_pair uses => id: 5", &wide.replace("uses: x", "uses: x\n    id: 5")),
        ("yaml", wide, "after block_mapping_pair deep => id: 5", &wide.replace("deep: 1", "deep: 1\n    id: 5")),
        ("yaml", wide, "before block_sequence_item - deep => - 0", &wide.replace("- deep", "- 0\n  - deep")),
        ("yaml", wide, "delete block_mapping_pair uses", "- one\n-   name: y\n- - deep: 1\n"),
        (
            "yaml",
            wide,
            "move_after block_mapping_pair uses => block_mapping_pair name",
            "- one\n-   name: y\n    uses: x\n- - deep: 1\n",
        ),
        (
            "yaml",
            wide,
            "move_before block_mapping_pair name => block_mapping_pair uses",
            "- one\n-   name: y\n    uses: x\n- - deep: 1\n",
        ),
        ("yaml", nested, "move_after block_mapping_pair a => block_mapping_pair c", "-   c: 2\n    a:\n      b: 1\n"),
        ("haskell", haskell, "before bind x => print 1", &haskell.replace("x <-", "print 1\n          x <-")),
        ("haskell", haskell, "delete bind x", "main = do print x\n"),
    ];
    for (language, source, words, expected) in cases {
        check(language, source, &[words], expected);
    }
}

/// The spacing of separators on a line is that of the others: `a|b`, `a | b`, `[a,b]`.
#[test]
fn separators_have_the_spaces_of_the_others() {
    let cases: &[(&str, &str, &str, &str)] = &[
        (
            "php",
            "<?php\nfunction f(int|string $a) {}\n",
            "after primitive_type int => bool",
            "<?php\nfunction f(int|bool|string $a) {}\n",
        ),
        (
            "php",
            "<?php\nfunction f(int | string $a) {}\n",
            "after primitive_type string => bool",
            "<?php\nfunction f(int | string | bool $a) {}\n",
        ),
        ("rust", "fn f<T: A>() {}\n", "after type_identifier A => B", "fn f<T: A + B>() {}\n"),
        ("python", "x = [1,2,3]\n", "after integer 1 => 5", "x = [1,5,2,3]\n"),
        ("python", "x = [1,2,3]\n", "after integer 3 => 5", "x = [1,2,3,5]\n"),
        ("python", "x = [1]\n", "after integer 1 => 5", "x = [1, 5]\n"),
        ("python", "x = [1,2, 3]\n", "after integer 1 => 5", "x = [1, 5,2, 3]\n"),
    ];
    for (language, source, words, expected) in cases {
        check(language, source, &[words], expected);
    }
}

/// A label that moves stays as far left of the statements as it was.
#[test]
fn labels_that_move() {
    let go = "package a\n\nfunc f() {\n\tg()\nend:\n\th()\n}\n";
    let moved = "package a\n\nfunc f() {\nend:\n\th()\n\tg()\n}\n";
    check("go", go, &["move_before labeled_statement end => expression_statement g"], moved);
}

/// The answer names what an insertion made, also where the grammar counts white space behind it to it.
#[test]
fn an_inserted_case_is_what_was_made() {
    let source = "package a\n\nfunc f(x int) {\n\tswitch {\n\tcase x > 1:\n\t\tg()\n\tcase x > 2:\n\t\tg()\n\t}\n}\n";
    let tree = tree("go", source);
    let op = op(&tree, "before expression_case case x > 2 => case x > 3:\n\th()");
    let outcome = apply(&tree, &[op], Allow::default(), &ParseLimits::default()).unwrap();
    let made: Vec<&str> = outcome.operations[0].nodes.iter().map(|&node| outcome.tree.type_name(node)).collect();
    assert_eq!(made, ["expression_case"]);
}

/// What comes after a statement that PHP's text follows comes before that text.
#[test]
fn statements_before_text_in_php() {
    let source = "<?php\nf();\n?>\n<p><?= LIMIT ?></p>\n";
    check("php", source, &["after expression_statement f => g();"], &source.replace("f();", "f();\ng();"));
}

/// Documentation of several comments is given once.
#[test]
fn documentation_of_several_comments() {
    let tree = tree("rust", "/// One.\n/// Two.\n/// Three.\nfn f() {}\n");
    assert_eq!(tree.doc(node(&tree, "function_item")).as_deref(), Some("One.\nTwo.\nThree."));
}

/// Documentation does not move to another definition, even with blank lines in between.
#[test]
fn documentation_apart_stays_where_it_is() {
    let source = "class A {\n    int a;\n\n    void f() {}\n}\n";
    let refused = run("java", source, &["replace field_declaration => /** d */"]);
    assert!(matches!(refused, Err(EditError::WouldRestructure { .. })), "{refused:?}");
    let notice = "/** Copyright A. */\n\nimport a.B;\n\nclass C {}\n";
    assert!(run("java", notice, &["delete import_declaration"]).is_ok());
}

/// A definition before a statement goes above the statement's comment, which would be its documentation otherwise.
#[test]
fn a_definition_before_a_commented_statement() {
    let source = "a = 1\n\n# about b\nb = 2\n";
    let expected = "a = 1\n\n\ndef z():\n    pass\n\n\n# about b\nb = 2\n";
    check("python", source, &["before assignment b => def z():\n    pass"], expected);
    check("python", source, &["before assignment b => z = 0"], "a = 1\n\n# about b\nz = 0\nb = 2\n");
    let source = "a();\n// about b\nb();\n";
    let expected = "a();\n\nfunction z() {}\n\n// about b\nb();\n";
    check("javascript", source, &["before expression_statement b => function z() {}"], expected);
}

/// Code that gives something a name is documented by the comment above it in many languages, so it goes above a comment that is
/// about the statement below. Below a comment that begins the file it is set apart.
#[test]
fn a_named_statement_before_a_commented_statement() {
    let source = "a();\n/** about b */\nb();\n";
    let expected = "a();\nconst z = 0;\n/** about b */\nb();\n";
    check("javascript", source, &["before expression_statement b => const z = 0;"], expected);
    check(
        "javascript",
        "a();\n// b\nb();\n",
        &["before expression_statement b => const z = 0;"],
        "a();\n// b\nconst z = 0;\nb();\n",
    );
    let source = "/** @license MIT */\nb();\n";
    let expected = "/** @license MIT */\n\nconst z = 0;\nb();\n";
    check("javascript", source, &["before expression_statement b => const z = 0;"], expected);
    check("bash", "#!/bin/sh\n# about b\nb\n", &["before command b => z=0"], "#!/bin/sh\nz=0\n# about b\nb\n");
    let source = "a();\n/** about b */\nb();\nconst z = 0;\n";
    let expected = "a();\nconst z = 0;\n/** about b */\nb();\n";
    check("javascript", source, &["move_before lexical_declaration const z => expression_statement b"], expected);
}

/// A comment that begins the line of a statement belongs to it, as does what is above both.
#[test]
fn a_comment_before_a_statement_on_its_line() {
    let source = "int z;\n\n/// About f.\n/*static*/ int f() {\n  return 1;\n}\n";
    let moved = "/// About f.\n/*static*/ int f() {\n  return 1;\n}\n\nint z;\n";
    check("cpp", source, &["move_before function_definition int f => declaration int z"], moved);
    check("cpp", source, &["delete function_definition int f"], "int z;\n");
    let source = "namespace a {\n\n/*static*/ int b;\nint c;\n}\n";
    let first = "namespace a {\n\nint z;\n/*static*/ int b;\nint c;\n}\n";
    check("cpp", source, &["before declaration int b => int z;"], first);
    let source = "a();\n/* first */ b();\nc();\n";
    check(
        "javascript",
        source,
        &["move_after expression_statement b => expression_statement c"],
        "a();\nc();\n/* first */ b();\n",
    );
    check("javascript", source, &["delete expression_statement b"], "a();\nc();\n");
}

/// A notice of copyright or licence that begins the file belongs to the file, not to its first definition.
#[test]
fn a_notice_stays_when_the_first_definition_goes() {
    let source = "/* Copyright Example */\nfunction a() {}\nb();\n";
    check("javascript", source, &["delete function_declaration function a"], "/* Copyright Example */\nb();\n");
    let source = "// Licensed under MIT.\nfn a() {}\n\nfn b() {}\n";
    check("rust", source, &["delete function_item fn a"], "// Licensed under MIT.\n\nfn b() {}\n");
}
