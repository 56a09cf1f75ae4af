import Foundation
import TestSupport

extension FaultCase {
  /// Music on volumes that disappear, are replaced, or are read-only; very large folders.
  static var volumes: [FaultCase] {
    [
      FaultCase(59, 54, named: "a volume goes away during a scan, and another takes its place") { trial in
        let (deadwax, disk) = (try DeadwaxCommand(), try SmallDisk())
        try fill(disk)
        try await deadwax.must(["scan", "--jobs", "1", disk.url.path])
        let users = try await deadwax.decide()
        let before = try await LibraryDump(deadwax)
        try MusicFolder.writeSilence(seconds: 10_800, to: disk.url.appending(path: "long.wav"))
        let scan = try deadwax.start(["scan", "--jobs", "1"])
        guard try await scan.worker(after: 0.2) != nil else { throw NotRun("the scan was over too soon") }
        try Tool.run("umount", "-l", disk.url.path)
        let outcome = try await scan.outcome()
        trial.expect([0, 4].contains(outcome.status), "\(outcome)")
        // The open file is read to its end, and no earlier file is marked.
        trial.expect(try await LibraryDump(deadwax).lines.isSuperset(of: before.lines), "rows changed")
        trial.note("status \(outcome.status)")
        let empty = try await deadwax.run(["scan"])
        trial.expect(empty.status == 4 && empty.errorText.contains("--accept"), "empty folder: \(empty)")
        try Tool.run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.url.path)
        try FileManager.default.copyItem(
          at: Corpora.fixtures.appending(path: "damaged/one-sample.wav"), to: disk.url.appending(path: "other.wav"))
        let other = try await deadwax.run(["scan"])
        trial.expect(other.status == 4, "another volume: \(other)")
        trial.expect(
          try await LibraryDump(deadwax).lines.isSuperset(of: before.lines), "files were marked missing or deleted")
        trial.expect(try await UserDump(deadwax) == users, "what users decided has changed")
      },
      FaultCase(70, named: "music on a read-only volume") { trial in
        let (deadwax, disk) = (try DeadwaxCommand(), try SmallDisk())
        try fill(disk)
        try Tool.run("mount", "-o", "remount,ro", disk.url.path)
        let users = try await deadwax.decide()
        let invariants = try Invariants(disk.url)
        try await deadwax.must(["scan", disk.url.path])
        trial.expectNone(try await invariants.violations(of: deadwax, users: users), after: "read-only")
      },
      FaultCase(62, named: "a folder that is mounted twice") { trial in
        try NotRun.unlessRoot()
        let (deadwax, disk) = (try DeadwaxCommand(), try SmallDisk())
        try fill(disk)
        let twin = disk.url.appending(path: "twin")
        try FileManager.default.createDirectory(at: twin, withIntermediateDirectories: false)
        guard (try? Tool.run("mount", "--bind", disk.url.path, twin.path)) != nil else {
          throw NotRun("no bind mounts")
        }
        defer { _ = try? Tool.run("umount", "-l", twin.path) }
        let users = try await deadwax.decide()
        try await deadwax.must(["scan", disk.url.path])
        trial.expectNone(try await Invariants(disk.url).violations(of: deadwax, users: users), after: "two places")
      },
      FaultCase(66, named: "200,000 files in a folder, 500 folders deep") { trial in
        let deadwax = try DeadwaxCommand()
        let music = try MusicFolder()
        let count = trial.count(200_000)
        let deep = music.url.appending(path: Array(repeating: "d", count: 500).joined(separator: "/"))
        try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
        let bytes = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav"))
        try bytes.write(to: deep.appending(path: "bottom.wav"))
        try FileManager.default.createDirectory(at: music.file("many"), withIntermediateDirectories: true)
        for number in 0..<count {
          _ = FileManager.default.createFile(atPath: music.file("many/\(number).wav").path, contents: nil)
        }
        for _ in 0..<2 {
          let scan = try deadwax.start(["scan", "--json", music.path])
          let peak = try await scan.resourcePeak()
          let report = try await scan.outcome().document(ScanDocument.self)
          trial.expect(report.found == count + 1, "\(report)")
          trial.note("\(peak)")
          // 200,000 rows of what is known, and as many entries of the folder.
          trial.expect(peak.byteCount < 512 << 20 && peak.descriptorCount < 600, "\(peak)")
        }
      },
    ]
  }

  private static func fill(_ disk: SmallDisk) throws {
    for name in ["clean.mp3", "length-unknown.flac", "direct-current.wav"] {
      try FileManager.default.copyItem(
        at: Corpora.fixtures.appending(path: "damaged/\(name)"), to: disk.url.appending(path: name))
    }
  }
}
