"""Reads the Swift sources: their code without comments and literals, and what they declare at the top level."""

import re

# In this order: what starts first ends the others' reading.
INERT = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#+)"[^\n]*?"\2|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DECLARATION = re.compile(
    r"^(?P<head>(?:@\w+(?:\([^)\n]*\))?\s+|\b\w+(?:\(\w+\))?\s+)*?)"
    r"(?:struct|class|enum|protocol|actor|typealias|func|let|var|macro|precedencegroup)\s+(?P<name>\w+)", re.MULTILINE)
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def code(text):
    """The text without comments and literals, of which nothing is left but their lines; interpolations go with them."""
    return INERT.sub(lambda found: ('""' if '"' in found.group()[:4] else " ") + "\n" * found.group().count("\n"), text)


def declarations(text):
    """The names that a file declares at its top level for other files, from its code."""
    return {found["name"] for found in DECLARATION.finditer(text) if not re.search(r"\b(file)?private\b", found["head"])}


def names(text):
    """The names that code uses, but not those behind a dot."""
    return set(NAME.findall(text))
