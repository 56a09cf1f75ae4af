import Base
import GRDB
import LibraryMerging
import LibraryRecovery
import LibraryScanning
import MediaModel
import Testing
import UserData

/// Whom the lists and attributes of another library belong to here.
struct MergePersonsTests {
  private let own: TemporaryLibrary
  private let other: TemporaryLibrary

  init() throws {
    (own, other) = (try TemporaryLibrary(), try TemporaryLibrary())
    for library in [own, other] {
      try library.store.scans.apply((1...2).map { .extracted(Sample.record("\($0).flac", Sample.extraction($0))) })
    }
    try own.store.presets.create(try PresetStoreTests.preset("Mine"))
  }

  private func merge() throws {
    _ = try own.store.merge([other.path], options: MergeOptions(isDryRun: false, keepsCopy: false))
  }

  /// Adds a person with a rating and a list.
  private func add(_ id: Int, _ name: String, key: String, rating: Int, to library: TemporaryLibrary) throws {
    try library.execute(
      """
      INSERT OR IGNORE INTO person (id, key, name) VALUES (\(id), x'\(key)', '\(name)');
      INSERT INTO attribute (audio_id, name, person_id, value) SELECT id, 'rating', \(id), '\(rating)' FROM audio;
      INSERT INTO list (person_id, name, query, changed_at) VALUES (\(id), 'late', '\(name)', 0)
      """)
  }

  private func rows(_ sql: String) throws -> [String] {
    try DatabaseQueue(path: own.path.displayString).read { try String.fetchAll($0, sql: sql) }
  }

  private static let (anna, ben) = (String(repeating: "aa", count: 16), String(repeating: "bb", count: 16))

  private static let ratings = """
    SELECT DISTINCT person.name || ' ' || value FROM attribute JOIN person ON person.id = person_id ORDER BY 1
    """

  @Test func `two owners are one person, whose values here stay`() throws {
    try add(1, "owner", key: Self.anna, rating: 20, to: own)
    try add(1, "owner", key: Self.ben, rating: 60, to: other)
    try merge()
    #expect(try rows(Self.ratings) == ["owner 20"])
    #expect(try rows("SELECT name FROM person") == ["owner"])
  }

  @Test func `persons are known by their keys, and others are added`() throws {
    try add(2, "Anna", key: Self.anna, rating: 20, to: own)
    try add(2, "Ben", key: Self.ben, rating: 60, to: other)
    try add(3, "Annie", key: Self.anna, rating: 80, to: other)
    try add(4, "anna", key: String(repeating: "cc", count: 16), rating: 100, to: other)
    try merge()
    #expect(try rows(Self.ratings) == ["Anna 20", "Ben 60", "anna (2) 100"])
    // Lists of one name may belong to several persons.
    #expect(
      try rows("SELECT person.name || ' ' || list.name FROM list JOIN person ON person.id = person_id ORDER BY 1")
        == ["Anna late", "Anna late (2)", "Ben late", "anna (2) late"])
    // The command speaks for the owner.
    #expect(try own.store.lists.all().isEmpty && own.store.attributes.uses().isEmpty)
    _ = try own.store.journal.undo()
    #expect(try rows(Self.ratings) == ["Anna 20"])
    #expect(try own.store.check().isSound)
  }

  @Test func `an owner who is known here as somebody else is that person`() throws {
    try other.execute("UPDATE person SET key = x'\(Self.anna)'")
    try add(2, "Anna", key: Self.anna, rating: 20, to: own)
    try other.execute("INSERT INTO attribute (audio_id, name, value) SELECT id, 'mood', 'calm' FROM audio")
    try merge()
    #expect(try rows(Self.ratings) == ["Anna 20", "Anna calm"])
  }

  @Test func `an owner who knows this owner as somebody else is another person`() throws {
    try own.execute("UPDATE person SET key = x'\(Self.ben)'")
    try add(2, "Ben", key: Self.ben, rating: 40, to: other)
    try add(1, "owner", key: "", rating: 60, to: other)
    try merge()
    #expect(try rows(Self.ratings) == ["owner (2) 60", "owner 40"])
  }
}
