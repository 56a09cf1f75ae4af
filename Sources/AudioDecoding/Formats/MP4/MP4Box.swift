/// A box of an MP4 file (ISO 14496-12 section 4.2): a type, and a body that may hold boxes.
package struct MP4Box {
  package static let maximumBoxCount = 100_000

  package let type: [UInt8]
  /// Of the header.
  package let offset: Int64
  package let body: Range<Int64>
  /// Whether it claims more than what it is in has.
  package var isCut = false

  package func isType(_ name: StaticString) -> Bool { type.elementsEqual(name.utf8Buffer) }

  /// The boxes in a range, each cut at the end of the range; ends at the first header that makes no sense.
  package static func boxes(
    _ bytes: BufferedBytes, in range: Range<Int64>, maximumCount: Int = maximumBoxCount
  ) throws(DecodingError) -> [MP4Box] {
    var result: [MP4Box] = []
    try forEach(bytes, in: range) { box in
      result.append(box)
      return result.count < maximumCount
    }
    return result
  }

  /// The same one by one.
  ///
  /// - Parameter body: returns whether to go on.
  package static func forEach(
    _ bytes: BufferedBytes, in range: Range<Int64>, _ body: (MP4Box) throws(DecodingError) -> Bool
  ) throws(DecodingError) {
    var offset = range.lowerBound
    while offset <= range.upperBound - 8 {
      let head = try bytes.copy(at: offset, count: 16)
      guard let short = head.bigEndian(UInt32.self, at: 0), head.count >= 8 else { break }
      var start = offset + 8
      var end = offset + Int64(short)
      if short == 1 {
        guard let long = head.bigEndian(UInt64.self, at: 8) else { break }
        start = offset + 16
        end = offset.addingReportingOverflow(Int64(clamping: long)).partialValue
      } else if short == 0 {
        end = range.upperBound
      }
      guard end >= start else { break }
      let content = start..<min(end, max(start, range.upperBound))
      guard try body(MP4Box(type: Array(head[4..<8]), offset: offset, body: content, isCut: end > range.upperBound))
      else { return }
      offset = end
    }
  }

  /// The boxes of a file one by one; of one with fragments also those behind damage.
  ///
  /// A box that claims more than the file has, or whose type is none, ends where the next fragment begins.
  static func forEachInFile(
    _ bytes: BufferedBytes, from start: Int64 = 0, _ body: (MP4Box) throws(DecodingError) -> Bool
  ) throws(DecodingError) {
    var offset = start
    var (isFragmented, hasMoreFragments) = (false, true)
    while offset < bytes.byteCount {
      var isEnded = false
      var resumption: Int64?
      try forEach(bytes, in: offset..<bytes.byteCount) { (box) throws(DecodingError) in
        var box = box
        if isFragmented, hasMoreFragments, box.isCut || !box.hasPrintableType {
          resumption = try nextFragment(bytes, from: box.offset + 8)
          hasMoreFragments = resumption != nil
          if let resumption { box = box.cut(at: resumption) }
        }
        if box.isType("moof") { isFragmented = true }
        if box.isType("moov"), try Self.body(bytes, of: "mvex", in: box.body) != nil { isFragmented = true }
        offset = box.body.upperBound
        isEnded = try !body(box)
        return !isEnded && resumption == nil
      }
      if isEnded { return }
      if resumption == nil {
        guard isFragmented, hasMoreFragments, let found = try nextFragment(bytes, from: offset) else { return }
        resumption = found
      }
      offset = resumption ?? bytes.byteCount
    }
  }

  /// Where a fragment begins that is all there: its first box is its header (ISO 14496-12 section 8.8.5).
  private static func nextFragment(_ bytes: BufferedBytes, from start: Int64) throws(DecodingError) -> Int64? {
    var offset = start
    while offset + 16 <= bytes.byteCount {
      offset += try bytes.byteCountToSync(from: offset, before: bytes.byteCount, limit: .max) { $0 == 0x6D }
      if try bytes.matches("moof", at: offset), try bytes.matches("mfhd", at: offset + 8),
        let size = try bytes.bigEndian(UInt32.self, at: offset - 4), size >= 24,
        offset - 4 + Int64(size) <= bytes.byteCount
      {
        return offset - 4
      }
      offset += 1
    }
    return nil
  }

  private var hasPrintableType: Bool { type.allSatisfy { $0 >= 0x20 } }

  private func cut(at end: Int64) -> MP4Box {
    let start = min(body.lowerBound, end)
    return MP4Box(type: type, offset: offset, body: start..<end, isCut: true)
  }

  /// The body of the first box that a path of types leads to; nil if there is none.
  package static func body(
    _ bytes: BufferedBytes, of path: StaticString..., in range: Range<Int64>
  ) throws(DecodingError) -> Range<Int64>? {
    var range = range
    for name in path {
      guard let found = try boxes(bytes, in: range).first(where: { $0.isType(name) }) else { return nil }
      range = found.body
    }
    return range
  }
}
