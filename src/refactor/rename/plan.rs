//! What a rename changes in a project, and what prevents it.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::{Op, Outcome, Position};
use crate::modules::FileId;
use crate::question::subject::doubt::Doubt;
use crate::question::subject::uses::{SubjectUses, unseen_note};
use crate::reader::document::limits;
use crate::refactor::plan::{Done, Plan, Planned};
use crate::refactor::rename::second_opinion::Question;
use crate::refactor::rename::trees::Written;
use crate::refactor::{Renaming, marks_exports};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{RefactorEngine, RefactorOptions, Rename, SecondOpinion};
use crate::request::symbol_messages::{Confidence, Role};
use crate::symbols::{Thing, documented};
use crate::text::Span;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

impl Plan for Rename {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        if let Some(relocation) = workspace.file_of_module(self)? {
            return workspace.move_file_in_steps(relocation, options, done);
        }
        let kept = if self.keep_alias { Some(workspace.kept_name(self)?) } else { None };
        let named = if self.file { Some(workspace.file_named_after(self)?) } else { None };
        let mut names = match workspace.alias_of(self)? {
            Some((_, alias)) => vec![alias.name],
            None => workspace.documented_names_of(&self.symbol),
        };
        names.extend((!names.is_empty()).then(|| self.to.clone()));
        let (is_moved, planned) = workspace.with_documentation(&names, |workspace| {
            let planned = workspace.plan_rename(self, options)?;
            Ok((planned.relocation.is_some(), workspace.apply_checked(planned)?))
        })?;
        done.add(planned);
        if let Some(relocation) = named.filter(|_| !is_moved) {
            workspace.move_file_in_steps(relocation, options, done)?;
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
        if let Some((file, alias)) = self.alias_of(request)? {
            return self.plan_local_alias(request, options, file, alias);
        }
        let found = self.find_or_follow(symbol, false)?;
        let Thing::Symbol(site) = found[0].thing else {
            let error = EngineError::bad_request(format!("`{symbol}` is a module, not a symbol in one"));
            return Err(error.hint("name a definition"));
        };
        let family = self.whole_family(site)?;
        let things: Vec<Thing> = family.sites.iter().copied().map(Thing::Symbol).collect();
        let references = self.references(&things)?;
        let mut subject = self.subject(family.sites, &references)?;
        subject.joined = family.joined;
        let old = subject.old.as_str();
        if old == to {
            return Err(EngineError::bad_request(format!("`{symbol}` already has this name")));
        }
        self.refuse_taken(&subject, &family.classes, to)?;
        let SubjectUses { mut places, certain, mut doubts, mut strings, is_public, unseen, .. } =
            self.subject_uses(options.strings, &subject, &references)?;
        // A key that is a variable as well: `{ size }`.
        if places.is_empty() && doubts.is_empty() {
            let message = format!("cannot rename `{old}`: where it is defined, another symbol has the same place");
            let error = EngineError::new(ErrorCode::Undetermined, message);
            return Err(error.hint(format!("write `{old}: {old}` there, and rename the first one")));
        }
        let mut mentioned = 0;
        if request.mentions {
            let files: FxHashSet<FileId> = places.keys().copied().collect();
            let found = self.look(old, Some(&files), |resolver, file| {
                let found = documented(resolver, file, old, &subject.holders).into_iter();
                found.map(|(span, is_code)| (file, span, is_code)).collect()
            })?;
            for (file, span, is_code) in found {
                if is_code && places.get(&file).is_some_and(|known| known.contains(&span)) {
                    continue;
                }
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
        risks.extend(self.unresolved_rows(&subject, Some(to))?);
        risks.extend(self.rule_rows(&subject.family, to));
        for &site in subject.family.iter().filter(|_| !subject.is_member && !subject.is_parameter) {
            let packages = self.resolve(|resolver| resolver.packages_with_module(site, old));
            for package in packages.into_iter().filter(|&package| package == site.file) {
                let why = "a module of this package has the name, too, and takes its place when it is imported";
                risks.push(self.place_row(package, 0, why.to_owned()));
            }
        }
        if subject.is_member {
            for site in self.implemented_as(&subject.family, to)? {
                let start =
                    self.resolve(|resolver| resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start()));
                let why = "the type would implement this interface, for which code may ask";
                risks.push(self.place_row(site.file, start, why.to_owned()));
            }
        }
        risks.extend(self.hidden_rows(&subject.family, to, &references));
        // A second opinion is about the same places.
        let kept = match request.engine == RefactorEngine::Lsp {
            true => BTreeMap::new(),
            false => self.keep_imports(&subject.family, to, &mut places),
        };
        let keeping: FxHashSet<FileId> = kept.keys().copied().collect();
        let others = places.iter().filter(|(file, _)| !keeping.contains(file));
        let others = others.map(|(&file, spans)| (file, spans.clone())).collect();
        risks.extend(self.clash_rows(&subject.family, to, &others));
        let mut relocation = None;
        for &site in &subject.family {
            relocation = relocation.or(self.required_file(site, to)?);
            let (file, uncertain) = self.autoloaded_file(site, to)?;
            relocation = relocation.or(file);
            risks.extend(uncertain);
        }
        let mut opinion = None;
        if request.engine == RefactorEngine::Lsp {
            if !risks.is_empty() && !options.force {
                let left: Vec<PlaceRow> = doubts.into_iter().map(|doubt| doubt.row).collect();
                let refused = self.refuse_uncertain(options, &format!("cannot rename `{old}`"), risks, &left);
                return refused.map(|()| Planned::default());
            }
            // A language server does not read documentation as code.
            let code = places.iter().filter(|(file, _)| !self.is_documentation(**file));
            let code: BTreeMap<FileId, Vec<Span>> = code.map(|(&file, spans)| (file, spans.clone())).collect();
            let doubtful = doubts.iter().map(|doubt| (doubt.file, doubt.span)).chain(strings.iter().copied());
            let doubtful: Vec<(FileId, Span)> = doubtful.filter(|(file, _)| !self.is_documentation(*file)).collect();
            let question = Question { family: &subject.family, old, new: to, certain: &code, doubtful: &doubtful };
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
        left.extend(self.named_in_files(&subject));
        self.refuse_uncertain(options, &format!("cannot rename `{old}`"), risks, &left)?;
        left.extend(remarks);
        let mut notes = Vec::new();
        if is_public {
            notes.push(format!("`{old}` is a public name; code outside of the project that uses it is not changed"));
        }
        if unseen > 0 {
            notes.push(unseen_note(unseen));
        }
        match strings.len() {
            0 => {}
            1 => notes.push(format!("left 1 string that is `{old}` as it is")),
            count => notes.push(format!("left {count} strings that are `{old}` as they are")),
        }
        let definitions = self.described(things.iter().copied());
        let renaming = Renaming {
            old,
            new: to,
            is_member: subject.is_member,
            loaded: &[],
            kept: &[],
            keeps_exports: false,
            shortens: opinion.is_none(),
        };
        if let Some((opinion, _)) = &opinion {
            self.check_texts(opinion, &places, renaming)?;
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
        let Written { files, documents, followed } =
            self.write_name(renaming, &subject.family, &places, &kept, options)?;
        let moved = relocation.as_ref().and_then(|relocation| self.project.at(relocation.old()));
        Ok(Planned {
            moved: moved.map(|file| (file, self.path(file).to_owned())).into_iter().collect(),
            relocation,
            definitions,
            files,
            documents,
            followed,
            words: vec![old.to_owned(), to.to_owned()],
            new_name: to.to_owned(),
            counts: (certain + mentioned, included),
            left,
            notes,
            second_opinion,
            ..Planned::default()
        })
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
}
