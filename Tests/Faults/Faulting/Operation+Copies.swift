import Foundation
import TestSupport

/// Operations that create one library from another.
extension Operation {
  /// Replaces an older backup, which must stay if the new one is not completed.
  static func backup(_ stage: Stage) async throws -> Operation {
    let older = try await UserDump(stage.copy(), withTimes: false)
    return Operation(
      "backup",
      prepare: {
        let deadwax = try stage.copy()
        try await deadwax.must(["backup", deadwax.backup.path])
        return deadwax
      },
      arguments: { ["backup", $0.backup.path, "--keep", "1"] },
      examine: { end in
        let kept = end.deadwax.with(end.deadwax.backup)
        var found = try await whole(kept, [end.effect.before] + (end.isDone ? [] : [older]))
        if try await LibraryDump(kept) != stage.fresh {
          found.append(.init(invariant: 1, reason: "the backup lacks something that the library has"))
        }
        return try await found + stage.invariants.violations(of: end.deadwax, users: end.users, equals: stage.fresh)
      })
  }

  /// Restores a backup with a preset that was deleted from the library.
  static func restore(_ stage: Stage) -> Operation {
    Operation(
      "restore",
      prepare: {
        let deadwax = try stage.copy()
        try await deadwax.must(["backup", deadwax.backup.path])
        try await deadwax.must(["preset", "delete", "other"])
        return deadwax
      },
      arguments: { ["restore", $0.backup.path] },
      examine: { end in
        try await stage.invariants.violations(of: end.deadwax, users: end.users, equals: stage.fresh) + kept(end)
          + whole(end.deadwax.with(end.deadwax.backup), [end.effect.after])
      })
  }

  /// Merges another library, which has more and different rows and is only read.
  static func merge(_ stage: Stage) async throws -> Operation {
    let (target, source) = (try DeadwaxCommand(), try stage.copy())
    for arguments in [
      ["scan", "--exclude", "*.flac", stage.music.path], ["preset", "create", "mine", "--gain", "-3"],
      ["preset", "assign", "mine", "filename:tagged"], ["list", "save", "own", "duration:>1"],
    ] { try await target.must(arguments) }
    let bytes = try Data(contentsOf: source.library)
    let arguments = ["merge", source.library.path]
    return Operation(
      "merge", prepare: { try target.copy() }, arguments: { _ in arguments },
      examine: { end in
        var found =
          try await stage.invariants.violations(of: end.deadwax, users: end.users, equals: stage.fresh) + kept(end)
        if try Data(contentsOf: source.library) != bytes {
          found.append(.init(invariant: 1, reason: "the other library was written to"))
        }
        // Whatever was merged already, the same command completes it.
        try await end.deadwax.must(arguments)
        return try await found + whole(end.deadwax, [end.effect.after])
      })
  }

  /// Repairs a library that lost a page of an index: it stays as it is, and the new library is whole or not there.
  static func repair(_ stage: Stage) async throws -> Operation {
    let damaged = try stage.copy()
    let place = try await damaged.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [
        damaged.library.path,
        "SELECT rootpage FROM sqlite_schema WHERE name = 'file_by_album'; PRAGMA page_size",
      ])
    let numbers = place.text.split(separator: "\n").compactMap { Int($0) }
    guard numbers.count == 2 else { throw UnexpectedOutcome(place) }
    var bytes = try Data(contentsOf: damaged.library)
    bytes.replaceSubrange((numbers[0] - 1) * numbers[1]..<numbers[0] * numbers[1], with: Data(count: numbers[1]))
    try bytes.write(to: damaged.library)
    let original = bytes
    return Operation(
      "repair",
      prepare: {
        let deadwax = try damaged.copy()
        try deadwax.home.makeFolder("saved")
        return deadwax
      },
      arguments: { ["doctor", "--repair", "-o", $0.saved.path] },
      examine: { end in
        var found: [Invariants.Violation] = []
        if try Data(contentsOf: end.deadwax.library) != original {
          found.append(.init(invariant: 1, reason: "the damaged library was written to"))
        }
        if !FileManager.default.fileExists(atPath: end.deadwax.saved.path) {
          if end.isDone { found.append(.init(invariant: 1, reason: "there is no new library")) }
          try await end.deadwax.must(["doctor", "--repair", "-o", end.deadwax.saved.path])
        }
        return try await found
          + stage.invariants.violations(
            of: end.deadwax.with(end.deadwax.saved), users: stage.users, equals: stage.fresh)
      })
  }

  /// Checks that a library is sound and that users' decisions are one of `states`.
  private static func whole(
    _ deadwax: DeadwaxCommand, _ states: [UserDump?]
  ) async throws -> [Invariants.Violation] {
    let (name, check) = (deadwax.library.lastPathComponent, try await deadwax.run(["doctor", "--deep"]))
    guard check.status == 0 else { return [.init(invariant: 2, reason: "\(name): \(check)")] }
    let users = try await UserDump(deadwax, withTimes: false)
    return states.contains(users)
      ? [] : [.init(invariant: 1, reason: "\(name): what users decided is not what it should be: \(users)")]
  }

  /// Checks that the previous library is still there under another name, and whole, unless nothing was changed.
  private static func kept(_ end: Aftermath) async throws -> [Invariants.Violation] {
    let start = end.deadwax.library.lastPathComponent + ".before-"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: end.deadwax.library.deletingLastPathComponent().path
    ).filter {
      $0.hasPrefix(start) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    var found: [Invariants.Violation] = []
    for name in names {
      if name.dropFirst(start.count).allSatisfy({ $0.isNumber || $0 == "-" }) {
        found += try await whole(end.deadwax.with(end.deadwax.beside(name)), [end.effect.before])
      } else {
        found.append(.init(invariant: 6, reason: "left beside the library: \(name)"))
      }
    }
    if names.isEmpty, try await UserDump(end.deadwax, withTimes: false) != end.effect.before {
      found.append(.init(invariant: 1, reason: "the library as it was is gone"))
    }
    return found
  }
}

extension DeadwaxCommand {
  /// Where a repair writes: in a folder of its own, in which nothing else may be left.
  fileprivate var saved: URL { beside("saved/library.sqlite") }
}
