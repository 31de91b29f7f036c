//! Reading a pattern: its text is parsed in each context and converted to items.

use super::error::{PatternError, shown};
use super::holes::Pieces;
use super::item::{Item, Reading};
use super::solid;
use crate::language::TypeSet;
use crate::language::{Language, NodePatterns, PatternContext};
use crate::limits;
use crate::text::{Span, Text};
use crate::tree::{Node, ParseLimits, Tree};

/// A context with its surrounding code.
struct Context {
    name: &'static str,
    /// The code before and after the pattern.
    around: (&'static str, &'static str),
    quiet: Option<&'static NodePatterns>,
}

impl Context {
    /// The indentation of the line on which the pattern begins.
    fn indentation(&self) -> &'static str {
        let line = self.around.0.rsplit('\n').next().unwrap_or("");
        if line.trim().is_empty() { line } else { "" }
    }
}

/// The result of a pattern in a context.
enum Tried {
    Read(Reading),
    /// It does not parse: the number of errors, the place of the first in the pattern, and its message.
    Failed {
        errors: usize,
        at: usize,
        what: String,
    },
}

/// The text of a pattern with a word for each hole, and the places of these words.
struct Spelled {
    text: String,
    holes: Vec<Span>,
}

/// All readings of a pattern, each once, in the order of the contexts.
pub(super) fn readings(
    pieces: &Pieces,
    names: &[String],
    language: &'static Language,
    asked: Option<&TypeSet>,
) -> Result<Vec<Reading>, PatternError> {
    let reader = Reader { pieces, names, language };
    let contexts = contexts(language);
    let mut tried: Vec<(&Context, Tried)> =
        contexts.iter().map(|context| (context, reader.within(context, &reader.first_spelling()))).collect();
    let is_asked = |reading: &Reading| asked.is_some_and(|mask| reading.root.is_some_and(|root| mask.contains(root)));
    let is_loud = |tried: &Tried| matches!(tried, Tried::Read(reading) if !reading.is_quiet || is_asked(reading));
    if !tried.iter().any(|(_, tried)| is_loud(tried)) && language.spec().metavariable.len() > 1 {
        for spelling in reader.further_spellings() {
            for (context, tried) in tried.iter_mut().filter(|(_, tried)| matches!(tried, Tried::Failed { .. })) {
                let found = reader.within(context, &spelling);
                if found.is_better_than(tried) {
                    *tried = found;
                }
            }
            if tried.iter().any(|(_, tried)| is_loud(tried)) {
                break;
            }
        }
    }
    let any_loud = tried.iter().any(|(_, tried)| is_loud(tried));
    // The terminator of a statement may be outside the intended node: `struct S {};`. A reading that only wraps one
    // node does not count next to that node.
    let wraps = |reading: &Reading| matches!(&reading.item, Item::Node { children, .. } if matches!(children.as_slice(), [Item::Node { .. }]));
    let any_whole = tried.iter().any(|(_, tried)| matches!(tried, Tried::Read(reading) if !wraps(reading)));
    if !any_loud
        && !any_whole
        && let Some(shorter) = pieces.without_end()
        && let Ok(readings) = readings(&shorter, names, language, asked)
    {
        return Ok(readings);
    }
    let mut readings: Vec<Reading> = Vec::new();
    let mut failed: Vec<(&str, usize, String)> = Vec::new();
    for (context, tried) in tried {
        let counts = !any_loud || is_loud(&tried);
        match tried {
            Tried::Read(reading) => {
                if counts && !readings.iter().any(|known| known.item == reading.item) {
                    readings.push(reading);
                }
            }
            Tried::Failed { at, what, .. } => failed.push((context.name, at, what)),
        }
    }
    if readings.is_empty() { Err(unread(pieces, language, &failed)) } else { Ok(readings) }
}

/// The string literals of code with holes, each with its bytes, as the first context reads them that accepts the code.
pub(super) fn literals(pieces: &Pieces, names: &[String], language: &'static Language) -> Vec<(Reading, Span)> {
    let reader = Reader { pieces, names, language };
    let contexts = contexts(language);
    let spellings = std::iter::once(reader.first_spelling()).chain(reader.further_spellings());
    let mut found = spellings.flat_map(|spelling| {
        let reader = &reader;
        contexts.iter().filter_map(move |context| reader.literals_within(context, &spelling))
    });
    found.next().unwrap_or_default()
}

/// The contexts of a language: its own, otherwise the file and the contexts for edits.
fn contexts(language: &'static Language) -> Vec<Context> {
    let data = language.spec();
    let split = |around: &'static str| around.split_once("$0").unwrap_or((around, ""));
    if data.pattern_contexts.is_empty() {
        let others = data.contexts.iter().map(String::as_str).filter(|&context| context != "$0");
        let all = std::iter::once("$0").chain(others);
        return all.map(|around| Context { name: around, around: split(around), quiet: None }).collect();
    }
    let context = |context: &'static PatternContext| Context {
        name: &context.name,
        around: split(&context.around),
        quiet: Some(&context.quiet),
    };
    data.pattern_contexts.iter().map(context).collect()
}

/// Why no context accepts a pattern: the reading that got furthest, and all of them for those who ask.
fn unread(pieces: &Pieces, language: &Language, failed: &[(&str, usize, String)]) -> PatternError {
    let is_of_context = |what: &str| match (what.find('`'), what.rfind('`')) {
        (Some(first), Some(last)) => what.starts_with("unexpected") && !pieces.source.contains(&what[first + 1..last]),
        _ => false,
    };
    let mut message = format!("the pattern is not code in {}", language.name());
    let furthest = failed.iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
    if let Some((_, at, what)) = furthest {
        // The code of a context is not something that the user wrote.
        let what = if is_of_context(what) { "syntax error" } else { what };
        message.push_str(&format!("\n  {what}{}", shown(&pieces.source, *at)));
    }
    PatternError { message, hint: pieces.mistake(), readings: all_readings(pieces, failed) }
}

/// Why each reading of a pattern failed, one paragraph each.
fn all_readings(pieces: &Pieces, failed: &[(&str, usize, String)]) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, usize, &str)> = Vec::new();
    for (name, at, what) in failed {
        match groups.iter_mut().find(|group| group.1 == *at && group.2 == what) {
            Some(group) if group.0.contains(name) => {}
            Some(group) => group.0.push(name),
            None => groups.push((vec![name], *at, what)),
        }
    }
    let paragraph = |(names, at, what): (Vec<&str>, usize, &str)| {
        format!("as {}: {what}{}", names.join(", "), shown(&pieces.source, at))
    };
    groups.into_iter().map(paragraph).collect()
}

struct Reader<'a> {
    pieces: &'a Pieces,
    names: &'a [String],
    language: &'static Language,
}

impl Reader<'_> {
    /// Every hole in the usual spelling of the language.
    fn first_spelling(&self) -> Vec<usize> {
        vec![0; self.pieces.holes.len()]
    }

    /// Other spellings of the holes, for when no context accepts the first: first those of all `$$$` holes, then one
    /// hole after the other.
    fn further_spellings(&self) -> Vec<Vec<usize>> {
        let count = self.language.spec().metavariable.len();
        let holes = &self.pieces.holes;
        let many: Vec<usize> = (0..holes.len()).filter(|&place| holes[place].many).collect();
        let mut spellings: Vec<Vec<usize>> = Vec::new();
        let combinations =
            count.checked_pow(u32::try_from(many.len()).unwrap_or(u32::MAX)).unwrap_or(limits::PATTERN_SPELLINGS);
        for number in 1..combinations.min(limits::PATTERN_SPELLINGS) {
            let mut spelling = self.first_spelling();
            let mut rest = number;
            for &place in &many {
                (spelling[place], rest) = (rest % count, rest / count);
            }
            spellings.push(spelling);
        }
        // Holes of the same sort usually have the same spelling.
        spellings.sort_by_key(|spelling| !many.windows(2).all(|pair| spelling[pair[0]] == spelling[pair[1]]));
        for number in 1..count {
            let single = |mut spelling: Vec<usize>| {
                (0..holes.len()).filter(|place| !many.contains(place)).for_each(|place| spelling[place] = number);
                spelling
            };
            let alike = (0..count).map(|other| {
                let mut spelling = self.first_spelling();
                many.iter().for_each(|&place| spelling[place] = other);
                single(spelling)
            });
            spellings.extend(alike);
        }
        for place in 0..holes.len() {
            for number in 1..count {
                for other in 0..if many.is_empty() { 1 } else { count } {
                    let mut spelling = self.first_spelling();
                    many.iter().for_each(|&place| spelling[place] = other);
                    spelling[place] = number;
                    spellings.push(spelling);
                }
            }
        }
        spellings
    }

    /// The string literals, if a context accepts the code and leaves its lines as they are.
    fn literals_within(&self, context: &Context, spelling: &[usize]) -> Option<Vec<(Reading, Span)>> {
        let (head, tail) = context.around;
        if !context.indentation().is_empty() && self.pieces.source.contains('\n') {
            return None;
        }
        let spelled = self.spell(spelling, "");
        let start = head.len();
        let end = start + spelled.text.len();
        let source = format!("{head}{}{tail}", spelled.text);
        let tree = Tree::parse(Text::new(&source), self.language, &ParseLimits::default()).ok()?;
        if !tree.is_sound() {
            return None;
        }
        let table = tree.table();
        let holes: Vec<Span> =
            spelled.holes.iter().map(|hole| Span::new(hole.start() + start, hole.end() + start)).collect();
        let placed = vec![false; holes.len()];
        let mut builder = Builder { reader: self, tree: &tree, holes: &holes, end: (end, end), placed };
        let code = Span::new(start, end);
        let is_literal = |node: &Node| {
            let span = table.span(*node);
            code.contains(span)
                && !span.is_empty()
                && self.language.role(table.type_id(*node)).string
                && !holes.iter().any(|hole| hole.contains(span))
        };
        let mut found = Vec::new();
        for node in table.nodes().skip(1).filter(is_literal) {
            let Ok(item) = builder.item(node, None, 0) else { continue };
            let span = table.span(node);
            let place = |offset: usize| self.in_pattern(&spelled, offset - start);
            let root = Some(table.type_id(node));
            let reading = Reading { context: context.name, root, is_quiet: false, item };
            found.push((reading, Span::new(place(span.start()), place(span.end()))));
        }
        Some(found)
    }

    /// Parses the pattern in a context. Its lines after the first are indented like the context.
    fn within(&self, context: &Context, spelling: &[usize]) -> Tried {
        let (head, tail) = context.around;
        let spelled = self.spell(spelling, context.indentation());
        let start = head.len();
        let source = format!("{head}{}{tail}", spelled.text);
        let end = start + spelled.text.len();
        let failed = |errors, at: usize, what: &str| Tried::Failed { errors, at, what: what.to_owned() };
        let tree = match Tree::parse(Text::new(&source), self.language, &ParseLimits::default()) {
            Ok(tree) => tree,
            Err(error) => return failed(usize::MAX, 0, &error.to_string()),
        };
        if !tree.is_sound() {
            let errors = tree.errors();
            let first = errors.first();
            let offset = first.map_or(start, |error| error.span.start());
            let at = self.in_pattern(&spelled, offset.clamp(start, end) - start);
            return failed(
                errors.len(),
                at,
                &self.message_for_user(first.map_or("unexpected end", |error| &error.what), &spelled),
            );
        }
        if let Some(body) = missing_body(&tree, Span::new(start, end)) {
            let at = self.in_pattern(&spelled, body.clamp(start, end) - start);
            return failed(0, at, "a body is missing; `$$$` matches any body");
        }
        let terminator = usize::from(tail.starts_with([';', '\n']));
        let Some(root) = root(&tree, Span::new(start, end), terminator) else {
            return failed(0, 0, "it is several nodes, or a part of one");
        };
        let moved = |span: &Span| Span::new(span.start() + start, span.end() + start);
        let holes: Vec<Span> = spelled.holes.iter().map(moved).collect();
        let placed = vec![false; holes.len()];
        let mut builder = Builder { reader: self, tree: &tree, holes: &holes, end: (end, end + terminator), placed };
        match builder.item(root, None, 0) {
            Err(why) => failed(0, 0, why),
            Ok(Item::Ellipsis(_)) => failed(0, 0, "`$$$` alone matches no node"),
            Ok(item) => {
                if let Some(place) = builder.placed.iter().position(|placed| !placed) {
                    let at = self.pieces.holes[place].span.start();
                    return failed(0, at, "the hole is not a node here");
                }
                let is_quiet = context.quiet.is_some_and(|quiet| tree.table().fits_any(root, quiet));
                let root = if matches!(item, Item::Metavar(_)) { None } else { Some(tree.table().type_id(root)) };
                Tried::Read(Reading { context: context.name, root, is_quiet, item })
            }
        }
    }

    /// The text of the pattern with a word for each hole.
    fn spell(&self, spelling: &[usize], indentation: &str) -> Spelled {
        let words = &self.language.spec().metavariable;
        let source = &self.pieces.source;
        // No word of the pattern may look like a hole.
        let mut base = 0;
        while source.contains(&format!("cst{base}")) {
            base += 100;
        }
        let mut spelled = Spelled { text: String::new(), holes: Vec::new() };
        let mut at = 0;
        let code = |code: &str| code.replace('\n', &format!("\n{indentation}"));
        for (place, hole) in self.pieces.holes.iter().enumerate() {
            spelled.text.push_str(&code(&source[at..hole.span.start()]));
            let start = spelled.text.len();
            let word = words.get(spelling[place]).map_or("cst{}", String::as_str);
            // The same name is the same word: the end tag of an element has the name of its start tag.
            let name = hole.name.as_ref().and_then(|name| self.names.iter().position(|known| known == name));
            let number = name.unwrap_or(self.names.len() + place);
            spelled.text.push_str(&word.replace("{}", &(base + number).to_string()));
            // Whitespace at the end of a spelling belongs to the context.
            spelled.holes.push(Span::new(start, start + spelled.text[start..].trim_end().len()));
            at = hole.span.end();
        }
        spelled.text.push_str(&code(&source[at..]));
        spelled
    }

    /// Maps an offset in the spelled text to the pattern as written; inside a hole, to the start of the hole.
    fn in_pattern(&self, spelled: &Spelled, offset: usize) -> usize {
        let (mut at, mut written) = (0, 0);
        for (word, hole) in spelled.holes.iter().zip(&self.pieces.holes) {
            if offset < word.end() {
                return if offset >= word.start() { hole.span.start() } else { written + offset - at };
            }
            (at, written) = (word.end(), hole.span.end());
        }
        (written + offset - at).min(self.pieces.source.len())
    }

    /// An error message with the holes as they were written.
    fn message_for_user(&self, what: &str, spelled: &Spelled) -> String {
        let mut message = what.to_owned();
        for (word, hole) in spelled.holes.iter().zip(&self.pieces.holes) {
            let source = &self.pieces.source;
            message =
                message.replace(&spelled.text[word.start()..word.end()], &source[hole.span.start()..hole.span.end()]);
        }
        message
    }
}

impl Tried {
    fn is_better_than(&self, other: &Tried) -> bool {
        match (self, other) {
            (Tried::Read(_), _) => true,
            (Tried::Failed { .. }, Tried::Read(_)) => false,
            (Tried::Failed { errors, at, .. }, Tried::Failed { errors: others, at: other, .. }) => {
                (*errors, std::cmp::Reverse(*at)) < (*others, std::cmp::Reverse(*other))
            }
        }
    }
}

/// Where a body is missing in a pattern whose language needs one: some grammars accept `def f():` as complete.
fn missing_body(tree: &Tree, span: Span) -> Option<usize> {
    let table = tree.table();
    if tree.language().spec().empty_body.is_empty() {
        return None;
    }
    let is_missing = |node: &Node| {
        let role = tree.language().role(table.type_id(*node));
        role.body && !role.list && tree.span(*node).is_empty() && span.contains(tree.span(*node))
    };
    table.nodes().skip(1).find(is_missing).map(|body| tree.span(body).start())
}

/// The innermost named node that is exactly the pattern, or the pattern with its terminator.
fn root(tree: &Tree, span: Span, terminator: usize) -> Option<Node> {
    let table = tree.table();
    let of = |end: usize| {
        let is_it = |node: &Node| table.is_named(*node) && table.span(*node) == Span::new(span.start(), end);
        table.nodes().skip(1).filter(|&node| !tree.is_comment(node)).rfind(is_it)
    };
    of(span.end()).or_else(|| of(span.end() + terminator).filter(|_| terminator > 0))
}

struct Builder<'a> {
    reader: &'a Reader<'a>,
    tree: &'a Tree,
    /// The places of the holes' words in the tree.
    holes: &'a [Span],
    /// The end of the pattern without and with the context's terminator.
    end: (usize, usize),
    placed: Vec<bool>,
}

impl Builder<'_> {
    fn item(&mut self, node: Node, parent: Option<Node>, depth: usize) -> Result<Item, &'static str> {
        let (tree, table) = (self.tree, self.tree.table());
        if depth > limits::PATTERN_NESTING {
            return Err("it is nested too deeply");
        }
        let span = table.span(node);
        if let Some(place) = self.holes.iter().position(|hole| self.is_hole(*hole, span))
            && !self.holds_many(node, place)
            && !self.holds_argument(node, parent, place)
            && (table.is_named(node) || parent.is_some())
        {
            self.placed[place] = true;
            let hole = &self.reader.pieces.holes[place];
            let name = hole.name.as_ref().and_then(|name| self.reader.names.iter().position(|known| known == name));
            return Ok(if hole.many { Item::Ellipsis(name) } else { Item::Metavar(name) });
        }
        let inside: Vec<usize> = (0..self.holes.len()).filter(|&place| span.contains(self.holes[place])).collect();
        let type_id = table.type_id(node);
        let text = || tree.node_text(node).into_owned();
        if inside.is_empty()
            && let Some((prefix, content)) = solid::quoted(tree, node)
        {
            return Ok(Item::String { type_id, prefix, content });
        }
        let solid = solid::children(tree, node);
        if solid.is_empty() {
            let is_reserved = |word: &String| tree.node_text(node) == *word;
            let names = &tree.language().spec().references.identifiers;
            let is_name = names.is_empty() || names.contains(type_id);
            if is_name && table.is_named(node) && tree.language().spec().reserved.iter().any(is_reserved) {
                return Err("a reserved word is read as a name");
            }
            return Ok(Item::Leaf { type_id, text: self.restore(text(), span, &inside), named: table.is_named(node) });
        }
        let children =
            solid.iter().map(|&child| self.item(child, Some(node), depth + 1)).collect::<Result<Vec<_>, _>>()?;
        let quoted = tree.language().role(type_id).string;
        // `($$$A)` is a tuple if the language can write one of any length.
        let elements: Vec<&Item> =
            children.iter().filter(|item| !matches!(item, Item::Leaf { named: false, .. })).collect();
        if tree.language().role(type_id).wrapper
            && matches!(elements[..], [Item::Ellipsis(_)])
            && children.len() > 1
            && tree.language().spec().metavariable.iter().any(|spelling| spelling == "cst{},")
        {
            return Err("`$$$` in parentheses is a list of elements");
        }
        let many = children.iter().any(|child| matches!(child, Item::Ellipsis(_)));
        let children = if many {
            let kept = solid.iter().zip(children).filter(|(child, _)| !solid::separates(tree, node, **child));
            kept.map(|(_, item)| item).collect()
        } else {
            children
        };
        Ok(Item::Node { type_id, children, loose: solid::loose(tree, node), quoted })
    }

    /// Whether a node is a hole; one at the end of the pattern may include the terminator.
    fn is_hole(&self, hole: Span, span: Span) -> bool {
        let (end, ended) = self.end;
        // A spelling may end in a separator, which is not part of the node.
        let is_separated = span.start() == hole.start()
            && span.end() + 1 == hole.end()
            && self.tree.text().slice(Span::new(span.end(), hole.end())) == ",";
        span == hole || is_separated || hole.end() == end && span == Span::new(hole.start(), ended)
    }

    /// Whether a node that is exactly a `$$$` hole contains the matched nodes rather than being one of them.
    fn holds_many(&self, node: Node, place: usize) -> bool {
        let role = self.tree.language().role(self.tree.table().type_id(node));
        let table = self.tree.table();
        let is_one = |child: Node| table.is_named(child) && self.is_hole(self.holes[place], table.span(child));
        self.reader.pieces.holes[place].many && (role.body || role.list) && table.children(node).any(is_one)
    }

    /// Whether a node that is exactly a hole is an argument list without brackets. Then the hole is its argument, so
    /// that `raise $A` does not match `raise E, "m"`.
    fn holds_argument(&self, node: Node, parent: Option<Node>, place: usize) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let Some(call) = parent else { return false };
        let Some(rule) = tree.language().spec().args.of(table.type_id(call)) else { return false };
        let is_list = rule.at.iter().any(|path| tree.reached(call, path).contains(&node));
        let is_it = |child: Node| table.is_named(child) && self.is_hole(self.holes[place], table.span(child));
        is_list && table.children(node).any(is_it)
    }

    /// The text of a leaf with the holes as they were written: in strings and comments they are plain text.
    fn restore(&mut self, text: String, span: Span, inside: &[usize]) -> String {
        let mut restored = text;
        for &place in inside.iter().rev() {
            self.placed[place] = true;
            let hole = &self.reader.pieces.holes[place];
            let (start, end) = (self.holes[place].start() - span.start(), self.holes[place].end() - span.start());
            let written = &self.reader.pieces.source[hole.span.start()..hole.span.end()];
            restored.replace_range(start..end, written);
        }
        restored
    }
}
