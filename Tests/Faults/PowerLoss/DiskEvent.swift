internal import Foundation

/// What a process did to a file of the library, as strace tells it.
enum DiskEvent: Sendable {
  case write(file: String, bytes: [UInt8], offset: Int)
  case truncate(file: String, byteCount: Int)
  /// All that was written to the file before is on the disk, whatever happens.
  case sync(file: String)
  case remove(file: String)

  /// Options of strace whose log ``events(in:)`` reads: every byte in hexadecimal.
  static let tracing = [
    "-qq", "-y", "-xx", "-s", "16777216", "-e", "trace=pwrite64,fsync,fdatasync,ftruncate,unlink", "-e", "signal=none",
  ]

  /// The events of a log upon files in one folder, by their names.
  static func events(in log: URL) throws -> [DiskEvent] {
    try Data(contentsOf: log).split(separator: UInt8(ascii: "\n")).compactMap { event($0) }
  }

  private static func event(_ line: Data) -> DiskEvent? {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")), let end = line.lastIndex(of: UInt8(ascii: ")")),
      line[end...].starts(with: ") = ".utf8), !line[end...].starts(with: ") = -1".utf8)
    else { return nil }
    let call = String(decoding: line[..<open], as: UTF8.self)
    let fields = line[line.index(after: open)..<end].split(separator: UInt8(ascii: ","))
    // The first argument is a descriptor with its path, or a path.
    guard let first = fields.first else { return nil }
    let file = String(decoding: bytes(first), as: UTF8.self).split(separator: "/").last.map(String.init) ?? ""
    let numbers = fields.dropFirst().map {
      Int(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces))
    }
    switch call {
    case "pwrite64":
      guard fields.count == 4, let offset = numbers[2] else { return nil }
      return .write(file: file, bytes: bytes(fields[1]), offset: offset)
    case "ftruncate": return numbers.first.flatMap { $0 }.map { .truncate(file: file, byteCount: $0) }
    case "fsync", "fdatasync": return .sync(file: file)
    case "unlink": return .remove(file: file)
    default: return nil
    }
  }

  /// The bytes that stand as `\x2f` in a field.
  private static func bytes(_ field: Data) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8 { byte < 0x3A ? byte - 0x30 : byte - 0x57 }
    var bytes: [UInt8] = []
    var index = field.startIndex
    while index + 3 < field.endIndex {
      if field[index] == UInt8(ascii: "\\"), field[index + 1] == UInt8(ascii: "x") {
        bytes.append(digit(field[index + 2]) << 4 | digit(field[index + 3]))
        index += 4
      } else {
        index += 1
      }
    }
    return bytes
  }
}
