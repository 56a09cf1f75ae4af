import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport

@testable import deadwax_bench

struct LibraryQuestionTests {
  /// What docs/performance.md tells to run must run, with the schema as it is.
  @Test(.enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"))
  func `the command and the sqlite3 shell answer every question`() async throws {
    let folder = try TestSupport.TemporaryFolder()
    let deadwax = try DeadwaxCommand().with(folder.appending("library.sqlite"))
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    let root = try store.roots.add(BytePath("/music"), volume: nil)
    var maker = LibraryMaker(seed: 1, rootID: root.id, landmarks: nil)
    try store.scans.apply(maker.next(600))
    let questions = try LibraryQuestion.all(about: store)
    try store.close()
    for question in questions {
      let answer = try Tool.run("sqlite3", "-readonly", "-json", deadwax.library.path, question.sql)
      let lines = try await deadwax.must(question.arguments).text.split(separator: "\n")
      guard question.arguments.first == "ls" else { continue }
      let rows = answer.isEmpty ? [] : try JSONSerialization.jsonObject(with: answer) as? [[String: Any]]
      #expect(rows?.count == lines.count, "\(question.name)")
    }
    #expect(questions.contains { ($0.rowCount ?? 0) == 600 })
  }
}
