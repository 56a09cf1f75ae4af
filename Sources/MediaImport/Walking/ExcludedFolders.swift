package import Base
internal import Foundation
internal import Glibc
package import MediaStore

/// The folders below roots that no scan enters, as the owner has chosen on the page.
///
/// They are in a file beside the library: they are about the folders of this computer, and a music folder is never written to.
/// `.deadwaxignore` files, which people write themselves, say the same for all libraries.
package struct ExcludedFolders: Hashable, Sendable {
  /// Absolute, sorted.
  package private(set) var paths: [BytePath] = []

  private static let largestFileByteCount = 4 << 20
  /// Each is compared with each folder that a scan enters.
  package static let largestCount = 10_000

  private init(_ paths: [BytePath] = []) { self.paths = paths }

  /// Those of a library; none if it has no such file.
  ///
  /// - Throws: ``StoreError/inputOutput(_:reason:)`` if the file cannot be read: what it leaves out must not be scanned by mistake.
  package init(of library: BytePath) throws(StoreError) {
    let file = Self.file(of: library)
    do throws(SystemError) {
      let folder = try FolderDescriptor(opening: file.path.folder)
      let opened = try folder.openRegularFile(file.path.lastComponent, followsLinks: true)
      defer { close(opened.descriptor) }
      let bytes = try DescriptorBytes.bytes(from: opened.descriptor, count: Self.largestFileByteCount)
      guard let document = try? JSONValue(parsing: bytes), let known = Self(json: document) else {
        throw SystemError(
          call: "read", code: EINVAL, detail: "it holds no list of folders; delete it to scan all of them")
      }
      self = known
    } catch {
      guard error.code == ENOENT || error.code == ENOTDIR else {
        throw .inputOutput(file.path, reason: "the folders that are left out cannot be read: \(error)")
      }
    }
  }

  /// Leaves a folder out, or no longer. The file is on the disk when this returns.
  ///
  /// What is below the folder is the same as the folder from then on.
  /// - Returns: whether that changed anything.
  @discardableResult
  package static func set(_ path: BytePath, isExcluded: Bool, of library: BytePath) throws -> Bool {
    let file = file(of: library)
    return try file.locked {
      let before = try ExcludedFolders(of: library)
      var paths = before.paths.filter { !$0.isBelowOrEqual(to: path) }
      if isExcluded { paths.append(path) }
      let after = ExcludedFolders(paths.sorted())
      guard after != before else { return false }
      guard paths.count <= largestCount else {
        throw StoreError.inputOutput(file.path, reason: "at most \(largestCount) folders can be left out")
      }
      try file.replace(with: Array((after.document.prettyText + "\n").utf8))
      return true
    }
  }

  /// The folder that leaves out a path, itself or one above it; nil if it is scanned.
  package func folder(excluding path: BytePath) -> BytePath? { paths.first { path.isBelowOrEqual(to: $0) } }

  /// Those below a root, relative to it.
  package func below(_ root: BytePath) -> Set<BytePath> {
    Set(paths.filter { $0 != root && $0.isBelowOrEqual(to: root) }.map { $0.relative(to: root) })
  }

  private static func file(of library: BytePath) -> PrivateFile {
    PrivateFile(BytePath(library.bytes + Array(".excluded".utf8)))
  }

  private var document: JSONValue {
    .object(["schema": .integer(1), "folders": .array(paths.map { .object(JSONValue.path($0)) })])
  }

  private init?(json: JSONValue) {
    guard let folders = json["folders"]?.array else { return nil }
    for folder in folders {
      let bytes = folder["path_bytes"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
      guard let path = (bytes ?? folder["path"]?.string.map { Array($0.utf8) }).map({ BytePath($0) }),
        path.bytes.first == UInt8(ascii: "/")
      else { return nil }
      paths.append(path)
    }
    paths.sort()
  }
}
