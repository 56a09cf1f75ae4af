internal import MediaModel

/// Which window serves which band of a spectrogram.
///
/// A long window tells frequencies apart, a short one times. The ear does the first at low frequencies and the second at high
/// ones; so a band gets the shortest window that puts 4.7 bins into it, or into a fifteenth of its frequency where it is
/// narrower than that. Between columns that are close together windows become shorter. Equally wide bands share one window,
/// so that there is no seam where the grain changes.
struct SpectrogramWindows {
  private static let binsPerBand = 4.7
  private static let relativeWidth = 1.0 / 15
  private static let widestBinInHz = 24.0

  private let sizeOfBand: [Int?]

  init(_ recipe: SpectrogramRecipe, sampleRateInHz: Int) {
    let rate = Double(sampleRateInHz)
    let edges = recipe.edgesInHz
    let limits = SpectrogramRecipe.windowFrameCounts
    var usual = limits.lowerBound
    while rate / Double(usual) > Self.widestBinInHz, usual < limits.upperBound / 4 { usual *= 2 }
    var shortest = max(limits.lowerBound, usual / 4)
    while shortest < usual, shortest / 4 < recipe.framesPerColumn { shortest *= 2 }
    let longest = usual * 4
    let (firstWidth, lastWidth) = (edges[1] - edges[0], edges[edges.count - 1] - edges[edges.count - 2])
    let isLinear = recipe.bandCount > 1 && abs(lastWidth - firstWidth) < 0.001 * firstWidth
    sizeOfBand = (0..<recipe.bandCount).map { band in
      let (low, high) = (edges[band], edges[band + 1])
      guard low < rate / 2 else { return nil }
      if let size = recipe.windowFrameCount { return size }
      let least = isLinear ? Self.widestBinInHz * Self.binsPerBand : (low * high).squareRoot() * Self.relativeWidth
      let width = max(high - low, least)
      var size = shortest
      while size < longest, rate / Double(size) * Self.binsPerBand > width { size *= 2 }
      return size
    }
  }

  /// Ascending.
  var sizes: [Int] { Set(sizeOfBand.compactMap { $0 }).sorted() }

  /// Bands above half the sample rate have none.
  func bands(ofSize size: Int) -> [Int] { sizeOfBand.indices.filter { sizeOfBand[$0] == size } }
}
