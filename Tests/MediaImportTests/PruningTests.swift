import Base
import LibraryScanning
import LibraryTracks
import MediaImport
import Testing
import TestSupport

struct PruningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func missing(_ name: String, rootID: Int64 = 1) -> MissingFile {
    MissingFile(id: Int64(name.count), rootID: rootID, path: folder.file(name))
  }

  private func root(id: Int64 = 1, _ name: String = "music", volume: String? = nil) -> Root {
    Root(id: id, path: folder.file(name), volume: volume, addedAt: 0)
  }

  @Test func `a file that is there again is not gone`() throws {
    try folder.write([1], to: "music/back")
    _ = try folder.makeFolder("music/folder")
    let pruning = Pruning([missing("music/gone"), missing("music/back"), missing("music/folder")])
    #expect(pruning.gone.map(\.path) == [folder.file("music/gone"), folder.file("music/folder")])
    #expect(pruning.returned.map(\.path) == [folder.file("music/back")])
  }

  @Test func `files are forgotten while their folder is there, on the same disk or an unknown one`() throws {
    _ = try folder.makeFolder("music")
    let volume = try ScanFolders.volume(of: folder.file("music"))
    let pruning = Pruning([missing("music/gone")])
    try pruning.requireRoots([root(), root(id: 2, "elsewhere")])
    try pruning.requireRoots([root(volume: volume)])
  }

  @Test func `nothing is forgotten while a folder is not there`() throws {
    let error = #expect(throws: Pruning.Refusal.self) {
      try Pruning([missing("music/gone")]).requireRoots([root()])
    }
    #expect(error == .rootAway(folder.file("music")))
    // A root without missing files may be away.
    try Pruning([]).requireRoots([root()])
  }

  @Test func `nothing is forgotten while a folder is on another disk`() throws {
    _ = try folder.makeFolder("music")
    let error = #expect(throws: Pruning.Refusal.self) {
      try Pruning([missing("music/gone")]).requireRoots([root(volume: "another")])
    }
    #expect(error == .otherVolume(folder.file("music")))
    #expect(error?.description.hasSuffix("nothing was forgotten") == true)
  }
}
