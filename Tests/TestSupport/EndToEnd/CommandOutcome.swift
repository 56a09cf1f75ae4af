package import Foundation

/// What a command returned and wrote.
package struct CommandOutcome: Sendable {
  /// The exit status, or 128 plus the number of the signal that ended it, as in a shell.
  package var status: Int32
  package var standardOutput: Data
  package var standardError: Data

  package init(status: Int32, standardOutput: Data, standardError: Data) {
    self.status = status
    self.standardOutput = standardOutput
    self.standardError = standardError
  }

  package var text: String { String(decoding: standardOutput, as: UTF8.self) }
  package var errorText: String { String(decoding: standardError, as: UTF8.self) }

  /// Standard output as one JSON document.
  package func document<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: standardOutput)
  }

  /// Standard output as one JSON value a line.
  package func lines<Value: Decodable>(_ type: Value.Type = Value.self) throws -> [Value] {
    try standardOutput.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(type, from: Data($0)) }
  }
}

extension CommandOutcome: CustomStringConvertible {
  package var description: String { "status \(status), error: \(errorText.prefix(500)), output: \(text.prefix(500))" }
}

/// Thrown when a command that must succeed does not.
package struct UnexpectedOutcome: Error, CustomStringConvertible {
  private let outcome: CommandOutcome

  package init(_ outcome: CommandOutcome) { self.outcome = outcome }

  package var description: String { outcome.description }
}
