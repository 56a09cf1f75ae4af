/// A tag as it lies in a file: its items in their order, also those that nobody knows, and where each is.
///
/// What the library stores is made of them (``TagContents``); what edits a tag copies the bytes of all items but those that
/// it changes.
package struct RawTag {
  package enum Kind: Hashable {
    case id3v1, id3v2, ape, vorbisComments, mp4, riffInfo, aiffTexts, asf, matroska
  }

  /// A frame, an item, a comment, an atom, a chunk.
  package struct Item: Hashable {
    /// As it is written, with its case and its blanks: `TIT2`, `Album Artist`, `©nam`.
    package var name: [UInt8]
    /// Of its head, as a number; 0 if its kind of tag has none.
    package var flags: UInt32 = 0
    /// With its head, without padding behind it.
    package var range: Range<Int64>
    /// Without its head.
    package var body: Range<Int64>
    /// Whether it claims more than there is: its body ends where the tag or the next item does.
    package var isCut = false
  }

  /// No tag has more items that was not made to do harm.
  package static let maximumItemCount = 100_000
  /// Bytes that are searched for the next item in a tag if one of them has an impossible length.
  package static let maximumSearchByteCount = 1 << 20

  package let kind: Kind
  /// The second number of its name: 2, 3 or 4 of ID3v2, 1 or 2 of APE; 0 if there is none.
  package var version: UInt8 = 0
  /// Of its head.
  package var flags: UInt32 = 0
  /// All of it in the file, with header and footer; if it lies in pieces or was transformed, in ``bytes``.
  package var range: Range<Int64>
  /// What the positions of items count in: the file, or the bytes of the tag after it was joined or resynchronised.
  package let bytes: BufferedBytes
  /// Whether ``bytes`` are not the file.
  package var isRestored = false
  package var items: [Item] = []
  /// Whether something in it is not as its standard has it, or cannot be read.
  package var isOdd = false

  package init(_ kind: Kind, _ bytes: BufferedBytes, _ range: Range<Int64>) {
    (self.kind, self.bytes, self.range) = (kind, bytes, range)
  }

  /// Adds an item unless there are too many.
  ///
  /// - Returns: whether more may come.
  package mutating func add(_ item: Item) -> Bool {
    guard items.count < Self.maximumItemCount else {
      isOdd = true
      return false
    }
    items.append(item)
    return true
  }

  /// The body of an item, at most `limit` bytes of it.
  package func body(_ item: Item, limit: Int) throws(DecodingError) -> [UInt8] {
    let count = Int(min(Int64(limit), item.body.upperBound - item.body.lowerBound))
    guard count > 0 else { return [] }
    return count <= BufferedBytes.bufferSize
      ? try bytes.copy(at: item.body.lowerBound, count: count)
      : try bytes.file.bytes(at: item.body.lowerBound, count: count)
  }
}

/// Bytes in memory, read as if they were a file.
package final class BytesInMemory: JoinedBytes {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A file of its own.
  package var file: BufferedBytes { BufferedBytes(FileBytes(self, byteCount: Int64(bytes.count))) }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    let start = Int(clamping: place)
    guard start < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - start)
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    return count
  }
}
