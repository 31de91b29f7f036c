//! Rows about one place of a text: a node, a capture, a syntax error.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::request::entries::Entries;
use crate::tree::SyntaxErrorKind;

/// A syntax error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SyntaxErrorRow {
    /// Line, from 1.
    pub line: usize,
    /// Column, in characters from 1.
    pub col: usize,
    /// Offset of the first byte, from 0.
    #[serde(default)]
    pub start_byte: usize,
    /// Offset of the byte after the last, from 0.
    #[serde(default)]
    pub end_byte: usize,
    /// What kind of error.
    pub kind: SyntaxErrorKind,
    /// In words: ``missing `:` ``.
    pub what: String,
    /// The qualname of the definition around it; empty at top level.
    #[serde(rename = "in")]
    pub within: String,
}

/// A node as results show it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NodeRow {
    /// Its id; in folders only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its type in the grammar.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its most specific kind.
    pub kind: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its name with those of the enclosing definitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualname: Option<String>,
    /// First line, from 1.
    pub start_line: usize,
    /// First column, in characters from 1.
    pub start_col: usize,
    /// Last line, from 1.
    pub end_line: usize,
    /// The column after the last character, from 1.
    pub end_col: usize,
    /// Offset of the first byte, from 0.
    pub start_byte: usize,
    /// Offset of the byte after the last, from 0.
    pub end_byte: usize,
    /// What the selector captures, by name.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub captures: Entries<CaptureRow>,
    /// The name by which a query of tree-sitter captures it: `definition.function`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    /// Its anchor, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The line on which it starts, if asked for. An overlong line is `…` and a part that begins with the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// Its text, if asked for; the first line begins where the node does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The white space at the start of the line on which `code` starts. With it in front, the code is as in the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub indent: String,
    /// A definition without its body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The nodes below: lines of text as `tree`, an object as `json`, a graph as `dot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Value>,
    /// The nodes around it, innermost first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parents: Option<Vec<NodeRow>>,
    /// Its children.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<NodeRow>>,
}

/// A capture's node in a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CaptureRow {
    /// Its id, if it is one node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// The ids of the nodes that `$$$` matched, if it is not just one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub node_ids: Vec<String>,
    /// Its text; a long one is cut.
    pub text: String,
}
