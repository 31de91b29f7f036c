//! Refactors as steps of scripts: they go through all files, in order with the other steps, and all is written at once.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Memory, Request};
use serde_json::{Value, json};

const APP: [(&str, &str); 3] = [
    (
        "app/server.py",
        "import os\n\n\ndef handle(request):\n    print(request)\n    return request\n\n\ndef unused():\n    pass\n",
    ),
    ("app/main.py", "from app.server import handle\n\nhandle(1)\n"),
    ("tests/test_app.py", "from app import server\n\n\ndef test_it():\n    print(server.handle(2))\n"),
];

fn project() -> (Arc<Memory>, Engine) {
    let memory = Arc::new(Memory::default());
    for (path, text) in APP {
        memory.write(format!("/p/{path}"), text);
    }
    let engine = Engine::new(Host { files: memory.clone(), ..Host::at("/p") });
    (memory, engine)
}

fn ask(engine: &Engine, method: &str, params: &Value) -> Result<Value, Value> {
    let request: Request = serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
    let answer = engine.handle(request).map_err(|error| error.to_json())?;
    Ok(serde_json::to_value(answer).expect("plain data"))
}

fn text(memory: &Memory, path: &str) -> Option<String> {
    let bytes = memory.read(format!("/p/{path}").as_ref(), u64::MAX).ok()?;
    Some(String::from_utf8(bytes).expect("text"))
}

const SCRIPT: &str = r#"
name = "serve"
language = "python"

[[step]]
refactor = { rename = "app.server.handle", to = "respond" }

[[step]]
select = 'call#print'
replace = "log(@args)"

[[step]]
refactor = { move = ["app.server.respond"], to = "app/answers.py" }

[[step]]
refactor = { organize_imports = "app" }
"#;

fn script(text: &str) -> String {
    text.replace("log(@args)", "log()")
}

#[test]
fn steps_and_refactors_follow_each_other() {
    let (memory, engine) = project();
    let params = json!({"script": {"text": script(SCRIPT)}, "targets": ["/p"], "write": true});
    let answer = ask(&engine, "run", &params).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(answer["written"], true, "{answer:#}");
    assert_eq!(
        text(&memory, "app/answers.py").as_deref(),
        Some("def respond(request):\n    log()\n    return request\n")
    );
    assert_eq!(text(&memory, "app/server.py").as_deref(), Some("def unused():\n    pass\n"));
    assert_eq!(text(&memory, "app/main.py").as_deref(), Some("from app.answers import respond\n\nrespond(1)\n"));
    assert_eq!(
        text(&memory, "tests/test_app.py").as_deref(),
        Some("from app import server\n\n\ndef test_it():\n    log()\n")
    );
    // One undo takes all of it back.
    let undo = json!({"transaction": answer["transaction"]});
    ask(&engine, "undo", &undo).unwrap_or_else(|error| panic!("{error:#}"));
    for (path, before) in APP {
        assert_eq!(text(&memory, path).as_deref(), Some(before), "{path}");
    }
    assert_eq!(text(&memory, "app/answers.py"), None);
}

#[test]
fn nothing_is_written_if_a_step_is_refused() {
    let (memory, engine) = project();
    let refused = format!("{}\n[[step]]\nrefactor = {{ rename = \"app.server.gone\", to = \"x\" }}\n", script(SCRIPT));
    let error =
        ask(&engine, "run", &json!({"script": {"text": refused}, "targets": ["/p"], "write": true})).unwrap_err();
    let message = error["error"]["message"].as_str().expect("words");
    assert!(message.contains("step 5, in line 18 of `script`: no definition `app.server.gone`"), "{message}");
    assert_eq!(text(&memory, "app/main.py").as_deref(), Some(APP[1].1));
    for (step, expected) in [
        ("{ rename = \"a\", move = \"b\" }", "a refactor has one of `rename`"),
        ("{ renam = \"a\" }", "a refactor has one of `rename`"),
        ("{ rename = \"app.server.handle\", too = \"b\" }", "`rename` has no field `too`"),
        ("{ rename = \"app.server.handle\", to = \"b\", write = true }", "are for the run, not for a step"),
    ] {
        let wrong = format!("name = \"x\"\nlanguage = \"python\"\n\n[[step]]\nrefactor = {step}\n");
        let error = ask(&engine, "run", &json!({"script": {"text": wrong}, "targets": ["/p"]})).unwrap_err();
        let message = error["error"]["message"].as_str().expect("words");
        assert!(message.contains(expected), "{message}");
    }
    let both = "name = \"x\"\n\n[[step]]\nrefactor = { rename = \"a\" }\nselect = 'call'\n";
    let error = ask(&engine, "run", &json!({"script": {"text": both}, "targets": ["/p"]})).unwrap_err();
    assert!(error["error"]["message"].as_str().expect("words").contains("`refactor`"), "{error:#}");
}

#[test]
fn other_steps_change_the_files_of_the_script() {
    let (memory, engine) = project();
    let limited = script(SCRIPT).replacen("language", "files = [\"tests/**\"]\nlanguage", 1);
    let params = json!({"script": {"text": limited}, "targets": ["/p"], "write": true});
    ask(&engine, "run", &params).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(text(&memory, "app/answers.py").is_some_and(|text| text.contains("print(request)")));
    assert!(text(&memory, "tests/test_app.py").is_some_and(|text| text.contains("log()")));
}

#[test]
fn their_tests_have_one_file() {
    let memory = Arc::new(Memory::default());
    let tested = r#"
name = "rename"
language = "python"

[[step]]
refactor = { rename = "handle", to = "respond" }

[[test]]
name = "renames the calls"
before = "def handle(): ...\nhandle()\n"
after = "def respond(): ...\nrespond()\n"

[[test]]
name = "expects something else"
before = "def handle(): ...\nhandle()\n"
after = "def handle(): ...\nrespond()\n"
"#;
    memory.write("/p/refactors/rename.toml", tested);
    let engine = Engine::new(Host { files: memory, ..Host::at("/p") });
    let answer = ask(&engine, "test", &json!({})).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!((&answer["passed"], &answer["failed"]), (&json!(1), &json!(1)), "{answer:#}");
    assert_eq!(answer["tests"][1]["problems"], json!(["not what was expected"]));
}

#[test]
fn steps_make_move_and_delete_files() {
    let (memory, engine) = project();
    let steps = "name = \"files\"\nlanguage = \"python\"\n\n[[step]]\nrefactor = { create_file = \"app/new.py\", code = \"LIMIT = 3\\n\" }\n\n\
         [[step]]\nrefactor = { rename = \"app.new.LIMIT\", to = \"MOST\" }\n\n\
         [[step]]\nrefactor = { create_file = \"app/empty.py\" }\n\n\
         [[step]]\nrefactor = { create_file = \"app/unused.py\", code = \"x = 1\\n\" }\n\n\
         [[step]]\nrefactor = { delete_file = \"app/unused.py\" }\n\n\
         [[step]]\nrefactor = { delete_file = \"alone.py\" }\n";
    memory.write("/p/alone.py", "def nobody():\n    pass\n");
    let params = json!({"script": {"text": steps}, "targets": ["/p"], "write": true});
    let answer = ask(&engine, "run", &params).expect("the script");
    assert_eq!(text(&memory, "app/new.py").as_deref(), Some("MOST = 3\n"));
    assert_eq!(text(&memory, "app/empty.py").as_deref(), Some(""));
    assert_eq!(text(&memory, "app/unused.py"), None);
    assert_eq!(text(&memory, "alone.py"), None);
    ask(&engine, "undo", &json!({"transaction": answer["transaction"]})).expect("undo");
    assert_eq!(text(&memory, "app/new.py"), None);
    assert_eq!(text(&memory, "app/empty.py"), None);
    assert_eq!(text(&memory, "alone.py").as_deref(), Some("def nobody():\n    pass\n"));
}

#[test]
fn files_that_are_needed_are_not_deleted() {
    let (memory, engine) = project();
    let delete = |path: &str, force: bool| {
        let params = json!({"kind": "delete_file", "symbol": path, "force": force, "write": true});
        ask(&engine, "refactor", &params)
    };
    let error = delete("app/server.py", false).expect_err("it is imported");
    let places: Vec<&str> =
        error["error"]["places"].as_array().into_iter().flatten().filter_map(|row| row["path"].as_str()).collect();
    assert!(places.contains(&"app/main.py") && places.contains(&"tests/test_app.py"), "{error}");
    assert!(text(&memory, "app/server.py").is_some());
    for (path, part) in [("app/none.py", "is not a file"), ("../x.py", "is not in the project")] {
        let error = delete(path, false).expect_err(path).to_string();
        assert!(error.contains(part), "{error}");
    }
    delete("app/server.py", true).expect("it is forced");
    assert_eq!(text(&memory, "app/server.py"), None);
    for (path, code, part) in [
        ("app/main.py", "", "already exists"),
        ("app/new.py", "def (", "syntax error in line 1"),
        ("app/new.unknown", "", "is not known"),
        ("../new.py", "", "is not in the project"),
    ] {
        let params = json!({"kind": "create_file", "symbol": path, "code": code});
        let error = ask(&engine, "refactor", &params).expect_err(path).to_string();
        assert!(error.contains(part), "{error}");
    }
}
