//! Transformations: how they are written.

use super::case::{Case, Separators};
use super::error::{AstGrepError, Place};
use super::fields::{Read, entries, text, texts, wrong};
use super::model::{Placed, Transform, TransformKind};
use super::pattern::{MetaVar, meta_var_of};
use super::regex::compile_regex;
use super::yaml::{Value, Yaml};

/// The transformations of a rule, so that each comes after those that it uses.
pub(super) fn transforms(node: &Yaml) -> Read<Vec<(Placed<String>, Transform)>> {
    let all = entries(node, "`transform`")?.iter().map(|entry| Ok((entry.name(), transform(&entry.value)?)));
    in_order(all.collect::<Read<Vec<_>>>()?, node.place)
}

fn in_order(mut open: Vec<(Placed<String>, Transform)>, place: Place) -> Read<Vec<(Placed<String>, Transform)>> {
    let mut ordered: Vec<(Placed<String>, Transform)> = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let needs = |transform: &Transform, name: &Placed<String>| transform.source.value == name.value;
        let is_ready =
            |(_, transform): &(Placed<String>, Transform)| !open.iter().any(|(name, _)| needs(transform, name));
        match open.iter().position(is_ready) {
            Some(at) => ordered.push(open.remove(at)),
            None => {
                let names: Vec<&str> = open.iter().map(|(name, _)| name.value.as_str()).collect();
                let message = format!("the transformations `{}` need each other", names.join("`, `"));
                return Err(AstGrepError::new(message, place));
            }
        }
    }
    Ok(ordered)
}

fn transform(node: &Yaml) -> Read<Transform> {
    if let Some(written) = node.text() {
        return read_call(node, &written);
    }
    let entries = entries(node, "a transformation")?;
    let [entry] = entries else {
        return wrong(node, "a transformation is one of `substring`, `replace`, `convert`, `rewrite`");
    };
    let table = &entry.value;
    let field = |key: &str| table.get(key).map(|node| text(node, key)).transpose();
    let need = |key: &str| match field(key)? {
        Some(text) => Ok(text),
        None => wrong(table, format!("`{key}` is missing")),
    };
    let list = |key: &str| table.get(key).map(|node| texts(node, key)).transpose();
    let number = |key: &str| match table.get(key).map(|node| &node.value) {
        Some(Value::Number(number)) => Ok(Some(*number)),
        Some(Value::Null) | None => Ok(None),
        Some(_) => wrong(table, format!("`{key}` is a number")),
    };
    let kind = match entry.key.as_str() {
        "substring" => TransformKind::Substring { start: number("startChar")?, end: number("endChar")? },
        "replace" => TransformKind::Replace { regex: compile_regex(&need("replace")?)?, by: need("by")?.value },
        "convert" => TransformKind::Convert {
            case: case(table, &need("toCase")?.value)?,
            separators: separators(table, list("separatedBy")?)?,
        },
        "rewrite" => TransformKind::Rewrite {
            rewriters: match list("rewriters")? {
                Some(rewriters) => rewriters,
                None => return wrong(table, "`rewriters` is missing"),
            },
            join: field("joinBy")?.map(|join| join.value),
        },
        other => return wrong(node, format!("unknown transformation `{other}`")),
    };
    make(&need("source")?, kind)
}

fn case(node: &Yaml, name: &str) -> Read<Case> {
    match Case::NAMES.iter().find(|(known, _)| *known == name) {
        Some((_, case)) => Ok(*case),
        None => {
            let known: Vec<&str> = Case::NAMES.iter().map(|(known, _)| *known).collect();
            let error = AstGrepError::new(format!("unknown case `{name}`"), node.place);
            Err(error.hint(format!("one of `{}`", known.join("`, `"))))
        }
    }
}

fn separators(node: &Yaml, names: Option<Vec<String>>) -> Read<Separators> {
    match names {
        None => Ok(Separators::default()),
        Some(names) => Separators::of(&names).or_else(|name| wrong(node, format!("unknown separator `{name}`"))),
    }
}

fn make(source: &Placed<String>, kind: TransformKind) -> Read<Transform> {
    let (name, is_of_many) = match meta_var_of(&source.value, '$') {
        Some(MetaVar::One { name: Some(name), .. }) => (name, false),
        Some(MetaVar::Many { name: Some(name) }) => (name, true),
        _ => {
            let message = format!("`{}` is not a metavariable with a name, as `$A`", source.value);
            return Err(AstGrepError::new(message, source.place));
        }
    };
    Ok(Transform { source: Placed { value: name, place: source.place }, is_of_many, kind })
}

/// `replace($A, replace="a", by="b")`
fn read_call(node: &Yaml, written: &str) -> Read<Transform> {
    let bad = || AstGrepError::new(format!("`{written}` is not a transformation"), node.place);
    let (name, rest) = written.trim().split_once('(').ok_or_else(bad)?;
    let (source, rest) = rest.trim_end_matches(')').split_once(',').ok_or_else(bad)?;
    let arguments = split_arguments(rest.trim()).ok_or_else(bad)?;
    let known: &[&str] = match name.trim() {
        "substring" => &["startChar", "endChar"],
        "replace" => &["replace", "by"],
        "convert" => &["toCase", "separatedBy"],
        "rewrite" => &["rewriters", "joinBy"],
        _ => return Err(bad()),
    };
    if let Some((unknown, _)) = arguments.iter().find(|(key, _)| !known.contains(key)) {
        return wrong(node, format!("`{}` has no argument `{unknown}`", name.trim()));
    }
    let value = |key: &str| -> Read<Option<Yaml>> {
        let Some((_, value)) = arguments.iter().find(|(known, _)| *known == key) else { return Ok(None) };
        let read = super::yaml::read(value).map_err(|error| AstGrepError { place: node.place, ..error })?;
        Ok(read.first().map(|read| Yaml::clone(read)))
    };
    let word = |key: &str| Ok(value(key)?.and_then(|value| value.text()));
    let need = |key: &str| match word(key)? {
        Some(word) => Ok(Placed { value: word, place: node.place }),
        None => wrong(node, format!("`{key}` is missing")),
    };
    let list = |key: &str| value(key)?.map(|value| texts(&value, key)).transpose();
    let number = |key: &str| match value(key)?.map(|value| value.value) {
        Some(Value::Number(number)) => Ok(Some(number)),
        None => Ok(None),
        Some(_) => wrong(node, format!("`{key}` is a number")),
    };
    let kind = match name.trim() {
        "substring" => TransformKind::Substring { start: number("startChar")?, end: number("endChar")? },
        "replace" => TransformKind::Replace { regex: compile_regex(&need("replace")?)?, by: need("by")?.value },
        "convert" => TransformKind::Convert {
            case: case(node, &need("toCase")?.value)?,
            separators: separators(node, list("separatedBy")?)?,
        },
        _ => TransformKind::Rewrite { rewriters: list("rewriters")?.ok_or_else(bad)?, join: word("joinBy")? },
    };
    make(&Placed { value: source.trim().to_owned(), place: node.place }, kind)
}

/// The arguments of a transformation: `key=value`, where a value may be in quotes or brackets.
fn split_arguments(mut rest: &str) -> Option<Vec<(&str, &str)>> {
    let mut arguments = Vec::new();
    while !rest.is_empty() {
        let (key, next) = rest.split_once('=')?;
        let next = next.trim_start();
        let end = match next.chars().next()? {
            open @ ('"' | '\'') => next[1..].find(open)? + 2,
            '[' => next.find(']')? + 1,
            _ => next.find(',').unwrap_or(next.len()),
        };
        let (value, next) = next.split_at(end);
        arguments.push((key.trim(), value));
        rest = next.trim_start().trim_start_matches(',').trim();
    }
    Some(arguments)
}
