//! Operations that keep a node's place or carry it elsewhere: replace, move, wrap, unwrap, rename, sub, imports.

use super::edit::{check, node, op, refused, run, tree};

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
    check("\"\"\"Doc.\"\"\"\nx = 1\n", &["import import os"], "\"\"\"Doc.\"\"\"\nimport os\n\nx = 1\n");
    check(
        "import os\n",
        &["import from __future__ import annotations"],
        "from __future__ import annotations\nimport os\n",
    );
    check(
        "#!/usr/bin/env python\n# coding: utf-8\nx = 1\n",
        &["import import os"],
        "#!/usr/bin/env python\n# coding: utf-8\nimport os\n\nx = 1\n",
    );
    check("def f(): pass\n", &["import import os"], "import os\n\n\ndef f(): pass\n");
    refused("", &["import x = 1"], "bad_request");
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
fn what_goes_and_what_comes_may_touch() {
    let source = "class A:\n\tx = 1\n\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 1\n";
    check(
        source,
        &["move_after function_definition => class_definition"],
        "class A:\n\tx = 1\n\n\ndef f(self):\n\tif x:\n\t\treturn 1\n",
    );
    check(
        "def f():\n    a\n    b",
        &["delete expression_statement b", "after function_definition => c"],
        "def f():\n    a\n\n\nc",
    );
    check("z\n\na = 1  # one\nb = 2  # two\n\ny\n", &["delete assignment a", "delete assignment b"], "z\n\ny\n");
    check("if a:\n    b  # t\nelse:\n    c\n", &["unwrap if_statement"], "b  # t\n");
    check("x = [\n    a,\n    b\n]\n", &["move_after identifier a => identifier b"], "x = [\n    b,\n    a\n]\n");
}
