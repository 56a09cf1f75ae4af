import Foundation
import MediaImport
import MediaModel
import Testing
import TestSupport

/// Workers that are none, and files that are none; the built command's own worker is tested from end to end.
struct WorkerSegmentSourceTests {
  private static let file = BytePath(
    Corpora.fixtures.appending(path: "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3").path)

  private func open(_ path: BytePath, executable: String) throws {
    _ = try WorkerSegmentSource(path, hash: ContentHash(high: 0, low: 0), isDamaged: false, executable: executable)
  }

  @Test func `a worker that leaves at once is an error`() {
    #expect(throws: SoundReadingError.self) { try open(Self.file, executable: "/bin/false") }
  }

  @Test func `a worker that cannot be started is an error`() {
    #expect(throws: SoundReadingError.self) { try open(Self.file, executable: "/no/such/program") }
  }

  @Test(arguments: ["/no/such/file", "/dev/null", "/"])
  func `what is no file is an error with its path`(path: String) {
    #expect(throws: SoundReadingError.self) { try open(BytePath(path), executable: "/bin/false") }
  }
}
