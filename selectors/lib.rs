//! The grammars, and what `cst` knows about each language: the files of the folders here, as data.
//!
//! This is the only place in the code where languages are listed. What the data means is said by the package that reads it.

use tree_sitter_language::LanguageFn;

mod added;
mod overlay;

pub use added::{add, all};
pub use overlay::{HEAD, lay_under};

/// A grammar and the files of its folder.
pub struct Language {
    /// The name of the folder.
    pub name: &'static str,
    /// The grammar.
    pub grammar: LanguageFn,
    /// The grammar with which ast-grep reads the language, if it is another one.
    pub ast_grep: Option<LanguageFn>,
    /// The grammar's `node-types.json`.
    pub node_types: &'static str,
    /// The keys of `language.toml` by which files of the language are recognised, as JSON.
    pub head: &'static str,
    /// The rest of `language.toml`, laid over that of the language it extends, as JSON.
    pub whole: &'static str,
    /// The named selectors: `named.sel`.
    pub named: &'static str,
    /// The rows of an outline: `outline.toml`.
    pub outline: &'static str,
}

/// The kinds that all languages share, and their hierarchy: `kinds.toml`, as JSON.
pub static KINDS: &str = include_str!(concat!(env!("OUT_DIR"), "/kinds.json"));

// Without the feature of any language there is no row.
#[allow(unused_macros)]
macro_rules! row {
    ($name:literal, $grammar:expr, $node_types:expr) => {
        row!($name, $grammar, $node_types, None)
    };
    ($name:literal, $grammar:expr, $node_types:expr, $ast_grep:expr) => {
        Language {
            name: $name,
            grammar: $grammar,
            ast_grep: $ast_grep,
            node_types: $node_types,
            head: include_str!(concat!(env!("OUT_DIR"), "/", $name, ".head.json")),
            whole: include_str!(concat!(env!("OUT_DIR"), "/", $name, ".json")),
            named: include_str!(concat!($name, "/named.sel")),
            outline: include_str!(concat!($name, "/outline.toml")),
        }
    };
}

/// The languages that the features choose, in order of name.
pub static LANGUAGES: &[Language] = &[
    #[cfg(feature = "astro")]
    row!("astro", tree_sitter_astro_next::LANGUAGE, tree_sitter_astro_next::NODE_TYPES),
    #[cfg(feature = "bash")]
    row!("bash", tree_sitter_bash::LANGUAGE, tree_sitter_bash::NODE_TYPES),
    #[cfg(feature = "c")]
    row!("c", tree_sitter_c::LANGUAGE, tree_sitter_c::NODE_TYPES),
    #[cfg(feature = "cpp")]
    row!("cpp", tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES),
    #[cfg(feature = "csharp")]
    row!("csharp", tree_sitter_c_sharp::LANGUAGE, tree_sitter_c_sharp::NODE_TYPES),
    #[cfg(feature = "css")]
    row!("css", tree_sitter_css::LANGUAGE, tree_sitter_css::NODE_TYPES),
    #[cfg(feature = "dart")]
    row!("dart", tree_sitter_dart::LANGUAGE, tree_sitter_dart::NODE_TYPES),
    #[cfg(feature = "elixir")]
    row!("elixir", tree_sitter_elixir::LANGUAGE, tree_sitter_elixir::NODE_TYPES),
    #[cfg(feature = "go")]
    row!("go", tree_sitter_go::LANGUAGE, tree_sitter_go::NODE_TYPES),
    #[cfg(feature = "haskell")]
    row!("haskell", tree_sitter_haskell::LANGUAGE, tree_sitter_haskell::NODE_TYPES),
    #[cfg(feature = "hcl")]
    row!("hcl", tree_sitter_hcl::LANGUAGE, tree_sitter_hcl::NODE_TYPES),
    #[cfg(feature = "html")]
    row!("html", tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES),
    #[cfg(feature = "java")]
    row!("java", tree_sitter_java::LANGUAGE, tree_sitter_java::NODE_TYPES),
    #[cfg(feature = "javascript")]
    row!("javascript", tree_sitter_javascript::LANGUAGE, tree_sitter_javascript::NODE_TYPES),
    #[cfg(feature = "json")]
    row!("json", tree_sitter_json::LANGUAGE, tree_sitter_json::NODE_TYPES),
    #[cfg(feature = "julia")]
    row!("julia", tree_sitter_julia::LANGUAGE, tree_sitter_julia::NODE_TYPES),
    #[cfg(feature = "kotlin")]
    row!("kotlin", tree_sitter_kotlin_ng::LANGUAGE, tree_sitter_kotlin_ng::NODE_TYPES),
    #[cfg(feature = "lua")]
    row!("lua", tree_sitter_lua::LANGUAGE, tree_sitter_lua::NODE_TYPES),
    #[cfg(feature = "markdown")]
    row!("markdown", tree_sitter_md::LANGUAGE, tree_sitter_md::NODE_TYPES_BLOCK),
    #[cfg(feature = "objc")]
    row!("objc", tree_sitter_objc::LANGUAGE, tree_sitter_objc::NODE_TYPES),
    #[cfg(feature = "ocaml")]
    row!("ocaml", tree_sitter_ocaml::LANGUAGE_OCAML, tree_sitter_ocaml::OCAML_NODE_TYPES),
    #[cfg(feature = "php")]
    row!(
        "php",
        tree_sitter_php::LANGUAGE_PHP,
        tree_sitter_php::PHP_NODE_TYPES,
        Some(tree_sitter_php::LANGUAGE_PHP_ONLY)
    ),
    #[cfg(feature = "python")]
    row!("python", tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES),
    #[cfg(feature = "r")]
    row!("r", tree_sitter_r::LANGUAGE, tree_sitter_r::NODE_TYPES),
    #[cfg(feature = "ruby")]
    row!("ruby", tree_sitter_ruby::LANGUAGE, tree_sitter_ruby::NODE_TYPES),
    #[cfg(feature = "rust")]
    row!("rust", tree_sitter_rust::LANGUAGE, tree_sitter_rust::NODE_TYPES),
    #[cfg(feature = "scala")]
    row!("scala", tree_sitter_scala::LANGUAGE, tree_sitter_scala::NODE_TYPES),
    #[cfg(feature = "sql")]
    row!("sql", tree_sitter_sequel::LANGUAGE, tree_sitter_sequel::NODE_TYPES),
    #[cfg(feature = "svelte")]
    row!("svelte", tree_sitter_svelte_ng::LANGUAGE, tree_sitter_svelte_ng::NODE_TYPES),
    #[cfg(feature = "swift")]
    row!("swift", tree_sitter_swift::LANGUAGE, tree_sitter_swift::NODE_TYPES),
    #[cfg(feature = "toml")]
    row!("toml", tree_sitter_toml_ng::LANGUAGE, tree_sitter_toml_ng::NODE_TYPES),
    #[cfg(feature = "typescript")]
    row!("tsx", tree_sitter_typescript::LANGUAGE_TSX, tree_sitter_typescript::TSX_NODE_TYPES),
    #[cfg(feature = "typescript")]
    row!("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT, tree_sitter_typescript::TYPESCRIPT_NODE_TYPES),
    #[cfg(feature = "vue")]
    row!("vue", tree_sitter_vue_next::LANGUAGE, tree_sitter_vue_next::NODE_TYPES),
    #[cfg(feature = "yaml")]
    row!("yaml", tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES),
    #[cfg(feature = "zig")]
    row!("zig", tree_sitter_zig::LANGUAGE, tree_sitter_zig::NODE_TYPES),
];

/// The members of the classes of a language's standard library, a line each, sorted by name; empty if none are known.
pub fn library(language: &str) -> &'static str {
    match language {
        #[cfg(feature = "go")]
        "go" => include_str!("go/outside.txt"),
        #[cfg(feature = "java")]
        "java" => include_str!("java/outside.txt"),
        #[cfg(any(feature = "javascript", feature = "typescript"))]
        "javascript" => include_str!("javascript/outside.txt"),
        #[cfg(feature = "python")]
        "python" => include_str!("python/outside.txt"),
        #[cfg(feature = "php")]
        "php" => include_str!("php/outside.txt"),
        #[cfg(feature = "ruby")]
        "ruby" => include_str!("ruby/outside.txt"),
        #[cfg(feature = "rust")]
        "rust" => include_str!("rust/outside.txt"),
        _ => "",
    }
}
