internal import Dispatch
internal import MediaModel

/// Something that is read on another thread while this one goes on, or before it does where no thread can be had.
final class BackgroundReading<Value: Sendable, Failure: Error>: Sendable {
  private let queue = DispatchQueue(label: "background reading")
  nonisolated(unsafe) private var result: Result<Value, Failure>?

  /// Begins at once.
  init(_ body: @escaping @Sendable () throws(Failure) -> Value) {
    let read = { @Sendable [self] in
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    if ThreadSupply.canStartThread { queue.async(execute: read) } else { read() }
  }

  /// Waits for the end and gives what came of it.
  ///
  /// To be called on every way: what the body reads from may be closed afterwards.
  func value() throws(Failure) -> Value {
    // The queue is serial: what is asked here is answered after the body, with its writes visible.
    guard let result = queue.sync(execute: { result }) else { preconditionFailure("the body has run") }
    return try result.get()
  }
}
