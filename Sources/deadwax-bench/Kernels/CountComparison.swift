/// Counted instructions against those that are checked in.
struct CountComparison {
  enum Verdict: String {
    case same
    /// More instructions than the tolerance allows.
    case slower
    /// Fewer: good news that is to be checked in, so that it cannot get lost.
    case faster
    /// Not among the checked in ones.
    case new
    /// Checked in, but there is no such kernel any more.
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

  /// Counts may differ by this part from what is checked in.
  static let tolerance = 0.05

  let lines: [Line]

  /// Lines in the order of `counted`, those that are gone at the end.
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
