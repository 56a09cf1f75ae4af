package import Foundation

/// The shared test material, which is beside the project and not part of it.
package enum Corpora {
  /// The project's top folder.
  package static let projectRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// nil where the material is absent: tests that need it are then skipped with ``absence``.
  package static let root: URL? = {
    let folder = projectRoot.deletingLastPathComponent().appending(path: "shared/corpora")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  package static let absence = "shared/corpora is not beside the project"

  /// The project's own small files.
  package static let fixtures = projectRoot.appending(path: "fixtures")
}
