//! What modules export without a name, or hand out as objects, and what patterns take of it.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

#[test]
fn a_literal_that_is_exported_by_default_has_its_own_members() {
    let run = "export default function run(x) {\n  return x;\n}\n";
    let all = "import run from './run.js';\nexport default { run: run };\n";
    let index = "export { default as all } from './all.js';\n";
    let main = "import all from './all.js';\nimport { all as other } from './index.js';\nfunction lib() {}\nlib.run = all.run;\nconsole.log(lib.run(3), other.run(2));\n";
    let files = [("run.js", run), ("all.js", all), ("index.js", index), ("main.js", main)];
    let renamed = run.replace("run(", "go(");
    let imported = "import go from './run.js';\nexport default { run: go };\n";
    check(&files, &rename("run.js:1:25", "go"), &[("all.js", imported), ("run.js", &renamed)]);
    let keyed = all.replace("run: run", "go: run");
    let used = main.replace("all.run", "all.go").replace("other.run", "other.go");
    check(&files, &rename("main.js:4:15", "go"), &[("all.js", &keyed), ("main.js", &used)]);
}

#[test]
fn a_pattern_takes_what_a_module_exports() {
    let module = "export class Bad {}\nexport const other = 1;\n";
    let main = "import * as all from './m.mjs';\nconst { Bad, other: o } = all;\nconsole.log(Bad, all.Bad, o);\n";
    let renamed = module.replace("Bad", "Worse");
    let used = main.replace("{ Bad,", "{ Worse: Bad,").replace("all.Bad", "all.Worse");
    check(
        &[("m.mjs", module), ("use.mjs", main)],
        &rename("m.mjs:1:14", "Worse"),
        &[("m.mjs", &renamed), ("use.mjs", &used)],
    );
    // The variable is another symbol.
    let used = main.replace("{ Bad,", "{ Bad: Worse,").replace("(Bad,", "(Worse,");
    check(&[("m.mjs", module), ("use.mjs", main)], &rename("use.mjs:2:9", "Worse"), &[("use.mjs", &used)]);
    // What gets the module is not followed.
    let main = "import * as all from './m.mjs';\nfunction f({ Bad }) {\n  return Bad;\n}\nf(all);\n";
    let (code, _) = refused(&[("m.mjs", module), ("use.mjs", main)], &rename("m.mjs:1:14", "Worse"));
    assert_eq!(code, "undetermined");
    // Nothing of a module is in an object of the file, or from outside.
    let main = "import { Bad as B } from './m.mjs';\nimport * as fs from 'fs';\nconst { Bad } = { Bad: 1 };\nconst { other } = fs;\nconsole.log(B, Bad, other);\n";
    let used = main.replace("{ Bad as B }", "{ Worse as B }");
    check(
        &[("m.mjs", module), ("use.mjs", main)],
        &rename("m.mjs:1:14", "Worse"),
        &[("m.mjs", &renamed), ("use.mjs", &used)],
    );
}

#[test]
fn a_default_import_of_assigned_exports_is_the_module() {
    let bad = "class Bad {}\nexports.Bad = Bad;\n";
    let main = "import lib from './bad.js';\nexport const { Bad } = lib;\nconsole.log(lib.Bad);\n";
    let renamed = bad.replace("Bad", "Worse");
    let used = main.replace("{ Bad }", "{ Worse: Bad }").replace("lib.Bad", "lib.Worse");
    check(
        &[("bad.js", bad), ("main.mjs", main)],
        &rename("bad.js:1:7", "Worse"),
        &[("bad.js", &renamed), ("main.mjs", &used)],
    );
}

#[test]
fn a_required_class_of_the_library_has_its_own_members() {
    for require in [
        "const EventEmitter = require('node:events').EventEmitter;",
        "const { EventEmitter } = require('events');",
        "const EventEmitter = require('events');",
    ] {
        let text = format!(
            "{require}\nclass A extends EventEmitter {{\n  work() {{\n    return this;\n  }}\n  emit() {{}}\n}}\nnew A().work();\n"
        );
        let renamed = text.replace("work()", "toil()");
        check(&[("a.js", &text)], &rename("a.js:3:3", "toil"), &[("a.js", &renamed)]);
        assert_eq!(refused(&[("a.js", &text)], &rename("a.js:6:3", "toil")).0, "undetermined", "{require}");
        // A name that is bound again may be anything.
        let again = text.replacen("const ", "let ", 1) + "EventEmitter = class {};\n";
        assert_eq!(refused(&[("a.js", &again)], &rename("a.js:3:3", "toil")).0, "undetermined", "{require}");
    }
}

#[test]
fn a_member_of_a_class_is_not_what_a_module_exports() {
    let pack = "export class Pack {}\n";
    let index = "import { Pack } from './pack.js';\nimport { Socket } from './socket.js';\nSocket.Pack = Pack;\n";
    let socket = "import { Base } from 'elsewhere';\nexport class Socket extends Base {}\n";
    let renamed = pack.replace("Pack", "Sack");
    let used = index.replace("{ Pack }", "{ Sack }").replace("= Pack", "= Sack");
    check(
        &[("pack.js", pack), ("index.js", index), ("socket.js", socket)],
        &rename("pack.js:1:14", "Sack"),
        &[("index.js", &used), ("pack.js", &renamed)],
    );
}

#[test]
fn a_default_that_was_imported_keeps_what_it_is() {
    let module = "export function fox(n: number, cat: { owl: number }): number {\n    return cat.owl + n;\n}\n\
                  export class Ox {\n    run() {}\n}\n";
    for (lib, other) in [
        ("import { fox as gnu, Ox as Bull } from './mod';\nexport default gnu;\nexport { Bull };\n", "Bull"),
        (
            "import { fox as gnu } from './mod';\nexport { gnu as default };\nexport { Ox as Bull } from './mod';\n",
            "Bull",
        ),
        ("export { fox as default, Ox as Bull } from './mod';\n", "Bull"),
    ] {
        let more = format!("import {{ {other} as Cow }} from './lib';\nexport default Cow;\n");
        let main = "import ant from './lib';\nimport { default as bee } from './lib';\nimport Elk from './more';\n\
                    class Yak extends Elk {\n    run() {}\n}\nconsole.log(ant(7, { owl: 8 }), bee(7, { owl: 9 }));\nnew Yak().run();\n";
        let files = [("mod.ts", module), ("lib.ts", lib), ("more.ts", more.as_str()), ("main.ts", main)];
        let rename = json!({"kind": "rename", "symbol": "mod.ts:1:39", "to": "zebra"});
        let expected = [("main.ts", main.replace("owl", "zebra")), ("mod.ts", module.replace("owl", "zebra"))];
        let expected: Vec<(&str, &str)> = expected.iter().map(|(path, text)| (*path, text.as_str())).collect();
        check(&files, &rename, &expected);
        let rename = json!({"kind": "rename", "symbol": "mod.ts:5:5", "to": "walk"});
        let expected = [("main.ts", main.replace("run", "walk")), ("mod.ts", module.replace("run", "walk"))];
        let expected: Vec<(&str, &str)> = expected.iter().map(|(path, text)| (*path, text.as_str())).collect();
        check(&files, &rename, &expected);
    }
}
