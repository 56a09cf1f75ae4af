import Foundation

/// Name, kind, time, mode, size and content of everything below a folder; equal values mean that nobody wrote to it.
struct TreeDigest: Equatable, Sendable {
  struct Entry: Hashable, Sendable {
    var isRegularFile: Bool
    var modificationTime: Double
    var mode: Int
    var byteCount: Int
    var content: Int
  }

  /// By path below the folder.
  var entries: [String: Entry] = [:]

  /// Of larger files only the beginning is read: sparse ones of many gigabytes are among them.
  private static let comparedByteCount = 4 << 20

  init(of folder: URL) throws {
    let contents = FileManager.default.enumerator(atPath: folder.path)
    while let name = contents?.nextObject() as? String {
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
