//! `languages`: the languages known.

use crate::limits;
use std::collections::BTreeMap;
use std::path::Path;

use crate::language::{Detector, Language, LanguageError, Languages, UserFolder, taxonomy};
use crate::locks::IgnorePoison;
use crate::outline;
use crate::project::Walk;
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::hint::language_hint;
use crate::request::requests::LanguagesRequest;
use crate::request::responses::{LanguageRow, LanguagesResponse};
use crate::selector::{Definitions, Query, Selector};

/// Lists the languages known.
///
/// # Errors
/// When a save that a process left behind can't be finished.
pub(crate) fn languages(request: &LanguagesRequest, reader: &Reader) -> Result<LanguagesResponse, EngineError> {
    let row = |name: &'static str| {
        let language = match reader.languages_known().named(name) {
            Ok(language) => language,
            Err(error) => return LanguageRow { error: Some(error.to_string()), ..unusable(name) },
        };
        let spec = language.spec();
        let kinds = taxonomy().kinds().iter().filter(|kind| !spec.kind(&kind.name).is_empty());
        LanguageRow {
            name: language.name().to_owned(),
            aliases: language.aliases().to_vec(),
            extensions: language.extensions().to_vec(),
            file_names: language.file_names().to_vec(),
            kinds: kinds.map(|kind| kind.name.clone()).collect(),
            selectors: if request.selectors { named_selectors(language) } else { Vec::new() },
            error: reader.flaw_of(language),
        }
    };
    let languages = match &request.language {
        Some(name) => {
            let language = reader
                .languages_known()
                .named(name)
                .map_err(|error| unknown_language(&error, reader.languages_known()))?;
            vec![row(language.name())]
        }
        None => reader.languages_known().names().into_iter().map(row).collect(),
    };
    Ok(LanguagesResponse { languages })
}

impl Reader {
    /// Adds the languages of the user's own folder, `languages/` in that of the configuration. Files that cannot be
    /// read are noted, and the others are used.
    pub(crate) fn add_user_languages(&self) {
        let Some(folder) = self.host.configuration.as_ref().map(|folder| folder.join("languages")) else {
            return;
        };
        if self.own_files().facts(&folder).is_err() {
            return;
        }
        let note = |message: String| self.host.observer.note(&message);
        let walk = Walk { hidden: true, no_ignore: true, links: true, ..Walk::default() };
        let listing = match self.own_files().list(&folder, &walk) {
            Ok(listing) => listing,
            Err(error) => return note(format!("`{}` cannot be read: {error}", self.shown(&folder))),
        };
        let mut folders: BTreeMap<&str, UserFolder> = BTreeMap::new();
        for path in &listing.files {
            let of_language = path.parent().filter(|parent| parent.parent() == Some(&folder));
            let Some(name) = of_language.and_then(Path::file_name).and_then(|name| name.to_str()) else { continue };
            let user =
                folders.entry(name).or_insert_with(|| UserFolder { name: name.to_owned(), ..UserFolder::default() });
            if let Err(error) = self.add_file(user, path) {
                note(format!("`{}` cannot be read: {error}", self.shown(path)));
            }
        }
        let (languages, errors) = Languages::with(folders.into_values().collect());
        errors.into_iter().for_each(|error| note(error.to_string()));
        _ = self.languages.set(languages);
    }

    /// The languages that requests know: the built-in ones and the user's.
    pub fn languages_known(&self) -> &Languages {
        self.languages.get().unwrap_or_else(|| Languages::built_in())
    }

    /// What recognises files of these languages.
    pub(crate) fn detector(&self) -> Detector {
        Detector::new(self.languages_known())
    }

    /// Takes one file of a language's folder.
    fn add_file(&self, user: &mut UserFolder, path: &Path) -> std::io::Result<()> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let text = || {
            let bytes = self.own_files().read(path, limits::LANGUAGE_BYTES)?;
            String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not UTF-8"))
        };
        match (name, extension) {
            ("language.toml", _) => user.data = Some(text()?),
            ("outline.toml", _) => user.outline = Some(text()?),
            ("node-types.json", _) => user.node_types = Some(text()?),
            (_, "sel") => user.named.push((name.to_owned(), text()?)),
            (_, "so" | "dylib" | "dll") => user.library = Some(path.to_owned()),
            _ => {}
        }
        Ok(())
    }
}

impl Reader {
    /// What is wrong with a language's selectors, looked for once.
    fn flaw_of(&self, language: &'static Language) -> Option<String> {
        let mut known = self.flaws.lock().ignore_poison();
        if let Some((_, flaw)) = known.iter().find(|(other, _)| std::ptr::eq(*other, language)) {
            return flaw.clone();
        }
        let flaw = flaw(language);
        known.push((language, flaw.clone()));
        flaw
    }
}

/// The named selectors of a language, as they are defined.
fn named_selectors(language: &'static Language) -> Vec<String> {
    Definitions::of(language).map_or_else(|_| Vec::new(), |known| known.lines().map(str::to_owned).collect())
}

/// What is wrong with a language's selectors.
fn flaw(language: &'static Language) -> Option<String> {
    let resolve =
        |selector: &str| Query::new(&Selector::parse(selector)?, language, &Definitions::default()).map(|_| ());
    let named = resolve("*").and_then(|()| Definitions::of(language));
    let named = named.and_then(|named| named.names().try_for_each(|name| resolve(&format!(":{name}"))));
    named.err().map(|error| error.to_string()).or_else(|| outline::check(language).err().map(|error| error.to_string()))
}

/// A language of which no more than its name is known.
fn unusable(name: &str) -> LanguageRow {
    LanguageRow {
        name: name.to_owned(),
        aliases: Vec::new(),
        extensions: Vec::new(),
        file_names: Vec::new(),
        kinds: Vec::new(),
        selectors: Vec::new(),
        error: None,
    }
}

/// A language's error as the engine's.
pub(crate) fn unknown_language(error: &LanguageError, known: &Languages) -> EngineError {
    EngineError::new(ErrorCode::from(error), error.to_string()).hint(language_hint(error, known))
}
