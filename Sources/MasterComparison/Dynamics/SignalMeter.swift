/// Measures a recording while it is read in order.
final class SignalMeter {
  /// Of the frames that are read at once.
  static let pieceLength = 65_536

  private let signal: any ComparedSignal
  private var analyzer: DynamicRangeAnalyzer
  private var position = 0

  init(_ signal: any ComparedSignal) {
    self.signal = signal
    analyzer = DynamicRangeAnalyzer(sampleRateInHz: signal.sampleRateInHz, channelCount: signal.channelCount)
  }

  func advance(to frame: Int) throws {
    let end = min(frame, signal.frameCount)
    while position < end {
      let next = min(end, (position / Self.pieceLength + 1) * Self.pieceLength)
      analyzer.consume(try signal.read(position..<next))
      position = next
    }
  }

  func finish() throws -> MeasuredDynamics? {
    try advance(to: signal.frameCount)
    return analyzer.finish()
  }
}
