//! `[symbols]`: how names mean things across files.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::autoload::Autoload;
use super::by_type::ByType;
use super::closed_types::ClosedTypes;
use super::constructions::Constructions;
use super::entries::{Entries, EntriesRule};
use super::forbidden_names::ForbiddenNames;
use super::form::{Form, Key, Marks, Paths, PatternPaths, Reader, Types, Words, as_written, compile_table, rules};
use super::hidden_uses::{HiddenUses, HiddenUsesRule};
use super::imports::Imports;
use super::lazy_regex::LazyRegex;
use super::module_tree::ModuleTree;
use super::notation::Notation;
use super::overloads::Overloads;
use super::place::{NodePatterns, Places};
use super::references::{ReferenceRule, ReferenceRules};
use super::run_documentation::RunDocumentation;
use super::shown::Shown;
use super::type_tests::TypeTests;
use super::used_from::UsedFrom;

rules! {
    /// How names mean things across files: modules, type annotations, and values that are constructed. Paths are those
    /// of `names`.
    SymbolRules from SymbolRule {
        /// How the name of a module leads to a file; without one, names are not followed to other files.
        modules: Option<ModuleScheme>,
        /// How the files of modules are named, and where they are.
        module_files: ModuleFiles,
        /// Loaders that find the file of a class by its name.
        autoload: Autoload,
        /// Files that name modules: `go.mod`, `Cargo.toml`.
        manifests: Manifests,
        /// From a statement to the name of the package that it declares.
        packages: ByType<Paths>,
        /// The schemes `package_folders` and `packages`: names that other packages cannot use.
        package_borders: PackageBorders,
        /// The scheme `namespaces`: which names a file sees besides those of its own.
        namespaces: Namespaces,
        /// Definitions that together are one class, or that have the same name and are not.
        class_parts: ClassParts,
        /// Which members a class has besides those in its body, and how they are used.
        members: Members,
        /// Members whose object is further outside: `.b` of `a?.b`.
        bare_members: BareMembers,
        /// Functions in which a name may be a member of an object that is not written: lambdas with a receiver.
        implicit_objects: ImplicitObjects,
        /// Words for the object of a method.
        object_words: ObjectWords,
        /// Rules that symbols need beyond `[references]`: lists are added to those there, and a place that binds here is a name.
        references: AddedReferences,
        /// Types of definitions that are classes, even without a body.
        classes: Types,
        /// Where a type is written, and which part of it has the members. Annotations and casts lead to it, the others from it.
        written_types: WrittenTypes,
        /// Containers and their elements.
        elements: Elements,
        /// Several values side by side.
        several_values: SeveralValues,
        /// Patterns that take an object apart by places: `Some(x)`.
        opened: OpenedPatterns,
        /// The scheme `module_tree`: modules that a file declares.
        module_tree: ModuleTree,
        /// Words in the place of a module's name.
        module_words: ModuleWords,
        /// Functions and methods that the language defines, by what they return.
        known_calls: KnownCalls,
        /// Code without a syntax tree of its own: the arguments and definitions of macros.
        loose: Loose,
        /// Macros whose bodies are text.
        macros: Macros,
        /// Names that mean a symbol by a rule, besides its own.
        derived_names: DerivedNames,
        /// Nodes that the language cannot have where they are, because the grammar misread a macro.
        misread: Misread,
        /// Names in strings that the grammar takes for text: `"{x}"` in a macro of Rust.
        text_names: TextNames,
        /// The scheme `includes`: files that are included as they are.
        includes: Includes,
        /// Declarators, between a name and its definition: `*`, `()`.
        declarators: Declarators,
        /// Names of types with a meaning for the language.
        type_words: TypeWords,
        /// Types from outside whose objects are never those of the project.
        closed_types: ClosedTypes,
        /// The languages whose code can use the symbols.
        used_from: UsedFrom,
        /// Where objects are written or read with the names of their members.
        shown: Shown,
        /// Functions with one name, and calls of constructors that do not name the class.
        overloads: Overloads,
        /// Calls that do not name what they call as others do.
        constructions: Constructions,
        /// Names that a definition cannot have beside others.
        forbidden_names: ForbiddenNames,
        /// Names that have another type in a part of a statement.
        narrowing: Narrowing,
        /// Code in which a name has a type that was tested before.
        type_tests: TypeTests,
        /// Expressions that make an instance of a class.
        made_objects: MadeObjects,
        /// Places of names that bind in patterns, which are those of constants where a constant is seen.
        pattern_names: Places,
        /// Places of the names of these constants: Rust's `const`, and structs without fields.
        constants: Places,
        /// Whether other packages can use just the names that begin with a capital letter.
        capital_exports: bool,
        /// Whether a name that nothing binds can only be that of an imported package.
        imports_are_complete: bool,
        /// Whether only one import of a scope may bind a name, be it to the same.
        imports_are_single: bool,
        /// From what binds names to the value that they get.
        values: ByType<Paths>,
        /// Places where variables and members get new values.
        assignments: Assignments,
        /// Words by which a text shows that it may name a class as a base.
        class_words: ClassWords,
        /// Expressions that have the value of one of their parts: parentheses, `a or b`.
        same: ByType<Paths>,
        /// From what has a member's name to its receiver.
        objects: ByType<Paths>,
        /// Statements that bind a name to the result of a method which they call: `with`.
        entered: Entered,
        /// From what binds a name to the class of an instance: `except A as e`.
        caught: ByType<Paths>,
        /// Code that only type checkers read.
        type_checking: TypeChecking,
        /// Types of expressions whose values have no members in the project, nor what their methods return: numbers, strings.
        literals: Types,
        /// Functions from outside of the project that give arguments to the function that they get first: `partial(f, x=1)`.
        argument_binders: Vec<String>,
        /// Types of expressions whose values have no members in the project, but may contain objects that have: lists.
        containers: Types,
        /// Expressions and types whose value is a class and not one of its objects.
        class_objects: ClassObjects,
        /// Decorators of functions and methods.
        decorators: Decorators,
        /// Results of functions.
        results: Results,
        /// How statements that export are read, as those that import.
        exports: Imports,
        /// Exports without a name.
        default_exports: DefaultExports,
        /// Modules that are loaded by a call, and objects that are filled with what a module exports.
        loaded_modules: LoadedModules,
        /// How an import is written, for refactors: `name`, `alias`, `path`, `path_alias`, `default`, `whole`, `export`,
        /// `export_alias`, with `$module`, `$name`, `$alias` and `$variety` (a word such as `type`, with a space after it).
        /// `variety` is that word for types. `exported` is what is before a definition that other modules can import; `type_block` begins a statement whose imports
        /// only type checkers read, `type_block_import` is the import that it needs, `postponed` the statement after which type
        /// annotations are not evaluated.
        import_forms: BTreeMap<String, String>,
        /// Which names of a module an import of everything binds.
        star_imports: StarImports,
        /// Names that the language defines.
        builtins: Words,
        /// Names that the language has and a file need not import, where `builtins` would say too much: the classes of `java.lang`.
        language_names: Words,
        /// Names that the language or a tool uses by itself; `unused` leaves them out.
        entries: Entries,
        /// Uses of definitions by something else than a reference that can be followed.
        hidden_uses: HiddenUses,
        /// Code in documentation that tools run.
        run_documentation: RunDocumentation,
        /// How objects are followed from where they are made.
        escapes: Escapes,
        /// Types of declarations of what is defined outside of the project: `declare global`, `extern "C" { … }`.
        outside: Types,
        /// Modifiers of functions whose code is outside of the project, which finds them by their name and that of their class:
        /// `native`.
        outside_words: Vec<String>,
        /// Names of types that are no names in code, and that a type of the project hides all the same: `i32`.
        primitive_types: Vec<String>,
        /// Objects that share their name with a class, and have members of their own.
        companions: Companions,
        /// The scheme `open_classes`: classes and modules that any file can open again.
        open_classes: OpenClasses,
    }

    /// How objects are followed from where they are made; without `ends`, they are not.
    Escapes from EscapesRule {
        /// Code that uses a value without keeping it: `if (…)`, `a === b`.
        ends: NodePatterns,
        /// Code that goes through the names of the members of a value: `for (k in o)`.
        lists: NodePatterns,
        /// Expressions of which one part is only tested.
        conditions: Types,
        /// Expressions that compare an object with a type: `a satisfies T`.
        typed: Types,
        /// Expressions in parentheses.
        groups: Types,
        /// Types at which a part of a pattern begins that takes members without naming them: `[key]`.
        unnamed: Types,
        /// From what puts the members of an object into another one to that object: `{ ...a }`.
        copies: ByType<Paths>,
        /// From loops to what they go through.
        ranges: ByType<Paths>,
        /// Types of definitions of classes, whose objects only `made_objects.creations` make.
        classes: Types,
        /// Types of expressions that give the class of an object: `new.target`.
        own_classes: Types,
        /// Members of a class that have the members of its objects: `prototype`.
        tables: Vec<String>,
        /// Functions that show the names of the members of what they get.
        shows: Vec<String>,
        /// Members of what these return that say only how many names there are: `length`.
        counts: Vec<String>,
        /// Functions that do not keep what they get.
        inert_calls: Vec<String>,
        /// Methods that keep what they get, and use none of its members: `push`.
        keeping_methods: Vec<String>,
        /// Functions that return their first argument, or a copy of it.
        same_calls: Vec<String>,
        /// Functions that give their first argument all members of the others, and return it.
        merging_calls: Vec<String>,
        /// Functions that return what is in the object which they get: `Object.values`.
        gives: Vec<String>,
        /// Manifests of libraries, whose exports other programs use, by their names, each with a regex of what it says.
        libraries: BTreeMap<String, LazyRegex>,
    }

    /// How the files of modules are named, and where they are.
    ModuleFiles from ModuleFilesRule {
        /// A regex for comments that say when a file is compiled, or that belong to a definition in its file.
        directives: Option<LazyRegex>,
        /// Last parts of names of files, after `_`, that say for which system they are.
        systems: Vec<String>,
        /// Modifiers of classes whose file has their name: `public`.
        named_after: Vec<String>,
        /// Stems of the file that is the module of its folder: `__init__`, `index`.
        packages: Vec<String>,
        /// Stems of files that run their package, and stand for it too: `__main__`.
        programs: Vec<String>,
        /// Names of modules that are made to be imported whole: `prelude`.
        preludes: Vec<String>,
        /// Extensions that the path of a module may lack, or have in place of that of the file, the best first: `ts`, `d.ts`.
        extensions: Vec<String>,
        /// Extensions of files in which the path of a module has to have its extension: `mjs`.
        whole_names: Vec<String>,
        /// The same in packages whose manifest makes their files modules: `js`.
        whole_names_in_modules: Vec<String>,
        /// Folders that modules are also looked up in: `src`.
        sources: Vec<String>,
        /// Parts of the paths of folders whose modules are for what is inside that folder alone: `tests`.
        tests: Vec<String>,
        /// Endings of the stems of files that other packages do not see: `_test`.
        private: Vec<String>,
        /// Whether the file of a public class has to have its name.
        class_names: bool,
        /// Types of statements at the top of a file that make it a module, whose names no other file sees without an import.
        statements: Types,
    }

    /// Borders of packages whose files share one scope: names that other packages cannot use.
    PackageBorders from PackageBordersRule {
        /// Places of the names of members.
        members: Places,
        /// Places of the names of members that a type asks others to have: of an interface's methods.
        asked_for: Places,
        /// Types of definitions before which words say from where they can be used.
        worded: Types,
        /// Words before what can be used from everywhere: `public`.
        open_words: Vec<String>,
        /// Words before what classes below can use, too: `protected`.
        heir_words: Vec<String>,
        /// Words before what its own class alone can use: `private`.
        class_words: Vec<String>,
        /// Types of bodies in which all can be used from everywhere: those of interfaces.
        open_bodies: Types,
        /// Types that are compared by their fields: `struct { … }`.
        records: Types,
        /// Types of lists of values that may be those of all fields of a record, in order.
        value_lists: Types,
        /// Types of their elements that name the field.
        named_values: Types,
        /// Words for the position in a group of constants: `iota`.
        counters: Types,
        /// Types of definitions in a group that has the word for them: `A = 1` of `var ( … )`.
        grouped: Types,
        /// From such a definition to its value, without which it has that of the one before.
        repeated_values: ByType<Paths>,
        /// Types of functions that need a body, if they are not written in another language.
        bodies: Types,
        /// Imports of code in another language: `C`.
        foreign_imports: Vec<String>,
        /// Names of folders whose packages are only for those below the folder around: `internal`.
        hidden_folders: Vec<String>,
        /// Names of packages that are programs, which nothing imports: `main`.
        programs: Vec<String>,
        /// Words that say which classes may extend another one: `sealed`, `permits`.
        closed_words: Vec<String>,
        /// Names of functions that look something up in the package of the class: `getResource`.
        package_words: Vec<String>,
    }

    /// Files that name modules: `go.mod`, `Cargo.toml`.
    Manifests from ManifestsRule {
        /// Their names, with one `*` for anything: `go.mod`, `tsconfig*.json`.
        files: Vec<String>,
        /// A regex for the name of the module in such a file.
        name: LazyRegex,
        /// A regex for the modules in it that are folders: the name, and the path.
        folders: LazyRegex,
        /// A regex for the path of the file that is a library as a whole.
        root: LazyRegex,
    }

    /// The scheme `namespaces`: which names a file sees besides those of its own.
    Namespaces from NamespacesRule {
        /// Whether the packages of several such statements without a body are inside each other.
        nest: bool,
        /// Whether the names of the packages around a package are seen in it.
        outer: bool,
        /// Whether a name that a package lacks is that of no package.
        global_fallback: bool,
        /// Whether that does not hold for classes.
        own_classes: bool,
        /// A regex for the packages that a file declares.
        lines: Option<LazyRegex>,
        /// Places of names at the top of a file that belong to the file, and not to its package.
        file_names: Places,
        /// Tokens of imports that count for all files: `global`.
        shared_imports: Marks,
        /// Words that a file with such an import contains.
        shared_words: Vec<String>,
        /// Modifiers of definitions at the top of a file that no other file sees: Kotlin's `private`.
        file_words: Vec<String>,
        /// Languages whose definitions may be used, too.
        neighbours: Vec<String>,
        /// Whether a name before a dot may be that of a variable or that of its type, if both are the same.
        shared_names: bool,
    }

    /// Definitions that together are one class, or that have the same name and are not.
    ClassParts from ClassPartsRule {
        /// Modifiers of a class that other definitions continue: `partial`.
        words: Vec<String>,
        /// From what has the name of a class to its type parameters or arguments, where these tell classes apart.
        arities: ByType<Paths>,
    }

    /// Which members a class has besides those in its body, and how they are used.
    Members from MembersRule {
        /// Types of expressions that implement an interface with one method: `(a, b) -> a`, `this::run`.
        lambdas: Types,
        /// Node patterns of functions that count as methods of objects of another class, with the path to what says so.
        extensions: PatternPaths,
        /// The words that have to be written there, if others may be: `this`.
        extension_words: Vec<String>,
        /// Methods that the library adds to objects of any class: `let`.
        library_extensions: Vec<String>,
        /// Modifiers of members that belong to the class itself: `static`.
        static_words: Vec<String>,
        /// From a definition outside a class, or a scope of such definitions, to the class of which they are members.
        attached: ByType<Paths>,
        /// Node patterns of fields whose members are also those of the class, with the path to the field's type.
        embedded: PatternPaths,
        /// From a scope of members that are attached to a class to a base of that class: a trait that it implements.
        attached_bases: ByType<Paths>,
        /// Types of members that are classes and have the members of the class around: the variants of an enum.
        variants: Types,
        /// Types of members that are objects of the class around: the cases of an enum.
        own_objects: Types,
        /// Types of members that are those of the trait, wherever it is implemented: associated types.
        of_traits: Types,
        /// Types of definitions whose members are the names that their body binds: a namespace of TypeScript.
        namespaces: Types,
        /// Whether members of the same name of two bases stay two members in a class with both bases: Rust's traits.
        separate_bases: bool,
        /// Whether a name in a class may be that of an inherited member, with nothing before it.
        implicit: bool,
        /// Places of members with which the parameters of a constructor have to share their names: components of a record.
        components: Places,
        /// Types of what is beside a field and names it for other code: a tag.
        tags: Types,
        /// Methods that give a class any member: `__getattr__`.
        open: Vec<String>,
        /// Those that are asked even for a member that it has: `__getattribute__`.
        replacing: Vec<String>,
        /// Types of expressions that choose a base: `class B(A if x else C)`.
        made_bases: Types,
        /// Methods of an object that are called with the name of the member that gets it: `__set_name__`.
        name_hooks: Vec<String>,
        /// Methods of the class of a class that are called with the members of that class, each with the number of that argument:
        /// `__new__ = 3`.
        namespace_hooks: BTreeMap<String, usize>,
        /// Methods of a class that are called for each class below it: `__init_subclass__`.
        subclass_hooks: Vec<String>,
        /// Variables of a class with the names of its members: `__slots__`.
        lists: Vec<String>,
        /// Whether a type implements an interface by having its methods.
        structural: bool,
        /// Whether a type implements an interface if, and only if, it has its methods.
        implements_by_methods: bool,
        /// Types of records that are one type, or can be converted, if their fields are the same: `struct_type`.
        alike_records: Types,
        /// Types of literals whose members have the names of their values, if these are written alone: `new { size }`.
        named_by_values: Types,
        /// Types of values in a literal that name a part of it in this way, which is of no importance unless code reads it: `(a, b)`.
        parts_named_by_values: NodePatterns,
        /// Types of literals with members of their own: `{ a: 1 }`.
        literals: Types,
        /// Bases that make a class a type of all that has its members: `Protocol`.
        protocols: Vec<String>,
        /// Bases whose members are the keys of a table: `TypedDict`.
        keyed_bases: Vec<String>,
        /// Types of definitions whose members are objects that know their names: `enum_declaration`.
        keyed_types: Types,
        /// Members of such a base that hold the name of a member: `name` of an enum.
        name_readers: Vec<String>,
        /// Bases that make objects of their class of what is assigned in it: `Enum`.
        enumerations: Vec<String>,
        /// Members of an object that say what is read where it is an attribute of a class: `__get__`.
        getters: Vec<String>,
        /// Members that every object has, or that are called by their name.
        of_all: Vec<String>,
        /// Modifiers of methods that the language calls by their names where these are not written: `operator`.
        called_words: Vec<String>,
        /// Types of definitions that it means without their names, if those are `unwritten_names`: the element of an annotation.
        unwritten_types: Types,
        /// See there: `value`.
        unwritten_names: Vec<String>,
        /// Members that the language or its library calls by these names wherever they are, so that a new name may not be one: `String`.
        called_by_name: Vec<String>,
        /// Methods that the language calls with arguments by their places: `__getitem__`.
        by_place: Vec<String>,
        /// Members that every function has. If there are any, others may be given to a function, which is then of a type with them.
        of_functions: Vec<String>,
        /// Classes outside of any project that may be bases, with the names of their members.
        known_bases: BTreeMap<String, Vec<String>>,
        /// The language whose standard library has the other classes: its list of members is read.
        library: String,
        /// Modules whose classes need no import.
        implied: Vec<String>,
        /// The beginning that the path of a module of the standard library may have: `node:`.
        library_prefix: Option<String>,
        /// Whether a type implements an interface of the library by having its methods.
        fits_library: bool,
        /// Packages of the library whose interfaces count even if the project does not name them.
        everywhere: Vec<String>,
    }

    /// Members whose object is further outside: `.b` of `a?.b`.
    BareMembers from BareMembersRule {
        /// Types of these members.
        types: Types,
        /// Types of labels whose name is a member of the type of what they are compared with, if that has it: `case RED`.
        labels: Types,
        /// From an expression with such members to the object.
        objects: ByType<Paths>,
    }

    /// Functions in which a name may be a member of an object that is not written: lambdas with a receiver.
    ImplicitObjects from ImplicitObjectsRule {
        /// Names that the language binds by itself to values that are not known: `it`.
        names: Vec<String>,
        /// Types of these functions.
        scopes: Types,
        /// Functions whose arguments have no such object: `map`.
        closed_calls: Vec<String>,
    }

    /// Words for the object of a method.
    ObjectWords from ObjectWordsRule {
        /// Words for it where they are names: `this`.
        own: Vec<String>,
        /// Words for it as one of the base class: `parent`.
        bases: Vec<String>,
        /// Functions whose call is the object as one of the base class: `super()`.
        base_calls: Vec<String>,
        /// Names of parameters that are the object: `this` in `f(this: A)`.
        parameters: Vec<String>,
        /// Types and tokens that are the object as one of the base class: `super`.
        base_types: Marks,
    }

    /// Where a type is written, and which part of it has the members. Annotations and casts lead to it, the others from it.
    WrittenTypes from WrittenTypesRule {
        /// From the definition of a class to the type annotation that it is made of.
        underlying: ByType<Paths>,
        /// From a type annotation of functions to that of the result.
        functions: ByType<Paths>,
        /// Types of several names joined by dots or the like, all of which are names: `Map.Entry`.
        paths: Types,
        /// From what binds names to the type that is written there.
        annotations: ByType<Paths>,
        /// Expressions with a type annotation, with the path to it.
        casts: ByType<Paths>,
        /// From a type annotation to the types whose members it has: the head of a generic type, the alternatives of a union.
        heads: ByType<Paths>,
        /// From a generic type to its arguments.
        arguments: ByType<Paths>,
    }

    /// Containers and their elements.
    Elements from ElementsRule {
        /// From a type annotation to that of its elements.
        types: ByType<Paths>,
        /// From a type annotation to that of its keys.
        keys: ByType<Paths>,
        /// From an expression for an element to the container.
        indexed: ByType<Paths>,
        /// From what binds names to the elements of a container, one after the other, to the container: a loop.
        ranges: ByType<Paths>,
        /// Whether the first of two names that are bound there is the key, and a single one too.
        range_keys: bool,
        /// Methods whose result is an element of their object: `unwrap`.
        methods: Vec<String>,
        /// Methods that call the function which they get with an element of their object: `map`.
        passing: Vec<String>,
        /// Whether these functions get more arguments after the element.
        passes_more: bool,
        /// The generic types from outside that have elements; all of them if there are none.
        containers: Vec<String>,
        /// Generic types whose elements have the type of the first argument, and not that of the last: `Result`.
        first: Vec<String>,
        /// Generic types with several arguments whose elements have the type of the last one: `Map`. If there are any, others have no
        /// elements.
        last: Vec<String>,
        /// Whether the elements of an object count as the object itself: arrays and pointers.
        alike: bool,
    }

    /// Several values side by side.
    SeveralValues from SeveralValuesRule {
        /// From a type annotation of several values to their types.
        tuples: ByType<Paths>,
        /// Types of lists of values or of names side by side: `a, b = 1, 2`.
        lists: Types,
    }

    /// Patterns that take an object apart by places: `Some(x)`, `Shape::Circle(c)`.
    OpenedPatterns from OpenedPatternsRule {
        /// From such a pattern to the name of what it takes apart.
        heads: ByType<Paths>,
        /// Patterns around a name that leave its value as it is: `ref x`.
        plain: Types,
        /// Signs of a part that gets no name: `_`.
        blank: Vec<String>,
        /// Types of any number of parts that get no names: `..`.
        rest: Types,
        /// From the definition of what is taken apart to the types of its parts.
        parts: ByType<Paths>,
        /// Names from outside of a project that hold the element of a container: `Some`.
        wrappers: Vec<String>,
        /// From what has a pattern to the container that is matched with it.
        subjects: ByType<Paths>,
        /// Types between a pattern and that, if it is the whole pattern.
        between: Types,
    }

    /// Words in the place of a module's name.
    ModuleWords from ModuleWordsRule {
        /// Words for the module at the root: `crate`.
        root: Vec<String>,
        /// Words for the module itself: `self`.
        own: Vec<String>,
        /// Words for the module around: `super`.
        parent: Vec<String>,
        /// Places where these words mean modules.
        places: Places,
        /// Words of `imports.parts` that mean a module as a whole: `*`.
        whole: Vec<String>,
    }

    /// Functions and methods that the language defines, by what they return.
    KnownCalls from KnownCallsRule {
        /// Methods whose result is like their object: `clone`.
        same_methods: Vec<String>,
        /// Functions of the language whose result has the type that is their first argument: `new`.
        typed: Vec<String>,
        /// Functions of the language whose result is like their first argument: `append`.
        same: Vec<String>,
        /// Functions of the language that return numbers, strings and the like: `len`.
        plain: Vec<String>,
        /// Functions of the language that call what they get, with arguments by their places alone: `map`.
        by_place: Vec<String>,
        /// Functions of the language that make a table with the names of their arguments as keys: `dict`.
        tables: Vec<String>,
        /// Functions outside of the project whose objects have any member: `Mock`.
        open: Vec<String>,
    }

    /// Code without a syntax tree of its own: the arguments and definitions of macros.
    Loose from LooseRule {
        /// Types with tokens instead of expressions: the arguments of a macro.
        types: Types,
        /// Types inside which no name is known: the definition of a macro.
        opaque: Types,
        /// The word at the start of a path there that means the library of the macro: `$crate`.
        root: Option<String>,
        /// The separator of the names of a path: `::`.
        separator: String,
        /// The first and last characters of tokens with the fields of a new object: `{}`.
        fields: String,
        /// Words after which names are bound: `let`.
        binding_words: Vec<String>,
        /// The ends of the pattern after such a word: `=`.
        binding_ends: Vec<String>,
        /// The mark after the name of a field of a new object: `:`.
        field_mark: String,
        /// The mark after a name that gets a value: `=`.
        value_mark: String,
        /// The mark around the parameters of a function without a name: `|`.
        parameter_mark: String,
        /// The mark after a pattern: `=>`.
        arm_mark: String,
    }

    /// Names that mean a symbol by a rule, besides its own.
    DerivedNames from DerivedNamesRule {
        /// From the derived name to the symbol's: in it, `$name` is the first group, `$Name` and `$lower` the same with a capital and a small
        /// letter first, `$class` the class of a member, and `*` at the end matches `_` and more.
        forms: BTreeMap<String, LazyRegex>,
        /// Languages in whose code such names are, if not in that of the symbol.
        languages: Vec<String>,
        /// Whether forms without `$class` hold for members, too.
        of_members: bool,
        /// Types around such names; any if there are none.
        within: Types,
        /// Whether a string may be such a name.
        in_strings: bool,
    }

    /// Nodes that the language cannot have where they are, because the grammar misread a macro.
    Misread from MisreadRule {
        /// Types that cannot be inside each other: functions.
        types: Types,
        /// Types between them that make it possible: classes.
        holders: Types,
        /// Signs without which a statement is still what it is: `;`.
        harmless: Marks,
    }

    /// Macros whose bodies are text.
    Macros from MacrosRule {
        /// Types of their definitions.
        types: Types,
        /// Types of their bodies.
        bodies: Types,
        /// Types of definitions of macros whose bodies are tokens.
        templates: Types,
        /// Types of the lists of their parameters.
        parameters: Types,
        /// Signs before the name of a member: `->`.
        member_signs: Vec<String>,
        /// Macros from outside of a project to which a member's name is given: `offsetof`.
        member_takers: Vec<String>,
        /// The sign before a parameter of which the macro makes a text: `#`.
        text_sign: Option<String>,
        /// Macros from outside that make a text of their arguments: `stringify`.
        text_makers: Vec<String>,
        /// The sign that joins a parameter with what is before or after it to a name: `##`.
        join_sign: Option<String>,
        /// The word in a definition by which a linker prefers another one: `weak`.
        weak_word: Option<String>,
        /// The text of a parameter for the rest of the arguments, and the name that means it in the body: `...`, `__VA_ARGS__`.
        rest: BTreeMap<String, String>,
    }

    /// Names in strings that the grammar takes for text: `"{x}"` in a macro of Rust.
    TextNames from TextNamesRule {
        /// Types of these strings.
        strings: Types,
        /// A regex of the parts that are code, and of the escapes that look like them.
        holes: LazyRegex,
        /// A regex of the names in such a part; each group is one.
        names: LazyRegex,
        /// Types of the lists of arguments in which only a string may have such names; none if any string may.
        arguments: Types,
        /// The sign between the name of a macro and such a list: `!`.
        mark: String,
        /// Macros that are known to read names in strings, by the number of the argument that is the string, from 0.
        callers: BTreeMap<String, Vec<String>>,
        /// How such a string begins: `/**`.
        opening: String,
        /// A regex of the names of parameters in comments before a function; each group is one.
        parameters: Option<LazyRegex>,
        /// A regex for what is before a name of another module, with the name of that module as its group.
        modules: Option<LazyRegex>,
        /// A regex for what is before a name that is only mentioned where nothing binds it: `{@link`.
        mentions: Option<LazyRegex>,
    }

    /// The scheme `includes`: files that are included as they are.
    Includes from IncludesRule {
        /// A regex for what the lines that include files include.
        lines: Option<LazyRegex>,
        /// Types of expressions that run another file, whose variables outside of functions are those of this one.
        expressions: Types,
    }

    /// Declarators, between a name and its definition: `*`, `()`.
    Declarators from DeclaratorsRule {
        /// Their types.
        types: Types,
        /// Those of `types` that make a name right inside them that of a function.
        functions: Types,
        /// Those of arrays.
        arrays: Types,
    }

    /// Names of types with a meaning for the language.
    TypeWords from TypeWordsRule {
        /// Types that mean that of the value: `var`.
        inferred: Vec<String>,
        /// Signs in a type, or in a call that makes an object, in whose place the compiler finds types: `<>`.
        inferred_marks: Vec<String>,
        /// Types that say nothing: `Any`.
        any: Vec<String>,
        /// Generic types that have the members of their first argument: `Optional`.
        wrappers: Vec<String>,
        /// Generic types that have members of their first argument, and no others: `Omit`. A class with such a base extends the argument.
        parts: Vec<String>,
        /// Types that name the class around them: `Self`.
        own: Vec<String>,
        /// Types without members: `None`.
        none: Vec<String>,
    }

    /// Names that have another type in a part of a statement.
    Narrowing from NarrowingRule {
        /// From a part of a statement to the type that a name has in it: a case of a switch over types.
        types: ByType<Paths>,
        /// Places of the names that have another type there.
        names: Places,
    }

    /// Expressions that make an instance of a class.
    MadeObjects from MadeObjectsRule {
        /// Places of the names of fields in such an expression.
        keys: Places,
        /// Places of names that are that of a field and that of a variable: `A { x }`.
        shorthand: Places,
        /// Types of the braces in such an expression.
        bodies: Types,
        /// Whether a call of a class makes an instance of it.
        classes: bool,
        /// Other expressions that do, with the path to the class: `new A()`.
        creations: ByType<Paths>,
        /// Methods of a class whose result may be another object: `__new__`, a constructor that returns.
        makers: Vec<String>,
        /// Methods that a call of an object calls, and of the class of a class, that are called in its place: `__call__`.
        callers: Vec<String>,
        /// Members of an object that are its class, which code may change: `__class__`.
        class_slots: Vec<String>,
    }

    /// Statements that bind a name to the result of a method which they call: `with`.
    Entered from EnteredRule {
        /// From what binds a name to the object whose method is called.
        places: ByType<Paths>,
        /// Names of these methods.
        methods: Vec<String>,
    }

    /// Code that only type checkers read.
    TypeChecking from TypeCheckingRule {
        /// Types of strings that contain a type annotation.
        strings: Types,
        /// A regex of the beginning of a statement whose block only type checkers read: `if TYPE_CHECKING:`.
        blocks: Option<LazyRegex>,
    }

    /// Expressions and types whose value is a class and not one of its objects.
    ClassObjects from ClassObjectsRule {
        /// Generic types whose values are classes: `type[A]`.
        types: Vec<String>,
        /// Functions that return the class of their argument: `type(x)`.
        calls: Vec<String>,
        /// Attributes that are the class of their object: `__class__`.
        attributes: Vec<String>,
    }

    /// Decorators of functions and methods.
    Decorators from DecoratorsRule {
        /// Those of methods that are read like a variable.
        properties: Vec<String>,
        /// Functions and methods outside of the project that keep what a decorator gives them, and do nothing with its name: `append`.
        keepers: Vec<String>,
        /// Those of methods whose first parameter is the class.
        class_methods: Vec<String>,
        /// Those that leave a function's type as it is.
        plain: Vec<String>,
        /// Last names of those that keep something for the function: `lru_cache`.
        keeping: Vec<String>,
        /// Members of functions that register another one, which gets the same arguments: `register`.
        registering: Vec<String>,
    }

    /// Results of functions.
    Results from ResultsRule {
        /// From a statement that returns to the value.
        values: ByType<Paths>,
        /// Types that make a function's result another one than what it returns: `yield`.
        generators: Types,
        /// Functions whose result is what they yield, by their head: `function*`.
        generating: NodePatterns,
        /// Functions whose result has to be waited for: `function_declaration(async)`.
        asynchronous: NodePatterns,
    }

    /// Exports without a name.
    DefaultExports from DefaultExportsRule {
        /// Node patterns of the statements, with the path to what they export.
        places: PatternPaths,
        /// The name under which another module imports it.
        name: Option<String>,
    }

    /// Modules that are loaded by a call, and objects that are filled with what a module exports.
    LoadedModules from LoadedModulesRule {
        /// Functions whose call with a module's name is what that module exports: `require`.
        calls: Vec<String>,
        /// Names of objects with what a module gives to such calls: `exports`.
        exports: Vec<String>,
        /// Types of what a call calls that loads a module, if it is no name: `import("./a")`.
        operators: Types,
        /// From an expression that waits for such a call, or is around it, to the call.
        waiting: ByType<Paths>,
        /// Functions whose first argument is the path of a module: `require`, `import`, `jest.mock`.
        path_calls: Vec<String>,
        /// Functions that load the module whose path or name their first argument is, which code may put together: `import`.
        computed_calls: Vec<String>,
        /// A regex of text with the path of a module in its group, where the grammar does not read it: `import("./a").B<C>` as a type.
        path_text: LazyRegex,
        /// Types of values that may be the path of a file from the folder of this one: `src="a.js"`.
        path_values: Types,
        /// Objects whose members a module exports: `exports`, `module.exports`.
        objects: Vec<String>,
        /// Those of `objects` to which a module assigns what it is as a whole: `module.exports`.
        wholes: Vec<String>,
    }

    /// Which names of a module an import of everything binds.
    StarImports from StarImportsRule {
        /// The variable that lists the names of a module that `*` imports.
        list: Option<String>,
        /// The prefix of names that `*` does not import.
        private_prefix: Option<String>,
    }

    /// Places where variables and members get new values.
    Assignments from AssignmentsRule {
        /// Whether a variable without a type annotation can get a value of any type: a parameter any that a call passes, a member
        /// one that other code or a class below assigns.
        any_type: bool,
        /// From a statement or an expression to what gets a new value there.
        places: ByType<Paths>,
    }

    /// Words by which a text shows that it may name a class as a base.
    ClassWords from ClassWordsRule {
        /// The word before the bases of a class: `class`, `extends`. A text in which no base is between such a word and the body of the
        /// class is not parsed. Without these words each text that contains the name is.
        heads: Vec<String>,
        /// The word or sign between a name and the other name that an import gives it: `as`.
        renames: Vec<String>,
    }

    /// Objects that share their name with a class, and have members of their own.
    Companions from CompanionsRule {
        /// Types of these objects.
        types: Types,
        /// Methods of such an object that a call of its name calls: `apply`.
        calls: Vec<String>,
    }

    /// The scheme `open_classes`: classes and modules that any file can open again.
    OpenClasses from OpenClassesRule {
        /// The separator between the names of a class and of the one around it: `::`.
        separator: String,
        /// Methods of a class whose call makes an instance: `new`.
        instance_calls: Vec<String>,
        /// Functions that, called in the body of a class, give its objects the methods of a module: `include`.
        mixins: Vec<String>,
        /// Those of `mixins` whose methods come before the class's own: `prepend`.
        early_mixins: Vec<String>,
        /// Those of `mixins` that give them to the class itself: `extend`.
        class_mixins: Vec<String>,
        /// Words that give a module its own methods: `module_function`.
        own_mixins: Vec<String>,
        /// Types of scopes whose methods are those of the class itself: `class << self`.
        class_scopes: Types,
        /// Types of keys in a hash or a call: `name:`.
        key_types: Types,
        /// Types of the lists of arguments in which a key may name a parameter.
        key_lists: Types,
        /// Places of parameters that such a key names.
        keyword_parameters: Places,
        /// Types of words that may name a method without calling it: `:name`.
        symbol_types: Types,
        /// Calls in the body of a class that make its members, or tell which, by their names: `attr_reader`.
        member_makers: Vec<String>,
        /// Places of names of methods that are defined by a statement of their own: `alias`.
        method_names: Places,
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

/// Rules that symbols need beyond `[references]`. They are compiled with that table, in [`SymbolRule::compile_references`].
#[derive(Debug)]
pub enum AddedReferences {}

impl Form for AddedReferences {
    type Written = ReferenceRule;
    type Compiled = Option<ReferenceRules>;

    fn compile(_: &ReferenceRule, _: Key<'_>, _: &Reader<'_>) -> Option<ReferenceRules> {
        None
    }
}

impl SymbolRule {
    /// Leaves out what does not count by the scheme: of a language whose names are not followed, only the names of entries, the
    /// declarators around names, and the bodies of macros do.
    pub(super) fn limit_to_scheme(&mut self) {
        if self.modules == Some(ModuleScheme::Unsupported) {
            let names = std::mem::take(&mut self.entries.names);
            let entries = EntriesRule { names, ..EntriesRule::default() };
            let library = |hidden: &mut HiddenUsesRule| HiddenUsesRule {
                library_macros: std::mem::take(&mut hidden.library_macros),
                library_functions: std::mem::take(&mut hidden.library_functions),
                code_files: std::mem::take(&mut hidden.code_files),
                ..HiddenUsesRule::default()
            };
            let hidden_uses = library(&mut self.hidden_uses);
            let (declarators, macros) = (std::mem::take(&mut self.declarators), std::mem::take(&mut self.macros));
            *self = SymbolRule { entries, hidden_uses, declarators, macros, ..SymbolRule::default() };
        }
    }

    /// The rules of `[references]` joined with those here; none if nothing is here.
    ///
    /// # Errors
    /// Says which word the grammar does not have.
    pub(super) fn compile_references(
        &self,
        references: &ReferenceRule,
        notation: Notation<'_>,
    ) -> Result<Option<ReferenceRules>, String> {
        if self.references.bindings.is_empty() && self.references.members.is_empty() {
            return Ok(None);
        }
        let joined = references.joined(&self.references);
        compile_table::<ReferenceRules>(&joined, "symbols.references", notation).map(Some)
    }
}
