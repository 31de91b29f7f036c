//! Imports without a use that stay, since something happens or is there when their module is loaded.

use serde_json::json;

use crate::refactored::run;

/// The first of some files after its imports are organized.
#[track_caller]
fn organized(files: &[(&str, &str)]) -> String {
    let changed = run(files, &json!({"kind": "organize_imports", "path": files[0].0})).unwrap_or_default();
    let own = changed.into_iter().find(|(path, _)| path == files[0].0);
    own.and_then(|(_, text)| text).unwrap_or_else(|| files[0].1.to_owned())
}

#[test]
fn a_module_that_loads_one_which_does_something_stays() {
    let registry = ("st.py", "ALL = []\n\n\ndef add(f):\n    ALL.append(f)\n    return f\n");
    let plugin = ("plugins/a.py", "from st import add\n\n\n@add\ndef run():\n    pass\n");
    let package = ("plugins/__init__.py", "from . import a\n");
    let main = ("main.py", "import os\nimport plugins\nimport st\n\nprint(len(st.ALL))\n");
    assert_eq!(
        organized(&[main, registry, plugin, package]),
        "import plugins\nimport st\n\nprint(len(st.ALL))\n",
        "the package loads what registers itself"
    );
    let inner = ("main.py", "import os\n\n\ndef ready():\n    import plugins\n");
    assert_eq!(organized(&[inner, registry, plugin, package]), "\n\ndef ready():\n    import plugins\n".trim_start());
    let hook = ("base.py", "ALL = []\n\n\nclass Base:\n    def __init_subclass__(cls):\n        ALL.append(cls)\n");
    let below = ("user.py", "from base import Base\n\n\nclass User(Base):\n    pass\n");
    let main = ("main.py", "import os\nimport user\n");
    assert_eq!(organized(&[main, hook, below]), "import user\n", "a hook of the base runs");
    // What another import loads in any case need not be loaded again.
    let main = ("main.py", "from user import User\nfrom user import User as Other\n\nprint(User)\n");
    assert_eq!(organized(&[main, hook, below]), "from user import User\n\nprint(User)\n");
    let quiet = ("quiet.py", "SIZE = 1\n\n\ndef run():\n    pass\n");
    assert_eq!(organized(&[("main.py", "import os\nimport quiet\n\nprint(os)\n"), quiet]), "import os\n\nprint(os)\n");
    let script = ("a.mjs", "globalThis.n = 4;\nexport const x = 1;\n");
    let loads = ("b.mjs", "import './a.mjs';\nexport const y = 1;\n");
    let main = ("main.mjs", "import { y } from './b.mjs';\nimport { z } from './c.mjs';\nconsole.log(1);\n");
    assert_eq!(
        organized(&[main, script, loads, ("c.mjs", "export const z = 1;\n")]),
        "import { y } from './b.mjs';\nconsole.log(1);\n"
    );
}

#[test]
fn modules_that_others_reach_stay() {
    let sub = [("pkg/__init__.py", ""), ("pkg/sub.py", "X = 1\n")];
    let user = ("main.py", "import pkg\nimport loader\n\nprint(pkg.sub.X)\n");
    let files = [("loader.py", "import os\nimport pkg.sub\n"), user, sub[0], sub[1]];
    assert_eq!(organized(&files), "import pkg.sub\n", "the other file reads it through the package");
    let files = [user, files[0], sub[0], sub[1]];
    assert!(organized(&files).contains("import loader\n"), "it loads what loads the module");
    let circle = [
        ("a.py", "from b import B\n\n\nclass A(B):\n    pass\n"),
        ("b.py", "class B:\n    pass\n\n\nfrom a import A\n"),
    ];
    let main = ("main.py", "import b\nimport a\n\nprint(a.A, b.B)\n");
    assert_eq!(organized(&[main, circle[0], circle[1]]), main.1, "the order counts");
    let lib = [("lib.py", "from impl import thing\n"), ("impl.py", "def thing():\n    pass\n")];
    for main in ["import lib\n\nprint(dir(lib))\n", "import lib\n\nprint(getattr(lib, 'th' + 'ing'))\n"] {
        assert_eq!(organized(&[lib[0], lib[1], ("main.py", main)]), lib[0].1, "{main}");
    }
    let one = ("main.py", "import lib\n\nprint(getattr(lib, 'other', 1))\n");
    assert_eq!(organized(&[lib[0], lib[1], one]), "", "it asks for another name");
    let types = [
        ("box.ts", "export interface Box { n: number }\n"),
        ("aug.ts", "export interface Aug {}\ndeclare module './box' { interface Box { extra: number } }\n"),
    ];
    let main = (
        "main.ts",
        "import { Aug } from './aug';\nimport { Box } from './box';\nexport const b: Box = { n: 1, extra: 2 };\n",
    );
    assert_eq!(organized(&[main, types[0], types[1]]), main.1, "it adds to a type");
}

#[test]
fn names_that_code_asks_for_stay() {
    let tests =
        ("cases.py", "import unittest\n\n\nclass Case(unittest.TestCase):\n    def test_a(self):\n        pass\n");
    let main = ("main.py", "import os\nimport unittest\n\nfrom cases import Case\n\nunittest.main()\n");
    assert_eq!(organized(&[main, tests]), "import unittest\n\nfrom cases import Case\n\nunittest.main()\n");
    for text in
        ["import os\n\nprint(dir())\n", "import sys\nimport json\n\nprint(hasattr(sys.modules[__name__], 'json'))\n"]
    {
        assert!(
            organized(&[("main.py", text)]).contains(text.lines().nth(usize::from(text.contains("json"))).unwrap())
        );
    }
    assert_eq!(organized(&[("main.py", "import os\nimport this\n")]), "import this\n");
    let probe = ("main.py", "import os\n\n\ndef has():\n    import nope_mod\n");
    assert_eq!(organized(&[probe]), "def has():\n    import nope_mod\n");
    let first = ("main.py", "import os\n\"\"\"not documentation\"\"\"\n");
    assert_eq!(organized(&[first]), first.1, "the string would become documentation");
}
