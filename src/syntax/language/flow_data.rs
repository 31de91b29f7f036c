//! The data about the flow of control and values, as `language.toml` has it: what a refactor needs that moves statements and
//! expressions.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::values::Values;

/// How statements and expressions are evaluated. Places are those of `ReferenceRule`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowRule {
    /// Types whose inside runs later: functions, lambdas, generators.
    pub functions: Vec<String>,
    /// Those of them that exist before the statement that defines them runs.
    pub hoisted: Vec<String>,
    /// Loops.
    pub loops: Vec<String>,
    /// Places of what may not be evaluated when its parent is: a branch, a loop's body, the right side of `and`.
    pub maybe: Vec<String>,
    /// Places of what is evaluated again and again: the condition of a loop.
    pub repeated: Vec<String>,
    /// Nodes of which exactly one part at a place of `maybe` is evaluated: an `if` with an `else`.
    pub complete: Vec<String>,
    /// Places in which an exception may be caught: the body of a `try`.
    pub guarded: Vec<String>,
    /// Types of the parts that catch it.
    pub handlers: Vec<String>,
    /// Places that something leaves at their end, which may also catch an exception: the body of a `with`.
    pub entered: Vec<String>,
    /// Types of statements after which the next one is not reached.
    pub exits: Vec<String>,
    /// Those of them that return from the function.
    pub returns: Vec<String>,
    /// Those that leave a loop or go on with it, with the types of what they may leave.
    pub breaks: BTreeMap<String, Values>,
    /// Types that suspend the function as a generator.
    pub yields: Vec<String>,
    /// Nodes that suspend it as an asynchronous function: `await`, `for_statement(async)`.
    pub awaits: Vec<String>,
    /// Types whose evaluation may change something: calls, assignments.
    pub effects: Vec<String>,
    /// Types whose value something else may change: attributes, elements.
    pub states: Vec<String>,
    /// Types that make a new object each time.
    pub makes: Vec<String>,
    /// Places where a variable is written that is bound elsewhere.
    pub writes: Vec<String>,
    /// Places where a variable is read and written.
    pub updates: Vec<String>,
    /// Places after which a variable is not bound any more.
    pub unbinds: Vec<String>,
    /// How many operands of a type are evaluated in any case, where `maybe` cannot say it: `a < b < c`.
    pub chains: BTreeMap<String, usize>,
    /// Tokens or types after which the rest of an expression may not be evaluated: the `?.` of `a?.b(c)`.
    pub optional: Vec<String>,
    /// Types of the kinds of expressions that have no value of their own: `*a`.
    pub not_expressions: Vec<String>,
    /// Places of expressions that are not values: the left side of an assignment, a written type.
    pub not_values: Vec<String>,
    /// Statements that hold one expression: `expression_statement`.
    pub plain: Vec<String>,
    /// Statements that give one variable a value, with the paths to the name and to the value.
    pub declares: BTreeMap<String, DeclareRule>,
    /// Types that pass on any number of arguments, or take them.
    pub spreads: Vec<String>,
    /// Names whose meaning depends on the function that has them: `locals`, `arguments`.
    pub frame_words: Vec<String>,
    /// Names of methods whose first parameter is not an object of the class.
    pub class_functions: Vec<String>,
    /// Types that mean something only in their function: `new.target`.
    pub own: Vec<String>,
    /// The paths to the type of a name that is bound in a type of node.
    pub written_types: BTreeMap<String, Values>,
    /// Types of names of types.
    pub type_names: Vec<String>,
    /// What the written type becomes where a name may have no value: `$type | undefined`.
    pub optional_types: BTreeMap<String, String>,
    /// Signs of types that a condition narrows.
    pub narrowed_marks: Vec<String>,
    /// The types of literals.
    pub literal_types: BTreeMap<String, String>,
    /// How new code is written.
    pub code: CodeRule,
    /// What a condition decides whose value is known.
    pub decided: DecidedRule,
}

/// What a condition decides whose value is known. Operators are tokens.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DecidedRule {
    /// The literal of what is true; without it, nothing is decided in the language.
    pub literal_true: String,
    /// The literal of what is false.
    pub literal_false: String,
    /// Operators whose right side is evaluated if the left one is true: `&&`.
    pub and: Vec<String>,
    /// Operators whose right side is evaluated if the left one is false: `||`.
    pub or: Vec<String>,
    /// Prefixes that negate: `!`.
    pub not: Vec<String>,
    /// Operators that compare: `===`.
    pub equal: Vec<String>,
    /// Operators that compare and negate: `!==`.
    pub unequal: Vec<String>,
    /// Types that only hold another expression: `parenthesized_expression`.
    pub groups: Vec<String>,
    /// Expressions that are one of two others.
    pub choices: BTreeMap<String, ChoiceRule>,
    /// Statements that execute one of several others, and their clauses with a condition.
    pub branches: BTreeMap<String, ChoiceRule>,
    /// Clauses without a condition, with the path to what they execute: `else_clause`.
    pub clauses: BTreeMap<String, String>,
    /// What a clause begins with that has no condition: `else`.
    pub otherwise: String,
}

/// A condition and what it decides, by paths.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChoiceRule {
    /// The condition; without a path, the child that is none of the others.
    pub condition: String,
    /// What is evaluated if it is true.
    pub then: String,
    /// What is evaluated if it is false; several, if there are clauses with conditions of their own.
    pub otherwise: String,
    /// Whether it is evaluated again and again while the condition is true.
    pub repeats: bool,
}

/// A statement that gives a variable a value.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeclareRule {
    /// The path to the name.
    pub name: String,
    /// The path to the value.
    pub value: String,
}

/// How new code is written: texts with `$name`, `$parameters`, `$body`, `$value` and others.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CodeRule {
    /// A function; `$async` is `asynchronous`, or nothing.
    pub function: String,
    /// A method.
    pub method: String,
    /// A method of the class itself.
    pub static_method: String,
    /// What makes a function asynchronous, with the blank after it.
    pub asynchronous: String,
    /// A parameter with its type; without it, parameters have no types.
    pub typed: String,
    /// The type of a parameter about which nothing is known.
    pub any_type: String,
    /// The object of a method, if it is not a parameter: `this`.
    pub own: String,
    /// A call of the function, and of the method.
    pub call: String,
    /// See there.
    pub own_call: String,
    /// A call that waits for the result.
    pub awaited: String,
    /// A statement that returns `$value`.
    pub result: String,
    /// A statement that is `$value`.
    pub statement: String,
    /// A statement that gives a new variable its value; `redeclare` if it is written again.
    pub declare: String,
    /// See there.
    pub redeclare: String,
    /// A statement that gives a variable another value.
    pub assign: String,
    /// The same for several variables.
    pub assign_several: String,
    /// A class with `$name`, the `$inherits` of its bases, and `$body`.
    pub base: String,
    /// The `$bases` in the head of a class.
    pub inherits: String,
    /// A constructor with `$parameters`, the object among them, and `$body`.
    pub constructor: String,
    /// A statement that gives the `$self` a new object of the class `$name` under the name `$holder`, made with `$arguments`.
    pub hold: String,
    /// A statement that keeps the `$old` name of what is called `$new`, for other files; `$variety` is a word for types.
    pub alias: String,
    /// Several results: `$names`, where they are returned and where they are taken.
    pub several: String,
}
