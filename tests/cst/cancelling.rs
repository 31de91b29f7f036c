//! Cancelled requests: they end soon, at any point, with an answer that says so, and leave files whole.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use cst::engine::{Engine, Host, Memory, Observer, Request};
use cst::serve::{self, Answers, Framing};
use serde_json::{Value, json};

use crate::rpc::{Answered, Output, Piped, host};

/// Cancels a request when it is asked for the `at`-th time whether that is so.
struct Canceller {
    asked: AtomicUsize,
    at: usize,
}

impl Observer for Canceller {
    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.at
    }
}

/// A module of so many functions.
fn module(functions: usize) -> String {
    (0..functions).map(|number| format!("def f{number}(a, b):\n    return g(a) + b * {number}\n\n\n")).collect()
}

const FUNCTIONS: usize = 1500;

/// What is answered, how often it was asked whether the request is cancelled, and what the file holds afterwards.
fn asked(method: &str, params: &Value, at: usize) -> (Value, usize, String) {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", module(FUNCTIONS));
    files.write("/w/small.py", "x = 1\n");
    let observer = Arc::new(Canceller { asked: AtomicUsize::new(0), at });
    let engine = Engine::new(Host { files: files.clone(), observer: observer.clone(), ..Host::at("/w") });
    let request: Request = serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
    let answer = match engine.handle(request) {
        Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
        Err(error) => error.to_json(),
    };
    let text = String::from_utf8(files.bytes("/w/a.py").expect("it is there")).expect("it is UTF-8");
    (answer, observer.asked.load(Ordering::Relaxed), text)
}

#[test]
fn cancelled_requests_end_soon_wherever_they_are() {
    const MOST_AFTER: usize = 100;
    let reading = |threads: usize| json!({"threads": threads});
    let rename = json!([{"op": "rename", "target": "function#f7", "to": "renamed"}]);
    let replace = json!([{"op": "replace", "target": "integer", "code": "7", "all": true}]);
    let asks: Vec<(&str, Value)> = vec![
        ("find", json!({"selector": "function:has(call) identifier", "targets": ["a.py"]})),
        ("find", json!({"selector": "function > identifier.name", "targets": ["."], "reading": reading(1)})),
        ("find", json!({"selector": "function > identifier.name", "targets": ["."], "reading": reading(4)})),
        ("find", json!({"pattern": "g($X) + $Y", "targets": ["."], "reading": reading(2)})),
        ("outline", json!({"targets": ["."]})),
        ("check", json!({"targets": ["."]})),
        ("chunk", json!({"targets": ["."]})),
        ("show", json!({"target": "a.py", "nodes": ["function#f9"]})),
        ("load", json!({"paths": ["a.py"]})),
        ("explain", json!({"selector": "function call", "target": "a.py"})),
        ("modify", json!({"target": "a.py", "operations": rename, "write": true})),
        ("modify", json!({"target": "a.py", "operations": replace, "dry_run": true})),
        ("rewrite", json!({"pattern": "g($X)", "template": "h($X)", "targets": ["."], "write": true})),
    ];
    let before = module(FUNCTIONS);
    let (mut stopped, mut kept) = (0, 0);
    for (method, params) in &asks {
        let (answer, polls, after) = asked(method, params, usize::MAX);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        // It is asked the more often the more there is to do.
        assert!(polls >= 20, "{method} {params}: asked {polls} times in {FUNCTIONS} functions");
        for part in 0..5 {
            let at = polls * part / 5;
            let (answer, asked, text) = asked(method, params, at);
            if answer["error"].is_null() {
                // It was done before it could be stopped.
                assert_eq!(text, after, "{method} at {at}");
                kept += 1;
                continue;
            }
            assert_eq!(answer["error"]["code"], "cancelled", "{method} {params} at {at} of {polls}: {answer}");
            assert_eq!(text, before, "{method} at {at}");
            assert!(asked - at <= MOST_AFTER, "{method} {params}: {} more after {at} of {polls}", asked - at);
            stopped += 1;
        }
    }
    assert!(stopped >= 50, "{stopped} were stopped, {kept} were done before");
}

/// A door that somebody opens.
#[derive(Default)]
struct Door {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Door {
    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let mut open = self.open.lock().unwrap();
        while !*open {
            open = self.opened.wait(open).unwrap();
        }
    }
}

/// Holds up who asks whether it is cancelled, and never is.
struct Slow {
    door: Door,
    arrived: AtomicBool,
}

impl Observer for Slow {
    fn note(&self, _message: &str) {}
}

/// Files of which one can't be looked at before the door is open.
struct Held {
    files: Memory,
    slow: Arc<Slow>,
}

impl cst::engine::Files for Held {
    fn read(&self, path: &std::path::Path, limit: u64) -> io::Result<Vec<u8>> {
        if path.ends_with("slow.py") {
            self.slow.arrived.store(true, Ordering::SeqCst);
            self.slow.door.pass();
        }
        self.files.read(path, limit)
    }

    fn facts(&self, path: &std::path::Path) -> io::Result<cst::engine::Metadata> {
        self.files.facts(path)
    }

    fn head(&self, path: &std::path::Path, most: usize) -> io::Result<Vec<u8>> {
        self.files.head(path, most)
    }

    fn resolve(&self, path: &std::path::Path) -> io::Result<std::path::PathBuf> {
        self.files.resolve(path)
    }

    fn list(&self, folder: &std::path::Path, walk: &cst::engine::Walk) -> io::Result<cst::engine::Listing> {
        self.files.list(folder, walk)
    }

    fn stage(&self, path: &std::path::Path, beside: &std::path::Path, bytes: &[u8]) -> io::Result<()> {
        self.files.stage(path, beside, bytes)
    }

    fn commit(&self, beside: &std::path::Path, path: &std::path::Path) -> io::Result<()> {
        self.files.commit(beside, path)
    }

    fn sync_folder(&self, path: &std::path::Path) -> io::Result<()> {
        self.files.sync_folder(path)
    }

    fn create_dir_all(&self, path: &std::path::Path) -> io::Result<()> {
        self.files.create_dir_all(path)
    }

    fn append(&self, path: &std::path::Path, bytes: &[u8]) -> io::Result<()> {
        self.files.append(path, bytes)
    }

    fn discard(&self, beside: &std::path::Path) -> io::Result<()> {
        self.files.discard(beside)
    }

    fn remove_empty_folder(&self, path: &std::path::Path) -> io::Result<bool> {
        self.files.remove_empty_folder(path)
    }

    fn make_executable(&self, path: &std::path::Path) -> io::Result<()> {
        self.files.make_executable(path)
    }

    fn is_executable(&self, path: &std::path::Path) -> bool {
        self.files.is_executable(path)
    }

    fn is_link(&self, path: &std::path::Path) -> bool {
        self.files.is_link(path)
    }
}

/// A place where `slow.py` can't be read before the door is open.
fn held() -> (Host, Arc<Slow>) {
    let slow = Arc::new(Slow { door: Door::default(), arrived: AtomicBool::new(false) });
    let files = Memory::default();
    files.write("/w/slow.py", "x = 1\n");
    let files = Held { files, slow: slow.clone() };
    (Host { files: Arc::new(files), ..host() }, slow)
}

#[test]
fn a_ping_is_answered_while_a_call_runs() {
    let (host, slow) = held();
    let (sender, lines) = channel();
    let (answered, answers) = channel();
    let server =
        std::thread::spawn(move || serve::mcp(host, Answers::default(), Piped::new(lines), Answered::new(answered)));
    let find = json!({"name": "find", "arguments": {"selector": "identifier", "path": "slow.py"}});
    let send = |id: u32, method: &str, params: &Value| {
        sender.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).unwrap();
    };
    send(1, "tools/call", &find);
    for id in 2..5 {
        send(id, "ping", &json!({}));
        let answer = answers.recv_timeout(Duration::from_secs(60)).expect("the ping is answered");
        assert_eq!((&answer["id"], &answer["result"]), (&json!(id), &json!({})));
    }
    slow.door.open();
    let answer = answers.recv_timeout(Duration::from_secs(60)).expect("the call is answered");
    assert_eq!(answer["id"], 1);
    drop(sender);
    server.join().unwrap().unwrap();
}

/// Input that counts how much is read, and notes when that is more than allowed while the door is closed.
struct Counted {
    message: Vec<u8>,
    left: usize,
    /// Of the message at hand.
    rest: Vec<u8>,
    read: Arc<AtomicUsize>,
    slow: Arc<Slow>,
    most: usize,
    too_many: Arc<AtomicBool>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            if self.left == 0 {
                return Ok(0);
            }
            self.left -= 1;
            let read = self.read.fetch_add(1, Ordering::SeqCst);
            if read > self.most && !*self.slow.door.open.lock().unwrap() {
                self.too_many.store(true, Ordering::SeqCst);
            }
            self.rest = self.message.clone();
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// Sends `count` copies of a message behind a request that waits; at most `most` of them may be read meanwhile. How many were answered.
fn flooded(message: &str, count: usize, most: usize) -> usize {
    let (host, slow) = held();
    let find = r#"{"jsonrpc":"2.0","id":0,"method":"find","params":{"selector":"identifier","targets":"slow.py"}}"#;
    let read = Arc::new(AtomicUsize::new(0));
    let too_many = Arc::new(AtomicBool::new(false));
    let input = Counted {
        message: format!("{message}\n").into_bytes(),
        left: count,
        rest: format!("{find}\n").into_bytes(),
        read: read.clone(),
        slow: slow.clone(),
        most,
        too_many: too_many.clone(),
    };
    let output = Output::default();
    let answers = output.clone();
    let server = std::thread::spawn(move || serve::rpc(host, Framing::Lines, input, output));
    let start = Instant::now();
    // It reads until the queue is full, and not further, however long it takes.
    let reaches = count.min(most * 9 / 10);
    while read.load(Ordering::SeqCst) < reaches || !slow.arrived.load(Ordering::SeqCst) {
        assert!(start.elapsed() < Duration::from_secs(120), "{} were read", read.load(Ordering::SeqCst));
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    slow.door.open();
    server.join().unwrap().unwrap();
    assert!(!too_many.load(Ordering::SeqCst), "more than {most} were read while nothing was answered");
    // A long request also reports its progress.
    answers.text().lines().filter(|line| line.contains("\"id\":1,\"result\"")).count()
}

#[test]
fn what_waits_is_bounded_and_nothing_is_lost() {
    let small = r#"{"jsonrpc":"2.0","id":1,"method":"trees"}"#;
    assert_eq!(flooded(small, 10_000, 4100), 10_000);
    let large = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"find","params":{{"selector":"none","targets":[{{"text":"{}","name":"a.py"}}]}}}}"#,
        "#".repeat(1 << 20)
    );
    assert_eq!(flooded(&large, 100, 34), 100);
}

#[test]
fn messages_are_bounded() {
    let answer = |message: &str| {
        let output = Output::default();
        let input = io::Cursor::new(format!("{message}\n").into_bytes());
        serve::rpc(host(), Framing::Lines, input, output.clone()).unwrap();
        output.text()
    };
    let trees = r#"{"jsonrpc":"2.0","id":1,"method":"trees"}"#;
    let batch = |count: usize| format!("[{}]", vec![trees; count].join(","));
    assert_eq!(answer(&batch(1000)).matches("\"result\"").count(), 1000);
    let refused = answer(&batch(1001));
    assert!(refused.contains("-32600") && refused.contains("at most 1000 requests, not 1001"), "{refused}");
    let refused = answer(&format!("[{}0]", "0,".repeat(1_000_000)));
    assert!(refused.contains("-32700") && refused.contains("more than 1000000 values"), "{refused}");
    let refused = answer(&" ".repeat((64 << 20) + 2));
    assert!(refused.contains("-32700") && refused.contains("over 64 MiB"), "{refused}");
}
