import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Musepack against its encoder's input and libmpcdec's own program.
@Suite(.enabled(if: Tool.exist("sox", "mpcenc", "mpcdec"), "SoX or musepack-tools are not installed"))
struct MusepackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Words for SoX that make the source, and for mpcenc.
    let source: String
    let encoder: String
  }

  private static let forms = [
    Form(testDescription: "standard", source: "-r 44100 -c 2", encoder: "--quality 5"),
    Form(testDescription: "noise in place of bands", source: "-r 44100 -c 2", encoder: "--quality 1"),
    Form(testDescription: "mono at 48 kHz", source: "-r 48000 -c 1", encoder: "--quality 7"),
    Form(testDescription: "one block a packet, 32 kHz", source: "-r 32000 -c 2", encoder: "--num_frames 0"),
    Form(testDescription: "four blocks a packet, 37.8 kHz", source: "-r 37800 -c 2", encoder: "--num_frames 1"),
  ]

  /// 7 s and a few frames.
  private func encode(_ form: Form, length: String = "309123s") throws -> URL {
    let (source, file) = (folder.appending("source.wav").path, folder.appending("a.mpc"))
    let synthesis =
      "-D -R \(form.source) -n -b 16 \(source) synth \(length) sine 100-9000 pinknoise tremolo 3 95 gain -3"
    try Tool.run("sox", arguments: synthesis.split(separator: " ").map(String.init))
    let words = form.encoder.split(separator: " ").map(String.init)
    try Tool.run("mpcenc", arguments: ["--silent", "--overwrite"] + words + [source, file.path])
    return file
  }

  /// What libmpcdec's program makes of a file: 16 bits.
  private func oracle(_ file: URL) throws -> [Int32] {
    let target = folder.appending("oracle.wav")
    try #require(Tool("mpcdec")).run([file.path, target.path], acceptsFailure: true)
    return try DecodedFile(target).integers(bits: 16)
  }

  @Test(arguments: forms)
  func `the length is that of the source, and the samples are those of mpcdec`(_ form: Form) throws {
    let file = try encode(form)
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.frameCount == 309_123)
    #expect(decoded.mediaFormat.declaredFrameCount == 309_123)
    #expect(decoded.mediaFormat.container == .musepack && decoded.mediaFormat.codec == .musepack)
    let expected = try oracle(file)
    let samples = decoded.integers(bits: 16)
    try #require(samples.count == expected.count)
    // Its program rounds in another way.
    #expect(zip(samples, expected).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test(arguments: ["1s", "671s", "672s", "1152s", "73247s", "73248s", "73249s"])
  func `lengths at the ends of blocks and packets are exact`(_ length: String) throws {
    let decoded = try DecodedFile(try encode(Self.forms[0], length: length))
    #expect("\(decoded.frameCount)s" == length)
    #expect(decoded.outcome.state == .ok)
  }

  @Test func `tags and gains do not change the stream, another quality does`() throws {
    let file = try encode(Self.forms[0])
    let bytes = [UInt8](try Data(contentsOf: file))
    let gain = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("RG".utf8)) })
    var louder = bytes
    louder.replaceSubrange(gain + 4..<gain + 6, with: [7, 7])
    try folder.write(louder + Array("TAG".utf8) + [UInt8](repeating: 65, count: 125), to: "b.mpc")
    let (first, second) = (try OpenFile(file).identity(), try OpenFile(folder.appending("b.mpc")).identity())
    #expect(first.hash == second.hash && first.hashVersion == 2)
    #expect(first.formerHash != second.formerHash)
    #expect(try OpenFile(encode(Self.forms[1])).identity().hash != first.hash)
  }

  @Test func `a file that is cut gives what is there, and says what is missing`() throws {
    let file = try encode(Self.forms[4])
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "cut.mpc")
    let cut = try DecodedFile(folder.appending("cut.mpc"))
    #expect(cut.outcome.problem?.code == "truncated" && cut.outcome.state == .damaged)
    #expect(cut.frameCount > whole.frameCount / 4 && cut.frameCount < whole.frameCount * 3 / 4)
    #expect(whole.samples.starts(with: cut.samples))
  }

  @Test func `what is behind a broken packet stays at its place`() throws {
    let file = try encode(Self.forms[3])
    let whole = try DecodedFile(file)
    var bytes = [UInt8](try Data(contentsOf: file))
    for place in bytes.count / 2..<bytes.count / 2 + 40 { bytes[place] ^= 0x55 }
    try folder.write(bytes, to: "b.mpc")
    let broken = try DecodedFile(folder.appending("b.mpc"))
    #expect(broken.outcome.state == .damaged)
    // Some bits give valid packets, or the walk ends there.
    #expect(broken.frameCount <= whole.frameCount)
    #expect(whole.samples.prefix(20_000) == broken.samples.prefix(20_000))
  }

  /// A packet is known to be broken when its bits run out, which is many blocks behind the first wrong one.
  @Test func `the place of a broken packet is not behind the first wrong sound`() throws {
    let file = try encode(Self.forms[0])
    let whole = try DecodedFile(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    let packetSeconds = 64 * 1152 / 44_100.0
    var brokenCount = 0
    for number in 3..<9 {
      var changed = bytes
      let place = bytes.count * number / 12
      for index in place..<place + 40 { changed[index] ^= UInt8(truncatingIfNeeded: 0x55 &* number | 1) }
      try folder.write(changed, to: "b.mpc")
      let broken = try DecodedFile(folder.appending("b.mpc"))
      guard broken.outcome.problem?.code == "undecodable", let position = broken.outcome.problem?.positionInSeconds,
        let first = zip(whole.samples, broken.samples).enumerated().first(where: { $1.0 != $1.1 })?.offset
      else { continue }
      brokenCount += 1
      let wrong = Double(first / 2) / 44_100
      #expect(position < wrong + 0.03 && position > wrong - packetSeconds - 0.03, "\(position), \(wrong)")
    }
    #expect(brokenCount > 0)
  }

  @Test func `changed bytes anywhere are never worse than damage`() throws {
    let bytes = [UInt8](try Data(contentsOf: try encode(Self.forms[1], length: "60000s")))
    try folder.readMutations(of: bytes, as: "b.mpc", count: 300, seed: 38)
  }
}
