package import MediaModel

/// Puts a stream into a room, and lets the room die away behind its end.
package final class ReverberationProcessor: SoundEffect {
  /// Of the tail.
  private static let framesPerPart = 4096

  package let format: AudioFormat
  private let dry: Float
  private var network: FeedbackDelayNetwork
  private let inputs: [SIMD16<Float>]
  private let outputs: [SIMD16<Float>]
  private let tailFrameCount: Int
  /// Frames of the tail that are still to come.
  private var remainingFrameCount: Int
  /// The last frames, which reach the room later: a ring.
  private var waiting: [Float]
  private var waitingPosition = 0

  package init(_ reverberation: Reverberation, format: AudioFormat) throws(EffectError) {
    guard format.channelCount <= FeedbackDelayNetwork.lineCount else {
      throw EffectError(
        "a room has at most \(FeedbackDelayNetwork.lineCount) channels, not \(format.channelCount)")
    }
    self.format = format
    let room = RoomAcoustics(reverberation.room)
    let sampleRate = Double(format.sampleRateInHz)
    let network = FeedbackDelayNetwork(room, sampleRate: sampleRate)
    self.network = network
    let wet = Float(reverberation.mix / 100)
    dry = 1 - wet
    let channelCount = format.channelCount
    // Each line listens to one channel.
    inputs = (0..<channelCount).map { channel in
      var weights = SIMD16<Float>.zero
      for line in 0..<FeedbackDelayNetwork.lineCount where line % channelCount == channel { weights[line] = 1 }
      return weights
    }
    outputs = (0..<channelCount).map {
      FeedbackDelayNetwork.signs(channel: $0) * SIMD16(repeating: network.outputScale * wet)
    }
    tailFrameCount = Int((room.tailInSeconds * sampleRate).rounded(.up))
    remainingFrameCount = tailFrameCount
    waiting = [Float](repeating: 0, count: Int(room.delayInSeconds * sampleRate) * channelCount)
  }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount + Int64(tailFrameCount) }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    samples.withUnsafeBufferPointer { run($0, into: &output) }
  }

  package func finish(into output: inout [Float]) -> Bool {
    let frameCount = min(remainingFrameCount, Self.framesPerPart)
    let silence = [Float](repeating: 0, count: frameCount * format.channelCount)
    silence.withUnsafeBufferPointer { run($0, into: &output) }
    remainingFrameCount -= frameCount
    return remainingFrameCount > 0
  }

  private func run(_ samples: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    let channelCount = format.channelCount
    for frame in 0..<samples.count / channelCount {
      var lines = SIMD16<Float>.zero
      for channel in 0..<channelCount { lines += inputs[channel] * later(samples[frame * channelCount + channel]) }
      let room = network.step(lines)
      for channel in 0..<channelCount {
        output.append(samples[frame * channelCount + channel] * dry + (room * outputs[channel]).sum())
      }
    }
  }

  /// The sample that came the room's delay ago.
  private func later(_ sample: Float) -> Float {
    guard !waiting.isEmpty else { return sample }
    defer {
      waiting[waitingPosition] = sample
      waitingPosition += 1
      if waitingPosition == waiting.count { waitingPosition = 0 }
    }
    return waiting[waitingPosition]
  }
}
