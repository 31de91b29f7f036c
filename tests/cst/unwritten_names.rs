//! Names that a language, a linker or a runtime uses where they are not written, or written in another way.

use serde_json::json;

use crate::refactored::{check, refused};
use crate::text_uses::{renamed, uncertain};

/// The rename to another name at a place of the first file is refused, whatever the code of the error is.
#[track_caller]
fn blocked(files: &[(&str, &str)], place: &str, to: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("{}:{place}", files[0].0), "to": to});
    let (error, _) = refused(files, &rename);
    assert!(["undetermined", "conflict"].contains(&error.as_str()), "{files:?}: {error}");
}

#[test]
fn a_raw_name_is_the_same_name() {
    for (name, text, place, to) in [
        (
            "a.rs",
            "fn owl() -> i32 { 1 }\nfn main() { r#owl(); }\n",
            "1:4",
            "fn zebra() -> i32 { 1 }\nfn main() { r#zebra(); }\n",
        ),
        (
            "a.rs",
            "fn main() { let r#owl = 1; let b = owl + r#owl; }\n",
            "1:17",
            "fn main() { let r#zebra = 1; let b = zebra + r#zebra; }\n",
        ),
        (
            "a.kt",
            "fun `owl`(): Int = 1\nfun main() { println(owl()) }\n",
            "1:5",
            "fun `zebra`(): Int = 1\nfun main() { println(zebra()) }\n",
        ),
        (
            "a.scala",
            "object A { def owl = 1; def f = `owl` }\n",
            "1:16",
            "object A { def zebra = 1; def f = `zebra` }\n",
        ),
        (
            "a.cs",
            "class A { static int @owl() => 1; static int F() => owl(); }\n",
            "1:22",
            "class A { static int @zebra() => 1; static int F() => zebra(); }\n",
        ),
    ] {
        let rename = json!({"kind": "rename", "symbol": format!("{name}:{place}"), "to": "zebra"});
        check(&[(name, text)], &rename, &[(name, to)]);
    }
}

#[test]
fn code_outside_is_found_by_its_name() {
    blocked(
        &[("a.rs", "extern \"C\" { fn abs(x: i32) -> i32; }\nfn main() { unsafe { abs(1); } }\n")],
        "1:17",
        "zebra",
    );
    renamed(("a.rs", "extern \"C\" { fn abs(ox: i32) -> i32; }\n"), "1:21", "ox");
    blocked(&[("A.java", "class A { native int go(int x); }\n")], "1:22", "zebra");
    blocked(&[("A.java", "class A { native int go(int x); }\n")], "1:7", "Zebra");
    blocked(&[("a.kt", "class A { external fun go(x: Int): Int }\n")], "1:24", "zebra");
}

#[test]
fn a_type_hides_one_of_the_language() {
    let text = "struct Q(u8);\nfn f() -> i32 { 3 }\n";
    blocked(&[("a.rs", text)], "1:8", "i32");
    blocked(&[("a.rs", "mod m { pub type Q = i64; pub fn f(x: u8) -> u8 { x } }\n")], "1:18", "u8");
    let text = "fn f(ox: &[u8]) -> usize { ox.len() }\n";
    let rename = json!({"kind": "rename", "symbol": "a.rs:1:6", "to": "str"});
    check(&[("a.rs", text)], &rename, &[("a.rs", &text.replace("ox", "str"))]);
}

#[test]
fn a_macro_makes_a_text_of_what_it_gets() {
    uncertain(&[("a.rs", "fn main() { let owl = 1; println!(\"{}\", stringify!(owl)); }\n")], "1:17");
    let text = "macro_rules! named { ($f:ident) => { (stringify!($f), $f()) }; }\nfn owl() -> i32 { 1 }\nfn main() { named!(owl); }\n";
    uncertain(&[("a.rs", text)], "2:4");
    renamed(("a.rs", "fn main() { let owl = 1; println!(\"{}\", owl); }\n"), "1:17", "owl");
}

#[test]
fn derived_text_shows_names() {
    let head = "#[derive(Debug)]\nstruct Pig { ox: i32 }\n";
    for code in [
        "fn main() { let o = Some(Pig { ox: 1 }); println!(\"{o:?}\"); }\n",
        "fn main() { for p in [Pig { ox: 1 }].iter() { println!(\"{:?}\", p); } }\n",
        "fn show<T: std::fmt::Debug>(t: T) -> String { format!(\"{t:#?}\") }\nfn main() { show(vec![Pig { ox: 1 }]); }\n",
        "macro_rules! show { ($e:expr) => { println!(\"{:?}\", $e) }; }\nfn main() { show!(Pig { ox: 1 }); }\n",
        "fn make() -> impl std::fmt::Debug { Pig { ox: 1 } }\nfn main() { println!(\"{:?}\", make()); }\n",
    ] {
        let text = format!("{head}{code}");
        uncertain(&[("a.rs", &text)], "2:14");
        uncertain(&[("a.rs", &text)], "2:8");
    }
    let text = format!("{head}fn main() {{ let p = Pig {{ ox: 1 }}; println!(\"{{}}\", p.ox); }}\n");
    renamed(("a.rs", &text), "2:14", "ox");
    uncertain(
        &[("a.rs", "mod owl { pub fn f() -> &'static str { module_path!() } }\nfn main() { owl::f(); }\n")],
        "1:5",
    );
}

#[test]
fn the_language_calls_members_that_it_does_not_name() {
    blocked(&[("a.kt", "class V(val x: Int) { operator fun plus(o: V) = V(x + o.x) }\n")], "1:36", "zebra");
    renamed(("a.kt", "class V(val x: Int) { fun owl(o: V) = V(x + o.x) }\n"), "1:27", "owl");
    blocked(&[("a.scala", "class W(val x: Int) { def foreach(f: Int => Unit): Unit = f(x) }\n")], "1:27", "zebra");
    blocked(&[("a.cs", "class P { public void Deconstruct(out int a) { a = 1; } }\n")], "1:23", "Zebra");
    blocked(
        &[("a.cpp", "struct R { int a[2]; int *begin() { return a; } int *end() { return a + 2; } };\n")],
        "1:27",
        "zebra",
    );
    let text = "@interface Col { String value(); }\nclass A { @Col(\"x\") int g; }\n";
    blocked(&[("A.java", text)], "1:25", "zebra");
    renamed(("A.java", "interface Col { String value(); }\n"), "1:24", "value");
}

#[test]
fn a_class_goes_where_its_members_are_found_by_name() {
    let text = "class A { public int owl() { return 1; } }\nclass B { static void f() { for (var m : A.class.getDeclaredMethods()) g(m.getName()); } static void g(String s) {} }\n";
    uncertain(&[("A.java", text)], "1:22");
    let text = "enum C { RED }\nclass B { static <T extends Enum<T>> T p(Class<T> c, String s) { return Enum.valueOf(c, s); } static Object q = p(C.class, \"RED\"); }\n";
    uncertain(&[("C.java", text)], "1:10");
    let text = "record P(int owl) {}\nclass B { static Object q = P.class.getRecordComponents(); }\n";
    uncertain(&[("P.java", text)], "1:14");
    let files = [("p/Impl.java", "package p;\npublic class Impl {}\n"), ("conf/c.properties", "impl=p.Impl\n")];
    uncertain(&files, "2:14");
}

#[test]
fn names_that_are_read_from_another_place() {
    let page = ("t.php", "<h1><?= $title ?></h1>\n");
    uncertain(&[("a.php", "<?php\nfunction f($title) { include \"t.php\"; }\n"), page], "2:13");
    uncertain(&[("a.php", "<?php\nclass A { static $n = 1; }\n$k = \"n\"; echo A::$$k;\n")], "2:19");
    uncertain(&[("a.rb", "class A; def run = 1; end\nf = :run.to_proc; puts f.call(A.new)\n")], "1:14");
    let text = "int main() { int owl = 1; auto f = [owl = owl + 1](int z) { return owl; }; return owl; }\n";
    let to = "int main() { int zebra = 1; auto f = [owl = zebra + 1](int z) { return owl; }; return zebra; }\n";
    check(&[("a.cpp", text)], &json!({"kind": "rename", "symbol": "a.cpp:1:18", "to": "zebra"}), &[("a.cpp", to)]);
    uncertain(&[("a.cpp", "int n = 1;\nint f() { static int n = 10; return n++ + ::n; }\n")], "1:5");
}

#[test]
fn decorators_and_protocols_know_names() {
    let text =
        "const all: any[] = [];\nfunction col(_: undefined, c: any) { all.push(c.name); }\nclass A { @col owl = 1; }\n";
    blocked(&[("a.ts", text)], "3:16", "zebra");
    let text = "from typing import Protocol\nclass P(Protocol):\n    def run(self, size): ...\nclass A:\n    def run(self, size): return size\ndef g(p: P): return p.run(size=3)\n";
    uncertain(&[("a.py", text)], "3:19");
    let other = "import type { O } from \"./m\";\ndeclare module \"./m\" { interface O { extra: O[\"owl\"] } }\n";
    uncertain(&[("m.ts", "export interface O { owl: number }\n"), ("b.ts", other)], "1:22");
}

#[test]
fn tables_of_names_are_made_of_members_and_functions() {
    let text = "class M(type):\n    def __new__(m, name, bases, ns):\n        ns['all'] = [k[3:] for k in ns if k.startswith('do_')]\n        return super().__new__(m, name, bases, ns)\nclass A(metaclass=M):\n    def do_it(self): return 1\n";
    blocked(&[("a.py", text)], "6:9", "zebra");
    let text = "class M(type):\n    def __new__(m, name, bases, ns):\n        return super().__new__(m, name, bases, ns)\nclass A(metaclass=M):\n    def ant(self): return 1\n";
    renamed(("a.py", text), "5:9", "ant");
    let text = "import csv, sys\nfrom typing import NamedTuple\nclass P(NamedTuple):\n    owl: int\ncsv.writer(sys.stdout).writerow(P._fields)\n";
    uncertain(&[("a.py", text)], "4:5");
    let text = "function owl() { return 1; }\nconst T = Object.fromEntries([owl].map(f => [f.name, f]));\nconsole.log(T.owl());\n";
    uncertain(&[("a.mjs", text)], "1:10");
    let files = [
        ("m.py", "class A: k = 1\nclass B: k = 2\n"),
        ("main.py", "import importlib, m\nm.A.k = 9\nimportlib.reload(m)\n"),
        ("n.py", ""),
    ];
    let (error, _) = refused(&files, &json!({"kind": "move", "symbol": "m.py::A", "to": "n.py"}));
    assert_eq!(error, "undetermined");
}

#[test]
fn names_in_the_body_of_a_macro_mean_what_is_there_where_it_is_used() {
    let head = "pub struct S { n: u32 }\nimpl S { pub fn owl(&mut self, x: u32) { self.n += x; } }\n";
    let body = "macro_rules! mk { ($($x:expr),+) => ({ let mut all = $crate::make(); $(all.owl($x);)* all }); }\n";
    uncertain(&[("src/lib.rs", &format!("{head}{body}"))], "2:17");
    uncertain(&[("src/lib.rs", &format!("{head}{body}use rand::*;\n"))], "2:17");
    uncertain(
        &[("src/lib.rs", &format!("{head}{body}impl S {{ fn f(&self) {{ use core::ops::Bound::*; }} }}\n"))],
        "2:17",
    );
}

#[test]
fn what_a_test_binds_is_seen_where_the_test_holds() {
    let text = "class A {\n    static int cat = 1;\n    static int f(Object o) {\n        cat = 5;\n        if (o instanceof String cat && cat.length() > 1) { return cat.length(); }\n        return cat;\n    }\n}\n";
    let to = "class A {\n    static int zebra = 1;\n    static int f(Object o) {\n        zebra = 5;\n        if (o instanceof String cat && cat.length() > 1) { return cat.length(); }\n        return zebra;\n    }\n}\n";
    let rename = |place: &str| json!({"kind": "rename", "symbol": format!("A.java:{place}"), "to": "zebra"});
    check(&[("A.java", text)], &rename("4:9"), &[("A.java", to)]);
    check(&[("A.java", text)], &rename("2:16"), &[("A.java", to)]);
    let text = "class A {\n    static int f(Object o) {\n        if (!(o instanceof String cat)) { return 0; }\n        return cat.length();\n    }\n}\n";
    renamed(("A.java", text), "3:35", "cat");
    let text = "class A {\n    static int f(Object o) {\n        while (!(o instanceof String cat && cat.length() > 1)) { o = next(o); }\n        return cat.length();\n    }\n    static Object next(Object o) { return o; }\n}\n";
    renamed(("A.java", text), "3:38", "cat");
}

#[test]
fn a_class_is_named_with_its_package() {
    let class = ("com/x/Owl.java", "package com.x;\npublic class Owl { public static int run() { return 1; } }\n");
    let main = "package a.b;\nclass Main { static int f() { return com.x.Owl.run() + f(); } }\n";
    let rename = json!({"kind": "rename", "symbol": "com/x/Owl.java::Owl.run", "to": "zebra"});
    let expected = [("a/b/Main.java", main.replace("run", "zebra")), (class.0, class.1.replace("run", "zebra"))];
    let expected: Vec<(&str, &str)> = expected.iter().map(|(path, text)| (*path, text.as_str())).collect();
    check(&[class, ("a/b/Main.java", main)], &rename, &expected);
}

#[test]
fn a_literal_has_the_key_that_a_variable_is_written_for() {
    let text = "const ox = 1;\nexport const a = { ox, bee: 2 };\nconsole.log(a.bee);\n";
    for name in ["a.ts", "a.mjs"] {
        let rename = json!({"kind": "rename", "symbol": format!("{name}:2:24"), "to": "ox"});
        assert_eq!(refused(&[(name, text)], &rename).0, "would_rebind", "{name}");
    }
}
