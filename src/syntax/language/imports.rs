//! `[imports]`: which statements import, how they are read, and where they go.

use std::collections::BTreeMap;

use super::by_type::ByType;
use super::form::{Form, Key, Mark, Marks, OnePath, Paths, Reader, rules};
use super::lazy_regex::LazyRegex;
use super::organize::Organize;
use super::place::NodePatterns;
use super::symbols::TypeId;

rules! {
    /// Which types are imports, how they are read, and where they go.
    Imports from ImportRule {
        /// All of them.
        types: Marks,
        /// The functions that an import calls, where imports are calls: Ruby's `require`.
        calls: Vec<String>,
        /// Node patterns of what must be at the start of the file or of its block: a package clause,
        /// `expression_statement(string)`.
        first: NodePatterns,
        /// Types before which there is no code: `<?php`.
        opens: Marks,
        /// The start of comments about the whole file, which stay above its imports.
        file_comments: Vec<String>,
        /// Types into which imports go if they contain the whole file, such as a namespace, with the type of the definition
        /// of the same name that must come first in them: the include guard's `#define`.
        containers: ByType<Mark>,
        /// How to read the nodes of an import, by type or `parent/type`. Other nodes are names.
        parts: Parts,
        /// What joins a source and a name to a path; empty if `a` from `b` and `b.a` are different.
        separator: String,
        /// The name of a source inside its own group: `self`.
        itself: String,
        /// Tokens and types that import everything in a module: `*`.
        globs: Marks,
        /// Tokens and types that make an import a different one: `static`.
        varieties: Marks,
        /// Those that import less: a name imported without them is also imported with them.
        weak: Marks,
        /// Those that import more: a name imported with them is also imported without them.
        strong: Marks,
        /// Those whose names do not clash with other names.
        own_names: Marks,
        /// A regex for the name that a path binds without an alias: its first group, or the whole match. Empty if it binds
        /// none.
        binds: Option<LazyRegex>,
        /// Types at the top of the file, besides definitions, that bind names like an import: variables.
        declares: Marks,
        /// Types of definitions whose names do not clash with imported ones.
        free: Marks,
        /// How imports are organized; without it they are not.
        organize: Option<Organize>,
    }

    /// How a node of an import is read.
    Part from PartRule {
        /// Paths to the module of its names, as in `names`.
        source: Paths,
        /// Paths to the parts inside.
        each: Paths,
        /// Path to the imported name.
        name: Option<OnePath>,
        /// Path to the alias.
        alias: Option<OnePath>,
        /// Whether a comma begins another import: `import a.B, c.D`.
        split: bool,
    }
}

/// How the nodes of imports are read, by type or `parent/type`.
#[derive(Debug, Default)]
pub struct Parts {
    /// Those for one type of parent come first.
    parts: Vec<ReadPart>,
}

#[derive(Debug)]
struct ReadPart {
    outer: Option<TypeId>,
    inner: TypeId,
    part: Part,
}

impl Form for Parts {
    type Written = BTreeMap<String, PartRule>;
    type Compiled = Parts;

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Parts {
        let read = |(place, part): (&String, &PartRule)| {
            let key = key.inner(place);
            let mark = |word: &str| reader.keep(key, reader.notation.mark(word));
            let (outer, inner) =
                place.split_once('/').map_or((None, place.as_str()), |(outer, inner)| (Some(outer), inner));
            ReadPart { outer: outer.map(mark), inner: mark(inner), part: Part::compile(part, key, reader) }
        };
        let mut parts: Vec<ReadPart> = written.iter().map(read).collect();
        parts.sort_by_key(|part| part.outer.is_none());
        Parts { parts }
    }
}

impl Imports {
    /// The rule for a node type in a type of parent.
    pub fn part(&self, parent: Option<TypeId>, id: TypeId) -> Option<&Part> {
        let fits = |part: &&ReadPart| part.inner == id && (part.outer.is_none() || part.outer == parent);
        self.parts.parts.iter().find(fits).map(|part| &part.part)
    }
}
