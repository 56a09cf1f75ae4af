import MediaModel
import Testing

struct MusicalKeyTests {
  /// The wheel as it is printed: name, Camelot, Open Key.
  private static let wheel = [
    ("G#m", "1A", "6m"), ("D#m", "2A", "7m"), ("Bbm", "3A", "8m"), ("Fm", "4A", "9m"), ("Cm", "5A", "10m"),
    ("Gm", "6A", "11m"), ("Dm", "7A", "12m"), ("Am", "8A", "1m"), ("Em", "9A", "2m"), ("Bm", "10A", "3m"),
    ("F#m", "11A", "4m"), ("C#m", "12A", "5m"), ("B", "1B", "6d"), ("F#", "2B", "7d"), ("Db", "3B", "8d"),
    ("Ab", "4B", "9d"), ("Eb", "5B", "10d"), ("Bb", "6B", "11d"), ("F", "7B", "12d"), ("C", "8B", "1d"),
    ("G", "9B", "2d"), ("D", "10B", "3d"), ("A", "11B", "4d"), ("E", "12B", "5d"),
  ]

  @Test(arguments: wheel)
  func `each key is read in each notation, and written in it`(name: String, camelot: String, openKey: String) throws {
    let key = try #require(MusicalKey(name))
    #expect(MusicalKey(camelot) == key && MusicalKey(openKey) == key)
    #expect(MusicalKey(key.name) == key && key.camelot == camelot && key.openKey == openKey)
    #expect(MusicalKey(number: key.number) == key)
  }

  @Test func `the wheel has every key`() {
    #expect(Set(Self.wheel.compactMap { MusicalKey($0.0)?.number }) == Set(0..<24))
  }

  @Test(arguments: [
    ("a minor", "Am"), ("A min", "Am"), ("Amin", "Am"), ("a-Moll", "Am"), ("C dur", "C"), ("C Major", "C"),
    ("CM", "C"), ("Cm", "Cm"), ("F♯ minor", "F#m"), ("Gb", "F#"), ("Cb", "B"), ("E♭", "Eb"), ("H", "B"),
    ("8a", "Am"), ("08A", "Am"), (" 12d ", "F"),
  ])
  func `people and programs write keys in many ways`(text: String, name: String) {
    #expect(MusicalKey(text)?.name == MusicalKey(name)?.name)
    #expect(MusicalKey(text) != nil)
  }

  @Test(arguments: ["", "o", "X", "13A", "0A", "8C", "8", "A8", "Amazing", "100A", "m", "#", "8AA", "٨A"])
  func `anything else is no key`(text: String) {
    #expect(MusicalKey(text) == nil)
  }

  @Test func `numbers beyond the range are no keys`() {
    #expect(MusicalKey(number: -1) == nil && MusicalKey(number: 24) == nil)
  }

  @Test func `the distance counts fifths, and a change of mode`() throws {
    let a = try #require(MusicalKey("8A"))
    for (other, distance) in [("8A", 0), ("9A", 1), ("7A", 1), ("8B", 1), ("9B", 2), ("2A", 6), ("1A", 5)] {
      #expect(a.distance(to: try #require(MusicalKey(other))) == distance, "\(other)")
    }
  }

  @Test func `a fifth up is one further on the wheel`() {
    for key in MusicalKey.all { #expect(key.distance(to: key.transposed(by: 7)) == 1) }
  }
}
