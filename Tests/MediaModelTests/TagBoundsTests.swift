import MediaModel
import Testing

// Faults: 222
/// How much of its tags a file brings into a library.
struct TagBoundsTests {
  private static func property(_ name: String, _ count: Int, byteCount: Int = 1) -> Tags.Property {
    Tags.Property(name: name, values: (0..<count).map { String(String(repeating: "x", count: byteCount) + "\($0)") })
  }

  @Test func `ordinary tags stay as they are`() {
    let tags = Tags([Self.property("ARTIST", 256), Self.property("LYRICS", 1, byteCount: 60_000)])
    #expect(tags.bounded == tags)
  }

  @Test func `of three thousand artists the first ones are kept`() {
    let tags = Tags([Self.property("ARTIST", 3000), Self.property("TITLE", 1)]).bounded
    #expect(tags["ARTIST"] == Array(Self.property("ARTIST", 256).values) && tags["TITLE"] == ["x0"])
  }

  @Test func `large tags push out no small ones`() {
    let lyrics = (0..<14).map { Self.property("A\($0)", 1, byteCount: 65_000) }
    let tags = Tags(lyrics + [Self.property("ZZ", 5), Self.property("TITLE", 1)]).bounded
    #expect(tags["TITLE"] == ["x0"] && tags["ZZ"].count == 5)
    #expect((300_000...Tags.maximumByteCount).contains(tags.byteCount))
  }

  @Test func `the number of values is bounded over all names`() {
    let tags = Tags((0..<20_000).map { Self.property("N\($0)", 1) }).bounded
    #expect(tags.valueCount == Tags.maximumValueCount && tags.bounded == tags)
  }
}
