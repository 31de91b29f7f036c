//! Uses of a symbol by text that tools or code take for its name: comments, templates and settings, keys that are made
//! of the names of functions and classes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::doubt::Doubt;
use super::family::Subject;
use crate::language::{Language, LazyRegex};
use crate::modules::FileId;
use crate::project::Globs;
use crate::question::references::Reference;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::Confidence;
use crate::risks::{Around, NameKeys, StringKind, StringUse, words_in};
use crate::symbols::Site;
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Where comments name a symbol for a tool.
    pub(super) fn named_in_comments(&self, subject: &Subject) -> Result<Vec<Doubt>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let name = subject.old.as_str();
        let comments = &language.spec().symbols.hidden_uses.naming_comments;
        if comments.is_empty() || !subject.is_lasting || subject.is_parameter {
            return Ok(Vec::new());
        }
        let found = self.look_at_text(name, |resolver, file| {
            resolver.uses_in_comments(file, name).into_iter().map(|span| (file, span)).collect()
        })?;
        let doubt = |(file, span): (FileId, Span)| {
            let row = self.place_row(file, span.start(), "a comment names it for a tool".to_owned());
            Doubt { file, span, row, is_remark: false }
        };
        Ok(found.into_iter().map(doubt).collect())
    }

    /// Where documentation that is run says that its code prints the name of a symbol.
    pub(super) fn named_in_outputs(&self, subject: &Subject) -> Vec<Doubt> {
        let is_class = self.resolve(|resolver| resolver.is_class(subject.family[0]));
        let name = subject.old.as_str();
        let mut doubts = Vec::new();
        for (document, host) in self.project.documents() {
            let rules = &self.project.file(document).language.spec().symbols.run_documentation;
            let found = self.resolve(|resolver| {
                let tree = resolver.tree(document)?;
                let lines = tree.part()?.outputs(tree.text()).into_iter();
                let shown = lines.flat_map(|span| {
                    let line = tree.text().slice(span).into_owned();
                    let fits = |regex: &Option<LazyRegex>, text: &str| {
                        regex.as_ref().is_some_and(|regex| regex.get().is_match(text))
                    };
                    let is_shown = |at: &Span| {
                        is_class
                            || fits(&rules.output_before, &line[..at.start()])
                            || fits(&rules.output_after, &line[at.end()..])
                    };
                    let words: Vec<Span> = words_in(&line, name, 0).filter(is_shown).collect();
                    words.into_iter().map(move |at| Span::new(span.start() + at.start(), span.start() + at.end()))
                });
                Some(shown.collect::<Vec<Span>>())
            });
            for span in found.unwrap_or_default() {
                let why = "documentation that is run has it in its output";
                let row = self.place_row(host, span.start(), why.to_owned());
                doubts.push(Doubt { file: document, span, row, is_remark: false });
            }
        }
        doubts
    }

    /// Where code asks the function of a parameter for the names of its parameters.
    pub(super) fn asked_parameters(&self, subject: &Subject) -> Result<Vec<Doubt>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let words = &language.spec().symbols.hidden_uses.parameter_searches;
        if !subject.is_parameter || words.is_empty() {
            return Ok(Vec::new());
        }
        let functions: Vec<Site> = self.resolve(|resolver| {
            subject.family.iter().filter_map(|&site| resolver.function_of_parameter(site)).collect()
        });
        let has_word = |text: &[u8]| words.iter().any(|word| memmem::find(text, word.as_bytes()).is_some());
        let files = self.files_of(language, &has_word)?;
        let found = self.look("", Some(&files), |resolver, file| {
            resolver.asked_parameters(file, &functions).into_iter().map(|span| (file, span)).collect()
        })?;
        let doubt = |(file, span): (FileId, Span)| {
            let why = "code asks the function for the names of its parameters";
            let row = self.place_row(file, span.start(), why.to_owned());
            Doubt { file, span: Span::new(span.start(), span.start()), row, is_remark: false }
        };
        Ok(found.into_iter().map(doubt).collect())
    }

    /// Where macros put together a name that may be that of the symbol: `op_##name`, with the other part somewhere in the project.
    pub(super) fn pasted_doubts(&self, subject: &Subject) -> Result<Vec<Doubt>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let sign = language.spec().symbols.macros.join_sign.as_deref();
        let Some(sign) = sign.filter(|_| subject.is_lasting && !subject.is_parameter) else { return Ok(Vec::new()) };
        let name = subject.old.as_str();
        let all: Vec<FileId> = self.project.ids().collect();
        let files = self.files_with(&all, &|_, text| memmem::find(text, sign.as_bytes()).is_some())?;
        let found = self.look("", Some(&files.into_iter().collect()), |resolver, file| {
            let pasted = resolver.pasted_names(file).into_iter().filter(|pasted| pasted.rest_of(name).is_some());
            pasted.map(|pasted| (file, pasted)).collect()
        })?;
        let has_parts = |parts: &[&str]| -> Result<bool, EngineError> {
            for part in parts {
                let has_word = |text: &[u8]| crate::facts::has_word(text, part.as_bytes());
                let is_beside = || self.files_beside(&[language]).iter().any(|path| self.has_word_beside(path, part));
                if self.files_with(&all, &|_, text| has_word(text))?.is_empty() && !is_beside() {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let mut doubts = Vec::new();
        for (file, pasted) in found {
            let Some(rest) = pasted.rest_of(name) else { continue };
            let is_given = match pasted.head.is_empty() && pasted.tail.is_empty() {
                false => has_parts(&[rest])?,
                true => {
                    let mut is_found = false;
                    for (at, _) in name.char_indices().skip(1) {
                        is_found = is_found || has_parts(&[&name[..at], &name[at..]])?;
                    }
                    is_found
                }
            };
            if is_given {
                let row = self.place_row(file, pasted.span.start(), "a macro may put its name together".to_owned());
                let span = Span::new(pasted.span.start(), pasted.span.start());
                doubts.push(Doubt { file, span, row, is_remark: false });
            }
        }
        Ok(doubts)
    }

    /// The files in no language that may name definitions of some languages, by their names.
    pub(in crate::question) fn files_beside(&self, languages: &[&Language]) -> Vec<&Path> {
        let rules = languages.iter().map(|language| &language.spec().symbols.hidden_uses);
        let names = rules.flat_map(|rules| rules.naming_files.iter().chain(&rules.code_files));
        let globs = Globs::new(names.map(String::as_str));
        let code: FxHashSet<&Path> = self.project.ids().map(|file| self.path(file)).collect();
        let is_one = |path: &&Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            !code.contains(path) && (globs.matches(&name) || globs.matches(&format!("{folder}/{name}")))
        };
        self.listed().iter().map(PathBuf::as_path).filter(is_one).collect()
    }

    fn has_word_beside(&self, path: &Path, word: &str) -> bool {
        let bytes = self.engine.walked_bytes(path, &self.reading);
        bytes.is_ok_and(|bytes| crate::facts::has_word(&bytes, word.as_bytes()))
    }

    /// Strings that may be the name of a function or a class because code makes such names keys.
    pub(super) fn keyed_by_name(&self, subject: &Subject, references: &[Reference]) -> Result<Vec<Doubt>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let rules = &language.spec().symbols.hidden_uses;
        let is_named = !subject.is_member
            && !subject.is_parameter
            && subject.is_lasting
            && self.resolve(|resolver| resolver.gives_its_name(subject.family[0]));
        if rules.name_keys.is_empty() && rules.key_calls.is_empty() || !is_named {
            return Ok(Vec::new());
        }
        let small = subject.old.to_lowercase();
        let is_name =
            |kind: &StringKind| matches!(kind, StringKind::Name | StringKind::Callable { .. } | StringKind::Head);
        let strings = |name: &str| -> Result<Vec<(FileId, StringUse)>, EngineError> {
            Ok(self.strings(name)?.into_iter().filter(|(_, used)| is_name(&used.kind)).collect())
        };
        let (own, others) = (strings(&subject.old)?, if small == subject.old { Vec::new() } else { strings(&small)? });
        // `TABLE.run` gets what is under the key.
        let is_access = |reference: &&Reference| {
            let around = || self.resolve(|resolver| resolver.around_name(reference.file, reference.node));
            rules.keys_are_members
                && !matches!(reference.row.confidence, Confidence::Certain | Confidence::Elsewhere)
                && matches!(around(), Around::Object { .. })
        };
        let accesses: Vec<&Reference> = references.iter().filter(is_access).collect();
        if own.is_empty() && others.is_empty() && accesses.is_empty() {
            return Ok(Vec::new());
        }
        let has_word = |text: &[u8]| rules.own_names.iter().any(|word| may_be_key(text, word, &rules.key_calls));
        let files = self.files_of(language, &has_word)?;
        let keys: Vec<NameKeys> = self.look("", Some(&files), |resolver, file| vec![resolver.name_keys(file)])?;
        let mut found = Vec::new();
        if keys.iter().any(|keys| keys.are_made) {
            found.extend(own);
        }
        if keys.iter().any(|keys| keys.are_in_another_case) {
            found.extend(others);
        }
        let doubt = |(file, StringUse { span, .. }): (FileId, StringUse)| {
            let why = "a string that may be its name: code makes the names of functions and classes keys";
            let row = self.place_row(file, span.start(), why.to_owned());
            Doubt { file, span, row, is_remark: false }
        };
        let mut doubts: Vec<Doubt> = found.into_iter().map(doubt).collect();
        for reference in accesses.into_iter().filter(|_| keys.iter().any(|keys| keys.are_made)) {
            let why = "it may be a key of a table: code makes the names of functions and classes keys";
            let row = self.place_row(reference.file, reference.start, why.to_owned());
            let span = Span::new(reference.start, reference.start + subject.old.len());
            doubts.push(Doubt { file: reference.file, span, row, is_remark: false });
        }
        Ok(doubts)
    }

    /// Where a template or settings name a symbol: `{{ user.size }}`, `main = pkg.module:run`.
    pub(crate) fn named_in_files(&self, subject: &Subject) -> Vec<PlaceRow> {
        let language = self.project.file(subject.family[0].file).language;
        let rules = &language.spec().symbols.hidden_uses;
        let code = Globs::new(rules.code_files.iter().map(String::as_str));
        let is_local = !subject.is_lasting || subject.is_parameter;
        if rules.code_files.is_empty() && (rules.naming_files.is_empty() || is_local) {
            return Vec::new();
        }
        let mut found = Vec::new();
        // The packages that have it are before it in a path, too.
        let paths = subject.family.iter().map(|site| self.project.file(site.file).path.as_str());
        let folders = paths.filter_map(|path| path.rsplit('/').nth(1));
        let holders: FxHashSet<&str> = subject.holders.iter().map(String::as_str).chain(folders).collect();
        // What a function has, only a file that is included there can name.
        let includes = |file_name: &str| {
            let own = self.engine.walked_bytes(self.path(subject.family[0].file), &self.reading);
            own.is_ok_and(|own| memmem::find(&own, file_name.as_bytes()).is_some())
        };
        for path in self.files_beside(&[language]) {
            let file_name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_code = code.matches(&file_name);
            if is_local && !(is_code && includes(&file_name)) {
                continue;
            }
            let Ok(bytes) = self.engine.walked_bytes(path, &self.reading) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            let names = |span: &Span| is_code || is_named(&text, *span, &holders, &rules.template_signs);
            let Some(span) = words_in(&text, &subject.old, 0).find(names) else { continue };
            let line = text[..span.start()].matches('\n').count() + 1;
            let start = text[..span.start()].rfind('\n').map_or(0, |at| at + 1);
            let end = text[span.end()..].find('\n').map_or(text.len(), |at| span.end() + at);
            found.push(PlaceRow {
                path: self.engine.shown(path),
                line,
                col: text[start..span.start()].chars().count() + 1,
                why: "a file that is no code names it".to_owned(),
                text: text[start..end].trim_end().to_owned(),
            });
        }
        found
    }

    /// The strings of all files that contain a name.
    pub(crate) fn strings(&self, name: &str) -> Result<Vec<(FileId, StringUse)>, EngineError> {
        self.look_at_text(name, |resolver, file| {
            resolver.strings_with(file, name).into_iter().map(|string| (file, string)).collect()
        })
    }
}

/// Whether a word of a text that is no code names a symbol: in the code of a template, or as the end of a path to it.
fn is_named(text: &str, span: Span, holders: &FxHashSet<&str>, signs: &BTreeMap<String, String>) -> bool {
    let before = &text[..span.start()];
    let is_in_code = |(open, close): (&String, &String)| {
        let opened = before.rfind(open.as_str());
        opened.is_some_and(|at| before.rfind(close.as_str()).is_none_or(|closed| closed < at))
    };
    let holder = before.strip_suffix([':', '.', '#', '/']).map(|before| before.trim_end_matches(':'));
    let holder = holder.map(|before| before.rsplit(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next());
    signs.iter().any(is_in_code) || holder.flatten().is_some_and(|word| holders.contains(word))
}

/// Whether a text may have a member of a name as a key of a table: after a bracket or the call of a function in its line.
fn may_be_key(text: &[u8], member: &str, calls: &[String]) -> bool {
    memmem::find_iter(text, member.as_bytes()).any(|at| {
        let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
        let before = &text[line..at];
        let is_asked = |call: &String| memmem::find(before, call.as_bytes()).is_some();
        let after = text.get(at + member.len()).copied().unwrap_or(b' ');
        matches!(after, b':' | b']' | b',')
            || before.iter().any(|sign| matches!(sign, b'[' | b'{'))
            || calls.iter().any(is_asked)
    })
}
