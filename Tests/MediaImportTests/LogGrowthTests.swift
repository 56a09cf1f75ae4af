import Base
import InMemoryLogging
import LibraryScanning
import LibraryTracks
import Logging
import MediaStore
import Testing
import TestSupport
@testable import MediaImport

struct LogGrowthTests {
  // Faults: 96
  @Test func `a log that is too long is reported once, even if only errors are wanted`() throws {
    let folder = try TemporaryFolder()
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    defer { try? store.close() }
    _ = try store.roots.add(BytePath("/music"), volume: nil)
    #expect(store.logByteCount > 0)

    var handler = InMemoryLogHandler()
    handler.logLevel = .error
    let log = ReadingLog(logger: Logger(label: "test") { _ in handler })
    var growth = LogGrowth(limitInBytes: store.logByteCount)
    growth.check(store, log)
    #expect(handler.entries.isEmpty)
    var smaller = LogGrowth(limitInBytes: store.logByteCount - 1)
    for _ in 0..<3 { smaller.check(store, log) }
    #expect(handler.entries.count == 1)
    let entry = try #require(handler.entries.first)
    #expect(entry.metadata["file"]?.description == store.path.displayString + "-wal")
    #expect(entry.message.description.contains("another program"))
  }

  @Test func `the limit is 256 MiB`() { #expect(LogGrowth.defaultLimitInBytes == 256 << 20) }
}
