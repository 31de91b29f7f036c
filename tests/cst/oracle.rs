//! The standard library of the Python that is there, read by `ast` and by our selectors: functions, methods, classes,
//! qualnames, calls, imports, decorators, documentation and every statement must be the same, place by place.
//!
//! By default one file in 16 is read; with `CST_ORACLE=full` all are. What differs is listed in [`EXPLAINED`], with the reason.
//! A difference that no line there explains fails the test.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};

use cst::language::Language;
use cst::selector::{Definitions, Query, Selector};
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};
use serde::Deserialize;

/// One file in so many is read by default.
const STRIDE: usize = 16;

/// The facts of `ast` about a file: see `tests/oracle/ast_facts.py`.
#[derive(Deserialize)]
struct AstFacts {
    path: String,
    name: String,
    functions: Vec<(usize, String, bool, bool, usize)>,
    classes: Vec<(usize, String)>,
    calls: Vec<(usize, usize, Option<String>, usize)>,
    calls_in_strings: Vec<(Option<String>, usize)>,
    lambdas: Vec<(usize, usize, usize)>,
    imports: Vec<(usize, Vec<String>, Vec<String>)>,
    aliases: Vec<(String, String)>,
    decorators: Vec<(usize, Option<String>)>,
    documented: Vec<usize>,
    by_line: HashMap<String, Vec<usize>>,
}

/// The last line: how many files `ast` couldn't read.
#[derive(Deserialize)]
struct Unreadable {
    unreadable: usize,
}

/// A class of `ast` or several, and the selector that finds the same lines.
const BY_LINE: &[(&[&str], &str)] = &[
    (&["Return"], "Return"),
    (&["Delete"], "Del"),
    (&["Assign"], "Assign"),
    (&["AugAssign"], "AugAssign"),
    (&["AnnAssign"], "AnnAssign"),
    (&["Assign", "AugAssign", "AnnAssign"], "assign"),
    (&["For", "AsyncFor"], "For"),
    (&["For", "AsyncFor", "While"], "loop"),
    (&["AsyncFor", "AsyncWith"], ":is(loop, with):async"),
    (&["While"], "While"),
    (&["If"], "If"),
    (&["With", "AsyncWith"], "with"),
    (&["Match"], "match"),
    (&["Raise"], "raise"),
    (&["Try"], "Try"),
    (&["TryStar"], "TryStar"),
    (&["Assert"], "assert"),
    (&["Import"], "Import"),
    (&["ImportFrom"], "ImportFrom"),
    (&["Global"], "Global"),
    (&["Nonlocal"], "Nonlocal"),
    (&["Expr"], "Expr"),
    (&["TypeAlias"], "TypeAlias"),
    (&["Pass"], "pass"),
    (&["Break"], "break"),
    (&["Continue"], "continue"),
    (&SMALL, "smallstmt"),
    (&["Lambda"], "lambda"),
    (&["ListComp"], "ListComp"),
    (&["SetComp"], "SetComp"),
    (&["DictComp"], "DictComp"),
    (&["GeneratorExp"], "GeneratorExp"),
    (&["Await"], "await"),
    (&["Yield", "YieldFrom"], "yield"),
    (&["IfExp"], "IfExp"),
    (&["NamedExpr"], "NamedExpr"),
    (&["Compare"], "Comparison"),
    (&["BinOp"], "BinaryOperation"),
    (&["Subscript"], "Subscript"),
    (&["Dict"], "Dict"),
    (&["Set"], "Set"),
    (&["List"], "List"),
    (&["Slice"], "Slice"),
    (&["ExceptHandler"], "ExceptHandler, ExceptStarHandler"),
];

const SMALL: [&str; 16] = [
    "Return",
    "Delete",
    "Assign",
    "AugAssign",
    "AnnAssign",
    "Raise",
    "Assert",
    "Import",
    "ImportFrom",
    "Global",
    "Nonlocal",
    "Expr",
    "TypeAlias",
    "Pass",
    "Break",
    "Continue",
];

/// A place that only one of the two knows.
struct Difference {
    name: String,
    fact: String,
    ours: bool,
    what: String,
    line: usize,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whose = if self.ours { "ours" } else { "ast's" };
        write!(formatter, "{}:{}: {}: only {whose}: {}", self.name, self.line, self.fact, self.what)
    }
}

/// Queries, resolved once.
struct Queries(HashMap<&'static str, Query>);

impl Queries {
    fn new(language: &'static Language) -> Queries {
        let others = [
            "function",
            "method",
            "class",
            "function:async",
            "call:not(:in(interpolation, format_expression))",
            "call:in(interpolation, format_expression)",
            "lambda:not(:in(interpolation, format_expression))",
            "import",
            "aliased_import",
            "decorator",
            "module, class, function",
        ];
        let selectors = BY_LINE.iter().map(|(_, selector)| *selector).chain(others);
        let resolve = |selector| {
            let parsed = Selector::parse(selector).unwrap_or_else(|error| panic!("{error}"));
            Query::new(&parsed, language, &Definitions::default()).unwrap_or_else(|error| panic!("{error}"))
        };
        Queries(selectors.map(|selector| (selector, resolve(selector))).collect())
    }

    fn find(&self, tree: &Tree, selector: &str) -> Vec<Node> {
        self.0[selector].nodes(tree).expect("no variables to bind").iter().collect()
    }
}

/// The differences of one file.
struct Comparison<'a> {
    tree: &'a Tree,
    queries: &'a Queries,
    facts: &'a AstFacts,
    compared: usize,
    differences: Vec<Difference>,
}

impl Comparison<'_> {
    fn run(mut self) -> (usize, Vec<Difference>) {
        self.definitions();
        self.calls();
        self.imports();
        self.statements();
        (self.compared, self.differences)
    }

    /// Compares two lists of places, order left out.
    fn compare(&mut self, fact: &str, ours: Vec<(usize, String)>, theirs: Vec<(usize, String)>) {
        self.compared += theirs.len();
        let mut count: BTreeMap<(usize, String), isize> = BTreeMap::new();
        ours.into_iter().for_each(|place| *count.entry(place).or_default() += 1);
        theirs.into_iter().for_each(|place| *count.entry(place).or_default() -= 1);
        for ((line, what), count) in count {
            for _ in 0..count.unsigned_abs() {
                let (name, fact, what) = (self.facts.name.clone(), fact.to_owned(), what.clone());
                self.differences.push(Difference { name, fact, ours: count > 0, what, line });
            }
        }
    }

    fn line(&self, node: Node) -> usize {
        self.tree.start(node).line
    }

    fn find(&self, selector: &str) -> Vec<Node> {
        self.queries.find(self.tree, selector)
    }

    fn definitions(&mut self) {
        let tree = self.tree;
        let qualname = |node: Node| tree.qualname(node).unwrap_or_default();
        let named = |nodes: Vec<Node>| nodes.into_iter().map(|node| (tree.start(node).line, qualname(node))).collect();
        let theirs = |keep: fn(bool, bool) -> bool| {
            let kept = self.facts.functions.iter().filter(|function| keep(function.2, function.3));
            kept.map(|function| (function.0, function.1.clone())).collect::<Vec<_>>()
        };
        let (functions, methods, coroutines) =
            (theirs(|_, _| true), theirs(|method, _| method), theirs(|_, awaits| awaits));
        self.compare("functions", named(self.find("function")), functions);
        self.compare("methods", named(self.find("method")), methods);
        self.compare("async functions", named(self.find("function:async")), coroutines);
        self.compare("classes", named(self.find("class")), self.facts.classes.clone());
        let counted = |node: Node| (tree.start(node).line, tree.params(node).unwrap_or(usize::MAX).to_string());
        let params = self.find("function").into_iter().map(counted).collect();
        let theirs = self.facts.functions.iter().map(|function| (function.0, function.4.to_string())).collect();
        self.compare("parameters", params, theirs);
        let place = |line: usize, column: usize, params: usize| (line, format!("{column} ({params})"));
        let ours = self.find("lambda:not(:in(interpolation, format_expression))").into_iter();
        let ours = ours.map(|node| {
            let start = tree.start(node);
            place(start.line, start.column, tree.params(node).unwrap_or(usize::MAX))
        });
        let theirs = self.facts.lambdas.iter().map(|&(line, column, params)| place(line, column, params)).collect();
        self.compare("lambdas", ours.collect(), theirs);
        let decorators = self.find("decorator").into_iter();
        let decorators = decorators.map(|node| (self.line(node), tree.name(node).unwrap_or_default())).collect();
        let theirs = self.facts.decorators.iter();
        let theirs = theirs.map(|(line, name)| (*line, name.clone().unwrap_or_default())).collect();
        self.compare("decorators", decorators, theirs);
        let documented = self.find("module, class, function").into_iter();
        let documented = documented.filter(|&node| tree.doc(node).is_some_and(|doc| !doc.is_empty()));
        let line = |node: Node| (if node == tree.root() { 0 } else { tree.start(node).line }, String::new());
        let theirs = self.facts.documented.iter().map(|&line| (line, String::new())).collect();
        self.compare("documentation", documented.map(line).collect(), theirs);
    }

    fn calls(&mut self) {
        let tree = self.tree;
        let call = |column: usize, name: &str, args: usize| format!("{column} {name}({args})");
        let name = |node: Node| tree.name(node).unwrap_or_default();
        let args = |node: Node| tree.args(node).unwrap_or(usize::MAX);
        let ours = self.find("call:not(:in(interpolation, format_expression))").into_iter();
        let ours = ours.map(|node| {
            let start = tree.start(node);
            (start.line, call(start.column, &name(node), args(node)))
        });
        let theirs = self.facts.calls.iter();
        let theirs =
            theirs.map(|(line, column, name, args)| (*line, call(*column, name.as_deref().unwrap_or(""), *args)));
        self.compare("calls", ours.collect(), theirs.collect());
        let ours = self.find("call:in(interpolation, format_expression)").into_iter();
        let ours = ours.map(|node| (0, call(0, &name(node), args(node)))).collect();
        let theirs = self.facts.calls_in_strings.iter();
        let theirs = theirs.map(|(name, args)| (0, call(0, name.as_deref().unwrap_or(""), *args))).collect();
        self.compare("calls in strings", ours, theirs);
    }

    fn imports(&mut self) {
        let tree = self.tree;
        let import =
            |modules: Vec<String>, names: Vec<String>| format!("{} import {}", modules.join(", "), names.join(", "));
        let owned = |words: Vec<std::borrow::Cow<'_, str>>| words.into_iter().map(|word| word.into_owned()).collect();
        let ours = self.find("import").into_iter();
        let ours = ours.map(|node| (self.line(node), import(owned(tree.modules(node)), owned(tree.names(node)))));
        let theirs = self.facts.imports.iter();
        let theirs = theirs.map(|(line, modules, names)| (*line, import(modules.clone(), names.clone())));
        self.compare("imports", ours.collect(), theirs.collect());
        let ours = self.find("aliased_import").into_iter();
        let ours =
            ours.map(|node| (0, format!("{} as {}", tree.names(node).join("."), tree.other_names(node).join("."))));
        let theirs = self.facts.aliases.iter().map(|(name, alias)| (0, format!("{name} as {alias}")));
        self.compare("aliases", ours.collect(), theirs.collect());
    }

    fn statements(&mut self) {
        for (classes, selector) in BY_LINE {
            let outside = |&node: &Node| {
                let mut ancestors = self.tree.table().ancestors(node);
                !ancestors.any(|above| matches!(self.tree.type_name(above), "interpolation" | "format_expression"))
            };
            let ours = self.find(selector).into_iter().filter(outside);
            let ours = ours.map(|node| (self.line(node), String::new())).collect();
            let theirs = classes.iter().filter_map(|class| self.facts.by_line.get(*class)).flatten();
            let theirs = theirs.map(|&line| (line, String::new())).collect();
            self.compare(selector, ours, theirs);
        }
    }
}

/// Explained differences: the reason, and a predicate on the difference and its line.
type Explanation = (&'static str, fn(&Difference, &str) -> bool);

const EXPLAINED: &[Explanation] = &[
    ("the grammar takes `type(a).b = 1` for a type alias, and so `type(a)` for no call", |difference, line| {
        !difference.ours && difference.what.ends_with("type(1)") && line.trim().starts_with("type(")
    }),
    (
        "the grammar takes `*f()` between brackets for a call of `*f`, which begins a column before",
        |difference, line| difference.fact == "calls" && line.contains('*') && is_shifted(difference, line),
    ),
    ("the grammar reads `print >>file` as Python 2 does", |difference, line| {
        !difference.ours && line.trim().starts_with("print >>")
    }),
    ("`ast` gives names in Unicode's normal form", |difference, line| !difference.ours && !line.is_ascii()),
    ("names that are not in Unicode's normal form are given as written", |difference, _| {
        difference.ours && !difference.what.is_ascii()
    }),
];

/// Whether a call is at a `*`, or right after one.
fn is_shifted(difference: &Difference, line: &str) -> bool {
    let column = difference.what.split(' ').next().and_then(|column| column.parse::<usize>().ok());
    let star = column.and_then(|column| column.checked_sub(usize::from(!difference.ours)));
    star.is_some_and(|star| line.chars().nth(star) == Some('*'))
}

/// Files of one version or another that `ast` reads and the grammar doesn't, and why.
const BROKEN: &[(&str, &str)] = &[
    ("test/test_compile.py", "in brackets, a line that begins further left follows a dot"),
    ("test/test_future_stmt/badsyntax_future8.py", "`from __future__ import *`"),
];

/// What all files together gave.
#[derive(Default)]
struct Tally {
    files: usize,
    compared: usize,
    broken: Vec<String>,
    explained: BTreeMap<&'static str, usize>,
    unexplained: Vec<Difference>,
}

fn read(lines: &Mutex<Receiver<String>>, queries: &Queries, language: &'static Language, tally: &Mutex<Tally>) {
    loop {
        let line = lines.lock().expect("no reader panics").recv();
        let Ok(line) = line else { return };
        let facts: AstFacts = serde_json::from_str(&line).expect("the script writes facts");
        let bytes = std::fs::read(Path::new(&facts.path)).expect("the script read the file too");
        let text = Text::decode(&bytes, None).expect("the script leaves out what is no UTF-8");
        let tree = match Tree::parse(text, language, &ParseLimits::default()) {
            Ok(tree) if tree.is_sound() => tree,
            Ok(tree) => {
                if let Some((_, reason)) = BROKEN.iter().find(|(name, _)| *name == facts.name) {
                    *tally.lock().expect("no reader panics").explained.entry(reason).or_default() += 1;
                    continue;
                }
                let broken =
                    format!("{}: {:?}", facts.name, tree.errors().first().map(|error| (error.position, &error.what)));
                tally.lock().expect("no reader panics").broken.push(broken);
                continue;
            }
            Err(error) => {
                tally.lock().expect("no reader panics").broken.push(format!("{}: {error}", facts.name));
                continue;
            }
        };
        let comparison = Comparison { tree: &tree, queries, facts: &facts, compared: 0, differences: Vec::new() };
        let (compared, differences) = comparison.run();
        let mut tally = tally.lock().expect("no reader panics");
        tally.files += 1;
        tally.compared += compared;
        for difference in differences {
            let source = tree.text().slice(tree.text().line_span(difference.line));
            match EXPLAINED.iter().find(|(_, explains)| explains(&difference, &source)) {
                Some((name, _)) => *tally.explained.entry(name).or_default() += 1,
                None => tally.unexplained.push(difference),
            }
        }
    }
}

#[test]
fn the_standard_library_is_read_as_ast_reads_it() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/ast_facts.py");
    let stride = if std::env::var("CST_ORACLE").is_ok_and(|mode| mode == "full") { 1 } else { STRIDE };
    let child = Command::new("python3").arg(script).arg(stride.to_string()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        assert!(std::env::var_os("CI").is_none(), "python3 is missing");
        println!("skipped: there is no python3");
        return;
    };
    let language = Language::named("python").expect("Python is built in");
    let queries = Queries::new(language);
    let tally = Mutex::new(Tally::default());
    let mut unreadable = None;
    let (sender, receiver) = sync_channel(8);
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let (receiver, queries, tally) = (&receiver, &queries, &tally);
        let readers: Vec<_> = (0..2).map(|_| scope.spawn(move || read(receiver, queries, language, tally))).collect();
        for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
            let line = line.expect("the script writes UTF-8");
            match serde_json::from_str::<Unreadable>(&line) {
                Ok(last) => unreadable = Some(last.unreadable),
                Err(_) if sender.send(line).is_err() => break,
                Err(_) => {}
            }
        }
        drop(sender);
        readers.into_iter().for_each(|reader| reader.join().expect("a reader does not panic"));
    });
    assert!(child.wait().is_ok_and(|status| status.success()), "the script failed");
    let unreadable = unreadable.expect("the script's last line says what it couldn't read");
    let tally = tally.into_inner().expect("no reader panics");
    println!("{} files, {} facts; {unreadable} files that `ast` cannot read", tally.files, tally.compared);
    tally.explained.iter().for_each(|(name, count)| println!("{count} explained: {name}"));
    tally.broken.iter().for_each(|file| println!("our parse has an error: {file}"));
    let shown: Vec<String> = tally.unexplained.iter().take(200).map(|difference| difference.to_string()).collect();
    assert!(tally.files > 10, "almost nothing was read");
    assert!(tally.broken.is_empty(), "{} files that the grammar cannot read", tally.broken.len());
    assert!(tally.unexplained.is_empty(), "{} differences:\n{}", tally.unexplained.len(), shown.join("\n"));
}
