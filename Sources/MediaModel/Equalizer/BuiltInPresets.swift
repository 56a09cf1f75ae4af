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
