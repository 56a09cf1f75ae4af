/// The colours of the charts that show spectra.
package struct ChartTheme: Hashable, Sendable {
  var background: PictureColor
  var plot: PictureColor
  var grid: PictureColor
  var text: PictureColor
  /// Of the line of maxima.
  var maximum: PictureColor
  /// From the top of the plot to its bottom: the mix, or the left channel.
  var bars: [PictureColor]
  /// The same for the right channel.
  var rightBars: [PictureColor]

  package static let dark = ChartTheme(
    background: PictureColor(16, 18, 24), plot: PictureColor(22, 25, 33),
    grid: PictureColor(255, 255, 255, alpha: 0.09),
    text: PictureColor(186, 192, 204), maximum: PictureColor(232, 236, 244, alpha: 0.75),
    bars: [PictureColor(255, 197, 0), PictureColor(235, 110, 12), PictureColor(194, 21, 0)],
    rightBars: [PictureColor(52, 232, 158), PictureColor(34, 134, 122), PictureColor(15, 52, 67)])

  package static let light = ChartTheme(
    background: PictureColor(255, 255, 255), plot: PictureColor(246, 247, 250), grid: PictureColor(0, 0, 0, alpha: 0.1),
    text: PictureColor(60, 66, 80), maximum: PictureColor(40, 44, 54, alpha: 0.75),
    bars: [PictureColor(250, 170, 0), PictureColor(235, 110, 12), PictureColor(194, 21, 0)],
    rightBars: [PictureColor(24, 190, 124), PictureColor(20, 120, 112), PictureColor(15, 52, 67)])
}
