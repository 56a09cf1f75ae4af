import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Ogg files that hold more than one stream, or no audio.
struct OggStreamsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let audio = Corpora.fixtures.appending(path: "audio")
  private static let vorbis = audio.appending(path: "星屑電機/夜の配線/02 配線図.ogg")
  private static let opus = audio.appending(path: "Public Address/Announcements/02 Auslaufrille.opus")

  private static func pages(_ url: URL) throws -> [[UInt8]] { OggBytes.pages([UInt8](try Data(contentsOf: url))) }

  /// The start of a Theora stream.
  private static let video: [[UInt8]] = (0..<300).map { number in
    let sequence = UInt32(number)
    guard number < 3 else {
      return OggBytes.page(
        serial: 0x7E0, sequence: sequence, granule: Int64(number) * 64, number == 299 ? .last : .middle, [1, 2, 3])
    }
    let header: [UInt8] = [0x80 + UInt8(number)] + Array("theora".utf8) + [3, 2, 1]
    return OggBytes.page(serial: 0x7E0, sequence: sequence, number == 0 ? .first : .middle, header)
  }

  /// What describes the other streams of a file; it ends before they begin.
  private static let skeleton: [[UInt8]] = [
    OggBytes.page(serial: 0x5E1, sequence: 0, .first, Array("fishead\0".utf8) + [UInt8](repeating: 0, count: 56)),
    OggBytes.page(serial: 0x5E1, sequence: 1, .last, []),
  ]

  /// One page of each stream in turn.
  private static func multiplexed(_ streams: [[[UInt8]]]) -> [UInt8] {
    (0..<(streams.map(\.count).max() ?? 0)).flatMap { number in
      streams.flatMap { number < $0.count ? $0[number] : [] }
    }
  }

  enum Company: CaseIterable {
    case videoBefore, videoBehind, skeleton, otherAudioBehind
  }

  // Faults: 26
  @Test(arguments: [vorbis, opus], Company.allCases)
  func `the first audio stream among several is read as if it were alone`(_ url: URL, _ company: Company) throws {
    let audio = try Self.pages(url)
    let streams =
      switch company {
      case .videoBefore: [Self.video, audio]
      case .videoBehind: [audio, Self.video]
      case .skeleton: [Self.skeleton, audio]
      case .otherAudioBehind: [audio, try Self.pages(url == Self.opus ? Self.vorbis : Self.opus)]
      }
    let file = folder.appending("a.ogg")
    try folder.write(Self.multiplexed(streams), to: "a.ogg")
    let alone = try DecodedFile(url)
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome == alone.outcome)
    #expect(decoded.mediaFormat == alone.mediaFormat)
    #expect(decoded.samples == alone.samples)
    #expect(try OpenFile(file).streamHash() == OpenFile(url).streamHash())
    let tags = try OpenFile(file).tags()
    #expect(!tags.tags.isEmpty)
    #expect(try tags == OpenFile(url).tags())
  }

  // Faults: 26
  @Test func `Ogg without audio is unsupported, with the names of its streams`() throws {
    try folder.write(Self.multiplexed([Self.skeleton, Self.video]), to: "a.ogg")
    #expect(throws: DecodingError.unsupported(reason: "no audio stream in Ogg (Skeleton, Theora video)")) {
      try DecodedFile(folder.appending("a.ogg"))
    }
  }

  /// Replaces two bytes of the first packet of an Opus file, which begins after 28 bytes of its page.
  private func decodedOpus(settingHeaderBytesAt offset: Int, to number: Int16) throws -> DecodedFile {
    var pages = try Self.pages(Self.opus)
    pages[0].replaceSubrange(28 + offset..<30 + offset, with: littleEndian(number))
    try folder.write(OggBytes.withChecksum(pages[0]) + pages.dropFirst().flatMap { $0 }, to: "a.opus")
    return try DecodedFile(folder.appending("a.opus"))
  }

  // Faults: 27
  @Test(arguments: [-12.0, -0.5, 6.0])
  func `the gain in the header of Opus is applied`(_ gainInDecibels: Double) throws {
    let plain = try decodedOpus(settingHeaderBytesAt: 16, to: 0)
    let changed = try decodedOpus(settingHeaderBytesAt: 16, to: Int16(gainInDecibels * 256))
    let factor = Float(pow(10, gainInDecibels / 20))
    #expect(changed.samples.count == plain.samples.count)
    #expect(plain.samples.contains { abs($0) > 0.05 })
    #expect(!zip(plain.samples, changed.samples).contains { abs($0 * factor - $1) > 2e-4 })
  }

  // Faults: 27
  @Test(arguments: [0, 312, 3840])
  func `what Opus skips at the start is not part of the recording`(_ preSkip: Int) throws {
    let whole = try decodedOpus(settingHeaderBytesAt: 10, to: 0)
    let changed = try decodedOpus(settingHeaderBytesAt: 10, to: Int16(preSkip))
    #expect(changed.mediaFormat.declaredFrameCount == Int64(whole.frameCount - preSkip))
    #expect(changed.samples == Array(whole.samples.dropFirst(preSkip * whole.format.channelCount)))
  }

  private static let flac = audio.appending(path: "Émilie Søndergård/Les Échos/05 Marée haute.oga")

  @Test func `mis-encoded comments are read in FLAC, too`() throws {
    var pages = try Self.pages(Self.flac)
    let comments = pages[1]
    let place = try #require(Data(comments).range(of: Data("title=Mar".utf8)))
    pages[1].replaceSubrange(place.upperBound..<place.upperBound + 2, with: [0xE9, 0x20])
    try folder.write(pages.map(OggBytes.withChecksum).joined(), to: "a.oga")
    let tags = try OpenFile(folder.appending("a.oga")).tags().tags
    #expect(tags["TITLE"].first?.hasPrefix("Maré e") == true)
  }

  @Test func `of chained FLAC streams the first is decoded, with a note`() throws {
    let second = try Self.pages(Self.flac).flatMap { page in
      var page = page
      page[14] ^= 1
      return OggBytes.withChecksum(page)
    }
    try folder.write(try Data(contentsOf: Self.flac) + second, to: "a.oga")
    let decoded = try DecodedFile(folder.appending("a.oga"))
    #expect(try decoded.samples == DecodedFile(Self.flac).samples)
    #expect(decoded.outcome.state == .damaged)
    #expect(decoded.outcome.problem?.reason == "chained: 1 of 2 links")
  }
}

/// The length that the last page of an Ogg stream gives, compared with its packets.
struct OggLengthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let opus = Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus")

  private func decode(lastGranule: Int64) throws -> DecodedFile {
    var pages = try OggPages(Self.opus)
    pages.setGranule(lastGranule, ofPage: pages.offsets.count - 1)
    try folder.write(pages.bytes, to: "a.opus")
    return try DecodedFile(folder.appending("a.opus"))
  }

  /// Frames that the packets hold, encoder delay and padding included.
  private func packetFrameCount() throws -> Int64 {
    let delay = try #require(try DecodedFile(Self.opus).mediaFormat.delayFrameCount)
    // A last position long after the packets cuts nothing off.
    return Int64(try decode(lastGranule: 1 << 40).frameCount + delay)
  }

  @Test func `a last position shortly after the packets is a note`() throws {
    let decoded = try decode(lastGranule: try packetFrameCount() + 10)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes == ["header-lies"])
  }

  @Test func `a last position long after the packets is damage`() throws {
    let decoded = try decode(lastGranule: try packetFrameCount() + 100_000)
    #expect(decoded.outcome.state == .damaged)
    #expect(decoded.outcome.problem?.code == "truncated")
  }

  private static let files = [
    "audio/星屑電機/夜の配線/02 配線図.ogg", "audio/Public Address/Announcements/02 Auslaufrille.opus",
  ]

  @Test(arguments: files, [-5, -1, .min, 1 << 60, .max])
  func `a last position that is no position is damage, because the end is not decoded`(
    _ path: String, _ granule: Int64
  ) throws {
    var pages = try OggPages(Corpora.fixtures.appending(path: path))
    pages.setGranule(granule, ofPage: pages.offsets.count - 1)
    try folder.write(pages.bytes, to: "a.ogg")
    let decoded = try DecodedFile(folder.appending("a.ogg"))
    #expect(decoded.outcome.state == .damaged)
    let problem = try #require(decoded.outcome.problem)
    #expect(problem.code == (granule < 0 ? "positions" : "corrupt"))
    let position = try #require(problem.positionInSeconds)
    #expect(abs(position * Double(decoded.format.sampleRateInHz) - Double(decoded.frameCount)) < 1)
    #expect(try !OpenFile(folder.appending("a.ogg")).identity().declaration.isSound)
  }

  @Test(arguments: files + ["audio/Émilie Søndergård/Les Échos/05 Marée haute.oga"])
  func `a negative position before the last page is a note`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    var pages = try OggPages(url)
    pages.setGranule(-5, ofPage: pages.offsets.count - 2)
    try folder.write(pages.bytes, to: "a.ogg")
    let decoded = try DecodedFile(folder.appending("a.ogg"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes == ["header-lies"])
    #expect(try decoded.frameCount == DecodedFile(url).frameCount)
    #expect(try !OpenFile(folder.appending("a.ogg")).identity().declaration.isSound)
  }

  @Test(arguments: ["audio/星屑電機/夜の配線/02 配線図.ogg", "audio/Public Address/Announcements/02 Auslaufrille.opus"])
  func `after a gap the padding of the last page is still cut off`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let pages = try OggPages(url)
    // Without the page in the middle.
    let gap = pages.offsets.count / 2
    try folder.write(
      pages.bytes[..<pages.offsets[gap]] + pages.bytes[pages.offsets[gap + 1]...], to: "gap.ogg")
    let whole = try DecodedFile(url)
    let damaged = try DecodedFile(folder.appending("gap.ogg"))
    #expect(damaged.outcome.problem?.code == "missing-pages" && damaged.frameCount == whole.frameCount)
    // Both end with the same samples, unless one of them has padding after them.
    let count = 2000 * whole.format.channelCount
    let difference = zip(whole.samples.suffix(count), damaged.samples.suffix(count)).map { abs($0 - $1) }.max()
    #expect(try #require(difference) < 0.01)
  }
}

/// Where a Vorbis stream begins, by the position of its first page of audio.
struct VorbisStartTests {
  private static let fixture = Corpora.fixtures.appending(path: "audio/星屑電機/夜の配線/02 配線図.ogg")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The fixture with all positions moved.
  private func decode(movedBy distance: Int64) throws -> DecodedFile {
    var pages = try OggPages(Self.fixture)
    for (number, offset) in pages.offsets.enumerated() {
      let granule = (0..<8).reduce(Int64(0)) { $0 | Int64(pages.bytes[offset + 6 + $1]) << (8 * $1) }
      if granule > 0 { pages.setGranule(granule + distance, ofPage: number) }
    }
    try folder.write(pages.bytes, to: "a.ogg")
    return try DecodedFile(folder.appending("a.ogg"))
  }

  @Test func `what is before time zero is dropped`() throws {
    let whole = try DecodedFile(Self.fixture)
    let moved = try decode(movedBy: -100)
    #expect(moved.frameCount == whole.frameCount - 100)
    let isEqual = moved.samples.elementsEqual(whole.samples.dropFirst(100 * whole.format.channelCount))
    #expect(isEqual)
    #expect(moved.outcome.state == .ok)
  }

  @Test func `a stream that begins late is complete`() throws {
    let whole = try DecodedFile(Self.fixture)
    let moved = try decode(movedBy: 1_000_000)
    let isEqual = moved.samples == whole.samples
    #expect(isEqual)
  }
}
