"""Tests of sbom.py on a made-up build; `make test-packages` checks that of a built command against the format's schema."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import sbom  # noqa: E402


class BillTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # As SwiftPM leaves it: a command, the list of what was linked, and what each target was made from.
        self.scratch = Path(folder.name) / ".build-static"
        self.build = self.scratch / "x86_64-unknown-linux-gnu/release"
        self.write(self.build / "deadwax", "")
        targets = {"Logging": "swift-log/Sources/Logging", "CNIOLLHTTP": "swift-nio/Sources/CNIOLLHTTP"}
        objects = [str(self.build / f"{target}.build/a.o") for target in (*targets, "Base")]
        self.write(self.build / "deadwax.product/Objects.LinkFileList", "\n".join(objects))
        self.write(self.build / "Logging.build/sources", f"{self.scratch}/checkouts/{targets['Logging']}/Logging.swift\n")
        self.write(self.build / "CNIOLLHTTP.build/a.c.d", f"a.c.o: {self.scratch}/checkouts/{targets['CNIOLLHTTP']}/a.c\n")
        self.write(self.build / "Base.build/sources", f"{ROOT}/Sources/Base/Text/TextFolding.swift\n")
        self.write(self.scratch / "checkouts/swift-nio/Sources/CNIOLLHTTP/include/c_nio_llhttp.h",
                   "#define LLHTTP_VERSION_MAJOR 9\n#define LLHTTP_VERSION_MINOR 3\n#define LLHTTP_VERSION_PATCH 0\n")
        pins = [{"location": f"https://github.com/apple/{name}", "state": {"revision": revision * 40, "version": version}}
                for name, revision, version in (("swift-log.git", "a", "1.2.3"), ("swift-nio.git", "b", "4.5.6"), ("swift-crypto", "c", "7.0.0"))]
        self.resolved = Path(folder.name) / "Package.resolved"
        self.write(self.resolved, json.dumps({"pins": pins}))

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def packages(self):
        with mock.patch.object(sbom, "RESOLVED", self.resolved):
            return sbom.swift_packages(self.build / "deadwax", sbom.licences())

    def test_what_is_linked_is_listed_with_revision_and_licence_and_nothing_else(self):
        listed = {item["name"]: item for item in self.packages()}
        self.assertEqual(set(listed), {"swift-log", "swift-nio"})
        self.assertEqual(listed["swift-log"]["purl"], "pkg:swift/github.com/apple/swift-log@1.2.3")
        self.assertEqual(listed["swift-log"]["pedigree"]["commits"][0]["uid"], "a" * 40)
        self.assertEqual(listed["swift-log"]["licenses"], [{"license": {"id": "Apache-2.0"}}])

    def test_a_library_inside_a_package_is_listed_with_its_own_version_and_licence(self):
        inside = {item["name"]: item["components"] for item in self.packages() if "components" in item}
        self.assertEqual([(part["name"], part["version"], part["licenses"]) for part in inside.pop("swift-nio")],
                         [("llhttp", "9.3.0", [{"license": {"id": "MIT"}}])])
        self.assertEqual(inside, {})

    def test_a_linked_package_without_a_pin_is_an_error(self):
        self.resolved.write_text(json.dumps({"pins": []}))
        with self.assertRaisesRegex(sbom.SBOMError, "swift-log, swift-nio"):
            self.packages()

    def test_a_command_without_the_list_of_its_objects_is_an_error(self):
        with self.assertRaisesRegex(sbom.SBOMError, "make static"):
            sbom.linked_packages("/bin/true")

    def test_every_licence_of_debian_s_file_has_a_name_of_spdx(self):
        text = (ROOT / "packaging/debian/copyright").read_text()
        self.assertEqual(set(re.findall(r"(?m)^License: (\S+)\n ", text)), set(sbom.SPDX))

    def test_files_of_others_are_those_that_debian_s_file_names(self):
        named = {pattern for pattern in sbom.licences() if pattern.startswith("web/")}
        self.assertEqual({path for path, _, _ in sbom.FILES}, named)

    def test_the_same_build_has_the_same_bill(self):
        with mock.patch.object(sbom, "RESOLVED", self.resolved), mock.patch.object(sbom, "runtime", lambda known: []):
            one, two, later = (sbom.document(self.build / "deadwax", "1.0.0", seconds, {"Depends": ["libc6 (>= 2.34)"]})
                               for seconds in (1, 1, 2))
        self.assertEqual(one, two)
        self.assertNotEqual(json.loads(one)["serialNumber"], json.loads(later)["serialNumber"])
        references = [item["bom-ref"] for item in json.loads(one)["components"]]
        self.assertEqual(len(references), len(set(references)))
        self.assertEqual(json.loads(one)["dependencies"][0]["dependsOn"], references)


if __name__ == "__main__":
    unittest.main()
