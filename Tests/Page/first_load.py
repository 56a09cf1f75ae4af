"""Which files of the page a browser loads to show the library and to play, found by reading them."""

import gzip
import posixpath
import re
import urllib.request

# What names a file that is loaded at once. `import(…)` does not: that file waits until its view is opened.
MARKUP = re.compile(r'<(?:link|script)\b[^>]*?\b(?:href|src)="([^"]+)"')
SCRIPT = re.compile(r"^(?:import|export)\b[^;]*?\bfrom '([^']+)'|new Worker\('([^']+)'|addModule\('([^']+)'", re.MULTILINE)
STYLE = re.compile(r"url\(([^)]+)\)")
PATTERNS = {"html": MARKUP, "js": SCRIPT, "css": STYLE}
# Loudness is measured only while its view is open, and effects and transitions are not what everybody hears.
LATER = {"/audio/loudness-worklet.js", "/audio/effects-worklet.js", "/audio/effects-chain.js", "/audio/mixing-worklet.js"}


def compressed_bytes(content, path):
    """As the server sends it: fonts and modules of WebAssembly are compressed already."""
    return len(content) if path.endswith((".woff2", ".wasm")) else len(gzip.compress(content, 9, mtime=0))


def first_load(address):
    """The bytes, compressed, of each path that is loaded at once."""
    sizes, left = {}, ["/index.html"]
    while left:
        path = left.pop()
        if path in sizes or path in LATER:
            continue
        with urllib.request.urlopen(address + path) as answer:
            content = answer.read()
        sizes[path] = compressed_bytes(content, path)
        pattern = PATTERNS.get(path.rsplit(".", 1)[-1])
        for match in pattern.finditer(content.decode()) if pattern else []:
            named = next(filter(None, match.groups()))
            left.append(posixpath.normpath(posixpath.join(posixpath.dirname(path), named)))
    return sizes
