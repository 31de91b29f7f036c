//! What the module exports to the page and to grammars: its functions for C, which scanners call, and a table that grows.

/// The functions of the C library that scanners of grammars may call: those that tree-sitter has for this target.
const FOR_SCANNERS: &[&str] = &[
    "calloc",
    "free",
    "iswalnum",
    "iswalpha",
    "iswblank",
    "iswdigit",
    "iswlower",
    "iswpunct",
    "iswspace",
    "iswupper",
    "iswxdigit",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "realloc",
    "strcmp",
    "strlen",
    "strncat",
    "strncmp",
    "strncpy",
    "towlower",
    "towupper",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("TARGET").is_ok_and(|target| target.starts_with("wasm32")) {
        for name in FOR_SCANNERS {
            println!("cargo::rustc-link-arg=--export={name}");
        }
        for argument in ["--export=__stack_pointer", "--export-table", "--growable-table", "-zstack-size=4194304"] {
            println!("cargo::rustc-link-arg={argument}");
        }
    }
}
