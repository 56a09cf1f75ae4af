import Base
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import UserData

/// Roots whose files become those of a folder that contains them.
struct TakenRootsTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }
  private let second: Root

  init() throws {
    library = try TemporaryLibrary()
    second = try library.store.roots.add(BytePath("/musicals/new"), volume: "v2")
    try store.scans.apply(
      (1...3).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0)), rootID: library.root.id)) }
        + [.extracted(Sample.record("deep/1.flac", Sample.extraction(4), rootID: second.id))])
    try store.lists.save("list", recordingIDs: [try #require(try library.recording(of: "2.flac"))])
    try library.execute("UPDATE file SET added_at = 1000 + id")
  }

  private func rows() throws -> [String] {
    let count = try library.value("SELECT count(*) FROM file", as: Int.self) ?? 0
    return try (0..<count).map { index in
      try library.value(
        """
        SELECT id || ' ' || audio_id || ' ' || added_at || ' ' || title || ' ' || search_text FROM file
         ORDER BY id LIMIT 1 OFFSET \(index)
        """, as: String.self) ?? ""
    }
  }

  @Test func `the files of several roots keep everything, with longer paths, in one transaction`() throws {
    let other = try store.roots.add(BytePath("/elsewhere"), volume: nil)
    let before = try rows()
    var result: (root: Root, taken: [Root])?
    let commits = try library.commitCount {
      result = try store.roots.takeOver(in: BytePath("/"), volume: "v0", isScanning: false)
    }
    // All roots are below the whole file system; the command refuses that one.
    let root = try #require(result?.root)
    #expect(commits == 1)
    #expect(result?.taken.map(\.id) == [other.id, library.root.id, second.id])
    #expect(try store.roots.all() == [root] && root.volume == "v0")
    #expect(
      try store.scans.knownFiles(inRoot: root.id).map(\.path.displayString)
        == ["music/1.flac", "music/2.flac", "music/3.flac", "musicals/new/deep/1.flac"])
    #expect(try rows() == before)
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `a root beside the folder stays, whatever its name begins with`() throws {
    let (root, taken) = try store.roots.takeOver(in: BytePath("/musicals/"), volume: nil, isScanning: false)
    #expect(taken == [second])
    #expect(try store.roots.all().map(\.path) == [BytePath("/music"), BytePath("/musicals")])
    #expect(try store.scans.knownFiles(inRoot: root.id).map(\.path) == [BytePath("new/deep/1.flac")])
    #expect(try store.scans.knownFiles(inRoot: library.root.id).count == 3)
  }

  @Test func `a folder without roots is added, one in a root is refused`() throws {
    let (root, taken) = try store.roots.takeOver(in: BytePath("/new"), volume: nil, isScanning: false)
    #expect(taken.isEmpty && root.path == BytePath("/new"))
    #expect(try store.roots.takeOver(in: BytePath("/music"), volume: nil, isScanning: false).root == library.root)
    #expect(throws: StoreError.self) {
      try store.roots.takeOver(in: BytePath("/music/part"), volume: nil, isScanning: false)
    }
    #expect(try store.roots.all().count == 3)
  }
}
