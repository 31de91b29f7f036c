#!/usr/bin/env python3
"""A small shop: every construct that the data of Python speaks of, once."""

from __future__ import annotations

import os.path, sys
import json as js
import asyncio, pytest
from abc import ABC, abstractmethod
from contextlib import contextmanager
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, wraps
from typing import Final, NamedTuple, Protocol, TypedDict, overload, override
from . import prices
from ..stock.levels import (
    level as stock_level,
    refill,  # kept for callers
)
from .errors import *

__all__ = ["Item", "Shop", "main"]
__version__ = "1.2"

LIMIT: Final = 10
RATES: dict[str, float] = {
    "low": 0.05,
    "high": 2e-1,
}
first = second = None
left, (middle, *rest) = 1, (2, 3, 4)
cache: dict[str, Item]
type Pairs[K: str, *Vs, **P] = dict[K, tuple[*Vs]]
type Name = str | None


class Colour(Enum):
    """Colours that an item may have."""

    RED = 1
    GREEN = 2


class PriceError(ValueError): "Said of a price that no one would pay."


class Priced(Protocol):
    def price(self, amount: int = ..., /) -> float: ...


class Options(TypedDict, total=False):
    strict: bool


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass(frozen=True, order=True)
class Item:
    """One thing to sell."""

    name: str
    tags: list[str] = field(default_factory=list)
    kind = "thing"
    _secret, __hidden = 1, 2

    def __post_init__(self) -> None:
        self.total: float = 0.0
        self.count, self.seen = 0, set()

    @property
    def label(self) -> str:
        return f"{self.name!r:>{LIMIT}} costs {self.total:.2f} {self.count=}"

    @label.setter
    def label(self, value): self.name = value

    @label.deleter
    def label(self): del self.name

    @cached_property
    def slug(self): return self.name.lower() or "none"


class Shop[T: Item](ABC, Base, metaclass=type):
    # What is open is counted.
    open_shops = 0

    if sys.platform == "win32":
        def path(self):
            return "C:\\"
    else:
        def path(self):
            return r"/srv"

    def __new__(cls, *args, **kwargs):
        cls.open_shops += 1
        return super().__new__(cls)

    def __init__(
        self,
        items: list[T],
        # who owns it
        owner: str = "nobody",
        *,
        currency="EUR",
        **options: object,
    ):
        '''Opens the shop.'''
        super().__init__()
        self.items, self.owner = items, owner
        self.options = {**options, "currency": currency}

    @override
    @contextmanager
    def opened(self):
        yield self

    @staticmethod
    def parse(text, /, sep=",", *, strict):
        assert text, "nothing to read"
        return [part for part in text.split(sep) if part if not strict]

    @classmethod
    def empty(cls): return cls([])

    @abstractmethod
    def refund(self, item: T) -> None:
        raise NotImplementedError

    @overload
    def find(self, key: int) -> T: ...
    @overload
    def find(self, key: str) -> T: ...
    def find(self, key):
        for position, item in enumerate(self.items):
            if item.name == key or position is key:
                return item
            elif not key:
                continue
            else:
                pass
        else:
            raise KeyError(key) from None

    async def sell(self, *names: str) -> AsyncIterator[T]:
        async with self.lock as lock, open("log") as log:
            async for name in self.queue(*names, **self.options):
                print(name, file=log)
                yield await self.take(name)

    def _restock(self, amount=1):
        def once(step):
            class Order:
                def send(self):
                    nonlocal amount
                    amount -= step
                    return amount
            return Order().send()

        while amount > 0:
            once(amount)
            break
        else:
            del self.items[0], self.owner
        return lambda *orders, step=1: (orders, step)

    def walk(self) -> Iterator[T]:
        yield from (item for item in self.items)
        yield


def traced(function):
    """Prints each call.

    .. deprecated:: 1.1
    """
    @wraps(function)
    def wrapper(*args, **kwargs):
        global calls
        calls = calls + 1 if args else -1
        return function(*args, **kwargs)
    return wrapper


@traced
# Comments may stand between a decorator and its function.
@prices.rounded(2)
def total(items, *, tax: float = 0.0):
    sums = {item.name: item.total for item in items}
    names = {name for name in sums} | {"all"}
    biggest = max(sums.values(), default=0, key=lambda value: -value)
    if (count := len(names)) > 1 and biggest not in RATES:
        return ~count, 3.5j + 0x1F, b"raw" b"joined", "a" r"b"
    return items[0], items[1:], items[::2, ...]


def handle(command):
    match command:
        case "quit" | "exit":
            return None
        case ["go", direction, *_] if direction:
            return direction
        case {"name": name, **others}:
            return name, others
        case Item(name="x", tags=[]) as item:
            return item
        case -1 | 2.5 | Colour.RED:
            return True
        case (other,):
            return other
        case True | None:
            return True
        case _:
            return False


def load(path, *, retries: int = 3):
    try:
        with (open(path) as file, prices.lock):
            text = file.read()
    except (OSError, ValueError) as error:
        raise RuntimeError(f"can't read {path}") from error
    except Exception:
        return {}
    except:
        return []
    else:
        return js.loads(text, object_hook=Item)
    finally:
        print("done"); sys.stdout.flush()


async def gather():
    try:
        return [line async for line in stream()]
    except* TimeoutError as group:
        for error in group.exceptions: print(error)


def arithmetic(a, b, *, c=1):
    d = a + b - c * 2 / 3 // 4 % 5 ** 6 @ b
    e = (a << 1 | b >> 2) & ~c ^ +d
    a += 1; a -= 1; a *= 1; a /= 1; a //= 1; a %= 1; a **= 1; a @= b
    a <<= 1; a >>= 1; a &= 1; a ^= 1; a |= 1
    return a < b <= c != d >= e is not a in [b] and not c


def depth(category):
    return depth(category.parent) + 1 if category else 0


@pytest.fixture
def shop():
    return Shop([])


class TestShop:
    def test_empty(self):
        assert Shop.empty().items == []


def main(arguments=None):
    shop = Shop(
        [],
        currency="USD",
    )
    longest = stock_level(shop) \
        + refill(shop, 1)
    return asyncio.run(gather())


if __name__ == "__main__":
    main(sys.argv[1:])
