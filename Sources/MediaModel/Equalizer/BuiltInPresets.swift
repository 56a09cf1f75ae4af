extension Preset {
  /// The presets that come with the program, in the order in which they are listed.
  ///
  /// Names must not change, because assignments in libraries refer to them. The gain of each keeps its curve at or
  /// below 0 dB for sample rates from 8 to 192 kHz.
  package static let builtIn: [Preset] = [
    make("Flat", gain: 0, []),
    make("Bass", gain: -6, [(.lowShelf, 100, 6)]),
    make("Less bass", gain: 0, [(.lowShelf, 120, -6)]),
    make("Treble", gain: -5, [(.highShelf, 6_000, 5)]),
    make("Less treble", gain: 0, [(.highShelf, 5_000, -5)]),
    make("Loudness", gain: -7, [(.lowShelf, 90, 7), (.highShelf, 9_000, 4)]),
    make("Voice", gain: -4, [(.highPass, 80, 0), (.parametric, 250, -3), (.parametric, 3_000, 4)]),
    make("Small speakers", gain: -4, [(.highPass, 90, 0), (.parametric, 160, 4), (.highShelf, 8_000, 2)]),
    make("Night", gain: 0, [(.lowShelf, 120, -8), (.highShelf, 8_000, -3)]),
    make("Air", gain: -4, [(.highShelf, 12_000, 4)]),
    make("Rumble filter", gain: 0, [(.highPass, 25, 0), (.highPass, 30, 0)]),
    make("Hiss filter", gain: 0, [(.lowPass, 8_000, 0)]),
    make("Telephone", gain: 0, [(.highPass, 300, 0), (.highPass, 320, 0), (.lowPass, 3_200, 0), (.lowPass, 3_400, 0)]),
  ].compactMap { $0 }

  /// nil for values out of range; a test shows that there are none.
  private static func make(
    _ name: String, gain: Double, _ bands: [(shape: FilterShape, frequency: Double, gain: Double)]
  ) -> Preset? {
    let bands = bands.compactMap { try? EqualizerBand($0.shape, frequency: $0.frequency, gain: $0.gain) }
    guard let name = try? PresetName(name), let equalizer = try? Equalizer(bands: bands, gain: gain),
      let chain = try? EffectChain(equalizer: equalizer)
    else { return nil }
    return Preset(name: name, chain: chain)
  }
}

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
