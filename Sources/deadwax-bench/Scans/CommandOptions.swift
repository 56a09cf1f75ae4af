internal import ArgumentParser
internal import Foundation

/// The command that is measured from outside.
struct CommandOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The built command (default: deadwax beside this program).", valueName: "file"))
  var command: String?

  func path() throws -> String {
    let path = command ?? Self.own.deletingLastPathComponent().appending(path: "deadwax").path
    guard ChildProcess.path(of: path) != nil else { throw BenchFailure("there is no command at \(path)") }
    return path
  }

  /// This program itself.
  static var own: URL { URL(filePath: "/proc/self/exe").resolvingSymlinksInPath() }
}
