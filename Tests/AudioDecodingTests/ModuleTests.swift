import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Tracker modules, made up here, against libopenmpt's own program.
struct ModuleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A module of ProTracker: one looped sample, and one pattern of 64 rows that plays it.
  private static func protracker(title: String = "Made up") -> [UInt8] {
    func text(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8.prefix(count)) + [UInt8](repeating: 0, count: count - min(count, text.utf8.count))
    }
    let wave = (0..<64).map { UInt8(bitPattern: Int8(100 * sin(2 * .pi * Double($0) / 64))) }
    // Length, fine tune, volume, start and length of the loop; in words.
    let used = text("tone", 22) + bigEndian(UInt16(32)) + [0, 64] + bigEndian(UInt16(0)) + bigEndian(UInt16(32))
    let unused = text("", 22) + bigEndian(UInt16(0)) + [0, 0] + bigEndian(UInt16(0)) + bigEndian(UInt16(1))
    let samples = used + (0..<30).flatMap { _ in unused }
    let orders: [UInt8] = [1, 127] + [UInt8](repeating: 0, count: 128)
    let rows = (0..<64).flatMap { row -> [UInt8] in
      // A note of sample 1 with the period 428, every 8 rows on the first of four channels.
      let note: [UInt8] = row % 8 == 0 ? [0x01, 0xAC, 0x10, 0] : [0, 0, 0, 0]
      return note + [UInt8](repeating: 0, count: 12)
    }
    return text(title, 20) + samples + orders + Array("M.K.".utf8) + rows + wave
  }

  @Test func `a module is played once, and is as long as its rows`() throws {
    try folder.write(Self.protracker(), to: "a.mod")
    let decoded = try DecodedFile(folder.appending("a.mod"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.container == .trackerModule && decoded.mediaFormat.codec == .protrackerModule)
    #expect(decoded.format.sampleRateInHz == 48_000 && decoded.format.channelCount == 2)
    // 64 rows of 6 ticks of 20 ms.
    #expect(abs(Double(decoded.frameCount) / 48_000 - 7.68) < 0.2)
    #expect(decoded.samples.contains { abs($0) > 0.05 })
  }

  @Test(.enabled(if: Tool.exist("openmpt123"), "openmpt123 is not installed"))
  func `length and samples are those of openmpt123`() throws {
    try folder.write(Self.protracker(), to: "a.mod")
    let file = folder.appending("a.mod")
    try Tool.run(
      "openmpt123", "--quiet", "--batch", "--samplerate", "48000", "--channels", "2", "--float", "--repeat", "0",
      "--dither", "0", "--force", "-o", folder.appending("oracle.wav").path, file.path)
    let (decoded, oracle) = (try DecodedFile(file), try DecodedFile(folder.appending("oracle.wav")))
    try #require(decoded.frameCount == oracle.frameCount)
    #expect(zip(decoded.samples, oracle.samples).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `ranges equal the whole decode`() throws {
    try folder.write(Self.protracker(), to: "a.mod")
    let whole = try DecodedFile(folder.appending("a.mod"))
    let file = try OpenFile(folder.appending("a.mod"))
    let decoder = try file.decoder()
    for position in [100_000, 5, 300_000, 299_990, 0, whole.frameCount - 10, whole.frameCount + 5] {
      try decoder.seek(toFrame: Int64(position))
      let expected = whole.samples.dropFirst(2 * position).prefix(2 * 500)
      let isEqual = try decoder.readFrames(500).elementsEqual(expected)
      #expect(isEqual)
    }
  }

  @Test func `a module is known by all of its bytes`() throws {
    try folder.write(Self.protracker(), to: "a.mod")
    try folder.write(Self.protracker(title: "Another"), to: "b.mod")
    let identities = try ["a.mod", "b.mod"].map { try OpenFile(folder.appending($0)).identity() }
    #expect(identities[0].hash != identities[1].hash && identities[0].hashVersion == 2)
    #expect(try OpenFile(folder.appending("a.mod")).tags().tags["TITLE"] == ["Made up"])
  }

  @Test func `changed bytes anywhere are never worse than damage`() throws {
    // All of a module can last for hours.
    try folder.readMutations(of: Self.protracker(), as: "b.mod", count: 100, seed: 42) {
      _ = try OpenFile($0).decoder().readFrames(100_000)
    }
  }
}
