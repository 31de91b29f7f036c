//! What is written, and how: plain lines for a pipe, colour and links for a terminal, JSON for programs.
//!
//! A [`Printer`] is the only way to standard output. It looks at the terminal once; the commands ask it for a style and
//! get the text back unchanged where there is none.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Effects, Style};
use serde::Serialize;

use crate::project::path_in_line;

use crate::request::Versioned;

/// The path of a file.
pub(super) const PATH: Style = AnsiColor::Magenta.on_default();
/// Line numbers, columns and counts.
pub(super) const NUMBER: Style = AnsiColor::Green.on_default();
/// A kind of node.
pub(super) const KIND: Style = AnsiColor::Cyan.on_default();
/// The text that matched.
pub(super) const MATCH: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
/// A name.
pub(super) const NAME: Style = Style::new().effects(Effects::BOLD);
/// Details such as ids and gutters.
pub(super) const QUIET: Style = Style::new().effects(Effects::DIMMED);
/// Removed text.
pub(super) const REMOVED: Style = AnsiColor::Red.on_default();
/// Added text.
pub(super) const ADDED: Style = AnsiColor::Green.on_default();
/// The word `error`.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
/// The word `hint`.
pub(super) const HINT: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether to colour the output to `stream`.
    fn applies_to(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        }
    }
}

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// For people and agents.
    Text,
    /// One object.
    Json,
    /// One object per line, each as it is found.
    JsonLines,
}

/// How much is printed besides results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Volume {
    /// Only errors; no results either.
    Quiet,
    /// Notes and summaries.
    #[default]
    Normal,
    /// Lists in full.
    Verbose,
}

/// Standard output, and its properties.
pub(super) struct Printer {
    output: BufWriter<io::Stdout>,
    format: Format,
    colored: bool,
    terminal: bool,
    colored_errors: bool,
    volume: Volume,
}

impl Printer {
    /// Detects the terminal and reads the environment.
    pub(super) fn new(color: Color, format: Format, volume: Volume) -> Printer {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let colored = color.applies_to(&stdout);
        let colored_errors = color.applies_to(&io::stderr());
        Printer { output: BufWriter::new(stdout), format, colored, terminal, colored_errors, volume }
    }

    /// The requested format.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Whether standard output is a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether only errors are printed.
    pub(super) fn is_quiet(&self) -> bool {
        self.volume == Volume::Quiet
    }

    /// Whether lists are printed in full.
    pub(super) fn is_verbose(&self) -> bool {
        self.volume == Volume::Verbose
    }

    /// Whether text is printed without styles.
    pub(super) fn is_plain(&self) -> bool {
        !self.colored && !self.terminal
    }

    /// A text in a style, or unchanged if there is no colour.
    pub(super) fn paint(&self, style: Style, text: impl Display) -> String {
        paint(self.colored, style, of_style(style, text))
    }

    /// A path, as a link on a terminal.
    pub(super) fn link(&self, path: &str) -> String {
        self.linked(path, "", self.paint(PATH, path))
    }

    /// `path:line:col`, as a link to the line on a terminal.
    pub(super) fn place(&self, path: &str, line: usize, col: usize) -> String {
        let (line_shown, col_shown) = (self.paint(NUMBER, line), self.paint(NUMBER, col));
        let shown = format!("{}:{line_shown}:{col_shown}", self.paint(PATH, path));
        if path == "-" { shown } else { self.linked(path, &format!("#{line}"), shown) }
    }

    /// A text as a link to a file, on a terminal with colours.
    fn linked(&self, path: &str, fragment: &str, shown: String) -> String {
        // A path in quotes is not UTF-8.
        if !(self.terminal && self.colored) || path.starts_with('"') {
            return shown;
        }
        let Ok(absolute) = std::path::absolute(path) else { return shown };
        let url = encode_path(&absolute.to_string_lossy());
        format!("\u{1b}]8;;file://{url}{fragment}\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\")
    }

    /// Source text for the output: on a terminal, control characters are made visible.
    pub(super) fn source(&self, text: &str) -> String {
        if !self.terminal {
            return text.to_owned();
        }
        let shown = |character: char| match character {
            '\t' => '\t',
            '\u{7f}' => '\u{2421}',
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
            control if control.is_control() => '\u{fffd}',
            other => other,
        };
        text.chars().map(shown).collect()
    }

    /// Source text of several lines for the output.
    pub(super) fn source_block(&self, text: &str) -> String {
        text.split('\n').map(|line| self.source(line)).collect::<Vec<_>>().join("\n")
    }

    /// Prints the headings of columns on a terminal only.
    pub(super) fn columns(&mut self, names: &str) -> io::Result<()> {
        if !self.terminal {
            return Ok(());
        }
        let names = self.paint(QUIET, names);
        self.line(names)
    }

    /// Prints a line.
    pub(super) fn line(&mut self, line: impl Display) -> io::Result<()> {
        if self.is_quiet() { Ok(()) } else { writeln!(self.output, "{line}") }
    }

    /// Prints text unchanged.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        if self.is_quiet() { Ok(()) } else { self.output.write_all(text.as_bytes()) }
    }

    /// Prints bytes unchanged.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)
    }

    /// Prints an object and a line end.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, value)?;
        self.output.write_all(b"\n")
    }

    /// Prints a response as one object, with the version of its schema, and a line end.
    pub(super) fn answer(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.json(&Versioned::new(value))
    }

    /// Flushes standard output.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Prints a unified diff, coloured by line.
    pub(super) fn diff(&mut self, diff: &str) -> io::Result<()> {
        if !self.colored {
            return self.text(diff);
        }
        for line in diff.split_inclusive('\n') {
            let body = line.trim_end_matches('\n');
            let style = match line.as_bytes() {
                [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => NAME,
                [b'-', ..] => REMOVED,
                [b'+', ..] => ADDED,
                [b'@', ..] => KIND,
                _ => Style::new(),
            };
            let shown = self.paint(style, self.source(body));
            self.line(shown)?;
        }
        Ok(())
    }

    /// Prints a note to standard error, unless `--quiet` is given.
    pub(super) fn note(&mut self, note: impl Display) -> io::Result<()> {
        if self.is_quiet() { Ok(()) } else { self.problem(note) }
    }

    /// Prints a failure to standard error, after flushing standard output. A closed standard error is ignored. If standard
    /// output cannot be written, the failure is printed nevertheless, unless nobody reads any more.
    pub(super) fn problem(&mut self, note: impl Display) -> io::Result<()> {
        let flushed = self.flush();
        if !matches!(&flushed, Err(error) if error.kind() == io::ErrorKind::BrokenPipe) {
            let _ = writeln!(io::stderr(), "{note}");
        }
        flushed
    }

    /// Prints a question to standard error; the answer follows on the same line.
    pub(super) fn ask(&mut self, question: &str) -> io::Result<()> {
        self.flush()?;
        let _ = write!(io::stderr(), "{question}").and_then(|()| io::stderr().flush());
        Ok(())
    }

    /// A text in a style, for standard error.
    pub(super) fn paint_error(&self, style: Style, text: impl Display) -> String {
        paint(self.colored_errors, style, of_style(style, text))
    }
}

fn paint(colored: bool, style: Style, text: impl Display) -> String {
    if colored { format!("{style}{text}{style:#}") } else { text.to_string() }
}

/// A path, encoded for a URL.
fn encode_path(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

/// A text as it stands in a line: a path is quoted where it would end the line or drive a terminal.
fn of_style(style: Style, text: impl Display) -> String {
    let text = text.to_string();
    if style == PATH { path_in_line(&text).into_owned() } else { text }
}
