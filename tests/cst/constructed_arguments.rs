//! Arguments that name parameters where no function is named: constructors, copies of objects, extensions.

use serde_json::json;

use super::refactored::{check, refused};

/// Renames the name at a place, and expects it to change wherever it is a word of the text.
#[track_caller]
fn check_word(path: &str, text: &str, place: &str, old: &str) {
    let word = regex::Regex::new(&format!(r"\b{old}\b")).unwrap();
    let rename = json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "zq"});
    check(&[(path, text)], &rename, &[(path, &word.replace_all(text, "zq"))]);
}

#[test]
fn of_constructors() {
    let scala = "class A(size: Int, k: Int) {\n  def this(width: Int) = this(size = width, k = 1)\n}\nclass B extends A(size = 3, k = 2)\nobject M { val a = new A(width = 2); val b = new A(size = 1, k = 2) }\n";
    check_word("M.scala", scala, "1:9", "size");
    check_word("M.scala", scala, "2:12", "width");
    let kotlin = "open class Base(val size: Int) {\n    constructor(text: String) : this(size = text.length)\n}\nclass Sub(n: Int) : Base(size = n) {\n    val own = n\n}\nenum class E(val rank: Int) { A(rank = 1), B(rank = 2) }\nfun main() { println(Base(text = \"a\").size + Base(size = 2).size) }\n";
    check_word("Main.kt", kotlin, "1:21", "size");
    check_word("Main.kt", kotlin, "2:17", "text");
    check_word("Main.kt", kotlin, "7:18", "rank");
    let csharp = "class A { public int N; public A(int size, int k) { N = size * k; } public A(string text) : this(k: 2, size: 3) { } }\nclass B : A { public B() : base(size: 3, k: 1) { } }\nclass P { static int Main() => new A(k: 1, size: 2).N + new A(text: \"\").N; }\n";
    check_word("Main.cs", csharp, "1:38", "size");
    check_word("Main.cs", csharp, "1:85", "text");
    // Two constructors have a parameter of this name.
    let both = csharp.replace("text", "size");
    let (code, _) = refused(&[("Main.cs", &both)], &json!({"kind": "rename", "symbol": "Main.cs:1:38", "to": "zq"}));
    assert_eq!(code, "undetermined");
}

#[test]
fn of_copies() {
    let kotlin = "data class P(val x: Int, val y: Int) {\n    fun up() = copy(x = x + 1)\n}\nfun up(p: P): P = p.copy(x = p.x + 1)\nfun main() { println(P(1, 2).copy(x = 5).x) }\n";
    check_word("Main.kt", kotlin, "1:18", "x");
    let scala = "case class P(x: Int, y: Int) {\n  def up: P = copy(x = x + 1)\n}\nobject M {\n  def up(p: P): P = p.copy(x = p.x + 1)\n  val one = P(1, 2).copy(x = 5).x\n}\n";
    check_word("M.scala", scala, "1:14", "x");
    // The object is not known.
    let open = "data class P(val x: Int)\nfun up(all: List<Any>) = all.map { it.copy(x = 1) }\n";
    let (code, _) = refused(&[("Main.kt", open)], &json!({"kind": "rename", "symbol": "Main.kt:1:18", "to": "zq"}));
    assert_eq!(code, "undetermined");
}

#[test]
fn of_extensions() {
    let kotlin =
        "class V(val n: Int)\nfun V.pad(left: Int): Int = n + left\nfun main() { println(V(1).pad(left = 2)) }\n";
    check_word("Main.kt", kotlin, "2:11", "left");
    check_word("Main.kt", kotlin, "2:7", "pad");
    let csharp = "class V { public int N; }\nstatic class Ext { public static int Pad(this V v, int left) => v.N + left; }\nclass P { static int Main() => new V().Pad(left: 2); }\n";
    check_word("Main.cs", csharp, "2:56", "left");
    check_word("Main.cs", csharp, "2:38", "Pad");
    // The library may have a method of that name.
    for kotlin in [
        "fun String.pad(left: Int): String = this + left\nfun main() { println(\"a\".pad(left = 2)) }\n",
        "import a.pad as fill\nfun main() { println(\"a\".fill(left = 2)) }\n",
    ] {
        let other = "package a\nfun String.pad(left: Int): String = this + left\n";
        let files = [("Main.kt", kotlin), ("a/A.kt", other)];
        let symbol = if kotlin.starts_with("fun") { "Main.kt:1:16" } else { "a/A.kt:2:16" };
        let (code, _) = refused(&files, &json!({"kind": "rename", "symbol": symbol, "to": "zq"}));
        assert_eq!(code, "undetermined", "{kotlin}");
    }
    // A parameter that is passed by reference makes no extension of a method.
    let csharp = "class V { public bool Get(out int n) { n = 1; return true; } }\nclass P { static int Main() { var v = new V(); int n; v.Get(out n); return n; } }\n";
    check_word("Main.cs", csharp, "1:23", "Get");
}

#[test]
fn an_alias_of_an_extension_is_a_member() {
    let files = [
        ("a/A.kt", "package a\nfun String.shout(): String = this + \"!\"\n"),
        ("Main.kt", "import a.shout as yell\nfun main() { println(\"x\".yell()) }\n"),
    ];
    let (code, _) = refused(&files, &json!({"kind": "rename", "symbol": "Main.kt:1:19", "to": "zq"}));
    assert_eq!(code, "undetermined");
}

#[test]
fn of_functions_that_only_their_file_sees() {
    let files = [
        ("A.kt", "private fun helper(n: Int) = n\nprivate val one = 1\nfun a() = helper(n = one)\n"),
        (
            "Main.kt",
            "private fun helper(n: Int) = n\nprivate val one = 2\nfun main() { println(a() + helper(n = one)) }\n",
        ),
    ];
    for (place, old) in [("1:13", "helper"), ("1:20", "n"), ("2:13", "one")] {
        let word = regex::Regex::new(&format!(r"\b{old}\b")).unwrap();
        let expected = word.replace_all(files[0].1, "zq");
        let rename = json!({"kind": "rename", "symbol": format!("A.kt:{place}"), "to": "zq"});
        check(&files, &rename, &[("A.kt", &expected)]);
    }
}

#[test]
fn of_types_that_were_tested() {
    let kotlin = "interface Animal\nclass Dog(val bark: String) : Animal\nclass Cat(val bark: Int) : Animal\nfun say(a: Animal): String = when (a) { is Dog -> a.bark; is Cat -> \"\" + a.bark; else -> \"\" }\nfun low(a: Any): Int = if (a is Dog && a.bark == \"\") a.bark.length else 0\n";
    let expected = kotlin
        .replace("val bark: String", "val zq: String")
        .replace("is Dog -> a.bark", "is Dog -> a.zq")
        .replace("a.bark == ", "a.zq == ")
        .replace("a.bark.length", "a.zq.length");
    check(
        &[("Main.kt", kotlin)],
        &json!({"kind": "rename", "symbol": "Main.kt:2:15", "to": "zq"}),
        &[("Main.kt", &expected)],
    );
    // What is tested for the opposite, after `else`, or for one of two types, is not known.
    for kotlin in [
        "class Dog(val bark: Int)\nfun f(a: Any) = if (a !is Dog) a.bark else 0\n",
        "class Dog(val bark: Int)\nfun f(a: Any) = if (a is Dog) 0 else a.bark\n",
        "class Dog(val bark: Int)\nfun f(a: Any) = if (a is Dog || true) a.bark else 0\n",
        "class Dog(val bark: Int)\nclass Cat(val bark: Int)\nfun f(a: Any) = when (a) { is Dog, is Cat -> a.bark; else -> 0 }\n",
    ] {
        let (code, _) =
            refused(&[("Main.kt", kotlin)], &json!({"kind": "rename", "symbol": "Main.kt:1:15", "to": "zq"}));
        assert_eq!(code, "undetermined", "{kotlin}");
    }
}

#[test]
fn of_imported_extensions() {
    let files = [
        ("a/A.kt", "package a\nclass V(val n: Int)\nfun V.pad(left: Int): Int = n + left\n"),
        (
            "Main.kt",
            "import a.V\nimport a.pad\nimport a.pad as fill\nfun main() { println(V(1).pad(left = 2) + V(2).fill(left = 3)) }\n",
        ),
    ];
    for (symbol, old) in [("a/A.kt:3:7", "pad"), ("a/A.kt:3:11", "left")] {
        let [(one, first), (two, second)] = files.map(|(path, text)| (path, text.replace(old, "zq")));
        check(&files, &json!({"kind": "rename", "symbol": symbol, "to": "zq"}), &[(two, &second), (one, &first)]);
    }
    let expected = files[1].1.replace("fill", "zq");
    check(&files, &json!({"kind": "rename", "symbol": "Main.kt:3:17", "to": "zq"}), &[("Main.kt", &expected)]);
}
