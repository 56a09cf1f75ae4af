import Base
import Foundation
import GRDB
import LibraryTracks
import MediaStore
import TestSupport
import UserData

/// A database that claims to be a beets library.
struct BeetsTarget: FuzzTarget {
  let name = "beets"
  let repetitionCount = 200
  let maximumByteCount = 24 << 10

  /// With the smallest pages, so that most changes hit something.
  var seeds: [[UInt8]] {
    get throws {
      try Self.scripts.map { script in
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.file("seed.db").displayString)
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA page_size = 512; VACUUM")
          try db.execute(sql: script)
        }
        try queue.close()
        return try folder.bytes(of: "seed.db")
      }
    }
  }

  private static let scripts = [
    """
    CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB, album_id INTEGER, added REAL, title TEXT, artist TEXT, length REAL);
    INSERT INTO items VALUES (1, x'2F6D2F61', 1, 1500000000.5, 'T', 'A', 61.5), (2, 'b.mp3', NULL, -1, NULL, NULL, 'x');
    CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
    INSERT INTO item_attributes VALUES (1, 1, 'rating', '5'), (2, 1, 'mood', 'blue'), (3, NULL, 'x', 'y');
    CREATE TABLE album_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
    INSERT INTO album_attributes VALUES (1, 1, 'label', 'L');
    """,
    "CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB); INSERT INTO items VALUES (9223372036854775807, x'FF');",
    "CREATE TABLE items (id TEXT, path BLOB, added); INSERT INTO items VALUES ('x', x'61', 1e300), (NULL, x'62', 'y');",
    """
    CREATE VIEW items AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 9)
      SELECT id, CAST('a' AS BLOB) AS path FROM n;
    """,
  ]

  private static let file = Result { try TemporaryFolder() }

  func check(_ bytes: [UInt8]) throws {
    let folder = try Self.file.get()
    let path = folder.appending("library.db")
    try Data(bytes).write(to: path)
    let library: BeetsLibrary
    do throws(StoreError) { library = try BeetsLibrary(at: BytePath(path.path)) } catch {
      return try require(!error.description.contains("\n"), "not one line: \(error)")
    }
    let store = try FuzzLibrary.shared.get().store
    _ = try store.attributes.importBeets(library, folder: BytePath("/music"), isDryRun: true)
  }
}
