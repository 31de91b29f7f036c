//! Files that have the name of a definition, and get its new name.

use crate::refactor::Relocation;
use crate::request::error::EngineError;
use crate::request::refactor::Rename;
use crate::risks::Risk;
use crate::symbols::{Site, Thing};
use crate::workspace::files::Workspace;
use heck::{ToKebabCase, ToSnakeCase};

impl Workspace<'_> {
    /// Where the file of a definition goes that has to have the name of the definition.
    ///
    /// # Errors
    /// If there is a file already.
    pub(crate) fn required_file(&self, site: Site, to: &str) -> Result<Option<Relocation>, EngineError> {
        let is_required =
            self.resolve(|resolver| resolver.risks(site, to).into_iter().any(|risk| matches!(risk, Risk::File)));
        if !is_required {
            return Ok(None);
        }
        let path = self.project.file(site.file).path.clone();
        let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
        let ending = name.split_once('.').map_or("", |(_, ending)| ending);
        let new = if folder.is_empty() { format!("{to}.{ending}") } else { format!("{folder}/{to}.{ending}") };
        self.free_path(&new)?;
        Ok(Some(Relocation::new(path, new, false)))
    }

    /// Where the file of a definition goes that is named after it: `server.py` with `Server`.
    ///
    /// # Errors
    /// If the file has another name, or there is a file already.
    pub(crate) fn file_named_after(&self, request: &Rename) -> Result<Relocation, EngineError> {
        let bad = EngineError::bad_request;
        let Thing::Symbol(site) = self.find(&request.symbol, false)?[0].thing else {
            return Err(bad(format!("`{}` is a module, not a symbol in one", request.symbol)));
        };
        let old = self.resolve(|resolver| resolver.name_of(site)).unwrap_or_default();
        let path = self.project.file(site.file).path.clone();
        let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let new_stem = match stem {
            stem if stem == old => request.to.clone(),
            stem if stem == old.to_snake_case() => request.to.to_snake_case(),
            stem if stem == old.to_kebab_case() => request.to.to_kebab_case(),
            _ => {
                let error = bad(format!("`{path}` is not named after `{old}`"));
                return Err(error.hint("rename the symbol alone, and move the file by itself"));
            }
        };
        let new =
            if folder.is_empty() { format!("{new_stem}.{ending}") } else { format!("{folder}/{new_stem}.{ending}") };
        self.free_path(&new)?;
        Ok(Relocation::new(path, new, false))
    }

    fn free_path(&self, path: &str) -> Result<(), EngineError> {
        if self.project.at(path).is_none() && self.engine.files().facts(&self.root().join(path)).is_err() {
            return Ok(());
        }
        let error = EngineError::bad_request(format!("`{path}` already exists"));
        Err(error.hint("choose another name"))
    }
}
