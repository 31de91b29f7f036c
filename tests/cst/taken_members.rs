//! Renames of members to names that the same objects have already, in whatever form, or are asked for.

use serde_json::json;

use crate::refactored::{check, refused};

#[test]
fn a_literal_has_a_key_in_whatever_form() {
    let taken = [
        "fox",
        "fox: 1",
        "get fox() { return 1; }",
        "set fox(v) {}",
        "async fox() {}",
        "*fox() {}",
        "\"fox\": 1",
        "...rest",
        "[\"fo\" + \"x\"]: 1",
        "[key]: 1",
    ];
    let literals = [
        "console.log(({ @ }).ant);",
        "const o = { @ };\nconsole.log(o.ant);",
        "function f() { return { @ }; }\nconsole.log(f().ant);",
        "const { ant: bee } = { @ };\nconsole.log(bee);",
        "const o = { cow: { @ } };\nconsole.log(o.cow.ant);",
    ];
    let mut count = 0;
    for (name, own) in [("a.ts", "get ant() { return 2; }"), ("a.mjs", "ant: 2")] {
        for (key, literal) in taken.iter().flat_map(|key| literals.iter().map(move |literal| (key, literal))) {
            let code = literal.replace('@', &format!("{key}, {own}"));
            let text = format!("const fox = 1, key = \"fox\", rest = {{ fox: 1 }};\n{code}\n");
            let at = text.find(own).expect("the key") + own.find("ant").expect("the name");
            let line = text[..at].matches('\n').count() + 1;
            let col = at - text[..at].rfind('\n').expect("a line before");
            blocked_as_taken(&[(name, &text)], &format!("{line}:{col}"));
            count += 1;
        }
    }
    assert_eq!(count, 100);
}

#[track_caller]
fn blocked_as_taken(files: &[(&str, &str)], place: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("{}:{place}", files[0].0), "to": "fox"});
    let (error, places) = refused(files, &rename);
    assert!(["would_rebind", "undetermined", "conflict"].contains(&error.as_str()), "{files:?}: {error} {places:?}");
}

#[test]
fn a_name_that_objects_have_or_are_asked_for_is_taken() {
    for (text, place) in [
        ("const o = { ant: 1 };\nconst { fox } = o;\nconsole.log(o.ant, fox);\n", "1:13"),
        ("const o = { ant: 1 };\nconst { fox = 5 } = o;\nconsole.log(o.ant, fox);\n", "1:13"),
        ("const o = { ant: 1 };\nconsole.log(o.ant, \"fox\" in o);\n", "1:13"),
        ("const o = { ant: 1 };\no[\"fox\"] = 2;\nconsole.log(o.ant);\n", "1:13"),
        ("class A { ant = 1; \"fox\" = 2; }\nconsole.log(new A().ant);\n", "1:11"),
        ("class A { ant() { return 1; } [\"fox\"]() { return 2; } }\nconsole.log(new A().ant());\n", "1:11"),
        ("class A { ant() { return 1; } constructor() { this[\"fox\"] = 1; } }\nnew A().ant();\n", "1:11"),
        ("class A { static ant() { return 1; } static \"fox\" = 2; }\nconsole.log(A.ant());\n", "1:18"),
        ("class A { ant() { return 1; } }\nA.prototype.fox = 1;\nnew A().ant();\n", "1:11"),
        ("class A { \"fox\"() { return 2; } }\nclass B extends A { ant() { return 1; } }\nnew B().ant();\n", "2:21"),
    ] {
        blocked_as_taken(&[("a.mjs", text)], place);
        blocked_as_taken(&[("a.ts", text)], place);
    }
    blocked_as_taken(&[("a.ts", "enum E { ant, \"fox\" }\nconsole.log(E.ant);\n")], "1:10");
    // Copies of what is known to lack the name, and computed keys that cannot be it.
    for text in [
        "const fox = 1, rest = { bee: fox };\nconst o = { ...rest, ant: 2 };\nconsole.log(o.ant);\n",
        "const fox = 1;\nconst o = { [`x${fox}`]: 1, [Symbol.iterator]: 1, ant: 2 };\nconsole.log(o.ant);\n",
    ] {
        let rename = json!({"kind": "rename", "symbol": format!("a.mjs:2:{}", text.find("ant").unwrap() - text.find('\n').unwrap()), "to": "fox"});
        check(&[("a.mjs", text)], &rename, &[("a.mjs", &text.replace("ant", "fox"))]);
    }
}
