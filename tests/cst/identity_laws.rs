//! The identity laws: what is inserted and deleted again, and what is moved and moved back, leaves the file's bytes as they were.
//!
//! One thing can't come back, since the text between doesn't show it: the number of blank lines around what was put in or taken
//! out, where the first edit changed it, and the line that statements shared, where it was taken apart. Everything else must.
//!
//! Over the samples always; over real files where `CST_IDENTITY` names folders of them: `CST_LAWS_COUNT` trials in each language
//! (1,000), of `CST_LAWS_ONLY` alone if that is set; another `CST_LAWS_SEED` makes other trials.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cst::edit::{Allow, Op, Outcome, Position, apply};
use cst::language::{Detection, Language, detect};
use cst::tree::{Node, ParseLimits, Tree};

use super::neighbour_laws::{Dice, LANGUAGES, files_below, load, sample};

/// What trials gave.
#[derive(Debug, Default)]
struct Counts {
    /// Trials whose first edit was accepted.
    trials: usize,
    identical: usize,
    /// The second edit was refused.
    refused: usize,
    /// The second edit gave the same words on other lines, or with other blank lines, and the first one shows neither.
    lines: usize,
    wrong: Vec<String>,
    examples: Vec<String>,
}

fn run(tree: &Tree, op: &Op) -> Option<Outcome> {
    let outcome = apply(tree, std::slice::from_ref(op), Allow::default(), &ParseLimits::default()).ok()?;
    (!outcome.edits.is_empty()).then_some(outcome)
}

/// The node that an operation made, where it is one.
fn made(outcome: &Outcome) -> Option<Node> {
    match outcome.operations[0].nodes[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The siblings of a node in the same role: named, not comments.
fn siblings(tree: &Tree, node: Node) -> Vec<Node> {
    let table = tree.table();
    let parent = table.parent(node).unwrap_or(Node::ROOT);
    let counts = |&child: &Node| {
        table.is_named(child)
            && !table.is_extra(child)
            && !tree.is_comment(child)
            && !tree.attachments().is_leading(child)
            && !table.span(child).is_empty()
    };
    table.children(parent).filter(counts).collect()
}

/// The members of bodies and lists that have a sibling.
fn members(tree: &Tree) -> Vec<Node> {
    let table = tree.table();
    let is_member = |&node: &Node| {
        let parent = table.parent(node).unwrap_or(Node::ROOT);
        let role = tree.language().role(table.type_id(parent));
        let stands = role.body || role.list || role.section || parent == Node::ROOT;
        let counts = table.is_named(node) && !table.is_extra(node) && !tree.is_comment(node);
        // Not a token that the grammar reads as a statement, nor an attribute; JavaScript's lists may have holes.
        let is_part = tree.node_text(node) == ";" || tree.attachments().is_leading(node);
        let is_list_with_holes = role.list && ink(&tree.node_text(parent)).contains(",,");
        let ends_apart =
            table.next_sibling(node).is_some_and(|next| table.is_named(next) && tree.node_text(next) == ";");
        let is_plain = !is_part && !is_list_with_holes && !ends_apart;
        node != Node::ROOT && stands && counts && is_plain && !table.span(node).is_empty()
    };
    table.nodes().filter(is_member).filter(|&node| siblings(tree, node).len() > 1).collect()
}

/// A text without its white space, and without the signs between statements.
fn ink(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != ';').collect()
}

/// Whether there are only separators between two neighbours: no comment, which could belong to either.
fn are_neighbours(tree: &Tree, one: Node, other: Node) -> bool {
    let table = tree.table();
    let between = std::iter::successors(table.next_sibling(one), |&next| table.next_sibling(next));
    between.into_iter().take_while(|&next| next < other).all(|next| !table.is_named(next))
}

/// The first line that differs.
fn difference(old: &str, new: &str) -> String {
    let at = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    let around = |text: &str| text.lines().skip(at.saturating_sub(1)).take(4).map(str::to_owned).collect::<Vec<_>>();
    format!("from line {at}: {:?} became {:?}", around(old), around(new))
}

struct Trial<'a> {
    tree: &'a Tree,
    path: &'a Path,
    counts: &'a mut Counts,
}

impl Trial<'_> {
    /// Inserts a sibling's text next to a member, and deletes the result.
    fn insert_and_delete(&mut self, dice: &mut Dice, member: Node) {
        let sibling = dice.of(&siblings(self.tree, member));
        // For a block among statements, the answer names its content.
        if self.tree.language().role(self.tree.table().type_id(sibling)).body {
            return;
        }
        let code = self.tree.node_text(sibling).into_owned();
        let position = dice.of(&[Position::Before, Position::After]);
        let insert = Op::Insert { target: member, position, code, extent: None };
        let Some(outcome) = run(self.tree, &insert) else { return };
        let Some(made) = made(&outcome) else { return };
        let back = run(&outcome.tree, &Op::Delete { target: made, extent: None });
        self.compare("insert and delete", member, &outcome, back.map(|back| back.tree).into_iter().collect());
    }

    /// Moves a member next to another one, and back to its sibling.
    fn move_and_back(&mut self, dice: &mut Dice, member: Node, members: &[Node]) {
        let tree = self.tree;
        let siblings = siblings(tree, member);
        let to = if dice.throw(3) > 0 { dice.of(&siblings) } else { dice.of(members) };
        let position = dice.of(&[Position::Before, Position::After]);
        let Some(outcome) = run(tree, &Op::Move { target: member, position, to, extent: None }) else { return };
        let Some(made) = made(&outcome) else { return };
        let at = siblings.iter().position(|&sibling| sibling == member).unwrap_or(0);
        let before =
            at.checked_sub(1).map(|at| siblings[at]).filter(|&previous| are_neighbours(tree, previous, member));
        let before = before.map(|previous| (previous, Position::After));
        let after = siblings.get(at + 1).filter(|&&next| are_neighbours(tree, member, next));
        let after = after.map(|&next| (next, Position::Before));
        if before.is_none() && after.is_none() {
            return;
        }
        let backs = [before, after].into_iter().flatten().filter_map(|(beside, position)| {
            let to = outcome.tree.node(tree.id(beside))?;
            run(&outcome.tree, &Op::Move { target: made, position, to, extent: None }).map(|back| back.tree)
        });
        let backs = backs.collect();
        self.compare("move and back", member, &outcome, backs);
    }

    /// Compares what the second edit gave with the old text: one of the results must be it.
    fn compare(&mut self, what: &str, member: Node, first: &Outcome, backs: Vec<Tree>) {
        self.counts.trials += 1;
        let old = self.tree.text().to_string();
        let results: Vec<String> = backs.iter().map(|back| back.text().to_string()).collect();
        if results.contains(&old) {
            self.counts.identical += 1;
            return;
        }
        let Some(result) = results.first() else {
            self.counts.refused += 1;
            return;
        };
        let line = self.tree.text().line_at(self.tree.span(member).start());
        let (path, type_name) = (self.path.display(), self.tree.type_name(member));
        let edits: Vec<String> = first
            .edits
            .iter()
            .map(|edit| format!("{:?} {:?}", edit.span, edit.text.chars().take(60).collect::<String>()))
            .collect();
        let shown = format!("{what} {path}:{line} {type_name} {}\n    {}", edits.join(", "), difference(&old, result));
        let text = self.tree.text();
        let breaks = |text: &str| text.contains(['\n', '\r']);
        let in_line = first.edits.iter().all(|edit| !breaks(&edit.text) && !breaks(&text.slice(edit.span)));
        let is_in_list = |node: Node| self.tree.language().role(self.tree.table().type_id(node)).list;
        // Elements of a list on a line come back to the byte.
        let must_be = in_line && self.tree.table().parent(member).is_some_and(is_in_list);
        // Where one element may need a separator behind it, the text doesn't show whether two had one.
        let must_be = must_be && siblings(self.tree, member).len() > 2;
        let same_ink = |result: &String| ink(result).replace(',', "") == ink(&old).replace(',', "");
        if !must_be && results.iter().any(same_ink) {
            self.counts.lines += 1;
            self.counts.examples.push(shown);
        } else {
            self.counts.wrong.push(shown);
        }
    }
}

fn seed() -> u64 {
    std::env::var("CST_LAWS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(31)
}

/// Trials over files of a language.
fn try_files(language: &'static Language, files: &[PathBuf], trials: usize) -> Counts {
    let mut counts = Counts::default();
    let each = trials.div_ceil(files.len().max(1)).max(10);
    let step = (files.len() * each / trials.max(1)).max(1);
    for (index, path) in files.iter().enumerate().filter(|(index, _)| index % step == 0) {
        let Some(tree) = load(language, path).filter(Tree::is_sound) else { continue };
        let members = members(&tree);
        if members.is_empty() {
            continue;
        }
        let mut dice = Dice(index as u64 + seed());
        for number in 0..each {
            let member = dice.of(&members);
            let mut trial = Trial { tree: &tree, path, counts: &mut counts };
            match number % 2 {
                0 => trial.insert_and_delete(&mut dice, member),
                _ => trial.move_and_back(&mut dice, member, &members),
            }
        }
    }
    counts
}

fn report(name: &str, counts: &Counts) {
    let Counts { trials, identical, refused, lines, wrong, .. } = counts;
    println!(
        "{name:12} {trials:6} trials, {identical:6} identical, {refused} refused, {lines} on other lines, {} differ",
        wrong.len()
    );
}

#[test]
fn an_edit_taken_back_leaves_a_sample_as_it_was() {
    let (mut wrong, mut trials) = (Vec::new(), 0);
    for name in LANGUAGES {
        let Ok(language) = Language::named(name) else { continue };
        let counts = try_files(language, &sample(name), 200);
        report(name, &counts);
        for example in counts.examples.iter().take(3) {
            println!("  {example}");
        }
        trials += counts.trials;
        wrong.extend(counts.wrong);
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    assert!(trials > 1500, "{trials} trials");
}

#[test]
fn an_edit_taken_back_leaves_a_real_file_as_it_was() {
    const LARGEST: u64 = 24_000;
    let Ok(folders) = std::env::var("CST_IDENTITY") else { return };
    let only = std::env::var("CST_LAWS_ONLY").unwrap_or_default();
    let trials = std::env::var("CST_LAWS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut by_language: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in folders.split(':').flat_map(|folder| files_below(Path::new(folder))) {
        if std::fs::metadata(&path).is_ok_and(|data| (200..LARGEST).contains(&data.len()))
            && let Ok(Some(found)) = detect(Detection { path: &path.to_string_lossy(), head: "" })
        {
            by_language.entry(found.name().to_owned()).or_default().push(path);
        }
    }
    let mut wrong = Vec::new();
    for (name, files) in by_language {
        if !only.is_empty() && !only.split(',').any(|one| one == name) {
            continue;
        }
        let Ok(language) = Language::named(&name) else { continue };
        let counts = try_files(language, &files, trials);
        report(&name, &counts);
        let step = counts.examples.len().div_ceil(12).max(1);
        for example in counts.examples.iter().step_by(step) {
            println!("  {example}");
        }
        wrong.extend(counts.wrong);
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}
