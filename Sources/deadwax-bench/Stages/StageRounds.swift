/// Times of the stages of one file, several of each.
struct StageRounds {
  /// In the order in which they were first measured.
  private(set) var names: [String] = []
  private var samples: [String: Samples] = [:]

  mutating func measure(_ name: String, _ body: () throws -> Void) rethrows {
    let seconds = try BenchClock.processor.measure(body)
    if samples[name] == nil { names.append(name) }
    samples[name, default: Samples()].add(seconds)
  }

  func median(_ name: String) -> Double { samples[name]?.median ?? 0 }
}
