//! The schema of `selectors/<language>/language.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::docs::DocRule;
use super::flow::FlowRule;
use super::imports::ImportRule;
use super::notation::CountRule;
use super::references::ReferenceRule;
use super::symbol_rules::SymbolRule;
use super::values::Values;

/// The content of a `language.toml`. Node types, fields and kinds have the names of the grammar and of
/// `selectors/kinds.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// The language's name, in lower case.
    pub name: String,
    /// Other names of the language.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// File extensions, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Whole file names.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Interpreters in a first line `#!`; a version after the name is ignored.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// Maps another language's extension to a regex: a file with a line that matches is in this language.
    #[serde(default)]
    pub claims: BTreeMap<String, String>,
    /// Files that are at the top of a project, by which its folder is recognised where there is no repository.
    #[serde(default)]
    pub projects: Vec<String>,
    /// Files at the top of a workspace of several projects, each with a text that must be in it.
    #[serde(default)]
    pub workspaces: BTreeMap<String, String>,
    /// The language on whose data this is based: tables are merged, and everything else in this file replaces the
    /// other's.
    #[serde(default)]
    pub extends: String,
    /// What language servers call the language, if not by its name.
    #[serde(default)]
    pub server_name: String,
    /// Types that contain many nodes, and through which `>` looks.
    #[serde(default)]
    pub bodies: Vec<String>,
    /// Types that contain one node, and through which `>` looks.
    #[serde(default)]
    pub wrappers: Vec<String>,
    /// Wrappers with several children: the path to the wrapped node, as in `names`; `$` for the last child. Everything
    /// else in the wrapper belongs to that node.
    #[serde(default)]
    pub held: BTreeMap<String, String>,
    /// Definitions to which a value is bound: the path to the value, as in `names`. If the value is one of `values`,
    /// the definition is a scope and the value is not: `const f = () => {}`.
    #[serde(default)]
    pub holders: BTreeMap<String, String>,
    /// Types of values that make their definition a scope: anonymous functions and classes.
    #[serde(default)]
    pub values: Vec<String>,
    /// Types that come before a definition as its siblings and belong to it: attributes. `outer/type` counts only in a
    /// parent of type `outer`.
    #[serde(default)]
    pub leading: Vec<String>,
    /// Text that the grammar cannot read and that is replaced by whitespace: macros.
    #[serde(default)]
    pub unread: Vec<UnreadRule>,
    /// Comment types, and other types that may occur anywhere and do not count as children.
    #[serde(default)]
    pub comments: Vec<String>,
    /// The start of a comment that ends with its line.
    #[serde(default)]
    pub line_comment: String,
    /// Types whose inner lines are never re-indented.
    #[serde(default)]
    pub strings: Vec<String>,
    /// Kinds whose nodes are scopes: they add to qualified names and end `:has-own`. Only rules that are plain types
    /// count.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// More types that are scopes; one without a name adds nothing to a qualified name.
    #[serde(default)]
    pub scope_types: Vec<String>,
    /// The rules of each kind: node types, or selectors.
    #[serde(default)]
    pub kinds: BTreeMap<String, Values>,
    /// The paths to the name of each node type. A path goes through fields; `*` is the first named child, `**` all of
    /// them, a type name all children of that type (`/type` if there is a field with that name, too), `field:type`
    /// those of a type in a field, `$` the last named child, `type^` and `type$` the first and last of a type, `field!`
    /// the first in a field, even if it is a token, `+type` and `-type` later and earlier siblings of a type, `.` the
    /// node's own text, `'word'` the word itself, `path.'word'` the word if the path leads to a node, `'word' + path`
    /// the word and the text of the node, `a | b` the first path that leads to a node. The name of the reached node is
    /// determined by the rule of its own type.
    #[serde(default)]
    pub names: BTreeMap<String, Values>,
    /// The paths to other names of each node type, which match but are not printed.
    #[serde(default)]
    pub other_names: BTreeMap<String, Values>,
    /// The paths to what precedes the name of each node type in a qualified name: a Go method's receiver. If the
    /// reached node has a rule here, its paths are followed, so `a::b::c` works at any depth.
    #[serde(default)]
    pub receivers: BTreeMap<String, Values>,
    /// The paths to what each type of call calls. If there are several, the callee is everything from the first to the
    /// last: `object.method`.
    #[serde(default)]
    pub callees: BTreeMap<String, Values>,
    /// The paths to the module of each type of import.
    #[serde(default)]
    pub modules: BTreeMap<String, Values>,
    /// How to count the parameters of each node type.
    #[serde(default)]
    pub params: BTreeMap<String, CountRule>,
    /// How to count the arguments of each node type.
    #[serde(default)]
    pub args: BTreeMap<String, CountRule>,
    /// The paths to the base classes of each type of class.
    #[serde(default)]
    pub bases: BTreeMap<String, Values>,
    /// The paths to the return type of each node type.
    #[serde(default)]
    pub returns: BTreeMap<String, Values>,
    /// Tokens and types that are modifiers, directly in a definition or in one of its `modifier_holders`.
    #[serde(default)]
    pub modifiers: Vec<String>,
    /// Types that contain a definition's modifiers and decorators.
    #[serde(default)]
    pub modifier_holders: Vec<String>,
    /// Visibilities in order; a definition has the first one whose selector matches.
    #[serde(default)]
    pub visibility: Vec<VisibilityRule>,
    /// Whether names of letters, digits and underscores are whole words: no such character follows or, except for
    /// digits, precedes. Used by the prefilter.
    #[serde(default)]
    pub names_are_words: bool,
    /// The keyword that every node of a type contains: `def`. Used by the prefilter, which does not parse files that
    /// lack it.
    #[serde(default)]
    pub introducers: BTreeMap<String, String>,
    /// Those of them whose name follows the keyword.
    #[serde(default)]
    pub introduced_names: Vec<String>,
    /// A regex for the text between that keyword and the name.
    #[serde(default)]
    pub introducer_gap: String,
    /// How a file is split at its top-level statements. Used by the prefilter.
    #[serde(default)]
    pub slices: Option<SliceRule>,
    /// How to find the items of a file without parsing, in a language with brackets.
    #[serde(default)]
    pub items: Option<ItemRule>,
    /// The same for a language whose blocks end with a word.
    #[serde(default)]
    pub blocks: Option<BlockRule>,
    /// How documentation is attached.
    #[serde(default)]
    pub docs: DocRule,
    /// Types of decorators: they belong to the definition next to them.
    #[serde(default)]
    pub decorators: Vec<String>,
    /// How the elements of each type of list are separated.
    #[serde(default)]
    pub lists: BTreeMap<String, ListRule>,
    /// Which types are imports, how they are read, and where they go.
    #[serde(default)]
    pub imports: ImportRule,
    /// Which names refer to the same thing.
    #[serde(default)]
    pub references: ReferenceRule,
    /// How statements and expressions are evaluated, and how new code is written.
    #[serde(default)]
    pub flow: FlowRule,
    /// How names mean things across files.
    #[serde(default)]
    pub symbols: SymbolRule,
    /// The content of a body that has nothing else: `pass`.
    #[serde(default)]
    pub empty_body: String,
    /// Children of which a type needs at least one, although the grammar accepts none: a `try` and its clauses.
    #[serde(default)]
    pub needs: BTreeMap<String, Values>,
    /// Types that join two or more nodes of the same kind, and are replaced by the last one left: adjacent strings.
    #[serde(default)]
    pub joins: Vec<String>,
    /// Statements that can be parsed alone. After an edit inside them, only they are parsed.
    #[serde(default)]
    pub statements: Option<StatementRule>,
    /// Types that are the body of a definition if it is in no field, including lists; one inside another is looked
    /// through.
    #[serde(default)]
    pub body_types: Vec<String>,
    /// For definitions without a node for their body: the types and tokens after the last of which the body begins.
    #[serde(default)]
    pub body_after: BTreeMap<String, Vec<String>>,
    /// Types whose nodes end where the indentation does, although the grammar ends them at the next token: trailing
    /// whitespace, and comments indented less than their first line, do not belong to them.
    #[serde(default)]
    pub ends_by_indentation: Vec<String>,
    /// Types with names in parts, with the type or token that follows each part: Objective-C's `initWithName:count:`.
    /// The name is all parts, each with a colon; without such a follower, the first.
    #[serde(default)]
    pub joined_names: BTreeMap<String, String>,
    /// Types of values that add the name of their definition to the qualified names inside, without being scopes: an
    /// object.
    #[serde(default)]
    pub named_values: Vec<String>,
    /// Scopes whose name is not part of qualified names.
    #[serde(default)]
    pub nameless: Vec<String>,
    /// Types whose statements are next to other children, with the tokens or types after which they begin: a `case` and
    /// its `:`.
    #[serde(default)]
    pub sections: BTreeMap<String, Values>,
    /// Bodies that contain only another body or an expression.
    #[serde(default)]
    pub outer_bodies: Vec<String>,
    /// What replaces a required statement when it is deleted: `{}`.
    #[serde(default)]
    pub empty_statement: String,
    /// Where that is: `type.field`, or a type whose child is in no field. Not for places of types or expressions.
    #[serde(default)]
    pub empty_statement_in: Vec<String>,
    /// Types that begin in the column of their statement if they begin a line: `else_clause`. `outer/type` counts only
    /// in a parent of type `outer`.
    #[serde(default)]
    pub aligned: Vec<String>,
    /// Types that the grammar accepts in more places than the language, with their allowed parents; `outer/type` is a
    /// parent inside an `outer`.
    #[serde(default)]
    pub only_in: BTreeMap<String, Values>,
    /// Types for which the grammar accepts more children than the language, with the types of their allowed named
    /// children.
    #[serde(default)]
    pub holds_only: BTreeMap<String, Values>,
    /// The allowed order in a list, if the grammar accepts any order.
    #[serde(default)]
    pub order: Vec<OrderRule>,
    /// What ends each element of a type of body except the last: the `,` of match arms.
    #[serde(default)]
    pub terminators: BTreeMap<String, String>,
    /// Fields of a body's children that are not its statements: the condition of an `#if`.
    #[serde(default)]
    pub header_fields: Vec<String>,
    /// Types that follow the statements of a body or a section and are not statements: `rescue`, `elif`.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// Tokens that close a body that has no node while it is empty: `end`.
    #[serde(default)]
    pub body_ends: Vec<String>,
    /// Types that are indented less than the body that contains them: `public:`, `#if`.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Code around a snippet that is not a file by itself, tried in order; `$0` is the snippet: `class A { $0 }`.
    #[serde(default)]
    pub contexts: Vec<String>,
    /// Contexts for code patterns, all tried in order; without any, the file itself and `contexts`.
    #[serde(default)]
    pub pattern_contexts: Vec<PatternContext>,
    /// The spelling of a pattern's `$X` for the grammar, with its number for `{}`: a word that the grammar reads as one
    /// node. Other spellings are tried if no context accepts the first: `int cst{};` for the members of a class.
    #[serde(default = "metavariable")]
    pub metavariable: Vec<String>,
    /// Words that are never names, although the grammar may read them as names in a snippet: `return`.
    #[serde(default)]
    pub reserved: Vec<String>,
    /// Words that the language does not allow as names of definitions, although its grammar does.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Types of names that may nevertheless be such words, `type` or `parent/type`: a method in JavaScript.
    #[serde(default)]
    pub keyword_names: Vec<String>,
    /// An expression in parentheses, with `$0` for the expression; empty if that is impossible.
    #[serde(default = "parens")]
    pub parens: String,
    /// The language's own precedence.
    #[serde(default)]
    pub precedence: PrecedenceRule,
    /// Quotes of strings that end with their line.
    #[serde(default)]
    pub one_line_quotes: Vec<String>,
    /// More string types whose quotes are interchangeable: `'a'` is `"a"`. A node of one such type may replace one of
    /// another.
    #[serde(default)]
    pub quotes_alike: Vec<String>,
    /// The field with a node's body.
    #[serde(default = "body_field")]
    pub body_field: String,
    /// The usual indentation.
    #[serde(default)]
    pub indent: Indent,
    /// Blank lines around definitions.
    #[serde(default)]
    pub blank_lines: BlankLines,
    /// Whether indentation determines where a block ends.
    #[serde(default)]
    pub indentation_is_syntax: bool,
    /// Whether most texts are valid, as in Markdown, so that a pattern that parses says little.
    #[serde(default)]
    pub prose: bool,
    /// The separator of statements on one line: `;`.
    #[serde(default)]
    pub statement_separator: String,
    /// Names from another project, with their node types or selectors.
    #[serde(default)]
    pub compatibility: BTreeMap<String, Values>,
    /// The limits of the grammar's scanner.
    #[serde(default)]
    pub limits: Limits,
}

fn metavariable() -> Vec<String> {
    vec!["cst{}".to_owned()]
}

fn parens() -> String {
    "($0)".to_owned()
}

fn body_field() -> String {
    Data::default_body_field().to_owned()
}

impl Data {
    /// The field with a body if the data does not name one.
    pub(super) fn default_body_field() -> &'static str {
        "body"
    }
}

/// The language's own precedence, for code that the grammar accepts or groups otherwise; `precedence.rs` explains forms
/// and places. Types without a level bind tightest.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrecedenceRule {
    /// One level each: its forms, the loosest level first.
    pub levels: Vec<Vec<String>>,
    /// Forms that group from the right. A form that begins with a token or a parameter list and ends with an operand
    /// does so anyway.
    pub right: Vec<String>,
    /// Forms that do not group with forms of the same level.
    pub neither: Vec<String>,
    /// Places whose children must bind at least as tightly as a form, if the levels do not say so.
    pub operands: BTreeMap<String, String>,
    /// Forms that may be a last operand whatever their level: `a || return`.
    pub trailing: Vec<String>,
    /// Places that accept only some forms, in parentheses or not: the target of an assignment.
    pub targets: BTreeMap<String, Values>,
    /// What a place does not accept without parentheses.
    pub bans: Vec<BanRule>,
    /// What may occur only in some functions: `await`.
    pub within: Vec<WithinRule>,
    /// Operators of which two in a row become one token: `--`.
    pub glued: Vec<String>,
    /// Types of lists without brackets, with their type in parentheses: `a, b` is a tuple.
    pub bare_lists: BTreeMap<String, String>,
}

/// What a place does not accept without parentheses: a struct literal in a condition.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanRule {
    /// The places.
    pub at: Values,
    /// The part of the place.
    pub side: Side,
    /// The forms.
    pub of: Values,
    /// Forms of parents to which the ban is limited.
    #[serde(default)]
    pub under: Option<Values>,
    /// Whether a node that was in such a place before may stay: there the language accepts it.
    #[serde(default)]
    pub unless_before: bool,
}

/// What may occur only in some functions, in parentheses or not: `await` in `async` functions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithinRule {
    /// The forms.
    pub of: Values,
    /// Forms of which the innermost enclosing one decides; without any, it is allowed.
    pub around: Values,
    /// Those of them in which it is allowed.
    pub only: Values,
}

/// A part of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Its beginning, at any depth.
    First,
    /// Its end, at any depth.
    Last,
    /// Anywhere except in brackets.
    Bare,
    /// The whole of it.
    Whole,
}

/// A context in which a code pattern may occur.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternContext {
    /// The name of the context: `statement`, `member`, `parameter`.
    pub name: String,
    /// The surrounding code; `$0` is the pattern.
    pub around: String,
    /// Unlikely types: they count only if no other context accepts the pattern, or if the step of the selector names
    /// the type. The default `x = 1` of a parameter is also an assignment. `type.field` requires that field.
    #[serde(default)]
    pub quiet: Vec<String>,
}

/// A visibility, with the selector of its definitions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisibilityRule {
    /// The word: `public`, `private`.
    pub is: String,
    /// The selector.
    pub when: String,
}

/// Text that the grammar cannot read. It is replaced by text of the same length, so no place changes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnreadRule {
    /// A regex. Its match is read as spaces, except line ends and its first group.
    pub find: String,
    /// The text that is read at its start instead.
    #[serde(default, rename = "as")]
    pub instead: String,
    /// The character that is read instead of each byte, if not a space: for a word with characters that the grammar
    /// lacks.
    #[serde(default)]
    pub fill: String,
}

/// How to find the top-level statements of a file without parsing: each begins in the first column of a line, outside
/// brackets and strings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SliceRule {
    /// The start of a comment that ends with its line.
    pub comment: String,
    /// Quotes of strings over several lines, then those of strings on one line; a backslash escapes the next character.
    pub long_quotes: Vec<String>,
    /// One byte each.
    pub quotes: Vec<String>,
    /// Letters before a quote that allow code in the string, in curly brackets; doubled brackets are literal.
    #[serde(default)]
    pub interpolated: String,
    /// Pairs of brackets.
    pub brackets: Vec<String>,
    /// First words of lines that continue the previous statement: `else`.
    pub continues: Vec<String>,
    /// The start of a line that belongs to the next statement: `@`.
    pub attaches: Vec<String>,
    /// The form of lines in files without syntax errors. A file with another line is parsed whole.
    pub lines: LineRule,
}

/// The form of lines in a language where a line that ends with `:` opens a block of indented lines. `keywords` are
/// keywords; other words, numbers and strings are operands, of which two are never adjacent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRule {
    /// First words of lines that open a block; such a line has a `:`.
    pub headers: Vec<String>,
    /// Keywords that are operands: `None`.
    pub values: Vec<String>,
    /// Keywords that may be the last word of a line or in brackets: `return`.
    pub ends: Vec<String>,
    /// Keywords that a `:` may follow: `else`.
    pub bare: Vec<String>,
    /// Keywords that only begin a statement: `raise`.
    pub statements: Vec<String>,
    /// Other words that an operand may follow: `match`.
    pub soft: Vec<String>,
    /// First words of lines, with a word that the line must also contain: `from` and `import`.
    pub pairs: BTreeMap<String, String>,
}

/// How to find the top-level items of a file and the members of its classes without parsing, in a language with
/// brackets. An item ends after a `;`, after a block, or where a line begins with a word that only begins items.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ItemRule {
    /// The starts of comments that end with their line.
    pub line_comments: Vec<String>,
    /// What begins like a line comment and is none: PHP's `#[`.
    pub no_comments: Vec<String>,
    /// The start and end of comments over several lines.
    pub block_comments: Vec<[String; 2]>,
    /// Whether such comments nest.
    pub nested_comments: bool,
    /// Strings and characters; the first that fits counts.
    pub strings: Vec<StringRule>,
    /// Whether a `/` where an operand is expected begins a regex.
    pub regexes: bool,
    /// Whether a `<` where an operand is expected begins markup.
    pub markup: bool,
    /// Whether a `<` may begin type parameters where an operand is expected. One that begins a line after an operand
    /// makes the file unsure.
    pub type_parameters: bool,
    /// Words that an operand follows: `return`. An item does not end after one.
    pub operators: Vec<String>,
    /// The sign of the preprocessor's lines, and its words besides those for conditions.
    pub directives: Vec<String>,
    /// Its words for conditions.
    pub conditionals: ConditionalRule,
    /// Whether an item may end with its line, without a `;`.
    pub newlines: bool,
    /// Words that begin an item and never continue one, for languages where an item may end with its line.
    pub starters: Vec<String>,
    /// Whether an item always begins with one of them, a modifier or a sign; another one makes the file unsure.
    pub only_starters: bool,
    /// Signs besides words that may begin an item: `#`.
    pub signs: String,
    /// Words that continue the item before them: `else`.
    pub continues: Vec<String>,
    /// Words before the word that says what an item is: `public`.
    pub modifiers: Vec<String>,
    /// Words of items whose block has members: `class`.
    pub containers: Vec<String>,
    /// Whether the word of a container may be any of an item, not only its first that is no modifier.
    pub any_core: bool,
    /// Whether a block after a `)` is always a body.
    pub bodies_after_round: bool,
    /// Words of items that end with a `;` even after a block: `struct`.
    pub unended: Vec<String>,
    /// The sign of annotations, if how the grammar reads one in a block, or one on the line after an operand, depends on
    /// the whole file: such a file is unsure.
    pub annotations: String,
    /// Signs outside brackets, with the bytes of which one follows: `#` and `[!`. Another one makes the file unsure.
    pub followed_by: BTreeMap<String, String>,
    /// Words that a sign follows as a name: `operator`.
    pub operator_names: Vec<String>,
    /// Words that angle brackets follow: `template`.
    pub generics_after: Vec<String>,
    /// Words that, with a `:` after them, are an item: `public`.
    pub labels: Vec<String>,
    /// Words outside brackets that make the file unsure, alone or after another one: `endif`, `type extends`.
    pub unsure: Vec<String>,
    /// Marks at the start of a file of a dialect that the grammar does not understand: `@flow`. The file is unsure.
    pub dialects: Vec<String>,
    /// Signs that only comments and strings have: a file with one elsewhere has an error.
    pub unused: String,
    /// What a file must begin with, and what must not be in it: `<?php` and `?>`.
    pub prologue: String,
    /// See `prologue`.
    pub epilogue: String,
    /// Types of the nodes that contain members: a class, its body, and what may be around them.
    pub around: Vec<String>,
    /// How to recognise items that the grammar may not understand.
    pub suspects: Option<SuspectRule>,
}

/// The preprocessor's words for parts of a file that are read under a condition.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConditionalRule {
    /// Words that begin such a part: `ifdef`.
    pub begin: Vec<String>,
    /// Words that end one part and begin another: `else`, `elif`.
    pub next: Vec<String>,
    /// Words that end all of them: `endif`.
    pub end: Vec<String>,
}

/// What shows in the bytes of an item that the grammar may not understand it, because of macros and conditionals. Such
/// items are parsed together with those that may match.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SuspectRule {
    /// Words that the grammar mostly misreads: `__attribute__`.
    pub words: Vec<String>,
    /// Words whose brackets a statement follows: `if`.
    pub control: Vec<String>,
    /// Words that an expression follows: `return`.
    pub leading: Vec<String>,
    /// Words that a statement follows: `else`.
    pub opening: Vec<String>,
    /// Words that introduce values in curly brackets: `enum`.
    pub listings: Vec<String>,
    /// Words that introduce items or fields in curly brackets: `struct`.
    pub containers: Vec<String>,
    /// Words that are a type alone: `int`.
    pub types: Vec<String>,
    /// Words that may follow the parameters of a function: `const`.
    pub trailing: Vec<String>,
    /// Macros that are masked before the parse, so that they are no sign: `__init`.
    pub skipped: Vec<String>,
    /// Signs that may be before a closing bracket or a comma: the `*` of `(char *)`.
    pub closing: String,
    /// Whether curly brackets after a name may hold values: C++'s `T{1}`.
    pub values_after_words: bool,
    /// Whether a block after square brackets, or after those and round ones, is a body.
    pub lambdas: bool,
    /// Whether a function may have no type before its name.
    pub constructors: bool,
    /// Types of function bodies in which an error stays. Without any, an error means that the whole file is parsed.
    pub bodies: Vec<String>,
    /// Types of the functions that have such bodies.
    pub functions: Vec<String>,
}

/// Statements that contain no others, and are read the same alone as among others.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StatementRule {
    /// Their types.
    pub types: Vec<String>,
    /// The types of the nodes that contain them and other statements.
    #[serde(rename = "in")]
    pub holders: Vec<String>,
    /// The context in which they are parsed, each on lines of its own: `void f() {\n$0\n}`.
    pub around: String,
    /// What each must end with: `;`.
    pub end: String,
    /// The signs after one of which each must begin: `;{}`. Any if empty.
    pub after: String,
}

/// How to find the statements of a file and the members of classes without parsing, in a language whose blocks end
/// with a word.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BlockRule {
    /// The sign of comments.
    pub comment: String,
    /// What begins, and what ends, comments over several lines, in the first column: `=begin`.
    pub long_comment: [String; 2],
    /// What ends the code: `__END__`.
    pub stop: String,
    /// The word that closes a block: `end`.
    pub close: String,
    /// The word of functions: `def`. With a `=` after name and parameters it opens no block.
    pub define: String,
    /// Words that open blocks with members: `class`.
    pub containers: Vec<String>,
    /// Words that open other blocks: `begin`.
    pub openers: Vec<String>,
    /// Words that open a block where a statement or operand begins, not after one: `if`.
    pub conditions: Vec<String>,
    /// Those of them whose line may have the `loop_word`: `while`.
    pub loops: Vec<String>,
    /// The word that opens a block unless it belongs to a loop: `do`.
    pub loop_word: String,
    /// Words inside blocks: `else`.
    pub middles: Vec<String>,
    /// Words that leave a block, and may have a condition after them: `return`.
    pub leaves: Vec<String>,
    /// Words that an operand follows: `and`.
    pub operators: Vec<String>,
    /// Types of the nodes that contain members.
    pub around: Vec<String>,
}

/// A form of strings or characters.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StringRule {
    /// The quote on both sides.
    pub quote: String,
    /// Letters and signs that may be before the quote.
    pub prefix: String,
    /// The one of them that makes it this form.
    pub with: String,
    /// Whether a backslash escapes the next character.
    pub escapes: bool,
    /// Whether a doubled quote is a literal one.
    pub doubled: bool,
    /// Whether it may have several lines.
    pub lines: bool,
    /// The start of code in it: `${`.
    pub code: String,
    /// The sign before the quote without which there is no code.
    pub code_with: String,
    /// A single character.
    pub character: bool,
    /// Whether its quote also begins lifetimes or labels: Rust's `'a`.
    pub labels: bool,
    /// Whether its quote also separates digits: C++'s `1'000`.
    pub separates: bool,
    /// It ends with as many `#` as are before the quote.
    pub hashes: bool,
    /// It ends with the word before its `(`, as in C++.
    pub delimiter: bool,
}

/// How the elements of a list are separated.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListRule {
    /// The text between two elements.
    pub separator: String,
    /// Whether it may follow the last one.
    #[serde(default)]
    pub trailing: bool,
    /// Whether it must follow a single element.
    #[serde(default)]
    pub single: bool,
    /// Whether the containing node is deleted with the last element: an import with its last name.
    #[serde(default)]
    pub whole: bool,
    /// Whether a single element has no brackets.
    #[serde(default)]
    pub bare: bool,
    /// Types in which a single element has no list around it.
    #[serde(default)]
    pub plain_in: Vec<String>,
    /// Types of a single element that replaces the list: the generator of `any(x for x in y)`.
    #[serde(default)]
    pub alone: Vec<String>,
    /// Types of the elements, if the list's node has other children: the methods of an enum.
    #[serde(default)]
    pub only: Vec<String>,
    /// Whether a list that gets its first elements has one element per line: the fields of a struct.
    #[serde(default)]
    pub lines: bool,
    /// Whether there is a space inside the brackets on one line: `{ a, b }`.
    #[serde(default)]
    pub padded: bool,
    /// The field of the elements, if the list's node has other children.
    #[serde(default)]
    pub field: Option<String>,
}

/// The allowed order in a list: after one of `after`, only `then` may follow, until one of `until`. Each is a node
/// pattern: `parameter(rest_pattern)` has such a child.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderRule {
    /// Types of the lists.
    #[serde(rename = "in")]
    pub lists: Vec<String>,
    /// Elements after which the rule applies.
    pub after: Vec<String>,
    /// Elements that may follow; empty for none.
    #[serde(default)]
    pub then: Vec<String>,
    /// Elements after which the rule no longer applies.
    #[serde(default)]
    pub until: Vec<String>,
}

/// The usual indentation of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Indent {
    /// Width of a level in columns.
    pub width: usize,
    /// Whether it is written with tabs.
    #[serde(default)]
    pub tabs: bool,
}

impl Default for Indent {
    fn default() -> Indent {
        Indent { width: 4, tabs: false }
    }
}

/// Blank lines around definitions, if the neighbours show no style.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlankLines {
    /// At the file's top level.
    #[serde(default)]
    pub top: usize,
    /// Inside another definition.
    #[serde(default)]
    pub nested: usize,
}

/// Limits of a grammar's scanner.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The number of indentation levels at which the scanner breaks; 0 is no limit.
    #[serde(default)]
    pub indentation: usize,
    /// The same if any number of strings may be open at once, since they take space next to the levels.
    #[serde(default)]
    pub indentation_with_strings: usize,
    /// The number of nested blocks, by their columns, at which the scanner breaks; 0 is no limit.
    #[serde(default)]
    pub blocks: usize,
    /// A regex for words too long for the scanner, such as the word that ends a heredoc; empty for no limit.
    #[serde(default)]
    pub too_long: String,
    /// Whether the scanner looks for a line end without checking for the end of the text: the text is parsed with one
    /// more.
    #[serde(default)]
    pub needs_line_end: bool,
}

/// Whether a rule in the data is a plain node type, not a selector.
#[doc(hidden)]
pub fn is_word(rule: &str) -> bool {
    rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
