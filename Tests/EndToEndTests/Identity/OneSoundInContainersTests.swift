import Foundation
import Testing
import TestSupport

/// One stream in every container that holds it is one recording, and its preset is heard in all of them.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct OneSoundInContainersTests {
  struct Stream: CustomTestStringConvertible {
    let codec: String
    /// The first one is encoded, the others are copies of its packets. A blank separates a file from FFmpeg's options.
    let files: [String]
    var testDescription: String { codec }
  }

  private static let streams = [
    Stream(
      codec: "aac", files: ["a.m4a", "b.mp4 -movflags frag_keyframe+empty_moov", "c.mov", "d.mka", "e.aac"]),
    Stream(codec: "libopus", files: ["a.opus", "b.webm", "c.mka", "d.mp4"]),
    Stream(codec: "libvorbis", files: ["a.ogg", "b.webm", "c.mka", "d.mp4 -strict -2"]),
    Stream(codec: "alac", files: ["a.m4a", "b.caf", "c.mka", "d.mov"]),
    Stream(codec: "flac", files: ["a.flac", "b.oga", "c.mka", "d.mp4 -strict -2"]),
  ]

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
  }

  /// Makes the files; returns their names.
  private func make(_ stream: Stream) throws -> [String] {
    try stream.files.enumerated().map { number, file in
      let words = file.split(separator: " ").map(String.init)
      let source =
        number == 0
        ? ["-f", "lavfi", "-i", "aevalsrc=0.2*sin(440*t*2*PI)|0.1*sin(660*t*2*PI)+0.1*random(1):s=48000:d=2"]
        : ["-i", music.file(stream.files[0]).path]
      let codec = number == 0 ? stream.codec : "copy"
      try Tool.run(
        "ffmpeg",
        arguments: ["-v", "error", "-y"] + source + ["-c:a", codec] + words.dropFirst() + [music.file(words[0]).path])
      return words[0]
    }
  }

  /// A quarter of a second through a preset, or through the one that is assigned.
  private func sound(_ name: String, preset: String? = nil) async throws -> Data {
    let output = deadwax.home.appending("part.wav")
    let choice = preset.map { ["--preset", $0] } ?? []
    try await deadwax.must(
      ["render", music.file(name).path, "--overwrite", "--start", "1", "--end", "1.25", "-o", output.path] + choice)
    return try Data(contentsOf: output)
  }

  @Test(arguments: streams)
  func `one assignment is heard in all containers`(_ stream: Stream) async throws {
    let names = try make(stream)
    try await deadwax.must(["scan", music.path])
    let rows = try await deadwax.must(["ls", "--format", "jsonl", "--fields", TrackRow.fields]).lines(TrackRow.self)
    #expect(rows.count == names.count && rows.allSatisfy { $0.state == "ok" }, "\(rows)")
    let plan = try await deadwax.must(["reanalyze", "--force", "--dry-run", "--json"])
    #expect(try plan.document(ReanalysisDocument.self).recordings == 1, "\(plan)")

    try await deadwax.must(["preset", "create", "Half", "--gain", "-6.0206"])
    try await deadwax.must(["preset", "assign", "Half", music.file(names.last ?? "").path])
    for name in names {
      let heard = try await sound(name)
      #expect(try await sound(name, preset: "Half") == heard, "\(name)")
      #expect(try await sound(name, preset: "Flat") != heard, "\(name)")
    }
  }
}
