import Base
import Testing
import TestSupport

struct FileNamesTests {
  @Test func `a template puts values in its places`() throws {
    let template = try FileNameTemplate("{Artist} - {track:02} {title} {{{artist}}}")
    #expect(template.fields == ["artist", "track", "title"])
    #expect(template.names(values: ["Nora", "7", "Slow"]) == ["Nora - 07 Slow {Nora}"])
    #expect(template.names(values: ["Nora", "123", "Slow"]) == ["Nora - 123 Slow {Nora}"])
    #expect(template.names(values: ["Nora", "A", "Slow"]) == ["Nora - A Slow {Nora}"])
    #expect(template.names(values: []) == [" -   {}"])
  }

  @Test func `a slash of the template begins a folder, one of a value does not`() throws {
    let template = try FileNameTemplate("{artist}/{album}/{track} {title}")
    #expect(
      template.names(values: ["AC/DC", "../..", "7", "a/b"]) == ["AC_DC", ".._..", "07 a_b"])
    #expect(try FileNameTemplate("{track:0}{disc}").names(values: ["7", "1"]) == ["71"])
    var names = UniqueFileNames(ending: "mp3")
    #expect(names.next(for: ["AC/DC", "..", "a"]) == "AC_DC/untitled/a.mp3")
    #expect(names.next(for: ["AC/DC", "..", "A"]) == "AC_DC/untitled/A (2).mp3")
    #expect(names.next(for: ["AC/DC", ". con", "a"]) == "AC_DC/_ con/a.mp3")
    #expect(names.next(for: [String(repeating: "é", count: 200), "a"]).utf8.count == 254 + 1 + 5)
  }

  @Test(arguments: [
    "", "name", "{", "}", "{title", "title}", "{}", "{title:x}", "{title:10}", "{title:-1}", "/{title}", "{title}/",
    "{album}//{title}", "../{title}", "{album}/./{title}",
  ])
  func `a template that cannot be is an error`(text: String) {
    #expect(throws: TemplateError.self) { try FileNameTemplate(text) }
  }

  @Test(arguments: [
    ("Slow Tide", "Slow Tide.png"), ("AC/DC", "AC_DC.png"), ("../../etc/passwd", "_._.._etc_passwd.png"),
    ("..", "untitled.png"), (".", "untitled.png"), ("", "untitled.png"), ("   ", "untitled.png"),
    (".hidden", "_hidden.png"), ("a\u{0}b\n\u{1B}[31mc", "a_b__[31mc.png"), ("-rf", "-rf.png"),
    ("CON", "_CON.png"), ("con.aux", "_con.aux.png"), ("Lpt1", "_Lpt1.png"), ("CONcert", "CONcert.png"),
    ("what? <why>: \"x\" | *", "what_ _why__ _x_ _ _.png"), ("end. . ", "end.png"),
    ("abc\u{202E}gnp.exe", "abc_gnp.exe.png"), ("صدى البحر", "صدى البحر.png"), ("C:\\x", "C__x.png"),
  ])
  func `any text becomes a name that is one everywhere`(text: String, name: String) {
    #expect(SafeFileName.name(for: text, ending: "png") == name)
  }

  @Test func `long names are cut between characters, and keep their ending`() {
    for text in [String(repeating: "a", count: 1000), String(repeating: "é星👨‍👩‍👧", count: 100)] {
      let name = SafeFileName.name(for: text, addition: " (12)", ending: "json")
      #expect(name.utf8.count <= 255 && name.utf8.count > 225)
      #expect(name.hasSuffix(" (12).json"))
      #expect(text.hasPrefix(name.dropLast(10)))
    }
    let tower = "a" + String(repeating: "\u{301}", count: 500)
    #expect(SafeFileName.name(for: tower, ending: "png").utf8.count == 255)
  }

  @Test func `the same names are numbered, whatever their case and form`() {
    var names = UniqueFileNames(ending: "png")
    let given = ["Café", "cafe\u{301}", "CAFÉ", "Café (2)", "other", "Café"].map { names.next(for: $0) }
    #expect(
      given == ["Café.png", "cafe\u{301} (2).png", "CAFÉ (3).png", "Café (2) (2).png", "other.png", "Café (4).png"])
  }

  @Test func `random texts become safe names that differ`() {
    var random = RepeatableRandom(seed: 3)
    let alphabet: [Character] = ["/", ".", "\0", "a", "A", "é", "\u{202E}", " ", "👩‍👧", "星", "(", "2", ")", "\n", "\\"]
    var names = UniqueFileNames(ending: "svg")
    var seen: Set<String> = []
    for _ in 0..<3000 {
      let length = Bool.random(using: &random) ? 3 : 300
      let text = String(
        (0..<Int.random(in: 0...length, using: &random)).compactMap { _ in
          alphabet.randomElement(using: &random)
        })
      let name = names.next(for: text)
      #expect(seen.insert(name.lowercased()).inserted)
      #expect(name.utf8.count <= 255 && !name.hasPrefix(".") && name.hasSuffix(".svg"))
      #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0 == "/" || $0 == "\\" || $0.value == 0x202E })
    }
  }
}
