//! Tests of functions of the engine that no command shows alone: words that name nodes, cursors, hints, merges, the store's clock.

mod cursor {
    use std::path::PathBuf;

    use cst::engine::{Cursor, ErrorCode, ItemPlace, Next};

    #[track_caller]
    fn check(text: &str, target: usize, inside: Option<&str>, next: Next) {
        let cursor = Cursor { place: ItemPlace { target, inside: inside.map(PathBuf::from) }, next };
        assert_eq!(cursor.to_string(), text);
        assert_eq!(text.parse::<Cursor>().ok(), Some(cursor));
    }

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let hash = || "5f3a9c1b".to_owned();
        check("0.12.5f3a9c1b/src/app.py", 0, Some("src/app.py"), Next::Match { index: 12, revision: hash() });
        check("3.0.5f3a9c1b", 3, None, Next::Match { index: 0, revision: hash() });
        check("0.7.r2", 0, None, Next::Match { index: 7, revision: "r2".to_owned() });
        check("1.end/a.py", 1, Some("a.py"), Next::End);
        check("0.end/a%25b/%22c%22%0a%5c/é.py", 0, Some("a%b/\"c\"\n\\/é.py"), Next::End);
        #[cfg(unix)]
        {
            let path: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(b"caf\xe9.py".to_vec());
            let cursor = Cursor { place: ItemPlace { target: 0, inside: Some(path.into()) }, next: Next::End };
            assert_eq!(cursor.to_string().parse::<Cursor>().ok(), Some(cursor));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let texts = ["", "3", "0.", "0.3", "0.3.", "0.3.x-z", "-1.end", "0.end.", "0.end/%", "0.end/%zz", "0.end/%ff"];
        for text in texts {
            let error = text.parse::<Cursor>().expect_err(text);
            assert_eq!(error.code, ErrorCode::BadRequest);
        }
    }
}

mod entries {
    use cst::engine::Entries;

    #[test]
    fn entries_are_objects_and_keep_their_order() {
        let written = r#"{"b":2,"a":1}"#;
        let entries: Entries<usize> = serde_json::from_str(written).unwrap();
        assert_eq!((entries.get("a"), entries.get("c"), entries.len()), (Some(&1), None, 2));
        assert_eq!(serde_json::to_string(&entries).unwrap(), written);
        let twice: Entries<usize> = serde_json::from_str(r#"{"b":2,"b":3}"#).unwrap();
        assert_eq!(twice.iter().collect::<Vec<_>>(), [("b", &3)]);
    }
}

mod handle {
    use cst::engine::{MethodName, Request};
    use serde_json::json;

    #[test]
    fn requests_go_by_the_names_of_their_methods() {
        for &name in MethodName::ALL {
            let request = json!({"method": name.as_str(), "params": {}});
            match serde_json::from_value::<Request>(request) {
                Ok(request) => assert_eq!(request.name(), name),
                // Some have fields that have to be there.
                Err(error) => assert!(error.to_string().contains("missing field"), "{name}: {error}"),
            }
            assert_eq!(MethodName::named(name.as_str()), Some(name));
        }
        assert_eq!(MethodName::ALL.len(), 36);
    }
}

mod hint {
    use cst::engine::{Hint, TERMS, Term};
    use cst::language::Languages;

    #[test]
    fn each_front_end_words_its_own() {
        let hint = Hint::from("{trees} lists the loaded trees; {load} loads another");
        assert_eq!(hint.to_string(), "`trees` lists the loaded trees; `load` loads another");
        let commands = |term| Some(if term == Term::Trees { "`cst trees`" } else { "`cst load`" });
        assert_eq!(hint.worded(commands).unwrap(), "`cst trees` lists the loaded trees; `cst load` loads another");
        assert_eq!(hint.worded(|_| None), None);
        // The names of languages are left to what lists them, where there is such a thing.
        let hint = Hint::from("one of these; ").and(Hint::languages(Languages::built_in()));
        assert!(hint.to_string().starts_with("one of these; known: `"), "{hint}");
        assert_eq!(hint.worded(|_| Some("look there")).unwrap(), "one of these; look there");
        assert_eq!(hint.worded(|_| None).unwrap(), hint.to_string());
        // What comes from elsewhere isn't read.
        assert_eq!(Hint::from("{trees}".to_owned()).to_string(), "{trees}");
    }

    #[test]
    fn each_term_has_its_name() {
        for (written, term, name) in TERMS {
            assert_eq!(Hint::from(written).to_string(), name, "{term:?}");
            assert_eq!(Hint::from(written).worded(|found| (found == term).then_some("x")).as_deref(), Some("x"));
            assert_eq!(TERMS.iter().filter(|(_, other, _)| *other == term).count(), 1, "{term:?}");
        }
    }

    #[test]
    #[should_panic(expected = "no term is called so")]
    #[cfg(debug_assertions)]
    fn a_term_that_does_not_exist_is_a_bug() {
        drop(Hint::from("{tress} lists the loaded trees"));
    }
}

mod merge {
    use cst::engine::{edits, merge};
    use cst::text::Text;

    #[test]
    fn edits_lead_from_one_text_to_the_other() {
        let texts = [
            "",
            "a\n",
            "a\nb\nc\n",
            "b\nc",
            "x\na\nb\nc\ny\n",
            "a\r\nb\r\n",
            "a\nB\nc\nd\ne\nF\ng\n",
            "a\nb\nc\nd\ne\nf\ng",
        ];
        for old in texts {
            for new in texts {
                assert_eq!(Text::new(old).apply(&edits(old, new)).to_string(), new, "{old:?} to {new:?}");
            }
        }
    }

    #[test]
    fn both_changes_are_kept_or_counted_as_conflicts() {
        let merged = merge("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n");
        assert_eq!((merged.source.as_str(), merged.conflicts), ("A\nb\nc\nd\nE\n", 0));
        assert_eq!(merge("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n").conflicts, 1);
    }
}

mod reference {
    use cst::engine::{Anchor, Reference};
    use cst::text::Position;
    use cst::tree::NodeId;

    fn check(word: &str, expected: &Reference) {
        assert_eq!(&Reference::read(word), expected, "{word}");
    }

    #[test]
    fn words_are_ids_anchors_or_selectors() {
        let id = |number, hash: Option<&str>, fields: &[&str]| Reference::Id {
            id: NodeId::new(number),
            hash: hash.map(str::to_owned),
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        };
        check("n31", &id(31, None, &[]));
        check("n31@3FA9C1d2", &id(31, Some("3fa9c1d2"), &[]));
        check("n17.body.name", &id(17, None, &["body", "name"]));
        check("n17.", &Reference::Selector("n17.".to_owned()));
        check("function#n17", &Reference::Selector("function#n17".to_owned()));
        check("call:at(12:5)", &Reference::Selector("call:at(12:5)".to_owned()));
        let anchor = Anchor {
            kind: "method".to_owned(),
            qualname: "A.\"b:c\"".to_owned(),
            type_name: "pair".to_owned(),
            start: Position { line: 20, column: 4 },
            end: Position { line: 31, column: 19 },
        };
        check("method:A.\"b:c\":pair:20:5-31:20", &Reference::Anchor(anchor));
    }
}

mod second_opinion {
    use cst::engine::renamed_name;
    use cst::text::{Span, Text};

    #[test]
    fn an_edit_is_the_renaming_of_one_name() {
        let text = Text::new("let a = {size}; // size\nresize(size)\n");
        let renamed = |start: usize, end: usize, new: &str| renamed_name(&text, Span::new(start, end), new, "size");
        let name = |start: usize, name: &str| Some((start, name.to_owned()));
        // The name alone.
        assert_eq!(renamed(9, 13, "length"), name(9, "length"));
        // Only what differs, and more than the name.
        assert_eq!(renamed(10, 12, "ha"), name(9, "shae"));
        assert_eq!(renamed(13, 13, "s"), name(9, "sizes"));
        assert_eq!(renamed(9, 9, "count: "), name(9, "count: size"));
        assert_eq!(renamed(8, 14, "{size: length}"), name(9, "size: length"));
        assert_eq!(renamed(24, 36, "resize(length)"), name(31, "length"));
        // Not the name, a part of another, or two places at once.
        assert_eq!(renamed(4, 5, "length"), None);
        assert_eq!(renamed(26, 30, "length"), None);
        assert_eq!(renamed(9, 23, "length}; // length"), None);
        assert_eq!(renamed(9, 13, "size"), name(9, "size"));
    }
}

mod store {
    use std::path::Path;
    use std::sync::atomic::{AtomicI64, Ordering};

    use cst::engine::{Store, Written, timestamp};
    use cst::limits;

    /// The seconds of a day.
    const DAY: i64 = 24 * 60 * 60;

    static NOW: AtomicI64 = AtomicI64::new(1_000_000_000);

    fn clock() -> i64 {
        NOW.load(Ordering::Relaxed)
    }

    #[test]
    fn backups_and_transactions_expire() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let folder = folder.path().join("state");
        let open = || Store::open_at(Some(&folder), clock).expect("the store opens");
        let path = Path::new("/p/a.py");
        let old = Some(b"a text that nobody may find again".to_vec());
        let written = Written { path: path.to_owned(), tree: None, old, new_hash: Some("hash".to_owned()) };
        let begun = NOW.load(Ordering::Relaxed);
        let kept = open().write(|session| {
            session.put_backup("backup", path, b"another text that nobody may find again")?;
            session.put_request("transaction", "rewrite")?;
            session.put_written("transaction", &written)
        });
        kept.expect("they are kept");
        let count = || {
            let counted = open().read(|session| Ok((session.backups()?.len(), session.transactions()?.len())));
            counted.expect("the store is read")
        };
        let holds_texts = || {
            let files = std::fs::read_dir(&folder).expect("the folder is there").flatten();
            let bytes: Vec<u8> = files.filter_map(|file| std::fs::read(file.path()).ok()).flatten().collect();
            bytes.windows(21).any(|bytes| bytes == b"that nobody may find ")
        };
        assert_eq!(count(), (1, 1));
        NOW.store(begun + limits::BACKUP_DAYS * DAY - 1, Ordering::Relaxed);
        assert_eq!(count(), (1, 1));
        assert!(holds_texts());
        NOW.store(begun + limits::BACKUP_DAYS * DAY + 1, Ordering::Relaxed);
        assert_eq!(count(), (0, 0));
        assert!(!holds_texts(), "what expired is in no file of the store");
        let database = rusqlite::Connection::open(folder.join("store.db")).expect("the database opens");
        let requests = database.query_row("SELECT count(*) FROM request", [], |row| row.get::<_, i64>(0));
        assert_eq!(requests.expect("the store is read"), 0);
    }

    #[test]
    fn times_are_dates() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_795_305_395), "2026-11-21T23:56:35Z");
    }
}
