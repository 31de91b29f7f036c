//! `cst pipe`: a line out for each line in, whatever the line; and `find --from0`, files from a list.

use std::io::{self, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use cst::Host;
use cst::serve::{self, PipeDefaults};
use serde_json::{Value, json};

use crate::cli::Place;
use crate::rpc::Output;

fn rows(defaults: PipeDefaults, input: &[u8]) -> Vec<Value> {
    let mut output = Output::default();
    serve::pipe(Host::at("/w"), defaults, Cursor::new(input.to_vec()), &mut output).unwrap();
    output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answers(input: &str) -> Vec<Value> {
    rows(PipeDefaults::default(), input.as_bytes())
}

#[test]
fn a_line_has_its_matches() {
    let row = &answers(r#"{"id":{"repo":7},"path":"src/a.py","text":"def f():\n    g(1)\n","selector":"call"}"#)[0];
    assert_eq!((&row["schema"], &row["id"], &row["path"]), (&json!(1), &json!({"repo": 7}), &json!("src/a.py")));
    assert_eq!((&row["total"], &row["truncated"], &row["has_errors"]), (&json!(1), &json!(false), &json!(false)));
    let found = &row["matches"][0];
    assert_eq!((&found["kind"], &found["start_line"], &found["start_byte"]), (&json!("call"), &json!(2), &json!(13)));
    assert!(row.get("error").is_none() && row.get("line").is_none());
}

/// Other programs join their rows by `id`: another spelling is another row.
#[test]
fn an_id_comes_back_byte_for_byte() {
    let ids = [
        "12345678901234567890123",
        "-0",
        "1.0",
        "0.1000000000000000055511151231257827",
        r#""caf\u00e9\/""#,
        r#"{"b" : [1, 2.50], "a":{"b":99999999999999999999}}"#,
        "null",
        "false",
    ];
    let mut input: String = ids
        .iter()
        .map(|id| format!("{{\"id\": {id} ,\"path\":\"a.py\",\"text\":\"f()\",\"selector\":\"call\"}}\n"))
        .collect();
    // A line that is refused has its id, too, and of several ids the last.
    input += "{\"id\":12345678901234567890123,\"txt\":\"\"}\n{\"id\":1,\"id\":2,\"text\":\"\"}\n{\"id\":[1,\r2]}\n{\"id\":1e400}\n";
    let mut output = Output::default();
    serve::pipe(Host::at("/w"), PipeDefaults::default(), Cursor::new(input.into_bytes()), &mut output).unwrap();
    let rows = output.text();
    let expected = ids.iter().copied().chain(["12345678901234567890123", "2", "[1, 2]", "1e400"]);
    assert_eq!(rows.lines().count(), ids.len() + 4);
    for (row, id) in rows.lines().zip(expected) {
        assert!(row.contains(&format!("\"id\":{id},")), "{id}: {row}");
    }
}

#[test]
fn every_line_has_its_row_in_order() {
    let deep = format!("{}1{}", "[".repeat(300_000), "]".repeat(300_000));
    let large = "x = 1\n".repeat(1_000_000);
    let lines = [
        (json!({"id": 0, "path": "a.py", "text": "f()", "selector": "call"}).to_string(), None),
        ("not json".to_owned(), Some("bad_request")),
        (String::new(), Some("bad_request")),
        ("[1]".to_owned(), Some("bad_request")),
        (json!({"id": 4, "text": "f()", "selector": "call"}).to_string(), Some("unsupported_language")),
        (json!({"id": 5, "path": "a.py", "selector": "call"}).to_string(), Some("bad_request")),
        (json!({"id": 6, "path": "a.py", "text": "f()"}).to_string(), Some("bad_request")),
        (json!({"id": 7, "path": "a.py", "text": "f()", "selector": "cal"}).to_string(), Some("unknown_type")),
        (json!({"id": 8, "path": "a.py", "text": "f()", "selector": "call >"}).to_string(), Some("selector_syntax")),
        (
            json!({"id": 9, "path": "a.py", "text": "", "bytes": "", "selector": "call"}).to_string(),
            Some("bad_request"),
        ),
        (json!({"id": 10, "path": "a.py", "bytes": "!", "selector": "call"}).to_string(), Some("bad_request")),
        (json!({"id": 11, "path": "a.py", "text": "f()", "selecter": "call"}).to_string(), Some("bad_request")),
        (json!({"id": 12, "path": "a.py", "text": large, "selector": "call"}).to_string(), Some("too_large")),
        (json!({"id": 13, "path": "a.js", "text": deep, "selector": "call"}).to_string(), None),
        ("{\"id\": \"\u{0}\"".to_owned(), Some("bad_request")),
        (
            json!({"id": 15, "path": "a.py", "bytes": "AAECAw==", "selector": "call"}).to_string(),
            Some("unsupported_encoding"),
        ),
        (json!({"id": 16, "path": "a.py", "text": "f(", "selector": "identifier"}).to_string(), None),
    ];
    let input: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    for threads in [1, 4] {
        let found = rows(PipeDefaults { threads: Some(threads), ..PipeDefaults::default() }, input.as_bytes());
        assert_eq!(found.len(), lines.len());
        for (number, (row, (_, code))) in found.iter().zip(&lines).enumerate() {
            match code {
                Some(code) => {
                    assert_eq!(row["error"]["code"], *code, "line {number}: {}", row["error"]);
                    assert_eq!(row["line"], number + 1);
                }
                None => {
                    assert!(row["matches"].is_array() || row["error"]["code"] == "too_deep", "line {number}: {row}")
                }
            }
            assert!(row["id"].is_null() || row["id"] == number, "line {number}: {}", row["id"]);
        }
        assert_eq!(found[16]["has_errors"], true);
    }
    // Bytes that are not UTF-8 at all are a bad line, too.
    assert_eq!(rows(PipeDefaults::default(), b"{\"id\":\"\xff\"}\n{}")[0]["error"]["code"], "bad_request");
}

#[test]
fn bytes_are_read_as_a_file_is() {
    // UTF-16 with its mark, Latin-1 that says so, UTF-8 with a mark; in base64, which may be wrapped.
    let wrapped = "//5mACgA\\nJwDpACcAKQA=";
    let latin = "IyBjb2Rpbmc6IGxhdGluLTEKZign6ScpCg==";
    let marked = "77u/ZignKTsnKQ==";
    let line = |bytes: &str| format!("{{\"path\":\"a.py\",\"bytes\":\"{bytes}\"}}\n");
    let defaults = PipeDefaults { selector: Some("call".to_owned()), code: true, ..PipeDefaults::default() };
    let rows = rows(defaults, (line(wrapped) + &line(latin) + &line(marked)).as_bytes());
    let codes: Vec<&Value> = rows.iter().map(|row| &row["matches"][0]["code"]).collect();
    assert_eq!(codes, [&json!("f('é')"), &json!("f('é')"), &json!("f(');')")]);
}

#[test]
fn the_arguments_hold_for_lines_without_their_own() {
    let defaults = PipeDefaults {
        selector: Some("call".to_owned()),
        language: Some("python".to_owned()),
        limit: Some(1),
        ..PipeDefaults::default()
    };
    let input = "{\"text\":\"f();g()\"}\n{\"text\":\"f();g()\",\"limit\":5,\"code\":true}\n{\"text\":\"f();g()\",\"pattern\":\"g()\"}\n{\"text\":\"f();\",\"language\":\"javascript\"}\n";
    let rows = rows(defaults, input.as_bytes());
    let listed: Vec<usize> = rows.iter().map(|row| row["matches"].as_array().unwrap().len()).collect();
    assert_eq!(listed, [1, 2, 1, 1]);
    assert_eq!(rows[0]["truncated"], true);
    assert_eq!(rows[1]["matches"][1]["code"], "g()");
    assert_eq!(rows[2]["matches"][0]["start_col"], 5);
}

/// Input that is there when it is sent.
struct Sent(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Sent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let length = self.1.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.1[..length]);
        self.1.drain(..length);
        Ok(length)
    }
}

/// Output that is passed on when it is written.
struct Passed(std::sync::mpsc::Sender<Vec<u8>>);

impl Write for Passed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_answer_comes_before_the_next_line() {
    let (input, sent) = channel();
    let (passed, output) = channel();
    let served = std::thread::spawn(move || {
        serve::pipe(Host::at("/w"), PipeDefaults::default(), Sent(sent, Vec::new()), Passed(passed))
    });
    for number in 0..3 {
        let line = json!({"id": number, "path": "a.py", "text": "f()", "selector": "call"});
        input.send(format!("{line}\n").into_bytes()).unwrap();
        let answer = output.recv_timeout(Duration::from_secs(60)).expect("an answer without more input");
        let row: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(row["id"], number);
    }
    // Nobody reads any more: it ends, though input goes on.
    drop(output);
    input.send(b"{}\n".to_vec()).unwrap();
    served.join().unwrap().expect("a reader that has gone is no error");
}

#[test]
fn many_lines_keep_their_order() {
    let mut input = String::new();
    for number in 0..2000 {
        let text = "f()\n".repeat(if number % 100 == 0 { 2000 } else { number % 7 });
        input += &format!("{}\n", json!({"id": number, "path": "a.py", "text": text, "selector": "call", "limit": 1}));
    }
    let defaults = PipeDefaults { threads: Some(4), ..PipeDefaults::default() };
    let rows = rows(defaults, input.as_bytes());
    assert_eq!(rows.len(), 2000);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["id"], number);
        assert_eq!(row["total"], if number % 100 == 0 { 2000 } else { number % 7 });
    }
}

#[test]
fn the_program_answers_lines() {
    let place = Place::new();
    let run = place.feed(&["pipe", "call"], "{\"id\":1,\"path\":\"a.py\",\"text\":\"f()\"}\nnonsense\n").expect(0);
    assert_eq!(run.stdout.lines().count(), 2);
    assert!(run.stdout.starts_with("{\"schema\":1,\"id\":1,"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
    place.feed(&["--json", "pipe", "call"], "").expect(2);
}

#[test]
fn files_come_from_a_list() {
    let place = Place::new();
    place.write("a.py", "f()\n");
    place.write("b dir/b\nc.py", "f()\nf()\n");
    place.write("notes.xyz", "f()");
    place.write("c.js", "f()");
    place.write("other.py", "f()");
    let list = "b dir/b\nc.py\0a.py\0notes.xyz\0c.js\0";
    let run = place.feed(&["find", "call", "--from0", "-", "--json"], list).expect(0);
    let found = run.json();
    let lines: Vec<&str> =
        found["matches"].as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect();
    // In the order of the list; a file in an unrecognised language is counted, as in a folder.
    assert_eq!(lines, ["b dir/b\nc.py", "b dir/b\nc.py", "a.py", "c.js"]);
    assert_eq!(found["files"]["unknown_language"], 1);
    // The same from a file, the last path without its end, in one language; what is missing is listed.
    place.write("list", "a.py\0c.js\0gone.py");
    let run = place.run(&["find", "call", "--from0", "list", "-t", "python", "--json"]).expect(2);
    assert_eq!(run.json()["total"], 1);
    assert_eq!(run.json()["files"]["skipped"][0]["path"], "gone.py");
    // An empty list is no files, not the working directory.
    place.feed(&["find", "call", "--from0", "-"], "").expect(1);
    place.feed(&["find", "call", "a.py", "--from0", "-"], "a.py\0").expect(2);
    // Pages go on where they ended.
    let page = place.feed(&["find", "call", "--from0", "-", "--limit", "3", "--json"], list).expect(0).json();
    let cursor = page["cursor"].as_str().unwrap();
    assert_eq!(page["matches"].as_array().unwrap().len(), 3);
    assert!(!cursor.is_empty());
}

#[cfg(unix)]
#[test]
fn a_list_has_paths_in_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.py");
    std::fs::write(place.path("").join(name), "f()").unwrap();
    std::fs::write(place.path("list"), b"caf\xe9.py\0").unwrap();
    let run = place.run(&["find", "call", "--from0", "list", "-l"]).expect(0);
    assert_eq!(run.stdout, "\"caf\\351.py\"\n");
}
