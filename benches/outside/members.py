#!/usr/bin/env python3
"""The members of classes and interfaces of a language's standard library, as the text file that cst reads: selectors/*/outside.txt.

    members.py python  [--stubs TYPESHED/stdlib]    the library of this interpreter, its sources, and typeshed's stubs if named
    members.py java                                 the classes of the JDK that can be extended (java on the PATH)
    members.py go      [--root GOROOT]              the interfaces in GOROOT/api
    members.py javascript --typescript FOLDER       lib.d.ts of the module `typescript`, and what node has at run time
    members.py php                                  classes, interfaces and traits of this PHP's extensions
    members.py ruby                                 classes and modules of this Ruby
    members.py rust        [--root FOLDER]          the traits in the documentation of the toolchain (rustup component rust-docs)

Each line is a class: its qualified name, its bases behind `<`, its own members behind `:`. `NAME = OTHER` is another name of a class,
`do_*` any member that begins so, `*` any member at all. The lines are sorted by name, so that cst finds one without reading all.
"""
import argparse
import ast
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
# Modules that do something when they are imported, or that belong to tests and tools.
LEFT_OUT = re.compile(r"^(test|idlelib|lib2to3|turtledemo|ensurepip|antigravity|this|__main__|pip|setuptools|distutils|encodings|turtle)\b|\.tests?\b|__main__")
# What code of the library asks for by made names, besides `getattr(self, "do_" + name)`, which is found.
PREFIXES = {"unittest.case.TestCase": ["test*"], "ast.NodeVisitor": ["visit_*"], "cmd.Cmd": ["do_*", "help_*", "complete_*"]}
OBJECT = set(dir(object))


def own_attributes(node):
    """Names in the body of a class, those of its `self`, and the prefixes of names that it asks for."""
    names, prefixes = set(), set()
    for inner in ast.walk(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(inner.name)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id in ("self", "cls"):
            names.add(inner.attr)
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner in [target for part in node.body for target in targets(part)]:
            names.add(inner.id)
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in ("getattr", "hasattr") and len(inner.args) > 1:
            holder, name = inner.args[:2]
            if isinstance(holder, ast.Name) and holder.id == "self":
                prefixes.add(prefix_of(name, node))
    return names, prefixes - {None}


def targets(part):
    found = getattr(part, "targets", None) or [getattr(part, "target", None)]
    return [name for name in found if isinstance(name, ast.Name)]


def prefix_of(name, holder):
    """`do_*` for `"do_" + x` and for a variable that is that; `None` for a plain string."""
    if isinstance(name, ast.Constant):
        return None
    if isinstance(name, ast.BinOp) and isinstance(name.op, (ast.Add, ast.Mod)) and isinstance(name.left, ast.Constant) and isinstance(name.left.value, str):
        return name.left.value.split("%")[0] + "*"
    if isinstance(name, ast.JoinedStr) and isinstance(name.values[0], ast.Constant):
        return name.values[0].value + "*"
    if isinstance(name, ast.Name):
        values = [part.value for part in ast.walk(holder) if isinstance(part, ast.Assign) and any(isinstance(target, ast.Name) and target.id == name.id for target in part.targets)]
        found = [prefix_of(value, holder) for value in values if not isinstance(value, ast.Name)]
        if found and None not in found and "*" not in found:
            return found[0]
        if found and all(one is None for one in found):
            return None
    return "*"


def stub_members(root):
    """(module, class) to names, in typeshed's stubs."""
    found = {}
    for folder, _, files in os.walk(root):
        for file in files:
            if not file.endswith(".pyi"):
                continue
            path = os.path.relpath(os.path.join(folder, file), root)[:-4].replace(os.sep, ".")
            module = path[:-9] if path.endswith(".__init__") else path
            with open(os.path.join(folder, file)) as text:
                tree = ast.parse(text.read())
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    names = {part.name for part in ast.walk(node) if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}
                    names |= {target.id for part in ast.walk(node) if isinstance(part, (ast.Assign, ast.AnnAssign)) for target in targets(part)}
                    found.setdefault((module, node.name), set()).update(names)
    return found


def python(options):
    warnings.simplefilter("ignore")
    stubs = stub_members(options.stubs) if options.stubs else {}
    names = [name for name in sys.stdlib_module_names if not LEFT_OUT.search(name) and (not name.startswith("_") or name in ("_thread", "_weakref"))]
    modules = {}
    for name in sorted(names):
        try:
            modules[name] = importlib.import_module(name)
            for inner in pkgutil.iter_modules(getattr(modules[name], "__path__", [])):
                full = f"{name}.{inner.name}"
                if not LEFT_OUT.search(full) and not inner.name.startswith("_"):
                    modules[full] = importlib.import_module(full)
        except Exception as error:
            print(f"{name}: {error!r}", file=sys.stderr)
    sources, lines, classes, aliases = {}, {}, {}, {}
    for name, module in modules.items():
        for attribute, value in vars(module).items():
            if inspect.isclass(value) and not attribute.startswith("__"):
                classes.setdefault(value, f"{value.__module__}.{value.__qualname__}")
                public = f"{name}.{attribute}"
                if public != classes[value] and not attribute.startswith("_"):
                    aliases[public] = classes[value]
    todo = list(classes)
    while todo:
        for base in todo.pop().__bases__:
            if base not in classes and base is not object:
                classes[base] = f"{base.__module__}.{base.__qualname__}"
                todo.append(base)
    for value, name in classes.items():
        members = set(vars(value)) - OBJECT
        module = sys.modules.get(value.__module__)
        path = getattr(module, "__file__", None) or ""
        if path.endswith(".py"):
            if path not in sources:
                with open(path, encoding="utf-8") as text:
                    sources[path] = {node.name: node for node in ast.walk(ast.parse(text.read())) if isinstance(node, ast.ClassDef)}
            node = sources[path].get(value.__name__)
            if node:
                own, prefixes = own_attributes(node)
                members |= own | set(PREFIXES.get(name, prefixes))
        members |= stubs.get((value.__module__, value.__name__), set())
        bases = [classes[base] for base in value.__bases__ if base is not object]
        metaclass = type(value)
        if metaclass is not type and metaclass in classes:
            bases.append(classes[metaclass])
        members -= OBJECT
        members = {member for member in members if not (member.startswith("__") and member.endswith("__"))}
        lines[name] = line(name, bases, members)
    for alias, name in aliases.items():
        lines.setdefault(alias, f"{alias} = {name}")
    # `builtins.X` and names of typing that are no classes.
    for special in ("Protocol", "Generic", "NamedTuple", "TypedDict"):
        lines.pop(f"typing.{special}", None)
    return lines


def line(name, bases, members):
    text = name
    if bases:
        text += " < " + " ".join(bases)
    return f"{text} : {' '.join(sorted(members))}".rstrip()


def go(options):
    root = options.root or subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()
    # Interfaces without a name, which the library asks for.
    lines = {"error": "error : Error", "errors.as": "errors.as : As", "errors.is": "errors.is : Is", "errors.unwrap": "errors.unwrap : Unwrap", "net.timeout": "net.timeout : Timeout"}
    for file in sorted(os.listdir(os.path.join(root, "api"))):
        with open(os.path.join(root, "api", file)) as text:
            for row in text:
                found = re.match(r"pkg ([\w/.]+)(?: \([^)]*\))?, type (\w+) interface \{ ([^}]*) \}", row)
                if found and "unexported" not in found[3]:
                    package, name, members = found.groups()
                    lines[f"{package}.{name}"] = line(f"{package}.{name}", [], re.findall(r"\b([A-Z]\w*)", members))
    return lines


def rust(options):
    root = options.root or subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip() + "/share/doc/rust/html"
    lines = {}
    for crate in ("std", "core", "alloc"):
        for folder, _, files in os.walk(os.path.join(root, crate)):
            for file in files:
                found = re.fullmatch(r"trait\.(\w+)\.html", file)
                if not found:
                    continue
                with open(os.path.join(folder, file), encoding="utf-8") as page:
                    text = page.read()
                module = os.path.relpath(folder, root).replace(os.sep, ".")
                name = f"{module}.{found[1]}"
                declared = re.search(r'item-decl">(.*?)(?:\{|where|;)', text, re.S)
                bases = re.findall(r'class="trait" href="[^"]*" title="trait ([\w:]+)"', declared[1]) if declared else []
                members = set(re.findall(r'id="(?:tymethod|method|associatedtype|associatedconstant)\.(\w+)"', text))
                known = f"std.{name.split('.', 1)[1]}"
                if crate != "std" and known in lines:
                    lines[name] = f"{name} = {known}"
                else:
                    above = [base.replace("::", ".").replace("core.", "std.", 1).replace("alloc.", "std.", 1) for base in bases]
                    lines[name] = line(name, sorted(set(above) - {name}), members)
    # Those that are known without an import.
    with open(os.path.join(root, "std", "prelude", "v1", "index.html"), encoding="utf-8") as page:
        for path in re.findall(r'class="trait" href="[^"]*" title="trait ([\w:]+)"', page.read()):
            known = path.replace("::", ".").replace("core.", "std.", 1).replace("alloc.", "std.", 1)
            if known in lines:
                lines[known.rsplit(".", 1)[1]] = f"{known.rsplit('.', 1)[1]} = {known}"
    return lines


def run_for_lines(command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = (row.split("\t") for row in done.stdout.splitlines())
    return {row[0]: line(row[0], row[1].split(), row[2].split()) for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["python", "java", "go", "javascript", "php", "ruby", "rust"])
    parser.add_argument("--stubs")
    parser.add_argument("--root")
    parser.add_argument("--typescript")
    options = parser.parse_args()
    if options.language == "java":
        lines = run_for_lines(["java", os.path.join(HERE, "Members.java")])
    elif options.language == "javascript":
        lines = run_for_lines(["node", os.path.join(HERE, "members.cjs"), options.typescript])
    elif options.language in ("php", "ruby"):
        lines = run_for_lines([options.language, os.path.join(HERE, "members.php" if options.language == "php" else "members.rb")])
    else:
        lines = {"python": python, "go": go, "rust": rust}[options.language](options)
    for name in sorted(lines, key=lambda name: name.encode()):
        print(lines[name])


if __name__ == "__main__":
    main()
