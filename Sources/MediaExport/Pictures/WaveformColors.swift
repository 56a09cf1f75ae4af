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

  /// The colours of the spectra's dark theme.
  package static let dark = WaveformColors(
    border: PictureColor(60, 66, 80), background: PictureColor(16, 18, 24),
    waveform: [PictureColor(255, 176, 32), PictureColor(76, 201, 240)], axisText: PictureColor(186, 192, 204))

  /// The colours of the spectra's light theme.
  package static let light = WaveformColors(
    border: PictureColor(196, 202, 214), background: PictureColor(255, 255, 255),
    waveform: [PictureColor(214, 92, 12), PictureColor(11, 112, 160)], axisText: PictureColor(60, 66, 80))

  func waveform(ofChannel channel: Int) -> PictureColor {
    waveform.isEmpty ? axisText : waveform[channel % waveform.count]
  }
}
