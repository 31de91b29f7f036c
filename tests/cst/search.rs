//! Searches of folders: files in several languages, on several threads, with problems in single files.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use cst::engine::{Commands, Engine, Host, Memory, NodeRow, Observer, Request, Silent, SystemCommands};
use serde_json::{Value, json};

use crate::recorded::Recorded;

/// Files below `/p`, and an engine that looks at them.
fn engine(files: &[(&str, &[u8])], observer: Arc<dyn Observer>) -> Engine {
    let memory = Memory::default();
    for (path, bytes) in files {
        memory.write(format!("/p/{path}"), *bytes);
    }
    Engine::new(Host {
        files: Arc::new(memory),
        programs: Arc::new(SystemCommands),
        working_directory: PathBuf::from("/p"),
        root: None,
        state: None,
        cache: None,
        cache_limit: None,
        commands: Commands::Any,
        configuration: None,
        observer,
    })
}

fn ask(engine: &Engine, method: &str, params: Value) -> Value {
    let request: Request = serde_json::from_value(json!({"method": method, "params": params})).expect("well formed");
    match engine.handle(request) {
        Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
        Err(error) => error.to_json(),
    }
}

/// `path:line type` of each match.
fn places(found: &Value) -> Vec<String> {
    let rows = found["matches"].as_array().unwrap_or_else(|| panic!("{found}"));
    let word = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| format!("{}:{} {}", word(row, "path"), row["start_line"], word(row, "type"))).collect()
}

const PYTHON: &[u8] = b"print(1)\ndef f(): pass\n";
const RUST: &[u8] = b"fn f() { println!(\"1\"); }\n";

/// Finds exactly these places in a folder of a Python and a Rust file.
#[track_caller]
fn check_mixed(selector: &str, expected: &[&str]) {
    let engine = engine(&[("a.py", PYTHON), ("b.rs", RUST)], Arc::new(Silent));
    let found = ask(&engine, "find", json!({"selector": selector}));
    assert_eq!(places(&found), expected, "{selector}");
}

/// Is refused with that code and a hint that holds `hint`, in a folder of a Python and a Rust file.
#[track_caller]
fn check_refused(selector: &str, code: &str, at: &str, hint: &str) {
    let engine = engine(&[("a.py", PYTHON), ("b.rs", RUST)], Arc::new(Silent));
    let answer = ask(&engine, "find", json!({"selector": selector}));
    let error = &answer["error"];
    assert_eq!(error["code"], code, "{selector}: {answer}");
    let message = error["message"].as_str().unwrap_or_default();
    assert!(at.is_empty() || message.contains(&format!("`{at}`")), "{selector}: {answer}");
    assert!(error["hint"].as_str().unwrap_or_default().contains(hint), "{selector}: {answer}");
}

#[test]
fn a_branch_finds_what_its_language_has() {
    check_mixed("expression_statement > identifier, macro_invocation", &["b.rs:1 macro_invocation"]);
    check_mixed("function_definition, macro_invocation", &["a.py:2 function_definition", "b.rs:1 macro_invocation"]);
    check_mixed("function_item", &["b.rs:1 function_item"]);
    // A token, a field and an attribute's path of one of them.
    check_mixed("function_item >> 'fn'", &["b.rs:1 fn"]);
    check_mixed("*.macro", &["b.rs:1 identifier"]);
    check_mixed("*[macro=\"println\"]", &["b.rs:1 macro_invocation"]);
    check_mixed("*[type=\"macro_invocation\"]", &["b.rs:1 macro_invocation"]);
    // A named selector that one language has.
    check_mixed("function_item, :dunder", &["b.rs:1 function_item"]);
}

#[test]
fn in_parentheses_a_type_that_a_language_lacks_is_an_empty_set() {
    check_mixed(":is(function_definition, function_item)", &["a.py:2 function_definition", "b.rs:1 function_item"]);
    check_mixed("function_definition:not(:has(macro_invocation))", &["a.py:2 function_definition"]);
    check_mixed(
        "function_item:has(macro_invocation), function_definition",
        &["a.py:2 function_definition", "b.rs:1 function_item"],
    );
    check_mixed("identifier:root:not(function_item)", &[]);
    check_mixed("module:not(:has(*[macro]))", &["a.py:1 module"]);
    check_mixed("function_definition[count(macro_invocation)=0]", &["a.py:2 function_definition"]);
}

#[test]
fn a_word_that_no_language_in_play_knows_is_refused_before_any_work() {
    check_refused("functoin", "unknown_type", "functoin", "did you mean `function`");
    check_refused("function_definition, functon_item", "unknown_type", "functon_item", "`function_item`");
    check_refused(":not(:has(macro_invocatoin))", "unknown_type", "macro_invocatoin", "`macro_invocation`");
    check_refused("function_item[boddy]", "unknown_attribute", "boddy", "`body`");
    check_refused("*.boddy", "unknown_field", "boddy", "`body`");
    check_refused(":dundr", "unknown_pseudo", ":dundr", "`:dunder`");
    check_refused("*[kind=\"functoin\"]", "unknown_type", "functoin", "`function`");
    // Rust has the type, and a field of that name elsewhere; Python has the field alone.
    check_refused("macro_invocation[body]", "unknown_field", "body", "");
    // A language that is not searched is named, and does not turn an error into an empty result.
    check_refused("class_declaration", "unknown_type", "class_declaration", "no file searched is in that language");
    // What is wrong in any language is wrong at once.
    check_refused("*[macro=$x][name=$x]:has(", "selector_syntax", ")", "");
    check_refused("macro_invocation[name=/(/]", "bad_regex", "", "");
    check_refused("macro_invocation[macro!=$x]", "selector_syntax", "$x", "");
}

#[test]
fn with_no_file_to_search_every_language_is_in_play() {
    let engine = engine(&[("a.unknown", b"x")], Arc::new(Silent));
    let found = ask(&engine, "find", json!({"selector": "macro_invocation"}));
    assert_eq!((found["total"].as_u64(), found["files"]["unknown_language"].as_u64()), (Some(0), Some(1)), "{found}");
    let refused = ask(&engine, "find", json!({"selector": "macro_invocatoin"}));
    assert_eq!(refused["error"]["code"], "unknown_type", "{refused}");
}

#[test]
fn a_script_without_an_extension_is_told_by_its_first_line() {
    let files: &[(&str, &[u8])] = &[
        ("data", b"\0\x01\x02"),
        ("run", b"#!/usr/bin/env python3\ndef f(): pass\n"),
        ("x.rs", RUST),
        ("notes.xyz", b"#!/usr/bin/python\n"),
    ];
    let engine = engine(files, Arc::new(Silent));
    // Python is searched, although no file name shows it.
    let found = ask(&engine, "find", json!({"selector": "function_definition"}));
    assert_eq!(places(&found), ["run:2 function_definition"]);
    assert_eq!(found["files"]["unknown_language"], 2, "{found}");
    let wanted = ask(&engine, "find", json!({"selector": "*:root", "reading": {"language": "rust"}}));
    assert_eq!(places(&wanted), ["x.rs:1 source_file"]);
}

/// A folder of many files, some of them large.
fn many(count: usize) -> Vec<(String, Vec<u8>)> {
    let source = |place: usize| {
        let times = if place.is_multiple_of(17) { 700 } else { place % 5 };
        format!("def f{place}():\n    return {place}\n").repeat(times)
    };
    (0..count).map(|place| (format!("d{}/f{place}.py", place % 7), source(place).into_bytes())).collect()
}

fn many_files(files: &[(String, Vec<u8>)], observer: Arc<dyn Observer>) -> Engine {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    engine(&files, observer)
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let engine = many_files(&many(150), Arc::new(Silent));
    let with = |threads: usize, unordered: bool| {
        let reading = json!({"threads": threads, "unordered": unordered});
        ask(&engine, "find", json!({"selector": "function", "code": true, "reading": reading}))
    };
    let one = with(1, false);
    assert_eq!(one["total"].as_u64(), Some((0..150).map(|n| if n % 17 == 0 { 700 } else { n % 5 }).sum()));
    assert_eq!(with(8, false), one);
    assert_eq!(with(2, false), one);
    let rows = |found: &Value| {
        let mut rows: Vec<String> = found["matches"].as_array().expect("rows").iter().map(Value::to_string).collect();
        rows.sort();
        rows
    };
    let unordered = with(8, true);
    assert_eq!(rows(&unordered), rows(&one));
    assert_eq!((&unordered["total"], &unordered["files"]), (&one["total"], &one["files"]));
    for method in ["outline", "check"] {
        let one = ask(&engine, method, json!({"reading": {"threads": 1}}));
        assert_eq!(ask(&engine, method, json!({"reading": {"threads": 8}})), one);
    }
}

#[test]
fn the_trouble_of_a_file_is_told_and_stops_no_other() {
    let deep: String = (0..600).map(|level| format!("{}if x:\n", " ".repeat(level))).collect::<String>() + "(";
    let files: &[(&str, &[u8])] = &[
        ("a.py", b"f()\n"),
        ("b.py", b"x = '\xff'\n"),
        ("c.py", deep.as_bytes()),
        ("d.py", b"f(((\n"),
        ("e.py", b"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff()\n"),
        ("f.py", b"f()\n"),
        ("g.bin", b"\0"),
    ];
    let engine = engine(files, Arc::new(Silent));
    for threads in [1, 4] {
        let reading = json!({"threads": threads, "max_size": deep.len()});
        let found = ask(&engine, "find", json!({"selector": "call#f", "reading": reading}));
        let whys: Vec<String> = found["files"]["skipped"]
            .as_array()
            .unwrap_or_else(|| panic!("{found}"))
            .iter()
            .map(|row| format!("{} {}", row["path"], row["error"]["code"].as_str().unwrap_or("")))
            .collect();
        assert_eq!(whys, ["\"b.py\" unsupported_encoding", "\"c.py\" too_deep"]);
        assert_eq!(found["files"]["with_errors"], json!(["d.py"]), "{found}");
        let counts = ["searched", "matched", "unknown_language"].map(|field| found["files"][field].as_u64());
        assert_eq!(counts, [Some(4), Some(2), Some(1)], "{found}");
        let small = ask(&engine, "check", json!({"reading": {"threads": threads, "max_size": 40}}));
        let skipped = small["skipped"].to_string();
        assert!(skipped.contains("too_large") && skipped.contains("e.py"), "{small}");
        assert_eq!(small["checked"], 3, "{small}");
    }
    let outlined = ask(&engine, "outline", json!({}));
    assert_eq!(
        (outlined["files"].as_array().map(Vec::len), outlined["skipped"].as_array().map(Vec::len)),
        (Some(4), Some(2))
    );
}

#[test]
fn a_limit_ends_the_work_and_says_so() {
    let engine = many_files(&many(60), Arc::new(Silent));
    for threads in [1, 4] {
        let reading = json!({"threads": threads});
        let found = ask(&engine, "find", json!({"selector": "function", "limit": 5, "reading": reading}));
        let all = ask(&engine, "find", json!({"selector": "function", "reading": reading}));
        assert_eq!(places(&found)[..], places(&all)[..5]);
        assert_eq!(found["truncated"], true, "{}", found["files"]);
        let count = |field: &str| found["files"][field].as_u64().unwrap_or(0);
        assert!(count("unsearched") > 50, "{}", found["files"]);
        assert_eq!(count("searched") + count("unsearched"), 60);
        // Without a limit the result is complete, and a count is always complete.
        assert_eq!((all["truncated"].as_bool(), all["files"].get("unsearched")), (Some(false), None));
        let counted = ask(&engine, "find", json!({"selector": "function", "limit": 0, "reading": reading}));
        assert_eq!((&counted["total"], counted["matches"].as_array().map(Vec::len)), (&all["total"], Some(0)));
        // Page by page it is all there.
        let (mut cursor, mut paged) = (Value::Null, Vec::new());
        loop {
            let mut params = json!({"selector": "function", "limit": 500, "reading": reading});
            if !cursor.is_null() {
                params["cursor"] = cursor;
            }
            let page = ask(&engine, "find", params);
            paged.extend(places(&page));
            cursor = page["cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(paged, places(&all));
        let outlined = ask(&engine, "outline", json!({"limit": 7, "reading": reading}));
        let shape = (outlined["files"].as_array().map(Vec::len), outlined["more_files"].as_u64());
        assert_eq!(shape, (Some(7), Some(53)));
    }
}

/// Takes matches, and cancels after some.
#[derive(Default)]
struct Impatient {
    found: AtomicUsize,
    patience: usize,
    paths: Mutex<Vec<String>>,
}

impl Observer for Impatient {
    fn found(&self, row: &NodeRow) -> bool {
        self.found.fetch_add(1, Ordering::SeqCst);
        self.paths.lock().expect("one thread at a time").extend(row.path.clone());
        true
    }

    fn is_cancelled(&self) -> bool {
        self.found.load(Ordering::SeqCst) >= self.patience
    }
}

#[test]
fn whoever_cancels_is_told_no_more() {
    for threads in [1, 4] {
        let observer = Arc::new(Impatient { patience: 3, ..Impatient::default() });
        let engine = many_files(&many(300), observer.clone());
        let answer = ask(&engine, "find", json!({"selector": "function", "reading": {"threads": threads}}));
        assert_eq!(answer["error"]["code"], "cancelled", "{answer}");
        // One part of one file at most came after that.
        assert!(observer.found.load(Ordering::SeqCst) < 300, "{threads} threads");
    }
}

#[test]
fn matches_are_streamed_in_order() {
    let observer = Arc::new(Impatient { patience: usize::MAX, ..Impatient::default() });
    let engine = many_files(&many(80), observer.clone());
    let answer = ask(&engine, "find", json!({"selector": "function", "reading": {"threads": 4}}));
    assert_eq!(answer["matches"].as_array().map(Vec::len), Some(0));
    let paths = observer.paths.lock().expect("nothing panicked").clone();
    assert_eq!(answer["total"].as_u64(), Some(paths.len() as u64));
    let as_paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    assert!(as_paths.is_sorted(), "{paths:?}");
}

#[test]
fn large_files_of_folders_are_left_out_unless_asked_for() {
    let memory = Memory::default();
    let large = format!("def f():\n    pass\n\n\nx = \"{}\"\n", "a".repeat(4 << 20));
    memory.write("/p/large.py", large);
    memory.write("/p/small.py", "def f():\n    pass\n");
    let engine = Engine::new(Host { files: Arc::new(memory), ..Host::at("/p") });
    let find = |targets: Value, reading: Value| {
        ask(&engine, "find", json!({"selector": "function", "targets": targets, "reading": reading}))
    };
    let found = find(json!(["."]), json!({}));
    assert_eq!((&found["total"], &found["files"]["searched"]), (&json!(1), &json!(1)));
    let skipped = &found["files"]["skipped"][0];
    assert_eq!(skipped["path"], "large.py");
    let why = skipped["error"]["message"].as_str().expect("words");
    assert!(why.contains("more than the limit of 4194304 for files that are not named"), "{why}");
    assert_eq!(skipped["error"]["code"], "too_large");
    assert_eq!(skipped["error"]["hint"], "`reading.max_size` sets the limit");
    assert_eq!(find(json!(["."]), json!({"max_size": 8 << 20}))["total"], 2);
    // What is named is meant.
    assert_eq!(find(json!(["large.py"]), json!({}))["total"], 1);
}

/// Signals that a match was found.
#[derive(Default)]
struct Signal {
    found: Mutex<usize>,
    changed: Condvar,
}

impl Observer for Signal {
    fn found(&self, _row: &NodeRow) -> bool {
        *self.found.lock().expect("nobody panics with it") += 1;
        self.changed.notify_all();
        true
    }
}

/// A folder whose walk stops after its first file until that file's match was found.
fn paused(files: &[(&str, &[u8])]) -> (Engine, Arc<Signal>, Arc<AtomicUsize>) {
    let (signal, waited) = (Arc::new(Signal::default()), Arc::new(AtomicUsize::new(0)));
    let mut recorded = Recorded::default();
    files.iter().for_each(|(path, bytes)| recorded.files.write(format!("/p/{path}"), *bytes));
    let (seen, count) = (signal.clone(), waited.clone());
    recorded.pause = Some(Box::new(move || {
        let found = seen.found.lock().expect("nobody panics with it");
        let (found, timeout) = seen
            .changed
            .wait_timeout_while(found, Duration::from_secs(20), |found| *found == 0)
            .expect("nobody panics with it");
        count.store(if timeout.timed_out() { usize::MAX } else { *found }, Ordering::SeqCst);
    }));
    let engine = Engine::new(Host { files: Arc::new(recorded), observer: signal.clone(), ..Host::at("/p") });
    (engine, signal, waited)
}

#[test]
fn without_an_order_matches_come_while_the_walk_goes_on() {
    for threads in [1, 3] {
        let (engine, signal, waited) = paused(&[("a.py", PYTHON), ("b.py", PYTHON), ("c.rs", RUST)]);
        let reading = json!({"unordered": true, "threads": threads});
        let found = ask(&engine, "find", json!({"selector": "function", "reading": reading}));
        assert_eq!((&found["total"], &found["files"]["searched"]), (&json!(3), &json!(3)), "{found}");
        assert_eq!(waited.load(Ordering::SeqCst), 1, "the walk waited for the match in its first file");
        assert_eq!(*signal.found.lock().expect("nobody panics with it"), 3);
    }
}

#[test]
fn without_an_order_wrong_words_are_refused_before_any_match() {
    for (selector, code) in [("function, functoin", "unknown_type"), ("function, class_declaration", "unknown_type")] {
        let signal = Arc::new(Signal::default());
        let engine = engine(&[("a.py", PYTHON), ("b.rs", RUST)], signal.clone());
        let ordered = ask(&engine, "find", json!({"selector": selector}));
        let refused = ask(&engine, "find", json!({"selector": selector, "reading": {"unordered": true}}));
        assert_eq!(refused["error"]["code"], code, "{refused}");
        assert_eq!(refused, ordered);
        assert_eq!(*signal.found.lock().expect("nobody panics with it"), 0);
    }
    // A word of a language that the walk meets last.
    let engine = engine(&[("a.py", PYTHON), ("z.rs", RUST)], Arc::new(Silent));
    let found = ask(&engine, "find", json!({"selector": "function, macro_invocation", "reading": {"unordered": true}}));
    assert_eq!(found["total"], 3, "{found}");
}
