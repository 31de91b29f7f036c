//! Parameters of constructors that are fields at once.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": "zebra"})
}

const TYPESCRIPT: &str = "interface Sized { size: number }\nclass Elk implements Sized {\n  constructor(public readonly size: number, private other = 1) { console.log(size + other); }\n  twice(): number { return this.size * 2 + this.other; }\n}\nclass Gnu extends Elk { f(): number { return this.size; } }\nconst elk = new Elk(3);\nconst { size: own } = elk;\nconsole.log(elk.size, own, elk.twice());\n";

#[test]
fn both_uses_are_renamed_together() {
    let new = TYPESCRIPT.replace("size", "zebra");
    for symbol in
        ["Elk.size", "Sized.size", "a.ts:3:31", "a.ts:3:78", "a.ts:4:33", "a.ts:6:51", "a.ts:8:9", "a.ts:9:17"]
    {
        check(&[("a.ts", TYPESCRIPT)], &rename(symbol), &[("a.ts", &new)]);
    }
    let new = TYPESCRIPT
        .replace("private other", "private zebra")
        .replace("+ other", "+ zebra")
        .replace("this.other", "this.zebra");
    check(&[("a.ts", TYPESCRIPT)], &rename("Elk.other"), &[("a.ts", &new)]);
    let php = "<?php\nclass Elk {\n    public function __construct(public int $size, private int $other = 1) { echo $size + $other; }\n    public function size(): int { return $this->size + $this->other; }\n}\n$elk = new Elk(size: 3);\necho $elk->size, $elk->size();\n";
    let new = php
        .replace("$size", "$zebra")
        .replace("(size:", "(zebra:")
        .replace("->size + ", "->zebra + ")
        .replace("->size,", "->zebra,");
    check(&[("a.php", php)], &rename("a.php:3:45"), &[("a.php", &new)]);
}

#[test]
fn a_use_of_either_may_be_in_doubt_or_in_the_way() {
    let (code, places) = refused(
        &[("a.ts", TYPESCRIPT), ("b.ts", "export function f(s: any) { return s.size; }\n")],
        &rename("Elk.size"),
    );
    assert_eq!(
        (code.as_str(), places),
        ("undetermined", vec!["b.ts:1 the type of the receiver is unknown".to_owned()])
    );
    for taken in [
        // A parameter, a variable of the constructor, a member.
        TYPESCRIPT.replace("other", "zebra"),
        TYPESCRIPT.replace("{ console.log(size + other); }", "{ const zebra = 1; console.log(size + other + zebra); }"),
        TYPESCRIPT.replace("twice", "zebra"),
    ] {
        refused(&[("a.ts", &taken)], &rename("Elk.size"));
    }
}
