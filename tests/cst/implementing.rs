//! Types that implement an interface by having its methods: what has to have one name is renamed together, and what is not the same is
//! not in the way.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

const MANIFEST: (&str, &str) = ("go.mod", "module ex\n");

const SHAPES: &str = "package main\n\ntype Shape interface {\n\tArea() int\n\tName() string\n}\n\ntype Sized interface{ Area() int }\n\ntype Circle struct{ r int }\n\nfunc (c Circle) Area() int { return c.r }\nfunc (c Circle) Name() string { return \"c\" }\n\ntype base struct{}\n\nfunc (*base) Name() string { return \"b\" }\n\ntype Square struct {\n\tbase\n\ts int\n}\n\nfunc (s *Square) Area() int { return s.s }\n\n// It is none: it has a parameter.\ntype Map struct{}\n\nfunc (Map) Area(scale int) int { return scale }\nfunc (Map) Name() string { return \"m\" }\n\n// A field is none.\ntype Field struct{ Area int }\n\nfunc (Field) Name() string { return \"f\" }\n\nfunc total(shapes ...Shape) (sum int) {\n\tfor _, s := range shapes {\n\t\tsum += s.Area()\n\t}\n\treturn\n}\n\nfunc main() {\n\tvar s Sized = Circle{2}\n\tprintln(total(Circle{1}, &Square{s: 2}), s.Area(), Map{}.Area(2), Field{1}.Area, Field{}.Name())\n}\n";

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

#[test]
fn an_interface_and_what_implements_it_are_renamed_together() {
    let renamed = SHAPES.replace("Area() int", "Size() int").replace("s.Area()", "s.Size()");
    for symbol in ["Shape.Area", "Sized.Area", "Circle.Area", "Square.Area"] {
        check(&[MANIFEST, ("a.go", SHAPES)], &rename(symbol, "Size"), &[("a.go", &renamed)]);
    }
}

#[test]
fn what_implements_no_interface_is_renamed_alone() {
    let renamed = SHAPES.replace("Map) Area(", "Map) Size(").replace("Map{}.Area(", "Map{}.Size(");
    check(&[MANIFEST, ("a.go", SHAPES)], &rename("Map.Area", "Size"), &[("a.go", &renamed)]);
    let renamed = SHAPES.replace("struct{ Area int", "struct{ Size int").replace("Field{1}.Area", "Field{1}.Size");
    check(&[MANIFEST, ("a.go", SHAPES)], &rename("Field.Area", "Size"), &[("a.go", &renamed)]);
}

#[test]
fn a_method_that_a_type_takes_in_implements_as_well() {
    let text = "package main\n\ntype Both interface {\n\tOne()\n\tTwo()\n}\n\ntype one struct{}\n\nfunc (one) One() {}\n\ntype pair struct{ one }\n\nfunc (pair) Two() {}\n\ntype alone struct{}\n\nfunc (alone) One() {}\n\nfunc main() {\n\tvar b Both = pair{}\n\tb.One()\n\tone{}.One()\n\talone{}.One()\n}\n";
    let renamed = text
        .replace("\tOne()\n", "\tFirst()\n")
        .replace("(one) One", "(one) First")
        .replace("b.One", "b.First")
        .replace("one{}.One", "one{}.First")
        .replace("alone{}.First", "alone{}.One");
    check(&[MANIFEST, ("a.go", text)], &rename("Both.One", "First"), &[("a.go", &renamed)]);
}

#[test]
fn what_may_implement_an_interface_is_a_doubt() {
    let text = "package main\n\nimport \"example.org/x\"\n\ntype Both interface {\n\tOne()\n\tTwo()\n}\n\ntype mixed struct{ x.Thing }\n\nfunc (mixed) One() {}\n\nfunc run(b Both) { b.One() }\n\nfunc main() { run(mixed{}) }\n";
    let (code, places) = refused(&[MANIFEST, ("a.go", text)], &rename("Both.One", "First"));
    assert_eq!(code, "undetermined");
    assert_eq!(places, ["a.go:12 one type may be used in place of the other"]);
}

#[test]
fn an_interface_without_a_name_is_implemented_as_well() {
    let text = "package a\n\ntype A struct{}\n\nfunc (A) Run() int { return 1 }\n\nfunc f(r interface{ Run() int }) int { return r.Run() }\n";
    let renamed = text.replace("Run", "Start");
    check(&[("a.go", text)], &rename("A.Run", "Start"), &[("a.go", &renamed)]);
}

#[test]
fn a_value_from_outside_may_implement_an_interface() {
    let places = |code: &str| {
        let text = format!(
            "package a\n\nimport \"log\"\n\ntype Out interface{{ Printf(string, ...any) }}\n\ntype own struct{{}}\n\nfunc (own) Printf(string, ...any) {{}}\n\n{code}"
        );
        let (code, places) = refused(&[MANIFEST, ("a.go", &text)], &rename("Out.Printf", "Show"));
        assert_eq!(code, "undetermined");
        places
    };
    let why = "a value from outside may be used as the interface";
    for code in [
        "func f(o Out) { o.Printf(\"\") }\nfunc g() { f(log.Default()) }\n",
        "func f(n int, o ...Out) {}\nfunc g() { f(1, own{}, log.Default()) }\n",
        "var x Out = own{}\nvar y Out = log.Default()\n",
        "type s struct{ n int; out Out }\nvar x = s{n: 1, out: log.Default()}\n",
        "type s struct{ out Out }\nfunc f(x s) { x.out = log.Default() }\n",
        "func f() (int, Out) { \nreturn 1, log.Default() }\n",
        "var x = 1\nvar y = Out(log.Default())\n",
        "var x = []Out{own{},\nlog.Default()}\n",
    ] {
        assert_eq!(places(code), [format!("a.go:12 {why}")], "{code}");
    }
    let text = "package a\n\nimport \"log\"\n\ntype Out interface{ Printf(string) }\n\ntype own struct{}\n\nfunc (own) Printf(string) {}\n\nfunc f(o Out) error { o.Printf(\"\"); log.Println(o); return nil }\n\nfunc g() (Out, error) { return own{}, f(own{}) }\n";
    check(&[MANIFEST, ("a.go", text)], &rename("own.Printf", "Show"), &[("a.go", &text.replace("Printf", "Show"))]);
}
