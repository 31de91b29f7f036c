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
        assert!(places.iter().any(|place| place.contains("linker")), "{places:#?}");
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
    for (place, to) in [("2:13", "fox"), ("3:18", "elk"), ("3:43", "ox2"), ("4:9", "ox"), ("3:43", "fox")] {
        taken("a.cs", program, place, to, "already has a variable");
    }
    renamed_to("a.cs", program, "5:31", "elk");
    // Parameters and the outermost block are one scope.
    for path in ["a.c", "a.cpp"] {
        let program = "long ant(long elk) {\n  long dog = elk;\n  { long cat = 1; dog += cat; }\n  return dog;\n}\n";
        taken(path, program, "2:8", "elk", "");
        taken(path, program, "1:15", "dog", "");
        renamed_to(path, program, "3:10", "elk");
    }
}
