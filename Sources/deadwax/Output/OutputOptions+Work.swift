internal import Dispatch
internal import MediaImport
internal import MediaModel
internal import Synchronization

extension OutputOptions {
  /// Calls `body`, whose work cannot be counted; after its first second a terminal shows what is done, and for how long.
  func showing<Value>(_ work: String, _ body: () throws -> Value) rethrows -> Value {
    guard showsProgress, ThreadSupply.canStartThread else { return try body() }
    let start = monotonicSeconds()
    let line = Mutex<ProgressLine?>(ProgressLine())
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      let text = "\(TerminalText.escaped(work)) · \(DurationText.clock(monotonicSeconds() - start))"
      line.withLock { $0?.show { DisplayWidth.truncated(text, toWidth: max($0, 0)) } }
    }
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.activate()
    defer {
      timer.cancel()
      // A call that is under way comes to nothing.
      line.withLock { line in
        line?.clear()
        line = nil
      }
    }
    return try body()
  }
}
