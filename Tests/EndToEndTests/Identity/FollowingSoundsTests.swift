import Foundation
import TestSupport
import Testing

/// What users decided follows the sound of a file through any sequence of changes that leave the sound alone.
@Suite(.serialized, .enabled(if: Clip.areToolsThere, "\(Clip.absence)"))
struct FollowingSoundsTests {
  private static let seed = TestSize.seed(25)
  private static let roundCount = TestSize.count(1, slow: 6)

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  private let clips: [Clip]
  private let original: URL
  private let sounds: [Int: String]

  /// A library in which each file has its own preset, rating and place in a list.
  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    clips = Clip.fixtures.enumerated().map { number, clip in
      Clip(number: number, sound: clip.sound, ending: URL(filePath: clip.fixture).pathExtension)
    }
    for (clip, source) in zip(clips, Clip.fixtures) { try music.add(fixture: "audio/\(source.fixture)", as: clip.path) }
    original = deadwax.home.appending("original")
    try Tool.run("cp", "-a", music.path, original.path)
    try await deadwax.must(["scan", music.path])
    var rows = "CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB, album_id, added, title, artist, length);"
    rows += "CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);"
    for clip in clips {
      let path = "\(music.path)/\(clip.path)"
      try await deadwax.must(["preset", "create", "P\(clip.number)", "--gain", "-1"])
      try await deadwax.must(["preset", "assign", "P\(clip.number)", path])
      rows += "INSERT INTO items (id, path) VALUES (\(clip.number + 1), CAST('\(path)' AS BLOB));"
      rows += "INSERT INTO item_attributes VALUES (NULL, \(clip.number + 1), 'rating', '\(clip.number)');"
    }
    let beets = deadwax.home.appending("beets.db")
    try Tool.run("sqlite3", beets.path, rows)
    try await deadwax.must(["import", "--beets", beets.path])
    var playlist = "#EXTM3U\n"
    for clip in clips { playlist += "\(music.path)/\(clip.path)\n" }
    try deadwax.home.write(playlist.utf8, to: "order.m3u8")
    try await deadwax.must(["list", "import", deadwax.home.appending("order.m3u8").path])
    try FileManager.default.copyItem(at: deadwax.library, to: deadwax.home.appending("decided.sqlite"))
    let heard = try Self.sounds(of: clips, in: music)
    try #require(Set(heard.values).count == heard.count)
    sounds = heard
  }

  /// Back to the first files and what was decided about them.
  private func begin() throws {
    try FileManager.default.removeItem(at: music.url)
    try Tool.run("cp", "-a", original.path, music.path)
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: deadwax.library.path + suffix) }
    try FileManager.default.copyItem(at: deadwax.home.appending("decided.sqlite"), to: deadwax.library)
  }

  /// Runs one command of bash for each clip, two at a time.
  private static func run(_ commands: [Int: String], in music: MusicFolder) throws -> [Int: String] {
    let folder = try TemporaryFolder()
    var list = ""
    for (number, command) in commands {
      try folder.write("\(command) > \(folder.url.path)/\(number).out 2>&1 || echo failed".utf8, to: "\(number).sh")
      list += "\(folder.url.path)/\(number).sh\n"
    }
    try folder.write(list.utf8, to: "list")
    let failed = try Tool.run(
      "bash", "-c", "cd '\(music.path)' && xargs -P 2 -n 1 bash < '\(folder.url.path)/list'")
    let results = try commands.keys.map { ($0, String(decoding: try folder.bytes(of: "\($0).out"), as: UTF8.self)) }
    #expect(failed.isEmpty, "a program failed: \(results.map(\.1).filter { !$0.isEmpty })")
    return Dictionary(uniqueKeysWithValues: results)
  }

  private static func sounds(of clips: [Clip], in music: MusicFolder) throws -> [Int: String] {
    try run(Dictionary(uniqueKeysWithValues: clips.map { ($0.number, $0.oracle) }), in: music)
  }

  /// Checks that every file has its own decisions, and nothing else has any.
  private func check(_ clips: [Clip], _ round: String) async throws {
    let heard = try Self.sounds(of: clips, in: music)
    let decisions = try await Decisions(deadwax)
    for clip in clips {
      let story = "\(round), \(clip.path): \(clip.history)"
      #expect(heard[clip.number] == sounds[clip.number], "another sound: \(story)")
      let file = decisions[clip.path]
      #expect(file?.decided == ["P\(clip.number)", "rating=\(clip.number)", "1 places"], "\(story)")
      #expect(file?.state == "ok", "\(story)")
    }
    let present = decisions.files.values.filter { $0.state != "missing" }
    #expect(present.count == clips.count, "\(round)")
    let entries = try await Decisions.entries(of: "order", deadwax)
    #expect(entries.count == clips.count)
    for (clip, paths) in zip(clips, entries) {
      #expect(paths.contains(clip.path), "\(round), \(clip.path): \(clip.history)")
    }
  }

  @Test func `tags, names and folders change, and nothing is decoded`() async throws {
    for trial in 0..<TestSize.count(2, slow: 3) {
      try await change(trial) {
        $0.retag(&$1)
      } afterRound: { report, round in
        #expect(report.decoded_files == 0 && report.missing == 0 && report.new == 0, "\(round): \(report)")
      }
    }
  }

  @Test func `containers and lossless codecs change, too`() async throws {
    for trial in 3..<TestSize.count(6, slow: 9) {
      try await change(trial) { $1.next() % 3 == 0 ? $0.retag(&$1) : $0.rewrite(&$1) }
    }
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  /// One sequence of changes for each clip.
  private func change(
    _ trial: Int, by command: (inout Clip, inout RepeatableRandom) -> String,
    afterRound: (ScanDocument, String) -> Void = { _, _ in }
  ) async throws {
    try begin()
    var random = RepeatableRandom(seed: Self.seed + UInt64(trial))
    var clips = clips
    for number in 0..<Self.roundCount {
      let round = "seed \(Self.seed), trial \(trial), round \(number)"
      var commands: [Int: String] = [:]
      for index in clips.indices { commands[index] = command(&clips[index], &random) }
      _ = try Self.run(commands, in: music)
      let report = try await deadwax.must(["scan", "--json", "--accept-missing"]).document(ScanDocument.self)
      afterRound(report, round)
      try await check(clips, round)
    }
  }
}
