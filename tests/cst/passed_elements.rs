//! Functions without a name that a method calls with the elements of its object.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

const OTHER: &str = "pub struct O { n: u8 }\nimpl O { pub fn area(&self) -> u8 { self.n } }\n";

#[test]
fn the_parameter_of_a_closure_is_an_element() {
    let rust = format!(
        "pub struct S {{ n: u8 }}\nimpl S {{ pub fn area(&self) -> u8 {{ self.n }} }}\n{OTHER}\
         pub fn h(s: &[S], v: &Vec<S>) -> u8 {{ s.iter().map(|s| s.area()).sum::<u8>() + v.iter().filter(|&x| x.area() > 1).map(|x| x.area()).max().unwrap_or(0) }}\n\
         pub fn i(v: Option<S>, o: Vec<O>) -> u8 {{ v.map_or(0, |s| s.area()) + o.into_iter().map(|o| o.area()).sum::<u8>() }}\n"
    );
    let renamed = rust.replace("area", "size");
    let renamed =
        renamed.replace("impl O { pub fn size", "impl O { pub fn area").replace("|o| o.size()", "|o| o.area()");
    check(&[("a.rs", &rust)], &rename("S.area", "size"), &[("a.rs", &renamed)]);
}

#[test]
fn the_elements_of_containers_of_java_are_known() {
    let java = "import java.util.*;\n\nclass S {\n  int area() { return 1; }\n}\n\nclass O {\n  int area() { return 2; }\n}\n\nclass M {\n  int f(List<S> s, List<O> o, Map<O, S> m) {\n    o.forEach(x -> x.area());\n    for (var y : s) y.area();\n    m.get(null).area();\n    return s.stream().filter(x -> x.area() > 0).mapToInt((x) -> x.area()).sum() + o.get(0).area();\n  }\n}\n";
    let renamed = java
        .replace("S {\n  int area", "S {\n  int size")
        .replace("x.area() >", "x.size() >")
        .replace("(x) -> x.area", "(x) -> x.size")
        .replace("y.area", "y.size")
        .replace("(null).area", "(null).size");
    check(&[("S.java", java)], &rename("S.area", "size"), &[("S.java", &renamed)]);
    for code in ["Queue<S> q) { return q.peek().area(); }", "Pair<S, O> p) { return p.getFirst().area(); }"] {
        let java = format!(
            "class S {{\n  int area() {{ return 1; }}\n}}\n\nclass O {{\n  int area() {{ return 2; }}\n\n  int f({code}\n}}\n"
        );
        assert_eq!(refused(&[("S.java", &java)], &rename("S.area", "size")).0, "undetermined", "{code}");
    }
}

#[test]
fn other_parameters_stay_unknown() {
    for body in
        ["v.iter().enumerate().map(|x| x.1.area())", "v.iter().map(make).map(|x| x.area())", "run(v, |x| x.area())"]
    {
        let rust = format!(
            "pub struct S {{ n: u8 }}\nimpl S {{ pub fn area(&self) -> u8 {{ self.n }} }}\n{OTHER}pub fn h(v: &Vec<S>) -> u8 {{ {body}.sum() }}\n"
        );
        let (code, _) = refused(&[("a.rs", &rust)], &rename("S.area", "size"));
        assert_eq!(code, "undetermined", "{body}");
    }
}
