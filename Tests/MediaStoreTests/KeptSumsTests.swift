import Base
import GRDB
import LibraryScanning
import LibraryTracks
import MediaModel
import Testing
import TestSupport

/// What triggers keep is what a count would give, whatever happened to the rows.
struct KeptSumsTests {
  @Test func `sums and the search index agree with the rows after any changes`() throws {
    let library = try TemporaryLibrary()
    var random = RepeatableRandom(seed: 5)
    let other = try library.store.roots.add(BytePath("/other"), volume: nil)
    let roots = [library.root.id, other.id]
    for round in 0..<40 {
      var changes: [FileChange] = []
      for root in roots {
        for file in try library.store.scans.knownFiles(inRoot: root) where Int.random(in: 0..<6, using: &random) == 0 {
          switch Int.random(in: 0..<3, using: &random) {
          case 0: changes.append(.missing(fileID: file.id))
          case 1: changes.append(.restated(fileID: file.id, Sample.status(Int64(round))))
          default:
            changes.append(
              .moved(
                fileID: file.id, rootID: roots[round % 2], path: BytePath("moved/\(round)-\(file.id)"), Sample.status())
            )
          }
        }
        for _ in 0..<3 {
          let number = UInt64.random(in: 0..<12, using: &random)
          var extraction = Sample.extraction(number, title: "Title \(round)")
          if number == 0 { extraction = Extraction(state: .unreadable) }
          if number == 1 { extraction.measures = nil }
          changes.append(
            .extracted(Sample.record("a/\(Int.random(in: 0..<20, using: &random))", extraction, rootID: root)))
        }
      }
      try library.store.scans.apply(changes)
      try check(library)
    }
    try library.store.roots.remove(other.id)
    try check(library)
  }

  private func check(_ library: TemporaryLibrary) throws {
    for (kept, counted) in Self.sums {
      let isEqual = try library.value(
        "SELECT NOT EXISTS (\(kept) EXCEPT \(counted)) AND NOT EXISTS (\(counted) EXCEPT \(kept))", as: Bool.self)
      #expect(isEqual == true, "\(kept)")
    }
    // SQLite's own comparison of the index with the texts.
    try library.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
  }

  private static let sums = [
    (
      "SELECT * FROM file_tally",
      "SELECT root_id, state, count(*), sum(size_bytes) FROM file GROUP BY root_id, state"
    ),
    (
      "SELECT * FROM product_tally",
      """
      SELECT * FROM (
        SELECT kind, version, parameters, count(*), sum(byte_count) FROM product GROUP BY 1, 2, 3
        UNION ALL SELECT 'measures', version, parameters, count(*), 0 FROM measures GROUP BY 2, 3)
      """
    ),
    (
      "SELECT id, file_count, present_count FROM audio",
      """
      SELECT id, (SELECT count(*) FROM file WHERE audio_id = audio.id),
             (SELECT count(*) FROM file WHERE audio_id = audio.id AND missing_since IS NULL) FROM audio
      """
    ),
    (
      "SELECT * FROM audio_tally",
      """
      SELECT CASE WHEN present_count > 0 THEN 'present' WHEN file_count > 0 THEN 'missing' ELSE 'none' END,
             coalesce(sample_rate_hz, 0), count(*), sum(coalesce(decoded_frames, 0)) FROM audio GROUP BY 1, 2
      """
    ),
  ]
}
