package import Base
internal import Glibc

/// Folders that users name.
package enum ScanFolders {
  /// The absolute path of a folder, without links.
  package static func resolved(_ path: BytePath) throws(ScanError) -> BytePath {
    guard let real = path.withCString({ realpath($0, nil) }) else {
      throw .notAFolder(path, SystemError(call: "realpath"))
    }
    defer { free(real) }
    let resolved = BytePath(UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
    _ = try fileSystem(of: resolved)
    return resolved
  }

  /// The same, but an absolute path of nothing is returned as it is: it may be a root whose disk is not mounted.
  package static func resolvedOrKnown(_ path: BytePath) throws(ScanError) -> BytePath {
    do throws(ScanError) {
      return try resolved(path)
    } catch {
      guard case .notAFolder(_, let reason) = error, reason.code == ENOENT, path.bytes.first == UInt8(ascii: "/") else {
        throw error
      }
      return path.withoutTrailingSlashes
    }
  }

  /// The identity of the file system that a folder is on, as the store keeps it; nil if there is none.
  package static func volume(of path: BytePath) throws(ScanError) -> String? { try fileSystem(of: path)?.text }

  /// Why a folder must not be a root; nil if it may be one, or is not there.
  package static func refusal(of path: BytePath) -> String? {
    if path == BytePath("/") { return "the whole file system cannot be a root" }
    let fileSystem = try? fileSystem(of: path)
    return fileSystem?.isKernelFileSystem == true ? "shows the kernel's data, not files" : nil
  }

  /// - Throws: ``ScanError/refusedRoot(_:reason:)``.
  package static func requireSuitable(_ path: BytePath) throws(ScanError) {
    if let reason = refusal(of: path) { throw .refusedRoot(path, reason: reason) }
  }

  /// Whether a regular file has this path, as a scan that follows no links finds it.
  package static func isPresent(_ path: BytePath) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func fileSystem(of path: BytePath) throws(ScanError) -> FileSystemIdentity? {
    do throws(SystemError) {
      return FileSystemIdentity(of: try FolderDescriptor(opening: path))
    } catch {
      throw .notAFolder(path, error)
    }
  }
}
