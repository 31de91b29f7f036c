//! The schema of `selectors/<language>/language.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The content of a `language.toml`. Node types, fields and kinds have the names of the grammar and of
/// `selectors/kinds.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
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
    /// The language on whose data this is based: tables are merged, and everything else in this file replaces the
    /// other's.
    #[serde(default)]
    pub extends: String,
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

/// One word or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Values {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Values {
    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let words = match self {
            Values::One(word) => std::slice::from_ref(word),
            Values::Many(words) => words,
        };
        words.iter().map(String::as_str)
    }
}

/// Counts the named children of the nodes at the end of a path. If such a node has a rule of its own, that one counts:
/// a C function's declarator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountRule {
    /// Paths to the nodes with the counted children, as in `names`.
    pub at: Values,
    /// Types that count; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Types that don't count.
    #[serde(default)]
    pub except: Vec<String>,
    /// Texts that don't count: C's `void`.
    #[serde(default)]
    pub except_text: Vec<String>,
    /// Types of containing nodes that count as one, whatever they contain.
    #[serde(default)]
    pub single: Vec<String>,
    /// A field: a child counts once for each of its values. The names of Go's `a, b int`.
    #[serde(default)]
    pub each: String,
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

/// Where the documentation of a definition is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocRule {
    /// The type of the statement that, first in a body, contains only a documentation string.
    #[serde(default)]
    pub statement: String,
    /// Type of the string in it.
    #[serde(default)]
    pub string: String,
    /// The type of several adjacent strings, which are one.
    #[serde(default)]
    pub joined: String,
    /// Letters that may not precede the string's quote: `b"…"` is not documentation.
    #[serde(default)]
    pub not_with: String,
    /// The type of the string's content without quotes.
    #[serde(default)]
    pub content: String,
    /// Whether the comments attached above a definition are its documentation.
    #[serde(default)]
    pub comments_above: bool,
    /// The beginnings of documentation comments: `///`, `/**`. Empty for any comment.
    #[serde(default)]
    pub begins: Vec<String>,
    /// Whether such a comment documents the next definition across blank lines and other comments, as for the compiler.
    #[serde(default)]
    pub apart: bool,
    /// Markers removed from the start of a documentation line, the first that fits: `///`, `/**`, `*`. Also from its
    /// end.
    #[serde(default)]
    pub markers: Vec<String>,
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
    /// Whether a `<` where an operand is expected begins markup, whose text this lexer does not read.
    pub markup: bool,
    /// Words that an operand follows: `return`. An item does not end after one.
    pub operators: Vec<String>,
    /// The sign of the preprocessor's lines, and its words besides those for conditions.
    pub directives: Vec<String>,
    /// Whether an item may end with its line, without a `;`.
    pub newlines: bool,
    /// Words that begin an item and never continue one, for languages where an item may end with its line.
    pub starters: Vec<String>,
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
    /// Signs outside brackets, with the bytes of which one follows: `#` and `[!`. Another one makes the file unsure.
    pub followed_by: BTreeMap<String, String>,
    /// Words that a sign follows as a name: `operator`.
    pub operator_names: Vec<String>,
    /// Words that angle brackets follow: `template`.
    pub generics_after: Vec<String>,
    /// Words that, with a `:` after them, are an item: `public`.
    pub labels: Vec<String>,
    /// Words outside brackets that make the file unsure: `endif`.
    pub unsure: Vec<String>,
    /// Signs that only comments and strings have: a file with one elsewhere has an error.
    pub unused: String,
    /// What a file must begin with, and what must not be in it: `<?php` and `?>`.
    pub prologue: String,
    /// See `prologue`.
    pub epilogue: String,
    /// Types of the nodes that contain members: a class, its body, and what may be around them.
    pub around: Vec<String>,
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

/// Which names refer to the same thing: what opens a scope, what binds a name in it, and which names are not variables.
///
/// A place is written `type.field`; `type` is a child without a field; `outer/type` a child of a type inside another,
/// `outer.field/type` in a field of it. `type(word)` must have a child of that type or token, `type(!word)` must not,
/// and `type(a|b)` must have one of them. After `: ` come the name spaces of a name at that place.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReferenceRule {
    /// Whether a rename may follow references: the rules are complete for the language, and were compared with an
    /// independent tool.
    pub supported: bool,
    /// Types of names.
    pub identifiers: Vec<String>,
    /// The name spaces of a name by its type, if its place has none. Without any, all names share one space.
    pub spaces: BTreeMap<String, Values>,
    /// Types of names that are looked up from scope to scope anywhere: `#private`.
    pub lexical: Vec<String>,
    /// Types that open a scope.
    pub scopes: Vec<String>,
    /// Such nodes that open no scope: a function's body, whose names belong to the function.
    pub merged: Vec<String>,
    /// Scopes whose names are invisible in the scopes inside: a class.
    pub unseen: Vec<String>,
    /// Scopes that the names of `bindings_beyond` leave: a comprehension, a block.
    pub expressions: Vec<String>,
    /// Places that belong to the scope outside: a default value.
    pub outside: Vec<String>,
    /// The same, only for the first child of its type: the iterable of a comprehension.
    pub first_outside: Vec<String>,
    /// Places of names that bind.
    pub bindings: Vec<String>,
    /// Those of them that bind in the enclosing function: `:=`, `var`.
    pub bindings_beyond: Vec<String>,
    /// Those that bind in their block, and in some modes outside it: a function in a block.
    pub leaking: Vec<String>,
    /// Those that bind only after the end of their parent, so that earlier uses mean something else: Go's `x := x`.
    pub delayed: Vec<String>,
    /// Those that bind in a separate scope around their own: the name of a function expression.
    pub own_names: Vec<String>,
    /// Places of names that bind in more than their scope, so that names like them are not renamed: Python's type
    /// parameters.
    pub wide: Vec<String>,
    /// Types of a function's parts that do not see the names of its body: its parameters.
    pub headers: Vec<String>,
    /// Names that bind nothing: `_`.
    pub blank: Vec<String>,
    /// Names with a meaning for the language: `main`.
    pub fixed: Vec<String>,
    /// Places of names that an import binds and another file defines.
    pub imports: Vec<String>,
    /// Places in patterns in which a name still binds: a tuple of names.
    pub patterns: Vec<String>,
    /// Dotted types, of which only the first name is a variable.
    pub heads: Vec<String>,
    /// Places of references whose name spaces are not those of their type.
    pub refers: Vec<String>,
    /// Places of names that are not variables.
    pub not_names: Vec<String>,
    /// Places where a name may be a variable or something else, and the tree does not show which.
    pub unclear: Vec<String>,
    /// Places of names that are declared to be the file's: `global`.
    pub globals: Vec<String>,
    /// Places of names that are declared to be of an enclosing scope: `nonlocal`.
    pub outers: Vec<String>,
    /// Places of parameters that an argument can name.
    pub parameters: Vec<String>,
    /// Types around parameters that no argument can name: `*args`.
    pub positional: Vec<String>,
    /// Types before which a parameter is positional only: Python's `/`.
    pub positional_before: Vec<String>,
    /// Places of an argument's name.
    pub arguments: Vec<String>,
    /// Types of arguments that pass any number of named ones: `**kw`.
    pub splats: Vec<String>,
    /// Places of the names of attributes.
    pub attributes: Vec<String>,
    /// Places of other names of members: the key of a pattern.
    pub keys: Vec<String>,
    /// Places where a lower-case name is not a variable: the tag of an element.
    pub elements: Vec<String>,
    /// Scopes whose names are members, which attributes also refer to.
    pub members: Vec<String>,
    /// Whether members of unrelated classes may be the same: an object with the members of an interface.
    pub structural: bool,
    /// Types that refer to the object itself: `this`.
    pub self_types: Vec<String>,
    /// Types inside which that is another object.
    pub self_scopes: Vec<String>,
    /// Types and tokens that make a member static: `static`.
    pub static_marks: Vec<String>,
    /// Name spaces that share names within a scope: a TypeScript interface and a constant with the same name are one
    /// symbol.
    pub shared_spaces: Vec<String>,
    /// The name space of an object's members.
    pub instance_space: String,
    /// The name space of a class's own members.
    pub static_space: String,
    /// Decorators of methods whose first parameter is not an instance of the class.
    pub static_decorators: Vec<String>,
    /// Methods that a call of the class calls.
    pub constructors: Vec<String>,
    /// Base classes without members of their own.
    pub plain_bases: Vec<String>,
    /// Names of objects whose attributes are the file's variables: `window`.
    pub global_objects: Vec<String>,
    /// Places of declarations that other files can use.
    pub exports: Vec<String>,
    /// Places of scopes whose names are also used from outside: the body of a namespace.
    pub open: Vec<String>,
    /// Types in which any name may be a member of an object: `with`.
    pub dynamic_scopes: Vec<String>,
    /// Functions that take names as text: `eval`.
    pub dynamic_calls: Vec<String>,
    /// Decorators of functions whose value other functions receive through a parameter with the function's name:
    /// `fixture`.
    pub named_by_decorators: Vec<String>,
    /// The prefix of names that are known outside their class with `_` and the class's name before them: `__`.
    pub class_private_prefix: Option<String>,
    /// Places where one name has two meanings, with the text when one of them is renamed: `$old: $new`.
    pub shorthand: BTreeMap<String, String>,
}

/// How names mean things across files: modules, types that are written, and values that are constructed. Paths are those
/// of `names`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SymbolRule {
    /// How the name of a module leads to a file; without one, names are not followed to other files.
    pub modules: Option<ModuleScheme>,
    /// Stems of the file that is the module of its folder: `__init__`, `index`.
    pub package_files: Vec<String>,
    /// Folders that modules are also looked up in: `src`.
    pub source_folders: Vec<String>,
    /// Whether a call of a class makes an instance of it.
    pub constructs: bool,
    /// From what binds names to the type that is written there.
    pub annotations: BTreeMap<String, Values>,
    /// From what binds names to the value that they get.
    pub values: BTreeMap<String, Values>,
    /// Expressions that have the value of one of their parts: parentheses, `a or b`.
    pub same: BTreeMap<String, Values>,
    /// Expressions with a written type, with the path to it.
    pub casts: BTreeMap<String, Values>,
    /// Expressions that make an instance, with the path to the class: `new A()`.
    pub creations: BTreeMap<String, Values>,
    /// From what has a member's name to the object before it.
    pub objects: BTreeMap<String, Values>,
    /// From what binds a name to an object on which one of the methods `enters` is called: `with`.
    pub entered: BTreeMap<String, Values>,
    /// Names of these methods.
    pub enters: Vec<String>,
    /// From what binds a name to the class of an instance: `except A as e`.
    pub caught: BTreeMap<String, Values>,
    /// From a written type to a type that stands for it: the head of a generic type, the alternatives of a union.
    pub type_heads: BTreeMap<String, Values>,
    /// From a generic type to its arguments.
    pub type_arguments: BTreeMap<String, Values>,
    /// Types of strings that contain a written type.
    pub quoted_types: Vec<String>,
    /// Types of expressions whose values have no members in the project, nor what their methods return: numbers, strings.
    pub literals: Vec<String>,
    /// Types of expressions whose values have no members in the project, but may contain objects that have: lists.
    pub containers: Vec<String>,
    /// Types that say nothing: `Any`.
    pub any_types: Vec<String>,
    /// Functions of the language that return numbers, strings and the like: `len`.
    pub plain_calls: Vec<String>,
    /// Generic types that have the members of their first argument: `Optional`.
    pub wrapper_types: Vec<String>,
    /// Generic types whose values are classes: `type[A]`.
    pub class_types: Vec<String>,
    /// Types that name the class around them: `Self`.
    pub own_types: Vec<String>,
    /// Types without members: `None`.
    pub no_types: Vec<String>,
    /// Functions whose call is the object as one of the base class: `super()`.
    pub super_calls: Vec<String>,
    /// Types of expressions that are that: `super`.
    pub super_types: Vec<String>,
    /// Functions that return the class of their argument: `type(x)`.
    pub class_calls: Vec<String>,
    /// Attributes that are the class of their object: `__class__`.
    pub class_attributes: Vec<String>,
    /// Decorators of methods that are read like a variable.
    pub properties: Vec<String>,
    /// Decorators of methods whose first parameter is the class.
    pub class_methods: Vec<String>,
    /// Decorators that leave a function's type as it is.
    pub plain_decorators: Vec<String>,
    /// Methods that give a class any member: `__getattr__`.
    pub open_members: Vec<String>,
    /// From a statement that returns to the value.
    pub results: BTreeMap<String, Values>,
    /// Types that make a function's result another one than what it returns: `yield`.
    pub generators: Vec<String>,
    /// The words of `parts` that mean the module as a whole: `*`.
    pub whole_modules: Vec<String>,
    /// How statements that export are read, as those that import.
    pub exports: ImportRule,
    /// Node patterns of statements that export one thing without a name, with the path to it.
    pub default_exports: BTreeMap<String, Values>,
    /// The name under which another module imports that.
    pub default_name: Option<String>,
    /// The variable that lists the names of a module that `*` imports.
    pub public_list: Option<String>,
    /// The prefix of names that `*` does not import.
    pub private_prefix: Option<String>,
    /// Names that the language defines.
    pub builtins: Vec<String>,
}

/// How the name of a module leads to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleScheme {
    /// `a.b.c`: folders and files under a root.
    Dotted,
    /// `./a/b`: a path from the importing file, or a package.
    Relative,
}

/// Which types are imports, how they are read, and where they go.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRule {
    /// All of them.
    #[serde(default)]
    pub types: Vec<String>,
    /// The functions that an import calls, where imports are calls: Ruby's `require`.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Node patterns of what must be at the start of the file or of its block: a package clause,
    /// `expression_statement(string)`.
    #[serde(default)]
    pub first: Vec<String>,
    /// Types before which there is no code: `<?php`.
    #[serde(default)]
    pub opens: Vec<String>,
    /// The start of comments about the whole file, which stay above its imports.
    #[serde(default)]
    pub file_comments: Vec<String>,
    /// Types into which imports go if they contain the whole file, such as a namespace, with the type of the definition
    /// of the same name that must come first in them: the include guard's `#define`.
    #[serde(default)]
    pub containers: BTreeMap<String, String>,
    /// How to read the nodes of an import, by type or `parent/type`. Other nodes are names.
    #[serde(default)]
    pub parts: BTreeMap<String, ImportPart>,
    /// What joins a source and a name to a path; empty if `a` from `b` and `b.a` are different.
    #[serde(default)]
    pub separator: String,
    /// The name of a source inside its own group: `self`.
    #[serde(default)]
    pub itself: String,
    /// Tokens and types that import everything in a module: `*`.
    #[serde(default)]
    pub globs: Vec<String>,
    /// Tokens and types that make an import a different one: `static`.
    #[serde(default)]
    pub varieties: Vec<String>,
    /// Those that import less: a name imported without them is also imported with them.
    #[serde(default)]
    pub weak: Vec<String>,
    /// Those that import more: a name imported with them is also imported without them.
    #[serde(default)]
    pub strong: Vec<String>,
    /// Those whose names do not clash with other names.
    #[serde(default)]
    pub own_names: Vec<String>,
    /// A regex for the name that a path binds without an alias: its first group, or the whole match. Empty if it binds
    /// none.
    #[serde(default)]
    pub binds: String,
    /// Types at the top of the file, besides definitions, that bind names like an import: variables.
    #[serde(default)]
    pub declares: Vec<String>,
    /// Types of definitions whose names do not clash with imported ones.
    #[serde(default)]
    pub free: Vec<String>,
}

/// How a node of an import is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportPart {
    /// Paths to the module of its names, as in `names`.
    #[serde(default)]
    pub source: Option<Values>,
    /// Paths to the parts inside.
    #[serde(default)]
    pub each: Option<Values>,
    /// Path to the imported name.
    #[serde(default)]
    pub name: Option<String>,
    /// Path to the alias.
    #[serde(default)]
    pub alias: Option<String>,
    /// Whether a comma begins another import: `import a.B, c.D`.
    #[serde(default)]
    pub split: bool,
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
