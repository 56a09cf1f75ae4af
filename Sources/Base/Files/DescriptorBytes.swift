internal import Glibc

/// Complete reads and writes: interrupted calls are repeated, partial ones continued.
package enum DescriptorBytes {
  /// Reads at the descriptor's position, or at an offset, until the buffer is full or the file ends.
  ///
  /// - Returns: The number of bytes read, and the error if one stopped it.
  package static func read(
    from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64? = nil
  ) -> (count: Int, failure: SystemError?) {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count =
        if let offset { pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done)) } else {
          Glibc.read(descriptor, rest.baseAddress, rest.count)
        }
      if count < 0 {
        if errno == EINTR { continue }
        return (done, SystemError(call: "read"))
      }
      guard count > 0 else { break }
      done += count
    }
    return (done, nil)
  }

  /// At most `count` bytes, fewer only at the end of the file.
  package static func bytes(
    from descriptor: Int32, count: Int, at offset: Int64? = nil
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filledCount in
      (filledCount, failure) = read(from: descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes at the descriptor's position, or at an offset.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64? = nil) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count =
          if let offset { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done)) } else {
            Glibc.write(descriptor, rest.baseAddress, rest.count)
          }
        if count >= 0 {
          done += count
        } else if errno != EINTR {
          failure = SystemError(call: "write")
          return
        }
      }
    }
    if let failure { throw failure }
  }
}
