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
import TestSupport
import Testing
import UserData

/// Files of albums, put into a library as scans put them.
struct Shelf {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  var store: MediaStore { library.store }

  static func record(_ number: UInt64, _ path: String, _ tags: [String: String], state: FileState = .ok) -> FileRecord {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(tags.mapValues { [$0] })
    extraction.state = state
    if state != .ok { (extraction.stream, extraction.format, extraction.decoded) = (nil, nil, nil) }
    return Sample.record(path, extraction)
  }

  func add(_ number: UInt64, _ path: String, _ tags: [String: String], state: FileState = .ok) throws {
    try store.scans.apply([.extracted(Self.record(number, path, tags, state: state))])
  }

  /// What the end of a scan does.
  func finish() throws {
    let scan = try store.scans.begin()
    try store.scans.finish(ScanSummary(), of: scan)
    withExtendedLifetime(scan) {}
  }

  /// `Artist: Title 3` for three files.
  func albums() throws -> [String] {
    try store.albums.all().map { "\($0.artist): \($0.title) \($0.fileCount)" }
  }

  func album(_ title: String) throws -> Album {
    try #require(try store.albums.all().first { $0.title == title })
  }

  /// Which files are on one album, by path.
  func partition() throws -> Set<Set<String>> {
    let rows = try DatabaseQueue(path: library.path.displayString).read {
      try Row.fetchAll($0, sql: "SELECT coalesce(album_id, -id), path_text FROM file ORDER BY id")
    }
    return Set(Dictionary(grouping: rows) { $0[0] as Int64 }.values.map { Set($0.map { $0[1] as String }) })
  }
}

struct AlbumStoreTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test func `every change of files leaves the albums of the files that are there`() throws {
    try shelf.add(1, "Tides/1.flac", ["ALBUM": "Tides", "ARTIST": "Nora Vale"])
    try shelf.add(2, "Tides/2.flac", ["ALBUM": "tides", "ARTIST": "Nora Vale"])
    #expect(try shelf.albums() == ["Nora Vale: Tides 2"])
    try shelf.add(3, "Tides/3.flac", ["ALBUM": "Tides", "ARTIST": "Bo"])
    #expect(try shelf.albums() == ["Various Artists: Tides 3"])
    let id = try #require(try shelf.library.id(of: "Tides/3.flac"))
    try shelf.store.scans.apply([.missing(fileID: id)])
    #expect(try shelf.albums() == ["Nora Vale: Tides 2"])
    try shelf.add(3, "Tides/3.flac", ["ALBUM": "Ebb", "ARTIST": "Bo"])
    #expect(try shelf.albums() == ["Bo: Ebb 1", "Nora Vale: Tides 2"])
    #expect(try shelf.library.value("SELECT count(*) FROM album_due") == 0)
  }

  @Test func `what cannot be read counts among the faults of its album`() throws {
    try shelf.add(1, "Tides/1.flac", ["ALBUM": "Tides", "ARTIST": "Nora Vale", "TRACKNUMBER": "1/4"])
    try shelf.add(2, "Tides/2.flac", [:], state: .empty)
    try shelf.add(3, "Tides/3.flac", [:], state: .unsupported)
    try shelf.add(4, "Tides/4.flac", ["ALBUM": "Tides", "ARTIST": "Nora Vale", "TRACKNUMBER": "4/4"])
    let album = try shelf.album("Tides")
    #expect(album.fileCount == 4 && album.problemCount == 2 && album.trackCount == 2 && album.editionCount == 1)
    let faults = try #require(try shelf.store.albums.faults(of: [album.id])[album.id])
    #expect(faults.stateCounts == [.empty: 1, .unsupported: 1])
    #expect(faults.missingTracks.map(\.track) == [2, 3] && faults.isIncomplete)
    // A second album in the folder, and they are on neither.
    try shelf.add(5, "Tides/5.flac", ["ALBUM": "Ebb", "ARTIST": "Nora Vale"])
    #expect(try shelf.albums() == ["Nora Vale: Ebb 1", "Nora Vale: Tides 2"])
  }

  @Test func `what cannot be played is a fault of the edition in its folder`() throws {
    func add(_ number: UInt64, _ folder: String, _ track: Int, of total: Int, state: FileState = .ok) throws {
      let tags = [
        "ALBUM": "Tides", "ALBUMARTIST": "Nora Vale", "TITLE": "\(track)", "TRACKNUMBER": "\(track)/\(total)",
      ]
      try shelf.add(number, "\(folder)/\(track).flac", tags, state: state)
    }
    for track in 1...3 { try add(UInt64(track), "Deluxe", track, of: 3) }
    for track in 1...2 { try add(UInt64(10 + track), "Plain", track, of: 3) }
    let album = try shelf.album("Tides")
    func faults() throws -> AlbumFaults { try #require(try shelf.store.albums.faults(of: [album.id])[album.id]) }
    #expect(try !faults().isIncomplete)
    try add(13, "Plain", 6, of: 6, state: .empty)
    #expect(try !faults().isIncomplete && faults().stateCounts == [.empty: 1])
    try add(14, "Deluxe", 4, of: 3, state: .empty)
    #expect(try faults().hasUnplayable && faults().isIncomplete && faults().contradictingDiscs == [1])
  }

  @Test func `a number is there twice if a folder has two files with it, even of one recording`() throws {
    for (path, number) in [("Tides/1.flac", 1), ("Tides/2.flac", 2), ("Tides/2 copy.flac", 2)] {
      try shelf.add(UInt64(number), path, ["ALBUM": "Tides", "ARTIST": "Nora Vale", "TRACKNUMBER": "\(number)"])
    }
    let album = try shelf.album("Tides")
    #expect(try shelf.store.albums.faults(of: [album.id])[album.id]?.doubleTracks == [.init(disc: 1, track: 2)])
  }

  @Test(
    arguments: [
      ([101, 102, 104, 201], [:], 1, [1, 3]), ([101, 102, 103], [:], 0, nil), ([99, 100, 101], [:], 98, [1, 1]),
      ([101, 102], ["TRACKTOTAL": "120"], 118, [1, 1]), ([101, 102, 3], [:], 99, [1, 1]),
      ([201, 203], ["DISCNUMBER": "2"], 1, [2, 2]), ([2401, 2402], [:], 0, nil),
      ([101, 201], ["DISCNUMBER": "2"], 199, [2, 1]),
    ] as [([Int], [String: String], Int, [Int]?)])
  func `numbers from a hundred on are those of discs, if all are`(
    numbers: [Int], tags: [String: String], missingCount: Int, first: [Int]?
  ) throws {
    for number in numbers {
      let own = ["ALBUM": "Box", "ARTIST": "Masons", "TITLE": "\(number)", "TRACKNUMBER": "\(number)"]
      try shelf.add(UInt64(number), "Box/\(number).flac", own.merging(tags) { $1 })
    }
    let album = try shelf.album("Box")
    let missing = try #require(try shelf.store.albums.faults(of: [album.id])[album.id]).missingTracks
    #expect(missing.count == missingCount && missing.first.map { [$0.disc, $0.track] } == first, "\(missing)")
  }

  @Test func `copies in other editions lead to the tracks of the first`() throws {
    func add(_ number: UInt64, _ path: String, _ title: String, _ track: Int) throws {
      let tags = ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale", "TITLE": title, "TRACKNUMBER": "\(track)"]
      try shelf.add(number, path, tags)
    }
    for (index, title) in ["Ebb", "Flood", "Slack"].enumerated() {
      try add(UInt64(index + 1), "a/\(index + 1).flac", title, index + 1)
    }
    try add(11, "b/1.flac", "ebb - 2009 Remaster", 1)
    // One recording with another title, and another track at a number that the first edition has, too.
    try add(2, "b/2.flac", "", 2)
    try add(13, "b/3.flac", "Moon", 3)
    #expect(try shelf.album("Tides").editionCount == 2)
    func id(_ path: String) throws -> Int64 { try #require(try shelf.library.id(of: path)) }
    #expect(
      try shelf.store.albums.originals() == [id("b/1.flac"): id("a/1.flac"), id("b/2.flac"): id("a/2.flac")])
  }

  @Test func `the values of an album artist are artists of the album each for itself`() throws {
    func add(_ number: UInt64, _ path: String, _ tags: [String: [String]]) throws {
      var extraction = Sample.extraction(number)
      extraction.tags = Sample.tags(tags)
      try shelf.store.scans.apply([.extracted(Sample.record(path, extraction))])
    }
    try add(1, "a/1.flac", ["ALBUM": ["Duets"], "ARTIST": ["X"], "ALBUMARTIST": ["Ana B", "Carl; C"]])
    try add(2, "b/1.flac", ["ALBUM": ["Alone"], "ARTIST": ["X"], "ALBUMARTIST": ["ana b"]])
    try add(3, "c/1.flac", ["ALBUM": ["One"], "ARTIST": ["X"], "ALBUMARTIST": ["Bo; Di"]])
    try add(5, "e/1.flac", ["ALBUM": ["Twice"], "ARTIST": ["X"], "ALBUMARTIST": ["Zed", "The Zed", "ZED"]])
    try add(4, "d/1.flac", ["ALBUM": ["Shared"], "ARTIST": ["Ed", "Flo"]])
    let albums = try shelf.store.albums.all()
    #expect(
      Dictionary(uniqueKeysWithValues: albums.map { ($0.title, $0.artists) })
        == [
          "Twice": ["Zed", "The Zed", "ZED"], "Duets": ["Ana B", "Carl; C"], "Alone": ["ana b"], "One": ["Bo; Di"],
          "Shared": ["Ed", "Flo"],
        ])
    #expect(try shelf.store.albums.album(id: shelf.album("Duets").id)?.artists == ["Ana B", "Carl; C"])
    let artists = try shelf.store.albums.artists(of: shelf.store.query(""))
    #expect(artists.map(\.name) == ["Ana B", "Bo; Di", "Carl; C", "Ed", "Flo", "Zed"])
    #expect(artists.map(\.albumCount) == [2, 1, 1, 1, 1, 1])
    func count(_ query: String) throws -> Int { try shelf.store.fileIDs(of: shelf.store.query(query)).count }
    #expect(try count("album-artist:=\"Ana B\"") == 1 && count("album-artist:=~\"ana b\"") == 2)
    #expect(try count("album-artist:=\"Carl; C\"") == 1)
  }

  @Test func `an album of a hundred artists has them all, even if their names together are cut`() throws {
    func add(_ number: UInt64, _ title: String, _ artists: [String]) throws {
      var extraction = Sample.extraction(number)
      extraction.tags = Sample.tags(["ALBUM": [title], "ARTIST": ["X"], "ALBUMARTIST": artists])
      try shelf.store.scans.apply([.extracted(Sample.record("\(title)/1.flac", extraction))])
    }
    let short = (1...100).map { "A\($0)" }
    let long = (1...100).map { "An artist with quite a long name of number \($0)" }
    try add(1, "Choir", short)
    try add(2, "Crowd", long)
    #expect(try shelf.album("Choir").artists == short && shelf.album("Crowd").artists == long)
    #expect(try shelf.album("Crowd").artist.hasSuffix("…"))
    #expect(try shelf.store.albums.artists(of: shelf.store.query("")).count == 200)
  }

  @Test func `editions have the same tracks, and folders with other tracks complete each other`() throws {
    for (number, title) in ["Ebb", "Flood", "Slack"].enumerated() {
      let tags = ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale", "TITLE": title, "TRACKNUMBER": "\(number + 1)"]
      try shelf.add(UInt64(number), "flac/\(number).flac", tags)
      try shelf.add(UInt64(10 + number), "copy/\(number).flac", tags)
    }
    try shelf.add(20, "Bo/bonus.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale", "TITLE": "Moon"])
    let album = try shelf.album("Tides")
    #expect(album.editionCount == 2 && album.trackCount == 4 && album.fileCount == 7)
    let ids = try shelf.store.songs.fileIDsByTrackNumber(Array(1...7))
    let editions = try DatabaseQueue(path: shelf.library.path.displayString).read { db in
      try ids.map { try Int.fetchOne(db, sql: "SELECT album_edition FROM file WHERE id = ?", arguments: [$0]) }
    }
    #expect(editions == [1, 1, 1, 1, 2, 2, 2])
  }

  @Test func `a disc without a number has that of its folder or of its album's title`() throws {
    for disc in 1...2 {
      for track in 1...2 {
        try shelf.add(
          UInt64(10 * disc + track), "Tides CD\(disc)/\(track).flac",
          ["ALBUM": "Tides", "ARTIST": "Nora Vale", "TRACKNUMBER": "\(track)", "TITLE": "T \(disc) \(track)"])
        try shelf.add(
          UInt64(100 * disc + track), "x/\(disc)\(track).flac",
          [
            "ALBUM": "Wall (Disc \(disc))", "ARTIST": "Masons", "TRACKNUMBER": "\(track)",
            "TITLE": "B \(disc) \(track)",
          ])
      }
    }
    for title in ["Tides", "Wall"] {
      let album = try shelf.album(title)
      #expect(album.discCount == 2 && album.trackCount == 4)
      #expect(try shelf.store.albums.faults(of: [album.id])[album.id]?.isIncomplete == false)
    }
  }

  @Test(arguments: 0..<UInt64(TestSize.count(20, slow: 400)))
  func `albums are what the rule says of all files, whatever happened before`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    for step in 0..<25 {
      let number = UInt64.random(in: 0..<14, using: &random)
      let path = "\(["a", "b", "c/CD1", "c/CD2"].randomElement(using: &random) ?? "a")/\(number).flac"
      var tags: [String: String] = [:]
      if Int.random(in: 0..<5, using: &random) > 0 {
        tags["ALBUM"] = ["Tides", "tides!", "Ebb", "Ebb (Disc 2)"].randomElement(using: &random)
      }
      if Bool.random(using: &random) {
        tags["ARTIST"] = ["Nora Vale", "Bo", "Bo feat. Nora Vale"].randomElement(using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        tags["ALBUMARTIST"] = ["Bo", "VA"].randomElement(using: &random)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { tags["COMPILATION"] = "1" }
      if Bool.random(using: &random) { tags["TITLE"] = "Song \(number % 5)" }
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        if let known = try shelf.library.id(of: path) { try shelf.store.scans.apply([.missing(fileID: known)]) }
      case 1: try shelf.add(number, path, [:], state: .empty)
      default: try shelf.add(number, path, tags)
      }
      if step % 5 == 4 { try shelf.finish() }
    }
    try shelf.finish()
    let (partition, albums) = (try shelf.partition(), try shelf.albums())
    try shelf.store.write(.durable) { try AlbumWriter.settleAll($0) }
    #expect(try shelf.partition() == partition)
    #expect(try shelf.albums() == albums)
    #expect(try shelf.library.value("SELECT count(*) FROM album_due") == 0)
  }

  @Test func `the order in which a scan reads files makes no difference to what albums are called`() throws {
    let records = (0..<12).map { number in
      Shelf.record(
        UInt64(number), "\(number < 6 ? "x" : "y")/\(number).flac",
        [
          "ALBUM": number % 3 == 0 ? "Ebb" : "Tides", "ARTIST": ["Nora Vale", "Bo", "Cy"][number % 3],
          "TITLE": "Song \(number)",
        ])
    }
    var results: Set<[String]> = []
    for seed in 0..<12 {
      var random = RepeatableRandom(seed: UInt64(seed))
      let shelf = try Shelf()
      for record in records.shuffled(using: &random) { try shelf.store.scans.apply([.extracted(record)]) }
      try shelf.finish()
      results.insert(
        try shelf.store.albums.all().map { "\($0.key) \($0.knownNames) \($0.title) \($0.fileCount)" }.sorted())
    }
    #expect(results.count == 1)
  }
}

struct AlbumDecisionTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  /// What somebody decided about an album, and what clients call it, wherever it is now.
  private func decided() throws -> [String] {
    let stars = Set(try shelf.store.attributes.ofGroups(by: Person.ownerID).map(\.group))
    return try shelf.store.albums.all().filter {
      stars.contains(.album($0.knownNames.title, artist: $0.knownNames.artist))
    }.map(\.key)
  }

  private func star(_ album: Album) throws {
    try shelf.store.attributes.setOpinion(
      .starred, to: "2026-01-02T03:04:05Z", ofRecordings: [],
      groups: [.album(album.knownNames.title, artist: album.knownNames.artist)], by: Person.ownerID)
  }

  @Test func `twenty scans that change tags leave stars, presets and keys where they were`() throws {
    var tags = (1...6).map { ["ALBUM": "Tides", "ARTIST": "Nora Vale", "TITLE": "Song \($0)", "TRACKNUMBER": "\($0)"] }
    var folder = "Tides"
    func scan() throws {
      try shelf.store.scans.apply(
        try tags.enumerated().map { index, tags in
          var record = Shelf.record(UInt64(index + 1), "\(folder)/\(index).flac", tags)
          record.movedFrom = try shelf.library.value("SELECT id FROM file WHERE audio_id = \(index + 2)")
          return .extracted(record)
        })
      try shelf.finish()
    }
    try shelf.add(50, "Other/1.flac", ["ALBUM": "Other", "ARTIST": "Nora Vale"])
    try scan()
    try star(try shelf.album("Tides"))
    try shelf.store.presets.create(try PresetStoreTests.preset("Warm"))
    let subjects = try shelf.store.presets.subjects(.album, of: try shelf.store.query("album:=Tides"))
    _ = try shelf.store.presets.assign(named: "Warm", to: subjects)
    let key = try #require(try decided().first)
    let changes: [(inout [[String: String]]) -> Void] = [
      { $0[5]["ARTIST"] = "Bo" }, { $0[4]["ARTIST"] = "Cy" },
      { for index in $0.indices { $0[index]["ALBUMARTIST"] = "N. Vale" } },
      { for index in $0.indices { $0[index]["ALBUM"] = "Tidez" } },
      { for index in $0.indices { $0[index]["ALBUM"] = "Tides" } },
      { $0[0]["ALBUM"] = "Tides (Deluxe Edition)" },
      { for index in $0.indices { $0[index]["DATE"] = "19\(70 + index)" } },
      { $0[3]["ALBUMARTIST"] = nil }, { for index in $0.indices { $0[index]["ALBUMARTIST"] = nil } },
      { for index in $0.indices { $0[index]["COMPILATION"] = "1" } },
      { for index in $0.indices { $0[index]["COMPILATION"] = nil } },
      { for index in $0.indices { $0[index]["ARTIST"] = "Nora Vale" } }, { $0[1]["ALBUM"] = "Single" },
      { $0[1]["ALBUM"] = "Tides" },
      { for index in 3..<6 { $0[index]["ALBUM"] = "Tides (Disc 2)" } },
      { for index in 0..<4 { $0[index]["ALBUM"] = "Waves" } },
      { for index in 0..<6 { $0[index]["ALBUM"] = "Waves" } }, { _ in folder = "Waves" },
      { for index in $0.indices { $0[index]["MUSICBRAINZ_RELEASEGROUPID"] = "0b27a1f0-1c7f-4b0e-9d55-3f2f4b7a9a01" } },
      { for index in $0.indices { $0[index]["ALBUM"] = "Wellen" } },
    ]
    #expect(changes.count >= 20)
    for (number, change) in changes.enumerated() {
      change(&tags)
      try scan()
      #expect(try decided() == [key], "change \(number)")
      // Most tracks at least have the preset; those whose tags say another album do not.
      let heard = try (1...6).filter {
        try shelf.store.presets.resolution(ofRecording: Int64($0 + 1)).presetName == "Warm"
      }
      #expect(heard.count >= 3, "change \(number)")
    }
    #expect(
      try (1...6).allSatisfy { try shelf.store.presets.resolution(ofRecording: Int64($0 + 1)).presetName == "Warm" })
    #expect(try shelf.store.presets.resolution(ofRecording: 1).presetName == nil)
  }

  @Test func `what becomes part of another album brings its decisions and its key`() throws {
    try shelf.add(1, "a/1.flac", ["ALBUM": "Tidez", "ALBUMARTIST": "Nora Vale"])
    try shelf.add(2, "b/1.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale"])
    try shelf.add(3, "b/2.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale"])
    try shelf.finish()
    let former = try shelf.album("Tidez")
    try star(former)
    try shelf.add(1, "a/1.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale"])
    try shelf.finish()
    let album = try shelf.album("Tides")
    #expect(album.fileCount == 3)
    #expect(try decided() == [album.key])
    #expect(try shelf.store.albums.formerKeys().map(\.key) == [former.key])
    #expect(try shelf.store.albums.formerKeys().map(\.albumID) == [album.id])
  }

  @Test func `of the presets of two albums that become one the later stays, and undo leads back`() throws {
    for name in ["Warm", "Cold"] { try shelf.store.presets.create(try PresetStoreTests.preset(name)) }
    for (number, title) in ["Tidez", "Tides", "Tides"].enumerated() {
      try shelf.add(UInt64(number), "\(title)/\(number).flac", ["ALBUM": title, "ALBUMARTIST": "Nora Vale"])
    }
    try shelf.finish()
    for (name, title) in [("Warm", "Tides"), ("Cold", "Tidez")] {
      let subjects = try shelf.store.presets.subjects(.album, of: try shelf.store.query("album:=\(title)"))
      _ = try shelf.store.presets.assign(named: name, to: subjects)
    }
    // Assignments of one second are told apart by nothing: the other one was an hour ago.
    try shelf.library.execute("UPDATE preset_assignment SET assigned_at = assigned_at - 3600 WHERE album = 'Tides'")
    try shelf.library.execute(
      """
      UPDATE change_row SET after = json_set(after, '$.assigned_at', json_extract(after, '$.assigned_at') - 3600)
       WHERE table_name = 'preset_assignment' AND json_extract(after, '$.album') = 'Tides'
      """)
    try shelf.add(0, "Tidez/0.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale"])
    try shelf.finish()
    func heard() throws -> [String?] {
      try (1...3).map { try shelf.store.presets.resolution(ofRecording: $0).presetName }
    }
    #expect(try heard() == ["Cold", "Cold", "Cold"])
    let check = try shelf.store.check(isDeep: true)
    #expect(check.isSound, "\(check)")
    for summary in ["assign Cold", "assign Warm"] {
      #expect(try shelf.store.journal.undo().summary.hasPrefix(summary))
      #expect(try shelf.store.check(isDeep: true).isSound, "\(summary)")
      if summary == "assign Cold" { #expect(try heard() == ["Warm", "Warm", "Warm"]) }
    }
    #expect(try heard() == [nil, nil, nil])
  }

  @Test(arguments: [true, false])
  func `an album that had the name of another one for a while gets back what was decided about it`(
    otherIsDecided: Bool
  ) throws {
    for name in ["Warm", "Cold"] { try shelf.store.presets.create(try PresetStoreTests.preset(name)) }
    func scan(_ titles: [String]) throws {
      for (number, title) in titles.enumerated() {
        try shelf.add(
          UInt64(number + 1), "\(number / 3)/\(number).flac",
          ["ALBUM": title, "ALBUMARTIST": "Nora Vale", "TITLE": "Song \(number)", "TRACKNUMBER": "\(number % 3 + 1)"])
      }
      try shelf.finish()
    }
    let right = ["Ebb", "Ebb", "Ebb", "Tides", "Tides", "Tides"]
    try scan(right)
    for (preset, title) in [("Warm", "Tides"), ("Cold", "Ebb")] where title == "Tides" || otherIsDecided {
      try star(shelf.album(title))
      let subjects = try shelf.store.presets.subjects(.album, of: shelf.store.query("album:=\(title)"))
      _ = try shelf.store.presets.assign(named: preset, to: subjects)
    }
    func heard() throws -> [String?] {
      try (1...6).map { number in
        let id = try #require(try shelf.library.recording(of: "\((number - 1) / 3)/\(number - 1).flac"))
        return try shelf.store.presets.resolution(ofRecording: id).presetName
      }
    }
    let before = try (
      ids: shelf.store.albums.all().map(\.id), keys: shelf.store.albums.all().map(\.key), decided: decided(),
      heard: heard()
    )
    for wrong in [Array(repeating: "Ebb", count: 6), Array(repeating: "Tides", count: 6), ["Ebb"] + right.dropFirst()] {
      try scan(wrong)
      #expect(try shelf.store.check(isDeep: true).isSound, "\(wrong)")
      try scan(right)
      #expect(
        try shelf.store.albums.all().map(\.id) == before.ids && shelf.store.albums.all().map(\.key) == before.keys)
      #expect(try decided() == before.decided && heard() == before.heard, "\(wrong)")
      let check = try shelf.store.check(isDeep: true)
      #expect(check.isSound, "\(check)")
    }
  }

  @Test func `a join of three albums that is undone or forgotten leaves each with its key, id and decisions`() throws {
    for name in ["Warm", "Cold", "Loud"] { try shelf.store.presets.create(try PresetStoreTests.preset(name)) }
    var number: UInt64 = 0
    for (title, count) in [("Ebb", 8), ("Tides", 5), ("Wave", 5)] {
      for track in 1...count {
        number += 1
        try shelf.add(
          number, "\(title)/\(track).flac",
          ["ALBUM": title, "ARTIST": "Nora Vale", "TITLE": "\(title) \(track)", "TRACKNUMBER": "\(track)"])
      }
    }
    try shelf.finish()
    for (preset, title) in [("Warm", "Ebb"), ("Cold", "Tides"), ("Loud", "Wave")] {
      let subjects = try shelf.store.presets.subjects(.album, of: shelf.store.query("album:=\(title)"))
      _ = try shelf.store.presets.assign(named: preset, to: subjects)
    }
    try star(shelf.album("Ebb"))
    func state() throws -> [String] {
      try shelf.store.albums.all().map { album in
        let recording = try #require(try shelf.store.albums.firstRecordings(of: [album.id])[album.id])
        let preset = try shelf.store.presets.resolution(ofRecording: recording).presetName ?? "none"
        return "\(album.id) \(album.key) \(album.title) \(album.fileCount) \(preset)"
      } + decided()
    }
    try star(shelf.album("Wave"))
    let before = try state()
    let all = try shelf.store.fileIDs(of: shelf.store.query("-is:missing"))
    _ = try shelf.store.albums.join(albumsOfFiles: all)
    #expect(try shelf.store.albums.all().count == 1)
    _ = try shelf.store.journal.undo()
    try expect(state(), before)
    _ = try shelf.store.albums.join(albumsOfFiles: all)
    #expect(try shelf.store.albums.all().count == 1)
    // What there would be to see is what there is.
    let rehearsed = try shelf.store.albums.forgetChoices(ofFiles: all, isDryRun: true)
    #expect(try shelf.store.albums.all().count == 1)
    let forgotten = try shelf.store.albums.forgetChoices(ofFiles: all)
    #expect(forgotten == rehearsed)
    #expect(forgotten.choiceCount == 18 && forgotten.movedFileCount == 10)
    // The presets of Tides and Wave; of two stars each has kept its own.
    #expect(forgotten.returnedDecisionCount == 2)
    try expect(state(), before)
    #expect(try shelf.store.check(isDeep: true).isSound)
    let most = try shelf.store.fileIDs(of: shelf.store.query("album:Ebb track:2.."))
    _ = try shelf.store.albums.split(files: most)
    #expect(try shelf.store.albums.all().count == 4)
    _ = try shelf.store.journal.undo()
    try expect(state(), before)
  }

  private func expect(_ found: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(found == expected, "\(found)\n\(expected)", sourceLocation: sourceLocation)
  }

  /// Alb A of four files by Old Name with the preset PA, Alb B of four by Other with PB, and a file of Best Of.
  private func twoAlbums() throws -> () throws -> [String] {
    for name in ["PA", "PB"] { try shelf.store.presets.create(try PresetStoreTests.preset(name)) }
    try scanTwoAlbums { $0 }
    for (preset, title) in [("PA", "Alb A"), ("PB", "Alb B")] {
      let subjects = try shelf.store.presets.subjects(.album, of: shelf.store.query("album:=\"\(title)\""))
      _ = try shelf.store.presets.assign(named: preset, to: subjects)
    }
    return {
      let check = try shelf.store.check(isDeep: true)
      #expect(check.isSound, "\(check)")
      return try shelf.store.albums.all().map { album in
        let recording = try #require(try shelf.store.albums.firstRecordings(of: [album.id])[album.id])
        let preset = try shelf.store.presets.resolution(ofRecording: recording).presetName ?? "none"
        return "\(album.id) \(album.key) \(album.artist): \(album.title) \(album.fileCount) \(preset)"
      }
    }
  }

  private func scanTwoAlbums(_ change: ([String: String]) -> [String: String]) throws {
    for (place, artist) in ["Old Name", "Other"].enumerated() {
      for track in 1...4 {
        let letter = ["A", "B"][place]
        try shelf.add(
          UInt64(place * 10 + track), "\(letter)/\(track).flac",
          change([
            "ALBUM": "Alb \(letter)", "ARTIST": artist, "TITLE": "\(letter) \(track)", "TRACKNUMBER": "\(track)",
          ]))
      }
    }
    try shelf.add(30, "B/copy.flac", change(["ALBUM": "Best Of", "ARTIST": "Else", "TITLE": "One"]))
    try shelf.finish()
  }

  private func set(_ fields: [String: String], _ query: String = "-is:missing") throws {
    let settings = try fields.sorted { $0.key < $1.key }.map {
      CorrectionEdit.Setting(field: try #require(CorrectionField($0.key)), values: [$0.value])
    }
    _ = try shelf.store.corrections.correct(
      .set(settings), ofFiles: shelf.store.fileIDs(of: shelf.store.query(query)))
  }

  @Test func `a join of two albums with presets is sound, one change, and undone by one undo`() throws {
    let state = try twoAlbums()
    let before = try state()
    let ids = try shelf.store.fileIDs(of: shelf.store.query("album:alb"))
    _ = try shelf.store.albums.join(albumsOfFiles: ids)
    // The later one stays, also within a second.
    #expect(try state().contains { $0.hasSuffix("Old Name: Alb A 8 PB") })
    #expect(try shelf.store.journal.changes()[0].summary == "join 2 albums as Alb A by Old Name")
    _ = try shelf.store.journal.undo()
    try expect(state(), before)
    // What is undone while they are one, too.
    _ = try shelf.store.albums.join(albumsOfFiles: ids)
    #expect(try shelf.store.albums.forgetChoices(ofFiles: ids).choiceCount == 8)
    try expect(state(), before)
  }

  @Test func `three albums that had one name for a while are what they were`() throws {
    let state = try twoAlbums()
    let before = try state()
    try set(["album": "M", "albumartist": "M"])
    #expect(try state().count == 1)
    _ = try shelf.store.journal.undo()
    try expect(state(), before)
    try scanTwoAlbums { $0.merging(["ALBUM": "M", "ALBUMARTIST": "M"]) { $1 } }
    #expect(try state().count == 1)
    try scanTwoAlbums { $0 }
    try expect(state(), before)
  }

  @Test func `an album that was called otherwise when it became part of another one is found again`() throws {
    let state = try twoAlbums()
    let before = try state()
    try set(["album": "Alb A"], "artist:=Other")
    let renamed = try state()
    #expect(renamed.contains { $0.hasSuffix("Other: Alb A 4 PB") }, "\(renamed)")
    try set(["albumartist": "Z"], "album:=\"Alb A\"")
    #expect(try state().count == 2)
    _ = try shelf.store.journal.undo()
    try expect(state(), renamed)
    _ = try shelf.store.journal.undo()
    try expect(state(), before)
    for preset in ["none", "none"] {
      _ = try shelf.store.journal.undo()
      #expect(try state().contains { $0.hasSuffix("Other: Alb B 4 \(preset)") })
    }
    #expect(try state().allSatisfy { $0.hasSuffix("none") })
  }

  @Test func `undo of a preset while two albums are one leads to the other, and each has what the journal says`() throws
  {
    let state = try twoAlbums()
    try scanTwoAlbums { $0.merging(["ALBUM": "Alb A", "ARTIST": "Old Name"]) { $1 } }
    #expect(try state().contains { $0.hasSuffix("Old Name: Alb A 9 PB") })
    _ = try shelf.store.journal.undo()
    #expect(try state().contains { $0.hasSuffix("Old Name: Alb A 9 PA") })
    try scanTwoAlbums { $0 }
    let parted = try state()
    #expect(parted.contains { $0.hasSuffix("Old Name: Alb A 4 PA") }, "\(parted)")
    #expect(parted.contains { $0.hasSuffix("Other: Alb B 4 none") }, "\(parted)")
  }

  @Test func `an album whose half has another title now is called as the other half says`() throws {
    for number in 1...4 {
      try shelf.add(
        UInt64(number), "a/\(number).flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora", "TITLE": "\(number)"])
    }
    try shelf.finish()
    try shelf.store.scans.apply(
      (1...4).map { number in
        .extracted(
          Shelf.record(
            UInt64(number), "a/\(number).flac",
            ["ALBUM": number < 3 ? "TIDES" : "Wave", "ALBUMARTIST": number < 3 ? "Bob" : "Nora", "TITLE": "\(number)"]))
      })
    try shelf.finish()
    #expect(try shelf.albums() == ["Bob: TIDES 2", "Nora: Wave 2"])
  }

  @Test func `parts of a book with one title, and movements with the same ones, are no copies`() throws {
    for part in 1...2 {
      for track in 1...4 {
        let number = UInt64(part * 10 + track)
        try shelf.add(
          number, "book/Part \(part)/\(track).flac",
          ["ALBUM": "Whale", "ALBUMARTIST": "H", "TITLE": "Whale", "TRACKNUMBER": "\(part * 4 - 4 + track)"])
        try shelf.add(
          number + 100, "music/Symphony \(part)/\(track).flac",
          [
            "ALBUM": "Symphonies", "ALBUMARTIST": "H", "TITLE": "Movement \(track)",
            "TRACKNUMBER": "\(part * 4 - 4 + track)",
          ])
      }
    }
    try shelf.finish()
    #expect(try shelf.store.albums.originals().isEmpty)
    #expect(try shelf.store.albums.all().map(\.editionCount) == [1, 1])
    #expect(try shelf.store.albums.all().map(\.trackCount) == [8, 8])
  }

  @Test func `an album whose files are gone comes back with its decisions`() throws {
    try shelf.add(1, "a/1.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale"])
    try shelf.finish()
    let key = try shelf.album("Tides").key
    try star(try shelf.album("Tides"))
    try shelf.library.execute("UPDATE file SET missing_since = 5")
    try shelf.store.write(.durable) { try AlbumWriter.settle($0) }
    #expect(try shelf.albums().isEmpty)
    try shelf.add(9, "new/1.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Nora Vale"])
    try shelf.finish()
    #expect(try decided() == [key])
  }

  @Test func `albums are joined and split by hand, and undo takes it back`() throws {
    for (number, title) in ["Tides", "Tides", "Ebb", "Ebb", "Ebb"].enumerated() {
      try shelf.add(
        UInt64(number), "\(title)/\(number).flac", ["ALBUM": title, "ARTIST": "Nora Vale", "TITLE": "Song \(number)"])
    }
    try shelf.finish()
    let before = try shelf.partition()
    let ids = try shelf.store.fileIDs(of: try shelf.store.query("path:Tides OR path:Ebb"))
    let joined = try shelf.store.albums.join(albumsOfFiles: ids)
    #expect(joined.title == "Ebb" && joined.fileCount == 5)
    #expect(try shelf.albums().count == 1)
    // A scan does not take it back, and what comes later follows.
    try shelf.add(9, "Tides/9.flac", ["ALBUM": "Tides", "ARTIST": "Nora Vale"])
    try shelf.finish()
    #expect(try shelf.albums().count == 1)
    #expect(try shelf.store.journal.undo().summary == "join 2 albums as Ebb by Nora Vale")
    try shelf.add(9, "Tides/9.flac", ["ALBUM": "Else", "ARTIST": "Nora Vale"])
    #expect(try shelf.partition().subtracting([["Tides/9.flac"]]) == before)

    #expect(throws: AlbumChoiceError.nothingToJoin(albumCount: 1)) {
      _ = try shelf.store.albums.join(albumsOfFiles: try shelf.store.fileIDs(of: try shelf.store.query("path:Ebb")))
    }
    let one = try shelf.store.fileIDs(of: try shelf.store.query("filename:=2.flac"))
    #expect(try shelf.store.albums.split(files: one) == 1)
    #expect(try shelf.partition().contains(["Ebb/2.flac"]))
    #expect(try shelf.albums().count == 4)
    try shelf.finish()
    #expect(try shelf.partition().contains(["Ebb/2.flac"]))
    #expect(
      try shelf.store.albums.forgetChoices(ofFiles: try shelf.store.fileIDs(of: try shelf.store.query("path:Ebb")))
        .choiceCount == 3
    )
    #expect(try shelf.partition().subtracting([["Tides/9.flac"]]) == before)
    #expect(throws: AlbumChoiceError.nothingToSplit) {
      _ = try shelf.store.albums.split(files: try shelf.store.fileIDs(of: try shelf.store.query("path:Ebb")))
    }
  }

  @Test func `a merge brings what was decided about albums to the albums that have their recordings`() throws {
    for number in 1...3 {
      try shelf.add(
        UInt64(number), "Tides/\(number).flac", ["ALBUM": "Tides", "ARTIST": "Nora Vale", "TITLE": "Song \(number)"])
    }
    try shelf.finish()
    try star(try shelf.album("Tides"))
    // It is called otherwise since.
    try shelf.add(4, "Tides/4.flac", ["ALBUM": "Tides", "ARTIST": "Bo", "TITLE": "Song 4"])
    try shelf.finish()
    let other = try shelf.album("Tides")
    #expect(other.artist == "Various Artists" && other.knownNames.artist == "Nora Vale")
    for hasOwn in [false, true] {
      let target = try Shelf()
      if hasOwn {
        try target.add(1, "x/1.flac", ["ALBUM": "Tides", "ALBUMARTIST": "Somebody", "TITLE": "Song 1"])
        try target.finish()
      }
      _ = try target.store.merge([shelf.library.path], options: MergeOptions())
      let groups = try target.store.attributes.ofGroups(by: Person.ownerID).map(\.group)
      let starred = try target.store.albums.all().filter {
        groups.contains(.album($0.knownNames.title, artist: $0.knownNames.artist))
      }
      #expect(starred.count == 1 && starred[0].title == "Tides")
    }
  }

  @Test func `the id of an album that became part of another one leads to that`() throws {
    for (number, title) in ["Tides", "Tides", "Ebb"].enumerated() {
      try shelf.add(UInt64(number), "\(title)/\(number).flac", ["ALBUM": title, "ALBUMARTIST": "Nora Vale"])
    }
    try shelf.finish()
    let (former, album) = try (shelf.album("Ebb"), shelf.album("Tides"))
    func found(_ query: String) throws -> Int { try shelf.store.fileIDs(of: shelf.store.query(query)).count }
    #expect(try found("album-id:\(former.id)") == 1)
    _ = try shelf.store.albums.join(albumsOfFiles: shelf.store.fileIDs(of: shelf.store.query("album+")))
    #expect(try found("album-id:\(former.id)") == 3 && found("album-id:\(album.id)") == 3)
    #expect(try found("-album-id:\(former.id)") == 0 && found("album-id:\(former.id) album:ebb") == 1)
    #expect(try shelf.store.albums.album(id: former.id)?.id == album.id)
    #expect(try shelf.store.albums.all(of: shelf.store.query("album-id:\(former.id)"), orderedBy: .artist).total == 1)
    _ = try shelf.store.journal.undo()
    #expect(try found("album-id:\(former.id)") == 1 && shelf.store.albums.album(id: former.id)?.title == "Ebb")
    #expect(try found("album-id:99") == 0)
  }

  @Test func `a merge brings the keys that albums had before they became one`() throws {
    for (number, title) in ["Tides", "Tides", "Ebb"].enumerated() {
      try shelf.add(UInt64(number), "\(title)/\(number).flac", ["ALBUM": title, "ALBUMARTIST": "Nora Vale"])
    }
    try shelf.finish()
    let former = try shelf.album("Ebb").key
    _ = try shelf.store.albums.join(albumsOfFiles: shelf.store.fileIDs(of: shelf.store.query("album+")))
    let target = try Shelf()
    _ = try target.store.merge([shelf.library.path], options: MergeOptions())
    #expect(try target.store.albums.id(ofKey: former) == target.album("Tides").id)
  }
}

struct AlbumMigrationTests {
  /// The preset with which the owner heard each file before: that of its album by the names in its tags.
  private static func presets(_ path: BytePath) throws -> [Int64: String] {
    try DatabaseQueue(path: path.displayString).read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT file.audio_id, preset.name
            FROM file JOIN preset_assignment AS a
              ON a.scope = 'album' AND a.album = file.album AND a.artist = coalesce(nullif(file.albumartist, ''), file.artist, '')
            JOIN preset ON preset.id = a.preset_id
          """)
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as String) })
    }
  }

  @Test func `a library of schema 9 keeps what was decided about its albums`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    try MigrationTests.makeLibrary(Corpora.fixtures.appending(path: "databases/schema-9.sql.gz"), at: path)
    let presets = try Self.presets(path)
    #expect(presets.count == 11)
    let store = try MediaStore(at: path, access: .readWrite, timeout: .seconds(1))
    defer { try? store.close() }
    #expect(
      try store.albums.all().map { "\($0.artist): \($0.title) \($0.fileCount)/\($0.editionCount)" } == [
        "Ana B: Duets 2/1", "Ana B:  1/1", "Masons: Wall 4/1", "Nora Vale: Tides 6/2", "Various Artists: Hits 2/1",
        "Various Artists: Sampler 3/1", ":  1/1",
      ])
    let check = try store.check(isDeep: true)
    #expect(check.isSound, "\(check)")
    let recordings = try store.fileIDs(of: try store.query("")).count
    for id in 1...Int64(recordings) { #expect(try store.presets.resolution(ofRecording: id).presetName == presets[id]) }
    var opinions: [String: [String]] = [:]
    let albums = try store.albums.all()
    for attribute in try store.attributes.ofGroups(by: Person.ownerID) {
      guard case .album(let title, let artist) = attribute.group else { continue }
      let album = albums.first { $0.knownNames == AlbumNames(artist: artist, title: title) }
      opinions[album?.title ?? "-", default: []].append("\(attribute.name)=\(attribute.value)")
    }
    #expect(
      opinions.mapValues { $0.sorted() } == [
        "Tides": ["starred=2026-01-02T03:04:05Z"], "Sampler": ["rating=80", "starred=2026-01-03T03:04:05Z"],
        "Duets": ["rating=60"],
        "Hits": ["rating=20", "starred=2026-01-04T03:04:05Z"], "Wall": ["rating=40"], "-": ["rating=100"],
      ])
  }

  /// MD5 of the folded artist, NUL and the folded title, as players know albums from before.
  @Test(arguments: [
    ("nora vale", "tides", "Tides"), ("various artists", "sampler", "Sampler"), ("various artists", "duets", "Duets"),
    ("va", "hits", "Hits"), ("various artists", "hits", "Hits"), ("masons", "wall (disc 2)", "Wall"),
    ("ana b", "[unknown album]", ""),
  ])
  func `players find the albums that they knew`(artist: String, title: String, found: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    try MigrationTests.makeLibrary(Corpora.fixtures.appending(path: "databases/schema-9.sql.gz"), at: path)
    let store = try MediaStore(at: path, access: .readWrite, timeout: .seconds(1))
    defer { try? store.close() }
    let key = Base.MD5.hexadecimal(of: "\(artist)\0\(title)")
    let albums = try store.albums.all()
    let former = try store.albums.formerKeys().first { $0.key == key }?.albumID
    let album = albums.first { $0.key == key } ?? albums.first { $0.id == former }
    #expect(album?.title == found)
  }
}
