//! Modules that become packages: what is in which file, what is refused, and names that other files change.

use serde_json::json;

use crate::refactored::{check, refused, run};

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .stock import Stock, Box as Crate\n"),
    (
        "shop/stock.py",
        "\"\"\"Stock.\"\"\"\nimport json\nimport typing as t\n\nif t.TYPE_CHECKING:\n    from .prices import Price\n\n__all__ = [\"Stock\"]\n\n# How much fits.\nLIMIT = 3\n\n\nclass Stock:\n    def price(self) -> \"Price\":\n        return json.loads(LIMIT)\n\n    def box(self) -> \"Box\":\n        ...\n\n\nclass Box(Stock):\n    limit = LIMIT\n\n\ndef pack():\n    return Box()\n",
    ),
    ("shop/prices.py", "class Price: pass\n"),
    ("main.py", "from shop import stock\nfrom shop.stock import pack\n\nstock.Box()\npack()\n"),
];

#[test]
fn a_module_of_python_becomes_a_package() {
    check(
        SHOP,
        &json!({"kind": "split_file", "symbol": "shop/stock.py"}),
        &[
            (
                "shop/stock/__init__.py",
                "\"\"\"Stock.\"\"\"\nfrom .box import Box as Box\nfrom .box import pack as pack\nfrom .common import LIMIT as LIMIT\nfrom .stock import Stock\n\n__all__ = [\"Stock\"]\n",
            ),
            (
                "shop/stock/box.py",
                "from .common import LIMIT\nfrom .stock import Stock\n\n\nclass Box(Stock):\n    limit = LIMIT\n\n\ndef pack():\n    return Box()\n",
            ),
            ("shop/stock/common.py", "# How much fits.\nLIMIT = 3\n"),
            (
                "shop/stock/stock.py",
                "import json\nimport typing as t\nfrom .common import LIMIT\n\nif t.TYPE_CHECKING:\n    from . import Box\n    from ..prices import Price\n\n\nclass Stock:\n    def price(self) -> \"Price\":\n        return json.loads(LIMIT)\n\n    def box(self) -> \"Box\":\n        ...\n",
            ),
        ],
    );
}

#[test]
fn named_parts_leave_the_rest_in_the_package() {
    let changed = run(SHOP, &json!({"kind": "split_file", "symbol": "shop/stock.py", "parts": ["limits=LIMIT"]}));
    let paths: Vec<String> = changed.expect("split").into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["shop/stock/__init__.py", "shop/stock/limits.py"]);
    // Its class needs one that stays: a cycle.
    let (code, places) = refused(SHOP, &json!({"kind": "split_file", "symbol": "shop/stock.py", "parts": ["box=Box"]}));
    assert_eq!(code, "undetermined");
    assert!(places[0].contains("would be part of an import cycle"), "{places:?}");
    for part in ["box", "box=", "a/b=Box", "box=Bix"] {
        let params = json!({"kind": "split_file", "symbol": "shop/stock.py", "parts": [part]});
        assert_eq!(refused(SHOP, &params).0, "bad_request", "{part}");
    }
}

#[test]
fn a_name_that_another_file_sets_is_not_split_away() {
    let mut files = SHOP.to_vec();
    files.push(("patch.py", "import shop.stock\n\nshop.stock.LIMIT = 4\n"));
    let (code, places) = refused(&files, &json!({"kind": "split_file", "symbol": "shop/stock.py"}));
    assert_eq!(
        (code.as_str(), places.as_slice()),
        ("undetermined", &["patch.py:3 it is reassigned here".to_owned()][..])
    );
    // Nor is an import that the module's code uses and another file sets.
    files.pop();
    files.push(("patch.py", "from shop import stock\n\nstock.json = None\n"));
    let (code, places) = refused(&files, &json!({"kind": "split_file", "symbol": "shop/stock.py"}));
    assert_eq!(
        (code.as_str(), places.as_slice()),
        ("undetermined", &["patch.py:3 `json` of the old module is reassigned here".to_owned()][..])
    );
}

#[test]
fn words_of_the_language_are_not_names_of_modules() {
    let files = [("nodes.py", "class For:\n    pass\n\n\nclass While(For):\n    pass\n\n\nclass Name:\n    pass\n")];
    let changed = run(&files, &json!({"kind": "split_file", "symbol": "nodes.py"})).expect("split");
    let paths: Vec<&str> = changed.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["nodes/__init__.py", "nodes/_for.py", "nodes/_while.py", "nodes/name.py"]);
}

#[test]
fn a_folder_without_a_file_of_its_own_is_a_package_where_its_files_say_so() {
    let files = [
        ("app/__init__.py", ""),
        ("app/part/one.py", "def helper(): ...\n"),
        ("app/part/two.py", "from .one import helper\n\n\nclass A:\n    x = helper()\n\n\nclass B:\n    pass\n"),
    ];
    let changed = run(&files, &json!({"kind": "split_file", "symbol": "app/part/two.py"})).expect("split");
    let a = changed.iter().find(|(path, _)| path == "app/part/two/a.py").and_then(|(_, text)| text.clone());
    assert_eq!(a.as_deref(), Some("from ..one import helper\n\n\nclass A:\n    x = helper()\n"));
}

#[test]
fn a_module_of_typescript_becomes_a_folder() {
    check(
        &[
            ("src/order-line.ts", ""),
            (
                "src/shop.ts",
                "import { readFile } from 'fs';\n\nexport interface Price {\n  value: number;\n}\n\nexport class Stock {\n  read(): Price {\n    return readFile('x');\n  }\n}\n\nexport class BigBox extends Stock {}\n",
            ),
            ("src/main.ts", "import { Stock, BigBox } from './shop';\n\nnew Stock();\nnew BigBox();\n"),
        ],
        &json!({"kind": "split_file", "symbol": "src/shop.ts"}),
        &[
            ("src/shop/big-box.ts", "import { Stock } from './stock';\n\nexport class BigBox extends Stock {}\n"),
            (
                "src/shop/index.ts",
                "export type { Price } from './price';\nexport { Stock } from './stock';\nexport { BigBox } from './big-box';\n",
            ),
            ("src/shop/price.ts", "export interface Price {\n  value: number;\n}\n"),
            (
                "src/shop/stock.ts",
                "import { readFile } from 'fs';\nimport { Price } from './price';\n\nexport class Stock {\n  read(): Price {\n    return readFile('x');\n  }\n}\n",
            ),
        ],
    );
}

#[test]
fn a_moved_definition_may_stay_a_name_of_its_old_module() {
    check(
        &[("a.py", "def one():\n    return 1\n\n\ndef two():\n    return 2\n"), ("b.py", "from a import one, two\n")],
        &json!({"kind": "move", "symbol": "a.one", "to": "c.py", "keep_alias": true}),
        &[
            ("a.py", "from c import one as one\n\n\ndef two():\n    return 2\n"),
            ("b.py", "from a import two\nfrom c import one\n"),
            ("c.py", "def one():\n    return 1\n"),
        ],
    );
}

#[test]
fn a_statement_that_stays_may_change_a_variable() {
    let files = [("a.py", "NAMES = []\nNAMES.append(1)\n"), ("b.py", "from a import NAMES\n\nprint(NAMES)\n")];
    let (code, places) = refused(&files, &json!({"kind": "move", "symbol": "a.NAMES", "to": "c.py"}));
    assert_eq!(code, "undetermined");
    let runs = "a.py:2 this runs when the old module is loaded, which may not be loaded any more, or later";
    assert_eq!(places, [runs, "a.py:2 a statement that stays may change its value"]);
}

#[test]
fn a_program_and_names_made_by_code_are_not_split() {
    let classes = "class A:\n    def f(self):\n        return h()\nclass B:\n    pass\n";
    let params = json!({"kind": "split_file", "symbol": "m.py"});
    for (rest, why) in [
        ("if __name__ == \"__main__\":\n    print(A)\n", "a program that starts with this file"),
        ("for n in (\"h\", \"k\"):\n    globals()[n] = print\n", "the module defines this name in a way"),
    ] {
        let (code, places) = refused(&[("m.py", &format!("{classes}{rest}"))], &params);
        assert_eq!(code, "undetermined");
        assert!(places.iter().any(|place| place.contains(why)), "{places:?}");
    }
    let (_, places) = refused(&[("m.py", "class A:\n    path = __file__\nclass B:\n    pass\n")], &params);
    assert!(places[0].contains("`__file__` means another file after the move"), "{places:?}");
}
