/// The ten-band graphic equalizer: parametric bands one octave apart and one octave wide.
package enum GraphicEqualizer {
  /// 31.25 Hz · 2ⁱ; shown as 32, 64, 125 … 16k.
  package static let centers: [Double] = (0..<10).map { 31.25 * Double(1 << $0) }
  /// The range of a slider, in decibels.
  package static let gains = -12.0...12.0

  /// - Parameter sliders: Ten gains in decibels, −12…12; a slider at 0 gives a band without effect.
  /// - Throws: `PresetError` for any other count, or a gain out of range.
  package static func equalizer(
    sliders: [Double], gain: Double = 0, isCompensated: Bool = false
  ) throws(PresetError) -> Equalizer {
    guard sliders.count == centers.count else {
      throw PresetError("\(sliders.count) gains, but a graphic equalizer has \(centers.count)")
    }
    var bands: [EqualizerBand] = []
    for (center, slider) in zip(centers, sliders) {
      let gain = try PresetError.checked(slider, "gain at \(Int(center)) Hz", in: gains, unit: "dB")
      bands.append(try EqualizerBand(.parametric, frequency: center, gain: gain))
    }
    return try Equalizer(bands: bands, gain: gain, isCompensated: isCompensated)
  }
}

extension Equalizer {
  /// The gains of the ten sliders of the graphic equalizer, in dB; 0 for a slider without a band.
  package var sliderGains: [Double] {
    GraphicEqualizer.centers.map { center in bands.first { $0.isSlider(at: center) }?.gain ?? 0 }
  }

  /// The same with another gain of a slider; all other bands stay.
  package func movingSlider(_ index: Int, to gain: Double) throws(PresetError) -> Equalizer {
    let center = GraphicEqualizer.centers[index]
    let gain = try PresetError.checked(gain, "gain", in: GraphicEqualizer.gains, unit: "dB")
    let others = bands.filter { !$0.isSlider(at: center) }
    let slider = gain == 0 ? [] : [try EqualizerBand(.parametric, frequency: center, gain: gain)]
    return try Equalizer(bands: others + slider, gain: self.gain, isCompensated: isCompensated)
  }
}

extension EqualizerBand {
  fileprivate func isSlider(at center: Double) -> Bool {
    frequency == center && shape == .parametric && width == shape.defaultWidth && channels == .all && !isBypassed
  }
}

/// Solves small systems of linear equations.
enum LinearEquations {
  /// Solves `matrix` · x = `values` by Gaussian elimination with partial pivoting; nil for a singular matrix.
  ///
  /// - Parameter matrix: A square matrix, as an array of rows.
  static func solve(_ matrix: [[Double]], _ values: [Double]) -> [Double]? {
    var rows = zip(matrix, values).map { $0 + [$1] }
    let count = rows.count
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-12
      else { return nil }
      rows.swapAt(column, pivot)
      for row in column + 1..<max(count, column + 1) {
        let factor = rows[row][column] / rows[column][column]
        for index in column...count { rows[row][index] -= factor * rows[column][index] }
      }
    }
    var solution = [Double](repeating: 0, count: count)
    for row in (0..<count).reversed() {
      let known = (row + 1..<max(count, row + 1)).reduce(0) { $0 + rows[row][$1] * solution[$1] }
      solution[row] = (rows[row][count] - known) / rows[row][row]
    }
    return solution
  }
}
