import Foundation
import TestSupport
import Testing

/// What the script of `duplicates` removes, held against the recipe of each damage: never against landmarks or stored levels.
struct RemovedCopiesTests {
  static let rate = 22_050
  /// Cases in one library.
  private static let batchSize = 56

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder()
  }

  // MARK: - Files

  private static let formats: [(ending: String, options: [String])] = [
    ("wav", []), ("flac", ["-c:a", "flac"]), ("mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]),
    ("ogg", ["-c:a", "libvorbis", "-q:a", "4"]), ("opus", ["-c:a", "libopus", "-b:a", "96k"]),
  ]

  @discardableResult
  private func write(_ channels: Channels, to name: String, format: Int, tags: [String] = []) throws -> URL {
    let interleaved = channels[0].indices.flatMap { frame in
      channels.map { Int16(max(-1, min(1, $0[frame])) * 30_000) }
    }
    let bytes = WaveFile.bytes(interleaved, sampleRateInHz: Self.rate, channelCount: channels.count)
    let form = Self.formats[format]
    let file = music.file("\(name).\(form.ending)")
    if format == 0, tags.isEmpty {
      try music.write(bytes, to: "\(name).wav")
      return file
    }
    let source = deadwax.home.appending("source.wav")
    try Data(bytes).write(to: source)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let labels = tags.flatMap { ["-metadata", $0] }
    try Tool.run(
      "ffmpeg", arguments: ["-v", "error", "-y", "-i", source.path] + form.options + labels + [file.path])
    return file
  }

  /// Scans, writes the script and runs it.
  @discardableResult
  private func removeCopies(_ options: String...) async throws -> CommandOutcome {
    try await deadwax.must(["scan", "-q", music.path])
    let script = deadwax.home.appending("remove.sh")
    let outcome = try await deadwax.must(["duplicates", "--script", script.path] + options)
    try Tool.run("sh", script.path)
    return outcome
  }

  /// What was left out and why, for messages of tests that fail.
  private func leftOut() async throws -> String {
    let printed = try await deadwax.must(["duplicates", "--json"])
    let document = try JSONSerialization.jsonObject(with: Data(printed.text.utf8)) as? [String: Any]
    return (document?["left_out"] as? [[String: Any]] ?? []).map { "\($0)" }.joined(separator: "\n")
  }

  private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

  // MARK: - Damages and copies

  /// Of these channels nothing is known.
  @Test func `no file goes for one with more channels than are stored`() async throws {
    let tune = Self.tune(2, seconds: 16)
    var channels = (0..<10).map { tune[$0 % 2] }
    let whole = try write(channels, to: "b", format: 0)
    channels[9] = [Float](repeating: 0, count: tune[0].count)
    try write(channels, to: "a", format: 0)
    let outcome = try await removeCopies()
    #expect(exists(whole), "\(outcome)")
  }

  /// Its peaks are at -40 dB, of which waveforms of 8 bits have one step.
  @Test func `a soft channel counts as much as a loud one`() async throws {
    let tune = Self.tune(2, seconds: 16)
    let soft = try write([tune[0], tune[1].map { 0.02 * $0 }], to: "b", format: 0)
    try write([tune[0], [Float](repeating: 0, count: tune[0].count)], to: "a", format: 0)
    let outcome = try await removeCopies()
    #expect(exists(soft), "\(outcome)")
  }

  /// At the lower rate nothing seems to be cut off.
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"), arguments: [("a", 0), ("b", 0), ("a", 2)])
  func `no file goes for a copy with a lower sample rate`(name: String, format: Int) async throws {
    var random = RepeatableRandom(seed: 48)
    let tune = Self.tune(4, seconds: 16).map { $0.map { 0.8 * $0 + Float.random(in: -0.1...0.1, using: &random) } }
    let whole = try write(tune, to: name, format: format)
    let copy = music.file(name == "a" ? "b.flac" : "a.flac")
    try Tool.run("ffmpeg", arguments: ["-v", "error", "-i", whole.path, "-ar", "11025", copy.path])
    let outcome = try await removeCopies()
    #expect(exists(whole), "\(outcome)")
  }

  /// Either of the two may be the lossless one, and the first by its path.
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `after the script every second of sound is in a file that is kept`() async throws {
    let count = TestSize.isSlow ? 1_000 : Damage.allCases.count
    var random = RepeatableRandom(seed: 44)
    var done = 0
    while done < count {
      var cases: [(damage: Damage, intact: URL, damaged: URL)] = []
      for number in done..<min(count, done + Self.batchSize) {
        let damage = Damage.allCases[number % Damage.allCases.count]
        let seconds = TestSize.isSlow ? Double.random(in: 14...30, using: &random) : 16
        let tune = Self.tune(3 * number, seconds: seconds)
        let other = Self.tune(3 * number + 1, seconds: damage == .otherMusic ? seconds : 0.1)
        let damaged = Self.damaged(tune, by: damage, other: other, using: &random)
        let names = Bool.random(using: &random) ? ("a", "b") : ("b", "a")
        let format = Int.random(in: 0..<Self.formats.count, using: &random)
        // A damaged file is most tempting if it is lossless.
        let other2 = Int.random(in: 0..<4, using: &random) == 0 ? 2 : Int.random(in: 0...1, using: &random)
        cases.append(
          (
            damage, try write(tune, to: "\(number)/\(names.0)", format: format),
            try write(damaged, to: "\(number)/\(names.1)", format: other2)
          ))
      }
      try await removeCopies()
      for (damage, intact, damaged) in cases {
        #expect(exists(intact), "\(damage): \(intact.path) was removed for \(damaged.lastPathComponent)")
        if damage.hasOwnSound { #expect(exists(damaged), "\(damage): \(damaged.path) was removed") }
      }
      done += cases.count
      try FileManager.default.removeItem(at: music.url)
      try FileManager.default.createDirectory(at: music.url, withIntermediateDirectories: true)
      try FileManager.default.removeItem(at: deadwax.library)
    }
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `of intact copies in two formats one is removed`() async throws {
    let count = TestSize.count(6, slow: 200)
    var random = RepeatableRandom(seed: 45)
    var pairs: [(URL, URL)] = []
    for number in 0..<count {
      let tune = Self.faded(Self.tune(5_000 + number, seconds: 16))
      // Of two lossy codecs the better one is not always known.
      let lossless = number % 2
      let other = Int.random(in: 0..<Self.formats.count, using: &random)
      let gain = Float.random(in: 0.4...1, using: &random)
      // A file does not become better than its lossless source by silence at its ends.
      let silences = (0..<2).map { _ in
        [Float](repeating: 0, count: Int.random(in: 0...2 * Self.rate, using: &random))
      }
      pairs.append(
        (
          try write(tune, to: "\(number)/a", format: lossless, tags: ["title=A Title"]),
          try write(
            tune.map { silences[0] + $0.map { $0 * gain } + silences[1] }, to: "\(number)/b", format: other,
            tags: ["title=a  TITLE"])
        ))
    }
    try await removeCopies()
    let removed = pairs.filter { exists($0.0) != exists($0.1) }.count
    let left = try await leftOut()
    #expect(Double(removed) >= 0.95 * Double(count), "\(left)")
    #expect(pairs.allSatisfy { exists($0.0) || exists($0.1) })
  }

  /// The first and the third are both like the second, which has what both have.
  @Test func `of three files with different holes only what is all in another one is removed`() async throws {
    let tune = Self.tune(9_000, seconds: 24)
    func holed(_ seconds: ClosedRange<Double>) -> Channels {
      var holed = tune
      for channel in holed.indices {
        for frame in Self.frames(seconds.lowerBound)..<Self.frames(seconds.upperBound) { holed[channel][frame] = 0 }
      }
      return holed
    }
    let first = try write(holed(3...5), to: "a", format: 0)
    let last = try write(holed(15...17), to: "c", format: 0)
    try await removeCopies()
    #expect(exists(first) && exists(last))
    let whole = try write(tune.map { $0.map { $0 * 0.7 } }, to: "b", format: 0)
    try await removeCopies()
    #expect(exists(whole) && !exists(first) && !exists(last))
  }

  // MARK: - What was not decoded

  /// In each folder `a` is an intact copy of the sound that is decoded of `b`.
  @Test(.enabled(if: Tool.exist("ffmpeg", "wavpack"), "ffmpeg or wavpack is not installed"))
  func `a file in which something was not decoded stays, and one that only lacks its end goes`() async throws {
    func folder(_ name: String) throws -> (a: URL, b: URL) {
      try FileManager.default.createDirectory(at: music.file(name), withIntermediateDirectories: true)
      return (music.file("\(name)/a"), music.file("\(name)/b"))
    }
    func tool(_ name: String, _ arguments: String...) throws { try Tool.run(name, arguments: arguments) }
    let other = try write(Self.tune(7_100, seconds: 8), to: "other", format: 0)
    var kept: [URL] = []

    // Two tracks.
    var (a, b) = try folder("tracks")
    _ = try write(Self.tune(7_001, seconds: 16), to: "tracks/a", format: 1)
    try tool(
      "ffmpeg", "-v", "error", "-i", a.path + ".flac", "-i", other.path, "-map", "0", "-map", "1", "-c:a", "flac",
      b.path + ".mka")
    kept.append(music.file("tracks/b.mka"))

    // A rest that is not decoded.
    (a, b) = try folder("rest")
    let first = try Data(contentsOf: write(Self.tune(7_002, seconds: 16), to: "rest/a", format: 2))
    try tool("ffmpeg", "-v", "error", "-i", other.path, "-ar", "48000", b.path + "2.mp3")
    try (first + Data(contentsOf: music.file("rest/b2.mp3"))).write(to: music.file("rest/b.mp3"))
    try FileManager.default.removeItem(at: music.file("rest/b2.mp3"))
    kept.append(music.file("rest/b.mp3"))

    // A second file that nobody notices.
    let wave = try Data(contentsOf: write(Self.tune(7_003, seconds: 16), to: "behind/a", format: 0))
    try (wave + Data(contentsOf: other)).write(to: music.file("behind/b.wav"))
    kept.append(music.file("behind/b.wav"))

    // A correction beside it.
    (a, b) = try folder("hybrid")
    let source = try write(Self.tune(7_004, seconds: 16), to: "hybrid/source", format: 0)
    try tool("wavpack", "-q", "-y", "-b256", "-c", source.path, "-o", b.path + ".wv")
    try tool("ffmpeg", "-v", "error", "-i", b.path + ".wv", a.path + ".flac")
    try FileManager.default.removeItem(at: source)
    kept.append(music.file("hybrid/b.wv"))

    // The end of it is not there.
    let whole = try write(Self.tune(7_005, seconds: 16), to: "cut/a", format: 1)
    let bytes = try Data(contentsOf: whole)
    let cut = music.file("cut/b.flac")
    try bytes.prefix(bytes.count * 99 / 100).write(to: cut)

    let outcome = try await removeCopies()
    let left = try await leftOut()
    for file in kept { #expect(exists(file), "\(file.path) was removed") }
    #expect(exists(whole) && !exists(cut), "\(left)")
    #expect(outcome.errorText.contains("because not all of its contents were decoded"), "\(outcome)")
  }

  // MARK: - Albums, folders and tags

  private func tags(_ title: String, _ album: String, _ track: Int, artist: String = "The Sames") -> [String] {
    ["title=\(title)", "album=\(album)", "artist=\(artist)", "track=\(track)"]
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `a complete album loses no track to a compilation, but a loose copy goes for the album's`() async throws {
    var album: [URL] = []
    for track in 1...3 {
      album.append(
        try write(
          Self.tune(track, seconds: 16), to: "z album/\(track)", format: 2, tags: tags("\(track)", "Album", track)))
    }
    // Lossless, first by its path, and without the title of the album.
    let better = try write(
      Self.tune(2, seconds: 16), to: "a compilation/7", format: 1, tags: ["title=2", "artist=The Sames"])
    let loose = try write(Self.tune(3, seconds: 16), to: "a loose/3", format: 2, tags: [])
    let outcome = try await removeCopies()
    #expect(album.allSatisfy(exists) && exists(better) && !exists(loose), "\(outcome)")
    #expect(outcome.errorText.contains("left out: 1 file, because a complete album would lose a track"), "\(outcome)")
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `a complete album goes for a better edition of it, which then stays whole`() async throws {
    var (better, worse): ([URL], [URL]) = ([], [])
    for track in 1...3 {
      let tags = tags("\(track)", "Album", track)
      better.append(try write(Self.tune(track, seconds: 16), to: "z/\(track)", format: 1, tags: tags))
      worse.append(try write(Self.tune(track, seconds: 16), to: "a/\(track)", format: 2, tags: tags))
    }
    try await removeCopies()
    #expect(better.allSatisfy(exists) && !worse.contains(where: exists))
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `what contradicts itself in its tags stays, unless tags are ignored`() async throws {
    let one = try write(
      Self.tune(1, seconds: 16), to: "a", format: 1, tags: ["title=Élan Vital", "artist=The Sames"])
    let other = try write(
      Self.tune(1, seconds: 16), to: "b", format: 2, tags: ["title=Another Song", "artist=THE SAMES"])
    let outcome = try await removeCopies()
    #expect(exists(one) && exists(other))
    #expect(outcome.errorText.contains("left out: 1 file, because title, artist or album differ"), "\(outcome)")
    let printed = try await deadwax.must(["duplicates", "--json"])
    let document = try JSONSerialization.jsonObject(with: Data(printed.text.utf8)) as? [String: Any]
    let left = document?["left_out"] as? [[String: Any]]
    #expect(left?.count == 1 && left?.first?["reason"] as? String == "tags", "\(printed)")
    #expect(left?.first?["detail"] as? String == "title" && left?.first?["path"] as? String == other.path)
    try await removeCopies("--ignore-tags")
    #expect(exists(one) && !exists(other))
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `of equal files the one below a preferred folder is kept, and never goes for one elsewhere`() async throws {
    let tune = Self.tune(1, seconds: 16)
    let first = try write(tune, to: "a/1", format: 2)
    // As good, with other samples.
    let preferred = try write(tune.map { $0.map { $0 * 0.9 } }, to: "b/1", format: 2)
    try await removeCopies("--prefer", music.file("b").path)
    #expect(!exists(first) && exists(preferred))
    let better = try write(tune, to: "a/2", format: 1)
    let outcome = try await removeCopies("--prefer", music.file("b").path)
    #expect(exists(preferred) && exists(better))
    #expect(outcome.errorText.contains("left out: 1 file, because it is below a --prefer folder"), "\(outcome)")
    try await removeCopies()
    #expect(!exists(preferred) && exists(better))
  }

  @Test func `nothing is removed for a file that changed since the scan`() async throws {
    let tune = Self.tune(1, seconds: 16)
    let kept = try write(tune, to: "a", format: 0)
    let copy = try write(tune.map { $0.map { $0 * 0.9 } }, to: "b", format: 0)
    try await deadwax.must(["scan", "-q", music.path])
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: kept.path)
    let outcome = try await deadwax.must(["duplicates", "--script", "-"])
    #expect(!outcome.text.contains("' for '"), "\(outcome)")
    #expect(outcome.errorText.contains("left out: 1 file, because the other file has changed since"), "\(outcome)")
    #expect(exists(copy))
  }
}
