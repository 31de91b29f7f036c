//! Finds and edits code by its syntax.
//!
//! A text in one of some thirty languages becomes a [`Tree`]: the text itself, byte for byte, and the nodes of its syntax. A
//! *selector*, as in CSS or XPath, chooses nodes. An *edit* changes the bytes of these nodes and no others. It is refused if
//! it would break the syntax or the nesting around it. A kind means the same in all languages: `class > method` works for
//! Python, Rust and Java.
//!
//! Most programs need only the functions of this page: [`parse`] or [`parse_file`], [`select`], [`apply`] or [`rewrite`], and
//! [`diff`]. For whole folders, and for trees that stay loaded between requests, there is the [`Engine`]. Below are the
//! [modules](#the-modules) of which it is built.
//!
//! # Finding nodes
//!
//! ```
//! let source = "class Shop:\n    def open(self): pass\n\n    def sold(self):\n        return self.count\n";
//! let tree = cst::parse(source, "python")?;
//! for found in cst::select(&tree, "class > method:has(return)")? {
//!     assert_eq!(tree.qualname(found.node).as_deref(), Some("Shop.sold"));
//!     assert_eq!(tree.start(found.node).to_string(), "4:5");
//!     assert!(tree.node_text(found.node).ends_with("self.count"));
//! }
//! # Ok::<(), cst::Error>(())
//! ```
//!
//! A [`Node`] is an index into one tree, and the tree has everything about it: its [text](Tree::node_text), its [`Span`], its
//! [name](Tree::name), its [documentation](Tree::doc). Lines and columns are shown from 1
//! ([`Position::col`](text::Position::col)). `docs/selectors.md` in the repository describes the whole selector language,
//! including code patterns: `:like("print($X)")` finds calls by their code.
//!
//! # Editing them
//!
//! Trees are values. Applying a batch of operations makes a new tree, and the old one does not change. Either the whole batch
//! is applied or nothing.
//!
//! ```
//! use cst::Op;
//! use cst::edit::References;
//!
//! let tree = cst::parse("def get(x):\n    return x  # all\nget( 1 )\n", "python")?;
//! let target = cst::select(&tree, "function#get")?[0].node;
//! let rename = Op::Rename { target, to: "fetch".to_owned(), references: Some(References::File) };
//! let outcome = cst::apply(&tree, &[rename])?;
//! assert_eq!(cst::diff("app.py", &tree, &outcome.tree), "\
//! --- a/app.py
//! +++ b/app.py
//! @@ -1,3 +1,3 @@
//! -def get(x):
//! +def fetch(x):
//!      return x  # all
//! -get( 1 )
//! +fetch( 1 )
//! ");
//! # Ok::<(), cst::Error>(())
//! ```
//!
//! If every match becomes code of the same form, use a template, with placeholders for the captures:
//!
//! ```
//! let tree = cst::parse("print('a', end='')\nlog.print(b)\n", "python")?;
//! let rewritten = cst::rewrite(&tree, r#":like("print($$$ARGS)")"#, "log.write($$$ARGS)")?;
//! assert_eq!(rewritten.outcome.tree.text().to_string(), "log.write('a', end='')\nlog.print(b)\n");
//! # Ok::<(), cst::Error>(())
//! ```
//!
//! A node that an edit left alone keeps its [`NodeId`], wherever it moves, and an id never denotes another node. A [`Node`] is
//! valid only in its own tree.
//!
//! # Files and folders
//!
//! [`Engine`] answers requests about files, folders, and loaded trees. It walks folders as ripgrep does, reads several files
//! at once, uses bounded memory, and parses only files that can match.
//!
//! ```
//! use cst::engine::FindRequest;
//! use cst::{Engine, Host};
//!
//! let engine = Engine::new(Host::at("."));
//! let found = engine.find(&FindRequest::new("function[params>5]").within(["src"]))?;
//! for row in &found.matches {
//!     println!("{}:{}  {}", row.path.as_deref().unwrap_or("-"), row.start_line, row.qualname.as_deref().unwrap_or("-"));
//! }
//! # Ok::<(), cst::engine::EngineError>(())
//! ```
//!
//! Every command of the program `cst` is such a request. [`Request`](engine::Request) and [`Response`](engine::Response) are
//! plain data for serde, which other programs send as a line of JSON.
//!
//! # Errors
//!
//! The functions here return [`Error`], which wraps the error of a module. The engine returns an
//! [`EngineError`](engine::EngineError), which also has a code. Nothing is guessed: an unknown word is an error with its place
//! and a hint, and an unsafe edit is refused.
//!
//! ```
//! use cst::Op;
//!
//! let tree = cst::parse("def get(): pass\n", "python")?;
//! let error = cst::select(&tree, "class > fucntion").unwrap_err();
//! assert_eq!(error.to_string(), "\
//! unknown type or kind `fucntion`
//!   class > fucntion
//!           ^^^^^^^^ did you mean `function`?");
//!
//! let target = cst::select(&tree, "function#get")?[0].node;
//! let broken = Op::Replace { target, code: "def get(:".to_owned(), extent: None };
//! assert!(matches!(cst::apply(&tree, &[broken]), Err(cst::Error::Edit(_))));
//! # Ok::<(), cst::Error>(())
//! ```
//!
//! A syntax error in a file is not such an error: the tree contains the sound parts, and [`Tree::errors`] lists the others.
//!
//! # Stability
//!
//! The data format of the [`engine`]'s requests and responses, and the functions of this page, change only with a major
//! version. Everything else in the modules may change with a minor version, and so may the types of nodes, which come from
//! the grammars.
//!
//! # The modules
//!
//! In reading order; each uses only those before it. [`interrupt`] and [`limits`] are below all of them.
//!
//! | | |
//! |---|---|
//! | [`text`] | a file's text and its encoding, places in it, edits, diffs |
//! | [`language`] | a grammar, and the data about the meaning of its nodes |
//! | [`tree`] | a revision: text, parse, the flat table of its nodes, and their ids |
//! | [`selector`] | text, to a selector, to a query, to the nodes that it finds |
//! | [`edit`] | operations, rewrites with templates, and the gates that a result must pass |
//! | [`inspect`] | what a page shows: highlighting, the node at a place, selectors that find it |
//! | [`outline`] | the definitions of a tree with their signatures |
//! | [`script`] | refactor scripts: steps that find and edit, and their tests |
//! | [`symbols`] | what names mean across the files of a project; feature `engine` |
//! | [`refactor`] | changes to a definition and to all that refers to it; feature `engine` |
//! | [`engine`] | requests and responses, files and sessions; feature `engine` |
//!
//! # Languages
//!
//! Each language is a cargo feature with its name. The default features include the formats that most repositories have next
//! to code; `all` includes every language. [`Languages::built_in`](language::Languages::built_in) has the available ones, and
//! [`Languages::with`](language::Languages::with) adds your own.

// The README's example is compiled as those here are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod agent;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
mod flow;
#[cfg(feature = "engine")]
mod gates;
#[cfg(feature = "engine")]
mod imports;
#[cfg(feature = "engine")]
mod question;
#[cfg(feature = "engine")]
mod reader;
#[cfg(feature = "engine")]
pub mod refactor;
#[cfg(feature = "engine")]
pub mod request;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod serve;
#[cfg(feature = "engine")]
mod store;
#[cfg(feature = "engine")]
mod transfer;
#[cfg(feature = "engine")]
mod workspace;

#[cfg(feature = "engine")]
use cst_codebase::{database, index};
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use cst_codebase::{embedding, project};
#[cfg(feature = "engine")]
#[doc(inline)]
pub use cst_codebase::{facts, modules, risks, scip, symbols};
#[doc(inline)]
pub use cst_syntax::{
    duplicates, edit, inspect, interrupt, language, limits, metrics, outline, rule, script, selector, text, tree,
    tree_query,
};
#[cfg(feature = "engine")]
use cst_syntax::{locks, naming, scopes};

#[doc(inline)]
pub use edit::{EditError, Op, Outcome, Rewritten};
#[cfg(feature = "engine")]
#[doc(inline)]
pub use engine::{Engine, Host};
#[doc(inline)]
pub use language::Language;
#[doc(inline)]
pub use selector::{Match, Query, Selector, SelectorError};
#[doc(inline)]
pub use text::{Span, Text};
#[doc(inline)]
pub use tree::{Node, NodeId, Tree};

use edit::{Allow, RewriteError, Site, Template, TemplateError};
use language::{Detector, LanguageError};
use selector::Definitions;
use text::EncodingError;
use tree::{ParseError, ParseLimits};

/// Why a function of this page failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No language has that name, or its data or grammar is invalid.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// The language of a file cannot be detected.
    #[error("the language of `{path}` is not known")]
    UnknownLanguage {
        /// The file.
        path: String,
    },
    /// Bytes that are not text.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A text that is too large, too deep, or takes too long.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// An error in a selector.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// An error in a template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Invalid operations, or a result that a gate refuses.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<RewriteError> for Error {
    fn from(error: RewriteError) -> Error {
        match error {
            RewriteError::Template(error) => Error::Template(error),
            RewriteError::Edit(error) => Error::Edit(error),
        }
    }
}

/// Parses a text in the language with that name or alias: `python`, `ts`, `c++`. Syntax errors are not an error: see
/// [`Tree::errors`].
///
/// # Errors
/// If no language has that name, or the text is too large or too deep; see [`ParseLimits`].
pub fn parse(source: &str, language: &str) -> Result<Tree, Error> {
    Ok(Tree::parse(Text::new(source), Language::named(language)?, &ParseLimits::default())?)
}

/// Parses the bytes of a file. The language is detected from its name, or else from its text: an interpreter line, a modeline,
/// or words that only one language has. Nothing is read from the disk. The bytes must be UTF-8, or UTF-16 with a byte order
/// mark, and [`Text::encode`] returns them. For other encodings use [`Text::decode`] and [`Tree::parse`].
///
/// # Errors
/// If the language is unknown, or the bytes are not text or too many; see [`ParseLimits`].
///
/// ```
/// let tree = cst::parse_file("src/shop.rs", b"fn open() {}\r\n")?;
/// assert_eq!(tree.language().name(), "rust");
/// assert_eq!(tree.text().encode()?, b"fn open() {}\r\n");
/// # Ok::<(), cst::Error>(())
/// ```
pub fn parse_file(path: &str, bytes: &[u8]) -> Result<Tree, Error> {
    let language = Detector::default().detect(path, bytes)?;
    let language = language.ok_or_else(|| Error::UnknownLanguage { path: path.to_owned() })?;
    Ok(Tree::parse(Text::decode(bytes, None)?, language, &ParseLimits::default())?.with_path(path))
}

/// The nodes that a selector finds in a tree, in document order, with their captures. Linear in nodes and steps.
///
/// For many trees of one language, make a [`Query`] once. To define named selectors, use [`Definitions`].
///
/// # Errors
/// If the selector has a syntax error, or a word that the tree's language does not know.
pub fn select(tree: &Tree, selector: &str) -> Result<Vec<Match>, Error> {
    let query = Query::new(&Selector::parse(selector)?, tree.language(), &Definitions::default())?;
    Ok(query.select(tree)?)
}

/// Applies a batch of operations on nodes of the tree: all of them or, with an error, none.
///
/// # Errors
/// If operations conflict, if one is invalid, or if the result has a new syntax error or changes the nesting around the edit.
/// [`edit::apply`] can disable these checks.
pub fn apply(tree: &Tree, operations: &[Op]) -> Result<Outcome, Error> {
    Ok(edit::apply(tree, operations, Allow::default(), &ParseLimits::default())?)
}

/// Replaces each node that a selector finds by a template: `$NAME` is replaced by the capture `@NAME`, or `$NAME` of a code
/// pattern, and `$0` by the whole node.
///
/// # Errors
/// As [`select`] and [`apply`], and if the template uses something that is not captured.
pub fn rewrite(tree: &Tree, selector: &str, template: &str) -> Result<Rewritten, Error> {
    let query = Query::new(&Selector::parse(selector)?, tree.language(), &Definitions::default())?;
    let template = Template::parse(template)?.for_query(&query);
    let site = |found: Match| Site { node: found.node, captures: found.captures };
    let sites: Vec<Site> = query.select(tree)?.into_iter().map(site).collect();
    Ok(edit::rewrite(tree, &sites, &template, Allow::default(), &ParseLimits::default())?)
}

/// The unified diff from one tree's text to another's, for `git apply`; empty if they are the same.
pub fn diff(path: &str, old: &Tree, new: &Tree) -> String {
    text::unified(path, old.text(), new.text())
}
