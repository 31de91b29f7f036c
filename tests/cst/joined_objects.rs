//! Objects that come to one place: their members have one name, and are renamed together.

use serde_json::json;

use crate::refactored::{check, refused, run};

/// A rename of each of the places of a name with a mark is certain, and changes all marked places.
#[track_caller]
fn joined(path: &str, marked: &str) {
    let parts: Vec<&str> = marked.split('@').collect();
    let text = parts.concat();
    let after = format!("{}{}", parts[0], parts[1..].iter().map(|part| renamed(part)).collect::<String>());
    let mut at = 0;
    for part in &parts[..parts.len() - 1] {
        at += part.len();
        let line = text[..at].matches('\n').count() + 1;
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
        if text[at..].starts_with("fox:") {
            let rename = json!({"kind": "rename", "symbol": format!("{path}:{line}:{column}"), "to": "zebra"});
            check(&[(path, &text)], &rename, &[(path, &after)]);
        }
    }
}

/// What follows a mark, with another name; a variable of the name stays.
fn renamed(part: &str) -> String {
    match part.strip_prefix("fox=") {
        Some(rest) => format!("zebra: fox{rest}"),
        None => part.replacen("fox", "zebra", 1),
    }
}

#[track_caller]
fn uncertain(path: &str, text: &str) {
    let at = text.find("fox:").expect("a key");
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    let rename = json!({"kind": "rename", "symbol": format!("{path}:{line}:{column}"), "to": "zebra"});
    let (code, places) = refused(&[(path, text)], &rename);
    assert!(matches!(code.as_str(), "undetermined" | "would_rebind"), "{text}: {code} {places:?}");
}

#[test]
fn literals_that_one_parameter_gets_are_renamed_together() {
    for text in [
        "function f(o, p) { return o.@fox + p.fox; }\nf({ @fox: 1 }, { fox: 9 });\nf({ @fox: 2, dog: 1 }, { fox: 8 });\n",
        "const f = (o) => o.@fox;\nf({ @fox: 1 });\nfunction g() { return f({ @fox: 2 }); }\n",
        "const f = o => o.@fox;\nlet a = { @fox: 1 };\na = { @fox: 2 };\nf(a);\nf(f({ @fox: 3 }) ? { @fox: 4 } : { @fox: 5 });\n",
        "function f(o = { @fox: 1 }) { return o.@fox; }\nf();\nf({ @fox: 2 });\n",
        "function f(n, o) { return n ? f(n - 1, o) : o.@fox; }\nf(1, { @fox: 1 });\nf(2, { @fox: 2 });\n",
        "console.log((function g(o, n) { return n ? g({ @fox: 1 }, 0) : o.@fox; })({ @fox: 3 }, 1));\n",
        "for (const o of [{ @fox: 1 }, { @fox: 2 }]) console.log(o.@fox);\n",
        "function f(o) { return o.@fox; }\nf({ @fox: 1 });\nf(7);\nf();\nf({ dog: 1 });\n",
        "class A { run() { return this.m({ @fox: 1 }); } m(o) { return o.@fox; } }\nclass B extends A { m(o) { return o.@fox * 2; } }\nnew B().m({ @fox: 3 });\n",
        "function f(o) { return o[\"@fox\"] + (\"@fox\" in o); }\nf({ @fox: 1 });\nf({ @fox: 2 });\n",
        "const { a: { @fox: q } } = { a: { @fox: 1 } };\nfunction f({ a: { fox: q } }) { return q; }\n",
    ] {
        joined("a.mjs", text);
    }
    for text in [
        "function f(o: { @fox: number }, n: number) { return o.@fox + n; }\nf({ @fox: 1 }, 2);\nf({ @fox: 2 }, 3);\n",
        "const a: { @fox: number } = { @fox: 1 };\nconsole.log(a.@fox);\ninterface Other { fox: number }\nexport function g(o: Other) { return o.fox; }\n",
        "console.log(((o: { @fox: number }) => o.@fox)({ @fox: 1 }));\n",
    ] {
        joined("a.ts", text);
    }
    // A key that is a variable as well.
    let text = "const fox = 1;\nfunction f(o) { return o.fox; }\nf({ fox });\nf({ fox: 2 });\n";
    let after = "const fox = 1;\nfunction f(o) { return o.zebra; }\nf({ zebra: fox });\nf({ zebra: 2 });\n";
    let rename = json!({"kind": "rename", "symbol": "a.mjs:4:5", "to": "zebra"});
    check(&[("a.mjs", text)], &rename, &[("a.mjs", after)]);
    // By the place that reads it, which no definition is.
    let rename = json!({"kind": "rename", "symbol": "a.mjs:2:26", "to": "zebra"});
    check(&[("a.mjs", text)], &rename, &[("a.mjs", after)]);
    // Patterns keep their variables.
    let text = "function f({ fox, dog = 1 }) { return fox + dog; }\nf({ fox: 1 });\nf({ fox: 2, dog: 3 });\n";
    let after =
        "function f({ zebra: fox, dog = 1 }) { return fox + dog; }\nf({ zebra: 1 });\nf({ zebra: 2, dog: 3 });\n";
    let rename = json!({"kind": "rename", "symbol": "a.mjs:2:5", "to": "zebra"});
    check(&[("a.mjs", text)], &rename, &[("a.mjs", after)]);
    // In other files.
    let lib = "export function f(o) { return o.fox; }\n";
    let main =
        "import { f } from \"./lib.mjs\";\nimport * as m from \"./lib.mjs\";\nf({ fox: 1 });\nm.f({ fox: 2 });\n";
    let rename = json!({"kind": "rename", "symbol": "main.mjs:3:5", "to": "zebra"});
    let zebra = |text: &str| text.replace("fox", "zebra");
    check(&[("lib.mjs", lib), ("main.mjs", main)], &rename, &[("lib.mjs", &zebra(lib)), ("main.mjs", &zebra(main))]);
    // A framework may call what is exported.
    let files = [("lib.mjs", lib), ("main.mjs", main), ("package.json", "{ \"dependencies\": { \"next\": \"1\" } }\n")];
    assert_eq!(refused(&files, &rename).0, "undetermined");
}

#[test]
fn objects_that_are_not_known_are_not_joined() {
    for text in [
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nf(unknown());\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\n[1].map(f);\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nf(...list);\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nf`x`;\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nf.call(null, { fox: 2 });\n",
        "function f(o) { o = unknown; return o.fox; }\nf({ fox: 1 });\n",
        "function f(o) { [o] = [1]; return o.fox; }\nf({ fox: 1 });\n",
        "function f(o) { arguments[0] = unknown; return o.fox; }\nf({ fox: 1 });\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nconst a = { fox: 2 };\nf(a);\nunknown(a);\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nf({ ...unknown });\n",
        "function f(o) { return o.fox ?? o.zebra; }\nf({ fox: 1 });\n",
        "function f(o) { return o.fox; }\nf({ fox: 1 });\nf({ zebra: 1 });\n",
        "function f(o) { return o.fox; }\nf({ fox: 1, zebra: 2 });\n",
        "function f(o) { o.fox = 1; return o.fox; }\nconst a = { dog: 1 };\nf({ fox: 1 });\nf(a);\nconsole.log(a.fox);\n",
        "class A { m(o) { return o.fox; } }\nnew A().m({ fox: 1 });\nunknown(A.prototype.m);\n",
        "class A { set m(o) { o.fox; } }\nnew A().m = { fox: 1 };\n",
        "export default function (o) { return o.fox; }\nimport f from \"./a.mjs\";\nf({ fox: 1 });\n",
        "function f({ ...o }) { return o.fox; }\nf({ fox: 1 });\nunknown(f);\n",
        "function f(o) { return o.fox; }\nconst zebra = 1;\nf({ fox: 1 });\nf({ zebra });\n",
        "function f(o) { return o[key]; }\nf({ fox: 1 });\n",
        "for (const o of list) { o.fox; }\nfor (const o of [{ fox: 1 }, ...list]) o.fox;\n",
    ] {
        uncertain("a.mjs", text);
    }
    for text in [
        "export function f(o: { fox: number }) { return o.fox; }\nf({ fox: 1 });\nexport const g: (o: { fox: number }) => number = f;\n",
        "interface A { m(o: { fox: number }): number }\nexport function f(a: A) { return a.m({ fox: 1 }); }\n",
        "function f(o: { fox: number }) { return g(o); }\nfunction g(o: P) { return o.fox; }\ninterface P { fox: number }\nf({ fox: 1 });\n",
        "function f(o: { a: { fox: number } }) { return o.a.fox; }\nf({ a: { fox: 1 } });\n",
    ] {
        uncertain("a.ts", text);
    }
}

#[test]
fn a_type_that_is_written_where_a_literal_goes_has_its_name() {
    for text in [
        "function cat(p: { fox: number }): number { return 1; }\ncat({ fox: 1 });\n",
        "function cat(p: { fox: number; dog: number }, q: number): number { return q; }\ncat({ fox: 1, dog: 2 }, 2);\n",
        "function cat(p: { fox: number }): number { return 1; }\nconst x = { fox: 1 };\ncat(x);\n",
        "const x: { fox: number } = { fox: 1 };\n",
        "class A { m(p: { fox: number }) {} }\nnew A().m({ fox: 1 });\n",
        "const f = (p: { fox: number }) => 1;\nf({ fox: 1 });\n",
        "type F = (p: { fox: number }) => number;\nconst f: F = (p) => 1;\nf({ fox: 1 });\n",
        "type F = { m(p: { fox: number }): number };\nconst f: F = { m: (p) => 1 };\nf.m({ fox: 1 });\n",
    ] {
        for (at, _) in text.match_indices("fox") {
            let line = text[..at].matches('\n').count() + 1;
            let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
            let rename = json!({"kind": "rename", "symbol": format!("a.ts:{line}:{column}"), "to": "zebra"});
            match run(&[("a.ts", text)], &rename) {
                Ok(changed) => {
                    let new = text.replace("fox", "zebra");
                    assert_eq!(changed, vec![("a.ts".to_owned(), Some(new))], "{line}:{column} of {text}");
                }
                Err(error) => assert_eq!(error["error"]["code"], "undetermined", "{line}:{column} of {text}"),
            }
        }
    }
}
