#!/usr/bin/env python3
"""Makes packages from what `make man` has built: Debian's, with the symbols in one of their own, and an archive for other systems.

    package.py deb [-o DIR] [--version V]      DIR/deadwax_V_ARCH.deb and deadwax-dbgsym_V_ARCH.deb (default: build/packages)
    package.py tarball [-o DIR]                DIR/deadwax-VERSION-linux-MACHINE.tar.xz
                                               both also write deadwax-VERSION.cdx.json (sbom.py) and SHA256SUMS
    package.py stage ROOT [--prefix P]         the files alone, below ROOT

--command F before these packs another command than that of `make static`. The version is what
Sources/Base/Processes/ProgramVersion.swift says. Packages hold the same bytes if they are made again from the same commit on the same
system. docs/packaging.md describes what is in them, docs/decisions/0110 why there is no source package.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from email.utils import formatdate
from pathlib import Path

import sbom

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
VERSION_FILE = "Sources/Base/Processes/ProgramVersion.swift"
REVISION = "1"
PROJECT = tomllib.loads((PACKAGING / "project.toml").read_text())
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)

# Libraries that the command loads when they are used, by the beginning of the file's name, and what a package says of each. Without
# those of Depends no worker starts; those of Recommends are used by what most people do; the rest by what few do.
LOADED = {
    "libFLAC": "Depends",
    "libmpg123": "Depends",
    "libopus": "Depends",
    "libsndfile": "Depends",
    "libvorbis": "Depends",
    "libasound": "Recommends",
    "libavcodec": "Recommends",
    "libavformat": "Recommends",
    "libcairo": "Recommends",
    "libchromaprint": "Recommends",
    "libcurl": "Recommends",
    "libmp3lame": "Recommends",
    "libmpcdec": "Recommends",
    "libopenmpt": "Recommends",
    "libpangocairo-1.0": "Recommends",
    "libpng16": "Recommends",
    "libsoxr": "Recommends",
    "libspeex": "Recommends",
    "libvorbisenc": "Recommends",
    "libdbus-1": "Suggests",
    "libexpat": "Suggests",
    "libyaml-0": "Suggests",
}
# Programs that the command starts.
PROGRAMS = {"Recommends": ["espeak-ng"], "Suggests": ["xdg-utils"]}
# What SHA256SUMS has, by the ends of names.
PUBLISHED = (".deb", ".tar.xz", ".cdx.json", ".image.tar", "compose.yaml")
MAINTAINER_SCRIPTS = ("postinst", "prerm", "postrm")

DESCRIPTION = """\
 Deadwax reads each file of a music folder once and stores everything it
 measures in one SQLite file: exact length, loudness, waveform, spectrum,
 tempo, key and fingerprints. Searching, exporting and drawing use that file
 without reading the audio again.
 .
 It is a command with a page for the browser, a server for OpenSubsonic
 players, and a player for the terminal. Music files are only read, unless
 you ask to write tags.
 .
 Installing this package starts nothing: the user services (deadwax-serve,
 deadwax-watch) and the system service (deadwax) are disabled by default."""


class PackagingError(Exception):
    """What is missing or contradicts itself; a sentence."""


def placeholders():
    """The names in packaging/project.toml whose values must be filled in before anything is published."""
    return sorted(name for name, value in PROJECT.items() if re.search(r"\bexample\b", value))


def version():
    """The version of the program, by Semantic Versioning."""
    text = (ROOT / VERSION_FILE).read_text()
    return re.search(r'current = "([^"]+)"', text).group(1)


def debian_version(semantic):
    """The same in Debian's order, where only a tilde sorts before the end: 1.0.0-dev becomes 1.0.0~dev-1."""
    return f"{semantic.replace('-', '~')}-{REVISION}"


def stem(soname):
    """libavcodec of libavcodec.so.59."""
    return soname.partition(".so.")[0]


def loaded_libraries(command):
    """The names of files that a program can load: texts in it that are nothing but a soname, without those that it is linked to."""
    linked = set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", command)))
    names = {name.decode() for name in re.findall(rb"(?<=\0)(lib[\w.+-]+?\.so\.\d+)(?=\0)", Path(command).read_bytes())}
    found = sorted(name for name in names - linked if stem(name) in LOADED)
    missing = sorted(set(LOADED) - {stem(name) for name in found})
    if missing:
        raise PackagingError(f"{command} does not load {', '.join(missing)}, which LOADED in {__file__} names")
    return found


def package_of(soname, multiarch):
    """The Debian package that has a library; `dpkg -S` also knows libraries that are diverted or renamed (libasound2t64)."""
    for folder in (f"/usr/lib/{multiarch}", f"/lib/{multiarch}", "/usr/lib"):
        found = subprocess.run(["dpkg", "-S", f"{folder}/{soname}"], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    raise PackagingError(f"no installed Debian package has {soname}")


def relations(command, linked, multiarch):
    """Depends, Recommends and Suggests of a program, whose linked libraries need the relations in `linked`."""
    result = {"Depends": [*linked, "adduser"], "Recommends": [], "Suggests": []}
    for soname in loaded_libraries(command):
        package = package_of(soname, multiarch)
        if not any(known.split()[0] == package for known in result["Depends"]):
            result[LOADED[stem(soname)]].append(package)
    for field, programs in PROGRAMS.items():
        result[field] += programs
    return {field: sorted(set(names)) for field, names in result.items()}


def check_copyright(command):
    """Fails if a Swift package from which a command was built is not in the file of licences."""
    checkouts = Path(command).resolve().parents[2] / "checkouts"
    named = (PACKAGING / "debian/copyright").read_text()
    missing = sorted(folder.name for folder in checkouts.glob("*") if f"checkouts/{folder.name}/*" not in named)
    if missing:
        raise PackagingError(f"packaging/debian/copyright does not name {', '.join(missing)}")


def linked_relations(command):
    """What dpkg-shlibdeps says of the libraries that a program is linked to, with the versions whose symbols it uses."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian/control").write_text("Source: deadwax\n\nPackage: deadwax\nArchitecture: any\n")
        text = output("dpkg-shlibdeps", "-O", f"-e{Path(command).resolve()}", cwd=folder)
    return re.search(r"^shlibs:Depends=(.*)$", text, re.MULTILINE).group(1).split(", ")


def output(*command, **options):
    try:
        return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout
    except FileNotFoundError:
        raise PackagingError(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as error:
        raise PackagingError(f"{command[0]} failed: {error.stderr.strip()}") from None


def filled(template, values):
    """A text whose @names@ are replaced; one without a value is an error."""
    def value(match):
        if match.group(1) not in values:
            raise PackagingError(f"@{match.group(1)}@ has no value")
        return values[match.group(1)]
    return re.sub(r"@([a-z]+)@", value, template)


def commit_time():
    """Seconds since 1970, for everything in a package that has a time."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        return int(output("git", "log", "-1", "--format=%ct", cwd=ROOT))
    except PackagingError:
        # An archive of the sources has no history, and git does not show root that of somebody else.
        return int((ROOT / "CHANGELOG.md").stat().st_mtime)


class Stage:
    """The files of an installation below a folder, as `make install` puts them there."""

    def __init__(self, root, prefix="/usr"):
        self.root = Path(root)
        self.prefix = prefix
        self.values = {
            "bindir": f"{prefix}/bin", "component": PROJECT["component"], "site": PROJECT["site"], "version": version(),
            "date": time.strftime("%Y-%m-%d", time.gmtime(commit_time())),
            "kind": "development" if "-" in version() else "stable",
        }

    def path(self, place):
        path = self.root / place.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def copy(self, source, place, mode=0o644):
        shutil.copyfile(source, self.path(place))
        self.path(place).chmod(mode)

    def fill(self, source, place):
        self.write(filled((PACKAGING / source).read_text(), self.values), place)

    def write(self, text, place, mode=0o644):
        self.path(place).write_text(text)
        self.path(place).chmod(mode)

    def compress(self, data, place):
        """As Debian's policy wants documents: `gzip -9n`."""
        self.path(place).write_bytes(gzip.compress(data, 9, mtime=0))
        self.path(place).chmod(0o644)

    def program(self, command, built):
        """The command and what `make man` wrote beside it."""
        share = f"{self.prefix}/share"
        self.copy(command, f"{self.prefix}/bin/deadwax", 0o755)
        self.copy(built / "deadwax.1", f"{share}/man/man1/deadwax.1")
        # What a shell sources has no interpreter of its own.
        bash = re.sub(r"\A#!.*\n", "", (built / "deadwax.bash").read_text())
        self.write(bash, f"{share}/bash-completion/completions/deadwax")
        # Debian's shells read vendor-completions, others site-functions.
        zsh = "vendor-completions" if self.prefix == "/usr" else "site-functions"
        self.copy(built / "deadwax.zsh", f"{share}/zsh/{zsh}/_deadwax")
        self.copy(built / "deadwax.fish", f"{share}/fish/vendor_completions.d/deadwax.fish")

    def desktop(self):
        share = f"{self.prefix}/share"
        self.fill("desktop/deadwax.desktop", f"{share}/applications/deadwax.desktop")
        self.fill("deadwax.metainfo.xml", f"{share}/metainfo/deadwax.metainfo.xml")
        self.copy(PACKAGING / "icons/deadwax.svg", f"{share}/icons/hicolor/scalable/apps/deadwax.svg")
        for size in ICON_SIZES:
            self.copy(PACKAGING / f"icons/deadwax-{size}.png", f"{share}/icons/hicolor/{size}x{size}/apps/deadwax.png")

    def user_units(self):
        folder = "lib" if self.prefix == "/usr" else "share"
        for unit in ("serve", "watch"):
            self.fill(f"systemd/user/deadwax-{unit}.service", f"{self.prefix}/{folder}/systemd/user/deadwax-{unit}.service")


def add_debian_parts(stage, full_version, bill):
    """What a Debian package has besides the program: the system's service, documents, and the bill of materials."""
    for unit in ("deadwax", "deadwax-watch"):
        stage.fill(f"systemd/system/{unit}.service", f"/lib/systemd/system/{unit}.service")
    stage.copy(PACKAGING / "debian/deadwax.default", "/etc/default/deadwax")
    page = stage.path("/usr/share/man/man1/deadwax.1")
    stage.compress(page.read_bytes(), "/usr/share/man/man1/deadwax.1.gz")
    page.unlink()
    documents = "/usr/share/doc/deadwax"
    stage.copy(PACKAGING / "debian/copyright", f"{documents}/copyright")
    stage.compress((ROOT / "CHANGELOG.md").read_bytes(), f"{documents}/changelog.gz")
    entry = f"deadwax ({full_version}) unstable; urgency=medium\n\n  * What has changed is in changelog.gz.\n\n"
    entry += f" -- {PROJECT['maintainer']}  {formatdate(commit_time())}\n"
    stage.compress(entry.encode(), f"{documents}/changelog.Debian.gz")
    stage.compress(bill.encode(), f"{documents}/deadwax.cdx.json.gz")
    stage.copy(PACKAGING / "debian/lintian-overrides", "/usr/share/lintian/overrides/deadwax")


def separate_symbols(program, symbols_root):
    """Moves the symbols of a program to the place where debuggers look for them, and returns the identity of the build."""
    found = re.search(r"Build ID: ([0-9a-f]+)", output("readelf", "-n", program))
    if not found:
        raise PackagingError(f"{program} has no build ID; `make static` links one into it")
    identity = found.group(1)
    symbols = symbols_root / f"usr/lib/debug/.build-id/{identity[:2]}/{identity[2:]}.debug"
    symbols.parent.mkdir(parents=True)
    output("objcopy", "--only-keep-debug", "--compress-debug-sections", program, symbols)
    symbols.chmod(0o644)
    output("strip", "--strip-all", "--remove-section=.comment", "--remove-section=.note", program)
    return identity


def installed_kilobytes(root):
    """As dpkg-gencontrol counts: whole kilobytes for files, one for everything else."""
    return sum((path.stat().st_size + 1023) // 1024 if path.is_file() and not path.is_symlink() else 1 for path in root.rglob("*"))


def control(fields):
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value)


def pack(root, fields, scripts, target, compression="xz"):
    """Writes one .deb from a folder that has everything but DEBIAN/."""
    for folder in root.rglob("*"):
        if folder.is_dir():
            folder.chmod(0o755)
    root.chmod(0o755)
    files = sorted(path for path in root.rglob("*") if path.is_file())
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    settings = [f"/{path.relative_to(root)}\n" for path in files if path.relative_to(root).parts[0] == "etc"]
    size = installed_kilobytes(root)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN").chmod(0o755)
    (root / "DEBIAN/md5sums").write_text(sums)
    if settings:
        (root / "DEBIAN/conffiles").write_text("".join(settings))
    description = fields.pop("Description")
    (root / "DEBIAN/control").write_text(control({**fields, "Installed-Size": str(size), "Description": description}))
    for path in (root / "DEBIAN").iterdir():
        path.chmod(0o644)
    for script in scripts:
        shutil.copyfile(PACKAGING / f"debian/{script}", root / "DEBIAN" / script)
        (root / "DEBIAN" / script).chmod(0o755)
    # By itself dpkg-deb only changes times that are later.
    seconds = commit_time()
    for path in (root, *root.rglob("*")):
        os.utime(path, (seconds, seconds), follow_symlinks=False)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
    output("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", root, target, env=environment)


def write_bill(command, relations_of_command, folder):
    """Writes the bill of materials beside the packages; returns its path and text."""
    text = sbom.document(command, version(), commit_time(), relations_of_command)
    path = folder / f"deadwax-{version()}.cdx.json"
    path.write_text(text)
    return path, text


def write_sums(folder):
    """Writes SHA256SUMS of everything in a folder that is published; `sha256sum -c` checks them."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name.endswith(PUBLISHED))
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines))
    return folder / "SHA256SUMS"


def make_deb(arguments):
    """Both packages, the bill of materials and sums; returns their paths."""
    command, built = Path(arguments.command), ROOT / "build"
    full_version = arguments.version or debian_version(version())
    architecture = output("dpkg", "--print-architecture").strip()
    multiarch = output("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    arguments.output.mkdir(parents=True, exist_ok=True)
    check_copyright(command)
    needed = relations(command, linked_relations(command), multiarch)
    bill_path, bill = write_bill(command, needed, arguments.output)
    common = {"Version": full_version, "Architecture": architecture, "Maintainer": PROJECT["maintainer"]}
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder) / "deadwax")
        stage.program(command, built)
        stage.desktop()
        stage.user_units()
        add_debian_parts(stage, full_version, bill)
        symbols = Path(folder) / "symbols"
        identity = separate_symbols(stage.path("/usr/bin/deadwax"), symbols)
        Stage(symbols).path("/usr/share/doc/deadwax-dbgsym").symlink_to("deadwax")
        names = [f"{name}_{full_version}_{architecture}.deb" for name in ("deadwax", "deadwax-dbgsym")]
        pack(stage.root, {
            "Package": "deadwax", **common, **{field: ", ".join(names) for field, names in needed.items()},
            "Section": "sound", "Priority": "optional", "Homepage": PROJECT["site"],
            "Description": f"media library with waveforms, spectra and a page in the browser\n{DESCRIPTION}",
        }, MAINTAINER_SCRIPTS, arguments.output / names[0], arguments.compression)
        pack(symbols, {
            "Package": "deadwax-dbgsym", "Source": "deadwax", **common, "Auto-Built-Package": "debug-symbols",
            "Depends": f"deadwax (= {full_version})", "Section": "debug", "Priority": "optional", "Build-Ids": identity,
            "Description": "debug symbols for deadwax",
        }, (), arguments.output / names[1], arguments.compression)
    return [*(arguments.output / name for name in names), bill_path, write_sums(arguments.output)]


def make_tarball(arguments):
    """The files below one folder, with a script that copies them to a prefix; returns the paths, as `make_deb` does."""
    machine = os.uname().machine
    name = f"deadwax-{version()}-linux-{machine}"
    arguments.output.mkdir(parents=True, exist_ok=True)
    target = arguments.output / f"{name}.tar.xz"
    command = Path(arguments.command)
    multiarch = output("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    bill_path, bill = write_bill(command, relations(command, linked_relations(command), multiarch), arguments.output)
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder) / name, prefix="")
        # Their paths are known when they are installed.
        stage.values["bindir"] = "@bindir@"
        stage.program(command, ROOT / "build")
        stage.desktop()
        stage.user_units()
        output("strip", "--strip-all", stage.path("/bin/deadwax"))
        stage.copy(PACKAGING / "tarball/install.sh", "/install.sh", 0o755)
        stage.copy(PACKAGING / "tarball/README", "/README")
        stage.copy(PACKAGING / "debian/copyright", "/share/doc/deadwax/copyright")
        stage.copy(ROOT / "CHANGELOG.md", "/share/doc/deadwax/CHANGELOG.md")
        stage.write(bill, "/share/doc/deadwax/deadwax.cdx.json")
        # With one thread, which newer versions of xz do not use by themselves, the bytes do not depend on the machine.
        output("tar", "--format=gnu", "--sort=name", f"--mtime=@{commit_time()}", "--owner=0", "--group=0", "--numeric-owner",
               "--use-compress-program=xz -T1", "-cf", target.resolve(), name, cwd=folder)
    return [target, bill_path, write_sums(arguments.output)]


def make_stage(arguments):
    """What `make install` installs."""
    stage = Stage(arguments.root, arguments.prefix)
    stage.program(Path(arguments.command), ROOT / "build")
    stage.desktop()
    stage.user_units()
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=ROOT / ".build-static/release/deadwax", help="the command that `make static` has built")
    kinds = parser.add_subparsers(required=True)
    deb = kinds.add_parser("deb", help="Debian's packages")
    deb.add_argument("--version", help="a version by Debian's rules (default: that of the program)")
    deb.add_argument("--compression", default="xz", help="of dpkg-deb; gzip takes a tenth of the time")
    deb.set_defaults(make=make_deb)
    tarball = kinds.add_parser("tarball", help="an archive for other systems")
    tarball.set_defaults(make=make_tarball)
    stage = kinds.add_parser("stage", help="the files below a folder")
    stage.add_argument("root", type=Path)
    stage.add_argument("--prefix", default="/usr/local")
    stage.set_defaults(make=make_stage)
    for kind in (deb, tarball):
        kind.add_argument("-o", "--output", type=Path, default=ROOT / "build/packages")
    arguments = parser.parse_args()
    # What is made has the same modes for everyone.
    os.umask(0o022)
    try:
        for path in arguments.make(arguments):
            print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    except (PackagingError, sbom.SBOMError, OSError) as error:
        sys.exit(f"package: {error}")


if __name__ == "__main__":
    main()
