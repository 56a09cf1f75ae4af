internal import Glibc

/// Processes of this machine, as far as this one may see them.
enum RunningProcess {
  /// Whether the process that wrote down its id at some time still runs; one that got the same id later is another.
  ///
  /// - Parameter time: Seconds since 1970.
  static func isThere(_ id: Int32, since time: Int64) -> Bool {
    guard id > 0, kill(id, 0) == 0 || errno == EPERM else { return false }
    // Whole seconds are written down.
    return start(of: id).map { $0 < Double(time) + 2 } ?? true
  }

  /// When a process began, in seconds since 1970 by today's clock; nil where the kernel does not say.
  private static func start(of id: Int32) -> Double? {
    // Its name, which stands in parentheses, may hold anything; the start is the 20th word behind it (proc(5), 22).
    guard let text = SmallFile.text(at: "/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let words = text[end...].split(separator: " ")
    guard words.count > 20, let ticks = Double(words[20]) else { return nil }
    return seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME) + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
