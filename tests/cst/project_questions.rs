//! Questions about a whole project: search, unused definitions, a map, the impact of a change, and selectors that ask them. The
//! database of names changes no answer, whatever happened to it.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Memory, Request};
use cst::facts::facts;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};
use serde_json::{Value, json};

use super::cli::Place;
use crate::mcp::{call, said_in};

const FILES: &[(&str, &str)] = &[
    (
        "shop/stock.py",
        "\"\"\"What is on the shelves.\"\"\"\n\n\nclass Base:\n    def count(self):\n        return 0\n\n    def __len__(self):\n        return 1\n\n\nclass Stock(Base):\n    def count(self):\n        \"\"\"Counts the boxes that are left.\"\"\"\n        return self._boxes()\n\n    def _boxes(self):\n        return 2\n\n    def show_old(self):\n        pass\n\n    def never(self):\n        return self.never()\n\n\ndef parseHTTPResponse(text):\n    # the connection was refused\n    return text\n",
    ),
    (
        "shop/main.py",
        "from shop.stock import Stock, parseHTTPResponse\n\n__all__ = [\"listed\"]\n\n\ndef listed():\n    return Stock().count()\n\n\n@register\ndef decorated():\n    pass\n\n\ndef lonely():\n    return 'show_%s' % 1\n\n\ndef test_it():\n    parseHTTPResponse('')\n    listed()\n\n\ndef maybe(x):\n    x.sometimes()\n\n\ndef sometimes():\n    maybe(1)\n",
    ),
    (
        "web/view.ts",
        "export function draw() { return inner(); }\nfunction inner() { return 1; }\nfunction idle() { return 2; }\n",
    ),
    ("lib.lua", "function helper() end\n"),
];

/// An engine on these files in memory.
fn engine(files: &[(&str, &str)]) -> Engine {
    let memory = Memory::default();
    for (path, text) in files {
        memory.write(format!("/p/{path}"), *text);
    }
    Engine::new(Host { files: Arc::new(memory), ..Host::at("/p") })
}

fn ask(engine: &Engine, method: &str, params: &Value) -> Result<Value, Value> {
    let request: Request = serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
    let response = engine.handle(request).map_err(|error| error.to_json())?;
    Ok(serde_json::to_value(response).expect("a response is plain data"))
}

/// The qualified names of rows.
fn names<'a>(answer: &'a Value, key: &str) -> Vec<&'a str> {
    let rows = answer[key].as_array().expect("a list").iter();
    rows.map(|row| row["qualname"].as_str().expect("a name")).collect()
}

fn search(query: &str) -> Vec<String> {
    let answer =
        ask(&engine(FILES), "search", &json!({"query": query})).unwrap_or_else(|error| panic!("{query}: {error}"));
    names(&answer, "results").into_iter().map(str::to_owned).collect()
}

#[test]
fn words_find_definitions() {
    // The parts of a name, and the words of documentation and comments without their endings.
    assert_eq!(search("http response")[0], "parseHTTPResponse");
    assert_eq!(search("counting box")[0], "Stock.count");
    assert_eq!(search("connections refuse")[0], "parseHTTPResponse");
    assert_eq!(search("parseHTTPResponse")[0], "parseHTTPResponse");
    assert_eq!(search("shelves"), ["stock.py"]);
    // Phrases, exclusions, beginnings.
    assert_eq!(search("\"boxes that are\""), ["Stock.count"]);
    assert!(search("\"that boxes are\"").is_empty());
    assert!(!search("count -boxes").contains(&"Stock.count".to_owned()));
    assert_eq!(search("pars*")[0], "parseHTTPResponse");
    // Filters.
    assert_eq!(search("count kind:class in:Stock"), Vec::<String>::new());
    assert_eq!(search("boxes in:Stock kind:method").len(), 2);
    assert_eq!(search("inner lang:ts path:web/**").len(), 2);
    assert!(search("inner lang:python").is_empty());
    assert!(search("inner path:!web/**").is_empty());
}

#[test]
fn what_a_person_types_is_no_syntax_error() {
    let engine = engine(FILES);
    for query in [
        "a\"b",
        "x AND",
        "NEAR(a b)",
        "name:count",
        "col: x",
        "^x",
        "a*b",
        "count)",
        "'count'",
        "{a} : b",
        "é*",
        "a-b.c/d",
    ] {
        let answer = ask(&engine, "search", &json!({"query": query}));
        assert!(answer.is_ok(), "{query}: {answer:?}");
    }
    for (query, message) in [
        ("", "the query has no word to search for"),
        ("kind:class", "the query has no word to search for"),
        ("-\"", "the query has no word to search for"),
        ("( ) \"", "the query has no word to search for"),
        ("x kind:", "`kind:` has no value"),
        ("x kind:nosuch", "unknown kind `nosuch`"),
    ] {
        let error = ask(&engine, "search", &json!({"query": query})).expect_err(query);
        assert_eq!(error["error"]["message"], message);
        assert_eq!(error["error"]["code"], "bad_request");
    }
    assert_eq!(
        ask(&engine, "search", &json!({"query": "x lang:nosuch"})).expect_err("unknown")["error"]["code"],
        "unsupported_language"
    );
}

#[test]
fn results_show_their_best_lines() {
    let answer =
        ask(&engine(FILES), "search", &json!({"query": "refused connection", "explain": true})).expect("found");
    let row = &answer["results"][0];
    assert_eq!((&row["path"], &row["line"]), (&json!("shop/stock.py"), &json!(27)));
    assert_eq!(row["signature"], "def parseHTTPResponse(text)");
    assert_eq!(
        row["lines"],
        json!([{"line": 28, "text": "# the connection was refused", "marks": [[7, 17], [22, 29]]}])
    );
    assert!(row["parts"]["documentation"].as_f64() > row["parts"]["name"].as_f64());
}

#[test]
fn unused_definitions_are_certain_or_candidates() {
    let engine = engine(FILES);
    let answer = ask(&engine, "unused", &json!({})).expect("a project");
    let rows: Vec<(&str, &str)> = answer["unused"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| (row["qualname"].as_str().expect("a name"), row["confidence"].as_str().expect("a word")))
        .collect();
    // `show_old` may be made of `show_%s`, and `sometimes` may be what `x.sometimes()` calls; `never` calls only itself.
    assert_eq!(
        rows,
        [
            ("lonely", "certain"),
            ("sometimes", "candidate"),
            ("Stock.show_old", "candidate"),
            ("Stock.never", "certain"),
            ("idle", "certain"),
        ]
    );
    let kept: Vec<String> = answer["kept"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| format!("{} {}", row["why"].as_str().expect("a word"), row["count"]))
        .collect();
    assert_eq!(kept, ["decorated 1", "exported 1", "override 1", "special name 1", "test function 1"]);
    assert_eq!(answer["not_followed"], json!([{"why": "lua", "count": 1}]));
    let only = ask(&engine, "unused", &json!({"path": "web", "exports": true})).expect("a project");
    assert_eq!(names(&only, "unused"), ["draw", "idle"]);
}

#[test]
fn a_map_fits_its_tokens() {
    let engine = engine(FILES);
    for tokens in [0, 10, 40, 100, 400] {
        let answer = ask(&engine, "map", &json!({"tokens": tokens})).expect("a project");
        let mut text = String::new();
        for file in answer["files"].as_array().expect("a list") {
            text.push_str(&format!("{}\n", file["path"].as_str().expect("a path")));
            for row in file["definitions"].as_array().expect("a list") {
                let depth = usize::try_from(row["depth"].as_u64().expect("a number")).expect("small");
                let indent = "  ".repeat(depth + 1);
                text.push_str(&format!("{indent}{} {}\n", row["line"], row["signature"].as_str().expect("a text")));
            }
        }
        let counted = cst::outline::chunk::Count::default().of(&text);
        assert!(counted <= tokens, "{counted} of {tokens}:\n{text}");
        assert!(answer["tokens"].as_u64() >= Some(counted as u64), "{text}");
    }
    let all = ask(&engine, "map", &json!({"tokens": 4000})).expect("a project");
    assert_eq!(all["files"][0]["path"], "shop/stock.py", "what others use comes first");
    let seen = ask(&engine, "map", &json!({"tokens": 60, "focus": ["web/view.ts"]})).expect("a project");
    assert_eq!(seen["files"][0]["path"], "web/view.ts");
}

#[test]
fn selectors_ask_the_project() {
    let engine = engine(FILES);
    let find = |selector: &str| {
        let answer = ask(&engine, "find", &json!({"selector": selector, "targets": ["."]}));
        let answer = answer.unwrap_or_else(|error| panic!("{selector}: {error}"));
        let rows = answer["matches"].as_array().expect("a list").iter();
        rows.map(|row| format!("{}:{}", row["path"].as_str().expect("a path"), row["start_line"])).collect::<Vec<_>>()
    };
    assert_eq!(find("call:to(parseHTTPResponse)"), ["shop/main.py:20"]);
    assert_eq!(find("call:to(\"shop/stock.py::Stock.count\")"), ["shop/main.py:7"]);
    assert_eq!(find("identifier:refers-to(Stock)"), ["shop/main.py:1", "shop/main.py:7"]);
    assert_eq!(find("class:extends(Base)"), ["shop/stock.py:12"]);
    assert_eq!(find("method:overrides"), ["shop/stock.py:13"]);
    assert_eq!(find("function:unused"), ["shop/main.py:15", "shop/stock.py:23", "web/view.ts:3"]);
    assert_eq!(find("class:not(:unused):has(method[callers=0])"), ["shop/stock.py:4", "shop/stock.py:12"]);
    assert_eq!(find("function[refs>=2]"), ["shop/stock.py:27"]);
    assert_eq!(find("function[callers=1]#listed"), ["shop/main.py:6"]);
    // One file is searched in its project.
    let one = ask(&engine, "find", &json!({"selector": "call:to(Stock)", "targets": ["shop/main.py"]})).expect("found");
    assert_eq!(one["total"], 1);
    // A text is in none.
    let text = json!({"text": "f()\n", "language": "python"});
    let error = ask(&engine, "find", &json!({"selector": "call:to(f)", "targets": [text]})).expect_err("no project");
    assert_eq!(error["error"]["code"], "bad_request");
    let error = ask(&engine, "find", &json!({"selector": "call:to(nosuch)", "targets": ["."]})).expect_err("no symbol");
    assert_eq!(error["error"]["code"], "no_match");
    let rewritten = ask(
        &engine,
        "rewrite",
        &json!({"selector": "call:to(parseHTTPResponse)", "template": "parse($0)", "targets": ["shop"], "dry_run": true}),
    );
    assert_eq!(rewritten.expect("rewritten")["matches"], 1);
}

#[test]
fn agents_have_search_and_map() {
    let files = Arc::new(Memory::default());
    for (path, text) in FILES {
        files.write(format!("/w/{path}"), *text);
    }
    let said = |tool: &str, arguments: Value| {
        said_in(Host { files: files.clone(), ..Host::at("/w") }, &[call(tool, arguments)])
    };
    let found = said("search", json!({"query": "http response"}));
    assert!(found.starts_with("shop/stock.py:27 function def parseHTTPResponse(text)\n"), "{found}");
    assert!(said("search", json!({})).starts_with("ERROR"));
    assert!(said("map", json!({"tokens": 300})).starts_with("shop/stock.py\n  "));
    let unused = said("refs", json!({"relation": "unused", "path": "web"}));
    assert!(unused.contains("web/view.ts:3 function idle"), "{unused}");
    // The rest of the project counts: `listed` is not unused because only its folder is asked about.
    assert!(!said("refs", json!({"relation": "unused", "path": "shop/stock.py"})).contains("parseHTTPResponse"));
    let impact = said("refs", json!({"relation": "impact", "symbol": "Stock._boxes"}));
    assert!(impact.contains("shop/stock.py:13 method Stock.count uses Stock._boxes in line 15"), "{impact}");
    assert!(said("refs", json!({})).starts_with("ERROR bad_request: the name of a symbol is missing"));
}

/// Facts depend on the text and the language alone, and contain every name of a file.
#[test]
fn facts_depend_on_bytes_alone() {
    for (language, text) in super::chunk_laws::samples() {
        let parsed = || Tree::parse(Text::new(&text), language, &ParseLimits::default()).expect("a sample parses");
        let once = facts(&parsed());
        // The flat table, as an index keeps it, has the same facts as the parse.
        assert_eq!(once, facts(&parsed().without_parse()), "{}", language.name());
        for definition in &once.definitions {
            for word in cst::facts::words(&definition.name) {
                // A name may be of the language's data: `Companion`.
                assert!(
                    !text.contains(word) || once.words.iter().any(|known| known == word),
                    "{}: {word}",
                    language.name()
                );
            }
        }
        assert_eq!(once.documents.len(), once.definitions.len() + 1);
    }
}

fn place() -> Place {
    let place = Place::new();
    for (path, text) in FILES {
        place.write(path, text);
    }
    place
}

/// Everything that is asked, as it is without the database.
const QUESTIONS: &[&[&str]] = &[
    &["refs", "parseHTTPResponse", "--json"],
    &["refs", "shop.stock.Stock.count", "--json"],
    &["symbols", "list", "--json"],
    &["symbols", "pHR", "--json"],
    &["symbols", "Stock.count", "--json"],
    &["callers", "listed", "--json"],
    &["hierarchy", "Base", "--json"],
    &["unused", "--json"],
    &["map", "--json"],
    &["search", "boxes", "left", "--json"],
    &["find", "call:to(Stock)", "--json"],
];

#[track_caller]
fn same(place: &Place, what: &str) {
    for question in QUESTIONS {
        let with = place.run(question);
        let without = place.run(&[*question, &["--no-cache"]].concat());
        let shown = |text: &str| match question[0] {
            // How rare a word is is counted over all that is kept, so scores may differ.
            "search" => {
                let mut found: Value = serde_json::from_str(text).expect("JSON");
                let rows = found["results"].as_array_mut().expect("a list");
                rows.iter_mut().for_each(|row| row["score"] = Value::Null);
                rows.sort_by_key(Value::to_string);
                found.to_string()
            }
            _ => text.to_owned(),
        };
        let (with, without) = ((with.status, shown(&with.stdout)), (without.status, shown(&without.stdout)));
        assert_eq!(with, without, "{what}: {question:?}");
    }
}

fn database(place: &Place) -> Option<std::path::PathBuf> {
    let folders = fs::read_dir(place.cache().join("index")).into_iter().flatten().flatten();
    folders.map(|folder| folder.path().join("facts.db")).find(|path| path.exists())
}

#[test]
fn the_database_changes_no_answer() {
    let place = place();
    same(&place, "no database");
    place.run(&["index"]).expect(0);
    let path = database(&place).expect("made");
    same(&place, "made");
    place.write("shop/main.py", "from shop.stock import parseHTTPResponse as p\n\n\ndef listed():\n    return p(1)\n");
    same(&place, "a file changed");
    place.write("shop/new.py", "from shop.main import listed\n\n\ndef more():\n    return listed()\n");
    fs::remove_file(place.path("web/view.ts")).expect("it is there");
    same(&place, "one is new and one is gone");
    place.write("other/a.py", "from shop.stock import Stock\nStock()\n");
    fs::rename(place.path("other/a.py"), place.path("other/b.py")).expect("renamed");
    same(&place, "one has another name");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().expect("a folder"))), (0o600, 0o700));
    }
    // Damaged in several ways.
    let bytes = fs::read(&path).expect("it is there");
    let pages = bytes.len() / 4096;
    for (number, damage) in [0usize, 20, 4096, 8192, (pages - 2) * 4096].into_iter().enumerate() {
        let mut damaged = bytes.clone();
        damaged[damage..damage + 8].fill(0xa5);
        fs::write(&path, &damaged).expect("written");
        same(&place, &format!("damage {number}"));
    }
    fs::write(&path, &bytes[..bytes.len() / 3]).expect("written");
    same(&place, "cut");
    fs::write(&path, b"not a database").expect("written");
    same(&place, "foreign");
    fs::write(&path, b"").expect("written");
    same(&place, "empty");
    place.run(&["index", "--clear"]).expect(0);
    assert!(database(&place).is_none(), "cleared");
    same(&place, "cleared");
}

#[test]
fn killed_while_it_is_made() {
    let place = place();
    for number in 0..150 {
        let text = format!("from shop.stock import Stock\n\n\ndef made_{number}(x):\n    return Stock().count() + x\n");
        place.write(&format!("made/m{number}.py"), &text);
    }
    let questions: [&[&str]; 2] = [&["refs", "shop.stock.Stock.count", "--count"], &["search", "made_77", "--json"]];
    let expected: Vec<String> =
        questions.iter().map(|question| place.run(&[*question, &["--no-cache"]].concat()).expect(0).stdout).collect();
    for round in 0..20u32 {
        let mut child = place.command(&["search", "nothing"]).spawn().expect("started");
        for _ in 0..round * 40 {
            let _ = database(&place).map(|path| fs::metadata(path).map_or(0, |found| found.len()));
        }
        let _ = child.kill();
        let _ = child.wait();
        for (question, expected) in questions.iter().zip(&expected) {
            assert_eq!(place.run(question).expect(0).stdout, *expected, "round {round}: {question:?}");
        }
        if round % 4 == 3 {
            fs::remove_dir_all(place.cache()).expect("it is there");
        }
    }
}

#[test]
fn two_processes_at_once() {
    let place = place();
    for number in 0..60 {
        place.write(&format!("made/m{number}.py"), &format!("def made_{number}(x):\n    return x\n"));
    }
    let question = ["search", "made_33", "--json"];
    let expected = place.run(&[&question[..], &["--no-cache"]].concat()).expect(0).stdout;
    for _ in 0..3 {
        let started: Vec<_> = (0..4).map(|_| place.command(&question).spawn().expect("started")).collect();
        for child in started {
            let output = child.wait_with_output().expect("ended");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
        }
        fs::remove_dir_all(place.cache()).expect("it is there");
    }
}

fn git(place: &Place, words: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
    let status = Command::new("git").args(identity).args(words).current_dir(place.path("")).status();
    assert!(status.expect("git is there").success(), "{words:?}");
}

/// The answers follow the files when a branch is switched, and working trees share what is kept.
#[test]
fn branches_and_working_trees() {
    let place = place();
    git(&place, &["init", "-q", "-b", "main"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "one"]);
    place.run(&["index"]).expect(0);
    git(&place, &["checkout", "-q", "-b", "other"]);
    place.write("shop/main.py", "from shop.stock import Stock\n\n\ndef elsewhere():\n    return Stock()\n");
    git(&place, &["commit", "-q", "-a", "-m", "two"]);
    same(&place, "on a branch");
    git(&place, &["checkout", "-q", "main"]);
    same(&place, "back");
    git(&place, &["worktree", "add", "-q", "tree", "other"]);
    for folder in [".", "tree"] {
        let count = |more: &[&str]| {
            let question =
                [&["refs", "shop.stock.Stock", folder, "--count", "--glob", "!tree/tree/**"][..], more].concat();
            place.run(&question).stdout
        };
        assert_eq!(count(&[]), count(&["--no-cache"]), "{folder}");
    }
    let folders = fs::read_dir(place.cache().join("index")).expect("made").flatten();
    let databases = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("facts-"));
    assert_eq!(databases.count(), 1, "one database for both working trees");
}

#[test]
fn impact_follows_a_change() {
    let place = place();
    git(&place, &["init", "-q", "-b", "main"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "one"]);
    let none = place.run(&["impact"]).expect(1);
    assert!(none.stderr.contains("0 definitions, 0 affected"), "{}", none.stderr);
    // A comment changes nothing, a body does, and one definition has another name.
    let old = place.read("shop/stock.py");
    place.write("shop/stock.py", &old.replace("        return 0\n", "        return 0  # none\n"));
    place.run(&["impact"]).expect(1);
    let new = old.replace("return 2", "return 3").replace("def parseHTTPResponse", "def parse_response");
    place.write("shop/stock.py", &new);
    let said = place.run(&["impact", "--depth", "3"]).expect(0);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "changed  shop/stock.py:17:9  method  Stock._boxes",
            "added  shop/stock.py:27:5  function  parse_response",
            "removed  shop/stock.py:27:5  function  parseHTTPResponse  2 candidates",
            "  shop/stock.py:13:9  method  Stock.count  uses Stock._boxes in line 15",
            "    shop/main.py:6:5  function  listed  uses Stock.count in line 7",
            "      shop/main.py:19:5  function  test_it  uses listed in line 21",
        ]
    );
    assert_eq!(place.run(&["impact", "--since", "nosuch"]).expect(2).stdout, "");
    let symbol = place.run(&["impact", "--symbol", "Stock.count", "--depth", "1", "--json"]).expect(0);
    let symbol: Value = serde_json::from_str(&symbol.stdout).expect("JSON");
    assert_eq!(names(&symbol, "affected"), ["listed"]);
}

/// The files of a project, the one that is deleted, and what that affects.
type Deletion = (&'static [(&'static str, &'static str)], &'static str, &'static [&'static str]);

/// Who refers to a file that is gone, or to a definition in it: as before, since nothing else has its name.
#[test]
fn impact_of_a_file_that_is_gone_lists_who_imports_it() {
    let projects: [Deletion; 7] = [
        (
            &[
                ("pk/__init__.py", ""),
                ("pk/cyc.py", "def a():\n    return 1\n"),
                ("top.py", "from pk.cyc import a\n\n\ndef main():\n    a()\n"),
                ("other.py", "import pk.cyc\n\n\ndef other():\n    return pk.cyc.a()\n"),
            ],
            "pk/cyc.py",
            &["other.py 1 other", "other.py 4 other", "top.py 1 top", "top.py 4 main"],
        ),
        (
            &[
                ("cyc.js", "export function a() { return 1; }\n"),
                ("top.js", "import { a } from \"./cyc.js\";\nexport function main() { return a(); }\n"),
                ("req.js", "const c = require(\"./cyc\");\nfunction other() { return c.a(); }\n"),
            ],
            "cyc.js",
            &["req.js 2 other", "top.js 1 top", "top.js 2 main"],
        ),
        (
            &[
                ("cyc.ts", "export function a(): number { return 1; }\n"),
                ("top.ts", "import { a } from \"./cyc\";\nexport function main() { return a(); }\n"),
            ],
            "cyc.ts",
            &["top.ts 1 top", "top.ts 2 main"],
        ),
        (
            &[
                ("go.mod", "module example.com/m\n"),
                ("pk/cyc.go", "package pk\n\nfunc A() int { return 1 }\n"),
                ("main.go", "package main\n\nimport \"example.com/m/pk\"\n\nfunc main() { pk.A() }\n"),
            ],
            "pk/cyc.go",
            &["main.go 5 main"],
        ),
        (
            &[
                ("Cargo.toml", "[package]\nname = \"m\"\n"),
                ("src/cyc.rs", "pub fn a() -> u32 { 1 }\n"),
                ("src/lib.rs", "mod cyc;\nuse crate::cyc::a;\n\npub fn main() { a(); }\n"),
            ],
            "src/cyc.rs",
            &["src/lib.rs 1 src", "src/lib.rs 4 main"],
        ),
        (
            &[
                ("src/pk/Cyc.java", "package pk;\n\npublic class Cyc {\n    public static int a() { return 1; }\n}\n"),
                (
                    "src/top/Top.java",
                    "package top;\n\nimport pk.Cyc;\n\nclass Top {\n    int main() { return Cyc.a(); }\n}\n",
                ),
            ],
            "src/pk/Cyc.java",
            &["src/top/Top.java 1 src.top.Top", "src/top/Top.java 6 Top.main"],
        ),
        // What has moved is referred to where it is now.
        (
            &[
                ("src/pk/Cyc.java", "package pk;\n\npublic class Cyc {\n    public static int a() { return 1; }\n}\n"),
                ("new/pk/Cyc.java", "package pk;\n\npublic class Cyc {\n    public static int a() { return 1; }\n}\n"),
                (
                    "src/top/Top.java",
                    "package top;\n\nimport pk.Cyc;\n\nclass Top {\n    int main() { return Cyc.a(); }\n}\n",
                ),
            ],
            "src/pk/Cyc.java",
            &[],
        ),
    ];
    for (files, gone, expected) in projects {
        let place = Place::new();
        files.iter().for_each(|(path, text)| place.write(path, text));
        git(&place, &["init", "-q", "-b", "main"]);
        git(&place, &["add", "."]);
        git(&place, &["commit", "-q", "-m", "one"]);
        fs::remove_file(place.path(gone)).expect("it is there");
        let found = place.run(&["impact", "--json"]).expect(0).json();
        let shown = |row: &Value| {
            format!("{} {} {}", row["path"].as_str().unwrap(), row["line"], row["qualname"].as_str().unwrap())
        };
        let mut affected: Vec<String> = found["affected"].as_array().expect("a list").iter().map(shown).collect();
        affected.sort();
        assert_eq!(affected, expected, "{gone}: {found}");
        let changed = found["changed"].as_array().expect("a list");
        assert!(changed.iter().all(|row| row["change"] == "removed" && row["path"] == gone), "{found}");
    }
}
