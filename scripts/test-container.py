#!/usr/bin/env python3
"""Tests the image of `make oci` as compose.yaml runs it: test-container.py IMAGE. Needs root, runc, and curl.

The container gets a network of its own, in which only the test reaches it, a read-only root, no capabilities, music that is mounted
read-only and a folder for the library.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MUSIC = ROOT / "fixtures/audio"
TOOLS = ("runc", "nsenter", "curl", "tar")
SECONDS = 120

failures = []


def check(name, holds, detail=""):
    print(f"{'ok    ' if holds else 'FAILED'} container: {name}" + (f": {detail}" if detail and not holds else ""), flush=True)
    if not holds:
        failures.append(name)
    return holds


def run(*command, expected=(0,), **options):
    """The standard output and error of a command; another status than expected ends the test."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode not in expected:
        sys.exit(f"test-container: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Image:
    """An archive of an image, unpacked: its settings and its root."""

    def __init__(self, archive, folder):
        run("tar", "-C", folder, "-xf", archive)
        manifest = json.loads((folder / "manifest.json").read_text())[0]
        self.settings = json.loads((folder / manifest["Config"]).read_text())["config"]
        self.root = folder / "rootfs"
        self.root.mkdir()
        for layer in manifest["Layers"]:
            run("tar", "-C", self.root, "--numeric-owner", "-xf", folder / layer)


class Container:
    """A container of an image, as compose.yaml describes it."""

    def __init__(self, image, data, arguments=()):
        self.bundle = Path(tempfile.mkdtemp(prefix="deadwax-bundle-"))
        self.name = self.bundle.name
        user, group = map(int, image.settings["User"].split(":"))
        options = ["nosuid", "nodev"]
        specification = {
            "ociVersion": "1.0.2",
            "root": {"path": str(image.root), "readonly": True},
            "process": {
                "user": {"uid": user, "gid": group}, "cwd": image.settings["WorkingDir"], "env": image.settings["Env"],
                "args": [*image.settings["Entrypoint"], *arguments], "noNewPrivileges": True,
                "capabilities": {kind: [] for kind in ("bounding", "effective", "permitted")},
            },
            "mounts": [
                {"destination": "/proc", "type": "proc", "source": "proc"},
                {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"]},
                {"destination": "/dev/shm", "type": "tmpfs", "source": "shm", "options": [*options, "mode=1777"]},
                {"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": [*options, "ro"]},
                {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": [*options, "mode=1777"]},
                {"destination": "/music", "type": "bind", "source": str(MUSIC), "options": [*options, "rbind", "ro"]},
                {"destination": "/data", "type": "bind", "source": str(data), "options": [*options, "rbind", "rw"]},
            ],
            "linux": {
                "cgroupsPath": f"/{self.name}",
                "namespaces": [{"type": kind} for kind in ("pid", "network", "ipc", "uts", "mount")],
                "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"],
                "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
            },
        }
        (self.bundle / "config.json").write_text(json.dumps(specification))
        self.log = (self.bundle / "log").open("w+")
        self.process = subprocess.Popen(self.runc("run", "--bundle", self.bundle, self.name), stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            subprocess.run(self.runc("kill", self.name, "KILL"), check=False, capture_output=True)
            self.process.wait()
        shutil.rmtree(self.bundle)

    def runc(self, *words):
        return [str(word) for word in ("runc", "--root", self.bundle / "state", *words)]

    def said(self):
        return (self.bundle / "log").read_text()

    def ended(self):
        """The status of the container, once it has ended."""
        return self.process.wait(timeout=SECONDS)

    def inside(self, *words):
        """The status and the output of a command in the container."""
        done = subprocess.run(self.runc("exec", self.name, *words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def signal(self, name):
        run(*self.runc("kill", self.name, name))

    def answer(self, path, token=None):
        """The status and the body of an answer of the server."""
        process = json.loads(run(*self.runc("state", self.name)))["pid"]
        words = ["-H", f"Authorization: Bearer {token}"] if token else []
        said = run("nsenter", "-t", process, "--net", "curl", "-s", "-w", "\n%{http_code}", *words, f"http://127.0.0.1:4646{path}",
                   expected=range(100))
        body, _, status = said.rpartition("\n")
        return int(status), body


def waited(question):
    """What a question answers as soon as that is not nothing; None if it stays so."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        found = question()
        if found:
            return found
        time.sleep(0.2)
    return None


def token_of(container):
    found = re.search(r"^http://localhost:4646/#token=(\S+)$", container.said(), re.MULTILINE)
    return found and found.group(1)


def test_settings(image):
    settings = image.settings
    check("it does not run as root", re.fullmatch(r"[1-9]\d*:[1-9]\d*", settings["User"]) is not None, settings["User"])
    check("it has a health check", settings["Healthcheck"]["Test"] == ["CMD-SHELL", "/usr/bin/deadwax-health"]
          or settings["Healthcheck"]["Test"] == ["CMD", "/usr/bin/deadwax-health"], str(settings["Healthcheck"]))
    check("the bill of materials and the licences are in it",
          all((image.root / "usr/share/doc/deadwax" / name).exists() for name in ("copyright", "deadwax.cdx.json.gz")))
    # Of the essential ones, dpkg and passwd have some; with no-new-privileges they raise nobody.
    compose = (ROOT / "packaging/container/compose.yaml").read_text()
    ports = re.findall(r'^ +- "(\S+:4646)"$', compose, re.MULTILINE)
    check("compose publishes to this machine only", ports == ["127.0.0.1:4646:4646"], str(ports))


def test_serving(image, data):
    with Container(image, data) as container:
        token = waited(lambda: token_of(container))
        if not check("the first start logs the owner's address", token is not None, container.said()):
            return
        for path in ("/api/v1/status", "/api/v1/tracks", "/rest/ping.view?f=json"):
            status, body = container.answer(path)
            check(f"{path} is not answered without the token", status == 401 or '"failed"' in body, f"{status}: {body[:200]}")
        check("the page is answered, which asks for it", "<title>Deadwax" in container.answer("/")[1])
        count = sum(1 for _ in MUSIC.iterdir())

        def listed():
            status, body = container.answer("/api/v1/status", token)
            return status == 200 and json.loads(body).get("listed_files", 0) > 20 and body
        check("with the token, the music is there", waited(listed) is not None, f"{count} files: {container.said()}")
        check("it says that it is healthy", container.inside("/usr/bin/deadwax-health") == (0, ""), str(container.inside("/usr/bin/deadwax-health")))
        unhealthy = container.inside("/usr/bin/env", "XDG_STATE_HOME=/tmp", "/usr/bin/deadwax-health")[0]
        check("with the wrong token it would not be", unhealthy != 0)
        for place in ("/music/new", "/etc/new", "/usr/bin/new"):
            said = container.inside("touch", place)[1]
            check(f"{place} cannot be written", "Read-only file system" in said, said)
        said = container.inside("deadwax", "doctor")[1]
        check("workers are confined", "sandbox   active" in said, said)
        check("every decoder works and nothing is missing", said.count("decoder ") > 5 and "FAILS" not in said and "MISSING" not in said, said)
        said = container.inside("deadwax", "play", "id:1", "-o", "/data/played.wav")[1]
        check("a track is played into a file", (data / "played.wav").read_bytes()[:4] == b"RIFF", said)
        container.signal("TERM")
        check("it ends when it is stopped, as if nothing had failed", container.ended() == 0, container.said())
    with Container(image, data) as container:
        check("the address stays the same", waited(lambda: token_of(container)) == token, container.said())
        # Signals of another one than the first process: the server is killed, as for want of memory.
        container.inside("bash", "-c", "for p in /proc/[0-9]*; do [[ $(tr '\\0' ' ' < $p/cmdline) == 'deadwax serve '* ]] && kill -KILL ${p#/proc/}; done")
        check("it ends with a failure when the server is killed", container.ended() == 137, container.said())


def test_refusals(image, data):
    with Container(image, data, ["--insecure"]) as container:
        check("it refuses to serve without the token", container.ended() == 64 and "--insecure" in container.said(), container.said())
    foreign = data / "foreign"
    foreign.mkdir()
    with Container(image, foreign) as container:
        check("it names a folder that it cannot write", container.ended() == 73 and "/data cannot be written" in container.said(), container.said())


def main():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if len(sys.argv) != 2 or missing or os.geteuid() != 0:
        sys.exit(f"usage: test-container.py IMAGE, as root{'; missing: ' + ', '.join(missing) if missing else ''}")
    with tempfile.TemporaryDirectory(prefix="deadwax-image-") as folder, tempfile.TemporaryDirectory(prefix="deadwax-data-") as data:
        image = Image(Path(sys.argv[1]).resolve(), Path(folder))
        user, group = map(int, image.settings["User"].split(":"))
        os.chown(data, user, group)
        test_settings(image)
        test_serving(image, Path(data))
        test_refusals(image, Path(data))
    if failures:
        sys.exit(f"test-container: {len(failures)} failed: {'; '.join(failures)}")


if __name__ == "__main__":
    main()
