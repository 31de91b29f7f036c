//! Texts that fill the state of the grammars' scanners, in every language: each is answered or refused by name, and no process
//! aborts. A scanner has 1,024 bytes for its state; each shape here is repeated below, at and far above what fits.

use std::path::Path;
use std::process::{Command, Stdio};

/// For the languages whose scanners keep a state that grows: what fills it, for `count` of it.
fn shapes(language: &str, count: usize) -> Vec<String> {
    let lines = |open: &dyn Fn(usize) -> String| (0..count).map(open).collect::<String>();
    let indented = |text: &str| lines(&|level| format!("{}{text}\n", " ".repeat(level)));
    let word = "A".repeat(count);
    let around =
        |open: &str, inside: &str, close: &str| format!("{}{inside}{}", open.repeat(count), close.repeat(count));
    match language {
        "bash" => vec![
            format!("cat <<{word}\nx\n{word}\n"),
            lines(&|level| format!("cat <<A{level} ")) + "\nx\n",
            around("$(cat \"", "x", "\")"),
            format!("cat <<'{word}'\nx\n{word}\n"),
        ],
        "csharp" => vec![
            around("$\"{", "x", "}\""),
            around("$$$\"\"\"{{{", "x", "}}}\"\"\""),
            format!("var x = {}\"a\";", "$".repeat(count)),
        ],
        "cpp" => vec![format!("auto x = R\"{word}(x){word}\";\n"), around("R\"a(", "x", ")a\"")],
        "haskell" => vec![
            lines(&|level| format!("{}x{level} = do\n", " ".repeat(level))),
            lines(&|level| format!("{}where\n{}f{level} = g\n", " ".repeat(2 * level), " ".repeat(2 * level + 1))),
            around("do { ", "x", " }"),
            around("[x | ", "x", "]"),
            format!("x = [{word}|a|]\n"),
        ],
        "hcl" => vec![
            format!("x = <<{word}\na\n{word}\n"),
            around("\"${", "x", "}\""),
            lines(&|level| format!("x{level} = <<A{level}\n${{")) + "x\n",
            around("%{ if x }", "y", "%{ endif }"),
        ],
        "html" => vec![
            around("<div>", "x", "</div>"),
            format!("<{word}>x</{word}>\n"),
            lines(&|level| format!("<a-{level}>")),
            around("<p>", "x", "</div>"),
            "<svg><script><style>".repeat(count),
        ],
        "javascript" | "typescript" | "tsx" => {
            vec![around("`${", "x", "}`"), format!("x = `{word}${{y}}`;\n"), around("/[", "x", "]/")]
        }
        "julia" => vec![around("\"$(", "x", ")\""), around("#= ", "x", " =#"), around("[x for x in ", "y", "]")],
        "kotlin" => vec![around("\"${", "x", "}\""), around("\"\"\"${", "x", "}\"\"\""), around("/* ", "x", " */")],
        "lua" => vec![format!("x = [{0}[a]{0}]\n", "=".repeat(count)), format!("--[{0}[a]{0}]\n", "=".repeat(count))],
        "markdown" => vec![
            around("> ", "x", ""),
            around("- ", "x", ""),
            lines(&|level| format!("{}- x\n", " ".repeat(2 * level))),
            lines(&|level| format!("{}> x\n", "> ".repeat(level))),
            format!("{0}\nx\n{0}\n", "`".repeat(count)),
            around("1. ", "x", ""),
            around("*_", "x", "_*"),
        ],
        "ocaml" => vec![
            format!("let x = {{{0}|a|{0}}}\n", "a".repeat(count)),
            around("(* \"", "x", "\" *)"),
            format!("(* {{{0}|a|{0}}} *)", "a".repeat(count)),
        ],
        "php" => vec![
            format!("<?php\n$x = <<<{word}\na\n{word};\n"),
            format!("<?php\n$x = <<<'{word}'\na\n{word};\n"),
            "<?php\n".to_owned() + &lines(&|level| format!("$x = <<<A{level}\n{{${{")),
            format!("<?php\n{}", around("\"{$x[", "1", "]}\"")),
        ],
        "python" => vec![
            indented("if x:"),
            around("f\"{", "x", "}\""),
            around("f'''{", "x", "}'''"),
            around("(\n", "x", ")"),
            indented("  \""),
        ],
        "r" => vec![
            around("(", "x", ")"),
            around("{[[", "x", "]]}"),
            format!("x <- r\"{0}(a){0}\"\n", "-".repeat(count)),
            "}".repeat(count),
        ],
        "ruby" => vec![
            format!("x = <<{word}\na\n{word}\n"),
            format!("x = <<~\"{word}\"\na\n{word}\n"),
            format!("x = <<-'{word}'\na\n{word}\n"),
            format!("x = <<`{word}`\na\n{word}\n"),
            format!("foo <<{word}, <<{word}\n"),
            format!("x = <<{}\n", "é".repeat(count)),
            lines(&|level| format!("<<A{level}, ")) + "1\n",
            around("\"#{", "x", "}\""),
            around("%w(", "x", ")"),
            format!("x = %q{}{}", "(".repeat(count), ")".repeat(count)),
            format!("x = \"#{{<<{word}}}\"\na\n{word}\n"),
        ],
        "rust" => vec![format!("const X: &str = r{0}\"a\"{0};\n", "#".repeat(count)), around("/*", "x", "*/")],
        "scala" => vec![
            indented("object x:"),
            indented("if x then"),
            around("s\"${", "x", "}\""),
            around("/*", "x", "*/"),
            indented("x match\n case"),
        ],
        "sql" => vec![format!("select ${word}$a${word}$;\n"), lines(&|level| format!("$a{level}$ "))],
        "swift" => vec![
            format!("let x = {0}\"a\"{0}\n", "#".repeat(count)),
            around("\"\\(", "x", ")\""),
            around("/*", "x", "*/"),
            around("#if x\n", "y", "#endif\n"),
        ],
        "yaml" => vec![
            around("- ", "x", ""),
            around("? ", "x", ""),
            around("- ? ", "x", ""),
            around("a: ", "x", ""),
            around("[", "x", "]"),
            around("{a: ", "x", "}"),
            around("!t ", "x", ""),
            around("&a - ", "x", ""),
            indented("a:"),
            indented("-"),
            lines(&|level| format!("{0}a:\n{0}-\n", " ".repeat(2 * level))),
            lines(&|level| format!("{}- a:\n", " ".repeat(3 * level))),
            lines(&|level| format!("{}- - |\n", " ".repeat(4 * level))),
            lines(&|level| format!("{}? -\n", " ".repeat(4 * level))),
            around("-\t", "x", ""),
            around("\"a\": - ", "x", ""),
            around("a: - ", "x", ""),
            around("-\n ", "x", ""),
            around("- a: ", "x", ""),
            "a:\n".repeat(count) + &around("- ", "x", ""),
            lines(&|level| format!("{}a: [\n", " ".repeat(level))),
            lines(&|level| format!("{}!!map\n{}a: |\n", " ".repeat(2 * level), " ".repeat(2 * level))),
        ],
        "css" | "dart" | "elixir" | "toml" => {
            vec![around("a {", "x", "}"), around("\"\"\"#{", "x", "}\"\"\""), around("/*", "x", "*/")]
        }
        _ => Vec::new(),
    }
}

/// Brackets and quotes in each other, for the languages without such a scanner too.
fn plain_shapes(count: usize) -> Vec<String> {
    let shapes = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("<", ">"),
        ("\"", "\""),
        ("'", "'"),
        ("`", "`"),
        ("if x {\n", "}\n"),
        ("f(", ")"),
    ];
    shapes.iter().map(|(open, close)| format!("{}x{}\n", open.repeat(count), close.repeat(count))).collect()
}

/// The extension of a language's sample.
fn extension(language: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language);
    let files = std::fs::read_dir(folder).unwrap().filter_map(Result::ok).map(|file| file.path());
    let sample = files.into_iter().find(|file| file.file_stem().is_some_and(|stem| stem == "sample")).unwrap();
    sample.extension().unwrap().to_string_lossy().into_owned()
}

#[test]
fn no_text_ends_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let counts = [100, 200, 255, 300, 600, 1100];
    let mut written = 0;
    for (language, _) in super::chunk_laws::samples() {
        let path = folder.path().join(language.name());
        std::fs::create_dir(&path).unwrap();
        let extension = extension(language.name());
        for count in counts {
            let shapes = shapes(language.name(), count).into_iter().chain(plain_shapes(count));
            for (place, text) in shapes.enumerate() {
                std::fs::write(path.join(format!("s{place}-{count}.{extension}")), text).unwrap();
                written += 1;
            }
        }
    }
    assert!(written > 2500, "{written}");
    // One process a language: an abort is that language's.
    for (language, _) in super::chunk_laws::samples() {
        ends_in_order(&folder.path().join(language.name()), language.name());
    }
}

fn ends_in_order(folder: &Path, language: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cst"));
    command.args(["check", "--json", "--language", language, "."]).current_dir(folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    let code = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(code.is_some_and(|code| code <= 2), "{language} ended with {:?}: {errors}", output.status);
    let answer: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{language}: {error}"));
    assert!(answer["files"].is_array(), "{language}: {answer}");
}

#[test]
fn a_text_that_breaks_off_anywhere_is_parsed() {
    use cst::language::Language;
    use cst::text::Text;
    use cst::tree::{ParseLimits, Tree};
    use std::time::Duration;

    const PREFIXES: usize = 150;
    const ENDS: &[&str] = &["", "\n@dec", "\n@dec(", " @dec", "\n#", "\n/*", "\n\"", "\n<<A", "\n'", "(", "\\"];
    let (sender, receiver) = std::sync::mpsc::channel();
    let count = Language::all().len();
    for language in Language::all() {
        let sender = sender.clone();
        // A scanner that doesn't look for the end of the text never comes back: no limit of time stops it.
        std::thread::spawn(move || {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
            let sample = folder.join(format!("sample.{}", extension(language.name())));
            let text = std::fs::read_to_string(sample).unwrap();
            let step = text.len().div_ceil(PREFIXES).max(1);
            let mut parsed = 0;
            for (turn, at) in (0..text.len()).step_by(step).enumerate() {
                let prefix = &text[..text.floor_char_boundary(at)];
                let ends = ENDS.iter().enumerate().filter(|(index, _)| *index == 0 || index % 5 == turn % 5);
                for (_, end) in ends {
                    let code = format!("{prefix}{end}");
                    let tree = Tree::parse(Text::new(&code), language, &ParseLimits::default()).unwrap();
                    assert!(tree.span(tree.root()).end() <= code.len(), "{}", language.name());
                    parsed += 1;
                }
            }
            sender.send((language.name(), parsed)).unwrap();
        });
    }
    drop(sender);
    let mut missing: Vec<&str> = Language::all().iter().map(|language| language.name()).collect();
    let mut parsed = 0;
    while let Ok((name, texts)) = receiver.recv_timeout(Duration::from_secs(240)) {
        missing.retain(|other| *other != name);
        parsed += texts;
    }
    assert!(missing.is_empty(), "not parsed to the end: {missing:?}");
    assert!(parsed > count * 100, "{parsed}");
}

#[test]
fn a_text_without_a_last_line_end_is_edited_as_any_other() {
    for (source, expected) in [("class C\n@dec", "class D\n@dec"), ("val x = 1\n@A", "val x = 2\n@A")] {
        use cst::edit::{Allow, Op, apply};
        use cst::language::Language;
        use cst::text::Text;
        use cst::tree::{ParseLimits, Tree};
        let limits = ParseLimits::default();
        let tree = Tree::parse(Text::new(source), Language::named("kotlin").unwrap(), &limits).unwrap();
        let old = if source.contains('C') { "C" } else { "1" };
        let target = tree.table().nodes().filter(|&node| tree.node_text(node) == old).last().unwrap();
        let code = if old == "C" { "D" } else { "2" }.to_owned();
        let outcome = apply(&tree, &[Op::Replace { target, code, extent: None }], Allow::default(), &limits).unwrap();
        assert_eq!(outcome.tree.text().to_string(), expected);
        let anew = Tree::parse(Text::new(expected), Language::named("kotlin").unwrap(), &limits).unwrap();
        assert_eq!(outcome.tree.table().shape(), anew.table().shape());
    }
}

#[test]
fn definitions_in_each_other_are_listed_in_one_pass() {
    let folder = tempfile::tempdir().unwrap();
    for (name, open, close) in [("a.css", "a { ", "}"), ("a.js", "function f() { ", "}"), ("a.rs", "fn f() { ", "}")] {
        let levels = 3000;
        std::fs::write(folder.path().join(name), format!("{}{}\n", open.repeat(levels), close.repeat(levels))).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cst"));
        command.args(["outline", "--json", name]).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let definitions = answer["files"][0]["definitions"].as_array().unwrap();
        assert_eq!(definitions.len(), levels, "{name}");
        assert_eq!(definitions[levels - 1]["depth"], levels - 1, "{name}");
        // Of very many scopes the outer ones are left out.
        let deepest = definitions[levels - 1]["qualname"].as_str().unwrap();
        assert!(deepest.starts_with("….") && deepest.split('.').count() < 300, "{name}: {deepest}");
    }
}
