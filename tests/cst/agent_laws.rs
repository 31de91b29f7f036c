//! What holds for every config: installing and uninstalling gives the bytes that were there, installing twice changes nothing
//! the second time, and what was there before is there afterwards.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use cst::agent::install::{AGENTS, InstallOptions, Installer, Part, Place, Report, Scope};
use cst::project::Memory;
use proptest::prelude::*;
use serde_json::Value;

fn place() -> Place {
    Place {
        project: PathBuf::from("/p"),
        home: Some(PathBuf::from("/home/u")),
        variables: BTreeMap::new(),
        program: PathBuf::from("/opt/my tools/cst"),
        exact: false,
    }
}

fn wish(agent: &str, scope: Scope, part: Option<Part>) -> InstallOptions {
    InstallOptions { agents: vec![agent.to_owned()], scope: Some(scope), part, dry_run: false }
}

#[track_caller]
fn is_done(report: Report) {
    let problems: Vec<_> = report.lines.iter().filter_map(|line| line.problem.as_ref()).collect();
    assert!(!report.is_refused() && !report.is_failed(), "{problems:?}");
}

/// The parts of a JSON text, with the text between them.
#[derive(Debug, Clone)]
enum Json {
    Plain(&'static str),
    Object(Vec<(&'static str, [String; 4], Json)>, Option<String>, String),
    Array(Vec<([String; 2], Json)>, Option<String>, String),
}

impl Json {
    fn write(&self, text: &mut String) {
        match self {
            Json::Plain(word) => text.push_str(word),
            Json::Object(members, comma, end) => {
                text.push('{');
                for (index, (key, [a, b, c, d], value)) in members.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(&format!("{a}{}{b}:{c}", Value::from(*key)));
                    value.write(text);
                    text.push_str(d);
                }
                close(text, comma.as_ref().filter(|_| !members.is_empty()), end, '}');
            }
            Json::Array(elements, comma, end) => {
                text.push('[');
                for (index, ([a, b], value)) in elements.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(a);
                    value.write(text);
                    text.push_str(b);
                }
                close(text, comma.as_ref().filter(|_| !elements.is_empty()), end, ']');
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn value(&self) -> Value {
        match self {
            Json::Plain(word) => serde_json::from_str(word).expect("a plain value"),
            Json::Object(members, ..) => {
                members.iter().map(|(key, _, value)| ((*key).to_owned(), value.value())).collect()
            }
            Json::Array(elements, ..) => elements.iter().map(|(_, value)| value.value()).collect(),
        }
    }
}

fn close(text: &mut String, comma: Option<&String>, end: &str, bracket: char) {
    if let Some(before) = comma {
        text.push_str(before);
        text.push(',');
    }
    text.push_str(end);
    text.push(bracket);
}

/// Text that may be between two parts.
fn between() -> impl Strategy<Value = String> {
    let blanks = ["", "", "", " ", "  ", "\n", "\r\n", "\t", "\n  ", "\n\n\t", "\r\n    "];
    let comments = [" // it's \"c\", [,]\n", "/* x, } */", " /* a\r\nb */ ", "//\r\n", "/**/"];
    prop_oneof![
        6 => prop::sample::select(blanks.to_vec()).prop_map(str::to_owned),
        1 => prop::sample::select(comments.to_vec()).prop_map(str::to_owned),
    ]
}

fn maybe_comma() -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(0.2, between())
}

fn object(members: impl Strategy<Value = Vec<(&'static str, Json)>>) -> impl Strategy<Value = Json> {
    let around = || (between(), between(), between(), between());
    (members, prop::collection::vec(around(), 8), maybe_comma(), between()).prop_map(|(members, around, comma, end)| {
        let mut seen: Vec<&str> = Vec::new();
        let once = members.into_iter().filter(|(key, _)| {
            !seen.contains(key) && {
                seen.push(key);
                true
            }
        });
        let once = once.zip(around).map(|((key, value), (a, b, c, d))| (key, [a, b, c, d], value));
        Json::Object(once.collect(), comma, end)
    })
}

fn array(elements: impl Strategy<Value = Vec<Json>>) -> impl Strategy<Value = Json> {
    let around = prop::collection::vec((between(), between()), 4);
    (elements, around, maybe_comma(), between()).prop_map(|(elements, around, comma, end)| {
        let elements = elements.into_iter().zip(around).map(|(value, (a, b))| ([a, b], value));
        Json::Array(elements.collect(), comma, end)
    })
}

fn any_value() -> impl Strategy<Value = Json> {
    let words = [r#""s""#, r#""a, // \"b\" }""#, "1", "-2.5e3", "true", "null", r#""é \u00e9""#];
    let plain = prop::sample::select(words.to_vec()).prop_map(Json::Plain);
    plain.prop_recursive(3, 12, 3, |inner| {
        let keys = prop::sample::select(vec!["a", "b", "c d", "é", "command", "hooks"]);
        prop_oneof![
            object(prop::collection::vec((keys, inner.clone()), 0..4)),
            array(prop::collection::vec(inner, 0..3)),
        ]
    })
}

/// A config as agents have them: with the objects and arrays of ours there or not, empty or not.
fn config() -> impl Strategy<Value = Json> {
    let others = || prop::sample::select(vec!["a", "other", "é"]);
    let servers = object(prop::collection::vec((others(), any_value()), 0..3));
    let events = vec!["PreToolUse", "PostToolUse", "BeforeTool", "AfterTool", "preToolUse", "postToolUse", "Stop"];
    let list = array(prop::collection::vec(any_value(), 0..3));
    let hooks = object(prop::collection::vec((prop::sample::select(events), list), 0..4));
    let member = prop_oneof![
        2 => (others(), any_value()),
        2 => (prop::sample::select(vec!["mcpServers", "mcp"]), servers.boxed()),
        2 => (Just("hooks"), hooks.boxed()),
        1 => (Just("version"), Just(Json::Plain("1"))),
    ];
    object(prop::collection::vec(member, 0..5))
}

/// A text without comments and trailing commas, read by a parser that isn't ours.
fn read(text: &str) -> Value {
    let mut plain = String::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            0
        };
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        let mut length = first.len_utf8();
        if first == '"' {
            let bytes = rest.as_bytes();
            while bytes[length] != b'"' {
                length += if bytes[length] == b'\\' { 2 } else { 1 };
            }
            length += 1;
        }
        if matches!(first, '}' | ']') && plain.trim_end().ends_with(',') {
            plain.truncate(plain.trim_end().len() - 1);
        }
        plain.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    serde_json::from_str(&plain).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Whether a value contains everything in another; arrays may have more elements.
fn says(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            old.iter().all(|(key, old)| new.get(key).is_some_and(|new| says(new, old)))
        }
        (Value::Array(new), Value::Array(old)) => new.starts_with(old),
        _ => new == old,
    }
}

/// The JSON configs of all agents.
fn json_files() -> &'static [(&'static str, Scope, String)] {
    static FILES: OnceLock<Vec<(&'static str, Scope, String)>> = OnceLock::new();
    FILES.get_or_init(list_json_files)
}

fn list_json_files() -> Vec<(&'static str, Scope, String)> {
    let mut files = Vec::new();
    for agent in AGENTS {
        for scope in Scope::ALL {
            let memory = Memory::default();
            if Installer::new(&memory, place()).install(&wish(agent.id, scope, None)).is_err() {
                continue;
            }
            let paths = memory.paths().into_iter().map(|path| path.to_string_lossy().into_owned());
            let configs = paths.filter(|path| path.ends_with(".json"));
            files.extend(configs.map(|path| (agent.id, scope, path)));
        }
    }
    files
}

fn bytes(memory: &Memory, path: &str) -> Option<String> {
    memory.bytes(path).map(|bytes| String::from_utf8(bytes).expect("it is utf-8"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn json_comes_back_byte_for_byte(config in config(), before in between(), after in between(), mark in prop::bool::weighted(0.1), parts in 0..4) {
        let mark = if mark { "\u{feff}" } else { "" };
        let text = format!("{mark}{before}{}{after}", config.text());
        prop_assert_eq!(read(&text), config.value());
        for &(agent, scope, ref path) in json_files() {
            let memory = Memory::default();
            memory.write(path, text.as_bytes());
            let installer = Installer::new(&memory, place());
                        is_done(installer.install(&wish(agent, scope, None)).expect("it has the scope"));
            let installed = bytes(&memory, path).expect("the file is there");
            prop_assert!(says(&read(&installed), &config.value()), "{}: {}", path, installed);
            prop_assert!(read(&installed) != config.value());
            is_done(installer.install(&wish(agent, scope, None)).expect("it has the scope"));
            prop_assert_eq!(&bytes(&memory, path).expect("the file is there"), &installed);
            let halves = [Part::Mcp, Part::Hooks];
            let steps: Vec<Option<Part>> = match parts {
                0 => halves.map(Some).to_vec(),
                1 => halves.map(Some).into_iter().rev().collect(),
                _ => vec![None],
            };
            for part in steps {
                if let Ok(report) = installer.uninstall(&wish(agent, scope, part)) {
                    is_done(report);
                }
            }
            let restored = bytes(&memory, path).unwrap_or_default();
            prop_assert_eq!(&restored, &text, "{} after {}", path, installed);
            prop_assert_eq!(memory.paths().len(), 1);
        }
    }

    #[test]
    fn toml_comes_back_byte_for_byte(
        lines in prop::collection::vec(prop::sample::select(vec![
            "", "# a comment", "model = \"o\"", "[a]", "b.c = 1 # d", "[[list]]", "x = { y = [1, 2] }",
            "[mcp_servers.other]", "command = \"x\"", "[mcp_servers]", "mcp_servers = {}", "mcp_servers = { z = { command = \"c\" } }",
            "mcp_servers.o.command = 'p'", "text = \"\"\"\n[mcp_servers.cst]\n\"\"\"", "\t",
        ]), 0..8),
        newline in prop::sample::select(vec!["\n", "\r\n"]), ends in any::<bool>(),
    ) {
        let text = lines.join(newline) + if ends { newline } else { "" };
        prop_assume!(toml::from_str::<toml::Table>(&text).is_ok());
        let memory = Memory::default();
        let path = "/p/.codex/config.toml";
        memory.write(path, text.as_bytes());
        let installer = Installer::new(&memory, place());
        let wish = wish("codex", Scope::Project, Some(Part::Mcp));
        is_done(installer.install(&wish).expect("it has the scope"));
        let installed = bytes(&memory, path).expect("the file is there");
        let mut read: toml::Table = toml::from_str(&installed).expect("it is TOML");
        let servers = read["mcp_servers"].as_table_mut().expect("a table");
        let ours = servers.remove("cst").expect("ours");
        prop_assert_eq!(ours.to_string(), "{ args = [\"mcp\"], command = \"cst\" }");
        let mut old: toml::Table = toml::from_str(&text).expect("it is TOML");
        old.entry("mcp_servers").or_insert_with(|| toml::Table::new().into());
        prop_assert_eq!(read, old);
        is_done(installer.install(&wish).expect("it has the scope"));
        prop_assert_eq!(&bytes(&memory, path).expect("the file is there"), &installed);
        is_done(installer.uninstall(&wish).expect("it has the scope"));
        prop_assert_eq!(bytes(&memory, path), Some(text), "after {}", installed);
    }

    /// Whatever is in the file: it is refused and left alone, or what was done can be taken back.
    #[test]
    fn no_text_is_damaged(
        text in prop_oneof!["[\\{\\}\\[\\],:\"a/* \\n1é]{0,24}", "[\\[\\]\\{\\}.=,\"#a \\r\\n1é]{0,24}", any::<String>()],
        (agent, path) in prop::sample::select(vec![
            ("cursor", "/p/.cursor/mcp.json"), ("claude-code", "/p/.claude/settings.json"), ("cursor", "/p/.cursor/hooks.json"),
            ("codex", "/p/.codex/config.toml"), ("cline", "/p/.clinerules/hooks/PreToolUse"),
        ]),
    ) {
        let memory = Memory::default();
        memory.write(path, text.as_bytes());
        let installer = Installer::new(&memory, place());
        let wish = wish(agent, Scope::Project, None);
        let report = installer.install(&wish).expect("it has the scope");
        let refused = report.lines.iter().any(|line| line.file.to_string_lossy() == path && line.problem.is_some());
        let installed = bytes(&memory, path).expect("the file is there");
        prop_assert_eq!(refused, installed == text);
        installer.uninstall(&wish).expect("it has the scope");
        prop_assert_eq!(bytes(&memory, path), Some(text), "after {}", installed);
    }
}
