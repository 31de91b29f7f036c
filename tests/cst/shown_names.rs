//! Names that programs print: what a record, a constant of an enum or an object with a derived `Debug` is as text has the names of its
//! members.

use serde_json::json;

use crate::refactored::{refused, run};

/// A file, its text, a symbol of it.
type Row = (&'static str, &'static str, &'static str);

/// The text of what is printed changes with the name.
const SHOWN: &[Row] = &[
    ("A.java", "record P(int x) {}\nclass A { static void f() { System.out.println(new P(1)); } }\n", "A.java:1:14"),
    ("A.java", "record P(int x) {}\nclass A { static String f(P p) { return \"p \" + p + \"!\"; } }\n", "A.java:1:14"),
    ("A.java", "enum C { RED, BLUE }\nclass A { static void f() { System.out.println(C.RED); } }\n", "C.RED"),
    ("A.java", "enum C { RED, BLUE }\nclass A { static String f(C c) { return \"c=\" + c; } }\n", "C.RED"),
    ("A.java", "enum C { RED, BLUE }\nclass A { static String f(C c) { return c.name(); } }\n", "C.RED"),
    ("A.java", "enum C { RED, BLUE }\nclass A { static String f(C c) { return c.toString().trim(); } }\n", "C.RED"),
    ("main.rs", "#[derive(Debug)]\nenum E { A }\nfn main() { println!(\"{:?}\", E::A); }\n", "E.A"),
    (
        "main.rs",
        "#[derive(Debug)]\nenum E { A }\nfn f(e: E) -> String { format!(\"{:?}\", e) }\nfn main() { f(E::A); }\n",
        "E.A",
    ),
    (
        "main.rs",
        "#[derive(Debug)]\nstruct P { x: i32 }\nfn main() { let p = P { x: 1 }; println!(\"{:?}\", p); }\n",
        "P.x",
    ),
    (
        "main.rs",
        "#[derive(Debug)]\nstruct P { x: i32 }\nfn main() { let p = P { x: 1 }; println!(\"{p:#?}\"); }\n",
        "P.x",
    ),
    ("a.kt", "data class P(val x: Int)\nfun main() { println(P(1)) }\n", "P.x"),
    ("a.kt", "data class P(val x: Int)\nfun f(p: P) = \"p $p\"\n", "P.x"),
    ("a.kt", "enum class C { RED, BLUE }\nfun main() { println(C.RED) }\n", "C.RED"),
    ("a.cs", "record P(int X);\nclass A { static void F(P p) { System.Console.WriteLine(p); } }\n", "P.X"),
    ("a.cs", "enum C { Red, Blue }\nclass A { static string F(C c) { return $\"{c}\"; } }\n", "C.Red"),
    ("a.cs", "enum C { Red, Blue }\nclass A { static string F(C c) { return c.ToString(); } }\n", "C.Red"),
    ("a.scala", "enum C:\n  case Red, Blue\n@main def m() = println(C.Red)\n", "C.Red"),
    ("a.py", "import enum\nclass C(enum.Enum):\n    RED = 1\nprint(C.RED)\n", "C.RED"),
    ("a.py", "import enum\nclass C(enum.Enum):\n    RED = 1\nprint(C.RED.name)\n", "C.RED"),
    (
        "a.py",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nraise ValueError(f\"{P(1)}\")\n",
        "P.x",
    ),
];

/// Nothing that is printed has the name.
const HIDDEN: &[Row] = &[
    ("A.java", "enum C { RED, BLUE }\nclass A { static boolean f(C c) { return c == C.RED; } }\n", "C.RED"),
    (
        "A.java",
        "enum C { RED, BLUE; public String toString() { return \"c\"; } }\nclass A { static void f(C c) { System.out.println(c); } }\n",
        "C.RED",
    ),
    (
        "A.java",
        "record P(int x) { int twice() { return 2 * x; } }\nclass A { static void f() { System.out.println(new P(1).twice()); } }\n",
        "A.java:1:14",
    ),
    ("A.java", "class P { int x; }\nclass A { static void f(P p) { System.out.println(p); } }\n", "P.x"),
    ("main.rs", "struct P { x: i32 }\nfn main() { let p = P { x: 1 }; println!(\"{}\", p.x); }\n", "P.x"),
    (
        "main.rs",
        "#[derive(Debug)]\nstruct P { x: i32 }\nfn main() { let p = P { x: 1 }; println!(\"{}\", p.x); }\n",
        "P.x",
    ),
    (
        "main.rs",
        "#[derive(Debug)]\nstruct P { x: i32 }\nimpl std::fmt::Display for P {\n    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"p\") }\n}\nfn main() { let p = P { x: 1 }; println!(\"{}\", p); }\n",
        "P.x",
    ),
    ("a.kt", "data class P(val x: Int)\nfun f(p: P) = \"p ${p.x}\"\n", "P.x"),
    ("a.kt", "class P(val x: Int)\nfun f(p: P) = println(p)\n", "P.x"),
    ("a.cs", "enum C { Red, Blue }\nclass A { static bool F(C c) { return c == C.Red; } }\n", "C.Red"),
    ("a.py", "import enum\nclass C(enum.Enum):\n    RED = 1\nprint(C.RED.value)\n", "C.RED"),
];

#[test]
fn what_is_printed_makes_a_name_uncertain() {
    for (file, text, symbol) in SHOWN {
        let (code, _) = refused(&[(file, text)], &json!({"kind": "rename", "symbol": symbol, "to": "other"}));
        assert_eq!(code, "undetermined", "{symbol} in {text}");
    }
}

#[test]
fn what_is_printed_without_it_does_not() {
    for (file, text, symbol) in HIDDEN {
        let answer = run(&[(file, text)], &json!({"kind": "rename", "symbol": symbol, "to": "other"}));
        assert!(answer.is_ok(), "{symbol} in {text}: {answer:?}");
    }
}
