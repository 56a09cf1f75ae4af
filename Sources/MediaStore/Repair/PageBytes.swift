/// Numbers in bytes of SQLite's file, read without trust: nil beyond the end.
extension [UInt8] {
  func number16(at offset: Int) -> Int? {
    guard offset >= 0, offset + 2 <= count else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  func number32(at offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= count else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// SQLite's variable-length integer of one to nine bytes, and what follows it.
  func varint(at offset: Int) -> (value: Int64, next: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset >= 0, offset + index < count else { return nil }
      let byte = self[offset + index]
      if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return (Int64(bitPattern: value), offset + index + 1) }
    }
    return nil
  }

  /// A big-endian two's complement number of one to eight bytes.
  func signed(at offset: Int, byteCount: Int) -> Int64? {
    guard offset >= 0, byteCount > 0, offset + byteCount <= count else { return nil }
    let first = Int64(Int8(bitPattern: self[offset]))
    return self[offset + 1..<offset + byteCount].reduce(first) { $0 << 8 | Int64($1) }
  }
}
