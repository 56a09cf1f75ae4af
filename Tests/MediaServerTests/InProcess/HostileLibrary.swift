import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TestSupport
import UserData

/// A library whose files, lists and decisions are as large as the program lets them be, a little scaled down where only their
/// number counts.
enum HostileLibrary {
  /// Tracks with the largest texts, first; then a number of tracks with one name each.
  static let fatTrackCount = TestSize.count(16, slow: 40)
  static let slimTrackCount = TestSize.count(1_200, slow: 3_000)
  /// Albums and artists of albums, more than the 500 that one answer has at most.
  static let albumCount = slimTrackCount / 2
  static let copyCount = TestSize.count(200, slow: 700)
  static let entryCount = TestSize.count(60, slow: 20_000)
  static let presetCount = 300
  static let listCount = 300

  /// 64 KiB, the largest value of a tag, of the character that takes most in JSON and XML.
  private static func text(_ number: Int) -> String { "\(number) " + String(repeating: "\"", count: (64 << 10) - 8) }

  /// The title of the track with lyrics, which is the first slim one.
  static let lyricsTitle = "Song 0"

  static func fill(_ store: MediaStore) throws {
    let root = try store.roots.add(BytePath("/" + folders(40)), volume: "v1")
    try store.scans.apply(
      (0..<fatTrackCount).map { number in
        .extracted(record(number, in: root, fatTags(number), folder: folders(15)))
      })
    try store.scans.apply(
      (0..<slimTrackCount).map { number in
        .extracted(record(1_000 + number, in: root, slimTags(number), folder: "slim"))
      })
    // One recording in many files, all of them damaged.
    for start in stride(from: 0, to: copyCount, by: 100) {
      try store.scans.apply(
        (start..<start + 100).map { number in
          var copy = record(9_000, in: root, slimTags(number), folder: folders(15), name: "copy \(number)")
          copy.extraction.state = .damaged
          copy.extraction.problem = Problem(code: "test", reason: text(number), positionInSeconds: 1)
          return .extracted(copy)
        })
    }
    try store.scans.apply([.extracted(largeRecord(in: root))])
    try addUserData(store)
  }

  /// So many folders with the longest names, which need most escapes.
  private static func folders(_ count: Int) -> String {
    (0..<count).map { _ in String(repeating: "\"", count: 255) }.joined(separator: "/")
  }

  private static func record(
    _ number: Int, in root: Root, _ tags: Tags, folder: String, name: String? = nil
  ) -> FileRecord {
    let extraction = Extraction(
      state: .ok, format: format, stream: StreamIdentity(hash: hash(number), byteCount: 12_345),
      decoded: DecodedStream(), tags: tags, measures: measures)
    let status = FileStatus(
      byteCount: Int64(1_000 + number), modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1, inode: 1,
      device: 1)
    return FileRecord(
      rootID: root.id, path: BytePath("\(folder)/\(name ?? "\(number)").flac"), status: status, extraction: extraction,
      extractorVersion: 3)
  }

  private static func hash(_ number: Int) -> ContentHash { ContentHash(high: 0xFEED, low: UInt64(number)) }

  private static let format = MediaFormat(
    container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
    bitRateInBitsPerSecond: 800_000, declaredFrameCount: 441_000, decodedFrameCount: 441_000)

  private static let measures = Measures(
    samplePeakInDBFS: -0.5, rmsInDBFS: -14.25, crestInDB: 13.75, dcOffset: 0.001, clippedSampleCount: 3,
    leadingSilenceInSeconds: 0.5, trailingSilenceInSeconds: 2, nonFiniteSampleCount: 0)

  private static func fatTags(_ number: Int) -> Tags {
    let names = [
      "TITLE", "ARTIST", "ALBUM", "ALBUMARTIST", "GENRE", "COMPOSER", "COMMENT", "ISRC", "MUSICBRAINZ_TRACKID",
    ]
    return Tags(names.map { Tags.Property(name: $0, values: [text(number)]) })
  }

  private static func slimTags(_ number: Int) -> Tags {
    var tags = [
      Tags.Property(name: "TITLE", values: ["Song \(number)"]),
      Tags.Property(name: "ARTIST", values: ["Artist \(number)"]),
      Tags.Property(name: "ALBUMARTIST", values: ["Artist \(number % albumCount)"]),
      Tags.Property(name: "ALBUM", values: [number < albumCount ? "One album" : "Album \(number)"]),
      Tags.Property(name: "GENRE", values: ["Genre \(number); Common"]),
    ]
    if number == 0 {
      let starts = String(repeating: "[00:01]", count: 4_000)
      let line = starts + String(repeating: "\"", count: 32 << 10)
      tags.append(Tags.Property(name: "LYRICS", values: [String](repeating: line, count: 14)))
    }
    return Tags(tags)
  }

  /// As many tags, pictures, parts and products as one file can have.
  private static func largeRecord(in root: Root) -> FileRecord {
    var record = record(9_500, in: root, slimTags(9_500), folder: "large")
    record.extraction.tags = Tags(
      slimTags(9_500).properties + [Tags.Property(name: "COMMENT", values: (0..<120).map(text))])
    record.extraction.artwork = [
      Artwork(
        pictureType: 3, mimeType: "image/png", caption: String(repeating: "\"", count: 4096), hash: hash(1),
        bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 12 << 20))
    ]
    let marks = (0..<PartList.maximumCount).map { number in
      var mark = PartList.Mark(start: Int64(number * 100))
      mark.tags.title = String(repeating: "\"", count: 1_000)
      mark.tags.artist = mark.tags.title
      return mark
    }
    record.extraction.parts = PartList(marks, from: .comments)
    // Forty hours, as far as their products may grow.
    record.extraction.products = [
      product(
        .waveform,
        WaveformPeaks(
          sampleRateInHz: 44_100, framesPerPoint: 256, channelCount: 1, resolution: .bits8,
          values: [Int16](repeating: -128, count: 12 << 20)
        ).datBytes),
      product(
        .waveformEnergy,
        WaveformEnergy(
          sampleRateInHz: 44_100, framesPerPoint: 1_024,
          points: [WaveformEnergy.Point](
            repeating: WaveformEnergy.Point(rms: 1, low: 2, mid: 3, high: 4), count: 3 << 20)
        ).blob),
      product(
        .spectrogram,
        SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: [UInt8](repeating: 100, count: 80 * 150_000)).blob),
    ]
    return record
  }

  private static func product(_ kind: ProductKind, _ bytes: [UInt8]) -> Product {
    let recipe = ProductRecipe.current(kind)
    return Product(kind: kind, version: recipe.version, parameters: recipe.parameters, bytes: bytes)
  }

  /// Everything that people can say.
  private static func addUserData(_ store: MediaStore) throws {
    let owner = try store.people.addedID(of: .owner)
    let recordings = try Array(Set(store.tracks.recordingIDs(naming: []))).sorted()
    let comment = String(repeating: "\"", count: 1_000)
    let bookmark = """
      {"position_ms":1,"comment":"\(String(repeating: "\\\"", count: 1_000))","created_at":1,"changed_at":1}
      """
    for recording in recordings {
      try store.attributes.remember(Song.bookmarkName, bookmark, ofRecording: recording, by: owner)
      _ = try store.plays.note(ofRecording: recording, startedAt: recording, seconds: 10, isFinished: true)
    }
    try store.attributes.setOpinion(
      .starred, to: "2026-01-01T00:00:00Z", ofRecordings: recordings,
      groups: (0..<albumCount).map { TrackGroup.artist("Artist \($0)") }
        + (albumCount..<slimTrackCount).map { TrackGroup.album("Album \($0)", artist: "Artist \($0 % albumCount)") },
      by: owner)
    let repeats = (0..<entryCount).map { recordings[$0 % fatTrackCount] }
    for number in 0..<listCount {
      let id = try store.lists.add(
        "List \(number)", recordingIDs: number == 0 ? repeats : [recordings[0]], of: owner)
      var change = PlaylistChange()
      change.comment = comment
      try store.lists.change(id, change, of: owner)
    }
    try store.plays.saveQueue(
      repeats.map { ($0, nil) }, place: 1, positionInMilliseconds: 1, by: "test", of: owner)
    let bands = try (0..<Equalizer.maximumBandCount).map {
      try EqualizerBand(.parametric, frequency: 20 + Double($0) * 100.123, gain: 1.2345, width: .quality(1.2345))
    }
    try store.presets.importAll(
      (0..<presetCount).map { number in
        Preset(
          name: try PresetName("\(number) " + String(repeating: "\"", count: 190)),
          chain: try EffectChain(equalizer: try Equalizer(bands: bands)))
      }, replacing: false)
  }
}
