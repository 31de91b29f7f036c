//! Valid code that a grammar takes for an error, each beside code like it that is wrong: the first is read, found and edited, the second
//! stays an error.

use cst::text::{EditSet, Span, TextEdit};
use cst::tree::{EditIntent, ParseLimits, Tree};

use crate::finding::nodes;
use crate::rewriting::parsed;

/// Code of a language, and code like it that is wrong.
struct Case {
    language: &'static str,
    valid: &'static str,
    /// Finds nodes in it, whose names follow.
    selector: &'static str,
    names: &'static [&'static str],
    wrong: &'static str,
}

const fn case(
    language: &'static str,
    valid: &'static str,
    selector: &'static str,
    names: &'static [&'static str],
    wrong: &'static str,
) -> Case {
    Case { language, valid, selector, names, wrong }
}

const CASES: &[Case] = &[
    // Heads of functions that are macros.
    case(
        "c",
        "SYSCALL_DEFINE2(getcwd, char __user *, buf, unsigned long, size)\n{\n\treturn f(buf, size);\n}\nSYSCALL_DEFINE0(fork)\n{\n\treturn 0;\n}\n",
        "function, parameter",
        &["getcwd", "buf", "size", "fork"],
        "SYSCALL_DEFINE2(getcwd, char __user *, buf, unsigned long, size)\n{\n\treturn f(buf, size;\n}\n",
    ),
    // Variables and members that macros define.
    case(
        "c",
        "static DEFINE_PER_CPU(struct a *, first) = { 1 };\nstruct s {\n\tDECLARE_BITMAP(second, SIZE + 1);\n\tDECLARE_ARRAY(struct a, third);\n\tstruct_group(all,\n\t\tint fourth;\n\t);\n};\n",
        "field, variable",
        &["first", "second", "third", "fourth"],
        "static DEFINE_PER_CPU(struct a *, first) = { 1 ;\n",
    ),
    case(
        "c",
        "void f(void)\n{\n\tstatic DEFINE_STATE(s, 5 * HZ, 1);\n\tg(&s);\n}\n",
        "call",
        &["DEFINE_STATE", "g"],
        "void f(void)\n{\n\tstatic DEFINE_STATE(s, 5 * HZ, 1;\n\tg(&s);\n}\n",
    ),
    // Heads of blocks, and calls without a semicolon.
    case(
        "c",
        "int f(void)\n{\n\tscoped_guard(lock, &x->lock) {\n\t\tg(1);\n\t}\n\tTRACE(2)\n\treturn 0;\n}\nmodule_exit(g(f))\n",
        "call",
        &["scoped_guard", "g", "TRACE", "module_exit", "g"],
        "int f(void)\n{\n\tscoped_guard(lock, &x->lock) {\n\t\tg(1;\n\t}\n}\n",
    ),
    // Types, operators, numbers with words and nothing as arguments of macros.
    case(
        "c",
        "int f(void)\n{\n\tASSERT(a, ==, b);\n\tx = min_t(unsigned long long, a, b);\n\ty = va_arg(list, struct s *);\n\tz = offsetof(struct s, a.b[1]);\n\tTEST(, a, 9p, );\n\treturn h(a);\n}\n",
        "call",
        &["ASSERT", "min_t", "va_arg", "TEST", "h"],
        "int f(void)\n{\n\tASSERT(a, == b;\n\treturn h(a);\n}\n",
    ),
    // Attributes between, before and behind.
    case(
        "c",
        "static noinline_for_stack\nint f(void) { return 1; }\nu64 __pure g(int a, int b) { return 1; }\nFORCE_INLINE size_t h(void) { return 1; }\nstatic struct s k __aligned_in_smp;\nstatic const int l[2] __attribute__((aligned(8)));\n",
        "function, variable",
        &["f", "g", "h", "k", "l"],
        "static noinline_for_stack\nint f(void) { return 1 }\n",
    ),
    // Labels, ranges, comments in the text of a macro.
    case(
        "c",
        "#define A (1 /* one */ + \\\n\t   2 /* two */ + 3)\nint f(int a)\n{\n\tswitch (a) {\n\tcase 1 ... 3:\n\t\tg();\n\t}\nout:\n#ifdef B\n\th();\n#endif\n\treturn 0;\n}\n",
        "macro, function, call",
        &["A", "f", "g", "h"],
        "int f(int a)\n{\n\tswitch (a) {\n\tcase 1 ... :\n\t\tg();\n\t}\n}\n",
    ),
    // Lists made by macros, with lines of the preprocessor between.
    case(
        "c",
        "static int all[] = {\n#include \"all.h\"\n\t1,\n\tFIRST SECOND\n};\nstatic int sizes[] = { 16 KB, 2 };\nint f(void) { return 1; }\n",
        "function",
        &["f"],
        "static int all[] = {\n#include \"all.h\"\n\t1,,\n\t)\n};\n",
    ),
    // Statements and members as arguments of macros.
    case(
        "c",
        "TRACE_EVENT(all,\n\tTP_PROTO(const struct s *a, unsigned int b),\n\tTP_ARGS(a, b),\n\tTP_STRUCT__entry(\n\t\t__field(dev_t, dev)\n\t\t__array(char, name, 9)\n\t),\n\tTP_fast_assign(\n\t\t__entry->dev = f(a);\n\t\tif (b)\n\t\t\tg(b);\n\t),\n\tTP_printk(\"%d\", __entry->dev)\n);\n",
        "call",
        &[
            "TRACE_EVENT",
            "TP_PROTO",
            "TP_ARGS",
            "TP_STRUCT__entry",
            "__field",
            "__array",
            "TP_fast_assign",
            "f",
            "g",
            "TP_printk",
        ],
        "TRACE_EVENT(all,\n\tTP_fast_assign(\n\t\t__entry->dev = f(a;\n\t),\n);\n",
    ),
    // C++: pointers to members, defaults without a name, macros between words and on their own.
    case(
        "cpp",
        "X_NAMESPACE_BEGIN\ntypedef int (T::*pointer)();\nint f(const T * = nullptr);\nenum : unsigned { A };\ntemplate <class T> X_DEVICE_FUNC inline\nT g(T a) { return typename T::b(a); }\nstruct S {\n  S *operator->() const { return &operator*(); }\n  void h() X_NOEXCEPT { g(1); }\n};\n",
        "function_definition",
        &["g", "operator->", "h"],
        "X_NAMESPACE_BEGIN\ntemplate <class T> X_DEVICE_FUNC inline\nT g(T a) { return typename T::b(a; }\n",
    ),
    case(
        "cpp",
        "struct A {\n  X_SUPPORT(2, a, (T1, T2))\n  void f() {\n    BOOST_TRY {\n      g();\n    }\n    BOOST_CATCH(...) {\n    }\n    BOOST_CATCH_END\n  }\n};\n#if X_WORKAROUND(X_MSVC, >= 1400)\nint h();\n#endif\n",
        "function_definition, call",
        &["f", "g", "X_WORKAROUND"],
        "struct A {\n  X_SUPPORT(2, a, (T1, T2))\n  void f() {\n    BOOST_TRY {\n      g(;\n    }\n  }\n};\n",
    ),
    case(
        "csharp",
        "class A\n{\n#if B\n    public\n#else\n    internal\n#endif\n    int f() { return 1; }\n    unsafe void g(byte* p) { *p++ = 1; *((int*)p) = 2; if (async) h(); }\n}\n",
        "method",
        &["f", "g"],
        "class A\n{\n#if B\n    public\n#else\n    internal\n#endif\n    int f( { return 1; }\n}\n",
    ),
    case(
        "kotlin",
        "fun f() = g(fun(x) {\n    h(x)\n})\nclass A(val static: Int)\n",
        "function, call, class",
        &["f", "g", "h", "A"],
        "fun f() = g(fun(x) {\n    h(x\n})\n",
    ),
    case(
        "swift",
        "func f(_ a: __owned B) { g(a) }\n@_silgen_name(\"h\")\nfunc h() -> Int\n\n#if _runtime(_ObjC)\nlet x = 1\n#endif\n#if y\n@objc\n#endif\nfunc k() { l() }\nfunc m() {\n  switch a {\n  case .await:\n    ()\n  }\n}\n",
        "function",
        &["f", "h", "k", "m"],
        "func f(_ a: __owned B { g(a) }\n",
    ),
    case(
        "scala",
        "class C extends super[D].E[F] {\n  val enum = a.b()\n  def f = g(enum)\n}\n",
        "class, method",
        &["C", "f"],
        "class C extends super[D].E[F] {\n  val enum = a.b(\n  def f = g(enum)\n}\n",
    ),
    case(
        "typescript",
        "export default function (): {\n  a: b.C;\n};\ntype D<type extends string> = (type extends 'e' ? 1 : 2)\nfunction f() {}\n",
        "type, function[name]",
        &["default", "D", "f"],
        "export default function (: {\n  a: b.C;\n};\n",
    ),
];

#[test]
fn valid_code_is_read_with_its_names() {
    for Case { language, valid, selector, names, .. } in CASES {
        let tree = parsed(valid, language);
        assert!(tree.is_sound(), "{language}: {:?}\n{valid}", tree.errors());
        assert_eq!(tree.text().to_string(), *valid);
        let found = nodes(&tree, selector).unwrap();
        let found: Vec<String> =
            found.into_iter().filter_map(|node| tree.name(node).map(|name| name.to_string())).collect();
        assert_eq!(found, *names, "{language}: {selector} in {valid}");
    }
}

#[test]
fn code_like_it_that_is_wrong_is_an_error() {
    for Case { language, wrong, .. } in CASES {
        assert!(!parsed(wrong, language).is_sound(), "{language}: {wrong}");
    }
}

#[test]
fn it_can_be_edited() {
    for Case { language, valid, names, .. } in CASES {
        let tree = parsed(valid, language);
        let edit = |tree: &Tree, span: Span, text: &str| {
            let edits = EditSet::new(vec![TextEdit::new(span, text)]).unwrap();
            tree.edit(&edits, &EditIntent::default(), &ParseLimits::default()).unwrap().tree
        };
        let name = names.last().expect("each case has a name");
        let at = valid.rfind(name).expect("it is in the code");
        let renamed = edit(&tree, Span::new(at, at + name.len()), &format!("{name}2"));
        assert!(renamed.is_sound(), "{language}: {:?}\n{}", renamed.errors(), renamed.text());
        for at in (0..valid.len()).step_by(7).filter(|&at| valid.is_char_boundary(at)) {
            let there = edit(&edit(&tree, Span::new(at, at), "("), Span::new(at, at + 1), "");
            assert_eq!(there.table().column_bytes(), tree.table().column_bytes(), "{language} at {at}: {valid}");
        }
    }
}
