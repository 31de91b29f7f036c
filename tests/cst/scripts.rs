//! Refactor scripts: how they are read, what they do to a text, and the errors of invalid ones.

use cst::language::Language;
use cst::script::{Complaint, Expected, RunError, Script, Snapshot, check_words};
use cst::selector::Definitions;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

use crate::error_code::error_code;

/// A script for Python of these steps.
fn script(steps: &str) -> Script {
    read(&format!("name = \"s\"\nlanguage = \"python\"\n{steps}")).unwrap_or_else(|error| panic!("{error}"))
}

fn read(source: &str) -> Result<Script, String> {
    Script::read(source).map_err(|error| said(&error, source))
}

/// An error as users see it: message, line, hint.
fn said(error: &cst::script::ScriptError, source: &str) -> String {
    let step = error.step.map(|step| format!("step {step}, ")).unwrap_or_default();
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{step}line {}: {error}{hint}", error.line(source))
}

fn tree(language: &str, source: &str) -> Tree {
    let language = Language::named(language).expect("the language is built in");
    Tree::parse(Text::new(source), language, &ParseLimits::default()).expect("it can be parsed")
}

fn ran(script: &Script, language: &str, source: &str) -> Result<String, RunError> {
    let tree = tree(language, source);
    let plan = script.plan(tree.language(), &Definitions::default()).unwrap_or_else(|error| panic!("{error}"));
    plan.run(&tree, &ParseLimits::default()).map(|ran| ran.tree.text().to_string())
}

#[track_caller]
fn check(steps: &str, before: &str, after: &str) {
    let result = ran(&script(steps), "python", before).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result, after);
}

/// Runs what must be refused.
#[track_caller]
fn refused(steps: &str, before: &str) -> RunError {
    ran(&script(steps), "python", before).expect_err("it must be refused")
}

/// What is wrong with a script, when it is read or planned for Python.
#[track_caller]
fn wrong(source: &str, expected: &str) {
    let python = Language::named("python").expect("python is built in");
    let problem = match Script::read(source) {
        Err(error) => said(&error, source),
        Ok(script) => match script.plan(python, &Definitions::default()) {
            Err(error) => said(&error, source),
            Ok(_) => panic!("nothing is wrong with it"),
        },
    };
    assert_eq!(problem, expected);
}

#[test]
fn a_script_is_read() {
    let script = read(
        r#"
name = "assert-equals"
description = "what it is for"
languages = ["javascript", "ts"]
files = ["tests/**/*.js"]

[[step]]
select = "call"
delete = true
expect = 3

[[step]]
select = ":plain"
replace = "x"
when = "class"
repeat = "until-stable"

[define]
":plain" = "identifier#y"

[[test]]
name = "one"
before = "f()"
after = ""

[[test]]
name = "two"
before = "x: number"
language = "typescript"
unchanged = true
idempotent = false
"#,
    )
    .expect("it is well formed");
    assert_eq!((script.name.as_str(), script.description.as_deref()), ("assert-equals", Some("what it is for")));
    let languages: Vec<&str> = script.languages.iter().map(|language| language.name()).collect();
    assert_eq!(languages, ["javascript", "typescript"]);
    assert_eq!((script.files.as_slice(), script.steps.len()), (&["tests/**/*.js".to_owned()][..], 2));
    assert_eq!((script.steps[0].expect, script.steps[1].expect), (Some(3), None));
    let [one, two] = &script.tests[..] else { panic!("two tests") };
    assert_eq!((one.name.as_str(), one.after.as_deref(), one.language.name()), ("one", Some(""), "javascript"));
    assert_eq!((two.language.name(), two.unchanged, two.idempotent), ("typescript", true, false));
}

#[test]
fn matches_are_replaced() {
    let step = "[[step]]\nselect = 'call:like(\"old($A, $B)\")'\nreplace = 'new($B, $A)'\n";
    check(step, "x = old(1, 2)  # kept\nold(a)\n", "x = new(2, 1)  # kept\nold(a)\n");
    check("[[step]]\nselect = 'call#f > argument_list'\nreplace = '()'\n", "f(1)\ng(1)\n", "f()\ng(1)\n");
}

#[test]
fn each_step_works_on_what_the_one_before_left() {
    let steps = "[[step]]\nselect = 'identifier#a'\nreplace = 'b'\n[[step]]\nselect = 'identifier#b'\nreplace = 'c'\n";
    check(steps, "a = b\n", "c = c\n");
}

#[test]
fn shorthands_say_what_becomes_of_a_match() {
    let step = |select: &str, what: &str| format!("[[step]]\nselect = '{select}'\n{what}\n");
    check(&step("call#print", "delete = true"), "def f():\n    print(1)\n", "def f():\n    pass\n");
    check(&step("function", "rename = '${0|s/.*//}new'"), "def f(): pass\n", "def new(): pass\n");
    check(&step("function@f > identifier@n", "replace = '${n|camel}'"), "def f_g(): pass\n", "def fG(): pass\n");
    check(&step("call#go", "wrap = '''with lock:\n    $0'''"), "go()\n", "with lock:\n    go()\n");
    check(
        &step("function#f", "insert_before = '@trace'"),
        "# on f\ndef f(): pass\n",
        "# on f\n@trace\ndef f(): pass\n",
    );
}

#[test]
fn inserts_are_filled_from_captures() {
    let before = "class A:\n    def get(self):\n        return 1\n";
    let after = "class A:\n    def get(self):\n        return 1\n\n    def set_get(self): pass\n";
    check(
        "[[step]]\nselect = 'method@m:has(> identifier@n)'\ninsert_after = 'def set_$n(self): pass'\n",
        before,
        after,
    );
}

#[test]
fn edits_are_operations_on_captures() {
    let steps = r#"
[[step]]
select = 'class@c > method@f[name^="test"]:not(:has(decorator))'
edits = [
  { op = "insert", target = "@f", position = "before", code = "@trace" },
  { op = "ensure_import", code = "from tools import trace" },
]
"#;
    let before =
        "import os\n\n\nclass A:\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        pass\n";
    let after = "import os\nfrom tools import trace\n\n\nclass A:\n    @trace\n    def test_a(self):\n        pass\n\n    @trace\n    def test_b(self):\n        pass\n";
    check(steps, before, after);
    check(steps, "import os\n", "import os\n");
    check(steps, after, after);
}

#[test]
fn all_operations_are_there() {
    let edit = |select: &str, edit: &str| format!("[[step]]\nselect = '{select}'\nedits = [{{ {edit} }}]\n");
    let source = "def f(a):\n    go(a)\n    stop(a)\n\n\ndef g():\n    pass\n";
    let done = |select: &str, what: &str, after: &str| check(&edit(select, what), source, after);
    let with = |old: &str, new: &str| source.replace(old, new);
    done(
        "function#f",
        "op = 'replace', target = '@0.body', code = 'return 1'",
        &with("go(a)\n    stop(a)", "return 1"),
    );
    done(
        "function#f@f",
        "op = 'insert', target = '@f', position = 'first', code = 'start()'",
        &with("    go", "    start()\n    go"),
    );
    done(
        "function#f",
        "op = 'insert', position = 'last', code_lines = ['end()']",
        &with("stop(a)\n", "stop(a)\n    end()\n"),
    );
    done("call#go", "op = 'delete'", &with("    go(a)\n", ""));
    done("call#go", "op = 'wrap', code = 'if a: $0'", &with("    go(a)\n", "    if a: go(a)\n"));
    done("function#f", "op = 'rename', to = 'h'", &with("def f", "def h"));
    done("parameter#a", "op = 'rename', to = 'b', references = 'file'", &with("(a)", "(b)"));
    done("call#go", "op = 'sub', find = '(\\w+)\\(a', replace = '$1(a, 1', regex = true", &with("go(a)", "go(a, 1)"));
    done(
        "block > call#go@a ~ call#stop@b",
        "op = 'replace_range', from = '@a', to = '@b', code = 'done()'",
        &with("go(a)\n    stop(a)", "done()"),
    );
    done(
        "block > call#go@a ~ call#stop@b",
        "op = 'move', target = '@b', position = 'before', to = '@a'",
        &with("go(a)\n    stop(a)", "stop(a)\n    go(a)"),
    );
    check(&edit("if", "op = 'unwrap'"), "if a:\n    go()\n", "go()\n");
    done("module", "op = 'ensure_import', code = 'import os'", &format!("import os\n\n\n{source}"));
}

#[test]
fn matches_in_each_other_are_all_changed() {
    let wrap = "[[step]]\nselect = 'if'\nedits = [{ op = 'wrap', code = '''while x:\n    $0''' }]\n";
    let before = "if a:\n    if b:\n        go()\n";
    let after = "while x:\n    if a:\n        while x:\n            if b:\n                go()\n";
    check(wrap, before, after);
    check("[[step]]\nselect = 'function'\ndelete = true\n", "def f():\n    def g(): pass\nx = 1\n", "x = 1\n");
}

#[test]
fn when_says_what_the_file_must_have() {
    let step = "[[step]]\nselect = 'identifier#a'\nwhen = 'import#os'\nreplace = 'b'\n";
    check(step, "import os\na\n", "import os\nb\n");
    check(step, "import sys\na\n", "import sys\na\n");
}

#[test]
fn a_step_is_repeated_until_nothing_changes() {
    let step = "[[step]]\nselect = 'call:like(\"f(f($X))\")'\nreplace = 'f($X)'\nrepeat = 'until-stable'\n";
    check(step, "f(f(f(f(f(x)))))\n", "f(x)\n");
    let cycle = "[[step]]\nselect = 'identifier:is(#a, #b)'\nreplace = '${0|s/^a$/c/|s/^b$/a/|s/^c$/b/}'\nrepeat = 'until-stable'\n";
    let error = refused(cycle, "a\n");
    assert_eq!(
        error.to_string(),
        "step 1: repeating it never ends: after 2 passes the text is one that was there before"
    );
    let error = refused("[[step]]\nselect = 'identifier'\nreplace = '${0|s/$/x/}'\nrepeat = 'until-stable'\n", "a\n");
    assert_eq!(error.to_string(), "step 1: it still changes the text after 100 passes");
}

#[test]
fn named_selectors_are_the_scripts_own() {
    let steps =
        "[define]\n':old' = ':base#old'\n':base' = '''\ncall\n'''\n[[step]]\nselect = ':old'\nreplace = 'new()'\n";
    check(steps, "old()\nother()\n", "new()\nother()\n");
}

#[test]
fn a_gate_refuses_what_breaks_the_syntax() {
    let error = refused("[[step]]\nselect = 'call#f'\nreplace = 'f('\n", "x = 1\ny = f()\n");
    assert_eq!((error.step, error.line, error_code(&*error.cause)), (1, Some(2), "would_break_syntax"));
}

#[test]
fn unknown_keys_are_named_with_the_nearest() {
    let head = "name = \"s\"\nlanguage = \"python\"\n";
    let step = "[[step]]\nselect = 'call'\n";
    let of = |rest: &str| format!("{head}{rest}");
    wrong("nam = \"s\"\n", "line 1: unknown key `nam`; did you mean `name`?");
    wrong(&of("[[steps]]\n"), "line 3: unknown key `steps`; did you mean `step`?");
    wrong(&of("[[step]]\nselct = 'call'\n"), "step 1, line 4: unknown key `selct`; did you mean `select`?");
    wrong(&of(&format!("{step}replase = 'x'\n")), "step 1, line 5: unknown key `replase`; did you mean `replace`?");
    wrong(
        &of(&format!("{step}delete = true\n[[test]]\nbefor = ''\n")),
        "line 7: unknown key `befor`; did you mean `before`?",
    );
    wrong(
        &of(&format!("{step}edits = [{{ op = 'delete', tarket = '@c' }}]\n")),
        "step 1, line 5: unknown key `tarket`; did you mean `target`?",
    );
    wrong(
        &of(&format!("{step}edits = [{{ op = 'delete', code = 'x' }}]\n")),
        "step 1, line 5: unknown key `code`; one of `op`, `target`, `extent`",
    );
    wrong(
        &of(&format!("{step}edits = [{{ op = 'insrt' }}]\n")),
        "step 1, line 5: unknown operation `insrt`; did you mean `insert`?",
    );
    wrong(
        &of(&format!("{step}delete = true\nrepeat = 'untilstable'\n")),
        "step 1, line 6: unknown repetition `untilstable`; did you mean `until-stable`?",
    );
}

#[test]
fn what_is_missing_or_of_another_kind_is_named() {
    let head = "name = \"s\"\nlanguage = \"python\"\n";
    let step = "[[step]]\nselect = 'call'\n";
    let of = |rest: &str| format!("{head}{rest}");
    wrong(head, "line 1: the script has no step; add `[[step]]` with `select` and an action");
    wrong(&of("[[step]]\ndelete = true\n"), "step 1, line 3: `select` is missing; write `select = 'call#print'`");
    wrong(
        &of(step),
        "step 1, line 3: the step has no action; give one of `replace`, `delete`, `rename`, `wrap`, `insert_before`, `insert_after`, `edits`, `refactor`",
    );
    wrong(
        &of(&format!("{step}delete = true\nreplace = 'x'\n")),
        "step 1, line 5: `replace` and `delete` exclude each other",
    );
    wrong(&of(&format!("{step}delete = false\n")), "step 1, line 5: `delete` must be `true`, or left out");
    wrong(&of(&format!("{step}delete = true\nexpect = 'x'\n")), "step 1, line 6: `expect` must be a number from 0");
    wrong(
        &of(&format!("{step}wrap = 'x'\n")),
        "step 1, line 5: the code to wrap with has no `$0`; write `$0` where the node goes",
    );
    wrong(&of(&format!("{step}edits = []\n")), "step 1, line 5: `edits` is empty");
    wrong("name = 's'\nlanguage = 'pyton'\n", "line 2: unknown language `pyton`; did you mean `python`?");
    wrong(
        "name = 's'\nlanguage = 'python'\nlanguages = ['go']\n",
        "line 3: `language` and `languages` exclude each other",
    );
    wrong("name = 's\n", "line 1: invalid literal string, expected `'`");
    let foreign = format!("{step}delete = true\n[[test]]\nname = 'a'\nbefore = ''\nafter = ''\npath = 'a.go'\n");
    wrong(&of(&foreign), "line 6: the test is in go, which is not a language of the script; it is for python");
    let twice = "[[test]]\nname = 'a'\nbefore = ''\nafter = ''\n".repeat(2);
    wrong(&of(&format!("{step}delete = true\n{twice}")), "line 11: two tests are called `a`");
}

#[test]
fn wrong_selectors_and_templates_are_told_before_anything_is_done() {
    let of = |rest: &str| format!("name = \"s\"\nlanguage = \"python\"\n{rest}");
    let step = "[[step]]\nselect = 'call@c'\n";
    wrong(
        &of("[[step]]\nselect = 'call >'\ndelete = true\n"),
        "step 1, line 4: the selector ends here: expected a step; a type such as `function`, `*`, or a part such as `[name]` or `:first` goes here",
    );
    wrong(
        &of("[[step]]\nselect = '''\nclass >\n  fucntion'''\ndelete = true\n"),
        "step 1, line 6: unknown type or kind `fucntion`; did you mean `function`?",
    );
    wrong(
        &of("[[step]]\nselect = 'call'\nwhen = 'clas'\ndelete = true\n"),
        "step 1, line 5: unknown type or kind `clas`; did you mean `ClassDef`, `class` or `class_definition`?",
    );
    wrong(
        &of("[define]\n':a' = 'clas'\n[[step]]\nselect = 'call'\ndelete = true\n"),
        "line 4: unknown type or kind `clas`; did you mean `ClassDef`, `class` or `class_definition`?",
    );
    wrong(&of(&format!("{step}replace = '$A'\n")), "step 1, line 5: the target captures no `A`; it captures `c`");
    wrong(
        &of(&format!("{step}replace = '${{c|snak}}'\n")),
        "step 1, line 5: unknown filter `snak`; did you mean `snake`?",
    );
    wrong(
        &of(&format!("{step}edits = [{{ op = 'delete', target = '@d' }}]\n")),
        "step 1, line 5: the selector captures no `d`; it captures `c`",
    );
    wrong(
        &of(&format!("{step}edits = [{{ op = 'delete', target = '@c.bdy' }}]\n")),
        "step 1, line 5: no node has a field `bdy` in python",
    );
    wrong(
        &of(&format!("{step}edits = [{{ op = 'delete', target = 'c' }}]\n")),
        "step 1, line 5: `c` is not a target; write `@name` for a capture, or `@name.field`",
    );
}

#[test]
fn the_place_is_shown_with_carets() {
    let source = "name = 's'\nlanguage = 'python'\n[[step]]\nselct = 'call'\n";
    let error = Script::read(source).expect_err("the key is unknown");
    assert_eq!(error.excerpt(source).as_deref(), Some("selct = 'call'\n^^^^^"));
}

#[test]
fn of_several_languages_one_may_lack_a_word() {
    let plan = |languages: &str, select: &str| -> Result<(), String> {
        let source = format!("name = 's'\nlanguages = [{languages}]\n[[step]]\nselect = '{select}'\ndelete = true\n");
        let script = read(&source)?;
        let plans = script.languages.iter().map(|language| script.plan(language, &Definitions::default()));
        let plans = plans.collect::<Result<Vec<_>, _>>().map_err(|error| said(&error, &source))?;
        check_words(&plans.iter().collect::<Vec<_>>()).map_err(|error| said(&error, &source))
    };
    assert_eq!(plan("'javascript', 'typescript'", "type_alias_declaration"), Ok(()));
    let lacking = plan("'javascript', 'typescript'", "typ_alias").expect_err("no language knows it");
    assert!(lacking.starts_with("step 1, line 4: unknown type or kind `typ_alias`"), "{lacking}");
    let single = plan("'javascript'", "type_alias_declaration").expect_err("javascript lacks it");
    assert!(single.starts_with("step 1, line 4: unknown type or kind `type_alias_declaration`"), "{single}");
}

mod tests_of_scripts {
    use super::{Complaint, Definitions, Expected, ParseLimits, Script, Snapshot};

    /// What there is to say against the only test of a script.
    fn verdict(steps: &str, test: &str) -> Vec<String> {
        let source = format!("name = 's'\nlanguage = 'python'\n{steps}\n[[test]]\nname = 't'\n{test}\n");
        let script = Script::read(&source).unwrap_or_else(|error| panic!("{error}"));
        let test = &script.tests[0];
        let plan = script.plan(test.language, &Definitions::default()).unwrap_or_else(|error| panic!("{error}"));
        let expected = test.after.as_deref().map_or(Expected::Nothing, Expected::Text);
        let complaints = test.verdict(&plan, expected, &ParseLimits::default()).complaints;
        complaints.iter().map(ToString::to_string).collect()
    }

    const RENAME: &str = "[[step]]\nselect = 'identifier#a'\nreplace = 'b'\n";

    #[test]
    fn a_test_compares_what_came_with_what_was_expected() {
        assert_eq!(verdict(RENAME, "before = \"a\\n\"\nafter = \"b\\n\""), Vec::<String>::new());
        assert_eq!(verdict(RENAME, "before = \"a\\n\"\nafter = \"c\\n\""), ["not what was expected"]);
        assert_eq!(verdict(RENAME, "before = \"a\\n\"\nafter = \"b\""), ["not what was expected"]);
        assert_eq!(verdict(RENAME, "before = \"a\\n\""), ["there is no `after`, and no snapshot yet"]);
    }

    #[test]
    fn something_must_match() {
        let nothing = "no step matches anything; if nothing should happen, write `unchanged = true`";
        assert_eq!(verdict(RENAME, "before = \"x\\n\"\nafter = \"x\\n\""), [nothing]);
        assert_eq!(verdict(RENAME, "before = \"x\\n\"\nunchanged = true"), Vec::<String>::new());
        let changed = "the text changed, but the test has `unchanged = true`";
        assert_eq!(verdict(RENAME, "before = \"a\\n\"\nunchanged = true"), [changed]);
    }

    #[test]
    fn a_second_run_must_change_nothing() {
        let step = "[[step]]\nselect = 'call:first > argument_list'\nreplace = '${0|s/\\)/, 1)/}'\n";
        let again = "a second run changes the text again; `idempotent = false` allows this";
        let test = "before = \"f(0)\\n\"\nafter = \"f(0, 1)\\n\"";
        assert_eq!(verdict(step, test), [again]);
        assert_eq!(verdict(step, &format!("{test}\nidempotent = false")), Vec::<String>::new());
    }

    #[test]
    fn the_gates_hold_in_a_test_too() {
        let broken = verdict("[[step]]\nselect = 'call'\nreplace = 'f('\n", "before = 'f()'\nafter = 'f('");
        assert!(broken.len() == 1 && broken[0].starts_with("step 1: "), "{broken:?}");
    }

    #[test]
    fn a_step_that_expects_a_number_of_matches_gets_it() {
        let step = format!("{RENAME}expect = 2");
        assert_eq!(verdict(&step, "before = \"a, a\\n\"\nafter = \"b, b\\n\""), Vec::<String>::new());
        let other = "step 1: the number of matches is 1, not 2";
        assert_eq!(verdict(&step, "before = \"a\\n\"\nafter = \"b\\n\""), [other]);
    }

    #[test]
    fn a_difference_shows_what_was_expected_and_what_came() {
        let complaint = Complaint::Differs { diff: "-a\n+b\n".to_owned() };
        assert_eq!(complaint.diff(), Some("-a\n+b\n"));
    }

    #[test]
    fn a_snapshot_is_written_as_insta_writes_it_and_read_again() {
        let snapshot = Snapshot {
            source: "refactors/a.toml".to_owned(),
            expression: "keeps \"it\"".to_owned(),
            text: "---\nx = 1\n".to_owned(),
        };
        let written = snapshot.to_text();
        assert_eq!(written, "---\nsource: \"refactors/a.toml\"\nexpression: \"keeps \\\"it\\\"\"\n---\n---\nx = 1\n");
        assert_eq!(Snapshot::text_of(&written), Some("---\nx = 1\n"));
        assert_eq!(Snapshot::text_of("---\r\nsource: a\r\n---\r\nx\r\n"), Some("x\r\n"));
        assert_eq!(Snapshot::text_of("x = 1\n"), None);
        assert!(Snapshot::is_of("x\n", "x") && Snapshot::is_of("x\n", "x\n") && !Snapshot::is_of("x", "x\n"));
        assert_eq!(Snapshot::file_name("a/b: c?"), "a_b_ c_");
        assert_eq!(Snapshot::file_name(".."), "_");
    }
}
