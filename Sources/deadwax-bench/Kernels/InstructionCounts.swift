internal import Foundation
internal import MediaModel

/// How many instructions the kernels take, and what built them.
struct InstructionCounts: Equatable {
  struct Entry: Equatable {
    let name: String
    let count: Int
  }

  /// As of uname(2).
  var architecture: String
  /// Version of the compiler.
  var swift: String
  var entries: [Entry]

  /// One entry a line, so that a difference shows which kernel changed.
  var text: String {
    JSONValue.object([
      "architecture": .string(architecture), "swift": .string(swift),
      "instructions": .object(entries.map { JSONValue.Member($0.name, .integer($0.count)) }),
    ]).prettyText + "\n"
  }
}

extension InstructionCounts {
  private struct Document: Decodable {
    var architecture: String
    var swift: String
    var instructions: [String: Int]
  }

  /// Reads what ``text`` wrote; entries come in the order of their names.
  init(text: String) throws {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(text.utf8)) else {
      throw BenchFailure("the thresholds cannot be read")
    }
    self.init(
      architecture: document.architecture, swift: document.swift,
      entries: document.instructions.sorted { $0.key < $1.key }.map { Entry(name: $0.key, count: $0.value) })
  }
}
