import Foundation
import TestSupport

extension FaultCase {
  /// Disks that find a name in another case or form of Unicode than they keep.
  static var foldingDisks: [FaultCase] {
    [["--fold"], ["--decompose"], ["--fold", "--decompose"], ["--fold", "--new-inodes"]].flatMap { rules in
      let name = rules.joined(separator: " ")
      return [
        FaultCase(197, named: "music on a disk that folds names: \(name)") { try await music($0, rules) },
        FaultCase(198, named: "a library on a disk that folds names: \(name)") { try await library($0, rules) },
      ]
    }
  }

  private static func fill(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (fixture, name) in [
      ("clean.mp3", "song.mp3"), ("length-unknown.flac", "two.flac"), ("direct-current.wav", "caf\u{E9}.wav"),
    ] {
      try FileManager.default.copyItem(
        at: Corpora.fixtures.appending(path: "damaged/\(fixture)"), to: folder.appending(path: name))
    }
  }

  private static func music(_ trial: Trial, _ rules: [String]) async throws {
    let disk = try await FaultyDisk(rules)
    let (deadwax, folds) = (try DeadwaxCommand(), rules.contains("--fold"))
    let (music, album) = (disk.url.appending(path: "music"), disk.url.appending(path: "music/album"))
    try fill(album)
    try await deadwax.must(["scan", music.path])
    let users = try await deadwax.decide()
    let move = { (old: String, new: String) in
      trial.expect(rename("\(music.path)/\(old)", "\(music.path)/\(new)") == 0, "\(old) cannot be renamed to \(new)")
    }
    // A case, a form of Unicode, and a folder's case: the files are the same, once, and nothing is lost.
    for (old, new) in [
      ("album/song.mp3", "album/Song.mp3"), ("album/caf\u{E9}.wav", "album/cafe\u{301}.wav"), ("album", "Album"),
    ] {
      move(old, new)
      let report = try await deadwax.must(["scan", "--json"]).document(ScanDocument.self)
      trial.countAttempt()
      trial.expect(report.found == 3, "\(new): \(report)")
      let listed = try await deadwax.must(["ls", "--format", "paths"]).text.split(separator: "\n")
      trial.expect(listed.count == 3, "\(new): \(listed)")
      for query in ["is:missing", "is:excluded"] {
        trial.expect(try await deadwax.run(["ls", query]).text.isEmpty, "\(new): \(query) finds something")
      }
      trial.expect(try await UserDump(deadwax) == users, "\(new): what users decided has changed")
    }
    if folds {
      // One folder is one root, however it is written; a folder in it is a part of it.
      for spelling in ["MUSIC", "Music/ALBUM"] {
        _ = try await deadwax.run(["scan", disk.url.appending(path: spelling).path])
        let roots = try await deadwax.must(["roots"]).text.split(separator: "\n")
        trial.expect(roots.count == 1, "\(spelling): \(roots)")
      }
      trial.expect(
        try await deadwax.must(["ls", "--format", "paths"]).text.split(separator: "\n").count == 3, "listed twice")
    }
    // An output under another spelling of music is that music.
    let before = try digests(of: music.appending(path: "Album"))
    let spellings = folds ? ["SONG.MP3", "song.mp3", "TWO.FLAC"] : ["caf\u{E9}.wav"]
    for name in spellings {
      for folder in folds ? ["Album", "ALBUM"] : ["Album"] {
        let output = music.appending(path: "\(folder)/\(name)").path
        for arguments in [
          ["render", "filename:song", "--overwrite", "-o", output],
          ["playlist", "--from", "filename:song", "--length", "2", "--format", "m3u8", "-o", output],
          ["list", "export", "kept", "--format", "m3u8", "-o", output],
          ["export", "--what", "tracks", "--format", "csv", "--overwrite", "-o", output],
        ] {
          let outcome = try await deadwax.run(arguments)
          trial.countAttempt()
          trial.expect(outcome.status != 0, "\(arguments): \(outcome)")
        }
      }
    }
    trial.expect(try digests(of: music.appending(path: "Album")) == before, "music was written to")
    trial.expectNone(try await Invariants(music).violations(of: deadwax, users: users), after: "renames")
  }

  private static func digests(of folder: URL) throws -> [String: Data] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: folder.appending(path: $1))
    }
  }

  /// The library under two spellings, while a process has it open: all writes are there, or were refused.
  private static func library(_ trial: Trial, _ rules: [String]) async throws {
    guard rules.contains("--fold") else { throw NotRun("the disk keeps case") }
    let disk = try await FaultyDisk(rules)
    let stage = try await Stage.shared.value
    var deadwax = try stage.copy()
    try deadwax.move(to: disk.url)
    let other = deadwax.with(disk.url.appending(path: "LIBRARY.SQLITE"))
    let reader = try LongReader(deadwax.library)
    for index in 0..<trial.count(10) {
      for (command, name) in [(deadwax, "a\(index)"), (other, "b\(index)")] {
        let outcome = try await command.run(["preset", "create", name, "--gain", "-1"])
        trial.countAttempt()
        trial.expect(outcome.status == 0, "\(name): \(outcome)")
        let listed = try await deadwax.run(["preset", "ls"])
        trial.expect(listed.text.contains(name), "\(name) is not there: \(listed)")
      }
    }
    withExtendedLifetime(reader) {}
    for name in ["LIBRARY.SQLITE", "Library.sqlite-WAL", "library.SQLITE-shm"] {
      let output = disk.url.appending(path: name).path
      let outcome = try await deadwax.run(
        ["export", "--what", "tracks", "--format", "csv", "--overwrite", "-o", output])
      trial.expect(outcome.status == 1, "\(name): \(outcome)")
    }
    let users = try await UserDump(deadwax)
    trial.expectNone(
      try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh), after: "two spellings")
  }
}
