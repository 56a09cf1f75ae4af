package import MediaDrawing
package import MediaModel

/// A spectrogram as asked for, and the decision whether the stored one will do.
package struct SpectrogramRequest: Hashable, Sendable {
  /// How far columns are apart.
  package enum Zoom: Hashable, Sendable {
    /// As they are stored.
    case stored
    case framesPerColumn(Int)
    case columnsPerSecond(Int)
    /// The whole part in this many columns, or fewer if there are not enough frames.
    case fitting(columnCount: Int)
  }

  /// Where the levels come from.
  package enum Selection: Hashable, Sendable {
    /// The stored columns; `columnsPerSecond` if they are reduced.
    case stored(columnsPerSecond: Double?)
    case decoded(SpectrogramRecipe)
  }

  /// The most levels of a spectrogram: 256 MiB.
  package static let maximumLevelCount = 1 << 26
  /// The most levels of one that becomes text, which takes about 30 bytes for each until it is written.
  package static let maximumLevelCountOfText = 1 << 23
  package var isForText = false
  package var zoom = Zoom.stored
  package var startInSeconds = 0.0
  package var endInSeconds: Double?
  /// nil for the stored bands.
  package var bandCount: Int?
  /// Bands if the spectrogram is decoded for another reason.
  package var decodedBandCount = 80
  package var fromHz: Double?
  package var toHz: Double?
  /// Of decoded bands: log ones grow by a constant factor, linear ones are equally wide.
  package var scale = FrequencyAxis.Scale.log
  package var windowFrameCount: Int?
  /// Whether to decode even if stored levels would do.
  package var isExact = false

  package init() {}

  /// - Throws: ``RenderingError/spectrum(reason:)``, ``RenderingError/tooManyLevels(columnCount:bandCount:)`` or
  ///   ``RenderingError/nothingInRange(_:durationInSeconds:)``.
  package func selection(
    sampleRateInHz: Int, frameCount: Int64, columnsPerSecond storedRate: Double?
  ) throws(RenderingError) -> Selection {
    let rate = Double(max(sampleRateInHz, 1))
    let frames = try frames(rate: rate, frameCount: max(frameCount, 0))
    let framesPerColumn = try framesPerColumn(sampleRateInHz: sampleRateInHz, of: Int64(frames.count))
    if let storedRate, hasStoredBands {
      guard let framesPerColumn else { return .stored(columnsPerSecond: nil) }
      // The rate as asked for: the frames per column are rounded.
      let asked = if case .columnsPerSecond(let count) = zoom { Double(count) } else { rate / Double(framesPerColumn) }
      if asked <= storedRate { return .stored(columnsPerSecond: asked < storedRate ? asked : nil) }
    }
    let length = framesPerColumn ?? max(1, Int(rate / (storedRate ?? 4)))
    let columnCount = (frames.count + length - 1) / length
    let edges = try edgesInHz
    let maximumCount = isForText ? Self.maximumLevelCountOfText : Self.maximumLevelCount
    guard columnCount <= maximumCount / (edges.count - 1) else {
      throw .tooManyLevels(columnCount: columnCount, bandCount: edges.count - 1)
    }
    return .decoded(
      SpectrogramRecipe(
        firstFrame: frames.lowerBound, framesPerColumn: length, columnCount: columnCount, edgesInHz: edges,
        windowFrameCount: windowFrameCount))
  }

  /// Whether the stored levels may take the place of decoded ones if no file can be read: only a part was asked for.
  package var acceptsStored: Bool {
    guard case .fitting = zoom else { return false }
    return hasStoredBands
  }

  /// Whether bands and windows are those of the stored spectrogram.
  package var hasStoredBands: Bool { !needsOtherBands && !isExact && windowFrameCount == nil }

  private var needsOtherBands: Bool {
    let standard = SpectrumBands.standard.edgesInHz
    return bandCount != nil || fromHz.map { $0 < standard[0] } ?? false
      || toHz.map { $0 > standard[standard.count - 1] } ?? false
  }

  private func frames(rate: Double, frameCount: Int64) throws(RenderingError) -> Range<Int64> {
    func frame(_ seconds: Double) -> Int64 {
      min(FrameIndex.frame(atSeconds: seconds, rateInHz: rate), frameCount)
    }
    let (first, last) = (frame(startInSeconds), endInSeconds.map(frame) ?? frameCount)
    guard first < last else { throw .nothingInRange(nil, durationInSeconds: Double(frameCount) / rate) }
    return first..<last
  }

  private func framesPerColumn(sampleRateInHz rate: Int, of frameCount: Int64) throws(RenderingError) -> Int? {
    switch zoom {
    case .stored: return nil
    case .framesPerColumn(let count): return max(1, count)
    case .columnsPerSecond(let count):
      guard (1...max(rate, 1)).contains(count) else {
        throw .spectrum(reason: "at \(rate) Hz there can be 1 to \(rate) columns per second, not \(count)")
      }
      return rate / count
    case .fitting(let columnCount): return max(1, Int(clamping: frameCount) / max(1, columnCount))
    }
  }

  private var edgesInHz: [Double] {
    get throws(RenderingError) {
      let request = try SpectrumRequest(
        bandCount: bandCount ?? decodedBandCount, fromHz: fromHz ?? 100, toHz: toHz ?? 18_000)
      let edges = request.bands.edgesInHz
      guard scale == .linear else { return edges }
      let (low, high) = (edges[0], edges[edges.count - 1])
      return edges.indices.map { low + (high - low) * Double($0) / Double(edges.count - 1) }
    }
  }
}
