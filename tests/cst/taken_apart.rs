//! Names that get a part of a value: what the whole is, does not say what they are.

use serde_json::json;

use crate::refactored::{check, refused};

#[test]
fn a_part_of_a_list_is_not_the_list() {
    let programs = [
        ("a.py", "class A:\n    def go(self): return 1\nxs = [A(), A()]\na, b = xs\na.go()\n"),
        ("a.py", "class A:\n    def go(self): return 1\nxs = [A()]\nfirst, *rest = xs\nfirst.go()\n"),
        ("a.py", "class A:\n    def go(self): return 1\nxs = [A()]\n[a, b] = (x for x in xs)\na.go()\n"),
        ("a.js", "class A { go() { return 1; } }\nconst xs = [new A()];\nconst [a] = xs;\na.go();\n"),
        ("a.js", "class A { go() { return 1; } }\nconst xs = [new A()];\nconst [a = 1] = xs;\na.go();\n"),
        (
            "a.js",
            "class A { go() { return 1; } }\nlet m = { k: new A() };\nfor (const [k, v] of Object.entries(m)) v.go();\n",
        ),
        ("a.rb", "class A\n  def go = 1\nend\nxs = [A.new]\na, b = xs\na.go\n"),
        ("a.php", "<?php\nclass A { function go() { return 1; } }\n$xs = [new A];\n[$a] = $xs;\n$a->go();\n"),
    ];
    for (path, text) in programs {
        let (code, places) = refused(&[(path, text)], &json!({"kind": "rename", "symbol": "A.go", "to": "run"}));
        assert_eq!(code, "undetermined", "{text} {places:?}");
    }
}

#[test]
fn a_part_of_a_written_list_is_at_its_place() {
    let programs = [
        ("a.py", "class A:\n    def go(self): return 1\na, b = A(), 1\na.go()\n"),
        ("a.py", "class A:\n    def go(self): return 1\n(a, b) = [A(), A()]\nb.go()\n"),
        ("a.js", "class A { go() { return 1; } }\nconst [a] = [new A()];\na.go();\n"),
    ];
    for (path, text) in programs {
        let rename = json!({"kind": "rename", "symbol": "A.go", "to": "run"});
        check(&[(path, text)], &rename, &[(path, &text.replace("go", "run"))]);
    }
}
