import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Speex against its encoder's input and libspeex's own program.
@Suite(.enabled(if: Tool.exist("sox", "speexenc", "speexdec"), "SoX or speex is not installed"))
struct SpeexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let forms = [
    "8000 1 -n", "16000 1 -w", "32000 1 -u", "16000 2 -w --vbr", "8000 2 -n --nframes 3", "44100 2 -u --quality 10",
    "8000 1 -n --vad --dtx --vbr",
  ]

  /// - Parameter form: rate, channels and options.
  private func encode(_ form: String, length: Int = 109_123) throws -> URL {
    let words = form.split(separator: " ").map(String.init)
    let (source, file) = (folder.appending("source.wav").path, folder.appending("a.spx"))
    let synthesis =
      "-D -R -r \(words[0]) -n -c \(words[1]) -b 16 \(source) synth \(length)s "
      + "sine 100-3000 pinknoise tremolo 3 95 gain -12"
    try Tool.run("sox", arguments: synthesis.split(separator: " ").map(String.init))
    try Tool.run("speexenc", arguments: words[2...] + [source, file.path])
    return file
  }

  /// What libspeex's program makes of a file: 16 bits.
  private func oracle(_ file: URL) throws -> [Int32] {
    let target = folder.appending("oracle.wav")
    try Tool.run("speexdec", file.path, target.path)
    return try DecodedFile(target).integers(bits: 16)
  }

  @Test(arguments: forms)
  func `length and samples are those of speexdec`(_ form: String) throws {
    let file = try encode(form)
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes.isEmpty)
    #expect(decoded.mediaFormat.container == .ogg && decoded.mediaFormat.codec == .speex)
    let expected = try oracle(file)
    let samples = decoded.integers(bits: 16)
    try #require(samples.count == expected.count)
    // Its program rounds to 16 bits before it makes two channels of one.
    #expect(zip(samples, expected).allSatisfy { abs($0 - $1) <= (decoded.format.channelCount == 1 ? 1 : 3) })
    // The encoder of narrowband does not flush its last frames.
    let source = try DecodedFile(folder.appending("source.wav")).frameCount
    #expect((source - 40...source).contains(decoded.frameCount))
  }

  @Test func `comments do not change the stream, another quality does`() throws {
    let file = try encode("16000 1 -w --title one")
    let first = try OpenFile(file).identity()
    #expect(try OpenFile(encode("16000 1 -w --title another")).identity().hash == first.hash)
    #expect(first.hashVersion == 2)
    #expect(try OpenFile(encode("16000 1 -w --quality 3")).identity().hash != first.hash)
  }

  @Test func `a file that is cut gives what is there, and says that its end is missing`() throws {
    let file = try encode("32000 1 -u")
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    try folder.write(Array(bytes[..<(bytes.count * 2 / 3)]), to: "cut.spx")
    let cut = try DecodedFile(folder.appending("cut.spx"))
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "truncated")
    #expect(cut.frameCount > whole.frameCount / 4 && cut.frameCount < whole.frameCount * 3 / 4)
    #expect(whole.samples.starts(with: cut.samples))
  }

  @Test func `changed bytes anywhere are never worse than damage`() throws {
    let pages = try OggPages(try encode("16000 2 -w --nframes 2", length: 30_000))
    var random = RepeatableRandom(seed: 39)
    for _ in 0..<300 {
      var changed = pages
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let offset = Int.random(in: 27..<pages.bytes.count, using: &random)
        changed.set(UInt8.random(in: 0...255, using: &random), at: offset)
      }
      try folder.write(changed.bytes, to: "b.spx")
      do {
        let decoded = try DecodedFile(folder.appending("b.spx"))
        #expect(decoded.samples.allSatisfy { $0.isFinite })
      } catch let error as DecodingError { #expect(!error.problem.reason.isEmpty) }
    }
  }
}
