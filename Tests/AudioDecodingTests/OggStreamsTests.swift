import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Ogg files that hold more than one stream, or none of audio.
struct OggStreamsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let audio = Corpora.fixtures.appending(path: "audio")
  private static let vorbis = audio.appending(path: "星屑電機/夜の配線/02 配線図.ogg")
  private static let opus = audio.appending(path: "Public Address/Announcements/02 Auslaufrille.opus")

  private static func pages(_ url: URL) throws -> [[UInt8]] { OggBytes.pages([UInt8](try Data(contentsOf: url))) }

  /// Begins as a stream of Theora does.
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
    #expect(try OpenFile(file).payloadHash() == OpenFile(url).payloadHash())
    let tags = try OpenFile(file).tags()
    #expect(!tags.tags.isEmpty)
    #expect(try tags == OpenFile(url).tags())
  }

  @Test func `Ogg without audio is unsupported, with the names of its streams`() throws {
    try folder.write(Self.multiplexed([Self.skeleton, Self.video]), to: "a.ogg")
    #expect(throws: DecodingError.unsupported(reason: "no audio stream in Ogg (Skeleton, Theora video)")) {
      try DecodedFile(folder.appending("a.ogg"))
    }
  }

  /// With two bytes of the first packet of an Opus file, which begins behind 28 bytes of its page, replaced.
  private func decodedOpus(settingHeaderBytesAt offset: Int, to number: Int16) throws -> DecodedFile {
    var pages = try Self.pages(Self.opus)
    pages[0].replaceSubrange(28 + offset..<30 + offset, with: littleEndian(number))
    try folder.write(OggBytes.withChecksum(pages[0]) + pages.dropFirst().flatMap { $0 }, to: "a.opus")
    return try DecodedFile(folder.appending("a.opus"))
  }

  @Test(arguments: [-12.0, -0.5, 6.0])
  func `the gain in the header of Opus is applied`(_ gainInDecibels: Double) throws {
    let plain = try decodedOpus(settingHeaderBytesAt: 16, to: 0)
    let changed = try decodedOpus(settingHeaderBytesAt: 16, to: Int16(gainInDecibels * 256))
    let factor = Float(pow(10, gainInDecibels / 20))
    #expect(changed.samples.count == plain.samples.count)
    #expect(plain.samples.contains { abs($0) > 0.05 })
    #expect(!zip(plain.samples, changed.samples).contains { abs($0 * factor - $1) > 2e-4 })
  }

  @Test(arguments: [0, 312, 3840])
  func `what Opus is to skip at the start is no part of the sound`(_ preSkip: Int) throws {
    let whole = try decodedOpus(settingHeaderBytesAt: 10, to: 0)
    let changed = try decodedOpus(settingHeaderBytesAt: 10, to: Int16(preSkip))
    #expect(changed.mediaFormat.declaredFrameCount == Int64(whole.frameCount - preSkip))
    #expect(changed.samples == Array(whole.samples.dropFirst(preSkip * whole.format.channelCount)))
  }

  private static let flac = audio.appending(path: "Émilie Søndergård/Les Échos/05 Marée haute.oga")

  @Test func `what is readable of mis-encoded comments is read in FLAC, too`() throws {
    var pages = try Self.pages(Self.flac)
    let comments = pages[1]
    let place = try #require(Data(comments).range(of: Data("title=Mar".utf8)))
    pages[1].replaceSubrange(place.upperBound..<place.upperBound + 2, with: [0xE9, 0x20])
    try folder.write(pages.map(OggBytes.withChecksum).joined(), to: "a.oga")
    let tags = try OpenFile(folder.appending("a.oga")).tags().tags
    #expect(tags["TITLE"].first?.hasPrefix("Mar\u{FFFD} e") == true)
  }

  @Test func `of FLAC streams one after the other the first is read, and that is said`() throws {
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
