package import Foundation

/// A folder of its own for one test, removed with everything in it when the last owner is gone.
package final class TemporaryFolder: Sendable {
  /// Without symbolic links on the way, so that paths can be compared with what a program resolved.
  package let url: URL

  package init() throws {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    url = place.appending(path: "deadwax-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  package func appending(_ name: String) -> URL { url.appending(path: name) }

  /// Creates a folder below this one, with those on the way to it.
  package func makeFolder(_ name: String) throws -> URL {
    let folder = url.appending(path: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: appending(name))
  }
}
