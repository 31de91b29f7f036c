//! `[items]`, `[blocks]` and `[slices]`: how the items of a file are found in its bytes, without a parse.

use std::collections::BTreeMap;

use super::form::{Text, Types, plain, rules};

rules! {
    /// How to find the top-level items of a file and the members of its classes without parsing, in a language with
    /// brackets. An item ends after a `;`, after a block, or where a line begins with a word that only begins items.
    Items from ItemRule {
        /// The starts of comments that end with their line.
        line_comments: Vec<String>,
        /// Signs that begin like a line comment and are none: PHP's `#[`.
        no_comments: Vec<String>,
        /// The start and end of comments over several lines.
        block_comments: Vec<[Text; 2]>,
        /// Whether such comments nest.
        nested_comments: bool,
        /// Strings and characters; the first that fits counts.
        strings: Vec<StringForm>,
        /// Whether a `/` where an operand is expected begins a regex.
        regexes: bool,
        /// Whether a `<` where an operand is expected begins markup.
        markup: bool,
        /// Whether a `<` may begin type parameters where an operand is expected. One that begins a line after an operand
        /// makes the file unsure.
        type_parameters: bool,
        /// Words between a type parameter and its bound, which no markup has: `extends`.
        bounds: Vec<String>,
        /// Words that an operand follows: `return`. An item does not end after one.
        operators: Vec<String>,
        /// The sign of the preprocessor's lines, and its words besides those for conditions.
        directives: Vec<String>,
        /// Its words for conditions.
        conditionals: Conditionals,
        /// Whether an item may end with its line, without a `;`.
        newlines: bool,
        /// Words that begin an item and never continue one, for languages where an item may end with its line.
        starters: Vec<String>,
        /// Whether an item always begins with one of them, a modifier or a sign; another one makes the file unsure.
        only_starters: bool,
        /// Signs besides words that may begin an item: `#`.
        signs: String,
        /// Words that continue the item before them: `else`.
        continues: Vec<String>,
        /// Words before the word that says what an item is: `public`.
        modifiers: Vec<String>,
        /// Words of items whose block has members: `class`.
        containers: Vec<String>,
        /// Whether the word of a container may be any of an item, not only its first that is no modifier.
        any_core: bool,
        /// Whether a block after a `)` is always a body.
        bodies_after_round: bool,
        /// Words of items that end with a `;` even after a block: `struct`.
        unended: Vec<String>,
        /// The sign of annotations, if how the grammar reads one in a block, or one on the line after an operand, depends on
        /// the whole file: such a file is unsure.
        annotations: String,
        /// Signs outside brackets, with the bytes of which one follows: `#` and `[!`. Another one makes the file unsure.
        followed_by: BTreeMap<String, String>,
        /// Words that a sign follows as a name: `operator`.
        operator_names: Vec<String>,
        /// Words that angle brackets follow: `template`.
        generics_after: Vec<String>,
        /// Words that, with a `:` after them, are an item: `public`.
        labels: Vec<String>,
        /// Words outside brackets that make the file unsure, alone or after another one: `endif`, `type extends`.
        unsure: Vec<String>,
        /// Marks at the start of a file of a dialect that the grammar does not understand: `@flow`. The file is unsure.
        dialects: Vec<String>,
        /// Signs that only comments and strings have: a file with one elsewhere has an error.
        unused: String,
        /// The text that a file must begin with: `<?php`.
        prologue: String,
        /// A text that no file may have: `?>`.
        epilogue: String,
        /// Types of the nodes that contain members: a class, its body, and what may be around them.
        around: Types,
        /// How to recognise items that the grammar may not understand.
        suspects: Option<ItemSuspects>,
    }

    /// Signs in the bytes of an item that the grammar may not understand it, because of macros and conditionals. Such
    /// items are parsed together with those that may match.
    ItemSuspects from SuspectRule {
        /// Words that the grammar mostly misreads: `__attribute__`.
        words: Vec<String>,
        /// Words whose brackets a statement follows: `if`.
        control: Vec<String>,
        /// Words that an expression follows: `return`.
        leading: Vec<String>,
        /// Words that a statement follows: `else`.
        opening: Vec<String>,
        /// Words that introduce values in curly brackets: `enum`.
        listings: Vec<String>,
        /// Words that introduce items or fields in curly brackets: `struct`.
        containers: Vec<String>,
        /// Words that are a type alone: `int`.
        types: Vec<String>,
        /// Words that may follow the parameters of a function: `const`.
        trailing: Vec<String>,
        /// Macros that are masked before the parse, so that they are no sign: `__init`.
        skipped: Vec<String>,
        /// Signs that may be before a closing bracket or a comma: the `*` of `(char *)`.
        closing: String,
        /// Whether curly brackets after a name may hold values: C++'s `T{1}`.
        values_after_words: bool,
        /// Whether a block after square brackets, or after those and round ones, is a body.
        lambdas: bool,
        /// Whether a function may have no type before its name.
        constructors: bool,
        /// Types of function bodies in which an error stays. Without any, an error means that the whole file is parsed.
        bodies: Types,
        /// Types of the functions that have such bodies.
        functions: Types,
    }

    /// A form of strings or characters.
    StringForm from StringRule {
        /// The quote on both sides.
        quote: Text,
        /// Letters and signs that may be before the quote.
        prefix: String,
        /// The one of them that makes it this form.
        with: String,
        /// Whether a backslash escapes the next character.
        escapes: bool,
        /// Whether a doubled quote is a literal one.
        doubled: bool,
        /// Whether it may have several lines.
        lines: bool,
        /// The start of code in it: `${`.
        code: String,
        /// The sign before the quote without which there is no code.
        code_with: String,
        /// A single character.
        character: bool,
        /// Whether its quote also begins lifetimes or labels: Rust's `'a`.
        labels: bool,
        /// Whether its quote also separates digits: C++'s `1'000`.
        separates: bool,
        /// It ends with as many `#` as are before the quote.
        hashes: bool,
        /// It ends with the word before its `(`, as in C++.
        delimiter: bool,
    }

    /// How to find the statements of a file and the members of classes without parsing, in a language whose blocks end
    /// with a word.
    Blocks from BlockRule {
        /// The sign of comments.
        comment: Text,
        /// The signs that begin and end comments over several lines, in the first column: `=begin`, `=end`.
        long_comment: [Text; 2],
        /// The line that ends the code: `__END__`.
        stop: Text,
        /// The word that closes a block: `end`.
        close: Text,
        /// The word of functions: `def`. With a `=` after name and parameters it opens no block.
        define: String,
        /// Words that open blocks with members: `class`.
        containers: Vec<String>,
        /// Words that open other blocks: `begin`.
        openers: Vec<String>,
        /// Words that open a block where a statement or operand begins, not after one: `if`.
        conditions: Vec<String>,
        /// Those of them whose line may have the `loop_word`: `while`.
        loops: Vec<String>,
        /// The word that opens a block unless it belongs to a loop: `do`.
        loop_word: String,
        /// Words inside blocks: `else`.
        middles: Vec<String>,
        /// Words that leave a block, and may have a condition after them: `return`.
        leaves: Vec<String>,
        /// Words that an operand follows: `and`.
        operators: Vec<String>,
        /// Types of the nodes that contain members.
        around: Types,
    }

    /// How to find the top-level statements of a file without parsing: each begins in the first column of a line, outside
    /// brackets and strings.
    Slices from SliceRule {
        /// The start of a comment that ends with its line.
        comment: Text,
        /// Quotes of strings over several lines, then those of strings on one line; a backslash escapes the next character.
        long_quotes: Vec<String>,
        /// One byte each.
        quotes: Vec<String>,
        /// Letters before a quote that allow code in the string, in curly brackets; doubled brackets are literal.
        interpolated: String,
        /// Pairs of brackets.
        brackets: Vec<String>,
        /// First words of lines that continue the previous statement: `else`.
        continues: Vec<String>,
        /// The start of a line that belongs to the next statement: `@`.
        attaches: Vec<String>,
        /// First words of statements whose members can be searched alone: `class`.
        containers: Vec<String>,
        /// Types of the nodes that contain members: a class, its body, and what may be around them.
        around: Types,
        /// The form of lines in files without syntax errors. A file with another line is parsed whole.
        lines: Lines,
    }
}

plain! {
    /// The form of lines in a language where a line that ends with `:` opens a block of indented lines. `keywords` are
    /// keywords; other words, numbers and strings are operands, of which two are never adjacent.
    Lines {
        /// First words of lines that open a block; such a line has a `:`.
        headers: Vec<String>,
        /// Keywords that are operands: `None`.
        values: Vec<String>,
        /// Keywords that may be the last word of a line or in brackets: `return`.
        ends: Vec<String>,
        /// Keywords that a `:` may follow: `else`.
        bare: Vec<String>,
        /// Keywords that only begin a statement: `raise`.
        statements: Vec<String>,
        /// Other words that an operand may follow: `match`.
        soft: Vec<String>,
        /// First words of lines, with a word that the line must also contain: `from` and `import`.
        pairs: BTreeMap<String, String>,
    }

    /// The preprocessor's words for parts of a file that are read under a condition.
    Conditionals {
        /// Words that begin such a part: `ifdef`.
        begin: Vec<String>,
        /// Words that end one part and begin another: `else`, `elif`.
        next: Vec<String>,
        /// Words that end all of them: `endif`.
        end: Vec<String>,
    }
}
