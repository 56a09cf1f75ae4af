/// A row as SQLite's file holds it: a header of types, then the values.
enum StoredRecord {
  /// The values of a payload; nil where header and length do not agree.
  ///
  /// - Parameter columnLimit: No record of interest has more columns.
  static func values(_ payload: [UInt8], columnLimit: Int) -> [StoredValue]? {
    guard let (headerLength, first) = payload.varint(at: 0), headerLength >= 1, headerLength <= Int64(payload.count)
    else { return nil }
    var header = first
    var offset = Int(headerLength)
    var values: [StoredValue] = []
    while header < Int(headerLength) {
      guard values.count < columnLimit, let (type, next) = payload.varint(at: header), next <= Int(headerLength),
        let (value, end) = value(ofType: type, payload, at: offset)
      else { return nil }
      values.append(value)
      (header, offset) = (next, end)
    }
    // Everything is accounted for, to the last byte: a changed length is found here.
    return offset == payload.count ? values : nil
  }

  private static func value(ofType type: Int64, _ payload: [UInt8], at offset: Int) -> (StoredValue, Int)? {
    switch type {
    case 0: return (.null, offset)
    case 1...6:
      let byteCount = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      return payload.signed(at: offset, byteCount: byteCount).map { (.integer($0), offset + byteCount) }
    case 7:
      return payload.signed(at: offset, byteCount: 8)
        .map { (.real(Double(bitPattern: UInt64(bitPattern: $0))), offset + 8) }
    case 8, 9: return (.integer(type - 8), offset)
    case 12...:
      let byteCount = (type - 12) / 2
      guard byteCount <= Int64(payload.count - offset) else { return nil }
      let end = offset + Int(byteCount)
      if type % 2 == 0 { return (.blob(Array(payload[offset..<end])), end) }
      let bytes = payload[offset..<end]
      let text = String(validating: bytes, as: UTF8.self)
      return (text.map(StoredValue.text) ?? .brokenText(String(decoding: bytes, as: UTF8.self)), end)
    default: return nil
    }
  }
}
