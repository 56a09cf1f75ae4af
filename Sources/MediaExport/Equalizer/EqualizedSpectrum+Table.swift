internal import MediaModel

extension EqualizerChart {
  /// The spectrum before and after, for the terminal; nil where none is known.
  package var spectrumTables: (before: SpectrumTable, after: SpectrumTable)? {
    guard let spectrum, !spectrum.bands.isEmpty else { return nil }
    func table(_ level: (EqualizedSpectrum.Band) -> Double) -> SpectrumTable {
      SpectrumTable(spectrum.bands, sampleRate: spectrum.sampleRateInHz, level: level)
    }
    return (table(\.before), table(\.after))
  }
}

extension SpectrumTable {
  fileprivate init(_ bands: [EqualizedSpectrum.Band], sampleRate: Int, level: (EqualizedSpectrum.Band) -> Double) {
    sampleRateInHz = sampleRate
    weighting = .none
    self.bands = bands.map { Band(lowInHz: $0.lowInHz, highInHz: $0.highInHz, meanInDB: level($0)) }
  }
}
