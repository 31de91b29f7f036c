//! The methods of JSON-RPC as an [OpenRPC](https://spec.open-rpc.org) document, made of the engine's types.

use serde_json::{Map, Value, json};

use super::message::{CANCELLED, ENGINE_ERROR};
use crate::engine::{MethodSchema, Methods};
use crate::request::SCHEMA;

/// The version of OpenRPC that the document follows.
const OPENRPC: &str = "1.3.2";

/// The document.
pub(super) fn document() -> Value {
    let methods = Methods::all();
    json!({
        "openrpc": OPENRPC,
        "info": {
            "title": "cst",
            "version": env!("CARGO_PKG_VERSION"),
            "description": env!("CARGO_PKG_DESCRIPTION"),
            "license": {"name": env!("CARGO_PKG_LICENSE")},
        },
        "methods": methods.methods.iter().map(|each| method(each, methods)).collect::<Vec<_>>(),
        "components": {
            "schemas": Value::Object(methods.definitions.clone()),
            "errors": {
                "Engine": {
                    "code": ENGINE_ERROR,
                    "message": "the request cannot be done; nothing was written",
                    "data": {"$ref": "#/components/schemas/EngineError"},
                },
                "Cancelled": {"code": CANCELLED, "message": "cancelled"},
            },
        },
    })
}

fn method(method: &MethodSchema, methods: &Methods) -> Value {
    let empty = Map::new();
    let properties = method.params.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required: Vec<&str> = method
        .params
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut params: Vec<Value> = properties
        .iter()
        .map(|(name, schema)| {
            let description = methods.resolved(schema).get("description").or(schema.get("description"));
            json!({
                "name": name,
                "description": schema.get("description").or(description),
                "required": required.contains(&name.as_str()),
                "schema": schema,
            })
        })
        .collect();
    // As the standard asks, those that are required come first.
    params.sort_by_key(|param| param["required"] != Value::Bool(true));
    json!({
        "name": method.name.as_str(),
        "summary": method.summary,
        "paramStructure": "by-name",
        "params": params,
        "result": {"name": "result", "schema": {"allOf": [
            method.result,
            {"type": "object", "properties": {"schema": {"const": SCHEMA}}, "required": ["schema"]},
        ]}},
        "errors": [{"$ref": "#/components/errors/Engine"}, {"$ref": "#/components/errors/Cancelled"}],
    })
}
