/// AAC with ADTS headers (ISO 14496-3 section 1.A.2), taken apart.
package enum ADTSBytes {
  /// What follows the header of each frame.
  package static func packets(of bytes: [UInt8]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var place = 0
    while place + 7 <= bytes.count {
      let length = Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5] >> 5)
      result.append(Array(bytes[place + 7..<place + length]))
      place += length
    }
    return result
  }
}
