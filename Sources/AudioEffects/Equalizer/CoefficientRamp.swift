/// How the sections of an equalizer become those of another one, and where they are on the way.
struct CoefficientRamp {
  private var start: [EqualizerSection]
  private var target: [EqualizerSection]
  private var startGain: Double
  private var targetGain: Double
  private let stepCount: Int
  private var step: Int

  /// At rest, where the sections are.
  init(_ sections: [EqualizerSection], gain: Double, stepCount: Int) {
    (start, target) = (sections, sections)
    (startGain, targetGain) = (gain, gain)
    self.stepCount = stepCount
    step = stepCount
  }

  var isMoving: Bool { step < stepCount }

  /// Where it is now.
  var sections: [EqualizerSection] {
    isMoving ? zip(start, target).map { $0.moved(to: $1, by: part) } : target
  }
  /// In decibels.
  var gain: Double { startGain + (targetGain - startGain) * (isMoving ? part : 1) }

  /// Slow at both ends.
  private var part: Double {
    let time = Double(step) / Double(stepCount)
    return time * time * (3 - 2 * time)
  }

  mutating func advance() { step += 1 }

  /// Takes away sections that have faded out; their places are returned.
  mutating func removeSilent() -> Set<Int> {
    let silent = Set(target.indices.filter { target[$0].mix == 0 })
    guard !silent.isEmpty else { return [] }
    target = target.indices.filter { !silent.contains($0) }.map { target[$0] }
    start = target
    return silent
  }

  /// Sets out for other sections from where it is now.
  ///
  /// The places of the sections that are there stay; new ones come behind them. Each section becomes the nearest of its
  /// kind, or fades out; what nothing became fades in.
  mutating func setOut(for wanted: [EqualizerSection], gain wantedGain: Double) {
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
    start = now
    for index in free {
      var silent = wanted[index]
      silent.mix = 0
      start.append(silent)
      target.append(wanted[index])
    }
    step = 0
  }
}
