/// The transition from the sections of one equalizer to those of another, in steps.
struct CoefficientRamp {
  private var origin: [EqualizerSection]
  private var target: [EqualizerSection]
  private var startGain: Double
  private var targetGain: Double
  private let stepCount: Int
  private var step: Int

  /// At rest, at the given sections.
  ///
  /// - Parameters:
  ///   - gain: In decibels.
  ///   - stepCount: The number of steps of each transition.
  init(_ sections: [EqualizerSection], gain: Double, stepCount: Int) {
    (origin, target) = (sections, sections)
    (startGain, targetGain) = (gain, gain)
    self.stepCount = stepCount
    step = stepCount
  }

  var isMoving: Bool { step < stepCount }

  /// The sections at the current step.
  var sections: [EqualizerSection] {
    isMoving ? zip(origin, target).map { $0.moved(to: $1, by: part) } : target
  }
  /// The gain at the current step, in decibels.
  var gain: Double { startGain + (targetGain - startGain) * (isMoving ? part : 1) }

  /// How much of the transition is done, `0...1`; it is slow at both ends.
  private var part: Double {
    let time = Double(step) / Double(stepCount)
    return time * time * (3 - 2 * time)
  }

  mutating func advance() { step += 1 }

  /// Removes the sections that have faded out.
  ///
  /// - Returns: Their places, in order; no set, because its seed is a random number, which the page's worklet cannot get.
  mutating func removeSilent() -> [Int] {
    let silent = target.indices.filter { target[$0].mix == 0 }
    guard !silent.isEmpty else { return [] }
    target = target.indices.filter { !silent.contains($0) }.map { target[$0] }
    origin = target
    return silent
  }

  /// Starts a transition from the current step to other sections.
  ///
  /// Existing sections keep their places; new ones are added after them. Each section becomes the nearest wanted
  /// section of the same shape and channels, or fades out if there is none; the other wanted sections fade in.
  mutating func start(to wanted: [EqualizerSection], gain wantedGain: Double) {
    let now = sections
    (startGain, targetGain) = (gain, wantedGain)
    var free = Array(wanted.indices)
    target = now.map { section in
      let candidates = free.indices.filter { wanted[free[$0]].isSibling(of: section) }
      let nearest = candidates.min {
        abs(wanted[free[$0]].logOmega - section.logOmega) < abs(wanted[free[$1]].logOmega - section.logOmega)
      }
      guard let nearest else {
        var silent = section
        silent.mix = 0
        return silent
      }
      return wanted[free.remove(at: nearest)]
    }
    origin = now
    for index in free {
      var silent = wanted[index]
      silent.mix = 0
      origin.append(silent)
      target.append(wanted[index])
    }
    step = 0
  }
}

/// The linear ramp of one filter to other coefficients, one increment per frame.
///
/// All filters between two stable ones are stable, because the coefficients of stable filters form a triangle.
struct RampedLane {
  typealias Pair = SIMD2<Double>

  private var delta: BiquadLane
  private var mix: Double
  private let mixDelta: Double

  /// - Parameters:
  ///   - lane: The coefficients at the start.
  ///   - mix: How much of the filter is heard at the start, `0...1`.
  ///   - target: The coefficients after `frameCount` frames.
  ///   - targetMix: How much of the filter is heard after `frameCount` frames, `0...1`.
  init(from lane: BiquadLane, mix: Double, to target: BiquadLane, targetMix: Double, frameCount: Int) {
    let scale = Pair(repeating: 1 / Double(frameCount))
    delta = target
    delta.b0 = (target.b0 - lane.b0) * scale
    delta.b1 = (target.b1 - lane.b1) * scale
    delta.b2 = (target.b2 - lane.b2) * scale
    delta.a1 = (target.a1 - lane.a1) * scale
    delta.a2 = (target.a2 - lane.a2) * scale
    self.mix = mix
    mixDelta = (targetMix - mix) / Double(frameCount)
  }

  /// Filters frames in place and changes the coefficients of `lane` with each of them.
  mutating func run(_ lane: inout BiquadLane, on frames: UnsafeMutableBufferPointer<Pair>) {
    for frame in frames.indices {
      let x = frames[frame]
      let y = lane.step(x)
      frames[frame] = x + (y - x) * mix
      lane.b0 += delta.b0
      lane.b1 += delta.b1
      lane.b2 += delta.b2
      lane.a1 += delta.a1
      lane.a2 += delta.a2
      mix += mixDelta
    }
  }
}
