#!/usr/bin/env python3
"""Tests the packages in clean roots of Debian: `make test-packages`, for some minutes. Needs root, and the tools of `setup.sh packages`.

Packages are made, checked by lintian and the validators, put into a signed repository whose key is made here, and installed in a root
that mmdebstrap has made. There a user indexes music, opens the page and plays; an upgrade, a newer library, a downgrade and a purge
follow. Then a second root is booted (systemd-nspawn), in which the system's service has to work with everything that closes it. At last
the image of a container is made and run (test-container.py).

    MUSIC=DIR    real music to index as well
    COMPRESSION  of the packages (default: xz); gzip takes a tenth of the time, for work on the tests
    COMMAND=F    the command to package (default: that of `make static`)
    PACKAGES=DIR packages and an image that have been made, to be tested instead
"""

import atexit
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SUITE = "bookworm"
TOOLS = ("mmdebstrap", "lintian", "appstreamcli", "desktop-file-validate", "systemd-nspawn", "systemd-analyze", "apt-ftparchive", "gpg",
         "dpkg-deb", "unshare", "sqlite3", "buildah", "runc", "curl")
VALIDATOR = "cyclonedx-python-lib[json-validation]==11.12.0"
BASES = ROOT / "build/package-roots"
# Fetched again after a week: what a root begins with should be what a user has.
BASE_SECONDS = 7 * 86_400
LIBRARY = "/home/ada/.local/share/deadwax/library.sqlite"
EXPOSURE = {"deadwax": 2.0, "deadwax-watch": 1.0}

failures = []
figures = []


def check(name, holds, detail=""):
    print(f"{'ok    ' if holds else 'FAILED'} {name}" + (f": {detail}" if detail and not holds else ""), flush=True)
    if not holds:
        failures.append(name)
    return holds


def run(*command, expected=(0,), **options):
    """The standard output and error of a command; another status than expected ends the test."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode not in expected:
        sys.exit(f"test-packages: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class CleanRoot:
    """A folder with a fresh system, in which commands run in namespaces of their own; music and the repository are seen, not written."""

    def __init__(self, base, mounts):
        self.path = Path(tempfile.mkdtemp(prefix="deadwax-root-"))
        atexit.register(shutil.rmtree, self.path, True)
        run("tar", "-C", self.path, "--numeric-owner", "-xf", base)
        self.mounts = mounts
        for place in mounts:
            (self.path / place).mkdir(parents=True, exist_ok=True)
        # What starts services is not there; whoever tries is told so by the policy of Debian's own tools.
        shutil.copyfile("/etc/resolv.conf", self.path / "etc/resolv.conf")

    def command(self, *words, user=None):
        binds = "".join(f'mount --bind {source!s} "$0/{place}" && mount -o remount,bind,ro "$0/{place}" && '
                        for place, source in self.mounts.items())
        script = ('mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && '
                  f'mount -t tmpfs run "$0/run" && {binds} exec chroot "$0" "$@"')
        inner = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        inner += ["HOME=/root"] if user is None else ["HOME=/home/" + user, "setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", script, str(self.path), *inner, *map(str, words)]

    def run(self, *words, user=None, expected=(0,)):
        return run(*self.command(*words, user=user), expected=expected)

    def status(self, *words, user=None):
        done = subprocess.run(self.command(*words, user=user), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def holds(self, place):
        return (self.path / place.lstrip("/")).exists()

    def bytes(self, place):
        return (self.path / place.lstrip("/")).read_bytes()


def base():
    """An archive of a minimal system with systemd."""
    path = BASES / f"{SUITE}.tar"
    if not path.exists() or time.time() - path.stat().st_mtime > BASE_SECONDS:
        BASES.mkdir(parents=True, exist_ok=True)
        print(f"making a root of {SUITE}", flush=True)
        new = path.with_suffix(".new.tar")
        run("mmdebstrap", "--variant=apt", "--include=adduser,ca-certificates,curl,dbus,systemd,systemd-sysv", SUITE, new,
            os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian"))
        new.rename(path)
    return path


def with_version(package, version, folder):
    """The same package as another version."""
    with tempfile.TemporaryDirectory() as work:
        content = Path(work) / "content"
        run("dpkg-deb", "-R", package, content)
        control = content / "DEBIAN/control"
        control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", control.read_text()))
        target = folder / f"deadwax_{version}_{package.stem.rpartition('_')[2]}.deb"
        run("dpkg-deb", "-Znone", "--root-owner-group", "-b", content, target)
        return target


def repository(folder, key_home):
    """A signed repository of two versions; the key lives as long as the test."""
    environment = {**os.environ, "GNUPGHOME": str(key_home)}
    key = "Deadwax test <test@deadwax.example>"
    run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", key, "ed25519", "sign", "1d", env=environment)
    run(HERE / "apt-repository.sh", folder, folder / "apt", key, "file:/repository/apt", env=environment)
    run("gpgconf", "--kill", "gpg-agent", env=environment)


def test_files(packages):
    program, symbols = packages
    # The symbols are names of functions, for backtraces; lines would take a tenth of the time of a build (flags of the Makefile).
    for package, suppressed in ((program, ()), (symbols, ("--suppress-tags", "debug-file-with-no-debug-symbols"))):
        said = run("lintian", *suppressed, package, expected=(0, 2))
        check(f"lintian finds neither errors nor warnings in {package.name}", not re.search(r"(?m)^[EW]: ", said), said)
    with tempfile.TemporaryDirectory() as folder:
        run("dpkg-deb", "-x", program, folder)
        root = Path(folder)
        found = [path for path in root.rglob("*") if path.is_file() and path.name != "deadwax" and b"/usr/local" in path.read_bytes()
                 and "completions" not in str(path) and "man1" not in str(path)]
        check("no file of the package leads to /usr/local", not found, str(found))
        said = run("desktop-file-validate", root / "usr/share/applications/deadwax.desktop", expected=(0, 1))
        check("the desktop entry is valid", not said, said)
        said = run("appstreamcli", "validate", "--no-net", root / "usr/share/metainfo/deadwax.metainfo.xml", expected=(0, 1, 3))
        check("the metainfo is valid", "successful" in said, said)
        for unit, limit in EXPOSURE.items():
            said = run("systemd-analyze", "security", "--offline=yes", "--no-pager", root / f"lib/systemd/system/{unit}.service")
            exposure = float(re.search(r"exposure level for \S+: ([0-9.]+)", said).group(1))
            figures.append((f"exposure of {unit}.service", f"{exposure}"))
            check(f"{unit}.service is closed up to {limit}", exposure <= limit, said)
        figures.append(("files of the package", f"{sum(p.stat().st_size for p in root.rglob('*') if p.is_file()) / 1e6:.1f} MB"))
    for package in packages:
        figures.append((package.name, f"{package.stat().st_size / 1e6:.1f} MB"))


def test_bill(path):
    """The bill of materials, against the schema of its format."""
    environment = ROOT / "build/sbom-venv"
    if not (environment / "installed").exists():
        run(sys.executable, "-m", "venv", environment)
        run(environment / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", VALIDATOR)
        (environment / "installed").touch()
    script = ("import sys\n"
              "from cyclonedx.schema import SchemaVersion\n"
              "from cyclonedx.validation.json import JsonStrictValidator\n"
              "found = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())\n"
              "sys.exit(str(found) if found else 0)\n")
    said = run(environment / "bin/python", "-c", script, path, expected=(0, 1))
    check("the bill of materials is valid by the schema of CycloneDX 1.6", not said.strip(), said)
    figures.append((path.name, f"{len(json.loads(path.read_text())['components'])} components"))


def fetched(address, seconds=30):
    """What a server answers, once it listens."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@contextlib.contextmanager
def serving(root, *options):
    """A server of ada's while the block runs: its address without the token."""
    server = subprocess.Popen(root.command("deadwax", "serve", "--port", "0", *options, user="ada"), stdout=subprocess.PIPE, text=True)
    try:
        yield server.stdout.readline().partition("#")[0].strip()
    finally:
        # unshare ignores SIGTERM; what it started ends with it.
        server.kill()
        server.wait()


def test_installation(root, version, music):
    root.run("bash", "-c", "cp /repository/apt/deadwax-archive-keyring.gpg /usr/share/keyrings/ && "
             "cp /repository/apt/deadwax.sources /etc/apt/sources.list.d/ && apt-get update -q")
    root.run("apt-get", "install", "-y", "--download-only", f"deadwax={version}")
    began = time.monotonic()
    root.run("apt-get", "install", "-y", f"deadwax={version}")
    root.run("useradd", "--create-home", "ada")
    said = root.run("deadwax", "scan", "/music/fixtures", user="ada")
    check("fixtures are indexed", "25 files found, 25 new" in said, said)
    root.run("deadwax", "play", "id:1", "-o", "/home/ada/played.wav", user="ada")
    figures.append(("from nothing to a played track, without downloads", f"{time.monotonic() - began:.0f} s"))
    check("a track is played into a file", root.bytes("/home/ada/played.wav")[:4] == b"RIFF")
    check("services are not enabled", root.status("systemctl", "is-enabled", "deadwax")[1].strip() == "disabled")
    said = root.run("deadwax", "doctor", user="ada")
    check("workers are confined", "sandbox   active" in said, said)
    check("every decoder works", said.count("decoder ") > 5 and "FAILS" not in said, said)
    line = re.search(r"(?m)^install   sudo (apt install .*)$", said)
    if check("doctor names what would have to be installed", line is not None, said):
        root.run("bash", "-c", line.group(1).replace("apt install", "apt-get install -y"))
        said = root.run("deadwax", "doctor", user="ada")
        check("after that line nothing is missing", "\ninstall " not in said and "MISSING" not in said, said)
    with serving(root) as address:
        check("the page is answered", "<title>Deadwax" in fetched(address))
        check("the page knows the library", json.loads(fetched(address + "api/v1/status"))["states"].get("ok", 0) > 0)
    with serving(root, "-L", "/home/ada/new/library.sqlite", "--create") as address:
        check("without a library, the desktop entry's command serves an empty one", "<title>Deadwax" in fetched(address))
    if music:
        said = root.run("deadwax", "scan", "/music/real", user="ada")
        found = re.search(r"([\d,]+) files found", said)
        check("real music is indexed", found is not None and found.group(1) != "0", said)
        figures.append(("real music", said.strip().splitlines()[-1]))


def installed_version(root):
    return root.run("dpkg-query", "-W", "-f", "${Version}", "deadwax")


def test_upgrade_and_purge(root, version):
    root.run("deadwax", "rate", "80", "id:1", user="ada")
    before = run("sqlite3", root.path / LIBRARY.lstrip("/"), "select count(*) from file")
    check("the version that was asked for is installed", installed_version(root) == version, installed_version(root))
    root.run("apt-get", "install", "-y", "deadwax")
    check("apt upgrades to the higher version", installed_version(root) == f"{version}+test", installed_version(root))
    check("the upgrade leaves the library", run("sqlite3", root.path / LIBRARY.lstrip("/"), "select count(*) from file") == before)
    check("the upgraded command reads it", root.status("deadwax", "status", user="ada")[0] == 0)
    # As a version from the future would leave it.
    schema = int(run("sqlite3", root.path / LIBRARY.lstrip("/"), "pragma user_version"))
    run("sqlite3", root.path / LIBRARY.lstrip("/"), f"pragma user_version = {schema + 1}; pragma wal_checkpoint(truncate)")
    state = root.bytes(LIBRARY)
    refused, said = root.status("apt-get", "install", "-y", f"deadwax={version}")
    check("apt does not downgrade unasked", refused != 0 and "downgraded" in said, said)
    root.run("apt-get", "install", "-y", "--allow-downgrades", f"deadwax={version}")
    check("asked to, apt downgrades", installed_version(root) == version, installed_version(root))
    for command in (("status",), ("scan", "/music/fixtures"), ("serve", "--create", "--port", "0")):
        status, said = root.status("deadwax", *command, user="ada")
        check(f"{command[0]} refuses a library of a newer version", status == 5 and "newer" in said, f"{status}: {said}")
    check("and leaves every byte of it", root.bytes(LIBRARY) == state)
    root.run("bash", "-c", "install -d -o deadwax /var/lib/deadwax /var/cache/deadwax && touch /var/lib/deadwax/library.sqlite")
    root.run("apt-get", "purge", "-y", "deadwax")
    check("purge leaves ada's library", root.bytes(LIBRARY) == state)
    check("purge leaves the system's library", root.holds("/var/lib/deadwax/library.sqlite"))
    check("purge removes the settings and what can be computed again",
          not root.holds("/etc/default/deadwax") and not root.holds("/var/cache/deadwax") and not root.holds("/usr/bin/deadwax"))
    left = [str(path.relative_to(root.path)) for place in ("etc", "usr", "lib") for path in (root.path / place).rglob("*deadwax*")
            if "keyring" not in path.name and path.name != "deadwax.sources"]
    check("purge leaves nothing else", not left, str(left))


# Runs in the booted root; a line for each answer.
BOOTED = """#!/bin/bash
answer() { echo "$1=$2" >> /answers; }
address=http://127.0.0.1:4646
answer before "$(systemctl is-enabled deadwax) $(systemctl is-active deadwax)"
systemctl enable --now deadwax
for i in $(seq 120); do curl -fs $address/ > /dev/null && break; sleep 1; done
for i in $(seq 120); do curl -fs $address/api/v1/status | grep -q '"ok": *2' && break; sleep 1; done
answer page "$(curl -fs $address/ | grep -c '<title>Deadwax')"
answer status "$(curl -fs $address/api/v1/status | tr -d '\\n')"
answer active "$(systemctl is-active deadwax deadwax-watch | tr '\\n' ' ')"
token=$(journalctl -b -u deadwax -o cat | sed -n 's/.*#token=//p' | tail -n 1)
answer scan "$(curl -s -o /dev/null -w '%{http_code}' -X POST -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{}' $address/api/v1/scan)"
# Finer than what is stored, so a worker decodes it.
answer segment "$(curl -s -o /dev/null -w '%{http_code}' "$address/api/v1/tracks/1/waveform.json?zoom=100&points=50")"
# In the namespace of the service, as its user.
inside() { nsenter -t "$(systemctl show -P MainPID deadwax)" -m setpriv --reuid deadwax --regid deadwax --clear-groups "$@" 2>&1; }
answer music "$(inside touch /srv/music/new | grep -o 'Read-only file system')"
answer home "$(inside ls /home | grep -o 'Permission denied')"
answer system "$(inside touch /etc/new | grep -o 'Read-only file system')"
systemctl stop deadwax
answer stopped "$(systemctl is-active deadwax deadwax-watch | tr '\\n' ' ')"
# The services of a user.
systemctl start "user@$(id -u ada)"
ada() { runuser -u ada -- env XDG_RUNTIME_DIR="/run/user/$(id -u ada)" HOME=/home/ada "$@"; }
ada deadwax roots add /srv/music
ada systemctl --user enable --now deadwax-watch deadwax-serve
for i in $(seq 120); do curl -fs $address/api/v1/status | grep -q '"ok": *2' && break; sleep 1; done
answer userpage "$(curl -fs $address/ | grep -c '<title>Deadwax')"
answer userstatus "$(curl -fs $address/api/v1/status | tr -d '\\n')"
answer useractive "$(ada systemctl --user is-active deadwax-serve deadwax-watch | tr '\\n' ' ')"
answer log "$(journalctl -b -t deadwax -o cat | grep -v '#token=\\|^Watching \\|[0-9] new$\\|^added ' | tr '\\n' ' ')"
"""


def test_booted(root):
    root.run("bash", "-c", "cp /repository/apt/deadwax-archive-keyring.gpg /usr/share/keyrings/ && "
             "cp /repository/apt/deadwax.sources /etc/apt/sources.list.d/ && apt-get update -q && apt-get install -y deadwax libpam-systemd && useradd --create-home ada")
    script = root.path / "booted.sh"
    script.write_text(BOOTED)
    script.chmod(0o755)
    unit = root.path / "etc/systemd/system/booted.service"
    unit.write_text("[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nExecStart=/booted.sh\nExecStopPost=systemctl poweroff --no-block\n")
    wants = root.path / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / "booted.service").symlink_to("../booted.service")
    # The machine's own manager is not asked: it may be none. What nspawn leaves in /run lies in a namespace that ends with it.
    script = ('mount --make-rprivate / && mkdir -p /run/systemd && mount -t tmpfs run /run/systemd && '
              f'exec systemd-nspawn -q -D "$0" --register=no --keep-unit --bind-ro={ROOT}/fixtures/audio:/srv/music --boot')
    said = run("timeout", "600", "unshare", "--mount", "bash", "-c", script, root.path, expected=(0, 1, 124, 133), stdin=subprocess.DEVNULL)
    if not check("a root boots", root.holds("/answers"), said):
        return
    answers = dict(line.split("=", 1) for line in root.bytes("/answers").decode().splitlines())
    for name, wanted in {
        "before": "disabled inactive", "page": "1", "active": "active active ", "scan": "202", "segment": "200",
        "music": "Read-only file system", "home": "Permission denied", "system": "Read-only file system", "stopped": "inactive inactive ", "userpage": "1", "useractive": "active active ",
    }.items():
        check(f"booted: {name} is {wanted.strip()}", answers.get(name) == wanted, str(answers))
    for name in ("status", "userstatus"):
        check(f"booted: {name} knows the music", '"ok"' in answers.get(name, ""), str(answers))
    check("booted: the journal has the address and what was scanned, and no more", not answers.get("log", "").strip(), answers.get("log", ""))


def main():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        sys.exit(f"test-packages: {', '.join(missing)} missing; scripts/setup.sh packages installs what is needed")
    if os.geteuid() != 0:
        sys.exit("test-packages: roots are made, mounted and booted here, which needs root")
    music = os.environ.get("MUSIC")
    with tempfile.TemporaryDirectory(prefix="deadwax-packages-") as folder, tempfile.TemporaryDirectory(prefix="dwk") as key_home:
        folder = Path(folder)
        command = ["--command", os.environ["COMMAND"]] if "COMMAND" in os.environ else []
        compression = os.environ.get("COMPRESSION", "xz")
        if "PACKAGES" in os.environ:
            for path in Path(os.environ["PACKAGES"]).iterdir():
                if path.is_file():
                    shutil.copy(path, folder)
        else:
            run(HERE / "package.py", *command, "deb", "-o", folder, "--compression", compression)
            figures.append(("container", run(HERE / "container.py", folder).partition("  ")[2]))
        packages = [next(folder.glob("deadwax_*.deb")), next(folder.glob("deadwax-dbgsym_*.deb"))]
        test_files(packages)
        test_bill(next(folder.glob("*.cdx.json")))
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=folder)
        version = packages[0].name.split("_")[1]
        with_version(packages[0], f"{version}+test", folder)
        repository(folder, key_home)
        mounts = {"repository": folder, "music/fixtures": ROOT / "fixtures/audio", **({"music/real": music} if music else {})}
        archive = base()
        root = CleanRoot(archive, mounts)
        test_installation(root, version, music)
        test_upgrade_and_purge(root, version)
        test_booted(CleanRoot(archive, mounts))
        image = subprocess.run([HERE / "test-container.py", next(folder.glob("*.image.tar"))], check=False)
        check("the container does what it should", image.returncode == 0)
    for name, value in figures:
        print(f"       {name}: {value}")
    if not music:
        print("       real music: none was given (MUSIC=DIR)")
    if failures:
        sys.exit(f"test-packages: {len(failures)} failed: {'; '.join(failures)}")


if __name__ == "__main__":
    main()
