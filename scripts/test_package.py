"""Tests of package.py: what needs neither a built command nor root (`make test-packages` tries the packages themselves)."""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import package  # noqa: E402


# The first match of each has to be the version of the program.
REPEATED_VERSIONS = {
    "CHANGELOG.md": r"^## (\S+?)(?:, .*)?$",
    "integrations/python/pyproject.toml": r'^version = "(.*)"$',
    "packaging/cluster/kubernetes.yaml": r"deadwax-cluster:(\S+)$",
}


def doors():
    """The sonames that the doors to C libraries load, by the sources; a number that a header gives is left out."""
    texts = (path.read_text() for path in ROOT.glob("Sources/C*/*.c"))
    return {name for text in texts for name in re.findall(r'= \{\s*"(lib[\w.+-]+?)\.so\.', text)}


class VersionTests(unittest.TestCase):
    def test_a_version_before_the_release_sorts_before_it(self):
        for before, after in (("1.0.0-dev", "1.0.0"), ("1.0.0-beta.1", "1.0.0-beta.2"), ("0.9.0", "1.0.0-dev")):
            order = subprocess.run(
                ["dpkg", "--compare-versions", package.debian_version(before), "lt", package.debian_version(after)], check=False)
            self.assertEqual(order.returncode, 0, (before, after))

    def test_every_file_that_repeats_the_version_agrees(self):
        version = package.version()
        self.assertRegex(version, r"^\d+\.\d+\.\d+(-[\w.]+)?$")
        for path, pattern in REPEATED_VERSIONS.items():
            found = re.findall(pattern, (ROOT / path).read_text(), re.MULTILINE)
            self.assertEqual(found[:1], [version], path)

    def test_no_other_source_states_the_version(self):
        stated = [path for folder in ("Sources", "web", "scripts", "packaging", "integrations/python/src")
                  for path in (ROOT / folder).rglob("*") if path.is_file() and path != Path(__file__).resolve()
                  and re.search(rb'["\' /]' + re.escape(package.version().encode()) + rb'["\' ]', path.read_bytes())]
        self.assertEqual([str(path.relative_to(ROOT)) for path in stated], [package.VERSION_FILE])


class RelationTests(unittest.TestCase):
    def test_every_library_that_is_loaded_has_a_relation(self):
        self.assertEqual(set(package.LOADED), doors())

    def test_what_no_worker_starts_without_is_required(self):
        text = (ROOT / "Sources/AudioDecoding/DecoderLibraries.swift").read_text()
        required = re.search(r"for load in \[(.*?)\]", text, re.DOTALL).group(1)
        names = {name.lower() for name in re.findall(r"dw_(\w+)_load", required)}
        self.assertEqual({name[3:].lower() for name, field in package.LOADED.items() if field == "Depends"}, names)

    def test_a_command_that_loads_less_is_refused(self):
        with self.assertRaisesRegex(package.PackagingError, "libcairo"):
            package.loaded_libraries("/bin/true")


class FileTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_placeholder_without_a_value_is_an_error(self):
        self.assertEqual(package.filled("a @bindir@/b c@d", {"bindir": "/x"}), "a /x/b c@d")
        with self.assertRaises(package.PackagingError):
            package.filled("@nothing@", {})

    def test_services_and_entry_lead_to_the_prefix(self):
        for prefix, units in (("/usr", "usr/lib"), ("/opt/deadwax", "opt/deadwax/share")):
            stage = package.Stage(self.folder / prefix.replace("/", "_"), prefix)
            stage.desktop()
            stage.user_units()
            files = [path for path in stage.root.rglob("*") if path.suffix in (".service", ".desktop")]
            self.assertEqual(len(files), 3)
            for path in files:
                text = path.read_text()
                self.assertIn(f"{prefix}/bin/deadwax ", text)
                self.assertNotRegex(text, "@[a-z]+@")
                self.assertNotIn("/usr/local", text)
            self.assertTrue((stage.root / units / "systemd/user/deadwax-serve.service").is_file())

    def test_icons_have_the_sizes_of_their_folders(self):
        stage = package.Stage(self.folder, "/usr")
        stage.desktop()
        for size in package.ICON_SIZES:
            data = (stage.root / f"usr/share/icons/hicolor/{size}x{size}/apps/deadwax.png").read_bytes()
            # PNG, section 11.2.2: width and height begin the first chunk.
            self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), (size, size))
        self.assertEqual(ElementTree.parse(stage.root / "usr/share/metainfo/deadwax.metainfo.xml").findtext("id"), package.PROJECT["component"])

    def test_a_package_holds_its_files_as_root_with_sums_and_settings(self):
        root = self.folder / "root"
        stage = package.Stage(root)
        stage.write("setting\n", "/etc/default/deadwax")
        stage.compress(b"text", "/usr/share/doc/deadwax/changelog.gz")
        target = self.folder / "deadwax.deb"
        package.pack(root, {"Package": "deadwax", "Version": "1-1", "Architecture": "all", "Maintainer": "A <a@a.example>",
                            "Description": "text"}, ("postinst",), target)
        listed = package.output("dpkg-deb", "-c", target)
        self.assertNotRegex(listed, r"(?m)^\S+ (?!root/root)")
        control = self.folder / "control"
        package.output("dpkg-deb", "-e", target, control)
        self.assertEqual((control / "conffiles").read_text(), "/etc/default/deadwax\n")
        self.assertEqual(len((control / "md5sums").read_text().splitlines()), 2)
        self.assertTrue((control / "postinst").stat().st_mode & 0o100)
        package.output("dpkg-deb", "-x", target, self.folder / "out")
        self.assertEqual(gzip.decompress((self.folder / "out/usr/share/doc/deadwax/changelog.gz").read_bytes()), b"text")

    def test_a_package_that_is_made_again_has_the_same_bytes(self):
        made = []
        for folder, umask, order, zone in (("a", 0o022, 1, "UTC"), ("b/deeper", 0o077, -1, "Asia/Tokyo")):
            root = self.folder / folder
            before = os.umask(umask)
            with mock.patch.dict(os.environ, {"TZ": zone, "SOURCE_DATE_EPOCH": "1000000000"}):
                stage = package.Stage(root)
                for name in ("one", "two", "three")[::order]:
                    stage.write(name, f"/usr/share/deadwax/{name}")
                    os.utime(stage.path(f"/usr/share/deadwax/{name}"), (len(made) + 1, len(made) + 1))
                stage.compress(b"text", "/usr/share/doc/deadwax/changelog.gz")
                target = self.folder / f"{len(made)}.deb"
                package.pack(root, {"Package": "deadwax", "Version": "1-1", "Architecture": "all", "Maintainer": "A <a@a.example>",
                                    "Description": "text"}, ("postinst",), target)
            os.umask(before)
            made.append(target.read_bytes())
        self.assertEqual(made[0], made[1])

    def test_every_licence_that_is_named_has_its_text(self):
        text = (ROOT / "packaging/debian/copyright").read_text()
        used = {name for line in re.findall(r"(?m)^Files: (?:.|\n )*?\nLicense: (.*)$", text) for name in line.split(" and ")}
        used |= {name for line in re.findall(r"(?m)^Copyright:(?:.*\n )*.*\nLicense: (.*)$", text) for name in line.split(" and ")}
        texts = set(re.findall(r"(?m)^License: (\S+)\n ", text))
        self.assertEqual(used, texts)
        self.assertGreater(len(texts), 4)


    def test_sums_are_of_what_is_published_and_sha256sum_takes_them(self):
        for name in ("b.deb", "a.tar.xz", "note.txt"):
            (self.folder / name).write_text(name)
        sums = package.write_sums(self.folder)
        self.assertEqual([line.split("  ")[1] for line in sums.read_text().splitlines()], ["a.tar.xz", "b.deb"])
        package.output("sha256sum", "--check", "--strict", sums, cwd=self.folder)


class UnitTests(unittest.TestCase):
    def test_maintainer_scripts_and_services_name_the_same_units(self):
        units = {path.name for path in (ROOT / "packaging/systemd/system").iterdir()}
        for script in package.MAINTAINER_SCRIPTS:
            text = (ROOT / "packaging/debian" / script).read_text()
            self.assertLessEqual(set(re.findall(r"deadwax[\w-]*\.service", text)), units)

    def test_only_state_and_cache_are_written(self):
        for path in (ROOT / "packaging/systemd/system").iterdir():
            text = path.read_text()
            self.assertIn("ProtectSystem=strict\n", text)
            self.assertNotIn("ReadWritePaths", text)


if __name__ == "__main__":
    unittest.main()
