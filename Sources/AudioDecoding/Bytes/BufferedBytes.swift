/// A window of a file for parsers that walk forward: small look-ups cost no system call.
final class BufferedBytes {
  static let bufferSize = 256 * 1024

  let file: FileBytes
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
  private var start: Int64 = 0
  private var count = 0
  /// A sign of life for long walks, set by ``signalling(_:during:)``.
  private(set) var onRead: (() -> Void)?

  init(_ file: FileBytes) { self.file = file }

  deinit { buffer.deallocate() }

  var byteCount: Int64 { file.byteCount }

  /// Does what may read the whole file.
  ///
  /// - Parameter onRead: called after each read from the file.
  func signalling<Result>(
    _ onRead: () -> Void, during work: () throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    try withoutActuallyEscaping(onRead) { onRead throws(DecodingError) in
      self.onRead = onRead
      defer { self.onRead = nil }
      return try work()
    }
  }

  /// Up to `wanted` bytes at `offset`, fewer where the file ends; at most ``bufferSize``. Valid until the next call.
  func view(at offset: Int64, count wanted: Int) throws(DecodingError) -> UnsafeRawBufferPointer {
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

  /// All that is buffered from `offset` on, at least one byte unless the file ends there.
  func viewOfRest(at offset: Int64) throws(DecodingError) -> UnsafeRawBufferPointer {
    let one = try view(at: offset, count: 1)
    guard !one.isEmpty else { return one }
    return UnsafeRawBufferPointer(rebasing: buffer[Int(offset - start)..<count])
  }

  /// Whether the file has `ascii` at `offset`.
  func matches(_ ascii: StaticString, at offset: Int64) throws(DecodingError) -> Bool {
    let view = try view(at: offset, count: ascii.utf8CodeUnitCount)
    return view.count == ascii.utf8CodeUnitCount && view.starts(with: ascii.utf8Buffer)
  }

  /// Hands the bytes of `range` to `body` in pieces, in order; ends early where the file does.
  func forEachPiece(
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
}

extension StaticString {
  var utf8Buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
