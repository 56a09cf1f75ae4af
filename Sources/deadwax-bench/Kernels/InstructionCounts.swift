internal import Base

/// How many instructions the kernels take, and on what they were counted.
struct InstructionCounts: Equatable {
  struct Entry: Equatable {
    let name: String
    let count: Int
  }

  /// As of uname(2).
  var architecture: String
  /// The version of the compiler.
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
  /// Reads ``text`` again; entries are in the order of their names.
  init(text: String) throws {
    guard let document = try? JSONValue(parsing: Array(text.utf8)), let architecture = document["architecture"]?.string,
      let swift = document["swift"]?.string, let counts = document["instructions"]?.members
    else { throw BenchFailure("the thresholds cannot be read") }
    let entries = try counts.map { member in
      guard let count = member.value.double.flatMap({ Int(exactly: $0) }) else {
        throw BenchFailure("the thresholds cannot be read")
      }
      return Entry(name: member.key, count: count)
    }
    self.init(architecture: architecture, swift: swift, entries: entries.sorted { $0.name < $1.name })
  }
}

/// Counted instructions, compared with those that are checked in.
struct CountComparison {
  enum Verdict: String {
    case same
    /// More instructions than the tolerance allows.
    case slower
    /// Fewer, which should be checked in, so that the gain is not lost again.
    case faster
    /// Not checked in yet.
    case new
    /// Checked in, but the kernel no longer exists.
    case gone
  }

  struct Line {
    let name: String
    let expected: Int?
    let counted: Int?
    let verdict: Verdict

    var ratio: Double? {
      guard let expected, let counted, expected > 0 else { return nil }
      return Double(counted) / Double(expected)
    }
  }

  /// How far counts may differ from what is checked in, as a fraction.
  static let tolerance = 0.05

  let lines: [Line]

  /// Lines in the order of `counted`, then the kernels that are gone.
  init(counted: [InstructionCounts.Entry], expected: [InstructionCounts.Entry]) {
    let known = Dictionary(expected.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
    let names = Set(counted.map(\.name))
    lines =
      counted.map { entry in
        Line(
          name: entry.name, expected: known[entry.name], counted: entry.count,
          verdict: Self.verdict(entry.count, known[entry.name]))
      }
      + expected.filter { !names.contains($0.name) }.map {
        Line(name: $0.name, expected: $0.count, counted: nil, verdict: .gone)
      }
  }

  var isBreached: Bool { lines.contains { $0.verdict != .same } }

  private static func verdict(_ counted: Int, _ expected: Int?) -> Verdict {
    guard let expected else { return .new }
    let difference = Double(counted) - Double(expected)
    guard abs(difference) > tolerance * Double(expected) else { return .same }
    return difference > 0 ? .slower : .faster
  }
}
