//! Where code may make the name of a symbol.

use std::sync::Mutex;

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::family::Subject;
use crate::facts::{WordParts, accesses_by_name, has_end, has_word, may_add_sign, may_make_name, words_around};
use crate::language::Language;
use crate::limits;
use crate::locks::IgnorePoison;
use crate::modules::{FileId, ProjectFile};
use crate::request::error::EngineError;
use crate::risks::{MadeName, Making, NamedSymbol};
use crate::symbols::{Resolver, Site};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// Where code may make the name of a symbol.
#[derive(Debug, Default)]
pub(super) struct MadeNames {
    pub(super) found: Vec<(FileId, MadeName)>,
    /// How many files access members by computed names and were not looked at.
    pub(super) unseen: usize,
}

impl Subject {
    /// The symbol as text may name it.
    pub(crate) fn named(&self) -> NamedSymbol<'_> {
        let is_member = self.is_member || self.component_of.is_some();
        NamedSymbol {
            site: self.family[0],
            name: &self.old,
            classes: &self.classes,
            modules: &self.modules,
            is_member,
            local: (!is_member && (!self.is_lasting || self.is_parameter)).then(|| self.family[0]),
        }
    }
}

impl Workspace<'_> {
    /// Where code may make the name of a symbol.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn made_names(&self, subject: &Subject) -> Result<MadeNames, EngineError> {
        let symbol = subject.named();
        let own = subject.family.iter().chain(&subject.classes).map(|site| site.file);
        let mut files: FxHashSet<FileId> = own.collect();
        let mut unseen = 0;
        if symbol.local.is_none() {
            let (near, far) = self.files_that_make(subject, &files)?;
            files.extend(near);
            unseen = far;
        }
        let is_quick = files.len() > limits::DYNAMIC_FILES;
        let mut found = self.look("", Some(&files), |resolver, file| {
            if is_quick {
                resolver.be_quick();
            }
            let made = resolver.made_names(file, &symbol).into_iter();
            made.map(|made| (file, made)).collect()
        })?;
        found.extend(self.made_of_class_name(subject)?);
        found.extend(self.names_as_data(subject)?);
        found.sort_by_key(|(file, made): &(FileId, MadeName)| (*file, made.span.start(), made.how));
        found.dedup();
        Ok(MadeNames { found, unseen })
    }

    /// The parts before and after a name in the longer words of some files.
    fn parts_around(&self, files: &[FileId], name: &str) -> Result<FxHashSet<WordParts>, EngineError> {
        /// A shorter part is in too many names.
        const LEAST: usize = 2;
        let parts: Mutex<FxHashSet<WordParts>> = Mutex::default();
        let changed = self.files_with(files, &|_, text| {
            parts.lock().ignore_poison().extend(words_around(text, name.as_bytes()));
            false
        })?;
        let mut parts = parts.into_inner().ignore_poison();
        for file in changed {
            let text = self.resolve(|resolver| resolver.tree(file).map(|tree| tree.text().to_string()));
            parts.extend(text.into_iter().flat_map(|text| words_around(text.as_bytes(), name.as_bytes())));
        }
        parts.retain(|(before, after)| before.len() + after.len() >= LEAST);
        Ok(parts)
    }

    /// Whether strings of the project may be the parts of a name, or the name in another form: `"on"` and `"load"`, or `"on-load"`, for
    /// `on_load`.
    pub(super) fn may_be_put_together(&self, name: &str, is_recased: bool) -> Result<bool, EngineError> {
        let parts = parts_of(name);
        if parts.is_empty() || parts.len() == 1 && !is_recased {
            return Ok(false);
        }
        let is_one = parts.len() == 1;
        let all: Vec<FileId> = self.project.ids().collect();
        let in_other_form = ["-", ".", " ", "/", ":", ""].map(|sign| parts.join(sign));
        let found: Mutex<FxHashSet<usize>> = Mutex::default();
        let has_form = self.files_with(&all, &|_, text| {
            if is_one {
                // `"RUN"` for `run`: the name itself is looked at as a string.
                return forms_of(&parts[0]).iter().any(|form| form != name && has_quoted(text, form));
            }
            let parts =
                parts.iter().enumerate().filter(|(_, part)| forms_of(part).iter().any(|form| has_quoted(text, form)));
            found.lock().ignore_poison().extend(parts.map(|(at, _)| at));
            in_other_form.iter().any(|form| forms_of(form).iter().any(|form| form != name && has_quoted(text, form)))
        })?;
        Ok(!has_form.is_empty() || !is_one && found.into_inner().ignore_poison().len() == parts.len())
    }

    /// Whether a file may put the sign before other names that is before this one: `"_" + name` for `_name`.
    pub(super) fn adds_sign(&self, file: FileId, name: &str) -> Result<bool, EngineError> {
        Ok(name.starts_with('_')
            && !self.files_with(&[file], &|_, text| may_add_sign(text, name.as_bytes()))?.is_empty())
    }

    /// Whether a file may cut a name from a longer one of the project: `name.sub("get_", "")` for the `size` of `get_size`.
    pub(super) fn cuts_name(&self, file: FileId, name: &str) -> Result<bool, EngineError> {
        let all: Vec<FileId> = self.project.ids().collect();
        let parts = self.parts_around(&all, name)?;
        let cuts = |text: &[u8]| {
            parts.iter().any(|(before, after)| {
                let is_cut = |part: &str| part.is_empty() || has_quoted(text, part);
                is_cut(before) && is_cut(after)
            })
        };
        Ok(!self.files_with(&[file], &|_, text| cuts(text))?.is_empty())
    }

    /// Where the names of members, or of the class itself, are data.
    fn names_as_data(&self, subject: &Subject) -> Result<Vec<(FileId, MadeName)>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let rules = &language.spec().symbols;
        let shown = self.resolve(|resolver| {
            let shown = subject.family.iter().flat_map(|&site| resolver.classes_that_show(site));
            shown.collect::<FxHashSet<Site>>()
        });
        let words = rules.shown.calls.iter().chain(&rules.shown.printed).chain(&rules.shown.data_calls);
        let mut found = self.data_of(language, &shown, &words.collect::<Vec<_>>(), Making::Shown)?;
        if !subject.is_member {
            let classes = subject.family.iter().copied();
            let classes = self.resolve(|resolver| classes.filter(|&site| resolver.is_class(site)).collect());
            let words: Vec<&String> = rules.hidden_uses.own_names.iter().collect();
            found.extend(self.data_of(language, &classes, &words, Making::Asked)?);
        }
        Ok(found)
    }

    /// Where files that have one of some words write the objects of some classes with names, or ask them for theirs.
    fn data_of(
        &self,
        language: &Language,
        classes: &FxHashSet<Site>,
        words: &[&String],
        how: Making,
    ) -> Result<Vec<(FileId, MadeName)>, EngineError> {
        if classes.is_empty() || words.is_empty() {
            return Ok(Vec::new());
        }
        let rules = &language.spec().symbols;
        let names: Vec<String> =
            self.resolve(|resolver| classes.iter().filter_map(|&class| resolver.name_of(class)).collect());
        let words: Vec<&str> = words.iter().map(|word| word.rsplit('.').next().unwrap_or(word)).collect();
        // Nodes that write objects have no word.
        let is_anywhere = how == Making::Shown && (!rules.shown.nodes.is_empty() || rules.shown.follows_calls);
        let files = self.files_of(language, &|text| {
            let has = |word: &str| memmem::find(text, word.as_bytes()).is_some();
            names.iter().any(|name| has(name)) && (is_anywhere || words.iter().any(|word| has(word)))
        })?;
        let family: Vec<Site> = classes.iter().copied().collect();
        self.look("", Some(&files), |resolver, file| {
            let found = match how {
                Making::Asked => resolver.asked_classes(file, &family),
                _ => resolver.shown_members(file, classes),
            };
            found.into_iter().map(|span| (file, MadeName { span, how })).collect()
        })
    }

    /// Where code may make the name of a member of that of a class: `getattr(self, "visit_" + name)`, where `visit_Add` is a name.
    fn made_of_class_name(&self, subject: &Subject) -> Result<Vec<(FileId, MadeName)>, EngineError> {
        let class = subject.family[0];
        let language = self.project.file(class.file).language;
        let rules = &language.spec().symbols.hidden_uses;
        let has_accesses = !rules.dynamic_accesses.is_empty() || !rules.computed_members.is_empty();
        // `A = Struct.new(:size)`
        let is_named_value = |resolver: &Resolver<'_>| !rules.naming_calls.is_empty() && resolver.gives_its_name(class);
        if subject.is_member
            || rules.dynamic_calls.is_empty() && !has_accesses
            || !self.resolve(|resolver| resolver.is_class(class) || is_named_value(resolver))
        {
            return Ok(Vec::new());
        }
        let small_name = subject.old.to_lowercase();
        let all: Vec<FileId> = self.project.ids().filter(|&id| self.project.file(id).language == language).collect();
        let parts = self.parts_around(&all, &subject.old)?;
        let small =
            if small_name == subject.old { FxHashSet::default() } else { self.parts_around(&all, &small_name)? };
        if parts.is_empty() && small.is_empty() {
            return Ok(Vec::new());
        }
        let files = self.files_with(&all, &|_, text| {
            let mut parts = parts.iter().chain(&small);
            let mut has_part = || parts.any(|(before, after)| has_end(text, before) && has_end(text, after));
            (has_accesses || accesses_by_name(text, &rules.dynamic_calls)) && has_part()
        })?;
        self.look("", Some(&files.into_iter().collect()), |resolver, file| {
            resolver.made_of_class_name(file, &parts, &small).into_iter().map(|made| (file, made)).collect()
        })
    }

    /// The files, other than the symbol's own, whose text may make its name, and how many more access members by any name.
    fn files_that_make(&self, subject: &Subject, own: &FxHashSet<FileId>) -> Result<(Vec<FileId>, usize), EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let rules = &language.spec().symbols.hidden_uses;
        let name = subject.old.as_bytes();
        let words = rules.dynamic_calls.iter().chain(&rules.code_calls).chain(&rules.name_tables);
        let words: FxHashSet<&str> = words.filter_map(|word| word.trim_start_matches('.').split('.').next()).collect();
        let has_access = |text: &[u8]| {
            !rules.dynamic_accesses.is_empty()
                || !rules.computed_members.is_empty()
                || words.iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
        };
        // A format, code and a table need the whole name; a call can get it in parts.
        let makes = |text: &[u8]| {
            (rules.formats.is_some() || has_access(text)) && has_word(text, name)
                || may_make_name(text, name) && has_access(text)
        };
        let others: Vec<FileId> = self.project.ids().filter(|file| !own.contains(file)).collect();
        // What goes through the members of a module names it.
        let stems: Vec<&str> = subject.modules.iter().map(|&module| stem_of(self.project.file(module))).collect();
        let searches = |text: &[u8]| {
            let has = |word: &str| memmem::find(text, word.as_bytes()).is_some();
            let mut words = rules.member_searches.iter().chain(&rules.module_makers);
            !subject.is_member && stems.iter().any(|stem| has(stem)) && words.any(|word| has(word))
        };
        let mut near = self.files_with(&others, &|_, text| {
            makes(text) || searches(text) || accesses_by_name(text, &rules.dynamic_calls)
        })?;
        if near.len() <= limits::DYNAMIC_FILES {
            return Ok((near, 0));
        }
        // Other files cannot name a class of a function; and a member is got from its class.
        let classes: Vec<String> = self.resolve(|resolver| {
            let seen = subject.classes.iter().filter(|&&class| !resolver.is_class_of_function(class));
            seen.filter_map(|&class| resolver.name_of(class)).collect()
        });
        let modules = match subject.is_member {
            true => subject.family.iter().map(|site| site.file).collect(),
            false => subject.modules.clone(),
        };
        let stems = modules.iter().map(|&module| stem_of(self.project.file(module)));
        let holders = subject.holders.iter().filter(|_| !subject.is_member).map(String::as_str);
        let names: FxHashSet<&str> = classes.iter().map(String::as_str).chain(holders).chain(stems).collect();
        let all = near.len();
        near =
            self.files_with(&near, &|_, text| makes(text) || names.iter().any(|name| has_word(text, name.as_bytes())))?;
        let unseen = all - near.len();
        Ok((near, unseen))
    }

    /// Where the members of the classes of a member are accessed by computed names.
    pub(crate) fn computed_accesses(&self, subject: &Subject) -> Result<Vec<(FileId, Span)>, EngineError> {
        let is_computed = |made: &MadeName| matches!(made.how, Making::Computed | Making::Table);
        let made = self.made_names(subject)?.found.into_iter().filter(|(_, made)| is_computed(made));
        Ok(made.map(|(file, made)| (file, made.span)).collect())
    }
}

/// A word in small letters, with a capital, and in capitals.
fn forms_of(word: &str) -> [String; 3] {
    let small = word.to_lowercase();
    [small[..1].to_uppercase() + &small[1..], small.to_uppercase(), small]
}

/// Whether a text has a word as a string of its own, perhaps with a sign that joins it to others, or as a symbol: `"load"`, `"on_"`, `:load`.
fn has_quoted(text: &[u8], word: &str) -> bool {
    let at = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    let is_join = |sign: u8| matches!(sign, b'_' | b'-' | b'.' | b' ');
    let is_quote = |sign: u8| matches!(sign, b'"' | b'\'' | b'`');
    let is_quoted = |start: usize| {
        let end = start + word.len();
        let (before, after) = (at(start.checked_sub(1)), at(Some(end)));
        let begins = is_quote(before) || before == b':' || is_join(before) && is_quote(at(start.checked_sub(2)));
        let ends = !after.is_ascii_alphanumeric() && after != b'_' || is_join(after) && is_quote(at(Some(end + 1)));
        begins && ends
    };
    memmem::find_iter(text, word.as_bytes()).any(is_quoted)
}

/// The words of a name, in small letters: `on` and `load` of `on_load` and of `onLoad`.
fn parts_of(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if (letter == '_' || letter.is_uppercase() && was_small) && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        was_small = letter.is_lowercase() || letter.is_ascii_digit();
        if let Some(part) = parts.last_mut()
            && letter != '_'
        {
            part.extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| part.is_ascii() && !part.is_empty());
    parts
}

/// The name of a file without its endings; of the file of a package, that of its folder.
fn stem_of(file: &ProjectFile) -> &str {
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let stem = name.split('.').next().unwrap_or(name);
    let files = &file.language.spec().symbols.module_files;
    let is_package = files.packages.iter().chain(&files.programs).any(|known| known == stem);
    if is_package && !folder.is_empty() { folder.rsplit('/').next().unwrap_or(folder) } else { stem }
}
