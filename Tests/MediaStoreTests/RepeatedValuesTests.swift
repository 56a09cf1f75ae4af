import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import UserData

/// Each value of a repeated tag counts for itself: in groups, in exact matches, and among all who did something for a recording.
struct RepeatedValuesTests {
  private static let collection: [(path: String, tags: [String: [String]])] = [
    ("duet.flac", ["ARTIST": ["Ana B", "Carl C"], "GENRE": ["Jazz", "Folk", "Jazz"], "COMPOSER": ["Bo", "Dora D"]]),
    (
      "guest.flac",
      [
        "ARTIST": ["Ana B feat. Carl C"], "ARTISTS": ["Ana B", "Carl C"], "PERFORMER": ["Nora Vale (violin)", "Ana B"],
      ]
    ),
    ("alone.flac", ["ARTIST": ["Ana B"], "GENRE": ["Folk"], "CONDUCTOR": ["Carl C"], "WORK": ["Symphony No. 3"]]),
    (
      "ids.flac",
      [
        "ARTIST": ["Ana B & Émile"], "MUSICBRAINZ_ARTISTID": ["1", "2"], "WORK": ["Symphony No. 3", "Songs"],
        "MOVEMENTNAME": ["Adagio"], "MOVEMENTNUMBER": ["2/4"],
      ]
    ),
    ("joined.flac", ["ARTIST": ["Simon & Bo"], "ALBUMARTIST": ["Simon", "Bo"], "REMIXER": ["Nora Vale"]]),
  ]

  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try store.scans.apply(
      Self.collection.enumerated().map { number, file in
        var extraction = Sample.extraction(UInt64(number))
        extraction.tags = Sample.tags(file.tags)
        return .extracted(Sample.record(file.path, extraction))
      })
  }

  private func names(_ query: String) throws -> Set<String> {
    var names: Set<String> = []
    try store.forEachRow(of: try store.query(query), fields: [QueryField("filename", .text)]) { row in
      if case .text(let name) = row[0] { names.insert(name.replacing(".flac", with: "")) }
    }
    return names
  }

  private func groups(_ names: String...) throws -> [String] {
    let keys = try names.map { name in
      let field = try #require(store.vocabulary[name])
      return try #require(QueryGrouping.Key(field, by: nil))
    }
    var groups: [String] = []
    try store.forEachGroup(
      of: .everything, QueryGrouping(by: keys, hasCount: true, measures: [])
    ) { row in
      groups.append(
        row.values.map { value in
          switch value {
          case .text(let text): text
          case .integer(let number): String(number)
          default: "-"
          }
        }.joined(separator: " | "))
    }
    return groups
  }

  @Test(arguments: [
    ("artist:=\"Carl C\"", ["duet", "guest"]), ("artist:=~\"carl c\"", ["duet", "guest"]),
    ("artist:=\"Ana B\"", ["duet", "guest", "alone", "ids"]), ("artist:=~emile", ["ids"]), ("artist:=Bo", []),
    ("artist:=\"Simon & Bo\"", ["joined"]), ("artist:=\"Ana B feat. Carl C\"", ["guest"]),
    ("albumartist:=Bo", ["joined"]), ("genre:=Folk", ["duet", "alone"]), ("composer:=\"Dora D\"", ["duet"]),
    ("conductor:=\"Carl C\"", ["alone"]), ("performer:=\"Nora Vale\"", ["guest"]), ("performer:violin", ["guest"]),
    ("performer:=\"Nora Vale (violin)\"", ["guest"]), ("performer:=Nora", []), ("performer:=~\"nora vale\"", ["guest"]),
    ("contributor:=\"Nora Vale\"", ["guest", "joined"]), ("contributor:=\"Carl C\"", ["duet", "guest", "alone"]),
    ("contributor:=Bo", ["duet", "joined"]), ("contributor:vale", ["guest", "joined"]), ("contributor:=Émile", ["ids"]),
    ("-contributor:carl", ["ids", "joined"]), ("work:=Songs", ["ids"]), ("movement:adagio", ["ids"]),
    ("movement:=Adagio movementnumber:2", ["ids"]), ("movement:\"\"", ["duet", "guest", "alone", "joined"]),
  ])
  func `an exact match is that of one of the values`(query: String, found: [String]) throws {
    #expect(try names(query) == Set(found))
  }

  @Test(arguments: [
    ("artist", ["Ana B | 4", "Carl C | 2", "Émile | 1", "Simon & Bo | 1"]),
    ("genre", ["Folk | 2", "Jazz | 1", "- | 3"]), ("composer", ["Bo | 1", "Dora D | 1", "- | 4"]),
    ("albumartist", ["Bo | 1", "Simon | 1", "- | 4"]), ("performer", ["Ana B | 1", "Nora Vale | 1", "- | 4"]),
    ("work", ["Songs | 1", "Symphony No. 3 | 2", "- | 3"]), ("movement", ["Adagio | 1", "- | 4"]),
    ("conductor", ["Carl C | 1", "- | 4"]), ("year", ["- | 5"]),
  ])
  func `a file is in the group of each value`(field: String, expected: [String]) throws {
    #expect(try groups(field) == expected)
  }

  @Test func `a file is once in the group of everybody who did something for it`() throws {
    #expect(
      try groups("contributor") == [
        "Ana B | 4", "Bo | 2", "Carl C | 3", "Dora D | 1", "Émile | 1", "Nora Vale | 2", "Simon | 1", "Simon & Bo | 1",
      ])
  }

  @Test func `genres that differ by case and accents are one, and a semicolon separates two`() throws {
    let genres = [["Rock"], ["Rock"], ["ROCK"], ["rock; Pop"], ["Pop", "Électro"], ["electro;pop"], ["Rock", "rock"]]
    let library = try TemporaryLibrary()
    try library.store.scans.apply(
      genres.enumerated().map { number, genre in
        var extraction = Sample.extraction(UInt64(number))
        extraction.tags = Sample.tags(["GENRE": genre])
        return .extracted(Sample.record("\(number).flac", extraction))
      })
    let field = try #require(library.store.vocabulary["genre"])
    let key = try #require(QueryGrouping.Key(field, by: nil))
    var groups: [String: Int64] = [:]
    try library.store.forEachGroup(of: .everything, QueryGrouping(by: [key], hasCount: true, measures: [])) { row in
      if case .text(let name) = row.value(0), case .integer(let count) = row.value(1) { groups[name] = count }
    }
    #expect(groups == ["Rock": 5, "Pop": 3, "Électro": 2])
    for (name, count) in groups {
      let query = try library.store.query("genre:=~\"\(name)\"")
      #expect(try library.store.fileIDs(of: query).count == count, "\(name)")
    }
  }

  @Test func `groups by two fields are all combinations of their values`() throws {
    #expect(
      try groups("composer", "artist").prefix(4) == [
        "Bo | Ana B | 1", "Bo | Carl C | 1", "Dora D | Ana B | 1", "Dora D | Carl C | 1",
      ])
  }

  @Test func `separators split artists in queries, in the index and in albums, and undo takes them back`() throws {
    #expect(try store.attributes.artistSeparators().isEmpty)
    try store.attributes.setArtistSeparators([" & ", " feat. "])
    #expect(try store.attributes.artistSeparators() == [" & ", " feat. "])
    #expect(try names("artist:=Bo") == ["joined"])
    #expect(try groups("artist") == ["Ana B | 4", "Bo | 1", "Carl C | 2", "Émile | 1", "Simon | 1"])
    var artists: [[String]] = []
    try store.songs.forEachBrowseEntry { artists.append($0.artists) }
    #expect(
      artists == [["Ana B", "Carl C"], ["Ana B", "Carl C"], ["Ana B"], ["Ana B", "Émile"], ["Simon", "Bo"]])
    _ = try store.journal.undo()
    #expect(try store.attributes.artistSeparators().isEmpty && names("artist:=Bo").isEmpty)
    #expect(throws: StoreError.self) { try store.attributes.setArtistSeparators(["and"]) }
  }

  @Test func `an album by separated artists is each one's, and one with an album artist is its own`() throws {
    let both = ["ARTIST": ["Eva / Fay"], "TITLE": ["1"]]
    for (number, tags) in [
      ("ebb", both.merging(["ALBUM": ["Ebb"]]) { $1 }),
      ("flow", both.merging(["ALBUM": ["Flow"], "ALBUMARTIST": ["Eva / Fay"]]) { $1 }),
    ].enumerated() {
      var extraction = Sample.extraction(UInt64(100 + number))
      extraction.tags = Sample.tags(tags.1)
      try store.scans.apply([.extracted(Sample.record("\(tags.0)/\(tags.0).flac", extraction))])
    }
    func artists() throws -> [String] {
      try store.albums.artists(of: store.query("album:Ebb OR album:Flow")).map { "\($0.name) \($0.albumCount)" }
    }
    #expect(try artists() == ["Eva / Fay 2"] && names("album-artist:=Eva").isEmpty)
    try store.attributes.setArtistSeparators([" / "])
    #expect(try artists() == ["Eva 1", "Eva / Fay 1", "Fay 1"])
    #expect(try names("album-artist:=Eva") == ["ebb"] && names("album-artist:=Fay") == ["ebb"])
    #expect(try names(#"album-artist:="Eva / Fay""#) == ["ebb", "flow"])
    _ = try store.journal.undo()
    #expect(try artists() == ["Eva / Fay 2"])
  }

  @Test func `albums of files with a separator are looked for again`() throws {
    for (number, artist) in ["Ana B; Carl C", "Carl C; Dora D", "Carl C"].enumerated() {
      var extraction = Sample.extraction(UInt64(100 + number))
      extraction.tags = Sample.tags(["ALBUM": ["Tides"], "ARTIST": [artist], "TITLE": ["\(number)"]])
      try store.scans.apply([.extracted(Sample.record("Tides/\(number).flac", extraction))])
    }
    func artist() throws -> String? { try store.albums.all().first { $0.title == "Tides" }?.artist }
    #expect(try artist() == AlbumRule.variousArtists)
    try store.attributes.setArtistSeparators([";"])
    #expect(try artist() == "Carl C")
    _ = try store.journal.undo()
    #expect(try artist() == AlbumRule.variousArtists)
    #expect(try library.value("SELECT count(*) FROM album_due") == 0)
  }
}
