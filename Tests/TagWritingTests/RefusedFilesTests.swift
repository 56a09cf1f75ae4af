import Base
import Foundation
import Glibc
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TagEditing
import TagWriting
import Testing
import TestSupport

/// Files that are not written, each for its reason; they stay as they are.
@Suite(.serialized)
struct RefusedFilesTests {
  private static let edit = TagEdit([.set("TITLE", ["Ebb"])])

  /// Changes something about a scanned file, and returns why it is refused.
  private func refusal(
    fixture: String = "damaged/clean.mp3", edit: TagEdit = Self.edit, options: WriteOptions = WriteOptions(),
    _ change: (WrittenMusic, String) async throws -> Void
  ) async throws -> String? {
    let written = try await WrittenMusic([fixture])
    let file = try #require(try written.files().first)
    try await change(written, file.path.displayString)
    let before = try TreeDigest(of: written.music.url)
    let files = try written.files()
    let reports = try written.write(files.map { _ in edit }, of: files, options: options)
    if reports.first?.isWritten != true {
      #expect(try TreeDigest(of: written.music.url) == before)
      #expect(try written.store.fileChanges.all().isEmpty)
    }
    #expect(try !written.store.fileChanges.hasOpenParts())
    return reports.first?.refusal?.code
  }

  @Test func `a protected folder`() async throws {
    let code = try await refusal { written, _ in
      let root = try #require(try written.store.roots.all().first)
      try written.store.roots.protect(root.id, true)
    }
    #expect(code == "protected")
  }

  @Test func `a file that is gone`() async throws {
    #expect(try await refusal { _, path in try FileManager.default.removeItem(atPath: path) } == "missing")
  }

  @Test(
    .enabled(if: LockedFile.isPossible, "the file system of temporary files has no such attribute, or root is needed"))
  func `a file that is immutable, or in a folder that is`() async throws {
    for isFolder in [false, true] {
      var locked: String?
      defer { if let locked { try? LockedFile.unlock(locked) } }
      let code = try await refusal { written, path in
        let chosen = isFolder ? (path as NSString).deletingLastPathComponent : path
        try LockedFile.lock(chosen)
        locked = chosen
        // The attribute changed the file's times.
        _ = try await written.scan()
      }
      #expect(code == (isFolder ? "folder" : "write-protected"))
    }
  }

  @Test func `a link in its place`() async throws {
    let code = try await refusal { _, path in
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".old")
    }
    #expect(code == "not-regular")
  }

  @Test func `a link on the way to it`() async throws {
    let music = try MusicFolder()
    try music.add(fixture: "damaged/clean.mp3", as: "below/clean.mp3")
    let deadwax = try DeadwaxCommand()
    try await deadwax.must(["scan", "-q", music.path])
    try music.move("below", to: "other")
    try FileManager.default.createSymbolicLink(atPath: music.file("below").path, withDestinationPath: "other")
    let before = try TreeDigest(of: music.url)
    let outcome = try await deadwax.run(["artwork", "remove", "--all", "--yes", "--strict"])
    #expect(outcome.status == 3 && outcome.errorText.contains("[not-regular]"), "\(outcome)")
    #expect(try TreeDigest(of: music.url) == before)
  }

  @Test func `a folder in its place`() async throws {
    let code = try await refusal { _, path in
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    #expect(code == "not-regular")
  }

  @Test func `a file that was written to after the scan`() async throws {
    let code = try await refusal { _, path in
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data([0]))
      try file.close()
    }
    #expect(code == "changed")
  }

  @Test func `another file with its size and times`() async throws {
    let code = try await refusal { _, path in
      var status = stat()
      try #require(stat(path, &status) == 0)
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[bytes.count / 2] ^= 1
      try FileManager.default.removeItem(atPath: path)
      try bytes.write(to: URL(filePath: path))
      var times = [status.st_atim, status.st_mtim]
      try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
    #expect(code == "changed")
  }

  @Test(arguments: [false, true]) func `a file with two names, unless that is allowed`(breaksLinks: Bool) async throws {
    let written = try await WrittenMusic(["damaged/clean.mp3"])
    let file = try #require(try written.files().first)
    let twin = written.deadwax.home.appending("twin.mp3")
    try FileManager.default.linkItem(atPath: file.path.displayString, toPath: twin.path)
    _ = try await written.scan()
    let original = try written.bytes(file)
    let report = try written.write(Self.edit, options: WriteOptions(breaksLinks: breaksLinks)).first
    #expect(report?.isWritten == breaksLinks && report?.refusal?.code == (breaksLinks ? nil : "hard-links"))
    #expect(try Data(contentsOf: twin) == original)
    #expect((try written.bytes(file) == original) == !breaksLinks)
  }

  @Test func `a file that nobody may write`() async throws {
    let code = try await refusal { written, path in
      #expect(chmod(path, 0o444) == 0)
      _ = try await written.scan()
    }
    #expect(code == "write-protected")
  }

  @Test(.enabled(if: geteuid() != 0, "the tests run as root, who may write everywhere"))
  func `a folder that nobody may write`() async throws {
    var folder = ""
    let code = try await refusal { written, _ in
      folder = written.music.path
      #expect(chmod(folder, 0o555) == 0)
    }
    _ = chmod(folder, 0o755)
    #expect(code == "folder")
  }

  @Test(arguments: [("formats/Every Connector/03 Speakon.mka", "format"), ("damaged/truncated.wav", "format")])
  func `what no editor changes safely`(fixture: String, code: String) async throws {
    guard FileManager.default.fileExists(atPath: Corpora.fixtures.appending(path: fixture).path) else { return }
    let found = try await refusal(fixture: fixture) { _, _ in }
    #expect(
      found == nil || found == code || ["malformed-tags", "unsafe", "not-scanned", "contradicted"].contains(found))
  }

  @Test func `a value for which a tag has no place`() async throws {
    let code = try await refusal(edit: TagEdit([.set("LYRICS", ["a", "b"])])) { _, _ in }
    #expect(code == "value")
  }

  @Test func `the table in the documents has every reason`() throws {
    let table = try String(contentsOf: Corpora.projectRoot.appending(path: "docs/writing-tags.md"), encoding: .utf8)
    for (code, meaning) in WriteRefusal.codes { #expect(table.contains("| `\(code)` | \(meaning)"), "\(code)") }
    for code in ["format", "malformed-tags", "unsafe", "value", "too-long", "contradicted", "unreadable"] {
      #expect(table.contains("| `\(code)` |"), "\(code)")
    }
  }
}

/// Files that nobody can change, by their attributes.
private enum LockedFile {
  static func lock(_ path: String) throws { try Tool.run("chattr", "+i", path) }
  static func unlock(_ path: String) throws { try Tool.run("chattr", "-i", path) }

  static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let path = folder.appending("file").path
    guard FileManager.default.createFile(atPath: path, contents: nil), (try? lock(path)) != nil else { return false }
    return (try? unlock(path)) != nil
  }()
}
