import Foundation
import Glibc
import MediaModel
import MediaStore
import Testing
import TestSupport

@testable import MediaImport

/// Files that the system stops giving to their worker when their sound is identified already.
struct UnreadableFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let identity = Identity(
    hash: ContentHash(high: 1, low: 2), payloadByteCount: 800, statesEncoderDelay: false, isIntact: true)
  private static let readError = Problem(code: "read-error", reason: "the system reports error 5 when reading byte 7")

  // MARK: - The worker

  /// What a worker says of a file; where `isLost` says so of a message, no byte can be read of the file from then on.
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
        descriptor: descriptor, byteCount: byteCount, pathExtension: "", limits: InspectionLimits())
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
    guard case .finished(let extraction)? = messages.last else { return }
    #expect(extraction.state == .unreadable)
    #expect(extraction.problem?.code == "read-error")
    #expect(extraction.tags.isEmpty)
    #expect(!messages.contains { if case .artwork = $0 { true } else { false } })
  }

  @Test func `of a file that cannot be read to its end nothing is made`() throws {
    try MusicFolder.writeSilence(seconds: 7200, to: folder.appending("long.wav"))
    let messages = try messages(about: folder.appending("long.wav")) {
      if case .progress(let seconds) = $0 { seconds > 0 } else { false }
    }
    guard case .finished(let extraction)? = messages.last else { return }
    #expect(extraction.state == .unreadable)
    #expect(extraction.problem?.code == "read-error")
    #expect(extraction.measures == nil)
    #expect(extraction.format == nil)
    #expect(!messages.contains { if case .product = $0 { true } else { false } })
  }

  // MARK: - The scan

  /// Scans `music` with a worker that says this and ends.
  private func scan(_ store: MediaStore, kinds: Set<ProductKind>, answer: [WorkerMessage]) throws {
    let ready = WorkerMessage.ready(
      version: WorkerProtocol.version,
      WorkerStatus(sandbox: SandboxStatus(landlockVersion: 1, opensAreRefused: true), chromaprintVersion: nil))
    try folder.write(ready.bytes, to: "ready")
    try folder.write(answer.flatMap(\.bytes), to: "answer")
    let script = """
      #!/bin/sh
      /bin/cat '\(folder.url.path)/ready' >&3
      /bin/dd bs=1 count=1 <&3 >/dev/null 2>&1
      /bin/cat '\(folder.url.path)/answer' >&3
      # What is wanted of the sound is heard, too.
      /bin/cat <&3 >/dev/null

      """
    try folder.write(Array(script.utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    var options = ScanOptions(workers: WorkerPool.Configuration(executable: worker, workerCount: 1))
    options.folders = [folder.file("music")]
    options.kinds = kinds
    options.isDeep = true
    _ = try LibraryScan(store: store, options: options).run()
  }

  private func finished(title: String) -> WorkerMessage {
    let format = MediaFormat(container: .wav, codec: .pcmS16, sampleRateInHz: 8000, decodedFrameCount: 400)
    return .finished(
      Extraction(state: .ok, format: format, tags: Tags([.init(name: "TITLE", values: [title])])))
  }

  /// Without products only the tags of a known sound are read; with them it is decoded once more.
  @Test(arguments: [[], [ProductKind.waveform]])
  func `what was known of a file stays when it cannot be read, and the next scan tries again`(
    _ kinds: [ProductKind]
  ) throws {
    try folder.write(WaveFile.bytes([1, 2, 3], sampleRateInHz: 8_000, channelCount: 1), to: "music/a.wav")
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    defer { try? store.close() }
    try scan(store, kinds: [], answer: [.identified(Self.identity), finished(title: "Known")])
    let root = try #require(try store.roots().first)
    let id = try #require(try store.knownFiles(inRoot: root.id).first?.recordingID)

    let half = Product(kind: .waveform, version: 1, parameters: "half", bytes: [1])
    try scan(
      store, kinds: Set(kinds),
      answer: [
        .identified(Self.identity), .product(half),
        .finished(Extraction(state: .unreadable, problem: Self.readError)),
      ])
    let file = try #require(try store.knownFiles(inRoot: root.id).first)
    #expect(file.lastState == .unreadable)
    #expect(file.recordingID == id)
    let detail = try #require(try store.detail(ofRecording: id))
    #expect(detail.tags["TITLE"] == ["Known"])
    #expect(detail.files.first?.problem == Self.readError)
    #expect(detail.recording.state == .ok)
    #expect(detail.recording.format?.decodedFrameCount == 400)
    #expect(try store.product(.waveform, ofRecording: id) == nil)

    try scan(store, kinds: [], answer: [.identified(Self.identity), finished(title: "New")])
    #expect(try store.knownFiles(inRoot: root.id).first?.lastState == .ok)
    #expect(try store.detail(ofRecording: id)?.tags["TITLE"] == ["New"])
  }
}
