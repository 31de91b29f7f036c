//! Members of classes that go to a base of their own.

use serde_json::json;

use crate::refactored::{check, refused};

const SHAPES: &str = "import abc\n\n\nclass Circle:\n    \"\"\"A circle.\"\"\"\n\n    limit = 3\n\n    def __init__(self, r):\n        self.r = r\n\n    # How it is called.\n    def name(self):\n        return str(self.r)\n\n    @property\n    def big(self):\n        return self.r > self.limit\n\n\nclass Square(abc.ABC):\n    limit = 3\n\n    # How it is called.\n    def name(self):\n        return str(self.r)\n\n    @property\n    def big(self):\n        return self.r > self.limit\n\n\nclass Big(Square):\n    def name(self):\n        return super().name()\n";
const USE: (&str, &str) = (
    "use.py",
    "from shapes import Circle, Square, Big\n\nCircle(1).name()\nSquare().big\nBig().name()\nprint(Circle.limit)\n",
);

#[test]
fn members_of_two_classes_go_to_a_base() {
    check(
        &[("shapes.py", SHAPES), USE],
        &json!({"kind": "extract_base", "symbol": "Circle", "symbols": ["Square"], "members": ["limit", "name", "big"], "to": "Shape"}),
        &[(
            "shapes.py",
            "import abc\n\n\nclass Shape:\n    limit = 3\n\n    # How it is called.\n    def name(self):\n        return str(self.r)\n\n    @property\n    def big(self):\n        return self.r > self.limit\n\n\nclass Circle(Shape):\n    \"\"\"A circle.\"\"\"\n\n    def __init__(self, r):\n        self.r = r\n\n\nclass Square(Shape, abc.ABC):\n    pass\n\n\nclass Big(Square):\n    def name(self):\n        return super().name()\n",
        )],
    );
}

#[test]
fn common_bases_are_those_of_the_new_one() {
    const BASE: &str = "class Base:\n    pass\n\n\n";
    let params = json!({"kind": "extract_base", "symbol": "A", "members": ["f"], "to": "B"});
    check(
        &[("a.py", &format!("{BASE}class A(Base):\n    def f(self):\n        return super().x()\n\n    x = 1\n"))],
        &params,
        &[(
            "a.py",
            &format!(
                "{BASE}class B(Base):\n    def f(self):\n        return super().x()\n\n\nclass A(B):\n    x = 1\n"
            ),
        )],
    );
    // What a class passes to its bases stays with it.
    check(
        &[("a.py", &format!("{BASE}class A(Base, metaclass=type):\n    def f(self): ...\n"))],
        &params,
        &[(
            "a.py",
            &format!("{BASE}class B:\n    def f(self): ...\n\n\nclass A(B, Base, metaclass=type):\n    pass\n"),
        )],
    );
}

#[test]
fn what_would_not_be_the_same_is_refused() {
    let base = |text: &str, classes: &[&str], members: &[&str]| {
        let params = json!({"kind": "extract_base", "symbol": classes[0], "symbols": &classes[1..], "members": members, "to": "Shape"});
        refused(&[("shapes.py", text)], &params)
    };
    let bad = |why: &str| ("bad_request".to_owned(), vec![why.to_owned()]);
    assert_eq!(base(SHAPES, &["Circle", "Big"], &["name"]), bad("shapes.py:34 it is not the same in the first class"));
    assert_eq!(base(SHAPES, &["Big"], &["big"]), bad("shapes.py:33 it does not define `big` in its body"));
    let private = "class A:\n    def f(self):\n        return self.__x\n";
    assert_eq!(base(private, &["A"], &["f"]), bad("shapes.py:3 this name is private to its class"));
    // A name of the class's body is not one in the bodies of its heirs.
    let read = "class A:\n    limit = 3\n    most = limit * 2\n";
    assert_eq!(base(read, &["A"], &["limit"]).0, "would_rebind");
    let outside = "from lib import Plain\n\n\nclass A(Plain):\n    X = 1\n\n    def f(self):\n        return 1\n";
    let (code, places) = base(outside, &["A"], &["f"]);
    assert_eq!(code, "undetermined");
    assert!(places[0].contains("`Plain` is outside of the project, and may look for `f` in this class"), "{places:?}");
    let overloads = "class A:\n    @property\n    def f(self): ...\n    @f.setter\n    def f(self, x): ...\n";
    assert_eq!(base(overloads, &["A"], &["f"]).0, "bad_request");
    let taken = "class Shape: ...\n\n\nclass A:\n    def f(self): ...\n";
    assert_eq!(base(taken, &["A"], &["f"]).0, "bad_request");
    let params = json!({"kind": "extract_base", "symbol": "A", "members": ["f"], "to": "B"});
    assert_eq!(refused(&[("a.ts", "class A {\n  f() {}\n}\n")], &params).0, "unsupported_language");
}

#[test]
fn what_counts_for_each_class_is_not_shared() {
    for (member, head, why) in [
        ("def n(self): return __class__", "", "this name means the class that has the member"),
        ("n = []", "", "the classes would share the value that is made here"),
        ("n = make()", "", "the classes would share the value that is made here"),
        ("def n(self, x=[]): pass", "", "the classes would share the default value that is made here"),
        ("n: int", "@dataclass\n", "the decorator may use the variables of the class in their order"),
        ("n = X", "X = 2\n", "the variable may have another value where the other class reads it"),
    ] {
        let text = format!("X = 1\n\n\nclass C:\n    {member}\n\n\n{head}class D:\n    {member}\n");
        let params = json!({"kind": "extract_base", "symbol": "C", "symbols": ["D"], "members": ["n"], "to": "Base"});
        let (_, places) = refused(&[("a.py", &text)], &params);
        assert!(places.iter().any(|place| place.contains(why)), "{text}: {places:?}");
    }
    for member in ["n = 1", "n = (X, 2)", "n: int = X", "def n(self, x=None): return self.__class__"] {
        let text = format!("X = 1\n\n\nclass C:\n    {member}\n\n\nclass D:\n    {member}\n");
        let expected = format!(
            "X = 1\n\n\nclass Base:\n    {member}\n\n\nclass C(Base):\n    pass\n\n\nclass D(Base):\n    pass\n"
        );
        let params = json!({"kind": "extract_base", "symbol": "C", "symbols": ["D"], "members": ["n"], "to": "Base"});
        check(&[("a.py", &text)], &params, &[("a.py", &expected)]);
    }
}
