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
        ("id: x\nlanguage: python\nrule:\n  kind: call:nope(x)\n", 4, ":nope"),
        ("id: x\nlanguage: python\nrule:\n  kind: call >\n", 4, "cannot be there"),
        ("id: x\nlanguage: python\nrule:\n  regex: foo\n", 4, "kinds of nodes"),
        ("id: x\nlanguage: python\nrule:\n  pattern: $$$A\n", 4, "any number"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\nfix: g($B)\n", 4, "`B`"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\nconstraints:\n  B: { kind: call }\n", 5, "`B`"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\ntransform:\n  C: substring($B, startChar=1)\n", 5, "`B`"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\ntransform:\n  A: substring($A, startChar=1)\n", 5, "`A`"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\ntransform:\n  C: convert($A, toCase=odd)\n", 5, "odd"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\nlabels:\n  B: { style: primary }\n", 5, "`B`"),
        ("id: x\nlanguage: python\nrule: { pattern: f($A) }\nfix:\n- { template: g }\n", 5, "title"),
        (
            "id: x\nlanguage: python\nutils:\n  a: { any: [{ matches: a }, { kind: call }] }\nrule: { matches: a }\n",
            4,
            "itself",
        ),
        (
            "id: x\nlanguage: python\nrule: { kind: call, range: { start: { line: 2 }, end: { line: 1 } } }\n",
            3,
            "ends before",
        ),
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

#[test]
fn comments_in_the_code_are_passed_over() {
    let rule = "rule:\n  pattern: f($A, $B)\n";
    assert_eq!(found("a.js", "js", rule, "f(1, /* two */ 2); f(1 // one\n, 2); f(1, 2, 3);"), ["1:1", "1:20"]);
    let strict = "rule:\n  pattern: { context: 'f($A, $B)', strictness: cst }\n";
    assert_eq!(found("a.js", "js", strict, "f(1, /* two */ 2); f(1, 2);"), ["1:20"]);
    let comments = "rule: { pattern: $A, kind: comment }\n";
    assert_eq!(found("a.js", "js", comments, "// a\nf();\n"), ["1:1"]);
}

#[test]
fn kinds_are_selectors() {
    let code = "f(1, 'a')\ng(x)\nh()\n";
    for (kind, places) in [
        ("call:has(string)", vec!["1:1"]),
        ("call:not(:has(identifier:nth-child(1) + argument_list > identifier))", vec!["1:1", "3:1"]),
        ("argument_list > :is(string, integer)", vec!["1:3", "1:6"]),
        ("argument_list > string:nth-child(2)", vec!["1:6"]),
        ("argument_list > identifier:nth-last-child(1)", vec!["2:3"]),
        ("identifier:nth-child(1 of identifier)", vec!["1:1", "2:1", "2:3", "3:1"]),
        ("call:has(argument_list > identifier), string", vec!["1:6", "2:1"]),
        ("expression", vec![]),
    ] {
        let rule = format!("rule:\n  kind: '{kind}'\n");
        assert_eq!(found("a.py", "python", &rule, code), places, "{kind}");
    }
}

#[test]
fn a_range_needs_no_columns() {
    let rule = "rule:\n  kind: call\n  range: { start: { line: 1 }, end: { line: 1 } }\n";
    assert_eq!(found("a.py", "python", rule, "f()\ng(h())\n"), ["2:1", "2:3"]);
}

/// A project with utilities, a rule and a Python file.
fn project(utilities: &str, rule: &str, code: &str) -> Place {
    let place = Place::new();
    place.write("sgconfig.yml", "ruleDirs: [rules]\nutilDirs: [utils]\n");
    place.write("utils/u.yml", utilities);
    place.write("rules/r.yml", &format!("id: r\nlanguage: python\n{rule}"));
    place.write("a.py", code);
    place
}

#[track_caller]
fn lines_of(place: &Place) -> Vec<u64> {
    let run = place.run(&["scan", "--json"]);
    assert_eq!(run.status, 0, "{} {}", run.stdout, run.stderr);
    let rows = run.json()["findings"].as_array().expect("a list").clone();
    rows.iter().filter(|row| row["suppressed"] != true).filter_map(|row| row["start_line"].as_u64()).collect()
}

#[test]
fn utilities_of_the_project_have_metavariables_of_their_own() {
    let same = "id: same\nlanguage: python\nrule: { pattern: $A == $A }\n";
    let place = project(
        same,
        "rule: { kind: comparison_operator, matches: same, has: { pattern: $A, kind: integer } }\n",
        "x == x\n1 == 1\n",
    );
    assert_eq!(lines_of(&place), [2]);
    // Those of a rule itself are shared.
    let rule = "utils: { same: { pattern: $A == $A } }\nrule: { kind: comparison_operator, matches: same, has: { pattern: $A, kind: integer } }\n";
    assert_eq!(lines_of(&project(same, rule, "x == x\n1 == 1\n")), [2]);
}

#[test]
fn utilities_may_have_parameters() {
    let utility = "id: holds\nlanguage: python\narguments: [WHAT]\nrule: { kind: call, has: { kind: argument_list, has: { matches: WHAT } } }\n";
    let rule = "rule: { matches: { holds: { WHAT: { kind: string, pattern: $S } } } }\nmessage: got $S\n";
    let place = project(utility, rule, "f(1)\nf('a')\n");
    assert_eq!(lines_of(&place), [2]);
    let run = place.run(&["scan", "--json"]);
    assert_eq!(run.json()["findings"][0]["message"], "got 'a'", "{}", run.stdout);
    for (wrong, said) in [
        ("rule: { kind: call, matches: holds }\n", "needs a rule for `WHAT`"),
        ("rule: { matches: { holds: {} } }\n", "needs a rule for `WHAT`"),
        ("rule: { matches: { holds: { OTHER: { kind: string } } } }\n", "no argument `OTHER`"),
    ] {
        let run = project(utility, wrong, "f(1)\n").run(&["scan", "--json"]).expect(2);
        assert!(run.stdout.contains(said), "{wrong}: {}", run.stdout);
    }
}

#[test]
fn files_are_those_of_the_project() {
    for (globs, lines) in [
        ("files: ['src/**']", 1),
        ("files: ['*.py']", 2),
        ("files: ['a.py']", 0),
        ("files: ['src/*']", 1),
        ("files: ['./src/**']", 0),
        ("ignores: ['**/deep/**']", 1),
        ("files: [{ glob: 'SRC/**', caseInsensitive: true }]", 1),
        ("files: ['SRC/**']", 0),
    ] {
        let place = project("", &format!("rule: {{ kind: call }}\n{globs}\n"), "");
        place.write("src/deep/a.py", "f()\n");
        place.write("b.py", "f()\n");
        assert_eq!(lines_of(&place).len(), lines, "{globs}");
    }
}

#[test]
fn comments_silence_lines() {
    for (code, lines) in [
        ("# ast-grep-ignore\nf()\nf()\n", vec![3]),
        ("# ast-grep-ignore\n\nf()\n", vec![]),
        ("# ast-grep-ignore: r\n\nf()\n", vec![]),
        ("# ast-grep-ignore: other\n\nf()\n", vec![3]),
        ("x = 1\n# ast-grep-ignore\n\nf()\n", vec![4]),
        ("f() # ast-grep-ignore: r, other\nf()\n", vec![2]),
        ("f(\n) # ast-grep-ignore: other, r -- why\nf()\n", vec![3]),
        ("# see ast-grep-ignore\nf()\n", vec![2]),
    ] {
        assert_eq!(lines_of(&project("", "rule: { kind: call }\n", code)), lines, "{code}");
    }
}

#[test]
fn rewriters_use_each_other_and_know_what_the_rule_has_bound() {
    let recursive = "rewriters:
- id: optional
  rule: { pattern: 'Maybe[$T]' }
  transform: { N: { rewrite: { rewriters: [optional, either], source: $T } } }
  fix: $N | None
- id: either
  rule: { pattern: 'Either[$$$T]' }
  transform: { N: { rewrite: { rewriters: [part], source: $$$T, joinBy: ' | ' } } }
  fix: $N
- id: part
  rule: { any: [{ kind: identifier }, { kind: subscript }], pattern: $P }
  transform: { N: { rewrite: { rewriters: [optional, either], source: $P } } }
  fix: $N
rule: { pattern: $V = $W }
transform: { N: { rewrite: { rewriters: [optional, either], source: $W } } }
fix: $V = $N
";
    let known = "rewriters:
- { id: same, rule: { pattern: $F, kind: identifier }, fix: k_$F }
rule: { pattern: $F($$$A) }
transform: { B: \"rewrite($$$A, rewriters=[same], joinBy=' + ')\" }
fix: $F($B)
";
    for (rule, before, after) in [
        (recursive, "x = Maybe[Either[list[Either[a, b]], c]]\n", "x = list[a | b] | c | None\n"),
        (known, "f(f, g, h(f))\n", "f(k_f + k_f)\n"),
    ] {
        let place = project("", rule, before);
        let run = place.run(&["scan", "--json"]);
        let edits = run.json()["findings"][0]["fix"]["edits"].as_array().cloned().unwrap_or_default();
        let mut text = before.to_owned();
        for edit in edits.iter().rev() {
            let at = |key: &str| usize::try_from(edit[key].as_u64().expect("a number")).expect("small");
            text.replace_range(at("start_byte")..at("end_byte"), edit["text"].as_str().expect("a text"));
        }
        assert_eq!(text, after, "{}", run.stdout);
    }
}

#[test]
fn names_in_another_case() {
    for (case, before, after) in [
        ("toCase=camelCase", "user_accountName", "userAccountName"),
        ("toCase=pascalCase", "user-account.name", "UserAccountName"),
        ("toCase=snakeCase", "XMLHttpRequest", "xml_http_request"),
        ("toCase=kebabCase", "getX2Value", "get-x2-value"),
        ("toCase=snakeCase, separatedBy=[dash]", "a-bC-d", "a_bc_d"),
        ("toCase=capitalize", "abC", "AbC"),
        ("toCase=upperCase", "abC", "ABC"),
    ] {
        let rule = format!(
            "rule: {{ kind: string_content, pattern: $S }}\ntransform: {{ N: 'convert($S, {case})' }}\nfix: $N\n"
        );
        let place = project("", &rule, &format!("x = '{before}'\n"));
        place.run(&["scan", "--unsafe-fixes"]);
        assert_eq!(place.read("a.py"), format!("x = '{after}'\n"), "{case}");
    }
}

#[test]
fn code_in_a_fix_keeps_its_indentation() {
    let rule = "rule: { kind: if_statement, all: [{ has: { field: condition, pattern: $C } }, { has: { field: consequence, pattern: $B } }] }
fix: |-
  while $C:
      $B
      break
";
    let place = project("", rule, "def f():\n    if a:\n        b()\n\n        c()\n");
    place.run(&["scan", "--unsafe-fixes"]);
    let fixed = place.read("a.py");
    assert_eq!(fixed, "def f():\n    while a:\n        b()\n    \n        c()\n        break\n");
}

#[test]
fn an_expansion_knows_what_the_rule_has_bound() {
    let rule = "rule: { pattern: $A, kind: identifier, inside: { kind: argument_list }, nthChild: 1 }
fix: { template: d, expandEnd: { pattern: $A, stopBy: end } }
";
    let place = project("", rule, "f(a, b, a, c)\n");
    place.run(&["scan", "--unsafe-fixes"]);
    assert_eq!(place.read("a.py"), "f(d, c)\n");
}

#[test]
fn patterns_are_read_with_a_sign_that_the_grammar_takes_for_a_name() {
    for (name, language, pattern, code, places) in [
        ("a.html", "html", "<$T $$$A>$$$B</$T>", "<p><b>x</b></p>\n", vec!["1:1", "1:4"]),
        ("a.css", "css", "$P: red;", "a { color: red; }\n", vec!["1:5"]),
        ("a.c", "c", "return $A;", "int f() { return 1; }\n", vec!["1:11"]),
        ("a.php", "php", "foo($A)", "<?php foo(1); bar(2);\n", vec!["1:7"]),
        ("a.rb", "ruby", "$A.each { |$B| $C }", "xs.each { |x| f }\n", vec!["1:1"]),
        ("a.rs", "rust", "$A.unwrap()", "fn f() { g().unwrap(); }\n", vec!["1:10"]),
        ("a.lua", "lua", "local $A = $B", "local x = 1\n", vec!["1:1"]),
        ("a.sh", "bash", "echo $A", "echo hi\n", vec!["1:1"]),
        ("a.toml", "toml", "$A = 1", "x = 1\n", vec!["1:1"]),
    ] {
        let rule = format!("rule:\n  pattern: '{pattern}'\n");
        assert_eq!(found(name, language, &rule, code), places, "{language}");
    }
}

#[test]
fn rules_look_at_code_as_ast_grep_reads_it() {
    // Elsewhere a macro that the grammar cannot read is masked.
    let c = "static int __init f(void)\n{\n\treturn 1;\n}\n";
    let rule = "rule: { any: [{ kind: identifier }, { kind: type_identifier }], regex: '^__init$' }\n";
    let places = found("a.c", "c", rule, c);
    assert!(!places.is_empty() && places.iter().all(|place| place == "1:12"), "{places:?}");
    // Code without `<?php`, and patterns with variables of PHP.
    let rule = "rule: { pattern: '$x = array_map($A, $_X)' }\n";
    assert_eq!(found("a.php", "php", rule, "<?php\n$x = array_map(1, $y);\n$z = array_map(1, $y);\n"), ["2:1"]);
    // Comments are where the grammar has them, at the end of what is before them.
    let ruby = "case a\nwhen 1\n  b\n# about two\nwhen 2\n  c\nend\n";
    let rule = "rule: { kind: comment, inside: { kind: then } }\n";
    assert_eq!(found("a.rb", "ruby", rule, ruby), ["4:1"]);
    // A fix is an edit of the text.
    let place = Place::new();
    place.write("rule.yml", "id: r\nlanguage: c\nrule: { pattern: return $A; }\nfix: return 2;\n");
    place.write("a.c", c);
    place.run(&["scan", "--rules", "rule.yml", "a.c", "--unsafe-fixes"]);
    assert_eq!(place.read("a.c"), c.replace("return 1", "return 2"));
}

#[test]
fn kinds_of_another_grammar_are_known_where_they_are_the_same() {
    let code = "import a.b\nval x = y is Int\n/* c */\n";
    for (kind, places) in
        [("import_header", ["1:1"]), ("check_expression", ["2:9"]), ("multiline_comment", ["3:1"]), ("import", ["1:1"])]
    {
        assert_eq!(found("a.kt", "kotlin", &format!("rule: {{ kind: {kind} }}\n"), code), places, "{kind}");
    }
}

#[test]
fn code_in_other_files_is_looked_at_where_ast_grep_does() {
    let rule = "rule: { pattern: f() }\n";
    assert_eq!(found("a.html", "js", rule, "<script>f();</script>\n"), ["1:9"]);
    assert_eq!(found("a.md", "js", rule, "```js\nf();\n```\n"), Vec::<String>::new());
}
