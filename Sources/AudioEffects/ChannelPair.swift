internal import MediaModel

/// Two neighbouring channels of a stream, or one if the number of channels is odd, and their filters.
struct ChannelPair {
  typealias Pair = SIMD2<Double>

  private static let loudest = Pair(repeating: Double(SoundLimits.greatest))

  private let first: Int
  private let hasSecond: Bool
  private let channelCount: Int
  private var lanes: [BiquadLane]
  /// The ramps of the lanes while the equalizer changes.
  private var ramps: [RampedLane] = []
  private let frames = FrameMemory()

  init(first: Int, channelCount: Int, sections: [EqualizerSection]) {
    self.first = first
    self.channelCount = channelCount
    hasSecond = first + 1 < channelCount
    lanes = []
    lanes = sections.map(lane)
  }

  /// Filters the two channels in place.
  ///
  /// - Parameters:
  ///   - samples: Interleaved frames of all channels, at most one step.
  ///   - gain: The factor at the start of the step.
  ///   - gainDelta: What is added to the factor with each frame.
  ///   - framesIntoStep: The place of the first frame in the step.
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>?, frameCount: Int, gain: Double, gainDelta: Double, framesIntoStep: Int
  ) {
    guard let samples else { return }
    let frames = UnsafeMutableBufferPointer(rebasing: frames.buffer[..<frameCount])
    let second = hasSecond ? first + 1 : first
    // A factor of exactly 1 changes no bits.
    for frame in 0..<frameCount {
      let place = samples + frame * channelCount
      frames[frame] =
        Pair(Double(place[first]), Double(place[second])) * (gain + gainDelta * Double(framesIntoStep + frame))
    }
    if ramps.isEmpty {
      BiquadCascade.run(&lanes, on: frames)
    } else {
      for index in lanes.indices { ramps[index].run(&lanes[index], on: frames) }
    }
    for frame in 0..<frameCount {
      let place = samples + frame * channelCount
      let result = frames[frame].clamped(lowerBound: -Self.loudest, upperBound: Self.loudest)
      place[first] = Float(result.x)
      if hasSecond { place[second] = Float(result.y) }
    }
  }

  /// Starts a ramp to the next step; sections without a lane yet get one.
  mutating func startRamp(from now: [EqualizerSection], to next: [EqualizerSection]) {
    for section in now.dropFirst(lanes.count) { lanes.append(lane(section)) }
    ramps = zip(now, next).enumerated().map { index, sections in
      let (now, next) = sections
      lanes[index].take(lane(now))
      return RampedLane(
        from: lanes[index], mix: now.mix, to: lane(next), targetMix: next.mix,
        frameCount: EqualizerProcessor.framesPerStep)
    }
  }

  /// Ends the ramp with exactly the coefficients of the sections, and removes the lanes at the places in `silent`.
  mutating func settle(at sections: [EqualizerSection], without silent: [Int]) {
    ramps = []
    lanes = lanes.indices.filter { !silent.contains($0) }.map { lanes[$0] }
    for (index, section) in sections.enumerated() { lanes[index].take(lane(section)) }
  }

  mutating func flush() { for index in lanes.indices { lanes[index].flush() } }

  private func lane(_ section: EqualizerSection) -> BiquadLane {
    let coefficients = section.coefficients
    return BiquadLane(
      section.channels.contains(first) ? coefficients : nil,
      section.channels.contains(first + 1) ? coefficients : nil)
  }
}

/// Memory for one step's frames of two channels.
private final class FrameMemory {
  let buffer = UnsafeMutableBufferPointer<SIMD2<Double>>.allocate(capacity: EqualizerProcessor.framesPerStep)

  init() { buffer.initialize(repeating: .zero) }

  deinit { buffer.deallocate() }
}
