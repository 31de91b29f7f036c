//! Arguments that name a parameter, patterns that refer, and infix calls, in Kotlin, Scala and C#.

use serde_json::json;

use super::refactored::{check, refused};

#[test]
fn an_argument_names_the_parameter_of_a_function_or_a_class() {
    let kotlin = "fun area(width: Int, height: Int = 2): Int { return width * height }\ndata class User(val id: Int, val email: String)\nfun main() { area(width = 3); User(id = 1, email = \"a\") }\n";
    check(
        &[("Main.kt", kotlin)],
        &json!({"kind": "rename", "symbol": "Main.kt:1:10", "to": "w"}),
        &[("Main.kt", &kotlin.replace("width", "w"))],
    );
    check(
        &[("Main.kt", kotlin)],
        &json!({"kind": "rename", "symbol": "Main.kt:2:34", "to": "mail"}),
        &[("Main.kt", &kotlin.replace("email", "mail"))],
    );
    let scala = "class User(val email: String) { def at(host: String): String = email + host }\nobject Main {\n  def area(width: Int): Int = width\n  val x = area(width = 3)\n  val y = new User(email = \"a\").at(host = \"b\")\n}\n";
    for (place, old) in [("1:16", "email"), ("1:40", "host"), ("3:12", "width")] {
        check(
            &[("Main.scala", scala)],
            &json!({"kind": "rename", "symbol": format!("Main.scala:{place}"), "to": "zq"}),
            &[("Main.scala", &scala.replace(old, "zq"))],
        );
    }
}

#[test]
fn a_pattern_refers_by_a_capital_letter_or_backticks() {
    let scala = "case object Red\ncase object Green\nobject M {\n  val Limit = 3\n  def f(c: Any): Int = c match { case Red => 1; case Red | Green => 2; case (Limit, x) => 4; case other => 3 }\n}\n";
    check(
        &[("M.scala", scala)],
        &json!({"kind": "rename", "symbol": "M.scala:1:13", "to": "Crimson"}),
        &[("M.scala", &scala.replace("Red", "Crimson"))],
    );
    check(
        &[("M.scala", scala)],
        &json!({"kind": "rename", "symbol": "M.scala:4:7", "to": "Most"}),
        &[("M.scala", &scala.replace("Limit", "Most"))],
    );
    // A variable of a pattern would refer.
    let (code, _) = refused(&[("M.scala", scala)], &json!({"kind": "rename", "symbol": "M.scala:5:99", "to": "Other"}));
    assert_eq!(code, "would_rebind");
}

#[test]
fn what_the_compiler_finds_by_its_type_is_used() {
    let scala = "object Main {\n  private implicit class Ops(n: Int) { def dbl = n * 2 }\n  private def idle = 1\n  def main(args: Array[String]): Unit = println(3.dbl)\n}\n";
    check(
        &[("Main.scala", scala)],
        &json!({"kind": "delete_unused"}),
        &[("Main.scala", &scala.replace("  private def idle = 1\n", ""))],
    );
}

#[test]
fn a_word_between_two_values_calls_a_method_of_the_first() {
    let scala =
        "class V(val x: Int) { def dot(o: V): Int = x * o.x }\nobject M { def f(v: V) = { val dot = v dot v; dot } }\n";
    let expected = scala.replace("val dot = v dot v; dot", "val zq = v dot v; zq");
    check(
        &[("M.scala", scala)],
        &json!({"kind": "rename", "symbol": "M.scala:2:32", "to": "zq"}),
        &[("M.scala", &expected)],
    );
}
