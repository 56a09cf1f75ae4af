import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// What the reference encoder of WavPack writes.
@Suite(.enabled(if: Tool.exist("ffmpeg", "wavpack", "wvunpack"), "wavpack is not installed"))
struct WavPackTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  @Test(arguments: ["-h", "-fx3", "-m", "--blocksize=1000"])
  func `each mode gives the samples of its source`(_ options: String) throws {
    let file = try music.wavpack("\(options) @source.wav", to: "a.wv")
    let source = music.folder.appending("source.wav")
    #expect(try DecodedFile(file).outcome.state == .ok)
    #expect(try DecodedFile(file).samples == DecodedFile(source).samples)
    #expect(try music.sampleHash(file) == music.sampleHash(source))
  }

  @Test func `six channels lie in several blocks and come back in order`() throws {
    let source = try music.ffmpeg(
      "-f lavfi -i aevalsrc=0.1*sin(200*t)|0.2*sin(300*t)|0.3*sin(400*t)|0.1*sin(50*t)|0.2*sin(600*t)|0.3*sin(700*t):c=5.1:s=48000:d=3 -c:a pcm_s16le",
      to: "six.wav")
    let decoded = try DecodedFile(try music.wavpack("@six.wav", to: "six.wv"))
    #expect(decoded.outcome.state == .ok && decoded.format.channelCount == 6)
    #expect(try decoded.samples == DecodedFile(source).samples)
  }

  @Test func `an unusual sample rate stands in the block`() throws {
    try music.ffmpeg("-i @source.wav -ar 37800 -c:a pcm_s16le", to: "rate.wav")
    let decoded = try DecodedFile(try music.wavpack("@rate.wav", to: "rate.wv"))
    #expect(decoded.outcome.state == .ok && decoded.mediaFormat.sampleRateInHz == 37_800)
  }

  @Test func `hybrid sound is lossy, equals what the reference decodes without the correction, and is noted`() throws {
    let file = try music.wavpack("-b256 -c @source.wav", to: "hybrid.wv")
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == ["hybrid"])
    #expect(decoded.mediaFormat.codec == .hybridWavPack && !Codec.hybridWavPack.isLossless)
    #expect(try music.sampleHash(file) == nil)
    let reference = music.folder.appending("reference.wav")
    try Tool.run("wvunpack", "-q", "-y", "-i", file.path, "-o", reference.path)
    #expect(try decoded.samples == DecodedFile(reference).samples)
    let correction = try OpenFile(music.folder.appending("hybrid.wvc"))
    #expect(throws: DecodingError.unsupported(reason: "a WavPack correction file (.wvc) contains no audio of its own"))
    {
      try correction.decoder()
    }
  }

  @Test(.enabled(if: Tool.exist("mkvmerge"), "mkvmerge is not installed"), arguments: ["16", "six", "hybrid"])
  func `Matroska holds the same stream without the headers of its blocks`(_ form: String) throws {
    let six = "aevalsrc=0.1*sin(200*t)|0.2*sin(300*t)|0.3*sin(400*t)|0.1*sin(50*t)|0.2*sin(600*t)|0.3*sin(700*t)"
    if form == "six" { try music.ffmpeg("-f lavfi -i \(six):c=5.1:s=48000:d=3 -c:a pcm_s16le", to: "source.wav") }
    let own = try music.wavpack((form == "hybrid" ? "-b256 " : "") + "@source.wav", to: "a.wv")
    let merged = music.folder.appending("a.mka")
    try Tool.run("mkvmerge", arguments: ["-q", "-o", merged.path, own.path])
    let (decoded, whole) = (try DecodedFile(merged), try DecodedFile(own))
    #expect(decoded.outcome.state == .ok && decoded.mediaFormat.container == .matroska)
    #expect(decoded.mediaFormat.codec == whole.mediaFormat.codec && decoded.outcome.notes == whole.outcome.notes)
    #expect(decoded.samples == whole.samples)
    #expect(try OpenFile(merged).identity().hash == OpenFile(own).identity().hash)
    #expect(try music.sampleHash(merged) == music.sampleHash(own))
    let bytes = [UInt8](try Data(contentsOf: merged))
    try music.folder.readMutations(of: Array(bytes.prefix(60_000)), as: "b.mka", count: 30, seed: 46)
  }

  @Test func `a length that the encoder did not know is counted`() throws {
    var bytes = [UInt8](try Data(contentsOf: music.wavpack("@source.wav", to: "a.wv")))
    for place in 12..<16 { bytes[place] = 0xFF }
    let decoded = try music.decoded(bytes, as: "unknown.wv")
    #expect(decoded.outcome.state == .ok && decoded.frameCount == EncodedMusic.frameCount)
    #expect(decoded.mediaFormat.declaredFrameCount == nil)
  }
}
