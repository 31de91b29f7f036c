//! Rules of ast-grep: read from its YAML as they are.

use super::cli::Place;
use serde_json::Value;

/// `line:col` of what a rule's body finds in a file.
#[track_caller]
fn found(name: &str, language: &str, body: &str, code: &str) -> Vec<String> {
    let place = Place::new();
    place.write("rule.yml", &format!("id: r\nlanguage: {language}\nmessage: m\n{body}"));
    place.write(name, code);
    let run = place.run(&["scan", "--rules", "rule.yml", name, "--json"]);
    assert_eq!(run.status, 0, "{body}: {} {}", run.stdout, run.stderr);
    let rows = run.json()["findings"].as_array().expect("a list").clone();
    rows.iter().map(|row| format!("{}:{}", row["start_line"], row["start_col"])).collect()
}

#[test]
fn patterns_bind_the_same_code_twice() {
    let rule = "rule:\n  pattern: $A == $A\n";
    assert_eq!(found("a.py", "python", rule, "a == a\na == b\nf(x) == f(x)\n"), ["1:1", "3:1"]);
}

#[test]
fn any_number_of_nodes_are_three_dollars() {
    let rule = "rule:\n  pattern: f($$$, last)\n";
    assert_eq!(
        found("a.js", "JavaScript", rule, "f(last); f(1, last); f(1, 2, last); f(last, 1);"),
        ["1:1", "1:10", "1:22"]
    );
    let all = "rule:\n  pattern: f($$$A)\n";
    assert_eq!(found("a.js", "JavaScript", all, "f(); f(1, 2); g();"), ["1:1", "1:6"]);
}

#[test]
fn signs_that_only_the_code_has_are_passed_over() {
    let rule = "rule:\n  pattern: function $F($$$A) { $$$B }\n";
    assert_eq!(found("a.js", "js", rule, "function f() {}\nasync function g() { h(); }\n"), ["1:1", "2:1"]);
}

#[test]
fn a_context_names_the_node() {
    let rule = "rule:\n  pattern:\n    context: 'class A { $F = $I }'\n    selector: field_definition\n";
    assert_eq!(found("a.js", "js", rule, "a = 1; class B { b = 2; c() {} }"), ["1:18"]);
}

#[test]
fn relations_look_as_far_as_they_say() {
    let code = "def f():\n    if x:\n        g()\ng()\n";
    for (relation, places) in [
        ("inside: { kind: function_definition, stopBy: end }", vec!["3:9"]),
        ("inside: { kind: function_definition }", vec![]),
        ("inside: { kind: function_definition, stopBy: { kind: if_statement } }", vec![]),
        ("not: { inside: { kind: function_definition, stopBy: end } }", vec!["4:1"]),
    ] {
        let rule = format!("rule:\n  pattern: g()\n  {relation}\n");
        assert_eq!(found("a.py", "python", &rule, code), places, "{relation}");
    }
    let has = "rule:\n  kind: call\n  has: { field: function, regex: ^g$ }\n";
    assert_eq!(found("a.py", "python", has, "g(1)\nf(g)\n"), ["1:1"]);
    let follows = "rule:\n  kind: expression_statement\n  follows: { kind: import_statement, stopBy: end }\n";
    assert_eq!(found("a.py", "python", follows, "f()\nimport a\ng()\nh()\n"), ["3:1", "4:1"]);
}

#[test]
fn combinations_positions_and_names() {
    let rule = "utils:\n  literal:\n    any: [{ kind: integer }, { kind: string }]\nrule:\n  all:\n    - matches: literal\n    - nthChild: 2\n";
    assert_eq!(found("a.py", "python", rule, "f(x, 1, 2)\nf(1, 'a')\n"), ["1:6", "2:6"]);
    let last =
        "rule:\n  kind: identifier\n  inside: { kind: argument_list }\n  nthChild: { position: 1, reverse: true }\n";
    assert_eq!(found("a.py", "python", last, "f(a, b)\n"), ["1:6"]);
    let constrained = "rule:\n  pattern: f($A)\nconstraints:\n  A: { regex: '^x' }\n";
    assert_eq!(found("a.py", "python", constrained, "f(xy)\nf(y)\n"), ["1:1"]);
    let kinds = "rule:\n  kind: call > argument_list integer\n";
    assert_eq!(found("a.py", "python", kinds, "f(1 + 2)\nx = 3\n"), ["1:3", "1:7"]);
    let range = "rule:\n  kind: call\n  range: { start: { line: 0, column: 0 }, end: { line: 0, column: 3 } }\n";
    assert_eq!(found("a.py", "python", range, "f()\nf()\n"), ["1:1"]);
}

#[test]
fn fixes_and_transformations() {
    for (body, before, after) in [
        ("rule:\n  pattern: print($A)\nfix: log($A)\n", "print(1)\nprint(x)\n", "log(1)\nlog(x)\n"),
        (
            "rule:\n  pattern: f($A)\ntransform:\n  B:\n    convert: { source: $A, toCase: upperCase }\nfix: g($B)\n",
            "f(ab)\n",
            "g(AB)\n",
        ),
        ("rule:\n  pattern: f($A)\ntransform:\n  B: substring($A, startChar=1)\nfix: g($B)\n", "f(abc)\n", "g(bc)\n"),
        (
            "rule:\n  pattern: f($A)\ntransform:\n  B: replace($A, replace='^a(.)', by='${1}z')\nfix: g($B)\n",
            "f(abc)\n",
            "g(bzc)\n",
        ),
        (
            "rule:\n  kind: integer\n  inside: { kind: argument_list }\nfix:\n  template: ''\n  expandEnd: { regex: ',' }\n",
            "f(1, x)\n",
            "f( x)\n",
        ),
        (
            "rewriters:\n- id: one\n  rule: { pattern: $N, kind: integer }\n  fix: int($N)\nrule:\n  pattern: '[$$$A]'\ntransform:\n  B:\n    rewrite: { source: $$$A, rewriters: [one], joinBy: ' + ' }\nfix: $B\n",
            "x = [1, 2]\n",
            "x = int(1) + int(2)\n",
        ),
        (
            "rule:\n  pattern: 'if $C: $B'\nfix: |-\n  if not $C:\n      $B\n",
            "def f():\n    if a: b\n",
            "def f():\n    if not a:\n        b\n",
        ),
    ] {
        let place = Place::new();
        place.write("rule.yml", &format!("id: r\nlanguage: python\n{body}"));
        place.write("a.py", before);
        let run = place.run(&["scan", "--rules", "rule.yml", "a.py", "--unsafe-fixes"]);
        assert_eq!(place.read("a.py"), after, "{body}: {} {}", run.stdout, run.stderr);
    }
}

#[test]
fn what_is_wrong_has_its_place_and_the_other_rules_run() {
    for (rule, line, said) in [
        ("id: x\nlanguage: python\nrule:\n  kind: not_a_kind\n", 4, "not_a_kind"),
        ("id: x\nlanguage: python\nrule:\n  patern: a\n", 4, "patern"),
        ("id: x\nlanguage: klingon\nrule:\n  pattern: a\n", 2, "klingon"),
        ("id: x\nlanguage: python\nrule:\n  pattern: a\n  has: { field: nope, kind: call }\n", 5, "nope"),
        ("id: x\nlanguage: python\nrule:\n  matches: nobody\n", 4, "nobody"),
        ("id: x\nlanguage: python\nrule:\n  kind: call\n  regex: '('\n", 5, "regex"),
        ("id: x\nlanguage: python\nrule: {}\n", 3, "nothing"),
    ] {
        let place = Place::new();
        let good = "id: good\nlanguage: python\nseverity: error\nrule:\n  pattern: f()\n";
        place.write("rules/a.yml", &format!("{good}---\n{rule}"));
        place.write("a.py", "f()\n");
        let run = place.run(&["scan", "--rules", "rules", "--json"]).expect(2);
        assert_eq!(run.json()["findings"].as_array().map(Vec::len), Some(1), "{rule}: {}", run.stdout);
        let error = run.json()["problems"][0]["error"].clone();
        assert!(error["message"].as_str().is_some_and(|message| message.contains(said)), "{rule}: {error}");
        let lines = good.lines().count() as u64 + 1;
        assert_eq!(error["line"].as_u64(), Some(lines + line), "{rule}: {error}");
    }
}

#[test]
fn a_small_file_cannot_become_a_large_one() {
    let place = Place::new();
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![before; 9].join(", ")));
    }
    place.write("rules/bomb.yml", &format!("{bomb}id: x\nlanguage: python\nrule: {{ kind: call }}\n"));
    place.write("a.py", "f()\n");
    let run = place.run(&["scan", "--rules", "rules/bomb.yml", "--json"]).expect(2);
    let error = run.json()["problems"][0]["error"]["message"].clone();
    assert!(error.as_str().is_some_and(|message| message.contains("nodes with all aliases")), "{error}");
    let deep = format!("id: x\nlanguage: python\nrule: {}{}\n", "[".repeat(5000), "]".repeat(5000));
    place.write("rules/bomb.yml", &deep);
    place.run(&["scan", "--rules", "rules/bomb.yml", "--json"]).expect(2);
}

#[test]
fn a_project_of_ast_grep_is_scanned_and_tested_as_it_is() {
    let place = Place::new();
    place.write("sgconfig.yml", "ruleDirs: [rules]\nutilDirs: [utils]\ntestConfigs:\n- testDir: tests\n");
    place.write("utils/lit.yml", "id: lit\nlanguage: python\nrule: { any: [{ kind: integer }, { kind: string }] }\n");
    place.write("rules/r.yml", "id: r\nlanguage: python\nseverity: error\nmessage: got $A\nrule: { pattern: f($A) }\nconstraints: { A: { matches: lit } }\n");
    place.write("tests/r-test.yml", "id: r\nvalid: ['f(x)', 'g(1)']\ninvalid: ['x = f(1)']\n");
    place.write(
        "tests/__snapshots__/r-snapshot.yml",
        "id: r\nsnapshots:\n  x = f(1):\n    labels:\n    - { source: f(1), style: primary, start: 4, end: 8 }\n",
    );
    place.write("a.py", "f(1)\nf(x)\n# ast-grep-ignore: r\nf(2)\n");
    let run = place.run(&["scan", "a.py", "--json"]).expect(1);
    let open = |row: &&Value| row["suppressed"] != true;
    let rows = run.json()["findings"].as_array().expect("a list").clone();
    let rows: Vec<&Value> = rows.iter().filter(open).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0]["message"].as_str(), rows[0]["rule"].as_str()), (Some("got 1"), Some("r")));
    let tested = place.run(&["test", "--json"]).expect(0).json();
    assert_eq!((tested["passed"].as_u64(), tested["failed"].as_u64()), (Some(3), Some(0)));
    place.write("tests/r-test.yml", "id: r\nvalid: ['f(1)']\ninvalid: ['f(x)']\n");
    let tested = place.run(&["test", "--json"]).expect(1).json();
    assert_eq!(tested["failed"].as_u64(), Some(2));
}

/// Files are in the languages that the project says; libraries of languages are refused by name, and the rules run.
#[test]
fn a_project_says_which_files_are_in_which_language() {
    let place = Place::new();
    place.write("rules/r.yml", "id: r\nlanguage: JavaScript\nrule: { pattern: f($A) }\n");
    let config = |more: &str| place.write("sgconfig.yml", &format!("ruleDirs: [rules]\n{more}"));
    for name in ["a.mjsx", "Taskfile", "b.js", "c.py"] {
        place.write(name, "f(1);\n");
    }
    let scan = |targets: &[&str]| place.run(&[&["scan", "--json"], targets].concat());
    let paths = |answer: &Value| -> Vec<String> {
        let rows = answer["findings"].as_array().expect("a list").clone();
        rows.iter().map(|row| row["path"].as_str().unwrap_or_default().to_owned()).collect()
    };
    config("");
    assert_eq!(paths(&scan(&[]).expect(0).json()), ["b.js"]);
    config("languageGlobs:\n  js: ['*.mjsx', Taskfile]\n  JavaScript: '**/*.py'\n");
    assert_eq!(paths(&scan(&[]).expect(0).json()), ["Taskfile", "a.mjsx", "b.js", "c.py"]);
    assert_eq!(paths(&scan(&["a.mjsx"]).expect(0).json()), ["a.mjsx"]);
    config(
        "languageGlobs:\n  js:\n    - 'src/**/*.x'\n  mojo: ['*.mojo']\ncustomLanguages:\n  mojo: { libraryPath: m.so, extensions: [mojo] }\n",
    );
    let answer = scan(&[]).expect(2).json();
    assert_eq!(paths(&answer), ["b.js"]);
    let problems = answer["problems"].as_array().expect("a list");
    for (problem, (line, said)) in
        problems.iter().zip([(3, "src/**/*.x"), (5, "`mojo`"), (7, "`customLanguages` is not read: `mojo`")])
    {
        let error = &problem["error"];
        assert_eq!((error["path"].as_str(), error["line"].as_u64()), (Some("sgconfig.yml"), Some(line)), "{problem}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(said)), "{problem}");
    }
    assert_eq!(problems.len(), 3, "{problems:?}");
}
