//! `[symbols]`: how names mean things across files.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::by_type::ByType;
use super::form::{Form, Key, Marks, Paths, PatternPaths, Reader, Types, Words, as_written, compile_table, rules};
use super::imports::Imports;
use super::lazy_regex::LazyRegex;
use super::notation::Notation;
use super::place::Places;
use super::references::{ReferenceRule, ReferenceRules};

rules! {
    /// How names mean things across files: modules, types that are written, and values that are constructed. Paths are those
    /// of `names`.
    SymbolRules from SymbolRule {
        /// How the name of a module leads to a file; without one, names are not followed to other files.
        modules: Option<ModuleScheme>,
        /// Stems of the file that is the module of its folder: `__init__`, `index`.
        package_files: Vec<String>,
        /// Extensions that the path of a module may lack, or have in place of that of the file, the best first: `ts`, `d.ts`.
        module_extensions: Vec<String>,
        /// Folders that modules are also looked up in: `src`.
        source_folders: Vec<String>,
        /// Parts of the paths of folders whose modules are for what is inside that folder alone: `tests`.
        test_folders: Vec<String>,
        /// Names of files that name modules, with one `*` for anything: `go.mod`, `tsconfig*.json`.
        manifests: Vec<String>,
        /// A regex for the name of the module in such a file.
        manifest_name: LazyRegex,
        /// A regex for the modules in it that are folders: the name, and the path.
        manifest_folders: LazyRegex,
        /// Endings of the stems of files that other packages do not see: `_test`.
        private_files: Vec<String>,
        /// From a statement to the name of the package that it declares.
        packages: ByType<Paths>,
        /// Whether the packages of several such statements without a body are inside each other.
        packages_nest: bool,
        /// Whether the names of the packages around a package are seen in it.
        outer_packages: bool,
        /// Whether a name that a package lacks is that of no package.
        global_fallback: bool,
        /// A regex for the packages that a file declares.
        package_lines: Option<LazyRegex>,
        /// Modifiers of a class that other definitions continue: `partial`.
        part_words: Vec<String>,
        /// From what has the name of a class to its type parameters or arguments, where these tell classes apart.
        arities: ByType<Paths>,
        /// Node patterns of functions that count as methods of objects of another class, with the path to what says so.
        extensions: PatternPaths,
        /// Places of names at the top of a file that belong to the file, and not to its package.
        file_names: Places,
        /// Tokens of imports that count for all files: `global`.
        shared_imports: Marks,
        /// Words that a file with such an import contains.
        shared_words: Vec<String>,
        /// Languages whose definitions may be used, too.
        neighbours: Vec<String>,
        /// Types of members whose object is further outside: `.b` of `a?.b`.
        bare_members: Types,
        /// From an expression with such members to the object.
        bare_objects: ByType<Paths>,
        /// Whether a name before a dot may be that of a variable or that of its type, if both are the same.
        shared_names: bool,
        /// Names that the language binds by itself to values that are not known: `it`.
        implicit_names: Vec<String>,
        /// Types of functions in which a name may be a member of an object that is not written: lambdas with a receiver.
        open_scopes: Types,
        /// Functions whose arguments have no such object: `map`.
        closed_calls: Vec<String>,
        /// Words for the object of a method: `this`, where that is a name.
        self_words: Vec<String>,
        /// Words for that object as one of the base class: `parent`.
        super_words: Vec<String>,
        /// Modifiers of members that belong to the class itself: `static`.
        static_words: Vec<String>,
        /// What symbols need beyond `[references]`: lists are added to those there, and a place that binds here is a name.
        references: AddedReferences,
        /// Types of definitions that are classes, even without a body.
        classes: Types,
        /// From a definition outside a class, or a scope of such definitions, to the class of which they are members.
        attached: ByType<Paths>,
        /// Node patterns of fields whose members are also those of the class, with the path to the field's type.
        embedded: PatternPaths,
        /// From the definition of a class to the type annotation that it is made of.
        underlying: ByType<Paths>,
        /// From a type annotation to that of its elements.
        elements: ByType<Paths>,
        /// From a type annotation to that of its keys.
        element_keys: ByType<Paths>,
        /// From an expression for an element to the container.
        indexed: ByType<Paths>,
        /// From what binds names to the elements of a container, one after the other, to the container.
        ranges: ByType<Paths>,
        /// Whether the first of two such names is the key, and a single one too.
        range_keys: bool,
        /// From a type annotation of functions to that of the result.
        function_types: ByType<Paths>,
        /// From a type annotation of several values to their types.
        tuples: ByType<Paths>,
        /// Stems of the file that is a library as a whole: `lib`.
        crate_files: Vec<String>,
        /// A regex for the path of that file in a manifest.
        manifest_root: LazyRegex,
        /// A regex for the path of a module's file in what is before its declaration: `#[path = "x.rs"]`.
        module_path: LazyRegex,
        /// Types of definitions that are modules.
        module_types: Types,
        /// Words for the module at the root: `crate`; for the module itself: `self`; for the one around: `super`.
        root_words: Vec<String>,
        /// See there.
        own_words: Vec<String>,
        /// See there.
        parent_words: Vec<String>,
        /// Places where these words mean modules.
        module_places: Places,
        /// From a scope of members that are attached to a class to a base of that class: a trait that it implements.
        attached_bases: ByType<Paths>,
        /// Types of members that are classes and have the members of the class around: the variants of an enum.
        variants: Types,
        /// Types of members that are those of the trait, wherever it is implemented: associated types.
        trait_members: Types,
        /// Methods whose result is like their object: `clone`.
        same_methods: Vec<String>,
        /// Methods whose result is an element of their object: `unwrap`.
        element_methods: Vec<String>,
        /// Generic types whose elements have the type of the first argument, and not that of the last: `Result`.
        first_element_types: Vec<String>,
        /// Types with tokens instead of expressions: the arguments of a macro.
        loose: Types,
        /// Types inside which no such name is known: the definition of a macro.
        opaque: Types,
        /// A regex for what the lines that include files include.
        include_lines: Option<LazyRegex>,
        /// Types between a name and its definition: `*` and `()` of a declarator.
        declarators: Types,
        /// Those of them that make a name right inside them that of a function.
        function_declarators: Types,
        /// Whether the elements of an object count as the object itself: arrays and pointers.
        elements_are_alike: bool,
        /// Declarators of arrays.
        array_declarators: Types,
        /// Whether a name in a class may be that of an inherited member, with nothing before it.
        implicit_members: bool,
        /// Types that mean that of the value: `var`.
        inferred_types: Vec<String>,
        /// Types of several names joined by dots or the like, all of which are names: `Map.Entry`.
        written_paths: Types,
        /// Types of lists of values or of names side by side: `a, b = 1, 2`.
        value_lists: Types,
        /// Functions of the language whose result has the type that is their first argument: `new`.
        typed_calls: Vec<String>,
        /// Functions of the language whose result is like their first argument: `append`.
        same_calls: Vec<String>,
        /// From a part of a statement to the type that a name has in it: a case of a switch over types.
        narrowed: ByType<Paths>,
        /// Places of the names that have another type there.
        narrowing: Places,
        /// Places of names of fields in an expression that makes an instance.
        field_keys: Places,
        /// Types of the braces in such an expression.
        made_bodies: Types,
        /// Whether a name that nothing binds can only be that of an imported package.
        imports_are_complete: bool,
        /// Whether a call of a class makes an instance of it.
        constructs: bool,
        /// From what binds names to the type that is written there.
        annotations: ByType<Paths>,
        /// From what binds names to the value that they get.
        values: ByType<Paths>,
        /// Expressions that have the value of one of their parts: parentheses, `a or b`.
        same: ByType<Paths>,
        /// Expressions with a type annotation, with the path to it.
        casts: ByType<Paths>,
        /// Expressions that make an instance, with the path to the class: `new A()`.
        creations: ByType<Paths>,
        /// From what has a member's name to its receiver.
        objects: ByType<Paths>,
        /// From what binds a name to an object on which one of the methods `enters` is called: `with`.
        entered: ByType<Paths>,
        /// Names of these methods.
        enters: Vec<String>,
        /// From what binds a name to the class of an instance: `except A as e`.
        caught: ByType<Paths>,
        /// From a type annotation to the types whose members it has: the head of a generic type, the alternatives of a union.
        type_heads: ByType<Paths>,
        /// From a generic type to its arguments.
        type_arguments: ByType<Paths>,
        /// Types of strings that contain a type annotation.
        quoted_types: Types,
        /// Types of expressions whose values have no members in the project, nor what their methods return: numbers, strings.
        literals: Types,
        /// Types of expressions whose values have no members in the project, but may contain objects that have: lists.
        containers: Types,
        /// Types that say nothing: `Any`.
        any_types: Vec<String>,
        /// Functions of the language that return numbers, strings and the like: `len`.
        plain_calls: Vec<String>,
        /// Generic types that have the members of their first argument: `Optional`.
        wrapper_types: Vec<String>,
        /// Generic types whose values are classes: `type[A]`.
        class_types: Vec<String>,
        /// Types that name the class around them: `Self`.
        own_types: Vec<String>,
        /// Types without members: `None`.
        no_types: Vec<String>,
        /// Functions whose call is the object as one of the base class: `super()`.
        super_calls: Vec<String>,
        /// Types of expressions that are that: `super`.
        super_types: Marks,
        /// Functions that return the class of their argument: `type(x)`.
        class_calls: Vec<String>,
        /// Attributes that are the class of their object: `__class__`.
        class_attributes: Vec<String>,
        /// Decorators of methods that are read like a variable.
        properties: Vec<String>,
        /// Decorators of methods whose first parameter is the class.
        class_methods: Vec<String>,
        /// Decorators that leave a function's type as it is.
        plain_decorators: Vec<String>,
        /// Methods that give a class any member: `__getattr__`.
        open_members: Vec<String>,
        /// From a statement that returns to the value.
        results: ByType<Paths>,
        /// Types that make a function's result another one than what it returns: `yield`.
        generators: Types,
        /// The words of `parts` that mean the module as a whole: `*`.
        whole_modules: Vec<String>,
        /// How statements that export are read, as those that import.
        exports: Imports,
        /// Node patterns of statements that export one thing without a name, with the path to it.
        default_exports: PatternPaths,
        /// The name under which another module imports that.
        default_name: Option<String>,
        /// Functions whose call with a module's name is what that module exports: `require`.
        require_calls: Vec<String>,
        /// Functions whose first argument is the path of a module: `require`, `import`, `jest.mock`.
        module_calls: Vec<String>,
        /// A regex of the beginning of a statement whose block only type checkers read: `if TYPE_CHECKING:`.
        type_blocks: Option<LazyRegex>,
        /// How an import is written, for refactors: `name`, `alias`, `path`, `path_alias`, `default`, `whole`, `export`,
        /// `export_alias`, with `$module`, `$name`, `$alias` and `$variety` (a word such as `type`, with a space after it).
        /// `exported` is what is before a definition that other modules can import; `type_block` begins a statement whose imports
        /// only type checkers read, `type_block_import` is the import that it needs, `postponed` the statement after which written
        /// types are not evaluated.
        import_forms: BTreeMap<String, String>,
        /// Objects whose members a module exports: `exports`, `module.exports`.
        export_objects: Vec<String>,
        /// Those of them to which a module assigns what it is as a whole: `module.exports`.
        export_wholes: Vec<String>,
        /// The variable that lists the names of a module that `*` imports.
        public_list: Option<String>,
        /// The prefix of names that `*` does not import.
        private_prefix: Option<String>,
        /// Names that the language defines.
        builtins: Words,
        /// Regexes of names that the language or a tool uses by itself, by what they are: `"test" = "^test_"`.
        entries: BTreeMap<String, LazyRegex>,
        /// Regexes of decorators that have something call what they decorate, by what that is: `"test" = "^Test$"`.
        entry_decorators: BTreeMap<String, LazyRegex>,
        /// Regexes of modifiers of functions that the language's syntax calls, by what those are: `"operator" = "^operator$"`.
        entry_modifiers: BTreeMap<String, LazyRegex>,
        /// Which of these start by themselves, so that what holds them is in use, too: `test`, but not `__init__`.
        started: Vec<String>,
        /// Which of these functions get arguments by the names of their parameters: `test`.
        named_parameters: Vec<String>,
        /// Functions that find the classes below one: `issubclass`, `__subclasses__`; each as a whole or its last name.
        class_searches: Vec<String>,
        /// Functions that go through all members of an object, a class or a module: `dir`; each as a whole or its last name.
        member_searches: Vec<String>,
        /// Words that mean the module around them: `__name__`.
        own_modules: Vec<String>,
        /// Members of a class that are called when another one extends it: `__init_subclass__`.
        class_hooks: Vec<String>,
        /// Types of code in a class that runs when the class is defined: `static { … }`.
        class_code: Types,
        /// Names of files in no language that name definitions: `setup.cfg`, `*.xml`.
        naming_files: Vec<String>,
        /// Regexes of lines in comments and documentation whose words name definitions, by what they are: `"doctest" = "^\\s*>>>"`.
        naming_comments: BTreeMap<String, LazyRegex>,
        /// The ends of the names of files that only declare what others define: `.pyi`.
        declaration_files: Vec<String>,
        /// Files that make the folder around them a library whose public definitions other programs use, by their names, each
        /// with a regex of what it says: `"pyproject.toml" = "^\[build-system\]"`.
        libraries: BTreeMap<String, LazyRegex>,
        /// Whether a base class cannot call the private members of a class.
        private_is_hidden: bool,
        /// Whether every word of a file may be a name of other languages, not only those in strings.
        words_are_names: bool,
        /// Whether definitions of the visibility `public` may be used from outside the project.
        public_is_exported: bool,
        /// Functions that access a member of an object by a computed name: `getattr`.
        dynamic_calls: Vec<String>,
        /// Types of expressions that do: `this[name]`.
        dynamic_accesses: Types,
        /// Functions that get the name of a member as a string: `getattr`, `patch.object`; each as a whole or its last name.
        named_access: Vec<String>,
        /// Types of declarations of what is defined outside of the project: `declare global`.
        outside: Types,
        /// Variables of a class with the names of its members: `__slots__`.
        member_lists: Vec<String>,
        /// Whether a type implements an interface by having its methods.
        structural_types: bool,
        /// Whether the file of a public class has to have its name.
        class_files: bool,
        /// Types of objects that share their name with a class, and have members of their own.
        companions: Types,
        /// Methods of such an object that a call of its name calls: `apply`.
        companion_calls: Vec<String>,
        /// Methods of a class whose call makes an instance: `new`.
        instance_calls: Vec<String>,
        /// Functions that, called in the body of a class, give its objects the methods of a module: `include`.
        mixins: Vec<String>,
        /// Those whose methods come before the class's own: `prepend`.
        early_mixins: Vec<String>,
        /// Those that give them to the class itself: `extend`.
        class_mixins: Vec<String>,
        /// Words that give a module its own methods: `module_function`.
        own_mixins: Vec<String>,
        /// Types of scopes whose methods are those of the class itself: `class << self`.
        class_scopes: Types,
        /// Types of words that may name a method without calling it: `:name`.
        symbol_types: Types,
        /// Places of names of methods that are defined by a statement of their own: `alias`.
        method_names: Places,
        /// Classes outside of any project that may be bases, with the names of their members.
        known_bases: BTreeMap<String, Vec<String>>,
    }
}

as_written!(ModuleScheme);

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
    /// Names are not followed, and no other key counts: for a language that inherits from one with names.
    Unsupported,
}

/// What symbols need beyond `[references]`. It is compiled with that table, in [`SymbolRules::new`].
#[derive(Debug)]
pub enum AddedReferences {}

impl Form for AddedReferences {
    type Written = ReferenceRule;
    type Compiled = Option<ReferenceRules>;

    fn compile(_: &ReferenceRule, _: Key<'_>, _: &Reader<'_>) -> Option<ReferenceRules> {
        None
    }
}

impl SymbolRules {
    /// # Errors
    /// Says which word the grammar does not have.
    pub(super) fn new(
        written: &SymbolRule,
        references: &ReferenceRule,
        notation: Notation<'_>,
    ) -> Result<SymbolRules, String> {
        if written.modules == Some(ModuleScheme::Unsupported) {
            let entries = SymbolRule { entries: written.entries.clone(), ..SymbolRule::default() };
            return compile_table::<SymbolRules>(&entries, "symbols", notation);
        }
        let mut rules = compile_table::<SymbolRules>(written, "symbols", notation)?;
        if !written.references.bindings.is_empty() || !written.references.members.is_empty() {
            let joined = references.joined(&written.references);
            rules.references = Some(compile_table::<ReferenceRules>(&joined, "symbols.references", notation)?);
        }
        Ok(rules)
    }
}
