internal import Foundation
internal import MediaModel

/// Tables and the machine they were measured on.
struct Report {
  enum Form {
    case text, markdown, jsonLines
  }

  let machine: Machine
  let tables: [ResultTable]

  /// Writes to standard output, and as JSON lines to the end of a file where one is named.
  func write(_ form: Form, appendingTo path: String?) throws {
    FileHandle.standardOutput.write(Data(text(form).utf8))
    guard let path else { return }
    if !FileManager.default.fileExists(atPath: path) {
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw BenchFailure("cannot write to \(path)")
      }
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text(.jsonLines).utf8))
  }

  func text(_ form: Form) -> String {
    switch form {
    case .text: ([machine.text + "\n"] + tables.map(\.text)).joined(separator: "\n")
    case .markdown: ([machine.text + "\n"] + tables.map(\.markdown)).joined(separator: "\n")
    case .jsonLines: ([machine.json] + tables.flatMap(\.jsonLines)).map { $0.text + "\n" }.joined()
    }
  }
}
