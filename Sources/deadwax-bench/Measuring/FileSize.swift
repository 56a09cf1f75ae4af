internal import Glibc
internal import MediaModel

enum FileSize {
  /// The length of a file.
  static func bytes(of path: BytePath) throws -> Int {
    var status = stat()
    guard stat(path.displayString, &status) == 0 else { throw BenchFailure("there is no \(path.displayString)") }
    return Int(status.st_size)
  }
}
