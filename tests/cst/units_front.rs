//! Tests of functions of the servers and of the command line that no command shows alone: bounded JSON, words of operations.

mod arguments {
    use clap::CommandFactory;
    use cst::cli::Arguments;
    use cst::engine::MethodName;

    #[test]
    fn each_request_has_its_command() {
        let known = Arguments::command();
        for name in MethodName::ALL {
            // `cst undo --list` lists transactions, `cst index --export` exports; `callers` and `callees` ask for calls, `cst rules convert`
            // converts.
            let others = [MethodName::Transactions, MethodName::Calls, MethodName::Export, MethodName::ConvertRules];
            assert_ne!(known.find_subcommand(name.as_str()).is_some(), others.contains(name), "{name}");
        }
    }
}

mod bounded {
    use cst::limits::MESSAGE_VALUES;
    use cst::serve::read;
    use serde_json::Value;

    #[test]
    fn what_is_read_is_what_serde_reads() {
        let texts = [
            "null",
            " [true, false, 1, -2, 1.5, 1e300, 18446744073709551615, \"a\\u00e9\\n\"] ",
            r#"{"a": {"b": [], "c": {}}, "a": 2, "": [[[[]]]]}"#,
            "",
            "[1,]",
            "[1] 2",
            "{\"a\"}",
            "nul",
            "\"\\ud800\"",
        ];
        for text in texts {
            let (own, serde) = (read(text.as_bytes()), serde_json::from_str::<Value>(text));
            match (own, serde) {
                (Ok(own), Ok(serde)) => assert_eq!(own, serde, "{text}"),
                (Err(own), Err(serde)) => assert_eq!(own.to_string(), serde.to_string(), "{text}"),
                (own, serde) => panic!("{text}: {own:?}, {serde:?}"),
            }
        }
        let deep = "[".repeat(200);
        assert!(read(deep.as_bytes()).is_err());
    }

    #[test]
    fn values_are_bounded() {
        let list = |count: usize| format!("[{}]", vec!["0"; count].join(","));
        assert!(read(list(MESSAGE_VALUES - 1).as_bytes()).is_ok());
        let error = read(list(MESSAGE_VALUES).as_bytes()).expect_err("they are too many");
        assert!(error.to_string().starts_with("more than 1000000 values"), "{error}");
    }
}

mod operation {
    use cst::cli::{ROWS, Row, Word};
    use cst::edit::OperationKind;

    #[test]
    fn each_operation_is_a_command_with_all_its_words() {
        assert_eq!(ROWS.len(), OperationKind::ALL.len());
        for Row(kind, name, _, words) in ROWS {
            assert_eq!(name.replace('-', "_"), kind.as_str());
            let field = |word: &Word| match *word {
                Word::Text(field, ..) | Word::Flag(field, _) => field,
                Word::Place(_) => "position",
                Word::References(_) => "references",
            };
            let mut given: Vec<&str> = words.iter().map(field).collect();
            let mut known: Vec<&str> = kind.fields().iter().copied().filter(|field| *field != "extent").collect();
            given.sort_unstable();
            known.sort_unstable();
            assert_eq!(given, known, "{name}");
        }
    }
}
