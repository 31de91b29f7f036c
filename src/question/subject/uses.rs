//! The places that refer to a symbol, and those that may: one list for questions and refactors.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::doubt::Doubt;
use super::doubts::IN_SCRIPT;
use super::family::{Given, Subject};
use super::splats::Splats;
use crate::modules::FileId;
use crate::question::definitions::in_documentation;
use crate::question::references::Reference;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::{Confidence, ReferenceRow};
use crate::risks::{Having, Linking, Making, StringKind, StringUse};
use crate::symbols::{Meaning, Resolver, Site, Thing};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// The places that refer to a symbol.
pub(crate) struct SubjectUses {
    /// Those that certainly do, as they are written.
    pub places: BTreeMap<FileId, Vec<Span>>,
    /// How many there are.
    pub certain: usize,
    /// Those that may.
    pub doubts: Vec<Doubt>,
    /// Strings that are its name, and are left as they are.
    pub strings: Vec<(FileId, Span)>,
    /// Of the places, the names in lists of public names.
    pub listed: Vec<(FileId, Span)>,
    /// Of the places, the strings that read it as a member.
    pub read: Vec<(FileId, Span)>,
    /// Whether a list of public names has it.
    pub is_public: bool,
    /// How many files access members by computed names and were not looked at, as they name neither the symbol nor its holder.
    pub unseen: usize,
}

impl Workspace<'_> {
    /// The places that refer to a symbol, and those that may; with strings, those that are its name may.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn subject_uses(
        &self,
        with_strings: bool,
        subject: &Subject,
        references: &[Reference],
    ) -> Result<SubjectUses, EngineError> {
        let old = subject.old.as_str();
        let mut places: BTreeMap<FileId, Vec<Span>> = BTreeMap::new();
        let mut certain = 0;
        let mut doubts = Vec::new();
        let mut uncertain: Vec<&Reference> = Vec::new();
        for reference in references.iter().filter(|reference| !reference.is_alias) {
            let span = Span::new(reference.start, reference.start + old.len());
            let is_joined = subject.joined.places.contains(&(reference.file, reference.node));
            match reference.row.confidence {
                Confidence::Candidate | Confidence::Undetermined | Confidence::Elsewhere if is_joined => {
                    certain += 1;
                    places.entry(reference.file).or_default().push(span);
                }
                Confidence::Certain => {
                    certain += 1;
                    places.entry(reference.file).or_default().push(span);
                    let is_asked = |resolver: &Resolver<'_>| {
                        resolver.gives_its_name(subject.family[0])
                            && resolver.is_asked_for_name(reference.file, reference.node)
                    };
                    let is_shown = |resolver: &Resolver<'_>| resolver.shows_code(reference.file, reference.node);
                    let names_member = |resolver: &Resolver<'_>| {
                        resolver.names_member_too(reference.file, reference.node)
                            || resolver.names_part_too(reference.file, reference.node)
                                && references.iter().any(|other| {
                                    matches!(other.row.confidence, Confidence::Candidate | Confidence::Undetermined)
                                        && resolver.is_after_object(other.file, other.node)
                                })
                    };
                    let why = match () {
                        () if self.resolve(is_asked) => Some("its name is asked for, as text"),
                        () if self.resolve(is_shown) => Some("the text shows its name"),
                        () if self.resolve(names_member) => {
                            Some("it gives its name to a member of the object made here")
                        }
                        () => None,
                    };
                    if let Some(why) = why {
                        let row = place_of(&reference.row, why);
                        let span = Span::new(span.start(), span.start());
                        doubts.push(Doubt { file: reference.file, span, row, is_remark: false });
                    }
                }
                Confidence::Candidate | Confidence::Undetermined | Confidence::Elsewhere
                    if self.resolve(|resolver| {
                        resolver.may_be_unfollowed(subject.family[0], reference.file, reference.node)
                    }) =>
                {
                    let row =
                        place_of(&reference.row, "members are not followed in this language, so it may be this one");
                    doubts.push(Doubt { file: reference.file, span, row, is_remark: false });
                }
                _ if self.resolve(|resolver| {
                    resolver.may_be_of_neighbour(subject.family[0], reference.file, reference.node)
                }) =>
                {
                    let row = place_of(&reference.row, "code of another language, which may use it");
                    doubts.push(Doubt { file: reference.file, span, row, is_remark: false });
                }
                Confidence::Candidate | Confidence::Undetermined => uncertain.push(reference),
                Confidence::Elsewhere
                    if subject.is_parameter || subject.is_member || reference.without_error.is_some() =>
                {
                    uncertain.push(reference);
                }
                Confidence::Elsewhere if subject.is_lasting => {
                    let linking = |resolver: &Resolver<'_>| {
                        resolver.may_be_linked(&subject.family, reference.file, reference.node)
                    };
                    let why = match self.resolve(linking) {
                        Some(Linking::Linker) => "a linker may take it for this one",
                        Some(Linking::Declared) => "it may be declared here, without its body",
                        Some(Linking::Global) => IN_SCRIPT,
                        Some(Linking::Run) => "one file runs the other, so that it may be the same variable",
                        None => continue,
                    };
                    let row = place_of(&reference.row, why);
                    doubts.push(Doubt { file: reference.file, span, row, is_remark: false });
                }
                Confidence::Elsewhere => {}
            }
        }
        let takes = subject.is_parameter || subject.given == Given::ByItsClass;
        let splats = if takes { self.splats(subject)? } else { Splats::default() };
        for (file, span) in &splats.open {
            let row = self.place_row(*file, span.start(), "may pass an argument of this name".to_owned());
            doubts.push(Doubt { file: *file, span: Span::new(span.start(), span.start()), row, is_remark: false });
        }
        if subject.is_parameter {
            for reference in self.taker_references(subject)? {
                if self.resolve(|resolver| resolver.registers_another(reference.file, reference.node)) {
                    let why = "a function is registered here to be called in place of its own";
                    let start = self.resolve(|resolver| {
                        resolver.tree(reference.file).map_or(0, |tree| tree.span(reference.node).start())
                    });
                    let row = self.place_row(reference.file, start, why.to_owned());
                    doubts.push(Doubt { file: reference.file, span: Span::new(start, start), row, is_remark: false });
                }
            }
        }
        let mut open_files = FxHashSet::default();
        let made_names = self.made_names(subject)?;
        let is_in_module =
            |resolver: &Resolver<'_>| subject.family.iter().any(|&site| resolver.is_member_of_module(site));
        let is_reachable = subject.is_member || subject.component_of.is_some() || self.resolve(is_in_module);
        for (file, made) in made_names.found {
            let is_made = matches!(made.how, Making::Pieces | Making::Recased);
            let is_of_object = is_made || matches!(made.how, Making::Computed | Making::Listing | Making::Open);
            // What no module exports is no member of anything.
            if is_of_object && !is_reachable {
                continue;
            }
            if is_of_object && self.excludes_object(self.escape(subject)?, file, made.span) {
                continue;
            }
            let why = match made.how {
                Making::Computed => "accesses members by a computed name",
                Making::Table => "reads a table of names",
                Making::Format => "a format puts in what has this name",
                Making::Code => "a string that is run as code",
                Making::Callable => "a text that may be its name, which code calls",
                Making::Bound => "a text that binds a variable of this name",
                Making::Told => "a member is asked for its name",
                Making::Listing => "goes through the names of all members",
                Making::Class => "makes a class with such a member",
                Making::Part => "makes the name of a member of the class's",
                Making::Shown => "such an object is data here, with the names of its members",
                Making::Asked => "an object is asked for the name of its class",
                Making::Pieces | Making::Recased if self.may_be_put_together(old, made.how == Making::Recased)? => {
                    "accesses members by a computed name"
                }
                Making::Pieces if self.cuts_name(file, old)? => "accesses members by a computed name",
                Making::Open if self.adds_sign(file, old)? => "accesses members by a computed name",
                Making::Open | Making::Pieces | Making::Recased => {
                    open_files.insert(file);
                    continue;
                }
            };
            let row = self.place_row(file, made.span.start(), why.to_owned());
            doubts.push(Doubt { file, span: Span::new(made.span.start(), made.span.start()), row, is_remark: false });
        }
        for word in self.resolve(|resolver| resolver.mangled_names(&subject.classes, old)) {
            for (file, span) in self.look(&word, None, |resolver, file| {
                resolver.spans_of(file, &word).into_iter().map(|span| (file, span)).collect()
            })? {
                let row = self.place_row(file, span.start(), "the name of the hidden member".to_owned());
                doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
            }
            for (file, StringUse { span, .. }) in self.strings(&word)? {
                let row = self.place_row(file, span.start(), "the name of the hidden member".to_owned());
                doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
            }
        }
        for Site { file, name } in self.outside_implementations(&subject.family)? {
            let start = self.resolve(|resolver| resolver.tree(file).map_or(0, |tree| tree.span(name).start()));
            let row = self.place_row(file, start, "a value from outside may be used as the interface".to_owned());
            doubts.push(Doubt { file, span: Span::new(start, start), row, is_remark: false });
        }
        for Site { file, name } in self.alike_fields(subject)? {
            let start = self.resolve(|resolver| resolver.tree(file).map_or(0, |tree| tree.span(name).start()));
            let why = "a record with the same fields may be this one: both are one type, or are converted";
            let row = self.place_row(file, start, why.to_owned());
            doubts.push(Doubt { file, span: Span::new(start, start), row, is_remark: false });
        }
        for name in self.resolve(|resolver| resolver.derived_names(subject.family[0])) {
            let all: Vec<FileId> = self.project.ids().collect();
            let files = self.files_with(&all, &|_, text| memchr::memmem::find(text, name.word.as_bytes()).is_some())?;
            for (file, span) in self.look("", Some(&files.into_iter().collect()), |resolver, file| {
                resolver.spans_of_derived(file, &name).into_iter().map(|span| (file, span)).collect()
            })? {
                let row = self.place_row(file, span.start(), "its name is made of this one".to_owned());
                doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
            }
        }
        if self.resolve(|resolver| subject.family.iter().any(|&site| resolver.is_global_in_script(site))) {
            for (file, span) in self.look_at_text(old, |resolver, file| {
                resolver.page_uses(file, old).into_iter().map(|span| (file, span)).collect()
            })? {
                let row = self.place_row(file, span.start(), "a page may run the file, and use its names".to_owned());
                doubts.push(Doubt { file, span, row, is_remark: false });
            }
        }
        for (reference, why) in self.doubtful(subject, &splats, &uncertain, &places)? {
            let span = Span::new(reference.start, reference.start + old.len());
            doubts.push(Doubt { file: reference.file, span, row: place_of(&reference.row, why), is_remark: false });
        }
        if subject.is_member {
            for &(file, span) in &self.escape(subject)?.computed {
                let is_known = |doubt: &Doubt| doubt.file == file && doubt.span.start() == span.start();
                if !doubts.iter().any(is_known) {
                    let row = self.place_row(file, span.start(), "accesses members by a computed name".to_owned());
                    doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
                }
            }
        }
        if self.is_literal_key(subject) {
            for &(file, span) in &self.escape(subject)?.given {
                let row = self.place_row(file, span.start(), "code that is not known gets the object".to_owned());
                doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
            }
        }
        if self.is_shown(subject) {
            for &(file, span) in &self.escape(subject)?.shown {
                let row = self.place_row(file, span.start(), "the names of the members are shown as text".to_owned());
                doubts.push(Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false });
            }
        }
        let (mut is_public, mut listed, mut read) = (false, Vec::new(), Vec::new());
        let is_callable =
            !subject.is_parameter && self.resolve(|resolver| resolver.is_called_by_text(subject.family[0]));
        let is_class = self.resolve(|resolver| resolver.is_class(subject.family[0]));
        // A parameter that is a field as well.
        let is_field = subject.is_parameter && (subject.is_member || subject.component_of.is_some());
        let mut is_passed_on = None;
        // Strings that are the name, and are left as they are.
        let mut strings = Vec::new();
        if subject.is_lasting || subject.is_parameter || !splats.files.is_empty() {
            let is_its = |thing: &Thing| matches!(thing, Thing::Symbol(site) if subject.family.contains(site));
            let asks_for_parameters =
                |file| subject.is_parameter && self.resolve(|resolver| resolver.asks_for_parameters(file));
            let runs_files = |file| !subject.is_member && self.resolve(|resolver| resolver.runs_files(file));
            let is_taken_apart = |file: FileId| {
                let splits = |resolver: &Resolver<'_>| resolver.spans_of(file, "split").into_iter().next().is_some();
                subject.is_member && open_files.contains(&file) && self.resolve(splits)
            };
            let names_argument = |file, node| {
                subject.is_parameter
                    && self.resolve(|resolver| resolver.names_argument_beside(file, node, &subject.called))
            };
            let is_mocked =
                |file, node| subject.is_member && self.resolve(|resolver| resolver.is_mocked(file, node, old));
            let is_compared =
                |file, node| is_class && self.resolve(|resolver| resolver.is_compared_with_name(file, node));
            for (file, StringUse { node, span, kind }) in self.strings(old)? {
                let is_asked_for = matches!(kind, StringKind::Argument(_))
                    && (subject.is_parameter || subject.is_member)
                    || subject.is_lasting
                    || is_field
                    || kind == StringKind::Name && (splats.files.contains(&file) || asks_for_parameters(file))
                    || names_argument(file, node);
                if !is_asked_for {
                    continue;
                }
                let why = match kind {
                    StringKind::Callable { is_member } if is_member == subject.is_member && is_callable => {
                        "a string that may name it for a call"
                    }
                    StringKind::Listed(Meaning::Known(things)) => {
                        if things.iter().any(is_its) {
                            certain += 1;
                            is_public |= !subject.is_member;
                            places.entry(file).or_default().push(span);
                            listed.push((file, span));
                        }
                        continue;
                    }
                    StringKind::Argument(Meaning::Known(things)) => {
                        if things.iter().any(is_its) {
                            certain += 1;
                            places.entry(file).or_default().push(span);
                        }
                        continue;
                    }
                    StringKind::Name | StringKind::Callable { .. } if names_argument(file, node) => {
                        "a key that may name an argument"
                    }
                    StringKind::Argument(Meaning::External) if subject.is_parameter => continue,
                    StringKind::Argument(_) if subject.is_parameter || subject.is_member => {
                        "a key that may name an argument"
                    }
                    StringKind::Listed(_) => "a name in a list that cannot be followed",
                    StringKind::Access if self.is_joined_string(subject, file, span) => {
                        certain += 1;
                        places.entry(file).or_default().push(span);
                        read.push((file, span));
                        continue;
                    }
                    StringKind::Access => {
                        let symbol = subject.named();
                        let having = self.resolve(|resolver| resolver.may_have_named(file, node, &symbol));
                        let may_be = match having {
                            Having::Yes => true,
                            Having::Perhaps if subject.is_member => {
                                !self.excludes_object(self.escape(subject)?, file, span)
                            }
                            Having::Perhaps => self.gets_about(subject, &mut is_passed_on)?,
                            Having::No => false,
                        };
                        if !may_be {
                            continue;
                        }
                        "a call names a member by this string"
                    }
                    StringKind::Path(_) | StringKind::Head if is_taken_apart(file) => {
                        "a path in a string, whose parts may name members"
                    }
                    StringKind::Path(before) => {
                        let last = before.rsplit(['.', ':', '\\']).next().unwrap_or(&before);
                        if !subject.holders.contains(last) {
                            continue;
                        }
                        "a path in a string"
                    }
                    StringKind::Head if is_mocked(file, node) => "a path that a test gives a value by",
                    StringKind::Name | StringKind::Callable { .. } if is_compared(file, node) => {
                        "it is compared with the name of a class"
                    }
                    StringKind::Head | StringKind::Name if subject.is_lasting && runs_files(file) => {
                        "a string that may name it: the file runs code of other files"
                    }
                    StringKind::Head => {
                        strings.push((file, span));
                        continue;
                    }
                    StringKind::Name | StringKind::Callable { .. } if with_strings => "a string equal to the name",
                    StringKind::Name if subject.given == Given::ByTables => "a string that may be the key",
                    StringKind::Name | StringKind::Callable { .. }
                        if (!subject.is_parameter || is_field) && open_files.contains(&file) =>
                    {
                        "a string that may name a member: the file accesses members by names that it is given"
                    }
                    StringKind::Name | StringKind::Callable { .. } if splats.files.contains(&file) => {
                        "a string that may name an argument"
                    }
                    StringKind::Name if asks_for_parameters(file) => {
                        "a string that may name a parameter: the file asks functions for these names"
                    }
                    StringKind::Argument(_) | StringKind::Name | StringKind::Callable { .. } => {
                        strings.push((file, span));
                        continue;
                    }
                };
                let row = self.place_row(file, span.start(), why.to_owned());
                doubts.push(Doubt { file, span, row, is_remark: false });
            }
        }
        for &site in subject.family.iter().filter(|_| !subject.is_member) {
            if let Some((node, why)) = self.resolve(|resolver| resolver.two_at_once(site)) {
                let start = self.resolve(|resolver| resolver.tree(site.file).map_or(0, |tree| tree.span(node).start()));
                let row = self.place_row(site.file, start, why.to_owned());
                doubts.push(Doubt { file: site.file, span: Span::new(start, start), row, is_remark: false });
            }
        }
        doubts.extend(self.asked_parameters(subject)?);
        doubts.extend(self.pasted_doubts(subject)?);
        doubts.extend(self.mixed_doubts(subject, references)?);
        doubts.extend(self.named_in_comments(subject)?);
        doubts.extend(self.named_in_outputs(subject));
        for doubt in self.keyed_by_name(subject, references)? {
            strings.retain(|&(file, span)| file != doubt.file || span != doubt.span);
            doubts.push(doubt);
        }
        Ok(SubjectUses { places, certain, doubts, strings, listed, read, is_public, unseen: made_names.unseen })
    }

    /// Whether a string certainly reads a member of the family.
    fn is_joined_string(&self, subject: &Subject, file: FileId, span: Span) -> bool {
        self.resolve(|resolver| {
            let Some(node) = resolver.tree(file).map(|tree| tree.table().smallest_around(span)) else { return false };
            let is_its = |sites: Vec<Site>| !sites.is_empty() && sites.iter().all(|site| subject.family.contains(site));
            subject.joined.places.contains(&(file, node)) || resolver.named_by(file, node).is_some_and(is_its)
        })
    }
}

/// A reference as a place with a question.
fn place_of(row: &ReferenceRow, why: &str) -> PlaceRow {
    let why = if row.in_documentation { in_documentation(why) } else { why.to_owned() };
    PlaceRow { path: row.path.clone(), line: row.line, col: row.col, why, text: row.text.clone() }
}

/// Says that files were not looked at.
pub(crate) fn unseen_note(count: usize) -> String {
    let files = if count == 1 { "1 file accesses".to_owned() } else { format!("{count} files access") };
    format!("{files} members by computed names, without naming this or its holder; not looked at")
}
