internal import Base
internal import MediaModel

/// The matrix of a library, kept in a file beside it, so that it need not be made from the products each time.
///
/// The file is derived: it may be deleted at any time, and one that is damaged, of another version or of another state of
/// the library counts as missing.
package enum SimilarityFile {
  private static let magic: [UInt8] = Array("DWSIMIL1".utf8)
  private static let headerByteCount = 8 + 4 + 8 + 32 + 4

  /// Layout: the magic bytes, `u32` version of the projection, `u64` recordings, 32 bytes that name the state of the
  /// library; `u32` CRC-32 of what follows: the coordinates of each recording, then its hash.
  ///
  /// - Parameter state: 32 bytes.
  package static func bytes(of matrix: SimilarityMatrix, version: Int, state: [UInt8]) -> [UInt8] {
    var body = matrix.coordinates.map { UInt8(bitPattern: $0) }
    body.reserveCapacity(matrix.count * (SoundVector.dimensionCount + 16))
    for hash in matrix.hashes { body.append(contentsOf: hash.bytes) }
    var writer = ByteWriter(capacity: headerByteCount + body.count)
    writer.append(raw: magic)
    writer.append(UInt32(version))
    writer.append(UInt64(matrix.count))
    writer.append(raw: state)
    writer.append(CRC32.checksum(body))
    writer.append(raw: body)
    return writer.bytes
  }

  /// nil unless the bytes are whole, of that version and of that state.
  package static func matrix(in bytes: [UInt8], version: Int, state: [UInt8]) -> SimilarityMatrix? {
    var reader = ByteReader(bytes)
    guard let start = try? reader.readBytes(magic.count), start.elementsEqual(magic),
      (try? reader.read(UInt32.self)) == UInt32(version), let claimed = try? reader.read(UInt64.self),
      let known = try? reader.readBytes(state.count), known.elementsEqual(state),
      let checksum = try? reader.read(UInt32.self), let count = Int(exactly: claimed)
    else { return nil }
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
    return SimilarityMatrix(hashes: hashes, coordinates: coordinates)
  }
}
