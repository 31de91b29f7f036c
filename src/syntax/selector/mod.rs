//! Selectors: text, to what it means, to the nodes it finds.
//!
//! Three stages, a type each. [`Selector`] is the text read by the grammar in `grammar/selector.pest`, which names no type,
//! attribute or pseudo-class. [`Query`] is a selector resolved for a language: every word is known. [`Query::select`]
//! evaluates it over a tree's table as sets of nodes, linear in nodes and steps; bindings of captures and variables
//! are enumerated only for the survivors.
//!
//! ```
//! use cst::language::Language;
//! use cst::selector::{Definitions, Query, Selector};
//! use cst::text::Text;
//! use cst::tree::{ParseLimits, Tree};
//!
//! let python = Language::named("python")?;
//! let tree = Tree::parse(Text::new("class A:\n    def get(self): pass\n"), python, &ParseLimits::default())?;
//! let selector = Selector::parse("class > function[name^=\"get\"]:first")?;
//! let query = Query::new(&selector, python, &Definitions::default())?;
//! let names: Vec<_> = query.select(&tree)?.iter().filter_map(|found| tree.qualname(found.node)).collect();
//! assert_eq!(names, ["A.get"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attribute;
mod axis;
mod axis_evaluator;
mod bind;
mod definitions;
mod error;
mod evaluate;
mod evaluate_attribute;
mod evaluation;
mod explain;
mod failed_readings;
mod from_query;
mod ir;
mod kinds;
mod like;
mod local;
mod meant;
mod necessary;
mod parse;
mod pattern;
mod places;
mod project;
mod propose;
mod pseudo;
mod query;
mod resolve;
mod resolve_attribute;
mod shared;
mod slot;
mod syntax;
mod vocabulary;
mod written;

pub use definitions::{Definitions, UsedDefinition};
pub use error::{ErrorCode, Excerpt, SelectorError, nearest};
pub use evaluation::Evaluation;
pub use explain::{NearMiss, StepCount, words};
pub use failed_readings::failed_readings;
pub use kinds::Kinds;
pub use like::like;
pub use meant::meant;
pub use necessary::Condition;
pub use pattern::{Literals, Shape};
pub use project::{ProjectQuestions, ProjectView, Relation};
pub use propose::{Proposed, attributes, propose};
pub use query::{Match, Query};
pub use shared::SharedParts;
pub use written::Selector;
