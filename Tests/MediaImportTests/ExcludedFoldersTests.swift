import Base
import Foundation
import MediaStore
import TestSupport
import Testing

@testable import MediaImport

/// The folders that no scan enters, in a file beside the library.
struct ExcludedFoldersTests {
  private let folder: TemporaryFolder
  private var library: BytePath { folder.file("library.sqlite") }
  private var file: URL { folder.appending("library.sqlite.excluded") }

  init() throws { folder = try TemporaryFolder() }

  private func set(_ path: String, _ isExcluded: Bool = true) throws -> Bool {
    try ExcludedFolders.set(BytePath(path), isExcluded: isExcluded, of: library)
  }

  private func paths() throws -> [String] { try ExcludedFolders(of: library).paths.map(\.displayString) }

  @Test func `without a file nothing is left out, and none is made for nothing`() throws {
    #expect(try paths() == [])
    #expect(try !set("/m/a", false))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a folder stands for all below it`() throws {
    #expect(try set("/m/a/b"))
    #expect(try set("/m/ab"))
    #expect(try set("/m/a"))
    #expect(try !set("/m/a"))
    #expect(try paths() == ["/m/a", "/m/ab"])
    let known = try ExcludedFolders(of: library)
    #expect(known.folder(excluding: BytePath("/m/a/b/c")) == BytePath("/m/a"))
    #expect(known.folder(excluding: BytePath("/m/a")) == BytePath("/m/a"))
    #expect(known.folder(excluding: BytePath("/m/abc")) == nil)
    #expect(known.below(BytePath("/m")) == [BytePath("a"), BytePath("ab")])
    #expect(known.below(BytePath("/m/a")) == [])
    #expect(try set("/m", false))
    #expect(try paths() == [])
  }

  @Test func `a path that is not UTF-8 is kept byte by byte`() throws {
    let odd = BytePath([0x2F, 0xFF, 0x2F, 0x61])
    #expect(try ExcludedFolders.set(odd, isExcluded: true, of: library))
    #expect(try ExcludedFolders(of: library).paths == [odd])
  }

  @Test(arguments: ["", "{}", "[]", #"{"folders": [{}]}"#, #"{"folders": [{"path": "a"}]}"#, #"{"folders": "/a"}"#])
  func `a file with something else in it stops a scan, and is not overwritten`(text: String) throws {
    try Data(text.utf8).write(to: file)
    #expect(throws: StoreError.self) { try ExcludedFolders(of: library) }
    #expect(throws: StoreError.self) { try set("/m/a") }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func `a walk does not enter them, whatever ignore files say`() throws {
    for name in ["a/keep", "a/out/inner", "out"] {
      try FileManager.default.createDirectory(at: folder.appending("music/\(name)"), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: folder.appending("music/\(name)/x.wav"))
    }
    try Data("!out/\n".utf8).write(to: folder.appending("music/a/.deadwaxignore"))
    let rules = IgnoreRules(folders: [BytePath("a/out")])
    let walk = DirectoryWalker(root: try FolderDescriptor(opening: folder.file("music")), rules: rules).walk()
    #expect(walk.files.map(\.path.displayString) == ["a/keep/x.wav", "out/x.wav"])
  }
}
