//! Files that a refactor makes or deletes.

use crate::language::ByName;
use crate::modules::{FileId, ProjectFile};
use crate::reader::document::limits;
use crate::refactor::plan::{Created, Done, OneStep, Plan, Planned};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{CreateFile, DeleteFile, RefactorOptions};
use crate::request::symbol_messages::Confidence;
use crate::risks::{StringKind, StringUse};
use crate::symbols::{ModuleUseKind, Thing};
use crate::text::Text;
use crate::transfer::changes::FileChanges;
use crate::transfer::computed::computed_loads;
use crate::tree::Tree;
use crate::workspace::files::Workspace;
use crate::workspace::relocation::Relocation;

impl Plan for DeleteFile {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let planned = workspace.plan_deleted_file(self, options)?;
        if let Some((file, tree)) = &planned.deleted {
            workspace.delete(*file, tree);
        }
        done.add((workspace.symbol_rows(&planned.definitions), planned));
        Ok(())
    }
}

impl OneStep for CreateFile {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_new_file(self, options)
    }
}

impl Workspace<'_> {
    /// Plans a new file.
    ///
    /// # Errors
    /// If there is one at its path, or its code has a syntax error.
    pub(crate) fn plan_new_file(
        &self,
        request: &CreateFile,
        options: &RefactorOptions,
    ) -> Result<Planned, EngineError> {
        let path = self.path_from_root(&request.symbol)?;
        let bad = EngineError::bad_request;
        let name = path.rsplit('/').next().unwrap_or_default();
        if name.is_empty() {
            return Err(bad("a new file takes a path".to_owned()));
        }
        if self.project.at(&path).is_some() || self.engine.files().facts(&self.root().join(&path)).is_ok() {
            return Err(bad(format!("`{path}` already exists")));
        }
        let detected = self.engine.detector().detect_by_name(name);
        let Ok(ByName::Certain(language) | ByName::Ambiguous(language)) = detected else {
            let message = format!("the language of `{path}` is not known");
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        };
        let tree = Tree::parse(Text::new(&request.code), language, &limits(&options.reading))
            .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(path.clone()))?;
        if let Some(error) = tree.errors().first() {
            let line = tree.text().line_at(error.span.start());
            let message = format!("the code of `{path}` has a syntax error in line {line}");
            return Err(EngineError::new(ErrorCode::WouldBreakSyntax, message).path(path));
        }
        let id = FileId(u32::try_from(self.project.files().len()).unwrap_or(u32::MAX));
        let words = words_of(&path);
        let created = Created { id, file: ProjectFile { path, language }, tree };
        Ok(Planned { created: Some(created), words, counts: (1, 0), ..Planned::default() })
    }

    /// Plans the deletion of a file.
    ///
    /// # Errors
    /// If something refers to it or to a definition in it.
    pub(crate) fn plan_deleted_file(
        &self,
        request: &DeleteFile,
        options: &RefactorOptions,
    ) -> Result<Planned, EngineError> {
        let path = self.path_from_root(&request.symbol)?;
        let Some(file) = self.project.at(&path) else {
            let message = format!("`{path}` is not a file of the project");
            return Err(EngineError::bad_request(message));
        };
        let tree = self.resolve(|resolver| resolver.tree(file).cloned());
        let Some(tree) = tree.filter(|_| !self.is_deleted(file)) else {
            return Err(EngineError::bad_request(format!("`{path}` is deleted already")));
        };
        let mut things = vec![Thing::Module(file)];
        let tops = self.resolve(|resolver| resolver.top_definitions(file));
        things.extend(tops.iter().map(|top| Thing::Symbol(top.site)));
        let (mut risks, mut left): (Vec<PlaceRow>, Vec<PlaceRow>) = (Vec::new(), self.unread());
        for reference in self.references(&things)? {
            let row = |why: &str| self.place_row(reference.file, reference.start, why.to_owned());
            match reference.row.confidence {
                _ if reference.file == file => {}
                Confidence::Certain => risks.push(row("it refers to this file")),
                Confidence::Candidate => left.push(row("it may refer to this file")),
                Confidence::Undetermined | Confidence::Elsewhere => {}
            }
        }
        self.loads_of(file, &mut risks, &mut left)?;
        // `patch("package.module.name")`
        let words = words_of(&path);
        if let [stem, folder] = &words[..] {
            for (of, StringUse { span, kind, .. }) in self.strings(stem)? {
                let names_it =
                    matches!(&kind, StringKind::Path(before) if before.rsplit(['.', ':', '/']).next() == Some(folder));
                if names_it && of != file {
                    left.push(self.place_row(of, span.start(), "a path in a string".to_owned()));
                }
            }
        }
        if let Some(first) = risks.first().filter(|_| !options.force) {
            let count =
                if risks.len() == 1 { "1 place refers".to_owned() } else { format!("{} places refer", risks.len()) };
            let message =
                format!("cannot delete `{path}`: {count} to it, e.g. {}:{}:{}", first.path, first.line, first.col);
            let mut error =
                EngineError::new(ErrorCode::WouldRebind, message).hint("use {force_refactor} to proceed anyway");
            error.details.places = risks;
            return Err(error);
        }
        self.refuse_uncertain(options, &format!("cannot delete `{path}`"), Vec::new(), &left)?;
        let definitions = self.resolve(|resolver| resolver.describe(Thing::Module(file)).into_iter().collect());
        let notes = self.notes_of_move(&Relocation::new(path.clone(), path, false), &[]);
        let deleted = Some((file, tree));
        Ok(Planned { definitions, deleted, words, notes, counts: (1, 0), left, ..Planned::default() })
    }

    /// Adds the places where other files name a file without a name of it: `import "./a"`, `export * from "./a"`,
    /// `<script src="a.js">`, and the calls that may load it.
    fn loads_of(&self, file: FileId, risks: &mut Vec<PlaceRow>, left: &mut Vec<PlaceRow>) -> Result<(), EngineError> {
        let path = self.project.file(file).path.clone();
        let relocation = Relocation::new(path.clone(), path, false);
        let found = self.look("", None, |resolver, other| {
            if other == file {
                return Vec::new();
            }
            let uses = resolver.module_uses(other).into_iter();
            let uses = uses.filter(|one| one.target == Some(Thing::Module(file)));
            let uses = uses.filter(|one| one.kind != ModuleUseKind::Expression);
            let mut found: Vec<(FileId, usize, bool)> = uses
                .map(|one| {
                    let is_loaded = !matches!(one.kind, ModuleUseKind::String | ModuleUseKind::Value);
                    (other, one.span.start(), is_loaded)
                })
                .collect();
            let declared = resolver.module_declarations(other, file).into_iter();
            found.extend(declared.map(|span| (other, span.start(), true)));
            let mut computed = FileChanges::default();
            computed_loads(resolver, other, &relocation, &mut computed);
            found.extend(computed.doubts.iter().map(|doubt| (other, doubt.span.start(), false)));
            found
        })?;
        for (other, at, is_loaded) in found {
            let why = if is_loaded { "it refers to this file" } else { "it may refer to this file" };
            let row = self.place_row(other, at, why.to_owned());
            let is_there = |known: &PlaceRow| known.path == row.path && known.line == row.line;
            if !risks.iter().chain(left.iter()).any(is_there) {
                if is_loaded { risks.push(row) } else { left.push(row) }
            }
        }
        Ok(())
    }
}

/// The name of a file without its ending, and that of its folder.
fn words_of(path: &str) -> Vec<String> {
    let mut parts = path.rsplit('/');
    let stem = parts.next().and_then(|name| name.split('.').next());
    stem.into_iter().chain(parts.next()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
