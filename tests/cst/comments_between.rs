//! A comment between two items is about the second one, whatever the grammar makes of it: for reading and for each edit. A comment in an
//! item is the item's.

use cst::edit::{Op, Position};
use cst::tree::{Node, Tree};

use crate::edit::run;
use crate::finding::nodes;
use crate::rewriting::parsed;

/// A language, what comes before two items and behind them, the items, and the selector of the first. A comment is put between them,
/// indented as the second.
type Items = (&'static str, &'static str, [&'static str; 2], &'static str, &'static str);

const ITEMS: &[Items] = &[
    ("yaml", "jobs:\n", ["  a:\n    x: 1\n", "  b:\n    x: 2\n"], "", "block_mapping_pair#a"),
    ("yaml", "", ["a:\n  - x\n  - y\n", "b: 2\n"], "", "block_mapping_pair#a"),
    ("yaml", "", ["a:\n- x\n- y\n", "b: 2\n"], "", "block_mapping_pair#a"),
    ("yaml", "steps:\n", ["  - name: a\n    run: b\n", "  - name: c\n"], "", "block_sequence_item:first"),
    ("yaml", "", ["- name: a\n", "- name: c\n"], "", "block_sequence_item:first"),
    ("yaml", "jobs:\n", ["  a:\n    run: |\n      x\n      y\n", "  b:\n    x: 2\n"], "", "block_mapping_pair#a"),
    ("yaml", "jobs:\n", ["  a:\n    - >-\n      x\n      y\n", "  b: 2\n"], "", "block_mapping_pair#a"),
    ("yaml", "steps:\n- env:\n", ["    A:\n      x: 1\n", "    B: 2\n"], "  name: c\n", "block_mapping_pair#A"),
    ("toml", "", ["[a]\nx = 1\n", "[b]\ny = 2\n"], "", "table#a"),
    ("toml", "", ["[[a]]\nx = 1\n", "[[a]]\ny = 2\n"], "", "table_array_element:first"),
    ("ruby", "case x\n", ["when 1\n  a\n", "when 2\n  b\n"], "end\n", "when:first"),
    ("ruby", "case x\n", ["when 1 then a\n", "when 2 then b\n"], "end\n", "when:first"),
    ("ruby", "case x\n", ["in 1\n  a\n", "in 2\n  b\n"], "end\n", "in_clause:first"),
    ("ruby", "begin\n  f\n", ["rescue A\n  a\n", "rescue B\n  b\n"], "end\n", "rescue:first"),
    ("ruby", "begin\n  f\n", ["rescue A\n  a\n", "ensure\n  b\n"], "end\n", "rescue:first"),
    ("swift", "switch x {\n", ["case 1:\n    a()\n", "case 2:\n    b()\n"], "}\n", "switch_entry:first"),
    (
        "kotlin",
        "fun f(x: Int) {\n    when (x) {\n",
        ["        1 -> a()\n", "        2 -> b()\n"],
        "    }\n}\n",
        "when_entry:first",
    ),
    (
        "kotlin",
        "fun f(x: Int) {\n    when (x) {\n",
        ["        1 -> {\n            a()\n        }\n", "        2 -> b()\n"],
        "    }\n}\n",
        "when_entry:first",
    ),
    ("python", "if a:\n    b\n", ["elif c:\n    d\n", "elif e:\n    f\n"], "", "elif_clause:first"),
    ("python", "try:\n    b\n", ["except A:\n    d\n", "except B:\n    f\n"], "", "except_clause:first"),
    ("python", "match x:\n", ["    case 1:\n        a\n", "    case 2:\n        b\n"], "", "case_clause:first"),
    ("javascript", "switch (x) {\n", ["  case 1:\n    a();\n", "  case 2:\n    b();\n"], "}\n", "switch_case:first"),
    ("typescript", "switch (x) {\n", ["  case 1:\n    a();\n", "  case 2:\n    b();\n"], "}\n", "switch_case:first"),
    ("tsx", "switch (x) {\n", ["  case 1:\n    a();\n", "  case 2:\n    b();\n"], "}\n", "switch_case:first"),
    (
        "java",
        "class A {\n  void f() {\n    switch (x) {\n",
        ["      case 1:\n        a();\n", "      case 2:\n        b();\n"],
        "    }\n  }\n}\n",
        "switch_block_statement_group:first",
    ),
    (
        "java",
        "class A {\n  void f() {\n    switch (x) {\n",
        ["      case 1 -> a();\n", "      case 2 -> b();\n"],
        "    }\n  }\n}\n",
        "switch_rule:first",
    ),
    (
        "c",
        "void f() {\n  switch (x) {\n",
        ["    case 1:\n      a();\n", "    case 2:\n      b();\n"],
        "  }\n}\n",
        "case_statement:first",
    ),
    (
        "cpp",
        "void f() {\n  switch (x) {\n",
        ["    case 1:\n      a();\n", "    case 2:\n      b();\n"],
        "  }\n}\n",
        "case_statement:first",
    ),
    (
        "objc",
        "void f() {\n  switch (x) {\n",
        ["    case 1:\n      a();\n", "    case 2:\n      b();\n"],
        "  }\n}\n",
        "case_statement:first",
    ),
    (
        "csharp",
        "class A {\n  void F() {\n    switch (x) {\n",
        ["      case 1:\n        a();\n        break;\n", "      case 2:\n        b();\n        break;\n"],
        "    }\n  }\n}\n",
        "switch_section:first",
    ),
    (
        "go",
        "package a\n\nfunc f() {\n\tswitch x {\n",
        ["\tcase 1:\n\t\ta()\n", "\tcase 2:\n\t\tb()\n"],
        "\t}\n}\n",
        "expression_case:first",
    ),
    (
        "php",
        "<?php\nswitch ($x) {\n",
        ["  case 1:\n    a();\n", "  case 2:\n    b();\n"],
        "}\n",
        "case_statement:first",
    ),
    (
        "rust",
        "fn f() {\n    match x {\n",
        ["        1 => a(),\n", "        2 => b(),\n"],
        "    }\n}\n",
        "match_arm:first",
    ),
    (
        "scala",
        "object A {\n  x match {\n",
        ["    case 1 =>\n      a()\n", "    case 2 =>\n      b()\n"],
        "  }\n}\n",
        "case_clause:first",
    ),
    ("bash", "case x in\n", ["  1)\n    a\n    ;;\n", "  2)\n    b\n    ;;\n"], "esac\n", "case_item:first"),
    ("bash", "if a; then\n  b\n", ["elif c; then\n  d\n", "else\n  e\n"], "fi\n", "elif_clause:first"),
    ("lua", "if a then\n  b()\n", ["elseif c then\n  d()\n", "else\n  e()\n"], "end\n", "elseif_statement:first"),
    (
        "dart",
        "void f() {\n  switch (x) {\n",
        ["    case 1:\n      a();\n", "    case 2:\n      b();\n"],
        "  }\n}\n",
        "switch_statement_case:first",
    ),
    ("julia", "if a\n  b\n", ["elseif c\n  d\n", "else\n  e\n"], "end\n", "elseif_clause:first"),
    ("elixir", "case x do\n", ["  1 ->\n    a()\n", "  2 ->\n    b()\n"], "end\n", "stab_clause:first"),
    (
        "zig",
        "fn f() void {\n    switch (x) {\n",
        ["        1 => a(),\n", "        2 => b(),\n"],
        "    }\n}\n",
        "switch_case:first",
    ),
    ("hcl", "", ["a \"x\" {\n  y = 1\n}\n", "b \"x\" {\n  y = 1\n}\n"], "", "block:first"),
    ("css", "", ["a {\n  color: red;\n}\n", "b {\n  color: red;\n}\n"], "", "rule_set:first"),
];

/// The text with a comment between the items, and how that line is written.
fn with_comment(items: &Items, blank: &str) -> (String, String) {
    let (language, head, [first, second], tail, _) = items;
    let indentation: String = second.chars().take_while(|letter| letter.is_whitespace()).collect();
    let (sign, end) = match *language {
        "yaml" | "toml" | "ruby" | "python" | "bash" | "julia" | "elixir" | "hcl" => ("#", ""),
        "lua" => ("--", ""),
        "css" => ("/*", " */"),
        _ => ("//", ""),
    };
    let comment = format!("{indentation}{sign} about the second{end}\n");
    (format!("{head}{first}{blank}{comment}{second}{tail}"), comment)
}

#[track_caller]
fn only(tree: &Tree, selector: &str) -> Node {
    let found = nodes(tree, selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
    assert!(!found.is_empty(), "{selector} in\n{}", tree.text());
    found[0]
}

#[test]
fn a_comment_between_items_is_about_the_second() {
    for items in ITEMS {
        for blank in ["", "\n"] {
            let (language, head, [first, second], tail, selector) = items;
            let (source, comment) = with_comment(items, blank);
            let tree = parsed(&source, language);
            assert!(tree.is_sound(), "{source}");
            let node = only(&tree, selector);
            assert!(!tree.node_text(node).contains("about"), "{language}: {selector} has the comment\n{source}");
            let outcome = run(&tree, &[Op::Delete { target: node, extent: None }]);
            let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{source}"));
            let text = outcome.tree.text().to_string();
            let expected = format!("{head}{comment}{second}{tail}");
            assert_eq!(text.replace("\n\n", "\n"), expected.replace("\n\n", "\n"), "{language}: {text}");
            // Another one comes between the first and the comment.
            let third = first.replace('1', "3").replace("a:", "c:");
            let op = Op::Insert { target: node, position: Position::After, code: third, extent: None };
            let Ok(outcome) = run(&tree, &[op]) else { continue };
            let text = outcome.tree.text().to_string();
            assert!(text.contains(&format!("{comment}{second}")), "{language}\n{text}");
        }
    }
}

#[test]
fn a_comment_in_an_item_is_the_items() {
    for (language, source, selector) in [
        ("yaml", "jobs:\n  a:\n    x: 1\n    # no y\n  b:\n    x: 2\n", "block_mapping_pair#a"),
        ("yaml", "a:\n- x\n# - y\n\nb: 2\n", "block_mapping_pair#a"),
        ("toml", "[a]\nx = 1\n# y = 2\n\n[b]\ny = 2\n", "table#a"),
        ("toml", "[a]\nx = 1\n# y = 2\n", "table#a"),
        ("ruby", "case x\nwhen 1\n  a\n  # b\nwhen 2\n  b\nend\n", "when:first"),
        ("swift", "switch x {\ncase 1:\n    a()\n    // b\ncase 2:\n    b()\n}\n", "switch_entry:first"),
    ] {
        let tree = parsed(source, language);
        let text = tree.node_text(only(&tree, selector)).into_owned();
        assert!(text.contains('#') || text.contains("//"), "{language}: {text}\n{source}");
    }
}

#[test]
fn comments_are_released_one_by_one() {
    let source = "jobs:\n  a:\n    x:\n      y: 1\n      # y\n    # x\n  # a\n# jobs\nother: 2\n";
    let tree = parsed(source, "yaml");
    for (selector, last) in [
        ("block_mapping_pair#y", "1"),
        ("block_mapping_pair#x", "# y"),
        ("block_mapping_pair#a", "# x"),
        ("block_mapping_pair#jobs", "# a"),
    ] {
        let text = tree.node_text(only(&tree, selector)).into_owned();
        assert!(text.ends_with(last), "{selector}: {text}");
    }
}

#[test]
fn an_else_behind_an_elsif_stays() {
    let source = "if a\n  1\nelsif b\n  2\nelsif c\n  3\nelse\n  4\nend\n";
    let tree = parsed(source, "ruby");
    for (selector, expected) in [
        ("elsif:first", "if a\n  1\nelsif c\n  3\nelse\n  4\nend\n"),
        ("elsif:last", "if a\n  1\nelsif b\n  2\nelse\n  4\nend\n"),
        ("else", "if a\n  1\nelsif b\n  2\nelsif c\n  3\nend\n"),
    ] {
        let outcome = run(&tree, &[Op::Delete { target: only(&tree, selector), extent: None }]).unwrap();
        assert_eq!(outcome.tree.text().to_string(), expected, "{selector}");
    }
}
