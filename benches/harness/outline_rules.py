"""Entries of ctags that are no functions, classes or methods, and so aren't compared.

A rule looks at what ctags says and at the source, never at what `cst` says: it leaves out what `cst` lists as well as what
it doesn't, and the tables count both.
"""

import re
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Rule:
    languages: tuple
    #: ctags' kinds; any where there are none.
    kinds: tuple
    reason: str
    #: Whether the rule holds for a tag.
    holds: Callable


def rule(languages, kinds, reason, holds):
    return Rule(tuple(languages.split()), tuple(kinds.split()), reason, holds)


def near(pattern):
    """Whether the tag's line has the pattern, in which `NAME` is the tag's name."""
    return lambda tag: re.search(pattern.replace("NAME", whole(tag.name)), tag.text) is not None


def whole(name):
    return rf"(?<![\w$]){re.escape(name)}(?![\w$])"


def without(pattern):
    has = near(pattern)
    return lambda tag: not has(tag)


def named(pattern):
    return lambda tag: re.fullmatch(pattern, tag.name) is not None


def both(*conditions):
    return lambda tag: all(holds(tag) for holds in conditions)


#: Not `class <<self`, and not in a comment.
HEREDOC = re.compile(r"^[^#]*<<(?:[-~]([\"'`]?)|(?=[A-Z]))([A-Za-z_]\w*)")


def in_heredoc(tag):
    """Whether the tag stands in a string of several lines: code for `class_eval`, say."""
    until = None
    for text in tag.source[: tag.line - 1]:
        if until:
            until = None if text.strip() == until else until
        else:
            opened = HEREDOC.search(text)
            until = opened[2] if opened else None
    return until is not None


#: What a class can be in JavaScript: a class, or a function that is used as one.
JS_CLASS = r"\b(?:class|function)\s+NAME|NAME['\"]?\s*[=:]\s*(?:[\w.$]+\s*=\s*)*(?:class|function)\b|export default"
#: How a function is given to a name; several names may be given it at once.
JS_FUNCTION = r"NAME['\"]?\]?\s*=\s*(?:[\w.$]+\s*=\s*)*(?:async\b|function|class|\(|\w+\s*=>)"
KEYWORD = r"case|delete|do|else|for|if|in|instanceof|new|return|switch|this|throw|typeof|var|void|while|with"

RULES = [
    rule(
        "javascript typescript c cpp php csharp kotlin",
        "",
        "a name that ctags invents for something anonymous: a lambda, a struct",
        named(r"__anon[0-9a-f]*|[aA]nonymous(?:Function|Class)[0-9A-Fa-f]*|<lambda>"),
    ),
    rule("python", "function member", "a lambda that is assigned to a name", both(near(r"[=:]\s*lambda\b"), without(r"\bdef\b"))),
    rule("javascript", "class", "an object taken for a class because of its members or a `new`", without(JS_CLASS)),
    rule(
        "javascript",
        "function method",
        "the result of an immediately called function, taken for the function",
        near(r"NAME\s*[=:]\s*\(\s*function\b"),
    ),
    rule(
        "javascript",
        "method",
        "a prototype's property taken for a method: its value is not a function",
        both(near(r"\bprototype\.NAME"), without(r"\bprototype\." + JS_FUNCTION)),
    ),
    rule("javascript", "function", "an object taken for a function: `object.prototype[…] =`", near(r"NAME\.prototype\[")),
    rule("javascript", "function method class", "a keyword taken for a name", both(named(KEYWORD), without(r"^\s*NAME\s*\("))),
    rule(
        "c cpp",
        "function",
        "a macro call taken for a function: upper case, without a type before it",
        both(named(r"[A-Z][A-Z0-9_]+"), near(r"^\s*(?:(?:static|extern|inline)\s+)*NAME\s*\(")),
    ),
    rule(
        "cpp",
        "function",
        "a type taken for a name: the function's is in parentheses, `(max)(…)`",
        near(r"NAME\s*\(\w+\)\s*\("),
    ),
    rule("ruby", "", "code in a string, for `class_eval` and the like", in_heredoc),
    rule("ruby", "singletonMethod", "`self` taken for a method's name", named("self")),
    rule(
        "csharp",
        "method",
        "a call taken for a method: `a.b(…)` without a type before it",
        both(named(r"\w+\..*"), near(r"^\s*NAME\s*\(")),
    ),
    rule(
        "csharp",
        "class",
        "a type parameter taken for a class: `where T : class`",
        both(near(r"\bwhere\b"), without(r"\bclass\s+NAME")),
    ),
    rule("kotlin", "", "a name in backticks misread, as letters that aren't on its line", both(near("`"), without("NAME"))),
    rule("kotlin", "method", "a parameter or a call taken for a method: its line has no `fun`", without(r"\bfun\b")),
]


def excludes(language, tag):
    """The reason of the first rule that holds."""
    for it in RULES:
        if language in it.languages and (not it.kinds or tag.kind in it.kinds) and it.holds(tag):
            return it.reason
    return None
