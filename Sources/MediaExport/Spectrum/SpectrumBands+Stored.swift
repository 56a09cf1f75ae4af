internal import MediaModel

extension SpectrumBands {
  /// The bands of stored levels, of which only the count is stored: 100 Hz to 18 kHz; nil where there are none.
  static func stored(count: Int) -> SpectrumBands? {
    switch count {
    case standard.count: standard
    case 1...: SpectrumBands(count: count, fromHz: standard.edgesInHz[0], toHz: standard.edgesInHz[standard.count])
    default: nil
    }
  }
}
