//! The rules of a language's `[symbols]`, with their words looked up in the grammar.

use std::collections::BTreeMap;

use super::by_type::ByType;
use super::imports::Imports;
use super::lazy_regex::LazyRegex;
use super::name_data::{ModuleScheme, ReferenceRule, SymbolRule};
use super::notation::{Notation, in_key};
use super::path::Path;
use super::place::{NodePattern, Places};
use super::references::ReferenceRules;
use super::type_set::TypeSet;
use super::values::Values;

/// `[symbols]` with its words looked up. Each field is described at `SymbolRule`.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct SymbolRules {
    pub modules: Option<ModuleScheme>,
    pub package_files: Vec<String>,
    pub module_extensions: Vec<String>,
    pub source_folders: Vec<String>,
    pub test_folders: Vec<String>,
    pub manifests: Vec<String>,
    pub manifest_name: LazyRegex,
    pub manifest_folders: LazyRegex,
    pub private_files: Vec<String>,
    pub packages: ByType<Vec<Path>>,
    pub packages_nest: bool,
    pub outer_packages: bool,
    pub global_fallback: bool,
    pub package_lines: Option<LazyRegex>,
    pub type_blocks: Option<LazyRegex>,
    pub part_words: Vec<String>,
    pub arities: ByType<Vec<Path>>,
    pub extensions: Vec<(NodePattern, Vec<Path>)>,
    pub file_names: Places,
    pub shared_imports: TypeSet,
    pub shared_words: Vec<String>,
    pub neighbours: Vec<String>,
    pub bare_members: TypeSet,
    pub bare_objects: ByType<Vec<Path>>,
    pub shared_names: bool,
    pub static_words: Vec<String>,
    pub implicit_names: Vec<String>,
    pub open_scopes: TypeSet,
    pub closed_calls: Vec<String>,
    pub self_words: Vec<String>,
    pub super_words: Vec<String>,
    pub references: Option<ReferenceRules>,
    pub classes: TypeSet,
    pub attached: ByType<Vec<Path>>,
    pub embedded: Vec<(NodePattern, Vec<Path>)>,
    pub underlying: ByType<Vec<Path>>,
    pub elements: ByType<Vec<Path>>,
    pub element_keys: ByType<Vec<Path>>,
    pub indexed: ByType<Vec<Path>>,
    pub ranges: ByType<Vec<Path>>,
    pub range_keys: bool,
    pub function_types: ByType<Vec<Path>>,
    pub tuples: ByType<Vec<Path>>,
    pub include_lines: Option<LazyRegex>,
    pub declarators: TypeSet,
    pub function_declarators: TypeSet,
    pub elements_are_alike: bool,
    pub array_declarators: TypeSet,
    pub implicit_members: bool,
    pub inferred_types: Vec<String>,
    pub written_paths: TypeSet,
    pub value_lists: TypeSet,
    pub crate_files: Vec<String>,
    pub manifest_root: LazyRegex,
    pub module_path: LazyRegex,
    pub module_types: TypeSet,
    pub root_words: Vec<String>,
    pub own_words: Vec<String>,
    pub parent_words: Vec<String>,
    pub module_places: Places,
    pub attached_bases: ByType<Vec<Path>>,
    pub variants: TypeSet,
    pub trait_members: TypeSet,
    pub same_methods: Vec<String>,
    pub element_methods: Vec<String>,
    pub first_element_types: Vec<String>,
    pub loose: TypeSet,
    pub opaque: TypeSet,
    pub typed_calls: Vec<String>,
    pub same_calls: Vec<String>,
    pub narrowed: ByType<Vec<Path>>,
    pub narrowing: Places,
    pub field_keys: Places,
    pub made_bodies: TypeSet,
    pub imports_are_complete: bool,
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
    pub named_parameters: Vec<String>,
    pub public_is_exported: bool,
    pub require_calls: Vec<String>,
    pub module_calls: Vec<String>,
    pub import_forms: BTreeMap<String, String>,
    pub export_objects: Vec<String>,
    pub export_wholes: Vec<String>,
    pub dynamic_calls: Vec<String>,
    pub dynamic_accesses: TypeSet,
    pub named_access: Vec<String>,
    pub outside: TypeSet,
    pub member_lists: Vec<String>,
    pub structural_types: bool,
    pub class_files: bool,
    pub known_bases: BTreeMap<String, Vec<String>>,
}

impl SymbolRules {
    /// # Errors
    /// Says which word the grammar does not have.
    pub(super) fn new(
        rule: &SymbolRule,
        references: &ReferenceRule,
        notation: Notation<'_>,
    ) -> Result<SymbolRules, String> {
        if rule.modules == Some(ModuleScheme::Unsupported) {
            let entries =
                rule.entries.iter().map(|(what, names)| Ok((what.clone(), notation.regex("symbols.entries", names)?)));
            return Ok(SymbolRules { entries: entries.collect::<Result<_, String>>()?, ..SymbolRules::default() });
        }
        let paths = |key: &str, rules: &BTreeMap<String, Values>| notation.paths(&format!("symbols.{key}"), rules);
        let types = |key: &str, names: &[String]| notation.types(&format!("symbols.{key}"), names);
        let mut builtins = rule.builtins.clone();
        builtins.sort_unstable();
        let entries =
            rule.entries.iter().map(|(what, names)| Ok((what.clone(), notation.regex("symbols.entries", names)?)));
        let patterns = |key: &str, rules: &BTreeMap<String, Values>| -> Result<Vec<_>, String> {
            let key = format!("symbols.{key}");
            let named = in_key(&key);
            let read = |(pattern, paths): (&String, &Values)| {
                let pattern = notation.pattern(pattern).map_err(&named)?;
                Ok((pattern, notation.each(paths).map_err(&named)?))
            };
            rules.iter().map(read).collect()
        };
        let places = |key: &str, texts: &[String]| -> Result<Places, String> {
            let read = texts.iter().map(|text| notation.place(text).map_err(in_key(&format!("symbols.{key}"))));
            Ok(Places::new(read.collect::<Result<_, _>>()?))
        };
        let includes = Some(&rule.include_lines).filter(|regex| !regex.is_empty());
        let includes = includes.map(|regex| notation.regex("symbols.include_lines", regex)).transpose();
        let type_blocks = rule.type_blocks.as_ref().map(|regex| notation.regex("symbols.type_blocks", regex));
        let package_lines = Some(&rule.package_lines).filter(|regex| !regex.is_empty());
        let package_lines = package_lines.map(|regex| notation.regex("symbols.package_lines", regex)).transpose();
        let has_own = !rule.references.bindings.is_empty() || !rule.references.members.is_empty();
        let added = has_own.then(|| ReferenceRules::new(&references.joined(&rule.references), notation)).transpose();
        let added = added.map_err(|message| format!("symbols.{message}"));
        Ok(SymbolRules {
            named_parameters: rule.named_parameters.clone(),
            public_is_exported: rule.public_is_exported,
            require_calls: rule.require_calls.clone(),
            module_calls: rule.module_calls.clone(),
            import_forms: rule.import_forms.clone(),
            export_objects: rule.export_objects.clone(),
            export_wholes: rule.export_wholes.clone(),
            dynamic_calls: rule.dynamic_calls.clone(),
            named_access: rule.named_access.clone(),
            outside: types("outside", &rule.outside)?,
            member_lists: rule.member_lists.clone(),
            structural_types: rule.structural_types,
            class_files: rule.class_files,
            known_bases: rule.known_bases.clone(),
            dynamic_accesses: types("dynamic_accesses", &rule.dynamic_accesses)?,
            entries: entries.collect::<Result<_, String>>()?,
            modules: rule.modules,
            package_files: rule.package_files.clone(),
            module_extensions: rule.module_extensions.clone(),
            source_folders: rule.source_folders.clone(),
            test_folders: rule.test_folders.clone(),
            manifests: rule.manifests.clone(),
            manifest_name: notation.regex("symbols.manifest_name", &rule.manifest_name)?,
            manifest_folders: notation.regex("symbols.manifest_folders", &rule.manifest_folders)?,
            private_files: rule.private_files.clone(),
            packages: paths("packages", &rule.packages)?,
            packages_nest: rule.packages_nest,
            outer_packages: rule.outer_packages,
            global_fallback: rule.global_fallback,
            package_lines: package_lines?,
            type_blocks: type_blocks.transpose()?,
            part_words: rule.part_words.clone(),
            arities: paths("arities", &rule.arities)?,
            extensions: patterns("extensions", &rule.extensions)?,
            file_names: places("file_names", &rule.file_names)?,
            shared_imports: notation.marks("symbols.shared_imports", rule.shared_imports.iter().map(String::as_str))?,
            shared_words: rule.shared_words.clone(),
            neighbours: rule.neighbours.clone(),
            bare_members: types("bare_members", &rule.bare_members)?,
            bare_objects: paths("bare_objects", &rule.bare_objects)?,
            implicit_names: rule.implicit_names.clone(),
            open_scopes: types("open_scopes", &rule.open_scopes)?,
            closed_calls: rule.closed_calls.clone(),
            self_words: rule.self_words.clone(),
            super_words: rule.super_words.clone(),
            static_words: rule.static_words.clone(),
            shared_names: rule.shared_names,
            references: added?,
            classes: types("classes", &rule.classes)?,
            attached: paths("attached", &rule.attached)?,
            embedded: patterns("embedded", &rule.embedded)?,
            underlying: paths("underlying", &rule.underlying)?,
            elements: paths("elements", &rule.elements)?,
            element_keys: paths("element_keys", &rule.element_keys)?,
            indexed: paths("indexed", &rule.indexed)?,
            ranges: paths("ranges", &rule.ranges)?,
            range_keys: rule.range_keys,
            function_types: paths("function_types", &rule.function_types)?,
            tuples: paths("tuples", &rule.tuples)?,
            crate_files: rule.crate_files.clone(),
            manifest_root: notation.regex("symbols.manifest_root", &rule.manifest_root)?,
            module_path: notation.regex("symbols.module_path", &rule.module_path)?,
            module_types: types("module_types", &rule.module_types)?,
            root_words: rule.root_words.clone(),
            own_words: rule.own_words.clone(),
            parent_words: rule.parent_words.clone(),
            module_places: places("module_places", &rule.module_places)?,
            attached_bases: paths("attached_bases", &rule.attached_bases)?,
            variants: types("variants", &rule.variants)?,
            trait_members: types("trait_members", &rule.trait_members)?,
            same_methods: rule.same_methods.clone(),
            element_methods: rule.element_methods.clone(),
            first_element_types: rule.first_element_types.clone(),
            loose: types("loose", &rule.loose)?,
            opaque: types("opaque", &rule.opaque)?,
            include_lines: includes?,
            declarators: types("declarators", &rule.declarators)?,
            function_declarators: types("function_declarators", &rule.function_declarators)?,
            elements_are_alike: rule.elements_are_alike,
            array_declarators: types("array_declarators", &rule.array_declarators)?,
            implicit_members: rule.implicit_members,
            inferred_types: rule.inferred_types.clone(),
            written_paths: types("written_paths", &rule.written_paths)?,
            value_lists: types("value_lists", &rule.value_lists)?,
            typed_calls: rule.typed_calls.clone(),
            same_calls: rule.same_calls.clone(),
            narrowed: paths("narrowed", &rule.narrowed)?,
            narrowing: places("narrowing", &rule.narrowing)?,
            field_keys: places("field_keys", &rule.field_keys)?,
            made_bodies: types("made_bodies", &rule.made_bodies)?,
            imports_are_complete: rule.imports_are_complete,
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
            super_types: notation.marks("symbols.super_types", rule.super_types.iter().map(String::as_str))?,
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
            default_exports: patterns("default_exports", &rule.default_exports)?,
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
