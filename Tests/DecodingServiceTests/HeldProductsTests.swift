import Base
import Foundation
import MediaModel
import Testing
import TestSupport

@testable import DecodingService

/// What a pool holds of products that its workers send at the same time.
struct HeldProductsTests {
  private static let productByteCount = 12 << 20
  private static let kinds: [ProductKind] = [.waveform, .spectrogram]

  /// A worker of a shell, which sends two large products as soon as it has a file.
  private func executable(in folder: TemporaryFolder) throws -> String {
    let status = WorkerStatus(
      sandbox: SandboxStatus(landlockVersion: 1, opensAreRefused: true), chromaprintVersion: nil)
    let messages: [(name: String, bytes: [UInt8])] = [
      ("ready", WorkerMessage.ready(version: WorkerProtocol.version, status).bytes),
      (
        "answer",
        Self.kinds.flatMap { kind in
          WorkerMessage.product(
            Product(
              kind: kind, version: 1, parameters: "", bytes: [UInt8](repeating: 7, count: Self.productByteCount))
          ).bytes
        } + WorkerMessage.finished(Extraction(state: .ok)).bytes
      ),
    ]
    for message in messages { try folder.write(message.bytes, to: message.name) }
    let script = """
      #!/bin/sh
      cd '\(folder.url.path)'
      /bin/cat ready >&3
      /bin/dd bs=1 count=1 <&3 >/dev/null 2>&1
      /bin/cat answer >&3
      /bin/cat <&3 >/dev/null

      """
    try folder.write(Array(script.utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    return worker
  }

  // Faults: 32
  @Test func `the products of all workers share one budget, and all arrive`() throws {
    let folder = try TemporaryFolder()
    let pool = WorkerPool(
      WorkerPool.Configuration(executable: try executable(in: folder), workerCount: 6))
    defer { pool.stop() }
    let file = try FileHandle(forReadingFrom: folder.appending("ready"))
    for id in 0..<6 {
      try pool.start(WorkerPool.Job(id: id, descriptor: file.fileDescriptor, byteCount: 1, pathExtension: "wav"))
    }
    var finished: [Int: [ProductKind]] = [:]
    var most = 0
    while finished.count < 6 {
      for case .finished(let id, let extraction) in try pool.wait(upTo: 10) {
        finished[id] = extraction.products.map(\.kind)
      }
      most = max(most, pool.heldByteCount)
    }
    #expect(finished.values.allSatisfy { $0 == Self.kinds })
    // One file may be received beyond the limit; six of them would be 144 MiB.
    let fileByteCount = Self.kinds.count * Self.productByteCount
    #expect(most > WorkerPool.heldByteLimit / 2)
    #expect(most <= WorkerPool.heldByteLimit + fileByteCount + (6 << 20), "\(most)")
  }
}
