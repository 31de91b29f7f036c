//! Rules and `scan`: what is found, what is silenced or known, how it is printed, and fixes.

use super::cli::{Place, Run, ended};
use serde_json::Value;
use std::process::Command;

const RULES: &str = r#"
[[rule]]
id = "no-print"
languages = ["python"]
severity = "error"
message = "`$X` is printed"
note = "Use the logger."
url = "https://example.org/no-print"
select = ':like("print($X)")'
fix = "log.info($X)"

[[rule]]
id = "bare-except"
languages = ["python"]
message = "a bare `except` catches everything"
select = 'except_clause:not(:has(> identifier))'
"#;

/// A project with rules and a file.
fn project(code: &str) -> Place {
    let place = Place::new();
    place.write(".cst/rules/team.toml", RULES);
    place.write("a.py", code);
    place
}

/// `rule:line:col` of the findings that count.
#[track_caller]
fn open(run: &Run) -> Vec<String> {
    let findings = run.json()["findings"].as_array().expect("a list").clone();
    let is_open = |finding: &&Value| finding["suppressed"] != true && finding["known"] != true;
    let place = |finding: &Value| {
        format!("{}:{}:{}", finding["rule"].as_str().unwrap_or_default(), finding["start_line"], finding["start_col"])
    };
    findings.iter().filter(is_open).map(place).collect()
}

fn git(place: &Place, words: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]).args(words);
    command.current_dir(place.path("")).stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    assert_eq!(ended(command, None).status, 0, "git {words:?}");
}

#[test]
fn findings_have_rule_place_and_captures() {
    let place = project("def f(x):\n    print(x)\n");
    let run = place.run(&["scan", "--json"]).expect(1);
    let finding = run.json()["findings"][0].clone();
    assert_eq!(finding["rule"], "team/no-print");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["message"], "`x` is printed");
    assert_eq!(finding["captures"]["X"], "x");
    assert_eq!((finding["start_line"].as_u64(), finding["start_col"].as_u64()), (Some(2), Some(5)));
    assert_eq!((finding["start_byte"].as_u64(), finding["end_byte"].as_u64()), (Some(14), Some(22)));
    assert!(finding["fix"]["edits"].as_array().is_some_and(|edits| !edits.is_empty()));
    assert_eq!(run.json()["schema"], 1);
}

#[test]
fn the_exit_status_follows_the_severity() {
    let place = project("try:\n    f()\nexcept:\n    pass\n");
    place.run(&["scan"]).expect(0);
    place.run(&["scan", "--fail-on", "warning"]).expect(1);
    place.write(".cst/config.toml", "[scan]\nfail_on = \"warning\"\n");
    place.run(&["scan"]).expect(1);
    place.run(&["scan", "--fail-on", "error"]).expect(0);
}

#[test]
fn the_text_shows_the_line_and_a_caret() {
    let place = project("def f(x):\n\tprint(x)\n");
    let run = place.run(&["scan"]).expect(1);
    let expected = "error[team/no-print]: `x` is printed\n --> a.py:2:2\n  |\n2 |  print(x)\n  |  ^^^^^^^^\n\n";
    assert_eq!(run.stdout, expected);
    assert!(run.stderr.contains("1 error in 1 file by 2 rules"), "{}", run.stderr);
    let compact = place.run(&["scan", "--format", "compact"]).expect(1);
    assert_eq!(compact.stdout, "a.py:2:2: error team/no-print: `x` is printed\n");
}

#[test]
fn comments_silence_a_line_a_statement_or_a_file() {
    for (code, left) in [
        ("print(1)  # cst-ignore\nprint(2)\n", vec!["team/no-print:2:1"]),
        ("# cst-ignore: team/no-print -- wanted\nprint(1)\nprint(2)\n", vec!["team/no-print:3:1"]),
        ("# cst-ignore: no-print\nif x:\n    print(1)\n    print(2)\nprint(3)\n", vec!["team/no-print:5:1"]),
        ("def f():\n    # cst-ignore\n    print(1)\n    print(2)\n", vec!["team/no-print:4:5"]),
        ("# cst-ignore: other\nprint(1)\n", vec!["team/no-print:2:1"]),
        ("print(1)\n# cst-ignore-file: no-print\nprint(2)\n", vec![]),
        ("# ast-grep-ignore\nprint(1)\nprint(2)\n", vec!["team/no-print:3:1"]),
        ("# cst-ignored\nprint(1)\n", vec!["team/no-print:2:1"]),
    ] {
        let place = project(code);
        let run = place.run(&["scan", "--json"]);
        assert_eq!(open(&run), left, "{code}");
    }
}

#[test]
fn the_first_statement_of_a_block_is_no_more_than_itself() {
    for (name, code, line) in [
        ("a.js", "function f() {\n  // cst-ignore\n  g(1);\n  g(2);\n}\n", 4),
        ("a.go", "package p\nfunc f() {\n\t// cst-ignore\n\tg(1)\n\tg(2)\n}\n", 5),
        ("a.rb", "def f\n  # cst-ignore\n  g(1)\n  g(2)\nend\n", 4),
        ("A.java", "class A { void f() {\n  // cst-ignore\n  g(1);\n  g(2);\n} }\n", 4),
    ] {
        let place = Place::new();
        place.write(name, code);
        let run = place.run(&["scan", "--select", "call#g", "--json"]);
        assert_eq!(open(&run).len(), 1, "{code}: {}", run.stdout);
        assert_eq!(run.json()["findings"][1]["start_line"], line, "{code}");
    }
}

#[test]
fn comments_that_silence_nothing_are_reported() {
    let place = project("x = 1  # cst-ignore: no-print\nprint(2)  # cst-ignore\n");
    let run = place.run(&["scan", "--report-unused-ignores", "--json"]).expect(1);
    let unused = run.json()["unused_ignores"].clone();
    assert_eq!(unused.as_array().map(Vec::len), Some(1), "{unused}");
    assert_eq!(unused[0]["line"], 1);
}

#[test]
fn a_baseline_knows_findings_wherever_they_are() {
    let place = project("print(1)\n");
    place.run(&["scan", "--baseline", "known.json", "--write-baseline"]).expect(0);
    place.write("a.py", "import os\n\n\nprint(1)\n");
    let moved = place.run(&["scan", "--baseline", "known.json", "--json"]).expect(0);
    assert_eq!(moved.json()["known"], 1);
    place.write("a.py", "print(1)\nprint(1)\nprint(2)\n");
    let more = place.run(&["scan", "--baseline", "known.json", "--json"]).expect(1);
    assert_eq!(open(&more), ["team/no-print:2:1", "team/no-print:3:1"]);
    let sarif = place.run(&["scan", "--baseline", "known.json", "--format", "sarif"]).expect(1).json();
    let states: Vec<&str> = sarif["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|row| row["baselineState"].as_str())
        .collect();
    assert_eq!(states, ["unchanged", "new", "new"]);
    place.write("a.py", "x = 1\n");
    place.run(&["scan", "--baseline", "known.json", "--prune-baseline"]).expect(0);
    assert!(!place.read("known.json").contains("no-print"));
}

#[test]
fn only_changed_lines_count_if_asked_for() {
    let place = project("print(1)\nx = 1\n");
    git(&place, &["init", "-q"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "one"]);
    place.write("a.py", "print(1)\nx = 2\nprint(3)\n");
    place.write("new.py", "print(4)\n");
    let run = place.run(&["scan", "--changed-since", "HEAD", "--json"]).expect(1);
    assert_eq!(open(&run), ["team/no-print:3:1", "team/no-print:1:1"]);
    git(&place, &["add", "a.py"]);
    let run = place.run(&["scan", "--staged", "--json"]).expect(1);
    assert_eq!(open(&run), ["team/no-print:3:1"]);
}

#[test]
fn the_configuration_sets_severities_by_rule_and_path() {
    let place = project("print(1)\n");
    place.write("tests/b.py", "print(1)\n");
    place.write(
        ".cst/config.toml",
        "[scan.severity]\n\"team/no-print\" = \"info\"\n\n[[scan.paths]]\nfiles = [\"tests/**\"]\nseverity = { \"team/*\" = \"off\" }\n",
    );
    let run = place.run(&["scan", "--json"]).expect(0);
    assert_eq!(open(&run), ["team/no-print:1:1"]);
    assert_eq!(run.json()["findings"][0]["severity"], "info");
    place.write(".cst/config.toml", "[scan]\npackz = []\n");
    let wrong = place.run(&["scan", "--json"]).expect(2);
    assert!(wrong.stdout.contains("packz") && wrong.stdout.contains("\"line\":2"), "{}", wrong.stdout);
}

#[test]
fn fixes_are_written_in_one_transaction_and_undone() {
    let code = "print(f(1))\nprint(print(2))\nprint(3)  # cst-ignore\n";
    let place = project(code);
    let preview = place.run(&["scan", "--unsafe-fixes", "--diff"]);
    assert!(preview.stdout.contains("+log.info(f(1))"), "{}", preview.stdout);
    assert_eq!(place.read("a.py"), code);
    // The fix does not say that it is safe.
    place.run(&["scan", "--fix"]).expect(1);
    assert_eq!(place.read("a.py"), code);
    place.run(&["scan", "--unsafe-fixes"]).expect(0);
    assert_eq!(place.read("a.py"), "log.info(f(1))\nlog.info(log.info(2))\nprint(3)  # cst-ignore\n");
    place.run(&["undo", "--last"]).expect(0);
    assert_eq!(place.read("a.py"), code);
}

#[test]
fn a_fix_that_breaks_the_file_is_refused_and_others_are_made() {
    let place = Place::new();
    place.write(
        "rules/two.toml",
        "[[rule]]\nid = \"bad\"\nlanguages = [\"python\"]\nmessage = \"x\"\nselect = 'call#a'\nfix = \"(\"\n\n[[rule]]\nid = \"good\"\nlanguages = [\"python\"]\nmessage = \"x\"\nselect = 'call#b'\nfix = \"c()\"\n",
    );
    place.write("a.py", "a()\nb()\n");
    let run = place.run(&["scan", "--rules", "rules", "--unsafe-fixes", "--json"]).expect(2);
    assert_eq!(place.read("a.py"), "a()\nc()\n");
    let problem = run.json()["problems"][0].clone();
    assert_eq!(problem["rule"], "two/bad");
    assert_eq!(problem["error"]["line"], 1);
}

#[test]
fn a_rule_that_is_wrong_is_named_and_the_others_run() {
    for (rule, said) in [
        ("id = \"x\"\nmessage = \"m\"\nselect = 'call#'\n", "line 2"),
        ("id = \"x\"\nmessage = \"m\"\nselekt = 'call'\n", "selekt"),
        ("id = \"x\"\nmessage = \"m\"\nlanguages = [\"python\"]\nselect = 'goroutine_thing'\n", "goroutine_thing"),
        ("id = \"x\"\nmessage = \"$Y\"\nlanguages = [\"python\"]\nselect = 'call'\n", "Y"),
        ("id = \"X Y\"\nmessage = \"m\"\nselect = 'call'\n", "X Y"),
        ("id = \"x\"\nmessage = \"m\"\nseverity = \"bad\"\nselect = 'call'\n", "bad"),
    ] {
        let place = project("print(1)\n");
        place.write(".cst/rules/wrong.toml", &format!("[[rule]]\n{rule}"));
        let run = place.run(&["scan", "--json"]).expect(2);
        assert_eq!(open(&run), ["team/no-print:1:1"], "{rule}");
        let problem = run.json()["problems"][0].to_string();
        assert!(problem.contains(said) || problem.contains("\"line\""), "{rule}: {problem}");
        assert!(problem.contains("wrong.toml"), "{rule}: {problem}");
    }
    let place = project("print(1)\n");
    place.write(".cst/rules/wrong.toml", "[[rule]\n");
    let run = place.run(&["scan", "--json"]).expect(2);
    assert_eq!(open(&run), ["team/no-print:1:1"]);
}

#[test]
fn other_forms_have_what_their_readers_need() {
    let place = project("print(1)\n");
    let github = place.run(&["scan", "--format", "github"]).expect(1).stdout;
    assert_eq!(github, "::error file=a.py,line=1,col=1,endLine=1,endColumn=9,title=team/no-print::`1` is printed\n");
    let gitlab = place.run(&["scan", "--format", "gitlab"]).expect(1).json();
    assert_eq!(gitlab[0]["location"]["lines"]["begin"], 1);
    let rdjson = place.run(&["scan", "--format", "rdjson"]).expect(1).json();
    assert_eq!(rdjson["diagnostics"][0]["suggestions"][0]["range"]["start"]["line"], 1);
    let junit = place.run(&["scan", "--format", "junit"]).expect(1).stdout;
    assert!(junit.contains("<failure message=\"`1` is printed\""), "{junit}");
    let checkstyle = place.run(&["scan", "--format", "checkstyle"]).expect(1).stdout;
    assert!(checkstyle.contains("<error line=\"1\" column=\"1\" severity=\"error\""), "{checkstyle}");
    let sarif = place.run(&["scan", "--format", "sarif"]).expect(1).json();
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["helpUri"], "https://example.org/no-print");
    assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
    place.run(&["scan", "--output", "sarif=out.sarif"]).expect(1);
    assert!(place.read("out.sarif").contains("team/no-print"));
}

#[test]
fn rules_are_for_their_files() {
    let place = Place::new();
    place.write(
        ".cst/rules/t.toml",
        "[[rule]]\nid = \"r\"\nmessage = \"m\"\nselect = 'call#f'\nfiles = [\"src/**\"]\nignore = [\"**/gen/**\"]\n",
    );
    for name in ["a.py", "src/a.py", "src/gen/a.py", "src/a.js"] {
        place.write(name, "f()\n");
    }
    let run = place.run(&["scan", "--json"]).expect(0);
    let paths: Vec<String> = run.json()["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["path"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(paths, ["src/a.js", "src/a.py"]);
}

#[test]
fn surroundings_decide() {
    let place = Place::new();
    place.write(
        "rules.toml",
        "[[rule]]\nid = \"with\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = 'call#f'\nwhere = ['import', 'not: class']\n\n[[rule]]\nid = \"other\"\nmessage = \"m\"\nselect = 'call#zzz'\n",
    );
    for (code, count) in [("f()\n", 0), ("import a\nf()\n", 1), ("import a\nclass B: pass\nf()\n", 0)] {
        place.write("a.py", code);
        let run = place.run(&["scan", "--rules", "rules.toml", "--json"]).expect(0);
        assert_eq!(open(&run).len(), count, "{code}");
    }
}

#[test]
fn tests_of_rules_are_run_as_those_of_scripts() {
    let place = Place::new();
    let rule = "[[rule]]\nid = \"no-print\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = 'call#print'\nfix = \"log()\"\n";
    let test = "[[rule.test]]\ncode = '''\nx = 1\nprint(x)\n'''\nfinds = [\"2:1\"]\nafter = '''\nx = 1\nlog()\n'''\n";
    place.write("r.toml", &format!("{rule}{test}"));
    place.run(&["test", "r.toml"]).expect(0);
    place.write("r.toml", &format!("{rule}{}", test.replace("2:1", "1:1")));
    let run = place.run(&["test", "r.toml"]).expect(1);
    assert!(run.stdout.contains("found 2:1, not 1:1"), "{}", run.stdout);
    // Without places a snapshot has them.
    place.write("r.toml", &format!("{rule}[[rule.test]]\nname = \"one\"\ncode = \"print(1)\\n\"\n"));
    place.run(&["test", "r.toml"]).expect(1);
    place.run(&["test", "r.toml", "--update"]).expect(0);
    place.run(&["test", "r.toml"]).expect(0);
    place.write("r.toml", rule);
    place.write("s.toml", &format!("{rule}{test}"));
    place.run(&["test", "r.toml", "s.toml"]).expect(0);
    place.run(&["test", "r.toml", "s.toml", "--strict"]).expect(1);
}

#[test]
fn code_in_other_languages_is_scanned_too() {
    let place = Place::new();
    place.write("page.html", "<p></p>\n<script>\n  eval(x);\n</script>\n");
    let run = place.run(&["scan", "--select", ":like(\"eval($X)\")", "--message", "evil", "--json"]).expect(0);
    assert_eq!(open(&run), ["select:3:3"]);
    assert_eq!(run.json()["findings"][0]["start_byte"], 19);
}

/// The shipped packs: each rule has a test with findings and one without, and all of them hold.
#[test]
fn the_shipped_packs_hold() {
    let place = Place::new();
    let packs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/scan/packs");
    let packs = packs.to_str().expect("a path").to_owned();
    let run = place.run(&["test", &packs, "--strict", "--json"]).expect(0);
    assert_eq!(run.json()["failed"], 0);
    assert!(run.json()["passed"].as_u64().is_some_and(|passed| passed > 150), "{}", run.json()["passed"]);
}

/// Each pack over each sample: what is found in parts of a file is what is found in all of it, which is parsed whole where comments that
/// silence nothing are asked for, or fixes.
#[test]
fn findings_in_parts_of_a_file_are_those_in_the_whole() {
    let place = Place::new();
    for (at, (language, source)) in super::chunk_laws::samples().into_iter().enumerate() {
        let Some(extension) = language.extensions().first() else { continue };
        place.write(&format!("s{at}/sample.{extension}"), &source);
    }
    place.write("r.yml", "id: inner-call\nlanguage: python\nseverity: error\nmessage: m\nrule:\n  kind: call\n  inside: {kind: return_statement, stopBy: end}\n---\nid: top\nlanguage: python\nseverity: error\nmessage: m\nrule: {pattern: 'len($A)'}\n");
    let packs = ["quality", "python", "javascript", "go", "rust", "java", "security"];
    let mut compared = 0;
    for rules in packs.iter().map(|pack| ["--pack", *pack]).chain([["--rules", "r.yml"]]) {
        let run = |more: &[&str]| {
            let mut words = vec!["scan", "--format", "compact"];
            words.extend(rules);
            words.extend(more);
            let run = place.run(&words);
            assert!(run.status < 2, "{}", run.stderr);
            run.stdout
                .lines()
                .filter(|line| !line.contains("silences nothing"))
                .map(str::to_owned)
                .collect::<Vec<String>>()
        };
        let (parts, whole) = (run(&[]), run(&["--report-unused-ignores"]));
        compared += parts.len();
        assert_eq!(parts, whole, "{rules:?}");
    }
    assert!(compared > 30, "{compared} findings were compared");
}

/// Parts that rules have in common are computed once, and each rule finds what it finds alone.
#[test]
fn rules_with_common_parts_find_what_they_find_alone() {
    use cst::language::Language;
    use cst::rule::{Evaluation, read_rules};
    use cst::selector::{Definitions, SharedParts};
    let selectors = [
        "call:in(function:has(> return))",
        "return:in(function:has(> return))",
        "call:not(:in(function:has(> return)))",
        "name:in(:is(call, return)):in(function:has(> return))",
        "function:has(> return)",
        "function@f:in(function:has(> return))",
    ];
    let rule = |at: usize, select: &str| {
        format!("[[rule]]\nid = \"r{at}\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = '{select}'\n")
    };
    let source: String = selectors.iter().enumerate().map(|(at, select)| rule(at, select)).collect();
    let read = read_rules(&source, cst::language::Languages::built_in()).expect("the rules are right");
    let python = Language::named("python").expect("it is built in");
    let (own, shared) = (Definitions::default(), SharedParts::default());
    let together = read.rules.iter().map(|rule| rule.plan_sharing(python, &own, &shared));
    let together: Vec<_> = together.map(|plan| plan.expect("it is right").expect("it is for Python")).collect();
    // `function:has(> return)`, `> return` and `:in(…)`'s list are there once each, however many rules have them.
    assert!(shared.len() < 8, "{} parts", shared.len());
    let code = "def f():\n    def g():\n        a(b)\n        return c(d)\n    return g()\nh(i)\n";
    let tree = cst::tree::Tree::parse(cst::text::Text::new(code), python, &cst::tree::ParseLimits::default());
    let tree = tree.expect("it is parsed");
    let all = Evaluation::new(&tree);
    for (rule, plan) in read.rules.iter().zip(&together) {
        let alone = rule.plan(python, &own).expect("it is right").expect("it is for Python");
        let (found, expected) = (plan.find(&all).expect("it is quick"), alone.find(&Evaluation::new(&tree)));
        assert_eq!(found, expected.expect("it is quick"), "{}", rule.id);
        assert!(!found.is_empty(), "{} finds something", rule.id);
    }
}
