internal import Base
internal import MediaModel
internal import TagEditing

/// How a plan is stored that takes back what was written (docs/formats.md): with pictures that the library has by their hash.
struct StoredUndo {
  private static let version: UInt8 = 1
  /// Shorter pictures are stored with the plan.
  private static let leastPictureByteCount = 1024

  let bytes: [UInt8]
  /// The pictures that are not in ``bytes``.
  let pictures: Set<ContentHash>

  /// - Parameter known: pictures that the library has, whose bytes the file had.
  init(_ plan: SplicePlan, known: [Artwork]) {
    var writer = ByteWriter()
    var used: Set<ContentHash> = []
    var (count, body): (UInt32, ByteWriter) = (0, ByteWriter())
    func add(_ bytes: ArraySlice<UInt8>) {
      guard !bytes.isEmpty else { return }
      count += 1
      body.append(UInt8(1))
      body.append(lengthPrefixed: bytes)
    }
    for segment in plan.segments {
      switch segment {
      case .copy(let range):
        count += 1
        body.append(UInt8(0))
        body.append(range.lowerBound)
        body.append(range.upperBound)
      case .bytes(let bytes):
        var rest = bytes[...]
        for picture in known where picture.bytes.count >= Self.leastPictureByteCount {
          guard let range = Self.range(of: picture.bytes, in: rest) else { continue }
          add(rest[..<range.lowerBound])
          count += 1
          body.append(UInt8(2))
          body.append(raw: picture.hash.bytes)
          used.insert(picture.hash)
          rest = rest[range.upperBound...]
        }
        add(rest)
      }
    }
    writer.append(Self.version)
    writer.append(plan.oldByteCount)
    writer.append(count)
    writer.append(raw: body.bytes)
    (bytes, pictures) = (writer.bytes, used)
  }

  private static func range(of picture: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = picture.first, bytes.count >= picture.count else { return nil }
    var start = bytes.startIndex
    let last = bytes.endIndex - picture.count
    while start <= last, let found = bytes[start...last].firstIndex(of: first) {
      if bytes[found..<found + picture.count].elementsEqual(picture) { return found..<found + picture.count }
      start = found + 1
    }
    return nil
  }

  /// The plan of stored bytes.
  ///
  /// - Parameter picture: the bytes of a picture.
  /// - Throws: if they are damaged, or a picture is gone.
  static func plan(
    _ bytes: [UInt8], picture: (ContentHash) throws -> [UInt8]?
  ) throws -> SplicePlan {
    var reader = ByteReader(bytes)
    guard try reader.read(UInt8.self) == version else { throw reader.failure("another version") }
    let byteCount = try reader.read(Int64.self)
    guard byteCount >= 0 else { throw reader.failure("no file has \(byteCount) bytes") }
    var segments: [SplicePlan.Segment] = []
    for _ in 0..<(try reader.read(UInt32.self)) {
      switch try reader.read(UInt8.self) {
      case 0:
        let (start, end) = (try reader.read(Int64.self), try reader.read(Int64.self))
        guard start >= 0, start < end, end <= byteCount else { throw reader.failure("no range of the file") }
        segments.append(.copy(start..<end))
      case 1: segments.append(.bytes(Array(try reader.readLengthPrefixed())))
      case 2:
        guard let hash = ContentHash(bytes: try reader.readBytes(16)), let bytes = try picture(hash) else {
          throw reader.failure("a picture that is gone")
        }
        segments.append(.bytes(bytes))
      case let kind: throw reader.failure("no part has kind \(kind)")
      }
    }
    guard reader.remainingCount == 0 else { throw reader.failure("too many bytes") }
    return SplicePlan(oldByteCount: byteCount, segments: segments)
  }
}
