//! Renames and what a language does by names: format strings, macros, scopes, bases outside, visibility, names in any case.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

/// Each program is a file, a symbol, its new name, and the file afterwards.
#[track_caller]
fn renamed(programs: &[(&str, &str, &str, &str, &str)]) {
    for (path, text, symbol, to, after) in programs {
        check(&[(path, text)], &rename(symbol, to), &[(path, after)]);
    }
}

/// Each program is a file, a symbol and its new name, and a part of the reason why it stays.
#[track_caller]
fn refusals(programs: &[(&str, &str, &str, &str, &str)]) {
    for (path, text, symbol, to, reason) in programs {
        let (code, places) = refused(&[(path, text)], &rename(symbol, to));
        assert!(places.iter().any(|place| place.contains(reason)), "{symbol} in {text}: {code} {places:#?}");
    }
}

#[test]
fn names_in_format_strings_are_renamed() {
    renamed(&[
        (
            "a.rs",
            "fn main() { let a = 1; let w = 5; println!(\"{a:>w$} {{a}} {a:?}\"); assert_eq!(a, 1, \"bad {a}\"); }\n",
            "a.rs:1:17",
            "b",
            "fn main() { let b = 1; let w = 5; println!(\"{b:>w$} {{a}} {b:?}\"); assert_eq!(b, 1, \"bad {b}\"); }\n",
        ),
        (
            "a.rs",
            "const SIDE: i32 = 2;\nfn main() { println!(\"{SIDE:>3}\"); let x = 1; println!(\"{SIDE}{x}\", SIDE = x); }\n",
            "SIDE",
            "EDGE",
            "const EDGE: i32 = 2;\nfn main() { println!(\"{EDGE:>3}\"); let x = 1; println!(\"{SIDE}{x}\", SIDE = x); }\n",
        ),
        (
            "a.rs",
            "fn main() { let x = 1; let x = { println!(\"{x}\"); x + 1 }; println!(\"{x}\"); }\n",
            "a.rs:1:17",
            "y",
            "fn main() { let y = 1; let x = { println!(\"{y}\"); y + 1 }; println!(\"{x}\"); }\n",
        ),
        (
            "a.kt",
            "fun f(n: Int): String {\n    return \"$n ${n + 1} \\$n\"\n}\n",
            "a.kt:1:7",
            "count",
            "fun f(count: Int): String {\n    return \"$count ${count + 1} \\$n\"\n}\n",
        ),
        (
            "a.php",
            "<?php\nfunction hail($guest) { return \"hail ${guest} {$guest} $guest\"; }\n",
            "a.php:2:16",
            "visitor",
            "<?php\nfunction hail($visitor) { return \"hail ${visitor} {$visitor} $visitor\"; }\n",
        ),
    ]);
    // It is not known what another macro does.
    refusals(&[(
        "a.rs",
        "fn main() { let x = 1; tell!(\"{x}\"); println!(\"{x}\"); }\n",
        "a.rs:1:17",
        "y",
        "followed",
    )]);
}

#[test]
fn a_name_that_is_a_field_and_a_variable_becomes_two() {
    let program =
        "struct P { x: i32 }\nfn f(p: P) -> P { let P { x } = p; let P { ref x, .. } = P { x }; P { x: *x } }\n";
    renamed(&[
        (
            "a.rs",
            program,
            "P.x",
            "y",
            "struct P { y: i32 }\nfn f(p: P) -> P { let P { y: x } = p; let P { y: ref x, .. } = P { y: x }; P { y: *x } }\n",
        ),
        (
            "a.rs",
            program,
            "a.rs:2:27",
            "y",
            "struct P { x: i32 }\nfn f(p: P) -> P { let P { x: y } = p; let P { ref x, .. } = P { x: y }; P { x: *x } }\n",
        ),
        (
            "a.rs",
            program,
            "a.rs:2:48",
            "y",
            "struct P { x: i32 }\nfn f(p: P) -> P { let P { x } = p; let P { x: ref y, .. } = P { x }; P { x: *y } }\n",
        ),
        (
            "a.rs",
            "enum Kind { Big { size: u8 } }\nfn f(kind: Kind) -> u8 { match kind { Kind::Big { size } => size } }\n",
            "a.rs:1:19",
            "width",
            "enum Kind { Big { width: u8 } }\nfn f(kind: Kind) -> u8 { match kind { Kind::Big { width: size } => size } }\n",
        ),
    ]);
}

#[test]
fn members_of_an_implementation_belong_to_its_trait() {
    let base = "outside of the project";
    refusals(&[
        (
            "a.rs",
            "struct C;\nimpl Iterator for C { type Item = u8; fn next(&mut self) -> Option<u8> { None } }\n",
            "C.next",
            "go",
            base,
        ),
        (
            "a.rs",
            "struct C;\nimpl Iterator for C { type Item = u8; fn next(&mut self) -> Option<u8> { None } }\n",
            "C.Item",
            "It",
            base,
        ),
        ("a.rs", "struct A;\nimpl From<A> for i32 { fn from(_: A) -> i32 { 3 } }\n", "a.rs:2:27", "make", base),
        ("a.rs", "struct V;\nimpl Drop for V { fn drop(&mut self) {} }\n", "V.drop", "go", base),
    ]);
    // Those of the type itself and of a trait of the project are its own. A bare name is no associated type.
    renamed(&[
        (
            "a.rs",
            "struct Fault;\ntrait Tr { type Fault; fn go(&self); }\nstruct P;\nimpl Tr for P { type Fault = Fault; fn go(&self) {} }\n",
            "a.rs:1:8",
            "Error",
            "struct Error;\ntrait Tr { type Fault; fn go(&self); }\nstruct P;\nimpl Tr for P { type Fault = Error; fn go(&self) {} }\n",
        ),
        (
            "a.rs",
            "struct C;\nimpl Drop for C { fn drop(&mut self) { self.end() } }\nimpl C { fn end(&self) {} }\n",
            "C.end",
            "stop",
            "struct C;\nimpl Drop for C { fn drop(&mut self) { self.stop() } }\nimpl C { fn stop(&self) {} }\n",
        ),
    ]);
}

#[test]
fn bodies_of_macros_are_looked_at() {
    renamed(&[
        (
            "a.c",
            "#define CALL(x) helper(x) \"helper\"\nstatic int helper(int x) { return x; }\nint f(void) { return CALL(2); }\n",
            "helper",
            "aid",
            "#define CALL(x) aid(x) \"helper\"\nstatic int aid(int x) { return x; }\nint f(void) { return CALL(2); }\n",
        ),
        // The parameter of a macro is another name, and so is a local of a function that does not use it.
        (
            "a.c",
            "#define TWICE(x) ((x) * n)\nint n = 2;\nint x = 3;\nint f(void) { return TWICE(x); }\n",
            "x",
            "y",
            "#define TWICE(x) ((x) * n)\nint n = 2;\nint y = 3;\nint f(void) { return TWICE(y); }\n",
        ),
    ]);
    refusals(&[
        ("a.c", "#define S(x) #x\nint v = 2;\nconst char *f(void) { return S(v); }\n", "v", "w", "a.c:3"),
        (
            "a.c",
            "#define GET(o) ((o).val)\nstruct S { int val; };\nint f(struct S s) { return GET(s); }\n",
            "S.val",
            "v",
            "a.c:1",
        ),
        ("a.c", "#define N (n + 1)\nint f(int n) { return N; }\n", "a.c:2:11", "m", "a.c:1"),
        (
            "a.c",
            "int run(void) { return 1; }\nvoid *f(void) { return dlsym(0, \"run\"); }\n",
            "run",
            "go",
            "by this string",
        ),
    ]);
}

#[test]
fn a_local_variable_counts_from_its_declaration() {
    renamed(&[
        (
            "a.c",
            "int depth = 1;\nint f(void) { int d = depth; int depth = 2; return d + depth; }\n",
            "a.c:1:5",
            "level",
            "int level = 1;\nint f(void) { int d = level; int depth = 2; return d + depth; }\n",
        ),
        (
            "a.c",
            "typedef struct row { int n; } row;\nint first(row *row) { return row->n; }\n",
            "a.c:2:16",
            "r",
            "typedef struct row { int n; } row;\nint first(row *r) { return r->n; }\n",
        ),
        (
            "A.java",
            "class A {\n    static int n = 1;\n    static int f() { int x = n; int n = 2; return x + n; }\n}\n",
            "A.n",
            "m",
            "class A {\n    static int m = 1;\n    static int f() { int x = m; int n = 2; return x + n; }\n}\n",
        ),
        (
            "a.kt",
            "val limit = 2\nfun f(): Int {\n    val limit = limit + 1\n    return limit\n}\n",
            "a.kt:1:5",
            "most",
            "val most = 2\nfun f(): Int {\n    val limit = most + 1\n    return limit\n}\n",
        ),
        (
            "a.go",
            "package a\n\ntype row struct{ n int }\n\nfunc first(row row) (other row) { return row }\n",
            "a.go:3:6",
            "line",
            "package a\n\ntype line struct{ n int }\n\nfunc first(row line) (other line) { return row }\n",
        ),
        (
            "a.scala",
            "object A {\n  val limit = 1\n  def f(limit: Int = limit) = limit\n}\n",
            "A.limit",
            "most",
            "object A {\n  val most = 1\n  def f(limit: Int = most) = limit\n}\n",
        ),
        (
            "a.rb",
            "STEP = 1\nclass Walk\n  STEP = STEP + 1\n  def go = STEP\nend\n",
            "a.rb:1:1",
            "PACE",
            "PACE = 1\nclass Walk\n  STEP = PACE + 1\n  def go = STEP\nend\n",
        ),
        (
            "a.php",
            "<?php\nconst STEP = 1;\nclass Walk { const STEP = STEP + 1; }\n",
            "a.php:2:7",
            "PACE",
            "<?php\nconst PACE = 1;\nclass Walk { const STEP = PACE + 1; }\n",
        ),
    ]);
}

#[test]
fn what_a_class_joins_is_one_family() {
    renamed(&[
        (
            "A.java",
            "class X { public int v() { return 1; } }\ninterface J { int v(); }\nclass A extends X implements J {}\nclass B { int f(A a, J j) { return a.v() + j.v(); } }\n",
            "X.v",
            "w",
            "class X { public int w() { return 1; } }\ninterface J { int w(); }\nclass A extends X implements J {}\nclass B { int f(A a, J j) { return a.w() + j.w(); } }\n",
        ),
        (
            "a.py",
            "class X:\n    def go(self):\n        return self.hook()\n\n    def hook(self):\n        return 1\n\n\nclass Y:\n    def hook(self):\n        return 2\n\n\nclass Z(Y, X):\n    pass\n",
            "Y.hook",
            "step",
            "class X:\n    def go(self):\n        return self.step()\n\n    def step(self):\n        return 1\n\n\nclass Y:\n    def step(self):\n        return 2\n\n\nclass Z(Y, X):\n    pass\n",
        ),
        (
            "A.java",
            "interface R { int run(); }\nclass A { int f() { R r = new R() { public int run() { return 3; } }; return r.run(); } }\n",
            "R.run",
            "go",
            "interface R { int go(); }\nclass A { int f() { R r = new R() { public int go() { return 3; } }; return r.go(); } }\n",
        ),
        (
            "A.java",
            "enum A { X { int v() { return 1; } }; abstract int v(); }\n",
            "A.v",
            "w",
            "enum A { X { int w() { return 1; } }; abstract int w(); }\n",
        ),
        (
            "a.kt",
            "interface R {\n    fun run(): Int\n}\nval r = object : R {\n    override fun run() = 1\n}\n",
            "R.run",
            "go",
            "interface R {\n    fun go(): Int\n}\nval r = object : R {\n    override fun go() = 1\n}\n",
        ),
        (
            "a.scala",
            "trait R { def run: Int }\nobject A { val r = new R { def run = 1 } }\n",
            "R.run",
            "go",
            "trait R { def go: Int }\nobject A { val r = new R { def go = 1 } }\n",
        ),
        (
            "A.java",
            "record P(int x) { int twice() { return x + this.x + x(); } }\nclass B { int f(P p) { return p.x(); } }\n",
            "A.java:1:14",
            "z",
            "record P(int z) { int twice() { return z + this.z + z(); } }\nclass B { int f(P p) { return p.z(); } }\n",
        ),
        (
            "a.cs",
            "record P(int X);\nclass B { int F(P p) { return p.X; } }\n",
            "a.cs:1:14",
            "Z",
            "record P(int Z);\nclass B { int F(P p) { return p.Z; } }\n",
        ),
    ]);
}

#[test]
fn a_name_has_a_meaning_where_the_language_or_a_tool_looks_for_it() {
    renamed(&[
        (
            "a.py",
            "class A:\n    def main(self): return 1\n    def setup(self): return 2\nprint(A().main() + A().setup())\n",
            "A.main",
            "go",
            "class A:\n    def go(self): return 1\n    def setup(self): return 2\nprint(A().go() + A().setup())\n",
        ),
        (
            "a.py",
            "class A:\n    def setup(self): return 2\nprint(A().setup())\n",
            "A.setup",
            "main",
            "class A:\n    def main(self): return 2\nprint(A().main())\n",
        ),
        ("a.py", "def test(x): return x\nprint(test(1))\n", "test", "go", "def go(x): return x\nprint(go(1))\n"),
        (
            "a.py",
            "def f():\n    def main(): return 1\n    return main()\n",
            "f.main",
            "go",
            "def f():\n    def go(): return 1\n    return go()\n",
        ),
        (
            "a.js",
            "function render(x) { return x; }\nrender(1);\n",
            "render",
            "draw",
            "function draw(x) { return x; }\ndraw(1);\n",
        ),
        (
            "a.ts",
            "class A { render(): number { return 1; } }\nnew A().render();\n",
            "A.render",
            "draw",
            "class A { draw(): number { return 1; } }\nnew A().draw();\n",
        ),
        (
            "a.go",
            "package a\n\ntype A struct{}\n\nfunc (A) init() int { return 1 }\n\nvar x = A{}.init()\n",
            "A.init",
            "begin",
            "package a\n\ntype A struct{}\n\nfunc (A) begin() int { return 1 }\n\nvar x = A{}.begin()\n",
        ),
        (
            "a.go",
            "package a\n\nfunc ExampleOf() int { return 1 }\n\nvar x = ExampleOf()\n",
            "ExampleOf",
            "Of",
            "package a\n\nfunc Of() int { return 1 }\n\nvar x = Of()\n",
        ),
        (
            "a.php",
            "<?php\nfunction test() { return 1; }\necho test();\n",
            "test",
            "go",
            "<?php\nfunction go() { return 1; }\necho go();\n",
        ),
        (
            "a.rb",
            "class A\n  def setup = 1\nend\nputs A.new.setup\n",
            "A.setup",
            "begin_it",
            "class A\n  def begin_it = 1\nend\nputs A.new.begin_it\n",
        ),
    ]);
    refusals(&[
        ("a.py", "def main(): return 1\nprint(main())\n", "main", "go", "special meaning: entry point"),
        ("tests/test_a.py", "def test(): assert 1\n", "test", "go", "special meaning: test"),
        ("test_a.py", "class TestA:\n    def setup(self): pass\n", "TestA.setup", "go", "special meaning: setup"),
        (
            "a.py",
            "import unittest\nclass A(unittest.TestCase):\n    def test_one(self): pass\n",
            "A.test_one",
            "one",
            "special meaning: test",
        ),
        (
            "a.js",
            "import { Component } from 'react';\nexport class A extends Component { render() { return 1; } }\n",
            "A.render",
            "draw",
            "special meaning: component",
        ),
        ("a.go", "package a\n\nfunc init() {}\n", "init", "begin", "special meaning: entry point"),
        ("a_test.go", "package a\n\nfunc ExampleOf() {}\n", "ExampleOf", "Of", "special meaning: test"),
        (
            "a.php",
            "<?php\nclass A extends TestCase { function testOne() {} }\n",
            "A.testOne",
            "one",
            "special meaning: test",
        ),
        ("a.rb", "class A < Minitest::Test\n  def setup\n  end\nend\n", "A.setup", "begin_it", "special meaning: test"),
    ]);
}

#[test]
fn what_a_language_does_by_names_is_respected() {
    refusals(&[
        ("a.go", "package a\n\nfunc boot() {}\n", "boot", "init", "special meaning"),
        ("a.go", "package a\n\ntype A struct {\n\tName string `json:\"n\"`\n}\n", "A.Name", "name", "its tag"),
        ("a.php", "<?php\nfunction run($x) { return $x; }\narray_map(\"run\", [1]);\n", "run", "go", "for a call"),
        (
            "a.php",
            "<?php\nclass A { function run($x) {} }\narray_map([new A, \"run\"], [1]);\n",
            "A.run",
            "go",
            "for a call",
        ),
        ("a.php", "<?php\nfunction f($x) { return compact(\"x\"); }\n", "a.php:2:13", "y", "compact"),
        ("a.rb", "def f(a)\n  eval(\"a\", binding)\nend\n", "a.rb:1:7", "b", "by their names"),
        ("a.rb", "def f(a:)\n  a\nend\nf(a: 1)\n", "a.rb:1:7", "b", "a.rb:4"),
        ("a.rb", "def f(a)\n  g(a:)\nend\n", "a.rb:1:7", "b", "a.rb:2"),
        (
            "A.java",
            "class A {}\nclass B { Class<?> f() throws Exception { return Class.forName(\"A\"); } }\n",
            "A.java::A",
            "C",
            "by this string",
        ),
    ]);
    let other = [
        ("p/p.go", "package p\n\nfunc Run() {}\n"),
        ("main.go", "package main\n\nimport \"ex/p\"\n\nfunc main() { p.Run() }\n"),
        ("go.mod", "module ex\n"),
    ];
    let (_, places) = refused(&other, &rename("p/p.go::Run", "run"));
    assert!(places.iter().any(|place| place.contains("main.go:5")), "{places:#?}");
    let (code, _) = refused(&[("a.rb", "def stop\nend\nstop\n")], &rename("stop", "end"));
    assert_eq!(code, "bad_request");
    // In PHP a function, a method and a class have any case, but variables do not.
    renamed(&[
        (
            "a.php",
            "<?php\nfunction run() { $run = 1; return $run; }\nRUN();\n",
            "run",
            "go",
            "<?php\nfunction go() { $run = 1; return $run; }\ngo();\n",
        ),
        (
            "a.php",
            "<?php\nclass Foo { static function doIt() {} }\nfoo::DOIT(); Foo::doit();\n",
            "Foo.doIt",
            "go",
            "<?php\nclass Foo { static function go() {} }\nfoo::go(); Foo::go();\n",
        ),
        (
            "a.php",
            "<?php\nclass Foo {}\nnew FOO(); new foo();\n",
            "Foo",
            "Bar",
            "<?php\nclass Bar {}\nnew Bar(); new Bar();\n",
        ),
    ]);
}

#[test]
fn the_clause_of_a_file_names_its_package_alone() {
    let package = "package ant\n\nfunc Run(ant int) int { return ant }\n";
    let main = "package main\n\nimport \"m/ant\"\n\ntype T struct{ ant int }\n\nfunc main() { t := T{ant: 1}; println(ant.Run(1), t.ant) }\n";
    let files = [("go.mod", "module m\n\ngo 1.19\n"), ("ant/ant.go", package), ("main.go", main)];
    check(
        &files,
        &json!({"kind": "rename", "symbol": "ant/ant.go:3:10", "to": "zebra"}),
        &[("ant/ant.go", &package.replace("Run(ant", "Run(zebra").replace("return ant", "return zebra"))],
    );
    check(
        &files,
        &json!({"kind": "rename", "symbol": "main.go:5:16", "to": "zebra"}),
        &[(
            "main.go",
            &main.replace("{ ant int", "{ zebra int").replace("T{ant", "T{zebra").replace("t.ant", "t.zebra"),
        )],
    );
}
