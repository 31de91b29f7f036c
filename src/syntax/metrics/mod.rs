//! Numbers of functions: complexity, nesting, statements, lines of code. docs/metrics.md says what each counts.
//!
//! [`Counts`] are those of all functions of a file, from one walk over its table; the language's data says which nodes count.
//! [`Lines`] says which lines hold code and which hold comments.

mod counts;
mod lines;
mod measure;
mod measures;
mod numbers;
mod variables;

pub use counts::Counts;
pub use lines::Lines;
pub use measure::Measure;
pub use measures::Measures;
pub use numbers::Numbers;
pub use variables::Variables;
