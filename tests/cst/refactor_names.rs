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
