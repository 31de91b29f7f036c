//! Arguments of functions, methods and constructors followed back to where they come from: what a place may read, and what it may not.

use serde_json::json;

use crate::refactored::{check, refused};

/// A rename at a place changes the one file to this.
#[track_caller]
fn renamed(path: &str, program: &str, place: &str, expected: &str) {
    let symbol = format!("{path}:{place}");
    check(&[(path, program)], &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}), &[(path, expected)]);
}

#[track_caller]
fn is_refused(path: &str, program: &str, place: &str, why: &str) {
    let symbol = format!("{path}:{place}");
    let (_, places) = refused(&[(path, program)], &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}));
    assert!(places.iter().any(|place| place.contains(why)), "{places:?}");
}

#[test]
fn a_place_that_reads_objects_which_are_all_known_is_another_member() {
    let program = "class A { fox() { return 1; } }\n\
         for (const { fox } of [{ fox: 2 }]) console.log(fox);\n\
         console.log(new A());\n\
         console.log(new A().fox());\n";
    let expected = program.replace("A { fox()", "A { zebra()").replace("A().fox", "A().zebra");
    renamed("a.mjs", program, "1:11", &expected);
    // One of the objects is of the class.
    let program = program.replace("[{ fox: 2 }]", "[{ fox: 2 }, new A(), f()]");
    is_refused("a.mjs", &program, "1:11", "the type of the receiver is unknown");
}

#[test]
fn a_function_that_is_never_called_reads_no_object() {
    let program = "export class A { fox() { return 1; } }\n\
         function bee(cat) { return cat.fox; }\n\
         g(new A());\n\
         console.log(new A().fox());\n";
    let expected = program.replace("A { fox()", "A { zebra()").replace("A().fox", "A().zebra");
    renamed("a.mjs", program, "1:18", &expected);
    let program = program.replace("g(new A())", "g(bee, new A())");
    is_refused("a.mjs", &program, "1:18", "the type of the receiver is unknown");
    // With a type it reads what it is declared to be.
    let program = "export {};\nfunction bee(cat: { fox: number }): number { return cat.fox; }\n";
    renamed("a.ts", program, "2:21", &program.replace("fox", "zebra"));
    let program = "export {};\nfunction bee({ fox = 2 }: { fox?: number }): number { return fox; }\n";
    renamed("a.ts", program, "2:29", &program.replace("{ fox = 2", "{ zebra: fox = 2").replace("fox?", "zebra?"));
}

#[test]
fn arguments_of_a_constructor_come_from_where_objects_are_made() {
    let program = "class A { constructor(bee, { fox }) { this.bee = fox; } }\n\
         class B extends A { constructor() { super(1, { fox: 2 }); } }\n\
         class C extends A {}\n\
         console.log(new A(1, { fox: 3 }).bee, new B().bee, new C(1, { fox: 4 }).bee);\n";
    let expected = program.replace("{ fox }", "{ zebra: fox }").replace("{ fox: ", "{ zebra: ");
    renamed("a.mjs", program, "4:24", &expected);
    // The class goes where it is not followed, or is found by an object.
    for other in ["make(A);\n", "const D = new B().constructor;\nconsole.log(new D(1, { fox: 5 }).bee);\n"] {
        is_refused("a.mjs", &format!("{program}{other}"), "4:24", "the type of the receiver is unknown");
    }
}

#[test]
fn a_function_is_followed_to_its_other_names() {
    let program = "function fox({ bee }) { return bee; }\n\
         const cat = fox;\n\
         console.log(fox({ bee: 1 }), cat({ bee: 2 }));\n";
    let expected = program.replace("{ bee }", "{ zebra: bee }").replace("{ bee: ", "{ zebra: ");
    renamed("a.mjs", program, "3:19", &expected);
    for other in ["fox.call(null, o);\n", "run(cat);\n", "module.exports = fox;\n"] {
        is_refused("a.js", &format!("{program}{other}"), "3:19", "the type of the receiver is unknown");
    }
}

#[test]
fn arguments_of_another_function_inside_are_its_own() {
    let program = "function fox({ bee }) {\n  function cat() { return arguments[0]; }\n  return cat(bee);\n}\nconsole.log(fox({ bee: 1 }));\n";
    let expected = program.replace("{ bee }", "{ zebra: bee }").replace("{ bee: ", "{ zebra: ");
    renamed("a.mjs", program, "5:19", &expected);
    let program = program.replace("function cat() { return arguments[0]; }", "const cat = () => arguments[0];");
    is_refused("a.mjs", &program, "5:19", "the type of the receiver is unknown");
}

#[test]
fn a_function_is_known_as_the_default_of_its_module() {
    let module = "function fox({ bee }) { return bee; }\nexport default fox;\n";
    let user = "import * as m from \"./m.mjs\";\nimport cat from \"./m.mjs\";\nconsole.log(m.default({ bee: 1 }), cat({ bee: 2 }), m[\"default\"]({ bee: 3 }));\n";
    let rename = json!({"kind": "rename", "symbol": "a.mjs:3:25", "to": "zebra"});
    check(
        &[("a.mjs", user), ("m.mjs", module)],
        &rename,
        &[("a.mjs", &user.replace("bee", "zebra")), ("m.mjs", &module.replace("{ bee }", "{ zebra: bee }"))],
    );
    let user = format!("{user}run(m);\n");
    let (_, places) = refused(&[("a.mjs", &user), ("m.mjs", module)], &rename);
    assert!(!places.is_empty());
}

#[test]
fn an_object_that_is_thrown_is_that_of_the_handler() {
    let program = "class A { fox() { return 1; } }\n\
         try {\n  throw new A();\n} catch (bee) {\n  console.log(bee.fox());\n}\n\
         function cat(dog) { return dog.fox; }\ncat(f());\n";
    is_refused("a.mjs", program, "1:11", "a.mjs:5 the type of the receiver is unknown");
    let program = "try {\n  throw { fox: 1 };\n} catch (bee: any) {\n}\nexport {};\n";
    renamed("a.ts", program, "2:11", &program.replace("fox", "zebra"));
    let program = "function bee() {\n  throw { fox: 1 };\n}\ntry {\n  bee();\n} catch (cat: any) {\n  console.log(cat.fox);\n}\nexport {};\n";
    is_refused("a.ts", program, "2:11", "the type of the receiver is unknown");
}

#[test]
fn members_that_are_copied_to_a_new_object_are_its_members() {
    let program = "const ant = Object.assign({}, { fox: 1 }, { bee: 2 });\nconsole.log(ant.fox + ant.bee);\n";
    renamed("a.mjs", program, "1:33", &program.replace("fox", "zebra"));
    let program = "const cat = load();\nObject.assign(cat, { fox: 1 });\nconsole.log(cat.fox);\n";
    is_refused("a.mjs", program, "2:22", "the type of the receiver is unknown");
}

#[test]
fn a_key_of_a_receiver_is_a_member_of_the_class_of_the_method() {
    let program = "class A { fox = 1; }\nclass B { fox = 2; bee() { return this.fox; } }\n\
         console.log(B.prototype.bee.call({ fox: 3 }), new A().fox);\n";
    renamed("a.mjs", program, "1:11", &program.replace("A { fox", "A { zebra").replace("A().fox", "A().zebra"));
    is_refused("a.mjs", program, "2:11", "the object may be the receiver of the method");
}

#[test]
fn a_key_of_a_literal_with_a_written_type_is_the_member_of_that() {
    let program = "export {};\ninterface Ant { fox: number; }\nconst bee: Ant = { fox: 2 };\nconsole.log(bee.fox);\n";
    renamed("a.ts", program, "3:20", &program.replace("fox", "zebra"));
}

#[test]
fn labels_are_names() {
    let program = "fox: for (let a = 0; a < 2; a++) {\n  for (;;) { if (a) continue fox; break fox; }\n}\nconst fox = 1;\nfox: for (;;) break fox;\nconsole.log(fox);\n";
    let expected =
        program.replacen("fox:", "zebra:", 1).replace("continue fox; break fox; }", "continue zebra; break zebra; }");
    for (path, place) in [("a.mjs", "1:1"), ("a.mjs", "2:30"), ("a.ts", "2:41")] {
        renamed(path, program, place, &expected);
    }
    renamed("a.mjs", program, "4:7", &program.replace("const fox", "const zebra").replace("log(fox)", "log(zebra)"));
}

#[test]
fn a_key_that_keeps_its_name_is_what_was_read_before() {
    let program = "var ant = 6;\nconsole.log(({ ant, gnu: ant }).ant);\n";
    renamed("a.mjs", program, "1:5", "var zebra = 6;\nconsole.log(({ ant: zebra, gnu: zebra }).ant);\n");
}

#[test]
fn strings_in_the_code_of_a_template_name_members() {
    let program =
        "class A { get fox() { return 1; } }\nconsole.log(`x${new A()[\"fox\"]}`, dog`${new A()[\"fox\"]}`);\n";
    renamed("a.mjs", program, "1:15", &program.replace("fox", "zebra"));
    let program = "class A:\n    fox = 1\n\n\nprint(f\"{getattr(run(), 'fox')}\")\n";
    is_refused("a.py", program, "2:5", "a.py:5");
}

#[test]
fn arguments_that_are_bound_for_later_are_those_of_the_function() {
    for binder in ["from functools import partial", "import functools"] {
        let call = if binder.starts_with("from") { "partial" } else { "functools.partial" };
        let text = format!("{binder}\ndef f(a, mm=0):\n    return mm\ng = {call}(f, mm=1)\nprint(g(2))\n");
        renamed("a.py", &text, "2:10", &text.replace("mm", "zebra"));
        let text =
            format!("{binder}\nclass F:\n    def __init__(self, a, mm=0):\n        self.b = mm\ng = {call}(F, mm=1)\n");
        renamed("a.py", &text, "3:27", &text.replace("mm", "zebra"));
    }
    let later =
        "from functools import partial\ndef f(a, mm=0):\n    return mm\ng = partial(f, mm=1)\nprint(g(2, mm=4))\n";
    is_refused("a.py", later, "2:10", "the called function is unknown");
    let own =
        "def partial(f, **more):\n    return f(1, **more)\ndef f(a, mm=0):\n    return mm\nprint(partial(f, mm=1))\n";
    is_refused("a.py", own, "3:10", "may pass");
}
