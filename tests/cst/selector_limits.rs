//! Selectors that are too long, too deep or too costly: refused with an error, or evaluated in good time.

use cst::language::Language;
use cst::selector::{Definitions, Query, Selector, SelectorError};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

fn find(source: &str, selector: &str) -> Result<usize, SelectorError> {
    let python = Language::named("python").unwrap();
    let tree = Tree::parse(Text::new(source), python, &ParseLimits::default()).unwrap();
    let query = Query::new(&Selector::parse(selector)?, python, &Definitions::default())?;
    Ok(query.select(&tree)?.len())
}

fn code(source: &str, selector: &str) -> &'static str {
    find(source, selector).expect_err("refused").code.as_str()
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
