import Base
import DecodingService
import Foundation
import LibraryScanning
import LibraryTracks
import MediaImport
import MediaModel
import MediaStore
import Testing
import TestSupport

/// Scans of files that the system stops giving to their worker after their recording is identified.
struct UnreadableFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let identity = StreamIdentity(
    hash: ContentHash(high: 1, low: 2), byteCount: 800)
  private static let readError = Problem(code: "read-error", reason: "the system reports error 5 when reading byte 7")

  /// Scans `music` with a worker that sends this and ends.
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
      # The answer to the identity is read, too.
      /bin/cat <&3 >/dev/null

      """
    try folder.write(Array(script.utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    var options = ScanOptions(workers: WorkerPool.Configuration(executable: worker, workerCount: 1))
    options.folders = [folder.file("music")]
    options.jobs.kinds = kinds
    options.isDeep = true
    _ = try LibraryScan(store: store, options: options).run()
  }

  private func finished(title: String) -> WorkerMessage {
    let format = MediaFormat(container: .wav, codec: .pcmS16, sampleRateInHz: 8000, decodedFrameCount: 400)
    return .finished(
      Extraction(
        state: .ok, format: format, decoded: DecodedStream(), tags: Tags([.init(name: "TITLE", values: [title])])))
  }

  // Faults: 58
  /// Without products only the tags of a known recording are read; with them it is decoded again.
  @Test(arguments: [[], [ProductKind.waveform]])
  func `what is stored of a file stays if it cannot be read, and the next scan tries again`(
    _ kinds: [ProductKind]
  ) throws {
    try folder.write(WaveFile.bytes([1, 2, 3], sampleRateInHz: 8_000, channelCount: 1), to: "music/a.wav")
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    defer { try? store.close() }
    try scan(store, kinds: [], answer: [.identified(Self.identity), finished(title: "Known")])
    let root = try #require(try store.roots.all().first)
    let id = try #require(try store.scans.knownFiles(inRoot: root.id).first?.recordingID)

    let half = Product(kind: .waveform, version: 1, parameters: "half", bytes: [1])
    try scan(
      store, kinds: Set(kinds),
      answer: [
        .identified(Self.identity), .product(half),
        .finished(Extraction(state: .unreadable, problem: Self.readError)),
      ])
    let file = try #require(try store.scans.knownFiles(inRoot: root.id).first)
    #expect(file.lastState == .unreadable)
    #expect(file.recordingID == id)
    let detail = try #require(try store.tracks.detail(ofRecording: id))
    #expect(detail.tags["TITLE"] == ["Known"])
    #expect(detail.files.first?.problem == Self.readError)
    #expect(detail.recording.state == .ok)
    #expect(detail.recording.format?.decodedFrameCount == 400)
    #expect(try store.products.product(.waveform, ofRecording: id) == nil)

    try scan(store, kinds: [], answer: [.identified(Self.identity), finished(title: "New")])
    #expect(try store.scans.knownFiles(inRoot: root.id).first?.lastState == .ok)
    #expect(try store.tracks.detail(ofRecording: id)?.tags["TITLE"] == ["New"])
  }
}
