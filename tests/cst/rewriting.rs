//! Rewriting matches by a template, on trees: what comes in a match's place, and what stays as it was.

use cst::edit::{self, Allow, RewriteError, Site, Template};
use cst::language::Language;
use cst::selector::{Definitions, Query, Selector, like};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

/// The tree of a text.
pub fn parsed(source: &str, language: &str) -> Tree {
    let language = Language::named(language).unwrap_or_else(|error| panic!("{error}"));
    Tree::parse(Text::new(source), language, &ParseLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The matches of a selector in a tree, as sites.
pub fn sites(tree: &Tree, selector: &str) -> Vec<Site> {
    let selector = Selector::parse(selector).unwrap_or_else(|error| panic!("{error}"));
    let query = Query::new(&selector, tree.language(), &Definitions::default());
    let found = query.and_then(|query| query.select(tree)).unwrap_or_else(|error| panic!("{error}"));
    found.into_iter().map(|found| Site { node: found.node, captures: found.captures }).collect()
}

fn rewritten(source: &str, language: &str, selector: &str, template: &str) -> Result<edit::Rewritten, RewriteError> {
    let tree = parsed(source, language);
    let query = Query::new(&Selector::parse(selector).expect("a selector"), tree.language(), &Definitions::default());
    let template = Template::parse(template)?.for_query(&query.unwrap_or_else(|error| panic!("{error}")));
    edit::rewrite(&tree, &sites(&tree, selector), &template, Allow::default(), &ParseLimits::default())
}

fn check_in(language: &str, source: &str, selector: &str, template: &str, expected: &str) {
    let done = rewritten(source, language, selector, template);
    let done = done.unwrap_or_else(|error| panic!("{selector} -> {template}\n{source}\n{error}"));
    let text = done.outcome.tree.text().to_string();
    assert_eq!(text, expected, "{selector} -> {template}");
    assert_eq!(parsed(source, language).text().apply(&done.outcome.edits).to_string(), text, "the edits make the text");
}

/// A code pattern's matches in Python code.
fn check(source: &str, pattern: &str, template: &str, expected: &str) {
    check_in("python", source, &like(pattern), template, expected);
}

fn refused(source: &str, pattern: &str, template: &str) -> String {
    rewritten(source, "python", &like(pattern), template).expect_err("it should be refused").to_string()
}

#[test]
fn matches_in_each_other_are_rewritten_in_one_pass() {
    check("f(f(x))\n", "f($X)", "g($X)", "g(g(x))\n");
    check("f(a, f(b, f(c, d)))\n", "f($A, $B)", "f($B, $A)", "f(f(f(d, c), b), a)\n");
    check("y = f(1) + f(f(2) * 3)\n", "f($X)", "g(0, $X)", "y = g(0, 1) + g(0, g(0, 2) * 3)\n");
    check("f(f(a))\n", "f($X)", "[$X, $X]", "[[a, a], [a, a]]\n");
    check("not not x\n", "not $X", "neg($X)", "neg(neg(x))\n");
    check_in("python", "f(g(f(x)))\n", ":like(\"f($X)\")", "await $0", "await f(g(await f(x)))\n");
    let deep = format!("{}x{}\n", "f(".repeat(300), ")".repeat(300));
    check(&deep, "f($X)", "g($X)", &deep.replace('f', "g"));
}

#[test]
fn what_no_capture_holds_goes_with_the_match() {
    let done = rewritten("f(f(1), 2)\n", "python", &like("f($$$)"), "g()").expect("it parses");
    assert_eq!(done.outcome.tree.text().to_string(), "g()\n");
    assert_eq!((done.changed, done.overlapping.len()), (1, 1));
}

#[test]
fn only_what_differs_changes() {
    let source = "self.assertEqual(  # why\n    a,\n      b  ,   # b\n    )\nself . assertEqual(1,2)\n";
    check(source, "self.assertEqual($$$A)", "self.assert_equal($$$A)", &source.replace("assertEqual", "assert_equal"));
    check("f(a,\n  b,\n)\n", "f($A, $B)", "f($A, $B, c=1)", "f(a,\n  b, c=1,\n)\n".replace(", c=1,", ", c=1").as_str());
    check("f( a , b )\n", "f($A, $B)", "f($A, $B)", "f( a , b )\n");
    check("f( x )\r\ng( f(1) )\r\n", "f($X)", "h($X)", "h( x )\r\ng( h(1) )\r\n");
    check("f(a, # one\n  b)\n", "f($A, $B)", "f($A, $B, 3)", "f(a, # one\n  b, 3)\n");
}

#[test]
fn comments_never_get_lost() {
    check("if x:\n    f(a, # one\n      b)\n", "f($A, $B)", "$A + $B", "if x:\n    # one\n    a + b\n");
    check("x = f(a, # one\n  b # two\n  )\n", "f($A, $B)", "$B - $A", "# one\n# two\nx = b - a\n");
    check("f(g(1, # in\n    2))\n", "f($X)", "h($X)", "h(g(1, # in\n    2))\n");
    check_in(
        "javascript",
        "foo(a /* one */, b) // end\n",
        &like("foo($A, $B)"),
        "$A.foo($B)",
        "/* one */\na.foo(b) // end\n",
    );
}

#[test]
fn captures_keep_their_layout_and_are_indented_to_where_they_land() {
    check(
        "def f():\n    if x:\n        a()\n        if y:\n            b()\n",
        "if x: $$$B",
        "$$$B",
        "def f():\n    a()\n    if y:\n        b()\n",
    );
    check(
        "def f():\n    a()\n\n    # c\n    b(\"\"\"\n  s\n\"\"\")\n",
        "def f(): $$$B",
        "def f():\n  try:\n    $$$B\n  finally:\n    pass",
        "def f():\n    try:\n        a()\n\n        # c\n        b(\"\"\"\n  s\n\"\"\")\n    finally:\n        pass\n",
    );
    check_in(
        "go",
        "func f() {\n\tif ok {\n\t\tg(\n\t\t\t1,\n\t\t)\n\t}\n}\n",
        &like("if $C { $$$B }"),
        "if !$C {\n  return\n}\n$$$B",
        "func f() {\n\tif !ok {\n\t\treturn\n\t}\n\tg(\n\t\t1,\n\t)\n}\n",
    );
}

#[test]
fn what_ends_a_statement_stays_unless_it_is_shown() {
    let throw = "class A { void f() { throw x; } }\n";
    check_in("java", throw, &like("throw $X"), "throw wrap($X)", "class A { void f() { throw wrap(x); } }\n");
    check_in(
        "java",
        throw,
        &like("throw $X;"),
        "if (a) { throw $X; }",
        "class A { void f() { if (a) { throw x; } } }\n",
    );
    check_in(
        "java",
        throw,
        &like("throw $X"),
        "if (a) { throw $X; }",
        "class A { void f() { if (a) { throw x; } } }\n",
    );
    check_in("rust", "fn f() -> u8 { return 1; }\n", &like("return $X;"), "$X", "fn f() -> u8 { 1 }\n");
    check_in("c", "#include <a.h>\nint x;\n", &like("#include $X"), "#include \"b.h\"", "#include \"b.h\"\nint x;\n");
}

#[test]
fn lines_end_where_the_brackets_stay() {
    check("eq(a, b,\n   \"m\")\n", "eq($A, $B, $M)", "assert $A == $B, $M", "assert a == b, \"m\"\n");
    check("eq(a,  # why\n   b)\n", "eq($A, $B)", "x = $A, $B", "# why\nx = a, b\n");
    check("eq(a,\n   b)\n", "eq($A, $B)", "f(g($A, $B))", "f(g(a,\n   b))\n");
    check("x = (eq(a,\n   b))\n", "eq($A, $B)", "($A, $B)", "x = ((a,\n   b))\n");
}

#[test]
fn an_empty_hole_takes_its_separator_along() {
    check("f(a)\nf(a, b, c)\n", "f($A, $$$R)", "g($A, $$$R)", "g(a)\ng(a, b, c)\n");
    check("f()\nf(b)\n", "f($$$R)", "f(ctx, $$$R)", "f(ctx)\nf(ctx, b)\n");
    check("f()\nf(b)\n", "f($$$R)", "f($$$R, ctx)", "f(ctx)\nf(b, ctx)\n");
    check("f(a)\nf(a, m)\n", "f($A, $$$M)", "assert $A, $$$M", "assert a\nassert a, m\n");
}

#[test]
fn parentheses_where_precedence_asks_for_them() {
    check("y = double(x + 1)\n", "double($A)", "$A * 2", "y = (x + 1) * 2\n");
    check("y = double(x)\n", "double($A)", "$A * 2", "y = x * 2\n");
    check("y = double(f(x))[0]\n", "double($A)", "$A * 2", "y = (f(x) * 2)[0]\n");
    check("y = 1 - sub(a - b, c - d)\n", "sub($A, $B)", "$A - $B", "y = 1 - (a - b - (c - d))\n");
    check("eq(a == b, not c)\n", "eq($A, $B)", "assert $A == $B", "assert (a == b) == (not c)\n");
    check("eq(a +\n   b, c)\n", "eq($A, $B)", "assert $A == $B", "assert (a +\n   b) == c\n");
    check(
        "eq(\"a\"\n   \"b\", [\n  1,\n])\n",
        "eq($A, $B)",
        "assert $A == $B",
        "assert (\"a\"\n   \"b\") == [\n  1,\n]\n",
    );
    check("f(**g(a.b or c))\n", "**$X", "**$X", "f(**g(a.b or c))\n");
    check("f(**(a or b))\n", "f(**$X)", "g(**$X)", "g(**(a or b))\n");
    check("neg(a).real\n", "neg($A)", "-$A", "(-a).real\n");
    check("get(lambda: 1, 2)\n", "get($F, $X)", "$F($X)", "(lambda: 1)(2)\n");
    check_in("javascript", "y = half(a + b);\n", &like("half($A)"), "$A / 2", "y = (a + b) / 2;\n");
    check_in(
        "rust",
        "fn f() { let y = half(a + b); }\n",
        &like("half($A)"),
        "$A / 2",
        "fn f() { let y = (a + b) / 2; }\n",
    );
}

#[test]
fn a_result_that_breaks_the_syntax_is_refused_with_its_place() {
    let message = refused("x = eq(a, b)\n", "eq($A, $B)", "assert $A == $B");
    assert!(message.contains("line 1") && message.contains("x = assert a == b"), "{message}");
    assert!(refused("f(x)\n", "f($X)", "g($X, $Y)").contains("captures no `Y`"));
    assert!(refused("f(x)\n", "f($X)", "g(${X|loud})").contains("unknown filter `loud`"));
}

#[test]
fn captures_and_variables_are_one_name_space() {
    check_in(
        "python",
        "class A:\n    def f(self): self.log(1)\n",
        "class@C method@m :like(\"self.log($X)\")@call",
        "log($X, \"${C|s/(?s)^class (\\w+).*/$1/}\")",
        "class A:\n    def f(self): log(1, \"A\")\n",
    );
    check_in("python", "def getName(): pass\n", "function > identifier.name", "${0|snake}", "def get_name(): pass\n");
    check_in(
        "python",
        "def HTTPServer_name(): pass\n",
        "function > identifier.name",
        "${0|camel}",
        "def httpServerName(): pass\n",
    );
    check("\"a %s b\" % x\n", "$S % $X", "f${S|s/%s/{$X}/}", "f\"a {x} b\"\n");
    check("f('x')\nf(y)\n", "f($X)", "g(\"${X|unquote}\")", "g(\"x\")\ng(\"y\")\n");
}

#[test]
fn an_empty_template_takes_the_match_away() {
    check("import a\nprint(1)\nx = 1\n", "print($$$)", "", "import a\nx = 1\n");
    check("def f():\n    print(1)\n", "print($$$)", "", "def f():\n    pass\n");
    check("f(a, b)\n", "b", "", "f(a)\n");
}

#[test]
fn a_rewrite_that_changes_nothing_is_none() {
    let done = rewritten("f(x)\n", "python", &like("f($X)"), "f($X)").expect("it parses");
    assert!(done.outcome.edits.is_empty() && done.changed == 0);
}

#[test]
fn names_are_changed_without_a_second_parse_alike() {
    let sources = ["f(x)\n", "self.f( f(1), f )\n", "def f(): f(f)\n", "f(f'{f(1)}')\n"];
    for source in sources {
        for template in ["g($X)", "print($X)", "match($X)", "F($X)", "f2($X)"] {
            let tree = parsed(source, "python");
            let (found, template) = (sites(&tree, &like("f($X)")), Template::parse(template).expect("a template"));
            let limits = ParseLimits::default();
            let short =
                edit::rename_in_place(&tree, &found, &template, Allow::default(), &limits).expect("it can be filled");
            let long = edit::rewrite(&tree, &found, &template, Allow::default(), &limits).expect("it parses");
            let Some(short) = short else { continue };
            assert_eq!(tree.text().apply(&short.edits), *long.outcome.tree.text());
            assert_eq!(short.changed, long.changed);
        }
    }
}

#[test]
fn captures_can_be_put_in_four_million_places() {
    let template = format!("g({})", "$A, ".repeat(1_100));
    let error = refused(&"f(a)\n".repeat(2_000), "f($A)", &template);
    assert_eq!(error, "the template puts captures in more than 4000000 places");
}

#[test]
fn an_f_string_has_other_quotes_than_its_code() {
    check("x = \"{}\".format(d[\"k\"])\n", "\"{}\".format($A)", "f\"{$A}\"", "x = f'{d[\"k\"]}'\n");
    check("x = '{}'.format(d['k'])\n", "'{}'.format($A)", "f'{$A}'", "x = f\"{d['k']}\"\n");
    check(
        "x = \"{}\".format(d[\"k\"] + e['k'])\n",
        "\"{}\".format($A)",
        "f\"{$A}\"",
        "x = f\"\"\"{d[\"k\"] + e['k']}\"\"\"\n",
    );
    check("x = \"{}\".format(d.k)\n", "\"{}\".format($A)", "f\"{$A}\"", "x = f\"{d.k}\"\n");
    // What was there before stays.
    check("g(f\"{d[\"k\"]}\", a)\n", "g($A, $B)", "h($A, $B)", "h(f\"{d[\"k\"]}\", a)\n");
    check("x = f\"{d[\"k\"]} {f(y)}\"\n", "f($A)", "h(0, $A)", "x = f\"{d[\"k\"]} {h(0, y)}\"\n");
    let why = refused("x = \"{}\".format(d[\"\\n\"])\n", "\"{}\".format($A)", "f\"{$A}\"");
    assert!(why.contains("from 3.12 on"), "{why}");
}

#[test]
fn shared_code_moves_to_where_the_template_has_it() {
    check(
        "with lock:\n    a\n    b\n",
        "with lock:\n    $$$B",
        "if x:\n    with lock:\n        $$$B",
        "if x:\n    with lock:\n        a\n        b\n",
    );
    check(
        "def g():\n    with lock:\n        a\n        if b:\n            c\n    d\n",
        "with lock:\n    $$$B",
        "if x:\n    with lock:\n        $$$B\n        z",
        "def g():\n    if x:\n        with lock:\n            a\n            if b:\n                c\n            z\n    d\n",
    );
    check(
        "def f(x):\n    a\n    # why\n    return b\n",
        "def $F($$$P):\n    $$$B",
        "class A:\n    def $F(self, $$$P):\n        $$$B",
        "class A:\n    def f(self, x):\n        a\n        # why\n        return b\n",
    );
    check(
        "for y in z:\n    a\nelse:\n    b\n",
        "for $X in $Y:\n    $$$A\nelse:\n    $$$B",
        "if q:\n    for $X in $Y:\n        $$$A\n    else:\n        $$$B",
        "if q:\n    for y in z:\n        a\n    else:\n        b\n",
    );
    check("with lock:\n    a\n    b\n", "with lock:\n    $$$B", "for y in z:\n    $$$B", "for y in z:\n    a\n    b\n");
    for (language, source, pattern, template, expected) in [
        (
            "javascript",
            "while (1) {\n  if (a) {\n    b();\n    c();\n  }\n}\n",
            "if ($A) { $$$B }",
            "if (x) {\n  if ($A) {\n    $$$B\n  }\n}",
            "while (1) {\n  if (x) {\n    if (a) {\n      b();\n      c();\n    }\n  }\n}\n",
        ),
        (
            "rust",
            "fn f() {\n    if a {\n        b();\n        c();\n    }\n}\n",
            "if $A { $$$B }",
            "if x {\n    if $A {\n        $$$B\n    }\n}",
            "fn f() {\n    if x {\n        if a {\n            b();\n            c();\n        }\n    }\n}\n",
        ),
        (
            "go",
            "package a\n\nfunc f() {\n\tif a {\n\t\tb()\n\t\tc()\n\t}\n}\n",
            "if $A {\n$$$B\n}",
            "if x {\n\tif $A {\n\t\t$$$B\n\t}\n}",
            "package a\n\nfunc f() {\n\tif x {\n\t\tif a {\n\t\t\tb()\n\t\t\tc()\n\t\t}\n\t}\n}\n",
        ),
        (
            "ruby",
            "def f\n  if a\n    b\n    c\n  end\nend\n",
            "if $A\n  $$$B\nend",
            "if x\n  if $A\n    $$$B\n  end\nend",
            "def f\n  if x\n    if a\n      b\n      c\n    end\n  end\nend\n",
        ),
    ] {
        check_in(language, source, &like(pattern), template, expected);
    }
}

#[test]
fn strings_that_pattern_and_template_share_stay_as_the_match_has_them() {
    for (source, pattern, template, expected) in [
        ("f'{a[\"k\"]}'\n", "f\"$$$A\"", "g(f\"$$$A\")", "g(f'{a[\"k\"]}')\n"),
        ("f\"\"\"\n  {a}\n\"\"\"\n", "f\"$$$A\"", "g(f\"$$$A\")", "g(f\"\"\"\n  {a}\n\"\"\")\n"),
        ("f'say \"{a}\"'\n", "f\"$$$A\"", "g(f\"$$$A\")", "g(f'say \"{a}\"')\n"),
        ("f'''{a} b'''\n", "f\"{$A} b\"", "g(f\"{$A} b\", 1)", "g(f'''{a} b''', 1)\n"),
        ("f''\n", "f\"$$$A\"", "g(f\"$$$A\")", "g(f'')\n"),
        ("x('say \"a\"', \"b\")\n", "x(\"$A\", $B)", "y($B, \"$A\")", "y(\"b\", 'say \"a\"')\n"),
        ("x('a', \"b\")\n", "x(\"$A\", '$B')", "y('$B', \"$A\")", "y(\"b\", 'a')\n"),
        ("x('a')\n", "x(\"a\")", "y(\"a\", \"a\", \"b\")", "y('a', 'a', \"b\")\n"),
        ("x('''a''', 'a')\n", "x(\"a\", \"a\")", "y(\"a\", \"a\")", "y('''a''', 'a')\n"),
        (
            "if p:\n    x('''\n  a\nb''')\n",
            "x(\"$A\")",
            "if q:\n    x(\"$A\")",
            "if p:\n    if q:\n        x('''\n  a\nb''')\n",
        ),
        ("x(f'{x(f\"{b}\")}')\n", "x(f\"{$A}\")", "y(f\"{$A}\")", "y(f'{y(f\"{b}\")}')\n"),
        ("x['a']  # why\n", "$X[\"a\"]", "$X.get(\"a\")", "x.get('a')  # why\n"),
        // Other quotes in the template are meant.
        ("x('a')\n", "'$A'", "\"$A\"", "x(\"a\")\n"),
        ("x('a')\n", "x('a')", "x(\"a\")", "x(\"a\")\n"),
        // Filters make another string.
        ("x('a b')\n", "x(\"$A\")", "x(\"${A|snake}\")", "x(\"a_b\")\n"),
    ] {
        check(source, pattern, template, expected);
    }
    for (language, source, pattern, template, expected) in [
        ("javascript", "x('say \"a\"', `b`);\n", "x(\"$A\", \"b\")", "y(\"b\", \"$A\")", "y(`b`, 'say \"a\"');\n"),
        ("javascript", "x(`a ${b} c`);\n", "x(`a ${$B} c`)", "y(1, `a ${$B} c`)", "y(1, `a ${b} c`);\n"),
        ("typescript", "const a: T = x('\"');\n", "x(\"$A\")", "y(\"$A\")", "const a: T = y('\"');\n"),
        ("typescript", "x(`a`);\n", "x('a')", "y('a')", "y(`a`);\n"),
        ("ruby", "x('a \"#\"')\n", "x(\"$A\")", "y(\"$A\", 1)", "y('a \"#\"', 1)\n"),
        ("ruby", "x('a\\n')\n", "x(\"a\\n\")", "y(\"a\\n\")", "y('a\\n')\n"),
        ("ruby", "x(\"a#{b}\")\n", "x(\"a#{$B}\")", "y(0, \"a#{$B}\")", "y(0, \"a#{b}\")\n"),
        ("php", "<?php x('a\\n');\n", "x(\"a\\n\")", "y(\"a\\n\", 1)", "<?php y('a\\n', 1);\n"),
        ("go", "package a\nvar b = x(`a`)\n", "x(\"a\")", "y(\"a\", 1)", "package a\nvar b = y(`a`, 1)\n"),
        (
            "rust",
            "fn f() { x(r#\"a\"#, b\"c\"); }\n",
            "x(r#\"a\"#, $B)",
            "y($B, r#\"a\"#)",
            "fn f() { y(b\"c\", r#\"a\"#); }\n",
        ),
        (
            "kotlin",
            "val a = x(\"\"\"a\"\"\")\n",
            "x(\"\"\"a\"\"\")",
            "y(\"\"\"a\"\"\", 1)",
            "val a = y(\"\"\"a\"\"\", 1)\n",
        ),
        ("kotlin", "val a = x(\"a ${b}\")\n", "x(\"a ${$B}\")", "y(1, \"a ${$B}\")", "val a = y(1, \"a ${b}\")\n"),
        ("scala", "val a = x(s\"\"\"a $b\"\"\")\n", "x($A)", "y($A, \"\")", "val a = y(s\"\"\"a $b\"\"\", \"\")\n"),
        (
            "csharp",
            "class A { string x = f(@\"a\"); }\n",
            "f(@\"a\")",
            "g(@\"a\", 1)",
            "class A { string x = g(@\"a\", 1); }\n",
        ),
        (
            "csharp",
            "class A { string x = f($\"a {b}\"); }\n",
            "f($\"a {$B}\")",
            "g(1, $\"a {$B}\")",
            "class A { string x = g(1, $\"a {b}\"); }\n",
        ),
        ("swift", "let a = x(\"a\\(b)\")\n", "x(\"a\\($B)\")", "y(\"a\\($B)\", 1)", "let a = y(\"a\\(b)\", 1)\n"),
        ("lua", "x('a')\n", "x(\"a\")", "y(\"a\", 1)", "y('a', 1)\n"),
        ("dart", "var a = x('a');\n", "x(\"a\")", "y(\"a\", 1)", "var a = y('a', 1);\n"),
        ("dart", "var a = x('''a $b''');\n", "x(\"a $b\")", "y(\"a $b\", 1)", "var a = y('''a $b''', 1);\n"),
        ("bash", "x \"a\"\n", "x \"a\"", "y \"a\" b", "y \"a\" b\n"),
        ("toml", "a = 'b'\n", "a = \"b\"", "c = \"b\"", "c = 'b'\n"),
        ("css", "a { b: x('c') }\n", "x(\"c\")", "y(\"c\")", "a { b: y('c') }\n"),
    ] {
        check_in(language, source, &like(pattern), template, expected);
    }
}
