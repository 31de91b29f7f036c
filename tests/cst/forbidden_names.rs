//! Names that a definition cannot have beside others, and names that mean two things at once.

use serde_json::json;

use super::refactored::{check, refused};

#[track_caller]
fn check_refused(path: &str, text: &str, symbol: &str, to: &str, expected: &str) {
    let (code, why) = refused(&[(path, text)], &json!({"kind": "rename", "symbol": symbol, "to": to}));
    assert_eq!(code, expected, "{symbol} to {to}: {why:?}");
}

#[test]
fn a_member_has_not_the_name_of_its_class() {
    let csharp = "class Shop { int price; public int Get() => price; public int Size => price; }\nclass P { static int Main() => new Shop().Get() + new Shop().Size; }\n";
    check_refused("A.cs", csharp, "Shop.price", "Shop", "undetermined");
    check_refused("A.cs", csharp, "Shop", "Get", "undetermined");
    check_refused("A.cs", csharp, "Shop.Get", "get_Size", "undetermined");
    let csharp = "enum Color { Red, Green }\nclass P { static int Main() => (int)Color.Red; }\n";
    check(
        &[("A.cs", csharp)],
        &json!({"kind": "rename", "symbol": "Color.Red", "to": "Color"}),
        &[("A.cs", &csharp.replace("Red", "Color"))],
    );
}

#[test]
fn a_property_has_methods() {
    let kotlin = "class A(val size: Int) { fun count(): Int { return size } }\nfun main() { println(A(2).count() + A(1).size) }\n";
    check_refused("A.kt", kotlin, "A.count", "getSize", "undetermined");
    let kotlin = kotlin.replace("count", "getLength");
    check_refused("A.kt", &kotlin, "A.kt:1:13", "length", "undetermined");
}

#[test]
fn a_function_has_one_variable_of_a_name() {
    let csharp = "using System.Linq;\nclass P { static int Main() { int k = 2; var xs = new[] { 1 }; return xs.Select(x => x * k).Sum() + (from q in xs select q).Sum(); } }\n";
    for to in ["x", "q"] {
        check_refused("A.cs", csharp, "A.cs:2:35", to, "undetermined");
    }
}

#[test]
fn what_is_found_by_its_type_is_not_hidden() {
    let scala = "object A { implicit val a: String = \"\" }\nobject B { implicit val b: Int = 1 }\nobject M { import A._; import B._; def f(implicit s: String, n: Int) = s + n; def run(q: Int) = f }\n";
    check_refused("M.scala", scala, "M.scala:1:25", "b", "undetermined");
    check_refused("M.scala", scala, "M.scala:1:25", "q", "undetermined");
    check_refused("M.scala", scala, "M.scala:3:87", "a", "undetermined");
    check(
        &[("M.scala", scala)],
        &json!({"kind": "rename", "symbol": "M.scala:1:25", "to": "fresh"}),
        &[("M.scala", &scala.replace("val a:", "val fresh:"))],
    );
}

#[test]
fn a_variable_names_a_member_of_the_object_that_is_made_of_it() {
    let csharp = "class P { static int Main() { int size = 3; var o = new { size }; return o.size; } }\n";
    check_refused("A.cs", csharp, "A.cs:1:35", "zq", "undetermined");
    let csharp = "class P { static int Main() { int size = 3; var o = new { Size = size }; return o.Size; } }\n";
    check(
        &[("A.cs", csharp)],
        &json!({"kind": "rename", "symbol": "A.cs:1:35", "to": "zq"}),
        &[("A.cs", &csharp.replace("size", "zq"))],
    );
    let csharp = "class P { static int Main() { int size = 3; var t = (size, 1); return t.size; } }\n";
    check_refused("A.cs", csharp, "A.cs:1:35", "zq", "undetermined");
    let csharp = "class P { static (int, int) F() { int size = 3; return (size, 1); } }\n";
    check(
        &[("A.cs", csharp)],
        &json!({"kind": "rename", "symbol": "A.cs:1:39", "to": "zq"}),
        &[("A.cs", &csharp.replace("size", "zq"))],
    );
}

#[test]
fn a_path_begins_with_the_namespace_of_all() {
    let csharp = "namespace A { class Shared { public static int N = 1; } }\nnamespace B { class Shared { } class P { static int Main() => global::A.Shared.N; } }\n";
    check(
        &[("A.cs", csharp)],
        &json!({"kind": "rename", "symbol": "A.cs:1:21", "to": "Zq"}),
        &[("A.cs", &csharp.replace("{ class Shared { public", "{ class Zq { public").replace("A.Shared", "A.Zq"))],
    );
}

#[test]
fn a_constructor_has_the_name_of_its_class() {
    let csharp = "class Opt { public static Opt<T> Some<T>(T v) => new Opt<T>(v); }\nclass Opt<T> { public T V; public Opt(T v) { V = v; } public Opt<T> Twice() => Opt.Some(V); }\n";
    check(
        &[("A.cs", csharp)],
        &json!({"kind": "rename", "symbol": "A.cs:1:7", "to": "Zq"}),
        &[("A.cs", &csharp.replace("class Opt {", "class Zq {").replace("=> Opt.Some", "=> Zq.Some"))],
    );
}

#[test]
fn a_name_is_that_of_a_property_or_of_its_type() {
    let csharp = "class Settings { public static Settings Load() => new Settings { N = 3 }; public int N; public static int Max = 9; }\nclass App { public Settings Settings { get; } public App() { Settings = Settings.Load(); } public int N => Settings.N + Settings.Max; }\n";
    let class = csharp
        .replace("class Settings", "class Zq")
        .replace("static Settings", "static Zq")
        .replace("new Settings", "new Zq")
        .replace("public Settings Settings", "public Zq Settings")
        .replace("Settings.Load", "Zq.Load")
        .replace("Settings.Max", "Zq.Max");
    check(&[("A.cs", csharp)], &json!({"kind": "rename", "symbol": "A.cs:1:7", "to": "Zq"}), &[("A.cs", &class)]);
}
