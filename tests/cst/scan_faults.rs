//! Bad input of `scan`: each fault is named with its place, and the other rules and files are run.

use super::cli::{Place, Run};
use serde_json::Value;

/// A rule that is in order, and finds something in `a.py`.
const GOOD: &str = "[[rule]]\nid = \"good\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = 'call#print'\n";

fn project() -> Place {
    let place = Place::new();
    place.write(".cst/rules/ok/good.toml", GOOD);
    place.write("a.py", "print(1)\n");
    place
}

/// Runs the rules of a project, and expects the good one to find what it is for, exit status 2 and one problem, which is returned.
#[track_caller]
fn problem(place: &Place, arguments: &[&str]) -> Value {
    let run = place.run(&[&["scan", "--json"], arguments].concat()).expect(2);
    let answer = run.json();
    let found = answer["findings"].as_array().expect("a list");
    assert!(found.iter().any(|row| row["rule"] == "ok/good"), "{answer}");
    assert_eq!(answer["problems"].as_array().map(Vec::len), Some(1), "{}", answer["problems"]);
    answer["problems"][0].clone()
}

/// Whether a problem names its file and line, and says something.
#[track_caller]
fn assert_named(problem: &Value, path: &str, line: u64, said: &str) {
    let error = &problem["error"];
    assert_eq!((error["path"].as_str(), error["line"].as_u64()), (Some(path), Some(line)), "{problem}");
    assert!(error["message"].as_str().is_some_and(|message| message.contains(said)), "{said}: {problem}");
}

#[test]
fn a_fault_in_toml_has_its_place() {
    let rule = |more: &str| format!("[[rule]]\nid = \"x\"\nmessage = \"m\"\n{more}\n");
    for (text, line, said) in [
        ("not toml".to_owned(), 1, "key with no value"),
        (rule("selekt = 'call'\nselect = 'call'"), 4, "unknown key `selekt`"),
        (rule("languages = [\"python\"]\nselect = 'go_statement'"), 5, "unknown type or kind `go_statement`"),
        // No file of that language is looked at.
        (rule("languages = [\"go\"]\nselect = 'except_clause'"), 5, "unknown type or kind `except_clause`"),
        (rule("languages = [\"pythn\"]\nselect = 'call'"), 4, "unknown language `pythn`"),
        (rule("select = '[text=/([/]'"), 4, "regex"),
        (rule("languages = [\"python\"]\nselect = ':like(\"f(\")'"), 5, ""),
        (rule("select = 'call'\nfix = '${X|nosuch}'"), 5, "nosuch"),
        (rule("select = 'call'").repeat(2), 5, "two rules are called `x`"),
        (rule(&format!("select = '{}call{}'", ":not(".repeat(5000), ")".repeat(5000))), 4, ""),
        (rule(&format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000))), 4, ""),
    ] {
        let place = project();
        place.write(".cst/rules/wrong.toml", &text);
        let found = problem(&place, &[]);
        assert_named(&found, ".cst/rules/wrong.toml", line, said);
    }
}

#[test]
fn a_fault_in_yaml_has_its_place() {
    let rule = |more: &str| format!("id: x\nlanguage: python\n{more}\n");
    let aliases: String =
        (1..12).map(|at| format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 9].join(", "))).collect();
    for (text, line, said) in [
        (rule("rule: [}"), 3, ""),
        (rule("rule: { kind: call, regx: a }"), 3, "unknown key `regx`"),
        (rule("rule: { kind: call }\nlabel: 1"), 4, "unknown key `label`"),
        (rule("rule: { kind: go_statement }"), 3, "go_statement"),
        (rule("rule: { regex: '([' }"), 3, "regex"),
        (rule("rule: { kind: call }\nrule: { kind: call }"), 4, "twice"),
        (rule("rule: { matches: nobody }"), 3, "nobody"),
        (rule("utils:\n  a: { matches: b }\n  b: { matches: a }\nrule: { matches: a }"), 5, "`a` needs itself"),
        (
            rule("utils:\n  a: { all: [{ kind: call }, { not: { matches: a } }] }\nrule: { kind: call }"),
            4,
            "`a` needs itself",
        ),
        (
            rule("utils:\n  a: { nthChild: { position: 1, ofRule: { matches: a } } }\nrule: { kind: call }"),
            4,
            "`a` needs itself",
        ),
        (rule(&format!("a0: &a0 [x, x]\n{aliases}rule: {{ kind: call }}")), 9, "200000 nodes"),
        (rule(&format!("rule: {}{{ kind: call }}{}", "{ not: ".repeat(100_000), "}".repeat(100_000))), 3, "128 deep"),
        (rule(&format!("rule: {{ any: [{}] }}", "a, ".repeat(300_000))), 3, "200000 nodes"),
        (
            rule(&format!(
                "rule: {{ kind: call }}\n{}",
                (0..150_000).map(|at| format!("k{at}: 1\n")).collect::<String>()
            )),
            100_000,
            "200000 nodes",
        ),
    ] {
        let place = project();
        place.write(".cst/rules/wrong.yml", &text);
        let found = problem(&place, &[]);
        let said_line = found["error"]["line"].as_u64().unwrap_or_default();
        // The line at which a text is too large is about that.
        let line = if line > 1000 && said_line.abs_diff(line) < 10 { said_line } else { line };
        assert_named(&found, ".cst/rules/wrong.yml", line, said);
    }
}

#[test]
fn a_rule_that_names_itself_for_other_nodes_is_in_order() {
    let place = Place::new();
    place.write("r.yml", "id: x\nlanguage: python\nutils:\n  a: { any: [{ kind: integer }, { has: { matches: a } }] }\nrule: { kind: call, matches: a }\n");
    place.write("a.py", "f(1)\nf(x)\nf(-(-1))\n");
    let run = place.run(&["scan", "--rules", "r.yml", "--json"]).expect(0).json();
    let lines: Vec<u64> =
        run["findings"].as_array().expect("a list").iter().filter_map(|row| row["start_line"].as_u64()).collect();
    assert_eq!(lines, [1, 3]);
}

#[test]
fn files_that_are_no_rules_are_named() {
    let place = project();
    std::fs::write(place.path(".cst/rules/wrong.toml"), b"[[rule]]\nid = \"\xff\"\n").expect("it is written");
    let found = problem(&place, &[]);
    assert!(found.to_string().contains("UTF-8") && found["error"]["path"] == ".cst/rules/wrong.toml", "{found}");
    let place = project();
    place.write(
        "large.yml",
        &format!("id: x\nlanguage: python\nrule: {{ kind: call }}\n# {}\n", "x".repeat(10_000_000)),
    );
    let found = problem(&place, &["--rules", "large.yml"]);
    assert!(found.to_string().contains("too large") && found["error"]["path"] == "large.yml", "{found}");
    let place = project();
    std::fs::create_dir(place.path("empty")).expect("it is made");
    let found = problem(&place, &["--rules", "empty"]);
    assert!(found["error"]["message"] == "`empty` has no rules" && found["error"]["path"] == "empty", "{found}");
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = project();
    place.write(".cst/rules/closed/a.toml", &GOOD.replace("good", "other"));
    let mode = |bits| {
        let mode = std::fs::Permissions::from_mode(bits);
        std::fs::set_permissions(place.path(".cst/rules/closed"), mode).expect("the mode is set");
    };
    mode(0o000);
    // The administrator may read everywhere.
    let is_open = std::fs::read_dir(place.path(".cst/rules/closed")).is_ok();
    let run = place.run(&["scan", "--json"]);
    mode(0o755);
    let answer = run.expect(if is_open { 0 } else { 2 }).json();
    assert!(answer["findings"].to_string().contains("ok/good"));
    assert_eq!(answer["problems"][0]["error"]["path"].as_str(), (!is_open).then_some(".cst/rules/closed"));
}

#[test]
fn of_two_rules_with_one_name_the_first_is_run() {
    let place = project();
    place.write(".cst/rules/ok/same.toml", &GOOD.replace("call#print", "call"));
    let found = problem(&place, &[]);
    assert_named(&found, ".cst/rules/ok/same.toml", 1, "in line 1 of `.cst/rules/ok/good.toml`");
    let one = "id: x\nlanguage: python\nrule: { kind: call }\n";
    let place = project();
    place.write("r/a.yml", &format!("{one}---\n{one}"));
    let found = problem(&place, &["--rules", "r"]);
    assert_named(&found, "r/a.yml", 5, "two rules are called `x`");
    // The same file twice is no other rule.
    place.write("r/a.yml", one);
    let run = place.run(&["scan", "--rules", "r", "--rules", "r/a.yml", "--json"]).expect(0).json();
    assert_eq!(run["findings"].as_array().map(Vec::len), Some(2), "{run}");
}

/// A rule of each form that takes for ever in one file.
#[test]
fn a_rule_that_takes_for_ever_ends_and_is_named_with_its_file() {
    let place = project();
    place.write("z.py", "print(2)\n");
    place.write(
        ".cst/rules/slow.toml",
        "[[rule]]\nid = \"slow\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = '*:has(* ~ * ~ *@a):has(*[text=$f] *[text=$f])'\n",
    );
    // Names that name others twice are looked at once when the rule is made ready, and for ever when it is run.
    let names: String = (0..40)
        .map(|at| format!("  a{at}: {{ any: [{{ matches: a{} }}, {{ matches: a{} }}] }}\n", at + 1, at + 1))
        .collect();
    place.write("r.yml", &format!("id: double\nlanguage: python\nutils:\n{names}  a40: {{ kind: parenthesized_expression, regex: nothing }}\nrule: {{ regex: zzz, matches: a0 }}\n"));
    // Conditions on nodes within nodes.
    place.write("d.yml", &format!("id: deep\nlanguage: python\nutils:\n  a: {}{{ has: {{ matches: a }} }}{}\nrule: {{ kind: call, matches: a }}\n", "{ not: ".repeat(100), "}".repeat(100)));
    place.write(
        "big.py",
        &format!("x = f({}zzz{})\n{}", "(".repeat(300), ")".repeat(300), "f(a, b)(c, d)(e, f)\n".repeat(3000)),
    );
    let run = place.run(&["scan", "--rules", "r.yml", "--rules", "d.yml", "--json"]).expect(2).json();
    let found: Vec<&str> =
        run["findings"].as_array().expect("a list").iter().filter_map(|row| row["path"].as_str()).collect();
    assert_eq!(found, ["a.py", "z.py"], "{run}");
    let mut problems: Vec<String> = run["problems"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|problem| {
            assert_eq!(problem["error"]["code"], "budget", "{problem}");
            format!(
                "{} {}",
                problem["rule"].as_str().unwrap_or_default(),
                problem["error"]["path"].as_str().unwrap_or_default()
            )
        })
        .collect();
    problems.sort();
    assert_eq!(problems, ["deep big.py", "double big.py", "rules/slow big.py"]);
}

#[test]
fn fixes_that_overlap_are_made_one_after_the_other() {
    let rule = |id: &str, select: &str, fix: &str| {
        format!(
            "[[rule]]\nid = \"{id}\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = '{select}'\nfix = \"{fix}\"\nsafe = true\n"
        )
    };
    let place = Place::new();
    place.write(
        "r.toml",
        &[
            rule("outer", ":like(\"f($X)\")", "g($X)"),
            rule("inner", ":like(\"a(1)\")", "b(1)"),
            rule("late", ":like(\"f($X)\")", "h($X)"),
        ]
        .concat(),
    );
    place.write("a.py", "f(a(1))\nf(f(a(1)))\n");
    place.run(&["scan", "--rules", "r.toml", "--fix"]).expect(0);
    assert_eq!(place.read("a.py"), "g(b(1))\ng(g(b(1)))\n");
    // Fixes of ast-grep that reach beyond what they found.
    place.write(
        "r.yml",
        "id: x\nlanguage: python\nrule: { kind: integer }\nfix: { template: '0', expandEnd: { regex: ',' } }\n",
    );
    place.write("a.py", "f(1, 2, 3)\n");
    let run = place.run(&["scan", "--rules", "r.yml", "--unsafe-fixes"]);
    assert!([0, 2].contains(&run.status), "{}", run.stderr);
    assert!(place.read("a.py").starts_with("f("), "{}", place.read("a.py"));
}

const FORMS: [&str; 10] =
    ["text", "compact", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson", "checkstyle"];

/// The output about twice as many findings in one line is twice as long.
#[test]
fn output_grows_as_the_findings_of_one_line_do() {
    let place = Place::new();
    place.write("r.toml", &format!("{GOOD}fix = \"log()\"\n"));
    let run = |form: &str, count: usize| -> Run {
        place.write("a.py", &format!("{}\n", vec!["print(1)"; count].join("; ")));
        place.run(&["scan", "--rules", "r.toml", "--format", form, "a.py"]).expect(0)
    };
    for form in FORMS {
        let [one, two] = [220, 440].map(|count| run(form, count).stdout.len());
        assert!(two < 3 * one && one < 2_000 * 220, "{form}: {one}, {two}");
    }
    // The excerpt begins with the finding, and the caret is below it.
    let text = run("text", 220).stdout;
    let lines: Vec<&str> = text.lines().take(5).collect();
    assert_eq!(lines[1], " --> a.py:1:1");
    assert!(lines[3].starts_with("1 | …print(1); print(1);") && lines[3].chars().count() < 200, "{text}");
    assert_eq!(lines[4], "  |  ^^^^^^^^");
    assert_eq!(text.matches("\n  |  ^^^^^^^^\n").count(), 220);
}

/// A fix is shown as the part that it changes, not as whole lines.
#[test]
fn a_shown_fix_is_no_larger_than_it_has_to_be() {
    let place = Place::new();
    place.write("r.toml", "[[rule]]\nid = \"r\"\nmessage = \"m\"\nselect = ':like(\"f($X)\")'\nfix = \"fé($X)\"\n");
    place.write("a.py", "x = [é, f(1), 2]\n");
    let run = place.run(&["scan", "--rules", "r.toml", "--json"]).expect(0).json();
    let edits = run["findings"][0]["fix"]["edits"].clone();
    assert_eq!(
        edits,
        serde_json::json!([{"start_line": 1, "start_col": 10, "end_line": 1, "end_col": 10, "start_byte": 10, "end_byte": 10, "text": "é"}])
    );
}
