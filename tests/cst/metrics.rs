//! Numbers of functions: the attributes, and what counts in each language.

use cst::metrics::{Measure, Measures};
use cst::tree::Tree;

/// The order of the numbers below.
const MEASURES: &[Measure] = &[
    Measure::Complexity,
    Measure::Cognitive,
    Measure::Nesting,
    Measure::Statements,
    Measure::Returns,
    Measure::Branches,
    Measure::Locals,
    Measure::Comments,
    Measure::CodeLines,
];

/// The numbers of the functions that a selector finds.
fn numbers(tree: &Tree, selector: &str) -> Vec<Vec<usize>> {
    let measures = Measures::new(tree);
    let found = cst::select(tree, selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
    let of = |measure: &Measure, node| {
        let number = measures.of(node, *measure);
        assert_eq!(number.is_some(), measure.is_known(tree.language()), "{measure}");
        number.unwrap_or_default()
    };
    found.iter().map(|found| MEASURES.iter().map(|measure| of(measure, found.node)).collect()).collect()
}

/// A function in a language with an `if` of three branches, a loop with an `if`, a `while`, a handler or a case, and a choice; and its
/// numbers, counted by hand.
struct Sample {
    language: &'static str,
    source: &'static str,
    numbers: [usize; 9],
}

const SAMPLES: &[Sample] = &[
    Sample {
        language: "python",
        source: "def f(a, b, items):
    # One comment.
    total = 0
    if a and b:
        total = 1
    elif b:
        total = 2
    else:
        total = 3

    for item in items:
        if item:
            continue
    while a:
        a = a - 1
    try:
        g(total)
    except ValueError:
        return 0
    return 1 if b else total
",
        // As for pylint, `for`, `while` and `return` are no statements, and `except` is two.
        numbers: [9, 10, 2, 14, 2, 7, 5, 1, 18],
    },
    Sample {
        language: "javascript",
        source: "function f(a, b, items) {
    // One comment.
    let total = 0;
    if (a && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (const item of items) {
        if (item) {
            continue;
        }
    }
    while (a) {
        a = a - 1;
    }
    try {
        g(total);
    } catch {
        return 0;
    }
    return b ? 1 : total;
}
",
        numbers: [9, 10, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "typescript",
        source: "function f(a: number, b: boolean, items: number[]): number {
    // One comment.
    let total = 0;
    if (a && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (const item of items) {
        if (item) {
            continue;
        }
    }
    while (a) {
        a = a - 1;
    }
    try {
        g(total);
    } catch {
        return 0;
    }
    return b ? 1 : total;
}
",
        numbers: [9, 10, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "tsx",
        source: "const f = (a: number, b: boolean, items: number[]) => {
    // One comment.
    let total = 0;
    if (a && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (const item of items) {
        if (item) {
            continue;
        }
    }
    while (a) {
        a = a - 1;
    }
    try {
        g(total);
    } catch {
        return 0;
    }
    return b ? <p>{total}</p> : total;
};
",
        numbers: [9, 10, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "java",
        source: "class A {
int f(int a, boolean b, int[] items) {
    // One comment.
    int total = 0;
    if (a > 0 && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (int item : items) {
        if (item > 0) {
            continue;
        }
    }
    while (a > 0) {
        a = a - 1;
    }
    try {
        g(total);
    } catch (Error e) {
        return 0;
    }
    return b ? 1 : total;
}
}
",
        // `e` is a variable, too.
        numbers: [9, 10, 2, 16, 2, 7, 6, 1, 24],
    },
    Sample {
        language: "kotlin",
        source: "fun f(a: Int, b: Boolean, items: List<Int>): Int {
    // One comment.
    var total = 0
    if (a > 0 && b) {
        total = 1
    } else if (b) {
        total = 2
    } else {
        total = 3
    }

    for (item in items) {
        if (item > 0) {
            continue
        }
    }
    while (a > 0) {
        h(a)
    }
    try {
        g(total)
    } catch (e: Error) {
        return 0
    }
    return total
}
",
        numbers: [8, 9, 2, 16, 2, 7, 6, 1, 24],
    },
    Sample {
        language: "csharp",
        source: "class A {
int F(int a, bool b, int[] items) {
    // One comment.
    var total = 0;
    if (a > 0 && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    foreach (var item in items) {
        if (item > 0) {
            continue;
        }
    }
    while (a > 0) {
        a = a - 1;
    }
    try {
        G(total);
    } catch (Error) {
        return 0;
    }
    return b ? 1 : total;
}
}
",
        numbers: [9, 10, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "go",
        source: "package p
func f(a int, b bool, items []int) int {
	// One comment.
	total := 0
	if a > 0 && b {
		total = 1
	} else if b {
		total = 2
	} else {
		total = 3
	}

	for _, item := range items {
		if item > 0 {
			continue
		}
	}
	for a > 0 {
		a = a - 1
	}
	switch a {
	case 1:
		g(total)
		return 0
	}
	return total
}
",
        // `break` and `continue` without a label add nothing; a `switch` is one, its case is a branch.
        numbers: [8, 9, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "rust",
        source: "fn f(mut a: i32, b: bool, items: &[i32]) -> i32 {
    // One comment.
    let mut total = 0;
    if a > 0 && b {
        total = 1;
    } else if b {
        total = 2;
    } else {
        total = 3;
    }

    for item in items {
        if *item > 0 {
            continue;
        }
    }
    while a > 0 {
        a = a - 1;
    }
    match a {
        1 => g(total),
        _ => return 0,
    }
    return total;
}
",
        // An arm is no statement.
        numbers: [8, 9, 2, 14, 2, 8, 5, 1, 23],
    },
    Sample {
        language: "c",
        source: "int f(int a, int b, int items[]) {
    // One comment.
    int total = 0;
    if (a && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (int i = 0; i < a; i++) {
        if (items[i]) {
            continue;
        }
    }
    while (a) {
        a = a - 1;
    }
    switch (a) {
    case 1:
        g(total);
        return 0;
    }
    return b ? 1 : total;
}
",
        numbers: [9, 10, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "cpp",
        source: "int f(int a, bool b, std::vector<int> items) {
    // One comment.
    int total = 0;
    if (a && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (int item : items) {
        if (item) {
            continue;
        }
    }
    while (a) {
        a = a - 1;
    }
    try {
        g(total);
    } catch (...) {
        return 0;
    }
    return b ? 1 : total;
}
",
        numbers: [9, 10, 2, 16, 2, 7, 5, 1, 24],
    },
    Sample {
        language: "objc",
        source: "@implementation A
- (int)f:(int)a b:(BOOL)b items:(NSArray *)items {
    // One comment.
    int total = 0;
    if (a && b) {
        total = 1;
    } else if (b) {
        total = 2;
    } else {
        total = 3;
    }

    for (int i = 0; i < a; i++) {
        if (items[i]) {
            continue;
        }
    }
    while (a) {
        a = a - 1;
    }
    @try {
        g(total);
    } @catch (NSException *e) {
        return 0;
    }
    return b ? 1 : total;
}
@end
",
        numbers: [9, 10, 2, 16, 2, 7, 6, 1, 24],
    },
    Sample {
        language: "ruby",
        source: "def f(a, b, items)
  # One comment.
  total = 0
  if a && b
    total = 1
  elsif b
    total = 2
  else
    total = 3
  end

  for item in items
    next if item
  end
  while a
    a = a - 1
  end
  begin
    g(total)
  rescue Error
    return 0
  end
  return b ? 1 : total
end
",
        // `next if item` is one statement.
        numbers: [9, 10, 2, 15, 2, 7, 5, 1, 22],
    },
    Sample {
        language: "php",
        source: "<?php
function f($a, $b, $items) {
    // One comment.
    $total = 0;
    if ($a && $b) {
        $total = 1;
    } elseif ($b) {
        $total = 2;
    } else {
        $total = 3;
    }

    foreach ($items as $item) {
        if ($item) {
            continue;
        }
    }
    while ($a) {
        $a = $a - 1;
    }
    try {
        g($total);
    } catch (Error $e) {
        return 0;
    }
    return $b ? 1 : $total;
}
",
        numbers: [9, 10, 2, 16, 2, 7, 6, 1, 24],
    },
    Sample {
        language: "swift",
        source: "func f(a: Int, b: Bool, items: [Int]) -> Int {
    // One comment.
    var total = 0
    if a > 0 && b {
        total = 1
    } else if b {
        total = 2
    } else {
        total = 3
    }

    for item in items {
        if item > 0 {
            continue
        }
    }
    while a > 0 {
        h(a)
    }
    do {
        try g(total)
    } catch {
        return 0
    }
    return b ? 1 : total
}
",
        // The data of Swift does not say what binds names.
        numbers: [9, 10, 2, 16, 2, 7, 0, 1, 24],
    },
    Sample {
        language: "scala",
        source: "object A {
def f(a: Int, b: Boolean, items: List[Int]): Int = {
  // One comment.
  var total = 0
  if (a > 0 && b) {
    total = 1
  } else if (b) {
    total = 2
  } else {
    total = 3
  }

  for (item <- items) {
    if (item > 0) {
      h(item)
    }
  }
  while (a > 0) {
    h(a)
  }
  try {
    g(total)
  } catch {
    case e: Error => return 0
  }
  return total
}
}
",
        // The body of a case is not a statement.
        // The data of Scala does not say that a `for` binds `item`.
        numbers: [8, 9, 2, 15, 2, 7, 5, 1, 24],
    },
];

#[test]
fn every_first_class_language_counts() {
    let mut wrong = Vec::new();
    for Sample { language, source, numbers: expected } in SAMPLES {
        let tree = cst::parse(source, language).expect("it is parsed");
        let found = numbers(&tree, ":is(function, method):not(:has(function))");
        if found != [expected.to_vec()] {
            wrong.push(format!("{language}: {found:?}, not {expected:?}"));
        }
    }
    let order: Vec<&str> = MEASURES.iter().map(|measure| measure.as_str()).collect();
    assert!(wrong.is_empty(), "{}\n{}", order.join(" "), wrong.join("\n"));
    assert_eq!(SAMPLES.len(), 16);
}

/// How many functions a selector finds.
fn count(source: &str, language: &str, selector: &str) -> usize {
    let tree = cst::parse(source, language).expect("it is parsed");
    cst::select(&tree, selector).unwrap_or_else(|error| panic!("{selector}: {error}")).len()
}

#[test]
fn numbers_are_attributes_like_others() {
    let python = SAMPLES[0].source;
    for (selector, expected) in [
        ("function[complexity=9]", 1),
        ("function[complexity>9]", 0),
        ("function[cognitive>=10][nesting<3]", 1),
        ("function[returns>1]", 1),
        ("function[returns>2]", 0),
        ("function[returns=2]", 0),
        ("function[branches>6][statements>13][locals>4]", 1),
        ("module[code_lines=18][comments=1]", 1),
        ("class[complexity], call[complexity], if[code_lines]", 0),
        ("function[complexity=$N]:has(> block):not([cognitive=$N])", 1),
    ] {
        assert_eq!(count(python, "python", selector), expected, "{selector}");
    }
    assert_eq!(count("def f(a):\n    global b\n    b = c = a\n", "python", "function[locals=2]"), 1);
    assert_eq!(count("def f() -> int: return 1\n", "python", "function[returns=\"int\"][returns>0]"), 1);
    let error = cst::select(&cst::parse("{}", "json").expect("it is parsed"), "object[complexity>3]");
    let error = error.expect_err("JSON has no functions").to_string();
    assert!(error.contains("the attribute `complexity` is not known for json"), "{error}");
    assert_eq!(count("{\n}\n", "json", "module[code_lines=2]"), 1);
}

/// The complexity and the cognitive complexity of all functions, inner ones after those around them.
fn complexities(source: &str, language: &str) -> Vec<[usize; 2]> {
    let tree = cst::parse(source, language).unwrap_or_else(|error| panic!("{error}"));
    let measures = Measures::new(&tree);
    let nodes = tree.table().nodes().filter(|&node| measures.has(node));
    let of = |node, measure| measures.of(node, measure).expect("it is a function");
    nodes.map(|node| [of(node, Measure::Complexity), of(node, Measure::Cognitive)]).collect()
}

#[test]
fn functions_in_functions() {
    // The inner function adds nothing to the complexity, and is a level deeper.
    let inner = "def f(a):\n    x = 1\n    def g():\n        if a: pass\n    return g\n";
    assert_eq!(complexities(inner, "python"), [[1, 2], [2, 1]]);
    let decorator = "def f(a):\n    def g():\n        if a: pass\n    return g\n";
    assert_eq!(complexities(decorator, "python"), [[1, 1], [2, 1]]);
    let lambda = "def f(a):\n    return sorted(a, key=lambda x: x if a else 1)\n";
    assert_eq!(complexities(lambda, "python"), [[2, 2], [2, 1]]);
    // Each counts for itself.
    let arrow = "function f(a) { return a.map(x => x ? 1 : 2); }\n";
    assert_eq!(complexities(arrow, "javascript"), [[1, 0], [2, 1]]);
    let literal = "package p\nfunc f(a bool) { g(func() { if a { h() } }) }\n";
    assert_eq!(complexities(literal, "go"), [[2, 2], [2, 1]]);
}

#[test]
fn sequences_of_boolean_operators() {
    for (condition, complexity, cognitive) in [
        ("a", 1, 0),
        ("a && b && c", 3, 1),
        ("a && (b && c)", 3, 1),
        ("a && b || c && d", 4, 3),
        ("a || b && c || d", 4, 3),
        ("a && !(b && c)", 3, 2),
        ("a && g(b && c) && d", 4, 2),
        ("a && (b && c) + (b && d)", 4, 3),
    ] {
        let source = format!("function f(a, b, c, d) {{ return {condition}; }}\n");
        assert_eq!(complexities(&source, "javascript"), [[complexity, cognitive]], "{condition}");
    }
    // The operators of Scala are names.
    assert_eq!(complexities("object A { def f(a: Boolean) = a && b + 1 > c || d }\n", "scala"), [[3, 2]]);
}

#[test]
fn cases_jumps_and_calls_of_itself() {
    for (language, source, expected) in [
        ("python", "def f(a):\n    match a:\n        case 1: pass\n        case _: return f(a)\n", [2, 2]),
        ("python", "def f(a):\n    return [x for x in a if x]\n", [3, 0]),
        ("python", "def f(a):\n    for x in a: pass\n    else: pass\n", [3, 1]),
        ("javascript", "function f(a) { o: for (;;) { if (a) break o; else continue; } }", [3, 5]),
        ("javascript", "function f(a = 1, {b = 2}) { a?.b; a ??= 1; switch (a) { case 1: default: } }", [6, 1]),
        ("javascript", "function f(a) { if (a ? 1 : 2) { if (a) {} } }", [4, 4]),
        ("typescript", "function f(a: number = 1) { a?.(1); a?.b(); return a!; }", [4, 0]),
        (
            "java",
            "class A { int f(int a) { return switch (a) { case 1, 2 -> 3; case 4 -> 5; default -> f(a); }; } }",
            [3, 1],
        ),
        ("go", "package p\nfunc f() { select { case <-c: default: } ; f() }", [2, 2]),
        ("rust", "fn f() { let Some(a) = b else { return }; match a { 1 => 2, x if x > 2 => 3, _ => 4 } }", [5, 2]),
        ("c", "int f(int a) { switch (a) { case 1: goto end; default: ; } end: return a ? f(1) : 2; }", [3, 4]),
        ("csharp", "class A { int F(int a) => a switch { 1 => 2, int b when b > 3 => 4, _ => a ?? 5 }; }", [5, 1]),
        ("kotlin", "fun f(a: Int) = when (a) { 1 -> 2; else -> a ?: 3 }", [3, 1]),
        ("ruby", "def f(a)\n  case a\n  when 1 then 2\n  else f(a)\n  end\n  a ||= 3\nend\n", [3, 2]),
        ("php", "<?php function f($a) { return match ($a) { 1 => 2, default => $a ?? 3 }; }", [3, 1]),
        ("swift", "func f(a: Int) {\n  guard let b = a else { return }\n  for c in a where c > 1 { }\n}", [4, 2]),
        ("cpp", "int f(int a) { auto l = [a](int b) { return b ? 1 : 2; }; return a and b; }", [3, 3]),
    ] {
        assert_eq!(complexities(source, language)[0], expected, "{source}");
    }
}

#[test]
fn lines_of_code_and_comment() {
    let source = "int f(int a) {\n  /* One\n\n     two */ int b = 1; // three\n\n  // four\n  return b;\n}\n";
    let tree = cst::parse(source, "c").expect("it is parsed");
    let found = numbers(&tree, "function");
    assert_eq!(found[0][7..], [3, 4], "a line with both counts for both, a blank line in a comment for neither");
    let source = "def f():\n    \"\"\"One\n    two.\"\"\"\n    return \"\"\"three\n\n    four\"\"\"\n";
    let tree = cst::parse(source, "python").expect("it is parsed");
    assert_eq!(numbers(&tree, "function")[0][7..], [2, 3], "documentation is a comment, another string is code");
}

#[test]
fn functions_bound_to_a_definition_are_listed_once() {
    let source = "const f = () => 1;\nconst o = { g() {}, h: function () {} };\nrun(() => 2);\n";
    let tree = cst::parse(source, "javascript").expect("it is parsed");
    let names: Vec<_> = Measures::new(&tree).functions().iter().map(|&node| tree.qualname(node)).collect();
    let expected = [Some("f"), Some("o.g"), Some("o.h"), None].map(|name| name.map(str::to_owned));
    assert_eq!(names, expected);
}

#[test]
fn deep_code_is_counted_without_recursion() {
    let source = format!("x = {}1{}\n", "(lambda: ".repeat(2000), ")".repeat(2000));
    let tree = cst::parse(&source, "python").expect("it is parsed");
    assert_eq!(complexities(&source, "python").len(), 2000);
    assert_eq!(Measures::new(&tree).functions(), []);
}

mod command {
    use serde_json::Value;

    use crate::cli::Place;

    fn place() -> Place {
        let place = Place::new();
        place.write("a.py", super::SAMPLES[0].source);
        place.write("src/b.js", "const g = a => a ? 1 : 2;\nconst s = '</script><!--';\n");
        place.write("src/c.json", "{\n}\n");
        place
    }

    #[test]
    fn lists_functions_and_sums() {
        let shown = place().run(&["metrics"]).expect(0).stdout;
        let rows: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["9", "10", "2", "14", "18", "a.py:1:1", "f"]);
        assert_eq!(rows[1], ["2", "1", "0", "1", "1", "src/b.js:1:7", "g"]);
        assert_eq!(rows[3], ["python", "1", "20", "18", "1", "1", "9", "9", "9.0"]);
        assert_eq!(rows[4], ["javascript", "1", "2", "2", "0", "1", "2", "2", "2.0"]);
        assert_eq!(rows[5], ["json", "1", "2", "2", "0", "0", "0", "0", "0.0"]);
    }

    #[test]
    fn sorts_and_cuts() {
        let place = place();
        let answer =
            place.run(&["metrics", "--json", "--top", "1", "--sort", "code_lines", "--files"]).expect(0).json();
        assert_eq!(answer["functions"].as_array().map(Vec::len), Some(1));
        assert_eq!(answer["more_functions"], 1);
        assert_eq!(answer["files"][0]["path"], "a.py");
        assert_eq!(answer["files"][0]["max_complexity"], 9);
        assert_eq!(answer["more_files"], 2);
        assert_eq!(answer["functions"][0]["locals"], 5);
        let shown = place.run(&["metrics", "--files", "--top", "1"]).expect(0);
        assert!(
            shown.stdout.starts_with("         9        10       2         14     18         1       9  a.py\n"),
            "{}",
            shown.stdout
        );
        assert!(shown.stderr.contains("2 files not listed"), "{}", shown.stderr);
        place.run(&["metrics", "--sort", "size"]).expect(2);
        let lines = place.run(&["metrics", "--jsonl", "src"]).expect(0).stdout;
        assert_eq!(lines.lines().count(), 1);
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let page = place().run(&["metrics", "--format", "html"]).expect(0).stdout;
        let data =
            page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("it has data");
        let data: Value = serde_json::from_str(data).expect("the data is JSON");
        assert_eq!(data["files"].as_array().map(Vec::len), Some(3));
        assert_eq!(data["functions"][0]["qualname"], "f");
        assert_eq!(page.matches("</script>").count(), 2);
        for outside in ["http:", "https:", "src=", "import ", "url("] {
            assert!(!page.contains(outside), "the page has `{outside}`");
        }
    }
}
