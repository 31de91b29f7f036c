//! Elements of lists that come and go, down to the last one, and what must go or come with them.

use super::edit::{check, op, refused, run, tree};

#[test]
fn an_only_item_of_a_with_needs_no_brackets() {
    check("with (a as x, b):\n    c\n", &["delete with_item b"], "with a as x:\n    c\n");
    check("with (a as x, b):\n    c\n", &["delete with_item a"], "with b:\n    c\n");
    check("with (a as x, b,):\n    c\n", &["delete with_item a"], "with b:\n    c\n");
    check("with (\n    a as x,\n    b(),\n):\n    c\n", &["delete with_item a"], "with b():\n    c\n");
    check("with(a as x, b): c\n", &["delete with_item a"], "with b: c\n");
    check("with a as x, b:\n    c\n", &["delete with_item a"], "with b:\n    c\n");
    check("with a as x, b:\n    c\n", &["delete with_item b"], "with a as x:\n    c\n");
    check("with (a as x, b, d):\n    c\n", &["delete with_item b"], "with (a as x, d):\n    c\n");
    check("with (a as x, b, d):\n    c\n", &["delete with_item b", "delete with_item d"], "with a as x:\n    c\n");
    refused("with a as x, b:\n    c\n", &["delete with_item a", "delete with_item b"], "bad_request");
    refused("with (a as x, b):\n    c\n", &["delete with_item a", "delete with_item b"], "bad_request");
}

#[test]
fn an_import_goes_with_its_last_name() {
    check("x\nfrom a import b\ny\n", &["delete dotted_name b"], "x\ny\n");
    check("import a\nx\n", &["delete dotted_name a"], "x\n");
    check("import a.b as c; x\n", &["delete aliased_import"], "x\n");
    check("from a import (\n    b as c,\n)\nx\n", &["delete aliased_import"], "x\n");
    check("def f():\n    import a\n", &["delete dotted_name a"], "def f():\n    pass\n");
    check("from a import b, c\nx\n", &["delete dotted_name b", "delete dotted_name c"], "x\n");
    check("from a import b, c\n", &["delete dotted_name b"], "from a import c\n");
    check("def f():\n    global x\n    y\n", &["delete identifier x"], "def f():\n    y\n");
    let tree = tree("from a import b\nx\n");
    let outcome = run(&tree, &[op(&tree, "delete dotted_name b")]).unwrap();
    assert_eq!(outcome.operations[0].notes, ["deleted `from a import b`, which would be empty"]);
}

#[test]
fn one_of_two_strings_side_by_side_goes() {
    check("x = 'a' 'b'\n", &["delete string 'a'"], "x = 'b'\n");
    check("x = 'a' 'b'\n", &["delete string 'b'"], "x = 'a'\n");
    check("x = ('a'\n     'b')\n", &["delete string 'a'"], "x = ('b')\n");
    check("x = ('a'\n     'b')\n", &["delete string 'b'"], "x = ('a')\n");
    check("x = 'a' \\\n    f'{b}'\ny\n", &["delete string f"], "x = 'a'\ny\n");
    check("f('a' 'b', 'c')\n", &["delete string 'a'"], "f('b', 'c')\n");
    check("x = 'a' 'b' 'c'\n", &["delete string 'b'"], "x = 'a' 'c'\n");
    refused("x = 'a' 'b'\n", &["delete string 'a'", "delete string 'b'"], "conflict");
}

#[test]
fn an_only_element_is_a_tuple_where_that_means_something() {
    check("del a, b\n", &["delete identifier a"], "del b\n");
    check("del a, b\n", &["delete identifier b"], "del a\n");
    check("del a, b.c, d\n", &["delete identifier a", "delete identifier d"], "del b.c\n");
    check("return a, b\n", &["delete identifier a"], "return b,\n");
    check("return a, b\n", &["delete identifier b"], "return a,\n");
    check("a, b = c\n", &["delete identifier a"], "b, = c\n");
    check("x = (a, b)\n", &["delete identifier b"], "x = (a,)\n");
    check("x = (a, b)\n", &["delete identifier a", "delete identifier b"], "x = ()\n");
    for source in ["return a, b\n", "x = a, b\n", "del a, b\n", "a, b = x\n", "for a, b in x: pass\n"] {
        refused(source, &["delete identifier a", "delete identifier b"], "bad_request");
    }
    refused("x = a + b\n", &["delete identifier a", "delete identifier b"], "would_break_syntax");
}

#[test]
fn new_elements_are_laid_out_as_the_others() {
    check("x = [\n    a,\n    b,\n]\n", &["last list => c"], "x = [\n    a,\n    b,\n    c,\n]\n");
    check("x = [\n    a,\n    b\n]\n", &["last list => c"], "x = [\n    a,\n    b,\n    c\n]\n");
    check("x = [\n    a,\n    b,\n]\n", &["after identifier a => c"], "x = [\n    a,\n    c,\n    b,\n]\n");
    check("x = [\n    a,\n    b,\n]\n", &["first list => c"], "x = [\n    c,\n    a,\n    b,\n]\n");
    let (before, after) =
        ("x = [\n    a,  # one\n    b,  # two\n]\n", "x = [\n    a,  # one\n    b,  # two\n    c,\n]\n");
    check(before, &["last list => c"], after);
    check("f(a,\n  b)\n", &["last argument_list => c"], "f(a,\n  b, c)\n");
    check("x = [\n    1, 2,\n    3, 4,\n]\n", &["last list => 5"], "x = [\n    1, 2,\n    3, 4, 5,\n]\n");
    check("f(a,\n  b,\n  c)\n", &["last argument_list => d"], "f(a,\n  b,\n  c,\n  d)\n");
    check("f(a,\n  b,\n  c)\n", &["after identifier b => d"], "f(a,\n  b,\n  d,\n  c)\n");
}

#[test]
fn the_first_imports_stand_apart() {
    check("x = 1\n", &["import import os"], "import os\n\nx = 1\n");
    check("\nx = 1\n", &["import import os"], "\nimport os\n\nx = 1\n");
    check("'''Doc.'''\n\nx = 1\n", &["import import os"], "'''Doc.'''\n\nimport os\n\nx = 1\n");
    let two = ["import import os", "import import sys"];
    check("'''Doc.'''\nx = 1\n", &two, "'''Doc.'''\nimport os\nimport sys\n\nx = 1\n");
    check("'''Doc.'''\n\n\ndef f(): pass\n", &two[..1], "'''Doc.'''\n\nimport os\n\n\ndef f(): pass\n");
    check("def f(): pass\n\ndef g(): pass\n", &two[..1], "import os\n\ndef f(): pass\n\ndef g(): pass\n");
    check("#!/usr/bin/python\n\nx = 1\n", &two[..1], "#!/usr/bin/python\n\nimport os\n\nx = 1\n");
    check("# Licence\n\nx = 1\n", &two[..1], "# Licence\n\nimport os\n\nx = 1\n");
    check("import a\nx = 1\n", &two[..1], "import a\nimport os\nx = 1\n");
    check("'''Doc.'''\n", &two[..1], "'''Doc.'''\n\nimport os\n");
}
