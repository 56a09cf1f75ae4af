import Base
import DecodingService
import Foundation
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TagEditing
import TagWriting
import TestSupport

/// Music in a folder of its own, and a library that a scan of it has made.
struct WrittenMusic {
  let music: MusicFolder
  let deadwax: DeadwaxCommand
  let store: MediaStore

  /// - Parameter fixtures: names in fixtures/; each file gets a number in front of its name.
  init(_ fixtures: [String]) async throws {
    music = try MusicFolder()
    for (number, name) in fixtures.enumerated() {
      try music.add(fixture: name, as: "\(number) " + (name.split(separator: "/").last.map(String.init) ?? name))
    }
    deadwax = try DeadwaxCommand()
    try await deadwax.must(["scan", "-q", music.path])
    store = try MediaStore(at: BytePath(deadwax.library.path), access: .readWrite)
  }

  var worker: TagWorker { TagWorker(executable: DeadwaxCommand.executable.path) }

  /// All files, in order of their paths.
  func files() throws -> [WritableFile] {
    try store.fileChanges.files(of: store.query("")).sorted { $0.path < $1.path }
  }

  func bytes(_ file: WritableFile) throws -> Data { try Data(contentsOf: URL(filePath: file.path.displayString)) }

  /// Writes the same edit into all files; returns what became of them.
  func write(_ edit: TagEdit, options: WriteOptions = WriteOptions()) throws -> [WriteReport] {
    let files = try files()
    return try write(files.map { _ in edit }, of: files, options: options)
  }

  func write(
    _ edits: [TagEdit], of files: [WritableFile], options: WriteOptions = WriteOptions()
  ) throws -> [WriteReport] {
    var reports: [WriteReport] = []
    _ = try TagWriter(store, options, worker: worker).write(
      edits, of: files, summary: { "write \($0) files" }, each: { reports.append($0) })
    return reports
  }

  func undo(_ change: Int64) throws -> [WriteReport] {
    var reports: [WriteReport] = []
    _ = try TagWriter(store, WriteOptions(), worker: worker).undo(change) { reports.append($0) }
    return reports
  }

  struct Scan: Decodable { var found, new, changed, unchanged, moved, missing, problems, decoded_files: Int }

  func scan() async throws -> Scan { try await deadwax.must(["scan", "--json", music.path]).document() }

  /// The names in the folder, hidden ones as well.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: music.path).sorted() }
}
