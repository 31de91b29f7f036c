//! A part of a repository is not the project: whatever a request names and wherever it is asked, all files around it are looked at.
//! And what a request says counts, or is an error: fields of another kind, places that are none, empty lists.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Memory, Methods, RefactorKind, RefactorRequest, Request, UnreadRequest};
use serde_json::{Value, json};

use super::cli::Place;
use crate::mcp::{call, said_in};

/// A project of one language: a file in a folder that defines `helper`, `lonely` and what calls neither, and a file at the top that
/// uses `helper`.
struct Sample {
    language: &'static str,
    used: (&'static str, &'static str),
    user: (&'static str, &'static str),
}

/// All languages whose names are followed from file to file.
const SAMPLES: &[Sample] = &[
    Sample {
        language: "python",
        used: ("pkg/util.py", "def helper():\n    return 1\n\n\ndef _lonely():\n    return 2\n"),
        user: ("main.py", "from pkg.util import helper\n\nprint(helper())\n"),
    },
    Sample {
        language: "javascript",
        used: ("pkg/util.js", "export function helper() { return 1; }\nfunction lonely() { return 2; }\n"),
        user: ("main.js", "import { helper } from './pkg/util.js';\nconsole.log(helper());\n"),
    },
    Sample {
        language: "typescript",
        used: ("pkg/util.ts", "export function helper(): number { return 1; }\nfunction lonely() { return 2; }\n"),
        user: ("main.ts", "import { helper } from './pkg/util';\nconsole.log(helper());\n"),
    },
    Sample {
        language: "go",
        used: ("pkg/util.go", "package pkg\n\nfunc Helper() int { return 1 }\n\nfunc lonely() int { return 2 }\n"),
        user: ("main.go", "package main\n\nimport \"example.org/m/pkg\"\n\nfunc main() { println(pkg.Helper()) }\n"),
    },
    Sample {
        language: "java",
        used: (
            "pkg/Util.java",
            "package pkg;\n\npublic class Util {\n    public static int helper() { return 1; }\n    private static int lonely() { return 2; }\n}\n",
        ),
        user: (
            "app/Main.java",
            "package app;\n\nimport pkg.Util;\n\npublic class Main {\n    public static void main(String[] a) { System.out.println(Util.helper()); }\n}\n",
        ),
    },
    Sample {
        language: "rust",
        used: ("src/util/mod.rs", "pub fn helper() -> i32 { 1 }\nfn lonely() -> i32 { 2 }\n"),
        user: ("src/main.rs", "mod util;\n\nfn main() { let one = util::helper(); println!(\"{one}\"); }\n"),
    },
];

impl Sample {
    /// The project in memory, as a repository or not, seen from a folder of it.
    fn engine(&self, is_repository: bool, folder: &str) -> (Arc<Memory>, Engine) {
        let memory = Arc::new(Memory::default());
        for (path, text) in [self.used, self.user] {
            memory.write(format!("/r/{path}"), text);
        }
        memory.write("/r/go.mod", "module example.org/m\n");
        if is_repository {
            memory.write("/r/.git/HEAD", "ref: refs/heads/main\n");
        }
        let at = format!("/r/{folder}");
        let engine = Engine::new(Host { files: memory.clone(), ..Host::at(at.trim_end_matches('/')) });
        (memory, engine)
    }

    /// The name of the function in use: Go's exported names begin with a capital.
    fn helper(&self) -> &'static str {
        if self.used.1.contains("Helper") { "Helper" } else { "helper" }
    }

    /// The folder of the file that is used.
    fn folder(&self) -> &'static str {
        self.used.0.rsplit_once('/').expect("it is in a folder").0
    }

    fn user_text(&self, memory: &Memory) -> String {
        let path = format!("/r/{}", self.user.0);
        String::from_utf8(memory.read(path.as_ref(), 1 << 20).expect("it is there")).expect("UTF-8")
    }
}

fn ask(engine: &Engine, method: &str, params: &Value) -> Result<Value, Value> {
    let request: Request = serde_json::from_value(json!({"method": method, "params": params}))
        .map_err(|error| json!({"error": {"message": error.to_string()}}))?;
    let response = engine.handle(request).map_err(|error| error.to_json())?;
    Ok(serde_json::to_value(response).expect("a response is plain data"))
}

/// Each sample, seen from its top with a folder named, with a file named, and from the folder with nothing named.
fn each_view(mut look: impl FnMut(&Sample, &str, Option<&str>)) -> usize {
    let mut views = 0;
    for sample in SAMPLES {
        for (folder, target) in [
            ("", Some(sample.folder())),
            ("", Some(sample.used.0)),
            (sample.folder(), None),
            (sample.folder(), Some(".")),
        ] {
            look(sample, folder, target);
            views += 1;
        }
    }
    views
}

fn with_target(mut params: Value, target: Option<&str>) -> Value {
    if let Some(target) = target {
        params["targets"] = json!([target]);
    }
    params
}

#[test]
fn questions_about_a_part_look_at_the_repository() {
    let views = each_view(|sample, folder, target| {
        let (_, engine) = sample.engine(true, folder);
        let at = format!("{} from `{folder}` about {target:?}", sample.language);
        let found = ask(&engine, "refs", &with_target(json!({"symbol": sample.helper()}), target)).expect(&at);
        let uses = found["references"].as_array().expect("a list").iter();
        let uses = uses.filter(|row| row["path"].as_str().is_some_and(|path| path.ends_with(sample.user.0)));
        assert!(uses.count() > 0, "{at}: {found:#}");
        assert_eq!(found["project"]["found_by"], "repository", "{at}");
        let calls = ask(&engine, "calls", &with_target(json!({"symbol": sample.helper()}), target)).expect(&at);
        assert_eq!(calls["root"]["calls"].as_array().map(Vec::len), Some(1), "{at}: {calls:#}");
        let impact = ask(&engine, "impact", &with_target(json!({"symbols": [sample.helper()]}), target)).expect(&at);
        assert_eq!(impact["total"].as_u64().map(|total| total > 0), Some(true), "{at}: {impact:#}");
        let unused = ask(&engine, "unused", &with_target(json!({"exports": true}), target)).expect(&at);
        let names: Vec<&str> =
            unused["unused"].as_array().expect("a list").iter().filter_map(|row| row["qualname"].as_str()).collect();
        assert!(!names.iter().any(|name| name.ends_with(sample.helper())), "{at}: {names:?}");
        assert!(names.iter().any(|name| name.ends_with("lonely")), "{at}: {names:?}");
    });
    assert_eq!(views, 4 * SAMPLES.len());
}

#[test]
fn refactors_of_a_part_change_the_repository() {
    each_view(|sample, folder, target| {
        let at = format!("{} from `{folder}` about {target:?}", sample.language);
        let new_name = if sample.helper() == "Helper" { "Renamed" } else { "renamed" };
        let rename = json!({"kind": "rename", "symbol": sample.helper(), "to": new_name, "write": true,
            "force": true, "leave_undetermined": true});
        let (memory, engine) = sample.engine(true, folder);
        // Java's `public` and Go's capitals may be used from outside; this is not what is tested.
        let rename = with_target(rename, target);
        ask(&engine, "refactor", &rename).unwrap_or_else(|error| panic!("{at}: {error:#}"));
        let text = sample.user_text(&memory);
        assert!(text.contains(new_name) && !text.contains(sample.helper()), "{at}: {text}");

        let (memory, engine) = sample.engine(true, folder);
        let delete = with_target(json!({"kind": "delete_unused", "write": true}), target);
        ask(&engine, "refactor", &delete).unwrap_or_else(|error| panic!("{at}: {error:#}"));
        let path = format!("/r/{}", sample.used.0);
        let left = String::from_utf8(memory.read(path.as_ref(), 1 << 20).expect("it is there")).expect("UTF-8");
        assert!(left.contains(sample.helper()) && !left.contains("lonely"), "{at}: {left}");
    });
}

#[test]
fn a_part_chooses_what_is_shown() {
    let memory = Arc::new(Memory::default());
    memory.write("/r/.git/HEAD", "ref: refs/heads/main\n");
    memory
        .write("/r/one/a.py", "from two.b import shared\n\n\ndef _idle():\n    pass\n\n\ndef twin():\n    shared()\n");
    memory.write("/r/two/b.py", "def shared():\n    pass\n\n\ndef _idle_too():\n    pass\n\n\ndef twin():\n    pass\n");
    let engine = Engine::new(Host { files: memory, ..Host::at("/r") });
    let names = |method: &str, params: Value, key: &str| -> Vec<String> {
        let answer = ask(&engine, method, &params).unwrap_or_else(|error| panic!("{method}: {error:#}"));
        let rows = answer[key].as_array().expect("a list").iter();
        rows.map(|row| row["qualname"].as_str().or(row["path"].as_str()).expect("a name").to_owned()).collect()
    };
    assert_eq!(names("unused", json!({"targets": ["one"], "certain": true}), "unused"), ["_idle", "twin"]);
    assert_eq!(
        names("unused", json!({"certain": true, "reading": {"glob": ["two/**"]}}), "unused"),
        ["_idle_too", "twin"]
    );
    assert_eq!(names("symbols", json!({"query": "twin", "targets": ["one"]}), "symbols"), ["twin"]);
    assert_eq!(names("map", json!({"targets": ["one"]}), "files"), ["one/a.py"]);
    assert_eq!(names("deps", json!({"targets": ["one"]}), "files"), ["one/a.py"]);
    assert_eq!(names("search", json!({"query": "twin", "targets": ["two"]}), "results"), ["twin"]);
    // A folder chooses among definitions of one name; what is in another one is found all the same.
    let symbol = |target: &str, name: &str| {
        let answer = ask(&engine, "refs", &json!({"symbol": name, "targets": [target]})).expect(name);
        answer["symbols"][0]["path"].as_str().expect("a path").to_owned()
    };
    assert_eq!(symbol("one", "twin"), "one/a.py");
    assert_eq!(symbol("one", "shared"), "two/b.py");
    // A refactor does not change what it was not pointed at.
    let refused =
        ask(&engine, "refactor", &json!({"kind": "rename", "symbol": "shared", "to": "x", "targets": ["one"]}));
    let refused = refused.expect_err("it is elsewhere");
    assert_eq!(refused["error"]["message"], "not applied: no definition `shared` in the named files");
    assert_eq!(refused["error"]["hint"], "there is one at two/b.py:1:5");
}

#[test]
fn a_project_without_a_repository_says_what_was_looked_at() {
    let sample = &SAMPLES[0];
    let report = |files: &[&str], at: &str, target: Option<&str>| {
        let memory = Arc::new(Memory::default());
        memory.write(format!("/r/{}", sample.used.0), sample.used.1);
        memory.write("/r/main.py", sample.user.1);
        files.iter().for_each(|path| memory.write(path, "[workspace]\n"));
        let engine = Engine::new(Host { files: memory, ..Host::at(at) });
        let answer = ask(&engine, "refs", &with_target(json!({"symbol": "helper"}), target)).expect("it is defined");
        let project = &answer["project"];
        format!(
            "{} {} {}",
            project["root"].as_str().expect("a folder"),
            project["found_by"].as_str().expect("a word"),
            project["files"]
        )
    };
    assert_eq!(report(&["/r/.git/HEAD"], "/r/pkg", None), "/r repository 2");
    // A nearer repository is the project, a farther manifest is.
    assert_eq!(report(&["/r/.git/HEAD", "/r/pkg/pyproject.toml"], "/r/pkg", None), "/r repository 3");
    assert_eq!(report(&["/r/pyproject.toml"], "/r/pkg", None), "/r manifest 3");
    // The nearest manifest, unless a workspace is around it.
    assert_eq!(report(&["/r/pyproject.toml", "/r/pkg/pyproject.toml"], "/r/pkg", None), ". manifest 2");
    assert_eq!(report(&["/r/Cargo.toml", "/r/pkg/pyproject.toml"], "/r/pkg", None), "/r manifest 4");
    // Nothing says what the project is: the working directory, if it is around what is named.
    assert_eq!(report(&[], "/r", Some("pkg/util.py")), ". folder 2");
    assert_eq!(report(&[], "/r/pkg", None), ". folder 1");
    assert_eq!(report(&[], "/elsewhere", Some("/r/pkg")), "/r/pkg folder 1");
}

#[test]
fn the_command_line_says_that_a_folder_is_alone() {
    let place = Place::new();
    place.write("util.py", "def helper():\n    return 1\n\n\nhelper()\n");
    let alone = "searched 1 file in `.`, which is in no repository and has no manifest";
    let refs = place.run(&["refs", "helper"]).expect(0);
    assert!(refs.stderr.contains(alone), "{}", refs.stderr);
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    let refs = place.run(&["refs", "helper"]).expect(0);
    assert!(!refs.stderr.contains("looked at"), "{}", refs.stderr);
}

#[test]
fn tools_of_agents_look_at_the_repository() {
    let sample = &SAMPLES[0];
    let memory = Arc::new(Memory::default());
    memory.write("/r/.git/HEAD", "ref: refs/heads/main\n");
    memory.write("/r/pkg/util.py", sample.used.1);
    memory.write("/r/pkg/more.py", "def _other():\n    return 3\n");
    memory.write("/r/main.py", sample.user.1);
    let host = Host { files: memory.clone(), ..Host::at("/r") };
    let said = said_in(host, &[call("refactor", json!({"kind": "delete_unused", "path": "pkg/util.py"}))]);
    assert!(said.contains("_lonely: 1 certain"), "{said}");
    let text = |path: &str| String::from_utf8(memory.read(path.as_ref(), 1 << 20).expect(path)).expect("UTF-8");
    assert_eq!(text("/r/pkg/util.py"), "def helper():\n    return 1\n");
    assert_eq!(text("/r/pkg/more.py"), "def _other():\n    return 3\n");
    let host = Host { files: memory.clone(), ..Host::at("/r") };
    let said = said_in(host, &[call("refactor", json!({"kind": "delete_unused", "symbol": "_other"}))]);
    assert!(said.starts_with("ERROR") && said.contains("`delete_unused` has no field `symbol`"), "{said}");
    assert_eq!(text("/r/pkg/more.py"), "def _other():\n    return 3\n");
    let host = Host { files: memory.clone(), ..Host::at("/r") };
    let rename = json!({"kind": "rename", "symbol": "helper", "to": "aid", "path": "pkg/util.py", "force": true});
    let said = said_in(host, &[call("refactor", rename)]);
    assert!(text("/r/main.py").contains("print(aid())"), "{said}");
}

/// `xargs` without input names no file; that is not the working directory.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_xargs_finds_empty_is_nothing() {
    let place = Place::new();
    place.write("a.py", "print(1)\n");
    place.write("script.toml", "[[step]]\nselect = \"call#print\"\nreplace = \"log(1)\"\n");
    let through = |input: &str, words: &[&str]| {
        let program = place.command(words);
        let mut command = std::process::Command::new("xargs");
        command.arg(program.get_program()).args(program.get_args()).current_dir(place.path("."));
        let pipe = std::process::Stdio::piped;
        command.stdin(pipe()).stdout(pipe()).stderr(pipe());
        for (name, value) in program.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        super::cli::ended(command, Some(input))
    };
    for words in [
        &["find", "call"][..],
        &["rewrite", "-p", "print($A)", "log($A)", "--write"],
        &["run", "script.toml", "--write"],
        &["outline"],
        &["chunk"],
        &["check"],
    ] {
        let run = through("", words);
        assert!(run.stderr.contains("xargs has named no file"), "{words:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(place.read("a.py"), "print(1)\n");
    }
    let run = through("a.py", &["rewrite", "-p", "print($A)", "log($A)", "--write"]);
    assert_eq!(place.read("a.py"), "log(1)\n", "{}", run.stderr);
}

#[test]
fn a_field_of_another_kind_is_an_error() {
    let all = serde_json::to_value(RefactorRequest::rename("a", "b")).expect("plain data");
    let common = [
        "kind",
        "targets",
        "write",
        "dry_run",
        "include",
        "leave_undetermined",
        "strings",
        "force",
        "verify",
        "decide",
        "reading",
    ];
    let values = [
        ("symbol", json!("x")),
        ("symbols", json!(["x"])),
        ("to", json!("x")),
        ("add", json!("x")),
        ("at", json!(1)),
        ("value", json!("true")),
        ("remove", json!("x")),
        ("reorder", json!(["x"])),
        ("range", json!("a.py:1")),
        ("all", json!(true)),
        ("path", json!("a.py")),
        ("mentions", json!(true)),
        ("file", json!(true)),
        ("keep_alias", json!(true)),
        ("parts", json!(["x"])),
        ("members", json!(["x"])),
        ("code", json!("x")),
        ("engine", json!("lsp")),
        ("rename", json!("x=y")),
        ("keyword_only", json!("x")),
    ];
    // Every field of the request is one of these.
    let schema =
        &Methods::all().methods.iter().find(|method| method.name.as_str() == "refactor").expect("it is there").params;
    for field in schema["properties"].as_object().expect("it has fields").keys() {
        assert!(common.contains(&field.as_str()) || values.iter().any(|(name, _)| name == field), "{field}");
    }
    assert!(all["kind"] == "rename");
    let memory = Arc::new(Memory::default());
    memory.write("/p/a.py", "def used():\n    pass\n\n\nused()\n");
    let engine = Engine::new(Host { files: memory, ..Host::at("/p") });
    let (mut refused, mut known) = (0, 0);
    for kind in RefactorKind::ALL {
        for (field, value) in &values {
            let answer = ask(&engine, "refactor", &json!({"kind": kind.as_str(), *field: value}));
            let message = answer.err().map(|error| error["error"]["message"].as_str().unwrap_or_default().to_owned());
            match message {
                Some(message) if message.contains(&format!("`{kind}` has no field `{field}`")) => refused += 1,
                _ => known += 1,
            }
        }
    }
    assert_eq!((refused, known), (RefactorKind::ALL.len() * values.len() - 42, 42));
    // A program that fills in every field of the schema leaves the others empty; a field that no kind has is an error even so.
    let filled = json!({"kind": "delete_file", "symbol": "a.py", "symbols": [], "to": "", "all": false, "at": null});
    let done = ask(&engine, "refactor", &filled).expect("empty fields say nothing");
    assert_eq!(done["files"][0]["deleted"], true, "{done}");
    let missing = json!({"kind": "rename", "symbol": "used"});
    let error = Request::read("refactor", missing.as_object().expect("an object").clone()).expect_err("where to?");
    let UnreadRequest::WrongField { message, hint } = error else { panic!("{error}") };
    assert_eq!(message, "`rename`: missing field `to`");
    assert!(hint.is_some_and(|hint| hint.starts_with("the fields of this kind are `symbol`, `to`, `mentions`")));
    let error = ask(&engine, "refactor", &json!({"kind": "inline", "symbol": "used", "toto": ""})).unwrap_err();
    assert!(error["error"]["message"].as_str().is_some_and(|message| message.contains("toto")), "{error}");
}

#[test]
fn places_that_are_included_are_files_not_texts() {
    let files = [
        ("/r/.git/HEAD", ""),
        ("/r/pkg/a.py", "class A:\n    def go(self):\n        pass\n\n\ndef f(x):\n    x.go()\n"),
    ];
    let rename = |at: &str, place: &str| {
        let memory = Arc::new(Memory::default());
        files.iter().for_each(|(path, text)| memory.write(path, *text));
        let engine = Engine::new(Host { files: memory, ..Host::at(at) });
        let request =
            json!({"kind": "rename", "symbol": "A.go", "to": "run", "include": [place], "leave_undetermined": true});
        ask(&engine, "refactor", &request)
            .map(|answer| answer["included"].as_u64().unwrap_or(0))
            .map_err(|error| error["error"]["message"].as_str().unwrap_or_default().to_owned())
    };
    for (at, place) in [
        ("/r", "pkg/a.py:7"),
        ("/r", "./pkg/a.py:7"),
        ("/r", "/r/pkg/a.py:7"),
        ("/r", "pkg/../pkg/a.py:7:7"),
        ("/r/pkg", "a.py:7"),
        ("/r/pkg", "./a.py:7:7"),
        ("/r/pkg", "pkg/a.py:7"),
    ] {
        assert_eq!(rename(at, place), Ok(1), "{place} in {at}");
    }
    assert_eq!(rename("/r", "pkg/a.py:1"), Err("not applied: no uncertain reference is at `pkg/a.py:1`".to_owned()));
    assert_eq!(
        rename("/r", "pkg/a.py:7:1"),
        Err("not applied: no uncertain reference is at `pkg/a.py:7:1`".to_owned())
    );
    assert!(
        rename("/r", "nosuch.py:1").is_err_and(|message| message.contains("`nosuch.py` is not a file of the project"))
    );
    assert_eq!(rename("/r", "pkg/a.py"), Err("not applied: `pkg/a.py` is not a place".to_owned()));
}

#[test]
fn an_empty_list_is_not_everything() {
    // What a request is about: without the field, all are meant.
    let names = ["targets", "scripts", "nodes"];
    let mut refused = 0;
    for method in &Methods::all().methods {
        let Some(properties) = method.params["properties"].as_object() else { continue };
        let lists = properties.keys().filter(|name| names.contains(&name.as_str())).map(|name| json!({name: []}));
        for lists in lists {
            let (name, empty) = lists.as_object().and_then(|lists| lists.iter().next()).expect("one field");
            let mut params = json!({name: empty});
            for required in method.params["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                params[required] = match required {
                    "kind" => json!("delete_unused"),
                    "target" => json!("a.py"),
                    "format" => json!("scip"),
                    "script" => json!({"text": ""}),
                    "operations" => json!([]),
                    _ => json!("x"),
                };
            }
            let read = serde_json::from_value::<Request>(json!({"method": method.name.as_str(), "params": params}));
            let message = read.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains("an empty list names nothing"), "{} {params}: {message}", method.name);
            refused += 1;
        }
    }
    assert!(refused >= 20, "{refused}");
    // The changes since a revision are not those of no symbol; what was written last is not what wrote no tree.
    for (method, params) in [("impact", json!({"symbols": []})), ("undo", json!({"tree_ids": []}))] {
        let read = serde_json::from_value::<Request>(json!({"method": method, "params": params}));
        assert!(read.is_err_and(|error| error.to_string().contains("an empty list names nothing")), "{method}");
    }
    // An empty list of conditions is no condition.
    let find = json!({"method": "find", "params": {"selector": "call", "define": [], "reading": {"glob": []}}});
    assert!(serde_json::from_value::<Request>(find).is_ok());
}

/// A sample on the disk, in a repository that ignores some files.
fn on_disk(sample: &Sample, ignored: &str, user: &str) -> Place {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write(".gitignore", ignored);
    place.write("go.mod", "module example.org/m\n");
    place.write("Cargo.toml", "[package]\nname = \"m\"\n");
    place.write(sample.used.0, sample.used.1);
    place.write(sample.user.0, user);
    place
}

/// What git ignores is not searched, and the answer says which of it contains the name.
#[test]
fn ignored_files_with_the_name_are_named() {
    let mut count = 0;
    for sample in SAMPLES {
        let user = sample.user.0;
        let place = on_disk(sample, &format!("{user}\nbuild/\n"), sample.user.1);
        // What a tool has made repeats the names, and says nothing new.
        place.write(&format!("build/{user}"), sample.user.1);
        let helper = sample.helper();
        let found = place.run(&["refs", helper, "--json"]).json();
        assert_eq!(found["project"]["ignored"], json!([user]), "{}: {found}", sample.language);
        let said = place.run(&["refs", helper]);
        let notice = format!("`{user}` contains the name, but git ignores it: it is not searched");
        assert!(said.stderr.contains(&notice), "{}", said.stderr);
        let planned = place.run(&["refactor", "rename", helper, "assist"]);
        assert!(planned.stderr.contains(&notice), "{}: {}", sample.language, planned.stderr);
        let other = place.run(&["refs", "lonely", "--json"]);
        assert!(!other.stdout.contains("ignored"), "{}", other.stdout);
        count += 1;
    }
    assert!(count >= 6);
}

/// A file that is not looked at may use what it names, so nothing about that is certain; nor about anything, if it cannot be read.
#[test]
fn files_that_are_not_looked_at_leave_names_uncertain() {
    let mut count = 0;
    for sample in SAMPLES {
        let (helper, user) = (sample.helper(), sample.user.0);
        let comment = if sample.language == "python" { "#" } else { "//" };
        let large = format!("{}{}", sample.user.1, format!("{comment} padding padding padding\n").repeat(200_000));
        let latin = format!("{}{comment} \u{e9}\n", sample.user.1);
        let latin: Vec<u8> = latin.chars().map(|sign| u8::try_from(u32::from(sign)).expect("latin-1")).collect();
        for (why, bytes) in [("more than the limit", large.into_bytes()), ("not utf-8", latin)] {
            let place = on_disk(sample, "", "");
            std::fs::write(place.path(user), bytes).expect("it can be written");
            let refused = place.run(&["refactor", "rename", helper, "assist", "--json"]).expect(2).json();
            assert_eq!(refused["error"]["code"], "undetermined", "{}: {refused}", sample.language);
            let places = refused["error"]["places"].as_array().expect("they are listed");
            let unread: Vec<&Value> = places.iter().filter(|place| place["path"] == user).collect();
            assert_eq!(unread.len(), 1, "{}: {refused}", sample.language);
            assert!(unread[0]["why"].as_str().expect("it says why").contains(why), "{refused}");
            let unused = place.run(&["unused", "--certain", "--json"]).stdout;
            assert!(!unused.contains(&format!("\"{helper}\"")), "{}: {unused}", sample.language);
            // What it does not name is as certain as before.
            let other = place.run(&["refactor", "rename", "lonely", "alone", "--json"]).json();
            assert_ne!(other["error"]["code"], "undetermined", "{}: {other}", sample.language);
            count += 1;
        }
    }
    assert!(count >= 12);
}
