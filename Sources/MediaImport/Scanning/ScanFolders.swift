package import Base
internal import Glibc

/// Folders that users name.
package enum ScanFolders {
  /// The absolute path of a folder, without links, with names as the folders above it list them.
  package static func resolved(_ path: BytePath) throws(ScanError) -> BytePath {
    do throws(SystemError) {
      let resolved = try path.resolved()
      _ = try FolderDescriptor(opening: resolved)
      return resolved
    } catch {
      throw .notAFolder(path, error)
    }
  }

  /// A resolved path as a library names it, if a root that contains it is stored in another spelling: one that was
  /// added by an older version, or before the disk was copied to one that ignores case.
  package static func asStored(_ path: BytePath, in roots: [BytePath]) -> BytePath {
    guard !roots.contains(where: { path.isBelowOrEqual(to: $0) }) else { return path }
    for root in roots {
      if let resolved = try? root.resolved(), resolved != root, path.isBelowOrEqual(to: resolved) {
        return root.appending(path.relative(to: resolved))
      }
    }
    return path
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
    return fileSystem?.isKernelFileSystem == true ? "contains kernel data, not files" : nil
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
