import Foundation
import TestSupport

/// A file system in memory, of a size to choose; unmounted with its last owner.
final class SmallDisk: Sendable {
  private let folder: TemporaryFolder
  var url: URL { folder.url }

  init() throws {
    try NotRun.unlessRoot()
    folder = try TemporaryFolder()
    guard (try? Tool.run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder.url.path)) != nil else {
      throw NotRun("no file system may be mounted here")
    }
  }

  deinit { _ = try? Tool.run("umount", "-l", folder.url.path) }

  /// Leaves so many free pages of 4 KiB.
  func leave(freePages: Int) throws {
    let used = try Tool.run("df", "--output=used", "-B4096", url.path)
    let pages = String(decoding: used, as: UTF8.self).split(separator: "\n").last.flatMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
    // A size of 0 would be no limit.
    try resize(kilobytes: max(1, (pages ?? 0) + freePages) * 4)
  }

  func makeRoom() throws { try resize(kilobytes: 65_536) }

  private func resize(kilobytes: Int) throws {
    try Tool.run("mount", "-o", "remount,size=\(kilobytes)k", url.path)
  }
}

extension Operation {
  /// Does the operation on ever larger disks, until it has succeeded on a few.
  func attemptsOnSmallDisks(_ trial: Trial) async throws {
    let effect = try await effect()
    var (pages, successCount, failureCount) = (0, 0, 0)
    while successCount < 3 {
      let disk = try SmallDisk()
      var wasDone = false
      try await attempt(
        trial, effect, at: "\(pages) free pages", on: disk.url, repair: { try disk.makeRoom() },
        fault: { deadwax, arguments in
          try disk.leave(freePages: pages)
          let outcome = try await deadwax.run(arguments)
          wasDone = outcome.status == 0
          return outcome
        })
      successCount = wasDone ? successCount + 1 : 0
      failureCount += wasDone ? 0 : 1
      pages = trial.next(after: pages)
    }
    trial.expect(failureCount > 0, "\(name): no disk was too small")
  }
}
