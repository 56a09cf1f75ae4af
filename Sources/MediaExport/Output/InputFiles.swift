package import MediaModel

/// Files that were read, and so are never written onto, under whatever name.
package struct InputFiles: Sendable {
  private let keys: Set<FileIdentity.Key>

  /// - Complexity: a look at each file.
  package init(_ paths: some Sequence<BytePath>) { keys = Set(paths.compactMap { FileIdentity($0)?.key }) }

  func contains(_ file: FileIdentity) -> Bool { keys.contains(file.key) }
}
