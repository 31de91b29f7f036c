//! What changes when a module becomes a package of several files.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::edit::may_be_named;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::move_symbols::finish::Destination;
use crate::refactor::plan::{Done, Plan};
use crate::refactor::{FileStyle, Unit, partition};
use crate::request::error::{EngineError, ErrorCode};
use crate::request::refactor::{RefactorOptions, SplitFile};
use crate::symbols::{NeedSource, Resolver, Site, TopDefinition};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// The name of the file for what several parts use.
const COMMON: &str = "common";

/// A file of the package: its name without the ending, and its definitions.
struct Part {
    stem: String,
    names: Vec<String>,
}

impl Plan for SplitFile {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        workspace.split_file(self, options, done)
    }
}

impl Workspace<'_> {
    /// Makes a package of a module, step by step.
    ///
    /// # Errors
    /// If a definition cannot move, or references are uncertain.
    pub(crate) fn split_file(
        &mut self,
        request: &SplitFile,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let bad = EngineError::bad_request;
        let path = request.symbol.as_str();
        let file = self.file_named(path)?;
        let language = self.project.file(file).language;
        let rules = &language.spec().symbols;
        if !matches!(rules.modules, Some(ModuleScheme::Dotted | ModuleScheme::Relative)) {
            let message = format!("splitting files is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let (definitions, units) = self.resolve(|resolver| units_of(resolver, file));
        let parts = match request.parts.as_slice() {
            [] => self.parts_by_class(file, &definitions, &units),
            parts => named_parts(parts, &definitions)?,
        };
        if parts.len() < 2 && request.parts.is_empty() {
            let error = bad(format!("`{path}` cannot be split without an import cycle"));
            return Err(error.hint("{part} names a part and its definitions"));
        }
        let spans: Vec<Span> = self.resolve(|resolver| {
            let tree = resolver.tree(file);
            let moved = definitions.iter().filter(|one| parts.iter().any(|part| part.names.contains(&one.name)));
            moved.flat_map(|one| one.units.iter().flatten()).filter_map(|&unit| Some(tree?.span(unit))).collect()
        });
        let left = self.computed_definitions(file, &spans);
        let risks = self.program_of(file).into_iter().collect();
        self.refuse_uncertain(options, &format!("cannot split `{path}`"), risks, &left)?;
        let own = self.project.file(file).path.clone();
        let (folder, name) = own.rsplit_once('/').unwrap_or(("", &own));
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_package = rules.module_files.packages.iter().any(|known| known == stem);
        let folder = match (is_package, folder) {
            (true, folder) => folder.to_owned(),
            (false, "") => stem.to_owned(),
            (false, folder) => format!("{folder}/{stem}"),
        };
        if !is_package {
            let package = rules.module_files.packages.first().map_or("", String::as_str);
            let to = self.root().join(format!("{folder}/{package}.{ending}"));
            let relocation = self.relocation(&request.symbol, &to.to_string_lossy())?;
            let planned = self.plan_relocation(options, relocation)?;
            done.add(self.apply_checked(planned)?);
        }
        for part in parts {
            let sites = self.resolve(|resolver| {
                let known = resolver.top_definitions(file);
                let of = |name: &String| known.iter().find(|known| known.name == *name).map(|known| known.site);
                part.names.iter().map(of).collect::<Option<Vec<Site>>>()
            });
            let Some(sites) = sites else { return Err(bad(format!("a definition of `{path}` was lost"))) };
            let to = match folder.as_str() {
                "" => format!("{}.{ending}", part.stem),
                folder => format!("{folder}/{}.{ending}", part.stem),
            };
            let what = Destination { sites: &sites, to: &to, keeps_names: true, redirects: false };
            let planned = self.plan_transfer(options, &what)?;
            done.add(self.apply_checked(planned)?);
        }
        Ok(())
    }

    /// A part for each class.
    fn parts_by_class(&self, file: FileId, definitions: &[TopDefinition], units: &[Unit]) -> Vec<Part> {
        let language = self.project.file(file).language;
        let style = match language.spec().symbols.modules {
            Some(ModuleScheme::Dotted) => FileStyle::Snake,
            _ => {
                let same = self.project.files().iter().filter(|other| other.language == language);
                let stem = |path: &'_ str| -> String {
                    let name = path.rsplit('/').next().unwrap_or(path);
                    name.split('.').next().unwrap_or(name).to_owned()
                };
                let stems: Vec<String> = same.map(|other| stem(&other.path)).collect();
                FileStyle::of(stems.iter().map(String::as_str)).unwrap_or(FileStyle::Kebab)
            }
        };
        // A submodule with the name of a definition would hide it.
        let names: FxHashSet<&str> = definitions.iter().map(|definition| definition.name.as_str()).collect();
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let first = definitions.first().map(|definition| definition.site.name);
        let tree = self.resolve(|resolver| resolver.tree(file).cloned());
        let limits = limits(&self.reading);
        // `for` is not the name of a module where code names it.
        let is_name = |stem: &str| match (&tree, first) {
            (Some(tree), Some(first)) if style == FileStyle::Snake => may_be_named(tree, first, stem, &limits),
            _ => true,
        };
        let mut free = |stem: String| {
            let mut stem = stem;
            while names.contains(stem.as_str()) || !is_name(&stem) || !taken.insert(stem.clone()) {
                stem.insert(0, '_');
            }
            stem
        };
        partition(units)
            .into_iter()
            .map(|part| Part {
                stem: free(part.head.map_or_else(|| COMMON.to_owned(), |head| style.name(&definitions[head].name))),
                names: part.units.iter().map(|&unit| definitions[unit].name.clone()).collect(),
            })
            .collect()
    }
}

/// The definitions at the top of a file, and what each needs of the others.
fn units_of(resolver: &Resolver<'_>, file: FileId) -> (Vec<TopDefinition>, Vec<Unit>) {
    let definitions = resolver.top_definitions(file);
    let numbers: FxHashMap<&str, usize> =
        definitions.iter().enumerate().map(|(number, definition)| (definition.name.as_str(), number)).collect();
    let unit = |(number, definition): (usize, &TopDefinition)| {
        let mut stays = definition.units.is_none() || resolver.is_default_export(definition.site);
        let spans = definition.units.iter().flatten().filter_map(|&unit| Some(resolver.tree(file)?.span(unit)));
        let spans: Vec<_> = spans.collect();
        let mut needs = Vec::new();
        for need in resolver.needs(file, &spans) {
            let known = numbers.get(need.name.as_str()).copied().filter(|&need| need != number);
            match need.source {
                NeedSource::Own(_) if need.is_erased => {}
                NeedSource::Own(_) => needs.extend(known),
                // What a block defines or imports cannot go with it.
                NeedSource::Conditional(_) | NeedSource::Unknown | NeedSource::Everything(_) => stays = true,
                NeedSource::Import(import) => stays |= !import.is_at_top && import.type_block.is_none(),
            }
        }
        Unit { name: definition.name.clone(), is_class: definition.is_class, stays, needs }
    };
    let units = definitions.iter().enumerate().map(unit).collect();
    (definitions, units)
}

/// The parts that a request names.
///
/// # Errors
/// If a part is not written `FILE=NAME,NAME`, or the module has no such definition.
fn named_parts(parts: &[String], definitions: &[TopDefinition]) -> Result<Vec<Part>, EngineError> {
    let bad = EngineError::bad_request;
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut found = Vec::new();
    for part in parts {
        let (stem, names) = part.split_once('=').unwrap_or((part, ""));
        let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let is_name = !stem.is_empty() && !stem.contains(['/', '\\', '.']);
        if names.is_empty() || !is_name {
            return Err(
                bad(format!("`{part}` is not a part")).hint("write FILE=NAME,NAME, the file without its ending")
            );
        }
        for &name in &names {
            if !definitions.iter().any(|definition| definition.name == name) {
                let known: Vec<&str> = definitions.iter().map(|definition| definition.name.as_str()).collect();
                let hint = format!("it defines {}", known.join(", "));
                return Err(bad(format!("the module has no definition `{name}`")).hint(hint));
            }
            if !seen.insert(name) {
                return Err(bad(format!("`{name}` is in two parts")));
            }
        }
        found.push(Part { stem: stem.to_owned(), names: names.into_iter().map(str::to_owned).collect() });
    }
    Ok(found)
}
