"""Reads the part of a SCIP index that says which occurrence means which symbol; no library is needed."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """The fields of a message: number and value, a number or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        elif kind == 5:
            value, at = data[at:at + 4], at + 4
        else:
            value, at = data[at:at + 8], at + 8
        yield key >> 3, value


def occurrences(path):
    """Each occurrence as (file, line, column, length, symbol, whether it defines), lines and columns from 0."""
    with open(path, "rb") as file:
        index = memoryview(file.read())
    for number, document in fields(index):
        if number != 2:
            continue
        name, found = "", []
        for number, value in fields(document):
            if number == 1:
                name = bytes(value).decode()
            elif number == 2:
                found.append(occurrence(value))
        for line, start, end, symbol, roles in found:
            if line is not None:
                yield name, line, start, end - start, symbol, bool(roles & 1)


def occurrence(data):
    numbers, symbol, roles = [], "", 0
    for number, value in fields(data):
        if number == 1:
            at = 0
            while at < len(value):
                part, at = varint(value, at)
                numbers.append(part)
        elif number == 2:
            symbol = bytes(value).decode()
        elif number == 3:
            roles = value
    if len(numbers) == 3:
        line, start, end = numbers
    elif len(numbers) == 4 and numbers[0] == numbers[2]:
        line, start, end = numbers[0], numbers[1], numbers[3]
    else:
        return None, 0, 0, symbol, roles
    return line, start, end, symbol, roles
