#!/usr/bin/env python3
"""Makes the image of a container from the Debian package: `make oci`. Needs root, mmdebstrap and buildah (`setup.sh packages`).

    container.py [PACKAGES]    PACKAGES/deadwax-VERSION-ARCH.image.tar and PACKAGES/compose.yaml, from the package in that folder (build/packages)

The system in it is Debian's release of this machine with nothing but its essential packages and what the package can use. It is an archive that `docker load` and `podman load` read. Prints the size by its largest parts.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import package
from package import PACKAGING, PackagingError, output

# The user in the container; numbers that no system user of Debian has.
USER = 10_001
# Certificates for ListenBrainz and AcoustID; time zones, so that TZ works; and what stands for merged folders.
FURTHER = ("ca-certificates", "tzdata", "usr-is-merged")
# Opens a browser, which a container has not.
LEFT_OUT = {"xdg-utils"}
# Documents that nobody reads in a container; what has to be there by licence stays.
EXCLUDED = ("/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/lintian/*", "/usr/share/doc/*", "/usr/share/icons/*",
            "/usr/share/applications/*", "/usr/share/metainfo/*", "/usr/share/bash-completion/*", "/usr/share/zsh/*", "/usr/share/fish/*")
INCLUDED = ("/usr/share/doc/*/copyright", "/usr/share/doc/deadwax/*.json.gz")
# Runs in the root before it is packed.
HOOKS = (
    'echo "deadwax:x:{user}:{user}:Deadwax:/data:/usr/sbin/nologin" >> "$1/etc/passwd"',
    'echo "deadwax:x:{user}:" >> "$1/etc/group"',
    'cp {deb} "$1/deadwax.deb" && chroot "$1" dpkg --install /deadwax.deb && rm "$1/deadwax.deb"',
    'install -m 755 {scripts}/deadwax-container {scripts}/deadwax-health "$1/usr/bin/"',
    'install -d -m 755 "$1/music" && install -d -m 700 -o {user} -g {user} "$1/data"',
    'rm -rf "$1/var/lib/apt" "$1/var/cache/"* "$1/var/log/"* "$1/tmp/"* "$1/run/"* "$1/var/lib/dpkg/"*-old',
)
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/data", "DEADWAX_LIBRARY": "/data/library.sqlite",
    "XDG_STATE_HOME": "/data/state", "XDG_CACHE_HOME": "/data/cache", "DEADWAX_NAME": "localhost", "LIBDISPATCH_LOG": "NO",
}


def needed(deb):
    """The packages that a .deb names in some way: nothing can be installed later."""
    fields = (output("dpkg-deb", "-f", deb, field) for field in ("Depends", "Recommends", "Suggests"))
    return sorted({relation.split()[0] for text in fields for relation in text.strip().split(", ")} - LEFT_OUT | set(FURTHER))


def make_root(deb, archive):
    """Writes the archive of a root with the package."""
    system = dict(re.findall(r'(?m)^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text()))
    # A root whose folders are merged from the start needs no Perl to merge them.
    options = ["--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", "--variant=essential", f"--include={','.join(needed(deb))}", '--aptopt=APT::Install-Recommends "false"']
    options += [f"--dpkgopt=path-exclude={path}" for path in EXCLUDED] + [f"--dpkgopt=path-include={path}" for path in INCLUDED]
    values = {"user": USER, "deb": deb.resolve(), "scripts": PACKAGING / "container"}
    options += [f"--customize-hook={hook.format(**values)}" for hook in HOOKS]
    output("mmdebstrap", *options, system["VERSION_CODENAME"], archive,
           os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian"),
           env={**os.environ, "SOURCE_DATE_EPOCH": str(package.commit_time())})


def make_image(archive, target, name):
    """Packs a root with the settings of the container; images of the machine's own store are not touched."""
    with tempfile.TemporaryDirectory(prefix="deadwax-image-") as folder:
        store = ["--root", f"{folder}/root", "--runroot", f"{folder}/run", "--storage-driver", "vfs"]

        def buildah(command, *words):
            return output("buildah", *store, command, *words).strip()

        container = buildah("from", "scratch")
        buildah("add", "--quiet", container, archive, "/")
        settings = [word for key, value in ENVIRONMENT.items() for word in ("--env", f"{key}={value}")]
        buildah(
            "config", *settings, "--user", f"{USER}:{USER}", "--workingdir", "/data", "--port", "4646/tcp", "--volume", "/data",
            "--entrypoint", json.dumps(["/usr/bin/deadwax-container"]), "--cmd", "", "--stop-signal", "SIGTERM",
            "--healthcheck", "CMD /usr/bin/deadwax-health", "--healthcheck-interval", "60s", "--healthcheck-timeout", "15s",
            "--healthcheck-start-period", "30s", "--label", "org.opencontainers.image.title=Deadwax",
            "--label", f"org.opencontainers.image.version={package.version()}", "--label", "org.opencontainers.image.licenses=Apache-2.0",
            "--label", f"org.opencontainers.image.url={package.PROJECT['site']}", container)
        # The format of Docker, because OCI's has no health check; other programs read it, too.
        buildah("commit", "--quiet", "--format", "docker", "--timestamp", package.commit_time(), container, name)
        target.unlink(missing_ok=True)
        buildah("push", "--quiet", name, f"docker-archive:{target}:{name}")
        # A mount of the store would keep its folder.
        buildah("rm", container)


def largest_parts(archive, count=12):
    """Packages and their bytes in a root, the largest first, and the bytes of everything."""
    with tempfile.TemporaryDirectory(prefix="deadwax-root-") as folder:
        output("tar", "-C", folder, "--exclude=./dev/*", "-xf", archive)
        root = Path(folder)
        sizes = {}
        for listing in (root / "var/lib/dpkg/info").glob("*.list"):
            paths = [root / line.lstrip("/") for line in listing.read_text().splitlines()]
            sizes[listing.stem.partition(":")[0]] = sum(path.lstat().st_size for path in paths if path.is_file() and not path.is_symlink())
        total = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:count], total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path, nargs="?", default=package.ROOT / "build/packages", help="the folder of the package and the image")
    folder = parser.parse_args().packages
    os.umask(0o022)
    try:
        if os.geteuid() != 0:
            raise PackagingError("a root is made and packed here, which needs root")
        missing = [tool for tool in ("mmdebstrap", "buildah", "dpkg-deb") if not shutil.which(tool)]
        if missing:
            raise PackagingError(f"{', '.join(missing)} missing; scripts/setup.sh packages installs what is needed")
        architecture = output("dpkg", "--print-architecture").strip()
        deb = folder / f"deadwax_{package.debian_version(package.version())}_{architecture}.deb"
        if not deb.exists():
            raise PackagingError(f"{deb} is missing; make deb makes it")
        target = folder / f"deadwax-{package.version()}-{architecture}.image.tar"
        with tempfile.TemporaryDirectory(prefix="deadwax-container-") as work:
            archive = Path(work) / "root.tar"
            make_root(deb, archive)
            make_image(archive, target, f"localhost/deadwax:{package.version()}")
            parts, total = largest_parts(archive)
        stage = package.Stage(folder)
        stage.fill("container/compose.yaml", "compose.yaml")
        print(f"{target}  {target.stat().st_size / 1e6:.1f} MB, unpacked {total / 1e6:.1f} MB, of which")
        for name, size in parts:
            print(f"{size / 1e6:8.1f} MB  {name}")
        print(package.write_sums(folder))
    except (PackagingError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"container: {error}")


if __name__ == "__main__":
    main()
