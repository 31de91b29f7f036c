//! The page of `cst ui`: who may ask it, what it may do, and that its bundle is of its sources. tests/browser has the page itself.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A page that is served, and ends with the test.
struct Page {
    process: Child,
    address: String,
    token: String,
}

impl Page {
    fn start(folder: &Path, state: &Path, options: &[&str]) -> Page {
        let mut process = Command::new(env!("CARGO_BIN_EXE_cst"))
            .args(["ui", "--no-open"])
            .args(options)
            .arg(folder)
            .env("CST_STATE", state)
            .env("XDG_CACHE_HOME", state.join("cache"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut url = String::new();
        BufReader::new(process.stdout.take().expect("it is piped")).read_line(&mut url).expect("it prints its address");
        let (address, token) = url.trim().strip_prefix("http://").and_then(|url| url.split_once('/')).expect("a URL");
        let token = token.trim_end_matches('/').to_owned();
        Page { process, address: address.to_owned(), token }
    }

    /// The status and the whole answer to a request as it is on the wire.
    fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{answer}")), answer)
    }

    fn get(&self, path: &str, headers: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
    }

    fn post(&self, path: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    }

    /// The headers that the page itself sends.
    fn own_headers(&self) -> String {
        let Page { address, .. } = self;
        format!("Host: {address}\r\nOrigin: http://{address}\r\nContent-Type: application/json\r\n")
    }

    /// What a request answers.
    fn ask(&self, method: &str, params: &Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let (status, answer) = self.post(&format!("/{}/rpc", self.token), &self.own_headers(), &body);
        assert_eq!(status, 200, "{answer}");
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"))
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it can be waited for");
    }
}

/// A folder with a project, a file beside it, and a state of its own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("project")).expect("a folder");
    fs::write(folder.path().join("project/a.py"), "print(1)\n").expect("a file");
    fs::write(folder.path().join("secret.py"), "password = 1\n").expect("a file");
    folder
}

fn page(folder: &tempfile::TempDir, options: &[&str]) -> Page {
    Page::start(&folder.path().join("project"), &folder.path().join("state"), options)
}

const FILES: &str = r#"{"jsonrpc":"2.0","id":1,"method":"files"}"#;

#[test]
fn only_the_page_itself_is_answered() {
    let folder = folder();
    let page = page(&folder, &[]);
    let Page { address, token, .. } = &page;
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert_eq!(token.len(), 64);
    let host = format!("Host: {address}\r\n");
    let port = address.rsplit(':').next().expect("a port");
    let root = format!("/{token}/");
    // A browser that opens the address gets the page; so does one behind a tunnel.
    assert_eq!(page.get(&root, &host).0, 200);
    assert_eq!(page.get(&root, &format!("Host: localhost:{port}\r\n")).0, 200);
    let wrong = format!("/{}/", "0".repeat(64));
    let longer = format!("/{token}0/");
    let shorter = format!("/{}/", &token[..63]);
    let near = format!("/{}{}/", &token[..63], if token.ends_with('0') { 1 } else { 0 });
    let tokens = [wrong.as_str(), longer.as_str(), shorter.as_str(), near.as_str()];
    for path in ["/", "/page.js", "/rpc", &root[..root.len() - 2], "//", "/../"].into_iter().chain(tokens) {
        assert_eq!(page.get(path, &host).0, 403, "{path}");
    }
    for headers in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        String::new(),
        format!("{host}Host: evil.example\r\n"),
        format!("{host}Origin: http://evil.example\r\n"),
        format!("{host}Origin: null\r\n"),
        format!("{host}Origin: http://127.0.0.1:1\r\n"),
        format!("{host}Sec-Fetch-Site: cross-site\r\n"),
        format!("{host}Sec-Fetch-Site: same-site\r\n"),
    ] {
        let (status, answer) = page.get(&root, &headers);
        assert_eq!(status, 403, "{headers}");
        assert!(!answer.contains(token.as_str()) && !answer.contains("<script"), "{answer}");
    }
    for path in ["rpc", "stream"] {
        let path = format!("/{token}/{path}");
        let own = page.own_headers();
        assert_eq!(page.post(&path, &own, FILES).0, 200);
        let no_origin = own.replace(&format!("Origin: http://{address}\r\n"), "");
        assert_eq!(page.post(&path, &no_origin, FILES).0, 403);
        assert_eq!(page.post(&path, &own.replace("Origin: http://127", "Origin: https://127"), FILES).0, 403);
        assert_eq!(page.post(&path, &own.replace("Origin: http://127.0.0.1", "Origin: http://evil"), FILES).0, 403);
        assert_eq!(page.post(&path, &own.replace("Host: 127.0.0.1", "Host: evil"), FILES).0, 403);
        assert_eq!(page.post(&path, &own.replace("application/json", "text/plain"), FILES).0, 415);
        assert_eq!(page.post(&path, &own, "{").0, 400);
        assert_eq!(page.post(&path.replace(token.as_str(), &"f".repeat(64)), &own, FILES).0, 403);
    }
    assert_eq!(page.raw(&format!("PUT {root} HTTP/1.1\r\n{host}Connection: close\r\n\r\n")).0, 405);
    // Nothing allows another origin to ask, and nothing is loaded from elsewhere.
    let preflight =
        format!("OPTIONS {root}rpc HTTP/1.1\r\n{host}Origin: http://evil.example\r\nConnection: close\r\n\r\n");
    let (status, answer) = page.raw(&preflight);
    assert_eq!(status, 403);
    assert!(!answer.to_ascii_lowercase().contains("access-control"), "{answer}");
    let (_, answer) = page.get(&root, &host);
    let policy = answer.lines().find(|line| line.starts_with("Content-Security-Policy")).expect("a policy");
    assert!(policy.contains("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), "{policy}");
    assert!(answer.contains("Referrer-Policy: no-referrer") && answer.contains("X-Content-Type-Options: nosniff"));
}

/// Who knows only the port can hold connections open, but keeps nobody else waiting.
#[test]
fn bodies_of_refused_requests_keep_nobody_waiting() {
    let folder = folder();
    let page = page(&folder, &[]);
    let refused = |length: &str| {
        let mut stream = TcpStream::connect(&page.address).expect("it listens");
        let request = format!("POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n{{", page.address);
        stream.write_all(request.as_bytes()).expect("it reads");
        stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).expect("there may be one");
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("it answers before the body has come");
        assert_eq!(&status, b"HTTP/1.1 403");
        stream
    };
    let held: Vec<TcpStream> = (0..20).map(|_| refused("100000000")).collect();
    // Nor does it make room for what will never come.
    let huge = [refused("1000000000000000"), refused("9223372036854775807")];
    assert_eq!(page.ask("files", &json!({}))["result"]["writes"], false);
    drop((held, huge));
    assert_eq!(page.ask("files", &json!({}))["result"]["writes"], false);
}

/// What a search lists can be opened: a file is read as a folder's files are.
#[test]
fn a_file_opens_in_the_encoding_that_it_declares() {
    let folder = folder();
    fs::write(folder.path().join("project/b.py"), b"# coding: latin-1\nprint('caf\xe9')\n").expect("a file");
    let page = page(&folder, &[]);
    let found = page.ask("find", &json!({"pattern": "print($X)", "targets": [{"path": "."}]}));
    assert!(found["result"]["matches"].to_string().contains("b.py"), "{found}");
    let file = page.ask("file", &json!({"path": "b.py"}));
    assert_eq!(file["result"]["text"], "# coding: latin-1\nprint('caf\u{e9}')\n", "{file}");
    let inspected = page.ask("inspect", &json!({"path": "b.py", "line": 2, "col": 8}));
    assert!(inspected["result"]["nodes"].to_string().contains("'caf\u{e9}'"), "{inspected}");
}

#[test]
fn a_file_shows_where_its_syntax_errors_are() {
    let folder = folder();
    fs::write(folder.path().join("project/b.py"), "x = 1\ny = (2\ndef f(:\n    pass\n").expect("a file");
    let page = page(&folder, &[]);
    let file = page.ask("file", &json!({"path": "b.py"}));
    let errors = file["result"]["errors"].as_array().expect("a list");
    assert!(!errors.is_empty(), "{file}");
    for error in errors {
        assert!(error["start_line"].as_u64() >= Some(2) && error["what"].as_str() > Some(""), "{error}");
        assert!(error["end_line"].as_u64() >= error["start_line"].as_u64(), "{error}");
    }
    assert!(page.ask("file", &json!({"path": "a.py"}))["result"]["errors"].is_null());
}

#[test]
fn a_port_that_is_taken_is_named() {
    let folder = folder();
    let page = page(&folder, &[]);
    let port = page.address.rsplit(':').next().expect("a port");
    let second = Command::new(env!("CARGO_BIN_EXE_cst"))
        .args(["ui", "--no-open", "--port", port])
        .arg(folder.path())
        .env("CST_STATE", folder.path().join("state"))
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("port {port}: another program uses it")) && said.contains("--port"), "{said}");
}

#[test]
fn tokens_are_long_and_differ() {
    let folder = folder();
    let (first, second) = (page(&folder, &[]), page(&folder, &[]));
    assert_eq!(first.token.len(), 64);
    assert_ne!(first.token, second.token);
}

#[test]
fn nothing_outside_of_the_folder_is_read() {
    let folder = folder();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.py", folder.path().join("project/link.py")).expect("a link");
    let page = page(&folder, &["--write"]);
    let outside = folder.path().join("secret.py").to_string_lossy().into_owned();
    let mut paths = vec!["../secret.py", outside.as_str(), "/etc/passwd", "a.py/../../secret.py"];
    if cfg!(unix) {
        paths.push("link.py");
    }
    for path in paths {
        for (method, params) in [
            ("file", json!({"path": path})),
            ("inspect", json!({"path": path, "line": 1, "col": 1})),
            ("find", json!({"selector": "assign", "targets": [{"path": path}], "code": true})),
            ("outline", json!({"targets": [{"path": path}]})),
            ("rewrite", json!({"selector": "number", "template": "2", "targets": [{"path": path}], "write": true})),
        ] {
            let answer = page.ask(method, &params);
            assert!(answer["error"]["message"].is_string(), "{method} {path}: {answer}");
            assert!(!answer.to_string().contains("password"), "{method} {path}: {answer}");
        }
    }
    assert_eq!(fs::read_to_string(&outside).expect("it is there"), "password = 1\n");
    // Files of the page go by name, not by path.
    let host = format!("Host: {}\r\n", page.address);
    for path in ["../secret.py", "page/index.html", "src/main.ts", "%2e%2e/secret.py"] {
        assert_eq!(page.get(&format!("/{}/{path}", page.token), &host).0, 404, "{path}");
    }
}

#[test]
fn without_leave_to_write_nothing_changes() {
    let folder = folder();
    let file = folder.path().join("project/a.py");
    let rewrite = json!({"pattern": "print($X)", "template": "log($X)", "write": true});
    {
        let page = page(&folder, &[]);
        let answer = page.ask("rewrite", &rewrite);
        assert_eq!(answer["error"]["data"]["code"], "read_only", "{answer}");
        assert_eq!(page.ask("undo", &json!({"transaction": "0"}))["error"]["data"]["code"], "read_only");
        let mut preview = rewrite.clone();
        preview["write"] = json!(false);
        let answer = page.ask("rewrite", &preview);
        assert_eq!(answer["result"]["applied"], 1, "{answer}");
        assert!(answer["result"]["files"][0]["diff"].as_str().is_some_and(|diff| diff.contains("+log(1)")), "{answer}");
        for method in
            ["modify", "save", "load", "run", "refactor", "index", "export", "drop", "backups", "test", "redo"]
        {
            let answer = page.ask(method, &json!({}));
            assert!(answer["error"].is_object(), "{method}: {answer}");
        }
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "print(1)\n");
        assert!(!folder.path().join("state").exists(), "nothing is kept either");
    }
    let page = page(&folder, &["--write"]);
    let answer = page.ask("rewrite", &rewrite);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "log(1)\n");
    let transaction = &answer["result"]["transaction"];
    let answer = page.ask("undo", &json!({"transaction": transaction}));
    assert_eq!(answer["result"]["restored"], json!(["a.py"]), "{answer}");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "print(1)\n");
    // With leave to write, the page still has no use for the rest.
    for method in ["modify", "save", "load", "run", "refactor", "index", "export", "drop", "backups", "test", "redo"] {
        assert!(page.ask(method, &json!({}))["error"].is_object(), "{method}");
    }
}

#[test]
fn a_node_gets_selectors_that_find_it() {
    let folder = folder();
    let source = "class A:\r\n    def ä(self):\r\n        return 'x𝄞' + f(1)\r\n";
    fs::write(folder.path().join("project/b.py"), source).expect("a file");
    let page = page(&folder, &[]);
    let answer = page.ask("inspect", &json!({"path": "b.py", "line": 3, "col": 25}));
    let result = &answer["result"];
    let chosen = result["nodes"].as_array().and_then(|nodes| nodes.iter().find(|node| node["node"] == result["node"]));
    assert_eq!(chosen.expect("it is listed")["text"], "1", "{result}");
    let proposals = result["proposals"].as_array().expect("a list");
    assert!(proposals.len() > 2, "{proposals:?}");
    for proposal in proposals {
        let found = page.ask("find", &json!({"selector": proposal["selector"], "targets": [{"path": "b.py"}]}));
        assert_eq!(found["result"]["total"], proposal["matches"], "{proposal}");
    }
    assert_eq!(proposals.last().expect("one")["matches"], 1);
    // Spans count UTF-16 units and lie in the text.
    let file = page.ask("file", &json!({"path": "b.py"}));
    let text: Vec<u16> = file["result"]["text"].as_str().expect("a text").encode_utf16().collect();
    let numbers: Vec<usize> = file["result"]["spans"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_u64)
        .map(|n| n as usize)
        .collect();
    let (mut end, mut shown) = (0, Vec::new());
    for span in numbers.chunks(3) {
        let start = end + span[0];
        end = start + span[1];
        let class = file["result"]["classes"][span[2]].as_str().expect("a class");
        shown.push(format!("{class} {}", String::from_utf16_lossy(&text[start..end])));
    }
    for expected in ["keyword class", "type A", "keyword def", "function ä", "string 'x𝄞'", "call f", "number 1"] {
        assert!(shown.iter().any(|span| span == expected), "{expected}: {shown:?}");
    }
}

/// `npm run build` in src/serve/ui/page makes the bundle.
#[test]
fn the_bundle_is_of_its_sources() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/ui/page");
    let mut names: Vec<String> = fs::read_dir(page.join("src"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it is readable").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".ts"))
        .collect();
    names.sort();
    assert!(names.len() > 8, "{names:?}");
    let mut hash = Sha256::new();
    for name in &names {
        hash.update(format!("{name}\n"));
        hash.update(fs::read(page.join("src").join(name)).expect("it is readable"));
    }
    hash.update("package.json\n");
    hash.update(fs::read(page.join("package.json")).expect("it is readable"));
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let bundle = fs::read_to_string(page.join("page.js")).expect("it is readable");
    assert_eq!(
        bundle.lines().next(),
        Some(format!("// cst ui {hash}").as_str()),
        "run `npm run build` in src/serve/ui/page"
    );
}
