//! `search`: definitions by the words in them.

use clap::Args;

use crate::request::{ScoreParts, SearchLine, SearchMode, SearchRequest, SearchRow};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, KIND, MATCH, NUMBER, Printer};
use super::project::ProjectArgs;
use super::report::{self, plural};

/// Searches a project by words, the best definitions first
///
/// Names are split into their words (`parseHTTPResponse` has `parse`, `http` and `response`), and words are compared without their
/// endings. A word counts most in a name, less in a signature, least in documentation and comments. Answers are always current: files
/// that changed are read again.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Search {
    /// Words; `"a phrase"`, `-without`, `begin*`, `kind:class`, `lang:go`, `path:src/**`, `in:Server`
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Only what is in this file or folder; all files of the project around it are searched [default: the working directory]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    /// List at most N definitions
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Search by words alone, even if there are vectors
    #[arg(long, conflicts_with = "semantic")]
    lexical: bool,
    /// Search by meaning alone; `cst index --embed MODEL` makes the vectors
    #[arg(long)]
    semantic: bool,
    /// Show how each score is computed
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    project: ProjectArgs,
}

const EXAMPLES: &str = "\
Examples:
  cst search rotate csrf token
  cst search 'retry kind:function -test path:src/**'
  cst search '\"connection refused\"' --folder ../server";

impl Search {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(self.folder.as_ref(), caller)?;
        let request = SearchRequest {
            query: self.words.join(" "),
            targets,
            limit: Some(self.limit),
            mode: match (self.lexical, self.semantic) {
                (true, _) => Some(SearchMode::Lexical),
                (_, true) => Some(SearchMode::Semantic),
                _ => None,
            },
            explain: self.explain,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => {
                found.results.iter().try_for_each(|row| printer.json(row))?;
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
            }
            Format::Text => {
                for row in &found.results {
                    print(row, &mut printer)?;
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                if let Some(note) = &found.note {
                    printer.note(note)?;
                }
                if found.without_vectors > 0 {
                    let files = plural(found.without_vectors, "file");
                    printer.note(format!(
                        "{files} without vectors, searched by words alone (`cst index --embed MODEL`)"
                    ))?;
                }
                if found.results.is_empty() {
                    printer.note("no definition has these words")?;
                } else if found.truncated {
                    printer.note("there are more (raise --limit, or add words)")?;
                }
            }
        }
        drop(printer);
        Ok(Exit::when(!found.results.is_empty()).unless_failed(&found.skipped))
    }
}

/// `path:line:col  kind  signature`, and the lines that fit.
fn print(row: &SearchRow, printer: &mut Printer) -> Result<(), Failure> {
    let symbol = &row.symbol;
    let place = printer.place(&symbol.path, symbol.line, symbol.col);
    let is_nested = row.signature.is_empty() || symbol.qualname.contains('.');
    let scope = if is_nested { symbol.qualname.as_str() } else { "" };
    let parts = [printer.paint(KIND, &symbol.kind), scope.to_owned(), row.signature.clone()];
    let shown: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    printer.line(format!("{place}  {}", shown.join("  ")))?;
    for line in &row.lines {
        let text = format!("    {}: {}", printer.paint(NUMBER, line.line), marked(line, printer));
        printer.line(text)?;
    }
    if let Some(ScoreParts {
        name,
        scope,
        signature,
        documentation,
        body,
        order,
        lexical_rank,
        semantic_rank,
        similarity,
        ..
    }) = row.parts
    {
        // A sum of reciprocal places is small.
        let score = match semantic_rank.or(lexical_rank) {
            Some(_) => format!("{:.4}", row.score),
            None => format!("{:.2}", row.score),
        };
        printer.line(format!(
            "    score {}: name {name:.2}, scope {scope:.2}, signature {signature:.2}, documentation {documentation:.2}, \
             code {body:.2}, order {order:.2}",
            score
        ))?;
        if lexical_rank.is_some() || semantic_rank.is_some() {
            let place = |rank: Option<usize>| rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
            let cosine = similarity.map_or_else(String::new, |cosine| format!(" (cosine {cosine:.3})"));
            let (words, meaning) = (place(lexical_rank), place(semantic_rank));
            printer.line(format!("    place by words {words}, by meaning {meaning}{cosine}"))?;
        }
    }
    Ok(())
}

/// A line with the words of the query in colour.
fn marked(line: &SearchLine, printer: &Printer) -> String {
    let letters: Vec<char> = line.text.chars().collect();
    let mut text = String::new();
    let mut at = 0;
    for &(start, end) in &line.marks {
        let (start, end) = ((start - 1).min(letters.len()), (end - 1).min(letters.len()));
        text.extend(&letters[at..start.max(at)]);
        let word: String = letters[start.max(at)..end.max(at)].iter().collect();
        text.push_str(&printer.paint(MATCH, word));
        at = end.max(at);
    }
    text.extend(&letters[at..]);
    text
}
