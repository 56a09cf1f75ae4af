internal import MediaModel
internal import SignalProcessing

/// Makes the products `rhythm`, `chroma` and `similarity`, of which the last one is made from the other two, too.
final class MusicAnalyzer: SoundColumnConsumer {
  static let kinds: Set<ProductKind> = [.rhythm, .chroma, .similarity]

  private let kinds: Set<ProductKind>
  private let bands = BandLevels(binWidthInHz: SoundColumns.binWidthInHz, binCount: SoundColumns.binCount)
  private var onsets: OnsetAnalyzer?
  private var chroma: ChromaAnalyzer?
  private var similarity: SimilarityAnalyzer?

  /// - Parameter expectedColumnCount: a guess, for reserves.
  init(kinds: Set<ProductKind>, expectedColumnCount: Int) {
    self.kinds = kinds
    if !kinds.isDisjoint(with: [.rhythm, .similarity]) {
      onsets = OnsetAnalyzer(expectedColumnCount: expectedColumnCount)
    }
    if !kinds.isDisjoint(with: [.chroma, .similarity]) { chroma = ChromaAnalyzer() }
    if kinds.contains(.similarity) { similarity = SimilarityAnalyzer(expectedColumnCount: expectedColumnCount) }
  }

  func consume(samples: UnsafeBufferPointer<Float>) { chroma?.consume(samples) }

  func consume(column powers: UnsafePointer<Float>) {
    guard onsets != nil else { return }
    bands.measure(powers)
    onsets?.consume(bands.levels.pointer)
    similarity?.consume(bands.levels.pointer)
  }

  /// Ends the stream: the bytes of each product that was requested. Call it once.
  func finish() -> [(ProductKind, [UInt8])] {
    let rhythm = onsets.take()?.finish(columnsPerSecond: SoundColumns.columnsPerSecond)
    let chroma = chroma.take()?.finish()
    var products: [(ProductKind, [UInt8])] = []
    if let rhythm, kinds.contains(.rhythm) { products.append((.rhythm, rhythm.blob)) }
    if let chroma, kinds.contains(.chroma) { products.append((.chroma, chroma.blob)) }
    if let rhythm, let chroma, let statistics = similarity.take()?.finish(rhythm: rhythm, chroma: chroma) {
      products.append((.similarity, statistics.blob))
    }
    return products
  }
}
