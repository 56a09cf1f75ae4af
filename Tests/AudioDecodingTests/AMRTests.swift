import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// AMR and AMR-WB, whose encoders (3GPP's, by opencore-amr and vo-amrwbenc) made the fixtures; the oracle is FFmpeg.
struct AMRTests {
  /// A fixture, and what its frames are.
  struct Recording: CustomTestStringConvertible {
    let name: String
    let codec: Codec
    let markByteCount: Int
    let sampleRateInHz: Int
    /// Bytes of speech by frame type.
    let byteCounts: [Int]

    static let all = [
      Recording(
        name: "announcement.amr", codec: Codec(rawValue: "amr_nb"), markByteCount: 6, sampleRateInHz: 8000,
        byteCounts: [12, 13, 15, 17, 19, 20, 26, 31, 5]),
      Recording(
        name: "announcement.awb", codec: Codec(rawValue: "amr_wb"), markByteCount: 9, sampleRateInHz: 16_000,
        byteCounts: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5]),
    ]

    var url: URL { Corpora.fixtures.appending(path: "encoded/\(name)") }
    var frameCountPerPacket: Int { sampleRateInHz / 50 }
    var testDescription: String { name }

    var mark: [UInt8] { get throws { try Array([UInt8](Data(contentsOf: url)).prefix(markByteCount)) } }

    /// Frames of speech, and others, in order.
    var frames: [[UInt8]] {
      get throws {
        var rest = try [UInt8](Data(contentsOf: url)).dropFirst(markByteCount)
        var frames: [[UInt8]] = []
        while let head = rest.first {
          let type = Int(head >> 3)
          frames.append(Array(rest.prefix(1 + (type < byteCounts.count ? byteCounts[type] : 0))))
          rest = rest.dropFirst(frames[frames.count - 1].count)
        }
        return frames
      }
    }

    func isSpeech(_ frame: [UInt8]) -> Bool { frame[0] >> 3 < byteCounts.count - 1 }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ recording: Recording, _ frames: [[UInt8]]) throws -> URL {
    try folder.write(recording.mark + frames.flatMap(\.self), to: recording.name)
    return folder.appending(recording.name)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"), arguments: Recording.all)
  func `speech is what FFmpeg decodes, and frames between words are silence`(_ recording: Recording) throws {
    let decoded = try DecodedFile(recording.url)
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == [])
    #expect(decoded.mediaFormat.container.rawValue == "amr" && decoded.mediaFormat.codec == recording.codec)
    #expect(decoded.format.sampleRateInHz == recording.sampleRateInHz && decoded.format.channelCount == 1)
    let frames = try recording.frames
    let length = recording.frameCountPerPacket
    #expect(decoded.frameCount == frames.count * length)
    let speech = frames.indices.filter { recording.isSpeech(frames[$0]) }
    let raw = try Tool.run("ffmpeg", arguments: ["-v", "quiet", "-i", recording.url.path, "-f", "f32le", "-"])
    let expected = raw.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    #expect(speech.flatMap { decoded.samples[$0 * length..<($0 + 1) * length] } == expected)
    for number in Set(frames.indices).subtracting(speech) {
      #expect(decoded.samples[number * length..<(number + 1) * length].allSatisfy { $0 == 0 })
    }
  }

  @Test(arguments: Recording.all)
  func `any range equals the whole decode, also behind a minute`(_ recording: Recording) throws {
    let frames = try recording.frames
    let url = try write(recording, (0..<3000).map { frames[$0 % frames.count] })
    let whole = try DecodedFile(url)
    #expect(whole.frameCount == 3000 * recording.frameCountPerPacket && whole.outcome.state == .ok)
    let file = try OpenFile(url)
    let decoder = try file.decoder()
    var random = RepeatableRandom(seed: 5)
    for _ in 0..<40 {
      let frame = Int.random(in: 0...whole.frameCount, using: &random)
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(500) == Array(whole.samples[frame...].prefix(500)), "frame \(frame)")
    }
  }

  @Test(arguments: Recording.all)
  func `the stream is its frames, with tags around them or without`(_ recording: Recording) throws {
    let identity = try OpenFile(recording.url).identity()
    let frames = try recording.frames
    #expect(identity.byteCount == Int64(frames.reduce(0) { $0 + $1.count }))
    #expect(identity.declaration.isSound)
    let plain = [UInt8](try Data(contentsOf: recording.url))
    try folder.write(TagBytes.id3v2(TagBytes.textFrame("TIT2", .utf8, Array("x".utf8))) + plain, to: "tagged.amr")
    #expect(try OpenFile(folder.appending("tagged.amr")).identity().hash == identity.hash)
    #expect(try OpenFile(write(recording, frames.reversed())).identity().hash != identity.hash)
    #expect(try OpenFile(write(recording, frames.dropLast())).identity().hash != identity.hash)
  }

  @Test(arguments: Recording.all)
  func `damage is found, with its position`(_ recording: Recording) throws {
    let frames = try recording.frames
    var cut = frames
    cut[cut.count - 1].removeLast()
    let isWhole = frames[frames.count - 1].count == 1
    let truncated = try DecodedFile(write(recording, isWhole ? Array(frames.prefix(100)) + [[frames[0][0]]] : cut))
    #expect(truncated.outcome.problem?.code == "truncated")
    let there = isWhole ? 100 : frames.count - 1
    #expect(truncated.frameCount == there * recording.frameCountPerPacket)
    #expect(truncated.outcome.problem?.positionInSeconds == Double(there) / 50)

    // No frame begins with these bytes.
    let junk = [[UInt8](repeating: 0xFF, count: 100)]
    let interrupted = try DecodedFile(write(recording, Array(frames[..<50]) + junk + Array(frames[50...])))
    #expect(interrupted.outcome.problem?.code == "junk")
    #expect(interrupted.outcome.problem?.positionInSeconds == 1)
    #expect(interrupted.frameCount == frames.count * recording.frameCountPerPacket)
  }

  @Test(arguments: ["#!AMR_MC1.0\n", "#!AMR-WB_MC1.0\n"])
  func `several channels are refused`(mark: String) throws {
    try folder.write(Array(mark.utf8) + [0, 0, 0, 1] + [UInt8](repeating: 0x7C, count: 40), to: "several.amr")
    let file = try OpenFile(folder.appending("several.amr"))
    #expect(throws: DecodingError.unsupported(reason: "no decoder for AMR with several channels")) {
      try file.decoder()
    }
  }
}
