import Base
import Testing

struct SpellingSuggestionsTests {
  private static let names = ["title", "titlesort", "tempo", "Tidal", "artist", "year"]

  @Test(arguments: [
    ("titel", ["title", "Tidal"]), ("TITLE", ["title", "titlesort"]), ("tit", ["title", "titlesort"]),
    ("tidel", ["Tidal", "title"]),
    ("yaer", ["year"]), ("ye", []), ("x", []), ("", []),
    (String(repeating: "title", count: 20), []),
  ])
  func `a mistyped name leads to those that are near`(name: String, near: [String]) {
    #expect(SpellingSuggestions.of(name, among: Self.names) == near)
  }

  @Test func `of many near names the three nearest are told`() {
    #expect(SpellingSuggestions.of("name1", among: (0..<10).map { "name\($0)" }) == ["name1", "name0", "name2"])
  }

  @Test func `a question is asked where there is something to ask`() {
    #expect(SpellingSuggestions.question([]).isEmpty)
    #expect(SpellingSuggestions.question(["title", "Tidal"]) == "; did you mean title, Tidal?")
  }
}
