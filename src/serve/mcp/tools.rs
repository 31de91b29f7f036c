//! The tools, as a model sees them.
//!
//! A tool is a request of the engine with few of its fields, or for `session` several requests, chosen by `action`. What a field is
//! called, means and holds comes from the request's type.

use serde_json::{Map, Value, json};

use super::schema;
use super::targets::Targets;
use crate::engine::{MethodName, MethodSchema, Methods};
use crate::request::SCHEMA;
use crate::selector::nearest;

/// A tool.
pub(super) struct Tool {
    pub name: &'static str,
    description: &'static str,
    /// The engine's requests that it makes; several are chosen from by `action`.
    pub requests: &'static [(&'static str, MethodName)],
    pub targets: Targets,
    /// The fields of these requests that a model sees.
    pub fields: &'static [&'static str],
    /// What it does to files and trees.
    effect: Effect,
}

/// What a tool does to files and trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    Changes,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "outline",
        description: "List the definitions (classes, functions, methods, types) of a file or folder: signatures, line numbers, node \
                      ids. Read this before whole files; `cst` knows some 30 languages.",
        requests: &[("", MethodName::Outline)],
        targets: Targets::Many,
        fields: &["kinds", "depth", "docs", "limit", "cursor"],
        effect: Effect::None,
    },
    Tool {
        name: "find",
        description: "Search code by syntax. Selectors as in CSS: `class > method[name^=\"get\"]`, `call#print`, \
                      `function:has(return)`, `string[text*=\"TODO\"]`, `function#main`; or a code pattern: `requests.get($URL, $$$REST)`. \
                      Gives path:line:col, kind, qualified name, node id.",
        requests: &[("", MethodName::Find)],
        targets: Targets::Many,
        fields: &["selector", "pattern", "code", "limit", "cursor", "require_one"],
        effect: Effect::None,
    },
    Tool {
        name: "refs",
        description: "Ask about a symbol of the whole project: references, callers, callees, classes above and below, \
                      definitions of a name, impact of a change (without symbol: of all since a git revision), or what is \
                      unused. Says what is certain, a candidate (unknown receiver), undetermined. Use it before a change.",
        requests: &[
            ("references", MethodName::Refs),
            ("callers", MethodName::Calls),
            ("callees", MethodName::Calls),
            ("classes", MethodName::Hierarchy),
            ("definitions", MethodName::Symbols),
            ("impact", MethodName::Impact),
            ("unused", MethodName::Unused),
        ],
        targets: Targets::Project,
        fields: &["symbol", "role", "certain", "depth", "all", "since", "limit"],
        effect: Effect::None,
    },
    Tool {
        name: "search",
        description: "Find code about something by plain words, ranked: `rotate csrf token`. Words in names, signatures, documentation \
                      and code count, and meaning if there are vectors.",
        requests: &[("", MethodName::Search)],
        targets: Targets::Project,
        fields: &["query", "limit", "mode"],
        effect: Effect::None,
    },
    Tool {
        name: "map",
        description: "The skeleton of a project in a number of tokens: signatures of its most used definitions, by file. `focus`: files \
                      or names that come first.",
        requests: &[("", MethodName::Map)],
        targets: Targets::Project,
        fields: &["tokens", "focus"],
        effect: Effect::None,
    },
    Tool {
        name: "show",
        description: "Read the code of nodes, by id or selector, of lines (`10-20`), or of the statement at a line; or their \
                      syntax tree, signature, parents, children. In several files or a folder: every match. edit takes the code back \
                      as it is shown.",
        requests: &[("", MethodName::Show)],
        targets: Targets::Shown,
        fields: &["nodes", "at", "as", "depth", "parents", "children", "cursor"],
        effect: Effect::None,
    },
    Tool {
        name: "edit",
        description: "Change code by syntax: replace, insert, delete, move, wrap, rename a function, class, statement, argument … \
                      All operations or none; refused if the file would break. A path is written at once (session undo takes it back), a tree_id is staged until session save.",
        requests: &[("", MethodName::Modify)],
        targets: Targets::One,
        fields: &["operations", "dry_run", "diff", "all", "expect_count", "allow"],
        effect: Effect::Changes,
    },
    Tool {
        name: "rewrite",
        description: "Replace every match of a selector or pattern across files by a template (codemod): pattern `assertEqual($A, $B)`, template `assert $A == $B`. All or none.",
        requests: &[("", MethodName::Rewrite)],
        targets: Targets::Many,
        fields: &["selector", "pattern", "template", "dry_run", "expect_count", "until_stable", "on_error", "verify"],
        effect: Effect::Changes,
    },
    Tool {
        name: "refactor",
        description: "Rename a symbol with its references, imports, overrides, arguments; move definitions or files; \
                      split files or classes; extract a base class; change a signature; extract, inline; organize imports; delete unused code or a \
                      flag. Refused with a list if references are uncertain: then include or leave_undetermined.",
        requests: &[("", MethodName::Refactor)],
        targets: Targets::Project,
        fields: &[
            "kind",
            "symbol",
            "symbols",
            "to",
            "range",
            "all",
            "add",
            "at",
            "value",
            "remove",
            "reorder",
            "rename",
            "keyword_only",
            "members",
            "parts",
            "dry_run",
            "include",
            "leave_undetermined",
            "force",
            "engine",
            "verify",
            "decide",
        ],
        effect: Effect::Changes,
    },
    Tool {
        name: "explain",
        description: "Why a selector finds nothing: how it is read, the nodes left by each step, near misses, the words there are.",
        requests: &[("", MethodName::Explain)],
        targets: Targets::Optional,
        fields: &["selector", "pattern"],
        effect: Effect::None,
    },
    Tool {
        name: "session",
        description: "Loaded trees, whose node ids survive edits: load files, list, diff, save, undo, redo, drop. undo \
                      alone takes back the last change, of files too.",
        requests: &[
            ("load", MethodName::Load),
            ("list", MethodName::Trees),
            ("diff", MethodName::Diff),
            ("save", MethodName::Save),
            ("undo", MethodName::Undo),
            ("redo", MethodName::Redo),
            ("drop", MethodName::Drop),
        ],
        targets: Targets::None,
        fields: &["paths", "tree_ids", "transaction", "text", "language", "force", "merge", "backup"],
        effect: Effect::Changes,
    },
];

/// The tool of that name.
pub(super) fn named(name: &str) -> Result<&'static Tool, String> {
    TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let names = TOOLS.iter().map(|tool| tool.name);
        let listed = || format!("there are {}", names.clone().collect::<Vec<_>>().join(", "));
        format!("unknown tool `{name}`; {}", nearest(name, "", names.clone()).unwrap_or_else(listed))
    })
}

/// All tools as a client lists them.
pub(super) fn tool_list(structured: bool) -> Value {
    TOOLS.iter().map(|tool| tool.tool_list(structured)).collect()
}

impl Tool {
    /// Whether it may change anything.
    pub(super) fn changes(&self) -> bool {
        self.effect != Effect::None
    }

    /// The names of its arguments.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &'static str> {
        self.choice()
            .into_iter()
            .chain(self.targets.words().iter().map(|(word, _)| *word))
            .chain(self.fields.iter().copied())
    }

    /// The argument that chooses one of several requests.
    pub(super) fn choice(&self) -> Option<&'static str> {
        let word = if self.targets == Targets::Project { "relation" } else { "action" };
        (self.requests.len() > 1).then_some(word)
    }

    /// The type of an argument, as its schema names it.
    pub(super) fn type_of(&self, name: &str) -> Option<&'static str> {
        let known = ["array", "integer", "boolean", "string"];
        let schema = self.schema(name)?;
        known.into_iter().find(|known| schema["type"] == *known)
    }

    /// The schema of an argument.
    fn schema(&self, name: &str) -> Option<Value> {
        if Some(name) == self.choice() {
            let actions: Vec<&str> = self.requests.iter().map(|(action, _)| *action).collect();
            return Some(json!({"type": "string", "enum": actions}));
        }
        if let Some((_, schema)) = self.targets.words().iter().find(|(word, _)| *word == name) {
            return Some(schema());
        }
        let own = |method: &&MethodSchema| method.params["properties"].get(name).is_some();
        let method = self.methods().find(own).or_else(|| Some(Methods::all().of(MethodName::Find)).filter(own));
        method.map(|method| schema::field(name, &method.params["properties"][name]))
    }

    fn methods(&self) -> impl Iterator<Item = &'static MethodSchema> {
        self.requests.iter().map(|(_, name)| Methods::all().of(*name))
    }

    fn tool_list(&self, structured: bool) -> Value {
        let names = self.arguments();
        let properties: Map<String, Value> =
            names.filter_map(|name| Some((name.to_owned(), self.schema(name)?))).collect();
        let mut required: Vec<&str> = match self.targets {
            Targets::Project if self.requests.len() == 1 => {
                self.fields.iter().copied().filter(|field| *field == "query").collect()
            }
            Targets::Project => Vec::new(),
            _ => self.choice().into_iter().collect(),
        };
        if let [(_, only)] = self.requests {
            let names = Methods::all().of(*only).params["required"].as_array();
            let is_told = |name: &&str| self.fields.contains(name);
            required.extend(names.into_iter().flatten().filter_map(Value::as_str).filter(is_told));
        }
        let mut input = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            input["required"] = json!(required);
        }
        input["additionalProperties"] = false.into();
        let mut tool = json!({"name": self.name, "description": self.description, "inputSchema": input});
        if structured {
            tool["outputSchema"] = self.output();
        }
        tool["annotations"] = match self.effect {
            Effect::None => json!({"readOnlyHint": true, "openWorldHint": false}),
            // Clients assume that it writes and may destroy.
            Effect::Changes => json!({"openWorldHint": false}),
        };
        tool
    }

    /// The schema of the result: of several requests, any object.
    fn output(&self) -> Value {
        let result = match self.requests {
            [(_, name)] => Some(schema::plain(&Methods::all().of(*name).result, false)),
            _ => None,
        };
        let mut output =
            result.filter(|schema| schema["type"] == "object").unwrap_or_else(|| json!({"type": "object"}));
        output["properties"]["schema"] = json!({"type": "integer", "const": SCHEMA});
        output
    }
}
