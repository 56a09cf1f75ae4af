internal import ArgumentParser
internal import Base
internal import Foundation
internal import Glibc
internal import LibraryTracks
internal import MediaStore

/// The option that names the built command.
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

/// A folder that the built command scans, each first scan into a new library.
struct ScannedFolder {
  let command: String
  let folder: URL
  let temporary: TemporaryFolder
  /// Of the latest first scan.
  private var library: URL

  init(command: String, folder: URL, temporary: TemporaryFolder) {
    self.command = command
    self.folder = folder
    self.temporary = temporary
    library = temporary.appending("library-\(UUID().uuidString).sqlite")
  }

  /// A first scan, into a new library.
  mutating func scan(workers: Int, whileRunning: ((pid_t) -> Void)? = nil) throws -> ChildUsage {
    try? FileManager.default.removeItem(at: library)
    library = temporary.appending("library-\(UUID().uuidString).sqlite")
    return try rescan(workers: workers, whileRunning: whileRunning)
  }

  /// Another scan of the same library.
  func rescan(workers: Int, whileRunning: ((pid_t) -> Void)? = nil) throws -> ChildUsage {
    let process = ChildProcess(
      executable: command,
      arguments: [
        "scan", "--quiet", "--follow-links", "--jobs", String(workers), "--library", library.path, folder.path,
      ], isQuiet: false)
    let usage = try process.run(whileRunning: whileRunning)
    guard usage.hasSucceeded else { throw BenchFailure("the scan failed: \(process.arguments.joined(separator: " "))") }
    return usage
  }

  /// What the latest scan stored.
  func status() throws -> LibraryStatus {
    let store = try MediaStore(at: BytePath(library.path), access: .readOnly)
    defer { try? store.close() }
    return try store.status()
  }

  /// The size of the library file after the scan has closed it.
  func libraryBytes() throws -> Int { try FileSize.bytes(of: BytePath(library.path)) }
}

enum FileSize {
  /// The length of a file.
  static func bytes(of path: BytePath) throws -> Int {
    var status = stat()
    guard stat(path.displayString, &status) == 0 else { throw BenchFailure("there is no \(path.displayString)") }
    return Int(status.st_size)
  }
}
