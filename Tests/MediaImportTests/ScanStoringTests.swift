import Base
import DecodingService
import Foundation
import LibraryScanning
import LibraryTracks
import MediaImport
import MediaModel
import MediaStore
import Testing
import TestSupport

/// What scans store of files that are not read: no worker is ever started here.
struct ScanStoringTests {
  @Test func `more files than fit into one transaction move, with a ring and a chain among them, and keep their rows`()
    throws
  {
    let albums = (0..<1_300).map { "album/\($0).mp3" }
    let names = albums + ["ring/a.mp3", "ring/b.mp3", "ring/c.mp3", "chain/a.mp3", "chain/b.mp3", "chain/c.mp3"]
    let library = try UnchangedLibrary(files: names)
    let before = try library.ids()
    try library.move("album", to: "renamed")
    for (name, newName) in [("c", "x"), ("b", "c"), ("a", "b"), ("x", "a")] {
      try library.move("ring/\(name).mp3", to: "ring/\(newName).mp3")
    }
    for (name, newName) in [("c", "d"), ("b", "c"), ("a", "b")] {
      try library.move("chain/\(name).mp3", to: "chain/\(newName).mp3")
    }
    // Files that were renamed themselves are read after all were moved, for which there is no worker here.
    #expect(throws: ScanError.self) { try library.scan() }
    #expect(try library.ids() == before)
    let stored = try library.filesKnown()
    let found = try library.filesFound().sorted { $0.path < $1.path }
    #expect(stored.map(\.path) == found.map(\.path) && stored.allSatisfy { $0.state == .ok })
    #expect(zip(stored, found).filter { $0.status != $1.status }.count == 6)
  }

  @Test func `a ring of more files than fit into one transaction moves as a whole, and all keep their rows`() throws {
    let count = 1_100
    let library = try UnchangedLibrary(files: (0..<count).map { "\($0).mp3" })
    let before = try library.ids()
    try library.move("\(count - 1).mp3", to: "last")
    for number in (0..<count - 1).reversed() { try library.move("\(number).mp3", to: "\(number + 1).mp3") }
    try library.move("last", to: "0.mp3")
    // They are read after all were moved, for which there is no worker here.
    #expect(throws: ScanError.self) { try library.scan() }
    #expect(try library.ids() == before)
    let found = try library.filesFound().sorted { $0.path < $1.path }
    let stored = try library.filesKnown()
    #expect(stored.map(\.path) == found.map(\.path))
    #expect(stored.map(\.status.byteCount) == found.map(\.status.byteCount))
  }

  @Test func `more files than fit into one transaction are missing, and come back`() throws {
    // Fewer than a fifth of all.
    let library = try UnchangedLibrary(files: (0..<5_600).map { ($0 < 1_100 ? "gone" : "here") + "/\($0).mp3" })
    let before = try library.ids()
    try library.move("gone", to: "../elsewhere")
    #expect(try library.scan().summary.missing == 1_100)
    #expect(try library.filesKnown().count { $0.state == .missing } == 1_100)
    try library.move("../elsewhere", to: "gone")
    #expect(try library.scan().summary.unchanged == 5_600)
    #expect(try library.filesKnown().allSatisfy { $0.state == .ok })
    #expect(try library.ids() == before)
  }

  @Test func `a root is named once in the report, however many of its folders were scanned`() throws {
    let library = try UnchangedLibrary(files: ["a/1.mp3", "b/2.mp3", "c/3.mp3"])
    let report = try library.scan("a", "b")
    #expect(report.roots == [library.root.path])
    #expect(report.summary.found == 2 && report.summary.unchanged == 2)
  }

  @Test func `a library that is deleted during a scan ends it`() throws {
    let library = try UnchangedLibrary(files: ["a.mp3"])
    let error = #expect(throws: ScanError.self) {
      _ = try library.scan { _ in try? FileManager.default.removeItem(at: library.folder.appending("library.sqlite")) }
    }
    #expect(error?.description.hasSuffix("deleted or renamed in the meantime; nothing was changed") == true)
  }
}

/// A library, and a folder of files that were read as far as it knows, each of a size of its own.
private struct UnchangedLibrary {
  let folder: TemporaryFolder
  let store: MediaStore
  let root: Root

  init(files names: [String]) throws {
    folder = try TemporaryFolder()
    for (index, name) in names.enumerated() {
      try folder.write([UInt8](repeating: 0, count: index + 1), to: "music/\(name)")
    }
    store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    let music = folder.file("music")
    let root = try store.roots.add(music, volume: try ScanFolders.volume(of: music))
    self.root = root
    try store.scans.apply(
      try filesFound().map { file in
        let hash = ContentHash(high: 0, low: UInt64(file.status.byteCount))
        return .extracted(
          FileRecord(
            rootID: root.id, path: file.path, status: file.status,
            extraction: Extraction(state: .ok, stream: StreamIdentity(hash: hash, byteCount: 1)),
            extractorVersion: ExtractorVersion.current))
      })
  }

  func filesFound() throws -> [DirectoryWalker.File] {
    DirectoryWalker(root: try FolderDescriptor(opening: folder.file("music")), rules: IgnoreRules()).walk().files
  }

  func filesKnown() throws -> [KnownFile] { try store.scans.knownFiles(inRoot: root.id) }

  /// The ids of the rows, by the sizes of their files.
  func ids() throws -> [Int64: [Int64]] {
    try Dictionary(grouping: filesKnown(), by: \.status.byteCount).mapValues { $0.map(\.id) }
  }

  /// - Parameter newName: Of a place in the folder `music`, as `name`.
  func move(_ name: String, to newName: String) throws {
    try FileManager.default.moveItem(
      at: folder.appending("music/\(name)"), to: folder.appending("music/\(newName)"))
  }

  func scan(
    _ folders: String..., onProgress: @escaping (ScanProgress) -> Void = { _ in }
  ) throws -> MediaImport.ScanReport {
    var options = ScanOptions(workers: WorkerPool.Configuration(executable: "/bin/false", workerCount: 1))
    options.folders = folders.map { root.path.appending(BytePath($0)) }
    return try LibraryScan(store: store, options: options, onProgress: onProgress).run()
  }
}
