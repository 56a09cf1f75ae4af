import Foundation
import TestSupport

extension FaultCase {
  /// Disks that return errors for some bytes, entries or calls.
  static var failingDisks: [FaultCase] {
    [
      FaultCase(199, named: "a disk fails in the middle of files and folders") { trial in
        let (disk, deadwax) = (try await FaultyDisk(), try DeadwaxCommand())
        let music = disk.url.appending(path: "music")
        try FileManager.default.createDirectory(
          at: music.appending(path: "many"), withIntermediateDirectories: true)
        for number in 0..<15 {
          let bytes = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/clean.mp3"))
          try (bytes + Data(repeating: UInt8(number), count: 128))
            .write(to: music.appending(path: "many/\(number).mp3"))
        }
        for name in ["length-unknown.flac", "direct-current.wav"] {
          try FileManager.default.copyItem(
            at: Corpora.fixtures.appending(path: "damaged/\(name)"), to: music.appending(path: name))
        }
        try await deadwax.must(["scan", music.path])
        let users = try await deadwax.decide()
        let before = try await LibraryDump(deadwax)
        for fault in [
          "read EIO 0 *.*", "read EIO 8000 *.*", "read EIO 16000 *.mp3", "read ESTALE 4096 *.flac", "open EIO 0 *.mp3",
          "getattr EIO 0 *.mp3", "getattr ESTALE 0 many", "readdir EIO 0 many", "readdir EIO 5 many",
          "readdir EIO 3 music", "readdir ESTALE 8 *",
        ] {
          for arguments in [["scan"], ["scan", "--deep"], ["prune", "--yes"]] {
            try disk.fail(fault)
            let outcome = try await deadwax.run(arguments)
            trial.countAttempt()
            trial.expect([0, 4].contains(outcome.status), "\(fault), \(arguments): \(outcome)")
            let missing = try await deadwax.run(["ls", "is:missing"])
            trial.expect(missing.text.isEmpty, "\(fault), \(arguments): \(missing)")
            trial.expect(try await UserDump(deadwax) == users, "\(fault): what users decided has changed")
          }
          try disk.fail()
          try await deadwax.must(["scan", "--deep"])
          trial.expect(try await LibraryDump(deadwax) == before, "\(fault): the next scan does not give what was there")
        }
        trial.expectNone(try await Invariants(music).violations(of: deadwax, users: users), after: "errors")
      },
      FaultCase(200, named: "a disk fails under the library and its log") { trial in
        let disk = try await FaultyDisk()
        let stage = try await Stage.shared.value
        var deadwax = try stage.copy()
        try deadwax.move(to: disk.url)
        var (acknowledged, number) = ([String](), 0)
        let files = ["library.sqlite", "library.sqlite-wal", "library.sqlite*"]
        let faults = files.flatMap { file in
          [
            "write EIO 0", "write EIO 4096", "fsync EIO 0", "fsync EIO 1", "fsync EIO 2", "read EIO 0", "read EIO 8192",
            "write ENOSPC 0", "truncate EIO 0", "create EIO 0", "unlink EIO 0",
          ].map { "\($0) \(file)" }
        }
        for fault in faults {
          try disk.fail(fault)
          for _ in 0..<3 {
            number += 1
            let outcome = try await deadwax.run(["preset", "create", "p\(number)", "--gain", "-1"])
            trial.countAttempt()
            if outcome.status == 0 { acknowledged.append("p\(number)") }
            trial.expect(
              outcome.status == 0 || (outcome.status == 5 && !outcome.errorText.isEmpty), "\(fault): \(outcome)")
          }
          _ = try await deadwax.run(["scan", "--deep"])
          try disk.fail()
          let listed = Set(
            try await deadwax.must(["preset", "ls"]).text.split(whereSeparator: \.isWhitespace).map(String.init))
          let lost = acknowledged.filter { !listed.contains($0) }
          trial.expect(lost.isEmpty, "\(fault): acknowledged, and not there: \(lost)")
        }
        trial.note("\(acknowledged.count) of \(number) writes acknowledged")
        let users = try await UserDump(deadwax)
        trial.expectNone(
          try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh), after: "errors")
      },
    ]
  }
}
