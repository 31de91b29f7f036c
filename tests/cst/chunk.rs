//! Chunks of files: their content, their context, and which files are cut.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use cst::engine::{ChunkRow, Engine, Host, Memory, Observer, Request};
use cst::outline::chunk::{Context, Mode, Options, chunks};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::finding::python;

const SHOP: &str = "\
import os

# How many at most.
LIMIT = 10


# What is sold.
@register
class Shop(Base):
    \"\"\"Sells things.\"\"\"

    name: str

    # Opens at eight.
    @traced
    def open(self, at=8):
        if at < 0:
            raise ValueError(at)
        self.at = at

    def close(self):
        self.at = None


def first(shops):
    return shops[0]


def last(shops):
    return shops[-1]
";

/// The chunks of a source: their lines, kind, part, parent, names and context.
fn shown(source: &str, options: &Options) -> String {
    let tree = python(source);
    let found = chunks(&tree, "shop.py", options).expect("the options are sound");
    let mut shown = String::new();
    for (index, chunk) in found.iter().enumerate() {
        let lines: Vec<_> = chunk
            .spans
            .iter()
            .map(|span| format!("{}-{}", tree.text().line_at(span.start()), tree.text().line_at(span.end() - 1)))
            .collect();
        let part = chunk.part.map(|(part, parts)| format!(" {part}/{parts}")).unwrap_or_default();
        let parent = chunk.parent.map(|parent| format!(" in {parent}")).unwrap_or_default();
        let (kind, names, context) = (chunk.kind, chunk.qualnames.join(" "), &chunk.context);
        shown += &format!("{index}: {}  {kind}{part}{parent}  [{names}] {context:?}\n", lines.join(" "));
    }
    shown
}

fn options(max_tokens: usize) -> Options {
    Options { max_tokens, ..Options::default() }
}

#[test]
fn what_fits_is_one_chunk() {
    assert_snapshot!(shown(SHOP, &options(1024)), @r#"
    0: 1-30  module  [LIMIT Shop Shop.open Shop.close first last] "shop.py\n"
    "#);
}

#[test]
fn what_does_not_fit_is_taken_apart() {
    assert_snapshot!(shown(SHOP, &options(90)), @r#"
    0: 1-24  module  [LIMIT Shop Shop.open Shop.close] "shop.py\n"
    1: 25-30  module  [first last] "shop.py\n"
    "#);
    assert_snapshot!(shown(SHOP, &options(48)), @r#"
    0: 1-13  module  [LIMIT Shop] "shop.py\n"
    1: 14-20  method 2/3 in 0  [Shop.open] "shop.py\nclass Shop(Base)\n"
    2: 21-30  module  [Shop.close first last] "shop.py\nclass Shop(Base)\n"
    "#);
}

#[test]
fn a_small_neighbour_is_packed() {
    assert_snapshot!(shown(SHOP, &Options { min_tokens: 0, ..options(64) }), @r#"
    0: 1-6  module  [LIMIT] "shop.py\n"
    1: 7-20  class 1/2  [Shop Shop.open] "shop.py\n"
    2: 21-24  method 2/2 in 1  [Shop.close] "shop.py\nclass Shop(Base)\n"
    3: 25-30  module  [first last] "shop.py\n"
    "#);
}

#[test]
fn definitions_by_themselves() {
    assert_snapshot!(shown(SHOP, &Options { mode: Mode::Signature, ..options(64) }), @r#"
    0: 1-6 25-30  module  [LIMIT first last] "shop.py\n"
    1: 7-13 21-24  class 1/2  [Shop Shop.close] "shop.py\n"
    2: 14-20  method 2/2 in 1  [Shop.open] "shop.py\nclass Shop(Base)\n"
    "#);
}

#[test]
fn the_context_is_as_long_as_asked_for() {
    assert_snapshot!(shown(SHOP, &Options { context: Context::Path, ..options(64) }), @r#"
    0: 1-13  module  [LIMIT Shop] "shop.py\n"
    1: 14-24  class 2/2 in 0  [Shop.open Shop.close] "shop.py: Shop\n"
    2: 25-30  module  [first last] "shop.py\n"
    "#);
    assert_snapshot!(shown(SHOP, &Options { context: Context::None, overlap: 6, ..options(64) }), @r#"
    0: 1-13  module  [LIMIT Shop] ""
    1: 14-24  class 2/2 in 0  [Shop.open Shop.close] "\n    name: str\n\n"
    2: 25-30  module  [first last] "        self.at = None\n\n\n"
    "#);
}

/// Others keep the declaration alone.
#[test]
fn a_large_function_with_one_declaration_is_kept_whole() {
    let body: String = (0..300).map(|number| format!("    total += weigh(item, {number})\n")).collect();
    let source =
        format!("def f(items):\n    def weigh(item, by): return item * by\n    total = 0\n{body}    return total\n");
    let tree = python(&source);
    let found = chunks(&tree, "f.py", &options(200)).expect("the options are sound");
    assert_eq!(found.iter().map(|chunk| chunk.text.as_str()).collect::<String>(), source);
    assert!(found.len() > 10 && found.iter().all(|chunk| chunk.tokens <= 200));
    assert!(found.iter().all(|chunk| chunk.qualnames[0] == "f" && chunk.kind == "function"));
    assert!(found.iter().skip(1).all(|chunk| chunk.parent == Some(0) && chunk.context == "f.py\ndef f(items)\n"));
}

/// Files below `/p`, and an engine that looks at them.
fn engine(files: &[(&str, &[u8])], observer: Arc<dyn Observer>) -> Engine {
    let memory = Memory::default();
    for (path, bytes) in files {
        memory.write(format!("/p/{path}"), *bytes);
    }
    let working_directory = PathBuf::from("/p");
    Engine::new(Host { files: Arc::new(memory), working_directory, observer, ..Host::at("/p") })
}

fn ask(files: &[(&str, &[u8])], params: &Value) -> Value {
    let request = json!({"method": "chunk", "params": params});
    let request: Request = serde_json::from_value(request).expect("the request is well formed");
    match engine(files, Arc::new(cst::engine::Silent)).handle(request) {
        Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
        Err(error) => error.to_json(),
    }
}

fn rows(answer: &Value) -> &[Value] {
    answer["chunks"].as_array().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn a_row_says_all_of_a_chunk() {
    let answer = ask(&[("a.py", b"def f():\n    pass\n")], &json!({"targets": ["a.py"]}));
    let expected = json!({
        "chunks": [{
            "id": "3622d833b1ce87c2",
            "path": "a.py",
            "language": "python",
            "ranges": [[0, 18]],
            "lines": [1, 2],
            "kind": "function",
            "qualnames": ["f"],
            "parent": null,
            "part": null,
            "tokens": 9,
            "context": "a.py\n",
            "text": "def f():\n    pass\n",
            "hash": "abd389fc6799682b087fb6d4a48026ee",
        }],
        "files": 1,
        "by_lines": 0,
    });
    assert_eq!(answer, expected);
}

#[test]
fn files_of_any_kind_are_told_of() {
    let files: &[(&str, &[u8])] = &[
        ("a.py", b"def f():\n    pass\n"),
        ("binary.bin", b"\x7fELF\0\0\0"),
        ("empty.py", b""),
        ("notes.txt", b"one\ntwo\n"),
        ("other.txt", b"\xff\xfe\xfd"),
    ];
    let answer = ask(files, &json!({}));
    let paths: Vec<_> = rows(&answer).iter().map(|row| (row["path"].clone(), row["language"].clone())).collect();
    assert_eq!(paths, [(json!("a.py"), json!("python")), (json!("notes.txt"), Value::Null)]);
    assert_eq!(rows(&answer)[1]["note"], "in an unrecognised language: cut by lines");
    assert_eq!(rows(&answer)[1]["kind"], "text");
    assert_eq!((&answer["files"], &answer["by_lines"]), (&json!(3), &json!(1)));
    let skipped: Vec<_> = answer["skipped"].as_array().into_iter().flatten().map(|file| file["path"].clone()).collect();
    assert_eq!(skipped, ["binary.bin", "other.txt"]);
    let named = ask(files, &json!({"targets": ["notes.txt"]}));
    assert_eq!(rows(&named).len(), 1);
    let python = ask(files, &json!({"reading": {"language": "python"}}));
    assert_eq!((rows(&python).len(), &python["by_lines"]), (1, &json!(0)));
    assert_eq!(ask(files, &json!({"targets": ["binary.bin"]}))["error"]["code"], "unsupported_encoding");
}

#[test]
fn ids_are_unique_and_stay() {
    let twice = "x = 1  # one two three four five six seven eight nine\n".repeat(40);
    let ids = |source: &str, targets: Value| -> Vec<String> {
        let answer = ask(&[("a.py", source.as_bytes())], &json!({"targets": targets, "max_tokens": 60}));
        rows(&answer).iter().map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let before = ids(&twice, json!(["a.py"]));
    assert_eq!(before.iter().collect::<HashSet<_>>().len(), before.len());
    assert_eq!(ids(&twice, json!(["a.py", "a.py", "."])), before);
    let appended =
        format!("{twice}\n\ndef other():\n    return 'something else that is long enough to be a chunk of its own'\n");
    let after = ids(&appended, json!(["a.py"]));
    assert!(before[..before.len() - 2].iter().all(|id| after.contains(id)));
}

/// Ranges are those of the file, in any encoding.
#[test]
fn ranges_are_bytes_of_the_file() {
    let source = "# Grüße\nclass Ärger:\n    def f(self):\n        return 'ß' * 10\n\n    def g(self):\n        return 'ö' * 20\n";
    let utf_16: Vec<u8> = std::iter::once(0xfeff).chain(source.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = source.chars().map(|sign| u8::try_from(u32::from(sign)).expect("it is in Latin-1")).collect();
    let marked = format!("\u{feff}{source}");
    let of = |bytes: &[u8], encoding: Option<&str>| -> Vec<(Vec<u8>, String)> {
        let reading = encoding.map_or(json!({}), |name| json!({"encoding": name}));
        let answer = ask(&[("a.py", bytes)], &json!({"targets": ["a.py"], "max_tokens": 24, "reading": reading}));
        let range = |row: &Value| {
            let [from, to] = [0, 1].map(|end| row["ranges"][0][end].as_u64().expect("a number") as usize);
            (bytes[from..to].to_owned(), row["text"].as_str().expect("a text").to_owned())
        };
        rows(&answer).iter().map(range).collect()
    };
    let parts = of(marked.as_bytes(), None);
    assert!(parts.len() > 1 && parts[0].1.starts_with('\u{feff}'));
    assert!(parts.iter().all(|(bytes, text)| bytes == text.as_bytes()));
    let parts = of(&utf_16, None);
    let encoded = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    assert!(parts.len() > 1 && parts.iter().all(|(bytes, text)| *bytes == encoded(text)));
    let parts = of(&latin, Some("latin1"));
    assert!(parts.len() > 1 && parts.iter().all(|(bytes, text)| bytes.len() == text.chars().count()));
    assert_eq!(parts.into_iter().flat_map(|(bytes, _)| bytes).collect::<Vec<u8>>(), latin);
}

#[test]
fn texts_and_trees_are_cut_too() {
    let text = |name: Value| json!({"targets": [{"text": "def f():\n    pass\n", "name": name}]});
    let answer = ask(&[], &text(json!("a.py")));
    assert_eq!((&rows(&answer)[0]["language"], &rows(&answer)[0]["path"]), (&json!("python"), &json!("a.py")));
    let answer = ask(&[], &text(Value::Null));
    assert_eq!((&rows(&answer)[0]["language"], &rows(&answer)[0]["path"]), (&Value::Null, &Value::Null));
    let bench = crate::engine::Bench::new(&[("a.py", "def f():\n    pass\n")]);
    let tree = bench.load("a.py");
    let answer = bench.ask("chunk", json!({"targets": [tree]}));
    assert_eq!(rows(&answer)[0]["tree_id"], json!(tree));
    assert_eq!(rows(&answer)[0]["qualnames"], json!(["f"]));
}

#[test]
fn numbers_that_can_not_be_are_refused() {
    for params in [json!({"max_tokens": 7}), json!({"max_tokens": 100, "overlap": 51})] {
        let answer = ask(&[("a.py", b"x = 1\n")], &params);
        assert_eq!(answer["error"]["code"], "bad_request", "{answer}");
    }
    let least = ask(&[("a.py", b"x = 1\n")], &json!({"max_tokens": 8, "min_tokens": 1000, "overlap": 4}));
    assert_eq!(rows(&least).len(), 1);
}

/// Takes chunks as they are found.
#[derive(Default)]
struct Taker(Mutex<Vec<String>>);

impl Observer for Taker {
    fn chunked(&self, chunk: &ChunkRow) -> bool {
        self.0.lock().expect("nobody panicked").push(chunk.path.clone().unwrap_or_default());
        true
    }
}

#[test]
fn chunks_are_given_as_they_are_found() {
    let taker = Arc::new(Taker::default());
    let files: &[(&str, &[u8])] = &[("a.py", b"a = 1\n"), ("b.py", b"b = 1\n"), ("c.rs", b"fn c() {}\n")];
    let request = serde_json::from_value(json!({"method": "chunk", "params": {}})).expect("it is well formed");
    let response = engine(files, taker.clone()).handle(request).expect("nothing is wrong");
    let response = serde_json::to_value(response).expect("a response is plain data");
    assert!(rows(&response).is_empty());
    assert_eq!(*taker.0.lock().expect("nobody panicked"), ["a.py", "b.py", "c.rs"]);
}
