//! Operations: source and operations in, text out.

use cst::edit::{Allow, EditError, Extent, Op, Outcome, Position, apply};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

fn tree(source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named("python").unwrap(), &ParseLimits::default()).unwrap()
}

/// The first node of a type whose text starts so: `identifier x`; `#2` before it is the third such.
fn node(tree: &Tree, words: &str) -> Node {
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

fn run(tree: &Tree, ops: &[Op]) -> Result<Outcome, EditError> {
    apply(tree, ops, Allow::default(), &ParseLimits::default())
}

/// What a batch makes of a source. Each operation is in words: `delete TARGET`, `replace TARGET => CODE`.
fn text(source: &str, ops: &[&str]) -> Result<String, EditError> {
    let tree = tree(source);
    let ops: Vec<Op> = ops.iter().map(|words| op(&tree, words)).collect();
    run(&tree, &ops).map(|outcome| outcome.tree.text().to_string())
}

#[track_caller]
fn check(source: &str, ops: &[&str], expected: &str) {
    match text(source, ops) {
        Ok(found) => assert_eq!(found, expected, "{ops:?} on\n{source}"),
        Err(error) => panic!("{ops:?} on\n{source}\n{error}"),
    }
}

#[track_caller]
fn refused(source: &str, ops: &[&str], code: &str) {
    match text(source, ops) {
        Ok(found) => panic!("{ops:?} gave\n{found}"),
        Err(error) => assert_eq!(error.code(), code, "{error}"),
    }
}

/// An operation in words.
fn op(tree: &Tree, words: &str) -> Op {
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
        "rename" | "rename_all" => {
            Op::Rename { target: node(tree, target), to: code, references: verb == "rename_all" }
        }
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
fn replace_keeps_the_place() {
    check(
        "def f():\n    a\n    b\n",
        &["replace expression_statement a => if x:\n    y"],
        "def f():\n    if x:\n        y\n    b\n",
    );
    check(
        "def f():\n    a\n",
        &["replace expression_statement a => \n        if x:\n            y\n"],
        "def f():\n    if x:\n        y\n",
    );
    check(
        "class A:\n    def f(self):\n        a\n",
        &["replace function_definition => def f(self):\n        b\n        c"],
        "class A:\n    def f(self):\n        b\n        c\n",
    );
    check(
        "class A:\n    x = f(\n        1,\n    )\n",
        &["replace call => g(\n        2,\n    )"],
        "class A:\n    x = g(\n        2,\n    )\n",
    );
    check(
        "def f(): return 1\n",
        &["replace return_statement => if x:\n    return 2"],
        "def f():\n    if x:\n        return 2\n",
    );
    check("def f(): return 1\n", &["replace return_statement => return 2"], "def f(): return 2\n");
    check("def f(): return 1\n", &["replace block => a\nb"], "def f():\n    a\n    b\n");
    check("def f():\n    a\n    b\n", &["replace block => c"], "def f():\n    c\n");
    check("a; b; c\n", &["replace expression_statement b => if x:\n    y"], "a\nif x:\n    y\nc\n");
    check("a; b; c\n", &["replace expression_statement b => d"], "a; d; c\n");
    check("if a:\n    b\nelse:\n    c\n", &["replace else_clause => elif d:\n    e"], "if a:\n    b\nelif d:\n    e\n");
    check("f(a, b)\n", &["replace identifier a => c,"], "f(c, b)\n");
    check("f(a, b)\n", &["replace identifier a => g(\n    1,\n)"], "f(g(\n    1,\n), b)\n");
    check("a\r\nb\r\n", &["replace expression_statement a => x\ny"], "x\r\ny\r\nb\r\n");
    check("a = 1\n", &["replace module => b = 2"], "b = 2\n");
    check("a = 1", &["replace module => b = 2"], "b = 2");
    check("def f(a: int): pass\n", &["replace typed_parameter => b: str = ''"], "def f(b: str = ''): pass\n");
    check(
        "if x:\n\ta\n",
        &["replace expression_statement a => if y:\n    if z:\n        b"],
        "if x:\n\tif y:\n\t\tif z:\n\t\t\tb\n",
    );
}

#[test]
fn replace_never_indents_strings() {
    let code = "x = \"\"\"\none\n  two\n\"\"\"";
    check(
        "def f():\n    a\n",
        &[&format!("replace expression_statement a => {code}")],
        &format!("def f():\n    {code}\n"),
    );
    check(
        "def f():\n    a\n",
        &[&format!("after expression_statement a => if y:\n    {code}")],
        &format!("def f():\n    a\n    if y:\n        {code}\n"),
    );
    let inside = "f\"\"\"{a}\n    b\u{2028}c\n\"\"\"";
    check(
        &format!("x = {inside}\n"),
        &["wrap expression_statement => if y:\n    $0"],
        &format!("if y:\n    x = {inside}\n"),
    );
    check(&format!("if y:\n    x = {inside}\n"), &["unwrap if_statement"], &format!("x = {inside}\n"));
}

#[test]
fn replace_and_decorators() {
    let source = "# c\n@a\ndef f(): pass\n";
    check(source, &["replace function_definition => def g(): pass"], "# c\n@a\ndef g(): pass\n");
    check(source, &["replace decorated_definition => def g(): pass"], "# c\n@a\ndef g(): pass\n");
    check(source, &["replace function_definition => @b\ndef g(): pass"], "# c\n@b\ndef g(): pass\n");
    check(source, &["replace (full) function_definition => def g(): pass"], "def g(): pass\n");
    check(source, &["replace decorator => @b"], "# c\n@b\ndef f(): pass\n");
    check("def f(): pass\n", &["replace function_definition => @b\ndef g(): pass"], "@b\ndef g(): pass\n");
    let tree = tree(source);
    let outcome = run(&tree, &[op(&tree, "replace function_definition => def g(): pass")]).unwrap();
    assert_eq!(outcome.operations[0].notes, ["kept the decorators of `f`"]);
    let made = outcome.operations[0].nodes[0];
    assert_eq!(outcome.tree.id(made), tree.id(node(&tree, "function_definition")));
}

#[test]
fn replace_ranges() {
    check("a\nb\nc\nd\n", &["range expression_statement b .. expression_statement c => x"], "a\nx\nd\n");
    check("f(a, b, c)\n", &["range identifier a .. identifier b => x"], "f(x, c)\n");
    check(
        "def f():\n    a; b\n    c\n",
        &["range expression_statement b .. expression_statement c => if x:\n    y"],
        "def f():\n    a\n    if x:\n        y\n",
    );
    refused("a\nb\n", &["range expression_statement b .. expression_statement a => x"], "bad_request");
}

#[test]
fn moves() {
    let source =
        "import a\n\n\n# about f\n@dec\ndef f():\n    \"\"\"D\n  oc.\"\"\"\n    pass\n\n\nclass A:\n    x = 1\n";
    check(
        source,
        &["move_last function_definition => class_definition"],
        "import a\n\n\nclass A:\n    x = 1\n\n    # about f\n    @dec\n    def f():\n        \"\"\"D\n  oc.\"\"\"\n        pass\n",
    );
    check("a\nb\nc\n", &["move_before expression_statement c => expression_statement a"], "c\na\nb\n");
    check("a\nb\nc\n", &["move_after expression_statement a => expression_statement b"], "b\na\nc\n");
    check("a\nb\n", &["move_before expression_statement a => expression_statement b"], "a\nb\n");
    check("f(a, b, c)\n", &["move_after identifier a => identifier c"], "f(b, c, a)\n");
    check("f(a, b, c)\n", &["move_first identifier c => argument_list"], "f(c, a, b)\n");
    check(
        "if x:\n    a  # one\nelse:\n    b\n",
        &["move_last expression_statement a => else_clause"],
        "if x:\n    pass\nelse:\n    b\n    a  # one\n",
    );
    check("a; b\nc\n", &["move_after expression_statement a => expression_statement c"], "b\nc\na\n");
    check(
        "def f():\n    a\n\n\ndef g(): pass\n",
        &["move_first expression_statement a => #1 function_definition"],
        "def f():\n    pass\n\n\ndef g():\n    a\n    pass\n",
    );
    refused("def f():\n    a\n", &["move_last function_definition => function_definition"], "bad_request");
}

#[test]
fn wraps_and_unwraps() {
    check(
        "def f():\n    a\n    b\n",
        &["wrap expression_statement a => with lock:\n    $0"],
        "def f():\n    with lock:\n        a\n    b\n",
    );
    check(
        "a  # t\nb\n",
        &["wrap expression_statement a => try:\n    $0\nfinally:\n    c"],
        "try:\n    a  # t\nfinally:\n    c\nb\n",
    );
    check("a; b\n", &["wrap expression_statement a => if x:\n    $0"], "if x:\n    a\nb\n");
    check("if x: a\n", &["wrap expression_statement a => if y:\n    $0"], "if x:\n    if y:\n        a\n");
    check("x = a\n", &["wrap #1 identifier => f($0)"], "x = f(a)\n");
    check("a()\n", &["wrap call => f($0, 1)"], "f(a(), 1)\n");
    check(
        "@dec\ndef f():\n    a\n",
        &["wrap function_definition => if x:\n    $0"],
        "if x:\n    @dec\n    def f():\n        a\n",
    );
    check("@dec\ndef f():\n    a\n", &["wrap function_definition => @b\n$0"], "@dec\n@b\ndef f():\n    a\n");
    check("if x:\n\ta\n", &["wrap expression_statement => if y:\n    $0"], "if x:\n\tif y:\n\t\ta\n");
    check("f(\n    a,\n)\n", &["wrap call => if y:\n  $0"], "if y:\n    f(\n        a,\n    )\n");
    check("with x:\n    # c\n    a\n\n    b\nc\n", &["unwrap with_statement"], "# c\na\n\nb\nc\n");
    check("if x: a; b\nc\n", &["unwrap if_statement"], "a; b\nc\n");
    check("x = (a)\n", &["unwrap parenthesized_expression"], "x = a\n");
    check("x = f(a)\n", &["unwrap call"], "x = a\n");
    check(
        "def g():\n    if x:\n        a\n    else:\n        b\n",
        &["unwrap else_clause"],
        "def g():\n    if x:\n        a\n    b\n",
    );
    refused("x = 1\n", &["wrap integer => f(1)"], "bad_request");
    refused("a\n", &["unwrap identifier"], "bad_request");
}

#[test]
fn substitutes_inside_of_a_node() {
    check("f('a a')\na\n", &["sub string => a -> b"], "f('b b')\na\n");
    check(
        "def f(): return foo_1 + foo_2\n",
        &["sub_regex return_statement => foo_(\\d) -> bar$1"],
        "def f(): return bar1 + bar2\n",
    );
    check("a\n", &["sub identifier => a -> b"], "b\n");
    refused("a\n", &["sub identifier => x -> b"], "bad_request");
    refused("a\n", &["sub_regex identifier => ( -> b"], "bad_regex");
    refused("f(a, b)\n", &["sub identifier a => a -> a) + g(c"], "would_restructure");
}

#[test]
fn ensures_imports() {
    check("", &["import import os"], "import os\n");
    check("import os\n", &["import import os"], "import os\n");
    check("from a import b, c\n", &["import from a import c"], "from a import b, c\n");
    check("from a import b\n", &["import from a import b, c"], "from a import b\nfrom a import c\n");
    check(
        "\"\"\"Doc.\"\"\"\nfrom __future__ import x\n\nimport os\nfrom a import b\n\n\ndef f(): pass\n",
        &["import import sys"],
        "\"\"\"Doc.\"\"\"\nfrom __future__ import x\n\nimport os\nimport sys\nfrom a import b\n\n\ndef f(): pass\n",
    );
    check("\"\"\"Doc.\"\"\"\nx = 1\n", &["import import os"], "\"\"\"Doc.\"\"\"\nimport os\nx = 1\n");
    check(
        "import os\n",
        &["import from __future__ import annotations"],
        "from __future__ import annotations\nimport os\n",
    );
    check(
        "#!/usr/bin/env python\n# coding: utf-8\nx = 1\n",
        &["import import os"],
        "#!/usr/bin/env python\n# coding: utf-8\nimport os\nx = 1\n",
    );
    check("def f(): pass\n", &["import import os"], "import os\n\n\ndef f(): pass\n");
    refused("", &["import x = 1"], "bad_request");
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
fn renames_the_definition() {
    check("def f(): pass\nf()\n", &["rename function_definition => g"], "def g(): pass\nf()\n");
    check("@f\nclass A: pass\n", &["rename decorated_definition => B"], "@f\nclass B: pass\n");
    check("x = 1\n", &["rename assignment => y"], "y = 1\n");
    refused("f(1)\n", &["rename call => g"], "bad_request");
    refused("def f(): pass\n", &["rename function_definition => a b"], "bad_request");
    refused("def f(): pass\n", &["rename function_definition => a.b"], "bad_request");
    refused("def f(): pass\n", &["rename function_definition => class"], "bad_request");
}

#[test]
fn renames_what_resolves_to_it() {
    check(
        "def f(): f()\nx.f()\ng(f=f)\n'f'\n",
        &["rename_all function_definition => h"],
        "def h(): h()\nx.f()\ng(f=h)\n'f'\n",
    );
    check(
        "def f(): pass\ndef g(f): return f\ndef k():\n    f = 1\n    return f\n",
        &["rename_all function_definition def f => h"],
        "def h(): pass\ndef g(f): return f\ndef k():\n    f = 1\n    return f\n",
    );
    check(
        "x = 1\ndef f():\n    global x\n    x = 2\ndef g():\n    return x\n",
        &["rename_all assignment x = 1 => y"],
        "y = 1\ndef f():\n    global y\n    y = 2\ndef g():\n    return y\n",
    );
    check(
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    return x\nx = 3\n",
        &["rename_all assignment x = 1 => y"],
        "def f():\n    y = 1\n    def g():\n        nonlocal y\n        y = 2\n    return y\nx = 3\n",
    );
    check(
        "class A:\n    def f(self): return self.f\n    def g(self): self.f(); f\n    h = f\n    @staticmethod\n    def s(q): q.f\na.f()\nA.f\n",
        &["rename_all function_definition def f => k"],
        "class A:\n    def k(self): return self.k\n    def g(self): self.k(); f\n    h = k\n    @staticmethod\n    def s(q): q.f\na.f()\nA.k\n",
    );
    check(
        "def f(a, b=a):\n    return [a for a in a] + [a]\nf(a=1)\ng(a=2)\n",
        &["rename_all identifier a => c"],
        "def f(c, b=a):\n    return [a for a in c] + [c]\nf(c=1)\ng(a=2)\n",
    );
    check(
        "for i in i:\n    print(f'{i}')\n[(y := i) for i in i]\ny\n",
        &["rename_all named_expression => z"],
        "for i in i:\n    print(f'{i}')\n[(z := i) for i in i]\nz\n",
    );
    check("import a as b\nb.c\n", &["rename_all aliased_import => d"], "import a as d\nd.c\n");
    check(
        "match x:\n    case A(y=y) if y: y\n",
        &["rename_all #1 identifier y => z"],
        "match x:\n    case A(y=z) if z: z\n",
    );
    refused("def f(): pass\ng = 1\n", &["rename_all function_definition => g"], "bad_request");
    refused("def f(): pass\ndef k():\n    g = 1\n    f()\n", &["rename_all function_definition => g"], "bad_request");
    refused("def f(): pass\nprint(1)\n", &["rename_all function_definition => print"], "bad_request");
    refused(
        "try:\n    from a import f\nexcept E:\n    def f(): pass\n",
        &["rename_all function_definition => g"],
        "bad_request",
    );
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

#[test]
fn errors_show_the_place() {
    let tree = tree("def f():\n    a\n    b\n");
    let error = run(&tree, &[op(&tree, "replace expression_statement a => x = (1")]).unwrap_err();
    assert_eq!(error.code(), "would_break_syntax");
    assert_eq!(error.line(), Some(2));
    assert!(error.to_string().contains("    x = (1\n    ^"), "{error}");
}
