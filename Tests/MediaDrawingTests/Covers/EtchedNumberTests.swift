import MediaDrawing
import MediaModel
import Testing

struct EtchedNumberTests {
  /// From draft-eastlake-fnv, appendix C.
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("b", 0xAF63_DF4C_8601_F1A5),
      ("foobar", 0x8594_4171_F739_67E8), ("chongo was here!\n", 0x4681_0940_EFF5_F915),
    ] as [(String, UInt64)])
  func `it is FNV-1a`(text: String, value: UInt64) {
    #expect(EtchedNumber.extended(EtchedNumber.start, with: text.utf8) == value)
  }

  @Test func `it is of all hashes as text, in order`() {
    let hashes = [ContentHash(high: 1, low: 2), ContentHash(high: 0xABCD, low: .max)]
    let text = "000000000000000100000000000000020000000000" + "00abcdffffffffffffffff"
    #expect(EtchedNumber(of: hashes).value == EtchedNumber.extended(EtchedNumber.start, with: text.utf8))
    #expect(EtchedNumber(of: hashes) != EtchedNumber(of: hashes.reversed()))
  }

  @Test func `it is written in groups of four digits`() {
    #expect(EtchedNumber(of: []).description == "DW CBF2 9CE4 8422 2325")
  }

  @Test func `digits at the start are never left out`() throws {
    // One number of sixteen begins with 0.
    let numbers = (0..<200).map { EtchedNumber(of: [ContentHash(high: $0, low: 7)]) }
    #expect(numbers.contains { $0.description.hasPrefix("DW 0") })
    #expect(numbers.allSatisfy { $0.description.utf8.count == 22 })
  }

  @Test(arguments: "DW0123456789ABCDEF")
  func `every letter has strokes inside its width and the height of capitals`(character: Character) throws {
    let letter = try #require(EtchedLetter.of(character))
    let half = EtchedLetter.strokeWidth / 2
    #expect(!letter.strokes.isEmpty && letter.strokes.allSatisfy { $0.count > 1 })
    let points = letter.strokes.joined()
    #expect(points.allSatisfy { $0.x >= half && $0.x <= letter.advance - half })
    // Round ones are eight units higher and lower.
    #expect(abs((points.map(\.y).max() ?? 0) - (688 + 4)) <= 6 && abs((points.map(\.y).min() ?? 0) - (48 - 4)) <= 6)
  }

  @Test func `no two letters are alike, and others there are none`() {
    let drawn = "DW0123456789ABCDEF".compactMap { EtchedLetter.of($0) }
      .map { letter in letter.strokes.map { $0.map { "\($0.x) \($0.y)" } } }
    #expect(Set(drawn.dropFirst(1)).count == 17)
    #expect(EtchedLetter.of("O") == nil && EtchedLetter.of(" ")?.strokes.isEmpty == true)
  }

  @Test func `the 1 has a flag, and room around its stem`() throws {
    let one = try #require(EtchedLetter.of("1"))
    #expect(one.advance == 544)
    #expect(one.strokes[0].map { [$0.x, $0.y] } == [[175, 560], [350, 688], [350, 48]])
  }
}
