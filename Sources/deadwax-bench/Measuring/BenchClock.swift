internal import Glibc

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
