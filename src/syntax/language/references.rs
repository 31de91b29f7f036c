//! `[references]`: which names of a file refer to the same thing.

use std::ops::Range;

use super::by_type::ByType;
use super::form::{KnownSpaces, Marks, PlaceTexts, Space, SpaceValues, SpacedPlaces, Types, rules};

rules! {
    /// Which names refer to the same thing: what opens a scope, what binds a name in it, and which names are not variables.
    ///
    /// A place is written `type.field`; `type` is a child without a field; `outer/type` a child of a type inside another,
    /// `outer.field/type` in a field of it. `type(word)` must have a child of that type or token, `type(!word)` must not,
    /// `type(a|b)` must have one of them, and `type(a/b)` an `a` with a `b` in it. After `: ` come the name spaces of a name at that place.
    ReferenceRules from #[derive(Clone)] ReferenceRule {
        /// Whether a rename may follow references: the rules are complete for the language, and were compared with an
        /// independent tool.
        supported: bool,
        /// Types of names.
        identifiers: Types,
        /// The name spaces of a name by its type, if its place has none. Without any, all names share one space.
        spaces: ByType<SpaceValues>,
        /// Types of names that are looked up from scope to scope anywhere: `#private`.
        lexical: Types,
        /// Types that open a scope.
        scopes: Types,
        /// Such nodes that open no scope: a function's body, whose names belong to the function.
        merged: SpacedPlaces,
        /// Scopes whose names are invisible in the scopes inside: a class.
        unseen: Types,
        /// Scopes out of which no name is looked up: a module of Rust.
        barriers: Types,
        /// Places of names at the top of a file that are known behind them all the same: `extern crate a as b`.
        known_behind: SpacedPlaces,
        /// Whether such a scope that binds a name reads the file's before it does, not that of a function around it.
        unseen_reads_file: bool,
        /// Scopes whose names no bare name means, not even right inside them: an `impl`, of which a type is `Self::A`.
        sealed: Types,
        /// Scopes that the names of `bindings_beyond` leave: a comprehension, a block.
        expressions: Types,
        /// Places that belong to the scope outside: a default value.
        outside: SpacedPlaces,
        /// Places that belong to the scope outside of the two around them: the types in a switch that binds a variable.
        twice_outside: SpacedPlaces,
        /// The same, only for the first child of its type: the iterable of a comprehension.
        first_outside: SpacedPlaces,
        /// Places of names that bind.
        bindings: SpacedPlaces,
        /// Those of them that bind in the enclosing function: `:=`, `var`.
        bindings_beyond: SpacedPlaces,
        /// Places of names in such a scope that keep others like them there: a parameter of a block of Ruby, a struct in a block of C.
        kept_by: SpacedPlaces,
        /// Those that bind in the function around all blocks: a label of C.
        function_wide: SpacedPlaces,
        /// Those that bind outside of the class around, and are none of its members: the constants of an enum in a struct of C.
        beyond_members: SpacedPlaces,
        /// Those that bind in their block, and in some modes outside it: a function in a block.
        leaking: SpacedPlaces,
        /// Those that bind only after the end of their parent, so that earlier uses mean something else: Go's `x := x`.
        delayed: SpacedPlaces,
        /// Types of declarations in a block whose names count from where they are written, so that earlier uses mean something else: a
        /// local variable of C.
        at_name: Types,
        /// The same, where they count after the end of the declaration: Kotlin's `val x = x`.
        at_end: Types,
        /// The same, where they count only in the body of the function: Go's parameters, which are not seen by the types beside them.
        in_body: Types,
        /// Scopes inside each other of which only one may have a variable of a name: the blocks of a method of Java.
        unshadowed: Types,
        /// Those that bind in a separate scope around their own: the name of a function expression.
        own_names: SpacedPlaces,
        /// Places of names that bind in more than their scope, so that names like them are not renamed: Python's type
        /// parameters.
        wide: SpacedPlaces,
        /// Types of a function's parts that do not see the names of its body: its parameters.
        headers: Types,
        /// Those of `delayed` that bind a new variable each time, which hides the one before: Rust's `let x = x`.
        shadowing: SpacedPlaces,
        /// Places in patterns where a name with a capital letter, or in backticks, refers: a constant, a variant.
        capitals: SpacedPlaces,
        /// Names that bind nothing: `_`.
        blank: Vec<String>,
        /// Names with a meaning for the language: `main`.
        fixed: Vec<String>,
        /// Places of names that an import binds and another file defines.
        imports: SpacedPlaces,
        /// The sign after a name in an import that is only the beginning of a path, and binds nothing: `.`.
        sign_of_import_heads: Option<String>,
        /// Places in patterns in which a name still binds: a tuple of names.
        patterns: SpacedPlaces,
        /// Dotted types, of which only the first name is a variable.
        heads: Types,
        /// Places of references whose name spaces are not those of their type.
        refers: SpacedPlaces,
        /// Places of names that are not variables.
        not_names: SpacedPlaces,
        /// Places where a name may be a variable or something else, and the tree does not show which.
        unclear: SpacedPlaces,
        /// Places of names that are declared to be the file's: `global`.
        globals: SpacedPlaces,
        /// Places of names that are declared to be of an enclosing scope: `nonlocal`.
        outers: SpacedPlaces,
        /// Places of parameters that an argument can name.
        parameters: SpacedPlaces,
        /// Places of parameters that are members at once, with the name space of the member: `constructor(private x)`.
        promoted: SpacedPlaces,
        /// Types around parameters that no argument can name: `*args`.
        positional: Types,
        /// Types before which a parameter is positional only: Python's `/`.
        positional_before: Types,
        /// Places of an argument's name.
        arguments: SpacedPlaces,
        /// Types and tokens of parameters and arguments that stand for any number of them: `*args`, `...rest`.
        spreads: Marks,
        /// Types that only separate parameters which an argument has to name: Python's `*`.
        separators: Types,
        /// The sign between parameters that places pass and those that an argument has to name: Python's `*`.
        name_only_sign: Option<String>,
        /// Types of arguments that pass any number of named ones: `**kw`.
        splats: Types,
        /// Types of arguments that may name a parameter, or be a part of a table: Ruby's `a: 1`.
        pair_arguments: Types,
        /// Types that call the function that this one overrides, without its name: Ruby's `super`.
        overridden_calls: Types,
        /// Whether objects are made in ways in which calls of constructors are not seen: C++'s `P p(1)`.
        hidden_constructions: bool,
        /// Modifiers of classes whose values are taken apart by the places of their parameters: Kotlin's `data`.
        taken_apart: Vec<String>,
        /// Places of the names of attributes.
        attributes: SpacedPlaces,
        /// Places where an attribute of the object itself is defined by an assignment, though a name is not: `this.x = 1`.
        member_bindings: SpacedPlaces,
        /// Places of other names of members: the key of a pattern.
        keys: SpacedPlaces,
        /// Places where a lower-case name is not a variable: the tag of an element.
        elements: SpacedPlaces,
        /// Scopes whose names are members, which attributes also refer to.
        members: Types,
        /// Whether members of unrelated classes may be the same: an object with the members of an interface.
        structural: bool,
        /// Types that refer to the object itself: `this`.
        self_types: Marks,
        /// Types inside which that is another object.
        self_scopes: Types,
        /// Types and tokens that make a member static: `static`.
        static_marks: Marks,
        /// Types of lists of tokens, in which a sign before or after a name says what it is.
        token_lists: Types,
        /// The sign after a name of a macro: `!`.
        sign_after: Option<String>,
        /// The name space of a name before that sign, and of no other name among tokens.
        space_before_sign: Space,
        /// The sign before a name of a label: `'`.
        sign_before: Option<String>,
        /// The name spaces of a name after that sign, and of no other name among tokens.
        spaces_after_sign: KnownSpaces,
        /// The name space of the names in a path but for the last: types and modules.
        path_space: Space,
        /// Name spaces that share names within a scope: a TypeScript interface and a constant with the same name are one
        /// symbol.
        shared_spaces: KnownSpaces,
        /// The name space that comes first where a name may be of it or of another: a variable of Java before a type.
        first_space: Space,
        /// The name space of methods and that of fields, where a class may have both with one name.
        method_space: Space,
        /// See there.
        field_space: Space,
        /// Name spaces whose names are the same in any case: functions of PHP.
        any_case: KnownSpaces,
        /// Names with signs around them that are the names inside, which is `*`: "r#*".
        raw_names: Vec<String>,
        /// Names of these spaces go through barriers: macros.
        through_barriers: KnownSpaces,
        /// The name space of the names in strings that the grammar takes for text.
        text_space: Space,
        /// The name space of an object's members.
        instance_space: Space,
        /// The name space of a class's own members.
        static_space: Space,
        /// Decorators of methods whose first parameter is not an instance of the class.
        static_decorators: Vec<String>,
        /// Methods that a call of the class calls.
        constructors: Vec<String>,
        /// Base classes without members of their own.
        plain_bases: Vec<String>,
        /// Names of objects whose attributes are the file's variables: `window`.
        global_objects: Vec<String>,
        /// Places of declarations that other files can use.
        exports: SpacedPlaces,
        /// Places of scopes whose names are also used from outside: the body of a namespace.
        open: SpacedPlaces,
        /// Types in which any name may be a member of an object: `with`.
        dynamic_scopes: Types,
        /// Statements by which a file says that a function in a block is bound in that block alone: `"use strict"`.
        strict_words: Vec<String>,
        /// Functions that take names as text: `eval`.
        dynamic_calls: Vec<String>,
        /// Decorators of functions whose value other functions receive through a parameter with the function's name:
        /// `fixture`.
        named_by_decorators: Vec<String>,
        /// The prefix of names that are known outside their class with `_` and the class's name before them: `__`.
        class_private_prefix: Option<String>,
        /// Places where one name has two meanings, with the text when one of them is renamed: `$old: $new`.
        shorthand: PlaceTexts,
        /// Places of names that are for the reader alone: those of a tuple's elements.
        labels: SpacedPlaces,
        /// Types of a key with its value that are written as one name where both have the same: `a: a` as `a`.
        pairs: Types,
        /// Types of which a file must have one for that: those of newer versions of the language.
        longhand_signs: Types,
    }
}

impl ReferenceRule {
    /// These rules with more of them.
    pub(super) fn joined(&self, more: &ReferenceRule) -> ReferenceRule {
        let mut all = self.clone();
        all.not_names.retain(|place| !more.bindings.contains(place) && !more.attributes.contains(place));
        let lists: [(&mut Vec<String>, &Vec<String>); 28] = [
            (&mut all.identifiers, &more.identifiers),
            (&mut all.scopes, &more.scopes),
            (&mut all.merged, &more.merged),
            (&mut all.unseen, &more.unseen),
            (&mut all.sealed, &more.sealed),
            (&mut all.at_name, &more.at_name),
            (&mut all.at_end, &more.at_end),
            (&mut all.in_body, &more.in_body),
            (&mut all.expressions, &more.expressions),
            (&mut all.kept_by, &more.kept_by),
            (&mut all.unshadowed, &more.unshadowed),
            (&mut all.function_wide, &more.function_wide),
            (&mut all.beyond_members, &more.beyond_members),
            (&mut all.outside, &more.outside),
            (&mut all.bindings, &more.bindings),
            (&mut all.patterns, &more.patterns),
            (&mut all.not_names, &more.not_names),
            (&mut all.parameters, &more.parameters),
            (&mut all.attributes, &more.attributes),
            (&mut all.members, &more.members),
            (&mut all.blank, &more.blank),
            (&mut all.imports, &more.imports),
            (&mut all.refers, &more.refers),
            (&mut all.arguments, &more.arguments),
            (&mut all.self_types, &more.self_types),
            (&mut all.bindings_beyond, &more.bindings_beyond),
            (&mut all.heads, &more.heads),
            (&mut all.promoted, &more.promoted),
        ];
        if !more.any_case.is_empty() {
            all.any_case.clone_from(&more.any_case);
        }
        if !more.text_space.is_empty() {
            all.text_space.clone_from(&more.text_space);
        }
        all.spaces.extend(more.spaces.iter().map(|(name, spaces)| (name.clone(), spaces.clone())));
        let place = |text: &String| text.split_once(": ").map_or(text.clone(), |(place, _)| place.to_owned());
        let replaced: Vec<String> = more.refers.iter().map(place).collect();
        for (list, more) in lists {
            let own: Vec<String> = more.iter().map(place).collect();
            list.retain(|text| !own.contains(&place(text)));
            list.extend(more.iter().cloned());
        }
        // A place where a name only refers does not bind.
        all.bindings.retain(|text| more.bindings.contains(text) || !replaced.contains(&place(text)));
        all
    }
}

impl ReferenceRules {
    /// A name without the signs that only let it be written: `type` of `r#type`.
    pub fn plain<'t>(&self, name: &'t str) -> &'t str {
        &name[self.plain_part(name)]
    }

    /// The bytes of that part of a name.
    pub fn plain_part(&self, name: &str) -> Range<usize> {
        let inner = |form: &String| {
            let (before, after) = form.split_once('*')?;
            let inner = name.strip_prefix(before)?.strip_suffix(after).filter(|inner| !inner.is_empty())?;
            Some(before.len()..before.len() + inner.len())
        };
        self.raw_names.iter().find_map(inner).unwrap_or(0..name.len())
    }

    /// Whether a name has that of its class in it: `__name`, and not `__init__`.
    pub fn is_class_private(&self, name: &str) -> bool {
        let prefix = self.class_private_prefix.as_deref().filter(|prefix| !prefix.is_empty());
        prefix.is_some_and(|prefix| name.starts_with(prefix) && !name.ends_with(prefix))
    }

    /// Whether a name has a meaning for the language by the signs around it: `__init__`.
    pub fn is_special(&self, name: &str) -> bool {
        let prefix = self.class_private_prefix.as_deref().filter(|prefix| !prefix.is_empty());
        prefix.is_some_and(|prefix| name.starts_with(prefix) && name.ends_with(prefix))
    }

    /// Whether the data says what binds.
    pub fn has_bindings(&self) -> bool {
        !self.bindings.is_empty()
    }
}
