import LibraryQueries
import LibraryScanning
import MediaModel
import QueryLanguage
import Testing

/// The query field and ``LossySourceEvidence`` are the same rule.
struct LossySourceSQLTests {
  private func extractions() -> [Extraction] {
    let edges = LossySourceEvidence.rules.flatMap { [$0.cutoffInHz.lowerBound, $0.cutoffInHz.upperBound] }
    var cutoffs: [Double?] = [nil, 3_500, 16_000, 22_000, 40_000]
    // On both sides of every bound, and on it.
    for edge in Set(edges + [37_800, 44_100, 48_000].map { $0 * 0.45 }) {
      cutoffs += [edge.nextDown, edge, edge.nextUp].filter { $0 >= 0 }
    }
    var extractions: [Extraction] = []
    for codec in [Codec.flac, .alac, .dsd, .pcmS16, .pcmF64, .aLaw, .muLaw, .mp3, .vorbis, nil] {
      for rate in [nil, 37_800, 44_100, 48_000, 96_000] {
        for cutoff in cutoffs {
          for confidence in [nil, 0, 0.5.nextDown, 0.5, 1] {
            for centroid in [nil, 1_000.0] {
              var extraction = Extraction(state: .ok)
              extraction.stream = StreamIdentity(hash: Sample.hash(UInt64(extractions.count)), byteCount: 1)
              extraction.decoded = DecodedStream()
              extraction.format = MediaFormat(container: .wav, codec: codec, sampleRateInHz: rate)
              extraction.measures = Measures(
                spectralCentroidInHz: centroid, cutoffInHz: cutoff, cutoffConfidence: confidence)
              extraction.products = [Product(kind: .measures, version: 2, parameters: "", bytes: [])]
              extractions.append(extraction)
            }
          }
        }
      }
    }
    return extractions
  }

  @Test func `SQL and Swift agree on a grid of values`() throws {
    let library = try TemporaryLibrary()
    let extractions = extractions()
    try library.store.scans.apply(
      extractions.enumerated().map { .extracted(Sample.record("\($0.offset)", $0.element)) })
    let vocabulary = library.store.vocabulary
    let fields = [try #require(vocabulary["filename"]), try #require(vocabulary["lossy_source"])]
    var counts: [LossySourceEvidence.Strength?: Int] = [:]
    try library.store.forEachRow(of: try library.store.query(""), fields: fields) { values in
      guard case .text(let name) = values[0], let index = Int(name) else { return }
      let extraction = extractions[index]
      let level = LossySourceEvidence(format: extraction.format, measures: extraction.measures)?.strength
      let expected = level.map { FieldValue.text($0.rawValue) } ?? .none
      if values[1] != expected {
        Issue.record(
          "\(values[1]) for \(String(describing: extraction.format)), \(String(describing: extraction.measures))")
      }
      counts[level, default: 0] += 1
    }
    #expect(counts.values.reduce(0, +) == extractions.count)
    // Every answer occurs, or the agreement would prove little.
    #expect(counts.count == 4, "\(counts)")
    for level in LossySourceEvidence.Strength.allCases {
      #expect(
        try library.store.count(of: try library.store.query("lossy_source:\(level.rawValue)")) == counts[level] ?? -1)
    }
    #expect(try library.store.count(of: try library.store.query("lossy_source:\"\"")) == counts[nil] ?? -1)
  }
}
