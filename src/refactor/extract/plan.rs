//! Extraction to a function or a variable: the range of a request, and the plan.

use crate::flow::{Reason, Refusal};
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{Extracted, extract_function, extract_variable};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{ExtractFunction, ExtractVariable, RefactorOptions};
use crate::symbols::Site;
use crate::text::{Position, Span};
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// The name of an extraction, and the place of its code.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    range: &'a str,
}

impl OneStep for ExtractFunction {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let limits = limits(&options.reading);
        let named = Named { name: &self.to, range: &self.range };
        let extract = |tree: &Tree, file, span| extract_function(tree, file, span, &self.to, &limits);
        workspace.plan_extraction(named, extract)
    }
}

impl OneStep for ExtractVariable {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let limits = limits(&options.reading);
        let named = Named { name: &self.to, range: &self.range };
        let extract = |tree: &Tree, file, span| extract_variable(tree, file, span, (&self.to, self.all), &limits);
        workspace.plan_extraction(named, extract)
    }
}

impl Workspace<'_> {
    /// Plans an extraction from the range that a request names.
    ///
    /// # Errors
    /// If the range is not code that can be moved, or the program would not do the same.
    fn plan_extraction(
        &self,
        named: Named<'_>,
        extract: impl Fn(&Tree, FileId, Span) -> Result<Extracted, Refusal>,
    ) -> Result<Planned, EngineError> {
        if named.range.is_empty() || named.name.is_empty() {
            let error = EngineError::bad_request("an extraction takes a name and a range");
            return Err(error.hint("a range is `PATH:LINE`, `PATH:LINE-LINE` or `PATH:LINE:COL-LINE:COL`"));
        }
        let (file, range) = self.range(named.range)?;
        let tree = self.whole_tree(file)?;
        let name = named.name;
        // The last column may be given as the last one of the code, or as the one after it.
        let ranges = range.spans(&tree)?;
        let extract = |span: Span| extract(&tree, file, span);
        let is_wrong = |done: &Result<Extracted, Refusal>| matches!(done, Err(Refusal { reason: Reason::Request, .. }));
        let mut done = extract(ranges.0);
        if let Some(other) = ranges.1.filter(|_| is_wrong(&done)) {
            done = Some(extract(other)).filter(|other| !is_wrong(other)).unwrap_or(done);
        }
        let extracted = done.map_err(|refusal| self.refused(file, refusal))?;
        let Extracted { outcome, followed, notes, from, class, places } = extracted;
        if let Some(class) = class {
            self.refuse_member(Site { file, name: tree.name_node(class).unwrap_or(class) }, name)?;
        }
        let owner = self.resolve(|resolver| {
            let name = tree.name_node(from).unwrap_or(from);
            let inside = tree.body(from).unwrap_or(name);
            resolver.describe(resolver.owner(file, inside))
        });
        Ok(Planned {
            definitions: owner.into_iter().collect(),
            files: vec![(file, tree, outcome)],
            words: vec![name.to_owned()],
            new_name: name.to_owned(),
            followed: vec![followed],
            counts: (places, 0),
            notes,
            ..Planned::default()
        })
    }

    /// The tree of a file.
    pub(crate) fn whole_tree(&self, file: FileId) -> Result<Tree, EngineError> {
        let tree = self.resolve(|resolver| resolver.tree(file).cloned());
        tree.ok_or_else(|| EngineError::new(ErrorCode::NotFound, "the file cannot be read").path(self.shown(file)))
    }

    /// The file and the places of a range.
    fn range(&self, text: &str) -> Result<(FileId, Range), EngineError> {
        let wrong = || {
            let error = EngineError::bad_request(format!("`{text}` is not a range"));
            error.hint("a range is `PATH:LINE`, `PATH:LINE-LINE` or `PATH:LINE:COL-LINE:COL`")
        };
        let (head, end) = match text.rsplit_once('-') {
            Some((head, end))
                if end.starts_with(|first: char| first.is_ascii_digit())
                    && end.chars().all(|letter| letter.is_ascii_digit() || letter == ':') =>
            {
                (head, Some(end))
            }
            _ => (text, None),
        };
        let number = |word: &str| word.parse::<usize>().ok().filter(|&number| number > 0);
        let (rest, last) = head.rsplit_once(':').ok_or_else(wrong)?;
        let last = number(last).ok_or_else(wrong)?;
        let (path, start) = match rest.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?))) {
            Some((path, line)) => (path, (line, Some(last))),
            None => (rest, (last, None)),
        };
        let end = match end.map(|end| end.split_once(':').map_or((end, None), |(line, col)| (line, Some(col)))) {
            None => None,
            Some((line, col)) => {
                let col = col.map(|col| number(col).ok_or_else(wrong)).transpose()?;
                Some((number(line).ok_or_else(wrong)?, col))
            }
        };
        let file = self.file_at(path).ok_or_else(|| {
            let message = format!("`{path}` is not a file of the project, or its language has no data about names");
            EngineError::new(ErrorCode::NotFound, message).hint("paths are relative to the working directory")
        })?;
        Ok((file, Range { start, end }))
    }

    /// The error for code that is not moved.
    pub(crate) fn refused(&self, file: FileId, refusal: Refusal) -> EngineError {
        let Refusal { reason, start, why, hint } = refusal;
        let code = match &reason {
            Reason::Request => ErrorCode::BadRequest,
            Reason::Unsafe => ErrorCode::Undetermined,
            Reason::Rebinds => ErrorCode::WouldRebind,
            Reason::Edit(error) => {
                return EngineError::new(ErrorCode::from(&**error), error.to_string()).path(self.shown(file));
            }
        };
        let row = self.place_row(file, start, why);
        let message = format!("{}:{}:{}: {}", row.path, row.line, row.col, row.why);
        let mut error = EngineError::new(code, message);
        if let Some(hint) = hint {
            error = error.hint(hint);
        }
        error.details.places = vec![row];
        error
    }

    /// Refuses the name of a new member that the class, one above or one below it has.
    fn refuse_member(&self, class: Site, name: &str) -> Result<(), EngineError> {
        let below = self.classes_below(&[class])?;
        let taken = self.resolve(|resolver| {
            let all = [class].into_iter().chain(below.iter().map(|below| below.class));
            all.filter_map(|class| resolver.found_member(class, name)).next()
        });
        let Some(taken) = taken else { return Ok(()) };
        let start = self.resolve(|resolver| resolver.tree(taken.file).map_or(0, |tree| tree.span(taken.name).start()));
        let why = format!("`{name}` is already a member of the class, or of one above or below it");
        let row: PlaceRow = self.place_row(taken.file, start, why);
        let message = format!("{}:{}:{}: {}", row.path, row.line, row.col, row.why);
        let mut error = EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name");
        error.details.places = vec![row];
        Err(error)
    }
}

/// Lines and columns from 1.
struct Range {
    start: (usize, Option<usize>),
    end: Option<(usize, Option<usize>)>,
}

impl Range {
    /// The span, and the one that it may mean, too.
    fn spans(&self, tree: &Tree) -> Result<(Span, Option<Span>), EngineError> {
        let text = tree.text();
        let lines = text.line_count();
        let (line, col) = self.start;
        let (end_line, end_col) = self.end.unwrap_or((line, None));
        if line > lines || end_line > lines || end_line < line {
            let message = format!("the range is not in the file, which has {lines} lines");
            return Err(EngineError::bad_request(message));
        }
        let offset = |line: usize, col: usize| {
            let whole = text.line_span(line);
            let position = Position::counted(line, col);
            position.and_then(|position| text.offset(position)).unwrap_or(whole.end()).min(whole.end())
        };
        let start = col.map_or(text.line_span(line).start(), |col| offset(line, col));
        let span = |end: usize| Span::new(start.min(end), end);
        Ok(match end_col {
            None => (span(text.line_span(end_line).end()), None),
            Some(col) => (span(offset(end_line, col)), Some(span(offset(end_line, col + 1)))),
        })
    }
}
