internal import MediaModel

/// The fields of SQLite's 100-byte file header that tell a library from any other file.
struct LibraryHeader {
  static let applicationID: UInt32 = 0x4457_4158
  static let byteCount = 100

  let schemaVersion: Int
  /// Whether the file is in WAL mode, as every library is on a local disk.
  let usesWriteAheadLog: Bool

  /// - Parameter bytes: the first bytes of the file, fewer than 100 if it is shorter.
  init(_ bytes: [UInt8], at path: BytePath) throws(StoreError) {
    guard !bytes.isEmpty else { throw .notALibrary(path, reason: "0 bytes") }
    guard bytes.count == Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notALibrary(path, reason: "not an SQLite database")
    }
    func word(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    guard word(at: 68) == Self.applicationID else {
      throw .notALibrary(path, reason: "an SQLite database of another program")
    }
    schemaVersion = Int(word(at: 60))
    usesWriteAheadLog = bytes[18] == 2
    guard schemaVersion > 0 else { throw .notALibrary(path, reason: "schema version 0") }
    guard schemaVersion <= Migrations.currentVersion else {
      throw .newerSchema(path, found: schemaVersion, supported: Migrations.currentVersion)
    }
  }
}
