"""The software bill of materials of a built command, in the format CycloneDX 1.6 (JSON); package.py puts it into every package.

It lists what is in the command: Swift packages with their revisions, libraries that these contain, Swift's own runtime, fonts and the
WebAssembly of the page; and Debian's packages that it is linked to or loads, which are not part of it. Licences come from
packaging/debian/copyright. The same build gives the same bytes.
"""

import hashlib
import json
import re
import subprocess
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESOLVED = ROOT / "Package.resolved"
# Names of licences in Debian's file, as SPDX has them.
SPDX = {
    "Apache-2.0": "Apache-2.0", "Apache-2.0-with-Swift-exception": "Apache-2.0 WITH Swift-exception", "BSD-3-clause": "BSD-3-Clause",
    "Expat": "MIT", "OFL-1.1": "OFL-1.1", "Unicode-3.0": "Unicode-3.0",
}
# Libraries whose sources Swift packages contain: their folder below the checkouts, the file that names the version, and how.
CONTAINED = (
    ("BoringSSL", "swift-nio-ssl/Sources/CNIOBoringSSL", "hash.txt", r"revision ([0-9a-f]{40})",
     "pkg:generic/boringssl@{}?vcs_url=git%2Bhttps://boringssl.googlesource.com/boringssl%40{}"),
    ("llhttp", "swift-nio/Sources/CNIOLLHTTP", "include/c_nio_llhttp.h", r"LLHTTP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
     "pkg:github/nodejs/llhttp@v{}"),
)
# Parts of the toolchain that a statically linked command contains.
RUNTIME = {
    "swift": "swift/stdlib", "swift-corelibs-libdispatch": "swift-corelibs-libdispatch", "swift-foundation": "swift-foundation",
    "swift-corelibs-foundation": "swift-corelibs-foundation", "swift-foundation-icu": "swift-foundation-icu",
}
# Files of the page that others made, or contain what others made: the file, what it is, and where that comes from.
FILES = (
    ("web/fonts/etch.woff2", "Deadwax Etch, a subset of Routed Gothic 1.0.0", "https://webonastick.com/fonts/routed-gothic/"),
    ("web/fonts/text.woff2", "Deadwax Text, a subset of Karla 2.002", "https://github.com/googlefonts/karla"),
    ("web/effects.wasm", "The effects in WebAssembly, with functions of wasi-libc and Embedded Swift", None),
)


class SBOMError(Exception):
    """What is missing; a sentence."""


def licences():
    """SPDX expressions by the patterns of packaging/debian/copyright, such as `checkouts/swift-log/*`."""
    found = {}
    for paragraph in re.split(r"\n\s*\n", (ROOT / "packaging/debian/copyright").read_text()):
        files = re.search(r"^Files:((?:.|\n(?= ))*)", paragraph)
        licence = re.search(r"^License: (.*)$", paragraph, re.MULTILINE)
        if files and licence:
            # Of "A and B and A with an exception", each name is one licence.
            expression = " AND ".join(SPDX[name] for name in licence.group(1).split(" and "))
            found.update(dict.fromkeys(files.group(1).split(), expression))
    return found


def linked_packages(command):
    """The names of the checkouts of which something is linked into a command that SwiftPM has built."""
    build = Path(command).resolve().parent
    objects = build / f"{Path(command).name}.product/Objects.LinkFileList"
    if not objects.exists():
        raise SBOMError(f"{objects} is missing, which `make static` leaves beside the command")
    folders = {Path(line.strip().strip("'\"")) for line in objects.read_text().splitlines()}
    targets = {part for path in folders for part in path.parts if part.endswith(".build") and part != ".build"}
    linked = set()
    for target in targets:
        sources = build / target / "sources"
        # Of C, the files that tell what each object was made from; one is enough.
        text = sources.read_text() if sources.exists() else next((path.read_text() for path in (build / target).rglob("*.d")), "")
        found = re.search(r"/checkouts/([^/]+)/", text)
        if found:
            linked.add(found.group(1))
    return linked


def component(kind, name, version, purl, licence, **others):
    fields = {"type": kind, "bom-ref": purl or f"file:{name}", "name": name, "version": version, "purl": purl}
    if licence:
        fields["licenses"] = [{"license": {"id": licence}} if re.fullmatch(r"\S+", licence) else {"expression": licence}]
    fields.update(others)
    return {key: value for key, value in fields.items() if value not in (None, [])}


def swift_packages(command, known):
    """One component for each Swift package that is linked, with what it contains."""
    checkouts = Path(command).resolve().parents[2] / "checkouts"
    if not RESOLVED.exists():
        raise SBOMError("Package.resolved is missing, which a build writes")
    linked = {name.lower() for name in linked_packages(command)}
    result = []
    for pin in json.loads(RESOLVED.read_text())["pins"]:
        address = re.sub(r"\.git$", "", pin["location"])
        name = address.rpartition("/")[2]
        if name.lower() not in linked:
            continue
        contained = []
        for library, folder, file, pattern, purl in CONTAINED:
            if folder.split("/")[0] == name:
                version = ".".join(re.findall(pattern, (checkouts / folder / file).read_text()))
                if not version:
                    raise SBOMError(f"{checkouts / folder / file} names no version of {library}")
                contained.append(component("library", library, version, purl.format(version, version), known[f"checkouts/{folder}/*"]))
        state = pin["state"]
        result.append(component(
            "library", name, state["version"], f"pkg:swift/{address.partition('://')[2]}@{state['version']}",
            known[f"checkouts/{name}/*"], scope="required",
            pedigree={"commits": [{"uid": state["revision"], "url": f"{address}/commit/{state['revision']}"}]},
            externalReferences=[{"type": "vcs", "url": pin["location"]}], components=contained))
    missing = linked - {item["name"].lower() for item in result}
    if missing:
        raise SBOMError(f"Package.resolved does not name {', '.join(sorted(missing))}")
    return result


def runtime(known):
    """The parts of Swift's runtime, with the version of the compiler."""
    said = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Swift version (\S+)", said)
    if not found:
        raise SBOMError("swiftc does not tell its version")
    version = found.group(1)
    return [component("library", name, version, f"pkg:github/swiftlang/{name}@swift-{version}-RELEASE", known[f"{folder}/*"],
                      scope="required") for name, folder in RUNTIME.items()]


def files(known):
    result = []
    for path, text, origin in FILES:
        data = (ROOT / path).read_bytes()
        result.append(component(
            "file", path, None, None, known[path], scope="required", description=text,
            hashes=[{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}],
            externalReferences=[{"type": "website", "url": origin}] if origin else []))
    return result


def debian_packages(relations):
    """Debian's packages by the field that names them; their versions are those of the machine that builds."""
    system = dict(re.findall(r'(?m)^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text()))
    # A release that is not finished has no number.
    distribution = system["ID"] + (f"-{system['VERSION_ID']}" if "VERSION_ID" in system else "")
    result = []
    for field, names in relations.items():
        for name in sorted({relation.split()[0] for relation in names}):
            said = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version} ${Architecture}", name],
                                  capture_output=True, text=True, check=False).stdout.split()
            version, architecture = said[1:] if said[:1] == ["installed"] else (None, None)
            purl = f"pkg:deb/{system['ID']}/{name}"
            if version:
                purl += f"@{version.replace(':', '%3A').replace('+', '%2B')}?arch={architecture}&distro={distribution}"
            result.append(component(
                "library", name, version, purl, None, scope="required" if field == "Depends" else "optional",
                properties=[{"name": "deadwax:debian-relation", "value": field}, {"name": "deadwax:part-of-the-package", "value": "false"}]))
    return result


def document(command, version, seconds, relations):
    """The bill of materials as text.

    seconds: since 1970, the time of the commit. relations: names of Debian's packages by Depends, Recommends and Suggests.
    """
    known = licences()
    own = component("application", "deadwax", version, f"pkg:generic/deadwax@{version}", known["*"])
    components = swift_packages(command, known) + runtime(known) + files(known) + debian_packages(relations)
    components.sort(key=lambda item: (item["type"], item["name"].lower(), item["bom-ref"]))
    body = {
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)), "component": own},
        "components": components,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": [item["bom-ref"] for item in components]}],
    }
    # A number that stands for this content and is the same if it is made again.
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    head = {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
            "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return json.dumps({**head, **body}, indent=1, ensure_ascii=False) + "\n"
