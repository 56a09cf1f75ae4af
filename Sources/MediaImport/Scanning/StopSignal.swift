internal import CWorker
internal import Glibc

/// The wish of the user to stop: the first SIGINT, SIGTERM or SIGHUP; the second one ends the process at once.
package final class StopSignal {
  /// Becomes readable when the signal comes; -1 where none is watched.
  package let descriptor: Int32
  private var received: Int32?

  /// Never comes: for tests and for uses without a terminal.
  package static var never: StopSignal { StopSignal(descriptor: -1) }

  /// Catches the signals of this process from now on.
  package static func catchingSignals() throws(SystemError) -> StopSignal {
    let descriptor = dw_catch_stop_signals()
    guard descriptor >= 0 else { throw SystemError(call: "pipe") }
    return StopSignal(descriptor: descriptor)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// The number of the signal; nil while none has come.
  package var number: Int32? {
    if received == nil && descriptor >= 0 {
      var byte: UInt8 = 0
      if read(descriptor, &byte, 1) == 1 { received = Int32(byte) }
    }
    return received
  }
}
