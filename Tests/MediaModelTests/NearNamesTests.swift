import MediaModel
import Testing

struct NearNamesTests {
  private static let names = ["title", "titlesort", "tempo", "Tidal", "artist", "year"]

  @Test(arguments: [
    ("titel", ["title", "Tidal"]), ("TITLE", ["title", "titlesort"]), ("tit", ["title", "titlesort"]),
    ("tidel", ["Tidal", "title"]),
    ("yaer", ["year"]), ("ye", []), ("x", []), ("", []),
    (String(repeating: "title", count: 20), []),
  ])
  func `a mistyped name leads to those that are near`(name: String, near: [String]) {
    #expect(NearNames.of(name, among: Self.names) == near)
  }

  @Test func `of many near names the three nearest are told`() {
    #expect(NearNames.of("name1", among: (0..<10).map { "name\($0)" }) == ["name1", "name0", "name2"])
  }

  @Test func `a question is asked where there is something to ask`() {
    #expect(NearNames.question([]).isEmpty)
    #expect(NearNames.question(["title", "Tidal"]) == "; did you mean title, Tidal?")
  }
}
