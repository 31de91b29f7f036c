//! What names and expressions can be, as plain data.

use std::borrow::Cow;

use crate::language::Spaces;
use crate::modules::{FileId, Module};
use crate::text::Span;
use crate::tree::Node;

/// Where a symbol is first bound: the node of its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The file.
    pub file: FileId,
    /// The name.
    pub name: Node,
}

/// What a name can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
    /// A symbol.
    Symbol(Site),
    /// A module that is a file.
    Module(FileId),
    /// A package without a file of its own: a folder.
    Folder(u32),
    /// A namespace that files declare, by its number in the project.
    Package(u32),
}

impl From<Module> for Thing {
    fn from(module: Module) -> Thing {
        match module {
            Module::File(file) => Thing::Module(file),
            Module::Folder(folder) => Thing::Folder(folder),
        }
    }
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// These symbols or modules, and nothing else; several if one name is bound to several.
    Known(Vec<Thing>),
    /// Something that is defined outside the project.
    External,
    /// Not determined. What is known may be among its meanings.
    Unknown(Vec<Thing>),
}

impl Meaning {
    /// One symbol.
    pub(super) fn site(file: FileId, name: Node) -> Meaning {
        Meaning::Known(vec![Thing::Symbol(Site { file, name })])
    }

    /// The meaning of something that may mean each of them: known if all are.
    pub(super) fn union(meanings: impl IntoIterator<Item = Meaning>) -> Meaning {
        let (mut things, mut unknown, mut external) = (Vec::new(), false, false);
        for meaning in meanings {
            match meaning {
                Meaning::Known(mut known) => things.append(&mut known),
                Meaning::External => external = true,
                Meaning::Unknown(mut known) => {
                    unknown = true;
                    things.append(&mut known);
                }
            }
        }
        things.sort_unstable();
        things.dedup();
        match (unknown, things.is_empty(), external) {
            (true, ..) => Meaning::Unknown(things),
            (false, false, _) => Meaning::Known(things),
            (false, true, true) => Meaning::External,
            (false, true, false) => Meaning::Unknown(things),
        }
    }
}

/// The name of a member, with the name spaces in which it is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberName<'n> {
    /// Its text.
    pub text: &'n str,
    /// The name spaces.
    pub spaces: Spaces,
}

impl<'n> From<&'n str> for MemberName<'n> {
    fn from(text: &'n str) -> MemberName<'n> {
        MemberName { text, spaces: Spaces::ALL }
    }
}

impl<'n> From<&'n String> for MemberName<'n> {
    fn from(text: &'n String) -> MemberName<'n> {
        text.as_str().into()
    }
}

impl<'n> From<&'n Cow<'n, str>> for MemberName<'n> {
    fn from(text: &'n Cow<'n, str>) -> MemberName<'n> {
        (&**text).into()
    }
}

/// A definition at the top of a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) site: Site,
    pub(super) spaces: Spaces,
    /// How many type parameters it has.
    pub(super) arity: usize,
    pub(super) is_class: bool,
    /// Whether it is a part of a definition that others continue.
    pub(super) is_part: bool,
    /// Whether no other file sees it.
    pub(super) is_of_file: bool,
}

/// What a class has under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Member {
    /// A member, where it is first bound.
    Found(Vec<Site>),
    /// Perhaps a member of a base class outside the project.
    External,
    /// Perhaps a member of a base class that any code may give: the result of a function of the project, a parameter.
    Unknown,
    /// Nothing that is known.
    Missing,
}

/// The base classes of a class.
#[derive(Debug, Clone)]
pub(crate) struct Bases {
    pub(super) known: Vec<Site>,
    pub(crate) is_complete: bool,
    /// Whether one may be any class of the project.
    pub(super) is_any: bool,
}

/// What an expression can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    Module(Thing),
    /// The class itself. `is_own` means that of the object of the method.
    Class {
        class: Site,
        is_own: bool,
    },
    Instance {
        class: Site,
        is_own: bool,
    },
    /// An instance as one of the base classes.
    Super {
        class: Site,
    },
    /// A function, with the class of the receiver.
    Function {
        function: Site,
        of: Option<Site>,
    },
    /// A module, a class or a function from outside the project. `is_class` by its name, which is all that is known.
    External {
        is_class: bool,
    },
    /// An object of a class from outside the project.
    Foreign,
    /// A text, a number or the like, whose methods return such values again.
    Plain,
    /// An object of a type annotation that is not a class: a list of something, a function.
    Written(Site),
}

impl Value {
    /// Whether it is a class of the project, an object of one, or a plain value, and no other object can stand for it.
    pub(crate) fn is_of_project(&self) -> bool {
        !matches!(self, Value::External { .. } | Value::Foreign | Value::Written(_))
    }
}

/// All values that an expression can have, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) known: Vec<Value>,
    pub(crate) is_complete: bool,
}

impl Values {
    pub(crate) fn unknown() -> Values {
        Values { known: Vec::new(), is_complete: false }
    }

    pub(super) fn one(value: Value) -> Values {
        Values { known: vec![value], is_complete: true }
    }

    pub(super) fn union(all: impl IntoIterator<Item = Values>) -> Values {
        let mut union = Values { known: Vec::new(), is_complete: true };
        for mut values in all {
            union.known.append(&mut values.known);
            union.is_complete &= values.is_complete;
        }
        union.known.sort_unstable();
        union.known.dedup();
        union
    }

    /// Whether one is of the project, so that its members may be.
    pub(super) fn has_members(&self) -> bool {
        let is_own = |value: &Value| {
            matches!(value, Value::Class { .. } | Value::Instance { .. } | Value::Super { .. } | Value::Function { .. })
        };
        self.known.iter().any(is_own)
    }

    /// The classes of instances.
    pub(super) fn into_classes(mut self) -> Values {
        for value in &mut self.known {
            match *value {
                Value::Instance { class, is_own } => *value = Value::Class { class, is_own },
                Value::External { .. } | Value::Foreign => {}
                _ => self.is_complete = false,
            }
        }
        self
    }

    /// The instances of classes.
    pub(super) fn into_instances(mut self) -> Values {
        for value in &mut self.known {
            match *value {
                Value::Class { class, is_own } => *value = Value::Instance { class, is_own },
                Value::External { .. } => *value = Value::Foreign,
                _ => self.is_complete = false,
            }
        }
        self
    }

    /// The values of a method's own object, seen from an object of the class `of`.
    pub(super) fn seen_from(mut self, of: Option<Site>) -> Values {
        let Some(of) = of else { return self };
        for value in &mut self.known {
            match value {
                Value::Class { class, is_own: true } | Value::Instance { class, is_own: true } => *class = of,
                _ => {}
            }
        }
        self
    }
}

/// A name in a line, as an index has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreciseSpan {
    /// The line, from 0.
    pub line: u32,
    /// Where it begins in the line, in bytes.
    pub start: u32,
    /// Its length in bytes.
    pub length: u32,
    /// The hash of the line, by `line_hash`.
    pub line_hash: u32,
}

/// A name and the symbol that it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreciseName {
    /// Where it is.
    pub span: PreciseSpan,
    /// The number of the symbol.
    pub symbol: u32,
}

/// Where a symbol is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrecisePlace {
    /// The file, from the project's folder.
    pub path: String,
    /// The name there.
    pub span: PreciseSpan,
}

/// An index by another program.
pub trait PreciseNames: Sync {
    /// The names of a file.
    fn names(&self, path: &str) -> Vec<PreciseName>;
    /// Where a symbol is defined.
    fn places(&self, symbol: u32) -> Vec<PrecisePlace>;
}

/// The symbols of an index by the place of the name in a file.
pub(super) type PreciseFile = rustc_hash::FxHashMap<crate::text::Span, Vec<u32>>;

/// A module that a call loads: `require("x")`.
#[derive(Debug, Clone)]
pub(super) struct Required {
    /// The call.
    pub(super) call: Node,
    /// The module as the call names it.
    pub(super) source: String,
}

/// A name that gets what a call loads, or a member of it.
#[derive(Debug, Clone)]
pub(crate) struct RequiredName {
    pub(crate) source: String,
    /// The member; `None` for the whole.
    pub(crate) member: Option<String>,
    /// The name that is bound.
    pub(crate) binder: Node,
}

/// What a file loads by calls.
#[derive(Debug, Default)]
pub(crate) struct RequiredNames {
    pub(super) calls: Vec<Required>,
    /// By name: what binds, and the keys of patterns.
    pub(crate) names: rustc_hash::FxHashMap<Node, RequiredName>,
    /// Names that are bound to something outside of the project.
    pub(crate) outside: Vec<RequiredName>,
}

/// A member that a file exports by an assignment, and its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct AssignedExport {
    pub(super) name: Node,
    pub(super) value: Node,
}

/// What a file exports by assignments: `exports.a = 1`, `module.exports = f`.
#[derive(Debug, Default)]
pub(super) struct AssignedExports {
    /// The value of the module as a whole.
    pub(super) whole: Option<Node>,
    pub(super) members: rustc_hash::FxHashMap<String, Vec<AssignedExport>>,
    /// Expressions that are the object with the exports.
    pub(super) objects: rustc_hash::FxHashSet<Node>,
    /// Modules of which everything is exported.
    pub(super) globs: Vec<String>,
}

impl AssignedExports {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_none() && self.members.is_empty() && self.globs.is_empty()
    }
}

/// A name in a string.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextName {
    /// The string.
    pub(super) string: Node,
    /// Where the name is.
    pub(super) span: Span,
    /// Whether the function that gets the string is known to read names in it.
    pub(super) is_certain: bool,
    /// Whether it names a parameter of the function that the comment documents.
    pub(super) is_parameter: bool,
}

/// A name in the body of a macro.
#[derive(Debug, Clone, Copy)]
pub(super) struct MacroWord {
    /// The body.
    pub(super) body: Node,
    /// Where the name is.
    pub(super) span: Span,
    /// Whether it is after a dot, and so that of a member.
    pub(super) is_member: bool,
}

/// Where the code of a file has syntax errors, or was misread.
#[derive(Debug, Default)]
pub(super) struct ErrorScopes {
    /// The scopes that hold an error themselves, but for the whole file.
    pub(super) scopes: rustc_hash::FxHashSet<Node>,
    /// The nodes with the errors that are in no other scope than the file's.
    pub(super) top: Vec<Node>,
    /// Whether one of these may have changed where others end.
    pub(super) is_open: bool,
}

/// A word that the grammar did not read as a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct HiddenWord {
    pub(super) node: Node,
    pub(super) span: Span,
    /// Whether it was left out before the parse, and is a name; otherwise it is in an error.
    pub(super) is_masked: bool,
}
