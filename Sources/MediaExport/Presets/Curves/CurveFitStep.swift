internal import Glibc
internal import MediaModel

/// Improves bands together by steps of Levenberg and Marquardt's method: least squares of weighted errors in decibels.
struct CurveFitStep {
  /// What each squared decibel of a band's gain costs: of two ways to the same curve, the one with smaller gains is taken.
  private static let gainCost = 0.02

  private let response: BandResponse
  private let target: [Double]
  private let weights: [Double]
  private let limits: CurveFit.Limits
  private var damping = 1e-3

  init(response: BandResponse, target: [Double], weights: [Double], limits: CurveFit.Limits) {
    self.response = response
    self.target = target
    self.weights = weights
    self.limits = limits
  }

  /// Takes at most `count` steps; none makes the sum of squares larger.
  mutating func improve(_ bands: inout [FittedBand], gain: inout Double, count: Int) {
    var errors = errors(bands, gain)
    var cost = cost(errors, bands)
    var remaining = count
    while remaining > 0 {
      let system = normalEquations(bands, errors)
      var isBetter = false
      while remaining > 0, !isBetter, damping < 1e9 {
        remaining -= 1
        guard let step = system.solved(damping: damping) else {
          damping *= 8
          continue
        }
        let (newBands, newGain) = moved(bands, gain, by: step)
        let newErrors = self.errors(newBands, newGain)
        let newCost = self.cost(newErrors, newBands)
        if newCost < cost {
          isBetter = true
          let gained = (cost - newCost) / max(cost, 1e-12)
          (bands, gain, errors, cost) = (newBands, newGain, newErrors, newCost)
          damping = max(damping / 4, 1e-9)
          if gained < 1e-7 { return }
        } else {
          damping *= 6
        }
      }
      if !isBetter { return }
    }
  }

  /// Parameters in order: the gain for all, then pitch, gain and sharpness of each band.
  private func moved(_ bands: [FittedBand], _ gain: Double, by step: [Double]) -> ([FittedBand], Double) {
    let range = limits.globalGains
    let newGain = min(max(gain + step[0], range.lowerBound), range.upperBound)
    let newBands = bands.enumerated().map { index, band in
      var band = band
      // Further than this the straight line that the step assumes is not the curve any more.
      band.pitch += min(max(step[3 * index + 1], -0.5), 0.5)
      band.gain += min(max(step[3 * index + 2], -6), 6)
      band.sharpness += min(max(step[3 * index + 3], -0.7), 0.7)
      band.bound(to: limits)
      return band
    }
    return (newBands, newGain)
  }

  private func errors(_ bands: [FittedBand], _ gain: Double) -> [Double] {
    zip(target, response.decibels(bands)).map { $0 - gain - $1 }
  }

  private func cost(_ errors: [Double], _ bands: [FittedBand]) -> Double {
    let gains = bands.reduce(0) { $0 + $1.gain * $1.gain }
    return zip(errors, weights).reduce(Self.gainCost * gains) { $0 + $1.1 * $1.0 * $1.0 }
  }

  private func normalEquations(_ bands: [FittedBand], _ errors: [Double]) -> NormalEquations {
    let isGainFree = limits.globalGains.lowerBound < limits.globalGains.upperBound
    var slopes = [[Double](repeating: isGainFree ? 1 : 0, count: errors.count)]
    for band in bands {
      for parameter in [\FittedBand.pitch, \.gain, \.sharpness] {
        slopes.append(response.slopes(of: band, by: parameter))
      }
    }
    var equations = NormalEquations(slopes: slopes, errors: errors, weights: weights)
    for (number, band) in bands.enumerated() {
      equations.pull(3 * number + 2, by: band.gain, strength: Self.gainCost)
    }
    return equations
  }
}
