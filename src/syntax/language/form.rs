//! The forms of keys: how a value is written in a language's data, and what is made of it when the language loads. [`rules!`] declares
//! the keys of a table, each once with its form, and both structs follow.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use super::by_type::ByType;
use super::lazy_regex::LazyRegex;
use super::mistakes::Mistakes;
use super::notation::Notation;
use super::path::Path;
use super::place::{NodePattern, NodePatterns, Place, Places, Spaces};
use super::symbols::{FieldId, TypeId};
use super::type_set::TypeSet;
use super::values::Values;

/// How a value is written, and what it becomes once its words are looked up in the grammar.
pub trait Form {
    /// The value in `language.toml`.
    type Written: fmt::Debug;
    /// The value that the engine uses.
    type Compiled: fmt::Debug;

    /// Looks up the words of a value. A mistake is kept by the reader, and the value is the default then.
    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled;
}

/// Compiles the data as a whole.
///
/// # Errors
/// The first mistake, after its key.
pub(super) fn compile_data<F: Form>(written: &F::Written, notation: Notation<'_>) -> Result<F::Compiled, String> {
    compile_table::<F>(written, "", notation)
}

/// Compiles a table at the top of the data.
///
/// # Errors
/// The first mistake, after its key.
pub(super) fn compile_table<F: Form>(
    written: &F::Written,
    name: &str,
    notation: Notation<'_>,
) -> Result<F::Compiled, String> {
    let reader = Reader::new(notation);
    let compiled = F::compile(written, Key::top(name), &reader);
    reader.mistakes.or_first(compiled)
}

/// The path of a key. It is made a text only for a mistake, so that a language without one loads faster.
#[derive(Clone, Copy)]
pub struct Key<'a> {
    above: Option<&'a Key<'a>>,
    sign: &'static str,
    name: &'a str,
}

impl<'a> Key<'a> {
    fn top(name: &'a str) -> Key<'a> {
        Key { above: None, sign: "", name }
    }

    /// A key in the table of this one.
    pub(super) fn inner(&'a self, name: &'a str) -> Key<'a> {
        if self.name.is_empty() { Key::top(name) } else { Key { above: Some(self), sign: ".", name } }
    }

    /// The value of this key for a type.
    fn of_type(&'a self, name: &'a str) -> Key<'a> {
        Key { above: Some(self), sign: ": ", name }
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            above.fmt(f)?;
        }
        write!(f, "{}{}", self.sign, self.name)
    }
}

/// Reads the values of a table: the notation, the first mistake, and the name spaces by the number that each got when it first came.
pub struct Reader<'a> {
    pub(super) notation: Notation<'a>,
    pub(super) mistakes: Mistakes,
    spaces: RefCell<Vec<String>>,
}

impl<'a> Reader<'a> {
    fn new(notation: Notation<'a>) -> Reader<'a> {
        Reader { notation, mistakes: Mistakes::default(), spaces: RefCell::default() }
    }

    /// The value that was read, or the default after a mistake, which is kept with its key.
    pub(super) fn keep<T: Default>(&self, key: Key<'_>, read: Result<T, String>) -> T {
        self.mistakes.or_default(read.map_err(|message| format!("{key}: {message}")))
    }

    /// The name space of a name.
    fn space(&self, name: &str) -> Spaces {
        let mut spaces = self.spaces.borrow_mut();
        let place = spaces.iter().position(|known| known == name).unwrap_or_else(|| {
            spaces.push(name.to_owned());
            spaces.len() - 1
        });
        Spaces::numbered(place)
    }

    fn spaces<'s>(&self, names: impl Iterator<Item = &'s str>) -> Spaces {
        names.fold(Spaces::default(), |all, name| all.union(self.space(name)))
    }

    /// A place, with name spaces after a `: `.
    fn place(&self, text: &str) -> Result<Place, String> {
        let (place, spaces) = match text.split_once(": ") {
            Some((place, spaces)) => (place, Some(self.spaces(spaces.split_whitespace()))),
            None => (text, None),
        };
        Ok(Place { spaces, ..self.notation.place(place)? })
    }
}

/// A value that is used as it is written.
macro_rules! as_written {
    ($($form:ty),* $(,)?) => {$(
        impl $crate::language::form::Form for $form {
            type Written = $form;
            type Compiled = $form;

            fn compile(
                written: &$form,
                _: $crate::language::form::Key<'_>,
                _: &$crate::language::form::Reader<'_>,
            ) -> $form {
                written.clone()
            }
        }
    )*};
}
pub(super) use as_written;

as_written!(bool, usize, String);

/// A value that has to be there.
pub struct Needed<F>(PhantomData<F>);

impl<F: Form> Form for Needed<F>
where
    F::Compiled: Default,
{
    type Written = Option<F::Written>;
    type Compiled = F::Compiled;

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled {
        match written {
            Some(written) => F::compile(written, key, reader),
            None => reader.keep(key, Err("it is missing".to_owned())),
        }
    }
}

/// A form of words: its name, what is written, what it becomes, and how.
macro_rules! forms {
    ($($(#[$doc:meta])* $form:ident: $from:ty => $to:ty = $compile:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $form {}

        impl $crate::language::form::Form for $form {
            type Written = $from;
            type Compiled = $to;

            fn compile(
                written: &$from,
                key: $crate::language::form::Key<'_>,
                reader: &$crate::language::form::Reader<'_>,
            ) -> $to {
                let compile: fn(&$from, &$crate::language::form::Reader<'_>) -> Result<$to, String> = $compile;
                reader.keep(key, compile(written, reader))
            }
        }
    )*};
}

pub(super) use forms;

forms! {
    /// Types of nodes.
    Types: Vec<String> => TypeSet = |names, reader| reader.notation.types_alone(names.iter().map(String::as_str));
    /// Types of nodes and tokens.
    Marks: Vec<String> => TypeSet = |names, reader| reader.notation.marks_alone(names.iter().map(String::as_str));
    /// One or several types.
    TypeValues: Values => TypeSet = |names, reader| reader.notation.types_alone(names.iter());
    /// One or several types and tokens.
    MarkValues: Values => TypeSet = |names, reader| reader.notation.marks_alone(names.iter());
    /// A type, or nothing.
    OneType: String => Option<TypeId> = |name, reader| match name.as_str() {
        "" => Ok(None),
        name => reader.notation.type_id(name).map(Some),
    };
    /// A type or token, or nothing.
    Mark: String => Option<TypeId> = |name, reader| match name.as_str() {
        "" => Ok(None),
        name => reader.notation.mark(name).map(Some),
    };
    /// A type or token that has to be there.
    OneMark: String => TypeId = |name, reader| reader.notation.mark(name);
    /// A text that is a token or a type; or nothing.
    Sign: String => String = |text, reader| match text.as_str() {
        "" => Ok(String::new()),
        text => reader.notation.mark(text).map(|_| text.to_owned()),
    };
    /// Tokens, and their texts.
    Signs: Vec<String> => SignSet = |texts, reader| {
        let types = reader.notation.marks_alone(texts.iter().map(String::as_str))?;
        Ok(SignSet { types, texts: texts.clone() })
    };
    /// A field that has to be there.
    OneField: String => FieldId = |name, reader| reader.notation.field(name);
    /// Fields.
    Fields: Vec<String> => Vec<FieldId> = |names, reader| names.iter().map(|name| reader.notation.field(name)).collect();
    /// A text that has to be there.
    Text: String => String = |text, _| if text.is_empty() { Err("it is missing".to_owned()) } else { Ok(text.clone()) };
    /// A regex, or nothing.
    MaybeRegex: String => Option<LazyRegex> = |source, reader| match source.as_str() {
        "" => Ok(None),
        source => reader.notation.regex(source).map(Some),
    };
    /// A regex as a part of others.
    RegexSource: String => String = |source, reader| reader.notation.regex(source).map(|_| source.clone());
    /// One or several paths, of which one has to be there.
    SomePaths: Values => Vec<Path> = |paths, reader| match reader.notation.each(paths)? {
        paths if paths.is_empty() => Err("it is missing".to_owned()),
        paths => Ok(paths),
    };
    /// One or several node patterns.
    PatternValues: Values => NodePatterns = |texts, reader| {
        Ok(NodePatterns::new(texts.iter().map(|text| reader.notation.pattern(text)).collect::<Result<_, _>>()?))
    };
    /// One or several paths.
    Paths: Values => Vec<Path> = |paths, reader| reader.notation.each(paths);
    /// A path that has to be there.
    OnePath: String => Path = |path, reader| reader.notation.path(path);
    /// A path, or nothing.
    MaybePath: String => Option<Path> = |path, reader| match path.as_str() {
        "" => Ok(None),
        path => reader.notation.path(path).map(Some),
    };
    /// From node patterns to paths.
    PatternPaths: BTreeMap<String, Values> => Vec<(NodePattern, Vec<Path>)> = |rules, reader| {
        let read = |(pattern, paths): (&String, &Values)| {
            Ok((reader.notation.pattern(pattern)?, reader.notation.each(paths)?))
        };
        rules.iter().map(read).collect()
    };
    /// Places whose names may have name spaces.
    SpacedPlaces: Vec<String> => Places = |texts, reader| {
        Ok(Places::new(texts.iter().map(|text| reader.place(text)).collect::<Result<_, _>>()?))
    };
    /// From such a place to a text.
    PlaceTexts: BTreeMap<String, String> => Vec<(Places, String)> = |rules, reader| {
        let read = |(place, text): (&String, &String)| Ok((Places::new(vec![reader.place(place)?]), text.clone()));
        rules.iter().map(read).collect()
    };
    /// One or several name spaces.
    SpaceValues: Values => Spaces = |names, reader| Ok(reader.spaces(names.iter()));
    /// A name space, or nothing.
    Space: String => Option<Spaces> = |name, reader| Ok((!name.is_empty()).then(|| reader.space(name)));
    /// Name spaces that keys before this one have named.
    KnownSpaces: Vec<String> => Option<Spaces> = |names, reader| {
        if let Some(unknown) = names.iter().find(|name| !reader.spaces.borrow().contains(name)) {
            return Err(format!("unknown name space `{unknown}`"));
        }
        Ok((!names.is_empty()).then(|| reader.spaces(names.iter().map(String::as_str))))
    };
    /// The sign that opens a list and the one that closes it, or nothing.
    Brackets: Vec<String> => Vec<String> = |signs, _| match signs.len() {
        0 | 2 => Ok(signs.clone()),
        _ => Err(format!("`{}` is not what opens a list and what closes it", signs.join(" "))),
    };
    /// The length of a line; 88 if nothing is written.
    LineLength: usize => usize = |&length, _| Ok(if length == 0 { 88 } else { length });
    /// Words that are looked up.
    Words: Vec<String> => WordSet = |words, _| Ok(WordSet::new(words.clone()));
}

/// Tokens and types, with their texts.
#[derive(Debug, Default)]
pub struct SignSet {
    /// Their ids.
    pub types: TypeSet,
    /// Their texts, in the order of the data.
    pub texts: Vec<String>,
}

/// A set of words.
#[derive(Debug, Default)]
pub struct WordSet {
    /// In order.
    words: Vec<String>,
}

impl WordSet {
    fn new(mut words: Vec<String>) -> WordSet {
        words.sort_unstable();
        WordSet { words }
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a word is in it.
    pub fn contains(&self, word: &str) -> bool {
        self.words.binary_search_by(|known| known.as_str().cmp(word)).is_ok()
    }
}

impl Form for Places {
    type Written = Vec<String>;
    type Compiled = Places;

    fn compile(written: &Vec<String>, key: Key<'_>, reader: &Reader<'_>) -> Places {
        let places = written.iter().map(|text| reader.notation.place(text)).collect::<Result<_, _>>();
        Places::new(reader.keep(key, places))
    }
}

impl Form for NodePatterns {
    type Written = Vec<String>;
    type Compiled = NodePatterns;

    fn compile(written: &Vec<String>, key: Key<'_>, reader: &Reader<'_>) -> NodePatterns {
        let patterns = written.iter().map(|text| reader.notation.pattern(text)).collect::<Result<_, _>>();
        NodePatterns::new(reader.keep(key, patterns))
    }
}

impl Form for LazyRegex {
    type Written = String;
    type Compiled = LazyRegex;

    fn compile(written: &String, key: Key<'_>, reader: &Reader<'_>) -> LazyRegex {
        reader.keep(key, reader.notation.regex(written))
    }
}

impl<F: Form> Form for Option<F> {
    type Written = Option<F::Written>;
    type Compiled = Option<F::Compiled>;

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled {
        written.as_ref().map(|written| F::compile(written, key, reader))
    }
}

impl<F: Form> Form for Vec<F> {
    type Written = Vec<F::Written>;
    type Compiled = Vec<F::Compiled>;

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled {
        written.iter().map(|written| F::compile(written, key, reader)).collect()
    }
}

impl<F: Form> Form for [F; 2] {
    type Written = [F::Written; 2];
    type Compiled = [F::Compiled; 2];

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled {
        written.each_ref().map(|written| F::compile(written, key, reader))
    }
}

impl<F: Form> Form for BTreeMap<String, F> {
    type Written = BTreeMap<String, F::Written>;
    type Compiled = BTreeMap<String, F::Compiled>;

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled {
        let compile =
            |(name, written): (&String, &F::Written)| (name.clone(), F::compile(written, key.inner(name), reader));
        written.iter().map(compile).collect()
    }
}

impl<F: Form> Form for ByType<F> {
    type Written = BTreeMap<String, F::Written>;
    type Compiled = ByType<F::Compiled>;

    fn compile(written: &Self::Written, key: Key<'_>, reader: &Reader<'_>) -> Self::Compiled {
        let mut by_type = ByType::default();
        for (name, written) in written {
            let id = reader.keep(key, reader.notation.type_id(name));
            by_type.insert(id, F::compile(written, key.of_type(name), reader));
        }
        by_type
    }
}

/// Declares tables of a language's data: `keys: Form`, each with its description; `key as "word": Form` where the name of the key is a
/// word of Rust. A table is a form itself, so it can be the value of a key in another one. What is made of several keys, when all are
/// read, follows in brackets of its own.
macro_rules! rules {
    ($(
        $(#[$about:meta])*
        $table:ident from $(#[$of_written:meta])* $written:ident {
            $($(#[$doc:meta])* $key:ident $(as $name:literal)?: $form:ty,)*
        }
        $(=> { $($(#[$of_made:meta])* $made:ident: $type:ty,)* })?
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Default)]
        pub struct $table {
            $($(#[$doc])* pub $key: <$form as $crate::language::form::Form>::Compiled,)*
            $($($(#[$of_made])* pub $made: $type,)*)?
        }

        $(#[$about])*
        #[derive(Debug, Default)]
        $(#[$of_written])*
        pub struct $written {
            $($(#[$doc])* pub $key: <$form as $crate::language::form::Form>::Written,)*
        }

        impl $crate::language::form::Form for $table {
            type Written = $written;
            type Compiled = $table;

            fn compile(
                written: &$written,
                key: $crate::language::form::Key<'_>,
                reader: &$crate::language::form::Reader<'_>,
            ) -> $table {
                $table {
                    $($key: <$form as $crate::language::form::Form>::compile(
                        &written.$key,
                        key.inner($crate::language::form::key_name!($key $($name)?)),
                        reader,
                    ),)*
                    $($($made: <$type>::default(),)*)?
                }
            }
        }

        $crate::language::form::read_keys! { $written { $($key $($name)?,)* } }
    )*};
}
pub(super) use rules;

/// Declares tables that are used as they are written, as [`rules!`] declares the others.
macro_rules! plain {
    ($(
        $(#[$about:meta])*
        $table:ident {
            $($(#[$doc:meta])* $key:ident: $form:ty,)*
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Default)]
        pub struct $table {
            $($(#[$doc])* pub $key: $form,)*
        }

        $crate::language::form::as_written!($table);
        $crate::language::form::read_keys! { $table { $($key,)* } }
    )*};
}
pub(super) use plain;

/// The name of a key.
macro_rules! key_name {
    ($key:ident) => {
        stringify!($key)
    };
    ($key:ident $name:literal) => {
        $name
    };
}
pub(super) use key_name;

/// Reads a table key by key into its default: what serde derives keeps each key apart until the end, which is much more code for a
/// hundred keys.
macro_rules! read_keys {
    ($table:ident { $($key:ident $($name:literal)?,)* }) => {
        impl<'de> serde::Deserialize<'de> for $table {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$table, D::Error> {
                struct Table;
                impl<'de> serde::de::Visitor<'de> for Table {
                    type Value = $table;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a table")
                    }

                    fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<$table, M::Error> {
                        let mut table = $table::default();
                        while let Some(key) = map.next_key::<String>()? {
                            match key.as_str() {
                                $($crate::language::form::key_name!($key $($name)?) => table.$key = map.next_value()?,)*
                                _ => {
                                    const KEYS: &[&str] = &[$($crate::language::form::key_name!($key $($name)?)),*];
                                    return Err(serde::de::Error::unknown_field(&key, KEYS));
                                }
                            }
                        }
                        Ok(table)
                    }
                }
                deserializer.deserialize_map(Table)
            }
        }
    };
}
pub(super) use read_keys;
