//! The rules of a language's data that speak of node types, looked up in the grammar once and kept by type.

use super::by_type::ByType;
use super::data::Data;
use super::imports::Imports;
use super::path::Path;
use super::references::ReferenceRules;
use super::symbols::{Symbols, TypeId};
use super::words::{Count, Words};

/// What the data says of each node type.
#[derive(Debug, Default)]
pub struct Rules {
    /// Paths to a node's name.
    pub names: ByType<Vec<Path>>,
    /// Paths to further names.
    pub other_names: ByType<Vec<Path>>,
    /// Paths to what is before the name in a qualname.
    pub receivers: ByType<Vec<Path>>,
    /// Paths to what is called.
    pub callees: ByType<Vec<Path>>,
    /// Paths to what is imported from.
    pub modules: ByType<Vec<Path>>,
    /// Paths to a class's bases.
    pub bases: ByType<Vec<Path>>,
    /// Paths to what a function returns.
    pub returns: ByType<Vec<Path>>,
    /// How parameters are counted.
    pub params: ByType<Count>,
    /// How arguments are counted.
    pub args: ByType<Count>,
    /// What a definition's body stands after.
    pub body_after: ByType<Vec<TypeId>>,
    /// The node or token that follows each part of a name put together.
    pub joined_names: ByType<TypeId>,
    /// The word without which there is no node of the type.
    pub introducers: ByType<String>,
    /// Types whose name stands right after that word.
    pub introduced_names: Vec<TypeId>,
    /// The path to what a wrapper holds.
    pub held: ByType<Path>,
    /// The path to the value that a definition is given.
    pub holders: ByType<Path>,
    /// The most steps of these.
    pub holder_reach: usize,
    /// How imports are read.
    pub imports: Imports,
    /// Which names mean the same thing.
    pub references: ReferenceRules,
}

impl Rules {
    /// Looks up the words of a language's data.
    ///
    /// # Errors
    /// Says which word the grammar doesn't have.
    pub(super) fn new(data: &Data, symbols: &Symbols) -> Result<Rules, String> {
        let words = Words::new(symbols);
        let holders = words.by_type("holders", &data.holders, |path| words.path(path))?;
        Ok(Rules {
            names: words.paths("names", &data.names)?,
            other_names: words.paths("other_names", &data.other_names)?,
            receivers: words.paths("receivers", &data.receivers)?,
            callees: words.paths("callees", &data.callees)?,
            modules: words.paths("modules", &data.modules)?,
            bases: words.paths("bases", &data.bases)?,
            returns: words.paths("returns", &data.returns)?,
            params: words.by_type("params", &data.params, |rule| words.count(rule))?,
            args: words.by_type("args", &data.args, |rule| words.count(rule))?,
            body_after: words.by_type("body_after", &data.body_after, |marks| words.marks(marks))?,
            joined_names: words.by_type("joined_names", &data.joined_names, |mark| words.mark(mark))?,
            introducers: words.by_type("introducers", &data.introducers, |word| Ok(word.clone()))?,
            introduced_names: data.introduced_names.iter().map(|name| words.type_id(name)).collect::<Result<_, _>>()?,
            held: words.by_type("held", &data.held, |path| words.path(path))?,
            holder_reach: holders.values().map(Path::reach).max().unwrap_or(0),
            holders,
            imports: Imports::new(&data.imports, symbols)?,
            references: ReferenceRules::new(&data.references, &words)?,
        })
    }
}
