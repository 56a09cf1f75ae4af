internal import Foundation
internal import MediaModel
internal import MediaStore

/// A folder that is scanned with the built command, each first scan into a library of its own.
struct ScannedFolder {
  let command: String
  let folder: URL
  let temporary: TemporaryFolder
  /// Of the first scan that comes next.
  private var library: URL

  init(command: String, folder: URL, temporary: TemporaryFolder) {
    self.command = command
    self.folder = folder
    self.temporary = temporary
    library = temporary.appending("library-\(UUID().uuidString).sqlite")
  }

  /// A first scan: what was there before is forgotten.
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
