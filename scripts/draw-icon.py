#!/usr/bin/env python3
"""Draws the icon: packaging/icons/deadwax.svg for large sizes, deadwax-small.svg for up to 32 pixels, and PNGs of both (rsvg-convert).

It is the dead wax of a record, close up: the last of the music as engraved strokes in the page's colours of sound, inside them the
bare land with the groove that runs out to the locked groove, and the matrix number etched beside it. The middle lies near a corner, so
that it is neither a disc nor a label. Small sizes have fewer strokes, thicker lines and no number.
"""

import math
import subprocess
from pathlib import Path

ICONS = Path(__file__).resolve().parent.parent / "packaging/icons"
SMALL = (16, 22, 24, 32)
LARGE = (48, 64, 128, 256, 512)

# Colours of the page's dark theme (web/css): ground, outline, ink, and what is low, mid and high.
GROUND, OUTLINE, INK, LAND = "#111213", "#73787b", "#edece8", "#b0b1ae"
HUES = ((232, 122, 58), (223, 206, 156), (78, 162, 242))


def hue(place):
    """From low (0) to high (1)."""
    first = 0 if place < 0.5 else 1
    share = (place - first / 2) * 2
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(HUES[first], HUES[first + 1]))


def at(middle, radius, degrees):
    """A point of a circle; 0 degrees is up, clockwise."""
    angle = math.radians(degrees - 90)
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def point(pair):
    return f"{pair[0]:.2f} {pair[1]:.2f}"


def strokes(middle, radius, levels, start, end, width):
    """The last turn of the music: radial strokes whose lengths are levels."""
    lines = []
    for number, level in enumerate(levels):
        place = (number + 0.5) / len(levels)
        degrees = start + (end - start) * place
        a, b = at(middle, radius - level, degrees), at(middle, radius + level, degrees)
        lines.append(f'<path d="M{point(a)}L{point(b)}" stroke="{hue(place)}" stroke-width="{width}"/>')
    return lines


def runout(middle, outer, locked, start, turns, width, colour):
    """The groove from the music to the locked groove, which is a circle."""
    count = round(48 * turns)
    points = []
    for number in range(count + 1):
        share = number / count
        points.append(at(middle, outer + (locked - outer) * (1 - (1 - share) ** 1.6), start + 360 * turns * share))
    return [f'<path d="M{"L".join(point(p) for p in points)}" stroke="{colour}" stroke-width="{width}"/>',
            f'<circle cx="{middle[0]}" cy="{middle[1]}" r="{locked}" stroke="{colour}" stroke-width="{width}"/>']


# Letters as strokes in a box of 6 × 8, the height downwards.
LETTERS = {
    "D": ["M0 0V8H2.5A4 4 0 0 0 2.5 0Z"],
    "W": ["M0 0L1.7 8L3.4 1.5L5.1 8L6.8 0"],
    "4": ["M4.4 8V0L0 5.6H5.8"], "6": ["M4.8 0.6C1 .2 0 3 0 5.4A2.5 2.6 0 1 0 .2 4.6"],
}


def number(middle, radius, text, degrees, step, scale, width):
    lines = []
    for place, letter in enumerate(text):
        turn = degrees + step * (place - (len(text) - 1) / 2)
        x, y = at(middle, radius, turn)
        for path in LETTERS.get(letter, []):
            lines.append(f'<path transform="translate({x:.2f} {y:.2f}) rotate({turn:.1f}) scale({scale}) translate(-3 -4)" d="{path}" '
                         f'stroke="{INK}" stroke-width="{width / scale:.2f}"/>')
    return lines


def document(side, corner, edge, parts):
    inset = edge / 2
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}">',
        f'<clipPath id="c"><rect x="{edge}" y="{edge}" width="{side - 2 * edge}" height="{side - 2 * edge}" rx="{corner - edge}"/></clipPath>',
        f'<rect x="{inset}" y="{inset}" width="{side - edge}" height="{side - edge}" rx="{corner - inset}" fill="{GROUND}" '
        f'stroke="{OUTLINE}" stroke-width="{edge}"/>',
        '<g clip-path="url(#c)" fill="none" stroke-linecap="round" stroke-linejoin="round">', *parts, "</g>", "</svg>", ""])


def large():
    middle = (92, 92)
    levels = [abs(math.sin(n * 1.37) * math.sin(n * .53 + .6)) * 10 + 3 for n in range(25)]
    parts = strokes(middle, 73, levels, -114, 24, 3.9)
    parts += runout(middle, 54, 15, 236, 1.35, 2.3, LAND)
    parts += number(middle, 33.5, "DW46", -54, 18.5, 1.15, 2.3)
    return document(128, 22, 1.5, parts)


def small():
    middle = (11.6, 11.6)
    parts = strokes(middle, 8.4, (1.2, 2.1, 1.3, 2.1, 1.4), -107, 17, 1.55)
    parts += runout(middle, 4.9, 2, 262, .78, 1.1, LAND)
    return document(16, 2.75, .4, parts)


def main():
    for name, text, sizes in (("deadwax", large(), LARGE), ("deadwax-small", small(), SMALL)):
        (ICONS / f"{name}.svg").write_text(text)
        for size in sizes:
            subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), "-o", ICONS / f"deadwax-{size}.png", ICONS / f"{name}.svg"],
                           check=True)


if __name__ == "__main__":
    main()
