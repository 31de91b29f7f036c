//! Names of arguments, what decorators do with the names of what they get, and what PHP's closures and enums have.

use serde_json::json;

use crate::refactored::{check, refused};

/// In a program of one file, the rename at a place gives the text in which each `old` that stands for it is `zebra`.
#[track_caller]
fn renamed(text: &str, place: &str, expected: &str) {
    check(
        &[("a.py", text)],
        &json!({"kind": "rename", "symbol": format!("a.py:{place}"), "to": "zebra"}),
        &[("a.py", expected)],
    );
}

#[track_caller]
fn uncertain(text: &str, place: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("a.py:{place}"), "to": "zebra"});
    let (error, places) = refused(&[("a.py", text)], &rename);
    assert_eq!(error, "undetermined", "{places:?}");
}

#[test]
fn a_decorator_that_calls_or_keeps_a_function_does_not_use_its_name() {
    for decorator in [
        "mark = None\n@(lambda f: lambda *a, **k: sum(f(*a, **k)))\n",
        "import functools\ndef mark(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n        return f(*a, **k)\n    return inner\n@mark\n",
        "reg = []\ndef mark(f):\n    reg.append(f)\n    return f\n@mark\n",
        "def mark(c):\n    c.extra = 1\n    return c\n@mark\n",
        "reg = {}\ndef mark(n):\n    def inner(f):\n        reg[n] = f\n        return f\n    return inner\n@mark(1)\n",
    ] {
        let text = format!("{decorator}def cat(dog=3):\n    yield dog\nprint(cat())\n");
        let line = text.lines().count() - 2;
        renamed(&text, &format!("{line}:5"), &text.replace("cat(", "zebra("));
    }
    for decorator in [
        "reg = {}\ndef mark(f):\n    reg[f.__name__] = f\n    return f\n@mark\n",
        "def mark(f):\n    register(f)\n    return f\n@mark\n",
        "import other\n@other.mark\n",
        "@(lambda f: print(f.__qualname__))\n",
        "def mark(f):\n    g = f\n    return g\n@mark\n",
    ] {
        let text = format!("{decorator}def cat(dog=3):\n    yield dog\nprint(cat())\n");
        uncertain(&text, &format!("{}:5", text.lines().count() - 2));
    }
    // What is kept may be called with arguments by their names.
    uncertain(
        "reg = []\ndef mark(f):\n    reg.append(f)\n    return f\n@mark\ndef cat(dog=3):\n    return dog\nfor f in reg:\n    f(dog=4)\n",
        "6:9",
    );
    uncertain("def mark(f):\n    return lambda: f(dog=3)\n@mark\ndef cat(dog=3):\n    return dog\ncat()\n", "4:9");
    uncertain(
        "def mark(f):\n    return lambda **k: f(**k)\n@mark\ndef cat(dog=3):\n    return dog\ncat(dog=2)\n",
        "4:9",
    );
}

#[test]
fn a_function_without_a_name_that_is_called_where_it_is() {
    let text = "import asyncio\n@(lambda f: lambda *a, **k: asyncio.run(f(*a, **k)))\nasync def ant(dog=1):\n    return dog\nprint((lambda bee, dog=2: dog)(4, dog=ant()))\nprint(sum(map(lambda dog: dog + 1, [ant()])))\nprint(sorted([3, 2], key=lambda dog: -dog))\n";
    renamed(text, "5:20", &text.replace("(lambda bee, dog=2: dog)(4, dog=", "(lambda bee, zebra=2: zebra)(4, zebra="));
    renamed(text, "6:22", &text.replace("lambda dog: dog + 1", "lambda zebra: zebra + 1"));
    renamed(text, "7:33", &text.replace("lambda dog: -dog", "lambda zebra: -zebra"));
    uncertain("def run(k):\n    return (lambda dog=2: dog)(**k)\nrun({\"dog\": 3})\n", "2:20");
}

#[test]
fn a_function_without_a_name_is_known_by_what_it_is_bound_to() {
    let text = "cat = 1\ntry:\n    pass\nexcept ValueError as dog:\n    pass\ndog = lambda dog, gnu=cat: dog + gnu\n";
    let main = "from lib import *\nprint(dog(dog=1, gnu=2))\n";
    let files = [("core.py", text), ("lib.py", "from core import *\n"), ("main.py", main)];
    let rename = json!({"kind": "rename", "symbol": "core.py:6:14", "to": "zebra"});
    check(
        &files,
        &rename,
        &[
            ("core.py", &text.replace("lambda dog, gnu=cat: dog", "lambda zebra, gnu=cat: zebra")),
            ("main.py", &main.replace("dog=1", "zebra=1")),
        ],
    );
}

#[test]
fn arguments_that_are_passed_on_may_come_to_a_function_without_a_name() {
    let pass = "def call(func, *args, **kwargs):\n    return func(*args, **kwargs)\ndef fill(func, table):\n    return func(**table)\n";
    for call in ["call(fs, dog=1)", "fill(fs, {\"dog\": 1})", "fill(fs, dict(dog=1))"] {
        let text = format!("from b import call, fill\nfs = lambda cat, dog=2: dog\nprint({call})\n");
        let (error, places) = refused(
            &[("a.py", &text), ("b.py", pass)],
            &json!({"kind": "rename", "symbol": "a.py:2:18", "to": "zebra"}),
        );
        assert_eq!(error, "undetermined", "{call}: {places:?}");
        let text = text.replace("fs = lambda cat, dog=2: dog", "def fs(cat, dog=2): return dog");
        let (error, places) = refused(
            &[("a.py", &text), ("b.py", pass)],
            &json!({"kind": "rename", "symbol": "a.py:2:13", "to": "zebra"}),
        );
        assert_eq!(error, "undetermined", "{call}: {places:?}");
    }
    // What passes them on has no name of an argument itself.
    let text = format!("{pass}print(call(fs, 1))\n")
        .replace("def call", "fs = [lambda cat: cat, lambda **rest: rest]\ndef call");
    let text = format!("\n{text}").replace("def fill(func, table):\n    return func(**table)\n", "");
    let rename = json!({"kind": "rename", "symbol": "a.py:2:14", "to": "zebra"});
    check(&[("a.py", &text)], &rename, &[("a.py", &text.replace("lambda cat: cat", "lambda zebra: zebra"))]);
}

#[test]
fn where_arguments_have_no_names_no_base_knows_those_of_parameters() {
    let rust = "struct B(u8);\nimpl core::ops::BitOr for B {\n    type Output = B;\n    fn bitor(self, other: B) -> B { B(self.0 | other.0) }\n}\n";
    let java = "class P implements Comparable<P> {\n    int n;\n    public int compareTo(P other) { return n - other.n; }\n}\n";
    for (path, text, place, method) in [("a.rs", rust, "4:20", "4:8"), ("P.java", java, "3:28", "3:16")] {
        let rename = |place: &str| json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "zebra"});
        check(&[(path, text)], &rename(place), &[(path, &text.replace("other", "zebra"))]);
        assert_eq!(refused(&[(path, text)], &rename(method)).0, "undetermined");
    }
    let kotlin =
        "class P(val n: Int) : Comparable<P> {\n    override fun compareTo(other: P): Int { return n - other.n }\n}\n";
    assert_eq!(
        refused(&[("P.kt", kotlin)], &json!({"kind": "rename", "symbol": "P.kt:2:28", "to": "zebra"})).0,
        "undetermined"
    );
}

#[test]
fn a_table_that_is_made_names_no_argument() {
    let text = "def fox(cat, dog=2):\n    return cat + dog\nprint(dict(cat=fox(1), dog=3)[\"cat\"], fox(2))\n";
    renamed(text, "1:9", &text.replace("fox(cat, dog=2)", "fox(zebra, dog=2)").replace("return cat", "return zebra"));
    uncertain("def fox(cat, dog=2):\n    return cat + dog\nd = dict(cat=1, dog=3)\nprint(fox(**d))\n", "1:9");
    // A function that is passed to another one may be called by it.
    uncertain("import other\ndef fox(cat, dog=2):\n    return cat + dog\nprint(other.call(fox, cat=1))\n", "2:9");
}

#[test]
fn an_object_with_all_members_of_a_protocol_may_stand_for_it() {
    let text = "from typing import Protocol\nclass Elk(Protocol):\n    cat: int\n    def fox(self) -> int: ...\nclass Made:\n    def __init__(self):\n        self.cat = 7\n    def fox(self):\n        return self.cat + 2\ndef read(elk: Elk):\n    return elk.cat + elk.fox()\nprint(read(Made()))\n";
    uncertain(text, "4:9");
    uncertain(text, "11:26");
    uncertain(text, "8:9");
    let text = text.replace("self.cat", "self.gnu");
    renamed(&text, "8:9", &text.replace("def fox(self):", "def zebra(self):"));
}

#[test]
fn functions_are_asked_for_the_names_of_their_parameters() {
    let text = "from inspect import signature\ndef fox(cat, dog=2):\n    return cat + dog\nassert list(signature(fox).parameters) == [\"cat\", \"dog\"]\n";
    uncertain(text, "2:9");
    // Another function is asked.
    let text =
        text.replace("signature(fox).parameters) == [\"cat\", \"dog\"]", "signature(print).parameters) == [\"cats\"]");
    renamed(&text, "2:9", &text.replace("fox(cat", "fox(zebra").replace("return cat", "return zebra"));
}

/// The same for a program of PHP.
#[track_caller]
fn renamed_php(text: &str, place: &str, expected: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("a.php:{place}"), "to": "zebra"});
    check(&[("a.php", text)], &rename, &[("a.php", expected)]);
}

#[test]
fn a_closure_uses_variables_of_the_function_around() {
    let text = "<?php\nfunction elk(int $fox) {\n    $ant = 3;\n    $g = function($cat) use (&$fox, $ant) { $ant = 4; return $fox + $ant; };\n    return $g(2) + $fox + $ant;\n}\nclass fox { const ant = 1; }\nfunction fox() { return fox::ant; }\necho elk(fox());\n";
    renamed_php(text, "2:19", &text.replace("$fox", "$zebra"));
    renamed_php(text, "3:6", &text.replace("$ant", "$zebra"));
    renamed_php(text, "7:7", &text.replace("class fox", "class zebra").replace("fox::", "zebra::"));
    renamed_php(text, "8:10", &text.replace("fox()", "zebra()"));
    let text = "<?php\n$cat = 1;\nfunction cat() { global $cat; return $cat; }\necho cat();\n";
    renamed_php(text, "3:10", &text.replace("cat()", "zebra()"));
}

#[test]
fn the_case_of_an_enum_is_an_object_of_it() {
    let text = "<?php\nenum elk: int { case gnu = 1; case fox = 2; function dog() { return $this->value; } }\nclass cat { function dog() { return 2; } function fox() { return 3; } }\necho elk::gnu->dog() + (new cat())->dog() + (new cat())->fox() + elk::fox->dog();\n";
    renamed_php(
        text,
        "2:54",
        &text
            .replace("fox = 2; function dog", "fox = 2; function zebra")
            .replace("gnu->dog", "gnu->zebra")
            .replace("elk::fox->dog", "elk::fox->zebra"),
    );
    renamed_php(
        text,
        "3:22",
        &text.replace("cat { function dog", "cat { function zebra").replace("())->dog", "())->zebra"),
    );
}

#[test]
fn a_name_of_a_variable_is_none_of_a_function() {
    let text = "<?php\nfunction cat($dog) { return ${'dog'} + compact('dog')['dog']; }\nfunction dog() { return 1; }\necho cat(dog());\n";
    renamed_php(text, "3:10", &text.replace("dog()", "zebra()"));
}

#[test]
fn members_of_type_parameters_are_those_of_their_bounds() {
    let before = "trait HasN { const N: usize; fn make() -> usize; }
struct A;
impl HasN for A { const N: usize = 3; fn make() -> usize { 4 } }
fn f<T: HasN>() -> usize { <T as HasN>::N + T::N + T::make() + <T as HasN>::make() + <A as HasN>::N }
fn h<U: other::HasM>() -> usize { U::M + <U as other::HasM>::M }
mod other { pub trait HasM { const M: usize = 1; } }
";
    let renamed = |symbol: &str, to: &str, after: &str| {
        let params = serde_json::json!({"kind": "rename", "symbol": symbol, "to": to});
        crate::refactored::check(&[("a.rs", before)], &params, &[("a.rs", after)]);
    };
    renamed("HasN.N", "COUNT", &before.replace(" N: ", " COUNT: ").replace("::N ", "::COUNT "));
    renamed("HasN.make", "build", &before.replace("make", "build"));
    renamed("HasM.M", "COUNT", &before.replace(" M: ", " COUNT: ").replace("::M ", "::COUNT "));
    // A bound from outside may have the member.
    let open = before.replace("T: HasN>", "T: HasN + Outer>");
    let params = serde_json::json!({"kind": "rename", "symbol": "HasN.N", "to": "COUNT"});
    let (code, _) = crate::refactored::refused(&[("a.rs", &open)], &params);
    assert_eq!(code, "undetermined");
}

#[test]
fn what_no_call_outside_can_name_is_renamed() {
    let head = "from collections.abc import MutableMapping\nclass Map(MutableMapping):\n";
    for (line, old) in [
        ("    def __getitem__(self, key): return key\n", "key"),
        ("    def get(self, *rest): return rest\n", "rest"),
        ("    def get(self, **named): return named\n", "named"),
        ("    def get(self, key, /): return key\n", "key"),
    ] {
        let text = format!("{head}{line}");
        let place = format!("3:{}", line.find(old).expect("it is there") + 1);
        renamed(&text, &place, &text.replace(old, "zebra"));
    }
    uncertain(&format!("{head}    def get(self, key): return key\n"), "3:19");
}

#[test]
fn what_runs_by_its_beginning_keeps_it() {
    let text = "import unittest\nclass Case(unittest.TestCase):\n    def test_one(self): pass\n";
    check(
        &[("a.py", text)],
        &json!({"kind": "rename", "symbol": "a.py:3:9", "to": "test_two"}),
        &[("a.py", &text.replace("test_one", "test_two"))],
    );
    for to in ["one", "setUp", "run"] {
        let rename = json!({"kind": "rename", "symbol": "a.py:3:9", "to": to});
        assert_eq!(refused(&[("a.py", text)], &rename).0, "undetermined", "{to}");
    }
}

#[test]
fn names_that_code_makes_of_strings_are_not_certain() {
    let class = "class A:\n    def on_load(self): return 1\n";
    for code in [
        "def fire(o, e): return getattr(o, \"_\".join((\"on\", e)))()\nprint(fire(A(), \"load\"))\n",
        "def fire(o, e): return getattr(o, e.replace(\"-\", \"_\"))()\nprint(fire(A(), \"on-load\"))\n",
        "from operator import attrgetter\nprint(attrgetter(\"on_load.__name__\")(A()))\n",
    ] {
        uncertain(&format!("{class}{code}"), "2:9");
    }
    // Strings of which it cannot be made.
    let other = format!(
        "{class}def fire(o, e): return getattr(o, e.replace(\"-\", \"_\"))()\nprint(A().on_load(), \"at once\")\n"
    );
    renamed(&other, "2:9", &other.replace("on_load", "zebra"));
    // `o.x` of an object that passes on what it does not have.
    uncertain(
        "class W:\n    def __init__(self, o): self.o = o\n    def __getattr__(self, n): return getattr(self.o, n)\nclass B:\n    def run(self): return 1\nprint(W(B()).run())\n",
        "5:9",
    );
    uncertain("import enum\nclass C(enum.Enum):\n    RED = 1\ndef parse(s): return C[s.upper()]\n", "3:5");
    uncertain("def f(count): return f\"{count=}\"\n", "1:7");
    uncertain(
        "import sys\ndef show(s): return s.format(**sys._getframe(1).f_locals)\ndef f(who): return show(\"hi {who}\")\n",
        "3:7",
    );
    uncertain(
        "def read(text):\n    fill = text[0]\n    if not fill:\n        raise ValueError(\"%r\" % text)\n    return locals()\n",
        "2:5",
    );
}

#[test]
fn a_new_name_means_the_same_where_it_is_used() {
    let text = "def helper(): return 1\nclass A:\n    def f(self): return helper()\n";
    let rename = json!({"kind": "rename", "symbol": "a.py:1:5", "to": "__help"});
    assert_eq!(refused(&[("a.py", text)], &rename).0, "undetermined");
    let text = "def helper(): return 1\nprint(helper())\n";
    check(&[("a.py", text)], &rename, &[("a.py", &text.replace("helper", "__help"))]);
}

#[test]
fn members_of_languages_that_are_not_followed_are_not_certain() {
    let head = "struct A { int v; virtual int go() { return v; } };\n";
    for rest in [
        "int main() { A a; return a.go() + a.v; }\n",
        "struct B : A { int go() override { return A::go() + A::v; } };\n",
        "int use(A *a) { return a->go() + a->v; }\n",
        "template <class T> int f(T t) { return t.go() + t.v; }\n",
    ] {
        for place in ["1:16", "1:31"] {
            let rename = json!({"kind": "rename", "symbol": format!("a.cpp:{place}"), "to": "zebra"});
            assert_eq!(refused(&[("a.cpp", &format!("{head}{rest}"))], &rename).0, "undetermined", "{rest}{place}");
        }
    }
    // A variable of a function is followed.
    let text = format!("{head}int main() {{ A a; int v = 2; return a.v + v; }}\n");
    check(
        &[("a.cpp", &text)],
        &json!({"kind": "rename", "symbol": "a.cpp:2:23", "to": "zebra"}),
        &[("a.cpp", &text.replace("int v = 2", "int zebra = 2").replace("+ v", "+ zebra"))],
    );
}
