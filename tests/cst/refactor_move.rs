//! Files and definitions that move: what changes in other files, and what is refused.

use serde_json::json;

use crate::refactored::{check, refused, run as moved};

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .stock import Stock\nfrom . import prices\n"),
    ("shop/prices.py", "import os\n\n\ndef price(item):\n    return os.environ[item]\n"),
    (
        "shop/stock.py",
        "import json\nimport os\nfrom .prices import price\n\nLIMIT = 3\n\n\nclass Stock:\n    pass\n\n\n# How much there is.\ndef count(stock):\n    return json.dumps(LIMIT) + price(stock)\n\n\ndef first(stock):\n    return count(stock) + os.name\n",
    ),
    (
        "main.py",
        "import shop.stock\nfrom shop import prices, stock\nfrom shop.stock import Stock, count\n\nshop.stock.count(1)\nstock.count(2)\ncount(3)\nprices.price(4)\n",
    ),
];

#[test]
fn a_module_of_python_moves_with_its_imports() {
    check(
        SHOP,
        &json!({"kind": "move_file", "symbol": "shop/stock.py", "to": "shop/store/boxes.py"}),
        &[
            (
                "main.py",
                "import shop.store.boxes\nfrom shop import prices\nfrom shop.store import boxes\nfrom shop.store.boxes import Stock, count\n\nshop.store.boxes.count(1)\nboxes.count(2)\ncount(3)\nprices.price(4)\n",
            ),
            ("shop/__init__.py", "from .store.boxes import Stock\nfrom . import prices\n"),
            (
                "shop/store/boxes.py",
                "import json\nimport os\nfrom ..prices import price\n\nLIMIT = 3\n\n\nclass Stock:\n    pass\n\n\n# How much there is.\ndef count(stock):\n    return json.dumps(LIMIT) + price(stock)\n\n\ndef first(stock):\n    return count(stock) + os.name\n",
            ),
        ],
    );
}

#[test]
fn a_package_of_python_gets_another_name() {
    let changed = moved(SHOP, &json!({"kind": "move_file", "symbol": "shop", "to": "market"})).expect("moved");
    let paths: Vec<&str> = changed.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["main.py", "market/__init__.py", "market/prices.py", "market/stock.py"]);
    assert_eq!(
        changed[0].1.as_deref(),
        Some(
            "import market.stock\nfrom market import prices, stock\nfrom market.stock import Stock, count\n\nmarket.stock.count(1)\nstock.count(2)\ncount(3)\nprices.price(4)\n"
        )
    );
    // Relative imports inside of it are as before.
    assert_eq!(changed[1].1.as_deref(), Some(SHOP[0].1));
}

#[test]
fn a_definition_of_python_moves_to_a_new_module() {
    check(
        SHOP,
        &json!({"kind": "move", "symbol": "shop.stock.count", "symbols": "shop.stock.LIMIT", "to": "shop/counting.py"}),
        &[
            (
                "main.py",
                "import shop.stock\nfrom shop import prices, stock\nfrom shop.stock import Stock\nfrom shop.counting import count\n\ncount(1)\ncount(2)\ncount(3)\nprices.price(4)\n",
            ),
            (
                "shop/counting.py",
                "import json\nfrom .prices import price\n\n\nLIMIT = 3\n\n\n# How much there is.\ndef count(stock):\n    return json.dumps(LIMIT) + price(stock)\n",
            ),
            (
                "shop/stock.py",
                "import os\nfrom .counting import count\n\n\nclass Stock:\n    pass\n\n\ndef first(stock):\n    return count(stock) + os.name\n",
            ),
        ],
    );
}

#[test]
fn a_cycle_of_imports_is_refused() {
    let (code, places) = refused(SHOP, &json!({"kind": "move", "symbol": "shop.stock.count", "to": "shop/prices.py"}));
    assert_eq!(code, "undetermined");
    assert!(places.iter().all(|place| place.contains("would be part of an import cycle")), "{places:?}");
}

#[test]
fn paths_in_strings_are_listed() {
    let mut files = SHOP.to_vec();
    files.push(("test_main.py", "def test(patch):\n    patch(\"shop.stock.first\")\n"));
    for params in [
        json!({"kind": "move_file", "symbol": "shop/stock.py", "to": "shop/boxes.py"}),
        json!({"kind": "move", "symbol": "shop.stock.first", "to": "shop/other.py"}),
    ] {
        let (code, places) = refused(&files, &params);
        assert_eq!(
            (code.as_str(), places.as_slice()),
            ("undetermined", &["test_main.py:2 a path in a string".to_owned()][..])
        );
        let mut params = params;
        params["include"] = json!(["test_main.py:2"]);
        let changed = moved(&files, &params).expect("moved");
        let test = changed.iter().find(|(path, _)| path == "test_main.py").and_then(|(_, text)| text.clone());
        let expected = if params["kind"] == "move" { "shop.other.first" } else { "shop.boxes.first" };
        assert!(test.unwrap().contains(expected));
    }
}

#[test]
fn what_cannot_move_is_refused() {
    let file = |text: &str| vec![("a.py", text.to_owned()), ("b.py", "x = 1\n".to_owned())];
    for (text, symbol, why) in [
        ("a, b = 1, 2\n", "a.py:1:1", "it is not a definition of its own at the top of the file"),
        (
            "if x:\n    def f(): pass\nelse:\n    def f(): pass\n",
            "a.py::f",
            "it is not a definition of its own at the top of the file",
        ),
        ("class C:\n    def f(self): pass\n", "a.py::C.f", "it is not a definition of its own at the top of the file"),
        (
            "from os.path import *\ndef f():\n    return join(1)\n",
            "a.py::f",
            "it may come from an import of everything in a module",
        ),
        (
            "try:\n    import json\nexcept ImportError:\n    json = None\ndef f():\n    return json\n",
            "a.py::f",
            "it needs a name that is imported inside of a block",
        ),
        ("def x():\n    pass\n", "a.py::x", "the new module has another `x`"),
    ] {
        let files = file(text);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let (_, places) = refused(&files, &json!({"kind": "move", "symbol": symbol, "to": "b.py"}));
        let message = moved(&files, &json!({"kind": "move", "symbol": symbol, "to": "b.py"})).unwrap_err();
        assert!(places.iter().any(|place| place.ends_with(why)), "{text}: {places:?} {message:#}");
    }
    for (symbol, to, message) in [
        ("a.py", "b.py", "already exists"),
        ("a.py", "a.py", "is already in that place"),
        ("a.py", "c.js", "not a file of the same language"),
        ("none.py", "c.py", "has no file of the project"),
    ] {
        let error = moved(&[("a.py", ""), ("b.py", "")], &json!({"kind": "move_file", "symbol": symbol, "to": to}))
            .unwrap_err();
        assert!(error["error"]["message"].as_str().unwrap().contains(message), "{error:#}");
    }
}

const APP: &[(&str, &str)] = &[
    ("src/index.ts", "export * from './util/text';\nexport { size } from './util/size';\n"),
    (
        "src/util/text.ts",
        "import { size } from './size';\nimport type { Box } from './size';\n\nexport function trim(box: Box): number {\n  return size(box);\n}\n\nexport const other = () => trim({ width: 1 });\n",
    ),
    (
        "src/util/size.ts",
        "export interface Box {\n  width: number;\n}\n\nexport function size(box: Box): number;\nexport function size(box: Box, more?: number): number {\n  return box.width + (more ?? 0);\n}\n",
    ),
    (
        "src/main.ts",
        "import { other, trim } from './util/text';\nimport * as sizes from \"./util/size.js\";\n\njest.mock('./util/text');\nconsole.log(sizes.size(trim), other, './util/text');\n",
    ),
];

#[test]
fn a_module_of_typescript_moves_with_its_imports() {
    let params = json!({"kind": "move_file", "symbol": "src/util/text.ts", "to": "src/text.ts"});
    let (code, places) = refused(APP, &params);
    assert_eq!(
        (code.as_str(), places.as_slice()),
        ("undetermined", &["src/main.ts:5 a string that is a path to it".to_owned()][..])
    );
    let mut params = params;
    params["include"] = json!("src/main.ts:5");
    check(
        APP,
        &params,
        &[
            ("src/index.ts", "export * from './text';\nexport { size } from './util/size';\n"),
            (
                "src/main.ts",
                "import { other, trim } from './text';\nimport * as sizes from \"./util/size.js\";\n\njest.mock('./text');\nconsole.log(sizes.size(trim), other, './text');\n",
            ),
            (
                "src/text.ts",
                "import { size } from './util/size';\nimport type { Box } from './util/size';\n\nexport function trim(box: Box): number {\n  return size(box);\n}\n\nexport const other = () => trim({ width: 1 });\n",
            ),
        ],
    );
}

#[test]
fn a_definition_of_typescript_moves_with_its_overloads() {
    check(
        APP,
        &json!({"kind": "move", "symbol": "src/util/size.ts::size", "to": "src/measure.ts"}),
        &[
            ("src/index.ts", "export * from './util/text';\nexport { size } from './measure';\n"),
            (
                "src/main.ts",
                "import { other, trim } from './util/text';\nimport * as sizes from \"./util/size.js\";\nimport { size } from './measure';\n\njest.mock('./util/text');\nconsole.log(size(trim), other, './util/text');\n",
            ),
            (
                "src/measure.ts",
                "import { Box } from './util/size';\n\nexport function size(box: Box): number;\nexport function size(box: Box, more?: number): number {\n  return box.width + (more ?? 0);\n}\n",
            ),
            ("src/util/size.ts", "export interface Box {\n  width: number;\n}\n"),
            (
                "src/util/text.ts",
                "import { size } from '../measure';\nimport type { Box } from './size';\n\nexport function trim(box: Box): number {\n  return size(box);\n}\n\nexport const other = () => trim({ width: 1 });\n",
            ),
        ],
    );
}

#[test]
fn a_definition_that_was_private_is_exported() {
    let files = [
        (
            "a.js",
            "import { b } from './b.js';\n\nfunction helper() {\n  return limit + b;\n}\n\nconst limit = 1;\n\nexport function main() {\n  return helper();\n}\n",
        ),
        ("b.js", "export const b = 1;\n"),
    ];
    let (_, places) = refused(&files, &json!({"kind": "move", "symbol": "a.js::helper", "to": "c.js"}));
    assert!(places.iter().any(|place| place.contains("part of an import cycle")), "{places:?}");
    check(
        &files,
        &json!({"kind": "move", "symbol": "a.js::helper", "to": "c.js", "symbols": ["a.js::limit"]}),
        &[
            ("a.js", "import { helper } from './c.js';\n\nexport function main() {\n  return helper();\n}\n"),
            (
                "c.js",
                "import { b } from './b.js';\n\nexport function helper() {\n  return limit + b;\n}\n\nexport const limit = 1;\n",
            ),
        ],
    );
}

#[test]
fn a_cycle_that_a_package_hides_is_refused() {
    let files = [
        ("pkg/__init__.py", "from .app import App\n"),
        ("pkg/app.py", "from .base import Base\n\n\nclass App(Base):\n    pass\n"),
        (
            "pkg/base.py",
            "from . import words\n\n\ndef helper():\n    return words.LIST\n\n\nclass Base:\n    def run(self):\n        return helper()\n",
        ),
        ("pkg/words.py", "LIST = []\n"),
    ];
    let (code, places) = refused(&files, &json!({"kind": "move", "symbol": "pkg.base.helper", "to": "pkg/app.py"}));
    assert_eq!(code, "undetermined");
    assert_eq!(places, ["pkg/base.py:1 its import of `pkg/app.py` would be part of an import cycle"]);
}

#[test]
fn a_class_body_reads_names_from_outside_until_it_binds_them() {
    check(
        &[(
            "a.py",
            "import json\n\n\nclass Request:\n    module = json\n\n    def json(self):\n        return self.module.loads(1)\n",
        )],
        &json!({"kind": "move", "symbol": "a.Request", "to": "b.py"}),
        &[
            ("a.py", ""),
            (
                "b.py",
                "import json\n\n\nclass Request:\n    module = json\n\n    def json(self):\n        return self.module.loads(1)\n",
            ),
        ],
    );
}

#[test]
fn an_import_in_a_block_makes_no_cycle() {
    let files = [
        ("a.py", "from b import helper\n\n\nclass A:\n    x = helper()\n\n\nclass Rest:\n    pass\n"),
        (
            "b.py",
            "import typing\n\nif typing.TYPE_CHECKING:\n    from a import A\n\n\ndef helper() -> \"A\":\n    from a import A\n\n    return A\n",
        ),
    ];
    let changed = moved(&files, &json!({"kind": "move", "symbol": "a.A", "to": "c.py"})).expect("moved");
    let b = changed.iter().find(|(path, _)| path == "b.py").and_then(|(_, text)| text.clone());
    assert_eq!(b.as_deref(), Some(files[1].1.replace("from a ", "from c ").as_str()));
}

/// The files, the refactor, the beginning of the reason.
type Refused<'a> = (&'a [(&'a str, &'a str)], serde_json::Value, &'a str);

#[track_caller]
fn refuses(table: &[Refused<'_>]) {
    for (files, params, why) in table {
        let (code, places) = refused(files, params);
        assert_eq!(code, "undetermined", "{files:?}");
        assert!(places.iter().any(|place| place.starts_with(why)), "{files:?}: {places:?}");
    }
}

#[test]
fn a_module_is_imported_from_where_its_importers_find_it() {
    check(
        &[("m.py", "def a(): return 1\n"), ("main.py", "import m\nprint(m.a())\n")],
        &json!({"kind": "move", "symbol": "m.py::a", "to": "sub/n.py"}),
        &[
            ("m.py", ""),
            ("main.py", "import m\nfrom sub.n import a\nprint(a())\n"),
            ("sub/n.py", "def a(): return 1\n"),
        ],
    );
    check(
        &[("p/__init__.py", ""), ("p/m.py", "def a(): return 1\n"), ("main.py", "import p.m\nprint(p.m.a())\n")],
        &json!({"kind": "move", "symbol": "p/m.py::a", "to": "p/sub/n.py"}),
        &[
            ("main.py", "import p.m\nfrom p.sub.n import a\nprint(a())\n"),
            ("p/m.py", ""),
            ("p/sub/n.py", "def a(): return 1\n"),
        ],
    );
    // Nothing says how the two modules name others.
    check(
        &[("m.py", "def a(): return b()\n\n\ndef b(): return 1\n")],
        &json!({"kind": "move", "symbol": "m.py::a", "to": "sub/n.py"}),
        &[("m.py", "def b(): return 1\n"), ("sub/n.py", "from m import b\n\n\ndef a(): return b()\n")],
    );
}

#[test]
fn paths_of_modules_have_extensions_where_they_need_them() {
    for (manifest, ending, expected) in [
        ("{\"type\": \"module\"}", "js", "./n.js"),
        ("{}", "js", "./n"),
        ("{}", "mjs", "./n.mjs"),
        ("{\"type\": \"module\"}", "mjs", "./n.mjs"),
    ] {
        let code = "export function x() { return 4; }\nexport function y() { return x(); }\n";
        let file = format!("a.{ending}");
        let params = json!({"kind": "move", "symbol": format!("{file}::x"), "to": format!("n.{ending}")});
        let changed = moved(&[("package.json", manifest), (&file, code)], &params).expect("moved");
        let text = changed.iter().find(|(path, _)| *path == file).and_then(|(_, text)| text.clone()).expect("the file");
        assert!(text.contains(&format!("from '{expected}'")), "{manifest} {ending}: {text}");
    }
}

#[test]
fn what_a_module_does_by_names_and_at_its_top_is_asked_about() {
    let to = |symbol: &str| json!({"kind": "move", "symbol": symbol, "to": "n.py"});
    refuses(&[
        (
            &[
                ("m.py", "L = []\ndef reg(f):\n    L.append(f)\n    return f\n@reg\ndef a(): pass\n"),
                ("main.py", "import m\n"),
            ],
            to("m.py::a"),
            "m.py:6 the decorator `reg` may register it, and nothing would import the new module",
        ),
        (
            &[("m.py", "class B:\n    def __init_subclass__(cls): L.append(cls)\nL = []\nclass C(B): pass\n")],
            to("m.py::C"),
            "m.py:4 the base `B` may register it",
        ),
        (
            &[("m.py", "def a(): return 1\n"), ("main.py", "import m\nprint(getattr(m, \"a\")())\n")],
            to("m.py::a"),
            "main.py:2 a call names a member of the module by a string",
        ),
        (
            &[("m.py", "def a(): return 1\n"), ("main.py", "import m\nprint(dict(m))\n")],
            to("m.py::a"),
            "main.py:2 the module is used as a value",
        ),
        (
            &[("m.py", "def a(): return h()\nglobals()[n] = 1\n")],
            to("m.py::a"),
            "m.py:1 the module defines this name in a way that is not seen",
        ),
        (
            &[("m.py", "def a():\n    global h\n    return h()\nglobals()[n] = 1\n")],
            to("m.py::a"),
            "m.py:3 the module defines this name in a way that is not seen",
        ),
        (
            &[
                ("a.mjs", "export function x() {}\nexport function y() {}\n"),
                ("main.mjs", "import * as a from \"./a.mjs\";\nObject.keys(a);\n"),
            ],
            json!({"kind": "move", "symbol": "a.mjs::x", "to": "n.mjs"}),
            "main.mjs:2 the module is used as a value",
        ),
        (
            &[
                ("m.py", "def h(): return 1\nclass A:\n    def f(self): return h()\nclass B: pass\n"),
                ("main.py", "import m\nsetattr(m, \"h\", 1)\n"),
            ],
            json!({"kind": "split_file", "symbol": "m.py"}),
            "main.py:2 a call names a member of the module by a string",
        ),
    ]);
    // Another module imports the new one.
    let files = [
        ("m.py", "from r import reg\n@reg\ndef a(): pass\n"),
        ("main.py", "from m import a\na()\n"),
        ("r.py", "def reg(f): return f\n"),
    ];
    moved(&files, &to("m.py::a")).expect("the new module is imported");
}

#[test]
fn names_of_modules_that_are_put_together_are_asked_about() {
    let to = |from: &str, to: &str| json!({"kind": "move_file", "symbol": from, "to": to});
    let package = |code: &'static str| [("p/__init__.py", code), ("p/m.py", "a = 1\n"), ("q.py", "b = 1\n")];
    for (code, is_asked) in [
        ("import importlib\ndef get(n): return importlib.import_module(\".\" + n, __name__)\n", true),
        ("from importlib import import_module\nm = import_module(\".m\", __name__)\n", true),
        ("from importlib import import_module\nm = import_module(f\".{n}\", __name__)\n", true),
        ("from importlib import import_module\nm = import_module(\"p.%s\" % n)\n", true),
        ("from importlib import import_module\nm = import_module(f\"q.{n}\")\n", false),
        ("from importlib import import_module\nm = import_module(\".x\" + n, __name__)\n", false),
        ("from importlib import import_module\nm = import_module(n)\n", false),
    ] {
        let files = package(code);
        let done = moved(&files, &to("p/m.py", "p/k.py"));
        assert_eq!(done.is_err(), is_asked, "{code}");
    }
    let code = "import importlib\nm = importlib.import_module(\".m\", __name__)\n";
    let params = json!({"kind": "move_file", "symbol": "p/m.py", "to": "p/k.py", "include": ["p/__init__.py:2"]});
    let changed = moved(&package(code), &params).expect("moved");
    assert!(changed[0].1.as_deref().is_some_and(|text| text.contains("import_module(\".k\", __name__)")));
    for (code, is_asked) in [
        ("const m = await import(`./${n}.mjs`);\n", true),
        ("const m = await import(\"./\" + n);\n", true),
        ("const m = await import(`./${n}.json`);\n", false),
        ("const m = await import(`./x/${n}.mjs`);\n", false),
    ] {
        let files = [("a.mjs", "export const x = 1;\n"), ("main.mjs", code)];
        assert_eq!(moved(&files, &to("a.mjs", "b.mjs")).is_err(), is_asked, "{code}");
    }
}

#[test]
fn a_file_that_moves_makes_no_cycle_through_a_package() {
    let files = [
        ("p/__init__.py", "from .a import x\n"),
        ("p/a.py", "from .u import y\nx = y\n"),
        ("p/u.py", "y = 1\n"),
        ("p/s/__init__.py", "from ..a import x as z\n"),
        ("p/t/__init__.py", ""),
    ];
    let (code, places) = refused(&files, &json!({"kind": "move_file", "symbol": "p/u.py", "to": "p/s/u.py"}));
    assert_eq!(code, "undetermined");
    assert_eq!(places, ["p/a.py:1 its import of `p/s/__init__.py` would be part of an import cycle"]);
    moved(&files, &json!({"kind": "move_file", "symbol": "p/u.py", "to": "p/t/u.py"})).expect("no cycle");
}

const RECTS: &[(&str, &str)] = &[
    ("go.mod", "module example.org/r\n"),
    (
        "p/rect.go",
        "package p\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\ntype Rect struct{ W int }\n\n// Name is one.\nfunc Name(r Rect) string {\n\treturn strings.ToUpper(fmt.Sprint(r.W))\n}\n\nfunc Print(r Rect) { fmt.Println(Name(r)) }\n\nfunc init() {}\n",
    ),
    ("p/other.go", "package p\n\nimport \"os\"\n\nfunc Exit() { os.Exit(1) }\n"),
    ("p/rect_linux.go", "package p\n\nfunc onLinux() {}\n"),
    ("q/q.go", "package q\n\nimport \"example.org/r/p\"\n\nfunc F() string { return p.Name(p.Rect{W: 1}) }\n"),
];

#[test]
fn a_definition_goes_to_another_file_of_its_package() {
    let name = "// Name is one.\nfunc Name(r Rect) string {\n\treturn strings.ToUpper(fmt.Sprint(r.W))\n}\n";
    check(
        RECTS,
        &json!({"kind": "move", "symbol": "p/rect.go::Name", "to": "p/other.go"}),
        &[
            (
                "p/other.go",
                &format!(
                    "package p\n\nimport \"os\"\nimport \"fmt\"\nimport \"strings\"\n\nfunc Exit() {{ os.Exit(1) }}\n\n{name}"
                ),
            ),
            (
                "p/rect.go",
                "package p\n\nimport (\n\t\"fmt\"\n)\n\ntype Rect struct{ W int }\n\nfunc Print(r Rect) { fmt.Println(Name(r)) }\n\nfunc init() {}\n",
            ),
        ],
    );
    let changed = moved(RECTS, &json!({"kind": "move", "symbol": "p/rect.go::Rect", "to": "p/new.go"})).expect("moved");
    assert_eq!(changed[0].1.as_deref(), Some("package p\n\ntype Rect struct{ W int }\n"));
    for (symbol, to, why) in [
        ("p/rect.go::init", "p/other.go", "the order in which files run it depends on their names"),
        ("p/rect.go::Name", "p/rect_linux.go", "the files are compiled under different conditions"),
        ("p/rect.go::Name", "p/rect_test.go", "only one of the files is compiled for tests alone"),
    ] {
        let (code, places) = refused(RECTS, &json!({"kind": "move", "symbol": symbol, "to": to}));
        assert_eq!(code, "undetermined", "{to}");
        assert!(places.iter().any(|place| place.contains(why)), "{places:?}");
    }
    let (code, _) = refused(RECTS, &json!({"kind": "move", "symbol": "p/rect.go::Name", "to": "q/q.go"}));
    assert_eq!(code, "bad_request");
}

#[test]
fn a_class_of_java_goes_to_another_file_of_its_package() {
    let files: &[(&str, &str)] = &[(
        "a/A.java",
        "package a;\n\nimport java.util.List;\nimport java.util.Map;\n\npublic class A {\n    Map<String, B> m;\n}\n\n/** One. */\nclass B {\n    List<String> all;\n}\n",
    )];
    check(
        files,
        &json!({"kind": "move", "symbol": "a/A.java::B", "to": "a/B.java"}),
        &[
            ("a/A.java", "package a;\n\nimport java.util.Map;\n\npublic class A {\n    Map<String, B> m;\n}\n"),
            ("a/B.java", "package a;\n\nimport java.util.List;\n\n/** One. */\nclass B {\n    List<String> all;\n}\n"),
        ],
    );
    let (code, _) = refused(files, &json!({"kind": "move", "symbol": "a/A.java::A", "to": "a/C.java"}));
    assert_eq!(code, "bad_request");
}

#[test]
fn a_barrel_exports_what_moved_from_its_new_place() {
    let a = "export function x(o: number): number { return o > 1 ? x(o - 1) : h(); }\nfunction h() { return 2; }\nexport function y() { return h(); }\n";
    let main = "import { x, y } from \"./i\";\nexport const q = [x(1), y()];\n";
    let files = [
        ("a.ts", a),
        ("i.ts", "export * from \"./k\"\nexport * from \"./a\"\n"),
        ("k.ts", "export const z = 1;\n"),
        ("main.ts", main),
    ];
    let changed = moved(&files, &json!({"kind": "move", "symbol": "a.ts::x", "to": "n.ts"}))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let text = |path: &str| changed.iter().find(|(known, _)| known == path).and_then(|(_, text)| text.clone());
    assert_eq!(
        text("i.ts").as_deref(),
        Some("export * from \"./k\"\nexport * from \"./a\"\nexport { x } from \"./n\"\n")
    );
    assert_eq!(text("main.ts"), None);
    // A type is exported as one, and what was not exported is not.
    let a = "export interface T { v: number }\nexport const y = 1;\n";
    let files = [
        ("a.ts", a),
        ("i.ts", "export * from './a';\n"),
        ("main.ts", "import { T } from './i';\nexport const q: T = { v: 1 };\n"),
    ];
    let changed = moved(&files, &json!({"kind": "move", "symbol": "a.ts::T", "to": "n.ts"}))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let barrel = changed.iter().find(|(path, _)| path == "i.ts").and_then(|(_, text)| text.clone());
    assert_eq!(barrel.as_deref(), Some("export * from './a';\nexport type { T } from './n';\n"));
    // One that exports all of the new place does so already.
    let files = [
        ("a.mjs", "export const x = 1;\nexport const y = 2;\n"),
        ("n.mjs", "export const z = 1;\n"),
        ("i.mjs", "export * from './a.mjs';\nexport * from './n.mjs';\n"),
        ("main.mjs", "import { x } from './i.mjs';\nconsole.log(x);\n"),
    ];
    let changed = moved(&files, &json!({"kind": "move", "symbol": "a.mjs::x", "to": "n.mjs"}))
        .unwrap_or_else(|error| panic!("{error:#}"));
    assert!(changed.iter().all(|(path, _)| path != "i.mjs"), "{changed:?}");
}

#[test]
fn code_that_changes_a_variable_of_its_module_stays() {
    for (path, to, text) in [
        ("a.mjs", "b.mjs", "export let n = 0;\nexport function inc(by) {\n  n += by;\n}\n"),
        ("a.mjs", "b.mjs", "let n = 0;\nexport const inc = () => ++n;\n"),
        ("a.ts", "b.ts", "export let n = 0;\nexport function inc(by: number): void {\n  n = by;\n}\n"),
    ] {
        let (code, places) = refused(&[(path, text)], &json!({"kind": "move", "symbol": "inc", "to": to}));
        assert!(places.iter().any(|place| place.contains("changes a variable")), "{text}: {code} {places:#?}");
        let (code, places) = refused(&[(path, text)], &json!({"kind": "move", "symbol": "n", "to": to}));
        assert!(places.iter().any(|place| place.contains("reassigned")), "{text}: {code} {places:#?}");
    }
    let text = "n = 0\n\n\ndef inc(by):\n    global n\n    n += by\n";
    refused(&[("a.py", text)], &json!({"kind": "move", "symbol": "inc", "to": "b.py"}));
    let text = "export let n = 0;\nexport const get = () => n;\nexport const inc = () => ++n;\n";
    moved(&[("a.mjs", text)], &json!({"kind": "move", "symbol": "get", "to": "b.mjs"})).unwrap();
}

#[test]
fn a_module_that_is_exported_by_a_name_keeps_that_name() {
    let index =
        "export * as utils from \"./utils/index.mjs\";\nimport * as own from \"./utils/index.mjs\";\nexport { own };\n";
    let main = "import { utils as u, own } from \"./src/index.mjs\";\nimport { utils } from \"./src/index.mjs\";\nconsole.log(u.x, own.x, utils.x);\n";
    check(
        &[("src/index.mjs", index), ("src/utils/index.mjs", "export const x = 1;\n"), ("main.mjs", main)],
        &json!({"kind": "move_file", "symbol": "src/utils", "to": "src/lib"}),
        &[("src/index.mjs", &index.replace("./utils", "./lib")), ("src/lib/index.mjs", "export const x = 1;\n")],
    );
}

#[test]
fn what_a_moved_definition_needs_is_exported_though_it_begins_the_file() {
    check(
        &[
            (
                "a.mjs",
                "const LIMIT = 3;\n\nexport function pick(x) {\n  return x > LIMIT;\n}\n\nexport const other = LIMIT;\n",
            ),
            ("b.mjs", "export const z = 1;\n"),
        ],
        &json!({"kind": "move", "symbol": "a.mjs::pick", "to": "b.mjs"}),
        &[
            ("a.mjs", "export const LIMIT = 3;\n\nexport const other = LIMIT;\n"),
            (
                "b.mjs",
                "import { LIMIT } from './a.mjs';\n\nexport const z = 1;\n\nexport function pick(x) {\n  return x > LIMIT;\n}\n",
            ),
        ],
    );
}

/// A file, another one, and its text that loads the first one by its path alone; whether that is certain.
const LOADS: [(&str, &str, &str, bool); 18] = [
    ("b.ts", "a.ts", "import \"./b\";\n", true),
    ("b.ts", "a.ts", "export * from \"./b\";\n", true),
    ("b.ts", "a.ts", "const b = await import(\"./b\");\n", true),
    ("b.ts", "a.ts", "let x: import(\"./b\").F<string>, y: import('./b').G;\n", true),
    ("b.ts", "a.js", "/** @type {import(\"./b\").F} */\nlet x;\n", false),
    ("b.js", "a.js", "require(\"./b\");\n", true),
    ("b.js", "a.js", "new Worker(new URL(\"./b.js\", import.meta.url));\n", false),
    ("s/b.js", "a.js", "spawn(\"node\", [\"s/b.js\"]);\n", false),
    ("b.py", "a.py", "import b\n", true),
    ("b.py", "a.py", "from b import *\n", true),
    ("b.py", "a.py", "exec(open(\"b.py\").read())\n", false),
    ("b.rb", "a.rb", "require_relative \"b\"\n", true),
    ("b.php", "a.php", "<?php\nrequire __DIR__ . '/b.php';\n", false),
    ("b.h", "a.c", "#include \"b.h\"\n", true),
    ("b.hpp", "a.cpp", "#include \"b.hpp\"\n", false),
    ("src/b.rs", "src/main.rs", "mod b;\n", true),
    ("b.css", "a.css", "@import \"b.css\";\n", false),
    ("b.css", "a.html", "<link rel=\"stylesheet\" href=\"b.css?v=1\">\n", false),
];

#[test]
fn a_file_that_another_one_loads_is_not_deleted() {
    for (file, other, text, is_certain) in LOADS {
        let place = crate::cli::Place::new();
        place.write(file, "");
        place.write(other, text);
        let answer = place.run(&["refactor", "delete-file", file, "--write"]);
        let what = if is_certain { "it refers to this file" } else { "it may refer to this file" };
        assert_eq!(answer.status, 2, "{text}{}", answer.stderr);
        assert!(
            answer.stderr.contains(what) && answer.stderr.contains(&format!("{other}:")),
            "{text}{}",
            answer.stderr
        );
        assert_eq!(place.read(file), "");
        place.write(other, "");
        let answer = place.run(&["refactor", "delete-file", file, "--write"]);
        assert_eq!(answer.status, 0, "nobody loads {file}: {}", answer.stderr);
    }
}

#[test]
fn types_of_a_module_by_its_path_follow_it() {
    check(
        &[
            ("b.ts", "export interface F<T> { a: T }\n"),
            ("a.ts", "let x: import(\"./b\").F<string>, y: import('./b').F<1>[];\nconst z = import(\"./b\");\n"),
        ],
        &json!({"kind": "move_file", "symbol": "b.ts", "to": "c/b.ts"}),
        &[
            ("a.ts", "let x: import(\"./c/b\").F<string>, y: import('./c/b').F<1>[];\nconst z = import(\"./c/b\");\n"),
            ("c/b.ts", "export interface F<T> { a: T }\n"),
        ],
    );
}
