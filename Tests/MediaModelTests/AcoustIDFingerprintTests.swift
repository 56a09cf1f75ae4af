import Base
import Foundation
import MediaModel
import Testing
import TestSupport

struct AcoustIDFingerprintTests {
  struct Vector: Sendable {
    var algorithm: UInt8
    var words: [UInt32]
    var bytes: [UInt8]
    var text: String
  }

  /// Written by hand from the definition, and the same in Chromaprint's own encoder.
  static let vectors = [
    Vector(algorithm: 0, words: [1], bytes: [0, 0, 0, 1, 0x01], text: "AAAAAQE"),
    Vector(algorithm: 0, words: [7], bytes: [0, 0, 0, 1, 0x49, 0], text: "AAAAAUkA"),
    Vector(algorithm: 0, words: [64], bytes: [0, 0, 0, 1, 0x07, 0], text: "AAAAAQcA"),
    Vector(algorithm: 0, words: [256], bytes: [0, 0, 0, 1, 0x07, 0x02], text: "AAAAAQcC"),
    Vector(algorithm: 0, words: [1, 0], bytes: [0, 0, 0, 2, 0x41, 0], text: "AAAAAkEA"),
    Vector(algorithm: 55, words: [1, 0], bytes: [55, 0, 0, 2, 0x41, 0], text: "NwAAAkEA"),
    Vector(
      algorithm: 1, words: [627_964_279, 627_964_279, 627_964_279],
      bytes: [1, 0, 0, 3, 0x49, 0x94, 0x68, 0x49, 0x12, 0x45, 0x91, 0x06, 0], text: "AQAAA0mUaEkSRZEGAA"),
    Vector(
      algorithm: 1, words: [0x1234_5678, 0x1234_5679, 0x9234_5679],
      bytes: [1, 0, 0, 3, 0x4C, 0xB2, 0x48, 0x54, 0x38, 0x04, 0x07, 0x19], text: "AQAAA0yySFQ4BAcZ"),
    Vector(algorithm: 1, words: [0x8000_0000], bytes: [1, 0, 0, 1, 0x07, 0x19], text: "AQAAAQcZ"),
    Vector(algorithm: 1, words: [], bytes: [1, 0, 0, 0], text: "AQAAAA"),
  ]

  @Test(arguments: vectors)
  func `the compressed form and its text are those of Chromaprint`(vector: Vector) throws {
    let fingerprint = AcoustIDFingerprint(algorithm: vector.algorithm, words: vector.words)
    #expect(fingerprint.compressed == vector.bytes)
    #expect(fingerprint.text == vector.text)
    #expect(try AcoustIDFingerprint(compressed: vector.bytes) == fingerprint)
    #expect(try AcoustIDFingerprint(text: vector.text) == fingerprint)
  }

  @Test func `any words come back, sparse and dense`() throws {
    var random = RepeatableRandom(seed: 5)
    for density in 0...4 {
      for count in [1, 2, 3, 7, 948] {
        let words = (0..<count).map { _ in
          (0..<density).reduce(UInt32.random(in: 0 ... .max, using: &random)) { word, _ in word & random.next() }
        }
        let fingerprint = AcoustIDFingerprint(algorithm: 1, words: words)
        #expect(try AcoustIDFingerprint(compressed: fingerprint.compressed) == fingerprint)
        #expect(try AcoustIDFingerprint(text: fingerprint.text) == fingerprint)
        #expect(fingerprint.text == Self.foundationText(fingerprint.compressed))
      }
    }
  }

  @Test(arguments: vectors)
  func `bytes that were cut anywhere are refused`(vector: Vector) {
    for count in 0..<vector.bytes.count {
      #expect(throws: ByteReader.Failure.self) {
        try AcoustIDFingerprint(compressed: Array(vector.bytes.prefix(count)))
      }
    }
  }

  @Test func `words that are announced but not there are refused, and none is allocated for them`() {
    #expect(throws: ByteReader.Failure.self) { try AcoustIDFingerprint(compressed: [1, 0xFF, 0xFF, 0xFF, 0, 0]) }
    #expect(throws: ByteReader.Failure.self) { try AcoustIDFingerprint(compressed: [1, 0, 0, 3, 0]) }
  }

  @Test func `a bit beyond a word is refused`() {
    // Distances 7 + 31 and 7 + 7 + 7 + 7 + 7: positions 38 and 35.
    #expect(throws: ByteReader.Failure.self) { try AcoustIDFingerprint(compressed: [1, 0, 0, 1, 0x07, 0x1F]) }
    #expect(throws: ByteReader.Failure.self) {
      try AcoustIDFingerprint(compressed: [1, 0, 0, 1, 0xFF, 0x7F, 0, 0, 0, 0, 0])
    }
  }

  @Test func `random bytes are refused or read as words that can be written again`() throws {
    var random = RepeatableRandom(seed: 9)
    var readCount = 0
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 4...24, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      (bytes[1], bytes[2], bytes[3]) = (0, 0, bytes[3] % 6)
      guard let read = try? AcoustIDFingerprint(compressed: bytes) else { continue }
      readCount += 1
      #expect(try AcoustIDFingerprint(compressed: read.compressed) == read)
    }
    #expect(readCount > 1_000)
  }

  @Test(arguments: ["AQAAA0mUaEkSRZEGA=", "AQ AAAA", "AQAAAQc+", "AQAAAQc/", "", "A", "Ünï", "AQAAA"])
  func `text that is not the text of a fingerprint is refused`(text: String) {
    #expect(throws: ByteReader.Failure.self) { try AcoustIDFingerprint(text: text) }
  }

  private static func foundationText(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
