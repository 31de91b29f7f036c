//! Signs that look like a heredoc with a word too long for the scanner: no file with them is refused, and none ends the process.

use cst::tree::Tree;

use crate::rewriting::parsed;

fn calls(tree: &Tree) -> usize {
    let is_call = |&node: &cst::tree::Node| tree.type_name(node) == "call";
    tree.table().nodes().filter(is_call).count()
}

#[test]
fn a_file_with_such_signs_is_read() {
    let code = "f(1)\n".repeat(100);
    for start in [
        "# since `<<` will win\n",
        "S = \"<<\"\n",
        "x = key == '<<' && y\n",
        "# <<\"\nx = '<<'\n",
        "# <<\"\n# <<'\n# <<`\n",
        "s = %q(<<\")\n",
    ] {
        let tree = parsed(&format!("{start}{code}"), "ruby");
        assert!(tree.is_sound(), "{start}");
        assert_eq!(calls(&tree), 100, "{start}");
    }
    let long = "b".repeat(300);
    for (start, is_sound) in [
        (format!("x = \"a\" <<\"{long}\"\n"), true),
        (format!("x = \"a\"<<\"{long}\"\n"), true),
        (format!("x <<'{long}'\n"), true),
        (format!("f \"#{{x}}\"<<\"{}\"\n", "b\n".repeat(300)), true),
        (format!("# <<\" \nx = \"a\"<<'{long}'\n"), true),
        (format!("x = <<{long}\ntext\n{long}\n"), false),
        (format!("x = <<~\"{long}\"\ntext\n{long}\n"), false),
    ] {
        let tree = parsed(&format!("{start}{code}"), "ruby");
        assert!(!is_sound || tree.is_sound(), "{start}");
        assert!(calls(&tree) >= 99, "{start}");
    }
}

#[test]
fn an_edit_beside_them_is_as_if_parsed_anew() {
    use cst::text::{EditSet, Span, TextEdit};
    use cst::tree::{EditIntent, ParseLimits};

    let code = format!("# <<\" no word\n{}", "f(1)\n".repeat(100));
    let tree = parsed(&code, "ruby");
    // The edit takes the signs away, and then brings them back.
    for (at, len, text) in [(2, 3, "to"), (2, 0, "<<\" ")] {
        let edits = EditSet::new(vec![TextEdit::new(Span::new(at, at + len), text)]).unwrap();
        let edited = tree.edit(&edits, &EditIntent::default(), &ParseLimits::default()).unwrap().tree;
        let anew = parsed(&edited.text().to_string(), "ruby");
        assert_eq!(edited.table().column_bytes(), anew.table().column_bytes(), "{text}");
    }
}
