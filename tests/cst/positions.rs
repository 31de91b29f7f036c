//! Lines and columns count from 1 wherever people and programs read or write them; bytes count from 0.

use std::fs;

use serde_json::{Value, json};

use crate::cli::Place;

/// The error is at line 2, column 5.
const BROKEN: &str = "def é():\n    é = (1\n\n\ndef g():\n    pass\n";

/// The object that one request to `cst rpc` is answered with.
fn rpc(place: &Place, method: &str, params: &Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    place.feed(&["rpc"], &format!("{request}\n")).expect(0).json()["result"].clone()
}

#[test]
fn lines_and_columns_count_from_one_everywhere() {
    let place = Place::new();
    place.write("a.py", "def é():\n    é = f(1)\n");
    place.write("b.py", BROKEN);

    let found = place.run(&["find", "call", "a.py"]).expect(0);
    assert!(found.stdout.starts_with("a.py:2:9: call  é.f  n"), "{}", found.stdout);
    let row = place.run(&["find", "call", "a.py", "--json"]).expect(0).json()["matches"][0].clone();
    let numbers = ["start_line", "start_col", "end_line", "end_col", "start_byte", "end_byte"];
    let numbers = numbers.map(|field| row[field].as_u64().unwrap());
    assert_eq!(numbers, [2, 9, 2, 13, 19, 23]);
    let over_rpc = rpc(&place, "find", &json!({"selector": "call", "targets": ["a.py"]}));
    assert_eq!(over_rpc["matches"][0]["start_col"], 9);

    for words in [
        ["find", "call:at(2:9)", "a.py"],
        ["find", ":at(2:11)", "a.py"],
        ["find", "call[start_col=9][end_col=13]", "a.py"],
        ["show", "a.py", "--at=2:9"],
    ] {
        assert!(place.run(&words).expect(0).stdout.starts_with("a.py:2:"), "{words:?}");
    }
    assert!(place.run(&["find", ":at(2:9)", "a.py"]).expect(0).stdout.starts_with("a.py:2:9: "));
    for place_named in ["2:0", "0", "0:1"] {
        let selected = place.run(&["find", &format!("call:at({place_named})"), "a.py"]).expect(2);
        assert!(selected.stderr.contains("count from 1"), "{}", selected.stderr);
        assert!(!place.run(&["show", "a.py", "--at", place_named]).stderr.is_empty());
    }
    let tree = place.run(&["show", "a.py", "call", "--as", "json"]).expect(0).json();
    assert_eq!((&tree["start_col"], &tree["start_byte"]), (&json!(9), &json!(19)));

    let anchored = place.run(&["find", "call", "a.py", "--anchors", "--json"]).expect(0).json();
    let anchor = anchored["matches"][0]["anchor"].as_str().unwrap().to_owned();
    assert!(anchor.ends_with(":2:9-2:13"), "{anchor}");
    assert!(place.run(&["show", "a.py", &anchor]).expect(0).stdout.starts_with("a.py:2:9: call"));

    let checked = place.run(&["check", "b.py"]).expect(1);
    assert!(checked.stdout.starts_with("b.py:2:5: "), "{}", checked.stdout);
    let error = place.run(&["check", "b.py", "--json"]).expect(1).json()["files"][0]["errors"][0].clone();
    assert_eq!((&error["line"], &error["col"], &error["start_byte"]), (&json!(2), &json!(5), &json!(14)));
    let loaded = place.run(&["load", "b.py", "--json"]).expect(0).json();
    assert_eq!(loaded["trees"][0]["errors"][0]["col"], 5);
}

#[test]
fn rows_point_at_their_code() {
    let mut rows = 0;
    for folder in fs::read_dir("selectors").expect("the languages' data is here").flatten() {
        if !folder.path().is_dir() {
            continue;
        }
        let sample = fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.path());
        let sample = sample.filter(|path| path.file_stem().is_some_and(|stem| stem == "sample"));
        for path in sample {
            let text = fs::read_to_string(&path).unwrap();
            let place = Place::new();
            let name = path.file_name().unwrap().to_str().unwrap();
            place.write(name, &text);
            let found = place.run(&["find", "*", name, "--json", "--code"]).expect(0).json();
            for row in found["matches"].as_array().unwrap() {
                let number = |field: &str| usize::try_from(row[field].as_u64().unwrap()).unwrap();
                let line = text.split('\n').nth(number("start_line") - 1).unwrap();
                let before: String = line.chars().take(number("start_col") - 1).collect();
                let from_line: usize = text.split('\n').take(number("start_line") - 1).map(|line| line.len() + 1).sum();
                assert_eq!(from_line + before.len(), number("start_byte"), "{name}: {row}");
                let code = row["code"].as_str().unwrap();
                if !code.contains('…') {
                    assert_eq!(code, &text[number("start_byte")..number("end_byte")], "{name}: {row}");
                }
                rows += 1;
            }
        }
    }
    assert!(rows > 20_000, "{rows} rows");
}
