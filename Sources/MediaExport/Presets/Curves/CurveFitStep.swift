internal import MediaModel

#if canImport(Glibc)
  internal import Glibc
#endif

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
    var rest = target.map { $0 - gain }
    var values = [Double](repeating: 0, count: rest.count)
    for band in bands {
      response.write(band, into: &values)
      for index in rest.indices { rest[index] -= values[index] }
    }
    return rest
  }

  private func cost(_ errors: [Double], _ bands: [FittedBand]) -> Double {
    let gains = bands.reduce(0) { $0 + $1.gain * $1.gain }
    return zip(errors, weights).reduce(Self.gainCost * gains) { $0 + $1.1 * $1.0 * $1.0 }
  }

  private func normalEquations(_ bands: [FittedBand], _ errors: [Double]) -> NormalEquations {
    let count = errors.count
    let isGainFree = limits.globalGains.lowerBound < limits.globalGains.upperBound
    var slopes = [Double](repeating: 0, count: count * (3 * bands.count + 1))
    if isGainFree { for index in 0..<count { slopes[index] = 1 } }
    var below = [Double](repeating: 0, count: count)
    let step = 1e-4
    for (number, band) in bands.enumerated() {
      for parameter in 0..<3 {
        var lower = band
        var upper = band
        switch parameter {
        case 0: (lower.pitch, upper.pitch) = (band.pitch - step, band.pitch + step)
        case 1: (lower.gain, upper.gain) = (band.gain - step, band.gain + step)
        default: (lower.sharpness, upper.sharpness) = (band.sharpness - step, band.sharpness + step)
        }
        let start = count * (3 * number + 1 + parameter)
        response.write(upper, into: &slopes, from: start)
        response.write(lower, into: &below)
        for index in 0..<count { slopes[start + index] = (slopes[start + index] - below[index]) / (2 * step) }
      }
    }
    var equations = NormalEquations(slopes: slopes, errors: errors, weights: weights)
    for (number, band) in bands.enumerated() {
      equations.pull(3 * number + 2, by: band.gain, strength: Self.gainCost)
    }
    return equations
  }
}
