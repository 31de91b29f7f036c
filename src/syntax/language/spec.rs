//! The keys of a language's data, and what is made of them: every word is looked up in the grammar when the language loads. The engine
//! uses ids, sets of types, paths and patterns at run time; nothing compares the names of types.

use std::collections::BTreeMap;

use super::ast_grep_words::AstGrepWords;
use super::by_type::ByType;
use super::docs::Docs;
use super::flow::Flow;
use super::form::{
    Fields, MarkValues, Marks, MaybeRegex, Needed, OneField, OneMark, OnePath, Paths, PatternValues, RegexSource, Sign,
    Signs, SomePaths, Text, TypeValues, Types, compile_data, forms, plain, rules,
};
use super::imports::Imports;
use super::injections::Injection;
use super::kinds::{Compatibility, KindRule, KindWords, Kinds, check_rules};
use super::lazy_regex::LazyRegex;
use super::metrics::Metrics;
use super::notation::Notation;
use super::path::Path;
use super::pieces::{Blocks, Items, Slices};
use super::place::{NodePatterns, Places};
use super::precedence::Precedence;
use super::references::ReferenceRules;
use super::symbol_rules::SymbolRules;
use super::symbols::{FieldId, Symbols, TypeId};
use super::type_set::TypeSet;
use super::versions::SinceVersion;

rules! {
    /// The content of a `language.toml` after its first paragraph. Node types, fields and kinds have the names of the grammar and
    /// of `selectors/kinds.toml`.
    Spec from Data {
        /// The name of the language for language servers, if it is another one.
        server_name: String,
        /// Types that contain many nodes, and through which `>` looks.
        bodies: Types,
        /// Types that contain one node, and through which `>` looks.
        wrappers: Types,
        /// Wrappers with several children: the path to the wrapped node, as in `names`; `$` for the last child. Everything
        /// else in the wrapper belongs to that node.
        held: ByType<OnePath>,
        /// Definitions to which a value is bound: the path to the value, as in `names`. If the value is one of `values`,
        /// the definition is a scope and the value is not: `const f = () => {}`.
        holders: ByType<OnePath>,
        /// Types of values that make their definition a scope: anonymous functions and classes.
        values: Types,
        /// Types that come before a definition as its siblings and belong to it: attributes. `outer/type` counts only in a
        /// parent of type `outer`.
        leading: NodePatterns,
        /// Text that the grammar cannot read and that is replaced by whitespace: macros.
        unread: Vec<Unread>,
        /// Text that the grammar takes for an error and a compiler does not: where there is one, the text is parsed once more with it replaced, and
        /// that counts if it has fewer errors.
        unread_in_errors: Vec<Unread>,
        /// The same, before those of the language that this one extends.
        own_unread_in_errors: Vec<Unread>,
        /// Parts of regexes. `(?&name)` in a `find` of both, or in another part, is that one as a group.
        regex_parts: BTreeMap<String, String>,
        /// Comment types, and other types that may occur anywhere and do not count as children.
        comments: Types,
        /// The start of a comment that ends with its line.
        line_comment: String,
        /// Types whose inner lines are never re-indented.
        strings: Types,
        /// Kinds whose nodes are scopes: they add to qualified names and end `:has-own`. Only rules that are plain types
        /// count.
        scopes: KindWords,
        /// More types that are scopes; one without a name adds nothing to a qualified name.
        scope_types: Types,
        /// The rules of each kind: node types, or selectors.
        kinds: Kinds,
        /// The paths to the name of each node type. A path goes through fields; `*` is the first named child, `**` all of
        /// them, a type name all children of that type (`/type` if there is a field with that name, too), `field:type`
        /// those of a type in a field, `$` the last named child, `type^` and `type$` the first and last of a type, `field!`
        /// the first in a field, even if it is a token, `+type` and `-type` later and earlier siblings of a type, `.` the
        /// node's own text, `'word'` the word itself, `path.'word'` the word if the path leads to a node, `'word' + path`
        /// the word and the text of the node, `a | b` the first path that leads to a node. The name of the reached node is
        /// determined by the rule of its own type.
        names: ByType<Paths>,
        /// The paths to other names of each node type, which match but are not printed.
        other_names: ByType<Paths>,
        /// The paths to what precedes the name of each node type in a qualified name: a Go method's receiver. If the
        /// reached node has a rule here, its paths are followed, so `a::b::c` works at any depth.
        receivers: ByType<Paths>,
        /// The paths to what each type of call calls. If there are several, the callee is everything from the first to the
        /// last: `object.method`.
        callees: ByType<Paths>,
        /// The paths to the module of each type of import.
        modules: ByType<Paths>,
        /// How to count the parameters of each node type.
        params: ByType<Count>,
        /// How to count the arguments of each node type.
        args: ByType<Count>,
        /// The paths to the base classes of each type of class.
        bases: ByType<Paths>,
        /// The paths to the return type of each node type.
        returns: ByType<Paths>,
        /// Tokens and types that are modifiers, directly in a definition or in one of its `modifier_holders`.
        modifiers: Marks,
        /// Types that contain a definition's modifiers and decorators.
        modifier_holders: Types,
        /// Visibilities in order; a definition has the first one whose selector matches.
        visibility: Vec<Visibility>,
        /// Whether names of letters, digits and underscores are whole words: no such character follows or, except for
        /// digits, precedes. Used by the prefilter.
        names_are_words: bool,
        /// The keyword that every node of a type contains: `def`. Used by the prefilter, which does not parse files that
        /// lack it.
        introducers: ByType<String>,
        /// Those of them whose name follows the keyword.
        introduced_names: Types,
        /// A regex for the text between that keyword and the name.
        introducer_gap: RegexSource,
        /// How a file is split at its top-level statements. Used by the prefilter.
        slices: Option<Slices>,
        /// How to find the items of a file without parsing, in a language with brackets.
        items: Option<Items>,
        /// The same for a language whose blocks end with a word.
        blocks: Option<Blocks>,
        /// How documentation is attached.
        docs: Docs,
        /// Types of decorators: they belong to the definition next to them.
        decorators: Types,
        /// How the elements of each type of list are separated.
        lists: ByType<List>,
        /// Which types are imports, how they are read, and where they go.
        imports: Imports,
        /// Which names refer to the same thing.
        references: ReferenceRules,
        /// How statements and expressions are evaluated, and how new code is written.
        flow: Flow,
        /// The nodes that count in the numbers of functions.
        metrics: Metrics,
        /// How names mean things across files.
        symbols: SymbolRules,
        /// The content of a body that has nothing else: `pass`.
        empty_body: String,
        /// Children of which a type needs at least one, although the grammar accepts none: a `try` and its clauses.
        needs: ByType<MarkValues>,
        /// Types that join two or more nodes of the same kind, and are replaced by the last one left: adjacent strings.
        joins: Types,
        /// Statements that can be parsed alone. After an edit inside them, only they are parsed.
        statements: Option<Statements>,
        /// Lists of tokens that are lists of expressions by the name of what they are given to: the arguments of `println!`.
        token_arguments: Vec<TokenArguments>,
        /// Types that are the body of a definition if it is in no field, including lists; one inside another is looked
        /// through.
        body_types: Types,
        /// For definitions without a node for their body: the types and tokens after the last of which the body begins.
        body_after: ByType<Marks>,
        /// Types whose nodes end where the indentation does, although the grammar ends them at the next token: trailing
        /// whitespace, and comments indented less than their first line, do not belong to them.
        ends_by_indentation: Types,
        /// Types of items at whose end the grammar puts the comments before the next item: those that are indented no more than the
        /// item do not belong to it. Where its content is indented no more, either, those directly below the content do, unless the next
        /// item is directly below them.
        ends_before_comments: Types,
        /// Types of code in strings that may not have the quotes of the string, or a backslash, in each version of the language.
        code_without_quotes: Types,
        /// The version of the language from which on such code may have both.
        quotes_in_code: SinceVersion,
        /// Clauses that hold the clause after them, with the path to it: an `elsif` of Ruby. It stays where they are deleted.
        next_clauses: ByType<Paths>,
        /// Types with names in parts, with the type or token that follows each part: Objective-C's `initWithName:count:`.
        /// The name is all parts, each with a colon; without such a follower, the first.
        joined_names: ByType<OneMark>,
        /// Types of values that add the name of their definition to the qualified names inside, without being scopes: an
        /// object.
        named_values: Types,
        /// Scopes whose name is not part of qualified names.
        nameless: Types,
        /// Types whose statements are next to other children, with the tokens or types after which they begin: a `case` and
        /// its `:`.
        sections: ByType<MarkValues>,
        /// Bodies that contain only another body or an expression.
        outer_bodies: Types,
        /// The code that replaces a required statement when it is deleted: `{}`.
        empty_statement: String,
        /// Where that is: `type.field`, or a type whose child is in no field. Not for places of types or expressions.
        empty_statement_in: Places,
        /// Types that begin in the column of their statement if they begin a line: `else_clause`. `outer/type` counts only
        /// in a parent of type `outer`.
        aligned: NodePatterns,
        /// Types that the grammar accepts in more places than the language, with their allowed parents; `outer/type` is a
        /// parent inside an `outer`.
        only_in: ByType<PatternValues>,
        /// Types for which the grammar accepts more children than the language, with the types of their allowed named
        /// children.
        holds_only: ByType<TypeValues>,
        /// The allowed order in a list, if the grammar accepts any order.
        order: Vec<Order>,
        /// The sign that ends each element of a type of body except the last: the `,` of match arms.
        terminators: ByType<Sign>,
        /// Fields of a body's children that are not its statements: the condition of an `#if`.
        header_fields: Fields,
        /// Types that follow the statements of a body or a section and are not statements: `rescue`, `elif`.
        clauses: Types,
        /// Tokens that close a body that has no node while it is empty: `end`.
        body_ends: Signs,
        /// Types that are indented less than the body that contains them: `public:`, `#if`.
        labels: Types,
        /// Code around a snippet that is not a file by itself, tried in order; `$0` is the snippet: `class A { $0 }`.
        contexts: Vec<String>,
        /// Contexts for code patterns, all tried in order; without any, the file itself and `contexts`.
        pattern_contexts: Vec<PatternContext>,
        /// The spelling of a pattern's `$X` for the grammar, with its number for `{}`: a word that the grammar reads as one
        /// node. Other spellings are tried if no context accepts the first: `int cst{};` for the members of a class.
        metavariable: Metavariable,
        /// Words that are never names, although the grammar may read them as names in a snippet: `return`.
        reserved: Vec<String>,
        /// Words that the language does not allow as names of definitions, although its grammar does.
        keywords: Vec<String>,
        /// Types of names that may nevertheless be such words, `type` or `parent/type`: a method in JavaScript.
        keyword_names: NodePatterns,
        /// An expression in parentheses, with `$0` for the expression; empty if that is impossible.
        parens: Parens,
        /// The language's own precedence.
        precedence: Precedence,
        /// Quotes of strings that end with their line.
        one_line_quotes: Vec<String>,
        /// More string types whose quotes are interchangeable: `'a'` is `"a"`. A node of one such type may replace one of
        /// another.
        quotes_alike: Types,
        /// The field with a node's body.
        body_field: BodyField,
        /// The usual indentation.
        indent: Indent,
        /// Blank lines around definitions.
        blank_lines: BlankLines,
        /// Whether indentation determines where a block ends.
        indentation_is_syntax: bool,
        /// Whether most texts are valid, as in Markdown, so that a pattern that parses says little.
        is_prose as "prose": bool,
        /// The separator of statements on one line: `;`.
        statement_separator: Sign,
        /// Names from another project, with their node types or selectors.
        compatibility: Compatibility,
        /// Code in other languages.
        injections: Vec<Injection>,
        /// How rules of ast-grep are read.
        ast_grep: AstGrepWords,
        /// The limits of the grammar's scanner.
        limits: Limits,
    } => {
        /// The most steps that a path of `holders` takes.
        holder_reach: usize,
        /// Types and tokens after the last of which a node's statements begin: those of `sections` and `body_after`.
        section_starts: ByType<TypeSet>,
        /// Whether functions are scopes: a language of programs, not of data.
        is_code: bool,
        /// Punctuation that languages share.
        punctuation: Punctuation,
    }

    /// Counts the named children of the nodes at the end of a path. If such a node has a rule of its own, that one counts:
    /// a C function's declarator.
    Count from CountRule {
        /// Paths to the nodes with the counted children, as in `names`.
        at: SomePaths,
        /// Types that count; empty for all.
        only: Types,
        /// Types that don't count.
        except: Types,
        /// Texts that don't count: C's `void`.
        except_text: Vec<String>,
        /// Types of containing nodes that count as one, whatever they contain.
        single: Types,
        /// A field: a child counts once for each of its values. The names of Go's `a, b int`.
        each: Option<OneField>,
    }

    /// A visibility, with the selector of its definitions.
    Visibility from VisibilityRule {
        /// The word: `public`, `private`.
        word as "is": Text,
        /// The selector.
        when: Text,
    }

    /// Text that the grammar cannot read. It is replaced by text of the same length, so no place changes.
    Unread from UnreadRule {
        /// A regex. Its match is read as spaces, except line ends and its groups. In `unread_in_errors` line ends are replaced, too,
        /// the next match may begin in the last group, and words, digits and blanks are those of ASCII.
        find: Needed<LazyRegex>,
        /// The text that is read at its start instead.
        instead as "as": String,
        /// The character that is read instead of each byte, if not a space: for a word with characters that the grammar
        /// lacks.
        fill: Fill,
        /// In `unread_in_errors`: the texts that are read at the start of each part that is replaced, in order. A match in which one has no
        /// room does not count.
        parts: Vec<String>,
        /// In `unread_in_errors`: when it is tried: from the first time on, or only with what rules of lower stages leave.
        stage: usize,
    }

    /// How the elements of a list are separated.
    List from ListRule {
        /// The text between two elements.
        separator: Needed<String>,
        /// Whether it may follow the last one.
        trailing: bool,
        /// Whether it must follow a single element.
        single: bool,
        /// Whether the containing node is deleted with the last element: an import with its last name.
        whole: bool,
        /// Whether a single element has no brackets.
        bare: bool,
        /// Types in which a single element has no list around it.
        plain_in: Types,
        /// Types of a single element that replaces the list: the generator of `any(x for x in y)`.
        alone: Types,
        /// Types of the elements, if the list's node has other children: the methods of an enum.
        only: Types,
        /// Whether a list that gets its first elements has one element per line: the fields of a struct.
        lines: bool,
        /// Whether there is a space inside the brackets on one line: `{ a, b }`.
        padded: bool,
        /// The field of the elements, if the list's node has other children.
        field: Option<OneField>,
    } => {
        /// The separator's token, if the grammar has one.
        separator_token: Option<TypeId>,
    }

    /// The allowed order in a list: after one of `after`, only `then` may follow, until one of `until`. Each is a node
    /// pattern: `parameter(rest_pattern)` has such a child.
    Order from OrderRule {
        /// Types of the lists.
        lists as "in": Types,
        /// Elements after which the rule applies.
        after: NodePatterns,
        /// Elements that may follow; empty for none.
        then: NodePatterns,
        /// Elements after which the rule no longer applies.
        until: NodePatterns,
    }

    /// Statements that contain no others, and are read the same alone as among others.
    Statements from StatementRule {
        /// Their types.
        types: Types,
        /// The types of the nodes that contain them and other statements.
        holders as "in": Types,
        /// The context in which they are parsed, each on lines of its own: `void f() {\n$0\n}`.
        around: Around,
        /// The text with which each must end: `;`.
        end: String,
        /// The signs after one of which each must begin: `;{}`. Any if empty.
        after: String,
    }

    /// Lists of tokens that are read as lists of expressions when names are followed. One that cannot be read so stays as it is.
    TokenArguments from TokenArgumentRule {
        /// The types of the calls that have them.
        calls: Types,
        /// Their own types.
        lists as "in": Types,
        /// The types of the names among the tokens, and words that may be names: a list without any is not read.
        names: Marks,
        /// The names of what is called.
        callees: Vec<String>,
        /// The types of the definitions of what is called. A file may define something else with such a name.
        definitions: Types,
        /// The context in which a list is parsed alone, with its brackets: `fn f() { f$0; }`.
        around: Around,
        /// The types of the list there.
        read_as: Types,
        /// The types of its children with which it means something else: `x = 1`.
        not_with: Types,
    }

    /// A context in which a code pattern may occur.
    PatternContext from PatternContextRule {
        /// The name of the context: `statement`, `member`, `parameter`.
        name: Text,
        /// The surrounding code; `$0` is the pattern.
        around: Text,
        /// Unlikely types: they count only if no other context accepts the pattern, or if the step of the selector names
        /// the type. The default `x = 1` of a parameter is also an assignment. `type.field` requires that field.
        quiet: NodePatterns,
    }

    /// The usual indentation of a language.
    Indent from IndentRule {
        /// Width of a level in columns.
        width: IndentWidth,
        /// Whether it is written with tabs.
        tabs: bool,
    }

    /// Limits of a grammar's scanner.
    Limits from LimitRule {
        /// The number of indentation levels at which the scanner breaks; 0 is no limit.
        indentation: usize,
        /// The same if any number of strings may be open at once, since they take space next to the levels.
        indentation_with_strings: usize,
        /// The number of nested blocks, by their columns, at which the scanner breaks; 0 is no limit.
        blocks: usize,
        /// A regex for words too long for the scanner, such as the word that ends a heredoc; empty for no limit.
        too_long: MaybeRegex,
        /// The text that is parsed in place of the beginning of such a word, of the same length, so that the scanner takes it for something else.
        too_long_instead: String,
        /// The sign with which comment lines begin, if the scanner looks over all that follow again for each: of a long run, the first
        /// and the last are parsed.
        rescanned_comments: String,
        /// Whether the scanner looks for a line end without checking for the end of the text: the text is parsed with one
        /// more.
        needs_line_end: bool,
    }
}

plain! {
    /// Blank lines around definitions, if the neighbours show no style.
    BlankLines {
        /// At the file's top level.
        top: usize,
        /// Inside another definition.
        nested: usize,
    }
}

forms! {
    /// Spellings of a hole: `cst{}` if nothing is written.
    Metavariable: Vec<String> => Vec<String> = |words, _| match words.as_slice() {
        [] => Ok(vec!["cst{}".to_owned()]),
        words => Ok(words.to_vec()),
    };
    /// An expression in parentheses: `($0)` if nothing is written.
    Parens: Option<String> => String = |text, _| Ok(text.clone().unwrap_or_else(|| "($0)".to_owned()));
    /// A field: `body` if nothing is written and the grammar has it.
    BodyField: String => Option<FieldId> = |name, reader| match name.as_str() {
        "" | DEFAULT_BODY_FIELD => Ok(reader.notation.field(DEFAULT_BODY_FIELD).ok()),
        name => reader.notation.field(name).map(Some),
    };
    /// The width of a level: 4 if nothing is written.
    IndentWidth: usize => usize = |&width, _| Ok(if width == 0 { 4 } else { width });
    /// One ASCII character: a space if nothing is written.
    Fill: String => u8 = |text, _| match text.as_bytes() {
        [] => Ok(b' '),
        &[fill] if fill.is_ascii_graphic() => Ok(fill),
        _ => Err("it must be one ASCII character".to_owned()),
    };
    /// Code with `$0` for other code in it.
    Around: String => Surroundings = |text, _| {
        let (head, tail) = text.split_once("$0").ok_or("`$0` is missing")?;
        Ok(Surroundings { head: head.to_owned(), tail: tail.to_owned() })
    };
}

/// The field with a body if the data does not name one.
const DEFAULT_BODY_FIELD: &str = "body";

/// The code before and after other code.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Before it.
    pub head: String,
    /// After it.
    pub tail: String,
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
    pub(super) fn new(mut data: Data, symbols: &Symbols, checks: bool) -> Result<Spec, String> {
        let notation = Notation::new(symbols).checking(checks);
        data.symbols.limit_to_scheme();
        let mut spec = compile_data::<Spec>(&data, notation)?;
        spec.symbols.references = data.symbols.compile_references(&data.references, notation)?;
        spec.precedence.arrange(symbols)?;
        spec.unread_in_errors.splice(0..0, std::mem::take(&mut spec.own_unread_in_errors));
        check_rules(&spec.kinds, &spec.compatibility, symbols)?;
        spec.holder_reach = spec.holders.values().map(Path::reach).max().unwrap_or(0);
        spec.section_starts = section_starts(&spec.sections, &spec.body_after);
        spec.is_code = data.scopes.iter().any(|kind| kind == "function");
        spec.punctuation = Punctuation::new(symbols);
        spec.metrics.collect_types();
        for list in spec.lists.values_mut() {
            list.separator_token = symbols.token_id(&list.separator);
        }
        Ok(spec)
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
