//! TypeScript: elements of lists and maps, parts of types, and names of a tuple's elements.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str, to: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": to})
}

#[test]
fn elements_have_the_type_that_is_written() {
    let uses = [
        "for (const q of this.list()) q.work();",
        "for (const q of this.all) q.work();",
        "this.list().forEach((q) => q.work());",
        "this.all.forEach((q, i) => q.work());",
        "this.all.filter((q) => q.work()).map((q) => q.work());",
        "this.all[0].work();",
        "this.all.find((q) => true)?.work();",
        "for (const q of this.table.values()) q.work();",
        "this.table.get('a')!.work();",
        "this.set.forEach((q) => q.work());",
        "this.other['a'].work();",
    ];
    for code in uses {
        let text = format!(
            "class Query {{\n  work(): void {{}}\n}}\nclass Cache {{\n  all: Array<Query> = [];\n  set: ReadonlySet<Query> = new Set();\n  table: Map<string, Query> = new Map();\n  other: Record<string, Query> = {{}};\n  list(): Query[] {{\n    return [];\n  }}\n  run() {{\n    {code}\n  }}\n}}\nnew Cache().run();\n"
        );
        let renamed = text.replace("work(", "toil(");
        check(&[("a.ts", &text)], &rename("Query.work", "toil"), &[("a.ts", &renamed)]);
    }
}

#[test]
fn other_generic_types_are_not_containers() {
    let text = "import { Box } from 'elsewhere';\nclass Query {\n  work(): void {}\n}\nfunction run(box: Box<Query>) {\n  box.map((q) => q.work());\n}\nrun(null!);\n";
    assert_eq!(refused(&[("a.ts", text)], &rename("Query.work", "toil")).0, "undetermined");
}

#[test]
fn a_part_of_a_type_is_that_type() {
    let text = "interface Shape {\n  area(): number;\n  label: string;\n}\nclass Round implements Omit<Shape, 'label'> {\n  area(): number {\n    return 1;\n  }\n}\nconst some: Pick<Shape, 'area'> = new Round();\nsome.area();\n";
    let renamed = text.replace("area(", "size(").replace("'area'", "'size'");
    let part = text.replace("Pick<Shape, 'area'>", "Omit<Shape, 'label'>");
    let whole = renamed.replace("Pick<Shape, 'size'>", "Omit<Shape, 'label'>");
    check(&[("a.ts", &part)], &rename("Shape.area", "size"), &[("a.ts", &whole)]);
    check(&[("a.ts", &part)], &rename("Round.area", "size"), &[("a.ts", &whole)]);
    let text = "type Shape = { readonly area: () => number; label: string };\nconst one: Shape = { area: () => 1, label: '' };\nclass Round implements Omit<Shape, 'label'> {\n  area(): number {\n    return one.area();\n  }\n}\nnew Round().area();\n";
    let renamed = text.replace("area", "size");
    check(&[("a.ts", text)], &rename("a.ts:2:22", "size"), &[("a.ts", &renamed)]);
}

#[test]
fn names_of_the_elements_of_a_tuple_mean_nothing() {
    let text = "export type Rest<T> = [variables: T, options?: string];\nexport function run(options: number) {\n  return options;\n}\n";
    let renamed = text.replace("run(options", "run(given").replace("return options", "return given");
    check(&[("a.ts", text)], &rename("a.ts:2:21", "given"), &[("a.ts", &renamed)]);
}

#[test]
fn numbers_are_no_names_of_members() {
    for code in ["a[a.length - 1]", "a[i++]", "a[n]", "a[i + 1]", "a[+k]", "a[(i * 2)]"] {
        let text = format!(
            "export class A {{\n  work() {{}}\n}}\nexport function run(k, n: number) {{\n  const a = new A();\n  let i = 0;\n  i += 2;\n  a.work();\n  return {code};\n}}\n"
        );
        let renamed = text.replace("work(", "toil(");
        check(&[("a.ts", &text)], &rename("A.work", "toil"), &[("a.ts", &renamed)]);
    }
    for code in ["a[k]", "a[i + k]", "a[j]", "a[l]"] {
        let text = format!(
            "export class A {{\n  work() {{}}\n}}\nexport function run(k, l = 1) {{\n  const a = new A();\n  let i = 0, j = 0;\n  j = k;\n  a.work();\n  return {code};\n}}\n"
        );
        assert_eq!(refused(&[("a.js", &text)], &rename("A.work", "toil")).0, "undetermined", "{code}");
    }
}

#[test]
fn names_in_patterns_have_the_types_of_members() {
    let uses = [
        "function f({ own }: It) {\n  own.work();\n}",
        "function f({ own: other }: It) {\n  other.work();\n}",
        "function f(it: It) {\n  const { own } = it;\n  own.work();\n}",
        "function f(it: It) {\n  const { inner: { own = new Query() } } = it;\n  own.work();\n}",
        "function f(all: It[]) {\n  for (const { own } of all) own.work();\n}",
        "function f(this: Query) {\n  this.work();\n  return () => this.work();\n}",
    ];
    for code in uses {
        let text = format!(
            "class Query {{\n  work(): void {{}}\n}}\ninterface It {{\n  own: Query;\n  inner: It;\n}}\n{code}\nconsole.log(f);\n"
        );
        let renamed = text.replace("work(", "toil(");
        check(&[("a.ts", &text)], &rename("Query.work", "toil"), &[("a.ts", &renamed)]);
    }
    // What is by default may be something else.
    let text = "class A {\n  work() {}\n}\nfunction f(o) {\n  const { a = new A() } = o;\n  a.work();\n}\nf({});\n";
    assert_eq!(refused(&[("a.js", text)], &rename("A.work", "toil")).0, "undetermined");
    let text = "class A {\n  work() {}\n}\nconst o = { a: new A() };\nlet { a } = o;\na = other();\na.work();\n";
    assert_eq!(refused(&[("a.js", text)], &rename("A.work", "toil")).0, "undetermined");
}

#[test]
fn a_function_may_get_the_members_of_a_type() {
    let text = "interface Ajax {\n  (url: string): number;\n  patch(url: string): number;\n}\nfunction patch(url: string) {\n  return url.length;\n}\nconst ajax: Ajax = (() => {\n  const create: any = (url: string) => url.length;\n  create.patch = patch;\n  return create;\n})();\nconst other: Ajax = (() => {\n  const create = (url: string) => url.length;\n  create.patch = patch;\n  return create;\n})();\najax.patch(other.name);\n";
    let (code, places) = refused(&[("a.ts", text)], &rename("Ajax.patch", "mend"));
    assert_eq!(code, "undetermined");
    assert!(places.iter().any(|place| place.starts_with("a.ts:15")), "{places:?}");
    // A function that has the name is another thing.
    let renamed = text.replace("function patch", "function mend").replace("= patch", "= mend");
    check(&[("a.ts", text)], &rename("a.ts:5:10", "mend"), &[("a.ts", &renamed)]);
}
