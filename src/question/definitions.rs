//! The definitions that a request names, and how answers show them.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::symbol_messages::SymbolRow;
use crate::symbols::{Definition, Query, Resolver, Thing, definitions_at, find_definitions, module_name};
use crate::workspace::files::Workspace;

/// How many symbols an error lists.
const CANDIDATES: usize = 10;
/// The longest line shown, in characters.
pub(crate) const LINE: usize = 200;

impl Workspace<'_> {
    /// The definitions that a text names; one, unless `all` are wanted.
    pub(crate) fn find(&self, text: &str, all: bool) -> Result<Vec<Definition>, EngineError> {
        if text.trim().is_empty() {
            let error = EngineError::bad_request("the name of a symbol is missing");
            return Err(error.hint("`handle`, `Server.handle`, `PATH::Server.handle`, or `PATH:LINE`"));
        }
        let query = Query::parse(text);
        let found = match &query {
            Query::Place { path, line, col } => {
                let file = self.file_named(path)?;
                self.resolve(|resolver| definitions_at(resolver, file, *line, *col))
            }
            Query::Name { path, name } => {
                let only = match path {
                    Some(path) => Some(FxHashSet::from_iter([self.file_named(path)?])),
                    None => None,
                };
                let word = query.word().unwrap_or_default();
                let mut found = self.look_for_definitions(word, only.as_ref(), |resolver, file| {
                    find_definitions(resolver, file, name)
                })?;
                // What documentation that is run defines is its own.
                found.retain(|definition| !self.is_in_documentation(definition));
                // Parts of a class in several files are one definition.
                let mut seen = FxHashSet::default();
                found.retain(|definition| seen.insert(definition.thing));
                if found.is_empty() && path.is_none() {
                    found = self.modules_named(name);
                }
                match path {
                    // The whole name in a file is not the end of another one.
                    Some(_) => {
                        match found.iter().filter(|definition| definition.qualname == *name).collect::<Vec<_>>()[..] {
                            [whole] if !all => vec![whole.clone()],
                            _ => found,
                        }
                    }
                    None => self.narrow(text, found)?,
                }
            }
        };
        match found.len() {
            0 => Err(self.nothing_named(text, &query)),
            1 => Ok(found),
            _ if all => Ok(found),
            count => Err(self.several_named(text, &found, count)),
        }
    }

    fn is_in_documentation(&self, definition: &Definition) -> bool {
        matches!(definition.thing, Thing::Symbol(site) if self.is_documentation(site.file))
    }

    /// Of definitions, those in the files that the request chooses. If there are none, a question is about the others; a refactor must
    /// not change what it was not pointed at.
    fn narrow(&self, text: &str, found: Vec<Definition>) -> Result<Vec<Definition>, EngineError> {
        let chosen = self.chosen(None)?.filter(|_| self.is_named());
        let Some(chosen) = chosen else { return Ok(found) };
        let is_chosen = |definition: &&Definition| match definition.thing {
            Thing::Symbol(site) => chosen.contains(&site.file),
            Thing::Module(file) => chosen.contains(&file),
            Thing::Folder(_) | Thing::Package(_) => false,
        };
        let inside: Vec<Definition> = found.iter().filter(is_chosen).cloned().collect();
        match found.first() {
            Some(outside) if inside.is_empty() && self.refactors() => {
                let message = format!("no definition `{text}` in the named files");
                let error = EngineError::new(ErrorCode::NoMatch, message);
                let row = self.symbol_rows(std::slice::from_ref(outside)).into_iter().next();
                Err(match row {
                    Some(row) => error.hint(format!("there is one at {}:{}:{}", row.path, row.line, row.col)),
                    None => error,
                })
            }
            _ if inside.is_empty() => Ok(found),
            _ => Ok(inside),
        }
    }

    /// The modules whose dotted name ends so.
    fn modules_named(&self, name: &str) -> Vec<Definition> {
        let fits = |module: &str| module == name || module.strip_suffix(name).is_some_and(|head| head.ends_with('.'));
        let ids = self.project.ids().filter(|&file| fits(&module_name(&self.project, file)));
        let found: Vec<FileId> = ids.collect();
        self.resolve(|resolver| found.into_iter().filter_map(|file| resolver.describe(Thing::Module(file))).collect())
    }

    fn nothing_named(&self, text: &str, query: &Query) -> EngineError {
        let error = EngineError::new(ErrorCode::NoMatch, format!("no definition `{text}` in the project"));
        match query {
            Query::Place { .. } => error.hint("no known definition at this position"),
            Query::Name { .. } if self.in_file(text).is_some() => {
                let (path, name) = self.in_file(text).unwrap_or_default();
                error.hint(format!("a definition of a file is named with `::`: `{path}::{name}`"))
            }
            Query::Name { name, .. } if name.contains('.') => {
                let last = name.rsplit('.').next().unwrap_or(name);
                error.hint(format!("`symbols` lists the definitions named like `{last}`"))
            }
            Query::Name { name, .. } => error.hint(format!("`symbols` lists the definitions named like `{name}`")),
        }
    }

    /// The file and the name of `app.py:handle`.
    fn in_file<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        text.split_once(':').filter(|(path, name)| !name.starts_with(':') && self.file_at(path).is_some())
    }

    fn several_named(&self, text: &str, found: &[Definition], count: usize) -> EngineError {
        let rows = self.symbol_rows(&found[..found.len().min(CANDIDATES)]);
        let mut message = format!("`{text}` fits {count} definitions:");
        for row in &rows {
            message.push_str(&format!("\n  {}::{}  {} in line {}", row.path, row.qualname, row.kind, row.line));
        }
        if count > rows.len() {
            message.push_str(&format!("\n  and {} more", count - rows.len()));
        }
        EngineError::new(ErrorCode::Ambiguous, message).hint("name one of them, or ask for all")
    }

    /// Definitions as answers show them.
    pub(crate) fn symbol_rows(&self, found: &[Definition]) -> Vec<SymbolRow> {
        self.resolve(|resolver| found.iter().filter_map(|definition| self.symbol_row(resolver, definition)).collect())
    }

    pub(crate) fn symbol_row(&self, resolver: &Resolver<'_>, definition: &Definition) -> Option<SymbolRow> {
        let (file, line, col) = match definition.thing {
            Thing::Symbol(site) => {
                let start = resolver.tree(site.file)?.start(site.name);
                (site.file, start.line, start.col())
            }
            Thing::Module(file) => (file, 1, 1),
            Thing::Folder(_) | Thing::Package(_) => return None,
        };
        let (qualname, kind) = (definition.qualname.clone(), definition.kind.to_owned());
        Some(SymbolRow { qualname, kind, path: self.shown(file), line, col })
    }

    /// A place of a file with a question about it.
    pub(crate) fn place_row(&self, file: FileId, start: usize, why: String) -> PlaceRow {
        let (line, col, text) = self.resolve(|resolver| {
            let Some(tree) = resolver.tree(file) else { return (0, 0, String::new()) };
            let position = tree.text().position(start.min(tree.text().len()));
            let line = tree.text().slice(tree.text().line_span(position.line));
            (position.line, position.col(), line.trim().chars().take(LINE).collect())
        });
        let why = if self.is_documentation(file) { in_documentation(&why) } else { why };
        PlaceRow { path: self.shown(file), line, col, why, text }
    }
}

/// Why a place in documentation is uncertain.
pub(crate) fn in_documentation(why: &str) -> String {
    format!("{why}, in documentation that is run as code")
}
