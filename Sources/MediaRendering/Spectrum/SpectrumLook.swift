package import MediaDrawing
package import MediaModel

/// The formats a spectrum can be written in; the raw values are the usual endings of their files.
package enum SpectrumFormat: String, CaseIterable, Sendable {
  case json, csv
  case png, svg, pdf

  /// nil for data.
  package var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }
}

/// Which part of a spectrum is wanted, in which bands; nil stands for what is stored or suits the output.
package struct SpectrumExtent: Hashable, Sendable {
  package enum Zoom: Hashable, Sendable {
    case framesPerColumn(Int)
    case columnsPerSecond(Int)
    /// The whole part in the width.
    case fitting
  }

  package var weighting = FrequencyWeighting.none
  package var bandCount: Int?
  package var fromHz: Double?
  package var toHz: Double?
  /// Left and right instead of the mix; of the average.
  package var splitsChannels = false
  package var part = TrackPart()
  /// Of the spectrogram.
  package var zoom: Zoom?
  /// Of the spectrogram, a power of two; nil for longer windows in lower bands.
  package var windowFrameCount: Int?
  /// Whether to decode even if stored levels would do.
  package var isExact = false
  /// Whether the bands are smoothed over seven, weighted 1 2 3 5 3 2 1.
  package var isSmoothed = false
  /// How much of a column goes into the next, 0 to 1; of the spectrogram.
  package var timeSmoothing = 0.0

  package init() {}

  /// - Throws: ``RenderingError/spectrum(reason:)`` for bands that are not possible.
  package func averageRequest() throws(RenderingError) -> SpectrumRequest {
    try SpectrumRequest(
      bandCount: bandCount ?? 80, fromHz: fromHz ?? 100, toHz: toHz ?? 18_000, weighting: weighting,
      splitsChannels: splitsChannels, isSmoothed: isSmoothed, isExact: isExact || part.isGiven)
  }

  /// What is asked of a spectrogram as data; a picture chooses another zoom.
  var spectrogramRequest: SpectrogramRequest {
    var request = SpectrogramRequest()
    request.startInSeconds = part.startInSeconds ?? 0
    request.endInSeconds = part.endInSeconds
    request.bandCount = bandCount
    request.fromHz = fromHz
    request.toHz = toHz
    request.windowFrameCount = windowFrameCount
    request.isExact = isExact
    switch zoom {
    case .framesPerColumn(let frames): request.zoom = .framesPerColumn(frames)
    case .columnsPerSecond(let columns): request.zoom = .columnsPerSecond(columns)
    case .fitting, nil: break
    }
    return request
  }

  /// The bands of a stored spectrogram that are shown.
  var frequencies: ClosedRange<Double> {
    let low = fromHz ?? 0
    return low...max(low, toHz ?? .infinity)
  }
}

/// How the picture or drawing of a spectrum looks.
package struct SpectrumLook: Hashable, Sendable {
  /// In pixels, or columns of data for a zoom that fits.
  package var width: Int?
  /// In pixels or lines.
  package var height: Int?
  package var scale = FrequencyAxis.Scale.log
  /// The levels of the axis or the colours; nil for 80 dB below the loudest.
  package var levels: DecibelRange?
  package var theme = ChartTheme.dark
  /// Of the spectrogram.
  package var colors = ColorMap.ember
  /// Of a PNG; nil for zlib's default.
  package var compression: PNGCompression?

  package init() {}

  func pictureSize() throws(DrawingError) -> PictureSize {
    try PictureSize(width: width ?? 800, height: height ?? 400)
  }
}
