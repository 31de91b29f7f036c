//! Tests of functions for projects that no command shows alone: the database of names, parallel work, the limit of memory, names of
//! modules, parts of a module.

#[cfg(feature = "semantic")]
mod bert {
    use cst_codebase::embedding::{exp, gelu, gelu_tanh};

    /// The polynomials are as exact as numbers of 32 bits allow.
    #[test]
    fn functions_are_exact() {
        for step in -800..=800 {
            let value = f64::from(step) / 100.0;
            #[expect(clippy::cast_possible_truncation, reason = "a test")]
            let found = f64::from(exp(value as f32));
            assert!((found / value.exp() - 1.0).abs() < 1e-6, "exp({value}) = {found}");
            // The error function by its series, which converges here.
            let (mut sum, mut term, scaled) = (0.0, 1.0, value / std::f64::consts::SQRT_2);
            term *= scaled;
            for n in 0..400 {
                let n = f64::from(n);
                sum += term / (2.0 * n + 1.0);
                term *= -scaled * scaled / (n + 1.0);
            }
            let erf = sum * 2.0 / std::f64::consts::PI.sqrt();
            let erf = if value.abs() > 5.0 { value.signum() } else { erf };
            let wanted = 0.5 * value * (1.0 + erf);
            #[expect(clippy::cast_possible_truncation, reason = "a test")]
            let (gelu, tanh) = (f64::from(gelu(value as f32)), f64::from(gelu_tanh(value as f32)));
            assert!((gelu - wanted).abs() < 3e-6, "gelu({value}) = {gelu}, not {wanted}");
            assert!((tanh - wanted).abs() < 2e-3, "gelu_tanh({value}) = {tanh}, not {wanted}");
        }
    }
}

mod database {
    use cst_codebase::database::{Content, Database, FileChange, NewContent, Query, packed, unpacked};
    use cst_codebase::facts::facts;
    use cst_codebase::project::Stamp;
    use cst_syntax::language::Language;
    use cst_syntax::text::Text;
    use cst_syntax::tree::{ParseLimits, Tree};

    fn change(number: u32, text: &str) -> FileChange {
        let language = Language::named("python").unwrap();
        let tree = Tree::parse(Text::new(text), language, &ParseLimits::default()).unwrap();
        let mut hash = [0; 16];
        hash[..4].copy_from_slice(&number.to_ne_bytes());
        FileChange {
            path: format!("/p/{number}.py"),
            stamp: Stamp { size: 1, modified: 1, changed: 1, inode: 1 },
            read_at: 10,
            content: NewContent::New(hash, Box::new(facts(&tree))),
        }
    }

    /// Words that were kept in several transactions are found in all of them, and forgotten with the files.
    #[test]
    fn words_add_up() {
        let database = Database::in_memory().unwrap();
        let writer = database.writer().unwrap();
        for number in 0..300 {
            writer.add(vec![change(number, &format!("def common(): pass\ndef own_{number}(): pass\n"))]).unwrap();
        }
        let all: Vec<Content> = (1..=300).collect();
        assert_eq!(database.with_word("common").unwrap(), all);
        assert_eq!(database.each_name(|name| name == "common").unwrap(), all);
        assert_eq!(database.each_name(|name| name == "own_200").unwrap(), [201]);
        assert_eq!(database.search(&Query::parse("own").unwrap(), 1000).unwrap().len(), 300);
        // The same content under another path is kept once.
        let again = FileChange { path: "/q/1.py".to_owned(), ..change(1, "def common(): pass\n") };
        writer.add(vec![again]).unwrap();
        assert_eq!(database.files("/q").unwrap()["/q/1.py"].content, 2);
        assert_eq!(database.files("/p").unwrap().len(), 300);
        writer.forget(&(0..300).map(|number| format!("/p/{number}.py")).collect::<Vec<_>>()).unwrap();
        writer.prune_beyond(0).unwrap();
        assert_eq!(database.with_word("common").unwrap(), [2]);
        assert_eq!(database.each_name(|_| true).unwrap(), [2]);
        assert_eq!(database.search(&Query::parse("own common").unwrap(), 1000).unwrap().len(), 2);
    }

    #[test]
    fn numbers_are_packed() {
        let numbers = [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX];
        assert_eq!(unpacked(&packed(&numbers)).unwrap(), numbers);
        assert_eq!(unpacked(&[0x80]), None);
        assert_eq!(unpacked(&[0xff; 9]), None);
    }
}

mod memory_use {
    use std::process::Command;
    use std::time::Duration;

    use cst_codebase::project::{MemoryLimit, resident_memory};

    /// Set in the process that has the test alone.
    const ALONE: &str = "CST_TEST_MEMORY_ALONE";

    /// In a process of its own, since the memory of other tests would count.
    #[test]
    fn what_is_over_the_limit_is_told() {
        if std::env::var_os(ALONE).is_none() {
            let program = std::env::current_exe().expect("this program has a path");
            let name = "units_codebase::memory_use::what_is_over_the_limit_is_told";
            let alone = Command::new(program).args(["--exact", name]).env(ALONE, "1").output().expect("it starts");
            let told = String::from_utf8_lossy(&alone.stdout);
            assert!(alone.status.success() && told.contains("1 passed"), "{told}");
            return;
        }
        let large = MemoryLimit::new(u64::MAX);
        let small = MemoryLimit::new(16 << 20);
        assert!(!large.is_exceeded() && !small.is_exceeded());
        let taken = vec![1u8; 256 << 20];
        std::thread::sleep(Duration::from_millis(30));
        assert!(!large.is_exceeded());
        assert_eq!(small.is_exceeded(), resident_memory().is_some());
        assert_eq!(taken.iter().step_by(4096).map(|&byte| usize::from(byte)).sum::<usize>(), 65_536);
    }
}

mod partition {
    use cst::refactor::{FileStyle, Unit, partition};

    fn units(rows: &[(&str, &[usize])]) -> Vec<Unit> {
        let unit = |(name, needs): &(&str, &[usize])| Unit {
            name: (*name).to_owned(),
            is_class: name.starts_with(char::is_uppercase),
            stays: name.starts_with('!'),
            needs: needs.to_vec(),
        };
        rows.iter().map(unit).collect()
    }

    #[track_caller]
    fn check(rows: &[(&str, &[usize])], expected: &[&[&str]]) {
        let units = units(rows);
        let parts = partition(&units);
        let found: Vec<Vec<&str>> =
            parts.iter().map(|part| part.units.iter().map(|&unit| units[unit].name.as_str()).collect()).collect();
        assert_eq!(found, expected);
        // No part uses a later one.
        let part_of = |unit: usize| parts.iter().position(|part| part.units.contains(&unit));
        for (at, part) in parts.iter().enumerate() {
            for need in part.units.iter().flat_map(|&unit| &units[unit].needs) {
                assert!(part_of(*need).is_some_and(|other| other <= at), "{need}");
            }
        }
    }

    #[test]
    fn what_one_class_uses_is_with_it() {
        check(
            &[("helper", &[]), ("shared", &[]), ("A", &[0, 1]), ("B", &[1, 2]), ("make_b", &[3])],
            &[&["shared"], &["helper", "A"], &["B", "make_b"]],
        );
    }

    #[test]
    fn classes_that_use_each_other_are_together() {
        check(&[("A", &[1]), ("B", &[2]), ("C", &[0]), ("D", &[0])], &[&["A", "B", "C"], &["D"]]);
    }

    #[test]
    fn what_needs_something_that_stays_stays() {
        check(&[("!x", &[]), ("A", &[0]), ("B", &[]), ("C", &[1])], &[&["B"]]);
        check(&[("!x", &[1]), ("shared", &[]), ("B", &[1])], &[&["shared"], &["B"]]);
    }

    #[test]
    fn a_function_between_two_classes_is_with_the_first() {
        check(&[("A", &[]), ("make", &[0]), ("B", &[1])], &[&["A", "make"], &["B"]]);
    }

    #[test]
    fn files_are_named_in_the_style_of_their_folder() {
        assert_eq!(FileStyle::Snake.name("HTTPError"), "http_error");
        assert_eq!(FileStyle::Snake.name("_Part2Reader"), "_part2_reader");
        assert_eq!(FileStyle::Kebab.name("OrderLine"), "order-line");
        assert_eq!(FileStyle::Camel.name("OrderLine"), "orderLine");
        assert_eq!(FileStyle::Pascal.name("orderLine"), "OrderLine");
        assert_eq!(FileStyle::of(["index", "order-line"].into_iter()), Some(FileStyle::Kebab));
        assert_eq!(FileStyle::of(["index"].into_iter()), None);
    }
}

mod query {
    use cst_codebase::database::{Query, QueryError};

    #[test]
    fn queries_are_read() {
        let query =
            Query::parse("how are parseHTTP \"csrf Token\" -test pre* kind:class path:src/** in:Server a.b").unwrap();
        assert_eq!(query.words, ["parse", "http", "parsehttp", "a", "b"]);
        assert_eq!(query.prefixes, ["pre"]);
        assert_eq!(query.phrases, [["csrf", "token"]]);
        assert_eq!(query.without, [["test"]]);
        assert_eq!(query.plain, "how are parseHTTP csrf Token pre a.b");
        assert_eq!(
            (query.kinds, query.paths, query.within),
            (vec!["class".to_owned()], vec!["src/**".to_owned()], vec!["Server".to_owned()])
        );
        assert_eq!(Query::parse("the").unwrap().words, ["the"]);
        assert_eq!(Query::parse(" ( ) \" "), Err(QueryError::NoWord));
        assert_eq!(Query::parse("x kind:"), Err(QueryError::NoValue("kind".to_owned())));
    }

    #[test]
    fn expressions_have_only_words() {
        let query = Query::parse("a\"b OR NEAR( x' -\"y z\" col:w ^q + {d}:e \u{e9}t\u{e9}*").unwrap();
        let plain = |letter: char| letter.is_alphanumeric() || " \"*()".contains(letter);
        assert!(query.expression().chars().all(plain), "{}", query.expression());
    }
}

mod scan {
    use std::ops::ControlFlow;
    use std::thread;

    use cst_codebase::project::{Announce, Flight, Scan, Sink, scan, scan_fed};
    use cst_syntax::limits;

    /// The results of a scan with two parts per job.
    fn numbers(count: usize, threads: usize, unordered: bool) -> Vec<usize> {
        let mut found = Vec::new();
        let two = |job: usize, flight: Flight<'_>, send: Sink<'_, usize>| {
            flight.hold(job % 7 * limits::IN_FLIGHT / 4);
            let _ = send(2 * job, limits::WAITING / 3) && send(2 * job + 1, limits::WAITING / 3);
        };
        let ended: ControlFlow<()> = scan(
            count,
            Scan { threads, unordered },
            two,
            || ControlFlow::Continue(()),
            |part| {
                found.push(part);
                ControlFlow::Continue(())
            },
        );
        assert!(ended.is_continue());
        found
    }

    #[test]
    fn order_is_kept_on_any_number_of_threads() {
        for (count, threads) in [(0, 4), (1, 4), (3, 1), (1000, 2), (1000, 8)] {
            assert_eq!(numbers(count, threads, false), (0..2 * count).collect::<Vec<_>>());
            let mut unordered = numbers(count, threads, true);
            unordered.sort_unstable();
            assert_eq!(unordered, (0..2 * count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn jobs_may_become_known_while_others_run() {
        use std::sync::atomic::{AtomicBool, Ordering};
        for threads in [1, 4] {
            let (begun, mut found) = (AtomicBool::new(false), Vec::new());
            let feed = |announce: Announce<'_>| {
                assert!(announce());
                // The first job runs before the second is known.
                while !begun.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                assert!((1..500).all(|_| announce()));
            };
            let job = |job: usize, _: Flight<'_>, send: Sink<'_, usize>| {
                begun.store(true, Ordering::SeqCst);
                send(job, 1);
            };
            let take = |part| {
                found.push(part);
                ControlFlow::Continue(())
            };
            let ended: ControlFlow<()> = scan_fed(threads, feed, job, || ControlFlow::Continue(()), take);
            assert!(ended.is_continue());
            found.sort_unstable();
            assert_eq!(found, (0..500).collect::<Vec<_>>());
        }
    }

    #[test]
    fn whoever_breaks_off_ends_the_feed() {
        let feed = |announce: Announce<'_>| while announce() {};
        let job = |job: usize, _: Flight<'_>, send: Sink<'_, usize>| _ = send(job, 1);
        let take = |part| if part == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        assert!(scan_fed(2, feed, job, || ControlFlow::Continue(()), take).is_break());
    }

    #[test]
    fn what_waits_is_bounded() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (begun, mut taken) = (AtomicUsize::new(0), 0);
        let job = |job: usize, _: Flight<'_>, send: Sink<'_, usize>| {
            begun.fetch_add(1, Ordering::SeqCst);
            send(job, 1);
        };
        let ended: ControlFlow<()> = scan(
            10 * limits::AHEAD,
            Scan { threads: 4, unordered: false },
            job,
            || ControlFlow::Continue(()),
            |_| {
                taken += 1;
                assert!(begun.load(Ordering::SeqCst) <= taken + limits::AHEAD);
                ControlFlow::Continue(())
            },
        );
        assert_eq!((ended, taken), (ControlFlow::Continue(()), 10 * limits::AHEAD));
    }

    #[test]
    fn what_is_worked_on_is_bounded() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        const ONE: usize = limits::IN_FLIGHT / 2;
        for unordered in [true, false] {
            let (now, most, large) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
            let job = |job: usize, flight: Flight<'_>, send: Sink<'_, usize>| {
                // Some are larger than the limit; they run alone, or when it is their turn.
                let bytes = if job.is_multiple_of(10) { 3 * limits::IN_FLIGHT } else { ONE };
                flight.hold(bytes);
                let held = now.fetch_add(bytes, Ordering::SeqCst) + bytes;
                most.fetch_max(held, Ordering::SeqCst);
                large.fetch_add(usize::from(bytes > limits::IN_FLIGHT), Ordering::SeqCst);
                send(job, limits::WAITING / 3);
                now.fetch_sub(bytes, Ordering::SeqCst);
            };
            let mut taken = 0;
            let scan_as = Scan { threads: 8, unordered };
            let glance = || ControlFlow::Continue(());
            let ended: ControlFlow<()> = scan(500, scan_as, job, glance, |_| {
                taken += 1;
                ControlFlow::Continue(())
            });
            assert_eq!((ended, taken, large.into_inner()), (ControlFlow::Continue(()), 500, 50));
            // One that runs alone, and the one whose turn it is.
            assert!(most.into_inner() <= 2 * 3 * limits::IN_FLIGHT, "unordered: {unordered}");
        }
    }

    #[test]
    fn whoever_breaks_off_gets_no_more() {
        for threads in [1, 4] {
            let mut taken = 0;
            let ended = scan(
                1000,
                Scan { threads, unordered: false },
                |job, _, send| {
                    send(job, 1);
                },
                || ControlFlow::Continue(()),
                |part| {
                    taken += 1;
                    if part == 10 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!((ended, taken), (ControlFlow::Break("enough"), 11));
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_job_that_panics_ends_it() {
        let job = |job: usize, _: Flight<'_>, send: Sink<'_, usize>| {
            assert!(job != 5, "the fifth");
            send(job, 1);
        };
        let _: ControlFlow<()> = scan(
            100,
            Scan { threads: 2, unordered: false },
            job,
            || ControlFlow::Continue(()),
            |_| ControlFlow::Continue(()),
        );
    }
}

mod spelling {
    use cst_codebase::modules::{Written, relative_path, spell_relative};
    use cst_syntax::language::Languages;

    #[test]
    fn a_relative_path_begins_with_a_dot() {
        for (folder, path, expected) in [
            ("src", "src/a", "./a"),
            ("src/x", "src/a", "../a"),
            ("", "src/a", "./src/a"),
            ("src/x/y", "lib/z", "../../../lib/z"),
            ("src/x", "src/x", "."),
        ] {
            assert_eq!(relative_path(folder, path), expected, "{folder} {path}");
        }
    }

    #[test]
    fn the_manner_of_a_name_stays() {
        let language = Languages::built_in().named("typescript").unwrap();
        for (from, text, path, to, expected) in [
            ("src/main.ts", "./util", "src/util.ts", "src/lib/util.ts", "./lib/util"),
            ("src/main.ts", "./util.js", "src/util.ts", "src/lib/tool.ts", "./lib/tool.js"),
            ("src/main.ts", "./util.ts", "src/util.ts", "src/lib/tool.tsx", "./lib/tool.tsx"),
            ("src/main.ts", "./util", "src/util/index.ts", "src/lib/index.ts", "./lib"),
            ("src/main.ts", "./util/index", "src/util/index.ts", "src/lib/index.ts", "./lib/index"),
            ("src/main.ts", "./util", "src/util.ts", "src/util/index.ts", "./util"),
            ("src/main.ts", "@/util/date", "src/util/date.ts", "src/time/date.ts", "@/time/date"),
            ("src/main.ts", "@/util/date", "src/util/date.ts", "lib/date.ts", "../lib/date"),
            ("src/main.ts", "./icon?raw", "src/icon.ts", "src/art/icon.ts", "./art/icon?raw"),
        ] {
            assert_eq!(spell_relative(from, to, language, Written { text, path }), expected, "{text} {to}");
        }
    }
}
