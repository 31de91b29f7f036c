//! `duplicates`: code that occurs several times, as whole statements and definitions.

use cst::duplicates::{Duplicate, Fingerprint, find};

use crate::cli::Place;

/// The groups in some files: the number of tokens, whether names differ, and the lines of each place.
fn groups(language: &str, files: &[&str], least: usize) -> Vec<(usize, bool, Vec<String>)> {
    let prints: Vec<Fingerprint> = files
        .iter()
        .map(|source| Fingerprint::new(&cst::parse(source, language).unwrap_or_else(|error| panic!("{error}"))))
        .collect();
    let lines = |found: &Duplicate| {
        let place = |place: &cst::duplicates::Place| {
            let pieces = &prints[place.file].pieces;
            format!("{}:{}-{}", place.file, pieces[place.first].start.line, pieces[place.last].stop.line)
        };
        found.places.iter().map(place).collect()
    };
    find(&prints, least).iter().map(|found| (found.tokens, found.is_renamed, lines(found))).collect()
}

fn places(all: &[&str]) -> Vec<String> {
    all.iter().map(|&place| place.to_owned()).collect()
}

#[test]
fn a_function_with_other_names() {
    let first = "import a\n\ndef total(items):\n    sum = 0\n    for item in items:\n        sum += item.price * 2\n    return sum\n";
    let second = "# Another file.\ndef amount(rows):\n    all = 0\n    # A comment.\n    for row in rows:\n        all += row.price * 2\n    return all\n";
    assert_eq!(groups("python", &[first, second], 20), [(23, true, places(&["0:3-7", "1:2-7"]))]);
    assert_eq!(groups("python", &[first, second], 30), []);
    // A name with two counterparts, another literal.
    for (from, to) in [("+= row.price", "+= all.price"), ("* 2", "* 3")] {
        assert_eq!(groups("python", &[first, &second.replace(from, to)], 20), [], "{to}");
    }
    assert!(!groups("python", &[first, first], 20)[0].1);
}

#[test]
fn runs_are_as_long_as_all_places_allow() {
    let piece = "    a = f(1)\n    b = g(2)\n    c = h(3)\n";
    let one = format!("def x():\n    q = 1\n{piece}    d = i(4)\n");
    let two = format!("def y(p):\n{piece}    d = i(4)\n    return 5\n");
    let three = format!("if z:\n{piece}    return 6\n");
    // Two places have a statement more; the three of them are a group of their own.
    let expected = [(18, false, places(&["0:3-5", "1:2-4", "2:2-4"])), (24, false, places(&["0:3-6", "1:2-5"]))];
    assert_eq!(groups("python", &[&one, &two, &three], 12), expected);
    // A part of a group with as many places is none.
    assert_eq!(groups("python", &[&one, &two], 12), [(24, false, places(&["0:3-6", "1:2-5"]))]);
    assert_eq!(groups("python", &[&two, &two], 6), [(32, false, places(&["0:1-6", "1:1-6"]))]);
}

#[test]
fn halves_of_statements_are_none() {
    let one = "def f():\n    call(1, 2, 3, 4, 5, 6, 7, 8)\n";
    let two = "def f():\n    call(1, 2, 3, 4, 5, 6, 7, 9)\n";
    assert_eq!(groups("python", &[one, two], 5), []);
}

#[test]
fn the_same_statement_many_times() {
    let source = "f(1)\n".repeat(1000);
    let found = groups("python", &[&source], 40);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].2.len()), (40, 100));
}

#[test]
fn in_every_first_class_language() {
    for (language, source) in [
        ("javascript", "function f(a) { const b = g(a); return b + 1; }\n"),
        ("typescript", "function f(a: number) { const b = g(a); return b + 1; }\n"),
        ("tsx", "const f = (a: number) => { const b = g(a); return <p>{b}</p>; };\n"),
        ("java", "class A { int f(int a) { int b = g(a); return b + 1; } }\n"),
        ("kotlin", "fun f(a: Int): Int { val b = g(a); return b + 1 }\n"),
        ("csharp", "class A { int F(int a) { var b = G(a); return b + 1; } }\n"),
        ("go", "package p\nfunc f(a int) int { b := g(a); return b + 1 }\n"),
        ("rust", "fn f(a: i32) -> i32 { let b = g(a); b + 1 }\n"),
        ("c", "int f(int a) { int b = g(a); return b + 1; }\n"),
        ("cpp", "int f(int a) { auto b = g(a); return b + 1; }\n"),
        ("objc", "int f(int a) { int b = g(a); return b + 1; }\n"),
        ("ruby", "def f(a)\n  b = g(a)\n  b + 1\nend\n"),
        ("php", "<?php\nfunction f($a) { $b = g($a); return $b + 1; }\n"),
        ("swift", "func f(a: Int) -> Int { let b = g(a); return b + 1 }\n"),
        ("scala", "object A { def f(a: Int) = { val b = g(a); b + 1 } }\n"),
    ] {
        let renamed = source.replace("g(", "other(").replace("G(", "Other(");
        let found = groups(language, &[source, &renamed], 10);
        assert_eq!(found.len(), 1, "{language}: {found:?}");
        assert!(found[0].1, "{language}");
    }
}

#[test]
fn the_command_lists_groups() {
    let place = Place::new();
    let code = "def f(a):\n    b = g(a)\n    return b + 1\n";
    place.write("a.py", code);
    place.write("b.py", &format!("import x\n\n{}", code.replace("g(", "h(")));
    place.write("c.json", "[1, 2, 3, 4, 5, 6, 7, 8, 9]\n");
    place.write("d.json", "[1, 2, 3, 4, 5, 6, 7, 8, 9]\n");
    let shown = place.run(&["duplicates", "--min-tokens", "10"]).expect(0);
    assert_eq!(shown.stdout, "3 lines, 16 tokens, 2 places, names differ\n  a.py:1:1-3\n  b.py:3:1-5\n");
    assert!(shown.stderr.contains("1 group with 6 of 8 lines (75.0 %) in 2 files"), "{}", shown.stderr);
    let answer = place.run(&["duplicates", "--min-tokens", "10", "--json"]).expect(0).json();
    assert_eq!(answer["groups"][0]["places"][1]["start_byte"], 10);
    assert_eq!(answer["duplicated_lines"], 6);
    place.run(&["duplicates"]).expect(1);
}

/// A project with a function twice, once with other names, in files whose names need care.
fn project() -> Place {
    let place = Place::new();
    let code = "def f(a):\n    b = g(a, \"</script>\")\n    return b + 1\n";
    place.write("a b%.py", code);
    place.write("b.py", &format!("import x\n\n{}", code.replace("g(", "h(")));
    place
}

#[test]
fn a_result_of_sarif_names_the_other_places() {
    let place = project();
    let log = place.run(&["duplicates", "--min-tokens", "10", "--format", "sarif"]).expect(0).json();
    crate::sarif::check(&log);
    let results = log["runs"][0]["results"].as_array().expect("results").clone();
    assert_eq!(results.len(), 2);
    let at = |value: &serde_json::Value| {
        let physical = &value["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().unwrap_or_default().to_owned();
        format!("{uri}:{}", physical["region"]["startLine"])
    };
    assert_eq!(at(&results[0]["locations"][0]), "a%20b%25.py:1");
    assert_eq!(at(&results[0]["relatedLocations"][0]), "b.py:3");
    assert_eq!(results[0]["message"]["text"], "3 lines are the same but for names in 1 other place: [1](1)");
    assert_eq!(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
    place.write("a b%.py", "x = 1\n");
    let log = place.run(&["duplicates", "--format", "sarif"]).expect(1).json();
    crate::sarif::check(&log);
}

#[test]
fn the_page_has_the_groups_in_one_file() {
    let place = project();
    let page = place.run(&["duplicates", "--min-tokens", "10", "--format", "html"]).expect(0).stdout;
    assert_eq!(page.matches("</script").count(), 2, "the code of others ends no script");
    for foreign in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
    let data: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
    assert_eq!(data["groups"][0]["places"][1]["path"], "b.py");
    assert_eq!(data["groups"][0]["code"], "def f(a):\n    b = g(a, \"</script>\")\n    return b + 1\n");
}

/// The name of a shape, and files of that shape with some parts.
type Shape = (&'static str, fn(usize) -> Vec<String>);

/// Files of any size, by their shape.
const SHAPES: &[Shape] = &[
    ("the same statement", |parts| vec!["f(1)\n".repeat(parts)]),
    ("different statements, twice", |parts| {
        let file: String = (0..parts).map(|number| format!("f({number}, a + {number})\n")).collect();
        vec![file.clone(), file]
    }),
    ("many groups in a file", |parts| {
        vec![(0..parts / 2).map(|number| format!("def f(a):\n    g(a, {number})\n    h(a)\n").repeat(2)).collect()]
    }),
    ("nested blocks, twice", |parts| {
        let nested = |name: &str| -> String {
            let depth = parts / 6;
            let open: String = (0..depth).map(|level| format!("{}if x({level}):\n", " ".repeat(level))).collect();
            format!("{open}{}{name}(1)\n", " ".repeat(depth))
        };
        vec![nested("f"), nested("f")]
    }),
    ("every second statement elsewhere, too", |parts| {
        let statement = |number: usize| format!("f({number}, a, b, c)\n");
        let all: String = (0..parts).map(statement).collect();
        let some: String = (0..parts).step_by(2).map(|number| format!("def g():\n  {}", statement(number))).collect();
        vec![all.clone(), all, some]
    }),
    ("blocks that differ in one statement", |parts| {
        let block =
            |number: usize| format!("def f(a):\n    a(1, 2)\n    b(3, 4)\n    c({number})\n    d(5, 6)\n    e(7, 8)\n");
        vec![(0..parts / 5).map(block).collect()]
    }),
];

#[test]
fn the_work_is_linear_in_the_files() {
    for (name, make) in SHAPES {
        let steps = |parts: usize| {
            let prints: Vec<Fingerprint> = make(parts)
                .iter()
                .map(|source| Fingerprint::new(&cst::parse(source, "python").unwrap_or_else(|error| panic!("{error}"))))
                .collect();
            let begin = cst::interrupt::counted_steps();
            let found = find(&prints, 8);
            assert!(!found.is_empty(), "{name}");
            cst::interrupt::counted_steps() - begin
        };
        let [one, two, four] = [200, 400, 800].map(steps);
        assert!(two < 3 * one && four < 3 * two, "{name}: {one}, {two}, {four}");
    }
}
