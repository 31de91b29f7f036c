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
        ("f(FLAG, flag=FLAG)\nx = [FLAG]\ny = f'{FLAG}'\n", "f(True, flag=True)\nx = [True]\ny = f'{True}'\n"),
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
