package import Base
package import Foundation

/// An empty folder for one test, removed with everything in it by its last owner.
package final class TemporaryFolder: Sendable {
  /// Without symbolic links in its path, so that it can be compared with what a program resolved.
  package let url: URL

  package init() throws {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    url = place.appending(path: "deadwax-test-\(UUID().uuidString)", directoryHint: .notDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    if removePlainFiles() { return }
    // By tools that work on bytes and on paths of any length: some tests create names that FileManager cannot express.
    for command in [["chmod", "-R", "u+rwX", url.path], ["rm", "-rf", "--", url.path]] {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = command
      process.standardError = FileHandle.nullDevice
      try? process.run()
      process.waitUntilExit()
    }
  }

  /// Most folders hold files only; false if something is left.
  private func removePlainFiles() -> Bool {
    guard let stream = opendir(url.path) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { _ = unlinkat(dirfd(stream), $0, 0) }
      }
    }
    return rmdir(url.path) == 0
  }

  package var path: BytePath { BytePath(url.path) }

  package func appending(_ name: String) -> URL { url.appending(path: name) }

  /// A path below the folder.
  package func file(_ name: String) -> BytePath { path.appending(BytePath(name)) }

  /// Names in the folder, in order.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Creates a folder below this one, with those on the way to it.
  @discardableResult
  package func makeFolder(_ name: String) throws -> URL {
    let folder = url.appending(path: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a file below this folder, with the folders on the way to it.
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let file = appending(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  package func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: appending(name))) }
}
