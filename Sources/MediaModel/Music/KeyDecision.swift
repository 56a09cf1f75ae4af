internal import Glibc

/// The key of a recording, as it was measured.
package struct KeyEstimate: Hashable, Sendable {
  package var key: MusicalKey
  /// How far it is ahead of the next best key: 0 as good, 1 the only one.
  package var confidence: Double

  package init(key: MusicalKey, confidence: Double) {
    self.key = key
    self.confidence = confidence
  }
}

extension ChromaSummary {
  /// How sharp the recording is against A at 440 Hz, in cents: `-50..<50`.
  package var tuningInCents: Double {
    var (real, imaginary) = (0.0, 0.0)
    for band in shares {
      for (step, share) in band.enumerated() {
        let angle = 2 * Double.pi * Double(step) / Double(Self.stepsPerSemitone)
        real += Double(share) * cos(angle)
        imaginary += Double(share) * sin(angle)
      }
    }
    return real == 0 && imaginary == 0 ? 0 : atan2(imaginary, real) / (2 * .pi) * 100
  }

  /// How much each pitch class sounds in a band, from C on, after its tuning is taken out; the greatest is 1, or all are 0.
  ///
  /// - Parameter band: nil for all bands together.
  package func pitchClasses(inBand band: Int? = nil) -> [Double] {
    let tuning = tuningInCents / 100
    var result = [Double](repeating: 0, count: 12)
    for (index, own) in shares.enumerated() where band == nil || band == index {
      for (step, share) in own.enumerated() where share > 0 {
        let semitones = Double(step) / Double(Self.stepsPerSemitone) - tuning
        let nearest = semitones.rounded()
        // A pitch half-way between two classes belongs to neither.
        let weight = cos(.pi * (semitones - nearest))
        result[(Int(nearest) + 9 + 12) % 12] += Double(share) * weight * weight
      }
    }
    let greatest = result.max() ?? 0
    return greatest > 0 ? result.map { $0 / greatest } : result
  }

  /// The key whose profile correlates best with the pitch classes: all bands count for 0.6, the bass for 0.25, the middle
  /// for 0.15. nil if nothing sounds.
  ///
  /// Source: Á. Faraldo, S. Jordà and P. Herrera, A Multi-Profile Method for Key Estimation in EDM (2017): profile
  /// `bgate`, and the gate of 0.2.
  package var key: KeyEstimate? {
    let parts = [(nil, 0.6), (0, 0.25), (1, 0.15)].map { band, weight in
      (classes: pitchClasses(inBand: band).map { $0 < 0.2 ? 0 : $0 }, weight: weight)
    }
    guard parts[0].classes.contains(where: { $0 > 0 }) else { return nil }
    let scores = MusicalKey.all.map { key in
      parts.reduce(0.0) { $0 + $1.weight * Self.likeness($1.classes, Self.profiles[key.mode.rawValue], key.tonic) }
    }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best] > 0,
      let key = MusicalKey(number: best)
    else { return nil }
    let next = scores.indices.filter { $0 != best }.map { scores[$0] }.max() ?? 0
    return KeyEstimate(key: key, confidence: min(1, 1 - max(0, next) / scores[best]))
  }

  /// How well the best major and the best minor key fit: `-1...1` each.
  package var likenessOfModes: (major: Double, minor: Double) {
    let classes = pitchClasses()
    func best(_ mode: MusicalKey.Mode) -> Double {
      (0..<12).map { Self.likeness(classes, Self.profiles[mode.rawValue], $0) }.max() ?? 0
    }
    return (best(.major), best(.minor))
  }

  private static let profiles: [[Double]] = [
    [1, 0, 0.42, 0, 0.53, 0.37, 0, 0.77, 0, 0.38, 0.21, 0.30],
    [1, 0, 0.36, 0.39, 0, 0.38, 0, 0.74, 0.27, 0, 0.42, 0.23],
  ]

  /// Pearson's correlation of pitch classes with a profile that begins at a tonic; 0 if either is flat.
  private static func likeness(_ classes: [Double], _ profile: [Double], _ tonic: Int) -> Double {
    let (meanClass, meanProfile) = (classes.reduce(0, +) / 12, profile.reduce(0, +) / 12)
    var (product, ofClasses, ofProfile) = (0.0, 0.0, 0.0)
    for index in 0..<12 {
      let a = classes[(index + tonic) % 12] - meanClass
      let b = profile[index] - meanProfile
      product += a * b
      ofClasses += a * a
      ofProfile += b * b
    }
    return ofClasses > 0 && ofProfile > 0 ? product / (ofClasses * ofProfile).squareRoot() : 0
  }
}
