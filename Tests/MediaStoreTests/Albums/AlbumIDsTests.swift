import LibraryQueries
import LibraryRecovery
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import UserData

/// The ids of albums that are gone for a while.
struct AlbumIDsTests {
  @Test func `a folder without tags has its id again when the artist that it got is taken back`() throws {
    let shelf = try Shelf()
    for number in 1...2 { try shelf.add(UInt64(number), "Attic/tape \(number).flac", [:]) }
    try shelf.finish()
    let before = try shelf.store.albums.all()
    #expect(before.map(\.title) == ["Attic"])
    let field = try #require(CorrectionField("artist"))
    let files = try shelf.store.fileIDs(of: shelf.store.query("-is:missing"))
    for named in [files, Array(files.prefix(1))] {
      for artist in ["Nora Vale", "Bo Kim"] {
        _ = try shelf.store.corrections.correct(.set([.init(field: field, values: [artist])]), ofFiles: named)
        #expect(try shelf.store.albums.all().allSatisfy { $0.title.isEmpty })
        // Its links lead to where its files are meanwhile.
        #expect(try shelf.store.albums.album(id: before[0].id) != nil)
      }
      for _ in 1...2 { _ = try shelf.store.journal.undo() }
      #expect(try shelf.store.albums.all() == before)
    }
    #expect(try shelf.store.check(isDeep: true).isSound)
  }
}
