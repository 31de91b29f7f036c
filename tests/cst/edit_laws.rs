//! What is true of every edit, over real files: Python's standard library.
//!
//! A sample of files by default; `CST_LAWS=full` goes over all of them, with more edits each.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cst::edit::{Allow, Op, Outcome, Position, apply};
use cst::language::Language;
use cst::text::{Span, Text};
use cst::tree::{Node, ParseLimits, Tree};

use crate::error_code::error_code;

/// The files, or `None` if there is no Python.
fn files() -> Option<Vec<PathBuf>> {
    let program = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let Ok(output) = Command::new("python3").args(["-c", program]).output() else {
        // Where every change is checked, a law that looks at nothing must not pass.
        assert!(std::env::var_os("CI").is_none(), "python3 is not there");
        eprintln!("skipped: python3 is not there");
        return None;
    };
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("site-packages") && !path.ends_with("dist-packages") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "py") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the standard library has {} files", found.len());
    Some(found)
}

fn is_full() -> bool {
    std::env::var("CST_LAWS").is_ok_and(|value| value == "full")
}

/// The trees of the files in turn, with a number for each.
fn trees(most: usize) -> impl Iterator<Item = (usize, PathBuf, Tree)> {
    const LARGEST: u64 = 40_000;
    let files = files().unwrap_or_default();
    let step = if is_full() { 1 } else { files.len().div_ceil(most).max(1) };
    let small = |path: &PathBuf| is_full() || std::fs::metadata(path).is_ok_and(|data| data.len() < LARGEST);
    let chosen = files.into_iter().enumerate().filter(move |(index, _)| index % step == 0);
    let chosen = chosen.filter(move |(_, path)| small(path));
    chosen.filter_map(|(index, path)| load(&path).map(|tree| (index, path, tree)))
}

fn load(path: &Path) -> Option<Tree> {
    let text = Text::decode(&std::fs::read(path).ok()?, None).ok()?;
    Tree::parse(text, Language::named("python").ok()?, &ParseLimits::default()).ok()
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    fn node(&mut self, tree: &Tree) -> Node {
        loop {
            let node = tree.table().nodes().nth(self.throw(tree.table().len())).expect("within the table");
            if tree.table().is_named(node) {
                return node;
            }
        }
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.throw(words.len())]
    }
}

#[test]
fn a_node_replaced_by_its_own_text_changes_nothing() {
    for (index, path, tree) in trees(40) {
        let mut dice = Dice(index as u64 + 1);
        for _ in 0..if is_full() { 5 } else { 12 } {
            let target = dice.node(&tree);
            let code = tree.node_text(target).into_owned();
            let op = Op::Replace { target, code, extent: None };
            match apply(&tree, std::slice::from_ref(&op), Allow::default(), &ParseLimits::default()) {
                Ok(outcome) => {
                    assert!(outcome.edits.is_empty(), "{}: {op:?}", path.display());
                    assert_eq!(outcome.tree.text(), tree.text());
                }
                Err(error) => assert!(tree.node_text(target).trim().is_empty(), "{}: {op:?} {error}", path.display()),
            }
        }
    }
}

/// An accepted edit, to be looked at by Python.
struct Case {
    what: String,
    old: String,
    new: String,
    same_strings: bool,
}

#[test]
fn random_edits_keep_the_laws() {
    let mut cases: Vec<Case> = Vec::new();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    let verbs = ["delete", "insert", "wrap", "move", "replace", "unwrap", "delete_two"];
    for (index, path, tree) in trees(40) {
        let mut dice = Dice(index as u64 + 7);
        for _ in 0..if is_full() { 10 } else { 14 } {
            let verb = verbs[dice.throw(verbs.len())];
            let ops = random(&mut dice, &tree, verb);
            if ops.is_empty() {
                continue;
            }
            let what = format!("{} {}", path.display(), describe(&tree, &ops));
            match apply(&tree, &ops, Allow::default(), &ParseLimits::default()) {
                Ok(outcome) => {
                    *counts.entry((verb, "accepted")).or_default() += 1;
                    wrong.extend(broken_laws(&tree, &ops, &outcome).into_iter().map(|law| format!("{what}: {law}")));
                    cases.push(Case {
                        what,
                        old: tree.text().to_string(),
                        new: outcome.tree.text().to_string(),
                        same_strings: verb == "wrap" || verb == "move",
                    });
                }
                Err(error) => {
                    *counts.entry((verb, error_code(&error))).or_default() += 1;
                    let in_place = |op: &Op| {
                        let parent = tree.table().parent(tree.outermost_wrapper(target_of(op))).unwrap_or(Node::ROOT);
                        is_statement(&tree, target_of(op)) || is_list(&tree, parent)
                    };
                    if ops.iter().all(in_place) {
                        *counts.entry((verb, "refused in place")).or_default() += 1;
                    }
                    if ops.iter().all(in_place)
                        && std::env::var("CST_LAWS_SHOW").is_ok_and(|shown| shown.contains(verb))
                    {
                        println!("REFUSED {what}: {error}");
                    }
                }
            }
        }
        if cases.len() > 500 {
            wrong.extend(complaints_of_python(&cases));
            cases.clear();
            eprintln!("{index} files, {} laws broken: {}", wrong.len(), wrong.last().map_or("", String::as_str));
        }
    }
    wrong.extend(complaints_of_python(&cases));
    if is_full() {
        for ((verb, outcome), count) in &counts {
            println!("{verb:12} {outcome:20} {count}");
        }
    }
    assert!(wrong.is_empty(), "{} laws broken:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n\n"));
}

fn describe(tree: &Tree, ops: &[Op]) -> String {
    let mut words = String::new();
    for op in ops {
        let target = target_of(op);
        let line = tree.text().line_at(tree.span(target).start());
        let text: String = tree.node_text(target).chars().take(50).collect();
        let more = match op {
            Op::Insert { position, code, .. } => format!("{position:?} {code:?}"),
            Op::Replace { code, .. } | Op::Wrap { code, .. } => format!("{code:?}"),
            Op::Move { position, to, .. } => {
                format!("{position:?} {} line {}", tree.type_name(*to), tree.text().line_at(tree.span(*to).start()))
            }
            _ => String::new(),
        };
        let verb = format!("{op:?}");
        let verb = verb.split(' ').next().unwrap_or_default();
        words.push_str(&format!("[{verb} {} line {line} {text:?} {more}]", tree.type_name(target)));
    }
    words
}

fn target_of(op: &Op) -> Node {
    match op {
        Op::Replace { target, .. }
        | Op::Insert { target, .. }
        | Op::Delete { target, .. }
        | Op::Move { target, .. }
        | Op::Wrap { target, .. }
        | Op::Unwrap { target }
        | Op::Rename { target, .. }
        | Op::Sub { target, .. } => *target,
        Op::ReplaceRange { from, .. } => *from,
        Op::EnsureImport { .. } => Node::ROOT,
    }
}

fn is_list(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).list
}

fn is_statement(tree: &Tree, node: Node) -> bool {
    let parent = tree.table().parent(tree.outermost_wrapper(node));
    parent.is_some_and(|parent| matches!(tree.type_name(parent), "block" | "module"))
        && tree.type_name(node) != "comment"
}

/// Usually a node in a block.
fn likely(dice: &mut Dice, tree: &Tree) -> Node {
    let mut node = dice.node(tree);
    if dice.throw(3) > 0 {
        while !is_statement(tree, node) && node != Node::ROOT {
            node = tree.table().parent(node).unwrap_or(Node::ROOT);
        }
    }
    node
}

fn random(dice: &mut Dice, tree: &Tree, verb: &str) -> Vec<Op> {
    const STATEMENTS: &[&str] = &[
        "cst_x = 1",
        "if cst_x:\n    cst_y = '''\none\n  two'''\nelse:\n\n    cst_z(1,\n          2)",
        "def cst_f(a):\n    \"\"\"Doc.\n\n    More.\n    \"\"\"\n    pass",
        "        cst_a\n        cst_b",
    ];
    let target = likely(dice, tree);
    let extent = None;
    // The grammar reads the content of a `with` as an expression.
    if target == Node::ROOT || matches!(tree.type_name(target), "comment" | "with_clause" | "with_item") {
        return Vec::new();
    }
    let is_string = |node: Node| tree.language().role(tree.table().type_id(node)).string;
    if tree.table().ancestors(target).any(is_string) {
        return Vec::new();
    }
    match verb {
        "delete" => vec![Op::Delete { target, extent }],
        "delete_two" => {
            let next = std::iter::successors(tree.table().next_sibling(tree.outermost_wrapper(target)), |&next| {
                tree.table().next_sibling(next)
            });
            let next = next.into_iter().find(|&next| tree.table().is_named(next) && tree.type_name(next) != "comment");
            let Some(next) = next else { return Vec::new() };
            vec![Op::Delete { target, extent }, Op::Delete { target: next, extent }]
        }
        "insert" => {
            let positions = [Position::Before, Position::After, Position::First, Position::Last];
            let position = positions[dice.throw(4)];
            let around = matches!(position, Position::Before | Position::After);
            let holder =
                if around { tree.table().parent(tree.outermost_wrapper(target)).unwrap_or(Node::ROOT) } else { target };
            let list = is_list(tree, holder) || (!around && tree.body(tree.outermost_wrapper(target)).is_none());
            let code = match tree.type_name(holder) {
                "dictionary" => "**cst_d",
                "decorated_definition" => "@cst_d",
                _ if list => dice.pick(&["cst_e", "cst_e"]),
                _ => dice.pick(STATEMENTS),
            };
            vec![Op::Insert { target, position, code: code.to_owned(), extent }]
        }
        "wrap" => {
            let code = if is_statement(tree, target) {
                dice.pick(&["with cst_w:\n    $0", "if cst_w:\n  $0\nelse:\n  cst_v", "try:\n\t$0\nfinally:\n\tcst_v"])
            } else {
                dice.pick(&["cst_w($0)", "cst_w(\n    $0,\n)"])
            };
            vec![Op::Wrap { target, code: code.to_owned(), extent }]
        }
        "unwrap" => vec![Op::Unwrap { target }],
        "move" => {
            let positions = [Position::Before, Position::After, Position::Last];
            let to = likely(dice, tree);
            vec![Op::Move { target, position: positions[dice.throw(3)], to, extent }]
        }
        _ => {
            let code = if is_statement(tree, target) {
                dice.pick(STATEMENTS)
            } else {
                dice.pick(&["cst_r", "cst_r(\n    1)"])
            };
            vec![Op::Replace { target, code: code.to_owned(), extent }]
        }
    }
}

/// The laws that an accepted batch breaks.
fn broken_laws(tree: &Tree, ops: &[Op], outcome: &Outcome) -> Vec<String> {
    let mut broken = Vec::new();
    let new = &outcome.tree;
    let fresh = Tree::parse(new.text().clone(), tree.language(), &ParseLimits::default()).expect("parses");
    if fresh.table().shape() != new.table().shape() {
        broken.push("the incremental parse differs".to_owned());
    }
    if tree.is_sound() && !fresh.is_sound() {
        broken.push("a new syntax error".to_owned());
    }
    // Ids: the same node or none.
    let is_leaf = |tree: &Tree, node: Node| tree.table().subtree_end(node) == node.index() + 1;
    let targets: Vec<Span> = ops
        .iter()
        .map(|op| {
            let mut unit = tree.outermost_wrapper(target_of(op));
            if matches!(op, Op::Delete { .. } | Op::Move { .. }) {
                unit = emptied_statement(tree, ops, unit).unwrap_or(unit);
            }
            while let Some(parent) = tree.table().parent(unit).filter(|&parent| tree.inner(parent) == Some(unit)) {
                unit = parent;
            }
            let comments = tree.comments_above(unit);
            comments.first().map_or(tree.span(unit), |&first| tree.span(first).join(tree.span(unit)))
        })
        .collect();
    let replaces = matches!(ops[0], Op::Replace { .. });
    // A part outside lists is deleted with the token that introduces it.
    let is_part = |op: &Op| {
        let parent = tree.table().parent(tree.outermost_wrapper(target_of(op)));
        !is_statement(tree, target_of(op)) && !parent.is_some_and(|parent| is_list(tree, parent))
    };
    let cuts_part = matches!(ops[0], Op::Delete { .. }) && ops.iter().any(is_part);
    for old in tree.table().nodes().filter(|&old| tree.table().is_named(old)) {
        let now = new.node(tree.id(old));
        let span = tree.span(old);
        match now {
            Some(now) => {
                let same_type = new.type_name(now) == tree.type_name(old);
                let claimed = replaces && targets.iter().any(|target| target.contains(span));
                if !same_type && !claimed {
                    broken.push(format!("an id went from {} to {}", tree.type_name(old), new.type_name(now)));
                }
                if is_leaf(tree, old) && !claimed && new.node_text(now) != tree.node_text(old) {
                    broken.push(format!(
                        "an id's text went from {:?} to {:?}",
                        tree.node_text(old),
                        new.node_text(now)
                    ));
                }
            }
            None => {
                let outside = targets.iter().all(|target| !target.contains(span));
                let in_trailing_comment = tree.type_name(old) == "comment";
                // Of `del a, b` one is left, and no tuple.
                let in_delete =
                    tree.table().parent(old).is_some_and(|above| tree.type_name(above) == "delete_statement");
                let gives_way = in_delete && tree.type_name(old) == "expression_list";
                if outside && !in_trailing_comment && !gives_way && !tree.is_transparent(old) && !cuts_part {
                    let line = tree.text().line_at(span.start());
                    broken.push(format!("a {} of line {line} outside of the edit is gone", tree.type_name(old)));
                }
            }
        }
    }
    broken.truncate(3);
    for (op, made) in ops.iter().zip(&outcome.operations) {
        if made.nodes.is_empty() && !matches!(op, Op::Delete { .. }) {
            broken.push("it made no node".to_owned());
        }
        if let Op::Insert { .. } = op
            && !made.nodes.iter().any(|&node| new.node_text(node).contains("cst_"))
        {
            broken.push("it did not make what was inserted".to_owned());
        }
    }
    let blank_run = |text: &Text| {
        let lines: Vec<String> = text.to_string().lines().map(|line| line.trim().to_owned()).collect();
        lines.split(|line| !line.is_empty()).map(<[String]>::len).max().unwrap_or(0)
    };
    let cuts_parts = cuts_part && ops.len() > 1;
    if matches!(ops[0], Op::Delete { .. }) && !cuts_parts && blank_run(new.text()) > blank_run(tree.text()) {
        broken.push("a longer run of blank lines".to_owned());
    }
    // Ink: what isn't white space, separators or the target.
    if !cuts_part && let [Op::Delete { .. } | Op::Insert { .. } | Op::Replace { .. } | Op::Wrap { .. }] = ops {
        let ink = |text: &str| text.chars().filter(|c| !c.is_whitespace() && !",;".contains(*c)).collect::<String>();
        let text = tree.text();
        let outer = targets[0];
        let head = ink(&text.slice(Span::new(0, outer.start())));
        let rest = text.slice(Span::new(outer.end(), text.len())).into_owned();
        // A comment at the end of the line goes with a statement.
        let rest = match rest.find(['\n', '\r']) {
            Some(end) if rest[..end].trim_start().starts_with('#') => rest[end..].to_owned(),
            _ => rest,
        };
        let all = ink(&new.text().to_string());
        let inserts = matches!(ops, [Op::Insert { .. }]);
        if !all.starts_with(&head) && !inserts {
            broken.push("the text before the target changed".to_owned());
        }
        if !all.ends_with(&ink(&rest)) && !inserts {
            broken.push("the text after the target changed".to_owned());
        }
        if let [Op::Insert { code, .. }] = ops {
            let whole = ink(&text.to_string());
            let same = whole.bytes().zip(all.bytes()).take_while(|(one, other)| one == other).count();
            let added = ink(code);
            let fits = (0..=same).rev().take(200).any(|at| {
                whole.is_char_boundary(at) && all[at..].starts_with(&added) && all[at + added.len()..] == whole[at..]
            });
            if !fits {
                broken.push("more changed than was inserted".to_owned());
            }
        }
    }
    broken
}

/// The statement that goes with a node, since a batch takes all that it lists: an import's last name.
fn emptied_statement(tree: &Tree, ops: &[Op], node: Node) -> Option<Node> {
    const LISTING: &[&str] = &[
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "global_statement",
        "nonlocal_statement",
    ];
    let table = tree.table();
    let statement = table.parent(node).filter(|&parent| LISTING.contains(&tree.type_name(parent)))?;
    let is_listed = |child: &Node| table.field(*child) == table.field(node);
    let is_target = |child: Node| ops.iter().any(|op| tree.outermost_wrapper(target_of(op)) == child);
    tree.named_children(statement).filter(is_listed).all(is_target).then_some(statement)
}

/// What Python thinks of the results: a syntax error where there was none, or another string.
fn complaints_of_python(cases: &[Case]) -> Vec<String> {
    const PROGRAM: &str = r#"
import ast, json, sys, warnings
warnings.simplefilter("ignore")
# Not about syntax: the order of parameters and arguments, what may be assigned to or deleted.
MEANING = ("default argument follows", "parameter without a default follows", "positional argument follows", "cannot assign", "cannot delete", "named arguments must follow", "argument follows keyword", "duplicate", "illegal target", "illegal expression", "only single target", "alias", "Generator expression must be parenthesized", "wildcard", "alternative patterns", "remaining patterns", "iterable argument unpacking", "cannot be used as", "expected a key", "cannot use", "cannot have both 'except' and 'except*'", "default 'except:' must be last", "'/'", "'*'", "* argument", "bare *", "var-positional", "var-keyword", "arguments cannot follow", "keyword argument repeated", "cannot parse", "f-string")
def strings(tree):
    return sorted(repr(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, (str, bytes)))
before = {}
for line in sys.stdin:
    case = json.loads(line)
    old, new = case["old"], case["new"]
    if old not in before:
        try: before = {old: ast.parse(old)}
        except Exception: before = {old: None}
    if before[old] is None: continue
    try: now = ast.parse(new)
    except SyntaxError as error:
        if not any(m in str(error) for m in MEANING):
            print(case["what"], "PYTHON", str(error).replace("\n", " "), repr(error.text))
        continue
    except Exception as error:
        continue
    if case["same"]:
        # What is put around a node brings no string.
        if strings(now) != strings(before[old]):
            print(case["what"], "STRINGS differ", set(strings(now)) ^ set(strings(before[old])))
"#;
    let mut python = Command::new("python3")
        .args(["-c", PROGRAM])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 was there before");
    let mut input = python.stdin.take().expect("it is piped");
    let lines: Vec<String> = cases
        .iter()
        .map(|case| {
            let value =
                serde_json::json!({"what": case.what, "old": case.old, "new": case.new, "same": case.same_strings});
            format!("{value}\n")
        })
        .collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            input.write_all(line.as_bytes()).expect("python reads to the end");
        }
    });
    let output = python.wait_with_output().expect("python ends");
    writer.join().expect("all was written");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn broken_files_are_edited_where_they_are_sound() {
    let mut refused = Vec::new();
    let mut tried = 0;
    for (index, path, tree) in trees(30) {
        let mut dice = Dice(index as u64 + 3);
        // A bracket that nothing closes, or a header without a colon, at the end of some line.
        let places: Vec<usize> =
            (1..=tree.text().line_count().max(1)).map(|line| tree.text().line_span(line).end()).collect();
        let place = places[dice.throw(places.len())];
        let mut source = tree.text().to_string();
        source.insert_str(place, dice.pick(&[" (", "\nif x\n", " +", "\n)\n"]));
        let limits = ParseLimits::default();
        let broken = Tree::parse(Text::new(&source), tree.language(), &limits).expect("parses");
        if broken.is_sound() {
            continue;
        }
        let errors = broken.errors();
        let far = |node: Node| {
            errors.iter().all(|error| {
                let lines = |span: Span| broken.text().line_at(span.start())..=broken.text().line_at(span.end());
                let (near, here) = (lines(error.span), lines(broken.span(node)));
                here.start() > &(near.end() + 3) || here.end() + 3 < *near.start()
            })
        };
        let is_plain =
            |node: &Node| is_statement(&broken, *node) && broken.outermost_wrapper(*node) == *node && far(*node);
        let statements: Vec<Node> =
            broken.table().nodes().filter(|&n| broken.table().is_named(n)).filter(is_plain).collect();
        for _ in 0..6 {
            if statements.is_empty() {
                break;
            }
            let target = statements[dice.throw(statements.len())];
            let (code, extent) = ("cst_x = 1".to_owned(), None);
            let op = match dice.throw(2) {
                0 => Op::Delete { target, extent },
                _ => Op::Insert { target, position: Position::After, code, extent },
            };
            tried += 1;
            if let Err(error) = apply(&broken, std::slice::from_ref(&op), Allow::default(), &limits) {
                refused.push(format!("{} {}: {error}", path.display(), describe(&broken, &[op])));
            }
        }
    }
    // The parser's recovery may draw another line after an edit far away; seldom.
    assert!(refused.len() * 50 <= tried, "{} of {tried} refused:\n{}", refused.len(), refused.join("\n"));
}
