internal import MediaModel

/// By how much a rendered track is turned up or down, and whether a limiter has work to do.
struct RenderLevel {
  private(set) var gainInDB = 0.0
  private(set) var needsLimiter = false
  /// Before the gain; nil where nobody needed it.
  private(set) var loudness: Double?

  /// - Parameters:
  ///   - stored: What the library knows of the whole track; nil where it is another sound that is rendered.
  ///   - hasNoEffects: What needs no gain either keeps its peaks.
  init(
    _ sound: RenderedSound, target: Double?, peaks: PeakProtection, stored: Measures?, hasNoEffects: Bool
  ) throws {
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
    guard let truePeak, truePeak + gainInDB > PeakProtection.ceilingInDBTP, gainInDB != 0 || !hasNoEffects else {
      return
    }
    switch peaks {
    case .keep: break
    case .limit: needsLimiter = true
    case .headroom: gainInDB = PeakProtection.ceilingInDBTP - truePeak
    }
  }
}
