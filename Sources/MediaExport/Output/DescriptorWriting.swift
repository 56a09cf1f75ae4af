internal import Glibc

/// Whole writes to descriptors.
enum DescriptorWriting {
  /// Writes all bytes at the descriptor's position, or at an offset of their own.
  ///
  /// - Returns: 0, or the error number of the write that failed.
  static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int? = nil) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count =
          if let offset { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done)) } else {
            Glibc.write(descriptor, rest.baseAddress, rest.count)
          }
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        done += count
      }
      return 0
    }
  }
}
