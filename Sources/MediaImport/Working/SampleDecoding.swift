internal import AudioDecoding
internal import CWorker
internal import MediaModel

/// What a worker does for somebody who wants to hear a file: opens it once, then decodes the ranges that are asked for.
struct SampleDecoding {
  private static let progressIntervalInSeconds = 0.5

  let descriptor: Int32
  let byteCount: Int64
  let isDamaged: Bool
  let hashesSound: Bool

  /// Serves until the other side hangs up; what is wrong with the file is answered, and ends the service.
  func run(over channel: inout WorkerChannel) throws(WorkerChannel.Failure) {
    let socket = channel.descriptor
    var lastSign = monotonicSeconds()
    var hash: ContentHash?
    let source: DecoderSegmentSource
    do throws(DecodingError) {
      var file = try MediaFile(descriptor: descriptor, byteCount: byteCount, pathExtension: "")
      if hashesSound { hash = try file.hashPayload { Self.showLife(since: &lastSign, on: socket) }.hash }
      let decoder = try file.makeDecoder(seekingMethod: isDamaged ? .byCounting : .byPosition) {
        Self.showLife(since: &lastSign, on: socket)
      }
      source = DecoderSegmentSource(decoder, hash: ContentHash(high: 0, low: 0))
    } catch {
      return try finish(error, over: channel)
    }
    let audio = source.audio
    try channel.send(
      WorkerMessage.opened(
        SoundShape(
          format: audio.format, delayFrameCount: audio.delayFrameCount, paddingFrameCount: audio.paddingFrameCount,
          hash: hash)
      ).bytes)
    while true {
      guard case .samples(let frames) = try WorkerService.request(from: &channel) else {
        throw .malformed("a range was expected")
      }
      _ = dw_allow_cpu_seconds(InspectionLimits().maximumCPUSeconds)
      let samples: [Float]
      do throws(DecodingError) { samples = try decode(frames, from: source, over: channel) } catch {
        return try finish(error, over: channel)
      }
      try channel.send(WorkerMessage.samples(samples).bytes)
    }
  }

  private func decode(
    _ frames: Range<Int64>, from source: DecoderSegmentSource, over channel: borrowing WorkerChannel
  ) throws(DecodingError) -> [Float] {
    let socket = channel.descriptor
    var lastSign = monotonicSeconds()
    return try source.decode(frames) { Self.showLife(since: &lastSign, on: socket) }
  }

  /// Sends a sign of life when the last one is some time ago; whether somebody still listens shows with the answer.
  private static func showLife(since lastSign: inout Double, on socket: Int32) {
    guard monotonicSeconds() - lastSign > progressIntervalInSeconds else { return }
    lastSign = monotonicSeconds()
    let message = WorkerMessage.progress(decodedSeconds: 0).bytes
    _ = message.withUnsafeBytes { dw_send(socket, $0.baseAddress, $0.count, -1) }
  }

  private func finish(
    _ error: DecodingError, over channel: borrowing WorkerChannel
  ) throws(WorkerChannel.Failure) {
    try channel.send(WorkerMessage.finished(Extraction(state: error.state, problem: error.problem)).bytes)
  }
}
