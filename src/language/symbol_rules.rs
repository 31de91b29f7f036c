//! The rules of a language's `[symbols]`, with their words looked up in the grammar.

use std::collections::BTreeMap;

use super::by_type::ByType;
use super::imports::Imports;
use super::lazy_regex::LazyRegex;
use super::name_data::{ModuleScheme, SymbolRule};
use super::notation::{Notation, in_key};
use super::path::Path;
use super::place::NodePattern;
use super::type_set::TypeSet;
use super::values::Values;

/// `[symbols]` with its words looked up. Each field is described at `SymbolRule`.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct SymbolRules {
    pub modules: Option<ModuleScheme>,
    pub package_files: Vec<String>,
    pub source_folders: Vec<String>,
    pub constructs: bool,
    pub annotations: ByType<Vec<Path>>,
    pub values: ByType<Vec<Path>>,
    pub same: ByType<Vec<Path>>,
    pub casts: ByType<Vec<Path>>,
    pub creations: ByType<Vec<Path>>,
    pub objects: ByType<Vec<Path>>,
    pub entered: ByType<Vec<Path>>,
    pub enters: Vec<String>,
    pub caught: ByType<Vec<Path>>,
    pub type_heads: ByType<Vec<Path>>,
    pub type_arguments: ByType<Vec<Path>>,
    pub quoted_types: TypeSet,
    pub literals: TypeSet,
    pub containers: TypeSet,
    pub wrapper_types: Vec<String>,
    pub class_types: Vec<String>,
    pub own_types: Vec<String>,
    pub no_types: Vec<String>,
    pub any_types: Vec<String>,
    pub plain_calls: Vec<String>,
    pub super_calls: Vec<String>,
    pub super_types: TypeSet,
    pub class_calls: Vec<String>,
    pub class_attributes: Vec<String>,
    pub properties: Vec<String>,
    pub class_methods: Vec<String>,
    pub plain_decorators: Vec<String>,
    pub open_members: Vec<String>,
    pub results: ByType<Vec<Path>>,
    pub generators: TypeSet,
    pub whole_modules: Vec<String>,
    pub exports: Imports,
    pub default_exports: Vec<(NodePattern, Vec<Path>)>,
    pub default_name: Option<String>,
    pub public_list: Option<String>,
    pub private_prefix: Option<String>,
    pub builtins: Vec<String>,
    pub entries: Vec<(String, LazyRegex)>,
    pub dynamic_calls: Vec<String>,
    pub dynamic_accesses: TypeSet,
}

impl SymbolRules {
    /// # Errors
    /// Says which word the grammar does not have.
    pub(super) fn new(rule: &SymbolRule, notation: Notation<'_>) -> Result<SymbolRules, String> {
        let paths = |key: &str, rules: &BTreeMap<String, Values>| notation.paths(&format!("symbols.{key}"), rules);
        let types = |key: &str, names: &[String]| notation.types(&format!("symbols.{key}"), names);
        let mut builtins = rule.builtins.clone();
        builtins.sort_unstable();
        let in_default = in_key("symbols.default_exports");
        let default_exports: Result<Vec<_>, String> = rule
            .default_exports
            .iter()
            .map(|(pattern, paths)| {
                let pattern = notation.pattern(pattern).map_err(&in_default)?;
                Ok((pattern, notation.each(paths).map_err(&in_default)?))
            })
            .collect();
        let entries =
            rule.entries.iter().map(|(what, names)| Ok((what.clone(), notation.regex("symbols.entries", names)?)));
        Ok(SymbolRules {
            dynamic_calls: rule.dynamic_calls.clone(),
            dynamic_accesses: types("dynamic_accesses", &rule.dynamic_accesses)?,
            entries: entries.collect::<Result<_, String>>()?,
            modules: rule.modules,
            package_files: rule.package_files.clone(),
            source_folders: rule.source_folders.clone(),
            constructs: rule.constructs,
            annotations: paths("annotations", &rule.annotations)?,
            values: paths("values", &rule.values)?,
            same: paths("same", &rule.same)?,
            casts: paths("casts", &rule.casts)?,
            creations: paths("creations", &rule.creations)?,
            objects: paths("objects", &rule.objects)?,
            entered: paths("entered", &rule.entered)?,
            enters: rule.enters.clone(),
            caught: paths("caught", &rule.caught)?,
            type_heads: paths("type_heads", &rule.type_heads)?,
            type_arguments: paths("type_arguments", &rule.type_arguments)?,
            quoted_types: types("quoted_types", &rule.quoted_types)?,
            literals: types("literals", &rule.literals)?,
            containers: types("containers", &rule.containers)?,
            any_types: rule.any_types.clone(),
            plain_calls: rule.plain_calls.clone(),
            wrapper_types: rule.wrapper_types.clone(),
            class_types: rule.class_types.clone(),
            own_types: rule.own_types.clone(),
            no_types: rule.no_types.clone(),
            super_calls: rule.super_calls.clone(),
            super_types: types("super_types", &rule.super_types)?,
            class_calls: rule.class_calls.clone(),
            class_attributes: rule.class_attributes.clone(),
            properties: rule.properties.clone(),
            class_methods: rule.class_methods.clone(),
            plain_decorators: rule.plain_decorators.clone(),
            open_members: rule.open_members.clone(),
            results: paths("results", &rule.results)?,
            generators: types("generators", &rule.generators)?,
            whole_modules: rule.whole_modules.clone(),
            exports: Imports::new(&rule.exports, "symbols.exports", notation)?,
            default_exports: default_exports?,
            default_name: rule.default_name.clone(),
            public_list: rule.public_list.clone(),
            private_prefix: rule.private_prefix.clone(),
            builtins,
        })
    }

    /// Whether the language defines a name without an import.
    pub fn is_builtin(&self, name: &str) -> bool {
        self.builtins.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
    }
}
