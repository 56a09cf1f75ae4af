import MediaModel
import Testing

struct ContributorTests {
  @Test(
    arguments: [
      ("Nora Vale (violin)", "Nora Vale", "violin"), ("Nora Vale (violin (solo))", "Nora Vale", "violin (solo)"),
      ("Nora Vale", "Nora Vale", nil), ("(violin)", "(violin)", nil), (" (violin)", " (violin)", nil),
      ("Nora Vale (violin", "Nora Vale (violin", nil), ("Nora (Vale) Trio", "Nora (Vale) Trio", nil),
    ] as [(String, String, String?)])
  func `a performer has an instrument in parentheses`(text: String, name: String, instrument: String?) {
    let performer = Contributor(.performer, text)
    #expect(performer.name == name && performer.instrument == instrument)
    let composer = Contributor(.composer, text)
    #expect(composer.name == text && composer.instrument == nil)
  }

  @Test func `people come by their roles, each once`() {
    let values: [ContributorRole: [String]] = [
      .performer: ["B (viola)", "A", "B (violin)", "B (viola)"], .composer: ["C", "A"], .djmixer: ["D"],
    ]
    let people = Contributor.all { values[$0] ?? [] }
    #expect(people.map(\.name) == ["C", "A", "B", "A", "B", "D"])
    #expect(people.map(\.instrument) == [nil, nil, "viola", nil, "violin", nil])
  }

  @Test(
    arguments: [
      ("Adagio", "2", "4", "Adagio", 2, 4), ("Adagio", "2/4", nil, "Adagio", 2, 4), (nil, "3", nil, nil, 3, nil),
      ("Adagio", "II", nil, "Adagio", nil, nil),
    ] as [(String?, String?, String?, String?, Int?, Int?)])
  func `a movement has a name, a number and a count, as far as tags say them`(
    name: String?, number: String?, count: String?, readName: String?, readNumber: Int?, readCount: Int?
  ) throws {
    let movement = try #require(Movement(name: name, number: number, count: count))
    #expect(movement.name == readName && movement.number == readNumber && movement.count == readCount)
  }

  @Test func `a count alone is no movement`() {
    #expect(Movement(name: nil, number: nil, count: "4") == nil)
    #expect(Movement(name: nil, number: "x", count: nil) == nil)
  }
}
