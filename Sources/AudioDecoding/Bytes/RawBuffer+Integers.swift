/// Numbers at byte offsets; what lies outside the buffer reads as nil.
extension UnsafeRawBufferPointer {
  func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type = Value.self, at offset: Int) -> Value? {
    guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
    return Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type = Value.self, at offset: Int) -> Value? {
    guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
    return Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  func has(_ ascii: StaticString, at offset: Int) -> Bool {
    let length = ascii.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    return self[offset..<offset + length].elementsEqual(ascii.utf8Buffer)
  }
}
