//! Scanning files with rules: where rules come from, what they find, which findings count, and their fixes.

mod answer;
mod baseline;
mod convert;
mod findings;
mod fixer;
mod foreign_languages;
mod lines;
mod loaded;
mod packs;
pub(crate) mod read_rules;
mod ready;
mod same_names;
mod scanner;
mod test_foreign;
mod test_rules;
