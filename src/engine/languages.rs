//! `languages`: the languages known.

use super::{Engine, LanguageRow, LanguagesRequest, LanguagesResponse};
use crate::language::{Language, taxonomy};

impl Engine {
    /// Lists the languages known.
    pub fn languages(&self, _request: &LanguagesRequest) -> LanguagesResponse {
        let row = |language: &'static Language| {
            let data = language.data();
            let kinds = taxonomy().kinds().iter().filter(|kind| data.kinds.contains_key(&kind.name));
            LanguageRow {
                name: data.name.clone(),
                aliases: data.aliases.clone(),
                extensions: data.extensions.clone(),
                file_names: data.file_names.clone(),
                kinds: kinds.map(|kind| kind.name.clone()).collect(),
            }
        };
        LanguagesResponse { languages: Language::all().into_iter().map(row).collect() }
    }
}
