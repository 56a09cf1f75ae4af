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

  /// Texts, their code pages, and their bytes, which Python's codecs made.
  private static let pages: [(text: String, page: String, bytes: String)] = [
    (
      "TITLE \"사랑했지만\"\nPERFORMER \"김광석\"\n", "CP949",
      "5449544c452022bbe7b6fbc7dfc1f6b8b8220a504552464f524d45522022b1e8b1a4bcae220a"
    ),
    (
      "TITLE \"月亮代表我的心\"\nPERFORMER \"鄧麗君\"\n", "BIG5",
      "5449544c452022a4ebab47a54eaaeda7daaabaa4df220a504552464f524d45522022be48c452a767220a"
    ),
    (
      "TITLE \"Miłość i złość\"\nPERFORMER \"Łąka\"\n", "CP1250",
      "5449544c4520224d69b36f9ce62069207ab36f9ce6220a504552464f524d45522022a3b96b61220a"
    ),
    (
      "TITLE \"Příliš žluťoučký kůň\"\nPERFORMER \"Dvořák\"\n", "CP1250",
      "5449544c45202250f8ed6c699a209e6c759d6f75e86bfd206bf9f2220a504552464f524d4552202244766ff8e16b220a"
    ),
    (
      "PERFORMER \"Кино\"\nTITLE \"Группа крови\"\n", "KOI8-R",
      "504552464f524d45522022ebc9cecf220a5449544c452022e7d2d5d0d0c120cbd2cfd7c9220a"
    ),
    (
      "группа крови на рукаве", "KOI8-R",
      "c7d2d5d0d0c120cbd2cfd7c920cec120d2d5cbc1d7c5"
    ),
    (
      "ГРУППА КРОВИ НА РУКАВЕ", "CP1251",
      "c3d0d3cfcfc020cad0cec2c820cdc020d0d3cac0c2c5"
    ),
    (
      "TITLE \"Die Ärzte: ¿Qué? ¡Olé! Größe\"\nPERFORMER \"Sigur Rós – Ágætis byrjun\"\n", "CP1252",
      "5449544c45202244696520c4727a74653a20bf5175e93f20a14f6ce921204772f6df65220a504552464f524d45522022"
        + "53696775722052f373209620c167e6746973206279726a756e220a"
    ),
    (
      "Motörhead; Mötley Crüe; Queensrÿche; Blue Öyster Cult; Françoise Hardy; créée", "CP1252",
      "4d6f74f672686561643b204df6746c6579204372fc653b20517565656e7372ff6368653b20426c756520d67973746572"
        + "2043756c743b204672616ee76f6973652048617264793b206372e9e965"
    ),
    (
      "Æble, ø og å: Sørens år", "CP1252",
      "c6626c652c20f8206f6720e53a2053f872656e7320e572"
    ),
    (
      "角落之歌 苏云 休闲音乐", "GB18030",
      "bdc7c2e4d6aeb8e820cbd5d4c620d0ddcfd0d2f4c0d6"
    ),
    (
      "北島三郎 津軽海峡冬景色", "CP932",
      "966b93878e4f98592092c38c798a438bac937e8c699046"
    ),
    (
      "이문세 - 옛사랑", "CP949",
      "c0ccb9aebcbc202d20bfbebbe7b6fb"
    ),
    (
      "周杰倫 青花瓷 我很忙", "BIG5",
      "a950aa4eaddb20ab43aae1b2a120a7daabdca6a3"
    ),
  ]

  @Test(arguments: pages.indices) func `each code page is told from the others`(index: Int) {
    let (text, page, hexadecimal) = Self.pages[index]
    let digits = Array(hexadecimal)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    let guess = GuessedText(bytes)
    #expect(guess.text == text)
    #expect(guess.encoding.rawValue == page)
    #expect(guess.isGuess)
    // Of bytes that claim to be Latin-1, only what no language of Western Europe has is taken for something else.
    let isWestern = ["CP1252", "CP1250"].contains(page)
    #expect((TextEncoding.contradicting(latin1: bytes) == nil) == isWestern)
  }

  @Test func `what shows its encoding is no guess`() {
    for text in ["plain", "Größe", ""] { #expect(!GuessedText(Array(text.utf8)).isGuess) }
    #expect(!GuessedText([0xFF, 0xFE, 0x41, 0]).isGuess)
    #expect(TextEncoding.contradicting(latin1: Array("plain".utf8)) == nil)
    #expect(TextEncoding.contradicting(latin1: Array("Größe".utf8)) == .utf8)
  }

  @Test func `any bytes become some text`() {
    var generator = SystemRandomNumberGenerator()
    for count in 1...300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(!GuessedText.decoded(bytes).unicodeScalars.isEmpty || bytes.allSatisfy { $0 == 0xEF || $0 >= 0xFE })
    }
  }
}
