internal import CPosix
internal import Glibc

/// A request to stop: the first SIGINT, SIGTERM or SIGHUP. The second one ends the process immediately.
package final class StopSignal {
  /// Becomes readable when the signal arrives; -1 if signals are not watched.
  package let descriptor: Int32
  private var received: Int32?

  /// A signal that never arrives, for tests and uses without a terminal.
  package static var never: StopSignal { StopSignal(descriptor: -1) }

  /// Catches the signals of this process from now on.
  package static func catchingSignals() throws(SystemError) -> StopSignal {
    let descriptor = dw_catch_stop_signals()
    guard descriptor >= 0 else { throw SystemError(call: "pipe") }
    return StopSignal(descriptor: descriptor)
  }

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  /// The number of the signal; nil until it arrives.
  package var number: Int32? {
    if received == nil && descriptor >= 0 {
      var byte: UInt8 = 0
      if read(descriptor, &byte, 1) == 1 { received = Int32(byte) }
    }
    return received
  }

  /// Waits until the signal arrives, `descriptor` is readable, or the time is over.
  package func wait(for descriptor: Int32, upToSeconds seconds: Double) {
    // Negative descriptors are left out.
    var waited = [self.descriptor, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&waited, nfds_t(waited.count), Int32(min(max(seconds * 1000, 0), 86_400_000).rounded(.up)))
  }
}

/// Asks one thread to stop from another one, as a signal would.
package final class StopRequest: Sendable {
  private let ends: (reading: Int32, writing: Int32)

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.ends = (ends[0], ends[1])
  }

  /// What the other thread looks at; this object must live as long.
  package var signal: StopSignal { StopSignal(descriptor: ends.reading) }

  package func send() {
    var number = UInt8(SIGTERM)
    _ = write(ends.writing, &number, 1)
  }

  deinit {
    close(ends.reading)
    close(ends.writing)
  }
}

/// Seconds on a clock that never jumps.
package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
