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
        ("{ rename = \"app.server.handle\", too = \"b\" }", "unknown field `too`"),
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
