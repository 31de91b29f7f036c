//! Imports that lose their last use, where a compiler refuses an import without one.

use serde_json::json;

use crate::refactored::{check, refused};

const MANIFEST: (&str, &str) = ("go.mod", "module ex\n");

#[test]
fn an_import_goes_with_the_definition_that_used_it() {
    let delete = json!({"kind": "delete_unused"});
    check(
        &[
            MANIFEST,
            (
                "a.go",
                "package main\n\nimport (\n\t\"bytes\"\n\t\"errors\"\n)\n\ntype box struct{ bytes int }\n\nfunc buf() *bytes.Buffer { return nil }\n\nfunc main() { println(errors.New(\"x\"), box{bytes: 1}.bytes) }\n",
            ),
        ],
        &delete,
        &[(
            "a.go",
            "package main\n\nimport (\n\t\"errors\"\n)\n\ntype box struct{ bytes int }\n\nfunc main() { println(errors.New(\"x\"), box{bytes: 1}.bytes) }\n",
        )],
    );
    // All of them, by their names in the file; what a variable hides is not in use.
    check(
        &[
            MANIFEST,
            ("lib/lib.go", "package other\n\nfunc F() int { return 1 }\n"),
            (
                "a.go",
                "package main\n\nimport (\n\tb \"bytes\"\n\t\"ex/lib\"\n\t_ \"embed\"\n)\n\nfunc lost() *b.Buffer { return nil }\n\nfunc gone() int { return other.F() }\n\nfunc main() {\n\tb := struct{ n int }{}\n\tprintln(b.n)\n}\n",
            ),
            ("c.go", "package main\n\nimport \"bytes\"\n\nfunc away() *bytes.Buffer { return nil }\n\nvar _ = 1\n"),
        ],
        &delete,
        &[
            (
                "a.go",
                "package main\n\nimport (\n\t_ \"embed\"\n)\n\nfunc main() {\n\tb := struct{ n int }{}\n\tprintln(b.n)\n}\n",
            ),
            ("c.go", "package main\n\nvar _ = 1\n"),
        ],
    );
}

#[test]
fn the_name_of_a_package_may_differ_from_its_path() {
    let delete = json!({"kind": "delete_unused"});
    check(
        &[
            MANIFEST,
            (
                "a.go",
                "package main\n\nimport (\n\t\"example.org/go-yaml\"\n)\n\nfunc lost() yaml.Node { return nil }\n\nfunc main() {}\n",
            ),
        ],
        &delete,
        &[("a.go", "package main\n\nfunc main() {}\n")],
    );
    let (code, places) = refused(
        &[
            MANIFEST,
            (
                "a.go",
                "package main\n\nimport (\n\t\"example.org/some\"\n\t\"example.org/other\"\n)\n\nfunc lost() yaml.Node { return nil }\n\nfunc main() { json.Run() }\n",
            ),
        ],
        &delete,
    );
    assert_eq!(code, "undetermined");
    let why = "it may have no use any more, which compilers refuse";
    assert_eq!(places, [format!("a.go:4 {why}"), format!("a.go:5 {why}")]);
}

#[test]
fn an_import_goes_with_a_parameter_and_its_arguments() {
    check(
        &[
            MANIFEST,
            (
                "a.go",
                "package main\n\nimport (\n\t\"bytes\"\n\t\"math\"\n)\n\nfunc f(a int, b *bytes.Buffer, c float64) int { return a }\n\nfunc main() { println(f(1, nil, math.Pi)) }\n",
            ),
        ],
        &json!({"kind": "change_signature", "symbol": "f", "remove": "b"}),
        &[(
            "a.go",
            "package main\n\nimport (\n\t\"math\"\n)\n\nfunc f(a int, c float64) int { return a }\n\nfunc main() { println(f(1, math.Pi)) }\n",
        )],
    );
}
