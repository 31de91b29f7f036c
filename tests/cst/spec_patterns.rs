//! The page on selectors, section 7: code patterns. Every example and every claim.

use crate::finding::{check, check_captures, check_error};

#[test]
fn patterns() {
    let source = "requests.get(url, timeout=1)\nrequests.get(url)\nrequests.post(url)\n";
    check(source, ":like(\"requests.get($URL, $$$REST)\")", "1 requests.get(url, timeout=1)\n2 requests.get(url)");
    check(source, "call:like(\"requests.get($URL)\")", "2 requests.get(url)");
    check(
        source,
        "call:like(\"requests.$_($$$)\")",
        "1 requests.get(url, timeout=1)\n2 requests.get(url)\n3 requests.post(url)",
    );
    check_captures(source, ":like(\"requests.get($URL, timeout=$T)\")", "URL=url T=1");
    // Twice the same name: the same code.
    check("f(a, a)\nf(a, b)\nf(g(1), g( 1 ))\n", ":like(\"f($X, $X)\")", "1 f(a, a)\n3 f(g(1), g( 1 ))");
}

#[test]
fn patterns_pass_over_comments_and_nothing_else() {
    check("f(1, # one\n  2)\n", ":like(\"f(1, 2)\")", "1 f(1, # one");
    check("f(1, 2)\n", ":like(\"f(1)\")", "");
    check("a + b + c\n", ":like(\"a + b\")", "1 a + b");
    check("a - b\n", ":like(\"a + b\")", "");
    check("async def f(): pass\ndef f(): pass\n", ":like(\"def f(): pass\")", "2 def f(): pass");
    check("a < b\na <= b\n", ":like(\"a < b\")", "1 a < b");
    check("a not in b\na in b\n", ":like(\"a in b\")", "2 a in b");
}

#[test]
fn a_generator_is_an_argument() {
    let source = "any(x for x in y)\nany(y)\nany(x, y)\n";
    check(source, ":like(\"any($$$A)\")", "1 any(x for x in y)\n2 any(y)\n3 any(x, y)");
    check(source, ":like(\"any($A)\")", "1 any(x for x in y)\n2 any(y)");
    check_captures("any(x for x in y)\n", ":like(\"any($A)\")", "A=(x for x in y)");
}

#[test]
fn many_in_parentheses_are_a_tuple() {
    let source = "isinstance(a, (b, c))\nisinstance(a, b)\nisinstance(a, (b))\nisinstance(a, (b,))\n";
    check(source, ":like(\"isinstance($A, ($$$B))\")", "1 isinstance(a, (b, c))\n4 isinstance(a, (b,))");
    check(source, ":like(\"isinstance($A, ($$$B,))\")", "1 isinstance(a, (b, c))\n4 isinstance(a, (b,))");
}

#[test]
fn a_pattern_without_the_body_that_its_language_needs_is_an_error() {
    for pattern in ["def $F():", "class $X:", "for $A in $B:"] {
        let selector = cst::selector::Selector::parse(&format!(":like(\"{pattern}\")")).unwrap();
        let python = cst::language::Language::named("python").unwrap();
        let error = cst::selector::Query::new(&selector, python, &cst::selector::Definitions::default()).unwrap_err();
        assert!(error.message.contains("a body is missing"), "{pattern}: {}", error.message);
    }
}

#[test]
fn patterns_read_strings_and_commas_as_people_do() {
    check("f(\"a\")\nf('a')\nf('b')\n", ":like(\"f('a')\")", "1 f(\"a\")\n2 f('a')");
    check("f(1,)\nf(1)\n", ":like(\"f(1)\")", "1 f(1,)\n2 f(1)");
    check("f(b'a')\nf('a')\n", ":like(\"f('a')\")", "2 f('a')");
    check("(1,)\n(1)\n", ":like(\"(1,)\")", "1 (1,)");
}

#[test]
fn the_innermost_node_that_is_the_code_is_found() {
    check("f(1)\n", ":like(\"f(1)\")", "1 f(1)");
    check("x = 1\n", ":like(\"$A = $B\")", "1 x = 1");
    check("return x\n", ":like(\"return $X\")", "1 return x");
    check("try:\n  f()\nexcept E: pass\n", ":like(\"except E: pass\")", "3 except E: pass");
    check("def f(a: int = 1): 0\n", ":like(\"$N: int = $V\")", "1 a: int = 1");
    check("@d(1)\ndef f(): 0\n", ":like(\"@d($X)\")", "1 @d(1)");
}

#[test]
fn patterns_go_with_everything_else() {
    let source =
        "class Api:\n  def f(self):\n    self.get(1)\n    try: self.put(2)\n    except E: 0\n    other.get(3)\n";
    check(source, "class#Api :like(\"self.$M($$$A)\"):not(:in(try))", "3 self.get(1)");
    check("f('a')\nf(b)\n", ":like(\"f($X)\")[$X.kind=\"string\"]", "1 f('a')");
    check("f('a')\nf(b)\n", "call:not(:like(\"f('a')\"))", "2 f(b)");
    check_error("call:like(\"f((\")", "bad_pattern", "\"f((\"", "");
}
