//! Operations: source and operations in, text out.

use cst::edit::{Allow, EditError, Extent, Op, Outcome, Position, References, apply};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

use crate::error_code::error_code;

pub fn tree(source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named("python").unwrap(), &ParseLimits::default()).unwrap()
}

/// The first node of a type whose text starts so: `identifier x`; `#2` before it is the third such.
pub fn node(tree: &Tree, words: &str) -> Node {
    let (nth, words) = match words.strip_prefix('#') {
        Some(rest) => rest.split_once(' ').map(|(nth, rest)| (nth.parse().unwrap(), rest)).unwrap(),
        None => (0, words),
    };
    let (type_name, text) = words.split_once(' ').unwrap_or((words, ""));
    let fits = |&node: &Node| {
        tree.type_name(node) == type_name && tree.table().is_named(node) && tree.node_text(node).starts_with(text)
    };
    let found = tree.table().nodes().filter(fits).nth(nth);
    found.unwrap_or_else(|| panic!("no `{words}` in\n{}", tree.text()))
}

pub fn run(tree: &Tree, ops: &[Op]) -> Result<Outcome, EditError> {
    apply(tree, ops, Allow::default(), &ParseLimits::default())
}

/// What a batch makes of a source. Each operation is in words: `delete TARGET`, `replace TARGET => CODE`.
fn text(source: &str, ops: &[&str]) -> Result<String, EditError> {
    let tree = tree(source);
    let ops: Vec<Op> = ops.iter().map(|words| op(&tree, words)).collect();
    run(&tree, &ops).map(|outcome| outcome.tree.text().to_string())
}

#[track_caller]
pub fn check(source: &str, ops: &[&str], expected: &str) {
    match text(source, ops) {
        Ok(found) => assert_eq!(found, expected, "{ops:?} on\n{source}"),
        Err(error) => panic!("{ops:?} on\n{source}\n{error}"),
    }
}

#[track_caller]
pub fn refused(source: &str, ops: &[&str], code: &str) {
    match text(source, ops) {
        Ok(found) => panic!("{ops:?} gave\n{found}"),
        Err(error) => assert_eq!(error_code(&error), code, "{error}"),
    }
}

/// An operation in words.
pub fn op(tree: &Tree, words: &str) -> Op {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let (extent, rest) = match (rest.strip_prefix("(full) "), rest.strip_prefix("(node) ")) {
        (Some(rest), _) => (Some(Extent::Full), rest),
        (_, Some(rest)) => (Some(Extent::Node), rest),
        _ => (None, rest),
    };
    let (target, code) = rest.split_once(" => ").unwrap_or((rest, ""));
    let code = code.to_owned();
    let position = match verb {
        "before" | "move_before" => Position::Before,
        "after" | "move_after" => Position::After,
        "first" | "move_first" => Position::First,
        _ => Position::Last,
    };
    match verb {
        "replace" => Op::Replace { target: node(tree, target), code, extent },
        "range" => {
            let (from, to) = target.split_once(" .. ").unwrap();
            Op::ReplaceRange { from: node(tree, from), to: node(tree, to), code, extent }
        }
        "before" | "after" | "first" | "last" => Op::Insert { target: node(tree, target), position, code, extent },
        "delete" => Op::Delete { target: node(tree, target), extent },
        "move_before" | "move_after" | "move_first" | "move_last" => {
            Op::Move { target: node(tree, target), position, to: node(tree, &code), extent }
        }
        "wrap" => Op::Wrap { target: node(tree, target), code, extent },
        "unwrap" => Op::Unwrap { target: node(tree, target) },
        "rename" | "rename_all" => Op::Rename {
            target: node(tree, target),
            to: code,
            references: (verb == "rename_all").then_some(References::File),
        },
        "sub" | "sub_regex" => {
            let (find, replace) = code.split_once(" -> ").unwrap();
            let (find, replace) = (find.to_owned(), replace.to_owned());
            Op::Sub { target: node(tree, target), find, replace, regex: verb == "sub_regex" }
        }
        "import" => Op::EnsureImport { code: rest.to_owned() },
        _ => panic!("no operation `{verb}`"),
    }
}

#[test]
fn delete_takes_the_line() {
    check("a = 1\nb = 2\nc = 3\n", &["delete expression_statement b"], "a = 1\nc = 3\n");
    check("a = 1\nb = 2  # two\nc = 3\n", &["delete assignment b"], "a = 1\nc = 3\n");
    check("a = 1\n\nb = 2\n\nc = 3\n", &["delete assignment b"], "a = 1\n\nc = 3\n");
    check("a = 1\nb = 2", &["delete assignment b"], "a = 1");
    check("a = 1\r\nb = 2", &["delete assignment b"], "a = 1");
    check("a = 1\rb = 2\rc = 3\r", &["delete assignment b"], "a = 1\rc = 3\r");
    check("a = 1", &["delete assignment a"], "");
    check("a = 1\n\n\n\nb = 2\n", &["delete assignment a"], "b = 2\n");
    check("def f():\n    a\n\n    b\n\n\nx = 1\n", &["delete expression_statement b"], "def f():\n    a\n\n\nx = 1\n");
    check("def f():\n    a\n\n    b\n", &["delete expression_statement a"], "def f():\n    b\n");
}

#[test]
fn delete_takes_what_belongs_to_a_definition() {
    let source = "import a\n\n\n# about f\n# more\n@dec\ndef f():\n    pass\n\n\ndef g(): pass\n";
    check(source, &["delete function_definition def f"], "import a\n\n\ndef g(): pass\n");
    check(source, &["delete decorated_definition"], "import a\n\n\ndef g(): pass\n");
    check(source, &["delete decorator"], "import a\n\n\n# about f\n# more\ndef f():\n    pass\n\n\ndef g(): pass\n");
    let first = "class A:\n    # about f\n    def f(self): pass\n\n    def g(self): pass\n";
    check(first, &["delete function_definition def f"], "class A:\n    def g(self): pass\n");
    check(
        "#!/usr/bin/python\n# coding: utf-8\ndef f(): pass\n",
        &["delete function_definition"],
        "#!/usr/bin/python\n# coding: utf-8\n",
    );
    check(
        "# unrelated\n\ndef f(): pass\n\n\ndef g(): pass\n",
        &["delete function_definition"],
        "# unrelated\n\n\ndef g(): pass\n",
    );
}

#[test]
fn delete_leaves_what_a_block_needs() {
    check("def f():\n    return 1\n", &["delete return_statement"], "def f():\n    pass\n");
    check("def f(): return 1\n", &["delete return_statement"], "def f(): pass\n");
    check(
        "def f():\n    a\n    b\n",
        &["delete expression_statement a", "delete expression_statement b"],
        "def f():\n    pass\n",
    );
    check("def f():\n    a\n    b\n", &["delete block"], "def f():\n    pass\n");
    check("if x: a; b\n", &["delete expression_statement a", "delete expression_statement b"], "if x: pass\n");
    check("def f():\n    # why\n    return 1\n", &["delete return_statement"], "def f():\n    # why\n    pass\n");
    check("try:\n    a\nexcept E:\n    b\n", &["delete #1 expression_statement"], "try:\n    a\nexcept E:\n    pass\n");
    check("def f():\n    a\n", &["delete expression_statement a", "first block => b"], "def f():\n    b\n");
}

#[test]
fn delete_on_a_shared_line() {
    check("a; b; c\n", &["delete expression_statement a"], "b; c\n");
    check("a; b; c\n", &["delete expression_statement b"], "a; c\n");
    check("a; b; c\n", &["delete expression_statement c"], "a; b\n");
    check("a; b; c\n", &["delete expression_statement b", "delete expression_statement c"], "a\n");
    check("a; b  # t\nc\n", &["delete expression_statement b"], "a  # t\nc\n");
    check("a; b\nc\n", &["delete expression_statement a", "delete expression_statement b"], "c\n");
    check("if x: a; b\n", &["delete expression_statement a"], "if x: b\n");
    check("a; b\nc\nd\n", &["delete expression_statement b", "delete expression_statement c"], "a\nd\n");
}

#[test]
fn delete_in_lists() {
    check("f(a, b, c)\n", &["delete identifier a"], "f(b, c)\n");
    check("f(a, b, c)\n", &["delete identifier b"], "f(a, c)\n");
    check("f(a, b, c)\n", &["delete identifier c"], "f(a, b)\n");
    check("f(a, b, c)\n", &["delete identifier a", "delete identifier b", "delete identifier c"], "f()\n");
    check("f(a, b, c)\n", &["delete identifier b", "delete identifier c"], "f(a)\n");
    check("x = (a, b)\n", &["delete identifier b"], "x = (a,)\n");
    check("x = (a, b)\n", &["delete identifier a"], "x = (b,)\n");
    check("x = a, b\n", &["delete identifier b"], "x = a,\n");
    check("x = [\n    a,\n    b,\n    c,\n]\n", &["delete identifier b"], "x = [\n    a,\n    c,\n]\n");
    check("x = [\n    a,\n    b,  # two\n]\n", &["delete identifier b"], "x = [\n    a,\n]\n");
    check("x = [\n    a,\n    b\n]\n", &["delete identifier b"], "x = [\n    a\n]\n");
    check("x = [\n    a,\n    b\n]\n", &["delete identifier a", "delete identifier b"], "x = []\n");
    check("def f(a, b=1, *, c): pass\n", &["delete default_parameter"], "def f(a, *, c): pass\n");
    check("from x import a, b\n", &["delete dotted_name b"], "from x import a\n");
    check("from x import (\n    a,\n    b,\n)\n", &["delete dotted_name a"], "from x import (\n    b,\n)\n");
    check("f(a,\n  b,\n  c)\n", &["delete identifier c"], "f(a,\n  b)\n");
    check("f(a,\n  b,\n  c)\n", &["delete identifier b"], "f(a,\n  c)\n");
    check("x = {'a': 1, 'b': 2}\n", &["delete pair 'a'"], "x = {'b': 2}\n");
    check("f((a), b)\n", &["delete #1 identifier"], "f(b)\n");
}

#[test]
fn delete_parts() {
    check("def f() -> int:\n    pass\n", &["delete type int"], "def f():\n    pass\n");
    check("def f(a=1): pass\n", &["delete integer"], "def f(a): pass\n");
    check("def f():\n    return x\n", &["delete #1 identifier"], "def f():\n    return\n");
    check("class A(B): pass\n", &["delete argument_list"], "class A: pass\n");
    check("x: int = 1\n", &["delete type"], "x = 1\n");
    check("if a:\n    b\nelse:\n    c\nd\n", &["delete else_clause"], "if a:\n    b\nd\n");
    check("if a:\n    b\nelif c:\n    d\nelse:\n    e\n", &["delete elif_clause"], "if a:\n    b\nelse:\n    e\n");
    check("x = ('a'\n     'b'\n     'c')\n", &["delete string 'b'"], "x = ('a'\n     'c')\n");
    refused("x = 1\n", &["delete integer"], "would_break_syntax");
    refused("try:\n    a\nexcept E:\n    b\n", &["delete except_clause"], "would_break_syntax");
}

#[test]
fn insert_beside_statements() {
    check("a\nb\n", &["before expression_statement b => x = 1"], "a\nx = 1\nb\n");
    check("a\nb\n", &["after expression_statement a => x = 1\ny = 2"], "a\nx = 1\ny = 2\nb\n");
    check("a\nb", &["after expression_statement b => c"], "a\nb\nc");
    check("a\r\nb\r\n", &["after expression_statement a => x\ny"], "a\r\nx\r\ny\r\nb\r\n");
    check("a\rb\r", &["before expression_statement b => x\ny"], "a\rx\ry\rb\r");
    check("a  # t\nb\n", &["after expression_statement a => x"], "a  # t\nx\nb\n");
    check("if x:\n\ta\n", &["after expression_statement a => if y:\n    b"], "if x:\n\ta\n\tif y:\n\t\tb\n");
    check("if x:\n  a\n", &["after expression_statement a => if y:\n    b"], "if x:\n  a\n  if y:\n    b\n");
    check("a; b\n", &["after expression_statement a => x"], "a; x; b\n");
    check("a; b\n", &["after expression_statement a => if x:\n    y"], "a\nif x:\n    y\nb\n");
    check("a; b\n", &["after expression_statement b => x"], "a; b\nx\n");
    check("a\n", &["after expression_statement a => b", "after expression_statement a => c"], "a\nb\nc\n");
    check("a\n", &["before expression_statement a => b", "before expression_statement a => c"], "b\nc\na\n");
    check("", &["first module => import os"], "import os\n");
    check("# c\n", &["last module => x"], "# c\nx\n");
}

#[test]
fn insert_definitions_with_blank_lines() {
    let two = "def f():\n    pass\n\n\ndef h():\n    pass\n";
    check(
        two,
        &["after function_definition def f => def g():\n    pass"],
        "def f():\n    pass\n\n\ndef g():\n    pass\n\n\ndef h():\n    pass\n",
    );
    check(
        two,
        &["before function_definition def h => def g():\n    pass"],
        "def f():\n    pass\n\n\ndef g():\n    pass\n\n\ndef h():\n    pass\n",
    );
    check("import a\n", &["after import_statement => def f(): pass"], "import a\n\n\ndef f(): pass\n");
    check("x = 1\ny = 2\n", &["after assignment x => def f(): pass"], "x = 1\n\n\ndef f(): pass\n\n\ny = 2\n");
    check(
        "class A:\n    def f(self): pass\n",
        &["last class_definition => def g(self): pass"],
        "class A:\n    def f(self): pass\n\n    def g(self): pass\n",
    );
    check(
        "class A:\n    def f(self): pass\n\n\nx = 1\n",
        &["last class_definition => def g(self): pass"],
        "class A:\n    def f(self): pass\n\n    def g(self): pass\n\n\nx = 1\n",
    );
    check(
        "class A:\n    \"\"\"Doc.\"\"\"\n\n    def f(self): pass\n",
        &["first class_definition => x = 1"],
        "class A:\n    \"\"\"Doc.\"\"\"\n    x = 1\n\n    def f(self): pass\n",
    );
    check(
        "# about\n@dec\ndef f(): pass\n",
        &["before function_definition => x = 1"],
        "x = 1\n\n\n# about\n@dec\ndef f(): pass\n",
    );
    check(
        "def f(): pass\ndef g(): pass\n",
        &["after function_definition def g => def h(): pass"],
        "def f(): pass\ndef g(): pass\ndef h(): pass\n",
    );
}

#[test]
fn insert_into_bodies() {
    check("def f(): return 1\n", &["first function_definition => x = 1"], "def f():\n    x = 1\n    return 1\n");
    check(
        "def f(): return 1  # c\n",
        &["last function_definition => x = 1"],
        "def f():\n    return 1  # c\n    x = 1\n",
    );
    check("if x: a; b\n", &["after expression_statement a => if y: c"], "if x:\n    a\n    if y: c\n    b\n");
    check(
        "def f():\n    \"\"\"Doc.\"\"\"\n    a\n",
        &["first function_definition => b"],
        "def f():\n    \"\"\"Doc.\"\"\"\n    b\n    a\n",
    );
    check("def f():\n    # c\n    a\n", &["first block => b"], "def f():\n    # c\n    b\n    a\n");
    check(
        "\"\"\"Doc.\"\"\"\nfrom __future__ import a\nx = 1\n",
        &["first module => y = 2"],
        "\"\"\"Doc.\"\"\"\nfrom __future__ import a\ny = 2\nx = 1\n",
    );
    check(
        "if a:\n    b\nelse:\n    c\n",
        &["before else_clause => elif d:\n    e"],
        "if a:\n    b\nelif d:\n    e\nelse:\n    c\n",
    );
    check("if a:\n    b\nx\n", &["last if_statement => c"], "if a:\n    b\n    c\nx\n");
    check("@a\ndef f(): pass\n", &["before decorator => @b"], "@b\n@a\ndef f(): pass\n");
    check("@a\ndef f(): pass\n", &["after decorator => @b"], "@a\n@b\ndef f(): pass\n");
    check("x = 1\n\n\ndef f(): pass\n", &["before function_definition => @b"], "x = 1\n\n\n@b\ndef f(): pass\n");
}

#[test]
fn insert_into_lists() {
    check("f(a)\n", &["last call => b"], "f(a, b)\n");
    check("f()\n", &["first call => b"], "f(b)\n");
    check("f(a)\n", &["first call => b,"], "f(b, a)\n");
    check("f(a, c)\n", &["after identifier a => b"], "f(a, b, c)\n");
    check("f(a, c)\n", &["before identifier c => b"], "f(a, b, c)\n");
    check("x = (a,)\n", &["last tuple => b"], "x = (a, b)\n");
    check("x = ()\n", &["last tuple => b"], "x = (b,)\n");
    check("x = [\n    a,\n]\n", &["last list => b"], "x = [\n    a,\n    b,\n]\n");
    check("x = [\n    a\n]\n", &["last list => b"], "x = [\n    a,\n    b\n]\n");
    check("x = [\n    a  # one\n]\n", &["last list => b"], "x = [\n    a,  # one\n    b\n]\n");
    check(
        "x = [\n    a,  # one\n    c,\n]\n",
        &["after identifier a => b"],
        "x = [\n    a,  # one\n    b,\n    c,\n]\n",
    );
    check("x = [\n    a,\n]\n", &["first list => b"], "x = [\n    b,\n    a,\n]\n");
    check("def f(): pass\n", &["last parameters => *, a=1"], "def f(*, a=1): pass\n");
    check("from x import a\n", &["last import_from_statement => b"], "from x import a, b\n");
    check("f(a)\n", &["after identifier a => b", "after identifier a => c"], "f(a, b, c)\n");
    check("f(a, b)\n", &["delete identifier a", "first call => c"], "f(c, b)\n");
    check("f(a, b)\n", &["delete identifier b", "last call => c"], "f(a, c)\n");
}

#[test]
fn conflicts_name_both() {
    refused("f(a, b)\n", &["delete call", "replace identifier a => c"], "conflict");
    refused("a\n", &["delete expression_statement", "delete expression_statement"], "conflict");
    refused("def f():\n    a\n", &["delete function_definition", "last function_definition => b"], "conflict");
    check("a\nb\n", &["delete expression_statement a", "before expression_statement b => c"], "c\nb\n");
    check(
        "f(a)\n",
        &["wrap identifier a => g($0)", "before identifier a => b", "after identifier a => c"],
        "f(b, g(a), c)\n",
    );
}

#[test]
fn gates() {
    refused("a\nb\n", &["replace expression_statement a => f("], "would_break_syntax");
    refused("a\nb\n", &["replace expression_statement a => '''"], "would_break_syntax");
    refused("x = a * b\n", &["replace identifier a => c + d"], "would_restructure");
    refused("a\n", &["after expression_statement a => def f():"], "would_break_syntax");
    refused("a\n", &["after expression_statement a => x = 1\n  y = 2"], "would_break_syntax");
    check("x = (\n\n\ndef f():\n    a\n    b\n", &["delete expression_statement b"], "x = (\n\n\ndef f():\n    a\n");
}

#[test]
fn comments_are_edited_like_lines() {
    check("a\n# c\nb\n", &["delete comment"], "a\nb\n");
    check("a  # c\nb\n", &["delete comment"], "a\nb\n");
    check("# c\n\na\n", &["delete comment"], "a\n");
    check("def f():\n    # c\n    a\n", &["delete comment"], "def f():\n    a\n");
    check("def f():\n    # c\n    a\n", &["before comment => b"], "def f():\n    b\n    # c\n    a\n");
    check("def f():\n    # c\n    a\n", &["after comment => b"], "def f():\n    # c\n    b\n    a\n");
    check("a\n# c\n", &["before comment => b"], "a\nb\n# c\n");
    check("a\n# c\nb\n", &["before comment => d"], "a\nd\n# c\nb\n");
    check("x = [\n    a,\n    # c\n]\n", &["delete comment"], "x = [\n    a,\n]\n");
    check("a  # c\n", &["replace comment => # d"], "a  # d\n");
}

/// Checks the line and the message of the error for code that replaces `a`.
#[track_caller]
fn says(code: &str, expected: &str) {
    let tree = tree("def f():\n    a\n    b\n\n\ndef h():\n    pass\n");
    let error = run(&tree, &[op(&tree, &format!("replace expression_statement a => {code}"))]).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn errors_show_the_place() {
    says("x = (1", "`)` expected in line 2\n    x = (1\n          ^");
    says("x\nif y\n    z", "`:` expected in line 3\n    if y\n        ^");
    says("'abc", "`'` expected in line 2\n    'abc\n        ^");
    says("f(a b)", "unexpected `b` in line 2\n    f(a b)\n        ^");
    says("return return", "unexpected `return` in line 2\n    return return\n    ^");
    says("@dec", "unexpected `@dec` in line 2\n    @dec\n    ^");
    says("def g():", "`pass` or another statement expected in a body in line 2\n    def g():\n            ^");
    let tree = tree("a\nb\n");
    let ops = [op(&tree, "replace expression_statement b => x = ("), op(&tree, "delete expression_statement a")];
    assert_eq!(run(&tree, &ops).unwrap_err().operation(), Some(0));
}

#[test]
fn batches_that_share_a_line() {
    check(
        "class A: pass\n",
        &["first class_definition => x = 1", "last class_definition => y = 2"],
        "class A:\n    x = 1\n    pass\n    y = 2\n",
    );
    check(
        "a; b\n",
        &["wrap expression_statement a => if x:\n    $0", "wrap expression_statement b => if y:\n    $0"],
        "if x:\n    a\nif y:\n    b\n",
    );
    check(
        "if z: a; b\n",
        &["wrap expression_statement a => if x:\n    $0", "replace expression_statement b => if y:\n    c"],
        "if z:\n    if x:\n        a\n    if y:\n        c\n",
    );
    check("def f(): pass\n", &["before function_definition => # about f"], "# about f\ndef f(): pass\n");
    check("a\nb\n", &["before expression_statement b => x", "after expression_statement a => y"], "a\ny\nx\nb\n");
    check(
        "def f():\n    a\n\n\ndef g():\n    b\n",
        &[
            "move_last expression_statement a => #1 function_definition",
            "move_last expression_statement b => function_definition",
        ],
        "def f():\n    b\n\n\ndef g():\n    a\n",
    );
}

#[test]
fn bytes_around_stay() {
    let limits = ParseLimits::default();
    let python = Language::named("python").unwrap();
    let edited = |bytes: &[u8]| {
        let text = Text::decode(bytes, None).unwrap();
        let tree = Tree::parse(text, python, &limits).unwrap();
        let outcome = run(&tree, &[op(&tree, "after expression_statement a => x\ny")]).unwrap();
        outcome.tree.text().encode().unwrap()
    };
    assert_eq!(edited(b"\xef\xbb\xbfa\r\nb"), b"\xef\xbb\xbfa\r\nx\r\ny\r\nb");
    assert_eq!(edited(b"\xff\xfea\0\n\0"), b"\xff\xfea\0\n\0x\0\n\0y\0\n\0");
    assert_eq!(edited(b"a\rb\nc\r\nd\r\n"), b"a\r\nx\r\ny\rb\nc\r\nd\r\n");
    assert_eq!(edited("a\n'\u{2028}\u{85}\x0b\x0c'".as_bytes()), "a\nx\ny\n'\u{2028}\u{85}\x0b\x0c'".as_bytes());
}

#[test]
fn a_batch_that_fails_changes_nothing() {
    let tree = tree("a\nb\n");
    let ops = [op(&tree, "delete expression_statement a"), op(&tree, "replace expression_statement b => x = (")];
    run(&tree, &ops).unwrap_err();
    assert_eq!(tree.text().to_string(), "a\nb\n");
}

#[test]
fn gates_open_when_told() {
    let tree = tree("x = a * b\n");
    let limits = ParseLimits::default();
    let ops = [op(&tree, "replace identifier a => c + d")];
    assert!(apply(&tree, &ops, Allow { syntax: true, structure: false, quotes: false }, &limits).is_err());
    let outcome = apply(&tree, &ops, Allow { syntax: false, structure: true, quotes: false }, &limits).unwrap();
    assert_eq!(outcome.tree.text().to_string(), "x = c + d * b\n");
    let ops = [op(&tree, "replace identifier a => (")];
    let outcome = apply(&tree, &ops, Allow { syntax: true, structure: true, quotes: false }, &limits).unwrap();
    assert_eq!(outcome.tree.text().to_string(), "x = ( * b\n");
}

#[test]
fn ids_live_on() {
    let old = tree("@d\ndef f(a):\n    if a:\n        return 1\n\n\nx = f(2)\n");
    let id = |words: &str| old.id(node(&old, words));
    let (function, test, call) = (id("function_definition"), id("if_statement"), id("call"));
    let same = |ops: &[&str], kept: &[cst::tree::NodeId]| {
        let ops: Vec<Op> = ops.iter().map(|words| op(&old, words)).collect();
        let outcome = run(&old, &ops).unwrap();
        for &id in kept {
            assert!(outcome.tree.node(id).is_some(), "{id} is gone after {ops:?}");
        }
    };
    same(&["wrap if_statement => with b:\n    $0"], &[function, test, call]);
    same(&["wrap call => g($0)"], &[function, test, call]);
    same(&["wrap function_definition => if b:\n    $0"], &[function, test, call]);
    same(&["move_after function_definition => assignment"], &[function, test, call]);
    same(&["replace function_definition => def g(): pass"], &[function, call]);
    same(&["replace decorated_definition => @e\ndef g(): pass"], &[function, call]);
    same(&["rename function_definition => g"], &[function, test, call, id("identifier f")]);
    same(&["delete decorator"], &[function, test, call]);
    same(&["before function_definition => @e"], &[function, test, call]);
    same(&["sub call => 2 -> 3"], &[function, test, call]);
}
