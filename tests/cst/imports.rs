//! `ensure_import` in each language: existing imports are not added again, and missing ones go where imports go.

use cst::edit::{Allow, EditError, Op, apply};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

use crate::error_code::error_code;

fn tree(language: &str, source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named(language).unwrap(), &ParseLimits::default()).unwrap()
}

fn ensure(language: &str, source: &str, imports: &[&str]) -> Result<String, EditError> {
    let tree = tree(language, source);
    let ops: Vec<Op> = imports.iter().map(|code| Op::EnsureImport { code: (*code).to_owned() }).collect();
    apply(&tree, &ops, Allow::default(), &ParseLimits::default()).map(|outcome| outcome.tree.text().to_string())
}

#[track_caller]
fn check(language: &str, source: &str, import: &str, expected: &str) {
    match ensure(language, source, &[import]) {
        Ok(found) => assert_eq!(found, expected, "{language}: `{import}` in\n{source}"),
        Err(error) => panic!("{language}: `{import}` in\n{source}\n{error}"),
    }
}

/// Imports that are there in other words, by language.
#[test]
fn what_is_there_is_not_imported_twice() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "python",
            "import os, sys as system\nfrom a.b import (\n    c,  # why\n    d as e,\n)\nfrom . import f\nfrom g import *\n",
            &[
                "import os",
                "import sys as system",
                "import os, sys as system",
                "from a.b import c",
                "from a.b import d as e",
                "from a.b import (d as e, c)",
                "from . import f",
                "from g import *",
            ],
        ),
        (
            "javascript",
            "import d, { x as y, z } from 'm';\nimport * as ns from \"n\";\nimport 'side';\n",
            &[
                "import { z } from \"m\";",
                "import { x as y } from \"m\"",
                "import d from \"m\";",
                "import { default as d } from 'm'",
                "import { z, x as y } from 'm';",
                "import * as ns from 'n';",
                "import \"side\";",
                "import d, { z } from 'm';",
            ],
        ),
        (
            "typescript",
            "import { A, type B } from 'm';\nimport type { C } from \"n\";\nimport fs = require('fs');\nimport E = F.G;\n",
            &[
                "import { A } from \"m\";",
                "import type { A } from 'm';",
                "import { type A } from 'm';",
                "import type { B } from 'm'",
                "import { type C } from 'n';",
                "import fs = require(\"fs\");",
                "import E = F.G;",
            ],
        ),
        (
            "rust",
            "use std::{fmt::{self, Debug as D}, io::*, fs};\npub use crate::a::B;\nuse c as d;\nextern crate foo;\n#[cfg(test)]\nuse e::F;\n",
            &[
                "use std::fmt;",
                "use std::fmt::{self};",
                "use std::fmt::Debug as D;",
                "use std::io::*;",
                "use std::fs;",
                "use std::{fs, fmt};",
                "use ::std::fs;",
                "use crate::a::B;",
                "pub use crate::a::B;",
                "use c as d;",
                "extern crate foo;",
                "#[cfg(test)]\nuse e::F;",
                "#[cfg(test)]\nuse std::fs;",
            ],
        ),
        (
            "php",
            "<?php\n\nuse A\\B as C, D\\E;\nuse F\\{G, H as I, function j};\nuse function K\\l;\nuse \\M;\n",
            &[
                "use A\\B as C;",
                "use D\\E;",
                "use \\D\\E;",
                "use F\\G;",
                "use F\\{G};",
                "use F\\H as I;",
                "use function F\\j;",
                "use function K\\l;",
                "use M;",
                "use F\\G as G;",
            ],
        ),
        (
            "scala",
            "import a.b.C\nimport a.b.{D, E => F, _}\nimport g.H, i.J\nimport k.{L as M}\n",
            &[
                "import a.b.{C}",
                "import a.b.D",
                "import a.b.{E => F}",
                "import a.b._",
                "import g.H",
                "import i.J",
                "import k.{L as M}",
            ],
        ),
        (
            "java",
            "import java.util.List;\nimport static java.lang.Math.max;\nimport java.io.*;\n",
            &["import java . util . List;", "import static java.lang.Math.max;", "import java.io.*;"],
        ),
        (
            "kotlin",
            "import a.B\nimport a.C as D\nimport e.*\n",
            &["import a.B", "import a.C as D", "import e.*", "import a.B as B"],
        ),
        (
            "go",
            "package a\n\nimport \"fmt\"\nimport (\n\t\"os\"\n\ty \"gopkg.in/yaml.v3\"\n\t_ \"embed\"\n)\n",
            &[
                "import \"fmt\"",
                "import `fmt`",
                "import \"os\"",
                "import y \"gopkg.in/yaml.v3\"",
                "import _ \"embed\"",
                "import os \"os\"",
                "import (\n\t\"os\"\n\t\"fmt\"\n)",
            ],
        ),
        (
            "c",
            "#include <stdio.h>\n#include \"a.h\"\n",
            &["#include <stdio.h>", "#include \"a.h\"", "#  include <stdio.h>"],
        ),
        ("c", "#ifndef A\n#define A\n#include <stdio.h>\nint x;\n#endif\n", &["#include <stdio.h>"]),
        (
            "cpp",
            "#include <vector>\nusing std::vector;\nusing namespace std;\n",
            &["#include <vector>", "using std::vector;", "using namespace std;"],
        ),
        (
            "csharp",
            "global using System;\nusing X = System.Y;\nusing static System.Math;\nusing System.Text;\n",
            &["using System;", "using X = System.Y;", "using static System.Math;", "using System . Text;"],
        ),
        ("csharp", "namespace A\n{\n    using B;\n    class C {}\n}\n", &["using B;"]),
        (
            "swift",
            "import Foundation\n@testable import App\nimport class UIKit.UIView\n",
            &["import Foundation", "import App", "@testable import App", "import class UIKit.UIView"],
        ),
        (
            "ruby",
            "require 'json'\nrequire_relative(\"a/b\")\n",
            &["require \"json\"", "require('json')", "require_relative 'a/b'"],
        ),
        (
            "objc",
            "#import <Foundation/Foundation.h>\n@import UIKit;\n",
            &["#import <Foundation/Foundation.h>", "@import UIKit;"],
        ),
    ];
    let mut count = 0;
    for (language, source, imports) in cases {
        for import in *imports {
            check(language, source, import, source);
            count += 1;
        }
        // All of them in one batch, each twice.
        let twice: Vec<&str> = imports.iter().chain(*imports).copied().collect();
        assert_eq!(ensure(language, source, &twice).unwrap(), *source, "{language}");
    }
    assert!(count > 70, "{count} cases");
}

/// Names that are there under another path or another word are imported besides, and what a name means does not change.
#[test]
fn what_is_missing_is_added() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("python", "import os\n", "import os.path", "import os\nimport os.path\n"),
        ("python", "from a import b\n", "from a import b, c", "from a import b\nfrom a import c\n"),
        ("python", "from a import b\n", "from a import (b, c as d, e)", "from a import b\nfrom a import (c as d, e)\n"),
        ("python", "from a import b as c\n", "from a import b", "from a import b as c\nfrom a import b\n"),
        ("python", "import a.b\n", "import a.c", "import a.b\nimport a.c\n"),
        (
            "javascript",
            "import { x } from 'x';\n",
            "import { x, z } from \"x\";",
            "import { x } from 'x';\nimport { z } from \"x\";\n",
        ),
        (
            "javascript",
            "import d from 'm';\n",
            "import { x } from 'm';",
            "import d from 'm';\nimport { x } from 'm';\n",
        ),
        ("rust", "use std::{fmt, fs};\n", "use std::{fmt, io};", "use std::{fmt, fs};\nuse std::{io};\n"),
        ("rust", "use std::fmt;\n", "use std::fmt::Debug;", "use std::fmt;\nuse std::fmt::Debug;\n"),
        ("php", "<?php\n\nuse A\\B;\n", "use A\\{B, C};", "<?php\n\nuse A\\B;\nuse A\\{C};\n"),
        ("php", "<?php\n\nuse A\\b;\n", "use function A\\b;", "<?php\n\nuse A\\b;\nuse function A\\b;\n"),
        ("scala", "import a.B\n", "import a.{B, C}", "import a.B\nimport a.{C}\n"),
        ("java", "import a.B;\n", "import static c.D.B;", "import a.B;\nimport static c.D.B;\n"),
        ("java", "import a.*;\n", "import a.B;", "import a.*;\nimport a.B;\n"),
        ("kotlin", "import a.B\n", "import c.B as D", "import a.B\nimport c.B as D\n"),
        ("go", "package a\n\nimport \"fmt\"\n", "import \"os\"", "package a\n\nimport \"fmt\"\nimport \"os\"\n"),
        (
            "go",
            "package a\n\nimport (\n\t\"context\"\n\t\"os\"\n\n\t\"x.org/y\"\n)\n",
            "import \"fmt\"",
            "package a\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"os\"\n\n\t\"x.org/y\"\n)\n",
        ),
        (
            "go",
            "package a\n\nimport (\n\t\"os\"\n\n\t\"x.org/y\"\n)\n",
            "import \"x.org/a\"",
            "package a\n\nimport (\n\t\"os\"\n\n\t\"x.org/a\"\n\t\"x.org/y\"\n)\n",
        ),
        (
            "c",
            "#include <b.h>\n#include <d.h>\n\nint x;\n",
            "#include <c.h>",
            "#include <b.h>\n#include <c.h>\n#include <d.h>\n\nint x;\n",
        ),
        (
            "c",
            "#include <b.h>\n#include <a.h>\n",
            "#include \"c.h\"",
            "#include <b.h>\n#include <a.h>\n#include \"c.h\"\n",
        ),
        ("cpp", "#include <b>\n", "using std::swap;", "#include <b>\nusing std::swap;\n"),
        ("csharp", "using A;\nusing C;\n", "using B;", "using A;\nusing B;\nusing C;\n"),
        ("swift", "import A\nimport C\n", "import B", "import A\nimport B\nimport C\n"),
        ("ruby", "require 'a'\nrequire 'c'\n", "require 'b'", "require 'a'\nrequire 'b'\nrequire 'c'\n"),
        ("ruby", "require 'a'\n", "require_relative 'a'", "require 'a'\nrequire_relative 'a'\n"),
    ];
    for (language, source, import, expected) in cases {
        check(language, source, import, expected);
        check(language, expected, import, expected);
    }
}

#[test]
fn names_that_mean_something_else_are_refused() {
    let cases: &[(&str, &str, &str)] = &[
        ("python", "import numpy as np\n", "import other as np"),
        ("python", "from a import b\n", "from c import b"),
        ("python", "import a\n\n\ndef b():\n    pass\n", "from a import b"),
        ("python", "b = 1\n", "import b"),
        ("javascript", "import { x } from 'x';\n", "import x from 'x';"),
        ("javascript", "const fs = require('fs');\n", "import fs from 'fs';"),
        ("typescript", "import type { X } from 'x';\n", "import { X } from 'x';"),
        ("rust", "use std::fmt::Result;\n", "use std::io::Result;"),
        ("rust", "struct Path;\n", "use std::path::Path;"),
        ("rust", "#[cfg(unix)]\nuse std::fmt;\n", "use std::fmt;"),
        ("php", "<?php\n\nuse A\\B;\n", "use C\\B;"),
        ("php", "<?php\n\nclass B {}\n", "use C\\B;"),
        ("java", "import a.B;\n", "import c.B;"),
        ("java", "class B {}\n", "import c.B;"),
        ("kotlin", "import a.B\n", "import c.B"),
        ("scala", "import a.B\n", "import c.B"),
        ("go", "package a\n\nimport \"math/rand\"\n", "import \"crypto/rand\""),
        ("go", "package a\n\nfunc os() {}\n", "import \"os\""),
        ("csharp", "using X = A.B;\n", "using X = C.D;"),
    ];
    for (language, source, import) in cases {
        match ensure(language, source, &[import]) {
            Ok(found) => panic!("{language}: `{import}` gave\n{found}"),
            Err(error) => {
                assert_eq!(error_code(&error), "bad_request", "{language}: {import}: {error}");
                assert!(error.to_string().contains("already means something else"), "{language}: {error}");
            }
        }
    }
    assert!(ensure("python", "", &["from a import x", "from b import x"]).is_err());
    assert!(ensure("python", "x = 1\n", &["x = 2"]).unwrap_err().to_string().contains("not an import"));
}

/// What stays above the first import of a file.
#[test]
fn the_first_import_goes_below_what_must_be_first() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("python", "|def f():\n    pass\n", "import os", ""),
        ("python", "\"\"\"Doc.\"\"\"\n|\nx = 1\n", "import os", ""),
        ("python", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# Copyright me.\n|\nx = 1\n", "import os", ""),
        ("python", "#!/usr/bin/env python\n|x = 1\n", "import os", ""),
        (
            "python",
            "# Copyright me.\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n|\nx = 1\n",
            "import os",
            "",
        ),
        ("python", "# about x\n|x = 1\n", "import os", "import os\n\n# about x\nx = 1\n"),
        (
            "python",
            "\"\"\"Doc.\"\"\"\n|import os\n",
            "from __future__ import annotations",
            "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport os\n",
        ),
        ("javascript", "\"use client\";\n|\nexport const x = 1;\n", "import a from 'a';", ""),
        ("javascript", "#!/usr/bin/env node\n'use strict'\n|\nf()\n", "import a from 'a'", ""),
        ("javascript", "/*\n * Copyright me.\n */\n|\nf()\n", "import a from 'a'", ""),
        ("typescript", "// @ts-nocheck\n|f();\n", "import a from 'a';", ""),
        ("rust", "//! About it.\n\n#![no_std]\n|\nfn main() {}\n", "use a::b;", ""),
        ("rust", "#![no_std]\n//! About it.\n|\nfn main() {}\n", "use a::b;", ""),
        ("rust", "// Copyright me.\n|\n/// Does it.\nfn main() {}\n", "use a::b;", ""),
        ("php", "<?php\n|\nf();\n", "use A\\B;", ""),
        ("php", "<?php\n\ndeclare(strict_types=1);\n\nnamespace X;\n|\nclass C {}\n", "use A\\B;", ""),
        (
            "php",
            "<?php\nnamespace X {\n|    class C {}\n}\n",
            "use A\\B;",
            "<?php\nnamespace X {\n    use A\\B;\n\n    class C {}\n}\n",
        ),
        ("php", "<html>\n<?php\n|f();\n?>\n", "use A\\B;", ""),
        ("java", "/* Copyright me. */\npackage a;\n|\nclass C {}\n", "import b.D;", ""),
        ("kotlin", "@file:JvmName(\"X\")\n\npackage a\n|\nclass C\n", "import b.D", ""),
        ("scala", "package a\n|\nclass C\n", "import b.D", ""),
        ("go", "// Package a does it.\npackage a\n|\nfunc f() {}\n", "import \"os\"", ""),
        ("c", "/* Copyright me. */\n#ifndef A_H\n#define A_H\n|\nint x;\n\n#endif\n", "#include <a.h>", ""),
        ("c", "/* Copyright me. */\n|\nint x;\n", "#include <a.h>", ""),
        ("cpp", "#pragma once\n|\nint x;\n", "#include <a>", ""),
        ("cpp", "#ifndef A_H\n#define A_H\n#pragma once\n|\nnamespace a {}\n\n#endif\n", "#include <a>", ""),
        ("csharp", "// Copyright me.\n|\nclass C {}\n", "using System;", ""),
        ("swift", "// swift-tools-version:5.5\n|let x = 1\n", "import A", ""),
        ("ruby", "# frozen_string_literal: true\n|\nclass A\nend\n", "require 'a'", ""),
        ("ruby", "# frozen_string_literal: true\n|class A\nend\n", "require 'a'", ""),
    ];
    for (language, marked, import, expected) in cases {
        let (above, below) = marked.split_once('|').unwrap();
        let source = format!("{above}{below}");
        let found =
            ensure(language, &source, &[import]).unwrap_or_else(|error| panic!("{language}: {source}\n{error}"));
        if !expected.is_empty() {
            assert_eq!(found, *expected, "{language}: {source}");
            continue;
        }
        let lines =
            |text: &str| text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&found), lines(&format!("{above}{import}\n{below}")), "{language}: {found}");
        // Blank lines separate it from the code above and below.
        let place = found.find(import).unwrap();
        let (before, after) = (&found[..place], &found[place + import.len()..]);
        let was_apart = below.starts_with('\n');
        assert!(!was_apart || before.ends_with("\n\n"), "{language}: {found}");
        assert!(after.starts_with("\n\n"), "{language}: {found}");
        assert_eq!(ensure(language, &found, &[import]).unwrap(), found, "{language}");
    }
}

/// An import and other code at the same place.
#[test]
fn beside_other_operations() {
    let batch = |source: &str, code: &str, position, import: &str| {
        let tree = tree("python", source);
        let target = tree.table().nodes().find(|&node| tree.type_name(node) == "function_definition").unwrap();
        let insert = Op::Insert { target, position, code: code.to_owned(), extent: None };
        let import = Op::EnsureImport { code: import.to_owned() };
        [[insert.clone(), import.clone()], [import, insert]].map(|ops| {
            let outcome = apply(&tree, &ops, Allow::default(), &ParseLimits::default());
            outcome.unwrap_or_else(|error| panic!("{source}: {error}")).tree.text().to_string()
        })
    };
    let before = cst::edit::Position::Before;
    for found in batch("def f():\n    pass\n", "@trace", before, "from a import trace") {
        assert_eq!(found, "from a import trace\n\n\n@trace\ndef f():\n    pass\n");
    }
    for found in batch("# about f\ndef f():\n    pass\n", "@trace", before, "from a import trace") {
        assert_eq!(found, "from a import trace\n\n\n# about f\n@trace\ndef f():\n    pass\n");
    }
    for found in batch("import a\n\n\ndef f():\n    pass\n", "@trace", before, "import b") {
        assert_eq!(found, "import a\nimport b\n\n\n@trace\ndef f():\n    pass\n");
    }
    for found in batch("\"\"\"Doc.\"\"\"\n\n\ndef f():\n    pass\n", "def g():\n    pass", before, "import b") {
        assert_eq!(found, "\"\"\"Doc.\"\"\"\n\nimport b\n\n\ndef g():\n    pass\n\n\ndef f():\n    pass\n");
    }
    for found in batch("def f():\n    pass\n", "def g():\n    pass", before, "import b") {
        assert_eq!(found, "import b\n\n\ndef g():\n    pass\n\n\ndef f():\n    pass\n");
    }
    assert_eq!(
        ensure("python", "x = 1\n", &["import b", "import a", "import b"]).unwrap(),
        "import b\nimport a\n\nx = 1\n"
    );
    // What is there and goes in the same batch.
    let tree = tree("python", "import a\nimport b\n");
    let target = tree.table().nodes().find(|&node| tree.type_name(node) == "import_statement").unwrap();
    let ops = [Op::Delete { target, extent: None }, Op::EnsureImport { code: "import a".to_owned() }];
    assert_eq!(error_code(&apply(&tree, &ops, Allow::default(), &ParseLimits::default()).unwrap_err()), "conflict");
}

/// The law over the samples: an import that a file has at its top changes nothing.
#[test]
fn imports_of_the_samples_are_there() {
    let mut counts = std::collections::BTreeMap::new();
    for language in Language::all() {
        let extension = &language.extensions()[0];
        let path = format!("{}/selectors/{}/sample.{extension}", env!("CARGO_MANIFEST_DIR"), language.name());
        let source = std::fs::read_to_string(&path).unwrap();
        let tree = tree(language.name(), &source);
        let imports = &language.data().imports;
        for node in tree.table().children(Node::ROOT) {
            let calls = |callee: &str| imports.calls.is_empty() || imports.calls.iter().any(|call| call == callee);
            let is_import = imports.types.iter().any(|name| name == tree.type_name(node));
            if !is_import || !calls(&tree.callee_text(node).unwrap_or_default()) {
                continue;
            }
            let first = tree.attachments().leading(tree.table(), node).next().unwrap_or(node);
            let code = tree.text().slice(tree.span(first).join(tree.span(node))).into_owned();
            check(language.name(), &source, &code, &source);
            *counts.entry(language.name()).or_insert(0) += 1;
        }
    }
    assert!(counts.len() >= 14, "{counts:?}");
    assert!(counts.values().sum::<i32>() > 60, "{counts:?}");
}
