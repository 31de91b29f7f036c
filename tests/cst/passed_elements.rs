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
    let renamed = rust.replace("area", "size").replace("self.n } }\npub fn h", "self.n } }\npub fn h");
    let renamed =
        renamed.replace("impl O { pub fn size", "impl O { pub fn area").replace("|o| o.size()", "|o| o.area()");
    check(&[("a.rs", &rust)], &rename("S.area", "size"), &[("a.rs", &renamed)]);
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
