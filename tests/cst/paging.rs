//! Pages of `find`: together they are the whole list, and each opens only the files that it needs.

use std::io;
use std::path::Path;
use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Request};
use cst::serve::{self, Answers};
use serde_json::{Value, json};

use crate::recorded::Recorded;
use crate::rpc::Output;

/// Files below `/p`, and an engine on them.
struct Folder {
    files: Arc<Recorded>,
    engine: Engine,
}

impl Folder {
    fn new() -> Folder {
        let files = Arc::new(Recorded::default());
        let engine = Engine::new(Host { files: files.clone(), ..Host::at("/p") });
        Folder { files, engine }
    }

    fn write(&self, path: &str, text: &str) {
        self.files.files.write(format!("/p/{path}"), text);
    }

    fn find(&self, params: &Value) -> Result<Value, Value> {
        let request = json!({"method": "find", "params": params});
        let request: Request = serde_json::from_value(request).expect("well formed");
        let response = self.engine.handle(request).map_err(|error| error.to_json())?;
        Ok(serde_json::to_value(response).expect("a response is plain data"))
    }

    /// All pages of a request.
    #[track_caller]
    fn pages(&self, params: &Value) -> Vec<Value> {
        let mut params = params.clone();
        let mut pages: Vec<Value> = Vec::new();
        loop {
            let page = self.find(&params).unwrap_or_else(|error| panic!("{params}: {error}"));
            let cursor = page["cursor"].clone();
            assert_eq!(cursor.is_string(), page["truncated"] == true, "{page}");
            pages.push(page);
            if cursor.is_null() {
                return pages;
            }
            assert!(cursor.as_str().is_some_and(|cursor| cursor.len() < 80), "{cursor}");
            assert_ne!(params["cursor"], cursor, "each page makes progress");
            params["cursor"] = cursor;
        }
    }
}

/// The matches of answers, one after the other.
fn matches(pages: &[Value]) -> Vec<Value> {
    pages.iter().flat_map(|page| page["matches"].as_array().cloned().unwrap_or_default()).collect()
}

fn calls(count: usize) -> String {
    (0..count).map(|number| format!("f({number})\n")).collect()
}

#[test]
fn a_page_opens_no_file_before_its_cursor() {
    const FILES: usize = 60;
    let folder = Folder::new();
    (0..FILES).for_each(|number| folder.write(&format!("d{}/m{number:02}.py", number / 10), &calls(5)));
    let whole = folder.find(&json!({"selector": "call"})).expect("it is found");
    // Each page lists the matches of two files and a part of a third.
    let mut params = json!({"selector": "call", "limit": 12, "reading": {"threads": 1}});
    let (mut pages, mut listed) = (Vec::new(), 0);
    loop {
        folder.files.take();
        let page = folder.find(&params).expect("it is found");
        let opened = folder.files.take();
        assert!(opened.len() <= 4, "page {} opens {opened:?}", pages.len());
        let paths: Vec<&str> =
            page["matches"].as_array().into_iter().flatten().filter_map(|row| row["path"].as_str()).collect();
        assert!(opened.iter().all(|path| paths.contains(&path.as_str())), "{opened:?} for {paths:?}");
        listed += paths.len();
        let cursor = page["cursor"].clone();
        pages.push(page);
        if cursor.is_null() {
            break;
        }
        params["cursor"] = cursor;
    }
    assert_eq!((listed, pages.len()), (5 * FILES, (5 * FILES).div_ceil(12)));
    assert_eq!(matches(&pages), *whole["matches"].as_array().expect("there are some"));
}

#[test]
fn over_mcp_a_page_opens_no_file_before_its_cursor_either() {
    let folder = Folder::new();
    (0..60).for_each(|number| folder.write(&format!("m{number:02}.py"), &calls(30)));
    let mut arguments = json!({"selector": "call", "limit": 100});
    let mut listed = 0;
    for page in 0.. {
        assert!(page < 100, "it never ends");
        folder.files.take();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find", "arguments": arguments}});
        let (input, output) = (io::Cursor::new(format!("{request}\n").into_bytes()), Output::default());
        let host = Host { files: folder.files.clone(), ..Host::at("/p") };
        serve::mcp(host, Answers { max_chars: 4000, ..Answers::default() }, input, output.clone()).expect("it ends");
        let answer: Value = serde_json::from_str(&output.text()).expect("it is JSON");
        let text = answer["result"]["content"][0]["text"].as_str().expect("it is text").to_owned();
        assert!(text.chars().count() <= 4000);
        let opened = folder.files.take();
        // Two threads may be some files ahead; a page is full after four.
        let first = listed / 30;
        assert!(opened.iter().all(|path| *path >= format!("m{first:02}.py")), "page {page} opens {opened:?}");
        listed += text.lines().filter(|line| line.starts_with('m') && line.contains("call")).count();
        let Some((_, rest)) = text.rsplit_once("cursor \"") else { break };
        arguments["cursor"] = rest.split('"').next().expect("it ends").into();
    }
    assert_eq!(listed, 60 * 30);
}

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count.max(1) as u64) as usize
    }
}

#[test]
fn pages_are_the_whole_list() {
    const NAMES: [&str; 8] =
        ["a.py", "b.py", "in/a.py", "in/b%.py", "in/deep/\"q\".py", "in.py", "in-side/c.py", "z\u{e9}.py"];
    let mut dice = Dice(7);
    let (mut requests, mut pages) = (0, 0);
    for _ in 0..60 {
        let folder = Folder::new();
        for name in NAMES {
            if dice.below(4) > 0 {
                folder.write(name, &calls(dice.below(7)));
            }
        }
        folder.write("a.py", &calls(3));
        folder.write("in/a.py", "f(\n");
        let text = json!({"text": calls(4), "language": "python"});
        let some = [json!("."), json!("in"), json!("a.py"), text, json!("in/a.py")];
        for _ in 0..6 {
            let targets: Vec<&Value> = (0..1 + dice.below(4)).map(|_| &some[dice.below(some.len())]).collect();
            let selector = ["call", "integer", "call#f, integer", "module"][dice.below(4)];
            let params = json!({"selector": selector, "targets": targets, "ids": dice.below(2) == 0});
            let whole = folder.find(&params).expect("it is found");
            let mut limited = params.clone();
            limited["limit"] = (1 + dice.below(6)).into();
            let found = folder.pages(&limited);
            assert_eq!(matches(&found), *whole["matches"].as_array().expect("it is a list"), "{limited}");
            requests += 1;
            pages += found.len();
        }
    }
    assert!(requests >= 300 && pages > 2 * requests, "{requests} requests, {pages} pages");
}

#[test]
fn files_may_change_between_two_pages() {
    let check = |change: &dyn Fn(&Folder), relisted: Value, expected: &[&str]| {
        let folder = Folder::new();
        ["a", "b", "c"].iter().for_each(|name| folder.write(&format!("{name}.py"), &calls(3)));
        let params = json!({"selector": "call", "limit": 5});
        let first = folder.find(&params).expect("it is found");
        change(&folder);
        let rest = folder.find(&json!({"selector": "call", "cursor": first["cursor"]})).expect("it is found");
        let place = |row: &Value| format!("{}:{}", row["path"].as_str().unwrap_or_default(), row["start_line"]);
        let places: Vec<String> = rest["matches"].as_array().into_iter().flatten().map(place).collect();
        assert_eq!(places, expected, "{first}");
        assert_eq!(rest["relisted"], relisted, "{rest}");
    };
    check(&|_| (), Value::Null, &["b.py:3", "c.py:1", "c.py:2", "c.py:3"]);
    // Files before it and after it may come and go.
    check(&|folder| folder.write("a.py", ""), Value::Null, &["b.py:3", "c.py:1", "c.py:2", "c.py:3"]);
    check(&|folder| folder.write("aa.py", "f()\n"), Value::Null, &["b.py:3", "c.py:1", "c.py:2", "c.py:3"]);
    check(&|folder| folder.write("c.py", "f()\n"), Value::Null, &["b.py:3", "c.py:1"]);
    // The file itself: its matches are not where they were, so all of them are listed.
    check(
        &|folder| folder.write("b.py", "f()\ng()\n"),
        json!("b.py"),
        &["b.py:1", "b.py:2", "c.py:1", "c.py:2", "c.py:3"],
    );
    check(&|folder| folder.write("b.py", ""), Value::Null, &["c.py:1", "c.py:2", "c.py:3"]);
    check(&|folder| _ = folder.files.files.discard(Path::new("/p/b.py")), Value::Null, &["c.py:1", "c.py:2", "c.py:3"]);
}

#[test]
fn a_cursor_that_does_not_fit_is_refused() {
    let folder = Folder::new();
    folder.write("a.py", &calls(3));
    let refuse = |params: Value, words: &str| {
        let error = folder.find(&params).expect_err("it is refused");
        assert_eq!(error["error"]["code"], "bad_request", "{error}");
        assert!(error["error"]["message"].as_str().is_some_and(|message| message.contains(words)), "{error}");
    };
    refuse(json!({"selector": "call", "cursor": "3"}), "not a valid cursor");
    refuse(json!({"selector": "call", "cursor": "1.end"}), "other targets");
    refuse(json!({"selector": "call", "targets": "a.py", "cursor": "0.end/a.py"}), "other targets");
    refuse(json!({"selector": "call", "cursor": "0.end/a.py", "require_one": true}), "continues a list");
    let last = folder.find(&json!({"selector": "call", "cursor": "0.end/a.py"})).expect("it is found");
    assert_eq!((&last["total"], &last["truncated"]), (&json!(0), &json!(false)), "{last}");
}
