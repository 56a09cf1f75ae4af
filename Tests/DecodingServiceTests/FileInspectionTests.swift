import Base
@testable import DecodingService
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

/// Files that the system stops giving to their worker after their recording is identified.
struct FileInspectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a worker sends about a file; after a message for which `isLost` is true, no byte of the file can be read.
  private func messages(about file: URL, isLost: (WorkerMessage) -> Bool) throws -> [WorkerMessage] {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    let other = open(folder.url.path, O_RDONLY | O_CLOEXEC)
    defer {
      close(descriptor)
      close(other)
    }
    var status = stat()
    var ends: [Int32] = [-1, -1]
    try #require(fstat(descriptor, &status) == 0)
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (byteCount, theirs) = (Int64(status.st_size), ends[1])
    Thread {
      var channel = WorkerChannel(descriptor: theirs)
      var inspection = FileInspection(
        descriptor: descriptor, byteCount: byteCount, pathExtension: "", limits: InspectionLimits(), socket: theirs)
      try? inspection.run(over: &channel)
    }.start()

    var channel = WorkerChannel(descriptor: ends[0])
    var messages: [WorkerMessage] = []
    while true {
      let message = try WorkerMessage(body: channel.waitForBody())
      messages.append(message)
      if isLost(message) { try #require(dup2(other, descriptor) == descriptor) }
      switch message {
      case .identified:
        try channel.send(WorkerRequest.analyse(kinds: [.waveform, .spectrum, .measures]).bytes)
      case .finished: return messages
      default: break
      }
    }
  }

  @Test func `a file whose tags cannot be read is unreadable`() throws {
    let file = Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac")
    let messages = try messages(about: file) { if case .identified = $0 { true } else { false } }
    guard case .finished(let extraction)? = messages.last else {
      Issue.record("the worker did not finish: \(messages)")
      return
    }
    #expect(extraction.state == .unreadable)
    #expect(extraction.problem?.code == "read-error")
    #expect(extraction.tags.isEmpty)
    #expect(!messages.contains { if case .artwork = $0 { true } else { false } })
  }

  @Test func `nothing is made from a file that cannot be read to its end`() throws {
    try MusicFolder.writeSilence(seconds: 7200, to: folder.appending("long.wav"))
    let messages = try messages(about: folder.appending("long.wav")) {
      if case .progress(let seconds) = $0 { seconds > 0 } else { false }
    }
    guard case .finished(let extraction)? = messages.last else {
      Issue.record("the worker did not finish: \(messages)")
      return
    }
    #expect(extraction.state == .unreadable)
    #expect(extraction.problem?.code == "read-error")
    #expect(extraction.measures == nil)
    #expect(extraction.format == nil)
    #expect(!messages.contains { if case .product = $0 { true } else { false } })
  }
}
