/// The colours of the charts that show spectra.
enum ChartColors {
  static let background = PictureColor(16, 18, 24)
  static let plot = PictureColor(22, 25, 33)
  static let grid = PictureColor(255, 255, 255, alpha: 0.09)
  static let text = PictureColor(186, 192, 204)
  static let maximum = PictureColor(232, 236, 244, alpha: 0.75)
  /// From the top of the plot to its bottom.
  static let bars = [PictureColor(255, 197, 0), PictureColor(235, 110, 12), PictureColor(194, 21, 0)]
}
