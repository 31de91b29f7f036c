//! Names that text makes, or that tools and code take from text, and places that mean two things at once: a rename is refused there,
//! and done beside them.

use serde_json::json;

use crate::refactored::{check, refused};

/// The rename of what is at a place of the first file is refused as uncertain.
#[track_caller]
pub(crate) fn uncertain(files: &[(&str, &str)], place: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("{}:{place}", files[0].0), "to": "zebra"});
    let (error, places) = refused(files, &rename);
    assert_eq!(error, "undetermined", "{files:?}: {places:?}");
}

/// In a program of one file, the rename at a place gives the text in which `old` is `zebra`.
#[track_caller]
pub(crate) fn renamed(file: (&str, &str), place: &str, old: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("{}:{place}", file.0), "to": "zebra"});
    check(&[file], &rename, &[(file.0, &file.1.replace(old, "zebra"))]);
}

#[test]
fn the_body_of_a_class_binds_on_some_ways_only() {
    for (text, place) in [
        ("x = 1\nclass K:\n    if x:\n        x = 2\n    y = x\n", "1:1"),
        ("x = 1\nclass K:\n    x = 2\n    a = x\n    del x\n    b = x\n", "1:1"),
        ("x = 1\nclass K:\n    x = 2\n    a = x\n    del x\n    b = x\n", "3:5"),
        ("x = 1\nclass K:\n    x += 1\n", "1:1"),
        ("k = 3\nclass K:\n    while k > 1:\n        k = k - 1\n", "1:1"),
        ("k = 3\nclass K:\n    try:\n        f()\n        k = 1\n    except E:\n        v = k\n", "1:1"),
    ] {
        uncertain(&[("a.py", text)], place);
    }
    renamed(("a.py", "x = 1\nclass K:\n    y = x\n    z = x + 1\n"), "1:1", "x");
    let text = "ox = 1\nclass K:\n    ant = 2\n    if ox:\n        b = ant\nprint(ox, K.ant)\n";
    renamed(("a.py", text), "3:5", "ant");
    renamed(("a.py", text), "1:1", "ox");
}

#[test]
fn a_base_that_code_chooses_may_have_a_member() {
    let text = "class A:\n    def run(self): pass\nclass C:\n    def run(self): pass\nclass B(A if len('x') else C):\n    def go(self): return self.run()\n";
    uncertain(&[("a.py", text)], "2:9");
    let text =
        "class A:\n    def run(self): pass\nbases = (A,)\nclass B(*bases):\n    def go(self): return self.run()\n";
    uncertain(&[("a.py", text)], "2:9");
}

#[test]
fn names_of_functions_and_classes_are_keys() {
    for text in [
        "def fast(): return 1\nT = {f.__name__: f for f in (fast,)}\nprint(T['fast']())\n",
        "def fast(): return 1\ndef add(f, T={}):\n    T[f.__name__] = f\n    return T\nprint(add(fast)['fast']())\n",
    ] {
        uncertain(&[("a.py", text)], "1:5");
    }
    uncertain(&[("a.py", "class Dog: pass\nT = {c.__name__.lower(): c for c in (Dog,)}\nprint(T['dog']())\n")], "1:7");
    uncertain(&[("a.js", "class Dog {}\nconst T = new Map([Dog].map(c => [c.name, c]));\nT.get('Dog');\n")], "1:7");
    // What is only shown is no key.
    let text = "class Dog: pass\ndef shown(o): return type(o).__name__ + '!'\nprint(shown(Dog()), 'dog')\n";
    check(
        &[("a.py", text)],
        &json!({"kind": "rename", "symbol": "a.py:1:7", "to": "Cat"}),
        &[("a.py", &text.replace("Dog", "Cat"))],
    );
}

#[test]
fn documentation_that_is_run_is_renamed_with_its_module() {
    let text = "def add(a, b):\n    \"\"\"Adds.\n\n    >>> add(1, 2)\n    3\n    \"\"\"\n    return a + b\n\n\nprint(add(1, 2))\n";
    renamed(("a.py", text), "1:5", "add");
    // The documentation binds the name itself.
    let text = "def add(a):\n    \"\"\"\n    >>> add = 3\n    >>> add\n    3\n    \"\"\"\n    return a\n";
    let renamed_text = text.replace("def add", "def zebra");
    let rename = json!({"kind": "rename", "symbol": "a.py:1:5", "to": "zebra"});
    check(&[("a.py", text)], &rename, &[("a.py", &renamed_text)]);
    let text = "class A:\n    def size(self):\n        \"\"\"\n        >>> A().size()\n        \"\"\"\n";
    renamed(("a.py", text), "2:9", "size");
    let text = "def add(cow, b):\n    \"\"\"\n    >>> add(cow=1, b=2)\n    \"\"\"\n    return cow + b\n";
    renamed(("a.py", text), "1:9", "cow");
    // An object of an unknown class may have the member.
    let text = "class A:\n    def size(self):\n        \"\"\"\n        >>> import other\n        >>> for a in other.all(A()):\n        ...     a.size()\n        \"\"\"\n";
    uncertain(&[("a.py", text)], "2:9");
    // What is no example is text.
    let text = "class Ox:\n    \"\"\"An Ox.\n\n    >>> [Ox() for _ in range(0)] # an Ox\n    []\n    \"\"\"\n";
    let changed = text.replace("class Ox", "class zebra").replace("[Ox", "[zebra");
    let rename = json!({"kind": "rename", "symbol": "a.py:1:7", "to": "zebra"});
    check(&[("a.py", text)], &rename, &[("a.py", &changed)]);
}

#[test]
fn text_makes_the_names_of_members_and_functions() {
    for (file, text, place) in [
        (
            "a.js",
            "class A { on_load() {} }\nconst f = (o, e) => o[['on', e].join('_')]();\nf(new A(), 'load');\n",
            "1:11",
        ),
        ("a.js", "class A { on_load() {} }\nconst f = (o, e) => o['on_'.concat(e)]();\nf(new A(), 'load');\n", "1:11"),
        ("a.rb", "class A\n  def do_run; end\nend\ndef fire(o, k) = o.send(format(\"do_%s\", k))\n", "2:7"),
        (
            "a.rb",
            "class A\n  def do_run; end\nend\ndef fire(o, k) = o.send([\"do\", k].join(\"_\"))\nfire(A.new, \"run\")\n",
            "2:7",
        ),
        ("a.rb", "class A\n  def size; end\nend\nA.class_eval \"def dbl; size * 2; end\"\n", "2:7"),
        ("a.php", "<?php\nfunction do_run() {}\n$k = \"run\"; (\"do_\" . $k)();\n", "2:10"),
        ("a.php", "<?php\nfunction do_run() {}\n$f = sprintf(\"do_%s\", \"run\"); $f();\n", "2:10"),
        (
            "a.php",
            "<?php\nclass A { const LEVEL_HIGH = 3; function g($n) { return constant(\"self::LEVEL_\" . $n); } }\n",
            "2:17",
        ),
        ("a.py", "class A:\n    def __init__(self): self.name = 1\nprint('{a[0].name}'.format(a=[A()]))\n", "2:30"),
        (
            "a.py",
            "import functools\nclass A:\n    def __init__(self): self.name = 1\ndef get(o, p): return functools.reduce(getattr, p.split('.'), o)\nprint(get(A(), 'b.name'))\n",
            "3:30",
        ),
        ("a.py", "def f(name): return eval(f\"{'na' + 'me'}\")\n", "1:7"),
        ("a.py", "import subprocess\ndef run(): pass\nsubprocess.run(['python', '-c', 'import a; a.run()'])\n", "2:5"),
        (
            "A.java",
            "class A { public int getSize() { return 1; }\n Object g(Object o, String n) throws Exception { return o.getClass().getMethod(\"get\" + n).invoke(o); } }\n",
            "1:22",
        ),
        (
            "a.go",
            "package a\n\nimport \"reflect\"\n\ntype A struct{}\n\nfunc (A) DoRun() {}\n\nvar x = reflect.ValueOf(A{}).MethodByName(\"Do\" + \"Run\")\n",
            "7:10",
        ),
        (
            "a.c",
            "#define CALL(n, a) op_##n(a)\nstatic int op_add(int a) { return a; }\nint main(void) { return CALL(add, 1); }\n",
            "2:12",
        ),
        (
            "a.c",
            "#define F(o, n) ((o).f_##n)\nstruct S { int f_a; };\nint get(struct S s) { return F(s, a); }\n",
            "2:16",
        ),
        (
            "a.c",
            "#define CAT(a, b) a##b\nstatic int op_add(int a) { return a; }\nint main(void) { return CAT(op_, add)(1); }\n",
            "2:12",
        ),
    ] {
        uncertain(&[(file, text)], place);
    }
    // The other part of the name is nowhere.
    renamed(
        (
            "a.c",
            "#define CALL(n, a) op_##n(a)\nstatic int op_add(int a) { return a; }\nint main(void) { return op_add(1); }\n",
        ),
        "2:12",
        "op_add",
    );
    renamed(("a.py", "def f(name): return eval('3') + name\n"), "1:7", "name");
}

#[test]
fn modules_that_code_gets_by_their_names_have_their_names() {
    let module = ("m.py", "def run(): return 1\n");
    for main in [
        "import sys, m\nprint(sys.modules['m'].run())\n",
        "import runpy\nprint(runpy.run_path('m.py')['run']())\n",
        "names = {}\nexec(open('m.py').read(), names)\nprint(names['run']())\n",
        "import importlib, m\nfor n in ['run']: print(getattr(importlib.reload(m), n))\n",
        "import inspect, m\nprint(inspect.getmembers(m))\n",
    ] {
        uncertain(&[module, ("main.py", main)], "1:5");
    }
    let main = "const load = async n => (await import(`./${n}.mjs`)).run();\n";
    uncertain(&[("m.mjs", "export function run() { return 1; }\n"), ("main.mjs", main)], "1:17");
}

#[test]
fn modules_are_mixed_into_classes_and_objects() {
    let text = "module M; def run = 1; end\nclass A; include M; def run = super + 1; end\nputs A.new.run\n";
    check(
        &[("a.rb", text)],
        &json!({"kind": "rename", "symbol": "a.rb:1:15", "to": "zebra"}),
        &[("a.rb", &text.replace("run", "zebra"))],
    );
    for text in [
        "module M; def run = 1; end\nclass A; def run = 0; end\na = A.new; a.extend(M); puts a.run\n",
        "module M; def run = 1; end\nclass A; def run = 0; end\nA.send(:prepend, M)\nputs A.new.run\n",
    ] {
        uncertain(&[("a.rb", text)], "1:15");
    }
    uncertain(&[("a.rb", "class A; def run = 0; end\na = A.new\ndef a.run = 5\nputs a.run\n")], "1:14");
    uncertain(&[("a.rb", "class A; def run = 0; end\nA.class_eval do\n  def run = 5\nend\nputs A.new.run\n")], "1:14");
}

#[test]
fn a_new_name_that_an_interface_asks_for() {
    let text = "package a\n\ntype Closer interface{ Close() }\n\ntype A struct{}\n\nfunc (A) Stop() {}\n\nfunc f(x any) bool { _, ok := x.(Closer); return ok }\n";
    let rename = json!({"kind": "rename", "symbol": "a.go:7:10", "to": "Close"});
    assert_eq!(refused(&[("a.go", text)], &rename).0, "undetermined");
    let rename = json!({"kind": "rename", "symbol": "a.go:7:10", "to": "Shut"});
    check(&[("a.go", text)], &rename, &[("a.go", &text.replace("Stop", "Shut"))]);
    let text = "class A:\n    __slots__ = ('x',)\n    def get(self): return 1\n";
    let rename = json!({"kind": "rename", "symbol": "a.py:3:9", "to": "x"});
    assert_eq!(refused(&[("a.py", text)], &rename).0, "undetermined");
}

#[test]
fn lists_of_members_are_words_of_a_string() {
    let text = "class A:\n    __slots__ = 'size color'.split()\n    def __init__(self): self.size = 1; self.color = 2\nprint(A().size)\n";
    renamed(("a.py", text), "3:30", "size");
}

#[test]
fn sloppy_code_binds_a_function_of_a_block_outside_of_it() {
    uncertain(
        &[("a.cjs", "function g() { return 1; }\nfunction f() { { function g() { return 2; } } return g(); }\n")],
        "1:10",
    );
    uncertain(&[("a.cjs", "var e = 1;\ntry { throw 2; } catch (e) { var e = 5; }\n")], "1:5");
    uncertain(&[("a.cjs", "function f(o) { let x = 1; with (o) { return x; } }\n")], "1:21");
    let text = "'use strict';\nfunction g() { return 1; }\nfunction f() { { function g() { return 2; } g(); } return 3; }\ng();\n";
    let new = "'use strict';\nfunction zebra() { return 1; }\nfunction f() { { function g() { return 2; } g(); } return 3; }\nzebra();\n";
    let rename = json!({"kind": "rename", "symbol": "a.cjs:2:10", "to": "zebra"});
    check(&[("a.cjs", text)], &rename, &[("a.cjs", new)]);
}

#[test]
fn files_that_are_no_code_name_definitions() {
    let template = ("t.tmpl", "Hi {{.A.Name}}\n");
    let code = ("a.go", "package a\n\ntype A struct{ Name string }\n");
    uncertain(&[code, template], "3:16");
    renamed(code, "3:16", "Name");
    uncertain(&[("m.py", "def run(): return 1\n"), ("setup.cfg", "[options.entry_points]\nmain = m:run\n")], "1:5");
}

#[test]
fn tables_of_arguments_are_passed_on() {
    let text = "import threading\ndef a(size): print(size)\nthreading.Thread(target=a, kwargs={'size': 3}).start()\n";
    uncertain(&[("a.py", text)], "2:7");
    let text = "import threading\ndef a(size): print(size)\nthreading.Timer(0, a, kwargs=dict(size=3)).start()\n";
    uncertain(&[("a.py", text)], "2:7");
    let text = "import inspect\ndef a(size): print(size)\nprint(inspect.signature(a))\n";
    uncertain(&[("a.py", text)], "2:7");
}

#[test]
fn types_are_made_of_the_names_of_members() {
    let text =
        "interface O { size: number; k: string }\ntype P = Omit<O, \"size\">;\nexport const p: P = { k: \"a\" };\n";
    uncertain(&[("a.ts", text)], "1:15");
    uncertain(&[("a.ts", &text.replace("\"size\"", "\"q\" | \"size\""))], "1:15");
}

#[test]
fn a_getter_is_a_field_of_an_interface() {
    let text = "interface I { readonly v: number }\nclass A { get v() { return 1; } }\nexport const i: I = new A();\n";
    uncertain(&[("a.ts", text)], "1:24");
    uncertain(&[("a.ts", text)], "2:15");
}

#[test]
fn a_module_is_declared_again_in_another_file() {
    let other = "import { A } from \"./m\";\ndeclare module \"./m\" { interface A { extra?: number } }\nexport const a = new A();\n";
    uncertain(&[("m.ts", "export class A {}\n"), ("b.ts", other)], "1:14");
}

#[test]
fn comments_name_definitions_for_tools() {
    let main =
        "package main\n\nimport _ \"ex/p\"\n\n//go:linkname hid ex/p.hidden\nfunc hid() int\n\nfunc main() { hid() }\n";
    let files =
        [("p/p.go", "package p\n\nfunc hidden() int { return 4 }\n"), ("go.mod", "module ex\n"), ("main.go", main)];
    uncertain(&files, "3:6");
    let text = "<?php\nclass T extends TestCase {\n    /** @dataProvider rows */\n    function test_it($row) {}\n    static function rows() { return []; }\n}\n";
    uncertain(&[("T.php", text)], "5:21");
}

#[test]
fn a_name_in_another_case_counts_where_code_changes_the_case() {
    let text = "class A\n  def run; end\nend\ndef fire(o, k) = o.send(k.downcase.to_sym)\nfire(A.new, \"RUN\")\n";
    uncertain(&[("a.rb", text)], "2:7");
    let text =
        "class A:\n    def save(self): pass\ndef get(o, k): return getattr(o, k.strip())\nprint('Save')\nA().save()\n";
    renamed(("a.py", text), "2:9", "save");
}

#[test]
fn arguments_are_named_by_way_of_a_protocol() {
    let text = "from typing import Protocol\nclass P(Protocol):\n    def run(self, size): ...\nclass A:\n    def run(self, size): return size\ndef g(p: P): return p.run(size=3)\nprint(g(A()))\n";
    uncertain(&[("a.py", text)], "5:19");
}
