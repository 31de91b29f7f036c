//! Feature flags that are always true or false: what their conditions decide, what goes with them, and what is refused.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

fn flag(value: bool) -> Value {
    json!({"kind": "remove_flag", "symbol": "FLAG", "value": value.to_string()})
}

/// A file that only defines and uses the flag becomes this one.
#[track_caller]
fn becomes(path: &str, definition: &str, value: bool, cases: &[(&str, &str)]) {
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for (code, expected) in cases {
        let text = format!("{definition}{code}");
        match run(&[(path, &text)], &flag(value)) {
            Ok(changed) => {
                let new = changed[0].1.clone().unwrap_or_default();
                if new != *expected {
                    wrong.push(format!("{code}\n-- expected\n{expected}\n-- is\n{new}"));
                }
            }
            Err(error) => wrong.push(format!("{code}\n-- {error:#}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

#[test]
fn conditions_of_python_that_are_true() {
    let cases = [
        ("if FLAG:\n    # why\n    a()  # what\n    # end\nb()\n", "# why\na()  # what\n# end\nb()\n"),
        ("if FLAG: a()\n", "a()\n"),
        ("if FLAG:\n    a()\nelif c:\n    b()\nelse:\n    d()\n", "a()\n"),
        ("if not FLAG:\n    a()\nelse:\n    b()\n", "b()\n"),
        ("if not FLAG:\n    a()\nelif c:\n    b()\nelse:\n    d()\n", "if c:\n    b()\nelse:\n    d()\n"),
        ("if c:\n    a()\nelif FLAG:\n    b()\nelse:\n    d()\n", "if c:\n    a()\nelse:\n    b()\n"),
        ("if c:\n    a()\nelif not FLAG:\n    b()\nelif d:\n    e()\n", "if c:\n    a()\nelif d:\n    e()\n"),
        ("if c:\n    a()\nelif not FLAG:\n    b()\n", "if c:\n    a()\n"),
        ("def f():\n    if not FLAG:\n        a()\n", "def f():\n    pass\n"),
        ("def f():\n    if FLAG:\n        pass\n", "def f():\n    pass\n"),
        ("def f():\n    if FLAG:\n        return 1\n    return 2\n", "def f():\n    return 1\n"),
        ("def f():\n    if FLAG:\n        return\n    yield 2\n", "def f():\n    return\n    yield 2\n"),
        (
            "def f():\n    if FLAG:\n        if x:\n            if FLAG:\n                a(1,\n                  2)\n                s = '''\n  x\n'''\n",
            "def f():\n    if x:\n        a(1,\n          2)\n        s = '''\n  x\n'''\n",
        ),
        (
            "def f():\n    if FLAG:\n        if not FLAG:\n            a()\n        elif x:\n            b()\n            return 1\n        for i in y:\n            if FLAG:\n                c()\n                break\n            d()\n",
            "def f():\n    if x:\n        b()\n        return 1\n    for i in y:\n        c()\n        break\n",
        ),
        ("while not FLAG:\n    a()\nb()\n", "b()\n"),
        ("while x and FLAG:\n    a()\n", "while x:\n    a()\n"),
        ("try:\n    if not FLAG:\n        a()\nexcept E:\n    pass\n", "try:\n    pass\nexcept E:\n    pass\n"),
        ("x = a if FLAG else b\n", "x = a\n"),
        ("x = a if not FLAG else b\n", "x = b\n"),
        (
            "x = FLAG and y\nx = y and FLAG\nx = FLAG or y\nx = y or FLAG\n",
            "x = y\nx = y and True\nx = True\nx = y or True\n",
        ),
        ("if y and FLAG or z:\n    a()\n", "if y or z:\n    a()\n"),
        ("if y() and not FLAG:\n    a()\n", "if y() and False:\n    a()\n"),
        ("if y and not FLAG:\n    a()\nb()\n", "b()\n"),
        ("if FLAG and (y or z):\n    a()\n", "if y or z:\n    a()\n"),
        ("if not (FLAG and y):\n    a()\n", "if not y:\n    a()\n"),
        ("if not (FLAG and y.z()) or (not FLAG):\n    a()\n", "if not y.z():\n    a()\n"),
        ("if FLAG is True:\n    a()\nif FLAG == False:\n    b()\nif FLAG is not False:\n    c()\n", "a()\nc()\n"),
        (
            "def f(a=FLAG): ...\nf(FLAG, flag=FLAG)\nx = [FLAG]\ny = f'{FLAG}'\n",
            "def f(a=True): ...\nf(True, flag=True)\nx = [True]\ny = f'{True}'\n",
        ),
        ("FLAG and a()\nFLAG or b()\n", "a()\n"),
        ("x = [y for y in z if FLAG and y]\n", "x = [y for y in z if y]\n"),
        ("__all__ = ['FLAG', 'f']\ndef f():\n    return not FLAG\n", "__all__ = ['f']\ndef f():\n    return False\n"),
    ];
    becomes("a.py", "FLAG = get()\n", true, &cases);
}

#[test]
fn conditions_of_python_that_are_false() {
    let cases = [
        ("if FLAG:\n    a()\nb()\n", "b()\n"),
        ("if FLAG:\n    a()\nelse:\n    # no\n    b()\n", "# no\nb()\n"),
        ("if c:\n    a()\nelif FLAG:\n    b()\nelse:\n    d()\n", "if c:\n    a()\nelse:\n    d()\n"),
        ("while FLAG:\n    a()\nelse:\n    b()\n", "b()\n"),
        ("class A:\n    if FLAG:\n        x = 1\n", "class A:\n    pass\n"),
        ("x = a if c else b if FLAG else d\n", "x = a if c else d\n"),
        ("if FLAG or y:\n    a()\n", "if y:\n    a()\n"),
    ];
    becomes("a.py", "FLAG: bool = False\n", false, &cases);
}

#[test]
fn conditions_of_javascript_and_its_types() {
    let cases = [
        ("if (FLAG) {\n  a();\n  b();\n}\nc();\n", "a();\nb();\nc();\n"),
        ("if (FLAG) a();\nelse b();\n", "a();\n"),
        (
            "if (!FLAG) {\n  a();\n} else if (c) {\n  b();\n} else {\n  d();\n}\n",
            "if (c) {\n  b();\n} else {\n  d();\n}\n",
        ),
        (
            "if (c) {\n  a();\n} else if (FLAG) {\n  b();\n} else {\n  d();\n}\n",
            "if (c) {\n  a();\n} else {\n  b();\n}\n",
        ),
        ("if (c) {\n  a();\n} else if (!FLAG) {\n  b();\n}\n", "if (c) {\n  a();\n}\n"),
        (
            "if (c) {\n  a();\n} else if (!FLAG) {\n  b();\n} else {\n  d();\n}\n",
            "if (c) {\n  a();\n} else {\n  d();\n}\n",
        ),
        ("function f() {\n  if (FLAG) {\n    return 1;\n  }\n  return 2;\n}\n", "function f() {\n  return 1;\n}\n"),
        ("if (FLAG) {\n  const x = 1;\n  f(x);\n}\n", "const x = 1;\nf(x);\n"),
        ("const x = 2;\nif (FLAG) {\n  const x = 1;\n  f(x);\n}\n", "const x = 2;\n{\n  const x = 1;\n  f(x);\n}\n"),
        ("if (FLAG) {\n  let x = 1;\n}\nif (FLAG) {\n  let x = 2;\n}\n", "let x = 1;\n{\n  let x = 2;\n}\n"),
        ("x = FLAG ? a : b;\ny = !FLAG ? a : b;\n", "x = a;\ny = b;\n"),
        (
            "x = FLAG && y;\nx = (FLAG && y) || z;\nx = FLAG || y;\nx = !(FLAG && y);\n",
            "x = y;\nx = y || z;\nx = true;\nx = !y;\n",
        ),
        ("if (FLAG === true && (x || y)) {\n  a();\n}\n", "if (x || y) {\n  a();\n}\n"),
        ("if (FLAG !== true) {\n  a();\n}\nb();\n", "b();\n"),
        ("while (!FLAG) {\n  a();\n}\nb();\n", "b();\n"),
        ("FLAG && a();\nf({ FLAG, on: FLAG });\n", "a();\nf({ FLAG: true, on: true });\n"),
        ("f = () => FLAG ? {} : x;\n", "f = () => ({});\n"),
        ("for (const a of b) if (!FLAG) a();\n", "for (const a of b) {}\n"),
        (
            "switch (x) {\n  case 1:\n    if (FLAG) {\n      return a();\n    }\n    b();\n    break;\n}\n",
            "switch (x) {\n  case 1:\n    return a();\n}\n",
        ),
        ("do {\n  a();\n} while (!FLAG);\n", "do {\n  a();\n} while (false);\n"),
        ("x = `a${FLAG ? 'b' : 'c'}\n`;\n", "x = `a${'b'}\n`;\n"),
    ];
    for path in ["a.js", "a.ts", "a.tsx"] {
        becomes(path, "const FLAG = get();\n", true, &cases);
    }
    let element = [("x = <p>{FLAG ? <A /> : <B />}{FLAG && <C />}</p>;\n", "x = <p>{<A />}{<C />}</p>;\n")];
    for path in ["a.jsx", "a.tsx"] {
        becomes(path, "const FLAG = get();\n", true, &element);
    }
}

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .settings import FLAG, NAME\n\n__all__ = [\"FLAG\", \"NAME\"]\n"),
    ("shop/settings.py", "import os\n\nFLAG = os.environ.get(\"FLAG\")\nNAME = \"shop\"\n"),
    (
        "shop/stock.py",
        "import json\nimport logging\nfrom . import settings\nfrom .settings import FLAG as ON\n\n\ndef count(path):\n    if ON:\n        return json.load(path)\n    logging.info(path)\n    return settings.FLAG\n",
    ),
    ("main.py", "from shop import FLAG\n\nprint(FLAG)\n"),
];

#[test]
fn imports_exports_and_what_only_deleted_code_used_go_with_a_flag() {
    check(
        SHOP,
        &flag(true),
        &[
            ("main.py", "print(True)\n"),
            ("shop/__init__.py", "from .settings import NAME\n\n__all__ = [\"NAME\"]\n"),
            ("shop/settings.py", "NAME = \"shop\"\n"),
            ("shop/stock.py", "import json\n\n\ndef count(path):\n    return json.load(path)\n"),
        ],
    );
    check(
        &[
            ("flags.ts", "export const FLAG = true, OTHER = 1;\n"),
            ("index.ts", "export { FLAG, OTHER } from './flags';\n"),
            (
                "main.ts",
                "import { FLAG } from './index';\nimport { old } from './old';\n\nif (!FLAG) {\n  old();\n}\nrun();\n",
            ),
            ("old.ts", "export function old() {}\n"),
        ],
        &flag(true),
        &[
            ("flags.ts", "export const OTHER = 1;\n"),
            ("index.ts", "export { OTHER } from './flags';\n"),
            ("main.ts", "run();\n"),
        ],
    );
}

#[test]
fn a_second_run_finds_no_flag() {
    let changed = run(SHOP, &flag(false)).expect("removed");
    let files: Vec<(&str, &str)> =
        changed.iter().map(|(path, text)| (path.as_str(), text.as_deref().unwrap_or_default())).collect();
    assert_eq!(files.len(), SHOP.len());
    assert!(files.iter().all(|(_, text)| !text.contains("FLAG")), "{files:?}");
    assert_eq!(refused(&files, &flag(false)).0, "no_match");
}

#[test]
fn what_both_branches_define_stays_bound() {
    let text = "FLAG = True\nif FLAG:\n    def f(): return 1\nelse:\n    def f(): return 2\n\nf()\n";
    let user = ("b.py", "from a import f\n\nf()\n");
    check(&[("a.py", text), user], &flag(false), &[("a.py", "def f(): return 2\n\nf()\n")]);
    // What is defined in one of them only is used elsewhere.
    let text = "FLAG = True\nif FLAG:\n    def f(): return 1\n";
    assert_eq!(refused(&[("a.py", text), user], &flag(false)).0, "would_rebind");
    check(&[("a.py", text), user], &flag(true), &[("a.py", "def f(): return 1\n")]);
}

#[test]
fn members_of_classes_are_flags_too() {
    let text =
        "class Settings:\n    FLAG = True\n\n\ndef f():\n    if Settings.FLAG:\n        return 1\n    return 2\n";
    let expected = "class Settings:\n    pass\n\n\ndef f():\n    return 1\n";
    check(&[("a.py", text)], &flag(true), &[("a.py", expected)]);
}

#[test]
fn places_that_are_not_certain_are_refused() {
    let cases = [
        ("FLAG = True\ndef f():\n    global FLAG\n    FLAG = False\n", "a.py:4 it is also assigned here"),
        ("try:\n    FLAG = True\nexcept E:\n    FLAG = False\n", "a.py:4 it is also assigned here"),
        ("FLAG = True\nFLAG()\n", "a.py:2 it is used other than as a value here"),
        ("import a\nFLAG = True\ngetattr(a, 'FLAG')\n", "a.py:3 a call names a member by this string"),
        ("FLAG = True\npatch('a.FLAG')\n", "a.py:2 a path in a string"),
        ("FLAG = True\nwhile FLAG:\n    f()\n", "a.py:2 the loop would not end"),
        ("FLAG = OTHER = True\n", "a.py:1 the statement does more than to define it"),
        ("FLAG = True\nx = (FLAG and y.f)()\n", "a.py:2 the call would get another receiver"),
    ];
    for (text, why) in cases {
        let (code, places) = refused(&[("a.py", text)], &flag(true));
        assert_eq!((code.as_str(), places.as_slice()), ("undetermined", &[why.to_owned()][..]), "{text}");
    }
    let (code, places) = refused(&[("a.ts", "let FLAG = true;\nFLAG = false;\n")], &flag(true));
    assert_eq!((code.as_str(), places.as_slice()), ("undetermined", &["a.ts:2 it is reassigned here".to_owned()][..]));
    let (code, places) = refused(&[("a.js", "const FLAG = true;\ndo {\n  f();\n} while (FLAG);\n")], &flag(true));
    assert_eq!((code.as_str(), places.as_slice()), ("undetermined", &["a.js:4 the loop would not end".to_owned()][..]));
}

#[test]
fn what_is_not_a_flag_is_refused() {
    let local = [("a.py", "def f():\n    FLAG = True\n    return FLAG\n")];
    let params = json!({"kind": "remove_flag", "symbol": "a.py:2:5", "value": "true"});
    assert_eq!(refused(&local, &params).0, "bad_request");
    let imported = [("a.py", "from typing import FLAG\nif FLAG:\n    f()\n")];
    assert_eq!(refused(&imported, &flag(true)).0, "no_match");
    let foreign = [("a.java", "class A {\n  static final boolean FLAG = true;\n}\n")];
    assert_eq!(refused(&foreign, &flag(true)).0, "unsupported_language");
    for value in ["yes", ""] {
        let params = json!({"kind": "remove_flag", "symbol": "FLAG", "value": value});
        assert_eq!(refused(SHOP, &params).0, "bad_request");
    }
}

#[test]
fn a_flag_that_is_neither_true_nor_false_is_only_a_condition() {
    becomes("a.py", "FLAG = 1\n", true, &[("if FLAG:\n    a()\n", "a()\n"), ("x = 1 if FLAG else 2\n", "x = 1\n")]);
    for text in ["FLAG = 1\nprint(FLAG + 1)\n", "FLAG = 0\nprint(FLAG is True)\n", "FLAG = \"x\"\nf(FLAG)\n"] {
        let (_, places) = refused(&[("a.py", text)], &flag(true));
        assert!(places[0].ends_with("more than a condition uses it here"), "{text}: {places:?}");
    }
    let text = "FLAG = False\ndef f():\n    if FLAG:\n        yield 1\n    print(2)\n";
    let (_, places) = refused(&[("a.py", text)], &flag(false));
    assert_eq!(places, ["a.py:2 the function would not be a generator any more"]);
    becomes(
        "a.py",
        "FLAG = False\n",
        false,
        &[("def f():\n    if FLAG:\n        yield 1\n    yield 2\n", "def f():\n    yield 2\n")],
    );
}
