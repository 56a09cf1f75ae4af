"""Reads the Swift sources: their code without comments and literals, and what they declare for other files."""

import re

# In this order: what starts first ends the others' reading.
# What is interpolated may have literals and parentheses of its own.
INNER = r'(?:[^()"\n]|"(?:\\.|[^"\\\n])*"|\((?:[^()"\n]|"(?:\\.|[^"\\\n])*"|\([^()"\n]*\))*\))*'
INERT = re.compile(rf'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#+)"[^\n]*?"\2|"(?:\\\({INNER}\)|\\.|[^"\\\n])*"', re.DOTALL)
DECLARATION = re.compile(
    r"^(?P<head>(?:@\w+(?:\([^)\n]*\))?\s+|\b\w+(?:\(\w+\))?\s+)*?)"
    r"(?:struct|class|enum|protocol|actor|typealias|func|let|var|macro|precedencegroup)\s+(?P<name>\w+)", re.MULTILINE)
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
MEMBER = re.compile(r"(?<=\.)[A-Za-z_]\w*|(?<![\w.])[a-z]\w*(?=\()")
QUALIFIED = re.compile(r"\b([A-Z]\w*)\.(\w+)")
ANY = re.compile(
    r"\b(?:struct|class|enum|protocol|actor|typealias|func|let|var|for)\s+(\w+)|^ *(?:indirect )?case ([\w, ]+)|(\w+):", re.MULTILINE)
EXTENSION = re.compile(r"^(?P<head>(?:\w+ )*?)extension (?:\w+\.)*(?P<type>\w+)[^\n]*\{\n(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL)
CONDITION = re.compile(r"^#if [^\n]*\n.*?^#endif", re.MULTILINE | re.DOTALL)
INTERPOLATION = re.compile(r"\\#*\(")


def interpolated(literal):
    """The code in a literal's interpolations, in one line."""
    parts = []
    for start in INTERPOLATION.finditer(literal):
        end, depth = start.end(), 1
        while end < len(literal) and depth:
            depth += {"(": 1, ")": -1}.get(literal[end], 0)
            end += 1
        parts.append(literal[start.end():end - 1])
    return INERT.sub('""', " ".join(parts)).replace("\n", " ")


def code(text):
    """The text without comments and literals, of which nothing is left but their lines and what is interpolated."""
    def left(found):
        literal = found.group()
        lines = "\n" * literal.count("\n")
        return f'"" {interpolated(literal)} {lines}' if re.match('#*"', literal) else " " + lines
    return INERT.sub(left, text)


def declarations(text):
    """The names that a file declares at its top level for other files, from its code."""
    text = CONDITION.sub(lambda found: re.sub(r"^  (?! )", "", found.group(), flags=re.MULTILINE), text)
    return {found["name"] for found in DECLARATION.finditer(text) if not re.search(r"\b(file)?private\b", found["head"])}


def members(text):
    """What a file's extensions declare for other files, from its code: pairs of a type and a name."""
    return {
        (found["type"], name)
        for found in EXTENSION.finditer(text) if not re.search(r"\b(file)?private\b", found["head"])
        for name in declarations(re.sub(r"^  (?! )", "", found["body"], flags=re.MULTILINE))
    }


def declared(text):
    """All names that a file declares, wherever: what is called the same elsewhere is not meant."""
    return {name for found in ANY.findall(text) for group in found for name in re.findall(r"\w+", group)}


def used_members(text):
    """The names behind dots and before parentheses, and the pairs of a type and a name behind its dot."""
    return set(MEMBER.findall(text)) | set(QUALIFIED.findall(text))


def names(text):
    """The names that code uses, but not those behind a dot."""
    return set(NAME.findall(text))
