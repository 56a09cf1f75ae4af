import Base
import DeadwaxCLI
import DecodingService
import Foundation
import Glibc
import Synchronization
import TestSupport

/// The command, called in the process of the tests with streams, environment and current folder as a process would have.
///
/// These belong to the whole process, so one call is made at a time; workers are started from the built command. What a
/// process of its own is needed for (signals, terminals, pipes, limits) belongs into BuiltCommandTests.
struct CalledCommand: CommandCaller {
  /// Taken by the call that is made.
  private static let turn = Mutex(())
  /// As the main thread usually has.
  private static let stackByteCount = 8 << 20

  /// On a thread of its own: tasks have few threads, with small stacks, and block all signals.
  func call(
    _ arguments: [String], environment: [String: String], currentFolder: URL, standardInput: Data
  ) async throws -> CommandOutcome {
    let files = try TemporaryFolder()
    try standardInput.write(to: files.appending("input"))
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        Self.turn.withLock { _ in
          continuation.resume(
            with: Result {
              let surroundings = try Surroundings(files, environment, currentFolder)
              defer { surroundings.restore() }
              return Program.status(of: arguments.map { ArgumentText.text(ofBytes: Array($0.utf8)) })
            })
        }
      }
      thread.stackSize = Self.stackByteCount
      thread.start()
    }
    return CommandOutcome(
      status: status, standardOutput: try Data(contentsOf: files.appending("output")),
      standardError: try Data(contentsOf: files.appending("error")))
  }
}

/// What a process has from its start on, as it was before a call.
private struct Surroundings {
  private static let caught = [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ]

  private let folder: Int32
  private let streams: [Int32]
  private let environment: [String: String]
  private let actions: [sigaction]
  private let worker: String

  /// Replaces them.
  ///
  /// - Parameter files: Has the file `input`, and gets `output` and `error`.
  init(_ files: TemporaryFolder, _ environment: [String: String], _ currentFolder: URL) throws {
    fflush(nil)
    folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, chdir(currentFolder.path) == 0 else { throw SystemError(call: "chdir") }
    self.environment = ProcessInfo.processInfo.environment
    Self.set(environment)
    actions = Self.caught.map { signal in
      var action = sigaction()
      sigaction(signal, nil, &action)
      return action
    }
    for ignored in [SIGPIPE, SIGXFSZ] { signal(ignored, SIG_IGN) }
    worker = WorkerProgram.path
    WorkerProgram.path = DeadwaxCommand.executable.path
    streams = (Int32(0)...2).map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    for (number, name) in ["input", "output", "error"].enumerated() {
      let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      let file = open(files.appending(name).path, flags | O_CLOEXEC, 0o600)
      guard file >= 0, dup2(file, Int32(number)) >= 0 else { throw SystemError(call: "dup2") }
      close(file)
    }
  }

  func restore() {
    fflush(nil)
    for (number, stream) in streams.enumerated() {
      dup2(stream, Int32(number))
      close(stream)
    }
    for (signal, action) in zip(Self.caught, actions) {
      var action = action
      sigaction(signal, &action, nil)
    }
    WorkerProgram.path = worker
    Self.set(environment)
    fchdir(folder)
    close(folder)
  }

  private static func set(_ environment: [String: String]) {
    clearenv()
    for (name, value) in environment { setenv(name, value, 1) }
  }
}

extension DeadwaxCommand {
  /// One that is called in the process of the tests.
  static func called() throws -> DeadwaxCommand { try DeadwaxCommand().called }

  /// The same with the same home and library.
  var called: DeadwaxCommand {
    var other = self
    other.caller = CalledCommand()
    return other
  }
}

extension ScannedFixtures {
  /// The command with this library, called in the process of the tests.
  var called: DeadwaxCommand { deadwax.called }
}
