//! What people write who know other tools, and what leads them on.

use crate::cli::Place;

fn place() -> Place {
    let place = Place::new();
    place.write("a.py", "import os\n\n\ndef send_file(x):\n    print(x)\n    return x == x\n");
    place.write("a.cs", "using System.Diagnostics;\nclass A { int x; }\n");
    place.write("A.java", "class A { int x; int f() { return x; } }\n");
    place.write("f.yml", "steps:\n  - run: a\n");
    place
}

/// The arguments, and what the message says.
const MESSAGES: &[(&[&str], &str)] = &[
    // Code in place of a selector.
    (&["find", "print($A)", "a.py"], "-p, or `:like(\"print($A)\")`"),
    (&["find", "$A == $B", "a.py"], "-p, or `:like(\"$A == $B\")`"),
    (&["find", "print(x)", "a.py"], "-p, or `:like(\"print(x)\")`"),
    (&["find", "os.path.join($$$A)", "a.py"], "-p, or `:like("),
    // tree-sitter's queries, XPath, jQuery.
    (&["find", "(function_definition name: (identifier) @x)", "a.py"], "`function_definition:has(> identifier.name)`"),
    (&["find", "(call (identifier) (argument_list))", "a.py"], "`call:has(> identifier):has(> argument_list)`"),
    (
        &["find", "(call function: (identifier) @f (#eq? @f \"print\"))", "a.py"],
        "`call:has(> identifier.function[text=\"print\"])`",
    ),
    (&["find", "((identifier) @f (#match? @f \"^s\"))", "a.py"], "a selector: `identifier[text=/^s/]`"),
    (
        &["find", "(call function: [(identifier) (attribute)] @f (#any-of? @f \"a\" \"print\"))", "a.py"],
        "`call:has(> *.function:is(identifier, attribute):is([text=\"a\"], [text=\"print\"]))`",
    ),
    (
        &["find", "(module (function_definition body: (block (return_statement))))", "a.py"],
        "`module:has(> function_definition:has(> block.body:has(> return_statement)))`",
    ),
    (
        &["find", "(call arguments: (argument_list . (identifier)) (#is-not? local))", "a.py"],
        "without `.`, which makes children neighbours:",
    ),
    (&["find", "//function[contains(@name,'x')]", "a.py"], "`[name*=\"x\"]`"),
    (&["find", "//function[starts-with(@name, \"send\")]", "a.py"], "`[name^=\"send\"]`"),
    (&["find", "function[contains(text(), 'x')]", "a.py"], "`[text*=\"x\"]`"),
    (&["find", "function:eq(0)", "a.py"], "`:nth(0)`"),
    (&["find", "function:name(send)", "a.py"], "`#send`"),
    (&["find", "function:contains(x)", "a.py"], "`[text*=\"…\"]`"),
    (&["find", "function:matches('^get')", "a.py"], "`[name=/^get/]`"),
    (&["find", "function:starts-with('get')", "a.py"], "`[name^=\"get\"]`"),
    // Names.
    (&["find", "function.send_file", "a.py"], "`#send_file`"),
    (&["find", "import#System.Diagnostics", "a.cs"], "`import[name=\"System.Diagnostics\"]`"),
    (&["find", "function#send*", "a.py"], "`function[name^=\"send\"]`"),
    (&["find", "function#*file", "a.py"], "`function[name$=\"file\"]`"),
    (&["refs", "a.py:send_file"], "`a.py::send_file`"),
    // Kinds.
    (&["find", "fn", "a.py"], "the kind is `function`; a name is `#fn`"),
    (&["find", "method_call", "a.py"], "the kind is `call`"),
    (&["find", "str", "a.py"], "the kind is `string`"),
    // Holes.
    (&["find", "-p", "def $F(...): ...", "a.py"], "any number of nodes are `$$$`, not `...`"),
    (&["find", "-p", "print(:[arg])", "a.py"], "a hole is written `$ARG`, not `:[arg]`"),
    // Places.
    (&["find", "call", "a.py:5"], "`cst show a.py:5`"),
    // Files.
    (&["find", "a.py", "call#print"], "cst find 'call#print' a.py"),
    (&["find", ".", "class > method"], "cst find 'class > method' ."),
    (&["find", "function", "--type", "python"], "`-t python`"),
    (&["find", "call", "*.py"], "`-g '*.py'`"),
    (&["find", "-p", "f()", "src/**/*.py"], "`-g 'src/**/*.py'`"),
    (&["rewrite", "call", "x()", "*.py"], "`-g '*.py'`"),
    (&["check", "*.py"], "`-g '*.py'`"),
    // Commands.
    (&["grep", "foo"], "`cst find`"),
    (&["sed", "foo"], "`cst rewrite`"),
    (&["rename", "a", "b"], "`cst refactor rename`"),
    (&["undo"], "`cst undo --last`"),
    (&["redo"], "`cst trees`"),
    (&["mv", "a.py", "b.py"], "`cst refactor move-file OLD NEW`"),
    (&["modify", "a.py", "remove", "call"], "it is `delete` here"),
    (&["modify", "a.py", "add", "after", "call", "x()"], "it is `insert` here"),
    (&["refactor", "change-signature"], "`signature`"),
    (&["refactor", "extract-method"], "`extract-function`"),
    (&["refactor", "rename-file", "a", "b"], "`move-file`"),
    // Options.
    (&["find", "-p", "f($A)", "--rewrite", "g($A)"], "cst rewrite -p PATTERN TEMPLATE"),
    (&["find", "call", "--format", "json"], "`--json`"),
    (&["rewrite", "call", "x()", "a.py", "-w"], "`--write`"),
    (&["rewrite", "call", "x()", "a.py", "--fix"], "`--write`"),
    (&["modify", "a.py", "replace", "call", "-1"], "-- '-1'"),
    (&["modify", "a.py", "call", "delete"], "cst modify FILE delete 'call'"),
    (&["modify", "f.yml", "insert", "after", "block_sequence_item", "- run: x"], "-- '- run: x'"),
    (&["modify", "A.java", "rename", "n10", "y", "--references", "file"], "`refactor rename`"),
    // Templates, whether or not anything is found.
    (&["rewrite", "-p", "zzz($A)", "x($B)", "a.py"], "the target captures no `B`"),
    (&["rewrite", "call@c", "x($$$D)", "a.py"], "the target captures no `D`"),
];

#[test]
fn a_message_leads_on() {
    let place = place();
    for (words, expected) in MESSAGES {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?}\n{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(expected), "{words:?}\n{}", run.stderr);
    }
}

#[test]
fn what_a_message_proposes_works() {
    let place = place();
    for words in [
        &["find", "-p", "print($A)", "a.py"][..],
        &["find", ":like(\"$A == $B\")", "a.py"],
        &["find", "function_definition:has(> identifier.name)", "a.py"],
        &["find", "//function[name*=\"send\"]", "a.py"],
        &["find", "function[name=/^send/]", "a.py"],
        &["find", "import[name=\"System.Diagnostics\"]", "a.cs"],
        &["modify", "f.yml", "insert", "after", "block_sequence_item", "--", "- run: x"],
        &["find", "call:has(> identifier.function[text=\"print\"])", "a.py"],
        &["find", "identifier[text=/^s/]", "a.py"],
        &["find", "call:has(> *.function:is(identifier, attribute):is([text=\"a\"], [text=\"print\"]))", "a.py"],
        &["find", "function[name$=\"file\"]", "a.py"],
        &["find", "-p", "def $F($$$): $$$", "a.py"],
        &["modify", "a.py", "replace", "call", "--", "-1"],
        &["show", "a.py:5"],
        &["show", "a.py:5:5"],
        &["show", "a.py:4-6"],
        &["outline", "a.py:5"],
        &["check", "a.py:5:1"],
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 0, "{words:?}\n{}{}", run.stdout, run.stderr);
    }
    assert!(place.run(&["show", "a.py:5"]).stdout.contains("print(x)"));
}

#[test]
fn holes_of_another_tool_are_named_where_nothing_is_found() {
    let place = place();
    for pattern in ["print(...)", "print($ARGS...)"] {
        let run = place.run(&["find", "-p", pattern, "a.py"]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stderr.contains("`$$$`"), "{}", run.stderr);
    }
}

#[test]
fn a_place_in_a_file_is_not_the_file() {
    let place = place();
    let before = place.read("a.py");
    place.write("s.toml", "name = \"s\"\nlanguage = \"python\"\n\n[[step]]\nselect = \"call\"\nreplace = \"x()\"\n");
    for words in [
        &["rewrite", "call", "x()", "a.py:5", "--write"][..],
        &["modify", "a.py:5", "replace", "call", "x()", "--all", "--write"],
        &["run", "s.toml", "a.py:5", "--write"],
        &["explain", "call", "a.py:5"],
        &["find", "call", "a.py:5"],
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?}\n{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(":lines(5-5)"), "{words:?}\n{}", run.stderr);
        assert_eq!(place.read("a.py"), before);
    }
    assert_eq!(place.run(&["find", "call:lines(5-5)", "a.py"]).status, 0, "as the hint says");
}

#[test]
fn an_operation_of_another_tool_has_its_name_here() {
    let place = place();
    place.write("ops.json", "[{\"op\": \"remove\", \"target\": \"call\"}]");
    let run = place.run(&["modify", "a.py", "--ops", "ops.json"]);
    assert!(run.stderr.contains("it is `delete` here"), "{}", run.stderr);
    place.write("ops.json", "[{\"op\": \"delete\", \"node\": \"call\"}]");
    let run = place.run(&["modify", "a.py", "--ops", "ops.json"]);
    assert!(run.stderr.contains("the node is named in `target`"), "{}", run.stderr);
}

#[test]
fn text_that_is_piped_and_not_named_is_mentioned() {
    let place = place();
    for words in [&["find", "call"][..], &["check"], &["outline"]] {
        // What is piped may come late, so that it is tried more than once.
        let mut told = (0..20).map(|_| place.feed(words, "f()\n").stderr);
        assert!(told.any(|said| said.contains("standard input is not read; `-` names it")), "{words:?}");
        assert!(!place.run(words).stderr.contains("standard input"), "nothing is piped");
    }
    assert!(!place.feed(&["find", "call", "-", "-t", "python"], "f()\n").stderr.contains("is not read"));
}
