//! Structs that are one type, or are converted to each other, because their fields have the same names.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

const WHY: &str = "a record with the same fields may be this one: both are one type, or are converted";

fn rename(symbol: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": "up"})
}

fn places(text: &str, symbol: &str) -> Vec<String> {
    refused(&[("go.mod", "module ex\n"), ("a.go", text)], &rename(symbol)).1
}

#[test]
fn structs_that_are_converted_keep_their_fields() {
    let text = "package main\n\ntype A struct{ x, y int }\n\ntype B struct {\n\tx int\n\ty int\n}\n\nfunc main() {\n\ta := A{1, 2}\n\tb := B(a)\n\tprintln(b.x, b.y)\n}\n";
    for field in ["A.x", "A.y"] {
        assert_eq!(places(text, field).len(), 1, "{field}");
    }
    assert_eq!(places(text, "B.y"), [format!("a.go:3 {WHY}")]);
    let pointers = text.replace("B(a)", "(*B)(&a)");
    assert_eq!(places(&pointers, "A.y"), [format!("a.go:7 {WHY}")]);
}

#[test]
fn structs_without_a_name_are_one_type() {
    let text =
        "package main\n\ntype A struct{ x int }\n\nfunc main() {\n\tvar b struct{ x int } = A{1}\n\tprintln(b.x)\n}\n";
    assert_eq!(places(text, "A.x"), [format!("a.go:6 {WHY}")]);
    let alias = "package main\n\ntype A = struct{ x int }\n\nfunc main() {\n\tvar b struct{ x int } = A{1}\n\tprintln(b.x)\n}\n";
    assert_eq!(places(alias, "a.go:3:18"), [format!("a.go:6 {WHY}")]);
}

#[test]
fn other_structs_are_not_in_the_way() {
    let text = "package main\n\ntype A struct{ x, y int }\n\ntype B struct{ x, y int }\n\ntype C struct{ x int }\n\nfunc main() {\n\tb := B(B{1, 2})\n\tvar c struct{ x string }\n\tprintln(A{1, 2}.x, b.x, C{1}.x, c.x)\n}\n";
    let renamed = text.replace("A struct{ x,", "A struct{ up,").replace("A{1, 2}.x", "A{1, 2}.up");
    check(&[("go.mod", "module ex\n"), ("a.go", text)], &rename("A.x"), &[("a.go", &renamed)]);
}
