internal import AudioEffects
internal import MediaModel

/// By how much a rendered track is turned up or down, and whether a limiter has work to do.
struct RenderLevel {
  /// A limiter takes loudness away; it is given back as far as that goes in so many attempts.
  private static let attemptCount = 3
  private static let toleranceInLU = 0.05
  private static let greatestCompensationInDB = 6.0

  private let ceilingInDBTP: Double
  private(set) var gainInDB = 0.0
  private(set) var needsLimiter = false
  /// By how much the target is missed for the sake of the peaks.
  private(set) var shortfallInLU: Double?
  /// Before the gain; nil where nobody needed it.
  private(set) var loudness: Double?

  /// - Parameters:
  ///   - ceilingInDBTP: For true peaks.
  ///   - stored: What the library knows of the whole track; nil where it is another sound that is rendered.
  ///   - hasNoEffects: What needs no gain either keeps its peaks.
  init(
    _ sound: RenderedSound, target: Double?, peaks: PeakProtection, ceilingInDBTP: Double, stored: Measures?,
    hasNoEffects: Bool
  ) throws {
    self.ceilingInDBTP = ceilingInDBTP
    guard target != nil || !hasNoEffects, target != nil || peaks != .keep else { return }
    // A limiter finds out by itself what it has to do.
    guard target != nil || peaks == .headroom else {
      needsLimiter = true
      return
    }
    var (loudness, truePeak) = (stored?.integratedLoudnessInLUFS, stored?.truePeakInDBTP)
    if loudness == nil || truePeak == nil { (loudness, truePeak) = try sound.measured() }
    self.loudness = loudness
    if let target, let loudness { gainInDB = target - loudness }
    guard let truePeak, truePeak + gainInDB > ceilingInDBTP, gainInDB != 0 || !hasNoEffects else {
      return
    }
    switch peaks {
    case .keep: break
    case .limit:
      needsLimiter = true
      if let target, loudness != nil { try compensate(sound, target) }
    case .headroom:
      gainInDB = ceilingInDBTP - truePeak
      if let target, let loudness { shortfallInLU = target - loudness - gainInDB }
    }
  }

  /// What comes behind the effects, new each time, and the limiter among it.
  func stages(_ format: AudioFormat) -> (stages: [any SoundEffect], limiter: TruePeakLimiter?) {
    var stages: [any SoundEffect] = []
    if gainInDB != 0 { stages.append(Gain(decibels: gainInDB, format: format)) }
    let limiter = needsLimiter ? TruePeakLimiter(format: format, ceilingInDBTP: ceilingInDBTP) : nil
    if let limiter { stages.append(limiter) }
    return (stages, limiter)
  }

  private mutating func compensate(_ sound: RenderedSound, _ target: Double) throws {
    let highest = gainInDB + Self.greatestCompensationInDB
    for attempt in 0...Self.attemptCount {
      let measured = try sound.measured(through: stages(try sound.format()).stages)
      guard let loudness = measured.loudness, target - loudness > Self.toleranceInLU else { return }
      guard attempt < Self.attemptCount, gainInDB < highest else {
        shortfallInLU = target - loudness
        return
      }
      gainInDB = min(highest, gainInDB + target - loudness)
    }
  }
}
