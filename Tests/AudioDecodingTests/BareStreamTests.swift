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
}
