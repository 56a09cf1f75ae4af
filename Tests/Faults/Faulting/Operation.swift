import Foundation
import Glibc
import TestSupport

/// Something that a command does with a library and that a fault may interrupt at any point.
struct Operation: Sendable {
  let name: String
  /// Creates the library of one attempt.
  private let prepare: @Sendable () async throws -> DeadwaxCommand
  private let arguments: @Sendable (DeadwaxCommand) -> [String]
  /// What does not hold afterwards of what must, whatever happened.
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

  /// Does it once without a fault: afterwards users may find either what they had or what this gives.
  func effect() async throws -> Effect {
    let deadwax = try await prepare()
    let before = try await Self.users(deadwax)
    try await deadwax.must(arguments(deadwax))
    return Effect(before: before, after: try await Self.users(deadwax))
  }

  /// What users decided, without times; nil if there is no library.
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
    /// What must stay from now on, with times: what was decided before the fault, or, if the operation has changed it,
    /// what was found after it.
    let users: UserDump
  }

  private static func users(_ deadwax: DeadwaxCommand) async throws -> UserDump? {
    FileManager.default.fileExists(atPath: deadwax.library.path) ? try await UserDump(deadwax, withTimes: false) : nil
  }

  /// Does the operation under a fault, and checks what is left.
  ///
  /// - Parameters:
  ///   - mayDie: Whether the fault may end the process.
  ///   - fault: Runs the command under the fault.
  func attempt(
    _ trial: Trial, _ effect: Effect, at place: String, mayDie: Bool = false, on volume: URL? = nil,
    repair: @Sendable () throws -> Void = {}, fault: (DeadwaxCommand, [String]) async throws -> CommandOutcome
  ) async throws {
    var deadwax = try await prepare()
    let before = try await UserDump(deadwax)
    if let volume { try deadwax.move(to: volume) }
    let outcome = try await fault(deadwax, arguments(deadwax))
    try repair()
    trial.countAttempt()
    let what = "\(name), \(place), status \(outcome.status)"
    let isDead = mayDie && outcome.status > 128
    // The status of the dynamic linker when it cannot load a library.
    let isLoaderFailure = outcome.status == 127 && outcome.errorText.contains("shared librar")
    // The Swift runtime reads the arguments from /proc; without them nothing is done.
    let isUnreadableCommandLine = outcome.status == 64 && outcome.errorText.contains("no command given")
    trial.expect(
      outcome.status == 0 || Self.documented.contains(outcome.status) || isLoaderFailure
        || isUnreadableCommandLine || isDead, "\(what): \(outcome)")
    trial.expect(
      outcome.status == 0 || isDead || !outcome.errorText.isEmpty, "\(what): nothing was said about it")
    for word in ["internal error", "Fatal error", "locked by"] where !isDead && outcome.errorText.contains(word) {
      trial.fail("\(what): \(outcome)")
    }
    let users = try await Self.users(deadwax)
    trial.expect(
      users == effect.after || (outcome.status != 0 && users == effect.before),
      "\(what): what users decided is neither as before nor as afterwards: \(users?.description ?? "no library")")
    let kept = try await users == effect.before ? before : UserDump(deadwax)
    let aftermath = Aftermath(deadwax: deadwax, effect: effect, isDone: outcome.status == 0, users: kept)
    trial.expectNone(try await examine(aftermath), after: what)
  }
}

extension Operation {
  static let logSuffix = " with a log"

  /// The same with a library whose write-ahead log holds a decision that is not in the file yet, as a killed process
  /// leaves it.
  var withLog: Operation {
    Operation(
      name + Self.logSuffix,
      prepare: {
        let deadwax = try await prepare()
        // While another process has the library open, the log is not folded in.
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

/// Another program that reads the library in one transaction, for as long as this lives.
final class LongReader {
  private let process = Process()
  private let input = Pipe()

  /// - Parameter query: What it has read when this returns.
  init(_ library: URL, query: String = "SELECT count(*) FROM file") throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", library.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("BEGIN; \(query);\n".utf8))
    // Its first line says that the transaction has begun.
    _ = output.fileHandleForReading.availableData
  }

  deinit {
    // SIGTERM may be blocked, if the thread that started the process blocks it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

extension DeadwaxCommand {
  /// Runs the command from a shell that first runs something else, such as `ulimit -n 32`.
  func run(
    after preparation: String, _ arguments: [String], environment: [String: String] = [:], standardOutput: URL? = nil
  ) async throws -> CommandOutcome {
    try await run(
      executable: URL(filePath: "/bin/sh"),
      ["-c", "\(preparation); exec \"$0\" \"$@\"", Self.executable.path] + arguments,
      environment: environment, standardOutput: standardOutput)
  }

  /// Runs the command through another one, such as `faketime -f -1y`.
  func run(through program: [String], _ arguments: [String]) async throws -> CommandOutcome {
    try await run(executable: URL(filePath: "/usr/bin/env"), program + [Self.executable.path] + arguments)
  }
}
