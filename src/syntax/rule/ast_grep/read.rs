//! Reads rules from YAML.

use std::rc::Rc;
use std::sync::Arc;

use super::error::{AstGrepError, Place};
use super::model::{
    Config, Direction, Expansion, Fix, NthChild, Part, PatternText, Placed, Range, Relation, RuleObject, Stop,
    Strictness, Transform, TransformKind,
};
use super::yaml::{Entry, Value, Yaml};
use crate::selector::nearest;

type Read<T> = Result<T, AstGrepError>;

const RULE_KEYS: [&str; 13] = [
    "pattern", "kind", "regex", "nthChild", "range", "inside", "has", "precedes", "follows", "all", "any", "not",
    "matches",
];
/// The keys of a rule's file; others are `metadata` of other tools.
pub(super) const CONFIG_KEYS: [&str; 16] = [
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
];

/// The rules of a project that others may name.
pub(super) type Globals = Arc<Vec<(String, Config)>>;

fn wrong<T>(node: &Yaml, message: impl Into<String>) -> Read<T> {
    Err(AstGrepError::new(message.into(), node.place))
}

fn entries<'y>(node: &'y Yaml, what: &str) -> Read<&'y [Entry]> {
    match &node.value {
        Value::Table(entries) => Ok(entries),
        Value::Null => Ok(&[]),
        _ => wrong(node, format!("{what} is a table")),
    }
}

fn list<'y>(node: &'y Yaml, what: &str) -> Read<&'y [Rc<Yaml>]> {
    match &node.value {
        Value::List(items) => Ok(items),
        Value::Null => Ok(&[]),
        _ => wrong(node, format!("{what} is a list")),
    }
}

pub(super) fn text(node: &Yaml, what: &str) -> Read<Placed<String>> {
    match node.text() {
        Some(value) => Ok(Placed { value, place: node.place }),
        None => wrong(node, format!("{what} is a text")),
    }
}

/// The texts of a list; a text alone is a list of one.
pub(super) fn texts(node: &Yaml, what: &str) -> Read<Vec<String>> {
    match &node.value {
        Value::List(items) => items.iter().map(|item| Ok(text(item, what)?.value)).collect(),
        Value::Null => Ok(Vec::new()),
        _ => Ok(vec![text(node, what)?.value]),
    }
}

fn unknown_key(entry: &Entry, known: &[&str]) -> AstGrepError {
    let error = AstGrepError::new(format!("unknown key `{}`", entry.key), entry.place);
    match nearest(&entry.key, "", known.iter().copied()) {
        Some(hint) => error.hint(hint),
        None => error.hint(format!("one of `{}`", known.join("`, `"))),
    }
}

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
    let named = |key: &str| -> Read<Vec<(String, RuleObject)>> {
        let Some(node) = node.get(key) else { return Ok(Vec::new()) };
        entries(node, key)?.iter().map(|entry| Ok((entry.key.clone(), rule_object(&entry.value)?))).collect()
    };
    let mut transforms = Vec::new();
    if let Some(node) = node.get("transform") {
        for entry in entries(node, "`transform`")? {
            transforms.push((entry.key.clone(), transform(&entry.value)?));
        }
    }
    Ok(Config {
        rule: rule_object(written)?,
        constraints: named("constraints")?,
        utils: named("utils")?,
        transform: in_order(transforms, node.place)?,
        rewriters,
        fix: node.get("fix").map(|node| fix(node)).transpose()?.flatten(),
        labels: labels(node)?,
        globals: Arc::clone(globals),
    })
}

fn labels(node: &Yaml) -> Read<Vec<(String, Option<String>)>> {
    let Some(node) = node.get("labels") else { return Ok(Vec::new()) };
    let label = |entry: &Entry| {
        let message = entry.value.get("message").map(|message| text(message, "`message`")).transpose()?;
        Ok((entry.key.clone(), message.map(|message| message.value)))
    };
    entries(node, "`labels`")?.iter().map(label).collect()
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
    if let Some(matches) = node.get("matches") {
        parts.push(Part::Matches(text(matches, "`matches`")?));
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

/// `an+b`, `n`, `3`, `-n+2`.
fn position(word: &str) -> Option<(i64, i64)> {
    let word: String = word.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_lowercase();
    let number = |text: &str| match text {
        "" | "+" => Some(1),
        "-" => Some(-1),
        text => text.parse::<i64>().ok(),
    };
    match word.split_once('n') {
        None => Some((0, word.parse().ok()?)),
        Some((step, offset)) => {
            let offset = if offset.is_empty() { Some(0) } else { offset.parse().ok() };
            Some((number(step)?, offset?))
        }
    }
}

fn range(node: &Yaml) -> Read<Range> {
    let end = |key: &str| -> Read<(usize, usize)> {
        let Some(place) = node.get(key) else { return wrong(node, format!("`{key}` is missing")) };
        let number = |key: &str| match place.get(key).map(|node| &node.value) {
            Some(Value::Number(number)) => usize::try_from(*number).ok(),
            _ => None,
        };
        match (number("line"), number("column")) {
            (Some(line), Some(column)) => Ok((line, column)),
            _ => wrong(place, "a place has `line` and `column`, from 0"),
        }
    };
    Ok(Range { start: end("start")?, end: end("end")? })
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

fn transform(node: &Yaml) -> Read<Transform> {
    if let Some(written) = node.text() {
        return written_transform(node, &written);
    }
    let entries = entries(node, "a transformation")?;
    let [entry] = entries else {
        return wrong(node, "a transformation is one of `substring`, `replace`, `convert`, `rewrite`");
    };
    let table = &entry.value;
    let field = |key: &str| table.get(key).map(|node| text(node, key).map(|text| text.value)).transpose();
    let number = |key: &str| match table.get(key).map(|node| &node.value) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    let kind = match entry.key.as_str() {
        "substring" => TransformKind::Substring { start: number("startChar"), end: number("endChar") },
        "replace" => match (field("replace")?, field("by")?) {
            (Some(regex), Some(by)) => TransformKind::Replace { regex, by },
            _ => return wrong(table, "`replace` and `by` are missing"),
        },
        "convert" => match field("toCase")? {
            Some(case) => TransformKind::Convert {
                case,
                separators: table.get("separatedBy").map(|node| texts(node, "`separatedBy`")).transpose()?,
            },
            None => return wrong(table, "`toCase` is missing"),
        },
        "rewrite" => TransformKind::Rewrite {
            rewriters: table.get("rewriters").map(|node| texts(node, "`rewriters`")).transpose()?.unwrap_or_default(),
            join: field("joinBy")?,
        },
        other => return wrong(node, format!("unknown transformation `{other}`")),
    };
    let Some(source) = field("source")? else { return wrong(table, "`source` is missing") };
    Ok(Transform { source: capture_name(table, &source)?, kind })
}

fn capture_name(node: &Yaml, source: &str) -> Read<String> {
    let name = source.trim_start_matches('$');
    match name.len() < source.len() && !name.is_empty() {
        true => Ok(name.to_owned()),
        false => wrong(node, format!("`{source}` is not a capture: it begins with `$`")),
    }
}

/// `replace($A, replace="a", by="b")`
fn written_transform(node: &Yaml, written: &str) -> Read<Transform> {
    let bad = || AstGrepError::new(format!("`{written}` is not a transformation"), node.place);
    let (name, rest) = written.trim().split_once('(').ok_or_else(bad)?;
    let inner = rest.trim_end().strip_suffix(')').ok_or_else(bad)?;
    let arguments = split_arguments(inner);
    let (source, named) = arguments.split_first().ok_or_else(bad)?;
    let get = |key: &str| {
        let value = named.iter().find_map(|argument| argument.split_once('=').filter(|(name, _)| name.trim() == key));
        value.map(|(_, value)| value.trim().to_owned())
    };
    let unquoted = |text: String| {
        let inner = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        inner.map(str::to_owned).unwrap_or(text)
    };
    let words = |text: String| {
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']').to_owned();
        inner
            .split(',')
            .map(|word| unquoted(word.trim().to_owned()))
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
    };
    let kind = match name.trim() {
        "substring" => TransformKind::Substring {
            start: get("startChar").and_then(|number| number.parse().ok()),
            end: get("endChar").and_then(|number| number.parse().ok()),
        },
        "replace" => TransformKind::Replace {
            regex: unquoted(get("replace").ok_or_else(bad)?),
            by: unquoted(get("by").ok_or_else(bad)?),
        },
        "convert" => {
            TransformKind::Convert { case: get("toCase").ok_or_else(bad)?, separators: get("separatedBy").map(words) }
        }
        "rewrite" => TransformKind::Rewrite {
            rewriters: get("rewriters").map(words).unwrap_or_default(),
            join: get("joinBy").map(unquoted),
        },
        _ => return Err(bad()),
    };
    Ok(Transform { source: capture_name(node, source.trim())?, kind })
}

/// The arguments between brackets, split at commas that are neither in quotes nor in brackets.
fn split_arguments(text: &str) -> Vec<String> {
    let (mut arguments, mut current) = (Vec::new(), String::new());
    let (mut quote, mut depth) = (None, 0);
    for letter in text.chars() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, '[') => depth += 1,
            (None, ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                arguments.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(letter);
    }
    arguments.push(current);
    arguments
}

/// Transformations so that each comes after those that it uses.
fn in_order(mut open: Vec<(String, Transform)>, place: Place) -> Read<Vec<(String, Transform)>> {
    let mut ordered: Vec<(String, Transform)> = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let is_ready = |(_, transform): &(String, Transform)| !open.iter().any(|(name, _)| *name == transform.source);
        match open.iter().position(is_ready) {
            Some(at) => ordered.push(open.remove(at)),
            None => {
                let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("the transformations `{}` need each other", names.join("`, `"));
                return Err(AstGrepError::new(message, place));
            }
        }
    }
    Ok(ordered)
}

/// A fix: a template, an object, or a list of objects of which the first counts.
fn fix(node: &Yaml) -> Read<Option<Fix>> {
    if let Value::List(items) = &node.value {
        return match items.first() {
            Some(first) => fix(first),
            None => Ok(None),
        };
    }
    if let Some(template) = node.text() {
        return Ok(Some(Fix { template, expand_start: None, expand_end: None }));
    }
    if matches!(node.value, Value::Null) {
        return Ok(Some(Fix { template: String::new(), expand_start: None, expand_end: None }));
    }
    for entry in entries(node, "`fix`")? {
        if !["template", "expandStart", "expandEnd", "title"].contains(&entry.key.as_str()) {
            return Err(unknown_key(entry, &["template", "expandStart", "expandEnd", "title"]));
        }
    }
    let Some(template) = node.get("template") else { return wrong(node, "`template` is missing") };
    let expansion = |key: &str| -> Read<Option<Expansion>> {
        let Some(node) = node.get(key) else { return Ok(None) };
        Ok(Some(Expansion { rule: parts(node)?, stop: stop(node)? }))
    };
    let template = template.text().unwrap_or_default();
    Ok(Some(Fix { template, expand_start: expansion("expandStart")?, expand_end: expansion("expandEnd")? }))
}
