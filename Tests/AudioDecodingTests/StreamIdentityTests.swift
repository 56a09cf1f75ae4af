import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Which files have one stream, and which do not.
struct StreamIdentityTests {
  private let files: SyntheticFiles

  init() throws { files = try SyntheticFiles() }

  @Test func `of 500 files that differ in configuration or packets, no two have one stream`() throws {
    let variants =
      try StreamVariants.vorbis() + StreamVariants.opus() + StreamVariants.flac() + StreamVariants.wav()
      + StreamVariants.mpeg()
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
    for original in [try StreamFixture.vorbisStream(), try StreamFixture.opusStream()] {
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
    for (original, name) in [
      (try StreamFixture.vorbisStream(), "\u{3}vorbis"), (try StreamFixture.opusStream(), "OpusTags"),
    ] {
      let expected = try files.identity(original.bytes())
      let samples = try files.decode(original.bytes()).samples
      var stream = original
      stream.shareHeaderPage()
      let comment = TagBytes.vorbisComments("COMMENT=" + String(repeating: "x", count: length))
      stream.packets[1].bytes = Array(name.utf8) + comment + [1]
      let identity = try files.identity(stream.bytes())
      #expect(identity.hash == expected.hash)
      #expect(identity.byteCount == expected.byteCount)
      #expect(identity.declaration == expected.declaration)
      let decoded = try files.decode(stream.bytes())
      #expect(decoded.outcome.state == .ok)
      let isEqual = decoded.samples == samples
      #expect(isEqual)
    }
  }

  @Test func `gain and trimming belong to the file`() throws {
    let original = try StreamFixture.opusStream()
    let plain = try files.identity(original.bytes())
    let delay = try #require(plain.declaration.delayFrameCount)
    let frameCount = try #require(plain.declaration.frameCount)
    var stream = original
    stream.packets[0].bytes.replaceSubrange(16..<18, with: littleEndian(Int16(-1536)))
    stream.packets[0].bytes.replaceSubrange(12..<16, with: littleEndian(UInt32(44_100)))
    stream.packets[0].bytes.replaceSubrange(10..<12, with: littleEndian(UInt16(delay + 100)))
    let last = stream.packets.count - 1
    stream.packets[last].granule -= 50
    let identity = try files.identity(stream.bytes())
    #expect(identity.hash == plain.hash)
    #expect(
      identity.declaration
        == StreamDeclaration(delayFrameCount: delay + 100, frameCount: frameCount - 150, outputGain: -1536))
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
    for original in [try StreamFixture.vorbisStream(), try StreamFixture.opusStream()] {
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
      #expect(plain.declaration.isSound && !identity.declaration.isSound)
      #expect(identity.declaration < plain.declaration)
      let decoded = try files.decode(stream.bytes())
      #expect(decoded.outcome.state == .damaged)
      #expect(["positions", "truncated"].contains(decoded.outcome.problem?.code))
      #expect(Int64(decoded.frameCount) == identity.declaration.frameCount)
    }
  }

  @Test func `FLAC in Ogg is the same stream as FLAC alone`() throws {
    let stream = try OggStream(StreamFixture.flacInOgg, headerCount: 1)
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
    #expect(whole.declaration.isSound && !rest.declaration.isSound)
  }

  @Test func `MPEG in WAV is the same stream as MPEG alone, and states its own delay`() throws {
    let frames = MPEGBytes.silentFrames(60)
    let format = ChunkBytes.format().replacing([1, 0], with: [0x55, 0], maxReplacements: 1)
    let alone = try files.identity(frames)
    let wrapped = try files.identity(
      ChunkBytes.riff(ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", frames)))
    #expect(wrapped.hash == alone.hash)
    #expect(wrapped.formerHash != alone.formerHash)
    #expect(alone.declaration == StreamDeclaration(frameCount: 60 * 1152))
    #expect(wrapped.declaration == alone.declaration)
  }

  @Test func `a chain is another stream than its first link`() throws {
    let first = try StreamFixture.vorbisStream()
    var second = first
    second.serial = 2
    let chain = try files.identity(first.bytes() + second.bytes())
    let alone = try files.identity(first.bytes())
    #expect(chain.hash != alone.hash)
    #expect(chain.byteCount == 2 * alone.byteCount)
    #expect(chain.declaration.frameCount == alone.declaration.frameCount.map { 2 * $0 })
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
    #expect(identity.hashVersion == 2)
  }

  @Test(arguments: Corpora.fixtureFiles(in: "audio"))
  func `the length that an intact file states is that of its decode`(_ url: URL) throws {
    let open = try OpenFile(url)
    let identity = try open.identity()
    guard let decoder = try? open.decoder() else { return }
    let frameCount = try decoder.readAll().count / decoder.format.channelCount
    #expect(decoder.outcome.state == .ok)
    #expect(identity.declaration.isSound)
    if let stated = identity.declaration.frameCount { #expect(stated == Int64(frameCount)) }
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
    var stream = try StreamFixture.vorbisStream()
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

  @Test func `Opus that begins before position zero, as ffmpeg cuts it, is whole`() throws {
    var stream = try StreamFixture.opusStream()
    let whole = try files.decode(stream.bytes())
    // All positions are 2,880 frames earlier: more than a packet.
    for number in stream.headerCount..<stream.packets.count where stream.packets[number].granule > 2_880 {
      stream.packets[number].granule -= 2_880
    }
    let cut = try files.decode(stream.bytes())
    #expect(cut.outcome.state == .ok)
    #expect(cut.samples == whole.samples)
    #expect(try files.identity(stream.bytes()).declaration.frameCount == Int64(whole.frameCount))
  }
}
