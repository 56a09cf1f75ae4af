/// The chunks of WAV, AIFF and lists in them, one by one, as far as their tags need them.
///
/// A chunk of odd length without its byte of padding, or with zeros behind it, does not hide those behind it, and of the
/// ``known`` ones neither does a chunk that claims more than there is.
package struct ChunkWalk {
  package struct Chunk {
    package let name: [UInt8]
    package let range: Range<Int64>
    package let body: Range<Int64>

    package func has(_ ascii: StaticString) -> Bool { name.elementsEqual(ascii.utf8Buffer) }

    package var item: RawTag.Item { RawTag.Item(name: name, range: range, body: body) }
  }

  private let bytes: BufferedBytes
  private let isBigEndian: Bool
  private let end: Int64
  private var offset: Int64
  private var count = 0
  /// Names of chunks to search for where a chunk claims more than there is, and where no chunk is.
  var known: Set<[UInt8]> = [] {
    didSet { firstLetters = Set(known.compactMap(\.first)) }
  }
  private var firstLetters: Set<UInt8> = []
  private var searchedByteCount = 0
  /// Of the chunk `data` if its own field cannot hold its length.
  package var longDataByteCount: Int64?
  /// Whether a chunk is not where it should be, or claims more than there is.
  package private(set) var isOdd = false

  package init(_ bytes: BufferedBytes, in range: Range<Int64>, isBigEndian: Bool) {
    (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
    (offset, end) = (range.lowerBound, min(range.upperBound, bytes.byteCount))
  }

  package mutating func next() throws(DecodingError) -> Chunk? {
    guard count < ChunkForm.maximumCount, offset + 8 <= end else { return nil }
    count += 1
    var head = try bytes.copy(at: offset, count: 8)
    if !Self.isName(head) {
      var place: Int64?
      for shift in [Int64(1), -1] where place == nil {
        let shifted = try bytes.copy(at: offset + shift, count: 8)
        if shifted.count == 8, Self.isName(shifted), Self.isAlphanumeric(shifted) { place = offset + shift }
      }
      if place == nil { place = try head.first == 0 ? endOfZeros() : search(from: offset) }
      guard let place, place + 8 <= end else { return nil }
      isOdd = true
      offset = place
      head = try bytes.copy(at: offset, count: 8)
    }
    guard head.count == 8,
      let size = isBigEndian ? head.bigEndian(UInt32.self, at: 4) : head.littleEndian(UInt32.self, at: 4)
    else { return nil }
    var length = Int64(size)
    if head.has("data", at: 0), size == .max, let longDataByteCount { length = longDataByteCount }
    var found: Int64?
    // Sound may be longer than its field can say, or have been cut off; it is not searched.
    if offset + 8 + length > end, !head.has("SSND", at: 0), !head.has("data", at: 0) {
      isOdd = true
      found = try search(from: offset + 8)
      if let found { length = found - offset - 8 }
    }
    let body = offset + 8..<max(offset + 8, min(end, offset + 8 + length))
    let chunk = Chunk(name: Array(head[..<4]), range: offset..<body.upperBound, body: body)
    offset = found ?? offset + 8 + length + length & 1
    return chunk
  }

  /// Where a chunk begins behind zeros.
  private mutating func endOfZeros() throws(DecodingError) -> Int64? {
    var place = offset
    while place + 8 <= end, searchedByteCount < RawTag.maximumSearchByteCount {
      let window = try bytes.copy(at: place, count: Int(min(end - place, 1 << 14)))
      guard !window.isEmpty else { return nil }
      if let index = window.firstIndex(where: { $0 != 0 }) {
        place += Int64(index)
        let head = try bytes.copy(at: place, count: 8)
        guard Self.isName(head) else { return nil }
        return Self.isAlphanumeric(head) || known.contains(Array(head[..<4])) ? place : nil
      }
      searchedByteCount += window.count
      place += Int64(window.count)
    }
    return nil
  }

  private mutating func search(from start: Int64) throws(DecodingError) -> Int64? {
    var place = start
    while !known.isEmpty, place + 8 <= end, searchedByteCount < RawTag.maximumSearchByteCount {
      let window = try bytes.copy(at: place, count: Int(min(end - place, 1 << 14)))
      guard window.count >= 8 else { return nil }
      for index in 0...window.count - 8 where firstLetters.contains(window[index]) {
        let size =
          isBigEndian ? window.bigEndian(UInt32.self, at: index + 4) : window.littleEndian(UInt32.self, at: index + 4)
        if let size, place + Int64(index) + 8 + Int64(size) <= end, known.contains(Array(window[index..<index + 4])) {
          return place + Int64(index)
        }
      }
      searchedByteCount += window.count - 7
      place += Int64(window.count - 7)
    }
    return nil
  }

  private static func isName(_ head: [UInt8]) -> Bool {
    head.count == 8 && head[..<4].allSatisfy { (0x20...0x7E).contains($0) || $0 == 0xA9 }
  }

  private static func isAlphanumeric(_ head: [UInt8]) -> Bool {
    head[..<4].allSatisfy { (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0) || $0 == 0x20 }
  }
}
