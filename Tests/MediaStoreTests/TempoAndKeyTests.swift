import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport

/// Tempo and key from tags and products to columns and queries.
struct TempoAndKeyTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  static func rhythm(_ bpm: Float) -> Product {
    let summary = RhythmSummary(
      columnsPerSecond: 43, candidates: [.init(beatsPerMinute: bpm, strength: 0.5, offbeatStrength: 0)],
      stability: 0.5, onsets: [], lowOnsets: [])
    return Product(kind: .rhythm, version: 1, parameters: "", bytes: summary.blob)
  }

  /// Of a single note, which is heard as the key of that tonic.
  static func chroma(_ semitonesAboveA: Int) -> Product {
    var band = [UInt16](repeating: 0, count: ChromaSummary.stepCount)
    for (interval, share) in [(0, 30_000), (4, 15_000), (7, 20_000)] {
      band[(semitonesAboveA + interval) % 12 * 10] = UInt16(share)
    }
    let summary = ChromaSummary(shares: [band, band, band], columnCount: 9, flux: 0)
    return Product(kind: .chroma, version: 1, parameters: "", bytes: summary.blob)
  }

  static func extraction(
    _ number: UInt64, bpm: Float? = nil, keyAboveA: Int? = nil, tags: [String: [String]] = [:]
  ) -> Extraction {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(tags)
    extraction.products = [bpm.map(rhythm), keyAboveA.map(chroma)].compactMap { $0 }
    return extraction
  }

  private func store(_ extractions: Extraction...) throws {
    for (index, extraction) in extractions.enumerated() {
      try library.store.scans.apply([.extracted(Sample.record("\(index + 1).flac", extraction))])
    }
  }

  private func ids(_ text: String) throws -> [Int64] {
    var ids: [Int64] = []
    try library.store.forEachRow(of: try library.store.query(text), fields: [.id]) {
      if case .integer(let id) = $0[0] { ids.append(id) }
    }
    return ids
  }

  private func values(_ names: String..., query: String = "") throws -> [[FieldValue]] {
    let fields = try names.map { try #require(library.store.vocabulary[$0]) }
    var rows: [[FieldValue]] = []
    try library.store.forEachRow(of: try library.store.query(query), fields: fields) { rows.append($0) }
    return rows
  }

  @Test func `a tag comes before a measurement, and the source says so`() throws {
    try store(
      Self.extraction(1, bpm: 128, keyAboveA: 3),
      Self.extraction(2, bpm: 90, keyAboveA: 3, tags: ["BPM": ["180"], "INITIALKEY": ["8A"]]),
      Self.extraction(3))
    #expect(
      try values("bpm", "bpm_source", "key", "camelot", "openkey", "key_source") == [
        [.real(128), .text("measured"), .text("C"), .text("8B"), .text("1d"), .text("measured")],
        [.real(180), .text("tag"), .text("Am"), .text("8A"), .text("1m"), .text("tag")],
        [.none, .none, .none, .none, .none, .none],
      ])
    let detail = try #require(try library.store.tracks.detail(ofRecording: 2)).tempoAndKey
    #expect(detail.beatsPerMinute == 180 && detail.measuredTempo?.beatsPerMinute == 90)
    #expect(detail.key?.name == "Am" && detail.measuredKey?.key.name == "C")
  }

  @Test func `an impossible tag does not hide the measurement`() throws {
    try store(Self.extraction(1, bpm: 128, keyAboveA: 0, tags: ["BPM": ["0"], "INITIALKEY": ["o"]]))
    #expect(try values("bpm", "key") == [[.real(128), .text("A")]])
  }

  @Test func `queries know ranges, notations and absence`() throws {
    try store(
      Self.extraction(1, bpm: 120, keyAboveA: 0), Self.extraction(2, bpm: 127.8, keyAboveA: 3),
      Self.extraction(3, tags: ["INITIALKEY": ["Am"]]))
    #expect(try ids("bpm:120..126") == [1])
    #expect(try ids("bpm:128") == [2])
    #expect(try ids("bpm:>121") == [2])
    #expect(try ids("bpm:\"\"") == [3])
    #expect(try ids("key:8A") == [3] && ids("key:am") == [3] && ids("key:1m") == [3])
    #expect(try ids("key:C , key:A") == [1, 2])
    #expect(try ids("-key:8A") == [1, 2])
    #expect(try ids("bpm-") == [2, 1, 3])
    #expect(throws: QueryError.self) { try library.store.query("key:fast") }
  }

  @Test func `tempi are moved into a range for a query, a column and an order`() throws {
    try store(
      Self.extraction(1, bpm: 87), Self.extraction(2, bpm: 126), Self.extraction(3, bpm: 60, tags: ["BPM": ["340"]]),
      Self.extraction(4))
    #expect(try ids("bpm(88-175):170..175") == [1, 3] && ids("BPM(88-175)<130") == [2])
    #expect(try ids("bpm(40-87):\"\"") == [4])
    #expect(try ids("bpm(88-175)-") == [1, 3, 2, 4] && ids("bpm(30-60)+") == [2, 3, 1, 4])
    #expect(try values("bpm(88-175)") == [[.real(174)], [.real(126)], [.real(170)], [.none]])
  }

  @Test func `an included end of a range reaches as far as a single tempo`() throws {
    try store(Self.extraction(1, bpm: 119.9956), Self.extraction(2, bpm: 126.004), Self.extraction(3, bpm: 128))
    #expect(try ids("bpm:120") == [1] && ids("bpm:126") == [2])
    #expect(try ids("bpm:120..126") == [1, 2] && ids("bpm:120.00..126.00") == [1, 2])
    #expect(try ids("bpm:>=120") == [1, 2, 3] && ids("bpm:120..") == [1, 2, 3])
    #expect(try ids("bpm:<=126") == [1, 2] && ids("bpm:..126") == [1, 2])
    #expect(try ids("bpm:>120") == [2, 3] && ids("bpm:<126") == [1])
    #expect(throws: QueryError.self) { try library.store.query("bpm:121..120") }
  }

  @Test func `a key in the notation of a wheel is compared as a whole`() throws {
    try store(
      Self.extraction(1, tags: ["INITIALKEY": ["1A"]]), Self.extraction(2, tags: ["INITIALKEY": ["11A"]]),
      Self.extraction(3, tags: ["INITIALKEY": ["1m"]]), Self.extraction(4, tags: ["INITIALKEY": ["11m"]]))
    #expect(try ids("camelot:1A") == [1] && ids("camelot:11a") == [2] && ids("-camelot:1a") == [2, 3, 4])
    #expect(try ids("openkey:1m") == [3] && ids("openkey:11M") == [4])
    #expect(try ids("camelot:1m") == [3] && ids("openkey:Am") == [3])
    #expect(throws: QueryError.self) { try library.store.query("camelot:loud") }
  }

  @Test func `few files of a tempo or key are found by their index`() throws {
    try library.store.scans.apply(
      (1...500).map {
        .extracted(Sample.record("\($0).flac", Self.extraction(UInt64($0), bpm: Float($0), keyAboveA: $0 % 11)))
      })
    func plan(_ text: String, limit: Int? = nil) throws -> String {
      try library.store.plan(of: try library.store.query(text), fields: [.id], limit: limit).joined(separator: "\n")
    }
    #expect(try plan("bpm:120..126").contains("SEARCH file USING INDEX file_by_bpm"))
    #expect(try plan("bpm:>=495").contains("SEARCH file USING INDEX file_by_bpm"))
    #expect(try plan("key:8B").contains("SEARCH file USING INDEX file_by_musical_key"))
    #expect(try plan("bpm+", limit: 5).contains("USING INDEX file_by_bpm"))
  }

  @Test func `new tags and new products change what the files have`() throws {
    try store(Self.extraction(1, bpm: 100, keyAboveA: 0))
    try store(Self.extraction(1, tags: ["BPM": ["50"]]))
    #expect(try values("bpm", "key") == [[.real(50), .text("A")]])
    try store(Self.extraction(1))
    #expect(try values("bpm") == [[.real(100)]])
    try store(Self.extraction(1, bpm: 101))
    #expect(try values("bpm", "key") == [[.real(101), .text("A")]])
    // Another recording at the same path.
    try store(Self.extraction(2, bpm: 70))
    #expect(try values("bpm", "key") == [[.real(70), .none]])
    #expect(try library.store.check(isDeep: true).isSound)
  }

  @Test func `a merge brings tempo and key along`() throws {
    let other = try TemporaryLibrary()
    try other.store.scans.apply([
      .extracted(Sample.record("1.flac", Self.extraction(1, bpm: 111, keyAboveA: 5))),
      .extracted(Sample.record("2.flac", Self.extraction(2, bpm: 112, tags: ["KEY": ["5A"]]))),
    ])
    try store(Self.extraction(1))
    _ = try library.store.merge([other.path], options: MergeOptions(keepsCopy: false))
    #expect(try values("bpm", "key") == [[.real(111), .text("D")], [.real(112), .text("Cm")]])
    #expect(try library.store.check(isDeep: true).isSound)
  }

  @Test func `a damaged column is found by the check, and a repair corrects it`() throws {
    try store(Self.extraction(1, bpm: 100, keyAboveA: 0))
    try library.store.close()
    let queue = try DatabaseQueue(path: library.path.displayString)
    try queue.write { try $0.execute(sql: "UPDATE file SET bpm = 7") }
    try queue.close()
    let check = try MediaStore(at: library.path, access: .readWrite).check(isDeep: true)
    #expect("\(check)".contains("tempo or key differs"))
    let repaired = BytePath(library.path.displayString + "-new")
    _ = try LibraryRepair.repair(library.path, to: repaired)
    let fresh = try MediaStore(at: repaired, access: .readWrite)
    #expect(try fresh.check(isDeep: true).isSound)
    var bpm: [FieldValue] = []
    try fresh.forEachRow(of: .everything, fields: [QueryField("bpm", .tempo)]) { bpm += $0 }
    #expect(bpm == [.real(100)])
  }

  @Test func `an older library reads tempo and key from its tags when it is brought up to date`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    let dump = try #require(MigrationTests.dumps.first { $0.lastPathComponent == "tempo-schema-6.sql.gz" })
    try MigrationTests.makeLibrary(dump, at: path)
    let store = try MediaStore(at: path, access: .readWrite)
    var rows: [[FieldValue]] = []
    try store.forEachRow(
      of: try store.query("has:artwork , bpm:>0"), fields: [QueryField("bpm", .tempo), QueryField("key", .musicalKey)]
    ) { rows.append($0) }
    #expect(rows.contains([.real(128), .text("Am")]) && rows.contains([.real(133), .none]))
    #expect(try store.check(isDeep: true).isSound)
  }
}
