//! `metrics`: complexity, nesting and sizes of functions and files.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::engine::core::Begun;
use crate::metrics::{Measure, Measures};
use crate::project::Sink;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::request::error::EngineError;
use crate::request::metrics_messages::{
    FileMetrics, FunctionMetrics, LanguageMetrics, MetricsRequest, MetricsResponse, NumberRow,
};
use crate::request::report::FilesReport;
use crate::tree::{Node, Tree};

/// Counts for one file.
struct Counter;

/// A file with its functions.
struct Counted {
    file: FileMetrics,
    functions: Vec<FunctionMetrics>,
}

/// Counts for trees, files, folders and texts.
///
/// # Errors
/// When a target is wrong.
pub(crate) fn count(request: &MetricsRequest, engine: &Begun<'_>) -> Result<MetricsResponse, EngineError> {
    let mut report = FilesReport::default();
    let searched = engine.resolve_targets(&request.targets, &request.reading, &mut report)?;
    let (mut functions, mut files) = (Vec::new(), Vec::new());
    let mut languages: BTreeMap<String, LanguageMetrics> = BTreeMap::new();
    engine.visit(&searched, &request.reading, &Counter, &mut report, |counted: Counted, _| {
        add_file(languages.entry(counted.file.language.clone()).or_default(), &counted.file);
        functions.extend(counted.functions);
        if request.files {
            files.push(counted.file);
        }
        Ok(true)
    })?;
    let measure = request.sort.unwrap_or(Measure::Complexity);
    let top = request.top.unwrap_or(usize::MAX);
    // The sort is stable: rows with the same number stay in the order of their files and lines.
    functions.sort_by_key(|row| Reverse(row.numbers.of(measure)));
    files.sort_by_key(|row| Reverse(row.numbers.of(measure)));
    let more_functions = functions.len().saturating_sub(top);
    let more_files = files.len().saturating_sub(top);
    functions.truncate(top);
    files.truncate(top);
    let mut languages: Vec<LanguageMetrics> = languages.into_values().collect();
    languages.sort_by_key(|row| Reverse(row.numbers.code_lines));
    let FilesReport { skipped, unknown_language, .. } = report;
    Ok(MetricsResponse { functions, files, languages, more_functions, more_files, skipped, unknown_language })
}

impl FileVisitor for Counter {
    type Found = Counted;

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, Counted>) -> Result<(), EngineError> {
        // About what a function takes beside its texts.
        const FUNCTION: usize = 250;
        let path = seen.path.as_deref().unwrap_or("-");
        let functions: Vec<FunctionMetrics> =
            seen.documents().flat_map(|document| count_functions(&document.tree, path)).collect();
        let file = count_file(&seen.document.tree, path, &functions);
        let weight = FUNCTION * (1 + functions.len());
        send(Counted { file, functions }, weight);
        Ok(())
    }
}

/// The functions of a tree with their numbers.
fn count_functions(tree: &Tree, path: &str) -> Vec<FunctionMetrics> {
    let measures = Measures::new(tree);
    let row = |node: Node| {
        let (start, end) = (tree.start(node), tree.lines(node).1);
        FunctionMetrics {
            path: path.to_owned(),
            language: tree.language().name().to_owned(),
            qualname: tree.qualname(node),
            start_line: start.line,
            start_col: start.col(),
            end_line: end,
            params: tree.params(node).unwrap_or_default(),
            numbers: numbers(&measures, node),
        }
    };
    measures.functions().into_iter().map(row).collect()
}

fn numbers(measures: &Measures<'_>, node: Node) -> NumberRow {
    let of = |measure| measures.of(node, measure).unwrap_or_default();
    NumberRow {
        complexity: of(Measure::Complexity),
        cognitive: of(Measure::Cognitive),
        nesting: of(Measure::Nesting),
        statements: of(Measure::Statements),
        returns: of(Measure::Returns),
        branches: of(Measure::Branches),
        locals: of(Measure::Locals),
        comments: of(Measure::Comments),
        code_lines: of(Measure::CodeLines),
    }
}

/// A file with the sums over its functions.
fn count_file(tree: &Tree, path: &str, functions: &[FunctionMetrics]) -> FileMetrics {
    let measures = Measures::new(tree);
    let lines = |measure| measures.of(Node::ROOT, measure).unwrap_or_default();
    let mut numbers = NumberRow::default();
    functions.iter().for_each(|row| add(&mut numbers, &row.numbers));
    numbers.comments = lines(Measure::Comments);
    numbers.code_lines = lines(Measure::CodeLines);
    FileMetrics {
        path: path.to_owned(),
        language: tree.language().name().to_owned(),
        lines: tree.text().line_count(),
        functions: functions.len(),
        max_complexity: functions.iter().map(|row| row.numbers.complexity).max().unwrap_or_default(),
        max_cognitive: functions.iter().map(|row| row.numbers.cognitive).max().unwrap_or_default(),
        numbers,
    }
}

fn add_file(sum: &mut LanguageMetrics, file: &FileMetrics) {
    sum.language.clone_from(&file.language);
    sum.files += 1;
    sum.lines += file.lines;
    sum.functions += file.functions;
    sum.max_complexity = sum.max_complexity.max(file.max_complexity);
    sum.max_cognitive = sum.max_cognitive.max(file.max_cognitive);
    add(&mut sum.numbers, &file.numbers);
}

fn add(sum: &mut NumberRow, row: &NumberRow) {
    sum.complexity += row.complexity;
    sum.cognitive += row.cognitive;
    sum.nesting = sum.nesting.max(row.nesting);
    sum.statements += row.statements;
    sum.returns += row.returns;
    sum.branches += row.branches;
    sum.locals += row.locals;
    sum.comments += row.comments;
    sum.code_lines += row.code_lines;
}
