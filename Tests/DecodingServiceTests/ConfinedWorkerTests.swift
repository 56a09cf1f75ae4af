import Base
@testable import DecodingService
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

// Faults: 163
/// The built command as a worker, confined as in a scan.
struct ConfinedWorkerTests {
  /// What a worker that is a process of its own says about a file.
  ///
  /// - Parameter whenIdentified: Is called while the worker waits for its answer.
  static func extraction(
    of file: URL, kinds: Set<ProductKind>, in pool: WorkerPool, whenIdentified: () throws -> Void = {}
  ) throws -> Extraction {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    try pool.start(WorkerPool.Job(id: 1, descriptor: descriptor, byteCount: Int64(status.st_size), pathExtension: ""))
    while true {
      for event in try pool.wait(upTo: 1) {
        switch event {
        case .identified(let id, _):
          try whenIdentified()
          pool.answer(jobID: id, kinds: kinds)
        case .progress: break
        case .finished(_, let extraction), .failed(_, let extraction, _): return extraction
        }
      }
    }
  }

  static func pool() -> WorkerPool {
    WorkerPool(WorkerPool.Configuration(executable: DeadwaxCommand.executable.path, workerCount: 1))
  }

  @Test func `a worker tells which layers are in force`() throws {
    let sandbox = try WorkerCheck.run(executable: DeadwaxCommand.executable.path).status.sandbox
    #expect(sandbox.callsAreFiltered)
    #expect(sandbox.opensAreRefused)
  }

  @Test func `a confined worker says the same about each file as one without limits`() throws {
    let kinds: Set<ProductKind> = [.waveform, .spectrum, .measures, .fingerprint]
    let pool = Self.pool()
    for file in Corpora.fixtureFiles(in: ".") {
      let inside = try Self.extraction(of: file, kinds: kinds, in: pool)
      var outside = Extraction(state: .ok)
      var (artwork, products): ([Artwork], [Product]) = ([], [])
      var stream: StreamIdentity?
      for message in try FileInspection.messages(about: file, kinds: kinds) {
        switch message {
        case .identified(let identity): stream = identity
        case .artwork(let picture): artwork.append(picture)
        case .product(let product): products.append(product)
        case .finished(let extraction): outside = extraction
        default: break
        }
      }
      (outside.stream, outside.artwork, outside.products) = (stream, artwork, products)
      #expect(inside == outside, "\(file.path)")
    }
  }

  @Test(arguments: Corpora.fixtureFiles(in: "audio", endingIn: ["flac", "mp3", "ogg", "opus", "wav", "aiff"]))
  func `a confined worker decodes ranges`(file: URL) throws {
    let source = try WorkerSegmentSource(
      BytePath(file.path), recording: ContentHash(high: 0, low: 0), stream: nil, isDamaged: false,
      executable: DeadwaxCommand.executable.path)
    #expect(try source.decode(100..<200).count == 100 * source.audio.format.channelCount)
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGXCPU])
  func `a crash keeps its reason behind the filter`(signal: Int32) throws {
    let pool = Self.pool()
    let folder = try TemporaryFolder()
    try MusicFolder.writeSilence(seconds: 10, to: folder.appending("a.wav"))
    let extraction = try Self.extraction(of: folder.appending("a.wav"), kinds: [], in: pool) {
      kill(try #require(pool.workerIDs.first), signal)
    }
    #expect(extraction.state == (signal == SIGXCPU ? .timeout : .crashed))
    #expect(extraction.problem?.code == (signal == SIGXCPU ? "cpu-limit" : "signal"))
  }
}
