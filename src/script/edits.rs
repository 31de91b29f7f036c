//! The operations of a step. Targets and code depend on the captures of each match.

use super::error::{Problem, ScriptError};
use super::keys::Keys;
use super::placed::Placed;
use super::schema::{KEYS, OPERATIONS};
use crate::edit::{Extent, Op, Position, Template, TemplateError};
use crate::language::Language;
use crate::selector::{Match, Query};
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

/// An operation that is made for each match of a step.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    Replace { target: Target, code: Placed<Template>, extent: Option<Extent> },
    ReplaceRange { from: Target, to: Target, code: Placed<Template>, extent: Option<Extent> },
    Insert { target: Target, position: Position, code: Placed<Template>, extent: Option<Extent> },
    Delete { target: Target, extent: Option<Extent> },
    Move { target: Target, position: Position, to: Target, extent: Option<Extent> },
    Wrap { target: Target, code: Placed<Template>, extent: Option<Extent> },
    Unwrap { target: Target },
    Rename { target: Target, to: Placed<Template>, references: bool },
    Sub { target: Target, find: String, replace: String, regex: bool },
    EnsureImport { code: Placed<Template> },
}

/// A target: a capture, or the match itself, and fields from there.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The capture; `None` for the match itself.
    capture: Option<String>,
    fields: Vec<String>,
    span: Span,
}

/// Why an operation cannot be made for a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unmade {
    /// The captured node has no such child.
    #[error("`@{name}` has no `{field}`")]
    NoField {
        /// The target up to the field.
        name: String,
        /// The field.
        field: String,
    },
    /// A template.
    #[error("{0}")]
    Template(#[from] TemplateError),
}

type Read<T> = Result<T, ScriptError>;

impl Edit {
    /// Deletes the match.
    pub(super) fn delete(span: Span) -> Edit {
        Edit::Delete { target: Target::whole(span), extent: None }
    }

    /// The operation for a key such as `replace`.
    pub(super) fn shorthand(keys: &Keys<'_>, key: &str, code: Placed<Template>) -> Read<Edit> {
        let target = Target::whole(code.span);
        let insert = |target, position, code| Edit::Insert { target, position, code, extent: None };
        Ok(match key {
            "rename" => Edit::Rename { target, to: code, references: false },
            "wrap" => Edit::Wrap { target, code: with_place(keys, code)?, extent: None },
            "insert_before" => insert(target, Position::Before, code),
            _ => insert(target, Position::After, code),
        })
    }

    /// The operations of a step's `edits`.
    pub(super) fn listed(keys: &Keys<'_>) -> Read<Vec<Edit>> {
        let tables = keys.tables("edits", "a list of operations: `[{ op = \"delete\", target = \"@name\" }]`")?;
        if tables.is_empty() {
            return Err(keys.error_at(keys.place("edits"), Problem::Empty { key: "edits".to_owned() }));
        }
        tables
            .into_iter()
            .map(|(table, span)| Edit::read(&Keys::new(table, (keys.source(), span), keys.step, &KEYS)?))
            .collect()
    }

    fn read(keys: &Keys<'_>) -> Read<Edit> {
        let op = keys.needed("op", "op = \"insert\"")?;
        let extent = keys.word("extent", "extent", &[("node", Extent::Node), ("full", Extent::Full)])?;
        let target = || Target::read(keys, "target");
        let (edit, known): (Edit, &'static [&'static str]) = match op.value.as_str() {
            "replace" => (
                Edit::Replace { target: target()?, code: code(keys)?, extent },
                &["op", "target", "code", "code_lines", "extent"],
            ),
            "replace_range" => {
                let (from, to) = (Target::needed(keys, "from")?, Target::needed(keys, "to")?);
                (
                    Edit::ReplaceRange { from, to, code: code(keys)?, extent },
                    &["op", "from", "to", "code", "code_lines", "extent"],
                )
            }
            "insert" => (
                Edit::Insert { target: target()?, position: position(keys)?, code: code(keys)?, extent },
                &["op", "target", "position", "code", "code_lines", "extent"],
            ),
            "delete" => (Edit::Delete { target: target()?, extent }, &["op", "target", "extent"]),
            "move" => (
                Edit::Move { target: target()?, position: position(keys)?, to: Target::needed(keys, "to")?, extent },
                &["op", "target", "position", "to", "extent"],
            ),
            "wrap" => (
                Edit::Wrap { target: target()?, code: with_place(keys, code(keys)?)?, extent },
                &["op", "target", "code", "code_lines", "extent"],
            ),
            "unwrap" => (Edit::Unwrap { target: target()? }, &["op", "target"]),
            "rename" => {
                let references = keys.word("references", "references", &[("file", true)])?.unwrap_or(false);
                let to = template(keys, keys.needed("to", "to = \"name\"")?)?;
                (Edit::Rename { target: target()?, to, references }, &["op", "target", "to", "references"])
            }
            "sub" => {
                let find = keys.needed("find", "find = \"text\"")?.value;
                let replace = keys.needed("replace", "replace = \"text\"")?.value;
                let regex = keys.flag("regex")?.unwrap_or(false);
                (Edit::Sub { target: target()?, find, replace, regex }, &["op", "target", "find", "replace", "regex"])
            }
            "ensure_import" => (Edit::EnsureImport { code: code(keys)? }, &["op", "code", "code_lines"]),
            _ => {
                let problem = Problem::UnknownWord { what: "operation", word: op.value, known: OPERATIONS.to_vec() };
                return Err(keys.error_at(op.span, problem));
            }
        };
        keys.only(known)?;
        Ok(edit)
    }

    /// Checks that every capture and field of the operation can exist.
    pub(super) fn check(&self, step: usize, names: &[(String, Captured)], language: &Language) -> Read<()> {
        for target in self.targets() {
            target.check(step, names, language)?;
        }
        self.template().map_or(Ok(()), |template| check_template(template, step, names))
    }

    fn targets(&self) -> Vec<&Target> {
        match self {
            Edit::ReplaceRange { from, to, .. } => vec![from, to],
            Edit::Move { target, to, .. } => vec![target, to],
            Edit::Replace { target, .. }
            | Edit::Insert { target, .. }
            | Edit::Delete { target, .. }
            | Edit::Wrap { target, .. }
            | Edit::Unwrap { target }
            | Edit::Rename { target, .. }
            | Edit::Sub { target, .. } => vec![target],
            Edit::EnsureImport { .. } => Vec::new(),
        }
    }

    fn template(&self) -> Option<&Placed<Template>> {
        match self {
            Edit::Replace { code, .. }
            | Edit::ReplaceRange { code, .. }
            | Edit::Insert { code, .. }
            | Edit::Wrap { code, .. }
            | Edit::EnsureImport { code }
            | Edit::Rename { to: code, .. } => Some(code),
            Edit::Delete { .. } | Edit::Move { .. } | Edit::Unwrap { .. } | Edit::Sub { .. } => None,
        }
    }

    /// The operations for a match. None if the match has no such capture, for instance because another branch of the
    /// selector has it.
    pub(super) fn ops(&self, tree: &Tree, found: &Match) -> Result<Vec<Op>, Unmade> {
        let mut places = Vec::new();
        for target in self.targets() {
            match target.place(tree, found)? {
                Some(place) => places.push(place),
                None => return Ok(Vec::new()),
            }
        }
        let fill = |code: &Placed<Template>| code.value.fill(tree, &found.captures, Some(found.node));
        let place = places.first().copied().unwrap_or(Captured::Node(found.node));
        let (first, last) = ends(place).unwrap_or((found.node, found.node));
        let other = places.last().copied().and_then(ends).unwrap_or((first, last));
        let each = |op: &dyn Fn(Node) -> Op| place.nodes(tree).into_iter().map(op).collect();
        Ok(match self {
            Edit::Replace { code, extent, .. } if first == last => {
                vec![Op::Replace { target: first, code: fill(code)?, extent: *extent }]
            }
            Edit::Replace { code, extent, .. } => {
                vec![Op::ReplaceRange { from: first, to: last, code: fill(code)?, extent: *extent }]
            }
            Edit::ReplaceRange { code, extent, .. } => {
                vec![Op::ReplaceRange { from: first, to: other.1, code: fill(code)?, extent: *extent }]
            }
            Edit::Insert { position, code, extent, .. } => {
                let target = if *position == Position::After { last } else { first };
                vec![Op::Insert { target, position: *position, code: fill(code)?, extent: *extent }]
            }
            Edit::Delete { extent, .. } => each(&|target| Op::Delete { target, extent: *extent }),
            Edit::Move { position, extent, .. } => {
                let to = if *position == Position::After { other.1 } else { other.0 };
                each(&|target| Op::Move { target, position: *position, to, extent: *extent })
            }
            // `$0` is where the node goes.
            Edit::Wrap { code, extent, .. } => {
                let code = code.value.fill(tree, &found.captures, None)?;
                each(&|target| Op::Wrap { target, code: code.clone(), extent: *extent })
            }
            Edit::Unwrap { .. } => each(&|target| Op::Unwrap { target }),
            Edit::Rename { to, references, .. } => {
                let to = fill(to)?;
                each(&|target| Op::Rename { target, to: to.clone(), references: *references })
            }
            Edit::Sub { find, replace, regex, .. } => {
                each(&|target| Op::Sub { target, find: find.clone(), replace: replace.clone(), regex: *regex })
            }
            Edit::EnsureImport { code } => vec![Op::EnsureImport { code: fill(code)? }],
        })
    }
}

/// The first and the last node of a capture.
fn ends(place: Captured) -> Option<(Node, Node)> {
    match place {
        Captured::Node(node) => Some((node, node)),
        Captured::Siblings { first, last } => Some((first, last)),
        Captured::Nothing => None,
    }
}

impl Target {
    fn whole(span: Span) -> Target {
        Target { capture: None, fields: Vec::new(), span }
    }

    /// Reads the target under a key; the match itself if there is none.
    fn read(keys: &Keys<'_>, key: &'static str) -> Read<Target> {
        match keys.text(key)? {
            Some(word) => Target::written(keys, &word),
            None => Ok(Target::whole(keys.span)),
        }
    }

    fn needed(keys: &Keys<'_>, key: &'static str) -> Read<Target> {
        let example = if key == "from" { "from = \"@first\"" } else { "to = \"@name\"" };
        Target::written(keys, &keys.needed(key, example)?)
    }

    /// `@name`, `@name.field`; `@0` is the match.
    fn written(keys: &Keys<'_>, word: &Placed<String>) -> Read<Target> {
        let bad = || keys.error_at(word.span, Problem::NoTarget { target: word.value.clone() });
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
        };
        let inner = word.value.trim().strip_prefix('@').ok_or_else(bad)?;
        let mut words = inner.split('.');
        let name = words.next().filter(|name| is_word(name)).ok_or_else(bad)?;
        let fields: Vec<String> = words.map(str::to_owned).collect();
        if !fields.iter().all(|field| is_word(field)) {
            return Err(bad());
        }
        let capture = Some(name.to_owned()).filter(|name| name != "0");
        Ok(Target { capture, fields, span: word.span })
    }

    fn check(&self, step: usize, names: &[(String, Captured)], language: &Language) -> Read<()> {
        let wrong = |problem| Err(ScriptError::new(problem, self.span, Some(step)));
        if let Some(name) = self.capture.as_ref().filter(|&name| !names.iter().any(|(known, _)| known == name)) {
            let known = names.iter().map(|(known, _)| known.clone()).collect();
            return wrong(Problem::NoCapture { name: name.clone(), known });
        }
        match self.fields.iter().find(|field| language.field_id(field).is_none()) {
            Some(field) => wrong(Problem::NoField { language: language.name().to_owned(), field: field.clone() }),
            None => Ok(()),
        }
    }

    /// The captured node; `None` if nothing was captured.
    fn place(&self, tree: &Tree, found: &Match) -> Result<Option<Captured>, Unmade> {
        let start = match &self.capture {
            None => Some(Captured::Node(found.node)),
            Some(name) => found.captures.iter().find(|(known, _)| known == name).map(|(_, captured)| *captured),
        };
        let Some(start) = start.filter(|start| start.first().is_some()) else { return Ok(None) };
        let mut place = start;
        let mut shown = self.capture.clone().unwrap_or_else(|| "0".to_owned());
        for field in &self.fields {
            let child = place.node().and_then(|node| tree.child_by_field(node, field));
            let Some(child) = child else { return Err(Unmade::NoField { name: shown, field: field.clone() }) };
            place = Captured::Node(child);
            shown = format!("{shown}.{field}");
        }
        Ok(Some(place))
    }
}

/// Checks that a template uses only captures of the selector.
pub(super) fn check_template(template: &Placed<Template>, step: usize, names: &[(String, Captured)]) -> Read<()> {
    let wrong = |error| ScriptError::new(Problem::Template(error), template.span, Some(step));
    template.value.check(names).map_err(wrong)
}

/// The capture names of a query, without values.
pub(super) fn names(query: &Query) -> Vec<(String, Captured)> {
    query.captures().map(|name| (name.to_owned(), Captured::Nothing)).collect()
}

/// The template under a key.
pub(super) fn template(keys: &Keys<'_>, text: Placed<String>) -> Read<Placed<Template>> {
    match Template::parse(&text.value) {
        Ok(value) => Ok(Placed { value, span: text.span }),
        Err(error) => Err(keys.error_at(text.span, Problem::Template(error))),
    }
}

/// The code of an operation, given as a string or as lines.
fn code(keys: &Keys<'_>) -> Read<Placed<Template>> {
    let lines = keys.texts("code_lines")?;
    if lines.is_some() && keys.has("code") {
        let problem = Problem::Both { first: "code".to_owned(), second: "code_lines".to_owned() };
        return Err(keys.error_at(keys.place("code_lines"), problem));
    }
    let text = match lines {
        Some(lines) => {
            let lines: Vec<String> = lines.into_iter().map(|line| line.value).collect();
            Placed { value: lines.join("\n"), span: keys.place("code_lines") }
        }
        None => keys.needed("code", "code = \"…\"")?,
    };
    template(keys, text)
}

fn position(keys: &Keys<'_>) -> Read<Position> {
    let words = [
        ("before", Position::Before),
        ("after", Position::After),
        ("first", Position::First),
        ("last", Position::Last),
    ];
    let position = keys.word("position", "position", &words)?;
    position.ok_or_else(|| keys.error(Problem::Missing { key: "position", example: "position = \"before\"" }))
}

/// Requires code for `wrap` to have a placeholder for the node.
fn with_place(keys: &Keys<'_>, code: Placed<Template>) -> Read<Placed<Template>> {
    if code.value.names().contains(&"0") { Ok(code) } else { Err(keys.error_at(code.span, Problem::NoPlaceholder)) }
}
