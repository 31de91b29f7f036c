//! Renames in C, Java and C#: names that mean what the file declares, name spaces of their own, and names that are taken.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

/// A rename from each of some places of a file writes the same.
#[track_caller]
fn renamed(path: &str, text: &str, places: &[&str], after: &str) {
    for place in places {
        check(&[(path, text)], &rename(&format!("{path}:{place}"), "zebra"), &[(path, after)]);
    }
}

/// A rename is refused, and a part of the reason.
#[track_caller]
fn taken(path: &str, text: &str, place: &str, to: &str, reason: &str) {
    let (code, places) = refused(&[(path, text)], &rename(&format!("{path}:{place}"), to));
    let is_said = code == "would_rebind" || places.iter().any(|place| place.contains(reason));
    assert!(is_said, "{place} to {to} in {text}: {code} {places:#?}");
}

#[test]
fn what_a_block_declares_is_the_name_of_the_file() {
    renamed(
        "a.c",
        "long dog = 7;\nlong bee() { extern long dog; return dog; }\n",
        &["1:6", "2:26", "2:38"],
        "long zebra = 7;\nlong bee() { extern long zebra; return zebra; }\n",
    );
    renamed(
        "a.c",
        "long *dog(void);\nlong bee() { long *dog(void), cat = 1; return *dog() + cat; }\nlong *dog(void) { return 0; }\n",
        &["1:7", "2:20", "3:7"],
        "long *zebra(void);\nlong bee() { long *zebra(void), cat = 1; return *zebra() + cat; }\nlong *zebra(void) { return 0; }\n",
    );
    // A pointer is a variable of the block.
    renamed(
        "a.c",
        "long dog(void);\nlong bee() { long (*dog)(void) = 0; return dog(); }\n",
        &["2:21", "2:44"],
        "long dog(void);\nlong bee() { long (*zebra)(void) = 0; return zebra(); }\n",
    );
}

#[test]
fn labels_and_constants_of_enums_are_seen_outside_of_their_block() {
    let program = "int f(int x) {\n  goto cat;\n  { cat: x++; if (x < 2) goto cat; }\n  return x;\n}\n";
    renamed("a.c", program, &["2:8", "3:5", "3:31"], &program.replace("cat", "zebra"));
    let program = "struct s {\n  enum { dog = 2, cat } k;\n};\nint f(void) { return cat; }\n";
    renamed("a.c", program, &["2:19", "4:22"], &program.replace("cat", "zebra"));
    // It counts from where it is written.
    renamed(
        "a.c",
        "static int ant(int x);\nint f(void) {\n  int y = ant(1);\n  enum { ant = 6 };\n  return ant + y;\n}\n",
        &["4:10", "5:10"],
        "static int ant(int x);\nint f(void) {\n  int y = ant(1);\n  enum { zebra = 6 };\n  return zebra + y;\n}\n",
    );
}

#[test]
fn tags_are_a_name_space_of_their_own() {
    let program =
        "typedef struct dog { struct dog *next; } dog;\nint f(dog *d, struct dog *e) { return d == e->next; }\n";
    renamed(
        "a.c",
        program,
        &["1:16", "1:29", "2:22"],
        "typedef struct zebra { struct zebra *next; } dog;\nint f(dog *d, struct zebra *e) { return d == e->next; }\n",
    );
    renamed(
        "a.c",
        program,
        &["1:42", "2:7"],
        "typedef struct dog { struct dog *next; } zebra;\nint f(zebra *d, struct dog *e) { return d == e->next; }\n",
    );
    // A block may define one of its own.
    let program = "struct cat { int x; };\nint f(struct cat *a) {\n  struct cat { int y; } c = {2};\n  return c.y + ((struct cat){ .y = 3 }).y;\n}\nint g(struct cat a) { return a.x; }\n";
    renamed(
        "a.c",
        program,
        &["3:10", "4:25"],
        &program.replace("cat {", "zebra {").replacen("zebra", "cat", 1).replace("(struct cat)", "(struct zebra)"),
    );
    renamed(
        "a.c",
        program,
        &["1:8", "2:14", "6:14"],
        &program
            .replacen("cat", "zebra", 1)
            .replace("f(struct cat", "f(struct zebra")
            .replace("g(struct cat", "g(struct zebra"),
    );
    renamed(
        "a.c",
        program,
        &["3:20", "4:12", "4:32", "4:41"],
        &program
            .replace("int y", "int zebra")
            .replace("c.y", "c.zebra")
            .replace(".y =", ".zebra =")
            .replace(").y", ").zebra"),
    );
    let program = "struct s { struct dog { int x; } d; enum cat { ant } c; };\nint f(struct dog *d, enum cat c) { return d->x + c; }\n";
    renamed("a.c", program, &["1:19", "2:14"], &program.replace("dog", "zebra"));
    renamed("a.c", program, &["1:42", "2:27"], &program.replace("cat", "zebra"));
    // A header before that one only names the tag.
    let files = [
        ("a.h", "struct Lex { struct Fs *fs; };\n"),
        ("b.h", "typedef struct Fs { int x; } Fs;\n"),
        ("main.c", "#include \"a.h\"\n#include \"b.h\"\nint f(Fs *f, struct Lex *l) { return f == l->fs; }\n"),
    ];
    for place in ["b.h:1:30", "main.c:3:7"] {
        let after = [
            ("b.h", "typedef struct Fs { int x; } zebra;\n"),
            ("main.c", "#include \"a.h\"\n#include \"b.h\"\nint f(zebra *f, struct Lex *l) { return f == l->fs; }\n"),
        ];
        check(&files, &rename(place, "zebra"), &after);
    }
    for place in ["a.h:1:21", "b.h:1:16"] {
        let (_, places) = refused(&files, &rename(place, "zebra"));
        assert!(places.iter().any(|place| place.contains("declared here")), "{places:#?}");
    }
}

#[test]
fn a_macro_replaces_every_word_of_its_name() {
    let program = "#define ant 7\n#define bee(x) x\nstruct fox { long dog; };\nlong f(struct fox *f, long cat) { return f->dog + cat + ant; }\n";
    for (place, to) in
        [("3:19", "ant"), ("3:8", "ant"), ("4:28", "ant"), ("1:9", "dog"), ("1:9", "cat"), ("1:9", "fox")]
    {
        taken("a.c", program, place, to, "macro");
    }
    // A macro with parameters is one before arguments alone.
    renamed_to("a.c", program, "3:19", "bee");
    taken("a.c", "#define bee(x) x\nint cat(int y) { return y; }\n", "2:5", "bee", "macro");
    let files = [("a.h", "#define ant 7\n"), ("a.c", "#include \"a.h\"\nstruct fox { long dog; };\n")];
    assert!(refused(&files, &rename("a.c:2:19", "ant")).1.iter().any(|place| place.contains("macro")));
    assert!(refused(&files, &rename("a.h:1:9", "dog")).1.iter().any(|place| place.contains("macro")));
    let files = [("a.h", "#define ant 7\n"), ("a.c", "struct fox { long dog; };\n")];
    run(&files, &rename("a.c:1:19", "ant")).unwrap();
}

#[track_caller]
fn renamed_to(path: &str, text: &str, place: &str, to: &str) {
    run(&[(path, text)], &rename(&format!("{path}:{place}"), to)).unwrap_or_else(|error| panic!("{error:#}"));
}

#[test]
fn a_linker_takes_two_functions_of_a_name_for_one() {
    let files =
        [("a.c", "long gnu() { return 1; }\n"), ("b.c", "long elk() { return 2; }\nstatic long cat() { return 3; }\n")];
    let (_, places) = refused(&files, &rename("a.c:1:6", "elk"));
    assert_eq!(places, ["b.c:1 another file has this `elk`, and a linker would take both for one"]);
    run(&files, &rename("a.c:1:6", "cat")).unwrap();
}

#[test]
fn variables_around_and_inside_keep_their_names_to_themselves() {
    let program = "class Main {\n  static int bee(int elk) {\n    int gnu = 4;\n    java.util.function.IntUnaryOperator f = dog -> 4;\n    for (int fox = 0; fox < 2; fox++) { int hen = fox; }\n    try { gnu = 1 / gnu; } catch (Exception cat) { return 2; }\n    int hen = 3;\n    return gnu + f.applyAsInt(elk) + hen;\n  }\n}\n";
    for (place, to) in [
        ("2:22", "dog"),
        ("2:22", "gnu"),
        ("2:22", "fox"),
        ("2:22", "cat"),
        ("3:9", "dog"),
        ("4:45", "gnu"),
        ("4:45", "elk"),
        ("5:14", "elk"),
        ("5:14", "hen"),
        ("6:45", "gnu"),
    ] {
        taken("Main.java", program, place, to, "already has a variable");
    }
    // Beside each other, and before the declaration, they may.
    for (place, to) in
        [("4:45", "fox"), ("5:14", "cat"), ("5:45", "cat"), ("7:9", "dog"), ("7:9", "fox"), ("4:45", "hen")]
    {
        renamed_to("Main.java", program, place, to);
    }
    // A class is between them.
    let program = "class Main {\n  int bee(int elk) {\n    Runnable r = new Runnable() { public void run() { int dog = 1; } };\n    return elk;\n  }\n}\n";
    renamed_to("Main.java", program, "3:59", "elk");
    let program = "class A {\n  int F(int elk) {\n    foreach (var fox in new int[0]) { int ox = fox; }\n    int ox2 = 1;\n    System.Func<int, int> f = dog => dog;\n    return elk + ox2;\n  }\n}\n";
    for (place, to) in
        [("2:13", "fox"), ("3:18", "elk"), ("3:43", "ox2"), ("4:9", "ox"), ("3:43", "fox"), ("5:31", "elk")]
    {
        taken("a.cs", program, place, to, "already has a variable");
    }
    renamed_to("a.cs", program, "5:31", "fox");
    // Parameters and the outermost block are one scope.
    for path in ["a.c", "a.cpp"] {
        let program = "long ant(long elk) {\n  long dog = elk;\n  { long cat = 1; dog += cat; }\n  return dog;\n}\n";
        taken(path, program, "2:8", "elk", "");
        taken(path, program, "1:15", "dog", "");
        renamed_to(path, program, "3:10", "elk");
    }
}

#[test]
fn types_and_variables_of_java_are_two_name_spaces() {
    let program = "class Main {\n  record ant(int elk) { }\n  static final int ant = 3;\n  int f() { return ant + new ant(2).elk(); }\n}\n";
    renamed(
        "Main.java",
        program,
        &["2:10", "4:30"],
        "class Main {\n  record zebra(int elk) { }\n  static final int ant = 3;\n  int f() { return ant + new zebra(2).elk(); }\n}\n",
    );
    renamed(
        "Main.java",
        program,
        &["3:20", "4:20"],
        "class Main {\n  record ant(int elk) { }\n  static final int zebra = 3;\n  int f() { return zebra + new ant(2).elk(); }\n}\n",
    );
    // After a dot, too, the field comes before the class, but where only a class can be.
    let program = |record: &str, field: &str| {
        format!(
            "class Main {{\n  static class Side {{\n    record {record}(int elk) {{ }}\n    static final int {field} = 3;\n  }}\n  int f() {{ return Side.{field} + new Side.{record}(2).elk(); }}\n}}\n"
        )
    };
    renamed("Main.java", &program("cat", "cat"), &["4:22", "6:25"], &program("cat", "zebra"));
    renamed("Main.java", &program("cat", "cat"), &["3:12", "6:40"], &program("zebra", "cat"));
    // Before a dot, the variable comes first.
    renamed(
        "Main.java",
        "class Main { static <elk> int dog(elk elk) { return elk.hashCode(); } }\n",
        &["1:39", "1:53"],
        "class Main { static <elk> int dog(elk zebra) { return zebra.hashCode(); } }\n",
    );
    renamed(
        "Main.java",
        "class Main { static class dog { static int x; } int f() { return dog.x + Main.dog.x; } }\n",
        &["1:27", "1:66", "1:79"],
        "class Main { static class zebra { static int x; } int f() { return zebra.x + Main.zebra.x; } }\n",
    );
    // The class of an object inside another one is its member.
    let program = "class Main {\n  static class Dog { class Cat { int fox() { return 3; } } }\n  int f() { return new Dog().new Cat().fox(); }\n}\n";
    renamed("Main.java", program, &["2:38", "3:40"], &program.replace("fox", "zebra"));
    renamed("Main.java", program, &["2:28", "3:34"], &program.replace("Cat", "zebra"));
}

#[test]
fn an_assignment_in_a_block_of_ruby_is_one_to_its_parameter() {
    for (program, places) in [
        ("[7, 9].each do |elk|\n  elk += 3\n  puts elk\nend\n", ["1:17", "2:3", "3:8"]),
        ("f = ->(elk, cat = 2) { elk = cat\n  elk = 4\n puts elk }\n", ["1:8", "1:24", "2:3"]),
    ] {
        renamed("a.rb", program, &places, &program.replace("elk", "zebra"));
    }
    let program = "def fox(bee)\n  [bee, 9].each do |bee|\n    bee = 3\n    [1].each { bee += 1 }\n  end\n  bee\nend\n";
    renamed(
        "a.rb",
        program,
        &["1:9", "2:4", "6:3"],
        "def fox(zebra)\n  [zebra, 9].each do |bee|\n    bee = 3\n    [1].each { bee += 1 }\n  end\n  zebra\nend\n",
    );
    renamed(
        "a.rb",
        program,
        &["2:21", "3:5", "4:16"],
        "def fox(bee)\n  [bee, 9].each do |zebra|\n    zebra = 3\n    [1].each { zebra += 1 }\n  end\n  bee\nend\n",
    );
}

#[test]
fn arguments_of_new_name_parameters_of_the_constructor() {
    let program = "<?php\nclass fox {\n    public $bee = 4;\n    function __construct($bee, $cat) { $this->bee = $bee; }\n    function bee() { return 1; }\n}\nclass gnu extends fox { }\necho (new gnu(bee: 1, cat: 2))->bee + (new fox(bee: 2, cat: 3))->bee();\n";
    let named = program
        .replace("__construct($bee", "__construct($zebra")
        .replace("= $bee;", "= $zebra;")
        .replace("bee: ", "zebra: ");
    renamed("a.php", program, &["4:27", "8:15", "8:48"], &named);
    let property = program
        .replace("public $bee", "public $zebra")
        .replace("this->bee", "this->zebra")
        .replace("->bee +", "->zebra +");
    renamed("a.php", program, &["3:13", "4:47"], &property);
    renamed("a.php", program, &["5:14"], &program.replace("bee()", "zebra()"));
}

#[test]
fn variables_of_php_that_are_read_by_computed_names_or_in_another_file() {
    let by_name = "may read the variables";
    taken("a.php", "<?php\nfunction bee($ant) { return ${'ant'}; }\n", "2:15", "zebra", by_name);
    taken("a.php", "<?php\nfunction bee($ant, $x) { return $$x; }\n", "2:15", "zebra", by_name);
    taken("a.php", "<?php\n$ant = 3;\necho $$x;\n", "2:2", "zebra", by_name);
    renamed_to("a.php", "<?php\nfunction bee($ant, $elk) { return ${'elk'}; }\n", "2:15", "zebra");
    renamed_to("a.php", "<?php\n$ant = 3;\nfunction bee($x) { return $$x; }\n", "2:2", "zebra");
    renamed(
        "a.php",
        "<?php\n$ant = 1;\necho \"${ant} {$ant} $ant\";\n",
        &["2:2", "3:9"],
        "<?php\n$zebra = 1;\necho \"${zebra} {$zebra} $zebra\";\n",
    );
    let files = [
        ("main.php", "<?php\n$ant = 1;\nrequire __DIR__ . '/lib.php';\necho $ant;\n"),
        ("lib.php", "<?php\n$ant += 3;\n"),
    ];
    for place in ["main.php:2:2", "lib.php:2:2"] {
        let (_, places) = refused(&files, &rename(place, "zebra"));
        assert!(places.iter().any(|place| place.contains("runs the other")), "{places:#?}");
    }
    let files =
        [("main.php", "<?php\n$ant = 1;\necho $ant;\n"), ("lib.php", "<?php\n$ant = 3;\nfunction f() { $ant = 2; }\n")];
    check(&files, &rename("main.php:2:2", "zebra"), &[("main.php", "<?php\n$zebra = 1;\necho $zebra;\n")]);
}

#[test]
fn macros_labels_and_lifetimes_of_rust_are_name_spaces_of_their_own() {
    let program = "macro_rules! elk { ($cat:expr) => { $cat + 3 }; }\nstruct elk(i64);\nfn main() { println!(\"{}\", elk(1).0 + elk!(4)); let x = elk!(elk(2).0); }\n";
    renamed(
        "a.rs",
        program,
        &["1:14", "3:39", "3:58"],
        "macro_rules! zebra { ($cat:expr) => { $cat + 3 }; }\nstruct elk(i64);\nfn main() { println!(\"{}\", elk(1).0 + zebra!(4)); let x = zebra!(elk(2).0); }\n",
    );
    renamed(
        "a.rs",
        program,
        &["2:8", "3:28", "3:63"],
        "macro_rules! elk { ($cat:expr) => { $cat + 3 }; }\nstruct zebra(i64);\nfn main() { println!(\"{}\", zebra(1).0 + elk!(4)); let x = elk!(zebra(2).0); }\n",
    );
    let program = "mod data { pub mod elk { pub const dog: i64 = 8; } }\nuse crate::data::*;\nmacro_rules! elk { ($ant:expr) => { $ant + 1 }; }\nfn main() { println!(\"{}\", elk!(2) + elk::dog); }\n";
    renamed(
        "a.rs",
        program,
        &["1:20", "4:38"],
        "mod data { pub mod zebra { pub const dog: i64 = 8; } }\nuse crate::data::*;\nmacro_rules! elk { ($ant:expr) => { $ant + 1 }; }\nfn main() { println!(\"{}\", elk!(2) + zebra::dog); }\n",
    );
    let program = "fn f<'cat>(cat: &'cat str) -> &'cat str {\n  'cat: loop { let cat = 3; if cat > 2 { break 'cat; } }\n  cat\n}\n";
    renamed("a.rs", program, &["1:12", "3:3"], &program.replace("(cat:", "(zebra:").replace("  cat\n", "  zebra\n"));
    renamed(
        "a.rs",
        program,
        &["1:7", "1:19", "1:33"],
        &program.replace("<'cat", "<'zebra").replace("&'cat", "&'zebra"),
    );
    renamed(
        "a.rs",
        program,
        &["2:4", "2:49"],
        &program.replace("'cat:", "'zebra:").replace("break 'cat", "break 'zebra"),
    );
    renamed("a.rs", program, &["2:20", "2:32"], &program.replace("let cat", "let zebra").replace("if cat", "if zebra"));
    // A variant with fields is not a value, and a constant not a type.
    let program = "enum ant { elk(i64), bee { x: i64 } }\nimpl ant { pub const bee: i64 = 9; }\nfn main() { println!(\"{}\", ant::bee); let a = ant::bee { x: 1 }; }\n";
    renamed("a.rs", program, &["1:22", "3:52"], &program.replace("bee {", "zebra {"));
    renamed(
        "a.rs",
        program,
        &["2:22", "3:33"],
        &program.replace("const bee", "const zebra").replace("ant::bee)", "ant::zebra)"),
    );
}

#[test]
fn a_pattern_of_rust_cannot_have_the_name_of_a_constant() {
    for (constant, col) in [
        ("const cat: i64 = 3;", "1:7"),
        ("static cat: i64 = 3;", "1:8"),
        ("struct cat;", "1:8"),
        ("struct cat(i64);", "1:8"),
    ] {
        let program = format!(
            "{constant}\nfn main() {{ let ant = 1; if let Some(bee) = Some(ant) {{ }} }}\nfn f(dog: i64) -> i64 {{ dog }}\n"
        );
        for to in ["ant", "bee", "dog"] {
            taken("a.rs", &program, col, to, "a pattern");
        }
        for place in ["2:17", "2:38", "3:6"] {
            taken("a.rs", &program, place, "cat", "a pattern");
        }
    }
    let program = "mod lib { pub struct cat(pub i64); }\nuse lib::*;\nfn run(ant: i64) -> i64 { ant + cat(1).0 }\nfn go(bee: i64) -> i64 { bee }\n";
    taken("a.rs", program, "1:22", "ant", "a pattern");
    taken("a.rs", program, "1:22", "bee", "a pattern");
    // A struct with named fields is not a value, and one of another module is not seen.
    renamed_to("a.rs", "struct cat { x: i64 }\nfn f(dog: i64) -> i64 { dog }\n", "2:6", "cat");
    renamed_to("a.rs", "mod lib { pub struct cat; }\nfn f(dog: i64) -> i64 { dog }\n", "2:6", "cat");
}

#[test]
fn an_implementation_for_any_type_is_one_of_its_trait() {
    let program = "trait Say { fn say(&self) -> i64; }\ntrait Twice { fn twice(&self) -> i64; }\nstruct A;\nimpl Say for A { fn say(&self) -> i64 { 1 } }\nimpl<T: ?Sized + Say> Twice for T { fn twice(&self) -> i64 { self.say() * 2 } }\n";
    renamed("a.rs", program, &["2:18", "5:40"], &program.replace("fn twice", "fn zebra"));
    let program = format!("{program}fn main() {{ println!(\"{{}}\", 4i64.twice()); }}\n");
    for place in ["2:18", "5:40"] {
        refused(&[("a.rs", &program)], &rename(&format!("a.rs:{place}"), "zebra"));
    }
    // A field and a variable at once, where the tree does not show it.
    let program = "struct gnu { dog: i64 }\nstatic dog: i64 = 2;\nfn main() { other!(\"{}\", gnu { dog }.dog); }\n";
    for place in ["1:14", "2:8"] {
        refused(&[("a.rs", program)], &rename(&format!("a.rs:{place}"), "zebra"));
    }
}

#[test]
fn an_import_of_everything_brings_what_the_list_of_public_names_has() {
    for list in ["__all__ = [\"cat\"]\n", "__all__ = []\n__all__ += [\"cat\"]\n"] {
        let lib = format!("def gnu():\n    return 2\ncat = 4\n{list}");
        let files = [
            ("main.py", "from mod import *\nfrom lib import *\nprint(gnu() + cat)\n"),
            ("mod.py", "def gnu():\n    return 1\n"),
            ("lib.py", lib.as_str()),
        ];
        let after = [
            ("main.py", "from mod import *\nfrom lib import *\nprint(zebra() + cat)\n"),
            ("mod.py", "def zebra():\n    return 1\n"),
        ];
        check(&files, &rename("mod.py:1:5", "zebra"), &after);
        check(&files, &rename("main.py:3:7", "zebra"), &after);
        check(&files, &rename("lib.py:1:5", "zebra"), &[("lib.py", &lib.replace("gnu", "zebra"))]);
    }
}

#[test]
fn members_of_a_namespace_and_what_infer_binds() {
    let program = "namespace elk { export const ant = 3; export function f() { return ant; } }\nconst f = (x: number) => elk.ant + x;\n";
    renamed(
        "a.ts",
        program,
        &["1:30", "1:68", "2:30"],
        &program.replace("ant", "zebra").replace("constzebra", "constant"),
    );
    let by_text = "namespace elk { export const ant = 3; }\nconst x: number = elk[\"ant\"];\n";
    renamed("a.ts", by_text, &["1:30"], &by_text.replace("ant ", "zebra ").replace("\"ant\"", "\"zebra\""));
    let program = "type P<A> =\n    A extends { payload: infer Q } ? Q : never;\ntype R<A> = A extends (x: infer Q) => infer S ? [Q, S] : never;\n";
    let (first, rest) = program.split_at(program.find("type R").unwrap());
    renamed("a.ts", program, &["2:38"], &(first.replace('Q', "zebra") + rest));
    renamed("a.ts", program, &["3:33", "3:50"], &(first.to_owned() + &rest.replace('Q', "zebra")));
    let program = "interface N { name_: string }\nclass Base implements N { constructor(public name_ = \"q\") {} }\n";
    renamed("a.ts", program, &["1:15", "2:46"], &program.replace("name_", "zebra"));
}

#[test]
fn a_default_export_is_not_exported_by_its_name() {
    for end in ["ts", "mjs"] {
        let (main, lib, other) = (format!("main.{end}"), format!("lib.{end}"), format!("mod.{end}"));
        let from = if end == "ts" { String::new() } else { format!(".{end}") };
        let text = format!(
            "import {{ cat }} from \"./lib{from}\";\nimport {{ default as gnu }} from \"./lib{from}\";\nconsole.log(cat + gnu());\n"
        );
        let exports = format!("export default function cat() {{ return 1; }}\nexport * from \"./mod{from}\";\n");
        let files = [(main.as_str(), text.as_str()), (&lib, &exports), (&other, "export const cat = 2;\n")];
        let mut after =
            [(main.as_str(), text.replace("cat", "zebra")), (&other, "export const zebra = 2;\n".to_owned())];
        after.sort();
        let after = after.each_ref().map(|(path, text)| (*path, text.as_str()));
        for place in [format!("{main}:1:10"), format!("{other}:1:14"), format!("{main}:3:13")] {
            check(&files, &rename(&place, "zebra"), &after);
        }
        check(&files, &rename(&format!("{lib}:1:25"), "zebra"), &[(&lib, &exports.replace("cat", "zebra"))]);
    }
    for path in ["a.ts", "a.mjs"] {
        let exports = "export function cat() {}\nexport const dog = cat();\nexport { cat as bee };\n";
        taken(path, exports, "2:14", "bee", "already exports");
        renamed_to(path, "function cat() {}\nconst dog = cat();\nexport { cat as bee };\n", "2:7", "fox");
        // The head of a loop does not see a name before it is bound.
        let program =
            "const ant = 3;\nfor (const fox of [ant, 2]) console.log(fox);\nlet o;\nfor (o of [ant]) console.log(o);\n";
        taken(path, program, "2:12", "ant", "");
        taken(path, program, "1:7", "fox", "");
        renamed(path, program, &["2:12", "2:41"], &program.replace("fox", "zebra"));
        renamed(path, program, &["1:7", "2:20", "4:12"], &program.replace("ant", "zebra"));
    }
}

#[test]
fn a_module_may_have_a_name_that_another_one_has() {
    for (one, two, code, other, manifest) in [
        ("a.ts", "b.ts", "export const cat = 1;\nconsole.log(cat);\n", "export const dog = 2;\n", None),
        ("a.mjs", "b.mjs", "export const cat = 1;\nconsole.log(cat);\n", "export const dog = 2;\n", None),
        ("a.py", "b.py", "cat = 1\nprint(cat)\n", "dog = 2\n", None),
        (
            "src/a.rs",
            "src/b.rs",
            "pub fn cat() -> i64 { 1 }\npub fn run() -> i64 { cat() }\n",
            "pub fn dog() -> i64 { 2 }\n",
            Some(("src/lib.rs", "pub mod a;\npub mod b;\n")),
        ),
        (
            "a/a.go",
            "b/b.go",
            "package a\n\nfunc Cat() int { return 1 }\n\nfunc Run() int { return Cat() }\n",
            "package b\n\nfunc Dog() int { return 2 }\n",
            Some(("go.mod", "module m\n\ngo 1.19\n")),
        ),
    ] {
        let files: Vec<_> = [Some((one, code)), Some((two, other)), manifest].into_iter().flatten().collect();
        let (old, new) = if one.ends_with(".go") { ("Cat", "Dog") } else { ("cat", "dog") };
        let symbol = format!("{one}::{old}");
        check(&files, &json!({"kind": "rename", "symbol": symbol, "to": new}), &[(one, &code.replace(old, new))]);
    }
}

#[test]
fn classes_below_a_class_that_is_exported_without_its_name() {
    let body = "class cat {\n  dog = 9;\n  bee() { return 1; }\n}\n";
    let ends = [
        ("export { cat as default };\n", "import { default as gnu } from \"./mod.js\";\n"),
        ("export default cat;\n", "import gnu from \"./mod.js\";\n"),
        ("module.exports = cat;\n", "const gnu = require(\"./mod.js\");\n"),
    ];
    for (export, import) in ends {
        let module = format!("{body}{export}");
        let below = "class elk extends gnu {\n  fox() { return 2; }\n  bee() { return 3; }\n}\n";
        let main = format!("{import}{below}console.log(new elk().fox(), new elk().bee(), new gnu().bee());\n");
        let files = [("mod.js", module.as_str()), ("main.js", main.as_str())];
        let (code, places) = refused(&files, &rename("mod.js:2:3", "fox"));
        assert!(places.iter().any(|place| place.contains("already a member")), "{export}: {code} {places:#?}");
        check(
            &files,
            &rename("mod.js:3:3", "zebra"),
            &[("main.js", &main.replace("bee", "zebra")), ("mod.js", &module.replace("bee", "zebra"))],
        );
    }
}
