//! JSON-RPC: the standard's rules, requests of the engine, cancellation, and the session store that several share.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use cst::Host;
use cst::engine::{Files, Listing, Memory, Metadata, Methods, Walk};
use cst::serve::{self, Framing};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// What was written, to look at when all is done.
#[derive(Clone, Default)]
pub(super) struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const SHOP: &str = "class Shop:\n    def open(self):\n        return 1\n\n    def close(self): pass\n";

/// A folder in memory with a file in it.
pub(super) fn host() -> Host {
    let files = Memory::default();
    files.write("/w/shop.py", SHOP);
    Host { files: Arc::new(files), ..Host::at("/w") }
}

fn answers_of(input: &[u8], framing: Framing) -> String {
    let output = Output::default();
    serve::rpc(host(), framing, io::Cursor::new(input.to_vec()), output.clone()).unwrap();
    output.text()
}

/// What is answered to lines.
fn answers(input: &str) -> String {
    answers_of(input.as_bytes(), Framing::Lines)
}

#[test]
fn the_standard_is_kept() {
    let trees = r#""method":"trees","jsonrpc":"2.0""#;
    // Ids of every kind come back as they were; without one nothing comes back.
    assert_snapshot!(answers(&format!("{{{trees},\"id\":0}}\n{{{trees},\"id\":\"a\"}}\n{{{trees}}}\n{{{trees},\"id\":null}}\n")), @r#"
    {"jsonrpc":"2.0","id":0,"result":{"schema":1,"trees":[]}}
    {"jsonrpc":"2.0","id":"a","result":{"schema":1,"trees":[]}}
    {"jsonrpc":"2.0","id":null,"result":{"schema":1,"trees":[]}}
    "#);
    assert_snapshot!(answers("{\"jsonrpc\": \"2.0\", \"method\"\n"), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON: EOF while parsing an object at line 1 column 27"}}"#);
    assert_snapshot!(answers("1\n{\"id\":1}\n{\"jsonrpc\":\"1.0\",\"id\":2,\"method\":\"trees\"}\n{\"jsonrpc\":\"2.0\",\"id\":[3],\"method\":\"trees\"}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":5}\n{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"trees\",\"params\":1}\n{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":7}\n"), @r#"
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a request is an object"}}
    {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"`jsonrpc` has to be \"2.0\""}}
    {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"`jsonrpc` has to be \"2.0\""}}
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"an id is a string or a number"}}
    {"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"`method` has to be a string"}}
    {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"`params` has to be an object"}}
    {"jsonrpc":"2.0","id":6,"error":{"code":-32600,"message":"a response to nothing"}}
    "#);
    // Batches: answered together, in order, without what wants no answer; an empty one is none.
    assert_snapshot!(answers(&format!("[{{{trees},\"id\":1}},{{{trees}}},2]\n[]\n[{{{trees}}}]\n")), @r#"
    [{"jsonrpc":"2.0","id":1,"result":{"schema":1,"trees":[]}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a request is an object"}}]
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch holds at least one request"}}
    "#);
}

#[test]
fn wrong_methods_and_fields_are_told_with_the_nearest() {
    let ask = |method: &str, params: &str| {
        answers(&format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{params}}}\n"))
    };
    assert_snapshot!(ask("fnd", "{}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method `fnd`; did you mean `find`?"}}"#);
    assert_snapshot!(ask("find", "{\"selectr\":\"class\"}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown field `selectr` of `find`; did you mean `selector`?"}}"#);
    assert_snapshot!(ask("drop", "{\"x\":\"class\"}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown field `x` of `drop`; its fields are `tree_ids`"}}"#);
    assert_snapshot!(ask("drop", "{}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing field `tree_ids`; its fields are `tree_ids`"}}"#);
    assert_snapshot!(ask("find", "[\"class\"]"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"parameters go by name, as an object"}}"#);
    assert_snapshot!(ask("show", "{\"target\":\"shop.py\",\"depth\":-1}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`depth`: invalid value: integer `-1`, expected a number of 0 or more"}}"#);
    // What the request asks is wrong, not its form: the engine's error, with all that helps.
    assert_snapshot!(ask("find", "{\"selector\":\"fucntion\",\"targets\":\"shop.py\"}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown type or kind `fucntion`","data":{"code":"unknown_type","message":"unknown type or kind `fucntion`","hint":"did you mean `function`?","span":{"start":0,"end":8},"selector":"fucntion","written":false}}}"#);
    assert_snapshot!(ask("modify", "{\"target\":\"shop.py\",\"operations\":[{\"op\":\"delete\",\"target\":\"class\"},{\"op\":\"chop\"}]}"), @r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`operations[1]`: unknown operation `chop`; one of `replace`, `replace_range`, `insert`, `delete`, `move`, `wrap`, `unwrap`, `rename`, `sub`, `ensure_import`"}}"#);
}

#[test]
fn messages_may_be_framed_by_headers() {
    let message = r#"{"jsonrpc":"2.0","id":"ä","method":"trees"}"#;
    let framed = format!("\r\n\u{feff}content-length: {}\r\nContent-Type: x\r\n\r\n{message}", message.len());
    let answer = "Content-Length: 60\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":\"ä\",\"result\":{\"schema\":1,\"trees\":[]}}";
    assert_eq!(answers_of(framed.as_bytes(), Framing::Headers), answer);
    // Two in a row, the second cut off by the end of input.
    let half = &framed[..framed.len() - 3];
    assert_eq!(answers_of(format!("{framed}{half}").as_bytes(), Framing::Headers), answer);
    let refused = answers_of(b"X: 1\r\n\r\n", Framing::Headers);
    assert!(refused.contains("-32700") && refused.contains("Content-Length"), "{refused}");
}

#[test]
fn marks_and_blank_lines_are_passed_over() {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"trees"}"#;
    let answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"schema\":1,\"trees\":[]}}\n";
    // The last line's end may be missing.
    for input in ["\u{feff}M", "\n\r\n  \nM\r\n", "M\n\n\u{feff}\n", "\t M "] {
        assert_eq!(answers(&input.replace('M', message)), answer, "{input:?}");
    }
    assert!(answers(&format!("{message}\n{}", &message[..20])).contains("-32700"));
    assert_eq!(answers(""), "");
    // Half of a character as JavaScript writes it: the request learns that it wasn't read.
    let half =
        answers("{\"jsonrpc\":\"2.0\",\"id\":\"h\",\"method\":\"find\",\"params\":{\"selector\":\"\\ud800\"}}\n");
    assert!(half.contains("\"id\":\"h\",\"error\":{\"code\":-32700"), "{half}");
}

/// Files of which one can't be read before it is let go.
struct Gate {
    files: Memory,
    open: Mutex<Receiver<()>>,
}

impl Files for Gate {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        if path.ends_with("slow.py") {
            self.open.lock().unwrap().recv().map_err(io::Error::other)?;
        }
        self.files.read(path, limit)
    }

    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        self.files.facts(path)
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        self.files.head(path, most)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        self.files.list(folder, walk)
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.stage(path, beside, bytes)
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        self.files.commit(beside, path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.files.sync_folder(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.files.create_dir_all(path)
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        self.files.discard(beside)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.append(path, bytes)
    }

    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool> {
        self.files.remove_empty_folder(path)
    }

    fn make_executable(&self, path: &Path) -> io::Result<()> {
        self.files.make_executable(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.files.is_executable(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.files.is_link(path)
    }
}

/// Lines, one a read; when more is wanted all of them were taken in, and the gate opens.
struct Lines {
    lines: std::vec::IntoIter<String>,
    gate: Sender<()>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(line) = self.lines.next() else {
            let _ = self.gate.send(());
            return Ok(0);
        };
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// The answers to lines that are all read before the first request has its file.
fn answers_at_the_gate(lines: &[&str]) -> String {
    let (gate, open) = channel();
    let files = Memory::default();
    files.write("/w/slow.py", SHOP);
    let files = Gate { files, open: Mutex::new(open) };
    let host = Host { files: Arc::new(files), ..Host::at("/w") };
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = Output::default();
    serve::rpc(host, Framing::Lines, Lines { lines: lines.into_iter(), gate }, output.clone()).unwrap();
    output.text()
}

#[test]
fn requests_are_called_off_while_they_run_and_while_they_wait() {
    let find = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"find","params":{{"selector":"class","targets":"slow.py","limit":0}}}}"#
        )
    };
    let trees = r#"{"jsonrpc":"2.0","id":2,"method":"trees"}"#;
    let cancel = |id: u32| format!(r#"{{"jsonrpc":"2.0","method":"$/cancel","params":{{"id":{id}}}}}"#);
    // While it runs; the ids of nothing are passed over.
    assert_snapshot!(answers_at_the_gate(&[&find(1), trees, &cancel(1), &cancel(9)]), @r#"
    {"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}}
    {"jsonrpc":"2.0","id":2,"result":{"schema":1,"trees":[]}}
    "#);
    // While it waits behind another.
    let answers = answers_at_the_gate(&[&find(1), trees, &cancel(2)]);
    assert!(answers.contains(r#""id":1,"result""#), "{answers}");
    assert!(answers.contains(r#""id":2,"error":{"code":-32800"#), "{answers}");
    // A finished load is reported, even if it was cancelled.
    let load = r#"{"jsonrpc":"2.0","id":3,"method":"load","params":{"paths":"slow.py"}}"#;
    let loaded = answers_at_the_gate(&[load, &cancel(3)]);
    let has_effect = loaded.contains(r#""id":3,"result":{"schema":1,"trees""#);
    assert!(has_effect || loaded.contains("-32800"), "{loaded}");
}

#[test]
fn a_session_from_load_to_drop() {
    let output = Output::default();
    let (sender, lines) = channel::<String>();
    let (answered, answers) = channel::<Value>();
    let files = Memory::default();
    files.write("/w/shop.py", SHOP);
    let files = Arc::new(files);
    let there = Host { files: files.clone(), ..Host::at("/w") };
    let server =
        std::thread::spawn(move || serve::rpc(there, Framing::Lines, Piped::new(lines), Answered::new(answered)));
    let mut number = 0;
    let mut ask = |method: &str, params: Value| -> Value {
        number += 1;
        sender.send(json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).to_string()).unwrap();
        let answer = answers.recv().unwrap();
        assert_eq!(answer["id"], number);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    };
    let tree = ask("load", json!({"paths": ["shop.py"]}))["trees"][0]["tree_id"].clone();
    let found = ask("find", json!({"selector": "method#open", "targets": [tree]}))["matches"][0]["node_id"].clone();
    let shown = ask("show", json!({"target": tree, "nodes": [found]}));
    assert_eq!(shown["nodes"][0]["code"], "def open(self):\n        return 1");
    let rename = json!({"op": "rename", "target": found, "to": "unlock"});
    assert_eq!(ask("modify", json!({"target": tree, "operations": [rename]}))["revision"], 1);
    // Questions about the project read the tree in place of its file.
    let refs = ask("refs", json!({"symbol": "Shop.unlock"}));
    assert_eq!((&refs["unsaved"], &refs["references"][0]["line"]), (&json!(1), &json!(2)));
    assert_eq!(ask("refs", json!({"symbol": "Shop.open", "reading": {"saved": true}}))["counts"]["certain"], 1);
    ask("undo", json!({"tree_ids": [tree]}));
    assert_eq!(ask("diff", json!({"tree_ids": [tree]}))["trees"][0]["diff"], "");
    ask("redo", json!({"tree_ids": [tree]}));
    // By the file that it holds, a tree is named too.
    assert_eq!(ask("trees", json!({}))["trees"][0]["unsaved"], true);
    assert_eq!(ask("save", json!({"tree_ids": ["shop.py"]}))["saved"][0]["written"], true);
    assert_eq!(ask("drop", json!({"tree_ids": [tree]}))["dropped"], json!([tree]));
    drop(sender);
    server.join().unwrap().unwrap();
    assert_eq!(files.bytes("/w/shop.py").unwrap(), SHOP.replace("open", "unlock").into_bytes());
    assert_eq!(output.text(), "");
}

/// Input that comes line by line.
pub(super) struct Piped {
    lines: Receiver<String>,
    rest: Vec<u8>,
}

impl Piped {
    pub(super) fn new(lines: Receiver<String>) -> Piped {
        Piped { lines, rest: Vec::new() }
    }
}

impl Read for Piped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let Ok(line) = self.lines.recv() else { return Ok(0) };
            self.rest = format!("{line}\n").into_bytes();
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// Output that is handed on line by line.
pub(super) struct Answered {
    answered: Sender<Value>,
    rest: Vec<u8>,
}

impl Answered {
    pub(super) fn new(answered: Sender<Value>) -> Answered {
        Answered { answered, rest: Vec::new() }
    }
}

impl Write for Answered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend(bytes);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.answered.send(serde_json::from_slice(&line)?).map_err(io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn every_request_is_described() {
    let document: Value =
        serde_json::from_str(&answers("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}\n")).unwrap();
    let document = &document["result"];
    let described: Vec<&str> =
        document["methods"].as_array().unwrap().iter().map(|method| method["name"].as_str().unwrap()).collect();
    let known: Vec<&str> = Methods::all().methods.iter().map(|method| method.name.as_str()).collect();
    assert_eq!(described, known);
    // Every reference leads somewhere, and everything has its words.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
    for method in document["methods"].as_array().unwrap() {
        assert!(method["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{}", method["name"]);
        for param in method["params"].as_array().unwrap() {
            let described = param["description"].as_str().is_some_and(|words| !words.is_empty());
            assert!(described, "{} of {}", param["name"], method["name"]);
        }
    }
}

#[test]
fn a_closed_output_ends_it() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // This input never ends; the first answer that cannot be written ends the server.
    let message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trees\"}\n".repeat(3);
    let endless = io::Cursor::new(message).chain(io::repeat(b' '));
    serve::rpc(host(), Framing::Lines, endless, Closed).unwrap();
}

#[test]
fn hostile_messages_get_one_answer_each() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"find\",\"params\":{}1{}}}",
        "{\"a\":".repeat(200),
        "}".repeat(200)
    );
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(1 << 20));
    let lines: [&[u8]; 12] = [
        deep.as_bytes(),
        nested.as_bytes(),
        long.as_bytes(),
        b"{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"trees\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"trees\"}",
        b"\0",
        b"{}",
        b"null",
        b"\"\\",
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"trees\",\"method\":1}",
        b"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"trees\"}",
        b"Content-Length: 5",
    ];
    for line in lines {
        let answers = answers_of(&[line, b"\n"].concat(), Framing::Lines);
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        let all: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(all.len(), 1, "{shown}");
        let code = all[0]["error"]["code"].as_i64().unwrap_or_default();
        assert!([-32700, -32600, -32601].contains(&code), "{shown}: {}", all[0]);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Whatever comes, what goes is JSON, and the request behind it is answered.
    #[test]
    fn any_bytes_leave_it_answering(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
        let input = [&bytes[..], b"\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"trees\"}\n"].concat();
        let answers = answers_of(&input, Framing::Lines);
        let last: Value = answers.lines().next_back().map(|line| serde_json::from_str(line).unwrap()).unwrap();
        proptest::prop_assert_eq!(&last["id"], "last");
    }
}
