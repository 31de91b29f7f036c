//! The shape of `selectors/<language>/language.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// All that a language's `language.toml` says. Node types, fields and kinds are named as the grammar and
/// `selectors/kinds.toml` name them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// The language's name, in lower case.
    pub name: String,
    /// Other names it goes by.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// File extensions, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Whole file names.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Interpreters that a first line `#!` may name; a version after the name doesn't matter.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// Another language's extension to a regex: a file with a line that it matches is in this one.
    #[serde(default)]
    pub claims: BTreeMap<String, String>,
    /// The language whose data this one's is laid over: tables are joined, whatever else is said here replaces what is said there.
    #[serde(default)]
    pub extends: String,
    /// Types that hold many and aren't seen by `>`.
    #[serde(default)]
    pub bodies: Vec<String>,
    /// Types that hold one and aren't seen by `>`.
    #[serde(default)]
    pub wrappers: Vec<String>,
    /// Wrappers whose held node is told: type to the path to it, as in `names`; `$` where it is the last. What else they hold
    /// belongs to that node.
    #[serde(default)]
    pub held: BTreeMap<String, String>,
    /// Definitions whose inside is the value they are given: type to the path to the value, as in `names`. Where that is one of
    /// `values`, the definition is a scope, and the value is none: `const f = () => {}`.
    #[serde(default)]
    pub holders: BTreeMap<String, String>,
    /// Types of the values that make a holder a scope: functions and classes without a name.
    #[serde(default)]
    pub values: Vec<String>,
    /// Types that stand before a definition as its siblings, and belong to it: attributes. `outer/type` counts in a parent of that
    /// type alone.
    #[serde(default)]
    pub leading: Vec<String>,
    /// What the grammar can't read, and is given as white space: macros.
    #[serde(default)]
    pub unread: Vec<UnreadRule>,
    /// Comment types, and others that may be anywhere and don't count as children.
    #[serde(default)]
    pub comments: Vec<String>,
    /// What begins a comment that ends with its line.
    #[serde(default)]
    pub line_comment: String,
    /// Types whose inner lines are never re-indented.
    #[serde(default)]
    pub strings: Vec<String>,
    /// Kinds whose nodes are scopes: they add to a qualname and end `:has-own`. Of a kind's rules, those that are plain types count.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// Further types that are scopes; one without a name adds nothing to a qualname.
    #[serde(default)]
    pub scope_types: Vec<String>,
    /// Kind to its rules: node types, or selectors.
    #[serde(default)]
    pub kinds: BTreeMap<String, Values>,
    /// Node type to the paths of its name. A path goes through fields; `*` is the first named child, `**` all of them, a type name all
    /// children of that type (`/type` where a field has that name too), `field:type` those of a type in a field, `$` the last named
    /// child, `type^` and `type$` the first and last of a type, `field!` the first in a field, be it a token, `+type` and `-type` siblings of a type after and before, `.` the
    /// node's own text, `'word'` the word itself, `path.'word'` the word where the path leads somewhere, `'word' + path` the word and the text of the node there, `a | b` the first that does. The node reached gives its own name by its own
    /// rule here.
    #[serde(default)]
    pub names: BTreeMap<String, Values>,
    /// Node type to the paths of further names it is known by, which match but aren't printed.
    #[serde(default)]
    pub other_names: BTreeMap<String, Values>,
    /// Node type to the paths of what precedes its name in a qualname: a Go method's receiver. A node reached that has a rule here
    /// gives what its own paths lead to, so that `a::b::c` is followed to any depth.
    #[serde(default)]
    pub receivers: BTreeMap<String, Values>,
    /// Call type to the paths of what is called; of several, it is all from the first to the last: `object.method`.
    #[serde(default)]
    pub callees: BTreeMap<String, Values>,
    /// Import type to the paths of what is imported from.
    #[serde(default)]
    pub modules: BTreeMap<String, Values>,
    /// Node type to the rule that counts its parameters.
    #[serde(default)]
    pub params: BTreeMap<String, CountRule>,
    /// Node type to the rule that counts its arguments.
    #[serde(default)]
    pub args: BTreeMap<String, CountRule>,
    /// Class type to the paths of its bases.
    #[serde(default)]
    pub bases: BTreeMap<String, Values>,
    /// Node type to the paths of what it returns.
    #[serde(default)]
    pub returns: BTreeMap<String, Values>,
    /// Tokens and types that are modifiers where they stand directly in a definition, or in one of its `modifier_holders`.
    #[serde(default)]
    pub modifiers: Vec<String>,
    /// Types that hold a definition's modifiers and decorators.
    #[serde(default)]
    pub modifier_holders: Vec<String>,
    /// Visibilities in order; the first whose selector matches a definition is its own.
    #[serde(default)]
    pub visibility: Vec<VisibilityRule>,
    /// Whether a name made of letters, digits and underscores ends where another such character doesn't follow, and begins where
    /// none stands before it, but for numbers. For the search, too.
    #[serde(default)]
    pub names_are_words: bool,
    /// Node type to the word without which there is no such node: `def`. For the search, which doesn't parse what lacks it.
    #[serde(default)]
    pub introducers: BTreeMap<String, String>,
    /// Those of them whose name stands right after the word.
    #[serde(default)]
    pub introduced_names: Vec<String>,
    /// What may be between that word and the name, as a regex.
    #[serde(default)]
    pub introducer_gap: String,
    /// How a file is cut at its top-level statements, for the search.
    #[serde(default)]
    pub slices: Option<SliceRule>,
    /// How documentation is attached.
    #[serde(default)]
    pub docs: DocRule,
    /// Decorator types: they belong to the definition they stand at.
    #[serde(default)]
    pub decorators: Vec<String>,
    /// List type to how its elements are separated.
    #[serde(default)]
    pub lists: BTreeMap<String, ListRule>,
    /// Which types are imports, and which of them come first.
    #[serde(default)]
    pub imports: ImportRule,
    /// Which names mean the same thing.
    #[serde(default)]
    pub references: ReferenceRule,
    /// What is in a body that has nothing else: `pass`.
    #[serde(default)]
    pub empty_body: String,
    /// Type to the children of which it needs at least one, where the grammar takes it without: a `try` its clauses.
    #[serde(default)]
    pub needs: BTreeMap<String, Values>,
    /// Types that join two nodes or more of the same kind, and give way to the only one left: strings side by side.
    #[serde(default)]
    pub joins: Vec<String>,
    /// Types that are a definition's body where it is in no field, lists too; one that holds another is gone through.
    #[serde(default)]
    pub body_types: Vec<String>,
    /// For definitions without a node for their body: type to the types and tokens after the last of which it begins.
    #[serde(default)]
    pub body_after: BTreeMap<String, Vec<String>>,
    /// Types whose nodes end where the indentation does, though the grammar ends them at the next token: white space at their end, and
    /// comments indented less than their first line, aren't their own.
    #[serde(default)]
    pub ends_by_indentation: Vec<String>,
    /// Types of names in parts, to the type or token that follows each part: Objective-C's `initWithName:count:`. The name is the
    /// parts, each with a colon; without any such follower, the first.
    #[serde(default)]
    pub joined_names: BTreeMap<String, String>,
    /// Types of values that give the name of their definition to the qualnames inside, without being scopes: an object.
    #[serde(default)]
    pub named_values: Vec<String>,
    /// Scopes whose name is in no qualname.
    #[serde(default)]
    pub nameless: Vec<String>,
    /// Types whose statements stand beside other children, to the tokens or types behind which they do: a `case` and its `:`.
    #[serde(default)]
    pub sections: BTreeMap<String, Values>,
    /// Bodies that hold another one and nothing else, or an expression.
    #[serde(default)]
    pub outer_bodies: Vec<String>,
    /// What is for a statement where there must be one and its block is left out: `{}`.
    #[serde(default)]
    pub empty_statement: String,
    /// Where it may be: `type.field`, or a type whose child it is in no field. A place for a type or an expression is none.
    #[serde(default)]
    pub empty_statement_in: Vec<String>,
    /// Types that begin at the column of the statement that they are a part of, where they begin a line: `else_clause`. `outer/type`
    /// counts in a parent of that type alone.
    #[serde(default)]
    pub aligned: Vec<String>,
    /// Types that the grammar takes in more places than the language: type to those that may be its parent; `outer/type` is a
    /// parent in an `outer`.
    #[serde(default)]
    pub only_in: BTreeMap<String, Values>,
    /// Types whose children the grammar takes from more types than the language: type to those of its named children.
    #[serde(default)]
    pub holds_only: BTreeMap<String, Values>,
    /// What may follow what in a list, where the grammar takes any order.
    #[serde(default)]
    pub order: Vec<OrderRule>,
    /// Body types to what ends each unit of them but a last one: the `,` of a match's arms.
    #[serde(default)]
    pub terminators: BTreeMap<String, String>,
    /// Fields of a body's children that are none of its statements: the condition of an `#if`.
    #[serde(default)]
    pub header_fields: Vec<String>,
    /// Types that follow the statements of a body or a section and are none of them: `rescue`, `elif`.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// Tokens that close a body which is no node when it is empty: `end`.
    #[serde(default)]
    pub body_ends: Vec<String>,
    /// Types that stand out of the indentation of the body that they are in: `public:`, `#if`.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Around what code is parsed when it is no file by itself, tried in order; `$0` is the code: `class A { $0 }`.
    #[serde(default)]
    pub contexts: Vec<String>,
    /// Around what a code pattern is parsed, all tried in order; without any, the file itself and `contexts`.
    #[serde(default)]
    pub pattern_contexts: Vec<PatternContext>,
    /// What a code pattern's `$X` is spelled as for the grammar, with its number for `{}`: a word that the grammar reads as one node.
    /// Further spellings are tried where no context takes the first: `int cst{};` for the members of a class.
    #[serde(default = "metavariable")]
    pub metavariable: Vec<String>,
    /// Words that are never names, though the grammar may take them for such in a piece of code: `return`.
    #[serde(default)]
    pub reserved: Vec<String>,
    /// Words that the language lets no definition be named, where its grammar does.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Types of names that may be such words all the same, `type` or `parent/type`: a method in JavaScript.
    #[serde(default)]
    pub keyword_names: Vec<String>,
    /// How an expression is put in parentheses, `$0` being the expression; empty where that can't be done.
    #[serde(default = "parens")]
    pub parens: String,
    /// How tightly expressions bind, and what may not be where, in the language itself.
    #[serde(default)]
    pub precedence: PrecedenceRule,
    /// Quotes of strings that end with their line.
    #[serde(default)]
    pub one_line_quotes: Vec<String>,
    /// Further types of strings whose quotes say nothing: `'a'` is `"a"`. Nodes of one such type may be for those of another.
    #[serde(default)]
    pub quotes_alike: Vec<String>,
    /// Field that holds a node's body.
    #[serde(default = "body_field")]
    pub body_field: String,
    /// The usual indentation.
    #[serde(default)]
    pub indent: Indent,
    /// Blank lines around definitions.
    #[serde(default)]
    pub blank_lines: BlankLines,
    /// Whether indentation says where a block ends.
    #[serde(default)]
    pub indentation_is_syntax: bool,
    /// Whether most texts parse in it, as in Markdown: that a pattern does says little.
    #[serde(default)]
    pub prose: bool,
    /// Statement separator on one line: `;`.
    #[serde(default)]
    pub statement_separator: String,
    /// Another project's names: name to node types, or selectors.
    #[serde(default)]
    pub compatibility: BTreeMap<String, Values>,
    /// What the grammar's scanner can bear.
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
    /// The field that holds a body where the data doesn't say.
    pub(super) fn default_body_field() -> &'static str {
        "body"
    }
}

/// How tightly expressions bind: see `precedence.rs` for what forms and places are. It is the language's own precedence, so that what
/// the grammar accepts or groups otherwise is seen. Types without a level bind tightest.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrecedenceRule {
    /// Forms of one level each, the loosest first.
    pub levels: Vec<Vec<String>>,
    /// Forms that group from the right. What begins with a token or a parameter list and ends with an operand does so anyway.
    pub right: Vec<String>,
    /// Forms that don't group with those of their level.
    pub neither: Vec<String>,
    /// Places whose children must bind as tightly as a form does, where the levels don't say it.
    pub operands: BTreeMap<String, String>,
    /// Forms that may be a last operand whatever their level: `a || return`.
    pub trailing: Vec<String>,
    /// Places in which nothing but some forms may be, in parentheses or not: what is assigned to.
    pub targets: BTreeMap<String, Values>,
    /// What may not be in a place without parentheses.
    pub bans: Vec<BanRule>,
    /// What may be only in some functions: `await`.
    pub within: Vec<WithinRule>,
    /// Signs that are one token where two of them would touch: `--`.
    pub glued: Vec<String>,
    /// Types of lists without brackets to the type that they have in parentheses: `a, b` is a tuple.
    pub bare_lists: BTreeMap<String, String>,
}

/// What may not be in a place without parentheses: a struct's literal in a condition.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanRule {
    /// The places.
    pub at: Values,
    /// Where in them.
    pub side: Side,
    /// The forms.
    pub of: Values,
    /// Forms of the parents under which alone they count.
    #[serde(default)]
    pub under: Option<Values>,
    /// Whether one that stood in such a place before may stay: there it is what the language takes it for.
    #[serde(default)]
    pub unless_before: bool,
}

/// What may be only in some functions, in parentheses or not: `await` in those that are `async`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithinRule {
    /// The forms.
    pub of: Values,
    /// Forms of which the innermost around it decides; where there is none it may be.
    pub around: Values,
    /// Those among them in which it may be.
    pub only: Values,
}

/// Where in a place something may not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// As what begins it, however deep.
    First,
    /// As what ends it, however deep.
    Last,
    /// Anywhere but in brackets.
    Bare,
    /// As the whole of it.
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

/// Counts the named children of the nodes that a path leads to. Where one of these has a rule of its own, that one counts:
/// a C function's declarator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountRule {
    /// Paths to the nodes that hold what is counted, as in `names`.
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
    /// Types of the holding node that count as one, whatever they hold.
    #[serde(default)]
    pub single: Vec<String>,
    /// Field of which a child counts as often as it has it: the names of Go's `a, b int`.
    #[serde(default)]
    pub each: String,
}

/// Where a code pattern can stand.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternContext {
    /// What is there, for people: `statement`, `member`, `parameter`.
    pub name: String,
    /// The code around; `$0` is the pattern.
    pub around: String,
    /// Types of patterns that count here only where no other context makes sense of the pattern, or the selector's step names
    /// their type: the default `x = 1` of a parameter, which is an assignment too. `type.field` is one that has such a field.
    #[serde(default)]
    pub quiet: Vec<String>,
}

/// A visibility and the selector of the definitions that have it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisibilityRule {
    /// The word: `public`, `private`.
    pub is: String,
    /// The selector.
    pub when: String,
}

/// Where a definition's documentation is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocRule {
    /// Type of the statement that, first in a body, holds nothing but a documentation string.
    #[serde(default)]
    pub statement: String,
    /// Type of the string in it.
    #[serde(default)]
    pub string: String,
    /// Type of several strings side by side, which are one.
    #[serde(default)]
    pub joined: String,
    /// Letters that may not be before the string's quote: `b"…"` documents nothing.
    #[serde(default)]
    pub not_with: String,
    /// Type of the string's content, quotes left out.
    #[serde(default)]
    pub content: String,
    /// Whether the comments attached above a definition are its documentation.
    #[serde(default)]
    pub comments_above: bool,
    /// What a comment must begin with to be documentation: `///`, `/**`. Empty for any comment.
    #[serde(default)]
    pub begins: Vec<String>,
    /// Whether such a comment documents the next definition across blank lines and other comments, as the compiler has it.
    #[serde(default)]
    pub apart: bool,
    /// What is left out at a documentation line's start, the first that fits: `///`, `/**`, `*`. And at its end.
    #[serde(default)]
    pub markers: Vec<String>,
}

/// What the grammar can't read. Places stay as they are, since as much white space is read instead.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnreadRule {
    /// A regex. What it finds is read as spaces; line ends stay, and so does what its first group holds.
    pub find: String,
    /// What is read at its start instead.
    #[serde(default, rename = "as")]
    pub instead: String,
    /// The letter that is read instead of each byte, where it isn't a space: for a word with signs that the grammar lacks.
    #[serde(default)]
    pub fill: String,
}

/// How the statements at the top of a file are told without parsing: each begins on a line of its own, at its first column,
/// outside of brackets and strings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SliceRule {
    /// What begins a comment that ends with its line.
    pub comment: String,
    /// Quotes of strings over several lines, then those of strings on one; a backslash takes the next character along.
    pub long_quotes: Vec<String>,
    /// One byte each.
    pub quotes: Vec<String>,
    /// Letters before a quote that let code stand in the string, in curly brackets; doubled they stand for themselves.
    #[serde(default)]
    pub interpolated: String,
    /// Pairs of brackets.
    pub brackets: Vec<String>,
    /// First words of a line that go on with the statement before: `else`.
    pub continues: Vec<String>,
    /// What begins a line that belongs to the statement after it: `@`.
    pub attaches: Vec<String>,
    /// What a line of a file without syntax errors looks like. A file with another line is parsed whole.
    pub lines: LineRule,
}

/// What lines look like in a language where a line that ends with `:` opens a block of deeper lines. The words of `keywords` are
/// known as such; other words, numbers and strings are operands, of which two are never neighbours.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRule {
    /// First words of the lines that open a block: such a line has a `:`.
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
    /// First word of a line to a word that the line must have, too: `from` and `import`.
    pub pairs: BTreeMap<String, String>,
}

/// Which names mean the same thing: what opens a scope, what binds a name in it, what is a name but no variable.
///
/// A place is written `type.field`; `type` is a child without a field; `outer/type` a child of a type that is in another,
/// `outer.field/type` in a field of it. `type(word)` must have a child of that type or token, `type(!word)` must have none, `type(a|b)` one of them. Behind `: ` are the name spaces of a name
/// at the place.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReferenceRule {
    /// Whether a rename may follow references: these rules are complete for the language, and compared with an independent tool.
    pub supported: bool,
    /// Types of names.
    pub identifiers: Vec<String>,
    /// The name spaces of a name by its type, where its place has none. Without any, all names share one space.
    pub spaces: BTreeMap<String, Values>,
    /// Types of names that are looked up from scope to scope wherever they are: `#private`.
    pub lexical: Vec<String>,
    /// Types that open a scope.
    pub scopes: Vec<String>,
    /// Places of such nodes that open none: a function's body, whose names are the function's.
    pub merged: Vec<String>,
    /// Scopes whose names aren't seen in the scopes inside: a class.
    pub unseen: Vec<String>,
    /// Scopes through which the names of `bindings_beyond` go: a comprehension, a block.
    pub expressions: Vec<String>,
    /// Places that belong to the scope around the one that they are in: a default value.
    pub outside: Vec<String>,
    /// The same, for the first of its type alone: what a comprehension goes over.
    pub first_outside: Vec<String>,
    /// Places of names that bind.
    pub bindings: Vec<String>,
    /// Those of them that bind beyond expressions: `:=`, `var`.
    pub bindings_beyond: Vec<String>,
    /// Those that bind in their block, and in some modes beyond it: a function in a block.
    pub leaking: Vec<String>,
    /// Those that bind from the end of their parent on, so that what is before means another thing: Go's `x := x`.
    pub delayed: Vec<String>,
    /// Those that bind in a scope of their own around the one they are in: the name of a function expression.
    pub own_names: Vec<String>,
    /// Places of names that bind in more than their scope, so that no name like them is renamed: Python's type parameters.
    pub wide: Vec<String>,
    /// Types of a function's parts that don't see what its body binds: its parameters.
    pub headers: Vec<String>,
    /// Names that bind nothing: `_`.
    pub blank: Vec<String>,
    /// Names that the language itself knows a definition by: `main`.
    pub fixed: Vec<String>,
    /// Places of names that an import binds, and another file gives.
    pub imports: Vec<String>,
    /// Places in patterns through which a name still binds: a tuple of names.
    pub patterns: Vec<String>,
    /// Dotted types, of which only the first name is a variable.
    pub heads: Vec<String>,
    /// Places of names that refer, where the name spaces aren't those of their type.
    pub refers: Vec<String>,
    /// Places of names that are no variables.
    pub not_names: Vec<String>,
    /// Places where a name may be a variable or something else; the tree doesn't show which.
    pub unclear: Vec<String>,
    /// Places of names that are said to be the file's.
    pub globals: Vec<String>,
    /// Places of names that are said to be of a scope around.
    pub outers: Vec<String>,
    /// Places of parameters that an argument may name.
    pub parameters: Vec<String>,
    /// Types around a parameter that no argument names: `*args`.
    pub positional: Vec<String>,
    /// Types before which a parameter is positional only: Python's `/`.
    pub positional_before: Vec<String>,
    /// Places of an argument's name.
    pub arguments: Vec<String>,
    /// Types of arguments that give any number of named ones: `**kw`.
    pub splats: Vec<String>,
    /// Places of an attribute's name.
    pub attributes: Vec<String>,
    /// Places of other names of members: the key of a pattern.
    pub keys: Vec<String>,
    /// Places where a name in lower case is no variable: the tag of an element.
    pub elements: Vec<String>,
    /// Scopes whose names are members, found as attributes too.
    pub members: Vec<String>,
    /// Whether members of unrelated classes may be the same: an object that has the members of an interface.
    pub structural: bool,
    /// Types of what means the object itself: `this`.
    pub self_types: Vec<String>,
    /// Types in which that means another object than around them.
    pub self_scopes: Vec<String>,
    /// Types and tokens that make a member the class's own: `static`.
    pub static_marks: Vec<String>,
    /// Name spaces that share their names within a scope: a TypeScript interface and a constant of one name are one symbol.
    pub shared_spaces: Vec<String>,
    /// The name space of an object's members.
    pub instance_space: String,
    /// The name space of a class's own members.
    pub static_space: String,
    /// Decorators of methods whose first parameter is no object of the class.
    pub static_decorators: Vec<String>,
    /// Methods that a call of the class calls.
    pub constructors: Vec<String>,
    /// Bases that have no members of their own.
    pub plain_bases: Vec<String>,
    /// Names of objects whose attributes are the file's variables: `window`.
    pub global_objects: Vec<String>,
    /// Places of declarations that other files can use.
    pub exports: Vec<String>,
    /// Places of scopes whose names are used from outside as well: the body of a namespace.
    pub open: Vec<String>,
    /// Types in which any name may be a member of an object: `with`.
    pub dynamic_scopes: Vec<String>,
    /// Functions that take names as text: `eval`.
    pub dynamic_calls: Vec<String>,
    /// Decorators of functions whose value other functions get by a parameter of the function's name: `fixture`.
    pub named_by_decorators: Vec<String>,
    /// What names begin with that are known outside of their class with `_` and the class's name before them: `__`.
    pub class_private_prefix: Option<String>,
    /// Places where a name says two things, to what it becomes when one of them is renamed: `$old: $new`.
    pub shorthand: BTreeMap<String, String>,
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
    /// Node patterns of what must be at the start of the file, or of its block: a package clause, `expression_statement(string)`.
    #[serde(default)]
    pub first: Vec<String>,
    /// Types before which there is no code: `<?php`.
    #[serde(default)]
    pub opens: Vec<String>,
    /// What a comment begins with that is about the whole file, and stays above its imports.
    #[serde(default)]
    pub file_comments: Vec<String>,
    /// Types that imports go into where they hold all of the file: a namespace; and the type of the definition of the same name that
    /// must be first in them: the include guard's `#define`.
    #[serde(default)]
    pub containers: BTreeMap<String, String>,
    /// Node type in an import, or `parent/type`, to how it is read. Other nodes are names.
    #[serde(default)]
    pub parts: BTreeMap<String, ImportPart>,
    /// What joins a source and a name to a path; empty where `a` from `b` and `b.a` are not the same.
    #[serde(default)]
    pub separator: String,
    /// The name of a source in its own group: `self`.
    #[serde(default)]
    pub itself: String,
    /// Tokens and types that import all that a module has: `*`.
    #[serde(default)]
    pub globs: Vec<String>,
    /// Tokens and types in an import that make it another one: `static`.
    #[serde(default)]
    pub varieties: Vec<String>,
    /// Those that ask for less: what is imported without them is imported with them.
    #[serde(default)]
    pub weak: Vec<String>,
    /// Those that ask for more: what is imported with them is imported without them.
    #[serde(default)]
    pub strong: Vec<String>,
    /// Those whose names do not clash with other names.
    #[serde(default)]
    pub own_names: Vec<String>,
    /// A regex that finds the name which a path binds without an alias: its first group, or all of it. Empty where no name is bound.
    #[serde(default)]
    pub binds: String,
    /// Types at the top of the file that bind names like an import, besides definitions: variables.
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
    /// Paths to what its names are imported from, as in `names`.
    #[serde(default)]
    pub source: Option<Values>,
    /// Paths to the parts inside.
    #[serde(default)]
    pub each: Option<Values>,
    /// Path to the imported name.
    #[serde(default)]
    pub name: Option<String>,
    /// Path to the name that it is bound to.
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
    /// What is between two elements.
    pub separator: String,
    /// Whether it may be after the last one.
    #[serde(default)]
    pub trailing: bool,
    /// Whether it must be after an only element.
    #[serde(default)]
    pub single: bool,
    /// Whether what holds them goes with the last of them: an import with its last name.
    #[serde(default)]
    pub whole: bool,
    /// Whether an only element stands without the brackets.
    #[serde(default)]
    pub bare: bool,
    /// Types in which an only element stands without the list.
    #[serde(default)]
    pub plain_in: Vec<String>,
    /// Types of an only element that has the list's place: the generator of `any(x for x in y)`.
    #[serde(default)]
    pub alone: Vec<String>,
    /// Types of the elements, where others stand before or behind them in the list's node: an enum's methods.
    #[serde(default)]
    pub only: Vec<String>,
    /// Whether a list that is filled puts each element on a line of its own: the fields of a struct.
    #[serde(default)]
    pub lines: bool,
    /// Whether a space stands between the elements and the brackets on one line: `{ a, b }`.
    #[serde(default)]
    pub padded: bool,
    /// Field that the elements fill, where the list's node has other children too.
    #[serde(default)]
    pub field: Option<String>,
}

/// What may follow in a list: behind one of `after` only those of `then`, up to one of `until`. Each is a node
/// pattern: `parameter(rest_pattern)` for one with such a child.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderRule {
    /// Types of the lists.
    #[serde(rename = "in")]
    pub lists: Vec<String>,
    /// Elements behind which the rule holds.
    pub after: Vec<String>,
    /// Elements that may follow; empty for none.
    #[serde(default)]
    pub then: Vec<String>,
    /// Elements behind which the rule doesn't hold any more.
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

/// Blank lines around definitions, where the neighbours don't show a habit.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlankLines {
    /// At the file's top level.
    #[serde(default)]
    pub top: usize,
    /// Inside of another definition.
    #[serde(default)]
    pub nested: usize,
}

/// What a grammar's scanner can bear.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Levels of indentation from which the scanner breaks; 0 is no limit.
    #[serde(default)]
    pub indentation: usize,
    /// The same where any number of strings may be open at once, since they take room beside the levels.
    #[serde(default)]
    pub indentation_with_strings: usize,
    /// Blocks in each other, by their columns, from which the scanner breaks; 0 for none.
    #[serde(default)]
    pub blocks: usize,
    /// A regex for words too long for the scanner, as the word that ends a heredoc; empty where none is.
    #[serde(default)]
    pub too_long: String,
    /// Whether the scanner looks for a line's end without checking for the end of the text: the text is parsed with one more.
    #[serde(default)]
    pub needs_line_end: bool,
}

/// Whether a rule in the data is a plain node type, no selector.
#[doc(hidden)]
pub fn is_word(rule: &str) -> bool {
    rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
