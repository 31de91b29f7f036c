//! Parameters of one of several functions with a name, and of constructors that are called without their name.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn change(symbol: &str, rest: &Value) -> Value {
    let mut params = rest.clone();
    params["kind"] = json!("change_signature");
    params["symbol"] = json!(symbol);
    params
}

#[track_caller]
fn java(before: &str, place: &str, rest: &Value, after: &str) {
    check(&[("A.java", before)], &change(&format!("A.java:{place}"), rest), &[("A.java", after)]);
}

#[track_caller]
fn java_refused(before: &str, place: &str, rest: &Value, why: &str) {
    refused_because(&[("A.java", before)], &change(&format!("A.java:{place}"), rest), why);
}

#[track_caller]
fn refused_because(files: &[(&str, &str)], params: &Value, why: &str) {
    let (_, places) = refused(files, params);
    assert!(places.iter().any(|place| place.contains(why)), "{places:?}");
}

#[test]
fn a_call_chooses_by_the_number_of_its_arguments() {
    let before = "class A {
    int f(int a) { return a; }
    int f(int a, int b) { return f(a) + b; }
    int g() { return f(1) + f(1, 2) + this.f(3); }
}
class B extends A {
    @Override int f(int other) { return super.f(other) + f(1, 2); }
}
";
    let added = json!({"add": "boolean s", "value": "true"});
    java(
        before,
        "2:9",
        &added,
        &before
            .replace("f(int a) {", "f(int a, boolean s) {")
            .replace("f(a)", "f(a, true)")
            .replace("f(1) ", "f(1, true) ")
            .replace("f(3)", "f(3, true)")
            .replace("f(int other)", "f(int other, boolean s)")
            .replace("f(other)", "f(other, true)"),
    );
    java(
        before,
        "3",
        &json!({"reorder": ["b"]}),
        &before.replace("int a, int b", "int b, int a").replace("f(1, 2)", "f(2, 1)"),
    );
    // The other one would take the calls.
    java_refused(before, "2:9", &json!({"add": "int s", "value": "0"}), "takes as many arguments as the changed one");
    java_refused(before, "3:9", &json!({"remove": "b"}), "takes as many arguments as the changed one");
}

#[test]
fn a_call_chooses_by_types_that_are_apart() {
    let before = "class A {
    int f(int a) { return 1; }
    int f(String a) { return 2; }
    int f(Object a, int b) { return 3; }
    int g(String s, byte[] bytes) { return f(1) + f(\"\") + f(s) + f('c') + f(bytes, 2); }
}
";
    let added = json!({"add": "boolean last", "value": "true"});
    java(
        before,
        "3:9",
        &added,
        &before
            .replace("f(String a)", "f(String a, boolean last)")
            .replace("f(\"\")", "f(\"\", true)")
            .replace("f(s)", "f(s, true)"),
    );
    java(
        before,
        "2:9",
        &added,
        &before
            .replace("f(int a)", "f(int a, boolean last)")
            .replace("f(1)", "f(1, true)")
            .replace("f('c')", "f('c', true)"),
    );
    // A number is an object, too.
    java_refused(before, "3:9", &json!({"add": "int n", "value": "0"}), "takes as many arguments as the changed one");
    let unknown = before.replace("f(bytes, 2)", "f(h())").replace("class A {", "class A {\n    int h() { return 1; }");
    java_refused(&unknown, "4:9", &added, "another function of this name may take these arguments");
    // Part of the type is behind the name.
    let arrays = before.replace("f(bytes, 2)", "f(all)").replace("byte[] bytes", "String all[]");
    java_refused(&arrays, "3:9", &added, "another function of this name may take these arguments");
    // Any type may be put in place of `T`.
    let generic = "class A<T> {
    int f(T a) { return 1; }
    int f(String a) { return 2; }
    int g(String s) { return f(s); }
}
";
    java_refused(generic, "3:9", &added, "another function of this name may take these arguments");
}

#[test]
fn an_overload_below_is_no_override() {
    let before = "class A {
    int f(int a) { return 1; }
}
class B extends A {
    int f(String b) { return 2; }
    int g() { return f(1) + f(\"\"); }
}
";
    java(
        before,
        "2:9",
        &json!({"add": "boolean last", "value": "true"}),
        &before.replace("f(int a)", "f(int a, boolean last)").replace("f(1)", "f(1, true)"),
    );
    let generic = "class A<T> {
    int f(T a) { return 1; }
}
class B extends A<String> {
    int f(String b) { return 2; }
}
";
    java_refused(generic, "2:9", &json!({"add": "boolean last", "value": "true"}), "it may override the function");
}

#[test]
fn constructors_are_called_by_words_and_without_any() {
    let before = "class A {
    final int x;
    A(int x) { this.x = x; }
    A() { this(1); }
    static A make() { return new A(2); }
}
class B extends A {
    B() { super(4); }
    B(int y) { }
}
class C extends A { }
";
    java(
        before,
        "3:5",
        &json!({"add": "String s", "value": "null"}),
        &before
            .replace("A(int x)", "A(int x, String s)")
            .replace("this(1)", "this(1, null)")
            .replace("new A(2)", "new A(2, null)")
            .replace("super(4)", "super(4, null)"),
    );
    java_refused(before, "4:5", &json!({"add": "int a, int b", "value": "1, 2"}), "without a list of arguments");
    let file = &[("A.java", before)];
    let (code, places) = refused(file, &change("A.A", &json!({"add": "int s", "value": "0"})));
    assert_eq!((code.as_str(), places.len()), ("ambiguous", 2));
    // An object is made where the class is a value.
    let one = "class A {
    A(int x) { }
    java.util.function.IntFunction<A> make() { return A::new; }
}
";
    java_refused(one, "2:5", &json!({"add": "int s", "value": "0"}), "used as a value");
    let found = "class A {
    A(int x) { }
    Object make() throws Exception { return A.class.getDeclaredConstructor(int.class); }
}
";
    java_refused(found, "2:5", &json!({"add": "int s", "value": "0"}), "constructors of the class are looked for");
    let colours = "enum A {
    RED(1), GREEN(2) { };
    A(int x) { }
}
";
    java(
        colours,
        "3:5",
        &json!({"add": "int s", "value": "0"}),
        &colours.replace("(1)", "(1, 0)").replace("(2)", "(2, 0)").replace("int x", "int x, int s"),
    );
    java_refused(
        "enum A {\n    RED;\n    A() { }\n}\n",
        "3:5",
        &json!({"add": "int s", "value": "0"}),
        "without a list of arguments",
    );
}

#[test]
fn classes_that_a_decorator_may_construct_are_refused() {
    let text = "@Component\nclass A {\n    A(int x) { }\n}\n";
    java_refused(text, "3:5", &json!({"add": "int s", "value": "0"}), "the decorator `Component` may call it");
    let python = "@register\nclass A:\n    def __init__(self, x): pass\n";
    let params = change("A.__init__", &json!({"add": "s", "value": "0"}));
    refused_because(&[("a.py", python)], &params, "the decorator `register` may call it");
}

#[test]
fn super_in_javascript_calls_the_nearest_constructor() {
    let before = "class C {\n  constructor(a) { this.a = a; }\n}\nclass D extends C {}\nclass E extends D {\n  constructor() { super(1); }\n}\nclass F extends E {\n  constructor() { super(2); }\n}\nnew D(3);\n";
    let after = before.replace("constructor(a)", "constructor(a, b)").replace("super(1)", "super(1, 0)");
    let after = after.replace("new D(3)", "new D(3, 0)");
    let params = change("C.constructor", &json!({"add": "b", "value": "0", "force": true}));
    check(&[("a.js", before)], &params, &[("a.js", &after)]);
    let typed = before.replace("constructor(a) {", "constructor(public a: number) {");
    let params = change("C.constructor", &json!({"add": "b: number", "value": "0", "force": true}));
    let after = after.replace("constructor(a, b)", "constructor(public a: number, b: number)");
    check(&[("a.ts", &typed)], &params, &[("a.ts", &after)]);
    // What is passed is not known.
    let spread = before.replace("constructor() { super(1); }", "constructor(...all) { super(...all); }");
    let params = change("C.constructor", &json!({"add": "b", "value": "0", "force": true}));
    refused_because(&[("a.js", &spread)], &params, "the call may pass any argument");
}
