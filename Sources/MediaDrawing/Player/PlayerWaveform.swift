package import MediaModel

/// A waveform as characters and colours, drawn once for a size; playing only changes the brightness of its columns.
package struct PlayerWaveform: Hashable, Sendable {
  package let width: Int
  package let height: Int
  private let characters: [Character]
  /// One for each column; empty without colours.
  private let colors: [PictureColor]

  /// - Parameters:
  ///   - peaks: Of the mono mix.
  ///   - energy: Colours the columns by lows, mids and highs.
  package init(
    _ peaks: WaveformPeaks, energy: WaveformEnergy?, width: Int, height: Int, _ capabilities: TerminalCapabilities
  ) {
    self.width = TerminalPictures.side(width)
    self.height = TerminalPictures.side(height)
    let points = 0..<peaks.pointCount
    guard self.width > 0, self.height > 0, !points.isEmpty, peaks.framesPerPoint > 0 else {
      characters = Array(repeating: " ", count: self.width * self.height)
      colors = []
      return
    }
    let extremes = peaks.extremes(of: points, channel: 0)
    let loudest = AmplitudeScale.automatic.factor(
      low: extremes?.lowerBound ?? 0, high: extremes?.upperBound ?? 0)
    let grid = TerminalPictures.dots(
      of: peaks, channel: 0, points: points, factor: loudest,
      grid: DotGrid(width: self.width, height: self.height, capabilities: capabilities))
    var characters: [Character] = []
    for row in 0..<self.height {
      for column in 0..<self.width { characters.append(grid.character(column: column, row: row)) }
    }
    self.characters = characters
    colors = TerminalPictures.columnColors(
      energy, peaks: peaks, origin: 0, points: points, width: self.width, capabilities: capabilities)
  }

  func character(column: Int, row: Int) -> Character { characters[row * width + column] }

  func color(ofColumn column: Int) -> PictureColor { colors.isEmpty ? BandColor.silence : colors[column] }
}
