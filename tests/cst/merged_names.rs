//! A rename that makes a key and its variable the same name writes one name, so that a rename there and back gives the same text.

use serde_json::{Value, json};

use crate::refactored::check;

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

/// A rename at a place gives a text, and the other way round gives the first one again.
#[track_caller]
fn there_and_back(path: &str, texts: [&str; 2], places: [&str; 2], names: [&str; 2]) {
    for (from, to) in [(0, 1), (1, 0)] {
        let symbol = format!("{path}:{}", places[from]);
        check(&[(path, texts[from])], &rename(&symbol, names[to]), &[(path, texts[to])]);
    }
}

#[test]
fn a_key_and_a_variable_become_one_name() {
    let short = "export function run(one) {\n  const o = { one, two: 2 };\n  return o.one + o.two;\n}\n";
    let long = "export function run(other) {\n  const o = { one: other, two: 2 };\n  return o.one + o.two;\n}\n";
    for path in ["a.js", "a.ts", "a.tsx"] {
        there_and_back(path, [short, long], ["1:21", "1:21"], ["one", "other"]);
    }
}

#[test]
fn a_pattern_takes_a_member_under_its_name() {
    let short = "export function run() {\n  const { one, two = 2 } = { one: 1, two: 3 };\n  return one + two;\n}\n";
    let long =
        "export function run() {\n  const { one: other, two = 2 } = { one: 1, two: 3 };\n  return other + two;\n}\n";
    there_and_back("a.js", [short, long], ["2:11", "2:16"], ["one", "other"]);
    let long =
        "export function run() {\n  const { one, two: other = 2 } = { one: 1, two: 3 };\n  return one + other;\n}\n";
    there_and_back("a.js", [short, long], ["2:16", "2:21"], ["two", "other"]);
}

#[test]
fn a_member_gets_the_name_of_its_variable() {
    let short = "export function run(one) {\n  const o = { one };\n  return o.one;\n}\n";
    let long = "export function run(one) {\n  const o = { other: one };\n  return o.other;\n}\n";
    check(&[("a.js", long)], &rename("a.js:3:12", "one"), &[("a.js", short)]);
}

#[test]
fn fields_of_rust_are_written_once() {
    let short = "struct P {\n    a: i32,\n}\nfn f(a: i32) -> i32 {\n    let P { a: ref q } = P { a };\n    *q\n}\n";
    let long = "struct P {\n    a: i32,\n}\nfn f(z: i32) -> i32 {\n    let P { a: ref q } = P { a: z };\n    *q\n}\n";
    there_and_back("a.rs", [short, long], ["4:6", "4:6"], ["a", "z"]);
    let word = short.replace("a: ref q", "ref a").replace("*q", "*a");
    there_and_back("a.rs", [&word, short], ["6:6", "6:6"], ["a", "q"]);
}

#[test]
fn what_meant_the_key_still_means_it() {
    let short = "function run(w) {\n  const o = { q: w, w };\n  return [o.q, o.w, w];\n}\nconsole.log(run(1));\n";
    let long = "function run(k) {\n  const o = { q: k, w: k };\n  return [o.q, o.w, k];\n}\nconsole.log(run(1));\n";
    there_and_back("a.js", [short, long], ["1:14", "1:14"], ["w", "k"]);
}

#[test]
fn what_is_written_otherwise_stays() {
    // A value that is more than a name, and the prototype.
    let text = "export function run(a) {\n  return [{ b: a + 1 }, { b: [a] }, { \"b\": a }, { [b()]: a }];\n}\nfunction b() {}\n";
    let renamed =
        text.replace("run(a)", "run(c)").replace("a + 1", "c + 1").replace("[a]", "[c]").replace(": a }", ": c }");
    check(&[("a.js", text)], &rename("a.js:1:21", "c"), &[("a.js", &renamed)]);
    let text = "export function run(a) {\n  return { __proto__: a };\n}\n";
    let renamed = text.replace("run(a)", "run(__proto__)").replace(": a", ": __proto__");
    check(&[("a.js", text)], &rename("a.js:1:21", "__proto__"), &[("a.js", &renamed)]);
}
