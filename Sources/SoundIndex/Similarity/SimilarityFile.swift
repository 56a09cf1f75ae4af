internal import Base
internal import MediaModel

/// The matrix of a library, kept in a file beside it, so that it need not be made from the products each time.
///
/// The file is derived: it may be deleted at any time, and one that is damaged, of another version or of another state of
/// the library counts as missing.
package enum SimilarityFile {
  private static let magic: [UInt8] = Array("DWSIMIL2".utf8)
  private static let markOffset = 8 + 4 + 8
  private static let headerByteCount = markOffset + 16 + 32 + 4

  /// Layout: the magic bytes, `u32` version of the projection, `u64` recordings, the library's mark, and 32 bytes that
  /// name the state of its products; `u32` CRC-32 of what follows: the coordinates of each recording, then its hash.
  ///
  /// - Parameters:
  ///   - mark: 16 bytes that every change of the library changes.
  ///   - state: 32 bytes that a change of the products changes.
  package static func bytes(of matrix: SimilarityMatrix, version: Int, mark: [UInt8], state: [UInt8]) -> [UInt8] {
    var body = matrix.coordinates.map { UInt8(bitPattern: $0) }
    body.reserveCapacity(matrix.count * (SoundVector.dimensionCount + 16))
    for hash in matrix.hashes { body.append(contentsOf: hash.bytes) }
    var writer = ByteWriter(capacity: headerByteCount + body.count)
    writer.append(raw: magic)
    writer.append(UInt32(version))
    writer.append(UInt64(matrix.count))
    writer.append(raw: mark)
    writer.append(raw: state)
    writer.append(CRC32.checksum(body))
    writer.append(raw: body)
    return writer.bytes
  }

  /// The bytes of a file whose library got another mark, but no other statistics.
  package static func bytes(_ bytes: [UInt8], markedWith mark: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(markOffset..<markOffset + mark.count, with: mark)
    return bytes
  }

  /// nil unless the bytes are whole, of that version, and of the library with that mark or else in that state.
  ///
  /// - Parameter state: Only asked for if the mark is another one, because it takes long to find out.
  /// - Returns: The matrix, and whether the file has the mark.
  package static func matrix(
    in bytes: [UInt8], version: Int, mark: [UInt8], state: () throws -> [UInt8]
  ) rethrows -> (matrix: SimilarityMatrix, isMarked: Bool)? {
    var reader = ByteReader(bytes)
    guard let start = try? reader.readBytes(magic.count), start.elementsEqual(magic),
      (try? reader.read(UInt32.self)) == UInt32(version), let claimed = try? reader.read(UInt64.self),
      let knownMark = try? reader.readBytes(16), let knownState = try? reader.readBytes(32),
      let checksum = try? reader.read(UInt32.self), let count = Int(exactly: claimed)
    else { return nil }
    let isMarked = knownMark.elementsEqual(mark)
    guard try isMarked || knownState.elementsEqual(state()) else { return nil }
    let size = SoundVector.dimensionCount
    let needed = count.multipliedReportingOverflow(by: size + 16)
    guard !needed.overflow, needed.partialValue == reader.remainingCount else { return nil }
    let body = Array(bytes[headerByteCount...])
    guard CRC32.checksum(body) == checksum else { return nil }
    let coordinates = body[..<(count * size)].map { Int8(bitPattern: $0) }
    var hashes: [ContentHash] = []
    hashes.reserveCapacity(count)
    for start in stride(from: count * size, to: body.count, by: 16) {
      guard let hash = ContentHash(bytes: body[start..<start + 16]) else { return nil }
      hashes.append(hash)
    }
    return (SimilarityMatrix(hashes: hashes, coordinates: coordinates), isMarked)
  }
}
