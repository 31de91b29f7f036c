//! Schemas as models are given them: short, and with none of the words that some of their interfaces refuse.
//!
//! What a schema refers to is put in its place; what may be null may just be left out; words to choose from are an `enum`; and of
//! objects that differ by a word, such as operations, all fields are named together.

use serde_json::{Map, Value, json};

use crate::engine::Methods;

/// What a schema holds that tells a model nothing.
const NOISE: [&str; 5] = ["title", "default", "format", "minimum", "$schema"];

/// A schema without references and choices; without descriptions too, where they would only cost.
pub(super) fn plain(schema: &Value, described: bool) -> Value {
    simplify(schema, described, &mut Vec::new())
}

/// The schema of a field, described in few tokens.
pub(super) fn field(name: &str, schema: &Value) -> Value {
    let mut field = plain(schema, true);
    shorten_description(name, &mut field);
    field
}

/// Leaves out of a field's description what costs tokens and says nothing: the introduction, the last point, and the name alone.
fn shorten_description(name: &str, field: &mut Value) {
    let Some(description) = field.get("description").and_then(Value::as_str) else { return };
    let short =
        description.strip_prefix("Whether to ").or_else(|| description.strip_prefix("The ")).unwrap_or(description);
    let short = short.strip_suffix('.').unwrap_or(short);
    let rest = ["show the ", "show ", "list its "].iter().find_map(|verb| short.strip_prefix(verb)).unwrap_or(short);
    // Documentation is `docs`, and `the files` are `paths`.
    let words = ["documentation", "files", "trees"];
    if rest.eq_ignore_ascii_case(name) || words.contains(&rest) {
        field.as_object_mut().expect("it has a description").shift_remove("description");
        return;
    }
    let (first, rest) = short.split_at(short.chars().next().map_or(0, char::len_utf8));
    field["description"] = format!("{}{rest}", first.to_uppercase()).into();
}

fn simplify(schema: &Value, described: bool, within: &mut Vec<String>) -> Value {
    let Some(fields) = schema.as_object() else { return json!({}) };
    if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
        // What holds its own like ends there.
        if within.iter().any(|outer| outer == name) {
            return json!({"type": "object"});
        }
        within.push(name.to_owned());
        let mut target = simplify(Methods::all().resolved(schema), described, within);
        within.pop();
        if let (true, Some(description), Some(target)) = (described, fields.get("description"), target.as_object_mut())
        {
            target.insert("description".to_owned(), description.clone());
        }
        return target;
    }
    let choices = ["anyOf", "oneOf"].iter().find_map(|key| fields.get(*key)).and_then(Value::as_array);
    if let Some(choices) = choices {
        let mut chosen = merge_choices(choices, described, within);
        if let (true, Some(description)) = (described, fields.get("description")) {
            chosen.insert("description".to_owned(), description.clone());
        }
        return Value::Object(chosen);
    }
    let mut plain = Map::new();
    for (key, value) in fields {
        let value = match key.as_str() {
            key if NOISE.contains(&key) => continue,
            "description" if !described => continue,
            "type" => one_type(value),
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                let simple = |(name, value): (&String, &Value)| {
                    let mut value = simplify(value, described, within);
                    shorten_description(name, &mut value);
                    (name.clone(), value)
                };
                properties.map(simple).collect()
            }
            "items" | "additionalProperties" if value.is_object() => {
                let mut items = simplify(value, described, within);
                // The list is described.
                if let Some(fields) = items.as_object_mut().filter(|fields| fields.contains_key("enum")) {
                    fields.shift_remove("description");
                }
                items
            }
            "prefixItems" => {
                value.as_array().into_iter().flatten().map(|value| simplify(value, described, within)).collect()
            }
            _ => value.clone(),
        };
        plain.insert(key.clone(), value);
    }
    Value::Object(plain)
}

/// The one type that is not null.
fn one_type(types: &Value) -> Value {
    let is_some = |name: &&Value| *name != "null";
    types.as_array().and_then(|types| types.iter().find(is_some)).unwrap_or(types).clone()
}

/// Several schemas as one.
fn merge_choices(choices: &[Value], described: bool, within: &mut Vec<String>) -> Map<String, Value> {
    let constants: Vec<Value> = choices.iter().flat_map(constants).collect();
    if constants.len() >= choices.len() && constants.iter().all(Value::is_string) {
        return Map::from_iter([("type".to_owned(), "string".into()), ("enum".to_owned(), constants.into())]);
    }
    let is_some = |choice: &&Value| choice.get("type").is_none_or(|name| name != "null");
    let choices: Vec<Value> =
        choices.iter().filter(is_some).map(|choice| simplify(choice, described, within)).collect();
    match choices.as_slice() {
        [Value::Object(only)] => only.clone(),
        all if all.iter().all(|choice| choice["type"] == "object") => merge(all),
        _ => Map::new(),
    }
}

/// Which fields each of the objects takes: `insert(target, position, code) …`; those that most of them may have are named once.
fn fields_by_word(objects: &[Value], word: &str) -> String {
    let fields = |object: &Value| -> Vec<String> {
        let names = object["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned());
        names.filter(|name| name != word).collect()
    };
    let is_required = |object: &Value, name: &str| {
        object["required"].as_array().into_iter().flatten().any(|required| required == name)
    };
    let all: Vec<Vec<String>> = objects.iter().map(fields).collect();
    let is_common = |name: &String| {
        let count = all.iter().filter(|fields| fields.contains(name)).count();
        count * 2 > objects.len() && !objects.iter().any(|object| is_required(object, name))
    };
    let lines = |name: &String, fields: &[String]| {
        name.strip_suffix("_lines").is_some_and(|name| fields.iter().any(|field| field == name))
    };
    let own = |(object, fields): (&Value, &Vec<String>)| {
        let own = fields.iter().filter(|name| !is_common(name) && !lines(name, fields));
        let own: Vec<&str> = own.map(String::as_str).collect();
        format!("{}({})", object["properties"][word]["const"].as_str().unwrap_or_default(), own.join(", "))
    };
    let mut common: Vec<&String> = all.iter().flatten().filter(|name| is_common(name)).collect();
    common.sort();
    common.dedup();
    let common: Vec<&str> = common.into_iter().map(String::as_str).collect();
    let each: Vec<String> = objects.iter().zip(&all).map(own).collect();
    format!("{}; also {}", each.join(" "), common.join(", "))
}

/// The words that a schema allows, where it allows just some.
fn constants(choice: &Value) -> Vec<Value> {
    match choice.get("enum").and_then(Value::as_array) {
        Some(words) => words.clone(),
        None => choice.get("const").cloned().into_iter().collect(),
    }
}

/// Objects that differ by a word: the fields of all, required what all require.
fn merge(objects: &[Value]) -> Map<String, Value> {
    let mut properties: Map<String, Value> = Map::new();
    let mut words: Map<String, Value> = Map::new();
    for (name, property) in objects.iter().flat_map(|object| object["properties"].as_object()).flatten() {
        if let Some(word) = property.get("const") {
            let entry = words.entry(name.clone()).or_insert_with(|| json!([]));
            entry.as_array_mut().expect("made as an array").push(word.clone());
        }
        // What means one thing here and another there isn't described.
        let known = properties.entry(name.clone()).or_insert_with(|| property.clone());
        if let (true, Some(known)) = (known.get("description") != property.get("description"), known.as_object_mut()) {
            known.shift_remove("description");
        }
    }
    for (name, words) in words {
        let fields = fields_by_word(objects, &name);
        properties.insert(name, json!({"type": "string", "enum": words, "description": fields}));
    }
    let required = |object: &Value| -> Vec<Value> { object["required"].as_array().cloned().unwrap_or_default() };
    let mut common = objects.first().map(required).unwrap_or_default();
    common.retain(|name| objects.iter().all(|object| required(object).contains(name)));
    Map::from_iter([
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), properties.into()),
        ("required".to_owned(), common.into()),
    ])
}
