//! Methods that are called by a word between the object and the argument.

use serde_json::json;

use super::refactored::{check, refused};

#[test]
fn of_kotlin() {
    let kotlin = "class V(val x: Int) { infix fun dot(o: V): Int { return x * o.x }\n    infix fun add(o: V): V = V(x + o.x) }\nfun main() {\n    val v = V(2)\n    println((v dot V(3)) + v.dot(V(1)) + (v add v add v).x)\n}\n";
    let files = [("Main.kt", kotlin)];
    for (place, old) in [("1:33", "dot"), ("2:15", "add")] {
        let expected = kotlin.replace(old, "zq");
        let rename = json!({"kind": "rename", "symbol": format!("Main.kt:{place}"), "to": "zq"});
        check(&files, &rename, &[("Main.kt", &expected)]);
    }
    // What such a call returns has the members of its type.
    let rename = json!({"kind": "rename", "symbol": "Main.kt:1:13", "to": "zq"});
    let expected =
        kotlin.replace("val x", "val zq").replace("x * o.x", "zq * o.zq").replace("V(x + o.x)", "V(zq + o.zq)");
    check(&files, &rename, &[("Main.kt", &expected.replace("v).x", "v).zq"))]);
    // It is no variable.
    let text = "class V(val x: Int) { infix fun dot(o: V): Int = x * o.x }\nfun main() { val v = V(2); val dot = v dot V(3); println(v dot V(dot)) }\n";
    let expected = text.replace("val dot", "val zq").replace("V(dot)", "V(zq)");
    check(
        &[("Main.kt", text)],
        &json!({"kind": "rename", "symbol": "Main.kt:2:32", "to": "zq"}),
        &[("Main.kt", &expected)],
    );
    let text = "class V(val x: Int)\ninfix fun V.dot(o: V): Int = x * o.x\nfun main() { println(V(1) dot V(3)) }\n";
    check(
        &[("Main.kt", text)],
        &json!({"kind": "rename", "symbol": "Main.kt:2:13", "to": "zq"}),
        &[("Main.kt", &text.replace("dot", "zq"))],
    );
}

#[test]
fn of_scala() {
    let scala = "class Box(val v: Int) { def plus(n: Int): Box = new Box(v + n) }\nobject M { def f(b: Box): Int = (b plus 2 plus 3).v }\n";
    for (place, old) in [("1:29", "plus"), ("1:15", "v")] {
        let word = regex::Regex::new(&format!(r"\b{old}\b")).unwrap();
        check(
            &[("M.scala", scala)],
            &json!({"kind": "rename", "symbol": format!("M.scala:{place}"), "to": "zq"}),
            &[("M.scala", &word.replace_all(scala, "zq"))],
        );
    }
}

#[test]
fn a_signature_does_not_change_them() {
    let kotlin = "class V(val x: Int) { infix fun dot(o: V): Int = x * o.x }\nfun main() { val v = V(2); println(v dot V(3)) }\n";
    let change = json!({"kind": "change_signature", "symbol": "V.dot", "add": "z: Int", "value": "0"});
    let (code, _) = refused(&[("Main.kt", kotlin)], &change);
    assert_eq!(code, "undetermined");
    let scala = "class Box(val v: Int)\nclass Sub extends Box(7)\nobject M { val n = new Box(1).v + new Sub().v }\n";
    let change = json!({"kind": "change_signature", "symbol": "Box", "add": "z: Int", "value": "0"});
    let (code, _) = refused(&[("M.scala", scala)], &change);
    assert_eq!(code, "undetermined");
}

#[test]
fn a_signature_moves_defaults_and_modifiers_with_their_parameters() {
    let kotlin = "fun area(w: Int, h: Int = 2, k: Int = 0): Int { return w * h }\nfun main() { println(area(3, 4, 5) + area(3, k = 4)) }\n";
    let change = |key: &str, value: serde_json::Value| {
        let mut request = json!({"kind": "change_signature", "symbol": "area"});
        request[key] = value;
        request
    };
    let removed = kotlin.replace(", k: Int = 0", "").replace(", 5", "").replace(", k = 4", "");
    check(&[("Main.kt", kotlin)], &change("remove", json!("k")), &[("Main.kt", &removed)]);
    let calls = kotlin.replace(" + area(3, k = 4)", "");
    let moved = calls.replace("w: Int, h: Int = 2", "h: Int = 2, w: Int").replace("area(3, 4, 5)", "area(4, 3, 5)");
    check(&[("Main.kt", &calls)], &change("reorder", json!(["h"])), &[("Main.kt", &moved)]);
    let csharp = "class A { public int F(int w, int h = 2) { return w * h; } }\nclass P { static int Main() => new A().F(h: 3, w: 1); }\n";
    let expected = csharp.replace("int h = 2", "int h = 2, int z = 0").replace("w: 1", "w: 1, z: 0");
    let add = json!({"kind": "change_signature", "symbol": "A.F", "add": "int z = 0", "value": "0"});
    check(&[("Main.cs", csharp)], &add, &[("Main.cs", &expected)]);
}

#[test]
fn labels_are_names_of_what_is_around() {
    let kotlin = "fun each(xs: List<Int>, f: (Int) -> Unit) { for (x in xs) f(x) }\nclass Outer(val n: Int) { inner class In(val n: Int) { fun sum(): Int = this@Outer.n + n } }\nfun main() { each(listOf(1, 2)) { if (it == 2) return@each; println(it) } }\n";
    for (place, old) in [("1:5", "each"), ("2:7", "Outer")] {
        check(
            &[("Main.kt", kotlin)],
            &json!({"kind": "rename", "symbol": format!("Main.kt:{place}"), "to": "Zq"}),
            &[("Main.kt", &kotlin.replace(old, "Zq"))],
        );
    }
    let expected = kotlin.replace("Outer(val n", "Outer(val zq").replace("Outer.n", "Outer.zq");
    let rename = json!({"kind": "rename", "symbol": "Main.kt:2:17", "to": "zq"});
    check(&[("Main.kt", kotlin)], &rename, &[("Main.kt", &expected)]);
    // A label that is written is another name.
    let text = "fun each(f: () -> Unit) { f() }\nfun main() { each each@{ return@each } }\n";
    let (code, _) = refused(&[("Main.kt", text)], &json!({"kind": "rename", "symbol": "Main.kt:1:5", "to": "zq"}));
    assert_eq!(code, "undetermined");
}

#[test]
fn a_companion_has_a_name() {
    let kotlin = "class A(val n: Int) { companion object Factory { fun make(): A = A(1) } }\nfun main() { println(A.Factory.make().n + A.make().n) }\n";
    check(
        &[("Main.kt", kotlin)],
        &json!({"kind": "rename", "symbol": "Main.kt:1:40", "to": "Maker"}),
        &[("Main.kt", &kotlin.replace("Factory", "Maker"))],
    );
}
