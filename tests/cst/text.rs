//! Text: places, edits, encodings, and diffs that other programs apply.

use std::process::Command;

use cst::text::{EditSet, Overlap, Position, Span, Text, TextEdit, changed_lines, unified};
use proptest::prelude::*;

fn edits(edits: &[(usize, usize, &str)]) -> Result<EditSet, Overlap> {
    EditSet::new(edits.iter().map(|&(start, end, text)| TextEdit::new(Span::new(start, end), text)).collect())
}

#[test]
fn what_is_stored_wrong_is_refused() {
    let read = |source: &str| serde_json::from_str::<EditSet>(source);
    let edit = |start: usize, end: usize| format!(r#"{{"span":{{"start":{start},"end":{end}}},"text":"x"}}"#);
    let set = |edits: &[String]| format!(r#"{{"edits":[{}]}}"#, edits.join(","));
    assert!(read(&set(&[edit(5, 3)])).unwrap_err().to_string().contains("past its end"));
    assert!(read(&set(&[edit(1, 4), edit(3, 6)])).unwrap_err().to_string().contains("the same bytes"));
    let sorted = read(&set(&[edit(7, 8), edit(1, 4)])).unwrap();
    assert!(sorted.iter().map(|edit| edit.span.start()).eq([1, 7]));
    assert_eq!(read(&serde_json::to_string(&sorted).unwrap()).unwrap(), sorted);
}

#[test]
fn only_lf_crlf_and_cr_end_a_line() {
    let text = Text::new("a\nb\r\nc\rd\u{2028}e\u{b}f\u{c}g\u{85}h");
    assert_eq!(text.line_count(), 4);
    let places: Vec<(usize, usize)> = ["a", "b", "c", "d", "e", "h"]
        .iter()
        .map(|letter| text.position(text.to_string().find(letter).unwrap()))
        .map(|position| (position.line, position.column))
        .collect();
    assert_eq!(places, [(1, 0), (2, 0), (3, 0), (4, 0), (4, 2), (4, 8)]);
}

#[test]
fn lines_are_counted_as_editors_do() {
    for (source, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("\n", 1), ("a\r\nb", 2), ("a\r", 1), ("ä", 1)]
    {
        assert_eq!(Text::new(source).line_count(), lines, "{source:?}");
    }
}

#[test]
fn offsets_and_positions_are_each_other_s_inverse() {
    let text = Text::new("é = 1\r\n\tx\r\n\u{1f600}y\n");
    for (offset, _) in text.to_string().char_indices() {
        if text.byte(offset) != Some(b'\n') && text.byte(offset) != Some(b'\r') {
            assert_eq!(text.offset(text.position(offset)), Some(offset));
        }
    }
    assert_eq!(text.offset(Position { line: 1, column: 99 }), Some(6));
    assert_eq!(text.offset(Position { line: 9, column: 0 }), None);
    assert_eq!(text.offset(Position { line: 0, column: 0 }), None);
}

#[test]
fn edits_that_share_a_byte_are_refused_and_inserts_keep_their_order() {
    assert_eq!(edits(&[(2, 5, ""), (0, 3, "")]), Err(Overlap { first: 1, second: 0 }));
    assert_eq!(edits(&[(0, 4, ""), (2, 2, "x")]), Err(Overlap { first: 0, second: 1 }));
    let set = edits(&[(3, 3, "b"), (0, 3, "x"), (3, 5, "y"), (3, 3, "c")]).unwrap();
    assert_eq!(Text::new("123456").apply(&set).to_string(), "xbcy6");
}

#[test]
fn newline_is_the_one_used_most() {
    for (source, newline) in
        [("", "\n"), ("a\nb\r\nc\n", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\rb\rc\n", "\r"), ("a\r\n", "\r\n")]
    {
        assert_eq!(Text::new(source).newline(), newline, "{source:?}");
    }
}

#[test]
fn bytes_come_back_as_they_were_read() {
    let utf16: Vec<u8> = "\u{feff}é\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16_big: Vec<u8> = "\u{feff}é\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let every_byte: Vec<u8> = (1..=255).collect();
    let cases: [(&[u8], Option<&str>, &str); 7] = [
        (b"a\r\nb\rc\n", None, "utf-8"),
        (b"\xef\xbb\xbfa\n", None, "utf-8"),
        (b"", None, "utf-8"),
        (&utf16, None, "utf-16le"),
        (&utf16_big, None, "utf-16be"),
        (&every_byte, Some("latin-1"), "windows-1252"),
        (b"\x82\xa0\n", Some("shift_jis"), "shift_jis"),
    ];
    for (bytes, label, name) in cases {
        let text = Text::decode(bytes, label).unwrap();
        assert_eq!(text.encode().unwrap(), bytes);
        assert_eq!(text.encoding().name(), name);
        assert!(!text.to_string().contains('\u{feff}'));
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let message = |bytes: &[u8], label| Text::decode(bytes, label).unwrap_err().to_string();
    assert_eq!(message(b"a\xe9", None), "not utf-8: byte 1 has no meaning there");
    assert_eq!(message(b"a\0b", None), "binary: byte 1 is NUL");
    assert_eq!(message(b"a\0b", Some("latin-1")), "binary: byte 1 is NUL");
    assert_eq!(message(b"\xff\xfea", None), "not utf-16le: byte 2 has no meaning there");
    assert_eq!(message(b"\xff\xfe\x00\xd8", None), "not utf-16le: byte 2 has no meaning there");
    assert_eq!(message(b"a", Some("klingon")), "unknown encoding `klingon`");
    let latin = Text::decode(b"\xe9", Some("latin-1")).unwrap();
    let edited = latin.apply(&edits(&[(0, 0, "\u{1f600}")]).unwrap());
    assert_eq!(edited.encode().unwrap_err().to_string(), "`\u{1f600}` cannot be written in `windows-1252`");
}

#[test]
fn changed_lines_are_those_of_the_new_text() {
    let old = Text::new("a\nb\nc\nd\n");
    let check = |set: &[(usize, usize, &str)]| {
        let set = edits(set).unwrap();
        changed_lines(&old.apply(&set), &set)
    };
    assert_eq!(check(&[(0, 1, "x")]), [(1, 1)]);
    assert_eq!(check(&[(2, 2, "x\ny\n")]), [(2, 3)]);
    assert_eq!(check(&[(0, 1, "x"), (6, 7, "z\nz")]), [(1, 1), (4, 5)]);
    assert_eq!(check(&[(0, 1, "x"), (2, 3, "z")]), [(1, 2)]);
}

#[test]
fn names_in_diffs_are_quoted_as_git_does() {
    let header = |path: &str| unified(path, &Text::new("a\n"), &Text::new("b\n")).lines().next().unwrap().to_owned();
    assert_eq!(header("src/a.py"), "--- a/src/a.py");
    assert_eq!(header("/tmp/a.py"), "--- a/tmp/a.py");
    assert_eq!(header("my file.py"), "--- a/my file.py\t");
    assert_eq!(header("a\"b.py"), "--- \"a/a\\\"b.py\"");
    assert_eq!(unified("a.py", &Text::new("a"), &Text::new("a")), "");
}

/// Pieces of which awkward texts are made.
fn text_strategy() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "bb\n", "c\r\n", "\r", "\n", "\u{2028}", "\u{c}", "é", "  ", "-x\n", "+y\n", "\\\n",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A text and edits of it, at whole characters, that don't overlap.
fn edited_strategy() -> impl Strategy<Value = (String, Vec<(usize, usize, String)>)> {
    let replacement = prop::sample::select(vec!["", "z", "q\n", "\r\n", "w\nw"]);
    (text_strategy(), prop::collection::vec((any::<prop::sample::Index>(), replacement), 0..8)).prop_map(
        |(text, raw)| {
            let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            places.dedup();
            let mut cuts: Vec<(usize, &str)> = raw.iter().map(|(index, with)| (*index.get(&places), *with)).collect();
            cuts.sort();
            let edits = cuts.chunks(2).filter(|pair| pair.len() == 2);
            let edits = edits.map(|pair| (pair[0].0, pair[1].0, pair[0].1.to_owned())).collect();
            (text, edits)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn applying_and_undoing_edits_gives_the_text_back((source, raw) in edited_strategy()) {
        let old = Text::new(&source);
        let set = EditSet::new(raw.iter().map(|(start, end, text)| TextEdit::new(Span::new(*start, *end), text.clone())).collect()).unwrap();
        let new = old.apply(&set);
        let mut expected = source.clone();
        for (start, end, text) in raw.iter().rev() {
            expected.replace_range(*start..*end, text);
        }
        prop_assert_eq!(new.to_string(), expected);
        prop_assert_eq!(new.apply(&set.inverse(&old)).to_string(), source);
    }

    #[test]
    fn two_sets_of_edits_make_one((source, raw) in edited_strategy(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..3usize), 0..8)) {
        let old = Text::new(&source);
        let set = EditSet::new(raw.iter().map(|(start, end, text)| TextEdit::new(Span::new(*start, *end), text.clone())).collect()).unwrap();
        let middle = old.apply(&set);
        let text = middle.to_string();
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut places: Vec<(usize, usize)> = cuts.iter().map(|(index, with)| (*index.get(&places), *with)).collect();
        places.sort_unstable();
        let pairs = places.chunks(2).filter(|pair| pair.len() == 2);
        let next = pairs.map(|pair| TextEdit::new(Span::new(pair[0].0, pair[1].0), ["", "x", "y\n"][pair[0].1])).collect();
        let next = EditSet::new(next).unwrap();
        let both = set.then(&middle, &next);
        prop_assert_eq!(old.apply(&both).to_string(), middle.apply(&next).to_string());
        let spans: Vec<Span> = both.iter().map(|edit| edit.span).collect();
        prop_assert!(spans.windows(2).all(|pair| pair[0].end() <= pair[1].start()), "{:?}", spans);
    }
}

/// `git apply` and `patch` on diffs of random edits: what they make of the old file is the new one, byte for byte.
#[test]
fn diffs_are_applied_by_git_and_patch() {
    use proptest::strategy::ValueTree;
    let folder = tempfile::tempdir().unwrap();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = edited_strategy();
    let mut tried = 0;
    while tried < 60 {
        let (source, raw) = strategy.new_tree(&mut runner).unwrap().current();
        let old = Text::new(&source);
        let set = EditSet::new(
            raw.iter().map(|(start, end, text)| TextEdit::new(Span::new(*start, *end), text.clone())).collect(),
        )
        .unwrap();
        let new = old.apply(&set);
        let diff = unified("some file.py", &old, &new);
        if diff.is_empty() || old.is_empty() || new.is_empty() {
            continue;
        }
        tried += 1;
        let file = folder.path().join("some file.py");
        let patch = folder.path().join("change.patch");
        std::fs::write(&patch, &diff).unwrap();
        for command in [
            &["git", "apply", "--whitespace=nowarn", "change.patch"][..],
            &["patch", "--binary", "-s", "-p1", "-i", "change.patch"],
        ] {
            std::fs::write(&file, old.encode().unwrap()).unwrap();
            let Ok(output) = Command::new(command[0]).args(&command[1..]).current_dir(folder.path()).output() else {
                println!("skipped: {} is not installed", command[0]);
                continue;
            };
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{command:?}: {said}\n{diff:?}\n{source:?}");
            assert_eq!(std::fs::read(&file).unwrap(), new.encode().unwrap(), "{command:?}\n{diff}");
        }
    }
}
