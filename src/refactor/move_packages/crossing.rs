//! The changes of a move to another package, and what is in its way.

use std::collections::{BTreeMap, BTreeSet};

use crate::edit::{Op, TextChange};
use crate::modules::FileId;
use crate::refactor::Redirected;
use crate::refactor::move_packages::parcel::Parcel;
use crate::request::error::{EngineError, PlaceRow};
use crate::symbols::Resolver;
use crate::text::Span;
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

/// How many places an error lists.
const SHOWN: usize = 100;

/// How many names a message lists.
const NAMES: usize = 8;

/// A place that is in the way.
pub(super) struct Blocked {
    pub file: FileId,
    pub start: usize,
    pub why: String,
}

/// An import that a file has after the move, and did not have before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NewImport {
    /// The file; `None` for the new home of definitions.
    pub file: Option<FileId>,
    /// The path that is imported.
    pub path: String,
}

/// A move with all that is known of it, and its changes.
pub(super) struct Crossing<'a, 'r> {
    pub resolver: &'a Resolver<'r>,
    pub parcel: &'a Parcel,
    pub redirected: BTreeMap<FileId, Redirected>,
    /// Changes of what moves, if it is not a whole file.
    pub inner: Vec<(FileId, TextChange)>,
    /// Import statements that the new home needs.
    pub needs: BTreeSet<String>,
    /// The name by which a file calls the new package, and what moves the old one.
    pub names_of_new: BTreeMap<FileId, Option<String>>,
    pub name_of_old: Option<String>,
    /// Names of packages that are not written any more, by their starts.
    pub dropped_names: BTreeSet<(FileId, usize)>,
    /// Parts of imports that go.
    pub dropped: Vec<(FileId, Node)>,
    pub new_imports: Vec<NewImport>,
    /// Names that cannot be seen from the other side, with the places where that would be.
    pub hidden: BTreeMap<String, Vec<Blocked>>,
    pub blocked: Vec<Blocked>,
    /// Places that may refer to what moves.
    pub uncertain: Vec<Blocked>,
}

impl<'a, 'r> Crossing<'a, 'r> {
    pub(super) fn new(resolver: &'a Resolver<'r>, parcel: &'a Parcel) -> Crossing<'a, 'r> {
        Crossing {
            resolver,
            parcel,
            redirected: BTreeMap::new(),
            inner: Vec::new(),
            needs: BTreeSet::new(),
            names_of_new: BTreeMap::new(),
            name_of_old: None,
            dropped_names: BTreeSet::new(),
            dropped: Vec::new(),
            new_imports: Vec::new(),
            hidden: BTreeMap::new(),
            blocked: Vec::new(),
            uncertain: Vec::new(),
        }
    }

    pub(super) fn block(&mut self, file: FileId, start: usize, why: impl Into<String>) {
        self.blocked.push(Blocked { file, start, why: why.into() });
    }

    pub(super) fn doubt(&mut self, file: FileId, start: usize, why: impl Into<String>) {
        self.uncertain.push(Blocked { file, start, why: why.into() });
    }

    /// Notes that a name would be used from where it cannot be seen.
    pub(super) fn hide(&mut self, name: &str, file: FileId, start: usize) {
        let why = format!("`{name}` cannot be used from the other package");
        self.hidden.entry(name.to_owned()).or_default().push(Blocked { file, start, why });
    }

    /// Changes the text of a file, or of what moves.
    pub(super) fn change(&mut self, tree: &Tree, file: FileId, span: Span, text: String) {
        let node = tree.table().smallest_around(span);
        let unit = std::iter::once(node).chain(tree.table().ancestors(node)).take_while(|&up| up != Node::ROOT).last();
        let extent = unit.map_or(span, |unit| tree.span(unit).join(span));
        let change = TextChange { span, text, extent };
        if self.parcel.whole.is_none() && self.parcel.has(file, span) {
            self.inner.push((file, change));
        } else {
            self.redirected.entry(file).or_default().changes.change(change);
        }
    }

    /// Adds an import to a file.
    pub(super) fn import(&mut self, file: FileId, code: String, path: &str) {
        let ops = &mut self.redirected.entry(file).or_default().ops;
        let op = Op::EnsureImport { code };
        if !ops.contains(&op) {
            ops.push(op);
        }
        self.note_import(Some(file), path);
    }

    pub(super) fn note_import(&mut self, file: Option<FileId>, path: &str) {
        let import = NewImport { file, path: path.to_owned() };
        if !self.new_imports.contains(&import) {
            self.new_imports.push(import);
        }
    }

    /// The text of an import of a path.
    pub(super) fn import_text(&self, path: &str, alias: Option<&str>) -> String {
        let forms = &self.parcel.language.spec().symbols.import_forms;
        let key = if alias.is_some() { "path_alias" } else { "path" };
        let form = forms.get(key).cloned().unwrap_or_default();
        form.replace("$name", path).replace("$alias", alias.unwrap_or_default())
    }

    pub(super) fn finish(self) -> Crossed {
        let Crossing { redirected, inner, needs, hidden, blocked, uncertain, .. } = self;
        Crossed { redirected, inner, needs, hidden, blocked, uncertain }
    }
}

/// The changes of a move.
pub(super) struct Crossed {
    pub redirected: BTreeMap<FileId, Redirected>,
    pub inner: Vec<(FileId, TextChange)>,
    pub needs: BTreeSet<String>,
    hidden: BTreeMap<String, Vec<Blocked>>,
    blocked: Vec<Blocked>,
    uncertain: Vec<Blocked>,
}

impl Crossed {
    /// Places that may refer to what moves.
    pub(super) fn uncertain(&self, workspace: &Workspace<'_>) -> Vec<PlaceRow> {
        self.uncertain.iter().map(|one| workspace.place_row(one.file, one.start, one.why.clone())).collect()
    }

    /// Refuses a move that something is in the way of.
    ///
    /// # Errors
    /// With the names that cannot be seen from the other package, or the places.
    pub(super) fn check(&self, workspace: &Workspace<'_>, what: &str) -> Result<(), EngineError> {
        let row = |one: &Blocked| workspace.place_row(one.file, one.start, one.why.clone());
        let mut rows: Vec<PlaceRow> = self.hidden.values().flatten().map(row).collect();
        rows.extend(self.blocked.iter().map(row));
        let Some(first) = rows.first() else { return Ok(()) };
        let (message, hint) = match self.hidden.len() {
            0 => {
                let message = format!("cannot move {what}: {}:{}:{}: {}", first.path, first.line, first.col, first.why);
                let is_cycle = self.blocked.first().is_some_and(|one| one.why.ends_with("import cycle"));
                let hint = match is_cycle {
                    true => "move what it needs of its old package as well, or choose a package that both may import",
                    false => "change this place first",
                };
                (message, hint)
            }
            count => {
                let names: Vec<String> = self.hidden.keys().take(NAMES).map(|name| format!("`{name}`")).collect();
                let more = if count > NAMES { format!(" and {} more", count - NAMES) } else { String::new() };
                let message = format!(
                    "cannot move {what}: {}{more} can only be used in {} own package",
                    names.join(", "),
                    if count == 1 { "its" } else { "their" }
                );
                (message, "move what uses them as well, or let other packages use them first")
            }
        };
        let mut error = EngineError::bad_request(message).hint(hint);
        rows.truncate(SHOWN);
        error.details.places = rows;
        Err(error)
    }
}
