//! Imports of the members of an object, which a parameter, a variable or a member is: `import api._`.

use serde_json::json;

use super::refactored::{check, refused};

const API: &str = "class Api { def call(n: Int): Int = n; def other: Int = 1 }\n";

#[track_caller]
fn check_rename(text: &str, symbol: &str, old: &str) {
    let text = format!("{API}{text}");
    let word = regex::Regex::new(&format!(r"\b{old}\b")).unwrap();
    let rename = json!({"kind": "rename", "symbol": symbol, "to": "zq"});
    check(&[("M.scala", &text)], &rename, &[("M.scala", &word.replace_all(&text, "zq"))]);
}

#[test]
fn of_parameters_and_variables() {
    let wild = "class Svc(api: Api) { import api._; def run: Int = call(2) }\n";
    let single = "class Svc(api: Api) { import api.call; def run: Int = call(2) }\n";
    let listed = "class Svc(api: Api) { import api.{call, other}; def run: Int = call(2) + other }\n";
    for text in [wild, single, listed] {
        check_rename(text, "M.scala:2:11", "api");
        check_rename(text, "Api.call", "call");
    }
    let local = "object M { def run: Int = { val api = new Api; import api._; call(2) } }\n";
    check_rename(local, "M.scala:2:33", "api");
    check_rename(local, "Api.call", "call");
    let member = "trait Ctx { val api: Api }\nclass Svc extends Ctx { import api._; def run: Int = call(2) }\n";
    check_rename(member, "Ctx.api", "api");
    check_rename(member, "Api.call", "call");
}

#[test]
fn of_objects() {
    let text =
        "object Outer { object inner { val top = 1 } }\nobject M { import Outer._; import inner._; val x = top }\n";
    for (symbol, old) in [("M.scala:2:23", "inner"), ("M.scala:2:35", "top"), ("M.scala:2:8", "Outer")] {
        check_rename(text, symbol, old);
    }
    let files = [
        ("util/Api.scala", "package util\nobject Api { def call(n: Int): Int = n }\n"),
        ("Main.scala", "import util.Api\nimport Api._\nobject Main { val x = call(2) }\n"),
    ];
    check(
        &files,
        &json!({"kind": "rename", "symbol": "util/Api.scala:2:18", "to": "zq"}),
        &[("Main.scala", &files[1].1.replace("call", "zq")), ("util/Api.scala", &files[0].1.replace("call", "zq"))],
    );
}

#[test]
fn of_what_is_not_known() {
    let text =
        format!("{API}object M {{ def make = new Api; def run: Int = {{ val api = make; import api._; call(2) }} }}\n");
    let (code, _) = refused(&[("M.scala", &text)], &json!({"kind": "rename", "symbol": "Api.call", "to": "zq"}));
    assert_eq!(code, "undetermined");
}
