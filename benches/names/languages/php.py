"""Random PHP programs of one or two files."""
import re

from languages import compiled
from languages.blocks import NUM, Cls, Fn, Hidden, Num, Obj, Param, Scope, Writer
from languages.common import NAMES, places_in, weighted

CHECK = "php"
SKIPPED = re.compile(r"""//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
HOLES = re.compile(r"(?<=\$)\w+|(?<=->)\w+")
FEATURES = {"namespace": r"\bnamespace\b", "use function": r"use (function|const)", "promoted": r"__construct\((public|private)", "closure": r"use \(", "arrow": r"\bfn *\(", "named argument": r"\w: ", "compact": r"compact\(", "extract": r"extract\(",
            "variable variable": r"\$\$|\$\{\"", "static": r"\bstatic\b", "global": r"\bglobal\b", "list": r"\[[^\]]*\] = ", "trait": r"\btrait\b", "interface": r"\binterface\b", "enum": r"\benum\b", "constant": r"\bconst\b|define\(",
            "interpolation": r"\"[^\"]*\$\w", "reference": r"&\$", "extends": r"\bextends\b", "parent": r"parent::", "property": r"->\w+(?!\()", "method": r"->\w+\(", "callable": r"\(\.\.\.\)|call_user_func", "match": r"\bmatch\b",
            "include": r"require", "array key": r"\['\w+'\]", "catch": r"catch \("}


class Runner(compiled.Runner):
    def __init__(self, scratch):
        super().__init__(scratch, "php -d display_errors=0 main.php")


def places(files):
    return places_in(files, NAMES, SKIPPED, HOLES, None, "#@")


class Php(Writer):
    self_word = "$this"
    dot = "->"

    def read(self, name, scope):
        desc = scope.visible().get(name)
        if name in scope.constants_seen():
            return name
        return f"${name}" if isinstance(desc, (Num, Obj, Array)) or isinstance(desc, Fn) and getattr(desc, "held", False) else name

    def more_numbers(self, scope):
        return [(0.5, self.arrow), (0.5, self.conditional), (0.3, self.text_number), (0.3, self.array_literal), (0.3, self.closure_call), (0.15, self.text), (0.3, self.matched), (0.2, self.compacted), (0.2, self.callable)]

    def conditional(self, scope, depth):
        return f"({self.number(scope, depth - 1)} > 3 ? {self.number(scope, depth - 1)} : {self.number(scope, depth - 1)})"

    def text(self, scope, depth):
        return f"strlen('{self.name()}')"

    def matched(self, scope, depth):
        return f"(match (true) {{ {self.number(scope, depth - 1)} > 2 => {self.number(scope, depth - 1)}, default => {self.number(scope, 0)} }})"

    def arrow(self, scope, depth):
        name = self.name()
        inner = Php.Inner("closure", scope)
        inner.vars = {name: NUM}
        return f"(fn(${name}) => {self.number(inner, depth - 1)})({self.number(scope, depth - 1)})"

    def closure_call(self, scope, depth):
        name = self.name()
        rows = [n for n, d in scope.vars.items() if isinstance(d, Num) and n != name and n not in scope.constants_seen()]
        inner = Php.Inner("function", scope.top())
        inner.vars = {name: NUM}
        used = ""
        if rows and self.chance(.7):
            own = self.rng.choice(rows)
            used = f" use ({'&' if self.chance(.3) else ''}${own})"
            inner.vars[own] = NUM
        return f"(function(${name}){used} {{ return {self.number(inner, depth - 1)}; }})({self.number(scope, depth - 1)})"

    def text_number(self, scope, depth):
        rows = [n for n, d in scope.vars.items() if isinstance(d, Num) and n not in scope.constants_seen()]
        objects = [(n, d) for n, d in scope.vars.items() if isinstance(d, Obj)]
        if objects and self.chance(.4):
            name, desc = self.rng.choice(objects)
            fields = [k for k, d in desc.cls.fields.items() if isinstance(d, Num)]
            if fields:
                return f"intval(\"{{${name}->{self.rng.choice(fields)}}}\")" if self.chance(.5) else f"intval(\"${name}->{self.rng.choice(fields)}\")"
        if not rows:
            return self.literal(scope, depth)
        name = self.rng.choice(rows)
        return f"intval(\"{self.rng.choice([f'${name}', f'{{${name}}}', f'${{{name}}}'])}\")"

    def array_literal(self, scope, depth):
        key = self.name()
        return f"['{key}' => {self.number(scope, depth - 1)}]['{key}']"

    def compacted(self, scope, depth):
        rows = [n for n, d in scope.vars.items() if isinstance(d, Num) and n not in scope.constants_seen()]
        if not rows:
            return self.literal(scope, depth)
        name = self.rng.choice(rows)
        return self.rng.choice([f"compact('{name}')['{name}']", f"${{'{name}'}}"])

    def callable(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, Fn) and not getattr(d, "held", False) and len(d.params) == 1 and isinstance(d.params[0].desc, Num)]
        if not rows:
            return self.literal(scope, depth)
        name, _ = self.rng.choice(rows)
        value = self.number(scope, depth - 1)
        return self.rng.choice([f"{name}(...)({value})", f"array_map({name}(...), [{value}])[0]", f"call_user_func('{name}', {value})" if self.plain else f"{name}(...)({value})"])

    def arguments(self, params, scope, depth):
        parts, named = [], False
        for param in params:
            value = self.of_desc(param.desc, scope, depth)
            if named or self.chance(.15):
                named = True
                parts.append(f"{param.name}: {value}")
            else:
                parts.append(value)
        return ", ".join(parts)

    def make(self, text, cls, scope, depth):
        if cls.extra.get("enum"):
            return f"{text}::{self.rng.choice(cls.extra['enum'])}"
        return f"(new {text}({self.arguments(cls.extra.get('init', []), scope, depth)}))"

    def static(self, text, name):
        return f"{text}::{name}"

    def of_class(self, text, cls, scope, depth):
        if cls.statics and self.chance(.4) or cls.abstract:
            if not cls.statics:
                return "2"
            name, desc = self.rng.choice(list(cls.statics.items()))
            return self.value_of(f"{text}::{'$' if cls.extra['marks'].get(name) else ''}{name}", desc, scope, depth)
        return self.of_object(self.make(text, cls, scope, depth - 1), cls, scope, depth)

    def declared(self, scope, name, value):
        self.emit(f"${name} = {value};")
        scope.vars[name] = NUM

    def new_local(self, scope):
        pool = [n for n in self.names if isinstance(scope.vars.get(n, NUM), Num) and n not in scope.constants_seen()]
        return self.rng.choice(pool) if pool else None

    def loop_head(self, scope, name):
        form = self.rng.randint(0, 2)
        scope.vars[name] = NUM
        if form == 0:
            return f"for (${name} = 0; ${name} < {self.rng.randint(2, 3)}; ${name}++) {{", ()
        if form == 1:
            return f"foreach ([{self.number(scope, 1)}, {self.number(scope, 0)}] as ${name}) {{".replace(f"[${name}", "[1"), ()
        return f"foreach (['{self.name()}' => {self.rng.randint(2, 9)}] as $_ => ${name}) {{", ()

    def block(self, scope, depth, head, count, vars=(), fixed=(), tail="}"):
        """A block has no scope of its own: what it binds first is not read afterwards."""
        inner = Php.Inner("block", scope)
        inner.vars = dict(scope.vars)
        self.emit(head)
        self.indent += 1
        for _ in range(count):
            if self.budget > 0 and not head.startswith("for (") or self.chance(.3):
                self.statement(inner, depth + 1)
        return inner

    def object_declared(self, scope, name, type_name, made):
        self.emit(f"${name} = {made};")

    def make_object(self, scope, depth):
        name, found = self.rng.choice(self.names), self.fit(scope, Cls)
        if name not in scope.vars and found and not found[1].abstract and not found[1].extra.get("enum"):
            self.emit(f"${name} = {self.make(found[0], found[1], scope, 0)};")
            scope.vars[name] = Obj(found[1])
            scope.fixed.add(name)

    def more_statements(self, scope, depth):
        return [(0.5, self.listed), (0.4, self.closure), (0.4, self.attempt), (0.3, self.variable), (0.3, self.static_variable), (0.3, self.globals), (0.2, self.extracted), (0.3, self.reference), (0.3, self.array)]

    def listed(self, scope, depth):
        a, b = self.new_local(scope), self.new_local(scope)
        if a and b and a != b:
            key = self.name()
            self.emit(self.rng.choice([f"[${a}, ${b}] = [{self.number(scope, 1)}, {self.number(scope, 1)}];", f"['{key}' => ${a}, 'x' => ${b}] = ['{key}' => {self.number(scope, 1)}, 'x' => {self.number(scope, 1)}];",
                                       f"list(${a}, ${b}) = [{self.number(scope, 1)}, {self.number(scope, 1)}];"]))
            scope.vars[a] = scope.vars[b] = NUM

    def closure(self, scope, depth):
        name, param = self.rng.sample(self.names, 2)
        if name in scope.vars:
            return
        inner = Php.Inner("closure", scope)
        inner.vars = {param: NUM}
        self.emit(f"${name} = fn(${param}) => {self.number(inner, 1)};")
        scope.vars[name] = Fn([Param(param)])
        scope.vars[name].held = True
        scope.fixed.add(name)

    def attempt(self, scope, depth):
        name, other = self.new_local(scope), self.rng.choice(self.names)
        if name and other not in scope.vars and other != name:
            self.emit("try {")
            self.emit(f"    ${name} = intdiv({self.number(scope, 1)}, 0);")
            self.emit(f"}} catch (DivisionByZeroError ${other}) {{")
            self.emit(f"    ${name} = strlen(get_class(${other})) * 0 + {self.rng.randint(1, 9)};")
            self.emit("}")
            scope.vars[name] = NUM
            scope.vars[other] = Hidden()

    def variable(self, scope, depth):
        name = self.new_local(scope)
        if name:
            self.emit(f"${{'{name}'}} = {self.number(scope, 1)};")
            scope.vars[name] = NUM

    def static_variable(self, scope, depth):
        name = self.new_local(scope)
        if name and depth == 1 and name not in scope.vars and scope.parent:
            self.emit(f"static ${name} = {self.rng.randint(1, 9)};")
            scope.vars[name] = NUM

    def globals(self, scope, depth):
        rows = [n for n in self.global_names if n not in scope.vars]
        if rows and depth == 1 and scope.parent:
            name = self.rng.choice(rows)
            self.emit(f"global ${name};")
            scope.vars[name] = NUM

    def extracted(self, scope, depth):
        name = self.new_local(scope)
        if name:
            self.emit(f"extract(['{name}' => {self.number(scope, 0)}]);")
            scope.vars[name] = NUM

    def reference(self, scope, depth):
        name = self.rng.choice(self.names)
        rows = [n for n, d in scope.vars.items() if isinstance(d, Num) and n not in scope.constants_seen()]
        if name not in scope.vars and rows:
            other = self.rng.choice(rows)
            self.emit(f"${name} = &${other};")
            scope.vars[name] = NUM

    def array(self, scope, depth):
        name, key = self.rng.choice(self.names), self.name()
        if name not in scope.vars:
            self.emit(f"${name} = ['{key}' => {self.number(scope, 1)}];")
            scope.vars[name] = Array(key)
            scope.fixed.add(name)

    def value_of(self, text, desc, scope, depth):
        if isinstance(desc, Array):
            return self.rng.choice([f"{text}['{desc.key}']", f"{text}[\"{desc.key}\"]", f"array_sum({text})"])
        return super().value_of(text, desc, scope, depth)

    def returned(self, value, scope):
        self.emit(f"return ({value}) % 1009;")

    # Top level

    class Inner(Scope):
        def visible(self):
            if self.kind == "function":
                found = dict(self.vars)
                for name, desc in self.top().vars.items():
                    if isinstance(desc, (Fn, Cls)) and not getattr(desc, "held", False):
                        found.setdefault(name, desc)
                for name in self.constants_seen():
                    found.setdefault(name, NUM)
                return {n: d for n, d in found.items() if not isinstance(d, Hidden)}
            return super().visible()

        def top(self):
            holder = self
            while holder.parent:
                holder = holder.parent
            return holder

        def constants_seen(self):
            return getattr(self.top(), "constants", set())

        def mutable(self, name):
            return isinstance(self.vars.get(name), Num) and name not in self.fixed and name not in self.constants_seen()

    def top_name(self, scope):
        pool = [n for n in self.names if n not in scope.vars]
        return self.rng.choice(pool) if pool else None

    def type_name(self, cls, scope):
        rows = [n for n, d in scope.top().vars.items() if d is cls]
        return self.rng.choice(rows) if rows else None

    def signature(self, params, scope):
        parts = []
        for p in params:
            word = self.type_name(p.desc.cls, scope) if isinstance(p.desc, Obj) else None
            parts.append((f"{word} " if word and self.chance(.6) else "int " if isinstance(p.desc, Num) and self.chance(.3) else "") + f"${p.name}")
        return ", ".join(parts)

    def body(self, scope, params, depth=0, this=None, kind="function"):
        holder = Php.Inner("function", scope.top(), this)
        holder.vars = {p.name: p.desc for p in params}
        holder.fixed = {p.name for p in params if isinstance(p.desc, Obj)}
        self.indent += 1
        for _ in range(self.rng.randint(0, 3)):
            if self.budget > 0:
                self.statement(holder, depth + 1)
        self.returned(self.number(holder), holder)
        self.indent -= 1
        return holder

    def item(self, scope):
        self.budget -= 1
        weighted(self.rng, [(3, self.function), (2.5, self.klass), (0.8, self.constant), (1, self.statement_top), (0.4, self.enum), (0.4, self.trait), (0.5, self.interface)])(scope)

    def statement_top(self, scope):
        self.statement(scope, 0)

    def constant(self, scope):
        name = self.top_name(scope)
        if name:
            self.emit(f"const {name} = {self.rng.randint(1, 9)};" if self.chance(.7) or not self.plain else f"define('{name}', {self.rng.randint(1, 9)});")
            scope.constants.add(name)
            scope.vars[name] = NUM
            scope.fixed.add(name)

    def function(self, scope):
        name = self.top_name(scope)
        if name:
            params = self.parameters(scope)
            self.emit(f"function {name}({self.signature(params, scope)}) {{")
            self.body(scope, params)
            self.emit("}")
            scope.vars[name] = Fn(params)
            self.after(scope, name)

    def after(self, scope, name):
        for _ in range(2):
            self.emit(f"echo {self.value_of(name, scope.vars[name], scope, 1)}, \"\\n\";")

    def klass(self, scope):
        name = self.top_name(scope)
        if not name:
            return
        cls = Cls(name)
        cls.extra = {"init": [], "marks": {}}
        base = self.fit(scope, Cls) if self.chance(.4) else None
        if base and (base[1].extra.get("enum") or base[1].abstract):
            base = None
        if base:
            cls.base = base[1]
            cls.fields, cls.methods, cls.statics = dict(base[1].fields), dict(base[1].methods), dict(base[1].statics)
            cls.extra = {"init": base[1].extra["init"], "marks": dict(base[1].extra["marks"])}
        self.emit(f"class {name}{' extends ' + base[0] if base else ''} {{")
        self.indent += 1
        if self.traits and not base and self.chance(.4):
            trait, method = self.rng.choice(self.traits)
            self.emit(f"use {trait};")
            cls.methods[method] = Fn([])
        for key in self.rng.sample(self.names, self.rng.randint(0, 2)):
            if key in cls.fields or key in cls.statics:
                continue
            form = self.rng.randint(0, 3)
            if form == 0:
                self.emit(f"const {key} = {self.rng.randint(1, 9)};")
                cls.statics[key] = NUM
            elif form == 1:
                self.emit(f"public static ${key} = {self.rng.randint(1, 9)};")
                cls.statics[key] = NUM
                cls.extra["marks"][key] = True
            else:
                self.emit(f"public {'int ' if self.chance(.3) else ''}${key} = {self.rng.randint(1, 9)};")
                cls.fields[key] = NUM
        if self.chance(.5) and not base:
            params = self.parameters(scope, 2)
            holder = Php.Inner("function", scope.top())
            holder.vars = {p.name: p.desc for p in params}
            promoted = [p for p in params if isinstance(p.desc, Num) and p.name not in cls.fields and p.name not in cls.statics and self.chance(.5)]
            text = ", ".join(("public " if p in promoted else "") + f"${p.name}" for p in params)
            for p in promoted:
                cls.fields[p.name] = NUM
            keys = [k for k in cls.fields if k not in [p.name for p in promoted]]
            self.emit(f"function __construct({text}) {{ {f'$this->{keys[0]} = {self.number(holder, 1)};' if keys else ''} }}")
            cls.extra["init"] = params
        for _ in range(self.rng.randint(1, 3)):
            key = self.name()
            if key in cls.methods or key in cls.statics and not cls.extra["marks"].get(key):
                if base and key in base[1].methods and self.chance(.6):
                    params = base[1].methods[key].params
                    if any(isinstance(p.desc, Obj) for p in params):
                        continue
                    self.emit(f"function {key}({', '.join('$' + p.name for p in params)}) {{")
                    holder = Php.Inner("function", scope.top(), cls)
                    holder.vars = {p.name: NUM for p in params}
                    self.emit(f"    return parent::{key}({', '.join('$' + p.name for p in params)}) + {self.number(holder, 1)};")
                    self.emit("}")
                continue
            params = self.parameters(scope, 2)
            if self.chance(.2) and key not in cls.statics:
                self.emit(f"static function {key}({self.signature(params, scope)}) {{")
                self.body(scope, params)
                self.emit("}")
                cls.statics[key] = Fn(params)
            else:
                self.emit(f"function {key}({self.signature(params, scope)}) {{")
                self.body(scope, params, this=cls)
                self.emit("}")
                cls.methods[key] = Fn(params)
        self.indent -= 1
        self.emit("}")
        scope.vars[name] = cls
        self.after(scope, name)

    def enum(self, scope):
        name = self.top_name(scope)
        if name:
            keys = self.rng.sample(self.names, self.rng.randint(1, 3))
            method = self.name()
            cls = Cls(name)
            cls.extra = {"enum": keys, "init": [], "marks": {}}
            self.emit(f"enum {name}: int {{ {' '.join(f'case {k} = {i + 2};' for i, k in enumerate(keys))} function {method}() {{ return $this->value + self::{keys[0]}->value; }} }}")
            cls.fields = {"value": NUM}
            cls.extra["frozen"] = True
            cls.methods = {method: Fn([])}
            scope.vars[name] = cls
            self.after(scope, name)

    def trait(self, scope):
        name, method = self.top_name(scope), self.name()
        if name:
            inner = Php.Inner("function", scope.top())
            self.emit(f"trait {name} {{ function {method}() {{ return {self.number(inner, 1)}; }} }}")
            scope.vars[name] = Hidden()
            self.traits.append((name, method))

    def interface(self, scope):
        name, method = self.top_name(scope), self.name()
        made = self.rng.choice([n for n in self.names if n != name])
        if name and made not in scope.vars:
            inner = Php.Inner("function", scope.top())
            self.emit(f"interface {name} {{ function {method}(); }}")
            self.emit(f"class {made} implements {name} {{ function {method}() {{ return {self.number(inner, 1)}; }} }}")
            scope.vars[name] = Hidden()
            cls = Cls(made)
            cls.extra = {"init": [], "marks": {}}
            cls.methods = {method: Fn([])}
            scope.vars[made] = cls
            self.after(scope, made)


class Array:
    def __init__(self, key):
        self.key = key


def write(rng, scope, budget, plain):
    writer = Php(rng)
    writer.plain, writer.traits, writer.global_names = plain, [], []
    writer.budget = budget
    guard = 40
    while writer.budget > 0 and guard:
        guard -= 1
        writer.item(scope)
        writer.global_names = [n for n, d in scope.vars.items() if isinstance(d, Num) and n not in scope.constants]
    return writer


def generate(rng):
    files = {}
    scope = Php.Inner("module", None)
    scope.constants = set()
    head = ["<?php"]
    if rng.random() < .5:
        space = rng.random() < .5
        other = Php.Inner("module", None)
        other.constants = set()
        writer = write(rng, other, rng.randint(3, 7), not space)
        files["lib.php"] = "\n".join(["<?php", *(["namespace lib;"] if space else []), *writer.lines]) + "\n"
        if space:
            files["lib.php"] = files["lib.php"].replace("DivisionByZeroError", "\\DivisionByZeroError")
            for name, desc in other.vars.items():
                if isinstance(desc, (Fn, Cls)) and not getattr(desc, "held", False) and rng.random() < .7:
                    alias = rng.choice([n for n in NAMES if n not in scope.vars] or [name]) if rng.random() < .3 else name
                    if alias in scope.vars:
                        continue
                    word = "function " if isinstance(desc, Fn) else ""
                    head.append(f"use {word}lib\\{name}{' as ' + alias if alias != name else ''};")
                    scope.vars[alias] = desc
                elif name in other.constants and name not in scope.vars:
                    head.append(f"use const lib\\{name};")
                    scope.constants.add(name)
                    scope.vars[name] = NUM
        else:
            scope.vars, scope.constants = dict(other.vars), set(other.constants)
            scope.fixed = set(other.fixed)
        head.append("require __DIR__ . '/lib.php';")
    writer = write(rng, scope, rng.randint(6, 12), True)
    for _ in range(4):
        writer.emit(f"echo {writer.number(scope)}, \"\\n\";")
    files["main.php"] = "\n".join(head + writer.lines) + "\n"
    return files
