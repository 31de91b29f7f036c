"""What the generators of languages with blocks and typed whole numbers share: scopes from the declaration on, functions, types with fields and methods."""
from languages.common import NAMES, weighted


class Num:
    pass


NUM = Num()


class Param:
    def __init__(self, name, desc=NUM):
        self.name, self.desc = name, desc


class Fn:
    def __init__(self, params):
        self.params = params


class Cls:
    """A type: `fields` in order (name -> desc), `methods` (name -> Fn), `statics` (name -> desc)."""

    def __init__(self, name):
        self.name, self.fields, self.methods, self.statics, self.base = name, {}, {}, {}, None
        self.abstract = False
        self.extra = {}


class Obj:
    def __init__(self, cls):
        self.cls = cls


class Mod:
    def __init__(self, exports):
        self.exports = exports


class Hidden:
    pass


class Scope:
    def __init__(self, kind, parent, this=None):
        self.kind, self.parent = kind, parent
        self.vars, self.fixed = {}, set()
        self.this = this if this is not None else (parent.this if parent and kind in ("block", "closure") else None)
        self.taken = set()

    def visible(self):
        found = {}
        scope = self
        while scope:
            for name, desc in scope.vars.items():
                found.setdefault(name, desc)
            scope = scope.parent
        return {n: d for n, d in found.items() if not isinstance(d, Hidden)}

    def locals(self):
        """Names of locals up to the function."""
        found, scope = set(), self
        while scope and scope.kind != "module":
            found |= set(scope.vars)
            scope = scope.parent
        return found

    def mutable(self, name):
        scope = self
        while scope:
            if name in scope.vars:
                return name not in scope.fixed and isinstance(scope.vars[name], Num)
            scope = scope.parent
        return False


class Writer:
    step = "    "
    end = ";"
    names = NAMES

    def __init__(self, rng):
        self.rng, self.lines, self.indent, self.budget, self.loops, self.known = rng, [], 0, 0, 0, []

    def chance(self, share):
        return self.rng.random() < share

    def name(self):
        return self.rng.choice(self.names)

    def emit(self, text):
        self.lines.append(self.step * self.indent + text)

    def fit(self, scope, kind):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, kind)]
        return self.rng.choice(rows) if rows else None

    # Expressions

    def number(self, scope, depth=2):
        visible = scope.visible()
        if depth < 0:
            simple = [n for n, d in visible.items() if isinstance(d, Num)]
            return self.read(self.rng.choice(simple), scope) if simple and self.chance(.7) else self.literal(scope, depth)
        rows = [(0.8, self.literal)]
        if visible:
            rows.append((8, self.from_name))
        if scope.this:
            rows.append((2.5, self.from_this))
        if depth > 0:
            rows += [(2.5, self.operation), *self.more_numbers(scope)]
        return weighted(self.rng, rows)(scope, depth)

    def more_numbers(self, scope):
        return []

    def read(self, name, scope):
        return name

    def literal(self, scope, depth):
        return str(self.rng.randint(2, 9))

    def operation(self, scope, depth):
        return f"({self.number(scope, depth - 1)} {self.rng.choice('+-*')} {self.number(scope, depth - 1)})"

    def from_name(self, scope, depth):
        name, desc = self.rng.choice(list(scope.visible().items()))
        return self.value_of(self.read(name, scope), desc, scope, depth)

    self_word = "self"
    dot = "."

    def from_this(self, scope, depth):
        cls = scope.this
        rows = [(n, d) for n, d in cls.fields.items()] + ([(n, d) for n, d in cls.methods.items()] if depth > 0 else [])
        if not rows:
            return self.literal(scope, depth)
        name, desc = self.rng.choice(rows)
        return self.value_of(f"{self.self_word}{self.dot}{name}", desc, scope, depth)

    def value_of(self, text, desc, scope, depth):
        if isinstance(desc, Num):
            return text
        if isinstance(desc, Fn):
            return self.call(text, desc, scope, depth)
        if isinstance(desc, Obj):
            return self.of_object(text, desc.cls, scope, depth)
        if isinstance(desc, Mod):
            rows = list(desc.exports.items())
            if not rows:
                return "1"
            name, inner = self.rng.choice(rows)
            return self.value_of(self.in_module(text, name), inner, scope, depth)
        if isinstance(desc, Cls):
            return self.of_class(text, desc, scope, depth)
        return "1"

    def in_module(self, text, name):
        return f"{text}.{name}"

    def call(self, text, desc, scope, depth):
        return f"{text}({self.arguments(desc.params, scope, depth - 1)})"

    def arguments(self, params, scope, depth):
        return ", ".join(self.of_desc(p.desc, scope, depth) for p in params)

    def of_class(self, text, cls, scope, depth):
        if cls.statics and self.chance(.4) or cls.abstract:
            rows = list(cls.statics.items())
            if not rows:
                return "2"
            name, desc = self.rng.choice(rows)
            return self.value_of(self.static(text, name), desc, scope, depth)
        made = self.make(text, cls, scope, depth - 1)
        return self.of_object(made, cls, scope, depth) if made else "2"

    def static(self, text, name):
        return f"{text}.{name}"

    def make(self, text, cls, scope, depth):
        raise NotImplementedError

    def of_object(self, text, cls, scope, depth):
        rows = [(n, d) for n, d in cls.fields.items() if n not in cls.extra.get("private", ())] + list(cls.methods.items())
        if not rows:
            return "2"
        name, desc = self.rng.choice(rows)
        return self.value_of(f"{text}{self.dot}{name}", desc, scope, depth)

    def below(self, cls, base):
        while cls:
            if cls is base:
                return True
            cls = cls.base
        return False

    def of_desc(self, desc, scope, depth):
        if isinstance(desc, Obj):
            rows = []
            for name, other in scope.visible().items():
                if isinstance(other, Obj) and self.below(other.cls, desc.cls):
                    rows.append(self.pass_object(self.read(name, scope)))
                if isinstance(other, Cls) and self.below(other, desc.cls) and not other.abstract and depth > -5:
                    rows.append(self.make(name, other, scope, min(depth - 1, -1)))
                if isinstance(other, Mod) and depth > -5:
                    for inner, third in other.exports.items():
                        if isinstance(third, Cls) and self.below(third, desc.cls) and not third.abstract:
                            rows.append(self.make(self.in_module(name, inner), third, scope, min(depth - 1, -1)))
            rows = [r for r in rows if r]
            return self.rng.choice(rows) if rows else "0"
        return self.number(scope, depth)

    def pass_object(self, text):
        return text

    def type_name(self, cls, scope):
        """A name of a type as seen here, or None."""
        rows = [n for n, d in scope.visible().items() if d is cls]
        for name, other in scope.visible().items():
            if isinstance(other, Mod):
                rows += [self.in_module(name, n) for n, d in other.exports.items() if d is cls]
        return self.rng.choice(rows) if rows else None

    # Statements

    def new_local(self, scope):
        pool = [n for n in self.names if n not in scope.vars and n not in scope.taken]
        return self.rng.choice(pool) if pool else None

    def statement(self, scope, depth):
        self.budget -= 1
        rows = [(4, self.declare), (2.5, self.assign), (1.2, self.loop), (1.2, self.branch), (0.5, self.bare_block), (0.8, self.make_object), (0.5, self.set_member), *self.more_statements(scope, depth)]
        weighted(self.rng, rows)(scope, depth)

    def more_statements(self, scope, depth):
        return []

    def declare(self, scope, depth):
        name = self.new_local(scope)
        if name:
            value = self.number(scope)
            self.declared(scope, name, value)

    def declared(self, scope, name, value):
        raise NotImplementedError

    def assign(self, scope, depth):
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if rows:
            name = self.rng.choice(rows)
            self.emit(f"{self.read(name, scope)} {self.rng.choice(['=', '+=', '-='])} {self.number(scope)}{self.end}")

    def block(self, scope, depth, head, count, vars=(), fixed=(), tail="}"):
        holder = Scope("block", scope)
        holder.vars = dict(vars)
        holder.fixed = set(fixed)
        inner = Scope("block", holder)
        self.emit(head)
        self.indent += 1
        for _ in range(count):
            if self.budget > 0:
                self.statement(inner, depth + 1)
        return inner

    def close(self, tail="}"):
        self.indent -= 1
        self.emit(tail)

    def loop(self, scope, depth):
        if self.loops > 1 or depth > 3:
            return
        name = self.new_local(scope)
        if not name:
            return
        self.loops += 1
        head, fixed = self.loop_head(scope, name)
        inner = self.block(scope, depth, head, self.rng.randint(1, 2), {name: NUM}, fixed)
        self.in_loop(inner, name)
        self.close()
        self.loops -= 1

    def in_loop(self, scope, name):
        pass

    def loop_head(self, scope, name):
        raise NotImplementedError

    def condition(self, scope):
        return f"{self.number(scope, 1)} > {self.number(scope, 1)}"

    def branch(self, scope, depth):
        if depth > 3:
            return
        self.block(scope, depth, self.if_head(self.condition(scope)), self.rng.randint(1, 2))
        if self.chance(.5):
            self.indent -= 1
            self.block(scope, depth, "} else {", 1)
        self.close()

    def if_head(self, condition):
        return f"if ({condition}) {{"

    def bare_block(self, scope, depth):
        if depth < 3:
            self.block(scope, depth, "{", 2)
            self.close()

    def make_object(self, scope, depth):
        name, found = self.new_local(scope), self.fit(scope, Cls)
        if name and found and not found[1].abstract:
            made = self.make(found[0], found[1], scope, 0)
            if made:
                self.object_declared(scope, name, found[0], made)
                scope.vars[name] = Obj(found[1])
                scope.fixed.add(name)

    def object_declared(self, scope, name, type_name, made):
        raise NotImplementedError

    def set_member(self, scope, depth):
        found = self.fit(scope, Obj)
        if found:
            rows = [n for n, d in found[1].cls.fields.items() if isinstance(d, Num) and n not in found[1].cls.extra.get("private", ()) and n not in found[1].cls.extra.get("fixed", ())]
            if rows and not found[1].cls.extra.get("frozen"):
                self.emit(f"{self.read(found[0], scope)}{self.dot}{self.rng.choice(rows)} {self.rng.choice(['=', '+='])} {self.number(scope, 1)}{self.end}")

    # Functions

    def parameters(self, scope, room=3, objects=True):
        params = []
        for name in self.rng.sample(self.names, self.rng.randint(0, room)):
            found = self.fit(scope, Cls) if objects else None
            desc = Obj(found[1]) if found and self.chance(.3) and self.type_name(found[1], scope) else NUM
            params.append(Param(name, desc))
        return params

    def body(self, scope, params, depth=0, this=None, kind="function"):
        holder = Scope(kind, scope, this)
        for param in params:
            holder.vars[param.name] = param.desc
        loops, self.loops = self.loops, 0
        self.indent += 1
        for _ in range(self.rng.randint(0, 3)):
            if self.budget > 0:
                self.statement(holder, depth + 1)
        self.loops = loops
        self.returned(self.number(holder), holder)
        self.indent -= 1
        return holder

    def returned(self, value, scope):
        self.emit(f"return {value} % 1009{self.end}")
