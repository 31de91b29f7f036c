//! What belongs to what by the paths of a language's data: what a wrapper holds, what a definition is given.

use cst::language::Language;
use cst::outline::{Options, outline};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

use crate::edit::{node, op, run};
use crate::finding::nodes;

fn tree(language: &str, source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named(language).unwrap(), &ParseLimits::default()).unwrap()
}

/// The rows of an outline, two spaces a level.
#[track_caller]
fn listed(language: &str, source: &str, expected: &[&str]) {
    let tree = tree(language, source);
    let rows = outline(&tree, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let rows: Vec<String> = rows.iter().map(|row| format!("{}{}", "  ".repeat(row.depth), row.signature)).collect();
    assert_eq!(rows, expected, "{source}");
}

/// The qualnames of what a selector finds.
#[track_caller]
fn named(language: &str, source: &str, selector: &str, expected: &[&str]) {
    let tree = tree(language, source);
    let found = nodes(&tree, selector).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<String> = found.into_iter().map(|node| tree.qualname(node).unwrap_or_default()).collect();
    assert_eq!(names, expected, "{selector} in\n{source}");
}

const TEMPLATES: &str = "int a;\n\n// The larger.\ntemplate <class T>\nT largest(T a, T b) { return a; }\n\nclass A {\n  friend void h(int);\n  // Does it.\n  template <class T> void m(T t) {}\n};\n";

#[test]
fn the_last_child_may_be_what_is_held() {
    let tree = tree("cpp", TEMPLATES);
    let function = node(&tree, "function_definition T largest");
    assert_eq!(tree.type_name(tree.outermost_wrapper(function)), "template_declaration");
    assert_eq!(tree.doc(function).as_deref(), Some("The larger."));
    let outcome = run(&tree, &[op(&tree, "delete function_definition T largest")]).unwrap();
    assert!(!outcome.tree.text().to_string().contains("template <class T>\n"));
    let rows = [
        "template <class T> T largest(T a, T b)",
        "class A",
        "  friend void h(int);",
        "  template <class T> void m(T t)",
    ];
    listed("cpp", &TEMPLATES.replace("int a;\n\n", ""), &rows);
    named("cpp", TEMPLATES, "class > method[doc*=\"Does\"]", &["A.m"]);
}

#[test]
fn a_value_may_stand_in_no_field() {
    let zig =
        "const Item = struct {\n    name: u8,\n\n    pub fn init() Item {\n        return undefined;\n    }\n};\n";
    named("zig", zig, "method", &["Item.init"]);
    named("zig", zig, "struct#Item > method", &["Item.init"]);
    listed("zig", zig, &["const Item = struct", "  pub fn init() Item"]);
}

#[test]
fn a_value_may_stand_deeper() {
    let lua = "local twice = function(n)\n    local half = function(m) return m end\n    return n\nend\nShop.close = function(self) end\n";
    named("lua", lua, "function", &["twice", "twice.half", "Shop.close"]);
    named("lua", lua, "function#twice > parameter", &["twice.n"]);
    listed("lua", lua, &["local twice = function(n)", "  local half = function(m)", "Shop.close = function(self)"]);
}

#[test]
fn an_object_names_what_is_in_it() {
    let source = "const api = {\n  get() { const inner = f(); },\n  deep: { put: () => {} },\n};\nfunction g() { const o = { run() {} }; }\n";
    named("javascript", source, "function", &["api.get", "api.deep.put", "g", "g.o.run"]);
    named("javascript", source, "variable:in-own(function#get)", &["api.get.inner"]);
    named("javascript", source, "variable:has-own(function)", &["api", "g.o"]);
    listed("javascript", source, &["const api = …", "  get()", "  put: () =>", "function g()", "  run()"]);
}
