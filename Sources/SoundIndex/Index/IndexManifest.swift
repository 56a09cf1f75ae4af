internal import Base

/// What belongs to an index: its posting files, the recordings in them that no longer count, and the state of the library
/// that it was last compared with. docs/formats.md has the layout.
struct IndexManifest: Hashable {
  struct PostingFileEntry: Hashable {
    /// Which gives the file its name.
    var number: UInt32
  }

  /// A recording of a posting file that the library no longer has, or has with other landmarks.
  struct Dead: Hashable {
    var postingFile: UInt32
    var recording: UInt32
  }

  static let fileName = BytePath("manifest")
  private static let magic: [UInt8] = Array("DWSNDIX1".utf8)
  private static let markByteCount = 16

  /// Sixteen bytes that differ for each state of the library; empty if not all recordings of the library are in.
  var mark: [UInt8] = []
  /// Of the landmarks.
  var recipeVersion: UInt32 = 0
  var nextNumber: UInt32 = 1
  var postingFiles: [PostingFileEntry] = []
  var dead: Set<Dead> = []

  static func postingFileName(_ number: UInt32) -> BytePath { BytePath("\(number).segment") }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(raw: Self.magic)
    writer.append(raw: mark.count == Self.markByteCount ? mark : [UInt8](repeating: 0, count: Self.markByteCount))
    writer.append(recipeVersion)
    writer.append(nextNumber)
    writer.append(UInt32(postingFiles.count))
    writer.append(UInt32(dead.count))
    for postingFile in postingFiles { writer.append(postingFile.number) }
    for one in dead.sorted(by: { ($0.postingFile, $0.recording) < ($1.postingFile, $1.recording) }) {
      writer.append(one.postingFile)
      writer.append(one.recording)
    }
    writer.append(CRC32.checksum(writer.bytes))
    return writer.bytes
  }

  init() {}

  init(_ bytes: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(bytes)
    guard try reader.readBytes(8).elementsEqual(Self.magic) else {
      throw reader.failure("not the manifest of a sound index, or one of another version")
    }
    guard
      CRC32.checksum(Array(bytes.dropLast(4)))
        == bytes.suffix(4).reversed().reduce(0, { $0 << 8 | UInt32($1) })
    else { throw reader.failure("the manifest is damaged") }
    mark = Array(try reader.readBytes(Self.markByteCount))
    if mark.allSatisfy({ $0 == 0 }) { mark = [] }
    recipeVersion = try reader.read()
    nextNumber = try reader.read()
    let (postingFileCount, deadCount) = (Int(try reader.read(UInt32.self)), Int(try reader.read(UInt32.self)))
    guard reader.remainingCount == 4 * postingFileCount + 8 * deadCount + 4 else {
      throw reader.failure("the manifest has another length than it says")
    }
    for _ in 0..<postingFileCount { postingFiles.append(PostingFileEntry(number: try reader.read())) }
    for _ in 0..<deadCount { dead.insert(Dead(postingFile: try reader.read(), recording: try reader.read())) }
  }
}
