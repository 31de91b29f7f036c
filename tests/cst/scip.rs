//! SCIP indexes by other programs: read, kept, compared with what the files say; damaged ones are errors.

use cst::scip::{name_of_symbol, read_scip};
use serde_json::{Value, json};

use crate::cli::Place;
use crate::symbols::Project;

/// A message of protobuf.
#[derive(Default, Clone)]
struct Message(Vec<u8>);

impl Message {
    fn varint(mut self, mut number: u64) -> Message {
        while number >= 128 {
            self.0.push((number & 127) as u8 | 128);
            number >>= 7;
        }
        self.0.push(number as u8);
        self
    }

    fn number(self, field: u64, number: u64) -> Message {
        self.varint(field << 3).varint(number)
    }

    fn bytes(self, field: u64, bytes: &[u8]) -> Message {
        let mut message = self.varint(field << 3 | 2).varint(bytes.len() as u64);
        message.0.extend_from_slice(bytes);
        message
    }
}

/// A name: its line, its columns, its symbol, its roles.
type Name<'a> = (u64, u64, u64, &'a str, u64);

/// An index with documents, each with occurrences: line, start, end, symbol, roles.
fn index(root: &str, documents: &[(&str, &[Name<'_>])]) -> Vec<u8> {
    let tool = Message::default().bytes(1, b"by-hand");
    let metadata = Message::default().bytes(2, &tool.0).bytes(3, root.as_bytes());
    let mut index = Message::default().bytes(1, &metadata.0);
    for (path, occurrences) in documents {
        let mut document = Message::default().bytes(1, path.as_bytes()).bytes(9, b"an unknown field");
        for (line, start, end, symbol, roles) in *occurrences {
            let range = Message::default().varint(*line).varint(*start).varint(*end);
            let occurrence = Message::default().bytes(1, &range.0).bytes(2, symbol.as_bytes()).number(3, *roles);
            document = document.bytes(2, &occurrence.0);
        }
        index = index.bytes(2, &document.0);
    }
    index.0
}

const SHOP: &str =
    "class Shop:\n    def open(self):\n        pass\n\n\nclass Door:\n    def open(self):\n        pass\n";
const USE: &str =
    "from shop import Shop, Door\n\n\ndef visit(thing, é):\n    thing.open()\n    thing.open()\n    Shop().open()\n";

/// An index that knows what the files do not say: what `thing` is. Of one place it says something else.
fn known_by_hand() -> Vec<u8> {
    let (shop, door) = ("py pip shop 1 `shop`/Shop#open().", "py pip shop 1 `shop`/Door#open().");
    index(
        "file:///elsewhere",
        &[
            ("shop.py", &[(1, 8, 12, shop, 1), (6, 8, 12, door, 1), (0, 0, 0, "py pip shop 1 `shop`/__init__:", 1)]),
            // The last two do not spell the name: one is shifted, one is of a file that is not there.
            ("use.py", &[(4, 10, 14, shop, 0), (5, 10, 14, door, 0), (6, 11, 15, door, 0), (3, 4, 8, shop, 0)]),
            ("gone.py", &[(0, 0, 4, shop, 0)]),
            ("../outside.py", &[(0, 0, 4, shop, 0)]),
        ],
    )
}

fn place() -> Place {
    let place = Place::new();
    place.write("shop.py", SHOP);
    place.write("use.py", USE);
    place
}

/// The references as `path:line confidence why`.
fn rows(answer: &Value, key: &str) -> Vec<String> {
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let row =
        |row: &Value| format!("{}:{} {} {}", word(row, "path"), row["line"], word(row, "confidence"), word(row, "why"));
    answer[key].as_array().into_iter().flatten().map(row).collect()
}

#[test]
fn an_index_says_what_the_files_do_not() {
    let place = place();
    std::fs::write(place.path("by-hand.scip"), known_by_hand()).expect("written");
    let refs = |place: &Place| place.run(&["refs", "Shop.open", "--explain", "--json"]).expect(0).json();
    let before = rows(&refs(&place), "references");
    assert_eq!(
        before,
        ["shop.py:2 certain scope", "use.py:5 candidate type", "use.py:6 candidate type", "use.py:7 certain type"]
    );
    let made = place.run(&["index", "--scip", "by-hand.scip", "--json"]).expect(0).json();
    assert_eq!(made["scip"], json!({"tool": "by-hand", "files": 2, "names": 5}));
    let said = refs(&place);
    assert_eq!(rows(&said, "references"), ["shop.py:2 certain scip", "use.py:5 certain scip"]);
    // Of one place the index disagrees, and it counts.
    assert_eq!(
        rows(&said, "disagreements"),
        ["use.py:5 certain scip", "use.py:6 elsewhere scip", "use.py:7 elsewhere scip"]
    );
    let text = place.run(&["refs", "Shop.open", "--explain"]).expect(0).stdout;
    assert!(text.contains("use.py:5:11  call  in visit  by scip"), "{text}");
    assert!(text.contains("differs  use.py:7:12  certain by the files, elsewhere by the index"), "{text}");
    // A line that changed no longer counts, nor one that moved; the others do.
    place.write("use.py", &USE.replace("    thing.open()\n    thing.open()", "    thing.open()\n    thing.open(1)"));
    assert_eq!(
        rows(&refs(&place), "references"),
        ["shop.py:2 certain scip", "use.py:5 certain scip", "use.py:6 candidate type", "use.py:7 certain type"]
    );
    place.write("use.py", &format!("\n{USE}"));
    assert_eq!(rows(&refs(&place), "references").len(), 4);
    // Without a place to keep it there is none, and it goes with the index.
    place.write("use.py", USE);
    assert_eq!(
        place.run(&["refs", "Shop.open", "--count", "--no-cache"]).expect(0).stdout.matches("2 certain").count(),
        1
    );
    place.run(&["index", "--clear"]).expect(0);
    assert_eq!(rows(&refs(&place), "references"), before);
}

#[test]
fn an_index_at_the_top_is_used() {
    let place = place();
    let refs = |options: &[&str]| {
        let words = [&["refs", "Shop.open", "--explain", "--json"], options].concat();
        rows(&place.run(&words).expect(0).json(), "references").len()
    };
    assert_eq!(refs(&[]), 4);
    std::fs::write(place.path("index.scip"), known_by_hand()).expect("written");
    for options in [&[][..], &[], &["--no-cache"]] {
        assert_eq!(refs(options), 2, "{options:?}");
    }
    // Another one, a damaged one, and none.
    let (shop, path) = ("py pip shop 1 `shop`/Shop#open().", format!("file://{}", place.path("").display()));
    let other =
        index(path.trim_end_matches('/'), &[("shop.py", &[(1, 8, 12, shop, 1)]), ("use.py", &[(4, 10, 14, shop, 0)])]);
    std::fs::write(place.path("index.scip"), other).expect("written");
    assert_eq!(refs(&[]), 4);
    std::fs::write(place.path("index.scip"), b"no index at all").expect("written");
    let said = place.run(&["refs", "Shop.open"]).expect(0);
    assert!(said.stderr.contains("the precise index is left out: `index.scip` cannot be read"), "{}", said.stderr);
    assert_eq!(refs(&[]), 4);
    std::fs::remove_file(place.path("index.scip")).expect("removed");
    assert_eq!(refs(&[]), 4);
}

#[test]
fn our_own_index_says_what_we_say() {
    let place = place();
    place.write(
        "more/a.ts",
        "export class Ä { b() { return 'ö'; } }\nconst x = '😀'; new Ä().b();\nfunction local(y: Ä) { y.b(); }\n",
    );
    let all = |options: &[&str]| {
        let symbols = ["Shop.open", "Door.open", "visit", "Ä", "b", "local"];
        symbols.map(|symbol| {
            let words = [&["refs", symbol, "--explain", "--json", "--all"], options].concat();
            place.run(&words).json()
        })
    };
    let before = all(&[]);
    place.run(&["index", "--export", "scip", "--output", "own.scip"]).expect(0);
    let made = place.run(&["index", "--scip", "own.scip", "--json"]).expect(0).json();
    assert_eq!((&made["scip"]["tool"], &made["scip"]["files"]), (&json!("cst"), &json!(3)));
    let after = all(&[]);
    let mut by_index = 0;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["counts"], after["counts"]);
        assert_eq!(after.get("disagreements"), None, "{after}");
        by_index += rows(after, "references").iter().filter(|row| row.ends_with("scip")).count();
    }
    assert!(by_index > 10, "{by_index} names by the index");
    // An error says what is wrong.
    for (name, bytes, why) in
        [("empty", &b""[..], "no metadata"), ("text", b"hello", "damaged"), ("cut", &[10, 200], "cut")]
    {
        std::fs::write(place.path(name), bytes).expect("written");
        let said = place.run(&["index", "--scip", name]).expect(2);
        assert!(said.stderr.contains(why), "{name}: {}", said.stderr);
    }
    assert!(place.run(&["index", "--scip", "nosuch.scip"]).expect(2).stderr.contains("nosuch.scip"));
    assert_eq!(all(&[])[0]["counts"], before[0]["counts"]);
}

#[test]
fn damaged_indexes_are_errors() {
    let whole = known_by_hand();
    let names = |bytes: &[u8]| {
        read_scip(bytes).map(|index| index.documents.iter().map(|document| document.occurrences.len()).sum::<usize>())
    };
    let all = names(&whole).expect("whole");
    assert_eq!(all, 8);
    let (mut errors, mut shorter) = (0, 0);
    for end in 0..whole.len() {
        match names(&whole[..end]) {
            Ok(count) => {
                shorter += 1;
                assert!(count < all, "cut at {end}");
            }
            Err(_) => errors += 1,
        }
    }
    // Only between two documents the rest is an index.
    assert!(errors > 400 && shorter <= 4, "{errors} errors, {shorter} shorter");
    let mut read = 0;
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            read += usize::from(names(&bytes).is_ok());
        }
    }
    assert!(read > 100, "many flipped bits are in texts");
    // Lengths that are too large for any memory.
    let huge = [&[18, 255, 255, 255, 255, 255, 255, 255, 255, 127][..], &whole].concat();
    assert!(read_scip(&huge).is_err());
}

#[test]
fn names_of_symbols_are_read() {
    for (symbol, name) in [
        ("scip-python python pkg 1 `a.b`/Class#method().", "method"),
        ("scip-python python pkg 1 `a.b`/Class#method(+1).", "method"),
        ("scip-typescript npm pkg 1 src/`a.ts`/x.", "x"),
        ("rust-analyzer cargo pkg 1 a/impl#[`Vec<T>`]len().", "len"),
        ("x . . . Class#", "Class"),
        ("x . . . f().(parameter)", "parameter"),
        ("x . . . f().[T]", "T"),
        ("x . . . m!", "m"),
        ("x . . . `<constructor>`().", "<constructor>"),
    ] {
        assert_eq!(name_of_symbol(symbol).as_deref(), Some(name), "{symbol}");
    }
    assert_eq!(name_of_symbol("12 local 3"), None);
}

#[test]
fn a_request_reads_an_index_only_where_it_may() {
    // In memory there is no place for one.
    let project = Project::new(&[("a.py", "x = 1\n")]);
    let error = project.ask("index", &json!({"scip": "index.scip"})).expect_err("no folder");
    assert_eq!(error["error"]["code"], "bad_request");
}
