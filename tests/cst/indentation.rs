//! Nodes that end by indentation: trailing whitespace, and comments further left, do not belong to them.

use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

use crate::edit::{node, op, run};

fn tree(source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named("scala").unwrap(), &ParseLimits::default()).unwrap()
}

/// What a batch makes of a source.
#[track_caller]
fn edited(source: &str, words: &str, expected: &str) {
    let tree = tree(source);
    let outcome = run(&tree, &[op(&tree, words)]).unwrap_or_else(|error| panic!("{words} on\n{source}\n{error}"));
    let found = outcome.tree.text().to_string();
    assert_eq!(found, expected, "{words} on\n{source}\ngave\n{found}");
    sound(&outcome.tree);
}

/// The table is valid: the descendants of a node come right after it, and are within its bytes.
#[track_caller]
fn sound(tree: &Tree) {
    let table = tree.table();
    for node in table.nodes().skip(1) {
        let parent = table.parent(node).unwrap();
        assert!(table.is_within(node, parent) && table.subtree_end(node) <= table.subtree_end(parent));
        assert!(tree.span(parent).contains(tree.span(node)), "{} in {}", tree.type_name(node), tree.type_name(parent));
        let children: Vec<Node> = table.children(parent).collect();
        assert!(children.contains(&node), "{} of {}", tree.type_name(node), tree.type_name(parent));
        if let Some(previous) = table.previous_sibling(node) {
            assert_eq!(table.next_sibling(previous), Some(node));
        }
    }
}

/// Checks the type of the node around a comment, and where the node ends.
#[track_caller]
fn comment_in(source: &str, comment: &str, expected: &str) {
    let tree = tree(source);
    sound(&tree);
    let types = ["comment", "block_comment"];
    let is_it = |&node: &Node| types.contains(&tree.type_name(node)) && tree.node_text(node).contains(comment);
    let found = tree.table().nodes().find(is_it).unwrap_or_else(|| panic!("no {comment} in\n{source}"));
    let parent = tree.table().parent(found).unwrap();
    assert_eq!(tree.type_name(parent), expected, "{comment} in\n{source}");
}

const OBJECT: &str = "object A:\n  def a =\n    x\n    // own of a\n\n  /** Doc of b. */\n  def b = 1 // beside b\n  // own of A\n\n// of the file\nclass B {\n  def m =\n    y\n\n  // of B\n  def n = 2\n  // end of B\n}\n";

#[test]
fn comments_belong_where_they_are_indented() {
    comment_in(OBJECT, "own of a", "indented_block");
    comment_in(OBJECT, "Doc of b", "template_body");
    comment_in(OBJECT, "beside b", "template_body");
    comment_in(OBJECT, "own of A", "template_body");
    comment_in(OBJECT, "of the file", "compilation_unit");
    comment_in(OBJECT, "of B", "template_body");
    comment_in(OBJECT, "end of B", "template_body");
    let cases = "def f(x: Int) = x match\n  case 1 =>\n    one\n    // in one\n  // before two\n  case 2 => two\n  // after two\n// last\n";
    comment_in(cases, "in one", "indented_cases");
    comment_in(cases, "before two", "indented_cases");
    comment_in(cases, "after two", "indented_cases");
    comment_in(cases, "last", "compilation_unit");
}

#[test]
fn nodes_end_with_their_text() {
    let tree = tree(OBJECT);
    let text = |words: &str| tree.node_text(node(&tree, words)).into_owned();
    assert_eq!(text("function_definition def a"), "def a =\n    x\n    // own of a");
    assert_eq!(text("function_definition def m"), "def m =\n    y");
    assert!(text("object_definition").ends_with("// own of A"), "{:?}", text("object_definition"));
    assert_eq!(tree.lines(node(&tree, "function_definition def m")), (12, 13));
    assert_eq!(tree.doc(node(&tree, "function_definition def b")).as_deref(), Some("Doc of b."));
}

#[test]
fn edits_leave_the_next_definition_alone() {
    let source = "object A:\n  def a =\n    x\n\n  /** Doc of b. */\n  def b = 1\n\nopaque type Id = Long\n";
    let without = "object A:\n  /** Doc of b. */\n  def b = 1\n\nopaque type Id = Long\n";
    edited(source, "delete function_definition def a", without);
    let longer = source.replace("    x\n", "    x\n    y\n");
    edited(source, "last indented_block => y", &longer);
    let after = source.replace("    x\n\n", "    x\n\n  def c = 2\n\n");
    edited(source, "after function_definition def a => def c = 2", &after);
    let extension = "extension (s: String)\n  def once = s\n  def twice =\n    s + s\nopaque type Id = Long\n";
    let without = "extension (s: String)\n  def once = s\nopaque type Id = Long\n";
    edited(extension, "delete function_definition def twice", without);
}

#[test]
fn the_sample_is_sound() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors/scala/sample.scala");
    sound(&tree(&std::fs::read_to_string(path).unwrap()));
}

#[test]
fn new_code_with_an_old_last_line_is_in_the_style_of_the_file() {
    use cst::edit::Op;

    for (language, source, selector, code, expected) in [
        (
            "go",
            "package a\n\nfunc f() {\n\tx()\n}\n",
            "function",
            "func f() {\n    if a {\n        b()\n    }\n}",
            "package a\n\nfunc f() {\n\tif a {\n\t\tb()\n\t}\n}\n",
        ),
        (
            "java",
            "class A {\n\tvoid f() {\n\t\tx();\n\t}\n}\n",
            "method",
            "void f() {\n    if (a) {\n        b();\n    }\n}",
            "class A {\n\tvoid f() {\n\t\tif (a) {\n\t\t\tb();\n\t\t}\n\t}\n}\n",
        ),
        (
            "javascript",
            "function f() {\n  x();\n}\n",
            "function",
            "function f() {\n    if (a) {\n        b();\n    }\n}",
            "function f() {\n  if (a) {\n    b();\n  }\n}\n",
        ),
        (
            "rust",
            "fn f() {\n  x();\n}\n",
            "function",
            "fn f() {\n    if a {\n        b();\n    }\n}",
            "fn f() {\n  if a {\n    b();\n  }\n}\n",
        ),
        (
            "ruby",
            "def f\n    x\nend\n",
            "method, function",
            "def f\n  if a\n    b\n  end\nend",
            "def f\n    if a\n        b\n    end\nend\n",
        ),
    ] {
        let tree = crate::rewriting::parsed(source, language);
        let target = crate::finding::nodes(&tree, selector).unwrap()[0];
        let outcome = crate::edit::run(&tree, &[Op::Replace { target, code: code.to_owned(), extent: None }]).unwrap();
        assert_eq!(outcome.tree.text().to_string(), expected, "{language}");
    }
}
