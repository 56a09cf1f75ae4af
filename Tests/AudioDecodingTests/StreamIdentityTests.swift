import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Files that are read in full: by identity, and by a decode.
private struct MadeUpFiles {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func identity(_ bytes: [UInt8]) throws -> StreamIdentity {
    try folder.write(bytes, to: "a")
    return try OpenFile(folder.appending("a")).identity()
  }

  func decode(_ bytes: [UInt8], verifiesChecksum: Bool = false) throws -> DecodedFile {
    try folder.write(bytes, to: "a")
    return try DecodedFile(folder.appending("a"), verifiesChecksum: verifiesChecksum)
  }
}

private enum Fixture {
  static let audio = Corpora.fixtures.appending(path: "audio")
  static let vorbis = audio.appending(path: "星屑電機/夜の配線/02 配線図.ogg")
  static let opus = audio.appending(path: "Public Address/Announcements/02 Auslaufrille.opus")
  static let flac = audio.appending(path: "Émilie Søndergård/Les Échos/02 Balayage.flac")
  static let flacInOgg = audio.appending(path: "Émilie Søndergård/Les Échos/05 Marée haute.oga")
}

/// Which files have one stream, and which do not.
struct StreamIdentityTests {
  private let files: MadeUpFiles

  init() throws { files = try MadeUpFiles() }

  private static func streamOfVorbis() throws -> OggStream { try OggStream(Fixture.vorbis, headerCount: 3) }
  private static func streamOfOpus() throws -> OggStream { try OggStream(Fixture.opus, headerCount: 2) }

  /// Vorbis with other rates, channels, setups, packets and bounds of packets.
  private static func variantsOfVorbis() throws -> [[UInt8]] {
    let original = try streamOfVorbis()
    var all = [original.bytes()]
    func add(_ change: (inout OggStream) -> Void) {
      var stream = original
      change(&stream)
      all.append(stream.bytes())
    }
    for rate in [8000, 22_050, 32_000, 48_000, 88_200, 96_000].map({ UInt32($0) }) {
      add { $0.packets[0].bytes.replaceSubrange(12..<16, with: littleEndian(rate)) }
    }
    for channelCount in UInt8(3)...8 { add { $0.packets[0].bytes[11] = channelCount } }
    for number in 0..<60 { add { $0.packets[2].bytes[$0.packets[2].bytes.count - 1 - number] ^= 4 } }
    for number in 0..<60 { add { $0.packets[3 + number].bytes[0] ^= 0x20 } }
    for number in 3..<43 {
      // The same bytes, but the packet ends one byte later, or it and the next one are one.
      add { stream in
        let first = stream.packets[number + 1].bytes.removeFirst()
        stream.packets[number].bytes.append(first)
      }
      add { stream in
        let second = stream.packets.remove(at: number + 1)
        stream.packets[number].bytes += second.bytes
      }
    }
    add { $0.packets.removeLast() }
    add { $0.packets.swapAt(5, 6) }
    return all
  }

  private static func variantsOfOpus() throws -> [[UInt8]] {
    let original = try streamOfOpus()
    var all = [original.bytes()]
    func add(_ change: (inout OggStream) -> Void) {
      var stream = original
      change(&stream)
      all.append(stream.bytes())
    }
    add { $0.packets[0].bytes[9] ^= 3 }
    for family in [UInt8(1), 2, 255] {
      for (streams, coupled) in [(UInt8(1), UInt8(0)), (1, 1), (2, 0), (2, 1)] {
        for table in [[UInt8(0), 1], [1, 0], [0, 0], [1, 1], [0, 255]] {
          add {
            $0.packets[0].bytes[9] = 2
            $0.packets[0].bytes[18] = family
            $0.packets[0].bytes += [streams, coupled] + table
          }
        }
      }
    }
    for number in 0..<40 { add { $0.packets[2 + number].bytes[1] ^= 1 } }
    for number in 2..<32 {
      add { stream in
        let first = stream.packets[number + 1].bytes.removeFirst()
        stream.packets[number].bytes.append(first)
      }
    }
    return all
  }

  private static func variantsOfFLAC() throws -> [[UInt8]] {
    let original = FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 8000) { Int16($0) }
    var all = [original]
    // Rate, channels and bits stand in 8 bytes from byte 18 on.
    func add(rate: UInt64, channelCount: UInt64, bits: UInt64) {
      var file = original
      file.replaceSubrange(18..<26, with: bigEndian(rate << 44 | (channelCount - 1) << 41 | (bits - 1) << 36 | 400_000))
      all.append(file)
    }
    for rate in UInt64(8001)...8040 { add(rate: rate, channelCount: 1, bits: 16) }
    for channelCount in UInt64(2)...8 { add(rate: 8000, channelCount: channelCount, bits: 16) }
    for bits in [UInt64(8), 12, 20, 24, 32] { add(rate: 8000, channelCount: 1, bits: bits) }
    for value in 1...40 {
      all.append(FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 8000) { Int16($0 + value) })
    }
    for mask in ["0x1F", "0x0", "0x7"] {
      var file = original
      file.replaceSubrange(18..<26, with: bigEndian(UInt64(8000) << 44 | 4 << 41 | 15 << 36 | 400_000))
      let comments = TagBytes.vorbisComments("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=\(mask)")
      file[4] = 0
      if mask == "0x1F" { all.append(FLACBytes.inserting(FLACBytes.metadataBlock(0x84, comments), into: file)) }
    }
    return all
  }

  private static func variantsOfWAV() -> [[UInt8]] {
    let data = (0..<2400).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    func file(_ format: [UInt8], _ data: [UInt8] = data) -> [UInt8] {
      ChunkBytes.riff(ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", data))
    }
    var all: [[UInt8]] = []
    for rate in 8000..<8040 { all.append(file(ChunkBytes.format(sampleRateInHz: rate))) }
    for channelCount in [2, 3, 4, 6, 8] { all.append(file(ChunkBytes.format(channelCount: channelCount))) }
    for bits in [8, 24, 32] { all.append(file(ChunkBytes.format(bitsPerSample: bits))) }
    all.append(file(ChunkBytes.format(isFloat: true, bitsPerSample: 32)))
    all.append(file(ChunkBytes.format(isFloat: true, bitsPerSample: 64)))
    for place in 0..<60 {
      var changed = data
      changed[place * 40] ^= 1
      all.append(file(ChunkBytes.format(), changed))
    }
    for length in stride(from: 2, to: 80, by: 2) { all.append(file(ChunkBytes.format(), data.dropLast(length))) }
    return all
  }

  private static func variantsOfMPEG() -> [[UInt8]] {
    let original = MPEGBytes.silentFrames(60)
    var all = [original]
    for number in 0..<40 {
      var changed = original
      changed[number * MPEGBytes.silentFrame.count + 60] = 1
      all.append(changed)
    }
    for count in 20..<40 { all.append(MPEGBytes.silentFrames(count)) }
    return all
  }

  @Test func `of 500 files that differ in configuration or packets, no two have one stream`() throws {
    let variants =
      try Self.variantsOfVorbis() + Self.variantsOfOpus() + Self.variantsOfFLAC() + Self.variantsOfWAV()
      + Self.variantsOfMPEG()
    #expect(variants.count >= 500)
    var seen: [ContentHash: Int] = [:]
    for (number, bytes) in variants.enumerated() {
      let identity = try files.identity(bytes)
      #expect(identity.hashVersion == 2)
      #expect(identity.formerHash != nil)
      if let other = seen.updateValue(number, forKey: identity.hash) { Issue.record("\(other) and \(number)") }
    }
  }

  @Test(arguments: [1, 3, 50, 1000])
  func `where pages are cut does not count`(_ packetCount: Int) throws {
    for original in [try Self.streamOfVorbis(), try Self.streamOfOpus()] {
      var stream = original
      let expected = try files.identity(stream.bytes())
      stream.cutPages(after: packetCount)
      stream.serial = 9
      let identity = try files.identity(stream.bytes())
      #expect(identity.hash == expected.hash)
      #expect(identity.byteCount == expected.byteCount)
    }
  }

  /// Comments of many lengths move the packets of audio over the pages.
  @Test(arguments: [0, 1, 100, 3000, 60_000, 70_000, 200_000])
  func `retagging a file whose headers share a page with audio changes nothing`(_ length: Int) throws {
    for (original, name) in [(try Self.streamOfVorbis(), "\u{3}vorbis"), (try Self.streamOfOpus(), "OpusTags")] {
      let expected = try files.identity(original.bytes())
      let samples = try files.decode(original.bytes()).samples
      var stream = original
      stream.shareHeaderPage()
      let comment = TagBytes.vorbisComments("COMMENT=" + String(repeating: "x", count: length))
      stream.packets[1].bytes = Array(name.utf8) + comment + [1]
      let identity = try files.identity(stream.bytes())
      #expect(identity.hash == expected.hash)
      #expect(identity.byteCount == expected.byteCount)
      #expect(identity.statement == expected.statement)
      let decoded = try files.decode(stream.bytes())
      #expect(decoded.outcome.state == .ok)
      let isEqual = decoded.samples == samples
      #expect(isEqual)
    }
  }

  @Test func `gain and trimming belong to the file`() throws {
    let original = try Self.streamOfOpus()
    let plain = try files.identity(original.bytes())
    let delay = try #require(plain.statement.delayFrameCount)
    let frameCount = try #require(plain.statement.frameCount)
    var stream = original
    stream.packets[0].bytes.replaceSubrange(16..<18, with: littleEndian(Int16(-1536)))
    stream.packets[0].bytes.replaceSubrange(12..<16, with: littleEndian(UInt32(44_100)))
    stream.packets[0].bytes.replaceSubrange(10..<12, with: littleEndian(UInt16(delay + 100)))
    let last = stream.packets.count - 1
    stream.packets[last].granule -= 50
    let identity = try files.identity(stream.bytes())
    #expect(identity.hash == plain.hash)
    #expect(
      identity.statement
        == StreamStatement(delayFrameCount: delay + 100, frameCount: frameCount - 150, outputGain: -1536))
    let decoded = try files.decode(stream.bytes())
    #expect(Int64(decoded.frameCount) == frameCount - 150)
    #expect(decoded.outcome.state == .ok)
  }

  enum Contradiction: CaseIterable {
    case halved, reversed, standingStill, jumpingBack
  }

  @Test(arguments: Contradiction.allCases)
  func `positions that contradict their packets are damage of the file, not of the stream`(_ kind: Contradiction)
    throws
  {
    for original in [try Self.streamOfVorbis(), try Self.streamOfOpus()] {
      var stream = original
      stream.cutPages(after: 20)
      let plain = try files.identity(original.bytes())
      // Each position by the page that gives it, so that pages of one packet have one.
      var position: Int64 = 0
      let places = original.packets.indices.filter { original.packets[$0].granule > 0 }
      let granules = places.map { original.packets[$0].granule }
      stream = original
      for (number, place) in places.enumerated() {
        switch kind {
        case .halved: position = granules[number] / 2
        case .reversed: position = granules[granules.count - 1 - number]
        case .standingStill: position = number == granules.count - 1 ? granules[number] : granules[0]
        case .jumpingBack: position = granules[number] - (number > places.count / 2 ? 10_000 : 0)
        }
        stream.packets[place].granule = position
      }
      let identity = try files.identity(stream.bytes())
      #expect(identity.hash == plain.hash)
      #expect(plain.statement.isSound && !identity.statement.isSound)
      #expect(identity.statement < plain.statement)
      let decoded = try files.decode(stream.bytes())
      #expect(decoded.outcome.state == .damaged)
      #expect(["positions", "truncated"].contains(decoded.outcome.problem?.code))
      #expect(Int64(decoded.frameCount) == identity.statement.frameCount)
    }
  }

  @Test func `FLAC in Ogg is the same stream as FLAC alone`() throws {
    let stream = try OggStream(Fixture.flacInOgg, headerCount: 1)
    let frames = stream.packets.filter { $0.bytes.first == 0xFF }.flatMap(\.bytes)
    // After "fLaC" in the first packet: STREAMINFO with its header.
    var info = Array(stream.packets[0].bytes.dropFirst(13))
    info[0] |= 0x80
    let alone = try files.identity(Array("fLaC".utf8) + info + frames)
    let inOgg = try files.identity(stream.bytes())
    #expect(alone.hash == inOgg.hash)
    #expect(alone.byteCount == inOgg.byteCount)
    #expect(alone.formerHash == inOgg.formerHash)
    let samples = try files.decode(Array("fLaC".utf8) + info + frames).samples
    let isEqual = try files.decode(stream.bytes()).samples == samples
    #expect(isEqual)
  }

  @Test func `FLAC without STREAMINFO is the same stream, if its frames say their shape`() throws {
    let file = FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 44_100, rateCode: { _ in 9 })
    let whole = try files.identity(file)
    let rest = try files.identity(Array(file.dropFirst(42)))
    #expect(rest.hash == whole.hash)
    #expect(whole.statement.isSound && !rest.statement.isSound)
  }

  @Test func `MPEG in WAV is the same stream as MPEG alone, and states its own delay`() throws {
    let frames = MPEGBytes.silentFrames(60)
    let format = ChunkBytes.format().replacing([1, 0], with: [0x55, 0], maxReplacements: 1)
    let alone = try files.identity(frames)
    let wrapped = try files.identity(
      ChunkBytes.riff(ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", frames)))
    #expect(wrapped.hash == alone.hash)
    #expect(wrapped.formerHash != alone.formerHash)
    #expect(alone.statement == StreamStatement(frameCount: 60 * 1152))
    #expect(wrapped.statement == alone.statement)
  }

  @Test func `a chain is another stream than its first link`() throws {
    let first = try Self.streamOfVorbis()
    var second = first
    second.serial = 2
    let chain = try files.identity(first.bytes() + second.bytes())
    let alone = try files.identity(first.bytes())
    #expect(chain.hash != alone.hash)
    #expect(chain.byteCount == 2 * alone.byteCount)
    #expect(chain.statement.frameCount == alone.statement.frameCount.map { 2 * $0 })
  }

  /// By the version of the program before there were two.
  private static let formerHashes = [
    "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3": "2dfd88b25ebf4a7162ba2834ccd583a0",
    "audio/Émilie Søndergård/Les Échos/02 Balayage.flac": "e645a3255eb6950fcc51240cc5a00ed7",
    "audio/Émilie Søndergård/Les Échos/05 Marée haute.oga": "bb9e5e89395c847bb90b9544fb845330",
    "audio/星屑電機/夜の配線/02 配線図.ogg": "76dad68bcd48bcf6f0d5ab5291879ebe",
    "audio/Public Address/Announcements/02 Auslaufrille.opus": "d02080e8e9b1c52427e160141e5cba35",
    "audio/Public Address/Announcements/03 Sillon de sortie.m4a": "3e7b57b2bc0e6bd835f1a2565992ab3e",
    "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav": "03bb007c8a6fc8069cc9f90994087703",
    "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff": "f45cf53652253130ae7a28540520cf3c",
    "damaged/chained.ogg": "a466a06f5a177306931b975d73ef6241",
    "damaged/streamed.wav": "71c9f553687116df2ddf171ab414c5b5",
  ]

  @Test(arguments: formerHashes.keys.sorted())
  func `the former hash is that of older libraries`(_ path: String) throws {
    let identity = try OpenFile(Corpora.fixtures.appending(path: path)).identity()
    #expect((identity.formerHash ?? identity.hash).description == Self.formerHashes[path])
    #expect(identity.hashVersion == (path.hasSuffix("m4a") ? 1 : 2))
  }

  @Test(arguments: Corpora.fixtureFiles(in: "audio"))
  func `the length that an intact file states is that of its decode`(_ url: URL) throws {
    let open = try OpenFile(url)
    let identity = try open.identity()
    guard let decoder = try? open.decoder() else { return }
    let frameCount = try decoder.readAll().count / decoder.format.channelCount
    #expect(decoder.outcome.state == .ok)
    #expect(identity.statement.isSound)
    if let stated = identity.statement.frameCount { #expect(stated == Int64(frameCount)) }
  }

  @Test(
    .enabled(if: Tool.exist("ffmpeg", "vorbiscomment"), "FFmpeg or vorbiscomment is not installed"),
    arguments: [0, 5000, 200_000])
  func `FFmpeg finds the same packets in files that have one hash`(_ length: Int) throws {
    func packets(_ file: URL) throws -> String {
      let output = try Tool.run(
        "ffmpeg", "-v", "error", "-i", file.path, "-map", "0:a:0", "-c", "copy", "-f", "streamhash", "-hash", "md5", "-"
      )
      return String(decoding: output, as: UTF8.self)
    }
    let folder = files.folder
    var stream = try Self.streamOfVorbis()
    stream.shareHeaderPage()
    try folder.write(stream.bytes(), to: "a.ogg")
    try folder.write(Array("COMMENT=\(String(repeating: "y", count: length))\n".utf8), to: "tags")
    try Tool.run(
      "vorbiscomment", "-R", "-w", "-c", folder.appending("tags").path, folder.appending("a.ogg").path,
      folder.appending("b.ogg").path)
    stream.packets[20].bytes[1] ^= 1
    try folder.write(stream.bytes(), to: "c.ogg")
    let names = ["a.ogg", "b.ogg", "c.ogg"].map { folder.appending($0) }
    let found = try names.map { try packets($0) }
    let hashes = try names.map { try OpenFile($0).streamHash() }
    #expect(found[0] == found[1] && hashes[0] == hashes[1])
    #expect(found[0] != found[2] && hashes[0] != hashes[2])
  }
}

/// WAV files whose header leaves the length of the data open, as programs write them to a pipe.
struct OpenLengthTests {
  private let files: MadeUpFiles

  init() throws { files = try MadeUpFiles() }

  private static let samples = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private static func file(_ size: UInt32, bitsPerSample: Int = 16, _ samples: [UInt8] = samples) -> [UInt8] {
    Array("RIFF".utf8) + littleEndian(UInt32.max) + Array("WAVE".utf8)
      + ChunkBytes.chunk("fmt ", ChunkBytes.format(bitsPerSample: bitsPerSample)) + Array("data".utf8)
      + littleEndian(size) + samples
  }

  struct Appended: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
  }

  private static let appended = [
    Appended(
      testDescription: "ID3v1", bytes: TagBytes.id3v1(title: "a", artist: "b", album: "c", year: "1999", genre: 1)),
    Appended(testDescription: "APE", bytes: TagBytes.ape([("Title", "Another")])),
    Appended(
      testDescription: "id3 chunk", bytes: ChunkBytes.chunk("id3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "a")))),
    Appended(
      testDescription: "several chunks and tags",
      bytes: ChunkBytes.chunk("LIST", Array("INFOINAM".utf8) + littleEndian(UInt32(4)) + Array("abc\0".utf8))
        + ChunkBytes.chunk("bext", [UInt8](repeating: 7, count: 603)) + ChunkBytes.chunk("_PMX", [1, 2, 3])
        + ChunkBytes.chunk("ID3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "b")))
        + TagBytes.id3v1(title: "a", artist: "b", album: "c", year: "1999", genre: 1)),
    Appended(
      testDescription: "a large picture",
      bytes: ChunkBytes.chunk("id3 ", (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })),
    Appended(testDescription: "an empty chunk", bytes: ChunkBytes.chunk("JUNK", [])),
  ]

  @Test(arguments: [UInt32(0), .max, 0x7FFF_F000], appended)
  func `what is appended is not part of the stream`(_ size: UInt32, _ appended: Appended) throws {
    let bytes = Self.file(size)
    let plain = try files.identity(bytes)
    let samples = try files.decode(bytes).samples
    #expect(samples.count == 2000)
    let identity = try files.identity(bytes + appended.bytes)
    #expect(identity.hash == plain.hash)
    #expect(identity.byteCount == plain.byteCount)
    #expect(identity.statement == plain.statement)
    #expect(identity.formerHash != plain.formerHash)
    let decoded = try files.decode(bytes + appended.bytes)
    #expect(decoded.samples == samples)
    #expect(decoded.outcome.state == .ok)
  }

  @Test func `a byte that fills up to an even length is not a sample`() throws {
    let samples = [UInt8](repeating: 9, count: 3999)
    let plain = try files.identity(Self.file(0, bitsPerSample: 8, samples))
    let tagged = try files.identity(
      Self.file(0, bitsPerSample: 8, samples) + [0] + ChunkBytes.chunk("LIST", [1, 2, 3, 4]))
    #expect(tagged.hash == plain.hash)
  }

  @Test func `what looks like a chunk within the samples stays`() throws {
    var samples = Self.samples
    samples.replaceSubrange(1000..<1012, with: ChunkBytes.chunk("LIST", [1, 2, 3, 4]))
    #expect(try files.identity(Self.file(0, samples)).byteCount == 4000)
    samples.replaceSubrange(3000..<3008, with: Array("LIST".utf8) + littleEndian(UInt32(5000)))
    #expect(try files.identity(Self.file(0, samples)).byteCount == 4000)
  }

  @Test func `half a frame at the end does not count`() throws {
    let whole = try files.identity(Self.file(0))
    let more = try files.identity(Self.file(0, Self.samples + [1]))
    #expect(more.hash == whole.hash)
    #expect(more.formerHash != whole.formerHash)
  }

  @Test func `a file of which less is there than declared says so before it is decoded`() throws {
    let bytes = ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", ChunkBytes.format()), ChunkBytes.chunk("data", Self.samples, claiming: 8000))
    let identity = try files.identity(bytes)
    #expect(!identity.statement.isSound)
    #expect(try OpenFile(files.folder.appending("a")).decoder().ownProblem?.reason == "truncated: 2000 of 4000 frames")
  }

  @Test func `Opus that begins before position zero, as ffmpeg cuts it, is whole`() throws {
    var stream = try Self.streamOfOpus()
    let whole = try files.decode(stream.bytes())
    // All positions are 2,880 frames earlier: more than a packet.
    for number in stream.headerCount..<stream.packets.count where stream.packets[number].granule > 2_880 {
      stream.packets[number].granule -= 2_880
    }
    let cut = try files.decode(stream.bytes())
    #expect(cut.outcome.state == .ok, "\(cut.outcome)")
    #expect(cut.samples == whole.samples)
    #expect(try files.identity(stream.bytes()).statement.frameCount == Int64(whole.frameCount))
  }
}
