//! Code in other languages in a file: it is found, listed, checked and changed where it is, with the places of the whole file.

use crate::cli::Place;

const PAGE: &str = r#"<!doctype html>
<html>
<head>
<style>
  .a { color: red; }
  @media print { .b { margin: 0 } }
</style>
</head>
<body>
  <p id="x">Hi &amp; über</p>
  <script>
    function hello(name) {
      console.log("hi " + name);
    }
    hello("x");
  </script>
  <script type="application/ld+json">{"a": 1}</script>
  <script type="text/x-handlebars"><p>{{hello}}</p></script>
  <script type="module" lang="ts">let q: number = 1; hello(q)</script>
  <SCRIPT>shout()</SCRIPT>
</body>
</html>
"#;

const NOTES: &str = r#"---
title: Notes
---

# Use

```python
def add(a, b):
    print(a + b)
```

## More

- a list

  ```js
  function twice(x) {
    hello(x);
  }
  ```

> ```python
> def quoted():
>     print(1)
> ```

```
print(3)
```

```python
def broken(
```

~~~ {.python}
print(4)
~~~
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("page.html", PAGE);
    place.write("notes.md", NOTES);
    place
}

/// The lines of an answer without what follows the place.
fn places(place: &Place, words: &[&str]) -> Vec<String> {
    let run = place.run(words);
    let cut = |line: &str| line.split(": ").next().unwrap_or_default().to_owned();
    run.stdout.lines().map(cut).collect()
}

#[test]
fn code_is_found_where_it_is() {
    let place = place();
    for (selector, expected) in [
        ("function", &["notes.md:8:1", "notes.md:17:3", "notes.md:23:3", "page.html:12:5"][..]),
        ("call#print", &["notes.md:9:5", "notes.md:24:7", "notes.md:36:1"]),
        ("call#hello", &["notes.md:18:5", "page.html:15:5", "page.html:19:54"]),
        ("call#shout", &["page.html:20:11"]),
        ("rule_set", &["page.html:5:3", "page.html:6:18"]),
        ("pair", &["page.html:17:39"]),
        ("block_mapping_pair#title", &["notes.md:2:1"]),
        // What is around the code is found with it, in the order of the file.
        (
            "module",
            &[
                "notes.md:1:1",
                "notes.md:2:1",
                "notes.md:8:1",
                "notes.md:17:3",
                "notes.md:23:3",
                "notes.md:32:1",
                "notes.md:36:1",
                "page.html:1:1",
                "page.html:4:8",
                "page.html:11:11",
                "page.html:17:38",
                "page.html:19:35",
                "page.html:20:11",
            ],
        ),
    ] {
        let found = places(&place, &["find", selector, "."]);
        assert_eq!(found, expected, "{selector}");
        let all = places(&place, &["find", selector, ".", "--no-prefilter"]);
        assert_eq!(all, found, "{selector} without the prefilter");
        for file in ["page.html", "notes.md"] {
            let alone = places(&place, &["find", selector, file]);
            let expected: Vec<&String> = found.iter().filter(|place| place.starts_with(file)).collect();
            assert_eq!(alone.iter().collect::<Vec<_>>(), expected, "{selector} in {file} alone");
        }
    }
}

/// Branches of an alternation that begin with the same repetition: the first that matches counts.
#[test]
fn the_first_branch_of_a_regex_counts() {
    let place = Place::new();
    place.write("a.py", "x = \"type=module lang=ts\"\n");
    let found = places(&place, &["find", "string[text=/^\"(?:[^>]*?lang=ts|[^>]*?type=module)\"$/]", "a.py"]);
    assert_eq!(found, ["a.py:1:5"]);
}

#[test]
fn a_language_is_enough_to_find_its_code() {
    let place = place();
    assert_eq!(places(&place, &["find", "call", ".", "-t", "javascript"]).len(), 4);
    assert_eq!(places(&place, &["find", "call", ".", "-t", "typescript"]), ["page.html:19:54"]);
    assert_eq!(places(&place, &["find", "call", ".", "-t", "python"]).len(), 3);
    assert_eq!(places(&place, &["find", "element", ".", "-t", "css"]), [""; 0]);
}

#[test]
fn a_word_that_no_language_in_it_knows_is_an_error() {
    let place = place();
    for file in [".", "page.html", "notes.md"] {
        let run = place.run(&["find", "nosuch", file]);
        assert_eq!(run.status, 2, "{file}");
        assert!(run.stderr.contains("unknown type or kind `nosuch`"), "{file}: {}", run.stderr);
    }
}

#[test]
fn an_outline_has_it_below_what_is_around_it() {
    let place = place();
    let run = place.run(&["outline", "."]);
    let rows: Vec<String> =
        run.stdout.lines().map(|line| line.split("  n").next().unwrap_or(line).trim_end().to_owned()).collect();
    for row in [
        "     8-9    def add(a, b)",
        "   17-19      function twice(x)",
        "   12-14  function hello(name)",
        "     6-6    .b",
        "       1  .a",
    ] {
        let is_there = rows.iter().any(|shown| shown == row || row.ends_with(".a") && shown.ends_with("  .a"));
        assert!(is_there, "{row:?} in\n{}", run.stdout);
    }
}

#[test]
fn a_script_with_an_error_is_listed_and_a_fragment_is_not() {
    let place = place();
    assert_eq!(place.run(&["check", "."]).status, 0);
    place.write("bad.html", "<p>x</p>\n<script>\n  let = 1;\n  f(;\n</script>\n");
    let run = place.run(&["check", "."]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.lines().all(|line| line.starts_with("bad.html:")), "{}", run.stdout);
    let run = place.run(&["find", "call", "bad.html"]);
    assert!(run.stderr.contains("syntax error"), "{}", run.stderr);
}

#[test]
fn a_rewrite_changes_all_of_it_and_nothing_else() {
    let place = place();
    let run = place.run(&["rewrite", "-p", "hello($A)", "greet($A, 1)", ".", "--write"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(
        place.read("page.html"),
        PAGE.replace("hello(\"x\")", "greet(\"x\", 1)").replace("hello(q)", "greet(q, 1)")
    );
    assert_eq!(place.read("notes.md"), NOTES.replace("hello(x)", "greet(x, 1)"));
    let run = place.run(&[
        "rewrite",
        "-p",
        "print($A + $B)",
        "if True:\n    print($A + $B)\n    log()",
        "notes.md",
        "--write",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        place.read("notes.md").contains("\n    if True:\n        print(a + b)\n        log()\n```\n"),
        "{}",
        place.read("notes.md")
    );
}

#[test]
fn code_may_not_end_its_part_of_the_file() {
    let place = place();
    for (file, operation) in [
        ("page.html", &["rewrite", "-p", "hello($A)", "hello('</script>')"][..]),
        ("notes.md", &["rewrite", "call#print", "print('''\n```\n''')"]),
        ("page.html", &["modify", "page.html", "insert", "last", "function#hello", "'</script>';"]),
        ("notes.md", &["modify", "notes.md", "insert", "last", "function#quoted", "return 1"]),
    ] {
        let mut words = operation.to_vec();
        if words[0] == "rewrite" {
            words.push(file);
        }
        words.push("--write");
        let before = place.read(file);
        let run = place.run(&words);
        assert_eq!(run.status, 2, "{words:?}\n{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains("would end elsewhere in the file"), "{words:?}\n{}", run.stderr);
        assert_eq!(place.read(file), before);
    }
}

#[test]
fn it_is_shown_and_modified_like_a_file() {
    let place = place();
    let run = place.run(&["show", "page.html", "function#hello"]);
    assert!(run.stdout.contains("12      function hello(name) {"), "{}", run.stdout);
    let id =
        run.stdout.lines().next().and_then(|line| line.rsplit(' ').next()).expect("a row ends with its id").to_owned();
    let by_id = place.run(&["show", "page.html", &id]);
    assert_eq!(by_id.stdout, run.stdout);
    let at = place.run(&["show", "page.html", "--at", "13"]);
    assert!(at.stdout.contains("console.log(\"hi \" + name);"), "{}", at.stdout);
    let words = ["modify", "page.html", "insert", "last", "function#hello", "return 1;", "--write"];
    assert_eq!(place.run(&words).status, 0);
    let expected = PAGE.replace(" + name);\n", " + name);\n      return 1;\n");
    assert_eq!(place.read("page.html"), expected);
    let words =
        ["modify", "notes.md", "insert", "after", "function#twice", "function g() {\n  return 1;\n}", "--write"];
    assert_eq!(place.run(&words).status, 0);
    assert!(
        place.read("notes.md").contains("  }\n\n  function g() {\n    return 1;\n  }\n  ```\n"),
        "{}",
        place.read("notes.md")
    );
    // One batch is about one of the trees.
    let batch = r##"[{"op": "delete", "target": "function#hello"}, {"op": "delete", "target": "#x"}]"##;
    let run = place.run(&["modify", "page.html", "--ops", batch]);
    assert_eq!(run.status, 2, "{}", run.stdout);
}

#[test]
fn a_held_tree_has_it_too() {
    let place = place();
    let tree = place.run(&["load", "page.html"]).stdout.split_whitespace().next().expect("a tree's id").to_owned();
    let find = |selector: &str| place.run(&["find", selector, &tree]).stdout;
    let id = find("call#hello").lines().next().and_then(|line| line.rsplit(' ').next()).expect("an id").to_owned();
    let run = place.run(&["modify", &tree, "replace", &id, "hello(2)"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    // What was numbered before is not taken for something else.
    let run = place.run(&["modify", &tree, "replace", &id, "hello(3)"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert_eq!(place.run(&["save", &tree]).status, 0);
    assert_eq!(place.read("page.html"), PAGE.replace("hello(\"x\")", "hello(2)"));
    assert_eq!(place.run(&["undo", &tree]).status, 0);
}

#[test]
fn a_script_runs_on_it() {
    let place = place();
    place.write("s.toml", "name = \"x\"\nlanguages = [\"javascript\", \"typescript\"]\n\n[[step]]\nselect = \"call#hello\"\nreplace = \"hi()\"\n");
    let run = place.run(&["run", "s.toml", ".", "--write"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(place.read("page.html"), PAGE.replace("hello(\"x\")", "hi()").replace("hello(q)", "hi()"));
    assert_eq!(place.read("notes.md"), NOTES.replace("hello(x)", "hi()"));
}

/// Components and pages that use `total` and `Shop.open` of a module.
const USERS: [(&str, &str, &[&str]); 6] = [
    (
        "c.vue",
        "<script setup lang=\"ts\">\nimport { total, Shop } from \"./a\";\nconst s = new Shop();\n</script>\n\
         <template><p @click=\"s.open()\">{{ total(1) }}</p></template>\n",
        &["c.vue:2:10", "c.vue:5:35"],
    ),
    (
        "d.svelte",
        "<script lang=\"ts\">\n  import { total } from \"./a\";\n</script>\n<p>{total(3)}</p>\n",
        &["d.svelte:2:12", "d.svelte:4:5"],
    ),
    ("e.astro", "---\nimport { total } from \"./a\";\n---\n<p>{total(3)}</p>\n", &["e.astro:2:10", "e.astro:4:5"]),
    ("f.html", "<script type=\"module\">\nimport { total } from \"./a.js\";\n</script>\n", &["f.html:2:10"]),
    // Its own name, a string, a comment, and code that is only shown.
    ("g.vue", "<script>\nconst total = 1; // total\nf(total, \"total\");\n</script>\n<p>total</p>\n", &[]),
    ("h.md", "`total`\n\n```ts\ntotal(1)\n```\n", &[]),
];

#[test]
fn what_it_uses_is_a_doubt() {
    let place = Place::new();
    place.write("a.ts", "export function total(x: number): number { return x + 1; }\nexport class Shop { open() { return total(1); } }\n");
    let mut expected = Vec::new();
    for (path, text, uses) in USERS {
        place.write(path, text);
        expected.extend(uses.iter().map(|place| (*place).to_owned()));
    }
    let shown = |symbol: &str| {
        let run = place.run(&["refs", symbol]);
        let doubts = run.stdout.lines().filter(|line| line.ends_with("undetermined") || line.ends_with("candidate"));
        doubts.map(|line| line.split("  ").next().unwrap_or_default().to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(shown("total"), expected);
    assert_eq!(shown("Shop.open"), ["c.vue:5:24"]);
    let run = place.run(&["refactor", "rename", "total", "sum"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("c.vue:2:10"), "{}", run.stderr);
    let mut words = vec!["refactor", "rename", "total", "sum", "--write"];
    let included: Vec<&str> = expected.iter().map(|place| place.rsplit_once(':').expect("a column").0).collect();
    words.extend(included.iter().flat_map(|place| ["--include", place]));
    let run = place.run(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for (path, text, _) in &USERS[..4] {
        assert_eq!(place.read(path), text.replace("total", "sum"));
    }
}

/// Each kind of code in a component, and in templates of JavaScript and PHP: a file, a selector, the places that it finds.
const KINDS: [(&str, &str, &str, &[&str]); 10] = [
    (
        "t.html",
        "<script>\n{% if a %}\nlet x = {{ value|safe }}; f({# no #});\n{% endif %}\ng(\"{{ y }}\");\n</script>\n<style>p { color: {{ c }}; }</style>\n",
        "call, property_name",
        &["3:27", "5:1", "7:12"],
    ),
    (
        "a.vue",
        "<script setup lang=\"ts\">\nlet n: number = f();\n</script>\n<template>\n<p :a=\"g(n)\" @b.c='h()'>{{ i() }}</p>\n</template>\n",
        "call",
        &["2:17", "5:8", "5:20", "5:28"],
    ),
    ("b.vue", "<template><p/></template>\n<style lang=\"css\">\n.a { color: red }\n</style>\n", "rule_set", &["3:1"]),
    (
        "c.svelte",
        "{#if f(1)}<p on:click={() => g()} a=\"x {h()}\">{i()}</p>{/if}\n",
        "call",
        &["1:6", "1:30", "1:41", "1:48"],
    ),
    (
        "d.astro",
        "---\nconst n: number = f();\n---\n<p a={g(n)}>{l.map((i) => <b>{h(i)}</b>)}</p>\n",
        "call",
        &["2:19", "4:7", "4:14", "4:31"],
    ),
    ("e.ts", "const A = styled.div`\n  color: ${f()};\n  margin: 0;\n`;\n", "property_name", &["2:3", "3:3"]),
    ("f.js", "const q = sql`select a from t where b = ${c}`;\n", "select", &["1:15"]),
    (
        "g.js",
        "const q = html`<p class=${c}><b>x</b></p>`; css`a { color: red }`;\n",
        "element, rule_set",
        &["1:16", "1:30", "1:49"],
    ),
    (
        "h.php",
        "<p><?php f(); ?></p>\n<script>g(<?= 1 ?>); h();</script>\n",
        "element, call",
        &["1:1", "1:10", "2:9", "2:22"],
    ),
    ("i.md", "+++\na = 1\n+++\n\n```console\nf()\n```\n\n```py\nf()\n```\n", "pair, call", &["2:1", "10:1"]),
];

#[test]
fn each_kind_of_it_is_found() {
    let place = Place::new();
    for (file, text, selector, expected) in KINDS {
        place.write(file, text);
        let found = places(&place, &["find", selector, file]);
        let expected: Vec<String> = expected.iter().map(|at| format!("{file}:{at}")).collect();
        assert_eq!(found, expected, "{selector} in {text}");
        assert_eq!(places(&place, &["find", selector, ".", "-g", file]), expected, "{selector} in a folder");
        assert_eq!(place.run(&["check", file]).status, 0, "{file}");
    }
}

#[test]
fn the_files_that_it_imports_are_followed() {
    let place = Place::new();
    place.write("a.ts", "export const f = 1;\n");
    let import = "import { f } from \"./a\";\n";
    place.write("b.vue", &format!("<script lang=\"ts\">\n{import}</script>\n"));
    place.write("c.svelte", &format!("<script>\n{import}</script>\n<p>{{f}}</p>\n"));
    place.write("d.astro", &format!("---\n{import}---\n<p>{{f}}</p>\n"));
    place.write("e.html", "<script type=\"module\">\nimport { f } from \"./a.js\";\n</script>\n");
    place.write("f.md", &format!("```ts\n{import}```\n"));
    place.write("g.ts", "import B from \"./b.vue\";\nB;\n");
    place.write("h.js", "import B from \"./b\";\nB;\n");
    let importers = ["b.vue", "c.svelte", "d.astro", "e.html"];

    let deps = place.run(&["deps", "a.ts"]).stdout;
    for file in importers {
        assert!(deps.contains(&format!("imported by {file}")), "{deps}");
    }
    let deleted = place.run(&["refactor", "delete-file", "a.ts", "--write"]);
    assert_eq!(deleted.status, 2, "{}", deleted.stderr);
    for file in importers {
        assert!(deleted.stderr.contains(&format!("{file}:2:")), "{}", deleted.stderr);
    }

    assert_eq!(place.run(&["refactor", "move-file", "a.ts", "lib/a.ts", "--write"]).status, 0);
    for file in importers {
        assert!(place.read(file).contains("from \"./lib/a"), "{file}: {}", place.read(file));
    }
    assert!(place.read("f.md").contains(import), "what is shown stays");
    assert_eq!(place.run(&["refactor", "move-file", "b.vue", "parts/b.vue", "--write"]).status, 0);
    assert!(place.read("parts/b.vue").contains("from \"../lib/a\""), "{}", place.read("parts/b.vue"));
    assert!(place.read("g.ts").contains("from \"./parts/b.vue\""), "{}", place.read("g.ts"));
    assert!(place.read("h.js").contains("from \"./parts/b\""), "bundlers add the extension: {}", place.read("h.js"));
}
