package import MediaModel

/// Adds the reverberation of a room to a stream, and its decay after the end of the stream.
package final class ReverberationProcessor: SoundEffect {
  /// The number of frames of the tail in one call of ``finish(into:)``.
  private static let framesPerPart = 4096

  package let format: AudioFormat
  private let dry: Float
  private var network: FeedbackDelayNetwork
  private let inputs: [SIMD16<Float>]
  private let outputs: [SIMD16<Float>]
  private let tailFrameCount: Int
  /// The number of frames of the tail that are still missing.
  private var remainingFrameCount: Int
  /// The last frames, which reach the room after its delay, as a ring.
  private var waiting: [Float]
  private var waitingPosition = 0

  package init(_ reverberation: Reverberation, format: AudioFormat) throws(EffectError) {
    guard format.channelCount <= FeedbackDelayNetwork.lineCount else {
      throw EffectError(
        "reverberation works with at most \(FeedbackDelayNetwork.lineCount) channels, not \(format.channelCount)")
    }
    self.format = format
    let room = RoomAcoustics(reverberation.room)
    let sampleRate = Double(format.sampleRateInHz)
    let network = FeedbackDelayNetwork(room, sampleRate: sampleRate)
    self.network = network
    let wet = Float(reverberation.mix / 100)
    dry = 1 - wet
    let channelCount = format.channelCount
    // Each line takes one channel.
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

  /// Stores a sample and gives the one that is older by the room's delay.
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

/// The acoustic properties of a room.
package struct RoomAcoustics: Hashable, Sendable {
  /// The time in which frequencies up to 1 kHz decay by 60 dB.
  package let reverberationTimeInSeconds: Double
  /// The time at 5 kHz relative to that.
  let trebleRatio: Double
  /// The time between the direct sound and the first reflection.
  let delayInSeconds: Double
  /// The times of the shortest and the longest path.
  let pathsInSeconds: ClosedRange<Double>

  package init(_ room: Reverberation.Room) {
    let values: (time: Double, treble: Double, delay: Double, paths: ClosedRange<Double>) =
      switch room {
      case .smallRoom: (0.4, 0.6, 0.002, 0.005...0.017)
      case .mediumRoom: (0.7, 0.6, 0.005, 0.009...0.029)
      case .largeRoom: (1.0, 0.55, 0.009, 0.014...0.041)
      case .mediumChamber: (1.2, 0.65, 0.008, 0.012...0.037)
      case .largeChamber: (1.8, 0.65, 0.012, 0.017...0.047)
      case .plate: (1.5, 0.85, 0, 0.007...0.031)
      case .mediumHall: (1.8, 0.5, 0.018, 0.023...0.067)
      case .largeHall: (2.6, 0.45, 0.025, 0.031...0.089)
      case .cathedral: (5.0, 0.4, 0.035, 0.041...0.113)
      }
    (reverberationTimeInSeconds, trebleRatio, delayInSeconds, pathsInSeconds) =
      (values.time, values.treble, values.delay, values.paths)
  }

  /// The length of the tail: after it the level has fallen by 90 dB.
  package var tailInSeconds: Double { 1.5 * reverberationTimeInSeconds + delayInSeconds }
}
