//! The law of the partial parse: after an edit inside single statements, of which only these are parsed, the tree is that
//! of the whole text.
//!
//! Over Python's standard library, over the samples of the languages that have such statements, and over real files where
//! `CST_CORPUS` names folders of them (`CST_LAWS_COUNT` edits in each language, `CST_LAWS_ONLY` some of them).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use cst::language::{Detection, Language, Languages, detect};
use cst::text::{EditSet, Span, Text, TextEdit};
use cst::tree::{EditIntent, Node, ParseLimits, Tree, parsed_bytes};

/// Code that edits put in: some of it fits nearly everywhere, some breaks what it comes into, or what is around.
const CODE: &[&str] = &[
    "a",
    "a.b",
    "f(x, y)",
    "a == b",
    "(a)",
    "[a, b]",
    "{a: b}",
    "not a",
    "a if b else c",
    "lambda: a",
    "lambda x: (x, 1)",
    "*a",
    "a, b",
    "a = b",
    "a := b",
    "yield a",
    "await a",
    "'a'",
    "\"a\"",
    "f'{a}'",
    "'''a\nb'''",
    "\"\"\"",
    "'''",
    "'",
    "\"",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ",",
    ".",
    "\\",
    "\\\n",
    "\n",
    "\r\n",
    "\r",
    "\n    ",
    "\n\n",
    "\t",
    " ",
    "# a",
    "# a\n",
    "// a",
    "/* a */",
    "/*",
    "*/",
    "assert a",
    "assert a, b",
    "return a",
    "pass",
    "import a",
    "from a import b",
    "print >>a, b",
    "print a",
    "exec a",
    "match a",
    "match a:\n    case b: pass",
    "type a = b",
    "if a: b",
    "if a:\n    b",
    "else: a",
    "def f(): a",
    "class a: b",
    "@a",
    "async",
    "a\nb",
    "a; b",
    "a;",
    "int a = 1",
    "var a = 1;",
    "let a = 1;",
    "-",
    "+",
    "++",
    "<",
    ">",
    "a < b > (c)",
    "=> a",
    "=>",
    "function() { a; }",
    "é",
    "0",
    "",
];

/// The first of them, which are expressions in most languages.
const EXPRESSIONS: usize = 6;

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// What became of the edits in a language.
#[derive(Debug, Default)]
struct Count {
    tried: usize,
    sound: usize,
    /// Where only statements were parsed.
    partial: usize,
    wrong: Vec<String>,
}

/// The statements of a tree that can be parsed alone.
fn statements(tree: &Tree) -> Vec<Node> {
    let Some(rule) = &tree.language().spec().statements else { return Vec::new() };
    tree.table().nodes().filter(|&node| rule.types.contains(tree.table().type_id(node))).collect()
}

/// An edit of a node inside a statement, or of some bytes beside one.
fn random_edit(tree: &Tree, statements: &[Node], dice: &mut Dice) -> TextEdit {
    let table = tree.table();
    let statement = statements[dice.throw(statements.len())];
    let index = statement.index() + dice.throw(table.subtree_end(statement) - statement.index());
    let node = table.range(index, index + 1).next().expect("within the table");
    let span = table.span(node);
    if table.is_named(node) && node != statement && dice.throw(2) == 0 {
        return TextEdit::new(span, CODE[dice.throw(EXPRESSIONS)]);
    }
    let code = CODE[dice.throw(CODE.len())];
    let span = match dice.throw(8) {
        0 => Span::at(span.start()),
        1 => Span::at(span.end()),
        // A comment above it, or at the end of its line.
        2 => Span::at(tree.text().line_around(span.start()).start()),
        3 => Span::at(tree.text().line_around(span.end()).end()),
        _ => span,
    };
    TextEdit::new(span, code)
}

fn check(path: &Path, tree: &Tree, edits: usize, dice: &mut Dice, count: &mut Count) {
    let statements = statements(tree);
    if statements.is_empty() || !tree.is_sound() {
        return;
    }
    for _ in 0..edits {
        let many = 1 + dice.throw(3);
        let edits = (0..many).map(|_| random_edit(tree, &statements, dice)).collect();
        let Ok(edits) = EditSet::new(edits) else { continue };
        let before = parsed_bytes();
        let Ok(edited) = tree.edit(&edits, &EditIntent::default(), &ParseLimits::default()) else { continue };
        let parsed = parsed_bytes() - before;
        let new = edited.tree.text().clone();
        let length = new.len() as u64;
        let Ok(whole) = Tree::parse(new, tree.language(), &ParseLimits::default()) else { continue };
        count.tried += 1;
        count.sound += usize::from(whole.is_sound());
        count.partial += usize::from(parsed < length);
        let same = whole.table().column_bytes() == edited.tree.table().column_bytes();
        if !same && parsed < length {
            count.wrong.push(format!("{}: {edits:?}", path.display()));
        }
    }
}

fn load(path: &Path, language: &'static Language) -> Option<Tree> {
    let text = Text::decode(&std::fs::read(path).ok()?, None).ok()?;
    Tree::parse(text, language, &ParseLimits::default()).ok()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn a_partial_parse_is_the_parse_of_the_whole_in_the_samples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors");
    let samples: Vec<PathBuf> =
        files_below(&folder).into_iter().filter(|path| path.file_stem().is_some_and(|stem| stem == "sample")).collect();
    let mut partial = 0;
    for language in Languages::built_in().all() {
        if language.spec().statements.is_none() {
            continue;
        }
        let mut count = Count::default();
        for path in samples.iter().filter(|path| path.parent().is_some_and(|folder| folder.ends_with(language.name())))
        {
            let Some(tree) = load(path, language) else { continue };
            check(path, &tree, 150, &mut Dice(7), &mut count);
        }
        assert!(
            count.wrong.is_empty(),
            "{}: {} wrong:\n{}",
            language.name(),
            count.wrong.len(),
            count.wrong.join("\n")
        );
        assert!(count.partial >= 5, "{}: {count:?}", language.name());
        partial += count.partial;
    }
    assert!(partial >= 20, "{partial}");
}

#[test]
fn a_partial_parse_is_the_parse_of_the_whole_in_real_files() {
    const LARGEST: u64 = 40_000;
    let program = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let Ok(output) = Command::new("python3").args(["-c", program]).output() else {
        assert!(std::env::var_os("CI").is_none(), "python3 is not there");
        eprintln!("skipped: python3 is not there");
        return;
    };
    let python = Language::named("python").expect("it is built in");
    let files = files_below(Path::new(String::from_utf8_lossy(&output.stdout).trim()));
    // What is installed besides the standard library differs from machine to machine, and would change the sample.
    let is_small = |path: &&PathBuf| {
        !path.components().any(|part| part.as_os_str() == "site-packages")
            && path.extension().is_some_and(|extension| extension == "py")
            && std::fs::metadata(path).is_ok_and(|data| (1_000..LARGEST).contains(&data.len()))
    };
    let files: Vec<&PathBuf> = files.iter().filter(is_small).collect();
    let mut count = Count::default();
    for (number, path) in files.iter().step_by(files.len().div_ceil(60).max(1)).enumerate() {
        let Some(tree) = load(path, python) else { continue };
        check(path, &tree, 12, &mut Dice(number as u64), &mut count);
    }
    assert!(count.wrong.is_empty(), "{} wrong:\n{}", count.wrong.len(), count.wrong.join("\n"));
    assert!(count.partial >= 100, "{count:?}");
}

#[test]
fn a_partial_parse_is_the_parse_of_the_whole_in_a_corpus() {
    const LARGEST: u64 = 60_000;
    let Ok(folder) = std::env::var("CST_CORPUS") else { return };
    let only = std::env::var("CST_LAWS_ONLY").unwrap_or_default();
    let edits = std::env::var("CST_LAWS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    let mut by_language: BTreeMap<&str, (&'static Language, Vec<PathBuf>)> = BTreeMap::new();
    for path in folder.split(':').flat_map(|folder| files_below(Path::new(folder))) {
        let is_small = std::fs::metadata(&path).is_ok_and(|data| data.len() < LARGEST);
        if let Ok(Some(found)) = detect(Detection { path: &path.to_string_lossy(), head: "" })
            && is_small
            && found.spec().statements.is_some()
            && (only.is_empty() || only.split(',').any(|one| one == found.name()))
        {
            by_language.entry(found.name()).or_insert_with(|| (found, Vec::new())).1.push(path);
        }
    }
    let mut wrong = Vec::new();
    for (name, (language, files)) in by_language {
        const EACH: usize = 8;
        let mut count = Count::default();
        for (number, path) in files.iter().step_by(files.len().div_ceil(edits / EACH).max(1)).enumerate() {
            let Some(tree) = load(path, language) else { continue };
            check(path, &tree, EACH, &mut Dice(number as u64), &mut count);
        }
        println!(
            "{name}: {} tried, {} sound, {} partial, {} wrong",
            count.tried,
            count.sound,
            count.partial,
            count.wrong.len()
        );
        wrong.extend(count.wrong);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}
