//! Languages: a grammar each, and the data that says what its nodes mean.
//!
//! All that is known of a language stands in `selectors/<language>/`; the code knows none by name. A [`Language`] is that
//! data with its words looked up in the grammar. It is made once, on first use, and lives as long as the program.
//!
//! This module knows nothing of trees and selectors: a kind that is told by a selector is kept here as its text.

mod by_type;
mod check;
mod data;
mod detect;
mod error;
mod grammars;
mod imports;
mod library;
mod load;
mod node_types;
mod path;
mod precedence;
mod references;
mod registry;
mod resolved;
mod role;
mod row;
mod rules;
mod symbols;
mod taxonomy;
mod words;

#[doc(hidden)]
pub use by_type::ByType;
pub use data::{BanRule, PrecedenceRule, Side};
#[doc(hidden)]
pub use data::{
    BlankLines, CountRule, Data, DocRule, ImportPart, ImportRule, Indent, LineRule, ListRule, OrderRule,
    PatternContext, ReferenceRule, SliceRule, UnreadRule, Values, VisibilityRule, is_word,
};
pub use detect::{Detection, Detector, HEAD, Told, detect};
pub use error::LanguageError;
#[doc(hidden)]
pub use imports::{Imports, Part as ImportRead};
pub use node_types::NodeTypes;
#[doc(hidden)]
pub use path::{Path, Step};
pub use precedence::{Ban, Child, Form, Groups, Leveled, Place as OperandPlace, Precedence};
#[doc(hidden)]
pub use references::{Level, Place, Places, ReferenceRules, Spaces};
pub use registry::{UserFolder, add, names};
#[doc(hidden)]
pub use resolved::read_path;
pub use resolved::{Language, Unread};
pub use role::Role;
#[doc(hidden)]
pub use rules::Rules;
pub use symbols::{ERROR_TYPE, FieldId, TypeId};
pub use taxonomy::{KindEntry, Taxonomy, taxonomy};
#[doc(hidden)]
pub use words::Count;
