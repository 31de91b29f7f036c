//! What is known about a project: its files, an index of them, what names mean across them, and refactors. It knows nothing about
//! requests. The package `cst-engine` is the way in, and has a guide.

use cst_syntax::{interrupt, language, limits, locks, naming, outline, scopes, selector, text, tree};

pub mod database;
pub mod embedding;
pub mod facts;
pub mod index;
pub mod modules;
pub mod project;
pub mod risks;
pub mod scip;
pub mod symbols;
