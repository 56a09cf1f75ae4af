internal import Foundation
internal import TestSupport

/// Something that a command does with a library, which a fault may interrupt at any point.
struct Operation: Sendable {
  let name: String
  /// Puts a library into its place for one attempt.
  private let prepare: @Sendable () async throws -> DeadwaxCommand
  private let arguments: @Sendable (DeadwaxCommand) -> [String]
  /// What must hold afterwards, whatever happened.
  private let examine: @Sendable (Aftermath) async throws -> [Invariants.Violation]

  init(
    _ name: String, prepare: @escaping @Sendable () async throws -> DeadwaxCommand,
    arguments: @escaping @Sendable (DeadwaxCommand) -> [String],
    examine: @escaping @Sendable (Aftermath) async throws -> [Invariants.Violation]
  ) {
    self.name = name
    self.prepare = prepare
    self.arguments = arguments
    self.examine = examine
  }

  /// Statuses that a failed operation may have: failed, safety stop, library not usable.
  private static let documented: Set<Int32> = [1, 4, 5]

  /// Does it once, undisturbed: what users decided then is what they may find after a fault instead of what they had.
  func effect() async throws -> Effect {
    let deadwax = try await prepare()
    let before = try await Self.users(deadwax)
    try await deadwax.must(arguments(deadwax))
    return Effect(before: before, after: try await Self.users(deadwax))
  }

  /// What users decided, without times.
  struct Effect: Sendable {
    let before: UserDump?
    let after: UserDump?
  }

  /// What an attempt left.
  struct Aftermath: Sendable {
    let deadwax: DeadwaxCommand
    /// Of the same without a fault.
    let effect: Effect
    /// Whether the command said so.
    let isDone: Bool
  }

  private static func users(_ deadwax: DeadwaxCommand) async throws -> UserDump? {
    FileManager.default.fileExists(atPath: deadwax.library.path) ? try await UserDump(deadwax, withTimes: false) : nil
  }

  /// Does it with a fault, and checks what is left.
  ///
  /// - Parameters:
  ///   - mayDie: Whether the fault ends the process.
  ///   - fault: Runs the command under the fault.
  func attempt(
    _ trial: Trial, _ effect: Effect, at place: String, mayDie: Bool = false, on volume: URL? = nil,
    repair: @Sendable () throws -> Void = {}, fault: (DeadwaxCommand, [String]) async throws -> CommandOutcome
  ) async throws {
    var deadwax = try await prepare()
    if let volume { try deadwax.move(to: volume) }
    let outcome = try await fault(deadwax, arguments(deadwax))
    try repair()
    trial.countAttempt()
    let what = "\(name), \(place), status \(outcome.status)"
    let isDead = mayDie && outcome.status > 128
    // The dynamic linker has a status of its own when it cannot load a library.
    let isLoaderFailure = outcome.status == 127 && outcome.errorText.contains("shared librar")
    // The Swift runtime reads the arguments from /proc; without them nothing is done.
    let isUnreadableCommandLine = outcome.status == 64 && outcome.errorText.contains("What shall be done?")
    trial.expect(
      outcome.status == 0 || Self.documented.contains(outcome.status) || isLoaderFailure
        || isUnreadableCommandLine || isDead, "\(what): \(outcome)")
    trial.expect(
      outcome.status == 0 || isDead || !outcome.errorText.isEmpty, "\(what): not a word about it")
    for word in ["internal error", "Fatal error", "locked by"] where !isDead && outcome.errorText.contains(word) {
      trial.fail("\(what): \(outcome)")
    }
    let users = try await Self.users(deadwax)
    trial.expect(
      users == effect.after || (outcome.status != 0 && users == effect.before),
      "\(what): what users decided is neither as before nor as afterwards: \(users?.description ?? "no library")")
    let aftermath = Aftermath(deadwax: deadwax, effect: effect, isDone: outcome.status == 0)
    trial.expectNone(try await examine(aftermath), after: what)
  }
}

extension Operation {
  static let logSuffix = " with a log"

  /// The same upon a library in whose log a decision lies that is not in the file yet, as processes leave it that are killed.
  var withLog: Operation {
    Operation(
      name + Self.logSuffix,
      prepare: {
        let deadwax = try await prepare()
        // As long as another process has the library open, nobody folds the log in.
        let reader = try LongReader(deadwax.library)
        try await deadwax.must(["preset", "create", "late", "--gain", "-5"])
        withExtendedLifetime(reader) {}
        let log = try FileManager.default.attributesOfItem(atPath: deadwax.library.path + "-wal")
        guard (log[.size] as? NSNumber)?.intValue ?? 0 > 0 else { throw NotRun("the log was folded in") }
        return deadwax
      }, arguments: arguments, examine: examine)
  }
}

extension DeadwaxCommand {
  /// Puts its library, and what lies beside it, onto another volume.
  mutating func move(to volume: URL) throws {
    let folder = library.deletingLastPathComponent()
    for name in try home.names() where name != "strace.log" {
      let place = volume.appending(path: name)
      try FileManager.default.copyItem(at: folder.appending(path: name), to: place)
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    library = volume.appending(path: library.lastPathComponent)
  }
}
