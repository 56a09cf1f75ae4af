import Base
import Foundation
import LibraryScanning
import MediaModel
import MediaStore
import TagEditing
@testable import TagWriting
import Testing
import TestSupport

/// What a killed process left, where files moved or went before anything was settled.
@Suite(.serialized)
struct KilledWritesTests {
  private let written: WrittenMusic
  private let file: WritableFile
  private static let leftover = ".deadwax-" + String(repeating: "0", count: 32) + ".tmp"

  /// A file whose change was planned, and the new one made beside it, by a process that is gone.
  init() async throws {
    written = try await WrittenMusic(["damaged/clean.mp3"])
    file = try #require(try written.files().first)
    let bytes = try written.bytes(file)
    try bytes.write(to: written.music.file(Self.leftover))
    let handle = try FileHandle(forReadingFrom: written.music.file(file.known.path.displayString))
    let hash = try PlanHash.hash(descriptor: handle.fileDescriptor, byteCount: Int64(bytes.count))
    try handle.close()
    let change = try written.store.fileChanges.begin("write tags of 1 file")
    _ = try written.store.fileChanges.plan(
      [
        PlannedFileChange(
          key: file.key, path: file.path, temporary: BytePath(Self.leftover), oldHash: hash,
          newHash: ContentHash(high: 1, low: 2), undo: [], pictures: [])
      ], in: change)
  }

  @Test func `an interrupted change is called so, by the list and by doctor`() async throws {
    let change = try #require(try written.store.fileChanges.all().first)
    #expect(change.fileCount == 1 && change.openCount == 1 && change.doneCount == 0 && change.foreignCount == 0)
    let list = try await written.deadwax.must(["tags", "undo", "--list"]).text
    #expect(list.contains("1 interrupted") && !list.contains("undone"))
    let doctor = try await written.deadwax.must(["doctor"]).text
    #expect(doctor.contains("1 file was being written when a process was killed"))
  }

  @Test func `what lay beside a file that was moved meanwhile goes`() async throws {
    try FileManager.default.createDirectory(at: written.music.file("elsewhere"), withIntermediateDirectories: false)
    let name = file.known.path.displayString
    try FileManager.default.moveItem(at: written.music.file(name), to: written.music.file("elsewhere/\(name)"))
    // The first one finds the file in its new place, the next one settles what was left.
    _ = try await written.scan()
    _ = try await written.scan()
    #expect(try written.names() == ["elsewhere"])
    #expect(try !written.store.fileChanges.hasOpenParts())
  }

  @Test func `what lies beside the place of a file that is gone is named once, and stays`() async throws {
    try FileManager.default.removeItem(at: written.music.file(file.known.path.displayString))
    // Without another file, a scan would stop for safety.
    try written.music.add(fixture: "damaged/digital-silence.wav", as: "other.wav")
    _ = try await written.deadwax.must(["scan", "-q", "--accept-missing", written.music.path])
    let said = try await written.deadwax.must(["scan", "-q", "--accept-missing", written.music.path]).errorText
    #expect(said.contains("is gone") && said.contains(Self.leftover))
    #expect(try written.names() == [Self.leftover, "other.wav"])
    #expect(try !written.store.fileChanges.hasOpenParts())
    let again = try await written.deadwax.must(["scan", "-q", "--accept-missing", written.music.path]).errorText
    #expect(!again.contains("is gone"))
  }
}
