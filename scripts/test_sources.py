"""Tests of what reads the sources: folder-graph.py and check-names.py."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def loaded(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


graph, check_names = loaded("folder-graph"), loaded("check-names")


class FolderGraphTests(unittest.TestCase):
    def module(self, **files):
        """A module with files by their paths, of which `__` separates folders."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name) / "Module"
        for name, text in files.items():
            path = root / (name.replace("__", "/") + ".swift")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return root

    def pairs(self, **files):
        return set(graph.arrows(self.module(**files)))

    def test_an_arrow_leads_from_who_names_to_who_declares(self):
        self.assertEqual(self.pairs(A__one="struct One { let two: Two }", B__two="package final class Two {}"), {("A", "B")})

    def test_every_kind_of_declaration_counts(self):
        for declaration in (
                "enum Two {}", "protocol Two {}", "actor Two {}", "typealias Two = Int", "@MainActor struct Two {}",
                "package indirect enum Two {}", "nonisolated(unsafe) var Two = 1", "@available(*, deprecated) class Two {}"):
            self.assertEqual(self.pairs(A__one="let one: Any = Two", B__two=declaration), {("A", "B")}, declaration)
        self.assertEqual(self.pairs(A__one="let one = two()", B__two="@inlinable func two() -> Int { 2 }"), {("A", "B")})

    def test_comments_literals_members_and_private_names_do_not_count(self):
        two = "struct Two {}\nprivate struct Own {}\nfileprivate let hidden = 1\n"
        for one in ("// Two", "/* Two\nTwo */", 'let text = "Two"', 'let text = """\n  Two "Two"\n  """', 'let text = #"Two" Two"#',
                    "let other = Other.Two", "let own = Own.self", "let value = hidden"):
            self.assertEqual(self.pairs(A__one=one, B__two=two), set(), one)
        self.assertEqual(self.pairs(A__one='let text = "\\"" + Two.text', B__two=two), {("A", "B")})

    def test_interpolated_code_counts(self):
        for one in ('"\\(Two.self) a"', '"a \\(f("b", Two.self))"', '#"\\#(Two.self)"#', '"""\n  \\(Two.self)\n  """'):
            self.assertEqual(self.pairs(A__one=f"let one = {one}", B__two="struct Two {}"), {("A", "B")}, one)

    def test_names_behind_their_module_and_under_conditions_count(self):
        self.assertEqual(self.pairs(A__one="let one: Module.Two", B__two="struct Two {}"), {("A", "B")})
        self.assertEqual(self.pairs(A__one="let one: Two", B__two="#if os(Linux)\n  struct Two {}\n#endif"), {("A", "B")})

    def test_members_of_extensions_count_behind_their_type_or_if_nothing_else_has_their_name(self):
        two = "extension One {\n  static let raised = 1\n  struct Inner {}\n  private func hidden() {}\n}\n"
        for use in ("One.raised", "One.Inner()", "x.raised", ".raised"):
            self.assertEqual(self.pairs(A__one=f"let one = {use}", B__two=two), {("A", "B")}, use)
        for use in ("x.hidden()", "Other.name", "f(raised: 1)"):
            self.assertEqual(self.pairs(A__one=f"let one = {use}", B__two=two), set(), use)
        self.assertEqual(self.pairs(A__one="let one = x.raised", B__two=two, C__three="enum Three {\n  case other, raised\n}"), set())
        own = "struct One {\n  static func raised() {}\n}\nlet one = One.raised()"
        self.assertEqual(self.pairs(A__one=own, B__two="extension One {\n  static func raised(_: Int) {}\n}"), {("B", "A")})

    def test_members_of_types_are_no_declarations_of_the_file(self):
        self.assertEqual(self.pairs(A__one="let one = Two.self", B__two="struct Three {\n  struct Two {}\n}"), set())

    def test_a_name_of_the_own_folder_is_the_own_one(self):
        self.assertEqual(self.pairs(A__one="let one = same(1)", A__own="func same(_: Int) {}", B__two="func same(_: String) {}"), set())

    def test_subfolders_are_folders_of_their_own_and_files_beside_folders_are_one(self):
        files = {"A__deep__one": "let one: Two", "A__two": "struct Two {}", "root": "let root: Two"}
        self.assertEqual(self.pairs(**files), {(".", "A"), ("A/deep", "A")})

    def test_circles_are_found_whole(self):
        self.assertEqual(graph.circles([("A", "B"), ("B", "C"), ("C", "A"), ("C", "D"), ("D", "E"), ("E", "D"), ("F", "A")]),
                         [["A", "B", "C"], ["D", "E"]])
        self.assertEqual(graph.circles([("A", "B"), ("B", "C"), ("A", "C")]), [])

    def test_circles_of_modules_are_found_whatever_their_imports_look_like(self):
        for text in ("import A", "package import A", "@_spi(X) @preconcurrency import A", "import struct A.Thing",
                     "#if os(Linux)\n  import A"):
            uses = graph.imports(self.module(A__a="import B", B__b=text))
            self.assertEqual(graph.circles([(one, other) for one in uses for other in uses[one]]), [["A", "B"]], text)

    def test_the_drawing_leaves_out_what_longer_ways_say(self):
        self.assertEqual(graph.mermaid({"A": {"B", "C"}, "B": {"C"}, "C": set()}), "graph TD\n  A --> B\n  B --> C")


class NamesTests(unittest.TestCase):
    words = {"StreamStatement": "StreamDeclaration", "Lull": "Debounce"}

    def found(self, text):
        return check_names.found(text, self.words)

    def test_a_retired_word_is_found_in_every_form(self):
        for text in ("struct StreamStatement {}", "let streamStatement = 1", "let oldStreamStatements = 1", "x.streamStatement.y",
                     "struct HTTPStreamStatement {}"):
            self.assertEqual(self.found("\n" + text), [(2, "StreamStatement")], text)

    def test_other_words_comments_and_literals_are_not(self):
        for text in ("let lullaby = 1", "let statement = 1", "// StreamStatement", 'let text = "Lull"', "let pullLulled = 1"):
            self.assertEqual(self.found(text), [], text)

    def test_the_page_and_names_of_files_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("web/patient.js", "const patience = [500];\n"), ("web/stream-statement.js", ""), ("web/lullaby.js", "")):
                path = Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, HERE / "check-names.py", "--sources", folder], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.replace(f"{folder}/", "").splitlines()), (1, [
            "web/patient.js:1: Patience is retired; the word is StallTimeout",
            "web/stream-statement.js:1: StreamStatement is retired; the word is StreamDeclaration"]))

    def test_the_list_is_read(self):
        words = check_names.retired((HERE / "retired-words.txt").read_text())
        self.assertIn("StreamStatement", words)
        self.assertTrue(all(old.isalnum() and new.isalnum() for old, new in words.items()))


if __name__ == "__main__":
    unittest.main()
