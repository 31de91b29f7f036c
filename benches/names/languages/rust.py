"""Random Rust programs of one to three modules; many programs a compilation, as modules of one crate."""
import json
import os
import re
import shutil
import subprocess

from languages.blocks import NUM, Cls, Fn, Hidden, Mod, Num, Obj, Param, Scope, Writer
from languages.common import NAMES, places_in, weighted

CHECK = "rs"
SKIPPED = re.compile(r"""//[^\n]*|"(?:[^"\\\n]|\\.)*\"""")
HOLES = re.compile(r"(?<=\{)\w+(?=[:}])")
FEATURES = {"glob": r"use [\w:]+::\*", "use as": r" as \w+;", "re-export": r"pub use", "macro": r"macro_rules", "format": r"\{[a-z]+[:}]", "shorthand": r"\{ (\w+, )*\w+(, \w+)* \}", "trait": r"\btrait\b", "impl": r"\bimpl\b",
            "enum": r"\benum\b", "match": r"\bmatch\b", "closure": r"\|\w*", "label": r"'\w+:", "const": r"\bconst\b", "static": r"\bstatic\b", "tuple struct": r"struct \w+\(", "struct": r"\bstruct\b", "generic": r"<\w+",
            "inner mod": r"mod \w+ \{", "if let": r"if let", "let else": r"let .* else", "lifetime": r"'\w+[,> ]", "associated": r"::\w+\(", "nested fn": r"^\s{8,}fn", "mod": r"\bmod\b"}


class Runner:
    def __init__(self, scratch):
        self.folder = os.path.join(scratch, f"rust{os.getpid()}")

    def run_many(self, programs):
        results = [None] * len(programs)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for at, files in enumerate(programs):
            for path, text in files.items():
                full = os.path.join(self.folder, f"p{at}", path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                text = re.sub(r"\bcrate::", f"crate::p{at}::", text)
                with open(full, "w") as file:
                    file.write(text.replace("fn main() {", "pub fn main() {"))
        for _ in range(6):
            left = [at for at in range(len(programs)) if results[at] is None]
            if not left:
                break
            with open(os.path.join(self.folder, "main.rs"), "w") as file:
                file.write("#![allow(warnings)]\n" + "".join(f"#[path = \"p{at}/main.rs\"] mod p{at};\n" for at in left) + "fn main() {\n    std::panic::set_hook(Box::new(|_| {}));\n"
                           + "".join(f"    println!(\"=== {at}\"); if std::panic::catch_unwind(|| p{at}::main()).is_ok() {{ println!(\"done\"); }}\n" for at in left) + "}\n")
            command = ["rustc", "--edition", "2021", "-A", "warnings", "-A", "bindings_with_variant_name", "-C", "overflow-checks=off", "-C", "debuginfo=0", "--error-format=json", "-o", "batch.out", "main.rs"]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=300)
            if done.returncode == 0:
                try:
                    ran = subprocess.run(["./batch.out"], cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=30).stdout
                except subprocess.TimeoutExpired:
                    ran = ""
                for part in ran.split("=== ")[1:]:
                    number, _, out = part.partition("\n")
                    results[int(number)] = (0 if out.endswith("done\n") else 1, out.removesuffix("done\n"))
                break
            bad = {}
            for line in done.stderr.split("\n"):
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if row.get("level") != "error":
                    continue
                for span in row["spans"]:
                    found = re.search(r"\bp(\d+)/", span["file_name"])
                    if found:
                        bad.setdefault(int(found.group(1)), []).append(row["message"])
                        break
                else:
                    found = re.search(r"\bp(\d+)/", row.get("rendered") or "")
                    if found:
                        bad.setdefault(int(found.group(1)), []).append(row["message"])
            if not bad:
                break
            for at, said in bad.items():
                results[at] = (1, "error " + "\n".join(said[:3]))
        return [result or (2, "not built") for result in results]


def places(files):
    return places_in(files, NAMES, SKIPPED, HOLES, (".rs",))


class Rust(Writer):
    self_word = "self"

    def more_numbers(self, scope):
        return [(0.5, self.called_closure), (0.4, self.conditional), (0.3, self.matched), (0.3, self.block_value), (0.4, self.formatted), (0.15, self.text), (0.3, self.iterated), (0.2, self.tuple)]

    def literal(self, scope, depth):
        return f"{self.rng.randint(2, 9)}"

    def operation(self, scope, depth):
        return f"({self.number(scope, depth - 1)} {self.rng.choice('+-')} {self.number(scope, depth - 1)})"

    def text(self, scope, depth):
        return f"(\"{self.name()}\".len() as i64)"

    def called_closure(self, scope, depth):
        name = self.name()
        inner = Scope("closure", scope)
        inner.vars = {name: NUM}
        return f"(|{name}: i64| {self.number(inner, depth - 1)})({self.number(scope, depth - 1)})"

    def conditional(self, scope, depth):
        return f"(if {self.number(scope, depth - 1)} > 4 {{ {self.number(scope, depth - 1)} }} else {{ {self.number(scope, depth - 1)} }})"

    def matched(self, scope, depth):
        name = self.name()
        inner = Scope("block", scope)
        if isinstance(scope.visible().get(name), Cls) or name in self.patterns(scope):
            return self.literal(scope, depth)
        inner.vars = {name: NUM}
        form = self.rng.choice([f"{name} if {name} > 3 => {self.number(inner, 0)}", f"{name} @ 0..=9 => {self.number(inner, 0)}"])
        return f"(match {self.number(scope, depth - 1)} {{ {form}, _ => {self.number(scope, 0)} }})"

    def patterns(self, scope):
        """Names that a pattern would not bind: constants and unit types."""
        found, holder = set(), scope
        while holder:
            found |= {n for n in holder.fixed if holder.kind == "module"} | set(getattr(holder, "consts", ()))
            holder = holder.parent
        return found

    def block_value(self, scope, depth):
        name = self.name()
        if name in self.patterns(scope):
            return self.literal(scope, depth)
        inner = Scope("block", scope)
        value = self.number(scope, depth - 1)
        inner.vars = {name: NUM}
        return f"({{ let {name} = {value}; {self.number(inner, depth - 1)} }})"

    def formatted(self, scope, depth):
        rows = [n for n, d in scope.visible().items() if isinstance(d, Num) and n in scope.locals()]
        if not rows:
            return self.literal(scope, depth)
        name = self.rng.choice(rows)
        if self.chance(.3):
            other = self.name()
            return f"format!(\"{{{other}}}\", {other} = {self.number(scope, depth - 1)}).parse::<i64>().unwrap()"
        return f"format!(\"{{{name}{self.rng.choice(['', ':?', ':01'])}}}\").parse::<i64>().unwrap()"

    def iterated(self, scope, depth):
        name = self.name()
        if name in self.patterns(scope):
            return self.literal(scope, depth)
        inner = Scope("closure", scope)
        inner.vars = {name: NUM}
        return f"(0..{self.rng.randint(2, 3)}).map(|{name}: i64| {self.number(inner, depth - 1)}).sum::<i64>()"

    def tuple(self, scope, depth):
        a, b = self.rng.sample(self.names, 2)
        if {a, b} & self.patterns(scope):
            return self.literal(scope, depth)
        inner = Scope("block", scope)
        one, two = self.number(scope, depth - 1), self.number(scope, depth - 1)
        inner.vars = {a: NUM, b: NUM}
        return f"({{ let ({a}, {b}) = ({one}, {two}); {self.number(inner, depth - 1)} }})"

    def new_local(self, scope):
        pool = [n for n in self.names if n not in self.patterns(scope)]
        return self.rng.choice(pool) if pool else None

    def declared(self, scope, name, value):
        mutable = self.chance(.5)
        self.emit(f"let {'mut ' if mutable else ''}{name}{': i64' if self.chance(.5) or value.isdigit() else ''} = {value};")
        scope.vars[name] = NUM
        (scope.fixed.discard if mutable else scope.fixed.add)(name)

    def loop_head(self, scope, name):
        label = f"'{self.name()}: " if self.chance(.3) else ""
        self.label = label
        return f"{label}for {name} in " + self.rng.choice(["0i64..2", f"[{self.number(scope, 1)}, {self.number(scope, 0)}]", "(1..3i64).rev()"]) + " {", (name,)

    def in_loop(self, scope, name):
        if self.label and self.chance(.7):
            self.emit(f"if {self.condition(scope)} {{ {self.rng.choice(['break', 'continue'])} {self.label[:-2]}; }}")

    def if_head(self, condition):
        return f"if {condition} {{"

    def loop(self, scope, depth):
        if self.loops > 1 or depth > 3:
            return
        name = self.new_local(scope)
        if not name:
            return
        self.loops += 1
        head, fixed = self.loop_head(scope, name)
        label = self.label
        inner = self.block(scope, depth, head, self.rng.randint(1, 2), {name: NUM}, fixed)
        self.label = label
        self.in_loop(inner, name)
        self.close()
        self.loops -= 1

    def set_member(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, Obj) and getattr(d, "open", False)]
        if rows:
            name, desc = self.rng.choice(rows)
            fields = [n for n, d in desc.cls.fields.items() if isinstance(d, Num)]
            if fields:
                self.emit(f"{name}.{self.rng.choice(fields)} {self.rng.choice(['=', '+='])} {self.number(scope, 1)};")

    def body(self, scope, params, depth=0, this=None, kind="function"):
        """As the base's; parameters are not assigned."""
        holder = Scope("closure", scope)
        holder.vars = {p.name: p.desc for p in params}
        holder.fixed = set(holder.vars)
        return super().body(holder, [], depth, this, kind)

    def make_object(self, scope, depth):
        name, found = self.new_local(scope), self.fit(scope, Cls)
        if name and found and not found[1].abstract and found[1].extra.get("kind") == "struct":
            made = self.make(found[0], found[1], scope, 0)
            if made:
                self.emit(f"let mut {name} = {made};")
                scope.vars[name] = Obj(found[1])
                scope.vars[name].open = True
                scope.fixed.add(name)

    def make(self, text, cls, scope, depth):
        if cls.extra.get("kind") == "enum":
            name, payload = self.rng.choice(list(cls.extra["variants"].items()))
            if payload is None:
                return f"{text}::{name}"
            if payload == "tuple":
                return f"{text}::{name}({self.number(scope, depth)})"
            return f"{text}::{name} {{ {payload}: {self.number(scope, depth)} }}"
        if cls.extra.get("tuple"):
            return f"{text}({', '.join(self.of_desc(d, scope, depth) for d in cls.fields.values())})"
        visible = scope.visible()
        parts = []
        for name, desc in cls.fields.items():
            if isinstance(desc, Num) and isinstance(visible.get(name), Num) and self.chance(.6):
                parts.append(name)
            else:
                parts.append(f"{name}: {self.of_desc(desc, scope, depth)}")
        self.rng.shuffle(parts)
        return f"({text} {{ {', '.join(parts)} }})"

    def static(self, text, name):
        return f"{text}::{name}"

    def in_module(self, text, name):
        return f"{text}::{name}"

    def of_object(self, text, cls, scope, depth):
        if cls.extra.get("tuple") and self.chance(.5):
            return f"{text}.0"
        rows = [] if cls.extra.get("tuple") or cls.extra.get("kind") == "enum" else list(cls.fields.items())
        rows += list(cls.methods.items())
        rows = [(n, d) for n, d in rows if not (isinstance(d, Fn) and cls.extra.get("trait", {}).get(n) not in (None, self.path) )]
        if not rows:
            return "2"
        name, desc = self.rng.choice(rows)
        return self.value_of(f"{text}.{name}", desc, scope, depth)

    def pass_object(self, text):
        return f"{text}.clone()"

    def below(self, cls, base):
        return cls is base

    def more_statements(self, scope, depth):
        return [(0.6, self.closure), (0.5, self.pattern), (0.4, self.if_let), (0.3, self.inner_function), (0.3, self.local_const), (0.4, self.destructure), (0.2, self.let_else), (0.3, self.match_enum)]

    def closure(self, scope, depth):
        name = self.new_local(scope)
        if not name or depth > 2:
            return
        params = self.parameters(scope, 2, objects=False)
        if {p.name for p in params} & self.patterns(scope):
            return
        inner = Scope("closure", scope)
        inner.vars = {p.name: NUM for p in params}
        self.emit(f"let {name} = move |{', '.join(p.name + ': i64' for p in params)}| -> i64 {{ {self.number(inner)} }};")
        scope.vars[name] = Fn(params)
        scope.fixed.add(name)

    def pattern(self, scope, depth):
        a, b = self.rng.sample(self.names, 2)
        if {a, b} & self.patterns(scope):
            return
        self.emit(f"let [{a}, .., {b}] = [{self.number(scope, 1)}, 1i64, {self.number(scope, 1)}];")
        for name in (a, b):
            scope.vars[name] = NUM
            scope.fixed.add(name)

    def if_let(self, scope, depth):
        name = self.new_local(scope)
        if name and depth < 3:
            self.block(scope, depth, f"if let Some({name}) = Some({self.number(scope, 1)}) {{", 1, {name: NUM}, {name})
            self.close()

    def let_else(self, scope, depth):
        name = self.new_local(scope)
        if name:
            self.emit(f"let Some({name}) = Some({self.number(scope, 1)}) else {{ panic!() }};")
            scope.vars[name] = NUM
            scope.fixed.add(name)

    def inner_function(self, scope, depth):
        name = self.new_local(scope)
        if name and name not in scope.vars and depth < 3 and name not in getattr(scope, "items", ()):
            param = self.name()
            module = Scope("module", None)
            holder = scope
            while holder.parent:
                holder = holder.parent
            module.vars = {n: d for n, d in holder.vars.items()}
            module.fixed = set(holder.fixed)
            if param in self.patterns(module):
                return
            inner = Scope("function", module)
            inner.vars = {param: NUM}
            scope.items = getattr(scope, "items", set()) | {name}
            if name in module.vars or param == name:
                return
            self.emit(f"fn {name}({param}: i64) -> i64 {{ {self.number(inner, 1)} }}")
            scope.vars[name] = Fn([Param(param)])
            scope.fixed.add(name)

    def local_const(self, scope, depth):
        name = self.name()
        if name not in scope.locals() and name not in scope.visible() and depth == 1:
            self.emit(f"const {name}: i64 = {self.rng.randint(1, 9)};")
            scope.vars[name] = NUM
            scope.fixed.add(name)
            scope.consts = getattr(scope, "consts", set()) | {name}

    def destructure(self, scope, depth):
        found = self.fit(scope, Obj)
        if not found or found[1].cls.extra.get("tuple") or found[1].cls.extra.get("kind") != "struct":
            return
        cls = found[1].cls
        path = self.type_name(cls, scope)
        fields = [n for n, d in cls.fields.items() if isinstance(d, Num)]
        if not path or not fields:
            return
        field = self.rng.choice(fields)
        name = field if self.chance(.6) else self.name()
        if name in self.patterns(scope):
            return
        self.emit(f"let {path} {{ {field if name == field else f'{field}: {name}'}, .. }} = {found[0]}.clone();")
        scope.vars[name] = NUM
        scope.fixed.add(name)

    def match_enum(self, scope, depth):
        found = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls) and d.extra.get("kind") == "enum"]
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if not found or not rows or depth > 2:
            return
        path, cls = self.rng.choice(found)
        target = self.rng.choice(rows)
        self.emit(f"match {self.make(path, cls, scope, 0)} {{")
        for variant, payload in cls.extra["variants"].items():
            if payload is None:
                self.emit(f"    {path}::{variant} => {target} += {self.number(scope, 0)},")
            else:
                name = payload if payload != "tuple" and self.chance(.6) else self.name()
                if name in self.patterns(scope) or name == target or name == path:
                    self.emit(f"    {path}::{variant} {{ .. }} => {target} += 1,")
                    continue
                inner = Scope("block", scope)
                inner.vars = {name: NUM}
                inner.fixed = {name}
                text = f"({name})" if payload == "tuple" else f" {{ {name if name == payload else f'{payload}: {name}'} }}"
                self.emit(f"    {path}::{variant}{text} => {target} += {self.number(inner, 1)},")
        self.emit("}")

    def returned(self, value, scope):
        self.emit(f"({value}) % 1009" if self.chance(.5) else f"return ({value}) % 1009;")

    # Items

    def item_name(self, scope):
        pool = [n for n in self.names if n not in scope.vars]
        return self.rng.choice(pool) if pool else None

    def signature(self, params, scope):
        return ", ".join(f"{p.name}: {self.type_name(p.desc.cls, scope) if isinstance(p.desc, Obj) else 'i64'}" for p in params)

    def usable(self, params, scope):
        return [p for p in params if p.name not in self.patterns(scope)]

    def item(self, scope):
        self.budget -= 1
        weighted(self.rng, [(3, self.function), (2, self.struct), (0.8, self.constant), (0.8, self.enum), (0.6, self.trait), (0.4, self.inner_module), (0.4, self.macro), (0.3, self.generic)])(scope)

    def constant(self, scope):
        name = self.item_name(scope)
        if name:
            self.emit(f"pub {self.rng.choice(['const', 'static'])} {name}: i64 = {self.rng.randint(1, 9)};")
            scope.vars[name] = NUM
            scope.fixed.add(name)

    def function(self, scope):
        name = self.item_name(scope)
        if name:
            params = self.usable(self.parameters(scope), scope)
            self.emit(f"pub fn {name}({self.signature(params, scope)}) -> i64 {{")
            self.body(scope, params)
            self.emit("}")
            scope.vars[name] = Fn(params)
            self.later.append(name)

    def generic(self, scope):
        name, kind, param = self.item_name(scope), self.name(), self.name()
        if name and param not in self.patterns(scope):
            self.emit(f"pub fn {name}<{kind}: Into<i64>>({param}: {kind}) -> i64 {{ {param}.into() + 1 }}")
            scope.vars[name] = Fn([Param(param)])
            self.later.append(name)

    def macro(self, scope):
        name, other = self.name(), self.name()
        if name not in self.macros and self.path == "main":
            text = self.rng.choice([f"${other}:expr) => {{ ${other} + {self.rng.randint(1, 5)} }}", f"${other}:ident) => {{ ${other} + 2 }}"])
            self.emit(f"macro_rules! {name} {{ ({text}; }}")
            self.macros[name] = "ident" if ":ident" in text else "expr"

    def struct(self, scope):
        name = self.item_name(scope)
        if not name:
            return
        cls = Cls(name)
        cls.extra["kind"] = "struct"
        lifetimes = self.rng.sample(self.names, self.rng.randint(1, 2))
        if self.chance(.2):
            cls.extra["tuple"] = True
            cls.fields = {"0": NUM}
            self.emit("#[derive(Clone)]")
            self.emit(f"pub struct {name}(pub i64);")
        else:
            parts = []
            for key in lifetimes:
                other = self.fit(scope, Cls)
                desc = Obj(other[1]) if other and other[1].extra.get("kind") == "struct" and self.chance(.2) else NUM
                cls.fields[key] = desc
                parts.append(f"pub {key}: {other[0] if isinstance(desc, Obj) else 'i64'}")
            self.emit("#[derive(Clone)]")
            self.emit(f"pub struct {name} {{ {', '.join(parts)} }}")
        scope.vars[name] = cls
        scope.fixed.add(name) if cls.extra.get("tuple") else None
        self.implement(scope, name, cls)
        self.later.append(name)

    def implement(self, scope, name, cls):
        self.emit(f"impl {name} {{")
        self.indent += 1
        for _ in range(self.rng.randint(1, 3)):
            key = self.name()
            if key in cls.methods or key in cls.statics:
                continue
            params = self.usable(self.parameters(scope, 2), scope)
            if self.chance(.3):
                if self.chance(.4):
                    self.emit(f"pub const {key}: i64 = {self.rng.randint(1, 9)};")
                    cls.statics[key] = NUM
                    continue
                self.emit(f"pub fn {key}({self.signature(params, scope)}) -> i64 {{")
                self.body(scope, params)
                self.emit("}")
                cls.statics[key] = Fn(params)
            else:
                self.emit(f"pub fn {key}(&self{', ' if params else ''}{self.signature(params, scope)}) -> i64 {{")
                this = Cls(name)
                this.fields = {} if cls.extra.get("kind") == "enum" else dict(cls.fields)
                this.methods = dict(cls.methods)
                this.extra = cls.extra
                self.body(scope, params, this=this)
                self.emit("}")
                cls.methods[key] = Fn(params)
        self.indent -= 1
        self.emit("}")

    def from_this(self, scope, depth):
        cls = scope.this
        rows = [(n, d) for n, d in cls.fields.items()] + ([(n, d) for n, d in cls.methods.items()] if depth > 0 else [])
        if not rows:
            return self.literal(scope, depth)
        name, desc = self.rng.choice(rows)
        return self.value_of(f"self.{name}", desc, scope, depth)

    def enum(self, scope):
        name = self.item_name(scope)
        if not name:
            return
        cls = Cls(name)
        cls.extra["kind"] = "enum"
        variants, parts = {}, []
        for key in self.rng.sample(self.names, self.rng.randint(1, 3)):
            kind = self.rng.choice([None, "tuple", self.name()])
            variants[key] = kind
            parts.append(key if kind is None else f"{key}(i64)" if kind == "tuple" else f"{key} {{ {kind}: i64 }}")
        cls.extra["variants"] = variants
        self.emit("#[derive(Clone)]")
        self.emit(f"pub enum {name} {{ {', '.join(parts)} }}")
        scope.vars[name] = cls
        self.implement(scope, name, cls)
        self.later.append(name)

    def trait(self, scope):
        name = self.item_name(scope)
        found = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls) and d.name == n and d.extra.get("path", self.path) == self.path]
        if not name or not found:
            return
        other, cls = self.rng.choice(found)
        key, extra = self.rng.sample(self.names, 2)
        if key in cls.methods or key in cls.statics or extra in cls.methods or extra in cls.statics or scope.vars.get(other) is not cls:
            return
        self.emit(f"pub trait {name} {{")
        self.emit(f"    fn {key}(&self) -> i64;")
        self.emit(f"    fn {extra}(&self) -> i64 {{ self.{key}() + 1 }}")
        self.emit("}")
        self.emit(f"impl {name} for {other} {{")
        inner = Scope("function", scope)
        self.emit(f"    fn {key}(&self) -> i64 {{ {self.number(inner, 1)} }}")
        self.emit("}")
        cls.methods[key] = Fn([])
        cls.methods[extra] = Fn([])
        cls.extra.setdefault("trait", {})[key] = self.path
        cls.extra["trait"][extra] = self.path
        scope.vars[name] = Hidden()
        own, param = self.item_name(scope), self.name()
        if own and self.chance(.5) and param not in self.patterns(scope):
            word = self.rng.choice([f"{param}: &impl {name}", f"{param}: &dyn {name}"])
            self.emit(f"pub fn {own}({word}) -> i64 {{ {param}.{self.rng.choice([key, extra])}() }}")
            scope.vars[own] = Hidden()
            made = self.make(other, cls, Scope("function", scope), 0)
            self.shows.append(f"{own}(&{made})")

    def inner_module(self, scope):
        name = self.item_name(scope)
        if not name:
            return
        exports = {}
        self.emit(f"pub mod {name} {{")
        self.indent += 1
        outer = [n for n, d in scope.vars.items() if isinstance(d, (Fn, Num))]
        for key in self.rng.sample(self.names, self.rng.randint(1, 2)):
            if outer and self.chance(.5):
                other = self.rng.choice(outer)
                if isinstance(scope.vars[other], Num):
                    self.emit(f"pub fn {key}() -> i64 {{ super::{other} + 1 }}")
                    exports[key] = Fn([])
                    continue
            self.emit(f"pub const {key}: i64 = {self.rng.randint(1, 9)};")
            exports[key] = NUM
        self.indent -= 1
        self.emit("}")
        scope.vars[name] = Mod(exports)


def write(rng, path, scope, budget):
    writer = Rust(rng)
    writer.path, writer.later, writer.shows, writer.budget, writer.macros = path, [], [], budget, {}
    guard = 50
    while writer.budget > 0 and guard:
        guard -= 1
        writer.item(scope)
    return writer


def bring_in(rng, known, scope, main):
    lines = []
    for module, exports in known:
        rows = [(n, d) for n, d in exports.items() if n not in scope.vars]
        if not rows:
            continue
        form = rng.random()
        if form < .25:
            lines.append(f"use crate::{module}::*;")
            for name, desc in rows:
                scope.vars[name] = desc
                scope.fixed.add(name)
        elif form < .7:
            name, desc = rng.choice(rows)
            alias = rng.choice(NAMES) if rng.random() < .5 else name
            if alias in scope.vars:
                continue
            word = "pub use" if rng.random() < .4 and not main else "use"
            lines.append(f"{word} crate::{module}::{name}{' as ' + alias if alias != name else ''};")
            scope.vars[alias] = desc
            scope.fixed.add(alias)
            if word == "use":
                scope.private.add(alias)
        else:
            if module not in scope.vars:
                if not main:
                    lines.append(f"use crate::{module};")
                scope.vars[module] = Mod(exports)
    return lines


def generate(rng):
    files, known, mods = {}, [], []
    for module in rng.sample(["lib", "core_", "data"], rng.randint(0, 2)):
        scope = Scope("module", None)
        scope.private = set()
        head = bring_in(rng, known, scope, False)
        names = set(scope.vars)
        writer = write(rng, module, scope, rng.randint(4, 8))
        files[f"{module}.rs"] = "\n".join(head + writer.lines) + "\n"
        exports = {n: d for n, d in scope.vars.items() if not isinstance(d, Hidden) and n in NAMES and n not in scope.private and (n not in names or any("pub use" in h and h.endswith(f"{n};") for h in head))}
        known = known + [(module, exports)]
        mods.append(module)
    scope = Scope("module", None)
    scope.private = set()
    head = [f"mod {m};" for m in mods] + bring_in(rng, known, scope, True)
    writer = write(rng, "main", scope, rng.randint(6, 12))
    writer.emit("fn main() {")
    writer.indent += 1
    body = Scope("function", scope)
    for name in writer.later:
        for _ in range(2):
            writer.emit(f"println!(\"{{}}\", {writer.value_of(name, scope.vars[name], body, 1)});")
    for text in writer.shows:
        writer.emit(f"println!(\"{{}}\", {text});")
    for name, kind in writer.macros.items():
        rows = [n for n, d in body.visible().items() if isinstance(d, Num)]
        if kind == "expr" or rows:
            writer.emit(f"println!(\"{{}}\", {name}!({writer.number(body, 1) if kind == 'expr' else rng.choice(rows)}));")
    writer.budget = rng.randint(2, 5)
    while writer.budget > 0:
        writer.statement(body, 1)
    for _ in range(4):
        rows = [n for n, d in body.visible().items() if isinstance(d, Num) and n in body.vars]
        if rows and rng.random() < .4:
            writer.emit(f"println!(\"{{{rng.choice(rows)}}}\");")
        else:
            writer.emit(f"println!(\"{{}}\", {writer.number(body)});")
    writer.indent -= 1
    writer.emit("}")
    files["main.rs"] = "\n".join(head + writer.lines) + "\n"
    return files
