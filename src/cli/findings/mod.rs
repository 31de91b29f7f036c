//! Findings in the forms that people, CI systems and editors read.

mod form;
mod rdjson;
pub(super) mod sarif;
mod services;
mod text;
mod xml;

pub(super) use form::{OutputForm, in_form, print};
pub(super) use text::{explain, list, print_stats};
