//! Tests of functions for trees and texts that no command shows alone: fields of operations, packed edits, proposed selectors,
//! work that is left.

mod interrupt {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use cst_syntax::interrupt::{Question, Reason, poll, reason, within};

    #[test]
    fn work_is_left_where_it_polls() {
        let asked = Arc::new(AtomicUsize::new(0));
        let question: Question = {
            let asked = Arc::clone(&asked);
            Arc::new(move || (asked.fetch_add(1, Ordering::Relaxed) == 5).then_some(Reason::Memory))
        };
        let mut steps = 0;
        let left = within(&question, || {
            for _ in 0..100 {
                poll();
                steps += 1;
            }
        });
        assert_eq!((left, steps), (Err(Reason::Memory), 5));
        assert_eq!(within(&question, || 7), Ok(7));
        // Outside [`within`] there is no question.
        assert_eq!(reason(), None);
        poll();
    }

    #[test]
    fn the_inner_question_counts_inside() {
        let yes: Question = Arc::new(|| Some(Reason::Cancelled));
        let no: Question = Arc::new(|| None);
        let outer = within(&yes, || {
            let inner = within(&no, || {
                poll();
                1
            });
            assert_eq!(inner, Ok(1));
            assert_eq!(reason(), Some(Reason::Cancelled));
            2
        });
        assert_eq!(outer, Ok(2));
        assert_eq!(within(&no, || within(&yes, poll)), Ok(Err(Reason::Cancelled)));
    }

    #[test]
    #[should_panic(expected = "as usual")]
    fn panics_go_on() {
        let no: Question = Arc::new(|| None);
        let _ = within(&no, || panic!("as usual"));
    }
}

mod operation {
    use cst_syntax::edit::{Extent, Fields, Operation, OperationKind, Position, References};

    /// Has every field, and notes which ones were asked for.
    struct All(Vec<&'static str>);

    impl Fields for All {
        type Target = String;
        type Code = String;
        type Error = ();

        fn target(&mut self, field: &'static str) -> Result<String, ()> {
            self.text(field)
        }

        fn code(&mut self, field: &'static str) -> Result<String, ()> {
            self.text(field)
        }

        fn text(&mut self, field: &'static str) -> Result<String, ()> {
            self.0.push(field);
            Ok(field.to_owned())
        }

        fn position(&mut self) -> Result<Position, ()> {
            self.0.push("position");
            Ok(Position::After)
        }

        fn extent(&mut self) -> Result<Option<Extent>, ()> {
            self.0.push("extent");
            Ok(Some(Extent::Full))
        }

        fn references(&mut self) -> Result<Option<References>, ()> {
            self.0.push("references");
            Ok(Some(References::File))
        }

        fn regex(&mut self) -> Result<bool, ()> {
            self.0.push("regex");
            Ok(true)
        }
    }

    #[test]
    fn each_operation_has_the_fields_that_are_listed() {
        for &kind in OperationKind::ALL {
            let mut fields = All(Vec::new());
            let operation: Operation<String, String> = Operation::read(kind, &mut fields).unwrap();
            assert_eq!((operation.kind(), fields.0.as_slice()), (kind, kind.fields()));
            let same = operation.try_map(|_, target| Ok::<_, ()>(target.clone()), |code| Ok(code.clone()));
            assert_eq!(same.as_ref(), Ok(&operation));
            let json = serde_json::to_value(&operation).unwrap();
            let named: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!((named[0], &named[1..], &json["op"]), ("op", kind.fields(), &kind.as_str().into()));
            let texts = operation.targets().into_iter().chain(operation.code()).map(String::as_str);
            assert!(texts.clone().count() > 0 && texts.clone().all(|text| kind.fields().contains(&text)), "{kind}");
        }
        assert_eq!(OperationKind::ALL.len(), 10);
    }
}

mod patch {
    use cst_syntax::text::{EditSet, Patch, Span, Text, TextEdit};

    #[test]
    fn a_patch_makes_the_same_bytes_as_its_edits() {
        let old = "añb = 1\nc = 2\n";
        let cases: [&[(usize, usize, &str)]; 5] = [
            &[],
            &[(0, 0, "x")],
            &[(0, 1, ""), (5, 6, "é"), (15, 15, "end")],
            &[(1, 3, "ü"), (3, 3, "d")],
            &[(0, 15, "")],
        ];
        for edits in cases {
            let edits = edits.iter().map(|&(start, end, text)| TextEdit::new(Span::new(start, end), text)).collect();
            let edits = EditSet::new(edits).expect("they do not overlap");
            let patch = Patch::new(&edits, old.len()).expect("it is short");
            let wanted = Text::new(old).apply(&edits).to_string();
            assert_eq!(patch.apply(old.as_bytes()).as_deref(), Some(wanted.as_bytes()), "{edits:?}");
        }
        let edits = EditSet::new(vec![TextEdit::new(Span::new(3, 5), "x")]).expect("it is one");
        assert_eq!(Patch::new(&edits, old.len()).and_then(|patch| patch.apply(b"a")), None);
    }
}

mod propose {
    use cst_syntax::language::Language;
    use cst_syntax::selector::{Kinds, propose};
    use cst_syntax::text::Text;
    use cst_syntax::tree::{ParseLimits, Tree};

    /// Each named node of a file with every shape of statement gets proposals that find it, and one that finds it alone.
    #[test]
    fn every_node_has_a_selector_of_its_own() {
        let source = "import os\nfrom a.b import c as d\n\n@wrap('x \"y\"')\nclass A(B, metaclass=M):\n    '''Doc.'''\n    x: int = 1\n\n    \
             async def get(self, *args, k=2):\n        for i in range(3):\n            if i == 1 and not k:\n                print(f\"{i}\\n\")\n                print(f\"{i}\\n\")\n        \
             return [n for n in args if n]\n\n    def get(self):\n        return self.client.get()\n\ntry:\n    x = A().get(1)\nexcept (E, F) as e:\n    raise\n";
        let python = Language::named("python").expect("it is built in");
        let tree = Tree::parse(Text::new(source), python, &ParseLimits::default()).expect("it parses");
        let kinds = Kinds::new(&tree);
        let mut count = 0;
        for node in tree.table().nodes().filter(|&node| tree.table().is_named(node)) {
            let proposed = propose(&tree, &kinds, node);
            let last = proposed.last().unwrap_or_else(|| panic!("nothing for {}", tree.node_text(node)));
            assert_eq!(last.matches, 1, "{} {}: {proposed:?}", tree.type_name(node), tree.node_text(node));
            assert!(proposed.is_sorted_by(|a, b| a.matches >= b.matches));
            count += 1;
        }
        assert!(count > 100, "{count}");
    }
}
