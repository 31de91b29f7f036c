//! Questions about the open text, and their answers.

use std::collections::BTreeMap;

use cst::edit::{self, Allow, Site, Template};
use cst::inspect::{CLASSES, Place, highlight, inspect, shown_errors};
use cst::language::{Language, Languages};
use cst::outline;
use cst::rule::ast_grep::{AstGrepUtilities, is_ast_grep, read_as_ast_grep, read_ast_grep};
use cst::rule::{Evaluation, Ignores, Rule, RulePlan, read_rules};
use cst::selector::{Definitions, Kinds, Match, NearMiss, Query, Selector, like, words};
use cst::text::{Text, unified};
use cst::tree::{ParseLimits, Tree};
use serde::{Deserialize, Serialize};
use tree_sitter_language::LanguageFn;

use crate::answer::{Definition, Finding, Found, Rewritten, Row, Scanned, Shown, Step};
use crate::problem::Problem;

/// How many near misses are listed.
const NEAR: usize = 3;
/// Words of this many or more are too many to list.
const MANY_WORDS: usize = 400;
/// How many findings are mended on their own, to show what their fix changes.
const FIXES: usize = 100;

/// What a program has compiled in about a language.
#[derive(Deserialize)]
struct Data {
    name: String,
    head: String,
    whole: String,
    node_types: String,
    named: String,
    outline: String,
}

/// Adds a language; see [`crate::memory::cst_add`].
pub fn add(grammar: LanguageFn, data: &[u8]) -> Vec<u8> {
    fn keep(text: String) -> &'static str {
        Box::leak(text.into_boxed_str())
    }
    let added = || {
        let data: Data = serde_json::from_slice(data).map_err(|error| Problem::new(error.to_string()))?;
        cst_languages::add(cst_languages::Language {
            name: keep(data.name),
            grammar,
            ast_grep: None,
            node_types: keep(data.node_types),
            head: keep(data.head),
            whole: keep(data.whole),
            named: keep(data.named),
            outline: keep(data.outline),
        });
        Ok(())
    };
    written(added())
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer<T> {
    Result(T),
    Error(Problem),
}

fn written<T: Serialize>(answer: Result<T, Problem>) -> Vec<u8> {
    let answer = match answer {
        Ok(result) => Answer::Result(result),
        Err(problem) => Answer::Error(problem),
    };
    serde_json::to_vec(&answer).expect("answers are JSON")
}

#[derive(Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
enum Question {
    /// Opens a text.
    Open {
        text: String,
        language: String,
        #[serde(default)]
        path: String,
    },
    Find(Wanted),
    /// The words that selectors may use.
    Words {},
    Inspect(Place),
    Outline {},
    Rewrite {
        #[serde(flatten)]
        wanted: Wanted,
        template: String,
    },
    Scan {
        rules: String,
    },
}

/// A selector or a code pattern.
#[derive(Deserialize)]
struct Wanted {
    selector: Option<String>,
    pattern: Option<String>,
}

/// The text that is open.
#[derive(Default)]
pub struct Open {
    tree: Option<Tree>,
}

impl Open {
    /// Answers a question; see [`crate::memory::cst_call`].
    pub fn answer(&mut self, question: &[u8]) -> Vec<u8> {
        let question: Question = match serde_json::from_slice(question) {
            Ok(question) => question,
            Err(error) => return written::<()>(Err(Problem::new(error.to_string()))),
        };
        if let Question::Open { text, language, path } = &question {
            return written(self.open(text, language, path));
        }
        let Some(tree) = &self.tree else {
            return written::<()>(Err(Problem::new("no text is open")));
        };
        match question {
            Question::Open { .. } => unreachable!("answered above"),
            Question::Find(wanted) => written(find(tree, &wanted)),
            Question::Words {} => written(Ok(listed_words(tree.language()))),
            Question::Inspect(place) => {
                written(inspect(tree, &place).ok_or_else(|| Problem::new("the text has no such place")))
            }
            Question::Outline {} => written(outlined(tree)),
            Question::Rewrite { wanted, template } => written(rewrite(tree, &wanted, &template)),
            Question::Scan { rules } => written(scan(tree, &rules)),
        }
    }

    fn open(&mut self, text: &str, language: &str, path: &str) -> Result<Shown, Problem> {
        let wrong = |error: &dyn std::fmt::Display| Problem::new(error.to_string());
        let language = Language::named(language).map_err(|error| wrong(&error))?;
        let parsed = Tree::parse(Text::new(text), language, &ParseLimits::default()).map_err(|error| wrong(&error))?;
        let tree = self.tree.insert(if path.is_empty() { parsed } else { parsed.with_path(path) });
        Ok(Shown { language: language.name(), spans: highlight(tree), classes: CLASSES, errors: shown_errors(tree) })
    }
}

impl Wanted {
    fn query(&self, tree: &Tree) -> Result<Query, Problem> {
        let selector = match (&self.selector, &self.pattern) {
            (Some(selector), None) => Selector::parse(selector)?,
            (None, Some(pattern)) => Selector::parse(&like(pattern))?,
            _ => return Err(Problem::new("give a selector or a pattern")),
        };
        Ok(Query::new(&selector, tree.language(), &Definitions::default())?)
    }
}

fn find(tree: &Tree, wanted: &Wanted) -> Result<Found, Problem> {
    let query = wanted.query(tree)?;
    let kinds = Kinds::new(tree);
    let found = kinds.select(&query)?;
    let steps = query.survivors(tree).into_iter().flatten();
    let near = |miss: NearMiss| {
        let line = tree.start(miss.node).line;
        format!("line {line}: `{}` where {} wants `{}`", miss.found, miss.step.trim(), miss.wanted)
    };
    let near =
        if found.is_empty() { query.near_misses(tree, NEAR).into_iter().map(near).collect() } else { Vec::new() };
    Ok(Found {
        matches: found.iter().map(|found| Row::of_match(tree, &kinds, found)).collect(),
        read_as: query.read_as(),
        steps: steps.map(|count| Step { step: count.step, nodes: count.nodes }).collect(),
        near,
    })
}

fn listed_words(language: &'static Language) -> BTreeMap<&'static str, Vec<String>> {
    words(language).into_iter().filter(|(_, words)| words.len() < MANY_WORDS).collect()
}

fn outlined(tree: &Tree) -> Result<Vec<Definition>, Problem> {
    let definitions = outline::outline(tree, &outline::Options::default());
    let definitions = definitions.map_err(|error| Problem::new(error.to_string()))?;
    Ok(definitions.into_iter().map(Definition::from).collect())
}

fn rewrite(tree: &Tree, wanted: &Wanted, template: &str) -> Result<Rewritten, Problem> {
    let query = wanted.query(tree)?;
    let template = Template::parse(template).map_err(|error| Problem::from(&error))?.for_query(&query);
    let sites: Vec<Site> =
        query.select(tree)?.into_iter().map(|found| Site { node: found.node, captures: found.captures }).collect();
    let rewritten = edit::rewrite(tree, &sites, &template, Allow::default(), &ParseLimits::default())
        .map_err(|error| Problem::of_rewrite(&error, tree, &sites))?;
    let overlapping: Vec<String> =
        rewritten.overlapping.iter().map(|&node| tree.start(node).line.to_string()).collect();
    let notes = match overlapping.len() {
        0 => Vec::new(),
        count => vec![format!("{count} overlap others and went with them, in line {}", overlapping.join(", "))],
    };
    let new = rewritten.outcome.tree.text();
    Ok(Rewritten {
        matches: sites.len(),
        applied: rewritten.changed,
        text: new.to_string(),
        diff: unified(tree.path().unwrap_or("text"), tree.text(), new),
        notes,
    })
}

fn scan(tree: &Tree, source: &str) -> Result<Scanned, Problem> {
    let source = source.replace("\r\n", "\n");
    let (rules, mut problems) = read(&source)?;
    let own = Definitions::default();
    let mut plans = Vec::new();
    for rule in &rules {
        match rule.plan(tree.language(), &own) {
            Ok(Some(plan)) => plans.push(plan),
            Ok(None) => {
                let message = format!("the rule `{}` is not for {}", rule.id, tree.language().name());
                problems.push(Problem::new(message));
            }
            Err(error) => problems.push(Problem::of_rule(&error, &source)),
        }
    }
    let foreign = read_as_ast_grep(tree, &ParseLimits::default());
    let seen = |plan: &RulePlan<'_>| foreign.as_ref().filter(|_| plan.rule().is_foreign()).unwrap_or(tree);
    let mut findings = Vec::new();
    for plan in &plans {
        let tree = seen(plan);
        let ignores = Ignores::of(tree);
        let kinds = Kinds::new(tree);
        for found in plan.find(&Evaluation::new(tree))? {
            let shows_fix = plan.rule().has_fix() && findings.len() < FIXES;
            let diff = if shows_fix { mended(plan, tree, vec![found.clone()]) } else { None };
            findings.push(Finding {
                rule: plan.rule().id.clone(),
                severity: plan.rule().severity.as_str(),
                message: plan.message(tree, &found),
                note: plan.rule().note.clone(),
                url: plan.rule().url.clone(),
                ignored: ignores.silencing(&plan.rule().id, tree, found.node).is_some(),
                diff: diff.map(|(_, new)| unified(path(tree), tree.text(), new.text())),
                row: Row::of_match(tree, &kinds, &found),
            });
        }
    }
    findings.sort_by_key(|finding| finding.row.bytes());
    let (mut applied, mut new) = (0, tree.clone());
    for plan in plans.iter().filter(|plan| plan.rule().has_fix()) {
        let read = if plan.rule().is_foreign() { read_as_ast_grep(&new, &ParseLimits::default()) } else { None };
        let on = read.unwrap_or_else(|| new.clone());
        let ignores = Ignores::of(&on);
        let found = plan.find(&Evaluation::new(&on))?.into_iter();
        let found: Vec<Match> =
            found.filter(|one| ignores.silencing(&plan.rule().id, &on, one.node).is_none()).collect();
        if found.is_empty() {
            continue;
        }
        if let Some((count, next)) = mended(plan, &on, found) {
            applied += count;
            new = Tree::parse(next.text().clone(), tree.language(), &ParseLimits::default())
                .map_err(|error| Problem::new(error.to_string()))?;
        }
    }
    let diff = unified(path(tree), tree.text(), new.text());
    Ok(Scanned { findings, problems, fixed: new.text().to_string(), diff, applied })
}

fn path(tree: &Tree) -> &str {
    tree.path().unwrap_or("text")
}

/// How many findings a rule's fix mends, and the tree after it.
fn mended(plan: &RulePlan<'_>, tree: &Tree, found: Vec<Match>) -> Option<(usize, Tree)> {
    let mended = plan.mend(tree, found, Allow::default(), &ParseLimits::default()).ok()?;
    Some((mended.applied, mended.tree))
}

/// The rules of a text in TOML, or in ast-grep's YAML, and what is wrong with others of them.
fn read(source: &str) -> Result<(Vec<Rule>, Vec<Problem>), Problem> {
    let known = Languages::built_in();
    if !source.contains("[[rule]]") && (is_ast_grep(source) || source.lines().any(|line| line.starts_with("id:"))) {
        let read =
            read_ast_grep(source, known, &AstGrepUtilities::default()).map_err(|error| Problem::of_yaml(&error))?;
        let problems = read.errors.iter().map(Problem::of_yaml).collect();
        return Ok((read.rules.into_iter().map(|rule| Rule::of_ast_grep(rule, source)).collect(), problems));
    }
    let read = read_rules(source, known).map_err(|error| Problem::of_rule(&error, source))?;
    let problems = read.errors.iter().map(|error| Problem::of_rule(error, source)).collect();
    Ok((read.rules, problems))
}
