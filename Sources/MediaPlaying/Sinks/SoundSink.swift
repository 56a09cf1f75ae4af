package import AudioEncoding
package import MediaModel

/// Where sound goes. One thread at a time.
package protocol SoundSink: AnyObject {
  /// What it takes now; nil before it is opened.
  var format: AudioFormat? { get }

  /// How samples leave the program.
  var form: SampleForm { get }

  /// Prepares for sound of a format, after everything that was written before; ``format`` says what it takes instead if
  /// it cannot take that. If nothing needs to change, there is no gap.
  func open(_ wanted: AudioFormat) throws

  /// Whether sound of a format follows what was written without a gap.
  func continues(with wanted: AudioFormat) -> Bool

  /// Waits until there is room for the samples, and takes them.
  func write(_ samples: Span<Float>) throws

  /// The frames that were written and are not heard yet.
  var delayFrameCount: Int64 { get }

  /// Stops until ``resume()``.
  ///
  /// - Returns: false if it lost what is not heard yet, which must be written again.
  func pause() -> Bool

  func resume()

  /// Drops what is not heard yet.
  func discard()

  /// Waits until everything is heard, and ends.
  func finish() throws
}

/// Why sound cannot be heard.
package enum PlayingError: Error, Hashable, CustomStringConvertible {
  /// ALSA cannot be loaded.
  case noDevices(reason: String)
  case device(String, reason: String)
  /// The device took sound before, and takes no more.
  case deviceLost(String, reason: String)
  /// No track of the queue could be played.
  case nothingPlayable
  case badSession(reason: String)
  /// Everything was played, or nothing yet.
  case nothingToResume
  /// The queue has become shorter.
  case noItem(Int)

  package var description: String {
    switch self {
    case .noDevices(let reason): "no sound can be played: \(reason)"
    case .device(let name, let reason): "the sound device \(name) cannot be opened: \(reason)"
    case .deviceLost(let name, let reason): "the sound device \(name) is gone: \(reason)"
    case .nothingPlayable: "nothing could be played"
    case .badSession(let reason): "what was played last cannot be read: \(reason)"
    case .nothingToResume: "there is nothing to resume"
    case .noItem(let place): "the queue has no track \(place + 1) any more"
    }
  }
}
