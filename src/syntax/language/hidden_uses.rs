//! `[symbols.hidden_uses]`: uses of definitions by something else than a reference.

use std::collections::BTreeMap;

use super::form::{Types, rules};
use super::lazy_regex::LazyRegex;
use super::place::{NodePatterns, Places};

rules! {
    /// Uses of definitions by something else than a reference that can be followed.
    HiddenUses from HiddenUsesRule {
        /// Functions that find the classes below one: `issubclass`, `__subclasses__`; each as a whole or its last name.
        class_searches: Vec<String>,
        /// Functions that go through all members of an object, a class or a module: `dir`; each as a whole or its last name.
        member_searches: Vec<String>,
        /// The ends of expressions that are classes as objects: `.class`.
        class_words: Vec<String>,
        /// Functions that give the members of an object values by their names; each as a whole or its last name.
        member_fillers: Vec<String>,
        /// Which of their arguments is that object: `namespace`.
        filled_arguments: Vec<String>,
        /// Words that mean the module around them: `__name__`.
        own_modules: Vec<String>,
        /// Words that mean the file around them: `__file__`.
        file_words: Vec<String>,
        /// Functions that are the table of the names of the module around: `globals`.
        own_tables: Vec<String>,
        /// Members of a frame that are the table of the names of its module: `f_globals`.
        frame_modules: Vec<String>,
        /// Names of the module that a program starts with: `__main__`. A file of this name is started by the name of its folder.
        programs: Vec<String>,
        /// Words before the name of a module in the arguments of a command: `-m`.
        program_options: Vec<String>,
        /// Functions whose argument is the name of a logger.
        logger_makers: Vec<String>,
        /// Functions that list the modules of a package: `iter_modules`.
        module_listers: Vec<String>,
        /// Words for what reads type annotations when a program runs: `get_type_hints`.
        annotation_readers: Vec<String>,
        /// Members of a class that are its members or its bases as a table: `__dict__`.
        class_tables: Vec<String>,
        /// Types of code that adds to a module of another file, which a string names: TypeScript's `declare module "./a"`.
        additions: Types,
        /// Members of a class that are called when another one extends it: `__init_subclass__`.
        class_hooks: Vec<String>,
        /// Types of code in a class that runs when the class is defined: `static { … }`.
        class_code: Types,
        /// Names of files in no language that name definitions: `setup.cfg`, `*.xml`.
        naming_files: Vec<String>,
        /// Names of files whose every word counts as code of the language, although they have endings of other kinds: assembler,
        /// what is included: `*.def`.
        code_files: Vec<String>,
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
        /// Words for what reads the variables of the function around by their names: `binding`.
        scope_readers: Vec<String>,
        /// Types of expressions that read a variable by a name that is computed: `$$name`.
        scope_reads: Types,
        /// Whether a string that is the name of a function or of a class can be called.
        callable_strings: bool,
        /// Types of what is called by a text: `$f` of `$f()`.
        text_callees: Types,
        /// Nodes that make an object of a class that a text names: `new $class`.
        text_makers: NodePatterns,
        /// Signs around code in files in no language that name definitions: `"{{" = "}}"`.
        template_signs: BTreeMap<String, String>,
        /// Types of lists that can be called if they are an object and the name of a method.
        callable_lists: Types,
        /// Calls that make a class which gets the name of the constant that it is assigned to: `Struct.new`.
        naming_calls: Vec<String>,
        /// Members of a member that tests give values by a path in a string: `return_value`.
        mocked_members: Vec<String>,
        /// Functions that run the code of a module again: `reload`.
        reloaders: Vec<String>,
        /// Whether the keys of a table are members of it as well: `table.run` for `table["run"]`.
        keys_are_members: bool,
        /// Members of functions and classes that are the names of their modules: `__module__`.
        module_readers: Vec<String>,
        /// Expressions that are always numbers: `a - b`, `i++`.
        numbers: NodePatterns,
        /// Expressions that are numbers if all of their parts are.
        number_sums: NodePatterns,
        /// Types whose values are numbers.
        number_types: Vec<String>,
        /// Calls that make a key other than a name, and the object with such keys: `Symbol`.
        symbol_makers: Vec<String>,
        /// Members of functions and classes that are their names as text: `__name__`.
        own_names: Vec<String>,
        /// Types of nodes that make such a name a key: `REGISTRY[f.__name__] = f`.
        name_keys: Types,
        /// Types of declarations that add to what another module has, which a string names: `declare module "./m" { … }`.
        augmenting: Types,
        /// Modifiers of methods that are used as fields are: `get`, `set`.
        accessor_words: Vec<String>,
        /// Types of types that are made of others: `generic_type`.
        key_types: Types,
        /// Names of those that are made of a type and of names of its members: `Omit`.
        key_takers: Vec<String>,
        /// Functions that get a key of a table: `get`.
        key_calls: Vec<String>,
        /// Functions that give a text in another case: `lower`.
        case_changes: Vec<String>,
        /// Functions that run a file, or give what it defines as a table: `run_path`.
        file_runners: Vec<String>,
        /// Arguments of programs after which code follows: `-c`.
        code_flags: Vec<String>,
        /// Words of code whose value may be any module: `sys.modules`.
        module_makers: Vec<String>,
        /// Expressions that show their own text: `interpolation(=)` for `f"{x=}"`.
        shown_code: NodePatterns,
        /// Types of nodes in which a string or symbol is only compared or shown: a case of `switch`.
        inert_parents: Types,
        /// Types of nodes in which it is only a key, unless it comes first: `a["k"]`.
        key_holders: Types,
        /// Types of pairs of which it is only the key, unless they are arguments: `:k => 1`.
        key_pairs: Types,
        /// Operators of which it is only text.
        comparisons: Vec<String>,
        /// Functions and methods to which it is only text, or a key: `strlen`.
        inert_calls: Vec<String>,
        /// Functions that access a member of an object by a computed name: `getattr`.
        dynamic_calls: Vec<String>,
        /// Whether these are methods, and of the object around where none is written: the first argument is the name.
        dynamic_methods: bool,
        /// Types of expressions that do: `this[name]`.
        dynamic_accesses: Types,
        /// Places of the names of members where another expression than a name computes them: `$o->$name`.
        computed_members: Places,
        /// Functions that get the name of a member as a string: `getattr`, `patch.object`; each as a whole or its last name.
        named_access: Vec<String>,
        /// Those that get a path of such names: `attrgetter("a.b")`.
        dotted_access: Vec<String>,
        /// Members that are the variables of a function as a table: `f_locals` of a frame.
        frame_tables: Vec<String>,
        /// Functions, and members with a dot before them, that are tables of members by their names: `globals`, `.__dict__`.
        name_tables: Vec<String>,
        /// Whether calls pass arguments by their places alone.
        unnamed_arguments: bool,
        /// Names of the table of all variables that are in no function: `$GLOBALS`.
        global_tables: Vec<String>,
        /// Words of code that gets modules by their names: `sys.modules`.
        module_tables: Vec<String>,
        /// Types of expressions that read such a table: `globals()["run"]`.
        table_accesses: Types,
        /// Functions that make a class whose members are named by strings: `type("A", (), {"run": f})`.
        class_makers: Vec<String>,
        /// Functions that put values into the string that they get first: `format`.
        text_formats: Vec<String>,
        /// Methods that add text to that of their object: `"on_".concat(name)`.
        text_joins: Vec<String>,
        /// Texts that bind a variable of the code around, with `*` for its name: `(?<*>` in a regular expression.
        text_binders: Vec<String>,
        /// Expressions that add texts: `binary_expression(.)`.
        text_sums: NodePatterns,
        /// Whether `dynamic_calls` get paths, of which the last name counts: `constant("A::B")`.
        computes_paths: bool,
        /// Those of `dynamic_calls` that are methods of every object, and take the object as the first argument where a class has them:
        /// `object.__setattr__(o, name, value)`.
        object_methods: Vec<String>,
        /// Those of `dynamic_calls` that get a class by its name: `Class.forName`.
        class_loaders: Vec<String>,
        /// Macros of the standard library, which no name may be: `errno`.
        library_macros: Vec<String>,
        /// Functions of the standard library that a linker would take another function for: `puts`.
        library_functions: Vec<String>,
        /// Functions that run a string as code: `eval`.
        code_calls: Vec<String>,
        /// Those of them that do so only without an object: `compile`, of which `re.compile` is another one.
        plain_code_calls: Vec<String>,
        /// Functions that make an object from another one, with new values of members by their names: `replace` of `dataclasses`.
        copiers: Vec<String>,
        /// Types of text that is code of a page: `<script>f()</script>`.
        page_code: Types,
        /// Types of text that may be, where it calls something: `onclick="f()"`.
        page_calls: Types,
        /// Functions that tell the names of the parameters of others: `signature` of `inspect`.
        parameter_searches: Vec<String>,
        /// Expressions that ask whether an object has a member, by its name in a string: `binary_expression(in)`.
        member_tests: NodePatterns,
        /// Methods of functions that call them with a receiver as the first argument: `call`.
        receiver_calls: Vec<String>,
        /// A regex for what is before a name in a string that a format puts it into: `"%(name)s"`.
        formats: Option<LazyRegex>,
    }
}
