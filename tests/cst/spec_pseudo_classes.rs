//! The page on selectors, sections 5, 6, 8 and 9: pseudo-classes, captures, errors. Every example and every claim.

use cst::selector::Selector;

use crate::error_code::error_code;
use crate::finding::{check, check_captures, check_count, check_error, nodes, python};

const GETTERS: &str = "\
def other(): 0
class A:
    def first(self): 0
    def get_a(self): 1
    def get_b(self): 2
class B:
    def get_c(self): 3
";

#[test]
fn places_among_the_matches_of_a_context() {
    check(GETTERS, "class > function:first", "3 def first(self): 0\n7 def get_c(self): 3");
    check(GETTERS, "class > function:last", "5 def get_b(self): 2\n7 def get_c(self): 3");
    check(GETTERS, "class > function:nth(0)", "3 def first(self): 0\n7 def get_c(self): 3");
    check(GETTERS, "class > function:nth(1)", "4 def get_a(self): 1");
    check(GETTERS, "class > function:nth(-1)", "5 def get_b(self): 2\n7 def get_c(self): 3");
    check(GETTERS, "class > function:nth(-2)", "4 def get_a(self): 1");
    check(GETTERS, "function:first", "1 def other(): 0");
    check(GETTERS, "function:last", "7 def get_c(self): 3");
    check(GETTERS, "function:nth(9)", "");
}

#[test]
fn order_matters_for_them_alone() {
    check(GETTERS, "function[name^=\"get\"]:first", "4 def get_a(self): 1");
    check(GETTERS, "function:first[name^=\"get\"]", "");
    check(GETTERS, "class > function[name^=\"get\"]:first", "4 def get_a(self): 1\n7 def get_c(self): 3");
    // Inside another selector the context is the file.
    check(GETTERS, "function:is(function:first)", "1 def other(): 0");
    check(
        GETTERS,
        "class > function:not(function:first)",
        "3 def first(self): 0\n4 def get_a(self): 1\n5 def get_b(self): 2\n7 def get_c(self): 3",
    );
}

#[test]
fn places_among_siblings() {
    let source = "a = 1\n# c\nb()\nc = 2\nd()\n";
    check(source, "smallstmt:first-child", "1 a = 1");
    check(source, "smallstmt:last-child", "5 d()");
    check(source, "smallstmt:nth-child(2)", "3 b()");
    check(source, "smallstmt:nth-child(odd)", "1 a = 1\n4 c = 2");
    check(source, "smallstmt:nth-child(even)", "3 b()\n5 d()");
    check(source, "smallstmt:nth-child(2n+1)", "1 a = 1\n4 c = 2");
    check(source, "smallstmt:nth-child(-n+2)", "1 a = 1\n3 b()");
    check(source, "smallstmt:nth-child(n+3)", "4 c = 2\n5 d()");
    check(source, "smallstmt:nth-last-child(1)", "5 d()");
    check(source, "smallstmt:nth-last-child(2)", "4 c = 2");
    check(source, "assign:nth-child(2 of assign)", "4 c = 2");
    check(source, "assign:nth-last-child(1 of assign)", "4 c = 2");
    check("def f():\n  return 1\n", "return:only-child", "2 return 1");
    check(source, "smallstmt:only-child", "");
}

#[test]
fn places_among_siblings_of_a_type() {
    let source = "def a(): 0\nx = 1\ndef b(): 0\nclass C: 0\ndef d(): 0\n";
    check(source, "function:first-of-type", "1 def a(): 0");
    check(source, "function:last-of-type", "5 def d(): 0");
    check(source, "function:nth-of-type(2)", "3 def b(): 0");
    check(source, "class:first-of-type:last-of-type", "4 class C: 0");
}

#[test]
fn the_root_the_empty_and_leaves() {
    check("x\n", ":root", "1 x");
    check("x\n", "class:root", "");
    check("f()\ng(1)\n", "argument_list:empty", "1 ()");
    check("[]\n[1]\n{}\n()\n", "collection:empty", "1 []\n3 {}\n4 ()");
    check("'a'\nb\n", "identifier:leaf", "2 b");
    check("f()\n", "call:leaf", "");
    check("b\n", "identifier:empty", "");
    // A comment is not a child.
    check("f( # c\n)\n", "argument_list:leaf", "1 ( # c");
}

#[test]
fn is_and_not() {
    check("a = 1\nb()\nreturn c\n", ":is(assign, return)", "1 a = 1\n3 return c");
    check("a = 1\nb()\nreturn c\n", ":where(assign, return)", "1 a = 1\n3 return c");
    check("a = 1\nb()\nreturn c\n", "smallstmt:not(assign, return)", "2 b()");
    check("class A:\n def m(self): 0\ndef f(): 0\n", "function:is(class > function)", "2 def m(self): 0");
    check("class A:\n def m(self): 0\ndef f(): 0\n", "function:not(class > *)", "3 def f(): 0");
}

#[test]
fn has() {
    let source = "def f():\n  if a:\n    return 1\ndef g():\n  return 2\ndef h(): 0\nclass C: 0\n";
    check(source, "function:has(return)", "1 def f():\n4 def g():");
    check(source, "function:has(> return)", "4 def g():");
    check(source, "function:has(+ class)", "6 def h(): 0");
    check(source, "function:has(~ class)", "1 def f():\n4 def g():\n6 def h(): 0");
    check(source, "function:has(return, + class)", "1 def f():\n4 def g():\n6 def h(): 0");
    check(source, "function:not(:has(return))", "6 def h(): 0");
    check(source, "function:has(if return)", "1 def f():");
    check(source, "return:has(<< if)", "3 return 1");
    check(source, "return:has(< function)", "5 return 2");
}

#[test]
fn has_own() {
    let source = "\
def f():
    def g():
        return 1
def h():
    if a: return 2
class C:
    def m(self): return 3
";
    check(source, "function:has-own(return)", "2 def g():\n4 def h():\n7 def m(self): return 3");
    check(source, "function:has-own(function)", "1 def f():");
    check(source, "class:has-own(return)", "");
    check(source, "class:has-own(function)", "6 class C:");
    check(source, "class > method:not(:has-own(return))", "");
}

#[test]
fn being_in_something() {
    let source = "\
x = 1
class C:
    y = 2
    def m(self):
        try: z = 3
        except E: w = 4
";
    check(source, "assign:in(class)", "3 y = 2\n5 z = 3\n6 w = 4");
    check(source, "assign:in(try)", "5 z = 3\n6 w = 4");
    check(source, "assign:not(:in(class))", "1 x = 1");
    check(source, "class:in(class)", "");
    check(source, "assign:in-own(class)", "3 y = 2");
    check(source, "assign:in-own(function)", "5 z = 3\n6 w = 4");
    check(source, "assign:in-own(module)", "1 x = 1");
    check(source, "assign:in-own(#m)", "5 z = 3\n6 w = 4");
}

#[test]
fn siblings() {
    let source = "a = 1\nb()\n# c\nreturn\n";
    check(source, "call:precedes(return)", "2 b()");
    check(source, "call:precedes(assign)", "");
    check(source, "call:follows(assign)", "2 b()");
    check(source, "return:follows(assign)", "4 return");
}

#[test]
fn being_at_a_place() {
    let source = "def f():\n  if a:\n    return (1 +\n      b)\n";
    check(source, ":at(4:7)", "4 b");
    check(source, "stmt:at(4)", "1 def f():\n2 if a:\n3 return (1 +");
    check(source, "return:at(3:5)", "3 return (1 +");
    check(source, "return:at(2)", "");
    check(source, "return:lines(3-4)", "3 return (1 +");
    check(source, "stmt:lines(3-4)", "3 return (1 +");
    check(source, "stmt:lines(2-9)", "2 if a:\n3 return (1 +");
}

#[test]
fn errors_in_the_source() {
    check("def f(:\n  pass\n", "parameters:missing", "1 (");
    check_count("def f(:\n  pass\n", ":error", 0);
    check("x = (1 +\nclass A: pass\n", ":error", "1 x = (1 +\n1 x = (1 +");
    check("x = 1\n", ":error", "");
    check("x = 1\n", ":missing", "");
    check("def f()\n    return 1\n", "module:error", "1 def f()");
}

#[test]
fn named_selectors_of_the_language() {
    let source = "\
class A:
    @staticmethod
    def s(): 0
    @property
    def p(self): 0
    def __eq__(self, o): 0
    async def _a(self):
        'doc'
def test_it(): 0
";
    check(source, "function:static", "3 def s(): 0");
    check(source, "function:property", "5 def p(self): 0");
    check(source, "method:dunder", "6 def __eq__(self, o): 0");
    check(source, "function:async", "7 async def _a(self):");
    check(source, "function:private", "7 async def _a(self):");
    check(source, "method:public", "3 def s(): 0\n5 def p(self): 0");
    check(source, "function:test", "9 def test_it(): 0");
    check(source, "string:docstring", "8 'doc'");
    check(source, "function:has-own(:docstring)", "7 async def _a(self):");
    check(source, "function:exported", "9 def test_it(): 0");
    check(source, "function:deprecated", "");
}

#[test]
fn pseudo_classes_take_all_that_a_selector_may_hold() {
    let source = "class A:\n  def f(self): return g()\n";
    check(
        source,
        "function:has(return > call, class // call):is(//function/ancestor::class > *)",
        "2 def f(self): return g()",
    );
    check(source, "return:in(class > function:has(call#g))", "2 return g()");
}

#[test]
fn captures() {
    let source = "class A:\n  def f(self):\n    a\n    return 1\n  def g(self): 0\nclass B:\n  def h(self): return 2\n";
    check_captures(
        source,
        "class@c > function@m:has(return@r)",
        "c=class A: m=def f(self): r=return 1
         c=class B: m=def h(self): return 2 r=return 2",
    );
    check_captures("def f():\n  return 1\n  return 2\n", "function:has(return@r)", "r=return 1");
    check_captures("def f(): 0\n", "function@f:not(:has(return@r))", "f=def f(): 0");
}

#[test]
fn variables() {
    let source = "def f(): return f()\ndef g(): return f()\ndef h():\n  def i(): h()\n";
    check(source, "function[name=$n]:has-own(call[callee=$n])", "1 def f(): return f()");
    check(source, "function:has-own(call[callee=$n])[name=$n]", "1 def f(): return f()");
    check("a = a\nb = c\n", "assign:has(> *.left[text=$x]):has(> *.right[text=$x])", "1 a = a");
    check("a == a\na == b\n", "comparison_operator > identifier@x:first-child + identifier[text=$x]", "1 a");
}

#[test]
fn errors() {
    let error = nodes(&python("x\n"), "class > function:frist").expect_err("there is no `:frist`");
    assert_eq!(
        error.to_string(),
        "unknown pseudo-class `:frist`\n  class > function:frist\n                   ^^^^^ did you mean `:first`?",
    );
    assert_eq!((error.span.start(), error.span.end()), (17, 22));
    check_error("class > function:frist", "unknown_pseudo", "frist", "`:first`");
    check_error("class >", "selector_syntax", "", "");
    check_error("[name=/(/]", "bad_regex", "(", "");
    check_error("function[nam=f]", "unknown_attribute", "nam", "`name`");
    check_error("fucntion", "unknown_type", "fucntion", "`function`");
}

#[test]
fn large_and_deep_selectors_are_refused() {
    let long = format!("[name=\"{}\"]", "x".repeat(65 << 10));
    assert_eq!(error_code(Selector::parse(&long).expect_err("it is too long").code), "selector_syntax");
    let deep = format!("{}function{}", ":not(".repeat(200), ")".repeat(200));
    assert_eq!(error_code(Selector::parse(&deep).expect_err("it is too deep").code), "selector_syntax");
    let nested = format!("{}function{}", ":not(".repeat(100), ")".repeat(100));
    check("def f(): 0\n", &nested, "1 def f(): 0");
    let parentheses = format!("class A: x = {}1{}\n", "(".repeat(60), ")".repeat(60));
    check(&parentheses, "class * * * * * * integer", "1 1");
}

#[test]
fn zero_matches_is_an_answer() {
    check("x\n", "class", "");
}
