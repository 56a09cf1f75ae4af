import MediaModel
import Testing
import TestSupport

struct FingerprintLikenessTests {
  /// The words of made-up music; each seed gives music of its own.
  private static func words(_ count: Int, seed: UInt64) -> [UInt32] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt32(truncatingIfNeeded: state >> 16)
    }
  }

  private static func fingerprint(_ words: [UInt32], algorithm: UInt8 = 1) -> AcoustIDFingerprint {
    AcoustIDFingerprint(algorithm: algorithm, words: words)
  }

  /// The fingerprint with one bit in `distance` turned, as a lossy codec does.
  private static func worn(_ words: [UInt32], everyBits distance: Int) -> [UInt32] {
    words.enumerated().map { index, word in
      (0..<32).reduce(word) { (index * 32 + $1).isMultiple(of: distance) ? $0 ^ 1 << UInt32($1) : $0 }
    }
  }

  private static let music = words(500, seed: 1)

  private func compared(_ first: [UInt32], _ second: [UInt32]) -> FingerprintLikeness? {
    FingerprintLikeness(Self.fingerprint(first), Self.fingerprint(second))
  }

  @Test func `equal fingerprints are surely the same`() {
    let likeness = compared(Self.music, Self.music)
    #expect(likeness?.share == 1 && likeness?.coverage == 1 && likeness?.isSure == true)
  }

  @Test(arguments: [(19, false), (21, true), (100, true)])
  func `the losses of a codec are accepted up to one bit in twenty`(distance: Int, isSure: Bool) {
    #expect(compared(Self.music, Self.worn(Self.music, everyBits: distance))?.isSure == isSure)
  }

  @Test(arguments: [1, 8, 31, -1, -8, -31])
  func `silence that one file has more at its start does not matter`(offset: Int) {
    let longer = Self.words(abs(offset), seed: 2) + Self.music
    let likeness = offset > 0 ? compared(longer, Self.music) : compared(Self.music, longer)
    #expect(likeness?.share == 1 && likeness?.isSure == true)
  }

  @Test func `unrelated music shares about half of its bits`() throws {
    let likeness = try #require(compared(Self.music, Self.words(500, seed: 3)))
    #expect((0.45...0.6).contains(likeness.share) && !likeness.isSure)
  }

  @Test func `an equal start alone is not enough`() {
    #expect(compared(Self.music, Self.music.prefix(350) + Self.words(150, seed: 4))?.isSure == false)
  }

  @Test func `music that begins alike but is shifted by more than some seconds is not compared`() {
    #expect(compared(Self.words(60, seed: 5) + Self.music, Self.music)?.isSure == false)
  }

  @Test func `hum, silence and a few words say nothing`() {
    let hum = [UInt32](repeating: 627_964_279, count: 500)
    #expect(compared(hum, hum) == nil)
    #expect(compared(Array(Self.music.prefix(39)), Array(Self.music.prefix(39))) == nil)
    #expect(compared([], []) == nil)
    #expect(FingerprintLikeness(Self.fingerprint(Self.music), Self.fingerprint(Self.music, algorithm: 2)) == nil)
  }
}
