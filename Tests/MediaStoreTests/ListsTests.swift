import Base
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport
import UserData

/// Lists, and links to tracks.
struct ListsTests {
  let library: TemporaryLibrary
  var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try store.scans.apply(
      (1...5).map { .extracted(Sample.record("a/\($0).flac", Sample.extraction(UInt64($0), title: "Tide \($0)"))) })
  }

  @Test func `a query is kept under a name, replaced and forgotten`() throws {
    try store.lists.save("Late", query: "tide")
    try store.lists.save("late", query: "tide year-")
    let list = try store.lists.list(named: "LATE")
    #expect(try store.lists.all() == [list] && list.query == "tide year-" && list.name == "late")
    #expect(throws: QueryError.self) { try store.lists.save("x", query: "titel:a") }
    #expect(throws: StoreError.self) { try store.lists.save("", query: "a") }
    #expect(throws: StoreError.self) { try store.lists.save("a\u{1B}[31m", query: "a") }
    #expect(throws: StoreError.self) { try store.lists.save(ArgumentText.text(ofBytes: [0x61, 0xFF]), query: "a") }
    try store.lists.delete("late")
    #expect(throws: StoreError.noSuchList("late")) { try store.lists.list(named: "late") }
    #expect(throws: StoreError.noSuchList("late")) { try store.lists.delete("late") }
  }

  @Test func `the name of a list is the same whatever its case and however its accents are encoded`() throws {
    try store.lists.save("\u{C9}t\u{E9}", query: "tide")
    #expect(try store.lists.list(named: "e\u{301}te\u{301}").query == "tide")
    #expect(throws: StoreError.listExists("E\u{301}TE\u{301}")) {
      try store.lists.save("E\u{301}TE\u{301}", query: "a", replaces: false)
    }
    try store.lists.save("e\u{301}te\u{301}", query: "year-")
    #expect(try store.lists.all().map(\.query) == ["year-"])
    try store.lists.delete("\u{C9}T\u{C9}")
    #expect(try store.lists.all() == [])
  }

  @Test(arguments: [
    ("Mine", "Mine"), ("  Mine \n", "Mine"), ("\u{200F}שלום", "שלום"), ("", nil), (" \u{1B} ", nil),
    (String(repeating: "ä", count: 150), String(repeating: "ä", count: 100)),
  ])
  func `a title from elsewhere becomes a name that a list can have`(title: String, name: String?) throws {
    #expect(SavedList.name(after: title) == name)
    if let name { try store.lists.save(name, query: "tide") }
  }

  @Test func `a list of tracks keeps its order while files move`() throws {
    let third = try #require(try library.recording(of: "a/3.flac"))
    let first = try #require(try library.recording(of: "a/1.flac"))
    try store.lists.save("two", recordingIDs: [third, first, third])
    let id = try #require(try library.id(of: "a/3.flac"))
    try store.scans.apply([.moved(fileID: id, rootID: 1, path: BytePath("b/x.flac"), Sample.status())])
    let list = try store.lists.list(named: "two")
    var paths: [String] = []
    try store.forEachListRow(
      of: .everything, fields: [QueryField("path", .path)], fileIDs: try store.lists.fileIDs(of: list)
    ) {
      if case .path(let path) = $0.value(0) { paths.append(path.displayString) }
    }
    #expect(list.entryCount == 3 && paths == ["/music/b/x.flac", "/music/a/1.flac", "/music/b/x.flac"])
    let sorted = try store.query("path+")
    var sortedPaths: [String] = []
    try store.forEachListRow(
      of: sorted, fields: [QueryField("path", .path)], fileIDs: try store.lists.fileIDs(of: list)
    ) {
      if case .path(let path) = $0.value(0) { sortedPaths.append(path.displayString) }
    }
    #expect(sortedPaths == paths.sorted())
  }

  @Test func `entries whose files were forgotten stay at their places while the others are arranged`() throws {
    let ids = try (1...5).map { try #require(try library.recording(of: "a/\($0).flac")) }
    try store.lists.save("five", recordingIDs: ids)
    let forgotten = try [2, 5].map { try #require(try library.id(of: "a/\($0).flac")) }
    try store.scans.apply(forgotten.map { .missing(fileID: $0) })
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: .everything), includingOrphans: true)
    func titles() throws -> [String] {
      let list = try store.lists.list(named: "five")
      return try store.songs.all(in: try store.lists.fileIDs(of: list), of: nil).compactMap(\.title)
    }
    #expect(try titles() == ["Tide 1", "Tide 3", "Tide 4"])
    try store.lists.arrange("five", recordingIDs: [ids[3], ids[0], ids[2]])
    #expect(try titles() == ["Tide 4", "Tide 1", "Tide 3"])
    // Their files come back.
    let records = [2, 5].map { Sample.record("a/\($0).flac", Sample.extraction(UInt64($0), title: "Tide \($0)")) }
    try store.scans.apply(records.map { .extracted($0) })
    #expect(try titles() == ["Tide 4", "Tide 2", "Tide 1", "Tide 3", "Tide 5"])
    _ = try store.journal.undo()
    #expect(try titles() == ["Tide 1", "Tide 2", "Tide 3", "Tide 4", "Tide 5"])
    try store.lists.arrange("five", recordingIDs: [ids[4], ids[4]])
    #expect(try titles() == ["Tide 5", "Tide 5"])
    try store.lists.save("asked", query: "tide")
    #expect(throws: StoreError.listIsQuery("asked")) { try store.lists.arrange("asked", recordingIDs: ids) }
    #expect(throws: StoreError.noSuchList("none")) { try store.lists.arrange("none", recordingIDs: ids) }
  }

  @Test func `entries whose files are missing stay when a player sends the others in another order`() throws {
    let ids = try (1...3).map { try #require(try library.recording(of: "a/\($0).flac")) }
    let owner = try store.people.addedID(of: .owner)
    let list = try store.lists.add("three", recordingIDs: ids, of: owner)
    func titles() throws -> [String] {
      let files = try store.lists.fileIDs(of: try store.lists.list(list, visibleTo: owner))
      return try store.songs.all(in: files, of: nil).compactMap(\.title)
    }
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a/2.flac")))])
    #expect(try titles() == ["Tide 1", "Tide 3"])
    var change = PlaylistChange()
    change.content = [ids[2], ids[0]]
    try store.lists.change(list, change, of: owner)
    #expect(try titles() == ["Tide 3", "Tide 1"])
    try store.scans.apply([.extracted(Sample.record("a/2.flac", Sample.extraction(2, title: "Tide 2")))])
    #expect(try titles() == ["Tide 3", "Tide 2", "Tide 1"])
    // Now that it is seen, it is left out on purpose.
    try store.lists.change(list, change, of: owner)
    #expect(try titles() == ["Tide 3", "Tide 1"])
  }

  @Test func `a sound that was forgotten since it was found leaves the rest of its list`() throws {
    let ids = try [1, 2, 3].map { try #require(try library.recording(of: "a/\($0).flac")) }
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a/2.flac")))])
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: .everything), includingOrphans: true)
    try store.lists.save("rest", recordingIDs: ids)
    #expect(try store.lists.list(named: "rest").entryCount == 2)
    #expect(try store.tracks.detail(ofRecording: ids[2])?.lists == ["rest"])
  }

  @Test func `a track is found by path, by the end of its path, by hash, and by tags`() throws {
    let first = try #require(try library.recording(of: "a/1.flac"))
    let hash = Sample.hash(1).description
    let descriptions = [
      TrackDescription(paths: [BytePath("/music/a/1.flac")]),
      TrackDescription(paths: [BytePath("/old/music/a/1.flac")]),
      TrackDescription(paths: [BytePath("/gone.flac")], hash: hash),
      TrackDescription(paths: [BytePath("/old/place/a/2.flac")], hash: hash),
      TrackDescription(paths: [BytePath("/music/a/2.flac")], hash: hash),
      TrackDescription(paths: [], title: "TIDE 1", artist: "nora vale", durationInSeconds: 11),
      TrackDescription(paths: [], title: "Tide 1"),
      TrackDescription(paths: [], title: "Tide 1", artist: "Nora Vale", durationInSeconds: 99),
      TrackDescription(paths: [BytePath("1.flac")], hash: "00"),
    ]
    #expect(
      try store.tracks.links(of: descriptions) == [
        TrackLink(.path, recordingID: first), TrackLink(.pathEnd, recordingID: first),
        TrackLink(.hash, recordingID: first), TrackLink(.hash, recordingID: first),
        TrackLink(.hash, recordingID: first), TrackLink(.tags, recordingID: first),
        TrackLink(.tags, recordingID: first), nil, nil,
      ])
    // What was meant is not there any more: who has its path now takes its place.
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a/1.flac")))])
    let second = try #require(try library.recording(of: "a/2.flac"))
    #expect(try store.tracks.links(of: [descriptions[4]]) == [TrackLink(.path, recordingID: second)])
  }

  @Test func `a bare file name is found if only one sound has it, and nothing contradicts`() throws {
    try store.scans.apply(
      ["b/Unique.flac", "c/Twice.flac", "d/Twice.flac"].enumerated().map {
        .extracted(Sample.record($1, Sample.extraction(UInt64(100 + $0))))
      })
    func link(_ name: String, seconds: Double? = nil) throws -> TrackLink? {
      let path = BytePath("/lists/" + name)
      let track = TrackDescription(paths: [path], durationInSeconds: seconds, bareNames: [name])
      return try store.tracks.links(of: [track])[0]
    }
    let unique = try #require(try library.recording(of: "b/Unique.flac"))
    #expect(try link("unique.FLAC") == TrackLink(.name, recordingID: unique))
    #expect(try link("Unique.flac", seconds: 99) == nil && link("Twice.flac") == nil && link("None.flac") == nil)
  }

  @Test func `a list is a condition of a query, and gives its order`() throws {
    let ids = try [3, 1, 2].map { try #require(try library.recording(of: "a/\($0).flac")) }
    try store.lists.save("Evening", recordingIDs: ids + [ids[0]])
    try store.lists.save("first", query: "title:=\"Tide 1\"")
    try store.lists.save("all", query: "list:evening title-")
    func titles(_ query: String) throws -> [String] {
      var titles: [String] = []
      try store.forEachRow(of: store.query(query), fields: [QueryField("title", .text)]) { values in
        if case .text(let title) = values[0] { titles.append(title) }
      }
      return titles
    }
    #expect(try titles("list:evening") == ["Tide 3", "Tide 1", "Tide 2", "Tide 3"])
    #expect(try titles("list:evening title-") == ["Tide 3", "Tide 3", "Tide 2", "Tide 1"])
    #expect(try titles("list:evening -list:first") == ["Tide 3", "Tide 2", "Tide 3"])
    #expect(try titles("list:all") == ["Tide 3", "Tide 3", "Tide 2", "Tide 1"])
    #expect(try titles("list:evening , title:5 title+") == ["Tide 1", "Tide 2", "Tide 3", "Tide 5"])
    #expect(try titles("list:\"\" title+") == ["Tide 4", "Tide 5"])
    #expect(try store.count(of: store.query("list:evening")) == 4)
    #expect(try store.tracks.recordingIDs(naming: ["list:evening"]) == ids)
    #expect(try store.tracks.recordingIDs(naming: (ids + [ids[0]]).map(String.init)) == ids)
    #expect(try store.count(of: store.query(ofList: store.lists.list(named: "evening"))) == 4)
    #expect(throws: QueryError("there is no list 'evning'; did you mean Evening?", column: 7)) {
      try store.query("tide, list:evning")
    }
  }

  @Test func `a query that would refer to itself is not saved, and one that comes to do so fails`() throws {
    try store.lists.save("one", query: "title:1")
    try store.lists.save("two", query: "list:one")
    let loop = QueryError("list: 'one' refers to itself, or to more than 10 others", column: 7)
    #expect(throws: loop) { try store.lists.save("one", query: "tide, LIST:one") }
    #expect(throws: QueryError.self) { try store.lists.save("One", query: "list:two") }
    #expect(throws: QueryError.self) { try store.lists.save("new", query: "list:new") }
    #expect(try store.lists.all().map(\.query) == ["title:1", "list:one"])
    try store.lists.delete("one")
    try store.lists.rename("two", to: "one")
    #expect(throws: QueryError.self) { try store.query("list:one") }
  }

  @Test func `lists that refer to each other many times are too many terms`() throws {
    let many = { (word: String) in Array(repeating: word, count: 100).joined(separator: " , ") }
    try store.lists.save("words", query: many("tide"))
    try store.lists.save("often", query: "list:words , list:words")
    #expect(try store.count(of: store.query("list:often")) == 5)
    #expect(throws: QueryError("list: more than 1000 terms with those of the lists", column: 1)) {
      try store.lists.save("words of words", query: many("list:words"))
    }
  }

  @Test func `of several sounds with one title the artist or the length decides, else none is found`() throws {
    for (number, artist, seconds) in [(50, "A", 60), (51, "A", 62), (52, "B", 300)] as [(UInt64, String, Int64)] {
      var extraction = Sample.extraction(number)
      extraction.tags = Sample.tags(["TITLE": ["Été"], "ARTIST": [artist]])
      extraction.format?.decodedFrameCount = 44_100 * seconds
      try store.scans.apply([.extracted(Sample.record("same/\(number).flac", extraction))])
    }
    func found(artist: String? = nil, seconds: Double? = nil) throws -> Int64? {
      let track = TrackDescription(paths: [], title: "ETE", artist: artist, durationInSeconds: seconds)
      return try store.tracks.links(of: [track])[0]?.recordingID
    }
    let ids = try (50...52).map { try library.recording(of: "same/\($0).flac") }
    #expect(try found() == nil && found(artist: "a") == nil && found(artist: "C") == nil)
    #expect(try found(artist: "b") == ids[2])
    #expect(try found(artist: "A", seconds: 61.6) == ids[1] && found(seconds: 59) == ids[0])
    #expect(try found(artist: "A", seconds: 66) == nil && found(artist: "B", seconds: 61) == nil)
  }

  @Test func `the end of a path is found whatever the folders above are called, if it is one sound's alone`() throws {
    try store.scans.apply(
      ["Beatles/Help!.ogg", "Cafe\u{301}/Zwo\u{308}lf.mp3", "One/01.flac", "Two/01.flac", "case/X.flac", "Case/X.flac"]
        .enumerated().map { .extracted(Sample.record($1, Sample.extraction(UInt64(100 + $0)))) })
    func found(_ path: String) throws -> Int64? {
      try store.tracks.links(of: [TrackDescription(paths: [BytePath(path)])])[0]?.recordingID
    }
    let help = try #require(try library.recording(of: "Beatles/Help!.ogg"))
    for path in ["/mnt/old/Beatles/Help!.ogg", "/x/beatles/HELP!.OGG", "/Music/Beatles/Help!.ogg"] {
      #expect(try found(path) == help, "\(path)")
    }
    // One component proves nothing, nor do two that several sounds share.
    #expect(try found("/elsewhere/Help!.ogg") == nil)
    #expect(try found("/old/01.flac") == nil)
    let composed = try #require(try library.recording(of: "Cafe\u{301}/Zwo\u{308}lf.mp3"))
    #expect(try found("/music/Caf\u{E9}/Zw\u{F6}lf.mp3") == composed)
    #expect(try found("/other/One/01.flac") == library.recording(of: "One/01.flac"))
    #expect(try found("/other/Case/X.flac") == library.recording(of: "Case/X.flac"))
    #expect(try found("/other/CASE/X.flac") == nil)
  }

  @Test func `the end of a path finds no other file than the one that is meant`() throws {
    try store.scans.apply([.extracted(Sample.record("B/Best/01.mp3", Sample.extraction(50)))])
    let best = try #require(try library.recording(of: "B/Best/01.mp3"))
    func found(_ tracks: TrackDescription...) throws -> [Int64?] {
      try store.tracks.links(of: tracks).map { $0?.recordingID }
    }
    let (there, other) = (BytePath("/music/B/Best/01.mp3"), BytePath("/music/A/Best/01.mp3"))
    #expect(try found(TrackDescription(paths: [other])) == [best])
    // It is certain that another track is this sound: two components are no proof then, three are.
    #expect(try found(TrackDescription(paths: [there]), TrackDescription(paths: [other])) == [best, nil])
    let moved = TrackDescription(paths: [BytePath("/old/B/Best/01.mp3")])
    #expect(try found(TrackDescription(paths: [there]), moved) == [best, best])
    // Nor may anything that is said contradict.
    #expect(try found(TrackDescription(paths: [other], durationInSeconds: 99)) == [nil])
    #expect(try found(TrackDescription(paths: [other], title: "Else", artist: "Somebody")) == [nil])
    #expect(try found(TrackDescription(paths: [other], title: "Else", artist: "nora vale")) == [best])
    // A file without a sound is not another one.
    var silent = Sample.extraction(51)
    (silent.state, silent.stream, silent.format) = (.unsupported, nil, nil)
    try store.scans.apply([.extracted(Sample.record("A/Best/01.mp3", silent))])
    #expect(try found(TrackDescription(paths: [other])) == [nil])
  }

  @Test(arguments: ["0x10", "inf", "nan", "1e1", " 12", "+5", "١٢", "101", ""])
  func `a rating is digits`(text: String) throws {
    let id = try #require(try library.recording(of: "a/1.flac"))
    #expect(throws: StoreError.self) { try store.attributes.set("Rating", to: text, ofRecordings: [id]) }
    #expect(throws: StoreError.self) {
      try store.attributes.setOpinion(.rating, to: text, ofRecordings: [id], groups: [.artist("A")], by: 1)
    }
    #expect(try store.attributes.all(ofRecording: id).isEmpty && store.attributes.ofGroups(by: 1).isEmpty)
    _ = try store.attributes.set("rating", to: "080.50", ofRecordings: [id])
    #expect(try store.attributes.all(ofRecording: id) == [Tags.Property(name: "rating", values: ["80.5"])])
  }

  @Test func `what the user says of a sound is among all that is known of it`() throws {
    let first = try #require(try library.recording(of: "a/1.flac"))
    try library.execute("INSERT INTO attribute (audio_id, name, value) VALUES (\(first), 'rating', '4.5')")
    try store.lists.save("Late", recordingIDs: [first])
    try store.lists.save("all", query: "tide")
    try store.lists.save("early", recordingIDs: [first, first])
    let detail = try #require(try store.tracks.detail(ofRecording: first))
    #expect(detail.attributes == [Tags.Property(name: "rating", values: ["4.5"])])
    #expect(detail.lists == ["early", "Late"])
  }
}
