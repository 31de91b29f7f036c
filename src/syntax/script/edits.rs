//! The operations of a step. Targets and code depend on the captures of each match.

use super::error::{Problem, ScriptError};
use super::keys::Keys;
use super::placed::Placed;
use crate::edit::{Extent, Fields, Op, Operation, OperationKind, Position, References, Template, TemplateError};
use crate::language::Language;
use crate::selector::{Match, Query};
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

/// An operation that is made for each match of a step.
pub(crate) type Edit = Operation<Target, Placed<Template>>;

/// A target: a capture, or the match itself, and fields from there.
#[derive(Debug, Clone)]
pub(crate) struct Target {
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
    pub(crate) fn delete(span: Span) -> Edit {
        Edit::Delete { target: Target::whole(span), extent: None }
    }

    /// The operation for a key such as `replace`.
    pub(super) fn shorthand(keys: &Keys<'_>, key: &str, code: Placed<Template>) -> Read<Edit> {
        let target = Target::whole(code.span);
        let insert = |target, position, code| Edit::Insert { target, position, code, extent: None };
        Ok(match key {
            "rename" => Edit::Rename { target, to: code, references: None },
            "wrap" => Edit::Wrap { target, code: with_place(keys, code)?, extent: None },
            "insert_before" => insert(target, Position::Before, code),
            _ => insert(target, Position::After, code),
        })
    }

    /// The operations of a step's `edits`.
    pub(crate) fn parse_edits(keys: &Keys<'_>) -> Read<Vec<Edit>> {
        let tables = keys.tables("edits", "a list of operations: `[{ op = \"delete\", target = \"@name\" }]`")?;
        if tables.is_empty() {
            return Err(keys.error_at(keys.place("edits"), Problem::Empty { key: "edits".to_owned() }));
        }
        tables
            .into_iter()
            .map(|(table, span)| Edit::of_table(&mut Keys::new(table, (keys.source(), span), keys.step, &every_key())?))
            .collect()
    }

    fn of_table(keys: &mut Keys<'_>) -> Read<Edit> {
        let op = keys.needed("op", "op = \"insert\"")?;
        let Some(kind) = OperationKind::named(&op.value) else {
            let known = OperationKind::ALL.iter().map(|kind| kind.as_str()).collect();
            let problem = Problem::UnknownWord { what: "operation", word: op.value, known };
            return Err(keys.error_at(op.span, problem));
        };
        let edit = Edit::read(kind, keys)?;
        keys.only(&keys_of(kind))?;
        Ok(edit)
    }

    /// Checks that every capture and field of the operation can exist.
    pub(crate) fn check(&self, step: usize, names: &[(String, Captured)], language: &Language) -> Read<()> {
        for target in self.targets() {
            target.check(step, names, language)?;
        }
        self.code().map_or(Ok(()), |template| check_template(template, step, names))
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
            Edit::EnsureImport { code } => vec![Op::EnsureImport { code: fill(code)? }],
            Edit::Wrap { .. } | Edit::Unwrap { .. } | Edit::Rename { .. } | Edit::Sub { .. } => {
                // In code that is put around a node, `$0` is where the node goes.
                let whole = if self.kind() == OperationKind::Wrap { None } else { Some(found.node) };
                let each = |node: Node| {
                    let fill = |code: &Placed<Template>| code.value.fill(tree, &found.captures, whole);
                    self.try_map(|_, _| Ok(node), fill)
                };
                return place.nodes(tree).into_iter().map(|node| each(node).map_err(Unmade::Template)).collect();
            }
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
            Some(word) => Target::parse_target(keys, &word),
            None => Ok(Target::whole(keys.span)),
        }
    }

    fn needed(keys: &Keys<'_>, key: &'static str) -> Read<Target> {
        let example = if key == "from" { "from = \"@first\"" } else { "to = \"@name\"" };
        Target::parse_target(keys, &keys.needed(key, example)?)
    }

    /// `@name`, `@name.field`; `@0` is the match.
    fn parse_target(keys: &Keys<'_>, word: &Placed<String>) -> Read<Target> {
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
pub(crate) fn check_template(template: &Placed<Template>, step: usize, names: &[(String, Captured)]) -> Read<()> {
    let wrong = |error| ScriptError::new(Problem::Template(error), template.span, Some(step));
    template.value.check(names).map_err(wrong)
}

/// The capture names of a query, without values.
pub(crate) fn names(query: &Query) -> Vec<(String, Captured)> {
    query.captures().map(|name| (name.to_owned(), Captured::Nothing)).collect()
}

/// The template under a key.
pub(crate) fn template(keys: &Keys<'_>, text: Placed<String>) -> Read<Placed<Template>> {
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

/// The keys of an operation's table.
fn keys_of(kind: OperationKind) -> Vec<&'static str> {
    let mut keys = vec!["op"];
    for &field in kind.fields() {
        keys.push(field);
        if field == "code" {
            keys.push("code_lines");
        }
    }
    keys
}

/// The keys of any operation's table.
fn every_key() -> Vec<&'static str> {
    let mut keys = Vec::new();
    for key in OperationKind::ALL.iter().flat_map(|&kind| keys_of(kind)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// An operation from its table. What it is done to is the match itself where it names no target.
impl Fields for Keys<'_> {
    type Target = Target;
    type Code = Placed<Template>;
    type Error = ScriptError;

    fn target(&mut self, field: &'static str) -> Read<Target> {
        match field {
            "target" => Target::read(self, field),
            _ => Target::needed(self, field),
        }
    }

    fn code(&mut self, field: &'static str) -> Read<Placed<Template>> {
        match field {
            "code" => code(self),
            _ => template(self, self.needed(field, "to = \"name\"")?),
        }
    }

    fn wrapper(&mut self) -> Read<Placed<Template>> {
        let code = code(self)?;
        with_place(self, code)
    }

    fn text(&mut self, field: &'static str) -> Read<String> {
        let example = if field == "find" { "find = \"text\"" } else { "replace = \"text\"" };
        Ok(self.needed(field, example)?.value)
    }

    fn position(&mut self) -> Read<Position> {
        let position = self.word("position", Position::ALL, Position::as_str)?;
        position.ok_or_else(|| self.error(Problem::Missing { key: "position", example: "position = \"before\"" }))
    }

    fn extent(&mut self) -> Read<Option<Extent>> {
        self.word("extent", Extent::ALL, Extent::as_str)
    }

    fn references(&mut self) -> Read<Option<References>> {
        self.word("references", References::ALL, References::as_str)
    }

    fn regex(&mut self) -> Read<bool> {
        Ok(self.flag("regex")?.unwrap_or(false))
    }
}

/// Requires code for `wrap` to have a placeholder for the node.
fn with_place(keys: &Keys<'_>, code: Placed<Template>) -> Read<Placed<Template>> {
    if code.value.names().contains(&"0") { Ok(code) } else { Err(keys.error_at(code.span, Problem::NoPlaceholder)) }
}
