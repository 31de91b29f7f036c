//! `[flow]`: how control and values flow, for refactors that move statements and expressions.

use std::collections::BTreeMap;

use super::by_type::ByType;
use super::form::{MarkValues, Marks, MaybePath, OnePath, Paths, plain, rules};
use super::place::{NodePatterns, Places};

rules! {
    /// How statements and expressions are evaluated. Places are those of `ReferenceRule`.
    Flow from FlowRule {
        /// Types whose inside runs later: functions, lambdas, generators.
        functions: Marks,
        /// Those of them that exist before the statement that defines them runs.
        hoisted: Marks,
        /// Loops.
        loops: Marks,
        /// Places of what may not be evaluated when its parent is: a branch, a loop's body, the right side of `and`.
        maybe: Places,
        /// Places of what is evaluated again and again: the condition of a loop.
        repeated: Places,
        /// Nodes of which exactly one part at a place of `maybe` is evaluated: an `if` with an `else`.
        complete: NodePatterns,
        /// Places in which an exception may be caught: the body of a `try`.
        guarded: Places,
        /// Types of the parts that catch it.
        handlers: Marks,
        /// Places that something leaves at their end, which may also catch an exception: the body of a `with`.
        entered: Places,
        /// Types of statements after which the next one is not reached.
        exits: Marks,
        /// Those of them that return from the function.
        returns: Marks,
        /// Those that leave a loop or go on with it, with the types of what they may leave.
        breaks: ByType<MarkValues>,
        /// Types that suspend the function as a generator.
        yields: Marks,
        /// Whether a function is a generator only because something in it suspends it.
        generators_by_yield: bool,
        /// Nodes that suspend it as an asynchronous function: `await`, `for_statement(async)`.
        awaits: NodePatterns,
        /// Types whose evaluation may change something: calls, assignments.
        effects: Marks,
        /// Types whose value something else may change: attributes, elements.
        states: Marks,
        /// Nodes that change nothing and do not fail when they are evaluated, if what is in them does not: lists, parentheses, `-`.
        /// Names and what has no parts are known without.
        quiet: NodePatterns,
        /// Modifiers of methods that are called where a member is read: `get`.
        getter_words: Vec<String>,
        /// Types of the code in a definition that is run where that is read, if there is any in them: `getter`.
        getters: Marks,
        /// Whether the name of a function alone calls it.
        names_call: bool,
        /// Types that make a new object each time.
        makes: Marks,
        /// Whether the body of a class, and what is outside of the bodies of functions, runs when the definition is reached.
        runs_classes: bool,
        /// Places where a variable is written that is bound elsewhere.
        writes: Places,
        /// Places where a variable is read and written.
        updates: Places,
        /// Places after which a variable is not bound any more.
        unbinds: Places,
        /// How many operands of a type are evaluated in any case, where `maybe` cannot say it: `a < b < c`.
        chains: ByType<usize>,
        /// Tokens or types after which the rest of an expression may not be evaluated: the `?.` of `a?.b(c)`.
        optional: Marks,
        /// Types of the kinds of expressions that have no value of their own: `*a`.
        not_expressions: Marks,
        /// Places of expressions that are not values: the left side of an assignment, a type annotation.
        not_values: Places,
        /// Statements that hold one expression: `expression_statement`.
        plain: Marks,
        /// Statements that give one variable a value, with the paths to the name and to the value.
        declares: ByType<Declares>,
        /// Names whose meaning depends on the function that has them: `locals`, `arguments`.
        frame_words: Vec<String>,
        /// Those of them that mean all arguments of the function around, and of no other: `arguments`.
        argument_words: Vec<String>,
        /// Names of methods whose first parameter is not an object of the class.
        class_functions: Vec<String>,
        /// Nodes that show the text of an expression in them when the program runs: Python's `f"{x=}"`.
        shows_code: NodePatterns,
        /// Names that mean the class whose body has them: `__class__`.
        class_words: Vec<String>,
        /// Types that mean something only in their function: `new.target`.
        own: Marks,
        /// The paths to the type of a name that is bound in a type of node.
        written_types: ByType<Paths>,
        /// Types of names of types.
        type_names: Marks,
        /// What the type annotation becomes where a name may have no value: `$type | undefined`.
        optional_types: ByType<String>,
        /// How a parameter with a default value is written in what cannot have the value, as it has no body: `$name?: $type`.
        optional_parameters: ByType<String>,
        /// Literals of which each part has to be in the type that their place demands: TypeScript's `object`.
        checked_literals: Marks,
        /// Signs of types that a condition narrows.
        narrowed_marks: Vec<String>,
        /// The types of literals.
        literal_types: ByType<String>,
        /// Types of definitions whose numbers have the type of the other operand, as literals do then: Go's `const_spec`.
        untyped: Marks,
        /// Whether a second binding of a name in its scope gives the same variable another value: Go's `:=`.
        binds_again: bool,
        /// Declarations that give their variable no value.
        unset: NodePatterns,
        /// Whether functions are written in classes only, and need not name their object.
        has_functions_in_classes: bool,
        /// Whether the last expression of a block is its value.
        values_end: bool,
        /// The paths to the type that an expression writes: a cast.
        value_types: ByType<Paths>,
        /// The types of what known functions return.
        call_types: BTreeMap<String, String>,
        /// Operators whose result has the type of both operands.
        arithmetic: Marks,
        /// Those of them that may be before one operand.
        signs: Marks,
        /// Operators whose result is a pointer to their operand.
        addresses: Marks,
        /// Whether a function inside may read only variables that get one value: Java's lambdas.
        captures_fixed: bool,
        /// Whether a call of a member gives the function its object, which a call of the same value by a variable does not: JavaScript's
        /// `o.f()`.
        calls_bind: bool,
        /// Whether a call may pass more arguments than the function has parameters.
        extra_arguments: bool,
        /// Words of a value in place of which a parameter gets its default: `undefined`.
        default_words: Vec<String>,
        /// Whether an assignment evaluates its value before the place that gets it: Python's `d[k] = v`.
        values_first: bool,
        /// Whether the variables of several files get their values in an order that the files decide: Go's packages.
        ordered_by_files: bool,
        /// Whether an import takes the value that a variable has then, not the variable.
        imports_values: bool,
        /// Whether a local variable that nothing reads is an error.
        unread_fails: bool,
        /// In a language whose variables hold structs and arrays themselves, the types of which a copy refers to the same; the beginning of a
        /// type ends with `…`.
        shared_types: Vec<String>,
        /// The nodes of declarations of such types.
        shared_declarations: Marks,
        /// Nodes that refer to a part of an array: a slice of it.
        part_views: Marks,
        /// Blocks that allow code which is allowed nowhere else: `unsafe`.
        special_blocks: Marks,
        /// Words of functions that do the same: `const`.
        special_words: Vec<String>,
        /// The word for a borrow that may change the value: `mut`.
        change_word: String,
        /// Functions whose result does something when it ends: `lock`.
        guard_calls: Vec<String>,
        /// The trait of types whose end does something: `Drop`.
        ending_trait: String,
        /// The part of a declaration that makes an array of its type: C's `[]` after a name.
        dimensions: Marks,
        /// Types of which a value in use must not be copied: a lock, a builder.
        uncopied_types: Vec<String>,
        /// Operators whose result is a condition.
        comparing: Marks,
        /// The type of conditions.
        condition_type: String,
        /// Types that the result of an operator has if one operand has it: texts.
        texts_win: Vec<String>,
        /// Types whose arithmetic has another type.
        small_types: Vec<String>,
        /// Types whose values are copied where others are moved; without any, all are.
        copied_types: Vec<String>,
        /// Types of which nothing is seen when a value ends, if that holds for their parts: `String`; without any, it holds for all.
        silent_ends: Vec<String>,
        /// The sign before what is borrowed, a value or a type: `&`.
        borrow_sign: String,
        /// Nodes of values that are borrowed.
        borrowed_values: Marks,
        /// How a borrowed type begins that may be borrowed for ever: `&'static`.
        lasting_borrow: String,
        /// Types to which values of other types are converted without a word: `long`.
        converted_types: Vec<String>,
        /// Types to which no value of another type is assigned, but for literals.
        exact_types: Vec<String>,
        /// Functions whose result has the type that their place demands: `parse`.
        inferred_calls: Vec<String>,
        /// Methods whose result borrows from their object: `as_str`.
        lending_methods: Vec<String>,
        /// The path to the object of a method among its parameters.
        receivers: ByType<Paths>,
        /// Places where only a call may be.
        call_places: Places,
        /// The type of an index of a list.
        index_type: String,
        /// Words of methods that have no object: `static`.
        static_words: Vec<String>,
        /// Modifiers of fields that get a value only once: `final`.
        once_words: Vec<String>,
        /// Types of parameters that are the object of a method: `&self`.
        own_parameters: Marks,
        /// Types that say that a variable may change: `mut`.
        mutable_marks: Marks,
        /// The paths to what a function says that it may throw, and to what a handler catches.
        raises: ByType<Paths>,
        /// How new code is written.
        code: CodeRule,
        /// What a condition decides whose value is known.
        decided: Decided,
    }

    /// What a condition decides whose value is known. Operators are tokens.
    Decided from DecidedRule {
        /// The literal of what is true; without it, nothing is decided in the language.
        literal_true: String,
        /// The literal of what is false.
        literal_false: String,
        /// Operators whose right side is evaluated if the left one is true: `&&`.
        and: Marks,
        /// Operators whose right side is evaluated if the left one is false: `||`.
        or: Marks,
        /// Prefixes that negate: `!`.
        not: Marks,
        /// Operators that compare: `===`.
        equal: Marks,
        /// Operators that compare and negate: `!==`.
        unequal: Marks,
        /// Types that only hold another expression: `parenthesized_expression`.
        groups: Marks,
        /// Expressions that are one of two others.
        choices: ByType<Choice>,
        /// Statements that execute one of several others, and their clauses with a condition.
        branches: ByType<Choice>,
        /// Clauses without a condition, with the path to what they execute: `else_clause`.
        clauses: ByType<OnePath>,
        /// What a clause begins with that has no condition: `else`.
        otherwise: String,
    }

    /// A condition and what it decides, by paths.
    Choice from ChoiceRule {
        /// The condition; without a path, the child that is none of the others.
        condition: MaybePath,
        /// What is evaluated if it is true.
        then: OnePath,
        /// What is evaluated if it is false; several, if there are clauses with conditions of their own.
        otherwise: MaybePath,
        /// Whether it is evaluated again and again while the condition is true.
        repeats: bool,
    }

    /// A statement that gives a variable a value.
    Declares from DeclareRule {
        /// The path to the name.
        name: OnePath,
        /// The path to the value.
        value: OnePath,
    }
}

plain! {
    /// How new code is written: texts with `$name`, `$parameters`, `$body`, `$value` and others.
    CodeRule {
        /// A function; `$async` is `asynchronous`, or nothing.
        function: String,
        /// A method.
        method: String,
        /// A method of the class itself.
        static_method: String,
        /// What makes a function asynchronous, with the blank after it.
        asynchronous: String,
        /// A parameter with its type; without it, parameters have no types.
        typed: String,
        /// The type of a parameter about which nothing is known.
        any_type: String,
        /// The same for a parameter that gets another value.
        typed_again: String,
        /// A variable as an argument that stays with the caller, or its type: `&$value`.
        lent: String,
        /// The same where the function changes it.
        lent_to_change: String,
        /// The type of a pointer to a `$type`.
        pointer: String,
        /// The `$result` of a function, made of its `$type`; with it, types have to be known.
        result_type: String,
        /// The `$result` of a function without one.
        no_result: String,
        /// The `$types` of several results as one.
        several_types: String,
        /// The `$types` that a function may throw, as its head says.
        raises: String,
        /// The word in place of a type that is not known, where a value shows it.
        inferred: String,
        /// Whether a value may have a type below that of its variable.
        has_subtypes: bool,
        /// A statement that gives a new constant its value; without it, `declare`.
        constant: String,
        /// The object of a method, if it is not a parameter: `this`.
        own: String,
        /// A call of the function, and of the method.
        call: String,
        /// See there.
        own_call: String,
        /// A call that waits for the result.
        awaited: String,
        /// A statement that returns `$value`.
        result: String,
        /// The same at the end of a function; without it, `result`.
        last: String,
        /// A statement that is `$value`.
        statement: String,
        /// A statement that gives a new variable its value; `redeclare` if it is written again.
        declare: String,
        /// See there.
        redeclare: String,
        /// A statement that gives a variable another value.
        assign: String,
        /// The same for several variables.
        assign_several: String,
        /// A class with `$name`, the `$inherits` of its bases, and `$body`.
        base: String,
        /// The `$bases` in the head of a class.
        inherits: String,
        /// A constructor with `$parameters`, the object among them, and `$body`.
        constructor: String,
        /// A statement that gives the `$self` a new object of the class `$name` under the name `$holder`, made with `$arguments`.
        hold: String,
        /// A statement that keeps the `$old` name of what is called `$new`, for other files; `$variety` is a word for types.
        alias: String,
        /// Several results: `$names`, where they are returned and where they are taken.
        several: String,
    }
}

impl Flow {
    /// Whether the language says how to write new functions.
    pub fn is_known(&self) -> bool {
        !self.code.function.is_empty()
    }
}

impl Decided {
    /// Whether the language says what conditions decide.
    pub fn is_known(&self) -> bool {
        !self.literal_true.is_empty()
    }

    /// The literal of a value.
    pub fn literal(&self, value: bool) -> &str {
        if value { &self.literal_true } else { &self.literal_false }
    }
}
