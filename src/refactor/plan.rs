//! What refactors have in common: a plan goes through the gates, the binding gate among them, and becomes the project that the next
//! step reads.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::edit::{Op, Outcome, TextChange, apply_texts};
use crate::flow::Flow;
use crate::gates::{Followed, Moved, Transferred};
use crate::language::ModuleScheme;
use crate::modules::{FileId, ProjectFile};
use crate::refactor::{Doubt, FileChanges, Redirected, Relocation};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{RefactorOptions, SecondOpinion};
use crate::request::symbol_messages::SymbolRow;
use crate::symbols::{Definition, Thing};
use crate::text::{EditSet, Span};
use crate::tree::{Node, ParseLimits, Tree};
use crate::workspace::documentation::DocumentChange;
use crate::workspace::files::Workspace;

/// How many places an error lists.
const SHOWN: usize = 100;

/// A refactor that is planned and not checked yet.
#[derive(Default)]
pub(crate) struct Planned {
    /// The definitions that change.
    pub definitions: Vec<Definition>,
    /// The trees before and after.
    pub files: Vec<(FileId, Tree, Outcome)>,
    /// The names that must mean what they did, besides those in changed files.
    pub words: Vec<String>,
    /// The name that replaced others.
    pub new_name: String,
    /// Whether code is deleted with the names in it.
    pub deletes: bool,
    /// Code in documentation that changes with the files.
    pub documents: Vec<DocumentChange>,
    /// Where names are that were moved one by one.
    pub followed: Vec<Followed>,
    /// How many places are changed because they are certain, and because the request names them.
    pub counts: (usize, usize),
    /// The places that are left as they are.
    pub left: Vec<PlaceRow>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// What a language server says of it.
    pub second_opinion: Option<SecondOpinion>,
    /// The file or folder that moves.
    pub relocation: Option<Relocation>,
    /// Its files, and their paths before.
    pub moved: Vec<(FileId, PathBuf)>,
    /// Files in it that are not read: their old and new paths.
    pub others: Vec<(PathBuf, PathBuf)>,
    /// New code, in the new texts, whose names all have to be known.
    pub brought: Vec<(FileId, Span)>,
    /// Code that is in another file now.
    pub transferred: Vec<Transferred>,
    /// The file that is new.
    pub created: Option<Created>,
    /// The file that is deleted, with its tree.
    pub deleted: Option<(FileId, Tree)>,
}

/// A new file.
pub(crate) struct Created {
    /// Its number, the next one.
    pub id: FileId,
    pub file: ProjectFile,
    pub tree: Tree,
}

/// A refactor that can be planned, with the fields of its request.
pub(crate) trait Plan {
    /// Makes the project what the refactor makes of it, step by step, each on the project as the steps before have left it. Nothing is
    /// written.
    ///
    /// # Errors
    /// If no symbol fits, or several; if references are uncertain, or a name would mean something else.
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError>;
}

/// A refactor of one step.
pub(crate) trait OneStep {
    /// Plans it.
    ///
    /// # Errors
    /// As [`Plan::plan`], but for names that would mean something else: they are found when the plan is applied.
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError>;

    /// The names that it looks for in documentation that is run, too.
    ///
    /// # Errors
    /// If files cannot be read.
    fn documented_names(&self, _workspace: &Workspace<'_>) -> Result<Vec<String>, EngineError> {
        Ok(Vec::new())
    }
}

impl<R: OneStep> Plan for R {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let names = self.documented_names(workspace)?;
        let planned = workspace.with_documentation(&names, |workspace| {
            let planned = self.step(workspace, options)?;
            workspace.apply_checked(planned)
        })?;
        done.add(planned);
        Ok(())
    }
}

/// What a refactor has changed so far.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) symbols: Vec<SymbolRow>,
    pub(crate) files: BTreeMap<FileId, ChangedTree>,
    pub(crate) counts: (usize, usize),
    pub(crate) left: Vec<PlaceRow>,
    pub notes: Vec<String>,
    pub(crate) second_opinion: Option<SecondOpinion>,
    /// Files that move, and their paths before.
    pub(crate) moved: BTreeMap<FileId, PathBuf>,
    /// Files that are not read and move: their old and new paths.
    pub(crate) others: Vec<(PathBuf, PathBuf)>,
}

/// A file before and after.
pub(crate) struct ChangedTree {
    /// The tree before; none for a new file.
    pub(crate) old: Option<Tree>,
    pub(crate) new: Tree,
    /// The edits, if there was one step.
    pub(crate) edits: Option<EditSet>,
    pub(crate) places: usize,
    pub(crate) is_deleted: bool,
}

impl Done {
    /// Adds what a step of a script made of a file.
    pub(crate) fn add_file(&mut self, file: FileId, old: Tree, new: Tree, places: usize) {
        match self.files.get_mut(&file) {
            Some(changed) => {
                changed.new = new;
                changed.edits = None;
                changed.places += places;
            }
            None => {
                _ = self.files.insert(file, ChangedTree { old: Some(old), new, edits: None, places, is_deleted: false })
            }
        }
    }

    /// How many places the steps so far have changed.
    pub(crate) fn places(&self) -> usize {
        self.counts.0 + self.counts.1
    }

    /// Adds a step.
    pub(crate) fn add(&mut self, (symbols, planned): (Vec<SymbolRow>, Planned)) {
        self.symbols.extend(symbols);
        self.counts.0 += planned.counts.0;
        self.counts.1 += planned.counts.1;
        self.left.extend(planned.left);
        self.notes.extend(planned.notes);
        self.second_opinion = planned.second_opinion;
        for (file, before) in planned.moved {
            self.moved.entry(file).or_insert(before);
        }
        for (from, to) in planned.others {
            match self.others.iter_mut().find(|(_, known)| *known == from) {
                Some(known) => known.1 = to,
                None => self.others.push((from, to)),
            }
        }
        if let Some(Created { id, tree, .. }) = planned.created {
            self.files.insert(id, ChangedTree { old: None, new: tree, edits: None, places: 1, is_deleted: false });
        }
        if let Some((file, old)) = planned.deleted {
            let known = self.files.remove(&file);
            // Nothing is left of a file that an earlier step has made.
            let before = known.map_or(Some(old), |changed| changed.old);
            if let Some(before) = before {
                let changed =
                    ChangedTree { old: Some(before.clone()), new: before, edits: None, places: 1, is_deleted: true };
                self.files.insert(file, changed);
            }
        }
        for (file, old, Outcome { tree: new, edits, .. }) in planned.files {
            let places = edits.len();
            match self.files.get_mut(&file) {
                Some(changed) => {
                    changed.new = new;
                    changed.edits = None;
                    changed.places += places;
                }
                None => {
                    _ = self.files.insert(
                        file,
                        ChangedTree { old: Some(old), new, edits: Some(edits), places, is_deleted: false },
                    )
                }
            }
        }
    }
}

impl Workspace<'_> {
    /// Makes the project what a plan makes of it, if every name means what it did; with the definitions as they were.
    ///
    /// # Errors
    /// If a name would mean something else.
    pub(crate) fn apply_checked(&mut self, mut planned: Planned) -> Result<(Vec<SymbolRow>, Planned), EngineError> {
        let symbols = self.symbol_rows(&planned.definitions);
        let mut changed: FxHashSet<FileId> = planned.files.iter().map(|(file, ..)| *file).collect();
        if let Some(relocation) = &planned.relocation {
            let moves = |file: &FileId| relocation.new_path(&self.project.file(*file).path).is_some();
            changed.extend(self.project.ids().filter(moves));
        }
        changed.extend(planned.documents.iter().map(|document| document.file));
        let words: Vec<&str> = planned.words.iter().map(String::as_str).collect();
        let before = self.bindings(&words, &changed)?;
        let mut moved = Moved::new(planned.deletes);
        for (file, _, outcome) in &planned.files {
            moved.add(*file, &outcome.edits, &planned.new_name);
        }
        for document in &planned.documents {
            moved.add(document.file, &document.edits, &planned.new_name);
        }
        if let Some(relocation) = &planned.relocation {
            moved.relocate(self.relocate(relocation));
        }
        moved.transfer(planned.transferred.iter().copied());
        let by_paths = |code: &Transferred| {
            self.project.file(code.file).language.spec().symbols.modules == Some(ModuleScheme::ModuleTree)
        };
        if planned.transferred.iter().any(by_paths) {
            moved.goes_by_paths();
        }
        if let Some(created) = &planned.created {
            let file = self.create(created.file.clone(), created.tree.clone());
            moved.create(file);
            changed.insert(file);
        }
        planned.followed.drain(..).for_each(|followed| moved.follow(followed));
        self.edit(planned.files.iter().map(|(file, _, outcome)| (*file, outcome.tree.clone())));
        self.edit(planned.documents.iter().map(|document| (document.file, document.new.clone())));
        let after = self.bindings(&words, &changed)?;
        self.check_bindings(&before, &after, &moved)?;
        self.check_known(&planned.brought)?;
        self.check_early(&planned.brought)?;
        // Other languages evaluate nothing when a file is loaded, or not in its order.
        let in_order = |file: FileId| {
            let modules = self.project.file(file).language.spec().symbols.modules;
            matches!(modules, Some(ModuleScheme::Dotted | ModuleScheme::Relative))
        };
        let moves = |file: FileId| !planned.transferred.is_empty() && in_order(file);
        for (file, old, outcome) in planned.files.iter().filter(|(file, ..)| moves(*file)) {
            let before = early_names(old);
            if let Some(name) = early_names(&outcome.tree).difference(&before).min() {
                let row = self.place_row(*file, 0, format!("`{name}` would get its value after its first use"));
                let message = format!("the code would fail when it is loaded: {}: {}", row.path, row.why);
                let mut error = EngineError::new(ErrorCode::WouldRebind, message)
                    .hint("move what uses it, too, or to another file");
                error.details.places = vec![row];
                return Err(error);
            }
        }
        for (file, old, outcome) in &planned.files {
            if let Some(string) = new_documentation(old, &outcome.tree) {
                let row = self.place_row(*file, outcome.tree.span(string).start(), NEW_DOCUMENTATION.to_owned());
                let message = format!("the change would be seen at {}:{}:{}: {}", row.path, row.line, row.col, row.why);
                let mut error = EngineError::new(ErrorCode::WouldRebind, message).hint("delete the string first");
                error.details.places = vec![row];
                return Err(error);
            }
        }
        Ok((symbols, planned))
    }

    /// Refuses new code that is evaluated when its file is loaded, before a name in it gets its value.
    ///
    /// # Errors
    /// With the first of these names.
    fn check_early(&self, brought: &[(FileId, Span)]) -> Result<(), EngineError> {
        for &(file, code) in brought {
            let early = self.resolve(|resolver| {
                let flow = Flow::new(resolver.tree(file)?);
                first_early(&flow, code)
                    .map(|name| (flow.tree.span(name).start(), flow.tree.node_text(name).into_owned()))
            });
            let Some((start, name)) = early else { continue };
            let row = self.place_row(file, start, format!("`{name}` gets its value later"));
            let message = format!("the new code would fail, e.g. {}:{}:{}: {}", row.path, row.line, row.col, row.why);
            let mut error =
                EngineError::new(ErrorCode::WouldRebind, message).hint("define it before, or use another value");
            error.details.places = vec![row];
            return Err(error);
        }
        Ok(())
    }

    /// Makes changes of the places that a request includes, and lists the others. Returns how many it includes.
    pub(crate) fn decide(
        &self,
        options: &RefactorOptions,
        file: FileId,
        changes: &mut FileChanges,
        left: &mut Vec<PlaceRow>,
    ) -> usize {
        let mut included = 0;
        for Doubt { span, change, why } in std::mem::take(&mut changes.doubts) {
            let row = self.place_row(file, span.start(), why.to_owned());
            match change.filter(|_| self.includes(options, &row.path, row.line, row.col)) {
                Some(change) => {
                    included += 1;
                    changes.changes.push(change);
                }
                None => left.push(row),
            }
        }
        included
    }

    /// The same for all files. Returns how many references are certain, and how many others are included.
    pub(crate) fn decide_all(
        &self,
        options: &RefactorOptions,
        redirected: &mut BTreeMap<FileId, Redirected>,
        left: &mut Vec<PlaceRow>,
    ) -> (usize, usize) {
        let (mut certain, mut included) = (0, 0);
        for (&file, found) in redirected {
            certain += found.changes.count;
            included += self.decide(options, file, &mut found.changes, left);
        }
        (certain, included)
    }

    /// The files with changes, and their trees before.
    ///
    /// # Errors
    /// If a gate refuses them.
    pub(crate) fn changed_files(
        &self,
        redirected: &BTreeMap<FileId, Redirected>,
        limits: &ParseLimits,
    ) -> Result<Vec<(FileId, Tree, Outcome)>, EngineError> {
        let mut files = Vec::new();
        for (&file, found) in redirected {
            files.extend(self.changed_file(file, &found.ops, &found.changes.changes, limits)?);
        }
        Ok(files)
    }

    /// Descriptions of symbols and modules.
    pub(crate) fn described(&self, things: impl IntoIterator<Item = Thing>) -> Vec<Definition> {
        self.resolve(|resolver| things.into_iter().filter_map(|thing| resolver.describe(thing)).collect())
    }

    /// A file with changes, and its tree before; `None` if nothing in it changes.
    ///
    /// # Errors
    /// If a gate refuses them.
    pub(crate) fn changed_file(
        &self,
        file: FileId,
        ops: &[Op],
        changes: &[TextChange],
        limits: &ParseLimits,
    ) -> Result<Option<(FileId, Tree, Outcome)>, EngineError> {
        let Some(tree) = self.resolve(|resolver| resolver.tree(file).cloned()) else { return Ok(None) };
        let outcome = apply_texts(&tree, ops, changes, limits)
            .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(file)))?;
        Ok((!outcome.edits.is_empty()).then_some((file, tree, outcome)))
    }

    /// Refuses a refactor with uncertain references, unless the request leaves them.
    ///
    /// # Errors
    /// With the places.
    pub(crate) fn refuse_uncertain(
        &self,
        options: &RefactorOptions,
        what: &str,
        risks: Vec<PlaceRow>,
        left: &[PlaceRow],
    ) -> Result<(), EngineError> {
        self.note_undecided(left);
        let risks = if options.force { Vec::new() } else { risks };
        let left = if options.leave_undetermined { &[] } else { left };
        let (first, hint) = match (risks.first(), left.first()) {
            (None, None) => return Ok(()),
            (Some(risk), None) => (risk, "use {force_refactor} to proceed anyway"),
            (None, Some(place)) => (
                place,
                "{include} also changes such a reference, {leave} leaves the others unchanged; {decide} has a compiler or \
                     tests decide",
            ),
            (Some(risk), Some(_)) => {
                (risk, "use {force_refactor} to proceed anyway; {include} and {leave} decide about single references")
            }
        };
        let count = risks.len() + left.len();
        let references = if count == 1 { "1 reference is".to_owned() } else { format!("{count} references are") };
        let message =
            format!("{what}: {references} uncertain, e.g. {}:{}:{}: {}", first.path, first.line, first.col, first.why);
        let mut error = EngineError::new(ErrorCode::Undetermined, message).hint(hint);
        let more = count.saturating_sub(SHOWN);
        error.details.places = risks.iter().chain(left).take(SHOWN).cloned().collect();
        if more > 0 {
            error.message.push_str(&format!(" ({more} more than the {SHOWN} listed)"));
        }
        Err(error)
    }
}

/// Why a string that became the first statement of a body counts.
pub(crate) const NEW_DOCUMENTATION: &str = "a string would become documentation";

/// A string of a changed file that is documentation now and was a statement before.
pub(crate) fn new_documentation(old: &Tree, new: &Tree) -> Option<Node> {
    old.language().spec().docs.statement?;
    let found = |tree: &Tree| -> Vec<(Node, String)> {
        let strings = tree.table().nodes().filter_map(|node| tree.docstring(node));
        strings.map(|string| (string, tree.node_text(string).into_owned())).collect()
    };
    let known: FxHashSet<String> = found(old).into_iter().map(|(_, text)| text).collect();
    let mut strings = found(new).into_iter().filter(|(_, text)| !known.contains(text));
    // What the change itself brings was no statement before.
    strings.find(|(_, text)| old.text().to_string().contains(text)).map(|(string, _)| string)
}

/// A name in some code that is evaluated when the file is loaded, before the name gets its value.
fn first_early(flow: &Flow<'_>, code: Span) -> Option<Node> {
    early(flow, code).next()
}

/// The names that a file evaluates when it is loaded, before they get their value there.
fn early_names(tree: &Tree) -> FxHashSet<String> {
    let flow = Flow::new(tree);
    early(&flow, Span::new(0, tree.text().len())).map(|name| tree.node_text(name).into_owned()).collect()
}

/// The names in some code that are evaluated when the file is loaded, before they get their value.
fn early<'f>(flow: &'f Flow<'_>, code: Span) -> impl Iterator<Item = Node> + 'f {
    let table = flow.tree.table();
    let is_in = move |node: &Node| {
        flow.rules.is_known() && flow.scopes.is_identifier(*node) && code.contains(flow.tree.span(*node))
    };
    table.nodes().filter(is_in).filter(|&name| {
        let variables = flow.variables(std::iter::once(name));
        let Some(variable) = variables.first() else { return false };
        let Some(evaluated) = first_evaluation(flow, name) else { return false };
        let is_hoisted = |node: Node| table.parent(node).is_some_and(|parent| flow.is(parent, &flow.rules.hoisted));
        let mut binders = variable.uses.iter().filter(|one| one.binds).peekable();
        variable.symbol.scope == Node::ROOT
            && binders.peek().is_some()
            && binders.all(|one| one.node > evaluated && !is_hoisted(one.node))
    })
}

/// The first place at the top of a file where a node is evaluated: itself, or a use of a name like that of the function that has it.
fn first_evaluation(flow: &Flow<'_>, node: Node) -> Option<Node> {
    let function = flow.function_of(node);
    if function == Node::ROOT {
        return Some(node);
    }
    let name = flow.tree.name_node(function)?;
    let text = flow.tree.node_text(name);
    let mut names = flow.tree.table().nodes().filter(|&other| flow.scopes.is_identifier(other));
    names.find(|&other| {
        *flow.tree.node_text(other) == *text && !flow.scopes.binds(other) && flow.function_of(other) == Node::ROOT
    })
}
