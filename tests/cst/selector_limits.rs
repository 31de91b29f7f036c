//! Selectors that are too long, too deep or too costly: refused with an error, or evaluated in good time.

use cst::language::Language;
use cst::selector::{Definitions, Query, Selector, SelectorError};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

use crate::error_code::error_code;

fn find(source: &str, selector: &str) -> Result<usize, SelectorError> {
    let python = Language::named("python").unwrap();
    let tree = Tree::parse(Text::new(source), python, &ParseLimits::default()).unwrap();
    let query = Query::new(&Selector::parse(selector)?, python, &Definitions::default())?;
    Ok(query.select(&tree)?.len())
}

fn code(source: &str, selector: &str) -> &'static str {
    error_code(find(source, selector).expect_err("refused").code)
}

fn nested(levels: usize, open: &str) -> String {
    format!("{}call{}", open.repeat(levels), ")".repeat(levels))
}

#[test]
fn nesting_is_allowed_to_128_levels() {
    for open in [":is(", ":not(", ":has(", "*:in(", "[count(call) > 0]:has-own("] {
        assert!(find("f(g(1))\n", &nested(127, open)).is_ok(), "{open}");
        assert_eq!(code("f(g(1))\n", &nested(129, open)), "selector_syntax", "{open}");
    }
    assert_eq!(code("x\n", &nested(20_000, ":is(")), "selector_syntax");
    assert_eq!(code("x\n", &"(".repeat(60_000)), "selector_syntax");
    assert_eq!(code("x\n", &"[".repeat(60_000)), "selector_syntax");
}

#[test]
fn length_is_allowed_to_64_kib() {
    let source = "f(g(1))\n".repeat(20);
    for part in ["* ", "* > ", "call,", ":is(call)", "[name]", "@c", ":first", "/**/ "] {
        let mut selector = part.repeat((64 << 10) / part.len() - 2);
        selector.push_str("call");
        if !part.ends_with(')') && !part.ends_with(']') && !part.starts_with('@') && part != ":first" {
            let found = find(&source, &selector);
            assert!(found.is_ok(), "{part}: {found:?}");
        } else {
            // Parts end the step, so that the word behind them makes no selector; what counts is that an answer comes.
            let _ = find(&source, &selector);
            let _ = find(&source, selector.trim_end_matches("call"));
        }
        assert_eq!(code("x\n", &part.repeat((64 << 10) / part.len() + 2)), "selector_syntax");
    }
}

#[test]
fn wildcards_over_deep_nesting_take_no_exponential_time() {
    let source = format!("class A:\n    x = {}x{}\n", "(".repeat(60), ")".repeat(60));
    assert_eq!(find(&source, "class * * * * * * integer").unwrap(), 0);
    assert_eq!(find(&source, "class * * * * * * identifier").unwrap(), 1);
    assert_eq!(find(&source, &format!("{} identifier", "*:has(* *) ".repeat(40))).unwrap(), 1);
}

#[test]
fn a_hundred_thousand_parentheses_are_walked_not_recursed() {
    let source = format!("{}x{}\n", "(".repeat(100_000), ")".repeat(100_000));
    for (selector, count) in [
        ("identifier", 1),
        ("module > identifier", 1),
        ("* < *:first", 1),
        ("* << *:last", 100_001 + 1),
        ("* > *:first", 100_002),
        ("* *:last", 1),
        ("parenthesized_expression:nth-child(1):has(identifier)", 100_000),
        ("identifier:in-own(module)", 1),
        ("identifier:in(parenthesized_expression)", 1),
    ] {
        assert_eq!(find(&source, selector).unwrap(), count, "{selector}");
    }
}

#[test]
fn variables_that_would_take_for_ever_are_a_budget_error() {
    let source = (0..400).map(|number| format!("a{number} = b{number}\n")).collect::<String>();
    let all = "[text=$a] ~ *[text!=$a][text=$b] ~ *[text!=$b][text=$c] ~ *[text!=$c][text=$d] ~ *[text=$e]:not([text=$b]):not([text!=$c])";
    assert_eq!(code(&source, &format!("*{all}")), "budget");
    assert_eq!(find(&source, "assignment[left.name=$n]:has(> identifier.right[name=$n])").unwrap(), 0);
    let many = (0..1100).map(|number| format!("[name=$v{number}]")).collect::<String>();
    assert_eq!(code(&source, &format!("call{many}")), "selector_syntax");
}

/// The texts of nested nodes together are as long as the file times its depth.
#[test]
fn texts_that_would_take_for_ever_are_a_budget_error() {
    let source = format!("a{}\n", "+a".repeat(60_000));
    // Found at once, but charged as if each text were searched to its end.
    assert!(find(&source, "*[text*='a']").unwrap() > 100_000);
    assert_eq!(code(&source, &format!("*{}", "[text*='a']".repeat(6))), "budget");
    assert_eq!(code(&source, "*[text=/a/][text=/^a/]"), "budget");
    let source = "x = 1\n".repeat(1000);
    assert_eq!(find(&source, &format!("*{}", "[text*='x']".repeat(500))).unwrap(), 3001);
}

#[test]
fn a_relative_chain_of_any_length_is_walked_not_recursed() {
    let source = "class A:\n    def f(self):\n        return g(1)\n".repeat(50);
    for part in ["* ", "*:first ", "self::*:first ", "*:has(call) ", "* < ", "* ~ ", "*:nth(-1) > "] {
        let repeats = ((64 << 10) - 20) / part.len();
        for open in [":has(", ":has-own(", "[count("] {
            let close = if open.starts_with('[') { "*)]" } else { "*)" };
            let selector = format!("module{open}{}{close}", part.repeat(repeats));
            let found = find(&source, &selector);
            let is_budget = |error: &SelectorError| error_code(error.code) == "budget";
            assert!(
                found.as_ref().is_ok_and(|&count| count <= 1) || found.as_ref().is_err_and(is_budget),
                "{selector:.40}: {found:?}"
            );
        }
    }
}

#[test]
fn relative_chains_find_what_their_steps_find_one_by_one() {
    let source = "class A:\n    def f(self):\n        return g(1, h(2))\n    def k(self): pass\nclass B:\n    x = 1\n";
    for (selector, count) in [
        (":has(> function:first > block:first return)", 2),
        ("*:has(function:first block:last call:nth(1))", 3),
        ("class:has(> function:first + function:first)", 1),
        ("class:has(> function:first ~ function:last)", 1),
        ("module:has(class:last function)", 0),
        ("module:has(class:first function:last return)", 0),
        ("module:has(class:first function:first return)", 1),
        ("call:has(call:first)", 1),
    ] {
        assert_eq!(find(source, selector).unwrap(), count, "{selector}");
    }
}

fn find_defined(source: &str, definitions: &str, selector: &str) -> Result<usize, SelectorError> {
    let python = Language::named("python").unwrap();
    let tree = Tree::parse(Text::new(source), python, &ParseLimits::default()).unwrap();
    let definitions = Definitions::parse(definitions)?;
    let query = Query::new(&Selector::parse(selector)?, python, &definitions)?;
    // What a search over many files asks before it parses one.
    let _ = (
        query.necessary(),
        query.is_local(&[tree.table().type_id(tree.root())].into_iter().collect()),
        query.read_as(),
    );
    Ok(query.select(&tree)?.len())
}

#[test]
fn definitions_that_name_each_other_many_times_are_resolved_once() {
    let lines = |count: usize, body: &dyn Fn(usize) -> String| {
        let lines = (0..count).map(|place| format!(":a{place} = {}\n", body(place + 1)));
        lines.collect::<String>()
    };
    let source = "def f():\n    def g(): pass\n";
    let twice = format!("{}:a60 = function\n", lines(60, &|next| format!(":a{next}:a{next}")));
    assert_eq!(find_defined(source, &twice, ":a0").unwrap(), 2);
    let mixed = format!(
        "{}:a60 = function\n",
        lines(60, &|next| format!(":is(:a{next}, x:a{next}):not(:not(:a{next}))").replace('x', "call"))
    );
    assert_eq!(find_defined(source, &mixed, ":a0").unwrap(), 2);
    let named =
        format!("{}:a40 = function#f\n", lines(40, &|next| format!("function:has(:a{next}), :a{next}[name=f]")));
    assert_eq!(find_defined(source, &named, ":a0").unwrap(), 1);
    let binding = format!("{}:a60 = function@c\n", lines(60, &|next| format!(":a{next}:a{next}")));
    assert_eq!(error_code(find_defined(source, &binding, ":a0").unwrap_err().code), "selector_syntax");
    let deep = format!("{}:a30000 = function\n", lines(30_000, &|next| format!(":a{next}")));
    let error = find_defined(source, &deep, ":a0").unwrap_err();
    assert!(error.message.starts_with("nested deeper than") && error.message.len() < 200, "{}", error.message);
    let circle = find_defined(source, ":a = :b\n:b = :a\n", ":a").unwrap_err();
    assert_eq!(circle.message, "`:a` refers to itself: :a → :b → :a");
}

#[test]
fn regexes_and_code_patterns_are_limited_in_number_and_size() {
    let many = "[name=/(a|b|[^c]){900}/]".repeat(2000);
    assert!(find("x = 1\n", &format!("call{many}")).is_err());
    let patterns = ":like(\"f($X)\")".repeat(4000);
    assert_eq!(code("x = 1\n", &format!("call{patterns}")), "selector_syntax");
    assert_eq!(find("f(1)\n", "call[name=/^\\w{1,60}$/]").unwrap(), 1);
}

#[test]
fn counts_are_the_same_at_once_and_from_each_node() {
    let mut cases = 0;
    for (language, sample) in super::chunk_laws::samples() {
        let tree = Tree::parse(Text::new(&sample), language, &ParseLimits::default()).unwrap();
        for relation in ["", "> ", ">> ", "+ ", "~ ", "preceding-sibling::", "self::", "< ", "<< "] {
            for step in ["*", "identifier", "call", "comment", "expr", "stmt"] {
                let of = |chain: &str| {
                    let selector =
                        Selector::parse(&format!("*[count({chain}) = 1], *[count({chain}) > 3]@many")).ok()?;
                    let query = Query::new(&selector, language, &Definitions::default()).ok()?;
                    Some(query.select(&tree).unwrap().into_iter().map(|found| found.node).collect::<Vec<_>>())
                };
                let Some(at_once) = of(&format!("{relation}{step}")) else { continue };
                // Two steps are followed from each node.
                let one_by_one = of(&format!("self::* {relation}{step}")).unwrap();
                assert_eq!(at_once, one_by_one, "{} {relation}{step}", language.name());
                cases += at_once.len();
            }
        }
    }
    assert!(cases > 10_000, "{cases}");
}

#[test]
fn counts_over_a_large_file_take_one_pass() {
    let source = "f(a, b, c, d, [1, 2, 3, 4])\n".repeat(12_000);
    for (selector, count) in [
        ("*[count(> *) > 3]", 12_000 * 3 + 1),
        ("*[count(integer, list) = 5]", 12_000 * 3),
        ("*[count(+ *) = 1]:has(> list)", 12_000),
        ("module[count(call > argument_list > list) = 12000]", 1),
    ] {
        assert!(find(&source, selector).is_ok_and(|found| found <= count), "{selector}: {:?}", find(&source, selector));
    }
}

/// Counts of all nodes, for each of 200 tests: more than a query keeps.
#[test]
fn what_a_query_keeps_is_limited_and_computed_again() {
    let source = "f(a, b)\n".repeat(40_000);
    let many = "[count(call) = 40000]".repeat(200);
    assert!(40_000 * 9 * size_of::<u32>() * 200 > cst::limits::KEPT_SETS);
    assert_eq!(find(&source, &format!("module{many}")).unwrap(), 1);
    assert_eq!(find(&source, &format!("module{many}[count(call) = 1]")).unwrap(), 0);
}

#[test]
fn a_capture_in_a_count_says_that_it_captures_nothing() {
    let error = find("f(1)\n", "call[count(integer@c) >= 0]").unwrap_err();
    assert_eq!(error.message, "a capture in `count(…)`, which only counts nodes");
    let error = find("f(1)\n", "call[args > count(integer@c)]").unwrap_err();
    assert_eq!(error.message, "a capture in `count(…)`, which only counts nodes");
}

#[test]
fn of_one_type_one_sibling_is_the_first() {
    let source = "f()\nx = 1\ng()\n@d\ndef h(): pass\ndef k(): pass\n";
    for (selector, count) in [
        ("module > expression_statement:first-of-type", 1),
        ("module > expression_statement:last-of-type[text^=g]", 1),
        ("module > call:first-of-type[text^=f]", 1),
        ("module > call:nth-of-type(2)[text^=g]", 1),
        ("module > assignment:first-of-type", 1),
        ("module > decorated_definition:first-of-type", 1),
        ("module > function:first-of-type[name=h]", 1),
        ("module > function:nth-of-type(2)[name=k]", 1),
    ] {
        assert_eq!(find(source, selector).unwrap(), count, "{selector}");
    }
}

#[test]
fn a_regex_that_is_not_closed_is_an_error() {
    let error = find("def abc(): pass\n", "function[name=/abc]").unwrap_err();
    assert_eq!(error.message, "`/abc` is a regex without its closing `/`");
    assert_eq!(find("def abc(): pass\n", "function[name=\"/abc\"]").unwrap(), 0);
}

#[test]
fn a_place_on_a_blank_line_is_in_what_goes_around_it() {
    let source = "class A:\n    def f(self):\n        \"\"\"one\n\n        two\n        \"\"\"\n\n        return 1\n";
    for (selector, count) in
        [("function:at(4)", 1), ("class:at(4)", 1), ("function:at(7)", 1), ("string:at(4)", 1), ("return:at(7)", 0)]
    {
        assert_eq!(find(source, selector).unwrap(), count, "{selector}");
    }
    assert_eq!(find(source, ":at(2:18446744073709551615)").unwrap(), find(source, ":at(2:99)").unwrap());
    assert_eq!(find(source, ":at(18446744073709551615)").unwrap(), 0);
}
