import Glibc

/// The bytes of an open descriptor, read at any offset without touching the descriptor's own position.
struct FileBytes: Sendable {
  let descriptor: Int32
  /// As it was when the file was opened; what is appended later is not seen.
  let byteCount: Int64

  /// Fills `buffer` from `offset` on.
  ///
  /// - Returns: the number of bytes, short only where the file ends.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DecodingError) -> Int {
    guard offset >= 0, offset < byteCount, let base = buffer.baseAddress else { return 0 }
    let wanted = Int(min(Int64(buffer.count), byteCount - offset))
    var done = 0
    while done < wanted {
      let count = pread(descriptor, base + done, wanted - done, off_t(offset) + off_t(done))
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw .unreadable(errorNumber: errno, byteOffset: offset + Int64(done))
      }
    }
    return done
  }

  /// At most `count` bytes from `offset` on; fewer where the file ends.
  func bytes(at offset: Int64, count: Int) throws(DecodingError) -> [UInt8] {
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
