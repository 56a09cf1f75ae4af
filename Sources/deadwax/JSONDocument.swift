internal import Foundation

/// JSON for programs: one line, keys in a fixed order, slashes as they are, never NaN or infinity.
enum JSONDocument {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
