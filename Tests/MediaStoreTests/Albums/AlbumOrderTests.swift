import Foundation
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import UserData

/// Albums by what was heard and by their sound.
struct AlbumOrderTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws { library = try TemporaryLibrary() }

  /// Adds a track of 10 seconds (``Sample/format``).
  private func add(
    _ number: UInt64, _ album: String, loudness: Double? = nil, centroid: Double? = nil, name: String? = nil
  ) throws {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(["ALBUM": [album], "ALBUMARTIST": ["Nora Vale"], "TITLE": ["\(number)"]])
    extraction.measures?.integratedLoudnessInLUFS = loudness
    extraction.measures?.spectralCentroidInHz = centroid
    try store.scans.apply([.extracted(Sample.record(name ?? "\(album)/\(number).flac", extraction))])
  }

  private func albums(_ order: AlbumOrder) throws -> [String] {
    try store.albums.all(of: .everything, orderedBy: order).albums.map(\.title)
  }

  @Test func `loudness is the mean of the power of all tracks`() throws {
    // −20 and −10 LUFS of the same length have the mean of 0.01 and 0.1, which is −12.6 LUFS.
    try add(1, "Mixed", loudness: -20)
    try add(2, "Mixed", loudness: -10)
    try add(3, "Quiet", loudness: -14)
    try add(4, "Loud", loudness: -12)
    try add(5, "Unknown")
    #expect(try albums(.loudest) == ["Loud", "Mixed", "Quiet", "Unknown"])
    #expect(try albums(.loudness) == ["Quiet", "Mixed", "Loud", "Unknown"])
    let stored: Double = try #require(try library.value("SELECT loudness_lufs FROM album WHERE title = 'Mixed'"))
    #expect(abs(stored - 10 * log10(0.055)) < 1e-9)
  }

  @Test func `brightness is the mean of centroids in octaves`() throws {
    // The mean of 500 and 8,000 Hz in octaves is 2,000 Hz, not 4,250.
    try add(1, "Wide", centroid: 500)
    try add(2, "Wide", centroid: 8_000)
    try add(3, "Bright", centroid: 3_000)
    try add(4, "Dark", centroid: 1_000)
    try add(5, "Unknown")
    #expect(try albums(.brightness) == ["Dark", "Wide", "Bright", "Unknown"])
    #expect(try albums(.brightest) == ["Bright", "Wide", "Dark", "Unknown"])
  }

  @Test func `the order follows new measures, tracks that come, and tracks that go`() throws {
    try add(1, "One", loudness: -20)
    try add(2, "Two", loudness: -10)
    #expect(try albums(.loudest) == ["Two", "One"])
    try library.execute("UPDATE measures SET loudness_lufs = -5 WHERE loudness_lufs = -20")
    // Whoever writes next looks at the albums that are due.
    try add(3, "Three", loudness: -30)
    #expect(try albums(.loudest) == ["One", "Two", "Three"])
    try add(4, "Two", loudness: 0)
    #expect(try albums(.loudest) == ["Two", "One", "Three"])
  }

  @Test func `what was heard most and last comes first, for each person`() throws {
    for (number, album) in [(1, "A"), (2, "A"), (3, "B"), (4, "C"), (5, "D")] { try add(UInt64(number), album) }
    let ids = try (1...5).map { number in
      try #require(try store.tracks.recordingIDs(naming: ["title:=\(number)"]).first)
    }
    for (track, time) in [(0, 100), (1, 200), (2, 900), (3, 300), (3, 400), (3, 500)] as [(Int, Int64)] {
      _ = try store.plays.note(ofRecording: ids[track], startedAt: time, seconds: 9, isFinished: true)
    }
    #expect(try albums(.mostPlays) == ["C", "A", "B", "D"])
    #expect(try albums(.plays) == ["B", "A", "C", "D"])
    #expect(try albums(.latestPlayed) == ["B", "C", "A", "D"])
    #expect(try albums(.played) == ["A", "C", "B", "D"])
    #expect(try store.albums.heard(by: 1).map(\.count) == [2, 1, 3])
    let other = try store.people.addedID(of: .person(key: Array(1...16), name: "ben"))
    let without = try store.speaking(for: other) { try albums(.mostPlays) }
    #expect(without == ["A", "B", "C", "D"])
    _ = try store.plays.note(ofRecording: ids[4], startedAt: 1, seconds: 9, isFinished: true, by: other)
    let with = try store.speaking(for: other) { try albums(.mostPlays) }
    #expect(with == ["D", "A", "B", "C"])
    #expect(try albums(.mostPlays) == ["C", "A", "B", "D"])
  }
}
