//! Renames of names that a file gives to what it imports: they are variables of that file.

use serde_json::json;

use crate::refactored::{check, refused};

#[test]
fn an_alias_is_a_name_of_its_file() {
    let module = "export const a = 1;\nexport default function () {}\n";
    let main = "import * as fox from \"./m.mjs\";\nimport * as fs from \"fs\";\nimport dflt, { a as b } from \"./m.mjs\";\nconst q = require(\"./m.mjs\");\nconsole.log(fox.a, fs.x, b, dflt, q.a, { fox });\nexport { fox };\n";
    for (place, changed) in [
        (
            "1:13",
            main.replace("as fox", "as zebra")
                .replace("(fox.a", "(zebra.a")
                .replace(", { fox }", ", { fox: zebra }")
                .replace("export { fox }", "export { zebra as fox }"),
        ),
        ("2:13", main.replace("as fs", "as zebra").replace("fs.x", "zebra.x")),
        ("3:8", main.replace("dflt", "zebra")),
        ("3:21", main.replace("as b", "as zebra").replace(" b, ", " zebra, ")),
        ("4:7", main.replace("const q", "const zebra").replace("q.a", "zebra.a")),
        ("5:36", main.replace("const q", "const zebra").replace("q.a", "zebra.a")),
    ] {
        let rename = json!({"kind": "rename", "symbol": format!("main.mjs:{place}"), "to": "zebra"});
        let other = "import { fox } from \"./main.mjs\";\nconsole.log(fox.a);\n";
        check(&[("m.mjs", module), ("main.mjs", main), ("other.mjs", other)], &rename, &[("main.mjs", &changed)]);
    }
    // What is imported under its own name is that symbol.
    let main = "import { a } from \"./m.mjs\";\nconsole.log(a);\n";
    check(
        &[("m.mjs", module), ("main.mjs", main)],
        &json!({"kind": "rename", "symbol": "main.mjs:2:13", "to": "zebra"}),
        &[
            ("m.mjs", &module.replace("const a", "const zebra")),
            ("main.mjs", &main.replace("{ a }", "{ zebra }").replace("(a)", "(zebra)")),
        ],
    );
    for main in [
        "import two from \"./m.mjs\";\nimport one from \"./m.mjs\";\nconsole.log(one, two);\n",
        "import two from \"./m.mjs\";\nconst one = (await import(\"./m.mjs\")).default;\nconsole.log(one, two);\n",
        "import { default as two } from \"./n.mjs\";\nconst one = (await import(\"./n.mjs\")).default;\nconsole.log(one, two);\n",
    ] {
        let other = "function gnu() {}\nexport default gnu;\n";
        let place = main.find("two").unwrap_or_default() + 1;
        let rename = json!({"kind": "rename", "symbol": format!("main.mjs:1:{place}"), "to": "one"});
        let (code, _) = refused(&[("m.mjs", module), ("n.mjs", other), ("main.mjs", main)], &rename);
        assert!(["undetermined", "would_rebind"].contains(&code.as_str()), "{code}: {main}");
    }
}

#[test]
fn an_alias_of_any_language() {
    for (path, text, place, from, to) in [
        (
            "main.go",
            "package main\n\nimport f \"fmt\"\n\nfunc main() { f.Println(1) }\n",
            "3:8",
            ["f \"", "f.P"],
            ["z \"", "z.P"],
        ),
        (
            "main.rs",
            "use std::fmt as f;\nfn main() { let _ = f::Error; }\n",
            "1:17",
            ["as f", "f::E"],
            ["as z", "z::E"],
        ),
        (
            "a.php",
            "<?php\nuse ArrayObject as A;\necho (new A)->count();\n",
            "2:20",
            ["as A", "new A"],
            ["as z", "new z"],
        ),
        ("a.py", "import os.path as p\nprint(p.sep)\n", "1:19", ["as p", "p.sep"], ["as z", "z.sep"]),
    ] {
        let changed = text.replace(from[0], to[0]).replace(from[1], to[1]);
        let rename = json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "z"});
        check(&[(path, text)], &rename, &[(path, &changed)]);
    }
}

#[test]
fn an_alias_that_other_files_may_use_is_uncertain() {
    let files =
        |other: &'static str| [("m.py", "a = 1\n"), ("main.py", "import m as dog\nprint(dog.a)\n"), ("b.py", other)];
    for other in [
        "from main import dog\nprint(dog.a)\n",
        "import main\nprint(main.dog.a)\n",
        "def run(o):\n    return o.dog\n",
        "import main\nprint(getattr(main, \"dog\"))\n",
    ] {
        let rename = json!({"kind": "rename", "symbol": "main.py:1:13", "to": "zebra"});
        let (code, _) = refused(&files(other), &rename);
        assert_eq!(code, "undetermined", "{other}");
    }
    let text = "import m as dog\nprint(dog.a)\n";
    check(
        &files("dog = 1\nprint(dog)\n"),
        &json!({"kind": "rename", "symbol": "main.py:2:7", "to": "zebra"}),
        &[("main.py", &text.replace("dog", "zebra"))],
    );
}

#[test]
fn names_of_an_object_that_a_file_exports_as_a_whole() {
    let lib = "function add(a) { return a; }\nconst two = 2;\nmodule.exports = { add, two };\n";
    let main = "const { add, two } = require(\"./lib\");\nconst lib = require(\"./lib.js\");\nconsole.log(add(1), two, lib.add(2), lib.two);\n";
    let files = [("lib.js", lib), ("main.js", main)];
    for (symbol, old) in [("lib.js:1:10", "add"), ("main.js:3:30", "add"), ("lib.js:2:7", "two")] {
        let rename = json!({"kind": "rename", "symbol": symbol, "to": "zebra"});
        check(&files, &rename, &[("lib.js", &lib.replace(old, "zebra")), ("main.js", &main.replace(old, "zebra"))]);
    }
}
