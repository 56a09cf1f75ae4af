import AudioDecoding

/// A range of a file, and the bytes that replace it. An empty range is a place between two bytes.
struct Splice: Hashable {
  var range: Range<Int64>
  var bytes: [UInt8]

  init(_ range: Range<Int64>, _ bytes: [UInt8]) { (self.range, self.bytes) = (range, bytes) }

  init(insert bytes: [UInt8], at place: Int64) { self.init(place..<place, bytes) }

  /// How much longer the file becomes.
  var growth: Int64 { Int64(bytes.count) - (range.upperBound - range.lowerBound) }
}

extension [Splice] {
  /// How much longer all of them make the file.
  var growth: Int64 { reduce(0) { $0 + $1.growth } }

  /// Where a byte of the old file is in the new one.
  func place(of offset: Int64) -> Int64 {
    reduce(offset) { $1.range.upperBound <= offset ? $0 + $1.growth : $0 }
  }

  /// Bytes that begin at `origin` with all of them in place.
  func applied(to bytes: [UInt8], at origin: Int64 = 0) -> [UInt8] {
    var result: [UInt8] = []
    var offset = origin
    for splice in inOrder {
      result += bytes[Int(offset - origin)..<Int(splice.range.lowerBound - origin)]
      result += splice.bytes
      offset = splice.range.upperBound
    }
    return result + bytes[Int(offset - origin)...]
  }

  /// By place; of those at one place, insertions in the order in which they were made, before what replaces bytes there.
  var inOrder: [Splice] {
    enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }.map(\.element)
  }
}

/// Bytes of numbers.
extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
