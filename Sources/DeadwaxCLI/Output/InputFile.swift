internal import Base
internal import Glibc

/// A file that a user names, or standard input, read whole.
enum InputFile {
  struct Failure: CommandError, CustomStringConvertible {
    let path: BytePath
    let reason: String
    /// Whether there is no such file, so that its name was wrong.
    var isAbsent = false

    var exitStatus: Int32 { isAbsent ? ExitStatus.wrongUsage : 1 }

    var description: String {
      "\(path == InputFile.standardInput ? "standard input" : path.displayString): \(reason)"
    }
  }

  /// The name that stands for standard input.
  static let standardInput = BytePath("-")

  /// - Parameters:
  ///   - path: a file, a pipe, or ``standardInput``.
  ///   - limit: in bytes; larger files are refused.
  static func bytes(of path: BytePath, limit: Int = 256 << 20) throws(Failure) -> [UInt8] {
    guard path != standardInput else { return try bytes(from: STDIN_FILENO, of: path, limit: limit) }
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    defer { close(descriptor) }
    return try bytes(from: descriptor, of: path, limit: limit)
  }

  /// The absolute path without symbolic links of a file or folder that exists.
  static func resolved(_ path: BytePath) throws(Failure) -> BytePath {
    guard let real = path.withCString({ realpath($0, nil) }) else { throw Failure(path: path, code: errno) }
    defer { free(real) }
    return BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  /// The rest of an open file.
  static func bytes(from descriptor: Int32, of path: BytePath, limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let (count, failure) = chunk.withUnsafeMutableBytes { DescriptorBytes.read(from: descriptor, into: $0) }
      if let failure { throw Failure(path: path, reason: failure.description) }
      guard count <= limit - bytes.count else { throw Failure(path: path, reason: "larger than \(limit >> 20) MiB") }
      bytes.append(contentsOf: chunk[..<count])
      if count < chunk.count { return bytes }
    }
  }
}

extension InputFile.Failure {
  /// - Parameter code: The error number of the system.
  init(path: BytePath, code: Int32) {
    self.init(path: path, reason: String(cString: strerror(code)), isAbsent: code == ENOENT || code == ENOTDIR)
  }
}
