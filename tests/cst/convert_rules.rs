//! `rules convert`: rules of other tools as TOML. What was converted whole finds what it found before.

use serde_json::Value;

use super::cli::{Place, Run};

/// Rules of ast-grep that a selector can say, each with code in which they find something.
const WHOLE: &[(&str, &str)] = &[
    ("pattern: print($X)", "print(1)\nprint(1, 2)\nx.print(1)\n"),
    ("kind: identifier\nregex: ^_", "_a = b\nb_ = _c\n"),
    (
        "kind: return_statement\ninside: {kind: class_definition, stopBy: end}",
        "class A:\n def f(self): return 1\ndef g(): return 2\n",
    ),
    ("kind: call\ninside: {kind: argument_list}", "f(g(), [h()])\n"),
    (
        "kind: function_definition\nhas: {kind: return_statement, stopBy: end}",
        "def f():\n if a: return\ndef g(): pass\n",
    ),
    ("kind: call\nhas: {field: function, regex: ^eval$}", "eval(1)\nf(eval)\n"),
    ("kind: identifier\ninside: {field: function, kind: call}", "f(g)\n"),
    ("any: [{pattern: $A == None}, {pattern: $A != None}]", "a == None\nb != None\nNone == c\n"),
    ("all: [{kind: call}, {not: {pattern: print($$$)}}]", "print(1)\nf(1)\n"),
    ("kind: expression_statement\nfollows: {kind: return_statement, stopBy: end}", "def f():\n a()\n return 1\n b()\n"),
    (
        "kind: expression_statement\nprecedes: {kind: return_statement, stopBy: end}",
        "def f():\n a()\n return 1\n b()\n",
    ),
    ("kind: identifier\nnthChild: 2\ninside: {kind: argument_list}", "f(a, b, c)\n"),
    ("kind: identifier\nnthChild: {position: 1, reverse: true}\ninside: {kind: argument_list}", "f(a, b, c)\n"),
    ("kind: call > identifier", "f(a)\n"),
    ("kind: assignment\nhas: {field: left, pattern: $A}", "a = 1\n"),
    ("pattern: open($F)\nnot: {inside: {kind: with_item, stopBy: end}}", "with open(a): pass\nopen(b)\n"),
];

/// `line:column` of the findings.
fn places(run: &Run) -> Vec<String> {
    let findings = run.json()["findings"].as_array().expect("a list").clone();
    findings
        .iter()
        .map(|one: &Value| format!("{}:{}-{}", one["start_line"], one["start_col"], one["end_byte"]))
        .collect()
}

fn yaml(rule: &str) -> String {
    let rule: String = rule.lines().map(|line| format!("  {line}\n")).collect();
    format!("id: one\nlanguage: python\nseverity: warning\nmessage: found\nrule:\n{rule}")
}

#[test]
fn a_selector_finds_what_the_rule_found() {
    for (rule, code) in WHOLE {
        let place = Place::new();
        place.write("one.yml", &yaml(rule));
        place.write("a.py", code);
        let converted = place.run(&["rules", "convert", "one.yml"]).expect(0);
        place.write("one.toml", &converted.stdout);
        let before = places(&place.run(&["scan", "--rules", "one.yml", "--json", "a.py"]).expect(0));
        let after = places(&place.run(&["scan", "--rules", "one.toml", "--json", "a.py"]).expect(0));
        assert!(!before.is_empty(), "{rule} finds something");
        assert_eq!(before, after, "{rule}\n{}", converted.stdout);
    }
}

#[test]
fn what_is_said_about_a_rule_is_kept() {
    let place = Place::new();
    let text = "id: no-print\nlanguage: Python\nseverity: error\nmessage: |\n  `$X` is\n  printed\nnote: |\n  Use \"the\" logger.\n  It's there.\nurl: https://example.org\nfiles: [src/**]\nignores: [src/old/**]\nutils:\n  noisy: {any: [{pattern: print($X)}, {matches: deep}]}\n  deep: {pattern: pprint($X)}\nrule: {matches: noisy}\nfix: log($X)\n";
    place.write("r.yml", text);
    let run = place.run(&["rules", "convert", "r.yml"]).expect(0);
    let expected = r#"[[rule]]
id = "no-print"
languages = ["python"]
severity = "error"
message = "`$X` is printed"
note = '''
Use "the" logger.
It's there.'''
url = "https://example.org"
files = ["src/**"]
ignore = ["src/old/**"]
select = ":noisy"
fix = "log($X)"
[rule.define]
"deep" = ':like("pprint($X)")'
"noisy" = ':is(:like("print($X)"), :deep)'
"#;
    assert_eq!(run.stdout, expected);
    place.write("src/a.py", "print(1)\npprint(2)\n");
    place.write("r.toml", &run.stdout);
    assert_eq!(places(&place.run(&["scan", "--rules", "r.toml", "--json"]).expect(1)), ["1:1-8", "2:1-18"]);
}

#[test]
fn what_a_selector_cannot_say_is_named() {
    let place = Place::new();
    place.write(
        "r.yml",
        &format!("{}constraints: {{X: {{regex: a}}}}\n", yaml("pattern: {context: 'f($X)', strictness: ast}")),
    );
    let run = place.run(&["rules", "convert", "r.yml"]).expect(1);
    assert!(run.stderr.contains("not converted: one, line 6: `strictness: ast`"), "{}", run.stderr);
    assert!(run.stderr.contains("`constraints` of `$X`"), "{}", run.stderr);
    assert!(run.stderr.contains("1 rule, 0 of them whole"), "{}", run.stderr);
    let json = place.run(&["rules", "convert", "r.yml", "--json"]).expect(1).json();
    assert_eq!(json["rules"][0]["lost"].as_array().map(Vec::len), Some(2));
    // A `regex` alone is about tokens, too, if a token can match it.
    place.write("plus.yml", &yaml("kind: binary_operator\nhas: {regex: '^[+]$'}"));
    let run = place.run(&["rules", "convert", "plus.yml"]).expect(1);
    assert!(run.stderr.contains("the `regex` `^[+]$` without a kind"), "{}", run.stderr);
    place.write("name.yml", &yaml("kind: call\nhas: {regex: ^eval$}"));
    place.run(&["rules", "convert", "name.yml"]).expect(0);
    // One that is wrong is an error, and the others are converted.
    place.write("two.yml", &format!("{}---\n{}", yaml("pattern: print($X)"), yaml("patern: x")));
    let run = place.run(&["rules", "convert", "two.yml"]).expect(2);
    assert!(run.stdout.contains("select = ':like(\"print($X)\")'"), "{}", run.stdout);
    assert!(run.stderr.contains("patern"), "{}", run.stderr);
}

#[test]
fn a_query_becomes_a_rule() {
    let place = Place::new();
    place.write("no.eval.scm", "((call function: (identifier) @name) (#eq? @name \"eval\"))\n");
    place.write("a.py", "eval(1)\nf(2)\n");
    let run = place.run(&["rules", "convert", "-t", "python", "no.eval.scm"]).expect(0);
    place.write("r.toml", &run.stdout);
    assert_eq!(places(&place.run(&["scan", "--rules", "r.toml", "--json", "a.py"]).expect(0)), ["1:1-4"]);
    let run = place.run(&["rules", "convert", "no.eval.scm"]).expect(2);
    assert!(run.stderr.contains("does not say which language"), "{}", run.stderr);
    place.write("bad.scm", "(cal) @x\n");
    let run = place.run(&["rules", "convert", "-t", "python", "bad.scm"]).expect(1);
    assert!(run.stderr.contains("`cal` is not a node type of python"), "{}", run.stderr);
    place.run(&["rules", "convert", "a.py"]).expect(2);
    place.run(&["rules", "convert", "missing.yml"]).expect(2);
}
