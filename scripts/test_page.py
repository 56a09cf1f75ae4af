"""The scripts that keep the page in order: its layers (page-graph.py), and what is derived from its files (page-files.py)."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent


class ScriptTest(unittest.TestCase):
    """A page that a test makes up in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("web/app.js", "import { a } from './core/a.js';\n")
        self.write("web/core/a.js", "export const a = 1;\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, name, *arguments):
        done = subprocess.run([sys.executable, SCRIPTS / name, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class PageGraphTests(ScriptTest):
    def check(self):
        return self.run_script("page-graph.py", "--check", "--web", self.root / "web")

    def test_arrows_down_and_within_a_folder_are_fine(self):
        self.write("web/views/map/map.js", "import {\n  a,\n  b,\n} from '../../core/a.js';\nimport { model } from './model.js';\n")
        self.write("web/views/map/model.js", "export const model = 1;\n")
        self.assertEqual(self.check(), (0, ""))

    def test_an_arrow_upward_is_found_whatever_kind_of_import_it_is(self):
        for text in ("import { b } from '../data/b.js';", "import '../data/b.js';", 'import { b } from "/data/b.js";',
                     "export * from '../data/b.js';", "import { c } from './c.js'; import { b } from '../data/b.js';",
                     "const later = () => import('../data/b.js');", "import(\n  /* later */ `../data/b.js`,\n);",
                     "/** @type {import('../data/b.js').B} */", '/** @type {import("../data/b.js").B} */',
                     "/** @import { B } from '../data/b.js' */", "new Worker('/data/b.js', { type: 'module' });",
                     "await context.audioWorklet.addModule('/data/b.js');"):
            self.write("web/core/a.js", text + "\n")
            self.write("web/data/b.js", "export const b = 1;\n")
            self.assertEqual(self.check(), (1, "the page: core/a.js uses data/b.js: upward\n"), text)

    def test_only_addresses_of_modules_count(self):
        self.write("web/core/a.js", "const text = `taken from '${name}'`;\nimport.meta.url;\nfetch('/data/b.js');\n// from data/b.js\n")
        self.assertEqual(self.check(), (0, ""))

    def test_a_circle_of_folders_of_one_layer_is_found_though_no_module_is_in_one(self):
        self.write("web/views/one/a.js", "import { c } from '../two/c.js';\n")
        self.write("web/views/one/b.js", "export const b = 1;\n")
        self.write("web/views/two/c.js", "export const c = 1;\n")
        self.write("web/views/two/d.js", "import { b } from '../one/b.js';\n")
        status, text = self.check()
        self.assertEqual(status, 1)
        self.assertRegex(text, r"^the page: a circle of folders: (views/one → views/two → views/one|views/two → views/one → views/two)\n$")

    def test_a_circle_of_modules_within_a_folder_is_found(self):
        self.write("web/core/a.js", "import { b } from './b.js';\n")
        self.write("web/core/b.js", "/** @typedef {import('./a.js').A} A */\n")
        status, text = self.check()
        self.assertEqual((status, text.split(":")[1]), (1, " a circle of modules"))

    def test_a_folder_in_no_layer_is_told(self):
        self.write("web/helpers/a.js", "")
        self.assertEqual(self.check(), (1, "the page: helpers/ is in no layer\n"))

    def test_the_graph_is_drawn_from_the_bottom_to_the_top(self):
        status, text = self.run_script("page-graph.py", "--web", self.root / "web")
        self.assertEqual((status, text), (0, "2 modules, 2 folders, 1 arrows\n  core → –\n  app → core\n"))


class PageFilesTests(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("web/index.html", '<link rel="modulepreload" href="/old.js">\n<script type="module" src="/app.js"></script>\n')
        self.write("web/data/types.d.ts", "export interface A {}\n")
        self.write("web/.hidden", "")
        (self.root / "Sources/CWebPage").mkdir(parents=True)

    def run_here(self, *arguments):
        return self.run_script("page-files.py", "--root", self.root, *arguments)

    def test_all_files_are_embedded_but_types_and_hidden_ones(self):
        self.assertEqual(self.run_here(), (0, ""))
        text = (self.root / "Sources/CWebPage/page-files.h").read_text()
        self.assertEqual([line.split('"')[1] for line in text.splitlines() if line.startswith("    {")], ["app.js", "core/a.js", "index.html"])
        self.assertEqual(text.count('#embed "../../web/'), 3)

    def test_the_page_names_what_is_imported_at_once(self):
        self.write("web/core/a.js", "import { b } from './b.js';\nconst later = () => import('../c.js');\n")
        self.write("web/core/b.js", "")
        self.write("web/c.js", "")
        self.run_here()
        self.assertEqual((self.root / "web/index.html").read_text().splitlines()[:-1],
                         ['<link rel="modulepreload" href="/core/a.js">', '<link rel="modulepreload" href="/core/b.js">'])

    def test_what_is_out_of_date_is_told_and_stays(self):
        self.run_here()
        self.assertEqual(self.run_here("--check"), (0, ""))
        self.write("web/new.js", "")
        status, text = self.run_here("--check")
        self.assertEqual((status, text), (1, "Sources/CWebPage/page-files.h is older than the files in web/: run scripts/page-files.py\n"))
        self.assertEqual(self.run_here("--check")[0], 1)


if __name__ == "__main__":
    unittest.main()
