//! Renames that keep the old name, and those that change what documentation mentions.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str, to: &str, more: &Value) -> Value {
    let mut params = json!({"kind": "rename", "symbol": symbol, "to": to});
    params.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    params
}

#[test]
fn documentation_mentions_the_new_name() {
    let mentions = json!({"mentions": true});
    let python = "def send(x):\n    \"\"\"Sends; `send` is not ``send()``, and :func:`send` sends. We send it.\"\"\"\n\n\n# send() is called, pkg.send( is not.\nsend(1)\ntext = \"`send`\"\n";
    let renamed = "def post(x):\n    \"\"\"Sends; `post` is not ``post()``, and :func:`post` sends. We send it.\"\"\"\n\n\n# post() is called, pkg.send( is not.\npost(1)\ntext = \"`send`\"\n";
    check(&[("a.py", python)], &rename("send", "post", &mentions), &[("a.py", renamed)]);
    // Without the word for it, only the code changes.
    let code = python.replace("def send", "def post").replace("\nsend(1)", "\npost(1)");
    check(&[("a.py", python)], &rename("send", "post", &json!({})), &[("a.py", &code)]);
    // Members after their class; a name that is not an ordinary word.
    let class = "class Mail:\n    def send(self):\n        \"\"\"See Mail.send and Other.send.\"\"\"\n";
    let changed = class.replace("def send", "def post").replace("Mail.send", "Mail.post");
    check(&[("a.py", class)], &rename("Mail.send", "post", &mentions), &[("a.py", &changed)]);
    let typescript = "/** sendAll does it. */\nexport function sendAll() {}\n// after sendAll comes sendAllNow\n";
    let changed = typescript.replace("sendAll ", "postAll ").replace("sendAll(", "postAll(");
    check(&[("a.ts", typescript)], &rename("sendAll", "postAll", &mentions), &[("a.ts", &changed)]);
}

#[test]
fn the_old_name_stays_for_other_projects() {
    let keep = json!({"keep_alias": true});
    check(
        &[
            ("pkg/__init__.py", "from .mail import Mail as Mail\n"),
            ("pkg/mail.py", "class Mail:\n    pass\n\n\ndef make():\n    return Mail()\n"),
            ("main.py", "from pkg import Mail\n\nMail()\n"),
        ],
        &rename("pkg.mail.Mail", "Letter", &keep),
        &[
            ("main.py", "from pkg import Letter\n\nLetter()\n"),
            ("pkg/__init__.py", "from .mail import Letter as Letter\nMail = Letter  # deprecated: use `Letter`\n"),
            (
                "pkg/mail.py",
                "class Letter:\n    pass\n\n\nMail = Letter  # deprecated: use `Letter`\n\n\ndef make():\n    return Letter()\n",
            ),
        ],
    );
    check(
        &[("a.ts", "export function send() {}\n"), ("b.ts", "import { send } from './a';\nsend();\n")],
        &rename("send", "post", &keep),
        &[
            ("a.ts", "export function post() {}\n\n/** @deprecated Use `post`. */\nexport { post as send };\n"),
            ("b.ts", "import { post } from './a';\npost();\n"),
        ],
    );
    for (path, text, symbol, code) in [
        ("a.py", "class Mail:\n    def send(self): pass\n", "Mail.send", "bad_request"),
        ("a.ts", "function send() {}\nsend();\n", "send", "bad_request"),
        ("a.go", "package a\n\nfunc send() {}\n", "send", "unsupported_language"),
    ] {
        assert_eq!(refused(&[(path, text)], &rename(symbol, "post", &keep)).0, code, "{path}");
    }
}

#[test]
fn files_get_the_name_of_their_class() {
    // It has to be so in Java.
    check(
        &[
            ("a/Mail.java", "package a;\n\npublic class Mail {\n    public Mail() {}\n}\n"),
            ("a/Post.java", "package a;\n\nclass Post {\n    Mail mail = new Mail();\n}\n"),
            ("b/Use.java", "package b;\n\nimport a.Mail;\n\nclass Use {\n    Mail mail;\n}\n"),
        ],
        &rename("a/Mail.java::Mail", "Letter", &json!({})),
        &[
            ("a/Letter.java", "package a;\n\npublic class Letter {\n    public Letter() {}\n}\n"),
            ("a/Post.java", "package a;\n\nclass Post {\n    Letter mail = new Letter();\n}\n"),
            ("b/Use.java", "package b;\n\nimport a.Letter;\n\nclass Use {\n    Letter mail;\n}\n"),
        ],
    );
    let file = json!({"file": true});
    check(
        &[
            ("pkg/__init__.py", ""),
            ("pkg/http_server.py", "class HttpServer:\n    pass\n"),
            ("main.py", "from pkg.http_server import HttpServer\n\nHttpServer()\n"),
        ],
        &rename("HttpServer", "WebServer", &file),
        &[
            ("main.py", "from pkg.web_server import WebServer\n\nWebServer()\n"),
            ("pkg/web_server.py", "class WebServer:\n    pass\n"),
        ],
    );
    check(
        &[("Mail.ts", "export class Mail {}\n"), ("b.ts", "import { Mail } from './Mail';\nnew Mail();\n")],
        &rename("Mail", "Letter", &file),
        &[("Letter.ts", "export class Letter {}\n"), ("b.ts", "import { Letter } from './Letter';\nnew Letter();\n")],
    );
    let others: [&[(&str, &str)]; 2] =
        [&[("a.py", "class Mail:\n    pass\n")], &[("mail.py", "class Mail:\n    pass\n"), ("letter.py", "")]];
    for files in others {
        assert_eq!(refused(files, &rename("Mail", "Letter", &file)).0, "bad_request");
    }
    let taken = [("a/Mail.java", "package a;\n\npublic class Mail {}\n"), ("a/Letter.java", "package a;\n")];
    assert_eq!(refused(&taken, &rename("a/Mail.java::Mail", "Letter", &json!({}))).0, "bad_request");
}

#[test]
fn a_module_of_rust_that_a_list_imports_by_itself_is_known() {
    let rust = [
        ("Cargo.toml", "[package]\nname = \"a\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "mod names;\nmod parse;\n"),
        (
            "src/names.rs",
            "pub trait Events {\n    fn token(&mut self) -> u8;\n}\n\npub fn run(e: &mut impl Events) -> u8 { e.token() }\n",
        ),
        (
            "src/parse.rs",
            "use crate::names::{self, Events as _};\n\nstruct C;\n\nimpl names::Events for C {\n    fn token(&mut self) -> u8 { 1 }\n}\n\npub fn go() -> u8 { names::run(&mut C) }\n",
        ),
    ];
    let (names, parse) = (rust[2].1, rust[3].1);
    check(
        &rust,
        &json!({"kind": "rename", "symbol": "Events.token", "to": "word"}),
        &[("src/names.rs", &names.replace("token", "word")), ("src/parse.rs", &parse.replace("token", "word"))],
    );
    check(
        &rust,
        &json!({"kind": "rename", "symbol": "run", "to": "walk"}),
        &[("src/names.rs", &names.replace("run", "walk")), ("src/parse.rs", &parse.replace("run", "walk"))],
    );
}

#[test]
fn two_names_of_a_pair_become_one_again() {
    let rust = "pub struct P {\n    y: u8,\n}\n\npub fn new(x: u8) -> P { P { y: x } }\n\npub fn get(p: &P) -> u8 {\n    let P { y: ref x } = p;\n    *x\n}\n";
    check(
        &[("src/lib.rs", rust)],
        &rename("P.y", "x", &json!({})),
        &[("src/lib.rs", &rust.replace("y: x", "x").replace("y: ref x", "ref x").replace("y:", "x:"))],
    );
    check(
        &[("src/lib.rs", rust)],
        &rename("src/lib.rs:5:12", "y", &json!({})),
        &[("src/lib.rs", &rust.replace("x: u8) -> P { P { y: x } }", "y: u8) -> P { P { y } }"))],
    );
    let script = "const y = 1;\nexport const o = { x: y };\nconst { x: q } = o;\nexport { q as w };\n";
    check(
        &[("a.js", script)],
        &rename("a.js:1:7", "x", &json!({})),
        &[("a.js", "const x = 1;\nexport const o = { x };\nconst { x: q } = o;\nexport { q as w };\n")],
    );
    // Code for old engines cannot have one name alone.
    let old = "var y = 1;\nvar o = { x: y };\n";
    check(&[("a.js", old)], &rename("a.js:1:5", "x", &json!({})), &[("a.js", "var x = 1;\nvar o = { x: x };\n")]);
}

#[test]
fn a_field_may_have_the_name_of_a_method() {
    let text = "pub struct P {\n    a: u8,\n}\n\nimpl P {\n    pub fn b(&self) -> u8 { self.a }\n}\n";
    check(
        &[("src/lib.rs", text)],
        &rename("P.a", "b", &json!({})),
        &[("src/lib.rs", &text.replace("a: u8", "b: u8").replace("self.a", "self.b"))],
    );
    let text = "class P {\n  int a;\n\n  int b() { return a; }\n}\n";
    check(
        &[("P.java", text)],
        &rename("P.a", "b", &json!({})),
        &[("P.java", &text.replace("int a", "int b").replace("return a", "return b"))],
    );
}

#[test]
fn a_module_does_not_hide_the_function_of_its_name() {
    let files = [
        ("src/lib.rs", "mod parser;\nmod tests;\n"),
        ("src/parser.rs", "pub fn write() -> u8 { 1 }\n"),
        (
            "src/tests.rs",
            "use crate::parser::*;\n\npub fn go() -> u8 { write() }\n\nmod write {\n    use super::*;\n\n    pub fn case() -> u8 { write() }\n}\n",
        ),
    ];
    check(
        &files,
        &rename("src/parser.rs::write", "put", &json!({})),
        &[("src/parser.rs", "pub fn put() -> u8 { 1 }\n"), ("src/tests.rs", &files[2].1.replace("write()", "put()"))],
    );
    // One name for both, in a path: the module before `::`, the function where it is called.
    let files = [
        ("src/lib.rs", "mod read;\npub use read::*;\n\npub fn read() -> u8 { crate::read() + crate::read::value() }\n"),
        ("src/read.rs", "pub fn value() -> u8 { 1 }\n"),
    ];
    check(
        &files,
        &rename("src/lib.rs:4:8", "get", &json!({})),
        &[("src/lib.rs", &files[0].1.replace("fn read()", "fn get()").replace("crate::read()", "crate::get()"))],
    );
}

#[test]
fn a_trait_of_the_project_names_its_own_members() {
    let text = "pub trait Flags: Sized + Send {\n    fn all(&self) -> u8;\n}\n\nimpl Flags for u8 {\n    fn all(&self) -> u8 { 1 }\n}\n";
    check(
        &[("src/lib.rs", text)],
        &rename("Flags.all", "each", &json!({})),
        &[("src/lib.rs", &text.replace("all", "each"))],
    );
    let text = "pub struct P;\n\nimpl Iterator for P {\n    type Item = u8;\n\n    fn next(&mut self) -> Option<u8> { None }\n}\n";
    let (code, why) = refused(&[("src/lib.rs", text)], &rename("P.next", "each", &json!({})));
    assert_eq!(
        (code.as_str(), why.as_slice()),
        ("undetermined", &["src/lib.rs:6 it is what `Iterator` outside of the project demands".to_owned()][..])
    );
}

#[test]
fn a_name_in_another_name_space_is_no_doubt() {
    let text = "pub struct P {\n    len: usize,\n}\n\nimpl P {\n    pub fn get(&self) -> usize { self.len }\n}\n\npub fn go(fmt: u8, all: impl Fn() -> Vec<u8>) -> Result<u8, fmt::Error> {\n    Ok(fmt + all().len() as u8 + ManuallyDrop::new(fmt).get())\n}\n\nuse std::{fmt, mem::ManuallyDrop};\n";
    check(
        &[("src/lib.rs", text)],
        &rename("P.len", "size", &json!({})),
        &[("src/lib.rs", &text.replace("len: usize", "size: usize").replace("self.len", "self.size"))],
    );
    check(
        &[("src/lib.rs", text)],
        &rename("src/lib.rs:9:11", "form", &json!({})),
        &[(
            "src/lib.rs",
            &text.replace("fmt: u8", "form: u8").replace("Ok(fmt", "Ok(form").replace("new(fmt)", "new(form)"),
        )],
    );
    let text = "class A {\n  int len;\n\n  int len() { return len; }\n\n  void go(java.util.List<A> all) { all.forEach(A::len); }\n}\n";
    check(
        &[("A.java", text)],
        &rename("A.java:4:7", "size", &json!({})),
        &[("A.java", &text.replace("int len()", "int size()").replace("A::len", "A::size"))],
    );
    check(
        &[("A.java", text)],
        &rename("A.java:2:7", "size", &json!({})),
        &[("A.java", &text.replace("int len;", "int size;").replace("return len", "return size"))],
    );
}

#[test]
fn a_macro_may_make_a_member_of_its_argument() {
    let text = "struct real { int json; int num; };\n#define PART(p, t, m) ((t *)((char *)p - offsetof(t, m)))\n#define TO_REAL(p) PART(p, struct real, json)\n#define GET(p, f) ((p)->f)\nint go(struct real *p, int json) { return GET(p, num) + json; }\n";
    let (code, why) = refused(&[("a.c", text)], &rename("real.json", "text", &json!({})));
    assert_eq!((code.as_str(), why.len()), ("undetermined", 1), "{why:?}");
    let (code, why) = refused(&[("a.c", text)], &rename("real.num", "count", &json!({})));
    assert_eq!((code.as_str(), why.len()), ("undetermined", 1), "{why:?}");
    check(
        &[("a.c", text)],
        &rename("a.c:5:29", "text", &json!({})),
        &[("a.c", &text.replace("int json)", "int text)").replace("+ json", "+ text"))],
    );
    // A designator names a field, no variable.
    let text =
        "struct real { int json; };\nstruct real make(int json) { struct real r = { .json = json }; return r; }\n";
    check(
        &[("a.c", text)],
        &rename("a.c:2:22", "text", &json!({})),
        &[("a.c", &text.replace("int json)", "int text)").replace("= json", "= text"))],
    );
}

#[test]
fn a_parameter_of_a_macro_is_known_in_its_body() {
    let text = "#define MAX(a, b) /* a */ ((a) > (b) ? \\\n  (a) : (b))\nint a(int b) { return MAX(b, 2); }\n";
    let new = "#define MAX(one, b) /* a */ ((one) > (b) ? \\\n  (one) : (b))\nint a(int b) { return MAX(b, 2); }\n";
    check(&[("a.c", text)], &rename("a.c:1:13", "one", &json!({})), &[("a.c", new)]);
    let (code, _) = refused(&[("a.c", text)], &rename("a.c:1:13", "b", &json!({})));
    assert_eq!(code, "would_rebind");
}

#[test]
fn a_path_in_a_macro_from_the_root_of_its_library_is_known() {
    let files = [
        (
            "src/lib.rs",
            "pub mod flag;\n\n#[macro_export]\nmacro_rules! make {\n    ($e:expr) => { $crate::flag::Flag::new($crate::flag::put($e)) };\n}\n",
        ),
        (
            "src/flag.rs",
            "pub struct Flag(u8);\n\nimpl Flag {\n    pub fn new(e: u8) -> Flag { Flag(e) }\n}\n\npub fn put(e: u8) -> u8 { e }\n",
        ),
    ];
    check(
        &files,
        &rename("src/flag.rs::put", "set", &json!({})),
        &[
            ("src/flag.rs", &files[1].1.replace("put", "set")),
            ("src/lib.rs", &files[0].1.replace("flag::put", "flag::set")),
        ],
    );
    check(
        &files,
        &rename("Flag.new", "of", &json!({})),
        &[
            ("src/flag.rs", &files[1].1.replace("fn new", "fn of")),
            ("src/lib.rs", &files[0].1.replace("Flag::new", "Flag::of")),
        ],
    );
}

#[test]
fn a_part_of_a_variant_has_the_type_of_its_definition() {
    let text = "pub struct List;\n\nimpl List {\n    pub fn keep(&self) -> u8 { 1 }\n}\n\npub enum Tiny {\n    Inline(List),\n    Pair(u8, List),\n}\n\n\
        pub fn go(tiny: &Tiny, some: Option<List>) -> u8 {\n    if let Some(list) = some {\n        return list.keep();\n    }\n    match tiny {\n        Tiny::Inline(a) => a.keep(),\n        Tiny::Pair(.., ref b) => b.keep(),\n    }\n}\n";
    let (code, why) = refused(&[("src/lib.rs", text)], &rename("List.keep", "hold", &json!({})));
    assert_eq!((code.as_str(), why.len()), ("undetermined", 1), "{why:?}");
    let text = text.replace("..,", "_,");
    check(
        &[("src/lib.rs", &text)],
        &rename("List.keep", "hold", &json!({})),
        &[("src/lib.rs", &text.replace("keep", "hold"))],
    );
    // What a type parameter is shows only where it is used.
    let text = "pub struct List;\n\nimpl List {\n    pub fn keep(&self) -> u8 { 1 }\n}\n\npub enum Of<T> {\n    One(T),\n}\n\npub fn go(of: &Of<List>) -> u8 {\n    match of {\n        Of::One(a) => a.keep(),\n    }\n}\n";
    let (code, why) = refused(&[("src/lib.rs", text)], &rename("List.keep", "hold", &json!({})));
    assert_eq!((code.as_str(), why.len()), ("undetermined", 1), "{why:?}");
}

#[test]
fn a_trait_with_arguments_from_outside_demands_its_members() {
    let text = "use std::borrow::Borrow;\npub struct A(String);\nimpl Borrow<str> for A { fn borrow(&self) -> &str { &self.0 } }\n\
                impl From<u8> for A { fn from(a: u8) -> A { A(a.to_string()) } }\n";
    for (place, base) in [("3:29", "Borrow<str>"), ("4:26", "From<u8>")] {
        let rename = json!({"kind": "rename", "symbol": format!("lib.rs:{place}"), "to": "zebra"});
        let (_, places) = refused(&[("lib.rs", text)], &rename);
        let demand = format!("it is what `{base}` outside of the project demands");
        assert!(places.iter().any(|place| place.ends_with(&demand)), "{places:?}");
    }
    let own = "pub trait Borrow<T> { fn borrow(&self) -> T; }\npub struct A(u8);\nimpl Borrow<u8> for A { fn borrow(&self) -> u8 { self.0 } }\n";
    let rename = json!({"kind": "rename", "symbol": "lib.rs:3:28", "to": "zebra"});
    check(&[("lib.rs", own)], &rename, &[("lib.rs", &own.replace("borrow", "zebra"))]);
}
