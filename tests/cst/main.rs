//! One test binary: a file per subject.

mod finding;
mod languages;
mod oracle;
mod outline;
mod python;
mod spec_pseudo_classes;
mod spec_selectors;
