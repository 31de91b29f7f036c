//! Queries of tree-sitter: `find --query` and rules. What they find is what tree-sitter finds on a tree of its own.

use cst::language::Language;
use cst::project::Prefilter;
use cst::selector::ErrorCode;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};
use cst::tree_query::TreeSitterQuery;
use serde_json::Value;
use tree_sitter::StreamingIterator;

use super::chunk_laws::samples;
use super::cli::{Place, Run};

const TAGS: &str = "(class_definition name: (identifier) @name) @definition.class\n\
                    (function_definition name: (identifier) @name) @definition.function\n\
                    (call function: [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.call\n";

const CODE: &str = "class A:\n    def go(self):\n        return self.stop(print(1))\n";

/// `capture:line:col` of each match.
fn found(run: &Run) -> Vec<String> {
    let matches = run.json()["matches"].as_array().expect("a list").clone();
    let place = |row: &Value| {
        format!("{}:{}:{}", row["capture"].as_str().unwrap_or_default(), row["start_line"], row["start_col"])
    };
    matches.iter().map(place).collect()
}

/// What tree-sitter captures itself: names and bytes.
fn oracle(query: &str, language: &'static Language, source: &str) -> Vec<(String, usize, usize)> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language.grammar()).expect("the grammar fits");
    let tree = parser.parse(source, None).expect("it is parsed");
    let query = tree_sitter::Query::new(language.grammar(), query).expect("the query is right");
    let mut cursor = tree_sitter::QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), source.as_bytes());
    let mut found = Vec::new();
    while let Some(one) = matches.next() {
        for capture in one.captures() {
            let name = query.capture_names()[capture.index as usize].to_owned();
            found.push((name, capture.node.start_byte(), capture.node.end_byte()));
        }
    }
    found.sort();
    found
}

/// The same from a tree of ours.
fn ours(query: &str, tree: &Tree) -> Vec<(String, usize, usize)> {
    let query = TreeSitterQuery::new(query, tree.language()).expect("the query is right");
    let matches = query.find(tree, &ParseLimits::default()).expect("it takes no time");
    let captures = matches.into_iter().flat_map(|one| one.captures);
    let mut found: Vec<(String, usize, usize)> = captures
        .map(|capture| {
            let span = tree.span(capture.node);
            (query.capture_name(capture.name).to_owned(), span.start(), span.end())
        })
        .collect();
    found.sort();
    found
}

fn python() -> &'static Language {
    Language::named("python").expect("it is built in")
}

#[test]
fn each_capture_is_a_match() {
    let place = Place::new();
    place.write("a.py", CODE);
    place.write("tags.scm", TAGS);
    let run = place.run(&["find", "--query", "tags.scm", "a.py", "--json"]).expect(0);
    let expected = [
        "definition.class:1:1",
        "name:1:7",
        "definition.function:2:5",
        "name:2:9",
        "reference.call:3:16",
        "name:3:21",
        "reference.call:3:26",
        "name:3:26",
    ];
    assert_eq!(found(&run), expected);
    let text = place.run(&["find", "--query", "tags.scm", "a.py"]).expect(0).stdout;
    assert!(text.contains("a.py:2:5: method  A.go  @definition.function  n"), "{text}");
    place.feed(&["find", "--query", "-", "a.py", "-c"], "(call) @c").expect(0);
}

#[test]
fn captures_are_those_of_tree_sitter_in_every_language() {
    let mut languages = 0;
    for (language, source) in samples() {
        // Where bytes are blanked before the parse, tree-sitter alone reads something else; that is checked by the places below.
        let tree = Tree::parse(Text::new(&source), language, &ParseLimits::default()).expect("a sample is parsed");
        if !tree.masked().is_empty() || !tree.is_sound() || source.contains('\r') {
            continue;
        }
        languages += 1;
        // The table may end a node before the line end that the grammar counts in.
        let within = |found: Vec<(String, usize, usize)>| -> Vec<(String, usize)> {
            found.into_iter().map(|(name, start, _)| (name, start)).collect()
        };
        let every = "(_) @node (_ (_) @inner . (_) @next)";
        assert_eq!(within(ours(every, &tree)), within(oracle(every, language, &source)), "{}", language.name());
    }
    assert!(languages > 20, "{languages} samples were compared");
}

#[test]
fn predicates_decide_as_in_tree_sitter() {
    let code = "foo(1)\nbar(2)\nFOO(3)\nfoo(foo)\nbaz(foo, foo)\n";
    let tree = Tree::parse(Text::new(code), python(), &ParseLimits::default()).expect("it is parsed");
    let call = |rest: &str| format!("((call function: (identifier) @f arguments: (argument_list (_)+ @a)) @c {rest})");
    for predicate in [
        "(#eq? @f \"foo\")",
        "(#not-eq? @f \"foo\")",
        "(#eq? @f @a)",
        "(#any-eq? @a \"foo\")",
        "(#match? @f \"^[A-Z]+$\")",
        "(#not-match? @f \"^[A-Z]+$\")",
        "(#any-match? @a \"o\")",
        "(#any-not-match? @a \"o\")",
        "(#any-of? @f \"foo\" \"baz\")",
        "(#not-any-of? @f \"foo\" \"baz\")",
        "(#set! priority 1) (#strip! @f \"x\")",
    ] {
        let query = call(predicate);
        let expected = oracle(&query, python(), code);
        assert_eq!(ours(&query, &tree), expected, "{predicate}");
        assert!(!expected.is_empty(), "{predicate} finds something");
    }
}

/// Whether a query may match in a text, by the condition that is looked at before the text is parsed.
fn may_match(query: &str, text: &str) -> bool {
    let query = TreeSitterQuery::new(query, python()).expect("the query is right");
    Prefilter::of_condition(&query.necessary()).may_match(text.as_bytes())
}

#[test]
fn a_text_without_the_words_of_a_query_is_not_parsed() {
    let needs = |query: &str, with: &[&str], without: &[&str]| {
        with.iter().for_each(|text| assert!(may_match(query, text), "{query} in {text}"));
        without.iter().for_each(|text| assert!(!may_match(query, text), "{query} in {text}"));
    };
    needs("((identifier) @f (#eq? @f \"foo\"))", &["foo"], &["bar", ""]);
    needs("((identifier) @f ; (#eq? @f \"no\")\n ( ; here\n #eq? @f \"foo\"))", &["foo"], &["no"]);
    needs("((string) @f (#eq? @f \"\\\"a)\\\"\"))", &["\"a)\""], &["'a)'"]);
    needs("((identifier) @f (#any-of? @f \"foo\" \"bar\"))", &["foo", "bar"], &["baz"]);
    needs("((identifier) @f (#match? @f \"^test_.*_case$\"))", &["test_a_case"], &["test_a", "_case"]);
    needs("((identifier) @f (#eq? @f \"foo\")) ((integer) @i (#eq? @i \"42\"))", &["foo", "42"], &["bar"]);
    needs("(block (_)+ @a (#any-eq? @a \"pass\"))", &["pass"], &["stop"]);
    // What a match may lack, what is denied, and patterns without any predicate demand nothing.
    for query in [
        "(call function: (identifier)? @f (#eq? @f \"foo\"))",
        "(call function: [(identifier) @f (attribute) @g] (#eq? @f \"foo\"))",
        "((identifier) @f (#not-eq? @f \"foo\"))",
        "((identifier) @f (#match? @f \"(?i)foo\"))",
        "((identifier) @f (#eq? @f @f))",
        "((identifier) @f (#eq? @f \"foo\")) (integer) @i",
        "((string) @f (#match? @f \"#eq? @f\") (#set! is \"(#eq? @f foo)\"))",
    ] {
        let is_needed = query.contains("#set!");
        assert_eq!(may_match(query, "x = 1"), !is_needed, "{query}");
    }
}

#[test]
fn files_without_the_words_of_a_query_are_not_searched_and_none_is_lost() {
    let place = Place::new();
    place.write("a.py", "foo(1)\n");
    place.write("b.py", "bar(1)\n");
    place.write("c.html", "<script>foo(1)</script>\n");
    let query = "((call function: (identifier) @f) (#eq? @f \"foo\"))";
    assert_eq!(found(&place.feed(&["find", "--query", "-", "a.py", "b.py", "--json"], query).expect(0)), ["f:1:1"]);
    let script = "((call_expression function: (identifier) @f) (#eq? @f \"foo\"))";
    assert_eq!(found(&place.feed(&["find", "--query", "-", "c.html", "--json"], script).expect(0)), ["f:1:9"]);
    // A wrong query is one even if no file has its words.
    place.feed(&["find", "--query", "-", "b.py"], "((calls) @f (#eq? @f \"foo\"))").expect(2);
}

#[test]
fn what_is_wrong_has_a_place_and_a_hint() {
    let error = |query: &str| TreeSitterQuery::new(query, python()).expect_err("the query is wrong");
    let unknown = error("(call)\n(functon_definition) @x");
    assert_eq!(unknown.code, ErrorCode::UnknownType);
    assert_eq!((unknown.span.start(), unknown.span.end()), (8, 26));
    assert_eq!(unknown.hint.as_deref(), Some("did you mean `function_definition`?"));
    assert_eq!(error("(call nam: (_))").code, ErrorCode::UnknownField);
    assert_eq!(error("(call").code, ErrorCode::SelectorSyntax);
    let foreign = error("((call) @c (#lua-match? @c \"^x\"))");
    assert_eq!(foreign.code, ErrorCode::UnknownPseudo);
    assert_eq!(foreign.message, "tree-sitter has no predicate `#lua-match?`");
    assert_eq!(foreign.span.start(), 12);
    assert_eq!(error("((call) @c (#match? @c \"(\"))").code, ErrorCode::BadRegex);
    assert_eq!(error("((call) @c (#eq? @d \"x\"))").code, ErrorCode::SelectorSyntax);
    let place = Place::new();
    place.write("a.py", CODE);
    let run = place.feed(&["find", "--query", "-", "a.py"], "(functon_definition) @x").expect(2);
    assert!(run.stderr.contains("(functon_definition) @x\n"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `function_definition`?"), "{}", run.stderr);
    place.feed(&["find", "--query", "-", "-p", "f()", "a.py"], "(call) @x").expect(2);
    place.feed(&["find", "--query", "-", "--name", "f", "a.py"], "(call) @x").expect(2);
}

#[test]
fn a_folder_is_searched_where_the_grammar_has_the_words() {
    let place = Place::new();
    place.write("a.py", "print(1)\n");
    place.write("b.js", "print(1)\n");
    let run = place.feed(&["find", "--query", "-", "--json"], "(call_expression) @c").expect(0);
    assert_eq!(found(&run), ["c:1:1"]);
    let run = place.feed(&["find", "--query", "-", "--json"], "(no_such_node) @c").expect(2);
    assert_eq!(run.error(), "unknown_type");
    // The same answer from an index, which has no tree of tree-sitter.
    place.run(&["index"]).expect(0);
    let run = place.feed(&["find", "--query", "-", "--json"], "(call function: (_) @f)").expect(0);
    assert_eq!(found(&run), ["f:1:1"]);
}

#[test]
fn code_inside_of_other_files_and_long_comments_are_searched() {
    let place = Place::new();
    place.write("a.html", "<p>hi</p>\n<script>\nlet x = f(1);\n</script>\n");
    let run = place.feed(&["find", "--query", "-", "--json", "a.html"], "(call_expression function: (_) @f)");
    assert_eq!(found(&run.expect(0)), ["f:3:9"]);
    let code = format!("x = 1\n{}y = f(2)\n", "# a comment\n".repeat(3000));
    let tree = Tree::parse(Text::new(&code), python(), &ParseLimits::default()).expect("it is parsed");
    assert_eq!(ours("(comment) @c (call) @f", &tree), oracle("(comment) @c (call) @f", python(), &code));
}

const RULE: &str = r#"
[[rule]]
id = "no-print"
languages = ["python"]
message = "`$CALL` prints `$ARGUMENT_FIRST`"
query = '''
((call function: (identifier) @_function arguments: (argument_list . (_) @argument.first)) @call
  (#eq? @_function "print"))
'''
fix = "log($ARGUMENT_FIRST)"
[[rule.test]]
code = "print(x)\nrint(x)\n"
finds = ["1:1"]
after = "log(x)\nrint(x)\n"
"#;

const WRONG: &str = r#"
[[rule]]
id = "wrong"
languages = ["python"]
message = "found"
query = '''
(call)
(cal) @x
'''
"#;

#[test]
fn rules_have_queries() {
    let place = Place::new();
    place.write(".cst/rules/team.toml", &format!("{RULE}{WRONG}"));
    place.write("a.py", "def f():\n    print(a, b)\n");
    let run = place.run(&["scan", "--json"]).expect(2);
    let finding = run.json()["findings"][0].clone();
    assert_eq!(finding["message"], "`print(a, b)` prints `a`");
    assert_eq!((finding["start_line"].as_u64(), finding["start_col"].as_u64()), (Some(2), Some(5)));
    let problem = run.json()["problems"][0].clone();
    assert_eq!(problem["rule"], "team/wrong");
    assert_eq!(problem["error"]["line"], 22);
    assert!(
        problem["error"]["message"].as_str().is_some_and(|text| text.contains("`cal` is not a node type of python"))
    );
    place.write("good.toml", RULE);
    let tests = place.run(&["test", "good.toml", "--json"]).expect(0).json();
    assert_eq!(tests["passed"], 1, "{tests}");
    place.run(&["scan", "--rule", "no-print", "--fix", "--unsafe-fixes"]).expect(0);
    assert_eq!(place.read("a.py"), "def f():\n    log(a)\n");
}

#[test]
fn a_query_and_a_selector_exclude_each_other() {
    let place = Place::new();
    place.write("a.py", "print(1)\n");
    let both = "[[rule]]\nid = \"a\"\nmessage = \"m\"\nselect = \"call\"\nquery = \"(call) @c\"\n";
    place.write("r.toml", both);
    let run = place.run(&["scan", "--rules", "r.toml"]).expect(2);
    assert!(run.stderr.contains("`select` and `query` exclude each other"), "{}", run.stderr);
}
