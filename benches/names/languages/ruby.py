"""Random Ruby programs of one or two files, and their runner."""
import json
import os
import re
import subprocess

from languages.blocks import NUM, Cls, Fn, Hidden, Mod, Num, Obj, Param, Scope, Writer
from languages.common import NAMES as LOWER, places_in, weighted

CHECK = "rb"
UPPER = [n.capitalize() for n in LOWER]
NAMES = LOWER + UPPER
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ruby_worker.rb")
SKIPPED = re.compile(r"""#(?!\{)[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
HOLES = re.compile(r"(?<=#\{)[^{}\"]*(?=\})")
FEATURES = {"accessor": r"attr_\w+", "instance variable": r"(?<!@)@\w", "class variable": r"@@", "keyword": r"\w: \w|\w:[,)]", "shorthand": r"\w:[ ,)}]*[,)}]", "block": r"\{ \|", "lambda": r"->", "module": r"\bmodule\b", "include": r"\binclude\b",
            "struct": r"Struct\.new", "send": r"\bsend|public_send", "define_method": r"define_method", "symbol": r":\w", "constant": r"\b[A-Z]\w+ = ", "pattern": r"\bin\b", "alias": r"\balias", "interpolation": r"#\{", "superclass": r" < ",
            "super": r"\bsuper\b", "rescue": r"rescue", "splat": r"\*\w", "method object": r"method\(", "require": r"require_relative", "method_missing": r"method_missing", "class method": r"def self\.", "global": r"\$\w"}


class Runner:
    def __init__(self, scratch):
        self.scratch, self.child = scratch, None

    def run_many(self, programs):
        results = []
        for files in programs:
            if self.child is None or self.child.poll() is not None:
                self.child = subprocess.Popen(["ruby", "-W0", WORKER, self.scratch], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.child.stdin.write(json.dumps(files) + "\n")
            self.child.stdin.flush()
            said = self.child.stdout.readline()
            results.append(tuple(json.loads(said)) if said else (3, "the worker ended"))
        return results


def places(files):
    names = [mark + n for mark in ("@@", "@", "$") for n in LOWER] + NAMES
    return places_in(files, names, SKIPPED, HOLES)


class Inner(Scope):
    """A method sees no local from around it; a block does."""

    def visible(self):
        found, holder, closed = {}, self, False
        while holder:
            for name, desc in holder.vars.items():
                if not closed or holder.kind == "module" and not (isinstance(desc, (Num, Obj, List)) and name[0].islower() or getattr(desc, "held", False)):
                    found.setdefault(name, desc)
            closed = closed or holder.kind == "function"
            holder = holder.parent
        return {n: d for n, d in found.items() if not isinstance(d, Hidden)}

    def mutable(self, name):
        holder = self
        while holder:
            if name in holder.vars:
                return name not in holder.fixed and isinstance(holder.vars[name], Num) and name[0].islower()
            if holder.kind == "function":
                return False
            holder = holder.parent
        return False

    def in_reach(self):
        """Names of locals that a new one would be."""
        found, holder = set(), self
        while holder:
            found |= set(holder.vars)
            if holder.kind == "function":
                break
            holder = holder.parent
        return found


class List:
    def __init__(self, keys):
        self.keys = keys


class Ruby(Writer):
    step = "  "
    end = ""
    names = LOWER

    def more_numbers(self, scope):
        return [(0.5, self.conditional), (0.6, self.blocked), (0.5, self.called_lambda), (0.4, self.text_number), (0.4, self.hash_literal), (0.15, self.text), (0.3, self.shorthand), (0.2, self.matched), (0.2, self.sent)]

    def conditional(self, scope, depth):
        return f"({self.number(scope, depth - 1)} > 3 ? {self.number(scope, depth - 1)} : {self.number(scope, depth - 1)})"

    def text(self, scope, depth):
        return self.rng.choice([f"\"{self.name()}\".size", f":{self.name()}.size"])

    def blocked(self, scope, depth):
        name = self.name()
        inner = Inner("block", scope)
        inner.vars = {name: NUM}
        value = self.number(scope, depth - 1)
        form = self.rng.randint(0, 3)
        if form == 0:
            return f"[{value}, {self.number(scope, -1)}].sum {{ |{name}| {self.number(inner, depth - 1)} }}"
        if form == 1:
            other = self.rng.choice([n for n in LOWER if n != name])
            inner.vars[other] = NUM
            return f"[{value}].each_with_index.map {{ |{name}, {other}| {self.number(inner, depth - 1)} }}.first"
        if form == 2:
            other = self.rng.choice([n for n in LOWER if n != name])
            inner.vars[other] = NUM
            return f"[{value}, 2].inject(0) {{ |{other}, {name}| {other} + {self.number(inner, depth - 1)} }}"
        return f"{value}.then {{ |{name}| {self.number(inner, depth - 1)} }}"

    def called_lambda(self, scope, depth):
        name = self.name()
        inner = Inner("block", scope)
        inner.vars = {name: NUM}
        form = self.rng.randint(0, 2)
        value = self.number(scope, depth - 1)
        if form == 0:
            return f"(->({name}) {{ {self.number(inner, depth - 1)} }}).({value})"
        if form == 1:
            return f"(->({name}: 3) {{ {self.number(inner, depth - 1)} }}).call({name}: {value})"
        return f"lambda {{ |{name}| {self.number(inner, depth - 1)} }}[{value}]"

    def text_number(self, scope, depth):
        rows = [n for n, d in scope.visible().items() if isinstance(d, Num)]
        return f"\"#{{{self.rng.choice(rows)}}}\".to_i" if rows else self.literal(scope, depth)

    def hash_literal(self, scope, depth):
        a, b = self.rng.sample(LOWER, 2)
        if self.chance(.5):
            return f"{{ {a}: {self.number(scope, depth - 1)}, {b}: {self.number(scope, depth - 1)} }}[:{a}]"
        return f"{{ {a}: {self.number(scope, depth - 1)} }}.fetch(:{a})"

    def shorthand(self, scope, depth):
        rows = [n for n, d in scope.visible().items() if isinstance(d, Num) and n[0].islower()]
        if not rows:
            return self.literal(scope, depth)
        name = self.rng.choice(rows)
        return f"{{ {name}: }}[:{name}]"

    def matched(self, scope, depth):
        key = self.name()
        if key in scope.in_reach():
            return self.literal(scope, depth)
        return f"(case {{ {key}: {self.number(scope, depth - 1)} }}; in {{ {key}: Integer => matched }} then matched end)"

    def sent(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, Obj) and d.cls.methods]
        if not rows:
            return self.literal(scope, depth)
        name, desc = self.rng.choice(rows)
        method, fn = self.rng.choice(list(desc.cls.methods.items()))
        arguments = self.arguments(fn.params, scope, depth - 1)
        return f"{name}.public_send(:{method}{', ' + arguments if arguments else ''})"

    def arguments(self, params, scope, depth):
        parts = []
        visible = scope.visible()
        for p in params:
            if getattr(p, "keyword", False):
                if p.default and self.chance(.4):
                    continue
                if isinstance(visible.get(p.name), Num) and self.chance(.4):
                    parts.append(f"{p.name}:")
                elif self.chance(.07):
                    parts.append(f"**{{ {p.name}: {self.number(scope, depth)} }}")
                else:
                    parts.append(f"{p.name}: {self.of_desc(p.desc, scope, depth)}")
            else:
                parts.append(self.of_desc(p.desc, scope, depth))
        return ", ".join(parts)

    def call(self, text, desc, scope, depth):
        if getattr(desc, "held", False):
            return f"{text}{self.rng.choice(['.call', '.'])}({self.arguments(desc.params, scope, depth - 1)})"
        return f"{text}({self.arguments(desc.params, scope, depth - 1)})"

    def value_of(self, text, desc, scope, depth):
        if isinstance(desc, List):
            return f"{text}[:{self.rng.choice(desc.keys)}]"
        return super().value_of(text, desc, scope, depth)

    def in_module(self, text, name):
        return f"{text}::{name}" if name[0].isupper() else f"{text}.{name}"

    def static(self, text, name):
        return f"{text}::{name}" if name[0].isupper() else f"{text}.{name}"

    def make(self, text, cls, scope, depth):
        return f"{text}.new({self.arguments(cls.extra.get('init', []), scope, depth)})"

    def of_object(self, text, cls, scope, depth):
        rows = [(n, d) for n, d in cls.methods.items()] + [(n, NUM) for n in cls.extra.get("read", ())]
        if not rows:
            return "2"
        name, desc = self.rng.choice(rows)
        return self.value_of(f"{text}.{name}", desc, scope, depth)

    def from_this(self, scope, depth):
        cls = scope.this
        rows = [(f"@{n}", NUM) for n in cls.fields] + [(n, NUM) for n in cls.extra.get("read", ()) if n not in scope.in_reach()] + [(f"@@{n}", NUM) for n in cls.extra.get("shared", ())]
        rows += [(n if n not in scope.in_reach() or d.params else f"self.{n}", d) for n, d in cls.methods.items()] if depth > 0 else []
        if not rows:
            return self.literal(scope, depth)
        name, desc = self.rng.choice(rows)
        return self.value_of(name, desc, scope, depth)

    def new_local(self, scope):
        visible = scope.visible()
        pool = [n for n in LOWER if isinstance(visible.get(n, NUM), Num)]
        pool = [n for n in pool if n not in scope.fixed]
        return self.rng.choice(pool) if pool else None

    def declared(self, scope, name, value):
        self.emit(f"{name} = {value}")
        if name not in scope.in_reach():
            scope.vars[name] = NUM

    def block(self, scope, depth, head, count, vars=(), fixed=(), tail="end", own=False):
        inner = Inner("block", scope)
        inner.vars = dict(vars)
        if not own:
            # `if` and `while` have no scope: what they bind first is not read afterwards.
            inner.vars = {**{n: d for n, d in scope.vars.items()}, **inner.vars}
        self.emit(head)
        self.indent += 1
        for _ in range(count):
            if self.budget > 0:
                self.statement(inner, depth + 1)
        return inner

    def close(self, tail="end"):
        self.indent -= 1
        self.emit(tail)

    def loop(self, scope, depth):
        if self.loops > 1 or depth > 3:
            return
        name = self.name()
        self.loops += 1
        form = self.rng.randint(0, 3)
        if form == 0:
            self.block(scope, depth, f"{self.rng.randint(1, 3)}.times do |{name}|", self.rng.randint(1, 2), {name: NUM}, own=True)
        elif form == 1:
            self.block(scope, depth, f"[{self.number(scope, 1)}, {self.number(scope, 0)}].each do |{name}|", self.rng.randint(1, 2), {name: NUM}, own=True)
        elif form == 2:
            key, value = self.rng.sample(LOWER, 2)
            self.block(scope, depth, f"{{ {self.name()}: {self.number(scope, 1)} }}.each do |{key}, {value}|", 1, {key: Hidden(), value: NUM}, own=True)
        else:
            own = self.new_local(scope)
            if own:
                self.block(scope, depth, f"for {own} in [{self.number(scope, 1)}, 4]", 1, {own: NUM})
                scope.vars.setdefault(own, NUM) if own not in scope.in_reach() else None
                self.close()
            self.loops -= 1
            return
        self.close()
        self.loops -= 1

    def branch(self, scope, depth):
        if depth > 3:
            return
        self.block(scope, depth, f"if {self.condition(scope)}", self.rng.randint(1, 2))
        if self.chance(.5):
            self.indent -= 1
            self.block(scope, depth, "else", 1)
        self.close()

    def bare_block(self, scope, depth):
        name = self.new_local(scope)
        if name and depth < 3:
            self.emit("begin")
            self.emit(f"  {name} = {self.number(scope, 1)} / 0")
            self.emit(f"rescue ZeroDivisionError => {self.rng.choice([n for n in LOWER if n != name and n not in scope.visible()] or ['error'])}")
            self.emit(f"  {name} = {self.number(scope, 0)}")
            self.emit("end")
            scope.vars.setdefault(name, NUM)

    def make_object(self, scope, depth):
        name, found = self.name(), self.fit(scope, Cls)
        if name not in scope.visible() and name not in scope.in_reach() and found:
            self.emit(f"{name} = {self.make(found[0], found[1], scope, 0)}")
            scope.vars[name] = Obj(found[1])
            scope.fixed.add(name)

    def set_member(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, Obj) and d.cls.extra.get("write")]
        if rows:
            name, desc = self.rng.choice(rows)
            self.emit(f"{name}.{self.rng.choice(sorted(desc.cls.extra['write']))} {self.rng.choice(['=', '+='])} {self.number(scope, 1)}")
        elif scope.this and scope.this.fields:
            self.emit(f"@{self.rng.choice(list(scope.this.fields))} += {self.number(scope, 1)}")

    def more_statements(self, scope, depth):
        return [(0.5, self.pair), (0.4, self.held), (0.4, self.table), (0.3, self.pattern), (0.2, self.conditional_set)]

    def pair(self, scope, depth):
        a, b = self.new_local(scope), self.new_local(scope)
        if a and b and a != b:
            self.emit(self.rng.choice([f"{a}, {b} = {self.number(scope, 1)}, {self.number(scope, 1)}", f"{a}, (*, {b}) = {self.number(scope, 1)}, [1, {self.number(scope, 1)}]"]))
            for name in (a, b):
                if name not in scope.in_reach():
                    scope.vars[name] = NUM

    def held(self, scope, depth):
        name, param = self.rng.sample(LOWER, 2)
        if name not in scope.visible() and name not in scope.in_reach():
            inner = Inner("block", scope)
            inner.vars = {param: NUM}
            p = Param(param)
            p.keyword, p.default = self.chance(.3), False
            self.emit(f"{name} = ->({param}{':' if p.keyword else ''}) {{ {self.number(inner, 1)} }}")
            scope.vars[name] = Fn([p])
            scope.vars[name].held = True
            scope.fixed.add(name)

    def table(self, scope, depth):
        name = self.name()
        if name not in scope.visible() and name not in scope.in_reach():
            keys = self.rng.sample(LOWER, self.rng.randint(1, 2))
            self.emit(f"{name} = {{ {', '.join(f'{k}: {self.number(scope, 1)}' for k in keys)} }}")
            scope.vars[name] = List(keys)
            scope.fixed.add(name)

    def pattern(self, scope, depth):
        name = self.new_local(scope)
        if name:
            self.emit(self.rng.choice([f"{{ {name}: {self.number(scope, 1)} }} => {{ {name}: }}", f"[{self.number(scope, 1)}, 2] => [{name}, *]"]))
            if name not in scope.in_reach():
                scope.vars[name] = NUM

    def conditional_set(self, scope, depth):
        name = self.new_local(scope)
        if name:
            self.emit(f"{name} ||= {self.number(scope, 0)}")
            if name not in scope.in_reach():
                scope.vars[name] = NUM

    def returned(self, value, scope):
        self.emit(f"return ({value}) % 1009" if self.chance(.5) else value)

    # Definitions

    def parameters(self, scope, room=3, objects=True):
        params = super().parameters(scope, room, objects)
        keyword = False
        for p in params:
            keyword = keyword or self.chance(.25)
            p.keyword, p.default = keyword, self.chance(.4) and isinstance(p.desc, Num)
        return params

    def type_name(self, cls, scope):
        rows = [n for n, d in scope.visible().items() if d is cls]
        return self.rng.choice(rows) if rows else None

    def signature(self, params, scope):
        parts = []
        for p in params:
            if p.keyword:
                parts.append(f"{p.name}:{' ' + str(self.rng.randint(1, 9)) if p.default else ''}")
            else:
                parts.append(p.name)
        return ", ".join(parts)

    def body(self, scope, params, depth=0, this=None, kind="function"):
        holder = Inner(kind, scope, this)
        holder.vars = {p.name: p.desc for p in params}
        holder.fixed = {p.name for p in params if isinstance(p.desc, Obj)}
        loops, self.loops = self.loops, 0
        self.indent += 1
        for _ in range(self.rng.randint(0, 3)):
            if self.budget > 0:
                self.statement(holder, depth + 1)
        self.loops = loops
        self.returned(self.number(holder), holder)
        self.indent -= 1

    def item(self, scope):
        self.budget -= 1
        weighted(self.rng, [(2.5, self.function), (2.5, self.klass), (0.8, self.constant), (1, self.top_statement), (0.7, self.module), (0.5, self.struct), (0.3, self.global_variable)])(scope)

    def top_statement(self, scope):
        self.statement(scope, 0)

    def global_variable(self, scope):
        name = self.name()
        self.emit(f"${name} = {self.number(scope, 1)}")
        self.emit(f"puts ${name}")

    def constant(self, scope):
        pool = [n for n in UPPER if n not in scope.vars]
        if pool:
            name = self.rng.choice(pool)
            self.emit(f"{name} = {self.number(scope, 0)}")
            scope.vars[name] = NUM
            scope.fixed.add(name)

    def function(self, scope):
        pool = [n for n in LOWER if n not in scope.vars]
        if pool:
            name = self.rng.choice(pool)
            params = self.parameters(scope)
            self.emit(f"def {name}({self.signature(params, scope)})")
            self.body(scope, params)
            self.emit("end")
            scope.vars[name] = Fn(params)
            scope.fixed.add(name)
            self.after(scope, name)

    def after(self, scope, name):
        for _ in range(2):
            self.emit(f"puts({self.value_of(name, scope.vars[name], scope, 1)})")

    def struct(self, scope):
        pool = [n for n in UPPER if n not in scope.vars]
        if pool:
            name = self.rng.choice(pool)
            keys = self.rng.sample(LOWER, self.rng.randint(1, 2))
            cls = Cls(name)
            keyword = self.chance(.4)
            cls.extra = {"init": [Param(k) for k in keys], "read": set(keys), "write": set(keys)}
            for p in cls.extra["init"]:
                p.keyword, p.default = keyword, False
            self.emit(f"{name} = Struct.new({', '.join(':' + k for k in keys)}{', keyword_init: true' if keyword else ''})")
            scope.vars[name] = cls
            scope.fixed.add(name)
            self.after(scope, name)

    def module(self, scope):
        pool = [n for n in UPPER if n not in scope.vars]
        if not pool:
            return
        name = self.rng.choice(pool)
        self.emit(f"module {name}")
        self.indent += 1
        inner = Inner("module", scope)
        exports = {}
        own = self.rng.choice(UPPER)
        if own != name and self.chance(.5):
            self.emit(f"{own} = {self.rng.randint(1, 9)}")
            inner.vars[own] = exports[own] = NUM
        for key in self.rng.sample(LOWER, self.rng.randint(1, 2)):
            params = self.parameters(inner, 2)
            form = self.rng.randint(0, 2)
            self.emit(f"def {'self.' if form else ''}{key}({self.signature(params, inner)})")
            self.body(inner, params)
            self.emit("end")
            if form:
                exports[key] = Fn(params)
            else:
                self.mixins.append((name, key, Fn(params)))
        self.indent -= 1
        self.emit("end")
        scope.vars[name] = Mod(exports)
        scope.fixed.add(name)
        if exports:
            self.after(scope, name)

    def klass(self, scope):
        pool = [n for n in UPPER if n not in scope.vars]
        if not pool:
            return
        name = self.rng.choice(pool)
        cls = Cls(name)
        cls.extra = {"init": [], "read": set(), "write": set(), "shared": set()}
        base = self.fit(scope, Cls) if self.chance(.4) else None
        if base and base[0][0].isupper():
            cls.base = base[1]
            cls.fields, cls.methods, cls.statics = dict(base[1].fields), dict(base[1].methods), dict(base[1].statics)
            cls.extra = {k: (set(v) if isinstance(v, set) else v) for k, v in base[1].extra.items()}
            cls.extra.setdefault("shared", set())
        self.emit(f"class {name}{' < ' + base[0] if base else ''}")
        self.indent += 1
        inner = Inner("module", scope)
        inner.vars = {}
        if self.mixins and self.chance(.4):
            module, key, fn = self.rng.choice(self.mixins)
            if module in scope.vars and key not in cls.extra["read"]:
                self.emit(f"include {module}")
                cls.methods[key] = fn
        own = self.rng.choice(UPPER)
        if self.chance(.3) and own != name:
            self.emit(f"{own} = {self.rng.randint(1, 9)}")
            inner.vars[own] = cls.statics[own] = NUM
        if self.chance(.2):
            key = self.name()
            self.emit(f"@@{key} = {self.rng.randint(1, 9)}")
            cls.extra["shared"].add(key)
        if not base and self.chance(.75):
            keys = self.rng.sample(LOWER, self.rng.randint(1, 2))
            params = self.parameters(scope, 2)
            holder = Inner("function", scope)
            holder.vars = {p.name: p.desc for p in params}
            word = self.rng.choice(["attr_reader", "attr_accessor", "attr_accessor"])
            if self.chance(.6):
                self.emit(f"{word} {', '.join(':' + k for k in keys)}")
                cls.extra["read"] |= set(keys)
                if word == "attr_accessor":
                    cls.extra["write"] |= set(keys)
            self.emit(f"def initialize({self.signature(params, scope)})")
            for key in keys:
                self.emit(f"  @{key} = {self.number(holder, 1)}")
                cls.fields[key] = NUM
            self.emit("end")
            cls.extra["init"] = params
        for _ in range(self.rng.randint(1, 3)):
            key = self.name()
            if key in cls.extra["read"] or key in cls.statics:
                continue
            if key in cls.methods:
                if base and key in base[1].methods:
                    params = base[1].methods[key].params
                    if any(isinstance(p.desc, Obj) for p in params):
                        continue
                    holder = Inner("function", inner, cls)
                    holder.vars = {p.name: NUM for p in params}
                    self.emit(f"def {key}({self.signature(params, scope)})")
                    self.emit(f"  super + {self.number(holder, 1)}" if self.chance(.7) else f"  {self.number(holder, 1)}")
                    self.emit("end")
                continue
            params = self.parameters(inner, 2)
            kind = self.rng.random()
            if kind < .2:
                self.emit(f"def self.{key}({self.signature(params, inner)})")
                self.body(inner, params)
                self.emit("end")
                cls.statics[key] = Fn(params)
            elif kind < .27:
                holder = Inner("function", inner, cls)
                self.emit(f"define_method(:{key}) {{ {self.number(holder, 1)} }}")
                cls.methods[key] = Fn([])
            else:
                self.emit(f"def {key}({self.signature(params, inner)})")
                self.body(inner, params, this=cls)
                self.emit("end")
                cls.methods[key] = Fn(params)
                if self.chance(.08):
                    other = self.name()
                    if other not in cls.methods and other not in cls.extra["read"]:
                        self.emit(self.rng.choice([f"alias {other} {key}", f"alias_method :{other}, :{key}"]))
                        cls.methods[other] = Fn(params)
        self.indent -= 1
        self.emit("end")
        scope.vars[name] = cls
        scope.fixed.add(name)
        self.after(scope, name)


def write(rng, scope, budget):
    writer = Ruby(rng)
    writer.mixins, writer.budget = [], budget
    guard = 40
    while writer.budget > 0 and guard:
        guard -= 1
        writer.item(scope)
    return writer


def generate(rng):
    files, head = {}, []
    scope = Inner("module", None)
    if rng.random() < .5:
        other = Inner("module", None)
        writer = write(rng, other, rng.randint(3, 7))
        files["lib.rb"] = "\n".join(writer.lines) + "\n"
        head.append("require_relative \"lib\"")
        scope.vars = {n: d for n, d in other.vars.items() if n[0].isupper() or isinstance(d, Fn) and not getattr(d, "held", False)}
        scope.fixed = set(scope.vars)
    writer = write(rng, scope, rng.randint(6, 12))
    for _ in range(4):
        writer.emit(f"puts({writer.number(scope)})")
    files["main.rb"] = "\n".join(head + writer.lines) + "\n"
    return files
