//! What names and expressions can be, as plain data.

use crate::language::{Language, Spaces};
use crate::tree::Node;

/// The number of a file in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file of a project.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Its path from the root, with `/` between the parts.
    pub path: String,
    /// Its language.
    pub language: &'static Language,
}

/// A file that names modules: `go.mod`.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// Its path from the root, with `/` between the parts.
    pub path: String,
    /// The language whose modules it names.
    pub language: &'static Language,
    /// What it contains.
    pub text: String,
}

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
pub(super) struct MemberName<'n> {
    pub(super) text: &'n str,
    pub(super) spaces: Spaces,
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

/// What a class has under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Member {
    /// A member, where it is first bound.
    Found(Vec<Site>),
    /// Perhaps a member of a base class outside the project.
    External,
    /// Nothing that is known.
    Missing,
}

/// The base classes of a class.
#[derive(Debug, Clone)]
pub(super) struct Bases {
    pub(super) known: Vec<Site>,
    pub(super) is_complete: bool,
}

/// What an expression can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Value {
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
    /// A function, with the class of the object before it.
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
    /// An object of a written type that is not a class: a list of something, a function.
    Written(Site),
}

/// All values that an expression can have, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) known: Vec<Value>,
    pub(super) is_complete: bool,
}

impl Values {
    pub(super) fn unknown() -> Values {
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
