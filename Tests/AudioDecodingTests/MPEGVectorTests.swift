import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The streams of the minimp3 project with its reference PCM, which is of 16 bits.
///
/// They are raw, without encoder delay to be removed, except for one whose reference is trimmed like ours; so what a
/// player hears is what is compared.
@Suite(.enabled(if: Corpora.root != nil, "\(Corpora.absence)"))
struct MPEGVectorTests {
  private static var folder: URL? { Corpora.root?.appending(path: "mp3-vectors") }

  private static var names: [String] {
    guard let folder else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".bit") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// How a decode compares with the reference.
  enum Outcome: Hashable {
    /// At most a rounding apart over all that both have, which is all but so many frames of ours or of the reference.
    case equal(surplus: Int = 0, missing: Int = 0)
    /// Neither has sound.
    case bothEmpty
    case onlyReference, onlyOurs
    case differs
  }

  /// Those that are not simply equal.
  ///
  /// The references of layers I and II go on behind the last frame, those of some streams of layer III end a frame
  /// early. We stop where the number of channels changes. The others hold damaged frames, or were cut in front;
  /// free format of layer II is refused, because libmpg123 makes noise of it.
  private static let exceptions: [String: Outcome] = [
    "ILL2_overalloc2": .bothEmpty,
    "l1-fl1": .equal(missing: 13952),
    "l1-fl2": .equal(missing: 13952),
    "l1-fl3": .equal(missing: 13952),
    "l1-fl4": .equal(missing: 13952),
    "l1-fl5": .equal(missing: 13952),
    "l1-fl6": .equal(missing: 13952),
    "l1-fl7": .equal(missing: 8576),
    "l1-fl8": .equal(missing: 13952),
    "l2-fl10": .equal(missing: 9088),
    "l2-fl11": .equal(missing: 9088),
    "l2-fl12": .equal(missing: 9088),
    "l2-fl13": .equal(missing: 9088),
    "l2-fl14": .equal(missing: 14336),
    "l2-fl15": .equal(missing: 14336),
    "l2-fl16": .equal(missing: 9344),
    "l2-nonstandard-fl1_fl2_ff": .differs,
    "l2-nonstandard-free_format": .onlyReference,
    "l2-nonstandard-test32-size": .differs,
    "l3-he_32khz": .equal(surplus: 1152),
    "l3-he_44khz": .equal(surplus: 1152),
    "l3-he_48khz": .equal(surplus: 1152),
    "l3-he_free": .equal(surplus: 1152),
    "l3-he_mode": .equal(missing: 251136),
    "l3-hecommon": .equal(surplus: 1152),
    "l3-nonstandard-big-iscf": .onlyOurs,
    "l3-nonstandard-compl-sideinfo-bigvalues": .differs,
    "l3-nonstandard-compl-sideinfo-blocktype": .differs,
    "l3-nonstandard-compl-sideinfo-size": .differs,
    "l3-nonstandard-he_44_48khz": .equal(surplus: 1152),
    "l3-nonstandard-id3v2-only": .bothEmpty,
    "l3-nonstandard-sideinfo-size": .bothEmpty,
    "l3-nonstandard-small": .bothEmpty,
    "l3-nonstandard-vbrtag-corrupted": .bothEmpty,
    "l3-nonstandard-vbrtag-empty": .bothEmpty,
    "l3-nonstandard-vbrtag-noframes": .bothEmpty,
    "l3-nonstandard-vbrtag-only": .bothEmpty,
    "l3-nonstandard-vbrtag-oob-read": .onlyReference,
    "l3-si": .equal(surplus: 1152),
    "l3-si_block": .equal(surplus: 1152),
    "l3-si_huff": .equal(surplus: 1152),
    "l3-sin1k0db": .differs,
    "l3-test45": .differs,
    "l3-test46": .differs,
  ]

  @Test func `every stream compares with its reference as it always did`() throws {
    #expect(Self.names.count == 83)
    for name in Self.names {
      let outcome = try Self.outcome(name)
      #expect(outcome == Self.exceptions[name, default: .equal()], "\(name)")
    }
  }

  private static func outcome(_ name: String) throws -> Outcome {
    let folder = try #require(folder)
    let reference = try pcm(folder.appending(path: name + ".pcm"))
    let decoded: DecodedFile
    do {
      decoded = try DecodedFile(folder.appending(path: name + ".bit"))
    } catch _ as DecodingError {
      return reference.isEmpty ? .bothEmpty : .onlyReference
    }
    let ours = decoded.integers(bits: 16)
    guard !reference.isEmpty else { return ours.isEmpty ? .bothEmpty : .onlyOurs }
    guard !ours.isEmpty else { return .onlyReference }
    let errors = zip(ours, reference).map { Double($0 - $1) }
    let meanSquare = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
    // 96 dB of peak signal to noise, as that project asks of its own decoder.
    guard meanSquare.squareRoot() <= 65_535 / 63_095.7 else { return .differs }
    let difference = (ours.count - reference.count) / decoded.format.channelCount
    return .equal(surplus: max(0, difference), missing: max(0, -difference))
  }

  /// Empty where there is no such file.
  private static func pcm(_ url: URL) throws -> [Int32] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    return try Data(contentsOf: url).withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { Int32(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self).littleEndian) }
    }
  }
}
