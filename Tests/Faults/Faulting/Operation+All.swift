internal import Foundation
internal import TestSupport

extension Operation {
  /// Everything that writes to a library, and what writes beside it.
  static let names = [
    "first scan", "deep scan", "preset edit", "preset assign", "list save", "prune", "reanalyze", "backup", "restore",
    "export", "render",
  ]

  /// One of them, on a stage that all share.
  static func named(_ name: String) async throws -> Operation {
    let stage = try await Stage.shared.value
    switch name {
    case "first scan": return newScan(stage)
    case "deep scan": return on(stage, name) { _ in ["scan", "--deep"] }
    case "preset edit": return on(stage, name) { _ in ["preset", "edit", "mine", "--gain", "-4"] }
    case "preset assign": return on(stage, name) { _ in ["preset", "assign", "other", "filename:tagged"] }
    case "list save": return on(stage, name) { _ in ["list", "save", "short", "duration:<5"] }
    case "prune": return on(stage, name) { _ in ["prune", "--yes"] }
    case "reanalyze": return on(stage, name) { _ in ["reanalyze", "--force"] }
    case "backup": return backup(stage)
    case "restore": return restore(stage)
    case "export": return writing(name, "tracks.csv", stage) { ["export", "--what", "tracks", "-o", $0] }
    default: return writing("render", "clean.wav", stage) { ["render", "filename:clean", "-o", $0] }
    }
  }

  /// What makes a library.
  private static func newScan(_ stage: Stage) -> Operation {
    Operation("first scan", prepare: { try DeadwaxCommand() }, arguments: { _ in ["scan", stage.music.path] }) {
      try await stage.invariants.violations(of: $0, equals: stage.fresh)
    }
  }

  private static func on(
    _ stage: Stage, _ name: String, arguments: @escaping @Sendable (DeadwaxCommand) -> [String]
  ) -> Operation {
    Operation(name, prepare: { try stage.copy() }, arguments: arguments) {
      try await stage.invariants.violations(of: $0, equals: stage.fresh)
    }
  }

  /// In the place of an older one, which must stay where the new one does not become whole.
  private static func backup(_ stage: Stage) -> Operation {
    Operation(
      "backup",
      prepare: {
        let deadwax = try stage.copy()
        try await deadwax.must(["backup", deadwax.backup.path])
        return deadwax
      },
      arguments: { ["backup", $0.backup.path, "--keep", "1"] },
      examine: { deadwax in
        var kept = deadwax
        kept.library = deadwax.backup
        return try await backupViolations(kept, stage)
          + stage.invariants.violations(of: deadwax, equals: stage.fresh, users: stage.users)
      })
  }

  private static func backupViolations(
    _ backup: DeadwaxCommand, _ stage: Stage
  ) async throws -> [Invariants.Violation] {
    let check = try await backup.run(["doctor", "--deep"])
    guard check.status == 0 else { return [.init(invariant: 2, reason: "the backup: \(check)")] }
    let (users, dump) = try await (UserDump(backup), LibraryDump(backup))
    return users == stage.users && dump == stage.fresh
      ? [] : [.init(invariant: 1, reason: "the backup has not all that the library had")]
  }

  /// Of a backup that has a preset which the library has no more.
  private static func restore(_ stage: Stage) -> Operation {
    Operation(
      "restore",
      prepare: {
        let deadwax = try stage.copy()
        try await deadwax.must(["backup", deadwax.backup.path])
        try await deadwax.must(["preset", "delete", "other"])
        return deadwax
      },
      arguments: { ["restore", $0.backup.path] },
      examine: { try await stage.invariants.violations(of: $0, equals: stage.fresh) })
  }

  /// Writes a file in the place of an older one: afterwards one of the two is there, whole.
  private static func writing(
    _ name: String, _ file: String, _ stage: Stage, arguments: @escaping @Sendable (String) -> [String]
  ) -> Operation {
    let older = Data("what was there".utf8)
    return Operation(
      name,
      prepare: {
        let deadwax = try stage.copy()
        try older.write(to: deadwax.library.deletingLastPathComponent().appending(path: file))
        return deadwax
      },
      arguments: { arguments($0.library.deletingLastPathComponent().appending(path: file).path) },
      examine: { deadwax in
        let place = deadwax.library.deletingLastPathComponent().appending(path: file)
        let found = try Data(contentsOf: place)
        try await deadwax.must(arguments(place.path))
        let whole = try Data(contentsOf: place)
        let lost: [Invariants.Violation] =
          found == older || found == whole
          ? [] : [.init(invariant: 6, reason: "\(found.count) bytes of \(whole.count) in \(file)")]
        return try await lost + stage.invariants.violations(of: deadwax, equals: stage.fresh, users: stage.users)
      })
  }
}

extension DeadwaxCommand {
  /// Where operations on backups have theirs: beside the library.
  var backup: URL { library.deletingLastPathComponent().appending(path: "library.backup") }
}
