package import Base
internal import Glibc

/// A file that a removal script relies on, with what tells that it is still the same.
package struct KeptFile: Sendable {
  private static let partByteCount = 1 << 20

  package var path: BytePath
  package var byteCount: Int64
  /// 64 hexadecimal digits of SHA-256.
  package var checksum: String

  /// Reads the file from start to end; nil if it cannot be read, is no regular file, or was written to since the scan or while
  /// it was read.
  ///
  /// - Parameter stamp: What the scan saw.
  package init?(_ path: BytePath, stamp: FileStatus.Stamp) {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = path.withCString { open($0, flags) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let before = Self.status(descriptor), before.stamp == stamp else { return nil }
    var digest = SHA256()
    var buffer = [UInt8](repeating: 0, count: Self.partByteCount)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      digest.consume(buffer[..<count])
    }
    guard Self.status(descriptor) == before else { return nil }
    self.path = path
    byteCount = before.byteCount
    checksum = digest.finishAsHexadecimal()
  }

  private static func status(_ descriptor: Int32) -> FileStatus? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileStatus(status)
  }
}
