//! `organize_imports`: what a file's imports become, in each language, and what stays as it is.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Memory, Request};
use cst::language::Language;
use serde_json::{Value, json};

/// A project in memory.
struct Code {
    memory: Arc<Memory>,
    engine: Engine,
}

impl Code {
    fn new(files: &[(&str, &str)]) -> Code {
        let memory = Arc::new(Memory::default());
        for (path, text) in files {
            memory.write(format!("/p/{path}"), *text);
        }
        let engine = Engine::new(Host { files: memory.clone(), ..Host::at("/p") });
        Code { memory, engine }
    }

    fn ask(&self, params: &Value) -> Result<Value, Value> {
        let request = json!({"method": "refactor", "params": params});
        let request: Request = serde_json::from_value(request).expect("well formed");
        let response = self.engine.handle(request).map_err(|error| error.to_json())?;
        Ok(serde_json::to_value(response).expect("a response is plain data"))
    }

    /// Organizes all imports, and checks that a second time changes nothing.
    #[track_caller]
    fn organize(&self) -> Value {
        let write = json!({"kind": "organize_imports", "write": true});
        let answer = self.ask(&write).unwrap_or_else(|error| panic!("{error:#}"));
        let again = self.ask(&json!({"kind": "organize_imports"})).expect("a second time");
        assert_eq!(again["files"], json!([]), "a second time changes nothing");
        answer
    }

    fn text(&self, path: &str) -> String {
        let bytes = self.memory.read(format!("/p/{path}").as_ref(), u64::MAX).expect("the file");
        String::from_utf8(bytes).expect("text")
    }
}

/// What stays though it seems to have no use: the place, and why.
fn left(answer: &Value) -> Vec<String> {
    let rows = answer["left"].as_array().cloned().unwrap_or_default();
    let row = |row: &Value| {
        format!("{}:{} {}", row["path"].as_str().expect("a path"), row["line"], row["why"].as_str().expect("why"))
    };
    rows.iter().map(row).collect()
}

/// Checks what the first of some files becomes.
#[track_caller]
fn becomes(files: &[(&str, &str)], expected: &str) {
    let code = Code::new(files);
    code.organize();
    assert_eq!(code.text(files[0].0), expected);
}

#[track_caller]
fn stays(path: &str, text: &str) {
    becomes(&[(path, text)], text);
}

/// Code that uses names.
fn uses(names: &str) -> String {
    format!("\nprint({names})\n")
}

#[test]
fn python_sections_are_sorted() {
    let code = "\
\"\"\"Doc.\"\"\"
from .near import b
from ..far import c
import requests
import sys
from os import path
import os
import app.tools
from __future__ import annotations
from app import run

print(b, c, requests, sys, path, os, app, run)
";
    let expected = "\
\"\"\"Doc.\"\"\"
from __future__ import annotations

import os
import sys
from os import path

import requests

import app.tools
from app import run

from ..far import c
from .near import b

print(b, c, requests, sys, path, os, app, run)
";
    becomes(&[("app/inner/main.py", code), ("app/__init__.py", "run = 1\n"), ("app/tools.py", "")], expected);
}

#[test]
fn python_names_without_a_use_go() {
    let code = "import os, sys\nimport json\nfrom a import (\n    b,  # about b\n    c,\n    d,\n)\n";
    becomes(
        &[("m.py", &format!("{code}{}", uses("sys, b, d")))],
        &format!("import sys\n\nfrom a import (\n    b,  # about b\n    d,\n)\n{}", uses("sys, b, d")),
    );
    becomes(&[("m.py", "import os\n\nx = 1\n")], "x = 1\n");
    becomes(&[("m.py", "import os\n")], "");
    // A body is not empty.
    let lazy = "def f():\n    import os\n\n\nif TYPE_CHECKING:\n    from a import B\n";
    becomes(&[("m.py", lazy)], "def f():\n    pass\n\n\nif TYPE_CHECKING:\n    pass\n");
}

#[test]
fn python_names_that_may_be_in_use_stay() {
    for code in [
        "from a import b as b\n",
        "import json  # noqa: F401\n",
        "import json  # noqa\n",
        "# ruff: noqa: F401\nimport json\n",
        "# flake8: noqa\nimport json\n",
        "from a import b\n\n__all__ = [\"b\"]\n",
        "from a import b\n\n__all__ = []\n__all__ += [\"b\"]\n",
        "from a import B\n\n\ndef f(x: \"list[B]\") -> None: ...\n",
        "from a import B\n\nx = []  # type: list[B]\n",
        "from typing import cast\n\nfrom a import B\n\nx = cast(\"B\", 1)\n",
        "try:\n    import json\nexcept ImportError:\n    pass\n",
        "from a import *\n",
        "import os\n\neval(input())\n",
        "class A:\n    from a import b\n",
        "from a import b\n\n\ndef test(b):\n    print(b)\n",
        "with suppress(ImportError):\n    import json\n",
        "import os\n\nos = 1\n",
        "import os\n\ndel os\n",
        "import os\n\n\ndef f():\n    global os\n    os = 1\n",
        "def f():\n    \"\"\"\n    >>> os.getcwd()\n    \"\"\"\n\n\nimport os\n",
        "import a.b\nimport a.c\n\nprint(a.b)\n",
        "from __future__ import annotations\n",
        "import os, sys; print(1)\n",
    ] {
        stays("m.py", code);
    }
    // Such a name is listed, where it is not certain.
    let code = Code::new(&[("m.py", "import os\n\neval(input())\n")]);
    assert_eq!(left(&code.organize()), ["m.py:1 `os` has no use, but code that is evaluated in line 3 may use it"]);
}

#[test]
fn python_names_that_other_files_take_stay() {
    for other in [
        "from m import json\n\nprint(json)\n",
        "import m\n\nprint(m.json)\n",
        "import m as n\n\nprint(n.json)\n",
        "from m import *\n\nprint(json)\n",
        "patch(\"m.json.loads\")\n",
        "import m\n\nmonkeypatch.setattr(m, \"other\", 1)\nsetattr(m, \"json\", 1)\n",
    ] {
        let code = Code::new(&[("m.py", "import json\n"), ("n.py", other)]);
        code.organize();
        assert_eq!(code.text("m.py"), "import json\n", "{other}");
    }
    // A package's file exports what it imports.
    stays("p/__init__.py", "from .a import b\n");
    stays("conftest.py", "from a import b\n");
    // What only an unused import takes goes with it.
    let code = Code::new(&[("m.py", "import json\n"), ("n.py", "from m import json\n")]);
    code.organize();
    assert_eq!((code.text("m.py"), code.text("n.py")), (String::new(), String::new()));
}

#[test]
fn python_statements_are_merged_with_their_comments() {
    let code = "# top\n\nfrom a import c  # about c\n# about b\nfrom a import b\nfrom a import b\n";
    let expected = "# top\n\n# about b\nfrom a import b, c  # about c\n";
    becomes(&[("m.py", &format!("{code}{}", uses("b, c")))], &format!("{expected}{}", uses("b, c")));
}

#[test]
fn python_blocks_end_at_code_and_directives() {
    for code in [
        "import sys\n\nsys.path.append(\"x\")\nimport os\n",
        "import sys\nimport os  # isort: skip\n",
        "# isort: off\nimport sys\nimport os\n# isort: on\n",
        "# fmt: off\nimport sys\nimport os\n# fmt: on\n",
        "# isort: skip_file\nimport sys\nimport os\n",
        "import sys\n# isort: split\nimport os\n",
        "import sys\nimport os; x = 1\n",
    ] {
        stays("m.py", &format!("{code}{}", uses("os, sys")));
    }
}

#[test]
fn python_layout_stays_where_it_can() {
    // Line ends, a file's own order, and statements that do not change.
    becomes(
        &[("m.py", "import sys\r\nimport os\r\n\r\nprint(os, sys)\r\n")],
        "import os\r\nimport sys\r\n\r\nprint(os, sys)\r\n",
    );
    stays("m.py", &format!("from a import b\nimport c\nfrom d import e\n{}", uses("b, c, e")));
    stays("m.py", &format!("from a import (b, c,\n               d)\n{}", uses("b, c, d")));
    stays("m.py", &format!("from a import b, \\\n    c\n{}", uses("b, c")));
    // A line that becomes too long.
    let names = "abcdefghijklmnopqrstuvwxyz";
    let code = format!("from a import {names}_one, {names}_two\nfrom a import {names}_three\n");
    let expected = format!("from a import (\n    {names}_one,\n    {names}_three,\n    {names}_two,\n)\n");
    let used = uses(&format!("{names}_one, {names}_two, {names}_three"));
    becomes(&[("m.py", &format!("{code}{used}"))], &format!("{expected}{used}"));
    // A grid that fits on a line.
    let code = format!("from a import (b, c,\n               d, e)\n{}", uses("b, c, e"));
    becomes(&[("m.py", &code)], &format!("from a import b, c, e\n{}", uses("b, c, e")));
    // An indented block.
    becomes(
        &[("m.py", "def f():\n    import sys\n    import os\n\n    return os, sys\n")],
        "def f():\n    import os\n    import sys\n\n    return os, sys\n",
    );
}

#[test]
fn python_settings_of_a_project_count() {
    let code = "import zope\nfrom a import y\nimport os, sys\nfrom a import x as z\nclass A: pass\nprint(zope, y, os, sys, z)\n";
    let end = "class A: pass\nprint(zope, y, os, sys, z)\n";
    let ruff = "[tool.ruff]\nline-length = 100\n[tool.ruff.lint.isort]\nknown-first-party = [\"zope\"]\n";
    let expected = "import os\nimport sys\n\nfrom a import x as z\nfrom a import y\n\nimport zope\n\n\n";
    becomes(&[("m.py", code), ("pyproject.toml", ruff)], &format!("{expected}{end}"));
    let selected = "[tool.ruff.lint]\nselect = [\"E\", \"I\"]\n";
    let expected = "import os\nimport sys\n\nimport zope\nfrom a import x as z\nfrom a import y\n\n\n";
    becomes(&[("m.py", code), ("pyproject.toml", selected)], &format!("{expected}{end}"));
    let isort = "[settings]\nprofile = black\nforce_sort_within_sections = True\ncombine_as_imports = true\n";
    let expected = "import os\nimport sys\n\nfrom a import x as z, y\nimport zope\n\n\n";
    becomes(&[("m.py", code), (".isort.cfg", isort)], &format!("{expected}{end}"));
    let single = "[isort]\nforce_single_line = true\nknown_third_party =\n    a\n    zope\n";
    let expected = "import os\nimport sys\n\nimport zope\nfrom a import x as z\nfrom a import y\n";
    becomes(&[("m.py", code), ("setup.cfg", single)], &format!("{expected}{end}"));
    // Sections that are not known: nothing is sorted.
    let own = "[tool.isort]\nsections = [\"FUTURE\", \"STDLIB\", \"DJANGO\", \"THIRDPARTY\", \"FIRSTPARTY\", \"LOCALFOLDER\"]\n";
    stays_in(&[("m.py", "import zope\nimport os\nprint(zope, os)\n"), ("pyproject.toml", own)]);
}

#[track_caller]
fn stays_in(files: &[(&str, &str)]) {
    becomes(files, files[0].1);
}

#[test]
fn script_imports_are_merged_and_sorted_in_their_groups() {
    for path in ["m.js", "m.ts", "m.tsx"] {
        let code = "\
// About the file.

import { z, a } from \"./b\";
import D from './d';
import fs from \"fs\";
import { y } from \"./b\";

import * as ns from \"ns\";
import ab, { unused } from \"ab\";

z(a, D, fs, y, ns, ab);
";
        let expected = "\
// About the file.

import fs from \"fs\";
import { a, y, z } from \"./b\";
import D from './d';

import ab from \"ab\";
import * as ns from \"ns\";

z(a, D, fs, y, ns, ab);
";
        becomes(&[(path, code)], expected);
    }
}

#[test]
fn script_imports_that_may_be_in_use_stay() {
    for (path, code) in [
        ("m.ts", "import \"./side\";\nimport \"./a\";\n"),
        ("m.ts", "import type { T } from \"./t\";\n\nlet x: T;\n"),
        ("m.ts", "import { T } from \"./t\";\n\ntype X = typeof T;\n"),
        ("m.ts", "import { T } from \"./t\";\n\n/** See {@link T}. */\nlet x = 1;\n"),
        ("m.ts", "import { a } from \"./a\";\n\nexport { a };\n"),
        ("m.ts", "import { a } from \"./a\"; // eslint-disable-line\n"),
        ("m.ts", "// eslint-disable-next-line\nimport { a } from \"./a\";\n"),
        ("m.tsx", "import React from \"react\";\n\nexport const a = <p />;\n"),
        ("m.tsx", "import { B } from \"./b\";\n\nexport const a = <B />;\n"),
        ("m.jsx", "import React from \"react\";\n\nexport const a = <p />;\n"),
        ("m.ts", "import fs = require(\"fs\");\n\nfs.a();\n"),
        ("m.ts", "import { b } from \"./b\";\nimport { c } from \"./c\";\nimport { D } from \"d\";\n\nc(b, D);\n"),
        ("m.js", "import a from \"./a.json\" with { type: \"json\" };\n\na();\n"),
    ] {
        stays(path, code);
    }
    // Types and values stay apart, and so do a default and names of types.
    stays(
        "m.ts",
        "import type D from \"./d\";\nimport type { T } from \"./d\";\nimport { v } from \"./d\";\n\nlet x: D | T = v;\n",
    );
    // Nothing moves across what is there for its effects.
    stays("m.ts", "import { b } from \"b\";\nimport \"./side\";\nimport { a } from \"a\";\n\na(b);\n");
    becomes(
        &[("m.ts", "import fs = require(\"fs\");\nimport { a } from \"a\";\n\na();\n")],
        "import { a } from \"a\";\n\na();\n",
    );
}

#[test]
fn script_lists_keep_their_layout() {
    let code = "import {\n  c,\n  // about b\n  b,\n  unused,\n} from \"./a\";\n\nb(c);\n";
    becomes(&[("m.ts", code)], "import {\n  // about b\n  b,\n  c,\n} from \"./a\";\n\nb(c);\n");
    becomes(&[("m.ts", "import {b, a} from './a'\n\na(b)\n")], "import {a, b} from './a'\n\na(b)\n");
    becomes(&[("m.ts", "import D, { a } from \"./a\";\n\na();\n")], "import { a } from \"./a\";\n\na();\n");
    becomes(&[("m.ts", "import D, * as ns from \"./a\";\n\nns.b();\n")], "import * as ns from \"./a\";\n\nns.b();\n");
}

#[test]
fn go_imports_are_sorted_in_their_groups() {
    let code = "package m\n\nimport (\n\t\"os\"\n\t\"fmt\"\n\n\t\"example.org/b\"\n\tx \"example.org/x\"\n\ty \"example.org/y\"\n\t_ \"embed\"\n\t\"strings\"\n)\n\nvar a = fmt.Sprint(os.Args, b.C, x.D)\n";
    let expected = "package m\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t_ \"embed\"\n\t\"example.org/b\"\n\tx \"example.org/x\"\n)\n\nvar a = fmt.Sprint(os.Args, b.C, x.D)\n";
    becomes(&[("m.go", code)], expected);
    becomes(&[("m.go", "package m\n\nimport (\n\t\"fmt\"\n)\n\nvar a = 1\n")], "package m\n\nvar a = 1\n");
    becomes(&[("m.go", "package m\n\nimport \"fmt\"\n\nvar a = 1\n")], "package m\n\nvar a = 1\n");
    // The name of a package may be another than that of its folder.
    let code = Code::new(&[("m.go", "package m\n\nimport \"example.org/go-b\"\n\nvar a = b.C\n")]);
    let why = left(&code.organize());
    assert_eq!(why, ["m.go:3 `go-b` has no use, but the name of its package is not known"]);
}

#[test]
fn java_imports_without_a_use_go() {
    let code = "package a;\n\nimport java.util.List;\nimport java.util.Map;\nimport static a.B.c;\nimport java.io.*;\nimport java.util.List;\n\n/** See {@link Set}. */\nclass M {\n    List<String> x = c();\n}\n";
    let expected = "package a;\n\nimport java.util.List;\nimport static a.B.c;\nimport java.io.*;\n\n/** See {@link Set}. */\nclass M {\n    List<String> x = c();\n}\n";
    becomes(&[("M.java", code)], expected);
    stays("M.java", "import java.util.Set;\n\n/** See {@link Set}. */\nclass M {}\n");
}

#[test]
fn other_languages_are_refused() {
    let code = Code::new(&[("a.rs", "use std::io;\n")]);
    let error = code.ask(&json!({"kind": "organize_imports"})).expect_err("not in this language");
    assert_eq!(error["error"]["code"], json!("bad_request"));
    let message = error["error"]["message"].as_str().expect("a message");
    assert!(message.contains("organizing imports is not supported in rust"), "{message}");
    let error = code.ask(&json!({"kind": "organize_imports", "path": "none.py"})).expect_err("no such file");
    assert_eq!(error["error"]["code"], json!("not_found"));
    let code = Code::new(&[("a.py", "import os\nx = (\n")]);
    assert_eq!(left(&code.organize()), ["a.py:1 the file has a syntax error, and its imports stay as they are"]);
}

#[test]
fn only_the_named_part_changes() {
    let code = Code::new(&[("a/m.py", "import os\n"), ("b/m.py", "import os\n")]);
    code.ask(&json!({"kind": "organize_imports", "path": "a", "write": true})).expect("organized");
    assert_eq!((code.text("a/m.py"), code.text("b/m.py")), (String::new(), "import os\n".to_owned()));
}

/// Over the samples of all languages, and over their imports in reverse order: a second time changes nothing.
#[test]
fn a_second_time_changes_nothing() {
    let mut count = 0;
    for language in Language::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
        let extension = language.extensions().first().expect("an extension");
        let sample = fs::read_to_string(folder.join(format!("sample.{extension}"))).unwrap_or_default();
        if sample.is_empty() || language.spec().imports.organize.is_none() {
            continue;
        }
        let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
        let imports: Vec<&str> = sample.lines().filter(is_import).collect();
        let others: Vec<&str> = sample.lines().filter(|line| !is_import(line)).collect();
        let turned: Vec<&str> = imports.iter().rev().chain(&others).copied().collect();
        for text in [sample.clone(), turned.join("\n") + "\n"] {
            let name = format!("sample.{extension}");
            let code = Code::new(&[(&name, &text)]);
            code.organize();
            count += 1;
        }
    }
    assert!(count >= 12, "{count} files");
}

#[test]
fn imports_whose_order_or_effect_matters_stay() {
    let params = json!({"kind": "organize_imports"});
    let organized = |files: &[(&str, &str)]| crate::refactored::run(files, &params).expect("organized");
    let twice = "from posixpath import join\nfrom ntpath import join\n\nprint(join(1))\n";
    assert_eq!(organized(&[("a.py", twice)]), []);
    for (module, is_kept) in [
        ("print(1)\n", true),
        ("\"\"\"What it is.\"\"\"\nx = make()\n", false),
        ("def f(): print(1)\n", false),
        ("import logging\nlogging.basicConfig()\n", true),
    ] {
        let changed = organized(&[("m.py", module), ("a.py", "import m\n\nprint(1)\n")]);
        assert_eq!(changed.iter().all(|(path, _)| path != "a.py"), is_kept, "{module}");
    }
    let packages = "import b.d\nimport b.c\n\nprint(b.c, b.d)\n";
    assert_eq!(organized(&[("a.py", packages)])[0].1.as_deref(), Some("import b.c\nimport b.d\n\nprint(b.c, b.d)\n"));
}
