internal import Glibc

/// Refines all bands together by Levenberg–Marquardt steps: least squares of weighted errors in decibels.
struct CurveFitStep {
  /// The cost of each squared decibel of a band's gain: of two solutions with the same curve, the one with smaller
  /// gains wins.
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

  /// Takes at most `count` steps, none of which increases the weighted sum of squares.
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

  /// The order of parameters: global gain, then pitch, gain and sharpness of each band.
  private func moved(_ bands: [FittedBand], _ gain: Double, by step: [Double]) -> ([FittedBand], Double) {
    let range = limits.globalGains
    let newGain = min(max(gain + step[0], range.lowerBound), range.upperBound)
    let newBands = bands.enumerated().map { index, band in
      var band = band
      // Beyond these limits the linear approximation of the step is invalid.
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

/// The normal equations of a weighted least-squares step.
struct NormalEquations {
  private let count: Int
  /// Row by row; only the diagonal and what is below it are filled.
  private var matrix: [Double]
  private var values: [Double]

  /// - Parameters:
  ///   - slopes: For each parameter, the derivative at each point.
  ///   - errors: Target minus model at each point.
  init(slopes: [[Double]], errors: [Double], weights: [Double]) {
    count = slopes.count
    matrix = [Double](repeating: 0, count: count * count)
    let (rows, errors, weights) = (slopes.map(Self.vectors), Self.vectors(errors), Self.vectors(weights))
    values = []
    for (row, slopes) in rows.enumerated() {
      let weighted = zip(slopes, weights).map { $0 * $1 }
      values.append(Self.sum(weighted, errors))
      for column in 0...row { matrix[row * count + column] = Self.sum(weighted, rows[column]) }
    }
  }

  /// The values in vectors of eight, padded with zeros, so that eight products are summed at a time.
  private static func vectors(_ values: [Double]) -> [SIMD8<Double>] {
    stride(from: 0, to: values.count, by: 8).map { start in
      var vector = SIMD8<Double>.zero
      for (lane, value) in values[start...].prefix(8).enumerated() { vector[lane] = value }
      return vector
    }
  }

  private static func sum(_ left: [SIMD8<Double>], _ right: [SIMD8<Double>]) -> Double {
    zip(left, right).reduce(into: SIMD8<Double>.zero) { $0 += $1.0 * $1.1 }.sum()
  }

  /// Adds the cost `strength` · `distance`² for the distance of a parameter from its preferred value.
  mutating func pull(_ parameter: Int, by distance: Double, strength: Double) {
    matrix[parameter * count + parameter] += strength
    values[parameter] -= strength * distance
  }

  /// The step, with the diagonal multiplied by 1 + `damping`; nil if the Cholesky decomposition fails.
  ///
  /// A parameter without influence does not change.
  func solved(damping: Double) -> [Double]? {
    var lower = matrix
    for row in 0..<count {
      let diagonal = lower[row * count + row]
      lower[row * count + row] = diagonal > 1e-12 ? diagonal * (1 + damping) : 1
    }
    for row in 0..<count {
      for column in 0...row {
        var sum = lower[row * count + column]
        for index in 0..<column { sum -= lower[row * count + index] * lower[column * count + index] }
        if row == column {
          guard sum > 0, sum.isFinite else { return nil }
          lower[row * count + row] = sum.squareRoot()
        } else {
          lower[row * count + column] = sum / lower[column * count + column]
        }
      }
    }
    var solution = values
    for row in 0..<count {
      for index in 0..<row { solution[row] -= lower[row * count + index] * solution[index] }
      solution[row] /= lower[row * count + row]
    }
    for row in (0..<count).reversed() {
      for index in row + 1..<max(count, row + 1) { solution[row] -= lower[index * count + row] * solution[index] }
      solution[row] /= lower[row * count + row]
    }
    return solution.allSatisfy(\.isFinite) ? solution : nil
  }
}
