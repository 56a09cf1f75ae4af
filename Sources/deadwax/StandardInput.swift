internal import Glibc
internal import MediaModel
internal import MediaStore

/// Standard input: paths of files, each ended by a NUL byte.
enum StandardInput {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(description: "standard input: \(String(cString: strerror(errno)))")
      }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// The files that standard input names; what the library does not know is told with its number.
  static func files(in store: MediaStore) throws -> [Int64] {
    let paths = try bytes().split(separator: 0, omittingEmptySubsequences: true).map { BytePath($0) }
    let ids = try store.fileIDs(at: paths)
    for (index, id) in ids.enumerated() where id == nil {
      let path = TerminalText.escaped(paths[index].displayString)
      StandardError.line("standard input, path \(index + 1): \(path): not in the library")
    }
    var seen: Set<Int64> = []
    return ids.compactMap { $0 }.filter { seen.insert($0).inserted }
  }
}
