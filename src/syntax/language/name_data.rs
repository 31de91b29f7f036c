//! The data about names, as `language.toml` has it: what binds them, what they mean across files, what is imported.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::organize_data::OrganizeRule;
use super::values::Values;

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
    /// Those of `delayed` that bind a new variable each time, which hides the one before: Rust's `let x = x`.
    pub shadowing: Vec<String>,
    /// Places in patterns where a name with a capital letter refers: a constant, a variant.
    pub capitals: Vec<String>,
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
    /// The name space of methods and that of fields, where a class may have both with one name.
    pub method_space: String,
    /// See there.
    pub field_space: String,
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

impl ReferenceRule {
    /// These rules with more of them.
    pub(super) fn joined(&self, more: &ReferenceRule) -> ReferenceRule {
        let mut all = self.clone();
        all.not_names.retain(|place| !more.bindings.contains(place) && !more.attributes.contains(place));
        let lists: [(&mut Vec<String>, &Vec<String>); 19] = [
            (&mut all.identifiers, &more.identifiers),
            (&mut all.scopes, &more.scopes),
            (&mut all.merged, &more.merged),
            (&mut all.unseen, &more.unseen),
            (&mut all.expressions, &more.expressions),
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
        ];
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

/// How names mean things across files: modules, types that are written, and values that are constructed. Paths are those
/// of `names`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SymbolRule {
    /// How the name of a module leads to a file; without one, names are not followed to other files.
    pub modules: Option<ModuleScheme>,
    /// Stems of the file that is the module of its folder: `__init__`, `index`.
    pub package_files: Vec<String>,
    /// Extensions that the path of a module may lack, or have in place of that of the file, the best first: `ts`, `d.ts`.
    pub module_extensions: Vec<String>,
    /// Folders that modules are also looked up in: `src`.
    pub source_folders: Vec<String>,
    /// Parts of the paths of folders whose modules are for what is inside that folder alone: `tests`.
    pub test_folders: Vec<String>,
    /// Names of files that name modules, with one `*` for anything: `go.mod`, `tsconfig*.json`.
    pub manifests: Vec<String>,
    /// A regex for the name of the module in such a file.
    pub manifest_name: String,
    /// A regex for the modules in it that are folders: the name, and the path.
    pub manifest_folders: String,
    /// Endings of the stems of files that other packages do not see: `_test`.
    pub private_files: Vec<String>,
    /// From a statement to the name of the package that it declares.
    pub packages: BTreeMap<String, Values>,
    /// Whether the packages of several such statements without a body are inside each other.
    pub packages_nest: bool,
    /// Whether the names of the packages around a package are seen in it.
    pub outer_packages: bool,
    /// Whether a name that a package lacks is that of no package.
    pub global_fallback: bool,
    /// A regex for the packages that a file declares.
    pub package_lines: String,
    /// Modifiers of a class that other definitions continue: `partial`.
    pub part_words: Vec<String>,
    /// From what has the name of a class to its type parameters or arguments, where these tell classes apart.
    pub arities: BTreeMap<String, Values>,
    /// Node patterns of functions that count as methods of objects of another class, with the path to what says so.
    pub extensions: BTreeMap<String, Values>,
    /// Places of names at the top of a file that belong to the file, and not to its package.
    pub file_names: Vec<String>,
    /// Tokens of imports that count for all files: `global`.
    pub shared_imports: Vec<String>,
    /// Words that a file with such an import contains.
    pub shared_words: Vec<String>,
    /// Languages whose definitions may be used, too.
    pub neighbours: Vec<String>,
    /// Types of members whose object is further outside: `.b` of `a?.b`.
    pub bare_members: Vec<String>,
    /// From an expression with such members to the object.
    pub bare_objects: BTreeMap<String, Values>,
    /// Whether a name before a dot may be that of a variable or that of its type, if both are the same.
    pub shared_names: bool,
    /// Names that the language binds by itself to values that are not known: `it`.
    pub implicit_names: Vec<String>,
    /// Types of functions in which a name may be a member of an object that is not written: lambdas with a receiver.
    pub open_scopes: Vec<String>,
    /// Functions whose arguments have no such object: `map`.
    pub closed_calls: Vec<String>,
    /// Words for the object of a method: `this`, where that is a name.
    pub self_words: Vec<String>,
    /// Words for that object as one of the base class: `parent`.
    pub super_words: Vec<String>,
    /// Modifiers of members that belong to the class itself: `static`.
    pub static_words: Vec<String>,
    /// What symbols need beyond `[references]`: lists are added to those there, and a place that binds here is a name.
    pub references: ReferenceRule,
    /// Types of definitions that are classes, even without a body.
    pub classes: Vec<String>,
    /// From a definition outside a class, or a scope of such definitions, to the class of which they are members.
    pub attached: BTreeMap<String, Values>,
    /// Node patterns of fields whose members are also those of the class, with the path to the field's type.
    pub embedded: BTreeMap<String, Values>,
    /// From the definition of a class to the written type that it is made of.
    pub underlying: BTreeMap<String, Values>,
    /// From a written type to that of its elements.
    pub elements: BTreeMap<String, Values>,
    /// From a written type to that of its keys.
    pub element_keys: BTreeMap<String, Values>,
    /// From an expression for an element to the container.
    pub indexed: BTreeMap<String, Values>,
    /// From what binds names to the elements of a container, one after the other, to the container.
    pub ranges: BTreeMap<String, Values>,
    /// Whether the first of two such names is the key, and a single one too.
    pub range_keys: bool,
    /// From a written type of functions to that of the result.
    pub function_types: BTreeMap<String, Values>,
    /// From a written type of several values to their types.
    pub tuples: BTreeMap<String, Values>,
    /// Stems of the file that is a library as a whole: `lib`.
    pub crate_files: Vec<String>,
    /// A regex for the path of that file in a manifest.
    pub manifest_root: String,
    /// A regex for the path of a module's file in what is before its declaration: `#[path = "x.rs"]`.
    pub module_path: String,
    /// Types of definitions that are modules.
    pub module_types: Vec<String>,
    /// Words for the module at the root: `crate`; for the module itself: `self`; for the one around: `super`.
    pub root_words: Vec<String>,
    /// See there.
    pub own_words: Vec<String>,
    /// See there.
    pub parent_words: Vec<String>,
    /// Places where these words mean modules.
    pub module_places: Vec<String>,
    /// From a scope of members that are attached to a class to a base of that class: a trait that it implements.
    pub attached_bases: BTreeMap<String, Values>,
    /// Types of members that are classes and have the members of the class around: the variants of an enum.
    pub variants: Vec<String>,
    /// Types of members that are those of the trait, wherever it is implemented: associated types.
    pub trait_members: Vec<String>,
    /// Methods whose result is like their object: `clone`.
    pub same_methods: Vec<String>,
    /// Methods whose result is an element of their object: `unwrap`.
    pub element_methods: Vec<String>,
    /// Generic types whose elements have the type of the first argument, and not that of the last: `Result`.
    pub first_element_types: Vec<String>,
    /// Types with tokens instead of expressions: the arguments of a macro.
    pub loose: Vec<String>,
    /// Types inside which no such name is known: the definition of a macro.
    pub opaque: Vec<String>,
    /// A regex for what the lines that include files include.
    pub include_lines: String,
    /// Types between a name and its definition: `*` and `()` of a declarator.
    pub declarators: Vec<String>,
    /// Those of them that make a name right inside them that of a function.
    pub function_declarators: Vec<String>,
    /// Whether the elements of an object count as the object itself: arrays and pointers.
    pub elements_are_alike: bool,
    /// Declarators of arrays.
    pub array_declarators: Vec<String>,
    /// Whether a name in a class may be that of an inherited member, with nothing before it.
    pub implicit_members: bool,
    /// Types that mean that of the value: `var`.
    pub inferred_types: Vec<String>,
    /// Types of several names joined by dots or the like, all of which are names: `Map.Entry`.
    pub written_paths: Vec<String>,
    /// Types of lists of values or of names side by side: `a, b = 1, 2`.
    pub value_lists: Vec<String>,
    /// Functions of the language whose result has the type that is their first argument: `new`.
    pub typed_calls: Vec<String>,
    /// Functions of the language whose result is like their first argument: `append`.
    pub same_calls: Vec<String>,
    /// From a part of a statement to the type that a name has in it: a case of a switch over types.
    pub narrowed: BTreeMap<String, Values>,
    /// Places of the names that have another type there.
    pub narrowing: Vec<String>,
    /// Places of names of fields in an expression that makes an instance.
    pub field_keys: Vec<String>,
    /// Types of the braces in such an expression.
    pub made_bodies: Vec<String>,
    /// Whether a name that nothing binds can only be that of an imported package.
    pub imports_are_complete: bool,
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
    /// From a written type to the types whose members it has: the head of a generic type, the alternatives of a union.
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
    /// Functions whose call with a module's name is what that module exports: `require`.
    pub require_calls: Vec<String>,
    /// Functions whose first argument is the path of a module: `require`, `import`, `jest.mock`.
    pub module_calls: Vec<String>,
    /// A regex of the beginning of a statement whose block only type checkers read: `if TYPE_CHECKING:`.
    pub type_blocks: Option<String>,
    /// How an import is written, by what it imports: `name = "from $module import $name"`.
    pub import_forms: BTreeMap<String, String>,
    /// Objects whose members a module exports: `exports`, `module.exports`.
    pub export_objects: Vec<String>,
    /// Those of them to which a module assigns what it is as a whole: `module.exports`.
    pub export_wholes: Vec<String>,
    /// The variable that lists the names of a module that `*` imports.
    pub public_list: Option<String>,
    /// The prefix of names that `*` does not import.
    pub private_prefix: Option<String>,
    /// Names that the language defines.
    pub builtins: Vec<String>,
    /// Regexes of names that the language or a tool uses by itself, by what they are: `"test" = "^test_"`.
    pub entries: BTreeMap<String, String>,
    /// Regexes of decorators that have something call what they decorate, by what that is: `"test" = "^Test$"`.
    pub entry_decorators: BTreeMap<String, String>,
    /// Regexes of modifiers of functions that the language's syntax calls, by what those are: `"operator" = "^operator$"`.
    pub entry_modifiers: BTreeMap<String, String>,
    /// Which of these start by themselves, so that what holds them is in use, too: `test`, but not `__init__`.
    pub started: Vec<String>,
    /// Which of these functions get arguments by the names of their parameters: `test`.
    pub named_parameters: Vec<String>,
    /// Functions that find the classes below one: `issubclass`, `__subclasses__`; each as a whole or its last name.
    pub class_searches: Vec<String>,
    /// Functions that go through all members of an object, a class or a module: `dir`; each as a whole or its last name.
    pub member_searches: Vec<String>,
    /// Words that mean the module around them: `__name__`.
    pub own_modules: Vec<String>,
    /// Members of a class that are called when another one extends it: `__init_subclass__`.
    pub class_hooks: Vec<String>,
    /// Types of code in a class that runs when the class is defined: `static { … }`.
    pub class_code: Vec<String>,
    /// Names of files in no language that name definitions: `setup.cfg`, `*.xml`.
    pub naming_files: Vec<String>,
    /// Regexes of lines in comments and documentation whose words name definitions, by what they are: `"doctest" = "^\\s*>>>"`.
    pub naming_comments: BTreeMap<String, String>,
    /// The ends of the names of files that only declare what others define: `.pyi`.
    pub declaration_files: Vec<String>,
    /// Files that make the folder around them a library whose public definitions other programs use, by their names, each
    /// with a regex of what it says: `"pyproject.toml" = "^\[build-system\]"`.
    pub libraries: BTreeMap<String, String>,
    /// Whether a base class cannot call the private members of a class.
    pub private_is_hidden: bool,
    /// Whether every word of a file may be a name of other languages, not only those in strings.
    pub words_are_names: bool,
    /// Whether definitions of the visibility `public` may be used from outside the project.
    pub public_is_exported: bool,
    /// Functions that access a member of an object by a computed name: `getattr`.
    pub dynamic_calls: Vec<String>,
    /// Types of expressions that do: `this[name]`.
    pub dynamic_accesses: Vec<String>,
    /// Functions that get the name of a member as a string: `getattr`, `patch.object`; each as a whole or its last name.
    pub named_access: Vec<String>,
    /// Types of declarations of what is defined outside of the project: `declare global`.
    pub outside: Vec<String>,
    /// Variables of a class with the names of its members: `__slots__`.
    pub member_lists: Vec<String>,
    /// Whether a type implements an interface by having its methods.
    pub structural_types: bool,
    /// Whether the file of a public class has to have its name.
    pub class_files: bool,
    /// Types of objects that share their name with a class, and have members of their own.
    pub companions: Vec<String>,
    /// Methods of such an object that a call of its name calls: `apply`.
    pub companion_calls: Vec<String>,
    /// Methods of a class whose call makes an instance: `new`.
    pub instance_calls: Vec<String>,
    /// Functions that, called in the body of a class, give its objects the methods of a module: `include`.
    pub mixins: Vec<String>,
    /// Those whose methods come before the class's own: `prepend`.
    pub early_mixins: Vec<String>,
    /// Those that give them to the class itself: `extend`.
    pub class_mixins: Vec<String>,
    /// Words that give a module its own methods: `module_function`.
    pub own_mixins: Vec<String>,
    /// Types of scopes whose methods are those of the class itself: `class << self`.
    pub class_scopes: Vec<String>,
    /// Types of words that may name a method without calling it: `:name`.
    pub symbol_types: Vec<String>,
    /// Places of names of methods that are defined by a statement of their own: `alias`.
    pub method_names: Vec<String>,
    /// Classes outside of any project that may be bases, with the names of their members.
    pub known_bases: BTreeMap<String, Vec<String>>,
}

/// How the name of a module leads to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleScheme {
    /// `a.b.c`: folders and files under a root.
    Dotted,
    /// `./a/b`: a path from the importing file, or a package.
    Relative,
    /// `example.org/a/b`: a folder, whose files share one scope.
    PackageFolders,
    /// `crate::a::b`: files and folders below the file of a library or a program, as `mod` declares them.
    ModuleTree,
    /// `a.b.C`: classes in packages, which their files declare and their folders are named after.
    Packages,
    /// `a.b.C`: names in namespaces, which files declare as they like.
    Namespaces,
    /// Files that are included as they are.
    Includes,
    /// `A::B`: classes and modules that any file can open again.
    OpenClasses,
    /// Names are not followed, and no other key counts: for a language whose data extends that of one where they are.
    Unsupported,
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
    /// How imports are organized; without it they are not.
    #[serde(default)]
    pub organize: Option<OrganizeRule>,
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
