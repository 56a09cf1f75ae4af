/// The colours of a waveform picture.
package struct WaveformColors: Hashable, Sendable {
  package var border: PictureColor
  package var background: PictureColor
  /// One for each channel, reused in turn; at least one.
  package var waveform: [PictureColor]
  package var axisText: PictureColor

  package init(
    border: PictureColor, background: PictureColor, waveform: [PictureColor], axisText: PictureColor
  ) {
    self.border = border
    self.background = background
    self.waveform = waveform
    self.axisText = axisText
  }

  package static let audacity = WaveformColors(
    border: PictureColor(0, 0, 0), background: PictureColor(214, 214, 214), waveform: [PictureColor(63, 77, 155)],
    axisText: PictureColor(0, 0, 0))

  package static let audition = WaveformColors(
    border: PictureColor(157, 157, 157), background: PictureColor(0, 63, 34),
    waveform: [PictureColor(134, 252, 199)], axisText: PictureColor(190, 190, 190))

  func waveform(ofChannel channel: Int) -> PictureColor {
    waveform.isEmpty ? axisText : waveform[channel % waveform.count]
  }
}
