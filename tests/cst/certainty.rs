//! Names that mean more than they seem to: values that come from elsewhere, names that code makes, names that are two at once. Each
//! program is one that a rename would break if it called its places certain.

use serde_json::json;

use crate::refactored::{check, refused, run};
use crate::symbols::Project;

type Program = (&'static str, &'static [(&'static str, &'static str)], &'static str);

/// The files, and the symbol whose rename is not certain.
#[track_caller]
fn not_certain(programs: &[Program]) {
    for (what, files, symbol) in programs {
        let (code, _) = refused(files, &json!({"kind": "rename", "symbol": symbol, "to": "other"}));
        assert_eq!(code, "undetermined", "{what}");
    }
}

const TWO: &str = "class A:\n    def run(self): return 1\nclass B:\n    def run(self): return 2\n";

#[test]
fn a_value_may_come_from_elsewhere() {
    let python = |code: &str| format!("{TWO}{code}");
    for (what, code) in [
        ("a parameter with a default", "def go(x=A()): return x.run()\n"),
        ("a parameter that may be given", "def go(b=None):\n    b = b or A()\n    return b.run()\n"),
        ("a parameter that is tested", "def go(b=None):\n    if b is None:\n        b = A()\n    return b.run()\n"),
        (
            "a class attribute of a class below",
            "class H:\n    kind = A\n    def go(self): return self.kind().run()\nclass I(H):\n    kind = B\n",
        ),
        (
            "a method of a class below",
            "class H:\n    def make(self): return A()\n    def go(self): return self.make().run()\nclass I(H):\n    def make(self): return B()\n",
        ),
        (
            "an attribute that other code assigns",
            "class H:\n    def __init__(self): self.x = A()\n    def go(self): return self.x.run()\nh = H()\nh.x = B()\n",
        ),
        ("an object that stands for a class", "from unittest import mock\nmock.Mock(spec=A).run()\n"),
    ] {
        let text = python(code);
        let (code, _) = refused(&[("a.py", &text)], &json!({"kind": "rename", "symbol": "A.run", "to": "other"}));
        assert_eq!(code, "undetermined", "{what}");
    }
    not_certain(&[
        (
            "a field of a class below",
            &[(
                "a.mjs",
                "class A { run() {} }\nclass B { run() {} }\nclass H { b = new A(); go() { return this.b.run(); } }\nclass I extends H { b = new B(); }\n",
            )],
            "A.run",
        ),
        (
            "a variable that is assigned again",
            &[
                (
                    "m.mjs",
                    "class A { run() {} }\nclass B { run() {} }\nexport let x = new A();\nexport function s() { x = new B(); }\n",
                ),
                ("a.mjs", "import { x } from './m.mjs';\nx.run();\n"),
            ],
            "A.run",
        ),
    ]);
}

#[test]
fn what_is_assigned_once_is_certain() {
    let rename = json!({"kind": "rename", "symbol": "A.run", "to": "go"});
    let text = "class A:\n    def run(self): return 1\n\n\nclass H:\n    def __init__(self):\n        self.x = A()\n\n    def make(self):\n        return A()\n\n    def use(self):\n        self.x.run()\n        self.make().run()\n\n\nclass I(H):\n    pass\n\n\nx = A()\nx.run()\n";
    let renamed = text.replace("run", "go");
    check(&[("a.py", text)], &rename, &[("a.py", &renamed)]);
}

#[test]
fn code_makes_names() {
    not_certain(&[
        (
            "a computed member",
            &[("a.py", "class A:\n    def do_x(self): pass\ndef call(o, k): getattr(o, \"do_\" + k)()\n")],
            "A.do_x",
        ),
        (
            "a formatted member",
            &[("a.py", "class A:\n    def do_x(self): pass\ndef call(o, k): getattr(o, f\"do_{k}\")()\n")],
            "A.do_x",
        ),
        ("a table of names", &[("a.py", "def run(): pass\nglobals()[\"run\"]()\n")], "run"),
        (
            "a computed key of a table",
            &[("a.py", "def cmd_run(): pass\ndef call(n): globals()[\"cmd_\" + n]()\n")],
            "cmd_run",
        ),
        ("a string that is run", &[("a.py", "def helper(): pass\nexec(\"helper()\")\n")], "helper"),
        (
            "a string that is run in another file",
            &[("a.py", "def helper(): pass\n"), ("b.py", "exec(\"from a import *\\nhelper()\")\n")],
            "helper",
        ),
        ("a format", &[("a.py", "def f():\n    val = 3\n    return \"{val}\".format(**locals())\n")], "a.py:2:5"),
        ("a list of all members", &[("a.py", "class A:\n    def cmd_run(self): pass\nprint(dir(A))\n")], "A.cmd_run"),
        (
            "the key of a table",
            &[(
                "a.py",
                "from typing import TypedDict\nclass T(TypedDict):\n    a: int\ndef f(t: T): return t[\"a\"]\n",
            )],
            "T.a",
        ),
        ("a hidden name", &[("a.py", "class A:\n    def __m(self): pass\nA()._A__m()\n")], "A.__m"),
        ("a hidden name in a string", &[("a.py", "class A:\n    __m = 1\nprint(getattr(A(), \"_A__m\"))\n")], "A.__m"),
        ("a hidden name of its member", &[("a.py", "class Acc:\n    __m = 1\nprint(Acc()._Acc__m)\n")], "Acc"),
        ("that in a string", &[("a.py", "class _Acc:\n    __m = 1\nprint(getattr(_Acc(), \"_Acc__m\"))\n")], "_Acc"),
        (
            "a class whose name is a part of a method's",
            &[
                ("a.py", "class Add: pass\n"),
                ("v.py", "class V:\n    def visit(self, n): return getattr(self, \"visit_\" + type(n).__name__)(n)\n"),
                ("w.py", "from v import V\nclass W(V):\n    def visit_Add(self, n): return n\n"),
            ],
            "a.py::Add",
        ),
        (
            "that in small letters",
            &[(
                "a.py",
                "class Add: pass\nclass V:\n    def add_node(self, n): return n\n    def visit(self, n): return getattr(self, f\"{type(n).__name__.lower()}_node\")(n)\n",
            )],
            "Add",
        ),
        (
            "that in JavaScript",
            &[(
                "a.mjs",
                "class Add {}\nclass V { visitAdd(n) { return n; } visit(n) { return this[\"visit\" + n.constructor.name](n); } }\nnew V().visit(new Add());\n",
            )],
            "Add",
        ),
        (
            "that in PHP",
            &[(
                "a.php",
                "<?php\nclass Add {}\nclass V {\n    function visitAdd($n) { return $n; }\n    function visit($n) { return $this->{'visit' . get_class($n)}($n); }\n}\n(new V())->visit(new Add());\n",
            )],
            "Add",
        ),
        (
            "a module that is got by its name",
            &[("a.py", "import sys\ndef fn_one(): pass\ndef call(n): getattr(sys.modules[__name__], \"fn_\" + n)()\n")],
            "fn_one",
        ),
        (
            "a module that a call gets by its name",
            &[
                ("a.py", "def fn_one(): pass\n"),
                (
                    "b.py",
                    "from importlib import import_module\ndef call(m, n): getattr(import_module(m), \"fn_\" + n)()\n",
                ),
            ],
            "fn_one",
        ),
        ("a name that is compared", &[("a.py", "class A: pass\nprint(type(A()).__name__ == \"A\")\n")], "A"),
        (
            "a name that is compared with several",
            &[("a.py", "class A: pass\ndef f(o): return o.__class__.__name__ in (\"A\", \"B\")\n")],
            "A",
        ),
        ("that in JavaScript", &[("a.mjs", "class A {}\nconsole.log(f(new A()).constructor.name === 'A');\n")], "A"),
        (
            "that in Java",
            &[("A.java", "class A { boolean is(Object o) { return o.getClass().getSimpleName().equals(\"A\"); } }\n")],
            "A",
        ),
        (
            "that in Go",
            &[(
                "a.go",
                "package a\n\nimport \"reflect\"\n\ntype a struct{}\n\nfunc f(o any) bool { return reflect.TypeOf(o).Name() == \"a\" }\n",
            )],
            "a.go::a",
        ),
        (
            "a member that a test gives a value",
            &[(
                "a.py",
                "from unittest import mock\nclass A:\n    def run(self): pass\nm = mock.Mock(**{\"run.return_value\": 3})\n",
            )],
            "A.run",
        ),
        ("the name of an object's class", &[("a.py", "class A: pass\nprint(type(A()).__name__)\n")], "A"),
        ("that in JavaScript", &[("a.mjs", "class A {}\nconst a = new A();\nconsole.log(a.constructor.name);\n")], "A"),
        ("the code of a function", &[("a.mjs", "function run() { return 1; }\nconsole.log(run.toString());\n")], "run"),
        (
            "a field of an object that is printed",
            &[(
                "a.py",
                "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\np = P(x=1)\nprint(f\"{p}\")\n",
            )],
            "P.x",
        ),
        (
            "a field of data",
            &[(
                "a.ts",
                "interface Opt { a?: number }\ninterface All { opts: Opt[] }\nconst o: All = JSON.parse('{}');\nconsole.log(o.opts[0].a);\n",
            )],
            "Opt.a",
        ),
        (
            "a field of data that is written",
            &[(
                "a.go",
                "package a\n\nimport \"encoding/json\"\n\ntype Doc struct{ Title string }\n\nfunc f(d Doc) ([]byte, error) { return json.Marshal(d) }\n",
            )],
            "Doc.Title",
        ),
        (
            "a key that is not known",
            &[("a.mjs", "let KEY = Symbol('k');\nKEY = 'run';\nexport class D { run() { return this[KEY]; } }\n")],
            "D.run",
        ),
        ("the name of a function without one", &[("a.mjs", "const run = () => 1;\nconsole.log(run.name);\n")], "run"),
        (
            "that assigned later",
            &[("a.mjs", "let run;\nrun = (function () {});\nconsole.log(run.name);\n")],
            "a.mjs:1:5",
        ),
        ("that in a default", &[("a.mjs", "function f(run = () => 1) { return run.name; }\nf();\n")], "a.mjs:1:12"),
        ("a table of variables", &[("a.py", "def f(k=2):\n    return locals()[\"k\"]\n")], "a.py:1:7"),
        ("that read with a method", &[("a.py", "def f():\n    k = 2\n    return locals().get(\"k\")\n")], "a.py:2:5"),
        ("that passed on", &[("a.py", "def f(g):\n    k = 2\n    return g(locals())\n")], "a.py:2:5"),
        (
            "an object that a call fills",
            &[(
                "a.py",
                "import argparse\nclass Options:\n    loud = False\no = Options()\np = argparse.ArgumentParser()\np.add_argument(\"--loud\")\np.parse_args([], namespace=o)\n",
            )],
            "Options.loud",
        ),
        (
            "a module that a call loads",
            &[
                ("m.py", "def a(): pass\n"),
                ("b.py", "import importlib\nm = importlib.import_module(\"m\")\nx = [m]\nx[0].a()\n"),
            ],
            "m.py::a",
        ),
        (
            "a computed member",
            &[(
                "a.mjs",
                "class A { on_x() {} }\nfunction fire(o, n) { return o[`on_${n}`](); }\nfire(new A(), \"x\");\n",
            )],
            "A.on_x",
        ),
        (
            "a computed member",
            &[(
                "a.mjs",
                "class A { run() {} }\nfunction call(o, k) { return o[\"ru\" + k](); }\ncall(new A(), \"n\");\n",
            )],
            "A.run",
        ),
        ("a string that is run", &[("a.mjs", "function run() {}\neval(\"run()\");\n")], "run"),
        (
            "a member by its name",
            &[("a.mjs", "class A { run() {} }\nReflect.get(new A(), \"run\").call();\n")],
            "A.run",
        ),
        (
            "a member of a type by its name",
            &[("a.ts", "interface O { a: number }\nexport const x: O[\"a\"] = 1;\n")],
            "O.a",
        ),
    ]);
    // What another class has, or what cannot end so, is left alone.
    let text = "class A:\n    def do_x(self): pass\n\n\nclass B:\n    def get(self, k):\n        return getattr(self, \"on_\" + k)\n\n\nA().do_x()\n";
    check(
        &[("a.py", text)],
        &json!({"kind": "rename", "symbol": "A.do_x", "to": "go"}),
        &[("a.py", &text.replace("do_x", "go"))],
    );
}

#[test]
fn a_key_of_a_pattern_is_a_member_and_a_variable() {
    let text = "class A { n = 1; f() { const { n } = this; return n; } }\nconst { n } = new A();\nconst { n: q } = new A();\nconsole.log(n, q);\n";
    let renamed = "class A { k = 1; f() { const { k: n } = this; return n; } }\nconst { k: n } = new A();\nconst { k: q } = new A();\nconsole.log(n, q);\n";
    check(&[("a.mjs", text)], &json!({"kind": "rename", "symbol": "A.n", "to": "k"}), &[("a.mjs", renamed)]);
    let text = "interface Pt { lat: number }\nconst p: Pt = { lat: 1 };\nfunction f({ lat }: Pt) { return lat; }\nf({ lat: 2 });\nfunction g(): Pt { return { lat: 3 }; }\n";
    let renamed = "interface Pt { x: number }\nconst p: Pt = { x: 1 };\nfunction f({ x: lat }: Pt) { return lat; }\nf({ x: 2 });\nfunction g(): Pt { return { x: 3 }; }\n";
    check(&[("a.ts", text)], &json!({"kind": "rename", "symbol": "Pt.lat", "to": "x"}), &[("a.ts", renamed)]);
    not_certain(&[(
        "a pattern of an unknown object",
        &[("a.mjs", "function f({ run }) { return run; }\nconst o = { run: 1 };\nf(o);\nf(unknown());\n")],
        "a.mjs:2:13",
    )]);
}

#[test]
fn a_module_is_loaded_by_an_operator() {
    check(
        &[
            ("b.mjs", "export function rate() { return 1; }\n"),
            ("a.mjs", "const b = await import('./b.mjs');\nconsole.log(b.rate(), (await import('./b.mjs')).rate());\n"),
        ],
        &json!({"kind": "rename", "symbol": "b.mjs::rate", "to": "pace"}),
        &[
            ("a.mjs", "const b = await import('./b.mjs');\nconsole.log(b.pace(), (await import('./b.mjs')).pace());\n"),
            ("b.mjs", "export function pace() { return 1; }\n"),
        ],
    );
    not_certain(&[(
        "a module that is passed on",
        &[("b.mjs", "export function rate() {}\n"), ("a.mjs", "import('./b.mjs').then(m => m.rate());\n")],
        "b.mjs::rate",
    )]);
}

#[test]
fn a_type_stands_for_another() {
    let protocol = "from typing import Protocol\nclass P(Protocol):\n    def run(self): ...\nclass A:\n    def run(self): return 1\ndef go(p: P): return p.run()\n";
    for symbol in ["P.run", "A.run"] {
        let (code, _) = refused(&[("a.py", protocol)], &json!({"kind": "rename", "symbol": symbol, "to": "other"}));
        assert_eq!(code, "undetermined", "{symbol}");
    }
    not_certain(&[
        (
            "a class of the same shape",
            &[(
                "a.ts",
                "class A { run() { return 1; } }\nclass B { run() { return 2; } }\nfunction f(a: A) { return a.run(); }\nf(new B());\n",
            )],
            "A.run",
        ),
        (
            "a literal of an unknown type",
            &[("a.ts", "type O = { v: number };\nconst o = { v: 1 };\nfunction f(a: O) { return a.v; }\nf(o);\n")],
            "O.v",
        ),
        ("two members of one name", &[("a.ts", "class A { static x = 1; x = 2 }\nA.x;\n")], "a.ts:1:18"),
    ]);
    for (file, text, symbol, to) in [
        ("a.mjs", "class A { describe() {} }\n", "A.describe", "constructor"),
        ("a.py", "class Box:\n    size = 3\nprint(Box().size)\n", "Box.size", "__size"),
    ] {
        let (code, _) = refused(&[(file, text)], &json!({"kind": "rename", "symbol": symbol, "to": to}));
        assert_eq!(code, "undetermined", "{symbol}");
    }
}

#[test]
fn a_class_body_reads_names_before_it_binds_them() {
    for (text, renamed) in [
        (
            "def clamp(n): return n\n\n\nclass V:\n    clamp = staticmethod(clamp)\n",
            "def limit(n): return n\n\n\nclass V:\n    clamp = staticmethod(limit)\n",
        ),
        (
            "def clamp(n): return n\n\n\nclass V:\n    clamp: int\n    size = clamp(1)\n",
            "def limit(n): return n\n\n\nclass V:\n    clamp: int\n    size = limit(1)\n",
        ),
        (
            "def clamp(n): return n\n\n\nclass V:\n    for clamp in clamp([1]):\n        pass\n",
            "def limit(n): return n\n\n\nclass V:\n    for clamp in limit([1]):\n        pass\n",
        ),
        // Not the parameter of a function around the class.
        (
            "clamp = 1\n\n\ndef f(clamp):\n    class V:\n        clamp = clamp\n    return V, clamp\n",
            "limit = 1\n\n\ndef f(clamp):\n    class V:\n        clamp = limit\n    return V, clamp\n",
        ),
    ] {
        check(&[("a.py", text)], &json!({"kind": "rename", "symbol": "a.py:1", "to": "limit"}), &[("a.py", renamed)]);
    }
    // Until a module binds a name, it is what an import of everything binds.
    not_certain(&[
        (
            "an import of everything",
            &[("m.py", "def f(): return 1\n"), ("a.py", "from m import *\nprint(f())\nf = 2\n")],
            "m.py::f",
        ),
        (
            "an import of everything, and a pattern",
            &[("m.py", "n = 1\n"), ("a.py", "from m import *\nn, k = 3, n + 1\nprint(n)\n")],
            "a.py:2",
        ),
    ]);
}

#[test]
fn defaults_of_parameters_do_not_see_the_body() {
    for path in ["a.mjs", "a.ts"] {
        for (text, renamed) in [
            (
                "const n = 1;\nfunction f(a = n) {\n  const n = a;\n  return n;\n}\nf();\n",
                "const k = 1;\nfunction f(a = k) {\n  const n = a;\n  return n;\n}\nf();\n",
            ),
            (
                "const n = 1;\nclass A {\n  go(a = n, b = () => n) {\n    function n() { return a; }\n    return n() + b();\n  }\n}\nnew A();\n",
                "const k = 1;\nclass A {\n  go(a = k, b = () => k) {\n    function n() { return a; }\n    return n() + b();\n  }\n}\nnew A();\n",
            ),
        ] {
            let rename = json!({"kind": "rename", "symbol": format!("{path}:1"), "to": "k"});
            check(&[(path, text)], &rename, &[(path, renamed)]);
        }
    }
}

#[test]
fn a_class_in_a_class_does_not_see_its_names() {
    check(
        &[("a.py", "def n(): return 1\n\n\nclass A:\n    def n(self): return 2\n\n    class B:\n        n = n()\n")],
        &json!({"kind": "rename", "symbol": "a.py:1", "to": "k"}),
        &[("a.py", "def k(): return 1\n\n\nclass A:\n    def n(self): return 2\n\n    class B:\n        n = k()\n")],
    );
    check(
        &[("m.py", "n = 1\n"), ("a.py", "from m import *\n\n\nclass A:\n    n = n\n")],
        &json!({"kind": "rename", "symbol": "m.py::n", "to": "k"}),
        &[("a.py", "from m import *\n\n\nclass A:\n    n = k\n"), ("m.py", "k = 1\n")],
    );
}

#[test]
fn values_that_others_make_are_uncertain() {
    not_certain(&[
        (
            "an object that becomes a receiver",
            &[("a.mjs", "class A { n = 1; go() { return this.n; } }\nA.prototype.go.call({ n: 2 });\n")],
            "A.n",
        ),
        (
            "a base that a function makes",
            &[(
                "a.mjs",
                "const mix = (Base) => class extends Base { run() {} };\nclass M extends mix(class { go() {} }) {}\nnew M().run();\n",
            )],
            "a.mjs:1:44",
        ),
        (
            "a field that a copy names",
            &[(
                "a.py",
                "import dataclasses\n@dataclasses.dataclass\nclass A:\n    n: int\nprint(dataclasses.replace(A(1), n=2).n)\n",
            )],
            "A.n",
        ),
        (
            "a parameter that a caller by name passes",
            &[(
                "a.py",
                "import operator\nclass A:\n    def go(self, n=1): return n\nprint(operator.methodcaller('go', n=2)(A()))\n",
            )],
            "a.py:3:18",
        ),
        (
            "a class below the one that is caught",
            &[(
                "a.py",
                "class E(ValueError):\n    def __init__(self, n): self.n = n\ntry:\n    raise E(1)\nexcept ValueError as e:\n    print(e.n if isinstance(e, E) else 0)\n",
            )],
            "a.py:2:33",
        ),
        (
            "a name that an element of a list may be",
            &[("a.py", "class A:\n    n = 1\nprint(getattr(A, ['n', 'k'][0]))\n")],
            "A.n",
        ),
        (
            "a table of names that has those of another module",
            &[("m.py", "def n(): return 1\n"), ("a.py", "from m import *\nprint(globals()['n']())\n")],
            "m.py::n",
        ),
        (
            "a name that is deleted after an import of everything",
            &[("m.py", "n = 1\n"), ("a.py", "from m import *\ndel n\n")],
            "m.py::n",
        ),
    ]);
}

#[test]
fn the_table_of_an_object_is_none_of_a_module() {
    check(
        &[("a.py", "def n(): return 1\n\n\nclass A:\n    def set(self, k): self.__dict__[k] = n()\n")],
        &json!({"kind": "rename", "symbol": "a.py:1", "to": "j"}),
        &[("a.py", "def j(): return 1\n\n\nclass A:\n    def set(self, k): self.__dict__[k] = j()\n")],
    );
    not_certain(&[
        (
            "the table of a module",
            &[
                ("m.py", "def n(): return 1\n"),
                ("a.py", "import m\ndef go(k): return m.__dict__[k]()\nprint(go('n'))\n"),
            ],
            "m.py::n",
        ),
        (
            "the table of a module that is looked up",
            &[(
                "m.py",
                "import sys\ndef n(): return 1\ndef go(k): return sys.modules[__name__].__dict__[k]()\nprint(go('n'))\n",
            )],
            "m.py::n",
        ),
    ]);
}

#[test]
fn a_name_that_nothing_binds_is_no_local_variable() {
    check(
        &[("a.mjs", "const n = typeof k === 'number' ? 1 : 2;\nexport const all = [n].map(k => k + 1);\n")],
        &json!({"kind": "rename", "symbol": "a.mjs:2:28", "to": "j"}),
        &[("a.mjs", "const n = typeof k === 'number' ? 1 : 2;\nexport const all = [n].map(j => j + 1);\n")],
    );
    check(
        &[("a.py", "print(k)\n\n\ndef f(n):\n    k = n\n    return k\n")],
        &json!({"kind": "rename", "symbol": "a.py:5:5", "to": "j"}),
        &[("a.py", "print(k)\n\n\ndef f(n):\n    j = n\n    return j\n")],
    );
}

#[test]
fn a_pattern_that_is_assigned_reads_the_key_too() {
    // In TypeScript, a type may be met by a literal.
    for (path, count) in [("a.mjs", 2), ("a.ts", 1)] {
        let code = "let bee = 1, gnu = 2;\n({ bee = 3, gnu } = { bee: 2, gnu });\nconsole.log(bee + gnu);\n";
        let of_variable = code
            .replace("let bee", "let zebra")
            .replace("{ bee = 3", "{ bee: zebra = 3")
            .replace("log(bee", "log(zebra");
        let of_key = code.replace("{ bee = 3", "{ zebra: bee = 3").replace("{ bee: 2", "{ zebra: 2");
        for (place, new) in [("1:5", of_variable), ("2:23", of_key)].into_iter().take(count) {
            crate::refactored::check(
                &[(path, code)],
                &serde_json::json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "zebra"}),
                &[(path, &new)],
            );
        }
    }
}

/// Where hundreds of files access members by computed names, those are looked at that name what has the symbol: its class and those
/// above it, whichever file they are in.
#[test]
fn of_many_files_with_computed_names_the_near_ones_are_seen() {
    let mut files = vec![
        ("base.py".to_owned(), "class Root:\n    pass\n".to_owned()),
        ("a.py".to_owned(), "from base import Root\nclass Frame(Root):\n    def merge(self): pass\n".to_owned()),
        ("near.py".to_owned(), "from base import Root\ndef call(o: Root, n): return getattr(o, n)()\n".to_owned()),
        ("far.py".to_owned(), "# Roots of Frames, merged\ndef call(o, n): return getattr(o, n)()\n".to_owned()),
    ];
    let other = |number: usize| (format!("f{number}.py"), format!("def call{number}(o, n): return getattr(o, n)()\n"));
    files.extend((0..cst::limits::DYNAMIC_FILES).map(other));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::new(&files);
    let answer = project.ask("refs", &json!({"symbol": "Frame.merge"})).expect("it is found");
    let paths: Vec<&str> =
        answer["references"].as_array().expect("a list").iter().filter_map(|row| row["path"].as_str()).collect();
    assert!(paths.contains(&"near.py"), "{answer}");
    assert!(!paths.contains(&"far.py"), "{answer}");
    assert!(answer.to_string().contains("301 files access"), "how many were not looked at: {answer}");
}

/// Code that only reads other variables, or makes other names, raises no doubt.
#[test]
fn code_makes_other_names() {
    for (path, text, symbol, name) in [
        ("a.py", "def f(k, n):\n    fox = n\n    return locals()[\"k\"] + fox\n", "a.py:2:5", "fox"),
        ("a.py", "def f(k):\n    fox = k\n    return locals().get(\"k\") + fox\n", "a.py:2:5", "fox"),
        ("a.py", "def f(k):\n    fox = k\n    return \"%(k)s\" % locals() + fox\n", "a.py:2:5", "fox"),
        ("a.py", "class Fox: pass\ndef do_Other(o, k): return getattr(o, \"do_\" + k)(Fox)\n", "Fox", "Fox"),
        (
            "a.py",
            "class Fox: pass\nclass V:\n    fox_class = Fox\ndef put(o, n, c): setattr(o, f\"{n}_class\", c)\n",
            "Fox",
            "Fox",
        ),
        ("a.py", "class Fox: pass\ndef do_Fox(o): return o\nprint(do_Fox(Fox))\n", "Fox", "Fox("),
        (
            "a.mjs",
            "const KEY = Symbol.for('k');\nexport class D { [KEY] = 1; fox() { return this[KEY] + this[Symbol.iterator]; } }\n",
            "D.fox",
            "fox",
        ),
        ("a.mjs", "function f(fox) { return fox.name; }\nf(f);\n", "a.mjs:1:12", "fox"),
        ("a.mjs", "import { get } from 'lib';\nconst fox = get();\nconsole.log(fox.name);\n", "a.mjs:2:7", "fox"),
        ("a.mjs", "let fox;\nfox = [() => 1][0];\nconsole.log(fox.name);\n", "a.mjs:1:5", "fox"),
        ("a.mjs", "for (const fox of [f]) console.log(fox.name);\nfunction f() {}\n", "a.mjs:1:12", "fox"),
        (
            "a.py",
            "class A:\n    fox: int = 1\n    def __repr__(self): return type(self).__name__\nprint(A(), f\"{A()}\")\n",
            "A.fox",
            "fox",
        ),
        (
            "a.py",
            "from dataclasses import dataclass\n@dataclass\nclass A:\n    fox: int\nprint(A(1).fox, f\"{A(2).fox}\")\n",
            "A.fox",
            "fox",
        ),
        (
            "a.ts",
            "interface A { fox?: number }\nconst a: A = { fox: 1 };\nconst b = JSON.parse('{}');\nconsole.log(a.fox, JSON.parse('1'));\n",
            "A.fox",
            "fox",
        ),
        ("a.rb", "def f(o)\n  fox = o\n  fox.name\nend\n", "a.rb:2:3", "fox"),
        ("a.mjs", "class Fox {}\nlet a = { name: 1 };\nprint(\"Fox\");\nprint(a.name);\nnew Fox();\n", "Fox", "Fox;"),
        ("a.py", "class Fox: pass\nprint(Fox(), type(1).__name__ == \"int\", \"Fox\")\n", "Fox", "Fox("),
        ("a.py", "import sys\ndef fox(): pass\ngetattr(sys.modules[\"b\"], \"fo\" + \"x\")\n", "fox", "fox"),
    ] {
        let to = "zebra";
        let renamed = match name {
            "Fox(" => text.replace("class Fox", "class zebra").replace("(Fox", "(zebra"),
            "Fox;" => text.replace("class Fox", "class zebra").replace("new Fox", "new zebra"),
            name => text.replace(name, to),
        };
        check(&[(path, text)], &json!({"kind": "rename", "symbol": symbol, "to": to}), &[(path, &renamed)]);
    }
}

#[test]
fn code_makes_names_of_constants() {
    let text = "class Add; end\nclass V\n  def visit_Add(n) = n\n  def visit(n) = send(\"visit_#{n.class.name}\", n)\nend\nV.new.visit(Add.new)\n";
    let (code, places) = refused(&[("a.rb", text)], &json!({"kind": "rename", "symbol": "Add", "to": "Other"}));
    assert_eq!(
        (code.as_str(), places),
        ("undetermined", vec!["a.rb:4 makes the name of a member of the class's".to_owned()])
    );
}

/// The object of a module has what the module exports, and nothing else.
#[test]
fn an_object_of_a_module_has_only_its_exports() {
    for (path, import, export) in [
        (
            "formats.mjs",
            "import * as formats from \"./formats.mjs\";\nexport default { formats };\n",
            "export const up =",
        ),
        ("formats.js", "var formats = require('./formats');\nmodule.exports = { formats: formats };\n", "exports.up ="),
    ] {
        let text = format!(
            "var fox = String.prototype.replace;\n{export} function (value) {{ return fox.call(value, 'a', 'b'); }};\n"
        );
        let ending = path.rsplit('.').next().unwrap();
        let (index, parse) = (format!("index.{ending}"), format!("parse.{ending}"));
        let files = [(path, text.as_str()), (index.as_str(), import), (parse.as_str(), "f((s) => s.fox('x', 'y'));\n")];
        let rename = json!({"kind": "rename", "symbol": format!("{path}:1:5"), "to": "zebra"});
        check(&files, &rename, &[(path, &text.replace("fox", "zebra"))]);
        let exported = match ending {
            "js" => {
                text.replace("exports.up = function", "module.exports = { fox, up: function").replace("; };", "; } };")
            }
            _ => text.replace("var fox", "export var fox"),
        };
        let place = if ending == "js" { "1:5" } else { "1:12" };
        let files =
            [(path, exported.as_str()), (index.as_str(), import), (parse.as_str(), "f((s) => s.fox('x', 'y'));\n")];
        let rename = json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "zebra"});
        assert_eq!(refused(&files, &rename).0, "undetermined", "{exported}");
    }
}

/// A text, a list or a map has no members of the project, unless one of its traits has the member.
#[test]
fn objects_of_closed_types_have_no_members_of_the_project() {
    let own = "pub struct B(usize);\nimpl B { pub fn len(&self) -> usize { self.0 } }\n";
    let others = "use std::collections::HashMap;\npub struct H { text: String }\n\
        impl H { pub fn go(&self) -> usize { self.text.len() + self.text.trim().len() } }\n\
        pub fn a(s: &str, t: String, u: &mut Vec<u8>, v: &HashMap<u8, B>, w: &[B], x: [u8; 3]) -> usize {\n\
            s.len() + t.len() + u.len() + v.len() + w.len() + x.len() + \"abc\".len() + s.chars().len()\n}\n\
        pub fn b(n: usize) -> usize { let s = String::new(); let t = format!(\"{n}\"); let u = s.clone(); s.len() + t.len() + String::len(&u) }\n";
    let rename = json!({"kind": "rename", "symbol": "B.len", "to": "size"});
    let files = |text: &str| {
        vec![
            ("Cargo.toml".to_owned(), "[package]\nname = \"x\"\n".to_owned()),
            ("src/lib.rs".to_owned(), text.to_owned()),
        ]
    };
    let ask = |text: &str| {
        let files = files(text);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        run(&files, &rename)
    };
    let text = format!("{own}{others}");
    let changed = ask(&text).expect("it is certain");
    assert_eq!(changed[0].1.as_deref(), Some(text.replacen("fn len", "fn size", 1).as_str()));
    for more in [
        "pub fn c(s: std::rc::Rc<std::cell::RefCell<B>>) -> usize { s.borrow().len() }\n",
        "pub fn c(s: std::sync::MutexGuard<B>) -> usize { s.len() }\n",
        "pub fn c(s: other::Lazy<B>) -> usize { s.len() }\n",
        "pub fn c(s: &str) -> usize { s.parse::<B>().ok().unwrap().len() }\n",
        "pub trait T { fn len(&self) -> usize; }\nimpl T for i32 { fn len(&self) -> usize { 1 } }\npub fn c(n: i32) -> usize { n.len() }\n",
    ] {
        let error = ask(&format!("{own}{more}")).expect_err(more);
        assert_eq!(error["error"]["code"], "undetermined", "{more}");
    }
}

/// A module in its file sees neither what the module around it defines nor what another one imports.
#[test]
fn a_module_in_its_file_sees_the_prelude() {
    let program = |name: &str| {
        format!(
            "pub struct Error;\npub type {name}<T> = std::result::Result<T, Error>;\npub fn a() -> {name}<u8> {{ Ok(1) }}\n\
             pub mod inner {{ pub fn f() -> Result<u8, String> {{ Ok(1) }} }}\n\
             mod tests {{\n    use super::a;\n    fn t() -> Result<(), String> {{ a().map(|_| ()).map_err(|_| String::new()) }}\n}}\n\
             mod more {{\n    use super::*;\n    fn t() -> {name}<u8> {{ a() }}\n}}\n"
        )
    };
    let rename = json!({"kind": "rename", "symbol": "src/lib.rs:2:10", "to": "Zebra"});
    let manifest = ("Cargo.toml", "[package]\nname = \"x\"\n");
    check(&[manifest, ("src/lib.rs", &program("Result"))], &rename, &[("src/lib.rs", &program("Zebra"))]);
    let program = |push: &str| {
        format!(
            "pub mod my {{\n    pub struct Vec<T>(pub T);\n    impl<T> Vec<T> {{ pub fn {push}(&mut self, t: T) {{ self.0 = t; }} }}\n}}\n\
             pub mod b {{ use crate::my::*; pub fn f(mut v: Vec<u8>) {{ v.{push}(1); }} }}\n\
             pub mod c {{ pub fn f(mut v: Vec<u8>) {{ v.push(1); }} }}\n\
             macro_rules! call {{ ($e:expr) => {{ $e }} }}\npub mod d {{ pub fn g() -> u8 {{ call!(1) }} }}\n"
        )
    };
    let rename = json!({"kind": "rename", "symbol": "my.Vec.push", "to": "zebra"});
    check(&[manifest, ("src/lib.rs", &program("push"))], &rename, &[("src/lib.rs", &program("zebra"))]);
    let text = program("push");
    let rename = json!({"kind": "rename", "symbol": "call", "to": "zebra"});
    check(
        &[manifest, ("src/lib.rs", &text)],
        &rename,
        &[("src/lib.rs", &text.replace("call!", "zebra!").replace("! call", "! zebra"))],
    );
}

/// The tests and examples of a library name it in paths, without an import.
#[test]
fn a_library_is_known_by_its_name() {
    let lib = |deep: &str| {
        format!(
            "pub struct G<T> {{ v: Vec<T> }}\nimpl<T> G<T> {{ pub fn {deep}(n: usize) -> G<T> {{ G {{ v: Vec::with_capacity(n) }} }} }}\npub mod inner {{ pub fn {deep}() {{}} }}\n"
        )
    };
    let test = |of: &str, inner: &str| {
        format!(
            "use own_lib::G;\n#[test]\nfn a() {{ let _ = own_lib::G::<u8>::{of}(1); let _ = G::<u8>::{of}(2); own_lib::inner::{inner}(); }}\n"
        )
    };
    for (symbol, of, inner) in [("inner.fox", "fox", "zebra"), ("G.fox", "zebra", "fox")] {
        let (old, new) = (
            lib("fox"),
            if of == "zebra" {
                lib("fox").replacen("fn fox", "fn zebra", 1)
            } else {
                lib("fox").replace("{ pub fn fox()", "{ pub fn zebra()")
            },
        );
        let files = [
            ("Cargo.toml", "[package]\nname = \"own-lib\"\n"),
            ("src/lib.rs", old.as_str()),
            ("tests/t.rs", &test("fox", "fox")),
        ];
        let rename = json!({"kind": "rename", "symbol": symbol, "to": "zebra"});
        check(&files, &rename, &[("src/lib.rs", &new), ("tests/t.rs", &test(of, inner))]);
    }
}

/// A definition that is asked for its module does not move.
#[test]
fn a_definition_that_is_asked_for_its_module_stays() {
    let files =
        [("m.py", "class A:\n    pass\n\n\nclass B:\n    pass\n"), ("main.py", "import m\nprint(m.A.__module__)\n")];
    for request in
        [json!({"kind": "split_file", "symbol": "m.py"}), json!({"kind": "move", "symbol": "m.py::A", "to": "n.py"})]
    {
        assert_eq!(refused(&files, &request).0, "undetermined", "{request}");
    }
    run(&files, &json!({"kind": "move", "symbol": "m.py::B", "to": "n.py"})).expect("it is asked for nothing");
}

/// A parameter of a method is named by its callers, which do not see a hidden name.
#[test]
fn a_parameter_of_a_method_gets_no_hidden_name() {
    let text = "class A:\n    def put(self, fox):\n        return fox\n\n\nA().put(fox=1)\n";
    let (code, _) = refused(&[("a.py", text)], &json!({"kind": "rename", "symbol": "a.py:2:19", "to": "__fox"}));
    assert_eq!(code, "undetermined");
    let text = "def put(fox):\n    return fox\n\n\nput(fox=1)\n";
    let rename = json!({"kind": "rename", "symbol": "a.py:1:9", "to": "__fox"});
    check(&[("a.py", text)], &rename, &[("a.py", &text.replace("fox", "__fox"))]);
}

/// A constructor that no class writes takes fields, by whichever name it is called; a base class outside may take others.
#[test]
fn a_constructor_that_is_made_from_fields_is_called_by_its_name() {
    let program = |field: &str| {
        format!(
            "from dataclasses import dataclass\n@dataclass\nclass A:\n    {field}: int\nclass B(A):\n    def __init__(self, n):\n        \
             super().__init__({field}=n)\nclass C(A):\n    def __init__(self, n):\n        A.__init__(self, {field}=n)\n"
        )
    };
    check(
        &[("a.py", &program("n"))],
        &json!({"kind": "rename", "symbol": "A.n", "to": "limit"}),
        &[("a.py", &program("limit"))],
    );
    let text = "import lib\nclass M:\n    n = 1\nclass V(M, lib.View):\n    def __init__(self):\n        super().__init__(n=2)\n";
    let (code, _) = refused(&[("a.py", text)], &json!({"kind": "rename", "symbol": "M.n", "to": "other"}));
    assert!(["undetermined", "would_rebind"].contains(&code.as_str()), "{code}");
}

/// A type in a block counts from its name on, a member class in the whole class.
#[test]
fn a_type_in_a_block_counts_from_its_name() {
    let go = |outer: &str| {
        format!(
            "package m\n\ntype {outer} struct{{ fox int }}\n\nfunc f() int {{\n\ta := {outer}{{fox: 1}}\n\ttype cat struct {{\n\t\tdog  int\n\t\tnext *cat\n\t}}\n\treturn a.fox + cat{{dog: 2}}.dog\n}}\n"
        )
    };
    let java = |outer: &str| {
        format!(
            "class M {{\n    {outer} first;\n    static class {outer} {{ int fox = 1; }}\n    int f() {{\n        {outer} a = new {outer}();\n        class cat {{ cat next; }}\n        return new cat().hashCode() + a.fox;\n    }}\n}}\n"
        )
    };
    for (path, program, symbol) in [("m.go", go("cat"), "m.go:3"), ("M.java", java("cat"), "M.java:3:18")] {
        let renamed = if path == "m.go" { go("lynx") } else { java("lynx") };
        check(&[(path, &program)], &json!({"kind": "rename", "symbol": symbol, "to": "lynx"}), &[(path, &renamed)]);
    }
}

#[test]
fn a_name_for_a_part_of_a_namespace_is_followed() {
    let text = "namespace util {\n  export namespace inner { export const K = 2; export interface T { n: number; } }\n}\nimport U = util.inner;\nconsole.log(U.K);\nlet t: U.T;\n";
    for (symbol, from, to) in [
        ("2:41", "K", "zebra"),
        ("2:65", "T ", "zebra "),
        ("2:20", "inner", "zebra"),
        ("1:11", "util", "zebra"),
        ("4:8", "U", "zebra"),
    ] {
        let after = text.replace(from, to);
        let after = match from {
            "K" | "T " => after.replace("U.T;", if from == "T " { "U.zebra;" } else { "U.T;" }),
            _ => after,
        };
        let rename = json!({"kind": "rename", "symbol": format!("a.ts:{symbol}"), "to": "zebra"});
        check(&[("a.ts", text)], &rename, &[("a.ts", &after)]);
    }
}

#[test]
fn a_name_that_a_package_has_does_not_hide_its_module() {
    let files: &[(&str, &str)] = &[
        ("pack/__init__.py", "from .cow import moo\n"),
        ("pack/cow.py", "moo = 2\n"),
        ("pack/elk.py", "cat = 3\n"),
        ("main.py", "import pack.elk as elk\nprint(elk.cat)\n"),
    ];
    let rename = |to: &str| serde_json::json!({"kind": "rename", "symbol": "pack/cow.py::moo", "to": to});
    let (_, places) = crate::refactored::refused(files, &rename("elk"));
    assert_eq!(places, ["pack/__init__.py:1 the package has a module `elk`, which the new name would hide"]);
    crate::refactored::check(
        files,
        &rename("low"),
        &[("pack/__init__.py", "from .cow import low\n"), ("pack/cow.py", "low = 2\n")],
    );
    // Through an import of everything, too.
    let all = [("pack/__init__.py", "from .cow import *\n"), files[1], files[2], files[3]];
    let (_, places) = crate::refactored::refused(&all, &rename("elk"));
    assert_eq!(places.len(), 1, "{places:?}");
}
