//! Renames of what other code reaches without writing its name where it is used: arguments that are passed on, members of other objects,
//! names in macros, names that code puts together.

use serde_json::json;

use crate::refactored::{check, refused};

/// A rename changes all places of these names in a file, from `^old^` on.
#[track_caller]
fn renames(path: &str, program: &str) {
    let (text, place) = marked(program);
    let new = program.replace('^', "").replace("old", "fresh");
    let symbol = format!("{path}:{place}");
    check(&[(path, &text)], &json!({"kind": "rename", "symbol": symbol, "to": "fresh"}), &[(path, &new)]);
}

/// A rename of the name at `^` is refused for this reason.
#[track_caller]
fn refuses(path: &str, program: &str, why: &str) {
    let (text, place) = marked(program);
    let symbol = format!("{path}:{place}");
    let (code, places) = refused(&[(path, &text)], &json!({"kind": "rename", "symbol": symbol, "to": "fresh"}));
    assert!(places.iter().any(|place| place.contains(why)), "{program}: {code} {places:?}");
}

/// The program without `^`, and the place that it marks.
fn marked(program: &str) -> (String, String) {
    let at = program.find('^').expect("a mark");
    let line = program[..at].matches('\n').count() + 1;
    let col = at - program[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    (program.replace('^', ""), format!("{line}:{col}"))
}

#[test]
fn a_call_of_an_object_names_the_parameters_of_its_method() {
    renames("a.py", "class P:\n    def __call__(self, *, ^old=1):\n        return old\np = P()\nprint(p(old=3))\n");
    refuses(
        "a.py",
        "class P:\n    def __call__(self, *, ^size=1):\n        return size\ndef f(p):\n    return p(size=3)\nf(P())\n",
        "the called function is unknown",
    );
}

#[test]
fn a_keyword_is_passed_on_to_a_class_that_is_not_named() {
    let passed = "the called function may pass the argument on";
    refuses(
        "a.py",
        "class Shape:\n    def copy(self, **changes):\n        return type(self)(**changes)\nclass Square(Shape):\n    def __init__(self, ^side):\n        self.size = side\nSquare(1).copy(side=3)\n",
        passed,
    );
    refuses(
        "a.py",
        "class Shape:\n    kinds = {}\n    @classmethod\n    def make(cls, kind, **kw):\n        return cls.kinds[kind](**kw)\nclass Square(Shape):\n    def __init__(self, ^side):\n        self.size = side\nShape.make('s', side=3)\n",
        passed,
    );
    refuses(
        "a.py",
        "from dataclasses import dataclass\n@dataclass\nclass Base:\n    ^tags: int = 0\nclass Mid(Base):\n    def __init__(self, name, **rest):\n        super().__init__(**rest)\nMid('a', tags=4)\n",
        passed,
    );
    refuses(
        "a.rb",
        "class P\n  def initialize(^size: 1) = @big = size\nend\nopts = { size: 3 }\nP.new(**opts)\n",
        "may pass an argument",
    );
    // What is passed on to what is known goes nowhere else.
    renames(
        "a.py",
        "def g(**kw):\n    return kw\ndef f(**kw):\n    return g(**kw)\nclass P:\n    def __init__(self, ^old):\n        self.size = old\nprint(f(side=3), P(old=1).size)\n",
    );
}

#[test]
fn a_function_that_is_registered_gets_the_same_arguments() {
    refuses(
        "a.py",
        "from functools import singledispatch\n@singledispatch\ndef f(x, ^opt=1):\n    return opt\n@f.register\ndef _(x: int, opt=1):\n    return opt * 2\nprint(f('a', opt=3), f(1, opt=4))\n",
        "is registered here",
    );
}

#[test]
fn methods_of_every_object_access_members_by_computed_names() {
    let computed = "accesses members by a computed name";
    refuses(
        "a.py",
        "class Conf:\n    ^depth = 0\n    def __init__(self, values):\n        for key, value in values:\n            object.__setattr__(self, key, value)\nprint(Conf([('depth', 4)]).depth)\n",
        computed,
    );
    // A method that passes on the name which it got does what its caller does.
    renames(
        "a.py",
        "class Conf:\n    def __setattr__(self, name, value):\n        super().__setattr__(name, value)\n    def __init__(self):\n        self.^old = 1\nprint(Conf().old)\n",
    );
    refuses(
        "a.py",
        "class Typed:\n    def __set_name__(self, owner, name):\n        self.slot = '_' + name\n    def __get__(self, obj, owner=None):\n        return getattr(obj, self.slot)\nclass P:\n    age = Typed()\n    def __init__(self):\n        self.^_age = 3\nprint(P().age)\n",
        computed,
    );
    refuses(
        "a.rb",
        "class P\n  def method_missing(n, *a) = send(n.to_s.sub(\"get_\", \"\"))\n  def ^size = 3\nend\nputs P.new.get_size\n",
        computed,
    );
    refuses(
        "a.rb",
        "^Num = Struct.new(:v)\nclass V\n  def visit(node) = send(\"visit_#{node.class.name.downcase}\", node)\n  def visit_num(n) = n.v\nend\nputs V.new.visit(Num.new(1))\n",
        "makes the name of a member",
    );
}

#[test]
fn a_literal_shares_its_keys_with_what_is_spread_into_it() {
    renames(
        "a.mjs",
        "function get(o) {\n  const all = { ^old: 1, ...o };\n  return all.old;\n}\nconsole.log(get({ old: 3 }));\n",
    );
    renames("a.mjs", "const o = { ...f(), ^old: 1 };\nconsole.log(o.old);\nfunction f() { return {}; }\n");
    refuses(
        "a.mjs",
        "function Ctor() {}\nObject.assign(Ctor, { ^unit: 3 });\nconsole.log(Ctor.unit);\n",
        "the type of the receiver is unknown",
    );
}

#[test]
fn a_constant_is_read_by_its_path() {
    let lib = "module Calc\n  PREC = { \"*\" => 2 }.freeze\nend\n";
    let main = "require_relative \"lib\"\nputs Calc::PREC[\"*\"]\n";
    check(
        &[("lib.rb", lib), ("main.rb", main)],
        &json!({"kind": "rename", "symbol": "lib.rb:2:3", "to": "ORDER"}),
        &[("lib.rb", &lib.replace("PREC", "ORDER")), ("main.rb", &main.replace("PREC", "ORDER"))],
    );
}

#[test]
fn a_local_of_cpp_is_neither_a_member_nor_what_a_path_names() {
    let member = "struct A { int x; A(int ^old) : x(old) {} };\n";
    renames("a.cpp", member);
    for kept in [
        "struct A { int x, y; A(int ^x) : x(x), y{x} {} };\n",
        "namespace n { int x = 4; }\nint go(int ^x) { return x + n::x; }\n",
        "enum class E { x, b };\nint main() { int ^x = 1; return x + (int)E::x; }\n",
    ] {
        let (text, place) = marked(kept);
        let symbol = format!("a.cpp:{place}");
        let changed =
            crate::refactored::run(&[("a.cpp", &text)], &json!({"kind": "rename", "symbol": symbol, "to": "fresh"}));
        let changed = changed.expect("done")[0].1.clone().expect("a file");
        let is_kept = [": x(fresh), y{fresh}", "n::x", "E::x"].iter().any(|part| changed.contains(part));
        assert!(is_kept && !changed.contains("::fresh") && !changed.contains("fresh(fresh)"), "{changed}");
    }
    for shown in ["#define ADD(v) x += (v)\n", "#define SHOW(v) (#v)[v]\n"] {
        let call = if shown.contains("ADD") { "ADD(1)" } else { "SHOW(x)" };
        let program = format!("{shown}int main() {{ int ^x = 0; {call}; return x; }}\n");
        let (text, place) = marked(&program);
        let symbol = format!("a.cpp:{place}");
        refused(&[("a.cpp", &text)], &json!({"kind": "rename", "symbol": symbol, "to": "fresh"}));
    }
}

#[test]
fn a_class_without_a_name_has_what_its_type_demands() {
    refuses(
        "Main.java",
        "public class Main {\n  static Runnable r() {\n    return new Runnable() { public void ^run() {} };\n  }\n}\n",
        "`Runnable` outside of the project demands",
    );
    renames(
        "Main.java",
        "public class Main {\n  Thread t() {\n    return new Thread() { public void run() { old(); } void ^old() {} };\n  }\n}\n",
    );
}

#[test]
fn a_function_in_a_function_of_php_is_global() {
    renames("a.php", "<?php\nfunction outer() { function ^old() { return 1; } return old(); }\necho outer(), old();\n");
    refuses(
        "a.php",
        "<?php\nclass ^F { static function go($x) { return $x; } }\n$map = ['a' => 'F::go'];\necho call_user_func($map['a'], 1);\n",
        "a string",
    );
    refuses(
        "a.php",
        "<?php\nclass A { public function __construct(public int $^age) {} }\nfunction total($xs, $f) { return array_sum(array_map(fn ($x) => $x->$f, $xs)); }\necho total([new A(3)], 'age');\n",
        "a string that may name a member",
    );
}

#[test]
fn a_pattern_is_compiled_and_not_run() {
    renames("a.py", "import re\ndef find(^old, text):\n    return re.compile('a' + old).match(text)\n");
    refuses("a.py", "def run(^prefix):\n    return compile(prefix + '1', 'x', 'eval')\n", "run as code");
}

#[test]
fn a_key_that_is_a_variable_as_well_is_no_silent_nothing() {
    let program = "class Q {\n  drain() {\n    const results = [1];\n    return { results };\n  }\n}\nconst second = new Q().drain();\nconsole.log(second.results);\n";
    let params = json!({"kind": "rename", "symbol": "a.mjs:8:20", "to": "fresh"});
    let error = crate::refactored::run(&[("a.mjs", program)], &params).expect_err("refused");
    assert_eq!(error["error"]["code"], "undetermined", "{error:#}");
}
