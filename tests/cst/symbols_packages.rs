//! Names of modules by the manifests of packages and compilers, and modules that are loaded by calls.

use serde_json::json;

use crate::symbols::Project;

/// What `helper` is used for in a file, with one definition in `to` and an import of `source` in `from`.
#[track_caller]
fn leads(files: &[(&str, &str)], from: &str, source: &str, to: Option<&str>) {
    let mut files = files.to_vec();
    let text = format!("import {{ helper }} from '{source}';\nhelper();\n");
    files.push((from, &text));
    let project = Project::new(&files);
    let answer = project.ask("refs", &json!({"symbol": format!("{from}:2:1")}));
    let found = answer.ok().map(|answer| answer["symbols"][0]["path"].as_str().unwrap_or_default().to_owned());
    assert_eq!(found.as_deref(), to, "{source} from {from}");
}

const HELPER: &str = "export function helper() {}\n";

#[test]
fn options_of_the_compiler_map_names() {
    let files: &[(&str, &str)] = &[
        (
            "tsconfig.base.json",
            "\u{feff}{\n  // What all have.\n  \"compilerOptions\": {\n    \"baseUrl\": \".\", /* \"paths\": {} */\n    \"paths\": {\n      \"@lib/*\": [\"missing/*\", \"libs/*/src\",],\n      \"@lib/exact\": [\"libs/other/exact.ts\"],\n      \"//not-a-comment\": [\"libs/other/exact.ts\"],\n    },\n  },\n}\n",
        ),
        ("tsconfig.json", "{\"extends\": \"./tsconfig.base\"}"),
        (
            "inner/tsconfig.json",
            "{\"extends\": [\"../tsconfig.base.json\"], \"compilerOptions\": {\"paths\": {\"~/*\": [\"./*\"]}}}",
        ),
        ("cycle/tsconfig.json", "{\"extends\": \"./tsconfig.json\", \"compilerOptions\": {\"baseUrl\": \"src\"}}"),
        ("broken/tsconfig.json", "{\"compilerOptions\": {\"paths\": "),
        ("parts/tsconfig.json", "{\"files\": [], \"references\": [{\"path\": \"./tsconfig.app.json\"}]}"),
        ("parts/tsconfig.app.json", "{\"compilerOptions\": {\"paths\": {\"@/*\": [\"${configDir}/src/*\"]}}}"),
        ("libs/tools/src/index.ts", HELPER),
        ("libs/other/exact.ts", HELPER),
        ("inner/near.ts", HELPER),
        ("cycle/src/a/b.ts", HELPER),
        ("parts/src/x.tsx", HELPER),
    ];
    leads(files, "main.ts", "@lib/tools", Some("libs/tools/src/index.ts"));
    leads(files, "main.ts", "@lib/exact", Some("libs/other/exact.ts"));
    leads(files, "main.tsx", "//not-a-comment", Some("libs/other/exact.ts"));
    leads(files, "deep/er/main.js", "libs/other/exact", Some("libs/other/exact.ts"));
    // The nearest options count, with their own paths in place of those that they extend.
    leads(files, "inner/main.ts", "~/inner/near", Some("inner/near.ts"));
    leads(files, "inner/main.ts", "@lib/tools", None);
    leads(files, "main.ts", "~/inner/near", None);
    leads(files, "cycle/main.ts", "a/b", Some("cycle/src/a/b.ts"));
    // A file that cannot be read says nothing.
    leads(files, "broken/main.ts", "@lib/tools", Some("libs/tools/src/index.ts"));
    leads(files, "parts/src/deep/main.ts", "@/x", Some("parts/src/x.tsx"));
}

#[test]
fn packages_of_the_repository_are_found() {
    let files: &[(&str, &str)] = &[
        ("package.json", "{\"name\": \"root\", \"workspaces\": [\"packages/*\", \"!packages/left-out\"]}"),
        (
            "packages/core/package.json",
            "{\"name\": \"@org/core\", \"exports\": {\".\": {\"types\": \"./dist/index.d.ts\", \"default\": \"./dist/index.js\"}, \"./sub/*\": \"./dist/esm/sub/*.js\", \"./gone\": \"./dist/gone.js\"}, \"imports\": {\"#in/*\": \"./src/in/*.ts\"}}",
        ),
        ("packages/core/src/index.ts", HELPER),
        ("packages/core/src/sub/a.ts", HELPER),
        ("packages/core/src/in/b.ts", HELPER),
        ("packages/core/src/secret.ts", HELPER),
        ("packages/plain/package.json", "{\"name\": \"plain\", \"main\": \"lib/main\"}"),
        ("packages/plain/lib/main.js", HELPER),
        ("packages/plain/lib/part.js", HELPER),
        ("packages/left-out/package.json", "{\"name\": \"left-out\"}"),
        ("packages/left-out/index.js", HELPER),
        // A package of a test, with the name of one from outside.
        ("packages/core/fixtures/react/package.json", "{\"name\": \"react\"}"),
        ("packages/core/fixtures/react/index.js", HELPER),
        (
            "tools/package.json",
            "{\"name\": \"tools\", \"dependencies\": {\"near\": \"file:./near\", \"left-out\": \"^1.0.0\"}}",
        ),
        ("tools/near/package.json", "{\"name\": \"near\"}"),
        ("tools/near/index.ts", HELPER),
    ];
    leads(files, "packages/plain/use.ts", "@org/core", Some("packages/core/src/index.ts"));
    leads(files, "packages/plain/use.js", "@org/core/sub/a", Some("packages/core/src/sub/a.ts"));
    leads(files, "app/use.ts", "plain", Some("packages/plain/lib/main.js"));
    leads(files, "app/use.ts", "plain/lib/part", Some("packages/plain/lib/part.js"));
    leads(files, "packages/core/test/use.ts", "@org/core", Some("packages/core/src/index.ts"));
    leads(files, "packages/core/test/use.ts", "#in/b", Some("packages/core/src/in/b.ts"));
    leads(files, "tools/use.ts", "near", Some("tools/near/index.ts"));
    // What is not exported, left out, or another package's.
    for source in ["@org/core/secret", "@org/core/gone", "left-out", "react", "near", "#in/b"] {
        leads(files, "packages/plain/use.ts", source, None);
    }
    leads(files, "tools/use.ts", "left-out", None);
    let pnpm = &[
        (
            "pnpm-workspace.yaml",
            "# all\npackages:\n  - 'libs/**' # and below\n  - \"!**/test/**\"\ncatalog:\n  - other\n",
        ),
        ("libs/a/b/package.json", "{\"name\": \"inner\", \"source\": \"./source.ts\", \"main\": \"./dist/x.js\"}"),
        ("libs/a/b/source.ts", HELPER),
        ("libs/test/c/package.json", "{\"name\": \"tested\"}"),
        ("libs/test/c/index.ts", HELPER),
    ];
    leads(pnpm, "libs/use.ts", "inner", Some("libs/a/b/source.ts"));
    leads(pnpm, "libs/use.ts", "tested", None);
}

#[test]
fn files_are_found_by_their_path() {
    let files: &[(&str, &str)] = &[
        ("a.ts", HELPER),
        ("a/index.ts", HELPER),
        ("b/package.json", "{\"main\": \"../b/entry.js\"}"),
        ("b/entry.ts", HELPER),
        ("b/index.ts", HELPER),
        ("c.js", "exports.helper = 1;\n"),
        ("c.d.ts", "export declare function helper(): void;\n"),
        ("d.vue.ts", HELPER),
        ("loop/one/package.json", "{\"main\": \"../two\"}"),
        ("loop/two/package.json", "{\"main\": \"../one\"}"),
    ];
    leads(files, "use.ts", "./a", Some("a.ts"));
    leads(files, "use.ts", "./a/", Some("a.ts"));
    leads(files, "use.ts", "./a.js", Some("a.ts"));
    leads(files, "use.ts", "./b", Some("b/entry.ts"));
    leads(files, "use.ts", "./c", Some("c.d.ts"));
    leads(files, "use.ts", "./c.js", Some("c.d.ts"));
    leads(files, "use.js", "./c", Some("c.js"));
    leads(files, "use.ts", "./d.vue", Some("d.vue.ts"));
    leads(files, "use.ts", "./a?raw", Some("a.ts"));
    leads(files, "use.ts", "./loop/one", None);
    leads(files, "use.ts", "../outside", None);
}

#[test]
fn modules_are_loaded_by_calls() {
    let project = Project::new(&[
        (
            "tools.js",
            "function fill(a) {}\nfunction hidden() {}\nexports.fill = fill;\nexports.empty = function () {};\nmodule.exports.again = exports.empty;\nhidden();\n",
        ),
        (
            "use.js",
            "const tools = require('./tools');\nconst { fill, empty: drain, missing = 1 } = require(\"./tools\");\nconst one = require('./tools').fill;\ntools.fill(1);\nfill(2);\ndrain();\none();\nrequire('./tools').empty();\ntools.hidden();\nconst other = require(name);\nother.fill();\n",
        ),
    ]);
    project.check(
        "tools.js::fill",
        &[
            "tools.js:1:10 definition",
            "tools.js:3:9 read",
            "tools.js:3:16 read",
            "use.js:2:9 import",
            "use.js:3:7 import",
            "use.js:3:32 import",
            "use.js:4:7 call",
            "use.js:5:1 call",
            "use.js:7:1 call",
            "use.js:11:7 call undetermined",
        ],
    );
    let empty = project.ask("refs", &json!({"symbol": "tools.js:4:9"})).expect("a definition");
    let lines: Vec<String> = empty["references"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            format!(
                "{}:{} {}",
                row["path"].as_str().unwrap_or_default(),
                row["line"],
                row["confidence"].as_str().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "tools.js:4 certain",
            "tools.js:5 certain",
            "use.js:2 certain",
            "use.js:2 certain",
            "use.js:6 certain",
            "use.js:8 certain"
        ]
    );
    // What is not exported is not meant.
    project.check("hidden", &["tools.js:2:10 definition", "tools.js:6:1 call"]);
}

#[test]
fn a_module_may_be_a_function_an_object_or_another_module() {
    let project = Project::new(&[
        ("package.json", "{\"name\": \"shop\", \"main\": \"./index.js\"}"),
        ("index.js", "'use strict';\nmodule.exports = require('./lib/shop');\n"),
        (
            "lib/shop.js",
            "var proto = require('./proto');\nexports = module.exports = createShop;\nfunction createShop() { return proto.open(); }\nexports.proto = proto;\nexports.close = close;\nfunction close() {}\n",
        ),
        (
            "lib/proto.js",
            "var app = exports = module.exports = {};\napp.open = function open() { return this; };\napp.open();\n",
        ),
        (
            "lib/object.js",
            "const inner = () => 1;\nmodule.exports = { inner, outer: inner, third() {}, ...require('./proto') };\n",
        ),
        ("lib/class.js", "class Box { lift() {} }\nmodule.exports = Box;\nmodule.exports.make = () => new Box();\n"),
        (
            "test.js",
            "const shop = require('shop');\nconst { close } = require('./');\nshop();\nshop.close();\nshop.proto.open();\nconst o = require('./lib/object');\no.inner();\no.outer();\no.third();\nconst Carton = require('./lib/class');\nnew Carton().lift();\nCarton.make();\n",
        ),
        (
            "modern.mjs",
            "import shop, { close } from 'shop';\nimport * as all from './lib/object.js';\nshop();\nclose();\nall.third();\n",
        ),
    ]);
    project.check(
        "createShop",
        &[
            "lib/shop.js:2:28 read",
            "lib/shop.js:3:10 definition",
            "modern.mjs:1:8 import",
            "modern.mjs:3:1 call",
            "test.js:1:7 import",
            "test.js:3:1 call",
            "test.js:4:1 read",
            "test.js:5:1 read",
        ],
    );
    let certain = |symbol: &str| {
        let answer =
            project.ask("refs", &json!({"symbol": symbol})).unwrap_or_else(|error| panic!("{symbol}: {error}"));
        let rows = answer["references"].as_array().expect("a list").iter().filter(|row| row["confidence"] == "certain");
        rows.map(|row| format!("{}:{}", row["path"].as_str().unwrap_or_default(), row["line"])).collect::<Vec<_>>()
    };
    assert_eq!(
        certain("lib/shop.js::close"),
        ["lib/shop.js:5", "lib/shop.js:5", "lib/shop.js:6", "modern.mjs:1", "modern.mjs:4", "test.js:2", "test.js:4"]
    );
    assert_eq!(certain("lib/proto.js:2:5"), ["lib/proto.js:2", "lib/proto.js:3", "lib/shop.js:3"]);
    assert_eq!(certain("inner"), ["lib/object.js:1", "lib/object.js:2", "lib/object.js:2", "test.js:7"]);
    assert_eq!(certain("lib/object.js:2:41"), ["lib/object.js:2", "modern.mjs:5", "test.js:9"]);
    assert_eq!(
        certain("Box"),
        ["lib/class.js:1", "lib/class.js:2", "lib/class.js:3", "test.js:10", "test.js:11", "test.js:12"]
    );
    assert_eq!(certain("Box.lift"), ["lib/class.js:1", "test.js:11"]);
    let deps = project.ask("deps", &json!({"path": "test.js"})).expect("imports");
    let imports = deps["files"][0]["imports"].as_array().expect("a list").iter();
    let imports: Vec<&str> = imports.filter_map(|row| row["path"].as_str()).collect();
    assert_eq!(imports, ["index.js", "lib/class.js", "lib/object.js"]);
}
