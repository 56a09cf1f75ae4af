package import Foundation

/// Name, kind, time, mode, size and content of everything below a folder; equal values mean that nothing was written.
package struct TreeDigest: Equatable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var isRegularFile: Bool
    package var modificationTime: Double
    package var mode: Int
    package var byteCount: Int
    package var content: Int
  }

  /// By path below the folder.
  package var entries: [String: Entry] = [:]

  /// Only the start of larger files is read, because some are sparse files of many gigabytes.
  private static let comparedByteCount = 4 << 20

  package init(of folder: URL) throws {
    // A folder that is gone must not equal another one that is gone.
    guard FileManager.default.fileExists(atPath: folder.path),
      let contents = FileManager.default.enumerator(atPath: folder.path)
    else { throw CocoaError(.fileReadNoSuchFile) }
    while let name = contents.nextObject() as? String {
      let path = folder.path + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let isRegularFile = attributes[.type] as? FileAttributeType == .typeRegular
      var content = 0
      if isRegularFile, let file = FileHandle(forReadingAtPath: path) {
        var hasher = Hasher()
        try file.read(upToCount: Self.comparedByteCount)?.withUnsafeBytes { hasher.combine(bytes: $0) }
        content = hasher.finalize()
        try file.close()
      }
      entries[name] = Entry(
        isRegularFile: isRegularFile,
        modificationTime: (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0,
        mode: (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0,
        byteCount: (attributes[.size] as? NSNumber)?.intValue ?? 0, content: content)
    }
  }
}
