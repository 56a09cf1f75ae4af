package import Foundation

/// The command as users run it, with a home and a library of its own.
package struct DeadwaxCommand: Sendable {
  /// `HOME`, and the current folder of every run.
  package let home: TemporaryFolder
  /// Does not exist before a command creates it.
  package var library: URL
  /// What ``run(_:environment:standardInput:)`` and ``must(_:)`` call; nil for the built command in a process of its own.
  package var caller: (any CommandCaller)?

  package init() throws {
    home = try TemporaryFolder()
    library = home.appending("library.sqlite")
  }

  /// The same with another library.
  package func with(_ library: URL) -> DeadwaxCommand {
    var other = self
    other.library = library
    return other
  }

  /// One with a home of its own, and a copy of the library in it.
  package func copy() throws -> DeadwaxCommand {
    var deadwax = try DeadwaxCommand()
    deadwax.caller = caller
    try FileManager.default.copyItem(at: library, to: deadwax.library)
    return deadwax
  }

  /// Built beside the tests, because their target depends on it.
  package static let executable: URL = {
    let folder = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
    let beside = folder.appending(path: "deadwax")
    return FileManager.default.isExecutableFile(atPath: beside.path)
      ? beside : Corpora.projectRoot.appending(path: ".build/release/deadwax")
  }()

  /// Runs `deadwax` with arguments and waits for its end.
  ///
  /// - Parameter environment: Added to a small fixed one; the tester's own settings are left out.
  package func run(
    _ arguments: [String], environment: [String: String] = [:], standardInput: Data = Data()
  ) async throws -> CommandOutcome {
    guard let caller else {
      return try await run(
        executable: Self.executable, arguments, environment: environment, standardInput: standardInput)
    }
    return try await caller.call(
      arguments, environment: baseEnvironment.merging(environment) { $1 }, currentFolder: home.url,
      standardInput: standardInput)
  }

  /// Runs the built command with another standard output.
  ///
  /// - Parameter standardOutput: A file to write to, such as `/dev/full`; the outcome's output is then empty.
  package func run(
    _ arguments: [String], environment: [String: String] = [:], standardInput: Data = Data(), standardOutput: URL
  ) async throws -> CommandOutcome {
    try await run(
      executable: Self.executable, arguments, environment: environment, standardInput: standardInput,
      standardOutput: standardOutput)
  }

  /// The same through any program, such as a shell.
  package func run(
    executable: URL, _ arguments: [String], environment: [String: String] = [:], standardInput: Data = Data(),
    standardOutput: URL? = nil
  ) async throws -> CommandOutcome {
    try await start(
      executable: executable, arguments, environment: environment, standardInput: standardInput,
      standardOutput: standardOutput
    ).outcome()
  }

  /// Runs `deadwax`, which must succeed.
  @discardableResult
  package func must(_ arguments: [String]) async throws -> CommandOutcome {
    let outcome = try await run(arguments)
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    return outcome
  }

  /// Runs statements on the library with the sqlite3 shell, and returns what it prints.
  @discardableResult
  package func sqlite(_ statements: String) async throws -> String {
    let outcome = try await run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      ["-bail", library.path, "PRAGMA trusted_schema = ON; PRAGMA foreign_keys = ON; " + statements])
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A script of bash in which `deadwax` is the command: for pipes, redirections and limits.
  package func shell(_ script: String, input: Data = Data()) async throws -> CommandOutcome {
    let folder = Self.executable.deletingLastPathComponent().path
    return try await run(
      executable: URL(filePath: "/bin/bash"), ["-c", script],
      environment: ["PATH": "\(folder):\(Self.searchPath)"], standardInput: input)
  }

  /// Starts `deadwax` without waiting for it.
  package func start(_ arguments: [String]) throws -> RunningCommand {
    try start(executable: Self.executable, arguments)
  }

  /// The same through any program.
  package func start(
    executable: URL, _ arguments: [String], environment: [String: String] = [:], standardInput: Data = Data(),
    standardOutput: URL? = nil
  ) throws -> RunningCommand {
    // Files instead of pipes: no reader is needed while the command runs.
    let files = try TemporaryFolder()
    try standardInput.write(to: files.appending("input"))
    for name in ["output", "error"] { try Data().write(to: files.appending(name)) }

    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = home.url
    process.environment = baseEnvironment.merging(environment) { _, given in given }
    let streams = [
      try FileHandle(forReadingFrom: files.appending("input")),
      try FileHandle(forWritingTo: standardOutput ?? files.appending("output")),
      try FileHandle(forWritingTo: files.appending("error")),
    ]
    // Foundation keeps the process with its handles: after thousands of runs no descriptor would be left.
    defer { for stream in streams { try? stream.close() } }
    process.standardInput = streams[0]
    process.standardOutput = streams[1]
    process.standardError = streams[2]
    return try RunningCommand(process, files: files, unblocksSignals: executable != Self.executable)
  }

  private static let searchPath = "/usr/local/bin:/usr/bin:/bin"

  private var baseEnvironment: [String: String] {
    [
      "HOME": home.url.path,
      "PATH": Self.searchPath,
      "LANG": "C.UTF-8",
      "DEADWAX_LIBRARY": library.path,
    ]
  }
}
