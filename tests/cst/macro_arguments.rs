//! Names in the arguments of macros, whose grammar has no expressions there: fields of objects, and what is bound among the tokens.

use serde_json::json;

use crate::refactored::{check, refused};

const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");

const OBJECTS: &str = "struct Gnu { cat: i64 }
impl Gnu { fn dog(&self) -> i64 { self.cat } }
fn cat() -> i64 { 1 }
fn dog() -> i64 { 2 }
fn main() {
    let q = cat() + dog();
    println!(\"{}\", q + (Gnu { cat: 3 }).cat + (Gnu { cat: cat() }).dog() + Gnu { cat: 4 }.cat);
}
";

#[test]
fn a_field_of_an_object_is_one_of_its_class() {
    let field = OBJECTS
        .replace("{ cat:", "{ zebra:")
        .replace("self.cat", "self.zebra")
        .replace(").cat", ").zebra")
        .replace("}.cat", "}.zebra");
    let function = OBJECTS.replace("cat()", "zebra()");
    let method = OBJECTS.replace("fn dog(&", "fn zebra(&").replace(").dog()", ").zebra()");
    for (place, new) in [("1:14", field), ("3:4", function), ("2:15", method)] {
        let symbol = format!("src/main.rs:{place}");
        check(
            &[MANIFEST, ("src/main.rs", OBJECTS)],
            &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}),
            &[("src/main.rs", &new)],
        );
    }
}

#[test]
fn a_name_that_is_bound_among_the_tokens_is_not_certain() {
    for argument in [
        "(|cat| cat + 1)(2)",
        "(|dog, cat| dog + cat)(2, 3)",
        "{ let cat = 2; cat }",
        "{ let (mut cat, dog) = (1, 2); cat + dog }",
        "match Some(2) { Some(cat) => cat, None => 1 }",
        "{ let mut n = 0; for cat in 0..3 { n += cat; } n }",
    ] {
        let code = format!("fn cat() -> i64 {{ 1 }}\nfn main() {{ other!(\"{{}}\", cat() + {argument}); }}\n");
        let (error, places) = refused(
            &[MANIFEST, ("src/main.rs", &code)],
            &json!({"kind": "rename", "symbol": "src/main.rs:1:4", "to": "zebra"}),
        );
        assert_eq!(error, "undetermined", "{argument}: {places:?}");
    }
    // Bindings of other names do not matter.
    let code = "fn cat() -> i64 { 1 }\nfn main() { other!(\"{}\", cat() + (|dog| dog + cat())(2) + match Some(2) { Some(gnu) => gnu, None => cat() }); }\n";
    check(
        &[MANIFEST, ("src/main.rs", code)],
        &json!({"kind": "rename", "symbol": "src/main.rs:1:4", "to": "zebra"}),
        &[("src/main.rs", &code.replace("cat()", "zebra()"))],
    );
}

#[test]
fn a_name_for_a_field_and_its_value_is_not_certain() {
    let code = "struct Gnu { cat: i64, dog: i64 }\nfn main() { let cat = 1; other!(\"{}\", (Gnu { cat, dog: cat }).dog); if cat > 0 { other!(\"{}\", { cat }) } }\n";
    for symbol in ["src/main.rs:1:14", "src/main.rs:2:17"] {
        let (error, places) =
            refused(&[MANIFEST, ("src/main.rs", code)], &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}));
        assert_eq!((error.as_str(), places.len()), ("undetermined", 1), "{symbol}: {places:?}");
    }
}

const READ: &str = "struct Gnu { cat: i64, dog: i64 }
fn cat() -> i64 { 1 }
fn main() {
    let q = [cat(), 2];
    println!(\"{}\", cat() + (|cat: i64| cat + 1)(2) + q.iter().map(|dog| dog + cat()).sum::<i64>());
    let v = vec![cat(), { let cat = 2; cat }, match Some(2) { Some(cat) => cat, None => cat() }];
    assert_eq!(v.len(), { let mut n = 0; for cat in 0..3 { n += cat; } n } + format!(\"{}\", cat()).len(), \"{q:?}\");
    let (cat, dog) = (3, 4);
    println!(\"{cat} {}\", (Gnu { cat, dog: cat }).cat + dog + format!(\"{cat}{}\", cat).len() as i64);
    println!(\"{cat} {}\", cat, cat = dog);
}
";

#[test]
fn arguments_of_known_macros_are_read_as_expressions() {
    let rename = |place: &str, expected: &str| {
        check(
            &[MANIFEST, ("src/main.rs", READ)],
            &json!({"kind": "rename", "symbol": format!("src/main.rs:{place}"), "to": "zebra"}),
            &[("src/main.rs", expected)],
        );
    };
    rename("2:4", &READ.replace("cat()", "zebra()"));
    rename("5:30", &READ.replace("|cat: i64| cat", "|zebra: i64| zebra"));
    rename("6:31", &READ.replace("{ let cat = 2; cat }", "{ let zebra = 2; zebra }"));
    rename("6:68", &READ.replace("Some(cat) => cat,", "Some(zebra) => zebra,"));
    rename("7:46", &READ.replace("for cat in 0..3 { n += cat; }", "for zebra in 0..3 { n += zebra; }"));
    let local = READ
        .replace("(cat, dog)", "(zebra, dog)")
        .replace("\"{cat} {}\", (Gnu { cat, dog: cat })", "\"{zebra} {}\", (Gnu { cat: zebra, dog: zebra })")
        .replace("\"{cat}{}\", cat)", "\"{zebra}{}\", zebra)")
        .replace("cat, cat = dog", "zebra, cat = dog");
    rename("8:10", &local);
    let field = READ
        .replace("struct Gnu { cat:", "struct Gnu { zebra:")
        .replace("{ cat, dog: cat }).cat", "{ zebra: cat, dog: cat }).zebra");
    rename("1:14", &field);
}

#[test]
fn a_macro_of_the_file_has_arguments_of_its_own() {
    let code = "macro_rules! vec { ($($cat:tt)*) => { 1 } }\nfn cat() -> i64 { 1 }\nfn main() { cat(); vec!((|cat| cat)(1)); }\n";
    let (error, places) = refused(
        &[MANIFEST, ("src/main.rs", code)],
        &json!({"kind": "rename", "symbol": "src/main.rs:2:4", "to": "zebra"}),
    );
    assert_eq!(error, "undetermined", "{places:?}");
}

#[test]
fn a_path_among_tokens_leads_to_no_field() {
    let code = "struct Gnu { dog: i64 }\nimpl Gnu { fn dog(n: i64) -> i64 { n } fn cat(&self) -> i64 { self.dog } }\nfn main() { println!(\"{} {}\", Gnu::dog(1), Gnu { dog: 2 }.cat()); }\n";
    for (symbol, new) in [
        ("src/main.rs:1:14", code.replace("{ dog:", "{ zebra:").replace("self.dog", "self.zebra")),
        ("src/main.rs:2:15", code.replace("fn dog", "fn zebra").replace("::dog", "::zebra")),
    ] {
        check(
            &[MANIFEST, ("src/main.rs", code)],
            &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}),
            &[("src/main.rs", &new)],
        );
    }
}
