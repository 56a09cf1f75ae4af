import Foundation
import Testing
import TestSupport

/// Many tracks become many files, with safe and different names, whatever is in the tags.
struct WaveformBatchTests {
  /// A tagged FLAC of silence; each number gives another length and so another recording.
  private func addTrack(_ name: String, title: String, artist: String, to music: MusicFolder, number: Int) throws {
    let samples = Data(count: 2 * (2000 + number))
    let raw = music.url.appending(path: "\(number).raw")
    try samples.write(to: raw)
    try Tool.run(
      "flac", "--silent", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=1", "--bps=16",
      "--sample-rate=8000", "--tag=TITLE=\(title)", "--tag=ARTIST=\(artist)", "-o",
      music.url.appending(path: name).path, raw.path)
    try FileManager.default.removeItem(at: raw)
  }

  @Test(.enabled(if: Tool.exist("flac"), "needs flac"))
  func `hostile tags make safe names that differ`() async throws {
    let music = try MusicFolder()
    let tags = [
      ("../../evil", "x/y"), ("a\nb\u{1B}[31m", "c"), (".", "."), ("CON", ""), ("Same", "Artist"), ("same", "ARTIST"),
      (String(repeating: "長", count: 300), "z"), ("\u{202E}gnp", "r"), ("", ""), ("-rf", ""),
    ]
    for (number, tag) in tags.enumerated() {
      try addTrack("\(number).flac", title: tag.0, artist: tag.1, to: music, number: number)
    }
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    let before = try TreeDigest(of: music.url)
    let outcome = try await deadwax.run(["waveform", "-o", "out/", "-w", "60", "-h", "20"])
    #expect(outcome.status == 0, "\(outcome)")
    // Only results go into a pipe, and a batch has none.
    #expect(outcome.standardOutput.isEmpty && outcome.standardError.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: deadwax.home.appending("out").path)
    #expect(names.count == tags.count && Set(names.map { $0.lowercased() }).count == tags.count)
    #expect(names.allSatisfy { $0.utf8.count <= 255 && !$0.hasPrefix(".") && $0.hasSuffix(".png") })
    #expect(names.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E } })
    #expect(Set(names).isSuperset(of: ["Artist - Same.png", "ARTIST - same (2).png"]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: deadwax.home.url.path).sorted() == ["library.sqlite", "out"])
    #expect(try TreeDigest(of: music.url) == before)
  }

  @Test func `of copies of one sound the first is drawn, and the others are counted`() async throws {
    let music = try MusicFolder("damaged/clean.mp3")
    for name in ["again/clean.mp3", "once/more.mp3"] { try music.add(fixture: "damaged/clean.mp3", as: name) }
    let deadwax = try DeadwaxCommand.called()
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    let outcome = try await deadwax.run(["waveform", "-o", "out/", "--format", "dat"])
    #expect(outcome.status == 0 && outcome.errorText.contains("2 files left out: the same recording"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: deadwax.home.appending("out").path).count == 1)
  }

  @Test func `a name that cannot be written keeps no other file from being written`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let run = ["waveform", "artist:Lathe", "-o", folder.url.path, "--format", "dat", "-q"]
    try #require(try await deadwax.run(run).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    for name in names { try FileManager.default.removeItem(at: folder.appending(name)) }
    let taken = try #require(names.first)
    try FileManager.default.createDirectory(at: folder.appending(taken), withIntermediateDirectories: false)
    let outcome = try await deadwax.run(run)
    #expect(outcome.status == 1 && outcome.errorText.contains(taken), "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == names)
  }

  @Test(arguments: [["waveform"], ["spectrum"], ["spectrum", "--kind", "spectrogram"]])
  func `a picture says what it is asked to say of its track`(command: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    func picture(_ title: [String]) async throws -> CommandOutcome {
      try await deadwax.run(command + ["title:Lacquer", "--format", "svg", "-o", "-"] + title)
    }
    let named = try await picture(["--title", "{artist} - {title}"])
    #expect(named.status == 0, "\(named)")
    let spelled = try await picture(["--title", "Lathe & Lantern - Lacquer"])
    #expect(named.standardOutput == spelled.standardOutput)
    #expect(try await picture([]).standardOutput != spelled.standardOutput)
    for title in ["{titel}", "{", "{title:99}"] {
      let mistake = try await picture(["--title", title])
      #expect(mistake.status == 64 && mistake.standardOutput.isEmpty, "\(mistake)")
    }
  }

  @Test(arguments: ["png", "svg", "pdf", "dat", "json", "csv", "txt"])
  func `a file a recording, the same in every run and with any number of jobs`(format: String) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    var runs: [[String: Data]] = []
    for (name, jobs) in [("a", "1"), ("b", "4"), ("b", "3")] {
      let outcome = try await deadwax.run([
        "waveform", "artist:Lathe", "-o", folder.appending(name).path + "/", "--format", format, "--jobs", jobs,
        "--name", "{track:02} {title}",
      ])
      #expect(outcome.status == 0, "\(outcome)")
      var files: [String: Data] = [:]
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.appending(name).path) {
        files[file] = try Data(contentsOf: folder.appending("\(name)/\(file)"))
      }
      runs.append(files)
    }
    let tracks = try await deadwax.run(["ls", "artist:Lathe", "--format", "jsonl", "--fields", "id"])
    #expect(runs[0].count == Set(tracks.text.split(separator: "\n")).count)
    #expect(runs[0].keys.contains("02 Lacquer.\(format)"))
    #expect(runs[0] == runs[1] && runs[1] == runs[2])
  }

  @Test func `numbers and paths name the tracks that are written`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let found = try await deadwax.run(["ls", "title:Lacquer", "--format", "csv", "--fields", "id,path"])
    let row = try #require(found.text.split(whereSeparator: \.isNewline).last).split(separator: ",", maxSplits: 1)
    let other = try await deadwax.run(["ls", "^title:Lacquer", "artist:Lathe", "--limit", "1", "--format", "paths"])
    let path = try #require(other.text.split(separator: "\n").first)
    let outcome = try await deadwax.run([
      "waveform", String(row[0]), String(path), "-o", folder.url.path, "-w60", "-h20", "--name", "{stem}",
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try folder.names().count == 2)
    let many = Array(repeating: String(row[0]), count: 1200)
    #expect(try await deadwax.run(["waveform"] + many + ["-o", folder.url.path, "--name", "{stem} again"]).status == 0)
    #expect(try folder.names().count == 3)
    let unknown = try await deadwax.run(["waveform", String(path), "new.flac", "-o", folder.url.path])
    #expect(unknown.status == 64 && unknown.errorText.contains("new.flac: not in the library"), "\(unknown)")
    let none = try await deadwax.run(["waveform", "title:nobody", "-o", folder.url.path])
    #expect(none.status == 0 && none.errorText.contains("nothing found"), "\(none)")
    #expect(try folder.names().count == 3)
  }

  @Test func `what is not stored of a sound is a failure that says what makes it`() async throws {
    let (deadwax, music) = (try DeadwaxCommand.called(), try MusicFolder("damaged/clean.mp3"))
    try #require(try await deadwax.run(["scan", "--product", "measures", music.path]).status == 0)
    let outcome = try await deadwax.run(["export", "--what", "waveforms", "-o", "w"])
    #expect(outcome.status == 1 && outcome.errorText.contains("clean.mp3: its waveform is not stored"), "\(outcome)")
    #expect(outcome.errorText.contains("reanalyze --missing") && !outcome.errorText.contains("without decoded audio"))
  }

  @Test func `files without sound are counted, and no failure`() async throws {
    let (deadwax, music, folder) = (try DeadwaxCommand.called(), try MusicFolder(), try TemporaryFolder())
    try Data("MThd, and no decoder for it".utf8).write(to: music.url.appending(path: "song.mid"))
    try await deadwax.must(["scan", music.path])
    let outcome = try await deadwax.run(["waveform", "filename:song", "-o", folder.url.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("deadwax: 1 file without decoded audio"))
    #expect(try folder.names().isEmpty)
  }

  @Test func `audio that is gone is one line, and the other tracks are written`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern/Run-out Groove")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    try music.remove("Run-out Groove/02 Lacquer.mp3")
    let outcome = try await deadwax.run(["waveform", "-o", "out/", "-b", "16", "--format", "dat"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1 && outcome.errorText.contains("02 Lacquer.mp3"))
    let count = try FileManager.default.contentsOfDirectory(atPath: music.file("Run-out Groove").path).count
    #expect(try FileManager.default.contentsOfDirectory(atPath: deadwax.home.appending("out").path).count == count)
  }

  @Test(arguments: [
    ["-o", "out/", "--name", "{nonsense}"], ["-o", "out/", "--name", "same"],
    ["-o", "out/", "--name", "../{title}"],
    ["-o", "x.png", "--name", "{title}"], ["-o", "out/", "--jobs", "0"], ["-o", "out/", "--format", "gif"],
    ["-o", "out/", "-i", "x.dat"], ["-o", "out/", "nonsense:x"],
    ["-o", "out/", "1", "99999"],
  ])
  func `a mistake is status 64 and makes nothing`(options: [String]) async throws {
    let scanned = try await ScannedFixtures.audio.value.called
    let deadwax = try DeadwaxCommand.called()
    let outcome = try await deadwax.run(["waveform", "--library", scanned.library.path] + options)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: deadwax.home.url.path).isEmpty)
  }

  @Test(arguments: [
    (["segment", "1", "-o", "out/"], "a file here"), (["preset", "plot", "Bass", "-o", "out/"], "a file here"),
    (["render", "1", "-o", "x.flac", "--name", "{title}"], "--name"),
    (["spectrum", "1", "-o", "x.png", "--name", "{title}"], "--name"),
    (["export", "--what", "tracks", "--name", "{title}"], "--name"),
    (["export", "--what", "library", "-o", "out/", "--name", "{title}"], "--name"),
  ])
  func `a folder for one file, and names where there is no folder, are status 64`(
    arguments: [String], reason: String
  ) async throws {
    let scanned = try await ScannedFixtures.audio.value.called
    let deadwax = try DeadwaxCommand.called()
    let outcome = try await deadwax.run(arguments + ["--library", scanned.library.path])
    #expect(outcome.status == 64 && outcome.errorText.contains(reason), "\(outcome)")
    #expect(try deadwax.home.names().isEmpty)
  }

  @Test func `a folder that cannot be made, or written to, is one line and status 1`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    for output in ["/dev/null/out/", "/proc/"] {
      let outcome = try await deadwax.run(["waveform", "title:Lacquer", "-o", output])
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errorText.split(separator: "\n").count == 1)
    }
  }

  @Test func `what fails in a batch is named`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let outcome = try await deadwax.run([
      "spectrum", "title:Lacquer", "--kind", "spectrogram", "-s", "60", "-o", folder.url.path,
    ])
    #expect(
      outcome.status == 1 && outcome.errorText.contains("Lacquer.mp3: this part is empty"), "\(outcome)")
  }
}
