internal import MediaModel
internal import MediaStore

/// Standard input: paths of files, each ended by a NUL byte.
enum StandardInput {
  /// The files that standard input names; what the library does not know is told with its number.
  static func files(in store: MediaStore) throws -> [Int64] {
    let bytes = try InputFile.bytes(of: InputFile.standardInput, limit: .max)
    let paths = bytes.split(separator: 0, omittingEmptySubsequences: true).map { BytePath($0) }
    let ids = try store.fileIDs(at: paths)
    for (index, id) in ids.enumerated() where id == nil {
      let path = TerminalText.escaped(paths[index].displayString)
      StandardError.line("standard input, path \(index + 1): \(path): not in the library")
    }
    var seen: Set<Int64> = []
    return ids.compactMap { $0 }.filter { seen.insert($0).inserted }
  }
}
