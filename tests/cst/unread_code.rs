//! C that the grammar takes for an error and a compiler does not: heads of loops that are macros, lines of the preprocessor in a list.

use cst::language::Language;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};
use serde_json::json;

use super::cli::Place;
use super::refactored::check;

fn c(text: &str) -> Tree {
    let language = Language::named("c").expect("it is built in");
    Tree::parse(Text::new(text), language, &ParseLimits::default()).expect("it is parsed")
}

#[test]
fn the_head_of_a_loop_may_be_a_macro() {
    let text = "void f(struct list *head)\n{\n\tlist_for_each_entry(pos, head, list) {\n\t\tuse(pos);\n\t}\n\tfor_each_cpu(cpu)\n\t\tg(cpu);\n\tTAILQ_FOREACH(np, &head, entries)\n\t\tnp->x = 1;\n\tfor_each_node(n)\n\t\tfor_each_cpu(c) {\n\t\t\th(c);\n\t\t}\n\tif (x)\n\t\tfor_each_node(n) {\n\t\t}\n}\n\nint for_each_thing(int x)\n{\n\treturn x;\n}\n";
    let tree = c(text);
    assert!(tree.is_sound(), "{:?}", tree.errors());
    let place = Place::new();
    place.write("a.c", text);
    let names = |selector: &str| -> Vec<String> {
        let run = place.run(&["find", selector, "a.c", "--json"]).expect(0);
        let found = run.json()["matches"].as_array().expect("a list").clone();
        found.iter().map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names("function"), ["f", "for_each_thing"]);
    let heads = [
        "list_for_each_entry",
        "use",
        "for_each_cpu",
        "g",
        "TAILQ_FOREACH",
        "for_each_node",
        "for_each_cpu",
        "h",
        "for_each_node",
    ];
    assert_eq!(names("call"), heads);
    // The text is as it was, line for line.
    assert_eq!(tree.text().to_string(), text);
}

#[test]
fn lines_of_the_preprocessor_may_be_anywhere() {
    let sound = [
        "static const int all[] = {\n\t1,\n#ifdef BIG\n\t2,\n#endif\n\t3,\n};\n",
        "int f(int a)\n{\n\tif (a\n#ifdef BIG\n\t    && a > 2\n#endif\n\t    )\n\t\treturn 1;\n\treturn 0;\n}\n",
        "int f(int a)\n{\n#ifdef BIG\n\tif (a > 2) {\n#else\n\tif (a > 1) {\n#endif\n\t\treturn 1;\n\t}\n\treturn 0;\n}\n",
        "#define log(format, args...) print(format, ##args)\n",
        "static DEFINE_TABLE(names, 6);\n",
        "struct s { int x; } PACKED one;\n",
        "int f(void)\n{\n\treturn print(\"a %\" FORMAT(\"6\") \" b\", 1);\n}\n",
    ];
    for text in sound {
        let tree = c(text);
        assert!(tree.is_sound(), "{text}{:?}", tree.errors());
    }
}

/// The names in an alternative that is not read are in no tree, and are found all the same.
#[test]
fn names_in_an_alternative_that_is_not_read_are_known() {
    let text = "static int limit = 1;\nint f(int a)\n{\n#ifdef BIG\n\tif (a > 2) {\n#else\n\tif (a > limit) {\n#endif\n\t\treturn 1;\n\t}\n\treturn limit;\n}\n";
    check(
        &[("a.c", text)],
        &json!({"kind": "rename", "symbol": "limit", "to": "most"}),
        &[("a.c", &text.replace("limit", "most"))],
    );
    let renamed = text.replace("int a)", "int b)").replace("if (a ", "if (b ");
    check(&[("a.c", text)], &json!({"kind": "rename", "symbol": "a.c:2:11", "to": "b"}), &[("a.c", &renamed)]);
    let text = "static int limit = 1;\nint f(int a)\n{\n\tif (a\n#ifdef BIG\n\t    && a > limit\n#endif\n\t    )\n\t\treturn 1;\n\treturn limit;\n}\n";
    check(
        &[("a.c", text)],
        &json!({"kind": "rename", "symbol": "limit", "to": "most"}),
        &[("a.c", &text.replace("limit", "most"))],
    );
}
