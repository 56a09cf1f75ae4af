import Foundation
import TestSupport
import Testing

/// The files that fixtures/databases/schema-5.sql.gz was made of, with the same bytes but in another folder.
struct OldMusic {
  let folder: MusicFolder

  /// The root in the dump.
  static let root = "/music"
  /// Missing in the dump, with a preset, a rating and a place in a list.
  static let missing = "opus/ebb.opus"
  /// No file of the dump; its recording keeps a preset.
  static let pruned = "mpeg/pressing.mp3"
  /// No file of the dump either; its recording keeps its row, with a rating and a place in a list.
  static let prunedButListed = "pcm/string.wav"
  /// Two files of one sound, with different presets; the one of the FLAC file is the later one.
  static let level = ["made/level.flac", "made/level.wav"]
  /// Pairs of different streams that had one hash, because headers were not part of it.
  static let sharing = [["made/fast.flac", "made/slow.flac"], ["vorbis/half-rate.ogg", "vorbis/wiring.ogg"]]

  private static let wiring = "audio/星屑電機/夜の配線/02 配線図.ogg"
  private static let copies = [
    "mpeg/lead-in.mp3": "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3",
    "mpeg/no-xing.mp3": "damaged/cbr-without-xing.mp3",
    "mpeg/broadcast.mp2": "audio/Lathe & Lantern/Run-out Groove/04 Broadcast Copy.mp2",
    pruned: "audio/Public Address/Announcements/01 Test Pressing.mp3",
    "vorbis/tube.ogg": "audio/星屑電機/夜の配線/01 真空管.ogg",
    "vorbis/wiring.ogg": wiring,
    "opus/stardust.opus": "audio/星屑電機/夜の配線/03 星屑.opus",
    missing: "audio/صدى البحر/موجات/02 الجزر.opus",
    "flac/slow-tide.flac": "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac",
    "flac/sweep.flac": "audio/Émilie Søndergård/Les Échos/02 Balayage.flac",
    "flac/high-tide.oga": "audio/Émilie Søndergård/Les Échos/05 Marée haute.oga",
    "pcm/kick.wav": "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav",
    prunedButListed: "audio/The Locked Grooves/Thirty-Three and a Third/02 String.wav",
    "pcm/float.wav": "audio/The Locked Grooves/Thirty-Three and a Third/03 Float.wav",
    "pcm/long.rf64": "audio/The Locked Grooves/Thirty-Three and a Third/04 Long Side.rf64",
    "pcm/big-end.aiff": "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
    "pcm/core.caf": "audio/The Locked Grooves/Thirty-Three and a Third/07 Core.caf",
    "pcm/sun.au": "audio/The Locked Grooves/Thirty-Three and a Third/08 Sun.au",
  ]

  /// Without the files that are missing or pruned in the dump.
  init() throws {
    folder = try MusicFolder()
    for name in Self.copies.keys where ![Self.missing, Self.pruned, Self.prunedButListed].contains(name) {
      try add(name)
    }
    let count = 88_200
    func level(_ block: Int) -> Int16 { block.isMultiple(of: 2) ? 3000 : -9000 }
    func step(_ block: Int) -> Int16 { block.isMultiple(of: 2) ? 5000 : -5000 }
    try folder.write(
      FLACBytes.constant(frameCount: count, sampleRateInHz: 44_100, value: level), to: "made/level.flac")
    let samples = (0..<count).map { level($0 / FLACBytes.framesPerBlock) }
    try folder.write(WaveFile.bytes(samples, sampleRateInHz: 44_100, channelCount: 1), to: "made/level.wav")
    for (name, rate) in [("slow", 22_050), ("fast", 44_100)] {
      try folder.write(
        FLACBytes.constant(frameCount: 80_000, sampleRateInHz: rate, value: step), to: "made/\(name).flac")
    }
    let wiring = try Data(contentsOf: Corpora.fixtures.appending(path: Self.wiring))
    try folder.write(CraftedOgg.withRate(22_050, [UInt8](wiring)), to: "vorbis/half-rate.ogg")
  }

  /// Adds a file of ``missing`` and the like.
  func add(_ name: String) throws {
    try folder.add(fixture: try #require(Self.copies[name]), as: name)
  }

  /// A library as version 0.1.0 left it, whose root is this folder.
  func library() async throws -> DeadwaxCommand {
    let deadwax = try await Self.untouchedLibrary()
    try await deadwax.must(["roots", "relocate", Self.root, folder.path])
    return deadwax
  }

  /// As the dump makes it.
  static func untouchedLibrary() async throws -> DeadwaxCommand {
    let deadwax = try DeadwaxCommand()
    let dump = try Tool.run("gzip", "-dc", Corpora.fixtures.appending(path: "databases/schema-5.sql.gz").path)
    let made = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"), ["-bail", deadwax.library.path], standardInput: dump)
    try #require(made.status == 0, "\(made)")
    return deadwax
  }
}
