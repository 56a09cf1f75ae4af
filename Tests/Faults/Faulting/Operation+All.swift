import Foundation
import TestSupport

extension Operation {
  /// Every operation that writes to a library or beside it.
  static let names = [
    "first scan", "deep scan", "preset edit", "preset assign", "preset import", "list save", "list import", "import",
    "roots add", "prune", "reanalyze", "backup", "restore", "merge", "repair", "export", "render",
  ]

  /// Operations that are also run with a library as a killed process leaves it.
  static let namesWithLog = ["preset edit", "prune", "backup", "restore"].map { $0 + logSuffix }

  /// An operation by its name, on the stage that all share.
  static func named(_ name: String) async throws -> Operation {
    if name.hasSuffix(logSuffix) { return try await named(String(name.dropLast(logSuffix.count))).withLog }
    let stage = try await Stage.shared.value
    switch name {
    case "first scan": return newScan(stage)
    case "deep scan": return on(stage, name) { _ in ["scan", "--deep"] }
    case "preset edit": return on(stage, name) { _ in ["preset", "edit", "mine", "--gain", "-4"] }
    case "preset assign": return on(stage, name) { _ in ["preset", "assign", "other", "filename:tagged"] }
    case "preset import": return on(stage, name) { _ in ["preset", "import", stage.file("Imported.txt")] }
    case "list save": return on(stage, name) { _ in ["list", "save", "short", "duration:<5", "--replace"] }
    case "list import": return on(stage, name) { _ in ["list", "import", stage.file("kept.m3u8"), "--name", "again"] }
    case "import": return on(stage, name) { _ in ["import", "--beets", stage.file("beets.db")] }
    case "roots add": return rootAddition(stage)
    case "prune": return on(stage, name) { _ in ["prune", "--yes"] }
    case "reanalyze": return on(stage, name) { _ in ["reanalyze", "--force"] }
    case "backup": return try await backup(stage)
    case "restore": return restore(stage)
    case "merge": return try await merge(stage)
    case "repair": return try await repair(stage)
    case "export":
      return writing(name, "tracks.csv", stage) { ["export", "--what", "tracks", "--overwrite", "-o", $0] }
    default: return writing("render", "clean.wav", stage) { ["render", "filename:clean", "--overwrite", "-o", $0] }
    }
  }

  /// A scan that creates the library.
  private static func newScan(_ stage: Stage) -> Operation {
    Operation("first scan", prepare: { try DeadwaxCommand() }, arguments: { _ in ["scan", stage.music.path] }) {
      try await stage.invariants.violations(of: $0.deadwax, users: $0.users, equals: stage.fresh)
    }
  }

  private static func on(
    _ stage: Stage, _ name: String, arguments: @escaping @Sendable (DeadwaxCommand) -> [String]
  ) -> Operation {
    Operation(name, prepare: { try stage.copy() }, arguments: arguments) {
      try await stage.invariants.violations(of: $0.deadwax, users: $0.users, equals: stage.fresh)
    }
  }

  /// Adds an empty folder, in which no scan finds anything.
  private static func rootAddition(_ stage: Stage) -> Operation {
    Operation(
      "roots add",
      prepare: {
        let deadwax = try stage.copy()
        try deadwax.home.makeFolder("more")
        return deadwax
      },
      arguments: { ["roots", "add", $0.beside("more").path] },
      examine: { end in
        var found = try await stage.invariants.violations(of: end.deadwax, users: end.users, equals: stage.fresh)
        let roots = try await end.deadwax.must(["roots"]).text.split(separator: "\n").map(String.init)
        let expected = [stage.music.path, end.deadwax.beside("more").path]
        if Set(roots) != Set(expected), end.isDone || roots != [stage.music.path] {
          found.append(.init(invariant: 1, reason: "the roots are \(roots)"))
        }
        return found
      })
  }

  /// Replaces a file: afterwards the old or the new one is there, whole.
  private static func writing(
    _ name: String, _ file: String, _ stage: Stage, arguments: @escaping @Sendable (String) -> [String]
  ) -> Operation {
    let older = Data("what was there".utf8)
    return Operation(
      name,
      prepare: {
        let deadwax = try stage.copy()
        try older.write(to: deadwax.beside(file))
        return deadwax
      },
      arguments: { arguments($0.beside(file).path) },
      examine: { end in
        let deadwax = end.deadwax
        let place = deadwax.beside(file)
        let found = try Data(contentsOf: place)
        try await deadwax.must(arguments(place.path))
        let whole = try Data(contentsOf: place)
        let lost: [Invariants.Violation] =
          found == older || found == whole
          ? [] : [.init(invariant: 6, reason: "\(found.count) bytes of \(whole.count) in \(file)")]
        return try await lost + stage.invariants.violations(of: deadwax, users: end.users, equals: stage.fresh)
      })
  }
}

extension DeadwaxCommand {
  /// A path beside the library.
  func beside(_ name: String) -> URL { library.deletingLastPathComponent().appending(path: name) }

  /// Where the operations put their backup.
  var backup: URL { beside("library.backup") }
}
