//! Composes edits from matches and a template.
//!
//! Each site is a sequence of pieces: bytes of the match that stay, code of the template, captures. The content of a
//! capture is itself bytes and the pieces of the sites inside, so nested matches are rewritten in one pass. The pieces
//! are written one after the other, without recursion. Bytes in the order of the text are left in place, and only what
//! comes between them becomes an edit.

use super::Site;
use super::align::{align, lines_stay, match_substituted};
use super::strings::SharedStrings;
use super::words::{self, Script, What, Words};
use crate::edit::grouping::Grouping;
use crate::edit::template::{Placeholder, Template};
use crate::edit::{indent, lines, structure};
use crate::text::{Span, TextEdit};
use crate::tree::{Captured, Moved, Tree};

/// A part of the replacement of a site.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Unchanged bytes of the text.
    Source(Span),
    /// Code of the template.
    Code(String),
    /// The content of a capture, for a placeholder of the template.
    Capture { span: Span, place: usize },
    /// The filtered content of a capture, for a placeholder of the template.
    Filtered(usize),
}

/// The replacement of a site.
pub(super) struct Plan {
    pub pieces: Vec<Piece>,
    /// It is unchanged, apart from the content of its captures.
    pub is_same: bool,
}

/// The place of something in the new text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub site: usize,
    /// The placeholder; `None` for the site as a whole.
    pub place: Option<usize>,
    /// The bytes in the new text without parentheses.
    pub new: Span,
}

/// What gets parentheses: the index of the site, and of the placeholder, or `None` for the whole site.
pub(super) type Parens = rustc_hash::FxHashSet<(usize, Option<usize>)>;

/// A rewrite composed to edits.
#[derive(Debug, Default)]
pub(super) struct ComposedBatch {
    pub edits: Vec<TextEdit>,
    pub marks: Vec<Mark>,
    pub moved: Vec<Moved>,
    /// Which sites were written, and which of them changed.
    pub written: Vec<bool>,
    pub changed: Vec<bool>,
}

/// Sites and a template, ready for composing.
pub(super) struct Composer<'a> {
    pub tree: &'a Tree,
    pub sites: &'a [Site],
    template: &'a Template,
    pub spans: Vec<Span>,
    /// Lines that begin inside a string.
    pub fixed: Vec<Span>,
    scripts: Scripts,
    strings: SharedStrings,
    /// One level of indentation of the file, and of the template if it shows one.
    pub units: (String, Option<String>),
    /// The indentation of the template's first line, which precedes each of its lines.
    lead: String,
    pub newline: &'static str,
    pub longest: usize,
    pub parens: (String, String),
}

/// The template split into words: one script for all placeholders filled, others made per site.
struct Scripts {
    full: Script,
    separators: Vec<&'static str>,
    places: Vec<Placeholder>,
    /// Which placeholders are parts of words, so that parentheses would become part of these.
    glued: Vec<bool>,
}

impl<'a> Composer<'a> {
    /// `sites` are sorted by their starts, outer ones first.
    pub fn new(tree: &'a Tree, sites: &'a [Site], template: &'a Template, longest: usize) -> Composer<'a> {
        let spans: Vec<Span> = sites.iter().map(|site| words::of_match(tree, site, template)).collect();
        let data = tree.language().spec();
        let mut separators: Vec<&'static str> = vec![","];
        for rule in data.lists.values() {
            if !separators.contains(&rule.separator.as_str()) && rule.separator != "." {
                separators.push(&rule.separator);
            }
        }
        let full = words::of_template(template, &separators, &|_| false, &[]);
        let places: Vec<Placeholder> = template.places().cloned().collect();
        let first = full.words.first().map_or("", |word| word.gap.as_str());
        let lead = first.rsplit('\n').next().unwrap_or("").to_owned();
        let (open, close) = data.parens.split_once("$0").unwrap_or(("", ""));
        Composer {
            tree,
            sites,
            template,
            spans,
            fixed: structure::multiline_strings(tree, tree.text().span()),
            units: (indent::indent_step(tree, None), own_unit(&full, &lead)),
            lead,
            strings: SharedStrings::new(template, tree.language()),
            scripts: Scripts { glued: glued(&full, places.len()), full, separators, places },
            newline: tree.text().newline(),
            longest,
            parens: (open.to_owned(), close.to_owned()),
        }
    }

    /// The capture for a placeholder of the template at a site.
    pub fn captured(&self, site: usize, place: usize) -> Option<Captured> {
        words::captured(&self.sites[site], &self.scripts.places[place].name).map(|(_, captured)| captured)
    }

    /// The template for a site with holes in place of the captures, each named by its placeholder: `$H0 + $$$H1`.
    /// `None` if a placeholder is filled with anything but an unfiltered capture.
    pub fn source(&self, site: usize) -> Option<String> {
        let is_empty = |place: usize| matches!(self.captured(site, place), Some(Captured::Nothing));
        let made;
        let places = &self.scripts.places;
        let script = if (0..places.len()).any(is_empty) {
            made = words::of_template(self.template, &self.scripts.separators, &is_empty, &[]);
            &made
        } else {
            &self.scripts.full
        };
        let mut source = String::new();
        for word in &script.words {
            source.push_str(&word.gap);
            match &word.what {
                What::Code(code) => source.push_str(code),
                What::Shared(span) => source.push_str(&self.tree.text().slice(*span)),
                What::Placeholder(place) => match self.captured(site, *place) {
                    None => source.push_str(&places[*place].text),
                    Some(_) if !places[*place].filters.is_empty() => return None,
                    Some(Captured::Node(_)) => source.push_str(&format!("$H{place}")),
                    Some(Captured::Siblings { .. } | Captured::Nothing) => source.push_str(&format!("$$$H{place}")),
                },
            }
        }
        Some(source)
    }

    /// Whether the template consists of one placeholder: the replacement is the capture.
    pub fn is_one_place(&self) -> bool {
        matches!(&self.scripts.full.words[..], [word] if matches!(word.what, What::Placeholder(_)))
    }

    /// The placeholders of some sites whose captures a tighter operator may take apart.
    pub fn loose_places(&self, sites: &[usize]) -> Vec<(usize, Option<usize>)> {
        let grouping = Grouping::new(self.tree);
        let mut found = Vec::new();
        for &site in sites {
            for place in (0..self.scripts.places.len()).filter(|&place| !self.is_glued(place)) {
                let node = self.captured(site, place).and_then(Captured::node);
                if node.is_some_and(|node| grouping.is_loose(node)) {
                    found.push((site, Some(place)));
                }
            }
        }
        found
    }

    /// Whether a placeholder cannot have parentheses.
    pub fn is_glued(&self, place: usize) -> bool {
        self.scripts.glued[place]
    }

    /// The placeholders that are in no brackets of the template, without filters, and not parts of words.
    pub fn bare_places(&self) -> Vec<usize> {
        let mut depth = 0usize;
        let mut bare = Vec::new();
        for word in &self.scripts.full.words {
            match &word.what {
                What::Code(code) if matches!(code.as_str(), "(" | "[" | "{") => depth += 1,
                What::Code(code) if matches!(code.as_str(), ")" | "]" | "}") => depth = depth.saturating_sub(1),
                What::Placeholder(place)
                    if depth == 0 && !self.is_glued(*place) && self.scripts.places[*place].filters.is_empty() =>
                {
                    bare.push(*place);
                }
                _ => {}
            }
        }
        bare
    }

    /// Whether the language can put an expression into parentheses.
    pub fn has_parens(&self) -> bool {
        !self.parens.0.is_empty()
    }

    /// The first site, from an index on, that begins at or after an offset.
    pub fn after(&self, from: usize, offset: usize) -> usize {
        from + self.spans[from..].partition_point(|span| span.start() < offset).max(1)
    }

    /// An indentation of the template, converted to the file's own.
    pub fn convert(&self, indentation: &str) -> String {
        let beyond = indentation.strip_prefix(self.lead.as_str()).unwrap_or("");
        let (unit, Some(own)) = (&self.units.0, &self.units.1) else { return beyond.to_owned() };
        let (width, columns) = (lines::columns(own).max(1), lines::columns(beyond));
        format!("{}{}", unit.repeat(columns / width), " ".repeat(columns % width))
    }

    /// The replacement of a site.
    pub fn pieces(&self, number: usize, comments: &mut Vec<String>) -> Plan {
        let (tree, site) = (self.tree, &self.sites[number]);
        let captured = |place: usize| words::captured(site, &self.scripts.places[place].name);
        let is_empty = |place: usize| matches!(captured(place), Some((_, Captured::Nothing)));
        let made;
        let strings = self.strings.of_site(tree, site, self.spans[number], &self.scripts.places);
        let script = if !strings.is_empty() || (0..self.scripts.places.len()).any(is_empty) {
            made = words::of_template(self.template, &self.scripts.separators, &is_empty, &strings);
            &made
        } else {
            &self.scripts.full
        };
        let Words { found, comments: beside } = words::of_site(tree, site, self.template, &strings);
        let plain = |place: usize| captured(place).map(|(capture, _)| capture);
        let as_is = |place: usize| plain(place).filter(|_| self.scripts.places[place].filters.is_empty());
        let kept = align(&found, &script.words, &as_is);
        let takes = match_substituted(&found, &script.words, &kept);
        // For each word of the template, its index among the words of the match.
        let stands: Vec<Option<usize>> = kept.iter().zip(&takes).map(|(kept, takes)| kept.or(*takes)).collect();
        let between = |one: usize, other: usize| Span::new(found[one].span.end(), found[other].span.start());
        let lines = lines_stay(&found, &kept);
        let may_stay = |gap: Span, next: usize, wanted: &str| {
            lines[next] || wanted.contains('\n') || !lines::breaks(tree.text(), gap)
        };
        let has_comment = |gap: Span| beside.iter().any(|comment| gap.contains(*comment));
        let mut pieces: Vec<Piece> = Vec::new();
        let mut place = 0;
        while place < script.words.len() {
            let word = &script.words[place];
            let before = place.checked_sub(1).and_then(|before| stands[before]);
            if let (Some(before), Some(here)) = (before, stands[place])
                && before < here
                && (here == before + 1 || self.only_trails(&found[before + 1..here], &found[here].text))
                && may_stay(between(before, here), here, &word.gap)
            {
                pieces.push(Piece::Source(between(before, here)));
            } else if let (Some(before), Some(here)) = (before, stands[place])
                && before < here
                && found[before].text == "{"
                && found[here].capture.is_some()
                && lines[here]
                && lines::breaks(tree.text(), between(here - 1, here))
                && !has_comment(between(here - 1, here))
            {
                // The rest of a block begins on a line of its own if it did before.
                pieces.push(Piece::Source(between(here - 1, here)));
            } else if let (Some(before), None) = (before, stands[place])
                && let Some(end) = (place..stands.len()).find(|&end| stands[end].is_some())
                && let Some(next) = stands[end].filter(|&next| next == before + 1 || next == before + 2)
                && let Some(opening) = self.opening_of_lines(&found, next)
            {
                // An element added to a list with one per line gets a line, and a comma if the last one had one.
                let is_comma = |word: &words::Wanted| matches!(&word.what, What::Code(code) if code == ",");
                let mut first = place;
                if next == before + 2 {
                    pieces.push(Piece::Source(between(before, before + 1)));
                    pieces.push(Piece::Source(found[before + 1].span));
                    first += usize::from(is_comma(&script.words[place]));
                }
                pieces.push(Piece::Source(between(opening, opening + 1)));
                for (at, word) in script.words[first..end].iter().enumerate() {
                    if at > 0 {
                        pieces.push(Piece::Code(word.gap.clone()));
                    }
                    pieces.push(self.piece(number, word));
                }
                if end > first && !is_comma(&script.words[end - 1]) {
                    pieces.push(Piece::Code(",".to_owned()));
                }
                pieces.push(Piece::Source(between(next - 1, next)));
                place = end;
            } else if let (Some(before), None) = (before, stands[place])
                && let Some(end) = (place..stands.len()).find(|&end| stands[end].is_some())
                && let Some(next) = stands[end].filter(|&next| next == before + 1)
                && may_stay(between(before, next), next, &script.words[end].gap)
                && (has_comment(between(before, next))
                    || lines::breaks(tree.text(), between(before, next)) && !script.words[end].gap.contains('\n'))
            {
                // An insertion before a comment or a line end leaves these where they are.
                for word in &script.words[place..end] {
                    pieces.push(Piece::Code(word.gap.clone()));
                    pieces.push(self.piece(number, word));
                }
                pieces.push(Piece::Source(between(before, next)));
                place = end;
            } else if place > 0 {
                pieces.push(Piece::Code(word.gap.clone()));
            }
            let word = &script.words[place];
            pieces.push(match kept[place] {
                Some(one) => self.kept_piece(&found[one], word),
                None => self.piece(number, word),
            });
            place += 1;
        }
        let stays =
            |comment: &Span| pieces.iter().any(|piece| matches!(piece, Piece::Source(span) if span.contains(*comment)));
        comments.extend(
            beside
                .iter()
                .filter(|comment| !stays(comment))
                .map(|&comment| tree.text().slice(comment).trim().to_owned()),
        );
        let is_same = found.len() == script.words.len() && kept.iter().enumerate().all(|(at, one)| *one == Some(at));
        Plan { pieces, is_same }
    }

    /// The opening bracket for a closing word of the match, if the list has a trailing comma at the end of a line, and
    /// begins on a line of its own.
    fn opening_of_lines(&self, found: &[words::MatchWord], closing: usize) -> Option<usize> {
        let breaks = |one: usize, other: usize| {
            lines::breaks(self.tree.text(), Span::new(found[one].span.end(), found[other].span.start()))
        };
        let last = closing.checked_sub(1)?;
        let is_bracket = |word: &words::MatchWord, brackets: &[&str]| {
            word.capture.is_none() && brackets.contains(&word.text.as_str())
        };
        if !is_bracket(&found[closing], &[")", "]", "}"]) || !is_bracket(&found[last], &[","]) || !breaks(last, closing)
        {
            return None;
        }
        let mut depth = 0usize;
        let opening = (0..closing).rev().find(|&at| {
            depth += usize::from(is_bracket(&found[at], &[")", "]", "}"]));
            let opens = is_bracket(&found[at], &["(", "[", "{"]);
            if opens && depth > 0 {
                depth -= 1;
                return false;
            }
            opens
        })?;
        breaks(opening, opening + 1).then_some(opening)
    }

    /// Whether words are only an optional separator after the last element of a list.
    fn only_trails(&self, words: &[words::MatchWord], next: &str) -> bool {
        let [only] = words else { return false };
        only.capture.is_none() && only.text == "," && matches!(next, ")" | "]" | "}" | ">")
    }

    /// A word of the match that stays.
    fn kept_piece(&self, found: &words::MatchWord, word: &words::Wanted) -> Piece {
        match word.what {
            What::Placeholder(place) => Piece::Capture { span: found.span, place },
            What::Code(_) | What::Shared(_) => Piece::Source(found.span),
        }
    }

    /// A word of the template that is not in the match, or is elsewhere in it.
    fn piece(&self, number: usize, word: &words::Wanted) -> Piece {
        let place = match &word.what {
            What::Code(code) => return Piece::Code(code.clone()),
            What::Shared(span) => return Piece::Source(*span),
            What::Placeholder(place) => *place,
        };
        let site = &self.sites[number];
        let of_template = &self.scripts.places[place];
        let span = words::captured(site, &of_template.name).map(|(_, captured)| words::of_capture(self.tree, captured));
        match span {
            // A `$` without a capture's name is code.
            None => Piece::Code(of_template.text.clone()),
            Some(Some(span)) if of_template.filters.is_empty() => Piece::Capture { span, place },
            Some(_) => Piece::Filtered(place),
        }
    }

    /// The bytes of a capture of a site, and whether there are any.
    pub fn bytes_of(&self, number: usize, name: &str) -> Option<Option<Span>> {
        let (_, captured) = words::captured(&self.sites[number], name)?;
        Some(words::of_capture(self.tree, captured))
    }

    /// The filtered capture of a placeholder; `text_of` returns the text of a capture with its inner sites rewritten.
    pub fn filter(&self, number: usize, place: usize, text_of: &dyn Fn(&str) -> Option<String>) -> String {
        let of_template = &self.scripts.places[place];
        let is_empty = self.bytes_of(number, &of_template.name).flatten().is_none();
        let text = if is_empty { String::new() } else { text_of(&of_template.name).unwrap_or_default() };
        of_template.filter(text, &|name| text_of(name))
    }
}

/// For each placeholder, whether a word continues on either side.
fn glued(script: &Script, places: usize) -> Vec<bool> {
    let mut glued = vec![false; places];
    let goes_on = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    for (at, word) in script.words.iter().enumerate() {
        let What::Placeholder(place) = word.what else { continue };
        let code = |at: usize| match script.words.get(at).map(|word| &word.what) {
            Some(What::Code(code)) => code.as_str(),
            _ => "",
        };
        let before = at.checked_sub(1).map_or("", code);
        let behind_gap = script.words.get(at + 1).map_or(script.tail.as_str(), |next| next.gap.as_str());
        glued[place] = word.gap.is_empty() && goes_on(before.chars().next_back())
            || behind_gap.is_empty() && goes_on(code(at + 1).chars().next());
    }
    glued
}

/// One level of the template's own indentation.
fn own_unit(script: &Script, lead: &str) -> Option<String> {
    let gaps = script.words.iter().skip(1).map(|word| word.gap.as_str());
    let mut lines = gaps.filter_map(|gap| gap.rsplit_once('\n')).filter_map(|(_, line)| line.strip_prefix(lead));
    lines.find(|line| !line.is_empty()).map(str::to_owned)
}
