//! Reads rules from YAML.

use std::rc::Rc;
use std::sync::Arc;

use super::error::AstGrepError;
use super::fields::{Read, entries, list, text, texts, unknown_key, wrong};
use super::model::{
    Call, Config, Corner, Direction, Expansion, FileGlob, Fix, NthChild, Part, PatternText, Placed, Range, Relation,
    RuleObject, Stop, Strictness,
};
use super::position::position;
use super::transform::transforms;
use super::yaml::{Entry, Value, Yaml};
use crate::selector::nearest;

const RULE_KEYS: [&str; 13] = [
    "pattern", "kind", "regex", "nthChild", "range", "inside", "has", "precedes", "follows", "all", "any", "not",
    "matches",
];
/// The keys of a rule's file; others are `metadata` of other tools.
pub(super) const CONFIG_KEYS: [&str; 17] = [
    "id",
    "language",
    "rule",
    "constraints",
    "utils",
    "transform",
    "rewriters",
    "fix",
    "message",
    "note",
    "severity",
    "labels",
    "files",
    "ignores",
    "url",
    "metadata",
    "arguments",
];

/// The rules of a project that others may name.
pub(super) type Globals = Arc<Vec<(String, Config)>>;

/// The parts of a rule beside its metadata.
pub(super) fn config(node: &Yaml, globals: &Globals) -> Read<Config> {
    for entry in entries(node, "a rule")? {
        // Other tools keep keys of their own here; a word that is almost a key is a mistake.
        let is_like = || nearest(&entry.key, "", CONFIG_KEYS.iter().copied()).is_some();
        if !CONFIG_KEYS.contains(&entry.key.as_str()) && is_like() {
            return Err(unknown_key(entry, &CONFIG_KEYS));
        }
    }
    let Some(written) = node.get("rule") else { return wrong(node, "`rule` is missing") };
    let mut rewriters = Vec::new();
    if let Some(node) = node.get("rewriters") {
        for item in list(node, "`rewriters`")? {
            let Some(id) = item.get("id") else { return wrong(item, "`id` is missing") };
            let rewriter = config(item, globals)?;
            if rewriter.fix.is_none() {
                return wrong(item, "a rewriter has a `fix`");
            }
            rewriters.push((text(id, "`id`")?.value, rewriter));
        }
    }
    let named = |key: &str| -> Read<Vec<(Placed<String>, RuleObject)>> {
        let Some(node) = node.get(key) else { return Ok(Vec::new()) };
        entries(node, key)?.iter().map(|entry| Ok((entry.name(), rule_object(&entry.value)?))).collect()
    };
    Ok(Config {
        rule: rule_object(written)?,
        place: written.place,
        constraints: named("constraints")?,
        utils: named("utils")?,
        transform: node.get("transform").map(|node| transforms(node)).transpose()?.unwrap_or_default(),
        rewriters,
        fix: node.get("fix").map(|node| fix(node)).transpose()?.flatten(),
        files: node.get("files").map(|node| file_globs(node)).transpose()?,
        ignores: node.get("ignores").map(|node| file_globs(node)).transpose()?.unwrap_or_default(),
        labels: labels(node)?,
        parameters: parameters(node)?,
        globals: Arc::clone(globals),
    })
}

/// Globs of files: texts, or tables that say whether case counts.
fn file_globs(node: &Yaml) -> Read<Vec<FileGlob>> {
    let read = |item: &Rc<Yaml>| {
        let (glob, ignores_case) = match item.get("glob") {
            Some(glob) => {
                let case = item.get("caseInsensitive").map(|node| &node.value);
                (text(glob, "`glob`")?, matches!(case, Some(Value::Bool(true))))
            }
            None => (text(item, "a glob")?, false),
        };
        Ok(FileGlob { glob: glob.value, ignores_case })
    };
    list(node, "the list of files")?.iter().map(read).collect()
}

fn labels(node: &Yaml) -> Read<Vec<(Placed<String>, Option<String>)>> {
    let Some(node) = node.get("labels") else { return Ok(Vec::new()) };
    let label = |entry: &Entry| {
        let message = entry.value.get("message").map(|message| text(message, "`message`")).transpose()?;
        match entry.value.get("style").and_then(|style| style.text()).as_deref() {
            Some("primary" | "secondary") => Ok((entry.name(), message.map(|message| message.value))),
            _ => wrong(&entry.value, "a label has the `style` `primary` or `secondary`"),
        }
    };
    entries(node, "`labels`")?.iter().map(label).collect()
}

/// The names of the rules that a utility is called with.
fn parameters(node: &Yaml) -> Read<Vec<String>> {
    let Some(node) = node.get("arguments") else { return Ok(Vec::new()) };
    let names = texts(node, "`arguments`")?;
    let is_twice = |name: &String| names.iter().filter(|known| *known == name).count() > 1;
    match names.iter().find(|name| name.is_empty() || is_twice(name)) {
        Some(name) => wrong(node, format!("`{name}` is not a name, or there twice")),
        None => Ok(names),
    }
}

/// A rule object.
fn rule_object(node: &Yaml) -> Read<RuleObject> {
    for entry in entries(node, "a rule")? {
        if !RULE_KEYS.contains(&entry.key.as_str()) {
            return Err(unknown_key(entry, &RULE_KEYS));
        }
    }
    parts(node)
}

/// The parts of a rule object; other keys are read by the caller.
fn parts(node: &Yaml) -> Read<RuleObject> {
    let mut parts = Vec::new();
    if let Some(pattern) = node.get("pattern") {
        parts.push(Part::Pattern(pattern_text(pattern)?));
    }
    if let Some(kind) = node.get("kind") {
        parts.push(Part::Kind(text(kind, "`kind`")?));
    }
    if let Some(regex) = node.get("regex") {
        parts.push(Part::Regex(text(regex, "`regex`")?));
    }
    if let Some(position) = node.get("nthChild") {
        parts.push(Part::NthChild(nth_child(position)?));
    }
    if let Some(written) = node.get("range") {
        parts.push(Part::Range(range(written)?));
    }
    let objects =
        |node: &Yaml, what: &str| list(node, what)?.iter().map(|item| rule_object(item)).collect::<Read<Vec<_>>>();
    if let Some(all) = node.get("all") {
        parts.push(Part::All(objects(all, "`all`")?));
    }
    if let Some(any) = node.get("any") {
        parts.push(Part::Any(objects(any, "`any`")?));
    }
    if let Some(not) = node.get("not") {
        parts.push(Part::Not(Box::new(rule_object(not)?)));
    }
    match node.get("matches") {
        Some(calls) if matches!(calls.value, Value::Table(_)) => {
            let calls = entries(calls, "`matches`")?.iter().map(|entry| Ok(Part::Call(call(entry)?)));
            parts.extend(calls.collect::<Read<Vec<_>>>()?);
        }
        Some(name) => parts.push(Part::Matches(text(name, "`matches`")?)),
        None => {}
    }
    const DIRECTIONS: [(&str, Direction); 4] = [
        ("inside", Direction::Inside),
        ("has", Direction::Has),
        ("precedes", Direction::Precedes),
        ("follows", Direction::Follows),
    ];
    for (key, direction) in DIRECTIONS {
        if let Some(node) = node.get(key) {
            parts.push(Part::Relation(relation(node, direction)?));
        }
    }
    if parts.is_empty() {
        return wrong(node, "the rule says nothing about a node")
            .map_err(|error: AstGrepError| error.hint(format!("give one of `{}`", RULE_KEYS.join("`, `"))));
    }
    Ok(RuleObject { parts })
}

/// A utility with a rule for each of its parameters.
fn call(entry: &Entry) -> Read<Call> {
    let given = entries(&entry.value, "the arguments of a utility")?;
    let arguments = given.iter().map(|given| Ok((given.name(), rule_object(&given.value)?)));
    Ok(Call { name: entry.name(), arguments: arguments.collect::<Read<Vec<_>>>()? })
}

fn pattern_text(node: &Yaml) -> Read<PatternText> {
    if let Some(code) = node.text() {
        let code = Placed { value: code, place: node.place };
        return Ok(PatternText { code, selector: None, strictness: Strictness::Smart });
    }
    for entry in entries(node, "`pattern`")? {
        if !["context", "selector", "strictness"].contains(&entry.key.as_str()) {
            return Err(unknown_key(entry, &["context", "selector", "strictness"]));
        }
    }
    let Some(code) = node.get("context") else { return wrong(node, "`context` is missing") };
    let strictness = match node.get("strictness") {
        Some(node) => strictness(node)?,
        None => Strictness::Smart,
    };
    let selector = node.get("selector").map(|selector| text(selector, "`selector`")).transpose()?;
    Ok(PatternText { code: text(code, "`context`")?, selector, strictness })
}

fn strictness(node: &Yaml) -> Read<Strictness> {
    const KNOWN: [(&str, Strictness); 6] = [
        ("cst", Strictness::Cst),
        ("smart", Strictness::Smart),
        ("ast", Strictness::Ast),
        ("relaxed", Strictness::Relaxed),
        ("signature", Strictness::Signature),
        ("template", Strictness::Template),
    ];
    let word = text(node, "`strictness`")?.value;
    match KNOWN.iter().find(|(name, _)| *name == word) {
        Some((_, strictness)) => Ok(*strictness),
        None => wrong(node, format!("unknown strictness `{word}`")).map_err(|error: AstGrepError| {
            error.hint("one of `cst`, `smart`, `ast`, `relaxed`, `signature`, `template`")
        }),
    }
}

fn nth_child(node: &Yaml) -> Read<NthChild> {
    let simple = |node: &Yaml| -> Read<(i64, i64)> {
        let word = text(node, "`nthChild`")?.value;
        match position(&word) {
            Some(position) => Ok(position),
            None => wrong(node, format!("`{word}` is not a position"))
                .map_err(|error: AstGrepError| error.hint("a number from 1, or `2n+1`")),
        }
    };
    if node.text().is_some() {
        let (step, offset) = simple(node)?;
        return Ok(NthChild { step, offset, of: None, from_end: false });
    }
    let Some(place) = node.get("position") else { return wrong(node, "`position` is missing") };
    let (step, offset) = simple(place)?;
    let of = node.get("ofRule").map(|rule| rule_object(rule).map(Box::new)).transpose()?;
    let from_end = matches!(node.get("reverse").map(|node| &node.value), Some(Value::Bool(true)));
    Ok(NthChild { step, offset, of, from_end })
}

fn range(node: &Yaml) -> Read<Range> {
    let corner = |key: &str| -> Read<Corner> {
        let Some(place) = node.get(key) else { return wrong(node, format!("`{key}` is missing")) };
        let number = |key: &str| match place.get(key).map(|node| &node.value) {
            Some(Value::Number(number)) => usize::try_from(*number).ok(),
            _ => None,
        };
        let has_column = place.get("column").is_none_or(|column| matches!(column.value, Value::Null));
        match (number("line"), number("column")) {
            (Some(line), column) if column.is_some() || has_column => Ok(Corner { line, column }),
            _ => wrong(place, "a place has a `line`, and may have a `column`, both from 0"),
        }
    };
    let (start, end) = (corner("start")?, corner("end")?);
    if (start.line, start.column) > (end.line, end.column) {
        return wrong(node, "the range ends before it starts");
    }
    Ok(Range { start, end })
}

fn relation(node: &Yaml, direction: Direction) -> Read<Relation> {
    for entry in entries(node, "a relation")? {
        let key = entry.key.as_str();
        if key == "field" && matches!(direction, Direction::Precedes | Direction::Follows) {
            return Err(AstGrepError::new("`field` is for `inside` and `has`".to_owned(), entry.place));
        }
        // ast-grep takes no offence at other keys here, and rules in use have some.
        let is_known = RULE_KEYS.contains(&key) || ["stopBy", "field"].contains(&key);
        if !is_known && nearest(key, "", RULE_KEYS.iter().copied()).is_some() {
            return Err(unknown_key(entry, &RULE_KEYS));
        }
    }
    Ok(Relation {
        direction,
        rule: Box::new(parts(node)?),
        stop: stop(node)?,
        field: node.get("field").map(|field| text(field, "`field`")).transpose()?,
    })
}

fn stop(node: &Yaml) -> Read<Stop> {
    let Some(stop) = node.get("stopBy") else { return Ok(Stop::Neighbor) };
    match stop.text().as_deref() {
        Some("neighbor") => Ok(Stop::Neighbor),
        Some("end") => Ok(Stop::End),
        Some(other) => wrong(stop, format!("`stopBy` is `neighbor`, `end` or a rule, not `{other}`")),
        None => Ok(Stop::Rule(Box::new(rule_object(stop)?))),
    }
}

/// A fix: a template, an object, or a list of objects of which the first counts.
fn fix(node: &Yaml) -> Read<Option<Fix>> {
    if let Value::List(items) = &node.value {
        if let Some(item) = items.iter().find(|item| item.get("title").is_none()) {
            return wrong(item, "a fix of several has a `title`");
        }
        return match items.first() {
            Some(first) => fix(first),
            None => Ok(None),
        };
    }
    if let Some(template) = node.text() {
        let template = Placed { value: template, place: node.place };
        return Ok(Some(Fix { template, expand_start: None, expand_end: None }));
    }
    if matches!(node.value, Value::Null) {
        return Ok(None);
    }
    for entry in entries(node, "`fix`")? {
        if !["template", "expandStart", "expandEnd", "title"].contains(&entry.key.as_str()) {
            return Err(unknown_key(entry, &["template", "expandStart", "expandEnd", "title"]));
        }
    }
    let Some(written) = node.get("template") else { return wrong(node, "`template` is missing") };
    let expansion = |key: &str| -> Read<Option<Expansion>> {
        let Some(node) = node.get(key) else { return Ok(None) };
        Ok(Some(Expansion { rule: parts(node)?, stop: stop(node)? }))
    };
    let template = Placed { value: written.text().unwrap_or_default(), place: written.place };
    Ok(Some(Fix { template, expand_start: expansion("expandStart")?, expand_end: expansion("expandEnd")? }))
}
