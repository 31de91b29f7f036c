//! What a rename changes in a project, and what prevents it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::edit::{Op, Outcome, Position};
use crate::question::refs::Reference;
use crate::reader::document::limits;
use crate::refactor::plan::{Done, Plan, Planned};
use crate::refactor::second_opinion::Question;
use crate::refactor::{RenameError, Renaming, marks_exports, rename};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{RefactorEngine, RefactorOptions, Rename, SecondOpinion};
use crate::request::symbol_messages::{Confidence, ReferenceRow, Role};
use crate::symbols::{
    Around, Callee, FileId, Holder, MadeName, Making, Meaning, NamedSymbol, Resolver, Risk, Site, StringKind, Target,
    Thing, documented,
};
use crate::text::Span;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// A place that may refer to the symbol.
pub(crate) struct Doubt {
    pub file: FileId,
    pub span: Span,
    pub row: PlaceRow,
    /// Whether it can be left without a decision, because it changes nothing that a program does.
    pub is_remark: bool,
}

/// What is known of the symbol that is renamed.
pub(crate) struct Subject {
    old: String,
    /// The symbol, and those that have to have its name.
    family: Vec<Site>,
    is_member: bool,
    is_parameter: bool,
    /// Whether code outside of its function can use it.
    is_lasting: bool,
    /// The names of what is called where it can be an argument: its function, its class.
    called: FxHashSet<String>,
    /// The last names of the modules and classes that have it.
    holders: FxHashSet<String>,
    /// The modules that have it.
    modules: Vec<FileId>,
    /// The classes that have it, and those above and below them.
    classes: FxHashSet<Site>,
    /// How it gets a value by its name, besides by calls of its function.
    given: Given,
    /// The references of what takes it as an argument, once they are needed.
    taker_references: OnceLock<Vec<Reference>>,
}

/// How a symbol gets a value by its name, besides by calls of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    /// Nothing.
    No,
    /// It is a parameter of a function without a name, which anything may call.
    ByAnyCall,
    /// Calls of its class, which has no constructor.
    ByItsClass,
    /// Tables with its name as a key.
    ByTables,
}

/// The places that refer to a symbol.
pub(crate) struct SubjectUses {
    /// Those that certainly do, as they are written.
    pub places: BTreeMap<FileId, Vec<Span>>,
    /// How many there are.
    pub certain: usize,
    /// Those that may.
    pub doubts: Vec<Doubt>,
    /// Strings that are its name, and are left as they are.
    pub strings: Vec<(FileId, Span)>,
    /// Whether a list of public names has it.
    pub is_public: bool,
}

/// What is around an uncertain place.
struct Context {
    around: Around,
    /// Whether modules are values in its language.
    has_module_values: bool,
    /// Whether what is called accesses members by names that it gets.
    accesses_by_name: bool,
    /// What has it, if it is a member and types are used without being named.
    holder: Option<Holder>,
}

/// Calls that may pass any argument.
#[derive(Default)]
struct Splats {
    /// Their files.
    files: FxHashSet<FileId>,
    /// Those that do not just pass on what the function around them got.
    open: Vec<(FileId, Span)>,
}

impl Plan for Rename {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let kept = if self.keep_alias { Some(workspace.kept_name(self)?) } else { None };
        let named = if self.file { Some(workspace.file_named_after(self)?) } else { None };
        let planned = workspace.plan_rename(self, options)?;
        let is_moved = planned.relocation.is_some();
        done.add(workspace.apply_checked(planned)?);
        if let Some(relocation) = named.filter(|_| !is_moved) {
            let planned = workspace.plan_relocation(options, relocation)?;
            done.add(workspace.apply_checked(planned)?);
        }
        if let Some(kept) = kept {
            let planned = workspace.plan_alias(self, options, kept)?;
            done.add(workspace.apply_checked(planned)?);
        }
        Ok(())
    }
}

impl Workspace<'_> {
    /// Plans a rename.
    ///
    /// # Errors
    /// If no symbol fits, or references are uncertain.
    pub(crate) fn plan_rename(&self, request: &Rename, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let (symbol, to) = (request.symbol.as_str(), request.to.as_str());
        if symbol.is_empty() || to.is_empty() {
            return Err(EngineError::bad_request("a rename takes a symbol and its new name"));
        }
        let found = self.find(symbol, false)?;
        let Thing::Symbol(site) = found[0].thing else {
            let error = EngineError::bad_request(format!("`{symbol}` is a module, not a symbol in one"));
            return Err(error.hint("name a definition"));
        };
        let family = self.family(site)?;
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let references = self.references(&things)?;
        let subject = self.subject(family, &references)?;
        let old = subject.old.as_str();
        if old == to {
            return Err(EngineError::bad_request(format!("`{symbol}` already has this name")));
        }
        self.refuse_taken(&subject, to)?;
        let SubjectUses { mut places, certain, mut doubts, mut strings, is_public } =
            self.subject_uses(options, &subject, &references)?;
        let mut mentioned = 0;
        if request.mentions {
            let files: FxHashSet<FileId> = places.keys().copied().collect();
            let found = self.look(old, Some(&files), |resolver, file| {
                let found = documented(resolver, file, old, &subject.holders).into_iter();
                found.map(|(span, is_code)| (file, span, is_code)).collect()
            })?;
            for (file, span, is_code) in found {
                if is_code {
                    mentioned += 1;
                    places.entry(file).or_default().push(span);
                } else {
                    let row = self.place_row(file, span.start(), "a word that may be the name".to_owned());
                    doubts.push(Doubt { file, span, row, is_remark: true });
                }
            }
        }
        let mut risks = self.risk_rows(&subject, to);
        risks.extend(self.rule_rows(&subject.family, to));
        risks.extend(self.hidden_rows(&subject.family, to, &references));
        let mut opinion = None;
        if request.engine == RefactorEngine::Lsp {
            if !risks.is_empty() && !options.force {
                let left: Vec<PlaceRow> = doubts.into_iter().map(|doubt| doubt.row).collect();
                let refused = self.refuse_uncertain(options, &format!("cannot rename `{old}`"), risks, &left);
                return refused.map(|()| Planned::default());
            }
            let doubtful = doubts.iter().map(|doubt| (doubt.file, doubt.span)).chain(strings.iter().copied());
            let doubtful: Vec<(FileId, Span)> = doubtful.collect();
            let question = Question { family: &subject.family, old, new: to, certain: &places, doubtful: &doubtful };
            let asked = self.second_opinion(&question)?;
            let unknown = asked.unknown(&question);
            let mut only_server = 0;
            let mut stays_uncertain = |file: FileId, span: Span| {
                let is_confirmed = span.len() == old.len() && asked.renames(file, span.start());
                if is_confirmed {
                    only_server += 1;
                    places.entry(file).or_default().push(span);
                }
                !is_confirmed
            };
            doubts.retain(|doubt| stays_uncertain(doubt.file, doubt.span));
            strings.retain(|&(file, span)| stays_uncertain(file, span));
            for (spot, why) in unknown {
                let span = Span::new(spot.start, spot.start + old.len());
                let row = self.place_row(spot.file, spot.start, why.to_owned());
                let is_remark = self.resolve(|resolver| {
                    resolver.tree(spot.file).is_some_and(|tree| tree.is_comment(tree.table().smallest_around(span)))
                });
                doubts.push(Doubt { file: spot.file, span, row, is_remark });
            }
            opinion = Some((asked, only_server));
        }
        let mut included = 0;
        let (mut left, mut remarks) = (Vec::new(), Vec::new());
        for doubt in doubts {
            let is_name = doubt.span.len() == old.len();
            if is_name && self.includes(options, &doubt.row.path, doubt.row.line, doubt.row.col) {
                included += 1;
                places.entry(doubt.file).or_default().push(doubt.span);
            } else if doubt.is_remark {
                remarks.push(doubt.row);
            } else {
                left.push(doubt.row);
            }
        }
        left.extend(self.unread_with(&[old]));
        self.refuse_uncertain(options, &format!("cannot rename `{old}`"), risks, &left)?;
        left.extend(remarks);
        let mut notes = Vec::new();
        if is_public {
            notes.push(format!("`{old}` is a public name; code outside of the project that uses it is not changed"));
        }
        match strings.len() {
            0 => {}
            1 => notes.push(format!("left 1 string that is `{old}` as it is")),
            count => notes.push(format!("left {count} strings that are `{old}` as they are")),
        }
        let definitions =
            self.resolve(|resolver| things.iter().filter_map(|&thing| resolver.describe(thing)).collect());
        if let Some((opinion, _)) = &opinion {
            self.check_texts(opinion, &places, Renaming { old, new: to, is_member: subject.is_member })?;
            match opinion.outside {
                0 => {}
                1 => notes.push("the language server has 1 reference outside of the project".to_owned()),
                count => notes.push(format!("the language server has {count} references outside of the project")),
            }
        }
        let second_opinion = opinion.map(|(opinion, only_server)| SecondOpinion {
            places: opinion.places(),
            server: opinion.server,
            only_server,
        });
        let files = self.renamed(&subject, to, &places, options)?;
        let mut relocation = None;
        for &site in &subject.family {
            relocation = relocation.or(self.required_file(site, to)?);
        }
        let moved = relocation.as_ref().and_then(|relocation| self.project.at(relocation.old()));
        Ok(Planned {
            moved: moved.map(|file| (file, self.path(file).to_owned())).into_iter().collect(),
            relocation,
            definitions,
            files,
            words: vec![old.to_owned(), to.to_owned()],
            new_name: to.to_owned(),
            counts: (certain + mentioned, included),
            left,
            notes,
            second_opinion,
            ..Planned::default()
        })
    }

    /// The places that refer to a symbol, and those that may.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn subject_uses(
        &self,
        options: &RefactorOptions,
        subject: &Subject,
        references: &[Reference],
    ) -> Result<SubjectUses, EngineError> {
        let old = subject.old.as_str();
        let mut places: BTreeMap<FileId, Vec<Span>> = BTreeMap::new();
        let mut certain = 0;
        let mut doubts = Vec::new();
        let mut uncertain: Vec<&Reference> = Vec::new();
        for reference in references.iter().filter(|reference| !reference.is_alias) {
            let span = Span::new(reference.start, reference.start + old.len());
            match reference.row.confidence {
                Confidence::Certain => {
                    certain += 1;
                    places.entry(reference.file).or_default().push(span);
                }
                Confidence::Candidate | Confidence::Undetermined => uncertain.push(reference),
                Confidence::Elsewhere if subject.is_parameter || subject.is_member => uncertain.push(reference),
                Confidence::Elsewhere => {}
            }
        }
        let takes = subject.is_parameter || subject.given == Given::ByItsClass;
        let splats = if takes { self.splats(subject)? } else { Splats::default() };
        for (file, span) in &splats.open {
            let row = self.place_row(*file, span.start(), "may pass an argument of this name".to_owned());
            doubts.push(Doubt { file: *file, span: Span::new(span.start(), span.start()), row, is_remark: false });
        }
        let mut open_files = FxHashSet::default();
        for (file, made) in self.made_names(subject)? {
            let why = match made.how {
                Making::Computed => "accesses members by a computed name",
                Making::Table => "reads a table of names",
                Making::Format => "a format puts in what has this name",
                Making::Code => "a string that is run as code",
                Making::Listing => "goes through the names of all members",
                Making::Class => "makes a class with such a member",
                Making::Open => {
                    open_files.insert(file);
                    continue;
                }
            };
            let row = self.place_row(file, made.span.start(), why.to_owned());
            doubts.push(Doubt { file, span: Span::new(made.span.start(), made.span.start()), row, is_remark: false });
        }
        for word in self.resolve(|resolver| resolver.mangled_names(&subject.classes, old)) {
            for (file, span) in self.look(&word, None, |resolver, file| {
                resolver.spans_of(file, &word).into_iter().map(|span| (file, span)).collect()
            })? {
                let row = self.place_row(file, span.start(), "the name of the hidden member".to_owned());
                doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
            }
        }
        for (reference, why) in self.doubtful(subject, &splats, &uncertain)? {
            let span = Span::new(reference.start, reference.start + old.len());
            doubts.push(Doubt { file: reference.file, span, row: place_of(&reference.row, why), is_remark: false });
        }
        let mut is_public = false;
        let is_callable =
            !subject.is_parameter && self.resolve(|resolver| resolver.is_called_by_text(subject.family[0]));
        // Strings that are the name, and are left as they are.
        let mut strings = Vec::new();
        if subject.is_lasting || subject.is_parameter || !splats.files.is_empty() {
            for (file, span, kind) in self.strings(old)? {
                let is_asked_for = kind == StringKind::Argument && (subject.is_parameter || subject.is_member)
                    || subject.is_lasting
                    || kind == StringKind::Name && splats.files.contains(&file);
                if !is_asked_for {
                    continue;
                }
                let why = match kind {
                    StringKind::Callable { is_member } if is_member == subject.is_member && is_callable => {
                        "a string that may name it for a call"
                    }
                    StringKind::Listed(Meaning::Known(things)) => {
                        if things
                            .iter()
                            .any(|thing| matches!(thing, Thing::Symbol(site) if subject.family.contains(site)))
                        {
                            certain += 1;
                            is_public |= !subject.is_member;
                            places.entry(file).or_default().push(span);
                        }
                        continue;
                    }
                    StringKind::Argument if subject.is_parameter || subject.is_member => {
                        "a key that may name an argument"
                    }
                    StringKind::Listed(_) => "a name in a list that cannot be followed",
                    StringKind::Access => "a call names a member by this string",
                    StringKind::Path(before) => {
                        let last = before.rsplit(['.', ':']).next().unwrap_or(&before);
                        if !subject.holders.contains(last) {
                            continue;
                        }
                        "a path in a string"
                    }
                    StringKind::Head => {
                        strings.push((file, span));
                        continue;
                    }
                    StringKind::Name | StringKind::Callable { .. } if options.strings => "a string equal to the name",
                    StringKind::Name if subject.given == Given::ByTables => "a string that may be the key",
                    StringKind::Name if subject.is_member && open_files.contains(&file) => {
                        "a string that may name a member: the file accesses members by names that it is given"
                    }
                    StringKind::Name | StringKind::Callable { .. } if splats.files.contains(&file) => {
                        "a string that may name an argument"
                    }
                    StringKind::Argument | StringKind::Name | StringKind::Callable { .. } => {
                        strings.push((file, span));
                        continue;
                    }
                };
                let row = self.place_row(file, span.start(), why.to_owned());
                doubts.push(Doubt { file, span, row, is_remark: false });
            }
        }
        Ok(SubjectUses { places, certain, doubts, strings, is_public })
    }

    /// The file of a definition whose old name is kept when it is renamed, those that export it again, and that name.
    ///
    /// # Errors
    /// If no other file can have that name, or the language has no way to write it.
    pub(crate) fn kept_name(&self, request: &Rename) -> Result<(Vec<FileId>, String), EngineError> {
        let bad = EngineError::bad_request;
        let Thing::Symbol(site) = self.find(&request.symbol, false)?[0].thing else {
            return Err(bad(format!("`{}` is a module, not a symbol in one", request.symbol)));
        };
        let language = self.project.file(site.file).language;
        if language.spec().flow.code.alias.is_empty() {
            let message = format!("keeping the old name is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let (old, units, is_exported) = self.resolve(|resolver| {
            (resolver.name_of(site).unwrap_or_default(), resolver.own_statements(site), resolver.is_exported(site))
        });
        if units.is_none_or(|units| units.is_empty()) {
            return Err(bad(format!("the name `{old}` cannot be kept: only names at the top of a file can")));
        }
        if marks_exports(language) && !is_exported {
            return Err(bad(format!("the name `{old}` cannot be kept: it is not exported")));
        }
        // Other modules export it again.
        let mut files = vec![site.file];
        for reference in self.references(&[Thing::Symbol(site)])? {
            let exports = self.resolve(|resolver| resolver.exports_imports(reference.file));
            let is_import = reference.row.confidence == Confidence::Certain && reference.row.role == Role::Import;
            if is_import && exports && !files.contains(&reference.file) {
                files.push(reference.file);
            }
        }
        Ok((files, old))
    }

    /// Plans an alias that keeps the old name of a definition that is renamed.
    ///
    /// # Errors
    /// If a gate refuses it.
    pub(crate) fn plan_alias(
        &self,
        request: &Rename,
        options: &RefactorOptions,
        (files, old): (Vec<FileId>, String),
    ) -> Result<Planned, EngineError> {
        let mut changed = Vec::new();
        for file in files {
            changed.extend(self.with_alias(request, options, file, &old)?);
        }
        Ok(Planned { files: changed, words: vec![old], ..Planned::default() })
    }

    fn with_alias(
        &self,
        request: &Rename,
        options: &RefactorOptions,
        file: FileId,
        old: &str,
    ) -> Result<Option<(FileId, Tree, Outcome)>, EngineError> {
        let to = request.to.as_str();
        let language = self.project.file(file).language;
        let (target, is_type) = self
            .resolve(|resolver| {
                let import = resolver
                    .imported_names(file)
                    .into_iter()
                    .find(|import| import.is_at_top && import.alias.as_ref().unwrap_or(&import.name) == to);
                if let Some(import) = import {
                    return Some((import.statement, false));
                }
                let now = resolver.top_definitions(file).into_iter().find(|definition| definition.name == to)?;
                let target = now.units.and_then(|units| units.last().copied())?;
                let definition = resolver.describe(Thing::Symbol(now.site));
                Some((target, definition.is_some_and(|definition| matches!(definition.kind, "interface" | "type"))))
            })
            .ok_or_else(|| EngineError::new(ErrorCode::Internal, "the renamed definition was not found"))?;
        let of_types = language.spec().symbols.import_forms.get("variety");
        let variety = of_types.filter(|_| is_type).map_or("", String::as_str);
        let code = &language.spec().flow.code.alias;
        let code = code.replace("$old", old).replace("$new", to).replace("$variety", variety);
        let op = Op::Insert { target, position: Position::After, code, extent: None };
        self.changed_file(file, &[op], &[], &limits(&options.reading))
    }

    /// A symbol with all that have to have the same name: overrides, and the parameters of overrides.
    pub(crate) fn family(&self, site: Site) -> Result<Vec<Site>, EngineError> {
        let function = self.resolve(|resolver| {
            let function = resolver.function_of_parameter(site)?;
            Some((function, resolver.name_of(site)?))
        });
        if let Some((function, name)) = function {
            let mut family = vec![site];
            for function in self.overriding(function)? {
                let own = self.resolve(|resolver| resolver.parameter_named(function, &name));
                family.extend(own.filter(|own| !family.contains(own)));
            }
            return Ok(family);
        }
        self.overriding(site)
    }

    /// A symbol with all methods that override it, that it overrides, or that override the same.
    pub(crate) fn overriding(&self, site: Site) -> Result<Vec<Site>, EngineError> {
        let mut family = vec![site];
        let mut new = vec![Thing::Symbol(site)];
        while !new.is_empty() {
            let mut found = self.overrides(&new)?;
            found.retain(|thing| matches!(thing, Thing::Symbol(site) if !family.contains(site)));
            family.extend(found.iter().filter_map(|thing| match thing {
                Thing::Symbol(site) => Some(*site),
                _ => None,
            }));
            new = found;
        }
        Ok(family)
    }

    /// What is known of symbols that have to have one name.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn subject(&self, family: Vec<Site>, references: &[Reference]) -> Result<Subject, EngineError> {
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let (old, is_lasting, is_member, is_parameter) = self.resolve(|resolver| {
            let old = resolver.name_of(family[0]).unwrap_or_default();
            let target = Target::new(resolver, &things);
            (old, resolver.is_lasting(family[0]), target.is_member, target.is_parameter)
        });
        let given = self.resolve(|resolver| {
            let has_name = |&site: &Site| resolver.function_of_parameter(site).is_some();
            let class = |&site: &Site| resolver.class_of_member(site);
            match is_parameter {
                true if !family.iter().any(has_name) => Given::ByAnyCall,
                false if family.iter().filter_map(class).any(|class| resolver.has_keys(class)) => Given::ByTables,
                false if family.iter().filter_map(class).any(|class| resolver.takes_fields(class)) => Given::ByItsClass,
                _ => Given::No,
            }
        });
        let (mut called, mut holders) = (FxHashSet::default(), FxHashSet::default());
        let (mut classes, mut hierarchy) = (Vec::new(), FxHashSet::default());
        self.resolve(|resolver| {
            for &site in &family {
                let function = resolver.function_of_parameter(site);
                let class = resolver.class_of_member(function.unwrap_or(site));
                called.extend(function.and_then(|function| resolver.name_of(function)));
                classes.extend(class.filter(|class| !classes.contains(class)));
            }
        });
        if is_member || is_parameter {
            let below = self.classes_below(&classes)?;
            let all: Vec<Site> = classes.iter().copied().chain(below.iter().map(|below| below.class)).collect();
            self.resolve(|resolver| {
                let names: Vec<String> = all.iter().filter_map(|&class| resolver.name_of(class)).collect();
                holders.extend(names.iter().cloned());
                called.extend(names);
            });
            hierarchy.extend(all.iter().copied());
            self.resolve(|resolver| hierarchy.extend(classes.iter().flat_map(|&class| resolver.superclasses(class).0)));
        }
        let mut modules: Vec<FileId> = family.iter().map(|site| site.file).collect();
        let is_import = |reference: &&Reference| matches!(reference.row.role, Role::Import | Role::Export);
        modules.extend(references.iter().filter(is_import).map(|reference| reference.file));
        modules.sort_unstable();
        modules.dedup();
        if !is_member {
            self.resolve(|resolver| {
                for &module in &modules {
                    let name = resolver.describe(Thing::Module(module)).map(|module| module.qualname);
                    holders.extend(name.and_then(|name| name.rsplit('.').next().map(str::to_owned)));
                }
            });
        }
        Ok(Subject {
            old,
            family,
            is_member,
            is_parameter,
            is_lasting,
            called,
            holders,
            modules,
            classes: hierarchy,
            given,
            taker_references: OnceLock::new(),
        })
    }

    /// Refuses a name that a class with the member, one above or one below has.
    fn refuse_taken(&self, subject: &Subject, to: &str) -> Result<(), EngineError> {
        if !subject.is_member {
            return Ok(());
        }
        let classes: Vec<Site> = self.resolve(|resolver| {
            let classes = subject.family.iter().filter_map(|&site| resolver.class_of_member(site));
            classes.collect()
        });
        let below = self.classes_below(&classes)?;
        let taken = self.resolve(|resolver| {
            let all = classes.iter().copied().chain(below.iter().map(|below| below.class));
            all.filter_map(|class| resolver.found_member(class, to)).next()
        });
        let Some(taken) = taken else { return Ok(()) };
        let start = self.resolve(|resolver| resolver.tree(taken.file).map_or(0, |tree| tree.span(taken.name).start()));
        let row = self.place_row(
            taken.file,
            start,
            format!("`{to}` is already a member of the class, or of one above or below it"),
        );
        let message = format!("{}:{}:{}: {}", row.path, row.line, row.col, row.why);
        let mut error = EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name");
        error.details.places = vec![row];
        Err(error)
    }

    /// The uncertain places that may refer to the symbol, and why that is not known.
    fn doubtful<'r>(
        &self,
        subject: &Subject,
        splats: &Splats,
        uncertain: &[&'r Reference],
    ) -> Result<Vec<(&'r Reference, &'static str)>, EngineError> {
        let contexts = self.contexts(subject, uncertain)?;
        let own = self.resolve(|resolver| resolver.holder_of_member(subject.family[0].file, subject.family[0].name));
        let mut doubts = Vec::new();
        let mut is_passed_on = None;
        for (number, &reference) in uncertain.iter().enumerate() {
            let Some(context) = contexts.get(&number) else { continue };
            let is_elsewhere = reference.row.confidence == Confidence::Elsewhere;
            let why = match &context.around {
                Around::Elsewhere => continue,
                _ if subject.is_member
                    && own.as_ref().zip(context.holder.as_ref()).is_some_and(|(own, other)| own.may_be(other)) =>
                {
                    "one type may be used in place of the other"
                }
                Around::Object { .. } | Around::Other if is_elsewhere => continue,
                Around::Object { .. } if subject.is_member => "the type of the receiver is unknown",
                // Variables of functions are no members of anything.
                Around::Object { .. } if !subject.is_lasting || subject.is_parameter => continue,
                Around::Object { last, is_imported } => {
                    let is_holder = last.as_ref().is_some_and(|last| subject.holders.contains(last));
                    let has_values = context.has_module_values;
                    let may_be =
                        *is_imported || is_holder || has_values && self.passed_on(subject, &mut is_passed_on)?;
                    if !may_be {
                        continue;
                    }
                    "the type of the receiver is unknown"
                }
                // A function from outside may call one that it gets with this argument: `partial(f, name=1)`.
                Around::Call { callee: Callee::External, names, .. } if subject.is_parameter => {
                    let is_near = subject.given == Given::ByAnyCall && splats.files.contains(&reference.file);
                    if !is_near && !names.iter().any(|name| subject.called.contains(name)) {
                        continue;
                    }
                    "the called function may pass the argument on"
                }
                Around::Call { callee: Callee::External, .. } if is_elsewhere => continue,
                Around::Call { callee: Callee::Own(_), .. } => {
                    let may_be = match subject.is_parameter {
                        true => !splats.files.is_empty() || self.is_value(subject)?,
                        false => subject.is_member && context.accesses_by_name,
                    };
                    if !may_be {
                        continue;
                    }
                    "the called function may pass the argument on"
                }
                Around::Call { last, .. } if subject.is_parameter || subject.is_member => {
                    let is_called = subject.given == Given::ByAnyCall
                        || last.as_ref().is_none_or(|last| subject.called.contains(last));
                    if !is_called && !self.is_value(subject)? {
                        continue;
                    }
                    "the called function is unknown"
                }
                Around::Call { .. } => continue,
                Around::Other => "the name cannot be followed",
            };
            doubts.push((reference, why));
        }
        Ok(doubts)
    }

    /// What is around uncertain places, by their numbers.
    fn contexts(&self, subject: &Subject, uncertain: &[&Reference]) -> Result<FxHashMap<usize, Context>, EngineError> {
        let mut by_file: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
        for (number, reference) in uncertain.iter().enumerate() {
            by_file.entry(reference.file).or_default().push(number);
        }
        let files: FxHashSet<FileId> = by_file.keys().copied().collect();
        let found = self.look("", Some(&files), |resolver, file| {
            let has_module_values = resolver.has_module_values(file);
            let context = |&number: &usize| {
                let (node, role) = (uncertain[number].node, uncertain[number].row.role);
                let around = resolver.around_name(file, node);
                let accesses_by_name = match &around {
                    Around::Call { callee: Callee::Own(function), .. } => {
                        subject.is_member && resolver.accesses_by_name(*function)
                    }
                    _ => false,
                };
                let is_member = role == Role::Definition || around == Around::Other;
                let holder = is_member.then(|| resolver.holder_of_member(file, node)).flatten();
                (number, Context { around, has_module_values, accesses_by_name, holder })
            };
            by_file.get(&file).into_iter().flatten().map(context).collect()
        })?;
        Ok(found.into_iter().collect())
    }

    /// The references of what takes the symbol as an argument.
    fn taker_references<'s>(&self, subject: &'s Subject) -> Result<&'s [Reference], EngineError> {
        if let Some(known) = subject.taker_references.get() {
            return Ok(known);
        }
        let found = self.references(&self.takers(subject))?;
        Ok(subject.taker_references.get_or_init(|| found))
    }

    /// Whether a module that has the symbol is used as a value, so that it may be any object.
    fn passed_on(&self, subject: &Subject, known: &mut Option<bool>) -> Result<bool, EngineError> {
        if let Some(known) = *known {
            return Ok(known);
        }
        let modules: Vec<Thing> = subject.modules.iter().copied().map(Thing::Module).collect();
        let references = self.references(&modules)?;
        let uses: Vec<&Reference> = references
            .iter()
            .filter(|reference| reference.row.confidence == Confidence::Certain)
            .filter(|reference| !matches!(reference.row.role, Role::Import | Role::Export))
            .collect();
        let is_passed_on = |resolver: &Resolver<'_>| {
            uses.iter().any(|reference| resolver.is_passed_on(reference.file, reference.node))
        };
        let mut found = self.resolve(is_passed_on);
        for &module in subject.modules.iter().filter(|&&file| self.loads_by_operator(file)) {
            let path = &self.project.file(module).path;
            let stem = path.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default();
            let loads = self.look(stem, None, |resolver, file| {
                resolver.passes_loaded_on(file, module).then_some(()).into_iter().collect()
            })?;
            found |= !loads.is_empty();
        }
        *known = Some(found);
        Ok(found)
    }

    /// Whether the language of a file loads modules by an operator: `import("./a")`.
    fn loads_by_operator(&self, file: FileId) -> bool {
        !self.project.file(file).language.spec().symbols.loaded_modules.operators.is_empty()
    }

    /// The calls of the function of a parameter that may pass any argument.
    fn splats(&self, subject: &Subject) -> Result<Splats, EngineError> {
        let references = self.taker_references(subject)?;
        let calls = references.iter().filter(|reference| reference.row.confidence == Confidence::Certain);
        let mut splats = Splats::default();
        self.resolve(|resolver| {
            let files = subject.family.iter().map(|site| site.file).filter(|_| subject.given == Given::ByAnyCall);
            for file in files {
                let open = resolver.unknown_splats(file);
                splats.files.extend((!open.is_empty()).then_some(file));
                splats.open.extend(open.into_iter().map(|span| (file, span)));
            }
            for call in calls {
                for splat in resolver.splats_at(call.file, call.node) {
                    splats.files.insert(call.file);
                    if !splat.is_passed_on {
                        splats.open.push((call.file, splat.span));
                    }
                }
            }
        });
        Ok(splats)
    }

    /// Where the members of the classes of a member are accessed by computed names.
    pub(crate) fn computed_accesses(&self, subject: &Subject) -> Result<Vec<(FileId, Span)>, EngineError> {
        let is_computed = |made: &MadeName| matches!(made.how, Making::Computed | Making::Table);
        let made = self.made_names(subject)?.into_iter().filter(|(_, made)| is_computed(made));
        Ok(made.map(|(file, made)| (file, made.span)).collect())
    }

    /// Where code may make the name of a symbol.
    fn made_names(&self, subject: &Subject) -> Result<Vec<(FileId, MadeName)>, EngineError> {
        let symbol = NamedSymbol {
            name: &subject.old,
            classes: &subject.classes,
            modules: &subject.modules,
            is_member: subject.is_member,
            local: (!subject.is_lasting || subject.is_parameter).then(|| subject.family[0]),
        };
        let own = subject.family.iter().chain(&subject.classes).map(|site| site.file);
        let mut files: FxHashSet<FileId> = own.collect();
        let mut words = Vec::new();
        if symbol.local.is_none() {
            let language = self.project.file(subject.family[0].file).language;
            let rules = &language.spec().symbols.hidden_uses;
            let all = rules.dynamic_calls.iter().chain(&rules.code_calls).chain(&rules.name_tables);
            let all: FxHashSet<&str> = all.filter_map(|word| word.split('.').next()).collect();
            let indexes = !rules.dynamic_accesses.is_empty();
            self.resolve(|resolver| {
                let has_word = |file: FileId| indexes || all.iter().any(|word| resolver.may_contain(file, word));
                let is_it = |&file: &FileId| {
                    has_word(file)
                        && (resolver.may_contain(file, symbol.name) || resolver.may_make_name(file, symbol.name))
                };
                files.extend(self.project.ids().filter(is_it));
            });
            words.extend(rules.dynamic_calls.iter().filter(|word| !word.contains('.')).map(String::as_str));
        }
        words.push("");
        let mut found = Vec::new();
        for word in words {
            let only = word.is_empty().then_some(&files);
            found.extend(self.look(word, only, |resolver, file| {
                let made = resolver.made_names(file, &symbol).into_iter();
                made.map(|made| (file, made)).collect()
            })?);
        }
        found.sort_by_key(|(file, made)| (*file, made.span.start(), made.how));
        found.dedup();
        Ok(found)
    }

    /// The functions and classes that take the symbol as an argument.
    fn takers(&self, subject: &Subject) -> Vec<Thing> {
        let mut things: Vec<Thing> = self.resolve(|resolver| {
            let takers = subject.family.iter().flat_map(|&site| {
                let Some(function) = resolver.function_of_parameter(site) else {
                    return Vec::from_iter(resolver.class_of_member(site));
                };
                // A class is called in place of its constructor.
                let class = resolver.class_of_member(function).filter(|_| resolver.is_constructor(function));
                class.into_iter().chain([function]).collect()
            });
            takers.map(Thing::Symbol).collect()
        });
        things.sort_unstable();
        things.dedup();
        things
    }

    /// Whether what takes the symbol as an argument is used as a value, so that any call may call it.
    fn is_value(&self, subject: &Subject) -> Result<bool, EngineError> {
        let references = self.taker_references(subject)?;
        let is_value = |reference: &Reference| {
            reference.row.confidence == Confidence::Certain
                && reference.row.role == Role::Read
                && !reference.row.is_override
        };
        Ok(references.iter().any(is_value))
    }

    /// The strings of all files that contain a name.
    pub(crate) fn strings(&self, name: &str) -> Result<Vec<(FileId, Span, StringKind)>, EngineError> {
        self.look_at_text(name, |resolver, file| {
            let found = resolver.strings_with(file, name).into_iter();
            found.map(|string| (file, string.span, string.kind)).collect()
        })
    }

    /// What may use the symbol by its old name, at the places of its definitions.
    pub(crate) fn risk_rows(&self, subject: &Subject, to: &str) -> Vec<PlaceRow> {
        let risks: Vec<(Site, usize, Risk)> = self.resolve(|resolver| {
            let mut risks = Vec::new();
            for &site in &subject.family {
                let start = resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
                let of = resolver.function_of_parameter(site).unwrap_or(site);
                for risk in resolver.risks(of, to) {
                    let counts = match &risk {
                        Risk::Name(why) if of == site => !resolver.has_meaning(site.file, to, why),
                        // Tools call some functions with arguments by the names of their parameters.
                        Risk::Name(why) => resolver.names_parameters(site.file, why),
                        // The file is renamed, too.
                        Risk::File => false,
                        Risk::Taken(_) | Risk::Object | Risk::OfAll | Risk::Twin | Risk::Hidden => of == site,
                        Risk::Double => true,
                        Risk::Declared => true,
                        Risk::Decorator(_) | Risk::Base(_) => true,
                    };
                    if counts {
                        risks.push((site, start, risk));
                    }
                }
            }
            risks
        });
        let row = |(site, start, risk): (Site, usize, Risk)| {
            let why = match risk {
                Risk::Decorator(word) => format!("the decorator `{word}` may use the name"),
                Risk::Name(what) => format!("the name has a special meaning: {what}"),
                Risk::Taken(base) => {
                    format!("the base `{base}` outside of the project has or may have a member `{to}`")
                }
                Risk::OfAll => format!("every object has a member `{to}`, or it is called by that name"),
                Risk::Hidden => format!("`{to}` is hidden from other classes"),
                Risk::Double => "it is a parameter and a member at once".to_owned(),
                Risk::Twin => "the class has another member of this name".to_owned(),
                Risk::Object => "a member of an object literal may be used through a type".to_owned(),
                Risk::Declared => "it declares something that is defined outside of the project".to_owned(),
                Risk::File => "the file has to have the name of this class".to_owned(),
                Risk::Base(base) => format!("the base `{base}` outside of the project may have or use this member"),
            };
            self.place_row(site.file, start, why)
        };
        risks.into_iter().map(row).collect()
    }

    /// The trees of all files with the new name.
    fn renamed(
        &self,
        subject: &Subject,
        to: &str,
        places: &BTreeMap<FileId, Vec<Span>>,
        options: &RefactorOptions,
    ) -> Result<Vec<(FileId, crate::tree::Tree, crate::edit::Outcome)>, EngineError> {
        let files: FxHashSet<FileId> = places.keys().copied().collect();
        let renaming = Renaming { old: &subject.old, new: to, is_member: subject.is_member };
        let limits = limits(&options.reading);
        // The name may be written in another case.
        let renamed = self.look("", Some(&files), |resolver, file| {
            let (Some(spans), Some(tree)) = (places.get(&file).filter(|_| files.contains(&file)), resolver.tree(file))
            else {
                return Vec::new();
            };
            let mut spans = spans.clone();
            spans.sort_by_key(|span| span.start());
            spans.dedup();
            vec![(file, tree.clone(), rename(tree, &spans, renaming, &limits))]
        })?;
        let mut done = Vec::new();
        for (file, tree, outcome) in renamed {
            match outcome {
                Ok(outcome) => done.push((file, tree, outcome)),
                Err(RenameError::NoName { start }) => {
                    let row = self.place_row(file, start, String::new());
                    let message = format!("`{to}` is not a valid name at {}:{}:{}", row.path, row.line, row.col);
                    return Err(EngineError::bad_request(message).hint("choose another name"));
                }
                Err(RenameError::Edit(error)) => {
                    let code = ErrorCode::from(&error);
                    return Err(EngineError::new(code, error.to_string()).path(self.shown(file)));
                }
            }
        }
        Ok(done)
    }
}

/// A reference as a place with a question.
fn place_of(row: &ReferenceRow, why: &str) -> PlaceRow {
    PlaceRow { path: row.path.clone(), line: row.line, col: row.col, why: why.to_owned(), text: row.text.clone() }
}
