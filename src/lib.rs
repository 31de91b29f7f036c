//! Finds and edits code by its syntax.
//!
//! A text in one of some thirty languages becomes a [`Tree`]: the text itself, byte for byte, and the nodes of its syntax. A
//! *selector*, as in CSS or XPath, says which nodes are meant. An *edit* changes their bytes and no other, and is refused
//! where it would break the syntax or the nesting around it. One word means one thing in all languages: `class > method` is a
//! question to Python, Rust and Java.
//!
//! Most programs need no more than what is here at the top: [`parse`] or [`parse_file`], [`select`], [`apply`] or
//! [`rewrite`], [`diff`]; and the [`Engine`] for whole folders, and for trees that are held over many requests. Below it are the
//! [rooms](#the-rooms) that it is built of.
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
//! A [`Node`] is a place in one tree, and the tree says all about it: its [text](Tree::node_text), its [`Span`], its
//! [name](Tree::name), its [documentation](Tree::doc). Lines and columns are shown from 1
//! ([`Position::col`](text::Position::col)). `docs/selectors.md` of the repository
//! has the whole language of selectors, code patterns among them: `:like("print($X)")` finds calls by their code.
//!
//! # Editing them
//!
//! Trees are values. Applied, a batch of operations makes the next one, and the old one is still what it was; either all of a
//! batch is done or none of it.
//!
//! ```
//! use cst::Op;
//!
//! let tree = cst::parse("def get(x):\n    return x  # all\nget( 1 )\n", "python")?;
//! let target = cst::select(&tree, "function#get")?[0].node;
//! let rename = Op::Rename { target, to: "fetch".to_owned(), references: true };
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
//! Where every match becomes code of the same shape, there are templates, with places for what was captured:
//!
//! ```
//! let tree = cst::parse("print('a', end='')\nlog.print(b)\n", "python")?;
//! let rewritten = cst::rewrite(&tree, r#":like("print($$$ARGS)")"#, "log.write($$$ARGS)")?;
//! assert_eq!(rewritten.outcome.tree.text().to_string(), "log.write('a', end='')\nlog.print(b)\n");
//! # Ok::<(), cst::Error>(())
//! ```
//!
//! A node that an edit left alone keeps its [`NodeId`], wherever it moves, and an id never denotes another node; a [`Node`] means
//! something in its own tree alone.
//!
//! # Files and folders
//!
//! [`Engine`] answers requests about files, folders, and trees that it holds. It walks folders as ripgrep does, several
//! files at once, in bounded memory, and parses only what can match.
//!
//! ```
//! use cst::engine::FindRequest;
//! use cst::{Engine, Surroundings};
//!
//! let engine = Engine::new(Surroundings::at("."));
//! let selector = Some("function[params>5]".to_owned());
//! let found = engine.find(&FindRequest { selector, targets: vec!["src".into()], ..FindRequest::default() })?;
//! for row in &found.matches {
//!     println!("{}:{}  {}", row.path.as_deref().unwrap_or("-"), row.start_line, row.qualname.as_deref().unwrap_or("-"));
//! }
//! # Ok::<(), cst::engine::EngineError>(())
//! ```
//!
//! Every command of the program `cst` is such a request. [`Request`](engine::Request) and [`Response`](engine::Response) are plain
//! data that serde reads and writes: what other programs send as a line of JSON.
//!
//! # Errors
//!
//! The functions here fail with [`Error`], which holds the error of the room that it is from; the engine fails with an
//! [`EngineError`](engine::EngineError), which has a code besides. Nothing is guessed: a word that the language doesn't know is an
//! error, with its place and a hint, and an edit that isn't safe is refused.
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
//! A syntax error in a file is none of these: the tree has the healthy parts, and [`Tree::errors`] lists the others.
//!
//! # What is promised
//!
//! The [`engine`]'s requests and responses are, as data: their names and fields change with a major version alone. The functions
//! here keep their names and what they mean. What a tree or an operation can do besides, in the rooms, may change with any
//! minor version; and so may the types of nodes, which are the grammars'.
//!
//! # The rooms
//!
//! In reading order; each uses only those before it.
//!
//! | | |
//! |---|---|
//! | [`text`] | a file's text and its encoding, places in it, changes of it, differences |
//! | [`language`] | a grammar, and the data that says what its nodes mean |
//! | [`tree`] | a revision: text, parse, the flat table of its nodes, and their ids |
//! | [`selector`] | text, to a selector, to a query, to the nodes that it finds |
//! | [`edit`] | operations, rewrites by templates, and the gates that a result must pass |
//! | [`outline`] | the definitions of a tree with their signatures |
//! | [`script`] | refactor scripts: steps that find and change, and their tests |
//! | [`engine`] | requests, responses, and the files and sessions that they are about |
//!
//! # Languages
//!
//! Each language is a cargo feature of its name. The default ones have what is beside code in most repositories; `all` has
//! every one. [`language::names`] lists those there are, and [`language::add`] takes one more, of your own.

// The README's example is compiled as those here are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[macro_use]
mod naming;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod agent;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod edit;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
mod index;
pub mod interrupt;
pub mod language;
pub mod outline;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod project;
pub mod script;
pub mod selector;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod serve;
pub mod text;
pub mod tree;

#[doc(inline)]
pub use edit::{EditError, Op, Outcome, Rewritten};
#[cfg(feature = "engine")]
#[doc(inline)]
pub use engine::{Engine, Surroundings};
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

/// Why one of the functions here did nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No language goes by that name, or what it is made of is wrong.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// Nothing tells which language a file is in.
    #[error("the language of `{path}` isn't known")]
    UnknownLanguage {
        /// The file.
        path: String,
    },
    /// Bytes that are no text.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A text that is too large, too deep, or takes too long.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Something wrong in a selector.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// Something wrong in a template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Operations that can't be done, or whose result a gate refuses.
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

/// Parses a text in a language of that name: `python`, `ts`, `c++`. A syntax error is no error: see [`Tree::errors`].
///
/// # Errors
/// When no language goes by that name, or the text is too large or too deep; see [`ParseLimits`].
pub fn parse(source: &str, language: &str) -> Result<Tree, Error> {
    Ok(Tree::parse(Text::new(source), Language::named(language)?, &ParseLimits::default())?)
}

/// Parses the bytes of a file. Its name tells the language, or else its text does, by an interpreter line, a modeline or words
/// that only one language has; nothing is read from the disk. The bytes are UTF-8, or UTF-16 with a byte order mark, and
/// [`Text::encode`] gives them back; others are for [`Text::decode`] and [`Tree::parse`].
///
/// # Errors
/// When nothing tells the language, the bytes are no text, or they are too many; see [`ParseLimits`].
///
/// ```
/// let tree = cst::parse_file("src/shop.rs", b"fn open() {}\r\n")?;
/// assert_eq!(tree.language().name(), "rust");
/// assert_eq!(tree.text().encode()?, b"fn open() {}\r\n");
/// # Ok::<(), cst::Error>(())
/// ```
pub fn parse_file(path: &str, bytes: &[u8]) -> Result<Tree, Error> {
    let language = Detector::new().detect(path, bytes)?;
    let language = language.ok_or_else(|| Error::UnknownLanguage { path: path.to_owned() })?;
    Ok(Tree::parse(Text::decode(bytes, None)?, language, &ParseLimits::default())?.with_path(path))
}

/// The nodes that a selector finds in a tree, in document order, with what it captured. Linear in nodes and steps.
///
/// For many trees of one language a [`Query`] is made once; for selectors of your own names there are [`Definitions`].
///
/// # Errors
/// At a word that the tree's language doesn't know, or what doesn't follow the grammar of selectors.
pub fn select(tree: &Tree, selector: &str) -> Result<Vec<Match>, Error> {
    let query = Query::new(&Selector::parse(selector)?, tree.language(), &Definitions::default())?;
    Ok(query.select(tree)?)
}

/// Applies a batch of operations, all of which name nodes of the tree as it is: all of it or, with an error, nothing.
///
/// # Errors
/// When operations conflict, one can't be done, or the result has a new syntax error or nests what is around it otherwise.
/// [`edit::apply`] takes what may pass all the same.
pub fn apply(tree: &Tree, operations: &[Op]) -> Result<Outcome, Error> {
    Ok(edit::apply(tree, operations, Allow::default(), &ParseLimits::default())?)
}

/// Replaces each node that a selector finds by code: `$NAME` in the template is what `@NAME`, or `$NAME` in a code pattern,
/// captured, and `$0` the whole node.
///
/// # Errors
/// As [`select`] and [`apply`], and when the template has a place for what isn't captured.
pub fn rewrite(tree: &Tree, selector: &str, template: &str) -> Result<Rewritten, Error> {
    let query = Query::new(&Selector::parse(selector)?, tree.language(), &Definitions::default())?;
    let template = Template::parse(template)?.keeping_end(query.leaves_end());
    let site = |found: Match| Site { node: found.node, captures: found.captures };
    let sites: Vec<Site> = query.select(tree)?.into_iter().map(site).collect();
    Ok(edit::rewrite(tree, &sites, &template, Allow::default(), &ParseLimits::default())?)
}

/// The unified diff from one tree's text to another's, as `git apply` takes it; empty when they are the same.
pub fn diff(path: &str, old: &Tree, new: &Tree) -> String {
    text::unified(path, old.text(), new.text())
}
