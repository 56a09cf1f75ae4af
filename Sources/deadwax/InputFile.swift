internal import Glibc
internal import MediaModel

/// A small file that a user names, read whole.
enum InputFile {
  struct Failure: Error, CustomStringConvertible {
    let path: BytePath
    let reason: String

    var description: String { "\(path.displayString): \(reason)" }
  }

  private static let largest = 256 << 20

  static func bytes(of path: BytePath) throws(Failure) -> [UInt8] {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(path: path, reason: "not a regular file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(path: path, reason: String(cString: strerror(errno)))
      }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= largest else { throw Failure(path: path, reason: "larger than 256 MiB") }
    }
  }
}
