//! Code on its way into a text: lines without their common indentation, ready to be indented again.

use super::copied::{self, Columns, Copy};
use super::draft::Draft;
use super::extent::{self, Documentation};
use super::indent;
use super::lines::{self, trim};
use super::snippet::ParsedSnippet;
use super::structure;
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Tree};

/// A piece of code: the code of an operation, or the text of a moved node.
#[derive(Debug, Clone, Default)]
pub(super) struct Fragment {
    lines: Vec<Line>,
    /// One level of its own indentation, if it is to be converted to the file's style.
    unit: Option<String>,
    shape: Shape,
    /// Repeats lines of the replaced text.
    is_copy: bool,
}

/// Properties of the code on its own.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// Its first statement is a definition.
    pub(super) starts_with_definition: bool,
    /// Which comments above it would become documentation of its first statement.
    pub(super) documentation: Documentation,
    /// Its last statement is a definition.
    pub(super) ends_with_definition: bool,
    /// It needs lines of its own: several lines, or a statement with a body.
    pub(super) needs_lines: bool,
    /// It contains only comments.
    pub(super) only_comments: bool,
    /// It contains only what precedes a definition: attributes.
    pub(super) only_leading: bool,
    /// It makes sense on its own.
    pub(super) is_sound: bool,
}

#[derive(Debug, Clone)]
struct Line {
    /// Indentation beyond the common one; empty for a line that is never indented.
    indentation: String,
    text: String,
    /// Starts in a string, or is blank: stays as it is.
    fixed: bool,
    /// Already has the indentation of the file.
    placed: bool,
    /// Place of the text in the old tree, for a line that moves.
    from: Option<usize>,
    ending: String,
}

impl Fragment {
    /// The code of an operation. `base` is the indentation of its new place. Lines after the first may already have it,
    /// if the code was copied from the file without its first indentation.
    pub(super) fn from_code(tree: &Tree, code: &str, base: &str, unit: &str, limits: &ParseLimits) -> Fragment {
        let newline = tree.text().newline();
        let code = trim(code);
        let dedented = naively_dedented(code);
        let reading = ParsedSnippet::sound(tree.language(), &dedented, limits);
        let reading =
            reading.or_else(|| ParsedSnippet::sound(tree.language(), code, limits).filter(|_| dedented != code));
        let reading = reading.or_else(|| ParsedSnippet::any(tree.language(), &dedented, limits));
        let mut lines = split(code, newline);
        for index in reading.iter().flat_map(|reading| lines_in_strings(&reading.tree)) {
            if let Some(line) = lines.get_mut(index) {
                line.fixed = true;
            }
        }
        let own = reading.as_ref().and_then(|reading| own_unit(&reading.tree)).or_else(|| likely_unit(&lines));
        let copied = without_first_indentation(tree, &lines, base, limits);
        let ends = &tree.language().spec().body_ends.texts;
        dedent(&mut lines, base, &Style { unit, own: own.as_deref(), copied, ends });
        let shape = reading.as_ref().map_or(Shape::default(), shape_of);
        let needs_lines = shape.needs_lines || lines.len() > 1;
        Fragment { lines, unit: own, shape: Shape { needs_lines, ..shape }, is_copy: false }
    }

    /// Code that replaces the text in `span`. Lines that it repeats keep their bytes, whether the code has the columns
    /// of the file, with or without its first indentation, or is at the left margin.
    pub(super) fn replacing(
        tree: &Tree,
        span: Span,
        code: &str,
        (base, unit): (&str, &str),
        limits: &ParseLimits,
    ) -> Fragment {
        Fragment::copying(tree, span, code, limits).unwrap_or_else(|| {
            let mut fragment = Fragment::from_code(tree, code, base, unit, limits);
            // The replaced text starts after the indentation of its line.
            if let Some(first) = fragment.lines.first_mut() {
                first.indentation.clear();
            }
            fragment
        })
    }

    /// Code that repeats lines of the text in `span`; `None` if all of it is new.
    pub(super) fn copying(tree: &Tree, span: Span, code: &str, limits: &ParseLimits) -> Option<Fragment> {
        let lines = copied::code_lines(code);
        let copy = copied::copy_of(tree, span, &lines, limits)?;
        let base = lines::indentation(tree.text(), span.start());
        Some(Fragment::from_copy(tree, &lines, (&base, &copy), limits))
    }

    fn from_copy(
        tree: &Tree,
        code: &[copied::CodeLine<'_>],
        (base, copy): (&str, &Copy),
        limits: &ParseLimits,
    ) -> Fragment {
        let newline = tree.text().newline();
        let of_file = copy.columns == Columns::OfFile;
        let at_margin = |(index, (indentation, content)): (usize, &copied::CodeLine<'_>)| match index {
            0 => (*content).to_owned(),
            _ if of_file => format!("{}{content}", indentation.strip_prefix(base).unwrap_or(indentation)),
            _ => format!("{indentation}{content}"),
        };
        let source: Vec<String> = code.iter().enumerate().map(at_margin).collect();
        let reading = ParsedSnippet::any(tree.language(), &source.join("\n"), limits);
        let in_strings: Vec<usize> = reading.iter().flat_map(|reading| lines_in_strings(&reading.tree)).collect();
        let line =
            |(index, (&(indentation, content), same)): (usize, (&copied::CodeLine<'_>, &Option<copied::Original>))| {
                let mut line = Line {
                    indentation: if index == 0 { String::new() } else { indentation.to_owned() },
                    text: content.to_owned(),
                    fixed: false,
                    placed: of_file || in_strings.contains(&index),
                    from: None,
                    ending: newline.to_owned(),
                };
                if let Some(was) = &copy.indentations[index] {
                    let is_at_margin = was.strip_prefix(base).unwrap_or(was) == indentation;
                    if index > 0 && !line.placed && is_at_margin && (same.is_some() || !content.is_empty()) {
                        line.indentation.clone_from(was);
                        line.placed = true;
                    }
                }
                if let Some(ending) = copy.endings[index].as_ref().filter(|ending| !ending.is_empty()) {
                    line.ending.clone_from(ending);
                }
                line.fixed = line.text.is_empty() && !line.placed;
                line
            };
        let lines = code.iter().zip(&copy.same).enumerate().map(line).collect();
        let shape = reading.as_ref().map_or(Shape::default(), shape_of);
        Fragment { lines, unit: None, shape: Shape { needs_lines: true, ..shape }, is_copy: true }
    }

    /// Whether it repeats lines of the replaced text, and so goes on the same lines.
    pub(super) fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// A part of the tree, from the start of a node on its line to the end of a line. `base` is the indentation of its
    /// lines there.
    pub(super) fn from_tree(tree: &Tree, span: Span, base: &str, is_definition: bool, needs_lines: bool) -> Fragment {
        let text = tree.text();
        let newline = text.newline();
        let free = structure::free_lines(tree, span);
        let source = text.slice(span).into_owned();
        let mut lines = Vec::new();
        let mut at = 0;
        for (index, line) in split(&source, newline).into_iter().enumerate() {
            let start = span.start() + at;
            at += line.indentation.len() + line.text.len();
            let rest = &source[at..];
            let ending = if rest.starts_with("\r\n") { &rest[..2] } else { &rest[..rest.len().min(1)] };
            at += ending.len();
            let mut line = Line { ending: ending.to_owned(), ..line };
            if index > 0 && !free.contains(&start) {
                line.text = format!("{}{}", line.indentation, line.text);
                line.indentation.clear();
                line.fixed = true;
            }
            line.from = Some(start + line.indentation.len());
            lines.push(line);
        }
        for line in lines.iter_mut().skip(1) {
            strip(line, base);
        }
        let (starts_with_definition, ends_with_definition) = (is_definition, is_definition);
        let shape = Shape { starts_with_definition, ends_with_definition, needs_lines, ..Shape::default() };
        // Moved code keeps its style.
        Fragment { lines, unit: None, shape, is_copy: false }
    }

    /// Its properties.
    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether it is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.text.trim().is_empty())
    }

    /// Whether its last line ends with one of two characters.
    pub(super) fn ends_with(&self, ends: [char; 2]) -> bool {
        self.lines.last().is_some_and(|line| line.text.trim_end().ends_with(ends))
    }

    /// The code at the left margin.
    pub(super) fn source(&self) -> String {
        self.fit("", self.unit.as_deref().unwrap_or("")).text().to_owned()
    }

    /// The code indented to fit, without the indentation of the first line and the ending of the last.
    pub(super) fn fit(&self, indentation: &str, unit: &str) -> Draft {
        let mut draft = Draft::default();
        for (index, line) in self.lines.iter().enumerate() {
            if line.placed {
                draft.push(&line.indentation);
            } else {
                if index > 0 && !line.fixed {
                    draft.push(indentation);
                }
                draft.push(&self.convert(&line.indentation, unit));
            }
            match line.from {
                Some(from) => {
                    draft.push_moved(&line.text, from);
                    if index + 1 < self.lines.len() {
                        draft.push_moved(&line.ending, from + line.text.len());
                    }
                }
                None => {
                    draft.push(&line.text);
                    if index + 1 < self.lines.len() {
                        draft.push(&line.ending);
                    }
                }
            }
        }
        draft
    }

    /// Converts an indentation of the code's own style to another one, level by level.
    fn convert(&self, indentation: &str, unit: &str) -> String {
        let Some(own) = self.unit.as_deref().filter(|&own| own != unit && !indentation.is_empty()) else {
            return indentation.to_owned();
        };
        let width = lines::columns(own).max(1);
        let columns = lines::columns(indentation);
        format!("{}{}", unit.repeat(columns / width), " ".repeat(columns % width))
    }

    /// The fragment without a separator at its end.
    pub(super) fn without_trailing(mut self, separator: &str) -> Fragment {
        if let Some(line) = self.lines.last_mut().filter(|line| line.from.is_none())
            && let Some(rest) = line.text.strip_suffix(separator)
            && !rest.trim().is_empty()
        {
            line.text = rest.trim_end().to_owned();
        }
        self
    }
}

/// Lines with the file's line ending.
fn split(code: &str, newline: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut rest = code;
    loop {
        let end = rest.find(['\n', '\r']);
        let text = &rest[..end.unwrap_or(rest.len())];
        let content = text.trim_start_matches(lines::is_blank);
        lines.push(Line {
            indentation: text[..text.len() - content.len()].to_owned(),
            text: content.to_owned(),
            fixed: false,
            placed: false,
            from: None,
            ending: newline.to_owned(),
        });
        let Some(end) = end else { return lines };
        let length = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[end + length..];
    }
}

/// The lines, from 0, that start inside a string.
fn lines_in_strings(parsed: &Tree) -> Vec<usize> {
    let text = parsed.text();
    let strings = structure::multiline_strings(parsed, text.span());
    strings.iter().flat_map(|string| text.line_at(string.start())..text.line_at(string.end())).collect()
}

/// What is known about the indentation of code.
struct Style<'a> {
    /// One level at the place of the code.
    unit: &'a str,
    /// One level of the code's own indentation.
    own: Option<&'a str>,
    /// Whether the lines after the first have the indentation of the code's place, if that is known.
    copied: Option<bool>,
    /// The words that close a body.
    ends: &'a [String],
}

/// Removes the indentation that all lines share.
fn dedent(lines: &mut [Line], base: &str, style: &Style<'_>) {
    for line in lines.iter_mut() {
        if line.fixed {
            line.text = format!("{}{}", line.indentation, line.text);
            line.indentation.clear();
        } else if line.text.is_empty() {
            line.indentation.clear();
            line.fixed = true;
        }
    }
    let Some(first) = lines.first().map(|line| line.indentation.clone()) else { return };
    let common = |from: usize| {
        let words = lines[from..].iter().filter(|line| !line.fixed).map(|line| line.indentation.as_str());
        words.reduce(common_prefix).unwrap_or("").to_owned()
    };
    let common_all = common(0);
    let rest = common(1.min(lines.len()));
    let strip_by = if !first.is_empty() || rest.is_empty() {
        common_all
    } else if style.copied.unwrap_or_else(|| copied_without_first_indentation(lines, &rest, base, style)) {
        base.to_owned()
    } else {
        String::new()
    };
    for line in lines.iter_mut() {
        strip(line, &strip_by);
    }
}

/// Whether code lacks only its first indentation, in a language with syntactic indentation, if only one answer makes
/// sense.
fn without_first_indentation(tree: &Tree, lines: &[Line], base: &str, limits: &ParseLimits) -> Option<bool> {
    let says_something = |line: &&Line| !line.fixed && !line.text.is_empty();
    let is_indented = |line: &Line| line.indentation.starts_with(base);
    let may_be = lines.len() > 1
        && !base.is_empty()
        && tree.language().spec().indentation_is_syntax
        && lines.first().is_some_and(|first| first.indentation.is_empty())
        && lines[1..].iter().filter(says_something).all(is_indented);
    if !may_be {
        return None;
    }
    let source = |by: &str| {
        let written = |line: &Line| match line.fixed {
            true => format!("{}{}", line.indentation, line.text),
            false => format!("{}{}", line.indentation.strip_prefix(by).unwrap_or(&line.indentation), line.text),
        };
        lines.iter().map(written).collect::<Vec<_>>().join("\n")
    };
    let makes_sense = |by: &str| copied::is_coherent(tree, &source(by), limits);
    match (makes_sense(base), makes_sense("")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Whether the lines after the first still have the indentation of the code's place.
///
/// If they are indented by multiples of the code's own level, they have the code's own indentation.
fn copied_without_first_indentation(lines: &[Line], rest: &str, base: &str, style: &Style<'_>) -> bool {
    let Some(more) = rest.strip_prefix(base).filter(|_| !base.is_empty()) else { return false };
    let head = &lines[0].text;
    let aligned = head.char_indices().any(|(at, character)| "([{".contains(character) && at + 1 == rest.len());
    let closes = |line: &Line| {
        let ends = |end: &String| line.text.split(' ').next() == Some(end);
        line.text.starts_with([')', ']', '}']) || style.ends.iter().any(ends)
    };
    let mut outer = lines[1..].iter().filter(|line| !line.fixed && line.indentation == rest);
    let closed = outer.all(closes) || lines.last().is_some_and(|last| last.indentation == rest && closes(last));
    (more.len() >= style.unit.len() && !aligned && style.own != Some(rest)) || (more.is_empty() && closed)
}

fn common_prefix<'a>(first: &'a str, second: &'a str) -> &'a str {
    let length = first.bytes().zip(second.bytes()).take_while(|(one, other)| one == other).count();
    &first[..length]
}

fn strip(line: &mut Line, indentation: &str) {
    if line.fixed {
        return;
    }
    let shared = common_prefix(&line.indentation, indentation).len();
    line.indentation.drain(..shared);
}

/// A first guess for code that only parses at the left margin; line numbers stay the same.
fn naively_dedented(code: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start_matches(lines::is_blank).len();
    let lines: Vec<&str> = code.split('\n').collect();
    let used = lines.iter().filter(|line| !line.trim().is_empty());
    let common = used.map(|line| indentation(line)).min().unwrap_or(0);
    let cut: Vec<&str> = lines.iter().map(|line| line.get(common.min(indentation(line))..).unwrap_or("")).collect();
    cut.join("\n")
}

/// One level of the code's own indentation; `None` if it shows none, or several.
fn own_unit(parsed: &Tree) -> Option<String> {
    let blocks = parsed.table().nodes().filter(|&node| node != Node::ROOT && structure::holds_statements(parsed, node));
    let mut steps = blocks.filter_map(|block| indent::step(parsed, block));
    let first = steps.next()?;
    steps.all(|step| step == first).then_some(first)
}

/// One level of indentation after lines that open something: for a clause, which is not code on its own.
fn likely_unit(lines: &[Line]) -> Option<String> {
    let opens = |line: &Line| line.text.trim_end().ends_with([':', '{']);
    let code: Vec<&Line> = lines.iter().filter(|line| !line.fixed).collect();
    let deeper = |pair: &[&Line]| {
        let more = pair[1].indentation.strip_prefix(pair[0].indentation.as_str())?;
        Some(more.to_owned()).filter(|more| !more.is_empty() && opens(pair[0]))
    };
    let mut steps = code.windows(2).filter_map(deeper);
    let first = steps.next()?;
    steps.all(|step| step == first).then_some(first)
}

fn shape_of(reading: &ParsedSnippet) -> Shape {
    let (parsed, statements) = (&reading.tree, &reading.units);
    let is_definition = |node: Option<&Node>| node.is_some_and(|&node| extent::is_definition(parsed, node));
    let has_body = |node: &Node| {
        let below = parsed.table().descendants(*node);
        below.into_iter().any(|inner| structure::holds_statements(parsed, inner))
    };
    let is_leading = |node: &Node| parsed.language().role(parsed.table().type_id(*node)).leading;
    Shape {
        starts_with_definition: is_definition(statements.first()),
        documentation: statements.first().map_or(Documentation::None, |&first| extent::documentation(parsed, first)),
        ends_with_definition: is_definition(statements.last()),
        only_comments: statements.is_empty(),
        only_leading: !statements.is_empty() && parsed.is_sound() && statements.iter().all(is_leading),
        is_sound: parsed.is_sound(),
        needs_lines: statements.len() != 1 || statements.iter().any(has_body) || !parsed.is_sound(),
    }
}
