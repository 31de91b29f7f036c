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

#[test]
fn the_tables_of_two_functions_have_nothing_to_do_with_each_other() {
    let body = "\ttests := []struct {\n\t\tx int\n\t\ty []string\n\t}{{1, nil}, {x: 2}}\n\tfor i, tt := range tests {\n\t\ttt := tt\n\t\tfirst := &tests[0]\n\t\tprintln(i, tt.x, first.x, tests[i].x, len(tests))\n\t}\n";
    let text = format!("package main\n\nfunc one() {{\n{body}}}\n\nfunc main() {{\n{body}\tone()\n}}\n");
    let files = [("go.mod", "module ex\n"), ("a.go", text.as_str())];
    let (head, tail) = text.split_at(text.find("func main").unwrap());
    let renamed = head.replace("x int", "up int").replace("{x: 2}", "{up: 2}").replace(".x", ".up") + tail;
    check(&files, &rename("a.go:5:3"), &[("a.go", &renamed)]);
    // One whose values go elsewhere.
    for leak in [
        "\tuse(tests)\n",
        "\tkeep = tests\n",
        "\tp := tests\n\tuse(p[0])\n",
        "\tfor _, v := range tests {\n\t\tuse(v)\n\t}\n",
    ] {
        let both = text.replace("\tone()\n", leak).replace("func main", "func two").replacen(
            body,
            &format!("{body}{leak}"),
            1,
        );
        assert_eq!(places(&both, "a.go:5:3").len(), 1, "{leak}");
    }
}

#[test]
fn a_function_in_a_variable_gives_what_it_says() {
    let text = "package main\n\ntype A struct{}\n\nfunc (a *A) Work() int { return 1 }\n\nfunc main() {\n\tbuild := func(n int) (*A, int) { return &A{}, n }\n\tone := func() *A { return nil }\n\ta, n := build(1)\n\tprintln(a.Work(), one().Work(), n)\n}\n";
    let renamed = text.replace("Work", "up");
    check(&[("go.mod", "module ex\n"), ("a.go", text)], &rename("A.Work"), &[("a.go", &renamed)]);
}
