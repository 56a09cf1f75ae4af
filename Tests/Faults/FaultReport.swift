import Foundation

/// Prints the result of each case, and counts the results by group.
struct FaultReport {
  private struct Count {
    var survived = 0
    var failed = 0
    var notRun = 0
  }

  /// A case belongs to the first group that has its number.
  private static let groups: [(name: String, numbers: ClosedRange<Int>)] = [
    ("C1 audio files", 1...40), ("C2 tags", 41...51), ("C3 file system", 52...73), ("C4 process", 74...89),
    ("C5 at the same time", 90...99), ("C6 the library", 100...112), ("C7 the command line", 113...118),
    ("C9 effects", 136...142),
    ("C11 surroundings", 150...199), ("without a group", .min ... .max),
  ]

  private var counts = [Count](repeating: Count(), count: groups.count)

  var hasFailures: Bool { counts.contains { $0.failed > 0 } }

  /// - Parameter seconds: How long the case took.
  mutating func add(_ item: FaultCase, _ verdict: Verdict, _ seconds: Double) {
    let number = item.numbers.first ?? 0
    let group = Self.groups.firstIndex { $0.numbers ~= number } ?? Self.groups.count - 1
    switch verdict {
    case .survived(let figures):
      counts[group].survived += 1
      Self.write("survived  \(item.title) (\(Int(seconds.rounded())) s\(figures.isEmpty ? "" : ", \(figures)"))")
    case .failed(let reasons, let figures):
      counts[group].failed += 1
      Self.write("FAILED    \(item.title) (\(Int(seconds.rounded())) s\(figures.isEmpty ? "" : ", \(figures)"))")
      for reason in reasons.prefix(5) { Self.write("          \(reason)") }
      if reasons.count > 5 { Self.write("          and \(reasons.count - 5) more") }
    case .notRun(let why):
      counts[group].notRun += 1
      Self.write("not run   \(item.title): \(why)")
    }
  }

  /// Unbuffered: who waits for hours wants to see each case.
  static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  var summary: String {
    zip(Self.groups, counts).filter { $1.survived + $1.failed + $1.notRun > 0 }.map { group, count in
      "\(group.name): \(count.survived) survived, \(count.failed) failed"
        + (count.notRun > 0 ? ", \(count.notRun) not run" : "")
    }.joined(separator: "\n")
  }
}
