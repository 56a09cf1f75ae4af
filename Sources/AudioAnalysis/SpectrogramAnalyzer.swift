package import MediaModel

/// Measures a part of a recording as a spectrogram, at any distance of columns.
///
/// Each column is the mean power of windows in its middle: of one, or of more where it is longer than half a window. A band
/// gets the shortest window that resolves it (see ``SpectrogramWindows``). In front of and behind the recording is silence.
///
/// Pass the samples from ``framesNeeded(for:sampleRateInHz:)`` in blocks, then take the result with ``finish()``. Where the
/// blocks are cut makes no difference.
///
/// - Complexity: for each column and window length O(n log n) in that length; allocates nothing in ``consume(_:)``.
package struct SpectrogramAnalyzer: ~Copyable {
  private let recipe: SpectrogramRecipe
  private let sampleRateInHz: Int
  private var assembler: ChunkAssembler
  private let levels: [SpectrogramLevel]
  private let silence = SampleBuffer(count: PlanarChunk.capacity)

  package init(format: AudioFormat, _ recipe: SpectrogramRecipe) {
    self.recipe = recipe
    sampleRateInHz = format.sampleRateInHz
    assembler = ChunkAssembler(channelCount: format.channelCount)
    let windows = SpectrogramWindows(recipe, sampleRateInHz: format.sampleRateInHz)
    let leadCount = Int(recipe.firstFrame - Self.framesNeeded(for: recipe, sampleRateInHz: sampleRateInHz).lowerBound)
    levels = windows.sizes.map { size in
      SpectrogramLevel(
        size: size, bands: windows.bands(ofSize: size), recipe, leadCount: leadCount,
        sampleRateInHz: format.sampleRateInHz)
    }
  }

  /// The frames of the recording that windows reach; they may lie beyond its end.
  package static func framesNeeded(for recipe: SpectrogramRecipe, sampleRateInHz: Int) -> Range<Int64> {
    let reach = Int64((SpectrogramWindows(recipe, sampleRateInHz: sampleRateInHz).sizes.max() ?? 0) / 2)
    let length = Int64(recipe.columnCount).multipliedReportingOverflow(by: Int64(recipe.framesPerColumn))
    let end = recipe.firstFrame.addingReportingOverflow(length.overflow ? .max : length.partialValue)
    let last = end.overflow ? Int64.max : end.partialValue
    return max(0, recipe.firstFrame - reach)..<(last > .max - reach ? .max : last + reach)
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    var position = 0
    while assembler.fill(from: samples, at: &position) { consume(assembler.chunk.mix) }
  }

  private func consume(_ samples: UnsafePointer<Float>) {
    for level in levels { level.consume(samples, count: PlanarChunk.capacity) }
  }

  /// Ends the stream; what is missing of it is silence.
  package consuming func finish() -> SpectrogramLevels {
    if assembler.fillRest() { consume(assembler.chunk.mix) }
    while levels.contains(where: { !$0.isComplete }) { consume(silence.pointer) }
    var result = [Float](repeating: DecibelStep.floorInDB, count: recipe.columnCount * recipe.bandCount)
    for level in levels { level.store(in: &result, bandCount: recipe.bandCount) }
    return SpectrogramLevels(
      sampleRateInHz: sampleRateInHz, firstFrame: recipe.firstFrame, framesPerColumn: recipe.framesPerColumn,
      edgesInHz: recipe.edgesInHz, levelsInDB: result)
  }
}
