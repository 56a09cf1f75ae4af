import Base
import GRDB
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport
import UserData

/// What comes from beets.
struct BeetsImportTests {
  let library: TemporaryLibrary
  var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try store.scans.apply(
      (1...5).map { .extracted(Sample.record("a/\($0).flac", Sample.extraction(UInt64($0), title: "Tide \($0)"))) })
  }

  @Test func `beets' ratings of a track that is not here go to no other`() throws {
    try store.scans.apply([.extracted(Sample.record("B/Best/01.mp3", Sample.extraction(50)))])
    let path = library.folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB, length REAL);
          CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
          INSERT INTO items VALUES (1, CAST('/music/B/Best/01.mp3' AS BLOB), 10), (2, CAST('/music/A/Best/01.mp3' AS BLOB), 10),
            (3, CAST('/music/C/Best/01.mp3' AS BLOB), 300);
          INSERT INTO item_attributes (entity_id, key, value) VALUES (1, 'rating', '5'), (2, 'rating', '1'), (3, 'rating', '2');
          """)
    }
    try queue.close()
    let result = try store.attributes.importBeets(try BeetsLibrary(at: path), folder: nil)
    #expect(result.foundCount == 1 && result.missing.count == 2)
    #expect(try store.count(of: store.query("rating:5")) == 1 && store.count(of: store.query("rating:..4")) == 0)
  }

  @Test func `what beets calls a rating and is none here gets another name`() throws {
    let path = library.folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB);
          CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
          INSERT INTO items VALUES (1, CAST('/music/a/1.flac' AS BLOB));
          INSERT INTO item_attributes (entity_id, key, value) VALUES (1, 'rating', '0x10'), (1, 'a:b', 'c'), (1, 'mood', '');
          """)
    }
    try queue.close()
    let result = try store.attributes.importBeets(try BeetsLibrary(at: path), folder: nil)
    let id = try #require(try library.recording(of: "a/1.flac"))
    #expect(try store.attributes.all(ofRecording: id) == [Tags.Property(name: "beets_rating", values: ["0x10"])])
    #expect(result.attributeCount == 1)
  }

  @Test func `what was decided here stays, and what beets has instead is listed`() throws {
    let path = library.folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB);
          CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
          INSERT INTO items VALUES (1, CAST('/music/a/1.flac' AS BLOB)), (2, CAST('/music/a/2.flac' AS BLOB)),
            (3, CAST('/music/a/2.flac' AS BLOB));
          INSERT INTO item_attributes (entity_id, key, value) VALUES (1, 'rating', '4'), (1, 'mood', 'calm'),
            (2, 'rating', '3.5'), (2, 'mood', 'dark'), (3, 'mood', 'loud'), (3, 'rating', '6');
          """)
    }
    try queue.close()
    let beets = try BeetsLibrary(at: path)
    let (first, second) = (
      try #require(try library.recording(of: "a/1.flac")), try #require(try library.recording(of: "a/2.flac"))
    )
    _ = try store.attributes.set("rating", to: "60", ofRecordings: [first])
    _ = try store.attributes.set("mood", to: "calm", ofRecordings: [first])
    for isDryRun in [true, false] {
      let result = try store.attributes.importBeets(beets, folder: nil, ratingScale: 5, isDryRun: isDryRun)
      #expect(
        result.differences.map { [$0.path.displayString, $0.name, $0.kept, $0.other] } == [
          ["/music/a/1.flac", "rating", "60", "80"], ["/music/a/2.flac", "mood", "dark", "loud"],
        ])
      #expect(result.attributeCount == 4 && result.greatestRating == 4)
      #expect(try store.attributes.all(ofRecording: second).isEmpty == isDryRun)
    }
    #expect(try store.attributes.all(ofRecording: first).map(\.values) == [["calm"], ["60"]])
    #expect(try store.attributes.all(ofRecording: second).map(\.values) == [["6"], ["dark"], ["70"]])
    #expect(try store.journal.undo().summary == "import 3 attributes from beets")
    #expect(try store.attributes.all(ofRecording: second).isEmpty)
  }

  @Test func `beets' attributes become fields, and its dates are kept where they are older`() throws {
    let path = library.folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB, album_id INTEGER, added REAL);
          CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
          CREATE TABLE album_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
          INSERT INTO items VALUES (1, CAST('/music/a/1.flac' AS BLOB), 7, 1000000.5), (2, CAST('a/2.flac' AS BLOB), NULL, 0),
            (3, CAST('/elsewhere/9.flac' AS BLOB), NULL, 5);
          INSERT INTO item_attributes (entity_id, key, value) VALUES (1, 'rating', '0.8'), (2, 'Rating', '0.2'), (2, 'lufs', 'x');
          INSERT INTO album_attributes (entity_id, key, value) VALUES (7, 'shelf', 'Blå'), (7, 'rating', '0.1');
          """)
    }
    try queue.close()
    let beets = try BeetsLibrary(at: path)
    let dry = try store.attributes.importBeets(beets, folder: BytePath("/music"), isDryRun: true)
    #expect(dry.foundCount == 2 && dry.attributeCount == 4 && dry.addedDateCount == 1)
    #expect(try store.count(of: store.query("rating:>0")) == 0)
    let result = try store.attributes.importBeets(beets, folder: BytePath("/music"))
    #expect(result.foundCount == 2 && result.itemCount == 3 && result.addedDateCount == 1)
    #expect(result.missing.map(\.path) == [BytePath("/elsewhere/9.flac")])
    #expect(try store.count(of: store.query("rating:>0.5")) == 1 && store.count(of: store.query("rating:..0.5")) == 1)
    #expect(try store.count(of: store.query("shelf:bla")) == 1 && store.count(of: store.query("beets_lufs:x")) == 1)
    #expect(try store.count(of: store.query("rating:\"\"")) == 3 && store.count(of: store.query("added:1970")) == 1)
    #expect(throws: StoreError.self) { try BeetsLibrary(at: library.path) }

    // A folder that is removed and added again has the dates that it had.
    try store.roots.remove(library.root.id)
    let root = try store.roots.add(BytePath("/moved"), volume: nil)
    try store.scans.apply([.extracted(Sample.record("1.flac", Sample.extraction(1), rootID: root.id))])
    #expect(try store.count(of: store.query("added:1970")) == 1)
    try store.scans.apply([.extracted(Sample.record("copy.flac", Sample.extraction(1), rootID: root.id))])
    #expect(try store.count(of: store.query("added:1970")) == 1 && store.count(of: .everything) == 2)
  }
}
