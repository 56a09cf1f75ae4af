import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// WavPack, True Audio, AC-3, E-AC-3 and DTS as bare streams, with the source and FFmpeg as oracles.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct BareStreamTests {
  /// What FFmpeg makes of the source, and what must be found in it.
  struct Stream: CustomTestStringConvertible {
    let name: String
    let arguments: String
    let container: Container
    let codec: Codec
    var isLossless: Bool { codec.isLossless }
    var testDescription: String { name }

    static let all = [
      Stream(name: "a.wv", arguments: "-c:a wavpack", container: .wavpack, codec: .wavpack),
      Stream(name: "a.tta", arguments: "-c:a tta", container: .trueAudio, codec: .trueAudio),
      Stream(name: "a.ac3", arguments: "-c:a ac3 -b:a 192k", container: .ac3, codec: .ac3),
      Stream(name: "a.eac3", arguments: "-c:a eac3 -b:a 192k", container: .eac3, codec: .eac3),
      Stream(name: "a.dts", arguments: "-c:a dca -strict -2 -b:a 768k", container: .dts, codec: .dts),
    ]
  }

  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  private func make(_ stream: Stream) throws -> URL {
    try music.ffmpeg("-i @source.wav \(stream.arguments)", to: stream.name)
  }

  @Test(arguments: Stream.all)
  func `a stream is found by its content, and gives what FFmpeg gives`(_ stream: Stream) throws {
    let file = try make(stream)
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok && decoded.outcome.problem == nil && decoded.outcome.notes == [])
    #expect(decoded.mediaFormat.container == stream.container && decoded.mediaFormat.codec == stream.codec)
    #expect(decoded.mediaFormat.sampleRateInHz == 44_100 && decoded.mediaFormat.channelCount == 2)
    let options = stream.container == .ac3 || stream.container == .eac3 ? "-cons_noisegen 1" : ""
    #expect(try decoded.samples == music.floats(file, options: options))
    if stream.isLossless {
      #expect(decoded.frameCount == EncodedMusic.frameCount)
      #expect(decoded.mediaFormat.declaredFrameCount == Int64(EncodedMusic.frameCount))
      #expect(decoded.mediaFormat.bitsPerSample == 16)
      let source = music.folder.appending("source.wav")
      #expect(try decoded.samples == DecodedFile(source).samples)
      #expect(try music.sampleHash(file) == music.sampleHash(source))
    } else {
      #expect(decoded.mediaFormat.declaredFrameCount == nil && decoded.mediaFormat.bitsPerSample == nil)
      #expect((0..<3000).contains(decoded.frameCount - EncodedMusic.frameCount))
    }
  }

  @Test(arguments: Stream.all)
  func `any range equals the whole decode`(_ stream: Stream) throws {
    let url = try make(stream)
    let whole = try DecodedFile(url)
    let file = try OpenFile(url)
    let decoder = try file.decoder()
    var random = RepeatableRandom(seed: 5)
    for _ in 0..<200 {
      let frame = Int.random(in: 0...whole.frameCount, using: &random)
      try decoder.seek(toFrame: Int64(frame))
      let part = try decoder.readFrames(500)
      guard part == Array(whole.samples[(2 * frame)...].prefix(1000)) else {
        Issue.record("frame \(frame) differs")
        return
      }
    }
  }

  @Test(arguments: Stream.all)
  func `tags do not change the stream, and the old hash is that without a decoder`(_ stream: Stream) throws {
    let file = try make(stream)
    let bytes = [UInt8](try Data(contentsOf: file))
    let tag = TagBytes.id3v2(TagBytes.textFrame("TIT2", .utf8, Array("x".utf8)))
    try music.folder.write(tag + bytes, to: "tagged-\(stream.name)")
    let identities = try [file, music.folder.appending("tagged-\(stream.name)")].map { try OpenFile($0).identity() }
    #expect(identities[0].hash == identities[1].hash)
    #expect(identities.allSatisfy { $0.hashVersion == 2 && $0.formerHash != nil })
    #expect(try DecodedFile(music.folder.appending("tagged-\(stream.name)")).outcome.state == .ok)
  }

  @Test(arguments: Stream.all)
  func `a stream that is cut gives what is there, and says so`(_ stream: Stream) throws {
    let whole = try DecodedFile(make(stream))
    let bytes = [UInt8](try Data(contentsOf: music.folder.appending(stream.name)))
    let cut = try music.decoded(Array(bytes[..<(bytes.count * 2 / 3)]), as: "cut-\(stream.name)")
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "truncated")
    #expect(cut.frameCount > EncodedMusic.frameCount / 2 && cut.frameCount < EncodedMusic.frameCount * 3 / 4)
    #expect(whole.samples.starts(with: cut.samples))
  }

  @Test(arguments: Stream.all.filter { $0.codec != .dts })
  func `changed bytes are found, and what is behind them stays at its place`(_ stream: Stream) throws {
    let whole = try DecodedFile(make(stream))
    var bytes = [UInt8](try Data(contentsOf: music.folder.appending(stream.name)))
    let middle = bytes.count / 2
    for place in middle..<middle + 5 { bytes[place] ^= 0x55 }
    let broken = try music.decoded(bytes, as: "broken-\(stream.name)")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "undecodable")
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(position > 2 && position < 5)
    #expect(broken.frameCount == whole.frameCount)
    let end = whole.samples.count - 2 * 88_200
    #expect(broken.samples[end...] == whole.samples[end...])
  }

  @Test(arguments: Stream.all.filter { $0.codec != .trueAudio })
  func `a frame that lost its header is silence in WavPack, else it is missing, and the rest is found`(
    _ stream: Stream
  ) throws {
    let whole = try DecodedFile(make(stream))
    var bytes = [UInt8](try Data(contentsOf: music.folder.appending(stream.name)))
    let sync = Array(bytes[..<4])
    // The size of a frame may differ; what does not is at its start.
    let mark = stream.codec == .wavpack || stream.codec == .dts ? 4 : 2
    let place = try #require(
      (bytes.count / 2..<bytes.count).first { bytes[$0...].starts(with: sync[..<mark]) })
    for index in place..<place + 2 { bytes[index] = 0 }
    let broken = try music.decoded(bytes, as: "lost-\(stream.name)")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "junk")
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(position > 2 && position < 5)
    if stream.codec == .wavpack {
      #expect(broken.frameCount == whole.frameCount)
      #expect(broken.samples.suffix(88_200) == whole.samples.suffix(88_200))
    } else {
      #expect((1...2048).contains(whole.frameCount - broken.frameCount))
      #expect(broken.samples.suffix(88_200) == whole.samples.suffix(88_200))
    }
  }

  @Test(arguments: ["pcm_s24le -sample_fmt s32", "pcm_f32le"])
  func `True Audio and WavPack of more bits give the samples of their source`(_ form: String) throws {
    let source = try music.ffmpeg("-i @source.wav -af volume=0.3 -c:a \(form.split(separator: " ")[0])", to: "b.wav")
    let format = form.hasPrefix("pcm_f32") ? "fltp" : "s32p"
    let wavPack = try music.ffmpeg("-i @b.wav -c:a wavpack -sample_fmt \(format)", to: "b.wv")
    #expect(try DecodedFile(wavPack).samples == DecodedFile(source).samples)
    guard format == "s32p" else {
      #expect(try music.sampleHash(wavPack) == music.sampleHash(source))
      return
    }
    let trueAudio = try music.ffmpeg("-i @b.wav -c:a tta -sample_fmt s32 -bits_per_raw_sample 24", to: "b.tta")
    #expect(try DecodedFile(trueAudio).samples == DecodedFile(source).samples)
    #expect(try DecodedFile(trueAudio).mediaFormat.bitsPerSample == 24)
    #expect(try music.sampleHash(trueAudio) == music.sampleHash(source))
  }

  @Test func `True Audio with a password says so`() throws {
    var bytes = [UInt8](try Data(contentsOf: make(Stream.all[1])))
    bytes[4] = 2
    try music.folder.write(bytes, to: "secret.tta")
    let file = try OpenFile(music.folder.appending("secret.tta"))
    #expect(throws: DecodingError.unsupported(reason: "True Audio is encrypted with a password")) {
      try file.decoder()
    }
  }

  /// What each fixture is, and its frames as the decoder that golden.py names has counted them.
  @Test(arguments: [
    ("turn.wv", Codec.wavpack, 28_800), ("turn-hybrid.wv", .hybridWavPack, 28_800), ("turn.tta", .trueAudio, 28_800),
    ("turn.ac3", .ac3, 79_872), ("turn.eac3", .eac3, 79_872), ("turn.dts", .dts, 29_184),
  ])
  func `fixtures decode as long as other decoders count`(_ name: String, _ codec: Codec, _ frameCount: Int) throws {
    let decoded = try DecodedFile(Corpora.fixtures.appending(path: "formats/\(name)"))
    #expect(decoded.outcome.state == .ok && decoded.mediaFormat.codec == codec && decoded.frameCount == frameCount)
  }

  @Test func `one sound in WavPack and True Audio is one recording, and its tags are read`() throws {
    let folder = Corpora.fixtures.appending(path: "formats")
    let hashes = try ["turn.wv", "turn.tta"].map { try music.sampleHash(folder.appending(path: $0)) }
    #expect(hashes[0] != nil && hashes[0] == hashes[1])
    let tags = try OpenFile(folder.appending(path: "turn.wv")).tags().tags
    #expect(tags["TITLE"] == ["Turn"] && tags["ARTIST"] == ["The Locked Grooves"])
  }

  /// The frames of a stream, by the marks with which they begin.
  private func frames(of stream: Stream, mark: [UInt8]) throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: make(stream)))
    let starts = bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
  }

  @Test func `another program of E-AC-3 is left out`() throws {
    let stream = Stream.all[3]
    let whole = try DecodedFile(make(stream))
    let bytes = [UInt8](try Data(contentsOf: music.folder.appending(stream.name)))
    var both: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let length = (Int(bytes[start + 2] & 7) << 8 | Int(bytes[start + 3])) * 2 + 2
      let frame = Array(bytes[start..<start + length])
      var other = frame
      other[2] |= 1 << 3
      both += frame + other
      start += length
    }
    let decoded = try music.decoded(both, as: "two.eac3")
    #expect(decoded.outcome.state == .ok && decoded.samples == whole.samples)
    let identities = try ["a.eac3", "two.eac3"].map { try OpenFile(music.folder.appending($0)).identity() }
    #expect(identities[0].hash == identities[1].hash)
  }

  @Test func `of DTS-HD the core is decoded, and noted`() throws {
    let whole = try DecodedFile(make(Stream.all[4]))
    let frames = try frames(of: Stream.all[4], mark: [0x7F, 0xFE, 0x80, 0x01])
    // 64 bytes that are an extension by their header alone.
    let header: [UInt8] = [0x64, 0x58, 0x20, 0x25, 0, 0x01, 0x20, 0x07, 0xE0]
    let more = header + [UInt8](repeating: 0, count: 64 - header.count)
    let decoded = try music.decoded(frames.flatMap { $0 + more }, as: "hd.dts")
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == ["core-only"])
    #expect(decoded.samples == whole.samples)
  }

  @Test(arguments: [(16, false), (14, true), (14, false)])
  func `DTS gives the same in other orders of its bits`(_ bitCount: Int, _ isBigEndian: Bool) throws {
    let whole = try DecodedFile(make(Stream.all[4]))
    var packed: [UInt8] = []
    for frame in try frames(of: Stream.all[4], mark: [0x7F, 0xFE, 0x80, 0x01]) {
      var bits = frame.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
      while bits.count % bitCount != 0 { bits.append(0) }
      for start in stride(from: 0, to: bits.count, by: bitCount) {
        var word = bits[start..<start + bitCount].reduce(UInt16(0)) { $0 << 1 | UInt16($1) }
        // Words of 14 bits repeat their sign above it.
        if bitCount == 14, word & 0x2000 != 0 { word |= 0xC000 }
        packed += isBigEndian ? [UInt8(word >> 8), UInt8(word & 255)] : [UInt8(word & 255), UInt8(word >> 8)]
      }
    }
    let decoded = try music.decoded(packed, as: "packed.dts")
    #expect(decoded.outcome.state == .ok && decoded.mediaFormat.codec == .dts)
    #expect(decoded.samples == whole.samples)
    // As a disc has it, in place of samples of 16 bits, behind a little silence.
    let disc = ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", ChunkBytes.format(channelCount: 2, sampleRateInHz: 44_100)),
      ChunkBytes.chunk("data", [UInt8](repeating: 0, count: 2352) + packed))
    let copy = try music.decoded(disc, as: "disc.wav")
    #expect(copy.outcome.state == .ok && copy.mediaFormat.codec == .dts && copy.mediaFormat.container == .wav)
    #expect(copy.samples == whole.samples)
    let hashes = try ["packed.dts", "disc.wav"].map { try OpenFile(music.folder.appending($0)).identity().hash }
    #expect(hashes[0] == hashes[1])
  }
}
