internal import AudioEffects
internal import MediaModel

/// What happens to peaks that an effect or a gain raised above the ceiling.
package enum PeakProtection: String, CaseIterable, Sendable {
  /// A limiter turns loud moments down.
  case limit
  /// The whole track is turned down.
  case headroom
  /// Nothing: integers are cut at full scale.
  case keep

  /// True peak after BS.1770 of what is written losslessly.
  static let ceilingInDBTP = -1.0
  /// Lossy encoders move peaks by about a decibel.
  static let ceilingOfLossyInDBTP = -2.0
}

/// The gain of a rendered track, and whether it needs a limiter.
struct RenderGain {
  /// A limiter reduces the loudness; this many attempts try to compensate for that.
  private static let attemptCount = 3
  private static let toleranceInLU = 0.05
  private static let greatestCompensationInDB = 6.0

  private let ceilingInDBTP: Double
  private(set) var gainInDB = 0.0
  private(set) var needsLimiter = false
  /// By how much the target is missed to protect the peaks.
  private(set) var shortfallInLU: Double?
  /// Before the gain, in LUFS; nil if it was not needed or there is none.
  private(set) var loudness: Double?

  /// - Parameters:
  ///   - fixed: A gain in decibels that is known before, instead of a target.
  ///   - target: Integrated loudness in LUFS; nil to leave it.
  ///   - ceilingInDBTP: For true peaks.
  ///   - stored: What the library knows of the whole track; nil if the effects change it or only a part is rendered.
  ///   - hasNoEffects: A track without effects and gain keeps its peaks.
  init(
    _ recording: ProcessedRecording, fixed: Double? = nil, target: Double?, peaks: PeakProtection,
    ceilingInDBTP: Double, stored: Measures?,
    hasNoEffects: Bool
  ) throws {
    self.ceilingInDBTP = ceilingInDBTP
    if let fixed {
      gainInDB = fixed
      let isHarmless = hasNoEffects && stored?.truePeakInDBTP.map { $0 + fixed <= ceilingInDBTP } ?? false
      needsLimiter = !isHarmless && peaks != .keep
      return
    }
    guard target != nil || !hasNoEffects, target != nil || peaks != .keep else { return }
    // A limiter needs no measurement.
    guard target != nil || peaks == .headroom else {
      needsLimiter = true
      return
    }
    var (loudness, truePeak) = (stored?.integratedLoudnessInLUFS, stored?.truePeakInDBTP)
    if loudness == nil || truePeak == nil { (loudness, truePeak) = try recording.measured() }
    self.loudness = loudness
    if let target, let loudness { gainInDB = target - loudness }
    guard let truePeak, truePeak + gainInDB > ceilingInDBTP, gainInDB != 0 || !hasNoEffects else {
      return
    }
    switch peaks {
    case .keep: break
    case .limit:
      needsLimiter = true
      if let target, loudness != nil { try compensate(recording, target) }
    case .headroom:
      gainInDB = ceilingInDBTP - truePeak
      if let target, let loudness { shortfallInLU = target - loudness - gainInDB }
    }
  }

  /// New stages for after the effects, with the limiter among them.
  func stages(_ format: AudioFormat) -> (stages: [any SoundEffect], limiter: TruePeakLimiter?) {
    var stages: [any SoundEffect] = []
    if gainInDB != 0 { stages.append(Gain(decibels: gainInDB, format: format)) }
    let limiter = needsLimiter ? TruePeakLimiter(format: format, ceilingInDBTP: ceilingInDBTP) : nil
    if let limiter { stages.append(limiter) }
    return (stages, limiter)
  }

  private mutating func compensate(_ recording: ProcessedRecording, _ target: Double) throws {
    let highest = gainInDB + Self.greatestCompensationInDB
    for attempt in 0...Self.attemptCount {
      let measured = try recording.measured(through: stages(try recording.format()).stages)
      guard let loudness = measured.loudness, target - loudness > Self.toleranceInLU else { return }
      guard attempt < Self.attemptCount, gainInDB < highest else {
        shortfallInLU = target - loudness
        return
      }
      gainInDB = min(highest, gainInDB + target - loudness)
    }
  }
}
