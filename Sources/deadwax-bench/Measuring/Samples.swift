internal import ArgumentParser
internal import Glibc

/// Repeated measurements of one thing.
struct Samples {
  private(set) var values: [Double] = []

  init(_ values: [Double] = []) { self.values = values }

  mutating func add(_ value: Double) { values.append(value) }

  /// The middle one, or the mean of the two in the middle; nil for none.
  var median: Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let upper = sorted[sorted.count / 2]
    return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
  }

  var least: Double? { values.min() }
  var largest: Double? { values.max() }

  /// The ratio of each round to the same round of `other`: a machine that slows down for some rounds slows both.
  ///
  /// Rounds in which `other` measured nothing do not count.
  func ratios(to other: Samples) -> Samples {
    Samples(zip(values, other.values).filter { $1 > 0 }.map { $0 / $1 })
  }
}

/// Seconds of one of the system's clocks, from an arbitrary start.
enum BenchClock {
  /// Processor time, user and system, of all threads of this process.
  case processor
  case wall

  var seconds: Double {
    var time = timespec()
    clock_gettime(self == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The seconds that `body` takes.
  func measure(_ body: () throws -> Void) rethrows -> Double {
    let start = seconds
    try body()
    return seconds - start
  }
}

/// The option of how often to measure.
struct RepeatOptions: ParsableArguments {
  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("How often to measure; medians are reported.", valueName: "count"))
  var count = 3

  func validate() throws {
    if count < 1 { throw ValidationError("--repeat takes a number from 1 up") }
  }
}
