"""Random Go programs: a package `main` of one or two files, and packages beside it; many programs a compilation."""
import os
import re
import shutil
import subprocess

from languages.blocks import NUM, Cls, Fn, Hidden, Mod, Obj, Param, Scope, Writer
from languages.common import NAMES as LOWER, places_in, weighted

CHECK = "go"
UPPER = [n.capitalize() for n in LOWER]
NAMES = LOWER + UPPER
SKIPPED = re.compile(r"""//[^\n]*|`[^`]*`|"(?:[^"\\\n]|\\.)*\"""")
FEATURES = {"embedded": r"struct \{[^}]*\n\s+\*?\w+\n", "interface": r"\binterface\b", "type switch": r"\.\(type\)", "closure": r"func\([^)]*\) \w+ \{", "dot import": r"import \. ", "alias": r"import \w+ \"",
            "import": r"\bimport\b", "label": r"^\s*\w+:\n", "method": r"func \(", "struct": r"\bstruct\b", "generic": r"func \w+\[", "const": r"\bconst\b", "range": r"\brange\b", "iota": r"iota", "named result": r"\) \(\w+ int\)",
            "short if": r"if \w+ :=", "method expression": r"\b\w+\.\w+\(\w+\{", "local type": r"^\s+type ", "switch": r"\bswitch\b", "select": r"\bmap\["}
ENV = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off", GO111MODULE="on")


class Runner:
    def __init__(self, scratch):
        self.scratch = os.path.join(scratch, f"go{os.getpid()}")

    def run_many(self, programs):
        results = [None] * len(programs)
        folder = os.path.join(self.scratch, "batch")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(os.path.join(folder, "go.mod"), "w") as file:
            file.write("module batch\n\ngo 1.18\n")
        for at, files in enumerate(programs):
            for path, text in files.items():
                if not path.endswith(".go"):
                    continue
                text = text.replace('"ex/', f'"batch/p{at}/')
                if "/" not in path:
                    text = re.sub(r"^package main$", f"package p{at}", text, flags=re.M).replace("func main() {", "func Main() {")
                full = os.path.join(folder, f"p{at}", path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w") as file:
                    file.write(text)
        for _ in range(4):
            left = [at for at in range(len(programs)) if results[at] is None]
            if not left:
                return results
            with open(os.path.join(folder, "main.go"), "w") as file:
                file.write("package main\n\nimport (\n\t\"fmt\"\n" + "".join(f"\tp{at} \"batch/p{at}\"\n" for at in left) + ")\n\nfunc try(at int, f func()) {\n\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\t"
                           "fmt.Println(\"panic\")\n\t\t}\n\t}()\n\tfmt.Printf(\"=== %d\\n\", at)\n\tf()\n\tfmt.Println(\"done\")\n}\n\nfunc main() {\n" + "".join(f"\ttry({at}, p{at}.Main)\n" for at in left) + "}\n")
            done = subprocess.run(["go", "build", "-o", "batch.out", "."], cwd=folder, env=ENV, capture_output=True, text=True, errors="replace", timeout=300)
            if done.returncode == 0:
                try:
                    ran = subprocess.run(["./batch.out"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=30).stdout
                except subprocess.TimeoutExpired:
                    ran = ""
                for part in ran.split("=== ")[1:]:
                    number, _, out = part.partition("\n")
                    results[int(number)] = (0 if out.endswith("done\n") else 1, out.removesuffix("done\n"))
                break
            bad = set(map(int, re.findall(r"\bp(\d+)/[\w./-]*\.go:\d+", done.stderr))) | set(map(int, re.findall(r"package batch/p(\d+)", done.stderr)))
            if not bad:
                break
            for at in bad:
                found = [line for line in done.stderr.split("\n") if re.search(rf"\bp{at}/", line)]
                results[at] = (1, "error " + re.sub(rf"\bp{at}/", "", "\n".join(found[:3])))
        return [result or (2, "not built") for result in results]


def places(files):
    return places_in(files, NAMES, SKIPPED, None, (".go",))


class Go(Writer):
    step = "\t"
    end = ""
    names = LOWER
    self_word = "self"
    package = "main"

    def more_numbers(self, scope):
        return [(0.5, self.called_closure), (0.3, self.map_literal), (0.3, self.anonymous), (0.15, self.text)]

    def text(self, scope, depth):
        return f"len(\"{self.name()}\")"

    def called_closure(self, scope, depth):
        name = self.name()
        inner = Scope("closure", scope)
        inner.vars = {name: NUM}
        return f"func({name} int) int {{ return {self.number(inner, depth - 1)} }}({self.number(scope, depth - 1)})"

    def map_literal(self, scope, depth):
        key = self.name()
        return f"map[string]int{{\"{key}\": {self.number(scope, depth - 1)}}}[\"{key}\"]"

    def anonymous(self, scope, depth):
        a, b = self.rng.sample(self.names, 2)
        values = f"{self.number(scope, depth - 1)}, {self.number(scope, depth - 1)}" if self.chance(.5) else f"{a}: {self.number(scope, depth - 1)}, {b}: {self.number(scope, depth - 1)}"
        return f"(struct{{ {a}, {b} int }}{{{values}}}).{self.rng.choice([a, b])}"

    def declared(self, scope, name, value):
        self.emit(self.rng.choice([f"{name} := {value}", f"var {name} int = {value}", f"var {name} = {value}"]) if self.chance(.85) else f"const {name} = {self.rng.randint(1, 9)}")
        if self.lines[-1].strip().startswith("const"):
            scope.fixed.add(name)
            scope.vars[name] = NUM
        else:
            scope.vars[name] = NUM
            self.emit(f"_ = {name}")

    def loop_head(self, scope, name):
        form = self.rng.randint(0, 3)
        if form == 0:
            return f"for _, {name} := range []int{{{self.number(scope, 1)}, {self.number(scope, 0)}}} {{", ()
        if form == 1:
            return f"for {name} := range []int{{{self.number(scope, 1)}, {self.number(scope, 0)}}} {{", ()
        return f"for {name} := 0; {name} < {self.rng.randint(2, 3)}; {name}++ {{", (name,)

    def in_loop(self, scope, name):
        self.emit(f"_ = {name}") if name in scope.visible() else None

    def if_head(self, condition):
        return f"if {condition} {{"

    def below(self, cls, base):
        return cls is base

    def make_object(self, scope, depth):
        name, found = self.new_local(scope), self.fit(scope, Cls)
        if name and found and not found[1].abstract:
            made = self.make(found[0], found[1], scope, 0)
            if made:
                self.emit(self.rng.choice([f"{name} := {made}", f"var {name} = {made}"]))
                self.emit(f"_ = {name}")
                scope.vars[name] = Obj(found[1])
                scope.fixed.add(name)

    def make(self, text, cls, scope, depth):
        if cls.extra.get("interface"):
            return None
        own = "." not in text
        fields = [(n, d) for n, d in cls.fields.items()]
        direct = [(n, d) for n, d in fields if n not in cls.extra.get("promoted", ())]
        base = cls.base
        parts = []
        keyed = self.chance(.6) or not own
        for name, desc in direct:
            if not own and name[0].islower():
                continue
            parts.append((f"{name}: " if keyed else "") + self.of_desc(desc, scope, depth))
        if base:
            word = self.type_name(base, scope)
            if not word or word.split(".")[-1][0].islower() and not own:
                return None
            key = cls.extra["embedded"]
            value = self.make(word, base, scope, min(depth - 1, -1))
            if value is None:
                return None
            parts.insert(0, (f"{key}: " if keyed else "") + value)
        return f"{text}{{{', '.join(parts)}}}"

    def of_object(self, text, cls, scope, depth):
        rows = list(cls.fields.items()) + list(cls.methods.items())
        foreign = cls.extra.get("package") != self.package
        rows = [(n, d) for n, d in rows if not foreign or n[0].isupper()]
        if text.endswith("}"):
            text = f"({text})"
        if cls.extra.get("interface"):
            rows = list(cls.methods.items())
        if cls.base and self.chance(.2) and not foreign and cls.extra.get("embedded"):
            return self.of_object(f"{text}.{cls.extra['embedded']}", cls.base, scope, depth)
        if not rows:
            return "2"
        name, desc = self.rng.choice(rows)
        return self.value_of(f"{text}.{name}", desc, scope, depth)

    def more_statements(self, scope, depth):
        return [(0.6, self.closure), (0.5, self.short_if), (0.4, self.switch), (0.4, self.label), (0.3, self.type_switch), (0.3, self.pair), (0.25, self.local_type), (0.2, self.function_value), (0.2, self.deferred)]

    def closure(self, scope, depth):
        name = self.new_local(scope)
        if not name or depth > 2:
            return
        params = self.parameters(scope, 2)
        self.emit(f"{name} := func({self.signature(params, scope)}) int {{")
        self.body(scope, params, depth + 1, kind="closure")
        self.emit("}")
        self.emit(f"_ = {name}")
        scope.vars[name] = Fn(params)
        scope.fixed.add(name)

    def deferred(self, scope, depth):
        rows = [n for n in scope.visible() if scope.mutable(n)]
        name = self.name()
        if rows:
            inner = Scope("closure", scope)
            inner.vars = {name: NUM}
            target = self.rng.choice(rows)
            if target != name:
                self.emit(f"func({name} int) {{ {target} += {self.number(inner, 1)} }}({self.number(scope, 1)})")

    def short_if(self, scope, depth):
        name = self.name()
        value = self.number(scope, 1)
        if depth < 3:
            self.block(scope, depth, f"if {name} := {value}; {name} > {self.rng.randint(1, 5)} {{", 1, {name: NUM})
            self.close()

    def switch(self, scope, depth):
        if depth < 3:
            self.emit(f"switch {self.number(scope, 1)} % 2 {{")
            self.block(scope, depth, "case 0, 1, -1:", self.rng.randint(1, 2))
            self.indent -= 1
            self.block(scope, depth, "default:", 1)
            self.indent -= 1
            self.emit("}")

    def type_switch(self, scope, depth):
        name = self.name()
        rows = [n for n in scope.visible() if scope.mutable(n) and n != name]
        if rows and depth < 3:
            self.emit(f"switch {name} := interface{{}}({self.number(scope, 1)}).(type) {{")
            self.emit("case int:")
            self.emit(f"\t{self.rng.choice(rows)} += {name}")
            self.emit("case string:")
            self.emit(f"\t_ = {name}")
            self.emit("}")

    def label(self, scope, depth):
        name, other = self.name(), self.new_local(scope)
        if other and depth < 3 and self.loops == 0 and name not in self.labels:
            self.labels.add(name)
            self.loops += 1
            self.lines.append(f"{name}:")
            inner = self.block(scope, depth, f"for {other} := 0; {other} < 2; {other}++ {{", 1, {other: NUM}, (other,))
            self.emit(f"if {self.condition(inner)} {{")
            self.emit(f"\tcontinue {name}")
            self.emit("}")
            self.close()
            self.loops -= 1

    labels = frozenset()

    def pair(self, scope, depth):
        rows = [n for n in scope.visible() if scope.mutable(n)]
        name = self.new_local(scope)
        if rows and name:
            other = self.rng.choice(rows)
            if other in scope.vars:
                self.emit(f"{name}, {other} := {self.number(scope, 1)}, {self.number(scope, 1)}")
            else:
                a = self.rng.choice(rows)
                if a != other:
                    self.emit(f"{other}, {a} = {a}, {other}")
                return
            self.emit(f"_ = {name}")
            scope.vars[name] = NUM

    def local_type(self, scope, depth):
        name, other, key = self.new_local(scope), self.name(), self.name()
        if name and name != other:
            self.emit(f"type {name} struct{{ {key} int }}")
            cls = Cls(name)
            cls.extra["package"] = self.package
            cls.fields = {key: NUM}
            scope.vars[name] = cls
            self.emit(f"_ = {name}{{}}")

    def function_value(self, scope, depth):
        name, found = self.new_local(scope), self.fit(scope, Fn)
        if name and found:
            self.emit(f"{name} := {found[0]}")
            self.emit(f"_ = {name}")
            scope.vars[name] = found[1]
            scope.fixed.add(name)

    def signature(self, params, scope):
        parts = []
        at = 0
        while at < len(params):
            param = params[at]
            if isinstance(param.desc, Obj):
                parts.append(f"{param.name} {self.type_name(param.desc.cls, scope)}")
            elif at + 1 < len(params) and not isinstance(params[at + 1].desc, Obj) and self.chance(.5):
                parts.append(f"{param.name}, {params[at + 1].name} int")
                at += 1
            else:
                parts.append(f"{param.name} int")
            at += 1
        return ", ".join(parts)

    # Top level

    def top_name(self, scope):
        pool = LOWER + UPPER if self.package == "main" else UPPER + LOWER[:3]
        pool = [n for n in pool if n not in scope.vars and n not in scope.taken]
        return self.rng.choice(pool) if pool else None

    def top(self, scope):
        self.budget -= 1
        weighted(self.rng, [(3, self.function), (2, self.struct), (1.2, self.variable), (0.6, self.interface), (0.5, self.constants), (0.3, self.generic), (0.3, self.named)])(scope)

    def show(self, text):
        self.shown.append(text)

    def variable(self, scope):
        name = self.top_name(scope)
        if name:
            constant = self.chance(.3)
            self.emit(f"{'const' if constant else 'var'} {name}{' int' if self.chance(.4) else ''} = {self.rng.randint(1, 9) if constant else self.number(scope, 1)}")
            scope.vars[name] = NUM
            if constant:
                scope.fixed.add(name)

    def constants(self, scope):
        names = [n for n in (self.top_name(scope), self.top_name(scope)) if n]
        if len(set(names)) == 2:
            self.emit(f"const (\n\t{names[0]} = iota + 1\n\t{names[1]}\n)")
            for name in names:
                scope.vars[name] = NUM
                scope.fixed.add(name)

    def function(self, scope):
        name = self.top_name(scope)
        if not name:
            return
        params = self.parameters(scope)
        self.labels = set()
        if self.chance(.15):
            result = self.rng.choice([n for n in LOWER if n not in [p.name for p in params]])
            self.emit(f"func {name}({self.signature(params, scope)}) ({result} int) {{")
            inner = Scope("function", scope)
            inner.vars = {**{p.name: p.desc for p in params}, result: NUM}
            self.indent += 1
            self.emit(f"{result} = {self.number(inner)}")
            self.emit("return")
            self.indent -= 1
        else:
            self.emit(f"func {name}({self.signature(params, scope)}) int {{")
            self.body(scope, params)
        self.emit("}\n")
        scope.vars[name] = Fn(params)
        self.after(scope, name)

    def after(self, scope, name):
        self.later.append(name)

    def generic(self, scope):
        name = self.top_name(scope)
        if name:
            kind, param = self.rng.sample(LOWER, 2)
            self.emit(f"func {name}[{kind} int | int64]({param} {kind}) {kind} {{\n\treturn {param} + 1\n}}\n")
            scope.vars[name] = Fn([Param(param)])
            self.after(scope, name)

    def named(self, scope):
        name, method = self.top_name(scope), self.rng.choice(LOWER + UPPER)
        if name and method != name:
            own = self.name()
            self.emit(f"type {name} int\n")
            inner = Scope("function", scope)
            inner.vars = {own: Hidden()}
            scope.vars[name] = Hidden()
            self.emit(f"func ({own} {name}) {method}() int {{\n\treturn int({own}) + {self.number(inner, 1)}\n}}\n")
            scope.vars[name] = Hidden()
            self.shows.append(f"{name}({self.rng.randint(1, 9)}).{method}()")

    def struct(self, scope):
        name = self.top_name(scope)
        if not name:
            return
        cls = Cls(name)
        cls.extra["package"] = self.package
        pool = LOWER + UPPER if self.package == "main" else UPPER + LOWER[:2]
        lines = []
        base = self.fit(scope, Cls) if self.chance(.35) else None
        if base and base[1].extra.get("package") == self.package and not base[1].extra.get("interface") and base[0] == base[1].name:
            cls.base = base[1]
            cls.extra["embedded"] = base[0]
            cls.extra["promoted"] = set(base[1].fields)
            cls.fields = dict(base[1].fields)
            cls.methods = dict(base[1].methods)
            lines.append(f"\t{base[0]}")
        for key in self.rng.sample(pool, self.rng.randint(1, 2)):
            if key in cls.fields or key in cls.methods or key == cls.extra.get("embedded"):
                continue
            other = self.fit(scope, Cls)
            desc = Obj(other[1]) if other and self.chance(.2) and not other[1].extra.get("interface") and "." not in other[0] else NUM
            lines.append(f"\t{key} {other[0] if isinstance(desc, Obj) else 'int'}")
            cls.fields[key] = desc
        self.emit(f"type {name} struct {{")
        self.lines += lines
        self.emit("}\n")
        scope.vars[name] = cls
        for _ in range(self.rng.randint(0, 2)):
            key = self.rng.choice(pool)
            if key in cls.fields or key in cls.methods or key == cls.extra.get("embedded"):
                continue
            params = self.parameters(scope, 2)
            self.labels = set()
            self.self_word = self.rng.choice([n for n in LOWER if n not in [p.name for p in params]] + ["self"])
            self.emit(f"func ({self.self_word} {name}) {key}({self.signature(params, scope)}) int {{")
            holder = Scope("function", scope)
            holder.vars[self.self_word] = Obj(cls)
            holder.fixed.add(self.self_word)
            self.body(holder, params, kind="block")
            self.emit("}\n")
            cls.methods[key] = Fn(params)
        self.after(scope, name)

    def interface(self, scope):
        name = self.top_name(scope)
        found = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls) and d.methods and not d.extra.get("interface") and d.extra.get("package") == self.package]
        if name and found:
            other, cls = self.rng.choice(found)
            method, fn = self.rng.choice(list(cls.methods.items()))
            texts = []
            for p in fn.params:
                if isinstance(p.desc, Obj) and not self.type_name(p.desc.cls, scope):
                    return
                texts.append(f"{p.name} {self.type_name(p.desc.cls, scope) if isinstance(p.desc, Obj) else 'int'}")
            self.emit(f"type {name} interface {{\n\t{method}({', '.join(texts)}) int\n}}\n")
            made = Cls(name)
            made.extra = {"package": self.package, "interface": True}
            made.abstract = True
            made.methods = {method: fn}
            scope.vars[name] = Hidden()
            value = self.make(other, cls, scope, 0)
            if value:
                own = self.top_name(scope)
                if own and own != name:
                    self.emit(f"var {own} {name} = {value}")
                    scope.vars[own] = Obj(made)
                    scope.fixed.add(own)


def write_package(rng, package, known, scope, budget, main=False):
    writer = Go(rng)
    writer.package, writer.known = package, known
    writer.later, writer.shows, writer.budget = [], [], budget
    guard = 40
    while writer.budget > 0 and guard:
        guard -= 1
        writer.top(scope)
    return writer


def generate(rng):
    files = {"go.mod": "module ex\n\ngo 1.18\n"}
    known = []
    for package in rng.sample(["lib", "ant", "core"], rng.randint(0, 2)):
        scope = Scope("module", None)
        imports = bring_in(rng, known, scope)
        writer = write_package(rng, package, known, scope, rng.randint(5, 9))
        text = finish(package, imports, writer.lines, False)
        files[f"{package}/{package}.go"] = text
        known = known + [(package, {n: d for n, d in scope.vars.items() if n[0].isupper() and not isinstance(d, (Hidden, Mod)) and n in UPPER})]
    scope = Scope("module", None)
    imports = bring_in(rng, known, scope)
    names = set(scope.vars)
    writer = write_package(rng, "main", known, scope, rng.randint(7, 14))
    writer.emit("func main() {")
    writer.indent += 1
    writer.labels = set()
    body = Scope("function", scope)
    for name in writer.later:
        for _ in range(2):
            writer.emit(f"fmt.Println({writer.value_of(name, scope.vars[name], body, 1)})")
    for text in writer.shows:
        writer.emit(f"fmt.Println({text})")
    writer.budget = rng.randint(1, 4)
    while writer.budget > 0:
        writer.statement(body, 1)
    for _ in range(4):
        writer.emit(f"fmt.Println({writer.number(body)})")
    writer.indent -= 1
    writer.emit("}")
    if not names and rng.random() < .5:
        cut = next((i for i, text in enumerate(writer.lines) if text.startswith("func ") and i > len(writer.lines) // 3), None)
        if cut:
            files["more.go"] = "package main\n\n" + "\n".join(writer.lines[:cut]) + "\n"
            writer.lines = writer.lines[cut:]
    files["main.go"] = finish("main", imports, writer.lines, True)
    return files


def bring_in(rng, known, scope):
    rows = []
    for package, exports in known:
        form = rng.random()
        if not exports:
            continue
        if form < .2:
            rows.append((".", package, None))
            for name, desc in exports.items():
                scope.vars[name] = desc
                if isinstance(desc, Cls):
                    desc.extra["dot"] = True
        elif form < .45:
            alias = rng.choice(LOWER)
            if alias not in scope.vars:
                rows.append((alias, package, alias))
                scope.vars[alias] = Mod(exports)
        elif package not in scope.vars:
            rows.append(("", package, package))
            scope.vars[package] = Mod(exports)
    scope.taken = set(scope.vars)
    scope.fixed = set(scope.vars)
    return rows


def finish(package, imports, lines, main):
    text = "\n".join(lines) + "\n"
    head = [f"package {package}", ""]
    if main:
        head.append("import \"fmt\"")
    for alias, path, word in imports:
        if word is None or re.search(rf"\b{word}\.[A-Z]", text):
            head.append(f"import {alias + ' ' if alias else ''}\"ex/{path}\"")
    return "\n".join(head) + "\n\n" + text
