import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// One stream in several containers is one recording, wherever FFmpeg and mkvmerge put it.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct ContainersTests {
  private static let frameCount = 100_000
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i aevalsrc=0.4*sin(440*t*2*PI)|0.3*sin(660*t*2*PI)+0.1*random(1):s=44100:d=3,atrim=end_sample=100000",
      to: "source.wav")
  }

  /// Arguments are separated by blanks; `@name` is a file in the folder.
  @discardableResult
  private func ffmpeg(_ arguments: String, to name: String) throws -> URL {
    let words = arguments.split(separator: " ").map {
      $0.hasPrefix("@") ? folder.appending(String($0.dropFirst())).path : String($0)
    }
    let target = folder.appending(name)
    try Tool.run("ffmpeg", arguments: ["-v", "error", "-y"] + words + ["-strict", "-2", target.path])
    return target
  }

  /// A codec, and the containers that hold it; the first one is its own.
  struct Stream: CustomTestStringConvertible {
    let codec: String
    let names: [String]
    /// Whether every container states where the recording begins and ends.
    var hasExactLengths = true

    var testDescription: String { codec }
  }

  private static let streams = [
    Stream(codec: "libopus", names: ["a.opus", "a.webm", "a.mka", "a.mp4"]),
    Stream(codec: "libvorbis", names: ["a.ogg", "a.webm", "a.mka", "a.mp4"]),
    Stream(codec: "flac", names: ["a.flac", "a.oga", "a.mka", "a.mp4"]),
    Stream(codec: "libmp3lame", names: ["a.mp3", "a.mka", "a.mp4"], hasExactLengths: false),
    Stream(codec: "aac", names: ["a.m4a", "a.mka", "a.aac"], hasExactLengths: false),
    Stream(codec: "alac", names: ["a.m4a", "a.mka"]),
    Stream(codec: "mp2", names: ["a.mp2", "a.mka"]),
    Stream(codec: "ac3", names: ["a.ac3", "a.mka", "a.mp4"]),
    Stream(codec: "eac3", names: ["a.eac3", "a.mka", "a.mp4"]),
    Stream(codec: "wavpack", names: ["a.wv", "a.mka"]), Stream(codec: "dca", names: ["a.dts", "a.wav", "a.mka"]),
    Stream(codec: "ac3", names: ["a.ac3", "a.wav"]),
    Stream(codec: "pcm_s16le", names: ["a.wav", "a.mka", "a.mov"]),
    Stream(codec: "pcm_s24le", names: ["a.wav", "a.mka", "a.mov"]),
    Stream(codec: "pcm_f32le", names: ["a.wav", "a.mka", "a.mov"]),
  ]

  @Test(arguments: streams)
  func `a stream that is copied to another container stays the same recording`(_ stream: Stream) throws {
    let own = try ffmpeg("-i @source.wav -c:a \(stream.codec)", to: stream.names[0])
    let identity = try OpenFile(own).identity()
    let whole = try DecodedFile(own)
    for name in stream.names.dropFirst() {
      let copy = try ffmpeg("-i @\(stream.names[0]) -c copy", to: name)
      #expect(try OpenFile(copy).identity().hash == identity.hash, Comment(rawValue: name))
      let decoded = try DecodedFile(copy)
      #expect(decoded.outcome.state == .ok, Comment(rawValue: name))
      #expect(decoded.format.sampleRateInHz == whole.format.sampleRateInHz, Comment(rawValue: name))
      #expect(decoded.format.channelCount == whole.format.channelCount, Comment(rawValue: name))
      if stream.hasExactLengths { #expect(decoded.samples == whole.samples, Comment(rawValue: name)) }
    }
  }

  @Test(
    .enabled(if: Tool.exist("mkvmerge"), "mkvmerge is not installed"),
    arguments: [
      ("libopus", "a.opus"), ("flac", "a.flac"), ("libmp3lame", "a.mp3"), ("alac", "a.m4a"), ("ac3", "a.ac3"),
      ("wavpack", "a.wv"),
    ])
  func `what mkvmerge writes is the same recording, of the same length`(codec: String, name: String) throws {
    let own = try ffmpeg("-i @source.wav -c:a \(codec)", to: name)
    let merged = folder.appending("merged.mka")
    try Tool.run("mkvmerge", arguments: ["-q", "-o", merged.path, own.path])
    #expect(try OpenFile(merged).identity().hash == OpenFile(own).identity().hash)
    #expect(try DecodedFile(merged).samples == DecodedFile(own).samples)
  }

  @Test(arguments: ["a.mkv", "a.mp4", "a.webm"])
  func `the sound of a film is read, and a note says that there are pictures`(_ name: String) throws {
    let codec = name == "a.webm" ? "libopus" : "aac"
    let pictures = name == "a.webm" ? "libvpx" : "mpeg4"
    let film = try ffmpeg(
      "-f lavfi -i testsrc=s=64x64:r=10:d=2 -i @source.wav -c:v \(pictures) -c:a \(codec) -shortest", to: name)
    let decoded = try DecodedFile(film)
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes.contains("video"))
    #expect(decoded.frameCount > 80_000)
  }

  @Test(arguments: ["a.webm", "a.mka", "a.mp4"])
  func `what is behind a broken packet of Opus stays at its place`(_ name: String) throws {
    let file = try ffmpeg("-i @source.wav -c:a libopus", to: name)
    let whole = try DecodedFile(file)
    var bytes = [UInt8](try Data(contentsOf: file))
    for place in bytes.count / 2..<bytes.count / 2 + 60 { bytes[place] = 0xFF }
    try folder.write(bytes, to: "broken")
    #expect(try DecodedFile(folder.appending("broken")).frameCount == whole.frameCount)
  }
}
