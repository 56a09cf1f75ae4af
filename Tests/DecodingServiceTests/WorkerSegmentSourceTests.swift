import Base
import DecodingService
import Foundation
import MediaModel
import Testing
import TestSupport

/// Programs that are not workers, and paths that are not files; the real worker is tested from end to end.
struct WorkerSegmentSourceTests {
  private static let file = BytePath(
    Corpora.fixtures.appending(path: "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3").path)

  private func open(_ path: BytePath, executable: String) throws {
    _ = try WorkerSegmentSource(
      path, recording: ContentHash(high: 0, low: 0), stream: nil, isDamaged: false, executable: executable)
  }

  @Test func `a worker that exits at once is an error`() {
    #expect(throws: SegmentReadingError.self) { try open(Self.file, executable: "/bin/false") }
  }

  // Faults: 167
  @Test func `a worker that cannot be started is no fault of the file`() {
    let error = #expect(throws: SegmentReadingError.self) { try open(Self.file, executable: "/no/such/program") }
    #expect(error == .worker(reason: "cannot start: No such file or directory"))
  }

  @Test(arguments: ["/no/such/file", "/dev/null", "/"])
  func `a path that is not a file is an error`(path: String) {
    #expect(throws: SegmentReadingError.self) { try open(BytePath(path), executable: "/bin/false") }
  }
}
