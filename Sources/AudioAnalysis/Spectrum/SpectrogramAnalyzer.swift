package import MediaModel
internal import SignalProcessing

/// Measures a part of a recording as a spectrogram with columns of any length.
///
/// Each column is the mean power of windows within it: one window in its middle, or several if it is longer than half a
/// window. A band gets the shortest window that resolves it (see ``SpectrogramWindows``). Silence is assumed before and
/// after the recording.
///
/// Pass the samples from ``framesNeeded(for:sampleRateInHz:)`` in blocks, then take the result with ``finish()``. Where
/// the blocks are cut makes no difference.
///
/// - Complexity: O(n log n) for each column and window length n; ``consume(_:)`` allocates nothing.
package struct SpectrogramAnalyzer: ~Copyable {
  private let recipe: SpectrogramRecipe
  private let sampleRateInHz: Int
  private var assembler: ChunkAssembler
  private let stages: [SpectrogramStage]
  private let silence = SampleBuffer(count: PlanarChunk.capacity)

  package init(format: AudioFormat, _ recipe: SpectrogramRecipe) {
    self.recipe = recipe
    sampleRateInHz = format.sampleRateInHz
    assembler = ChunkAssembler(channelCount: format.channelCount)
    let windows = SpectrogramWindows(recipe, sampleRateInHz: format.sampleRateInHz)
    let leadCount = Int(recipe.firstFrame - Self.framesNeeded(for: recipe, sampleRateInHz: sampleRateInHz).lowerBound)
    stages = windows.sizes.map { size in
      SpectrogramStage(
        size: size, bands: windows.bands(ofSize: size), recipe, leadCount: leadCount,
        sampleRateInHz: format.sampleRateInHz)
    }
  }

  /// The frames of the recording that the windows reach; the range may extend beyond its end.
  package static func framesNeeded(for recipe: SpectrogramRecipe, sampleRateInHz: Int) -> Range<Int64> {
    let reach = Int64((SpectrogramWindows(recipe, sampleRateInHz: sampleRateInHz).sizes.max() ?? 0) / 2)
    let length = Int64(recipe.columnCount).multipliedReportingOverflow(by: Int64(recipe.framesPerColumn))
    let end = recipe.firstFrame.addingReportingOverflow(length.overflow ? .max : length.partialValue)
    let last = end.overflow ? Int64.max : end.partialValue
    return max(0, recipe.firstFrame - reach)..<(last > .max - reach ? .max : last + reach)
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    assembler.append(samples) { chunk in chunk.withMix { Self.consume($0, stages) } }
  }

  private static func consume(_ samples: UnsafePointer<Float>, _ stages: [SpectrogramStage]) {
    for stage in stages { stage.consume(samples, count: PlanarChunk.capacity) }
  }

  /// Ends the stream; missing frames are silence.
  package consuming func finish() -> SpectrogramLevels {
    assembler.finish { chunk in chunk.withMix { Self.consume($0, stages) } }
    while stages.contains(where: { !$0.isComplete }) { Self.consume(silence.pointer, stages) }
    var result = [Float](repeating: DecibelStep.floorInDB, count: recipe.columnCount * recipe.bandCount)
    for stage in stages { stage.store(in: &result, bandCount: recipe.bandCount) }
    return SpectrogramLevels(
      sampleRateInHz: sampleRateInHz, firstFrame: recipe.firstFrame, framesPerColumn: recipe.framesPerColumn,
      edgesInHz: recipe.edgesInHz, levelsInDB: result)
  }
}

/// The length of the window that measures each band of a spectrogram.
///
/// A long window resolves frequencies, a short one resolves times. The ear does the former at low frequencies and the
/// latter at high ones, so a band gets the shortest window that puts 4.7 bins into it, or into a fifteenth of its
/// frequency if the band is narrower than that. Short columns may use shorter windows. Equally wide bands share one
/// window, so that there is no visible seam where the window changes.
private struct SpectrogramWindows {
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

  /// The window lengths in use, ascending.
  var sizes: [Int] { Set(sizeOfBand.compactMap { $0 }).sorted() }

  /// Bands above half the sample rate have no window.
  func bands(ofSize size: Int) -> [Int] { sizeOfBand.indices.filter { sizeOfBand[$0] == size } }
}
