//! Refactors in TypeScript that would lose what the compiler infers of a type, and calls that would get another object.

use serde_json::{Value, json};

use super::refactored::{check, refused};

#[track_caller]
fn refuses(text: &str, params: &Value, why: &str) {
    let (code, places) = refused(&[("a.ts", text)], params);
    assert!(places.iter().any(|place| place.contains(why)), "{code} {places:?}");
}

fn variable(range: &str) -> Value {
    json!({"kind": "extract_variable", "to": "v", "range": range})
}

fn function(range: &str) -> Value {
    json!({"kind": "extract_function", "to": "h", "range": range})
}

fn inline(at: &str) -> Value {
    json!({"kind": "inline", "symbol": at})
}

/// A condition narrows the type of what it asks about, and a constant with it only that of names which get one value.
#[test]
fn a_condition_that_narrows_stays() {
    let member = "function f(x: { v: string | null }) {\n  if (x.v !== null) return x.v.length;\n  return 0;\n}\n";
    refuses(member, &variable("a.ts:2:7-2:19"), "may narrow the type of `x.v`");
    let again = "function f(x: string | number) {\n  x = x || 1;\n  if (typeof x === \"string\") return x.length;\n  return x + 1;\n}\n";
    refuses(again, &variable("a.ts:3:7-3:28"), "may narrow the type of `x`");
    let guard = "function f(o: { x: string | number }) {\n  if (!isS(o.x)) return 1;\n  return o.x.length;\n}\n";
    refuses(guard, &variable("a.ts:2:8-2:16"), "may narrow the type of `o.x`");
    let once =
        "function f(x: string | number) {\n  if (typeof x === \"string\") return x.length;\n  return x + 1;\n}\n";
    check(
        &[("a.ts", once)],
        &variable("a.ts:2:7-2:28"),
        &[(
            "a.ts",
            "function f(x: string | number) {\n  const v = typeof x === \"string\";\n  if (v) return x.length;\n  return x + 1;\n}\n",
        )],
    );
    refuses(once, &function("a.ts:2:7-2:28"), "may narrow the type of `x`");
    let plain = "function f(x: number) {\n  if (x === 1) return x;\n  return x + 1;\n}\n";
    check(
        &[("a.ts", plain)],
        &function("a.ts:2:7-2:14"),
        &[(
            "a.ts",
            "function f(x: number) {\n  if (h(x)) return x;\n  return x + 1;\n}\n\nfunction h(x: number) {\n  return x === 1;\n}\n",
        )],
    );
    let after = "function f(x: unknown) {\n  if (typeof x !== \"string\") throw new TypeError(\"no\");\n  const n = x.length;\n  return n + x.trim().length;\n}\n";
    refuses(after, &function("a.ts:2-3"), "narrowed for this in the range");
    let first =
        "class A {\n  n: number;\n  constructor(k: number) {\n    this.n = k + 1;\n    console.log(k);\n  }\n}\n";
    refuses(first, &function("a.ts:4-5"), "only a constructor may give");
}

/// The type of a variable or a function may say more, or less, than the value in its place.
#[test]
fn a_declared_type_stays_with_its_value() {
    refuses(
        "const mode: string = \"a\";\nif (mode === \"b\") console.log(1);\n",
        &inline("a.ts:1:7"),
        "narrower type than the variable",
    );
    refuses(
        "const i: number = 3;\nconst t: [number, number] = [1, 2];\nconsole.log(t[i]);\n",
        &inline("a.ts:1:7"),
        "narrower type than the variable",
    );
    refuses(
        "interface P { a: number }\nconst v = { a: 1, b: 2 };\nconst p: P = v;\n",
        &inline("a.ts:2:7"),
        "may lack something",
    );
    refuses(
        "function id<T>(x: T): T { return x; }\nconst v = id<number | string>(1);\n",
        &inline("a.ts:1:10"),
        "has the type `T`",
    );
    refuses(
        "function mk(): { a: number; b?: number } { return { a: 1 }; }\nconsole.log(mk().b);\n",
        &inline("a.ts:1:10"),
        "by its declaration",
    );
    let same = "const mode = \"a\";\nconsole.log(mode);\n";
    check(&[("a.ts", same)], &inline("a.ts:1:7"), &[("a.ts", "console.log(\"a\");\n")]);
    let spread = "const v = { a: 1, b: 2 };\nconst w = { ...v };\n";
    check(&[("a.ts", spread)], &inline("a.ts:1:7"), &[("a.ts", "const w = { ...{ a: 1, b: 2 } };\n")]);
}

/// `o.f()` gives the function an object, and a default takes the place of no value.
#[test]
fn calls_keep_their_object_and_their_arguments() {
    let bound = "const o = { n: 1, a() { return this; } };\nconst v = o.a;\nconsole.log(v());\n";
    let (_, places) = refused(&[("a.js", bound)], &inline("a.js:2:7"));
    assert!(places[0].contains("would give the function an object"), "{places:?}");
    let default = "function f(x = 5) { return x; }\nconsole.log(f(undefined), f(1));\n";
    let (_, places) = refused(&[("a.js", default)], &inline("a.js:1:10"));
    assert!(places[0].contains("takes the default"), "{places:?}");
    let given = "function f(a, x = 5) { return a - x; }\nconsole.log(f(undefined, 1));\n";
    check(&[("a.js", given)], &inline("a.js:1:10"), &[("a.js", "console.log(undefined - 1);\n")]);
    let block = "class A {\n  static n;\n  static {\n    const x = 4;\n    A.n = x + 1;\n  }\n}\n";
    let (_, places) = refused(&[("a.js", block)], &function("a.js:4-5"));
    assert!(places[0].contains("a block of a class"), "{places:?}");
    let chain = "function f(o) {\n  return o?.items[0];\n}\n";
    let (_, places) = refused(&[("a.js", chain)], &function("a.js:2:10-2:18"));
    assert!(places[0].contains("only if it has a value"), "{places:?}");
    let body = "def f(x):\n    y = x + 1\n    print(y)\nclass K:\n    f(3)\n";
    let (_, places) = refused(&[("a.py", body)], &inline("a.py:1:5"));
    assert!(places[0].contains("members of the class"), "{places:?}");
}

/// A name in a default value is read when the function is called, which may be before it has a value.
#[test]
fn a_default_is_known_when_the_function_is_called() {
    let early = "function f(a) { return a; }\nconsole.log(f(1));\nconst LIMIT = 3;\n";
    let (code, places) =
        refused(&[("a.js", early)], &json!({"kind": "change_signature", "symbol": "f", "add": "c = LIMIT"}));
    assert_eq!(code, "would_rebind", "{places:?}");
    let late = "function f(a) { return a; }\nconst LIMIT = 3;\nconsole.log(f(1));\n";
    check(
        &[("a.js", late)],
        &json!({"kind": "change_signature", "symbol": "f", "add": "c = LIMIT"}),
        &[("a.js", "function f(a, c = LIMIT) { return a; }\nconst LIMIT = 3;\nconsole.log(f(1));\n")],
    );
}

/// A file is in the package that it declares, whatever its folder is called; files without one share theirs.
#[test]
fn a_java_package_is_what_its_files_declare() {
    let util = "package u;\npublic class Util {\n    public static int join(int a) { return a; }\n}\n";
    let main =
        "import static u.Util.join;\nimport u.Util;\nclass Main { int f() { return join(1) + Util.join(2); } }\n";
    check(
        &[("Util.java", util), ("src/Main.java", main)],
        &json!({"kind": "rename", "symbol": "Util.join", "to": "put"}),
        &[("Util.java", &util.replace("join", "put")), ("src/Main.java", &main.replace("join", "put"))],
    );
    let helper = "class Helper {\n    static int go() { return 1; }\n}\n";
    let test = "class HelperTest { int f() { return Helper.go(); } }\n";
    let other = "package u;\nclass Helper { static int go() { return 2; } }\n";
    check(
        &[("src/Helper.java", helper), ("test/HelperTest.java", test), ("src/u/Helper.java", other)],
        &json!({"kind": "rename", "symbol": "src/Helper.java::Helper.go", "to": "run"}),
        &[("src/Helper.java", &helper.replace("go", "run")), ("test/HelperTest.java", &test.replace("go", "run"))],
    );
}

/// A word that is a keyword elsewhere is a name in a macro's arguments, too.
#[test]
fn rust_words_are_names_in_macros() {
    let text = "fn union(a: i32) -> i32 { a }\nfn main() {\n    assert_eq!(union(1), 1);\n    println!(\"{}\", union(2));\n}\n";
    check(
        &[("main.rs", text)],
        &json!({"kind": "rename", "symbol": "union", "to": "join"}),
        &[("main.rs", &text.replace("union", "join"))],
    );
}
