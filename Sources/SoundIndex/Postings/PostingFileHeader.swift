internal import Base
package import MediaModel

/// The first bytes of a posting file: where its parts are. docs/formats.md has the layout.
struct PostingFileHeader {
  static let magic: [UInt8] = Array("DWSOUND1".utf8)
  static let byteCount = 80

  var recordingCount: UInt32 = 0
  /// The number of buckets is 2 to this power.
  var directoryBits: UInt32 = 0
  /// The sum of the lengths of all recordings.
  var columnCount: UInt64 = 0
  var postingCount: UInt64 = 0
  var directoryOffset: UInt64 = 0
  var peaksOffset: UInt64 = 0
  var recordingsOffset: UInt64 = 0
  var fileByteCount: UInt64 = 0
  /// Of the table of recordings.
  var recordingsChecksum: UInt32 = 0

  init() {}

  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: Self.byteCount)
    writer.append(raw: Self.magic)
    writer.append(recordingCount)
    writer.append(directoryBits)
    for value in [columnCount, postingCount, directoryOffset, peaksOffset, recordingsOffset, fileByteCount] {
      writer.append(value)
    }
    writer.append(recordingsChecksum)
    writer.append(UInt32(LandmarkPair.bitCount))
    writer.append(UInt32(0))
    writer.append(CRC32.checksum(writer.bytes))
    return writer.bytes
  }

  /// - Throws: If the bytes are not those of a header of this version.
  init(_ bytes: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(bytes)
    guard bytes.count == Self.byteCount, try reader.readBytes(8).elementsEqual(Self.magic) else {
      throw reader.failure("not a postingFile of a sound index, or one of another version")
    }
    recordingCount = try reader.read()
    directoryBits = try reader.read()
    columnCount = try reader.read()
    postingCount = try reader.read()
    directoryOffset = try reader.read()
    peaksOffset = try reader.read()
    recordingsOffset = try reader.read()
    fileByteCount = try reader.read()
    recordingsChecksum = try reader.read()
    let pairBits = try reader.read(UInt32.self)
    _ = try reader.read(UInt32.self)
    guard try reader.read(UInt32.self) == CRC32.checksum(Array(bytes.dropLast(4))) else {
      throw reader.failure("the header is damaged")
    }
    guard pairBits == UInt32(LandmarkPair.bitCount), directoryBits <= pairBits, columnCount <= UInt64(UInt32.max),
      UInt64(Self.byteCount) <= directoryOffset, directoryOffset <= peaksOffset, peaksOffset <= recordingsOffset,
      recordingsOffset <= fileByteCount, fileByteCount <= 1 << 40
    else { throw reader.failure("the header is not one of this version") }
  }
}

/// A recording in the index: the part of a library's recording that its landmarks need.
package struct IndexedRecording: Hashable, Sendable {
  static let byteCount = 40

  /// The name of the recording in the library.
  package var hash: ContentHash
  /// CRC-32 of its landmarks, which tells whether they are those of the library.
  package var checksum: UInt32
  package var columnCount: UInt32
  /// The place of its first column among those of all recordings of the posting file.
  var base: UInt32
  /// Where its landmarks begin, counted from those of the first recording, and their length.
  var peaksOffset: UInt64
  var peaksByteCount: UInt32

  func append(to writer: inout ByteWriter) {
    writer.append(hash.high)
    writer.append(hash.low)
    writer.append(checksum)
    writer.append(columnCount)
    writer.append(base)
    writer.append(peaksByteCount)
    writer.append(peaksOffset)
  }

  init(
    hash: ContentHash, checksum: UInt32, columnCount: UInt32, base: UInt32, peaksOffset: UInt64, peaksByteCount: UInt32
  ) {
    self.hash = hash
    self.checksum = checksum
    self.columnCount = columnCount
    self.base = base
    self.peaksOffset = peaksOffset
    self.peaksByteCount = peaksByteCount
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    func read<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type = Number.self) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    hash = ContentHash(high: read(0), low: read(8))
    checksum = read(16)
    columnCount = read(20)
    base = read(24)
    peaksByteCount = read(28)
    peaksOffset = read(32)
  }
}
