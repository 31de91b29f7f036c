//! Rules of other tools as TOML.

use std::path::{Path, PathBuf};

use super::loaded::LoadedRules;
use super::read_rules::{foreign_error, is_yaml};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::language::Language;
use crate::reader::languages::unknown_language;
use crate::reader::target::Source;
use crate::request::error::EngineError;
use crate::request::report::Skipped;
use crate::request::{ConvertRulesRequest, ConvertRulesResponse, ConvertedRow, LostRow, RuleProblem};
use crate::rule::ast_grep::{ConvertedRule, LostPart, is_ast_grep, read_ast_grep};
use crate::rule::read_rules;
use crate::selector::Definitions;

impl Method for ConvertRulesRequest {
    const NAME: &'static str = "convert_rules";
    const READS: bool = true;
    type Result = ConvertRulesResponse;

    /// Makes TOML of rules in the form of another tool. What a selector cannot say is named, rule by rule.
    ///
    /// # Errors
    /// When the file cannot be read, or is in no form that is known.
    fn run(&self, engine: &Begun<'_>) -> Result<ConvertRulesResponse, EngineError> {
        let path = match engine.source_at(Path::new(&self.path))? {
            Source::File(path) => path,
            _ => return Err(EngineError::bad_request(format!("`{}` is a folder, not a file", self.path))),
        };
        let source = engine.read_text(&path)?;
        if is_yaml(&path) && is_ast_grep(&source) {
            return engine.convert_ast_grep(&path, &source);
        }
        if path.extension().is_some_and(|extension| extension == "scm") {
            return engine.convert_query(&path, &source, self.language.as_deref());
        }
        let error = EngineError::bad_request(format!("`{}` has no rules of another tool", self.path)).path(&self.path);
        Err(error.hint("what can be converted are rules of ast-grep (`.yml`) and queries of tree-sitter (`.scm`)"))
    }

    fn name_skips(_: &mut ConvertRulesResponse) -> &mut [Skipped] {
        &mut []
    }
}

impl Begun<'_> {
    fn convert_ast_grep(&self, path: &Path, source: &str) -> Result<ConvertRulesResponse, EngineError> {
        let shown = self.shown(path);
        let mut loaded = LoadedRules::default();
        if let Some(project) = self.project_around(path) {
            self.load_foreign_utilities(&project, &mut loaded)?;
        }
        let read = read_ast_grep(source, self.languages_known(), &loaded.utilities);
        let read = read.map_err(|error| foreign_error(&error, &shown))?;
        let mut response = ConvertRulesResponse { problems: loaded.problems, ..ConvertRulesResponse::default() };
        for error in &read.errors {
            response.problems.push(RuleProblem { rule: shown.clone(), error: foreign_error(error, &shown) });
        }
        for rule in &read.rules {
            self.add_rule(rule.convert(), rule.language, &mut response)?;
        }
        Ok(response)
    }

    /// The configuration of ast-grep in the folder of a file, or in one around it within the working directory.
    fn project_around(&self, path: &Path) -> Option<PathBuf> {
        let top = &self.host.working_directory;
        path.ancestors()
            .skip(1)
            .take_while(|folder| folder.starts_with(top))
            .find_map(|folder| self.foreign_project(folder))
    }

    /// A query as a rule that has it as it is.
    fn convert_query(
        &self,
        path: &Path,
        source: &str,
        language: Option<&str>,
    ) -> Result<ConvertRulesResponse, EngineError> {
        let Some(language) = language else {
            let error = EngineError::bad_request("a query of tree-sitter does not say which language it is for");
            return Err(error.path(self.shown(path)).hint("name the {language}"));
        };
        let known = self.languages_known();
        let language = known.named(language).map_err(|error| unknown_language(&error, known))?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().replace(['.', ' '], "-");
        let toml = format!(
            "[[rule]]\nid = \"{id}\"\nlanguages = [\"{}\"]\nmessage = \"the query `{id}` matches\"\nquery = '''\n{}\n'''\n",
            language.name(),
            source.trim_end()
        );
        let mut response = ConvertRulesResponse::default();
        self.add_rule(ConvertedRule { id, toml, lost: Vec::new() }, language, &mut response)?;
        Ok(response)
    }

    /// Adds a rule, and what is wrong with it as TOML.
    fn add_rule(
        &self,
        converted: ConvertedRule,
        language: &'static Language,
        response: &mut ConvertRulesResponse,
    ) -> Result<(), EngineError> {
        let ConvertedRule { id, toml, mut lost } = converted;
        let refused = match read_rules(&toml, self.languages_known()) {
            Ok(read) => {
                let wrong = read.errors.first().map(ToString::to_string);
                let own = Definitions::default();
                wrong.or_else(|| {
                    read.rules.first().and_then(|rule| rule.plan(language, &own).err()).map(|error| error.to_string())
                })
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(refused) = refused {
            let what = format!("all of it, since what it became is refused: {refused}");
            lost.push(LostPart { what, line: None });
        }
        if !response.toml.is_empty() {
            response.toml.push('\n');
        }
        response.toml.push_str(&toml);
        let lost = lost.into_iter().map(|lost| LostRow { what: lost.what, line: lost.line }).collect();
        response.rules.push(ConvertedRow { rule: id, lost });
        Ok(())
    }
}
