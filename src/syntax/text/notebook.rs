//! Notebooks: the code in the cells of a JSON file as one text, and the bytes of the file after edits of it.
//!
//! Where the file has each line of code on a line of its own, as programs write it, the text has as many lines as the file, and code is in
//! the same line of both; all other lines are empty. Otherwise the cells follow each other, with an empty line between them. Lines
//! that are not Python, such as `%matplotlib inline` and `!ls`, are a `pass` with a comment there, and cells in other languages are comments.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::span::Span;

/// The start of a line of a cell in another language in the text.
const FOREIGN: &str = "#~";
/// The start of a line that is for IPython: a statement, so that it is no comment of what follows.
const MAGIC: &str = "pass#~";

/// The cells of a notebook, and the file that they are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Notebook {
    raw: String,
    cells: Vec<Cell>,
    /// Whether an edit changed the text between cells, or code of two at once.
    is_broken: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    /// Where the code is in the text.
    code: Span,
    /// Where it is in the file: a list of strings, or one.
    stored: Span,
}

/// The part of a notebook that an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The code of a cell, by its number.
    Cell(usize),
    /// White space between cells.
    Space,
    /// The code of several cells, or what is in none.
    Nobody,
}

/// The difference that a length makes.
fn signed(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}

#[derive(Deserialize)]
struct File<'f> {
    #[serde(borrow)]
    cells: Vec<StoredCell<'f>>,
    nbformat: u64,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct StoredCell<'f> {
    cell_type: String,
    #[serde(borrow)]
    source: &'f RawValue,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: LanguageOf,
    #[serde(default)]
    language_info: LanguageOf,
}

#[derive(Default, Deserialize)]
struct LanguageOf {
    #[serde(default)]
    language: String,
    #[serde(default)]
    name: String,
}

/// The strings that are the source of a cell, each as it is written and as it reads.
fn pieces(source: &str) -> Result<Vec<(&str, String)>, String> {
    let raw: Vec<&RawValue> = match source.starts_with('[') {
        true => serde_json::from_str(source).map_err(|error| error.to_string())?,
        false => vec![serde_json::from_str(source).map_err(|error| error.to_string())?],
    };
    let read = |raw: &&'_ RawValue| serde_json::from_str::<String>(raw.get()).map_err(|error| error.to_string());
    raw.iter().map(|raw| Ok((raw.get(), read(raw)?))).collect()
}

impl Notebook {
    /// The text of the code in a file, and how it is stored.
    ///
    /// # Errors
    /// Why it is no notebook that can be read, in words.
    pub fn read(raw: &str) -> Result<(String, Notebook), String> {
        let file: File<'_> = serde_json::from_str(raw).map_err(|error| error.to_string())?;
        if file.nbformat < 4 {
            return Err(format!("its format is {}, and only 4 is read", file.nbformat));
        }
        let language = [&file.metadata.kernelspec.language, &file.metadata.language_info.name];
        let language = language.into_iter().find(|name| !name.is_empty()).map_or("python", String::as_str);
        if !matches!(language, "python" | "ipython" | "python3" | "python2") {
            return Err(format!("its code is in `{language}`, and only Python is read"));
        }
        let at = |part: &str| part.as_ptr() as usize - raw.as_ptr() as usize;
        let code = || file.cells.iter().filter(|cell| cell.cell_type == "code");
        let line_of = |offset: usize| raw[..offset].matches('\n').count();
        let mut sources = Vec::new();
        let mut is_by_lines = true;
        for cell in code() {
            let pieces = pieces(cell.source.get())?;
            let mut lines = pieces.iter().map(|(piece, _)| line_of(at(piece)));
            let first = lines.next();
            let first_of = first.unwrap_or_default();
            let is_apart = lines.zip(first_of + 1..).all(|(line, expected)| line == expected);
            let last = pieces.len().saturating_sub(1);
            let is_line = |(number, (_, text)): (usize, &(&str, String))| match text.split_once('\n') {
                Some((_, rest)) => rest.is_empty() && number < last,
                None => number == last,
            };
            is_by_lines &= is_apart && pieces.iter().enumerate().all(is_line);
            let source: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
            let first = first.unwrap_or_else(|| line_of(at(cell.source.get())));
            sources.push((source, first, at(cell.source.get()), cell.source.get().len()));
        }
        let (mut text, mut cells, mut lines) = (String::new(), Vec::new(), 0);
        for (source, first, stored, length) in sources {
            if is_by_lines {
                let empty = first.saturating_sub(lines);
                text.extend(std::iter::repeat_n('\n', empty));
                lines += empty;
            } else if !text.is_empty() {
                text.push_str("\n\n");
            }
            let shown = shown(&source);
            if stored_code(&shown) != source {
                return Err(format!("it has lines that begin with `{FOREIGN}` or `{MAGIC}`"));
            }
            let code = Span::new(text.len(), text.len() + shown.len());
            lines += shown.matches('\n').count();
            text.push_str(&shown);
            cells.push(Cell { code, stored: Span::new(stored, stored + length) });
        }
        let rest = raw.matches('\n').count().saturating_sub(lines);
        text.extend(std::iter::repeat_n('\n', if is_by_lines { rest } else { 1 }));
        Ok((text, Notebook { raw: raw.to_owned(), cells, is_broken: false }))
    }

    /// The notebook after edits of its text: a span, and its new text.
    pub fn edited(&self, edits: &[(Span, &str)]) -> Notebook {
        let owners: Vec<Owner> = edits.iter().map(|&(span, text)| self.owner(span, text)).collect();
        let mut next = self.clone();
        next.is_broken |= owners.contains(&Owner::Nobody);
        for (number, now) in next.cells.iter_mut().enumerate() {
            let code = now.code;
            let (mut before, mut inside) = (0_isize, 0_isize);
            for (&(span, text), owner) in edits.iter().zip(&owners) {
                let (from, to, new) = (span.start(), span.end(), signed(text.len()));
                if *owner == Owner::Cell(number) {
                    // What it takes beside the cell is white space, which is none of it.
                    let (start, end) = (from.max(code.start()), to.min(code.end()));
                    let ends_line = to > code.end() && text.ends_with('\n');
                    before -= signed(code.start().saturating_sub(from));
                    inside += new - signed(end.saturating_sub(start)) - isize::from(ends_line);
                } else if to <= code.start() {
                    before += new - signed(span.len());
                }
            }
            let start = code.start().saturating_add_signed(before);
            now.code = Span::new(start, (start + code.len()).saturating_add_signed(inside).max(start));
        }
        next
    }

    /// The cell whose code an edit changes.
    fn owner(&self, span: Span, text: &str) -> Owner {
        let (from, to) = (span.start(), span.end());
        let cells = || self.cells.iter().enumerate();
        let mut changed = cells().filter(|(_, cell)| cell.code.start() < to && from < cell.code.end());
        match (changed.next(), changed.next()) {
            (Some((number, _)), None) => Owner::Cell(number),
            (Some(_), Some(_)) => Owner::Nobody,
            (None, _) if text.trim().is_empty() => Owner::Space,
            // New code at the end or the start of a cell.
            (None, _) => match cells().find(|(_, cell)| from <= cell.code.end() && cell.code.start() <= to) {
                Some((number, _)) => Owner::Cell(number),
                None => Owner::Nobody,
            },
        }
    }

    /// The bytes of the file with this text; `None` if it is no longer known which code belongs to which cell.
    pub fn write(&self, text: &str) -> Option<String> {
        if self.is_broken {
            return None;
        }
        let mut written = String::with_capacity(self.raw.len());
        let mut at = 0;
        for cell in &self.cells {
            let stored = &self.raw[cell.stored.start()..cell.stored.end()];
            let code = stored_code(text.get(cell.code.start()..cell.code.end())?);
            written.push_str(&self.raw[at..cell.stored.start()]);
            at = cell.stored.end();
            let pieces = pieces(stored).ok()?;
            let before: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
            if before == code {
                written.push_str(stored);
            } else {
                written.push_str(&self.stored(stored, &pieces, &code, cell.stored.start()));
            }
        }
        written.push_str(&self.raw[at..]);
        Some(written)
    }

    /// New code in the form that the old has in the file.
    fn stored(&self, stored: &str, pieces: &[(&str, String)], code: &str, start: usize) -> String {
        // What is outside of ASCII is written as the file has it.
        let is_ascii = self.raw.is_ascii() && self.raw.contains("\\u");
        if !stored.starts_with('[') {
            return json(code, is_ascii);
        }
        if code.is_empty() {
            return "[]".to_owned();
        }
        let line = self.raw[..start].rsplit('\n').next().unwrap_or_default();
        let margin: String = line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
        let is_long = pieces.is_empty() && line.len() < start;
        let offset = |piece: &str| piece.as_ptr() as usize - stored.as_ptr() as usize;
        let (open, close) = match (pieces.first(), pieces.last()) {
            (Some((first, _)), Some((last, _))) => {
                (stored[1..offset(first)].to_owned(), stored[offset(last) + last.len()..stored.len() - 1].to_owned())
            }
            _ if is_long => (format!("\n{margin} "), format!("\n{margin}")),
            _ => (String::new(), String::new()),
        };
        // Lines that are as before keep their bytes.
        let mut rest = pieces.iter();
        let lines: Vec<String> = code
            .split_inclusive('\n')
            .map(|line| {
                let known = rest.clone().position(|(_, text)| text == line);
                let piece = known.and_then(|at| rest.nth(at));
                piece.map_or_else(|| json(line, is_ascii), |(piece, _)| (*piece).to_owned())
            })
            .collect();
        let between = match pieces {
            [(first, _), (second, _), ..] => stored[offset(first) + first.len()..offset(second)].to_owned(),
            _ if open.contains('\n') => format!(",{open}"),
            _ => ", ".to_owned(),
        };
        format!("[{open}{}{close}]", lines.join(&between))
    }

    /// The offset in the file of an offset in its text, which has not been edited.
    pub fn offset(&self, text: &str, place: usize) -> usize {
        let Some(cell) = self.cells.iter().rev().find(|cell| cell.code.start() <= place) else {
            return self.cells.first().map_or(self.raw.len(), |cell| cell.stored.start());
        };
        if place > cell.code.end() {
            return cell.stored.end();
        }
        // As long as the code in front of the place is when it is written.
        let stored = &self.raw[cell.stored.start()..cell.stored.end()];
        let mut wanted = stored_code(&text[cell.code.start()..place]).len();
        for (raw, read) in pieces(stored).unwrap_or_default() {
            let start = cell.stored.start() + (raw.as_ptr() as usize - stored.as_ptr() as usize);
            if wanted < read.len() || wanted == read.len() && !read.ends_with('\n') {
                return start + 1 + raw_length(&raw[1..], &read[..wanted]);
            }
            wanted -= read.len();
        }
        cell.stored.end()
    }
}

/// How many bytes of a string in JSON, from its first letter on, are the start of what it reads as.
fn raw_length(raw: &str, start: &str) -> usize {
    let mut at = 0;
    for letter in start.chars() {
        at += match raw[at..].strip_prefix('\\') {
            None => letter.len_utf8(),
            Some(rest) if rest.starts_with('u') => 6 * letter.len_utf16(),
            Some(_) => 2,
        };
    }
    at
}

/// A string in JSON.
fn json(text: &str, is_ascii: bool) -> String {
    let written = serde_json::Value::from(text).to_string();
    if !is_ascii {
        return written;
    }
    let mut ascii = String::new();
    for letter in written.chars() {
        if letter.is_ascii() {
            ascii.push(letter);
        } else {
            let units =
                letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            ascii.push_str(&units);
        }
    }
    ascii
}

/// Whether a cell is code of another program: `%%bash`, `%%html`.
fn is_foreign(source: &str) -> bool {
    const OF_PYTHON: [&str; 7] = ["time", "timeit", "capture", "prun", "python", "python3", "debug"];
    let first = source.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let name = first.strip_prefix("%%").map(|rest| rest.split_whitespace().next().unwrap_or_default());
    name.is_some_and(|name| !OF_PYTHON.contains(&name))
}

/// Whether a line is for IPython, not for Python.
fn is_magic(line: &str) -> bool {
    let trimmed = line.trim();
    let begins = |sign: char| {
        trimmed
            .strip_prefix(sign)
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_alphabetic() || letter == sign))
    };
    let is_name = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    let asks = || {
        let name = trimmed.trim_end_matches('?');
        trimmed.ends_with('?') && !name.is_empty() && is_name(name)
    };
    let assigned = || {
        trimmed.split_once('=').is_some_and(|(name, value)| {
            let is_target =
                name.trim_end().chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ',' | ' '));
            let value = value.trim_start();
            is_target
                && (value.starts_with('!')
                    || value.strip_prefix('%').is_some_and(|rest| rest.starts_with(char::is_alphabetic)))
        })
    };
    begins('%') || trimmed.starts_with('!') || trimmed.starts_with('?') || asks() || assigned()
}

/// The code of a cell as the text has it.
fn shown(source: &str) -> String {
    let is_foreign = is_foreign(source);
    let line = |line: &str| {
        if is_foreign {
            return format!("{FOREIGN}{line}");
        }
        let code = line.trim_start_matches([' ', '\t']);
        match is_magic(line) {
            true => format!("{}{MAGIC}{code}", &line[..line.len() - code.len()]),
            false => line.to_owned(),
        }
    };
    source.split_inclusive('\n').map(line).collect()
}

/// The code of a cell as the file has it.
fn stored_code(shown: &str) -> String {
    let line = |line: &str| {
        let code = line.trim_start_matches([' ', '\t']);
        match (line.strip_prefix(FOREIGN), code.strip_prefix(MAGIC)) {
            (Some(rest), _) => rest.to_owned(),
            (None, Some(rest)) => format!("{}{rest}", &line[..line.len() - code.len()]),
            (None, None) => line.to_owned(),
        }
    };
    shown.split_inclusive('\n').map(line).collect()
}
