/// What one recording is to another one of the same music.
package enum MasterRelation: String, CaseIterable, Sendable {
  /// Equal samples where both have sound.
  case identical
  /// One gain, and what rounding leaves; also with inverted polarity.
  case gain
  /// Another speed, as of a tape or turntable; what else differs is not judged.
  case speed
  /// A flat filter without a gain: another sample rate or word length, now or in between.
  case resampled
  /// One filter for all of it.
  case equalized
  /// A gain that follows the level.
  case compressed
  /// What differs is in the loudest samples.
  case clipped
  /// What differs is noise that follows the sound, as lossy codecs leave it.
  case lossy
  /// Pieces are missing, added or replaced; the rest is judged by itself.
  case edited
  /// The same performance, mixed in another way.
  case otherMix = "other-mix"
  /// No stretch of both has the same samples.
  case otherPerformance = "other-performance"
}

/// The numbers by which two recordings are compared. B is what becomes of A.
package struct MasterFigures: Sendable {
  /// What is left of B, relative to it, when A is subtracted after one gain, and after a filter of least squares; in dB, of the
  /// seconds that hold. Nil if nothing is left.
  package var nullAfterGainInDB: Double?
  package var nullAfterFilterInDB: Double?
  /// What rounding to the bits of both leaves, in dB relative to B.
  package var floorInDB: Double
  /// B relative to A.
  package var gainInDB: Double
  /// How far the filter is from one gain, in dB: the largest deviation of a third octave that both have, from their median.
  package var filterDeviationInDB: Double
  /// The deviation of the best gain of each tenth of a second, in dB.
  package var gainDeviationInDB: Double
  /// The correlation of these gains with the level of A: negative if B is compressed, positive if A is.
  package var gainCorrelation: Double
  /// The share of what the filter leaves that is in the loudest hundredth of the samples.
  package var shareInLoudest: Double
  /// The shares of the samples of A and B in runs at their own ceiling, see ``CeilingMeter``.
  package var shareAtCeiling: (first: Double, second: Double)
  /// Frames with unequal samples.
  package var unequalFrameCount: Int
  package var comparedFrameCount: Int
  /// Of the stretches that were looked at.
  package var agreement: Double
  /// How fast B runs compared with A.
  package var speed: Double
  package var isInverted: Bool
  /// Whether the sample rates differ.
  package var isConverted: Bool
}

extension MasterFigures {
  /// How they were found: docs/comparing.md.
  private enum Limit {
    static let aboveFloorInDB = 6.0
    static let speed = 2e-5
    static let linearInDB = -45.0
    static let flatLinearInDB = -52.0
    static let sameGainInDB = 0.02
    static let silentGainInDB = -120.0
    static let flatInDB = 0.7
    static let unlikeInDB = -12.0
    static let nothingInDB = -2.5
    static let leastAgreement = 0.2
    static let gainDeviationInDB = 0.2
    static let gainCorrelation = 0.3
    /// A limiter that works rarely: codecs deviate by less.
    static let rareGainDeviationInDB = 0.3
    static let rareGainCorrelation = 0.1
    static let certainGainCorrelation = 0.5
    /// What a deep limiter leaves at most.
    static let limitedInDB = -9.0
    static let shareInLoudest = 0.5
    /// Without runs at a ceiling.
    static let certainShareInLoudest = 0.8
    static let ceilingRatio = 10.0
    static let shareAtCeiling = 1e-5
    static let certainShareAtCeiling = 0.002
  }

  /// The relation of the seconds that hold: the first of the rules that does.
  package var relation: MasterRelation {
    if unequalFrameCount == 0 { return .identical }
    guard let afterGain = nullAfterGainInDB, let afterFilter = nullAfterFilterInDB else {
      // Nothing is left, because one gain is exact or because B is silent.
      if gainInDB < Limit.silentGainInDB { return .otherPerformance }
      return isInverted || abs(gainInDB) >= Limit.sameGainInDB ? .gain : .identical
    }
    if afterFilter > Limit.nothingInDB { return .otherPerformance }
    if abs(speed - 1) > Limit.speed { return .speed }
    if afterGain <= floorInDB + Limit.aboveFloorInDB {
      let isSame = !isInverted && (isConverted || abs(gainInDB) < Limit.sameGainInDB)
      return isSame ? .resampled : .gain
    }
    let isFlat = filterDeviationInDB <= Limit.flatInDB
    if afterFilter <= max(isFlat ? Limit.flatLinearInDB : Limit.linearInDB, floorInDB + Limit.aboveFloorInDB) {
      return isFlat ? .resampled : .equalized
    }
    let isLikely = afterFilter <= Limit.unlikeInDB
    let (low, high) = (
      min(shareAtCeiling.first, shareAtCeiling.second), max(shareAtCeiling.first, shareAtCeiling.second)
    )
    let hasCeiling = high >= max(Limit.shareAtCeiling, Limit.ceilingRatio * low)
    if shareInLoudest >= (hasCeiling ? Limit.shareInLoudest : Limit.certainShareInLoudest) { return .clipped }
    if hasCeiling, high >= Limit.certainShareAtCeiling, afterFilter <= Limit.limitedInDB { return .clipped }
    let (deviation, correlation) = (gainDeviationInDB, abs(gainCorrelation))
    if isLikely, deviation >= Limit.rareGainDeviationInDB, correlation >= Limit.rareGainCorrelation {
      return .compressed
    }
    if deviation >= Limit.gainDeviationInDB,
      isLikely && correlation >= Limit.gainCorrelation
        || afterFilter <= Limit.limitedInDB && correlation >= Limit.certainGainCorrelation
    {
      return .compressed
    }
    return isLikely ? .lossy : .otherMix
  }
}
