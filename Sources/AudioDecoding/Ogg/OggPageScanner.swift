import MediaModel

/// Walks the pages of an Ogg file; what is no page, or has a wrong checksum, is skipped and counted.
struct OggPageScanner {
  /// How much junk is searched for a page before the stream is given up.
  static let resyncLimit: Int64 = 2 << 20

  private let bytes: BufferedBytes
  private let end: Int64
  private(set) var position: Int64
  /// Bytes skipped just before the last page, or before the end.
  private(set) var skippedByteCount: Int64 = 0

  init(_ bytes: BufferedBytes, range: Range<Int64>) {
    self.bytes = bytes
    position = range.lowerBound
    end = min(range.upperBound, bytes.byteCount)
  }

  mutating func next() throws(DecodingError) -> OggPage? {
    skippedByteCount = 0
    while position < end, skippedByteCount <= Self.resyncLimit {
      let head = try bytes.view(at: position, count: 27 + 255)
      if let page = OggPage(head, offset: position), position + Int64(page.byteCount) <= end {
        let whole = try bytes.view(at: position, count: page.byteCount)
        if whole.count == page.byteCount, whole.littleEndian(UInt32.self, at: 22) == OggChecksum.ofPage(whole) {
          position += Int64(page.byteCount)
          return page
        }
      }
      try skipToNextCapture()
    }
    return nil
  }

  /// Goes to the next "O" behind the present position.
  private mutating func skipToNextCapture() throws(DecodingError) {
    position += 1
    skippedByteCount += 1
    while position < end, skippedByteCount <= Self.resyncLimit {
      let rest = try bytes.viewOfRest(at: position)
      guard !rest.isEmpty else {
        position = end
        return
      }
      let found = rest.firstIndex(of: 0x4F)
      position += Int64(found ?? rest.count)
      skippedByteCount += Int64(found ?? rest.count)
      if found != nil { return }
    }
  }
}
