//! The figures of docs/benchmarks.md: medians, on a file of CPython's standard library, printed as a table.
//!
//! `cargo bench --bench figures`. The bare parse by tree-sitter is measured in the same run, since a shared machine's seconds
//! mean little by themselves.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cst::edit::{self, Allow, Op};
use cst::language::Language;
use cst::selector::{Definitions, Query, Selector};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

fn main() {
    let Some(library) = standard_library() else {
        println!("python3 is not installed: there is no standard library to measure on");
        return;
    };
    let python = Language::named("python").expect("python is built in");
    let limits = ParseLimits::default();
    let path = library.join("argparse.py");
    let source = std::fs::read_to_string(&path).expect("argparse.py is readable");
    let parse = || Tree::parse(Text::new(&source), python, &limits).expect("argparse.py parses");
    let tree = parse();
    println!(
        "{}: {} lines, {} bytes, {} nodes",
        path.display(),
        tree.text().line_count(),
        source.len(),
        tree.table().len()
    );
    println!("| what | median | runs |\n|---|---|---|");

    let mut parser = tree_sitter_parser(python);
    row("bare parse by tree-sitter", 40, || drop(parser.parse(&source, None)));
    row("parse with text and table", 40, || drop(parse()));

    for selector in [
        "class > function[name^=\"get\"]:first",
        "method:not(:has-own(return))",
        "call[callee=$f] ~ call[callee=$f]",
        "class function:has(return > call)",
    ] {
        let query = query(selector, python);
        row(&format!("query on the loaded tree: `{selector}`"), 100, || {
            drop(query.select(&tree).expect("within budget"))
        });
    }

    let target = query("function#get_default", python).select(&tree).expect("within budget")[0].node;
    let rename = Op::Rename { target, to: "fetch_default".to_owned(), references: None };
    row("one edit with its gates: `rename`", 60, || {
        drop(edit::apply(&tree, std::slice::from_ref(&rename), Allow::default(), &limits))
    });
    let delete = Op::Delete { target, extent: None };
    row("one edit with its gates: `delete`", 60, || {
        drop(edit::apply(&tree, std::slice::from_ref(&delete), Allow::default(), &limits))
    });

    let nested = format!("class A:\n    x = {}x{}\n", "(".repeat(60), ")".repeat(60));
    let nested = Tree::parse(Text::new(&nested), python, &limits).expect("sixty parentheses parse");
    let wildcards = query("class * * * * * * integer", python);
    row("`class * * * * * * integer` over 60 nested parentheses", 200, || {
        drop(wildcards.select(&nested).expect("within budget"))
    });

    let state = std::env::temp_dir().join(format!("cst-figures-{}", std::process::id()));
    let thousand = state.join("thousand.py");
    std::fs::create_dir_all(&state).expect("the temporary folder is writable");
    let lines: Vec<&str> = source.lines().take(1000).collect();
    std::fs::write(&thousand, lines.join("\n") + "\n").expect("the temporary folder is writable");
    row("process: `cst --version`", 40, || run(&state, &["--version"]));
    row("process: `cst find` on 1,000 lines", 40, || {
        run(&state, &["find", "class > function:first", &text(&thousand)])
    });
    row("process: `cst load` of the file", 30, || run(&state, &["load", &text(&path)]));
    drop(std::fs::remove_dir_all(&state));

    let held = tree.clone().without_parse();
    #[allow(clippy::cast_precision_loss)]
    let share = held.memory() as f64 / source.len() as f64;
    println!("\na tree in memory, without tree-sitter's own: {share:.2} bytes per byte of source");
}

fn standard_library() -> Option<PathBuf> {
    let ask = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let output = Command::new("python3").args(["-c", ask]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim())).filter(|path| path.join("argparse.py").is_file())
}

fn tree_sitter_parser(language: &Language) -> tree_sitter::Parser {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language.grammar()).expect("a built-in grammar fits");
    parser
}

fn query(selector: &str, language: &'static Language) -> Query {
    let selector = Selector::parse(selector).expect("the selectors here are well formed");
    Query::new(&selector, language, &Definitions::default()).expect("the selectors here resolve")
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn run(state: &Path, words: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cst"));
    command.args(words).env("CST_STATE", state).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().expect("the binary runs").success());
}

fn row(what: &str, runs: usize, mut work: impl FnMut()) {
    work();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    println!("| {what} | {:.3} ms | {runs} |", times[runs / 2].as_secs_f64() * 1e3);
}
