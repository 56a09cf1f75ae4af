/// A block of Matroska: packets of one track, at one time (RFC 9559 section 10).
enum MatroskaBlock {
  private static let maximumHeadByteCount = 16

  /// Its time in ticks, counted from that of its cluster, and where its packets are.
  typealias Contents = (time: Int, frames: [Range<Int64>])

  /// What it holds; nil if it is of another track, or has no head.
  ///
  /// Packets whose sizes make no sense have no bytes: their decoder gives silence, and nothing behind them moves.
  static func contents(
    _ bytes: BufferedBytes, body: Range<Int64>, track: UInt64
  ) throws(DecodingError) -> Contents? {
    let byteCount = body.upperBound - body.lowerBound
    let head = try bytes.copy(at: body.lowerBound, count: Int(min(byteCount, Int64(maximumHeadByteCount))))
    guard let number = EBMLNumber(head[...]), number.value == track, head.count >= number.byteCount + 3 else {
      return nil
    }
    // Behind the track a time of two bytes, then flags.
    let time = Int(head.bigEndian(Int16.self, at: number.byteCount) ?? 0)
    let start = body.lowerBound + Int64(number.byteCount) + 3
    let lacing = head[number.byteCount + 2] >> 1 & 3
    guard lacing != 0 else { return (time, [start..<body.upperBound]) }
    guard head.count > number.byteCount + 3 else { return nil }
    let count = Int(head[number.byteCount + 3]) + 1
    // At most 255 sizes; a packet of a megabyte in a lace has one of four kilobytes.
    let sizes = try bytes.copy(
      at: start + 1, count: Int(min(body.upperBound - start - 1, Int64(BufferedBytes.bufferSize))))
    let laced: (sizes: [Int64], byteCount: Int)? =
      switch lacing {
      case 1: xiph(sizes, count: count)
      case 3: ebml(sizes, count: count)
      default: ([], 0)
      }
    guard let laced else { return (time, Array(repeating: start..<start, count: count)) }
    let first = start + 1 + Int64(laced.byteCount)
    return (time, split(first..<max(first, body.upperBound), sizes: laced.sizes, count: count))
  }

  /// - Parameter sizes: of all packets but the last; empty if all have one size.
  private static func split(_ range: Range<Int64>, sizes: [Int64], count: Int) -> [Range<Int64>] {
    let byteCount = range.upperBound - range.lowerBound
    let sizes = sizes.isEmpty ? Array(repeating: byteCount / Int64(count), count: count - 1) : sizes
    var result: [Range<Int64>] = []
    var offset = range.lowerBound
    for size in sizes {
      let end = size >= 0 && size <= range.upperBound - offset ? offset + size : offset
      result.append(offset..<end)
      offset = end
    }
    return result + [offset..<range.upperBound]
  }

  /// Bytes of 255 and a last one, for each packet but the last (section 10.3.2).
  private static func xiph(_ head: [UInt8], count: Int) -> ([Int64], Int)? {
    var sizes: [Int64] = []
    var place = 0
    while sizes.count < count - 1 {
      var size: Int64 = 0
      var byte: UInt8 = 255
      while byte == 255 {
        guard place < head.count else { return nil }
        byte = head[place]
        size += Int64(byte)
        place += 1
      }
      sizes.append(size)
    }
    return (sizes, place)
  }

  /// The first size, then differences (section 10.3.3).
  private static func ebml(_ head: [UInt8], count: Int) -> ([Int64], Int)? {
    var sizes: [Int64] = []
    var place = 0
    while sizes.count < count - 1 {
      guard let number = EBMLNumber(head[min(place, head.count)...]) else { return nil }
      place += number.byteCount
      guard let last = sizes.last else {
        sizes.append(Int64(number.value))
        continue
      }
      sizes.append(last &+ number.signed)
    }
    return (sizes, place)
  }
}
