import Base
import DecodingService
import Foundation
import Glibc
import MediaModel
import TestSupport
import Testing

/// Workers that are started before it is known for which file.
struct PrewarmedWorkerTests {
  private static let executable = DeadwaxCommand.executable.path

  private func source(_ file: URL, in waiting: PrewarmedWorker?) throws -> WorkerSegmentSource {
    try WorkerSegmentSource(
      BytePath(file.path), recording: ContentHash(high: 0, low: 0), stream: nil, isDamaged: false, in: waiting,
      executable: Self.executable)
  }

  @Test(arguments: Corpora.fixtureFiles(in: "audio", endingIn: ["flac", "opus", "wav"]))
  func `a worker that waited decodes like one that is started for the file`(file: URL) throws {
    let waiting = try PrewarmedWorker(executable: Self.executable)
    let (waited, started) = (try source(file, in: waiting), try source(file, in: nil))
    #expect(try waited.decode(100..<2_000) == started.decode(100..<2_000))
  }

  @Test func `one worker opens one file after the other, also after one that it cannot read`() throws {
    let waiting = try PrewarmedWorker(executable: Self.executable)
    let files = Corpora.fixtureFiles(in: "audio", endingIn: ["flac", "opus", "wav"]).prefix(4)
    try #require(files.count > 1)
    for file in files {
      let expected = try source(file, in: nil).decode(100..<2_000)
      #expect(try source(file, in: waiting).decode(100..<2_000) == expected)
      #expect(throws: SegmentReadingError.self) {
        try source(Corpora.fixtures.appending(path: "damaged/magic-only.aiff"), in: waiting)
      }
      #expect(waiting.isThere)
    }
  }

  @Test func `it is known whether a worker that waits is still there`() throws {
    let waiting = try PrewarmedWorker(executable: Self.executable)
    #expect(waiting.isThere)
    kill(waiting.processID, SIGKILL)
    let deadline = ContinuousClock.now + .seconds(10)
    while waiting.isThere, ContinuousClock.now < deadline { usleep(1_000) }
    #expect(!waiting.isThere)
  }

  @Test func `a worker that is released ends`() throws {
    var waiting: PrewarmedWorker? = try PrewarmedWorker(executable: Self.executable)
    let processID = try #require(waiting?.processID)
    #expect(kill(processID, 0) == 0)
    waiting = nil
    #expect(kill(processID, 0) == -1)
  }

  // Faults: 230
  /// The kernel ends a worker with the thread that started it, and threads of the server end when they have nothing to do.
  @Test func `a worker outlives the thread that asked for it`() throws {
    let box = Box()
    let thread = Thread { box.worker = try? PrewarmedWorker(executable: Self.executable) }
    thread.start()
    while !thread.isFinished { usleep(1_000) }
    let worker = try #require(box.worker)
    // `isFinished` comes a moment before the end of the kernel's thread.
    for _ in 0..<20 {
      usleep(10_000)
      #expect(worker.isThere)
    }
    let file = try #require(Corpora.fixtureFiles(in: "audio", endingIn: ["flac"]).first)
    #expect(try source(file, in: worker).decode(100..<2_000).count > 0)
  }

  private final class Box: @unchecked Sendable {
    var worker: PrewarmedWorker?
  }
}
