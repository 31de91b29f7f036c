//! What is true of every edit, in every first-class language: over its sample, and over real files where `CST_CORPUS` names a
//! folder of them (a thousand operations a language; `CST_LAWS_SHOW=delete` prints what was refused).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cst::edit::{Allow, Op, Outcome, Position, apply};
use cst::language::{Detection, Language, detect};
use cst::text::{Span, Text};
use cst::tree::{Node, ParseLimits, Tree};

/// The first-class languages, with code around a statement.
const LANGUAGES: &[(&str, &str)] = &[
    ("python", "if cst_w:\n    $0"),
    ("javascript", "if (cst_w) {\n    $0\n}"),
    ("typescript", "if (cst_w) {\n    $0\n}"),
    ("tsx", "if (cst_w) {\n    $0\n}"),
    ("rust", "if cst_w {\n    $0\n}"),
    ("go", "if cst_w {\n    $0\n}"),
    ("c", "if (cst_w) {\n    $0\n}"),
    ("cpp", "if (cst_w) {\n    $0\n}"),
    ("java", "if (cst_w) {\n    $0\n}"),
    ("csharp", "if (cst_w) {\n    $0\n}"),
    ("php", "if ($cst_w) {\n    $0\n}"),
    ("swift", "if cst_w {\n    $0\n}"),
    ("kotlin", "if (cst_w) {\n    $0\n}"),
    ("scala", "if (cst_w) {\n    $0\n}"),
    ("objc", "if (cst_w) {\n    $0\n}"),
    ("ruby", "if cst_w\n    $0\nend"),
    ("bash", "if cst_w; then\n    $0\nfi"),
];

const VERBS: &[&str] = &["same", "delete", "insert", "first_last", "move", "replace", "wrap", "unwrap"];

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> Option<T> {
        if values.is_empty() { None } else { Some(values[self.throw(values.len())]) }
    }
}

/// What became of the operations of a language.
#[derive(Default)]
struct Counts {
    tried: BTreeMap<&'static str, usize>,
    refused: BTreeMap<&'static str, usize>,
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

/// The sample of a language.
fn sample(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language);
    let is_sample = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "sample");
    files_below(&folder).into_iter().filter(is_sample).collect()
}

fn load(language: &'static Language, path: &Path) -> Option<Tree> {
    let text = Text::decode(&std::fs::read(path).ok()?, None).ok()?;
    Tree::parse(text, language, &ParseLimits::default()).ok()
}

fn is_list(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).list
}

/// Nodes in a body or list, grouped by container.
fn members(tree: &Tree) -> Vec<Node> {
    let table = tree.table();
    let role = |node: Node| tree.language().role(table.type_id(node));
    let is_member = |&node: &Node| {
        let Some(parent) = table.parent(node) else { return false };
        let own = role(node);
        let holds = (role(parent).body && !role(parent).outer_body)
            || role(parent).section
            || role(parent).list
            || parent == Node::ROOT;
        let header = node <= header_end(tree, parent) || is_beside(tree, parent, node);
        let in_string = table.ancestors(node).any(|above| role(above).string || table.is_error(above));
        holds
            && table.is_named(node)
            && !own.comment
            && !own.leading
            && !own.clause
            && !own.list
            && !header
            && !in_string
            && !own.body
            && !table.is_extra(node)
            && !table.has_error(node)
            && !tree.node_text(node).trim().is_empty()
    };
    table.nodes().filter(is_member).collect()
}

/// Whether a body is that of a class: its content is not statements.
fn holds_members(tree: &Tree, body: Node) -> bool {
    let mut above = tree.table().ancestors(body).filter(|&above| tree.is_scope(above));
    let counts = !tree.language().data().params.is_empty();
    above.next().is_none_or(|scope| counts && tree.params(scope).is_none())
}

/// The last child before a section's statements.
fn header_end(tree: &Tree, parent: Node) -> Node {
    let data = tree.language().data();
    let tokens = data.sections.get(tree.type_name(parent));
    let after = data.body_after.get(tree.type_name(parent));
    let is_token = |child: &Node| {
        let word = tree.type_name(*child);
        tokens.is_some_and(|tokens| tokens.iter().any(|token| token == word))
            || after.is_some_and(|after| after.iter().any(|token| token == word))
    };
    tree.table().children(parent).filter(is_token).last().unwrap_or(parent)
}

/// Whether a node is not one of its parent's elements: a header, a type before the names of a declaration.
fn is_beside(tree: &Tree, parent: Node, node: Node) -> bool {
    let data = tree.language().data();
    let (type_name, field) = (tree.type_name(node), tree.field_name(node));
    let of_list = data.lists.get(tree.type_name(parent)).is_some_and(|rule| {
        rule.field.as_ref().is_some_and(|wanted| wanted != field)
            || (!rule.only.is_empty() && !rule.only.iter().any(|wanted| wanted == type_name))
    });
    of_list
        || data.header_fields.iter().any(|header| header == field)
        || data.imports.first.iter().any(|first| first == type_name)
}

fn random(dice: &mut Dice, tree: &Tree, members: &[Node], verb: &str, wrap: &str) -> Option<Op> {
    let table = tree.table();
    let target = dice.of(members)?;
    let parent = table.parent(target)?;
    let extent = None;
    // Another node of the same kind of place.
    let like = |node: &Node| {
        table.parent(*node).is_some_and(|other| table.type_id(other) == table.type_id(parent))
            && (!is_list(tree, parent) || table.field(*node) == table.field(target))
    };
    let others: Vec<Node> = members.iter().copied().filter(like).collect();
    let other = dice.of(&others)?;
    let code = tree.node_text(other).into_owned();
    Some(match verb {
        "same" => Op::Replace { target, code: tree.node_text(target).into_owned(), extent },
        "delete" => Op::Delete { target, extent },
        "insert" => {
            let position = if dice.throw(2) == 0 { Position::Before } else { Position::After };
            Op::Insert { target, position, code, extent }
        }
        "first_last" => {
            let position = if dice.throw(2) == 0 { Position::First } else { Position::Last };
            Op::Insert { target: parent, position, code, extent }
        }
        "move" => {
            let position = if dice.throw(2) == 0 { Position::Before } else { Position::After };
            Op::Move { target, position, to: other, extent }
        }
        "replace" if table.type_id(other) == table.type_id(target) => Op::Replace { target, code, extent },
        "wrap"
            if !is_list(tree, parent)
                && parent != Node::ROOT
                && !holds_members(tree, parent)
                && !tree.is_scope(target) =>
        {
            Op::Wrap { target, code: wrap.to_owned(), extent }
        }
        "unwrap" if tree.body(target).is_some() && !tree.is_scope(target) => Op::Unwrap { target },
        _ => return None,
    })
}

fn nodes_of(op: &Op) -> Vec<Node> {
    match op {
        Op::Replace { target, .. } | Op::Delete { target, .. } | Op::Wrap { target, .. } | Op::Unwrap { target } => {
            vec![*target]
        }
        Op::Insert { target, .. } => vec![*target],
        Op::Move { target, to, .. } => vec![*target, *to],
        _ => Vec::new(),
    }
}

fn describe(tree: &Tree, op: &Op) -> String {
    let words: Vec<String> = nodes_of(op)
        .iter()
        .map(|&node| {
            let line = tree.text().line_at(tree.span(node).start());
            let text: String = tree.node_text(node).chars().take(60).collect();
            let parent = tree.table().parent(node).map_or("", |parent| tree.type_name(parent));
            format!("{} in {parent} line {line} {text:?}", tree.type_name(node))
        })
        .collect();
    let verb = format!("{op:?}");
    let more = match op {
        Op::Insert { position, code, .. } => format!("{position:?} {:?}", code.chars().take(80).collect::<String>()),
        Op::Move { position, .. } => format!("{position:?}"),
        Op::Replace { code, .. } => format!("{:?}", code.chars().take(80).collect::<String>()),
        _ => String::new(),
    };
    format!("{} {} {more}", verb.split(' ').next().unwrap_or_default(), words.join(" | "))
}

/// The laws that an accepted operation breaks.
fn broken_laws(tree: &Tree, op: &Op, outcome: &Outcome) -> Vec<String> {
    let mut broken = Vec::new();
    let new = &outcome.tree;
    let table = tree.table();
    let fresh = Tree::parse(new.text().clone(), tree.language(), &ParseLimits::default()).expect("parses");
    if fresh.table().shape() != new.table().shape() {
        broken.push("the incremental parse differs".to_owned());
    }
    if tree.is_sound() && !fresh.is_sound() {
        broken.push("a new syntax error".to_owned());
    }
    if let Op::Replace { target, code, .. } = op
        && *code == tree.node_text(*target)
        && !outcome.edits.is_empty()
    {
        broken.push("its own text changed something".to_owned());
    }
    // Undo.
    let back = outcome.edits.inverse(tree.text());
    if new.text().apply(&back).to_string() != tree.text().to_string() {
        broken.push("it cannot be undone".to_owned());
    }
    // Ids: the same node, or none; and what no edit touched, and nothing carried away, has its own.
    let touched: Vec<Span> = outcome.edits.iter().map(|edit| edit.span).collect();
    let moves = matches!(op, Op::Move { .. });
    let is_same =
        |old: Node, now: Node| new.type_name(now) == tree.type_name(old) && new.node_text(now) == tree.node_text(old);
    for old in table.nodes().filter(|&old| table.is_named(old) && table.subtree_end(old) == old.index() + 1) {
        let span = tree.span(old);
        let is_touched =
            span.is_empty() || touched.iter().any(|edit| edit.start() < span.end() && span.start() < edit.end());
        match new.node(tree.id(old)) {
            Some(now) if !matches!(op, Op::Replace { .. }) && !is_same(old, now) => {
                broken.push(format!("an id went from {:?} to {:?}", tree.node_text(old), new.node_text(now)));
            }
            None if !is_touched && !moves && tree.is_sound() => {
                broken.push(format!("{} {:?} lost its id", tree.type_name(old), tree.node_text(old)));
            }
            _ => {}
        }
    }
    // Tidiness: no white space is left at a line's end, and blank lines don't pile up.
    let trailing = |text: &str| text.lines().filter(|line| line.ends_with([' ', '\t'])).count();
    let (before, after) = (tree.text().to_string(), new.text().to_string());
    let brings = match op {
        Op::Insert { code, .. } | Op::Replace { code, .. } => trailing(code) + usize::from(code.ends_with([' ', '\t'])),
        _ => 0,
    };
    if trailing(&after) > trailing(&before) + brings {
        broken.push("white space at a line's end".to_owned());
    }
    let opens_blank = |text: &str| {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let pairs = lines.windows(2);
        pairs
            .filter(|pair| {
                (pair[0].ends_with('{') && pair[1].is_empty()) || (pair[0].is_empty() && pair[1].starts_with('}'))
            })
            .count()
    };
    if matches!(op, Op::Delete { .. } | Op::Move { .. }) && opens_blank(&after) > opens_blank(&before) {
        broken.push("a blank line beside a brace".to_owned());
    }
    broken
}

/// Random operations on the files of a language.
fn run(
    language: &'static Language,
    wrap: &str,
    files: &[PathBuf],
    operations: usize,
    wrong: &mut Vec<String>,
) -> Counts {
    let mut counts = Counts::default();
    let shown = std::env::var("CST_LAWS_SHOW").unwrap_or_default();
    let each = operations.div_ceil(files.len().max(1)).max(8);
    let step = (files.len() * each / operations.max(1)).max(1);
    for (index, path) in files.iter().enumerate().filter(|(index, _)| index % step == 0) {
        let Some(tree) = load(language, path) else { continue };
        let members = members(&tree);
        let mut dice = Dice(index as u64 + 11);
        for nth in 0..each {
            let verb = VERBS[(nth + index) % VERBS.len()];
            let Some(op) = random(&mut dice, &tree, &members, verb, wrap) else { continue };
            *counts.tried.entry(verb).or_default() += 1;
            let what = || format!("{} {}", path.display(), describe(&tree, &op));
            match apply(&tree, std::slice::from_ref(&op), Allow::default(), &ParseLimits::default()) {
                Ok(outcome) => {
                    wrong.extend(broken_laws(&tree, &op, &outcome).into_iter().map(|law| format!("{}: {law}", what())));
                }
                Err(error) => {
                    *counts.refused.entry(verb).or_default() += 1;
                    if !shown.is_empty() && shown.contains(verb) {
                        println!("REFUSED {}: {error}\n", what());
                    }
                }
            }
        }
    }
    counts
}

fn report(name: &str, counts: &Counts) -> (usize, usize) {
    let mut line = format!("{name:12}");
    let (mut tried, mut refused) = (0, 0);
    for verb in VERBS {
        let (all, no) = (counts.tried.get(verb).unwrap_or(&0), counts.refused.get(verb).unwrap_or(&0));
        line.push_str(&format!(" {verb} {}/{all}", all - no));
        tried += all;
        refused += no;
    }
    println!("{line}   refused {refused} of {tried}");
    (tried, refused)
}

#[test]
fn random_edits_of_the_samples_keep_the_laws() {
    let mut wrong = Vec::new();
    for (name, wrap) in LANGUAGES {
        let Ok(language) = Language::named(name) else { continue };
        let files = sample(name);
        let counts = run(language, wrap, &files, 48, &mut wrong);
        let (tried, refused) = report(name, &counts);
        assert!(files.is_empty() || refused * 2 < tried, "{name}: {refused} of {tried} refused");
    }
    assert!(wrong.is_empty(), "{} laws broken:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n\n"));
}

#[test]
fn random_edits_of_real_files_keep_the_laws() {
    const LARGEST: u64 = 60_000;
    let Ok(folder) = std::env::var("CST_CORPUS") else { return };
    let only = std::env::var("CST_LAWS_ONLY").unwrap_or_default();
    let mut by_language: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in folder.split(':') {
        for path in files_below(Path::new(folder)) {
            if std::fs::metadata(&path).is_ok_and(|data| data.len() < LARGEST)
                && let Ok(Some(found)) = detect(Detection { path: &path.to_string_lossy(), head: "" })
            {
                by_language.entry(found.name().to_owned()).or_default().push(path);
            }
        }
    }
    let mut wrong = Vec::new();
    for (name, wrap) in LANGUAGES.iter().filter(|(name, _)| only.is_empty() || only.split(',').any(|one| one == *name))
    {
        let (Ok(language), Some(files)) = (Language::named(name), by_language.get(*name)) else { continue };
        let operations = std::env::var("CST_LAWS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(1000);
        let counts = run(language, wrap, files, operations, &mut wrong);
        report(name, &counts);
    }
    println!("{} laws broken", wrong.len());
    assert!(wrong.is_empty(), "{} laws broken:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n\n"));
}

/// Inserting code and deleting what was made, and moving a node and moving it back, over the members of all blocks and lists.
///
/// A body on one line is taken apart when code comes into it, and blank lines follow the neighbours, so that the text may come back with
/// other white space; comments that belong to no statement stay when it goes past them. All else is the identity.
#[test]
fn insert_and_delete_and_move_and_back_are_the_identity() {
    const STEP: usize = 3;
    let shown = std::env::var("CST_LAWS_SHOW").is_ok();
    let limits = ParseLimits::default();
    let (mut done, mut refused, mut languages) = (BTreeMap::new(), 0, 0);
    let (mut spaced, mut wrong) = (0, Vec::new());
    for (name, _) in LANGUAGES {
        let language = Language::named(name).unwrap();
        let mut all = 0;
        for tree in sample(name).iter().filter_map(|path| load(language, path)) {
            let table = tree.table();
            let words = |text: &str| text.split_whitespace().collect::<String>();
            let mut by_parent: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
            for member in members(&tree) {
                by_parent.entry(table.parent(member).unwrap()).or_default().push(member);
            }
            let mut run = |verb: &'static str, node: Node, first: &Op, back: &dyn Fn(&Outcome) -> Option<Op>| {
                let found =
                    apply(&tree, std::slice::from_ref(first), Allow::default(), &limits).ok().and_then(|outcome| {
                        let second = back(&outcome)?;
                        apply(&outcome.tree, &[second], Allow::default(), &limits).ok()
                    });
                let Some(found) = found else {
                    refused += 1;
                    return;
                };
                *done.entry(verb).or_insert(0) += 1;
                all += 1;
                let (before, after) = (tree.text().to_string(), found.tree.text().to_string());
                if before == after {
                    return;
                }
                let what = describe(&tree, &Op::Delete { target: node, extent: None });
                let diff = cst::text::unified("sample", tree.text(), found.tree.text());
                if words(&before) == words(&after) {
                    spaced += 1;
                } else {
                    wrong.push(format!("{name} {verb} {what}\n{diff}"));
                }
            };
            for siblings in by_parent.values() {
                for (nth, &target) in siblings.iter().enumerate().filter(|(_, node)| node.index() % STEP == 0) {
                    let code = tree.node_text(target).into_owned();
                    let insert = Op::Insert { target, position: Position::After, code, extent: None };
                    let delete = |outcome: &Outcome| match outcome.operations[0].nodes[..] {
                        [target] => Some(Op::Delete { target, extent: None }),
                        _ => None,
                    };
                    run("insert", target, &insert, &delete);
                    let Some(&next) = siblings.get(nth + 1) else { continue };
                    let there = Op::Move { target, position: Position::After, to: next, extent: None };
                    let back = |outcome: &Outcome| {
                        let image = |node: Node| outcome.tree.node(tree.id(node));
                        Some(Op::Move {
                            target: image(target)?,
                            position: Position::Before,
                            to: image(next)?,
                            extent: None,
                        })
                    };
                    run("move", target, &there, &back);
                }
            }
        }
        languages += usize::from(all > 50);
    }
    let total: usize = done.values().sum();
    println!(
        "{languages} languages, {done:?}, {refused} refused, {spaced} with other white space, {} others",
        wrong.len()
    );
    if shown {
        wrong.iter().for_each(|what| println!("{what}"));
    }
    assert!(languages >= 16 && total > 1_500, "{languages} languages, {done:?}");
    assert!(refused * 20 < total, "{refused} refused of {total}");
    assert!(spaced * 12 < total, "{spaced} of {total} with other white space");
    assert!(wrong.len() * 40 < total, "{} of {total}, the first:\n{}", wrong.len(), wrong[0]);
}
