/// The colours of the charts that show equalizers.
enum EqualizerColors {
  static func zero(_ theme: ChartTheme) -> PictureColor { theme.maximum.withAlpha(0.35) }

  /// The sum; left and right if they differ.
  static func sums(_ theme: ChartTheme) -> [PictureColor] {
    [theme == .light ? PictureColor(20, 22, 28) : PictureColor(255, 255, 255), PictureColor(255, 120, 90)]
  }

  static let before = PictureColor(120, 130, 150, alpha: 0.35)
  static let beforeText = PictureColor(150, 160, 178)
  static let after = PictureColor(52, 232, 158)

  private static let bands = [
    PictureColor(255, 99, 72), PictureColor(255, 165, 2), PictureColor(236, 204, 104), PictureColor(123, 237, 159),
    PictureColor(46, 213, 200), PictureColor(83, 170, 255), PictureColor(160, 140, 255), PictureColor(255, 121, 198),
  ]

  /// From red for the lowest band to violet for the highest.
  static func band(_ index: Int, of count: Int) -> PictureColor {
    let place = count > 1 ? Double(index) / Double(count - 1) * Double(bands.count - 1) : 1
    let lower = max(0, min(Int(place), bands.count - 2))
    return bands[lower].mixed(with: bands[lower + 1], place - Double(lower)).withAlpha(0.85)
  }
}
