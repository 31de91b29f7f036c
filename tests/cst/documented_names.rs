//! Names in comments that tools read as code: JSDoc.

use serde_json::json;

use crate::refactored::{check, refused};

#[test]
fn jsdoc_names_parameters_and_types() {
    let types = "export class Opts {}\nexport class Other {}\n";
    let main = "import { Other } from \"./t.js\";\n\n/**\n * Runs `fox`, not only fox.\n * @param {import(\"./t.js\").Opts} fox - the fox\n * @param {Other} [`dog`=1] some\n * @param {string} fox.kind\n * @returns {{ fox: Other, dog: number }} see {@link run}, {@link Other}\n */\nexport function run(fox, dog) {\n  return { fox: dog, dog: fox.kind };\n}\n\nclass A {\n  /** @param {number} fox */\n  go(fox) { return fox; }\n}\n/** @type {A} */\nexport const a = new A();\n";
    let files = [("t.js", types), ("main.js", main)];
    let rename = |symbol: &str| json!({"kind": "rename", "symbol": symbol, "to": "zebra"});
    check(
        &files,
        &rename("main.js:10:21"),
        &[(
            "main.js",
            &main
                .replace("Opts} fox", "Opts} zebra")
                .replace("{string} fox", "{string} zebra")
                .replace("run(fox, dog)", "run(zebra, dog)")
                .replace("dog: fox.kind", "dog: zebra.kind"),
        )],
    );
    check(
        &files,
        &rename("main.js:10:26"),
        &[(
            "main.js",
            &main.replace("[`dog`", "[`zebra`").replace("fox, dog", "fox, zebra").replace("fox: dog", "fox: zebra"),
        )],
    );
    check(
        &files,
        &rename("t.js::Opts"),
        &[("main.js", &main.replace("Opts", "zebra")), ("t.js", &types.replace("Opts", "zebra"))],
    );
    check(
        &files,
        &rename("t.js::Other"),
        &[("main.js", &main.replace("Other", "zebra")), ("t.js", &types.replace("Other", "zebra"))],
    );
    check(
        &files,
        &rename("run"),
        &[("main.js", &main.replace("link run", "link zebra").replace("function run", "function zebra"))],
    );
    check(
        &files,
        &rename("A"),
        &[("main.js", &main.replace("class A", "class zebra").replace("{A}", "{zebra}").replace("new A", "new zebra"))],
    );
    // One that nothing binds may be any.
    let main = "export class Opts {}\n";
    let other = "/** @type {Opts} */\nlet x;\n";
    let found = refused(&[("t.js", main), ("a.js", other)], &rename("Opts"));
    assert_eq!(found.0, "undetermined");
}

#[test]
fn a_link_that_nothing_binds_is_a_mention() {
    let first = "export function first(count) {\n  return count;\n}\n";
    let other = "/** See {@link first}, {@link count}, {@linkcode first}. */\nexport function other() {}\n";
    for path in ["other.js", "other.ts"] {
        let files = [("first.ts", first), (path, other)];
        let rename = |symbol: &str| json!({"kind": "rename", "symbol": symbol, "to": "zebra"});
        check(&files, &rename("first"), &[("first.ts", &first.replace("first", "zebra"))]);
        check(&files, &rename("first.ts:1:23"), &[("first.ts", &first.replace("count", "zebra"))]);
    }
}
