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

  private func messages(about file: URL, isLost: (WorkerMessage) -> Bool) throws -> [WorkerMessage] {
    try FileInspection.messages(about: file, isLost: isLost)
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

  // Faults: 58
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

/// What a worker says about a file, decoded or not.
struct StreamInspectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func extraction(_ messages: [WorkerMessage]) throws -> Extraction {
    guard case .finished(let extraction)? = messages.last else { throw CocoaError(.fileReadUnknown) }
    return extraction
  }

  private func identity(_ messages: [WorkerMessage]) throws -> StreamIdentity {
    for case .identified(let identity) in messages { return identity }
    throw CocoaError(.fileReadUnknown)
  }

  private static let files = [
    "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3", "audio/Émilie Søndergård/Les Échos/02 Balayage.flac",
    "audio/星屑電機/夜の配線/02 配線図.ogg", "audio/Public Address/Announcements/02 Auslaufrille.opus",
    "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav", "damaged/hole.ogg", "damaged/truncated.flac",
    "damaged/one-bit-changed.flac", "damaged/junk-inside.mp3", "damaged/truncated.wav", "damaged/lying-xing.mp3",
  ]

  @Test(arguments: files)
  func `a file that is not decoded is judged as the one that was`(_ path: String) throws {
    let file = Corpora.fixtures.appending(path: path)
    let messages = try FileInspection.messages(about: file)
    let decoded = try extraction(messages)
    let copied = try FileInspection.messages(about: file, kinds: [])
    var copy = try extraction(copied)
    #expect(try identity(copied) == identity(messages))
    #expect(copy.decoded == nil && copy.format?.decodedFrameCount == nil)
    copy.judge(by: try #require(decoded.decoded), frameCount: try #require(decoded.format?.decodedFrameCount))
    #expect(copy.state == decoded.state)
    #expect(copy.problem == decoded.problem)
    #expect(copy.notes == decoded.notes)
    #expect(copy.tags == decoded.tags)
    let isLossless = ["flac", "wav"].contains(file.pathExtension) && decoded.decoded?.problem == nil
    #expect((decoded.decoded?.sampleHash != nil) == isLossless)
  }

  @Test func `a checksum is compared only if that is wanted`() throws {
    var bytes = [UInt8](
      try Data(contentsOf: Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/02 Balayage.flac")))
    // The first byte of the MD5 in STREAMINFO.
    bytes[26] ^= 1
    try folder.write(bytes, to: "a.flac")
    let plain = try extraction(FileInspection.messages(about: folder.appending("a.flac")))
    #expect(plain.state == .ok)
    let verified = try extraction(FileInspection.messages(about: folder.appending("a.flac"), verifies: true))
    #expect(verified.state == .damaged)
    #expect(verified.problem?.code == "checksum")
    #expect(verified.decoded == plain.decoded)
  }

  @Test func `the bit rate of FLAC is that of its frames, whatever STREAMINFO says`() throws {
    let url = Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/02 Balayage.flac")
    var bytes = [UInt8](try Data(contentsOf: url))
    let expected = try extraction(FileInspection.messages(about: url)).format?.bitRateInBitsPerSecond
    // No number of frames.
    bytes.replaceSubrange(22..<26, with: littleEndian(UInt32(0)))
    try folder.write(bytes, to: "a.flac")
    let changed = try extraction(FileInspection.messages(about: folder.appending("a.flac"))).format
    #expect(changed?.bitRateInBitsPerSecond == expected)
  }
}

extension FileInspection {
  /// What a worker sends about a file; after a message for which `isLost` is true, no byte of the file can be read.
  static func messages(
    about file: URL, kinds: Set<ProductKind> = [.waveform, .spectrum, .measures], verifies: Bool = false,
    isLost: (WorkerMessage) -> Bool = { _ in false }
  ) throws -> [WorkerMessage] {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    let other = open("/", O_RDONLY | O_CLOEXEC)
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
        try channel.send(WorkerRequest.analyse(kinds: kinds, verifies: verifies).bytes)
      case .finished: return messages
      default: break
      }
    }
  }
}
