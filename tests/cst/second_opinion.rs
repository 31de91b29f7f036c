//! Second opinions: a rename that a language server has to agree with. The server is this test program, started again as a test
//! that speaks the protocol, well or badly.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cst::Host;
use cst::engine::{Engine, Observer, Request};
use serde_json::{Value, json};

/// The variable of the environment that says what the server does.
const MANNER: &str = "CST_FAKE_SERVER";
/// The file into which the server writes the number of its process.
const PROCESS: &str = "CST_FAKE_PROCESS";

const SHOP: &str = "class Stock:\n    def size(self):\n        return 1\n\n\ndef fill(stock: Stock, other):\n    return \"😀\", stock.size(), other.size()  # a size\n\n\ndef pack(size):\n    return (size)\n";
const MAIN: &str = "from shop import Stock\n\nprint(Stock().size())\n";

/// A project, and a user's configuration with the server.
struct Code {
    folder: tempfile::TempDir,
}

impl Code {
    fn new(manner: &str) -> Code {
        Code::with(manner, "timeout = 30")
    }

    /// The same with more keys for the server.
    fn with(manner: &str, keys: &str) -> Code {
        let folder = tempfile::tempdir().expect("a folder");
        let program = std::env::current_exe().expect("this program has a path");
        // The test harness writes to standard output, so the server has another way.
        let line = format!(
            "{MANNER}={manner} {PROCESS}={}/process exec \"$0\" --exact second_opinion::fake_server --ignored --nocapture 3>&1 >/dev/null",
            folder.path().display()
        );
        let command = format!("sh -c '{line}' '{}'", program.display());
        let code = Code { folder };
        code.write("user/config.toml", &format!("[servers.python]\ncommand = '''{command}'''\n{keys}\n"));
        code.write("p/shop.py", SHOP);
        code.write("p/main.py", MAIN);
        code
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, text).expect("it can be written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).expect("the file")
    }

    fn host(&self) -> Host {
        Host { configuration: Some(self.folder.path().join("user")), ..Host::at(self.folder.path().join("p")) }
    }

    fn ask(&self, host: Host, more: &Value) -> Result<Value, Value> {
        let mut params = json!({"kind": "rename", "symbol": "Stock.size", "to": "count", "engine": "lsp"});
        let fields = more.as_object().expect("an object").clone();
        params.as_object_mut().expect("an object").extend(fields);
        let request = serde_json::from_value::<Request>(json!({"method": "refactor", "params": params}))
            .map_err(|error| json!({"code": "bad_request", "message": error.to_string()}))?;
        let response = Engine::new(host).handle(request).map_err(|error| error.to_json()["error"].clone())?;
        Ok(serde_json::to_value(response).expect("a response is plain data"))
    }

    /// The answer, and the new texts of both files.
    #[track_caller]
    fn renamed(&self, more: &Value) -> Value {
        let mut more = more.clone();
        more["write"] = json!(true);
        self.ask(self.host(), &more).unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// The code of the error, its message, and its places with their reasons.
    #[track_caller]
    fn refused(&self, more: &Value) -> (String, String, Vec<String>) {
        let error = self.ask(self.host(), more).expect_err("it is refused");
        assert_eq!((self.read("p/shop.py"), self.read("p/main.py")), (SHOP.to_owned(), MAIN.to_owned()));
        let places = error["places"].as_array().cloned().unwrap_or_default();
        let place = |place: &Value| {
            format!(
                "{}:{}:{} {}",
                place["path"].as_str().unwrap(),
                place["line"],
                place["col"],
                place["why"].as_str().unwrap()
            )
        };
        let word = |key: &str| error[key].as_str().expect("text").to_owned();
        (word("code"), word("message"), places.iter().map(place).collect())
    }

    /// Refused with this code, these words in the message, and these places.
    #[track_caller]
    fn check_refused(&self, code: &str, words: &str, places: &[&str]) {
        let (found, message, listed) = self.refused(&json!({}));
        assert_eq!(found, code, "{message}");
        assert!(message.contains(words), "no `{words}` in {message}");
        assert_eq!(listed, places, "{message}");
    }
}

/// Both say the same, and the server knows one more place, which is not certain without it.
#[test]
fn what_both_know_is_renamed() {
    for manner in ["full", "documents", "characters", "wide", "late", "busy", "stubborn"] {
        let code =
            Code::with(manner, "timeout = 30\nsettings = { python = { strict = true } }\noptions = { fast = 1 }");
        let answer = code.renamed(&json!({}));
        assert_eq!(answer["certain"], 3, "{manner}: {answer:#}");
        let opinion = &answer["second_opinion"];
        assert_eq!((&opinion["places"], &opinion["only_server"]), (&json!(4), &json!(1)), "{manner}");
        assert!(opinion["server"].as_str().expect("text").starts_with("sh -c"), "{manner}");
        assert_eq!(answer["left"], Value::Null, "{manner}");
        let shop = SHOP.replace("def size", "def count").replace(".size()", ".count()");
        assert_eq!((code.read("p/shop.py"), code.read("p/main.py")), (shop, MAIN.replace("size", "count")), "{manner}");
        // Nothing stays behind.
        let process = code.read("process");
        let is_alive = Command::new("sh").args(["-c", &format!("kill -0 {process} 2>/dev/null")]).status();
        assert!(!is_alive.expect("a shell").success(), "{manner}: process {process} is still there");
    }
}

/// Line endings, marks, characters of four bytes, addresses with signs, and a folder behind a link.
#[test]
fn files_are_found_whatever_they_are_called() {
    const PATH: &str = "p/a dir [x]/c%20é.py";
    for manner in ["full", "resolved"] {
        let code = Code::new(manner);
        code.write(PATH, "\u{feff}from shop import Stock\r\n\r\nx = (\"😀é\", Stock().size())\r\n");
        std::os::unix::fs::symlink(code.folder.path().join("p"), code.folder.path().join("link")).expect("a link");
        let host =
            Host { configuration: Some(code.folder.path().join("user")), ..Host::at(code.folder.path().join("link")) };
        let answer = code.ask(host, &json!({"write": true})).unwrap_or_else(|error| panic!("{manner}: {error:#}"));
        assert_eq!((&answer["certain"], &answer["second_opinion"]["places"]), (&json!(4), &json!(5)), "{manner}");
        assert_eq!(code.read(PATH), "\u{feff}from shop import Stock\r\n\r\nx = (\"😀é\", Stock().count())\r\n");
    }
}

#[test]
fn a_place_that_is_certain_must_not_be_missing() {
    let why = "main.py:3:15 certain, but the language server does not rename it";
    let code = Code::with("partly", "timeout = 8");
    code.check_refused("disagreement", "does not rename 1 of 3 certain references, e.g. main.py:3:15", &[why]);
    let all = [
        why,
        "shop.py:2:9 certain, but the language server does not rename it",
        "shop.py:7:23 certain, but the language server does not rename it",
    ];
    Code::with("nothing", "timeout = 8").check_refused("disagreement", "renames nothing", &all);
    Code::with("refuses", "timeout = 8").check_refused(
        "disagreement",
        "does not rename it: you cannot rename this",
        &all,
    );
}

/// Places that only the server knows change if they are named.
#[test]
fn a_place_that_is_not_known_is_a_question() {
    let places = ["shop.py:10:10", "shop.py:11:13"].map(|place| format!("{place} only the language server renames it"));
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let code = Code::new("elsewhere");
    code.check_refused("undetermined", "2 references are uncertain", &places);
    let answer = code.renamed(&json!({"leave_undetermined": true}));
    assert_eq!(answer["left"].as_array().map(Vec::len), Some(2));
    assert!(code.read("p/shop.py").contains("other.count()"));
    assert!(code.read("p/shop.py").ends_with("def pack(size):\n    return (size)\n"));
    let code = Code::new("elsewhere");
    let answer = code.renamed(&json!({"include": ["shop.py:10", "shop.py:11:13"]}));
    assert_eq!((&answer["included"], &answer["second_opinion"]["only_server"]), (&json!(2), &json!(1)));
    assert!(code.read("p/shop.py").ends_with("def pack(count):\n    return (count)\n"));
    // The binding gate sees what the server does not.
    let (error, message, _) =
        Code::new("elsewhere").refused(&json!({"include": ["shop.py:10"], "leave_undetermined": true}));
    assert_eq!(error, "would_rebind", "{message}");
    // A reference that the server itself does not rename.
    let why = "only the language server has it as a reference";
    let places = ["shop.py:10:10", "shop.py:11:13"].map(|place| format!("{place} {why}"));
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    Code::new("references").check_refused("undetermined", "2 references", &places);
}

/// Comments stay as they are, as they do without a server.
#[test]
fn comments_are_listed() {
    let code = Code::new("comments");
    let answer = code.renamed(&json!({}));
    assert_eq!((&answer["left"][0]["line"], &answer["left"][0]["col"]), (&json!(7), &json!(49)));
    assert_eq!(answer["left"][0]["why"], "only the language server renames it");
    assert!(code.read("p/shop.py").contains("other.count()  # a size\n"));
    let code = Code::new("comments");
    let answer = code.renamed(&json!({"include": ["shop.py:7"]}));
    assert_eq!((&answer["included"], &answer["second_opinion"]["only_server"]), (&json!(1), &json!(1)));
    assert!(code.read("p/shop.py").contains("other.count()  # a count\n"), "{}", code.read("p/shop.py"));
}

#[test]
fn an_edit_that_is_not_the_renaming_is_refused() {
    let written = |place: &str| format!("{place} the language server writes `count(`, not `count`");
    let places = ["main.py:3:15", "shop.py:2:9", "shop.py:7:23", "shop.py:7:37"].map(written);
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    Code::new("breaks").check_refused("disagreement", "writes something else at 4 places", &places);
    let place = "main.py:1:1 the language server writes `import os\n`, which is not a renaming";
    Code::new("adds").check_refused("disagreement", "writes something else than the new name at 1 place", &[place]);
    let (code, message, places) = Code::new("outside").refused(&json!({}));
    assert_eq!(code, "disagreement", "{message}");
    assert!(places[0].contains("elsewhere/other.py:1:1 the language server edits what is not a file of the project"));
    Code::new("moves").check_refused("server_failed", "it makes, moves or deletes files", &[]);
    Code::new("version").check_refused("server_failed", "it edits another version of a file", &[]);
    Code::new("range").check_refused("server_failed", "there is no place main.py:9000:1", &[]);
    Code::new("columns").check_refused("server_failed", "there is no place main.py:1:401", &[]);
}

#[test]
fn a_server_that_does_not_answer_is_left() {
    Code::new("crashes").check_refused("server_failed", "ended without an answer (it says: out of memory)", &[]);
    Code::new("garbage").check_refused(
        "server_failed",
        "does not speak the language server protocol: it writes `Welcome!",
        &[],
    );
    Code::new("nonsense").check_refused("server_failed", "a message that is not JSON", &[]);
    Code::new("huge").check_refused("server_failed", "writes more than 64 MiB", &[]);
    Code::new("invalid").check_refused("server_failed", "gave an answer that is not valid", &[]);
    Code::with("silent", "timeout = 1").check_refused("server_failed", "gave no settled answer in 1 seconds", &[]);
    Code::with("never", "timeout = 2").check_refused("server_failed", "gave no settled answer in 2 seconds", &[]);
    let code = Code::new("full");
    code.write("user/config.toml", "[servers.python]\ncommand = \"no-such-server-anywhere\"\n");
    code.check_refused("server_failed", "`no-such-server-anywhere` cannot be started", &[]);
}

#[test]
fn it_can_be_cancelled() {
    struct Impatient(Instant);
    impl Observer for Impatient {
        fn is_cancelled(&self) -> bool {
            self.0.elapsed() > Duration::from_millis(1500)
        }
    }
    let code = Code::new("silent");
    let host = Host { observer: Arc::new(Impatient(Instant::now())), ..code.host() };
    let error = code.ask(host, &json!({})).expect_err("it is cancelled");
    assert_eq!(error["code"], "cancelled");
}

/// A program runs only if the user's own configuration names it.
#[test]
fn only_the_user_names_servers() {
    let code = Code::new("full");
    let servers = code.read("user/config.toml");
    code.write("user/config.toml", "");
    code.check_refused("bad_request", "no language server is configured for python", &[]);
    code.write("p/.cst/config.toml", &servers);
    code.check_refused("bad_request", "no language server is configured for python", &[]);
    let error = Engine::new(Host { state: Some(code.folder.path().join("state")), ..code.host() })
        .trust(&code.folder.path().join("p"))
        .expect_err("it cannot be trusted");
    assert!(error.message.contains("a project cannot name language servers in line 1"), "{error}");
    assert!(!code.folder.path().join("process").exists());
    for (text, words) in [
        ("servers = 1\n", "`servers` is a table of languages in line 1"),
        ("[servers]\npython = \"pyright\"\n", "`python` is not a table in line 2"),
        ("[servers.klingon]\ncommand = \"x\"\n", "klingon"),
        ("[servers.python]\ntimeout = 3\n", "`python` lacks `command` in line 1"),
        ("[servers.python]\ncommand = [\"x\"]\n", "`command` is a string in line 2"),
        ("[servers.python]\ncommand = \"'x\"\n", "an unclosed quote in line 2"),
        ("[servers.python]\ncommand = \"x\"\ntimeout = 0\n", "`timeout` is a number of seconds in line 3"),
        ("[servers.python]\ncommand = \"x\"\noptions = 1\n", "`options` is a table in line 3"),
        ("[servers.python]\ncommand = \"x\"\nport = 1\n", "unknown key `port` in line 3"),
    ] {
        code.write("user/config.toml", text);
        code.check_refused("bad_request", words, &[]);
    }
}

#[test]
fn only_renames_have_a_second_opinion() {
    let code = Code::new("full");
    let (code, message, _) = code.refused(&json!({"kind": "delete_unused", "symbol": "", "to": ""}));
    assert_eq!(code, "bad_request", "{message}");
}

/// What a place is: a line and a column, both from 0.
type Place = (usize, usize);

/// The server: knows each word of the opened files.
struct Server {
    manner: String,
    input: BufReader<std::io::Stdin>,
    output: File,
    /// The opened files: address and text.
    files: Vec<(String, String)>,
    renamed: usize,
    /// Messages that came before an answer.
    early: Vec<Value>,
}

impl Server {
    fn is(&self, manner: &str) -> bool {
        self.manner == manner
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        write!(self.output, "content-length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len())
            .expect("the client reads");
    }

    fn receive(&mut self) -> Option<Value> {
        if self.early.is_empty() { self.read() } else { Some(self.early.remove(0)) }
    }

    fn read(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.input.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some((_, value)) => length = value.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.input.read_exact(&mut body).ok()?;
        serde_json::from_slice(&body).ok()
    }

    /// What the client answers.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(json!({"id": "question", "method": method, "params": params}));
        loop {
            let message = self.read().expect("an answer");
            if message["id"] == "question" {
                return message["result"].clone();
            }
            self.early.push(message);
        }
    }

    fn open(&mut self, message: &Value) {
        let document = &message["params"]["textDocument"];
        assert_eq!(document["languageId"], "python");
        let word = |key: &str| document[key].as_str().expect("text").to_owned();
        self.files.push((word("uri"), word("text")));
    }

    fn width(&self, character: char) -> usize {
        match self.manner.as_str() {
            "documents" => character.len_utf8(),
            "characters" => 1,
            _ => character.len_utf16(),
        }
    }

    /// The places of a word in a text: not of the parameter that has this name, nor in comments, unless `more` says so.
    fn places(&self, text: &str, word: &str, more: &str) -> Vec<Place> {
        let is_more = ["elsewhere", "references"].contains(&more);
        let mut places = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let code = if more == "comments" { line } else { line.split('#').next().unwrap_or(line) };
            for (at, _) in code.match_indices(word) {
                let is_part = |character: char| character.is_alphanumeric();
                let is_other = code[..at].ends_with('(') && !is_more;
                if !is_other && !code[..at].ends_with(is_part) && !code[at + word.len()..].starts_with(is_part) {
                    places.push((number, code[..at].chars().map(|character| self.width(character)).sum()));
                }
            }
        }
        places
    }

    fn word_at(&self, params: &Value) -> String {
        let (uri, place) = (&params["textDocument"]["uri"], &params["position"]);
        let (_, text) = self.files.iter().find(|(known, _)| uri == known).expect("the file is open");
        let line = text.lines().nth(place["line"].as_u64().expect("a line") as usize).expect("the line");
        let mut left = place["character"].as_u64().expect("a column") as usize;
        let mut rest = line.chars();
        while left > 0 {
            left -= self.width(rest.next().expect("the column"));
        }
        rest.as_str().chars().take_while(|character| character.is_alphanumeric()).collect()
    }

    fn references(&self, word: &str, more: &str) -> Vec<Value> {
        let mut found = Vec::new();
        for (uri, text) in &self.files {
            for (line, column) in self.places(text, word, more) {
                found.push(json!({"uri": uri, "range": range(line, column, column + word.len())}));
            }
        }
        found
    }

    fn rename(&mut self, params: &Value) -> Value {
        self.renamed += 1;
        let (word, new) = (self.word_at(params), params["newName"].as_str().expect("a name").to_owned());
        // `references` knows more than it renames.
        let more = if self.is("references") { "" } else { &self.manner };
        let mut places = self.references(&word, more);
        let is_early = self.is("late") && self.renamed < 4 || self.is("busy") && self.renamed < 3;
        if is_early || self.is("partly") {
            places.retain(|place| !place["uri"].as_str().expect("text").ends_with("main.py"));
        }
        if self.is("busy") && self.renamed == 3 {
            self.send(json!({"method": "$/progress", "params": {"token": 7, "value": {"kind": "end"}}}));
        }
        let main = self.files.iter().find(|(uri, _)| uri.ends_with("main.py")).map(|(uri, _)| uri.clone());
        let more = |range: Value| json!({"uri": main, "range": range});
        match self.manner.as_str() {
            "nothing" => return Value::Null,
            "invalid" => return json!({"changes": [1, 2]}),
            "never" => places.truncate(1 + self.renamed % 2),
            "outside" => places.push(json!({"uri": "file:///elsewhere/other.py", "range": range(0, 0, 4)})),
            "range" => places.push(more(range(8999, 0, 4))),
            "columns" => places.push(more(range(0, 400, 404))),
            _ => {}
        }
        let mut changes = serde_json::Map::new();
        for place in &places {
            let (mut place, mut text) = (place.clone(), new.clone());
            if self.is("breaks") {
                text.push('(');
            }
            if self.is("wide") {
                // With the bracket behind the name.
                let end = place["range"]["end"]["character"].as_u64().expect("a column");
                place["range"]["end"]["character"] = json!(end + 1);
                text.push('(');
            }
            let mut uri = place["uri"].as_str().expect("text").to_owned();
            if self.is("resolved") {
                uri = uri.replace("/link/", "/p/");
            }
            let edit = json!({"range": place["range"].take(), "newText": text});
            let edits = changes.entry(uri).or_insert_with(|| json!([]));
            edits.as_array_mut().expect("a list").push(edit);
        }
        if self.is("adds") {
            let edit = json!({"range": range(0, 0, 0), "newText": "import os\n"});
            changes[&main.expect("it is open")].as_array_mut().expect("a list").push(edit);
        }
        if !["documents", "moves", "version"].contains(&self.manner.as_str()) {
            return json!({"changes": changes});
        }
        let version = if self.is("version") { 5 } else { 1 };
        let documents = changes.into_iter();
        let mut documents: Vec<Value> = documents
            .map(|(uri, edits)| json!({"textDocument": {"uri": uri, "version": version}, "edits": edits}))
            .collect();
        if self.is("moves") {
            documents.push(json!({"kind": "rename", "oldUri": "file:///a.py", "newUri": "file:///b.py"}));
        }
        json!({"documentChanges": documents, "changes": {"file:///ignored.py": []}})
    }

    fn answer(&mut self, method: &str, params: &Value) -> Value {
        match method {
            "initialize" => {
                let unit = match self.manner.as_str() {
                    "documents" => json!("utf-8"),
                    "characters" => json!("utf-32"),
                    _ => Value::Null,
                };
                let root = params["rootUri"].as_str().expect("a folder");
                assert!(root.ends_with("/p") || root.ends_with("/link"), "{root}");
                json!({"capabilities": {"positionEncoding": unit, "renameProvider": true}})
            }
            "textDocument/references" => {
                json!(self.references(&self.word_at(params), &self.manner))
            }
            "textDocument/rename" => self.rename(params),
            _ => Value::Null,
        }
    }

    fn run(&mut self) {
        while let Some(message) = self.receive() {
            let Some(method) = message["method"].as_str().map(str::to_owned) else { continue };
            match (method.as_str(), self.manner.as_str()) {
                (_, "silent") => continue,
                ("textDocument/rename", "crashes") => {
                    eprintln!("out of memory");
                    return;
                }
                ("exit" | "shutdown", "stubborn") => continue,
                ("exit", _) => return,
                ("textDocument/didOpen", _) => self.open(&message),
                ("initialized", "busy") => {
                    self.ask("window/workDoneProgress/create", &json!({"token": 7}));
                    let begin = json!({"kind": "begin", "title": "indexing"});
                    self.send(json!({"method": "$/progress", "params": {"token": 7, "value": begin}}));
                }
                ("initialized", "documents") => {
                    let items = json!([{"section": "python.strict"}, {"section": "other"}]);
                    let settings = self.ask("workspace/configuration", &json!({ "items": items }));
                    assert_eq!(settings, json!([true, null]));
                    assert_eq!(self.ask("client/registerCapability", &json!({"registrations": []})), Value::Null);
                    assert_eq!(self.ask("workspace/applyEdit", &json!({"edit": {}}))["applied"], false);
                    assert_eq!(self.ask("no/such/method", &json!({})), Value::Null);
                }
                _ => {}
            }
            let Some(id) = message.get("id") else { continue };
            if method == "initialize" && self.is("documents") {
                assert_eq!(message["params"]["initializationOptions"], json!({"fast": 1}));
            }
            if method == "textDocument/rename" && self.is("refuses") {
                self.send(json!({"id": id, "error": {"code": -32600, "message": "you cannot rename this"}}));
                continue;
            }
            let result = self.answer(&method, &message["params"]);
            self.send(json!({"id": id, "result": result}));
        }
    }
}

fn range(line: usize, start: usize, end: usize) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

/// The server's process; nothing, unless another test starts it.
#[test]
#[ignore = "it is the server that the other tests start"]
fn fake_server() {
    let Ok(manner) = std::env::var(MANNER) else { return };
    if let Ok(path) = std::env::var(PROCESS) {
        fs::write(Path::new(&path), std::process::id().to_string()).expect("it can be written");
    }
    let mut output = fs::OpenOptions::new().write(true).open("/dev/fd/3").expect("a way to the client");
    let raw: &[u8] = match manner.as_str() {
        "garbage" => b"Welcome! This is a server of something else.\n",
        "nonsense" => b"Content-Length: 5\r\n\r\nhello",
        "huge" => b"Content-Length: 99999999999\r\n\r\n{",
        _ => b"",
    };
    output.write_all(raw).expect("the client reads");
    let input = BufReader::new(std::io::stdin());
    Server { manner, input, output, files: Vec::new(), renamed: 0, early: Vec::new() }.run();
}
