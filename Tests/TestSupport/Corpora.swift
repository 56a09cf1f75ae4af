package import Foundation

/// The shared test material, which is beside the project and not part of it.
package enum Corpora {
  /// The project's top folder.
  package static let projectRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// nil if the material is absent: tests that need it are then skipped with ``absence``.
  package static let root: URL? = {
    let folder = projectRoot.deletingLastPathComponent().appending(path: "shared/corpora")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  package static let absence = "shared/corpora is not beside the project"

  /// The project's own small files.
  package static let fixtures = projectRoot.appending(path: "fixtures")

  /// Makes a library of schema 3, with the sqlite3 shell.
  package static func writeOldLibrary(to file: URL) throws {
    let dump = fixtures.appending(path: "databases/schema-3.sql.gz")
    try Tool.run("sh", "-c", "gzip -dc \"$0\" | sqlite3 \"$1\"", dump.path, file.path)
  }

  /// The files in a folder of fixtures/ and below it, in order: for the arguments of tests.
  ///
  /// Traps if there are none, because a test without arguments passes and checks nothing.
  package static func fixtureFiles(in folder: String, endingIn pathExtensions: Set<String> = []) -> [URL] {
    let url = fixtures.appending(path: folder)
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
    let files = names.sorted().map { url.appending(path: $0) }.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: $0.path, isDirectory: &isFolder) && !isFolder.boolValue
        && (pathExtensions.isEmpty || pathExtensions.contains($0.pathExtension))
    }
    precondition(!files.isEmpty, "there are no files for the tests in \(url.path)")
    return files
  }
}
