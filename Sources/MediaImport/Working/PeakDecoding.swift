internal import AudioAnalysis
internal import AudioDecoding
internal import MediaModel

/// What a worker does to draw a waveform closer than the stored one: decodes the frames asked for and reduces them.
struct PeakDecoding {
  private static let framesPerBlock = 8192
  private static let progressIntervalInSeconds = 0.5

  let descriptor: Int32
  let byteCount: Int64
  let request: PeakRequest

  /// Sends the peaks, or why there are none.
  func run(over channel: borrowing WorkerChannel) throws(WorkerChannel.Failure) {
    var answer = Extraction(state: .ok)
    let decoder: any AudioDecoder
    do throws(DecodingError) {
      let file = try MediaFile(descriptor: descriptor, byteCount: byteCount, pathExtension: "")
      decoder = try file.makeDecoder()
      if request.frames.lowerBound > 0 { try decoder.seek(toFrame: request.frames.lowerBound) }
    } catch {
      answer = Extraction(state: error.state, problem: error.problem)
      return try channel.send(WorkerMessage.finished(answer).bytes)
    }
    let format = decoder.format
    var analyzer = WaveformPeakAnalyzer(
      format: format, channels: request.splitsChannels ? .separate(limit: 24) : .mixed,
      framesPerPoint: request.framesPerPoint, resolution: request.resolution)
    var block = [Float](repeating: 0, count: Self.framesPerBlock * format.channelCount)
    var remaining = Int64(request.frames.count)
    var lastSign = monotonicSeconds()
    while remaining > 0 {
      let wanted = Int(min(remaining, Int64(Self.framesPerBlock))) * format.channelCount
      var count = 0
      do throws(DecodingError) {
        var span = block.mutableSpan
        var part = span._mutatingExtracting(0..<wanted)
        count = try decoder.read(into: &part)
      } catch { answer = Extraction(state: error.state, problem: error.problem) }
      guard count > 0 else { break }
      analyzer.consume(block.span.extracting(0..<count * format.channelCount))
      remaining -= Int64(count)
      if monotonicSeconds() - lastSign > Self.progressIntervalInSeconds {
        lastSign = monotonicSeconds()
        try channel.send(WorkerMessage.progress(decodedSeconds: 0).bytes)
      }
    }
    try channel.send(WorkerMessage.peaks(analyzer.finishAsDatBytes()).bytes)
    try channel.send(WorkerMessage.finished(answer).bytes)
  }
}
