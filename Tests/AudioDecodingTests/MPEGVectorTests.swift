import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The streams of the minimp3 project with its reference PCM, which is of 16 bits.
///
/// They are raw: no encoder delay is to be removed, except in one whose reference is trimmed like our decode. So what a
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
  enum Verdict: Hashable {
    /// At most one step of 16 bits apart as far as both go; then so many frames are in only one of them.
    case equal(surplus: Int = 0, missing: Int = 0)
    /// Equal until this frame, the first one with a greater difference.
    case differs(fromFrame: Int)
    /// Neither has a frame.
    case bothEmpty
    case onlyReference, onlyOurs
  }

  /// The verdict on a stream that is not simply equal to its reference, and why that is so.
  struct Exception {
    let verdict: Verdict
    let reason: String
    /// Frames at the start of our decode that the reference leaves out.
    var lead = 0
  }

  private static let exceptions: [String: Exception] = {
    var table: [String: Exception] = [:]
    func add(_ reason: String, _ verdicts: [String: Verdict], lead: Int = 0) {
      for (name, verdict) in verdicts { table[name] = Exception(verdict: verdict, reason: reason, lead: lead) }
    }
    add(
      "the reference goes on after the last frame of the stream",
      [
        "l1-fl1": .equal(missing: 13952), "l1-fl2": .equal(missing: 13952), "l1-fl3": .equal(missing: 13952),
        "l1-fl4": .equal(missing: 13952), "l1-fl5": .equal(missing: 13952), "l1-fl6": .equal(missing: 13952),
        "l1-fl7": .equal(missing: 8576), "l1-fl8": .equal(missing: 13952), "l2-fl10": .equal(missing: 9088),
        "l2-fl11": .equal(missing: 9088), "l2-fl12": .equal(missing: 9088), "l2-fl13": .equal(missing: 9088),
        "l2-fl14": .equal(missing: 14336), "l2-fl15": .equal(missing: 14336), "l2-fl16": .equal(missing: 9344),
      ])
    add(
      "the reference ends one MPEG frame before the stream",
      [
        "l3-he_32khz": .equal(surplus: 1152), "l3-he_44khz": .equal(surplus: 1152),
        "l3-he_48khz": .equal(surplus: 1152), "l3-he_free": .equal(surplus: 1152),
        "l3-hecommon": .equal(surplus: 1152), "l3-nonstandard-he_44_48khz": .equal(surplus: 1152),
        "l3-si": .equal(surplus: 1152), "l3-si_block": .equal(surplus: 1152), "l3-si_huff": .equal(surplus: 1152),
      ])
    add("we stop where the number of channels changes", ["l3-he_mode": .equal(missing: 251_136)])
    add("the reference begins two MPEG frames after the stream", ["l3-sin1k0db": .equal()], lead: 2304)
    add(
      "no frame of audio, or none that is complete",
      [
        "ILL2_overalloc2": .bothEmpty, "l3-nonstandard-id3v2-only": .bothEmpty,
        "l3-nonstandard-sideinfo-size": .bothEmpty, "l3-nonstandard-small": .bothEmpty,
        "l3-nonstandard-vbrtag-corrupted": .bothEmpty, "l3-nonstandard-vbrtag-empty": .bothEmpty,
        "l3-nonstandard-vbrtag-noframes": .bothEmpty, "l3-nonstandard-vbrtag-only": .bothEmpty,
      ])
    add("the only frame is an Info frame, which is not audio", ["l3-nonstandard-vbrtag-oob-read": .onlyReference])
    add("there is no reference, and no frame that others follow", ["l3-nonstandard-big-iscf": .bothEmpty])
    add(
      "we refuse layer II in free format, which libmpg123 decodes to noise",
      ["l2-nonstandard-free_format": .onlyReference])
    add(
      "frames of several streams in turn, of which we decode only those with the parameters of the first",
      ["l2-nonstandard-fl1_fl2_ff": .differs(fromFrame: 482)])
    add(
      "one MPEG frame has a wrong size: the reference leaves it out, and is equal again after it",
      ["l2-nonstandard-test32-size": .differs(fromFrame: 13_824)])
    add(
      "side information was damaged on purpose, and decoders replace such frames in different ways",
      [
        "l3-nonstandard-compl-sideinfo-bigvalues": .differs(fromFrame: 218_984),
        "l3-nonstandard-compl-sideinfo-blocktype": .differs(fromFrame: 93_429),
        "l3-nonstandard-compl-sideinfo-size": .differs(fromFrame: 29_952),
      ])
    add(
      "decoders do not agree on intensity stereo in MPEG-2; FFmpeg differs from both",
      ["l3-test45": .differs(fromFrame: 46_172), "l3-test46": .differs(fromFrame: 2445)])
    return table
  }()

  // Faults: 23
  @Test func `every stream compares with its reference as recorded`() throws {
    #expect(Self.names.count == 83)
    for name in Self.exceptions.keys { #expect(Self.names.contains(name), "\(name) has a record and no file") }
    for name in Self.names {
      let exception = Self.exceptions[name]
      let verdict = try Self.verdict(name, lead: exception?.lead ?? 0)
      #expect(verdict == exception?.verdict ?? .equal(), "\(name): \(exception?.reason ?? "expected to be equal")")
    }
  }

  private static func verdict(_ name: String, lead: Int) throws -> Verdict {
    let folder = try #require(folder)
    let reference = try pcm(folder.appending(path: name + ".pcm"))
    let decoded: DecodedFile
    do {
      decoded = try DecodedFile(folder.appending(path: name + ".bit"))
    } catch _ as DecodingError {
      return reference.isEmpty ? .bothEmpty : .onlyReference
    }
    let channelCount = decoded.format.channelCount
    let ours = decoded.integers(bits: 16).dropFirst(lead * channelCount)
    guard !reference.isEmpty else { return ours.isEmpty ? .bothEmpty : .onlyOurs }
    guard !ours.isEmpty else { return .onlyReference }
    // One step everywhere is less than the 96 dB of peak signal to noise which that project asks of its own decoder.
    if let index = zip(ours, reference).enumerated().first(where: { abs($1.0 - $1.1) > 1 })?.offset {
      return .differs(fromFrame: index / channelCount)
    }
    let difference = (ours.count - reference.count) / channelCount
    return .equal(surplus: max(0, difference), missing: max(0, -difference))
  }

  /// Empty if there is no such file.
  private static func pcm(_ url: URL) throws -> [Int32] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    return try Data(contentsOf: url).withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { Int32(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self).littleEndian) }
    }
  }
}
