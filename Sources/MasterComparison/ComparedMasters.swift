/// Two recordings, compared sample by sample.
package struct ComparedMasters: Sendable {
  /// One of both, as it is known before it is decoded.
  package struct Side {
    package var signal: any ComparedSignal
    package var levels: LevelCurve
    /// Of each sample; nil if there are none, as with lossy codecs.
    package var bits: Int?

    package init(_ signal: any ComparedSignal, levels: LevelCurve, bits: Int?) {
      self.signal = signal
      self.levels = levels
      self.bits = bits
    }
  }

  /// A place at which the recordings differ from the rest, in seconds.
  package struct Edit: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// What follows lies elsewhere in B: something is missing or added here.
      case shifted
      /// Other sound for some seconds.
      case differs
    }

    package var kind: Kind
    /// In A.
    package var start: Double
    /// In B.
    package var startInB: Double
    /// Of other sound; or of what B has more, negative if it has less.
    package var length: Double
  }

  /// A third octave, in dB.
  package struct Band: Hashable, Sendable {
    package var centerInHz: Double
    /// Of A to B by the filter; nil where either is too soft to tell.
    package var filterInDB: Double?
    /// What is left relative to B; nil where B is silent.
    package var afterGainInDB: Double?
    package var afterFilterInDB: Double?
  }

  package let relation: MasterRelation
  /// Of what was not edited.
  package let relationOfRest: MasterRelation?
  /// nil if no stretch of both has the same samples.
  package let figures: MasterFigures?
  /// Where B begins in A, in seconds, and in frames of A.
  package let offsetInSeconds: Double?
  package let offsetInFrames: Double?
  /// What both have, in seconds of A.
  package let commonInSeconds: Range<Double>?
  package let edits: [Edit]
  package let bands: [Band]
  package let dynamics: (first: MeasuredDynamics?, second: MeasuredDynamics?)
  /// The gain over time: of each second of A the best one, in dB; nil where either is silent.
  package let gains: [Double?]
}

extension ComparedMasters {
  /// What has no sound in common.
  init(unlike dynamics: (MeasuredDynamics?, MeasuredDynamics?)) {
    self.init(
      relation: .otherPerformance, relationOfRest: nil, figures: nil, offsetInSeconds: nil, offsetInFrames: nil,
      commonInSeconds: nil, edits: [], bands: [], dynamics: dynamics, gains: [])
  }
}
