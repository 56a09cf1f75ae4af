import Base
import Testing

/// Texts of code pages that name themselves nowhere; the bytes were made by Python's codecs.
struct GuessedTextTests {
  private static let texts: [(text: String, bytes: [UInt8])] = [
    (
      "PERFORMER \"Кино\"\nTITLE \"Группа крови\"\n",
      Array("PERFORMER \"".utf8) + [202, 232, 237, 238] + Array("\"\nTITLE \"".utf8)
        + [195, 240, 243, 239, 239, 224, 32, 234, 240, 238, 226, 232, 34, 10]
    ),
    (
      "TITLE \"はじまりの歌\"\nPERFORMER \"東京の少年\"\n",
      Array("TITLE \"".utf8) + [130, 205, 130, 182, 130, 220, 130, 232, 130, 204, 137, 204]
        + Array("\"\nPERFORMER \"".utf8) + [147, 140, 139, 158, 130, 204, 143, 173, 148, 78, 34, 10]
    ),
    (
      "TITLE \"月亮代表我的心\"\nPERFORMER \"邓丽君\"\n",
      Array("TITLE \"".utf8) + [212, 194, 193, 193, 180, 250, 177, 237, 206, 210, 181, 196, 208, 196]
        + Array("\"\nPERFORMER \"".utf8) + [181, 203, 192, 246, 190, 253, 34, 10]
    ),
    (
      "TITLE \"Les Déjà-vus\"\nPERFORMER \"Björk Café\"\n",
      Array("TITLE \"Les D".utf8) + [233] + Array("j".utf8) + [224] + Array("-vus\"\nPERFORMER \"Bj".utf8) + [246]
        + Array("rk Caf".utf8) + [233, 34, 10]
    ),
  ]

  @Test(arguments: texts.indices)
  func `a code page is guessed from all of the text`(index: Int) {
    #expect(GuessedText.decoded(Self.texts[index].bytes) == Self.texts[index].text)
  }

  @Test(arguments: ["TITLE \"Slow Tide\"\n", "TITLE \"はじまりの歌\"\r\n", ""])
  func `UTF-8 and UTF-16 are read with and without a mark`(text: String) {
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(GuessedText.decoded(Array(text.utf8)) == text)
    #expect(GuessedText.decoded([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == text)
    #expect(GuessedText.decoded([0xFF, 0xFE] + little) == text)
    #expect(GuessedText.decoded([0xFE, 0xFF] + big) == text)
    #expect(GuessedText.decoded(little) == text)
    #expect(GuessedText.decoded(big) == text)
  }

  @Test func `any bytes become some text`() {
    var generator = SystemRandomNumberGenerator()
    for count in 1...300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(!GuessedText.decoded(bytes).unicodeScalars.isEmpty || bytes.allSatisfy { $0 == 0xEF || $0 >= 0xFE })
    }
  }
}
