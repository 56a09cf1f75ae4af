internal import Base
internal import Glibc

/// How long a worker may show no progress: counted in ticks of the parent, not in seconds.
///
/// A pause of the whole machine, or of this process, is one late tick, whatever its length; so it costs no file.
struct StallTimeout: Hashable {
  /// The longest time between two ticks.
  private static let longestTickInSeconds = 0.5

  let limitInSeconds: Double

  /// At least four ticks, and signs of life, fit into any limit.
  var tickInSeconds: Double { min(Self.longestTickInSeconds, max(0.001, limitInSeconds / 4)) }
  /// The first tick may come directly after a sign of life: it is not counted.
  fileprivate var maximumTickCount: Int { Int((limitInSeconds / tickInSeconds).rounded(.up)) + 1 }
}

/// The parent's own ticks.
struct TickSource {
  let intervalInSeconds: Double
  private var lastTick: Double

  init(intervalInSeconds: Double, now: Double) {
    self.intervalInSeconds = intervalInSeconds
    lastTick = now
  }

  /// Whether there is a tick at this time; a late one counts once, however late it is.
  mutating func isTick(at now: Double) -> Bool {
    guard now - lastTick >= intervalInSeconds else { return false }
    lastTick = now
    return true
  }

  func secondsToNextTick(at now: Double) -> Double { max(0, lastTick + intervalInSeconds - now) }
}

/// The ticks of one worker since its last sign of life.
struct StallCounter {
  private var tickCount = 0
  /// At the first tick after the last sign.
  private var cpuSecondsAtStart: Double?

  mutating func noteSign() { self = StallCounter() }

  /// Counts a tick; returns why the worker must be given up, as a sentence, or nil.
  ///
  /// - Parameter status: Of its process; nil if it cannot be read. A stopped process is not judged.
  mutating func tick(_ status: ProcessStatus?, timeout: StallTimeout) -> String? {
    if status?.isStopped == true {
      self = StallCounter()
      return nil
    }
    tickCount += 1
    var hasUsedItsTime = false
    if let status {
      let start = cpuSecondsAtStart ?? status.cpuSeconds
      cpuSecondsAtStart = start
      hasUsedItsTime = status.cpuSeconds - start >= timeout.limitInSeconds
    }
    guard hasUsedItsTime || tickCount >= timeout.maximumTickCount else { return nil }
    // The same sentence for both: which limit comes first is a matter of chance, and the reason is stored.
    return "no progress for \(DecimalText.number(timeout.limitInSeconds, places: 1)) s"
  }
}

/// What the kernel says about another process.
struct ProcessStatus: Hashable {
  /// By SIGSTOP or a freezer that uses it; not by a tracer, because a call that a tracer delays is a hang.
  let isStopped: Bool
  let cpuSeconds: Double

  init(isStopped: Bool, cpuSeconds: Double) {
    self.isStopped = isStopped
    self.cpuSeconds = cpuSeconds
  }

  /// nil if there is no such process, or the system hides it.
  init?(processID: pid_t) {
    let descriptor = open("/proc/\(processID)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    self.init(stat: String(decoding: bytes[..<count], as: UTF8.self), ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The line of `/proc/PID/stat`, see proc(5): the name in parentheses may hold spaces and parentheses.
  init?(stat: String, ticksPerSecond: Int) {
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[end...].split(separator: " ")
    // Without the parenthesis the first is the third field of the line, the state.
    guard fields.count > 13, ticksPerSecond > 0, let user = Int(fields[12]), let system = Int(fields[13]) else {
      return nil
    }
    isStopped = fields[1] == "T"
    cpuSeconds = Double(user + system) / Double(ticksPerSecond)
  }
}
