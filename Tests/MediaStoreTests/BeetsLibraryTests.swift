import Base
import GRDB
import LibraryTracks
import MediaStore
import Testing
import TestSupport

/// Files that claim to be beets libraries: read for what they are, or refused in a line.
struct BeetsLibraryTests {
  private static func library(_ sql: String) throws -> BeetsLibrary {
    let folder = try TemporaryFolder()
    let path = folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    return try BeetsLibrary(at: path)
  }

  @Test func `values of other types than beets writes are left out`() throws {
    let library = try Self.library(
      """
      CREATE TABLE items (id, path BLOB, album_id, added, title, artist, length);
      INSERT INTO items VALUES (NULL, x'61', 'one', 'soon', x'FF', 3, 'long'), ('x', 'b', 1.5, 1e300, 1, NULL, NULL),
                               (1, NULL, 1, 1, 1, 1, 1), (2, x'63', 7, 1500000000.5, 'T', 'A', 61.5);
      CREATE TABLE item_attributes (id, entity_id, key, value);
      INSERT INTO item_attributes VALUES (1, 'x', 'k', 'v'), (2, 2, NULL, 'v'), (3, 2, 'mood', x'FF'), (4, 2, 'k', 'v');
      """)
    #expect(Set(library.items.map(\.path)) == [BytePath("a"), BytePath("b"), BytePath("c")])
    let whole = try #require(library.items.first { $0.path == BytePath("c") })
    #expect(whole.addedAt == 1_500_000_000 && whole.durationInSeconds == 61.5)
    #expect(whole.attributes["k"] == "v")
    #expect(library.items.filter { $0.addedAt != nil }.count == 1)
  }

  @Test(arguments: [
    "CREATE VIEW items AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'a' AS path FROM n",
    "CREATE TABLE items (id INTEGER PRIMARY KEY)", "CREATE TABLE albums (id)",
    "CREATE TABLE items (id INTEGER, path BLOB AS (zeroblob(id)))",
  ])
  func `what is not a table of items is refused`(sql: String) {
    let failure = #expect(throws: StoreError.self) { try Self.library(sql) }
    #expect(failure?.message.contains("items") == true)
  }

  @Test func `a reason that quotes several lines of the file is one line`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB); PRAGMA writable_schema = ON")
      try db.execute(sql: "UPDATE sqlite_schema SET sql = ?", arguments: ["CREATE VIEW items AS SELECT\n 'a\nb"])
    }
    try queue.close()
    let failure = #expect(throws: StoreError.self) { try BeetsLibrary(at: path) }
    let text = "\(try #require(failure))"
    #expect(text.contains("malformed") && !text.contains(where: \.isNewline), "\(text)")
  }

  @Test func `pages that lie in each other are refused`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = 512; VACUUM; CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB)")
      for _ in 0..<200 { try db.execute(sql: "INSERT INTO items (path) VALUES (randomblob(60))") }
    }
    let root = try queue.read { try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema") ?? 0 }
    try queue.close()
    var bytes = try folder.bytes(of: "beets.db")
    // The right child of the root, a page of inner nodes, becomes the root itself.
    let start = 512 * (root - 1)
    #expect(bytes[start] == 5)
    bytes.replaceSubrange(start + 8..<start + 12, with: [0, 0, 0, UInt8(root)])
    try folder.write(bytes, to: "beets.db")
    #expect(throws: StoreError.self) { try BeetsLibrary(at: path) }
  }
}
