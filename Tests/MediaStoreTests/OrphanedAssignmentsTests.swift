import Base
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import UserData

/// Presets, list entries and attributes of recordings that no file holds any more.
struct OrphanedAssignmentsTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  /// Three tracks: `a` is in a list, has a rating and the preset Warm; `b` has a rating; `c` has nothing.
  init() throws {
    library = try TemporaryLibrary()
    for name in ["Warm", "Bright"] { try store.presets.create(try PresetStoreTests.preset(name)) }
    for (number, name) in ["a", "b", "c"].enumerated() {
      try store.scans.apply([.extracted(Sample.record("\(name).flac", Self.extraction(UInt64(number + 1), name)))])
    }
    _ = try assign("Warm", "title:a")
    try store.lists.save("Evening", recordingIDs: [try id("b"), try id("a")])
    try library.execute(
      """
      INSERT INTO attribute (audio_id, name, value) VALUES (\(try id("a")), 'rating', '5'), (\(try id("a")), 'mood', 'calm'),
                                   (\(try id("b")), 'rating', '3')
      """)
  }

  private static func extraction(_ number: UInt64, _ title: String, likeNumber: UInt64? = nil) -> Extraction {
    var extraction = Sample.extraction(number, title: title)
    extraction.products.append(
      Product(kind: .fingerprint, version: 1, parameters: "", bytes: fingerprint(likeNumber ?? number).compressed))
    return extraction
  }

  private static func fingerprint(_ number: UInt64) -> AcoustIDFingerprint {
    var state = number &* 0x9E37_79B9_7F4A_7C15 | 1
    let words = (0..<80).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(truncatingIfNeeded: state >> 32)
    }
    return AcoustIDFingerprint(algorithm: 1, words: words)
  }

  private func id(_ name: String) throws -> Int64 { try #require(try library.recording(of: "\(name).flac")) }

  private func assign(_ name: String, _ query: String) throws -> Int {
    try store.presets.assign(named: name, to: try store.presets.subjects(.track, of: try store.query(query)))
  }

  /// Writes another sound over a file.
  private func replace(_ name: String, by number: UInt64, like other: UInt64? = nil) throws {
    try store.scans.apply([
      .extracted(Sample.record("\(name).flac", Self.extraction(number, "new", likeNumber: other)))
    ])
  }

  private func orphans() throws -> [OrphanedRecording] { try store.decisions.orphans() }

  private func preset(_ name: String) throws -> String? {
    try store.presets.resolution(ofRecording: try id(name)).presetName
  }

  private func attributes(_ name: String) throws -> [String] {
    let detail = try #require(try store.tracks.detail(ofRecording: try id(name)))
    return detail.attributes.map { "\($0.name)=\($0.values.joined())" }.sorted()
  }

  private func list() throws -> [Int64] {
    try (0...1).compactMap { position in
      try library.value("SELECT audio_id FROM list_entry WHERE position = \(position)", as: Int64.self)
    }
  }

  @Test func `a library whose files are all there has none`() throws { #expect(try orphans().isEmpty) }

  @Test func `a sound that was written over is listed with all that belongs to it`() throws {
    try replace("a", by: 9)
    let orphan = try #require(try orphans().first)
    #expect(try orphans().count == 1)
    #expect(orphan.hash == Sample.hash(1) && orphan.label == "Nora Vale - a")
    #expect(orphan.assignment?.presetName == "Warm" && orphan.assignment?.isOn == true)
    #expect(orphan.lists == ["Evening"] && orphan.attributeNames == ["mood", "rating"])
    #expect(orphan.path == nil && orphan.missingSince == nil && orphan.durationInSeconds == 10)
  }

  @Test func `a missing file is named, until it is back`() throws {
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "b.flac")))])
    let orphan = try #require(try orphans().first)
    #expect(orphan.path == BytePath("/music/b.flac") && orphan.missingSince != nil && orphan.assignment == nil)
    #expect(orphan.label == "Nora Vale - b" && orphan.attributeNames == ["rating"])
    try store.scans.apply([.extracted(Sample.record("b.flac", Self.extraction(2, "b")))])
    #expect(try orphans().isEmpty)
  }

  @Test func `a recording in another file is no orphan`() throws {
    try store.scans.apply([.extracted(Sample.record("copy.flac", Self.extraction(1, "a")))])
    try replace("a", by: 9)
    #expect(try orphans().isEmpty)
  }

  @Test func `what is left of a forgotten recording is its preset`() throws {
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a.flac")))])
    try library.execute("DELETE FROM list_entry; DELETE FROM attribute")
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: try store.query("")), includingOrphans: true)
    let orphan = try #require(try orphans().first)
    #expect(orphan.recordingID == nil && orphan.label == "Nora Vale - a" && orphan.durationInSeconds == nil)
    #expect(try store.decisions.likely(for: orphan).isEmpty)
    let report = try store.decisions.reattach(orphan, to: try id("c"), label: "c", replacing: false)
    #expect(report.movedPreset == "Warm" && report.listEntryCount == 0)
    #expect(try preset("c") == "Warm" && orphans().isEmpty)
  }

  @Test func `everything moves, and undo takes back the preset`() throws {
    try replace("a", by: 9)
    let report = try store.decisions.reattach(
      try #require(try orphans().first), to: try id("c"), label: "c", replacing: false)
    #expect(report.movedPreset == "Warm" && report.keptPreset == nil && report.replacedPreset == nil)
    #expect(report.listEntryCount == 1 && report.attributeCount == 2 && report.renamedAttributes.isEmpty)
    #expect(try preset("c") == "Warm" && orphans().isEmpty)
    #expect(try list() == [try id("b"), try id("c")])
    #expect(try attributes("c") == ["mood=calm", "rating=5"])
    #expect(try store.journal.undo().summary == "reattach the data of 'Nora Vale - a' to 'c'")
    #expect(try preset("c") == nil && orphans().first?.assignment?.presetName == "Warm")
  }

  @Test func `corrections are listed and move, but for those of fields that are corrected there`() throws {
    let fields = try ["title", "composer"].map { try #require(CorrectionField($0)) }
    func correct(_ field: CorrectionField, _ value: String, _ name: String) throws {
      _ = try store.corrections.correct(
        .set([.init(field: field, values: [value])]), ofFiles: [try #require(try library.id(of: "\(name).flac"))])
    }
    try correct(fields[0], "A", "a")
    try correct(fields[1], "Someone", "a")
    try correct(fields[0], "C", "c")
    try library.execute("DELETE FROM list_entry; DELETE FROM attribute; DELETE FROM preset_assignment")
    #expect(try orphans().isEmpty)
    try replace("a", by: 9)
    let orphan = try #require(try orphans().first)
    #expect(Set(orphan.correctedFields) == Set(fields) && orphan.attributeNames.isEmpty && orphan.assignment == nil)
    let report = try store.decisions.reattach(orphan, to: try id("c"), label: "c", replacing: false)
    #expect(report.movedCorrections == [fields[1]] && report.keptCorrections == [fields[0]])
    #expect(try orphans().first?.correctedFields == [fields[0]])
    _ = try store.journal.undo()
    #expect(try orphans().first?.correctedFields.count == 2)
  }

  @Test func `a switch moves, too`() throws {
    _ = try store.presets.turn(on: false, for: store.presets.subjects(.track, of: try store.query("title:a")))
    try replace("a", by: 9)
    let report = try store.decisions.reattach(
      try #require(try orphans().first), to: try id("c"), label: "c", replacing: false)
    #expect(report.movedPreset == "off")
    #expect(try store.presets.resolution(ofRecording: try id("c")).silenced != nil)
  }

  @Test func `a preset of the track is kept unless it is to be replaced`() throws {
    _ = try assign("Bright", "title:b")
    try replace("a", by: 9)
    var report = try store.decisions.reattach(
      try #require(try orphans().first), to: try id("b"), label: "b", replacing: false)
    #expect(report.keptPreset == "Bright" && report.movedPreset == nil)
    #expect(report.listEntryCount == 1 && report.renamedAttributes == ["rating_2"])
    #expect(try list() == [try id("b"), try id("b")])
    #expect(try attributes("b") == ["mood=calm", "rating=3", "rating_2=5"])
    #expect(try preset("b") == "Bright")
    let rest = try #require(try orphans().first)
    #expect(rest.assignment?.presetName == "Warm" && rest.lists.isEmpty && rest.attributeNames.isEmpty)
    report = try store.decisions.reattach(rest, to: try id("b"), label: "b", replacing: true)
    #expect(report.movedPreset == "Warm" && report.replacedPreset == "Bright")
    #expect(try preset("b") == "Warm" && orphans().isEmpty)
    _ = try store.journal.undo()
    #expect(try preset("b") == "Bright" && orphans().count == 1)
  }

  @Test func `an equal preset is no conflict`() throws {
    _ = try assign("Warm", "title:b")
    try replace("a", by: 9)
    let report = try store.decisions.reattach(
      try #require(try orphans().first), to: try id("b"), label: "b", replacing: false)
    #expect(report.keptPreset == nil && report.replacedPreset == nil)
    #expect(try preset("b") == "Warm" && orphans().isEmpty)
  }

  @Test func `the recording that sounds the same is found by its fingerprint`() throws {
    try store.scans.apply([.extracted(Sample.record("again.mp3", Self.extraction(20, "again", likeNumber: 1)))])
    try replace("a", by: 9)
    let likely = try store.decisions.likely(for: try #require(try orphans().first))
    #expect(likely.map(\.label) == ["Nora Vale - again"] && likely.first?.likeness == 1)
    #expect(likely.first?.hash == Sample.hash(20))
  }

  @Test func `recordings of another length and missing ones are not compared`() throws {
    var longer = Self.extraction(20, "longer", likeNumber: 1)
    longer.format?.decodedFrameCount = 441_000 + 4 * 44_100
    try store.scans.apply([.extracted(Sample.record("longer.mp3", longer))])
    try store.scans.apply([.extracted(Sample.record("gone.mp3", Self.extraction(21, "gone", likeNumber: 1)))])
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "gone.mp3")))])
    try replace("a", by: 9)
    #expect(try store.decisions.likely(for: try #require(try orphans().first)).isEmpty)
  }

  @Test func `the files to verify are those that are there`() throws {
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "b.flac")))])
    let ids = try ["a.flac", "c.flac"].map { try #require(try library.id(of: $0)) }
    #expect(try store.files.present(in: try store.query("")).map(\.id) == ids)
    #expect(try store.files.present(in: try store.query("title:c")).map(\.id) == [ids[1]])
    #expect(try store.files.present(in: try store.query("title:b")).isEmpty)
    #expect(try store.files.present(in: try store.query("")).allSatisfy { $0.root == BytePath("/music") })
  }

  @Test func `a hash is that of the samples once they were hashed`() throws {
    #expect(try store.recordings.recording(id: try id("a"))?.isKnownBySamples == false)
    var extraction = Self.extraction(1, "a")
    extraction.decoded = DecodedStream(sampleHash: Sample.hash(100))
    try store.scans.apply([.extracted(Sample.record("a.flac", extraction))])
    #expect(try store.recordings.recording(id: try id("a"))?.isKnownBySamples == true)
    #expect(try preset("a") == "Warm" && orphans().isEmpty)
  }
}
