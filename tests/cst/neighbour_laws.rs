//! The neighbour law: an accepted edit leaves every node that it didn't name under the same parent, wrappers and attachments included,
//! and every definition there that it didn't name.
//!
//! Old and new text are parsed apart, and nodes are found again by their bytes alone, through the edits of the text. What the
//! editor itself believes to have become of a node plays no part. Over the samples always; over real files where `CST_CORPUS`
//! names folders of them: `CST_LAWS_COUNT` edits in each language (1,000), of `CST_LAWS_ONLY` alone if that is set; another
//! `CST_LAWS_SEED` makes other edits.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use cst::edit::{Allow, Extent, Op, Outcome, Position, apply};
use cst::language::{Detection, Language, detect};
use cst::text::{Span, Text};
use cst::tree::{Node, ParseLimits, Tree};

use crate::error_code::error_code;

/// The first-class languages, and one more.
pub(super) const LANGUAGES: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "rust",
    "go",
    "c",
    "cpp",
    "java",
    "csharp",
    "php",
    "swift",
    "kotlin",
    "scala",
    "objc",
    "ruby",
    "bash",
];

/// Code that is whole only together with what comes after it, that breaks off, or that fits hardly anywhere.
const NASTY: &[&str] = &[
    "@dec",
    "@Dec(1)",
    "#[b]",
    "[A]",
    "[[a]]",
    "L:",
    "l@",
    "'l:",
    "export default",
    "export",
    "static",
    "async",
    "pub",
    "template <class T>",
    "extern \"C\"",
    "/** d */",
    "/// d",
    "// d",
    "# d",
    "else",
    "else:",
    "x +",
    "(",
    ")",
    "{",
    "}",
    "return",
    "if (x)",
    "if x",
    "if x:",
    "while (x)",
    "for (;;)",
    "do",
    "=",
    "a, b",
    "a; b",
    "\"s\"",
    "1",
    "not",
    "-",
    "!",
    "case 1:",
    "final",
    "abstract",
    "public",
    "private:",
    "unless x",
    "begin",
    "end",
    "typedef",
    "struct",
    "const",
    "var",
    "let",
    "in",
    "@",
    "new",
    "throw",
    "yield",
    "await",
    "*",
    "&",
    "...",
    "a.b",
    "f(",
    "]",
    "x = 1",
    "x",
    "f()",
    "declare",
    "namespace N;",
    "open",
    "override",
    "@objc",
    "private",
    "def f",
    "class C",
    "fun f()",
    "default",
    "try",
    "x ?",
    "x :",
    ",",
    ";",
    "\\",
    "'",
    "`",
    "<T>",
    "goto L;",
    "__attribute__((a))",
    "enum",
    "import",
];

/// Numbers that look random and are the same each time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    pub(super) fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.throw(values.len())]
    }
}

fn counts(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    table.is_named(node)
        && !table.is_extra(node)
        && !tree.is_comment(node)
        && !table.is_error(node)
        && !table.span(node).is_empty()
}

/// A random operation on any node, likely one in a block or list.
fn random(dice: &mut Dice, tree: &Tree, nodes: &[Node], members: &[Node]) -> Op {
    let any =
        |dice: &mut Dice| if dice.throw(3) > 0 && !members.is_empty() { dice.of(members) } else { dice.of(nodes) };
    let target = any(dice);
    let extent = dice.of(&[None, None, None, Some(Extent::Node), Some(Extent::Full)]);
    let code = if dice.throw(4) > 0 {
        dice.of(NASTY).to_owned()
    } else {
        tree.node_text(any(dice)).chars().take(400).collect()
    };
    let code = if dice.throw(8) == 0 { format!("{code}\n{}", dice.of(NASTY)) } else { code };
    let position = dice.of(&[Position::Before, Position::After, Position::First, Position::Last]);
    match dice.throw(12) {
        0..=3 => Op::Replace { target, code, extent },
        4..=6 => Op::Insert { target, position, code, extent },
        7 | 8 => Op::Delete { target, extent },
        9 => Op::Move { target, position, to: any(dice), extent },
        10 => {
            let template = dice.of(&["$0", "$0\n", "if (x) {\n    $0\n}", "if x:\n    $0", "f($0)", "{ $0 }"]);
            let code = match dice.throw(3) {
                0 => format!("{code}\n{template}"),
                1 => format!("{template}\n{code}"),
                _ => template.to_owned(),
            };
            Op::Wrap { target, code, extent }
        }
        _ => Op::Unwrap { target },
    }
}

/// What an operation names, and the bytes of what it may change with all that is in it.
fn named(tree: &Tree, op: &Op) -> (Vec<Node>, Vec<Span>) {
    let whole = |target: Node| {
        let table = tree.table();
        let mut unit = tree.outermost_wrapper(target);
        // A part that is all of what it is in is that, too: the only name of an import.
        while let Some(parent) = table.parent(unit).filter(|&parent| {
            let role = tree.language().role(table.type_id(parent));
            let only = table.children(parent).filter(|&child| counts(tree, child)).count() == 1;
            only && parent != Node::ROOT && (!role.body || role.list)
        }) {
            unit = parent;
        }
        let first = tree.attachments().leading(table, unit).next().unwrap_or(unit);
        let comments =
            tree.comments_above(first).into_iter().chain(tree.comments_above(unit)).map(|node| tree.span(node));
        comments.fold(tree.span(first).join(tree.span(unit)), Span::join)
    };
    match op {
        Op::Insert { target, .. } => (vec![*target], Vec::new()),
        Op::Move { target, to, .. } => (vec![*target, *to], vec![whole(*target)]),
        Op::Replace { target, .. } | Op::Delete { target, .. } | Op::Wrap { target, .. } | Op::Unwrap { target } => {
            (vec![*target], vec![whole(*target)])
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// Old bytes in the new text; `None` where an edit lies among them.
struct Places<'a> {
    outcome: &'a Outcome,
    new: Vec<Span>,
}

impl Places<'_> {
    fn of(&self, span: Span) -> Option<Span> {
        let (mut added, mut removed) = (0, 0);
        for (edit, new) in self.outcome.edits.iter().zip(&self.new) {
            if edit.span.start() >= span.end() {
                break;
            }
            let before = edit.span.end() <= span.start();
            if !before {
                return None;
            }
            added += new.len();
            removed += edit.span.len();
        }
        Some(Span::new(span.start() + added - removed, span.end() + added - removed))
    }
}

/// The laws that an accepted operation breaks.
fn broken(old: &Tree, op: &Op, outcome: &Outcome) -> Vec<String> {
    let mut broken = Vec::new();
    let limits = ParseLimits::default();
    let new = Tree::parse(outcome.tree.text().clone(), old.language(), &limits).expect("parses");
    let (table, language) = (old.table(), old.language());
    let places = Places { outcome, new: outcome.edits.new_spans() };
    let (targets, contents) = named(old, op);
    let in_content = |span: Span| contents.iter().any(|content| content.contains(span));
    let mut found: HashMap<(usize, usize, u16), Node> = HashMap::new();
    for node in new.table().nodes() {
        let span = new.span(node);
        // Of several of one type with the same bytes, the innermost; as in the old tree below.
        found.insert((span.start(), span.end(), new.table().type_id(node)), node);
    }
    let solid_of = |node: Node| {
        let span = old.span(node);
        Span::new(span.start(), span.start() + old.node_text(node).trim_end().len())
    };
    let is_target = |node: Node| {
        targets.iter().any(|&target| {
            // What has no other text than the target goes where it goes: the `statement_list` of Go's `{ return x }`, when `return x` is
            // wrapped in `if`, or code is inserted before it.
            let adopter = old.attachments().adopter(target).unwrap_or(target);
            let starts_alike = old.span(node).start() == old.span(target).start();
            starts_alike && solid_of(node) == solid_of(target) || tree_chain(old, adopter).contains(&node)
        })
    };
    let between = |start: usize, end: usize| {
        let words = || old.text().slice(Span::new(start, end)).into_owned();
        start <= end && words().chars().all(|letter| letter.is_whitespace() || ";,".contains(letter))
    };
    // What comes above a comment is in the body that begins below it, in Ruby: `class A`, `# About f`, `def f`.
    let only_comments = |start: usize, end: usize| {
        let range = table.range(table.first_from(start), table.len());
        let inside = range.take_while(|&node| old.span(node).start() < end);
        start <= end
            && inside
                .into_iter()
                .all(|node| old.is_comment(node) || table.ancestors(node).any(|above| old.is_comment(above)))
    };
    let line = |node: Node| old.text().line_at(old.span(node).start());
    let shown = |tree: &Tree, node: Node| {
        tree.node_text(node).lines().next().unwrap_or("").chars().take(40).collect::<String>()
    };
    for node in table.nodes().filter(|&node| node != Node::ROOT && counts(old, node)) {
        let span = old.span(node);
        let parent = table.parent(node).unwrap_or(Node::ROOT);
        // A statement of nothing: where C++ is read as Objective-C, `a::B{}` ends before its `;`, which then ends what replaces it.
        if old.node_text(node) == ";" {
            continue;
        }
        if in_content(span) || table.has_error(parent) && table.ancestors(node).any(|above| table.is_error(above)) {
            continue;
        }
        let solid = old.node_text(node).trim_end().len();
        let solid = Span::new(span.start(), span.start() + solid);
        if is_target(node) {
            continue;
        }
        let Some(place) = places.of(solid).and_then(|_| places.of(span).or(places.of(solid))) else { continue };
        let type_id = table.type_id(node);
        // White space at an end may belong to a node or not.
        let start = place.start();
        let text_length = solid.len();
        let same = found.get(&(place.start(), place.end(), type_id)).copied().or_else(|| {
            let range = new.table().range(new.table().first_from(start), new.table().len());
            let here = range.take_while(|&other| new.span(other).start() == start);
            here.filter(|&other| new.table().type_id(other) == type_id).find(|&other| {
                new.node_text(other).trim_end().trim_end_matches([';', ',']).len() == text_length
                    || new.node_text(other).trim_end().len() == text_length
            })
        });
        let Some(image) = same else {
            // What ends with a comment, or takes in comments, may be longer or shorter.
            let range = new.table().range(new.table().first_from(start), new.table().len());
            let mut here = range.take_while(|&other| new.span(other).start() == start);
            // What is inserted at an end of a node may be a part of it, where the node holds what was named or is in it. It may
            // replace a space: `{ return x }` becomes several lines when a statement comes first.
            let is_blank = |span: Span| old.text().slice(span).trim().is_empty();
            let inserted = outcome.edits.iter().any(|edit| {
                is_blank(edit.span)
                    && (between(edit.span.end(), span.start())
                        || only_comments(edit.span.end(), span.start())
                        || between(solid.end(), edit.span.start()))
            });
            let related =
                targets.iter().any(|&target| span.contains(old.span(target)) || table.is_within(node, target));
            if inserted && related {
                continue;
            }
            let longer = here.any(|other| {
                new.table().type_id(other) == type_id && only_comments_more(&new, other, start + text_length)
            });
            if !longer {
                broken.push(format!(
                    "the {} `{}` of line {} is gone",
                    old.type_name(node),
                    shown(old, node),
                    line(node)
                ));
            }
            continue;
        };
        let new_parent = new.table().parent(image).unwrap_or(Node::ROOT);
        let holds_content =
            table.children(parent).any(|child| contents.iter().any(|content| content.overlaps(old.span(child))));
        let alike = |above: Node| table.type_id(above) == new.table().type_id(new_parent);
        // Without one of its parts what holds a node may be of another type: a parameter without its default value.
        let in_same = || {
            let outer =
                |tree: &Tree, node: Node| tree.table().parent(node).map(|outer| tree.type_name(outer).to_owned());
            let is_solid =
                |tree: &Tree, holder: Node| tree.span(holder).start() == tree.span(first_child(tree, holder)).start();
            is_solid(old, parent) && is_solid(&new, new_parent) && outer(old, parent) == outer(&new, new_parent)
        };
        let is_same = alike(parent) || holds_content && (table.ancestors(parent).take(3).any(alike) || in_same());
        if !is_same {
            broken.push(format!(
                "the {} `{}` of line {} went from {} into {}",
                old.type_name(node),
                shown(old, node),
                line(node),
                old.type_name(parent),
                new.type_name(new_parent),
            ));
            continue;
        }
        // From its first word on: Ruby's `then` begins with the line's end before it, and without its first statement further down.
        let blank = |tree: &Tree, node: Node| {
            let text = tree.node_text(node);
            tree.span(node).start() + text.len() - text.trim_start().len()
        };
        let first = blank(old, parent);
        let starts_here = Span::new(first, first + 1);
        let at_start = outcome.edits.iter().any(|edit| {
            let holds = edit.span.start() <= starts_here.start() && starts_here.start() <= edit.span.end();
            holds
                || between(edit.span.end(), starts_here.start())
                || only_comments(edit.span.end(), starts_here.start())
        });
        if alike(parent) && !at_start && !contents.iter().any(|content| content.contains(starts_here)) {
            let wanted = places.of(starts_here).map(Span::start);
            if wanted.is_some_and(|wanted| wanted != blank(&new, new_parent)) {
                broken.push(format!(
                    "the {} `{}` of line {} went into another {}",
                    old.type_name(node),
                    shown(old, node),
                    line(node),
                    old.type_name(parent),
                ));
            }
        }
        // What belongs to a definition.
        if !old.is_scope(node) || old.name(node).is_none() {
            continue;
        }
        let texts = |tree: &Tree, nodes: Vec<Node>| {
            nodes.into_iter().map(|one| tree.node_text(one).into_owned()).collect::<Vec<_>>()
        };
        let touched =
            |nodes: &[Node]| nodes.iter().any(|&one| in_content(old.span(one)) || places.of(old.span(one)).is_none());
        let decorators = old.decorators(node);
        if !touched(&decorators) && texts(old, decorators.clone()) != texts(&new, new.decorators(image)) {
            broken.push(format!(
                "the {} `{}` of line {} had {:?} and has {:?}",
                old.type_name(node),
                shown(old, node),
                line(node),
                texts(old, decorators),
                texts(&new, new.decorators(image)),
            ));
        }
        if old.modifiers(node) != new.modifiers(image) {
            broken.push(format!(
                "the {} `{}` of line {} was {:?} and is {:?}",
                old.type_name(node),
                shown(old, node),
                line(node),
                old.modifiers(node),
                new.modifiers(image),
            ));
        }
        let unit = old.outermost_wrapper(node);
        let first = old.attachments().leading(table, unit).next().unwrap_or(unit);
        let comments = old.comments_above(first);
        let above = places.of(old.span(first)).is_some() && !touched(&comments);
        if above && !language.data().docs.begins.is_empty() && old.doc(node) != new.doc(image) {
            broken.push(format!("the documentation of `{}` of line {} is another", shown(old, node), line(node)));
        }
    }
    broken.extend(lost_definitions(old, &new, &in_content, &places));
    broken.truncate(3);
    broken
}

fn first_child(tree: &Tree, node: Node) -> Node {
    tree.table().children(node).next().unwrap_or(node)
}

/// A node with the wrappers that hold nothing else, and what it holds.
fn tree_chain(tree: &Tree, node: Node) -> Vec<Node> {
    let outward = std::iter::successors(Some(node), |&inner| {
        tree.table().parent(inner).filter(|&parent| tree.inner(parent) == Some(inner))
    });
    outward.chain(std::iter::successors(Some(node), |&outer| tree.inner(outer))).collect()
}

/// Whether a node has nothing but comments, white space and signs from `end` on, or the node ends before.
fn only_comments_more(tree: &Tree, node: Node, end: usize) -> bool {
    let table = tree.table();
    let is_leaf = |&inner: &Node| table.subtree_end(inner) == inner.index() + 1;
    let later = table.descendants(node).filter(is_leaf).filter(|&inner| table.span(inner).end() > end);
    later.into_iter().all(|inner| !counts(tree, inner))
}

/// Definitions that were there and are not, by their first line.
fn lost_definitions(old: &Tree, new: &Tree, in_content: &dyn Fn(Span) -> bool, places: &Places<'_>) -> Vec<String> {
    let header = |tree: &Tree, node: Node| {
        let text = tree.text();
        let name = tree.name_node(node).filter(|&name| tree.span(node).contains(tree.span(name)))?;
        let line = text.line_around(tree.span(name).start());
        Some((tree.name(node)?, line, text.slice(line).trim().to_owned()))
    };
    let definitions = |tree: &Tree| -> Vec<Node> {
        let is_one = |&node: &Node| tree.table().is_named(node) && tree.is_scope(node);
        tree.table().nodes().filter(is_one).collect()
    };
    let mut there: HashMap<String, isize> = HashMap::new();
    for node in definitions(new) {
        if let Some((name, ..)) = header(new, node) {
            *there.entry(name).or_default() += 1;
        }
    }
    let mut lost = Vec::new();
    for node in definitions(old) {
        let Some((name, line, text)) = header(old, node) else { continue };
        let error = old.table().ancestors(node).chain([node]).any(|above| old.table().is_error(above));
        if in_content(old.span(node)) || error || places.of(line).is_none() {
            continue;
        }
        // What made it a definition was named: the `enum` of a `typedef`.
        let table = old.table();
        let named = |child: Node| in_content(old.span(child)) && old.is_scope(child);
        if table.children(node).any(named) {
            continue;
        }
        let left = there.entry(name).or_default();
        *left -= 1;
        if *left < 0 {
            lost.push(format!("the definition `{text}` is gone"));
        }
    }
    lost
}

pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
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

pub(super) fn load(language: &'static Language, path: &Path) -> Option<Tree> {
    let text = Text::decode(&std::fs::read(path).ok()?, None).ok()?;
    Tree::parse(text, language, &ParseLimits::default()).ok()
}

fn describe(tree: &Tree, op: &Op) -> String {
    let (targets, _) = named(tree, op);
    let words: Vec<String> = targets
        .iter()
        .map(|&node| {
            let (line, text) = (tree.text().line_at(tree.span(node).start()), tree.node_text(node));
            format!("{} line {line} {:?}", tree.type_name(node), text.chars().take(50).collect::<String>())
        })
        .collect();
    format!("{} ON {}", format!("{op:?}").chars().take(200).collect::<String>(), words.join(" AND "))
}

/// Accepted and refused.
#[derive(Default)]
struct Counts {
    accepted: usize,
    refused: BTreeMap<&'static str, usize>,
}

/// Random operations on files of a language.
fn run(language: &'static Language, files: &[PathBuf], operations: usize, wrong: &mut Vec<String>) -> Counts {
    let mut counts = Counts::default();
    let each = operations.div_ceil(files.len().max(1)).max(10);
    let step = (files.len() * each / operations.max(1)).max(1);
    let seed: u64 = std::env::var("CST_LAWS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(97);
    for (index, path) in files.iter().enumerate().filter(|(index, _)| index % step == 0) {
        let Some(tree) = load(language, path) else { continue };
        let table = tree.table();
        let nodes: Vec<Node> = table.nodes().filter(|&node| node != Node::ROOT && self::counts(&tree, node)).collect();
        let is_member = |node: &Node| {
            let parent = table.parent(*node).unwrap_or(Node::ROOT);
            let role = tree.language().role(table.type_id(parent));
            role.body || role.list || role.section || parent == Node::ROOT
        };
        let members: Vec<Node> = nodes.iter().copied().filter(is_member).collect();
        if nodes.is_empty() {
            continue;
        }
        let mut dice = Dice(index as u64 + seed);
        for _ in 0..each {
            let op = random(&mut dice, &tree, &nodes, &members);
            match apply(&tree, std::slice::from_ref(&op), Allow::default(), &ParseLimits::default()) {
                Ok(outcome) if outcome.edits.is_empty() => counts.accepted += 1,
                Ok(outcome) => {
                    counts.accepted += 1;
                    let laws = broken(&tree, &op, &outcome);
                    wrong.extend(
                        laws.first().map(|law| format!("{} {}\n  {law}", path.display(), describe(&tree, &op))),
                    );
                }
                Err(error) => *counts.refused.entry(error_code(&error)).or_default() += 1,
            }
        }
    }
    counts
}

fn report(name: &str, counts: &Counts, wrong: usize) -> usize {
    let refused: usize = counts.refused.values().sum();
    println!(
        "{name:12} {:6} edits, {:6} accepted, {wrong} break the law; refused: {:?}",
        counts.accepted + refused,
        counts.accepted,
        counts.refused
    );
    counts.accepted + refused
}

pub(super) fn sample(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language);
    let is_sample = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "sample");
    files_below(&folder).into_iter().filter(is_sample).collect()
}

#[test]
fn an_edit_of_a_sample_leaves_its_neighbours_alone() {
    let mut wrong = Vec::new();
    for name in LANGUAGES {
        let Ok(language) = Language::named(name) else { continue };
        let before = wrong.len();
        let counts = run(language, &sample(name), 100, &mut wrong);
        report(name, &counts, wrong.len() - before);
        assert!(counts.accepted >= 12, "{name}: {} edits accepted", counts.accepted);
    }
    assert!(wrong.is_empty(), "{} edits break the law:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn an_edit_of_a_real_file_leaves_its_neighbours_alone() {
    const LARGEST: u64 = 24_000;
    let Ok(folders) = std::env::var("CST_CORPUS") else { return };
    let only = std::env::var("CST_LAWS_ONLY").unwrap_or_default();
    let operations = std::env::var("CST_LAWS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut by_language: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in folders.split(':').flat_map(|folder| files_below(Path::new(folder))) {
        if std::fs::metadata(&path).is_ok_and(|data| (200..LARGEST).contains(&data.len()))
            && let Ok(Some(found)) = detect(Detection { path: &path.to_string_lossy(), head: "" })
        {
            by_language.entry(found.name().to_owned()).or_default().push(path);
        }
    }
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for name in LANGUAGES.iter().filter(|name| only.is_empty() || only.split(',').any(|one| one == **name)) {
        let (Ok(language), Some(files)) = (Language::named(name), by_language.get(*name)) else { continue };
        let before = wrong.len();
        let counts = run(language, files, operations, &mut wrong);
        tried += report(name, &counts, wrong.len() - before);
    }
    println!("{tried} edits, {} break the law", wrong.len());
    assert!(tried > 0, "no file in {folders}");
    assert!(wrong.is_empty(), "{} edits break the law:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}
