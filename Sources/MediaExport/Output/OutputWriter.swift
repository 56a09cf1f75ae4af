internal import MediaModel

#if canImport(Glibc)
  internal import Glibc
#endif

/// Takes the content of an output file in pieces, and writes it in large ones.
package struct OutputWriter: ~Copyable {
  private static let capacity = 64 << 10

  private let descriptor: Int32
  private let path: BytePath
  private var buffer: [UInt8] = []

  /// Lets `body` write, and writes what is left in the end.
  static func write(
    to descriptor: Int32, path: BytePath, _ body: (inout OutputWriter) throws -> Void
  ) throws {
    var writer = OutputWriter(descriptor: descriptor, path: path)
    try body(&writer)
    try writer.flush()
  }

  private init(descriptor: Int32, path: BytePath) {
    self.descriptor = descriptor
    self.path = path
  }

  package mutating func write(_ bytes: some Sequence<UInt8>) throws(ExportError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  private mutating func flush() throws(ExportError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    let code: Int32 = buffer.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        rest = rest.dropFirst(count)
      }
      return 0
    }
    guard code == 0 else {
      throw .writing(path: TerminalText.escaped(path.displayString), reason: OutputFile.message(code))
    }
  }
}
