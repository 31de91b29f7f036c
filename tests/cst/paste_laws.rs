//! The paste law: code that `show` gave, given back to `replace`, changes nothing; with one word changed, one word changes.
//!
//! Over all samples, and over real code where `CST_PASTE` names folders of it (`CST_PASTE_ONLY=go,rust` for some languages,
//! `CST_PASTE_COUNT` for the number of definitions of each, and of other nodes: 1,500). Definitions are the functions, methods and
//! classes of the outline.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cst::edit::{Allow, Op, apply};
use cst::language::{Detection, Language, detect};
use cst::outline::{Options, outline};
use cst::selector::Kinds;
use cst::text::{EditSet, Span, Text, TextEdit};
use cst::tree::{Node, ParseLimits, Tree};

/// What was tried in a language.
#[derive(Default)]
struct Counts {
    nodes: usize,
    definitions: usize,
    pastes: usize,
    /// Pastes refused, which break the law as those with another result do.
    refused: usize,
    words: usize,
    /// Words that mean something to the grammar: with another one, the file is another or broken.
    left_out: usize,
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

fn parse(text: Text, language: &'static Language) -> Option<Tree> {
    Tree::parse(text, language, &ParseLimits::default()).ok()
}

/// The functions, methods and classes that the outline lists, and other definitions and statements: scopes, nodes of
/// these kinds, and nodes in a body, a list or at top level.
fn targets(tree: &Tree) -> (Vec<Node>, Vec<Node>) {
    let (table, kinds) = (tree.table(), Kinds::new(tree));
    let role = |node: Node| tree.language().role(table.type_id(node));
    let stands = |node: Node| {
        let parent = table.parent(node).unwrap_or(Node::ROOT);
        parent == Node::ROOT || role(parent).body || role(parent).section || role(parent).list
    };
    let in_string = |node: Node| table.ancestors(node).any(|above| role(above).string);
    let counts = |&node: &Node| {
        table.is_named(node)
            && node != Node::ROOT
            && !table.has_error(node)
            && !table.is_extra(node)
            && !tree.node_text(node).trim().is_empty()
            && !in_string(node)
    };
    let kinds_of_definitions = vec!["function".to_owned(), "class".to_owned()];
    let listed = outline(tree, &Options { kinds: kinds_of_definitions, ..Options::default() });
    let mut definitions: Vec<Node> =
        listed.unwrap_or_default().into_iter().map(|row| row.node).filter(counts).collect();
    definitions.dedup();
    let is_other = |node: &Node| {
        let is_one = tree.is_scope(*node) || kinds.is(*node, "definition") || kinds.is(*node, "stmt") || stands(*node);
        is_one && definitions.binary_search(node).is_err()
    };
    let others = table.nodes().filter(counts).filter(is_other).collect();
    (definitions, others)
}

fn indentation(tree: &Tree, offset: usize) -> String {
    let line = tree.text().slice(tree.text().line_around(offset)).into_owned();
    let line = line.trim_start_matches('\x0c');
    line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned()
}

/// The starts of the lines of a node that start in a string.
fn lines_in_strings(tree: &Tree, node: Node) -> Vec<usize> {
    let (table, text) = (tree.table(), tree.text());
    let is_string = |&inner: &Node| tree.language().role(table.type_id(inner)).string;
    let strings = table.descendants(node).chain([node]).filter(is_string).map(|inner| table.span(inner));
    let lines = strings.flat_map(|span| (text.line_at(span.start()) + 1)..=text.line_at(span.end()));
    lines.map(|line| text.line_span(line).start()).collect()
}

/// The forms in which a node's code comes back: as JSON has it, as text has it, and from the left margin; with and without the `;`
/// that ends it.
fn forms(tree: &Tree, node: Node, code: &str) -> Vec<(&'static str, String)> {
    let start = tree.span(node).start();
    let base = indentation(tree, start);
    let fixed: Vec<usize> = lines_in_strings(tree, node).iter().map(|&line| tree.text().line_at(line)).collect();
    let first = tree.text().line_at(start);
    let margin = |(index, line): (usize, &str)| match fixed.contains(&(first + index)) || index == 0 {
        true => line.to_owned(),
        false => line.strip_prefix(base.as_str()).unwrap_or(line).to_owned(),
    };
    let mut forms = vec![("bare", code.to_owned())];
    if !base.is_empty() {
        forms.push(("indented", format!("{base}{code}")));
        let lines: Vec<String> = code.split('\n').enumerate().map(margin).collect();
        forms.push(("margin", lines.join("\n")));
    }
    forms
}

/// The file with a span's text replaced.
fn with(tree: &Tree, span: Span, word: &str) -> Text {
    tree.text().apply(&EditSet::new(vec![TextEdit::new(span, word)]).expect("one edit"))
}

/// Words of a node that may be another: one on its first line, one further down, one near its end.
fn words(tree: &Tree, node: Node) -> Vec<Span> {
    let table = tree.table();
    let is_word = |&inner: &Node| {
        let text = tree.node_text(inner);
        let mut letters = text.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            && table.is_named(inner)
            && table.subtree_end(inner) == inner.index() + 1
    };
    let found: Vec<Span> = table.descendants(node).filter(is_word).map(|inner| table.span(inner)).collect();
    let mut chosen: Vec<Span> =
        [0, found.len() / 2, found.len().saturating_sub(1)].iter().filter_map(|&at| found.get(at).copied()).collect();
    chosen.dedup();
    chosen
}

/// Whether two trees have the same nodes, at any place.
fn has_same_nodes(one: &Tree, other: &Tree) -> bool {
    let node = |tree: &Tree, node: Node| (tree.table().type_id(node), tree.table().subtree_end(node));
    one.table().len() == other.table().len() && one.table().nodes().all(|at| node(one, at) == node(other, at))
}

struct Law<'a> {
    tree: &'a Tree,
    path: &'a Path,
    counts: &'a mut Counts,
    wrong: &'a mut Vec<String>,
}

impl Law<'_> {
    fn holds_for(&mut self, node: Node) {
        let tree = self.tree;
        let span = tree.span(node);
        let code = tree.node_text(node).into_owned();
        for (form, code) in forms(tree, node, &code) {
            self.paste(node, form, &code, &tree.text().to_string());
        }
        let last = tree.table().smallest_around(Span::new(span.end() - 1, span.end()));
        let is_ended = !tree.table().is_named(last) && tree.type_name(last) == ";" && last != node;
        if let Some(without) = code.strip_suffix(';').filter(|rest| is_ended && !rest.trim().is_empty()) {
            self.paste(node, "without `;`", without, &tree.text().to_string());
        }
        let line_end = tree.text().line_around(span.end()).end();
        let rest = tree.text().slice(Span::new(span.end(), line_end.max(span.end()))).into_owned();
        if rest.starts_with(';') && !rest.starts_with(";;") && !code.ends_with(';') {
            self.paste(node, "with `;`", &format!("{code};"), &tree.text().to_string());
        }
        for word in words(tree, node) {
            let other = format!("{}zz", tree.text().slice(word));
            let expected = with(tree, word, &other);
            let Some(new) = parse(expected.clone(), tree.language()) else { continue };
            // A heredoc with another first word has no end, and a missing token is a node, too.
            if !new.is_sound() || !has_same_nodes(&new, tree) {
                self.counts.left_out += 1;
                continue;
            }
            self.counts.words += 1;
            let at = word.start() - span.start();
            let changed = format!("{}{other}{}", &code[..at], &code[at + word.len()..]);
            for (form, changed) in forms(tree, node, &changed) {
                self.paste(node, form, &changed, &expected.to_string());
            }
        }
    }

    fn paste(&mut self, node: Node, form: &str, code: &str, expected: &str) {
        self.counts.pastes += 1;
        let tree = self.tree;
        let op = Op::Replace { target: node, code: code.to_owned(), extent: None };
        let problem = match apply(tree, &[op], Allow::default(), &ParseLimits::default()) {
            Ok(outcome) if outcome.tree.text().to_string() == expected => return,
            Ok(outcome) => {
                let made = outcome.tree.text().to_string();
                let mut lines = made.lines().zip(expected.lines()).filter(|(made, expected)| made != expected);
                let (made, expected) = lines.next().unwrap_or(("(more or fewer lines)", ""));
                format!("{made:?} instead of {expected:?}")
            }
            Err(error) => {
                self.counts.refused += 1;
                error.to_string()
            }
        };
        let line = tree.text().line_at(tree.span(node).start());
        let (path, type_name) = (self.path.display(), tree.type_name(node));
        let short: String = code.chars().take(120).collect();
        self.wrong.push(format!("{path}:{line} {type_name} {form}: {problem}\n    {short:?}"));
    }
}

/// How many definitions of a file are tried, and how many other nodes.
#[derive(Clone, Copy)]
struct Most {
    definitions: usize,
    others: usize,
}

/// Some of the nodes, spread over the file.
fn spread(nodes: &[Node], most: usize) -> impl Iterator<Item = Node> + '_ {
    let step = nodes.len().div_ceil(most.max(1)).max(1);
    nodes.iter().copied().step_by(step).take(most)
}

fn check(path: &Path, language: &'static Language, most: Most, counts: &mut Counts, wrong: &mut Vec<String>) {
    let Some(text) = std::fs::read(path).ok().and_then(|bytes| Text::decode(&bytes, None).ok()) else { return };
    let Some(tree) = parse(text, language).filter(Tree::is_sound) else { return };
    let (definitions, others) = targets(&tree);
    for node in spread(&definitions, most.definitions) {
        counts.nodes += 1;
        counts.definitions += 1;
        Law { tree: &tree, path, counts: &mut *counts, wrong: &mut *wrong }.holds_for(node);
    }
    for node in spread(&others, most.others) {
        counts.nodes += 1;
        Law { tree: &tree, path, counts: &mut *counts, wrong: &mut *wrong }.holds_for(node);
    }
}

fn report(counts: &BTreeMap<&str, Counts>, wrong: usize) {
    for (name, Counts { nodes, definitions, pastes, refused, words, left_out }) in counts {
        println!(
            "{name:12} {nodes} nodes, {definitions} definitions, {words} words, {pastes} pastes, {refused} refused; {left_out} words left out"
        );
    }
    println!("{wrong} pastes break the law");
}

fn assert_none(wrong: &[String]) {
    let shown = std::env::var("CST_PASTE_SHOW").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    assert!(wrong.is_empty(), "{} pastes wrong:\n{}", wrong.len(), wrong[..wrong.len().min(shown)].join("\n"));
}

#[test]
fn what_was_shown_can_be_pasted_back_in_every_sample() {
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    let only = std::env::var("CST_PASTE_ONLY").unwrap_or_default();
    for language in Language::all() {
        if !only.is_empty() && !only.split(',').any(|one| one == language.name()) {
            continue;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
        let is_sample = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "sample");
        for path in files_below(&folder).into_iter().filter(is_sample) {
            let most = Most { definitions: 60, others: 60 };
            check(&path, language, most, counts.entry(language.name()).or_insert_with(Counts::default), &mut wrong);
        }
    }
    report(&counts, wrong.len());
    assert_none(&wrong);
    let all: usize = counts.values().map(|counts| counts.pastes).sum();
    assert!(!only.is_empty() || all > 8_000, "{all} pastes");
    assert!(counts.values().all(|counts| counts.nodes >= 5), "each sample has nodes");
}

#[test]
fn what_was_shown_can_be_pasted_back_in_real_code() {
    const LARGEST: u64 = 40_000;
    let Ok(folders) = std::env::var("CST_PASTE") else { return };
    let only = std::env::var("CST_PASTE_ONLY").unwrap_or_default();
    let wanted = std::env::var("CST_PASTE_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(1500);
    let mut by_language: BTreeMap<&'static str, (&'static Language, Vec<PathBuf>)> = BTreeMap::new();
    for path in folders.split(':').flat_map(|folder| files_below(Path::new(folder))) {
        if std::fs::metadata(&path).is_ok_and(|data| data.len() < LARGEST)
            && let Ok(Some(found)) = detect(Detection { path: &path.to_string_lossy(), head: "" })
            && (only.is_empty() || only.split(',').any(|one| one == found.name()))
        {
            by_language.entry(found.name()).or_insert_with(|| (found, Vec::new())).1.push(path);
        }
    }
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    for (name, (language, files)) in by_language {
        let counts: &mut Counts = counts.entry(name).or_default();
        let each = (wanted * 2 / files.len().max(1)).clamp(4, 60);
        let step = (files.len() * each / (wanted * 2)).max(1);
        for path in files.iter().step_by(step) {
            let left = |tried: usize| wanted.saturating_sub(tried);
            // Definitions are rarer than other nodes, so that all of a file count.
            let definitions = left(counts.definitions).min(each * 4);
            let others = left(counts.nodes - counts.definitions).min(each);
            if definitions + others == 0 {
                break;
            }
            check(path, language, Most { definitions, others }, counts, &mut wrong);
        }
    }
    report(&counts, wrong.len());
    assert_none(&wrong);
}
