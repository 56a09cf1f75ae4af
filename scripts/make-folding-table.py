#!/usr/bin/env python3
"""Writes Sources/Base/Text/TextFolding+Table.swift: the characters that searches hold equal to others.

Most of them follow from Unicode's compatibility decompositions, which Python's unicodedata has; LETTERS and SIGNS are
what people type for characters that no keyboard has.
"""
import pathlib
import sys
import unicodedata

OUTPUT = pathlib.Path(__file__).parent.parent / "Sources/Base/Text/TextFolding+Table.swift"

# Letters without a decomposition that people type as plain ones.
LETTERS = {
    "ae": "æ", "oe": "œ", "o": "ø", "l": "ł", "d": "ðđ", "h": "ħ", "t": "ŧ", "n": "ŋ", "ss": "ß", "th": "þ", "i": "ı",
    "σ": "ς",
}
# Signs that look like those of a keyboard.
SIGNS = {
    "'": "´\u1ffdʹʻʼʽʾʿˈˊˋʹ՚׳‘’‚‛′‵‹›❛❜ꞌ＇",
    '"': "ˮ״«»“”„‟″‶❝❞〝〞〟＂",
    "-": "˗‐‑‒–—―⁃−⸺⸻﹘﹣－",
    "...": "⋯",
    "~": "⁓∼〜",
    "x": "×✕✖╳",
    "/": "⁄∕⧸",
    "·": "⋅∙‧・･",
    # What stands for a colon in names of files that Windows allows.
    ":": "∶꞉",
    ",": "、",
    ".": "。",
}
# As TextFolding.isAccent.
ACCENTS = [
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5),
    (0x05C7, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF), (0x3099, 0x309A), (0xFE20, 0xFE2F), (0xFF9E, 0xFF9F),
]
PLAIN = {variant: base for table in (LETTERS, SIGNS) for base, variants in table.items() for variant in variants}


def is_accent(character):
    return any(first <= ord(character) <= last for first, last in ACCENTS)


def folded(character):
    if character in PLAIN:
        return PLAIN[character]
    if character == "`":
        return "'"
    parts = unicodedata.normalize("NFKD", character)
    lower = "".join(unicodedata.normalize("NFKD", part.lower()) for part in parts)
    if lower == character:
        return "" if is_accent(character) else character
    return "".join(folded(part) for part in lower if not is_accent(part))


def main():
    pairs, expansions = [], []
    for value in range(0x80, 0x30000):
        character = chr(value)
        if unicodedata.category(character) in ("Cs", "Co", "Cn") or 0xAC00 <= value <= 0xD7A3:
            continue
        lower = character.lower()
        # Capitals are made small first.
        if len(lower) == 1 and lower != character and folded(lower) == folded(character):
            continue
        form = folded(character)
        if form in (character, "") or form == lower:
            continue
        if len(form) == 1:
            pairs.append(quoted(character) + quoted(form))
        else:
            expansions.append(quoted(character) + quoted(form) + "|")
    text = HEAD + literal("pairs", PAIRS, pairs) + "\n" + literal("expansions", EXPANSIONS, expansions) + "}\n"
    OUTPUT.write_text(text, encoding="utf-8")
    print(len(pairs), "pairs,", len(expansions), "expansions", file=sys.stderr)


def quoted(text):
    """Text of a literal; what would be invisible, or join with its neighbours, is written as a number."""
    def part(character):
        if character in '"\\':
            return "\\" + character
        hidden = unicodedata.category(character)[0] in "MCZ" and character != " "
        return f"\\u{{{ord(character):X}}}" if hidden else character
    return "".join(map(part, text))


def literal(name, comment, items):
    lines = [f"  /// {comment}", f'  static let {name} = """']
    line = ""
    for item in items:
        if len(line) + len(item) > 108:
            lines.append("    " + line + "\\")
            line = ""
        line += item
    return "\n".join(lines + ["    " + line, '    """']) + "\n"


PAIRS = "Characters and the one that each becomes, by turns."
EXPANSIONS = "Characters with the several that they become, each followed by a stroke."
HEAD = """// Made by scripts/make-folding-table.py; not to be edited.

extension TextFolding {
"""

if __name__ == "__main__":
    main()
