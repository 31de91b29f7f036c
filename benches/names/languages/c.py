"""Random C programs of one or two translation units and a header."""
import re

from languages import compiled
from languages.blocks import NUM, Cls, Fn, Hidden, Num, Obj, Param, Scope, Writer
from languages.common import NAMES, places_in, weighted

CHECK = "c"
SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*\"""", re.S)
FEATURES = {"macro": r"#define", "typedef": r"\btypedef\b", "label": r"\bgoto\b", "tag": r"\bstruct \w+ \w", "enum": r"\benum\b", "union": r"\bunion\b", "designated": r"\{ \.", "extern": r"\bextern\b", "include": r"#include \"",
            "static local": r"^\s+static", "function pointer": r"\(\*\w+\)", "sizeof": r"sizeof", "prototype": r"\w+\([^)]*\);$", "for declaration": r"for \((int|long)", "conditional": r"#if", "arrow": r"->", "struct": r"\bstruct\b"}


class Runner(compiled.Runner):
    def __init__(self, scratch):
        super().__init__(scratch, "gcc -fwrapv -Werror=return-type -Werror=implicit-function-declaration -Werror=uninitialized -o prog *.c", "./prog")


def places(files):
    return places_in(files, NAMES, SKIPPED)


class C(Writer):
    def more_numbers(self, scope):
        return [(0.5, self.conditional), (0.4, self.compound), (0.2, self.size), (0.2, self.text), (0.4, self.macro_call)]

    def conditional(self, scope, depth):
        return f"({self.number(scope, depth - 1)} > 3 ? {self.number(scope, depth - 1)} : {self.number(scope, depth - 1)})"

    def compound(self, scope, depth):
        tags = self.tags(scope)
        if not tags:
            return self.literal(scope, depth)
        cls = self.rng.choice(tags)
        return self.of_object(self.make(None, cls, scope, depth - 1), cls, scope, depth)

    def size(self, scope, depth):
        tags = self.tags(scope)
        if not tags:
            return self.literal(scope, depth)
        cls = self.rng.choice(tags)
        return self.rng.choice([f"(long)sizeof({cls.extra['spelled']})", f"(long)sizeof((({cls.extra['spelled']} *)0)->{self.rng.choice(list(cls.fields))})"])

    def text(self, scope, depth):
        return f"(long)sizeof(\"{self.name()}\")"

    def macro_call(self, scope, depth):
        if not self.macros:
            return self.literal(scope, depth)
        name, kind = self.rng.choice(list(self.macros.items()))
        if name in scope.visible() or name in scope.locals():
            return self.literal(scope, depth)
        return f"{name}({self.number(scope, depth - 1)})" if kind == 1 else name

    def tags(self, scope):
        found, hidden, holder = [], set(), scope
        while holder:
            for cls in getattr(holder, "tagged", ()):
                if cls.extra["spelled"] not in hidden:
                    found.append(cls)
            hidden |= {c.extra["spelled"] for c in getattr(holder, "tagged", ())}
            holder = holder.parent
        locals_ = scope.locals()
        return [c for c in found if " " in c.extra["spelled"] or c.extra["spelled"] not in locals_]

    def make(self, text, cls, scope, depth):
        parts = []
        for name, desc in cls.fields.items():
            value = self.number(scope, depth) if isinstance(desc, Num) else self.make(None, desc.cls, scope, depth - 1)
            parts.append(f".{name} = {value}" if cls.extra["designated"] else value)
        return f"({cls.extra['spelled']}){{ {', '.join(parts)} }}"

    def of_object(self, text, cls, scope, depth):
        name, desc = self.rng.choice(list(cls.fields.items()))
        if self.chance(.2) and not text.startswith("("):
            return self.value_of(f"(&{text})->{name}", desc, scope, depth)
        return self.value_of(f"{text}.{name}", desc, scope, depth)

    def of_desc(self, desc, scope, depth):
        if isinstance(desc, Obj):
            rows = [n for n, d in scope.visible().items() if isinstance(d, Obj) and d.cls is desc.cls]
            if rows and self.chance(.6):
                return self.rng.choice(rows)
            return self.make(None, desc.cls, scope, depth)
        return self.number(scope, depth)

    def declared(self, scope, name, value):
        # The declared name is in scope in its own initializer: a value that reads the outer one would read itself.
        while re.search(rf"\b{name}\b", re.sub(r"[.>]\s*\w+", "", value)):
            value = self.literal(scope, 0)
        word = "static long" if self.chance(.08) and value.isdigit() else self.rng.choice(["long", "long", "int", "const long"])
        self.emit(f"{word} {name} = {value};")
        scope.vars[name] = NUM
        (scope.fixed.add if "const" in word else scope.fixed.discard)(name)

    def loop_head(self, scope, name):
        return f"for (int {name} = 0; {name} < {self.rng.randint(2, 3)}; {name}++) {{", (name,)

    def make_object(self, scope, depth):
        name, tags = self.new_local(scope), self.tags(scope)
        if name and tags:
            cls = self.rng.choice(tags)
            value = self.make(None, cls, scope, 0)
            if re.search(rf"\b{name}\b", re.sub(r"\.\w+|struct \w+", "", value)) or cls.extra["spelled"] == name:
                return
            if value.count("(") > 1 and " " not in cls.extra["spelled"] and name == cls.extra["spelled"]:
                return
            self.emit(f"{cls.extra['spelled']} {name} = {value};")
            scope.vars[name] = Obj(cls)
            scope.fixed.add(name)

    def more_statements(self, scope, depth):
        return [(0.6, self.label), (0.4, self.local_tag), (0.5, self.pointer), (0.3, self.switch), (0.4, self.function_pointer), (0.2, self.local_enum), (0.3, self.while_loop), (0.15, self.local_extern)]

    def label(self, scope, depth):
        name = self.name()
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if name not in self.labels and rows and self.loops == 0 and depth < 3:
            self.labels.add(name)
            self.emit(f"if ({self.condition(scope)}) goto {name};")
            self.emit(f"{self.rng.choice(rows)} += {self.number(scope, 0)};")
            self.emit(f"{name}:;")

    def local_tag(self, scope, depth):
        name = self.name()
        if any(c.extra["spelled"] == f"struct {name}" for c in getattr(scope, "tagged", ())):
            return
        self.struct_text(scope, name, local=True)

    def struct_text(self, scope, name, local=False):
        cls = Cls(name)
        cls.extra["designated"] = self.chance(.6)
        parts = []
        for key in self.rng.sample(self.names, self.rng.randint(1, 3)):
            tags = [c for c in self.tags(scope)] if not local else []
            if tags and self.chance(.2):
                other = self.rng.choice(tags)
                cls.fields[key] = Obj(other)
                parts.append(f"{other.extra['spelled']} {key};")
            else:
                cls.fields[key] = NUM
                parts.append(f"{self.rng.choice(['long', 'int'])} {key};")
        if self.chance(.35) and not local:
            alias = self.rng.choice([n for n in self.names if n not in scope.vars] or [None])
            if alias:
                self.emit(f"typedef struct {name if self.chance(.6) else ''} {{ {' '.join(parts)} }} {alias};".replace("struct  ", "struct "))
                cls.extra["spelled"] = alias
                scope.vars[alias] = Hidden()
                scope.tagged = getattr(scope, "tagged", []) + [cls]
                return
        self.emit(f"struct {name} {{ {' '.join(parts)} }};")
        cls.extra["spelled"] = f"struct {name}"
        scope.tagged = getattr(scope, "tagged", []) + [cls]

    def pointer(self, scope, depth):
        rows = [n for n in scope.visible() if scope.mutable(n) and n in scope.vars and n not in scope.fixed]
        objects = [(n, d) for n, d in scope.visible().items() if isinstance(d, Obj)]
        name = self.new_local(scope)
        if objects and name and self.chance(.7):
            other, desc = self.rng.choice(objects)
            fields = [k for k, d in desc.cls.fields.items() if isinstance(d, Num)]
            if fields and other != name and desc.cls.extra["spelled"] != name:
                self.emit(f"{desc.cls.extra['spelled']} *{name} = &{other};") if desc.cls in self.tags(scope) else None
                if desc.cls in self.tags(scope):
                    self.emit(f"{name}->{self.rng.choice(fields)} += {self.number(scope, 0)};")
                    scope.vars[name] = Hidden()
        elif rows:
            self.emit(f"*&{self.rng.choice(rows)} += {self.number(scope, 1)};")

    def switch(self, scope, depth):
        if depth < 3:
            enums = [n for n, d in scope.visible().items() if n in self.enums and isinstance(d, Num)]
            self.emit(f"switch ({self.number(scope, 1)}) {{")
            if enums:
                self.emit(f"case {self.rng.choice(enums)}: break;")
            self.block(scope, depth, "default: {", 1)
            self.close()
            self.emit("}")

    def function_pointer(self, scope, depth):
        name = self.new_local(scope)
        found = [(n, d) for n, d in scope.visible().items() if isinstance(d, Fn) and all(isinstance(p.desc, Num) for p in d.params) and n in self.functions]
        if name and found:
            other, desc = self.rng.choice(found)
            if other != name:
                inner = self.name()
                self.emit(f"long (*{name})({', '.join('long' + (' ' + inner if i == 0 else '') for i, _ in enumerate(desc.params)) or 'void'}) = {other};")
                scope.vars[name] = desc
                scope.fixed.add(name)

    def local_enum(self, scope, depth):
        name, tag = self.new_local(scope), self.name()
        if name and tag not in [c.name for c in getattr(scope, "tagged", ())] and not getattr(scope, "enumerated", None):
            scope.enumerated = True
            self.emit(f"enum {tag}_e {{ {name} = {self.rng.randint(1, 9)} }};")
            scope.vars[name] = NUM
            scope.fixed.add(name)

    def while_loop(self, scope, depth):
        name = self.new_local(scope)
        if name and depth < 3 and self.loops < 2:
            self.emit(f"long {name} = 2;")
            scope.vars[name] = NUM
            scope.fixed.add(name)
            self.loops += 1
            inner = self.block(scope, depth, f"while ({name} > 0) {{", 1)
            self.emit("break;" if inner.visible().get(name) is None or name in inner.vars else f"{name}--;")
            self.close()
            self.loops -= 1

    def local_extern(self, scope, depth):
        rows = [n for n in self.globals if n not in scope.vars and n not in scope.taken]
        if rows:
            name = self.rng.choice(rows)
            if name in scope.locals():
                return
            self.emit(f"extern long {name};")
            scope.vars[name] = NUM

    # Top level

    def top_name(self, scope):
        pool = [n for n in self.names if n not in scope.vars and n not in self.macros and n not in self.used]
        return self.rng.choice(pool) if pool else None

    def signature(self, params):
        return ", ".join(f"{p.desc.cls.extra['spelled'] if isinstance(p.desc, Obj) else 'long'} {p.name}" for p in params) or "void"

    def parameters(self, scope, room=3, objects=True):
        params = []
        for name in self.rng.sample(self.names, self.rng.randint(0, room)):
            tags = self.tags(scope)
            cls = self.rng.choice(tags) if tags and self.chance(.3) else None
            params.append(Param(name, Obj(cls) if cls and cls.extra["spelled"] != name and not any(p.name == cls.extra["spelled"] for p in params) else NUM))
        return params

    def top(self, scope):
        self.budget -= 1
        weighted(self.rng, [(3.5, self.function), (1.5, self.struct), (1, self.variable), (0.5, self.enum), (0.5, self.macro)])(scope)

    def struct(self, scope):
        name = self.name()
        if not any(c.name == name for c in getattr(scope, "tagged", ())):
            self.struct_text(scope, name)

    def variable(self, scope):
        name = self.top_name(scope)
        if name:
            static = self.chance(.4)
            self.emit(f"{'static ' if static else ''}long {name} = {self.rng.randint(1, 9)};")
            scope.vars[name] = NUM
            if not static:
                self.shared.append((name, NUM, f"extern long {name};"))
                self.globals.add(name)

    def enum(self, scope):
        names = {self.top_name(scope), self.top_name(scope)} - {None}
        if names:
            self.emit(f"enum {{ {', '.join(sorted(names))}{' = 4' if self.chance(.5) else ''} }};")
            for name in names:
                scope.vars[name] = NUM
                scope.fixed.add(name)
                self.enums.add(name)

    def macro(self, scope):
        name, param = self.top_name(scope), self.name()
        if name and not any(name == c.extra["spelled"] or name in c.fields or c.extra["spelled"].endswith(" " + name) for c in getattr(scope, "tagged", ())):
            if self.chance(.5):
                rows = [n for n, d in scope.vars.items() if isinstance(d, Num) and n in self.globals]
                extra = f" + {self.rng.choice(rows)}" if rows and self.chance(.4) and param not in rows else ""
                self.emit(f"#define {name}({param}) (({param}) + {self.rng.randint(1, 5)}{extra})")
                self.macros[name] = 1
            else:
                self.emit(f"#define {name} {self.rng.randint(1, 9)}")
                self.macros[name] = 0
            scope.taken.add(name)
            self.names = [n for n in self.names if n != name]

    def function(self, scope):
        name = self.top_name(scope)
        if not name:
            return
        params = self.parameters(scope)
        static = self.chance(.5)
        self.labels = set()
        if self.chance(.3):
            other = [Param(n, p.desc) for n, p in zip(self.rng.sample(self.names, len(params)), params)] if len(params) <= len(self.names) else params
            if not any(isinstance(p.desc, Obj) for p in params):
                self.emit(f"{'static ' if static else ''}long {name}({self.signature(other)});")
        self.emit(f"{'static ' if static else ''}long {name}({self.signature(params)}) {{")
        self.body(scope, params)
        self.emit("}")
        scope.vars[name] = Fn(params)
        self.functions.add(name)
        self.later.append(name)
        if not static and not any(isinstance(p.desc, Obj) for p in params):
            self.shared.append((name, scope.vars[name], f"long {name}({self.signature(params)});"))


def unit(rng, scope, budget, used=()):
    writer = C(rng)
    writer.shared, writer.later, writer.macros, writer.enums, writer.globals, writer.functions, writer.labels, writer.used = [], [], {}, set(), set(), set(), set(), set(used)
    writer.budget = budget
    guard = 50
    while writer.budget > 0 and guard:
        guard -= 1
        writer.top(scope)
    return writer


def generate(rng):
    files = {}
    scope = Scope("module", None)
    head = ["#include <stdio.h>"]
    used = set()
    if rng.random() < .6:
        other = Scope("module", None)
        writer = unit(rng, other, rng.randint(4, 8))
        header = ["#ifndef LIB_H", "#define LIB_H"]
        for name, desc, text in writer.shared:
            header.append(text)
            scope.vars[name] = desc
            used.add(name)
        files["lib.h"] = "\n".join([*header, "#endif"]) + "\n"
        files["lib.c"] = "\n".join((["#include \"lib.h\""] if rng.random() < .7 else []) + writer.lines) + "\n"
        head.append("#include \"lib.h\"")
    writer = unit(rng, scope, rng.randint(6, 12), used)
    names = [n for n in used if isinstance(scope.vars[n], Fn)]
    writer.functions |= set(names)
    writer.emit("int main(void) {")
    writer.indent += 1
    writer.labels = set()
    body = Scope("function", scope)
    for name in writer.later + names:
        for _ in range(2):
            writer.emit(f"printf(\"%ld\\n\", (long)({writer.value_of(name, scope.vars[name], body, 1)}));")
    writer.budget = rng.randint(3, 6)
    while writer.budget > 0:
        writer.statement(body, 1)
    for _ in range(4):
        writer.emit(f"printf(\"%ld\\n\", (long)({writer.number(body)}));")
    writer.emit("return 0;")
    writer.indent -= 1
    writer.emit("}")
    files["main.c"] = "\n".join(head + writer.lines) + "\n"
    return files
