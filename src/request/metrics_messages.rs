//! The question about the numbers of functions, and its answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::metrics::Measure;
use crate::request::fields::{is_false, is_zero, some_or_all};
use crate::request::report::Skipped;
use crate::request::requests::{Reading, Target};

/// Complexity, nesting and sizes of functions and files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct MetricsRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// The number by which functions and files are sorted, the largest first; default: `complexity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Measure>,
    /// List at most so many functions, and so many files; default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    /// Whether files are listed, too.
    #[serde(skip_serializing_if = "is_false")]
    pub files: bool,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// The numbers of functions, of files, and of all files in a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MetricsResponse {
    /// The functions, the largest by `sort` first.
    pub functions: Vec<FunctionMetrics>,
    /// The files, the largest by `sort` first, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileMetrics>,
    /// The languages, those with the most code first.
    pub languages: Vec<LanguageMetrics>,
    /// How many functions were left out.
    pub more_functions: usize,
    /// How many files were left out.
    pub more_files: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Number of files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// The numbers of a function, or their sums over functions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NumberRow {
    /// McCabe's cyclomatic complexity.
    pub complexity: usize,
    /// Cognitive complexity.
    pub cognitive: usize,
    /// How deep control structures are nested; of several functions, the largest.
    pub nesting: usize,
    /// Statements.
    pub statements: usize,
    /// Statements that return.
    pub returns: usize,
    /// Branches.
    pub branches: usize,
    /// Variables, parameters among them.
    pub locals: usize,
    /// Lines that hold a comment.
    pub comments: usize,
    /// Lines that hold code.
    pub code_lines: usize,
}

impl NumberRow {
    /// One of the numbers.
    pub fn of(&self, measure: Measure) -> usize {
        match measure {
            Measure::Complexity => self.complexity,
            Measure::Cognitive => self.cognitive,
            Measure::Nesting => self.nesting,
            Measure::Statements => self.statements,
            Measure::Returns => self.returns,
            Measure::Branches => self.branches,
            Measure::Locals => self.locals,
            Measure::Comments => self.comments,
            Measure::CodeLines => self.code_lines,
        }
    }
}

/// A function with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FunctionMetrics {
    /// The file.
    pub path: String,
    /// Its language.
    pub language: String,
    /// The qualified name of the function, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualname: Option<String>,
    /// Where it begins, counted from 1.
    pub start_line: usize,
    /// The column, counted from 1.
    pub start_col: usize,
    /// Its last line.
    pub end_line: usize,
    /// How many parameters it has.
    pub params: usize,
    /// Its numbers.
    #[serde(flatten)]
    pub numbers: NumberRow,
}

/// A file with the numbers of its functions, summed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FileMetrics {
    /// The file.
    pub path: String,
    /// Its language.
    pub language: String,
    /// How many lines it has.
    pub lines: usize,
    /// How many functions it has.
    pub functions: usize,
    /// The largest complexity of a function.
    pub max_complexity: usize,
    /// The largest cognitive complexity of a function.
    pub max_cognitive: usize,
    /// The sums over its functions; lines are those of the file.
    #[serde(flatten)]
    pub numbers: NumberRow,
}

/// The numbers of all files in a language.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LanguageMetrics {
    /// The language.
    pub language: String,
    /// How many files there are.
    pub files: usize,
    /// How many lines they have.
    pub lines: usize,
    /// How many functions they have.
    pub functions: usize,
    /// The largest complexity of a function.
    pub max_complexity: usize,
    /// The largest cognitive complexity of a function.
    pub max_cognitive: usize,
    /// The sums over the functions; lines are those of the files.
    #[serde(flatten)]
    pub numbers: NumberRow,
}
