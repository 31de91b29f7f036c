//! Definitions and files that move to another package, where the files of a package share one scope.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

const SHAPES: &[(&str, &str)] = &[
    ("go.mod", "module example.org/r\n"),
    (
        "p/rect.go",
        "package p\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\n// Rect is one.\ntype Rect struct{ W int }\n\n// Name is one.\nfunc (r *Rect) Name() string { return strings.ToUpper(fmt.Sprint(r.W, Scale)) }\n\nconst (\n\t// Scale is three.\n\tScale = 3\n\tOther = 4\n)\n\nconst (\n\tFirst = iota\n\tSecond\n)\n\ntype Box struct {\n\tRect\n\tn int\n}\n\nfunc Print(r Rect) { b := Box{Rect: r}; fmt.Println(b.Rect, r.Name(), Rect{W: 1}) }\n\nfunc (b Box) size() int { return b.n }\n\nfunc Size(b Box) int { return b.size() }\n",
    ),
    (
        "p/more.go",
        "package p\n\nimport \"os\"\n\n// Area is there.\nfunc (r Rect) Area() int { os.Exit(1); return r.W }\n",
    ),
    (
        "q/q.go",
        "package q\n\nimport \"example.org/r/p\"\n\nfunc F() string {\n\tx := p.Rect{W: 1}\n\treturn x.Name()\n}\n",
    ),
    ("s/s.go", "package s\n\nfunc G() int { return 1 }\n"),
    ("t/t.go", "package t\n\nimport \"example.org/r/p\"\n\nvar R p.Rect\n\nfunc s() {}\n"),
];

fn go(symbol: &str, to: &str) -> Value {
    json!({"kind": "move", "symbol": symbol, "to": to})
}

#[test]
fn a_constant_of_a_group_goes_to_another_package() {
    let changed = run(SHAPES, &go("p/rect.go::Scale", "s/s.go")).expect("moved");
    let [(p, rect), (s, target)] = &changed[..] else { panic!("{changed:?}") };
    assert_eq!((p.as_str(), s.as_str()), ("p/rect.go", "s/s.go"));
    let rect = rect.as_deref().expect("text");
    assert!(rect.contains("import (\n\t\"example.org/r/s\"\n\t\"fmt\"\n\t\"strings\"\n)\n"), "{rect}");
    assert!(rect.contains("fmt.Sprint(r.W, s.Scale)"), "{rect}");
    assert!(rect.contains("const (\n\tOther = 4\n)\n"), "{rect}");
    let target = target.as_deref().expect("text");
    assert_eq!(target, "package s\n\nfunc G() int { return 1 }\n\n// Scale is three.\nconst Scale = 3\n");
}

#[test]
fn a_type_of_go_goes_to_another_package_with_its_methods() {
    let files: Vec<(&str, &str)> = SHAPES.to_vec();
    let rect = files[1].1.replace(", Scale)", ")");
    let files: Vec<(&str, &str)> = files
        .into_iter()
        .map(|(path, text)| if path == "p/rect.go" { (path, rect.as_str()) } else { (path, text) })
        .collect();
    check(
        &files,
        &go("p/rect.go::Rect", "s/rect.go"),
        &[
            ("p/more.go", "package p\n"),
            (
                "p/rect.go",
                "package p\n\nimport (\n\t\"example.org/r/s\"\n\t\"fmt\"\n)\n\nconst (\n\t// Scale is three.\n\tScale = 3\n\tOther = 4\n)\n\nconst (\n\tFirst = iota\n\tSecond\n)\n\ntype Box struct {\n\ts.Rect\n\tn int\n}\n\nfunc Print(r s.Rect) { b := Box{Rect: r}; fmt.Println(b.Rect, r.Name(), s.Rect{W: 1}) }\n\nfunc (b Box) size() int { return b.n }\n\nfunc Size(b Box) int { return b.size() }\n",
            ),
            (
                "q/q.go",
                "package q\n\nimport \"example.org/r/s\"\n\nfunc F() string {\n\tx := s.Rect{W: 1}\n\treturn x.Name()\n}\n",
            ),
            (
                "s/rect.go",
                "package s\n\nimport \"fmt\"\nimport \"os\"\nimport \"strings\"\n\n// Rect is one.\ntype Rect struct{ W int }\n\n// Name is one.\nfunc (r *Rect) Name() string { return strings.ToUpper(fmt.Sprint(r.W)) }\n\n// Area is there.\nfunc (r Rect) Area() int { os.Exit(1); return r.W }\n",
            ),
            ("t/t.go", "package t\n\nimport spkg \"example.org/r/s\"\n\nvar R spkg.Rect\n\nfunc s() {}\n"),
        ],
    );
}

#[test]
fn what_another_package_of_go_cannot_see_is_refused() {
    let refuse = |more: &[(&'static str, &'static str)], symbol: &str, to: &str| {
        let mut files: Vec<(&str, &str)> =
            SHAPES.iter().copied().filter(|(path, _)| !more.iter().any(|(other, _)| other == path)).collect();
        files.extend(more);
        let (code, places) = refused(&files, &go(symbol, to));
        assert_eq!(code, "bad_request", "{places:?}");
        places
    };
    let hidden = refuse(&[], "p/rect.go::Box", "s/s.go");
    assert!(hidden.contains(&"p/rect.go:34 `size` cannot be used from the other package".to_owned()), "{hidden:?}");
    let cycle = refuse(&[], "p/rect.go::Rect", "s/s.go");
    assert!(cycle.iter().any(|place| place.ends_with("would be part of an import cycle")), "{cycle:?}");
    let counted = refuse(&[], "p/rect.go::First", "s/s.go");
    assert_eq!(counted, ["p/rect.go:21 its value, or that of the next constant, is a repetition"]);
    let taken = refuse(&[("s/s.go", "package s\n\nconst Other = 1\n")], "p/rect.go::Other", "s/s.go");
    assert_eq!(taken, ["s/s.go:3 the new package has another `Other`"]);
    let p = |code: &'static str| {
        [("p/rect.go", code), ("p/more.go", "package p\n"), ("q/q.go", "package q\n"), ("t/t.go", "package t\n")]
    };
    // All fields of a struct, without names.
    let values = refuse(
        &p("package p\n\ntype T struct{ a, b int }\n\nfunc F() []T { return []T{{1, 2}} }\n"),
        "p/rect.go::T",
        "s/s.go",
    );
    assert_eq!(values, ["p/rect.go:5 it may give values to fields that only their own package can use"]);
    // A method that is only there for an interface.
    let fits = refuse(
        &p("package p\n\ntype I interface{ is() }\n\ntype T struct{}\n\nfunc (T) is() {}\n\nvar V I = nil\n"),
        "p/rect.go::T",
        "s/s.go",
    );
    assert_eq!(
        fits,
        [
            "p/rect.go:7 `is` cannot be used from the other package",
            "p/rect.go:3 `is` cannot be used from the other package"
        ]
    );
    // Types that are made of the same fields.
    let same = refuse(
        &p("package p\n\ntype T struct{ a int }\n\nvar V = T(struct{ a int }{a: 1})\n"),
        "p/rect.go::T",
        "s/s.go",
    );
    assert!(same[0].contains("a type with the same fields stays"), "{same:?}");
    let no_body = refuse(&p("package p\n\nfunc Add(a int) int\n"), "p/rect.go::Add", "s/s.go");
    assert_eq!(no_body, ["p/rect.go:3 its body is written in another language"]);
    // A package below `internal` is for those around it.
    let internal = refuse(
        &[
            ("m/internal/i/i.go", "package i\n\nfunc I() int { return 1 }\n"),
            ("p/more.go", "package p\n\nvar X = Other\n"),
        ],
        "p/rect.go::Other",
        "m/internal/i/i.go",
    );
    assert!(
        internal[0].contains("`example.org/r/m/internal/i` cannot be imported from `example.org/r/p`"),
        "{internal:?}"
    );
    let program = refuse(
        &[("c/c.go", "package main\n\nfunc main() {}\n"), ("p/more.go", "package p\n\nvar X = Other\n")],
        "p/rect.go::Other",
        "c/c.go",
    );
    assert!(program[0].contains("a program cannot be imported"), "{program:?}");
    // Tests are compiled with the package that they test.
    let test = refuse(
        &[
            ("s/s_test.go", "package s\n\nimport \"example.org/r/u\"\n\nvar T = u.U\n"),
            ("u/u.go", "package u\n\nimport \"example.org/r/p\"\n\nvar U = p.First\n"),
            ("p/more.go", "package p\n\nvar X = Other\n"),
        ],
        "p/rect.go::Other",
        "s/s.go",
    );
    assert!(test[0].contains("would be part of an import cycle in the tests of a package"), "{test:?}");
}

#[test]
fn a_file_of_go_goes_to_another_package() {
    let files: &[(&str, &str)] = &[
        ("go.mod", "module example.org/r\n"),
        (
            "p/a.go",
            "package p\n\n// A is one.\ntype A struct{ N int }\n\nfunc (a A) M() int { return a.N + Two }\n\nfunc AF() int { return 1 }\n",
        ),
        ("p/b.go", "package p\n\nconst Two = 2\n"),
        ("q/q.go", "package q\n\nimport \"example.org/r/p\"\n\nfunc F() int { return p.A{N: 1}.M() + p.Two }\n"),
        ("u/u.go", "package u\n\nimport \"example.org/r/p\"\n\nvar U = p.AF()\n"),
    ];
    let move_file = |from: &str, to: &str| json!({"kind": "move_file", "symbol": from, "to": to});
    check(
        files,
        &move_file("p/a.go", "s/t/a.go"),
        &[
            (
                "q/q.go",
                "package q\n\nimport \"example.org/r/p\"\nimport \"example.org/r/s/t\"\n\nfunc F() int { return t.A{N: 1}.M() + p.Two }\n",
            ),
            (
                "s/t/a.go",
                "package t\n\nimport \"example.org/r/p\"\n\n// A is one.\ntype A struct{ N int }\n\nfunc (a A) M() int { return a.N + p.Two }\n\nfunc AF() int { return 1 }\n",
            ),
            ("u/u.go", "package u\n\nimport \"example.org/r/s/t\"\n\nvar U = t.AF()\n"),
        ],
    );
    // A whole package keeps its name.
    check(
        files,
        &move_file("p", "w/v"),
        &[
            ("q/q.go", "package q\n\nimport \"example.org/r/w/v\"\n\nfunc F() int { return p.A{N: 1}.M() + p.Two }\n"),
            ("u/u.go", "package u\n\nimport \"example.org/r/w/v\"\n\nvar U = p.AF()\n"),
            ("w/v/a.go", files[1].1),
            ("w/v/b.go", files[2].1),
        ],
    );
    let more = [files, &[("p/c.go", "package p\n\nfunc (a A) other() {}\n")]].concat();
    let (_, places) = refused(&more, &move_file("p/a.go", "s/t/a.go"));
    assert_eq!(places[0], "p/c.go:3 the method `other` of `A` would be in another package than its type");
    let more = [files, &[("v/v.go", "package v\n\nimport _ \"example.org/r/u\"\n")]].concat();
    let (_, places) = refused(&more, &move_file("u/u.go", "s/t/u.go"));
    assert_eq!(places, ["v/v.go:3 nothing would be left of the package that it imports: move the folder"]);
    let more = [files, &[("p/d.go", "package p\n\nfunc init() {}\n")]].concat();
    let (_, places) = refused(&more, &move_file("p/d.go", "s/t/d.go"));
    assert_eq!(places, ["p/d.go:3 it would run with another package"]);
}

const CLASSES: &[(&str, &str)] = &[
    (
        "src/a/A.java",
        "package a;\n\nimport java.util.List;\n\n/** See {@link a.A}. */\npublic class A extends B {\n    public List<C> all;\n    public int f() { return new C().g + shared(); }\n}\n",
    ),
    ("src/a/B.java", "package a;\n\npublic class B {\n    protected int shared() { return 1; }\n}\n"),
    (
        "src/a/C.java",
        "package a;\n\npublic class C {\n    public int g;\n    A one;\n}\n\nclass Hidden {\n    int x;\n}\n",
    ),
    ("src/b/D.java", "package b;\n\nimport a.A;\nimport static a.A.*;\n\nclass D {\n    a.A one;\n    A two;\n}\n"),
    ("src/c/E.java", "package c;\n\nimport a.*;\n\nclass E {\n    A two;\n}\n"),
];

#[test]
fn a_class_of_java_goes_to_another_package() {
    check(
        CLASSES,
        &json!({"kind": "move", "symbol": "src/a/A.java::A", "to": "src/b/A.java"}),
        &[
            (
                "src/a/C.java",
                "package a;\n\nimport b.A;\n\npublic class C {\n    public int g;\n    A one;\n}\n\nclass Hidden {\n    int x;\n}\n",
            ),
            (
                "src/b/A.java",
                "package b;\n\nimport java.util.List;\nimport a.B;\nimport a.C;\n\n/** See {@link b.A}. */\npublic class A extends B {\n    public List<C> all;\n    public int f() { return new C().g + shared(); }\n}\n",
            ),
            ("src/b/D.java", "package b;\n\nimport static b.A.*;\n\nclass D {\n    b.A one;\n    A two;\n}\n"),
            ("src/c/E.java", "package c;\n\nimport a.*;\nimport b.A;\n\nclass E {\n    A two;\n}\n"),
        ],
    );
    check(
        CLASSES,
        &json!({"kind": "move", "symbol": "src/a/C.java::Hidden", "to": "src/b/Hidden.java"}),
        &[
            ("src/a/C.java", "package a;\n\npublic class C {\n    public int g;\n    A one;\n}\n"),
            ("src/b/Hidden.java", "package b;\n\nclass Hidden {\n    int x;\n}\n"),
        ],
    );
}

#[test]
fn what_another_package_of_java_cannot_see_is_refused() {
    let refuse = |more: &[(&'static str, &'static str)], to: &str| {
        let mut files: Vec<(&str, &str)> =
            CLASSES.iter().copied().filter(|(path, _)| !more.iter().any(|(other, _)| other == path)).collect();
        files.extend(more);
        refused(&files, &json!({"kind": "move_file", "symbol": "src/a/F.java", "to": to}))
    };
    let file = |code: &'static str| [("src/a/F.java", code)];
    let hidden = refuse(&file("package a;\n\npublic class F {\n    int y = new Hidden().x;\n}\n"), "src/b/F.java");
    let cannot = |name: &str| format!("src/a/F.java:4 `{name}` cannot be used from the other package");
    assert_eq!(hidden, ("bad_request".to_owned(), vec![cannot("Hidden"), cannot("x")]));
    // A protected member of another object.
    let (_, protected) = refuse(
        &file(
            "package a;\n\npublic class F extends B {\n    int s(B b) { return b.shared(); }\n    int t() { return shared(); }\n}\n",
        ),
        "src/b/F.java",
    );
    assert_eq!(protected, [cannot("shared")]);
    // A constructor.
    let (_, made) = refuse(
        &[
            ("src/a/F.java", "package a;\n\npublic class F {\n    F() {}\n    public F(int x) {}\n}\n"),
            ("src/a/G.java", "package a;\n\nclass G {\n    F one = new F(1);\n    F two = new F();\n}\n"),
        ],
        "src/b/F.java",
    );
    assert_eq!(made, ["src/a/G.java:5 `F` cannot be used from the other package"]);
    // A method that would not override the other any more.
    let (_, overrides) = refuse(
        &[
            ("src/a/F.java", "package a;\n\npublic class F {\n    int m() { return 1; }\n}\n"),
            ("src/a/G.java", "package a;\n\nclass G extends F {\n    int m() { return 2; }\n}\n"),
        ],
        "src/b/F.java",
    );
    assert!(
        overrides.contains(&"src/a/G.java:4 `m` cannot be used from the other package".to_owned()),
        "{overrides:?}"
    );
    // Names of the class as text.
    let (code, text) = refuse(
        &[
            ("src/a/F.java", "package a;\n\npublic class F {\n    Object r = F.class.getResource(\"x\");\n}\n"),
            ("src/c/E.java", "package c;\n\nclass E {\n    String s = \"a.F\";\n}\n"),
            ("META-INF/services/x.Y", "a.F\n"),
        ],
        "src/b/F.java",
    );
    assert_eq!(code, "undetermined");
    assert_eq!(
        text,
        [
            "src/a/F.java:4 it may mean the package in which it is",
            "src/c/E.java:4 it names the class by its package",
            "META-INF/services/x.Y:1 it names the class by its package"
        ]
    );
    let (_, sealed) = refuse(
        &[
            ("src/a/F.java", "package a;\n\npublic final class F implements S {\n}\n"),
            ("src/a/S.java", "package a;\n\npublic sealed interface S permits F {\n}\n"),
        ],
        "src/b/F.java",
    );
    assert_eq!(sealed, ["src/a/S.java:3 only classes of its package may extend it"]);
}
