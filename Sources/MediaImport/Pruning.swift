package import Base
package import LibraryScanning
package import LibraryTracks

/// Which missing files may be forgotten: those that are really gone, and only while their folder and disk are there.
package struct Pruning: Sendable {
  /// Why nothing may be forgotten.
  package enum Refusal: Error, Hashable, CustomStringConvertible {
    /// The folder of a root is not there.
    case rootAway(BytePath)
    /// A root is on a different disk than at the last scan.
    case otherVolume(BytePath)

    package var description: String {
      switch self {
      case .rootAway(let path): "\(path.displayString): the folder is missing; nothing was forgotten"
      case .otherVolume(let path):
        "\(path.displayString): on a different disk than at the last scan; nothing was forgotten"
      }
    }
  }

  package let gone: [MissingFile]
  /// Files that are marked as missing, but are there again.
  package let returned: [MissingFile]

  /// - Parameter files: All that may be forgotten; each that is marked as missing is looked for.
  package init(_ files: [MissingFile]) {
    var (gone, returned): ([MissingFile], [MissingFile]) = ([], [])
    for file in files {
      if file.cause == .missing, ScanFolders.isPresent(file.path) { returned.append(file) } else { gone.append(file) }
    }
    self.gone = gone
    self.returned = returned
  }

  /// Requires the folder and the disk of each file that is gone: without them, it may only be out of reach.
  package func requireRoots(_ roots: [Root]) throws(Refusal) {
    let ids = Set(gone.map(\.rootID))
    for root in roots where ids.contains(root.id) {
      guard let volume = try? ScanFolders.volume(of: root.path) else { throw .rootAway(root.path) }
      guard root.volume == nil || root.volume == volume else { throw .otherVolume(root.path) }
    }
  }
}
