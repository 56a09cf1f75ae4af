import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Any range of a file is bit for bit that range of a decode from the start.
struct SeekingTests {
  /// Decodes ranges in random order, and looks ahead at random times; compares each range, and reports only the first
  /// that differs.
  private func compareRanges(
    _ url: URL, count: Int, seekingMethod: SeekingMethod = .byPosition, longest: Int = 1000
  ) throws {
    let whole = try DecodedFile(url)
    let file = try OpenFile(url)
    let decoder = try file.mediaFile().makeDecoder(seekingMethod: seekingMethod)
    let channelCount = decoder.format.channelCount
    var random = RepeatableRandom(seed: UInt64(whole.frameCount))
    try #require(whole.frameCount > 0)
    for number in 0..<count {
      // Often the first or the last frame, or a little after it.
      let position = min(
        max(0, Int.random(in: -whole.frameCount / 50...whole.frameCount * 51 / 50, using: &random)), whole.frameCount)
      let length = Int.random(in: 1...longest, using: &random)
      try decoder.seek(toFrame: Int64(position))
      if Bool.random(using: &random) { _ = try decoder.lookAhead() }
      let block = try decoder.readFrames(length)
      let expected = whole.samples[(position * channelCount)...].prefix(length * channelCount)
      guard block.elementsEqual(expected, by: { $0.bitPattern == $1.bitPattern }) else {
        Issue.record("range \(number), frame \(position) of \(whole.frameCount): \(block.count) samples differ")
        return
      }
    }
  }

  /// How many ranges of each format are compared, and a fifth of it of each other encoding of one.
  private static let rangeCount =
    TestSize.count(100, slow: 1_000)

  @Test(.enabled(if: EncodedSignal.areToolsThere, "ffmpeg, flac or sox is not installed"), arguments: EncodedSignal.all)
  func `random ranges in each format equal the whole decode`(_ signal: EncodedSignal) throws {
    let folder = try TemporaryFolder()
    try compareRanges(
      try signal.make(in: folder), count: signal.isVariant ? max(1, Self.rangeCount / 5) : Self.rangeCount)
  }

  @Test(arguments: ["onset-he.aac", "onset-he-v2.aac"])
  func `random ranges of AAC with band replication equal the whole decode`(_ name: String) throws {
    try compareRanges(Corpora.fixtures.appending(path: "encoded/\(name)"), count: Self.rangeCount)
  }

  /// Fixtures whose frames another decoder has counted.
  private static let fixtures: [String] = {
    struct Expected: Decodable {
      struct File: Decodable {
        var path: String
        var frames: Int?
      }
      var files: [File]
    }
    let data = try? Data(contentsOf: Corpora.fixtures.appending(path: "golden/expected.json"))
    return data.flatMap { try? JSONDecoder().decode(Expected.self, from: $0) }?.files
      .filter { $0.frames ?? 0 > 0 }.map(\.path) ?? []
  }()

  @Test func `there are fixtures with counted frames`() { #expect(Self.fixtures.count > 40) }

  @Test(arguments: fixtures)
  func `ranges of a fixture equal the whole decode, by counting if it is damaged`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let isDamaged = try DecodedFile(url).outcome.state == .damaged
    try compareRanges(url, count: 50, seekingMethod: isDamaged ? .byCounting : .byPosition)
  }

  /// Frames that break the standard, of which libmpg123 skips a part: from there on it adds up its synthesis in another
  /// order than a decoder that starts later, which shows in the last bit.
  private static let brokenFrames = [
    "l3-nonstandard-compl-sideinfo-bigvalues.bit", "l3-nonstandard-compl-sideinfo-blocktype.bit",
  ]

  private static func corpus(_ folder: String, _ pathExtensions: Set<String>) -> [URL] {
    guard let root = Corpora.root?.appending(path: folder),
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    else { return [] }
    return files.compactMap { $0 as? URL }.filter { pathExtensions.contains($0.pathExtension) }.sorted {
      $0.path < $1.path
    }
  }

  @Test(.enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)))
  func `ranges of the reference streams of MPEG audio and FLAC equal the whole decode`() throws {
    var count = 0
    for url in Self.corpus("mp3-vectors", ["bit"]) + Self.corpus("flac", ["flac"])
    where !Self.brokenFrames.contains(url.lastPathComponent) {
      guard let decoded = try? DecodedFile(url), decoded.frameCount > 0 else { continue }
      try compareRanges(
        url, count: 20, seekingMethod: decoded.outcome.state == .damaged ? .byCounting : .byPosition)
      count += 1
    }
    #expect(count > 100)
  }

  @Test func `frames of an Ogg stream are found before a gap and after it`() throws {
    try compareRanges(Corpora.fixtures.appending(path: "damaged/hole.ogg"), count: 300)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `no zero of Vorbis is negative`() throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("silence.ogg")
    try Tool.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=44100:cl=stereo", "-t", "1", "-c:a", "libvorbis",
      file.path)
    let decoded = try DecodedFile(file)
    #expect(decoded.frameCount == 44_100)
    #expect(decoded.samples.count { $0.bitPattern != 0 } == 0)
  }

  @Test func `a decoder gives signs of life during a seek`() throws {
    let file = try OpenFile(
      Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus"))
    let decoder = try file.decoder()
    var signCount = 0
    try decoder.seek(toFrame: 400_000) { signCount += 1 }
    #expect(signCount > 50)
    // A state was kept, so that going back a little does not decode from the start.
    signCount = 0
    try decoder.seek(toFrame: 390_000) { signCount += 1 }
    #expect(signCount < 30)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"), arguments: ["opus", "webm", "mp4"])
  func `what was looked at ahead needs no decode from the start`(_ pathExtension: String) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("sound.\(pathExtension)")
    try Tool.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=60", "-c:a", "libopus", "-b:a", "64k", url.path
    )
    let whole = try DecodedFile(url)
    let file = try OpenFile(url)
    let decoder = try file.decoder()
    // Nothing is known ahead of a start.
    var samples = try decoder.readFrames(1000)
    var partCount = 0
    while try decoder.lookAhead() { partCount += 1 }
    #expect(partCount > 20)
    samples += try decoder.readFrames(50_000)
    #expect(samples.elementsEqual(whole.samples.prefix(51_000), by: { $0.bitPattern == $1.bitPattern }))
    var signCount = 0
    try decoder.seek(toFrame: 55 * 48_000) { signCount += 1 }
    // A sign for each packet of 20 ms; states are half a second apart, the place is 55 seconds from the start.
    #expect(signCount <= 26)
    let end = try decoder.readFrames(100_000)
    #expect(end.elementsEqual(whole.samples[(55 * 48_000)...].prefix(100_000), by: { $0.bitPattern == $1.bitPattern }))
  }

  @Test func `a decoder that reaches every place at once does not look ahead`() throws {
    let file = try OpenFile(
      Corpora.fixtures.appending(path: "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3"))
    let decoder = try file.decoder()
    _ = try decoder.readFrames(1000)
    #expect(try !decoder.lookAhead())
  }
}

/// Positions beyond 32 bits: sparse files of more than 4 GiB and 2^31 frames.
struct LongPositionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let frameCount = 1 << 31 + 1 << 20
  /// Frames that are not silent.
  private static let marks = [0, 5, 1 << 30, (1 << 31) - 2, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, frameCount - 1]

  private static func header(_ pathExtension: String) -> [UInt8] {
    let byteCount = 2 * frameCount
    return switch pathExtension {
    case "rf64": ChunkBytes.rf64Header(dataByteCount: byteCount, format: ChunkBytes.format())
    case "w64": ChunkBytes.wave64Header(dataByteCount: byteCount, format: ChunkBytes.format())
    // Programs that do not know RF64 write the greatest length possible.
    default:
      ChunkBytes.riff(ChunkBytes.chunk("fmt ", ChunkBytes.format())) + ChunkBytes.chunk("data", [], claiming: .max)
    }
  }

  // Faults: 33
  @Test(arguments: ["rf64", "w64", "wav"])
  func `any frame of a file of more than 4 GiB is found`(_ pathExtension: String) throws {
    let url = folder.appending("a.\(pathExtension)")
    let header = Self.header(pathExtension)
    try folder.write(header, to: "a.\(pathExtension)")
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: UInt64(header.count + 2 * Self.frameCount))
    for (number, frame) in Self.marks.enumerated() {
      try handle.seek(toOffset: UInt64(header.count + 2 * frame))
      try handle.write(contentsOf: littleEndian(Int16(number + 1)))
    }
    try handle.close()

    let file = try OpenFile(url)
    let decoder = try file.decoder()
    if pathExtension != "wav" { #expect(decoder.mediaFormat.declaredFrameCount == Int64(Self.frameCount)) }
    for frame in Self.marks {
      let start = max(0, frame - 10)
      try decoder.seek(toFrame: Int64(start))
      let samples = try decoder.readFrames(20)
      #expect(samples.count == min(20, Self.frameCount - start))
      let expected = samples.indices.map { offset in
        Float((Self.marks.firstIndex(of: start + offset) ?? -1) + 1) / 32_768
      }
      #expect(samples == expected, "at \(frame)")
    }
    #expect(decoder.mediaFormat.decodedFrameCount == Int64(Self.frameCount))
  }

  // Faults: 33
  @Test func `any frame of FLAC of more than 2^31 frames is found`() throws {
    func value(_ block: Int) -> Int16 { Int16(truncatingIfNeeded: block) }
    try folder.write(
      FLACBytes.constant(frameCount: Self.frameCount, sampleRateInHz: 48_000, value: value), to: "a.flac")
    let file = try OpenFile(folder.appending("a.flac"))
    let decoder = try file.decoder()
    #expect(decoder.mediaFormat.declaredFrameCount == Int64(Self.frameCount))
    let block = FLACBytes.framesPerBlock
    for frame in Self.marks + [1 << 31 / block * block, frameCount(ofWholeBlocks: block)] {
      let start = max(0, frame - 10)
      try decoder.seek(toFrame: Int64(start))
      let samples = try decoder.readFrames(20)
      #expect(samples.count == min(20, Self.frameCount - start))
      #expect(samples == samples.indices.map { Float(value((start + $0) / block)) / 32_768 }, "at \(frame)")
    }
  }

  private func frameCount(ofWholeBlocks block: Int) -> Int { Self.frameCount / block * block }
}
