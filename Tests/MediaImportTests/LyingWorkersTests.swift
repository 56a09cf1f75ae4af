import Foundation
import Fuzzing
import MediaImport
import MediaModel
import MediaStore
import Testing
import TestSupport

/// Scans whose workers are another program, which says what it likes.
struct LyingWorkersTests {
  private static let ready = WorkerMessage.ready(
    version: WorkerProtocol.version,
    WorkerStatus(sandbox: SandboxStatus(landlockVersion: 1, opensAreRefused: true), chromaprintVersion: nil)
  ).bytes

  /// The states of two files after a scan whose every worker says `answer` once it is ready, and ends.
  private static func states(afterWorkersSaid answer: [UInt8]) throws -> [FileState] {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] {
      let samples = (0..<400).map { Int16($0 * (name == "a.wav" ? 3 : 5)) }
      try folder.write(WaveFile.bytes(samples, sampleRateInHz: 8_000, channelCount: 1), to: "music/\(name)")
    }
    try folder.write(Self.ready, to: "ready")
    try folder.write(answer, to: "answer")
    // A worker of ours reads its request first; this one is as deaf as it can be without being taken for dead.
    let script = "#!/bin/sh\n/bin/cat '\(folder.url.path)/ready' >&3\n/bin/dd bs=1 count=1 <&3 >/dev/null 2>&1\n"
    try folder.write(Array((script + "/bin/cat '\(folder.url.path)/answer' >&3\n").utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)

    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    defer { try? store.close() }
    var options = ScanOptions(
      workers: WorkerPool.Configuration(executable: worker, workerCount: 1, stallLimitInSeconds: 10))
    options.folders = [folder.file("music")]
    _ = try LibraryScan(store: store, options: options).run()
    try #expect(store.check(isDeep: true).isSound)
    let root = try #require(try store.roots().first)
    try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    return try store.knownFiles(inRoot: root.id).map(\.state)
  }

  @Test(arguments: [
    [], [0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [4, 0, 0, 0, 9, 9, 9, 9], [UInt8](repeating: 0x41, count: 1 << 20),
    WorkerMessage.samples([1]).bytes, WorkerMessage.progress(decodedSeconds: .infinity).bytes, ready,
    Array(WorkerMessage.finished(Extraction(state: .ok)).bytes.dropLast()),
  ])
  func `a worker that talks nonsense costs its file`(answer: [UInt8]) throws {
    #expect(try Self.states(afterWorkersSaid: answer) == [.crashed, .crashed])
  }

  @Test func `what workers say by chance never ends a scan, or harms its library`() throws {
    let target = try #require(FuzzTargets["worker-result"])
    var mutation = try Mutation(of: target, seed: 7)
    var counts: [FileState: Int] = [:]
    for _ in 0..<40 {
      for state in try Self.states(afterWorkersSaid: mutation.next()) { counts[state, default: 0] += 1 }
    }
    #expect(counts.values.reduce(0, +) == 80)
    // Answers that are all refused would prove little.
    #expect(counts.count > 1, "\(counts)")
  }
}
