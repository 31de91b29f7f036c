//! Names of scripts and of files without functions, which code also reaches as members of one object: `window.f`, `$GLOBALS["n"]`.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": "zebra"})
}

const LIBRARY: &str = "function helper() { return 1; }\n";

#[test]
fn what_a_script_defines_is_a_member_of_the_global_object() {
    for (file, use_of_it) in [
        ("b.js", "console.log(window.helper());\n"),
        ("b.js", "console.log(globalThis.helper());\n"),
        ("b.ts", "console.log(self.helper());\n"),
        ("b.js", "const { helper: h } = window;\n"),
        ("b.js", "function run() { return this.helper(); }\nrun();\n"),
        ("b.js", "(function (root) { root.helper(); })(this);\n"),
        ("b.js", "(function (root) { root.helper(); })(typeof window === \"undefined\" ? globalThis : window);\n"),
        ("b.html", "<html><body onload=\"helper()\"></body></html>\n"),
        ("b.html", "<html><script>run(helper);</script></html>\n"),
    ] {
        let (code, places) = refused(&[("a.js", LIBRARY), (file, use_of_it)], &rename("a.js::helper"));
        assert_eq!((code.as_str(), places.len()), ("undetermined", 1), "{use_of_it}{places:?}");
        assert!(places[0].starts_with(&format!("{file}:1")), "{places:?}");
    }
}

#[test]
fn a_module_keeps_its_names() {
    let module = format!("{LIBRARY}export default helper();\n");
    let new = module.replace("helper", "zebra");
    for (file, use_of_it) in [
        ("b.js", "console.log(window.helper());\n"),
        ("b.js", "(function (root) { root.helper(); })(this);\n"),
        ("b.html", "<html><script>helper();</script></html>\n"),
    ] {
        check(&[("a.js", &module), (file, use_of_it)], &rename("a.js::helper"), &[("a.js", &new)]);
    }
    // Members of other objects, and words in a page that are no code.
    for (file, use_of_it) in [
        ("b.js", "class A { helper() { return this.helper(); } }\nnew A().helper();\n"),
        ("b.js", "const a = { helper() { return this.helper; } };\na.helper();\n"),
        ("b.js", "function run(window) { return window.helper; }\nrun({ helper: 1 });\n"),
        ("b.html", "<html><body class=\"helper\">helper</body></html>\n"),
    ] {
        let new = LIBRARY.replace("helper", "zebra");
        check(&[("a.js", LIBRARY), (file, use_of_it)], &rename("a.js::helper"), &[("a.js", &new)]);
    }
}

#[test]
fn a_variable_of_a_file_is_in_the_table_of_all() {
    let code = "<?php\n$count = 1;\nfunction inc() { $GLOBALS[\"count\"]++; }\ninc();\necho $count;\n";
    for key in ["\"count\"", "'co' . $x"] {
        let (code, places) = refused(&[("a.php", &code.replace("\"count\"", key))], &rename("a.php:2:2"));
        assert_eq!((code.as_str(), places), ("undetermined", vec!["a.php:3 reads a table of names".to_owned()]));
    }
    let other = code.replace("\"count\"", "\"size\"");
    check(&[("a.php", &other)], &rename("a.php:2:2"), &[("a.php", &other.replace("$count", "$zebra"))]);
    // The variable of a function is in no such table.
    let local = "<?php\nfunction f() { $count = 1; return $count + $GLOBALS[\"count\"]; }\n";
    check(&[("a.php", local)], &rename("a.php:2:17"), &[("a.php", &local.replace("$count", "$zebra"))]);
}
