internal import CZlib
internal import MediaModel

/// How hard the bytes of a PNG are compressed: zlib's levels.
package struct PNGCompression: Hashable, Sendable {
  package static let levels = -1...9

  /// 0 (none) to 9 (most), or -1 for zlib's own choice.
  package let level: Int

  /// nil for a level that zlib does not have.
  package init?(level: Int) {
    guard Self.levels.contains(level) else { return nil }
    self.level = level
  }

  /// The picture with its data compressed anew; the bytes as they are where they are no PNG.
  ///
  /// Filters of rows and everything beside the data stay as they are.
  func applied(to png: [UInt8]) -> [UInt8] {
    guard level != -1, let chunks = Self.chunks(of: png) else { return png }
    let packed = chunks.filter { $0.isData }.flatMap(\.content)
    guard let header = chunks.first, let rawCount = Self.rawByteCount(header.content),
      let raw = Self.inflated(packed, byteCount: rawCount), let data = deflated(raw)
    else { return png }
    var writer = ByteWriter(capacity: data.count + 256)
    writer.append(raw: png.prefix(Self.signatureLength))
    var isWritten = false
    for chunk in chunks {
      guard chunk.isData else {
        Self.append(chunk.kind, chunk.content, to: &writer)
        continue
      }
      if !isWritten { Self.append(chunk.kind, data[...], to: &writer) }
      isWritten = true
    }
    return writer.bytes
  }

  // MARK: - Chunks

  private struct Chunk {
    var kind: ArraySlice<UInt8>
    var content: ArraySlice<UInt8>
    var isData: Bool { kind.elementsEqual("IDAT".utf8) }
  }

  private static let signatureLength = 8

  private static func chunks(of png: [UInt8]) -> [Chunk]? {
    var chunks: [Chunk] = []
    var start = signatureLength
    while start < png.count {
      guard png.count - start >= 12 else { return nil }
      let count = number(png[start..<start + 4])
      guard count <= png.count - start - 12 else { return nil }
      chunks.append(
        Chunk(kind: png[start + 4..<start + 8], content: png[start + 8..<start + 8 + count]))
      start += 12 + count
    }
    return chunks
  }

  /// Bytes of all rows, each with its filter, from the header of a PNG of 8 bits a channel.
  private static func rawByteCount(_ header: ArraySlice<UInt8>) -> Int? {
    guard header.count == 13 else { return nil }
    let start = header.startIndex
    let channelCounts: [UInt8: Int] = [0: 1, 2: 3, 6: 4]
    guard header[start + 8] == 8, let channelCount = channelCounts[header[start + 9]] else { return nil }
    return number(header[start + 4..<start + 8]) * (1 + channelCount * number(header[start..<start + 4]))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func append(_ kind: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>, to writer: inout ByteWriter) {
    let checked = Array(kind) + Array(content)
    writer.append(UInt32(content.count).byteSwapped)
    writer.append(raw: checked)
    writer.append(CRC32.checksum(checked).byteSwapped)
  }

  // MARK: - zlib

  private static func inflated(_ packed: [UInt8], byteCount: Int) -> [UInt8]? {
    var count = uLongf(byteCount)
    let raw = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initializedCount in
      let status = uncompress(buffer.baseAddress, &count, packed, uLong(packed.count))
      initializedCount = status == Z_OK ? min(Int(count), byteCount) : 0
    }
    return raw.count == byteCount ? raw : nil
  }

  private func deflated(_ raw: [UInt8]) -> [UInt8]? {
    let bound = compressBound(uLong(raw.count))
    var count = uLongf(bound)
    let packed = [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, initializedCount in
      let status = compress2(buffer.baseAddress, &count, raw, uLong(raw.count), Int32(level))
      initializedCount = status == Z_OK ? Int(count) : 0
    }
    return packed.isEmpty ? nil : packed
  }
}
