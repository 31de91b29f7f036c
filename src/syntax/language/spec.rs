//! A language's data, compiled: every word is looked up in the grammar when the language loads. The engine uses ids,
//! sets of types, paths and patterns at run time; nothing compares the names of types.

use std::collections::BTreeMap;

use super::by_type::ByType;
use super::data::{
    BlankLines, BlockRule, Data, Indent, ItemRule, Limits, ListRule, OrderRule, SliceRule, StringRule, SuspectRule,
    is_word,
};
use super::docs::Docs;
use super::flow::Flow;
use super::form::compile_table;
use super::imports::Imports;
use super::notation::{Count, Notation, in_key};
use super::path::Path;
use super::place::{NodePattern, NodePatterns, Places};
use super::references::ReferenceRules;
use super::symbol_rules::SymbolRules;
use super::symbols::{FieldId, Symbols, TypeId};
use super::type_set::TypeSet;
use super::values::Values;

/// A language's data with its words looked up. [`Data`] describes each field, unless it is described here.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Spec {
    // What nodes are called.
    pub names: ByType<Vec<Path>>,
    pub other_names: ByType<Vec<Path>>,
    pub receivers: ByType<Vec<Path>>,
    pub callees: ByType<Vec<Path>>,
    pub modules: ByType<Vec<Path>>,
    pub bases: ByType<Vec<Path>>,
    pub returns: ByType<Vec<Path>>,
    pub params: ByType<Count>,
    pub args: ByType<Count>,
    pub joined_names: ByType<TypeId>,
    pub held: ByType<Path>,
    pub holders: ByType<Path>,
    /// The most steps that a path of `holders` takes.
    pub holder_reach: usize,
    pub has_named_values: bool,
    pub docs: Docs,
    pub imports: Imports,
    pub flow: Flow,
    pub references: ReferenceRules,
    pub symbols: SymbolRules,
    // Kinds and other words of selectors.
    kinds: BTreeMap<String, Vec<KindRule>>,
    /// Whether functions are scopes: a language of programs, not of data.
    pub is_code: bool,
    /// Visibilities in order, each with the selector of its definitions.
    pub visibility: Vec<Visibility>,
    /// Names from another project, each with types, kinds or selectors.
    pub compatibility: BTreeMap<String, Vec<String>>,
    // How the tree is made and read.
    pub leading: NodePatterns,
    pub ends_by_indentation: bool,
    pub is_prose: bool,
    pub limits: Limits,
    // How code is laid out.
    pub lists: ByType<List>,
    /// Types and tokens after the last of which a node's statements begin: those of `sections` and `body_after`.
    pub section_starts: ByType<TypeSet>,
    pub body_after: ByType<TypeSet>,
    pub body_field: Option<FieldId>,
    pub header_fields: Vec<FieldId>,
    pub body_ends: TypeSet,
    /// The texts of `body_ends`.
    pub body_end_words: Vec<String>,
    pub indent: Indent,
    pub blank_lines: BlankLines,
    pub indentation_is_syntax: bool,
    pub statement_separator: String,
    pub terminators: ByType<String>,
    pub empty_body: String,
    pub empty_statement: String,
    pub empty_statement_in: Places,
    pub parens: String,
    pub joins: TypeSet,
    pub statements: Option<Statements>,
    pub one_line_quotes: Vec<String>,
    pub line_comment: String,
    pub punctuation: Punctuation,
    // What the grammar takes and the language does not.
    pub needs: ByType<TypeSet>,
    pub aligned: NodePatterns,
    pub only_in: ByType<NodePatterns>,
    pub holds_only: ByType<TypeSet>,
    pub order: Vec<Order>,
    // Code that comes by itself.
    pub contexts: Vec<String>,
    pub pattern_contexts: Vec<PatternContext>,
    pub metavariable: Vec<String>,
    pub reserved: Vec<String>,
    pub keywords: Vec<String>,
    pub keyword_names: NodePatterns,
    pub quotes_alike: TypeSet,
    // The search before parsing.
    pub names_are_words: bool,
    pub introducers: ByType<String>,
    pub introduced_names: TypeSet,
    pub introducer_gap: String,
    pub slices: Option<SliceRule>,
    pub items: Option<Items>,
    pub blocks: Option<Blocks>,
}

/// How to find items without parsing; see `ItemRule`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Items {
    pub rule: ItemRule,
    /// The types of nodes that contain members.
    pub around: TypeSet,
    /// The types of bodies in which an error stays, and of the functions around them.
    pub bodies: TypeSet,
    pub functions: TypeSet,
}

/// Statements that can be parsed alone; see `StatementRule`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Statements {
    pub types: TypeSet,
    /// The types of the nodes that contain them.
    pub holders: TypeSet,
    /// The code before and after them.
    pub head: String,
    pub tail: String,
    pub end: String,
    pub after: String,
}

/// How to find blocks without parsing; see `BlockRule`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Blocks {
    pub rule: BlockRule,
    /// The types of nodes that contain members.
    pub around: TypeSet,
}

/// A rule of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KindRule {
    /// All nodes of a type.
    Type(TypeId),
    /// The nodes that a selector finds, or those below a supertype.
    Selector(String),
}

/// A visibility, with the selector of its definitions.
#[derive(Debug, Clone)]
pub struct Visibility {
    /// The word: `public`, `private`.
    pub word: String,
    /// The selector.
    pub when: String,
}

/// How the elements of a list are separated; see `ListRule`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct List {
    pub separator: String,
    /// The separator's token, if the grammar has one.
    pub separator_token: Option<TypeId>,
    pub trailing: bool,
    pub single: bool,
    pub whole: bool,
    pub bare: bool,
    pub plain_in: TypeSet,
    pub alone: TypeSet,
    pub only: TypeSet,
    pub lines: bool,
    pub padded: bool,
    pub field: Option<FieldId>,
}

/// The allowed order in a list; see `OrderRule`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Order {
    pub lists: TypeSet,
    pub after: NodePatterns,
    pub then: NodePatterns,
    pub until: NodePatterns,
}

/// The context of a code pattern; see the data's `PatternContext`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct PatternContext {
    pub name: String,
    pub around: String,
    pub quiet: NodePatterns,
}

/// Punctuation that languages share, as tokens of the grammar.
#[derive(Debug, Default)]
pub struct Punctuation {
    /// `(`, `[`, `{`
    pub opening: TypeSet,
    /// `)`, `]`, `}`
    pub closing: TypeSet,
    /// `)`, `]`, `}`, `>`
    pub list_ends: TypeSet,
    /// `{`
    pub brace: Option<TypeId>,
    /// `,`
    pub comma: Option<TypeId>,
    /// `;` and line ends
    pub statement_ends: TypeSet,
    /// `;`
    pub semicolon: Option<TypeId>,
    /// `(`
    pub parenthesis: Option<TypeId>,
    /// `)`
    pub closing_parenthesis: Option<TypeId>,
}

impl Punctuation {
    fn new(symbols: &Symbols) -> Punctuation {
        let tokens = |signs: &[&str]| signs.iter().filter_map(|sign| symbols.token_id(sign)).collect();
        Punctuation {
            opening: tokens(&["(", "[", "{"]),
            closing: tokens(&[")", "]", "}"]),
            list_ends: tokens(&[")", "]", "}", ">"]),
            statement_ends: tokens(&[";", "\n", "\r\n"]),
            brace: symbols.token_id("{"),
            comma: symbols.token_id(","),
            semicolon: symbols.token_id(";"),
            parenthesis: symbols.token_id("("),
            closing_parenthesis: symbols.token_id(")"),
        }
    }
}

impl Spec {
    /// Compiles a language's data.
    ///
    /// # Errors
    /// Names the key and the word that the grammar lacks.
    pub(super) fn new(data: &Data, symbols: &Symbols, checks: bool) -> Result<Spec, String> {
        let words = Notation::new(symbols).checking(checks);
        let holders = words.by_type("holders", &data.holders, |path| words.path(path))?;
        let marks = |names: &Values| words.marks_alone(names.iter());
        let sections = words.by_type("sections", &data.sections, marks)?;
        let body_after = words
            .by_type("body_after", &data.body_after, |names| words.marks_alone(names.iter().map(String::as_str)))?;
        fn strs(list: &[String]) -> impl Iterator<Item = &str> {
            list.iter().map(String::as_str)
        }
        // Every language has a default for it, used by those that have such a field.
        let body_field = match symbols.field_id(&data.body_field) {
            None if data.body_field != Data::default_body_field() => {
                words.field(&data.body_field).map(Some).map_err(in_key("body_field"))?
            }
            field => field,
        };
        let leading = words.patterns("leading", strs(&data.leading))?;
        let pattern_context = |context: &super::data::PatternContext| -> Result<PatternContext, String> {
            Ok(PatternContext {
                name: context.name.clone(),
                around: context.around.clone(),
                quiet: words.patterns("pattern_contexts.quiet", strs(&context.quiet))?,
            })
        };
        if !data.statement_separator.is_empty() {
            words.mark(&data.statement_separator).map_err(in_key("statement_separator"))?;
        }
        let places = data.empty_statement_in.iter().map(|place| words.place(place)).collect::<Result<_, _>>();
        let terminators = |word: &String| words.mark(word).map(|_| word.clone());
        let fields = data.header_fields.iter().map(|name| words.field(name)).collect::<Result<_, _>>();
        Ok(Spec {
            names: words.paths("names", &data.names)?,
            other_names: words.paths("other_names", &data.other_names)?,
            receivers: words.paths("receivers", &data.receivers)?,
            callees: words.paths("callees", &data.callees)?,
            modules: words.paths("modules", &data.modules)?,
            bases: words.paths("bases", &data.bases)?,
            returns: words.paths("returns", &data.returns)?,
            params: words.by_type("params", &data.params, |rule| words.count(rule))?,
            args: words.by_type("args", &data.args, |rule| words.count(rule))?,
            joined_names: words.by_type("joined_names", &data.joined_names, |mark| words.mark(mark))?,
            held: words.by_type("held", &data.held, |path| words.path(path))?,
            holder_reach: holders.values().map(Path::reach).max().unwrap_or(0),
            holders,
            has_named_values: !data.named_values.is_empty(),
            docs: compile_table::<Docs>(&data.docs, "docs", words)?,
            imports: compile_table::<Imports>(&data.imports, "imports", words)?,
            flow: compile_table::<Flow>(&data.flow, "flow", words)?,
            references: compile_table::<ReferenceRules>(&data.references, "references", words)?,
            symbols: SymbolRules::new(&data.symbols, &data.references, words)?,
            kinds: kinds(data, symbols)?,
            is_code: data.scopes.iter().any(|kind| kind == "function"),
            visibility: visibility(data),
            compatibility: compatibility(data, symbols)?,
            leading,
            ends_by_indentation: !data.ends_by_indentation.is_empty(),
            is_prose: data.prose,
            limits: data.limits.clone(),
            lists: lists(data, words, symbols)?,
            section_starts: section_starts(&sections, &body_after),
            body_after,
            body_field,
            header_fields: fields.map_err(in_key("header_fields"))?,
            body_ends: words.marks("body_ends", strs(&data.body_ends))?,
            body_end_words: data.body_ends.clone(),
            indent: data.indent.clone(),
            blank_lines: data.blank_lines,
            indentation_is_syntax: data.indentation_is_syntax,
            statement_separator: data.statement_separator.clone(),
            terminators: words.by_type("terminators", &data.terminators, terminators)?,
            empty_body: data.empty_body.clone(),
            empty_statement: data.empty_statement.clone(),
            empty_statement_in: Places::new(places.map_err(in_key("empty_statement_in"))?),
            parens: data.parens.clone(),
            joins: words.types("joins", &data.joins)?,
            statements: statements(data, words)?,
            one_line_quotes: data.one_line_quotes.clone(),
            line_comment: data.line_comment.clone(),
            punctuation: Punctuation::new(symbols),
            needs: words.by_type("needs", &data.needs, marks)?,
            aligned: words.patterns("aligned", strs(&data.aligned))?,
            only_in: words.by_type("only_in", &data.only_in, |parents| {
                let parents = parents.iter().map(|parent| words.pattern(parent));
                Ok(NodePatterns::new(parents.collect::<Result<Vec<NodePattern>, _>>()?))
            })?,
            holds_only: words.by_type("holds_only", &data.holds_only, |types| {
                types.iter().map(|name| words.type_id(name)).collect()
            })?,
            order: data.order.iter().map(|rule| Order::new(rule, words)).collect::<Result<_, _>>()?,
            contexts: data.contexts.clone(),
            pattern_contexts: data.pattern_contexts.iter().map(pattern_context).collect::<Result<_, _>>()?,
            metavariable: data.metavariable.clone(),
            reserved: data.reserved.clone(),
            keywords: data.keywords.clone(),
            keyword_names: words.patterns("keyword_names", strs(&data.keyword_names))?,
            quotes_alike: words.types("quotes_alike", &data.quotes_alike)?,
            names_are_words: data.names_are_words,
            introducers: words.by_type("introducers", &data.introducers, |word| Ok(word.clone()))?,
            introduced_names: words.types("introduced_names", &data.introduced_names)?,
            introducer_gap: {
                words.regex(&data.introducer_gap).map_err(in_key("introducer_gap"))?;
                data.introducer_gap.clone()
            },
            slices: data.slices.clone(),
            items: items(data, words)?,
            blocks: blocks(data, words)?,
        })
    }

    /// The rules of a kind; none for a kind that the language lacks.
    pub fn kind(&self, name: &str) -> &[KindRule] {
        self.kinds.get(name).map_or(&[], Vec::as_slice)
    }

    /// The kinds that the language has, in order of name.
    pub fn kind_names(&self) -> impl Iterator<Item = &str> {
        self.kinds.keys().map(String::as_str)
    }

    /// The types that have a kind in every context.
    pub fn types_of_kind(&self, name: &str) -> TypeSet {
        let type_of = |rule: &KindRule| match rule {
            KindRule::Type(id) => Some(*id),
            KindRule::Selector(_) => None,
        };
        self.kind(name).iter().filter_map(type_of).collect()
    }
}

/// The types and tokens after which statements begin, of both keys.
fn section_starts(sections: &ByType<TypeSet>, body_after: &ByType<TypeSet>) -> ByType<TypeSet> {
    let mut types: Vec<TypeId> = [sections.types(), body_after.types()].concat();
    types.sort_unstable();
    types.dedup();
    let mut starts = ByType::default();
    for id in types {
        let mut marks = sections.of(id).cloned().unwrap_or_default();
        body_after.of(id).into_iter().for_each(|more| marks.union_with(more));
        starts.insert(id, marks);
    }
    starts
}

fn lists(data: &Data, words: Notation<'_>, symbols: &Symbols) -> Result<ByType<List>, String> {
    let mut lists = ByType::default();
    for (name, rule) in &data.lists {
        let id = words.type_id(name).map_err(in_key("lists"))?;
        lists.insert(id, List::new(&format!("lists.{name}"), rule, words, symbols)?);
    }
    Ok(lists)
}

fn kinds(data: &Data, symbols: &Symbols) -> Result<BTreeMap<String, Vec<KindRule>>, String> {
    let rule = |kind: &str, rule: &str| match symbols.type_id(rule) {
        Some(id) => Ok(KindRule::Type(id)),
        None if is_word(rule) && !is_other_word(rule, data, symbols) => {
            Err(format!("kinds.{kind}: the grammar has no type `{rule}`"))
        }
        None => Ok(KindRule::Selector(rule.to_owned())),
    };
    let rules = |(kind, rules): (&String, &Values)| {
        let rules = rules.iter().map(|one| rule(kind, one));
        Ok((kind.clone(), rules.collect::<Result<Vec<_>, String>>()?))
    };
    data.kinds.iter().map(rules).collect()
}

/// Whether a word of a selector is not a type, but another word that is allowed there.
fn is_other_word(word: &str, data: &Data, symbols: &Symbols) -> bool {
    symbols.is_supertype(word) || data.compatibility.contains_key(word)
}

fn visibility(data: &Data) -> Vec<Visibility> {
    data.visibility.iter().map(|rule| Visibility { word: rule.is.clone(), when: rule.when.clone() }).collect()
}

fn compatibility(data: &Data, symbols: &Symbols) -> Result<BTreeMap<String, Vec<String>>, String> {
    let is_known = |word: &str| {
        !is_word(word)
            || super::taxonomy::taxonomy().contains(word)
            || symbols.type_id(word).is_some()
            || is_other_word(word, data, symbols)
    };
    let rules = |(name, values): (&String, &Values)| match values.iter().find(|word| !is_known(word)) {
        Some(word) => Err(format!("compatibility.{name}: the grammar has no type `{word}`")),
        None => Ok((name.clone(), values.iter().map(str::to_owned).collect())),
    };
    data.compatibility.iter().map(rules).collect()
}

impl List {
    fn new(key: &str, rule: &ListRule, words: Notation<'_>, symbols: &Symbols) -> Result<List, String> {
        Ok(List {
            separator: rule.separator.clone(),
            separator_token: symbols.token_id(&rule.separator),
            trailing: rule.trailing,
            single: rule.single,
            whole: rule.whole,
            bare: rule.bare,
            plain_in: words.types(&format!("{key}.plain_in"), &rule.plain_in)?,
            alone: words.types(&format!("{key}.alone"), &rule.alone)?,
            only: words.types(&format!("{key}.only"), &rule.only)?,
            lines: rule.lines,
            padded: rule.padded,
            field: rule
                .field
                .as_deref()
                .map(|name| words.field(name))
                .transpose()
                .map_err(in_key(&format!("{key}.field")))?,
        })
    }
}

impl Order {
    fn new(rule: &OrderRule, words: Notation<'_>) -> Result<Order, String> {
        let patterns = |key: &str, list: &[String]| words.patterns(key, list.iter().map(String::as_str));
        Ok(Order {
            lists: words.types("order.in", &rule.lists)?,
            after: patterns("order.after", &rule.after)?,
            then: patterns("order.then", &rule.then)?,
            until: patterns("order.until", &rule.until)?,
        })
    }
}

fn items(data: &Data, words: Notation<'_>) -> Result<Option<Items>, String> {
    let Some(rule) = &data.items else { return Ok(None) };
    let is_quote = |string: &StringRule| !string.quote.is_empty();
    if !rule.strings.iter().all(is_quote) || rule.block_comments.iter().flatten().any(String::is_empty) {
        return Err("items: a quote or the sign of a comment is empty".to_owned());
    }
    let types = |key: &str, of: fn(&SuspectRule) -> &Vec<String>| {
        let listed = rule.suspects.as_ref().map(of).map_or(&[][..], Vec::as_slice);
        words.types(&format!("items.suspects.{key}"), listed)
    };
    Ok(Some(Items {
        rule: rule.clone(),
        around: words.types("items.around", &rule.around)?,
        bodies: types("bodies", |rule| &rule.bodies)?,
        functions: types("functions", |rule| &rule.functions)?,
    }))
}

fn statements(data: &Data, words: Notation<'_>) -> Result<Option<Statements>, String> {
    let Some(rule) = &data.statements else { return Ok(None) };
    let (head, tail) = rule.around.split_once("$0").ok_or("statements.around: `$0` is missing")?;
    Ok(Some(Statements {
        types: words.types("statements.types", &rule.types)?,
        holders: words.types("statements.in", &rule.holders)?,
        head: head.to_owned(),
        tail: tail.to_owned(),
        end: rule.end.clone(),
        after: rule.after.clone(),
    }))
}

fn blocks(data: &Data, words: Notation<'_>) -> Result<Option<Blocks>, String> {
    let Some(rule) = &data.blocks else { return Ok(None) };
    let needed = [&rule.comment, &rule.long_comment[0], &rule.long_comment[1], &rule.stop, &rule.close];
    if needed.into_iter().any(String::is_empty) {
        return Err("blocks: `comment`, `long_comment`, `stop` or `close` is missing".to_owned());
    }
    Ok(Some(Blocks { rule: rule.clone(), around: words.types("blocks.around", &rule.around)? }))
}
