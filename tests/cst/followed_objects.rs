//! Objects that are followed from where they are made: where they do not go, a name cannot mean their member.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": "zebra"})
}

/// A rename of what is at a place is certain, and changes this text only.
#[track_caller]
fn certain(path: &str, text: &str, place: &str, from: &str, to: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "zebra"});
    check(&[(path, text)], &rename, &[(path, &text.replace(from, to))]);
}

#[track_caller]
fn uncertain(path: &str, text: &str, place: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("{path}:{place}"), "to": "zebra"});
    let (code, places) = refused(&[(path, text)], &rename);
    assert_eq!(code, "undetermined", "{text}: {places:?}");
}

/// Code in which a name may be a member of any object.
const OTHERS: &str = "function run({ fox }, o) { return fox + o.fox + o[\"fox\"] + (\"fox\" in o); }
try { run(); } catch ({ fox }) { run(fox); }
";

/// The line and the column of a text.
fn place_of(text: &str, part: &str) -> String {
    let at = text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    format!("{}:{}", line + 1, at - start + 1)
}

#[test]
fn a_literal_that_goes_nowhere_is_read_only_where_it_stands() {
    for own in [
        "console.log(({ fox: 1, dog: 2 }).fox);\n",
        "const a = { fox: 1 };\nconst b = a;\nif (a || !b) console.log(b.fox);\n",
        "const { fox: q } = { fox: 1 };\nconsole.log(q);\n",
        "const f = () => ({ fox: 1 });\nf();\n",
        "const a = { fox: 1, get() { return this.fox; } };\nconsole.log(a.get());\n",
        "let a = { fox: 1 };\n[1].map(() => a.fox++);\n",
        "const a = Object.freeze({ fox: 1 });\n",
    ] {
        let text = format!("{own}{OTHERS}");
        let from = own.replace("fox", "zebra");
        certain("a.mjs", &text, &place_of(own, "fox: 1"), own, &from);
    }
    // Where it is read, it may be another one: that place is asked for, and no other.
    for own in [
        "for (const { fox: q } of [{ fox: 1 }]) console.log(q);\n",
        "const x = (({ fox: q }) => q)({ fox: 1 });\n",
        "function f(o = null) { return o?.fox; }\nconsole.log(f({ fox: 1 }));\n",
        "async function f() { return { fox: 1 }; }\nconsole.log((await f()).fox);\n",
        "class C { constructor(o) { this.n = o.fox; } }\nconsole.log(new C({ fox: 1 }).n);\n",
        "console.log({ ...{ fox: 1 } }.fox);\n",
        "const { a: { fox: q } } = { a: { fox: 1 } };\nconsole.log(q);\n",
    ] {
        let text = format!("{own}{OTHERS}");
        let symbol = format!("a.mjs:{}", place_of(own, "fox: 1"));
        let rename = json!({"kind": "rename", "symbol": symbol, "to": "zebra"});
        let places = match crate::refactored::run(&[("a.mjs", &text)], &rename) {
            Ok(changed) => {
                assert_eq!(changed[0].1.as_deref(), Some(&*text.replace(own, &own.replace("fox", "zebra"))), "{own}");
                continue;
            }
            Err(error) => error["error"]["places"].as_array().cloned().unwrap_or_default(),
        };
        let lines = own.lines().count() as u64;
        assert!(
            places.iter().all(|place| place["line"].as_u64().is_some_and(|line| line <= lines)),
            "{own}: {places:?}"
        );
    }
}

#[test]
fn a_literal_that_goes_elsewhere_may_be_read_anywhere() {
    for own in [
        "run({ fox: 1 }, 2);\n",
        "const a = { fox: 1 };\nunknown(a);\n",
        "export default { fox: 1 };\n",
        "const a = { fox: 1 };\nexport { a as default };\nmodule.exports = { a };\n",
        "const list = [{ fox: 1 }];\n",
        "const o = { in: { fox: 1 } };\nrun(o.in, 1);\n",
        "throw { fox: 1 };\n",
        "function f() { return { fox: 1 }; }\n[1].map(f);\n",
        "class C { m() { return { fox: 1 }; } }\n",
        "function* f() { yield { fox: 1 }; }\n",
        "let a;\na.b = { fox: 1 };\n",
        "tag`${{ fox: 1 }}`;\n",
        "const a = { fox: 1, get: other };\na.get();\n",
        "const a = { fox: 1, get: function () { return this; } };\na.get();\n",
        "function f() { return g(arguments); }\nf({ fox: 1 });\n",
        "function f(...all) { return g(all); }\nf({ fox: 1 });\n",
        "const { ...rest } = { fox: 1 };\ng(rest);\n",
        "g({ ...{ fox: 1 } });\n",
        "async function f() { return { fox: 1 }; }\nf().then(run);\n",
    ] {
        let text = format!("{own}{OTHERS}");
        uncertain("a.mjs", &text, &place_of(own, "fox: 1"));
    }
}

#[test]
fn an_instance_that_goes_nowhere_is_read_only_where_it_is_made() {
    for own in [
        "class A { fox = 1; get() { return this.fox; } }\nconsole.log(new A().fox + new A().get());\n",
        "const A = class { fox = 1; };\nconst a = new A();\nconsole.log(a.fox);\n",
        "class A { constructor() { this.fox = 1; } }\nclass B extends A { n() { return super.n + this.fox; } }\nconsole.log(new B().n());\n",
        "class A { fox = 1; n() { return this.fox; } }\nconsole.log(A.prototype.n.call(new A()) + (new A() instanceof A));\n",
        "class A { static fox = 1; }\nconsole.log(A.fox);\n",
    ] {
        let text = format!("{own}{OTHERS}");
        certain("a.mjs", &text, &place_of(own, "fox = 1"), own, &own.replace("fox", "zebra"));
    }
    for own in [
        "class A { fox = 1; get() { return this; } }\nrun(new A().get());\n",
        "class A { fox = 1; get() { run(this); } }\n",
        "class A { fox = 1; }\nrun(new A());\n",
        "class A { fox = 1; }\nmake(A);\n",
        "class A { fox = 1; }\nA.prototype.m = function () { return run(this); };\n",
        "class A { fox = 1; }\nconst list = [A];\n",
        "class A extends Outside { fox = 1; }\n",
        "@register class A { fox = 1; }\n",
        "class A { fox = 1; m() { return new new.target(); } }\n",
        "class A { fox = 1; }\nclass B extends mix(A) {}\n",
        "class A { fox = 1; static make() { return new this(); } }\nrun(A.make());\n",
    ] {
        let text = format!("{own}{OTHERS}");
        uncertain("a.mjs", &text, &place_of(own, "fox = 1"));
    }
}

#[test]
fn an_object_of_a_module_is_followed_to_other_files() {
    let module = "export const a = { fox: 1 };\n";
    let main = "import * as m from \"./m.mjs\";\nconsole.log(m.a.fox);\n";
    let other = "import { a as b } from \"./m.mjs\";\nconsole.log(b.fox);\n";
    let rename = json!({"kind": "rename", "symbol": "m.mjs:1:20", "to": "zebra"});
    let renamed = |text: &str| text.replace("fox", "zebra");
    let main_text = format!("{main}{OTHERS}");
    check(
        &[("m.mjs", module), ("main.mjs", &main_text), ("other.mjs", other)],
        &rename,
        &[
            ("m.mjs", &renamed(module)),
            ("main.mjs", &format!("{}{OTHERS}", renamed(main))),
            ("other.mjs", &renamed(other)),
        ],
    );
    for use_of_it in ["run(m);", "run(m[\"a\"]);", "run(m[key]);", "unknown(b);", "import(\"./m.mjs\").then(run);"] {
        let text =
            format!("{OTHERS}import * as m from \"./m.mjs\";\nimport {{ a as b }} from \"./m.mjs\";\n{use_of_it}\n");
        let (code, places) = refused(&[("m.mjs", module), ("main.mjs", &text)], &rename);
        assert_eq!(code, "undetermined", "{use_of_it}: {places:?}");
    }
    // Through a module that exports what it has.
    let through = "export * from \"./m.mjs\";\n";
    let text = format!("{OTHERS}import * as all from \"./n.mjs\";\nrun(all[\"a\"]);\n");
    let (code, _) = refused(&[("m.mjs", module), ("n.mjs", through), ("main.mjs", &text)], &rename);
    assert_eq!(code, "undetermined");
}

#[test]
fn a_module_that_is_an_object_may_be_any() {
    let module = "export function fox() { return 1; }\n";
    for main in [
        "import * as ant from \"./lib.mjs\";\nfunction f(x) { return x.fox(); }\nf(ant);\n",
        "import * as ant from \"./lib.mjs\";\nfunction f(x) { return x.fox(); }\nf(load());\nexport { ant };\n",
        "export * as ant from \"./lib.mjs\";\nexport function f(x) { return x.fox(); }\n",
    ] {
        let rename = json!({"kind": "rename", "symbol": "lib.mjs:1:17", "to": "zebra"});
        let (code, _) = refused(&[("lib.mjs", module), ("main.mjs", main)], &rename);
        assert_eq!(code, "undetermined", "{main}");
    }
}

#[test]
fn a_namespace_can_be_named_by_a_string() {
    let module = "export namespace gnu {\n    export const fox = 6;\n}\n";
    let main = "import * as dog from \"./mod\";\nconsole.log(dog.gnu.fox);\n";
    let rename = json!({"kind": "rename", "symbol": "mod.ts:2:18", "to": "zebra"});
    check(
        &[("mod.ts", module), ("main.ts", main)],
        &rename,
        &[("main.ts", &main.replace("fox", "zebra")), ("mod.ts", &module.replace("fox", "zebra"))],
    );
    let main = format!("{main}console.log(dog[\"gnu\"].fox);\n");
    check(
        &[("mod.ts", module), ("main.ts", &main)],
        &rename,
        &[("main.ts", &main.replace("fox", "zebra")), ("mod.ts", &module.replace("fox", "zebra"))],
    );
    let main = format!("{main}console.log(dog[key].fox);\n");
    let (code, _) = refused(&[("mod.ts", module), ("main.ts", &main)], &rename);
    assert_eq!(code, "undetermined");
}

#[test]
fn a_type_can_only_be_that_of_an_object_which_meets_it() {
    let types = "interface T { fox: number; }\nexport function show(t: T, { fox }: { fox: number }) { return t.fox + fox; }\nenum E { fox = 3 }\nconsole.log(E.fox);\n";
    for own in [
        "console.log(({ fox: 1 }).fox);\n",
        "const a = { fox: 1, dog: 2 } as const;\nconsole.log(a.fox);\n",
        "class A { fox = 1; }\nconsole.log(new A().fox);\n",
    ] {
        let text = format!("{own}{types}");
        certain("a.ts", &text, &place_of(own, "fox"), own, &own.replace("fox", "zebra"));
    }
    for own in [
        "show({ fox: 1 }, { fox: 2 });\n",
        "const a: T = { fox: 1 };\n",
        "const a = { fox: 1 };\nlet b: typeof a;\n",
        "const a = { fox: 1 } satisfies T;\n",
        "function f(): T { return { fox: 1 }; }\n",
        "class A { fox = 1; }\nexport function g(a: A) { return a; }\n",
        "class A implements T { fox = 1; }\n",
        "const a = { fox: 1 } as T;\n",
    ] {
        let text = format!("{own}{types}");
        let symbol = format!("a.ts:{}", place_of(own, "fox"));
        let rename = json!({"kind": "rename", "symbol": symbol, "to": "zebra"});
        match crate::refactored::run(&[("a.ts", &text)], &rename) {
            // With the type.
            Ok(changed) => assert!(
                changed.iter().any(|(_, text)| text.as_ref().is_some_and(|text| text.contains("interface T { zebra"))),
                "{own}"
            ),
            Err(error) => assert_eq!(error["error"]["code"], "undetermined", "{own}"),
        }
    }
}

#[test]
fn names_that_are_shown_are_no_longer_free() {
    for own in [
        "console.log({ fox: 1 });\n",
        "const a = { fox: 1 };\nconsole.log(JSON.stringify(a));\n",
        "class A { fox = 1; }\nconsole.log(new A());\n",
        "const a = { fox: 1 };\nfor (const k in a) console.log(k);\n",
        "const a = { fox: 1 };\nconsole.log(Object.keys(a).join());\n",
    ] {
        uncertain("a.mjs", own, &place_of(own, "fox"));
    }
    for own in [
        "const a = { fox: 1 };\nconsole.log(Object.keys(a).length + a.fox);\n",
        "class A { fox() { return 1; } }\nconst a = new A();\nconsole.log(a, a.fox());\n",
    ] {
        certain("a.mjs", own, &place_of(own, "fox"), "fox", "zebra");
    }
}

#[test]
fn members_of_an_enumeration_are_its_objects() {
    let color = "class Color(Enum):
    RED = (255, 0)
    BLUE = make()
    def mix(self, other):
        return self.RED.mix(other)
    @property
    def sum(self):
        return 1
";
    let uses = "print(Color.RED.mix(Color.BLUE), Color.BLUE.mix(1), Color.RED.sum, Color.RED.BLUE.sum)\n";
    for head in ["from enum import Enum\n", "import enum\nclass Enum(str, enum.Enum):\n    pass\n"] {
        let text = format!("{head}{color}{uses}");
        certain("a.py", &text, &place_of(&text, "mix(self"), "mix", "zebra");
        certain("a.py", &text, &place_of(&text, "sum(self"), "sum", "zebra");
    }
    // What a method assigns is no member of the enumeration.
    let text = "from enum import Enum\nclass Mass:\n    def kg(self):\n        return 1\nclass Planet(Enum):\n    EARTH = 1\n    def __init__(self, n):\n        self.mass = Mass()\nprint(Planet.EARTH.mass.kg())\n";
    certain("a.py", text, &place_of(text, "kg(self"), "kg", "zebra");
    // The class of another value with such a method is not meant.
    let text = format!(
        "from enum import Enum\nclass make:\n    def mix(self):\n        pass\n{color}Color.BLUE.mix(1)\nmake().mix()\n"
    );
    let rename = json!({"kind": "rename", "symbol": "a.py:3:9", "to": "zebra"});
    let after = text.replace("def mix(self):", "def zebra(self):").replace("make().mix()", "make().zebra()");
    check(&[("a.py", &text)], &rename, &[("a.py", &after)]);
}

#[test]
fn what_a_descriptor_gives_is_its_own_business() {
    let class = "class Lazy:
    def __get__(self, owner, kind):
        return Other()
    def run(self):
        return 1
class Other:
    def run(self):
        return 2
class Page:
    lazy = Lazy()
";
    let text = format!("{class}print(Page().lazy.run(), Lazy().run())\n");
    asked(&text, &place_of(&text, "run"), "11");
    // An object of a framework's class, in a class of a framework.
    let text = "from web import Field, Model
class Own(Field):
    def run(self):
        return 1
class Page(Model):
    own = Own()
print(Page().own.run())
";
    asked(text, "3:9", "7");
}

/// A rename is refused, because of a place.
#[track_caller]
fn asked(text: &str, symbol: &str, place: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("a.py:{symbol}"), "to": "zebra"});
    let (_, places) = refused(&[("a.py", text)], &rename);
    assert!(places.iter().any(|known| known.contains(&format!("a.py:{place} "))), "{places:?}");
}

#[test]
fn a_call_of_a_class_may_give_another_object() {
    let tail = "class A{}:
    def run(self):
        return 1
class B:
    def run(self):
        return 2
{}
print(A().run())
";
    let with =
        |head: &str, base: &str, rest: &str| format!("{head}{}", tail.replacen("{}", base, 1).replacen("{}", rest, 1));
    // These give objects of the class, and nothing else.
    for text in [
        with("", "", ""),
        with("def keep(c):\n    c.seen = 1\n    return c\n@keep\n", "", ""),
        with("class M(type):\n    pass\n", "(metaclass=M)", ""),
        with("", "", "").replace(
            "        return 1\n",
            "        return 1\n    def __new__(cls):\n        cls.one = super().__new__(cls)\n        return cls.one\n",
        ),
    ] {
        let place = place_of(&text, "def run");
        let place = place.replace(":5", ":9");
        let after = text.replacen("def run", "def zebra", 1).replace("A().run", "A().zebra");
        let rename = json!({"kind": "rename", "symbol": format!("a.py:{place}"), "to": "zebra"});
        check(&[("a.py", &text)], &rename, &[("a.py", &after)]);
    }
    for text in [
        with("def swap(c):\n    return B\n@swap\n", "", ""),
        with(
            "class Keep:\n    def __init__(self, c):\n        pass\n    def __call__(self):\n        return B()\n@Keep\n",
            "",
            "",
        ),
        with("class M(type):\n    def __call__(cls):\n        return B()\n", "(metaclass=M)", ""),
        with("", "", "").replace("        return 1\n", "        return 1\n    def __new__(cls):\n        return B()\n"),
        with("", "", "").replace(
            "        return 1\n",
            "        return 1\n    def __new__(cls):\n        return B() if cls else super().__new__(cls)\n",
        ),
        with("", "", "")
            .replace("        return 1\n", "        return 1\n    def __init__(self):\n        self.__class__ = B\n"),
    ] {
        let line = text.lines().position(|line| line == "print(A().run())").unwrap() + 1;
        let place = place_of(&text, "    def run(self):\n        return 2").replace(":1", ":9");
        asked(&text, &place, &line.to_string());
    }
    let text = "class A { run() { return 1; } constructor() { return new B(); } }
class B { run() { return 2; } }
console.log(new A().run());
";
    let rename = json!({"kind": "rename", "symbol": "a.mjs:2:11", "to": "zebra"});
    let (_, places) = refused(&[("a.mjs", text)], &rename);
    assert!(places.iter().any(|known| known.contains("a.mjs:3 ")), "{places:?}");
}

#[test]
fn an_object_stays_what_it_is_where_its_attributes_are_assigned() {
    for (file, text) in [
        (
            "a.py",
            "class K:\n    def __init__(self):\n        self.w = 1\n    def area(self):\n        return self.w\n\n\nk = K()\nk.w = 2\nk.w += 1\nk.t = [1]\nk.t[0] = 3\nprint(k.area())\n",
        ),
        (
            "a.mjs",
            "class K { constructor() { this.w = 1; } area() { return this.w; } }\nconst k = new K();\nk.w = 2;\nk.w += 1;\nk.t = [1];\nk.t[0] = 3;\nconsole.log(k.area());\n",
        ),
    ] {
        check(&[(file, text)], &rename("K.area"), &[(file, &text.replace("area", "zebra"))]);
    }
    // Another object, in each form in which a variable gets one.
    for change in [
        "k = L()",
        "k, j = L(), 1",
        "[k, j] = L(), 1",
        "(k) = L()",
        "for k in [L()]: pass",
        "for (k, j) in [(L(), 1)]: pass",
    ] {
        let text = format!(
            "class K:\n    def area(self):\n        return 1\n\n\nclass L:\n    def area(self):\n        return 2\n\n\nk = K()\n{change}\nprint(k.area())\n"
        );
        let (code, _) = refused(&[("a.py", &text)], &rename("K.area"));
        assert_eq!(code, "undetermined", "{change}");
    }
    for change in [
        "k = new L();",
        "[k] = [new L()];",
        "({ k } = { k: new L() });",
        "({ a: k } = { a: new L() });",
        "(k) = new L();",
        "[k = 1] = [];",
        "for (k of [new L()]);",
    ] {
        let text = format!(
            "class K {{ area() {{ return 1; }} }}\nclass L {{ area() {{ return 2; }} }}\nlet k = new K();\n{change}\nconsole.log(k.area());\n"
        );
        let (code, _) = refused(&[("a.mjs", &text)], &rename("K.area"));
        assert_eq!(code, "undetermined", "{change}");
    }
}

#[test]
fn an_alias_of_a_type_is_that_type() {
    for (file, text) in [
        (
            "a.ts",
            "class Builder {\n  parts: string[] = [];\n  add(p: string): this { this.parts.push(p); return this; }\n}\ntype B = Builder;\ntype C = Readonly<B>;\nexport function f(b: B, c: C | null) { b.add('x').add('y'); c!.add('z'); }\n",
        ),
        (
            "a.go",
            "package a\n\ntype Builder struct{}\n\nfunc (b Builder) add() {}\n\ntype B = Builder\n\nfunc f(b B) { b.add() }\n",
        ),
        (
            "a.rs",
            "struct Builder;\nimpl Builder {\n    fn add(&self) {}\n}\ntype B = Builder;\nfn f(b: &B) {\n    b.add();\n}\n",
        ),
        (
            "a.kt",
            "class Builder {\n    fun add() {\n    }\n}\n\ntypealias B = Builder\n\nfun f(b: B) {\n    b.add()\n}\n",
        ),
        (
            "a.py",
            "class Builder:\n    def add(self):\n        return self\n\n\nB = Builder\n\n\ndef f(b: B):\n    b.add().add()\n",
        ),
    ] {
        check(&[(file, text)], &rename("Builder.add"), &[(file, &text.replace("add(", "zebra("))]);
    }
}

#[test]
fn a_key_of_what_a_module_exports_is_a_symbol() {
    let library = "function combine(a, b) { return a + b; }\nmodule.exports = { combine: combine };\n";
    let user = "const utils = require('./u');\nconsole.log(utils.combine(1, 2));\nconst { combine: own } = require('./u');\nown(1, 2);\n";
    let files = [("u.js", library), ("main.js", user)];
    let new = (user.replace("combine", "zebra"), library.replace("{ combine:", "{ zebra:"));
    check(&files, &rename("u.js::module.exports.combine"), &[("main.js", &new.0), ("u.js", &new.1)]);
    let new = library.replace("function combine", "function zebra").replace(": combine", ": zebra");
    check(&files, &rename("u.js::combine"), &[("u.js", &new)]);
}

#[test]
fn an_argument_of_a_class_is_no_base() {
    let text = "from typing import TypedDict\n\n\nclass T(TypedDict, total=False):\n    name: str\n";
    check(&[("a.py", text)], &rename("T.name"), &[("a.py", &text.replace("name", "zebra"))]);
}

#[test]
fn what_is_not_known_may_read_the_keys_of_an_object_that_it_gets() {
    let codes = [
        "import lib from 'outside';\nlib.register({ run() {} });\n",
        "import lib from 'outside';\nlib.register({ inner: { run: 1 } });\n",
        "import lib from 'outside';\nconst o = { run() {} };\nlib.register(o);\n",
        "import { Made } from 'outside';\nnew Made({ run: () => 1 });\n",
        "const o = {};\nObject.defineProperty(o, 'x', { enumerable: true, run() {} });\n",
        "export function f(o) {\n  o({ run() {} });\n}\n",
    ];
    for code in codes {
        let at = code.find("run").unwrap();
        let line = code[..at].matches('\n').count() + 1;
        let column = at - code[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
        for path in ["a.js", "a.ts"] {
            let place = format!("{path}:{line}:{column}");
            let rename = json!({"kind": "rename", "symbol": place, "to": "go"});
            assert_eq!(refused(&[(path, code)], &rename).0, "undetermined", "{code}");
        }
    }
    let kept = "const o = { run() {} };\no.run();\nconst list = [];\nlist.push({ other: 1 });\n";
    let renamed = kept.replace("run", "go");
    check(&[("a.js", kept)], &json!({"kind": "rename", "symbol": "a.js:1:13", "to": "go"}), &[("a.js", &renamed)]);
    let renamed = kept.replace("other", "go");
    check(&[("a.js", kept)], &json!({"kind": "rename", "symbol": "a.js:4:13", "to": "go"}), &[("a.js", &renamed)]);
}
