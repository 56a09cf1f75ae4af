internal import Base

/// The bytes of an open descriptor, read at any offset without moving the descriptor's own position.
package struct FileBytes {
  /// -1 if the bytes are those of joined packets.
  package let descriptor: Int32
  /// The length when the file was opened; what is appended later is not seen.
  package let byteCount: Int64
  /// What is left out at the start of the descriptor.
  package let origin: Int64
  private let packets: (any JoinedBytes)?

  /// - Parameter origin: where the file begins, for formats whose offsets count from there.
  package init(descriptor: Int32, byteCount: Int64, origin: Int64 = 0) {
    (self.descriptor, self.byteCount, self.origin, packets) = (descriptor, byteCount - origin, origin, nil)
  }

  /// The packets of a track as a file.
  package init(_ packets: any JoinedBytes, byteCount: Int64) {
    (descriptor, self.byteCount, origin, self.packets) = (-1, byteCount, 0, packets)
  }

  /// Fills `buffer` from `offset` on.
  ///
  /// - Returns: the number of bytes, less than asked for only at the end of the file.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DecodingError) -> Int {
    guard offset >= 0, offset < byteCount, let base = buffer.baseAddress else { return 0 }
    let wanted = UnsafeMutableRawBufferPointer(start: base, count: Int(min(Int64(buffer.count), byteCount - offset)))
    if let packets { return try packets.read(into: wanted, at: offset) }
    let (count, failure) = DescriptorBytes.read(from: descriptor, into: wanted, at: origin + offset)
    if let failure { throw .unreadable(errorNumber: failure.code, byteOffset: origin + offset + Int64(count)) }
    return count
  }

  /// At most `count` bytes from `offset` on, fewer at the end of the file.
  package func bytes(at offset: Int64, count: Int) throws(DecodingError) -> [UInt8] {
    let wanted = Int(max(0, min(Int64(count), byteCount - offset)))
    guard offset >= 0, wanted > 0 else { return [] }
    var result = [UInt8](repeating: 0, count: wanted)
    var failure: DecodingError?
    var done = 0
    result.withUnsafeMutableBytes { buffer in
      do throws(DecodingError) { done = try read(into: buffer, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
    result.removeLast(wanted - done)
    return result
  }
}

/// Bytes that lie in pieces in a file, and are read as if they were a file of their own.
package protocol JoinedBytes: AnyObject {
  /// Fills `buffer` from `place` on.
  ///
  /// - Returns: the number of bytes, less than asked for only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(DecodingError) -> Int
}

/// A file with a buffer, for parsers that walk forward: most small reads need no system call.
///
/// The buffer is lent to closures only, because the next read overwrites it.
package final class BufferedBytes {
  package static let bufferSize = 256 * 1024
  /// How many bytes are searched for the next frame or page before the rest of a stream is given up.
  package static let resyncLimit: Int64 = 2 << 20

  package let file: FileBytes
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
  private var start: Int64 = 0
  private var count = 0
  /// A sign of life for long walks, set by ``signalling(_:during:)``.
  package private(set) var onRead: (() -> Void)?

  package init(_ file: FileBytes) { self.file = file }

  deinit { buffer.deallocate() }

  package var byteCount: Int64 { file.byteCount }

  /// Does work that may read the whole file.
  ///
  /// - Parameter onRead: called after each read from the file.
  package func signalling<Result>(
    _ onRead: () -> Void, during work: () throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    try withoutActuallyEscaping(onRead) { onRead throws(DecodingError) in
      self.onRead = onRead
      defer { self.onRead = nil }
      return try work()
    }
  }

  /// Lends up to `count` bytes at `offset`, fewer at the end of the file.
  ///
  /// - Precondition: `count` is at most ``bufferSize``, and `body` does not read from this file.
  @inline(__always)
  package func withBytes<Result>(
    at offset: Int64, count: Int, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    try body(try view(at: offset, count: count))
  }

  /// A copy of up to `count` bytes at `offset`, fewer at the end of the file.
  ///
  /// - Precondition: `count` is at most ``bufferSize``.
  package func copy(at offset: Int64, count: Int) throws(DecodingError) -> [UInt8] {
    Array(try view(at: offset, count: count))
  }

  /// The number at `offset`; nil if the file ends before its last byte.
  package func bigEndian<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, at offset: Int64
  ) throws(DecodingError) -> Value? {
    try view(at: offset, count: MemoryLayout<Value>.size).bigEndian(at: 0)
  }

  /// Whether the file has `ascii` at `offset`.
  package func matches(_ ascii: StaticString, at offset: Int64) throws(DecodingError) -> Bool {
    try view(at: offset, count: ascii.utf8CodeUnitCount).has(ascii, at: 0)
  }

  /// Passes the bytes of `range` to `body` in pieces, in order; ends early if the file does.
  package func forEachPiece(
    in range: Range<Int64>, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(DecodingError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let rest = try viewOfRest(at: offset)
      guard !rest.isEmpty else { return }
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<Int(min(Int64(rest.count), range.upperBound - offset))])
      body(piece)
      offset += Int64(piece.count)
    }
  }

  /// How many bytes after `offset` the first one is that can begin a frame or page.
  ///
  /// The search goes buffer by buffer: without such a byte it ends with the buffer that passes `limit` or `end`.
  @inline(__always)
  package func byteCountToSync(
    from offset: Int64, before end: Int64, limit: Int64, where isSync: (UInt8) -> Bool
  ) throws(DecodingError) -> Int64 {
    var distance: Int64 = 0
    while offset + distance < end, distance <= limit {
      let rest = try viewOfRest(at: offset + distance)
      guard !rest.isEmpty else { return end - offset }
      if let found = rest.firstIndex(where: isSync) { return distance + Int64(found) }
      distance += Int64(rest.count)
    }
    return distance
  }

  /// Up to `wanted` bytes at `offset`, fewer at the end of the file; valid until the next read.
  private func view(at offset: Int64, count wanted: Int) throws(DecodingError) -> UnsafeRawBufferPointer {
    precondition(wanted <= Self.bufferSize, "more than the buffer holds")
    guard offset >= 0, offset < byteCount, wanted > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let needed = Int(min(Int64(wanted), byteCount - offset))
    if offset < start || offset + Int64(needed) > start + Int64(count) {
      count = 0
      count = try file.read(into: buffer, at: offset)
      start = offset
      onRead?()
    }
    let first = Int(offset - start)
    return UnsafeRawBufferPointer(rebasing: buffer[first..<min(first + needed, count)])
  }

  /// All that is buffered from `offset` on, at least one byte unless the file ends there; valid until the next read.
  private func viewOfRest(at offset: Int64) throws(DecodingError) -> UnsafeRawBufferPointer {
    guard try !view(at: offset, count: 1).isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: buffer[Int(offset - start)..<count])
  }
}

/// Numbers and text at byte offsets from the start; nil or false if they would reach beyond the end.
extension RandomAccessCollection<UInt8> where Index == Int {
  package func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type = Value.self, at offset: Int) -> Value? {
    integer(at: offset).map { Value(bigEndian: $0) }
  }

  package func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type = Value.self, at offset: Int) -> Value? {
    integer(at: offset).map { Value(littleEndian: $0) }
  }

  private func integer<Value: FixedWidthInteger>(at offset: Int) -> Value? {
    guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
    return withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).loadUnaligned(fromByteOffset: offset, as: Value.self)
    }
  }

  package func has(_ ascii: StaticString, at offset: Int) -> Bool {
    let length = ascii.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    return self[(startIndex + offset)..<(startIndex + offset + length)].elementsEqual(ascii.utf8Buffer)
  }
}

extension StaticString {
  package var utf8Buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
