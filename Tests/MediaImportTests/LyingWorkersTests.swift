import Base
import DecodingService
import Foundation
import Fuzzing
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaImport
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport

/// Scans whose workers are another program, which sends arbitrary messages.
struct LyingWorkersTests {
  private static let ready = WorkerMessage.ready(
    version: WorkerProtocol.version,
    WorkerStatus(sandbox: SandboxStatus(landlockVersion: 1, opensAreRefused: true), chromaprintVersion: nil)
  ).bytes

  /// The states of some files after a scan whose every worker runs `script`, in a folder with `messages` in it.
  ///
  /// The script may `say` a message, `hear` so many bytes, and `await` a file that another worker makes.
  private static func states(
    ofFiles names: [String] = ["a.wav", "b.wav"], workerCount: Int = 1, script: String, messages: [String: [UInt8]],
    look: (MediaStore) throws -> Void = { _ in }
  ) throws -> [FileState] {
    let folder = try TemporaryFolder()
    for (index, name) in names.enumerated() {
      let samples = (0..<400).map { Int16($0 * (index + 3)) }
      try folder.write(WaveFile.bytes(samples, sampleRateInHz: 8_000, channelCount: 1), to: "music/\(name)")
    }
    for (name, bytes) in messages { try folder.write(bytes, to: name) }
    let functions = """
      #!/bin/sh
      cd '\(folder.url.path)'
      say() { /bin/cat "$1" >&3; }
      hear() { /bin/dd bs=1 count="$1" <&3 >/dev/null 2>&1; }
      await() { until [ -e "$1" ]; do /bin/sleep 0.01; done; }

      """
    try folder.write(Array((functions + script).utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)

    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    defer { try? store.close() }
    var options = ScanOptions(
      workers: WorkerPool.Configuration(executable: worker, workerCount: workerCount, stallLimitInSeconds: 10))
    options.folders = [folder.file("music")]
    _ = try LibraryScan(store: store, options: options).run()
    try #expect(store.check(isDeep: true).isSound)
    let root = try #require(try store.roots.all().first)
    try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    try look(store)
    return try store.scans.knownFiles(inRoot: root.id).map(\.state)
  }

  /// The states of two files after a scan whose every worker says `answer` once it is ready, and ends.
  private static func states(afterWorkersSaid answer: [UInt8]) throws -> [FileState] {
    // A real worker reads its whole request first; this one reads just enough not to be taken for dead.
    try states(script: "say ready; hear 1; say answer", messages: ["ready": ready, "answer": answer])
  }

  // Faults: 40
  @Test(arguments: [
    [], [0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [4, 0, 0, 0, 9, 9, 9, 9], [UInt8](repeating: 0x41, count: 1 << 20),
    WorkerMessage.samples([1]).bytes, WorkerMessage.progress(decodedSeconds: .infinity).bytes, ready,
    Array(WorkerMessage.finished(Extraction(state: .ok)).bytes.dropLast()),
  ])
  func `a worker that sends invalid messages costs its file`(answer: [UInt8]) throws {
    #expect(try Self.states(afterWorkersSaid: answer) == [.crashed, .crashed])
  }

  @Test(arguments: [(32, FileState.ok), (33, .crashed)])
  func `too many pictures cost the file, as many as are kept do not`(count: Int, state: FileState) throws {
    let identity = StreamIdentity(
      hash: ContentHash(high: 1, low: 2), byteCount: 800)
    let picture = Artwork(
      pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: 3), bytes: [1, 2, 3])
    let messages: [WorkerMessage] =
      [.identified(identity)] + [WorkerMessage](repeating: .artwork(picture), count: count)
      + [.finished(Extraction(state: .ok))]
    // It reads the answer to its identity, and stays until the scan ends.
    let states = try Self.states(
      ofFiles: ["a.wav"], script: "say ready\nhear 1\nsay answer\nhear 1000000\n",
      messages: ["ready": Self.ready, "answer": messages.flatMap(\.bytes)])
    #expect(states == [state])
  }

  @Test func `more tags and pictures than a file may bring are left out, and a note says so`() throws {
    var extraction = Extraction(state: .ok)
    extraction.tags = Tags([
      .init(name: "ARTIST", values: (0..<3000).map { "artist\($0)x" }), .init(name: "TITLE", values: ["Slow Tide"]),
    ])
    let identity = StreamIdentity(hash: ContentHash(high: 1, low: 2), byteCount: 800)
    let pictures = (1...5).map { number in
      Artwork(
        pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: UInt64(number)),
        bytes: [UInt8](repeating: UInt8(number), count: 15 << 20))
    }
    let messages: [WorkerMessage] =
      [.identified(identity)] + pictures.map { .artwork($0) } + [.finished(extraction)]
    let states = try Self.states(
      ofFiles: ["a.wav"], script: "say ready\nhear 1\nsay answer\nhear 1000000\n",
      messages: ["ready": Self.ready, "answer": messages.flatMap(\.bytes)]
    ) { store in
      let id = try #require(try store.scans.knownFiles(inRoot: 1).first?.recordingID)
      let detail = try #require(try store.tracks.detail(ofRecording: id))
      #expect(detail.files.first?.notes == [Tags.truncatedNote])
      #expect(detail.tags["ARTIST"] == Array(extraction.tags["ARTIST"].prefix(256)))
      #expect(detail.tags["TITLE"] == ["Slow Tide"] && detail.pictures.count == 4)
    }
    #expect(states == [.ok])
  }

  @Test func `a copy is read again if the file that was to bring its recording does not`() throws {
    let identity = StreamIdentity(
      hash: ContentHash(high: 1, low: 2), byteCount: 800)
    let request = WorkerRequest.inspect(byteCount: 844, pathExtension: "wav", limits: InspectionLimits()).bytes.count
    // The first worker dies while the second one's file waits for it. The second one finishes only when that was
    // noticed, which shows in the third file being begun, and then gets its file again.
    let script = """
      say ready
      if /bin/mkdir first 2>/dev/null; then
        hear \(request); say identity; hear 1; : >decoding; await sharing; exit 1
      elif /bin/mkdir second 2>/dev/null; then
        await decoding
        hear \(request); say identity; hear \(WorkerRequest.analyse(kinds: [], verifies: false).bytes.count); : >sharing
        await third; say finished
        hear \(request); say identity; hear 1; say finished; /bin/cat <&3 >/dev/null
      else
        hear 1; : >third; exit 1
      fi
      """
    let states = try Self.states(
      ofFiles: ["a.wav", "b.wav", "c.wav"], workerCount: 2, script: script,
      messages: [
        "ready": Self.ready, "identity": WorkerMessage.identified(identity).bytes,
        "finished": WorkerMessage.finished(Extraction(state: .ok)).bytes,
      ])
    // Either of the first two files may have come to the first worker.
    #expect(states == [.crashed, .ok, .crashed] || states == [.ok, .crashed, .crashed], "\(states)")
  }

  // Faults: 40
  @Test func `random messages of workers never end a scan or harm its library`() throws {
    let target = try #require(FuzzTargets["worker-result"])
    var mutation = try Mutation(of: target, seed: 7)
    var counts: [FileState: Int] = [:]
    for _ in 0..<40 {
      for state in try Self.states(afterWorkersSaid: mutation.next()) { counts[state, default: 0] += 1 }
    }
    #expect(counts.values.reduce(0, +) == 80)
    // If all answers were refused, this would prove little.
    #expect(counts.count > 1, "\(counts)")
  }
}
