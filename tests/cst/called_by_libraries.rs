//! Members that code outside of the project calls by their names, files that are code under another ending, and bases that are not seen.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

/// Files, a symbol and its new name, and a part of the reason why it stays.
type Program<'p> = (&'p [(&'p str, &'p str)], &'p str, &'p str, &'p str);

#[track_caller]
fn refusals(programs: &[Program<'_>]) {
    for (files, symbol, to, reason) in programs {
        let (code, places) = refused(files, &rename(symbol, to));
        assert!(places.iter().any(|place| place.contains(reason)), "{symbol} to {to}: {code} {places:#?}");
    }
}

#[test]
fn a_method_of_an_object_that_a_library_gets_may_be_called() {
    let tee =
        "class Tee:\n    def write(self, s): return 1\n    def size(self): return 2\nt = Tee()\nprint('a', file=t)\n";
    refusals(&[
        (&[("a.py", tee)], "Tee.write", "put", "a library may call it"),
        (&[("a.py", tee)], "Tee.size", "flush", "it is called by that name"),
    ]);
    let own = "class Tee:\n    def write(self, s): return 1\nTee().write('a')\n";
    check(&[("a.py", own)], &rename("Tee.write", "put"), &[("a.py", &own.replace("write", "put"))]);
    let out = "import csv\nclass Out:\n    def write(self, line): pass\ncsv.writer(Out()).writerow([1])\n";
    let changed = run(&[("a.py", out)], &json!({"kind": "delete_unused"}));
    assert!(changed.is_ok_and(|changed| changed.is_empty()), "`write` is not deleted");
}

#[test]
fn files_that_are_included_are_code() {
    let main = "#include <stdio.h>\nint run(void) { return 1; }\n#define E(n) n() +\nint main(void) { return\n#include \"list.def\"\n0; }\n";
    let body = "int run(void) { return 1; }\n#include \"body.inc\"\n";
    refusals(&[
        (&[("main.c", main), ("list.def", "E(run)\n")], "run", "go", "a file that is no code names it"),
        (&[("main.c", body), ("body.inc", "int twice(void) { return run() * 2; }\n")], "run", "go", "names it"),
        (&[("main.cpp", body), ("body.inc", "int twice() { return run() * 2; }\n")], "run", "go", "names it"),
    ]);
    let other = ("notes.inc", "int walk(void) { return 2; }\n");
    let after = body.replace("run", "go");
    check(&[("main.c", body), other], &rename("run", "go"), &[("main.c", &after)]);
}

#[test]
fn arguments_in_a_spread_array_have_names() {
    let code = "<?php\nfunction box($width, $height) { return $width * $height; }\n$a = ['width' => 2, 'height' => 3];\necho box(...$a);\n";
    refusals(&[(&[("a.php", code)], "a.php:2:15", "size", "a string that may name an argument")]);
    let constant = "<?php\nconst SIZE = 3;\necho SIZE;\n";
    assert!(run(&[("a.php", constant)], &rename("SIZE", "DEFAULT")).is_err(), "a keyword in any case");
}

#[test]
fn a_member_of_a_base_outside_would_be_meant() {
    let inner = "import java.io.FilterInputStream;\nimport java.io.InputStream;\nclass Main {\n    static int label = 1;\n    static class A extends FilterInputStream {\n        A(InputStream s) { super(s); }\n        int go() { return label; }\n    }\n}\n";
    let thread = "class Main {\n    static String label() { return \"a\"; }\n    Thread t = new Thread() { public void run() { label(); } };\n}\n";
    refusals(&[
        (&[("Main.java", inner)], "Main.label", "in", "outside of the project, has a member `in`"),
        (&[("Main.java", thread)], "Main.label", "getName", "has a member `getName`"),
    ]);
    check(
        &[("Main.java", thread)],
        &rename("Main.label", "title"),
        &[("Main.java", &thread.replace("label", "title"))],
    );
    let iterator = "struct A { n: u32 }\nimpl Iterator for A { type Item = u32; fn next(&mut self) -> Option<u32> { None } }\nimpl A { fn total(&self) -> u32 { self.n } }\n";
    refusals(&[(&[("main.rs", iterator)], "A.total", "count", "has or may have a member `count`")]);
}

#[test]
fn classes_that_are_not_followed_have_bases() {
    let base = (
        "base.hpp",
        "struct Base { virtual int run() { return 1; } };\ninline int call(Base &b) { return b.run(); }\n",
    );
    let main = (
        "main.cpp",
        "#include \"base.hpp\"\nstruct D : Base { int extra() { return 5; } };\nint main() { D d; return call(d); }\n",
    );
    let cat = (
        "main.cpp",
        "#include <system_error>\nstruct Cat : std::error_category { const char *name() const noexcept { return \"c\"; } };\n",
    );
    let util = ("util.hpp", "namespace util { inline int extra(int n) { return n; } }\n");
    let user = (
        "main.cpp",
        "#include \"util.hpp\"\nint helper(int n) { return n; }\nusing namespace util;\nint main() { return helper(1); }\n",
    );
    refusals(&[
        (&[main, base], "main.cpp:2:23", "run", "`run` is in use here"),
        (&[cat], "main.cpp:2:48", "title", "outside of the project may have or use"),
        (&[user, util], "util.hpp:1:29", "helper", "`helper` is in use here"),
    ]);
    check(&[main, base], &rename("main.cpp:2:23", "more"), &[("main.cpp", &main.1.replace("extra", "more"))]);
}
