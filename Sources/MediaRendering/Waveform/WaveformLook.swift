package import MediaDrawing
package import MediaModel

/// The formats a waveform can be written in; the raw values are the usual endings of their files.
package enum WaveformFormat: String, CaseIterable, Sendable {
  case dat, json, csv, txt
  case png, svg, pdf

  /// nil for data.
  package var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }
}

/// Which part of a waveform is wanted, and how fine; nil stands for what suits the output.
package struct WaveformExtent: Hashable, Sendable {
  package enum Zoom: Hashable, Sendable {
    case framesPerPoint(Int)
    case pointsPerSecond(Int)
    /// Everything in the width.
    case fitting
  }

  /// Points per side of data that get no width, and pixels of a picture.
  private static let defaultWidth = 800

  package var zoom: Zoom?
  package var resolution: WaveformPeaks.Resolution?
  package var part = TrackPart()
  /// In pixels, columns or points.
  package var width: Int?
  /// In pixels, or lines per channel.
  package var height: Int?
  package var splitsChannels = false
  package var amplitudeScale = AmplitudeScale.one
  /// Whether to decode, also for a picture, for a zoom that is not a multiple of the stored one.
  package var isExact = false

  package init() {}

  /// A zoom that does not follow from a width.
  var fixedZoom: WaveformZoom? {
    switch zoom {
    case .framesPerPoint(let frames): .framesPerPoint(frames)
    case .pointsPerSecond(let points): .pointsPerSecond(points)
    case .fitting, nil: nil
    }
  }

  var startInSeconds: Double { part.startInSeconds ?? 0 }

  /// The zoom of data.
  ///
  /// - Parameter standard: If neither a zoom nor an end is given.
  func dataZoom(standard: WaveformZoom) -> WaveformZoom {
    if let fixedZoom { return fixedZoom }
    let pointCount = width ?? Self.defaultWidth
    if let end = part.endInSeconds {
      return .range(startInSeconds: startInSeconds, endInSeconds: end, pointCount: pointCount)
    }
    return zoom == nil ? standard : .fitting(pointCount: pointCount)
  }

  /// The zoom of a picture, which by default shows everything in the part.
  func pictureZoom(of inventory: WaveformInventory, pointCount: Int) -> WaveformZoom {
    if let fixedZoom { return fixedZoom }
    guard part.isGiven else { return .fitting(pointCount: pointCount) }
    return .range(
      startInSeconds: startInSeconds, endInSeconds: part.endInSeconds ?? inventory.durationInSeconds,
      pointCount: pointCount)
  }

  func pictureSize() throws(DrawingError) -> PictureSize {
    try PictureSize(width: width ?? Self.defaultWidth, height: height ?? 250)
  }

  func request(_ zoom: WaveformZoom, of inventory: WaveformInventory) -> WaveformRequest {
    WaveformRequest(
      zoom: zoom, resolution: resolution ?? inventory.preferredResolution, splitsChannels: splitsChannels,
      isExact: isExact)
  }
}

/// How the picture of a waveform looks.
package struct WaveformLook: Hashable, Sendable {
  package var colors = WaveformColors.audacity
  package var shape = WaveformPicture.Shape.normal
  /// nil for peaks in pictures, and for bands in a terminal if they are stored.
  package var style: WaveformPicture.Style?
  package var hasAxis = true
  /// Of a PNG; nil for zlib's default.
  package var compression: PNGCompression?

  package init() {}

  func apply(to picture: inout WaveformPicture) {
    picture.colors = colors
    picture.shape = shape
    picture.style = style ?? .peaks
    picture.hasAxis = hasAxis
  }
}
