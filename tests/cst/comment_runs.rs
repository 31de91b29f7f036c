//! Long runs of comments: the tree is the one that the grammar makes of the whole text.

use cst::language::{Language, Languages};
use cst::text::{EditSet, Text, TextEdit};
use cst::tree::{EditIntent, Node, ParseLimits, Tree};
use proptest::prelude::*;

fn python() -> &'static Language {
    Languages::built_in().named("python").expect("Python is built in")
}

fn parsed(source: &str) -> Tree {
    Tree::parse(Text::new(source), python(), &ParseLimits::default()).expect("it is parsed")
}

/// A node: its type, its bytes, its depth.
type Row = (String, usize, usize, usize);

/// All nodes of a tree.
fn rows(tree: &Tree) -> Vec<Row> {
    let table = tree.table();
    let depth = |node: Node| table.ancestors(node).count();
    table
        .nodes()
        .map(|node| {
            let span = table.span(node);
            (tree.type_name(node).to_owned(), span.start(), span.end(), depth(node))
        })
        .collect()
}

/// All nodes of a text as tree-sitter gives them, each with its own end.
fn expected(source: &str) -> Vec<Row> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(python().grammar()).expect("the grammar fits");
    let tree = parser.parse(source, None).expect("it is parsed");
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        found.push((node.kind().to_owned(), node.start_byte(), node.end_byte(), depth));
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
            depth -= 1;
        }
    }
}

/// Type, start and depth; ends differ where nodes are cut at their lines' ends.
fn starts(rows: &[Row]) -> Vec<(&str, usize, usize)> {
    rows.iter().map(|(name, start, _, depth)| (name.as_str(), *start, *depth)).collect()
}

#[track_caller]
fn check(source: &str) {
    let (found, expected) = (rows(&parsed(source)), expected(source));
    assert_eq!(starts(&found), starts(&expected), "{source}");
    // A comment ends before its line end, of which the grammar leaves only the LF out.
    let comments = |rows: &[Row]| -> Vec<(usize, usize, usize)> {
        let comments = rows.iter().filter(|row| row.0 == "comment");
        comments
            .map(|&(_, start, end, depth)| (start, start + source[start..end].trim_end_matches('\r').len(), depth))
            .collect()
    };
    assert_eq!(comments(&found), comments(&expected), "{source}");
}

/// So many comment lines at a column, the next ones a little further.
fn comments(count: usize, column: usize, end: &str) -> String {
    (0..count).map(|line| format!("{}# line {line}{end}", " ".repeat(column + line % 3))).collect()
}

#[test]
fn runs_are_where_the_grammar_puts_them() {
    let run = |column: usize| comments(80, column, "\n");
    for source in [
        run(0),
        format!("x = 1\n{}y = 2\n", run(0)),
        format!("x = 1\n{}", run(0)),
        format!("def f():\n{}    x = 1\n{}y = 2\n", run(4), run(4)),
        format!("def f():\n    x = 1\n{}y = 2\n", run(0)),
        format!("def f():\n    x = 1\n{}    y = 2\n", run(0)),
        format!("class A:\n    def f(self):\n        x = 1\n{}{}{}    def g(self): pass\n", run(8), run(4), run(0)),
        format!("if x:\n    y = 1\n{}elif z:\n{}    a\n{}else:\n    b\n", run(0), run(4), run(2)),
        format!("x = [\n    1,\n{}    2,\n]\n", run(4)),
        format!("x = [\n{}]\n", run(0)),
        // No comments: text, and holes in it.
        format!("x = \"\"\"\n{}\"\"\"\ny = 1\n", run(0)),
        format!("x = f\"\"\"\n{}\"\"\"\ny = 1\n", run(0).replace("line", "{line}")),
        // A text that begins or ends in what looks like a run.
        format!("x = \"\"\"\n{}# \"\"\"\n{}y = 1\n", run(0), run(0)),
        format!("x = \"\"\"\n# \"\"\"\n{}y = 1\n", run(0)),
        format!("{}# x = \"\"\"\n{}y = 1\n", run(0), run(0)),
        // Blank lines between, other line ends, no line end at the end.
        format!("x = 1\n{}y = 2\n", run(0).replace("7\n", "7\n\n  \n")),
        format!("x = 1\r\n{}y = 2\r\n", comments(80, 0, "\r\n")),
        format!("x = 1\n{}# last", run(0)),
        format!("x = \\\n{}1\n", run(0)),
        // An error before, in the middle, behind.
        format!("x = (\n{}y = 2\n", run(0)),
        format!("x = 1\n{}] y\n", run(0)),
        format!("def f():\n{}", run(4)),
    ] {
        check(&source);
    }
}

#[test]
fn a_cr_alone_ends_a_comment() {
    let source = format!("x = 1\n{}y = 2\n", comments(80, 0, "\n").replace("40\n", "40\rz = 3\n"));
    let tree = parsed(&source);
    let found = rows(&tree);
    assert_eq!(found.iter().filter(|row| row.0 == "assignment").count(), 3);
    assert_eq!(found.iter().filter(|row| row.0 == "comment").count(), 80);
}

#[test]
fn many_lines_are_parsed_at_all() {
    // By the square of the lines this takes longer than a parse may.
    let count = 60_000;
    let tree = parsed(&format!("x = 1\n{}y = 2\n", comments(count, 0, "\n")));
    assert_eq!(rows(&tree).iter().filter(|row| row.0 == "comment").count(), count);
}

#[test]
fn an_edit_in_a_run_is_an_edit_of_the_text() {
    let source = format!("def f():\n    x = 1\n{}y = 2\n", comments(90, 0, "\n"));
    let tree = parsed(&source);
    for (old, new) in
        [("# line 50", "z = 1 #"), ("# line 50", "\"\"\""), ("# line 0\n", ""), ("x = 1", "x = (1"), ("y", "(")]
    {
        let start = source.find(old).expect("it is there");
        let edit = TextEdit::new(cst::text::Span::new(start, start + old.len()), new);
        let edits = EditSet::new(vec![edit]).expect("one edit");
        let edited = tree.edit(&edits, &EditIntent::default(), &ParseLimits::default()).expect("it is parsed");
        let changed = source.replacen(old, new, 1);
        assert_eq!(rows(&edited.tree), rows(&parsed(&changed)), "{old} {new}");
        check(&changed);
    }
}

/// A line of a generated text.
fn line() -> impl Strategy<Value = String> {
    let column = prop_oneof![Just(0usize), Just(2), Just(4), Just(8)];
    let text = prop_oneof![
        24 => Just("# comment"),
        2 => Just(""),
        1 => Just("x = 1"),
        1 => Just("if x:"),
        1 => Just("y = [1,"),
        1 => Just("]"),
        1 => Just("s = \"\"\""),
        1 => Just("# \"\"\""),
        1 => Just("\"\"\""),
        1 => Just("x = \\"),
    ];
    (column, text).prop_map(|(column, text)| format!("{}{text}\n", " ".repeat(column)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_text_has_the_tree_of_the_grammar(
        head in prop::collection::vec(line(), 0..6),
        column in 0usize..5,
        count in 64usize..120,
        tail in prop::collection::vec(line(), 0..160),
    ) {
        check(&format!("{}{}{}", head.concat(), comments(count, column, "\n"), tail.concat()));
    }
}
